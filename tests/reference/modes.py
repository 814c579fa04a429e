"""The modes of the IFToMM's four-bar linkage with a diagonal spring, in two ways: what scenes/iftomm-four-bar-spring.json is judged by.

Run: python3 tests/reference/modes.py        (numpy; at once)
It prints equilibrium and eigenvalue, first with 30 digits from the one coordinate of the mechanism, then from nine absolute coordinates
with multipliers, and fails if they differ from each other or from the scene's numbers.

Bars of 1 m and 1 kg on pivots at (0, 0) and (1, 0); the bars 1 and 3 stand at the angle p, the coupler is horizontal. A spring of 25 N/m,
1 N s/m and a natural length of sqrt(2) m goes from (0, 0) to the end of bar 3, over the length 2 cos(p/2).
"""

import json
from decimal import Decimal, getcontext
from pathlib import Path

import numpy as np

getcontext().prec = 40
K, C, G, L0 = Decimal(25), Decimal(1), Decimal("9.81"), Decimal(2).sqrt()


def sine_cosine(x):
    """sin and cos by their series."""
    sin, cos, term, n = Decimal(0), Decimal(0), Decimal(1), 0
    while abs(term) > Decimal(10) ** -45:
        (sin, cos) = (sin, cos + term * (-1) ** (n // 2)) if n % 2 == 0 else (sin + term * (-1) ** (n // 2), cos)
        n += 1
        term = term * x / n
    return sin, cos


# One coordinate: 5/3 p'' + C sin²(p/2) p' + V'(p) = 0, V = 2 G sin p + K/2 (2 cos(p/2) − L0)².
def slopes(p):
    (s, c), (sh, ch) = sine_cosine(p), sine_cosine(p / 2)
    stretch = 2 * ch - L0
    return 2 * G * c - K * stretch * sh, -2 * G * s + K * sh * sh - K * stretch * ch / 2, C * sh * sh


p = Decimal("2.234")
for _ in range(60):
    first, second, _ = slopes(p)
    p -= first / second
_, stiffness, damping = slopes(p)
decay = damping * 3 / 10
frequency = (stiffness * 3 / 5 - decay * decay).sqrt()
print(f"one coordinate: p = {p:.20f}, lambda = {-decay:.20f} +- {frequency:.20f} i")
print(f"  the equilibrium given with the benchmark, 2.23433101898, is {Decimal('2.23433101898') - p:.1e} away")

# Absolute coordinates (x, y, angle) of the bars: M q'' + D q' + S q + J' lambda = 0, J q = 0, linearised about p.
angles, middle = [float(p), 0.0, float(p)], float(p)
direction = lambda a: np.array([np.cos(a), np.sin(a)])
across = lambda a: np.array([-np.sin(a), np.cos(a)])
# Points on a bar: (bar, along); a hinge joins two of them, or one and the ground.
hinges = [((0, -0.5), None), ((0, 0.5), (1, -0.5)), ((1, 0.5), (2, 0.5)), ((2, -0.5), None)]


def jacobian(point):
    rows = np.zeros((2, 9))
    bar, along = point
    rows[:, 3 * bar : 3 * bar + 2] = np.eye(2)
    rows[:, 3 * bar + 2] = along * across(angles[bar])
    return rows


J = np.vstack([jacobian(a) - (0 if b is None else jacobian(b)) for a, b in hinges])
mass = np.diag([1, 1, 1 / 12] * 3)
tip, at = jacobian((1, 0.5)), direction(middle) + [1, 0]
length = np.hypot(*at)
unit = at / length
pull = 25 * (length - 2**0.5)
normal = np.eye(2) - np.outer(unit, unit)
S = tip.T @ (25 * np.outer(unit, unit) + pull / length * normal) @ tip
S[5, 5] -= 0.5 * direction(angles[1]) @ (pull * unit)  # the spring's arm on the coupler turns
D = tip.T @ np.outer(unit, unit) @ tip
load = np.array([0, 9.81, 0] * 3) + tip.T @ (pull * unit)
multipliers = np.linalg.lstsq(J.T, -load, rcond=None)[0]
assert np.abs(J.T @ multipliers + load).max() < 1e-12, "an equilibrium"
for row, (a, b) in enumerate(hinges):
    force = multipliers[2 * row : 2 * row + 2]
    for sign, point in ((1, a), (-1, b)):
        if point is not None:
            bar, along = point
            S[3 * bar + 2, 3 * bar + 2] -= sign * along * direction(angles[bar]) @ force
# The null space of J has one direction.
free = np.linalg.svd(J)[2][8]
a, b, c = (free @ matrix @ free for matrix in (mass, D, S))
roots = np.roots([a, b, c])
print(f"nine coordinates: lambda = {roots[0].real:.15f} +- {abs(roots[0].imag):.15f} i")
assert abs(roots[0].real + float(decay)) < 1e-13 and abs(abs(roots[0].imag) - float(frequency)) < 1e-13

scene = json.loads((Path(__file__).parents[2] / "scenes/iftomm-four-bar-spring.json").read_text())
judged = {entry["quantity"]: entry for entry in scene["reference"]}
assert abs(judged["motion_decay"]["about"] - float(decay)) < 1e-15
assert abs(judged["motion_frequency"]["about"] - float(frequency)) < 1e-14
assert abs(scene["bodies"][1]["angle"] - float(p)) < 1e-15
