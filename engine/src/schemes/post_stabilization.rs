//! Post-stabilization: an ordinary step, then a correction of the positions; at the acceleration level of the velocities, too.
//!
//! ```text
//! J v⁺ + c = 0 ,  q* = q + h v⁺                                      [Cline & Pai 2003, eq. 7]
//! M dp = Jᵀλ ,  g(q*) + J dp = 0 ,  q⁺ = q* + dp                      [Cline & Pai 2003, eqs. 10–14]
//!
//! at the acceleration level, q* and v* by g̈ = 0 and the integrator, and beside the correction
//! M dv = Jᵀλ ,  J(q⁺) (v* + dv) + c = 0 ,  v⁺ = v* + dv                [Ascher & Petzold 1998, ch. 10]
//! ```
//!
//! J and g are evaluated at q*; λ in kg m. The mass metric moves the least kinetic-energy-weighted distance; the identity metric
//! is the plain pseudo-inverse (12–13). Where J M⁻¹Jᵀ is singular, the consistent (or least-squares) solution is taken in place
//! of the paper's truncated SVD. Several corrections with a bound on |dp| are those of their section VI-C. At the velocity level
//! the velocity is never corrected: the smallest error of all first-order schemes comes with the largest phase error. At the
//! acceleration level nothing else would hold J v + c = 0: its error grows, and because it feeds back through k = J̇ v, the
//! motion grows with it, although the positions are right. So the velocities are projected after every step, where bodies touch
//! onto J v ≥ 0. Where bodies touch, a correction that would raise Σ g²/Aᵢᵢ is damped instead, (A + A_d/κ) λ = −g with A_d the
//! diagonal of A [Levenberg 1944]: if joints and contacts contradict each other, their errors are minimised in the least-squares
//! sense. A contact that a correction has lifted off the ground by more than the contact tolerance is moved back to it
//! (`stages/corrections.rs`): the next step would not find it. In the plane q̇ = v, so G = J and dp needs no conversion [their
//! footnote 2].

use crate::method::linearisation::Operation;
use crate::method::{Method, Scheme, SchemeInfo};
use crate::parameter::{Parameter, ParameterKind, Values, choice, integer, linear};
use crate::report::StepError;
use crate::rules::Level;
use crate::stages::acceleration::{Oscillator, integrate};
use crate::stages::constraints::GapTerm;
use crate::stages::corrections::{correct_up_to, correct_velocities};
use crate::stages::motion::Metric;
use crate::stages::step_in_progress::Step;

/// In the order of the words of `metric`.
const METRICS: [Metric; 2] = [Metric::Mass, Metric::Identity];

const MAX_ITERATIONS: Parameter = integer("max_iterations", "corrections", "k", [1.0, 50.0], 1.0)
    .meaning("Corrections per step, each with J and g evaluated anew. The largest error is of order 4 in h after one, 8 after two.");

const MAX_CORRECTION: Parameter = Parameter {
    kind: ParameterKind::Bound,
    meaning: "Largest translation and rotation of a body in one correction. The scene's size and half a turn \
              bound them in any case; the default adds nothing to that.",
    ..linear("max_correction", "largest move", "|dp|", "m or rad", [1e-9, 1e6], 1e6)
};

const METRIC: Parameter = choice("metric", "metric", "W⁻¹", &["mass", "identity"])
    .meaning("What measures the length of the correction: mass (least kinetic energy, eq. 14) or identity (plain pseudo-inverse, eq. 12).");

/// The number of corrections, the largest move in each, in m or rad, and the metric.
fn parameters(values: &Values) -> (usize, f64, Metric) {
    let bound = values.of(&MAX_CORRECTION);
    let bound = if MAX_CORRECTION.is_unbounded(bound) { f64::INFINITY } else { bound };
    (values.of(&MAX_ITERATIONS) as usize, bound, METRICS[values.of(&METRIC) as usize])
}

const INFO: SchemeInfo = SchemeInfo {
    key: "post_stabilization",
    name: "Post-stabilization",
    short: "Post-stabilization",
    equation: "M dp = Jᵀλ ,  g + J dp = 0",
    summary: "Steps as if nothing were wrong, then moves the bodies back onto the joints; at the acceleration level it projects \
              their velocities, too.",
    source: "Cline & Pai 2003, eqs. 10–15; after Ascher & Chin",
    levels: &[Level::Velocity, Level::Acceleration],
    parameters: &[MAX_ITERATIONS, MAX_CORRECTION, METRIC],
    ..SchemeInfo::COMMON
};

pub(crate) static SCHEME: Scheme =
    Scheme { holds_velocities: |_| true, operations, ..Scheme::new(INFO, advance) };

fn advance(step: &mut Step<'_>) -> Result<(), StepError> {
    match step.context.level {
        Level::Velocity => {
            step.advance_unbiased(GapTerm::Corrected)?; // J v⁺ + c = 0, q* = q + h v⁺
            correct(step) // M dp = Jᵀλ, g(q*) + J dp = 0, q⁺ = q* + dp
        }
        Level::Acceleration => {
            integrate(step, Oscillator::default())?; // g̈ = 0
            correct(step)?; // q⁺ = q* + dp
            let energy = step.stages.motion.energy(step.context.world);
            correct_velocities(step, step.context.h, energy) // J(q⁺) (v* + dv) + c = 0, v⁺ = v* + dv
        }
    }
}

fn operations(method: &Method, _: f64) -> Vec<Operation> {
    let (count, bound, metric) = parameters(&method.stabilizer.values);
    let corrections = Operation::PositionCorrections { metric, bound, count };
    match method.level {
        Level::Velocity => {
            let dynamics = Operation::Impulses { rate: 0.0, gap: GapTerm::Corrected, turning: false };
            vec![dynamics, corrections]
        }
        Level::Acceleration => {
            vec![Operation::Forces(Oscillator::default()), corrections, Operation::VelocityProjection]
        }
    }
}

/// M dp = Jᵀλ, g(q*) + J dp = 0, q⁺ = q* + dp. Where nothing touches, k corrections are made.
fn correct(step: &mut Step<'_>) -> Result<(), StepError> {
    let (iterations, bound, metric) = parameters(step.values());
    correct_up_to(step, iterations, (metric, bound), false)
}
