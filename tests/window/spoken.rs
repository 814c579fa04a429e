//! What a person hears who does not see the picture.

use super::model;
use driftlab::numbers::length;
use driftlab::workbench::command::Command;
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::Sentences;

/// What changes is said once, and nothing else: a scheme by its name, a step of a run that stands by its time and errors; while
/// time runs nothing is said anew.
#[test]
fn what_changes_is_said_once() {
    let mut model = model("six-link-chain");
    let first = model.spoken();
    let all = first.since(&Sentences::default());
    assert!(all.contains("six-link-chain") && all.contains("It stands at 0 s"), "{all}");
    assert_eq!(model.spoken().since(&first), "");

    model.apply(Command::Scheme(3));
    let chosen = model.spoken();
    let name = model.run().method().stabilizer.info().name;
    assert_eq!(chosen.since(&first), format!("six-link-chain: {name}."));

    model.apply(Command::StepForward);
    let stepped = model.spoken();
    let error = length(model.run().report().joint_error);
    let said = stepped.since(&chosen);
    assert!(said.starts_with("It stands at 0.001 s") && said.contains(&error), "{said}");

    model.apply(Command::TogglePlay);
    let plays = model.spoken();
    assert_eq!(plays.since(&stepped), "It runs.");
    for _ in 0..5 {
        model.advance(1.0 / 60.0);
        model.settle();
        assert_eq!(model.spoken().since(&plays), "");
    }
}

/// A step of a tour is read with what it asks for, and once that is done, with what has been seen.
#[test]
fn a_tour_is_read_and_its_end_told() {
    let mut model = model("single-pendulum");
    model.apply(Intent::Tour { tour: 0, step: 0 });
    let begun = model.spoken();
    let step = model.library.tour_step().expect("a step").clone();
    let ask = step.ask.expect("something to do");
    let said = begun.since(&Sentences::default());
    assert!(said.contains(&step.text) && said.contains(&ask.text) && !said.contains(&ask.seen), "{said}");
    if let Some(progress) = model.library.progress.as_mut() {
        progress.done = true;
    }
    assert_eq!(model.spoken().since(&begun), format!("Done. {}", ask.seen));
}
