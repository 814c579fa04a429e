"""Control loops: forces, motors and states from Python, judged by mechanics."""

import contextlib
import copy
import json
import math
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest

import driftlab
from driftlab import Scene, Simulation, World, box


def pendulum(**keys):
    """A bar of 1 m and 1 kg, hinged at one end, in no gravity."""
    world = World(gravity=(0, 0))
    wall = world.add_body("wall", type="fixed")
    bar = world.add_body("bar", position=(0.5, 0), mass=1, shapes=[box(1, 0.1)])
    world.add_joint("hinge", wall, bar, anchor=(0, 0), **keys)
    return world.scene(h=1e-3, scheme="rattle")


def test_a_callback_makes_a_harmonic_oscillator():
    """F = −k x on a free body of m: after a quarter period x is 0 and the speed ω x₀ [any course of mechanics]."""
    k, m, x0 = 25.0, 1.0, 0.2
    world = World(gravity=(0, 0))
    world.add_body("mass", position=(x0, 0), mass=m, shapes=[box(0.1, 0.1)])
    scene = world.scene(h=1e-4, scheme="none")
    omega = np.sqrt(k / m)
    quarter = round(np.pi / 2 / omega / 1e-4)
    result = driftlab.run(scene, steps=quarter, force=lambda own: [[-k * own.poses[0, 0], 0, 0]])
    assert result.body("mass")[-1, 0] == pytest.approx(0, abs=1e-4)
    assert result.velocities[-1, 0, 0] == pytest.approx(-omega * x0, rel=1e-3)
    # Its work is what the spring gives: k x₀²/2.
    assert result.applied_work.sum() == pytest.approx(k * x0**2 / 2, rel=1e-2)


def test_forces_of_a_callback_add_to_those_of_the_scene_and_leave_them():
    scene = pendulum()
    pushed = Simulation(scene)
    pushed.apply("bar", torque=0.7)
    both = Simulation(scene)
    both.apply("bar", torque=0.5)
    both.step(50, force=lambda own: [[0, 0, 0], [0, 0, 0.2]])
    pushed.step(50)
    assert both.poses == pytest.approx(pushed.poses, abs=1e-15)
    # Afterwards only the scene's own acts.
    before = both.velocities[1, 2]
    both.step()
    inertia = both.masses[1, 1] + 0.25
    assert both.velocities[1, 2] - before == pytest.approx(1e-3 * 0.5 / inertia, rel=1e-6)


def test_a_motor_turns_a_hinge_at_its_speed_unless_its_torque_is_too_small():
    simulation = Simulation(pendulum())
    simulation.set_motor(0, 2.0, 1e3)
    simulation.step(10)
    assert simulation.joint_rates == pytest.approx([2.0])
    assert simulation.joint_coordinates == pytest.approx([2.0 * 10e-3], rel=0.2)
    weak = Simulation(pendulum())
    weak.set_motor(0, 2.0, 0.1)
    weak.step(10)
    # τ t / I about the hinge.
    inertia = weak.masses[1, 1] + 0.25
    assert weak.joint_rates == pytest.approx([0.1 * 10e-3 / inertia], rel=1e-6)
    motor = weak.impulses()
    motor = motor[motor["kind"] == "motor"]
    assert motor["state"] == ["at_limit"] and motor["lambda_1"] == pytest.approx([0.1 * 1e-3])


def test_states_are_set_as_they_are_read_or_not_at_all():
    simulation = Simulation(Scene.shipped("ragdoll"))
    start, v = simulation.poses, simulation.velocities
    simulation.step(20)
    simulation.poses, simulation.velocities = start, v
    assert simulation.poses == pytest.approx(start, abs=1e-15)
    assert simulation.report.joint_error < 1e-12
    wrong = start.copy()
    wrong[-1, 0] = np.nan
    with pytest.raises(ValueError, match="poses: position"):
        simulation.poses = wrong
    with pytest.raises(ValueError, match="shape"):
        simulation.velocities = np.zeros((2, 3))
    assert simulation.poses == pytest.approx(start, abs=1e-15)


def test_errors_of_a_callback_reach_the_caller_and_leave_the_state():
    simulation = Simulation(pendulum())
    simulation.step(3)
    with pytest.raises(ZeroDivisionError):
        simulation.step(5, force=lambda own: 1 / 0)
    with pytest.raises(ValueError, match=r"force: expected an array of shape \(2, 3\)"):
        simulation.step(5, force=lambda own: [1, 2, 3])
    with pytest.raises(driftlab.BusyError, match="no steps from a callback"):
        simulation.step(5, force=lambda own: own.step() and np.zeros((2, 3)))
    with pytest.raises(ValueError, match="force: .*of body 1"):
        simulation.step(5, force=lambda own: np.full((2, 3), np.nan))
    assert simulation.steps == 3
    assert simulation.step().step == 4


def test_a_second_thread_gets_an_error_of_the_package_and_does_no_harm():
    """One simulation in two threads: what one of them is refused is a BusyError, and the bits are those of one thread."""
    simulation, alone = Simulation(pendulum()), Simulation(pendulum())
    inside, go_on = threading.Event(), threading.Event()

    def force(own):
        inside.set()
        go_on.wait()
        return np.zeros((2, 3))

    stepping = threading.Thread(target=simulation.step, args=(1,), kwargs={"force": force})
    stepping.start()
    inside.wait()
    with pytest.raises(driftlab.BusyError, match="by another thread"):
        simulation.step()
    # Between two steps it may be looked at.
    assert simulation.steps == 0
    go_on.set()
    stepping.join()
    assert issubclass(driftlab.BusyError, RuntimeError)

    simulation = Simulation(Scene.shipped("chain-100"))
    alone = Simulation(Scene.shipped("chain-100"))
    stepping = threading.Thread(target=simulation.step, args=(300,))
    stepping.start()
    while stepping.is_alive():
        assert repr(simulation)
        for ask in (lambda own: own.poses, lambda own: own.apply(1), Simulation.summary.__get__, copy.copy, pickle.dumps):
            with contextlib.suppress(driftlab.BusyError):
                ask(simulation)
    stepping.join()
    alone.step(300)
    assert simulation.poses.tobytes() == alone.poses.tobytes()


def test_arrays_that_are_no_part_of_the_state_cannot_be_written_to():
    """What is written into a copy would be lost without a word."""
    simulation = Simulation(pendulum())
    simulation.step()
    for name in ("poses", "velocities", "masses", "joint_coordinates", "joint_rates"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(simulation, name)[0] = 1
    for table in (simulation.impulses(), simulation.contacts()):
        assert not table.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        driftlab.run(pendulum(), steps=1).energy[0] = 1
    moved = simulation.poses.copy()
    moved[1, 2] = 0.25
    simulation.poses = moved
    assert simulation.poses[1, 2] == 0.25


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda own: pickle.loads(pickle.dumps(own))])
def test_a_copy_goes_on_to_the_same_bits(again):
    """A world in mid-motion with contacts, friction and a motor from outside: the copy has what can be asked, and the same future."""
    simulation = Simulation(Scene.shipped("ragdoll"))
    simulation.step(120)
    simulation.apply(simulation.bodies[-1], (1.0, 2.0))
    other = again(simulation)
    assert other.report == simulation.report and other.report.trail == simulation.report.trail
    assert other.impulses().tobytes() == simulation.impulses().tobytes()
    assert other.contacts().tobytes() == simulation.contacts().tobytes() and len(other.contacts()) > 0
    if again in (copy.copy, copy.deepcopy):
        assert other.summary == simulation.summary
    simulation.step(60)
    other.step(60)
    assert other.poses.tobytes() == simulation.poses.tobytes()
    assert other.velocities.tobytes() == simulation.velocities.tobytes()
    other.step()
    assert other.steps == simulation.steps + 1


def test_reports_and_results_pickle_and_copy():
    result = driftlab.run("pyramid-10", steps=5, impulses=True)
    for other in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result), copy.copy(result)):
        assert other.joint_error.tobytes() == result.joint_error.tobytes() and other.end == result.end
        assert other.impulses.tobytes() == result.impulses.tobytes() and other.summary == result.summary
    report = Simulation(Scene.shipped("pyramid-10")).step(3)
    assert pickle.loads(pickle.dumps(report)) == report == copy.deepcopy(report)


def test_a_callback_may_drive_what_it_reads():
    """A motor and a force that a callback sets act from its own step on, and stay."""
    simulation = Simulation(pendulum())

    def drive(own):
        if own.steps == 0:
            own.set_motor("hinge wall – bar", 2.0, 1e3)
            own.apply("bar", torque=0.25)
        return np.zeros((2, 3))

    simulation.step(3, force=drive)
    assert simulation.joint_rates == pytest.approx([2.0])
    simulation.set_motor(0)
    before = simulation.velocities[1, 2]
    simulation.step()
    assert simulation.velocities[1, 2] - before == pytest.approx(1e-3 * 0.25 / (simulation.masses[1, 1] + 0.25), rel=1e-6)


def test_keys_switch_forces():
    """A lander that brakes with 2 g from √(4 H/(3 g)) on comes to rest at the ground, H below: uniformly accelerated motion."""
    g, fall = 1.62, 60.0
    simulation = Simulation(Scene.shipped("lander"))
    begin, start = math.sqrt(4 * fall / (3 * g)), simulation.poses[2, 1]
    simulation.step(round(begin / simulation.h))
    assert simulation.held == []
    simulation.hold(["Up"])
    assert simulation.held == ["Up"] and copy.copy(simulation).held == ["Up"]
    simulation.step(round(0.5 * begin / simulation.h))
    simulation.hold([])
    # Steps of h fall g t h/2 = 0.06 m too far, so that it lands at √(2 (2 g) 0.06) = 0.6 m/s, and what is left of the burn lifts it.
    assert simulation.velocities[2, 1] == pytest.approx(0, abs=0.6)
    assert start - simulation.poses[2, 1] == pytest.approx(fall, abs=0.06)
    with pytest.raises(ValueError, match="no key is named 'Upp' .did you mean 'Up'"):
        simulation.hold(["Upp"])


def test_joints_have_names():
    world = World()
    wall = world.add_body("wall", type="fixed")
    bar = world.add_body("bar", position=(0.5, 0), shapes=[box(1, 0.1)])
    sleigh = world.add_body("sleigh", position=(9, 0), shapes=[box(1, 1)])
    first = world.add_joint("distance", wall, bar, anchors=[(0, 1), (0, 0)])
    world.add_velocity_constraint("knife_edge", body=sleigh, anchor=(9, 0), axis=(0, 1))
    second = world.add_joint("distance", wall, bar, anchors=[(1, 1), (1, 0)])
    third = world.add_joint("hinge", bar, sleigh, anchor=(1, 0))
    scene = world.scene()
    assert (first, second, third) == (0, 1, 2)
    assert scene.joint_names == ["distance wall – bar", "distance wall – bar (2)", "hinge bar – sleigh"]
    simulation = Simulation(scene)
    assert simulation.joint_names == scene.joint_names
    simulation.set_motor("hinge bar – sleigh", 1.0, 1e9)
    simulation.step()
    assert simulation.joint_rates[2] == pytest.approx(1.0)
    with pytest.raises(ValueError, match="no joint is named 'hinge bar – sleig' .did you mean 'hinge bar – sleigh'"):
        simulation.set_motor("hinge bar – sleig")
    with pytest.raises(ValueError, match="joint: expected a name or an index"):
        simulation.set_motor(None)
    with pytest.raises(ValueError, match="body: expected a name or an index"):
        simulation.apply(None)


def test_what_touches_what_carries_its_weight():
    """A box of mass m at rest on a floor: the normal impulses of its contacts add up to m g h [Newton]."""
    world = World()
    world.add_body("floor", type="fixed", shapes=[driftlab.half_plane()])
    world.add_body("box", position=(0, 0.5), mass=3.0, shapes=[box(1, 1)])
    world.add_body("ball", position=(2, 1.5), mass=1.0, shapes=[driftlab.circle(0.25)])
    simulation = Simulation(world.scene(h=1e-3, scheme="anitescu_hart"))
    simulation.step()
    contacts = simulation.contacts()
    assert contacts["normal_impulse"].sum() == pytest.approx(3.0 * 9.81 * 1e-3, rel=1e-9)
    assert set(contacts["body_a"]) == {"floor"} and set(contacts["body_b"]) == {"box"}
    assert (contacts["ny"] == 1).all() and sorted(contacts["x"]) == pytest.approx([-0.5, 0.5])


def test_gaps_and_rays_are_those_of_geometry():
    world = World(gravity=(0, 0))
    world.add_body("left", position=(0, 0), shapes=[driftlab.circle(0.5)])
    world.add_body("right", position=(3, 4), shapes=[driftlab.circle(1.0)])
    simulation = Simulation(world.scene())
    # Two circles whose centres are 5 m apart.
    gap = simulation.gaps(4.0)
    assert list(gap["gap"]) == pytest.approx([3.5]) and (gap["nx"][0], gap["ny"][0]) == pytest.approx((0.6, 0.8))
    assert len(simulation.gaps(3.0)) == 0 and len(simulation.contacts()) == 0
    hit = simulation.ray_cast((-2, 0), (9, 0))
    assert hit.body == "left" and hit.distance == pytest.approx(1.5) and hit.normal == pytest.approx((-1, 0))
    assert simulation.ray_cast((-2, 9), (9, 9)) is None
    near = simulation.nearest((3, 2))
    assert near.body == "right" and near.distance == pytest.approx(1.0) and near.point == pytest.approx((3, 3))
    assert simulation.pick((0.1, 0.1)) == "left" and simulation.pick((1.0, 0)) is None
    assert simulation.pick((1.0, 0), reach=0.6) == "left"
    assert simulation.bodies_in((-1, -1), (1, 1)) == ["left"]
    with pytest.raises(ValueError, match="within: expected a length"):
        simulation.gaps(-1.0)


def test_bodies_and_joints_come_and_go_in_motion():
    """A ball that is dropped in after 0.1 s falls by g t²/2 from there [Galileo]; a bar that is hinged in mid-air swings with the period of
    its theory; a body that is taken out takes its joints with it."""
    world = World(gravity=(0, -10))
    wall = world.add_body("wall", type="fixed")
    simulation = Simulation(world.scene(h=1e-3, scheme="rattle"))
    simulation.step(100)
    ball = simulation.add_body("ball", position=(0, 5), shapes=[driftlab.circle(0.1)])
    assert simulation.bodies == [wall, ball] and simulation.time == pytest.approx(0.1)
    simulation.step(100)
    assert simulation.poses[1] == pytest.approx([0, 5 - 5 * 0.1**2, 0], abs=1e-12)
    assert simulation.summary["bodies"] == 2 and "energy_gain" not in simulation.summary

    # A bar of 1 m that is released from the horizontal: (m/3) ω²/2 = m g/2 when it hangs.
    bar = simulation.add_body("bar", position=(0.5, 0), shapes=[box(1, 1e-3)], mass=1.0, collides=False)
    hinge = simulation.add_joint("hinge", wall, bar, anchor=(0, 0))
    rates = [abs(simulation.step() and simulation.joint_rates[hinge]) for _ in range(1000)]
    assert max(rates) == pytest.approx(np.sqrt(30.0), rel=1e-4)
    spring = simulation.add_body("weight", position=(7, 0), mass=1.0, shapes=[box(0.1, 0.1)])
    simulation.add_spring(wall, spring, stiffness=40.0, anchors=[(7, 1), (7, 0)])
    simulation.add_velocity_constraint("prescribed_velocity", body=ball, anchor=tuple(simulation.poses[1, :2]), velocity=(0.5, 0))
    simulation.step()
    assert simulation.velocities[1, :2] == pytest.approx([0.5, 0], abs=1e-12)
    simulation.remove_body("bar")
    assert simulation.bodies == [wall, ball, spring] and simulation.joint_names == []
    simulation.step()
    hinge = simulation.add_joint("hinge", ball, spring, anchor=(7, 0))
    simulation.remove_joint(hinge)
    with pytest.raises(driftlab.SceneError, match="an earlier body is also named 'ball'"):
        simulation.add_body("ball", position=(0, 0), shapes=[driftlab.circle(1)])
    with pytest.raises(driftlab.SceneError, match="did you mean 'ball'"):
        simulation.add_joint("hinge", wall, "bal", anchor=(0, 0))
    assert simulation.bodies == [wall, ball, spring]
    # It is one scene with what has come.
    end = simulation.scene()
    assert end.bodies == simulation.bodies
    driftlab.Simulation(end).step()


def test_a_run_refuses_bodies_that_come_in_the_middle_of_its_table():
    def add(own):
        own.add_body("ball", position=(0, 5), shapes=[driftlab.circle(0.1)])

    with pytest.raises(ValueError, match="the bodies of a run that is recorded are one table"):
        driftlab.run(pendulum(), steps=3, force=add)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: driftlab.run(None), TypeError, "scene: expected a Scene, .* found None of type NoneType"),
        (lambda: driftlab.run(3), TypeError, "scene: expected"),
        (lambda: driftlab.run("arch", steps=10**15), ValueError, "steps: expected a number of steps from 0 to 1e12"),
        (lambda: driftlab.run("arch", steps=10**30), ValueError, "steps: expected a number of steps from 0 to 1e12"),
        (lambda: driftlab.run("arch", steps=10**12), ValueError, "steps: the record of 1000000000000 steps"),
        (lambda: driftlab.run("arch", steps=1.5), TypeError, "expected a number of steps"),
        (lambda: driftlab.run("arch", steps=True), TypeError, "expected a number of steps"),
        (lambda: Simulation(pendulum()).step(10**15), ValueError, "steps: expected a number of steps from 0 to 1e12"),
        (lambda: Simulation(pendulum()).step(None), TypeError, "expected a number of steps"),
        (lambda: Simulation(pendulum()).step(-1), ValueError, "steps: expected a number of steps from 0 .*, found -1"),
        (lambda: Simulation(None), TypeError, "Scene"),
        (lambda: driftlab.sweep("arch", over={"dt": [1e-3]}, steps=10**15), ValueError, "steps: expected"),
    ],
)
def test_what_is_no_scene_and_no_number_of_steps_is_refused_at_once(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_an_interrupted_run_keeps_what_it_has():
    def interrupt(own):
        if own.steps == 5:
            raise KeyboardInterrupt
        return np.zeros((2, 3))

    with pytest.raises(KeyboardInterrupt) as error:
        driftlab.run(pendulum(), steps=100, impulses=True, force=interrupt)
    result = error.value.result
    whole = driftlab.run(pendulum(), steps=5)
    assert len(result) == 6 and result.poses.tobytes() == whole.poses.tobytes()
    assert result.failure == "KeyboardInterrupt()" and result.end.bodies == ["wall", "bar"]


@pytest.mark.parametrize(
    "call",
    [
        "driftlab.run('chain-1000', steps=10**7)",
        "driftlab.converge('chain-100', ['none', 'rattle'], h=[1e-3, 5e-4], time=1e4)",
        "driftlab.stability('chain-100', 'baumgarte_acceleration', over={'alpha': '1:100:log:1000', 'beta': '1:100:log:1000'})",
        "driftlab.lcp.solve(*problem)",
        "driftlab.sweep('chain-1000', 'none', over={'dt': [1e-3, 1e-4]}, time=1e5)",
        "driftlab.Simulation(driftlab.Scene.shipped('chain-1000')).step(10**9)",
    ],
)
def test_ctrl_c_ends_whatever_takes_long(call):
    """Each of these takes hours, or days: the test ends because the interrupt does."""
    program = f"""
import driftlab, numpy as np, sys
n = 4000 if "problem" in {call!r} else 1
a = np.random.default_rng(1).normal(size=(n, n))
problem = a @ a.T, np.full(n, -1.0)
print("begun", flush=True)
{call}
"""
    running = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert running.stdout.readline() == "begun\n"
    running.send_signal(signal.SIGINT)
    _, told = running.communicate()
    assert told.rstrip().endswith("KeyboardInterrupt"), told


def test_a_step_that_fails_says_why_and_a_run_hands_over_what_it_has():
    # αh = 5 multiplies an error by −4 in each step [Cline & Pai 2003, section VI-A], until the numbers overflow.
    scene = Scene.shipped("six-link-chain").under("baumgarte_velocity", alpha=5000, h=1e-3)
    with pytest.warns(driftlab.DriftlabWarning), pytest.raises(driftlab.StepError, match="no longer be finite") as error:
        driftlab.run(scene, steps=1000)
    result = error.value.result
    assert result.failure == str(error.value) and f"step {len(result)} after" in result.failure
    simulation = Simulation(scene)
    with pytest.raises(driftlab.StepError):
        simulation.step(1000)
    assert simulation.steps == len(result) - 1
    assert simulation.poses.tobytes() == result.poses[-1].tobytes()


def test_a_run_that_means_nothing_is_warned_of():
    chain = Scene.shipped("six-link-chain").under("baumgarte_velocity", h=1e-3)
    with pytest.warns(driftlab.DriftlabWarning, match="unstable"):
        driftlab.run(chain, alpha=2500, steps=2)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        driftlab.run(chain, alpha=5000, steps=150)
    told = " ".join(str(own.message) for own in told)
    assert "unstable" in told and "blown up at step" in told and "by corrections or from nothing" in told
    # Two rods of 1 m and 2 m between the same two points.
    world = World()
    wall = world.add_body("wall", type="fixed")
    bob = world.add_body("bob", position=(1, 0), shapes=[driftlab.circle(0.1)])
    for length in (1.0, 2.0):
        world.add_joint("distance", wall, bob, anchors=[(0, 0), (1, 0)], length=length)
    with pytest.warns(driftlab.DriftlabWarning, match="constraints contradict each other"):
        driftlab.run(world.scene(scheme="projection"), steps=3)


@pytest.mark.filterwarnings("ignore::driftlab.DriftlabWarning")
@pytest.mark.parametrize("alpha", [5000, 50])
def test_the_summary_is_that_of_the_command_line_with_its_advice(command, alpha):
    line = ("run", "six-link-chain", "--stabilizer", f"baumgarte_velocity,alpha={alpha}", "--dt", 0.001, "--steps", 150, "--json")
    theirs = json.loads(command(*line, status=4 if alpha > 50 else 0, told=True))
    assert theirs.pop("failure") is None
    simulation = Simulation(Scene.shipped("six-link-chain").under("baumgarte_velocity", alpha=alpha, h=1e-3))
    simulation.step(150)
    assert simulation.summary == theirs and simulation.summary == copy.copy(simulation).summary
    assert ("these hold" in simulation.summary.get("advice", "")) == (alpha > 50)
    # What is pushed from outside may have its energy from there.
    simulation.apply("link1", (1, 0))
    assert "advice" not in simulation.summary and "energy_gain" not in simulation.summary


def test_other_threads_run_while_steps_are_made():
    """Steps of a second and a half in one thread: another one counts meanwhile, which it could not while the lock is held."""
    scene = Scene.shipped("chain-1000")
    simulation = Simulation(scene)
    stepping = threading.Thread(target=simulation.step, args=(400,))
    ticks = 0
    stepping.start()
    while stepping.is_alive():
        time.sleep(0.001)
        ticks += 1
    assert ticks >= 5
