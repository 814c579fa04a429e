//! The edges of the window's parts, which a person drags.

/// An edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Between the canvas and the panel.
    Panel,
    /// Between the canvas and the plots.
    Plot,
}

impl Edge {
    /// The name of the part behind it.
    pub fn part(self) -> &'static str {
        match self {
            Self::Panel => "panel",
            Self::Plot => "plot",
        }
    }
}
