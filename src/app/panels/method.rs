//! What else decides a step: its length, level, integrator and solver.

use super::super::format;
use super::super::model::Model;
use super::super::simulation::TIME_STEP_RANGE;
use super::parameters::{self, Numbers, Scale, VALUE_WIDTH, control, row};
use super::section;
use crate::lcp::{self, Solver};
use crate::stabilizer::{Integrator, Level};
use egui_macroquad::egui::{self, Ui};

/// Height of the list of solvers, points: all of them without scrolling.
const SOLVERS_HEIGHT: f32 = 320.0;

pub(super) fn show(ui: &mut Ui, model: &mut Model) {
    section(ui, "Time step and solver", true, |ui| {
        let simulation = &mut model.simulation;
        let h = Numbers {
            range: TIME_STEP_RANGE,
            scale: Scale::Logarithmic,
            width: VALUE_WIDTH,
            write: Box::new(format::duration),
            read: Box::new(format::seconds),
        };
        let hint = "Length of a step, s. A change acts on the next step.";
        row(ui, "time step h", hint, |ui| control(ui, h, &mut simulation.time_step, hint));
        let levels = simulation.method.stabilizer.info().levels;
        row(ui, "level", "Whether the constraint is posed on velocities or on accelerations.", |ui| {
            for level in Level::ALL {
                let here = simulation.method.level == level;
                let button = egui::SelectableLabel::new(here, level.key());
                if ui.add_enabled(levels.contains(&level), button).clicked() {
                    simulation.set_level(level);
                }
            }
        });
        if simulation.method.level == Level::Acceleration {
            row(ui, "integrator", "How accelerations become motion.", |ui| {
                for integrator in Integrator::ALL {
                    let here = simulation.method.integrator == integrator;
                    if ui
                        .selectable_label(here, short_name(integrator))
                        .on_hover_text(integrator.key())
                        .clicked()
                    {
                        simulation.set_integrator(integrator);
                    }
                }
            });
        }
        row(ui, "solver", "Who solves the step's algebraic problem.", |ui| {
            let present = simulation.method.solver.info();
            let combo = egui::ComboBox::from_id_salt("solver").height(SOLVERS_HEIGHT);
            combo.selected_text(present.name).show_ui(ui, |ui| {
                for info in lcp::TABLE {
                    let label = ui.selectable_label(info.key == present.key, info.name);
                    let hint = format!("{}\n{}", info.summary, info.source);
                    if label.on_hover_text(hint).clicked() {
                        simulation.set_solver(Solver::from(*info));
                    }
                }
            });
        });
        parameters::sliders(ui, &mut simulation.method.solver.values);
    });
}

fn short_name(integrator: Integrator) -> &'static str {
    match integrator {
        Integrator::SemiImplicitEuler => "semi-implicit",
        Integrator::ExplicitEuler => "explicit",
        Integrator::Rk4 => "RK4",
    }
}
