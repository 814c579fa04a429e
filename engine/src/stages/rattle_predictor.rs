//! The end of RATTLE's step, q + h v½, as its first half predicts it: the rows there, and the errors that Newton's method has to
//! remove.

use super::constraints::Constraints;
use super::motion::{Motion, StepContext};
use super::posed_problem::Problem;
use super::position_errors::{Extent, metres};
use crate::constraint::{Clock, Rows, Touches};
use crate::math::largest;
use glam::DVec3;

/// The end of the step as the first half predicts it, and the results of the first half that the second needs.
#[derive(Debug, Default)]
pub(crate) struct RattlePredictor {
    /// q + h v½, with the joint rows and the unilateral rows there.
    pose: Vec<DVec3>,
    pub rows: Rows,
    pub touches: Touches,
    /// Impulses of springs and the grab in the first half.
    pub soft_impulses: Vec<f64>,
    /// φ̇ of every unilateral row when the step began, and whether that is an impact that rebounds.
    pub approaches: Vec<(f64, bool)>,
    /// λ of every unilateral row in the first half.
    pub pushes: Vec<f64>,
    /// The velocity when the step began.
    pub before: Vec<DVec3>,
}

impl RattlePredictor {
    /// Evaluates g at q + h v½; returns the largest as a length, m.
    pub fn evaluate(&mut self, context: &StepContext<'_>, motion: &Motion, extent: &Extent) -> f64 {
        self.pose.clear();
        self.pose.extend(motion.q.iter().zip(&motion.v).map(|(q, v)| *q + context.h * *v));
        self.rows.evaluate_joints_at(context.world, &self.pose, &motion.v, Clock::at(context.end()));
        extent.length_of_joint_errors(&self.rows)
    }

    /// Evaluates φ at q + h v½; returns the largest error as a length, m: |φ| where λ > 0, the overlap elsewhere.
    pub fn evaluate_contacts(
        &mut self,
        context: &StepContext<'_>,
        constraints: &Constraints,
        motion: &Motion,
        problem: &Problem,
    ) -> f64 {
        let Self { rows, touches, pushes, .. } = self;
        touches.clock = Some(Clock::at(context.end()));
        touches.evaluate(context.world, rows.frames(), &constraints.contacts, &motion.v);
        pushes.clear();
        pushes.resize(touches.all().len(), 0.0);
        for (index, lambda) in problem.touch_multipliers() {
            pushes[index] = lambda[0];
        }
        let errors = touches.all().iter().zip(pushes.iter());
        largest(errors.map(|(touch, push)| {
            let error = if *push > 0.0 { touch.row.g } else { touch.row.g.min(0.0) };
            metres(&touch.row, &motion.undamped) * error
        }))
    }

    /// The largest turn of a joint row's direction, |ΔJ|/|J| between q and q + h v½, with |J|² = J M⁻¹Jᵀ, which is the
    /// angle in rad where a lever or a rod turns.
    pub fn turn(&self, constraints: &Constraints, motion: &Motion) -> f64 {
        let inverse_mass = &motion.undamped;
        let pairs = constraints.rows.joints().iter().zip(self.rows.joints());
        largest(pairs.map(|(start, end)| {
            let arms = start.arms().zip(end.arms());
            let norm = |(body, j): (usize, DVec3)| j.dot(inverse_mass[body] * j);
            let change: f64 = arms.map(|((body, start), (_, end))| norm((body, end - start))).sum();
            if change == 0.0 { 0.0 } else { (change / start.mobility(inverse_mass)).sqrt() }
        }))
    }
}
