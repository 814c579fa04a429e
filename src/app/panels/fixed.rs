//! Places of fixed size, so that no control moves under the pointer when a text, an equation or the number of parameters
//! changes.

use super::tour;
use egui_macroquad::egui::{Color32, FontId, Rect, ScrollArea, Sense, Ui, UiBuilder, vec2};

/// A place as wide as the panel and `height` points high, whatever is shown in it.
pub(super) fn place<R>(ui: &mut Ui, height: f32, add: impl FnOnce(&mut Ui) -> R) -> R {
    let size = vec2(ui.available_width(), height);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    inside(ui, rect, add)
}

/// A column that fills the rest of the place and scrolls where it is higher. It is as wide with the bar as without it.
/// It scrolls by itself to the control that a tour has begun to point at.
pub(super) fn column(ui: &mut Ui, id: &str, add: impl FnOnce(&mut Ui)) {
    let scroll = ui.spacing().scroll;
    let width =
        ui.available_width() - (scroll.bar_inner_margin + scroll.bar_width + scroll.bar_outer_margin);
    let (place, before) = (ui.available_rect_before_wrap(), tour::pointed_at(ui.ctx()));
    ScrollArea::vertical().id_salt(id).auto_shrink([false, false]).show(ui, |ui| {
        // Contents that are wider do not widen the panel.
        let room = Rect::from_min_size(ui.cursor().min, vec2(width, f32::INFINITY));
        let mut child = ui.new_child(UiBuilder::new().max_rect(room));
        add(&mut child);
        tour::reveal(ui, place, before);
        ui.allocate_space(vec2(width, child.min_rect().height()));
    });
}

/// Height of the highest of `texts`, points, wrapped at `width`.
pub(super) fn tallest<'a>(
    ui: &Ui,
    texts: impl IntoIterator<Item = &'a str>,
    font: &FontId,
    width: f32,
) -> f32 {
    let height = |text: &str| {
        let text = text.to_owned();
        ui.fonts(|fonts| fonts.layout(text, font.clone(), Color32::WHITE, width).size().y)
    };
    texts.into_iter().map(height).fold(0.0, f32::max)
}

/// Contents that may not leave `rect`.
pub(super) fn inside<R>(ui: &mut Ui, rect: Rect, add: impl FnOnce(&mut Ui) -> R) -> R {
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect));
    child.shrink_clip_rect(rect.expand(1.0));
    add(&mut child)
}
