//! What a person may try after a step that failed: the same in a terminal and in the window.

use crate::lcp::MixedError;
use crate::method::{Level, Linearised, Method};
use crate::report::StepError;
use crate::scene::BlowUp;
use crate::schemes::TABLE;

/// What to try after such a failure of a step by `method`, none of it what the method has already; nothing where there
/// is nothing to say.
///
/// The solver `auto` is advised only where the solver that was asked for is what failed.
pub fn remedy(error: &StepError, method: &Method) -> Option<&'static str> {
    let asked = method.solver.info().key;
    let (error, slides) = match error {
        StepError::Contact(error, unsolved) => (error, unsolved.as_ref().is_some_and(|own| own.slides)),
        StepError::Infeasible { .. } if asked != "auto" => {
            return Some("the solver 'auto', which goes on with the least violation");
        }
        StepError::NotConverged { .. } if asked != "auto" => {
            return Some(
                "a smaller time step, another scheme, or the solver 'auto', which goes on with the least violation",
            );
        }
        StepError::TurnsTooFar { .. } => return Some("a smaller time step"),
        StepError::NotConverged { .. }
        | StepError::NotFinite { .. }
        | StepError::EnergyNotFinite
        | StepError::Factorization => return Some("a smaller time step, or another scheme"),
        _ => return None,
    };
    let has_velocity_level = method.stabilizer.info().levels.contains(&Level::Velocity);
    let is_level = |level: Level| method.level == level;
    Some(match error {
        // No time step makes a contact an equation.
        MixedError::NotApplicable { solver, .. } if asked == "ldlt" && *solver == asked => {
            "the solver 'auto'"
        }
        MixedError::NotApplicable { solver, .. } if asked != "auto" && *solver == asked => {
            "the solver 'auto', or another scheme"
        }
        // No time step gives forces where there are none.
        MixedError::Ray { .. } | MixedError::NoSolution { .. } if slides && has_velocity_level => {
            "the velocity level, or another scheme"
        }
        MixedError::Ray { .. } | MixedError::NoSolution { .. } if slides => {
            "a scheme at the velocity level, such as anitescu_hart"
        }
        MixedError::NotConverged { solver, .. } if asked != "auto" && *solver == asked => {
            "the solver 'auto', a smaller time step, or another scheme"
        }
        MixedError::NotFinite => "a smaller time step, or another scheme",
        MixedError::Ray { solver, .. }
            if asked != "auto" && *solver == asked && is_level(Level::Velocity) =>
        {
            "the solver 'auto', which goes on with the least violation, a smaller time step, or another scheme"
        }
        _ if is_level(Level::Acceleration) && has_velocity_level => {
            "a smaller time step, the velocity level, or another scheme"
        }
        _ if is_level(Level::Acceleration) => {
            "a smaller time step, or a scheme at the velocity level, such as anitescu_hart"
        }
        _ if asked == "interior" => "a smaller time step, or another scheme",
        _ => {
            "a smaller time step, another scheme, or the solver 'interior', which returns the least violation"
        }
    })
}

/// The remedy as a sentence behind a message; empty where there is nothing to say. A run that had blown up before fails for that
/// reason, whatever its solver.
pub fn advice(error: &StepError, method: &Method, blow_up: Option<&BlowUp>) -> String {
    match (blow_up, remedy(error, method)) {
        (Some(BlowUp { step, .. }), _) => {
            format!(". The run had blown up at step {step}: try a smaller time step, or another scheme.")
        }
        (None, Some(remedy)) => format!(". Try {remedy}."),
        (None, None) => String::new(),
    }
}

/// Place in the table of the scheme that goes on where another one has no velocity level: the first that corrects
/// errors by impulses in the one solve of its step, and that is stable at every time step.
pub fn by_impulses() -> Option<usize> {
    TABLE.iter().position(|scheme| {
        let method = Method::new((*scheme).into());
        let by_impulses = matches!((scheme.linearised)(&method, 1.0), Some(Linearised::Velocity { .. }));
        by_impulses && scheme.corrects_positions && method.largest_stable_step().is_infinite()
    })
}
