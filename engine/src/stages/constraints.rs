//! The constraints of a step at the bodies' present pose: rows of joints and forces, contacts with their rows, and which contacts
//! and limits are in the problem. Rows hold g, J and k = J̇ v as they were when last evaluated.
//!
//! **Which contacts are in the problem.** A scheme whose contact row contains a gap term (Anitescu & Hart, implicit, …) takes
//! every contact with φ ≤ ε̂, the *active distance*, with its free travel, φ/h or the share of it that the scheme takes. A scheme
//! whose row has none (`none`, the dynamics step of post-stabilization, the acceleration level) takes those with φ ≤ the *contact
//! tolerance*: with a larger bound bodies would stop in mid-air.
//!
//! If a body falls by more than ε̂ in a step, its impact is missed and it penetrates. `active_travel` therefore makes ε̂ relative
//! to speed: at n, every pair that could meet within n steps at its present speeds is in the problem.
//!
//! **The bias** b of a contact's row J_n v⁺ + b ≥ 0 is the scheme's, with these exceptions:
//!
//! - **Closed.** A gap that differs from zero by no more than the rounding of coordinates counts as zero. Otherwise b = φ/h moves
//!   bodies back and forth by one last digit, and a pile never comes to rest.
//! - **Free travel.** A contact with φ above the scheme's bound that could close within the step has b = φ/h: it may close, but
//!   not penetrate. This applies to fast pairs only, and to all pairs if `active_travel` is above its default of 0.
//! - **Fall.** Where positions are corrected after the step, contacts with φ ≤ |g| h² have their free travel, too. A correction
//!   opens contacts beside those that it pushes. If these were left out, the bodies on them would fall by |g| h² in the next
//!   step, overlap, be pushed out and open others: a heap of thin bodies would flicker for ever.
//! - **Impact.** Where φ̇ < −threshold (`rebound.rs`) and the bodies would meet within the step, b = e φ̇, Newton's law
//!   [Trefny's c]. The impact is taken at the start of the step in which it falls, O(h) early. A penetration whose correction
//!   requires a higher speed than the rebound gets that speed. By Poisson's law b = 0 there, and a second solve returns e times
//!   the impulse of the collision (`impulses.rs`) [Anitescu & Potra 1997].
//!
//! **Substeps.** XPBD finds its contacts once, when the step begins, and pairs that meet in a later substep must be among them:
//! otherwise the bodies would overlap by their travel since, and XPBD pushes any overlap out in one substep. The published method
//! enlarges each box by k Δt |v| with k = 2 [Müller et al. 2020, section 3.5]; its rows act on overlaps alone. The rows of the
//! soft step also bound how fast a gap closes, so that a distant contact would deflect a body that passes by; the soft step finds
//! the same contacts as the other schemes.
//!
//! **Fast pairs.** A body that moves farther in a step than the thinner of two bodies is thick, and meets the other on the way,
//! is in the problem with its free travel φ/h (`detect/fast.rs`), under every scheme and at both levels. This is decided by the
//! velocities at the start of the step, so a body that an impact, a motor or a force of the same step sends through a wall is not
//! found; and explicit integrators move by the velocity before the solve, or by the mean of several. Therefore pairs that have
//! passed through each other are looked for after the step, counted, and named in its report.
//!
//! At the end of a step the rows of joints and non-holonomic constraints are evaluated once more for the report; the
//! next step starts from these, unless a motion is prescribed.

use super::motion::{Motion, StepContext};
use super::rebound::Pressing;
use super::springs::Swinging;
pub(crate) use super::terms::GapTerm;
use crate::constraint::{Constraint, Rows, Touch, Touches};
use crate::detect::{Contact, Detector, Reach};
use crate::model::joint::Unit;
use crate::model::{BodyId, Piece, Revision, World};
use crate::report::{Stage, StageObserver, StepError, tell};
use crate::rules::smallest_shape;

/// Rounding of a gap or a joint's error, in units of ε E.
pub(crate) const ROUNDED_GAP: f64 = 4.0;
/// Limits closer than this, or than two steps of their motion, are in the problem: in rad, or in extents of the scene.
const LIMIT_REACH: f64 = 0.1;
/// Steps of a limit's motion within which it is in the problem: the forces of the step may double its rate.
const LIMIT_TRAVEL: f64 = 2.0;
/// A contact slides at the acceleration level if it slips faster than gravity changes a velocity in this number of
/// steps; a slower one may stop within the step.
pub(crate) const SLIPPING_STEPS: f64 = 2.0;
/// A contact holds, by static friction, if it slips slower than this share of what gravity changes a velocity by in a step:
/// sweeps leave a creep.
const HELD: f64 = 0.1;
/// k, the least travel within which substeps find contacts, in steps at the speeds of the step's start [Müller et al. 2020].
const SAFETY: f64 = 2.0;

/// Rows and contacts, with the memory to find them.
#[derive(Debug, Default)]
pub(crate) struct Constraints {
    /// Joints, non-holonomic constraints, springs, the grab.
    pub rows: Rows,
    pub detector: Detector,
    /// The world that was read, its smallest shape, m, and the largest radius of a piece about the centre of a body
    /// that moves, m.
    revision: Revision,
    pub smallest_shape: f64,
    pub widest: f64,
    /// In the order of their identities.
    pub contacts: Vec<Contact>,
    /// The rows of the contacts, of limits, and of motors.
    pub touches: Touches,
    /// Which of them are in the problem.
    pub active: ActiveSet,
    /// The springs that act in the middle of the step.
    pub swinging: Swinging,
    /// The loads that press bodies together in the step.
    pub rebound_thresholds: Pressing,
    /// Who is told when contacts are looked for.
    pub observer: Option<StageObserver>,
}

impl Constraints {
    /// Reads the colliding bodies of `world`, before a step in it or a report about it.
    pub fn read(&mut self, world: &World) {
        self.detector.read(world);
        self.rebound_thresholds.forget();
        if self.revision.update(world) {
            self.smallest_shape = smallest_shape(world);
            let moved = world.bodies().iter().filter(|body| body.is_dynamic());
            let reach = moved.flat_map(|body| body.pieces()).map(Piece::bounding_radius);
            self.widest = reach.filter(|radius| radius.is_finite()).fold(0.0, f64::max);
            self.rebound_thresholds.rebounds = world.may_rebound();
        }
    }

    /// Returns [`StepError::Crowded`] if there have been too many contacts since the world was read.
    pub fn uncrowded(&self) -> Result<(), StepError> {
        self.detector.crowd().map_or(Ok(()), |crowd| Err(StepError::Crowded(crowd)))
    }

    /// Evaluates the rows of joints, velocity constraints, springs and the grab. In a world without any this only
    /// places the frames of bodies at q, with v.
    pub fn evaluate(&mut self, world: &World, motion: &Motion) {
        self.rows.evaluate_at(world, &motion.q, &motion.v, motion.clock);
    }

    /// Finds the contacts at the poses of [`Constraints::evaluate`], none where no body collides, and evaluates all unilateral
    /// rows and motors there. `active` then holds the rule by which each unilateral row gets its b and distant limits
    /// are left out; `impulses.rs` and `forces.rs` apply it.
    pub fn find_contacts(&mut self, context: &StepContext<'_>, motion: &Motion, term: GapTerm) {
        self.active = ActiveSet::new(context, self.smallest_shape, term);
        let least = if term == GapTerm::Substeps { SAFETY } else { 0.0 };
        self.touches.holds_below = HELD * context.h * context.world.largest_fall();
        let travel = context.contact.active_travel.max(least) * context.h;
        let fall = context.world.largest_fall() * context.h * context.h;
        let distance =
            if term == GapTerm::Corrected { fall.max(self.active.distance) } else { self.active.distance };
        let reach = Reach { distance, travel };
        self.rebound_thresholds.gather(context, &self.rows, motion); // nothing where nothing rebounds
        self.find_within(context.world, motion, &reach);
        if term == GapTerm::Substeps {
            self.leave_fast(context, motion);
        }
        let Self { rows, detector, contacts, active, .. } = self;
        // The list is empty where no pair moves farther in h than the thinner one is thick.
        tell(self.observer, Stage::Contacts);
        let fast = detector.find_fast(context.world, rows.frames(), [context.h, active.distance]);
        tell(self.observer, Stage::Assembly);
        if !fast.is_empty() {
            insert_missing(contacts, fast.iter());
            self.evaluate_same_contacts(context.world, motion);
        }
        if !self.touches.limits().is_empty() {
            self.active.limit_reach = LIMIT_REACH * self.extent(motion).size;
        }
    }

    /// Notes the start of a step or substep of `h` for its springs: v, and the mass that each row moves.
    pub fn note_start(&mut self, world: &World, motion: &mut Motion, h: f64) {
        self.swinging.clear();
        if Constraint::reads_start(world) {
            motion.note_start();
            self.swinging.weigh(world, &self.rows, &motion.inverse_mass, h);
        }
    }

    /// After [`Constraints::note_start`] finds the bodies that swing on springs alone, and moves the rows of their springs to the
    /// middle of the step, of which `motion` has the start.
    pub fn swing(&mut self, context: &StepContext<'_>, motion: &mut Motion) {
        let Self { rows, touches, swinging, .. } = self;
        swinging.find(context, (rows, touches), motion, context.h);
        swinging.predict(context.world, motion, context.h);
        let mut place = rows.equations().len();
        for (index, spring) in context.world.springs().iter().enumerate() {
            if swinging.has(index) {
                let mut own = place;
                swinging.equations(spring, motion, context.h, |equation| {
                    rows.replace(own, spring.bodies(), equation);
                    own += 1;
                });
            }
            place += spring.rows();
        }
    }

    fn find_within(&mut self, world: &World, motion: &Motion, reach: &Reach) {
        let Self { rows, detector, contacts, touches, .. } = self;
        touches.clock = Some(motion.clock);
        tell(self.observer, Stage::Contacts);
        detector.find(world, rows.frames(), reach);
        contacts.clear();
        contacts.extend(detector.found().map(|found| found.contact));
        tell(self.observer, Stage::Assembly);
        // φ, J_n, J_t, μ and e of each contact as rows; limits and motors.
        let found = detector.found().map(|found| (found.contact, found.gap));
        touches.take(world, rows.frames(), found, &motion.v);
        self.rebound_thresholds.set_thresholds(world, motion, self.touches.contacts_mut());
        self.rebound_thresholds.set_limit_thresholds(self.touches.limits_mut());
    }

    /// The rows of the contacts last found, with limits and motors, at the rows' poses.
    pub fn evaluate_same_contacts(&mut self, world: &World, motion: &Motion) {
        self.touches.clock = Some(motion.clock);
        self.touches.evaluate(world, self.rows.frames(), &self.contacts, &motion.v);
        self.rebound_thresholds.set_thresholds(world, motion, self.touches.contacts_mut());
        self.rebound_thresholds.set_limit_thresholds(self.touches.limits_mut());
    }

    /// Whether bodies would pass through each other where all move from the present pose by h v.
    pub fn may_pass(&mut self, context: &StepContext<'_>, motion: &Motion) -> bool {
        let h = context.h;
        if !self.detector.may_be_fast(&motion.v, h) {
            return false;
        }
        self.evaluate_positions(context, motion);
        let touching = context.contact.contact_tolerance_of(self.smallest_shape);
        let Self { rows, touches, contacts, detector, .. } = self;
        let enters = |(contact, touch): (&Contact, &Touch)| {
            let end = touch.row.g + h * touch.row.rate(&motion.v);
            end < -touching && detector.is_fast(contact, rows.frames(), h)
        };
        contacts.iter().zip(touches.contacts()).any(enters)
            || !detector.find_fast(context.world, rows.frames(), [h, touching]).is_empty()
    }

    /// Joint rows, contacts within the active distance and limits at the present pose: what corrections need.
    pub fn evaluate_positions(&mut self, context: &StepContext<'_>, motion: &Motion) {
        self.rows.evaluate_joints_at(context.world, &motion.q, &motion.v, motion.clock);
        let distance = context.contact.active_distance_of(self.smallest_shape);
        self.find_within(context.world, motion, &Reach { distance, travel: 0.0 });
    }
}

/// The rule by which unilateral rows are in the problem of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ActiveSet {
    term: GapTerm,
    /// The scheme takes contacts with φ up to here, m.
    pub distance: f64,
    /// Whether impacts rebound.
    pub rebounds: bool,
    /// A contact whose gap opens faster than this separates, m/s.
    pub separation_speed: f64,
    /// A contact that slips faster than this slips throughout the step, m/s: the acceleration level is given its direction.
    pub slipping: f64,
    /// Limits of a displacement that are farther than this are left out, m.
    limit_reach: f64,
}

/// The right-hand side of a row of the active set.
pub(crate) enum Demand {
    /// The scheme's own.
    Scheme,
    /// φ may close within the step.
    FreeTravel,
    /// J v⁺ ≥ −e φ̇; holds e φ̇.
    Rebound(f64),
}

/// g of the unilateral row of `touch`, m or rad; 0 for a contact whose φ may be rounding alone. φ = n · (x_b + r_b − x_a − r_a):
/// each x is rounded by half of ε times its size, and the sums and the rotated r by as much again.
#[inline]
pub(crate) fn gap_beyond_rounding(touch: &Touch, motion: &Motion) -> f64 {
    let row = &touch.row;
    if row.g.to_bits() == 0 || touch.tangent.is_none() {
        return row.g;
    }
    let reach = |body: usize, lever: f64| motion.q[body].truncate().abs().max_element() + lever.abs();
    let reach = row.arms().fold(0.0, |most: f64, (body, j)| most.max(reach(body, j.z)));
    let rounded = ROUNDED_GAP * f64::EPSILON * reach;
    if row.g.abs() <= rounded { 0.0 } else { row.g }
}

impl ActiveSet {
    /// The active set of a scheme with the gap term `term`, in a world without limits.
    fn new(context: &StepContext<'_>, smallest_shape: f64, term: GapTerm) -> Self {
        let rules = context.contact;
        let distance = match term {
            GapTerm::Touching | GapTerm::Corrected => rules.contact_tolerance_of(smallest_shape),
            GapTerm::Travelling | GapTerm::Substeps => rules.active_distance_of(smallest_shape),
            GapTerm::Speculative(least) => rules.active_distance_of(smallest_shape).max(least),
        };
        let separation_speed = rules.restitution_threshold_in(context.world, context.h);
        let slipping = match term {
            GapTerm::Touching => SLIPPING_STEPS * context.h * context.world.largest_fall(),
            // These rows are written for the end of the step, in friction as in the gap.
            _ => f64::INFINITY,
        };
        Self { term, distance, rebounds: true, separation_speed, slipping, limit_reach: 0.0 }
    }

    /// Whether `touch` is near enough to get the scheme's right-hand side.
    pub fn is_near(&self, touch: &Touch) -> bool {
        match touch.tangent {
            Some(_) => touch.row.g <= self.distance,
            None => touch.row.g <= 0.0 || self.term.travels(),
        }
    }

    /// The right-hand side of `touch` over a step `h`; `None` leaves it out.
    pub fn demand(&self, touch: &Touch, h: f64) -> Option<Demand> {
        self.demand_at(touch, h, self.is_near(touch))
    }

    /// [`ActiveSet::demand`] of a row of which it is known whether it is near.
    pub fn demand_at(&self, touch: &Touch, h: f64, near: bool) -> Option<Demand> {
        let (phi, rate) = (touch.row.g, touch.approach);
        let travelling = self.term.travels();
        let reach = if touch.row.unit == Unit::Radian { LIMIT_REACH } else { self.limit_reach };
        if touch.tangent.is_none() && phi > reach && phi > LIMIT_TRAVEL * h * rate.abs() {
            return None;
        }
        let meets = phi + h * rate <= 0.0 || (near && !travelling);
        if self.rebounds && touch.restitution > 0.0 && meets && rate < -touch.rebound_speed {
            return Some(Demand::Rebound(touch.restitution * rate));
        }
        Some(if near { Demand::Scheme } else { Demand::FreeTravel })
    }

    /// Whether a touching contact with the rate `rate` separates, and does not only drift by the integrator's error: its rate is
    /// above the restitution threshold, or, if that is zero, above the change of the rate by the turning of its normal within a
    /// step.
    pub fn separates(&self, rate: f64, turning: f64) -> bool {
        rate > if self.separation_speed > 0.0 { self.separation_speed } else { turning.abs() }
    }

    /// Whether the rows have no gap term, so that a near contact counts as closed.
    pub fn is_instant(&self) -> bool {
        self.term == GapTerm::Touching
    }
}

impl Constraints {
    /// Leaves out the open contacts of fast pairs: the features at one pose say nothing about where such a pair will meet, and
    /// pairs that meet are found along their paths.
    fn leave_fast(&mut self, context: &StepContext<'_>, motion: &Motion) {
        let Self { rows, detector, contacts, touches, active, .. } = self;
        let (all, mut touches) = (contacts.len(), touches.contacts().iter());
        contacts.retain(|contact| {
            let apart = touches.next().is_some_and(|touch| touch.row.g > active.distance);
            !(apart && detector.is_fast(contact, rows.frames(), context.h))
        });
        if contacts.len() < all {
            self.evaluate_same_contacts(context.world, motion);
        }
    }

    /// The number of pairs that pass through each other if the bodies of `world` move to the poses of `motion`, and the first of
    /// them.
    pub fn passages(&mut self, world: &World, motion: &Motion) -> (usize, Option<[BodyId; 2]>) {
        let mut pairs = Vec::new();
        self.detector.find_passages(world, &motion.q, |pair| pairs.push(pair));
        pairs.sort_unstable();
        pairs.dedup();
        (pairs.len(), pairs.first().map(|pair| pair.map(|body| world.body_ids()[body as usize])))
    }
}

/// Inserts the `missing` contacts into the list, in the order of their identities.
pub(crate) fn insert_missing<'a>(contacts: &mut Vec<Contact>, missing: impl Iterator<Item = &'a Contact>) {
    for contact in missing {
        if let Err(at) = contacts.binary_search_by_key(&contact.id, |known| known.id) {
            contacts.insert(at, *contact);
        }
    }
}
