"""Environments of gymnasium whose joints hold exactly: a cart-pole, and a chain to be swung up; one by one, or many at once.

>>> import gymnasium, driftlab.gym
>>> environment = gymnasium.make("driftlab/CartPole-v0")
>>> environments = gymnasium.make_vec("driftlab/CartPole-v0", num_envs=64, vectorization_mode="vector_entry_point")
"""

from __future__ import annotations

from typing import Any, NamedTuple, Sequence

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ._driftlab import Fleet, Scene, Simulation
from ._world import World, box

Array = npt.NDArray[Any]

#: Side of a rendered picture, pixels.
PIXELS = 400
#: Time between two actions, s.
INTERVAL = 0.02
#: Time step, s.
STEP = 2e-3
SUBSTEPS = round(INTERVAL / STEP)


class State(NamedTuple):
    """What worlds look like: poses and velocities [n, bodies, 3], coordinates and rates of joints [n, joints]."""

    poses: Array
    velocities: Array
    coordinates: Array
    rates: Array


class Task:
    """A scene that an action pushes at, with its observations and rewards: what an environment and many of them share. Arrays have a row for
    each world."""

    scene: Scene
    action_space: spaces.Space[Any]
    observation_space: spaces.Box

    def checked(self, actions: Any, count: int) -> Array:
        """The actions of `count` worlds, or ValueError."""
        raise NotImplementedError

    def forces(self, actions: Array) -> Array:
        """Forces and torques on all bodies, [n, bodies, 3] of (N, N, N m)."""
        raise NotImplementedError

    def start(self, random: np.random.Generator) -> Array:
        """Velocities of the bodies at the start of an episode, [bodies, 3]."""
        raise NotImplementedError

    def observe(self, state: State) -> Array:
        """Observations, [n, …]."""
        raise NotImplementedError

    def judge(self, observations: Array, state: State) -> tuple[Array, Array]:
        """Rewards and whether the episode has ended, [n] each."""
        raise NotImplementedError


class CartPoleTask(Task):
    """The task of `CartPole`."""

    FORCE, FARTHEST, STEEPEST = 10.0, 2.4, np.radians(12.0)

    def __init__(self) -> None:
        world = World()
        rail = world.add_body("rail", type="fixed")
        cart = world.add_body("cart", mass=1.0, shapes=[box(0.4, 0.2)], collides=False)
        pole = world.add_body("pole", position=(0, 0.5), mass=0.1, shapes=[box(0.05, 1.0)], collides=False)
        world.add_joint("slider", rail, cart, anchor=(0, 0), axis=(1, 0))
        world.add_joint("hinge", cart, pole, anchor=(0, 0))
        self.scene = world.scene("Cart-pole", h=STEP, scheme="rattle")
        self.action_space = spaces.Discrete(2)
        high = np.array([2 * self.FARTHEST, np.inf, 2 * self.STEEPEST, np.inf], np.float32)
        self.observation_space = spaces.Box(-high, high, dtype=np.float32)

    def checked(self, actions: Any, count: int) -> Array:
        given = np.asarray(actions)
        if given.dtype.kind not in "iu" or given.shape != (count,) or not np.isin(given, (0, 1)).all():
            raise ValueError(f"action: expected 0 or 1 (push to the left or to the right) for each of {count}, found {actions!r}")
        return given

    def forces(self, actions: Array) -> Array:
        forces = np.zeros((len(actions), 3, 3))
        forces[:, 1, 0] = np.where(actions == 1, self.FORCE, -self.FORCE)
        return forces

    def start(self, random: np.random.Generator) -> Array:
        v, rate = random.uniform(-0.05, 0.05, size=2)
        # The pole's centre moves with the cart and turns about the hinge.
        return np.array([[0, 0, 0], [v, 0, 0], [v - 0.5 * rate, 0, rate]])

    def observe(self, state: State) -> Array:
        (x, angle), (v, rate) = state.coordinates.T, state.rates.T
        return np.stack([x, v, -angle, -rate], axis=-1).astype(np.float32)

    def judge(self, observations: Array, state: State) -> tuple[Array, Array]:
        ended = (abs(observations[:, 0]) > self.FARTHEST) | (abs(observations[:, 2]) > self.STEEPEST)
        return np.ones(len(observations)), ended


class ChainSwingUpTask(Task):
    """The task of `ChainSwingUp`."""

    TORQUE = 2.5

    def __init__(self, links: int = 2) -> None:
        length = 1.0 / links
        world = World()
        above = world.add_body("ceiling", type="fixed")
        for i in range(links):
            centre = (0.0, -(i + 0.5) * length)
            shapes = [box(0.05, length)]
            link = world.add_body(f"link{i + 1}", position=centre, mass=1.0 / links, shapes=shapes, collides=False)
            world.add_joint("hinge", above, link, anchor=(0.0, -i * length))
            above = link
        self.scene = world.scene("Chain to swing up", h=STEP, scheme="rattle")
        self.links, self.length = links, length
        self.action_space = spaces.Box(-1.0, 1.0, (1,), np.float32)
        high = np.concatenate([np.ones(2 * links), np.full(links, np.inf)]).astype(np.float32)
        self.observation_space = spaces.Box(-high, high, dtype=np.float32)

    def checked(self, actions: Any, count: int) -> Array:
        try:
            given = np.asarray(actions, float)
        except (TypeError, ValueError):
            given = np.array(np.nan)
        if given.shape not in ((count,), (count, 1)) or not np.isfinite(given).all():
            raise ValueError(f"action: expected a finite number for each of {count}, found {actions!r}")
        return given.reshape(count)

    def forces(self, actions: Array) -> Array:
        forces = np.zeros((len(actions), 1 + self.links, 3))
        # Outside its range an action counts as the nearest end of it.
        forces[:, 1, 2] = np.clip(actions, -1, 1) * self.TORQUE / self.links
        return forces

    def start(self, random: np.random.Generator) -> Array:
        rates = random.uniform(-0.1, 0.1, size=self.links)
        # Hanging, the end of each link moves to the right by its rate times its length.
        ends = np.concatenate([[0.0], np.cumsum(rates) * self.length])
        speeds = ends[:-1] + rates * self.length / 2
        moving = np.stack([speeds, np.zeros(self.links), rates], axis=-1)
        return np.concatenate([np.zeros((1, 3)), moving])

    def observe(self, state: State) -> Array:
        angles, rates = state.poses[:, 1:, 2], state.velocities[:, 1:, 2]
        return np.concatenate([np.cos(angles), np.sin(angles), rates], axis=-1).astype(np.float32)

    def judge(self, observations: Array, state: State) -> tuple[Array, Array]:
        heights = np.mean(-np.cos(state.poses[:, 1:, 2]), axis=-1)
        return heights, np.zeros(len(heights), bool)


class Mechanism(gymnasium.Env[Array, Any]):
    """An environment of one world."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 50}

    def __init__(self, task: Task, render_mode: str | None = None) -> None:
        self.task = task
        self.render_mode = render_mode
        self.simulation = Simulation(task.scene)
        self.action_space, self.observation_space = task.action_space, task.observation_space

    def begin(self, velocities: Array) -> None:
        """Starts anew from the scene's poses, the bodies at these velocities, [bodies, 3]."""
        self.simulation = Simulation(self.task.scene)
        self.simulation.velocities = velocities

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """At the scene's poses, with small random velocities."""
        super().reset(seed=seed)
        self.begin(self.task.start(self.np_random))
        return self.task.observe(self._state())[0], {}

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Pushes for 20 ms. Raises ValueError for what is no action."""
        forces = self.task.forces(self.task.checked([action] if np.ndim(action) == 0 else np.asarray(action)[None], 1))[0]
        for body, (x, y, torque) in enumerate(forces):
            if body > 0:
                self.simulation.apply(body, (x, y), torque)
        report = self.simulation.step(SUBSTEPS)
        state = self._state()
        observations = self.task.observe(state)
        rewards, ended = self.task.judge(observations, state)
        return observations[0], float(rewards[0]), bool(ended[0]), False, {"joint_error": report.joint_error}

    def render(self) -> Any:
        """The bodies' outlines, [PIXELS, PIXELS, 3]; needs matplotlib."""
        if self.render_mode is None:
            return None
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.patches import Polygon

        figure = Figure(figsize=(4, 4), dpi=PIXELS / 4)
        canvas = FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1))
        for body, (x, y, angle) in zip(self.task.scene.to_dict()["bodies"], self.simulation.poses):
            for shape in body.get("shapes", []):
                w, h = np.array(shape["size"]) / 2
                corners = np.array([(-w, -h), (w, -h), (w, h), (-w, h)])
                turned = corners @ [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
                axes.add_patch(Polygon(turned + (x, y), facecolor="#8fb3d9", edgecolor="#333"))
        axes.set(xlim=(-2.6, 2.6), ylim=(-2.6, 2.6), aspect="equal")
        axes.axis("off")
        canvas.draw()
        return np.asarray(canvas.buffer_rgba())[..., :3].copy()

    def _state(self) -> State:
        own = self.simulation
        return State(own.poses[None], own.velocities[None], own.joint_coordinates[None], own.joint_rates[None])


class VectorMechanism(VectorEnv[Array, Array, Array]):
    """Many worlds of one task, stepped in one call and by several threads; seeds, restarts and numbers are those of gymnasium's
    SyncVectorEnv over the environments one by one, to the bit.

    autoreset_mode: 'NextStep', 'SameStep' or 'Disabled' (then `reset` with options={"reset_mask": …} restarts worlds).
    """

    def __init__(
        self, task: Task, num_envs: int, max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP, render_mode: None = None,
    ) -> None:  # fmt: skip
        if render_mode is not None:
            raise ValueError("render_mode: many worlds are not drawn (expected none, or vectorization_mode='sync')")
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.task, self.num_envs, self.max_episode_steps = task, num_envs, max_episode_steps
        self.single_action_space, self.single_observation_space = task.action_space, task.observation_space
        self.action_space = batch_space(task.action_space, num_envs)
        self.observation_space = batch_space(task.observation_space, num_envs)
        self.fleet = Fleet(task.scene, num_envs)
        self._random: list[np.random.Generator | None] = [None] * num_envs
        self._elapsed = np.zeros(num_envs, int)
        self._over = np.zeros(num_envs, bool)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Restarts all worlds, or those of options["reset_mask"], an array of bool. A number as the seed is that of the first world, and
        each other has the next one."""
        mask = np.asarray((options or {}).get("reset_mask", np.ones(self.num_envs, bool)))
        if mask.dtype != bool or mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(f"reset_mask: expected {self.num_envs} bool, one of them true, found {mask!r}")
        seeds = list(seed) if isinstance(seed, Sequence) else [None if seed is None else seed + i for i in range(self.num_envs)]
        if len(seeds) != self.num_envs:
            raise ValueError(f"seed: expected a number, or {self.num_envs} of them, found {len(seeds)}")
        for i in np.flatnonzero(mask).tolist():
            if (own := seeds[i]) is not None:
                self._random[i], _ = seeding.np_random(own)
        self._restart(mask)
        return self.task.observe(self._state()), {}

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Pushes every world for 20 ms. Raises ValueError for what is no action of all of them."""
        forces = self.task.forces(self.task.checked(actions, self.num_envs))
        if self.autoreset_mode is AutoresetMode.DISABLED and self._over.any():
            raise ValueError(f"worlds {np.flatnonzero(self._over).tolist()} are over (expected a reset with these in its reset_mask)")
        anew = self._over.copy()
        errors = self.fleet.step(SUBSTEPS, forces, (~anew).tolist())
        self._elapsed += 1
        state = self._state()
        observations = self.task.observe(state)
        rewards, ended = self.task.judge(observations, state)
        late = np.zeros(self.num_envs, bool) if self.max_episode_steps is None else self._elapsed >= self.max_episode_steps
        rewards, ended, late = np.where(anew, 0.0, rewards), ended & ~anew, late & ~anew
        infos: dict[str, Any] = {}
        over = ended | late
        same = self.autoreset_mode is AutoresetMode.SAME_STEP
        for i in np.flatnonzero(over).tolist() if same else ():
            infos = self._add_info(infos, {"final_obs": observations[i], "final_info": {"joint_error": errors[i]}}, i)
        # Of a world that begins anew in this call there is no step to tell of.
        told = ~(anew | over) if same else ~anew
        if told.any():
            infos |= {"joint_error": np.where(told, errors, 0.0), "_joint_error": told}
        restarts = over if same else anew
        if restarts.any():
            self._restart(restarts)
            observations = self.task.observe(self._state())
        self._over = np.zeros(self.num_envs, bool) if same else over
        return observations, rewards, ended, late, infos

    def _restart(self, mask: Array) -> None:
        for i in np.flatnonzero(mask).tolist():
            self.fleet.restart(i, self.task.start(self._generator(i)).tolist())
        self._elapsed[mask], self._over[mask] = 0, False

    def _generator(self, i: int) -> np.random.Generator:
        if (own := self._random[i]) is None:
            own, _ = seeding.np_random(None)
            self._random[i] = own
        return own

    def _state(self) -> State:
        own = self.fleet
        return State(own.poses, own.velocities, own.joint_coordinates, own.joint_rates)


class CartPole(Mechanism):
    """A pole balanced on a cart [Barto, Sutton & Anderson 1983]: the masses, lengths, force and limits of gymnasium's CartPole-v1, as a
    slider and a hinge that hold to rounding.

    Action: 0 or 1, a push of 10 N to the left or to the right for 20 ms.
    Observation: position of the cart (m), its velocity (m/s), angle of the pole from upright, clockwise (rad), its rate (rad/s).
    Reward: 1 for each step. The episode ends beyond 2.4 m or 12°.
    """

    def __init__(self, render_mode: str | None = None) -> None:
        super().__init__(CartPoleTask(), render_mode)


class ChainSwingUp(Mechanism):
    """A hanging chain of links with a motor at its upper hinge, to be swung up and held upright.

    Action: torque on the first link, −1 to 1 times the largest, which is 1.25 N m for two links of 0.5 kg: a quarter of what would hold them horizontal.
    Observation: cosine and sine of each link's angle from hanging, and its rate (rad/s), which has no bound.
    Reward: height of the chain's end over the pivot, from −1 hanging to 1 upright.
    """

    def __init__(self, links: int = 2, render_mode: str | None = None) -> None:
        super().__init__(ChainSwingUpTask(links), render_mode)


class CartPoleVector(VectorMechanism):
    """Many of `CartPole`."""

    def __init__(self, num_envs: int = 1, **keys: Any) -> None:
        super().__init__(CartPoleTask(), num_envs, **keys)


class ChainSwingUpVector(VectorMechanism):
    """Many of `ChainSwingUp`."""

    def __init__(self, num_envs: int = 1, links: int = 2, **keys: Any) -> None:
        super().__init__(ChainSwingUpTask(links), num_envs, **keys)


for _name in ("CartPole", "ChainSwingUp"):
    gymnasium.register(
        f"driftlab/{_name}-v0", f"driftlab.gym:{_name}", vector_entry_point=f"driftlab.gym:{_name}Vector", max_episode_steps=500
    )
