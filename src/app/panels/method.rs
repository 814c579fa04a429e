//! The method beside the scheme: time step, level, integrator and solver.

use super::super::format;
use super::super::intent::{Intent, Intents};
use super::super::model::Model;
use super::super::simulation::{Setting, TIME_STEP_RANGE};
use super::parameters::{self, Numbers, Scale, VALUE_WIDTH, control, row};
use super::section;
use crate::lcp;
use crate::stabilizer::{Integrator, Level};
use egui_macroquad::egui::{self, Ui};

/// Height of the list of solvers, points: all of them without scrolling.
const SOLVERS_HEIGHT: f32 = 320.0;

pub(super) fn show(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    section(ui, "Time step and solver", true, |ui| {
        let (method, present) = (model.run().method(), model.run().time_step());
        let mut set = |setting| intents.push(Intent::Set(setting));
        let mut time_step = present;
        let h = Numbers {
            range: TIME_STEP_RANGE,
            scale: Scale::Logarithmic,
            width: VALUE_WIDTH,
            write: Box::new(format::duration),
            read: Box::new(format::seconds),
        };
        let hint = "Length of a step, s. A change acts on the next step.";
        row(ui, "time step h", hint, |ui| control(ui, h, &mut time_step, hint));
        if time_step != present {
            set(Setting::TimeStep(time_step));
        }
        let levels = method.stabilizer.info().levels;
        row(ui, "level", "Whether the constraint is posed on velocities or on accelerations.", |ui| {
            for level in Level::ALL {
                let here = method.level == level;
                let button = egui::SelectableLabel::new(here, level.key());
                if ui.add_enabled(levels.contains(&level), button).clicked() {
                    set(Setting::Level(level));
                }
            }
        });
        if method.level == Level::Acceleration {
            row(ui, "integrator", "How accelerations are integrated over a step.", |ui| {
                for integrator in Integrator::ALL {
                    let here = method.integrator == integrator;
                    if ui
                        .selectable_label(here, short_name(integrator))
                        .on_hover_text(integrator.key())
                        .clicked()
                    {
                        set(Setting::Integrator(integrator));
                    }
                }
            });
        }
        row(ui, "solver", "Solver of the step's algebraic problem.", |ui| {
            let present = method.solver.info();
            let combo = egui::ComboBox::from_id_salt("solver").height(SOLVERS_HEIGHT);
            combo.selected_text(present.name).show_ui(ui, |ui| {
                for solver in lcp::solvers() {
                    let info = solver.info();
                    let label = ui.selectable_label(info.key == present.key, info.name);
                    let hint = format!("{}\n{}", info.summary, info.source);
                    if label.on_hover_text(hint).clicked() {
                        set(Setting::Solver(solver));
                    }
                }
            });
        });
        let mut solver = method.solver.clone();
        if parameters::sliders(ui, &mut solver.values) {
            set(Setting::Solver(solver));
        }
    });
}

fn short_name(integrator: Integrator) -> &'static str {
    match integrator {
        Integrator::SemiImplicitEuler => "semi-implicit",
        Integrator::ExplicitEuler => "explicit",
        Integrator::Rk4 => "RK4",
    }
}
