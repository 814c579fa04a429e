//! Why a body, a shape, a joint or a change of them is refused.

use super::table::{BodyId, ForceLawId, JointId, NonholonomicId, SpringId};
use glam::DVec2;
use std::convert::Infallible;
use thiserror::Error;

/// A model that has no physical meaning.
///
/// ```
/// use driftlab::prelude::*;
///
/// let mut world = World::new(DVec2::ZERO);
/// let error = world.add_body(Body::dynamic().shape(Shape::circle(-1.0))).unwrap_err();
/// assert_eq!(error.to_string(), "radius must be a finite number greater than 0, not -1");
/// assert!(world.bodies().is_empty());
/// ```
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ModelError {
    /// A size, mass, stiffness or length must be positive.
    #[error("{quantity} must be {expected}, not {value}")]
    OutOfRange {
        /// Which quantity.
        quantity: &'static str,
        /// The accepted range in words.
        expected: &'static str,
        /// The value that was given.
        value: f64,
    },
    /// A polygon is not simple or encloses no area.
    #[error("the polygon {0}")]
    DegeneratePolygon(&'static str),
    /// A dynamic body needs mass.
    #[error("a dynamic body needs shapes with an area, or a mass")]
    NoMass,
    /// A point mass has no moment of inertia: nothing may turn it.
    #[error(
        "{0} would turn a point mass: let it act at the body's centre of mass, or give the body an inertia"
    )]
    TurnsPointMass(&'static str),
    /// Half planes and polylines have no area and cannot move by forces.
    #[error("a {0} belongs on a fixed or kinematic body")]
    UnboundedShape(&'static str),
    /// A body with a given mass has no use for densities of its shapes.
    #[error("a shape has a density, and its body a given mass: give one of the two")]
    MassAndDensity,
    /// A body of fixed rotation does not turn.
    #[error("a body of fixed rotation has no angular velocity, not {0}")]
    FixedRotation(f64),
    /// A pair of materials that do not exist, or that has been given before.
    #[error("the pair of materials {0:?} names one that does not exist, or is given twice")]
    MaterialPair([u32; 2]),
    /// The id of a body that has been removed, or of another world's.
    #[error("body {0} does not exist: it has been removed, or belongs to another world")]
    NoSuchBody(BodyId),
    /// The id of a joint that has been removed, or of another world's.
    #[error("joint {0} does not exist: it has been removed, or belongs to another world")]
    NoSuchJoint(JointId),
    /// The id of a spring that has been removed, or of another world's.
    #[error("spring {0} does not exist: it has been removed, or belongs to another world")]
    NoSuchSpring(SpringId),
    /// The id of a non-holonomic constraint that has been removed, or of another world's.
    #[error(
        "non-holonomic constraint {0} does not exist: it has been removed, or belongs to another world"
    )]
    NoSuchNonholonomic(NonholonomicId),
    /// The id of a force law that has been removed, or of another world's.
    #[error("force law {0} does not exist: it has been removed, or belongs to another world")]
    NoSuchForceLaw(ForceLawId),
    /// A custom joint's J or k is not the derivative of its g.
    #[error(
        "the derivative {derivative} of row {row} of the joint '{joint}' is given as {given:e}, but differences of its equation give \
         {difference:e}"
    )]
    WrongDerivative {
        /// The joint's key.
        joint: &'static str,
        /// Number of the row, from 0; one more than the last is the free coordinate.
        row: usize,
        /// Which derivative.
        derivative: &'static str,
        /// What the joint returned.
        given: f64,
        /// The central difference.
        difference: f64,
    },
    /// A gear ties two different joints, each of two bodies.
    #[error("a gear ties two different joints between two bodies each, not joint {0} and joint {1}")]
    GearJoints(JointId, JointId),
    /// A gear's bodies are those of its joints.
    #[error("a gear is added by `World::add_gear`, and its joints cannot be changed")]
    NotThisGear,
    /// The bodies that carry a pulley's wheels are its third and fourth body, and body a stands for none.
    #[error("a pulley has a third and a fourth body where these carry its wheels")]
    Wheels,
    /// Only a gear, a pulley or a joint of another crate can have more than two bodies.
    #[error("a {0} joint has two bodies")]
    TwoBodies(&'static str),
    /// A custom joint brings its own anchors.
    #[error("the joint '{0}' has anchors of its own, which a builder cannot set")]
    OwnAnchors(&'static str),
    /// An index beyond the world's bodies.
    #[error("body {index} does not exist (the world has {bodies})")]
    NoSuchIndex {
        /// The index that was used.
        index: usize,
        /// How many bodies there are.
        bodies: usize,
    },
    /// Both ends of a joint, spring or rolling constraint are on the same body.
    #[error("both ends are on body {0}")]
    SameBody(BodyId),
    /// Neither end of a joint, spring or rolling constraint can move.
    #[error("neither body {0} nor body {1} is dynamic: nothing could move to satisfy it")]
    NothingToMove(BodyId, BodyId),
    /// A velocity is prescribed to a body that forces do not move.
    #[error("body {0} is not dynamic: nothing could make it move as prescribed")]
    NotDynamic(BodyId),
    /// A rolling constraint needs two bodies, every other non-holonomic constraint one.
    #[error("a {0} constraint has the wrong number of bodies: rolling takes two, every other kind one")]
    WrongNumberOfBodies(&'static str),
    /// Restored contacts are not in the order of their identities.
    #[error("contacts must be in the ascending order of their identities, body a before body b")]
    ContactOrder,
    /// What a scheme remembers is not in the order of the constraints, or not of one length.
    #[error(
        "what is remembered must be in the ascending order of the constraints, with as many numbers of each"
    )]
    MemoryOrder,
    /// Only a distance joint has a length.
    #[error("a {0} has no length: it belongs to a distance joint")]
    NoLength(&'static str),
    /// Limits and motors act on a coordinate that the joint leaves free.
    #[error(
        "a {0} leaves no coordinate free: limits, motors and friction belong on a hinge, a slider, a slot or a wheel"
    )]
    NoFreeCoordinate(&'static str),
    /// An infinite limit leaves its side open.
    #[error("limits must be a lower bound followed by an upper bound, not {lower} and {upper}")]
    Limits {
        /// Lower bound, rad or m.
        lower: f64,
        /// Upper bound, rad or m.
        upper: f64,
    },
}

/// A body that is given as itself is refused by its checks alone.
impl From<Infallible> for ModelError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// Accepts a number that `fits`; `expected` says which do.
pub(super) fn fitting(
    fits: bool,
    quantity: &'static str,
    expected: &'static str,
    value: f64,
) -> Result<(), ModelError> {
    if fits { Ok(()) } else { Err(ModelError::OutOfRange { quantity, expected, value }) }
}

/// Accepts a finite positive number.
pub(super) fn positive(quantity: &'static str, value: f64) -> Result<(), ModelError> {
    fitting(value.is_finite() && value > 0.0, quantity, "a finite number greater than 0", value)
}

/// Accepts a finite number.
pub(super) fn finite(quantity: &'static str, value: f64) -> Result<(), ModelError> {
    fitting(value.is_finite(), quantity, "a finite number", value)
}

/// Accepts a finite number that is not negative.
pub(super) fn not_negative(quantity: &'static str, value: f64) -> Result<(), ModelError> {
    fitting(value.is_finite() && value >= 0.0, quantity, "a finite number, 0 or more", value)
}

/// Accepts a number from 0 to 1.
pub(super) fn share(quantity: &'static str, value: f64) -> Result<(), ModelError> {
    fitting((0.0..=1.0).contains(&value), quantity, "a number from 0 to 1", value)
}

/// Accepts a vector of finite components.
pub(crate) fn finite_vector(quantity: &'static str, v: DVec2) -> Result<(), ModelError> {
    finite(quantity, v.x).and(finite(quantity, v.y))
}
