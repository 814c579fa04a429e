"""A scene under several schemes, over several time steps, and over the parameters of a scheme: tables that plot themselves."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping, Sequence

import numpy as np

from ._driftlab import converge_csv, schemes_at, stability_map
from ._result import Array, Result, Source, attempt, opened

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas
    from typing_extensions import Unpack

    from ._keys import Options

#: The values of a parameter: a list, or the command line's 'FROM:TO:log:COUNT', 'FROM:TO:lin:COUNT' or 'VALUE,VALUE,…'.
Over = Mapping[str, "Sequence[float] | Sequence[str] | str"]


@dataclass(frozen=True, repr=False)
class Table:
    """Columns of one length."""

    #: Columns by name, [n] each.
    columns: Mapping[str, Array]

    def __getitem__(self, name: str) -> Array:
        return self.columns[name]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def to_dataframe(self) -> pandas.DataFrame:
        """As a pandas DataFrame."""
        import pandas

        return pandas.DataFrame(dict(self.columns))

    def __repr__(self) -> str:
        """Aligned, a line for each row; of a long table the ends."""
        shown = range(len(self)) if len(self) <= 40 else [*range(20), *range(len(self) - 20, len(self))]
        told = [[name, *(_cell(own[i]) for i in shown)] for name, own in self.columns.items()]
        widths = [max(map(len, own)) for own in told]
        return "\n".join("  ".join(f"{cell:>{w}}" for cell, w in zip(line, widths)) for line in zip(*told))


def _cell(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, (float, np.floating)) else str(value)


@dataclass(frozen=True, repr=False)
class Comparison(Table):
    """A scene under several schemes; columns stabilizer, level, joint_error, contact_error, velocity_error (the largest of each run),
    energy_drift, correction_work (J), step_us (the median, µs) and ended."""

    #: The runs by scheme. A run that fails ends early, and its `failure` says why.
    runs: Mapping[str, Result]

    def plot(self, *columns: str, ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draws a column of every run over time, by default the error."""
        for result in self.runs.values():
            ax = result.plot(*columns, ax=ax)
        assert ax is not None
        ax.legend()
        return ax


def compare(
    scene: Source,
    stabilizers: Sequence[str] | None = None,
    *,
    steps: int | None = None,
    time: float | None = None,
    **options: Unpack[Options],
) -> Comparison:
    """Runs a scene under several schemes, each 'KIND' or 'KIND,key=value,…'; without any, all thirteen, or those that exist at `level`.

    steps, time, options: those of `run`.
    """
    base = opened(scene)
    runs: dict[str, Result] = {}
    for text in stabilizers or schemes_at(options.get("level")):
        under = base.under(text, **options)
        runs[under.label] = attempt(under, under.count_steps(steps, time), warn=False)
    summaries = [own.summary for own in runs.values()]

    def column(of: Any) -> Array:
        return np.array([of(own) for own in summaries])

    return Comparison(
        {
            "stabilizer": np.array(list(runs)),
            "level": np.array([own.scene.level for own in runs.values()]),
            "joint_error": column(lambda own: own["joint_error"]["largest"]),
            "contact_error": column(lambda own: own["contact_error"]["largest"]),
            "velocity_error": column(lambda own: own["velocity_error"]["largest"]),
            "energy_drift": column(lambda own: own["energy"]["largest_drift"]),
            "correction_work": column(lambda own: own["correction_work"]),
            "step_us": np.array([np.median(own.step_us[1:]) if len(own) > 1 else np.nan for own in runs.values()]),
            "ended": np.array([_ended(own) for own in runs.values()]),
        },
        runs,
    )


def _ended(result: Result) -> str:
    summary = result.summary
    if result.failure:
        return f"failed at {summary['time']:.6g} s"
    if blow_up := summary.get("blow_up"):
        return f"blown up at {blow_up['time']:.6g} s"
    if unsolved := summary.get("unsolved_steps"):
        return f"{unsolved} steps not solved"
    return "done"


@dataclass(frozen=True, repr=False)
class Convergence(Table):
    """Errors and orders over the time step: the columns of `driftlab converge --csv`, a row for each scheme and time step, and step_us
    (median time of a step, µs) and run_s (time of the run, s)."""

    def plot(
        self, error: str = "position_error", *, against: str = "time_step", ax: matplotlib.axes.Axes | None = None
    ) -> matplotlib.axes.Axes:
        """Draws an error of each scheme against 'time_step', or against 'run_s' for a work–precision diagram."""
        import matplotlib.pyplot as plt

        if ax is None:
            ax = plt.gca()
        for name in dict.fromkeys(self["scheme"]):
            rows = self["scheme"] == name
            ax.loglog(self[against][rows], self[error][rows], "o-", label=name)
        ax.set_xlabel({"time_step": "time step / s", "run_s": "computing time / s"}.get(against, against))
        ax.set_ylabel(error.replace("_", " "))
        ax.legend()
        return ax


def converge(
    scene: Source,
    stabilizers: Sequence[str],
    *,
    h: Sequence[float] | None = None,
    time: float | None = None,
    reference: str | None = None,
    refine: int = 32,
) -> Convergence:
    """Measures the errors of schemes over the time step against a converged reference, as `driftlab converge` does.

    stabilizers: schemes, in whose texts `level` and `integrator` may be among the parameters: 'none,integrator=rk4'.
    h: time steps in s, each of which divides the largest; by default the scene's and its half, quarter, eighth and sixteenth.
    time: s; by default the scene's duration. reference: a scheme or 'rk4'; by default rattle where it supports the scene.
    refine: steps of the reference per smallest time step, an even number.
    """
    steps = None if h is None else [float(own) for own in h]
    table, timings = converge_csv(opened(scene), list(stabilizers), steps, time, reference, refine)
    columns = read_csv(table, words=("scheme", "level", "integrator", "failure"))
    times = read_csv(timings, words=("scheme", "level", "integrator"))
    return Convergence({**columns, "step_us": times["step_us"], "run_s": times["run_s"]})


def read_csv(text: str, words: Sequence[str]) -> dict[str, Array]:
    """The columns of a CSV text; those not in `words` as numbers, nan where a cell is empty. Lines that begin with # are skipped."""
    rows = list(csv.reader(line for line in io.StringIO(text) if not line.startswith("#")))
    columns = dict(zip(rows[0], zip(*rows[1:]) if len(rows) > 1 else [()] * len(rows[0])))
    return {name: np.array(own) if name in words else _numbers(own) for name, own in columns.items()}


def _numbers(cells: Sequence[str]) -> Array:
    """As numbers where they are; a parameter's values may be words."""
    try:
        return np.array([float(cell) if cell else np.nan for cell in cells])
    except ValueError:
        return np.array(cells)


@dataclass(frozen=True, repr=False)
class Stability(Table):
    """A map of linear stability: the columns of `driftlab stability`. stable is 'true', 'marginal' or 'false'."""

    #: The names of the parameters.
    over: tuple[str, ...]

    def plot(self, *, ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draws the spectral radius over one parameter, or over two as a map with the line ρ = 1."""
        return plot_map(self, self.over, self["spectral_radius"], "spectral radius ρ", ax, level=1.0)


def stability(
    scene: Source,
    scheme: str | None = None,
    *,
    over: Over,
    unloaded: bool = False,
    **options: Unpack[Options],
) -> Stability:
    """Linearises a step about the scene's state, with the load and motion of its joints, at every point of a grid.

    over: the values of each parameter, of the scheme, 'dt' or 'gravity'. unloaded: the constraint error alone, without load or motion.
    options: h, level, integrator, and parameters by name; see `Scene.under`.
    """
    rows = stability_map(opened(scene), scheme, options, spelled(over), unloaded)
    values = dict(zip(over, zip(*(row[0] for row in rows))))
    columns = {name: _numbers(own) for name, own in values.items()}
    names = ("spectral_radius", "constraint_radius", "closed_form")
    columns |= {name: np.array([row[i] for row in rows]) for i, name in enumerate(names, 1)}
    if unloaded:
        del columns["constraint_radius"]
    return Stability({**columns, "stable": np.array([row[4] for row in rows])}, tuple(over))


def spelled(over: Over) -> list[str]:
    """A grid as the command line spells it, the last parameter running fastest."""

    def values(own: Sequence[Any] | str) -> str:
        return own if isinstance(own, str) else ",".join(_plain(value) for value in own)

    return [f"{key}={values(own)}" for key, own in over.items()]


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else repr(float(value))


def plot_map(
    table: Table, over: Sequence[str], values: Array, label: str, ax: matplotlib.axes.Axes | None, *, level: float | None = None
) -> matplotlib.axes.Axes:
    """Draws values over one parameter, or over two in colours; axes whose values are spaced by ratios are logarithmic."""
    import matplotlib.pyplot as plt
    from matplotlib.colors import LogNorm

    if ax is None:
        ax = plt.gca()
    if len(over) == 1:
        ax.plot(table[over[0]], values)
        ax.set_xlabel(over[0])
        ax.set_ylabel(label)
        if level is None:
            ax.set_yscale("log")
        else:
            ax.axhline(level, color="black", linewidth=0.8)
    elif len(over) == 2:
        x, y = (np.unique(table[name]) for name in over)
        grid = values.reshape(len(x), len(y)).T
        shades: dict[str, Any] = {"vmin": 0.0, "vmax": 2 * level} if level is not None else {"norm": LogNorm()}
        mesh = ax.pcolormesh(x, y, grid, shading="nearest", **shades)
        ax.figure.colorbar(mesh, ax=ax, label=label)
        if level is not None and np.nanmin(grid) < level < np.nanmax(grid):
            ax.contour(x, y, grid, levels=[level], colors="white")
        ax.set_xlabel(over[0])
        ax.set_ylabel(over[1])
    else:
        raise ValueError(f"expected one or two parameters to draw, found {len(over)}")
    for name, scale in zip(over, (ax.set_xscale, ax.set_yscale)):
        if _is_logarithmic(np.unique(table[name])):
            scale("log")
    return ax


def _is_logarithmic(values: Array) -> bool:
    return len(values) > 2 and values[0] > 0 and np.ptp(np.diff(np.log(values))) < 1e-6
