//! How soft a joint, a limit or a contact is in a substep of the soft step, and which velocity its biased sweep requires.
//! `schemes/soft.rs` has the equation and the symbols.

use super::sequential_constraint::{Scales, SequentialConstraint, Source, Target};
use crate::model::{BodyKind, World};
use std::f64::consts::TAU;

/// Largest frequency of a joint in substep rates, and of a contact between bodies that move [Box2D 3.2.0].
pub(crate) const JOINT_SHARE: f64 = 0.25;
const CONTACT_SHARE: f64 = 0.125;
/// Factor by which a contact with a fixed body has a higher frequency [Box2D 3.2.0: `staticSoftness`].
const FIXED_FACTOR: f64 = 2.0;

/// A soft constraint at one substep length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Softened {
    /// r, 1/s.
    pub rate: f64,
    pub scales: Scales,
}

impl Softened {
    fn new([hertz, damping_ratio]: [f64; 2], h: f64) -> Self {
        let omega = TAU * hertz;
        let damping = 2.0 * damping_ratio + h * omega;
        let impulse = 1.0 / (1.0 + h * omega * damping);
        Self { rate: omega / damping, scales: Scales { mass: 1.0 - impulse, impulse } }
    }
}

/// The frequencies and damping ratios that the scheme's parameters set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hardness {
    /// f in Hz and ζ of joints and limits.
    pub joint: [f64; 2],
    /// f in Hz and ζ of contacts.
    pub contact: [f64; 2],
    /// Largest s_m b of a contact, m/s.
    pub push_speed: f64,
}

/// The softness of joints, limits and contacts at one substep length.
pub(crate) struct Softness {
    pub joint: Softened,
    pub contact: Softened,
    /// The softness of a contact with a fixed body.
    fixed: Softened,
    push_speed: f64,
}

impl Hardness {
    /// f in Hz, within its bounds at the substep length `h`, s, and ζ of a joint or limit, of a contact, and of one with a fixed
    /// body.
    pub fn oscillators(&self, h: f64) -> [[f64; 2]; 3] {
        let Self { joint, contact, .. } = *self;
        let hertz = contact[0].min(CONTACT_SHARE / h);
        [[joint[0].min(JOINT_SHARE / h), joint[1]], [hertz, contact[1]], [FIXED_FACTOR * hertz, contact[1]]]
    }

    /// The softness at the substep length `h`, s.
    pub fn at(&self, h: f64) -> Softness {
        let [joint, contact, fixed] = self.oscillators(h).map(|own| Softened::new(own, h));
        Softness { joint, contact, fixed, push_speed: self.push_speed }
    }
}

impl Softness {
    /// The right-hand side with the bias of the position error.
    pub fn biased(&self, world: &World, constraint: &SequentialConstraint, h: f64) -> Target {
        let phi = constraint.block.g[0];
        if constraint.source.is_unilateral() && phi > 0.0 {
            return Target::rigid([phi / h; 3]);
        }
        let Source::Contact(_) = constraint.source else {
            let Softened { rate, scales } = self.joint;
            return Target { bias: constraint.block.g.map(|g| rate * g), scales };
        };
        let fixed = [constraint.block.a, constraint.block.b]
            .iter()
            .any(|&i| world.bodies()[i].kind() == BodyKind::Fixed);
        let Softened { rate, scales } = if fixed { self.fixed } else { self.contact };
        // s_m b is at most the push speed.
        Target { bias: [(rate * phi).max(-self.push_speed / scales.mass); 3], scales }
    }
}
