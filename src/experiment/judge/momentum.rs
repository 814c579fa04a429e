//! The balance of momentum of each body over a step:
//!
//! ```text
//! r = M (v⁺ − v) − p_external − p_hand − Σ p                       N s, N s, N m s
//! ```
//!
//! It is rounding where every impulse is told. The rounding unit of a body is u times all that is added up, u = 2⁻²⁴ or 2⁻⁵³
//! of the recording's precision; moments count with what the lever turns: |L| + ρ |p|, ρ the radius of gyration.
//!
//! As a share, a moment that is left is held against the largest of |L| and ρ |p| of the step: moments of a step may be no more
//! than the rounding of impulses whose lever is none.

use super::impulses::Acting;
use super::moment::Moment;
use super::work::mass;
use crate::experiment::units::larger;
use crate::model::World;
use glam::DVec3;

/// The balance of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Balance {
    /// r by body; none where not every impulse is known, and of bodies that forces do not move.
    pub left: Vec<Option<DVec3>>,
    /// The largest |r| of a body, N s and N m s.
    pub linear: f64,
    pub angular: f64,
    /// Largest of |r| over the largest impulse of the step, and of moments over the largest |L| or ρ |p|.
    pub share: f64,
    /// Largest of |r| over the body's rounding unit.
    pub roundings: f64,
}

/// The balance, with the external impulses by body and the rounding `u`; none where no body can be judged.
pub(super) fn balance(
    world: &World,
    [begin, end]: [&Moment; 2],
    acting: &Acting,
    external: &[DVec3],
    u: f64,
    judged: impl Fn(usize) -> bool,
) -> Option<Balance> {
    let bodies = world.bodies().len();
    let (mut sums, mut sizes) = (vec![DVec3::ZERO; bodies], vec![[0.0; 2]; bodies]);
    let mut largest = [0.0_f64; 2];
    let masses: Vec<_> = (0..bodies).map(|body| mass(world, body)).collect();
    let gyration = |body: usize| {
        let m = masses[body];
        if m.x > 0.0 { (m.z / m.x).sqrt() } else { 0.0 }
    };
    let mut take = |body: usize, on: DVec3| {
        let (p, l) = (on.truncate().length(), on.z.abs());
        sums[body] += on;
        sizes[body][0] += p;
        sizes[body][1] += l + gyration(body) * p;
        if masses[body].x > 0.0 {
            largest = [larger(largest[0], p), larger(largest[1], larger(l, gyration(body) * p))];
        }
    };
    external
        .iter()
        .enumerate()
        .filter(|(_, on)| **on != DVec3::ZERO)
        .for_each(|(body, on)| take(body, *on));
    acting.pushes.iter().flat_map(|push| &push.on).for_each(|(body, on)| take(*body, *on));
    let mut own = Balance { left: vec![None; bodies], ..Balance::default() };
    let mut any = false;
    for body in 0..bodies {
        let m = masses[body];
        if m.x == 0.0 || acting.unknown[body] || !judged(body) {
            continue;
        }
        any = true;
        let (v, after) = (begin.v[body], end.v[body]);
        let mut left = m * (after - v) - sums[body];
        let moved = m * (after.abs() + v.abs());
        let change = (m * (after - v)).truncate().length();
        largest[0] = larger(largest[0], change);
        if m.z == 0.0 {
            left.z = 0.0; // whatever turns a body that cannot turn is borne by what holds it
        }
        own.left[body] = Some(left);
        let (linear, angular) = (left.truncate().length(), left.z.abs());
        own.linear = larger(own.linear, linear);
        own.angular = larger(own.angular, angular);
        let units = [u * (sizes[body][0] + moved.truncate().length()), u * (sizes[body][1] + moved.z)];
        for (left, unit) in [linear, angular].into_iter().zip(units) {
            let ratio = if left == 0.0 { 0.0 } else { left / unit };
            own.roundings = larger(own.roundings, ratio);
        }
    }
    for (left, whole) in [own.linear, own.angular].into_iter().zip(largest) {
        own.share = larger(own.share, if left == 0.0 || whole == 0.0 { 0.0 } else { left / whole });
    }
    any.then_some(own)
}
