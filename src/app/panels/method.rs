//! The method beside the scheme: time step, level, integrator and solver.

use super::parameters::{self, Numbers, Scale, VALUE_WIDTH, control, row};
use super::{fixed, runs, section, tour, weak};
use crate::app::theme::Coloured;
use crate::lcp;
use crate::method::{Effort, Integrator, Level};
use crate::schemes::SolverNote;
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use crate::workbench::runs::live_run::{Setting, TIME_STEP_RANGE};
use crate::workbench::text::format;
use crate::workbench::text::prose::prose;
use crate::workbench::view_state::side_tab::SideTab;
use egui_macroquad::egui::{self, FontId, RichText, SelectableLabel, Ui};

/// Height of the list of solvers, points: all of them without scrolling.
const SOLVERS_HEIGHT: f32 = 320.0;
/// Height of a slider with its distance, points.
const SLIDER_HEIGHT: f32 = 27.0;
/// Height of a note about the solver, points.
const NOTE_HEIGHT: f32 = 18.0;
/// What the choice of the effort means, and why there is none.
const EFFORT: &str =
    "How much work the solver 'auto' may put into a group of bodies with more than 100 rows.";
const TO_EXACT: &str = "The work of a step is bounded, so that the motion does not hitch. A click lets the solver take as long as exact \
                        solutions take; ⚙ has the choice.";
const OWN_EFFORT: &str =
    "Only the effort of the solver 'auto' can be bounded; this method's ends by itself.";
/// Size of the solver's description, points.
const TEXT: f32 = 12.5;

/// The time step, and how the scheme's problem is posed and solved.
pub(super) fn time_step(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    step_slider(ui, model, intents);
    let told = approximate(model);
    let color = if told.is_some() { model.view.palette().slide } else { model.view.palette().weak };
    let text = RichText::new(told.clone().map_or_else(|| posed(model), |[short, _]| short))
        .size(12.0)
        .color(color);
    let link = ui.add(egui::Label::new(text).truncate().sense(egui::Sense::click()));
    let hint = told.as_ref().map_or_else(
        || "How a step is posed and solved is chosen under ⚙.".to_owned(),
        |[_, whole]| format!("{whole}\n{TO_EXACT}"),
    );
    if link.on_hover_text(hint).clicked() {
        intents.push(match told {
            Some(_) => Intent::Set(Setting::Effort(Effort::Exact)),
            None => Intent::Side(SideTab::Workings),
        });
    }
}

/// The time step of the edited run.
pub(super) fn step_slider(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let present = model.edited().time_step();
    let mut time_step = present;
    let h = Numbers {
        range: TIME_STEP_RANGE,
        scale: Scale::Logarithmic,
        width: VALUE_WIDTH,
        write: Box::new(format::duration),
        read: Box::new(move |text| time_step_of(text, present)),
    };
    let hint = "Length of a step, s. A change acts on the next step.";
    let top = ui.cursor().top();
    row(ui, "time step h", hint, |ui| control(ui, h, &mut time_step, hint));
    tour::mark_in(ui, model, ["time step", ""], ui.min_rect().with_min_y(top));
    if time_step != present {
        intents.push(Intent::Set(Setting::TimeStep(time_step)));
    }
}

/// Whether the effort of every step is bounded.
fn effort(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let method = model.edited().method();
    let applies = method.can_be_bounded();
    row(ui, "effort", EFFORT, |ui| {
        ui.spacing_mut().button_padding.x = 5.0;
        for effort in Effort::ALL {
            let button = SelectableLabel::new(applies && method.effort == effort, effort.key());
            let button = ui.add_enabled(applies, button).on_hover_text(effort_hint(effort));
            if button.on_disabled_hover_text(OWN_EFFORT).clicked() && method.effort != effort {
                intents.push(Intent::Set(Setting::Effort(effort)));
            }
        }
    });
}

/// How many of the last steps are approximate, and by how much, if any are: in words that the narrowest panel has room
/// for, and whole.
fn approximate(model: &Model) -> Option<[String; 2]> {
    let run = model.edited();
    let [share, residual] = run.history().approximate().filter(|_| run.method().is_bounded())?;
    let [percent, residual] = [100.0 * share, residual].map(|x| format::significant(x, 2));
    let short = format!("approximate in {percent}\u{a0}% of steps, by {residual}");
    let whole = format!(
        "In {percent}\u{a0}% of the last steps the solution is approximate: at worst {residual} of the problem's largest speed is left in a row."
    );
    Some([short, whole])
}

/// Reads a time step, s: with a unit, as a rate in Hz, as a fraction of a second, or as a plain number in the unit in which the
/// `present` one is written.
fn time_step_of(text: &str, present: f64) -> Option<f64> {
    let positive = |text: &str| text.trim().parse::<f64>().ok().filter(|x| *x > 0.0);
    let hertz = text.trim().strip_suffix("Hz");
    if let Some((over, under)) = hertz.map(|rate| ("1", rate)).or(text.split_once('/')) {
        let under = under.trim();
        return Some(positive(over)? / positive(under.strip_suffix('s').unwrap_or(under))?);
    }
    let written = format::duration(present);
    let unit = written.split_whitespace().last().unwrap_or_default();
    match positive(text) {
        Some(_) => format::seconds(&format!("{} {unit}", text.trim())),
        None => format::seconds(text),
    }
}

/// Level, integrator and solver in a few words.
fn posed(model: &Model) -> String {
    let method = model.edited().method();
    let solver = if method.stabilizer.scheme().uses_solver {
        format!("solver {}", method.solver.info().name)
    } else {
        "solver of its own".to_owned()
    };
    match method.level {
        Level::Velocity => format!("on velocities · {solver}"),
        Level::Acceleration => format!("on accelerations, {} · {solver}", short_name(method.integrator)),
    }
}

pub(super) fn show(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    runs::show(ui, "Level and integrator", model, intents);
    posing(ui, model, intents);
    ui.add_space(8.0);
    section(ui, "Solver", |ui| solver(ui, model, intents));
}

fn posing(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let method = model.edited().method();
    let levels = method.stabilizer.info().levels;
    row(ui, "level", "Whether the constraint is posed on velocities or on accelerations.", |ui| {
        for level in Level::ALL {
            let button = SelectableLabel::new(method.level == level, level.key());
            let button = ui.add_enabled(levels.contains(&level), button).on_hover_text(level_hint(level));
            let missing = "The scheme does not exist on this level.";
            if button.on_disabled_hover_text(missing).clicked() {
                intents.push(Intent::Set(Setting::Level(level)));
            }
        }
    });
    // Disabled on the velocity level instead of hidden, so that what stands below keeps its place.
    let applies = method.level == Level::Acceleration;
    row(ui, "integrator", "How accelerations are integrated over a step.", |ui| {
        ui.spacing_mut().button_padding.x = 5.0;
        ui.spacing_mut().item_spacing.x = 4.0;
        for integrator in Integrator::ALL {
            let here = applies && method.integrator == integrator;
            let button = SelectableLabel::new(here, short_name(integrator));
            let button = ui.add_enabled(applies, button).on_hover_text(integrator_hint(integrator));
            let missing = "On velocities a step is semi-implicit: v⁺ first, then q⁺ = q + h v⁺.";
            if button.on_disabled_hover_text(missing).clicked() {
                intents.push(Intent::Set(Setting::Integrator(integrator)));
            }
        }
    });
}

fn solver(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let present = &model.edited().method().solver;
    let info = present.info();
    row(ui, "solver", "Solver of the step's algebraic problem.", |ui| {
        let combo =
            egui::ComboBox::from_id_salt("solver").height(SOLVERS_HEIGHT).width(ui.available_width());
        let combo = combo.selected_text(info.name).show_ui(ui, |ui| {
            for solver in lcp::solvers() {
                let other = solver.info();
                let label = ui.selectable_label(other.key == info.key, other.name);
                let hint = format!("{}\n{}", prose(other.summary), other.source);
                if label.on_hover_text(hint).clicked() {
                    intents.push(Intent::Set(Setting::Solver(solver)));
                }
            }
        });
        combo.response.on_hover_text(format!("{}\n{}", prose(info.summary), info.source));
    });
    let all: Vec<_> = lcp::solvers().map(|solver| solver.info()).collect();
    let (font, width) = (FontId::proportional(TEXT), ui.available_width());
    let texts: Vec<_> = all.iter().map(|info| prose(info.summary)).collect();
    let height = fixed::tallest(ui, texts.iter().map(String::as_str), &font, width);
    fixed::place(ui, height, |ui| ui.label(RichText::new(prose(info.summary)).font(font)));
    let color = model.view.palette().weak;
    let height = fixed::tallest(ui, all.iter().map(|info| info.source), &FontId::proportional(12.0), width);
    fixed::place(ui, height, |ui| ui.label(weak(info.source, color)));
    note(ui, model);
    effort(ui, model, intents);
    let most = all.iter().map(|info| info.parameters.len()).max().unwrap_or(0);
    let mut solver = present.clone();
    fixed::place(ui, most as f32 * SLIDER_HEIGHT, |ui| {
        if parameters::sliders(ui, &mut solver.values) {
            intents.push(Intent::Set(Setting::Solver(solver)));
        }
    });
}

/// Why the solver is not used, or may come upon a step that it does not take; its place stays where there is nothing to say.
fn note(ui: &mut Ui, model: &Model) {
    let run = model.edited();
    let note = run.method().solver_note(run.world()).map(|note| match note {
        SolverNote::Unused { .. } => ("Not used: the scheme brings its own solver.", note.to_string()),
        SolverNote::EquationsAlone { .. } => {
            ("Fails where bodies touch or a limit is reached.", note.to_string())
        }
        _ => ("Fails where a contact slides.", note.to_string()),
    });
    let color = model.view.palette().slide;
    fixed::place(ui, NOTE_HEIGHT, |ui| {
        if let Some((text, hint)) = note {
            ui.label(RichText::new(text).size(TEXT).color(color)).on_hover_text(hint);
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

fn integrator_hint(integrator: Integrator) -> &'static str {
    match integrator {
        Integrator::SemiImplicitEuler => "Semi-implicit Euler: v⁺ = v + h a, then q⁺ = q + h v⁺.",
        Integrator::ExplicitEuler => "Explicit Euler: v⁺ = v + h a, q⁺ = q + h v.",
        Integrator::Rk4 => "The classical Runge–Kutta method of order four: four solves a step.",
    }
}

fn level_hint(level: Level) -> &'static str {
    match level {
        Level::Velocity => "Velocities and impulses: the constraint is ġ = 0, with its correction.",
        Level::Acceleration => {
            "Accelerations and forces: the constraint is g̈ = 0, with its correction, under an integrator."
        }
    }
}

fn effort_hint(effort: Effort) -> &'static str {
    match effort {
        Effort::Exact => "Every step is solved to 10⁻⁹ of the speed, however long that takes.",
        Effort::Bounded => {
            "The work of a step has a bound where bodies are loose, so that the motion never hitches. Steps that are not solved within it are \
             approximate; they are counted here and marked in the plot of errors. Where joints hold bodies among contacts, steps are exact."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::time_step_of;

    /// A plain number has the unit that is shown; rates and fractions of a second are read as well.
    #[test]
    fn time_steps_are_read_as_people_write_them() {
        for (text, seconds) in [
            ("5", 5e-3),
            ("5 ms", 5e-3),
            ("200 µs", 2e-4),
            ("0.05 s", 0.05),
            ("1/60", 1.0 / 60.0),
            ("1/240 s", 1.0 / 240.0),
            ("60 Hz", 1.0 / 60.0),
        ] {
            let read = time_step_of(text, 0.0167).expect(text);
            assert!((read - seconds).abs() < 1e-15, "{text}: {read}");
        }
        for text in ["-3", "0 Hz", "1/0", "abc", ""] {
            assert_eq!(time_step_of(text, 0.0167).filter(|h| *h > 0.0), None, "{text}");
        }
    }
}
