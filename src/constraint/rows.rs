//! The scalar rows of a world at a pose q and velocity v: joints first, then non-holonomic constraints, then springs,
//! then the grab.
//!
//! A joint row demands g(q) = 0; a non-holonomic one N(q) v = v₀(t), with J = N, k = (N v)_q v and no g (zero). A spring's or
//! the grab's row is compliant: J v⁺ + c λ + b = 0, with c and b from [`Softness::row`]; it takes part in the
//! dynamics but is not a constraint, and no correction acts on it.
//!
//! Unilateral rows, φ(q) ≥ 0, are those of the contacts that detection found and of the limits of joints; a motor's
//! row demands a speed with a force up to a limit.
//!
//! A contact's row has the gap φ with ∂φ/∂q and k = vᵀ(∂²φ/∂q²)v from `detect`, and beside it the row of the relative
//! tangential velocity for Coulomb friction. A limit lo ≤ x ≤ hi of a joint's coordinate is the pair
//! φ = x − lo and φ = hi − x, without friction.

use crate::detect::Contact;
use crate::lcp::{End, JacobianRow};
use crate::model::joint::{Equation, Unit};
use crate::model::nonholonomic::VelocityEquation;
use crate::model::{Frame, Softness, World};
use glam::{DVec2, DVec3};

/// One scalar row between two bodies.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Index of body a.
    pub a: usize,
    /// Index of body b; equal to `a` for the grab, whose row has ja = 0.
    pub b: usize,
    /// ∂g/∂q of body a.
    pub ja: DVec3,
    /// ∂g/∂q of body b.
    pub jb: DVec3,
    /// The error g of a joint, the elongation s of a spring; zero for a non-holonomic row.
    pub g: f64,
    /// k = J̇ v.
    pub k: f64,
    /// The unit of g.
    pub unit: Unit,
}

impl Row {
    /// J v.
    #[inline]
    pub fn rate(&self, v: &[DVec3]) -> f64 {
        self.ja.dot(v[self.a]) + self.jb.dot(v[self.b])
    }

    /// v ← v + W Jᵀ λ, with W the diagonal inverse metric.
    #[inline]
    pub fn push(&self, lambda: f64, weight: &[DVec3], v: &mut [DVec3]) {
        v[self.a] += weight[self.a] * self.ja * lambda;
        v[self.b] += weight[self.b] * self.jb * lambda;
    }
}

impl JacobianRow for Row {
    fn bodies(&self) -> [usize; 2] {
        [self.a, self.b]
    }

    fn side(&self, end: End) -> DVec3 {
        match end {
            End::First => self.ja,
            End::Second => self.jb,
        }
    }
}

/// All rows of a world, evaluated at one pose and velocity.
#[derive(Debug, Default)]
pub struct Rows {
    frames: Vec<Frame>,
    rows: Vec<Row>,
    softness: Vec<Softness>,
    joints: usize,
    /// Joint rows and non-holonomic ones.
    equations: usize,
    springs: usize,
}

impl Rows {
    /// Evaluates every row at (q, v).
    pub fn evaluate(&mut self, world: &World, q: &[DVec3], v: &[DVec3]) {
        self.evaluate_joints(world, q, v);
        let Self { frames, rows, softness, springs, .. } = self;
        for spring in world.springs() {
            let [a, b] = spring.bodies;
            spring.equations(&frames[a], &frames[b], |equation| {
                rows.push(row(a, b, equation));
                softness.push(spring.softness);
            });
        }
        *springs = softness.len();
        if let Some(grab) = &world.grab {
            grab.equations(&frames[grab.body], |equation| {
                rows.push(row(grab.body, grab.body, equation));
                softness.push(grab.softness);
            });
        }
    }

    /// Evaluates the rows without compliance alone: what position and velocity corrections need.
    pub fn evaluate_joints(&mut self, world: &World, q: &[DVec3], v: &[DVec3]) {
        let Self { frames, rows, softness, joints, equations, springs } = self;
        frames.clear();
        frames.extend(q.iter().zip(v).map(|(q, v)| Frame::new(*q, *v)));
        rows.clear();
        softness.clear();
        for joint in world.joints() {
            let [a, b] = joint.bodies;
            joint.kind.equations(&frames[a], &frames[b], |equation| rows.push(row(a, b, equation)));
        }
        *joints = rows.len();
        for constraint in world.nonholonomic() {
            let [a, b] = constraint.bodies;
            constraint.kind.equations(&frames[a], &frames[b], |equation| {
                let VelocityEquation { na, nb, k } = equation;
                rows.push(Row { a, b, ja: na, jb: nb, g: 0.0, k, unit: Unit::Metre });
            });
        }
        *equations = rows.len();
        *springs = 0;
    }

    /// The bodies' frames at the pose and velocity of the evaluation.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Every row.
    pub fn all(&self) -> &[Row] {
        &self.rows
    }

    /// The joint rows.
    pub fn joints(&self) -> &[Row] {
        &self.rows[..self.joints]
    }

    /// The non-holonomic rows.
    pub fn nonholonomic(&self) -> &[Row] {
        &self.rows[self.joints..self.equations]
    }

    /// The rows without compliance: of joints, then of non-holonomic constraints.
    pub fn equations(&self) -> &[Row] {
        &self.rows[..self.equations]
    }

    /// The compliant rows with their stiffness and damping, springs first.
    pub fn soft(&self) -> impl ExactSizeIterator<Item = (&Row, &Softness)> {
        self.rows[self.equations..].iter().zip(&self.softness)
    }

    /// Where the grab's two rows start, if there are any.
    pub fn grab_start(&self) -> Option<usize> {
        let start = self.equations + self.springs;
        (start < self.rows.len()).then_some(start)
    }

    /// Takes the grab's rows out of the problem without changing its structure: they no longer touch a body.
    pub fn release_grab(&mut self) {
        let start = self.equations + self.springs;
        for row in &mut self.rows[start..] {
            row.jb = DVec3::ZERO;
            row.k = 0.0;
        }
        for softness in &mut self.softness[self.springs..] {
            *softness = Softness { stiffness: 0.0, damping: 0.0 };
        }
    }

    /// The unit direction of the grab's pull at elongation (s_x, s_y): towards the target.
    pub fn grab_direction(&self) -> DVec2 {
        let start = self.equations + self.springs;
        match &self.rows[start..] {
            [x, y] => -DVec2::new(x.g, y.g).normalize_or_zero(),
            _ => DVec2::ZERO,
        }
    }
}

#[inline]
fn row(a: usize, b: usize, equation: Equation) -> Row {
    let Equation { g, ja, jb, k, unit } = equation;
    Row { a, b, ja, jb, g, k, unit }
}

/// The tangential row of a contact.
#[derive(Clone, Copy, Debug)]
pub struct Tangent {
    /// Relative tangential velocity, body a's share.
    pub ta: DVec3,
    /// Body b's share.
    pub tb: DVec3,
    /// J̇_t v at the velocity it was evaluated at, m/s².
    pub k: f64,
    /// Coulomb's μ of the pair: the geometric mean.
    pub friction: f64,
    /// Where, in the world, m.
    pub point: DVec2,
    /// Unit normal from a to b.
    pub normal: DVec2,
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
}

impl Touch {
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

/// Friction of a pair of bodies [Anitescu & Hart 2004 leave it open]: the geometric mean.
fn pair_friction(a: f64, b: f64) -> f64 {
    (a * b).sqrt()
}

/// Restitution of a pair of bodies: the larger one.
fn pair_restitution(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The unilateral rows and motors of a world at one pose and velocity.
#[derive(Debug, Default)]
pub struct Touches {
    touches: Vec<Touch>,
    contacts: usize,
    motors: Vec<MotorRow>,
}

impl Touches {
    /// Evaluates the rows of `contacts`, the limits and the motors at the frames' poses.
    pub fn evaluate(&mut self, world: &World, frames: &[Frame], contacts: &[Contact], v: &[DVec3]) {
        self.evaluate_contacts(world, frames, contacts, v);
        self.motors.clear();
        for joint in world.joints() {
            if joint.limits.is_none() && joint.motor.is_none() {
                continue;
            }
            let [a, b] = joint.bodies;
            let Some(x) = joint.kind.coordinate(&frames[a], &frames[b]) else { continue };
            let x = Equation { g: x.g - joint.zero, ..x };
            for phi in joint.limits.into_iter().flat_map(|limits| sides(x, limits)) {
                let row = row(a, b, phi);
                let approach = row.rate(v);
                self.touches.push(Touch { row, tangent: None, restitution: 0.0, approach });
            }
            if let Some(motor) = joint.motor {
                let (speed, max_force) = (motor.speed, motor.max_force);
                self.motors.push(MotorRow { row: row(a, b, x), speed, max_force });
            }
        }
    }

    fn evaluate_contacts(&mut self, world: &World, frames: &[Frame], contacts: &[Contact], v: &[DVec3]) {
        let bodies = world.bodies();
        self.touches.clear();
        self.contacts = contacts.len();
        for contact in contacts {
            let [a, b] = contact.bodies();
            let gap = contact.gap(bodies, &frames[a], &frames[b]);
            let row = Row { a, b, ja: gap.ja, jb: gap.jb, g: gap.phi, k: gap.k, unit: Unit::Metre };
            let tangent = Tangent {
                ta: gap.ta,
                tb: gap.tb,
                k: gap.kt,
                friction: pair_friction(bodies[a].friction, bodies[b].friction),
                point: gap.point,
                normal: gap.normal,
            };
            self.touches.push(Touch {
                row,
                tangent: Some(tangent),
                restitution: pair_restitution(bodies[a].restitution, bodies[b].restitution),
                approach: row.rate(v),
            });
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

/// φ = x − lo and φ = hi − x, where the bounds are finite.
fn sides(x: Equation, [low, high]: [f64; 2]) -> impl Iterator<Item = Equation> {
    let lower = Equation { g: x.g - low, ..x };
    let upper = Equation { g: high - x.g, ja: -x.ja, jb: -x.jb, k: -x.k, unit: x.unit };
    [lower, upper].into_iter().filter(|phi| phi.g.is_finite())
}
