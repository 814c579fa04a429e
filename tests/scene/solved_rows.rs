//! Every row of a solved step says whose it is, what it demands and what it has got.

use driftlab::lcp::ACCEPTED;
use driftlab::method::Method;
use driftlab::report::{ConstraintId, MOST_MULTIPLIERS};
use driftlab::scene::{Scene, catalogue};
use driftlab::step::Workspace;
use driftlab::step::step;
use std::collections::BTreeMap;

/// In six scenes with joints, springs, motors, limits, velocity constraints and contacts, under two schemes that solve once in a
/// step: the rows' λ are the impulses that the step accounts for, by constraint and row, and each row keeps its bounds and leaves
/// no more of its law than counts as solved. Names with their rows are unique, and no row is left unnamed.
#[test]
fn rows_are_named_and_their_multipliers_are_the_impulses() {
    let mut kinds = BTreeMap::new();
    for key in
        ["six-link-chain", "spring-pendulum", "ragdoll", "car", "box-at-rest", "three-bar-nonholonomic"]
    {
        for scheme in ["none", "anitescu_hart"] {
            let scene = Scene::parse(catalogue::find(key).unwrap().text).unwrap();
            let (mut world, mut workspace) = (scene.world.clone(), Workspace::default());
            let method = Method::by_key(scheme).unwrap();
            assert!(workspace.solved_rows(&world).is_empty());
            for _ in 0..60 {
                let report = step(&mut world, &method, scene.settings.time_step, &mut workspace).unwrap();
                assert_eq!(report.substeps, 1);
                let rows = workspace.solved_rows(&world);
                assert_eq!(rows.len(), report.rows, "{key} under {scheme}");
                let mut sums = Vec::new();
                for row in &rows {
                    let reading = row.reading;
                    assert!(reading.relative_residual <= ACCEPTED, "{key} under {scheme}: {row:?}");
                    let [low, high] = reading.bounds;
                    let slack = 1e-9 * (1.0 + reading.lambda.abs());
                    assert!(low - slack <= reading.lambda && reading.lambda <= high + slack, "{row:?}");
                    assert!(row.island.is_some() == reading.island.is_some());
                    sums.push((row.constraint, row.row, reading.lambda));
                    *kinds.entry(kind(row.constraint)).or_insert(0) += 1;
                }
                for impulse in workspace.impulses() {
                    for at in 0..MOST_MULTIPLIERS {
                        let own = |(id, row, _): &&(ConstraintId, usize, f64)| {
                            *id == impulse.constraint && *row == at
                        };
                        let found: Vec<f64> = sums.iter().filter(own).map(|(.., lambda)| *lambda).collect();
                        assert!(found.len() <= 1, "{key}: {:?} has row {at} twice", impulse.constraint);
                        let lambda = found.first().copied().unwrap_or_default();
                        assert_eq!(lambda, impulse.multipliers[at], "{key} under {scheme}: {impulse:?}");
                    }
                }
            }
        }
    }
    let seen: Vec<&str> = kinds.keys().copied().collect();
    assert_eq!(seen, ["contact", "joint", "limit", "motor", "nonholonomic", "spring"], "{kinds:?}");
}

fn kind(constraint: ConstraintId) -> &'static str {
    match constraint {
        ConstraintId::Joint(_) => "joint",
        ConstraintId::Nonholonomic(_) => "nonholonomic",
        ConstraintId::Spring(_) => "spring",
        ConstraintId::Motor(_) => "motor",
        ConstraintId::LowerLimit(_) | ConstraintId::UpperLimit(_) => "limit",
        ConstraintId::Contact(_) => "contact",
        _ => "other",
    }
}
