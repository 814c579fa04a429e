//! Builders make the same as `Body::new` and the joints' own fields, and refuse the same.

use driftlab::model::joint::{Distance, DistanceForm, Hinge, Slider, Weld};
use driftlab::model::{
    Body, BodyId, BodyKind, Joint, JointKind, MassSpec, ModelError, Placement, Shape, Spring, World,
};
use glam::DVec2;
use std::f64::consts::FRAC_PI_2;

/// A wall, and a bar of 2 m whose origin is at (3, 1) and that stands upright: its centre of mass is 0.5 m above.
fn wall_and_bar() -> (World, BodyId, BodyId) {
    let mut world = World::new(DVec2::ZERO);
    let wall = world.add_body(Body::fixed().at([1.0, 1.0]).build().unwrap()).unwrap();
    let shape = Shape::Box { size: DVec2::new(2.0, 0.1) };
    let placed = Placement::at(shape, [0.5, 0.0], 0.0);
    let bar = Body::dynamic().at([3.0, 1.0]).angle(FRAC_PI_2).placed(placed).mass(4.0);
    let bar = world.add_body(bar.build().unwrap()).unwrap();
    (world, wall, bar)
}

#[track_caller]
fn near(found: DVec2, expected: DVec2) {
    assert!(found.distance(expected) < 1e-15, "{found} instead of {expected}");
}

/// A body made by the builder equals one made by `Body::new` with its fields set; without mass or with negative friction it is
/// refused.
#[test]
fn a_built_body_is_the_body() {
    let shapes = vec![Placement::centred(Shape::Circle { radius: 0.5 })];
    let mass = MassSpec::Density(7.0);
    let mut expected = Body::new(BodyKind::Dynamic, DVec2::new(1.0, 2.0), 0.3, shapes, mass).unwrap();
    expected.name = "ball".to_owned();
    (expected.velocity.linear, expected.velocity.angular) = (DVec2::new(3.0, 4.0), 5.0);
    (expected.friction, expected.restitution) = (0.4, 0.5);
    (expected.collides, expected.group) = (false, -3);
    let built = Body::dynamic()
        .name("ball")
        .at([1.0, 2.0])
        .angle(0.3)
        .velocity([3.0, 4.0])
        .angular_velocity(5.0)
        .shape(Shape::Circle { radius: 0.5 })
        .density(7.0)
        .friction(0.4)
        .restitution(0.5)
        .group(-3)
        .without_collisions()
        .build();
    assert_eq!(built.unwrap(), expected);
    // ρ π r² = 7 π/4.
    assert!((expected.mass_properties().mass - 7.0 * std::f64::consts::PI / 4.0).abs() < 1e-14);
    let given = Body::dynamic().mass_and_inertia(2.0, 3.0).build().unwrap().mass_properties();
    assert_eq!((given.mass, given.inertia), (2.0, 3.0));
    assert_eq!(Body::dynamic().build(), Err(ModelError::NoMass));
    let spoilt = Body::dynamic().shape(Shape::Circle { radius: 1.0 }).friction(-1.0).build();
    assert!(matches!(spoilt, Err(ModelError::OutOfRange { quantity: "friction", .. })));
}

/// Joints given by world points and directions are stored in body coordinates. The bar is turned by 90°: a point d m above its
/// origin is at (d, 0) in its axes, and d − 0.5 m from its centre of mass.
#[test]
fn joints_resolve_points_of_the_world() {
    let (mut world, wall, bar) = wall_and_bar();
    let foot = [DVec2::new(2.0, 0.0), DVec2::new(-0.5, 0.0)];
    let mut kind = |joint| {
        let id = world.add_joint(joint).unwrap();
        world[id].kind.clone()
    };
    let JointKind::Hinge(Hinge { anchors }) = kind(Joint::hinge(wall, bar).at([3.0, 1.0])) else {
        panic!()
    };
    near(anchors[0], foot[0]);
    near(anchors[1], foot[1]);
    // The same hinge, given in the bodies' frames.
    let own = Joint::hinge(wall, bar).anchors_in_bodies([2.0, 0.0], [0.0, 0.0]);
    let JointKind::Hinge(Hinge { anchors }) = kind(own) else { panic!() };
    near(anchors[0], foot[0]);
    near(anchors[1], foot[1]);
    // Without anchors: at the centre of mass of body b.
    let JointKind::Weld(Weld { anchors, reference_angle }) = kind(Joint::weld(wall, bar)) else { panic!() };
    near(anchors[0], DVec2::new(2.0, 0.5));
    near(anchors[1], DVec2::ZERO);
    assert_eq!(reference_angle, FRAC_PI_2);
    // The axis is fixed in body a, here the bar.
    let slider = Joint::slider(bar, wall, [0.0, 2.0]).at([3.0, 1.0]);
    let JointKind::Slider(Slider { axis, reference_angle, .. }) = kind(slider) else { panic!() };
    near(axis, DVec2::X);
    assert_eq!(reference_angle, -FRAC_PI_2);
    // From (1, 1) to the bar's foot it is 2 m, to its centre of mass √4.25 m.
    let rod = Joint::distance(wall, bar).anchors([1.0, 1.0], [3.0, 1.0]);
    let JointKind::Distance(Distance { length, form, .. }) = kind(rod) else { panic!() };
    assert_eq!((length, form), (2.0, DistanceForm::Length));
    let JointKind::Distance(Distance { length, .. }) = kind(Joint::distance(wall, bar)) else { panic!() };
    assert!((length - 4.25_f64.sqrt()).abs() < 1e-15);
    let JointKind::Distance(Distance { length, .. }) = kind(Joint::distance(wall, bar).length(3.0)) else {
        panic!()
    };
    assert_eq!(length, 3.0);
}

/// Limits of a hinge are measured from the bodies' relative angle when it is added, or from the angle given; limits of a slider
/// from zero.
#[test]
fn limits_count_from_the_pose() {
    let (mut world, wall, bar) = wall_and_bar();
    let placed = world.add_joint(Joint::hinge(wall, bar).limits(-0.1, 0.1).collide_connected()).unwrap();
    assert_eq!((world[placed].zero, world[placed].limits), (FRAC_PI_2, Some([-0.1, 0.1])));
    assert!(world[placed].collide_connected);
    let told = world.add_joint(Joint::hinge(wall, bar).limits(-0.1, 0.1).limits_from(1.0)).unwrap();
    assert_eq!(world[told].zero, 1.0);
    let slider = Joint::slider(wall, bar, [1.0, 0.0]).limits(0.0, f64::INFINITY).motor(0.5, 9.0);
    let slider = world.add_joint(slider).unwrap();
    assert_eq!(world[slider].zero, 0.0);
    assert_eq!(world[slider].motor.map(|motor| (motor.speed, motor.max_force)), Some((0.5, 9.0)));
}

/// Joints with a property that their kind lacks, with twice the same body, or with invalid points, directions or lengths are
/// refused.
#[test]
fn joints_without_meaning_are_refused() {
    let (mut world, wall, bar) = wall_and_bar();
    let mut error = |joint| world.add_joint(joint).unwrap_err();
    assert_eq!(error(Joint::weld(wall, bar).limits(0.0, 1.0)), ModelError::NoFreeCoordinate("weld"));
    assert_eq!(error(Joint::hinge(wall, bar).length(1.0)), ModelError::NoLength("hinge"));
    assert_eq!(error(Joint::hinge(bar, bar)), ModelError::SameBody(bar));
    assert!(matches!(error(Joint::slider(wall, bar, [0.0, 0.0])), ModelError::OutOfRange { .. }));
    assert!(matches!(error(Joint::hinge(wall, bar).at([f64::NAN, 0.0])), ModelError::OutOfRange { .. }));
    assert!(matches!(error(Joint::distance(wall, bar).length(0.0)), ModelError::OutOfRange { .. }));
    assert!(world.joints().is_empty());
}

/// A spring's rest length is the distance of its anchors when it is added, unless it is given.
#[test]
fn springs_rest_where_they_are_put() {
    let (mut world, wall, bar) = wall_and_bar();
    let spring = Spring::between(wall, bar).anchors([1.0, 0.0], [3.0, 1.0]).stiffness(7.0).damping(2.0);
    world.add_spring(spring.clone()).unwrap();
    world.add_spring(spring.rest_length(0.0)).unwrap();
    let [placed, short] = [&world.springs()[0], &world.springs()[1]];
    assert!((placed.rest_length - 5.0_f64.sqrt()).abs() < 1e-15);
    assert_eq!(short.rest_length, 0.0);
    near(placed.anchors[0], DVec2::new(0.0, -1.0));
    near(placed.anchors[1], DVec2::new(-0.5, 0.0));
    assert_eq!((placed.softness.stiffness, placed.softness.damping), (7.0, 2.0));
    assert!(world.add_spring(Spring::between(wall, bar).damping(-1.0)).is_err());
}
