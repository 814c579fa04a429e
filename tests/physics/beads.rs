//! Beads on curves: pendulum, tautochrone and the fall from a loop, from their closed forms; a cam's follower.

use super::worlds::{point_mass, wall};
use driftlab::method::Method;
use driftlab::model::joint::{Curve, Side, Spline};
use driftlab::model::{Body, BodyId, Joint, Motion, World};
use driftlab::step::{Workspace, step};
use glam::DVec2;
use std::f64::consts::PI;

const G: f64 = 9.81;

/// A bead on `curve` of a wall at the origin, at the curve's point `s`.
fn bead(curve: Curve, s: f64, side: Side) -> (World, BodyId) {
    let mut world = World::new([0.0, -G]);
    let wire = world.add_body(wall()).unwrap();
    let at = curve.point(s);
    let body = world.add_body(point_mass(at)).unwrap();
    world.add_joint(Joint::bead(wire, body, curve).anchors(DVec2::ZERO, at).on_side(side)).unwrap();
    (world, body)
}

/// Steps until `value` changes its sign; returns the time that this takes, by linear interpolation in the last step.
fn time_of(world: &mut World, method: &Method, h: f64, value: impl Fn(&World) -> f64) -> f64 {
    let mut workspace = Workspace::default();
    let mut before = value(world);
    for i in 0.. {
        step(world, method, h, &mut workspace).unwrap();
        let after = value(world);
        if before * after <= 0.0 && before != 0.0 {
            return h * (f64::from(i) + before / (before - after));
        }
        assert!(i < 200_000, "it never happens");
        before = after;
    }
    unreachable!()
}

/// K(k), by the arithmetic–geometric mean.
fn complete_elliptic(k: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - k * k).sqrt());
    for _ in 0..60 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    PI / (2.0 * a)
}

/// sn(u, k) by descending steps of the arithmetic–geometric mean [Abramowitz & Stegun 1964, 16.4].
#[cfg(feature = "scene")]
fn sn(u: f64, k: f64) -> f64 {
    let (mut a, mut b, mut ratios) = (1.0, (1.0 - k * k).sqrt(), Vec::new());
    while a - b > 1e-15 {
        let c = 0.5 * (a - b);
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
        ratios.push(c / a);
    }
    let most = 2.0_f64.powi(i32::try_from(ratios.len()).unwrap()) * a * u;
    ratios.iter().rev().fold(most, |phase, ratio| 0.5 * (phase + (ratio * phase.sin()).asin())).sin()
}

#[test]
#[cfg(feature = "scene")]
fn the_bead_from_the_top_of_a_hoop_follows_its_elliptic_function() {
    // Protects the scene `bead-from-top`: cos(θ/2) = k sn(K − √(g/R) t, k) of a bead that is let go at rest 0.1 rad from the top,
    // k = cos 0.05, in every step of the first three seconds. RATTLE is of second order: h² ω² times e^{ωt} of the unstable top.
    let scene = driftlab::scene::catalogue::find("bead-from-top").unwrap().scene().unwrap();
    let (h, method) = (scene.settings.time_step, &scene.settings.method);
    let k = 0.05_f64.cos();
    let (quarter, rate) = (complete_elliptic(k), G.sqrt());
    let largest = |h: f64| {
        let (mut world, mut workspace, mut largest) = (scene.world.clone(), Workspace::default(), 0.0_f64);
        for i in 1..=(3.0 / h).round() as u32 {
            step(&mut world, method, h, &mut workspace).unwrap();
            let at = world.bodies()[1].pose.position;
            let half = 0.5 * at.x.atan2(at.y).rem_euclid(2.0 * PI);
            largest = largest.max((half.cos() - k * sn(quarter - rate * h * f64::from(i), k)).abs());
        }
        largest
    };
    let [coarse, fine] = [largest(2.0 * h), largest(h)];
    assert!(fine < 2e-5, "{fine}");
    assert!((coarse / fine).log2() > 1.95, "{coarse} at 2 h, {fine} at h");
}

/// A bead on a circle of R = 1 m that is let go 0.1 rad from the top swings as a pendulum of amplitude π − 0.1: it passes the
/// lowest point after a quarter period, K(sin θ₀/2)/ω, and stands as high on the other side after a half.
#[test]
fn a_bead_on_a_circle_swings_by_elliptic_functions() {
    let amplitude = PI - 0.1;
    let (mut world, body) = bead(Curve::Circle { radius: 1.0 }, 0.5 * PI - 0.1, Side::On);
    let quarter = complete_elliptic((0.5 * amplitude).sin()) / G.sqrt();
    let at = |world: &World| world[body].pose.position;
    let lowest = time_of(&mut world, &Method::rattle(), 5e-4, |world| at(world).x);
    assert!((lowest / quarter - 1.0).abs() < 1e-5, "{lowest} against {quarter}");
    let turning = |world: &World| at(world).perp_dot(world[body].velocity.linear);
    let highest = time_of(&mut world, &Method::rattle(), 5e-4, turning);
    assert!((highest / quarter - 1.0).abs() < 1e-4, "{highest} against {quarter}");
    assert!((at(&world).y - 0.1_f64.cos()).abs() < 1e-5 && (at(&world).length() - 1.0).abs() < 1e-12);
}

/// On a cycloid of radius r a bead arrives at the lowest point after π √(r/g) from wherever it is let go (Huygens 1673).
#[test]
fn beads_on_a_cycloid_arrive_together() {
    let r = 0.5;
    let expected = PI * (r / G).sqrt();
    for s in [-2.4, -1.0, 0.3, 2.0] {
        let (mut world, body) = bead(Curve::Cycloid { radius: r }, s, Side::On);
        let found = time_of(&mut world, &Method::rattle(), 2e-4, |world| world[body].pose.position.x);
        assert!((found / expected - 1.0).abs() < 1e-6, "from {s}: {found} against {expected}");
    }
}

/// A bead that a circle holds up from inside leaves it at cos θ = 2/3 cos θ₀ with v² = g R cos θ, under schemes of both ways to
/// find it; one inside a loop that starts with v² = 3.5 g R leaves it at 60° from the top.
#[test]
fn a_bead_leaves_a_circle_where_nothing_presses_it_on() {
    for method in [Method::projection(), Method::anitescu_hart(), Method::rattle()] {
        let start = 0.1_f64;
        let (mut world, body) = bead(Curve::Circle { radius: 1.0 }, 0.5 * PI - start, Side::Outside);
        let (mut workspace, mut last) = (Workspace::default(), DVec2::ZERO);
        while world.joints()[0].coordinate_force[1] > 0.0 || world.steps() < 10 {
            last = world[body].pose.position;
            step(&mut world, &method, 2e-4, &mut workspace).unwrap();
        }
        let cos = last.y / last.length();
        assert!((cos - 2.0 / 3.0 * start.cos()).abs() < 2e-3, "{}: {cos}", method.stabilizer.info().key);
        let speed = world[body].velocity.linear.length();
        assert!((speed / (G * cos).sqrt() - 1.0).abs() < 2e-3, "{speed}");
        // It is off the circle from then on.
        (0..500).for_each(|_| _ = step(&mut world, &method, 2e-4, &mut workspace).unwrap());
        assert!(world[body].pose.position.length() > 1.001);
    }
    let (mut world, body) = bead(Curve::Circle { radius: 1.0 }, -0.5 * PI, Side::Inside);
    world.edit_body(body, |body| body.velocity.linear.x = (3.5 * G).sqrt()).unwrap();
    let (mut workspace, mut highest) = (Workspace::default(), f64::NEG_INFINITY);
    for _ in 0..1600 {
        step(&mut world, &Method::anitescu_hart(), 5e-4, &mut workspace).unwrap();
        highest = highest.max(world[body].pose.position.y);
        assert!(world[body].pose.position.length() < 1.0 + 1e-5);
    }
    // The parabola from cos α = 1/2: R cos α (3 − cos² α)/2.
    assert!((highest - 0.6875).abs() < 1e-4, "{highest}");
}

/// Every curve holds its bead, also where it turns with its body: under projection the bead stays on it to rounding, and only the
/// work of gravity changes the energy on a wire at rest.
#[test]
fn every_curve_holds_its_bead() {
    let points = [[-2.0, 1.0], [-1.0, 0.2], [0.0, 0.4], [1.0, 0.1], [2.0, 1.0]].map(DVec2::from_array);
    let graph = Curve::Graph(Spline::new(points.to_vec()).unwrap());
    let curves = [
        (Curve::Line, 0.3),
        (Curve::Ellipse { semi_axes: DVec2::new(1.5, 0.6) }, 1.0),
        (Curve::Parabola { coefficient: 0.8 }, 0.9),
        (Curve::Cycloid { radius: 0.5 }, 1.8),
        (graph, 1.5),
    ];
    for (curve, s) in curves {
        let key = curve.key();
        let (mut world, body) = bead(curve.clone(), s, Side::On);
        let energy = |world: &World| world.kinetic_energy() + world.potential_energy();
        let (start, mut workspace) = (energy(&world), Workspace::default());
        for _ in 0..2000 {
            step(&mut world, &Method::rattle(), 1e-3, &mut workspace).unwrap();
            let missed = curve.distance(world[body].pose.position).abs();
            assert!(missed < 1e-11, "{key}: {missed}");
        }
        assert!((energy(&world) - start).abs() < 2e-4 * G, "{key}: {}", energy(&world) - start);
    }
}

/// A graph is the natural spline of its points, and goes on along its tangents: of two points the line, and of (−1, 0), (0, 1),
/// (1, 0), whose second derivatives are 0, −3, 0, it is 1 − 3/2 x² + 1/2 |x|³.
#[test]
fn a_graph_is_the_natural_spline() {
    let line = Spline::new(vec![DVec2::new(0.0, 1.0), DVec2::new(2.0, 2.0)]).unwrap();
    let line = Curve::Graph(line);
    for x in [-3.0, 0.5, 1.0, 7.0] {
        assert!((line.point(x).y - (1.0 + 0.5 * x)).abs() < 1e-14);
    }
    let hill = Spline::new([[-1.0, 0.0], [0.0, 1.0], [1.0, 0.0]].map(DVec2::from_array).to_vec()).unwrap();
    let hill = Curve::Graph(hill);
    for x in [-0.75_f64, -0.2, 0.0, 0.4, 1.0] {
        let expected = 1.0 - 1.5 * x * x + 0.5 * x.abs().powi(3);
        assert!((hill.point(x).y - expected).abs() < 1e-15, "{x}");
    }
    // Beyond the end along the tangent, Y′(1) = −3/2.
    assert!((hill.point(2.0).y + 1.5).abs() < 1e-14);
}

/// A cam: on an eccentric circle that turns with Ω a follower on a vertical slot rises as e cos Ωt + √(R² − e² sin² Ωt).
#[test]
fn a_cam_moves_its_follower() {
    let (radius, e, rate) = (0.5, 0.2, 3.0);
    let mut world = World::new([0.0, -G]);
    let wall = world.add_body(wall()).unwrap();
    let cam = Body::kinematic(Motion::ConstantVelocity).angular_velocity(rate);
    let cam = world.add_body(cam).unwrap();
    let top = DVec2::new(0.0, e + radius);
    let follower = world.add_body(point_mass(top)).unwrap();
    world.add_joint(Joint::slider(wall, follower, [0.0, 1.0])).unwrap();
    let circle = Joint::bead(cam, follower, Curve::Circle { radius });
    world.add_joint(circle.anchors([0.0, e], top)).unwrap();
    let mut workspace = Workspace::default();
    for _ in 0..1000 {
        step(&mut world, &Method::projection(), 1e-3, &mut workspace).unwrap();
        let angle = world[cam].pose.angle;
        let expected = e * angle.cos() + (radius * radius - (e * angle.sin()).powi(2)).sqrt();
        let y = world[follower].pose.position.y;
        assert!((y - expected).abs() < 1e-10, "{y} against {expected}");
    }
}
