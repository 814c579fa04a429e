//! More disks than fit into a box: the problem has no solution, which the solver proves, and the overlap is shared.

use driftlab::method::Stabilizer;
use driftlab::model::World;
use driftlab::scene::catalogue;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

/// The overlap of disks that do not fit is shared in proportion to Aᵢᵢ. In the shipped scene 25 × 25 disks of 1 m stand in a
/// box of 20 m × 19.5 m in a square pattern, so that in the first step only neighbours in a row or column touch, and each line
/// of 25 is δ = 5 or 5.5 m too long. The violation that is least in the norm Σ wᵢ²/Aᵢᵢ is then proportional to Aᵢᵢ, 2/m between
/// disks and 1/m at a wall: δ/25 and δ/50.
#[test]
fn the_overlap_is_shared_in_proportion() {
    let scene = catalogue::find("confined").unwrap().scene().unwrap();
    let mut method = scene.settings.method.clone();
    method.stabilizer = Stabilizer::by_key("post_stabilization").unwrap();
    let mut world = scene.world.clone();
    let report = step(&mut world, &method, scene.settings.time_step, &mut Workspace::default()).unwrap();
    assert_eq!(report.infeasible, 1);
    assert!((report.contact_error - 0.22).abs() < 1e-7, "{}", report.contact_error);
    let height = |world: &World, disk: usize| world.bodies()[disk].pose.position.y;
    let first = world.bodies().len() - 625;
    assert!((height(&world, first) - (0.5 - 0.11)).abs() < 1e-7, "{}", height(&world, first));
    assert!((world.bodies()[first].pose.position.x - (-9.5 - 0.1)).abs() < 1e-7);
}

/// Confined disks stay at rest under the scene's bounded correction, although every step is proved to have no solution, and
/// their overlap stays bounded.
#[test]
fn confined_disks_stay_calm() {
    let scene = catalogue::find("confined").unwrap().scene().unwrap();
    let (mut world, mut workspace) = (scene.world.clone(), Workspace::default());
    for k in 0..30 {
        let report = step(&mut world, &scene.settings.method, scene.settings.time_step, &mut workspace);
        let report = report.unwrap_or_else(|error| panic!("step {k}: {error}"));
        assert_eq!(report.infeasible, 1, "step {k}");
        assert!(report.kinetic_energy < 1e-12, "step {k}: {} J", report.kinetic_energy);
        // Between the least violation of the square pattern and that of the final dense packing.
        assert!((0.2..0.35).contains(&report.contact_error), "step {k}: {} m", report.contact_error);
    }
}

/// Where the disks of `confined` do not lie in order, there may be solutions, but their velocities are thousands of
/// times what the rows ask for (independently, a linear program over the velocities of this step, J v + b ≥ 0 with the
/// least largest component, ends as infeasible by HiGHS's simplex and interior-point methods). The step ends with the
/// least violation, after fewer factorisations than Newton's method may make (1,501).
#[test]
fn solutions_out_of_reach_are_given_up_early() {
    let scene = catalogue::find("confined").unwrap().scene().unwrap();
    let mut method = scene.settings.method.clone();
    method.stabilizer = Stabilizer::by_key("anitescu_hart").unwrap();
    let (mut world, mut workspace) = (scene.world.clone(), Workspace::default());
    for (number, id) in
        scene.world.body_ids().iter().enumerate().filter(|(i, _)| scene.world.bodies()[*i].is_dynamic())
    {
        let angle = 2.4 * number as f64;
        let aside = 0.015 * DVec2::new(angle.cos(), (1.7 * angle).sin());
        world.edit_body(*id, |body| body.pose.position += aside).unwrap();
    }
    let report = step(&mut world, &method, scene.settings.time_step, &mut workspace).unwrap();
    assert_eq!((report.infeasible, report.unproved), (1, 1));
    assert!(report.solver_iterations < 500, "{}", report.trail);
}
