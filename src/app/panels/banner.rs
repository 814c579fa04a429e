//! Messages over the canvas: a failed step, doubtful figures, and short messages that fade.

use super::layers::{CARD, frame, message, message_size};
use super::{body, card_placement, runs, tour};
use crate::app::screen::OnScreen;
use crate::app::theme::Coloured;
use crate::experiment::{Gain, Touching, name_of};
use crate::workbench::command::Command;
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use crate::workbench::runs::failure::Doubt;
use crate::workbench::runs::live_run::LiveRun;
use crate::workbench::runs::remedy;
use crate::workbench::runs::remedy::{Cure, Remedy};
use crate::workbench::stage::framing;
use crate::workbench::text::format;
use crate::workbench::text::prose::capitalised;
use crate::workbench::view_state::plot_view::concerned;

use egui_macroquad::egui::{self, Align2, Id, Pos2, RichText, ScrollArea, Ui, vec2};

/// Distance of a card from the canvas's side, from its top, where the badges are, and from its bottom, where the hint is, points.
const INSET: f32 = 14.0;
const TOP: f32 = 52.0;
const BOTTOM: f32 = 44.0;
/// Smallest and largest width of a card, points.
const NARROWEST: f32 = 200.0;
const WIDEST: f32 = 520.0;
/// Largest height of what a card says about a failure, points.
const TEXT_HEIGHT: f32 = 90.0;
/// Height that a card has in the lowest canvas, points.
const LOWEST: f32 = 50.0;
/// Name of the warning and largest width of its text, points.
const DOUBT: &str = "doubt";
const WARNING: f32 = 230.0;
/// Distance of a short message from the canvas's bottom, where the invitation is, points.
const TOAST: f32 = 150.0;
/// The button under the message about start velocities, and its distance from it, points.
const FIT: &str = "Make start velocities consistent";
const FIT_GAP: f32 = 6.0;
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
    let card = egui::Area::new(Id::new("failure")).order(CARD).pivot(pivot).fixed_pos(corner);
    card.show(ctx, |ui| {
        frame(palette, palette.error).show(ui, |ui| {
            ui.set_max_width(width);
            // Where the canvas is low, all of it scrolls.
            let room = (model.canvas().height() - BOTTOM - 2.0 * INSET).max(LOWEST);
            ScrollArea::vertical().id_salt("failure").max_height(room).show(ui, |ui| {
                ui.label(RichText::new(heading).strong().color(palette.error));
                // What was tried can take many lines; the remedies stay in sight.
                ScrollArea::vertical()
                    .max_height(TEXT_HEIGHT)
                    .show(ui, |ui| ui.label(capitalised(&failure.text)));
                ui.add_space(2.0);
                ui.horizontal_wrapped(|ui| remedies(ui, model, run, fork, intents));
                ui.label(RichText::new(failure.hint.as_ref()).color(palette.weak));
            });
        });
    });
}

/// Where a card does not cover the bodies: at the bottom, since chains hang in the upper half of the picture; at the
/// top where bodies rest on the ground in the lower half. And its largest width, points.
fn beside_the_bodies(model: &Model) -> (Align2, Pos2, f32) {
    let canvas = model.canvas();
    let (pivot, corner) = if framing::has_ground(model.run().world()) {
        (Align2::RIGHT_TOP, canvas.right_top() + vec2(-INSET, TOP))
    } else {
        (Align2::RIGHT_BOTTOM, canvas.right_bottom() - vec2(INSET, BOTTOM))
    };
    (pivot, corner, (canvas.width() - 4.0 * INSET).clamp(NARROWEST, WIDEST))
}

/// What can be done about it, as buttons. Restarting is offered only if no cure is known that changes the method: under the same
/// one, from the same start, it ended in this way.
fn remedies(ui: &mut Ui, model: &Model, run: &LiveRun, fork: Option<usize>, intents: &mut Intents) {
    let mut first = true;
    let mut offer = |ui: &mut Ui, text: String, hint: &str, remedy: Remedy| {
        let button = ui.button(text).on_hover_text(hint);
        // A tour speaks of the best one.
        if std::mem::take(&mut first) {
            tour::mark(ui.ctx(), model, ["remedy", ""], button.rect);
        }
        if button.clicked() {
            // A remedy is for the run that is edited.
            intents.extend(fork.is_none().then_some(Intent::Edit(None)));
            intents.push(Intent::Remedy(remedy));
        }
    };
    let failure = run.failure();
    let by_impulses = failure.filter(|failure| failure.by_forces).and(remedy::impulses(run.method()));
    let cure = failure.and_then(|failure| failure.cure.clone());
    let cured = by_impulses.is_some() || cure.is_some();
    if let Some((setting, scheme)) = by_impulses {
        let hint =
            "Poses contacts with impulses and velocities: that problem has a solution. Plays on from here.";
        offer(ui, format!("Use impulses: {scheme}"), hint, Remedy::Impulses(setting));
    } else if let Some(Cure { remedy, said }) = cure {
        let hint = "Goes back to before the last change, and plays on from there. It has been tried from there on, for a hundred steps or \
                    more.";
        offer(ui, format!("Go back and set {said}"), hint, remedy);
    }
    let of = fork.and_then(|place| model.comparison().forks().get(place)).map(|fork| fork.id);
    if let Some(before) = model.goes_back_to(of) {
        let hint = "Back to the state in which the last change was made; Ctrl+Shift+Z makes it again";
        offer(ui, format!("Undo: {before}"), hint, Remedy::Undo);
    }
    if let Some((_, speed)) = run.slow_motion() {
        let hint = format!("Goes back and plays the last steps at × {}", format::significant(speed, 2));
        offer(ui, "Watch it in slow motion".to_owned(), &hint, Remedy::SlowMotion);
    }
    if !cured && ui.button("Restart").clicked() {
        intents.extend([Intent::Command(Command::Restart), Intent::Play]);
    }
}

/// The warning that the figures of a step are doubtful although it succeeded; in the corner where it covers neither
/// bodies nor texts.
fn doubt(ctx: &egui::Context, model: &Model) {
    let run = model.run();
    let unstable =
        run.method().instability(run.time_step()).map(|found| Doubt::Unstable(found.largest_step()));
    let Some(doubt) = unstable.or_else(|| run.doubt()).filter(|_| run.failure().is_none()) else {
        return;
    };
    let palette = model.view.palette();
    let world = &run.scene.world;
    let gained = capitalised(Gain::explanation(run.method(), Touching::of(world, concerned(world)[2])));
    let (text, hint) = match doubt {
        Doubt::Unstable(limit) => (
            format!(
                "Unstable: joint errors grow at h = {}; stable up to {}",
                format::duration(run.time_step()),
                format::duration(limit)
            ),
            "By the closed form of the scheme with its present parameters, whatever the motion. A smaller time step or smaller parameters \
             are stable.",
        ),
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
            "Constraints contradict each other: correction damped".to_owned(),
            "The linearised correction would have made the errors larger; a damped least-squares step was taken instead.",
        ),
        Doubt::Unconverged(left) => (
            format!(
                "{} remain after correction ({}\u{a0}%). {} help.",
                if concerned(&model.run().scene.world)[0] { "Errors" } else { "Overlaps" },
                format::significant(100.0 * left, 2),
                if model.run().method().stabilizer.values.get("corrections").is_some() {
                    "More corrections k or a smaller step"
                } else {
                    "Smaller steps"
                }
            ),
            "The error was outside the region where Newton's method converges.",
        ),
        Doubt::Passed(bodies) => {
            let world = model.run().world();
            let [one, other] = bodies.map(|id| name_of(world, id));
            (
                format!("{one} and {other} passed through each other"),
                "In one step they moved farther than the thinner one is thick, and no contact was found between them. A smaller time \
                 step helps.",
            )
        }
        Doubt::Apart(apart) => (
            format!(
                "{} {} {}, {}\u{a0}% of the scene",
                match apart.quantity {
                    "contact" => "Bodies overlap by",
                    "limit" => "Joints are beyond their limits by",
                    _ => "Joints are apart by",
                },
                format::significant(apart.value, 2),
                apart.unit,
                format::significant(100.0 * apart.of_scene, 2)
            ),
            "More than a two-hundredth of the scene, or a twentieth of the smallest jointed body; an overlap of more than a tenth of the \
             smallest body that collides. A smaller time step, more sweeps or another scheme help.",
        ),
        Doubt::Gained(gain) => (
            format!("Energy from nothing: {} J", format::significant(gain.unexplained, 3)),
            gained.as_str(),
        ),
        Doubt::Pushed(pushed) => (
            format!("Corrections have added {} J", format::significant(pushed.added, 3)),
            "Steps too coarse leave errors whose correction pushes bodies apart. A smaller time step or another scheme may help.",
        ),
        Doubt::Unresolved(phase) => (
            format!(
                "The time step does not resolve the fastest motion: hω = {}",
                format::significant(phase, 2)
            ),
            "A body under tension oscillates by more than 1 rad of its phase in one step. A smaller time step helps.",
        ),
    };
    let id = Id::new(DOUBT);
    let frame = frame(palette, palette.slide);
    let size = message_size(ctx, &text, &frame, WARNING);
    let card = ctx.memory(|memory| memory.area_rect(Id::new(body::AREA)));
    let card = card.filter(|_| model.selected_body().is_some());
    let (pivot, at) = card_placement::clear(ctx, model, id, size, card);
    let text = (text.as_str(), palette.slide);
    message(ctx, DOUBT, (model.canvas(), pivot, at), frame, text, WARNING).on_hover_text(hint);
}

fn toast(ctx: &egui::Context, model: &Model, intents: &mut Intents) {
    let Some(toast) = &model.news.toast else { return };
    let palette = model.view.palette();
    let at = model.canvas().center_bottom() - vec2(0.0, TOAST);
    let opacity = (toast.left / FADE).min(1.0);
    let frame = frame(palette, palette.axis).multiply_with_opacity(opacity);
    let text = (toast.text.as_str(), palette.text.gamma_multiply(opacity));
    let said = message(
        ctx,
        "toast",
        (model.canvas(), Align2::CENTER_TOP, at),
        frame,
        text,
        model.canvas().width(),
    );
    if toast.fits {
        let below = said.rect.center_bottom() + vec2(0.0, FIT_GAP);
        let area = egui::Area::new(Id::new(FIT)).order(CARD).pivot(Align2::CENTER_TOP).fixed_pos(below);
        if area.show(ctx, |ui| ui.button(FIT).on_hover_text(FIT_HINT).clicked()).inner {
            intents.push(Intent::MakeConsistent);
        }
    }
    ctx.request_repaint();
}
