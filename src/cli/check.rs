//! `driftlab check`: every error of every file, one line each, and what its solver does not go with.

use super::arguments::CheckArguments;
use super::failure::Failure;
use super::open;
use super::output::{complain, print};
use crate::experiment::contradiction;
use crate::scene::shown;

/// Runs the command.
pub(super) fn run(arguments: &CheckArguments) -> Result<(), Failure> {
    let (mut wrong, mut warnings) = (Vec::new(), Vec::new());
    let mut sound = String::new();
    for name in &arguments.scenes {
        match open::open(name).and_then(|source| source.parse()) {
            Ok(scene) => {
                let (method, line) =
                    (&scene.settings.method, |text: String| format!("{}: {text}", shown(name)));
                if let Err(error) = method.check_solver(&scene.world) {
                    wrong.push(line(format!("settings.solver: {error}")));
                    continue;
                }
                let note = method.solver_note(&scene.world);
                warnings.extend(note.map(|note| line(format!("warning: settings.solver: {note}"))));
                let contradicts = contradiction(&scene.world, method);
                warnings.extend(
                    contradicts
                        .map(|text| line(format!("warning: {text}; `run --consistent` makes them fit"))),
                );
                let (bodies, joints) = (scene.world.bodies().len(), scene.world.joints().len());
                sound.push_str(&format!("{}: ok, {bodies} bodies, {joints} joints\n", shown(name)));
            }
            Err(Failure::Wrong(lines)) => wrong.extend(lines),
            Err(other) => return Err(other),
        }
    }
    print(&sound)?;
    complain(&warnings);
    if wrong.is_empty() { Ok(()) } else { Err(Failure::Wrong(wrong)) }
}
