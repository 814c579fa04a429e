"""The course can be assigned: its notebooks are in nbgrader's convention, and their checks fail without an answer and with a wrong one. That the
lecturer's answers pass is seen where notebooks are run (test_notebooks.py)."""

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import FunctionType

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest

COURSE = sorted((Path(__file__).parents[1] / "notebooks" / "course").glob("*.ipynb"), key=lambda path: int(path.stem.split("-")[0]))
#: nbgrader's own stub, and what it cuts out [nbgrader 0.9: preprocessors clearsolutions and clearhiddentests].
STUB = "# YOUR CODE HERE\n{0}raise NotImplementedError()"
SOLUTION = re.compile(r"^([ \t]*)### BEGIN SOLUTION\n.*?^[ \t]*### END SOLUTION$", re.MULTILINE | re.DOTALL)
HIDDEN = re.compile(r"^### BEGIN HIDDEN TESTS\n.*?^### END HIDDEN TESTS$", re.MULTILINE | re.DOTALL)
#: Bytes of a stored notebook.
LARGEST = 250_000


def kind(cell):
    """'answer', 'check', or None of a cell that is nobody's exercise."""
    own = cell.metadata.get("nbgrader")
    return None if own is None else "answer" if own["solution"] else "check"


def students(source):
    """A cell as a student gets it."""
    return HIDDEN.sub("", SOLUTION.sub(lambda found: found[1] + STUB.format(found[1]), source))


def wrong(answer):
    """An answer of the same kind that is another one: numbers 10 % off, counts one off, the opposite of what is true."""
    if isinstance(answer, (bool, np.bool_)):
        return not answer
    if isinstance(answer, (int, np.integer)):
        return answer + 1
    if isinstance(answer, (list, tuple)):
        return type(answer)(wrong(own) for own in answer)
    return answer * 1.1


def spoiled(function):
    return lambda *arguments, **keywords: wrong(function(*arguments, **keywords))


def run(notebook, version=str, spoil=False):
    """Runs the cells in this process by `version` of their sources, and lists the errors of its exercises' cells by kind. With `spoil`, each
    check meets a function that answers wrongly, and the next exercises meet the right one."""
    names, told, right = {"__name__": "__main__"}, [], {}
    with plt.rc_context(), redirect_stdout(StringIO()):
        for cell in (own for own in notebook.cells if own.cell_type == "code"):
            error, before = None, dict(names)
            try:
                exec(version(cell.source), names)
            except Exception as raised:
                if kind(cell) is None:
                    raise
                error = raised
            plt.close("all")
            if spoil and kind(cell) == "answer":
                right = {name: own for name, own in names.items() if isinstance(own, FunctionType) and own is not before.get(name)}
                names.update((name, spoiled(own)) for name, own in right.items())
            if kind(cell) == "check":
                names.update(right)
            if kind(cell) is not None:
                told.append((kind(cell), error))
    return told


def test_every_chapter_has_its_notebook_and_no_two_cells_a_name():
    assert [int(path.stem.split("-")[0]) for path in COURSE] == list(range(1, 11))
    cells = [cell for path in COURSE for cell in nbformat.read(path, as_version=4).cells]
    names = [cell.metadata["nbgrader"]["grade_id"] for cell in cells if "nbgrader" in cell.metadata]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("path", COURSE, ids=[path.stem for path in COURSE])
def test_exercises_are_as_nbgrader_wants_them(path):
    """An exercise is an answer and its check: three to five of them, marked, with points that the text tells, and small enough to send."""
    assert path.stat().st_size < LARGEST
    notebook = nbformat.read(path, as_version=4)
    exercises = [cell for cell in notebook.cells if kind(cell)]
    chapter = path.stem.split("-")[0]
    assert 3 <= len(exercises) / 2 <= 5
    assert [cell.metadata["nbgrader"]["grade_id"] for cell in exercises] == [
        f"{own}-{chapter}-{number}" for number in range(1, len(exercises) // 2 + 1) for own in ("answer", "check")
    ]
    for cell in notebook.cells:
        begins = [cell.source.count(f"### BEGIN {own}") for own in ("SOLUTION", "HIDDEN TESTS")]
        assert begins == [cell.source.count(f"### END {own}") for own in ("SOLUTION", "HIDDEN TESTS")]
        assert begins == [len(SOLUTION.findall(cell.source)), len(HIDDEN.findall(cell.source))]
        own = cell.metadata.get("nbgrader")
        if own is None:
            assert begins == [0, 0]
            continue
        graded = kind(cell) == "check"
        assert begins[0] >= 1 and begins[1] == 0 if not graded else begins == [0, 1]
        assert own["schema_version"] == 3 and own["task"] is False and own["locked"] is own["grade"] is graded
        assert ("points" in own) == graded
    texts = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    points = [int(own) for own in re.findall(r"\*\((\d) points?\)\*", texts)]
    assert points == [cell.metadata["nbgrader"]["points"] for cell in exercises if kind(cell) == "check"]


@pytest.mark.parametrize("path", COURSE, ids=[path.stem for path in COURSE])
def test_the_students_version_fails_every_check(path):
    """What is left without a solution raises nbgrader's NotImplementedError, in the answer or as soon as a check asks it; all else still runs."""
    for own, error in run(nbformat.read(path, as_version=4), students):
        assert isinstance(error, NotImplementedError) or own == "answer" and error is None, (own, error)


@pytest.mark.parametrize("path", COURSE, ids=[path.stem for path in COURSE])
def test_a_wrong_answer_fails_its_check(path):
    """A check that lets an answer pass that is 10 % off checks nothing. The right ones pass where the notebooks are run."""
    for own, error in run(nbformat.read(path, as_version=4), spoil=True):
        assert (error is None) == (own == "answer"), (own, error)
