//! The command that the window copies repeats its runs without a window, to the bit.

use crate::driftlab;
use driftlab::method::Level;
use driftlab::model::World;
use driftlab::scene::Scene;
use driftlab::schemes::TABLE;
use driftlab::workbench::command::Command;
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::{Model, Request};
use driftlab::workbench::runs::live_run::Setting;
use std::fs;

fn place(key: &str) -> usize {
    TABLE.iter().position(|scheme| scheme.info().key == key).expect("a scheme")
}

/// The words of a line as a shell passes them to a program: those here have no quotes.
fn words(line: &str) -> Vec<&str> {
    line.split(' ').skip(1).collect()
}

/// The world to which each line of the command leads.
fn worlds(line: &str) -> Vec<World> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("end.json");
    let end = |line: &str| {
        driftlab().args(words(line)).arg("--save").arg(&path).assert().code(0);
        Scene::parse(&fs::read_to_string(&path).expect("a file")).expect("a scene").world
    };
    line.lines().map(end).collect()
}

/// A run under another scheme with parameters, level and step of its own.
#[test]
fn a_run_is_repeated_to_the_bit() {
    let mut model = super::model("double-pendulum");
    model.apply(Intent::Set(Setting::Scheme(place("baumgarte_acceleration"))));
    let mut stabilizer = model.run().method().stabilizer.clone();
    stabilizer.values.set("alpha", 1.0 / 3.0).expect("a value");
    model.apply(Intent::Set(Setting::Stabilizer(stabilizer)));
    model.apply(Intent::Set(Setting::Level(Level::Acceleration)));
    model.apply(Intent::Set(Setting::TimeStep(1.0 / 960.0)));
    model.settle();
    (0..30).for_each(|_| model.apply(Command::StepForward));
    let line = model.command_line().expect("a command");
    assert_eq!(worlds(&line), [model.run().world().clone()], "{line}");
}

/// Contacts with friction, in steps whose effort is bounded as in the window.
#[test]
fn contacts_are_repeated_to_the_bit() {
    let mut model = super::model("block-on-incline");
    (0..40).for_each(|_| model.apply(Command::StepForward));
    let line = model.command_line().expect("a command");
    assert_eq!(worlds(&line), [model.run().world().clone()], "{line}");
}

/// Runs that differ in their scheme alone are compared; where one has a step of its own, each has a line.
#[test]
fn a_comparison_is_one_command() {
    let mut model = super::model("six-link-chain");
    model.apply(Intent::Beside(place("none")));
    model.apply(Intent::Beside(place("soft")));
    model.settle();
    (0..10).for_each(|_| model.apply(Command::StepForward));
    let line = model.command_line().expect("a command");
    assert!(line.starts_with("driftlab compare six-link-chain --stabilizers "), "{line}");
    assert!(line.contains(" none soft ") && line.ends_with(" --steps 10"), "{line}");
    driftlab().args(words(&line)).assert().code(0);
    let fork = model.comparison().forks()[0].id;
    model.apply(Command::Restart);
    model.apply(Intent::Edit(Some(fork)));
    model.apply(Intent::Set(Setting::TimeStep(0.0005)));
    model.settle();
    assert_eq!(model.command_line().expect("commands").lines().count(), 3);
}

/// What no file has cannot be named: the window says so; once it is saved, the command names its file.
#[test]
fn a_command_names_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("my own.json");
    let mut model: Model = super::recorded("single-pendulum");
    model.apply(Command::CopyCommand);
    assert!(
        model.news.requests.is_empty()
            && model.news.toast.as_ref().is_some_and(|toast| toast.text.contains("Ctrl+S"))
    );
    model.apply(Command::Save);
    model.apply(Intent::Chosen(path.clone()));
    model.apply(Command::CopyCommand);
    let Some(Request::Copy(line)) = model.news.requests.pop() else { panic!("nothing was copied") };
    assert!(line.starts_with(&format!("driftlab run '{}' --stabilizer ", path.display())), "{line}");
}
