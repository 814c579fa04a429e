//! The law of springs, suspensions and soft joints, held against the impulses that a line states:
//!
//! ```text
//! λ = −h (k s + d ṡ)          N s; of a torsional spring N m s
//! ```
//!
//! Where in the step a scheme evaluates s and ṡ is its own affair: at the beginning, at the end, between, or at the end as the
//! row of the beginning foresees it, s + h J v⁺ and J v⁺. What the law has over the step is therefore a range, from the least to
//! the largest of −h k s and of −h d ṡ at these places, and the departure from it is 0 within. A spring without a length at rest
//! has two rows, a soft joint up to three; its departure is the length of theirs. A stiffness, a damping or a length at rest that
//! is told wrong shows here, and nowhere else.

use super::impulses::{Acting, Cause};
use super::moment::Moment;
use crate::constraint::NamedRow;
use crate::experiment::units::larger;
use crate::model::JointId;
use crate::model::joint::Unit;
use crate::report::ConstraintId;
use glam::DVec3;
use std::collections::BTreeMap;

/// Rounding units of places and impulses below which a departure is none.
const ROUNDED: f64 = 64.0;

/// How far the springs of a step are from their law; none where there are none whose impulse is known.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Beyond {
    /// The largest, N s or N m s.
    pub impulse: Option<f64>,
    /// The largest over the spring's impulse, as stated or by its law, whichever is larger.
    pub share: Option<f64>,
}

/// Judges the springs of a step of `h` s, in an arithmetic of the rounding `u`.
pub(super) fn beyond(acting: &Acting, [begin, end]: [&Moment; 2], h: f64, u: f64) -> Beyond {
    let mut own = Beyond::default();
    // What else a soft joint has must be told apart from it.
    let is_told_alone = |id: JointId| {
        use ConstraintId::{Friction, LowerLimit, Motor, UpperLimit};
        let others = [Motor(id), Friction(id), LowerLimit(id), UpperLimit(id)];
        let mut beside =
            begin.rows.iter().chain(&end.rows).map(|row| row.constraint).filter(|own| others.contains(own));
        beside.all(|own| acting.pushes.iter().any(|push| push.cause.rows() == Some(own)))
    };
    let is_spring = |row: &NamedRow| match row.constraint {
        ConstraintId::Spring(_) => !row.row.arms().any(|(body, _)| acting.unknown[body]),
        // Without an entry of its own a suspension acts within its joint's.
        ConstraintId::Suspension(id) => {
            acting.pushes.iter().any(|push| push.cause == Cause::Suspension(id))
        }
        ConstraintId::Joint(id) => row.softness.is_some() && is_told_alone(id),
        _ => false,
    };
    let rows: Vec<_> = begin.rows.iter().zip(&end.rows).filter(|(row, _)| is_spring(row)).collect();
    for rows in rows.chunk_by(|(one, _), (other, _)| one.constraint == other.constraint) {
        let (mut left, mut size, mut rounding) = (0.0_f64, 0.0_f64, 0.0_f64);
        let turning = |row: &NamedRow| row.row.unit == Unit::Radian;
        let (along, about): (Vec<_>, Vec<_>) = rows.iter().partition(|(before, _)| !turning(before));
        // What forces there are have moments, which are no torques of the angle's row.
        let mut moments = BTreeMap::<usize, DVec3>::new();
        for (before, after) in along.into_iter().chain(about) {
            let Some(softness) = before.softness else { continue };
            let law = Law { begin, end, h, stiffness: softness.stiffness, damping: softness.damping };
            let range = law.range(before, after);
            let stated = [before, after].map(|row| stated(acting, row, &moments));
            for (body, j) in before.row.arms().filter(|_| !turning(before)) {
                *moments.entry(body).or_default() += stated[0] * j.with_x(0.0).with_y(0.0);
            }
            let apart = stated.map(|own| (range[0] - own).max(own - range[1]).max(0.0));
            left = left.hypot(apart[0].min(apart[1]));
            let most = range.into_iter().chain(stated).fold(0.0, |most, own| larger(most, own.abs()));
            size = size.hypot(most);
            rounding += ROUNDED * u * (most + law.size(before));
        }
        let left = if left <= rounding { 0.0 } else { left };
        own.impulse = Some(larger(own.impulse.unwrap_or(0.0), left));
        let share = if left == 0.0 { 0.0 } else { left / size };
        own.share = Some(larger(own.share.unwrap_or(0.0), share));
    }
    own
}

/// λ of the stated impulses Jᵀλ along a row: of forces by their parts in N s, of torques by that in N m s, so that the place of
/// no arm matters. `moments` are those of a joint's forces, about the centres of mass.
fn stated(acting: &Acting, row: &NamedRow, moments: &BTreeMap<usize, DVec3>) -> f64 {
    let counts = |own: DVec3| if row.row.unit == Unit::Radian { DVec3::Z * own.z } else { own.with_z(0.0) };
    let pushes = acting.pushes.iter().filter(|push| push.cause.rows() == Some(row.constraint));
    let mut on = BTreeMap::<usize, DVec3>::new();
    pushes.flat_map(|push| &push.on).for_each(|(body, p)| *on.entry(*body).or_default() += *p);
    moments.iter().for_each(|(body, own)| *on.entry(*body).or_default() -= *own);
    let (mut product, mut square) = (0.0, 0.0);
    for (body, p) in on {
        let j: DVec3 = row.row.arms().filter(|(own, _)| *own == body).map(|(_, j)| counts(j)).sum();
        (product, square) = (product + j.dot(p), square + j.length_squared());
    }
    if square > 0.0 { product / square } else { 0.0 }
}

/// The law of a row over a step.
struct Law<'a> {
    begin: &'a Moment,
    end: &'a Moment,
    h: f64,
    stiffness: f64,
    damping: f64,
}

impl Law<'_> {
    /// The least and the largest λ.
    fn range(&self, before: &NamedRow, after: &NamedRow) -> [f64; 2] {
        let foreseen = before.row.rate(&self.end.v);
        let s = [before.row.g, after.row.g, before.row.g + self.h * foreseen];
        let rates = [before.row.rate(&self.begin.v), after.row.rate(&self.end.v), foreseen];
        let least = |of: [f64; 3], by: f64| {
            of.map(|own| -self.h * by * own).into_iter().fold(f64::INFINITY, f64::min)
        };
        [
            least(s, self.stiffness) + least(rates, self.damping),
            -least(s, -self.stiffness) - least(rates, -self.damping),
        ]
    }

    /// What rounds in s and ṡ, as an impulse: coordinates and velocities of the row's bodies.
    fn size(&self, row: &NamedRow) -> f64 {
        let part =
            |own: DVec3| if row.row.unit == Unit::Radian { own.z.abs() } else { own.truncate().length() };
        let of = |all: &[DVec3]| row.row.arms().map(|(body, _)| part(all[body])).fold(0.0, larger);
        self.h * (self.stiffness * of(&self.begin.q) + self.damping * of(&self.begin.v))
    }
}
