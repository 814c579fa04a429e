//! The cache of steps at rest: if a step ends in the state in which it began, the next step has the same result.
//!
//! ```text
//! S⁺ = F(S, method, h) ,     S⁺ = S to the bit   ⇒   F(S⁺, method, h) = S⁺
//! ```
//!
//! S is the state: poses and velocities of the bodies (m, rad, m/s, rad/s), forces of the joints (N, N m), contacts with their
//! impulses (N s). If no motion and no velocity is prescribed, no force law given and the mouse does not act, a step
//! depends on S, the method and h alone, not on the time. If it returns S to the bit, as for bodies at rest, the next
//! step need not be computed: its state and report are known.
//! Each edit gives the world a new revision, and each step that is computed gives its state a new version, so that a
//! change is noticed without comparing S. The step after which S first comes back, without kinetic energy, is computed;
//! the next is not.

use crate::method::Method;
use crate::model::{Body, BodyKind, Field, Id, Revision, Version, World};
use crate::report::StepReport;

/// The last step, if all bodies were at rest at its end.
#[derive(Debug, Default)]
pub(crate) struct RestCache {
    last: Option<Circumstances>,
    /// S⁺ of the last step, as bits.
    state: Vec<u64>,
    /// Whether the present step began with S⁺ of the last one, with the same method and h.
    continued: bool,
    /// The report of the last step, if S⁺ was S.
    report: Option<StepReport>,
    /// Whether the last step was not computed.
    pub hit: bool,
    /// Whether every step is computed, and every island solved anew.
    pub is_off: bool,
}

/// All data on which a step depends. The revision and the version written stand for S.
#[derive(Debug)]
struct Circumstances {
    revision: Revision,
    written: Version,
    gravity: [u64; 2],
    wind: [u64; 2],
    fields: Vec<Field>,
    method: Method,
    h: f64,
}

impl Circumstances {
    fn are(&self, world: &World, method: &Method, h: f64) -> bool {
        self.written == world.written()
            && self.h.to_bits() == h.to_bits()
            && self.gravity == world.gravity.to_array().map(f64::to_bits)
            && self.wind == world.wind().to_array().map(f64::to_bits)
            && self.fields == world.fields()
            && is_left_alone(world)
            && self.revision.is_of(world)
            && self.method == *method
    }
}

impl RestCache {
    /// Begins a step. Returns its report, if it is known without computing the step.
    pub fn begin(&mut self, world: &World, method: &Method, h: f64) -> Option<StepReport> {
        self.continued = self.last.as_ref().is_some_and(|last| last.are(world, method, h));
        let report = self.report.filter(|_| self.continued && !self.is_off);
        self.hit = report.is_some();
        report
    }

    /// Ends a step that was computed; `report` is absent if it failed.
    pub fn end(&mut self, world: &World, (method, h): (&Method, f64), report: Option<&StepReport>) {
        self.report = None;
        let rests = report.filter(|report| report.kinetic_energy == 0.0 && depends_on_state_alone(world));
        let Some(report) = rests else { return self.forget() };
        if self.continued && self.state.iter().copied().eq(bits(world)) {
            self.report = Some(*report);
        } else {
            self.state.clear();
            self.state.extend(bits(world));
        }
        let [gravity, wind] = [world.gravity, world.wind].map(|own| own.to_array().map(f64::to_bits));
        let written = world.written();
        let mut revision = Revision::default();
        revision.update(world);
        self.last = Some(Circumstances {
            revision,
            written,
            gravity,
            wind,
            fields: world.fields().to_vec(),
            method: method.clone(),
            h,
        });
    }

    /// Forgets the last step.
    pub fn forget(&mut self) {
        (self.last, self.report) = (None, None);
    }
}

/// Whether neither a motion nor a velocity is prescribed in `world`, and neither force laws nor the mouse act.
fn depends_on_state_alone(world: &World) -> bool {
    let moves = |body: &Body| matches!(body.kind(), BodyKind::Kinematic(_));
    is_left_alone(world)
        && !world.is_timed()
        && world.nonholonomic().is_empty()
        && !world.bodies().iter().any(moves)
}

/// Whether neither force laws nor the mouse act.
fn is_left_alone(world: &World) -> bool {
    world.grab.is_none() && world.repulsion.is_none() && world.force_laws().is_empty()
}

/// S as bits, number by number.
fn bits(world: &World) -> impl Iterator<Item = u64> + '_ {
    let bodies = world.bodies().iter().flat_map(|body| {
        let (q, v) = (body.pose.coordinates(), body.velocity.coordinates());
        [q.x, q.y, q.z, v.x, v.y, v.z]
    });
    let forces = world.joints().iter().flat_map(|joint| [joint.force, joint.coordinate_force]).flatten();
    let contacts = world.contacts().iter().flat_map(|contact| {
        let (point, normal, [along, across]) = (contact.point, contact.normal, contact.impulse);
        [point.x, point.y, normal.x, normal.y, contact.gap, contact.friction, along, across]
    });
    let ids = world.contacts().iter().flat_map(|contact| {
        let [pieces, features] = [contact.id.pieces, contact.id.features];
        let bodies = contact.id.bodies.map(Id::number);
        bodies.into_iter().chain([pieces, features].map(|[a, b]| u64::from(a) << 32 | u64::from(b)))
    });
    let numbers = bodies.chain(forces).chain(contacts).chain(world.memory.numbers());
    numbers.map(f64::to_bits).chain(ids)
}
