//! A world accepts only physically meaningful data, whether added or edited.

use crate::physics::worlds::{GRAVITY, hinge, point_mass, wall};
use driftlab::model::nonholonomic::{KnifeEdge, Rolling, Surface};
use driftlab::model::{
    Body, ContactId, ContactState, Grab, Joint, ModelError, Motion, Motor, NonholonomicKind, Repulsion,
    Shape, Spring, World,
};
use glam::DVec2;

const NAN: f64 = f64::NAN;

/// Makes one property of a body invalid.
type Spoil = fn(&mut Body);

const SPOILT: [Spoil; 8] = [
    |body| body.pose.position.x = NAN,
    |body| body.pose.angle = f64::INFINITY,
    |body| body.velocity.linear.y = NAN,
    |body| body.velocity.angular = f64::NEG_INFINITY,
    |body| body.friction = -0.1,
    |body| body.friction = f64::INFINITY,
    |body| body.restitution = 1.1,
    |body| body.restitution = NAN,
];

/// Bodies with NaN, infinity, negative friction or restitution above 1 are refused, added or edited, and leave the world
/// unchanged.
#[test]
fn bodies_without_meaning_are_refused() {
    let mut world = World::new(GRAVITY);
    let sound = world.add_body(point_mass(DVec2::ZERO)).unwrap();
    let before = world.clone();
    for spoil in SPOILT {
        let mut body = point_mass(DVec2::X);
        spoil(&mut body);
        assert!(matches!(world.add_body(body), Err(ModelError::OutOfRange { .. })));
        assert!(matches!(world.edit_body(sound, spoil), Err(ModelError::OutOfRange { .. })));
        assert_eq!(world, before);
    }
    let motion = Motion::Sine { center: DVec2::ZERO, amplitude: DVec2::X, frequency: NAN };
    assert!(Body::kinematic(motion).build().is_err());
    // The largest allowed restitution, and a large coefficient of friction.
    world.edit_body(sound, |body| (body.friction, body.restitution) = (1e3, 1.0)).unwrap();
}

/// An edit after which a joint or spring would have no dynamic body, or a knife edge a body that is not dynamic, is refused.
#[test]
fn constraints_keep_something_to_move() {
    let still = |body: &mut Body| *body = wall();
    let mut world = World::new(GRAVITY);
    let [a, b, c] = [0.0, 1.0, 2.0].map(|x| world.add_body(point_mass(DVec2::new(x, 0.0))).unwrap());
    let joint = world.add_joint(hinge([a, b], DVec2::ZERO)).unwrap();
    world.edit_body(a, still).unwrap();
    let before = world.clone();
    assert_eq!(world.edit_body(b, still), Err(ModelError::NothingToMove(a, b)));
    assert_eq!(world, before);
    world.remove_joint(joint).unwrap();
    world.add_spring(Spring::between(b, a).stiffness(1.0)).unwrap();
    assert_eq!(world.edit_body(b, still), Err(ModelError::NothingToMove(b, a)));
    let blade = KnifeEdge { anchor: DVec2::ZERO, axis: DVec2::X };
    world.add_nonholonomic([c; 2], NonholonomicKind::KnifeEdge(blade)).unwrap();
    assert_eq!(world.edit_body(c, still), Err(ModelError::NotDynamic(c)));
    assert!(world[b].is_dynamic() && world[c].is_dynamic());
}

/// Gravity and time have to be finite, and the mouse's repulsion needs a finite centre and strength and a radius above zero; what
/// is refused leaves the world unchanged.
#[test]
fn gravity_time_and_repulsion_are_checked() {
    let mut world = World::new(GRAVITY);
    let push = Repulsion { center: DVec2::X, radius: 0.5, strength: -3.0 };
    world.set_gravity(DVec2::X).unwrap();
    world.set_time(-2.5).unwrap();
    world.set_repulsion(Some(push)).unwrap();
    assert_eq!((world.gravity(), world.time(), world.steps()), (DVec2::X, -2.5, 0));
    let before = world.clone();
    assert!(world.set_gravity(DVec2::new(0.0, NAN)).is_err());
    assert!(world.set_gravity(DVec2::new(f64::INFINITY, 0.0)).is_err());
    assert!(world.set_time(f64::NEG_INFINITY).is_err());
    for spoilt in [
        Repulsion { center: DVec2::NAN, ..push },
        Repulsion { radius: 0.0, ..push },
        Repulsion { radius: f64::INFINITY, ..push },
        Repulsion { strength: NAN, ..push },
    ] {
        assert!(world.set_repulsion(Some(spoilt)).is_err(), "{spoilt:?}");
    }
    assert_eq!(world, before);
    world.set_repulsion(None).unwrap();
    assert_eq!(world.repulsion(), None);
}

/// A world with gravity that is not finite cannot be made.
#[test]
#[should_panic(expected = "gravity must be finite")]
fn a_world_needs_finite_gravity() {
    let _ = World::new(DVec2::NAN);
}

/// Edits of joints, springs and velocity constraints are checked like new ones and leave the world unchanged if refused;
/// replacing a joint by another keeps its bodies.
#[test]
fn edited_constraints_are_checked() {
    let mut world = World::new(GRAVITY);
    let [a, b, c] = [0.0, 1.0, 2.0].map(|x| world.add_body(point_mass(DVec2::new(x, 0.0))).unwrap());
    let first = world.add_joint(hinge([a, b], DVec2::ZERO)).unwrap();
    let other = world.add_joint(hinge([b, c], DVec2::X)).unwrap();
    let spring = world.add_spring(Spring::between(a, c).stiffness(1.0)).unwrap();
    let rolling = Rolling { radius: 0.1, surface: Surface::Straight(DVec2::Y) };
    let rolling = world.add_nonholonomic([a, b], NonholonomicKind::Rolling(rolling)).unwrap();
    let before = world.clone();
    assert!(world.edit_joint(first, |joint| joint.limits = Some([1.0, 0.0])).is_err());
    let motor = Motor { speed: NAN, max_force: 1.0 };
    assert!(world.edit_joint(first, |joint| joint.motor = Some(motor)).is_err());
    assert!(world.edit_spring(spring, |spring| spring.softness.stiffness = -1.0).is_err());
    assert!(world.edit_nonholonomic(rolling, |own| own.integral[0] = NAN).is_err());
    let blade = NonholonomicKind::KnifeEdge(KnifeEdge { anchor: DVec2::ZERO, axis: DVec2::X });
    let error = world.edit_nonholonomic(rolling, |own| own.kind = blade);
    assert_eq!(error, Err(ModelError::WrongNumberOfBodies("knife_edge")));
    assert_eq!(world, before);
    let taken = world[other].clone();
    world.edit_joint(first, |joint| *joint = taken).unwrap();
    assert_eq!(world[first].bodies(), [0, 1]);
    assert_eq!(world[first].kind, world[other].kind);
}

/// Restored contacts are refused unless their bodies exist and they are sorted, and a body that changes shape loses its
/// contacts.
#[test]
fn restored_contacts_are_checked() {
    let mut world = World::new(GRAVITY);
    let ids = [0.0, 1.0, 2.0, 3.0].map(|x| world.add_body(point_mass(DVec2::new(x, 0.0))).unwrap());
    world.remove_body(ids[3]).unwrap();
    let contact = |a: usize, b: usize| ContactState {
        id: ContactId { bodies: [ids[a], ids[b]], pieces: [0; 2], features: [0; 2] },
        point: DVec2::ZERO,
        normal: DVec2::X,
        gap: 0.0,
        friction: 0.0,
        impulse: [0.0; 2],
    };
    let order = Err(ModelError::ContactOrder);
    assert_eq!(world.restore_contacts(vec![contact(1, 0)]), order);
    assert_eq!(world.restore_contacts(vec![contact(1, 2), contact(0, 1)]), order);
    let gone = Err(ModelError::NoSuchBody(ids[3]));
    assert_eq!(world.restore_contacts(vec![contact(0, 3)]), gone);
    assert!(world.contacts().is_empty());
    assert_eq!(world.restore_contacts(vec![contact(0, 1), contact(1, 2)]), Ok(()));
    assert_eq!(world.contacts().len(), 2);
    // A new shape has other features, so its stored contacts are dropped.
    let body = world.body_ids()[2];
    let round = Body::dynamic().shape(Shape::Circle { radius: 0.1 }).build().unwrap();
    world.edit_body(body, |own| *own = round).unwrap();
    assert_eq!(world.contacts().len(), 1);
}

/// The mouse grabs dynamic bodies only, with a finite point and target and a non-negative force.
#[test]
fn grabs_are_checked() {
    let mut world = World::new(GRAVITY);
    let (still, mass) = (world.add_body(wall()).unwrap(), world.add_body(point_mass(DVec2::X)).unwrap());
    world.add_joint(Joint::hinge(still, mass)).unwrap();
    assert_eq!(world.grab_body(still, DVec2::ZERO), Err(ModelError::NotDynamic(still)));
    assert!(world.grab_body(mass, DVec2::NAN).is_err() && world.grab().is_none());
    world.grab_body(mass, DVec2::X).unwrap();
    let before = world.grab();
    assert!(world.edit_grab(|grab| grab.max_force = -1.0).is_err());
    assert!(world.edit_grab(|grab| grab.target.x = NAN).is_err());
    assert_eq!(world.grab(), before);
    // A hand from elsewhere is checked in the same way, and taken over as a whole or not at all.
    let held = before.unwrap();
    let push = Repulsion { center: DVec2::ZERO, radius: 1.0, strength: 1.0 };
    let gone = world.add_body(point_mass(DVec2::Y)).unwrap();
    world.remove_body(gone).unwrap();
    let of_nobody = world.set_hand(Some(Grab { body: gone, ..held }), Some(push));
    assert_eq!(of_nobody, Err(ModelError::NoSuchBody(gone)));
    let of_a_wall = Grab { body: still, ..held };
    assert_eq!(world.set_hand(Some(of_a_wall), Some(push)), Err(ModelError::NotDynamic(still)));
    assert!(world.set_hand(None, Some(Repulsion { radius: -1.0, ..push })).is_err());
    assert_eq!((world.grab(), world.repulsion()), (before, None));
    world.set_hand(None, Some(push)).unwrap();
    assert_eq!((world.grab(), world.repulsion()), (None, Some(push)));
    world.set_hand(before, None).unwrap();
}
