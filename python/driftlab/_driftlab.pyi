"""Types of the compiled module; its docstrings stand in its sources, and `help` shows them."""

import os
from typing import Any, Literal, Mapping, Sequence, final

import numpy as np
import numpy.typing as npt

from ._result import Force

_Array = npt.NDArray[np.float64]

class SceneError(ValueError):
    problems: list[tuple[str, str]]

class StepError(RuntimeError): ...

@final
class Scene:
    @staticmethod
    def shipped(name: str) -> Scene: ...
    @staticmethod
    def load(path: str | os.PathLike[str]) -> Scene: ...
    @staticmethod
    def from_json(text: str) -> Scene: ...
    @classmethod
    def from_dict(cls, scene: Mapping[str, Any]) -> Scene: ...
    def to_json(self) -> str: ...
    def to_dict(self) -> dict[str, Any]: ...
    def save(self, path: str | os.PathLike[str]) -> None: ...
    def under(
        self,
        scheme: str | None = None,
        *,
        h: float | None = None,
        level: Literal["velocity", "acceleration"] | None = None,
        integrator: Literal["semi_implicit_euler", "explicit_euler", "rk4"] | None = None,
        solver: str | None = None,
        effort: Literal["exact", "bounded"] | None = None,
        consistent: bool = False,
        **parameters: float | str,
    ) -> Scene: ...
    def count_steps(self, steps: int | None = None, time: float | None = None) -> int: ...
    def warnings(self) -> list[str]: ...
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str | None: ...
    @property
    def observe(self) -> str | None: ...
    @property
    def bodies(self) -> list[str]: ...
    @property
    def joints(self) -> list[str]: ...
    @property
    def h(self) -> float: ...
    @property
    def duration(self) -> float | None: ...
    @property
    def scheme(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def level(self) -> str: ...
    @property
    def integrator(self) -> str: ...
    def _repr_svg_(self) -> str: ...

@final
class Simulation:
    def __new__(cls, scene: Scene) -> Simulation: ...
    def step(self, steps: int = 1, *, force: Force | None = None) -> StepReport: ...
    def _record(
        self, steps: int, *, impulses: bool = False, force: Force | None = None
    ) -> tuple[dict[str, Any], str | None]: ...
    def impulses(self) -> npt.NDArray[Any]: ...
    def scene(self) -> Scene: ...
    def doubts(self) -> list[str]: ...
    def apply(
        self,
        body: str | int,
        force: Sequence[float] = (0.0, 0.0),
        torque: float = 0.0,
        *,
        at: Sequence[float] = (0.0, 0.0),
        axes: Literal["world", "body"] = "world",
    ) -> None: ...
    def set_motor(self, joint: int, speed: float | None = None, max_force: float | None = None) -> None: ...
    @property
    def summary(self) -> dict[str, Any]: ...
    @property
    def report(self) -> StepReport: ...
    @property
    def time(self) -> float: ...
    @property
    def steps(self) -> int: ...
    @property
    def h(self) -> float: ...
    @property
    def bodies(self) -> list[str]: ...
    @property
    def masses(self) -> _Array: ...
    @property
    def poses(self) -> _Array: ...
    @poses.setter
    def poses(self, poses: npt.ArrayLike) -> None: ...
    @property
    def velocities(self) -> _Array: ...
    @velocities.setter
    def velocities(self, velocities: npt.ArrayLike) -> None: ...
    @property
    def joint_coordinates(self) -> _Array: ...
    @property
    def joint_rates(self) -> _Array: ...

@final
class StepReport:
    step: int
    time: float
    joint_error: float
    contact_error: float
    joint_error_before: float | None
    contact_error_before: float | None
    velocity_error: float
    kinetic_energy: float
    potential_energy: float
    correction_work: float
    bodies: int
    contacts: int
    rows: int
    solver_iterations: int
    residual: float
    nonholonomic_error: float
    joint_error_m: float
    joint_error_rad: float
    joint_error_m2: float
    limit_error_m: float
    limit_error_rad: float
    substeps: int
    infeasible: int
    solver: str
    trail: str
    relative_residual: float | None
    damped_corrections: int
    correction_left: float | None
    fastest_rate: float
    approximate: int
    approximate_residual: float | None
    applied_work: float
    gravity_work: float
    spring_work: float
    motor_work: float
    driver_work: float
    hand_work: float
    friction_work: float
    impact_work: float
    method_work: float
    @property
    def total_energy(self) -> float: ...

@final
class Sweep:
    def __new__(
        cls,
        scene: Scene,
        scheme: str | None,
        options: Mapping[str, Any],
        over: Sequence[str],
        steps: int | None,
        time: float | None,
    ) -> Sweep: ...
    @property
    def points(self) -> int: ...
    @property
    def id(self) -> str: ...
    def run(self, part: int, parts: int) -> str: ...

_Parameters = dict[str, tuple[float, float, float, str, str]]

def scenes() -> list[str]: ...
def schemes() -> dict[str, tuple[str, _Parameters]]: ...
def schemes_at(level: str | None) -> list[str]: ...
def solvers() -> dict[str, tuple[str, _Parameters]]: ...
def solve_lcp(m: _Array, q: _Array, method: str, parameters: Mapping[str, float]) -> dict[str, Any]: ...
def part_of(text: str) -> tuple[str, int, int]: ...
def merge_parts(parts: Sequence[tuple[str, str]]) -> str: ...
def converge_csv(
    scene: Scene,
    schemes: Sequence[str],
    h: Sequence[float] | None,
    time: float | None,
    reference: str | None,
    refine: int,
) -> tuple[str, str]: ...
def stability_map(
    scene: Scene, scheme: str | None, options: Mapping[str, Any], over: Sequence[str], unloaded: bool
) -> list[tuple[list[str], float, float, float, str]]: ...
