"""The environments keep gymnasium's contract, and their mechanics that of a textbook."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import driftlab.gym


@pytest.mark.parametrize("name", ["driftlab/CartPole-v0", "driftlab/ChainSwingUp-v0"])
def test_gymnasiums_own_checker_has_nothing_to_say(name):
    environment = gymnasium.make(name, render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Bounds of infinity are what gymnasium's own cart-pole has.
        warnings.filterwarnings("ignore", message=".*infinity.*")
        check_env(environment.unwrapped)


@pytest.mark.parametrize("name", ["driftlab/CartPole-v0", "driftlab/ChainSwingUp-v0"])
def test_joints_hold_to_rounding_through_an_episode(name):
    environment = gymnasium.make(name)
    environment.reset(seed=1)
    environment.action_space.seed(1)
    for _ in range(200):
        *_, ended, truncated, told = environment.step(environment.action_space.sample())
        assert told["joint_error"] < 1e-12
        if ended or truncated:
            environment.reset()


def test_the_pushed_cart_accelerates_as_the_equations_of_barto_sutton_and_anderson_say():
    """At the upright, at rest: θ̈ = −(F/M) / (l (4/3 − m/M)), ẍ = F/M − m l θ̈/M with the half length l and M the whole mass [1983]."""
    environment = driftlab.gym.CartPole()
    environment.begin(np.zeros((3, 3)))
    environment.simulation.apply("cart", (10.0, 0.0))
    environment.simulation.step()
    x, v, angle, rate = environment._observe()
    whole, m, l, h = 1.1, 0.1, 0.5, environment.simulation.h
    turning = -(10 / whole) / (l * (4 / 3 - m / whole))
    # A bar 0.05 m wide has a little more inertia than one without width.
    assert rate / h == pytest.approx(turning, rel=5e-3)
    assert v / h == pytest.approx(10 / whole - m * l * turning / whole, rel=1e-3)


def test_a_chain_gains_the_energy_that_its_motor_gives():
    """Torque along the rate pumps energy in: from hanging, the chain rises above the height of its pivot."""
    environment = driftlab.gym.ChainSwingUp()
    observation, _ = environment.reset(seed=3)
    highest = -1.0
    for _ in range(500):
        push = np.sign(environment.simulation.velocities[1, 2]) or 1.0
        observation, height, *_ = environment.step([push])
        highest = max(highest, height)
        assert environment.observation_space.contains(observation)
    assert highest > 0.5
