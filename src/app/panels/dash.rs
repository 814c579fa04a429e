//! How the quantities of a plot are drawn: the pattern of their lines and their width.

use crate::workbench::view_state::plot_view::Dash;
use egui_plot::LineStyle;

impl Dash {
    pub(super) fn style(self) -> LineStyle {
        match self {
            Self::Solid | Self::Thin => LineStyle::Solid,
            Self::Dashed => LineStyle::Dashed { length: 9.0 },
            Self::Dotted => LineStyle::Dotted { spacing: 5.0 },
            Self::Fine => LineStyle::Dashed { length: 4.0 },
        }
    }

    /// Width relative to that of a full line.
    pub(super) fn width(self) -> f32 {
        match self {
            Self::Solid | Self::Dashed => 1.0,
            Self::Thin | Self::Fine => 0.6,
            Self::Dotted => 0.8,
        }
    }
}
