//! What a frame draws: its texts with their places, colours and grounds, in the order in which they are painted.

use driftlab::app::model::Model;
use egui_kittest::Harness;
use egui_macroquad::egui::{Color32, Pos2, Rect, Shape, epaint::TextShape};

/// A text of the frame that nothing covers.
pub(super) struct Text {
    pub(super) text: String,
    /// The part of its letters that is seen.
    pub(super) rect: Rect,
    /// All of its letters, also those that are clipped.
    pub(super) whole: Rect,
    /// The colours of its letters.
    pub(super) colors: Vec<Color32>,
    /// What is filled behind its middle.
    pub(super) ground: Color32,
    /// The opaque boxes that are painted before it and hold it: windows, cards and panels.
    boxes: Vec<Rect>,
}

/// A shape of the frame and the part of the screen that shows it.
struct Painted {
    clip: Rect,
    shape: Shape,
}

/// The texts of the last frame that nothing covers, in the order in which they are painted.
pub(super) fn texts(harness: &Harness<'_, Model>) -> Vec<Text> {
    let mut all = Vec::new();
    for clipped in &harness.output().shapes {
        flatten(clipped.clip_rect, &clipped.shape, &mut all);
    }
    let background = harness.state().view.palette().background;
    let texts = all.iter().enumerate().filter_map(|(at, painted)| match &painted.shape {
        Shape::Text(text) => drawn(text, painted.clip, at, &all, background),
        _ => None,
    });
    texts.collect()
}

/// The straight lines of the last frame, by their ends.
pub(super) fn lines(harness: &Harness<'_, Model>) -> Vec<[Pos2; 2]> {
    let mut all = Vec::new();
    for clipped in &harness.output().shapes {
        flatten(clipped.clip_rect, &clipped.shape, &mut all);
    }
    let line = |painted: &Painted| match &painted.shape {
        Shape::LineSegment { points, .. } => Some(*points),
        _ => None,
    };
    all.iter().filter_map(line).collect()
}

/// The shapes of the last frame that begin in a part of the screen, in the order in which they are painted.
pub(super) fn within(harness: &Harness<'_, Model>, part: Rect) -> Vec<Shape> {
    let mut all = Vec::new();
    for clipped in &harness.output().shapes {
        flatten(clipped.clip_rect, &clipped.shape, &mut all);
    }
    let begins =
        |painted: &Painted| part.contains(painted.shape.visual_bounding_rect().intersect(painted.clip).min);
    all.into_iter().filter(begins).map(|painted| painted.shape).collect()
}

fn flatten(clip: Rect, shape: &Shape, all: &mut Vec<Painted>) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| flatten(clip, shape, all)),
        Shape::Noop => {}
        shape => all.push(Painted { clip, shape: shape.clone() }),
    }
}

fn drawn(text: &TextShape, clip: Rect, at: usize, all: &[Painted], background: Color32) -> Option<Text> {
    let whole = letters(text);
    let rect = whole.intersect(clip);
    let middle = rect.center();
    let over = |painted: &Painted| match &painted.shape {
        Shape::Rect(filled) if filled.rect.intersect(painted.clip).contains(middle) => filled.fill,
        _ => Color32::TRANSPARENT,
    };
    let covered = all[at + 1..].iter().any(|painted| over(painted).a() == 255);
    if covered || !rect.is_positive() || text.galley.text().trim().is_empty() || text.opacity_factor == 0.0
    {
        return None;
    }
    let ground = all[..at].iter().map(over).fold(background, blend);
    let opaque = |painted: &&Painted| over(painted).a() == 255;
    let place = |painted: &Painted| painted.shape.visual_bounding_rect().intersect(painted.clip);
    let boxes = all[..at].iter().filter(opaque).map(place).collect();
    let vertices = text.galley.rows.iter().flat_map(|row| &row.visuals.mesh.vertices);
    let mut colors: Vec<Color32> = Vec::new();
    // The soft edges of underlines are transparent.
    for vertex in vertices.filter(|vertex| vertex.color.a() > 0 || vertex.color == Color32::PLACEHOLDER) {
        let own = if vertex.color == Color32::PLACEHOLDER { text.fallback_color } else { vertex.color };
        let color = text.override_text_color.unwrap_or(own).gamma_multiply(text.opacity_factor);
        if !colors.contains(&color) {
            colors.push(color);
        }
    }
    Some(Text { text: text.galley.text().to_owned(), rect, whole, colors, ground, boxes })
}

/// The box about a text's letters: turned texts are turned by a quarter.
fn letters(text: &TextShape) -> Rect {
    let bounds = text.galley.mesh_bounds;
    if text.angle == 0.0 {
        return bounds.translate(text.pos.to_vec2());
    }
    let turn = egui_macroquad::egui::emath::Rot2::from_angle(text.angle);
    let corners = [bounds.left_top(), bounds.right_top(), bounds.left_bottom(), bounds.right_bottom()];
    Rect::from_points(&corners.map(|corner| text.pos + turn * corner.to_vec2()))
}

/// `over` on an opaque ground; colours of egui are multiplied by their opacity.
pub(super) fn blend(ground: Color32, over: Color32) -> Color32 {
    let left = 1.0 - f32::from(over.a()) / 255.0;
    let channel =
        |below: u8, above: u8| (f32::from(above) + left * f32::from(below)).round().min(255.0) as u8;
    Color32::from_rgb(
        channel(ground.r(), over.r()),
        channel(ground.g(), over.g()),
        channel(ground.b(), over.b()),
    )
}

/// Part of a text's box that letters need not fill, points.
const SLACK: f32 = 1.5;

/// What is wrong with the places of texts: cut at a side, beyond the window, or over each other.
pub(super) fn misplaced(harness: &Harness<'_, Model>) -> Vec<String> {
    let screen = harness.ctx.screen_rect();
    let texts = texts(harness);
    let mut wrong = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let cut =
            text.whole.left() < text.rect.left() - SLACK || text.whole.right() > text.rect.right() + SLACK;
        if cut {
            wrong.push(format!("'{}' is cut: {:?} of {:?}", text.text, text.rect, text.whole));
        }
        if !screen.expand(SLACK).contains_rect(text.rect) {
            wrong.push(format!("'{}' leaves the window: {:?}", text.text, text.rect));
        }
        for other in &texts[..at] {
            let common = text.rect.intersect(other.rect);
            // A card lies over what it covers; its own texts do not count as lying on it.
            let new = &text.boxes[other.boxes.len().min(text.boxes.len())..];
            if new.iter().any(|card| card.contains_rect(common)) {
                continue;
            }
            if common.width() > SLACK && common.height() > SLACK {
                wrong.push(format!("'{}' and '{}' overlap in {common:?}", other.text, text.text));
            }
        }
    }
    wrong
}
