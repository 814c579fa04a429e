//! Rope: the distance of two points is at most its length L, and may have a least value.
//!
//! A rope has no equation. Its coordinate is the distance of its ends,
//!
//! ```text
//! x = |d| ,   ẋ = n·ḋ ,   n = d/|d| ,
//! ```
//!
//! with J and k of the length form in `distance.rs`, and the limits [shortest, longest] of the joint bound it:
//!
//! ```text
//! 0 ≤ φ = longest − x  ⊥  λ ≥ 0 ,    0 ≤ φ = x − shortest  ⊥  λ ≥ 0
//! ```
//!
//! The first row is a taut rope, which pulls; the second one a strut, which pushes. A rope that becomes taut is an impact:
//! it leaves ẋ⁺ = −e ẋ⁻ with the restitution e of the joint, 0 by default. Where the ends coincide x has no gradient; n is
//! then along the x axis, and the row of a slack rope takes no part.

use super::Equation;
use super::distance::{Distance, DistanceForm};
use crate::model::body::Frame;
use glam::DVec2;

/// A rope without mass; its length is the upper limit of its joint.
///
/// ```
/// use driftlab::prelude::*;
///
/// let mut world = World::new([0.0, -9.81]);
/// let hook = world.add_body(Body::fixed())?;
/// let bob = world.add_body(Body::dynamic().at([0.0, -0.5]).mass_and_inertia(1.0, 0.1))?;
/// let rope = world.add_joint(Joint::rope(hook, bob, 1.0))?;
/// assert_eq!((world[rope].kind.rows(), world[rope].limits), (0, Some([f64::NEG_INFINITY, 1.0])));
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rope {
    /// Anchors relative to the centres of mass, in the bodies' frames, m.
    pub anchors: [DVec2; 2],
}

impl Rope {
    /// x with its derivatives.
    #[inline]
    pub(super) fn coordinate(&self, a: &Frame, b: &Frame) -> Equation {
        let mut x = None;
        let points = Distance { anchors: self.anchors, length: 0.0, form: DistanceForm::Length };
        points.equations(a, b, |row| x = Some(row));
        x.unwrap_or(Equation::NONE)
    }

    /// The elongation of a soft rope beyond `limits`; a row without g and J between them.
    pub(super) fn elongation(&self, limits: Option<[f64; 2]>, a: &Frame, b: &Frame) -> Equation {
        let x = self.coordinate(a, b);
        let [shortest, longest] = limits.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        if x.g > longest {
            Equation { g: x.g - longest, ..x }
        } else if x.g < shortest {
            Equation { g: x.g - shortest, ..x }
        } else {
            Equation::NONE
        }
    }
}
