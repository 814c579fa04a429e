"""The keywords of this package by name and type: options of runs, parameters of schemes, and the keys of scene files (docs/SCENES.md).

They are types alone: what is wrong at run time is told by the scene that is made of them.
"""

from __future__ import annotations

from typing import Any, Literal, Sequence, TypeAlias, TypedDict, Union

import numpy as np
import numpy.typing as npt

#: x and y.
Vector: TypeAlias = Union[Sequence[float], npt.NDArray[np.floating[Any]]]
Shape: TypeAlias = dict[str, Any]
Level: TypeAlias = Literal["velocity", "acceleration"]
Integrator: TypeAlias = Literal["semi_implicit_euler", "explicit_euler", "rk4"]
Effort: TypeAlias = Literal["exact", "bounded"]


class Parameters(TypedDict, total=False):
    """Parameters of a scene, and those of all schemes; `driftlab.schemes()` says which has which, in which unit."""

    dt: float
    gravity: float
    friction: float
    restitution: float
    active_distance: float
    active_travel: float
    contact_tolerance: float
    alpha: float
    angular_slop: float
    beta: float
    block_solver: float | str
    compliance: float
    contact_damping_ratio: float
    contact_hertz: float
    damping_ratio: float
    gamma: float
    hertz: float
    integral: float | str
    iterations: float
    joints: float | str
    max_correction: float
    max_iterations: float
    metric: float | str
    omega0: float
    position_iterations: float
    push_speed: float
    recycle_distance: float
    relax: float | str
    slop: float
    speculative_distance: float
    split_depth: float
    substeps: float
    velocity_iterations: float
    warm_start: float
    zeta: float


class Method(Parameters, total=False):
    """How a scene is stepped, but for the scheme and the time step; see `Scene.under`."""

    level: Level
    integrator: Integrator
    solver: str
    effort: Effort
    consistent: bool


class Options(Method, total=False):
    """The same with the time step, s."""

    h: float


class Place(TypedDict, total=False):
    """Where a shape is in the frame of its body: m, rad."""

    offset: Vector
    angle: float


class Applied(TypedDict, total=False):
    """A constant force (N) and torque (N m), at a point from the centre of mass (m) in the body's axes."""

    force: Vector
    torque: float
    at: Vector
    axes: Literal["world", "body"]


class BodyKeys(TypedDict, total=False):
    position: Vector
    type: Literal["dynamic", "fixed", "kinematic"]
    angle: float
    velocity: Vector
    angular_velocity: float
    density: float
    mass: float
    inertia: float
    shapes: Sequence[Shape]
    applied: Applied
    friction: float
    restitution: float
    gravity_scale: float
    collides: bool
    group: int
    motion: dict[str, Any]


class HingeMotor(TypedDict):
    """rad/s and N m."""

    speed: float
    max_torque: float


class SliderMotor(TypedDict):
    """m/s and N."""

    speed: float
    max_force: float


class _Ends(TypedDict, total=False):
    anchor: Vector
    anchor_a: Vector
    anchor_b: Vector
    collide_connected: bool


class HingeKeys(_Ends, total=False):
    limits: Sequence[float | None]
    limits_from: float
    motor: HingeMotor


class SliderKeys(_Ends, total=False):
    axis: Vector
    axis_a: Vector
    reference_angle: float
    limits: Sequence[float | None]
    limits_from: float
    motor: SliderMotor


class GearKeys(TypedDict, total=False):
    constant: float


class WeldKeys(_Ends, total=False):
    reference_angle: float


class DistanceKeys(TypedDict, total=False):
    anchors: Sequence[Vector]
    anchor_a: Vector
    anchor_b: Vector
    collide_connected: bool
    length: float
    form: Literal["length", "squared"]


class SpringKeys(TypedDict, total=False):
    stiffness: float
    damping: float
    rest_length: float
    rest_angle: float
    anchors: Sequence[Vector]
    anchor: Vector
    anchor_a: Vector
    anchor_b: Vector


class KnifeEdgeKeys(TypedDict, total=False):
    body: str
    anchor: Vector
    axis: Vector
    anchor_body: Vector
    axis_body: Vector


class RollingKeys(TypedDict, total=False):
    body: str
    on: str
    radius: float
    normal: Vector
    center: Vector


class PrescribedVelocityKeys(TypedDict, total=False):
    body: str
    anchor: Vector
    anchor_body: Vector
    velocity: Vector | dict[str, Any]
