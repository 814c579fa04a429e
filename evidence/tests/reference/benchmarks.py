"""The true motions of the benchmarks, by DOP853 of scipy: what evidence/src/benchmarks/truth.rs is tested against.

Run: python3 evidence/tests/reference/benchmarks.py        (numpy and scipy; a few seconds)
It prints the end states with the digits on which two tolerances agree, and fails if they differ from those of the test.
"""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

G = 9.81


def ends(slope, span, start, tolerances=((1e-13, 1e-13), (1e-11, 1e-12))):
    runs = [solve_ivp(slope, (0, span), start, method="DOP853", rtol=r, atol=a).y[:, -1] for r, a in tolerances]
    half = len(start) // 2  # the angles; behind them stand their rates
    return runs[0], np.abs(runs[0] - runs[1])[:half].max()


def check(name, found, expected, tolerance):
    found = np.asarray(found)
    assert np.abs(found - expected).max() < tolerance, (name, found - expected)
    print(name, *(f"{x:.12f}" for x in found))


# A01, beside Jacobi's elliptic functions.
end, apart = ends(lambda t, y: [y[1], -G * np.sin(y[0])], 10, [-np.pi / 2, 0])
k = np.sin(np.pi / 4)
sn = ellipj(np.sqrt(G) * 10 + ellipk(k * k), k * k)[0]
exact = -2 * np.arcsin(k * sn)
assert abs(end[0] - exact) < 1e-11
check("A01, x and y after 10 s:", [np.sin(end[0]), -np.cos(end[0])], [-0.275087462576, -0.961419205099], 1e-11)

# A02, in the angle of the legs from the upright.
for n, span, expected in ((2, 10, [0.328458111536, 0.944518538180]), (40, 20, [0.410901153749, 0.911679900978])):
    stiffness = G * (n + (n + 1) / 2) / (n + (n + 1) / 3)
    end, _ = ends(lambda t, y: [y[1], stiffness * np.sin(y[0])], span, [0, 1])
    check(f"A02, N = {n}, B0 after {span} s:", [np.sin(end[0]), np.cos(end[0])], expected, 1e-9)

# Andrews' squeezer: points as sums of turning arms in the complex plane, index one.
M = [0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498]
I = [2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5]
A, B, C = -0.06934 - 0.00227j, -0.03635 + 0.03273j, 0.014 + 0.072j
S = np.eye(7)
TURN = [S[0], S[0] + S[1], S[2], S[3] + S[4], S[4], S[5] + S[6], S[6]]  # K1 to K7
CENTERS = [
    (0, [(0.00092, 0)]),
    (0, [(0.007, 0), (-0.0115, 1)]),
    (B, [(0.01043 - 0.01874j, 2)]),
    (A, [(0.04, 4), (-1j * (0.02 - 0.01421), 3)]),
    (A, [(0.02308 + 0.00916j, 4)]),
    (A, [(-0.04j, 6), (0.02 - 0.01421, 5)]),
    (A, [(-0.00449 - 0.01228j, 6)]),
]
P = (0, [(0.007, 0), (-0.028, 1)])
OTHERS = [(B, [(-0.035j, 2)]), (A, [(0.04, 4), (-0.02j, 3)]), (A, [(-0.04j, 6), (0.02, 5)])]
SPRUNG = (B, [(0.02 - 0.018j, 2)])


def moved(point, q, v):
    at, slope, turning = point[0], np.zeros(7, complex), 0
    for arm, angle in point[1]:
        turned = arm * np.exp(1j * (TURN[angle] @ q))
        at, slope = at + turned, slope + 1j * turned * TURN[angle]
        turning -= turned * (TURN[angle] @ v) ** 2
    return at, slope, turning


def squeezer(_, y):
    q, v = y[:7], y[7:]
    mass, load = np.zeros((7, 7)), np.zeros(7)
    for body in range(7):
        _, slope, turning = moved(CENTERS[body], q, v)
        jacobian = np.array([slope.real, slope.imag])
        mass += M[body] * jacobian.T @ jacobian + I[body] * np.outer(TURN[body], TURN[body])
        load -= M[body] * jacobian.T @ np.array([turning.real, turning.imag])
    at, slope, _ = moved(SPRUNG, q, v)
    along = at - C
    pull = -4530 * (abs(along) - 0.07785) * along / abs(along)
    load += slope.real * pull.real + slope.imag * pull.imag
    load[0] += 0.033
    _, own, own_turning = moved(P, q, v)
    rows, right = [], []
    for other in OTHERS:
        _, slope, turning = moved(other, q, v)
        rows += [(own - slope).real, (own - slope).imag]
        right += [(turning - own_turning).real, (turning - own_turning).imag]
    rows = np.array(rows)
    system = np.block([[mass, rows.T], [rows, np.zeros((6, 6))]])
    return np.r_[v, np.linalg.solve(system, np.r_[load, right])[:7]]


START = [
    -0.0617138900142764496,
    0,
    0.455279819163070380,
    0.222668390165885885,
    0.487364979543842550,
    -0.222668390165885885,
    1.23054744454982120,
]
end, apart = ends(squeezer, 0.03, np.r_[START, np.zeros(7)])
expected = [15.810771195154, -15.756371058413, 0.040822240120, -0.534730116342, 0.524409965880, 0.534730116342, 1.048080741042]
check("Andrews' squeezer, the seven angles after 30 ms:", end[:7], expected, 1e-10)
print(f"  two tolerances are {apart:.1e} apart; the test set prints beta = 15.81077119629904, {15.81077119629904 - end[0]:.1e} away")
