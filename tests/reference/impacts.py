"""Three classics of impact and friction, integrated from event to event: what three scenes are judged by.

Run: python3 tests/reference/impacts.py        (numpy and scipy; a few seconds)
It prints the numbers with the digits on which two tolerances agree, and fails if they differ from those of the scenes.

Between events an equation of motion in minimal coordinates is integrated by DOP853, with the contacts that are closed as equations and
Coulomb's force against their sliding; at an impact Newton's law holds, v+ = -e v-, and the impulses obey Coulomb's law. Nothing here is
shared with the engine, which knows no events.
"""

import itertools
import json
from pathlib import Path

import numpy as np
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq

SCENES = Path(__file__).parents[2] / "scenes"


def judged(scene, part):
    """The number that a scene's reference states whose label begins so."""
    entries = json.loads((SCENES / f"{scene}.json").read_text())["reference"]
    (entry,) = [entry for entry in entries if entry["label"].startswith(part)]
    return entry["about"]


def check(name, found, expected, tolerance):
    assert abs(found - expected) < tolerance, (name, found, expected)
    print(f"  {name}: {found:.10f}")


# A rocking block [Housner 1963]: a block of 0.2 m x 1 m rocks on its lower corners, I = 4/3 m R², and each impact leaves (1 - 3/2 sin² a)²
# of its energy. The time from the upright to the height p, by quadrature with p (1 - s²) in place of the angle.
ALPHA, P2 = np.arctan(0.2), 3 * 9.81 / (4 * np.hypot(0.2, 1) / 2)
KEPT = (1 - 1.5 * np.sin(ALPHA) ** 2) ** 2
below = lambda p: ALPHA - np.arccos(np.cos(ALPHA) + KEPT * (np.cos(ALPHA - p) - np.cos(ALPHA)))
rate = lambda p, s: np.sqrt(2 * P2 * (np.cos(ALPHA - p) - np.cos(ALPHA - p * (1 - s * s))))
quarter = lambda p: quad(lambda s: 2 * p * s / rate(p, s), 1e-9, 1, epsabs=1e-13, epsrel=1e-12)[0]
heights = [ALPHA / 2]
for _ in range(5):
    heights.append(below(heights[-1]))
print("Rocking block")
check("second height, rad", -heights[1], judged("rocking-block", "the second swing"), 1e-10)
# It passes the upright upwards for the first time behind the first height and twice the second.
check("mean period, s", sum(quarter(p) for p in heights[2:6]), judged("rocking-block", "the period"), 1e-8)

# Slider-crank with clearance [Flores, Leine & Glocker 2010, table 1]: crank, connecting rod, and a slider with 1 mm of play between two
# guides. It starts parallel to them, and its two upper or two lower corners touch together, so that it stays parallel: two angles.
L1, L2, PLAY = 0.153, 0.306, 0.001
M1, M2, M3, J1, J2, G = 0.038, 0.038, 0.076, 7.4e-5, 5.9e-4, 9.81
E, MU = 0.4, 0.01


def crank_mass(q):
    k = (M2 / 2 + M3) * L1 * L2 * np.cos(q[1] - q[0])
    return np.array([[J1 + (M1 / 4 + M2 + M3) * L1**2, k], [k, J2 + (M2 / 4 + M3) * L2**2]])


def crank_load(q, u):
    k = (M2 / 2 + M3) * L1 * L2 * np.sin(q[1] - q[0])
    weight = G * np.array([(M1 / 2 + M2 + M3) * L1 * np.cos(q[0]), (M2 / 2 + M3) * L2 * np.cos(q[1])])
    return np.array([k * u[1] ** 2, -k * u[0] ** 2]) - weight


height = lambda q: L1 * np.sin(q[0]) + L2 * np.sin(q[1])
up = lambda q: np.array([L1 * np.cos(q[0]), L2 * np.cos(q[1])])
along = lambda q: np.array([-L1 * np.sin(q[0]), -L2 * np.sin(q[1])])


def crank_force(q, u, side, slip):
    """Acceleration and force of the guide: side 1 is the upper one, -1 the lower one, 0 none."""
    mass, load = crank_mass(q), crank_load(q, u)
    free = np.linalg.solve(mass, load)
    if side == 0:
        return free, 0.0
    pushed = np.linalg.solve(mass, -side * up(q) - MU * slip * along(q))
    turning = side * (L1 * np.sin(q[0]) * u[0] ** 2 + L2 * np.sin(q[1]) * u[1] ** 2)
    force = -(-side * up(q) @ free + turning) / (-side * up(q) @ pushed)
    return free + force * pushed, force


def slider_crank(end, rtol):
    """Angles and rates at the end, and the times and sides of the impacts."""
    t, q, u, side, slip, impacts = 0.0, np.zeros(2), np.array([150.0, -75.0]), 0, 0, []
    # An impact that leaves less than this, m/s, ends the accumulation: what remains of it takes less than a microsecond.
    least = 1e-5

    def event(function, direction):
        function.terminal, function.direction = True, direction
        return function

    while t < end:
        slope = lambda t, z: np.r_[z[2:], crank_force(z[:2], z[2:], side, slip)[0]]
        if side == 0:
            events = [event(lambda t, z, s=s: PLAY - s * height(z[:2]), -1) for s in (1, -1)]
        else:
            leaves = event(lambda t, z: crank_force(z[:2], z[2:], side, slip)[1], -1)
            events = [leaves, event(lambda t, z: along(z[:2]) @ z[2:], -slip)]
        run = solve_ivp(slope, (t, end), np.r_[q, u], method="DOP853", rtol=rtol, atol=1e-13, events=events)
        t, q, u = run.t[-1], run.y[:2, -1], run.y[2:, -1]
        if run.status == 0:
            break
        first = len(run.t_events[0]) > 0
        if side != 0:
            side, slip = (0, slip) if first else (side, -slip)
            continue
        hit = 1 if first else -1
        slip = np.sign(along(q) @ u)
        speed = -hit * (up(q) @ u)
        pushed = np.linalg.solve(crank_mass(q), -hit * up(q) - MU * slip * along(q))
        u = u - (1 + E) * speed / (-hit * up(q) @ pushed) * pushed
        assert np.sign(along(q) @ u) == slip
        impacts.append((t, hit))
        if E * -speed <= least and crank_force(q, u, hit, slip)[1] >= 0:
            side = hit
        else:  # back onto the surface, from where rounding has left it
            normal = hit * up(q)
            q = q + normal / (normal @ normal) * (PLAY - hit * height(q) - 1e-15)
    return q, u, impacts


q, u, impacts = slider_crank(0.08, 3e-14)
loose, _, _ = slider_crank(0.08, 1e-11)
print(f"Slider-crank with clearance, 80 ms: {len(impacts)} impacts, two tolerances {np.abs(q - loose).max():.1e} apart")
check("the crank's angle, rad", q[0], judged("slider-crank-clearance", "the crank's angle after 80 ms"), 1e-8)
check("the rod's angle, rad", q[1], judged("slider-crank-clearance", "the rod's angle after 80 ms"), 1e-8)
energy = u @ crank_mass(q) @ u / 2
check("kinetic energy, J", energy, judged("slider-crank-clearance", "the kinetic energy after 80 ms"), 1e-7)

# The woodpecker toy [Glocker 1995; Leine, Glocker & van Campen 2001], linearised as there: height y of the sleeve, angles p of the sleeve
# and b of the bird, and three contacts, of the beak and of the lower and the upper end of the sleeve, with friction along the pole.
MS, JS, MB, JB, C = 3e-4, 5e-9, 4.5e-3, 7e-7, 5.6e-3
R0, RS, HS, LS, LG, HB, LB = 2.5e-3, 3.1e-3, 5.8e-3, 1e-2, 1.5e-2, 2e-2, 2.01e-2
FRICTION, REBOUND = 0.3, np.array([0.5, 0.0, 0.0])
MASS = np.array([[MB + MS, MB * LS, MB * LG], [MB * LS, JS + MB * LS**2, MB * LS * LG], [MB * LG, MB * LS * LG, JB + MB * LG**2]])
INVERSE = np.linalg.inv(MASS)
NORMAL = np.array([[0, 0, -HB], [0, HS, 0], [0, -HS, 0]])
TANGENT = np.array([[1, LS, LG - LB], [1, RS, 0], [1, RS, 0]])
GAPS = np.array([LS + LG - LB - R0, RS - R0, RS - R0])
JAMMED = -(RS - R0) / HS
STICKS = "sticks"  # else the sign of the sliding


def toy_load(q):
    torque = C * (q[1] - q[2])
    return np.array([-(MB + MS) * G, -torque - MB * LS * G, torque - MB * LG * G])


def toy_force(q, closed):
    """Acceleration and (normal, tangential) force of the closed contacts."""
    free = INVERSE @ toy_load(q)
    columns, rows = [], []
    for i, state in closed.items():
        both = state == STICKS
        columns += [NORMAL[i], TANGENT[i]] if both else [NORMAL[i] - FRICTION * state * TANGENT[i]]
        rows += [NORMAL[i], TANGENT[i]] if both else [NORMAL[i]]
    if not rows:
        return free, {}
    columns, rows = np.array(columns).T, np.array(rows)
    solved = list(np.linalg.solve(rows @ INVERSE @ columns, -rows @ free))
    acceleration, forces = free + INVERSE @ columns @ solved, {}
    for i, state in closed.items():
        normal = solved.pop(0)
        forces[i] = (normal, solved.pop(0) if state == STICKS else -FRICTION * state * normal)
    return acceleration, forces


def toy_impact(u, touching):
    """The velocity behind an impact, of all combinations of states the one that obeys the laws with the most contacts closed."""
    found = []
    for states in itertools.product((STICKS, 1, -1, None), repeat=len(touching)):
        closed = [(i, state) for i, state in zip(touching, states) if state is not None]
        columns, rows, right = [], [], []
        for i, state in closed:
            v = NORMAL[i] @ u
            columns += [NORMAL[i], TANGENT[i]] if state == STICKS else [NORMAL[i] - FRICTION * state * TANGENT[i]]
            rows += [NORMAL[i], TANGENT[i]] if state == STICKS else [NORMAL[i]]
            right += [-v - REBOUND[i] * min(v, 0)] + ([-(TANGENT[i] @ u)] if state == STICKS else [])
        after, solved = u, []
        if rows:
            columns, rows = np.array(columns).T, np.array(rows)
            try:
                solved = list(np.linalg.solve(rows @ INVERSE @ columns, right))
            except np.linalg.LinAlgError:
                continue
            after = u + INVERSE @ columns @ solved
        sound = all(NORMAL[i] @ after + REBOUND[i] * min(NORMAL[i] @ u, 0) > -1e-12 for i in touching)
        for i, state in closed:
            normal = solved.pop(0)
            within = abs(solved.pop(0)) <= FRICTION * normal if state == STICKS else state * (TANGENT[i] @ after) >= -1e-12
            sound = sound and normal >= -1e-14 and within
        if sound:
            found.append((len(closed), after))
    return max(found, key=lambda one: one[0])[1]


def toy_states(q, u, touching):
    """How the touching contacts go on: the combination whose forces and accelerations obey the laws."""
    for states in itertools.product((STICKS, 1, -1, None), repeat=len(touching)):
        closed = {i: state for i, state in zip(touching, states) if state is not None}
        acceleration, forces = toy_force(q, closed)
        sound = all(NORMAL[i] @ acceleration >= -1e-12 for i in touching)
        for i, state in closed.items():
            (normal, tangential), slip = forces[i], TANGENT[i] @ u
            if state == STICKS:
                sound = sound and abs(slip) < 1e-9 and abs(tangential) <= FRICTION * normal
            else:
                sound = sound and state * slip >= -1e-9 and (abs(slip) > 1e-9 or state * (TANGENT[i] @ acceleration) >= 0)
            sound = sound and normal >= -1e-15
        if sound:
            return closed
    raise AssertionError("no state")


def toy(end, q, u, closed=None):
    """State at the end, and the events: (time, kind, contact, q, u)."""
    t, events = 0.0, []
    closed = toy_states(q, u, [1]) if closed is None else closed
    while t < end:
        functions, kinds = [], []

        def watch(function, kind):
            function.terminal, function.direction = True, -1
            functions.append(function)
            kinds.append(kind)

        for i in range(3):
            if i not in closed:
                watch(lambda t, z, i=i: GAPS[i] + NORMAL[i] @ z[:3], ("hits", i))
                continue
            watch(lambda t, z, i=i: toy_force(z[:3], closed)[1][i][0], ("leaves", i))
            if closed[i] == STICKS:
                excess = lambda f: FRICTION * f[0] - abs(f[1])
                watch(lambda t, z, i=i: excess(toy_force(z[:3], closed)[1][i]), ("slips", i))
            else:
                watch(lambda t, z, i=i, s=closed[i]: s * (TANGENT[i] @ z[3:]), ("stops", i))
        slope = lambda t, z: np.r_[z[3:], toy_force(z[:3], closed)[0]]
        run = solve_ivp(slope, (t, end), np.r_[q, u], method="DOP853", rtol=1e-12, atol=1e-14, events=functions, max_step=2e-3)
        t, q, u = run.t[-1], run.y[:3, -1].copy(), run.y[3:, -1].copy()
        if run.status == 0:
            break
        touching = list(closed)
        for kind, i in (kind for kind, times in zip(kinds, run.t_events) if len(times)):
            events.append((t, kind, i, q.copy(), u.copy()))
            if kind == "hits":
                touching = sorted({*touching, i})
                u = toy_impact(u, touching)
                touching = [j for j in touching if NORMAL[j] @ u < 1e-8]
            elif kind == "leaves":
                touching.remove(i)
        closed = toy_states(q, u, touching)
    return q, u, events


# The limit cycle passes through one state with one free number: the sleeve, jammed at its lower end, begins to slide, at an angle of the
# bird that follows from the forces alone.
surplus = lambda b: (lambda f: FRICTION * f[0] - abs(f[1]))(toy_force(np.array([0, JAMMED, b]), {1: STICKS})[1][1])
SLIP = brentq(surplus, -0.3, -0.15, xtol=1e-15)


def next_slip(rate, end=0.155):
    _, _, events = toy(end, np.array([0, JAMMED, SLIP]), np.array([0, 0, rate]), {1: -1})
    return next(event for event in events if event[1] == "slips" and event[2] == 1)


before, rate = 17.55, 17.57
error = [next_slip(x)[4][2] - x for x in (before, rate)]
while abs(error[1]) > 1e-10:
    before, rate = rate, rate - error[1] * (rate - before) / (error[1] - error[0])
    error = [error[1], next_slip(rate)[4][2] - rate]
cycle = next_slip(rate)
stuck = lambda b: toy_force(np.array([0, JAMMED, b]), {1: STICKS})[0][2]
lowest = brentq(lambda b: rate**2 / 2 - quad(stuck, b, SLIP)[0], -0.6, -0.45, xtol=1e-14)
print(f"Woodpecker toy: the limit cycle falls by {-1e3 * cycle[3][0]:.5f} mm in each period")
STRETCH = 100  # of the scene's lengths; its angles are smaller by that
check("period, s", cycle[0], judged("woodpecker-stretched", "none: the period"), 1e-9)
check("the bird's lowest angle, stretched, rad", lowest / STRETCH, judged("woodpecker-stretched", "the bird swings down"), 1e-10)
start = np.array([0, JAMMED, -0.2788]), np.array([-0.3411, 0, -7.4583])
q, u, _ = toy(cycle[0], *start)
check("the bird a period after the published state, stretched, rad", q[2] / STRETCH, -0.0027943477, 1e-9)
q, u, _ = toy(1.5, *start)
check("height after 1.5 s, m", q[0], judged("woodpecker-stretched", "the toy has come down"), 1e-7)
