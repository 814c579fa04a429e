"""Recordings of other engines say what their solvers did: momentum closes to rounding, and the scene can be read."""

import gzip
import json
import math

import numpy as np
import pytest

import driftlab

TILT = 0.3  # rad


def of_pymunk(kind):
    """A chain of 6 bars from the horizontal, a stack of 5 boxes of 1 m, or two such boxes on a slope, one of which slides."""
    pymunk = pytest.importorskip("pymunk", reason="pymunk is not installed")
    space = pymunk.Space()
    space.gravity, space.iterations, space.collision_slop = (0, -9.81), 20, 1e-3
    if kind == "chain":
        last = space.static_body
        for i in range(6):
            bar = pymunk.Body(0.1, 0.1 * 0.01 / 12)
            bar.position = 0.05 + 0.1 * i, 0
            shape = pymunk.Poly.create_box(bar, (0.1, 0.02))
            shape.filter = pymunk.ShapeFilter(group=1)
            space.add(bar, shape, pymunk.PivotJoint(last, bar, (0.05 if i else 0, 0), (-0.05, 0)))
            last = bar
        return space
    tilt = TILT if kind == "slope" else 0.0
    right = np.array([math.cos(tilt), math.sin(tilt)])
    floor = pymunk.Segment(space.static_body, tuple(-20 * right), tuple(20 * right), 0.1)
    floor.friction = 0.6
    space.add(floor)
    for at, friction in places(kind, 0.6):
        box = pymunk.Body(1, 1 / 6)
        box.position, box.angle = tuple(at[0] * right + at[1] * np.array([-right[1], right[0]])), tilt
        shape = pymunk.Poly.create_box(box, (1, 1))
        shape.friction = friction
        space.add(box, shape)
    return space


def of_box2d(kind):
    Box2D = pytest.importorskip("Box2D", reason="Box2D is not installed")
    world = Box2D.b2World(gravity=(0, -9.81))
    world.SetAllowSleeping(False)
    if kind == "chain":
        last = world.CreateStaticBody()
        for i in range(6):
            bar = world.CreateDynamicBody(position=(0.5 + i, 0))
            bar.CreatePolygonFixture(box=(0.5, 0.1), density=1, filter=Box2D.b2Filter(groupIndex=-1))
            world.CreateRevoluteJoint(bodyA=last, bodyB=bar, anchor=(i, 0))
            last = bar
        return world
    tilt = TILT if kind == "slope" else 0.0
    right = np.array([math.cos(tilt), math.sin(tilt)])
    world.CreateStaticBody().CreateEdgeFixture(vertices=[(-20 * right).tolist(), (20 * right).tolist()], friction=0.6)
    for at, friction in places(kind, 0.51):
        place = at[0] * right + at[1] * np.array([-right[1], right[0]])
        box = world.CreateDynamicBody(position=place.tolist(), angle=tilt)
        box.CreatePolygonFixture(box=(0.5, 0.5), density=1, friction=friction)
    return world


def of_mujoco(kind, option=""):
    mujoco = pytest.importorskip("mujoco", reason="mujoco is not installed")
    tilt = TILT if kind == "slope" else 0.0
    inner = ""
    if kind == "chain":
        for i in reversed(range(6)):
            geom = '<geom type="capsule" fromto="0 0 0 0.1 0 0" size="0.01" mass="0.1" contype="0" conaffinity="0"/>'
            joint = '<joint type="hinge" axis="0 -1 0"/>'
            inner = f'<body name="bar {i + 1}" pos="{0.1 if i else 0} 0 0">{joint}{geom}{inner}</body>'
    else:
        inner = '<geom type="plane" size="50 50 1" friction="0.6"/>'
        planar = '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint type="hinge" axis="0 -1 0"/>'
        for at, friction in places(kind, 0.5):
            geom = f'<geom type="box" size="0.5 0.5 0.5" density="1" friction="{friction}"/>'
            inner += f'<body pos="{at[0]} 0 {at[1]}">{planar}{geom}</body>'
    gravity = f"{-9.81 * math.sin(tilt)} 0 {-9.81 * math.cos(tilt)}"
    options = f'<option timestep="0.002" gravity="{gravity}" cone="elliptic" {option}/>'
    model = mujoco.MjModel.from_xml_string(f"<mujoco>{options}<worldbody>{inner}</worldbody></mujoco>")
    return model, mujoco.MjData(model)


def places(kind, height):
    if kind == "slope":
        return [((0, height), 0.9), ((-3, height), 0.05)]
    return [((0.02 * (i % 2), height + 1.001 * i), 0.5) for i in range(5)]


def opened(engine, kind, path):
    if engine == "mujoco":
        model, data = of_mujoco(kind)
        return driftlab.record(model, path, data)
    return driftlab.record({"pymunk": of_pymunk, "Box2D": of_box2d}[engine](kind), path, time_step=1 / 60)


def read(path):
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def residuals(lines):
    """M (v⁺ − v⁻) less all impulses for each step and body, N s, N s, N m s. The centres of mass are the bodies' origins."""
    head, *steps = lines
    bodies = head["scene"]["bodies"]
    # The only external impulse on a link is its weight, m g h.
    masses = {on[0]: -on[2] / (9.81 * header["time_step"]) for on in lines[21]["external"]}
    assert len(masses) == 6
    before, after = (np.array(lines[place]["v"]) for place in (20, 21))
    told = np.zeros_like(after)
    for on in [on for acted in lines[21]["acted"] for on in acted["on"]] + lines[21]["external"]:
        told[on[0]] += on[1:]
    for body, mass in masses.items():
        assert np.allclose(mass * (after - before)[body, :2], told[body, :2], rtol=0, atol=1e-12)
    with pytest.raises(ValueError, match="closed"):
        recording.write()
    with pytest.raises(TypeError, match="its own data and time step"):
        driftlab.record(simulation, path, time_step=0.1)
