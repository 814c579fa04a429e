"""Worlds built by hand, with the words of scene files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Sequence, overload

from ._driftlab import Scene
from ._keys import Shape, Vector

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._keys import (
        BeadKeys, BodyKeys, DistanceKeys, GearKeys, HingeKeys, KnifeEdgeKeys, MaterialKeys, Method, MotorKeys, OwnSurface, PairKeys,
        Place, PrescribedVelocityKeys, PulleyKeys, RollingKeys, RopeKeys, Rule, SliderKeys, SlotKeys, SpringKeys, WeldKeys, WheelKeys,
    )  # fmt: skip

#: The scheme of a world that names none: that of a new scene in the window.
DEFAULT = "post_stabilization"


def circle(radius: float, **place: Unpack[Place]) -> Shape:
    """A disk, radius in m. Every shape takes offset=(x, y) in m and angle in rad, in the frame of its body, and in place of what its body has a density, a
    material, friction, static_friction, restitution, rolling_resistance, surface_speed, categories, mask and group."""
    return {"shape": "circle", "radius": radius, **place}


def box(width: float, height: float, **place: Unpack[Place]) -> Shape:
    """A rectangle about the origin, m."""
    return {"shape": "box", "size": [width, height], **place}


def ellipse(a: float, b: float, **place: Unpack[Place]) -> Shape:
    """An ellipse by its half axes along x and y, m."""
    return {"shape": "ellipse", "semi_axes": [a, b], **place}


def capsule(length: float, radius: float, **place: Unpack[Place]) -> Shape:
    """All points within `radius` of a segment of `length` along x, m."""
    return {"shape": "capsule", "length": length, "radius": radius, **place}


def polygon(vertices: Sequence[Vector], radius: float = 0.0, **place: Unpack[Place]) -> Shape:
    """A simple polygon, convex or not, by its vertices in order, m; a convex one with all points within `radius` of it, m."""
    rounded = {"radius": radius} if radius else {}
    return {"shape": "polygon", "vertices": vertices, **rounded, **place}


def half_plane(normal: Vector = (0.0, 1.0), offset: float = 0.0, **surface: Unpack[OwnSurface]) -> Shape:
    """All points p with normal·p ≤ offset (m), for bodies that are not dynamic: a floor."""
    return {"shape": "half_plane", "normal": normal, "offset": offset, **surface}


def polyline(points: Sequence[Vector], **place: Unpack[Place]) -> Shape:
    """A chain of segments, for bodies that are not dynamic, m."""
    return {"shape": "polyline", "points": points, **place}


def grid(rows: Sequence[str | Sequence[int]], cell: float, **place: Unpack[Place]) -> Shape:
    """Square cells of this size in m, from the lower left corner: rows of '#' and '.', or of 1 and 0, from the top to the bottom."""
    return {"shape": "grid", "rows": rows, "cell": cell, **place}


class World:
    """Bodies, joints, velocity constraints and springs to make a scene of. All keywords are the keys of scene files (docs/SCENES.md); what is wrong is told by
    `scene`, with its place.

    >>> world = World()
    >>> wall = world.add_body("wall", type="fixed")
    >>> bar = world.add_body("bar", position=(0.5, 0), shapes=[box(1, 0.1)])
    >>> hinge = world.add_joint("hinge", wall, bar, anchor=(0, 0))
    >>> scene = world.scene(h=1e-3)
    >>> scene.bodies, scene.joint_names[hinge], scene.label
    (['wall', 'bar'], 'hinge wall – bar', 'post_stabilization')
    """

    def __init__(self, gravity: Vector = (0.0, -9.81), wind: Vector = (0.0, 0.0)) -> None:
        """gravity: m/s². wind: m/s."""
        self.gravity, self.wind = gravity, wind
        self.fields: list[dict[str, Any]] = []
        self.bodies: list[dict[str, Any]] = []
        self.joints: list[dict[str, Any]] = []
        self.springs: list[dict[str, Any]] = []
        self.materials: list[dict[str, Any]] = []
        self.material_pairs: list[dict[str, Any]] = []
        self.combination: dict[str, Any] = {}
        self._joints = 0

    def add_body(self, name: str, **keys: Unpack[BodyKeys]) -> str:
        """Adds a body and returns its name. keys: position (m; by default the origin), type, angle, velocity, angular_velocity, shapes, density, mass,
        inertia, material, friction, static_friction, restitution, rolling_resistance, surface_speed, gravity_scale, linear_damping,
        angular_damping, linear_drag, quadratic_drag, collides, categories, mask, group, fixed_rotation, applied, motion."""
        self.bodies.append({"name": name, "position": (0.0, 0.0), **keys})
        return name

    def add_material(self, name: str, **keys: Unpack[MaterialKeys]) -> str:
        """Adds a material and returns its name, by which bodies and shapes take it. keys: density (kg/m²), friction, static_friction, restitution,
        rolling_resistance (m), surface_speed (m/s)."""
        self.materials.append({"name": name, **keys})
        return name

    def pair_materials(self, a: str, b: str, **keys: Unpack[PairKeys]) -> None:
        """States what two materials have together: friction, static_friction, restitution, rolling_resistance (m)."""
        self.material_pairs.append({"materials": [a, b], **keys})

    def combine(self, *, friction: Rule = "geometric", restitution: Rule = "max") -> None:
        """States how friction and restitution of two surfaces are combined."""
        self.combination = {"friction": friction, "restitution": restitution}

    @overload
    def add_joint(self, kind: Literal["hinge"], a: str, b: str, **keys: Unpack[HingeKeys]) -> int: ...
    @overload
    def add_joint(self, kind: Literal["slider"], a: str, b: str, **keys: Unpack[SliderKeys]) -> int: ...
    @overload
    def add_joint(self, kind: Literal["slot"], a: str, b: str, **keys: Unpack[SlotKeys]) -> int: ...
    @overload
    def add_joint(self, kind: Literal["wheel"], a: str, b: str, **keys: Unpack[WheelKeys]) -> int: ...
    @overload
    def add_joint(self, kind: Literal["motor"], a: str, b: str, **keys: Unpack[MotorKeys]) -> int: ...
    @overload
    def add_joint(self, kind: Literal["bead"], a: str, b: str, **keys: Unpack[BeadKeys]) -> int: ...
    @overload
    def add_joint(self, kind: Literal["weld"], a: str, b: str, **keys: Unpack[WeldKeys]) -> int: ...
    @overload
    def add_joint(self, kind: Literal["distance"], a: str, b: str, **keys: Unpack[DistanceKeys]) -> int: ...
    @overload
    def add_joint(self, kind: Literal["rope"], a: str, b: str, **keys: Unpack[RopeKeys]) -> int: ...
    @overload
    def add_joint(self, kind: Literal["pulley"], a: str, b: str, **keys: Unpack[PulleyKeys]) -> int: ...
    def add_joint(self, kind: str, a: str, b: str, **keys: Any) -> int:
        """Adds a joint between two bodies and returns its place in the order of joints: 'hinge' (anchor), 'distance' (anchors, length
        or limits), 'rope' (anchors, length), 'pulley' (anchors, wheels, ratio, length), 'weld' (anchor),
        'slider' or 'slot' (anchor, axis), 'wheel' (anchor, axis, stiffness, damping), 'bead' (anchors, curve) or 'motor' (anchor, frequency, max_force, max_torque); hinge, slider, slot and wheel take
        limits, motor and friction."""
        self.joints.append({"joint": kind, "bodies": [a, b], **keys})
        self._joints += 1
        return self._joints - 1

    def add_gear(self, first: int, second: int, ratio: float, **keys: Unpack[GearKeys]) -> int:
        """Ties two hinges or sliders, given by their places in the order of joints, x₁ + ratio · x₂ = constant (by default as placed), and
        returns the gear's place. x is an angle in rad or a displacement in m."""
        self.joints.append({"joint": "gear", "joints": [first, second], "ratio": ratio, **keys})
        self._joints += 1
        return self._joints - 1

    @overload
    def add_velocity_constraint(self, kind: Literal["knife_edge"], **keys: Unpack[KnifeEdgeKeys]) -> None: ...
    @overload
    def add_velocity_constraint(self, kind: Literal["rolling"], **keys: Unpack[RollingKeys]) -> None: ...
    @overload
    def add_velocity_constraint(
        self, kind: Literal["prescribed_velocity"], **keys: Unpack[PrescribedVelocityKeys]
    ) -> None: ...
    def add_velocity_constraint(self, kind: str, **keys: Any) -> None:
        """Adds a non-holonomic constraint: 'knife_edge' (body, anchor, axis), 'rolling' (body, on, radius) or 'prescribed_velocity' (body,
        anchor, velocity); positions in m, velocities in m/s."""
        self.joints.append({"joint": kind, **keys})

    def add_spring(self, a: str, b: str, **keys: Unpack[SpringKeys]) -> None:
        """Adds a spring between two bodies: stiffness (N/m), damping (N s/m), rest_length (m), anchors; or a torsional one by rest_angle
        (rad), stiffness (N m/rad) and damping (N m s/rad)."""
        self.springs.append({"bodies": [a, b], **keys})

    def scene(self, name: str = "World", *, h: float = 1e-3, scheme: str | None = None, **options: Unpack[Method]) -> Scene:
        """The scene of this world with a time step h in s. scheme: by default 'post_stabilization', that of a new scene in the window; a
        scene file that names none has 'none'. options: those of `Scene.under`.

        Raises SceneError with every problem of the world.
        """
        keys: dict[str, Any] = {"format": "driftlab-scene/1", "name": name, "gravity": self.gravity}
        if tuple(self.wind) != (0.0, 0.0):
            keys["wind"] = self.wind
        if self.fields:
            keys["fields"] = self.fields
        keys |= {"settings": {"time_step": h, "stabilizer": {"kind": DEFAULT}}, "bodies": self.bodies}
        more = {"joints": self.joints, "springs": self.springs, "materials": self.materials}
        more |= {"material_pairs": self.material_pairs, "combination": self.combination}
        keys |= {key: own for key, own in more.items() if own}
        return Scene.from_dict(keys).under(scheme, **options)
