//! Messages over the canvas: a failed step, doubtful figures, and short messages that fade.

use super::super::commands::Command;
use super::super::intent::{Intent, Intents};
use super::super::model::Model;
use super::super::plot_view::concerned;
use super::super::prose::capitalised;
use super::super::remedy::{self, Remedy};
use super::super::simulation::Simulation;
use super::super::theme::Palette;
use super::super::trouble::Doubt;
use super::super::{format, framing};
use super::runs;
use crate::experiment::Gain;

use egui_macroquad::egui::{
    self, Align2, Color32, Id, Label, Order, Pos2, RichText, ScrollArea, TextWrapMode, Ui, vec2,
};

/// Distance of a card from the canvas's side, from its top, where the badges are, and from its bottom, where the hint is, points.
const INSET: f32 = 14.0;
const TOP: f32 = 52.0;
const BOTTOM: f32 = 44.0;
/// Smallest and largest width of a card, points.
const NARROWEST: f32 = 200.0;
const WIDEST: f32 = 520.0;
/// Largest height of what a card says about a failure, points.
const TEXT_HEIGHT: f32 = 90.0;
/// Distance of a short message from the canvas's bottom, where the invitation is, points.
const TOAST: f32 = 150.0;
/// The button beside the message about start velocities.
const FIT: &str = "Make start velocities consistent";
const FIT_HINT: &str = "Begins again with the smallest change of the velocities, weighed by mass, after which they fit all joints and velocity \
                        constraints";
/// Real seconds over which a message fades at its end.
const FADE: f32 = 0.6;

pub(super) fn show(ctx: &egui::Context, model: &Model, intents: &mut Intents) {
    failure(ctx, model, intents);
    doubt(ctx, model);
    toast(ctx, model, intents);
}

fn failure(ctx: &egui::Context, model: &Model, intents: &mut Intents) {
    // The main run's failure stops all; that of a fork is shown while its method is edited.
    let (run, fork) = match model.run().failure() {
        Some(_) => (model.run(), None),
        None => (model.edited(), runs::edited(model)),
    };
    let Some(failure) = run.failure() else { return };
    let compares = !model.comparison().forks().is_empty();
    let heading = if compares {
        format!("{}: {}", runs::name(fork), failure.heading)
    } else {
        failure.heading.to_owned()
    };
    let palette = model.view.palette();
    let (pivot, corner, width) = beside_the_bodies(model);
    above(ctx, "failure", (pivot, corner), palette, palette.error, 1.0, |ui| {
        ui.set_max_width(width);
        ui.label(RichText::new(heading).strong().color(palette.error));
        // What was tried can take many lines; the remedies stay in sight.
        ScrollArea::vertical().max_height(TEXT_HEIGHT).show(ui, |ui| ui.label(capitalised(&failure.text)));
        ui.add_space(2.0);
        ui.horizontal_wrapped(|ui| remedies(ui, run, fork, intents));
        ui.label(RichText::new(failure.hint.as_ref()).color(palette.weak));
    });
}

/// Where a card does not cover the bodies: at the bottom, since chains hang in the upper half of the picture; at the top where bodies
/// rest on the ground in the lower half. And its largest width, points.
fn beside_the_bodies(model: &Model) -> (Align2, Pos2, f32) {
    let canvas = model.canvas;
    let (pivot, corner) = if framing::has_ground(model.run().world()) {
        (Align2::RIGHT_TOP, canvas.right_top() + vec2(-INSET, TOP))
    } else {
        (Align2::RIGHT_BOTTOM, canvas.right_bottom() - vec2(INSET, BOTTOM))
    };
    (pivot, corner, (canvas.width() - 4.0 * INSET).clamp(NARROWEST, WIDEST))
}

/// What can be done about it, as buttons. Restarting is offered only if no cure is known that changes the method: under the same
/// one, from the same start, it ended in this way.
fn remedies(ui: &mut Ui, run: &Simulation, fork: Option<usize>, intents: &mut Intents) {
    let mut offer = |ui: &mut Ui, text: String, hint: &str, remedy: Remedy| {
        if ui.button(text).on_hover_text(hint).clicked() {
            // A remedy is for the run that is edited.
            intents.extend(fork.is_none().then_some(Intent::Edit(None)));
            intents.push(Intent::Remedy(remedy));
        }
    };
    let mut cured = true;
    if let Some((stabilizer, said)) = remedy::stable(run.method(), run.time_step()) {
        let hint = "Half of the largest value at which the linearised error does not grow. Goes back to before the last change, \
                    and plays on from there.";
        offer(ui, format!("Go back and set {said}"), hint, Remedy::Limit(stabilizer));
    } else if let Some(h) = remedy::resolving(run.report().fastest_rate, run.time_step()) {
        let hint = "A time step that resolves the fastest motion of the state that is shown. Goes back to before the last change, \
                    and plays on from there.";
        offer(ui, format!("Go back and set h = {}", format::duration(h)), hint, Remedy::Step(h));
    } else {
        cured = false;
    }
    if let Some(before) = run.undo_label() {
        let hint = "Back to the state in which the last change was made";
        offer(ui, format!("Undo: back to {before}"), hint, Remedy::Undo);
    }
    if let Some((_, speed)) = run.slow_motion() {
        let hint = format!("Goes back and plays the last steps at × {}", format::significant(speed, 2));
        offer(ui, "Watch it in slow motion".to_owned(), &hint, Remedy::SlowMotion);
    }
    if !cured && ui.button("Restart").clicked() {
        intents.extend([Intent::Command(Command::Restart), Intent::Play]);
    }
}

/// The warning that the figures of a step are doubtful although it succeeded; where it does not cover the bodies, as far as that
/// is known ([`beside_the_bodies`]).
fn doubt(ctx: &egui::Context, model: &Model) {
    let Some(doubt) = model.run().doubt().filter(|_| model.run().failure().is_none()) else {
        return;
    };
    let palette = model.view.palette();
    let place = if framing::has_ground(model.run().world()) {
        (Align2::CENTER_TOP, model.canvas.center_top() + vec2(0.0, TOP))
    } else {
        (Align2::LEFT_BOTTOM, model.canvas.left_bottom() + vec2(INSET, -BOTTOM))
    };
    let gained =
        capitalised(&Gain::explanation(model.run().method(), concerned(&model.run().scene.world)[2]));
    let (text, hint) = match doubt {
        Doubt::Infeasible => (
            "No exact solution exists: least violation shown".to_owned(),
            "The solver proved that the constraints of a group of bodies contradict each other. They were satisfied with the least \
             violation.",
        ),
        Doubt::Unproved => (
            "No solution found: least violation shown".to_owned(),
            "No attempt found a solution of this step, and none proved that there is none. The constraints yielded as little as they \
             could. A smaller time step or another scheme may help.",
        ),
        Doubt::Nearly(left) => (
            format!("Nearly solved: {} of the speed is left", format::significant(left, 2)),
            "More than a billionth of the problem's largest speed is left in a constraint. Rounding leaves that where masses differ by \
             factors of thousands and more.",
        ),
        Doubt::Damped => (
            "Joints and contacts contradict each other: correction damped".to_owned(),
            "The linearised correction would have made the errors larger; a damped least-squares step was taken instead.",
        ),
        Doubt::Unconverged(left) => (
            format!(
                "The correction did not converge: {} % of the error is left",
                format::significant(100.0 * left, 3)
            ),
            "The error was outside the region where Newton's method converges. A smaller time step or more corrections per step help.",
        ),
        Doubt::Gained(gain) => (
            format!("Energy from nothing: {} J", format::significant(gain.unexplained, 3)),
            gained.as_str(),
        ),
        Doubt::Unresolved(phase) => (
            format!(
                "The time step does not resolve the fastest motion: hω = {}",
                format::significant(phase, 2)
            ),
            "A body under tension oscillates by more than 1 rad of its phase in one step. A smaller time step helps.",
        ),
    };
    above(ctx, "doubt", place, palette, palette.slide.gamma_multiply(0.7), 1.0, |ui| {
        let text = RichText::new(text).color(palette.slide);
        ui.add(Label::new(text).wrap_mode(TextWrapMode::Extend)).on_hover_text(hint);
    });
}

fn toast(ctx: &egui::Context, model: &Model, intents: &mut Intents) {
    let Some(toast) = &model.toast else { return };
    let palette = model.view.palette();
    let bottom = model.canvas.center_bottom() - vec2(0.0, TOAST);
    above(
        ctx,
        "toast",
        (Align2::CENTER_TOP, bottom),
        palette,
        palette.axis,
        (toast.left / FADE).min(1.0),
        |ui| {
            ui.label(&toast.text);
            if toast.fits && ui.button(FIT).on_hover_text(FIT_HINT).clicked() {
                intents.push(Intent::MakeConsistent);
            }
        },
    );
    ctx.request_repaint();
}

fn above(
    ctx: &egui::Context,
    id: &str,
    (pivot, at): (Align2, Pos2),
    palette: &Palette,
    edge: Color32,
    opacity: f32,
    add: impl FnOnce(&mut egui::Ui),
) {
    egui::Area::new(Id::new(id)).order(Order::Foreground).pivot(pivot).fixed_pos(at).show(ctx, |ui| {
        ui.set_opacity(opacity);
        egui::Frame::NONE
            .fill(palette.panel)
            .stroke(egui::Stroke::new(1.0, edge))
            .corner_radius(6.0)
            .inner_margin(12.0)
            .show(ui, add);
    });
}
