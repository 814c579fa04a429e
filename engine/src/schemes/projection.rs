//! Projection: an ordinary step, then Newton's method to the manifold, in position and in velocity.
//!
//! ```text
//! J v* + c = 0 ,  q* = q + h v*
//! q⁺: min ½ (q⁺ − q*)ᵀ M (q⁺ − q*)  subject to  g(q⁺) = 0            [after Hairer, Lubich & Wanner, IV.4]
//! v⁺: min ½ (v⁺ − v*)ᵀ M (v⁺ − v*)  subject to  J(q⁺) v⁺ + c = 0
//! ```
//!
//! The position minimum is approached by Gauss–Newton steps in the mass metric, J and g anew each time, until rounding stops them
//! (below 1e-12 of the scene's extent). A correction that does not reduce the error is halved; a step in which that does not
//! suffice is made in two halves, and so on. A contact that the corrections lift off the ground by more than the contact
//! tolerance is moved back to it (`stages/corrections.rs`), as φ(q⁺) ⊥ λ of the minimum demands.
//!
//! **Work of the correction.** The change of energy from (q*, v*) to (q⁺, v⁺), less that of impacts: where bodies touch at q⁺ and
//! w = J v* < 0, the second projection stops them, and the bodies lose ½ λ (J v⁺ + w) = ½ λ w by physics. (A rebound is left to
//! the next step, which knows its law.) The rate that the turning of a lasting contact causes in the step is such a w, too, and
//! counts as an impact; the rate from the turning of a joint is removed by the projection here, and by the dynamics of the next
//! step under `none`.

use crate::method::linearisation::Operation;
use crate::method::{Method, Origin, Scheme, SchemeInfo};
use crate::report::StepError;
use crate::stages::constraints::GapTerm;
use crate::stages::corrections::advance_projected;
use crate::stages::step_in_progress::{MAX_DEPTH, Step, in_parts};

const INFO: SchemeInfo = SchemeInfo {
    key: "projection",
    name: "Projection",
    short: "Projection",
    origin: Origin::MultibodyCodes,
    equation: "g(q⁺) = 0 ,  J(q⁺) v⁺ + c = 0",
    summary: "Newton's method to the constraint manifold after every step, in position and velocity.",
    source: "Hairer, Lubich & Wanner 2006, IV.4; Ascher & Petzold 1998, ch. 10",
    ..SchemeInfo::COMMON
};

pub(crate) static SCHEME: Scheme = Scheme { operations, ..Scheme::new(INFO, advance) };

fn advance(step: &mut Step<'_>) -> Result<(), StepError> {
    in_parts(step, MAX_DEPTH, advance_projected) // J v* + c = 0, q* = q + h v*, g(q⁺) = 0, J(q⁺) v⁺ + c = 0
}

fn operations(_: &Method, _: f64) -> Vec<Operation> {
    let dynamics = Operation::Impulses { rate: 0.0, gap: GapTerm::Corrected, turning: false };
    vec![dynamics, Operation::PositionProjection, Operation::VelocityProjection]
}
