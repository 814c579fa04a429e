//! What lies over what: dialogs over cards over short messages over the labels of the canvas.
//!
//! Labels and short messages are painted into the canvas, the messages last. Cards are areas of the middle order and
//! dialogs of the foreground, under nothing but the lists and hints that are opened in them. Within an order the area
//! that was opened or pressed last lies on top.
//! The file dialog is in the middle order, where it raises itself in every frame over all cards.

use super::super::theme::Palette;
use egui_macroquad::egui::{
    self, Align2, Color32, Context, FontId, Galley, Id, LayerId, Order, Pos2, Rect, Response, Sense,
    Stroke, Ui, UiBuilder, Vec2, WidgetInfo, WidgetType,
};
use std::sync::Arc;

/// The order of cards.
pub(super) const CARD: Order = Order::Middle;
/// The order of dialogs.
pub(super) const DIALOG: Order = Order::Foreground;

/// Margin of cards and short messages, points.
const MARGIN: i8 = 12;
/// Size of the text of a short message, points.
const TEXT: f32 = 14.0;

/// In this frame the area of that id lies over all cards.
pub(super) fn raise(ctx: &Context, id: Id) {
    ctx.move_to_top(LayerId::new(CARD, id));
}

/// The frame of cards and short messages, with an edge of that colour.
pub(super) fn frame(palette: &Palette, edge: Color32) -> egui::Frame {
    egui::Frame::NONE
        .fill(palette.panel)
        .stroke(Stroke::new(1.0, edge))
        .corner_radius(6.0)
        .inner_margin(MARGIN)
}

/// The size of a short message with its frame, in lines no wider than `width`.
pub(super) fn message_size(ctx: &Context, text: &str, frame: &egui::Frame, width: f32) -> Vec2 {
    laid_out(ctx, text, Color32::PLACEHOLDER, width).size() + frame.total_margin().sum()
}

fn laid_out(ctx: &Context, text: &str, color: Color32, width: f32) -> Arc<Galley> {
    ctx.fonts(|fonts| fonts.layout(text.to_owned(), FontId::proportional(TEXT), color, width))
}

/// A short message within the canvas, of which that corner lies at a point, in lines no wider than `width`; the mouse does not
/// reach the bodies through it.
pub(super) fn message(
    ctx: &Context,
    id: &str,
    (canvas, pivot, at): (Rect, Align2, Pos2),
    frame: egui::Frame,
    (text, color): (&str, Color32),
    width: f32,
) -> Response {
    let ui = Ui::new(
        ctx.clone(),
        Id::new(id),
        UiBuilder::new().layer_id(LayerId::background()).max_rect(canvas),
    );
    let text = laid_out(ctx, text, color, width);
    let place = pivot.anchor_size(at, text.size() + frame.total_margin().sum());
    let response = ui.interact(place, Id::new((id, "message")), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, text.text()));
    let painter = ui.painter_at(canvas);
    let content = place - frame.total_margin();
    painter.add(frame.paint(content));
    painter.galley(content.min, text, color);
    response
}
