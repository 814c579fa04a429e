//! The player: play or pause, speed, and the steps that are due.

use super::clock::{Clock, LONGEST_FRAME};
use crate::workbench::engine::PHASES;
use std::collections::VecDeque;

/// Smallest and largest speed, in simulated seconds per real second.
pub const SPEED_RANGE: [f64; 2] = [0.01, 10.0];
/// Real time over which the time of a step is measured, s.
const MEASURED: f64 = 1.0;
/// Share of the requested time that may be dropped before the machine counts as too slow.
const TOLERATED: f64 = 0.03;
/// Real seconds over which the rate is measured; longer while single steps take longer.
const WINDOW: f64 = 0.5;

/// Play, pause and speed: one for all runs of the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Player {
    /// Whether time passes.
    pub playing: bool,
    /// Simulated seconds per real second.
    pub speed: f64,
    /// The speed before a tour set another one.
    usual: Option<f64>,
    /// What is being watched in slow motion.
    watched: Option<Watched>,
}

/// A stretch of the run that is watched in slow motion.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Watched {
    /// Its end, s of simulation time.
    until: f64,
    /// The speed before.
    usual: f64,
}

impl Player {
    /// A player at real-time speed.
    pub fn new(playing: bool) -> Self {
        Self { playing, speed: 1.0, usual: None, watched: None }
    }

    /// Goes on at the speed that a tour sets, until it is left.
    pub fn slow_down(&mut self, speed: f64) {
        self.usual.get_or_insert(self.speed);
        self.speed = speed;
    }

    /// Returns to the speed before any slow motion, a tour's included.
    pub fn hurry(&mut self) {
        self.look_away();
        self.speed = self.usual.take().unwrap_or(self.speed);
    }

    /// Goes on in slow motion up to the simulation time `until`, s.
    pub fn watch(&mut self, speed: f64, until: f64) {
        let usual = self.watched.map_or(self.speed, |watched| watched.usual);
        self.watched = Some(Watched { until, usual });
        self.speed = speed;
    }

    /// Ends what is watched in slow motion, if the run has come to its end at `time`, s.
    pub fn watched_until(&mut self, time: f64) {
        if self.watched.is_some_and(|watched| time >= watched.until) {
            self.look_away();
        }
    }

    /// Ends what is watched in slow motion: the speed is the one before.
    pub fn look_away(&mut self) {
        self.speed = self.watched.take().map_or(self.speed, |watched| watched.usual);
    }

    /// The speed that a person sets stays.
    pub fn set_speed(&mut self, speed: f64) {
        (self.speed, self.usual, self.watched) = (speed, None, None);
    }

    /// Simulated seconds that pass in a frame of `elapsed` real seconds.
    pub fn passing(&self, elapsed: f64) -> f64 {
        if self.playing { elapsed.min(LONGEST_FRAME) * self.speed } else { 0.0 }
    }
}

/// The time of one run: the steps that are due, and the rate that they reach.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pace {
    clock: Clock,
    meter: Meter,
    /// Real seconds of play so far.
    now: f64,
    /// The answers of the last second, oldest first.
    answers: VecDeque<Timed>,
}

/// What the steps of an answer of the engine took.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Timed {
    /// When it came, real seconds of play.
    at: f64,
    /// Processor time of one step, s.
    seconds: f64,
    /// Real time of its parts, s, if they were measured.
    phases: Option<[f64; PHASES.len()]>,
}

impl Pace {
    /// Lets a frame of `elapsed` real seconds pass under `player`.
    pub fn pass(&mut self, player: &Player, elapsed: f64) {
        let seconds = player.passing(elapsed);
        self.now += if player.playing { elapsed } else { 0.0 };
        self.clock.add(seconds);
        self.meter.asked(elapsed * player.speed);
        self.meter.dropped(elapsed * player.speed - seconds);
    }

    /// The number of steps of `h` seconds that are due. They count as made until they are given back.
    pub fn take(&mut self, h: f64) -> u64 {
        if h <= 0.0 {
            // The step will fail with the reason.
            return 1;
        }
        let mut due = 0;
        while self.clock.take(h) {
            due += 1;
        }
        due
    }

    /// Gives back `steps` of `h` seconds that were due and have not been made.
    pub fn give_back(&mut self, steps: u64, h: f64) {
        self.clock.add(steps as f64 * h);
    }

    /// Drops the time beyond `seconds` and one step of `h` seconds, because the steps do not keep up.
    pub fn forgive(&mut self, seconds: f64, h: f64) {
        let owed = self.clock.owed();
        self.clock.forgive(seconds + h);
        self.meter.dropped(owed - self.clock.owed());
    }

    /// Records that `steps` took `seconds` of processor time, and their parts that much real time, s.
    pub fn measured(&mut self, steps: usize, seconds: f64, phases: Option<[f64; PHASES.len()]>) {
        if steps > 0 {
            let one = 1.0 / steps as f64;
            let phases = phases.map(|phases| phases.map(|part| part * one));
            self.answers.push_back(Timed { at: self.now, seconds: seconds * one, phases });
            while self.answers.front().is_some_and(|answer| answer.at < self.now - MEASURED) {
                self.answers.pop_front();
            }
        }
    }

    /// Processor time of one step, s: the median over the last second of play, since what other programs leave in the
    /// caches varies. Zero before the first.
    pub fn step_seconds(&self) -> f64 {
        let mut sorted: Vec<f64> = self.answers.iter().map(|answer| answer.seconds).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or_default()
    }

    /// What the parts of a step take of that time, s, by their shares of the last second; none if they were not measured.
    pub fn phase_seconds(&self) -> Option<[f64; PHASES.len()]> {
        let measured = self.answers.iter().filter_map(|answer| answer.phases);
        let sums = measured.fold([0.0; PHASES.len()], |mut sums: [f64; PHASES.len()], parts| {
            sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
            sums
        });
        let whole: f64 = sums.iter().sum();
        (whole > 0.0).then(|| sums.map(|sum| self.step_seconds() * sum / whole))
    }

    /// A frame of `elapsed` real seconds ends with the world at `time` (s), which passes in steps of `h` (s) if the player is
    /// `playing`.
    pub fn observe(&mut self, playing: bool, elapsed: f64, time: f64, h: f64) {
        if playing {
            self.meter.frame(elapsed, time, h);
        } else {
            self.meter = Meter::default();
        }
    }

    /// Simulated seconds per real second over the last half second, if the machine is too slow for the speed asked for.
    pub fn slow_rate(&self) -> Option<f64> {
        self.meter.is_behind().then(|| self.meter.rate()).flatten()
    }

    /// Resets the time: no steps are due, and none were dropped.
    pub fn restart(&mut self) {
        *self = Self { now: self.now, answers: std::mem::take(&mut self.answers), ..Self::default() };
    }
}

/// Measures how fast simulated time really passes.
#[derive(Clone, Debug, Default, PartialEq)]
struct Meter {
    /// Real seconds since the player began to play.
    now: f64,
    /// When the shown state advanced, and to which simulated time, s.
    arrivals: VecDeque<[f64; 2]>,
    /// The frames of the last half second.
    frames: VecDeque<Asked>,
    /// The frame that is being made.
    frame: Asked,
    /// Length of a step, s.
    step: f64,
}

/// What a frame asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Asked {
    /// When it ended, real seconds.
    at: f64,
    /// Simulated time that was to pass, s.
    asked: f64,
    /// The part of it that will not be simulated, s.
    dropped: f64,
}

impl Meter {
    fn asked(&mut self, seconds: f64) {
        self.frame.asked += seconds;
    }

    fn dropped(&mut self, seconds: f64) {
        self.frame.dropped += seconds;
    }

    fn frame(&mut self, elapsed: f64, time: f64, h: f64) {
        self.step = h;
        let frame = std::mem::take(&mut self.frame);
        let Some(&[_, last]) = self.arrivals.back() else {
            // What passed before the first frame was a pause.
            self.arrivals.push_back([0.0, time]);
            return;
        };
        if time < last {
            *self = Self { arrivals: VecDeque::from([[0.0, time]]), ..Self::default() };
            return;
        }
        self.now += elapsed;
        self.frames.push_back(Asked { at: self.now, ..frame });
        if time > last {
            self.arrivals.push_back([self.now, time]);
        }
        let from = self.now - WINDOW;
        while self.frames.front().is_some_and(|frame| frame.at < from) {
            self.frames.pop_front();
        }
        // Two arrivals are kept at least, since one step can take longer than the window.
        while self.arrivals.len() > 2 && self.arrivals.get(1).is_some_and(|arrival| arrival[0] < from) {
            self.arrivals.pop_front();
        }
    }

    fn is_behind(&self) -> bool {
        let sum = |of: fn(&Asked) -> f64| self.frames.iter().map(of).sum::<f64>();
        sum(|frame| frame.dropped) > TOLERATED * sum(|frame| frame.asked)
    }

    /// From the first arrival to the last one; not more than if as many steps as in the last arrival came now.
    fn rate(&self) -> Option<f64> {
        let [&[began, from], &[at, to]] = [self.arrivals.front()?, self.arrivals.back()?];
        let before = self.arrivals.iter().rev().nth(1).map_or(to, |arrival| arrival[1]);
        let next = to + (to - before).max(self.step);
        let at_best = (next - from) / (self.now - began);
        Some(if at > began { at_best.min((to - from) / (at - began)) } else { at_best })
    }
}
