//! Steps of a run that another engine makes (`peers/`): what comes of one, and who did which work in it.
//!
//! Errors and energies are measured at the new state by the same functions as those of our steps. Works follow from the
//! impulses p that the engine tells, by v̄ = ½ (v + v⁺); those of weights and applied forces are taken along the path, as in
//! our own steps:
//!
//! | work | of |
//! |---|---|
//! | gravity, applied | weights and fields by their potential, applied forces by F·(q⁺ − q) |
//! | springs, motors, hand | Σ p·v̄ of springs, suspensions and soft joints; of motors; of the hand |
//! | drivers | −Σ p·v̄ of contacts and joints on bodies whose motion is prescribed |
//! | friction, impacts | Σ p·v̄ across and along contacts' normals, of joints' friction and limits; impacts where negative |
//! | drag | what external impulses do beyond weights and applied forces, on damped bodies; on others it counts as applied |
//! | method | the change of the kinetic energy less all of these |
//!
//! Zero are the work of corrections and all figures of a solver, of which the engine tells nothing: rows, residuals,
//! iterations and islands. There are no problems of the steps either, nor impulses of constraints (`Run::impulses`): those of
//! the engine stand in [`Run::line`], from which `ActedStep` has them. An engine that estimates its impulses has estimated works.

use super::Run;
use crate::model::{BodyKind, World};
#[cfg(feature = "window")]
use crate::model::{Pose, Velocity};
use crate::peers;
use crate::report::{StepError, StepReport, Work};
use driftlab_probe::format::{Acted, Contact, Impulse, Impulses, Moment, Part, Precision, Step};
use glam::{DVec2, DVec3};

impl Run {
    /// Whether another engine makes the steps.
    pub fn is_elsewhere(&self) -> bool {
        peers::makes(&self.method)
    }

    /// What acted in the last step, as the other engine that has made it tells it; none of our own steps, and before the first.
    pub fn line(&self) -> Option<Step> {
        self.peer.line(&self.world)
    }

    /// How the numbers of these lines are meant.
    pub fn manner(&self) -> (Precision, Moment, Impulses) {
        self.peer.manner()
    }

    /// The world before the last step, if another engine has made it.
    #[cfg(feature = "window")]
    pub(crate) fn before(&self) -> Option<World> {
        Some(self.before.as_ref()?.world(&self.world))
    }

    /// Makes one step by another engine.
    pub(super) fn advance_elsewhere(&mut self) -> Result<StepReport, StepError> {
        let before = Before::of(&self.world);
        let is_first = !self.peer.has_stepped();
        self.peer.step(&mut self.world, &self.method, self.time_step)?;
        if is_first {
            // Contacts and impulses of our own steps are not those of this one.
            self.workspace = Default::default();
            self.world.restore_contacts(Vec::new()).map_err(StepError::Model)?;
        }
        self.remeasure();
        let line = self.peer.line(&self.world).unwrap_or_default();
        let Works { work, applied } = before.works(&self.world, &line, self.time_step);
        self.before = Some(before);
        let contacts = line.contacts.iter().flatten().filter(|own| presses(own)).count();
        (self.report.work, self.report.applied_work) = (work, applied);
        (self.report.contacts, self.report.substeps) = (contacts, 1);
        self.report.solver = self.method.stabilizer.info().key;
        Ok(self.report)
    }

    /// What the other engine remembers at the present state; none if it makes no steps here.
    #[cfg(feature = "window")]
    pub(crate) fn keep_elsewhere(&mut self) -> Option<peers::Kept> {
        self.peer.keep(&self.world, &self.method, self.time_step)
    }

    /// What it is to remember at the next step, if that begins at the state at which this was kept.
    #[cfg(feature = "window")]
    pub(crate) fn recall_elsewhere(&mut self, kept: Option<peers::Kept>) {
        self.peer.recall(kept);
    }

    /// Whether the next step goes on from the present state as the last one has left it.
    #[cfg(feature = "window")]
    pub(crate) fn goes_on_elsewhere(&self) -> bool {
        !self.is_elsewhere() || self.peer.is_at(&self.world)
    }

    /// The run begins anew: what the other engine remembers is of no interest.
    #[cfg(feature = "window")]
    pub(crate) fn forget_elsewhere(&mut self) {
        self.peer.forget();
    }

    /// Whether the engine was handed out with the run and has not come back.
    #[cfg(feature = "window")]
    pub(crate) fn is_elsewhere_away(&self) -> bool {
        self.peer.is_away()
    }
}

fn presses(contact: &Contact) -> bool {
    contact.impulse.is_some_and(|[normal, ..]| normal > 0.0)
}

/// The state before a step.
pub(super) struct Before {
    q: Vec<DVec3>,
    v: Vec<DVec3>,
    time: f64,
}

/// Who did which work in a step, and the work of the applied forces, J.
struct Works {
    work: Work,
    applied: f64,
}

/// p: N s, N s, N m s about the body's centre of mass.
fn impulse(own: &Impulse) -> (usize, DVec3) {
    let Impulse(body, x, y, moment) = *own;
    (body, DVec3::new(x, y, moment))
}

impl Before {
    fn of(world: &World) -> Self {
        let indices = 0..world.bodies().len();
        Self {
            q: world.bodies().iter().map(|body| body.pose.coordinates()).collect(),
            v: indices.map(|index| world.velocity_of(index)).collect(),
            time: world.time(),
        }
    }

    /// A world in this state, whose parts are those of `after`.
    #[cfg(feature = "window")]
    fn world(&self, after: &World) -> World {
        let mut world = after.clone();
        // Poses and velocities that were those of a world are finite, as its time was.
        let _set = world.set_time(self.time);
        let vector = |own: &DVec3| (own.truncate(), own.z);
        let states = self.q.iter().zip(&self.v).zip(after.body_ids()).map(|((q, v), id)| {
            let ((position, angle), (linear, angular)) = (vector(q), vector(v));
            (*id, Pose { position, angle }, Velocity { linear, angular })
        });
        let _placed = world.place_bodies(&states.collect::<Vec<_>>());
        world
    }

    /// The works of the step of `h` s from here to `world`, of which `line` tells the impulses.
    fn works(&self, world: &World, line: &Step, h: f64) -> Works {
        let mean: Vec<DVec3> =
            self.v.iter().enumerate().map(|(index, v)| 0.5 * (*v + world.velocity_of(index))).collect();
        let span = Span { before: self, world, mean: &mean };
        let mut works = span.along_the_path(h);
        let Works { work, applied } = &mut works;
        let path = work.gravity + *applied;
        for own in line.acted.iter().flatten() {
            span.add_acted(work, own);
        }
        for contact in line.contacts.iter().flatten() {
            span.add_contact(work, contact);
        }
        work.impacts = work.impacts.min(0.0);
        work.hand = span.power(&line.hand);
        if let Some(external) = &line.external {
            let [damped, others]: [Vec<_>; 2] = [true, false].map(|damped| {
                let is = |own: &&Impulse| {
                    world.bodies().get(own.0).is_some_and(|body| body.damping.is_none() != damped)
                };
                external.iter().filter(is).copied().collect()
            });
            if damped.is_empty() {
                // Weights and applied forces are all there is, but for force laws.
                *applied += if world.force_laws().is_empty() { 0.0 } else { span.power(&others) - path };
            } else {
                work.drag = span.power(&damped) + span.power(&others) - path;
            }
        }
        let others: f64 = work.parts().iter().map(|(_, own)| own).sum();
        work.method = span.kinetic_change() - others - *applied;
        works
    }
}

/// A step from a state to that of a world.
struct Span<'a> {
    before: &'a Before,
    world: &'a World,
    /// v̄ of each body.
    mean: &'a [DVec3],
}

impl Span<'_> {
    /// Σ p·v̄, J.
    fn power(&self, on: &[Impulse]) -> f64 {
        let of = |own: &Impulse| {
            let (body, p) = impulse(own);
            self.mean.get(body).map_or(0.0, |mean| p.dot(*mean))
        };
        on.iter().map(of).sum()
    }

    /// T⁺ − T, from the differences of the velocities.
    fn kinetic_change(&self) -> f64 {
        let of = |(index, body): (usize, &crate::model::Body)| {
            let own = body.mass_properties();
            let inertia = if body.inverse_mass().z > 0.0 { own.inertia } else { 0.0 };
            let change = self.world.velocity_of(index) - self.before.v[index];
            DVec3::new(own.mass, own.mass, inertia).dot(change * self.mean[index])
        };
        self.world.bodies().iter().enumerate().filter(|(_, body)| body.is_dynamic()).map(of).sum()
    }

    /// The work of weights, fields and applied forces from q to q⁺.
    fn along_the_path(&self, h: f64) -> Works {
        let (world, mut works) = (self.world, Works { work: Work::default(), applied: 0.0 });
        for (index, body) in world.bodies().iter().enumerate().filter(|(_, body)| body.is_dynamic()) {
            let (q, after) = (self.before.q[index], body.pose.coordinates());
            let at = |q: DVec3| -> f64 {
                world.fields().iter().map(|field| field.potential(q.truncate())).sum()
            };
            let lost = world.gravity().dot((after - q).truncate()) + at(q) - at(after);
            works.work.gravity += body.gravitational_mass() * lost;
            let constant = body.applied.map_or(DVec3::ZERO, |own| 0.5 * (own.on(q.z) + own.on(after.z)));
            let acting = body.driven.iter().filter(|own| own.acts(world.switches()));
            let driven = acting.map(|own| own.profile.mean(self.before.time, h) * own.applied.on(q.z));
            works.applied += driven.fold(constant, |sum, own| sum + own).dot(after - q);
        }
        works
    }

    fn add_acted(&self, work: &mut Work, own: &Acted) {
        let power = self.power(&own.on);
        let joint = own.joint.and_then(|number| self.world.joints().get(number));
        match own.part {
            Some(Part::Motor) => work.motors += power,
            Some(Part::Friction) => work.friction += power,
            Some(Part::LowerLimit | Part::UpperLimit) => work.impacts += power,
            Some(Part::Suspension) => work.springs += power,
            None if own.spring.is_some() || joint.is_some_and(|joint| joint.is_soft()) => {
                work.springs += power;
            }
            None => {}
        }
        if let Some(joint) = joint {
            work.drivers += self.driven_by_joint(joint.bodies(), &own.on);
        }
    }

    /// What whoever moves one of two bodies puts into a joint, of which the impulse on the other is told: the opposite
    /// acts in the same line, with the moment −L − (c − c_k) × p about the centre c_k of the moved one.
    fn driven_by_joint(&self, bodies: [usize; 2], on: &[Impulse]) -> f64 {
        let Some(moved) = bodies.into_iter().find(|body| self.is_moved(*body)) else { return 0.0 };
        let of = |own: &Impulse| {
            let (body, p) = impulse(own);
            if body == moved {
                return 0.0;
            }
            let (Some(at), centre) = (self.before.q.get(body), self.before.q[moved]) else { return 0.0 };
            let arm = (*at - centre).truncate();
            let opposite = (-p.truncate()).extend(-p.z - arm.perp_dot(p.truncate()));
            -opposite.dot(self.mean[moved])
        };
        on.iter().map(of).sum()
    }

    fn is_moved(&self, body: usize) -> bool {
        self.world.bodies().get(body).is_some_and(|own| matches!(own.kind(), BodyKind::Kinematic(_)))
    }

    fn add_contact(&self, work: &mut Work, contact: &Contact) {
        let Some([normal, tangent, moment]) = contact.impulse else { return };
        let n = DVec2::from(contact.normal);
        let points = [contact.point_a.unwrap_or(contact.point), contact.point].map(DVec2::from);
        let on = |side: usize, p: DVec2, moment: f64| {
            let body = contact.bodies[side];
            let (Some(at), Some(mean)) = (self.before.q.get(body), self.mean.get(body)) else { return 0.0 };
            let sign = if side == 0 { -1.0 } else { 1.0 };
            sign * p.extend((points[side] - at.truncate()).perp_dot(p) + moment).dot(*mean)
        };
        let (along, across) = (normal * n, tangent * -n.perp());
        for side in [0, 1] {
            let [pressed, rubbed] = [on(side, along, 0.0), on(side, across, moment)];
            work.impacts += pressed;
            work.friction += rubbed;
            if self.is_moved(contact.bodies[side]) {
                work.drivers -= pressed + rubbed;
            }
        }
    }
}
