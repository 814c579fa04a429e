"""Sweeps over grids, in parts, by any executor: the runs are independent, and parts that are lost are run again."""

from __future__ import annotations

import os
import tempfile
from concurrent.futures import Executor, Future, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ._driftlab import Scene, Sweep, merge_parts, part_of
from ._result import Source, opened
from ._studies import Over, Table, plot_map, read_csv, spelled

if TYPE_CHECKING:
    import matplotlib.axes
    import numpy as np


#: Scene, scheme, options, ranges, steps and time of a sweep.
Plan = tuple[Scene, "str | None", "dict[str, Any]", "list[str]", "int | None", "float | None"]


class DaskClient(Protocol):
    """What a sweep needs of a `distributed.Client`."""

    def get_executor(self, **keys: Any) -> Executor: ...


@dataclass(frozen=True, repr=False)
class SweepTable(Table):
    """A row for each point of the grid: the columns of `driftlab sweep`."""

    #: The names of the parameters.
    over: tuple[str, ...]
    #: The file as `driftlab sweep --csv` writes it, to the byte.
    text: str

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file of `driftlab sweep --csv`."""
        _replace(Path(path), self.text)

    def plot(self, column: str = "joint_error", *, ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draws a column over one parameter, or over two as a map; runs that failed are left blank."""
        import numpy as np

        failed = np.array([bool(own) and not own.startswith(("blown up", "not solved")) for own in self["failure"]])
        return plot_map(self, self.over, np.where(failed, np.nan, self[column]), column.replace("_", " "), ax)


def sweep(
    scene: Source,
    scheme: str | None = None,
    *,
    over: Over,
    steps: int | None = None,
    time: float | None = None,
    executor: Executor | DaskClient | None = None,
    parts: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    **options: Any,
) -> SweepTable:
    """Runs a scene at every combination of some parameters.

    over: the values of each parameter: a list, or 'FROM:TO:log:COUNT' or 'FROM:TO:lin:COUNT'; parameters of the scheme, or dt, gravity,
    friction, restitution, active_distance, active_travel, contact_tolerance. The last one varies fastest.
    executor: of concurrent.futures, such as a ProcessPoolExecutor, or a Dask client; without one the runs are made here.
    parts: into how many parts the grid is divided, each a task; by default one for every 16 runs.
    folder: where each finished part is kept as the file that `driftlab sweep --shard` writes. A sweep that is called again with the same
    folder runs only the parts that are missing there.
    steps, time: length of each run. options: h, level, integrator, solver, effort, consistent, and parameters by name; see `Scene.under`.

    A run that fails is a row like any other, whose failure says why. The table is the same whoever makes it, to the byte.
    """
    plan: Plan = (opened(scene), scheme, options, spelled(over), steps, time)
    whole = Sweep(*plan)
    count = parts or max(1, -(-whole.points // 16))
    kept = None if folder is None else _Folder(Path(folder), whole.id, count)
    done = {} if kept is None else kept.read()
    missing = [part for part in range(1, count + 1) if part not in done]

    def finish(part: int, text: str) -> None:
        done[part] = text
        if kept is not None:
            kept.write(part, text)

    if executor is None:
        for part in missing:
            finish(part, whole.run(part, count))
    else:
        pool: Executor = executor.get_executor(pure=False) if hasattr(executor, "get_executor") else executor
        futures: dict[Future[str], int] = {pool.submit(run_part, plan, part, count): part for part in missing}
        try:
            for future in as_completed(futures):
                finish(futures[future], future.result())
        finally:
            for future in futures:
                future.cancel()
    text = merge_parts([(f"part {part}", own) for part, own in sorted(done.items())])
    return SweepTable(read_csv(text, words=("failure",)), tuple(over), text)


def run_part(plan: Plan, part: int, parts: int) -> str:
    """Runs a part where the executor has put it."""
    return Sweep(*plan).run(part, parts)


class _Folder:
    """The finished parts of one sweep."""

    def __init__(self, path: Path, id: str, parts: int) -> None:
        self.path, self.id, self.parts = path, id, parts
        path.mkdir(parents=True, exist_ok=True)

    def read(self) -> dict[int, str]:
        """The parts that are there. A file that is not whole counts as missing; one of another sweep is an error."""
        found = {}
        for file in sorted(self.path.glob("part-*.csv")):
            text = file.read_text(encoding="utf-8")
            try:
                id, part, parts = part_of(text)
            except ValueError:
                continue
            if (id, parts) != (self.id, self.parts):
                raise ValueError(f"{file}: is part {part}/{parts} of sweep {id}, not of {self.parts} parts of {self.id} (expected another folder)")
            found[part] = text
        return found

    def write(self, part: int, text: str) -> None:
        _replace(self.path / f"part-{part:0{len(str(self.parts))}}.csv", text)


def _replace(path: Path, text: str) -> None:
    """Writes a file beside the old one and renames it: a reader sees the old bytes or the new ones."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8", newline="") as file:
        file.write(text)
    os.replace(file.name, path)
