//! `driftlab fork`: the world at a frame of a recording as a scene.

use super::arguments::ForkArguments;
use super::failure::Failure;
use super::files::{guard_input, write};
use super::open;
use super::output::tell;
use crate::experiment::judge::Fork;
use crate::experiment::recording::RecordingProblem;
use crate::files::{STANDARD, is_standard};
use crate::scene::{Scene, shown};
use std::path::Path;

/// Runs the command.
pub(super) fn run(arguments: &ForkArguments) -> Result<(), Failure> {
    let ForkArguments { file, at, step, out } = arguments;
    guard_input(Some(file), "the recording", &[("--out", out)])?;
    let name = file.display().to_string();
    let mut recording = open::recording(file)?;
    let steps = recording.times().len();
    let place = match (at, step) {
        (_, Some(step)) if *step > steps as u64 => {
            return Err(Failure::wrong(format!("--step: {} has {steps} steps", shown(&name))));
        }
        (_, Some(step)) => (*step as usize).checked_sub(1),
        (Some(at), None) => Fork::place_at(&recording, *at),
        (None, None) => None,
    };
    let wrong = |problem: RecordingProblem| format!("{}: {problem}", shown(&name));
    let forked = Fork::at(&mut recording, place);
    let Fork { scene, left_out } =
        forked.map_err(|problems| Failure::Wrong(problems.into_iter().map(wrong).collect()))?;
    let text = scene.saved().map_err(|problems| {
        Failure::Wrong(problems.iter().map(|problem| format!("{}: {problem}", shown(&name))).collect())
    })?;
    // Numbers of the line may lie beyond what a scene can have.
    Scene::parse(&text).map_err(|problems| {
        let told =
            problems.iter().map(|own| format!("{}: no scene can be this frame: {own}", shown(&name)));
        Failure::Wrong(told.collect())
    })?;
    let path = out.as_deref().unwrap_or(Path::new(STANDARD));
    write(path, text.as_bytes())?;
    let notes = recording.notes().iter();
    let mut told: String = notes.map(|own| format!("{}: {}\n", shown(&name), shown(own))).collect();
    let left_out = left_out.iter();
    told.extend(left_out.map(|own| format!("{}: left out: {}\n", shown(&name), shown(own))));
    let (world, after) = (&scene.world, place.map_or(0, |place| place + 1));
    told.push_str(&format!(
        "{}: the world after {after} of {steps} steps, {} s: {} bodies, {} joints, {} springs\n",
        shown(&name),
        world.time(),
        world.bodies().len(),
        world.joints().len(),
        world.springs().len()
    ));
    Ok(tell(&told, is_standard(path))?)
}
