//! The replay: Lemke's or Dantzig's method on the problem of one island, pivot by pivot.

use super::super::weak;
use super::matrix::{self, Grid};
use super::{Page, within};
use crate::app::text::elided::elided;
use crate::experiment::opened::{MOST_REPLAYED, NoReplay, Replay, Watched};
use crate::lcp::{LcpError, PlainUnknown, Variable};
use crate::workbench::text::format;
use crate::workbench::view_state::solve_view::{RowKey, SolveView};
use egui_macroquad::egui::{
    Align2, Color32, FontId, Label, ScrollArea, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2,
};

/// Width of the controls and the list of pivots, points.
const LIST: f32 = 300.0;
/// Least width of the matrix and the values beside it, points.
const LEAST: f32 = 120.0;
/// Height of a line, points.
const LINE: f32 = 17.0;
/// Size of the texts, points.
const TEXT: f32 = 11.5;
/// Width of a variable's name and of its value, points.
const NAME: f32 = 34.0;
const VALUE: f32 = 76.0;

/// How the method poses the problem.
fn posed(watched: Watched) -> &'static str {
    match watched {
        Watched::Lemke => {
            "Posed with the equations eliminated, friction as two directions and a cone. z₀ enters first with the covering vector \
             d = (1, …, 1) of the equilibrated rows, w = M z + q + d z₀, so that no w is negative; then the complement of what has left enters, until z₀ leaves."
        }
        Watched::Dantzig => {
            "Posed with the equations eliminated, friction and motors held at the λ of the step, which keeps M symmetric. The most \
             negative w is driven to zero by its z, and satisfied rows stay so."
        }
    }
}

pub(super) fn show(ui: &mut Ui, page: &Page<'_>, view: &mut SolveView) {
    let opened = page.opened();
    let chosen = view.chosen.and_then(|key| key.find(opened));
    let largest = opened.blocks().iter().max_by_key(|block| block.places().len());
    let Some(i) = chosen.or_else(|| largest.map(|block| opened.order()[block.places().start])) else {
        return;
    };
    let replay = page.solved.replay(i, view.watched);
    let all = ui.available_rect_before_wrap();
    let (left, rest) = all.split_left_right_at_x(all.left() + LIST);
    let (left, rest) = if rest.width() < LEAST { (all, None) } else { (left, Some(rest)) };
    match &*replay {
        Ok(replay) => {
            view.pivot = view.pivot.min(replay.path().pivots.len());
            within(ui, left, |ui| controls(ui, page, Some(replay), view));
        }
        Err(reason) => within(ui, left, |ui| {
            controls(ui, page, None, view);
            if rest.is_none() {
                ui.label(weak(why_not(*reason), page.palette.weak));
            }
        }),
    }
    // Where the rest has no room, the list of pivots stands alone.
    let Some(rest) = rest else { return };
    let side = rest.height().min(0.5 * rest.width());
    let (middle, right) = rest.split_left_right_at_x(rest.left() + side);
    match &*replay {
        Ok(replay) => {
            within(ui, middle, |ui| picture(ui, page, replay, view));
            within(ui, right, |ui| values(ui, page, replay, view));
        }
        Err(reason) => {
            within(ui, rest, |ui| ui.label(weak(why_not(*reason), page.palette.weak)));
        }
    }
}

fn why_not(reason: NoReplay) -> String {
    match reason {
        NoReplay::Linear => {
            "All rows of this island are equations, A λ + b = 0: one factorisation solves them, and there are no pivots to show."
                .to_owned()
        }
        NoReplay::TooLarge(unknowns) => format!(
            "This island has {unknowns} unknowns or more; at most {MOST_REPLAYED} are replayed. Choose a row of a smaller island, or a \
             smaller scene."
        ),
        _ => "The problem has numbers that are not finite.".to_owned(),
    }
}

/// Method, buttons, and the list of pivots.
fn controls(ui: &mut Ui, page: &Page<'_>, replay: Option<&Replay>, view: &mut SolveView) {
    let last = replay.map_or(0, |replay| replay.path().pivots.len());
    ui.horizontal_wrapped(|ui| {
        for watched in Watched::ALL {
            let response =
                ui.selectable_label(view.watched == watched, watched.name()).on_hover_text(posed(watched));
            if response.clicked() {
                (view.watched, view.pivot) = (watched, 0);
            }
        }
        if replay.is_none() {
            return;
        }
        ui.separator();
        let to = [
            ("⏮", "To the beginning", 0),
            ("◀", "Pivot back", view.pivot.saturating_sub(1)),
            ("▶", "Next pivot", (view.pivot + 1).min(last)),
            ("⏭", "To the end", last),
        ];
        for (sign, name, pivot) in to {
            let button = ui.add_enabled(pivot != view.pivot, egui_macroquad::egui::Button::new(sign));
            button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, name));
            if button.on_hover_text(name).clicked() {
                view.pivot = pivot;
            }
        }
    });
    let Some(replay) = replay else { return };
    let text = format!("pivot {} of {last}. {}", view.pivot, now(replay, view.pivot));
    ui.label(weak(text, page.palette.text)).on_hover_text(posed(view.watched));
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.spacing_mut().button_padding.y = 0.0;
    ui.spacing_mut().interact_size.y = LINE;
    ScrollArea::vertical().id_salt("pivots").auto_shrink([false, false]).show_rows(
        ui,
        LINE,
        last + 1,
        |ui, range| {
            for pivot in range {
                // On the ground of the chosen line the weak colour is too faint to read.
                let here = view.pivot == pivot;
                let color = if here { page.palette.text } else { page.palette.weak };
                let response = ui.selectable_label(here, weak(told(replay, pivot), color));
                if response.clicked() {
                    view.pivot = pivot;
                }
            }
        },
    );
}

/// One line of the list.
fn told(replay: &Replay, pivot: usize) -> String {
    match pivot.checked_sub(1).and_then(|at| replay.path().pivots.get(at)) {
        None => "0.  w = q, z = 0: a cold start".to_owned(),
        Some(made) => {
            let driven = if made.driven == made.entering {
                "at".to_owned()
            } else {
                format!("{} =", sign(made.driven))
            };
            format!(
                "{pivot}.  {} enters, {} leaves  {driven} {}",
                sign(made.entering),
                sign(made.leaving),
                format::live(made.ratio)
            )
        }
    }
}

/// What the present place on the path means.
fn now(replay: &Replay, pivot: usize) -> String {
    let pivots = &replay.path().pivots;
    if pivots.is_empty() && replay.path().unblocked.is_none() {
        return "q ≥ 0: z = 0 is the solution, without a pivot.".to_owned();
    }
    if pivot < pivots.len() {
        return next(replay, pivot);
    }
    match (replay.ended(), replay.path().unblocked) {
        (Ok(solution), _) => format!(
            "Solved: residual {}. The step's own λ may be others: where rows depend on each other, several λ give one motion.",
            format::live(solution.residual)
        ),
        (Err(LcpError::Ray { infeasible, .. }), Some(variable)) => format!(
            "Ray: nothing blocks {}, which grows for ever{}",
            sign(variable),
            if *infeasible { "; the problem has no solution" } else { "" }
        ),
        (Err(error), _) => format!("Ended: {error}"),
    }
}

fn next(replay: &Replay, pivot: usize) -> String {
    match replay.path().pivots.get(pivot) {
        Some(next) => format!("Next, {} enters and {} leaves", sign(next.entering), sign(next.leaving)),
        None => String::new(),
    }
}

/// M of the plain problem: basic z are marked as columns, rows whose w is not basic as rows.
fn picture(ui: &mut Ui, page: &Page<'_>, replay: &Replay, view: &mut SolveView) {
    let problem = replay.problem();
    let basic: Vec<Variable> =
        replay.values(view.pivot).into_iter().map(|(variable, _)| variable).collect();
    let is_basic = |variable: Variable| basic.contains(&variable);
    let rows = (0..problem.n()).filter(|&k| !is_basic(Variable::W(k))).collect();
    let columns = (0..problem.n()).filter(|&k| is_basic(Variable::Z(k))).collect();
    let grid = Grid { n: problem.n(), blocks: Vec::new(), marked: [rows, columns], name: "M" };
    let entries = (0..problem.n()).flat_map(|i| {
        problem
            .row(i)
            .iter()
            .enumerate()
            .filter(|(_, value)| **value != 0.0)
            .map(move |(j, value)| (i, j, *value))
    });
    let (response, plan) = matrix::show(ui, &grid, entries, page.palette);
    let Some([row, column]) = response.hover_pos().and_then(|at| plan.at(at)) else { return };
    hover(page, replay, row, view);
    response.on_hover_ui_at_pointer(|ui| {
        let value = format::significant(problem.row(row)[column], 4);
        ui.label(format!("M[{}, {}] = {value}", row + 1, column + 1));
        ui.label(meaning(page, replay, Variable::W(row)));
        ui.label(meaning(page, replay, Variable::Z(column)));
    });
}

/// The constraint behind an unknown becomes the hovered one.
fn hover(page: &Page<'_>, replay: &Replay, k: usize, view: &mut SolveView) {
    if let Some(unknown) = replay.unknowns().get(k) {
        view.hovered = Some(RowKey::from(&page.opened().rows()[unknown.row()]));
    }
}

/// The basic variables with their values, the entered and the driven one marked; all others are zero.
fn values(ui: &mut Ui, page: &Page<'_>, replay: &Replay, view: &mut SolveView) {
    let mut values = replay.values(view.pivot);
    let rank = |variable: &Variable| match variable {
        Variable::Covering => (0, 0),
        Variable::Z(k) => (1, *k),
        Variable::W(k) => (2, *k),
    };
    values.sort_by_key(|(variable, _)| rank(variable));
    let last = view.pivot.checked_sub(1).and_then(|at| replay.path().pivots.get(at));
    let entered = last.map(|pivot| pivot.entering);
    let leaves = replay.path().pivots.get(view.pivot).map(|pivot| pivot.leaving);
    let head = "basic variables: the entered one in colour, the next to leave struck out";
    ui.add(Label::new(weak(head, page.palette.weak)).truncate());
    ScrollArea::vertical().id_salt("values").auto_shrink([false, false]).show_rows(
        ui,
        LINE,
        values.len(),
        |ui, range| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for at in range {
                let (variable, value) = values[at];
                let color = if entered == Some(variable) { page.palette.accent } else { page.palette.text };
                let place = Value { at, value, color, struck: leaves == Some(variable) };
                line(ui, page, replay, (variable, place), view);
            }
        },
    );
}

/// How a variable's line looks.
struct Value {
    at: usize,
    value: f64,
    color: Color32,
    struck: bool,
}

fn line(
    ui: &mut Ui,
    page: &Page<'_>,
    replay: &Replay,
    (variable, place): (Variable, Value),
    view: &mut SolveView,
) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
    let means = meaning(page, replay, variable);
    let value = format::live(place.value);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, format!("{variable} = {value}")));
    if place.at.is_multiple_of(2) {
        ui.painter().rect_filled(rect, 2.0, ui.visuals().faint_bg_color);
    }
    let font = FontId::proportional(TEXT);
    let middle = rect.center().y;
    let left = rect.left() + 4.0;
    ui.painter().text(pos2(left, middle), Align2::LEFT_CENTER, sign(variable), font.clone(), place.color);
    let end = left + NAME + VALUE;
    ui.painter().text(pos2(end, middle), Align2::RIGHT_CENTER, value, font.clone(), place.color);
    if place.struck {
        ui.painter().hline(left..=end, middle, (1.2, page.palette.slide));
    }
    let words = elided(ui.painter(), &means, font, page.palette.weak, rect.right() - end - 10.0);
    ui.painter().galley(pos2(end + 10.0, middle - 0.5 * words.size().y), words, page.palette.weak);
    if response.hovered()
        && let Variable::W(k) | Variable::Z(k) = variable
    {
        hover(page, replay, k, view);
    }
    response.on_hover_text(means);
}

/// What a variable stands for.
fn meaning(page: &Page<'_>, replay: &Replay, variable: Variable) -> String {
    let (Variable::W(k) | Variable::Z(k)) = variable else {
        return "z₀, which covers the negative w".to_owned();
    };
    let Some(unknown) = replay.unknowns().get(k) else { return String::new() };
    let who = page.who(unknown.row());
    let what = match (unknown, variable) {
        (PlainUnknown::Impulse { sign, .. }, Variable::Z(_)) if *sign < 0.0 => "−λ",
        (PlainUnknown::Impulse { .. }, Variable::Z(_)) => "λ",
        (PlainUnknown::Impulse { sign, .. }, _) if *sign < 0.0 => "−w",
        (PlainUnknown::Impulse { .. }, _) => "w",
        (PlainUnknown::Cone { .. }, Variable::Z(_)) => "slip γ",
        (PlainUnknown::Cone { .. }, _) => "μ λₙ − |λ|",
        (PlainUnknown::Ceiling { .. }, Variable::Z(_)) => "push of the upper bound",
        _ => "room below the upper bound",
    };
    format!("{what} of {who}")
}

/// The variable with its number below the line.
fn sign(variable: Variable) -> String {
    let digits = |text: String| -> String {
        let lower = |digit: char| char::from_u32(u32::from('₀') + digit.to_digit(10).unwrap_or_default());
        text.chars()
            .map(|digit| if digit.is_ascii_digit() { lower(digit).unwrap_or(digit) } else { digit })
            .collect()
    };
    digits(variable.to_string())
}
