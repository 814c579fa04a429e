//! Augmented vertex block descent over the bodies of a step: its rows with multiplier and penalty, the solve of one body, and
//! the update of the multipliers. `schemes/avbd.rs` has the method and its symbols.
//!
//! A force acts along −Jᵀ f, so that f ≤ 0 pushes a contact open; the impulses that the step reports are −h f. Each body in turn
//! solves for its own velocity u, with which it reaches q = q⁻ + h u:
//!
//! ```text
//! (M/h² + Σ κ JJᵀ + G) h Δu = −(M/h (u − v*) + Σ J f) ,     f = k C + λ within its bounds ,   G = Σ |f| diag |∇²C|
//! ```
//!
//! **Accounts.** The solve of a body says which force each constraint has exerted on it, J f + (κ JJᵀ + G) h Δu. These forces
//! make up M (v⁺ − v) of every body, and are the impulses of the ledger. Where the iterations have not converged they differ
//! from body to body of one constraint: the method conserves momentum only as far as it converges.

use super::descent_contacts::{ContactRows, continued};
use super::descent_elements::{Element, Forces, side_of};
use super::dual_row::{PER_CONSTRAINT, Rates};
use super::motion::{Motion, StepContext};
use crate::constraint::Constraint;
use crate::math::{largest, over};
use crate::model::{Frame, Memory, World};
use crate::report::StepReport;
use crate::stages::accounts::StepTotals;
use crate::stages::constraints::Constraints;
use crate::stages::sequential_constraint::MOST;
use glam::DVec3;

/// The system of one body.
#[derive(Clone, Copy, Debug)]
struct System {
    /// Diagonal, and the entries xy, xθ, yθ.
    diagonal: DVec3,
    off: DVec3,
    right: DVec3,
}

impl System {
    fn add(&mut self, j: DVec3, f: f64, stiffness: f64) {
        self.right += f * j;
        let scaled = stiffness * j;
        self.diagonal += scaled * j;
        self.off += DVec3::new(scaled.x * j.y, scaled.x * j.z, scaled.y * j.z);
    }

    /// −A⁻¹r by LDLᵀ; a body that does not turn keeps its angle.
    fn step(&self, turns: bool) -> DVec3 {
        let (DVec3 { x: xy, y: mut xt, z: mut yt }, DVec3 { x: d0, y: ayy, z: mut att }) =
            (self.off, self.diagonal);
        let mut right = self.right;
        if !turns {
            (xt, yt, att, right.z) = (0.0, 0.0, 1.0, 0.0);
        }
        let (l10, l20) = (xy / d0, xt / d0);
        let d1 = ayy - l10 * xy;
        let l21 = (yt - l20 * xy) / d1;
        let d2 = att - l20 * xt - l21 * l21 * d1;
        let y1 = right.y - l10 * right.x;
        let y2 = right.z - l20 * right.x - l21 * y1;
        let z = y2 / d2;
        let y = y1 / d1 - l21 * z;
        -DVec3::new(right.x / d0 - l10 * y - l20 * z, y, z)
    }
}

/// The rows of a step, by constraint and by body.
#[derive(Debug, Default)]
pub(crate) struct Descent {
    rates: Rates,
    h: f64,
    elements: Vec<Element>,
    pub contacts: Vec<ContactRows>,
    /// Where the constraints of each body begin in `on_body`, which holds elements, and contacts behind them.
    first: Vec<usize>,
    on_body: Vec<usize>,
    frames: Vec<Frame>,
    /// q⁻, v*, u, M/h².
    start: Vec<DVec3>,
    free: Vec<DVec3>,
    pub u: Vec<DVec3>,
    heavy: Vec<DVec3>,
    moves: Vec<bool>,
    /// The impulses of each element, then of each contact, on its bodies; of contacts those of friction apart.
    on: Vec<[DVec3; 4]>,
    friction_on: Vec<[DVec3; 2]>,
}

/// Which part of the error at the start of the step is left to it, and who asks.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Pass {
    /// α.
    pub alpha: f64,
    /// Whether the impulses of the pass are those of the step.
    pub books: bool,
}

impl Descent {
    /// Lists the rows at the start of a step, with contacts and limits as found, λ and k from `memory`, and lets the bodies start
    /// at the velocities `u`. `motion` has v* in `v`.
    pub fn begin(
        &mut self,
        context: &StepContext<'_>,
        constraints: &Constraints,
        motion: &Motion,
        rates: Rates,
        memory: Option<&Memory>,
    ) {
        let (world, h) = (context.world, context.h);
        (self.rates, self.h) = (rates, h);
        self.start.clone_from(&motion.q);
        self.free.clone_from(&motion.v);
        self.moves.clear();
        self.moves.extend(motion.inverse_mass.iter().map(|w| w.x > 0.0));
        self.heavy.clear();
        self.heavy.extend(motion.inverse_mass.iter().map(|w| over(DVec3::ONE, *w) / (h * h)));
        self.frames.truncate(motion.q.len());
        for (frame, q) in self.frames.iter_mut().zip(&motion.q) {
            frame.move_to(*q, DVec3::ZERO);
        }
        let known = self.frames.len();
        self.frames.extend(motion.q.iter().skip(known).map(|q| Frame::new(*q, DVec3::ZERO)));
        self.list_elements(context, constraints, memory);
        self.contacts.clear();
        for (index, (contact, touch)) in
            constraints.contacts.iter().zip(constraints.touches.contacts()).enumerate()
        {
            let frames = contact.bodies().map(|body| &self.frames[body]);
            let open = touch.row.g > constraints.active.distance;
            if touch.row.g > 0.0 && !open {
                continue; // a pair that does not touch, and would not tunnel
            }
            let kept =
                memory.and_then(|memory| continued(contact, &constraints.contacts, world, frames, memory));
            let mut own = ContactRows::new((index, contact), touch, (world, frames), kept, &rates);
            own.stiffen_if_open(&motion.inverse_mass, h, rates.penalties[1]);
            self.contacts.push(own);
        }
        self.list_bodies();
        let count = self.elements.len() + self.contacts.len();
        self.on.clear();
        self.on.resize(count, [DVec3::ZERO; 4]);
        self.friction_on.clear();
        self.friction_on.resize(self.contacts.len(), [DVec3::ZERO; 2]);
    }

    /// Lets the bodies that forces move start at q⁻ + h u, and the others end where they are prescribed to.
    pub fn start_at(&mut self, u: impl Iterator<Item = DVec3>) {
        self.u.clear();
        self.u.extend(u);
        for body in 0..self.u.len() {
            self.place(body);
        }
    }

    fn place(&mut self, body: usize) {
        self.frames[body].move_to(self.start[body] + self.h * self.u[body], DVec3::ZERO);
    }

    fn list_elements(
        &mut self,
        context: &StepContext<'_>,
        constraints: &Constraints,
        memory: Option<&Memory>,
    ) {
        let world = context.world;
        let Self { elements, frames, rates, .. } = self;
        elements.clear();
        let mut limits = constraints.touches.limits().iter();
        for source in Constraint::all(world, 0) {
            let limit = if source.is_limit() { limits.next() } else { None };
            let numbers = memory.and_then(|memory| memory.of(source.id(world, &[])?));
            elements.push(Element::new(source, context, frames, limit, numbers, rates));
        }
    }

    /// Lists by body the constraints that act on it.
    fn list_bodies(&mut self) {
        let Self { first, on_body, elements, contacts, moves, .. } = self;
        first.clear();
        first.resize(moves.len() + 1, 0);
        let arms = |each: &mut dyn FnMut(usize, usize)| {
            for (index, own) in elements.iter().enumerate() {
                own.sides().for_each(|(_, body)| each(index, body));
            }
            for (index, own) in contacts.iter().enumerate() {
                own.bodies.iter().for_each(|body| each(elements.len() + index, *body));
            }
        };
        arms(&mut |_, body| first[body + 1] += usize::from(moves[body]));
        for body in 0..moves.len() {
            first[body + 1] += first[body];
        }
        on_body.clear();
        on_body.resize(first[moves.len()], 0);
        arms(&mut |index, body| {
            if moves[body] {
                on_body[first[body]] = index;
                first[body] += 1;
            }
        });
        // The fill has moved each beginning to the next one.
        for body in (1..first.len()).rev() {
            first[body] = first[body - 1];
        }
        first[0] = 0;
    }
}

impl Descent {
    /// Visits every body that forces move once, from the last to the first. Returns the largest change of a body's velocity, m/s.
    pub fn solve_bodies(&mut self, world: &World, pass: Pass) -> f64 {
        let mut change = 0.0;
        for body in (0..self.u.len()).rev() {
            if self.moves[body] {
                change = largest([change, self.solve_body(world, body, pass)]);
            }
        }
        change
    }

    fn solve_body(&mut self, world: &World, body: usize, pass: Pass) -> f64 {
        let (first, last) = (self.first[body], self.first[body + 1]);
        if first == last {
            self.u[body] = self.free[body];
            self.place(body);
            return 0.0;
        }
        let heavy = self.heavy[body];
        let mut system = System {
            diagonal: heavy,
            off: DVec3::ZERO,
            right: heavy * self.h * (self.u[body] - self.free[body]),
        };
        let Self { elements, contacts, frames, u, h, rates, on_body, .. } = &*self;
        for &index in &on_body[first..last] {
            match index.checked_sub(elements.len()) {
                None => {
                    let own = &elements[index];
                    let posed = own.at(world, frames, body, (u, *h));
                    let Forces { f, gain, .. } = own.forces(&posed, pass.alpha, rates, *h);
                    for i in 0..posed.count {
                        system.add(posed.j[i], f[i], gain[i]);
                    }
                    system.diagonal += own.curvature(world, frames, body, &posed, &f);
                }
                Some(index) => {
                    let own = &contacts[index];
                    let ([_, f], side) = (own.forces(u, *h, pass.alpha), own.side(body));
                    for (i, (row, f)) in own.rows.iter().zip(f).enumerate().take(own.size) {
                        system.add(own.gradient(i, side), f, row.penalty);
                    }
                }
            }
        }
        let step = system.step(heavy.z > 0.0);
        if pass.books {
            self.book(world, body, step, pass.alpha);
        }
        let change = step / self.h;
        self.u[body] += change;
        self.place(body);
        change.truncate().length()
    }

    /// Books the impulses on a body before it moves by `step`. What rounding leaves of M (v⁺ − v) goes to the constraint whose
    /// impulse is the largest.
    fn book(&mut self, world: &World, body: usize, step: DVec3, alpha: f64) {
        let Self { elements, contacts, frames, u, h, rates, on_body, first, on, friction_on, .. } = self;
        let own_range = first[body]..first[body + 1];
        let mut sum = DVec3::ZERO;
        let mut strongest = (0.0, 0, 0);
        for &index in &on_body[own_range] {
            let (impulse, side) = match index.checked_sub(elements.len()) {
                None => {
                    let own = &elements[index];
                    let posed = own.at(world, frames, body, (u, *h));
                    let Forces { f, gain, .. } = own.forces(&posed, alpha, rates, *h);
                    let mut force = own.curvature(world, frames, body, &posed, &f) * step;
                    for i in 0..posed.count {
                        force += posed.j[i] * (f[i] + gain[i] * posed.j[i].dot(step));
                    }
                    (-*h * force, own.side(body))
                }
                Some(contact) => {
                    let own = &contacts[contact];
                    let ([_, f], side) = (own.forces(u, *h, alpha), own.side(body));
                    let mut parts = [DVec3::ZERO; 2];
                    for (i, (row, f)) in own.rows.iter().zip(f).enumerate().take(own.size) {
                        let j = own.gradient(i, side);
                        parts[usize::from(i > 0)] += j * (f + row.penalty * j.dot(step));
                    }
                    friction_on[contact][side] = -*h * parts[1];
                    (-*h * (parts[0] + parts[1]), side)
                }
            };
            on[index][side] = impulse;
            sum += impulse;
            let size = impulse.abs().max_element();
            if size >= strongest.0 {
                strongest = (size, index, side);
            }
        }
        let (_, index, side) = strongest;
        let mass = self.heavy[body] * *h * *h;
        let change = mass * (u[body] + step / *h - self.free[body]);
        let rest = change - sum;
        on[index][side] += if self.heavy[body].z > 0.0 { rest } else { rest.truncate().extend(0.0) };
    }

    /// λ ← f, and the growth of penalties. Returns the largest |C|/h of a hard row whose f is within its bounds, m/s.
    pub fn update_multipliers(&mut self, world: &World, alpha: f64) -> f64 {
        let Self { elements, contacts, frames, u, h, rates, .. } = self;
        let mut residual = 0.0;
        for own in elements.iter_mut() {
            let body = own.source.bodies(world, &[])[0];
            let posed = own.at(world, frames, body, (u, *h));
            let Forces { c, f, moved, bounded, .. } = own.forces(&posed, alpha, rates, *h);
            let unilateral = own.source.is_unilateral();
            for i in 0..posed.count {
                let inside = !(bounded || unilateral && f[i] >= 0.0);
                let row = &mut own.rows[i];
                if inside && row.stiffness.is_infinite() {
                    residual = largest([residual, c[i] / (row.arm * *h)]);
                }
                row.update(f[i], c[i], moved[i], inside, (rates, *h));
            }
        }
        for own in contacts.iter_mut() {
            residual = largest([residual, own.update(u, *h, alpha, rates)]);
        }
        residual
    }

    /// Notes which contacts stick at the end.
    pub fn note_sticking(&mut self) {
        let stick = self.rates.stick;
        self.contacts.iter_mut().for_each(|own| own.note_sticking(stick));
    }

    /// Impacts part at −e φ̇, by impulses on `v` after the descent, in `sweeps` over all of them.
    pub fn rebound(&mut self, world: &World, inverse_mass: &[DVec3], v: &mut [DVec3], sweeps: usize) {
        let Self { elements, contacts, frames, h, on, .. } = self;
        let count = elements.len();
        for _ in 0..sweeps {
            for (index, own) in contacts.iter_mut().enumerate() {
                own.rebound(inverse_mass, v, *h, &mut on[count + index]);
            }
            for (index, own) in elements.iter_mut().enumerate() {
                let [restitution, approach, threshold] = own.rebound;
                if !(restitution > 0.0 && approach < -threshold && own.rows[0].lambda < 0.0) {
                    continue;
                }
                own.source.each_row(
                    world,
                    &[],
                    |body| &frames[body],
                    |row| {
                        let mobility = row.mobility(inverse_mass);
                        if mobility > 0.0 {
                            let due = own.rebounded - (row.rate(v) + restitution * approach) / mobility;
                            let change = due.max(*h * own.rows[0].lambda) - own.rebounded;
                            row.push(change, inverse_mass, v);
                            own.rebounded += change;
                            row.arms()
                                .for_each(|(body, j)| on[index][side_of(own.ends, body)] += change * j);
                        }
                    },
                );
            }
        }
    }

    /// Books the impulses on bodies that forces do not move: −h Jᵀλ at the end.
    fn book_unmoved(&mut self, world: &World) {
        let Self { elements, contacts, frames, u, h, on, friction_on, moves, .. } = self;
        for (index, own) in elements.iter().enumerate() {
            for (side, body) in own.sides().filter(|(_, body)| !moves[*body]) {
                let posed = own.at(world, frames, body, (u, *h));
                let all = (0..posed.count).map(|i| posed.j[i] * own.rows[i].lambda);
                on[index][side] = -*h * all.sum::<DVec3>();
            }
        }
        for (index, own) in contacts.iter().enumerate() {
            for (side, _) in own.bodies.into_iter().enumerate().filter(|(_, body)| !moves[*body]) {
                let force = |i: usize| -*h * own.rows[i].lambda * own.gradient(i, side);
                let friction: DVec3 = (1..own.size).map(force).sum();
                friction_on[index][side] = friction;
                on[elements.len() + index][side] = force(0) + friction;
            }
        }
    }

    /// Writes the impulses into the ledger, what the scheme remembers into `memory`, and numbers of rows into the report.
    pub fn finish(
        &mut self,
        (world, constraints): (&World, &Constraints),
        totals: &mut StepTotals,
        memory: &mut Memory,
        report: &mut StepReport,
    ) {
        self.book_unmoved(world);
        let Self { elements, contacts, h, on, friction_on, .. } = &*self;
        let mut numbers = [0.0; PER_CONSTRAINT];
        let (of_elements, of_contacts) = on.split_at(elements.len());
        totals.ledger.begin_contacts();
        for ((entry, own), on) in totals.ledger.current_entries().iter_mut().zip(elements).zip(of_elements)
        {
            let mut multipliers = own.rows.map(|row| -*h * row.arm * row.lambda);
            multipliers[0] += own.rebounded;
            let [a, b, c, d] = *on;
            entry.add_sum(multipliers, [a, b]);
            entry.add_further_sum([c, d]);
        }
        for own in elements {
            let Some(id) = own.source.id(world, &[]) else { continue };
            numbers.fill(0.0);
            for (at, row) in own.rows.iter().enumerate().take(own.size) {
                (numbers[at], numbers[MOST + at]) = (row.lambda, row.penalty);
            }
            memory.put(id, &numbers);
        }
        for ((own, on), friction_on) in contacts.iter().zip(of_contacts).zip(friction_on) {
            let contact = &constraints.contacts[own.index];
            let entry = totals.ledger.list_contact(contact, [own.friction, own.surface_speed], true);
            let mut multipliers = own.rows.map(|row| -*h * row.lambda);
            multipliers[0] += own.rebounded;
            entry.impulse.add_sum(multipliers, [on[0], on[1]]);
            let sums = entry.friction_on_bodies.iter_mut().zip(friction_on);
            sums.for_each(|(sum, on)| *sum += *on);
            if let Some(id) = Constraint::Contact(own.index).id(world, &constraints.contacts) {
                memory.put(id, &own.numbers());
            }
        }
        let of_contacts = contacts.iter().map(|own| own.size);
        report.rows = elements.iter().map(|own| own.size).chain(of_contacts).sum();
        report.contacts = contacts.len();
    }

    /// ½ Σ p·(v + v⁺) of joints, limits that were exceeded and contacts that overlapped.
    pub fn work_of_corrections(&self, before: &[DVec3], after: &[DVec3]) -> f64 {
        let mean = |body: usize| 0.5 * (before[body] + after[body]);
        let corrects =
            |own: &Element| own.source.is_joint() || own.source.is_limit() && own.rows[0].start < 0.0;
        let (of_elements, of_contacts) = self.on.split_at(self.elements.len());
        let joints = self.elements.iter().zip(of_elements).filter(|(own, _)| corrects(own));
        let joints = joints.map(|(own, on)| {
            own.ends.into_iter().zip(on).map(|(body, on)| on.dot(mean(body))).sum::<f64>()
        });
        let overlaps = self.contacts.iter().zip(of_contacts).filter(|(own, _)| own.overlapped());
        let overlaps = overlaps
            .map(|(own, on)| [0, 1].map(|side| on[side].dot(mean(own.bodies[side]))).iter().sum::<f64>());
        joints.chain(overlaps.map(|work| work.max(0.0))).sum()
    }
}
