//! An exercise in the bar above the canvas: the chapter's exercises side by side, what is to be reached, the figures of the
//! present run, the hint, and the certificate.

use super::weak;
use crate::app::theme::Coloured;
use crate::numbers::significant;
use crate::workbench::exercise::Exercise;
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::library::tours::Tour;
use crate::workbench::model::{Model, Progress, Standing, Trying};
use crate::workbench::text::prose::prose;
use egui_macroquad::egui::{Button, Color32, Context, FontId, Label, RichText, TextEdit, Ui, vec2};

/// Size of the text, points.
const TEXT: f32 = 13.0;
/// Height of the row of exercises, and of that of the certificate, points.
const ROW: f32 = 22.0;
/// Width of the field for the name, points.
const NAME: f32 = 190.0;
/// Signs before what is reached and what is not.
const DONE: &str = "✔ ";
const MISSED: &str = "✘ ";

/// Height of the tallest of a tour's exercises in a room of that width, so that nothing jumps between them.
pub(super) fn height(ctx: &Context, tour: &Tour, room: f32) -> f32 {
    let font = FontId::proportional(TEXT);
    let gap = ctx.style().spacing.item_spacing.y;
    let height = |text: String| {
        gap + ctx.fonts(|fonts| fonts.layout(text, font.clone(), Color32::WHITE, room).size().y)
    };
    let whole = |own: &Exercise| {
        // The longest line of figures is that of one that is missed.
        let figures = format!("{MISSED}{}", wanted(own)) + &" 0.000·10⁻⁰⁰ m".repeat(own.judged.len());
        let last = height(hint(own)).max(gap + ROW);
        height(prose(&own.text)) + height(rules(own)) + height(figures) + last
    };
    ROW + tour.exercises.iter().map(whole).fold(0.0, f32::max)
}

/// What may be changed, and what is judged.
fn rules(own: &Exercise) -> String {
    let seconds = significant(own.duration, 3);
    format!("Free: {}. Judged after {seconds} s of a run from the start: {}.", own.free(), wanted(own))
}

fn wanted(own: &Exercise) -> String {
    let each = own.judged.iter().map(|own| format!("{} {}", own.quantity.words(), own.wanted()));
    each.collect::<Vec<_>>().join(", ")
}

fn hint(own: &Exercise) -> String {
    format!("Hint: {}", prose(&own.hint))
}

/// How often it was tried, in words.
fn tried(standing: &Standing) -> String {
    match (standing.is_passed(), standing.tries) {
        (true, 1) => "passed at the first try".to_owned(),
        (true, tries) => format!("passed; {tries} tries"),
        (false, 0) => "not tried yet".to_owned(),
        (false, 1) => "tried once".to_owned(),
        (false, tries) => format!("tried {tries} times"),
    }
}

pub(super) fn show(ui: &mut Ui, model: &Model, tour: &Tour, progress: Progress, intents: &mut Intents) {
    let Some(own) = tour.exercise_at(progress.step) else { return };
    let palette = model.view.palette();
    let standing = model.exercises.standing(&own.key);
    ui.horizontal(|ui| {
        for (index, other) in tour.exercises.iter().enumerate() {
            let passed = model.exercises.standing(&other.key).is_passed();
            let name = format!("{}Exercise {}", if passed { DONE } else { "" }, index + 1);
            let step = tour.steps.len() + index;
            if ui.selectable_label(step == progress.step, name).clicked() {
                intents.push(Intent::Tour { tour: progress.tour, step });
            }
        }
        ui.label(weak(tried(standing), palette.weak));
    });
    ui.label(RichText::new(prose(&own.text)).size(TEXT).strong());
    ui.label(RichText::new(rules(own)).size(TEXT).color(palette.weak));
    let (text, color) = match model.trying(own) {
        Trying::Waits => ("→ Set what is free, then play: press Space.".to_owned(), palette.accent),
        Trying::Touched => {
            let text = "The run was touched or changed on the way: restart with R, then play.";
            (text.to_owned(), palette.accent)
        }
        Trying::Refused(why) => (format!("{MISSED}Not judged: {why}."), palette.error),
        Trying::Figures(figures) => (reached(own, &figures), palette.text),
        Trying::Judged => match standing.verdict.as_ref() {
            Some(verdict) => match &verdict.missed {
                None => (format!("{DONE}{}", reached(own, &verdict.figures)), palette.stick),
                Some(why) => (format!("{MISSED}{why}"), palette.error),
            },
            None => (String::new(), palette.text),
        },
    };
    ui.label(RichText::new(text).size(TEXT).color(color));
    if standing.is_passed() {
        certificate(ui, model, intents);
    } else if standing.needs_hint() {
        ui.label(RichText::new(hint(own)).size(TEXT));
    }
}

/// The figures that are reached.
fn reached(own: &Exercise, figures: &[Option<f64>]) -> String {
    let each = own.judged.iter().zip(figures).map(|(own, figure)| {
        let value = figure.map_or_else(|| "at the end".to_owned(), |figure| own.quantity.value(figure));
        format!("{}: {value}", own.quantity.words())
    });
    each.collect::<Vec<_>>().join(" · ")
}

/// The name, and the button that copies the certificate.
fn certificate(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    ui.horizontal(|ui| {
        let mut name = model.exercises.name.clone();
        let field = TextEdit::singleline(&mut name).hint_text("Your name").desired_width(NAME);
        if ui.add(field).changed() {
            intents.push(Intent::SignAs(name));
        }
        let copy = Button::new("Copy certificate").min_size(vec2(0.0, ROW));
        let copied = ui.add_enabled(model.certificate().is_some(), copy);
        if copied.on_hover_text("A link that contains the run: driftlab mark computes it anew").clicked() {
            intents.push(Intent::CopyCertificate);
        }
        if model.certificate().is_none() {
            ui.add(Label::new(weak("in whose name?", model.view.palette().weak)));
        }
    });
}
