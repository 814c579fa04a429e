"""The module steps worlds to the bits of the command line: what one publishes, the other confirms."""

import numpy as np
import pytest

import driftlab
from driftlab._result import COLUMNS, IMPULSES

#: Chains, loops, contacts, friction, limits, a recorded pointer, velocity constraints, springs, sweeping schemes, both levels.
RUNS = [
    ("six-link-chain", "none", {}),
    ("chain-swung", "rattle", {}),
    ("double-pendulum", "baumgarte_acceleration", {"alpha": 40, "beta": 40}),
    ("four-bar-loop", "projection", {}),
    ("three-bar-nonholonomic", "implicit", {}),
    ("pyramid-10", "anitescu_hart", {"gamma": 0.5}),
    ("arch", "soft", {}),
    ("pushed-rectangle", "post_stabilization", {"max_iterations": 2}),
    ("ragdoll", "xpbd", {}),
    ("woodpecker", None, {}),
]
STEPS = 60


def same(column, cells):
    """Whether an array has the bits of the cells of a CSV file, whose numbers read back to the same f64; an empty one is not finite."""
    if column.dtype.kind == "U":
        return list(column) == cells
    numbers = np.array([float(cell) if cell else np.nan for cell in cells])
    column = np.where(np.isfinite(column), column, np.nan).astype(float)
    return column.tobytes() == numbers.tobytes()


@pytest.mark.parametrize(("name", "scheme", "parameters"), RUNS, ids=[run[0] for run in RUNS])
@pytest.mark.filterwarnings("ignore::driftlab.DriftlabWarning")
def test_runs_have_the_bits_of_the_command_line(command, rows, tmp_path, name, scheme, parameters):
    spelled = "".join(f",{key}={value}" for key, value in parameters.items())
    under = ["--stabilizer", scheme + spelled] if scheme else []
    files = {kind: tmp_path / f"{kind}.csv" for kind in ("csv", "trace", "impulses")}
    outputs = [text for kind, path in files.items() for text in (f"--{kind}", path)]
    command("run", name, "--steps", STEPS, *under, *outputs, "--save", tmp_path / "end.json")
    result = driftlab.run(name, scheme, steps=STEPS, impulses=True, **parameters)

    table = rows(files["csv"])
    assert list(table) == list(COLUMNS)
    for column in COLUMNS:
        assert column == "step_us" or same(result.columns[column], table[column]), column

    trace = rows(files["trace"])
    poses = np.stack([np.array(trace[key], float) for key in ("x", "y", "angle")], axis=-1)
    velocities = np.stack([np.array(trace[key], float) for key in ("vx", "vy", "omega")], axis=-1)
    assert result.poses.tobytes() == poses.reshape(result.poses.shape).tobytes()
    assert result.velocities.tobytes() == velocities.reshape(result.velocities.shape).tobytes()

    impulses = rows(files["impulses"])
    assert list(impulses) == list(IMPULSES) == list(result.impulses.dtype.names)
    for column in IMPULSES:
        assert same(result.impulses[column], impulses[column]), column

    assert result.end.to_json() == (tmp_path / "end.json").read_text()


def test_a_run_in_pieces_has_the_bits_of_a_whole_one():
    whole = driftlab.run("pyramid-10", steps=40)
    simulation = driftlab.Simulation(driftlab.Scene.shipped("pyramid-10"))
    simulation.step(17)
    simulation.step(23)
    assert simulation.poses.tobytes() == whole.poses[-1].tobytes()
    # Through a scene, as a file would carry it to another machine.
    half = driftlab.run("pyramid-10", steps=17).end
    rest = driftlab.run(driftlab.Scene.from_dict(half.to_dict()), steps=23)
    assert rest.poses[-1].tobytes() == whole.poses[-1].tobytes()
