//! Why a step can fail, and the constraints and bodies whose problem it could not solve.

use super::ConstraintId;
use crate::detect::Crowd;
use crate::lcp::{self, MixedError, Solver, Trail};
use crate::model::{BodyId, JointId, ModelError};
use thiserror::Error;

/// Why a step failed. The world is then unchanged, bit for bit.
///
/// ```
/// use driftlab::prelude::*;
///
/// let mut world = World::new(DVec2::ZERO);
/// let error = step(&mut world, &Method::none(), -1.0, &mut Workspace::default()).unwrap_err();
/// assert_eq!(error, StepError::InvalidTimeStep(-1.0));
/// ```
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum StepError {
    /// A time step must be positive and finite.
    #[error("the time step must be a positive finite number of seconds, not {0}")]
    InvalidTimeStep(f64),
    /// A force law acts on what does not exist or with what is not finite, or (found in debug builds) a derivative of a
    /// custom joint is wrong.
    #[error(transparent)]
    Model(ModelError),
    /// There are more contacts, or pairs of shapes near one another, than a step may have.
    #[error("{0}")]
    Crowded(Crowd),
    /// A number of a body overflows: the simulation has blown up.
    #[error("body {body} would no longer have a finite {number}: its numbers overflow")]
    NotFinite {
        /// The first such body.
        body: BodyId,
        /// Which of its numbers: its position, angle, velocity, angular velocity, kinetic or potential energy.
        number: &'static str,
    },
    /// The energy of the new state overflows, or the work of its correction, though the energy of each body does not.
    #[error("the energy would no longer be finite: the scheme is unstable here")]
    EnergyNotFinite,
    /// The constraint matrix or a constraint force is not finite.
    #[error("the constraint forces are not finite: the scheme is unstable here")]
    Factorization,
    /// The step's problem has no solution, or the solver did not find it.
    #[error("{}", unsolved(.0, .1.as_deref()))]
    Contact(
        /// The solver's error.
        #[source]
        MixedError,
        /// The rows of the unsolved island and the solvers that were tried on it; absent if the failure is not an island's.
        Option<Box<Unsolved>>,
    ),
    /// Joints, limits and contacts contradict each other: no pose satisfies them all.
    #[error("no pose satisfies all constraints: an error of {error:.3e} remains{at}", at = between(*.bodies))]
    Infeasible {
        /// Largest error that was left, m.
        error: f64,
        /// The two bodies between which the error is.
        bodies: Option<[BodyId; 2]>,
    },
    /// Joints and velocity constraints contradict each other: no velocities satisfy them all.
    #[error("no velocities fit all joints and velocity constraints: a rate of {rate:.3e} remains{at}", at = between(Some(*.bodies)))]
    NoVelocities {
        /// Largest |J v + c| or |N v − v₀| that was left, in its row's unit.
        rate: f64,
        /// The two bodies between which the error is.
        bodies: [BodyId; 2],
    },
    /// The solver takes equations alone, and a joint has a motor or friction, whose force is bounded.
    #[error(
        "'{solver}' solves equations alone, and joint {joint} has a motor, whose force is bounded: with '{scheme}' choose {others}",
        others = solvers_that(|solver| !solver.takes_equations_alone())
    )]
    Unsuitable {
        /// Key of the scheme.
        scheme: &'static str,
        /// Key of the solver.
        solver: &'static str,
        /// The first such joint.
        joint: JointId,
    },
    /// The scheme does not support something that the world or the method requires.
    #[error("'{scheme}' does not support {what}: choose another scheme")]
    Unsupported {
        /// Key of the scheme.
        scheme: &'static str,
        /// The feature that the scheme does not support.
        what: &'static str,
    },
    /// Damping or drag is too strong for an explicit integrator at this time step.
    #[error(
        "the damping of body {body} slows it down by {rate:.4} 1/s, and {integrator} is stable up to {most:.4} 1/s at h = {h} s: choose \
         semi-implicit Euler, or a shorter step"
    )]
    TooDamped {
        /// The first such body.
        body: BodyId,
        /// The largest component of D M⁻¹ at the present velocity, 1/s.
        rate: f64,
        /// The largest with which the integrator is stable, 1/s.
        most: f64,
        /// The integrator in words.
        integrator: &'static str,
        /// The time step, s.
        h: f64,
    },
    /// A joint turns too far for the scheme, even with the step cut into parts.
    #[error("a joint turns by {turn:.3e} rad in the smallest part of the step (at most {limit})")]
    TurnsTooFar {
        /// The largest turn, rad.
        turn: f64,
        /// The largest turn that the scheme permits, rad.
        limit: f64,
    },
    /// Newton's method did not reach the constraint manifold, even with the step cut into parts.
    #[error(
        "Newton's method did not reach the constraint manifold: error {error:.3e} after {iterations} \
         iterations (expected {tolerance:.1e}){at}", at = between(*.bodies)
    )]
    NotConverged {
        /// Iterations made at the smallest part of the step.
        iterations: usize,
        /// The largest |g| that was left.
        error: f64,
        /// The tolerance that was required.
        tolerance: f64,
        /// The two bodies between which the error is.
        bodies: Option<[BodyId; 2]>,
    },
    /// Another engine was to make the step, and could not; its sentence.
    #[error("{0}")]
    Outside(String),
}

impl From<MixedError> for StepError {
    fn from(error: MixedError) -> Self {
        Self::Contact(error, None)
    }
}

/// The solvers that `suit`, for an error or a note: 'a', 'b' or 'c'.
pub(crate) fn solvers_that(suit: impl Fn(&Solver) -> bool) -> String {
    let keys: Vec<_> =
        lcp::solvers().filter(suit).map(|solver| format!("'{}'", solver.info().key)).collect();
    match keys.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Text that says which problem was not solved and why, with bodies by id.
fn unsolved(error: &MixedError, unsolved: Option<&Unsolved>) -> String {
    match unsolved {
        Some(unsolved) => unsolved.sentence(error, |id| format!("body {id}")),
        None => format!("the problem of this step is not solved: {error}"),
    }
}

/// Text that names the bodies between which an error is.
fn between(bodies: Option<[BodyId; 2]>) -> String {
    bodies.map_or_else(String::new, |[a, b]| format!(", between body {a} and body {b}"))
}

impl StepError {
    /// Whether a problem stayed unsolved although it may have a solution.
    pub(crate) fn is_unsolved(&self) -> bool {
        matches!(self, Self::Contact(MixedError::NotConverged { .. }, _))
    }

    /// Whether the step may succeed if rows may be violated.
    pub(crate) fn leaves_room_to_yield(&self) -> bool {
        match self {
            Self::Contact(error, _) => error.leaves_room_to_yield(),
            Self::Infeasible { .. } | Self::TurnsTooFar { .. } | Self::NotConverged { .. } => true,
            _ => false,
        }
    }

    /// Whether numbers are no longer finite.
    pub(crate) fn is_overflow(&self) -> bool {
        matches!(
            self,
            Self::NotFinite { .. }
                | Self::EnergyNotFinite
                | Self::Factorization
                | Self::Contact(MixedError::NotFinite, _)
        )
    }

    /// Iterations of the problem's solver until it failed; 0 for other errors.
    pub(crate) fn iterations(&self) -> usize {
        match self {
            Self::Contact(error, _) => error.iterations(),
            _ => 0,
        }
    }
}

/// Most bodies that a message names; it counts the others.
const MOST_NAMED: usize = 3;

/// The island at which a solve failed, or the rows whose numbers are not finite: bodies that rows connect with each other, and
/// the solvers that were tried on it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Unsolved {
    /// Key of the method's solver.
    pub asked: &'static str,
    /// Number of its scalar rows.
    pub rows: usize,
    /// Whether one of them slides in a given direction: forces may then have no solution, as impulses always do.
    pub slides: bool,
    /// Its constraints, each with its bodies, in the order of the rows.
    pub concerned: Vec<(ConstraintId, [BodyId; 2])>,
    /// The attempts.
    pub trail: Trail,
}

impl Unsolved {
    /// Its bodies, in the order in which they were added.
    pub fn bodies(&self) -> Vec<BodyId> {
        let mut bodies: Vec<_> = self.concerned.iter().flat_map(|(_, bodies)| *bodies).collect();
        bodies.sort_unstable();
        bodies.dedup();
        bodies
    }

    /// Says that the problem is not solved, and why: one sentence, with bodies as the caller names them.
    pub fn sentence(&self, error: &MixedError, body: impl Fn(BodyId) -> String) -> String {
        format!("the problem of {} is not solved: {error}{}", self.words(body), self.paradox(error))
    }

    /// Why forces of sliding contacts may have no solution, where none was found; else nothing.
    fn paradox(&self, error: &MixedError) -> &'static str {
        match error {
            MixedError::Ray { .. } | MixedError::NoSolution { .. } if self.slides => {
                " (Painlevé's paradox: sliding friction at the acceleration level; impulses, at the velocity level, have one)"
            }
            _ => "",
        }
    }

    /// Its constraints by their kinds and its bodies as the caller names them: `2 joints and 1 limit between 'a', 'b'`.
    pub fn words(&self, body: impl Fn(BodyId) -> String) -> String {
        const KINDS: [[&str; 2]; 7] = [
            ["joint", "joints"],
            ["velocity constraint", "velocity constraints"],
            ["spring", "springs"],
            ["motor", "motors"],
            ["limit", "limits"],
            ["contact", "contacts"],
            ["pull of the mouse", "pulls of the mouse"],
        ];
        let mut counts = [0; KINDS.len()];
        for (id, _) in &self.concerned {
            counts[match id {
                ConstraintId::Joint(_) => 0,
                ConstraintId::Nonholonomic(_) => 1,
                ConstraintId::Spring(_) | ConstraintId::Suspension(_) => 2,
                ConstraintId::Motor(_) | ConstraintId::Friction(_) | ConstraintId::Drive(..) => 3,
                ConstraintId::LowerLimit(_) | ConstraintId::UpperLimit(_) => 4,
                ConstraintId::Contact(_) => 5,
                ConstraintId::Grab => 6,
            }] += 1;
        }
        let counted = |(count, [one, many]): (usize, [&str; 2])| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            more => Some(format!("{more} {many}")),
        };
        let counted: Vec<_> = counts.into_iter().zip(KINDS).filter_map(counted).collect();
        let constraints = match counted.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => "the constraints".to_owned(),
        };
        let bodies = self.bodies();
        let named: Vec<_> = bodies.iter().take(MOST_NAMED).map(|&id| body(id)).collect();
        let others = match bodies.len() - named.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("{constraints} between {}{others}", named.join(", "))
    }
}
