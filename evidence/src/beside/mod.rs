//! Other engines and ours on the scenes that engines are asked about, each run judged by one yardstick.
//!
//! Every run becomes a recording, and the figures are those of the judge (`driftlab::experiment::judge`), from the numbers of
//! the recording alone. Box2D and Rapier make their steps here, in the same process; what MuJoCo did, of which
//! `beside/recorded.csv` has the same figures, was judged from recordings that `beside/record.py` makes.

mod figures;
mod hanging;
mod imitation;
mod predict;
mod scenes;
mod setup;
mod table;
mod worlds;

pub use figures::{BesideError, Figures};
pub use imitation::{IMITATED, Imitation, all_imitations, imitation, imitations};
pub use predict::{Prediction, predictions, section};
pub use scenes::SCENES;
pub use table::markdown;

use crate::document::method;
use driftlab::experiment::judge::Judge;
use driftlab::experiment::recording::{Recording, RecordingProblem, RunRecorder, Source};
use driftlab::experiment::{Run, choice, reason, steps_for};
use driftlab::method::{Effort, Method};
use driftlab::peers::{self, Peer};
use driftlab::scene::{Problem, Scene, stabilizer_from};
use driftlab::step::{Workspace, step};
use std::io::Cursor;

/// Who makes a run.
#[derive(Debug, PartialEq)]
pub struct Maker {
    /// In the table.
    pub name: &'static str,
    /// The scheme or engine with its settings, as the command line names them.
    pub scheme: &'static str,
    /// How much `auto` may make; none of those that do not use it.
    pub effort: Option<Effort>,
}

/// Those that make their steps here.
pub static MAKERS: [Maker; 6] = [
    Maker { name: "Box2D, 4 substeps", scheme: "box2d,substeps=4", effort: None },
    Maker { name: "Box2D, 16 substeps", scheme: "box2d,substeps=16", effort: None },
    Maker { name: "Rapier", scheme: "rapier", effort: None },
    Maker { name: "ours, exact", scheme: "post_stabilization", effort: Some(Effort::Exact) },
    Maker { name: "ours, projected", scheme: "projection", effort: Some(Effort::Exact) },
    Maker { name: "ours, bounded", scheme: "post_stabilization", effort: Some(Effort::Bounded) },
];

/// What became of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It was made to its end.
    Whole(Figures),
    /// It was not begun, or it ended early: the figures up to there, and why.
    Stopped(Option<Figures>, String),
}

/// A run of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Place of the scene in [`SCENES`].
    pub scene: usize,
    /// Who made it.
    pub maker: String,
    /// What became of it.
    pub outcome: Outcome,
    /// The mean time of its steps, µs; none if it was not made here.
    pub step_us: Option<f64>,
}

/// Makes a run of the scene at a place of [`SCENES`], and judges it; `now` tells the time, s.
///
/// # Errors
/// A scene or a scheme that cannot be read.
pub fn run(place: usize, maker: &Maker, now: &dyn Fn() -> f64) -> Result<Row, BesideError> {
    let (name, _) = SCENES[place];
    let scene = scenes::scene(name).map_err(|problems| BesideError::of(name, problems))?;
    let mut method = method_of(&scene, maker.scheme)?;
    method.effort = maker.effort.unwrap_or_default();
    let outcome = outcome(name, &scene, &method)?;
    let step_us = match outcome {
        Outcome::Stopped(None, _) => None,
        _ => mean_us(&scene, &method, now),
    };
    Ok(Row { scene: place, maker: maker.name.to_owned(), outcome, step_us })
}

/// A scheme or an engine as the method of a scene, with the solver that is chosen by itself.
fn method_of(scene: &Scene, scheme: &str) -> Result<Method, BesideError> {
    let stabilizer = stabilizer_from(scheme, scene.settings.time_step)
        .map_err(|text| BesideError(format!("{scheme}: {text}")))?;
    Ok(Method { solver: Default::default(), ..method(&scene.settings, &stabilizer) })
}

/// What becomes of a run.
fn outcome(name: &str, scene: &Scene, method: &Method) -> Result<Outcome, BesideError> {
    if let Err(refused) = choice::can_begin(method, scene) {
        return Ok(Outcome::Stopped(None, refused.message.replace("\n ", "")));
    }
    let mut run = Run::under(scene, method.clone(), steps_for(&scene.settings, None));
    let broken = |error: std::io::Error| BesideError(format!("{name}: {error}"));
    let mut recorder = RunRecorder::new(Vec::new(), scene, &run).map_err(broken)?;
    let mut stopped = None;
    while let Some(step) = run.next() {
        if let Err(error) = step {
            stopped = Some(reason(&error, run.world()));
            break;
        }
        recorder.add(&run).map_err(broken)?;
    }
    let source = Box::new(Cursor::new(recorder.into_inner()));
    let (figures, _) = judged(scene, source).map_err(|text| BesideError(format!("{name}: {text}")))?;
    Ok(match stopped {
        None => Outcome::Whole(figures),
        Some(why) => Outcome::Stopped(Some(figures), why),
    })
}

/// The mean time of the steps of a scene up to their end or to a failure, µs, without what a run measures and records; none
/// without a step. Another engine's step is with the exchange of poses and velocities.
fn mean_us(scene: &Scene, method: &Method, now: &dyn Fn() -> f64) -> Option<f64> {
    let (mut world, h) = (scene.world.clone(), scene.settings.time_step);
    let steps = steps_for(&scene.settings, None);
    let (mut peer, mut workspace) = (Peer::default(), Workspace::default());
    let (mut seconds, mut count) = (0.0, 0_u32);
    for _ in 0..steps {
        let begun = now();
        let made = if peers::makes(method) {
            peer.step(&mut world, method, h)
        } else {
            step(&mut world, method, h, &mut workspace).map(|_| ())
        };
        if made.is_err() {
            break;
        }
        seconds += now() - begun;
        count += 1;
    }
    (count > 0).then(|| 1e6 * seconds / f64::from(count))
}

/// Three digits.
fn significant3(value: f64) -> String {
    driftlab::numbers::significant(value, 3)
}

/// What other programs did, judged from their recordings: the rows of `beside/recorded.csv`.
///
/// # Errors
/// A line that cannot be read; a test ensures that there is none.
pub fn recorded() -> Result<Vec<Row>, BesideError> {
    figures::from_csv(include_str!("../../beside/recorded.csv"))
}

/// Name, revision and settings of those that make their steps here, a sentence each.
///
/// # Errors
/// A scheme that this program does not have.
pub fn settings() -> Result<Vec<String>, BesideError> {
    let words = |maker: &Maker| {
        let stabilizer = stabilizer_from(maker.scheme, 1.0 / 60.0)
            .map_err(|text| BesideError(format!("{}: {text}", maker.scheme)))?;
        let info = stabilizer.info();
        Ok(format!("{}: {stabilizer:?} ({})", maker.name, info.source))
    };
    MAKERS.iter().map(words).collect()
}

/// A recording that can be read, or why not.
pub type Opened = Result<Box<dyn Source>, String>;

/// Judges recordings of other programs, which `open` finds by the names of their scenes: rows for `beside/recorded.csv`.
///
/// # Errors
/// A recording that cannot be read.
pub fn judge(open: &dyn Fn(&str) -> Vec<Opened>) -> Result<String, BesideError> {
    let mut rows = Vec::new();
    for (place, (name, _)) in SCENES.iter().enumerate() {
        let scene = scenes::scene(name).map_err(|problems| BesideError::of(name, problems))?;
        let wrong = |text: String| BesideError(format!("{name}: {text}"));
        for source in open(name) {
            let (figures, engine) = source.and_then(|source| judged(&scene, source)).map_err(wrong)?;
            let steps = steps_for(&scene.settings, None) as f64;
            let is_whole = figures.end > (steps - 0.5) * scene.settings.time_step;
            let outcome = if is_whole {
                Outcome::Whole(figures)
            } else {
                Outcome::Stopped(Some(figures), "it reports that the run is unstable".to_owned())
            };
            rows.push(Row { scene: place, maker: engine, outcome, step_us: None });
        }
    }
    Ok(figures::to_csv(&rows))
}

/// The figures of a recording, and the name of whose it is.
fn judged(scene: &Scene, source: Box<dyn Source>) -> Result<(Figures, String), String> {
    let wrong =
        |problems: Vec<RecordingProblem>| problems.first().map(ToString::to_string).unwrap_or_default();
    let mut recording = Recording::open(source).map_err(wrong)?;
    let judged = Judge::all(&mut recording).map_err(wrong)?;
    let last = recording.times().len().checked_sub(1).ok_or("no step")?;
    let end = recording.world(last).map_err(wrong)?;
    let engine = recording.engine();
    let version = engine.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    Ok((Figures::of(&judged, &scene.world, &end), format!("{}{version}", engine.name)))
}

impl BesideError {
    fn of(name: &str, problems: Vec<Problem>) -> Self {
        let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Self(format!("{name}: {}", texts.join("; ")))
    }
}
