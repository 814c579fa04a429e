"""Sweeps over grids, in parts, by any executor: the runs are independent, and parts that are lost are run again."""

from __future__ import annotations

import os
import pickle
import tempfile
from asyncio import CancelledError
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterable, Protocol

from ._driftlab import Scene, Sweep, merge_parts, part_of
from ._result import Source, opened
from ._studies import Over, Table, plot_map, read_csv, spelled

if TYPE_CHECKING:
    import matplotlib.axes
    from typing_extensions import Unpack

    from ._keys import Options

    #: Scene, scheme, options, ranges, steps and time of a sweep.
    Plan = tuple[Scene, str | None, Options, list[str], int | None, float | None]

#: Parts that an executor has at once for each of its workers, and at least: more only burden a scheduler.
AHEAD, AT_LEAST = 4, 16
#: Parts that a message names.
NAMED = 10


class DaskClient(Protocol):
    """What a sweep needs of a `distributed.Client`."""

    def get_executor(self, **keys: Any) -> Executor: ...
    def nthreads(self) -> Any: ...


class SweepError(RuntimeError):
    """A part of a sweep has failed, again and again; the text says why, and which parts are done."""

    #: The files of the parts that are done, by their number from 1.
    done: dict[int, str]
    #: The numbers of the others.
    missing: list[int]
    #: Number of parts.
    parts: int

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Keeps the parts that are done in a folder: `sweep` with that folder goes on from there."""
        if self.done:
            kept = _Folder(Path(folder), part_of(next(iter(self.done.values())))[0], self.parts)
            for part, text in self.done.items():
                kept.write(part, text)


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
    retries: int = 3,
    **options: Unpack[Options],
) -> SweepTable:
    """Runs a scene at every combination of some parameters.

    over: the values of each parameter: a list, or 'FROM:TO:log:COUNT' or 'FROM:TO:lin:COUNT'; parameters of the scheme, or dt, gravity,
    friction, restitution, active_distance, active_travel, contact_tolerance. The last one varies fastest.
    executor: of concurrent.futures, such as a ProcessPoolExecutor, or a Dask client; without one the runs are made here.
    parts: into how many parts the grid is divided, each a task; by default one for every 16 runs. An executor has four for each of its
    workers at a time, however many there are.
    retries: how often a part is given to the executor again if it is lost, cancelled or fails.
    folder: where each finished part is kept as the file that `driftlab sweep --shard` writes. A sweep that is called again with the same
    folder runs only the parts that are missing there.
    steps, time: length of each run. options: h, level, integrator, solver, effort, consistent, and parameters by name; see `Scene.under`.

    Raises SweepError if a part fails more often: its `done` has the parts that are done, and its `save` keeps them. Ctrl+C leaves those in
    the folder.

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
        try:
            _spread(plan, executor, missing, count, retries, finish)
        except _PartError as failed:
            raise _told(failed, done, count, folder) from failed.__cause__
    text = merge_parts([(f"part {part}", own) for part, own in sorted(done.items())])
    return SweepTable(read_csv(text, words=("failure",)), tuple(over), text)


class _PartError(Exception):
    """A part that has failed for the last time, by its number; the cause says why."""

    def __init__(self, part: int, tries: int) -> None:
        super().__init__(part, tries)
        self.part, self.tries = part, tries


def _spread(
    plan: Plan, executor: Executor | DaskClient, missing: list[int], count: int, retries: int, finish: Callable[[int, str], None]
) -> None:
    """Has the missing parts run, some at a time."""
    pool: Executor = executor.get_executor(pure=False) if hasattr(executor, "get_executor") else executor
    pickled = pickle.dumps(plan)
    due, tries = missing[::-1], dict.fromkeys(missing, 0)
    running: dict[Future[str], int] = {}
    try:
        while due or running:
            ahead = max(AT_LEAST, AHEAD * _workers(executor))
            while due and len(running) < ahead:
                part = due.pop()
                tries[part] += 1
                try:
                    running[pool.submit(run_part, pickled, part, count)] = part
                except Exception as error:
                    # An executor that is broken or shut down takes nothing any more.
                    raise _PartError(part, tries[part]) from error
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                part = running.pop(future)
                try:
                    text = future.result()
                # Dask's cancellation is that of asyncio, which is no Exception.
                except (Exception, CancelledError) as error:
                    # The same arguments are wrong again; what is lost may come back.
                    if tries[part] > retries or isinstance(error, (ValueError, TypeError)):
                        raise _PartError(part, tries[part]) from error
                    due.append(part)
                else:
                    finish(part, text)
    finally:
        for future in running:
            future.cancel()


def _workers(executor: Executor | DaskClient) -> int:
    """How many parts run at once, as far as the executor says."""
    if hasattr(executor, "nthreads"):
        return sum(executor.nthreads().values())
    return int(getattr(executor, "_max_workers", 1))


def _told(failed: _PartError, done: dict[int, str], count: int, folder: str | os.PathLike[str] | None) -> SweepError:
    missing = [part for part in range(1, count + 1) if part not in done]
    why = failed.__cause__
    kept = f"kept in {os.fspath(folder)}" if folder is not None else "in the `done` of this error, whose `save(folder)` keeps them"
    error = SweepError(
        f"part {failed.part} of {count} has failed, tried {failed.tries} times: {type(why).__name__}: {why}. Done and {kept}: "
        f"{_ranges(done)}; missing: {_ranges(missing)}. The same call with that folder runs only the missing ones"
    )
    error.done, error.missing, error.parts = done, missing, count
    return error


def _ranges(parts: Iterable[int]) -> str:
    """Numbers in short: '1-3, 7'."""
    ranges: list[list[int]] = []
    for part in sorted(parts):
        if ranges and ranges[-1][1] == part - 1:
            ranges[-1][1] = part
        else:
            ranges.append([part, part])
    told = [str(a) if a == b else f"{a}-{b}" for a, b in ranges[:NAMED]]
    return ", ".join(told) + (f" and {len(ranges) - NAMED} more ranges" if len(ranges) > NAMED else "") or "none"


def run_part(plan: bytes, part: int, parts: int) -> str:
    """Runs a part of a pickled plan where the executor has put it."""
    return _planned(plan).run(part, parts)


@lru_cache(maxsize=1)
def _planned(plan: bytes) -> Sweep:
    """The sweep of a plan, which a worker reads once for all of its parts."""
    return Sweep(*pickle.loads(plan), checked=True)


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
