//! Methods over the rows of an island, with the equations eliminated.
//!
//! | file | holds |
//! |---|---|
//! | `polyhedral.rs`, `lemke.rs` | the island as a plain problem, and Lemke's method on it |
//! | `branches/` | all combinations of states, by branch and bound: the solution, or the proof that there is none |
//!
//! **The plain problem**, a linear complementarity problem in z:
//!
//! ```text
//! equations E eliminated:   M = A_II − A_IE A_EE⁻¹ A_EI ,   q = w_I of λ = 0 with the equations met
//! unilateral                z = λ
//! bounded below             z = λ − l        above only: z = u − λ, its row turned round
//! bounded on both sides     w + s ≥ 0 ⊥ z = λ − l ≥ 0 ,   (u − l) − z ≥ 0 ⊥ s ≥ 0
//! friction                  w + γ ≥ 0 ⊥ β₁ ≥ 0 ,  −w + γ ≥ 0 ⊥ β₂ ≥ 0 ,  μ λ_n − β₁ − β₂ ≥ 0 ⊥ γ ≥ 0
//!                           λ = β₁ − β₂
//! ```
//!
//! The last is the polyhedral cone of [Anitescu & Hart 2004, eq. 2.10], exact in the plane. For the matrix that
//! results Lemke's method ends at a solution or on a ray [Anitescu & Potra 1997].
//!
//! Departures:
//! 1. Redundant equations are eliminated with the pseudo-inverse, which is exact as long as they agree.
//! 2. A row whose bodies are held completely by the equations has zeros in M. Rounding in their place would let the method end on
//!    a ray, even one with a certificate, at w = −1e-17: where the elimination leaves Mᵢᵢ below `HELD` Aᵢᵢ, the row and column
//!    of M are set to zero, and so is qᵢ where it is within the residual that counts as solved.
//! 3. λ = l + z that is rounding of l is set to zero: for bodies at rest, whose problem has no speed, no rounding would be small
//!    enough.

pub mod branches;
pub mod lemke;
pub(in crate::lcp) mod polyhedral;
