//! What a scheme of another crate may do with a step comes to the same numbers as a scheme of the engine.

use super::worlds::{GRAVITY, bar, chain};
use driftlab::method::{GapTerm, Level, Method, Origin, Scheme, SchemeInfo, Stabilizer};
use driftlab::model::{Body, Shape, World};
use driftlab::report::StepError;
use driftlab::step::step;
use driftlab::step::{Step, Workspace};
use glam::DVec2;

/// Baumgarte's equation at the velocity level with α = 50 1/s, by the operations that are open to all.
const ALPHA: f64 = 50.0;

const INFO: SchemeInfo = SchemeInfo {
    key: "written",
    name: "Written outside",
    short: "Written outside",
    origin: Origin::Papers,
    synonyms: &[],
    equation: "J v⁺ + c + α g = 0",
    summary: "Baumgarte's equation at the velocity level, written outside the engine.",
    source: "Cline & Pai 2003, section IV-A",
    levels: &[Level::Velocity],
    departures: &[],
    parameters: &[],
    per_step: &[],
    languages: &[],
};

static WRITTEN: Scheme = Scheme::new(INFO, advance);

fn advance(step: &mut Step<'_>) -> Result<(), StepError> {
    step.evaluate(GapTerm::Touching);
    step.kick();
    step.solve(|row| ALPHA * row.g)?;
    step.drift();
    Ok(())
}

/// A chain that falls onto a box: joints, impacts and friction.
fn chain_over_a_box() -> World {
    let mut world = chain(4, GRAVITY);
    let ground = Body::fixed().at([0.1, -0.4]).shape(Shape::Box { size: DVec2::new(2.0, 0.2) });
    world.add_body(ground.build().unwrap()).unwrap();
    let mut weight = bar(DVec2::splat(0.1), DVec2::new(0.2, -0.2), 0.3);
    weight.collides = true;
    world.add_body(weight).unwrap();
    world
}

/// Bit for bit: poses, velocities, forces of joints, impulses of contacts and the report.
#[test]
fn a_scheme_written_outside_makes_the_steps_of_the_one_inside() {
    let inside = Method::by_key("baumgarte_velocity").unwrap().with("alpha", ALPHA).unwrap();
    let outside = Method::new(Stabilizer::from(&WRITTEN));
    let mut worlds = [chain_over_a_box(), chain_over_a_box()];
    let mut workspaces = [Workspace::default(), Workspace::default()];
    let mut touched = false;
    for _ in 0..600 {
        let [a, b] = &mut worlds;
        let first = step(a, &inside, 1e-3, &mut workspaces[0]).unwrap();
        let second = step(b, &outside, 1e-3, &mut workspaces[1]).unwrap();
        touched |= !a.contacts().is_empty();
        assert_eq!(format!("{first:?}"), format!("{second:?}"));
        assert!(*a == *b, "the worlds differ at {} s", a.time());
    }
    assert!(touched);
}

/// A step that acts on the bodies before it evaluates the rows, whose bias shows where and how fast they are.
fn late(step: &mut Step<'_>, first: fn(&mut Step<'_>)) -> Result<(), StepError> {
    first(step);
    step.evaluate(GapTerm::Touching);
    step.kick();
    let h = step.length();
    step.solve(|row| ALPHA * row.g + h * row.k)?;
    step.drift();
    Ok(())
}

/// The rows at the end of a step are those at the start of the next only where no body has been moved since.
#[test]
fn rows_are_evaluated_where_a_scheme_has_moved_the_bodies_first() {
    static FIRST: [Scheme; 2] = [
        Scheme::new(INFO, |step| late(step, |step| step.drift())),
        Scheme::new(INFO, |step| late(step, |step| step.kick())),
    ];
    for late in &FIRST {
        let method = Method::new(Stabilizer::from(late));
        let mut worlds = [chain_over_a_box(), chain_over_a_box()];
        let mut workspace = Workspace::default();
        for _ in 0..50 {
            let [a, b] = &mut worlds;
            step(a, &method, 1e-3, &mut workspace).unwrap();
            step(b, &method, 1e-3, &mut Workspace::default()).unwrap(); // remembers nothing
            assert!(*a == *b, "the worlds differ at {} s", a.time());
        }
    }
}
