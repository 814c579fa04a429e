"""Control loops: forces, motors and states from Python, judged by mechanics."""

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
    assert simulation.steps == 3
    # A callback that steps would step a world that is being stepped; it may: the step then starts from there.
    assert simulation.step().step == 4


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
    assert "unstable" in told and "blown up at step" in told and "nothing in the scene explains" in told
    # Two rods of 1 m and 2 m between the same two points.
    world = World()
    wall = world.add_body("wall", type="fixed")
    bob = world.add_body("bob", position=(1, 0), shapes=[driftlab.circle(0.1)])
    for length in (1.0, 2.0):
        world.add_joint("distance", wall, bob, anchors=[(0, 0), (1, 0)], length=length)
    with pytest.warns(driftlab.DriftlabWarning, match="constraints contradict each other"):
        driftlab.run(world.scene(scheme="projection"), steps=3)


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
