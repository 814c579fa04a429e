//! Coulomb's law on blocks and piles: sticking, sliding, tipping, standing.

use super::worlds::{G, block, disk, downhill, ground, on_incline};
use crate::physics::worlds::{edit, method, run};
use driftlab::method::Method;
use driftlab::model::World;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

/// Schemes whose contact rows are those of velocity-impulse stepping while nothing overlaps.
const EXACT: [&str; 6] =
    ["none", "baumgarte_velocity", "post_stabilization", "anitescu_hart", "implicit", "projection"];
const H: f64 = 1e-2;
const SIZE: DVec2 = DVec2::new(0.6, 0.2);

fn block_on_incline(angle: f64, friction: f64) -> World {
    on_incline(angle, friction, |n| block(SIZE, n * (SIZE.y / 2.0), -angle, friction))
}

/// Coulomb: a block sticks on an incline for tan θ ≤ μ and otherwise slides with a = g (sin θ − μ cos θ), tested with μ a
/// part in a thousand above and below tan θ.
#[test]
fn block_slides_where_the_slope_exceeds_the_friction() {
    let angle = 0.4_f64;
    for key in EXACT {
        for (share, slides) in [(1.001, false), (0.999, true), (0.5, true)] {
            let friction = share * angle.tan();
            let mut world = block_on_incline(angle, friction);
            let start = world.bodies()[1].pose;
            run(&mut world, &method(key, &[]), H, 100);
            let body = &world.bodies()[1];
            let speed = body.velocity.linear.dot(downhill(angle));
            if slides {
                let expected = G * (angle.sin() - friction * angle.cos());
                assert!((speed - expected).abs() < 1e-10, "{key}: {speed} instead of {expected}");
            } else {
                let moved = (body.pose.position - start.position).length();
                assert!(moved < 1e-13, "{key}: crept by {moved} m");
            }
        }
    }
}

/// A block thrown along the level at v₀ stops after v₀²/(2 μ g), less the half step v₀ h/2 by which semi-implicit
/// stepping falls short at constant deceleration.
#[test]
fn block_slides_its_distance() {
    let (speed, friction) = (2.0, 0.3);
    for key in EXACT {
        let mut world = block_on_incline(0.0, friction);
        edit(&mut world, 1, |body| body.velocity.linear = DVec2::new(speed, 0.0));
        let start = world.bodies()[1].pose.position.x;
        run(&mut world, &method(key, &[]), H, 200);
        let way = world.bodies()[1].pose.position.x - start;
        let expected = speed * speed / (2.0 * friction * G) - speed * H / 2.0;
        // The last, partial step ends anywhere within μ g h² / 8.
        assert!((way - expected).abs() < friction * G * H * H, "{key}: {way} m instead of {expected} m");
        assert!(world.bodies()[1].velocity.linear.length() < 1e-13, "{key}: does not rest");
    }
}

/// A block with enough friction tips over its lower edge where tan θ exceeds width over height, and stands below that.
#[test]
fn block_tips_where_its_weight_leaves_its_base() {
    let size = DVec2::new(0.2, 0.5);
    for key in EXACT {
        for (share, tips) in [(0.99, false), (1.01, true)] {
            let angle = (share * size.x / size.y).atan();
            let mut world = on_incline(angle, 2.0, |n| block(size, n * (size.y / 2.0), -angle, 2.0));
            run(&mut world, &method(key, &[]), H, 300);
            let turned = world.bodies()[1].pose.angle + angle;
            if tips {
                assert!(turned < -0.3, "{key}: turned by {turned} rad only");
            } else {
                assert!(turned.abs() < 1e-12, "{key}: turned by {turned} rad");
            }
        }
    }
}

fn three_disks(friction: f64) -> World {
    let r = 0.5;
    let mut world = World::new(DVec2::new(0.0, -G));
    world.add_body(ground(DVec2::Y, friction)).unwrap();
    for (x, y) in [(-r, r), (r, r), (0.0, r + 3.0_f64.sqrt() * r)] {
        world.add_body(disk(r, DVec2::new(x, y), friction)).unwrap();
    }
    world
}

/// Three equal disks, one on two that touch, stand if μ ≥ tan 15° = 2 − √3 and collapse below: the forces at the two contacts
/// of a lower disk have to balance, for which the upper contact needs that μ (the ground a third of it). Tested at 1 % above
/// and below.
#[test]
fn three_disks_stand_if_the_friction_suffices() {
    let threshold = 2.0 - 3.0_f64.sqrt();
    for key in EXACT {
        for (share, stands) in [(1.01, true), (0.99, false)] {
            let mut world = three_disks(share * threshold);
            let top = world.bodies()[3].pose.position.y;
            run(&mut world, &method(key, &[]), H, 300);
            let sunk = top - world.bodies()[3].pose.position.y;
            if stands {
                assert!(sunk.abs() < 1e-9, "{key}: sunk by {sunk} m");
            } else {
                assert!(sunk > 0.1, "{key}: sunk by {sunk} m only");
            }
        }
    }
}

fn stack(count: u32) -> World {
    let mut world = World::new(DVec2::new(0.0, -G));
    world.add_body(ground(DVec2::Y, 0.6)).unwrap();
    for level in 0..count {
        world.add_body(block(DVec2::ONE, DVec2::new(0.0, 0.5 + f64::from(level)), 0.0, 0.6)).unwrap();
    }
    world
}

fn farthest_moved(world: &World, from: &World) -> f64 {
    let pairs = world.bodies().iter().zip(from.bodies());
    let moved = pairs.map(|(now, then)| (now.pose.coordinates() - then.pose.coordinates()).length());
    crate::largest(moved)
}

/// v = 0 implies I = 0 [Anitescu & Hart, theorem 4.1]: over 100,000 steps a stack of ten boxes at rest moves by less than
/// 1e-9 m (or rad) and stays feasible to 1e-9 m.
#[test]
fn stack_at_rest_stays_for_a_hundred_thousand_steps() {
    for key in ["none", "anitescu_hart"] {
        let (start, mut world) = (stack(10), stack(10));
        let method = method(key, &[]);
        let mut workspace = Workspace::default();
        let mut error: f64 = 0.0;
        for _ in 0..100_000 {
            error = error.max(step(&mut world, &method, 1.0 / 60.0, &mut workspace).unwrap().contact_error);
        }
        let moved = farthest_moved(&world, &start);
        assert!(moved < 1e-9, "{key}: moved by {moved} m");
        assert!(error < 1e-9, "{key}: infeasible by {error} m");
    }
}

/// A stack of ten boxes stays at rest for 1,000 steps under every scheme with exact contact rows.
#[test]
fn stack_rests_under_every_exact_scheme() {
    for key in EXACT {
        let (start, mut world) = (stack(10), stack(10));
        run(&mut world, &method(key, &[]), 1.0 / 60.0, 1000);
        let moved = farthest_moved(&world, &start);
        assert!(moved < 1e-10, "{key}: moved by {moved} m");
    }
}

/// Boxes that fall onto each other with plastic impacts never gain energy in a step under `none` and Anitescu & Hart, and lose
/// more than 30 %. (In free fall semi-implicit stepping itself loses ½ m g² h² per step.)
#[test]
fn energy_never_rises_through_contact() {
    for key in ["none", "anitescu_hart"] {
        let mut method: Method = method(key, &[]);
        // The problem contains all pairs that could meet within the step, so no impact is missed and no overlap corrected.
        method.contact.active_travel = 2.0;
        let mut world = World::new(DVec2::new(0.0, -G));
        world.add_body(ground(DVec2::Y, 0.4)).unwrap();
        for index in 0..8 {
            let n = f64::from(index);
            let at = DVec2::new(0.37 * (n % 3.0) - 0.4, 0.6 + 0.8 * n);
            let mut body = block(DVec2::new(0.6, 0.4), at, 0.3 * n, 0.4);
            body.velocity.angular = 2.0 - n;
            world.add_body(body).unwrap();
        }
        let mut workspace = Workspace::default();
        let mut energy = world.kinetic_energy() + world.potential_energy();
        let start = energy;
        for made in 0..3000 {
            let report = step(&mut world, &method, 1e-3, &mut workspace).unwrap();
            let rise = report.total_energy() - energy;
            assert!(rise < 1e-9 * start, "{key}: rises by {rise} J of {start} J in step {made}");
            energy = report.total_energy();
        }
        assert!(energy < 0.7 * start, "{key}: nothing has happened");
    }
}
