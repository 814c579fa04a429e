//! The judge: the error of every step of a recording, of whatever engine, from the numbers of the file alone.
//!
//! A step is judged by the state of the line before, q and v, that of its own line, q⁺ and v⁺, and the impulses p that it
//! states. g, J and gaps are those that the engine evaluates of its own steps, at the line's poses.
//!
//! | figure | definition | where |
//! |---|---|---|
//! | error of a joint | the length of its rows' g at q⁺: m, rad | `moment` |
//! | its rate | that of J v⁺ + c: m/s, rad/s | |
//! | violation of a limit | max(0, −φ) of x − lo and hi − x: m, rad | |
//! | penetration | max(0, −φ) of our own detection at q⁺, m; beside it the gap that the engine states | |
//! | momentum | M (v⁺ − v) − Σ p: N s, N m s, as a share of the step's largest impulse, and in rounding units | `momentum` |
//! | complementarity, cone, dissipation, creep, rebound | of contacts | `contacts` |
//! | bounds | of motors, friction, limits | `bounds` |
//! | law of springs | \|λ + h (k s + d ṡ)\| beyond what the law has over the step: N s, N m s | `springs` |
//! | work | who did which, and what is left, J | `work` |
//!
//! Yardsticks of a run:
//!
//! | yardstick | definition |
//! |---|---|
//! | creep | mean \|s\| of contacts with \|p_t\| < μ p_n, which should stick, over all of them and all steps, m/s |
//! | sag | where the run has come to rest: the largest joint error and the largest overlap of its last step, m |
//! | stretch | the largest error of a joint in m, and as a share of its length |
//! | half-life | of the largest joint error and of the overlap after their largest value, s (`tally`) |
//! | settling time | until the kinetic energy stays below 10⁻⁴ of its largest, s |
//!
//! What a recording does not tell is none, and never 0. Memory does not grow with the number of steps but for the few numbers
//! of each that plots need.

#[cfg(feature = "window")]
mod acted;
mod bounds;
mod contacts;
mod difference;
mod figures;
mod fork;
mod impulses;
mod moment;
mod momentum;
mod problem;
mod springs;
mod summary;
mod tally;
#[cfg(test)]
mod tests;
mod totals;
#[cfg(feature = "window")]
pub(crate) mod words;
mod work;

#[cfg(feature = "window")]
pub(crate) use acted::ActedStep;
pub use difference::{BEYOND, Compared, Difference, first_difference};
pub use figures::{DEFINITIONS, StepFigures, columns};
pub use fork::Fork;
pub use problem::{NoProblem, StepProblem};
pub use summary::{Energy, EnergyFigures, Impacts, Judged, Known, Momentum, Sample, Unseen, Yardsticks};
pub use tally::Extreme;
pub use totals::{JointFigures, PairFigures};
pub use work::WorkSplit;

use crate::experiment::recording::{Recording, RecordingProblem, Stretch};
use crate::experiment::units::larger;
use crate::method::smallest_shape;
use crate::model::joint::Unit;
use crate::model::{BodyId, JointKind, Pose, Velocity, World};
use crate::report::ConstraintId;
use driftlab_probe::format::{Impulses, Moment as ContactsAt, Precision, Step};
use glam::DVec3;
use impulses::{Acting, Scenery};
use moment::{Moment, Sight, error_of};
use summary::Totals;
use tally::When;
use work::Span;

/// Judges the steps of a recording, one after the other.
pub struct Judge {
    contacts_at: ContactsAt,
    /// Whether the impulses are all that acted.
    is_whole: bool,
    /// Of steps that do not state their own, s; none where the first line does not state it either.
    time_step: Option<f64>,
    /// Half the distance of 1 from the next number of the engine's arithmetic.
    rounding: f64,
    /// Who is there, with the world as it was after the last step.
    own: Option<Stretch>,
    /// The numbers in the recording of its world's bodies, by their indices.
    numbers: Vec<usize>,
    begin: Moment,
    end: Moment,
    sight: Sight,
    /// By contact of `sight`: the nearest of the engine's, its squared distance, m², and how far its gap is from ours, m.
    beside: Vec<Option<(f64, f64)>>,
    /// The largest gap of a contact that a line has stated, m: as far our own detection looks.
    reach: f64,
    totals: Totals,
}

impl Judge {
    /// A judge of the steps of `recording`, from the first one on.
    pub fn new(recording: &Recording) -> Self {
        let digits = match recording.precision() {
            Precision::F32 => 24,
            Precision::F64 => 53,
        };
        let rounding = 0.5_f64.powi(digits);
        Self {
            contacts_at: recording.contacts_at(),
            is_whole: recording.impulses() == Impulses::Whole,
            time_step: recording.time_step(),
            rounding,
            own: None,
            numbers: Vec::new(),
            begin: Moment::default(),
            end: Moment::default(),
            sight: Sight::default(),
            beside: Vec::new(),
            reach: 0.0,
            totals: Totals::of(recording, rounding),
        }
    }

    /// Judges a whole recording.
    ///
    /// # Errors
    /// What is wrong with the first line that cannot be read.
    pub fn all(recording: &mut Recording) -> Result<Judged, Vec<RecordingProblem>> {
        let mut own = Self::new(recording);
        for place in 0..recording.times().len() {
            own.step(recording, place)?;
        }
        Ok(own.finish())
    }

    /// Judges the step at `place`, which follows the one judged before.
    ///
    /// # Errors
    /// What is wrong with its line.
    pub fn step(
        &mut self,
        recording: &mut Recording,
        place: usize,
    ) -> Result<StepFigures, Vec<RecordingProblem>> {
        let (step, stretch) = recording.step(place)?;
        if self.own.as_ref().is_none_or(|own| own.first != stretch.first) {
            let mut next = stretch.clone();
            if let Some(own) = &self.own {
                keep_velocities(own, &mut next);
            }
            self.totals.meet(&next);
            let there = next.bodies.iter().enumerate();
            self.numbers = there.filter_map(|(number, id)| id.map(|_| number)).collect();
            self.own = Some(next);
        }
        let Some(own) = self.own.take() else { return Ok(StepFigures::default()) };
        let (own, figures) = self.judged(own, &step, place as u64 + 1);
        self.own = Some(own);
        self.totals.add(&figures, &step);
        Ok(figures)
    }

    /// The figures of what has been judged so far.
    pub fn so_far(&self) -> Judged {
        self.totals.clone().finish()
    }

    /// The figures of the whole.
    pub fn finish(self) -> Judged {
        self.totals.finish()
    }

    fn judged(&mut self, mut own: Stretch, step: &Step, number: u64) -> (Stretch, StepFigures) {
        let start = own.world.time();
        let h = length_of_step(step, start, self.time_step);
        let when = When { time: step.t, step: number };
        let mut figures = StepFigures { step: number, time: step.t, h, ..StepFigures::default() };
        self.begin.read(&own.world, number > 1);
        let gaps = step.contacts.iter().flatten().filter_map(|contact| contact.gap);
        self.reach = gaps.fold(self.reach, f64::max);
        let is_at_end = self.contacts_at == ContactsAt::End;
        if !is_at_end {
            self.look(&own.world, ContactsAt::Begin);
            self.compare_gaps(&own, step, when, &mut figures);
        }
        let acting = |judge: &Self, own: &Stretch| {
            let contacts_at = if is_at_end { &judge.end } else { &judge.begin };
            let scenery = Scenery { stretch: own, begin: &judge.begin, contacts_at, sight: &judge.sight };
            scenery.acting(step)
        };
        let before = (!is_at_end).then(|| acting(self, &own));
        own.place(step, None);
        self.end.read(&own.world, step.v.is_some());
        let is_whole = self.look(&own.world, ContactsAt::End);
        if is_at_end {
            self.compare_gaps(&own, step, when, &mut figures);
        }
        let acting = before.unwrap_or_else(|| acting(self, &own));
        self.measure_joints(&own, step, when, &mut figures);
        if is_whole && can_touch(&own.world) {
            self.measure_overlaps(&own, when, &mut figures);
        }
        figures.kinetic = h_known(step, h).then(|| work::kinetic(&own.world, &self.end.v));
        figures.potential = own.world.potential_energy();
        if step.contacts.is_some() && step.v.is_some() {
            self.judge_contacts(&own, &acting, step, when, h, &mut figures);
        }
        if step.acted.is_some() {
            let broken = bounds::broken(&acting, [&self.begin, &self.end], h);
            (figures.beyond_motor, figures.pulling_limit) = (broken.motors, broken.limits);
        }
        if step.acted.is_some() && self.is_whole && step.lost == 0 && h > 0.0 {
            let beyond = springs::beyond(&acting, [&self.begin, &self.end], h, self.rounding);
            (figures.spring_law, figures.spring_share) = (beyond.impulse, beyond.share);
        }
        self.balance(&own.world, &acting, step, [start, h], &mut figures);
        (own, figures)
    }

    /// Errors and rates of joints and limits at the end of the step, and the engine's own readings.
    fn measure_joints(&mut self, own: &Stretch, step: &Step, when: When, figures: &mut StepFigures) {
        let (world, v) = (&own.world, &self.end.v);
        let ids = world.joint_ids();
        let mut found = vec![[None::<f64>; 4]; ids.len()];
        let add = |sum: &mut Option<f64>, value: f64| {
            *sum = Some(sum.map_or(value.abs(), |sum| sum.hypot(value)));
        };
        let mut limits = vec![None::<f64>; ids.len()];
        for row in &self.end.rows {
            match row.constraint {
                ConstraintId::Joint(id) if row.softness.is_none() => {
                    let Ok(place) = ids.binary_search(&id) else { continue };
                    let (unit, g, rate) = error_of(row, v, Some(&world.joints()[place].kind));
                    let side = usize::from(unit == Unit::Radian);
                    add(&mut found[place][side], g);
                    add(&mut found[place][2 + side], rate);
                }
                ConstraintId::LowerLimit(id) | ConstraintId::UpperLimit(id) => {
                    let Ok(place) = ids.binary_search(&id) else { continue };
                    let violation = (-row.row.g).max(0.0);
                    limits[place] = Some(larger(limits[place].unwrap_or(0.0), violation));
                    let sum = match row.row.unit {
                        Unit::Radian => &mut figures.limit_angle,
                        _ => &mut figures.limit_error,
                    };
                    *sum = Some(larger(sum.unwrap_or(0.0), violation));
                }
                _ => {}
            }
        }
        let take = |sum: &mut Option<f64>, value: Option<f64>| {
            if let Some(value) = value {
                *sum = Some(larger(sum.unwrap_or(0.0), value));
            }
        };
        for (number, id) in own.joints.iter().enumerate() {
            let Some(place) = id.and_then(|id| ids.binary_search(&id).ok()) else { continue };
            let Some(totals) = self.totals.joints.get_mut(number) else { continue };
            let [linear, angular, rate, turning] = found[place];
            take(&mut figures.joint_error, linear);
            take(&mut figures.joint_angle, angular);
            take(&mut figures.joint_rate, rate);
            take(&mut figures.joint_turning, turning);
            totals.linear.add_known(linear, when);
            totals.angular.add_known(angular, when);
            totals.rates[0].add_known(rate, when);
            totals.rates[1].add_known(turning, when);
            totals.limit.add_known(limits[place], when);
        }
        for acted in step.acted.iter().flatten() {
            let Some(number) = acted.joint.filter(|_| acted.part.is_none()) else { continue };
            let place = own.joints.get(number).copied().flatten();
            let Some(place) = place.and_then(|id| ids.binary_search(&id).ok()) else { continue };
            let stated = [acted.linear, acted.angular].map(|reading| reading.map(f64::abs));
            take(&mut figures.engine_joint_error, stated[0]);
            take(&mut figures.engine_joint_angle, stated[1]);
            for side in 0..2 {
                let (Some(stated), Some(own)) = (stated[side], found[place][side]) else { continue };
                take(&mut figures.joint_difference, Some((stated - own).abs()));
                if let Some(totals) = self.totals.joints.get_mut(number) {
                    totals.differences[side].add((stated - own).abs(), when);
                }
            }
        }
    }

    /// Our own detection before or after the step, as far as the engine's and beyond it by what rounds; false where there are too
    /// many contacts to be found.
    fn look(&mut self, world: &World, at: ContactsAt) -> bool {
        let reach = self.reach + BEYOND_REACH * smallest_shape(world);
        let moment = if at == ContactsAt::End { &self.end } else { &self.begin };
        self.sight.look(world, moment, reach)
    }

    /// The gaps that a line states, beside ours at the same poses, and how many of its contacts have none of ours beside them.
    /// Of several of the engine's that one of ours is the nearest to, the nearest is held against it: an engine may have both
    /// corners of an edge whose nearer one ours has alone.
    fn compare_gaps(&mut self, own: &Stretch, step: &Step, when: When, figures: &mut StepFigures) {
        let index = |number: usize| {
            own.bodies.get(number).copied().flatten().and_then(|id: BodyId| own.world.index_of(id))
        };
        let Some(contacts) = &step.contacts else { return };
        let (mut deepest, mut unseen) = (None::<f64>, 0_u32);
        self.beside.clear();
        self.beside.resize(self.sight.seen.len(), None);
        for contact in contacts {
            if let Some(gap) = contact.gap {
                deepest = Some(larger(deepest.unwrap_or(0.0), (-gap).max(0.0)));
            }
            let [Some(a), Some(b)] = contact.bodies.map(index) else { continue };
            let point = contact.point.into();
            let Some((place, seen)) = self.sight.nearest([a, b], point) else {
                unseen += 1;
                if self.sight.is_whole {
                    self.totals.pair(contact.bodies).miss(when);
                }
                continue;
            };
            let Some(gap) = contact.gap else { continue };
            let (away, difference) = (seen.point.distance_squared(point), (gap - seen.gap).abs());
            let held = &mut self.beside[place];
            if held.is_none_or(|(nearest, _)| away < nearest) {
                *held = Some((away, difference));
            }
        }
        for (_, difference) in self.beside.iter().flatten() {
            figures.gap_difference = Some(larger(figures.gap_difference.unwrap_or(0.0), *difference));
        }
        figures.engine_penetration = deepest.or(contacts.is_empty().then_some(0.0));
        if self.sight.is_whole {
            figures.unseen_contacts = Some(f64::from(unseen));
            self.totals.add_unseen([u64::from(unseen), contacts.len() as u64]);
        }
    }

    /// Overlaps by our own detection at the end of the step.
    fn measure_overlaps(&mut self, own: &Stretch, when: When, figures: &mut StepFigures) {
        figures.penetration = self.sight.overlap(&own.world, &self.end);
        // A contact beside the surfaces is none that overlaps, whatever its gap is.
        let most = figures.penetration.unwrap_or_default();
        for seen in self.sight.seen.iter().filter(|seen| seen.gap < 0.0 && -seen.gap <= most) {
            let numbers = seen.bodies.map(|body| self.numbers[body]);
            self.totals.pair(numbers).penetration.add(-seen.gap, when);
        }
    }

    fn judge_contacts(
        &mut self,
        own: &Stretch,
        acting: &Acting,
        step: &Step,
        when: When,
        h: f64,
        figures: &mut StepFigures,
    ) {
        let at = if self.contacts_at == ContactsAt::End { &self.end } else { &self.begin };
        let mut sum = totals::TouchedSum::default();
        let is_known = step.contacts.as_ref().is_some_and(|all| all.len() == acting.pressed.len());
        for contact in &acting.pressed {
            let mut touched = contacts::judged(&own.world, contact, at, [&self.begin, &self.end], h);
            // What was before the step is not in the line before.
            touched.impact = touched.impact.filter(|_| step.lost == 0);
            let numbers = contact.bodies.map(|body| self.numbers[body]);
            self.totals.pair(numbers).add(&touched, when);
            sum.add(&touched);
        }
        if is_known || !acting.pressed.is_empty() {
            sum.write(figures);
            self.totals.add_contacts(&sum);
        }
    }

    /// Momentum and work.
    fn balance(
        &self,
        world: &World,
        acting: &Acting,
        step: &Step,
        [start, h]: [f64; 2],
        figures: &mut StepFigures,
    ) {
        let is_known = self.is_whole && acting.acted_known && acting.contacts_known && step.v.is_some();
        if !(is_known && step.lost == 0 && h > 0.0) {
            return;
        }
        let moments = [&self.begin, &self.end];
        let expected: Vec<DVec3> =
            work::external_forces(world, &self.begin, start, h).into_iter().map(|f| h * f).collect();
        let external = acting.external.as_ref().unwrap_or(&expected);
        let told = acting.external.is_some();
        let is_damped = |body: usize| !world.bodies()[body].damping.is_none();
        let judged = |body: usize| told || !is_damped(body);
        let balance = momentum::balance(world, moments, acting, external, self.rounding, judged);
        if let Some(balance) = &balance {
            figures.momentum = Some(balance.linear);
            figures.angular_momentum = Some(balance.angular);
            figures.momentum_share = Some(balance.share);
            figures.momentum_roundings = Some(balance.roundings);
        }
        if acting.unknown.iter().any(|unknown| *unknown) {
            return;
        }
        // What the scene does not tell: with what the line states, or, of damped bodies, what is left.
        let mut beyond: Vec<DVec3> = external.iter().zip(&expected).map(|(all, own)| *all - *own).collect();
        if !told && (0..world.bodies().len()).any(is_damped) {
            let all = momentum::balance(world, moments, acting, external, self.rounding, |_| true);
            for (body, left) in all.iter().flat_map(|all| all.left.iter().enumerate()) {
                beyond[body] += left.filter(|_| is_damped(body)).unwrap_or_default();
            }
        }
        let span = Span { world, begin: &self.begin, end: &self.end, start, h };
        figures.work = Some(span.work(acting, &beyond));
    }
}

/// Share of the smallest shape's size by which our own detection looks further than the largest gap that a line has stated: a
/// contact is not to be missed for the rounding of its gap, or for a skin of the engine's that it does not state.
const BEYOND_REACH: f64 = 0.1;

/// The length of a step that follows the time `start`, s: its own, none at that time itself, the recording's, or the time since
/// then; behind lost lines this time is that of several steps.
fn length_of_step(step: &Step, start: f64, usual: Option<f64>) -> f64 {
    let elapsed = step.t - start;
    let usual = usual.filter(|_| elapsed != 0.0);
    step.h.or(usual).unwrap_or(elapsed / (step.lost + 1) as f64)
}

/// Whether the velocities of a step are known: given, or from poses a time apart.
fn h_known(step: &Step, h: f64) -> bool {
    step.v.is_some() || h > 0.0
}

/// Whether there are two bodies that could touch.
fn can_touch(world: &World) -> bool {
    world.bodies().iter().filter(|body| body.collides && !body.pieces().is_empty()).nth(1).is_some()
}

/// Gives the bodies of a new stretch that were there before the states in which they were.
fn keep_velocities(own: &Stretch, next: &mut Stretch) {
    let states = own.bodies.iter().zip(&next.bodies).filter_map(|(before, after)| {
        let (body, id) = (own.world.body((*before)?)?, (*after)?);
        let (pose, velocity): (Pose, Velocity) = (body.pose, body.velocity);
        Some((id, pose, velocity))
    });
    let states: Vec<_> = states.collect();
    let _placed = next.world.place_bodies(&states);
}

/// The length of a joint's parts: see [`JointFigures::length`].
fn length_of(world: &World, place: usize) -> Option<f64> {
    let joint = &world.joints()[place];
    if let JointKind::Distance(own) = &joint.kind {
        return Some(own.length);
    }
    let arms = joint.bodies().into_iter().zip(joint.kind.anchors());
    let moved = arms.filter(|(body, _)| world.bodies()[*body].is_dynamic());
    moved.map(|(_, anchor)| anchor.length()).reduce(f64::max).filter(|length| *length > 0.0)
}
