//! The interface between the window and the engine that makes its steps.
//!
//! The window passes a run and the number of steps that are due, continues to draw its present state, and takes the answer when
//! it is ready. On a desktop the steps are made in a thread of their own ([`Threaded`]), so that a long step does not block the
//! window; without threads, and if frames are counted, they are made within the frame ([`WithinFrame`]).

mod notifier;
mod phases;
mod priority;
mod processor_time;
mod threaded;
mod within_frame;

pub use notifier::Notifier;
pub use phases::PHASES;
use priority::give_way;
use processor_time::Measured;
pub use threaded::Threaded;
pub use within_frame::WithinFrame;

use crate::experiment::Run;
use crate::platform::HAS_THREADS;
use crate::platform::clock::Instant;
use crate::report::{StepError, StepReport};
use crate::workbench::watched::{Watchable, Watched};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

/// Real time for which steps are made before the state is shown: the part of 1/60 s that drawing leaves.
pub const STEPPING_BUDGET: Duration = Duration::from_millis(12);

/// Makes one step of a run.
pub type Stepper = Arc<dyn Fn(&mut Run) -> Result<StepReport, StepError> + Send + Sync>;

/// A run to be stepped.
pub struct Job {
    /// The run.
    pub run: Run,
    /// How many steps are due.
    pub steps: u64,
    /// The body whose figures are recorded, by its index.
    pub watched: Option<Watchable>,
    /// Whether the parts of the steps are measured, too.
    pub by_phase: bool,
}

/// The result of a job.
pub struct Answer {
    /// The run after the steps; none if a panic has left it undefined.
    pub run: Option<Run>,
    /// The figures of the steps that were made, fewer than were due if the time did not suffice.
    pub reports: Vec<StepReport>,
    /// The readings of what is watched after each of them, if something is.
    pub watched: Vec<Watched>,
    /// Why the next step failed, if it did.
    pub failure: Option<StepFailure>,
    /// Processor time that the steps took, s.
    pub seconds: f64,
    /// Real time that their parts took, in the order of [`PHASES`], s; if that was asked for.
    pub phases: Option<[f64; PHASES.len()]>,
}

/// Why a step was not made.
#[derive(Clone, Debug, PartialEq)]
pub enum StepFailure {
    /// The step failed.
    Failed(StepError),
    /// The engine panicked, or its thread has ended; with the panic's message.
    Broken(String),
}

/// Makes the steps of one run, one job at a time.
pub trait Engine {
    /// Begins a job. The answer of the previous job must have been taken, or that job abandoned.
    fn begin(&mut self, job: Job);

    /// The answer of the job, once; none while the job is running, or without a job.
    fn answer(&mut self) -> Option<Answer>;

    /// Abandons the running job; its answer is discarded.
    fn abandon(&mut self);
}

/// Where steps are made, and by what.
#[derive(Clone)]
pub struct Stepping {
    place: Host,
    stepper: Stepper,
    notifier: Notifier,
    /// The budget of a map within the frame, if it is not that of the steps.
    map_budget: Option<Duration>,
}

#[derive(Clone, Copy)]
enum Host {
    Thread,
    Frame(Option<Duration>),
}

impl Stepping {
    /// The default for this platform: a thread, if there are threads.
    pub fn suited() -> Self {
        if HAS_THREADS { Self::threaded() } else { Self::within_frame(Some(STEPPING_BUDGET)) }
    }

    /// In a thread of its own.
    pub fn threaded() -> Self {
        Self::at(Host::Thread)
    }

    /// Within the frame, for as long as `budget` lasts and at least one step; without a budget all steps that are due.
    pub fn within_frame(budget: Option<Duration>) -> Self {
        Self::at(Host::Frame(budget))
    }

    fn at(place: Host) -> Self {
        Self { place, stepper: Arc::new(Run::advance), notifier: Notifier::default(), map_budget: None }
    }

    /// In the same place, with the stability map computed for as long as `budget` lasts in each frame, and at least one
    /// of its rows.
    pub fn with_map_budget(self, budget: Duration) -> Self {
        Self { map_budget: Some(budget), ..self }
    }

    /// The budget of a stability map within the frame, if that is where steps are made.
    pub fn map_within(&self) -> Option<Option<Duration>> {
        match self.place {
            Host::Thread => None,
            Host::Frame(budget) => Some(self.map_budget.or(budget)),
        }
    }

    /// In the same place, with another stepper.
    pub fn by(self, stepper: Stepper) -> Self {
        Self { stepper, ..self }
    }

    /// By what threads tell that they have finished something.
    pub fn notifier(&self) -> &Notifier {
        &self.notifier
    }

    /// An engine for one run.
    pub fn engine(&self) -> Box<dyn Engine> {
        let stepper = Arc::clone(&self.stepper);
        match self.place {
            Host::Thread => Box::new(Threaded::new(stepper, self.notifier.clone())),
            Host::Frame(budget) => Box::new(WithinFrame::new(stepper, budget)),
        }
    }
}

/// Makes the steps of a job, at least one, until `budget` is spent or one fails.
fn work(mut job: Job, stepper: &Stepper, budget: Option<Duration>) -> Answer {
    let (start, measured) = (Instant::now(), Measured::begin());
    job.run.observe(job.by_phase.then_some(phases::enter));
    phases::begin();
    let (mut reports, mut watched) = (Vec::new(), Vec::new());
    let mut failure = None;
    let steps = AssertUnwindSafe(|| {
        for made in 0..job.steps {
            if made > 0 && budget.is_some_and(|budget| start.elapsed() > budget) {
                break;
            }
            match stepper(&mut job.run) {
                Ok(report) => {
                    reports.push(report);
                    watched.extend(job.watched.map(|subject| Watched::after(&job.run, subject)));
                }
                Err(error) => {
                    failure = Some(StepFailure::Failed(error));
                    break;
                }
            }
        }
    });
    let ended = catch_unwind(steps);
    let seconds = measured.seconds();
    let phases = Some(phases::end()).filter(|_| job.by_phase);
    match ended {
        Ok(()) => Answer { run: Some(job.run), reports, watched, failure, seconds, phases },
        Err(payload) => Answer { seconds, ..broken(panic_text(payload.as_ref())) },
    }
}

/// The answer of an engine that has lost its run.
fn broken(text: String) -> Answer {
    let failure = Some(StepFailure::Broken(text));
    Answer { run: None, reports: Vec::new(), watched: Vec::new(), failure, seconds: 0.0, phases: None }
}

/// The message of a panic, in one line.
pub fn panic_text(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no reason given").split_whitespace().collect::<Vec<_>>().join(" ")
}
