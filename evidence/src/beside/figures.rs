//! The figures of a run, as the table and `beside/recorded.csv` have them.

use super::{Outcome, Row, SCENES};
use driftlab::experiment::judge::Judged;
use driftlab::model::World;
use driftlab::numbers::shortest;
use thiserror::Error;

/// Why there is no table.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{0}")]
pub struct BesideError(pub(super) String);

/// What is told of a run. What its recording does not tell is none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Time of the last step, s.
    pub end: f64,
    /// Largest opening of a joint, and the largest after the last step, m.
    pub joint: [Option<f64>; 2],
    /// Largest overlap, and the largest after the last step, m.
    pub overlap: [Option<f64>; 2],
    /// Mean sliding speed of contacts that should stick, m/s.
    pub creep: Option<f64>,
    /// By how much the energy was above that of the start at most, J.
    pub gain: Option<f64>,
    /// Energy that the method has made or taken over the run, J.
    pub method: Option<f64>,
    /// The largest distance of a body from where it began, after the last step, m.
    pub moved: f64,
}

impl Figures {
    /// Those of a run from `start` to `end`.
    pub(super) fn of(judged: &Judged, start: &World, end: &World) -> Self {
        let energies = judged.samples.iter().map(|own| own.kinetic + own.potential);
        let highest = energies.fold(f64::NEG_INFINITY, f64::max);
        let gain = judged.energy.first.total().map(|first| (highest - first).max(0.0));
        let moved = start.bodies().iter().zip(end.bodies());
        let moved = moved.map(|(a, b)| (b.pose.position - a.pose.position).length());
        let both = |own: Option<driftlab::experiment::judge::Extreme>| {
            [own.map(|own| own.largest), own.map(|own| own.last)]
        };
        Self {
            end: judged.time[1],
            joint: both(judged.joint_error),
            overlap: both(judged.penetration),
            creep: judged.yardsticks.creep,
            gain: gain.filter(|gain| gain.is_finite()),
            method: judged.energy.work.map(|work| work.method),
            moved: moved.fold(0.0, f64::max),
        }
    }

    fn cells(&self) -> [Option<f64>; 9] {
        let Self { end, joint, overlap, creep, gain, method, moved } = *self;
        [Some(end), joint[0], joint[1], overlap[0], overlap[1], creep, gain, method, Some(moved)]
    }

    fn of_cells(cells: [Option<f64>; 9]) -> Option<Self> {
        let [end, joint, joint_end, overlap, overlap_end, creep, gain, method, moved] = cells;
        let (joint, overlap) = ([joint, joint_end], [overlap, overlap_end]);
        Some(Self { end: end?, joint, overlap, creep, gain, method, moved: moved? })
    }
}

/// The first line of `beside/recorded.csv`: m, m/s, J.
const COLUMNS: &str =
    "scene,made by,stopped,end,joint error,at the end,overlap,at the end,creep,energy gained,method,moved";

/// Rows as text: a line each, an empty cell where nothing is told.
pub(super) fn to_csv(rows: &[Row]) -> String {
    let line = |row: &Row| {
        let (figures, why) = match &row.outcome {
            Outcome::Whole(figures) => (Some(figures), ""),
            Outcome::Stopped(figures, why) => (figures.as_ref(), &**why),
        };
        let cells = figures.map_or([None; 9], Figures::cells);
        let cells = cells.map(|own| own.map(shortest).unwrap_or_default()).join(",");
        format!("{},{},{},{cells}\n", SCENES[row.scene].0, row.maker, why.replace(',', ";"))
    };
    rows.iter().map(line).fold(format!("{COLUMNS}\n"), |text, line| text + &line)
}

/// The rows of such a text.
///
/// # Errors
/// The first line that is none.
pub(super) fn from_csv(text: &str) -> Result<Vec<Row>, BesideError> {
    text.lines()
        .skip(1)
        .map(|line| {
            row(line).ok_or_else(|| BesideError(format!("recorded.csv: {line}: expected 12 cells")))
        })
        .collect()
}

fn row(line: &str) -> Option<Row> {
    let mut cells = line.split(',');
    let [scene, maker, why] = [cells.next()?, cells.next()?, cells.next()?];
    let scene = SCENES.iter().position(|(name, _)| *name == scene)?;
    let numbers: Vec<Option<f64>> = cells.map(|cell| cell.parse().ok()).collect();
    let figures = Figures::of_cells(numbers.try_into().ok()?);
    let outcome = match figures {
        Some(figures) if why.is_empty() => Outcome::Whole(figures),
        figures => Outcome::Stopped(figures, why.to_owned()),
    };
    Some(Row { scene, maker: maker.to_owned(), outcome, step_us: None })
}
