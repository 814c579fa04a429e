//! Springs in a step: the row of each, and which of them act in the middle of the step.
//!
//! `model/spring.rs` derives the row λ = −(h k s + r ṡ⁺ + t ṡ). The bodies that springs alone hold, the *swinging* ones, move by
//! the mean of the velocities before and after, and their springs have s and J of the middle,
//!
//! ```text
//! q½ = q + ½h v ,     v⁺ = v + h M⁻¹F + M⁻¹J(q½)ᵀλ ,     q⁺ = q + ½h (v + v⁺) ,
//! ```
//!
//! so that q⁺, v⁺ are of one instant and the energy of both is kept. For springs that turn, J is that at the predicted
//! mean of q and q⁺, q½ + ¼h u, and s the mean of those at q and at the predicted q⁺ = q + h v + ½h u, since ½k (s⁺² −
//! s²) = k ½(s + s⁺)(s⁺ − s); u is the change of v that the springs would make with s and J of q½. s is then brought
//! back to q½ along J, J ¼h u less, because the row itself contains the way from there. A step is its own reverse as
//! far as the prediction is right.
//!
//! The translation and the angle of a body are looked at each by itself: a wheel whose hinge is at its centre swings on
//! a torsional spring. They do not swing where
//!
//! - a row of a joint, velocity constraint, motor, limit, contact or the grab moves them, since the schemes demand J
//!   v⁺ = … of the velocity that moves q;
//! - a force acts that depends on the pose, F being that of the step's start;
//! - a body collides and anything in the world rebounds: the laws of impact are those of velocities in the middle of a
//!   step, and a rebound between velocities at its ends would gain the speed that forces make in a step;
//! - a spring has hω ≥ 1; or
//! - a spring connects them with what does not swing.
//!
//! The last limit is not ½, though the step resolves no spring beyond: where the levers of a spring change its hω as it
//! turns, v would become that in the middle of a step and back again, with ½hω of the energy each time. The springs
//! between damp, and from 1 on backward Euler halves the energy in each step.
//!
//! Weight and constant forces are integrated exactly by the mean. In substeps h is their length.
//!
//! **The mass that a row moves**, 1/m_e = J M⁻¹Jᵀ of its two bodies. A spring that the step would not resolve with this mass may
//! hang on bodies that joints make heavier; for such a row
//!
//! ```text
//! 1/m_e = J M⁻¹Jᵀ − J M⁻¹J_cᵀ (J_c M⁻¹J_cᵀ)⁻¹ J_c M⁻¹Jᵀ
//! ```
//!
//! with J_c of all joints and velocity constraints.

use super::motion::{Motion, StepContext};
use crate::constraint::{Row, Rows, Touches};
use crate::lcp::{Delassus, Law, MixedRow};
use crate::math::largest;
use crate::model::joint::Equation;
use crate::model::{Axes, Body, Frame, RESOLVED, Softness, Spring, World};
use glam::{DVec2, DVec3};

/// Most visits of every spring for the prediction; where springs share bodies each reduces what is left by about w/4 ≤
/// 1/16 of springs that the step resolves, and by half near hω = 1.
const MOST_VISITS: usize = 64;

/// Compliance and bias of a row over a step `h` that moves `mobility`, with the rate ṡ before it; of backward Euler without a
/// mobility, as the grab's is. `None` if it carries no force.
#[inline]
pub(crate) fn soft_row(
    (row, softness): (&Row, &Softness),
    mobility: Option<f64>,
    before: f64,
    h: f64,
) -> Option<(f64, f64)> {
    match mobility {
        Some(mobility) => softness.impulse(h, mobility).map(|own| own.row(row.g, before)),
        None => softness.row(row.g, h),
    }
}

/// The springs that act in the middle of the step, and what they move.
#[derive(Debug, Default)]
pub(crate) struct Swinging {
    /// 1/m_e of the row of every spring, and after them of every suspension, 1/kg or 1/(kg m²).
    mobility: Vec<f64>,
    /// The first of these rows of every spring.
    first: Vec<usize>,
    /// The soft joints, by their index among the world's, each with the first of its rows.
    joints_first: Vec<(usize, usize)>,
    /// u of every body, m/s and rad/s; empty if nothing swings.
    ahead: Vec<DVec3>,
    /// What the joints' J_c M⁻¹J_cᵀ is factorised with.
    joints: Delassus,
    equations: Vec<MixedRow>,
    /// M⁻¹Jᵀ of a spring's row by body, J_c M⁻¹Jᵀ, and the joints' impulses against it.
    moved: Vec<DVec3>,
    coupled: Vec<f64>,
    against: Vec<f64>,
    /// The rows of the prediction, each with c, J v + b and λ.
    rows: Vec<(Row, [f64; 2], f64)>,
    /// By spring of the world.
    springs: Vec<bool>,
    /// A coordinate is the translation of a body, 2i, or its angle, 2i + 1. For each the next one on the way to the root of its
    /// group, and whether it is bound; after [`Swinging::find`] that of the root tells of the group.
    towards: Vec<u32>,
    bound: Vec<bool>,
    swung: Vec<bool>,
}

impl Swinging {
    /// Whether the spring of that index among the world's acts in the middle of the step.
    pub fn has(&self, spring: usize) -> bool {
        self.springs.get(spring).copied().unwrap_or(false)
    }

    /// Forgets the springs of the last step.
    pub fn clear(&mut self) {
        self.springs.clear();
        self.mobility.clear();
        self.first.clear();
        self.joints_first.clear();
        self.ahead.clear();
    }

    /// Predicts u for a step or substep `h` from the pose of `motion` and v in its `before`.
    pub fn predict(&mut self, world: &World, motion: &Motion, h: f64) {
        let Self { springs, first, mobility, ahead, rows, .. } = self;
        ahead.clear();
        rows.clear();
        if motion.mean.is_empty() {
            return;
        }
        let Motion { before: v, inverse_mass, .. } = motion;
        ahead.resize(v.len(), DVec3::ZERO);
        for &(body, moved) in &motion.mean {
            ahead[body] = h * moved * motion.free_acceleration[body];
        }
        for (index, spring) in world.springs().iter().enumerate().filter(|(index, _)| springs[*index]) {
            let [a, b] = spring.bodies();
            let [frame_a, frame_b] =
                [a, b].map(|body| Frame::new(motion.q[body] + 0.5 * h * v[body], v[body]));
            let mut mobility = mobility[first[index]..].iter();
            spring.equations(&frame_a, &frame_b, |Equation { g, ja, jb, k, unit }| {
                let row = Row { a, b, ja, jb, g, k, c: 0.0, unit, further: None };
                let own = mobility.next().and_then(|own| spring.softness.impulse(h, *own));
                if let Some(own) = own {
                    let (c, b) = own.row(g, row.rate(v));
                    rows.push((row, [c, row.rate(v) + b], 0.0));
                }
            });
        }
        let mut start = 0.0;
        for pass in 0..MOST_VISITS {
            let mut change = 0.0;
            for (row, [c, b], lambda) in rows.iter_mut() {
                let delta = -(row.rate(ahead) + *b + *c * *lambda) / (row.mobility(inverse_mass) + *c);
                *lambda += delta;
                row.push(delta, inverse_mass, ahead);
                change = largest([change, *c * delta]);
            }
            if pass == 0 {
                start = change;
            }
            if change.is_nan() || change <= f64::EPSILON * start {
                break;
            }
        }
    }

    /// The equations of a swinging spring in the middle of a step or substep `h` from the pose of `motion` and v in its `before`.
    pub fn equations(&self, spring: &Spring, motion: &Motion, h: f64, mut emit: impl FnMut(Equation)) {
        let [a, b] = spring.bodies();
        let v = &motion.before;
        let u = |body: usize| self.ahead.get(body).copied().unwrap_or_default();
        // q + share (h v + ½h u)
        let at = |body: usize, share: f64| {
            Frame::new(motion.q[body] + share * (h * v[body] + 0.5 * h * u(body)), v[body])
        };
        // A spring has at most two rows.
        let mut ends = [[0.0; 2]; 2];
        for (end, share) in ends.iter_mut().zip([0.0, 1.0]) {
            let mut next = end.iter_mut();
            spring.equations(&at(a, share), &at(b, share), |own| {
                if let Some(s) = next.next() {
                    *s = own.g;
                }
            });
        }
        let mut row = 0;
        spring.equations(&at(a, 0.5), &at(b, 0.5), |own| {
            let mean = 0.5 * (ends[0][row] + ends[1][row]);
            let g = mean - 0.25 * h * (own.ja.dot(u(a)) + own.jb.dot(u(b)));
            row += 1;
            emit(Equation { g, ..own });
        });
    }

    /// Which springs act in the middle, by their index among the world's, and 1/m_e by row.
    pub fn springs(&self) -> (&[bool], &[f64]) {
        (&self.springs, &self.mobility)
    }

    /// 1/m_e of a row of springs and the grab, by its index among these; none of the grab's.
    pub fn mobility(&self, row: usize) -> Option<f64> {
        self.mobility.get(row).copied()
    }

    /// 1/m_e of the rows of a spring, by its index among the world's.
    pub fn mobilities_of(&self, spring: usize, rows: usize) -> &[f64] {
        let first = self.first.get(spring).copied().unwrap_or_default();
        self.mobility.get(first..first + rows).unwrap_or_default()
    }

    /// 1/m_e of the rows of a soft joint, by its index among the world's.
    pub fn mobilities_of_joint(&self, joint: usize, rows: usize) -> &[f64] {
        let found = self.joints_first.binary_search_by_key(&joint, |(own, _)| *own);
        let first = found.map_or(0, |at| self.joints_first[at].1);
        self.mobility.get(first..first + rows).unwrap_or_default()
    }

    /// Finds 1/m_e of every row, for steps or substeps of `h`.
    pub fn weigh(&mut self, world: &World, rows: &Rows, inverse_mass: &[DVec3], h: f64) {
        self.clear();
        let mut next = 0;
        for spring in world.springs() {
            self.first.push(next);
            next += spring.rows();
        }
        for (index, joint) in
            world.joints_if(|any| any.soft).iter().enumerate().filter(|(_, joint)| joint.is_soft())
        {
            self.joints_first.push((index, next));
            next += joint.soft_rows();
        }
        let soft = rows.soft().take(rows.weighed());
        self.mobility.extend(soft.map(|(row, _)| row.mobility(inverse_mass)));
        let equations = rows.equations();
        let held = |body: usize| {
            let has = |row: &Row| row.arms().any(|(own, _)| own == body);
            inverse_mass[body] != DVec3::ZERO && equations.iter().any(has)
        };
        let mut factorised = false;
        for (index, (row, softness)) in rows.soft().take(rows.weighed()).enumerate() {
            let doubtful = !softness.is_resolved(h, self.mobility[index]) && (held(row.a) || held(row.b));
            if !doubtful {
                continue;
            }
            if !factorised {
                self.equations.clear();
                self.equations.extend(equations.iter().map(|row| {
                    let Row { a, b, ja, jb, further, .. } = *row;
                    MixedRow { a, b, ja, jb, bias: 0.0, compliance: 0.0, law: Law::Equation, further }
                }));
                let Self { joints, equations, .. } = self;
                if joints.factor(equations.len(), |i| &equations[i], inverse_mass).is_none() {
                    return; // not finite: the step fails by itself
                }
                factorised = true;
            }
            // J_c M⁻¹Jᵀ, and what the joints' impulses against it take off
            let Self { joints, moved, coupled, against, .. } = self;
            moved.clear();
            moved.resize(inverse_mass.len(), DVec3::ZERO);
            row.push(1.0, inverse_mass, moved);
            coupled.clear();
            coupled.extend(equations.iter().map(|row| row.rate(moved)));
            against.clear();
            against.resize(coupled.len(), 0.0);
            joints.solve(coupled, against);
            let taken: f64 = coupled.iter().zip(against.iter()).map(|(one, other)| one * other).sum();
            let left = self.mobility[index] - taken;
            self.mobility[index] = if left > 0.0 { left } else { 0.0 };
        }
    }

    /// Finds the swinging bodies in steps or substeps of `h`, and lists in `motion` what the mean velocity moves.
    pub fn find(
        &mut self,
        context: &StepContext<'_>,
        (rows, touches): (&Rows, &Touches),
        motion: &mut Motion,
        h: f64,
    ) {
        let world = context.world;
        self.springs.clear();
        if world.springs().is_empty() || world.repulsion().is_some() || !world.force_laws().is_empty() {
            return;
        }
        self.bind(world, rows, touches);
        for (index, spring) in world.springs().iter().enumerate() {
            let mut mobilities = self.mobilities_of(index, spring.rows()).iter();
            let swings = mobilities.all(|mobility| spring.softness.phase(h, *mobility) < RESOLVED[1]);
            if spring.broken {
                continue;
            }
            let mut first = None;
            for coordinate in coordinates(spring, &motion.inverse_mass) {
                let root = self.root(coordinate);
                let bound = self.bound[root] || !swings;
                let group = *first.get_or_insert(root);
                let group = self.root(group);
                self.bound[group] |= bound;
                self.towards[root] = group as u32;
            }
        }
        self.swung.clear();
        self.swung.resize(self.bound.len(), false);
        for spring in world.springs() {
            let own = coordinates(spring, &motion.inverse_mass);
            let group = own.clone().next().map(|coordinate| self.root(coordinate));
            let carries = !spring.broken && spring.softness.stiffness + spring.softness.damping > 0.0;
            let swings = carries && group.is_some_and(|group| !self.bound[group]);
            self.springs.push(swings);
            if swings {
                own.for_each(|coordinate| self.swung[coordinate] = true);
            }
        }
        let moved = self.swung.chunks_exact(2).enumerate().filter(|(_, swung)| swung.contains(&true));
        motion.mean.extend(moved.map(|(body, swung)| {
            let [x, z] = [swung[0], swung[1]].map(|swings| if swings { 1.0 } else { 0.0 });
            (body, DVec3::new(x, x, z))
        }));
    }

    /// Marks the coordinates that rows other than springs move, or forces that depend on the pose.
    fn bind(&mut self, world: &World, rows: &Rows, touches: &Touches) {
        let Self { towards, bound, .. } = self;
        let count = 2 * world.bodies().len();
        towards.clear();
        towards.extend(0..count as u32);
        bound.clear();
        bound.resize(count, false);
        let springs = rows.equations().len()..rows.equations().len() + rows.springs();
        let others = rows.all().iter().enumerate().filter(|(index, _)| !springs.contains(index));
        let held = others.map(|(_, row)| row).chain(touches.all().iter().map(|touch| &touch.row));
        for row in held.chain(touches.motors().iter().map(|motor| &motor.row)) {
            for (body, j) in row.arms() {
                bound[2 * body] |= j.truncate() != DVec2::ZERO;
                bound[2 * body + 1] |= j.z != 0.0;
            }
        }
        // A contact without a lever of its normal has one of friction.
        for touch in touches.contacts() {
            bound[2 * touch.row.a + 1] = true;
            bound[2 * touch.row.b + 1] = true;
        }
        let touches = |body: &Body| body.collides && !body.pieces().is_empty();
        let touching = || world.bodies().iter().filter(|body| touches(body));
        let rebounds = touching().count() > 1 && world.may_rebound();
        for (index, body) in world.bodies().iter().enumerate() {
            if rebounds && touches(body) {
                bound[2 * index] = true;
                bound[2 * index + 1] = true;
            }
            let turns = |force: &crate::model::AppliedForce| {
                force.force != DVec2::ZERO && (force.axes == Axes::Body || force.at != DVec2::ZERO)
            };
            if body.applied.as_ref().is_some_and(turns) {
                bound[2 * index] = true;
                bound[2 * index + 1] = true;
            }
        }
    }

    /// The root of a coordinate's group.
    fn root(&mut self, coordinate: usize) -> usize {
        let mut at = coordinate;
        while self.towards[at] as usize != at {
            self.towards[at] = self.towards[self.towards[at] as usize];
            at = self.towards[at] as usize;
        }
        at
    }
}

/// 1/m_e of every row of the springs, soft joints and suspensions of `world`, in their order, with all joints: 1/kg or 1/(kg m²).
#[doc(hidden)]
pub fn mobilities(world: &World) -> Vec<f64> {
    let bodies = world.bodies();
    let q: Vec<DVec3> = bodies.iter().map(|body| body.pose.coordinates()).collect();
    let inverse_mass: Vec<DVec3> = bodies.iter().map(|body| body.inverse_mass()).collect();
    let (mut rows, mut swinging) = (Rows::default(), Swinging::default());
    rows.evaluate(world, &q, &vec![DVec3::ZERO; q.len()]);
    swinging.weigh(world, &rows, &inverse_mass, f64::INFINITY);
    swinging.mobility
}

/// The coordinates that a spring moves.
fn coordinates<'a>(
    spring: &'a Spring,
    inverse_mass: &'a [DVec3],
) -> impl Iterator<Item = usize> + Clone + 'a {
    let torsional = spring.rest_angle.is_some();
    spring.bodies().into_iter().zip(spring.anchors).flat_map(move |(body, anchor)| {
        let w = inverse_mass[body];
        let translation = !torsional && w.x > 0.0;
        let angle = (torsional || anchor != DVec2::ZERO) && w.z > 0.0;
        [translation.then_some(2 * body), angle.then_some(2 * body + 1)].into_iter().flatten()
    })
}
