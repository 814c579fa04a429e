//! Anitescu & Hart's contact experiments (section 6) and their theorem 4.1.

use super::worlds::{G, disk, ground};
use crate::largest;
use crate::physics::worlds::{edit, method, run};
use driftlab::model::{Body, BodyKind, MassSpec, Placement, Shape, World};
use driftlab::report::StepReport;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

fn infeasibility<'r>(reports: impl IntoIterator<Item = &'r StepReport>) -> f64 {
    largest(reports.into_iter().map(|report| report.contact_error))
}

/// Half axes of 4 m and 2 m at 10 kg/m², its centre of mass 8 m above a table, ω = 3 rad/s, μ = 0.3.
fn ellipse_on_tabletop() -> World {
    let mut world = World::new(DVec2::new(0.0, -G));
    world.add_body(ground(DVec2::Y, 0.3)).unwrap();
    let shape = Placement::centred(Shape::Ellipse { semi_axes: DVec2::new(4.0, 2.0) });
    let at = DVec2::new(0.0, 8.0);
    let mut ellipse = Body::new(BodyKind::Dynamic, at, 0.0, vec![shape], MassSpec::Density(10.0)).unwrap();
    ellipse.friction = 0.3;
    ellipse.velocity.angular = 3.0;
    world.add_body(ellipse).unwrap();
    world
}

/// The paper's figure 4: at the end the infeasibility is more than 100 times smaller with stabilization than without. An
/// independent computation found about 400 times; accepted are 200 to 800. The stabilized infeasibility is that of the
/// gap's curvature over a step, h² ω² (a² − b²)/(2b) where the ellipse rocks on its flat side, to 50 %.
#[test]
fn ellipse_is_some_four_hundred_times_better_stabilized() {
    let h = 0.05;
    let end = |key: &str| {
        let mut method = method(key, &[]);
        method.contact.active_distance = Some(0.3);
        let mut world = ellipse_on_tabletop();
        let mut workspace = Workspace::default();
        let mut ends = Vec::new();
        for made in 0..400 {
            let report = step(&mut world, &method, h, &mut workspace).unwrap();
            if made >= 380 {
                ends.push((report.contact_error, world.bodies()[1].velocity.angular));
            }
        }
        ends
    };
    let (drifting, stabilized) = (end("none"), end("anitescu_hart"));
    let worst = |ends: &[(f64, f64)]| largest(ends.iter().map(|(error, _)| *error));
    let ratio = worst(&drifting) / worst(&stabilized);
    assert!((200.0..800.0).contains(&ratio), "unstabilized over stabilized: {ratio}");
    let fastest = largest(stabilized.iter().map(|(_, omega)| *omega));
    let (a, b) = (4.0, 2.0);
    let level = h * h * fastest * fastest * (a * a - b * b) / (2.0 * b);
    let share = worst(&stabilized) / level;
    assert!((0.5..1.5).contains(&share), "{share} of h²ω²(a² − b²)/2b");
}

/// 21 disks of radius 3 m in a cannonball arrangement on a table, a millimetre apart, μ = 0.2, 10 kg/m².
fn disks() -> World {
    let mut world = World::new(DVec2::new(0.0, -G));
    world.add_body(ground(DVec2::Y, 0.2)).unwrap();
    for row in 0..6 {
        for place in 0..6 - row {
            let x = 6.002 * (f64::from(place) - f64::from(5 - row) / 2.0);
            let disturbance = 5e-4 * f64::from((7 * row + 3 * place) % 5 - 2);
            let y = 3.0 + f64::from(row) * (3.0 * 3.0_f64.sqrt() + 0.002);
            let mut disk = disk(3.0, DVec2::new(x + disturbance, y), 0.2);
            disk.velocity = Default::default();
            world.add_body(disk).unwrap();
        }
    }
    world
}

/// The paper's figure 6: impacts of pairs beyond the active distance are missed and leave infeasibility, which is larger
/// and remains without stabilization. With every pair in the problem that could meet within the step, ε̂ ≥ h·v, the
/// stabilized infeasibility is zero to rounding (the gap of two disks is a convex function of their positions, so that its
/// linearisation never overestimates it).
#[test]
fn disks_stay_apart_where_the_active_distance_covers_their_travel() {
    let infeasibility_of = |key: &str, travel: f64| {
        let mut method = method(key, &[]);
        method.contact.active_distance = Some(0.3);
        method.contact.active_travel = travel;
        let mut world = disks();
        let reports = run(&mut world, &method, 0.05, 400);
        let low = world.bodies()[1..].iter().filter(|disk| disk.pose.position.y < 3.0 + 1e-6).count();
        (infeasibility(&reports), infeasibility(&reports[380..]), low)
    };
    let (drifting, drifting_end, _) = infeasibility_of("none", 0.0);
    let (stabilized, stabilized_end, low) = infeasibility_of("anitescu_hart", 0.0);
    assert_eq!(low, 21, "disks on the table at the end");
    assert!(drifting > 1.5 * stabilized, "{drifting} m without, {stabilized} m with stabilization");
    assert!(drifting_end > 1e6 * stabilized_end, "{drifting_end} m, {stabilized_end} m at the end");
    let (covered, _, low) = infeasibility_of("anitescu_hart", 2.0);
    assert_eq!(low, 21, "disks on the table at the end");
    assert!(covered < 1e-10, "{covered} m with ε̂ ≥ h·v");
}

/// Theorem 4.1, I(q⁺) ≤ C ‖v⁺‖² h²: halving h divides the largest infeasibility of an ellipse that rocks on the table by
/// four.
#[test]
fn infeasibility_of_a_rocking_ellipse_is_of_second_order() {
    let errors = [4e-3, 2e-3, 1e-3].map(|h: f64| {
        let mut world = ellipse_on_tabletop();
        // Released from a tilt of 0.3 rad without a gap: the centre's height is the support function of the ellipse.
        edit(&mut world, 1, |ellipse| {
            ellipse.pose.angle = 0.3;
            ellipse.pose.position.y = (2.0 * 0.3_f64.cos()).hypot(4.0 * 0.3_f64.sin());
            ellipse.velocity = Default::default();
        });
        let mut method = method("anitescu_hart", &[]);
        method.contact.active_distance = Some(0.3);
        infeasibility(&run(&mut world, &method, h, (3.0 / h) as usize))
    });
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 2.0).abs() < 0.1, "order {order}: {errors:?}");
    }
}
