//! The typical force of contacts and of joints, to which the length of arrows refers.
//!
//! It is the 90th percentile over those that act, and follows the scene's forces within a fraction of a second: an
//! impact shows as long arrows, not as a change of scale.

use crate::report::{ConstraintId, ConstraintImpulse};
use crate::workbench::runs::force_balance::Account;

/// The share of the forces that are not larger.
const PERCENTILE: f64 = 0.9;
/// Simulated time after which a change of the forces has changed the scale by the factor e of its way, s.
const FOLLOWS_IN: f64 = 0.2;
/// Forces below this fraction of the largest are left out: they are not seen and would move the percentile.
const ACTS: f64 = 1e-6;

/// Typical forces, N; 0 until one has acted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Typical {
    /// Typical force of contacts, N.
    pub contacts: f64,
    /// Typical force of joints, N.
    pub joints: f64,
}

impl Typical {
    /// Follows the forces of a step to which `seconds` of simulated time have led.
    pub fn follow(&mut self, account: &Account, seconds: f64) {
        let Self { contacts, joints } = self;
        let is_contact = |id| matches!(id, ConstraintId::Contact(_));
        let is_joint = |id| {
            // A rope pulls by its limit.
            use ConstraintId::{Joint, LowerLimit, UpperLimit};
            matches!(id, Joint(_) | LowerLimit(_) | UpperLimit(_))
        };
        approach(contacts, percentile(account, is_contact), seconds);
        approach(joints, percentile(account, is_joint), seconds);
    }
}

/// Moves `present` towards `target` by the logarithm.
fn approach(present: &mut f64, target: Option<f64>, seconds: f64) {
    let Some(target) = target else { return };
    let way = -(-seconds / FOLLOWS_IN).exp_m1();
    *present = if *present > 0.0 { *present * (target / *present).powf(way) } else { target };
}

/// The percentile of the forces of the constraints that are `chosen`, N; none if none acts.
fn percentile(account: &Account, chosen: impl Fn(ConstraintId) -> bool) -> Option<f64> {
    let force = |impulse: &ConstraintImpulse| impulse.on_bodies[1].truncate().length() / account.duration();
    let all = account.impulses().iter().filter(|impulse| chosen(impulse.constraint));
    let mut forces: Vec<f64> = all.map(force).filter(|force| force.is_finite()).collect();
    let least = ACTS * forces.iter().copied().fold(0.0, f64::max);
    forces.retain(|force| *force > least);
    let last = forces.len().checked_sub(1)?;
    let place = (PERCENTILE * last as f64).round() as usize;
    Some(*forces.select_nth_unstable_by(place, f64::total_cmp).1)
}
