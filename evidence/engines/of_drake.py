"""Drake's own figures on the scenes in evidence/engines/scenes, for reference.csv.

Run: .ci/methods        (pip: drake; a minute); with --write it puts them into reference.csv, otherwise it compares with that file.

Each body has a planar joint in the plane x–z, each hinge of a scene is a ball constraint, whose fixed end is a body that is locked. Contacts are those
of points under SAP: surfaces of 1e6 N/m and a relaxation time of 0.1 s, near-rigid bound 1, which are the scheme's defaults. Drake gives a pair of
shapes one such point. A box has therefore a disk of 1e-6 m at each corner, which meets planes and the faces of other boxes, and its faces meet only
corners: the points of two boxes that lie flat are then the two that they have in the plane.

Bodies that only touch at the start are in contact in the first step or not as rounding has it, in Drake as in driftlab. The scenes pressed-* are the
same with every contact 1e-9 m deep at the start.

Left out are scenes in which
- something is that Drake does not have between free bodies: restitution (bounce-*, flush-boxes), motors, limits and springs of hinges (motor-*,
  limit-holds, parked-car, avbd-spring), groups;
- corners lie on the edges of faces, where Drake's direction is that of the nearer face, or on polygons and capsules: towers, overlapping boxes (overlap-*),
  card houses, arch, ball-and-chain-*, avbd-*;
- the heavy box sinks through what bears it, 4 m deep at this stiffness (mass-ratio-*);
- Drake's own end is another one where bodies are displaced by 1e-6 m at the start (circles-10, hang-100, hang-20-load-672).
"""

import json
import math

import numpy as np
from planar import HERE, hinges, keep, largest_opening, mass_and_inertia, measured, turned
from pydrake.geometry import (
    AddContactMaterial,
    Box,
    CollisionFilterDeclaration,
    GeometrySet,
    HalfSpace,
    ProximityProperties,
    Sphere,
)
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, CoulombFriction, DiscreteContactApproximation
from pydrake.multibody.tree import FixedOffsetFrame, PlanarJoint, SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

# The figures of each scene, with what counts as nothing.
SCENES = {
    "rest-box": [("sag of box at 10 s", "m", 1e-6)],
    "pyramid-10": [("apex sink at 10 s", "m", 1e-4), ("largest |x| displacement at 10 s", "m", 1e-4)],
    "pyramid-20": [("apex sink at 10 s", "m", 1e-4), ("largest |x| displacement at 10 s", "m", 1e-4)],
    "slope-mu-0.49": [("slide at 10 s", "m", 0.001)],
    "slope-mu-0.51": [("creep speed 5-10 s", "mm/s", 1e-4), ("slide at 10 s", "m", 1e-5)],
    "slope-mu-0.60": [("creep speed 5-10 s", "mm/s", 1e-4), ("slide at 10 s", "m", 1e-5)],
    "pressed-pyramid-10": [("apex sink at 10 s", "m", 1e-4), ("largest |x| displacement at 10 s", "m", 1e-4)],
    "pressed-slope-mu-0.49": [("slide at 10 s", "m", 0.001)],
    "pressed-slope-mu-0.51": [("slide at 10 s", "m", 1e-5)],
    "pressed-slope-mu-0.60": [("slide at 10 s", "m", 1e-5)],
    "single-pendulum": [("largest joint error", "m", 1e-6)],
    "chain-6": [("largest joint error", "m", 1e-6), ("rms of largest joint error", "m", 1e-6)],
    "chain-100": [("largest joint error", "m", 1e-6), ("rms of largest joint error", "m", 1e-6)],
    "hang-6": [("largest joint error", "m", 1e-8), ("largest joint error at end", "m", 1e-8)],
}
STIFFNESS, RELAXATION_TIME, DISSIPATION = 1e6, 0.1, 50.0
CORNER = 1e-6


def standing(pose):
    """The transform of a pose in the plane x z of a scene's x y."""
    x, y, angle = pose
    return RigidTransform(RotationMatrix.MakeYRotation(-angle), [x, 0, y])


class Model:
    """A scene as a plant, with what is needed to measure its runs."""

    def __init__(self, scene):
        self.scene, self.h = scene, scene["settings"]["time_step"]
        g = scene.get("gravity", [0, -9.81])
        builder = DiagramBuilder()
        self.plant, self.graph = AddMultibodyPlantSceneGraph(builder, self.h)
        self.plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)
        self.plant.set_sap_near_rigid_threshold(1.0)
        self.plant.mutable_gravity_field().set_gravity_vector([g[0], 0, g[1]])
        self.hinges = list(hinges(scene))
        self.start = np.array([[*body["position"], body.get("angle", 0)] for body in scene["bodies"]], float)
        self.corners, self.faces, self.planes, self.joints = [], [], [], []
        held = {own for a, b, _ in self.hinges for own in (a, b)}
        bodies = []
        for index, body in enumerate(scene["bodies"]):
            fixed = body.get("type") == "fixed"
            if fixed and index not in held:
                bodies.append(self.plant.world_body())
                self.joints.append(None)
            else:
                bodies.append(self.planar(index, *((1.0, 1.0) if fixed else mass_and_inertia(body))))
            if body.get("collides", True):
                # The world's own geometry stands where its body does.
                pose = RigidTransform() if bodies[-1] is not self.plant.world_body() else standing(self.start[index])
                for shape in body.get("shapes", []):
                    self.surface(bodies[-1], pose, shape, body.get("friction", 0.3))
        for a, b, arms in self.hinges:
            ends = [turned(-self.start[own, 2], arm) for own, arm in zip((a, b), arms)]
            one, other = ([end[0], 0, end[1]] for end in ends)
            self.plant.AddBallConstraint(bodies[a], one, bodies[b], other)
        self.plant.Finalize()
        # Corners meet faces and planes; neither corners nor faces meet their like.
        faces, corners = map(GeometrySet, (self.faces, self.corners))
        filters = self.graph.collision_filter_manager()
        filters.Apply(CollisionFilterDeclaration().ExcludeWithin(faces).ExcludeWithin(corners))
        filters.Apply(CollisionFilterDeclaration().ExcludeBetween(faces, GeometrySet(self.planes)))
        for a, b, _ in self.hinges:
            ends = (GeometrySet(self.plant.GetCollisionGeometriesForBody(bodies[own])) for own in (a, b))
            filters.Apply(CollisionFilterDeclaration().ExcludeBetween(*ends))
        diagram = builder.Build()
        self.simulator = Simulator(diagram)
        self.context = self.plant.GetMyMutableContextFromRoot(self.simulator.get_mutable_context())
        for index, joint in enumerate(self.joints):
            if joint is None:
                continue
            x, y, angle = self.start[index]
            joint.set_translation(self.context, [x, y])
            joint.set_rotation(self.context, angle)
            joint.set_translational_velocity(self.context, scene["bodies"][index].get("velocity", [0, 0]))
            if scene["bodies"][index].get("type") == "fixed":
                joint.Lock(self.context)

    def planar(self, index, mass, inertia):
        across = inertia / mass
        unit = SpatialInertia(mass, np.zeros(3), UnitInertia(across, across, across))
        body, turned_up = self.plant.AddRigidBody(f"b{index}", unit), RigidTransform(RotationMatrix.MakeXRotation(math.pi / 2))
        frames = [
            self.plant.AddFrame(FixedOffsetFrame(f"{name}{index}", frame, turned_up))
            for name, frame in (("w", self.plant.world_frame()), ("o", body.body_frame()))
        ]
        self.joints.append(self.plant.AddJoint(PlanarJoint(f"j{index}", *frames, [0, 0, 0])))
        return body

    def surface(self, body, at, shape, friction):
        if shape["shape"] == "half_plane":
            n = np.array(shape["normal"], float)
            foot = n / np.hypot(*n) * shape.get("offset", 0)
            pose = HalfSpace.MakePose([n[0], 0, n[1]], [foot[0], 0, foot[1]])
            self.planes.append(self.geometry(body, at @ pose, HalfSpace(), friction))
            return
        w, h = shape["size"]
        self.faces.append(self.geometry(body, at, Box(w, w, h), friction))
        for x, y in ((-w, -h), (w, -h), (w, h), (-w, h)):
            inset = [(abs(own) / 2 - CORNER) * np.sign(own) for own in (x, y)]
            place = RigidTransform([inset[0], 0, inset[1]])
            self.corners.append(self.geometry(body, at @ place, Sphere(CORNER), friction))

    def geometry(self, body, pose, shape, friction):
        own = ProximityProperties()
        AddContactMaterial(DISSIPATION, STIFFNESS, CoulombFriction(friction, friction), own)
        own.AddProperty("material", "relaxation_time", RELAXATION_TIME)
        name = f"s{self.graph.model_inspector().num_geometries()}"
        return self.plant.RegisterCollisionGeometry(body, pose, shape, name, own)

    def moment(self):
        """Time, poses, velocities, the largest opening of a joint."""
        poses, velocities = self.start.copy(), np.zeros_like(self.start)
        for index, joint in enumerate(self.joints):
            if joint is not None:
                poses[index] = [*joint.get_translation(self.context), joint.get_rotation(self.context)]
                velocities[index, :2] = joint.get_translational_velocity(self.context)
        return self.context.get_time(), poses, velocities, largest_opening(self.hinges, poses, self.start)

    def run(self):
        moments = [self.moment()]
        for step in range(round(self.scene["settings"]["duration"] / self.h)):
            self.simulator.AdvanceTo((step + 1) * self.h)
            moments.append(self.moment())
        return moments


def main():
    rows = []
    for name, quantities in SCENES.items():
        moments = Model(json.loads((HERE / "scenes" / f"{name}.json").read_text())).run()
        for quantity, unit, bound in quantities:
            rows.append(["sap", name, quantity, f"{measured(quantity, moments):.6g}", unit, "figure", f"{bound:g}", "", ""])
    keep("sap", "Drake", rows)


if __name__ == "__main__":
    main()
