//! The command line: one file per command.
//!
//! Exit status: 0 success; 1 a certificate that is not passed; 2 error in the command line or a scene; 3 the simulation
//! failed numerically or a problem has no solution, and what was written until then remains valid; 4 a run made all its
//! steps, but blew up on the way: an error or a change of energy beyond 10⁶ times the scene's scale; 130 and 143 SIGINT
//! and SIGTERM. Errors go to stderr, one line each.

mod arguments;
mod check;
mod compare;
mod converge;
mod course;
mod failure;
mod files;
mod fork;
mod import;
mod interrupt;
mod judge;
mod lcp;
mod list;
mod map;
mod mark;
mod measure;
mod merge;
mod open;
mod options;
mod output;
mod progress;
mod run;
mod schema;
mod shell;
mod stability;
mod sweep;
mod uniqueness;
mod unsolved;
mod values;
mod warnings;

use crate::files::is_recording;
use crate::workbench::link::Link;
use crate::workbench::options::Options;
use arguments::{Arguments, Command, WatchArguments, WindowArguments};
use clap::Parser;
use failure::Failure;
use std::path::Path;
use std::process::ExitCode;

/// Environment variable with the address of the page that copied links lead to.
const LINK_BASE: &str = "DRIFTLAB_LINK_BASE";

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    #[cfg(any(feature = "box2d", feature = "engines"))]
    if let Some(status) = crate::files::replay_box2d(std::env::args_os()) {
        return status;
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Neither help and version nor a closed pipe is an error.
            let _ = error.print();
            return if error.use_stderr() { failure::WRONG.into() } else { ExitCode::SUCCESS };
        }
    };
    match interrupt::make_too_large_files_errors().and_then(|()| dispatch(arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn dispatch(arguments: Arguments) -> Result<(), Failure> {
    match arguments.command {
        None => window(&arguments.window),
        Some(Command::Run(run)) => run::run(&run),
        Some(Command::Compare(compare)) => compare::run(&compare),
        Some(Command::Measure(measure)) => measure::run(&measure),
        Some(Command::Judge(own)) => judge::run(&own),
        Some(Command::Fork(own)) => fork::run(&own),
        Some(Command::Converge(converge)) => converge::run(&converge),
        Some(Command::Sweep(sweep)) => sweep::run(&sweep),
        Some(Command::Merge(merge)) => merge::run(&merge),
        Some(Command::Stability(stability)) => stability::run(&stability),
        Some(Command::Check(check)) => check::run(&check),
        Some(Command::Watch(own)) => watch(&own),
        Some(Command::List(list)) => list::run(&list),
        Some(Command::Schema(own)) => schema::run(&own),
        Some(Command::Import(own)) => import::import(&own),
        Some(Command::Export(own)) => import::export(&own),
        Some(Command::Lcp(lcp)) => lcp::run(&lcp),
        Some(Command::Course(course)) => course::run(&course),
        Some(Command::Mark(own)) => mark::run(&own),
        Some(Command::Completions(completions)) => shell::completions(&completions),
        Some(Command::Man(man)) => shell::man(&man),
    }
}

/// The page that copied links lead to, of the option or the environment.
fn base(arguments: &WindowArguments) -> Option<String> {
    arguments.link_base.clone().or_else(|| std::env::var(LINK_BASE).ok())
}

fn window(arguments: &WindowArguments) -> Result<(), Failure> {
    let named = arguments.scene.as_deref();
    let link = arguments.link.as_deref().or(named.filter(|name| Link::is_one(name))).map(str::to_owned);
    if let Some(link) = &link {
        // As for a scene: checked before a window opens.
        let opened =
            Link::parse(link).and_then(|link| link.open(crate::workbench::runs::comparison::MOST_FORKS));
        let line = |problem: &String| format!("link: {problem}");
        opened.map_err(|problems| Failure::Wrong(problems.iter().map(line).collect()))?;
    }
    let recording = named.map(Path::new).filter(|path| is_recording(path)).map(Path::to_owned);
    if let Some(path) = &recording {
        open::recording(path)?;
    }
    let is_scene = |name: &&str| recording.is_none() && !Link::is_one(name);
    let scene = named.filter(is_scene).map(open::open).transpose()?;
    let mut beside = Vec::new();
    if let Some(source) = &scene {
        // Checked before a window opens, so that an invalid scene or trajectory ends the command with status 2.
        let scene = source.parse()?;
        for path in &arguments.beside {
            beside.push(measure::checked(path, &scene.world)?);
        }
    }
    match &scene {
        Some(source) => files::guard(source, &[("--shot", &arguments.shot)])?,
        None => {
            let mut shot = arguments.shot.iter();
            shot.try_for_each(|path| files::probe(path).map_err(|error| Failure::file(path, &error)))?;
        }
    }
    let scene = scene.map(|source| crate::workbench::options::OpenScene {
        title: source.title,
        path: source.path,
        text: source.text,
    });
    let options = Options {
        scene,
        frames: arguments.frames,
        shot: arguments.shot.clone(),
        playing: [(arguments.play, true), (arguments.paused, false)]
            .into_iter()
            .find_map(|(said, playing)| said.then_some(playing)),
        link,
        link_base: base(arguments),
        embed: arguments.embed,
        recording,
        watch: None,
        beside,
    };
    open_window(options)
}

/// Opens a window that follows a recording while it is being written.
fn watch(arguments: &WatchArguments) -> Result<(), Failure> {
    let WatchArguments { recording, frames, shot } = arguments;
    shot.iter().try_for_each(|path| files::probe(path).map_err(|error| Failure::file(path, &error)))?;
    open_window(Options {
        watch: Some(recording.clone()),
        frames: *frames,
        shot: shot.clone(),
        playing: Some(true),
        ..Options::default()
    })
}

fn open_window(options: Options) -> Result<(), Failure> {
    crate::app::run(options).map_err(|error| Failure::wrong(format!("{error:#}")))
}
