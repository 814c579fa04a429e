"""The notebooks run from top to bottom, their own assertions are the papers' statements and the answers to the course's exercises, and what is
stored of them is what they give."""

import base64
import io
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.rglob("*.ipynb"))
#: What a cell that draws computing times reads: its picture is another one on every machine.
TIMES = "run_s"
#: Largest mean difference of two pictures that are the same: of a full scale of 1, another matplotlib's edges of lines.
PIXELS = 0.01


def pictures(cell):
    found = [own["data"]["image/png"] for own in cell.outputs if "image/png" in own.get("data", {})]
    return [plt.imread(io.BytesIO(base64.b64decode(own)), format="png") for own in found]


def texts(cell):
    """What a cell prints, shows and answers beside its pictures."""
    streams = [own.text for own in cell.outputs if own.get("name") == "stdout"]
    shown = [own.data[kind] for own in cell.outputs if "data" in own for kind in sorted(own.data) if kind != "image/png"]
    return ["".join(streams), *shown]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_a_notebook_is_stored_as_it_runs(path):
    """`python/notebooks/execute` stores them anew."""
    stored = nbformat.read(path, as_version=4)
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=None, kernel_name="python3", record_timing=False).execute()
    cells = [(old, new) for old, new in zip(stored.cells, notebook.cells) if new.cell_type == "code"]
    # Three figures of papers each, and two of a chapter, which shows no warning.
    assert sum(len(pictures(new)) for _, new in cells) == (3 if path.parent == FOLDER else 2)
    assert path.parent == FOLDER or not any(own.get("name") == "stderr" for old, _ in cells for own in old.outputs)
    for number, (old, new) in enumerate(cells, 1):
        assert old.execution_count == new.execution_count == number
        assert texts(old) == texts(new)
        before, now = pictures(old), pictures(new)
        assert len(before) == len(now)
        for one, other in zip(before, now):
            if TIMES not in new.source:
                assert one.shape == other.shape and np.abs(one - other).mean() < PIXELS
