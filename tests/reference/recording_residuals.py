"""The errors of every step of a recording from the definitions in docs/RECORDING.md and docs/SCENES.md alone: what `driftlab judge` is held against.

Run: python3 tests/reference/recording_residuals.py [FILE…]        (numpy)
It writes a table beside each file. Without files it does those of `recordings/`, and compares with their tables there (--write keeps new ones).

Momentum: |M (v⁺ − v⁻) − all impulses|, the largest of the bodies, N s and N m s, and in units of the sizes of its terms. Works, J: an impulse times the mean of v⁻ and
v⁺; gravity's is that of the places; `pressing` and `rubbing` are of contacts along and across their normals; `left` is what of the kinetic energy's change they do not make. nan: the file does not say.
Not read: pulleys, gears, beads, motor joints, squared distances, fields, drag and applied forces without `external`.
"""

import csv, gzip, json, math, pathlib, sys

import numpy as np

FOLDER = pathlib.Path(__file__).parent / "recordings"
RULES = {"mean": lambda a, b: (a + b) / 2, "geometric": lambda a, b: math.sqrt(a * b), "min": min, "max": max, "product": lambda a, b: a * b}
PARTS = {"motor": "motor", "friction": "friction", "lower_limit": "limit", "upper_limit": "limit", "suspension": "spring", None: "joint"}
WORKS = ("gravity", "joint", "motor", "friction", "limit", "spring", "pressing", "rubbing", "hand", "external")
turn = lambda a: np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])
left_of = lambda p: np.array([-p[1], p[0]])
cross = lambda a, b: a[0] * b[1] - a[1] * b[0]


def area(shape):
    """Area of a shape, its centroid in the body, and its second moment about that."""
    pi, at, kind = math.pi, shape.get("offset", 0), shape["shape"]
    at = np.array(at if np.ndim(at) else (0, 0), float)
    if kind in ("circle", "ellipse"):
        a, b = shape.get("semi_axes", (shape.get("radius"),) * 2)
        return pi * a * b, at, pi * a * b * (a * a + b * b) / 4
    if kind in ("box", "capsule"):  # the ends of a capsule are half disks, whose centroids lie 4 r/(3 π) beyond the box
        w, h = shape.get("size", (shape.get("length"), 2 * shape.get("radius", 0)))
        r = shape.get("radius", 0)
        ends = pi * r * r * (r * r / 2 - (4 * r / (3 * pi)) ** 2 + (w / 2 + 4 * r / (3 * pi)) ** 2)
        return w * h + pi * r * r, at, w * h * (w * w + h * h) / 12 + ends
    if kind != "polygon" or shape.get("radius"):
        assert kind != "polygon", "rounded polygons are not read"
        return 0.0, at, 0.0
    p = np.array(shape["vertices"], float)
    first, p = p[0], p - p[0]
    n = np.roll(p, -1, 0)
    twice = p[:, 0] * n[:, 1] - p[:, 1] * n[:, 0]
    middle = (p + n).T @ twice / (3 * twice.sum())
    second = twice @ (p * p + p * n + n * n).sum(1) / 12 - twice.sum() / 2 * middle @ middle
    return abs(twice.sum() / 2), at + turn(shape.get("angle", 0)) @ (middle + first), abs(second)


class Body:
    def __init__(self, own):
        shapes, told = own.get("shapes", ()), "mass" in own
        parts = [(a * (1 if told else s.get("density", own.get("density", 1000))), at, i / (a or 1)) for s in shapes for a, at, i in [area(s)]]
        whole = sum(m for m, _, _ in parts)
        self.middle = sum((m * at for m, at, _ in parts), np.zeros(2)) / (whole or 1)
        inertia = sum(m * (i + (at - self.middle) @ (at - self.middle)) for m, at, i in parts) * (own["mass"] / (whole or 1) if told else 1)
        self.M = np.array([own.get("mass", whole)] * 2 + [own.get("inertia", inertia)])
        self.name, self.moves = own["name"], own.get("type", "dynamic") == "dynamic"
        self.turns, self.scale = not own.get("fixed_rotation"), own.get("gravity_scale", 1)
        self.friction = {s.get("friction", own.get("friction", 0.3)) for s in shapes}
        self.v = np.array([*own.get("velocity", (0, 0)), own.get("angular_velocity", 0)], float)
        self.go([*own["position"], own.get("angle", 0)])

    def go(self, q):
        self.q, self.center = (None, None) if q is None else (np.array(q, float), np.array(q[:2]) + turn(q[2]) @ self.middle)

    def at(self, point):  # of the body's coordinates: its place and velocity
        arm = turn(self.q[2]) @ point + self.q[:2] - self.center
        return self.center + arm, self.v[:2] + self.v[2] * left_of(arm)


class Joint:
    def __init__(self, own, bodies):
        ends = self.ends = [next(b for b in bodies if b.name == name and b.q is not None) for name in own.get("bodies", ())]
        self.own, self.kind = own, own["joint"] if own["joint"] in ("hinge", "weld", "slider", "slot", "wheel", "distance", "rope") else None
        if self.kind:
            local = lambda b, p: turn(-b.q[2]) @ (np.array(p, float) - b.q[:2])
            anchors = own.get("anchors", [own.get("anchor")] * 2)
            self.arms = [np.array(own[key]) if key in own else local(b, p) for key, b, p in zip(("anchor_a", "anchor_b"), ends, anchors)]
            axis = np.array(own["axis_a"]) if "axis_a" in own else turn(-ends[0].q[2]) @ np.array(own.get("axis", (1, 0)), float)
            self.axis, self.angle = axis / math.hypot(*axis), own.get("reference_angle", ends[1].q[2] - ends[0].q[2])
            self.length = own.get("length", math.hypot(*(ends[1].at(self.arms[1])[0] - ends[0].at(self.arms[0])[0])))

    def errors(self):  # m and rad, and their rates; of a distance with limits what is beyond them
        (a, b), ((pa, va), (pb, vb)) = self.ends, (body.at(arm) for body, arm in zip(self.ends, self.arms))
        (d, rate), stiff = (pb - pa, vb - va), self.kind in ("weld", "slider")
        angle, spin = (abs(b.q[2] - a.q[2] - self.angle), abs(b.v[2] - a.v[2])) if stiff else (0, 0)
        if self.kind in ("hinge", "weld"):
            return math.hypot(*d), angle, math.hypot(*rate), spin
        if self.kind in ("slider", "slot", "wheel"):
            across = left_of(turn(a.q[2]) @ self.axis)
            return abs(across @ d), angle, abs(across @ rate + a.v[2] * left_of(across) @ d), spin
        low, high = self.own.get("limits", (0 if self.kind == "rope" else self.length, self.length))
        low, high, r = low or 0, math.inf if high is None else high, math.hypot(*d)
        return max(r - high, low - r, 0), 0, abs(d @ rate) / r if low == high or r > high or r < low else 0, 0


def judged(head, lines):
    scene, time, bodies, joints, springs = head["scene"], 0.0, [], [], []
    gravity, rule = np.array(scene.get("gravity", (0, -9.81))), RULES[scene.get("combination", {}).get("friction", "geometric")]
    present = lambda: [b for b in bodies if b.moves and b.q is not None]
    energies = lambda: (sum(b.M @ b.v**2 for b in present()) / 2, -sum(b.M[0] * b.scale * gravity @ b.center for b in present()))
    for number, line in enumerate([scene, *lines]):
        for i in line.get("went", {}).get("bodies", ()):
            bodies[i].q = None
        for i in line.get("went", {}).get("joints", ()):
            joints[i].kind = None
        came = line if number == 0 else line.get("came", {})
        bodies += map(Body, came.get("bodies", ()))
        joints += [Joint(own, bodies) for own in came.get("joints", ()) if own["joint"] not in ("knife_edge", "rolling", "prescribed_velocity")]
        springs += came.get("springs", ())
        if number == 0:
            continue
        h, time = line.get("h", head.get("time_step", line["t"] - time)), line["t"]
        before, was, energy = [(b.center, b.q) for b in bodies], [b.v for b in bodies], energies()
        for b, q, v, (center, old) in zip(bodies, line["q"], line.get("v") or [None] * len(bodies), before):
            b.go(q)
            b.v = b.v if q is None else np.array(v) if v else np.array([*(b.center - center), q[2] - old[2]]) / h
        about = [c for c, _ in before] if head.get("contacts_at") == "begin" else [b.center for b in bodies]
        weight = [[bodies.index(b), *(h * b.M[0] * b.scale * gravity), 0] for b in present()]
        acting = [("gravity", j) for j in weight] + [("hand", j) for j in line.get("hand", ())]
        if "external" in line:
            acting += [("external", j) for j in line["external"]] + [("external", [j[0], -j[1], -j[2], 0]) for j in weight]
        acting += [("spring" if "spring" in own else PARTS[own.get("part")], j) for own in line.get("acted", ()) for j in own.get("on", ())]
        worst = {"penetration": 0, "least_normal": 0, "beyond_cone": 0, "normal_work": 0}
        for c in line.get("contacts", ()):
            (a, b), n, (p_n, p_t, L), p_b = c["bodies"], np.array(c["normal"]), c.get("impulse", (0, 0, 0)), np.array(c["point"])
            p, p_a, surfaces = p_n * n - p_t * left_of(n), np.array(c.get("point_a", p_b)), [bodies[i].friction for i in c["bodies"]]
            for kind, part, twist in (("pressing", p_n * n, 0), ("rubbing", p - p_n * n, L)):
                acting += [(kind, [i, *(s * part), s * (cross(at - about[i], part) + twist)]) for i, s, at in ((a, -1, p_a), (b, 1, p_b))]
            mu = c.get("friction", rule(*map(min, surfaces)) if [len(own) for own in surfaces] == [1, 1] else math.inf)
            apart = n @ np.subtract(*(bodies[i].v[:2] + bodies[i].v[2] * left_of(at - about[i]) for i, at in ((b, p_b), (a, p_a))))
            for key, value in zip(worst, (-c.get("gap", 0), -p_n, abs(p_t) - mu * max(p_n, 0), abs(p_n * apart))):
                worst[key] = max(worst[key], value)
        work, off, share = dict.fromkeys(WORKS, 0.0), np.zeros(2), 0.0
        for b in present():
            i, bound = bodies.index(b), np.array([1, 1, b.turns])
            terms = [(kind, j[1:] * bound) for kind, j in acting if j[0] == i]
            for kind, j in terms:
                work[kind] += j @ (was[i] + b.v) / 2
            wrong = bound * b.M * (b.v - was[i]) - sum(j for _, j in terms)
            size = b.M * (abs(b.v) + abs(was[i])) + sum(abs(j) for _, j in terms)
            size = math.hypot(*size[:2]), size[2] + math.hypot(*size[:2]) * math.hypot(*b.center)
            wrong = np.array([math.hypot(*wrong[:2]), abs(wrong[2])])
            off, share = np.maximum(off, wrong), max(share, *(wrong / np.maximum(size, 1e-300)))
        said = 1 if ("contacts" in line or not any(b.friction for b in bodies)) and ("acted" in line or not joints + springs) else math.nan
        errors = np.max([(0,) * 4] + [j.errors() for j in joints if j.kind and all(b.q is not None for b in j.ends)], axis=0)
        (kinetic, potential), names = energies(), ("joint_error_m", "joint_error_rad", "joint_rate_m", "joint_rate_rad")
        work["gravity"] = energy[1] - potential
        row = {"step": number, "time": time, **dict(zip(names, errors)), "momentum": off[0] * said, "angular_momentum": off[1] * said, "share": share * said}
        row |= {**worst, "kinetic_energy": kinetic, "potential_energy": potential, **{f"{kind}_work": own for kind, own in work.items()}}
        yield row | {"left": (kinetic - energy[0] - sum(work.values())) * said}


files = [pathlib.Path(name) for name in sys.argv[1:] if name != "--write"]
for path in files or sorted([*FOLDER.glob("*.jsonl"), *FOLDER.glob("*.jsonl.gz")]):
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as file:
        head, *lines = map(json.loads, file)
    rows, table = list(judged(head, lines)), path.with_name(path.name.split(".jsonl")[0] + ".csv")
    if not files and "--write" not in sys.argv:
        for row, old in zip(rows, csv.DictReader(table.open()), strict=True):
            assert all(np.isclose(row[key], float(old[key]), rtol=1e-6, atol=1e-12, equal_nan=True) for key in row), (path, row, old)
    else:
        with table.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([rows[0], *([repr(float(own)) for own in row.values()] for row in rows)])
    told = {key: max(abs(row[key]) for row in rows) for key in rows[0] if "error" in key or key in ("momentum", "angular_momentum", "share", "penetration", "beyond_cone", "left")}
    print(path.name, len(rows), *(f"{key} {own:.2g}" for key, own in told.items()), sep="  ")
