//! What is said beneath the stability map: the verdict on the present parameters, and what is linearised.

use super::super::format::significant;
use super::super::map::{Verdict, verdict};
use super::super::model::Model;
use super::{fixed, stability_map, weak};
use egui_macroquad::egui::{Label, RichText, Ui};

/// Height of the sentences, of two and three lines, points.
pub(super) const HEIGHT: f32 = 100.0;
/// Growth per step of ρ above 1 that counts: less is the rounding of a step that is differentiated, or slower than what is looked at.
const GROWING: f64 = 1e-3;

/// What is said about the map's point: the verdict, and what is linearised.
pub(super) fn show(ui: &mut Ui, model: &Model) {
    let (method, h) = (model.edited().method(), model.edited().time_step());
    let palette = model.view.palette();
    let standing = model.map().standing();
    let said = verdict(method, h, standing.and_then(|standing| standing.radius));
    let Verdict { text, alarming } = said.unwrap_or(Verdict { text: String::new(), alarming: false });
    let color = if alarming { palette.slide } else { palette.text };
    // A long verdict takes room from what is linearised, so that neither is cut.
    fixed::place(ui, HEIGHT, |ui| {
        ui.add(Label::new(RichText::new(text).size(13.0).color(color)).wrap());
        if stability_map::plane(model).is_ok() {
            scope(ui, model);
        }
    });
}

/// What is linearised, and how the present motion changes it.
fn scope(ui: &mut Ui, model: &Model) {
    let Some(standing) = model.map().standing() else { return };
    let palette = model.view.palette();
    let rows = |count: usize, what: &str| {
        let rows = if count == 1 { "row" } else { "rows" };
        (count > 0).then(|| format!("{count} {rows} of {what}"))
    };
    let parts = [
        rows(standing.joint_rows, "joints"),
        rows(standing.touching_rows, "contacts that touch, as equations"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let scope = if parts.is_empty() {
        "Nothing is constrained now: ρ of one constraint alone.".to_owned()
    } else {
        format!("ρ of {}, at rest and without load.", parts.join(" and "))
    };
    if let Some((text, grows)) =
        standing.radius.zip(standing.loaded).and_then(|(rest, now)| motion(rest, now))
    {
        let text = RichText::new(text).size(12.0);
        let text = if grows { text.strong().color(palette.slide) } else { text.color(palette.text) };
        ui.add(Label::new(text).wrap());
    }
    ui.add(Label::new(weak(scope, palette.weak)).wrap());
}

/// What the present motion and load make of the error, by ρ without and with both; and whether they let it grow. None where both say
/// the same.
fn motion(rest: f64, moving: f64) -> Option<(String, bool)> {
    let grows = |radius: f64| radius > 1.0 + GROWING;
    match (grows(rest), grows(moving)) {
        (false, true) => {
            let factor = significant(moving, 4);
            Some((
                format!("At rest this decays. In the present motion it grows {factor}-fold per step."),
                true,
            ))
        }
        (true, false) => {
            Some((format!("In the present motion it decays: ρ = {}.", significant(moving, 4)), false))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::motion;

    /// Growth in the present motion of what would decay at rest is a sentence with the factor per step; rounding of 1 is not growth.
    #[test]
    fn growth_in_motion_is_a_sentence() {
        let said = "At rest this decays. In the present motion it grows 98.7-fold per step.";
        assert_eq!(motion(0.588, 98.7), Some((said.to_owned(), true)));
        assert_eq!(motion(0.588, 1.0 + 1.5e-8), None);
        assert_eq!(motion(1.5, 2.0), None);
        assert_eq!(motion(1.5, 0.5), Some(("In the present motion it decays: ρ = 0.5.".to_owned(), false)));
    }
}
