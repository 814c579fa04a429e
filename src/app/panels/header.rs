//! The bar above the canvas: the list of scenes, the scene's name and source, and beneath them what to look at in it or the
//! present step of a tour. Nothing of it lies over bodies.

use super::super::theme::HEADING_FAMILY;
use super::{fixed, heading, is_narrow, tour, weak};
use crate::app::keys::tooltip;
use crate::app::theme::Coloured;
use crate::workbench::command::Command;
use crate::workbench::editor::{Act, Mode};
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::library::shelf::Browsing;
use crate::workbench::model::Model;
use crate::workbench::text::prose::prose;
use egui_macroquad::egui::{
    self, Align, FontFamily, FontId, Label, Layout, Margin, Rect, RichText, Ui, vec2,
};

/// Height of the first row, points.
const ROW_HEIGHT: f32 = 26.0;
/// Size of the text about the scene, points.
const TEXT: f32 = 12.5;
/// Least width in which the scene's source is begun, points: less has no room for a letter and the sign that it is cut.
const LEAST_SOURCE: f32 = 24.0;
/// Least width of the bar in which each file action has a button of its own, points.
const LEAST_FOR_BUTTONS: f32 = 430.0;
/// Margin of the bar, points.
const MARGIN: [i8; 2] = [10, 6];

pub(super) fn show(ctx: &egui::Context, model: &Model, intents: &mut Intents) {
    let [x, y] = MARGIN;
    let width = ctx.available_rect().width() - 2.0 * f32::from(x);
    let text = about(model);
    let highest = texts(model).iter().map(|text| text_height(ctx, text, width)).fold(0.0, f32::max);
    // In a narrow window the panel under the picture needs the room of the text about the scene.
    let about = !(is_narrow(ctx) && model.layout.panel_open);
    let below = match tour::present(model) {
        Some(step) => tour::height(ctx, &step, width),
        None if about => highest,
        None => 0.0,
    };
    let frame = egui::Frame::side_top_panel(&ctx.style()).inner_margin(Margin::symmetric(x, y));
    egui::TopBottomPanel::top("header")
        .resizable(false)
        .frame(frame)
        .exact_height(2.0 * f32::from(y) + ROW_HEIGHT + ctx.style().spacing.item_spacing.y + below)
        .show(ctx, |ui| {
            first_row(ui, model, intents);
            fixed::place(ui, below, |ui| match tour::present(model) {
                Some(step) => tour::show(ui, model, &step, intents),
                None if about => drop(ui.label(RichText::new(text).size(TEXT))),
                None => {}
            });
        });
}

/// What to look at in the scene under its own scheme with its own parameters; under another one, what it is.
pub(super) fn about(model: &Model) -> String {
    let run = model.run();
    let its_own = run.method().stabilizer == run.opened_with;
    let [observe, description] = texts(model);
    if its_own && !observe.is_empty() || description.is_empty() { observe } else { description }
}

/// What to look at in the scene, and what it is; empty where it does not say. The bar has room for either, so that the canvas
/// stays where it is.
fn texts(model: &Model) -> [String; 2] {
    let scene = &model.run().scene;
    [&scene.observe, &scene.description].map(|text| text.as_deref().map(prose).unwrap_or_default())
}

fn text_height(ctx: &egui::Context, text: &str, width: f32) -> f32 {
    let font = FontId::proportional(TEXT);
    let layout =
        |fonts: &egui::text::Fonts| fonts.layout(text.to_owned(), font, egui::Color32::WHITE, width);
    ctx.fonts(|fonts| layout(fonts).size().y)
}

fn first_row(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let size = vec2(ui.available_width(), ROW_HEIGHT);
    let has_room = size.x >= LEAST_FOR_BUTTONS;
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        let open = model.library.shelf.browsing.is_some();
        let scenes = ui.selectable_label(open, heading("▦ Scenes"));
        if scenes.on_hover_text("Choose a scene or a tour  (Ctrl+K; [ and ] for the neighbours)").clicked()
        {
            intents.push(Intent::Browse((!open).then(Browsing::default)));
        }
        modes(ui, model, intents);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if is_narrow(ui.ctx()) {
                let panel = ui.selectable_label(model.layout.panel_open, heading("Panel"));
                if !model.layout.panel_open {
                    tour::mark_way(ui, model, panel.rect);
                }
                if panel.clicked() {
                    intents.push(Intent::Command(Command::TogglePanel));
                }
            }
            files(ui, has_room, intents);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| title(ui, model, intents));
        });
    });
}

/// A button's text, what it does, and its tooltip.
type Action = (&'static str, Command, &'static str);
/// What is done with files.
const FILES: [Action; 2] = [
    ("Save", Command::Save, "Save the current state to the scene's file"),
    ("Open", Command::Open, "Open a scene file, as dropping it on the window does"),
];
/// What can be given to others.
const SHARED: [Action; 5] = [
    (
        "Save recording…",
        Command::SaveRecording,
        "The run as it was up to now, with what the hand did and every impulse: driftlab judge reads it",
    ),
    ("Copy a link", Command::CopyLink, "To this state of all runs; Ctrl+V opens one"),
    ("Copy the command", Command::CopyCommand, "For a terminal: it repeats the runs"),
    ("Picture", Command::Screenshot, "Of the window, as a PNG file"),
    ("Clip", Command::Clip, "Of the stage and its plots, as an animated PNG file; again ends it"),
];

/// Files, and what can be given to others; a narrow bar has one menu for all of it.
fn files(ui: &mut Ui, has_room: bool, intents: &mut Intents) {
    if !has_room {
        ui.menu_button("File", |ui| menu(ui, FILES.iter().rev().chain(&SHARED), intents));
        return;
    }
    for (text, command, said) in FILES {
        if ui.button(text).on_hover_text(tooltip(said, command)).clicked() {
            intents.push(Intent::Command(command));
        }
    }
    let button = ui.menu_button("Share", |ui| menu(ui, &SHARED, intents));
    button.response.on_hover_text("A recording, a link, a command, a picture or a clip of this");
}

fn menu<'a>(ui: &mut Ui, actions: impl IntoIterator<Item = &'a Action>, intents: &mut Intents) {
    for &(text, command, said) in actions {
        if ui.button(text).on_hover_text(tooltip(said, command)).clicked() {
            intents.push(Intent::Command(command));
            ui.close_menu();
        }
    }
}

/// What the mouse does on the stage.
fn modes(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    ui.spacing_mut().item_spacing.x = 2.0;
    for mode in Mode::ALL {
        let button = ui.selectable_label(model.build.mode == mode, mode.name());
        if button.on_hover_text(mode.hint()).clicked() {
            intents.push(Intent::Command(Command::Build(Act::Mode(mode))));
        }
    }
    ui.spacing_mut().item_spacing.x = 8.0;
    ui.add_space(6.0);
}

/// Name and source, or the tour that is being taken; where both do not fit, the latter is cut, and a tooltip shows both.
fn title(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let scene = &model.run().scene;
    let source = match tour::present(model) {
        Some(step) => format!("Tour: {}", step.name()),
        None => scene.source.clone().unwrap_or_default(),
    };
    let hint = format!("{}\n{source}", scene.name);
    let font = FontId::new(16.0, FontFamily::Name(HEADING_FAMILY.into()));
    let name = Label::new(RichText::new(&scene.name).font(font)).truncate();
    ui.add(name).on_hover_text(hint.trim_end());
    if model.layout.clipping {
        let end = ui.button(RichText::new("● end the clip").size(12.0).color(model.view.palette().error));
        if end.on_hover_text(tooltip("A clip of the stage and its plots is taken", Command::Clip)).clicked()
        {
            intents.push(Intent::Command(Command::Clip));
        }
    }
    if let Some(share) = model.written_share() {
        let text = format!("● writing {:.0} %", 100.0 * share);
        let end = ui.button(RichText::new(text).size(12.0).color(model.view.palette().accent));
        let said = "The run is being written as a recording; this gives it up";
        if end.on_hover_text(tooltip(said, Command::SaveRecording)).clicked() {
            intents.push(Intent::Command(Command::SaveRecording));
        }
    }
    if model.is_unsaved() {
        let text = RichText::new("● unsaved").size(12.0).color(model.view.palette().accent);
        ui.label(text).on_hover_text("Ctrl+S saves it");
    }
    if ui.available_width() > LEAST_SOURCE {
        let color = model.view.palette().weak;
        ui.add(Label::new(weak(source, color)).truncate()).on_hover_text(hint.trim_end());
    }
}

/// Where the list of scenes begins: under its button.
pub(super) fn below_scenes(ctx: &egui::Context) -> egui::Pos2 {
    let [x, y] = MARGIN;
    let whole: Rect = ctx.screen_rect();
    whole.left_top() + vec2(f32::from(x), 2.0 * f32::from(y) + ROW_HEIGHT)
}
