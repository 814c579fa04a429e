"""Recordings of driftlab's own simulations: every impulse on every body, as `driftlab run --record` writes them."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from .._driftlab import Lines, Simulation, StepReport
from ._lines import File


class SimulationRecorder(File):
    """A recording of a `driftlab.Simulation` that is being written; see `driftlab.record`."""

    #: Nothing: a recording tells all that a simulation does.
    left_out: list[str]

    def __init__(self, simulation: Simulation, path: str | os.PathLike[str]) -> None:
        super().__init__(path)
        self.left_out = []
        self._simulation = simulation
        self._lines = Lines(simulation)
        self._open()
        self._text(self._lines.begin())

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
        self._text(self._lines.add(self._simulation))
