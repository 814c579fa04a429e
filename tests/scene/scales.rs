//! Scales inside one problem, and where a scene stands: no row is judged by another's target, by the masses that it
//! moves, or by how far from the origin it is.

use crate::physics::worlds::{GRAVITY, chain, hinge, wall};
use driftlab::experiment::Run;
use driftlab::method::{Integrator, Level, Method, Stabilizer};
use driftlab::model::{Body, BodyKind, MassSpec, World};
use driftlab::report::StepReport;
use driftlab::scene::Scene;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

fn world(name: &str) -> Scene {
    let path = format!("{}/tests/worlds/{name}.json", env!("CARGO_MANIFEST_DIR"));
    Scene::parse(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// A body of 1 kg.
fn body(kind: BodyKind, at: DVec2, inertia: f64) -> Body {
    let mass = MassSpec::Given { mass: 1.0, inertia: Some(inertia) };
    Body::new(kind, at, 0.0, Vec::new(), mass).unwrap()
}

fn scheme(key: &str) -> Method {
    Method::new(Stabilizer::by_key(key).unwrap())
}

fn under_rk4() -> Method {
    scheme("none").at_level(Level::Acceleration, Integrator::Rk4).unwrap()
}

/// A motor of 0.033 N m that asks for 10⁹ rad/s is a constant torque, and no measure for the joints beside it: Andrews'
/// squeezer ends with β(0.03 s) = 15.810771195154, as its index-1 form does under DOP853 with a relative tolerance of
/// 1e-13; by four stages at h = 10 µs the method's own error is 6e-9. The measure was the motor's speed, and the joints
/// kept 1e-5 m/s.
#[test]
fn a_target_out_of_reach_loosens_no_other_row() {
    let scene = world("squeezer-strong-motor");
    let (mut after, mut workspace) = (scene.world.clone(), Workspace::default());
    for _ in 0..3000 {
        let report = step(&mut after, &under_rk4(), 1e-5, &mut workspace).unwrap();
        assert!(report.residual < 1e-9, "{report:?}");
    }
    let beta = after.bodies()[1].pose.angle;
    assert!((beta - 15.810_771_195_154).abs() < 2e-8, "{beta}");
}

/// A point mass on a hinge with a lever of 1 m, I/(m r²) = 1e-8 and 1e-12, is a mathematical pendulum: both its rows
/// hold in every step, and from the horizontal it is after 10 s where α̈ = −g sin α leads, (−0.275087462576,
/// −0.961419205099) m by Jacobi's elliptic functions and by integration. Its rows were taken for dependent, and the
/// mass ended metres away.
#[test]
fn a_point_mass_on_a_lever_is_held() {
    let expected = DVec2::new(-0.275_087_462_576, -0.961_419_205_099);
    for inertia in [1e-8, 1e-12] {
        for (method, error, joint) in [(under_rk4(), 1e-4, 1e-5), (scheme("rattle"), 3e-3, 1e-11)] {
            let mut world = World::new(GRAVITY);
            let wall = world.add_body(wall()).unwrap();
            let mass = world.add_body(body(BodyKind::Dynamic, DVec2::NEG_X, inertia)).unwrap();
            world.add_joint(hinge([wall, mass], DVec2::ZERO)).unwrap();
            let mut workspace = Workspace::default();
            for _ in 0..10_000 {
                let report = step(&mut world, &method, 1e-3, &mut workspace).unwrap();
                assert!(report.infeasible == 0 && report.dependent_rows == 0, "{inertia}: {report:?}");
                assert!(report.joint_error < joint, "{inertia}: {report:?}");
            }
            let apart = (world.bodies()[1].pose.position - expected).length();
            assert!(apart < error, "{inertia} under {}: {apart}", method.stabilizer.info().key);
        }
    }
}

fn reports(scene: &Scene, steps: u64) -> Vec<StepReport> {
    Run::new(scene, steps).map_while(Result::ok).collect()
}

/// Where a scene stands says how its coordinates are rounded, and nothing else: a tree of joints that is pulled apart,
/// 1000 m from the origin, is put together and solved as it is at the origin. Rows of metres counted a thousand times
/// less there than those of angles, and the first step gained 880 times the kinetic energy.
#[test]
fn a_scene_a_thousand_metres_away_is_solved_as_well() {
    let far = reports(&world("tree-far-away"), 3);
    assert_eq!(far.len(), 3);
    assert!(far.iter().all(|report| report.infeasible == 0 && report.unproved == 0), "{far:?}");
    assert!(far[2].joint_error < 1e-11, "{:?}", far[2]);
}

/// A body that stands still, or that nothing joins to the others, has no influence on how exactly the others are held:
/// with a fixed body or a free one 10⁸ m away, a chain under `rattle` and `projection` moves to the last bit as without it.
#[test]
fn a_body_far_away_loosens_no_joint() {
    for key in ["rattle", "projection", "post_stabilization"] {
        for kind in [BodyKind::Fixed, BodyKind::Dynamic] {
            let (mut alone, mut workspaces) =
                (chain(4, GRAVITY), [Workspace::default(), Workspace::default()]);
            let mut other = alone.clone();
            other.add_body(body(kind, DVec2::new(1e8, -1e8), 1.0)).unwrap();
            for _ in 0..200 {
                let report = step(&mut other, &scheme(key), 1e-3, &mut workspaces[0]).unwrap();
                step(&mut alone, &scheme(key), 1e-3, &mut workspaces[1]).unwrap();
                assert!(key == "post_stabilization" || report.joint_error < 1e-15, "{key}: {report:?}");
                for (one, two) in other.bodies().iter().zip(alone.bodies()) {
                    assert_eq!((one.pose, one.velocity), (two.pose, two.velocity), "{key}");
                }
            }
        }
    }
}

/// The residual of a step and the same relative to its problem's speed speak of the same rows: in a loop of a hinge, a
/// slider and a weld one equation depends on the others. Where the loop's drift leaves it 5e-8 m/s, no problem of at
/// most 100 m/s has a share of 1e-16 left.
#[test]
fn both_residuals_are_of_all_rows() {
    let reports = reports(&world("loop-under-overlap"), 5);
    assert_eq!(reports.len(), 5);
    assert!(reports.iter().any(|report| report.residual > 1e-8), "{reports:?}");
    for report in reports {
        let relative = report.relative_residual.unwrap();
        assert!(relative >= report.residual / 1e3, "{report:?}");
    }
}
