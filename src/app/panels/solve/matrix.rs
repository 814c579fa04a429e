//! A matrix as a picture: sign by hue, size by the logarithm of the magnitude, islands framed, rows linked to the table.

use super::super::super::theme::Palette;
use super::Page;
use crate::workbench::text::format;
use crate::workbench::view_state::solve_view::{RowKey, SolveView};
use egui_macroquad::egui::{
    Align2, Color32, FontId, Mesh, Pos2, Rect, Response, Sense, Shape, Stroke, StrokeKind, Ui, pos2, vec2,
};

/// Most cells along a side; rows beyond share cells, of which the largest entry is shown. A mesh holds 60,000 vertices.
const MOST_CELLS: usize = 110;
/// Magnitudes below the largest entry that are told apart, as powers of ten.
const DECADES: f64 = 6.0;
/// Strength of the colour of the smallest entry that is not zero.
const FAINTEST: f32 = 0.14;
/// Height of the line above the picture, points.
const CAPTION: f32 = 16.0;
/// Size of the caption's text, points.
const TEXT: f32 = 11.0;

/// A square matrix with what is known about its rows, by their places in the picture.
pub(super) struct Grid<'a> {
    pub n: usize,
    /// First place and one behind the last of each framed block.
    pub blocks: Vec<[usize; 2]>,
    /// Places of rows, and of columns, that are marked.
    pub marked: [Vec<usize>; 2],
    /// What the caption calls it.
    pub name: &'a str,
}

/// Where the entries of a picture lie.
pub(super) struct Plan {
    square: Rect,
    n: usize,
    bin: usize,
}

impl Plan {
    /// Row and column under a point.
    pub fn at(&self, point: Pos2) -> Option<[usize; 2]> {
        let within = |from: f32, x: f32| {
            let place = ((x - from) / self.square.width() * self.n as f32).floor();
            (place >= 0.0 && place < self.n as f32).then_some(place as usize)
        };
        Some([within(self.square.top(), point.y)?, within(self.square.left(), point.x)?])
    }

    fn offset(&self, place: usize) -> f32 {
        self.square.width() * place as f32 / self.n as f32
    }

    fn cell(&self, row: usize, column: usize) -> Rect {
        let span = |bin: usize| [bin * self.bin, ((bin + 1) * self.bin).min(self.n)];
        let ([top, bottom], [left, right]) = (span(row), span(column));
        let corner = |x: usize, y: usize| self.square.min + vec2(self.offset(x), self.offset(y));
        Rect::from_min_max(corner(left, top), corner(right, bottom))
    }
}

/// The matrix of the step's problem. The row under the pointer becomes the hovered one; returns the row that was clicked.
pub(super) fn of_step(
    ui: &mut Ui,
    page: &Page<'_>,
    marks: &SolveView,
    view: &mut SolveView,
) -> Option<usize> {
    let opened = page.opened();
    let order = opened.order();
    let marked: Vec<usize> = (0..order.len()).filter(|&at| page.is_marked(marks, order[at])).collect();
    let blocks = opened.blocks().iter().map(|block| [block.places().start, block.places().end]).collect();
    let grid = Grid { n: order.len(), blocks, marked: [marked.clone(), marked], name: "A" };
    let entries = order.iter().enumerate().flat_map(|(at, &i)| {
        opened.entries(i).iter().map(move |(j, value)| (at, opened.place(*j), *value))
    });
    let (response, plan) = show(ui, &grid, entries, page.palette);
    let [row, column] = plan.at(response.hover_pos()?)?;
    let (i, j) = (order[row], order[column]);
    let key = RowKey::from(&opened.rows()[i]);
    view.hovered = Some(key);
    let clicked = response.clicked();
    if clicked {
        view.chosen = (view.chosen != Some(key)).then_some(key);
    }
    response.on_hover_ui_at_pointer(|ui| {
        ui.label("A = J M⁻¹ Jᵀ + c, ordered by islands; colours by log₁₀ over six decades");
        ui.label(format!(
            "A[{}, {}] = {}",
            row + 1,
            column + 1,
            format::significant(opened.entry(i, j), 4)
        ));
        ui.label(format!("row {}: {}", row + 1, page.who(i)));
        ui.label(format!("column {}: {}", column + 1, page.who(j)));
    });
    clicked.then_some(i)
}

/// Draws a matrix from its entries (place of the row, of the column, value) in the space that is left.
pub(super) fn show(
    ui: &mut Ui,
    grid: &Grid<'_>,
    entries: impl Iterator<Item = (usize, usize, f64)>,
    palette: &Palette,
) -> (Response, Plan) {
    let all = ui.available_rect_before_wrap();
    let side = all.width().min(all.height() - CAPTION).max(1.0);
    let square = Rect::from_min_size(all.min + vec2(0.0, CAPTION), vec2(side, side));
    let response = ui.allocate_rect(square, Sense::click());
    let plan = Plan { square, n: grid.n.max(1), bin: grid.n.div_ceil(MOST_CELLS).max(1) };
    let cells = plan.n.div_ceil(plan.bin);
    let mut values = vec![0.0_f64; cells * cells];
    for (row, column, value) in entries {
        let cell = &mut values[row / plan.bin * cells + column / plan.bin];
        // NaN is shown before everything else.
        if value.is_nan() || value.abs() > cell.abs() {
            *cell = value;
        }
    }
    let largest = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    ui.painter().rect_filled(square, 0.0, palette.background);
    let mut mesh = Mesh::default();
    for (at, value) in values.iter().enumerate().filter(|(_, value)| **value != 0.0) {
        mesh.add_colored_rect(plan.cell(at / cells, at % cells), shade(*value, largest, palette));
    }
    ui.painter().add(Shape::mesh(mesh));
    frames(ui, grid, &plan, palette);
    caption(ui, grid, all, largest, palette);
    (response, plan)
}

/// Frames of the blocks, and marked rows and columns.
fn frames(ui: &Ui, grid: &Grid<'_>, plan: &Plan, palette: &Palette) {
    let square = plan.square;
    let thin = Stroke::new(1.0, palette.axis);
    ui.painter().rect_stroke(square, 0.0, thin, StrokeKind::Outside);
    for [start, end] in &grid.blocks {
        let [from, to] = [plan.offset(*start), plan.offset(*end)];
        let block = Rect::from_min_max(square.min + vec2(from, from), square.min + vec2(to, to));
        ui.painter().rect_stroke(block, 0.0, thin, StrokeKind::Inside);
    }
    let color = palette.text.gamma_multiply(0.8);
    let stroke = Stroke::new(1.0, color);
    let [rows, columns] = &grid.marked;
    for &row in rows {
        let [top, bottom] = [plan.offset(row), plan.offset(row + 1)].map(|y| square.top() + y);
        let strip = Rect::from_min_max(pos2(square.left(), top), pos2(square.right(), bottom));
        ui.painter().rect_filled(strip, 0.0, palette.text.gamma_multiply(0.10));
        ui.painter().rect_stroke(strip, 0.0, stroke, StrokeKind::Inside);
    }
    for &column in columns {
        let [left, right] = [plan.offset(column), plan.offset(column + 1)].map(|x| square.left() + x);
        let strip = Rect::from_min_max(pos2(left, square.top()), pos2(right, square.bottom()));
        ui.painter().rect_filled(strip, 0.0, palette.text.gamma_multiply(0.07));
    }
}

/// Name and size, and what the colours mean, as far as there is room above the matrix.
fn caption(ui: &Ui, grid: &Grid<'_>, all: Rect, largest: f64, palette: &Palette) {
    let font = FontId::proportional(TEXT);
    let mut at = all.min + vec2(0.0, 0.5 * CAPTION - 1.0);
    let mut say = |text: String, color: Color32| {
        let text = ui.painter().layout_no_wrap(text, font.clone(), color);
        let place = Align2::LEFT_CENTER.anchor_size(at, text.size());
        at.x = place.right() + 5.0;
        if place.right() <= all.right() {
            ui.painter().galley(place.min, text, color);
        }
    };
    say(format!("{} {} × {}", grid.name, grid.n, grid.n), palette.weak);
    say("■+".to_owned(), palette.accent);
    say("■−".to_owned(), palette.slide);
    say(format!("≤ {}", format::significant(largest, 3)), palette.weak);
}

/// Hue by sign, strength by the logarithm of the magnitude.
fn shade(value: f64, largest: f64, palette: &Palette) -> Color32 {
    if !value.is_finite() {
        return palette.error;
    }
    let depth = (value.abs() / largest).log10() / DECADES;
    let strength = (1.0 + depth as f32).clamp(FAINTEST, 1.0);
    let hue = if value > 0.0 { palette.accent } else { palette.slide };
    palette.background.lerp_to_gamma(hue, strength)
}
