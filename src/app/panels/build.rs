//! The tab of building: what the selection is and what can be done about it, and the list of changes.

use super::{heading, properties, section, weak};
use crate::app::keys::tooltip;
use crate::app::theme::Coloured;
use crate::workbench::command::Command;
use crate::workbench::editor::align::Alignment;
use crate::workbench::editor::edit::Edit;
use crate::workbench::editor::toolbox::{Drawn, Group, TOOLS};
use crate::workbench::editor::{Act, EditorIntent, Mode, item, struck_together};
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use crate::workbench::runs::undo::Change;
use crate::workbench::text::prose::capitalised;
use egui_macroquad::egui::{self, RichText, ScrollArea, Ui, vec2};

/// Height of the list of changes, points.
const CHANGES: f32 = 150.0;
/// Most bodies of a stamp.
const MOST: usize = 60;
/// Width of a sign on a button, points.
const SIGN: f32 = 30.0;

pub(super) fn show(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    if !model.build.is_on() {
        let hint = Mode::Build.hint();
        if ui.button("Build here  (B)").on_hover_text(hint).clicked() {
            intents.push(Intent::Command(Command::Build(Act::Mode(Mode::Build))));
        }
        ui.add_space(8.0);
    }
    ui.horizontal(|ui| {
        let (done, undone) = (model.runs.undo.done().last(), model.runs.undo.undone().last());
        for (name, hint, can, act) in [
            ("New scene", tooltip("A scene without bodies", Command::Build(Act::New)), true, Act::New),
            ("Undo", named(done, "Ctrl+Z"), done.is_some(), Act::Undo),
            ("Redo", named(undone, "Ctrl+Shift+Z"), undone.is_some(), Act::Redo),
        ] {
            if ui.add_enabled(can, egui::Button::new(name)).on_hover_text(hint).clicked() {
                intents.push(Intent::Command(Command::Build(act)));
            }
        }
    });
    ui.add_space(6.0);
    if !model.run().is_at_the_start() {
        later(ui, model, intents);
    }
    toolbox(ui, model, intents);
    if let Some(text) = struck_together::said(model.run().world()) {
        ui.label(weak(text, model.view.palette().slide));
        ui.add_space(6.0);
    }
    section(ui, "Selection", |ui| selection(ui, model, intents));
    section(ui, "Scene", |ui| properties::scene(ui, model, intents));
    section(ui, "Changes", |ui| changes(ui, model, intents));
}

/// A change that can be undone or redone, and the key for it.
fn named(change: Option<&Change>, key: &str) -> String {
    change.map_or_else(|| key.to_owned(), |change| format!("{}  ({key})", change.label))
}

/// What is edited in mid-run belongs to the run.
fn later(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let time = model.run().world().time();
    let text = format!(
        "Changes act from t = {time:.3} s on, in this run alone. R returns to the scene's start, without them."
    );
    ui.label(weak(text, model.view.palette().weak));
    ui.horizontal(|ui| {
        let back = ui.button("Back to the start");
        if back.on_hover_text("The scene's start, to edit the scene  (R)").clicked() {
            intents.push(Intent::Command(Command::Restart));
        }
        let here = ui.button("Begin here");
        if here.on_hover_text("The scene begins with this state from now on; R returns to it").clicked() {
            intents.push(Intent::Editor(EditorIntent::BeginHere));
        }
    });
    ui.add_space(6.0);
}

/// A button for each tool, and what the chosen one is drawn with.
fn toolbox(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    for group in Group::ALL {
        ui.label(heading(group.title()));
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(4.0, 3.0);
            for (index, tool) in TOOLS.iter().enumerate().filter(|(_, tool)| tool.group == group) {
                let chosen = model.build.tool == Some(index);
                let hint = format!("{}\n{}  (Shift+{})", tool.meaning, sentence(tool.drawn), tool.letter);
                let button = egui::Button::new(tool.name).selected(chosen);
                if ui.add(button).on_hover_text(hint).clicked() {
                    intents.push(Intent::Command(Command::Build(Act::Tool(index))));
                }
            }
            if group == Group::Stamps {
                let mut count = model.build.count;
                let field = egui::DragValue::new(&mut count)
                    .range(1..=MOST)
                    .prefix("of ")
                    .suffix(" bodies or rows");
                if ui.add(field).on_hover_text("How many bodies a stamp has, or rows").changed() {
                    intents.push(Intent::Editor(EditorIntent::Count(count)));
                }
            }
        });
        ui.add_space(4.0);
    }
    ui.add_space(4.0);
}

/// How a tool is drawn, as a sentence.
fn sentence(drawn: Drawn) -> String {
    format!("{}.", capitalised(drawn.hint()))
}

/// What is selected, and what can be done about it.
fn selection(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let palette = model.view.palette();
    let text = match model.build.selection.as_slice() {
        [] => "Nothing. Click a body or a joint; draw a frame around several.".to_owned(),
        [one] => item::name(model.run().world(), *one),
        more => format!("{} items", more.len()),
    };
    ui.label(weak(text, palette.weak));
    properties::selection(ui, model, intents);
    let (any, bodies) = (!model.build.selection.is_empty(), model.selected_bodies().len());
    ui.horizontal_wrapped(|ui| {
        for (text, act, enabled, said) in [
            ("Duplicate", Act::Duplicate, bodies > 0, "Add a copy of the selected bodies"),
            (
                "Copy",
                Act::Copy,
                bodies > 0,
                "Put them into the clipboard as JSON, for this or another window",
            ),
            ("Delete", Act::Delete, any, "Remove what is selected, and with a body what holds it"),
            ("Select all", Act::SelectAll, true, "Select everything"),
        ] {
            let button = ui.add_enabled(enabled, egui::Button::new(text));
            if button.on_hover_text(tooltip(said, Command::Build(act))).clicked() {
                intents.push(Intent::Command(Command::Build(act)));
            }
        }
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for (alignment, sign) in Alignment::ALL.into_iter().zip(SIGNS) {
            let button = egui::Button::new(RichText::new(sign).monospace()).min_size(vec2(SIGN, 0.0));
            let button = ui.add_enabled(bodies > 1, button);
            let name = format!("Align {}", alignment.name());
            button.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, bodies > 1, &name));
            if button.on_hover_text(&name).clicked() {
                intents.push(Intent::Editor(EditorIntent::Align(alignment)));
            }
        }
    });
    ui.horizontal(|ui| bodies_of_shapes(ui, model, intents));
    let mut snaps = model.build.snaps;
    let hint = "What is moved snaps to points of other bodies, to the grid, and to 15°; \
                with Alt held it does not.";
    if ui.checkbox(&mut snaps, "snap").on_hover_text(hint).changed() {
        intents.push(Intent::Editor(EditorIntent::Snaps(snaps)));
    }
    ui.horizontal(|ui| {
        let assemble = ui.button("Assemble");
        let hint = "Pull all bodies to where their joints close, with as little motion as possible";
        if assemble.on_hover_text(hint).clicked() {
            intents.push(Intent::Editor(EditorIntent::Assemble));
        }
        let fit = ui.button("Fit velocities");
        let hint = "Change all velocities as little as possible, so that they fit the joints \
                    and velocity constraints";
        if fit.on_hover_text(hint).clicked() {
            intents.push(Intent::Editor(EditorIntent::Edit(Edit::Fit)));
        }
    });
}

/// Joins the selected bodies into one, and splits one into its shapes.
fn bodies_of_shapes(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let bodies = model.selected_bodies();
    let join = ui.add_enabled(bodies.len() > 1, egui::Button::new("Join"));
    let hint = "Make one body of the selected ones, with the shapes of all, their mass and their momentum";
    if join.on_hover_text(hint).clicked() {
        intents.push(Intent::Editor(EditorIntent::Edit(Edit::Join(bodies.clone()))));
    }
    let world = model.run().world();
    let whole = match bodies.as_slice() {
        [one] => world.body(*one).filter(|body| body.shapes().len() > 1).map(|_| *one),
        _ => None,
    };
    let split = ui.add_enabled(whole.is_some(), egui::Button::new("Split"));
    let hint = "Make a body of each shape of the selected one";
    if let Some(id) = whole.filter(|_| split.on_hover_text(hint).clicked()) {
        intents.push(Intent::Editor(EditorIntent::Edit(Edit::Split(id))));
    }
}

/// Signs of the alignments, in their order.
const SIGNS: [&str; 8] = ["|◂", "◂|▸", "▸|", "▴", "–", "▾", "↔", "↕"];

/// The changes, the last one first: a click goes to before or behind it.
fn changes(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let (done, undone) = (model.runs.undo.done(), model.runs.undo.undone());
    ui.horizontal(|ui| {
        for (text, act, enabled, hint) in [
            ("↶ Undo", Act::Undo, !done.is_empty(), "Go back to before the last change  (Ctrl+Z)"),
            (
                "↷ Redo",
                Act::Redo,
                !undone.is_empty(),
                "Make the change again that was undone last  (Ctrl+Shift+Z)",
            ),
        ] {
            if ui.add_enabled(enabled, egui::Button::new(text)).on_hover_text(hint).clicked() {
                intents.push(Intent::Command(Command::Build(act)));
            }
        }
    });
    let palette = model.view.palette();
    if done.is_empty() && undone.is_empty() {
        ui.label(weak("Nothing was changed yet.", palette.weak));
        return;
    }
    ScrollArea::vertical().id_salt("changes").max_height(CHANGES).show(ui, |ui| {
        // Those that were undone come first, the next to be redone at the bottom.
        let count = done.len();
        let all = undone.iter().enumerate().map(|(i, change)| (count + undone.len() - i, change));
        let all = all.chain(done.iter().enumerate().rev().map(|(i, change)| (i + 1, change)));
        for (number, change) in all {
            let stands = number <= count;
            let text = format!("{number}  {}   t = {:.3} s", change.label, change.time());
            let color = if stands { palette.text } else { palette.weak.gamma_multiply(0.7) };
            let row = ui.selectable_label(number == count, RichText::new(text).size(12.0).color(color));
            let hint = if stands { "Click: undo what came after it" } else { "Click: redo up to here" };
            if row.on_hover_text(hint).clicked() {
                intents.push(Intent::Editor(EditorIntent::GoTo(number)));
            }
        }
        let start = ui.selectable_label(count == 0, RichText::new("0  as opened").size(12.0));
        if start.on_hover_text("Click: undo everything").clicked() {
            intents.push(Intent::Editor(EditorIntent::GoTo(0)));
        }
    });
}
