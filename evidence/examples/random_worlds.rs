//! How often a run of `auto` stops, on random worlds of every kind, consistent or not.
//!
//! `cargo run --release -p driftlab-evidence --example random_worlds -- FIRST COUNT STEPS` prints a table by level and kind of
//! world, then how many worlds each cause has stopped, with the first of them. `… -- FIRST 1 STEPS scene` prints the scene file
//! of world number FIRST; `… -- FIRST COUNT STEPS interior` takes that solver in place of `auto`, `… mujoco` that
//! scheme, at its own level, in place of each world's;
//! `… -- FIRST COUNT STEPS acceleration` (or `velocity`) makes the worlds of that level alone. The word `wired` among them takes
//! a corpus with surfaces, ropes, pulleys, slots, wheels, beads, gears, motor joints, held positions, friction in joints, and
//! joints that are soft or break; `driven` beside these profiles of motors, brakes, poses, lengths and belts, thrusters and
//! keys, damping and drag, fields, materials, polylines and rounded polygons. `bounded` bounds the effort of `auto`, but under
//! `rattle`, which takes none.

use driftlab::experiment::{Bounds, Run};
use driftlab::lcp::{Effort, MixedError, Solver};
use driftlab::method::Method;
use driftlab::report::StepError;
use driftlab_evidence::corpus::anything::{DRIVEN, Kind, WIRED, text, world};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The seed of the corpus.
const SEED: u64 = 14;

/// What became of the worlds of one level and kind.
#[derive(Default)]
struct Tally {
    worlds: usize,
    stopped: usize,
    unsolved: usize,
    overflowed: usize,
    blown_up: usize,
    violating: usize,
    unproved: usize,
}

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [first, count, steps] =
        [(0, 0), (1, 600), (2, 60)].map(|(at, d)| numbers.get(at).copied().unwrap_or(d));
    let seed = std::env::args().find_map(|word| match word.as_str() {
        "wired" => Some(WIRED),
        "driven" => Some(DRIVEN),
        _ => None,
    });
    let seed = seed.unwrap_or(SEED);
    let bounded = std::env::args().any(|word| word == "bounded");
    if std::env::args().any(|word| word == "scene") {
        println!("{}", text(seed, first));
        return;
    }
    let solver = std::env::args().skip(1).find_map(|word| Solver::by_key(&word));
    let scheme = std::env::args().skip(1).find_map(|word| Method::by_key(&word));
    let wanted = std::env::args().skip(1).find_map(|word| match word.as_str() {
        "acceleration" => Some(true),
        "velocity" => Some(false),
        _ => None,
    });
    let mut tallies: BTreeMap<(bool, &str), Tally> = BTreeMap::new();
    let mut causes: BTreeMap<(bool, String), Vec<u64>> = BTreeMap::new();
    let mut invalid = 0;
    for index in first..first + count {
        let Ok(mut scene) = world(seed, index) else {
            invalid += 1;
            continue;
        };
        if let Some(solver) = &solver {
            scene.settings.method.solver = solver.clone();
        }
        if let Some(Method { stabilizer, level, integrator, .. }) = &scheme {
            let method = &mut scene.settings.method;
            (method.stabilizer, method.level, method.integrator) =
                (stabilizer.clone(), *level, *integrator);
        }
        if bounded && scene.settings.method.stabilizer.info().key != "rattle" {
            scene.settings.method.effort = Effort::Bounded;
        }
        let acceleration = scene.settings.method.level == driftlab::method::Level::Acceleration;
        if wanted.is_some_and(|wanted| wanted != acceleration) {
            continue;
        }
        let tally = tallies.entry((acceleration, Kind::of(index).key())).or_default();
        tally.worlds += 1;
        let ended = catch_unwind(AssertUnwindSafe(|| {
            let mut run = Run::new(&scene, steps);
            let bounds = Bounds::of(&scene, run.initial(), scene.interaction.is_some());
            let (mut violating, mut unproved, mut blown_up) = (false, false, false);
            let error = loop {
                match run.next() {
                    None => break None,
                    Some(Ok(report)) => {
                        violating |= report.infeasible > 0;
                        unproved |= report.unproved + report.approximate > 0;
                        blown_up |= bounds.judge(&report).is_some();
                    }
                    Some(Err(error)) => break Some((run.world().steps(), error)),
                }
            };
            (error, violating, unproved, blown_up)
        }));
        let Ok((error, violating, unproved, blown_up)) = ended else {
            causes.entry((acceleration, "panic".to_owned())).or_default().push(index);
            continue;
        };
        tally.violating += usize::from(violating);
        tally.unproved += usize::from(unproved);
        let Some((_, error)) = error else { continue };
        tally.stopped += 1;
        let overflow = matches!(
            error,
            StepError::NotFinite { .. }
                | StepError::EnergyNotFinite
                | StepError::Factorization
                | StepError::Contact(MixedError::NotFinite, _)
        );
        tally.overflowed += usize::from(overflow);
        tally.blown_up += usize::from(!overflow && blown_up);
        tally.unsolved += usize::from(!overflow && !blown_up);
        let scheme = scene.settings.method.stabilizer.info().key;
        let before = if blown_up { "behind a blow-up, " } else { "" };
        let cause = format!("{before}{scheme}: {}{}", words(&error), below(&error));
        causes.entry((acceleration, cause)).or_default().push(index);
    }
    // Unsolved: of a run whose numbers had a meaning until then.
    println!(
        "| level | kind | worlds | stopped | unsolved | blown up | overflow | with a violation | with one unproved or nearly solved |\n|---|---|---:|---:|---:|---:|---:|---:|---:|"
    );
    let level = |acceleration: bool| if acceleration { "acceleration" } else { "velocity" };
    let mut sums = [Tally::default(), Tally::default()];
    for ((acceleration, kind), tally) in &tallies {
        row(level(*acceleration), kind, tally);
        let sum = &mut sums[usize::from(*acceleration)];
        sum.worlds += tally.worlds;
        sum.stopped += tally.stopped;
        sum.unsolved += tally.unsolved;
        sum.overflowed += tally.overflowed;
        sum.blown_up += tally.blown_up;
        sum.violating += tally.violating;
        sum.unproved += tally.unproved;
    }
    row("velocity", "all", &sums[0]);
    row("acceleration", "all", &sums[1]);
    println!("\n{invalid} scenes were refused\n\n| level | cause | worlds | first |\n|---|---|---:|---|");
    for ((acceleration, cause), worlds) in causes {
        let first: Vec<_> = worlds.iter().take(6).collect();
        println!("| {} | {cause} | {} | {first:?} |", level(acceleration), worlds.len());
    }
}

fn row(level: &str, kind: &str, tally: &Tally) {
    let Tally { worlds, stopped, unsolved, blown_up, overflowed, violating, unproved: open } = tally;
    println!(
        "| {level} | {kind} | {worlds} | {stopped} | {unsolved} | {blown_up} | {overflowed} | {violating} | {open} |"
    );
}

/// An error without its numbers.
fn words(error: &StepError) -> String {
    let text = match error {
        StepError::Contact(error, _) => StepError::from(error.clone()).to_string(),
        other => other.to_string(),
    };
    let mut words: String = text.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect();
    while words.contains("##") {
        words = words.replace("##", "#");
    }
    for form in ["#.#e-#", "#.#e#", "#e-#", "#e#", "#.#"] {
        words = words.replace(form, "#");
    }
    words
}

/// What is wrong with an error whose residual is small enough.
fn below(error: &StepError) -> &'static str {
    match error {
        StepError::Contact(MixedError::NotConverged { residual, expected, .. }, _)
            if residual <= expected =>
        {
            " BELOW ITS TOLERANCE"
        }
        _ => "",
    }
}
