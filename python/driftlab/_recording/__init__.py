"""Recordings of other engines' runs, in driftlab's format (docs/RECORDING.md).

Each engine has a module that knows its world; an engine is imported when one of its worlds is recorded, and not before.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, overload

from .._driftlab import Simulation
from ._lines import Recorder
from ._of_driftlab import SimulationRecorder

if TYPE_CHECKING:
    import mujoco
    import pymunk

    from ._of_box2d import Box2DRecorder
    from ._of_mujoco import MujocoRecorder
    from ._of_pymunk import PymunkRecorder

__all__ = ["Recorder", "SimulationRecorder", "record"]


@overload
def record(world: Simulation, path: str | os.PathLike[str], data: None = None, *, time_step: None = None) -> SimulationRecorder: ...
@overload
def record(
    world: mujoco.MjModel, path: str | os.PathLike[str], data: mujoco.MjData, *, time_step: None = None
) -> MujocoRecorder: ...
@overload
def record(
    world: pymunk.Space, path: str | os.PathLike[str], data: None = None, *, time_step: float | None = None
) -> PymunkRecorder: ...
@overload
def record(
    world: Any, path: str | os.PathLike[str], data: None = None, *, time_step: float | None = None
) -> Box2DRecorder: ...
def record(
    world: Any, path: str | os.PathLike[str], data: Any = None, *, time_step: float | None = None
) -> Recorder | SimulationRecorder:
    """Records a run of MuJoCo, pymunk, Box2D or driftlab itself as a driftlab recording (docs/RECORDING.md): the world as it is now, then a line for each step.

    world: a `mujoco.MjModel`, with its `mujoco.MjData` as data; a `pymunk.Space`; a `Box2D.b2World`; or a `Simulation`. Lengths are taken as metres, masses as
    kilograms. path: where to write, compressed if it ends in '.gz'. time_step: h, s, of the steps to come, where the engine's world does not
    say it; a step of another length says its own.

    What is returned makes the engine's own step and writes it (`step`), or writes a step that the program has made itself (`write`). It is closed by
    `close`, or at the end of its `with` block. What the world has and a recording cannot tell is `left_out`, a list of sentences.

    Raises TypeError for a world of no known engine, and ValueError for a MuJoCo model that does not move in a plane.
    """
    if isinstance(world, Simulation):
        if data is not None or time_step is not None:
            raise TypeError("a Simulation has its own data and time step")
        return SimulationRecorder(world, path)
    for name, module in (("mujoco", "_of_mujoco"), ("pymunk", "_of_pymunk"), ("Box2D", "_of_box2d")):
        if any(kind.__module__.split(".")[0] == name for kind in type(world).__mro__):
            break
    else:
        kind = f"{type(world).__module__}.{type(world).__qualname__}"
        raise TypeError(f"expected a mujoco.MjModel, a pymunk.Space, a Box2D.b2World or a Simulation, found {kind}")
    if module == "_of_mujoco":
        from ._of_mujoco import MujocoRecorder

        return MujocoRecorder(world, path, data)
    if data is not None:
        raise TypeError("data belongs to a mujoco.MjModel alone")
    if module == "_of_pymunk":
        from ._of_pymunk import PymunkRecorder

        return PymunkRecorder(world, path, time_step)
    from ._of_box2d import Box2DRecorder

    return Box2DRecorder(world, path, time_step)
