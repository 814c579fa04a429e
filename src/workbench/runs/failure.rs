//! Messages about a failed step, and about a step whose figures are doubtful.

use super::remedy::Cure;
use crate::experiment::{Apart, Corrected, Gain, reason, remedy};
use crate::lcp::{ACCEPTED, MixedError};
use crate::method::{Level, Method};
use crate::model::{BodyId, World};
use crate::report::{LARGEST_PHASE, LEFT_BY_NEWTON, StepError, StepReport};
use crate::workbench::engine::StepFailure;
use crate::workbench::map::verdict;
use crate::workbench::text::format::significant;
use crate::workbench::text::prose::prose;
use std::borrow::Cow;

/// What to try after a failed step.
const HINT: &str = "Try another scheme, other parameters or a smaller time step, then resume.";
/// What to try after a step with too many contacts.
const CROWDED_HINT: &str = "Go back and move bodies apart, or undo the last change.";
/// What to do after a panic of the engine.
const BROKEN_HINT: &str = "This is a defect of the program. The last state is kept and can be saved.";

/// Why a step posed with forces has no solution where bodies touch.
const PARADOX: &str = "No contact force exists here (Painlevé's paradox).";

/// Headings of failures.
const FAILED: &str = "Step failed";
const BLOWN_UP: &str = "The run blew up";
/// What to try after a run has blown up.
const BLOWN_UP_HINT: &str = "Or change the scheme, its parameters or the time step, and resume from here.";

/// Why a step failed, and what to try.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// What happened.
    pub heading: &'static str,
    /// The reason.
    pub text: String,
    /// What to try.
    pub hint: Cow<'static, str>,
    /// Whether the step was posed with forces and its contact problem was not solved: with impulses it has a solution.
    pub by_forces: bool,
    /// What has been tried, and holds; none as long as nothing was sought.
    pub cure: Option<Cure>,
}

impl Failure {
    /// The message about a failed step from `world` by `method`.
    pub fn new(failure: &StepFailure, world: &World, method: &Method) -> Self {
        match failure {
            StepFailure::Failed(error) => {
                let hint = match (remedy(error, method), error) {
                    (Some(remedy), _) => format!("Try {remedy}, then resume.").into(),
                    (None, StepError::Crowded(_)) => CROWDED_HINT.into(),
                    (None, _) => HINT.into(),
                };
                let contact = matches!(error, StepError::Contact(..));
                let by_forces = contact && method.level == Level::Acceleration;
                let text = prose(&cause(error, world, method));
                Self { heading: FAILED, text, hint, by_forces, cure: None }
            }
            StepFailure::Broken(text) => {
                let text = format!("The engine broke down: {text}");
                Self { heading: FAILED, text, hint: BROKEN_HINT.into(), by_forces: false, cure: None }
            }
        }
    }
}

/// Why a step failed, in a sentence. That contact forces with friction need not exist while impulses do is Painlevé's paradox.
fn cause(error: &StepError, world: &World, method: &Method) -> String {
    if let StepError::Contact(
        MixedError::NoSolution { .. } | MixedError::Ray { infeasible: true, .. },
        whose,
    ) = error
        && method.level == Level::Acceleration
        && whose.as_ref().is_some_and(|unsolved| unsolved.slides)
    {
        return PARADOX.to_owned();
    }
    reason(error, world)
}

impl Failure {
    /// The message about a run that has blown up under a method; `what` has grown.
    ///
    /// `phase` is the phase h ω of the fastest motion before that, rad: a scheme that is stable for the error itself
    /// fails as well where the step does not resolve the motion.
    pub fn blown_up(method: &Method, h: f64, what: &str, phase: f64) -> Self {
        let verdict =
            verdict(method, h, None).map_or_else(String::new, |said| format!("\n{}", prose(&said.text)));
        let motion = if phase > LARGEST_PHASE {
            let phase = significant(phase, 2);
            format!("\nThe time step did not resolve the fastest motion: h ω = {phase} rad per step.")
        } else {
            String::new()
        };
        let what = prose(what);
        let text = format!("{what}. Shown is the last state in which it can be seen.{verdict}{motion}");
        Self { heading: BLOWN_UP, text, hint: BLOWN_UP_HINT.into(), by_forces: false, cure: None }
    }
}

/// What makes the figures of a step doubtful.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Doubt {
    /// Small constraint errors grow by the scheme's closed form, before anything is stepped; up to this time step they do not, s.
    Unstable(f64),
    /// Its problem has no solution; the least violation was used instead.
    Infeasible,
    /// No solution of its problem was found, and that there is none is not proved; it was met as far as possible.
    Unproved,
    /// Its problem is solved, but this share of its speed is left.
    Nearly(f64),
    /// Joints and contacts contradict each other; a position correction was damped.
    Damped,
    /// A correction left this share of its error.
    Unconverged(f64),
    /// The phase h ω of the fastest constrained motion, rad.
    Unresolved(f64),
    /// Bodies have passed through each other.
    Passed([BodyId; 2]),
    /// Joints far apart, or bodies deep in one another.
    Apart(Apart),
    /// Energy that nothing in the scene explains.
    Gained(Gain),
    /// Energy that corrections have added.
    Pushed(Corrected),
}

impl Doubt {
    /// The gravest doubt about a step of `h` seconds, if any.
    pub fn of(report: &StepReport, h: f64) -> Option<Self> {
        let phase = h * report.fastest_rate;
        let left = report.relative_residual.unwrap_or_default();
        if let Some(bodies) = report.passed {
            return Some(Self::Passed(bodies));
        }
        match report.correction_left {
            _ if report.unproved > 0 && report.infeasible == 0 && left > ACCEPTED => {
                Some(Self::Nearly(left))
            }
            _ if report.unproved > 0 => Some(Self::Unproved),
            _ if report.infeasible > 0 => Some(Self::Infeasible),
            _ if report.damped_corrections > 0 => Some(Self::Damped),
            Some(left) if left > LEFT_BY_NEWTON => Some(Self::Unconverged(left)),
            _ if phase > LARGEST_PHASE => Some(Self::Unresolved(phase)),
            _ => None,
        }
    }
}
