//! The mixed complementarity problem of a step, in body space, and the residual by which every solver is judged; proofs that
//! there is no solution, and the record of the solvers that were tried.
//!
//! ```text
//! v = v* + W Jᵀλ ,   w = J v + c λ + b
//!
//! equation      w = 0                                       λ free
//! unilateral    0 ≤ λ ⊥ w ≥ 0
//! bounded       l ≤ λ ≤ u ,  w = 0 inside, w ≥ 0 at l, w ≤ 0 at u
//! friction      as bounded, with u = −l = μ λ_n             Coulomb's law; in the plane the cone is exact
//! sliding       λ = s λ_n                                   Coulomb's law in a given direction, s = ±μ
//! ```
//!
//! W is diagonal, M⁻¹ in the dynamics. λ is an impulse (N s) where v is a velocity, a force (N) where it is an
//! acceleration, and has the unit kg m where it is a correction of the position. The friction row of a contact
//! is one row with a bound that moves with the normal row's λ: [Anitescu & Hart 2004, eq. 2.10] write the same as
//! 0 ≤ Dᵀv + E γ ⊥ β ≥ 0, 0 ≤ μ λ_n − Eᵀβ ⊥ γ ≥ 0 with D = [t, −t], λ_t = β₁ − β₂.
//!
//! **Residual.** With Aᵢᵢ = J W Jᵀ + c on the diagonal, λ̂ᵢ = Aᵢᵢ λᵢ is an impulse in units of w, and
//!
//! ```text
//! rᵢ = λ̂ᵢ − Πᵢ(λ̂ᵢ − wᵢ) = max(min(wᵢ, λ̂ᵢ − l̂ᵢ), λ̂ᵢ − ûᵢ) ,   Πᵢ the projection onto [l̂ᵢ, ûᵢ] = Aᵢᵢ [lᵢ, uᵢ]
//! ```
//!
//! is zero exactly at a solution: |w| for an equation, |min(λ̂, w)| for a unilateral row. It is measured on
//! the problem as posed, with v computed from λ; the final judgement of a problem that `rests` takes the v of
//! [`MixedProblem::velocity_or_rest`](super::MixedProblem::velocity_or_rest). `acceptance.rs` defines how small it has to be.

pub mod acceptance;
pub mod certificate;
pub(super) mod mixed;
pub(super) mod solution;
pub(super) mod trail;

pub(crate) use acceptance::Acceptance;
