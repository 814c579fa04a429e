//! Contacts that keep their anchors: the points of both bodies at which they met when the contact was found, and the
//! normal there.
//!
//! ```text
//! at q₀, where the contact was found:   x_a + r_a = x_b + r_b ,  n ,  φ₀
//! at q, where a step begins:            φ = φ₀ + n·(x_b + R_b r_b − x_a − R_a r_a) ,    R = R(θ − θ₀)
//! within the step:                      φ + n·(Δx_b + R(Δθ_b) r_b − r_b − Δx_a − R(Δθ_a) r_a + r_a)
//! J_n v = n·(v_b + ω_b × r_b − v_a − ω_a × r_a) ,   J_t likewise with t = perp(n)
//! ```
//!
//! r_a, r_b and n keep their directions in the world, and J with them, until the bodies have moved against each other
//! [Box2D 3.2.0: `b2CollideTask`, `b2PrepareContacts`]. With d their way in the axes of a, δ their turn and ρ the larger
//! radius of the two pieces about their bodies' centres, zero of a fixed body, the contact is found anew at
//!
//! ```text
//! |d| + ρ |sin δ| ≥ the recycling distance ,    or where a body has turned by cos (θ − θ₀) ≤ 0.98
//! ```
//!
//! Detection says which contacts there are, and only where they are is kept.

use crate::detect::Gap;
use crate::math::Rotation;
use crate::model::joint::{Equation, Unit};
use glam::{DVec2, DVec3};

/// Cosine of the largest turn [Box2D 3.2.0: `B2_CONTACT_RECYCLE_COS_ANGLE`].
const TURNED: f64 = 0.98;

/// The anchors of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Anchors {
    normal: DVec2,
    /// r_a and r_b, m, and θ₀ of both bodies, rad.
    arms: [DVec2; 2],
    angles: [f64; 2],
    /// φ₀, m.
    gap: f64,
    /// q of the bodies when the step began, and φ there.
    start: [DVec3; 2],
    start_gap: f64,
}

/// How many numbers of [`Anchors`] outlast a step.
pub(crate) const KEPT: usize = 9;

impl Anchors {
    /// Those of a contact that is found with this gap at the poses q.
    pub fn found(gap: &Gap, q: [DVec3; 2]) -> Self {
        let arms = q.map(|q| gap.point - q.truncate());
        let (angles, start_gap) = (q.map(|q| q.z), gap.phi);
        Self { normal: gap.normal, arms, angles, gap: gap.phi, start: q, start_gap }
    }

    /// Those of the last step, at the poses q with which this one begins.
    pub fn kept(numbers: &[f64], q: [DVec3; 2]) -> Option<Self> {
        let &[nx, ny, ax, ay, bx, by, of_a, of_b, gap] = numbers else { return None };
        let [normal, a, b] = [[nx, ny], [ax, ay], [bx, by]].map(DVec2::from_array);
        let (arms, angles) = ([a, b], [of_a, of_b]);
        let [end_a, end_b] =
            [0, 1].map(|side| Rotation::from_angle(q[side].z - angles[side]).apply(arms[side]));
        let start_gap = gap + normal.dot((q[1] - q[0]).truncate() + (end_b - end_a));
        Some(Self { normal, arms, angles, gap, start: q, start_gap })
    }

    pub fn numbers(&self) -> [f64; KEPT] {
        let Self { normal, arms: [a, b], angles: [of_a, of_b], gap, .. } = *self;
        [normal.x, normal.y, a.x, a.y, b.x, b.y, of_a, of_b, gap]
    }

    /// Whether the bodies, of which the larger piece has this radius, have moved by less than `distance`, m, at the step's start.
    pub fn hold(&self, radius: f64, distance: f64) -> bool {
        let [a, b] = [0, 1].map(|side| self.start[side].z - self.angles[side]);
        let between = (self.start[1] - self.start[0]).truncate();
        let moved = Rotation::from_angle(a).inverse_apply(between) - (self.arms[0] - self.arms[1]);
        let turned = libm::cos(a).min(libm::cos(b));
        turned > TURNED && moved.length() + radius * libm::sin(b - a).abs() < distance
    }

    /// Half way between the two anchors at the step's start, m.
    pub fn point(&self) -> DVec2 {
        let ends = [0, 1].map(|side| {
            let turned = Rotation::from_angle(self.start[side].z - self.angles[side]);
            self.start[side].truncate() + turned.apply(self.arms[side])
        });
        0.5 * (ends[0] + ends[1])
    }

    /// The normal and the tangential row at the step's start.
    pub fn rows(&self) -> [Equation; 2] {
        [(self.normal, self.start_gap), (self.normal.perp(), 0.0)].map(|(along, g)| {
            let [ja, jb] = self.arms.map(|arm| along.extend(arm.perp_dot(along)));
            Equation { g, ja: -ja, jb, k: 0.0, unit: Unit::Metre }
        })
    }

    /// φ at the poses q within the step.
    pub fn gap_at(&self, q: [DVec3; 2]) -> f64 {
        let [a, b] = [0, 1].map(|side| {
            let (moved, arm) = (q[side] - self.start[side], self.arms[side]);
            moved.truncate() + (Rotation::from_angle(moved.z).apply(arm) - arm)
        });
        self.start_gap + self.normal.dot(b - a)
    }
}
