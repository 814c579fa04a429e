"""Masses of bodies whose shapes say something else.

In a scene the centre of mass is the centroid of a body's shapes. An engine that was told another one gets a shape more, which collides with
nothing.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ._lines import Array


def area_of(shape: dict[str, Any]) -> tuple[float, Array, float]:
    """Area, m², its centroid in the body's frame, m, and its second moment about that, m⁴; of a shape that encloses none, zeros."""
    offset = np.asarray(shape.get("offset", (0.0, 0.0)), dtype=float) if shape["shape"] != "half_plane" else np.zeros(2)
    match shape["shape"]:
        case "circle":
            area = math.pi * shape["radius"] ** 2
            return area, offset, area * shape["radius"] ** 2 / 2
        case "box":
            w, h = shape["size"]
            return w * h, offset, w * h * (w * w + h * h) / 12
        case "ellipse":
            a, b = shape["semi_axes"]
            return math.pi * a * b, offset, math.pi * a * b * (a * a + b * b) / 4
        case "capsule":
            length, r = shape["length"], shape["radius"]
            box, disk = 2 * r * length, math.pi * r * r
            # Two half disks, whose centroids lie 4 r/(3 π) beyond the ends.
            out = 4 * r / (3 * math.pi)
            ends = disk * r * r / 2 - disk * out**2 + disk * (length / 2 + out) ** 2
            return box + disk, offset, box * (length**2 + (2 * r) ** 2) / 12 + ends
        case "polygon":
            p = np.asarray(shape["vertices"], dtype=float)
            first = p[0].copy()
            p = p - first
            n = np.roll(p, -1, axis=0)
            twice = p[:, 0] * n[:, 1] - p[:, 1] * n[:, 0]
            area = twice.sum() / 2
            centroid = (p + n).T @ twice / (6 * area)
            second = float(twice @ ((p * p + p * n + n * n).sum(axis=1))) / 12 - area * float(centroid @ centroid)
            second = abs(second)
            if r := shape.get("radius", 0.0):
                area, centroid, second = _rounded(p if area > 0 else p[::-1], r, abs(float(area)), centroid, second)
            turn = shape.get("angle", 0.0)
            c, s = math.cos(turn), math.sin(turn)
            at = offset + np.array([[c, -s], [s, c]]) @ (centroid + first)
            return abs(float(area)), at, second
    return 0.0, offset, 0.0


def _rounded(p: Array, r: float, area: float, centroid: Array, second: float) -> tuple[float, Array, float]:
    """Area, centroid and second moment of a convex polygon with corners p, counter-clockwise, that is rounded by r: itself, a strip along each
    edge and a sector about each corner."""
    along = np.roll(p, -1, axis=0) - p
    length = np.hypot(*along.T)
    out = np.stack([along[:, 1], -along[:, 0]], axis=1) / length[:, None]
    parts = [(area, centroid, second)]
    for a, l, n, before, step in zip(p, length, out, np.roll(out, 1, axis=0), along, strict=True):
        parts.append((l * r, a + step / 2 + n * r / 2, l * r * (l * l + r * r) / 12))
        turn = math.atan2(before[0] * n[1] - before[1] * n[0], float(before @ n))
        arm = 4 * r * math.sin(turn / 2) / (3 * turn) * (before + n) / np.hypot(*(before + n)) if turn else 0 * n
        parts.append((turn * r * r / 2, a + arm, turn * r * r / 2 * (r * r / 2 - float(arm @ arm))))
    whole = sum(part for part, _, _ in parts)
    middle = sum((part * at for part, at, _ in parts), np.zeros(2)) / whole
    return whole, middle, sum(own + part * float((at - middle) @ (at - middle)) for part, at, own in parts)


def massed(mass: float, inertia: float, center: Array, shapes: list[dict[str, Any]], rounding: float) -> dict[str, Any]:
    """The keys mass, inertia and shapes of a body with this mass, kg, moment of inertia about its centre of mass, kg m², and centre of mass in its
    frame, m. rounding: the engine's own, relative to the size of the body."""
    areas = [area_of(shape) for shape in shapes]
    whole = sum(area for area, _, _ in areas)
    centroid = sum((area * at for area, at, _ in areas), np.zeros(2)) / whole if whole > 0 else np.zeros(2)
    size = math.sqrt(whole) + float(np.abs(center).max())
    keys: dict[str, Any] = {"mass": mass, "inertia": inertia}
    if np.abs(centroid - center).max() <= rounding * size:
        return keys | ({"shapes": shapes} if shapes else {})
    # A hundredth of the mass, or of the inertia if that is less, on the shapes; the rest on a disk that makes up for them.
    spread = sum(second + area * float((at - center) @ (at - center)) for area, at, second in areas)
    density = min(mass / whole, inertia / spread) / 100 if whole > 0 and spread > 0 else 0.0
    rest = mass - density * whole
    at = center - density * whole / rest * (centroid - center)
    left = inertia - density * spread - rest * float((at - center) @ (at - center))
    radius = math.sqrt(2 * left / rest)
    shapes = [{**shape, "density": density} if area_of(shape)[0] > 0 else shape for shape in shapes]
    ballast = {"shape": "circle", "radius": radius, "offset": at, "density": rest / (math.pi * radius**2)}
    return {"shapes": [*shapes, {**ballast, "categories": 0, "mask": 0}]}
