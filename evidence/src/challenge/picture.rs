//! The picture of the challenge: how long the motion is followed, the energy and the rods, each over the
//! cost of a frame.

use super::{Challenge, MethodOutcomes, Outcome};
use driftlab::experiment::internal::canvas::{self, FONT, failed};
use driftlab::experiment::internal::paper::{Axis, Chart, Curve, Reach, Scale, Stroke, legend};
use driftlab::experiment::{Format, PlotError};
use plotters::coord::Shift;
use plotters::prelude::*;

/// Width and height, px.
const SIZE: (u32, u32) = (1860, 640);
/// Width of the legend, height of the title, px.
const LEGEND_WIDTH: u32 = 420;
const TITLE_HEIGHT: u32 = 48;

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
        Axis { label: label.to_owned(), scale, reach: Reach::Decades }
    }
}

/// Draws the three panels with one legend.
///
/// # Errors
/// [`PlotError`], if the drawing library fails.
pub fn draw(challenge: &Challenge, format: Format) -> Result<Vec<u8>, PlotError> {
    match format {
        Format::Svg => canvas::svg(SIZE, |area| page(&area, challenge)),
        Format::Png => canvas::png(SIZE, |area| page(&area, challenge)),
    }
}

fn page<B: DrawingBackend>(area: &DrawingArea<B, Shift>, challenge: &Challenge) -> Result<(), PlotError> {
    area.fill(&WHITE).map_err(failed)?;
    let (title, rest) = area.split_vertically(TITLE_HEIGHT);
    let heading =
        "The pendulum challenge: three masses on three rods, 20 s, over what a picture of 1/60 s costs";
    title.draw_text(heading, &TextStyle::from((FONT, 24).into_font()), (16, 14)).map_err(failed)?;
    let (panels, side) = rest.split_horizontally(SIZE.0 - LEGEND_WIDTH);
    for (place, shown) in panels.split_evenly((1, Shown::ALL.len())).iter().zip(Shown::ALL) {
        chart(challenge, shown).draw_panel(place)?;
    }
    legend(&side, &chart(challenge, Shown::Followed).curves, &[])?;
    area.present().map_err(failed)
}

fn chart(challenge: &Challenge, shown: Shown) -> Chart {
    let curve = |(color, line): (usize, &MethodOutcomes)| Curve {
        label: line.name.to_owned(),
        points: line.outcomes.iter().filter_map(|outcome| point(shown, outcome)).collect(),
        stroke: Stroke::Marked,
        color,
    };
    Chart {
        title: String::new(),
        x: Axis {
            label: "computing time of a picture / µs".to_owned(),
            scale: Scale::Logarithmic,
            reach: Reach::Decades,
        },
        y: shown.axis(),
        curves: challenge.lines.iter().enumerate().map(curve).collect(),
        levels: Vec::new(),
    }
}

/// The point of one run; none where it failed.
fn point(shown: Shown, outcome: &Outcome) -> Option<(f64, f64)> {
    outcome.failure.is_none().then(|| (outcome.cost, shown.of(outcome)))
}
