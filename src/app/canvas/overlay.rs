//! Text over the canvas: time, PAUSED, and whether the machine keeps up.

use super::super::commands::scheme_keys;
use super::super::format;
use super::super::model::Model;
use super::super::recorder::Recorder;
use super::super::theme::HEADING_FAMILY;
use super::Picture;
use crate::scene::Tool;
use egui_macroquad::egui::{Align2, Color32, CornerRadius, FontFamily, FontId, Rect, Vec2, pos2, vec2};

/// Distance of the text from the canvas's edges, points.
const INSET: f32 = 16.0;
/// Size of the invitation, points.
const INVITATION: f32 = 24.0;
/// Distance of the lines of text, and height of the strip with the scale bar at the bottom, points.
const LINE: f32 = 20.0;
const BAR: f32 = 44.0;
/// Height of the lines of text at the top, points.
pub(super) const TEXTS: f32 = INSET - 4.0 + 2.0 * LINE;
/// Width that is left free for the scale bar in the other corner, points.
const SCALE_BAR: f32 = 200.0;

/// A hint at the first things to try.
fn hint() -> String {
    format!("drag a body, or push beside it   ·   {} scheme   ·   Space pause   ·   F1 keys", scheme_keys())
}

/// With `headed` panes, each of which names its scheme, the line of the time does not.
pub(super) fn paint(picture: &Picture<'_>, model: &Model, headed: bool) {
    let Picture { painter, rect, palette, .. } = picture;
    let run = model.run();
    let scheme = if headed { "" } else { run.method().stabilizer.info().name };
    let (time, h) = (run.world().time(), format::duration(run.time_step()));
    let behind = match run.steps_behind() {
        0 => String::new(),
        steps => format!("     {} before the end", format::duration(steps as f64 * run.time_step())),
    };
    let mut lines = vec![(format!("t = {time:.3} s     h = {h}     {scheme}{behind}"), palette.weak)];
    if let Some(rate) = run.slow_rate(&model.player) {
        let rate = format!("this machine reaches {} × real time", format::significant(rate, 2));
        lines.push((rate, palette.bodies[2]));
    }
    // Panes have their headings at the top: there the lines stand in the strip below, right of the scale bar.
    // There is always room for both, so that the first one stays where it is.
    let height = 2.0 * LINE;
    let mut at = if headed {
        rect.left_bottom() + vec2(SCALE_BAR, -0.5 * (BAR + height))
    } else {
        rect.left_top() + vec2(INSET, INSET - 4.0)
    };
    let mut taken = SCALE_BAR;
    for (text, color) in lines {
        let line = painter.text(at, Align2::LEFT_TOP, text, FontId::proportional(13.0), color);
        if headed {
            taken = taken.max(line.right() - rect.left() + 2.0 * INSET);
        }
        at.y += LINE;
    }
    badges(picture, model);
    if let Some(text) = model.invitation() {
        let font = FontId::new(INVITATION, FontFamily::Name(HEADING_FAMILY.into()));
        let place = rect.center_bottom() - vec2(0.0, 0.16 * rect.height());
        painter.text(place, Align2::CENTER_CENTER, text, font, palette.text);
    }
    let corner = rect.right_bottom() - vec2(INSET, INSET);
    let font = FontId::proportional(12.0);
    let faint = palette.weak.gamma_multiply(0.8);
    let hint = painter.layout_no_wrap(hint(), font.clone(), faint);
    let fits = hint.size().x + INSET + taken <= rect.width();
    let place = Align2::RIGHT_BOTTOM.anchor_size(corner, if fits { hint.size() } else { Vec2::ZERO });
    if fits {
        painter.galley(place.min, hint, faint);
    }
    if model.view.magnification > 1.0 {
        let text = format!("gaps drawn ×{}", model.view.magnification);
        let above = place.right_top() - vec2(0.0, 4.0);
        painter.text(above, Align2::RIGHT_BOTTOM, text, font, palette.error);
    }
}

/// Badges from right to left: PAUSED, and the state of the pointer's recorder.
fn badges(picture: &Picture<'_>, model: &Model) {
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
    let paused = (!model.player.playing).then(|| ("PAUSED".to_owned(), palette.badge));
    let mut right = rect.right() - INSET;
    for (text, color) in [paused, recorder].into_iter().flatten() {
        right = badge(picture, right, text, color) - 8.0;
    }
}

/// One badge that ends at `right`; returns where it begins.
fn badge(picture: &Picture<'_>, right: f32, text: String, color: Color32) -> f32 {
    let Picture { painter, rect, .. } = picture;
    let font = FontId::new(12.0, FontFamily::Name(HEADING_FAMILY.into()));
    let text = painter.layout_no_wrap(text, font, Color32::WHITE);
    let size = text.size() + vec2(18.0, 8.0);
    let corner = pos2(right - size.x, rect.top() + INSET - 2.0);
    let badge = Rect::from_min_size(corner, size);
    painter.rect_filled(badge, CornerRadius::same(4), color);
    painter.galley(badge.center() - 0.5 * text.size(), text, Color32::WHITE);
    corner.x
}
