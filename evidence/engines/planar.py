"""What of_mujoco.py and of_drake.py share: a body's mass, a run's figures, and the rows of reference.csv."""

import csv
import math
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).parent
FILE = HERE / "reference.csv"


def turned(angle, point):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([c * point[0] - s * point[1], s * point[0] + c * point[1]])


def mass_of(shape):
    """Area and moment of inertia per density about the shape's middle."""
    if shape["shape"] == "box":
        w, h = shape["size"]
        return w * h, w * h * (w * w + h * h) / 12
    area = math.pi * shape["radius"] ** 2
    return area, area * shape["radius"] ** 2 / 2


def mass_and_inertia(body):
    """kg and kg m² of a body of a scene, whose shapes lie at its centre."""
    area, second = (sum(own) for own in zip(*map(mass_of, body["shapes"])))
    mass = body.get("mass") or area * body.get("density", 1000)
    return mass, mass * second / area


def hinges(scene):
    """Bodies of each hinge, and its place from their centres along the axes of the world, m."""
    bodies = scene["bodies"]
    names = {body.get("name"): index for index, body in enumerate(bodies)}
    for joint in scene.get("joints", []):
        a, b = (names[own] if isinstance(own, str) else own for own in joint["bodies"])
        assert joint["joint"] == "hinge" and not {"motor", "limits"} & set(joint)
        yield a, b, [arm(joint, end, bodies[own]) for end, own in zip("ab", (a, b))]


def arm(joint, end, body):
    """From a body's centre to its end of a hinge, which a scene names in the world or in the body's axes."""
    own = joint.get(f"anchor_{end}")
    if own is not None:
        return turned(body.get("angle", 0), own)
    return np.array(joint["anchor"], float) - np.array(body["position"], float)


def largest_opening(joints, poses, start):
    """How far the two ends of a hinge are apart at most, m; bodies stand at `start` where hinges are closed."""
    way = poses[:, 2] - start[:, 2]
    gaps = [
        np.hypot(*(poses[b][:2] + turned(way[b], arms[1]) - poses[a][:2] - turned(way[a], arms[0])))
        for a, b, arms in joints
    ]
    return max(gaps, default=0.0)


def measured(quantity, moments):
    """As evidence/src/engines/measure.rs measures ours; a moment is time, poses, velocities, the largest opening of a joint."""
    times = np.array([own[0] for own in moments])
    at = lambda time: moments[int(np.argmin(np.abs(times - time)))]  # noqa: E731
    first, steps = moments[0], moments[1:]
    pose = lambda time, body: at(time)[1][body]  # noqa: E731
    slid = lambda start, end: float(np.hypot(*(pose(end, 1) - pose(start, 1))[:2]))  # noqa: E731
    overlap = lambda own: 1 - abs(own[1][1][0] - own[1][0][0])  # noqa: E731
    return {
        "sag of box at 10 s": lambda: 0.5 - pose(10, 1)[1],
        "top circle below 9.5 m at 10 s": lambda: 9.5 - pose(10, -1)[1],
        "apex sink at 10 s": lambda: first[1][-1][1] - pose(10, -1)[1],
        "largest |x| displacement at 10 s": lambda: np.abs(at(10)[1] - first[1])[:, 0].max(),
        "left creep speed 20-60 s": lambda: 1e3 * (pose(60, 1) - pose(20, 1))[0] / 40,
        "right creep speed 20-60 s": lambda: 1e3 * (pose(60, 2) - pose(20, 2))[0] / 40,
        "heavy height at 60 s less 11 m": lambda: pose(60, -1)[1] - 11,
        "light sink at 60 s (0.5 - y)": lambda: 0.5 - 0.5 * (pose(60, 1)[1] + pose(60, 2)[1]),
        "slide at 10 s": lambda: slid(0, 10),
        "creep speed 5-10 s": lambda: 1e3 * slid(5, 10) / 5,
        "largest joint error": lambda: max(own[3] for own in steps),
        "largest joint error at end": lambda: moments[-1][3],
        "rms of largest joint error": lambda: math.sqrt(np.mean([own[3] ** 2 for own in steps])),
        "overlap after 1 step": lambda: overlap(moments[1]),
        "overlap after 0.1 s": lambda: overlap(at(0.1)),
        "separation speed at 5 s": lambda: abs((at(5)[2][1] - at(5)[2][0])[0]),
        "apex height at 10 s": lambda: pose(10, -1)[1],
        "largest speed of positions": lambda: max(
            np.hypot(*(b[1] - a[1])[:, :2].T).max() / (b[0] - a[0]) for a, b in zip(moments, steps)
        ),
    }[quantity]()


def keep(scheme, engine, rows):
    """With --write puts the rows of a scheme into reference.csv, otherwise compares them with what it has."""
    with FILE.open() as file:
        kept = list(csv.reader(file))
    if "--write" in sys.argv:
        others = [row for row in kept if row[0] != scheme]
        with FILE.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(others + rows)
        return
    own = [row for row in kept if row[0] == scheme]
    assert [row[:3] for row in own] == [row[:3] for row in rows], "other figures"
    pairs = [(float(a[3]), float(b[3]), float(b[6])) for a, b in zip(own, rows)]
    apart = max(abs(a - b) / max(abs(b), bound) for a, b, bound in pairs)
    print(f"{engine}: {len(rows)} figures of scenes, apart from the kept ones by a share of {apart:.1e} at most")
    assert apart < 1e-3
