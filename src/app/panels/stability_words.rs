//! What is said beneath the stability map: the verdict on the present parameters, and what is linearised.

use super::{fixed, stability_map, weak};
use crate::app::theme::Coloured;
use crate::workbench::map::{Verdict, verdict};
use crate::workbench::model::Model;
use crate::workbench::text::format::significant;
use egui_macroquad::egui::{Label, RichText, Ui};

/// Height of the sentences, of two and three lines, and of the verdict alone, points.
pub(super) const HEIGHT: f32 = 100.0;
const VERDICT_HEIGHT: f32 = 56.0;

/// What is said about the map's point: the verdict, and what is linearised where the map is in sight above it.
pub(super) fn show(ui: &mut Ui, with_scope: bool, model: &Model) {
    let (method, h) = (model.edited().method(), model.edited().time_step());
    let palette = model.view.palette();
    let standing = model.map().standing();
    let said = verdict(method, h, standing.and_then(|standing| standing.loaded.or(standing.radius)));
    let Verdict { text, alarming } = said.unwrap_or(Verdict { text: String::new(), alarming: false });
    let color = if alarming { palette.slide } else { palette.text };
    // A long verdict takes room from what is linearised, so that neither is cut.
    fixed::place(ui, if with_scope { HEIGHT } else { VERDICT_HEIGHT }, |ui| {
        ui.add(Label::new(RichText::new(text).size(13.0).color(color)).wrap());
        if with_scope {
            linearised(ui, model);
        }
    });
}

/// What is linearised in the map.
pub(super) fn linearised(ui: &mut Ui, model: &Model) {
    if stability_map::plane(model).is_ok() {
        ui.add(Label::new(weak(scope(model), model.view.palette().weak)).wrap());
    }
}

/// What is linearised, and ρ at the point with load and motion and without.
fn scope(model: &Model) -> String {
    let Some(standing) = model.map().standing() else { return String::new() };
    let rows = |count: usize, what: &str| {
        let rows = if count == 1 { "row" } else { "rows" };
        (count > 0).then(|| format!("{count} {rows} of {what}"))
    };
    let parts = [
        rows(standing.joint_rows, "joints"),
        rows(standing.touching_rows, "contacts that touch, as equations"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        return "Nothing is constrained now: ρ of one constraint alone.".to_owned();
    }
    let (parts, radius) = (parts.join(" and "), |radius: f64| significant(radius, 4));
    match (standing.loaded, standing.radius) {
        (Some(loaded), Some(rest)) => {
            format!(
                "ρ of {parts} in the present motion: {}; at rest and without load: {}.",
                radius(loaded),
                radius(rest)
            )
        }
        (Some(_), None) => format!("ρ of {parts} in the present motion."),
        _ => format!("ρ of {parts}, at rest and without load."),
    }
}
