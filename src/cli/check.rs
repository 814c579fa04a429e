//! `driftlab check`: every error of every file, one line each.

use super::arguments::CheckArguments;
use super::failure::Failure;
use super::open;
use super::output::print;
use crate::scene::shown;

/// Runs the command.
pub(super) fn run(arguments: &CheckArguments) -> Result<(), Failure> {
    let mut wrong = Vec::new();
    let mut sound = String::new();
    for name in &arguments.scenes {
        match open::open(name).and_then(|source| source.parse()) {
            Ok(scene) => {
                let (bodies, joints) = (scene.world.bodies().len(), scene.world.joints().len());
                sound.push_str(&format!("{}: ok, {bodies} bodies, {joints} joints\n", shown(name)));
            }
            Err(Failure::Wrong(lines)) => wrong.extend(lines),
            Err(other) => return Err(other),
        }
    }
    print(&sound)?;
    if wrong.is_empty() { Ok(()) } else { Err(Failure::Wrong(wrong)) }
}
