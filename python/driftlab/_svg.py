"""A scene as a small SVG picture: the bodies' shapes where they stand, and a dot for each joint."""

from __future__ import annotations

import math
from html import escape
from typing import Any, Iterable

from ._driftlab import Scene

#: Longer side of the picture, px.
SIZE = 280.0
#: Part of the picture's extent that stays free on each side.
MARGIN = 0.05
FILLS = {"dynamic": "#8fb3d9", "kinematic": "#d9b98f", "fixed": "#bdbdbd"}


def drawn(scene: Scene) -> str:
    """The picture; y points up."""
    keys = scene.to_dict()
    bodies = keys["bodies"]
    points = [point for body in bodies for point in _extent(body)] or [(-1.0, -1.0), (1.0, 1.0)]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    low, high = min(y for _, y in points), max(y for _, y in points)
    extent = max(right - left, high - low) or 1.0
    margin = MARGIN * extent
    width, height = max(right - left, 0.2 * extent) + 2 * margin, max(high - low, 0.2 * extent) + 2 * margin
    left, top = 0.5 * (left + right - width), 0.5 * (low + high + height)
    scale = SIZE / max(width, height)
    shapes = "".join(_body(body, 2 * (width + height)) for body in bodies)
    named = {body["name"]: body for body in bodies}
    dots = "".join(_joint(joint, named, 2.5 / scale) for joint in keys.get("joints", []) if "anchor_b" in joint)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{scale * width:.0f}" height="{scale * height:.0f}" '
        f'viewBox="{left:.6g} {-top:.6g} {width:.6g} {height:.6g}"><title>{escape(scene.name)}</title>'
        f'<g transform="scale(1,-1)" stroke="#333" stroke-width="{1 / scale:.6g}" stroke-linejoin="round">{shapes}</g>'
        f'<g transform="scale(1,-1)" fill="#c0392b">{dots}</g></svg>'
    )


def _body(body: dict[str, Any], far: float) -> str:
    x, y = body["position"]
    fill = FILLS[body.get("type", "dynamic")]
    shapes = "".join(_shape(shape, far) for shape in body.get("shapes", []))
    title = f"<title>{escape(body['name'])}</title>"
    return f'<g transform="{_placed((x, y), body.get("angle", 0.0))}" fill="{fill}">{title}{shapes}</g>'


def _joint(joint: dict[str, Any], bodies: dict[str, Any], radius: float) -> str:
    """Where it holds its second body."""
    body = bodies[joint["bodies"][1]]
    (x, y), (u, v), angle = body["position"], joint["anchor_b"], body.get("angle", 0.0)
    c, s = math.cos(angle), math.sin(angle)
    return f'<circle cx="{x + c * u - s * v:.6g}" cy="{y + s * u + c * v:.6g}" r="{radius:.6g}"/>'


def _placed(offset: Iterable[float], angle: float) -> str:
    x, y = offset
    return f"translate({x:.6g},{y:.6g}) rotate({math.degrees(angle):.6g})"


def _shape(shape: dict[str, Any], far: float) -> str:
    kind = shape["shape"]
    # That of a half-plane lies in its normal.
    offset = (0.0, 0.0) if kind == "half_plane" else shape.get("offset", (0.0, 0.0))
    place = f'transform="{_placed(offset, shape.get("angle", 0.0))}"'
    if kind == "circle":
        r = shape["radius"]
        return f'<circle r="{r:.6g}" {place}/><path d="M0,0H{r:.6g}" {place}/>'
    if kind == "ellipse":
        a, b = shape["semi_axes"]
        return f'<ellipse rx="{a:.6g}" ry="{b:.6g}" {place}/>'
    if kind == "half_plane":
        (nx, ny), d = shape["normal"], shape.get("offset", 0.0)
        n = math.hypot(nx, ny)
        nx, ny = nx / n, ny / n
        # Its distance along the normal, or a point of its boundary.
        d = d if isinstance(d, (int, float)) else nx * d[0] + ny * d[1]
        ends = [(d * nx - s * far * ny, d * ny + s * far * nx) for s in (-1, 1)]
        deep = [(x - far * nx, y - far * ny) for x, y in reversed(ends)]
        return f'<polygon points="{_list(ends + deep)}" {place}/>'
    if kind == "polyline":
        return f'<polyline points="{_list(shape["points"])}" fill="none" {place}/>'
    if kind == "polygon":
        if shape.get("radius", 0.0):
            return f'<path d="{_rounded(shape["vertices"], shape["radius"])}" {place}/>'
        return f'<polygon points="{_list(shape["vertices"])}" {place}/>'
    if kind == "capsule":
        l, r = shape["length"], shape["radius"]
        w, h, corner = l + 2 * r, 2 * r, r
    else:
        (w, h), corner = shape["size"], 0.0
    return f'<rect x="{-w / 2:.6g}" y="{-h / 2:.6g}" width="{w:.6g}" height="{h:.6g}" rx="{corner:.6g}" {place}/>'


def _rounded(corners: list[list[float]], r: float) -> str:
    """The outline of a convex polygon that is rounded by r: its edges, moved outwards, and arcs between them."""
    edges = list(zip(corners, [*corners[1:], corners[0]], strict=True))
    left = sum(a[0] * b[1] - a[1] * b[0] for a, b in edges) > 0
    out = r if left else -r
    path = []
    for (ax, ay), (bx, by) in edges:
        length = math.hypot(bx - ax, by - ay)
        nx, ny = out * (by - ay) / length, out * (ax - bx) / length
        move = f"A{r:.6g},{r:.6g} 0 0,{int(left)} " if path else "M"
        path.append(f"{move}{ax + nx:.6g},{ay + ny:.6g}L{bx + nx:.6g},{by + ny:.6g}")
    first = path[0][1:].partition("L")[0]
    return f"{''.join(path)}A{r:.6g},{r:.6g} 0 0,{int(left)} {first}Z"


def _list(points: Iterable[Iterable[float]]) -> str:
    return " ".join(f"{x:.6g},{y:.6g}" for x, y in points)


def _extent(body: dict[str, Any]) -> Iterable[tuple[float, float]]:
    """Points whose bounding box holds the body; half-planes, which have no end, count by their boundary's nearest point."""
    x, y = body["position"]
    angle = body.get("angle", 0.0)
    c, s = math.cos(angle), math.sin(angle)
    yield x, y
    for shape in body.get("shapes", []):
        if shape["shape"] == "half_plane":
            continue
        r = _radius(shape)
        ox, oy = shape.get("offset", (0.0, 0.0))
        turned = angle + shape.get("angle", 0.0)
        corners = shape.get("points") or shape.get("vertices")
        if shape["shape"] == "box":
            w, h = shape["size"]
            corners = [(i * w / 2, j * h / 2) for i in (-1, 1) for j in (-1, 1)]
        px, py = x + c * ox - s * oy, y + s * ox + c * oy
        if corners:
            ct, st = math.cos(turned), math.sin(turned)
            for u, v in corners:
                qx, qy = px + ct * u - st * v, py + st * u + ct * v
                yield from ((qx - r, qy - r), (qx + r, qy + r))
        else:
            yield from ((px - r, py - r), (px + r, py + r))


def _radius(shape: dict[str, Any]) -> float:
    kind = shape["shape"]
    if kind == "capsule":
        return float(shape["length"] / 2 + shape["radius"])
    if kind == "ellipse":
        return float(max(shape["semi_axes"]))
    return float(shape.get("radius", 0.0))
