//! Post-stabilization: an ordinary step, then a correction of the positions alone.
//!
//! ```text
//! J v⁺ + c = 0 ,  q* = q + h v⁺                                      [Cline & Pai 2003, eq. 7]
//! M dp = Jᵀλ ,  g(q*) + J dp = 0 ,  q⁺ = q* + dp                      [Cline & Pai 2003, eqs. 10–14]
//! ```
//!
//! J and g are evaluated at q*; λ in kg m. The mass metric moves the least kinetic-energy-weighted distance;
//! the identity metric is the plain pseudo-inverse (12–13). Where J M⁻¹Jᵀ is singular, the consistent (or
//! least-squares) solution is taken in place of the paper's truncated SVD. Several corrections with a bound
//! on |dp| are those of their section VI-C. The velocity is never corrected: the smallest error of all
//! first-order schemes comes with the largest phase error.
//! Where bodies touch, a correction that would raise Σ g²/Aᵢᵢ is damped instead, (A + A_d/κ) λ = −g with A_d the diagonal of A
//! [Levenberg 1944]: joints and contacts that contradict each other are met in the least-squares sense.
//! In the plane q̇ = v, so G = J and dp needs no conversion [their footnote 2].

use super::manifold::Metric;
use super::{Level, Method, Scheme, SchemeInfo, Stage};
use crate::parameter::{Parameter, ParameterKind};
use crate::report::StepError;

pub(super) struct PostStabilization;

/// The words of the `metric` parameter, in the order of [`METRICS`].
const METRIC_WORDS: &[&str] = &["mass", "identity"];
const METRICS: [Metric; 2] = [Metric::Mass, Metric::Identity];

static INFO: SchemeInfo = SchemeInfo {
    key: "post_stabilization",
    name: "Post-stabilization",
    equation: "M dp = Jᵀλ ,  g + J dp = 0",
    summary: "Steps as if nothing were wrong, then moves the bodies back onto the joints.",
    source: "Cline & Pai 2003, eqs. 10–15; after Ascher & Chin",
    levels: &[Level::Velocity, Level::Acceleration],
    parameters: &[
        Parameter {
            key: "max_iterations",
            symbol: "k",
            unit: "",
            minimum: 1.0,
            maximum: 50.0,
            default: 1.0,
            kind: ParameterKind::Integer,
            meaning: "Corrections per step, each with J and g evaluated anew. The largest error is of order \
                      4 in h after one, 8 after two.",
        },
        Parameter {
            key: "max_correction",
            symbol: "|dp|",
            unit: "m, rad",
            minimum: 1e-9,
            maximum: 1e6,
            default: 1e6,
            kind: ParameterKind::Logarithmic,
            meaning: "Bound on each body's translation and rotation in one correction. The scene's size and half a turn \
                      bound them in any case; the default adds nothing to that.",
        },
        Parameter {
            key: "metric",
            symbol: "W⁻¹",
            unit: "",
            minimum: 0.0,
            maximum: 1.0,
            default: 0.0,
            kind: ParameterKind::Choice(METRIC_WORDS),
            meaning: "What measures the length of the correction: mass (least kinetic energy, eq. 14) or \
                      identity (plain pseudo-inverse, eq. 12).",
        },
    ],
    languages: &[],
    conserves_angular_momentum: false,
};

impl Scheme for PostStabilization {
    fn info(&self) -> &'static SchemeInfo {
        &INFO
    }

    fn advance(&self, method: &Method, stage: &mut Stage<'_>) -> Result<(), StepError> {
        match method.level {
            Level::Velocity => stage.uncorrected_step()?,
            Level::Acceleration => stage.acceleration_step(method.integrator, 0.0, 0.0)?,
        }
        let parameters = &method.stabilizer;
        let metric = METRICS[parameters.value("metric") as usize];
        let bound = parameters.value("max_correction");
        let energy = stage.potential_energy();
        stage.evaluate_positions();
        stage.note_errors_before();
        for _ in 0..parameters.value("max_iterations") as usize {
            if stage.touches_but_fits() {
                break;
            }
            stage.correct_positions(metric, bound)?;
        }
        stage.outcome.correction_work += stage.potential_energy() - energy;
        Ok(())
    }
}
