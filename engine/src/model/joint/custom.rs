//! Joints of other crates: up to three equations g(q) = 0 between two to four bodies, and a coordinate for limits and a motor.
//!
//! ```text
//! g(q_a, q_b, …) = 0 ,   ġ = J v ,   g̈ = J v̇ + k ,   k = J̇ v
//! ```
//!
//! J and k are compared with differences of g and of J v when the joint is added, and in debug builds at the start of every step
//! (`derivatives.rs`). A scene file cannot contain such a joint.

use super::derivatives::check_derivatives;
use super::{Equation, JointKind};
use crate::model::body::Frame;
use crate::model::error::{ModelError, finite, fitting};
use glam::{DVec2, DVec3};
use std::fmt;
use std::sync::Arc;

/// Most scalar equations of a joint.
pub const MOST_ROWS: usize = 3;

/// A joint of up to three scalar equations g(q) = 0, for [`Joint::custom`](super::Joint::custom).
///
/// ```
/// use driftlab::prelude::*;
///
/// /// Two wheels in mesh: r_a θ_a + r_b θ_b = 0, in m of their rims.
/// #[derive(Debug)]
/// struct Gear {
///     radii: [f64; 2],
/// }
///
/// impl CustomJoint for Gear {
///     fn key(&self) -> &'static str {
///         "gear"
///     }
///
///     fn equations(&self, a: &Frame, b: &Frame, emit: &mut dyn FnMut(Equation)) {
///         let [of_a, of_b] = self.radii;
///         let (ja, jb) = (DVec3::new(0.0, 0.0, of_a), DVec3::new(0.0, 0.0, of_b));
///         emit(Equation { g: of_a * a.angle + of_b * b.angle, ja, jb, k: 0.0, unit: Unit::Metre });
///     }
/// }
///
/// // Where one wheel has turned twice as far as the other one against it.
/// let [a, b] = [0.2, -0.1].map(|angle| Frame::new(DVec3::new(0.0, 0.0, angle), DVec3::ZERO));
/// Gear { radii: [0.1, 0.2] }.equations(&a, &b, &mut |row| assert_eq!(row.g, 0.0));
/// ```
pub trait CustomJoint: fmt::Debug + Send + Sync {
    /// What messages and records call it, one word in small letters.
    fn key(&self) -> &'static str;

    /// How many equations it has, at most three: as many as it emits at every pose. One without any has a coordinate, as
    /// a rope: its length, with an upper limit.
    fn rows(&self) -> usize {
        1
    }

    /// Emits g, J and k of each equation at the poses and velocities of body a and body b. g may be in m, rad or m²;
    /// the multiplier of a row is then in N, N m or N/m. A joint of more bodies has [`CustomJoint::equations_of`] instead.
    fn equations(&self, a: &Frame, b: &Frame, emit: &mut dyn FnMut(Equation)) {
        let _ = (a, b, emit);
    }

    /// Emits the equations of a joint of four bodies, or of three with one named twice, each with ∂g/∂(x, y, θ) of the third and
    /// the fourth body ([`JointBuilder::further`](crate::model::JointBuilder::further)).
    fn equations_of(&self, at: [&Frame; 4], emit: &mut dyn FnMut(Equation, [DVec3; 2])) {
        self.equations(at[0], at[1], &mut |own| emit(own, [DVec3::ZERO; 2]));
    }

    /// Where it acts on each body, relative to the centre of mass and in the body's axes, m: where it is drawn, and the arm by
    /// which its force makes a body swing (`StepReport::fastest_rate`).
    fn anchors(&self) -> [DVec2; 2] {
        [DVec2::ZERO; 2]
    }

    /// The coordinate x that it leaves free for limits and a motor, as `g` of its equation; at every pose, or at none.
    fn coordinate(&self, a: &Frame, b: &Frame) -> Option<Equation> {
        let _ = (a, b);
        None
    }

    /// The coordinate of a joint of more than two bodies, with ∂g/∂(x, y, θ) of the third and the fourth.
    fn coordinate_of(&self, at: [&Frame; 4]) -> Option<(Equation, [DVec3; 2])> {
        self.coordinate(at[0], at[1]).map(|x| (x, [DVec3::ZERO; 2]))
    }
}

/// A joint of another crate, as a [`JointKind`]. Clones share it; two of them are equal if they do.
#[derive(Clone, Debug)]
pub struct Custom(pub(super) Arc<dyn CustomJoint>);

impl Custom {
    /// The joint as a kind.
    pub fn new(joint: impl CustomJoint + 'static) -> Self {
        Self(Arc::new(joint))
    }

    /// Its equations, as many as it says at every pose: what it emits beyond them is left out, and a missing one is 0 = 0.
    pub(super) fn equations_of(&self, at: [&Frame; 4], mut emit: impl FnMut(Equation, [DVec3; 2])) {
        let mut left = self.0.rows();
        self.0.equations_of(at, &mut |equation, further| {
            if left > 0 {
                left -= 1;
                emit(equation, further);
            }
        });
        let nothing =
            Equation { g: 0.0, ja: DVec3::ZERO, jb: DVec3::ZERO, k: 0.0, unit: super::Unit::Metre };
        (0..left).for_each(|_| emit(nothing, [DVec3::ZERO; 2]));
    }

    /// Those of a joint between two bodies.
    pub(super) fn equations(&self, a: &Frame, b: &Frame, mut emit: impl FnMut(Equation)) {
        self.equations_of([a, b, a, b], |own, _| emit(own));
    }

    /// Checks that it has as many equations as it says, everything that it returns at these frames is finite, and J and
    /// k are derivatives.
    pub(in crate::model) fn check_at(&self, at: [&Frame; 4], bodies: usize) -> Result<(), ModelError> {
        let mut rows = Vec::new();
        self.0.equations_of(at, &mut |row, further| rows.push((row, further)));
        let count = rows.len();
        let fits = count == self.0.rows() && count <= MOST_ROWS;
        fitting(
            fits,
            "number of equations of a custom joint",
            "at most 3, as many as it says",
            count as f64,
        )?;
        rows.extend(self.0.coordinate_of(at));
        let acts = !rows.is_empty();
        fitting(acts, "number of equations of a custom joint", "1 to 3 where it has no coordinate", 0.0)?;
        for (Equation { g, ja, jb, k, .. }, [jc, jd]) in rows {
            finite("g of a custom joint", g)?;
            let mut numbers = [ja, jb, jc, jd].into_iter().flat_map(|j| j.to_array()).chain([k]);
            numbers.try_for_each(|number| finite("a derivative of a custom joint", number))?;
            let within = bodies > 2 || (jc, jd) == (DVec3::ZERO, DVec3::ZERO);
            let beyond = jc.abs().max(jd.abs()).max_element();
            fitting(
                within,
                "derivative at a third body of a custom joint",
                "0 between two bodies",
                beyond,
            )?;
        }
        check_derivatives(&JointKind::Custom(self.clone()), at, bodies)
    }
}

impl PartialEq for Custom {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
