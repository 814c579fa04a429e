"""Recordings of MuJoCo, of models that move in one plane.

MuJoCo has no joints in its bodies' coordinates: a tree moves in its own ones, and no force of a hinge or a slide is computed. The impulse of such a joint is
here what the bodies beyond it need besides everything else that acts on them, so that momentum closes; what of it points along the free coordinate is
what MuJoCo's step in its own coordinates and one in those of the bodies differ by, of second order in h. Contacts, limits, friction and equalities have the
forces that its solver found, over the step. These belong to the places before the step.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np
import numpy.typing as npt

from ._lines import Array, Handle, Parts, Recorder, contact_impulse, cross, impulse
from ._mass import massed

JOINT, GEOM, EQ, CONSTRAINT, INTEGRATOR = mujoco.mjtJoint, mujoco.mjtGeom, mujoco.mjtEq, mujoco.mjtConstraint, mujoco.mjtIntegrator


@dataclass
class Body:
    """A body that moves as one: a body of the model with those that are welded to it."""

    root: int
    name: str
    #: Bodies of the model of which it consists.
    members: list[int]
    joints: list[int]
    #: Its place among the bodies on which it hangs and that hang on it; none if it moves freely.
    parent: int | None = None
    kind: str = "fixed"
    #: The direction in the body that lies along the right at angle 0.
    right: Array = field(default_factory=lambda: np.zeros(3))
    mass: float = 0.0
    inertia: float = 0.0
    #: Centre of mass in the root's frame, m.
    middle: Array = field(default_factory=lambda: np.zeros(3))
    turns: bool = True


@dataclass
class Joint:
    """A hinge, slide or slot of the tree, or an equality."""

    body_a: int
    body_b: int
    keys: dict[str, Any]
    #: The model's joints, of the tree: that of the angle, that of the way.
    hinge: int | None = None
    slide: int | None = None
    equality: int | None = None
    #: 1 where the model's angle turns counter-clockwise, as seen.
    sign: float = 1.0


class MujocoRecorder(Recorder):
    """A recording of a `mujoco.MjModel` with its `mujoco.MjData`."""

    def __init__(self, model: mujoco.MjModel, path: str | os.PathLike[str], data: mujoco.MjData | None) -> None:
        super().__init__(path)
        if data is None:
            raise TypeError("expected record(model, path, data) with the mujoco.MjData of the run")
        self.model, self.data = model, data
        #: MuJoCo leaves its places where the forces of the last step were; here they are computed for the state as it is.
        self._now = mujoco.MjData(model)
        self._place()
        self._plane = self._find_plane()
        self._bodies, self._of = self._find_bodies()
        self._angles = [0.0] * len(self._bodies)
        self._joints = self._find_joints()
        self._springs: dict[Handle, dict[str, Any]] = self._find_springs()
        self._say_what_is_left_out()
        option = model.opt
        settings: dict[str, Any] = {
            "integrator": INTEGRATOR(option.integrator).name[6:].lower(),
            "solver": mujoco.mjtSolver(option.solver).name[6:].lower(),
            "cone": mujoco.mjtCone(option.cone).name[7:].lower(),
        }
        settings |= {name: getattr(option, name) for name in ("iterations", "tolerance", "noslip_iterations", "impratio")}
        for name, rows in (("geom_solref", model.geom_solref), ("geom_solimp", model.geom_solimp), ("eq_solref", model.eq_solref)):
            if len(rows):
                settings[name] = rows[0] if (rows == rows[0]).all() else rows
        header = {
            "engine": {"name": "mujoco", "version": mujoco.__version__, "settings": settings},
            "time_step": option.timestep,
            "contacts_at": "begin",
        }
        self._time = data.time
        self._begin(header, {"gravity": self._weight, "combination": {"friction": "max"}})
        self._velocities = self._state()[1]

    # The plane.

    def _find_plane(self) -> Array:
        """Right and up as two rows: across the first hinge, else x and z."""
        hinges = [
            self._now.xaxis[j] for j in range(self.model.njnt) if self.model.jnt_type[j] == JOINT.mjJNT_HINGE
        ]
        across = next(iter(hinges), np.array([0.0, 1.0, 0.0]))
        plane = np.delete(np.eye(3), np.abs(across).argmax(), axis=0)
        if np.abs(plane @ across).max() > 1e-9:
            raise ValueError(f"expected a plane of two of the axes x, y and z, found a hinge along {across.tolist()}")
        self._across = np.cross(plane[0], plane[1])
        gravity = self.model.opt.gravity
        if abs(gravity @ self._across) > 1e-9 * np.abs(gravity).max(initial=0.0):
            raise ValueError(f"expected gravity in the plane, found {gravity.tolist()} with hinges along {across.tolist()}")
        off = bool(self.model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_GRAVITY)
        self._weight = np.zeros(2) if off else plane @ gravity
        return plane

    def _flat(self, vector: npt.ArrayLike) -> Array:
        flat: Array = self._plane @ np.asarray(vector)
        return flat

    def _place(self) -> None:
        """Computes places and velocities of the state as it is."""
        now, data = self._now, self.data
        now.qpos[:], now.qvel[:] = data.qpos, data.qvel
        now.mocap_pos[:], now.mocap_quat[:] = data.mocap_pos, data.mocap_quat
        mujoco.mj_kinematics(self.model, now)
        mujoco.mj_comPos(self.model, now)
        mujoco.mj_comVel(self.model, now)

    def _angle(self, body: Body, near: float) -> float:
        x, y = self._flat(self._now.xmat[body.root].reshape(3, 3) @ body.right)
        angle = math.atan2(y, x)
        return angle + 2 * math.pi * round((near - angle) / (2 * math.pi))

    def _local(self, body: Body, point: Array, angle: float) -> list[float]:
        """A point of the plane in the body's coordinates."""
        d = point - self._flat(self._now.xpos[body.root])
        c, s = math.cos(angle), math.sin(angle)
        return [float(c * d[0] + s * d[1]), float(c * d[1] - s * d[0])]

    def _center(self, data: mujoco.MjData, body: Body) -> Array:
        return self._flat(data.xpos[body.root] + data.xmat[body.root].reshape(3, 3) @ body.middle)

    # The world.

    def _find_bodies(self) -> tuple[list[Body], list[int]]:
        m, now = self.model, self._now
        bodies: list[Body] = []
        of: list[int] = []
        for b in range(m.nbody):
            joints = list(range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b])) if m.body_jntnum[b] else []
            if b and not joints and m.body_mocapid[b] < 0:
                of.append(of[m.body_parentid[b]])
                bodies[of[b]].members.append(b)
                continue
            of.append(len(bodies))
            name = self._name(m.body(b).name, f"body {b}")
            bodies.append(Body(b, name, [b], joints, kind="dynamic" if joints else "kinematic" if b else "fixed"))
            if joints:
                bodies[-1].parent = of[m.body_parentid[b]]
        for body in bodies:
            turn = now.xmat[body.root].reshape(3, 3)
            flat = abs(turn[:, 0] @ self._across) < 1e-9
            body.right = np.array([1.0, 0.0, 0.0]) if flat else turn.T @ self._plane[0]
            body.mass = sum(m.body_mass[b] for b in body.members)
            if body.mass > 0:
                middle = sum((m.body_mass[b] * now.xipos[b] for b in body.members), np.zeros(3)) / body.mass
                for b in body.members:
                    own = now.ximat[b].reshape(3, 3).T @ self._across
                    away = self._flat(now.xipos[b] - middle)
                    body.inertia += float(m.body_inertia[b] @ own**2) + m.body_mass[b] * float(away @ away)
                body.middle = turn.T @ (middle - now.xpos[body.root])
            if body.joints:
                self._understand(body)
        return bodies, of

    def _understand(self, body: Body) -> None:
        """Checks that a body moves in the plane, and whether it hangs on its parent."""
        kinds = [JOINT(self.model.jnt_type[j]) for j in body.joints]
        axes = [self._now.xaxis[j] for j in body.joints]
        for kind, axis in zip(kinds, axes):
            if kind == JOINT.mjJNT_HINGE and np.abs(self._flat(axis)).max() > 1e-9:
                raise ValueError(f"{body.name}: a hinge across the plane is expected, this one is along {axis.tolist()}")
            if kind == JOINT.mjJNT_SLIDE and abs(self._across @ axis) > 1e-9:
                raise ValueError(f"{body.name}: a slide in the plane is expected, this one is along {axis.tolist()}")
        count = {kind: sum(own == kind for own in kinds) for kind in JOINT.__members__.values()}
        slides, hinges = count[JOINT.mjJNT_SLIDE], count[JOINT.mjJNT_HINGE]
        free = kinds == [JOINT.mjJNT_FREE] or (slides, hinges) in ((2, 1), (2, 0))
        if free:
            if body.parent != 0:
                self._leave_out(f"{body.name}: that it moves in the coordinates of its parent")
            body.parent, body.turns = None, kinds == [JOINT.mjJNT_FREE] or hinges == 1
        elif len(kinds) > 2 or not (kinds[0] == JOINT.mjJNT_HINGE and len(kinds) == 1 or kinds[0] == JOINT.mjJNT_SLIDE and hinges == len(kinds) - 1):
            names = ", ".join(kind.name[6:].lower() for kind in kinds)
            raise ValueError(f"{body.name}: a hinge, a slide, a slide and a hinge, two slides and a hinge, or a free joint is expected, found {names}")

    def _find_joints(self) -> list[Joint]:
        m, now, joints = self.model, self._now, []
        self._angles = [self._angle(body, 0.0) for body in self._bodies]
        for number, body in enumerate(self._bodies):
            if body.parent is None or not body.joints:
                continue
            parent, first = self._bodies[body.parent], body.joints[0]
            hinge = next((j for j in body.joints if m.jnt_type[j] == JOINT.mjJNT_HINGE), None)
            slide = first if m.jnt_type[first] == JOINT.mjJNT_SLIDE else None
            # Static geometry and what hangs on it collide in MuJoCo; a body and its parent do not.
            keys: dict[str, Any] = {"bodies": [parent.name, body.name], "collide_connected": body.parent == 0}
            sign = 1.0 if hinge is None else float(np.sign(now.xaxis[hinge] @ self._across))
            joint = Joint(body.parent, number, keys, hinge, slide, None, sign)
            anchor = self._flat(now.xanchor[first if hinge is None else hinge])
            keys["anchor_b"] = self._local(body, anchor, self._angles[number])
            if slide is None:
                keys["anchor_a"] = self._local(parent, anchor, self._angles[body.parent])
                x = self._angles[number] - self._angles[body.parent]
            else:
                # Where the slide is at zero the anchors coincide.
                x = float(now.qpos[m.jnt_qposadr[slide]])
                way = self._flat(now.xaxis[slide])
                keys["anchor_a"] = self._local(parent, anchor - x * way, self._angles[body.parent])
                keys["axis_a"] = self._turned(way, -self._angles[body.parent])
                if hinge is None:
                    keys["reference_angle"] = self._angles[number] - self._angles[body.parent]
            driven = slide if slide is not None else hinge
            assert driven is not None
            self._limits(joint, driven, x, sign if slide is None else 1.0)
            keys = {"joint": "hinge" if slide is None else "slider" if hinge is None else "slot", **keys}
            joint.keys = keys
            joints.append(joint)
        for e in range(m.neq):
            found = self._equality(e)
            if found is not None:
                joints.append(found)
        return joints

    @staticmethod
    def _turned(vector: Array, angle: float) -> list[float]:
        c, s = math.cos(angle), math.sin(angle)
        return [float(c * vector[0] - s * vector[1]), float(s * vector[0] + c * vector[1])]

    def _limits(self, joint: Joint, driven: int, x: float, sign: float) -> None:
        """Limits and friction of a joint of the model. x: the scene's coordinate as placed."""
        m, now = self.model, self._now
        # The scene's coordinate where the model's is zero.
        zero = x - sign * float(now.qpos[m.jnt_qposadr[driven]])
        if m.jnt_limited[driven]:
            low, high = sorted(sign * m.jnt_range[driven])
            joint.keys |= {"limits": [low, high], "limits_from": zero}
        loss = float(m.dof_frictionloss[m.jnt_dofadr[driven]])
        if loss > 0:
            joint.keys["friction"] = loss

    def _equality(self, e: int) -> Joint | None:
        m, now, kind = self.model, self._now, EQ(self.model.eq_type[e])
        name = m.equality(e).name or f"equality {e}"
        if kind not in (EQ.mjEQ_CONNECT, EQ.mjEQ_WELD) or m.eq_objtype[e] != mujoco.mjtObj.mjOBJ_BODY:
            self._leave_out(f"{name}: a scene has no such equality")
            return None
        ends = [int(m.eq_obj1id[e]), int(m.eq_obj2id[e])]
        a, b = (self._of[end] for end in ends)
        if a == b or not {self._bodies[a].kind, self._bodies[b].kind} & {"dynamic"}:
            self._leave_out(f"{name}: it ties what does not move")
            return None
        keys: dict[str, Any] = {"bodies": [self._bodies[a].name, self._bodies[b].name], "collide_connected": True}
        for key, at, number in zip(("anchor_a", "anchor_b"), self._ends(e, now), (a, b)):
            keys[key] = self._local(self._bodies[number], self._flat(at), self._angles[number])
        if kind == EQ.mjEQ_WELD:
            tied = np.zeros(9)
            mujoco.mju_quat2Mat(tied, m.eq_data[e, 6:10])
            # As the second body would stand were the weld kept.
            kept = now.xmat[ends[0]].reshape(3, 3) @ tied.reshape(3, 3) @ now.xmat[ends[1]].reshape(3, 3).T
            x, y = self._flat(kept @ now.xmat[self._bodies[b].root].reshape(3, 3) @ self._bodies[b].right)
            angle = math.atan2(y, x) - self._angles[a]
            keys["reference_angle"] = angle + 2 * math.pi * round((self._angles[b] - self._angles[a] - angle) / (2 * math.pi))
        return Joint(a, b, {"joint": "weld" if kind == EQ.mjEQ_WELD else "hinge", **keys}, equality=e)

    def _ends(self, e: int, data: mujoco.MjData) -> list[Array]:
        """The points in space that an equality of bodies ties."""
        m = self.model
        return [
            data.xpos[body] + data.xmat[body].reshape(3, 3) @ m.eq_data[e, at : at + 3]
            for body, at in ((int(m.eq_obj1id[e]), 3 if m.eq_type[e] == EQ.mjEQ_WELD else 0), (int(m.eq_obj2id[e]), 0 if m.eq_type[e] == EQ.mjEQ_WELD else 3))
        ]

    def _find_springs(self) -> dict[Handle, dict[str, Any]]:
        """Springs and dampers of hinges as torsional springs, by the number of their joint here."""
        m = self.model
        springs: dict[Handle, dict[str, Any]] = {}
        for number, joint in enumerate(self._joints):
            for j in (joint.hinge, joint.slide):
                if j is None or not (m.jnt_stiffness[j] or m.dof_damping[m.jnt_dofadr[j]]):
                    continue
                if j != joint.hinge:
                    self._leave_out(f"{m.joint(j).name or f'joint {j}'}: stiffness and damping along a slide")
                    continue
                as_placed = self._angles[joint.body_b] - self._angles[joint.body_a]
                q = m.jnt_qposadr[j]
                rest = as_placed - joint.sign * float(self._now.qpos[q] - m.qpos_spring[q])
                keys = {"bodies": joint.keys["bodies"], "anchor": self._flat(self._now.xanchor[j])}
                stiff = {"stiffness": float(m.jnt_stiffness[j]), "damping": float(m.dof_damping[m.jnt_dofadr[j]])}
                springs[number] = {**keys, **stiff, "rest_angle": rest}
        return springs

    def _say_what_is_left_out(self) -> None:
        m = self.model
        for i in range(m.nu):
            self._leave_out(f"{m.actuator(i).name or f'actuator {i}'}: its law; what it does is told as that of a motor")
        for i in range(m.ntendon):
            self._leave_out(f"{m.tendon(i).name or f'tendon {i}'}: tendons")
        for dof in np.flatnonzero(m.dof_armature):
            self._leave_out(f"{m.joint(m.dof_jntid[dof]).name or f'joint {m.dof_jntid[dof]}'}: armature {m.dof_armature[dof]:g}")
        if m.opt.density or m.opt.viscosity:
            self._leave_out(f"air of density {m.opt.density:g} and viscosity {m.opt.viscosity:g}")
        if m.nexclude:
            self._leave_out("pairs of bodies that are excluded from collision")
        if any(m.geom_contype != m.geom_conaffinity):
            self._leave_out("contype and conaffinity that differ: a pair collides in MuJoCo where one of both agrees, in a scene where both do")
        if m.opt.integrator == INTEGRATOR.mjINT_RK4:
            self._leave_out("what acted in a step: the integrator RK4 has four forces in each")

    def _body_keys(self, number: int) -> dict[str, Any]:
        body, now = self._bodies[number], self._now
        keys: dict[str, Any] = {"name": body.name}
        if body.kind != "dynamic":
            keys["type"] = body.kind
        keys |= {"position": self._flat(now.xpos[body.root]), "angle": self._angles[number]}
        shapes = [told for g in range(self.model.ngeom) if self._of[self.model.geom_bodyid[g]] == number for told in self._shape(g, number)]
        if body.kind != "dynamic":
            return {**keys, **({"shapes": shapes} if shapes else {})}
        v = self._velocity(body)
        center = np.array(self._local(body, self._center(now, body), self._angles[number]))
        keys |= {"velocity": v[:2], "angular_velocity": v[2], **massed(body.mass, body.inertia, center, shapes, 1e-9)}
        if not body.turns:
            keys["fixed_rotation"] = True
        if self.model.body_gravcomp[body.root]:
            keys["gravity_scale"] = 1 - float(self.model.body_gravcomp[body.root])
        return keys

    def _shape(self, g: int, number: int) -> list[dict[str, Any]]:
        m, now, body = self.model, self._now, self._bodies[number]
        name = f"{body.name}: {m.geom(g).name or f'geom {g}'}"
        own: dict[str, Any] = {"friction": float(m.geom_friction[g, 0]) if m.geom_condim[g] > 1 else 0.0}
        if m.geom_contype[g] != 1 or m.geom_conaffinity[g] != 1:
            own |= {"categories": int(m.geom_contype[g]), "mask": int(m.geom_conaffinity[g])}
        axes, size, kind = now.geom_xmat[g].reshape(3, 3), m.geom_size[g], GEOM(m.geom_type[g])
        place: dict[str, Any] = {"offset": self._local(body, self._flat(now.geom_xpos[g]), self._angles[number])}
        across = [abs(self._across @ axes[:, i]) for i in range(3)]
        deep = across.index(max(across))

        def turned(axis: int) -> dict[str, Any]:
            x, y = self._flat(axes[:, axis])
            return {**place, "angle": math.atan2(y, x) - self._angles[number], **own}

        if kind == GEOM.mjGEOM_SPHERE or kind in (GEOM.mjGEOM_CAPSULE, GEOM.mjGEOM_CYLINDER) and across[2] > 1 - 1e-9:
            return [{"shape": "circle", "radius": float(size[0]), **place, **own}]
        if kind == GEOM.mjGEOM_PLANE and across[2] < 1e-9 and body.kind != "dynamic":
            normal = self._turned(self._flat(axes[:, 2]), -self._angles[number])
            return [{"shape": "half_plane", "normal": normal, **place, **own}]
        if kind == GEOM.mjGEOM_CAPSULE and across[2] < 1e-9:
            return [{"shape": "capsule", "length": 2 * float(size[1]), "radius": float(size[0]), **turned(2)}]
        if kind == GEOM.mjGEOM_CYLINDER and across[2] < 1e-9:
            return [{"shape": "box", "size": [2 * float(size[1]), 2 * float(size[0])], **turned(2)}]
        if kind in (GEOM.mjGEOM_BOX, GEOM.mjGEOM_ELLIPSOID) and across[deep] > 1 - 1e-9:
            # Seen from its side: the axis before the one across is the right one.
            first, second = [i for i in range(3) if i != deep]
            if kind == GEOM.mjGEOM_BOX:
                return [{"shape": "box", "size": [2 * float(size[first]), 2 * float(size[second])], **turned(first)}]
            return [{"shape": "ellipse", "semi_axes": [float(size[first]), float(size[second])], **turned(first)}]
        self._leave_out(f"{name}: a {kind.name[7:].lower()} seen from here")
        return []

    def _parts(self) -> Parts:
        parts = Parts()
        for number in range(len(self._bodies)):
            parts.bodies[number] = self._body_keys(number)
        parts.joints = {number: joint.keys for number, joint in enumerate(self._joints)}
        parts.springs = dict(self._springs)
        return parts

    def _velocity(self, body: Body) -> Array:
        v = np.zeros(6)
        mujoco.mj_objectVelocity(self.model, self._now, mujoco.mjtObj.mjOBJ_XBODY, body.root, v, 0)
        spin = float(self._across @ v[:3])
        arm = self._center(self._now, body) - self._flat(self._now.xpos[body.root])
        return np.array([*(self._flat(v[3:]) + spin * np.array([-arm[1], arm[0]])), spin])

    def _state(self) -> tuple[dict[Handle, Array], dict[Handle, Array]]:
        self._place()
        poses: dict[Handle, Array] = {}
        velocities: dict[Handle, Array] = {}
        for number, body in enumerate(self._bodies):
            self._angles[number] = self._angle(body, self._angles[number])
            poses[number] = np.array([*self._flat(self._now.xpos[body.root]), self._angles[number]])
            velocities[number] = self._velocity(body) if body.kind == "dynamic" else np.zeros(3)
        return poses, velocities

    # A step.

    def step(self, steps: int = 1) -> None:
        """Makes steps and writes each: `mujoco.mj_step(model, data)`. Changes of velocity since the last line are impulses of a hand."""
        for _ in range(steps):
            hand = []
            if not (np.array_equal(self._now.qpos, self.data.qpos) and np.array_equal(self._now.qvel, self.data.qvel)):
                _, velocities = self._state()
                for number, body in enumerate(self._bodies):
                    jump = (velocities[number] - self._velocities[number]) * self._masses(body)
                    if jump.any():
                        hand.append(impulse(number, jump[:2], jump[2]))
                self._velocities = velocities
            mujoco.mj_step(self.model, self.data)
            self._write(hand)

    def write(self) -> None:
        """Writes the step that the program has just made by `mujoco.mj_step`."""
        self._write([])

    @staticmethod
    def _masses(body: Body) -> Array:
        return np.array([body.mass, body.mass, body.inertia if body.turns else 0.0])

    def _write(self, hand: list[list[float]]) -> None:
        h = self.model.opt.timestep
        poses, after = self._state()
        told: dict[str, Any] = {"hand": hand or None}
        if self.model.opt.integrator != INTEGRATOR.mjINT_RK4:
            told |= self._acted(h, after)
        self._velocities = after
        self._line(h, told, (poses, after))

    def _acted(self, h: float, after: dict[Handle, Array]) -> dict[str, Any]:
        """What acted in the step, from the places before it, which `data` still has."""
        m, d, bodies = self.model, self.data, self._bodies
        centers = [self._center(d, body) for body in bodies]
        #: What each body needs besides what is known to act on it.
        needs = [(after[i] - self._velocities[i]) * self._masses(body) for i, body in enumerate(bodies)]
        external, acted = [], []

        def give(number: int, linear: Array, moment: float) -> list[float]:
            needs[number] = needs[number] - [*linear, moment if bodies[number].turns else 0.0]
            return impulse(number, linear, moment)

        def give_pair(joint: Joint, linear: Array, at_a: Array, at_b: Array, moment: float = 0.0) -> list[list[float]]:
            on = ((joint.body_a, -linear, at_a, -moment), (joint.body_b, linear, at_b, moment))
            return [give(i, own, cross(at - centers[i], own) + turn) for i, own, at, turn in on if bodies[i].kind == "dynamic"]

        passive = d.qfrc_spring + d.qfrc_damper + d.qfrc_actuator + d.qfrc_applied + d.qfrc_fluid
        for number, body in enumerate(bodies):
            if body.kind != "dynamic":
                continue
            scale = 1 - float(m.body_gravcomp[body.root])
            linear, moment = body.mass * scale * self._weight, 0.0
            for b in body.members:
                force = self._flat(d.xfrc_applied[b, :3])
                linear = linear + force
                moment += float(self._across @ d.xfrc_applied[b, 3:]) + cross(self._flat(d.xipos[b]) - centers[number], force)
            if body.parent is None:
                own, turn = self._free_force(body, passive, d, centers[number])
                linear, moment = linear + own, moment + turn
            external.append(give(number, h * linear, h * moment))
        contacts = self._contacts(h, centers, give)
        by_type = {
            kind: self._generalized(d.efc_type == kind) for kind in (CONSTRAINT.mjCNSTR_LIMIT_JOINT, CONSTRAINT.mjCNSTR_FRICTION_DOF)
        }
        for number, joint in enumerate(self._joints):
            if joint.equality is not None:
                acted.append({"joint": number, "on": self._tied(joint, h, give_pair)})
                continue
            for j in (joint.hinge, joint.slide):
                if j is None:
                    continue
                dof = m.jnt_dofadr[j]
                forces = [
                    ("motor", d.qfrc_actuator[dof]),
                    ("limit", by_type[CONSTRAINT.mjCNSTR_LIMIT_JOINT][dof]),
                    ("friction", by_type[CONSTRAINT.mjCNSTR_FRICTION_DOF][dof]),
                ]
                turning = j == joint.hinge
                for part, force in forces:
                    along = h * float(force) * (joint.sign if turning else 1.0)
                    if not along:
                        continue
                    if part == "limit":
                        part = "lower_limit" if along > 0 else "upper_limit"
                    at = self._flat(d.xanchor[j])
                    way = np.zeros(2) if turning else along * self._flat(d.xaxis[j])
                    on = give_pair(joint, way, at, at, along if turning else 0.0)
                    acted.append({"joint": number, "part": part, "along": along, "on": on})
            if number in self._springs and joint.hinge is not None:
                dof = m.jnt_dofadr[joint.hinge]
                # A damper is implicit in all of MuJoCo's integrators but RK4, unless that is switched off.
                rate = d.qvel[dof] if not m.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_EULERDAMP else 0.0
                damper = -m.dof_damping[dof] * rate if rate else d.qfrc_damper[dof]
                moment = h * joint.sign * float(d.qfrc_spring[dof] + damper)
                on = give_pair(joint, np.zeros(2), centers[0], centers[0], moment)
                acted.append({"spring": list(self._springs).index(number), "on": on})
        # From the leaves to the roots: what a body still needs comes through its joint.
        for number, joint in reversed([(n, own) for n, own in enumerate(self._joints) if own.equality is None]):
            a, b = joint.body_a, joint.body_b
            linear, moment = needs[b][:2].copy(), float(needs[b][2])
            on = [give(b, linear, moment)]
            if bodies[a].kind == "dynamic":
                on.insert(0, give(a, -linear, -moment - cross(centers[b] - centers[a], linear)))
            acted.append({"joint": number, "on": on})
        return {"acted": acted, "contacts": contacts, "external": external}

    def _free_force(self, body: Body, force: Array, d: mujoco.MjData, center: Array) -> tuple[Array, float]:
        """Forces along the coordinates of a body that moves freely, as force, N, and moment about its centre, N m."""
        m, linear, moment = self.model, np.zeros(2), 0.0
        at = self._flat(d.xpos[body.root])
        for j in body.joints:
            dof = m.jnt_dofadr[j]
            if m.jnt_type[j] == JOINT.mjJNT_FREE:
                linear = linear + self._flat(force[dof : dof + 3])
                moment += float(self._across @ d.xmat[body.root].reshape(3, 3) @ force[dof + 3 : dof + 6])
            elif m.jnt_type[j] == JOINT.mjJNT_SLIDE:
                linear = linear + force[dof] * self._flat(d.xaxis[j])
            else:
                moment += float(force[dof] * (d.xaxis[j] @ self._across))
                at = self._flat(d.xanchor[j])
        return linear, moment + cross(at - center, linear)

    def _generalized(self, rows: npt.NDArray[np.bool_]) -> Array:
        """The forces of some rows of the solver along the model's coordinates."""
        out = np.zeros(self.model.nv)
        if rows.any():
            mujoco.mj_mulJacTVec(self.model, self.data, out, np.where(rows, self.data.efc_force, 0.0))
        return out

    def _tied(self, joint: Joint, h: float, give_pair: Any) -> list[list[float]]:
        """What an equality did."""
        m, d, e = self.model, self.data, joint.equality
        rows = (d.efc_type == CONSTRAINT.mjCNSTR_EQUALITY) & (d.efc_id == e)
        if not rows.any():
            return []
        assert e is not None
        force = d.efc_force[rows]
        at = self._ends(e, d)
        moment = 0.0
        if len(force) > 3:
            # The rows of the angle are in coordinates of their own; their moment is what remains along the model's coordinates.
            own = self._generalized(rows)
            turned = np.zeros(m.nv)
            for body, point, sign in ((m.eq_obj1id[e], at[0], 1.0), (m.eq_obj2id[e], at[1], -1.0)):
                places, turns = np.zeros((3, m.nv)), np.zeros((3, m.nv))
                mujoco.mj_jac(m, d, places, turns, point, body)
                own -= sign * places.T @ force[:3]
                turned -= sign * turns.T @ self._across
            moment = float(turned @ own) / (float(turned @ turned) or 1.0)
        # Its force is positive on the first body.
        return list(give_pair(joint, -h * self._flat(force[:3]), self._flat(at[0]), self._flat(at[1]), h * moment))

    def _contacts(self, h: float, centers: list[Array], give: Any) -> list[dict[str, Any]]:
        m, d, contacts = self.model, self.data, []
        wrench = np.zeros(6)
        for i in range(d.ncon):
            contact = d.contact[i]
            a, b = (self._of[m.geom_bodyid[g]] for g in contact.geom)
            frame = contact.frame.reshape(3, 3)
            normal = self._flat(frame[0])
            if abs(math.hypot(*normal) - 1) > 1e-6 or contact.efc_address < 0:
                continue
            mujoco.mj_contactForce(m, d, i, wrench)
            linear = h * self._flat(frame.T @ wrench[:3])
            moment = h * float(self._across @ frame.T @ wrench[3:])
            point = self._flat(contact.pos)
            for number, sign in ((a, -1.0), (b, 1.0)):
                if self._bodies[number].kind == "dynamic":
                    give(number, sign * linear, sign * (cross(point - centers[number], linear) + moment))
            contacts.append(
                {
                    "bodies": [a, b],
                    "point": point,
                    "normal": normal,
                    "gap": float(contact.dist),
                    "impulse": contact_impulse(linear, normal, moment),
                    "friction": float(contact.friction[0]) if contact.dim > 1 else 0.0,
                }
            )
        return contacts
