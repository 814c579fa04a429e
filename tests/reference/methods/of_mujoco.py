"""MuJoCo's own figures of the worlds in tests/physics/mujoco.rs, which that test compares with the scheme `mujoco`.

Run: .ci/methods        (pip: mujoco; seconds); with --write it writes tests/physics/mujoco.csv, otherwise it compares with that file.

Each body has two slides and a hinge in the plane x–z. A chain has six bars of 0.1 m and 0.1 kg from the horizontal, tied by `connect`; a beam three
such bars, tied by `weld`. A box is a cube of 1 m and 1000 kg on a plane that is tilted by turning gravity, a ball one of 0.5 m, 100 kg and
10 kg m². Figures: of chains and beams the last bar's displacement (x, y, angle) after 0.25 s, of boxes the way in the sixth second, its displacement
along the normal after it and its angle, of balls the displacement after a second. Negative numbers of solref are its direct format.
"""

import csv
import math
import pathlib
import sys

import mujoco

FILE = pathlib.Path(__file__).parents[2] / "physics" / "mujoco.csv"
COLUMNS = "world h solref solimp cone impratio tilt friction rolling x y angle".split()
DEFAULT = "0.9 0.95 0.001 0.5 2"
PLANAR = '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint type="hinge" axis="0 -1 0"/>'


def cases():
    for h in (0.001, 0.002, 0.005):
        for solref in ("0.02 1", "0.005 1", "0.05 0.5", "-4000 -90"):
            yield "chain", h, solref, DEFAULT, "pyramidal", 1, 0, 0, 0
    for solimp in ("0.5 0.99 0.002 0.3 3", "0.8 0.8 0.001 0.5 2", "0.7 0.95 0.0005 0.6 1"):
        yield "chain", 0.002, "0.03 1.3", solimp, "pyramidal", 1, 0, 0, 0
    for solimp in (DEFAULT, "0.5 0.99 0.002 0.3 3"):
        yield "beam", 0.002, "0.05 0.5", solimp, "pyramidal", 1, 0, 0, 0
    for cone in ("pyramidal", "elliptic"):
        for impratio in (1, 10):
            for tilt in (0, 0.15, 0.3, 0.5):
                yield "box", 0.002, "0.02 1", DEFAULT, cone, impratio, tilt, 0.6, 0
        for h, solref in ((0.001, "0.01 0.7"), (0.005, "0.05 1.5"), (0.002, "-2000 -110")):
            yield "box", h, solref, DEFAULT, cone, 1, 0.3, 0.6, 0
        yield "box", 0.002, "0.02 1", "0.9 0.9 0.001 0.5 2", cone, 1, 0.3, 0.6, 0
        for rolling in (0, 0.05):
            yield "ball", 0.002, "0.02 1", DEFAULT, cone, 1, 0.3, 0.6, rolling


def model(world, h, solref, solimp, cone, impratio, tilt, friction, rolling):
    gravity = f"{9.81 * math.sin(tilt)} 0 {-9.81 * math.cos(tilt)}"
    option = (
        f'<option timestep="{h}" gravity="{gravity}" cone="{cone}" impratio="{impratio}" solver="Newton" '
        'iterations="200" tolerance="1e-15"/>'
    )
    own = f'solref="{solref}" solimp="{solimp}"'
    bodies, ties = "", ""
    if world in ("chain", "beam"):
        for i in range(6 if world == "chain" else 3):
            inertia = 0.1 * 0.01 / 12
            bodies += (
                f'<body name="b{i}" pos="{0.1 * i + 0.05} 0 0">{PLANAR}'
                f'<inertial pos="0 0 0" mass="0.1" diaginertia="1e-6 {inertia} {inertia}"/></body>'
            )
            last = "" if i == 0 else f'body2="b{i - 1}"'
            if world == "chain":
                ties += f'<connect body1="b{i}" {last} anchor="-0.05 0 0" {own}/>'
            else:
                ties += f'<weld body1="b{i}" {last} anchor="{0 if i == 0 else 0.05} 0 0" {own}/>'
    else:
        condim = 6 if rolling > 0 else 3
        surface = f'friction="{friction} 0.005 {rolling if rolling > 0 else 0.0001}" condim="{condim}" {own}'
        shape = 'type="box" size="0.5 0.5 0.5"' if world == "box" else 'type="sphere" size="0.5"'
        mass = (1000, 1000 / 6) if world == "box" else (100, 10)
        bodies = (
            f'<geom type="plane" size="50 50 1" {surface}/><body pos="0 0 0.5">{PLANAR}'
            f'<inertial pos="0 0 0" mass="{mass[0]}" diaginertia="{mass[1]} {mass[1]} {mass[1]}"/><geom {shape} {surface}/></body>'
        )
    return (
        f'<mujoco>{option}<compiler inertiafromgeom="false"/><worldbody>{bodies}</worldbody>'
        f"<equality>{ties}</equality></mujoco>"
    )


def figures(case):
    world, h = case[:2]
    made = mujoco.MjModel.from_xml_string(model(*case))
    data = mujoco.MjData(made)
    before = 0.0
    for step in range(round({"box": 6.0, "ball": 1.0}.get(world, 0.25) / h)):
        if world == "box" and step == round(5.0 / h):
            before = data.qpos[0]
        mujoco.mj_step(made, data)
    x, y, angle = data.qpos[-3:]
    return x - before, y, angle


def main():
    rows = [[*map(str, case), *(f"{figure:.12g}" for figure in figures(case))] for case in cases()]
    if "--write" in sys.argv:
        with FILE.open("w", newline="") as file:
            file.write(f"# MuJoCo {mujoco.__version__}, by tests/reference/methods/of_mujoco.py, whose head describes worlds and figures.\n")
            csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows])
        return
    with FILE.open() as file:
        kept = list(csv.reader(line for line in file if not line.startswith("#")))
    assert kept[0] == COLUMNS and [row[:9] for row in kept[1:]] == [row[:9] for row in rows], "other cases"
    apart = [abs(float(a) - float(b)) for old, new in zip(kept[1:], rows) for a, b in zip(old[9:], new[9:])]
    print(f"MuJoCo {mujoco.__version__}: {len(rows)} worlds, figures apart from the kept ones by {max(apart):.1e} at most")
    assert max(apart) < 1e-9


main()
