//! What `run --uniqueness` says about other solutions.

use crate::experiment::Summary;
use crate::numbers::four_digits;

/// The lines of `--uniqueness`: which other solutions the steps have.
pub(super) fn other_solutions(summary: &Summary) -> Vec<(&'static str, String)> {
    let Some(found) = &summary.uniqueness else {
        return vec![("uniqueness", "not examined: no step used a solver".to_owned())];
    };
    let impulses = match (found.impulse_steps, found.directions) {
        (0, _) => format!("0 of {} steps", found.steps),
        (steps, 1) => format!("{steps} of {} steps, 1 direction", found.steps),
        (steps, directions) => format!("{steps} of {} steps, up to {directions} directions", found.steps),
    };
    let exchange = match found.exchange {
        0.0 => String::new(),
        share if share.is_finite() => format!(", by {} of the largest or more", four_digits(share)),
        _ => ", without bounds".to_owned(),
    };
    let velocities = match found.first_at {
        None => format!("none found in {} steps with friction", found.searched_steps),
        Some(at) => {
            let (steps, at, apart) = (found.velocity_steps, four_digits(at), four_digits(found.apart));
            format!("{steps} steps, first at {at} s, up to {apart} m/s apart")
        }
    };
    let mut rows = vec![("impulses not unique", impulses + &exchange), ("velocity not unique", velocities)];
    if found.unsearched_steps > 0 {
        rows.push(("  too large to search", format!("friction of {} steps", found.unsearched_steps)));
    }
    if found.unexamined_steps > 0 {
        rows.push(("  lower bounds only", format!("{} steps", found.unexamined_steps)));
    }
    rows
}
