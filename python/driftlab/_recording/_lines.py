"""The lines of a recording, whatever engine they are of."""

from __future__ import annotations

import gzip
import json
import math
import os
import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import IO, Any, Hashable, Iterator, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from .._json import plain

#: The version of the format that is written.
FORMAT = "driftlab-recording/1"

Array: TypeAlias = npt.NDArray[np.float64]
#: What names a body, joint or spring of an engine as long as it lives.
Handle: TypeAlias = Hashable


@dataclass
class Parts:
    """Bodies, joints and springs of a world by their handles, each as a scene states it."""

    bodies: dict[Handle, dict[str, Any]] = field(default_factory=dict)
    joints: dict[Handle, dict[str, Any]] = field(default_factory=dict)
    springs: dict[Handle, dict[str, Any]] = field(default_factory=dict)

    def kinds(self) -> Iterator[tuple[str, dict[Handle, dict[str, Any]]]]:
        yield from (("bodies", self.bodies), ("joints", self.joints), ("springs", self.springs))


def cross(arm: Array, force: Array) -> float:
    """arm × force of two vectors in the plane."""
    return float(arm[0] * force[1] - arm[1] * force[0])


def impulse(body: int, linear: Array, moment: float) -> list[float]:
    """An impulse on a body: number, N s, N s, and N m s about the centre of mass."""
    return [body, float(linear[0]), float(linear[1]), float(moment)]


def contact_impulse(linear: Array, normal: Array, moment: float = 0.0) -> list[float]:
    """An impulse on body b, N s, by its parts along the normal and along (n_y, −n_x), and its moment about the point, N m s."""
    tangent = np.array([normal[1], -normal[0]])
    return [float(linear @ normal), float(linear @ tangent), float(moment)]


#: A recording of whatever engine.
Own = TypeVar("Own", bound="File")


class File:
    """The file of a recording, compressed if its name ends in '.gz', which is open until it is closed."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._file: IO[str] | None = None

    def _open(self) -> None:
        if self.path.endswith(".gz"):
            self._file = gzip.open(self.path, "wt", encoding="utf-8", newline="\n")
        else:
            self._file = open(self.path, "w", encoding="utf-8", newline="\n")

    def _text(self, lines: str) -> None:
        if self._file is None:
            raise ValueError(f"{self.path}: the recording is closed")
        self._file.write(lines)

    def close(self) -> None:
        """Ends the recording. Closing it again does nothing."""
        if self._file is not None:
            self._file.close()
            self._file = None

    @property
    def closed(self) -> bool:
        """Whether the recording has ended."""
        return self._file is None

    def __enter__(self: Own) -> Own:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class Recorder(File, ABC):
    """A recording that is being written; see `driftlab.record`."""

    #: What the engine's world had at the beginning and the recording does not tell, a sentence each.
    left_out: list[str]

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__(path)
        self.left_out = []
        self._numbers: dict[str, dict[Handle, int]] = {"bodies": {}, "joints": {}, "springs": {}}
        self._count = {"bodies": 0, "joints": 0, "springs": 0}
        self._names: set[str] = set()
        self._time = 0.0
        self._h: float | None = None

    # What an engine's module says.

    @abstractmethod
    def _parts(self) -> Parts:
        """What the world consists of now. Bodies and constraints that have been stated already are only asked for their handles."""

    @abstractmethod
    def _state(self) -> tuple[dict[Handle, Array], dict[Handle, Array]]:
        """Poses of the bodies' origins, m, m, rad, and velocities of their centres of mass, m/s, m/s, rad/s, [3] each."""

    @abstractmethod
    def step(self, *args: Any) -> None:
        """Makes a step and writes it."""

    # The file.

    def _begin(self, header: dict[str, Any], scene: dict[str, Any]) -> None:
        """Opens the file and writes the first line. header: engine, precision, contacts_at and time_step; scene: what it has besides its parts."""
        self._h = header.get("time_step")
        parts = self._parts()
        scene = {"gravity": scene.pop("gravity"), **scene}
        for kind, own in parts.kinds():
            self._number(kind, own)
            if own or kind == "bodies":
                scene[kind] = list(own.values())
        self._open()
        line = {"format": FORMAT, **{key: value for key, value in header.items() if value is not None}, "scene": scene}
        if self.left_out:
            line["left_out"] = self.left_out
        self._put(line)

    def _number(self, kind: str, own: dict[Handle, dict[str, Any]]) -> None:
        for handle in own:
            self._numbers[kind][handle] = self._count[kind]
            self._count[kind] += 1

    def _put(self, line: dict[str, Any]) -> None:
        self._text(json.dumps(line, default=plain, separators=(",", ":"), ensure_ascii=False, allow_nan=False) + "\n")

    def _line(self, h: float, told: dict[str, Any], state: tuple[dict[Handle, Array], dict[Handle, Array]] | None = None) -> None:
        """Writes a step of h seconds: the state as it is now, and what is `told` of the step."""
        self._time += h
        line: dict[str, Any] = {"t": self._time}
        if h != self._h:
            line["h"] = h
        poses, velocities = self._state() if state is None else state
        q: list[list[float] | None] = [None] * self._count["bodies"]
        v: list[list[float] | None] = [None] * self._count["bodies"]
        for handle, number in self._numbers["bodies"].items():
            q[number], v[number] = poses[handle].tolist(), velocities[handle].tolist()
            if not all(map(math.isfinite, [*poses[handle], *velocities[handle]])):
                warnings.warn(f"{self.path}: at t = {self._time:.6g} s a body is nowhere, and the recording ends", RuntimeWarning, 3)
                self.close()
                return
        self._put({**line, "q": q, "v": v, **{key: value for key, value in told.items() if value is not None}})

    def _changes(self) -> dict[str, Any]:
        """What came and went since the last line, as keys of the next one; renumbers."""
        parts = self._parts()
        told: dict[str, dict[str, Any]] = {"came": {}, "went": {}}
        for kind, own in parts.kinds():
            gone = [handle for handle in self._numbers[kind] if handle not in own]
            fresh = {handle: keys for handle, keys in own.items() if handle not in self._numbers[kind]}
            if gone:
                told["went"][kind] = [self._numbers[kind].pop(handle) for handle in gone]
            if fresh:
                self._number(kind, fresh)
                told["came"][kind] = list(fresh.values())
        return {key: value for key, value in told.items() if value}

    def _known(self, kind: str, handle: Handle) -> bool:
        return handle in self._numbers[kind]

    def _name(self, wanted: object, otherwise: str) -> str:
        """A name that no other body has: the one that is wanted, if it is a text."""
        name = first = wanted if isinstance(wanted, str) and wanted else otherwise
        number = 2
        while name in self._names:
            name, number = f"{first} {number}", number + 1
        self._names.add(name)
        return name

    def _leave_out(self, sentence: str) -> None:
        if sentence not in self.left_out:
            self.left_out.append(sentence)
