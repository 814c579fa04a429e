//! The schemes that enforce constraints, in one table. Each has a file with its equation and the lines of its step.
//!
//! A scheme owns the whole advance of a step, because the order of the stages differs: post-stabilization solves twice, RATTLE
//! kicks twice. Schemes never name each other; the stages that they share are in `stages/`. `method_checks.rs` says before the
//! first step whether scheme, solver and world go together.

mod anitescu_hart;
mod baumgarte_acceleration;
mod baumgarte_velocity;
mod implicit;
mod method_checks;
mod ngs;
mod none;
mod post_stabilization;
mod projection;
mod rattle;
mod soft;
mod split_impulse;
mod xpbd;

#[doc(hidden)]
pub use self::{anitescu_hart::GAMMA, baumgarte_acceleration::BETA};
pub use method_checks::SolverNote;

use crate::method::{Method, Scheme, Stabilizer};

/// Makes the table, and seals each scheme in it.
macro_rules! schemes {
    ($($scheme:path,)+) => {
        /// All schemes, in the order in which the literature came to them.
        pub static TABLE: &[&dyn Scheme] = &[$(&$scheme),+];
        $(#[cfg(not(feature = "unstable-schemes"))] impl crate::method::sealed::Sealed for $scheme {})+
    };
}

schemes! {
    none::None,
    baumgarte_velocity::BaumgarteVelocity,
    baumgarte_acceleration::BaumgarteAcceleration,
    post_stabilization::PostStabilization,
    anitescu_hart::AnitescuHart,
    implicit::Implicit,
    projection::Projection,
    rattle::Rattle,
    ngs::Ngs,
    split_impulse::SplitImpulse,
    soft::Soft,
    xpbd::Xpbd,
}

impl Stabilizer {
    /// The scheme with this key and default parameters.
    pub fn by_key(key: &str) -> Option<Self> {
        TABLE.iter().copied().find(|scheme| scheme.info().key == key).map(Self::from)
    }
}

impl Method {
    /// The scheme with this key and the default parameters of a short time step, which [`Method::at_step`] adapts.
    pub fn by_key(key: &str) -> Option<Self> {
        Stabilizer::by_key(key).map(Self::new)
    }
}
