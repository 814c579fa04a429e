"""Planar rigid bodies, their constraints, and every common way to enforce them.

>>> import driftlab
>>> result = driftlab.run("six-link-chain", "none", time=0.6)
>>> f"{result.joint_error.max():.4f} m"  # without stabilization the joints drift apart
'0.0027 m'

SI units, radians, y up. docs/PYTHON.md of the repository is the guide.
"""

from importlib.metadata import version

from . import lcp
from ._driftlab import Scene, SceneError, Simulation, StepError, StepReport, scenes, schemes, solvers
from ._result import DriftlabWarning, Result, run, structured
from ._studies import Comparison, Convergence, Stability, compare, converge, stability
from ._sweep import SweepTable, sweep
from ._world import World, box, capsule, circle, ellipse, half_plane, polygon, polyline

__version__ = version("driftlab")

__all__ = [
    "Comparison",
    "Convergence",
    "DriftlabWarning",
    "Result",
    "Scene",
    "SceneError",
    "Simulation",
    "Stability",
    "StepError",
    "StepReport",
    "SweepTable",
    "World",
    "box",
    "capsule",
    "circle",
    "compare",
    "converge",
    "ellipse",
    "half_plane",
    "lcp",
    "polygon",
    "polyline",
    "run",
    "scenes",
    "schemes",
    "solvers",
    "stability",
    "sweep",
]
