//! Non-holonomic constraints: N(q) v = v₀(t), equations for velocities that are not the derivative of a position
//! constraint g(q).
//!
//! ```text
//! e = N(q) v − v₀(t)                                                   m/s      [Hong et al., eqs. 25 and 33]
//! ė = N v̇ + (N v)_q v − v̇₀
//! ```
//!
//! (N v)_q v is the derivative of N v along q̇ = v at constant v, the counterpart of a joint's J̇ v. N and
//! (N v)_q v of each kind are derived above its code. The displacement that velocity errors have caused
//! cannot be computed from q, so that no position correction can remove it. Only Baumgarte's ∫e dt accumulates it,
//! and is therefore part of the world's state [Hong et al., eq. 32].

use super::body::Frame;
use super::error::{ModelError, finite, finite_vector, positive};
use super::joint::{Equation, Unit};
use crate::math::Rotation;
use glam::{DVec2, DVec3};

/// Largest number of rows of a constraint.
pub const MOST_ROWS: usize = 2;

/// One scalar row of N, the factors of (vx, vy, ω) of body a and body b, with k = (N v)_q v at (q, v), m/s²; it has no g.
fn velocity_equation(na: DVec3, nb: DVec3, k: f64) -> Equation {
    Equation { g: 0.0, ja: na, jb: nb, k, unit: Unit::Metre }
}

/// The prescribed velocity of one row at a given time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prescribed {
    /// v₀(t), m/s.
    pub value: f64,
    /// v̇₀(t), m/s².
    pub rate: f64,
}

/// A constraint's kind and geometry.
///
/// ```
/// use driftlab::model::nonholonomic::KnifeEdge;
/// use driftlab::prelude::*;
///
/// let blade = NonholonomicKind::KnifeEdge(KnifeEdge { anchor: DVec2::ZERO, axis: DVec2::X });
/// assert_eq!((blade.key(), blade.rows()), ("knife_edge", 1));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum NonholonomicKind {
    /// A point does not move across a blade; 1 row.
    KnifeEdge(KnifeEdge),
    /// A disk rolls without slipping; 1 row.
    Rolling(Rolling),
    /// A point has a given velocity; 2 rows.
    PrescribedVelocity(PrescribedVelocity),
}

impl NonholonomicKind {
    /// The kind's name in scene files.
    pub fn key(&self) -> &'static str {
        match self {
            Self::KnifeEdge(_) => "knife_edge",
            Self::Rolling(_) => "rolling",
            Self::PrescribedVelocity(_) => "prescribed_velocity",
        }
    }

    /// How many scalar rows it has.
    pub fn rows(&self) -> usize {
        match self {
            Self::KnifeEdge(_) | Self::Rolling(_) => 1,
            Self::PrescribedVelocity(_) => MOST_ROWS,
        }
    }

    /// Whether the constraint acts on a single body's velocity in the world, and not on the relative velocity of two
    /// bodies.
    pub(super) fn is_of_one_body(&self) -> bool {
        !matches!(self, Self::Rolling(_))
    }

    /// Appends the rows at the frames' poses and velocities: N as J, (N v)_q v as k, and zero as g.
    #[inline]
    pub fn equations(&self, a: &Frame, b: &Frame, mut emit: impl FnMut(Equation)) {
        match self {
            Self::KnifeEdge(n) => emit(n.equation(b)),
            Self::Rolling(n) => emit(n.equation(a, b)),
            Self::PrescribedVelocity(n) => n.equations(b, emit),
        }
    }

    /// v₀ and v̇₀ of each row at time `t`, s; only the first `rows()` entries are meaningful.
    pub fn prescribed(&self, t: f64) -> [Prescribed; MOST_ROWS] {
        match self {
            Self::KnifeEdge(_) | Self::Rolling(_) => Default::default(),
            Self::PrescribedVelocity(n) => n.law.at(t),
        }
    }
}

/// A non-holonomic constraint of a world.
///
/// ```
/// use driftlab::model::nonholonomic::KnifeEdge;
/// use driftlab::prelude::*;
///
/// // A skate glides along its blade and never across.
/// let mut world = World::new(DVec2::ZERO);
/// let skate = world.add_body(Body::dynamic().shape(Shape::rectangle(1.0, 0.1)).velocity([1.0, 1.0]))?;
/// let blade = KnifeEdge { anchor: DVec2::ZERO, axis: DVec2::X };
/// world.add_nonholonomic([skate; 2], NonholonomicKind::KnifeEdge(blade))?;
/// step(&mut world, &Method::anitescu_hart(), 1e-3, &mut Workspace::default())?;
/// assert!((world[skate].velocity.linear - DVec2::X).length() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Nonholonomic {
    pub(crate) bodies: [usize; 2],
    /// Kind and geometry.
    pub kind: NonholonomicKind,
    /// ∫ e dt of each row since the start, m, accumulated by the schemes that use it. Part of the state.
    pub integral: [f64; MOST_ROWS],
}

impl Nonholonomic {
    /// A constraint without accumulated error, between the bodies at the given indices, for [`World::insert_nonholonomic`].
    ///
    /// [`World::insert_nonholonomic`]: crate::model::World::insert_nonholonomic
    pub fn new(bodies: [usize; 2], kind: NonholonomicKind) -> Self {
        Self { bodies, kind, integral: [0.0; MOST_ROWS] }
    }

    /// Indices of body a and body b among the world's bodies; for a constraint on a single body the same index twice,
    /// with N = 0 for a.
    pub fn bodies(&self) -> [usize; 2] {
        self.bodies
    }

    /// Checks its geometry and its velocities.
    pub(super) fn check(&self) -> Result<(), ModelError> {
        self.integral.iter().try_for_each(|sum| finite("integral", *sum))?;
        match &self.kind {
            NonholonomicKind::KnifeEdge(n) => n.check(),
            NonholonomicKind::Rolling(n) => n.check(),
            NonholonomicKind::PrescribedVelocity(n) => n.check(),
        }
    }
}

// Knife edge: a point of a body moves along a blade fixed in the body, never across it.
//
// With r the arm of the point and n = R n₀ the normal of the blade, n₀ its axis turned by +90°, so that
// ṙ = ω r^⊥ and ṅ = ω n^⊥, and n^⊥·r^⊥ = n·r:
//   e         = n·(v + ω r^⊥)                                1 row, m/s
//   N         = [ n, r×n ]                                   v₀ = 0
//   (N v)_q v = ω n^⊥·v + ω² n^⊥·r^⊥ − ω² n·r = ω n^⊥·v
// A skate, a plough, the wheel of a trolley. It does no work: λ n·(v + ω r^⊥) = 0.

/// A blade fixed in a body.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KnifeEdge {
    /// Where the blade is, relative to the centre of mass, in the body's frame, m.
    pub anchor: DVec2,
    /// Unit vector along the blade, in the body's frame.
    pub axis: DVec2,
}

impl KnifeEdge {
    #[inline]
    fn equation(&self, b: &Frame) -> Equation {
        let r = b.rotation.apply(self.anchor);
        let n = b.rotation.apply(self.axis).perp();
        velocity_equation(DVec3::ZERO, n.extend(r.perp_dot(n)), b.angular * n.perp().dot(b.linear))
    }

    fn check(&self) -> Result<(), ModelError> {
        finite_vector("anchor of the knife edge", self.anchor)?;
        positive("length of axis", self.axis.length())
    }
}

// Rolling: a disk touches the surface of another body with a point that does not slip.
//
// The disk b has the radius ρ about its centre of mass; n is the unit normal of the surface of body a towards the
// disk, t = −n^⊥ the tangent (to the right where n is up). With d from a's centre of mass to the disk's, the
// contact point p = x_b − ρ n lies at the arm c = d − ρ n of body a. The material points there have the same
// velocity along t; since n^⊥ = −t and c×t = −n·c,
//   e = t·(v_b + ω_b (−ρ n)^⊥) − t·(v_a + ω_a c^⊥)
//     = t·(v_b − v_a) + ρ ω_b + ω_a n·c                      1 row, m/s
//   N = [ −t, n·c | t, ρ ] ,   n·c = n·d − ρ ,   v₀ = 0
// On a fixed line that is t·v + ρ ω = 0. With ṅ = −ψ̇ t, ṫ = ψ̇ n (ψ̇ the rate at which the normal turns),
//   (N v)_q v = ψ̇ n·(v_b − v_a) + ω_a (n·d)˙
//   straight: n fixed in a,  ψ̇ = ω_a ,              (n·d)˙ = n·ḋ − ψ̇ t·d
//   round:    n = D/|D| from the centre of the surface at the arm s of a,  D = d − s ,  Ḋ = ḋ − ω_a s^⊥ ,
//             ψ̇ = −t·Ḋ/|D| ,                         (n·d)˙ = n·ḋ − ψ̇ t·d
// The equation is imposed whether the disk touches or not: a contact or a joint must keep the disk on the surface.
// Along a straight line the constraint could be integrated to one on x + ρ θ, but is not.

/// The surface that a disk rolls on, as it is fixed in its body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Surface {
    /// A line; its unit normal towards the disk, in the body's frame.
    Straight(DVec2),
    /// The outside of a circle; its centre relative to the centre of mass, in the body's frame, m.
    Round(DVec2),
}

/// A disk, body b, that rolls on body a without slipping.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rolling {
    /// Radius of the disk about its centre of mass, m.
    pub radius: f64,
    /// The surface on which it rolls.
    pub surface: Surface,
}

impl Rolling {
    #[inline]
    fn equation(&self, a: &Frame, b: &Frame) -> Equation {
        let d = b.position - a.position;
        let d_dot = b.linear - a.linear;
        let (n, turning) = match self.surface {
            Surface::Straight(normal) => (a.rotation.apply(normal), a.angular),
            Surface::Round(center) => {
                let s = a.rotation.apply(center);
                let (away, distance) = ((d - s).normalize_or(DVec2::Y), (d - s).length());
                let tangential = -away.perp().dot(d_dot - a.angular * s.perp());
                (away, if distance > 0.0 { -tangential / distance } else { 0.0 })
            }
        };
        let t = -n.perp();
        let lever = n.dot(d) - self.radius;
        let widening = n.dot(d_dot) - turning * t.dot(d);
        let k = turning * n.dot(d_dot) + a.angular * widening;
        velocity_equation((-t).extend(lever), t.extend(self.radius), k)
    }

    fn check(&self) -> Result<(), ModelError> {
        positive("radius", self.radius)?;
        match self.surface {
            Surface::Straight(normal) => positive("length of normal", normal.length()),
            Surface::Round(center) => finite_vector("center of the surface", center),
        }
    }
}

// Prescribed velocity: the velocity of a body's point is a given function of time.
//
//   e         = v + ω r^⊥ − v₀(t)                            2 rows, m/s
//   N         = [ 1 0 −r_y ; 0 1 r_x ]
//   (N v)_q v = −ω² r
//
// The velocity is constant, or that of a point that circles c at the rate Ω from p₀ at t = 0:
//   v₀(t) = Ω (R(Ωt) (p₀ − c))^⊥ ,    v̇₀(t) = −Ω² R(Ωt) (p₀ − c)
// The constraint could be integrated to one on the position, but is not [Hong et al., section 5]: velocity errors
// let the point drift off its circle. It does work.

/// A velocity as a function of time.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum VelocityLaw {
    /// Constant, m/s.
    Constant(DVec2),
    /// The velocity of a point on a circle.
    Circle {
        /// c, m.
        center: DVec2,
        /// p₀, where the point is at t = 0, m.
        start: DVec2,
        /// Ω, rad/s, counter-clockwise.
        rate: f64,
    },
}

impl VelocityLaw {
    /// v₀ and v̇₀ at time `t`, s.
    fn at(&self, t: f64) -> [Prescribed; MOST_ROWS] {
        let (value, rate) = match *self {
            Self::Constant(v) => (v, DVec2::ZERO),
            Self::Circle { center, start, rate } => {
                let arm = Rotation::from_angle(rate * t).apply(start - center);
                (rate * arm.perp(), -rate * rate * arm)
            }
        };
        [Prescribed { value: value.x, rate: rate.x }, Prescribed { value: value.y, rate: rate.y }]
    }
}

/// A point of a body with a prescribed velocity.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PrescribedVelocity {
    /// The point relative to the centre of mass, in the body's frame, m.
    pub anchor: DVec2,
    /// Its velocity.
    pub law: VelocityLaw,
}

impl PrescribedVelocity {
    #[inline]
    fn equations(&self, b: &Frame, mut emit: impl FnMut(Equation)) {
        let r = b.rotation.apply(self.anchor);
        let centripetal = -b.angular * b.angular * r;
        emit(velocity_equation(DVec3::ZERO, DVec3::new(1.0, 0.0, -r.y), centripetal.x));
        emit(velocity_equation(DVec3::ZERO, DVec3::new(0.0, 1.0, r.x), centripetal.y));
    }

    fn check(&self) -> Result<(), ModelError> {
        finite_vector("anchor of the prescribed velocity", self.anchor)?;
        match self.law {
            VelocityLaw::Constant(v) => finite_vector("prescribed velocity", v),
            VelocityLaw::Circle { center, start, rate } => {
                finite_vector("center of the circle", center)?;
                finite_vector("start on the circle", start)?;
                finite("rate of the circle", rate)
            }
        }
    }
}
