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
    alternations: float
    angular_slop: float
    approximation: float | str
    beta: float
    block_solver: float | str
    compliance: float
    compliant: float | str
    cone: float | str
    contact_damping_ratio: float
    contact_hertz: float
    damping_ratio: float
    dampratio: float
    dissipation: float
    family: float | str
    full_impedance: float
    gamma: float
    hertz: float
    impedance: float
    impratio: float
    integral: float | str
    iterations: float
    joint_near_rigid: float
    joints: float | str
    least_penalty: float
    margin: float
    max_correction: float
    max_iterations: float
    metric: float | str
    midpoint: float
    most_penalty: float
    near_rigid: float
    omega0: float
    points_across: float
    position_iterations: float
    post_stabilize: float | str
    power: float
    push_speed: float
    recycle_distance: float
    refsafe: float | str
    relax: float | str
    relaxation_time: float
    sigma: float
    slop: float
    spectral_radius: float
    speculative_distance: float
    split_depth: float
    stick_distance: float
    stiction_tolerance: float
    stiffness: float
    substeps: float
    sweeps: float
    timeconst: float
    velocity_iterations: float
    warm_start: float
    width: float
    zeta: float


class EngineParameters(TypedDict, total=False):
    """Parameters of Box2D and Rapier that no scheme of ours has; a module with the feature `engines` knows them."""

    contact_natural_frequency: float
    contact_recycling: float | str
    contact_softening: float | str
    contact_speed: float
    continuous: float | str
    friction_in_bias_pass: float | str
    joint_damping_ratio: float
    joint_hertz: float
    joint_natural_frequency: float
    max_ccd_substeps: float
    maximum_linear_speed: float
    normalized_allowed_linear_error: float
    normalized_max_corrective_velocity: float
    normalized_max_linear_velocity: float
    normalized_prediction_distance: float
    num_internal_pgs_iterations: float
    num_internal_stabilization_iterations: float
    num_solver_iterations: float
    restitution_threshold: float
    static_contact_damping_ratio: float
    static_contact_natural_frequency: float
    warm_starting: float | str
    warmstart_coefficient: float
    warmstart_joints: float | str


class Method(Parameters, EngineParameters, total=False):
    """How a scene is stepped, but for the scheme and the time step; see `Scene.under`."""

    level: Level
    integrator: Integrator
    solver: str
    effort: Effort
    consistent: bool


class Options(Method, total=False):
    """The same with the time step, s."""

    h: float


class SurfaceKeys(TypedDict, total=False):
    """What a surface has: coefficients, the lever of rolling resistance (m), and the speed at which it runs round clockwise (m/s),
    of a body also a profile."""

    friction: float
    static_friction: float
    restitution: float
    rolling_resistance: float
    surface_speed: float | Profile


class OwnSurface(SurfaceKeys, total=False):
    """What a shape or body has of its own: also a density (kg/m²), a material by its name, and a filter."""

    density: float
    material: str
    categories: int
    mask: int
    group: int


class Place(OwnSurface, total=False):
    """Where a shape is in the frame of its body (m, rad), and what it has in place of what its body has."""

    offset: Vector
    angle: float


class MaterialKeys(SurfaceKeys, total=False):
    """A named material."""

    density: float


class PairKeys(TypedDict, total=False):
    """What two materials have together."""

    friction: float
    static_friction: float
    restitution: float
    rolling_resistance: float


Rule: TypeAlias = Literal["mean", "geometric", "min", "max", "product"]


class Applied(TypedDict, total=False):
    """A constant force (N) and torque (N m), at a point from the centre of mass (m) in the body's axes."""

    force: Vector
    torque: float
    at: Vector
    axes: Literal["world", "body"]
    profile: Profile


#: A function of time, p(t), by its kind.
Profile = TypedDict(
    "Profile",
    {
        "profile": Literal["constant", "ramp", "sine", "table"], "scale": float, "value": float, "from": float, "to": float,
        "start": float, "end": float, "mean": float, "amplitude": float, "frequency": float, "phase": float,
        "points": Sequence[Vector], "interpolation": Literal["linear", "cubic"],
    },
    total=False,
)  # fmt: skip


class BodyKeys(OwnSurface, total=False):
    position: Vector
    type: Literal["dynamic", "fixed", "kinematic"]
    angle: float
    velocity: Vector
    angular_velocity: float
    mass: float
    inertia: float
    shapes: Sequence[Shape]
    applied: Applied | Sequence[Applied]
    gravity_scale: float
    linear_damping: float
    angular_damping: float
    linear_drag: float
    quadratic_drag: float
    collides: bool
    fixed_rotation: bool
    motion: dict[str, Any]


class _Held(TypedDict, total=False):
    """Of a motor that holds a position (rad or m): Hz, and the damping ratio."""

    position: float
    frequency: float
    damping_ratio: float


class _HeldMotor(_Held, total=False):
    speed: float | Profile


class HingeMotor(_HeldMotor):
    """rad/s and N m."""

    max_torque: float | Profile


class SliderMotor(_HeldMotor):
    """m/s and N."""

    max_force: float | Profile


class Softness(TypedDict, total=False):
    """Of a soft joint: Hz and ζ, or N/m, N s/m, N m/rad and N m s/rad."""

    frequency: float
    damping_ratio: float
    stiffness: float
    damping: float
    angular_stiffness: float
    angular_damping: float


class BreaksAt(TypedDict, total=False):
    """The largest reaction: N, N m."""

    force: float
    torque: float
    motor: float


class _Bears(TypedDict, total=False):
    softness: Softness
    breaks_at: BreaksAt
    broken: bool
    motor_broken: bool
    restitution: float


class _Ends(_Bears, total=False):
    anchor: Vector
    anchor_a: Vector
    anchor_b: Vector
    collide_connected: bool


class HingeKeys(_Ends, total=False):
    limits: Sequence[float | None]
    limits_from: float
    motor: HingeMotor
    friction: float


class SliderKeys(_Ends, total=False):
    axis: Vector
    axis_a: Vector
    reference_angle: float
    limits: Sequence[float | None]
    limits_from: float
    motor: SliderMotor
    friction: float


class SlotKeys(_Ends, total=False):
    axis: Vector
    axis_a: Vector
    limits: Sequence[float | None]
    limits_from: float
    motor: SliderMotor
    friction: float


class WheelKeys(_Ends, total=False):
    axis: Vector
    axis_a: Vector
    stiffness: float
    damping: float
    frequency: float
    damping_ratio: float
    limits: Sequence[float | None]
    limits_from: float
    motor: HingeMotor
    friction: float


class MotorKeys(_Ends, total=False):
    offset: Vector
    reference_angle: float
    frequency: float
    damping_ratio: float
    max_force: float
    max_torque: float


class Curve(TypedDict, total=False):
    """The keys of a curve by its kind: radius (circle, cycloid), semi_axes, coefficient (parabola), points (graph)."""

    kind: Literal["line", "circle", "ellipse", "parabola", "cycloid", "graph"]
    radius: float
    semi_axes: Vector
    coefficient: float
    points: Sequence[Vector]


class BeadKeys(TypedDict, total=False):
    anchors: Sequence[Vector]
    anchor_a: Vector
    anchor_b: Vector
    collide_connected: bool
    curve: Curve
    angle: float
    angle_a: float
    side: Literal["on", "outside", "inside", "above", "below"]


class GearKeys(TypedDict, total=False):
    constant: float
    breaks_at: BreaksAt
    broken: bool


class WeldKeys(_Ends, total=False):
    reference_angle: float


class DistanceKeys(_Bears, total=False):
    anchors: Sequence[Vector]
    anchor_a: Vector
    anchor_b: Vector
    collide_connected: bool
    length: float | Profile
    form: Literal["length", "squared"]
    limits: Sequence[float | None]


class RopeKeys(_Bears, total=False):
    anchors: Sequence[Vector]
    anchor_a: Vector
    anchor_b: Vector
    collide_connected: bool
    length: float | Profile


class PulleyKeys(_Bears, total=False):
    anchors: Sequence[Vector]
    anchor_a: Vector
    anchor_b: Vector
    collide_connected: bool
    wheels: Sequence[Vector]
    wheel_arms: Sequence[Vector]
    wheels_on: Sequence[str | None]
    ratio: float
    length: float | Profile
    slack: bool


class SpringKeys(TypedDict, total=False):
    breaks_at: BreaksAt
    broken: bool
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
