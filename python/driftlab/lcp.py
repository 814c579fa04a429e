"""Linear complementarity problems: w = M z + q ≥ 0, z ≥ 0, zᵀw = 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._driftlab import solve_lcp

__all__ = ["NoSolution", "Solution", "solve"]


@dataclass(frozen=True)
class Solution:
    """A solution of a problem with n rows."""

    #: z, [n], without negative entries.
    z: npt.NDArray[np.float64]
    #: M z + q, [n], not negative but for rounding.
    w: npt.NDArray[np.float64]
    #: ‖min(z, w)‖∞.
    residual: float
    #: Exchanges of a basic variable.
    pivots: int


class NoSolution(ArithmeticError):
    """The method has found no solution; the text says why."""

    #: Of a method that ended on a ray: dz ≥ 0 along it, [n]; else None.
    direction: npt.NDArray[np.float64] | None = None
    #: Whether `direction` proves that no z ≥ 0 has M z + q ≥ 0.
    infeasible: bool = False


def solve(M: npt.ArrayLike, q: npt.ArrayLike, method: str = "lemke", **parameters: float) -> Solution:
    """Solves a dense problem.

    M: [n, n]. q: [n]. method: 'lemke', 'dantzig' or 'pgs', with its parameters by name.

    Raises ValueError for sizes that do not agree, numbers that are not finite, and an unknown method; NoSolution if the method finds none.
    """
    found = solve_lcp(np.asarray(M, float), np.asarray(q, float), method, parameters)
    if "error" in found:
        error = NoSolution(found["error"])
        error.direction, error.infeasible = found.get("direction"), found.get("infeasible", False)
        raise error
    return Solution(**found)
