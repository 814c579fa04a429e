"""MuJoCo's runs of the scenes of the table evidence/docs/beside.md, as driftlab recordings.

Run: python record.py SCENE… FOLDER   (pip: mujoco; and the package of this repository, pip install ./python),
then driftlab-evidence beside --judge FOLDER, and copy FOLDER/recorded.csv to this place.

Each scene is exported as MJCF by driftlab itself; what that leaves out stands in the recording. MuJoCo's options are its
own but for `implicitfast` and the solver's tolerance; its time step is the scene's.
"""

import pathlib
import sys

import mujoco

import driftlab


def record(path, folder):
    scene = driftlab.Scene.load(path)
    xml, left_out = scene.to_mjcf()
    model = mujoco.MjModel.from_xml_string(xml)
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    model.opt.tolerance = 1e-15
    data = mujoco.MjData(model)
    steps = round(scene.duration / model.opt.timestep)
    with driftlab.record(model, folder / f"mujoco-{path.stem}.jsonl", data) as recorder:
        for _ in range(steps):
            recorder.step()
            if data.warning[mujoco.mjtWarning.mjWARN_BADQACC].number:
                break
    unstable = " unstable" if data.warning[mujoco.mjtWarning.mjWARN_BADQACC].number else ""
    print(f"{path.stem}: {data.time:.3g} s{unstable}", *left_out, *recorder.left_out, sep="; ")


*scenes, folder = map(pathlib.Path, sys.argv[1:])
folder.mkdir(exist_ok=True)
for scene in scenes:
    record(scene, folder)
