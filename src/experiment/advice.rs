//! What a person may try after a step that failed: the same in a terminal and in the window.

use crate::lcp::MixedError;
use crate::report::StepError;
use crate::stabilizer::{Level, Method};

/// What to try after such a failure of a step by `method`, none of it what the method has already; nothing where there is nothing to say.
pub fn remedy(error: &StepError, method: &Method) -> Option<&'static str> {
    let StepError::Contact(error, _) = error else { return None };
    let asked = method.solver.info().key;
    let has_velocity_level = method.stabilizer.info().levels.contains(&Level::Velocity);
    Some(match (error, asked) {
        // No time step makes a contact an equation.
        (MixedError::NotApplicable { .. }, "ldlt") => "the solver 'auto'",
        (MixedError::NotApplicable { .. }, solver) if solver != "auto" => {
            "the solver 'auto', or another scheme"
        }
        (MixedError::NotConverged { .. }, solver) if solver != "auto" => {
            "the solver 'auto', a smaller time step, or another scheme"
        }
        (MixedError::NotFinite, _) => "a smaller time step, or another scheme",
        (MixedError::Ray { .. }, solver) if solver != "auto" && method.level == Level::Velocity => {
            "the solver 'auto', which goes on with the least violation, a smaller time step, or another scheme"
        }
        _ if method.level == Level::Acceleration && has_velocity_level => {
            "a smaller time step, the velocity level, or another scheme"
        }
        _ if method.level == Level::Acceleration => {
            "a smaller time step, or a scheme at the velocity level, such as anitescu_hart"
        }
        (_, "interior") => "a smaller time step, or another scheme",
        _ => {
            "a smaller time step, another scheme, or the solver 'interior', which returns the least violation"
        }
    })
}

/// The same as the end of a message; empty where there is nothing to say.
pub fn advice(error: &StepError, method: &Method) -> String {
    remedy(error, method).map_or_else(String::new, |remedy| format!("; try {remedy}"))
}
