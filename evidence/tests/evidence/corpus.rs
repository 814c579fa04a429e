//! The corpus of hard problems: reproducible from a seed, and solved again as in their steps.

use driftlab::experiment::Run;
use driftlab::lcp::{MixedWorkspace, Solver};
use driftlab_evidence::corpus::{FAMILIES, Tallies, Tally, score, variants};
use std::cell::Cell;

/// Tables can be recomputed: the worlds depend on family, seed and index alone, and differ between seeds and indices.
#[test]
fn a_seed_draws_the_same_worlds_again() {
    for family in FAMILIES {
        let [one, again] = [0, 0].map(|index| family.world(1, index).unwrap());
        assert_eq!(one.world, again.world, "{}", family.key);
        for (seed, index) in [(2, 0), (1, 5)] {
            let other = family.world(seed, index).unwrap();
            assert_ne!(one.world, other.world, "{}: seed {seed}, world {index}", family.key);
        }
        assert!(family.worlds > 0 && family.steps > 0);
    }
}

/// A recorded problem is the one that its step solved: solved again from its warm start, it gives the same attempts.
#[test]
fn a_kept_problem_is_solved_as_in_its_step() {
    let mut compared = 0;
    let large = ["rush", "struck pyramid", "poured boxes", "falling disks"];
    for family in FAMILIES.iter().filter(|family| !large.contains(&family.key)) {
        let scene = family.world(3, 0).unwrap();
        let mut run = Run::new(&scene, 40).recording_problems();
        let (mut v, mut workspace) = (Vec::new(), MixedWorkspace::default());
        while run.next().is_some() {
            for posed in run.posed_problems() {
                let mut lambda = posed.warm.clone();
                let solved =
                    Solver::default().solve_mixed(&posed.problem, &mut lambda, &mut v, &mut workspace);
                let attempts = solved.ok().map(|outcome| outcome.trail.attempts().len());
                if attempts.is_none() && posed.attempts.is_some() {
                    // In the step, rows were permitted to yield where nothing satisfies all of them, which the report counts.
                    assert!(run.report().infeasible > 0, "{}", family.key);
                    continue;
                }
                assert_eq!(attempts, posed.attempts, "{}", family.key);
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "only {compared} problems");
}

/// Recording problems does not change the run: the steps give the same bits.
#[test]
fn recording_problems_changes_no_bit() {
    for family in FAMILIES {
        let scene = family.world(2, 1).unwrap();
        let (mut plain, mut recording) = (Run::new(&scene, 15), Run::new(&scene, 15).recording_problems());
        plain.by_ref().zip(recording.by_ref()).for_each(drop);
        assert_eq!(plain.world(), recording.world(), "{}", family.key);
        assert!(plain.posed_problems().is_empty());
    }
}

/// Every problem of a world is counted once for each variant, with a time by the caller's clock.
#[test]
fn every_problem_is_counted_once_for_each_variant() {
    let family = FAMILIES.iter().find(|family| family.key == "loaded stack").unwrap();
    let scene = family.world(1, 0).unwrap();
    let ticks = Cell::new(0.0);
    // A clock by which every solve takes one second.
    let clock = || {
        ticks.set(ticks.get() + 1.0);
        ticks.get()
    };
    let variants = variants();
    let tallies = score(&scene, family.steps, &variants, &clock);
    assert_eq!(tallies.len(), variants.len());
    let problems = [&tallies[0].hard, &tallies[0].ordinary].map(Tally::problems);
    assert!(problems[0] > 0 && problems[1] > 0);
    for Tallies { hard, ordinary } in &tallies {
        for (tally, problems) in [hard, ordinary].into_iter().zip(problems) {
            assert_eq!((tally.problems(), tally.seconds.len()), (problems, problems));
            assert_eq!((tally.quantile(0.5), tally.total()), (1.0, problems as f64));
        }
    }
}
