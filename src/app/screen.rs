//! The parts of the window as egui has them.

use crate::workbench::model::Model;
use crate::workbench::view_state::area::Area;
use egui_macroquad::egui::{Pos2, Rect};

impl From<Rect> for Area {
    fn from(rect: Rect) -> Self {
        let [min, max] = [rect.min, rect.max].map(<[f32; 2]>::from);
        Self { min: min.into(), max: max.into() }
    }
}

impl From<Area> for Rect {
    fn from(area: Area) -> Self {
        let [min, max] = [area.min, area.max].map(|corner| Pos2::from(corner.to_array()));
        Self { min, max }
    }
}

/// Where a model is shown.
pub trait OnScreen {
    /// The canvas as it was last laid out.
    fn canvas(&self) -> Rect;

    /// The part of it that shows that run, or all of it.
    fn pane_rect(&self, index: usize) -> Rect;
}

impl OnScreen for Model {
    fn canvas(&self) -> Rect {
        self.sight.canvas.into()
    }

    fn pane_rect(&self, index: usize) -> Rect {
        self.pane(index).into()
    }
}
