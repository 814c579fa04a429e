"""What numpy has in it, for JSON."""

from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """Numbers and arrays of numpy as numbers and lists; `json.dumps(…, default=plain)`."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise TypeError(f"expected what JSON can hold, found {type(value).__name__}")
