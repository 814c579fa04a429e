//! What needs to be said over the canvas: why the run stopped, and short messages that fade.

use super::super::commands::Command;
use super::super::format;
use super::super::model::Model;
use super::super::simulation::Doubt;
use super::super::theme::Palette;
use egui_macroquad::egui::{self, Align2, Color32, Id, Label, Order, RichText, TextWrapMode, vec2};

/// Real seconds over which a message fades at its end.
const FADE: f32 = 0.6;

pub(super) fn show(ctx: &egui::Context, model: &mut Model) {
    failure(ctx, model);
    doubt(ctx, model);
    toast(ctx, model);
}

fn failure(ctx: &egui::Context, model: &mut Model) {
    let Some(text) = model.simulation.failure().map(str::to_owned) else { return };
    let palette = model.view.palette();
    let top = model.canvas.center_top() + vec2(0.0, 64.0);
    let width = (model.canvas.width() - 80.0).clamp(200.0, 560.0);
    above(ctx, "failure", top, palette, palette.error, 1.0, |ui| {
        ui.set_max_width(width);
        ui.label(RichText::new("The step was not made").strong().color(palette.error));
        ui.label(text);
        ui.horizontal(|ui| {
            if ui.button("Restart").clicked() {
                model.apply(Command::Restart);
                model.simulation.playing = true;
            }
            ui.label(RichText::new(model.simulation.hint()).color(palette.weak));
        });
    });
}

/// No error, but an answer other than the one that was asked for, or one not to be trusted.
fn doubt(ctx: &egui::Context, model: &Model) {
    let Some(doubt) = model.simulation.doubt().filter(|_| model.simulation.failure().is_none()) else {
        return;
    };
    let palette = model.view.palette();
    let top = model.canvas.center_top() + vec2(0.0, 60.0);
    let (text, hint) = match doubt {
        Doubt::Infeasible => (
            "No exact solution exists: least violation shown".to_owned(),
            "The problem of a step had none, and the solver has proved it. The group of bodies was met with the least violation of \
             its rows.",
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
            "It was outside the region where Newton's method converges. A smaller time step or more corrections per step help.",
        ),
        Doubt::Unresolved(phase) => (
            format!(
                "The time step does not resolve the fastest motion: hω = {}",
                format::significant(phase, 2)
            ),
            "A link under tension would turn by more than 1 rad of its oscillation in one step. A smaller time step helps.",
        ),
    };
    above(ctx, "doubt", top, palette, palette.slide.gamma_multiply(0.7), 1.0, |ui| {
        let text = RichText::new(text).color(palette.slide);
        ui.add(Label::new(text).wrap_mode(TextWrapMode::Extend)).on_hover_text(hint);
    });
}

fn toast(ctx: &egui::Context, model: &mut Model) {
    let Some(toast) = &mut model.toast else { return };
    toast.left -= ctx.input(|i| i.stable_dt);
    let (text, left) = (toast.text.clone(), toast.left);
    if left <= 0.0 {
        model.toast = None;
        return;
    }
    let palette = model.view.palette();
    let bottom = model.canvas.center_bottom() - vec2(0.0, 100.0);
    above(ctx, "toast", bottom, palette, palette.axis, (left / FADE).min(1.0), |ui| {
        ui.label(text);
    });
    ctx.request_repaint();
}

fn above(
    ctx: &egui::Context,
    id: &str,
    at: egui::Pos2,
    palette: &Palette,
    edge: Color32,
    opacity: f32,
    add: impl FnOnce(&mut egui::Ui),
) {
    egui::Area::new(Id::new(id)).order(Order::Foreground).pivot(Align2::CENTER_TOP).fixed_pos(at).show(
        ctx,
        |ui| {
            ui.set_opacity(opacity);
            egui::Frame::NONE
                .fill(palette.panel)
                .stroke(egui::Stroke::new(1.0, edge))
                .corner_radius(6.0)
                .inner_margin(12.0)
                .show(ui, add);
        },
    );
}
