//! One constraint in a Gauss–Seidel sweep: its rows, the impulses that it admits, and the impulse that satisfies it alone.
//! `sweeps.rs` has the equation of a sweep and the symbols.
//!
//! The rows of one constraint between two bodies are a block and are solved together (`row_block.rs`).

use crate::constraint::{Clock, Condition, Constraint, driven_surface};
use crate::detect::Contact;
use crate::math::largest;
use crate::model::joint::Unit;
use crate::model::{Frame, RESOLVED, Softness, World};
pub(crate) use crate::report::MOST_MULTIPLIERS as MOST;
use crate::stages::anchors::Anchors;
use crate::stages::motion::{Motion, StepContext};
use crate::stages::row_block::{RowBlock, SlideRow};
use crate::stages::springs::Swinging;
use glam::DVec3;

/// Which λ are admitted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum SweepLaw {
    #[default]
    Free,
    /// λ ≥ 0; at a contact friction follows.
    Push,
    /// The norm of λ over all rows is at most this.
    AtMost(f64),
    /// λ = 0.
    Idle,
    /// λ stays as it is.
    Kept,
}

/// One constraint in the sequence.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SequentialConstraint {
    pub source: Constraint,
    pub block: RowBlock,
    /// The tangential row of a contact, without g.
    pub slide: SlideRow,
    /// Coulomb's μ of the pair.
    pub friction: f64,
    /// The speed of the surfaces against which friction acts besides J_t v, m/s.
    pub surface_speed: f64,
    /// c_r of the pair, m.
    pub rolling: f64,
    pub restitution: f64,
    /// φ̇ when the step began, of a contact or limit.
    pub approach: f64,
    /// Impacts slower than this do not rebound, m/s.
    pub rebound_speed: f64,
    /// The normal impulse that the velocity solve after the positions has added to a contact in the present substep, N s.
    pub velocity_impulse: f64,
    /// Of a contact that keeps its anchors over steps.
    pub anchors: Option<Anchors>,
    /// Its number among the unilateral rows.
    pub touch: usize,
    pub bias: [f64; MOST],
    pub compliance: [f64; MOST],
    /// Whether it is a spring that is not backward Euler's (`model/spring.rs`), with its rows at the start or in the
    /// middle of the substep.
    pub is_resolved: bool,
    /// s_i, the impulse scale of a soft constraint [Box2D v3], 0 of a rigid one; the mass scale s_m is 1 − s_i.
    pub softness: f64,
    pub law: SweepLaw,
    /// λ of the present substep, by row; the second is the tangential one of a contact, the third its rolling resistance.
    pub lambda: [f64; MOST],
    /// Σλ over the step, N s.
    pub total: [f64; MOST],
    /// Σ Jᵀλ over the step on bodies a and b, and the λ of the present substep that is in it.
    pub on_bodies: [DVec3; 2],
    /// The same on the bodies beyond.
    pub on_further: [DVec3; 2],
    /// What of `on_bodies` the tangential impulse and rolling resistance exert.
    pub friction_on_bodies: [DVec3; 2],
    pub accounted: [f64; MOST],
    /// J v and g when the substep began, and what `on_bodies` was.
    pub start_rate: [f64; MOST],
    pub start_gap: f64,
    pub start_on_bodies: [DVec3; 2],
    pub start_on_further: [DVec3; 2],
}

impl SequentialConstraint {
    /// Evaluates g and J at the pose q, and g and c of a driven length at the time `clock`.
    pub fn evaluate(&mut self, world: &World, contacts: &[Contact], q: &[DVec3], clock: Clock) {
        if let Some(anchors) = &self.anchors {
            self.block.g[0] = anchors.gap_at([q[self.block.a], q[self.block.b]]);
            return;
        }
        let bodies = self.source.bodies(world, contacts);
        self.block = RowBlock::between(bodies);
        self.slide = SlideRow { ends: bodies, ..SlideRow::default() };
        let slides = self.source.is_contact();
        let frame = |body: usize| Frame::new(q[body], DVec3::ZERO);
        self.source.each_row(world, contacts, frame, |row| {
            if slides && self.block.size == 1 {
                self.slide.j = [row.ja, row.jb];
            } else {
                self.block.push_row(&row);
            }
        });
        if let Some([g, _, c]) = self.source.length_terms(world, clock) {
            (self.block.g[0], self.block.c) = (self.block.g[0] + g, c);
        }
    }

    /// Gives a contact its anchors in the step, which starts at the velocity v.
    pub fn anchor(&mut self, anchors: Anchors, v: &[DVec3]) {
        let ([normal, slide], ends) = (anchors.rows(), [self.block.a, self.block.b]);
        self.block = RowBlock::between(ends);
        self.block.push_equation(normal);
        self.slide = SlideRow { ends, j: [slide.ja, slide.jb] };
        self.approach = self.block.rates(v)[0];
        self.anchors = Some(anchors);
    }

    /// Starts λ from remembered forces, for substeps of `h`.
    pub fn start_from(&mut self, forces: &[f64], h: f64) {
        self.lambda.iter_mut().zip(forces).for_each(|(lambda, force)| *lambda = force * h);
    }

    /// λ that satisfies the block alone.
    fn proposal(&self, inverse_mass: &[DVec3], v: &[DVec3]) -> [f64; MOST] {
        let rates = self.block.rates(v);
        let wanted: [f64; MOST] =
            std::array::from_fn(|i| -(rates[i] + self.bias[i] + self.compliance[i] * self.lambda[i]));
        let x = self.block.solve(inverse_mass, &self.compliance, wanted);
        let mut lambda = self.lambda;
        for i in 0..self.block.size {
            lambda[i] += (1.0 - self.softness) * x[i] - self.softness * lambda[i];
        }
        match self.law {
            SweepLaw::Free => {}
            SweepLaw::Push => lambda[0] = if lambda[0] < 0.0 { 0.0 } else { lambda[0] },
            SweepLaw::AtMost(most) => clamp_length(&mut lambda[..self.block.size], most),
            SweepLaw::Idle => lambda[..self.block.size].fill(0.0),
            SweepLaw::Kept => lambda = self.lambda,
        }
        lambda
    }

    /// λ_t that stops the sliding, within Coulomb's bound.
    fn friction_proposal(&self, inverse_mass: &[DVec3], v: &[DVec3]) -> f64 {
        clamp(
            self.lambda[1] + self.slide.solve(inverse_mass, -self.slip(v)),
            self.friction * self.lambda[0],
        )
    }

    /// J_t v + s of a contact, against which friction acts, m/s.
    pub fn slip(&self, v: &[DVec3]) -> f64 {
        let rate = self.slide.rate(v);
        if self.surface_speed == 0.0 { rate } else { rate + self.surface_speed }
    }

    pub fn solve(&mut self, inverse_mass: &[DVec3], v: &mut [DVec3]) {
        self.solve_rows(inverse_mass, v);
        self.solve_friction(inverse_mass, v);
    }

    /// Solves all rows but that of friction.
    pub fn solve_rows(&mut self, inverse_mass: &[DVec3], v: &mut [DVec3]) {
        let lambda = self.proposal(inverse_mass, v);
        let change: [f64; MOST] = std::array::from_fn(|i| lambda[i] - self.lambda[i]);
        self.block.push(&change, inverse_mass, v);
        self.lambda = lambda;
    }

    /// Solves the row of friction, if there is one, and that of rolling resistance.
    pub fn solve_friction(&mut self, inverse_mass: &[DVec3], v: &mut [DVec3]) {
        if self.friction > 0.0 {
            let lambda = self.friction_proposal(inverse_mass, v);
            self.slide.push(lambda - self.lambda[1], inverse_mass, v);
            self.lambda[1] = lambda;
        }
        let mobility = self.turning_mobility(inverse_mass);
        if self.rolling > 0.0 && mobility > 0.0 {
            let before = self.lambda[2];
            let wanted = before - (v[self.block.b].z - v[self.block.a].z) / mobility;
            self.lambda[2] = clamp(wanted, self.rolling * self.lambda[0]);
            self.push_turning(self.lambda[2] - before, inverse_mass, v);
        }
    }

    /// 1/I_a + 1/I_b.
    fn turning_mobility(&self, inverse_mass: &[DVec3]) -> f64 {
        inverse_mass[self.block.a].z + inverse_mass[self.block.b].z
    }

    /// ω ← ω ± λ/I of the moment of rolling resistance.
    pub fn push_turning(&self, lambda: f64, inverse_mass: &[DVec3], v: &mut [DVec3]) {
        v[self.block.a].z -= inverse_mass[self.block.a].z * lambda;
        v[self.block.b].z += inverse_mass[self.block.b].z * lambda;
    }

    /// Adds the change of λ since the last call to the impulses on the bodies, with the present J.
    pub fn account(&mut self) {
        let change: [f64; MOST] = std::array::from_fn(|i| self.lambda[i] - self.accounted[i]);
        self.accounted = self.lambda;
        match self.source {
            Constraint::Contact(_) => {
                self.block.add_transposed(&[change[0], 0.0, 0.0], &mut self.on_bodies);
                self.slide.add_transposed(change[1], &mut self.on_bodies);
                self.slide.add_transposed(change[1], &mut self.friction_on_bodies);
                if self.rolling > 0.0 {
                    for on in [&mut self.on_bodies, &mut self.friction_on_bodies] {
                        on[0].z -= change[2];
                        on[1].z += change[2];
                    }
                }
            }
            _ => {
                self.block.add_transposed(&change, &mut self.on_bodies);
                self.block.add_transposed_further(&change, &mut self.on_further);
            }
        }
    }

    /// Makes J v⁺ = −e φ̇ at a contact, with λ ≥ 0; φ̇ is that of the start of the step.
    pub fn rebound(&mut self, inverse_mass: &[DVec3], v: &mut [DVec3]) {
        let mass = self.block.mass(0, 0, inverse_mass);
        if mass > 0.0 {
            let change = -(self.block.speeds(v)[0] + self.restitution * self.approach) / mass;
            let change = change.max(-self.lambda[0]);
            self.block.push(&[change, 0.0, 0.0], inverse_mass, v);
            self.lambda[0] += change;
            self.total[0] += change;
        }
    }

    /// Whether its impulses correct an error: a joint, or a contact or limit that overlapped.
    fn corrects(&self) -> bool {
        self.source.is_joint() || self.source.is_unilateral() && self.start_gap < 0.0
    }

    /// ½ (Σ Δλᵀ J v⁺ + λᵀJ v), each J at the pose at which Δλ acted and at the start, of what
    /// [`SequentialConstraint::work`] counts; all of λ, impulses, has been accounted for.
    pub fn work_of_passes(&self, v: &[DVec3]) -> f64 {
        if !self.corrects() {
            return 0.0;
        }
        let least = if self.source.is_unilateral() { 0.0 } else { f64::NEG_INFINITY };
        let rows = self.lambda.iter().zip(self.start_rate).take(self.block.size);
        let start: f64 = rows.map(|(lambda, rate)| lambda * rate.max(least)).sum();
        let [on_a, on_b] = [0, 1].map(|i| self.on_bodies[i] - self.start_on_bodies[i]);
        let end = start + on_a.dot(v[self.block.a]) + on_b.dot(v[self.block.b]);
        let further = self.block.further.iter().flat_map(|(bodies, _)| bodies).enumerate();
        let change = |i: usize| self.on_further[i] - self.start_on_further[i];
        0.5 * further.fold(end, |sum, (i, body)| sum + change(i).dot(v[*body]))
    }

    /// ½ λᵀ(J v⁺ + J v), each J at its own pose, of a joint, or of a contact or limit that overlapped; λ are impulses.
    pub fn work(&self, v: &[DVec3]) -> f64 {
        let unilateral = self.source.is_unilateral();
        if !self.corrects() {
            return 0.0;
        }
        let rates = self.block.speeds(v);
        // An overlapping pair that still approaches loses that speed to the impact.
        let least = if unilateral { 0.0 } else { f64::NEG_INFINITY };
        let rows = if unilateral { 0..1 } else { 0..self.block.size };
        rows.map(|i| 0.5 * self.lambda[i] * (rates[i].max(least) + self.start_rate[i].max(least))).sum()
    }

    pub fn residual(&self, inverse_mass: &[DVec3], v: &[DVec3]) -> f64 {
        let lambda = self.proposal(inverse_mass, v);
        let rows = 0..self.block.size;
        let normal = largest(rows.map(|i| {
            let mass = self.block.mass(i, i, inverse_mass) + self.compliance[i];
            mass * (lambda[i] - self.lambda[i])
        }));
        if self.friction == 0.0 {
            return normal;
        }
        let change = self.friction_proposal(inverse_mass, v) - self.lambda[1];
        largest([normal, self.slide.mass(inverse_mass) * change])
    }

    /// Sets b, c and bounds of springs, the grab and motors, whose force acts over the step or substep of `context`,
    /// and N v⁺ = v₀ at its end in non-holonomic rows.
    pub fn pose_force(
        &mut self,
        context: &StepContext<'_>,
        (contacts, swinging): (&[Contact], &Swinging),
        motion: &Motion,
    ) {
        let (world, duration, due) = (context.world, context.h, context.end());
        let clock = Clock { now: context.time, span: duration };
        if let Some([_, _, c]) = self.source.length_terms(world, clock) {
            self.block.c = c;
        }
        if let Constraint::Contact(index) = self.source
            && let Some([speed, _]) = driven_surface(world, &contacts[index], clock)
        {
            self.surface_speed = speed;
        }
        if self.source.condition() == Condition::Compliant {
            let own = |unit: Unit| self.source.softness(world, unit);
            let softness = self.block.units.map(|unit| own(unit).unwrap_or(Softness::NONE));
            if let Constraint::Spring(index) = self.source
                && swinging.has(index)
            {
                let spring = &world.springs()[index];
                self.block = RowBlock::between(spring.bodies());
                swinging.equations(spring, motion, duration, |row| self.block.push_equation(row));
            }
            let alone = [self.block.mass(0, 0, &motion.inverse_mass)];
            let mobilities = match self.source {
                Constraint::Spring(index) => swinging.mobilities_of(index, self.block.size),
                Constraint::SoftJoint(index) => swinging.mobilities_of_joint(index, self.block.size),
                Constraint::Suspension(_) => &alone,
                _ => &[],
            };
            let rates = match self.source {
                Constraint::Spring(_) | Constraint::SoftJoint(_) | Constraint::Suspension(_) => {
                    self.block.rates(&motion.before)
                }
                _ => [0.0; MOST],
            };
            self.is_resolved = softness[0].stiffness + softness[0].damping > 0.0
                && !mobilities.is_empty()
                && mobilities
                    .iter()
                    .zip(softness)
                    .all(|(own, soft)| soft.phase(duration, *own) < RESOLVED[1]);
            let rows: [Option<(f64, f64)>; MOST] = std::array::from_fn(|i| match mobilities.get(i) {
                Some(own) => {
                    softness[i].impulse(duration, *own).map(|own| own.row(self.block.g[i], rates[i]))
                }
                None => softness[i].row(self.block.g[i], duration),
            });
            self.law = if rows[0].is_some() { SweepLaw::Free } else { SweepLaw::Idle };
            self.compliance = rows.map(|row| row.map_or(0.0, |(c, _)| c));
            self.bias = rows.map(|row| row.map_or(0.0, |(_, b)| b));
        }
        if matches!(self.source.condition(), Condition::Velocity | Condition::Speed) {
            self.bias = self.source.speed(world, due).map(|speed| -speed);
            if let Constraint::Motor(joint) = self.source {
                self.bias[0] = -world.joints()[joint].mean_speed(context.time, duration);
            }
        }
        let holds = match self.source {
            Constraint::Motor(joint) => world.joints()[joint].servo.is_some(),
            Constraint::Drive(..) => true,
            _ => false,
        };
        if holds {
            self.hold_position(world, motion, duration);
        }
        if let Some(most) = self.source.most_force(world) {
            self.law = SweepLaw::AtMost(most * duration);
        }
    }
}

impl SequentialConstraint {
    /// Sets b and c of a motor that holds a position, over `duration`.
    fn hold_position(&mut self, world: &World, motion: &Motion, duration: f64) {
        let (source, speed) = (self.source, -self.bias[0]);
        let frame = |body: usize| Frame::new(motion.q[body], DVec3::ZERO);
        source.each_row(world, &[], frame, |row| {
            let servo = source.servo(world, frame, &row);
            let own = servo.and_then(|(softness, mobility)| softness.impulse(duration, mobility));
            if let Some(own) = own {
                let (c, bias) = own.row(row.g, row.rate(&motion.before) - speed);
                (self.compliance[0], self.bias[0]) = (c, bias - speed);
            }
        });
    }
}

/// `x` between −most and most.
pub(crate) fn clamp(x: f64, most: f64) -> f64 {
    // NaN passes unchanged.
    if x > most {
        most
    } else if x < -most {
        -most
    } else {
        x
    }
}

/// Shortens the vector to at most `most`.
pub(crate) fn clamp_length(x: &mut [f64], most: f64) {
    let length = x.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > most {
        for x in x {
            *x *= most / length;
        }
    }
}

/// Frames of two bodies at the poses q, with velocity zero, on which g and J do not depend.
pub(crate) fn frames([a, b]: [usize; 2], q: &[DVec3]) -> [Frame; 2] {
    [Frame::new(q[a], DVec3::ZERO), Frame::new(q[b], DVec3::ZERO)]
}
