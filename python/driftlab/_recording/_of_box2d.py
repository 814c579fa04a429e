"""Recordings of Box2D 2.3, by its Python package.

A step of Box2D finds its contacts, changes the velocities, moves the bodies by them, and then takes back what joints are open and bodies overlap, which is in
no velocity. Impulses act at the places before the step, and so does what is told of contacts. Where fast bodies are stopped at their
time of impact, their contacts have a second entry, and momentum closes only as far as the correction that comes with it is small.
"""

from __future__ import annotations

import math
import os
from typing import Any

import Box2D
import numpy as np

from ._lines import Array, Handle, Parts, Recorder, contact_impulse, cross, impulse
from ._mass import massed

STATIC, KINEMATIC, DYNAMIC = 0, 1, 2


def array(vector: Any) -> Array:
    return np.array([vector[0], vector[1]], dtype=float)


class _Listener(Box2D.b2ContactListener):  # type: ignore[misc]
    """Notes the contacts of a step, and passes everything on to the program's own listener."""

    def __init__(self, recorder: Box2DRecorder, other: Any) -> None:
        super().__init__()
        self.recorder, self.other = recorder, other
        #: Of each contact: normal, for each point its place on either body as that was before the step, and gaps.
        self.points: dict[Any, tuple[Array, list[list[Array]], list[float]]] = {}
        self.contacts: list[dict[str, Any]] = []

    def BeginContact(self, contact: Any) -> None:
        if self.other is not None:
            self.other.BeginContact(contact)

    def EndContact(self, contact: Any) -> None:
        if self.other is not None:
            self.other.EndContact(contact)

    def PreSolve(self, contact: Any, old: Any) -> None:
        if self.other is not None:
            self.other.PreSolve(contact, old)
        found = contact.worldManifold
        count = contact.manifold.pointCount
        normal, points = array(found.normal), [array(found.points[i]) for i in range(count)]
        gaps = self.recorder.gaps(contact, normal, points)
        # A contact at a time of impact is found where the bodies are then.
        moved = [self.recorder.moved(fixture.body) for fixture in (contact.fixtureA, contact.fixtureB)]
        self.points[self.key(contact)] = normal, [[point - way for way in moved] for point in points], gaps

    def PostSolve(self, contact: Any, impulses: Any) -> None:
        if self.other is not None:
            self.other.PostSolve(contact, impulses)
        known = self.points.get(self.key(contact))
        if known is None:
            return
        normal, points, gaps = known
        numbers = [self.recorder.number(fixture.body) for fixture in (contact.fixtureA, contact.fixtureB)]
        for i, (at_a, at_b) in enumerate(points[: impulses.count]):
            tangent = np.array([normal[1], -normal[0]])
            exerted = impulses.normalImpulses[i] * normal + impulses.tangentImpulses[i] * tangent
            own: dict[str, Any] = {"bodies": numbers, "point": at_b, "normal": normal, "gap": gaps[i]}
            if (at_a != at_b).any():
                own["point_a"] = at_a
            self.contacts.append({**own, "impulse": contact_impulse(exerted, normal), "friction": contact.friction})

    @staticmethod
    def key(contact: Any) -> tuple[Any, ...]:
        return contact.fixtureA, contact.childIndexA, contact.fixtureB, contact.childIndexB


class Box2DRecorder(Recorder):
    """A recording of a `Box2D.b2World`."""

    def __init__(self, world: Any, path: str | os.PathLike[str], time_step: float | None) -> None:
        super().__init__(path)
        self.world = world
        self._told: dict[Handle, str] = {}
        self._before: dict[Any, Array] = {}
        settings = {name: bool(getattr(world, name)) for name in ("warmStarting", "continuousPhysics", "subStepping")}
        self._listener = _Listener(self, world.contactListener)
        self._leave_out("forces that the program puts on bodies: Box2D does not tell them")
        self._begin(
            {
                "engine": {"name": "Box2D", "version": Box2D.__version__, "settings": settings},
                "time_step": time_step,
                "precision": "f32",
                "contacts_at": "begin",
            },
            {"gravity": array(world.gravity)},
        )
        world.contactListener = self._listener
        self._remember()

    def close(self) -> None:
        if not self.closed:
            self.world.contactListener = self._listener.other
        super().close()

    def number(self, body: Any) -> int:
        return self._numbers["bodies"][body]

    # The world.

    def _parts(self) -> Parts:
        parts = Parts()
        for body in self.world.bodies:
            parts.bodies[body] = {} if self._known("bodies", body) else self._body(body)
        for joint in self.world.joints:
            known = self._known("joints", joint) or self._known("springs", joint)
            kind, keys = ("", {}) if known else self._joint(joint)
            if self._known("joints", joint) or kind == "joint":
                parts.joints[joint] = keys
            if self._known("springs", joint) or kind == "spring":
                parts.springs[joint] = keys
        return parts

    def _body(self, body: Any) -> dict[str, Any]:
        name = self._name(body.userData, f"body {len(self._names)}")
        self._told[body] = name
        keys: dict[str, Any] = {"name": name}
        if body.type != DYNAMIC:
            keys["type"] = "fixed" if body.type == STATIC else "kinematic"
        keys |= {"position": array(body.position), "angle": body.angle}
        if body.type != STATIC:
            keys |= {"velocity": array(body.linearVelocity), "angular_velocity": body.angularVelocity}
        shapes = [shape for fixture in body.fixtures for shape in self._fixture(fixture, name, body.type)]
        if body.type != DYNAMIC:
            return {**keys, **({"shapes": shapes} if shapes else {})}
        mass, inertia, center = self._mass(body)
        fixed = body.fixedRotation or inertia <= 0
        keys |= massed(mass, 1.0 if fixed else inertia, center, shapes, 1e-6)
        if fixed:
            keys["fixed_rotation"] = True
        if body.gravityScale != 1:
            keys["gravity_scale"] = body.gravityScale
        if body.linearDamping:
            keys["linear_damping"] = body.linearDamping * mass
        if body.angularDamping:
            keys["angular_damping"] = body.angularDamping * inertia
        return keys

    @staticmethod
    def _mass(body: Any) -> tuple[float, float, Array]:
        """Mass, kg, moment of inertia about the centre of mass, kg m², and that centre in the body, m."""
        center = array(body.localCenter)
        # Box2D's inertia is about the origin.
        return body.mass, body.inertia - body.mass * float(center @ center), center

    def _fixture(self, fixture: Any, name: str, kind: int) -> list[dict[str, Any]]:
        if fixture.sensor:
            self._leave_out(f"{name}: a sensor")
            return []
        own: dict[str, Any] = {"friction": fixture.friction, "restitution": fixture.restitution}
        data = fixture.filterData
        if (data.categoryBits, data.maskBits) != (1, 0xFFFF):
            own |= {"categories": data.categoryBits, "mask": data.maskBits}
        if data.groupIndex:
            own["group"] = data.groupIndex
        shape = fixture.shape
        if isinstance(shape, Box2D.b2CircleShape):
            return [{"shape": "circle", "radius": shape.radius, "offset": array(shape.pos), **own}]
        self._leave_out(f"the skin of polygons and edges, {shape.radius:.3g} m: it is in the gaps of contacts, and not in the shapes")
        if isinstance(shape, Box2D.b2PolygonShape):
            return [{"shape": "polygon", "vertices": [array(corner) for corner in shape.vertices], **own}]
        if kind == DYNAMIC:
            self._leave_out(f"{name}: an edge or chain of a body that moves")
            return []
        points = [array(corner) for corner in shape.vertices]
        return [{"shape": "polyline", "points": points, **own}]

    def _joint(self, joint: Any) -> tuple[str, dict[str, Any]]:
        """Whether a scene has it as a joint or a spring, and its keys there."""
        a, b = joint.bodyA, joint.bodyB
        keys: dict[str, Any] = {"bodies": [self._told[a], self._told[b]]}
        kind = type(joint).__name__
        between = f"{kind[2:]} between {self._told[a]} and {self._told[b]}"
        rigid = {**keys, "collide_connected": joint.collideConnected}
        try:
            rigid |= {"anchor_a": array(joint.GetLocalAnchorA()), "anchor_b": array(joint.GetLocalAnchorB())}
        except AttributeError:
            rigid |= {"anchor_a": array(a.GetLocalPoint(joint.anchorA)), "anchor_b": array(b.GetLocalPoint(joint.anchorB))}
        places = {key: rigid[key] for key in ("anchor_a", "anchor_b")}
        match kind:
            case "b2RevoluteJoint":
                if joint.limitEnabled:
                    rigid |= {"limits": [joint.lowerLimit, joint.upperLimit], "limits_from": joint.GetReferenceAngle()}
                if joint.motorEnabled:
                    rigid["motor"] = {"speed": joint.motorSpeed, "max_torque": joint.GetMaxMotorTorque()}
                return "joint", {"joint": "hinge", **rigid}
            case "b2PrismaticJoint":
                rigid |= {"axis_a": array(joint.GetLocalAxisA()), "reference_angle": joint.GetReferenceAngle()}
                if joint.limitEnabled:
                    rigid |= {"limits": [joint.lowerLimit, joint.upperLimit], "limits_from": 0.0}
                if joint.motorEnabled:
                    rigid["motor"] = {"speed": joint.motorSpeed, "max_force": joint.maxMotorForce}
                return "joint", {"joint": "slider", **rigid}
            case "b2WeldJoint":
                if joint.GetFrequency() > 0:
                    self._leave_out(f"{between}: that its angle is soft, {joint.GetFrequency():g} Hz")
                return "joint", {"joint": "weld", **rigid, "reference_angle": joint.GetReferenceAngle()}
            case "b2RopeJoint":
                return "joint", {"joint": "rope", **rigid, "length": joint.maxLength}
            case "b2WheelJoint":
                soft = {"frequency": joint.springFrequencyHz, "damping_ratio": joint.springDampingRatio}
                rigid |= {"axis_a": array(joint.GetLocalAxisA()), **soft}
                if joint.motorEnabled:
                    rigid["motor"] = {"speed": joint.motorSpeed, "max_torque": joint.maxMotorTorque}
                return "joint", {"joint": "wheel" if soft["frequency"] > 0 else "slot", **rigid}
            case "b2DistanceJoint" if joint.frequency == 0:
                return "joint", {"joint": "distance", **rigid, "length": joint.length}
            case "b2DistanceJoint":
                # The stiffness is that of the mass that resists it as placed.
                at_a, at_b = array(joint.anchorA), array(joint.anchorB)
                along = (at_b - at_a) / (math.hypot(*(at_b - at_a)) or 1.0)
                yielding = sum(self._yield(body, at, along) for body, at in ((a, at_a), (b, at_b)))
                rate = 2 * math.pi * joint.frequency
                stiff = {"stiffness": rate**2 / yielding, "damping": 2 * joint.dampingRatio * rate / yielding}
                return "spring", {**keys, **places, **stiff, "rest_length": joint.length}
        self._leave_out(f"{between}: what a scene has of such a joint is not told")
        return "", {}

    def _yield(self, body: Any, at: Array, along: Array) -> float:
        """1/m of a body against a push along a line, 1/kg."""
        if body.type != DYNAMIC:
            return 0.0
        mass, inertia, _ = self._mass(body)
        turning = cross(at - array(body.worldCenter), along) ** 2 / inertia if inertia > 0 and not body.fixedRotation else 0.0
        return 1 / mass + turning

    def moved(self, body: Any) -> Array:
        """The way of a body's centre of mass since the beginning of the step, m."""
        center = array(body.worldCenter)
        way: Array = center - self._centers.get(body, center)
        return way

    def gaps(self, contact: Any, normal: Array, points: list[Array]) -> list[float]:
        """The distances of the two surfaces at the points of a contact, m, as its manifold has them."""
        found = contact.manifold
        frames = [fixture.body.transform for fixture in (contact.fixtureA, contact.fixtureB)]
        radius = contact.fixtureA.shape.radius + contact.fixtureB.shape.radius

        def place(frame: Any, point: Any) -> Array:
            return array(frame * Box2D.b2Vec2(*point))

        if found.type_ == Box2D.b2Manifold.e_circles:
            apart = place(frames[1], found.points[0].localPoint) - place(frames[0], found.localPoint)
            return [float(apart @ normal) - radius]
        first = found.type_ == Box2D.b2Manifold.e_faceA
        plane = place(frames[0 if first else 1], found.localPoint)
        outward = normal if first else -normal
        tips = [place(frames[1 if first else 0], found.points[i].localPoint) for i in range(len(points))]
        return [float((tip - plane) @ outward) - radius for tip in tips]

    def _velocity(self, body: Any) -> Array:
        return np.array([*array(body.linearVelocity), body.angularVelocity])

    def _state(self) -> tuple[dict[Handle, Array], dict[Handle, Array]]:
        bodies: list[Any] = list(self._numbers["bodies"])
        poses: dict[Handle, Array] = {body: np.array([*array(body.position), body.angle]) for body in bodies}
        return poses, {body: self._velocity(body) for body in bodies}

    # A step.

    def _remember(self) -> None:
        """Notes what the next step begins with: velocities, and where impulses of joints will act."""
        self._before = {body: self._velocity(body) for body in self.world.bodies if body.type == DYNAMIC}
        self._centers = {body: array(body.worldCenter) for body in self.world.bodies}
        self._awake = {body: body.awake for body in self.world.bodies}
        self._anchors = {joint: (array(joint.anchorA), array(joint.anchorB)) for joint in self.world.joints}
        self._listener.contacts, self._listener.points = [], {}

    def step(self, dt: float | None = None, velocity_iterations: int = 8, position_iterations: int = 3) -> None:
        """Makes a step of dt seconds, by default `time_step`, and writes it: `world.Step(dt, …)`.

        Changes of velocity since the last line are impulses of a hand. Forces on bodies are not known: momentum then says what they did.
        """
        dt = self._length(dt)
        told = self._changes()
        hand = []
        for body in self.world.bodies:
            before = self._before.get(body)
            if before is not None and ((jump := self._velocity(body) - before) != 0).any():
                mass, inertia, _ = self._mass(body)
                hand.append(impulse(self.number(body), mass * jump[:2], inertia * jump[2]))
        self._remember()
        self.world.Step(dt, velocity_iterations, position_iterations)
        self._write(dt, {**told, "hand": hand or None})

    def write(self, dt: float | None = None) -> None:
        """Writes the step of dt seconds, by default `time_step`, that the program has just made. What it has changed between the last line and
        the step is not known."""
        self._write(self._length(dt), self._changes())

    def _length(self, dt: float | None) -> float:
        dt = self._h if dt is None else dt
        if dt is None:
            raise TypeError("expected the step's length, dt in s: the recording has no time_step")
        return dt

    def _write(self, dt: float, told: dict[str, Any]) -> None:
        external = []
        for body, before in self._before.items():
            # A body that sleeps has no weight. One that falls asleep is stopped, which no impulse tells.
            if not self._known("bodies", body) or not self._awake[body]:
                continue
            mass, inertia, _ = self._mass(body)
            pull = dt * mass * body.gravityScale * array(self.world.gravity)
            slowed = [min(max(1 - dt * rate, 0.0), 1.0) for rate in (body.linearDamping, body.angularDamping)]
            linear = slowed[0] * pull + mass * (slowed[0] - 1) * before[:2]
            external.append(impulse(self.number(body), linear, inertia * (slowed[1] - 1) * before[2]))
        acted = self._acted(dt)
        self._line(dt, {**told, "acted": acted, "contacts": self._listener.contacts, "external": external})
        self._remember()

    def _acted(self, dt: float) -> list[dict[str, Any]]:
        acted = []
        for joint in self.world.joints:
            if joint not in self._anchors:
                continue
            if self._known("joints", joint):
                entry: dict[str, Any] = {"joint": self._numbers["joints"][joint]}
            elif self._known("springs", joint):
                entry = {"spring": self._numbers["springs"][joint]}
            else:
                continue
            if not (self._awake.get(joint.bodyA) or self._awake.get(joint.bodyB)):
                continue
            linear = dt * array(joint.GetReactionForce(1 / dt))
            moment = dt * joint.GetReactionTorque(1 / dt)
            at_a, at_b = self._anchors[joint]
            kind = type(joint).__name__
            if kind in ("b2PrismaticJoint", "b2WheelJoint"):
                # Both bodies are pushed at the second one's anchor.
                at_a = at_b
            if kind == "b2RevoluteJoint" and joint.motorEnabled:
                along = dt * joint.GetMotorTorque(1 / dt)
                motor = {**entry, "part": "motor", "along": along}
                acted.append({**motor, "on": self._on(joint, np.zeros(2), at_a, at_b, along)})
            acted.append({**entry, "on": self._on(joint, linear, at_a, at_b, moment)})
        return acted

    def _on(self, joint: Any, linear: Array, at_a: Array, at_b: Array, moment: float) -> list[list[float]]:
        on = ((joint.bodyA, -linear, at_a, -moment), (joint.bodyB, linear, at_b, moment))
        return [
            impulse(self.number(body), own, cross(at - self._centers[body], own) + turn)
            for body, own, at, turn in on
            if body.type == DYNAMIC
        ]
