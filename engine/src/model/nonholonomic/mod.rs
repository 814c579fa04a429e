//! Non-holonomic constraints: N(q) v = v₀(t), equations for velocities that are not the derivative of a position
//! constraint g(q).
//!
//! ```text
//! e = N(q) v − v₀(t)                                                   m/s      [Hong et al., eqs. 25 and 33]
//! ė = N v̇ + (N v)_q v − v̇₀
//! ```
//!
//! (N v)_q v is the derivative of N v along q̇ = v at constant v, the counterpart of a joint's J̇ v. Each kind stands
//! in its own file, with N and (N v)_q v derived above the code. The displacement that velocity errors have caused
//! cannot be computed from q, so that no position correction can remove it. Only Baumgarte's ∫e dt accumulates it,
//! and is therefore part of the world's state [Hong et al., eq. 32].

mod knife_edge;
mod prescribed_velocity;
mod rolling;

pub use knife_edge::KnifeEdge;
pub use prescribed_velocity::{PrescribedVelocity, VelocityLaw};
pub use rolling::{Rolling, Surface};

use super::body::Frame;
use super::error::{ModelError, finite};
use super::joint::{Equation, Unit};
use glam::DVec3;

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
    pub(in crate::model) fn is_of_one_body(&self) -> bool {
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
/// world.add_nonholonomic(Nonholonomic::on(skate, NonholonomicKind::KnifeEdge(blade)))?;
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
    pub(in crate::model) fn check(&self) -> Result<(), ModelError> {
        self.integral.iter().try_for_each(|sum| finite("integral", *sum))?;
        match &self.kind {
            NonholonomicKind::KnifeEdge(n) => n.check(),
            NonholonomicKind::Rolling(n) => n.check(),
            NonholonomicKind::PrescribedVelocity(n) => n.check(),
        }
    }
}
