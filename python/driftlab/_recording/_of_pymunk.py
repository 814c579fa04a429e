"""Recordings of pymunk, that is of Chipmunk.

A step of Chipmunk moves the bodies by their old velocities, finds the contacts there, and then changes the velocities: contacts belong to the end
of a step. What it takes of an overlap is moved by a velocity of its own, which is not in the bodies' and has no impulse here. Contacts push their
two bodies at two points, one on each surface (`point_a`), so that friction leaves a moment μ p_n d where surfaces are d apart.
"""

from __future__ import annotations

import ctypes
import math
import os
import sys
from typing import Any

import numpy as np
import pymunk
import pymunk.constraints as kinds
from pymunk._chipmunk_cffi import ffi

from ._lines import Array, Handle, Parts, Recorder, contact_impulse, cross, impulse
from ._mass import massed

#: Where Chipmunk's structures of constraints hold the impulse of the last step, bytes from their beginning on machines of 64 bits. pymunk tells
#: the size of this impulse alone, with which what is read there is compared.
IMPULSE_AT = {
    kinds.PinJoint: (200, 1),
    kinds.SlideJoint: (208, 1),
    kinds.PivotJoint: (200, 2),
    kinds.GrooveJoint: (256, 2),
    kinds.DampedSpring: (240, 1),
    kinds.DampedRotarySpring: (160, 1),
    kinds.RotaryLimitJoint: (136, 1),
    kinds.SimpleMotor: (120, 1),
}
#: What has no joint of its own in a scene and belongs to the hinge between the same two bodies.
OF_HINGES = (kinds.SimpleMotor, kinds.RotaryLimitJoint)


def own_impulse(joint: kinds.Constraint) -> Array | None:
    """The impulse that a constraint exerted in the last step, N s or N m s, with its direction; None where it is not found."""
    where = IMPULSE_AT.get(type(joint))
    if where is None or sys.maxsize < 2**32:
        return None
    told = abs(joint.impulse)
    address = int(ffi.cast("uintptr_t", joint._constraint)) + where[0]
    read = np.array((ctypes.c_double * where[1]).from_address(address))
    return read if abs(math.hypot(*read) - told) <= 1e-9 * told else None


def world(body: pymunk.Body, point: Any) -> Array:
    return np.array(body.local_to_world(tuple(point)))


def center(body: pymunk.Body) -> Array:
    return world(body, body.center_of_gravity)


class PymunkRecorder(Recorder):
    """A recording of a `pymunk.Space`."""

    def __init__(self, space: pymunk.Space, path: str | os.PathLike[str], time_step: float | None) -> None:
        super().__init__(path)
        self.space = space
        #: Names of bodies, also of those that are gone.
        self._told: dict[Handle, str] = {}
        self._of_hinge: dict[Handle, kinds.Constraint] = {}
        self._before: dict[pymunk.Body, Array] = {}
        settings = {
            name: getattr(space, name)
            for name in ("iterations", "damping", "collision_slop", "collision_bias", "collision_persistence", "sleep_time_threshold")
        }
        settings = {name: value for name, value in settings.items() if math.isfinite(value)}
        self._begin(
            {
                "engine": {"name": "pymunk", "version": f"{pymunk.version}, Chipmunk {pymunk.chipmunk_version}", "settings": settings},
                "time_step": time_step,
                "contacts_at": "end",
            },
            {"gravity": list(space.gravity), "combination": {"friction": "product", "restitution": "product"}},
        )
        self._remember()

    # The world.

    def _parts(self) -> Parts:
        parts = Parts()
        joints = list(self.space.constraints)
        still = self.space.static_body
        bodies = [still] if still.shapes or any(still in (joint.a, joint.b) for joint in joints) else []
        bodies += [body for body in self.space.bodies if body is not still]
        bodies += [shape.body for shape in self.space.shapes if shape.body is not None]
        for body in dict.fromkeys(bodies):
            parts.bodies[body] = {} if self._known("bodies", body) else self._body(body)
        hinges = {frozenset((joint.a, joint.b)): joint for joint in joints if type(joint) is kinds.PivotJoint}
        names = self._told
        names |= {body: keys["name"] for body, keys in parts.bodies.items() if keys}
        for joint in joints:
            hinge = hinges.get(frozenset((joint.a, joint.b)))
            if isinstance(joint, OF_HINGES) and hinge is not None:
                self._of_hinge[joint] = hinge
            elif isinstance(joint, (kinds.DampedSpring, kinds.DampedRotarySpring)):
                parts.springs[joint] = {} if self._known("springs", joint) else self._spring(joint, names)
            elif isinstance(joint, (kinds.PinJoint, kinds.SlideJoint, kinds.PivotJoint, kinds.GrooveJoint)):
                parts.joints[joint] = {} if self._known("joints", joint) else self._joint(joint, names, joints)
            else:
                self._leave_out(f"{type(joint).__name__} between {names[joint.a]} and {names[joint.b]}: a scene has no such joint")
        if parts.springs and self.space.damping != 1:
            self._leave_out("that damping also weakens the impulses of springs in a step")
        return parts

    def _body(self, body: pymunk.Body) -> dict[str, Any]:
        still = body.body_type == pymunk.Body.STATIC
        name = self._name(getattr(body, "name", None), "static" if still else f"body {len(self._names)}")
        keys: dict[str, Any] = {"name": name}
        if body.body_type != pymunk.Body.DYNAMIC:
            keys["type"] = "fixed" if still else "kinematic"
        keys |= {"position": list(body.position), "angle": body.angle}
        if not still:
            keys |= {"velocity": self._velocity(body)[:2], "angular_velocity": body.angular_velocity}
        shapes = [told for shape in body.shapes for told in self._shape(shape, name, still)]
        if body.body_type == pymunk.Body.DYNAMIC:
            turns = math.isfinite(body.moment)
            keys |= massed(body.mass, body.moment if turns else 1.0, np.array(body.center_of_gravity), shapes, 1e-12)
            if not turns:
                keys["fixed_rotation"] = True
            if body.velocity_func != pymunk.Body.update_velocity:
                self._leave_out(f"{name}: the function by which its velocity is changed")
            if body.position_func != pymunk.Body.update_position:
                self._leave_out(f"{name}: the function by which its position is changed")
        elif shapes:
            keys["shapes"] = shapes
        return keys

    def _shape(self, shape: pymunk.Shape, name: str, still: bool) -> list[dict[str, Any]]:
        surface: dict[str, Any] = {"friction": shape.friction, "restitution": min(shape.elasticity, 1.0)}
        if shape.sensor:
            self._leave_out(f"{name}: a sensor")
            return []
        if any(shape.surface_velocity):
            self._leave_out(f"{name}: surface velocity {tuple(shape.surface_velocity)} of a shape")
        if shape.elasticity > 1:
            self._leave_out(f"{name}: elasticity {shape.elasticity}, above 1")
        own = shape.filter
        if own.group:
            surface["group"] = -own.group
        if own.categories != pymunk.ShapeFilter.ALL_CATEGORIES() or own.mask != pymunk.ShapeFilter.ALL_MASKS():
            surface |= {"categories": own.categories & 0xFFFFFFFF, "mask": own.mask & 0xFFFFFFFF}
        if isinstance(shape, pymunk.Circle):
            return [{"shape": "circle", "radius": shape.radius, "offset": list(shape.offset), **surface}]
        if isinstance(shape, pymunk.Poly):
            rounded = {"radius": shape.radius} if shape.radius > 1e-9 else {}
            return [{"shape": "polygon", "vertices": [list(corner) for corner in shape.get_vertices()], **rounded, **surface}]
        assert isinstance(shape, pymunk.Segment)
        a, b = np.array(shape.a), np.array(shape.b)
        if shape.radius == 0:
            if still or shape.body is not None and shape.body.body_type == pymunk.Body.KINEMATIC:
                return [{"shape": "polyline", "points": [a, b], **surface}]
            self._leave_out(f"{name}: a segment without radius, of a body that moves")
            return []
        along = b - a
        place = {"offset": (a + b) / 2, "angle": math.atan2(along[1], along[0])}
        return [{"shape": "capsule", "length": math.hypot(*along), "radius": shape.radius, **place, **surface}]

    def _joint(self, joint: Any, names: dict[Handle, str], joints: list[kinds.Constraint]) -> dict[str, Any]:
        keys: dict[str, Any] = {"bodies": [names[joint.a], names[joint.b]], "collide_connected": bool(joint.collide_bodies)}
        between = f"between {names[joint.a]} and {names[joint.b]}"
        if math.isfinite(joint.max_force):
            self._leave_out(f"{type(joint).__name__} {between}: its largest force, {joint.max_force:g} N")
        if isinstance(joint, kinds.GrooveJoint):
            start, end = np.array(joint.groove_a), np.array(joint.groove_b)
            length = math.hypot(*(end - start))
            place = {"anchor_a": start, "anchor_b": list(joint.anchor_b), "axis_a": (end - start) / length}
            return {"joint": "slot", **keys, **place, "limits": [0.0, length], "limits_from": 0.0}
        keys |= {"anchor_a": list(joint.anchor_a), "anchor_b": list(joint.anchor_b)}
        if isinstance(joint, kinds.PinJoint):
            return {"joint": "distance", **keys, "length": joint.distance}
        if isinstance(joint, kinds.SlideJoint):
            return {"joint": "distance", **keys, "limits": [joint.min, joint.max]}
        for other in joints:
            if {other.a, other.b} != {joint.a, joint.b}:
                continue
            sign = 1.0 if other.a is joint.a else -1.0
            if isinstance(other, kinds.SimpleMotor):
                if not math.isfinite(other.max_force):
                    self._leave_out(f"SimpleMotor {between}: it is as strong as it has to be, and is told with 1e12 N m")
                keys["motor"] = {"speed": -sign * other.rate, "max_torque": min(other.max_force, 1e12)}
            elif isinstance(other, kinds.RotaryLimitJoint):
                low, high = sorted((sign * other.min, sign * other.max))
                keys |= {"limits": [low, high], "limits_from": 0.0}
        return {"joint": "hinge", **keys}

    def _spring(self, spring: Any, names: dict[Handle, str]) -> dict[str, Any]:
        keys: dict[str, Any] = {"bodies": [names[spring.a], names[spring.b]], "stiffness": spring.stiffness, "damping": spring.damping}
        if isinstance(spring, kinds.DampedSpring):
            places = {"anchor_a": list(spring.anchor_a), "anchor_b": list(spring.anchor_b)}
            return {**keys, **places, "rest_length": spring.rest_length}
        # Chipmunk's angle is that of the first body less that of the second.
        return {**keys, "anchor": list(spring.a.position), "rest_angle": -spring.rest_angle}

    def _velocity(self, body: pymunk.Body) -> Array:
        return np.array([*body.velocity, body.angular_velocity])

    def _state(self) -> tuple[dict[Handle, Array], dict[Handle, Array]]:
        bodies: list[pymunk.Body] = list(self._numbers["bodies"])  # type: ignore[arg-type]
        still = [body.body_type == pymunk.Body.STATIC for body in bodies]
        poses: dict[Handle, Array] = {body: np.array([*body.position, body.angle]) for body in bodies}
        return poses, {body: np.zeros(3) if rests else self._velocity(body) for body, rests in zip(bodies, still)}

    # A step.

    def _remember(self) -> None:
        self._before = {body: self._velocity(body) for body in self.space.bodies if body.body_type == pymunk.Body.DYNAMIC}

    def step(self, dt: float | None = None) -> None:
        """Makes a step of dt seconds, by default `time_step`, and writes it: `space.step(dt)`.

        Forces that the program has put on bodies before are told with the weight, changes of velocity since the last line as impulses of a hand.
        """
        dt = self._h if dt is None else dt
        if dt is None:
            raise TypeError("expected the step's length, dt in s: the recording has no time_step")
        told = self._changes()
        hand = []
        for body, before in self._before.items():
            if self._known("bodies", body):
                jump = (self._velocity(body) - before) * self._masses(body)
                if jump.any():
                    hand.append(impulse(self._numbers["bodies"][body], jump[:2], jump[2]))
        forces = {body: (np.array(body.force), body.torque) for body in self.space.bodies}
        self._remember()
        self.space.step(dt)
        self._write(dt, {**told, "hand": hand or None}, forces)

    def write(self, dt: float | None = None) -> None:
        """Writes the step of dt seconds, by default `time_step`, that the program has just made. Forces that it has put on bodies are not known
        any more: `step` tells them."""
        dt = self._h if dt is None else dt
        if dt is None:
            raise TypeError("expected the step's length, dt in s: the recording has no time_step")
        told = self._changes()
        for body in self.space.bodies:
            if body not in self._before and body.body_type == pymunk.Body.DYNAMIC:
                # It came with the velocity that its scene states, which is the one after the step.
                self._before[body] = self._velocity(body)
        self._write(dt, told, {})

    def _masses(self, body: pymunk.Body) -> Array:
        return np.array([body.mass, body.mass, body.moment if math.isfinite(body.moment) else 0.0])

    def _write(self, dt: float, told: dict[str, Any], forces: dict[Any, tuple[Array, float]]) -> None:
        numbers = self._numbers["bodies"]
        external = []
        kept = self.space.damping**dt
        for body, before in self._before.items():
            if body not in numbers or body.is_sleeping or body.body_type != pymunk.Body.DYNAMIC:
                continue
            force, torque = forces.get(body, (np.zeros(2), 0.0))
            mass, _, inertia = self._masses(body)
            linear = dt * (mass * np.array(self.space.gravity) + force) + mass * (kept - 1) * before[:2]
            external.append(impulse(numbers[body], linear, (dt * torque if inertia else 0.0) + inertia * (kept - 1) * before[2]))
        self._line(dt, {**told, "acted": self._acted(), "contacts": self._contacts(), "external": external})
        self._remember()

    def _acted(self) -> list[dict[str, Any]]:
        acted = []
        for joint in self.space.constraints:
            exerted = own_impulse(joint)
            if exerted is None:
                continue
            entry: dict[str, Any]
            of = self._of_hinge.get(joint, joint)
            if of in self._numbers["joints"]:
                entry = {"joint": self._numbers["joints"][of]}
            elif joint in self._numbers["springs"]:
                entry = {"spring": self._numbers["springs"][joint]}
            else:
                continue
            if isinstance(joint, kinds.DampedRotarySpring):
                on = self._turn(joint, exerted[0])
            elif isinstance(joint, OF_HINGES):
                if not exerted[0]:
                    continue
                along = exerted[0] if joint.a is of.a else -exerted[0]
                part = "motor" if isinstance(joint, kinds.SimpleMotor) else "lower_limit" if along > 0 else "upper_limit"
                entry |= {"part": part, "along": along}
                on = self._turn(joint, exerted[0])
            elif isinstance(joint, kinds.GrooveJoint):
                at = world(joint.b, joint.anchor_b)
                on = self._push(joint, exerted, at, at)
            else:
                at_a, at_b = world(joint.a, joint.anchor_a), world(joint.b, joint.anchor_b)
                if len(exerted) == 1:
                    way = at_b - at_a
                    exerted = exerted * way / (math.hypot(*way) or 1.0)
                on = self._push(joint, exerted, at_a, at_b)
            acted.append({**entry, "on": on})
        return acted

    def _push(self, joint: Any, linear: Array, at_a: Array, at_b: Array) -> list[list[float]]:
        numbers = self._numbers["bodies"]
        on = ((joint.a, -linear, at_a), (joint.b, linear, at_b))
        return [impulse(numbers[body], own, cross(at - center(body), own)) for body, own, at in on if self._moves(body)]

    def _turn(self, joint: Any, moment: float) -> list[list[float]]:
        on = ((joint.a, -moment), (joint.b, moment))
        return [impulse(self._numbers["bodies"][body], np.zeros(2), own) for body, own in on if self._moves(body)]

    @staticmethod
    def _moves(body: pymunk.Body) -> bool:
        return bool(body.body_type == pymunk.Body.DYNAMIC)

    def _contacts(self) -> list[dict[str, Any]]:
        shapes = {shape._shape: shape for shape in self.space.shapes}
        contacts = []
        for arbiter in self.space._get_arbiters():
            # Those of this step, among them that are kept for the next ones; states 0 and 1 are contacts, the others none.
            if arbiter.state > 1 or arbiter.a not in shapes or arbiter.b not in shapes:
                continue
            a, b = shapes[arbiter.a], shapes[arbiter.b]
            if a.sensor or b.sensor or a.body is None or b.body is None or not (self._moves(a.body) or self._moves(b.body)):
                continue
            normal = np.array([arbiter.n.x, arbiter.n.y])
            center_a, center_b = center(a.body), center(b.body)
            for i in range(arbiter.count):
                own = arbiter.contacts[i]
                at_a = center_a + (own.r1.x, own.r1.y)
                at_b = center_b + (own.r2.x, own.r2.y)
                contacts.append(
                    {
                        "bodies": [self._numbers["bodies"][a.body], self._numbers["bodies"][b.body]],
                        "point": at_b,
                        "point_a": at_a,
                        "normal": normal,
                        "gap": float((at_b - at_a) @ normal),
                        # Chipmunk's tangent is the normal turned by a quarter counter-clockwise.
                        "impulse": contact_impulse(own.jnAcc * normal + own.jtAcc * np.array([-normal[1], normal[0]]), normal),
                        "friction": arbiter.u,
                    }
                )
        return contacts
