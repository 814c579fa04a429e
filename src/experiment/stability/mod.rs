//! Linear stability: does a small constraint error die out, or does the scheme make it grow?
//!
//! The linearised step maps (δq, δv) to the next one. Without load and motion [Hong et al., eqs. 14–23] two ways to its spectral
//! radius ρ check each other:
//!
//! - `block`: in closed form. On range(P) all constraints behave alike, as one 2 × 2 matrix.
//! - `linear`: the eigenvalues of the whole scene's matrix, linearised where the scene stands.
//!
//! They agree for every scheme but the soft constraints (`soft`), whose Gauss–Seidel sweeps couple the constraints through the masses.
//!
//! - `plane`: ρ over two parameters of a scheme, or one and the time step, as the window's map shows it (`substeps` for the soft step).
//! - `loaded`: the derivative of the full step about the present state, including the load of the joints, their
//!   turning, springs and contacts that push.
//!
//! ```
//! use driftlab::experiment::stability::{Linear, Model};
//! use driftlab::scene::catalogue;
//! use driftlab::stabilizer::{Integrator, Method};
//!
//! let scene = catalogue::find("double-pendulum").unwrap().scene().unwrap();
//! let linear = Linear::of(&scene.world, &scene.settings.method)?;
//! // α = β = 1/h, Hong's example of an unstable choice: ρ is the golden ratio.
//! let h = 0.01;
//! let model = Model::Acceleration { alpha: 1.0 / h, beta: 1.0 / h, integrator: Integrator::SemiImplicitEuler };
//! assert!((linear.spectral_radius(&model, h)? - 1.618034).abs() < 1e-6);
//! assert!((model.block(h).spectral_radius() - 1.618034).abs() < 1e-6);
//! # Ok::<(), driftlab::experiment::stability::StabilityError>(())
//! ```

mod ball_and_chain;
mod block;
mod linear;
mod loaded;
mod plane;
mod soft;
mod substeps;

pub use crate::internal::Dense;
pub use ball_and_chain::{BALL_AND_CHAIN_STEP, ball_and_chain, soft_limit};
pub use block::{Block, largest_stable_alpha, largest_stable_beta, largest_stable_step};
pub use linear::{Linear, largest_eigenvalue};
pub use loaded::Loaded;
pub use plane::{Boundary, Plane, PlaneAxis, Quantity, Survey};
pub use soft::{Relax, SOFT_PARAMETERS, Soft, Softness};

use crate::report::StepError;
use crate::stabilizer::{Integrator, Level, Method};
use thiserror::Error;

/// Why an analysis has no result.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum StabilityError {
    /// An entry of the matrix is not finite.
    #[error("the linearised step is not finite")]
    NotFinite,
    /// The eigenvalues or singular values were not found.
    #[error("the iteration for the eigenvalues does not converge")]
    NoConvergence,
    /// The scheme's full step has no linearisation.
    #[error("the full step of '{scheme}' has no linearisation here")]
    NoLoadedForm {
        /// Key of the scheme.
        scheme: &'static str,
    },
    /// Something acts in the step that the linearisation of the full step does not contain.
    #[error(
        "the linearisation does not cover this step: an impact, sliding friction, a limit, a motor, the mouse or a contact \
         under this scheme acts in it, or the step is divided into parts"
    )]
    NotThisStep,
    /// The step itself fails.
    #[error("the step fails: {0}")]
    Step(#[from] StepError),
}

/// What a scheme does to a small constraint error in one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Model {
    /// J v⁺ + κ g = 0, q⁺ = q + h v⁺.
    Velocity {
        /// κ, 1/s: 0 unstabilised, α of Baumgarte, γ/h of Anitescu & Hart, 1/h of Hong et al. (their X).
        rate: f64,
    },
    /// g̈ + 2α ġ + β² g = 0 under an integrator; under semi-implicit Euler Hong's Λ.
    Acceleration {
        /// α, 1/s.
        alpha: f64,
        /// β, 1/s.
        beta: f64,
        /// The integrator.
        integrator: Integrator,
    },
    /// Brought back to the manifold in q and v by the end of the step: post-stabilization, projection, RATTLE.
    Projected,
    /// Box2D's soft constraints.
    Soft(Soft),
}

impl Model {
    /// The linearisation of a method at time step `h`, s; none for a scheme that is not known here.
    ///
    /// Post-stabilization counts as projected: its bound on a correction lies far above a small error.
    pub fn of(method: &Method, h: f64) -> Option<Self> {
        let value = |key: &str| method.stabilizer.values.get(key).unwrap_or_default();
        let integrator = method.integrator;
        Some(match (method.stabilizer.info().key, method.level) {
            ("none", Level::Velocity) => Self::Velocity { rate: 0.0 },
            ("none", Level::Acceleration) => Self::Acceleration { alpha: 0.0, beta: 0.0, integrator },
            ("baumgarte_velocity", _) => Self::Velocity { rate: value("alpha") },
            ("anitescu_hart", _) => Self::Velocity { rate: value("gamma") / h },
            ("implicit", _) => Self::Velocity { rate: 1.0 / h },
            ("baumgarte_acceleration", _) => {
                Self::Acceleration { alpha: value("alpha"), beta: value("beta"), integrator }
            }
            ("post_stabilization" | "projection" | "rattle", _) => Self::Projected,
            _ => return None,
        })
    }

    /// The block of one constraint.
    pub fn block(&self, h: f64) -> Block {
        match self {
            Self::Velocity { rate } => Block::velocity(*rate, h),
            Self::Acceleration { alpha, beta, integrator } => {
                Block::acceleration(*alpha, *beta, *integrator, h)
            }
            Self::Projected => Block([[0.0; 2]; 2]),
            Self::Soft(soft) => soft.block(h),
        }
    }

    /// Whether one block describes every constraint, whatever the masses and the other constraints.
    pub fn is_decoupled(&self) -> bool {
        !matches!(self, Self::Soft(_))
    }
}
