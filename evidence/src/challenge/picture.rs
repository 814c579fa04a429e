//! The picture of the challenge: how long the motion is followed, the energy and the rods, each over the
//! cost of a frame.

use super::{Challenge, MethodOutcomes, Outcome};
use driftlab::figure::canvas::{Format, PlotError};
use driftlab::figure::{Axis, Chart, Curve, Page, Scale};

/// Width and height, and width of the legend, px.
const SIZE: (u32, u32) = (1860, 640);
const LEGEND: u32 = 420;

/// What a panel shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Followed,
    Energy,
    Rods,
}

impl Shown {
    const ALL: [Self; 3] = [Self::Followed, Self::Energy, Self::Rods];

    fn of(self, outcome: &Outcome) -> f64 {
        match self {
            Self::Followed => outcome.followed,
            Self::Energy => outcome.energy,
            Self::Rods => outcome.stretch,
        }
    }

    fn axis(self) -> Axis {
        let (label, scale) = match self {
            Self::Followed => ("true motion followed to 1 cm / s", Scale::Linear),
            Self::Energy => ("largest change of energy / J", Scale::Logarithmic),
            Self::Rods => ("largest change of a rod's length / m", Scale::Logarithmic),
        };
        Axis::new(label, scale)
    }
}

/// Draws the three panels with one legend.
///
/// # Errors
/// [`PlotError`], if the drawing library fails.
pub fn draw(challenge: &Challenge, format: Format) -> Result<Vec<u8>, PlotError> {
    let heading =
        "The pendulum challenge: three masses on three rods, 20 s, over what a picture of 1/60 s costs"
            .to_owned();
    let charts = Shown::ALL.map(|shown| chart(challenge, shown)).to_vec();
    Page { heading, size: SIZE, columns: charts.len(), charts, legend: LEGEND, listed: 0 }.draw(format, 1)
}

fn chart(challenge: &Challenge, shown: Shown) -> Chart {
    let curve = |(index, line): (usize, &MethodOutcomes)| {
        let points = line.outcomes.iter().filter_map(|outcome| point(shown, outcome));
        Curve::marked(index, line.name.to_owned(), points)
    };
    Chart {
        title: String::new(),
        x: Axis::logarithmic("computing time of a picture / µs"),
        y: shown.axis(),
        curves: challenge.lines.iter().enumerate().map(curve).collect(),
        levels: Vec::new(),
    }
}

/// The point of one run; none where it failed.
fn point(shown: Shown, outcome: &Outcome) -> Option<(f64, f64)> {
    outcome.failure.is_none().then(|| (outcome.cost, shown.of(outcome)))
}
