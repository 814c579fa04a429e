"""The environments keep gymnasium's contract, and their mechanics that of a textbook."""

import copy
import importlib.metadata
import pickle
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
    x, v, angle, rate = environment.task.observe(environment._state())[0]
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


def test_rates_are_observed_as_they_are():
    """An energy pump drives the links faster than 10 rad/s; nothing is clipped, so that the task stays a Markov process."""
    environment = driftlab.gym.ChainSwingUp()
    environment.reset(seed=3)
    fastest = 0.0
    for _ in range(500):
        observation, *_ = environment.step([np.sign(environment.simulation.velocities[1, 2]) or 1.0])
        rates = environment.simulation.velocities[1:, 2]
        assert observation[4:] == pytest.approx(rates, rel=1e-6)
        fastest = max(fastest, abs(rates).max())
    assert fastest > 10


@pytest.mark.parametrize("action", [7, -1, 2, None, float("nan"), 0.0, "left", [0, 1], np.float32(1)])
def test_what_is_no_push_to_the_left_or_right_is_refused(action):
    environment = driftlab.gym.CartPole()
    environment.reset(seed=1)
    before = environment.simulation.poses.tobytes()
    with pytest.raises(ValueError, match="action: expected 0 or 1"):
        environment.step(action)
    assert environment.simulation.poses.tobytes() == before
    for accepted in (0, 1, np.int64(1), np.array(1)):
        environment.step(accepted)


@pytest.mark.parametrize("action", [None, float("nan"), float("inf"), "up", [0.1, 0.2]])
def test_what_is_no_torque_is_refused(action):
    environment = driftlab.gym.ChainSwingUp()
    environment.reset(seed=1)
    with pytest.raises(ValueError, match="action: expected a finite number"):
        environment.step(action)


@pytest.mark.parametrize("again", [copy.deepcopy, lambda own: pickle.loads(pickle.dumps(own))])
@pytest.mark.parametrize("name", ["driftlab/CartPole-v0", "driftlab/ChainSwingUp-v0"])
def test_environments_copy_and_pickle_in_mid_episode(name, again):
    environment = gymnasium.make(name)
    environment.reset(seed=5)
    environment.action_space.seed(5)
    actions = [environment.action_space.sample() for _ in range(10)]
    for action in actions[:5]:
        environment.step(action)
    other = again(environment)
    for action in actions[5:]:
        assert environment.step(action)[0].tobytes() == other.step(action)[0].tobytes()
    assert environment.reset()[0].tobytes() == other.reset()[0].tobytes()
    many = gymnasium.make_vec(name, num_envs=3, vectorization_mode="vector_entry_point")
    many.reset(seed=5)
    other = again(many)
    many.action_space.seed(5)
    for _ in range(5):
        actions = many.action_space.sample()
        assert many.step(actions)[0].tobytes() == other.step(actions)[0].tobytes()


def same(one, other):
    """Whether two answers of vector environments have the same arrays, those of infos included."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if one.dtype == object:
        return all((a is None) == (b is None) and (a is None or same(a, b)) for a, b in zip(one, other))
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()


@pytest.mark.parametrize("mode", list(gymnasium.vector.AutoresetMode))
@pytest.mark.parametrize("name", ["driftlab/CartPole-v0", "driftlab/ChainSwingUp-v0"])
def test_many_worlds_in_one_call_are_gymnasiums_own_vector_of_them(name, mode):
    """gymnasium's SyncVectorEnv over the single environments is the definition: seeds, ends, time limits, restarts and infos to the bit."""
    count, limit = 9, 30
    native = gymnasium.make_vec(
        name, num_envs=count, vectorization_mode="vector_entry_point", autoreset_mode=mode, max_episode_steps=limit
    )
    single = [lambda: gymnasium.make(name, max_episode_steps=limit)] * count
    reference = gymnasium.vector.SyncVectorEnv(single, autoreset_mode=mode)
    assert native.observation_space == reference.observation_space and native.action_space == reference.action_space
    assert native.single_observation_space == reference.single_observation_space
    assert native.metadata["autoreset_mode"] is mode
    assert same(native.reset(seed=11), reference.reset(seed=11))
    native.action_space.seed(2)
    restarts = 0
    for _ in range(75):
        actions = native.action_space.sample()
        ours, theirs = native.step(actions), reference.step(actions)
        assert same(ours, theirs)
        assert native.observation_space.contains(ours[0])
        over = ours[2] | ours[3]
        restarts += over.sum()
        if mode is gymnasium.vector.AutoresetMode.DISABLED and over.any():
            with pytest.raises(ValueError, match="are over"):
                native.step(actions)
            assert same(native.reset(options={"reset_mask": over}), reference.reset(options={"reset_mask": over}))
    assert restarts >= 2 * count
    assert same(native.reset(seed=list(range(count))), reference.reset(seed=list(range(count))))


def test_the_extra_brings_what_rendering_imports():
    wanted = [own for own in importlib.metadata.requires("driftlab") if "extra == 'gym'" in own.replace('"', "'")]
    assert {own.split(";")[0].strip() for own in wanted} == {"gymnasium", "matplotlib"}


def test_actions_of_many_worlds_are_refused_as_a_whole():
    many = gymnasium.make_vec("driftlab/CartPole-v0", num_envs=3, vectorization_mode="vector_entry_point")
    many.reset(seed=1)
    for actions in (None, 1, [0, 1], [0, 1, 7], [0, 1, None], [0.0, 1.0, 1.0]):
        with pytest.raises(ValueError, match="action: expected 0 or 1"):
            many.step(actions)
