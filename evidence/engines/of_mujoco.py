"""MuJoCo's own figures on the scenes in evidence/engines/scenes, for reference.csv.

Run: .ci/methods        (pip: mujoco; a minute); with --write it puts them into reference.csv, otherwise it compares with that file.

Each body has two slides and a hinge in the plane x–z, each hinge of a scene is a `connect`, each weld a `weld`; boxes and disks are as deep as they are
wide. Options and settings of the solver are MuJoCo's own (solref 0.02 1, solimp 0.9 0.95 0.001 0.5 2, pyramidal cone), but for its tolerance, 1e-15, and
for `implicitfast`, which is what driftlab's scheme computes. A pair's friction is that of both where they agree.
"""

import json

import mujoco
import numpy as np
from planar import HERE, hinges, keep, largest_opening, mass_and_inertia, measured

PLANAR = '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint type="hinge" axis="0 -1 0"/>'
# The figures of each scene, with what counts as nothing. Left out are scenes of which MuJoCo, at their 1/60 s, reports that they are unstable (swinging
# chains), and those of which its own end is another one when bodies are displaced by 1e-6 m at the start (towers, the large pyramid).
SCENES = {
    "rest-box": [("sag of box at 10 s", "m", 1e-6)],
    "pyramid-10": [("apex sink at 10 s", "m", 1e-4)],
    "mass-ratio-box-rest": [
        ("left creep speed 20-60 s", "mm/s", 1e-4),
        ("heavy height at 60 s less 11 m", "m", 1e-4),
        ("light sink at 60 s (0.5 - y)", "m", 1e-4),
    ],
    "slope-mu-0.49": [("slide at 10 s", "m", 0.001)],
    "slope-mu-0.51": [("creep speed 5-10 s", "mm/s", 1e-4), ("slide at 10 s", "m", 1e-4)],
    "slope-mu-0.60": [("creep speed 5-10 s", "mm/s", 1e-4), ("slide at 10 s", "m", 1e-5)],
    "hang-6": [("largest joint error at end", "m", 1e-6)],
    "hang-100": [("largest joint error at end", "m", 1e-6)],
    "hang-20-load-672": [("largest joint error at end", "m", 1e-6)],
    "overlap-two": [
        ("overlap after 1 step", "m", 1e-4),
        ("overlap after 0.1 s", "m", 1e-4),
        ("separation speed at 5 s", "m/s", 1e-3),
    ],
    "overlap-recovery": [("apex height at 10 s", "m", 0.01), ("largest speed of positions", "m/s", 0.01)],
}


class Model:
    """A scene as a model, with what is needed to measure its runs."""

    def __init__(self, scene):
        self.scene = scene
        self.h = scene["settings"]["time_step"]
        g = scene.get("gravity", [0, -9.81])
        bodies, self.movable = "", []
        for index, body in enumerate(scene["bodies"]):
            fixed = body.get("type") == "fixed"
            shapes = body.get("shapes", [])
            collides = body.get("collides", True)
            friction = body.get("friction", 0.3)
            geoms = ""
            for shape in shapes:
                assert not {"offset", "angle"} & set(shape) or shape["shape"] == "half_plane", shape
                contact = f'axisangle="0 -1 0 {body.get("angle", 0)}" ' * (shape["shape"] != "half_plane") + f'friction="{friction} 0 0" condim="3"' + ("" if collides else ' contype="0" conaffinity="0"')
                if shape["shape"] == "half_plane":
                    n = shape.get("normal", [0, 1])
                    at = np.array(n, float) / np.hypot(*n) * shape.get("offset", 0)
                    geoms += f'<geom type="plane" size="0 0 1" pos="{at[0]} 0 {at[1]}" zaxis="{n[0]} 0 {n[1]}" {contact}/>'
                elif shape["shape"] == "box":
                    w, h = shape["size"]
                    geoms += f'<geom type="box" size="{w / 2} {w / 2} {h / 2}" {contact}/>'
                else:
                    geoms += f'<geom type="sphere" size="{shape["radius"]}" {contact}/>'
            x, y = body["position"]
            # The slides are along the world's axes: a body's own frame is not turned, its shapes are.
            frame = f'name="b{index}" pos="{x} 0 {y}"'
            self.movable.append(not fixed)
            if fixed:
                bodies += f"<body {frame}>{geoms}</body>"
                continue
            mass, inertia = mass_and_inertia(body)
            bodies += (
                f'<body {frame}>{PLANAR}<inertial pos="0 0 0" mass="{mass}" diaginertia="{inertia} {inertia} {inertia}"/>{geoms}</body>'
            )
        self.joints = list(hinges(scene))
        ties = "".join(
            f'<connect body1="b{b}" body2="b{a}" anchor="{arms[1][0]} 0 {arms[1][1]}"/>' for a, b, arms in self.joints
        )
        excluded = "".join(f'<exclude body1="b{a}" body2="b{b}"/>' for a, b, _ in self.joints)
        text = (
            f'<mujoco><option timestep="{self.h}" gravity="{g[0]} 0 {g[1]}" integrator="implicitfast" solver="Newton" iterations="200" '
            f'tolerance="1e-15"/><compiler inertiafromgeom="false" angle="radian"/><worldbody>{bodies}</worldbody>'
            f"<equality>{ties}</equality><contact>{excluded}</contact></mujoco>"
        )
        self.model = mujoco.MjModel.from_xml_string(text)
        self.data = mujoco.MjData(self.model)
        places = [0]
        for movable in self.movable:
            places.append(places[-1] + 3 * movable)
        self.places = places
        for index, body in enumerate(scene["bodies"]):
            if "velocity" in body and self.movable[index]:
                self.data.qvel[places[index] : places[index] + 2] = body["velocity"]
        self.start = np.array([[*body["position"], body.get("angle", 0)] for body in scene["bodies"]], float)

    def moment(self):
        """Time, poses, velocities, the largest opening of a joint."""
        poses, velocities = self.start.copy(), np.zeros_like(self.start)
        for index, movable in enumerate(self.movable):
            if movable:
                at = self.places[index]
                poses[index] += self.data.qpos[at : at + 3]
                velocities[index] = self.data.qvel[at : at + 3]
        return self.data.time, poses, velocities, largest_opening(self.joints, poses, self.start)

    def run(self):
        moments = [self.moment()]
        for _ in range(round(self.scene["settings"]["duration"] / self.h)):
            mujoco.mj_step(self.model, self.data)
            moments.append(self.moment())
        return moments


def main():
    rows = []
    for name, quantities in SCENES.items():
        moments = Model(json.loads((HERE / "scenes" / f"{name}.json").read_text())).run()
        for quantity, unit, bound in quantities:
            rows.append(["mujoco", name, quantity, f"{measured(quantity, moments):.6g}", unit, "figure", f"{bound:g}", "", ""])
    keep("mujoco", f"MuJoCo {mujoco.__version__}", rows)


main()
