//! The parts of the window.

use crate::workbench::view_state::side_tab::SideTab;
use crate::workbench::view_state::text_size::TextSize;

/// By how much everything is larger for an audience: text of 13 points is read from the last row of a lecture hall at 20.
const PRESENTED: f32 = 1.5;

/// Which parts of the window are shown, and how large.
#[derive(Debug)]
pub struct Layout {
    /// The tab of the panel.
    pub side: SideTab,
    /// Whether the panel is shown.
    pub panel_open: bool,
    /// How wide or high a person has dragged the parts of the window, points, in the order of the edges.
    pub sizes: [Option<u16>; 2],
    /// Whether the plots are shown.
    pub plot_open: bool,
    /// Whether the window was too narrow for panel and picture in the last frame.
    pub(super) seen_narrow: bool,
    /// Whether the panel was shown before the window became so.
    pub(super) panel_was_open: bool,
    /// Whether the sheet of keys is shown.
    pub help_open: bool,
    /// Size of the text, and of everything that is measured by it.
    pub text_size: TextSize,
    /// Whether the window shows stage and plot for an audience.
    pub presenting: bool,
    /// Whether the window is embedded in a page: the canvas, the plot, one slider and one line of text are all that is shown.
    pub embedded: bool,
    /// Whether it is drawn as a picture, to which no hint at keys and mouse belongs.
    pub pictured: bool,
    /// Key of the parameter whose slider the embedded window shows, if a link names one.
    pub slider: Option<String>,
    /// Whether a clip of the window is being taken.
    pub clipping: bool,
    /// Whether the drawing closes something of its own on Escape: a list, a file dialog, the text that is being typed.
    pub escape_taken: bool,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            side: SideTab::default(),
            panel_open: true,
            sizes: [None; 2],
            plot_open: true,
            seen_narrow: false,
            panel_was_open: true,
            help_open: false,
            text_size: TextSize::default(),
            presenting: false,
            embedded: false,
            pictured: false,
            slider: None,
            clipping: false,
            escape_taken: false,
        }
    }
}

impl Layout {
    /// By how much everything is larger than ordinary.
    pub fn magnification(&self) -> f32 {
        let chosen = self.text_size.factor();
        if self.presenting { chosen.max(PRESENTED) } else { chosen }
    }

    /// Whether the window is too narrow for panel and picture: the panel then gives way, and comes back in a wider window.
    pub(crate) fn see_width(&mut self, narrow: bool) {
        match (self.seen_narrow, narrow) {
            (false, true) => (self.panel_was_open, self.panel_open) = (self.panel_open, false),
            (true, false) => self.panel_open |= self.panel_was_open,
            _ => {}
        }
        self.seen_narrow = narrow;
    }
}
