//! `driftlab check`: every error of every file, one line each, and all that a run of a scene says before its first step.

use super::arguments::CheckArguments;
use super::failure::Failure;
use super::open;
use super::options::Stepping;
use super::output::{complain, print};
use super::warnings::beforehand;
use crate::experiment::recording::RecordingProblem;
use crate::files::is_recording;
use crate::scene::shown;
use std::path::Path;

/// Kinds of problems of a recording that are told at most.
const MOST_TOLD: usize = 20;

/// Runs the command.
pub(super) fn run(arguments: &CheckArguments) -> Result<(), Failure> {
    let (mut wrong, mut warnings) = (Vec::new(), Vec::new());
    let mut sound = String::new();
    let stepping = Stepping::default();
    for name in &arguments.scenes {
        if is_recording(Path::new(name)) {
            match recording(Path::new(name)) {
                Ok(told) => sound.push_str(&told),
                Err(Failure::Wrong(lines)) => wrong.extend(lines),
                Err(other) => return Err(other),
            }
            continue;
        }
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

/// Reads every line of a recording.
fn recording(path: &Path) -> Result<String, Failure> {
    let name = path.display().to_string();
    let mut recording = open::recording(path)?;
    let mut wrong = Repeated::default();
    for place in 0..recording.times().len() {
        recording.step(place).err().into_iter().flatten().for_each(|problem| wrong.add(problem));
    }
    if !wrong.kinds.is_empty() {
        return Err(Failure::Wrong(wrong.told(&shown(&name))));
    }
    let (steps, bodies) = (recording.times().len(), recording.scene().world.bodies().len());
    let joints = recording.scene().world.joints().len();
    let engine = recording.engine();
    let version = engine.version.as_ref().map_or_else(String::new, |version| format!(" {version}"));
    let mut told = format!(
        "{}: ok, {steps} steps of {}{}, {bodies} bodies, {joints} joints\n",
        shown(&name),
        shown(&engine.name),
        shown(&version)
    );
    let notes = recording.notes().iter();
    told.extend(notes.map(|own| format!("{}: {}\n", shown(&name), shown(own))));
    let left_out = recording.left_out().iter();
    told.extend(left_out.map(|own| format!("{}: left out: {}\n", shown(&name), shown(own))));
    if recording.cut_off() > 0 {
        let bytes = recording.cut_off();
        told.push_str(&format!(
            "{}: ends in the middle of a line: its last {bytes} bytes are not read\n",
            shown(&name)
        ));
    }
    Ok(told)
}

/// Problems of a recording's lines: the same one in line after line is told once, with how many more there are.
#[derive(Default)]
struct Repeated {
    kinds: Vec<Kind>,
}

/// Problems that differ in their numbers alone.
struct Kind {
    /// Place and message without their numbers.
    pattern: String,
    first: RecordingProblem,
    count: u64,
    /// Lines that have one.
    lines: u64,
    last: Option<u64>,
}

impl Repeated {
    fn add(&mut self, problem: RecordingProblem) {
        let pattern = without_numbers(&format!("{}: {}", problem.path, problem.message));
        let Some(kind) = self.kinds.iter_mut().find(|kind| kind.pattern == pattern) else {
            let last = problem.line;
            return self.kinds.push(Kind { pattern, first: problem, count: 1, lines: 1, last });
        };
        kind.count += 1;
        kind.lines += u64::from(kind.last != problem.line);
        kind.last = problem.line;
    }

    /// The first problem of each kind in the file `name`, a line each.
    fn told(&self, name: &str) -> Vec<String> {
        let line = |Kind { first, count, lines, .. }: &Kind| match (count - 1, lines - 1) {
            (0, _) => format!("{name}: {first}"),
            (more, 0) => format!("{name}: {first}; and {more} more like it in the same line"),
            (more, _) => format!("{name}: {first}; and {more} more like it, in {lines} lines altogether"),
        };
        let mut told: Vec<String> = self.kinds.iter().take(MOST_TOLD).map(line).collect();
        if self.kinds.len() > MOST_TOLD {
            told.push(format!("{name}: and {} more kinds of problems", self.kinds.len() - MOST_TOLD));
        }
        told
    }
}

/// The text with one sign in place of each number.
fn without_numbers(text: &str) -> String {
    let mut own = String::with_capacity(text.len());
    for sign in text.chars() {
        if !sign.is_ascii_digit() {
            own.push(sign);
        } else if !own.ends_with('#') {
            own.push('#');
        }
    }
    own
}
