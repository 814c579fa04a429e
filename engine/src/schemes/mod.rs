//! The schemes that enforce constraints, in one table. Each has a file with its equation and its step; the lines that
//! several share are in `stages/step_in_progress.rs`.
//!
//! A scheme owns the whole advance of a step, because the order of the stages differs: post-stabilization solves twice, RATTLE
//! kicks twice. Schemes never name each other; the stages that they share are in `stages/`. [`Method::check`] says
//! before the first step whether scheme, solver and world go together. `names.rs` reads methods from text.

pub mod anitescu_hart;
pub mod avbd;
pub mod baumgarte_acceleration;
pub mod baumgarte_velocity;
pub mod direct_iterated;
pub mod generalized_alpha;
pub mod ggl;
pub mod implicit;
pub mod mujoco;
mod names;
pub mod ngs;
pub mod none;
pub mod post_stabilization;
pub mod projection;
pub mod rattle;
pub mod sap;
#[cfg(feature = "serde")]
mod serial;
pub mod soft;
pub mod split_impulse;
pub mod xpbd;

#[doc(hidden)]
pub use self::{anitescu_hart::GAMMA, baumgarte_acceleration::BETA};
pub use names::MethodError;

use crate::detect::{Detector, Reach, any_may_collide};
use crate::method::{Method, Scheme, Stabilizer, smallest_shape};
use crate::model::{Joint, World};
use crate::report::{StepError, solvers_that};
use crate::rules::Integrator;
use std::fmt;

/// Makes the table, and gives `Method` a constructor of each scheme's name.
macro_rules! schemes {
    ($($file:ident,)+) => {
        /// All schemes, in the order in which the literature came to them.
        pub static TABLE: &[&Scheme] = &[$(&$file::SCHEME),+];

        /// The schemes by name, each at its natural level with the parameters of a short time step, which
        /// [`Method::at_step`] adapts.
        impl Method {
            $(
                #[doc = concat!("The scheme `", stringify!($file), "`, which the module `guide` describes.")]
                pub fn $file() -> Self {
                    Self::new(Stabilizer::from(&$file::SCHEME))
                }
            )+
        }
    };
}

schemes! {
    none,
    baumgarte_velocity,
    baumgarte_acceleration,
    post_stabilization,
    anitescu_hart,
    implicit,
    projection,
    rattle,
    ngs,
    split_impulse,
    soft,
    xpbd,
    mujoco,
    sap,
    avbd,
    direct_iterated,
    ggl,
    generalized_alpha,
}

impl Stabilizer {
    /// The scheme with this key and default parameters.
    pub fn by_key(key: &str) -> Option<Self> {
        TABLE.iter().copied().find(|scheme| scheme.info().key == key).map(Self::from)
    }
}

impl Method {
    /// The scheme with this key and the default parameters of a short time step, which [`Method::at_step`] adapts.
    pub fn by_key(key: &str) -> Option<Self> {
        Stabilizer::by_key(key).map(Self::new)
    }
}

/// A note about a method's solver for a person, before the first step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SolverNote {
    /// The scheme brings its own solver and uses no other.
    Unused {
        /// Key of the scheme.
        scheme: &'static str,
        /// Key of the solver.
        solver: &'static str,
    },
    /// The solver takes equations alone: the first step in which bodies touch, or a joint reaches a limit, fails.
    EquationsAlone {
        /// Key of the scheme.
        scheme: &'static str,
        /// Key of the solver.
        solver: &'static str,
    },
}

impl fmt::Display for SolverNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unused { scheme, solver } => {
                let users = TABLE.iter().filter(|scheme| scheme.uses_solver);
                let users: Vec<_> = users.map(|scheme| scheme.info().key).collect();
                let users = users.join(", ");
                write!(
                    f,
                    "'{scheme}' brings its own solver and does not use '{solver}' (solvers are used by {users})"
                )
            }
            Self::EquationsAlone { scheme, solver } => {
                let others = solvers_that(|solver| !solver.takes_equations_alone());
                write!(
                    f,
                    "'{solver}' solves equations alone: with '{scheme}' the first step in which bodies touch or a joint reaches a limit \
                     fails (expected {others})"
                )
            }
        }
    }
}

impl Method {
    /// Refuses a world that the method cannot step at all: because a body could rebound by a law of impact that the scheme does
    /// not support, or because the solver takes equations alone and a joint has a motor or friction, whose bounded row is in
    /// every step (contacts and limits need not be, see [`Method::solver_note`]).
    ///
    /// # Errors
    /// [`StepError::Unsupported`] or [`StepError::Unsuitable`], with which a step would end.
    pub fn check(&self, world: &World) -> Result<(), StepError> {
        let (scheme, solver) = (self.stabilizer.info().key, self.solver.info().key);
        if !self.stabilizer.scheme().obeys(self.contact.restitution) && world.may_rebound() {
            let what = "Poisson's law of restitution (restitution_law anitescu_potra)";
            return Err(StepError::Unsupported { scheme, what });
        }
        let equations_alone = self.solver.takes_equations_alone() && self.stabilizer.scheme().uses_solver;
        let driven = world.joints_if(|any| equations_alone && any.driven);
        match driven.iter().position(Joint::is_driven) {
            Some(joint) => Err(StepError::Unsuitable { scheme, solver, joint: world.joint_ids()[joint] }),
            None => Ok(()),
        }
    }

    /// Refuses damping or drag that an explicit integrator cannot follow at the time step `h`, s, and the present velocities:
    /// other
    /// methods take it implicitly.
    ///
    /// # Errors
    /// [`StepError::TooDamped`], with which the step would end.
    pub fn check_damping(&self, world: &World, h: f64) -> Result<(), StepError> {
        if !self.is_explicit() {
            return Ok(());
        }
        // |R(z)| ≤ 1 on the negative axis down to −2 and −2.785.
        let (most, integrator) = match self.integrator {
            Integrator::Rk4 => (2.785 / h, "Runge–Kutta"),
            _ => (2.0 / h, "explicit Euler"),
        };
        for (index, body) in world.bodies().iter().enumerate() {
            let [_, slope] = body.damping.at(body.velocity.coordinates(), world.wind());
            let rate = (slope * body.inverse_mass()).max_element();
            if rate > most {
                return Err(StepError::TooDamped {
                    body: world.body_ids()[index],
                    rate,
                    most,
                    integrator,
                    h,
                });
            }
        }
        Ok(())
    }

    /// Refuses a world that begins with more contacts within the method's reach than a step of `h` seconds may have.
    ///
    /// # Errors
    /// [`StepError::Crowded`], with which its first step would end.
    pub fn check_crowd(&self, world: &World, h: f64) -> Result<(), StepError> {
        let smallest = smallest_shape(world);
        let distance =
            self.contact.active_distance_of(smallest).max(self.contact.contact_tolerance_of(smallest));
        let reach = Reach { distance, travel: self.contact.active_travel * h };
        Detector::default().crowd_of(world, &reach).map_or(Ok(()), |crowd| Err(StepError::Crowded(crowd)))
    }

    /// Returns a note if the solver is not used, or if it may fail in a later step. There is none about `auto`.
    pub fn solver_note(&self, world: &World) -> Option<SolverNote> {
        let (scheme, solver) = (self.stabilizer.info().key, self.solver.info().key);
        if self.solver.is_automatic() {
            return None;
        }
        if !self.stabilizer.scheme().uses_solver {
            return Some(SolverNote::Unused { scheme, solver });
        }
        let limited = || world.joints().iter().any(|joint| joint.rigid_limits().is_some());
        let may_fail = self.solver.takes_equations_alone() && (limited() || any_may_collide(world));
        may_fail.then_some(SolverNote::EquationsAlone { scheme, solver })
    }
}
