//! Text over the canvas: time, PAUSED, and whether the machine keeps up.

use super::super::theme::HEADING_FAMILY;
use super::Picture;
use crate::app::keys::scheme_keys;
use crate::app::text::elided::elided;
use crate::app::theme::Coloured;
use crate::scene::Tool;
use crate::workbench::model::Model;
use crate::workbench::runs::recorder::Recorder;
use crate::workbench::text::format;
use egui_macroquad::egui::{Align2, Color32, CornerRadius, FontFamily, FontId, Rect, pos2, vec2};

/// Distance of the text from the canvas's edges, points.
const INSET: f32 = 16.0;
/// Distance from the edges at which no arrow to a body out of view lies, points.
const ARROWS: f32 = 34.0;
/// Size of the invitation, points, and the share of the canvas's height that lies below its middle.
const INVITATION: f32 = 24.0;
const LOW: f32 = 0.16;
/// Distance of the lines of text, and height of the strip with the scale bar at the bottom, points.
pub(super) const LINE: f32 = 20.0;
const BAR: f32 = 44.0;
/// Height of the lines of text at the top, points.
pub(super) const TEXTS: f32 = INSET - 4.0 + 2.0 * LINE;
/// Width that is left free for the scale bar in the other corner, points.
const SCALE_BAR: f32 = 200.0;

/// A hint at the first things to try.
fn hint() -> String {
    format!("drag a body, or push beside it   ·   {} scheme   ·   Space pause   ·   F1 keys", scheme_keys())
}

/// What the mouse does while building.
fn building(model: &Model) -> String {
    match model.build.placing() {
        Some(tool) => {
            format!(
                "{}: {}   ·   as many as you like, then Esc   ·   Alt: no snapping",
                tool.name,
                tool.drawn.hint()
            )
        }
        None => "click or frame: select, Shift adds   ·   drag: move   ·   Ctrl+Z undo   ·   Space play"
            .to_owned(),
    }
}

/// The texts over the canvas; returns their places. With `headed` panes, each of which names its scheme, the line of
/// the time does not.
pub(super) fn paint(picture: &Picture<'_>, model: &Model, headed: bool) -> Vec<Rect> {
    let Picture { painter, rect, palette, .. } = picture;
    let mut taken = badges(picture, model);
    // Panes have their headings at the top: there the lines stand in the strip below, right of the scale bar.
    // There is always room for both, so that the first one stays where it is.
    let mut at = if headed {
        rect.left_bottom() + vec2(SCALE_BAR, -0.5 * (BAR + 2.0 * LINE))
    } else {
        rect.left_top() + vec2(INSET, INSET - 4.0)
    };
    let end = taken.iter().filter(|badge| badge.y_range().contains(at.y + 0.5 * LINE));
    let end = end.fold(rect.right(), |end, badge| end.min(badge.left())) - INSET;
    for (text, color) in lines(model, headed) {
        let line = elided(painter, text, FontId::proportional(13.0), color, end - at.x);
        let place = Rect::from_min_size(at, line.size());
        picture.behind(place);
        taken.push(place);
        painter.galley(at, line, color);
        at.y += LINE;
    }
    if let Some(text) = model.invitation() {
        let font = FontId::new(INVITATION, FontFamily::Name(HEADING_FAMILY.into()));
        let text = painter.layout(text, font, palette.text, rect.width() - 2.0 * INSET);
        let above_the_strip = (LOW * rect.height()).max(BAR + 0.5 * text.size().y);
        let middle = rect.center_bottom() - vec2(0.0, above_the_strip);
        let place = Align2::CENTER_CENTER.anchor_size(middle, text.size());
        painter.galley(place.min, text, palette.text);
        taken.push(place);
    }
    taken.push(Rect::from_min_max(
        rect.left_bottom() - vec2(0.0, BAR),
        rect.left_bottom() + vec2(SCALE_BAR, 0.0),
    ));
    taken
}

/// The lines about the run: its time, and how slow it is if the machine cannot keep up.
fn lines(model: &Model, headed: bool) -> Vec<(String, Color32)> {
    let (run, palette) = (model.run(), model.view.palette());
    let scheme = if headed { "" } else { run.method().stabilizer.info().name };
    let (time, h) = (run.world().time(), format::duration(run.time_step()));
    let behind = match run.steps_behind() {
        0 => String::new(),
        steps => format!("     {} before the end", format::duration(steps as f64 * run.time_step())),
    };
    let mut lines = vec![(format!("t = {time:.3} s     h = {h}     {scheme}{behind}"), palette.weak)];
    if let Some(rate) = run.slow_rate(&model.runs.player) {
        let rate = format!("Slow motion {}×: this computer cannot keep up", format::significant(rate, 2));
        lines.push((rate, palette.slide));
    }
    lines
}

/// In the right lower corner, where that touches nothing that is `taken`: how many bodies are `lost` from view, or what
/// can be tried first; above it, how much larger gaps are drawn.
pub(super) fn corner(picture: &Picture<'_>, model: &Model, lost: usize, taken: &mut Vec<Rect>) {
    let Picture { painter, rect, palette, .. } = picture;
    let font = FontId::proportional(12.0);
    let inset = if lost == 0 { INSET } else { ARROWS };
    let mut low = rect.right_bottom() - vec2(inset, inset);
    let text = match lost {
        _ if model.layout.pictured => String::new(),
        0 if model.layout.embedded || model.layout.presenting => {
            "drag a body, or push beside it".to_owned()
        }
        0 if model.build.is_on() => building(model),
        0 => hint(),
        1 => "1 body out of view: press F to see it".to_owned(),
        _ => format!("{lost} bodies out of view: press F to see them"),
    };
    let mut texts = vec![(text, palette.weak)];
    texts.retain(|(text, _)| !text.is_empty());
    if model.view.magnification > 1.0 {
        texts.push((format!("gaps drawn ×{}", model.view.magnification), palette.error));
    }
    for (text, color) in texts {
        let text = painter.layout_no_wrap(text, font.clone(), color);
        let place = Align2::RIGHT_BOTTOM.anchor_size(low, text.size());
        if rect.contains_rect(place) && !taken.iter().any(|other| other.intersects(place)) {
            low.y = place.top() - 4.0;
            picture.behind(place);
            taken.push(place);
            painter.galley(place.min, text, color);
        }
    }
}

/// Badges from right to left: PAUSED, and the state of the pointer's recorder; returns their places.
fn badges(picture: &Picture<'_>, model: &Model) -> Vec<Rect> {
    let run = model.run();
    let Picture { rect, palette, .. } = picture;
    let elapsed = run.world().time() - run.scene.world.time();
    let recorder = match run.recorder() {
        Recorder::Live => None,
        Recorder::Recording(take) => {
            let tool = take.tool().map_or("", |tool| match tool {
                Tool::Repel => "  push",
                Tool::Grab => "  pull",
            });
            Some((format!("REC  {elapsed:.2} s{tool}"), palette.badge))
        }
        Recorder::Replay(interaction) => {
            let whole = interaction.samples.last().map_or(0.0, |last| last.time - run.scene.world.time());
            let text = if elapsed < whole {
                format!("REPLAY  {elapsed:.2} of {whole:.2} s")
            } else {
                "REPLAY OVER".to_owned()
            };
            Some((text, palette.selected))
        }
    };
    let paused = (!model.runs.player.playing).then(|| ("PAUSED".to_owned(), palette.badge));
    let mut right = rect.right() - INSET;
    let mut places = Vec::new();
    for (text, color) in [paused, recorder].into_iter().flatten() {
        let place = badge(picture, right, text, color);
        right = place.left() - 8.0;
        places.push(place);
    }
    places
}

/// One badge that ends at `right`; returns its place.
fn badge(picture: &Picture<'_>, right: f32, text: String, color: Color32) -> Rect {
    let Picture { painter, rect, .. } = picture;
    let font = FontId::new(12.0, FontFamily::Name(HEADING_FAMILY.into()));
    let text = painter.layout_no_wrap(text, font, Color32::WHITE);
    let size = text.size() + vec2(18.0, 8.0);
    let corner = pos2(right - size.x, rect.top() + INSET - 2.0);
    let badge = Rect::from_min_size(corner, size);
    painter.rect_filled(badge, CornerRadius::same(4), color);
    painter.galley(badge.center() - 0.5 * text.size(), text, Color32::WHITE);
    badge
}
