//! Random worlds of every kind, consistent or not, do not stop a run of `auto`: what has a solution is solved, what has none is
//! met with the least violation and counted; and forces without a solution are said to have none.

use driftlab::experiment::Run;
use driftlab::lcp::MixedError;
use driftlab::method::Level;
use driftlab::report::StepError;
use driftlab::step::{Workspace, step};
use driftlab_evidence::corpus::anything;

/// Islands of up to 84 sliding rows in forces, which Lemke's method leaves with a ray. Branch and bound proves that
/// some have no solution (HiGHS, a mixed integer program of the same states, finds them infeasible as well), and finds
/// the solutions of others. Numbers 38054 and 40133 were left open by rounding: in entries of contacts that equations
/// hold, and in dictionaries of many pivots.
#[test]
fn larger_problems_in_forces_are_proved_or_solved() {
    let open = [6372, 6482, 38054, 40133].into_iter().filter_map(|index| {
        let scene = anything::world(14, index).expect("a world");
        let error = Run::new(&scene, 60).find_map(Result::err);
        let proved = matches!(error, None | Some(StepError::Contact(MixedError::NoSolution { .. }, _)));
        (!proved).then_some((index, error))
    });
    assert_eq!(open.collect::<Vec<_>>(), []);
    let scene = anything::world(14, 6075).expect("a world");
    let report = Run::new(&scene, 1).next().expect("a step").expect("a solution, or the least violation");
    assert_eq!(report.unproved, 0, "{report:?}");
}

/// Islands of 54 to 60 rows in forces that have stopped a run without a proof: the effort is spent, or rounding leaves
/// states open. The runs go on; what is met by friction of no given direction is marked as not proved, in one of them
/// at least, and runs that stop later stop with a proof.
#[test]
fn forces_without_a_proof_stop_no_run() {
    let mut unproved = 0;
    for index in [401191, 402055, 405289] {
        let scene = anything::world(14, index).expect("a world");
        let mut run = Run::new(&scene, 60);
        let error = run.find_map(|step| step.map(|report| unproved += report.unproved).err());
        assert!(
            matches!(error, None | Some(StepError::Contact(MixedError::NoSolution { .. }, _))),
            "{index}: {error:?}"
        );
    }
    assert!(unproved > 0);
}

/// Bodies without weight that brake each other come to rest by powers, step by step. At 1e-170 m/s the squares of their
/// speeds are zero, and no residual was small enough: the run violated its rows for 46 steps and stopped. Such speeds are zero.
#[test]
fn speeds_whose_squares_vanish_are_zero() {
    let scene = anything::world(14, 5313).expect("a world");
    let reports = Run::new(&scene, 60).map(|step| step.expect("a step"));
    assert!(reports.skip(50).all(|report| report.infeasible == 0));
}

/// Random worlds of every kind, consistent or not: at the velocity level none stops, unless its numbers overflow.
#[test]
fn random_worlds_go_on() {
    for index in 0..240 {
        let Ok(scene) = anything::world(14, index) else { continue };
        if scene.settings.method.level != Level::Velocity {
            continue;
        }
        let error = Run::new(&scene, 20).find_map(Result::err);
        let overflow = matches!(
            error,
            Some(
                StepError::NotFinite { .. }
                    | StepError::EnergyNotFinite
                    | StepError::Factorization
                    | StepError::Contact(MixedError::NotFinite, _)
            )
        );
        assert!(error.is_none() || overflow, "{}: {error:?}", scene.name);
    }
}

/// Steps whose first attempts fail in their second half or quarter, and which are then made with rows that yield: what
/// the first half was given is not counted beside the whole step, M (v⁺ − v) = h F + Σ Jᵀλ, and a joint's force is its
/// impulse over h.
#[test]
fn impulses_of_abandoned_halves_are_not_counted() {
    let mut violated = 0;
    for index in [931_235, 931_976, 932_195, 933_134] {
        let scene = anything::world(14, index).expect("a world");
        let (mut world, method) = (scene.world.clone(), &scene.settings.method);
        let (h, mut workspace) = (scene.settings.time_step, Workspace::default());
        for _ in 0..60 {
            let Ok(report) = step(&mut world, method, h, &mut workspace) else { break };
            violated += report.unproved;
            let sizes = workspace.momentum_changes().into_iter().chain(workspace.external_impulses());
            let sizes = sizes.map(|change| change.abs().max_element());
            let given = workspace.impulses().flat_map(|impulse| impulse.on_bodies);
            let most = sizes.chain(given.map(|on| on.abs().max_element())).fold(0.0, f64::max);
            for left in workspace.momentum_residuals() {
                assert!(
                    left.abs().max_element() <= 1e-7 * most,
                    "{index} at {} s: {left} of {most}",
                    world.time()
                );
            }
        }
    }
    assert!(violated > 0);
}
