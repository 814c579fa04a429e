//! Implicit constraint enforcement of Hong, Welch, Trapp & Choi, in forces as they write it.
//!
//! ```text
//! A λ + g/h² + (J v + c)/h + J M⁻¹F = 0                              [Hong et al., eqs. 10 and 11]
//! v⁺ = v + h M⁻¹(F + Jᵀλ) ,   q⁺ = q + h v⁺                           [eqs. 6 to 9]
//! ```
//!
//! λ in N or N m. Their λ has the other sign (M r̈ + Φᵀλ = F). It is the first-order Taylor expansion of
//! g(q⁺) = 0, so for holonomic constraints the linear system is that of Anitescu & Hart with γ = 1, and of
//! velocity-level Baumgarte with α = 1/h: the results agree to rounding. They differ for contacts, which
//! Hong et al. do not treat, and for non-holonomic rows, which contain the turning of N:
//!
//! ```text
//! A λ + (N v − v₀(t+h))/h + (N v)_q v + N M⁻¹F = 0 ,  i.e.  N v⁺ + h (N v)_q v = v₀(t+h)          [eq. 31]
//! ```
//!
//! The scheme is stable for every h [eqs. 17 to 20].

use crate::constraint::Row;
use crate::method::linearisation::Operation;
use crate::method::{Method, Scheme, SchemeInfo};
use crate::model::nonholonomic::Prescribed;
use crate::report::StepError;
use crate::stages::constraints::GapTerm;
use crate::stages::forces::ForceTerms;
use crate::stages::step_in_progress::{Stages, Step};

const INFO: SchemeInfo = SchemeInfo {
    key: "implicit",
    name: "Implicit (Hong et al.)",
    short: "Implicit",
    equation: "A λ + g/h² + (J v + c)/h + J M⁻¹F = 0",
    summary: "Expands g(q⁺) = 0 to first order and solves for the constraint forces; no parameter.",
    source: "Hong, Welch, Trapp & Choi, eqs. 6–11",
    ..SchemeInfo::COMMON
};

pub(crate) static SCHEME: Scheme = Scheme { operations, ..Scheme::new(INFO, advance) };

fn advance(step: &mut Step<'_>) -> Result<(), StepError> {
    step.evaluate(GapTerm::Travelling); // g, J and (N v)_q v at q; φ, J_n and J_t of contacts; limits, motors
    step.swing(); // springs of free bodies at q + ½h v
    let Step { context, stages: Stages { motion, constraints, solve, totals, .. }, .. } = step;
    let h = context.h;
    motion.a.clone_from(&motion.free_acceleration); // a* = M⁻¹F
    let v = &motion.v;
    let rhs = |_, g: f64, rate: f64| g / (h * h) + rate / h;
    let ask = ForceTerms {
        rhs,
        nonholonomic: |_, v0: Prescribed, row: &Row| row.k + (row.rate(v) - v0.value) / h,
        at: context.end(),
        beginnings: None,
        rebounded: &[],
    };
    solve.forces(context, constraints, motion, ask)?; // J a + g/h² + (J v + c)/h = 0
    solve.write(&mut totals.ledger, constraints, h);
    motion.a.copy_from_slice(&solve.dynamics.v);
    motion.accelerate(h); // v⁺ = v + h a
    totals.add_work(solve, constraints, motion, [h, h]); // the work, for the report
    motion.drift(context); // q⁺ = q + h v⁺, angles too
    Ok(())
}

fn operations(_: &Method, h: f64) -> Vec<Operation> {
    vec![Operation::Impulses { rate: 1.0 / h, gap: GapTerm::Travelling, turning: true }]
}
