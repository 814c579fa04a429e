//! Figures as data: curves, axes and levels, without a library that draws.
//!
//! [`draw`] draws a [`Chart`] into a file; the window's panels draw the same curves and axes on the screen.

mod axis;
#[cfg(feature = "figures")]
pub mod canvas;
mod markup;
#[cfg(feature = "figures")]
mod page;
#[cfg(feature = "figures")]
mod panel;
mod table;

pub use axis::{Axis, Ends, FLOOR, Scale};
pub use markup::markup;
#[cfg(feature = "figures")]
pub use page::{Page, draw};
#[cfg(feature = "figures")]
pub(crate) use panel::along;
pub use table::csv;

/// Red, green and blue.
pub type Color = [u8; 3];

/// Okabe & Ito's colours, which people with any colour vision can tell apart, and two more for the schemes that
/// go beyond them; black is for the axes.
pub const COLORS: [Color; 8] = [
    [0, 114, 178],
    [213, 94, 0],
    [0, 158, 115],
    [204, 121, 167],
    [230, 159, 0],
    [86, 180, 233],
    [120, 94, 20],
    [130, 130, 130],
];
/// The colour of lines to compare curves with.
const GUIDE: Color = [110, 110, 110];
/// A curve of more points than this is drawn thin.
const DENSE: usize = 500;

/// The colour of curve number `index`.
pub fn color(index: usize) -> Color {
    COLORS[index % COLORS.len()]
}

/// By what lines of one colour differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dash {
    /// A full line.
    Solid,
    /// Dashes.
    Dashed,
    /// A thin line.
    Thin,
    /// Dots.
    Dotted,
    /// Short, thin dashes.
    Fine,
}

impl Dash {
    /// Lengths of its dashes and of the gaps between them, px; none for a full line.
    pub fn lengths(self) -> Option<[u32; 2]> {
        match self {
            Self::Solid | Self::Thin => None,
            Self::Dashed => Some([11, 5]),
            Self::Dotted => Some([2, 4]),
            Self::Fine => Some([5, 4]),
        }
    }

    /// Width relative to that of a full line.
    pub fn width(self) -> f32 {
        match self {
            Self::Solid | Self::Dashed => 1.0,
            Self::Thin | Self::Fine => 0.6,
            Self::Dotted => 0.8,
        }
    }

    /// A sign that shows it in text.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Solid => "━",
            Self::Dashed => "╍",
            Self::Thin => "─",
            Self::Dotted => "┈",
            Self::Fine => "╌",
        }
    }
}

/// What stands at each point of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Radius or half a side, px.
    pub radius: u32,
    /// Whether it is a ring or a square.
    pub shape: Shape,
}

/// The shape of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A circle.
    Ring,
    /// A square.
    Square,
}

/// Where a curve's name stands in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// In the legend.
    Legend,
    /// At its last point.
    End,
    /// Nowhere.
    Nowhere,
}

/// A curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Its name.
    pub label: String,
    /// Where its name stands.
    pub named: Named,
    /// Its points, in the axes' units, in parts between which values are missing.
    pub parts: Vec<Vec<[f64; 2]>>,
    /// Its colour.
    pub color: Color,
    /// From 0 to 1.
    pub opacity: f32,
    /// Width of a full line of it, px.
    pub width: f32,
    /// How its line differs from a full one.
    pub dash: Dash,
    /// What stands at its points.
    pub mark: Option<Mark>,
}

impl Curve {
    /// Curve number `index` of a chart, whose colour follows from the number.
    pub fn line<P: Into<[f64; 2]>>(
        index: usize,
        label: String,
        points: impl IntoIterator<Item = P>,
    ) -> Self {
        let points: Vec<[f64; 2]> = points.into_iter().map(P::into).collect();
        // Thick lines have mitred joins, whose points stand far out of a dense curve's turns.
        let width = if points.len() > DENSE { 1.0 } else { 2.0 };
        let parts = vec![points];
        let (color, dash) = (color(index), Dash::Solid);
        Self { label, named: Named::Legend, parts, color, opacity: 1.0, width, dash, mark: None }
    }

    /// The curve with gaps, through which one that coincides with it shows.
    pub fn dashed(mut self) -> Self {
        self.dash = Dash::Dashed;
        self
    }

    /// Curve number `index` with a mark at each point: rings of three sizes, so that curves that coincide show as concentric
    /// ones, squares where the colours have all been used once, and gaps in every other one.
    pub fn marked<P: Into<[f64; 2]>>(
        index: usize,
        label: String,
        points: impl IntoIterator<Item = P>,
    ) -> Self {
        let shape = if index < COLORS.len() { Shape::Ring } else { Shape::Square };
        let mark = Some(Mark { radius: 4 + 3 * (index % 3) as u32, shape });
        let dash = if index % 2 == 1 { Dash::Dashed } else { Dash::Solid };
        Self { mark, dash, ..Self::line(index, label, points) }
    }

    /// A thin line to compare others with.
    pub fn guide<P: Into<[f64; 2]>>(label: String, points: impl IntoIterator<Item = P>) -> Self {
        Self { named: Named::End, color: GUIDE, width: 1.0, ..Self::line(0, label, points) }
    }

    /// Its points.
    pub fn points(&self) -> impl Iterator<Item = &[f64; 2]> {
        self.parts.iter().flatten()
    }
}

/// Which axis a number belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelAxis {
    /// An abscissa: the line is upright.
    X,
    /// An ordinate.
    Y,
}

/// A number to compare curves with, such as a published one: a dashed line across the chart, or upright.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// What is said of it.
    pub label: String,
    /// The number, in its axis's unit.
    pub value: f64,
    /// Which axis it belongs to.
    pub axis: LevelAxis,
    /// From and to on the other axis; by default the whole chart.
    pub over: [Option<f64>; 2],
    /// Its colour: that of the curve that it belongs to, black where it is about all.
    pub color: Color,
}

impl Level {
    /// A black line across the chart.
    pub fn across(label: impl Into<String>, value: f64) -> Self {
        Self { label: label.into(), value, axis: LevelAxis::Y, over: [None; 2], color: [0, 0, 0] }
    }
}

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What stands above it.
    pub title: String,
    /// The abscissa.
    pub x: Axis,
    /// The ordinate.
    pub y: Axis,
    /// The curves, in the order of the legend.
    pub curves: Vec<Curve>,
    /// The numbers, behind the curves.
    pub levels: Vec<Level>,
}

impl Chart {
    /// First and last place of both axes.
    pub fn ranges(&self) -> [[f64; 2]; 2] {
        let points = || self.curves.iter().flat_map(Curve::points);
        let levels = self.levels.iter().filter(|level| level.axis == LevelAxis::Y);
        let ordinates = points().map(|point| point[1]).chain(levels.map(|level| level.value));
        [self.x.range(points().map(|point| point[0])), self.y.range(ordinates)]
    }
}
