//! How large an analysis is: whether it is made at all, and what is said before it begins.

use super::super::failure::Failure;
use crate::numbers::four_digits;

/// Most multiplications that the eigenvalues at all points may take without `--large`: about a minute of one core at 2 ns each.
const EFFORT: f64 = 3e10;
/// An analysis that takes more of them than this, some ten seconds, says so before it begins.
const TOLD: f64 = 5e9;

/// Rows and coordinates of a scene, and how often they are analysed.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub rows: usize,
    /// Coordinates that can move.
    pub coordinates: usize,
    pub points: u64,
    /// Whether `--large` was given.
    pub large: bool,
}

impl Extent {
    /// Rows of the largest matrix: positions, velocities, and impulses where a scheme accumulates them.
    fn size(&self) -> f64 {
        (2 * self.coordinates + self.rows) as f64
    }

    fn effort(&self) -> f64 {
        self.size().powi(3) * self.points as f64
    }

    /// Whether eigenvalues are computed at every point.
    pub fn affordable(&self) -> bool {
        self.large || self.effort() <= EFFORT
    }

    /// Refuses what takes too long, and says what to do about it; `closed`: without eigenvalues there would be the closed form.
    pub fn refuse(&self, closed: bool) -> Result<(), Failure> {
        if self.affordable() {
            return Ok(());
        }
        let most = (EFFORT / self.size().powi(3)) as u64;
        let fewer =
            if most > 0 { format!("{most} points or fewer, ") } else { "a smaller scene, ".to_owned() };
        let other = if closed { "--unloaded for the closed form alone, " } else { "" };
        Err(Failure::wrong(format!(
            "--over: {} (expected {fewer}{other}or --large to compute them all the same)",
            self.words()
        )))
    }

    /// What is said before the analysis begins, if it takes its time.
    pub fn notice(&self) -> Option<String> {
        (self.effort() > TOLD).then(|| self.words())
    }

    fn words(&self) -> String {
        /// Seconds for one multiplication, measured with chains of 100 and 200 links.
        const PACE: f64 = 2e-9;
        let Self { rows, coordinates, points, .. } = self;
        let minutes = four_digits((PACE * self.effort() / 60.0).max(0.1));
        format!(
            "{rows} rows over {coordinates} coordinates at {points} points: their eigenvalues take about {minutes} minutes of one core"
        )
    }
}
