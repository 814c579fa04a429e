//! The account of a step over its solves and parts: impulses, the motion that they have to explain, and the figures for the report.

use super::constraints::Constraints;
use super::contact_impulses::ContactEntry;
use super::figures::Corrections;
use super::ledger::Ledger;
use super::motion::Motion;
use super::solve::Solution;
use crate::detect::Candidate;
use crate::math::Pair;
use crate::model::{ContactState, World};
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
    /// The first of these in a step that has not been made yet.
    start: Vec<DVec3>,
    external_change: Vec<DVec3>,
    pub corrections: Corrections,
    /// J v − h k of the joint rows when the step began.
    pub start_rates: Vec<f64>,
}

impl Totals {
    /// h M⁻¹F of the parts of the last step that was made, by body.
    pub fn external_changes(&self) -> impl Iterator<Item = DVec3> {
        self.external_change.iter().copied()
    }

    /// Begins a step, of one part or several.
    pub fn begin_step(&mut self) {
        (self.parts, self.elapsed) = (0, 0.0);
    }

    /// Begins a part of the step at the velocity `v`.
    pub fn begin_part(&mut self, world: &World, v: &[DVec3]) {
        if self.parts == 0 {
            self.ledger.begin(world);
            self.start.clear();
            self.start.extend_from_slice(v);
        } else {
            self.ledger.copy_from(&self.done);
        }
        self.corrections = Corrections::default();
    }

    /// Adds a solve of the dynamics whose λ acted for `duration` (1 for impulses).
    pub fn add(&mut self, solution: &Solution<'_>, constraints: &Constraints, duration: f64) {
        solution.write(&mut self.ledger, constraints, duration);
    }

    /// Notes the errors that a correction of positions is about to remove.
    pub fn note_errors_before(&mut self, constraints: &Constraints) {
        self.corrections.joint_error_before = Some(constraints.joint_error());
        self.corrections.contact_error_before = Some(constraints.contact_error());
    }

    /// Closes a part of `h`, before the world takes the new state.
    pub fn close_part(&mut self, motion: &Motion, h: f64) {
        if self.parts == 0 {
            std::mem::swap(&mut self.start, &mut self.began);
            self.external_change.clear();
            self.external_change.resize(motion.external.len(), DVec3::ZERO);
        }
        for (sum, a) in self.external_change.iter_mut().zip(&motion.external) {
            *sum += h * *a;
        }
        self.parts += 1;
        self.elapsed += h;
        std::mem::swap(&mut self.ledger, &mut self.done);
    }

    /// Leaves the impulses of the joints in the world, as forces.
    pub fn write_forces(&self, world: &mut World) {
        for (joint, impulse) in world.joints_mut().iter_mut().zip(self.done.joints()) {
            let [x, y, z] = impulse.multipliers;
            let [x, y] = (Pair::new([x, y]) / Pair::splat(self.elapsed)).to_array();
            joint.force = [x, y, if impulse.rows > 2 { z / self.elapsed } else { 0.0 }];
        }
    }

    /// Leaves the contacts with their impulses in the world, where they are now. Those that the report's detection has found as well
    /// are where it has found them.
    pub fn write_contacts(&self, world: &mut World, constraints: &Constraints) {
        let frames = constraints.rows.frames();
        let mut found = constraints.detector.found_far().peekable();
        let mut contacts = std::mem::take(world.contacts_mut());
        contacts.clear();
        contacts.extend(self.done.contacts().map(|ContactEntry { contact, friction, impulse, .. }| {
            while found.next_if(|found| found.contact.id < contact.id).is_some() {}
            let (gap, normal, point) = match found.peek() {
                Some(Candidate { contact: own, gap, .. }) if own.is_like(contact) => {
                    (gap.phi, gap.normal, gap.point)
                }
                _ => {
                    let [a, b] = contact.bodies().map(|body| &frames[body]);
                    contact.place(world.bodies(), a, b)
                }
            };
            let [along, across, _] = impulse.multipliers;
            let (id, friction) = (contact.id, *friction);
            ContactState { id, point, normal, gap, friction, impulse: [along, across] }
        }));
        *world.contacts_mut() = contacts;
    }
}
