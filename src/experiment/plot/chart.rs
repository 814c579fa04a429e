//! A chart of any lines, such as the window's plots: over time or one quantity over another, linear or with a logarithmic axis.

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What stands above it.
    pub title: String,
    /// Name and unit of the horizontal and the vertical axis.
    pub axes: [String; 2],
    /// Whether the vertical axis is logarithmic.
    pub logarithmic: bool,
    /// The lines, the last one on top.
    pub lines: Vec<ChartLine>,
}

/// A line.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartLine {
    /// Its name in the legend.
    pub label: String,
    /// Red, green and blue.
    pub color: [u8; 3],
    /// Width, px.
    pub width: u32,
    /// Lengths of its dashes and of the gaps between them, px; none for a full line.
    pub dash: Option<[u32; 2]>,
    /// Its points, in parts between which values are missing.
    pub parts: Vec<Vec<[f64; 2]>>,
}
