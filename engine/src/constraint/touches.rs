//! The unilateral rows and motors of a world at a pose q and velocity v.
//!
//! Unilateral rows, φ(q) ≥ 0, are those of the contacts that detection found and of the limits of joints; a motor's
//! row demands a speed with a force up to a limit.
//!
//! A contact's row has the gap φ with ∂φ/∂q and k = vᵀ(∂²φ/∂q²)v from `detect`, and beside it the row of the relative
//! tangential velocity for Coulomb friction. A limit lo ≤ x ≤ hi of a joint's coordinate is the pair
//! φ = x − lo and φ = hi − x, without friction.

use super::kinds::Constraint;
use super::row::Row;
use crate::detect::{Contact, Gap};
use crate::model::joint::Unit;
use crate::model::{Body, Frame, Revision, World};
use glam::DVec3;

/// The tangential row of a contact.
#[derive(Clone, Copy, Debug)]
pub struct Tangent {
    /// Relative tangential velocity, body a's share.
    pub ta: DVec3,
    /// Body b's share.
    pub tb: DVec3,
    /// J̇_t v at the velocity it was evaluated at, m/s².
    pub k: f64,
    /// Coulomb's μ of the pair: the geometric mean [Anitescu & Hart 2004 leave it open].
    pub friction: f64,
}

/// A unilateral row.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// φ (as `g`), its gradient and k.
    pub row: Row,
    /// The tangential row, for a contact.
    pub tangent: Option<Tangent>,
    /// Coefficient of restitution of the pair: the larger one.
    pub restitution: f64,
    /// φ̇ = J v at the velocity it was evaluated at, m/s or rad/s.
    pub approach: f64,
    /// Impacts slower than this do not rebound, m/s; infinite until it is set.
    pub rebound_speed: f64,
}

impl Touch {
    /// A row without friction and rebound, at the velocity `v`.
    fn smooth(row: Row, v: &[DVec3]) -> Self {
        let approach = row.rate(v);
        Self { row, tangent: None, restitution: 0.0, approach, rebound_speed: f64::INFINITY }
    }

    /// What the friction of impulses acts against besides J_t v⁺: it sticks where J_t v⁺ + τ J̇_t v = 0, with τ = `lead` the
    /// time after the pose at which that holds, s. That of forces acts against J_t a + J̇_t v + [`Touch::slip`]/h.
    pub(crate) fn beside_slip(&self, lead: f64) -> f64 {
        self.turning(lead)
    }

    /// τ J̇_t v, the change of the slip as the row turns; zero for a limit.
    pub(crate) fn turning(&self, lead: f64) -> f64 {
        self.tangent.map_or(0.0, |tangent| lead * tangent.k)
    }

    /// J_t v; zero for a limit.
    pub fn slip(&self, v: &[DVec3]) -> f64 {
        let rate = |tangent: Tangent| tangent.ta.dot(v[self.row.a]) + tangent.tb.dot(v[self.row.b]);
        self.tangent.map_or(0.0, rate)
    }
}

/// A motor's row, which demands ẋ = `speed`.
#[derive(Clone, Copy, Debug)]
pub struct MotorRow {
    /// The coordinate x and its gradient.
    pub row: Row,
    /// rad/s or m/s.
    pub speed: f64,
    /// N m or N.
    pub max_force: f64,
}

/// The unilateral rows and motors of a world at one pose and velocity.
#[derive(Debug, Default)]
pub struct Touches {
    touches: Vec<Touch>,
    contacts: usize,
    motors: Vec<MotorRow>,
    /// The motors and limits, and the world that they are of.
    bounded: Vec<Constraint>,
    revision: Revision,
}

impl Touches {
    /// Evaluates the rows of `contacts`, the limits and the motors at the frames' poses.
    pub fn evaluate(&mut self, world: &World, frames: &[Frame], contacts: &[Contact], v: &[DVec3]) {
        let found = contacts.iter().map(|contact| {
            let [a, b] = contact.bodies().map(|body| &frames[body]);
            (*contact, contact.gap(world.bodies(), a, b))
        });
        self.take(world, frames, found, v);
    }

    /// Evaluates all rows, with contacts `found` whose gaps at the frames' poses are known.
    pub(crate) fn take(
        &mut self,
        world: &World,
        frames: &[Frame],
        found: impl Iterator<Item = (Contact, Gap)>,
        v: &[DVec3],
    ) {
        self.touches.clear();
        self.touches.extend(found.map(|(contact, gap)| touch(world.bodies(), &contact, &gap, v)));
        self.contacts = self.touches.len();
        self.evaluate_bounds(world, frames, v);
    }

    /// Evaluates the limits and the motors anew; the contacts stay as they are.
    pub fn evaluate_bounds(&mut self, world: &World, frames: &[Frame], v: &[DVec3]) {
        if self.revision.update(world) {
            self.bounded.clear();
            self.bounded.extend(Constraint::speeds(world).chain(Constraint::limits(world)));
        }
        self.touches.truncate(self.contacts);
        self.motors.clear();
        for &constraint in &self.bounded {
            constraint.each_row(
                world,
                &[],
                |body| &frames[body],
                |row| match constraint.most_force(world) {
                    Some(max_force) => {
                        let [speed, ..] = constraint.speed(world, world.time());
                        self.motors.push(MotorRow { row, speed, max_force });
                    }
                    None => self.touches.push(Touch::smooth(row, v)),
                },
            );
        }
    }

    /// All unilateral rows: contacts in the order in which they were given, then limits.
    pub fn all(&self) -> &[Touch] {
        &self.touches
    }

    /// The contacts among them.
    pub fn contacts(&self) -> &[Touch] {
        &self.touches[..self.contacts]
    }

    /// The contacts, to write their thresholds.
    pub(crate) fn contacts_mut(&mut self) -> &mut [Touch] {
        &mut self.touches[..self.contacts]
    }

    /// The limits among them.
    pub fn limits(&self) -> &[Touch] {
        &self.touches[self.contacts..]
    }

    /// The motors.
    pub fn motors(&self) -> &[MotorRow] {
        &self.motors
    }

    /// Whether there is neither a unilateral row nor a motor.
    pub fn is_empty(&self) -> bool {
        self.touches.is_empty() && self.motors.is_empty()
    }
}

/// The rows of `contact`, whose gap is `gap`, at the velocities `v`.
#[inline(always)]
fn touch(bodies: &[Body], contact: &Contact, gap: &Gap, v: &[DVec3]) -> Touch {
    let [a, b] = contact.bodies();
    let row = Row { a, b, ja: gap.ja, jb: gap.jb, g: gap.phi, k: gap.k, unit: Unit::Metre, further: None };
    let tangent = Tangent {
        ta: gap.ta,
        tb: gap.tb,
        k: gap.kt,
        friction: (bodies[a].friction * bodies[b].friction).sqrt(),
    };
    let (of_a, of_b) = (bodies[a].restitution, bodies[b].restitution);
    let restitution = if contact.late { 0.0 } else { of_a.max(of_b) };
    Touch { tangent: Some(tangent), restitution, ..Touch::smooth(row, v) }
}
