//! Non-holonomic constraints: N(q) v = v₀(t), a demand on velocities with no g(q) to return to.
//!
//! ```text
//! e = N(q) v − v₀(t)                                                   m/s      [Hong et al., eqs. 25 and 33]
//! ė = N v̇ + (N v)_q v − v̇₀
//! ```
//!
//! (N v)_q v is the derivative of N v along q̇ = v with v held: what J̇ v is to a joint. Each kind stands in its own
//! file, with N and (N v)_q v derived above the code. What its velocity error has moved the body by cannot be seen
//! in q, so no correction of positions knows of it; Baumgarte's ∫e dt is its only memory, and state of the world
//! [Hong et al., eq. 32].

mod knife_edge;
mod prescribed_velocity;
mod rolling;

pub use knife_edge::KnifeEdge;
pub use prescribed_velocity::{PrescribedVelocity, VelocityLaw};
pub use rolling::{Rolling, Surface};

use super::body::Frame;
use super::error::{ModelError, finite};
use glam::{DVec2, DVec3};

/// Most rows of a constraint.
pub const MOST_ROWS: usize = 2;

/// One scalar row of N with its velocity-product term at (q, v).
#[derive(Clone, Copy, Debug)]
pub struct VelocityEquation {
    /// N, the factors of (vx, vy, ω) of body a.
    pub na: DVec3,
    /// N, the factors of (vx, vy, ω) of body b.
    pub nb: DVec3,
    /// (N v)_q v, m/s².
    pub k: f64,
}

/// What one row's velocity is to be at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prescribed {
    /// v₀(t), m/s.
    pub value: f64,
    /// v̇₀(t), m/s².
    pub rate: f64,
}

/// A constraint's kind and geometry.
#[derive(Clone, Debug, PartialEq)]
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

    /// Body a and body b; the same one twice, with N = 0 for a, where the velocity is one in the world.
    pub fn bodies(&self) -> [usize; 2] {
        match self {
            Self::KnifeEdge(n) => [n.body; 2],
            Self::Rolling(n) => [n.on, n.body],
            Self::PrescribedVelocity(n) => [n.body; 2],
        }
    }

    /// Whether the velocity is one in the world, and not of one body against another.
    pub(in crate::model) fn is_of_one_body(&self) -> bool {
        !matches!(self, Self::Rolling(_))
    }

    /// Appends the rows at the frames' poses and velocities.
    #[inline]
    pub fn equations(&self, a: &Frame, b: &Frame, mut emit: impl FnMut(VelocityEquation)) {
        match self {
            Self::KnifeEdge(n) => emit(n.equation(b)),
            Self::Rolling(n) => emit(n.equation(a, b)),
            Self::PrescribedVelocity(n) => n.equations(b, emit),
        }
    }

    /// v₀ and v̇₀ of each row at time `t`, s; only as many as it has rows mean anything.
    pub fn prescribed(&self, t: f64) -> [Prescribed; MOST_ROWS] {
        match self {
            Self::KnifeEdge(_) | Self::Rolling(_) => Default::default(),
            Self::PrescribedVelocity(n) => n.law.at(t),
        }
    }
}

/// A non-holonomic constraint of a world.
#[derive(Clone, Debug, PartialEq)]
pub struct Nonholonomic {
    /// Kind and geometry.
    pub kind: NonholonomicKind,
    /// ∫ e dt of each row since the start, m, as far as a scheme has summed it up. Part of the state.
    pub integral: [f64; MOST_ROWS],
}

impl Nonholonomic {
    /// A constraint that has seen no error yet.
    pub fn new(kind: NonholonomicKind) -> Self {
        Self { kind, integral: [0.0; MOST_ROWS] }
    }

    /// Checks that its geometry and velocities mean something.
    pub(in crate::model) fn check(&self) -> Result<(), ModelError> {
        self.integral.iter().try_for_each(|sum| finite("integral", *sum).map(drop))?;
        match &self.kind {
            NonholonomicKind::KnifeEdge(n) => n.check(),
            NonholonomicKind::Rolling(n) => n.check(),
            NonholonomicKind::PrescribedVelocity(n) => n.check(),
        }
    }
}

/// Accepts a vector of finite components.
fn finite_vector(quantity: &'static str, v: DVec2) -> Result<(), ModelError> {
    finite(quantity, v.x)?;
    finite(quantity, v.y)?;
    Ok(())
}
