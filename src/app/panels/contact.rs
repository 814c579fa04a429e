//! The rules of contact: which contacts are in the problem of a step, and how they rebound.

use super::parameters::{Numbers, Scale, VALUE_WIDTH, control, row};
use super::section;
use crate::method::{ContactRules, Restitution, smallest_shape};
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use crate::workbench::runs::live_run::Setting;
use crate::workbench::text::format;
use egui_macroquad::egui::{RichText, Ui};

/// Smallest and largest distance that the panel offers, m.
const DISTANCES: [f64; 2] = [1e-9, 10.0];
/// Smallest and largest threshold that the panel offers, m/s.
const SPEEDS: [f64; 2] = [1e-6, 100.0];
/// Most steps of travel that the panel offers.
const TRAVEL: f64 = 10.0;

const ACTIVE: &str = "Active distance ε̂, m: schemes whose contact row carries the gap (Anitescu & Hart, implicit, …) \
                      include every contact with φ ≤ ε̂ in the problem and let it approach at up to φ/h \
                      [Anitescu & Hart 2004]. Automatic: a hundredth of the smallest shape.";
const TOLERANCE: &str = "Contact tolerance, m: schemes whose contact row has no gap term include the contacts with φ ≤ \
                         this value; a large value would stop bodies above the ground. Automatic: a ten-thousandth of \
                         the smallest shape.";
const ACTIVE_TRAVEL: &str = "Active travel, steps: pairs that could meet within this many steps at their present speeds \
                             are included in the problem, too. At 1 nothing tunnels. At 0 only ε̂ counts.";
const LAW: &str = "Law of restitution at impacts, with the coefficient e of the pair.";
const UNKNOWN_LAW: &str = "This scheme supports Newton restitution only.";
const THRESHOLD: &str = "Restitution threshold, m/s: slower impacts do not rebound, so that a resting body does not bounce \
                         under its own weight. Automatic: of each pair twice the speed at which it is pressed together in a step, \
                         2 |g| h on level ground, 0 where gravity only acts along the contact.";

pub(super) fn show(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    section(ui, "Contact rules", |ui| {
        let run = model.edited();
        let (world, h) = (run.world(), run.time_step());
        let scheme = run.method().stabilizer.scheme();
        let mut rules = run.method().contact;
        let usual = ContactRules::default();
        let usual = [
            usual.active_distance_of(smallest_shape(world)),
            usual.contact_tolerance_of(smallest_shape(world)),
            usual.restitution_threshold_in(world, h),
        ];
        let ContactRules {
            active_distance,
            contact_tolerance,
            active_travel,
            restitution,
            restitution_threshold,
        } = &mut rules;
        optional(ui, "distance ε̂", ACTIVE, active_distance, usual[0], distances);
        optional(ui, "tolerance", TOLERANCE, contact_tolerance, usual[1], distances);
        row(ui, "travel", ACTIVE_TRAVEL, |ui| {
            let steps = Numbers {
                range: [0.0, TRAVEL],
                scale: Scale::Linear,
                width: VALUE_WIDTH,
                write: Box::new(|x| format!("{} steps", format::significant(x, 3))),
                read: Box::new(|text| text.trim_end_matches("steps").trim().parse().ok()),
            };
            control(ui, steps, active_travel, ACTIVE_TRAVEL)
        });
        row(ui, "restitution", LAW, |ui| {
            for law in Restitution::ALL {
                let (name, meaning) = words(law);
                ui.add_enabled_ui(scheme.obeys(law), |ui| {
                    let button = ui.selectable_value(restitution, law, name).on_hover_text(meaning);
                    button.on_disabled_hover_text(UNKNOWN_LAW);
                });
            }
        });
        optional(ui, "threshold", THRESHOLD, restitution_threshold, usual[2], speeds);
        if rules != run.method().contact {
            intents.push(Intent::Set(Setting::Contact(rules)));
        }
    });
}

/// A number with an automatic value (`usual`) that follows from the world until it is set.
fn optional(
    ui: &mut Ui,
    name: &str,
    hint: &str,
    value: &mut Option<f64>,
    usual: f64,
    numbers: fn() -> Numbers<'static>,
) {
    row(ui, name, hint, |ui| {
        let mut automatic = value.is_none();
        let label = RichText::new("auto").size(12.0);
        if ui
            .checkbox(&mut automatic, label)
            .on_hover_text("Follows from the sizes in the scene.")
            .changed()
        {
            *value = if automatic { None } else { Some(usual) };
        }
        let numbers = numbers();
        match value {
            Some(value) => drop(control(ui, numbers, value, hint)),
            None => drop(ui.label((numbers.write)(usual))),
        }
    });
}

fn distances() -> Numbers<'static> {
    Numbers {
        range: DISTANCES,
        scale: Scale::Logarithmic,
        width: VALUE_WIDTH,
        write: Box::new(format::length),
        read: Box::new(format::metres),
    }
}

fn speeds() -> Numbers<'static> {
    Numbers {
        range: SPEEDS,
        scale: Scale::Logarithmic,
        width: VALUE_WIDTH,
        write: Box::new(|x| format!("{} m/s", format::significant(x, 3))),
        read: Box::new(|text| text.trim().trim_end_matches("m/s").trim().parse().ok()),
    }
}

fn words(law: Restitution) -> (&'static str, &'static str) {
    match law {
        Restitution::Newton => (
            "Newton",
            "Newton's law: the normal velocity after the impact is at least −e times that before.",
        ),
        Restitution::AnitescuPotra => (
            "Poisson",
            "Poisson's law in two phases: compression, then decompression with e times its normal impulse \
             [Anitescu & Potra 1997].",
        ),
    }
}
