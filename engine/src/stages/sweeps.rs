//! Sequential impulses: Gauss–Seidel sweeps over the constraints of a step, as in today's engines.
//!
//! One block of rows after another gets the impulse that satisfies it alone, at the velocity that the blocks before it
//! have left:
//!
//! ```text
//! Δλ = −s_m K⁻¹(J v + b + c λ) − s_i λ ,     λ ← Π(λ + Δλ) ,     v ← v + M⁻¹JᵀΔλ ,     K = J M⁻¹Jᵀ + c
//! ```
//!
//! Π clamps to λ ≥ 0 (contact, limit), |λ| ≤ h F_max (motor, the grab as a vector), |λ_t| ≤ μ λ_n (friction). s_m and s_i are the
//! mass and impulse scales of a soft constraint, 1 and 0 for a rigid one; c and b of springs are those of `model/spring.rs`. The
//! order is joints, non-holonomic rows, springs, the grab, motors, contacts (normal, then tangent), limits: the rows that come
//! last are satisfied best [Catto, Solver2D]. `ngs`, `split_impulse` and `soft` (`colors.rs`) have orders of their own.
//!
//! The rows of a joint are one block, two of a hinge, three of a weld (Box2D v3 solves the weld's angle apart); those of a
//! non-holonomic constraint are one block, too, N v⁺ = v₀, rigid in every scheme: it has no error of position that a soft row
//! could spread over time. One visit satisfies it to rounding; rows that share a body converge by repeated visits.
//!
//! **Warm start.** λ starts from the world: a joint's force and a contact's impulse of the last step, each times the share of a
//! substep. `soft` remembers those of the last substep instead (`recycling.rs`). Non-holonomic rows and springs start from 0.
//!
//! A contact starts from the impulse of the contact with its own identity, the same two features. Where boxes of one width lie on
//! one another, the end of the stretch on which they face each other is a vertex of the one or of the other, as rounding shifts
//! them, and the identity changes at the same place. Such a contact takes over the impulse of the nearest contact between the
//! same two pieces that no longer exists. Box2D names both ends of a manifold by the vertices of both edges [Box2D 3:
//! `B2_MAKE_ID`], so that they keep their impulses there, too.
//!
//! **Residual.** The largest K |Δλ|, in m/s, by which another visit would change a single row at the end.
//!
//! **Block solver.** A scheme may visit the contacts between two pieces, one or two, together: friction at both points, then
//! their normal impulses. Those of two points are found at once, as in Box2D 2.4. With a the λ_n so far, A = J M⁻¹Jᵀ of the two
//! rows and u = J v + b − A a,
//!
//! ```text
//! A x + u ≥ 0 ,   x ≥ 0 ,   xᵀ(A x + u) = 0
//! ```
//!
//! is solved by trying its four cases: both push, the first alone, the second alone, none [Catto, `b2ContactSolver`, 2.4.1].
//! Where A is nearly singular, and where the block solver is off, the two are visited one after the other.

use super::colors::Colors;
use super::sequential_constraint::{MOST, SequentialConstraint, SweepLaw, frames};
use crate::constraint::{Clock, Constraint};
use crate::detect::Contact;
use crate::lcp::Trail;
use crate::math::largest;
use crate::model::{ContactId, ContactState, World};
use crate::report::{Stage, StepReport, tell};
use crate::stages::accounts::StepTotals;
use crate::stages::constraints::{Constraints, Demand};
use crate::stages::motion::{Motion, StepContext};
use glam::{DVec2, DVec3};
use std::ops::Range;

/// Most visits of coupled springs in a substep; each reduces what is left by the factor w/4 ≤ 1/16 (`model/spring.rs`).
const MOST_SPRING_VISITS: usize = 16;
/// Name of the sweeps in reports, in place of the method's solver.
const SOLVER: &str = "gauss_seidel";

/// A visit of a sweep: of one constraint, or of the contacts between two pieces.
#[derive(Debug)]
pub(crate) struct Visit {
    /// By which it is sorted: its colour, whether it is one of contacts, and its place in its joint or the list.
    rank: (u32, bool, bool, (usize, u8)),
    pub places: Range<usize>,
}

/// All constraints of a step in their order.
#[derive(Debug, Default)]
pub(crate) struct Sequence {
    pub constraints: Vec<SequentialConstraint>,
    /// Ranges of contacts between the same two pieces, under a scheme that visits them together.
    pub manifolds: Vec<Range<usize>>,
    /// The order of the visits, under a scheme that has one of its own.
    pub order: Vec<usize>,
    /// The visits of a sweep in the order of the colours, and these, under a scheme whose order they are.
    pub visits: Vec<Visit>,
    colors: Colors,
    /// Contacts of the last step that contacts between the same two pieces continue, under a scheme that remembers them.
    pub taken: Vec<ContactId>,
    /// Pseudo-velocities, under split impulses.
    pub pseudo: Vec<DVec3>,
}

impl Sequence {
    /// Evaluates g and J of all constraints at the pose q and the time `clock`.
    pub fn evaluate(&mut self, world: &World, contacts: &[Contact], q: &[DVec3], clock: Clock) {
        for constraint in &mut self.constraints {
            constraint.evaluate(world, contacts, q, clock);
        }
    }

    /// Sets the right-hand sides of springs, grab and motors for forces that act over the step or substep of `context`,
    /// and N v⁺ = v₀ at its end in non-holonomic rows. `motion` has the pose of its start, and v there in `before`.
    pub fn pose_forces(&mut self, context: &StepContext<'_>, constraints: &Constraints, motion: &Motion) {
        for constraint in &mut self.constraints {
            constraint.pose_force(context, (&constraints.contacts, &constraints.swinging), motion);
        }
    }

    /// Visits the springs that the step resolves until they agree, before what holds their bodies: a single visit would
    /// leave out how they act on each other, and with it their energy.
    pub fn solve_springs(&mut self, mut visit: impl FnMut(&mut SequentialConstraint)) {
        let mut first = 0.0;
        for pass in 0..MOST_SPRING_VISITS {
            let mut change = 0.0;
            for constraint in self.constraints.iter_mut().filter(|constraint| constraint.is_resolved) {
                let before = constraint.lambda;
                visit(constraint);
                let own = constraint.lambda.iter().zip(before).zip(constraint.compliance);
                change = largest(own.map(|((lambda, before), c)| c * (lambda - before)).chain([change]));
            }
            if pass == 0 {
                first = change;
            }
            if change.is_nan() || change <= f64::EPSILON * first {
                break;
            }
        }
    }

    /// Keeps the impulses of the springs that the step resolves as they are: they have acted over all of the substep.
    pub fn keep_springs(&mut self) {
        for constraint in self.constraints.iter_mut().filter(|constraint| constraint.is_resolved) {
            constraint.law = SweepLaw::Kept;
        }
    }

    /// Sets the right-hand sides b of J v⁺ + b = 0 (or ≥ 0) in joints, contacts and limits, and their s_i; `None` leaves a
    /// constraint out.
    pub fn pose_constraints(
        &mut self,
        target: impl Fn(&SequentialConstraint) -> Option<([f64; MOST], f64)>,
    ) {
        for constraint in &mut self.constraints {
            let is_joint = constraint.source.is_joint();
            if !is_joint && !constraint.source.is_unilateral() {
                continue;
            }
            constraint.law = match target(constraint) {
                Some(target) => {
                    (constraint.bias, constraint.softness) = target;
                    if constraint.block.c != 0.0 {
                        constraint.bias[0] += constraint.block.c;
                    }
                    if is_joint { SweepLaw::Free } else { SweepLaw::Push }
                }
                None => SweepLaw::Idle,
            };
        }
    }

    /// v ← v + M⁻¹Jᵀλ with the λ from which the sweeps start.
    pub fn warm_start(&self, inverse_mass: &[DVec3], v: &mut [DVec3]) {
        for constraint in &self.constraints {
            constraint.block.push(&constraint.lambda, inverse_mass, v);
            constraint.slide.push(constraint.lambda[1], inverse_mass, v);
            if constraint.rolling > 0.0 {
                constraint.push_turning(constraint.lambda[2], inverse_mass, v);
            }
        }
    }

    /// Notes J v and g at the start of a substep, for [`Sequence::work`] and for the impulses on the bodies.
    pub fn note_start(&mut self, v: &[DVec3]) {
        for constraint in &mut self.constraints {
            constraint.accounted = [0.0; MOST];
            (constraint.start_rate, constraint.start_gap) =
                (constraint.block.speeds(v), constraint.block.g[0]);
            constraint.start_on_bodies = constraint.on_bodies;
            constraint.start_on_further = constraint.on_further;
        }
    }

    /// Work of the substep's impulses on joints, overlaps and limits, with g and J evaluated after it, J.
    pub fn work(&self, v: &[DVec3]) -> f64 {
        self.constraints.iter().map(|constraint| constraint.work(v)).sum()
    }

    /// Sets the order: joints, from the last to the first if `backwards`, each with its motor and limits before its
    /// equations; then all other constraints.
    pub fn order_by_joint(&mut self, backwards: bool) {
        let Self { constraints, order, .. } = self;
        order.clear();
        order.extend(0..constraints.len());
        order.sort_unstable_by_key(|&place| match constraints[place].source.place_in_joint() {
            Some((joint, within)) => (0, if backwards { usize::MAX - joint } else { joint }, within),
            None => (1, place, 0),
        });
    }

    /// Sets the visits by the colours of the constraints (`colors.rs`): of each colour joints, each with its motor and limits
    /// before its equations, springs and the like, and then contacts, those between two pieces together.
    pub fn order_by_color(&mut self, contacts: &[Contact], inverse_mass: &[DVec3]) {
        let Self { constraints, visits, colors, .. } = self;
        colors.begin(inverse_mass.len());
        visits.clear();
        let continues =
            |index: usize| index > 0 && contacts[index].id.pair() == contacts[index - 1].id.pair();
        for (place, own) in constraints.iter().enumerate() {
            let color = match (own.source, visits.last_mut()) {
                (Constraint::Contact(index), Some(last)) if continues(index) => {
                    last.places.end += 1;
                    continue;
                }
                // Joints are listed first.
                (
                    Constraint::Motor(joint)
                    | Constraint::Friction(joint)
                    | Constraint::Drive(joint, _)
                    | Constraint::Lower(joint)
                    | Constraint::Upper(joint),
                    _,
                ) => visits[joint].rank.0,
                _ => colors.rank(own.block.bodies().filter(|body| inverse_mass[*body].x > 0.0)),
            };
            let joint = own.source.place_in_joint();
            let rank = (color, own.source.is_contact(), joint.is_none(), joint.unwrap_or((place, 0)));
            visits.push(Visit { rank, places: place..place + 1 });
        }
        visits.sort_unstable_by_key(|visit| visit.rank);
    }

    /// Makes every visit once; friction only if it `rubs`, after all contacts of the same two pieces. λ of friction left out
    /// stays.
    pub fn sweep(&mut self, rubs: bool, inverse_mass: &[DVec3], v: &mut [DVec3]) {
        let Self { constraints, visits, .. } = self;
        for visit in visits {
            let visited = &mut constraints[visit.places.clone()];
            visited.iter_mut().for_each(|own| own.solve_rows(inverse_mass, v));
            if rubs {
                visited.iter_mut().for_each(|own| own.solve_friction(inverse_mass, v));
            }
        }
    }

    /// Accounts for the change of λ at the present pose, before g and J are evaluated at another.
    pub fn account(&mut self) {
        self.constraints.iter_mut().for_each(SequentialConstraint::account);
    }

    /// Adds the substep's impulses to those of the step; J is still what it was when the last of them acted.
    pub fn bank(&mut self) {
        self.account();
        for constraint in &mut self.constraints {
            for (total, lambda) in constraint.total.iter_mut().zip(constraint.lambda) {
                *total += lambda;
            }
        }
    }

    /// The largest K |Δλ| of another visit, m/s.
    pub fn residual(&self, inverse_mass: &[DVec3], v: &[DVec3]) -> f64 {
        largest(self.constraints.iter().map(|constraint| constraint.residual(inverse_mass, v)))
    }
}

impl Sequence {
    /// Lists the constraints, with contacts and limits as last found, and evaluates them; λ starts from the last step's impulses
    /// in the world, divided by `substeps`.
    pub fn begin(
        &mut self,
        context: &StepContext<'_>,
        constraints: &Constraints,
        motion: &Motion,
        substeps: usize,
    ) {
        let (q, clock) = (&motion.q[..], motion.clock);
        tell(constraints.observer, Stage::Solve);
        let (world, share) = (context.world, 1.0 / substeps as f64);
        let duration = context.h * share;
        let Constraints { contacts, touches, .. } = constraints;
        let mut old = world.contacts();
        self.constraints.clear();
        self.constraints.extend(Constraint::all(world, contacts.len()).map(|source| {
            let lambda = match source {
                Constraint::Contact(index) => {
                    let [normal, tangential] = remembered((world, &mut old), contacts, index, q);
                    [share * normal, share * tangential, 0.0]
                }
                _ => source.force(world).map(|force| force * duration),
            };
            let law = if source.is_unilateral() { SweepLaw::Push } else { SweepLaw::Free };
            SequentialConstraint { source, law, lambda, ..Default::default() }
        }));
        self.evaluate(world, contacts, q, clock);
        let unilateral = self.constraints.iter_mut().filter(|constraint| constraint.source.is_unilateral());
        for ((number, touch), constraint) in touches.all().iter().enumerate().zip(unilateral) {
            (constraint.touch, constraint.restitution) = (number, touch.restitution);
            (constraint.approach, constraint.rebound_speed) = (touch.approach, touch.rebound_speed);
            if let Some(tangent) = touch.tangent {
                (constraint.friction, constraint.surface_speed) = (tangent.friction, tangent.speed);
                constraint.rolling = touch.rolling;
            }
        }
    }

    /// Sets rigid right-hand sides: J v⁺ + κ g = 0 for joints; J_n v⁺ + κ φ ≥ 0 for contacts and limits within the contact
    /// tolerance or in overlap; φ beyond it may close, and impacts rebound by Newton's law. κ in 1/s is `rate` of each. Springs,
    /// grab and motors act over the step; non-holonomic rows hold at its end.
    pub fn pose_rigid(
        &mut self,
        context: &StepContext<'_>,
        constraints: &Constraints,
        motion: &Motion,
        rate: impl Fn(&SequentialConstraint) -> f64,
    ) {
        let Constraints { touches, active, .. } = constraints;
        let h = context.h;
        self.pose_forces(context, constraints, motion);
        self.pose_constraints(|constraint| {
            if !constraint.source.is_unilateral() {
                return Some((constraint.block.g.map(|g| rate(constraint) * g), 0.0));
            }
            let touch = touches.all().get(constraint.touch)?;
            let b = match active.demand(touch, h)? {
                Demand::Scheme => rate(constraint) * constraint.block.g[0],
                Demand::FreeTravel => touch.row.g / h,
                Demand::Rebound(b) => b,
            };
            Some(([b; MOST], 0.0))
        });
    }

    /// Writes the step's impulses into the ledger and its statistics into `report`.
    pub fn finish(
        &mut self,
        residual: f64,
        constraints: &Constraints,
        totals: &mut StepTotals,
        report: &mut StepReport,
    ) {
        tell(constraints.observer, Stage::Assembly);
        let (all, contacts) = (&mut self.constraints, &constraints.contacts);
        totals.ledger.begin_contacts();
        for constraint in all.iter_mut() {
            constraint.account();
            if let Constraint::Contact(index) = constraint.source {
                let entry = totals.ledger.list_contact(
                    &contacts[index],
                    [constraint.friction, constraint.surface_speed],
                    true,
                );
                entry.impulse.add_sum(constraint.total, constraint.on_bodies);
                let own = entry.friction_on_bodies.iter_mut().zip(constraint.friction_on_bodies);
                own.for_each(|(sum, on)| *sum += on);
            }
        }
        // The ledger lists all constraints but contacts in this order, too.
        let others = all.iter().filter(|constraint| !constraint.source.is_contact());
        for (entry, constraint) in totals.ledger.current_entries().iter_mut().zip(others) {
            entry.add_sum(constraint.total, constraint.on_bodies);
            entry.add_further_sum(constraint.on_further);
        }
        let rows = |constraint: &SequentialConstraint| {
            constraint.block.size + usize::from(constraint.friction > 0.0)
        };
        report.rows = all.iter().map(rows).sum();
        report.contacts = contacts.len();
        report.residual = residual;
        report.solver = SOLVER;
        report.trail = Trail::of(SOLVER, report.solver_iterations);
    }
}

/// Points closer than this share of the distance between the two contacts of the last step are at the same place.
const SAME_PLACE: f64 = 0.1;

/// Normal and tangential impulse of the last step's contact that `contacts[index]` continues. Both lists are sorted: `old` is
/// what is left of the last step's from this pair of pieces on.
fn remembered(
    (world, old): (&World, &mut &[ContactState]),
    contacts: &[Contact],
    index: usize,
    q: &[DVec3],
) -> [f64; 2] {
    let id = contacts[index].id;
    let passed = old.iter().take_while(|state| state.id.pair() < id.pair()).count();
    *old = &old[passed..];
    let same = old.iter().take_while(|state| state.id.pair() == id.pair()).count();
    let before = &old[..same];
    if let Some(found) = before.iter().find(|state| state.id == id) {
        return found.impulse;
    }
    let [first, second] = before else { return [0.0; 2] };
    let is_gone =
        |state: &&ContactState| contacts.binary_search_by_key(&state.id, |contact| contact.id).is_err();
    let [a, b] = frames(contacts[index].bodies(), q);
    let point = contacts[index].gap(world.bodies(), &a, &b).point;
    let apart = |other: DVec2| (other - point).length();
    let near = |a: &&ContactState, b: &&ContactState| apart(a.point).total_cmp(&apart(b.point));
    let nearest = before.iter().filter(is_gone).min_by(near);
    let reach = SAME_PLACE * (first.point - second.point).length();
    nearest.filter(|state| apart(state.point) <= reach).map_or([0.0; 2], |state| state.impulse)
}

/// Largest condition number of A, roughly [Box2D 2.4.1: `k_maxConditionNumber`].
const MOST_CONDITION: f64 = 1000.0;

impl Sequence {
    /// Groups the contacts by the pieces that touch.
    pub fn group(&mut self, contacts: &[Contact]) {
        self.manifolds.clear();
        let mut last = None;
        for (place, constraint) in self.constraints.iter().enumerate() {
            let Constraint::Contact(index) = constraint.source else { continue };
            let id = contacts[index].id;
            let pieces = Some((id.bodies, id.pieces));
            match self.manifolds.last_mut() {
                Some(manifold) if last == pieces => manifold.end = place + 1,
                _ => self.manifolds.push(place..place + 1),
            }
            last = pieces;
        }
    }

    /// Visits the contacts of one group; `block` solves two normal rows at once.
    pub fn solve_manifold(
        &mut self,
        manifold: Range<usize>,
        block: bool,
        inverse_mass: &[DVec3],
        v: &mut [DVec3],
    ) {
        let points = &mut self.constraints[manifold];
        points.iter_mut().for_each(|point| point.solve_friction(inverse_mass, v));
        if let ([a, b], true) = (&mut *points, block)
            && solve_two(a, b, inverse_mass, v)
        {
            return;
        }
        points.iter_mut().for_each(|point| point.solve_rows(inverse_mass, v));
    }
}

/// Solves two normal rows at once; returns whether that was possible.
fn solve_two(
    a: &mut SequentialConstraint,
    b: &mut SequentialConstraint,
    inverse_mass: &[DVec3],
    v: &mut [DVec3],
) -> bool {
    let [aa, bb] = [&*a, &*b].map(|point| point.block.mass(0, 0, inverse_mass));
    let ab = a.block.coupling(b.block.first(), inverse_mass);
    let determinant = aa * bb - ab * ab;
    if a.law != SweepLaw::Push || b.law != SweepLaw::Push || aa * aa >= MOST_CONDITION * determinant {
        return false;
    }
    let [la, lb] = [a.lambda[0], b.lambda[0]];
    let ua = a.block.rates(v)[0] + a.bias[0] - (aa * la + ab * lb);
    let ub = b.block.rates(v)[0] + b.bias[0] - (ab * la + bb * lb);
    let both = [(ab * ub - bb * ua) / determinant, (ab * ua - aa * ub) / determinant];
    let cases = [
        (both, both[0] >= 0.0 && both[1] >= 0.0),
        ([-ua / aa, 0.0], ua <= 0.0 && ub - ab * ua / aa >= 0.0),
        ([0.0, -ub / bb], ub <= 0.0 && ua - ab * ub / bb >= 0.0),
        ([0.0; 2], ua >= 0.0 && ub >= 0.0),
    ];
    let Some((x, _)) = cases.into_iter().find(|(_, holds)| *holds) else { return false };
    for (point, x) in [a, b].into_iter().zip(x) {
        point.block.push(&[x - point.lambda[0], 0.0, 0.0], inverse_mass, v);
        point.lambda[0] = x;
    }
    true
}
