//! `driftlab check`: every error of every file, one line each, and all that a run of it says before its first step.

use super::arguments::CheckArguments;
use super::failure::Failure;
use super::open;
use super::options::Stepping;
use super::output::{complain, print};
use super::warnings::beforehand;
use crate::scene::shown;

/// Runs the command.
pub(super) fn run(arguments: &CheckArguments) -> Result<(), Failure> {
    let (mut wrong, mut warnings) = (Vec::new(), Vec::new());
    let mut sound = String::new();
    let stepping = Stepping::default();
    for name in &arguments.scenes {
        let line = |text: String| format!("{}: {text}", shown(name));
        let mut scene = match open::open(name).and_then(|source| source.parse()) {
            Ok(scene) => scene,
            Err(Failure::Wrong(lines)) => {
                wrong.extend(lines);
                continue;
            }
            Err(other) => return Err(other),
        };
        match stepping.prepare(&mut scene, None) {
            Ok(_) => {
                warnings.extend(beforehand(&stepping.posing, &scene).into_iter().map(line));
                let (bodies, joints) = (scene.world.bodies().len(), scene.world.joints().len());
                sound.push_str(&format!("{}: ok, {bodies} bodies, {joints} joints\n", shown(name)));
            }
            Err(Failure::Wrong(lines)) => wrong.extend(lines.into_iter().map(line)),
            Err(other) => return Err(other),
        }
    }
    print(&sound)?;
    complain(&warnings);
    if wrong.is_empty() { Ok(()) } else { Err(Failure::Wrong(wrong)) }
}
