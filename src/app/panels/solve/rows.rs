//! A row of the table for each row of the problem: who it is, what it demands, and what it has got.

use super::Page;
use crate::app::text::elided::elided;
use crate::workbench::text::format;
use crate::workbench::view_state::solve_view::{RowKey, SolveView};
use egui_macroquad::egui::{
    Align2, Color32, FontId, Id, Pos2, Rect, ScrollArea, Sense, Ui, Vec2, WidgetInfo, WidgetType, pos2,
    vec2,
};

/// Height of a row, points.
const ROW: f32 = 17.0;
/// Size of the texts, points.
const TEXT: f32 = 11.5;
/// Width of the numbers' columns, points.
const NUMBER: f32 = 63.0;
/// Width of the bounds, points.
const BOUNDS: f32 = 66.0;
/// Width of the states, points.
const STATE: f32 = 56.0;
/// Least width of the names, points.
const NAME: f32 = 140.0;
/// Room for the scroll bar, points.
const BAR: f32 = 16.0;

/// The columns, by their places, that give way to others where there is no room for all: the last ones first.
const TELLING: [usize; 6] = [2, 3, 4, 0, 1, 5];

/// The columns behind the name: heading, width, meaning.
const COLUMNS: [(&str, f32, &str); 6] = [
    ("bounds", BOUNDS, "Least and largest λ; of friction ±μ λₙ at the solution."),
    ("b", NUMBER, "w where no impulse acts: J v* + b, of v* that the forces alone lead to."),
    ("λ", NUMBER, "The impulse, N s or N m s; at the acceleration level the force, N or N m."),
    (
        "w",
        NUMBER,
        "w = A λ + b, the rate that the row has got: m/s or rad/s; at the acceleration level m/s² or rad/s².",
    ),
    ("state", STATE, "What the row does at the solution."),
    (
        "residual",
        NUMBER,
        "What is left of the row's law, in the unit of w: w of an equation, min(λ̂, w) of a contact.",
    ),
];

/// The columns, by their places, for which there is room beside a name.
fn columns(room: f32) -> Vec<usize> {
    let mut left = room - NAME - BAR;
    let fitting = TELLING.into_iter().take_while(|place| {
        left -= COLUMNS[*place].1;
        left >= 0.0
    });
    let mut fitting: Vec<_> = fitting.collect();
    fitting.sort_unstable();
    fitting
}

/// The table; row `scroll` is brought into view. What has no room in it is said when the pointer rests on a row.
pub(super) fn show(ui: &mut Ui, page: &Page<'_>, scroll: Option<usize>, view: &mut SolveView) {
    let columns = columns(ui.available_width());
    let fixed: f32 = columns.iter().map(|place| COLUMNS[*place].1).sum();
    let table = Table { page, name: ui.available_width() - fixed - BAR, columns };
    let order = page.opened().order();
    ui.spacing_mut().item_spacing = Vec2::ZERO;
    header(ui, &table);
    let mut area = ScrollArea::vertical().id_salt("rows").auto_shrink([false, false]);
    if let Some(i) = scroll {
        let middle = 0.5 * (ui.available_height() - ROW);
        area = area.vertical_scroll_offset((ROW * page.opened().place(i) as f32 - middle).max(0.0));
    }
    area.show_rows(ui, ROW, order.len(), |ui, range| {
        for at in range {
            line(ui, &table, (at, order[at]), view);
        }
    });
}

/// What the table shows, the width of the names, points, and the columns behind them.
struct Table<'a> {
    page: &'a Page<'a>,
    name: f32,
    columns: Vec<usize>,
}

fn header(ui: &mut Ui, Table { page, name, columns }: &Table<'_>) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let font = FontId::proportional(TEXT);
    let weak = page.palette.weak;
    ui.painter().text(rect.left_center() + vec2(4.0, 0.0), Align2::LEFT_CENTER, "row", font.clone(), weak);
    let mut x = rect.left() + name;
    for (title, width, hint) in columns.iter().map(|place| COLUMNS[*place]) {
        x += width;
        ui.painter().text(pos2(x - 4.0, rect.center().y), Align2::RIGHT_CENTER, title, font.clone(), weak);
        let cell = Rect::from_min_max(pos2(x - width, rect.top()), pos2(x, rect.bottom()));
        ui.interact(cell, Id::new(("solve column", title)), Sense::hover()).on_hover_text(hint);
    }
}

fn line(
    ui: &mut Ui,
    Table { page, name, columns }: &Table<'_>,
    (at, i): (usize, usize),
    view: &mut SolveView,
) {
    let opened = page.opened();
    let row = &opened.rows()[i];
    let key = RowKey::from(row);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let who = page.who(i);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, format!("{} {who}", at + 1)));
    if response.hovered() {
        view.hovered = Some(key);
    }
    if response.clicked() {
        view.chosen = (view.chosen != Some(key)).then_some(key);
    }
    let background = if page.is_marked(view, i) {
        page.palette.accent.gamma_multiply(0.28)
    } else if at.is_multiple_of(2) {
        ui.visuals().faint_bg_color
    } else {
        Color32::TRANSPARENT
    };
    ui.painter().rect_filled(rect, 2.0, background);
    let text = page.palette.text;
    let font = FontId::proportional(TEXT);
    let write = |at: Pos2, align: Align2, what: String, color: Color32| {
        ui.painter().text(at, align, what, font.clone(), color);
    };
    let brief = format!("{}  {}", at + 1, page.who_briefly(i));
    let brief = elided(ui.painter(), brief, font.clone(), page.palette.text, name - 10.0);
    let corner = rect.left_center() + vec2(4.0, -0.5 * brief.size().y);
    ui.painter().galley(corner, brief, page.palette.text);
    let reading = &row.reading;
    let [lower, upper] = reading.bounds;
    let bounds = match (lower, upper) {
        (f64::NEG_INFINITY, f64::INFINITY) => "free".to_owned(),
        _ if lower == -upper => format!("±{}", format::significant(upper, 3)),
        _ => format!("{} … {}", format::significant(lower, 3), format::significant(upper, 3)),
    };
    let cells = [
        bounds,
        format::live(opened.given(i)),
        format::live(reading.lambda),
        format::live(reading.w),
        opened.state(i).words().to_owned(),
        format::live(reading.residual),
    ];
    let mut x = rect.left() + name;
    let mut hint = who;
    for (place, (cell, (title, width, _))) in cells.into_iter().zip(COLUMNS).enumerate() {
        if columns.contains(&place) {
            x += width;
            write(pos2(x - 4.0, rect.center().y), Align2::RIGHT_CENTER, cell, text);
        } else {
            hint += &format!("\n{title}: {cell}");
        }
    }
    response.on_hover_text(hint);
}
