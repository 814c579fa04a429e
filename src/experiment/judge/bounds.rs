//! Bounds of what acts along a joint's coordinate:
//!
//! ```text
//! |λ| ≤ h F_max of motors and friction ,     λ ≥ 0 of lower limits, ≤ 0 of upper ones           N s or N m s
//! ```

use super::impulses::{Acting, Cause, Push};
use super::moment::Moment;
use crate::experiment::units::larger;
use crate::report::ConstraintId;
use glam::DVec3;

/// By how much the bounds of a step are broken, N s or N m s; none where nothing with such a bound acts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Broken {
    /// |λ| − h F_max of motors and friction, where that is positive.
    pub motors: Option<f64>,
    /// |λ| of a limit that pulls.
    pub limits: Option<f64>,
}

/// Judges all entries of a step.
pub(super) fn broken(acting: &Acting, [begin, end]: [&Moment; 2], h: f64) -> Broken {
    let mut own = Broken::default();
    for push in &acting.pushes {
        let (constraint, sign) = match push.cause {
            Cause::Motor(id) => (ConstraintId::Motor(id), 0.0),
            Cause::Friction(id) => (ConstraintId::Friction(id), 0.0),
            Cause::Lower(id) => (ConstraintId::LowerLimit(id), 1.0),
            Cause::Upper(id) => (ConstraintId::UpperLimit(id), -1.0),
            _ => continue,
        };
        // What acted on the bodies has the sign, whatever the writer's sign of the coordinate is.
        let acted = along(push, constraint, begin);
        let size = push.along.or(acted).map(f64::abs);
        let Some(along) = size.map(|size| size.copysign(acted.or(push.along).unwrap_or_default())) else {
            continue;
        };
        if sign != 0.0 {
            own.limits = Some(larger(own.limits.unwrap_or_default(), (-sign * along).max(0.0)));
            continue;
        }
        let most = [begin, end].into_iter().filter_map(|moment| {
            let row = moment.rows.iter().find(|own| own.constraint == constraint)?;
            row.most_force
        });
        let Some(most) = most.reduce(f64::max) else { continue };
        own.motors = Some(larger(own.motors.unwrap_or_default(), (along.abs() - h * most).max(0.0)));
    }
    own
}

/// λ of impulses Jᵀλ, along the joint's coordinate.
fn along(push: &Push, constraint: ConstraintId, begin: &Moment) -> Option<f64> {
    let row = begin.rows.iter().find(|own| own.constraint == constraint)?;
    let (mut product, mut square) = (0.0, 0.0);
    for (body, on) in &push.on {
        let j: DVec3 = row.row.arms().filter(|(own, _)| own == body).map(|(_, j)| j).sum();
        (product, square) = (product + j.dot(*on), square + j.length_squared());
    }
    let sign = if matches!(constraint, ConstraintId::UpperLimit(_)) { -1.0 } else { 1.0 };
    (square > 0.0).then(|| sign * product / square)
}
