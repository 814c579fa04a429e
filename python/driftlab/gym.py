"""Environments of gymnasium whose joints hold exactly: a cart-pole, and a chain to be swung up.

>>> import gymnasium, driftlab.gym
>>> environment = gymnasium.make("driftlab/CartPole-v0")
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ._driftlab import Scene, Simulation
from ._world import World, box

Array = npt.NDArray[Any]

#: Side of a rendered picture, pixels.
PIXELS = 400


class Mechanism(gymnasium.Env[Array, Any]):
    """A scene that an action pushes at: what both environments share."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 50}

    #: Time between two actions, s.
    INTERVAL = 0.02

    def __init__(self, scene: Scene, render_mode: str | None = None) -> None:
        self.start = scene
        self.render_mode = render_mode
        self.simulation = Simulation(scene)
        self.substeps = round(self.INTERVAL / scene.h)

    def begin(self, rates: Array) -> None:
        """Starts anew from the scene's poses, the bodies at these velocities, [bodies, 3]."""
        self.simulation = Simulation(self.start)
        self.simulation.velocities = rates

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
        for body, (x, y, angle) in zip(self.start.to_dict()["bodies"], self.simulation.poses):
            for shape in body.get("shapes", []):
                w, h = np.array(shape["size"]) / 2
                corners = np.array([(-w, -h), (w, -h), (w, h), (-w, h)])
                turned = corners @ [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
                axes.add_patch(Polygon(turned + (x, y), facecolor="#8fb3d9", edgecolor="#333"))
        axes.set(xlim=(-2.6, 2.6), ylim=(-2.6, 2.6), aspect="equal")
        axes.axis("off")
        canvas.draw()
        return np.asarray(canvas.buffer_rgba())[..., :3].copy()


class CartPole(Mechanism):
    """A pole balanced on a cart [Barto, Sutton & Anderson 1983]: the masses, lengths, force and limits of gymnasium's CartPole-v1, as a
    slider and a hinge that hold to rounding.

    Action: 0 or 1, a push of 10 N to the left or to the right for 20 ms.
    Observation: position of the cart (m), its velocity (m/s), angle of the pole from upright, clockwise (rad), its rate (rad/s).
    Reward: 1 for each step. The episode ends beyond 2.4 m or 12°.
    """

    FORCE, FARTHEST, STEEPEST = 10.0, 2.4, np.radians(12.0)

    def __init__(self, render_mode: str | None = None) -> None:
        world = World()
        rail = world.add_body("rail", type="fixed")
        cart = world.add_body("cart", mass=1.0, shapes=[box(0.4, 0.2)], collides=False)
        pole = world.add_body("pole", position=(0, 0.5), mass=0.1, shapes=[box(0.05, 1.0)], collides=False)
        world.add_joint("slider", rail, cart, anchor=(0, 0), axis=(1, 0))
        world.add_joint("hinge", cart, pole, anchor=(0, 0))
        super().__init__(world.scene("Cart-pole", h=2e-3, scheme="rattle"), render_mode)
        self.action_space = spaces.Discrete(2)
        high = np.array([2 * self.FARTHEST, np.inf, 2 * self.STEEPEST, np.inf], np.float32)
        self.observation_space = spaces.Box(-high, high, dtype=np.float32)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """At the middle and upright, with a speed and a rate of up to 0.05 m/s and rad/s."""
        super().reset(seed=seed)
        v, rate = self.np_random.uniform(-0.05, 0.05, size=2)
        # The pole's centre moves with the cart and turns about the hinge.
        self.begin(np.array([[0, 0, 0], [v, 0, 0], [v - 0.5 * rate, 0, rate]]))
        return self._observe(), {}

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Pushes for 20 ms."""
        self.simulation.apply("cart", (self.FORCE if action == 1 else -self.FORCE, 0.0))
        report = self.simulation.step(self.substeps)
        observation = self._observe()
        fallen = bool(abs(observation[0]) > self.FARTHEST or abs(observation[2]) > self.STEEPEST)
        return observation, 1.0, fallen, False, {"joint_error": report.joint_error}

    def _observe(self) -> Array:
        (x, angle), (v, rate) = self.simulation.joint_coordinates, self.simulation.joint_rates
        return np.array([x, v, -angle, -rate], np.float32)


class ChainSwingUp(Mechanism):
    """A hanging chain of links with a motor at its upper hinge, to be swung up and held upright.

    Action: torque on the first link, −1 to 1 times the largest, which is 1.25 N m for two links of 0.5 kg: a quarter of what would hold them horizontal.
    Observation: cosine and sine of each link's angle from hanging, and its rate over 10 rad/s, within ±1 (clipped).
    Reward: height of the chain's end over the pivot, from −1 hanging to 1 upright.
    """

    TORQUE, FASTEST = 2.5, 10.0

    def __init__(self, links: int = 2, render_mode: str | None = None) -> None:
        length = 1.0 / links
        world = World()
        above = world.add_body("ceiling", type="fixed")
        for i in range(links):
            centre = (0.0, -(i + 0.5) * length)
            shapes = [box(0.05, length)]
            link = world.add_body(f"link{i + 1}", position=centre, mass=1.0 / links, shapes=shapes, collides=False)
            world.add_joint("hinge", above, link, anchor=(0.0, -i * length))
            above = link
        super().__init__(world.scene("Chain to swing up", h=2e-3, scheme="rattle"), render_mode)
        self.links, self.length = links, length
        self.action_space = spaces.Box(-1.0, 1.0, (1,), np.float32)
        self.observation_space = spaces.Box(-1.0, 1.0, (3 * links,), np.float32)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Hanging, each link at a rate of up to 0.1 rad/s."""
        super().reset(seed=seed)
        rates = self.np_random.uniform(-0.1, 0.1, size=self.links)
        # Hanging, the end of each link moves to the right by its rate times its length.
        ends = np.concatenate([[0.0], np.cumsum(rates) * self.length])
        speeds = ends[:-1] + rates * self.length / 2
        moving = np.stack([speeds, np.zeros(self.links), rates], axis=-1)
        self.begin(np.concatenate([np.zeros((1, 3)), moving]))
        return self._observe(), {}

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Turns the first link for 20 ms."""
        # Outside its range an action counts as the nearest end of it.
        torque = float(np.clip(np.asarray(action, float).reshape(-1)[0], -1, 1)) * self.TORQUE / self.links
        self.simulation.apply("link1", torque=torque)
        report = self.simulation.step(self.substeps)
        height = float(np.mean(-np.cos(self.simulation.poses[1:, 2])))
        return self._observe(), height, False, False, {"joint_error": report.joint_error}

    def _observe(self) -> Array:
        angles, rates = self.simulation.poses[1:, 2], self.simulation.velocities[1:, 2]
        observed = np.concatenate([np.cos(angles), np.sin(angles), np.clip(rates / self.FASTEST, -1, 1)])
        return observed.astype(np.float32)


gymnasium.register("driftlab/CartPole-v0", "driftlab.gym:CartPole", max_episode_steps=500)
gymnasium.register("driftlab/ChainSwingUp-v0", "driftlab.gym:ChainSwingUp", max_episode_steps=500)
