//! What breaks joints, motors and springs: a largest force and a largest torque.
//!
//! At the end of a step of length h a part is broken whose mean reaction over the step is beyond its limit,
//!
//! ```text
//! |Σ p| / h > F_max     or     |Σ m| / h > M_max
//! ```
//!
//! p are the impulses on body b (N s) and m those of the rows of an angle (N m s), of the step's ledger: of the joint's
//! equations, its limits and its motor together. An impact counts with its impulse over h: a shorter step makes it a larger
//! force. A broken part takes no part in later steps.

use super::error::{ModelError, not_negative};

/// The largest reaction that a joint or spring bears; what is absent is unbounded.
///
/// ```
/// use driftlab::prelude::*;
///
/// let mut world = World::new([0.0, -10.0]);
/// let ceiling = world.add_body(Body::fixed())?;
/// let lamp = world.add_body(Body::dynamic().at([0.0, -1.0]).mass_and_inertia(2.0, 1.0))?;
/// let hook = world.add_joint(Joint::distance(ceiling, lamp).breaks_at(Breaking { force: Some(15.0), ..Breaking::default() }))?;
/// let report = step(&mut world, &Method::none(), 0.01, &mut Workspace::default())?;
/// assert_eq!((report.broken, world[hook].broken), (1, true)); // it would have to carry 20 N
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Breaking {
    /// The largest force, N.
    pub force: Option<f64>,
    /// The largest torque, N m: of rows of an angle.
    pub torque: Option<f64>,
    /// The largest torque (N m) or force (N) of the joint's motor, which alone breaks beyond it.
    pub motor: Option<f64>,
}

impl Breaking {
    /// Whether the reaction of a force, N, and a torque, N m, is beyond the limits.
    pub(crate) fn is_passed(&self, force: f64, torque: f64) -> bool {
        self.force.is_some_and(|most| force > most) || self.torque.is_some_and(|most| torque > most)
    }

    /// Checks that no limit is below zero or not finite.
    pub(super) fn check(&self) -> Result<(), ModelError> {
        let Self { force, torque, motor } = *self;
        let limits = [
            ("breaking force", force),
            ("breaking torque", torque),
            ("breaking force of the motor", motor),
        ];
        limits
            .into_iter()
            .filter_map(|(what, limit)| Some((what, limit?)))
            .try_for_each(|(what, limit)| not_negative(what, limit))
    }
}
