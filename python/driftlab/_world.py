"""Worlds built by hand, with the words of scene files."""

from __future__ import annotations

from typing import Any, Sequence

from ._driftlab import Scene

Vector = Sequence[float]


def circle(radius: float, **place: Any) -> dict[str, Any]:
    """A disk, radius in m. Every shape takes offset=(x, y) in m and angle in rad, in the frame of its body."""
    return {"shape": "circle", "radius": radius, **place}


def box(width: float, height: float, **place: Any) -> dict[str, Any]:
    """A rectangle about the origin, m."""
    return {"shape": "box", "size": [width, height], **place}


def ellipse(a: float, b: float, **place: Any) -> dict[str, Any]:
    """An ellipse by its half axes along x and y, m."""
    return {"shape": "ellipse", "semi_axes": [a, b], **place}


def capsule(length: float, radius: float, **place: Any) -> dict[str, Any]:
    """All points within `radius` of a segment of `length` along x, m."""
    return {"shape": "capsule", "length": length, "radius": radius, **place}


def polygon(vertices: Sequence[Vector], **place: Any) -> dict[str, Any]:
    """A simple polygon, convex or not, by its vertices in order, m."""
    return {"shape": "polygon", "vertices": vertices, **place}


def half_plane(normal: Vector = (0.0, 1.0), offset: float = 0.0) -> dict[str, Any]:
    """All points p with normal·p ≤ offset (m), for bodies that are not dynamic: a floor."""
    return {"shape": "half_plane", "normal": normal, "offset": offset}


def polyline(points: Sequence[Vector], **place: Any) -> dict[str, Any]:
    """A chain of segments, for bodies that are not dynamic, m."""
    return {"shape": "polyline", "points": points, **place}


class World:
    """Bodies, joints, velocity constraints and springs to make a scene of. All keywords are the keys of scene files (docs/SCENES.md); what is wrong is told by
    `scene`, with its place.

    >>> world = World()
    >>> wall = world.add_body("wall", type="fixed")
    >>> bar = world.add_body("bar", position=(0.5, 0), shapes=[box(1, 0.1)])
    >>> world.add_joint("hinge", wall, bar, anchor=(0, 0))
    >>> world.scene(h=1e-3).bodies
    ['wall', 'bar']
    """

    def __init__(self, gravity: Vector = (0.0, -9.81)) -> None:
        """gravity: m/s²."""
        self.gravity = gravity
        self.bodies: list[dict[str, Any]] = []
        self.joints: list[dict[str, Any]] = []
        self.springs: list[dict[str, Any]] = []

    def add_body(self, name: str, *, position: Vector = (0.0, 0.0), **keys: Any) -> str:
        """Adds a body at `position` (m) and returns its name. keys: type, angle, velocity, angular_velocity, shapes, density, mass,
        inertia, friction, restitution, collides, group, …"""
        self.bodies.append({"name": name, "position": position, **keys})
        return name

    def add_joint(self, kind: str, a: str, b: str, **keys: Any) -> None:
        """Adds a joint between two bodies: 'hinge' (anchor), 'distance' (anchors, length), 'weld' (anchor) or 'slider' (anchor, axis);
        hinge and slider take limits and motor."""
        self.joints.append({"joint": kind, "bodies": [a, b], **keys})

    def add_velocity_constraint(self, kind: str, **keys: Any) -> None:
        """Adds a non-holonomic constraint: 'knife_edge' (body, anchor, axis), 'rolling' (body, on, radius) or 'prescribed_velocity' (body,
        anchor, velocity); positions in m, velocities in m/s."""
        self.joints.append({"joint": kind, **keys})

    def add_spring(self, a: str, b: str, **keys: Any) -> None:
        """Adds a spring between two bodies: stiffness (N/m), damping (N s/m), rest_length (m), anchors."""
        self.springs.append({"bodies": [a, b], **keys})

    def scene(self, name: str = "World", *, h: float = 1e-3, scheme: str | None = None, **options: Any) -> Scene:
        """The scene of this world with a time step h in s. options: those of `Scene.under`.

        Raises SceneError with every problem of the world.
        """
        keys: dict[str, Any] = {"format": "driftlab-scene/1", "name": name, "gravity": self.gravity}
        keys |= {"settings": {"time_step": h}, "bodies": self.bodies}
        keys |= {key: own for key, own in (("joints", self.joints), ("springs", self.springs)) if own}
        return Scene.from_dict(keys).under(scheme, **options)
