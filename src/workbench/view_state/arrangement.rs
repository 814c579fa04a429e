//! How several runs are arranged on the canvas.

use super::area::Area;
use glam::{Vec2, vec2};

/// How several runs are shown on the canvas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrangement {
    /// In one picture: the main run, and the others as outlines over it.
    #[default]
    Overlay,
    /// Each in a pane of its own, with the same view.
    Panes,
}

impl Arrangement {
    /// The parts of `canvas` that show `runs` runs, row by row: equal panes, in as many columns as make their smaller sides
    /// largest.
    pub fn divide(self, canvas: Area, runs: usize) -> Vec<Area> {
        let count = match self {
            Self::Overlay => 1,
            Self::Panes => runs.max(1),
        };
        let size = |columns: usize| canvas.size() / vec2(columns as f32, count.div_ceil(columns) as f32);
        // The smaller side decides how large the picture is.
        let smaller = |columns: &usize| size(*columns).min_element();
        // The smallest of equally good numbers of columns leaves the fewest places empty.
        let columns = (1..=count).rev().max_by(|a, b| smaller(a).total_cmp(&smaller(b))).unwrap_or(1);
        let size = size(columns);
        let corner = |i: usize| canvas.min + vec2((i % columns) as f32, (i / columns) as f32) * size;
        (0..count).map(|i| Area::new(corner(i), size)).collect()
    }
}

/// The pane at a point of the screen, or the first one.
pub fn pane_at(panes: &[Area], point: impl Into<[f32; 2]>) -> usize {
    let point = Vec2::from(point.into());
    panes.iter().position(|pane| pane.contains(point)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Area, Arrangement};
    use glam::{Vec2, vec2};

    /// Two runs stand side by side; six fill the canvas in three columns, also where four would give panes as high.
    #[test]
    fn panes_fill_the_canvas() {
        let canvas = Area::new(Vec2::ZERO, vec2(932.0, 448.0));
        for (runs, columns) in [(2, 2), (6, 3)] {
            let panes = Arrangement::Panes.divide(canvas, runs);
            assert_eq!(panes.iter().filter(|pane| pane.min.y == 0.0).count(), columns, "{runs} runs");
            let area: f32 = panes.iter().map(|pane| pane.size().element_product()).sum();
            let whole = canvas.size().element_product();
            assert!((area - whole).abs() < 1.0, "{runs} runs cover {area} of {whole}");
        }
    }
}
