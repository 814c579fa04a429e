//! What a correction of positions has pushed out of an overlap ends where it touches.
//!
//! ```text
//! 0 ≤ φ(q⁺) ⊥ Σλ ≥ 0 :    g + J dp = 0 ,   0 ≤ φ + J dp ⊥ λ + Λ ≥ 0 ,   Λ what the contact has pushed so far, kg m
//! ```
//!
//! A linearised correction leads along the tangent. The corner of a body that turns on the way leaves it, and ends above the ground that it
//! was pushed out of: φ > 0 with Λ > 0. Beyond the contact tolerance the next step does not see such a contact: nothing stops the body,
//! which falls into the ground again, is pushed out again, and gains the weight's work in every step. So it is taken back to where it
//! touches, at most as far as it has been pushed, and the next step's impact is the law's.
//!
//! Contacts that end within the tolerance, which is nearly all of them, are left where they are.

use super::corrections::Pull;
use super::fast::overtake;
use super::motion::Metric;
use super::workspace::Step;
use crate::math::largest;

/// Most corrections that take a step's contacts back.
const MOST: usize = 8;

/// Takes back what the corrections of this step have pushed too far, and returns whether there was any such contact. Where that would
/// leave errors larger than the contact tolerance and those before it, or is not solved, everything stays where it was.
pub(super) fn close(step: &mut Step<'_>, metric: Metric) -> bool {
    let tolerance = step.span.method.contact.contact_tolerance_in(step.span.world);
    let Step { span, motion, constraints, solve, .. } = &mut *step;
    // Constraints that contradict each other leave nothing to complement.
    if solve.figures.infeasible > 0 || solve.pushed.apart(span, motion, tolerance).next().is_none() {
        return false;
    }
    let before = constraints.position_error(motion);
    motion.mark();
    for _ in 0..MOST {
        overtake(constraints.contacts_mut(), solve.pushed.apart(span, motion, tolerance));
        constraints.evaluate_same_contacts(span.world, motion);
        let size = constraints.size(span.world, motion);
        let Ok(dp) = solve.position_correction(span, constraints, motion, metric, Pull::Back) else {
            motion.return_to_mark();
            constraints.evaluate_positions(span, motion);
            return false;
        };
        let far = largest(dp.iter().map(|dp| dp.truncate().length()));
        motion.shift(dp, if far > size { size / far } else { 1.0 });
        constraints.evaluate_positions(span, motion);
        let closed = solve.pushed.apart(span, motion, tolerance).next().is_none();
        // Going back, others may come to overlap; that converges as fast as the correction did.
        if closed && constraints.position_error(motion) <= before.max(constraints.tolerance(motion)) {
            break;
        }
    }
    let worse = constraints.position_error(motion) > before.max(tolerance);
    if worse {
        motion.return_to_mark();
        constraints.evaluate_positions(span, motion);
    }
    !worse
}
