//! Fixed time steps at any frame rate: an accumulator of simulated time, from which steps are taken.

/// Largest time that one frame adds, s, so that the simulation does not jump after the window was hidden or idle.
pub const LONGEST_FRAME: f64 = 0.1;

/// Fraction of a step by which the sum of frame times may fall short with the step still due, so that rounding of the sum does
/// not lose a step.
const SLACK: f64 = 1e-6;

/// Turns the passing of real time into a number of steps of fixed length.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    owed: f64,
}

impl Clock {
    /// Adds `elapsed` seconds of simulated time.
    pub fn add(&mut self, elapsed: f64) {
        self.owed += elapsed.max(0.0);
    }

    /// Takes one step of `h` seconds, if one is due.
    pub fn take(&mut self, h: f64) -> bool {
        let due = self.owed >= h * (1.0 - SLACK);
        if due {
            self.owed -= h;
        }
        due
    }

    /// Simulated seconds for which no steps have been taken yet; slightly negative if a step was taken early within the
    /// tolerance.
    pub fn owed(&self) -> f64 {
        self.owed
    }

    /// Drops the time beyond one step of `h` seconds, because the machine cannot keep up.
    pub fn forgive(&mut self, h: f64) {
        self.owed = self.owed.min(h * (1.0 - 2.0 * SLACK));
    }
}
