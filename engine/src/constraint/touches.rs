//! The unilateral rows and motors of a world at a pose q and velocity v.
//!
//! Unilateral rows, φ(q) ≥ 0, are those of the contacts that detection found and of the limits of joints; a motor's
//! row demands a speed with a force up to a limit.
//!
//! A contact's row has the gap φ with ∂φ/∂q and k = vᵀ(∂²φ/∂q²)v from `detect`, and beside it the row of the relative
//! tangential velocity for Coulomb friction. A limit lo ≤ x ≤ hi of a joint's coordinate is the pair
//! φ = x − lo and φ = hi − x, without friction.

use super::kinds::Constraint;
use super::row::{Clock, Row};
use crate::detect::{Contact, Gap};
use crate::model::joint::Unit;
use crate::model::{Frame, Revision, Softness, World};
use glam::DVec3;

/// A slip below this share of the velocities that it is the difference of may be rounding.
const ROUNDED_SLIP: f64 = 1e-9;

/// The tangential row of a contact.
#[derive(Clone, Copy, Debug)]
pub struct Tangent {
    /// Relative tangential velocity, body a's share.
    pub ta: DVec3,
    /// Body b's share.
    pub tb: DVec3,
    /// J̇_t v at the velocity it was evaluated at, and the rate of the surfaces' speed at that time, m/s².
    pub k: f64,
    /// Coulomb's μ of the pair, of static friction where it does not slip: by the world's rule, the geometric mean unless it
    /// has another one [Anitescu & Hart 2004 leave it open].
    pub friction: f64,
    /// s_a + s_b, the speeds of both surfaces: friction acts against J_t v and this, m/s.
    pub speed: f64,
}

/// A unilateral row.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// φ (as `g`), its gradient and k.
    pub row: Row,
    /// The tangential row, for a contact.
    pub tangent: Option<Tangent>,
    /// c_r of the pair: a relative rotation meets a moment of at most c_r λ_n, m.
    pub rolling: f64,
    /// Coefficient of restitution of the pair: by the world's rule, the larger one unless it has another one.
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
        Self { row, tangent: None, rolling: 0.0, restitution: 0.0, approach, rebound_speed: f64::INFINITY }
    }

    /// What the friction of impulses acts against besides J_t v⁺: it sticks where J_t v⁺ + s + τ J̇_t v = 0, with s the speed
    /// of the surfaces and τ = `lead` the time after the pose at which that holds, s. That of forces acts against
    /// J_t a + J̇_t v + [`Touch::slip`]/h.
    pub(crate) fn beside_slip(&self, lead: f64) -> f64 {
        self.turning(lead) + self.tangent.map_or(0.0, |tangent| tangent.speed)
    }

    /// τ J̇_t v, the change of the slip as the row turns; zero for a limit.
    pub(crate) fn turning(&self, lead: f64) -> f64 {
        self.tangent.map_or(0.0, |tangent| lead * tangent.k)
    }

    /// J_r v = ω_b − ω_a, against which rolling resistance acts, rad/s; zero for a limit.
    pub fn spin(&self, v: &[DVec3]) -> f64 {
        if self.tangent.is_some() { v[self.row.b].z - v[self.row.a].z } else { 0.0 }
    }

    /// J_t v + s, with s the speed of the surfaces; zero for a limit.
    pub fn slip(&self, v: &[DVec3]) -> f64 {
        let rate = |tangent: Tangent| {
            let moved = tangent.ta.dot(v[self.row.a]) + tangent.tb.dot(v[self.row.b]);
            if tangent.speed == 0.0 { moved } else { moved + tangent.speed }
        };
        self.tangent.map_or(0.0, rate)
    }
}

/// A row of a motor, which demands ẋ = its speed, or of friction in a joint, which demands ẋ = 0.
#[derive(Clone, Copy, Debug)]
pub struct MotorRow {
    /// The coordinate x and its gradient.
    pub row: Row,
    /// The joint whose motor it is, by its index; `None` of a row whose speed is 0: friction and the drives to a pose.
    pub joint: Option<usize>,
    /// N m or N.
    pub max_force: f64,
    /// Stiffness, damping and mobility of one that holds a position, from which `row.g` is counted.
    pub servo: Option<(Softness, f64)>,
}

impl MotorRow {
    /// The motor's speed and the rate of that at the time `t`, s.
    pub(crate) fn speed(&self, world: &World, t: f64) -> [f64; 2] {
        self.joint.map_or([0.0; 2], |joint| {
            let [speed, rate, _] = world.joints()[joint].motor_at(t);
            [speed, rate]
        })
    }

    /// The mean of the motor's speed over the `h` seconds from `t` on.
    pub(crate) fn mean_speed(&self, world: &World, t: f64, h: f64) -> f64 {
        self.joint.map_or(0.0, |joint| world.joints()[joint].mean_speed(t, h))
    }

    /// Compliance c and bias b of its row J v⁺ + c λ + b = 0 over `duration`, at the end of which the motor's speed is `speed`;
    /// `before` are the velocities at its start, and where there are none the row is backward Euler's.
    pub(crate) fn demand(&self, speed: f64, duration: f64, before: Option<&[DVec3]>) -> (f64, f64) {
        let Some((softness, mobility)) = self.servo else { return (0.0, -speed) };
        let row = match before {
            Some(v) => {
                let own = softness.impulse(duration, mobility);
                own.map(|own| own.row(self.row.g, self.row.rate(v) - speed))
            }
            None => softness.row(self.row.g, duration),
        };
        row.map_or((0.0, -speed), |(c, b)| (c, b - speed))
    }
}

/// The unilateral rows and motors of a world at one pose and velocity.
#[derive(Debug, Default)]
pub struct Touches {
    touches: Vec<Touch>,
    /// Contacts that slip slower than this have static friction, m/s.
    pub holds_below: f64,
    /// When driven lengths and surfaces are evaluated; none: at the world's present time.
    pub(crate) clock: Option<Clock>,
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
        let (holds_below, clock) = (self.holds_below, self.clock(world));
        self.touches
            .extend(found.map(|(contact, gap)| touch(world, &contact, &gap, v, (holds_below, clock))));
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
        let clock = self.clock(world);
        for &constraint in &self.bounded {
            let frame = |body: usize| &frames[body];
            constraint.each_row(world, &[], frame, |row| {
                let row = row.driven(constraint.length_terms(world, clock));
                let servo = constraint.servo(world, frame, &row);
                match constraint.most_force(world) {
                    Some(max_force) => {
                        let joint = match constraint {
                            Constraint::Motor(joint) => Some(joint),
                            _ => None,
                        };
                        self.motors.push(MotorRow { row, joint, max_force, servo });
                    }
                    None => self.touches.push(Touch {
                        restitution: constraint.restitution(world),
                        ..Touch::smooth(row, v)
                    }),
                }
            });
        }
    }

    fn clock(&self, world: &World) -> Clock {
        self.clock.unwrap_or_else(|| Clock::at(world.time()))
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

    /// The limits, to write their thresholds.
    pub(crate) fn limits_mut(&mut self) -> &mut [Touch] {
        &mut self.touches[self.contacts..]
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

/// The speed of both surfaces of a contact and its rate, m/s and m/s²; `None` where no profile drives them.
pub(crate) fn driven_surface(
    world: &World,
    contact: &Contact,
    Clock { now, span }: Clock,
) -> Option<[f64; 2]> {
    let bodies = contact.bodies().map(|body| &world.bodies()[body]);
    let sides = bodies.into_iter().zip(contact.id.pieces);
    if sides.clone().all(|(body, piece)| body.drives_surface(piece).is_none()) {
        return None;
    }
    let mut motion = [0.0; 2];
    for (body, piece) in sides {
        let (speed, factors) = (body.skin(piece).speed, body.surface_factor(piece, now, span));
        motion.iter_mut().zip(factors).for_each(|(sum, factor)| *sum += speed * factor);
    }
    Some(motion)
}

/// The rows of `contact`, whose gap is `gap`, at the velocities `v`.
#[inline(always)]
fn touch(
    world: &World,
    contact: &Contact,
    gap: &Gap,
    v: &[DVec3],
    (holds_below, clock): (f64, Clock),
) -> Touch {
    let [a, b] = contact.bodies();
    let row = Row {
        a,
        b,
        ja: gap.ja,
        jb: gap.jb,
        g: gap.phi,
        k: gap.k,
        c: 0.0,
        unit: Unit::Metre,
        further: None,
    };
    let [one, other] = contact.id.pieces;
    let bodies = world.bodies();
    let grip = world.materials().grip(&bodies[a].skin(one), &bodies[b].skin(other));
    let mut tangent =
        Tangent { ta: gap.ta, tb: gap.tb, k: gap.kt, friction: grip.friction, speed: grip.speed };
    if let Some([speed, rate]) = driven_surface(world, contact, clock) {
        tangent.speed = speed;
        // A mean speed is that of the middle of its span already.
        tangent.k += if clock.span > 0.0 { 0.0 } else { rate };
    }
    let restitution = if contact.late { 0.0 } else { grip.restitution };
    let rolling = grip.rolling_resistance;
    let mut own = Touch { tangent: Some(tangent), rolling, restitution, ..Touch::smooth(row, v) };
    if grip.static_friction > grip.friction {
        let terms = tangent.ta.dot(v[a]).abs() + tangent.tb.dot(v[b]).abs() + tangent.speed.abs();
        if own.slip(v).abs() <= holds_below.max(ROUNDED_SLIP * terms) {
            own.tangent = Some(Tangent { friction: grip.static_friction, ..tangent });
        }
    }
    own
}
