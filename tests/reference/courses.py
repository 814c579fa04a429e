"""Scenes of courses on constrained dynamics, whose values can be checked by hand: what four scenes are judged by.

Run: python3 tests/reference/courses.py        (numpy and scipy; a second)
It prints the numbers, and fails if they differ from those of the scenes.

The bead has its closed form, by scipy's elliptic functions, and is integrated in its angle as well; towers, walls and the girder have statics. Nothing here is
shared with the engine.
"""

import json
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk, ellipkinc

SCENES = Path(__file__).parents[2] / "scenes"
G = 9.81


def read(scene):
    return json.loads((SCENES / f"{scene}.json").read_text())


def check(name, found, expected, tolerance):
    assert abs(found - expected) < tolerance, (name, found, expected)
    print(f"  {name}: {found:.10f}")


def judged(scene, part):
    """The number that a scene's reference states whose label begins so."""
    (entry,) = [entry for entry in read(scene)["reference"] if entry["label"].startswith(part)]
    return entry["about"]


# A bead that is let go 0.1 rad from the top of a hoop of 1 m: cos(θ/2) = k sn(K - w t), k = cos 0.05.
print("Bead from the top of a hoop")
K, W = np.cos(0.05), np.sqrt(G)
quarter = ellipk(K**2)
height = lambda t: np.cos(2 * np.arccos(K * ellipj(quarter - W * t, K**2)[0]))
level = (quarter - ellipkinc(np.arcsin(np.sin(np.pi / 4) / K), K**2)) / W
check("level with the centre, s", level, judged("bead-from-top", "level"), 1e-10)
check("half a period, s", 2 * quarter / W, judged("bead-from-top", "upwards"), 1e-10)
check("height after 2 s, m", height(2.0), judged("bead-from-top", "θ(t)"), 1e-10)
motion = solve_ivp(lambda t, s: (s[1], G * np.sin(s[0])), (0, 2), (0.1, 0.0), method="DOP853", rtol=1e-13, atol=1e-14)
check("the same, integrated", np.cos(motion.y[0, -1]), height(2.0), 1e-9)

# Towers of bricks of 1 kg and 10 cm: two corners of the lowest brick bear the weight of its tower.
print("Brick towers")
bricks = [body for body in read("brick-towers")["bodies"] if body.get("type") != "fixed"]
weight = sum(body["mass"] * G for body in bricks if body["name"].startswith("100-"))
check("impulse of a corner, N s", weight / 2 / 60, judged("brick-towers", "statics"), 1e-10)
energy = sum(body["mass"] * G * body["position"][1] for body in bricks)
check("potential energy, J", energy, judged("brick-towers", "V"), 1e-9)

# A girder of rods: the forces of all rods from the equilibrium of its balls, and the two that the scene's text names by Ritter's sections.
print("Tinkertoy truss")
truss = read("tinkertoy-truss")
balls = [body for body in truss["bodies"] if body.get("type") != "fixed"]
place = {body["name"]: i for i, body in enumerate(balls)}
balance, load = np.zeros((2 * len(balls), len(truss["joints"]))), np.zeros(2 * len(balls))
for column, rod in enumerate(truss["joints"]):
    a, b = (np.array(anchor) for anchor in rod["anchors"])
    along = (b - a) / np.linalg.norm(b - a)
    for name, sign in zip(rod["bodies"], (-1, 1)):
        if name in place:
            balance[2 * place[name] : 2 * place[name] + 2, column] = sign * along
load[1::2] = [body["mass"] * G for body in balls]
pressure = dict(zip((tuple(rod["bodies"]) for rod in truss["joints"]), np.linalg.solve(balance, load)))
check("middle of the upper chord, N", pressure["upper 1", "upper 2"], 4 * G / np.sqrt(0.75), 1e-10)
check("beneath it, N", pressure["lower 1", "lower 2"], -3.75 * G / np.sqrt(0.75), 1e-10)
energy = sum(body["mass"] * G * body["position"][1] for body in balls)
check("potential energy, J", energy, judged("tinkertoy-truss", "V"), 1e-9)

print("Brick walls")
bricks = [body for body in read("brick-walls")["bodies"] if body.get("type") != "fixed"]
for wall in ("dense", "sparse"):
    check(f"{wall}, kg", sum(body["mass"] for body in bricks if body["name"].startswith(wall)), 48, 1e-12)
energy = sum(body["mass"] * G * body["position"][1] for body in bricks)
check("potential energy, J", energy, judged("brick-walls", "V"), 1e-9)
