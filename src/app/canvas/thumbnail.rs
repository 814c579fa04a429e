//! A small picture of a world, for the list of scenes.

use super::{Picture, bodies, joints};
use crate::app::theme::Palette;
use crate::model::World;
use crate::workbench::stage::framing;
use crate::workbench::view_state::camera::Camera;
use egui_macroquad::egui::{Painter, Rect};
use glam::DVec2;

/// Above this number of them, joints are points too many in a small picture.
const MOST_JOINTS: usize = 150;

/// Draws `world` in `place`.
pub(crate) fn paint(painter: &Painter, place: Rect, world: &World, palette: &Palette) {
    let [low, high] = seen(world);
    let camera = Camera::fit(low, high, place);
    let painter = painter.with_clip_rect(place.intersect(painter.clip_rect()));
    let picture = Picture { painter: &painter, rect: place, camera: &camera, palette };
    bodies::paint(&picture, world, |index| palette.body(index));
    if world.joints().len() <= MOST_JOINTS {
        joints::paint(&picture, world, 1.0, framing::extent(world));
    }
}

/// Lowest and highest coordinates to show, m: what rests on ground with the ground, all else as close as it is.
fn seen(world: &World) -> [DVec2; 2] {
    let points = (0..world.bodies().len()).flat_map(|index| framing::points(world, index));
    let ends = points.fold(None, |ends: Option<[DVec2; 2]>, point| {
        let [low, high] = ends.unwrap_or([point, point]);
        Some([low.min(point), high.max(point)])
    });
    match ends {
        Some([low, high]) if !framing::has_ground(world) => {
            let margin = framing::margin(low, high);
            [low - margin, high + margin]
        }
        _ => framing::frame(world),
    }
}
