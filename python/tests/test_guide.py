"""The programs of docs/PYTHON.md run as they are printed."""

import re
from pathlib import Path

import driftlab

GUIDE = Path(__file__).parents[2] / "docs" / "PYTHON.md"


def test_the_programs_of_the_guide_run(tmp_path, monkeypatch):
    # Some of them write files.
    monkeypatch.chdir(tmp_path)
    programs = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.S)
    # That with a scheduler's address needs one; test_sweep.py has a cluster.
    programs = [program for program in programs if "scheduler:" not in program]
    assert len(programs) >= 6
    # Those with Box2D and Rapier as schemes need a module that has them.
    if "box2d" not in driftlab.schemes():
        programs = [program for program in programs if '"box2d' not in program]
    names = {}
    for program in programs:
        exec(compile(program, "docs/PYTHON.md", "exec"), names)
    assert names["contacts"]["lambda_1"].max() > 0
