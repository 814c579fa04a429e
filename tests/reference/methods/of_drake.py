"""Drake's own figures of the worlds in tests/physics/sap.rs, which that test compares with the scheme `sap`.

Run: .ci/methods        (pip: drake; seconds); with --write it writes tests/physics/sap.csv, otherwise it compares with that file.

Each body has a planar joint in the plane x–z. Chains and beams have bars of 0.1 m and 0.1 kg from the horizontal: a `chain` six, tied by ball
constraints, a `beam` three, tied by welds, `rods` three disks of 0.1 kg and 1e-4 kg m² at distances of 0.1 m. A `box` of 1000 kg and 1000/6 kg m² stands on two disks of 0.1 m, 0.4 m to the left and to the right of its
centre and 0.4 m below it, a `ball` is one of 0.5 m, 100 kg and 10 kg m²; the plane is tilted by turning gravity. A `drop` is that ball let go 0.05 m above
the plane. A `limit` is a body of 2 kg that slides down from 0.05 m above the end of its slider at 0.3 m/s; `gears` are two wheels of 0.1 and
0.3 kg m², coupled 1 : 2, of which the first turns at 3 rad/s when they are coupled.

Figures: of chains, beams and rods the last body's displacement (x, y, angle) after 0.25 s, of boxes the way in the sixth second, its displacement along
the normal after it and its angle, of balls and drops the displacement after a second, of limits the displacement after 0.1 s, of gears the
angles of both after 0.1 s.
"""

import csv
import math
import pathlib
import sys

import numpy as np
from pydrake.geometry import AddContactMaterial, HalfSpace, ProximityProperties, Sphere
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, CoulombFriction, DiscreteContactApproximation
from pydrake.multibody.tree import FixedOffsetFrame, PlanarJoint, PrismaticJoint, RevoluteJoint, SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

FILE = pathlib.Path(__file__).parents[2] / "physics" / "sap.csv"
COLUMNS = "world h approximation stiffness relaxation_time near_rigid dissipation stiction_tolerance tilt friction x y angle".split()
DEFAULT = (5e5, 0.2, 1, 50, 1e-4)
GRAVITY = 9.81
# A box of so many kg stands beside that of 1000 kg, and keeps Drake's solver at work until a millionth of its own, larger momentum is left: alone the
# small one's figures err by up to 9e-8 m, and one of 1e7 kg changes them by less than 2e-10 m.
NEIGHBOUR = 1e5
# By how much a ball overlaps the plane at the start, m: whether one that only touches is in contact in the first step is left to rounding.
OVERLAP = 1e-9
APPROXIMATIONS = {
    "sap": DiscreteContactApproximation.kSap,
    "lagged": DiscreteContactApproximation.kLagged,
    "similar": DiscreteContactApproximation.kSimilar,
}


def cases():
    for h in (0.001, 0.002, 0.005):
        for world in ("chain", "beam", "rods", "limit", "gears"):
            yield world, h, "sap", *DEFAULT, 0, 0
    stiff, soft, rigid = (1e7, 0.02, 1, 5, 1e-3), (2e5, 0.05, 0.1, 1, 1e-2), (1e9, 0.1, 0, 0, 1e-3)
    for approximation in APPROXIMATIONS:
        for tilt in (0, 0.15, 0.3, 0.5):
            yield "box", 0.002, approximation, *stiff, tilt, 0.6
        for own in (DEFAULT, soft, rigid):
            yield "box", 0.002, approximation, *own, 0.3, 0.6
        for h in (0.001, 0.005):
            yield "box", h, approximation, *stiff, 0.3, 0.6
        for own, tilt, friction in ((stiff, 0.3, 0.6), (soft, 0.3, 0.6), (stiff, 0.3, 0.05), (soft, 0.1, 0.0)):
            yield "ball", 0.002, approximation, *own, tilt, friction
        for own in (stiff, soft):
            yield "drop", 0.001, approximation, *own, 0.1, 0.4


class Model:
    def __init__(self, h, approximation, near_rigid, stiction, gravity):
        builder = DiagramBuilder()
        self.plant, self.scene = AddMultibodyPlantSceneGraph(builder, h)
        self.builder, self.joints = builder, []
        self.plant.set_discrete_contact_approximation(APPROXIMATIONS[approximation])
        self.plant.set_sap_near_rigid_threshold(near_rigid)
        self.plant.set_stiction_tolerance(stiction)
        self.plant.mutable_gravity_field().set_gravity_vector(gravity)

    def body(self, mass, inertia):
        across = max(inertia / mass, 1e-6)
        name = f"b{len(self.joints)}"
        unit = UnitInertia(across, inertia / mass, across)
        return self.plant.AddRigidBody(name, SpatialInertia(mass, np.zeros(3), unit))

    def planar(self, mass, inertia, place):
        body, turned = self.body(mass, inertia), RotationMatrix.MakeXRotation(math.pi / 2)
        world = FixedOffsetFrame(f"w{len(self.joints)}", self.plant.world_frame(), RigidTransform(turned))
        own = FixedOffsetFrame(f"o{len(self.joints)}", body.body_frame(), RigidTransform(turned))
        joint = PlanarJoint(f"j{len(self.joints)}", self.plant.AddFrame(world), self.plant.AddFrame(own), [0, 0, 0])
        self.joints.append((self.plant.AddJoint(joint), place))
        return body

    def surface(self, body, pose, shape, stiffness, relaxation_time, dissipation, friction):
        own = ProximityProperties()
        AddContactMaterial(dissipation, 2 * stiffness, CoulombFriction(friction, friction), own)
        own.AddProperty("material", "relaxation_time", relaxation_time / 2)
        self.plant.RegisterCollisionGeometry(body, pose, shape, f"s{self.scene.model_inspector().num_geometries()}", own)

    def start(self):
        self.plant.Finalize()
        self.diagram = self.builder.Build()
        self.simulator = Simulator(self.diagram)
        self.context = self.plant.GetMyMutableContextFromRoot(self.simulator.get_mutable_context())
        for joint, place in self.joints:
            if isinstance(joint, PlanarJoint):
                joint.set_translation(self.context, place)
            elif isinstance(joint, PrismaticJoint):
                joint.set_translation(self.context, place)

    def run(self, until):
        self.simulator.AdvanceTo(until)


def stand(model, mass, x, surface):
    """A box on two disks."""
    body = model.planar(mass, mass / 6.0, [x, 0.5])
    for side in (-0.4, 0.4):
        model.surface(body, RigidTransform([side, 0, -0.4]), Sphere(0.1), *surface)


def pose(model, joint):
    return np.array([*joint.get_translation(model.context), joint.get_rotation(model.context)])


def figures(case):
    world, h, approximation, stiffness, relaxation_time, near_rigid, dissipation, stiction, tilt, friction = case
    gravity = [GRAVITY * math.sin(tilt), 0, -GRAVITY * math.cos(tilt)]
    model = Model(h, approximation, near_rigid, stiction, gravity)
    plant = model.plant
    if world in ("chain", "beam", "rods"):
        # Drake 1.51 fails with constraints to the world: the wall is a body that is locked.
        last, anchor = model.planar(1.0, 1.0, [0, 0]), [0, 0, 0]
        bars = world in ("chain", "beam")
        for i in range(6 if world == "chain" else 3):
            at = 0.1 * i + (0.05 if bars else 0.1)
            body = model.planar(0.1, 0.1 * 0.01 / 12 if bars else 1e-4, [at, 0])
            ends = (body, [-0.05 if bars else 0, 0, 0]), (last, anchor)
            if world == "chain":
                plant.AddBallConstraint(*ends[0], *ends[1])
            elif world == "beam":
                (one, on_one), (other, on_other) = ends
                plant.AddWeldConstraint(one, RigidTransform(on_one), other, RigidTransform(on_other))
            else:
                plant.AddDistanceConstraint(*ends[0], *ends[1], 0.1)
            last, anchor = body, [0.05 if bars else 0, 0, 0]
        model.start()
        model.joints[0][0].Lock(model.context)
        joint, place = model.joints[-1]
        model.run(0.25)
        return pose(model, joint) - [*place, 0]
    if world == "limit":
        body = model.body(2.0, 1.0)
        joint = plant.AddJoint(PrismaticJoint("j", plant.world_frame(), body.body_frame(), [0, 0, 1], 0.0, 1.0, 0))
        model.joints.append((joint, 0.05))
        model.start()
        joint.set_translation_rate(model.context, -0.3)
        model.run(0.1)
        return 0.0, joint.get_translation(model.context) - 0.05, 0.0
    if world == "gears":
        wheels = []
        for inertia in (0.1, 0.3):
            body = model.body(1.0, inertia)
            joint = RevoluteJoint(f"r{len(wheels)}", plant.world_frame(), body.body_frame(), [0, -1, 0], 0)
            wheels.append(plant.AddJoint(joint))
            model.joints.append((joint, 0.0))
        plant.AddCouplerConstraint(*wheels, 2.0)
        model.start()
        wheels[0].set_angular_rate(model.context, 3.0)
        model.run(0.1)
        return 0.0, wheels[0].get_angle(model.context), wheels[1].get_angle(model.context)
    surface = (stiffness, relaxation_time, dissipation, friction)
    model.surface(plant.world_body(), HalfSpace.MakePose([0, 0, 1], [0, 0, 0]), HalfSpace(), *surface)
    if world == "box":
        stand(model, 1000.0, 0.0, surface)
        stand(model, NEIGHBOUR, 10.0, surface)
    else:
        body = model.planar(100.0, 10.0, [0, 0.55 if world == "drop" else 0.5 - OVERLAP])
        model.surface(body, RigidTransform(), Sphere(0.5), *surface)
    model.start()
    joint, place = model.joints[0]
    before = place[0]
    if world == "box":
        model.run(5.0)
        before = pose(model, joint)[0]
    model.run(6.0 if world == "box" else 1.0)
    return pose(model, joint) - [before, place[1], 0]


def main():
    rows = [[*map(str, case), *(f"{figure:.12g}" for figure in figures(case))] for case in cases()]
    if "--write" in sys.argv:
        with FILE.open("w", newline="") as file:
            file.write("# Drake 1.51.1, by tests/reference/methods/of_drake.py, whose head describes worlds and figures.\n")
            csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows])
        return
    with FILE.open() as file:
        kept = list(csv.reader(line for line in file if not line.startswith("#")))
    assert kept[0] == COLUMNS and [row[:10] for row in kept[1:]] == [row[:10] for row in rows], "other cases"
    apart = [abs(float(a) - float(b)) for old, new in zip(kept[1:], rows) for a, b in zip(old[10:], new[10:])]
    print(f"Drake: {len(rows)} worlds, figures apart from the kept ones by {max(apart):.1e} at most")
    assert max(apart) < 1e-9, "other figures"


main()
