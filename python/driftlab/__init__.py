"""Planar rigid bodies, their constraints, and every common way to enforce them.

>>> import driftlab
>>> result = driftlab.run("six-link-chain", "none", time=0.6)
>>> f"{result.joint_error.max():.4f} m"  # without stabilization the joints drift apart
'0.0027 m'

SI units, radians, y up. docs/PYTHON.md of the repository is the guide.
"""

from importlib.metadata import version

from . import lcp
from ._driftlab import BusyError, Scene, SceneError, Simulation, StepError, StepReport, scenes, schemes, solvers
from ._recording import Recorder, SimulationRecorder, record
from ._result import DriftlabWarning, Nearest, RayHit, Result, run
from ._studies import Comparison, Convergence, Stability, compare, converge, stability
from ._sweep import SweepError, SweepTable, sweep
from ._world import World, box, capsule, circle, ellipse, grid, half_plane, polygon, polyline

__version__ = version("driftlab")

__all__ = [
    "BusyError",
    "Comparison",
    "Convergence",
    "DriftlabWarning",
    "Nearest",
    "RayHit",
    "Recorder",
    "Result",
    "Scene",
    "SceneError",
    "Simulation",
    "SimulationRecorder",
    "Stability",
    "StepError",
    "StepReport",
    "SweepError",
    "SweepTable",
    "World",
    "box",
    "capsule",
    "circle",
    "compare",
    "converge",
    "ellipse",
    "grid",
    "half_plane",
    "lcp",
    "polygon",
    "polyline",
    "record",
    "run",
    "scenes",
    "schemes",
    "solvers",
    "stability",
    "sweep",
]
