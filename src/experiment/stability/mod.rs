//! Linear stability: does a small constraint error die out, or does the scheme make it grow?
//!
//! What a step does to one error, and of which operations it consists, the scheme says
//! ([`Scheme`](crate::method::Scheme)); here it is analysed. The linearised step maps (δq, δv) to the next one. Without
//! load and motion [Hong et al., eqs. 14–23] two ways to its spectral radius ρ check each other:
//!
//! - `block`: in closed form. On range(P) all constraints behave alike, as one 2 × 2 matrix.
//! - `linear`: the eigenvalues of the whole scene's matrix, linearised where the scene stands.
//!
//! They agree for every scheme but the soft constraints (`soft`), whose Gauss–Seidel sweeps couple the constraints
//! through the masses.
//!
//! - `plane`: ρ over two parameters of a scheme, or one and the time step, as the window's map shows it (`substeps` for
//!   the soft step).
//! - `loaded`: the derivative of the full step about the present state, including the load of the joints, their
//!   turning, springs and contacts that push; about an equilibrium also the modes of the motion itself ([`modes()`]).
//! - `point`: both at one point of a map, and the verdict.
//!
//! ```
//! use driftlab::experiment::stability::{Linear, Model};
//! use driftlab::scene::catalogue;
//! use driftlab::method::{Integrator, Linearised, Method};
//!
//! let scene = catalogue::find("double-pendulum").unwrap().scene().unwrap();
//! let linear = Linear::of(&scene.world, &scene.settings.method)?;
//! // α = β = 1/h, Hong's example of an unstable choice: ρ is the golden ratio.
//! let h = 0.01;
//! let integrator = Integrator::SemiImplicitEuler;
//! let model = Model::Scheme(Linearised::Acceleration { alpha: 1.0 / h, beta: 1.0 / h, integrator });
//! assert!((linear.spectral_radius(&model, h)? - 1.618034).abs() < 1e-6);
//! assert!((model.block(h).spectral_radius() - 1.618034).abs() < 1e-6);
//! # Ok::<(), driftlab::experiment::stability::StabilityError>(())
//! ```

mod ball_and_chain;
mod block;
mod eigenvalues;
mod linear;
mod loaded;
mod plane;
mod point;
mod soft;
mod substeps;

pub use crate::experiment::dense::Dense;
pub use ball_and_chain::{BALL_AND_CHAIN_STEP, ball_and_chain, soft_limit};
pub use block::Block;
pub use eigenvalues::eigenvalues;
pub use linear::{Linear, largest_eigenvalue};
pub use loaded::{Loaded, Mode, modes};
pub use plane::{Plane, PlaneAxis, Survey};
pub use point::{Point, Verdict};
pub use soft::{Relax, SOFT_PARAMETERS, Soft, Softness};

use crate::method::{GapTerm, Linearised, Method, Operation};
use crate::report::StepError;
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
    /// Modes belong to an equilibrium.
    #[error("the state is no equilibrium, about which small motions have modes")]
    NoEquilibrium,
    /// The step itself fails.
    #[error("the step fails: {0}")]
    Step(#[from] StepError),
}

/// A step that is linearised without load and motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Model {
    /// A scheme's.
    Scheme(Linearised),
    /// Box2D's soft constraints.
    Soft(Soft),
}

impl Model {
    /// The linearisation of a method at time step `h`, s; none for a scheme that says of none.
    pub fn of(method: &Method, h: f64) -> Option<Self> {
        (method.stabilizer.scheme().linearised)(method, h).map(Self::Scheme)
    }

    /// The block of one constraint.
    pub fn block(&self, h: f64) -> Block {
        match self {
            Self::Scheme(linearised) => Block::of(linearised, h),
            Self::Soft(soft) => soft.block(h),
        }
    }

    /// Whether one block describes every constraint, whatever the masses and the other constraints.
    pub fn is_decoupled(&self) -> bool {
        !matches!(self, Self::Soft(_))
    }
}

/// Which contacts are in the one velocity solve of a method's step; `None` where the step is another one.
fn gap_term(method: &Method) -> Option<GapTerm> {
    /// Which contacts are taken does not depend on the time step: this one, s, is as good as any.
    const ANY: f64 = 1.0;
    match *(method.stabilizer.scheme().operations)(method, ANY) {
        [Operation::Impulses { gap, .. }] => Some(gap),
        _ => None,
    }
}
