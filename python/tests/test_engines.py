"""Box2D and Rapier as schemes of this module: the bits of the command line where it has them, and else how to get them."""

import json

import numpy as np
import pytest

import driftlab

NAMES = {"box2d": "Box2D", "rapier": "Rapier"}
HAS_ENGINES = set(NAMES) <= set(driftlab.schemes())

with_engines = pytest.mark.skipif(not HAS_ENGINES, reason="a module without the feature engines")
without_engines = pytest.mark.skipif(HAS_ENGINES, reason="a module with the feature engines")


@without_engines
@pytest.mark.parametrize("key", NAMES)
def test_without_the_engines_one_sentence_says_how_to_get_them(key):
    told = f"{NAMES[key]} is not in this module \\(expected one installed by .*--features engines"
    calls = [
        lambda: driftlab.run("double-pendulum", key, steps=1),
        lambda: driftlab.compare("double-pendulum", ["none", f"{key},contact_damping_ratio=5"], steps=1),
        lambda: driftlab.converge("double-pendulum", [key], h=[2e-3, 1e-3], time=0.01),
        lambda: driftlab.sweep("double-pendulum", key, over={"dt": [1e-3]}, steps=1),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=told) as raised:
            call()
        assert "\n" not in str(raised.value)


@with_engines
@pytest.mark.parametrize(
    ("name", "scheme"), [("pyramid-10", "box2d,substeps=8"), ("ragdoll", "rapier,num_solver_iterations=8"), ("chain-swung", "box2d")]
)
def test_runs_have_the_bits_of_the_command_line(command_with_engines, rows, tmp_path, name, scheme):
    command_with_engines("run", name, "--steps", 60, "--stabilizer", scheme, "--trace", tmp_path / "trace.csv")
    result = driftlab.run(name, scheme, steps=60)
    trace = rows(tmp_path / "trace.csv")
    poses = np.stack([np.array(trace[key], float) for key in ("x", "y", "angle")], axis=-1)
    assert result.poses.tobytes() == poses.reshape(result.poses.shape).tobytes()
    assert result.summary["engine"]["name"] == scheme.split(",")[0]


@with_engines
def test_an_engine_is_compared_swept_and_converges(command_with_engines):
    """The tables are those of the command line, and the errors of Rapier's rigid joints fall with the time step."""
    schemes = ["soft", "box2d,substeps=8", "rapier"]
    table = driftlab.compare("six-link-chain", schemes, steps=50)
    told = json.loads(command_with_engines("compare", "six-link-chain", "--steps", 50, "--stabilizers", *schemes, "--json"))
    assert list(table["joint_error"]) == [own["joint_error"]["largest"] for own in told]
    assert list(table["ended"]) == ["done"] * 3

    sweep = driftlab.sweep("six-link-chain", "box2d", over={"substeps": [1, 4, 16]}, steps=50)
    text = command_with_engines("sweep", "six-link-chain", "--stabilizer", "box2d", "--over", "substeps=1,4,16", "--steps", 50)
    cells = [line.split(",") for line in text.splitlines() if not line.startswith("#")]
    place = cells[0].index("joint_error")
    assert list(sweep["joint_error"]) == [float(row[place]) for row in cells[1:]]

    errors = driftlab.converge("six-link-chain", ["rapier"], h=[2e-3, 1e-3], time=0.2, refine=8)["position_error"]
    assert errors[1] < errors[0]


@with_engines
@pytest.mark.parametrize(("scheme", "share"), [("box2d", 1e-5), ("rapier", 1e-12)])
def test_a_force_of_ones_own_acts_on_an_engines_bodies(scheme, share):
    """m Δv = ∫F dt, whatever the engine's substeps: a force of k N on a free body, k = 1, 2, …, one in each step."""
    world = driftlab.World(gravity=(0, 0))
    world.add_body("ball", shapes=[driftlab.circle(0.5)])
    simulation = driftlab.Simulation(world.scene(h=0.01, scheme=scheme))
    mass = simulation.masses[0, 0]

    def push(own):
        return np.array([[own.steps + 1.0, 0.0, 0.0]])

    simulation.step(20, force=push)
    assert simulation.velocities[0, 0] * mass == pytest.approx(0.01 * 210, rel=share)
    assert not simulation.velocities[0, 1]


@with_engines
@pytest.mark.parametrize("scheme", NAMES)
def test_forces_between_steps_do_not_make_an_engine_forget_its_contacts(scheme):
    """A force of zero is none: a pile that is asked for forces before each step has the bits of one that is not."""
    plain = driftlab.run("pyramid-10", scheme, steps=30)
    asked = driftlab.run("pyramid-10", scheme, steps=30, force=lambda own: np.zeros((len(own.bodies), 3)))
    assert asked.poses.tobytes() == plain.poses.tobytes()
    # Upwards and downwards in turn: no contact begins anew, so that the pile stays where it is.
    weight = 0.01 * 9.81 * np.array([1.0 if np.isfinite(own) else 0.0 for own in driftlab.Simulation(plain.scene).masses[:, 0]])

    def shake(own):
        forces = np.zeros((len(own.bodies), 3))
        forces[:, 1] = weight * (-1) ** own.steps
        return forces

    shaken = driftlab.run("pyramid-10", scheme, steps=30, force=shake)
    assert np.abs(shaken.poses - plain.poses).max() < 1e-3


@with_engines
def test_what_an_engine_tells_is_written_by_record(tmp_path):
    simulation = driftlab.Simulation(driftlab.Scene.shipped("pyramid-10").under("rapier", num_solver_iterations=1))
    with driftlab.record(simulation, tmp_path / "pile.jsonl") as recording:
        recording.step(5)
    lines = [json.loads(line) for line in (tmp_path / "pile.jsonl").read_text().splitlines()]
    assert lines[0]["engine"]["name"] == "rapier" and lines[-1]["contacts"]
    for call in (simulation.impulses, simulation.contacts, lambda: driftlab.run("pyramid-10", "rapier", steps=1, impulses=True)):
        with pytest.raises(ValueError, match="driftlab.record"):
            call()


@with_engines
def test_what_an_engine_lacks_is_said_by_name():
    for scheme, name in NAMES.items():
        with pytest.raises(ValueError, match=f"{name} cannot have this scene:") as raised:
            driftlab.run("gear-train", scheme, steps=1)
        assert "gear" in str(raised.value)
