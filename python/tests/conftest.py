"""The command line beside which the module is tested."""

import csv
import os
import subprocess
from pathlib import Path

import matplotlib.pyplot
import pytest

matplotlib.use("agg")

ROOT = Path(__file__).resolve().parents[2]


def _program():
    named = os.environ.get("DRIFTLAB")
    found = [Path(named)] if named else [ROOT / "target" / kind / "driftlab" for kind in ("release", "debug")]
    return next((path for path in found if path.exists()), None)


def _calls(program):
    def call(*arguments, status=0, told=False):
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == status, done.stderr
        return done.stdout if status == 0 or told else done.stderr

    return call


@pytest.fixture(scope="session")
def command():
    """Runs the command line: command('run', 'chain-100', …) returns what it printed; `status` is the exit status expected, and where it
    is not 0 what is returned is the error, unless `told` asks for what was printed."""
    program = _program()
    if program is None:
        pytest.fail("no program to compare with: cargo build --release, or DRIFTLAB=path")
    return _calls(program)


@pytest.fixture(scope="session")
def command_with_engines():
    """`command` of a program that has the engines, which DRIFTLAB_ENGINES names."""
    program = os.environ.get("DRIFTLAB_ENGINES")
    if program is None:
        pytest.skip("no program with engines to compare with: cargo build --features engines, and DRIFTLAB_ENGINES=path")
    return _calls(program)


@pytest.fixture(autouse=True)
def figures():
    """Each test draws on figures of its own."""
    yield
    matplotlib.pyplot.close("all")


@pytest.fixture
def rows():
    """Reads a CSV file: a list of cells for each column."""

    def read(path):
        with open(path, newline="") as file:
            table = list(csv.DictReader(line for line in file if not line.startswith("#")))
        return {name: [row[name] for row in table] for name in table[0]}

    return read
