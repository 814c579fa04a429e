//! R.U.B.E. JSON and Box2D's dumps, which say the same of Box2D's worlds.

use super::{after_two_seconds, body, close, converted, joint, says};
use driftlab::glam::DVec2;
use driftlab::import::Format;
use driftlab::model::{Filter, JointKind, Velocity};
use driftlab::prelude::{Method, Workspace, step};
use std::f64::consts::{PI, TAU};

/// A ground with a chain, a wheel and a bar of two fixtures of different densities, and one joint of each kind.
const RUBE: &str = r#"{
 "gravity": {"x": 0, "y": -10}, "stepsPerSecond": 120, "allowSleep": true,
 "body": [
  {"name": "ground", "type": 0, "position": 0, "angle": 0,
   "fixture": [{"name": "f", "friction": 0.6, "density": 1, "chain": {"vertices": {"x": [-9, 9], "y": [0, 0]}}}]},
  {"name": "wheel", "type": 2, "position": {"x": 1, "y": 3}, "angle": 0.5, "linearVelocity": {"x": 2, "y": 0}, "angularVelocity": -1,
   "linearDamping": 0.5, "angularDamping": 0.25, "gravityScale": 0.5, "bullet": true,
   "fixture": [{"friction": 0.2, "restitution": 0.3, "density": 2, "filter-categoryBits": 2, "filter-maskBits": 5, "filter-groupIndex": -3,
                "circle": {"center": 0, "radius": 0.5}}]},
  {"name": "bar", "type": 2, "position": {"x": 3, "y": 3}, "angle": 0, "fixedRotation": true,
   "fixture": [{"density": 1, "friction": 0.2, "polygon": {"vertices": {"x": [-1, 1, 1, -1], "y": [-0.5, -0.5, 0.5, 0.5]}}},
               {"density": 3, "friction": 0.8, "polygon": {"vertices": {"x": [1, 3, 3, 1], "y": [-0.5, -0.5, 0.5, 0.5]}}},
               {"sensor": true, "density": 1, "circle": {"center": 0, "radius": 1}}]},
  {"name": "gone", "type": 2, "active": false, "position": 0}
 ],
 "joint": [
  {"type": "revolute", "bodyA": 0, "bodyB": 1, "anchorA": {"x": 1, "y": 3}, "anchorB": 0, "refAngle": 0.1,
   "enableLimit": true, "lowerLimit": -1, "upperLimit": 2, "enableMotor": true, "motorSpeed": 4, "maxMotorTorque": 7, "collideConnected": true},
  {"type": "prismatic", "bodyA": 0, "bodyB": 2, "anchorA": {"x": 3, "y": 3}, "anchorB": 0, "localAxisA": {"x": 0, "y": 2},
   "enableLimit": true, "lowerLimit": -1, "upperLimit": 1, "enableMotor": false, "motorSpeed": 1, "maxMotorForce": 1},
  {"type": "distance", "bodyA": 1, "bodyB": 0, "anchorA": 0, "anchorB": {"x": 1, "y": 5}, "length": 2, "frequency": 2, "dampingRatio": 0.5},
  {"type": "rope", "bodyA": 1, "bodyB": 2, "anchorA": 0, "anchorB": 0, "maxLength": 4},
  {"type": "gear", "bodyA": 1, "bodyB": 2, "ratio": 2},
  {"type": "weld", "bodyA": 1, "bodyB": 3, "anchorA": 0, "anchorB": 0}
 ]}"#;

/// A file of R.U.B.E. means what b2dJson's writer says: numbers, vectors that are 0, filters, masses, limits and motors; what
/// is left out is named with its path.
#[test]
fn rube_says_what_box2d_would_build() {
    let imported = converted(RUBE);
    let world = &imported.scene.world;
    assert_eq!(imported.format, Format::Rube);
    assert_eq!((world.bodies().len(), world.joints().len(), world.springs().len()), (3, 3, 1));
    assert_eq!(world.gravity(), DVec2::new(0.0, -10.0));
    close(imported.scene.settings.time_step, 1.0 / 120.0);

    let wheel = body(world, "wheel");
    let mass = wheel.mass_properties();
    close(mass.mass, 2.0 * PI * 0.25);
    assert_eq!((wheel.velocity.linear, wheel.velocity.angular), (DVec2::new(2.0, 0.0), -1.0));
    assert_eq!((wheel.friction, wheel.restitution, wheel.gravity_scale), (0.2, 0.3, 0.5));
    assert_eq!((wheel.categories, wheel.mask, wheel.group), (2, 5, -3));
    // Rates of Box2D, 1/s, times what they act on.
    close(wheel.damping.linear, 0.5 * mass.mass);
    close(wheel.damping.angular, 0.25 * mass.inertia);

    let bar = body(world, "bar");
    let mass = bar.mass_properties();
    // 2 m² of 1 kg/m² at 0 and 2 m² of 3 kg/m² at 2 m.
    close(mass.mass, 8.0);
    close(mass.center.x, 12.0 / 8.0);
    assert!(bar.fixed_rotation);
    assert_eq!(bar.shapes()[1].surface.friction, Some(0.8));

    let hinge = joint(world, 0);
    assert!(matches!(hinge.kind, JointKind::Hinge(_)) && hinge.collide_connected);
    assert_eq!((hinge.limits, hinge.zero), (Some([-1.0, 2.0]), 0.1));
    assert_eq!(hinge.motor.map(|motor| (motor.speed, motor.max_force)), Some((4.0, 7.0)));
    let JointKind::Slider(slider) = &joint(world, 1).kind else { panic!("no slider") };
    assert_eq!((slider.axis, joint(world, 1).motor), (DVec2::Y, None));
    assert_eq!(joint(world, 2).limits, Some([f64::NEG_INFINITY, 4.0]));
    // k = m (2πf)², with m = 1/(1/m_wheel), since the line leads through its centre and the other end is fixed.
    let m = wheel.mass_properties().mass;
    close(world.springs()[0].softness.stiffness, m * (TAU * 2.0).powi(2));
    close(world.springs()[0].softness.damping, 2.0 * m * 0.5 * TAU * 2.0);

    assert!(says(&imported, "body[2].fixture[2]", "sensor"));
    assert!(says(&imported, "body[3]", "not active"));
    assert!(says(&imported, "joint[4]", "gear"));
    assert!(says(&imported, "joint[5]", "not there"));
}

/// The eight digits of a 32-bit float, which R.U.B.E. writes where it is not to be read by people, are that float.
#[test]
fn numbers_in_hexadecimal_are_their_bits() {
    let text = r#"{"body": [{"type": 2, "position": {"x": "3fc00000", "y": "c0200000"},
        "fixture": [{"density": "40000000", "circle": {"center": 0, "radius": "3f000000"}}]}], "stepsPerSecond": 60, "gravity": 0}"#;
    let world = converted(text).scene.world;
    assert_eq!(world.bodies()[0].origin(), DVec2::new(1.5, -2.5));
    close(world.bodies()[0].mass_properties().mass, 2.0 * PI * 0.25);
}

/// A world as `b2World::Dump` writes it.
fn dump() -> String {
    let vs = [[-0.5, -2.0], [0.5, -2.0], [0.5, 2.0], [-0.5, 2.0]];
    let vs = vs.iter().enumerate().map(|(i, [x, y])| format!("    vs[{i}].Set({x:.15e}f, {y:.15e}f);\n"));
    let vs: String = vs.collect();
    format!(
        "//  Using Box2D version 2.3.0\n\
b2Vec2 g(0.000000000000000e+00f, -1.000000000000000e+01f);
m_world->SetGravity(g);
b2Body** bodies = (b2Body**)b2Alloc(2 * sizeof(b2Body*));
b2Joint** joints = (b2Joint**)b2Alloc(1 * sizeof(b2Joint*));
{{
  b2BodyDef bd;
  bd.type = b2BodyType(0);
  bd.position.Set(0.0e+00f, 0.0e+00f);
  bodies[0] = m_world->CreateBody(&bd);
  {{
    b2FixtureDef fd;
    fd.friction = 2.0e-01f;
    b2EdgeShape shape;
    shape.m_radius = 9.999999776482582e-03f;
    shape.m_vertex0.Set(0.0e+00f, 0.0e+00f);
    shape.m_vertex1.Set(-4.0e+01f, 0.0e+00f);
    shape.m_vertex2.Set(4.0e+01f, 0.0e+00f);
    shape.m_hasVertex0 = bool(0);
    fd.shape = &shape;
    bodies[0]->CreateFixture(&fd);
  }}
}}
{{
  b2BodyDef bd;
  bd.type = b2BodyType(2);
  bd.position.Set(1.0e+00f, 5.0e+00f);
  bd.angle = 2.5e-01f;
  bd.linearVelocity.Set(1.0e+00f, -1.0e+00f);
  bd.angularVelocity = 5.0e-01f;
  bd.linearDamping = 0.0e+00f;
  bd.fixedRotation = bool(0);
  bd.active = bool(32);
  bd.gravityScale = 1.0e+00f;
  bodies[1] = m_world->CreateBody(&bd);
  {{
    b2FixtureDef fd;
    fd.friction = 3.0e-01f;
    fd.restitution = 1.0e-01f;
    fd.density = 5.0e+00f;
    fd.isSensor = bool(0);
    fd.filter.categoryBits = uint16(4);
    fd.filter.maskBits = uint16(65535);
    fd.filter.groupIndex = int16(-1);
    b2PolygonShape shape;
    b2Vec2 vs[8];
{vs}    shape.Set(vs, 4);
    fd.shape = &shape;
    bodies[1]->CreateFixture(&fd);
  }}
}}
{{
  b2RevoluteJointDef jd;
  jd.bodyA = bodies[0];
  jd.bodyB = bodies[1];
  jd.collideConnected = bool(1);
  jd.localAnchorA.Set(1.0e+00f, 5.0e+00f);
  jd.localAnchorB.Set(0.0e+00f, 0.0e+00f);
  jd.referenceAngle = 0.0e+00f;
  jd.enableLimit = bool(1);
  jd.lowerAngle = -3.0e+00f;
  jd.upperAngle = 3.0e+00f;
  jd.enableMotor = bool(0);
  jd.motorSpeed = 0.0e+00f;
  jd.maxMotorTorque = 0.0e+00f;
  joints[0] = m_world->CreateJoint(&jd);
}}
{{
  b2MouseJointDef jd;
  jd.bodyA = bodies[0];
  jd.bodyB = bodies[1];
  joints[1] = m_world->CreateJoint(&jd);
}}
b2Free(joints);
"
    )
}

/// The statements of a dump are read as the C++ that they are, with edges, filters and joints; a kind that is not converted is
/// named with its line.
#[test]
fn a_dump_is_the_world_that_it_was() {
    let imported = converted(&dump());
    let world = &imported.scene.world;
    assert_eq!(imported.format, Format::Box2d);
    assert_eq!((world.bodies().len(), world.joints().len()), (2, 1));
    let bar = &world.bodies()[1];
    // 1 m × 4 m of 5 kg/m²: m = 20 kg, I = m (1 + 16)/12.
    close(bar.mass_properties().mass, 20.0);
    close(bar.mass_properties().inertia, 20.0 * 17.0 / 12.0);
    assert_eq!((bar.pose.angle, bar.velocity.linear), (0.25, DVec2::new(1.0, -1.0)));
    let filter = Filter { categories: bar.categories, mask: bar.mask, group: bar.group };
    assert_eq!(filter, Filter { categories: 4, mask: 0xffff, group: -1 });
    assert_eq!(joint(world, 0).limits, Some([-3.0, 3.0]));
    let line = dump().lines().position(|line| line.contains("b2MouseJointDef")).unwrap() + 1;
    assert!(says(&imported, &format!("line {line}"), "mouse"));
    assert_eq!(imported.left_out.len(), 1);
    after_two_seconds(&imported);
}

/// A dump of four disks of 2 kg on a wall, with the joints of `text` between them.
fn disks(text: &str) -> String {
    let body = |index: usize, kind: usize, x: f64| {
        format!(
            "{{ b2BodyDef bd; bd.type = b2BodyType({kind}); bd.position.Set({x:e}f, 0.0f); bd.active = bool(1); \
             bodies[{index}] = m_world->CreateBody(&bd); {{ b2FixtureDef fd; fd.density = {:e}f; b2CircleShape shape; \
             shape.m_radius = 1.0f; shape.m_p.Set(0.0f, 0.0f); fd.shape = &shape; bodies[{index}]->CreateFixture(&fd); }} }}\n",
            2.0 / std::f64::consts::PI
        )
    };
    let bodies: String =
        (0..4).map(|index| body(index, if index == 0 { 0 } else { 2 }, 3.0 * index as f64)).collect();
    format!("b2Vec2 g(0.0e+00f, -1.0e+01f);\nm_world->SetGravity(g);\n{bodies}{text}")
}

/// Protects the kinds of Box2D's joints that are parts of ours: a wheel with its spring, motor and limits; a pulley with its
/// length; a gear of two hinges, which is dumped last, by its ratio; a motor joint with its bounds. The spring of 2 Hz moves
/// the disk's 2 kg.
#[test]
fn wheels_pulleys_gears_and_motors_are_read() {
    let hinge = |index: usize, body: usize| {
        format!(
            "{{ b2RevoluteJointDef jd; jd.bodyA = bodies[0]; jd.bodyB = bodies[{body}]; jd.localAnchorA.Set({:e}f, 0.0f); \
             jd.localAnchorB.Set(0.0f, 0.0f); joints[{index}] = m_world->CreateJoint(&jd); }}\n",
            3.0 * body as f64
        )
    };
    let text = "{ b2WheelJointDef jd; jd.bodyA = bodies[0]; jd.bodyB = bodies[3]; jd.localAnchorA.Set(9.0f, 0.0f); \
                jd.localAnchorB.Set(0.0f, 0.0f); jd.localAxisA.Set(0.0f, 1.0f); jd.enableMotor = bool(1); jd.motorSpeed = 3.0f; \
                jd.maxMotorTorque = 7.0f; jd.frequencyHz = 2.0f; jd.dampingRatio = 0.5f; joints[0] = m_world->CreateJoint(&jd); }\n\
                { b2PulleyJointDef jd; jd.bodyA = bodies[1]; jd.bodyB = bodies[2]; jd.groundAnchorA.Set(3.0f, 5.0f); \
                jd.groundAnchorB.Set(6.0f, 5.0f); jd.localAnchorA.Set(0.0f, 0.0f); jd.localAnchorB.Set(0.0f, 0.0f); \
                jd.lengthA = 5.0f; jd.lengthB = 5.0f; jd.ratio = 2.0f; joints[1] = m_world->CreateJoint(&jd); }\n\
                { b2MotorJointDef jd; jd.bodyA = bodies[1]; jd.bodyB = bodies[3]; jd.linearOffset.Set(6.0f, 0.5f); \
                jd.angularOffset = 0.25f; jd.maxForce = 11.0f; jd.maxTorque = 13.0f; jd.correctionFactor = 0.3f; \
                joints[2] = m_world->CreateJoint(&jd); }\n";
    let gear = "{ b2GearJointDef jd; jd.bodyA = bodies[1]; jd.bodyB = bodies[2]; jd.joint1 = joints[3]; jd.joint2 = joints[4]; \
                jd.ratio = 1.5f; joints[5] = m_world->CreateJoint(&jd); }\n";
    let imported = converted(&disks(&format!("{text}{}{}{gear}", hinge(3, 1), hinge(4, 2))));
    let world = &imported.scene.world;
    assert_eq!(world.joints().len(), 6, "{:?}", imported.left_out);
    let wheel = joint(world, 0);
    let (omega, suspension) = (2.0 * std::f64::consts::TAU, wheel.kind.suspension().unwrap());
    close(suspension.stiffness, 2.0 * omega * omega);
    close(suspension.damping, 2.0 * omega);
    assert_eq!(wheel.motor.map(|own| (own.speed, own.max_force)), Some((3.0, 7.0)));
    let JointKind::Pulley(pulley) = &joint(world, 1).kind else { panic!("{:?}", joint(world, 1)) };
    assert_eq!((pulley.length, pulley.ratio, pulley.wheels[1]), (15.0, 2.0, DVec2::new(6.0, 5.0)));
    let JointKind::PoseMotor(motor) = &joint(world, 2).kind else { panic!("{:?}", joint(world, 2)) };
    assert_eq!((motor.offset, motor.angle), (DVec2::new(6.0, 0.5), 0.25));
    assert_eq!((motor.max_force, motor.max_torque, motor.damping_ratio), (11.0, 13.0, 1.0));
    close(motor.frequency, 18.0 / std::f64::consts::TAU);
    let JointKind::Gear(gear) = &joint(world, 5).kind else { panic!("{:?}", joint(world, 5)) };
    assert_eq!((gear.ratio, gear.joints()), (1.5, [world.joint_ids()[3], world.joint_ids()[4]]));
    assert_eq!(imported.left_out.len(), 1, "{:?}", imported.left_out);
}

/// Protects friction joints of both texts: bounds and anchors are those of the file, and a disk of 2 kg that slides at 4 m/s and
/// turns at 3 rad/s on ground from which a force of 5 N and a torque of 2 N m hold it back is brought to rest by them: after
/// v²/(2 F/m) and ω²/(2 τ/I), with I = m r²/2 = 1 kg m². The force of 5 N acts along both axes, which the file does not say.
#[test]
fn a_friction_joint_stops_what_slides() {
    let text = "{ b2FrictionJointDef jd; jd.bodyA = bodies[0]; jd.bodyB = bodies[1]; jd.collideConnected = bool(0); \
                jd.localAnchorA.Set(3.0f, 0.0f); jd.localAnchorB.Set(0.0f, 0.0f); jd.maxForce = 5.0f; jd.maxTorque = 2.0f; \
                joints[0] = m_world->CreateJoint(&jd); }\n";
    let rube = r#"{"gravity": 0, "stepsPerSecond": 60,
      "body": [{"type": 0, "position": 0},
               {"type": 2, "position": {"x": 3, "y": 0}, "fixture": [{"density": 0.6366197723675814, "circle": {"center": 0, "radius": 1}}]}],
      "joint": [{"type": "friction", "bodyA": 0, "bodyB": 1, "anchorA": {"x": 3, "y": 0}, "anchorB": 0, "maxForce": 5, "maxTorque": 2}]}"#;
    for imported in [converted(&disks(text)), converted(rube)] {
        let mut world = imported.scene.world.clone();
        let JointKind::PoseMotor(friction) = &joint(&world, 0).kind else {
            panic!("{:?}", joint(&world, 0))
        };
        assert_eq!((friction.frequency, friction.max_force, friction.max_torque), (0.0, 5.0, 2.0));
        assert_eq!(friction.anchors, [DVec2::new(3.0, 0.0), DVec2::ZERO]);
        assert_eq!(imported.left_out.len(), 1, "{:?}", imported.left_out);
        world.set_gravity(DVec2::ZERO).unwrap();
        let disk = world.body_ids()[1];
        let velocity = Velocity { linear: DVec2::new(0.0, 4.0), angular: 3.0 };
        world.edit_body(disk, |body| body.velocity = velocity).unwrap();
        let h = 1e-3;
        for _ in 0..3000 {
            step(&mut world, &Method::none(), h, &mut Workspace::default()).unwrap();
        }
        let [slid, turned] = [16.0 / (2.0 * 5.0 / 2.0), 9.0 / (2.0 * 2.0 / 1.0)];
        let disk = &world[disk];
        // q⁺ = q + h v⁺ is behind by half a step of the speed at the start.
        assert!((disk.pose.position.y - slid).abs() <= 0.51 * h * 4.0, "{}", disk.pose.position);
        assert!((disk.pose.angle - turned).abs() <= 0.51 * h * 3.0, "{}", disk.pose.angle);
        assert!(disk.velocity.linear.length() < 1e-12 && disk.velocity.angular.abs() < 1e-12);
    }
}

/// Protects the sense of a wheel whose axis points down, as one that an editor has mirrored: its limits count along that axis
/// and its motor about the same way as with an axis that points up. Under gravity the disk sinks to where the coordinate along
/// the axis is largest, 0.1 m below, or, with the axis up, least, −0.2 m; both turn counter-clockwise at the motor's 3 rad/s.
#[test]
fn a_wheel_with_its_axis_reversed_keeps_its_limits_and_motor() {
    for (axis, rest) in [(-1.0, -0.1), (1.0, -0.2)] {
        let dumped = disks(&format!(
            "{{ b2WheelJointDef jd; jd.bodyA = bodies[0]; jd.bodyB = bodies[1]; jd.localAnchorA.Set(3.0f, 0.0f); \
             jd.localAnchorB.Set(0.0f, 0.0f); jd.localAxisA.Set(0.0f, {axis:.1}f); jd.enableMotor = bool(1); jd.motorSpeed = 3.0f; \
             jd.maxMotorTorque = 100.0f; jd.enableLimit = bool(1); jd.lowerTranslation = -0.2f; jd.upperTranslation = 0.1f; \
             joints[0] = m_world->CreateJoint(&jd); }}\n"
        ));
        let rube = format!(
            r#"{{"gravity": {{"x": 0, "y": -10}}, "stepsPerSecond": 60,
            "body": [{{"type": 0, "position": 0}},
                     {{"type": 2, "position": {{"x": 3, "y": 0}}, "fixture": [{{"density": 1, "circle": {{"center": 0, "radius": 1}}}}]}}],
            "joint": [{{"type": "wheel", "bodyA": 0, "bodyB": 1, "anchorA": {{"x": 3, "y": 0}}, "anchorB": 0,
                       "localAxisA": {{"x": 0, "y": {axis}}}, "enableMotor": true, "motorSpeed": 3, "maxMotorTorque": 100,
                       "enableLimit": true, "lowerLimit": -0.2, "upperLimit": 0.1}}]}}"#
        );
        for imported in [converted(&dumped), converted(&rube)] {
            let world = after_two_seconds(&imported);
            let disk = &world.bodies()[1];
            assert!((disk.pose.position.y - rest).abs() < 1e-6, "{axis}: {}", disk.pose.position.y);
            close(disk.velocity.angular, 3.0);
        }
    }
}
