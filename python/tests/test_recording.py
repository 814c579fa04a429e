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
    masses = np.array([[body.get("mass", 0)] * 2 + [body.get("inertia", 0)] for body in bodies])
    v = np.array([[*body.get("velocity", (0, 0)), body.get("angular_velocity", 0)] for body in bodies])
    q = np.array([[*body["position"], body["angle"]] for body in bodies])
    for step in steps:
        now, then, q = np.array(step["v"]), q, np.array(step["q"])
        off, v = masses * (now - v), now
        for own in [*step["external"], *step.get("hand", ()), *(on for acted in step["acted"] for on in acted["on"])]:
            off[own[0]] -= own[1:]
        centers = (then if head["contacts_at"] == "begin" else q)[:, :2]
        for contact in step["contacts"]:
            n = np.array(contact["normal"])
            normal, tangential, moment = contact["impulse"]
            push = normal * n + tangential * np.array([n[1], -n[0]])
            for body, sign, at in zip(contact["bodies"], (-1, 1), (contact.get("point_a", contact["point"]), contact["point"])):
                arm = np.array(at) - centers[body]
                off[body] -= sign * np.array([*push, arm[0] * push[1] - arm[1] * push[0] + moment])
        off[[body.get("type", "dynamic") != "dynamic" for body in bodies]] = 0
        yield off


@pytest.mark.parametrize("kind", ["chain", "stack", "slope"])
@pytest.mark.parametrize("engine", ["mujoco", "pymunk", "Box2D"])
def test_momentum_closes_to_rounding(engine, kind, tmp_path):
    """Every impulse on every body is told: nothing else changes its momentum."""
    path = tmp_path / "run.jsonl"
    with opened(engine, kind, path) as recording:
        for _ in range(120):
            recording.step()
    lines = read(path)
    rounding = 5e-7 if lines[0].get("precision") == "f32" else 1e-13
    sizes = max(abs(value) for line in lines[1:] for own in line["external"] for value in own[1:])
    assert len(lines) == 121
    assert np.abs(list(residuals(lines))).max() < rounding * max(sizes, 1)


@pytest.mark.parametrize("kind", ["chain", "stack", "slope"])
@pytest.mark.parametrize("engine", ["mujoco", "pymunk", "Box2D"])
def test_the_world_is_told_as_a_scene(engine, kind, tmp_path):
    """A recording can be run on from by driftlab, so that its first line is a scene."""
    opened(engine, kind, tmp_path / "run.jsonl").close()
    (head,) = read(tmp_path / "run.jsonl")
    settings = {"time_step": head["time_step"]}
    scene = driftlab.Scene.from_dict({"format": "driftlab-scene/1", "name": "as recorded", "settings": settings, **head["scene"]})
    moving = [body for body in head["scene"]["bodies"] if body.get("type", "dynamic") == "dynamic"]
    assert len(scene.bodies) == len(moving) + 1
    assert len(moving) == {"chain": 6, "stack": 5, "slope": 2}[kind]
    assert len(head["scene"].get("joints", ())) == (6 if kind == "chain" else 0)
    assert sum(body["mass"] for body in moving) == pytest.approx({"chain": 1.2 if engine == "Box2D" else 0.6}.get(kind, len(moving)))


@pytest.mark.parametrize("engine", ["mujoco", "pymunk", "Box2D"])
def test_a_stack_at_rest_is_carried_by_its_floor(engine, tmp_path):
    """The floor gives the weight of five boxes back in each step, m g h."""
    path = tmp_path / "run.jsonl.gz"
    with opened(engine, "stack", path) as recording:
        for _ in range(900 if engine == "mujoco" else 240):
            recording.step()
    *_, last = lines = read(path)
    carried = sum(own["impulse"][0] for own in last["contacts"] if 0 in own["bodies"])
    assert carried == pytest.approx(5 * 9.81 * lines[0]["time_step"], rel=1e-3)


@pytest.mark.parametrize("engine", ["mujoco", "pymunk", "Box2D"])
def test_friction_on_a_slope_is_within_its_cone(engine, tmp_path):
    """The box with μ = √(0.9 · 0.6) or 0.54 stays where tan 0.3 = 0.31, that with the smaller one slides with |p_t| = μ p_n."""
    path = tmp_path / "run.jsonl"
    with opened(engine, "slope", path) as recording:
        for _ in range(300 if engine == "mujoco" else 120):
            recording.step()
    lines = read(path)
    for line in lines[1:]:
        for own in line["contacts"]:
            assert own["impulse"][0] >= 0
            assert abs(own["impulse"][1]) <= own["friction"] * own["impulse"][0] + 1e-6
    # Down the slope means to the left; MuJoCo's plane is not tilted, its gravity is.
    first, second = (lines[-1]["v"][body] for body in (1, 2))
    assert math.hypot(*first[:2]) < 0.02
    if engine != "mujoco":  # there friction of a pair is the larger of both
        assert second[0] < -0.3
        sliding = [own for own in lines[-1]["contacts"] if 2 in own["bodies"]]
        for own in sliding:
            assert abs(own["impulse"][1]) == pytest.approx(own["friction"] * own["impulse"][0], rel=1e-3)


def test_what_comes_goes_and_is_pushed_is_told(tmp_path):
    """Bodies keep their numbers while others go; a changed velocity is a hand's impulse, and a force belongs to the external ones."""
    space = of_pymunk("chain")
    import pymunk

    path = tmp_path / "run.jsonl"
    with driftlab.record(space, path, time_step=0.01) as recording:
        recording.step()
        bars = [body for body in space.bodies]
        bars[5].apply_impulse_at_local_point((0.03, 0.01))
        bars[4].apply_force_at_world_point((2, 0), bars[4].position)
        recording.step()
        last = bars[5]
        space.remove(*last.constraints, *last.shapes, last)
        ball = pymunk.Body(2, 0.1)
        ball.position, ball.velocity = (3, 3), (1, 0)
        space.add(ball, pymunk.Circle(ball, 0.2))
        recording.step()
        recording.step(0.02)
    _, first, pushed, changed, longer = read(path)
    assert "hand" not in first
    assert pushed["hand"] == [[6, pytest.approx(0.03), pytest.approx(0.01), pytest.approx(0)]]
    assert pushed["external"][4] == [5, pytest.approx(0.02), pytest.approx(-0.1 * 9.81 * 0.01), 0]
    assert changed["went"] == {"bodies": [6], "joints": [5]}
    assert [body["mass"] for body in changed["came"]["bodies"]] == [2]
    assert changed["q"][6] is None and changed["v"][6] is None
    assert changed["q"][7] == pytest.approx([3.01, 3, 0])
    assert longer["h"] == 0.02 and longer["t"] == pytest.approx(0.05)
    assert "h" not in changed and "came" not in longer


def test_a_velocity_that_a_program_sets_in_mujoco_is_a_hands_impulse(tmp_path):
    model, data = of_mujoco("stack")
    path = tmp_path / "run.jsonl"
    with driftlab.record(model, path, data) as recording:
        recording.step()
        data.qvel[0] = 0.5
        recording.step(2)
    lines = read(path)
    assert ["hand" in line for line in lines[1:]] == [False, True, False]
    assert lines[2]["hand"] == [[1, pytest.approx(0.5), pytest.approx(0), pytest.approx(0)]]
    assert np.abs(list(residuals(lines))).max() < 1e-13


def test_springs_motors_and_limits_of_pymunk_are_told(tmp_path):
    """What each of them did closes the momentum of two bodies on which all act."""
    pymunk = pytest.importorskip("pymunk", reason="pymunk is not installed")
    space = pymunk.Space()
    a, b = pymunk.Body(1, 0.1), pymunk.Body(2, 0.3)
    b.position, b.angular_velocity = (1, 0), 3
    still = space.static_body
    motor = pymunk.SimpleMotor(still, a, 2.0)
    motor.max_force = 0.7
    space.add(a, b, motor, pymunk.PivotJoint(still, a, (0.1, 0)), pymunk.RotaryLimitJoint(still, a, -0.05, 0.1))
    space.add(pymunk.DampedSpring(a, b, (0, 0.1), (0, 0), 0.5, 30, 0.4), pymunk.DampedRotarySpring(a, b, 0.3, 2, 0.1))
    space.add(pymunk.PinJoint(still, b, (1, 2)), pymunk.SlideJoint(a, b, (0, 0), (0.1, 0), 0.2, 1.02))
    path = tmp_path / "run.jsonl"
    with driftlab.record(space, path, time_step=0.01) as recording:
        for _ in range(100):
            recording.step()
    lines = read(path)
    assert np.abs(list(residuals(lines))).max() < 1e-14
    parts = {own.get("part") for line in lines[1:] for own in line["acted"]}
    assert parts >= {"motor", "lower_limit"}
    (hinge,) = [joint for joint in lines[0]["scene"]["joints"] if joint["joint"] == "hinge"]
    assert hinge["motor"] == {"speed": -2, "max_torque": 0.7} and hinge["limits"] == [-0.05, 0.1]
    assert [line["acted"][0]["along"] for line in lines[1:4]] == pytest.approx([-0.007] * 3)


def test_the_centre_of_mass_of_an_engine_is_kept(tmp_path):
    """pymunk's body is told its mass, inertia and centre whatever its shapes are: the densities of the scene's shapes make the same."""
    pymunk = pytest.importorskip("pymunk", reason="pymunk is not installed")
    from driftlab._recording._mass import area_of

    space = pymunk.Space()
    body = pymunk.Body(3, 0.5)
    body.center_of_gravity = (0.1, -0.05)
    space.add(body, pymunk.Poly.create_box(body, (0.4, 0.2)), pymunk.Circle(body, 0.1, (0.2, 0)))
    driftlab.record(space, tmp_path / "run.jsonl").close()
    (head,) = read(tmp_path / "run.jsonl")
    (told,) = head["scene"]["bodies"]
    parts = [(shape["density"], *area_of(shape)) for shape in told["shapes"]]
    mass = sum(density * area for density, area, _, _ in parts)
    center = sum(density * area * at for density, area, at, _ in parts) / mass
    inertia = sum(density * (second + area * ((at - center) @ (at - center))) for density, area, at, second in parts)
    assert (mass, inertia) == (pytest.approx(3), pytest.approx(0.5))
    assert center == pytest.approx([0.1, -0.05])


def test_rounded_polygons_of_pymunk_are_told(tmp_path):
    """A triangle that is rounded is told with its radius, and has the area of its outline: A + P r + π r²."""
    pymunk = pytest.importorskip("pymunk", reason="pymunk is not installed")
    from driftlab._recording._mass import area_of

    space = pymunk.Space()
    body = pymunk.Body(3, 0.5)
    corners = [(0, 0), (4, 0), (0, 3)]
    space.add(body, pymunk.Poly(body, corners, radius=0.5))
    driftlab.record(space, tmp_path / "run.jsonl").close()
    (head,) = read(tmp_path / "run.jsonl")
    (told,) = head["scene"]["bodies"]
    # The body's centre of mass is at a corner: a ballast makes up for it.
    shape, _ = told["shapes"]
    assert shape["radius"] == 0.5 and not any("rounded" in text for text in head.get("left_out", []))
    area, center, second = area_of(shape)
    assert area == pytest.approx(6 + 12 * 0.5 + math.pi * 0.25)
    world = driftlab.World()
    world.add_body("it", density=2, shapes=[driftlab.polygon(corners, 0.5)])
    assert "A0.5,0.5 0 0,1" in world.scene()._repr_svg_()
    # Against a fine grid of points.
    step = 0.005
    x, y = np.meshgrid(np.arange(-0.5, 4.5, step) + step / 2, np.arange(-0.5, 3.5, step) + step / 2)
    away = np.minimum(np.minimum(_from(x, y, (0, 0), (4, 0)), _from(x, y, (4, 0), (0, 3))), _from(x, y, (0, 3), (0, 0)))
    within = (away <= 0.5) | ((x >= 0) & (y >= 0) & (3 * x + 4 * y <= 12))
    assert center == pytest.approx([x[within].mean(), y[within].mean()], abs=1e-3)
    spread = ((x[within] - center[0]) ** 2 + (y[within] - center[1]) ** 2).sum() * step**2
    assert second == pytest.approx(spread, rel=1e-3)


def _from(x, y, a, b):
    """The distances of points from a segment."""
    along = np.subtract(b, a)
    share = np.clip(((x - a[0]) * along[0] + (y - a[1]) * along[1]) / (along @ along), 0, 1)
    return np.hypot(x - a[0] - share * along[0], y - a[1] - share * along[1])


def test_a_joint_of_mujoco_transmits_what_lies_beyond_it(tmp_path):
    """At rest the upper hinge of a hanging chain carries the weight of all bars, the last one that of one."""
    model, data = of_mujoco("chain")
    data.qpos[0] = -math.pi / 2
    path = tmp_path / "run.jsonl"
    with driftlab.record(model, path, data) as recording:
        recording.step(3)
    last = read(path)[-1]
    carried = {own["joint"]: own["on"][-1][2] for own in last["acted"]}
    h = model.opt.timestep
    assert [carried[i] for i in range(6)] == pytest.approx([(6 - i) * 0.1 * 9.81 * h for i in range(6)])


def test_what_cannot_be_recorded_is_refused_in_words(tmp_path):
    with pytest.raises(TypeError, match="expected a mujoco.MjModel, a pymunk.Space, a Box2D.b2World or a Simulation, found builtins.dict"):
        driftlab.record({}, tmp_path / "run.jsonl")
    mujoco = pytest.importorskip("mujoco", reason="mujoco is not installed")
    joints = '<joint type="hinge" axis="0 1 0"/><joint type="hinge" axis="1 0 0"/>'
    model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody><body>{joints}<geom size='1'/></body></worldbody></mujoco>")
    with pytest.raises(TypeError, match="MjData"):
        driftlab.record(model, tmp_path / "run.jsonl")
    with pytest.raises(ValueError, match="a hinge across the plane is expected"):
        driftlab.record(model, tmp_path / "run.jsonl", mujoco.MjData(model))


def test_a_program_may_make_the_steps_itself(tmp_path):
    """`write` after the engine's own step gives the same lines as `step`, and nothing is written after `close`."""
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    with opened("mujoco", "stack", one) as recording:
        recording.step(20)
    import mujoco

    model, data = of_mujoco("stack")
    recording = driftlab.record(model, two, data)
    for _ in range(20):
        mujoco.mj_step(model, data)
        recording.write()
    recording.close()
    assert one.read_text() == two.read_text()
    with pytest.raises(ValueError, match="closed"):
        recording.step()


def test_a_run_that_blows_up_ends_the_recording(tmp_path):
    """What is written stays readable: no line has a number that is none."""
    pymunk = pytest.importorskip("pymunk", reason="pymunk is not installed")
    space = pymunk.Space()
    body = pymunk.Body(1, 1)
    space.add(body, pymunk.Circle(body, 0.1))
    with driftlab.record(space, tmp_path / "run.jsonl", time_step=0.01) as recording:
        recording.step()
        body.position = (math.inf, 0)
        with pytest.warns(RuntimeWarning, match="a body is nowhere"):
            recording.step()
        assert recording.closed
    assert len(read(tmp_path / "run.jsonl")) == 2


def test_own_simulation(tmp_path):
    """A simulation's recording has its poses, velocities and every impulse: momentum closes to rounding, and it is what the command writes."""
    path = tmp_path / "own.jsonl.gz"
    simulation = driftlab.Simulation(driftlab.Scene.shipped("six-link-chain"))
    with driftlab.record(simulation, path) as recording:
        report = recording.step(40)
        simulation.step()
        recording.write()
    assert report.step == 40 and recording.closed and recording.left_out == []
    with gzip.open(path, "rt") as file:
        header, *lines = [json.loads(line) for line in file]
    assert len(lines) == 41 and header["engine"]["name"] == "driftlab"
    assert np.array_equal([q[:3] for q in lines[-1]["q"]], simulation.poses)
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
