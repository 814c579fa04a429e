//! Disks that roll and slip, against closed solutions that velocity stepping meets to rounding: the forces are constant, so
//! that v after n steps is exactly n h a.

use super::worlds::{G, disk, downhill, on_incline};
use crate::physics::worlds::{edit, method, run};
use glam::DVec2;

const H: f64 = 1e-3;
const RADIUS: f64 = 0.25;
/// Schemes whose velocity is that of the unstabilised step while the gap stays zero.
const EXACT: [&str; 7] = [
    "none",
    "baumgarte_velocity",
    "post_stabilization",
    "anitescu_hart",
    "implicit",
    "projection",
    "rattle",
];

/// For tan θ ≤ 3 μ a disk rolls down an incline with a = ⅔ g sin θ and ω = −v/r, without sinking in.
#[test]
fn disk_rolls_down_with_two_thirds_of_g_sin_theta() {
    let (angle, friction) = (0.3_f64, 0.2);
    assert!(angle.tan() < 3.0 * friction);
    for key in EXACT {
        let mut world = on_incline(angle, friction, |n| disk(RADIUS, n * RADIUS, friction));
        let reports = run(&mut world, &method(key, &[]), H, 1000);
        let speed = world.bodies()[1].velocity.linear.dot(downhill(angle));
        let expected = 2.0 / 3.0 * G * angle.sin() * 1.0;
        assert!((speed - expected).abs() < 1e-11, "{key}: {speed} instead of {expected}");
        let rolling = world.bodies()[1].velocity.angular + speed / RADIUS;
        assert!(rolling.abs() < 1e-11, "{key}: slips by {rolling}");
        let error = crate::largest(reports.iter().map(|report| report.contact_error));
        assert!(error < 1e-12, "{key}: sinks by {error}");
    }
}

/// For tan θ > 3 μ a disk on an incline slips: a = g (sin θ − μ cos θ), ω̇ = −2 μ g cos θ / r.
#[test]
fn disk_slips_beyond_three_mu() {
    let (angle, friction) = (0.8_f64, 0.2);
    assert!(angle.tan() > 3.0 * friction);
    for key in EXACT {
        let mut world = on_incline(angle, friction, |n| disk(RADIUS, n * RADIUS, friction));
        run(&mut world, &method(key, &[]), H, 1000);
        let body = &world.bodies()[1];
        let speed = body.velocity.linear.dot(downhill(angle));
        let expected = G * (angle.sin() - friction * angle.cos());
        assert!((speed - expected).abs() < 1e-11, "{key}: {speed} instead of {expected}");
        let spin = -2.0 * friction * G * angle.cos() / RADIUS;
        assert!((body.velocity.angular - spin).abs() < 1e-10, "{key}: {}", body.velocity.angular);
    }
}

/// A disk thrown along level ground without spin ends rolling at ⅔ v₀ whatever the friction, since its angular momentum about
/// a point of the ground is conserved.
#[test]
fn thrown_disk_ends_rolling_at_two_thirds_of_its_speed() {
    for (key, friction) in EXACT.into_iter().flat_map(|key| [(key, 0.1), (key, 0.7)]) {
        let mut world = on_incline(0.0, friction, |n| disk(RADIUS, n * RADIUS, friction));
        edit(&mut world, 1, |body| body.velocity.linear = DVec2::new(3.0, 0.0));
        // Rolling begins at v₀/(3 μ g), 1.02 s at the latest.
        run(&mut world, &method(key, &[]), H, 1100);
        let body = &world.bodies()[1];
        assert!((body.velocity.linear.x - 2.0).abs() < 1e-11, "{key}: {}", body.velocity.linear.x);
        assert!((body.velocity.angular + 2.0 / RADIUS).abs() < 1e-10, "{key}");
    }
}

/// At the acceleration level a disk rolls and slips down an incline with the same accelerations as at the velocity level.
#[test]
fn acceleration_level_rolls_and_slips_alike() {
    for (angle, friction) in [(0.3_f64, 0.2), (0.8, 0.2)] {
        let mut world = on_incline(angle, friction, |n| disk(RADIUS, n * RADIUS, friction));
        run(&mut world, &method("baumgarte_acceleration", &[]), H, 1000);
        let speed = world.bodies()[1].velocity.linear.dot(downhill(angle));
        let expected = if angle.tan() > 3.0 * friction {
            G * (angle.sin() - friction * angle.cos())
        } else {
            2.0 / 3.0 * G * angle.sin()
        };
        assert!((speed - expected).abs() < 1e-9, "{speed} instead of {expected}");
    }
}
