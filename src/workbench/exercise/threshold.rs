//! The value of a parameter at which a run begins to miss something: found by halving, with runs of its own.

use super::Criterion;
use super::judged_run::JudgedRun;
use crate::workbench::link::Opened;

/// Relative width at which halving ends.
const WIDTH: f64 = 1e-3;
/// The key of the time step.
const TIME_STEP: &str = "h";

/// The value that a run has of the parameter.
pub(super) fn parameter_of(opened: &Opened, of: &str) -> Result<f64, String> {
    let (method, h) = &opened.main;
    if of == TIME_STEP {
        return Ok(*h);
    }
    let value = method.stabilizer.values.iter().find(|(parameter, _)| parameter.key == of);
    value.map(|(_, value)| value).ok_or_else(|| format!("the scheme has no '{of}'"))
}

/// The same run with another value of the parameter.
fn with(opened: &Opened, of: &str, value: f64) -> Result<Opened, String> {
    let mut other = opened.clone();
    let (method, h) = &mut other.main;
    if of == TIME_STEP {
        *h = value;
        method.stabilizer.follow_step(value);
    } else {
        method.stabilizer.values.set(of, value).map_err(|error| error.to_string())?;
    }
    Ok(other)
}

/// Where between two values the run of `duration` s goes over from holding to missing, or back.
pub(super) fn threshold(
    opened: &Opened,
    duration: f64,
    of: &str,
    [mut low, mut high]: [f64; 2],
    holds: Option<&Criterion>,
) -> Result<f64, String> {
    let at =
        |value: f64| Ok::<_, String>(JudgedRun::new(&with(opened, of, value)?, duration)?.holds(holds));
    let below = at(low)?;
    if at(high)? == below {
        return Err(format!("nothing changes between {low} and {high}"));
    }
    while high / low > 1.0 + WIDTH {
        // A root of the platform may round otherwise.
        let middle = 0.5 * (low + high);
        if at(middle)? == below { low = middle } else { high = middle }
    }
    Ok(0.5 * (low + high))
}
