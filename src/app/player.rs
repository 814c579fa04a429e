//! The player: play or pause, speed, and the steps that are due.

use super::clock::{Clock, LONGEST_FRAME};

/// Smallest and largest speed, in simulated seconds per real second.
pub const SPEED_RANGE: [f64; 2] = [0.01, 10.0];
/// Weight of the newest value in the smoothed figures.
const SMOOTHING: f64 = 0.1;
/// Share of the requested speed below which the machine counts as too slow.
const KEEPS_UP: f64 = 0.97;

/// Play, pause and speed: one for all runs of the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Player {
    /// Whether time passes.
    pub playing: bool,
    /// Simulated seconds per real second.
    pub speed: f64,
}

impl Player {
    /// A player at real-time speed.
    pub fn new(playing: bool) -> Self {
        Self { playing, speed: 1.0 }
    }

    /// Simulated seconds that pass in a frame of `elapsed` real seconds.
    pub fn passing(&self, elapsed: f64) -> f64 {
        if self.playing { elapsed.min(LONGEST_FRAME) * self.speed } else { 0.0 }
    }
}

/// The time of one run: the steps that are due, and whether the machine keeps up with them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    clock: Clock,
    /// Simulated seconds that were requested, and those of them that were dropped, exponentially smoothed.
    asked: f64,
    lost: f64,
    step_seconds: f64,
}

impl Pace {
    /// Lets `seconds` of simulated time pass.
    pub fn pass(&mut self, seconds: f64) {
        self.clock.add(seconds);
        self.asked += SMOOTHING * (seconds - self.asked);
        self.lost -= SMOOTHING * self.lost;
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
        self.lost += SMOOTHING * (owed - self.clock.owed());
    }

    /// Records that `steps` took `seconds` of real time.
    pub fn measured(&mut self, steps: usize, seconds: f64) {
        if steps > 0 {
            self.step_seconds += SMOOTHING * (seconds / steps as f64 - self.step_seconds);
        }
    }

    /// Real time of one step, smoothed, s.
    pub fn step_seconds(&self) -> f64 {
        self.step_seconds
    }

    /// Share of the requested time that was simulated, if the machine is too slow.
    pub fn shortfall(&self) -> Option<f64> {
        let kept = 1.0 - self.lost / self.asked;
        (kept < KEEPS_UP).then_some(kept.max(0.0))
    }

    /// Resets the time: no steps are due, and none were dropped.
    pub fn restart(&mut self) {
        *self = Self { step_seconds: self.step_seconds, ..Self::default() };
    }
}
