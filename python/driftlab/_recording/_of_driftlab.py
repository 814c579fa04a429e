"""Recordings of driftlab's own simulations: every impulse on every body, as `driftlab run --record` writes them."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from .._driftlab import Lines, Simulation, StepReport


class SimulationRecorder:
    """A recording of a `driftlab.Simulation` that is being written; see `driftlab.record`."""

    #: Nothing: a recording tells all that a simulation does.
    left_out: list[str]

    def __init__(self, simulation: Simulation, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self.left_out = []
        self._simulation = simulation
        self._lines = Lines(simulation)
        self._file: IO[str] | None
        if self.path.endswith(".gz"):
            self._file = gzip.open(self.path, "wt", encoding="utf-8", newline="\n")
        else:
            self._file = open(self.path, "w", encoding="utf-8", newline="\n")
        self._file.write(self._lines.begin())

    def step(
        self, steps: int = 1, *, force: Callable[[Simulation], npt.NDArray[np.float64]] | None = None
    ) -> StepReport:
        """Makes `steps` steps as `Simulation.step` does, writes each, and returns the report of the last."""
        if steps < 1:
            raise ValueError(f"steps: expected at least 1, found {steps}")
        for _ in range(steps):
            report = self._simulation.step(force=force)
            self.write()
        return report

    def write(self) -> None:
        """Writes the step that the simulation has made last."""
        if self._file is None:
            raise ValueError(f"{self.path}: the recording is closed")
        self._file.write(self._lines.add(self._simulation))

    def close(self) -> None:
        """Ends the recording. Closing it again does nothing."""
        if self._file is not None:
            self._file.close()
            self._file = None

    @property
    def closed(self) -> bool:
        """Whether the recording has ended."""
        return self._file is None

    def __enter__(self) -> SimulationRecorder:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()
