//! The comparison as a table, one row per run: what it has lost and what it costs; and the buttons that add runs.

use super::super::theme::{HEADING_FAMILY, Palette};
use super::equal_cost;
use crate::app::theme::Coloured;
use crate::workbench::intent::{Intent, Intents, Standard};
use crate::workbench::model::Model;
use crate::workbench::runs::comparison::{
    Column, MOST_FORKS, Order, Role, RunFigures, csv, markdown, rows, since,
};
use crate::workbench::text::format;
use crate::workbench::view_state::arrangement::Arrangement;
use egui_macroquad::egui::{self, Color32, FontFamily, RichText, ScrollArea, Ui};

/// Least distance between columns, points.
const COLUMN: f32 = 12.0;
/// Widths of a run's name at least and at most, of what can be done with it, and of a number, points.
const NAMES: [f32; 2] = [90.0, 260.0];
const ACTIONS: f32 = 92.0;
const WIDTH: f32 = 74.0;
/// Width of the longest heading, points.
const WIDEST: f32 = 88.0;
/// Width of what stands behind a largest number: how many times the smallest one it is, points.
const FACTOR: f32 = 70.0;
/// Width of a panel from which on all stands beside the tabs, points.
const WIDE: f32 = 560.0;
/// Size of the numbers, points.
const NUMBER: f32 = 13.0;
/// Size of the colour's square before a scheme's name, points.
const SQUARE: f32 = 9.0;

/// Why no further run can be added.
const FULL: &str = "Five runs are compared with the main one; close one first.";

pub(super) fn show(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    ui.visuals_mut().override_text_color = None;
    let rows = rows(model.comparison(), model.shown.order);
    let unit = model.run().report().joint_error_unit.symbol();
    let wide = is_wide(ui);
    match model.comparison().equal_cost() {
        Some(cost) if wide => {
            let width = equal_cost::width(ui.available_width());
            let right = egui::SidePanel::right("equal cost").resizable(false).exact_width(width);
            right.frame(egui::Frame::NONE).show_inside(ui, |ui| equal_cost::picture(ui, model, cost));
        }
        // There is no room for the table beside the picture.
        Some(cost) => {
            ui.horizontal(|ui| additions(ui, model, intents));
            return equal_cost::picture(ui, model, cost);
        }
        None if wide => {}
        None => {
            ui.horizontal(|ui| additions(ui, model, intents));
        }
    }
    buttons(ui, model, &rows, unit, intents);
    if rows.len() == 1 {
        let hint = "Nothing is beside this run yet. Press the two squares on a scheme's button: it continues from this very \
                    moment, in its own colour.";
        ui.label(RichText::new(hint).color(model.view.palette().weak));
    }
    let all = Column::of(&rows);
    let (columns, dropped) = all.split_at(fitting(ui, all.len()));
    let widths = Widths::of(ui, columns);
    ScrollArea::both().auto_shrink([false, false]).show(ui, |ui| {
        egui::Grid::new("comparison").striped(true).spacing([COLUMN, 4.0]).show(ui, |ui| {
            headings(ui, model, columns, unit, intents);
            for row in &rows {
                line(ui, model, (row, &rows), (columns, dropped, &widths), intents);
            }
        });
        if rows.len() > 1 {
            let [from, to] = span(model);
            let text = format!(
                "All rows from t = {from:.3} s, when the last of these runs began or got its scheme, to t = {to:.3} s. Bold: the least."
            );
            ui.label(RichText::new(text).size(12.0).color(model.view.palette().weak));
        }
    });
}

/// The number of columns, out of `all`, that have room beside the names. The others are said when the pointer rests on
/// a name.
fn fitting(ui: &Ui, all: usize) -> usize {
    let taken = SQUARE + ui.spacing().item_spacing.x + ACTIONS + COLUMN + NAMES[0];
    let room = ui.available_width() - ui.spacing().scroll.allocated_width() - taken;
    let whole = (all - 1) as f32 * (WIDTH + COLUMN);
    if whole <= room { all } else { 1 + (room / (WIDEST + COLUMN)).max(0.0) as usize }
}

/// How the room for the table is used, so that the last column is seen, too.
struct Widths {
    /// Width of a name, points.
    name: f32,
    /// Whether largest numbers are followed by how many times the smallest one they are.
    factors: bool,
}

impl Widths {
    fn of(ui: &Ui, columns: &[Column]) -> Self {
        let numbers = columns.len().saturating_sub(1) as f32 * (WIDTH + COLUMN);
        let spacing = ui.spacing();
        let taken = SQUARE + spacing.item_spacing.x + ACTIONS + COLUMN + numbers;
        let room = ui.available_width() - spacing.scroll.allocated_width() - taken;
        let largest = columns.iter().filter(|column| column.is_largest()).count();
        let beside = room - FACTOR * largest as f32;
        let factors = beside >= NAMES[0];
        Self { name: if factors { beside } else { room }.clamp(NAMES[0], NAMES[1]), factors }
    }
}

/// The span of time that the rows are about, s.
fn span(model: &Model) -> [f64; 2] {
    [since(model.comparison()), model.run().world().time()]
}

/// Whether the panel has room for [`header`] beside its tabs; else it stands with the buttons.
fn is_wide(ui: &Ui) -> bool {
    ui.max_rect().width() >= WIDE
}

/// Beside the tabs: what another program has computed, and the runs at equal cost.
pub(super) fn header(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    if is_wide(ui) {
        additions(ui, model, intents);
    }
}

fn additions(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let room = model.comparison().forks().len() < MOST_FORKS;
    ui.add_enabled_ui(room, |ui| {
        let hint = "What another program has computed of this scene, played back beside the runs and measured as they are: a CSV file with \
                    the columns time, body, x, y and angle, and optionally vx, vy and omega. It can also be dropped onto the window.";
        if ui.button("Trajectory…").on_hover_text(hint).on_disabled_hover_text(FULL).clicked() {
            intents.push(Intent::ChooseTrajectory);
        }
        let hint = "A recording that another program is writing (docs/RECORDING.md): it plays beside the runs as far as it has come. Open… and \
                    a drop onto the window take one that is finished.";
        if ui.button("Watch…").on_hover_text(hint).on_disabled_hover_text(FULL).clicked() {
            intents.push(Intent::ChooseWatch);
        }
    });
    equal_cost::switch(ui, model, intents);
}

fn buttons(ui: &mut Ui, model: &Model, rows: &[RunFigures], unit: &str, intents: &mut Intents) {
    ui.horizontal_wrapped(|ui| {
        let room = model.comparison().forks().len() < MOST_FORKS;
        ui.add_enabled_ui(room, |ui| {
            for (text, intent, hint) in [
                ("Duplicate", Intent::Fork(None), "Compare: another run from this moment under the same method: change one of the two."),
                (
                    "Reference h/32",
                    Intent::Refer(Standard::SmallStep),
                    "A run from this moment under the same method with steps of h/32, against which the others are measured.",
                ),
                (
                    "Reference RATTLE",
                    Intent::Refer(Standard::Rattle),
                    "A run from this moment under RATTLE, of second order and on the manifold, against which the others are measured.",
                ),
            ] {
                if ui.button(text).on_hover_text(hint).on_disabled_hover_text(FULL).clicked() {
                    intents.push(intent);
                }
            }
        });
        ui.separator();
        for (arrangement, text, hint) in [
            (Arrangement::Overlay, "Overlay", "The other runs as outlines over the main one."),
            (Arrangement::Panes, "Side by side", "Each run in a picture of its own, with the same view."),
        ] {
            let here = model.sight.arrangement == arrangement;
            if ui.selectable_label(here, text).on_hover_text(hint).clicked() {
                intents.push(Intent::Arrange(arrangement));
            }
        }
        ui.separator();
        if ui.button("Copy CSV").on_hover_text("The table with all digits.").clicked() {
            ui.ctx().copy_text(csv(rows, unit, span(model)));
            intents.push(copied(rows, "CSV"));
        }
        if ui.button("Copy Markdown").on_hover_text("The table with three digits.").clicked() {
            ui.ctx().copy_text(markdown(rows, unit, span(model)));
            intents.push(copied(rows, "Markdown"));
        }
        if rows.len() > 1 && ui.button("Close all").on_hover_text("Only the main run stays.").clicked() {
            intents.push(Intent::CloseAll);
        }
    });
}

fn copied(rows: &[RunFigures], format: &str) -> Intent {
    let rows = if rows.len() == 1 { "1 row".to_owned() } else { format!("{} rows", rows.len()) };
    Intent::Say(format!("Copied {rows} as {format}"))
}

/// A click sorts by a column, a second one the other way round, a third one not at all.
fn headings(ui: &mut Ui, model: &Model, columns: &[Column], unit: &str, intents: &mut Intents) {
    for column in columns.iter().copied() {
        let sign = match model.shown.order {
            Some(Order { column: by, descending }) if by == column => {
                if descending {
                    " ▼"
                } else {
                    " ▲"
                }
            }
            _ => "",
        };
        let text = RichText::new(format!("{}{sign}", column.brief(unit)))
            .size(12.0)
            .color(model.view.palette().weak);
        let hint = format!("{} Click to sort.", column.meaning());
        if ui.add(egui::Button::new(text).frame(false)).on_hover_text(hint).clicked() {
            intents.push(Intent::Sort(match model.shown.order {
                Some(Order { column: by, descending: false }) if by == column => {
                    Some(Order { column, descending: true })
                }
                Some(Order { column: by, descending: true }) if by == column => None,
                _ => Some(Order { column, descending: false }),
            }));
        }
        if column == Column::Scheme {
            ui.label("");
        }
    }
    ui.end_row();
}

fn line(
    ui: &mut Ui,
    model: &Model,
    (row, rows): (&RunFigures, &[RunFigures]),
    (columns, dropped, widths): (&[Column], &[Column], &Widths),
    intents: &mut Intents,
) {
    let palette = model.view.palette();
    let color = palette.scheme(row.scheme);
    ui.horizontal(|ui| {
        let (square, _) = ui.allocate_exact_size(egui::Vec2::splat(SQUARE), egui::Sense::hover());
        ui.painter().rect_filled(square, 2.0, color);
        let edited = row.fork == model.edited_fork().map(|fork| fork.id);
        let label =
            egui::Label::new(name(row, palette.text, edited)).truncate().sense(egui::Sense::click());
        let size = egui::vec2(widths.name, ui.spacing().interact_size.y);
        let label = ui.allocate_ui(size, |ui| ui.add(label)).inner;
        let mut hint = match row.role {
            Some(Role::Trajectory) => format!("{}\nPlayed back from its file.", row.name),
            _ => format!("{}\nClick: the panel shows and edits this run's parameters.", row.name),
        };
        let unit = model.run().report().joint_error_unit.symbol();
        for column in dropped {
            let number = column.number(row).map_or_else(|| "–".to_owned(), format::live);
            hint += &format!("\n{}: {number}", column.brief(unit));
        }
        if label.on_hover_text(hint).clicked() {
            intents.push(Intent::Edit(row.fork));
        }
    });
    // Beside the name, where they stay while the numbers change.
    actions(ui, row, palette, intents);
    for column in columns.iter().filter(|column| **column != Column::Scheme) {
        let number = column.number(row);
        let text = RichText::new(number.map_or_else(|| "–".to_owned(), format::live)).size(NUMBER);
        let least = column.best(rows);
        let bold = FontFamily::Name(HEADING_FAMILY.into());
        let best = number.is_some() && number == least;
        ui.horizontal(|ui| {
            ui.label(if best { text.family(bold) } else { text.color(palette.weak) });
            let compared = widths.factors && column.is_largest();
            if let (Some(number), Some(least), true) = (number, least, compared) {
                factor(ui, number / least, palette);
            }
        });
    }
    ui.end_row();
}

/// By how much an error is larger than the smallest one of its column.
fn factor(ui: &mut Ui, factor: f64, palette: &Palette) {
    if factor > 1.0 && factor.is_finite() {
        let text = RichText::new(format!("{} ×", format::significant(factor, 2))).size(NUMBER);
        ui.label(text.color(palette.weak)).on_hover_text("So many times the smallest one");
    }
}

/// The name of a run, underlined if it is the one that is edited.
fn name(row: &RunFigures, color: Color32, edited: bool) -> RichText {
    let role = match row.role {
        None => " (main)",
        Some(Role::Reference) => " (reference)",
        Some(Role::Trajectory) => " (trajectory)",
        Some(Role::Beside) => "",
    };
    let failed = if row.failed { ", stopped" } else { "" };
    let text = RichText::new(format!("{}{role}{failed}", row.name)).color(color);
    let text = if edited { text.underline() } else { text };
    if row.fork.is_none() { text.strong() } else { text }
}

fn actions(ui: &mut Ui, row: &RunFigures, palette: &Palette, intents: &mut Intents) {
    let Some(fork) = row.fork else {
        ui.label("");
        return;
    };
    let played = row.role == Some(Role::Trajectory);
    let goes_on = "Compare: a run from this run's present state, under the main run's method.";
    let copies = "Compare: another run from this run's present state.";
    ui.horizontal(|ui| {
        let actions = [
            ("main", Intent::Promote(fork), "This run becomes the main one, against which the others are measured; the main one takes its place."),
            ("copy", Intent::Fork(Some(fork)), if played { goes_on } else { copies }),
            ("×", Intent::Close(fork), "Closes this run."),
        ];
        for (text, intent, hint) in actions.into_iter().skip(usize::from(played)) {
            let text = RichText::new(text).size(12.0).color(palette.accent);
            if ui.add(egui::Button::new(text).frame(false)).on_hover_text(hint).clicked() {
                intents.push(intent);
            }
        }
    });
}
