//! The account of a step over its solves and parts: impulses, the motion that they have to explain, and the figures for the report.

use super::Method;
use super::constraints::Constraints;
use super::corrections::Corrected;
use super::ledger::{ContactEntry, Ledger};
use super::motion::Motion;
use super::solve::Solution;
use crate::lcp::{MixedOutcome, Trail};
use crate::math::largest;
use crate::model::{ContactState, Frame, World};
use glam::DVec3;

/// What a step adds up.
#[derive(Debug, Default)]
pub(super) struct Totals {
    /// The impulses of the part in progress and those before it; those of the last step that was made, with all its parts.
    pub ledger: Ledger,
    pub done: Ledger,
    /// Parts of the present step that have been made, and how long they are together, s.
    parts: usize,
    elapsed: f64,
    /// v when the step began, and h M⁻¹F of its parts.
    pub began: Vec<DVec3>,
    pub external_change: Vec<DVec3>,
    pub corrections: Corrections,
    /// J v − h k of the joint rows when the step began.
    pub start_rates: Vec<f64>,
}

impl Totals {
    /// Begins a step, of one part or several.
    pub fn begin_step(&mut self) {
        (self.parts, self.elapsed) = (0, 0.0);
    }

    /// Begins a part of the step.
    pub fn begin_part(&mut self, world: &World) {
        if self.parts == 0 {
            self.ledger.begin(world);
        } else {
            self.ledger.copy_from(&self.done);
        }
        self.corrections = Corrections::default();
    }

    /// Adds a solve of the dynamics whose λ acted for `duration` (1 for impulses).
    pub fn add(&mut self, solution: &Solution<'_>, constraints: &Constraints, duration: f64) {
        self.ledger.add_dynamics(solution, constraints, duration);
    }

    /// Notes the errors that a correction of positions is about to remove.
    pub fn note_errors_before(&mut self, constraints: &Constraints) {
        self.corrections.joint_error_before = Some(constraints.joint_error());
        self.corrections.contact_error_before = Some(constraints.contact_error());
    }

    /// Closes a part of `h`, before the world takes the new state.
    pub fn close_part(&mut self, world: &World, motion: &Motion, h: f64) {
        if self.parts == 0 {
            self.began.clear();
            self.began.extend((0..world.bodies().len()).map(|index| world.velocity_of(index)));
            self.external_change.clear();
            self.external_change.resize(self.began.len(), DVec3::ZERO);
        }
        for (sum, a) in self.external_change.iter_mut().zip(&motion.external) {
            *sum += h * *a;
        }
        self.parts += 1;
        self.elapsed += h;
        std::mem::swap(&mut self.ledger, &mut self.done);
    }

    /// Leaves the impulses of the step in the world, as forces of joints and as contacts where they are now.
    pub fn write(&self, world: &mut World, motion: &Motion) {
        for (joint, impulse) in world.joints_mut().iter_mut().zip(self.done.joints()) {
            joint.force = impulse.multipliers.map(|lambda| lambda / self.elapsed);
        }
        let mut contacts = std::mem::take(world.contacts_mut());
        contacts.clear();
        contacts.extend(self.done.contacts().map(
            |&ContactEntry { contact, friction, impulse, .. }| {
                let [a, b] = contact.bodies().map(|body| Frame::new(motion.q[body], motion.v[body]));
                let gap = contact.gap(world.bodies(), &a, &b);
                let (id, point, normal, gap) = (contact.id, gap.point, gap.normal, gap.phi);
                let [along, across, _] = impulse.multipliers;
                ContactState { id, point, normal, gap, friction, impulse: [along, across] }
            },
        ));
        *world.contacts_mut() = contacts;
    }
}

/// What the solves of a step came to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Figures {
    pub rows: usize,
    pub dependent_rows: usize,
    pub contacts: usize,
    pub islands: usize,
    pub infeasible: usize,
    pub iterations: usize,
    pub residual: f64,
    /// As a share of the problem's speed; absent where nothing is promised.
    pub relative_residual: Option<f64>,
    pub solver: &'static str,
    pub trail: Trail,
}

/// What the corrections of a step came to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Corrections {
    /// Errors before positions were corrected.
    pub joint_error_before: Option<f64>,
    pub contact_error_before: Option<f64>,
    /// Energy that the stabilization put in, J.
    pub work: f64,
    /// Corrections of positions that had to be damped.
    pub damped: usize,
    /// The largest share of its error that a correction left.
    pub left: Option<f64>,
}

/// What a scheme's advance leaves for the report.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    pub(super) solves: Figures,
    pub(super) corrections: Corrections,
    pub(super) parts: usize,
}

impl Outcome {
    /// Of no step at all.
    pub(crate) fn resting(method: &Method) -> Self {
        Self { solves: Figures::before_any_solve(method), ..Self::default() }
    }
}

impl Figures {
    /// Those of a step that has solved nothing yet.
    pub fn before_any_solve(method: &Method) -> Self {
        Self { solver: method.solver.solves_equations(), ..Self::default() }
    }

    /// Adds a solve of a problem with so many rows and contacts; `scale` turns its residual into a velocity.
    pub fn note(&mut self, outcome: &MixedOutcome, rows: usize, contacts: usize, scale: f64) {
        self.rows = rows;
        self.contacts = contacts;
        self.dependent_rows = outcome.dependent_rows;
        self.residual = scale * outcome.residual;
        self.iterations += outcome.iterations;
        self.solver = outcome.solver;
        self.islands = outcome.islands;
        self.infeasible = self.infeasible.max(outcome.infeasible);
        self.trail = self.trail.longer(outcome.trail);
        if !outcome.conflict {
            let before = self.relative_residual.unwrap_or_default();
            self.relative_residual = Some(largest([before, outcome.relative_residual]));
        }
    }
}

impl Corrections {
    /// Adds a correction of positions.
    pub fn note(&mut self, corrected: Corrected) {
        match corrected {
            Corrected::InFull(Some(left)) => self.left = Some(self.left.unwrap_or_default().max(left)),
            Corrected::InFull(None) => {}
            Corrected::Damped => self.damped += 1,
        }
    }
}
