//! The record behind the plots: every step's figures, in bounded memory, thinned without losing an extreme.
//!
//! Two tiers. The most recent steps are kept as they are. All steps since the start are kept as buckets of
//! equally many steps, each with the smallest and largest value of every channel; when the buckets are full,
//! neighbours are merged in pairs, so that a run of any length fits and no peak is ever lost.
//! A missing value is NaN: it neither enters a minimum nor draws a line. No bucket reaches across a moment from which
//! on figures are compared ([`History::part`]), so that values then and extremes since then stay exact however long the run is.

use crate::report::StepReport;
use crate::workbench::watched::{WATCHED, Watched};
use std::collections::VecDeque;

/// Steps that are kept one by one.
const RECENT: usize = 16_000;
/// Buckets for the whole run; merging in pairs halves them.
const BUCKETS: usize = 16_384;
/// Marks that are kept.
const MARKS: usize = 200;
/// Changes of the same setting less than this apart, s, share one mark.
const MARK_SPACING: f64 = 0.25;

/// A quantity over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Channel {
    /// Largest |g| of the joints after the step, m or rad.
    JointError,
    /// Largest |g| of the joints before the scheme corrected positions, m or rad.
    JointErrorBefore,
    /// Largest overlap of the contacts after the step, m.
    ContactError,
    /// Largest overlap of the contacts before the scheme corrected positions, m.
    ContactErrorBefore,
    /// Largest |J v + c|, m/s or rad/s.
    VelocityError,
    /// J.
    Kinetic,
    /// J.
    Potential,
    /// J.
    Total,
    /// Sum of the work of the corrections since the start, J.
    CorrectionWork,
    /// Sum of the work of the weights since the start, J; those of all others follow.
    GravityWork,
    /// Of the springs.
    SpringWork,
    /// Of the applied forces.
    AppliedWork,
    /// Of the motors.
    MotorWork,
    /// Of whoever moves bodies whose motion is prescribed.
    DriverWork,
    /// Of the mouse.
    HandWork,
    /// Of friction.
    FrictionWork,
    /// Of impacts.
    ImpactWork,
    /// Of damping and the air.
    DragWork,
    /// Of none of these.
    MethodWork,
    /// Scalar rows in the problem.
    Rows,
    /// Contact points in the problem.
    Contacts,
    /// Groups of bodies that are solved separately.
    Islands,
    /// Systems solved, pivots or iterations.
    Iterations,
    /// The residual of an approximate solution as a share of its problem's speed.
    Approximate,
    /// The first reading of what is watched, in the order of its table; others follow.
    First,
    /// Reading 2.
    Second,
    /// Reading 3.
    Third,
    /// Reading 4.
    Fourth,
    /// Reading 5.
    Fifth,
    /// Reading 6.
    Sixth,
    /// Reading 7.
    Seventh,
    /// Reading 8.
    Eighth,
    /// Reading 9.
    Ninth,
    /// Reading 10.
    Tenth,
    /// Reading 11.
    Eleventh,
    /// Reading 12.
    Twelfth,
}

impl Channel {
    /// The channels of what is watched.
    pub const WATCHED: [Self; WATCHED] = [
        Self::First,
        Self::Second,
        Self::Third,
        Self::Fourth,
        Self::Fifth,
        Self::Sixth,
        Self::Seventh,
        Self::Eighth,
        Self::Ninth,
        Self::Tenth,
        Self::Eleventh,
        Self::Twelfth,
    ];
}

/// Number of channels.
const CHANNELS: usize = FIGURES + WATCHED;
/// Channels of the whole world; those of what is watched follow them.
const FIGURES: usize = 24;

/// What was done since the start, J: the channels from [`Channel::CorrectionWork`] to [`Channel::MethodWork`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Worked([f64; 11]);

impl Worked {
    const CHANNELS: [Channel; 11] = [
        Channel::CorrectionWork,
        Channel::GravityWork,
        Channel::SpringWork,
        Channel::AppliedWork,
        Channel::MotorWork,
        Channel::DriverWork,
        Channel::HandWork,
        Channel::FrictionWork,
        Channel::ImpactWork,
        Channel::DragWork,
        Channel::MethodWork,
    ];

    fn in_step(report: &StepReport) -> [f64; 11] {
        let work = report.work;
        [
            report.correction_work,
            work.gravity,
            work.springs,
            report.applied_work,
            work.motors,
            work.drivers,
            work.hand,
            work.friction,
            work.impacts,
            work.drag,
            work.method,
        ]
    }

    /// With what was done in one more step.
    pub fn after(self, report: &StepReport) -> Self {
        let own = Self::in_step(report);
        Self(std::array::from_fn(|i| self.0[i] + own[i]))
    }

    /// Without what was done in the last step.
    pub fn before(self, report: &StepReport) -> Self {
        let own = Self::in_step(report);
        Self(std::array::from_fn(|i| self.0[i] - own[i]))
    }

    /// By the corrections.
    pub fn correction(self) -> f64 {
        self.0[0]
    }
}

/// One step's figures.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sample {
    time: f64,
    values: [f64; CHANNELS],
}

/// Several steps' figures: when the first one ended, their extremes, and the last one's.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bucket {
    time: f64,
    low: [f64; CHANNELS],
    high: [f64; CHANNELS],
    last: [f64; CHANNELS],
    /// Whether a part begins with it: it is not merged with the one before.
    begins: bool,
}

impl Bucket {
    fn merge(&mut self, other: &Self) {
        for i in 0..CHANNELS {
            // `f64::min` and `max` drop a NaN, which here means a missing value.
            self.low[i] = self.low[i].min(other.low[i]);
            self.high[i] = self.high[i].max(other.high[i]);
        }
        self.last = other.last;
    }
}

impl From<&Sample> for Bucket {
    fn from(sample: &Sample) -> Self {
        let Sample { time, values } = *sample;
        Self { time, low: values, high: values, last: values, begins: false }
    }
}

/// A moment at which a person changed something.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Simulation time, s.
    pub time: f64,
    /// What was changed.
    pub subject: String,
    /// To what.
    pub label: String,
}

/// Extremes of one channel over one column of the plot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extremes {
    /// When the column's first step ended, s.
    pub time: f64,
    /// Smallest value.
    pub low: f64,
    /// Largest value.
    pub high: f64,
}

/// The record of a run.
#[derive(Clone, Debug, Default)]
pub struct History {
    recent: VecDeque<Sample>,
    whole: Vec<Bucket>,
    /// Steps per bucket.
    stride: usize,
    /// Steps in the last bucket.
    filled: usize,
    /// Whether the next step begins a part.
    parts: bool,
    /// What was done so far.
    worked: Worked,
    marks: VecDeque<Mark>,
    /// Times from which a scheme, given by its place in the table, made the steps, s.
    schemes: Vec<(f64, usize)>,
}

impl History {
    /// Appends the figures of a step while nothing is watched.
    pub fn push(&mut self, report: &StepReport) {
        self.push_with(report, Watched::default());
    }

    /// Appends the figures of a step and those of what is watched.
    pub fn push_with(&mut self, report: &StepReport, Watched(readings): Watched) {
        self.worked = self.worked.after(report);
        let Worked(
            [correction, gravity, springs, applied, motors, drivers, hand, friction, impacts, drag, method],
        ) = self.worked;
        let figures: [f64; FIGURES] = [
            report.joint_error,
            report.joint_error_before.unwrap_or(f64::NAN),
            report.contact_error,
            report.contact_error_before.unwrap_or(f64::NAN),
            report.velocity_error,
            report.kinetic_energy,
            report.potential_energy,
            report.total_energy(),
            correction,
            gravity,
            springs,
            applied,
            motors,
            drivers,
            hand,
            friction,
            impacts,
            drag,
            method,
            report.rows as f64,
            report.contacts as f64,
            report.islands as f64,
            report.solver_iterations as f64,
            report.approximate_residual.unwrap_or(f64::NAN),
        ];
        let mut values = [f64::NAN; CHANNELS];
        values[..FIGURES].copy_from_slice(&figures);
        values[FIGURES..].copy_from_slice(&readings);
        let sample = Sample { time: report.time, values };
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(sample);
        let begins = std::mem::take(&mut self.parts);
        self.append(&Bucket { begins, ..Bucket::from(&sample) });
    }

    /// From now on something else is watched, or nothing: what was recorded of the one before is forgotten.
    pub fn watch_anew(&mut self) {
        let forget = |values: &mut [f64; CHANNELS]| values[FIGURES..].fill(f64::NAN);
        self.recent.iter_mut().for_each(|sample| forget(&mut sample.values));
        for bucket in &mut self.whole {
            [&mut bucket.low, &mut bucket.high, &mut bucket.last].into_iter().for_each(forget);
        }
    }

    /// The readings of what is watched after the step that ended at `time`, s, which has been made again.
    pub fn recall(&mut self, time: f64, Watched(readings): Watched) {
        let place = self.recent.partition_point(|sample| sample.time < time);
        if let Some(sample) = self.recent.get_mut(place).filter(|sample| sample.time == time) {
            sample.values[FIGURES..].copy_from_slice(&readings);
        }
        let after = self.whole.partition_point(|bucket| bucket.time <= time);
        if let Some(bucket) = after.checked_sub(1).and_then(|place| self.whole.get_mut(place)) {
            for (i, reading) in (FIGURES..).zip(readings) {
                bucket.low[i] = bucket.low[i].min(reading);
                bucket.high[i] = bucket.high[i].max(reading);
                bucket.last[i] = reading;
            }
        }
    }

    /// The values of `channels` after each of the recent steps in which one of them is known, with its time, s.
    pub fn rows<'a>(&'a self, channels: &'a [Channel]) -> impl Iterator<Item = (f64, Vec<f64>)> + 'a {
        let rows = self.recent.iter().map(|sample| {
            let values: Vec<f64> =
                channels.iter().map(|channel| sample.values[*channel as usize]).collect();
            (sample.time, values)
        });
        rows.filter(|(_, values)| values.iter().any(|value| !value.is_nan()))
    }

    /// Two channels after each of the recent steps from `from` to `to`, s, in which both are known.
    pub fn pairs(&self, channels: [Channel; 2], [from, to]: [f64; 2]) -> Vec<[f64; 2]> {
        let within = self.recent.iter().filter(|sample| (from..=to).contains(&sample.time));
        let pairs = within.map(|sample| channels.map(|channel| sample.values[channel as usize]));
        pairs.filter(|pair| pair.iter().all(|value| value.is_finite())).collect()
    }

    /// From the next step on figures are compared.
    pub fn part(&mut self) {
        self.parts = true;
    }

    fn append(&mut self, bucket: &Bucket) {
        self.stride = self.stride.max(1);
        match self.whole.last_mut() {
            Some(last) if self.filled < self.stride && !bucket.begins => {
                last.merge(bucket);
                self.filled += 1;
            }
            _ => {
                self.whole.push(*bucket);
                self.filled = 1;
            }
        }
        if self.whole.len() == BUCKETS && self.filled == self.stride {
            let mut merged: Vec<Bucket> = Vec::with_capacity(BUCKETS);
            // Whether the last merged bucket has room for another one.
            let mut room = false;
            for next in &self.whole {
                match merged.last_mut() {
                    Some(last) if room && !next.begins => last.merge(next),
                    _ => {
                        merged.push(*next);
                        room = true;
                        continue;
                    }
                }
                room = false;
            }
            self.whole = merged;
            self.stride *= 2;
            self.filled = self.stride;
        }
    }

    /// Marks a change. One that `goes_on` (a slider being dragged) updates its mark instead of adding one, and so does one that
    /// follows closely.
    pub fn mark(&mut self, mark: Mark, goes_on: bool) {
        let same = |last: &&mut Mark| {
            last.subject == mark.subject && (goes_on || mark.time - last.time < MARK_SPACING)
        };
        if let Some(last) = self.marks.iter_mut().rev().find(same) {
            last.label = mark.label;
            return;
        }
        if self.marks.len() == MARKS {
            self.marks.pop_front();
        }
        self.marks.push_back(mark);
    }

    /// From `time` on, s, the scheme at that place of the table makes the steps.
    pub fn begin_scheme(&mut self, time: f64, place: usize) {
        self.schemes.retain(|(since, _)| *since < time);
        if self.schemes.last().is_none_or(|(_, last)| *last != place) {
            self.schemes.push((time, place));
        }
    }

    /// The parts of the time from `from` to `to`, s, with the scheme that made the steps in each.
    pub fn schemes(&self, [from, to]: [f64; 2]) -> impl Iterator<Item = ([f64; 2], usize)> {
        let ends = self.schemes.iter().skip(1).map(|(time, _)| *time).chain([f64::INFINITY]);
        let parts = self.schemes.iter().zip(ends).enumerate();
        let parts = parts.map(move |(i, ((since, place), end))| {
            // The first scheme's figures include those before its first step.
            ([if i == 0 { from } else { since.max(from) }, end.min(to)], *place)
        });
        parts.filter(|([from, to], _)| from < to)
    }

    /// The marks, oldest first.
    pub fn marks(&self) -> impl Iterator<Item = &Mark> {
        self.marks.iter()
    }

    /// Work of all corrections so far, J.
    pub fn work(&self) -> f64 {
        self.worked.correction()
    }

    /// The share of the recent steps whose solutions are approximate, and the largest residual of these, as a share of
    /// the problem's speed; none if all are exact.
    pub fn approximate(&self) -> Option<[f64; 2]> {
        let residuals = self.recent.iter().map(|sample| sample.values[Channel::Approximate as usize]);
        let residuals = residuals.filter(|residual| !residual.is_nan());
        let (count, largest) =
            residuals.fold((0, 0.0), |(count, most), next| (count + 1, f64::max(most, next)));
        (count > 0).then(|| [count as f64 / self.recent.len() as f64, largest])
    }

    /// Times of the first and the last step, s; `None` before there is one.
    pub fn span(&self) -> Option<[f64; 2]> {
        // After a rewind beyond the most recent steps only buckets are left.
        let last =
            self.recent.back().map(|sample| sample.time).or(self.whole.last().map(|bucket| bucket.time));
        Some([self.whole.first()?.time, last?])
    }

    /// Number of stored records, of both tiers.
    pub fn stored(&self) -> usize {
        self.recent.len() + self.whole.len()
    }

    /// Discards every step after `time`, s, when the run is taken back; `worked` is what was done up to then.
    pub fn rewind(&mut self, time: f64, worked: Worked) {
        self.recent.retain(|sample| sample.time <= time);
        self.whole.retain(|bucket| bucket.time <= time);
        self.marks.retain(|mark| mark.time <= time);
        self.schemes.retain(|(since, _)| *since <= time);
        self.filled = self.stride;
        self.worked = worked;
    }

    /// The largest value of `channel` after `from` and up to `to`, s; NaN if there is none.
    pub fn largest(&self, channel: Channel, [from, to]: [f64; 2]) -> f64 {
        let i = channel as usize;
        let recent_from = self.recent.front().map_or(f64::INFINITY, |sample| sample.time);
        let within = |time: f64| time > from && time <= to;
        let old = self.whole.iter().filter(|bucket| within(bucket.time) && bucket.time < recent_from);
        let new = self.recent.iter().filter(|sample| within(sample.time));
        // `f64::max` drops a NaN, which here means a missing value.
        old.map(|bucket| bucket.high[i]).chain(new.map(|sample| sample.values[i])).fold(f64::NAN, f64::max)
    }

    /// What was done up to the last step that ended by `time`, s.
    pub fn worked_at(&self, time: f64) -> Worked {
        Worked(Worked::CHANNELS.map(|channel| self.value_at(channel, time).unwrap_or_default()))
    }

    /// The value of `channel` after the last step that ended by `time`, s.
    pub fn value_at(&self, channel: Channel, time: f64) -> Option<f64> {
        let after = self.recent.partition_point(|sample| sample.time <= time);
        let i = channel as usize;
        match after.checked_sub(1).and_then(|last| self.recent.get(last)) {
            Some(sample) => Some(sample.values[i]),
            // A bucket of several steps knows the value at its end alone.
            None => self.whole.iter().rev().find(|bucket| bucket.time <= time).map(|bucket| bucket.last[i]),
        }
    }

    /// Smallest and largest value of `channel` in each of `columns` equal parts of the time from `from` to
    /// `to` (s), as runs without a gap: a column in which every value is missing ends a run.
    pub fn decimate(&self, channel: Channel, [from, to]: [f64; 2], columns: usize) -> Vec<Vec<Extremes>> {
        let i = channel as usize;
        let width = (to - from) / columns.max(1) as f64;
        let recent_from = self.recent.front().map_or(f64::INFINITY, |sample| sample.time);
        // Both tiers are in the order of time.
        let (first, last) = (from - width, to + width);
        let old = self.whole.partition_point(|bucket| bucket.time < first)
            ..self.whole.partition_point(|bucket| bucket.time <= last && bucket.time < recent_from);
        let new = self.recent.partition_point(|sample| sample.time < first)
            ..self.recent.partition_point(|sample| sample.time <= last);
        let old = self.whole.get(old).unwrap_or_default().iter();
        let all = old.map(|b| Extremes { time: b.time, low: b.low[i], high: b.high[i] }).chain(
            self.recent.range(new.start..new.end.max(new.start)).map(|s| Extremes {
                time: s.time,
                low: s.values[i],
                high: s.values[i],
            }),
        );
        let mut runs = vec![Vec::<Extremes>::new()];
        let mut column = f64::NAN;
        for next in all {
            let its_column = ((next.time - from) / width).floor();
            let Some(run) = runs.last_mut() else { break };
            match run.last_mut() {
                _ if next.high.is_nan() => {
                    if its_column != column && !run.is_empty() {
                        runs.push(Vec::new());
                    }
                    continue;
                }
                Some(last) if its_column == column => {
                    last.low = last.low.min(next.low);
                    last.high = last.high.max(next.high);
                }
                _ => run.push(next),
            }
            column = its_column;
        }
        runs.retain(|run| !run.is_empty());
        runs
    }
}

/// A line through the extremes of columns, each value passed through `scale`: of each column the nearer one first, and
/// the other one in the column's middle.
pub fn through(columns: &[Extremes], scale: impl Fn(f64) -> f64) -> impl Iterator<Item = [f64; 2]> {
    let mut last: Option<f64> = None;
    columns.iter().enumerate().flat_map(move |(i, column)| {
        let middle = columns.get(i + 1).map_or(column.time, |next| 0.5 * (column.time + next.time));
        let (low, high) = (scale(column.low), scale(column.high));
        let from_above = last.is_some_and(|last| (last - high).abs() < (last - low).abs());
        let [first, second] = if from_above { [high, low] } else { [low, high] };
        last = Some(second);
        [Some([column.time, first]), (low != high).then_some([middle, second])].into_iter().flatten()
    })
}
