"""A type checker finds what is misspelt before the program runs."""

import typing

import pytest

import driftlab
from driftlab import _keys

api = pytest.importorskip("mypy.api")

RIGHT = """
import numpy as np
import driftlab

world = driftlab.World(gravity=(0, -9.81))
wall = world.add_body("wall", type="fixed", position=np.zeros(2))
bar = world.add_body("bar", position=(0.5, 0), shapes=[driftlab.box(1, 0.1, angle=0.1)], applied={"torque": 1.0})
hinge = world.add_joint("hinge", wall, bar, anchor=(0, 0), limits=(None, 1), motor={"speed": 1, "max_torque": 2})
world.add_spring(wall, bar, stiffness=3.0, anchors=[(0, 0), (1, 0)])
scene = world.scene(h=1e-3, scheme="rattle", gravity=2.0)
result = driftlab.run(scene, "soft", hertz=30, level="velocity", steps=3)
error: float = result.joint_error.max()
simulation = driftlab.Simulation(scene)
simulation.add_body("ball", position=(0, 1), shapes=[driftlab.circle(0.1)])
simulation.set_motor(hinge, 1.0, 2.0)
world.add_joint("wheel", wall, bar, anchor=(0, 0), axis=(0, 1), stiffness=3.0, motor={"speed": 1, "max_torque": 2})
world.add_joint("slot", wall, bar, anchor=(0, 0), axis=(0, 1), motor={"position": 1, "frequency": 2, "max_force": 2}, friction=0.1)
world.add_joint("bead", wall, bar, anchors=[(0, 0), (1, 0)], curve={"kind": "circle", "radius": 1.0}, side="inside")
world.add_joint("pulley", wall, bar, anchors=[(0, -1), (1, 0)], wheels=[(0, 1), (1, 1)], wheels_on=[None, "bar"], slack=True)
driftlab.stability("double-pendulum", "baumgarte_velocity", over={"alpha": [1.0]}, alpha=3, h=1e-3)
driftlab.sweep("arch", over={"dt": "1e-3:1e-2:log:3"}, gravity=3, steps=1, retries=2)
"""

#: Misspelt keywords, wrong kinds, columns that there are not: a line each.
WRONG = """
world.add_body("ball", shapes=[driftlab.circle(0.1)], densty=3.0)
world.add_body("ball", shapes=driftlab.circle(0.1))
world.add_body("ball", type="static")
world.add_joint("hing", wall, bar, anchor=(0, 0))
world.add_joint("hinge", wall, bar, anchro=(0, 0))
world.add_joint("hinge", wall, bar, anchor=(0, 0), motor={"speed": 1, "max_force": 2})
world.add_joint("slider", wall, bar, anchor=(0, 0), axis="x")
world.add_joint("bead", wall, bar, anchors=[(0, 0), (1, 0)], curve={"kind": "spiral"})
world.add_joint("wheel", wall, bar, anchor=(0, 0), axis=(0, 1), stifness=3.0)
world.add_spring(wall, bar, stifness=3.0)
world.add_velocity_constraint("knife_edge", body=bar, anchor=(0, 0), axes=(1, 0))
world.scene(h=1e-3, gama=0.5)
driftlab.box(1, 0.1, ofset=(0, 1))
driftlab.run(scene, "anitescu_hart", gama=0.5)
driftlab.run(scene, level="speed")
driftlab.run(None)
result.joint_eror
simulation.add_body("ball", postion=(0, 1))
simulation.add_joint("hinge", wall, bar, anchor=3)
simulation.set_motor(None)
driftlab.sweep(scene, over={"dt": [1.0]}, retrys=2)
driftlab.stability(scene, over={"alpha": [1.0]}, unload=True)
"""


def test_the_checker_finds_each_planted_error_and_no_other(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(RIGHT + WRONG)
    told, problems, _ = api.run(["--strict", "--no-error-summary", "--cache-dir", str(tmp_path / "cache"), str(program)])
    assert not problems
    first = RIGHT.count("\n") + 2
    planted = set(range(first, first + WRONG.count("\n") - 1))
    found = {int(line.split(":")[1]) for line in told.splitlines() if ": error:" in line}
    assert found == planted, told


def test_the_parameters_that_the_checker_knows_are_those_of_the_schemes():
    engines = {"box2d", "rapier"}
    keys = {name: set(parameters) for name, (_, parameters) in driftlab.schemes().items()}
    of_schemes = set().union(*(own for name, own in keys.items() if name not in engines))
    of_scene = {"dt", "gravity", "friction", "restitution", "active_distance", "active_travel", "contact_tolerance"}
    known = set(typing.get_type_hints(_keys.Parameters))
    assert known == of_schemes | of_scene | {"omega0", "zeta"}
    if engines <= set(keys):
        assert set(typing.get_type_hints(_keys.EngineParameters)) == (keys["box2d"] | keys["rapier"]) - known
