//! The fixed step apart from the frame rate: simulated time that is owed, and the steps that pay it.

/// Elapsed time of one frame beyond which the simulation does not try to catch up, s: after the window was
/// hidden or idle it goes on, it does not jump.
pub const LONGEST_FRAME: f64 = 0.1;

/// Fraction of a step by which the sum of frame times may fall short and the step is still due: rounding of
/// the sum must not swallow a step.
const SLACK: f64 = 1e-6;

/// Turns the passing of real time into a number of steps of fixed length.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    owed: f64,
}

impl Clock {
    /// Adds `elapsed` seconds of simulated time to what is owed.
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

    /// Simulated seconds that are owed and not yet paid; slightly negative where the slack was used.
    pub fn owed(&self) -> f64 {
        self.owed
    }

    /// Gives up what is owed beyond one step of `h` seconds, because the machine cannot keep up.
    pub fn forgive(&mut self, h: f64) {
        self.owed = self.owed.min(h * (1.0 - 2.0 * SLACK));
    }

    /// Nothing is owed any more.
    pub fn clear(&mut self) {
        self.owed = 0.0;
    }
}
