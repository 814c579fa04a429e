//! Bodies at rest rest to the bit, and what moves slowly goes on moving.

use super::worlds::{block, disk, ground};
use crate::detect::{Random, body};
use crate::physics::worlds::{edit, id, method};
use driftlab::lcp::Solver;
use driftlab::method::Method;
use driftlab::model::{Shape, World};
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

const G: f64 = 9.81;
pub(super) const H: f64 = 1.0 / 60.0;

/// Boxes whose sides no binary fraction holds, in a pyramid; each falls 2 mm onto those below it.
pub(super) fn pyramid(rows: usize) -> World {
    let mut world = World::new(DVec2::new(0.0, -G));
    world.add_body(ground(DVec2::Y, 0.6)).unwrap();
    let side = 0.7;
    for row in 0..rows {
        for column in 0..rows - row {
            let x = (column as f64 + 0.5 * row as f64) * 1.15 * side + 3.1;
            let y = (row as f64 + 0.5) * side + 0.002 * (row as f64 + 1.0);
            world.add_body(block(DVec2::splat(side), DVec2::new(x, y), 0.0, 0.6)).unwrap();
        }
    }
    world
}

/// Boxes of 1 m in a pyramid whose gaps are zero: it rests where it stands.
fn standing_pyramid(rows: usize) -> World {
    let mut world = World::new(DVec2::new(0.0, -G));
    world.add_body(ground(DVec2::Y, 0.6)).unwrap();
    for row in 0..rows {
        for column in 0..rows - row {
            let x = 1.1 * (column as f64 + 0.5 * row as f64);
            world.add_body(block(DVec2::ONE, DVec2::new(x, row as f64 + 0.5), 0.0, 0.6)).unwrap();
        }
    }
    world
}

/// The first step of a pile knows no impulses, and nothing moves yet between its layers. The factorisations that find
/// its load do not grow with their number: 100 to 200 factorisations and pieces of paths before all contacts were tried
/// as equations, at most 10 now. The impulses lie within the cones, those on the ground carry the weight, and nothing moves.
#[test]
fn the_first_step_of_a_pile_takes_few_factorisations() {
    for rows in [8, 12, 16, 20, 28] {
        let (mut world, method) = (standing_pyramid(rows), method("anitescu_hart", &[]));
        let report = step(&mut world, &method, H, &mut Workspace::default()).unwrap();
        assert!(report.solver_iterations <= 10, "{rows} rows: {}", report.trail);
        assert!(report.kinetic_energy < 1e-20, "{rows} rows: {} J", report.kinetic_energy);
        let mut carried = 0.0;
        for contact in world.contacts() {
            let [n, t] = contact.impulse;
            assert!(n >= 0.0 && t.abs() <= 0.6 * n * (1.0 + 1e-9), "{rows} rows: {n} and {t} N s");
            carried += if contact.id.bodies[0] == world.body_ids()[0] { n } else { 0.0 };
        }
        let weight: f64 = world.bodies().iter().skip(1).map(|body| body.mass_properties().mass * G).sum();
        assert!((carried / (weight * H) - 1.0).abs() < 1e-9, "{rows} rows: {carried} N s");
    }
}

/// What rounding leaves of w at each contact adds up from layer to layer: a stack of fifteen boxes crept by 1e-13 m/s
/// to and fro, at rest in every second step at most. Its bodies' velocities are zero once it has come to rest.
#[test]
fn a_tall_stack_does_not_creep() {
    for key in ["none", "anitescu_hart", "post_stabilization", "projection"] {
        let (mut world, method) = (World::new(DVec2::new(0.0, -10.0)), method(key, &[]));
        world.add_body(ground(DVec2::Y, 0.3)).unwrap();
        for layer in 0..15 {
            let aside = if layer % 2 == 0 { -0.01 } else { 0.01 };
            let at = DVec2::new(aside, 0.5 + 1.1 * f64::from(layer));
            world.add_body(block(DVec2::ONE, at, 0.0, 0.3)).unwrap();
        }
        let mut workspace = Workspace::default();
        for _ in 0..120 {
            step(&mut world, &method, H, &mut workspace).unwrap();
        }
        for _ in 0..60 {
            let report = step(&mut world, &method, H, &mut workspace).unwrap();
            assert!(report.kinetic_energy == 0.0, "{key}, step {}: {}", report.step, report.trail);
        }
    }
}

/// A pile that has come to rest no longer moves in its last digits: for 60 steps no coordinate changes, the impulses of
/// the step before solve the problem as they are, and those on the ground carry the weight.
#[test]
fn a_pile_at_rest_rests_to_the_bit() {
    for key in ["none", "baumgarte_velocity", "anitescu_hart", "post_stabilization", "projection"] {
        let (mut world, method) = (pyramid(6), method(key, &[]));
        let mut workspace = Workspace::default();
        for _ in 0..400 {
            step(&mut world, &method, H, &mut workspace).unwrap();
        }
        let rested = world.clone();
        for _ in 0..60 {
            let mut twin = world.clone();
            let report = step(&mut world, &method, H, &mut workspace).unwrap();
            // A workspace recognises the problem of the step before; one that has seen none comes to the same.
            let fresh = step(&mut twin, &method, H, &mut Workspace::default()).unwrap();
            assert_eq!((&report, format!("{world:?}")), (&fresh, format!("{twin:?}")), "{key}");
            // Post-stabilization and projection solve a correction besides.
            let corrects = ["post_stabilization", "projection"].contains(&key);
            assert!(corrects || report.solver_iterations == 0, "{key}, step {}", report.step);
        }
        for (now, then) in world.bodies().iter().zip(rested.bodies()) {
            assert_eq!(now.pose, then.pose, "{key}");
        }
        let on_ground =
            world.contacts().iter().filter(|contact| contact.id.bodies[0] == world.body_ids()[0]);
        let carried: f64 = on_ground.map(|contact| contact.impulse[0]).sum();
        let mass: f64 = world.bodies().iter().skip(1).map(|body| body.mass_properties().mass).sum();
        assert!((carried / (mass * G * H) - 1.0).abs() < 1e-9, "{key}: {carried} N s");
    }
}

/// Two piles at rest beside a ball that never comes to rest are recognised one by one. A fresh workspace, which
/// recognises nothing, comes to the same, also where one of the piles, the method or the time step is changed between the steps.
#[test]
fn piles_beside_a_flight_are_recognised_to_the_bit() {
    for key in ["none", "anitescu_hart", "post_stabilization"] {
        let (mut world, mut method, mut h) = (pyramid(3), method(key, &[]), H);
        let side = DVec2::splat(0.7);
        let far = world.add_body(block(side, DVec2::new(20.0, 0.351), 0.0, 0.6)).unwrap();
        let above = world.add_body(block(side, DVec2::new(20.1, 1.052), 0.0, 0.6)).unwrap();
        let ball = world.add_body(disk(0.3, DVec2::new(40.0, 5.0), 0.6)).unwrap();
        world.edit_body(ball, |ball| ball.restitution = 1.0).unwrap();
        let mut workspace = Workspace::default();
        for _ in 0..200 {
            step(&mut world, &method, h, &mut workspace).unwrap();
        }
        for index in 0..80 {
            match index {
                10 => world.edit_body(far, |body| body.friction = 0.4).unwrap(),
                20 => world.edit_body(above, |body| body.velocity.linear.x = 1e-9).unwrap(),
                30 => h = 1.0 / 64.0,
                40 => method.solver = Solver::by_key("newton").unwrap(),
                45 => method.solver = Solver::default(),
                50 => world.edit_body(far, |body| body.pose.position.x += 1e-13).unwrap(),
                60 => drop(world.remove_body(above).unwrap()),
                70 => world.edit_body(ball, |body| body.pose.position = DVec2::new(3.8, 8.0)).unwrap(),
                _ => {}
            }
            let mut twin = world.clone();
            let report = step(&mut world, &method, h, &mut workspace).unwrap();
            let fresh = step(&mut twin, &method, h, &mut Workspace::default()).unwrap();
            assert_eq!((report, format!("{world:?}")), (fresh, format!("{twin:?}")), "{key}, {index}");
        }
    }
}

/// A disk without friction glides at 1e-14 m/s, far below what gravity changes in a step and above its rounding, 24 ε h
/// g = 9e-16 m/s.
#[test]
fn what_moves_slowly_goes_on_moving() {
    const SPEED: f64 = 1e-14;
    for key in ["none", "anitescu_hart"] {
        let mut world = World::new(DVec2::new(0.0, -G));
        world.add_body(ground(DVec2::Y, 0.0)).unwrap();
        let id = world.add_body(disk(0.5, DVec2::new(0.0, 0.5), 0.0)).unwrap();
        world.edit_body(id, |body| body.velocity.linear.x = SPEED).unwrap();
        let (method, mut workspace) = (method(key, &[]), Workspace::default());
        for _ in 0..100 {
            step(&mut world, &method, H, &mut workspace).unwrap();
        }
        let gone = world.bodies()[1].pose.position.x;
        assert!((gone / (100.0 * H * SPEED) - 1.0).abs() < 1e-12, "{key}: {gone} m");
    }
}

/// An edit by its name.
pub(super) type Edit = (&'static str, fn(&mut World));

/// What a person does to a pile of boxes at rest; body 1 is at the left end of its lowest row.
pub(super) const EDITS: [Edit; 16] = [
    ("nothing", |_| {}),
    ("another friction", |world| edit(world, 2, |body| body.friction = 0.11)),
    ("a restitution", |world| edit(world, 3, |body| body.restitution = 0.5)),
    ("a pose beside", |world| edit(world, 2, |body| body.pose.position.x += 1e-3)),
    ("a pose above", |world| edit(world, 10, |body| body.pose.position.y += 0.05)),
    ("an angle", |world| edit(world, 10, |body| body.pose.angle = 0.02)),
    ("a velocity", |world| edit(world, 4, |body| body.velocity.linear.x = -0.3)),
    ("a spin", |world| edit(world, 4, |body| body.velocity.angular = 0.2)),
    ("a group", |world| [5, 6].into_iter().for_each(|index| edit(world, index, |body| body.group = -1))),
    ("one that does not collide", |world| edit(world, 7, |body| body.collides = false)),
    ("one that collides again", |world| edit(world, 7, |body| body.collides = true)),
    ("a smaller shape", |world| {
        edit(world, 1, |body| *body = block(DVec2::splat(0.3), body.pose.position, 0.0, 0.6));
    }),
    ("a body less", |world| drop(world.remove_body(id(world, 3)).unwrap())),
    ("a body more", |world| {
        world.add_body(disk(0.2, DVec2::new(4.0, 3.0), 0.3)).unwrap();
    }),
    ("the ground lowered", |world| edit(world, 0, |body| body.pose.position.y -= 1e-4)),
    ("no gravity", |world| world.set_gravity(DVec2::ZERO).unwrap()),
];

/// A pile at rest, an angle iron whose two pieces have a seam at rest beside it, and a box in flight above both.
fn pile_with_a_box_in_flight(method: &Method, workspace: &mut Workspace) -> World {
    let mut world = pyramid(4);
    let corners = [(0., 0.), (2., 0.), (2., 1.), (1., 1.), (1., 2.), (0., 2.)];
    let vertices = corners.map(|(x, y)| 0.3 * DVec2::new(x, y)).to_vec();
    let iron = world.add_body(body(Shape::polygon(vertices), DVec2::new(-2.0, 0.3), 0.0)).unwrap();
    for _ in 0..250 {
        step(&mut world, method, H, workspace).unwrap();
    }
    assert!(world[iron].velocity.linear.length() < 1e-9, "{:?}", world[iron].velocity);
    let mut thrown = block(DVec2::splat(0.5), DVec2::new(-3.0, 5.0), 0.4, 0.6);
    (thrown.velocity.linear, thrown.velocity.angular) = (DVec2::new(4.0, 1.0), 1.5);
    world.add_body(thrown).unwrap();
    world
}

/// Contacts that nothing has changed are kept from step to step: those of the pile while a box flies by, until somebody
/// changes something about it. Every edit is noticed at once, in what the step computes, reports and leaves in the world.
#[test]
fn kept_contacts_of_a_pile_at_rest_notice_every_edit() {
    for key in ["none", "anitescu_hart", "post_stabilization", "projection", "split_impulse", "rattle"] {
        let (mut method, mut used) = (method(key, &[]), Workspace::default());
        method.contact.active_travel = 1.0;
        let rested = pile_with_a_box_in_flight(&method, &mut used);
        for (name, edit) in EDITS {
            let mut world = rested.clone();
            for made in 0..6 {
                if made == 2 {
                    edit(&mut world);
                }
                let (mut twin, mut fresh) = (world.clone(), Workspace::default());
                let report = step(&mut world, &method, H, &mut used).unwrap();
                let expected = step(&mut twin, &method, H, &mut fresh).unwrap();
                let what = format!("{key}, {name}, step {made}");
                assert_eq!(report, expected, "{what}");
                // Formatted, so that −0 is told from 0.
                assert_eq!(format!("{world:?}"), format!("{twin:?}"), "{what}");
                let impulses = |of: &Workspace| format!("{:?}", of.impulses().collect::<Vec<_>>());
                assert_eq!(impulses(&used), impulses(&fresh), "{what}");
            }
        }
    }
}

/// One body after the other is pushed, turned or struck, and what has not been touched keeps its contacts: a used
/// workspace gives the bits of a fresh one.
#[test]
fn what_is_kept_of_a_pile_is_not_what_one_body_has_left() {
    for (seed, key) in [(1, "none"), (2, "anitescu_hart"), (3, "post_stabilization")] {
        let (mut random, mut used) = (Random(seed), Workspace::default());
        let method = method(key, &[]);
        let mut world = pile_with_a_box_in_flight(&method, &mut used);
        for made in 0..150 {
            let any = 1 + random.below(world.bodies().len() - 1);
            match random.below(8) {
                0 => edit(&mut world, any, |body| body.pose.position += random.vec2(2e-2)),
                1 => edit(&mut world, any, |body| body.pose.angle += random.between(-0.4, 0.4)),
                2 => edit(&mut world, any, |body| body.velocity.linear = random.vec2(3.0)),
                3 => edit(&mut world, any, |body| body.velocity.angular = random.between(-2.0, 2.0)),
                _ => {}
            }
            let mut twin = world.clone();
            let report = step(&mut world, &method, H, &mut used).unwrap();
            let expected = step(&mut twin, &method, H, &mut Workspace::default()).unwrap();
            assert_eq!(report, expected, "{key}, step {made}");
            assert_eq!(format!("{world:?}"), format!("{twin:?}"), "{key}, step {made}");
        }
    }
}
