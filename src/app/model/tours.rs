//! Guided tours: data files that name a scene, a scheme and what to look at, step by step. A step may ask for an action: it names the
//! control, notices when the action is done, and says what was seen.

use super::Model;
use super::shelf::is_json;
use crate::app::view_state::plot_view::Tab;
use crate::app::view_state::pointer::Hold;
use crate::files::read_text;
use crate::schemes::TABLE;
use include_dir::{Dir, include_dir};
use serde::Deserialize;
use std::path::Path;

/// Bytes of a person's own tour at most.
const MOST_BYTES: u64 = 1 << 20;

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/assets/tours");

/// A tour.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tour {
    /// Its title.
    pub name: String,
    /// Its steps, in order.
    pub steps: Vec<TourStep>,
}

/// One step of a tour; settings that it does not name stay unchanged.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TourStep {
    /// What to look at.
    pub text: String,
    /// The scene to open afresh: the catalogue key of a shipped one, or the name of a file in a person's own folder of scenes.
    #[serde(default)]
    pub scene: Option<String>,
    /// The scheme with its parameters as the command line names them: `baumgarte_velocity,alpha=50`.
    #[serde(default)]
    pub stabilizer: Option<String>,
    /// Length of a step, s.
    #[serde(default)]
    pub time_step: Option<f64>,
    /// Simulated seconds per real second; 1 if it is not named.
    #[serde(default)]
    pub speed: Option<f64>,
    /// Whether time stands still.
    #[serde(default)]
    pub paused: bool,
    /// What the step asks a person to do.
    #[serde(default)]
    pub ask: Option<Ask>,
}

/// An action that a step asks for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// The request, a sentence.
    pub text: String,
    /// The control that it is done with, which glows: `stage`, `plot`, `play`, `restart`, `time step`, `map`, `errors`, `energy`,
    /// `solve`, `compare`, or with a key behind it `scheme none`, `beside rattle`, `parameter alpha`.
    pub control: String,
    /// By what it is known to be done.
    pub until: Until,
    /// What has then been seen, a sentence or two.
    pub seen: String,
}

/// When an action counts as done.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Until {
    /// The edited run is under the scheme of that key.
    Scheme(String),
    /// A run under the scheme of that key goes on beside the main one.
    Beside(String),
    /// A parameter of the edited run's scheme lies within limits.
    Parameter {
        /// Its key.
        key: String,
        /// The limits, in its unit.
        #[serde(flatten)]
        limits: Limits,
    },
    /// The edited run's time step lies within limits, s.
    TimeStep(Limits),
    /// The largest error of the main run's joints and contacts lies within limits, in its unit.
    Error(Limits),
    /// A body is held by the mouse.
    Pulled,
    /// Time passes.
    Playing,
    /// The plots show this tab.
    Tab(Tab),
    /// The main run has gone on for so long since the step was set up, s.
    Elapsed(f64),
}

/// A range, open where a limit is not given.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// The lower limit.
    pub at_least: Option<f64>,
    /// The upper limit.
    pub at_most: Option<f64>,
}

impl Limits {
    fn hold(self, x: f64) -> bool {
        self.at_least.is_none_or(|limit| x >= limit) && self.at_most.is_none_or(|limit| x <= limit)
    }
}

impl Model {
    /// The step of a tour that is being taken.
    pub fn tour_step(&self) -> Option<&TourStep> {
        let progress = self.progress?;
        self.tours.get(progress.tour)?.steps.get(progress.step)
    }

    /// What the present step of a tour asks for, while it is not done.
    pub fn asked(&self) -> Option<&Ask> {
        let open = self.progress.is_some_and(|progress| !progress.done);
        self.tour_step().filter(|_| open)?.ask.as_ref()
    }

    /// Notices when what a tour asks for has been done.
    pub(in crate::app) fn watch_tour(&mut self) {
        let done = self.asked().is_some_and(|ask| self.has_done(&ask.until));
        if let Some(progress) = self.progress.as_mut().filter(|_| done) {
            progress.done = true;
        }
    }

    fn has_done(&self, until: &Until) -> bool {
        let edited = self.edited();
        match until {
            Until::Scheme(key) => edited.method().stabilizer.info().key == key,
            Until::Beside(key) => {
                let under = |place: usize| TABLE.get(place).is_some_and(|scheme| scheme.info().key == key);
                self.comparison().forks().iter().any(|fork| under(fork.run().scheme_index()))
            }
            Until::Parameter { key, limits } => {
                let mut values = edited.method().stabilizer.values.iter();
                values.any(|(parameter, value)| parameter.key == key && limits.hold(value))
            }
            Until::TimeStep(limits) => limits.hold(edited.time_step()),
            Until::Error(limits) => {
                let report = self.run().report();
                limits.hold(report.joint_error.max(report.contact_error))
            }
            Until::Pulled => matches!(self.hold, Hold::Body { .. }),
            Until::Playing => self.player.playing,
            Until::Tab(tab) => self.plot.tab == *tab,
            Until::Elapsed(time) => {
                let begun = self.progress.map_or(0.0, |progress| progress.begun);
                self.run().world().time() - begun >= *time
            }
        }
    }
}

impl Model {
    /// Takes the tours of a folder, by name, beside the shipped ones; says which of its files is none.
    pub fn add_tours(&mut self, folder: &Path) {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths: Vec<_> = entries.map(|entry| entry.path()).filter(|path| is_json(path)).collect();
        paths.sort();
        for path in paths {
            let read = read_text(&path, MOST_BYTES).map_err(|error| error.to_string());
            match read.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string())) {
                Ok(tour) => self.tours.push(tour),
                Err(why) => self.say(format!("{} is not a tour: {why}", path.display())),
            }
        }
    }
}

/// The shipped tours, in the order of their file names.
///
/// # Errors
/// The first file that is not a tour, with the reason.
pub fn shipped() -> Result<Vec<Tour>, String> {
    let mut files: Vec<_> = FILES.files().collect();
    files.sort_by_key(|file| file.path());
    files
        .into_iter()
        .map(|file| {
            serde_json::from_slice(file.contents())
                .map_err(|error| format!("{}: {error}", file.path().display()))
        })
        .collect()
}
