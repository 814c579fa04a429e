//! Why a body, a shape or a joint cannot exist.

use thiserror::Error;

/// A model that has no physical meaning.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ModelError {
    /// A size, mass, stiffness or length must be positive.
    #[error("{quantity} must be {expected}, not {value}")]
    OutOfRange {
        /// Which quantity.
        quantity: &'static str,
        /// What is accepted.
        expected: &'static str,
        /// What was given.
        value: f64,
    },
    /// A polygon is not simple or encloses no area.
    #[error("the polygon {0}")]
    DegeneratePolygon(&'static str),
    /// A dynamic body needs mass.
    #[error("a dynamic body needs shapes with an area, or a mass with an inertia")]
    NoMass,
    /// Half planes and polylines have no area and cannot move by forces.
    #[error("a {0} belongs on a fixed or kinematic body")]
    UnboundedShape(&'static str),
    /// A joint or spring names a body that the world does not have.
    #[error("body {index} does not exist (the world has {bodies})")]
    NoSuchBody {
        /// The index that was used.
        index: usize,
        /// How many bodies there are.
        bodies: usize,
    },
    /// Both ends of a joint or spring are on the same body.
    #[error("both ends are on body {0}")]
    SameBody(usize),
    /// Neither end of a joint or spring can move.
    #[error("neither body {0} nor body {1} is dynamic: nothing could move to satisfy it")]
    NothingToMove(usize, usize),
    /// A velocity is prescribed to a body that forces do not move.
    #[error("body {0} is not dynamic: nothing could make it move as prescribed")]
    NotDynamic(usize),
    /// Limits and motors act on a coordinate that the joint leaves free.
    #[error("a {0} leaves no coordinate free: limits and motors belong on a hinge or a slider")]
    NoFreeCoordinate(&'static str),
    /// An infinite limit leaves its side open.
    #[error("limits must be a lower bound and an upper one in this order, not {lower} and {upper}")]
    Limits {
        /// Lower bound, rad or m.
        lower: f64,
        /// Upper bound, rad or m.
        upper: f64,
    },
}

/// Accepts a finite positive number.
pub(super) fn positive(quantity: &'static str, value: f64) -> Result<f64, ModelError> {
    if value.is_finite() && value > 0.0 {
        return Ok(value);
    }
    Err(ModelError::OutOfRange { quantity, expected: "a finite number greater than 0", value })
}

/// Accepts a finite number.
pub(super) fn finite(quantity: &'static str, value: f64) -> Result<f64, ModelError> {
    if value.is_finite() {
        return Ok(value);
    }
    Err(ModelError::OutOfRange { quantity, expected: "a finite number", value })
}

/// Accepts a finite number that is not negative.
pub(super) fn not_negative(quantity: &'static str, value: f64) -> Result<f64, ModelError> {
    if value.is_finite() && value >= 0.0 {
        return Ok(value);
    }
    Err(ModelError::OutOfRange { quantity, expected: "a finite number, 0 or more", value })
}
