//! Distance: two points keep their distance L, as if joined by a massless rod.
//!
//! Length form, n = d/|d|:                                 1 row, m
//! ```text
//! g = |d| − L
//! ġ = n·ḋ
//! J = [ −n, −r_a×n | n, r_b×n ]
//! k = n·(−ω_b² r_b + ω_a² r_a) + (|ḋ|² − (n·ḋ)²)/|d|
//! ```
//!
//! Squared form (the Θ of Anitescu & Hart's pendulum):     1 row, m²
//! ```text
//! g = d·d − L²
//! ġ = 2 d·ḋ
//! J = 2 [ −d, −r_a×d | d, r_b×d ]
//! k = 2 d·(−ω_b² r_b + ω_a² r_a) + 2 |ḋ|²
//! ```
//!
//! At d = 0 the length has no gradient; n is then taken along x, so that the rod still pushes the points
//! apart.

use super::hinge::Arms;
use super::{Equation, Unit};
use crate::model::body::Frame;
use glam::{DVec2, DVec3};

/// Which function of the distance is held at zero.
///
/// ```
/// use driftlab::prelude::*;
///
/// let rod = |form| JointKind::Distance(Distance { anchors: [DVec2::ZERO; 2], length: 1.0, form });
/// let [a, b] = [0.0, 2.0].map(|x| Frame::new(DVec3::new(x, 0.0, 0.0), DVec3::ZERO));
/// rod(DistanceForm::Length).equations(&a, &b, |row| assert_eq!((row.g, row.unit), (1.0, Unit::Metre)));
/// rod(DistanceForm::Squared).equations(&a, &b, |row| assert_eq!((row.g, row.unit), (3.0, Unit::SquareMetre)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum DistanceForm {
    /// g = |d| − L, m.
    #[default]
    Length,
    /// g = d·d − L², m².
    Squared,
}

/// A rod without mass.
///
/// ```
/// use driftlab::prelude::*;
///
/// let mut world = World::new(DVec2::ZERO);
/// let [a, b] = [0.0, 3.0].map(|x| world.add_body(Body::dynamic().at([x, 0.0]).mass_and_inertia(1.0, 1.0)));
/// let rod = Distance { anchors: [DVec2::ZERO; 2], length: 2.5, form: DistanceForm::Squared };
/// let rod = world.add_joint(Joint::between([a?, b?], JointKind::Distance(rod)))?;
/// assert_eq!(world.joint_error(), 3.0 * 3.0 - 2.5 * 2.5); // m²
/// # assert_eq!(world[rod].kind.rows(), 1);
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Distance {
    /// Anchors relative to the centres of mass, in the bodies' frames, m.
    pub anchors: [DVec2; 2],
    /// The distance L that is kept, m.
    pub length: f64,
    /// Length or squared.
    pub form: DistanceForm,
}

impl Distance {
    #[inline]
    pub(in crate::model) fn equations(&self, a: &Frame, b: &Frame, mut emit: impl FnMut(Equation)) {
        let Arms { r_a, r_b, d, d_dot, centripetal } = Arms::new(self.anchors, a, b);
        emit(match self.form {
            DistanceForm::Length => {
                let r = d.length();
                let (n, curvature) = if r > 0.0 {
                    let n = d / r;
                    let along = n.dot(d_dot);
                    (n, (d_dot.length_squared() - along * along) / r)
                } else {
                    (DVec2::X, 0.0)
                };
                Equation {
                    g: r - self.length,
                    ja: (-n).extend(-r_a.perp_dot(n)),
                    jb: n.extend(r_b.perp_dot(n)),
                    k: n.dot(centripetal) + curvature,
                    unit: Unit::Metre,
                }
            }
            DistanceForm::Squared => Equation {
                g: d.length_squared() - self.length * self.length,
                ja: 2.0 * DVec3::new(-d.x, -d.y, -r_a.perp_dot(d)),
                jb: 2.0 * DVec3::new(d.x, d.y, r_b.perp_dot(d)),
                k: 2.0 * (d.dot(centripetal) + d_dot.length_squared()),
                unit: Unit::SquareMetre,
            },
        });
    }
}
