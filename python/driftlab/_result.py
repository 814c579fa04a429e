"""Runs: many steps of a scene, and what they recorded, as numpy arrays."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Mapping, NamedTuple, Sequence, TypeAlias

import numpy as np
import numpy.typing as npt

from ._driftlab import Scene, Simulation, StepError

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas
    from typing_extensions import Unpack

    from ._keys import Options

Array = npt.NDArray[Any]
Force = Callable[[Simulation], npt.ArrayLike]
#: What names a scene; see `run`.
Source: TypeAlias = Scene | str | os.PathLike[str] | Mapping[str, Any]

#: Columns of `Result.table`, in the order of the command line's `--csv`.
COLUMNS = (
    "step", "time", "joint_error", "contact_error", "joint_error_before", "contact_error_before", "velocity_error",
    "kinetic_energy", "potential_energy", "correction_work", "bodies", "contacts", "rows", "solver_iterations", "residual",
    "step_us", "nonholonomic_error", "joint_error_m", "joint_error_rad", "joint_error_m2", "limit_error_m",
    "limit_error_rad", "substeps", "infeasible", "solver", "trail", "relative_residual", "damped_corrections",
    "correction_left", "fastest_rate", "approximate", "approximate_residual", "applied_work",
    "gravity_work", "spring_work", "motor_work", "driver_work", "hand_work", "friction_work", "impact_work", "method_work", "drag_work",
)  # fmt: skip

#: Columns of impulses, in the order of the command line's `--impulses`.
IMPULSES = (
    "step", "time", "kind", "index", "body_a", "body_b", "x", "y", "nx", "ny", "lambda_1", "lambda_2", "lambda_3",
    "impulse_x", "impulse_y", "moment", "angular_impulse_a", "angular_impulse_b", "state", "momentum_residual",
    "angular_momentum_residual",
)  # fmt: skip


class DriftlabWarning(UserWarning):
    """A run has made its steps, but its numbers may not mean what they seem to: it blew up, gained energy from nothing, bodies passed through
    each other, constraints contradict each other, its scheme is unstable, or its solver has not converged."""


class RayHit(NamedTuple):
    """Where a ray meets a shape."""

    #: Name of the body.
    body: str
    #: From the beginning of the ray, m; 0 if that lies in the shape.
    distance: float
    #: In the world, m.
    point: tuple[float, float]
    #: Outward unit normal of the shape there; against the ray, if it begins in the shape.
    normal: tuple[float, float]


class Nearest(NamedTuple):
    """The point of a surface that is nearest to a given one."""

    #: Name of the body.
    body: str
    #: On its surface, in the world, m.
    point: tuple[float, float]
    #: m; negative inside of the body.
    distance: float


class _Column:
    """A column of a result by its name, [n]."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        self.__doc__ = f"The column {name} of `driftlab run --csv`, [n]."

    def __get__(self, result: Result | None, owner: type | None = None) -> Array:
        if result is None:
            return self  # type: ignore[return-value]
        return result.columns[self.name]


@dataclass(frozen=True, repr=False)
class Result:
    """What a run recorded: n rows, row 0 the state before the first step.

    Every column of the command line's `--csv` is an attribute, too: `result.joint_error`, `result.step_us`, …; numbers that a scheme does
    not have are nan. (`bodies` are the names; their number is `columns["bodies"]`.)
    """

    #: The scene as it was run.
    scene: Scene
    #: Columns of the run by name, [n] each.
    columns: Mapping[str, Array]
    #: x, y (m) of the bodies' origins and angles (rad), [n, bodies, 3].
    poses: Array
    #: vx, vy (m/s) of the centres of mass and angular velocities (rad/s), [n, bodies, 3].
    velocities: Array
    #: A structured array with a row for each step and constraint, its fields as the columns of `--impulses` (N s, N m s, m); None if
    #: impulses were not recorded.
    impulses: Array | None
    #: The figures of the whole run, as `driftlab run --json` prints them.
    summary: dict[str, Any] = field(default_factory=dict)
    #: The scene at the end of the run, which continues to the same bits.
    end: Scene | None = None
    #: Why a step failed, if one did.
    failure: str | None = None

    step = _Column()
    time = _Column()
    joint_error = _Column()
    contact_error = _Column()
    joint_error_before = _Column()
    contact_error_before = _Column()
    velocity_error = _Column()
    kinetic_energy = _Column()
    potential_energy = _Column()
    correction_work = _Column()
    contacts = _Column()
    rows = _Column()
    solver_iterations = _Column()
    residual = _Column()
    step_us = _Column()
    nonholonomic_error = _Column()
    joint_error_m = _Column()
    joint_error_rad = _Column()
    joint_error_m2 = _Column()
    limit_error_m = _Column()
    limit_error_rad = _Column()
    substeps = _Column()
    infeasible = _Column()
    solver = _Column()
    trail = _Column()
    relative_residual = _Column()
    damped_corrections = _Column()
    correction_left = _Column()
    fastest_rate = _Column()
    approximate = _Column()
    approximate_residual = _Column()
    applied_work = _Column()

    @property
    def t(self) -> Array:
        """Time, s, [n]."""
        return self.columns["time"]

    @property
    def energy(self) -> Array:
        """Kinetic and potential energy together, J, [n]; not to be written to."""
        energy: Array = self.columns["kinetic_energy"] + self.columns["potential_energy"]
        energy.flags.writeable = False
        return energy

    @property
    def bodies(self) -> list[str]:
        """The names of the bodies, in the order of the arrays."""
        return self.scene.bodies

    def body(self, name: str) -> Array:
        """Poses of one body, [n, 3] of (m, m, rad)."""
        if name not in self.bodies:
            raise ValueError(f"body: no body is named '{name}' (expected one of {', '.join(self.bodies)})")
        return self.poses[:, self.bodies.index(name)]

    def to_dataframe(self) -> pandas.DataFrame:
        """The columns as a pandas DataFrame, a row for each state."""
        import pandas

        return pandas.DataFrame({name: self.columns[name] for name in COLUMNS})

    def plot(self, *columns: str, ax: matplotlib.axes.Axes | None = None, **style: Any) -> matplotlib.axes.Axes:
        """Draws columns over time by matplotlib, by default the joint error, or the contact error of a scene without joints; errors on a
        logarithmic axis."""
        import matplotlib.pyplot as plt

        if ax is None:
            ax = plt.gca()
        names = columns or (("joint_error",) if self.summary["joints"] else ("contact_error",))
        for name in names:
            values = self._column(name)
            label = self.scene.label if len(names) == 1 else name.replace("_", " ")
            ax.plot(self.t, values, **{"label": label, **style})
        if all("error" in name for name in names) and any(np.any(self._column(name) > 0) for name in names):
            ax.set_yscale("log")
        ax.set_xlabel("time / s")
        ax.set_ylabel(names[0].replace("_", " "))
        return ax

    def _column(self, name: str) -> Array:
        if name == "energy":
            return self.energy
        if name not in self.columns:
            raise ValueError(f"a result has no column '{name}' (expected energy or one of {', '.join(COLUMNS)})")
        return self.columns[name]

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        largest = self.summary["joint_error"]["largest"]
        told = f", failed: {self.failure}" if self.failure else ""
        return f"<Result of '{self.scene.name}' under {self.scene.scheme}: {len(self) - 1} steps, joint error {largest}{told}>"


def opened(scene: Source) -> Scene:
    """A scene as it is, by the name of a shipped one, by the path of a file, or by its dictionary."""
    if isinstance(scene, Scene):
        return scene
    if isinstance(scene, Mapping):
        return Scene.from_dict(dict(scene))
    if isinstance(scene, os.PathLike):
        return Scene.load(scene)
    if not isinstance(scene, str):
        expected = "a Scene, the name of a shipped one, the path of a file, or a dictionary"
        raise TypeError(f"scene: expected {expected}, found {scene!r} of type {type(scene).__name__}")
    return Scene.load(scene) if scene.endswith(".json") else Scene.shipped(scene)


def run(
    scene: Source,
    scheme: str | None = None,
    *,
    steps: int | None = None,
    time: float | None = None,
    impulses: bool = False,
    force: Force | None = None,
    **options: Unpack[Options],
) -> Result:
    """Runs a scene and returns what it recorded.

    scene: a scene, the name of a shipped one, the path of a file (as a text, it ends in .json), or a dictionary.
    scheme: 'KIND' or 'KIND,key=value,…'; the scene's own if none is given.
    steps, time: number of steps, or simulated time in s; by default the scene's duration, or else 10 s.
    impulses: whether to record the impulse of every contact, joint, limit, motor and spring in every step.
    force: called with the simulation before each step; returns forces and torques on all bodies, [bodies, 3] of (N, N, N m).
    options: h (time step, s), level, integrator, solver, effort, consistent, and parameters by name; see `Scene.under`.

    Raises ValueError if an option is wrong, SceneError if the scene is, and StepError if a step fails. The error's `result` is what was
    recorded until then; so is that of the KeyboardInterrupt by which Ctrl+C ends a run, and of an exception in `force`. Warns (DriftlabWarning) where the numbers may not mean what they seem to.
    """
    scene = opened(scene).under(scheme, **options)
    result = attempt(scene, scene.count_steps(steps, time), impulses=impulses, force=force)
    if result.failure is not None:
        error = StepError(result.failure)
        error.result = result
        raise error
    return result


def attempt(scene: Scene, steps: int, *, impulses: bool = False, force: Force | None = None, warn: bool = True) -> Result:
    """Like `run`, of a scene as it is; a step that fails ends the result, which says why."""
    told = scene.warnings()
    simulation = Simulation(scene)
    columns, failure, error = simulation._record(steps, impulses=impulses, force=force)
    poses, velocities, acted = (columns.pop(name) for name in ("poses", "velocities", "impulses"))
    for name in ("solver", "trail"):
        columns[name] = _words(columns[name])
    told += [f"{scene.name}: {text}" for text in simulation.doubts()]
    if warn and error is None:
        for text in told:
            warnings.warn(text, DriftlabWarning, stacklevel=3)
    impulse_table = None if acted is None else structured(acted)
    result = Result(
        scene, columns, poses, velocities, impulse_table, simulation.summary, simulation.scene(), failure or (None if error is None else repr(error))
    )  # fmt: skip
    if error is not None:
        error.result = result  # type: ignore[attr-defined]
        raise error
    return result


def structured(columns: Mapping[str, Any], names: Sequence[str] = IMPULSES) -> Array:
    """Columns as one structured array that cannot be written to; texts are given as those that differ and a number for each row."""
    arrays = {name: _words(own) if isinstance(own := columns[name], tuple) else own for name in names}
    table = np.empty(len(arrays[names[0]]), dtype=[(name, own.dtype) for name, own in arrays.items()])
    for name, own in arrays.items():
        table[name] = own
    table.flags.writeable = False
    return table


def _words(coded: tuple[list[str], Array]) -> Array:
    """Texts from the list of those that differ, and a number for each row."""
    texts, codes = coded
    return np.array(texts or [""], dtype=str)[codes]
