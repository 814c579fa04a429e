//! Implicit constraint enforcement of Hong, Welch, Trapp & Choi, in forces as they write it.
//!
//! ```text
//! A λ + g/h² + (J v + c)/h + J M⁻¹F = 0                              [Hong et al., eqs. 10 and 11]
//! v⁺ = v + h M⁻¹(F + Jᵀλ) ,   q⁺ = q + h v⁺                           [eqs. 6 to 9]
//! ```
//!
//! λ in N or N m. Their λ has the other sign (M r̈ + Φᵀλ = F). It is the first-order Taylor expansion of
//! g(q⁺) = 0, so for holonomic constraints the linear system is that of Anitescu & Hart with γ = 1, and of
//! velocity-level Baumgarte with α = 1/h: the results agree to rounding. They part company for contacts, which
//! Hong et al. do not treat, and for non-holonomic rows, where the turning of N is in the row:
//!
//! ```text
//! A λ + (N v − v₀(t+h))/h + (N v)_q v + N M⁻¹F = 0 ,  i.e.  N v⁺ + h (N v)_q v = v₀(t+h)          [eq. 31]
//! ```
//!
//! The scheme is stable for every h [eqs. 17 to 20].

use super::gate::GapTerm;
use super::{Level, Method, Scheme, SchemeInfo, Stage};
use crate::report::StepError;

pub(super) struct Implicit;

static INFO: SchemeInfo = SchemeInfo {
    key: "implicit",
    name: "Implicit (Hong et al.)",
    equation: "A λ + g/h² + (J v + c)/h + J M⁻¹F = 0",
    summary: "Expands g(q⁺) = 0 to first order and solves for the constraint forces; no parameter.",
    source: "Hong, Welch, Trapp & Choi, eqs. 6–11",
    levels: &[Level::Velocity],
    parameters: &[],
    languages: &[],
    conserves_angular_momentum: false,
};

impl Scheme for Implicit {
    fn info(&self) -> &'static SchemeInfo {
        &INFO
    }

    fn advance(&self, _: &Method, stage: &mut Stage<'_>) -> Result<(), StepError> {
        let h = stage.h;
        stage.prescribe_mean_velocity();
        stage.evaluate_rows();
        stage.find_touches(GapTerm::Travelling);
        stage.note_start();
        stage.weigh();
        stage.pose_held_implicitly();
        stage.solve_forces(|_, g, rate| g / (h * h) + rate / h)?;
        stage.note_correction_work(h);
        stage.drift();
        Ok(())
    }
}
