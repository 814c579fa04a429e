//! Guided tours: data files that name a scene, a scheme and what to look at, step by step. A step may ask for an
//! action: it names the control, notices when the action is done, and says what was seen.

pub use crate::workbench::exercise::Limits;

use crate::files::read_text;
use crate::workbench::exercise::Exercise;
use crate::workbench::library::shelf::is_json;
use crate::workbench::view_state::plot_view::Tab;
use include_dir::{Dir, File, include_dir};
use serde::Deserialize;
use std::io;
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
    /// The exercises with which it ends.
    #[serde(default)]
    pub exercises: Vec<Exercise>,
}

impl Tour {
    /// Steps and exercises together: a place in a tour is a step, or behind the last one an exercise.
    pub fn places(&self) -> usize {
        self.steps.len() + self.exercises.len()
    }

    /// The exercise at a place.
    pub fn exercise_at(&self, place: usize) -> Option<&Exercise> {
        self.exercises.get(place.checked_sub(self.steps.len())?)
    }

    /// What is set up at a place.
    pub fn card_at(&self, place: usize) -> Option<Card> {
        let of_exercise = |own: &Exercise| Card {
            scene: Some(own.scene.clone()),
            stabilizer: Some(own.stabilizer.clone()),
            solver: own.solver.clone(),
            time_step: Some(own.time_step),
            speed: None,
            paused: true,
        };
        let of_step = |own: &TourStep| Card {
            scene: own.scene.clone(),
            stabilizer: own.stabilizer.clone(),
            solver: None,
            time_step: own.time_step,
            speed: own.speed,
            paused: own.paused,
        };
        self.exercise_at(place).map(of_exercise).or_else(|| self.steps.get(place).map(of_step))
    }

    /// Whether another scene is opened at a place.
    pub fn opens_scene_at(&self, place: usize) -> bool {
        self.exercise_at(place).is_some() || self.steps.get(place).is_some_and(|step| step.scene.is_some())
    }
}

/// What is set up at a place of a tour; settings that it does not name stay unchanged.
#[derive(Clone, Debug)]
pub struct Card {
    /// The scene to open afresh.
    pub scene: Option<String>,
    /// The scheme with its parameters.
    pub stabilizer: Option<String>,
    /// The solver with its parameters.
    pub solver: Option<String>,
    /// Length of a step, s.
    pub time_step: Option<f64>,
    /// Simulated seconds per real second.
    pub speed: Option<f64>,
    /// Whether time stands still.
    pub paused: bool,
}

/// The exercise of that key: the index of its tour, its place in that, and itself.
pub fn exercise<'a>(tours: &'a [Tour], key: &str) -> Option<(usize, usize, &'a Exercise)> {
    tours.iter().enumerate().find_map(|(index, tour)| {
        let place = tour.exercises.iter().position(|own| own.key == key)?;
        Some((index, tour.steps.len() + place, &tour.exercises[place]))
    })
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
    /// What a person predicts before doing what the step asks for.
    #[serde(default)]
    pub predict: Option<Prediction>,
    /// What the step asks a person to do.
    #[serde(default)]
    pub ask: Option<Ask>,
    /// What a lecturer says at this step, and what is then observed: for the course as a page.
    #[serde(default)]
    pub notes: Option<String>,
    /// Its picture in the course as a page.
    #[serde(default)]
    pub picture: Option<Shot>,
}

/// A picture of a step: its stage, and its plot, after some time.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shot {
    /// What is seen, a sentence or two.
    pub caption: String,
    /// Simulation time, s.
    pub time: f64,
    /// The schemes of runs beside the main one, as the command line names them.
    #[serde(default)]
    pub beside: Vec<String>,
    /// Whether each run is shown in a pane of its own.
    #[serde(default)]
    pub panes: bool,
    /// What the plot beside the stage shows, of energies their sum; none: there is the stage alone.
    #[serde(default)]
    pub plot: Option<Tab>,
    /// Whether the outlines of the past are shown.
    #[serde(default)]
    pub outlines: bool,
    /// Factor by which gaps are drawn larger.
    #[serde(default)]
    pub magnification: Option<f64>,
    /// The middle of the view, and its width in a pane, m; without them the view fits the bodies' ways.
    #[serde(default)]
    pub view: Option<[f64; 3]>,
}

/// A question about what will be seen once a person has done what the step asks for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prediction {
    /// The question, a sentence.
    pub question: String,
    /// The answers among which a person chooses.
    pub answers: Vec<String>,
    /// Index of the right one.
    pub right: usize,
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
    /// The main run, begun anew under a time step within limits, s, has gone on under it for so long, s.
    FromStart {
        /// The limits of its time step.
        time_step: Limits,
        /// For how long.
        elapsed: f64,
    },
}

/// The shipped tours, in the order of the numbers with which their file names begin.
///
/// # Errors
/// The first file that is not a tour, with the reason.
pub fn shipped() -> Result<Vec<Tour>, String> {
    let mut files: Vec<_> = FILES.files().collect();
    let number = |file: &File<'_>| {
        let name = file.path().to_string_lossy();
        name.split('-').next().and_then(|number| number.parse::<u32>().ok())
    };
    files.sort_by_key(|file| (number(file), file.path()));
    files
        .into_iter()
        .map(|file| {
            let text = String::from_utf8_lossy(file.contents());
            read(&text).map_err(|error| format!("{}: {error}", file.path().display()))
        })
        .collect()
}

/// Adds the tours of a folder, by the names of their files. Returns of each file that is none, or has an exercise by a key that
/// another tour has, why.
///
/// # Errors
/// The folder cannot be read.
pub fn add_folder(tours: &mut Vec<Tour>, folder: &Path) -> io::Result<Vec<String>> {
    let entries = folder.read_dir()?.collect::<io::Result<Vec<_>>>()?;
    let mut paths: Vec<_> = entries.iter().map(|entry| entry.path()).filter(|path| is_json(path)).collect();
    paths.sort();
    let mut problems = Vec::new();
    for path in paths {
        let text = read_text(&path, MOST_BYTES).map_err(|error| error.to_string());
        let fresh =
            |tour: Tour| match tour.exercises.iter().position(|own| exercise(tours, &own.key).is_some()) {
                Some(index) => {
                    let key = &tour.exercises[index].key;
                    Err(format!("exercises[{index}].key: another tour has an exercise '{key}'"))
                }
                None => Ok(tour),
            };
        match text.and_then(|text| read(&text)).and_then(fresh) {
            Ok(tour) => tours.push(tour),
            Err(why) => problems.push(format!("{} is not a tour: {why}", path.display())),
        }
    }
    Ok(problems)
}

/// The tour of a file's text.
///
/// # Errors
/// Why it is none, with its place in the text.
pub fn read(text: &str) -> Result<Tour, String> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let tour: Tour = serde_path_to_error::deserialize(&mut reader).map_err(|error| error.to_string())?;
    reader.end().map_err(|error| error.to_string())?;
    for (index, step) in tour.steps.iter().enumerate() {
        let Some(Prediction { answers, right, .. }) = &step.predict else { continue };
        if step.ask.is_none() {
            return Err(format!("steps[{index}].predict: no `ask` shows what is right"));
        }
        if *right >= answers.len() {
            let most = answers.len().saturating_sub(1);
            return Err(format!(
                "steps[{index}].predict.right: {right} (expected the index of an answer, 0 to {most})"
            ));
        }
    }
    for (index, exercise) in tour.exercises.iter().enumerate() {
        exercise.check().map_err(|why| format!("exercises[{index}].{why}"))?;
        if tour.exercises[..index].iter().any(|own| own.key == exercise.key) {
            return Err(format!("exercises[{index}].key: another exercise has '{}'", exercise.key));
        }
    }
    Ok(tour)
}
