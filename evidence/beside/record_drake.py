"""Drake's runs of the scenes of the table evidence/docs/beside.md, as driftlab recordings of poses and velocities.

Run: python record_drake.py SCENE… FOLDER   (pip: drake; and driftlab on the path), then driftlab-evidence beside --judge FOLDER, and copy what
FOLDER/recorded.csv says of Drake into the file of this place.

The plants are those of ../engines/of_drake.py: SAP, contacts of points at the corners of boxes, hinges as ball constraints. Their 1e6 N/m are what Drake
takes where nothing is said: leaving stiffness and dissipation out gives the same figures. A scene with other shapes or joints is left out.
"""

import json
import pathlib
import subprocess
import sys
from importlib.metadata import version

sys.path.append(str(pathlib.Path(__file__).parents[1] / "engines"))

from of_drake import DISSIPATION, RELAXATION_TIME, STIFFNESS, Model  # noqa: E402

SETTINGS = {
    "approximation": "SAP",
    "point_stiffness": STIFFNESS,
    "relaxation_time": RELAXATION_TIME,
    "hunt_crossley_dissipation": DISSIPATION,
    "near_rigid_threshold": 1.0,
}


def record(path, folder):
    scene = json.loads(path.read_text())
    shapes = {shape["shape"] for body in scene["bodies"] for shape in body.get("shapes", [])}
    joints = {joint["joint"] for joint in scene.get("joints", [])}
    if not (shapes <= {"box", "half_plane"} and joints <= {"hinge"}):
        print(f"{path.stem}: left out, {sorted(shapes | joints)}")
        return
    model, file = Model(scene), folder / f"drake-{path.stem}.jsonl"
    # The first line is that of a recording of ours: the world is the same.
    subprocess.run(["driftlab", "run", path, "--steps", "1", "--record", file], check=True, stdout=subprocess.DEVNULL)
    world = json.loads(file.open().readline())
    world |= {"engine": {"name": "Drake", "version": version("drake"), "settings": SETTINGS}}
    del world["impulses"], world["contacts_at"]
    with file.open("w") as lines:
        print(json.dumps(world), file=lines)
        for time, poses, velocities, _ in model.run()[1:]:
            print(json.dumps({"t": time, "h": model.h, "q": poses.tolist(), "v": velocities.tolist()}), file=lines)
    print(f"{path.stem}: {time:.3g} s")


*scenes, folder = map(pathlib.Path, sys.argv[1:])
folder.mkdir(exist_ok=True)
for scene in scenes:
    record(scene, folder)
