//! Shared by all plots: the time axis, the lines over it, the marks, zooming and moving.

use super::super::format;
use super::super::plot_view::{PlotView, Quantity};
use super::super::simulation::Simulation;
use super::super::theme::Palette;
use egui_macroquad::egui::{self, Color32, RichText, Ui};
use egui_plot::{Line, LineStyle, Plot, PlotBounds, PlotPoint, PlotPoints, PlotUi, Text, VLine};

/// Width of a line of the plot, points.
const LINE: f32 = 1.6;
/// Distances of grid lines, in points, at which they are faintest and strongest; the latter is never reached.
const GRID_SPACING: egui::Rangef = egui::Rangef { min: 14.0, max: 2_400.0 };
/// Rows in which labels of marks are placed.
const ROWS: usize = 4;
/// Height of such a row, points.
const ROW: f64 = 13.0;
/// Width of a character of such a label, points.
const CHARACTER: f64 = 6.0;
/// Zoom in time per point that the wheel scrolls.
const ZOOM_PER_POINT: f64 = 0.006;

/// The part of a run that a plot shows.
pub(super) struct Frame<'a> {
    pub(super) simulation: &'a Simulation,
    pub(super) palette: &'a Palette,
    /// The part of the run that is shown, s.
    pub(super) window: [f64; 2],
    /// The whole run, s.
    pub(super) span: [f64; 2],
    /// Pixel columns.
    pub(super) columns: usize,
}

impl<'a> Frame<'a> {
    pub(super) fn new(
        ui: &Ui,
        view: &PlotView,
        simulation: &'a Simulation,
        palette: &'a Palette,
    ) -> Option<Self> {
        let span = simulation.history().span()?;
        let columns = ui.available_width().max(1.0) as usize;
        let mut window = view.window(span);
        let now = simulation.world().time;
        // A plot that follows the run shows the present state, also after going back.
        if view.held.is_none() && now < window[0] {
            window = [now, now + window[1] - window[0]];
        }
        Some(Self { simulation, palette, window, span, columns })
    }

    /// A plot whose axis of time is `window`; scrolling and zooming are done by [`Frame::steer`].
    pub(super) fn plot(&self, id: &'static str, y_label: &str) -> Plot<'a> {
        let small = |text: &str| RichText::new(text).size(11.0).color(self.palette.weak);
        Plot::new(id)
            .allow_zoom(false)
            .allow_scroll(false)
            .allow_drag(false)
            .allow_boxed_zoom(false)
            .allow_double_click_reset(false)
            .show_axes(true)
            .show_background(false)
            .x_axis_formatter(|mark, _| format::significant(mark.value, 4))
            .x_axis_label(small("time t in s"))
            .y_axis_label(small(y_label))
            .grid_spacing(GRID_SPACING)
            .set_margin_fraction(egui::Vec2::ZERO)
    }

    /// Shows `low` to `high`.
    pub(super) fn bounds(&self, plot: &mut PlotUi<'_>, [low, high]: [f64; 2]) {
        let [from, to] = self.window;
        plot.set_plot_bounds(PlotBounds::from_min_max([from, low], [to, high]));
    }

    /// The line of a quantity, thinned to the pixel columns, each value passed through `scale`.
    pub(super) fn line(
        &self,
        plot: &mut PlotUi<'_>,
        quantity: &Quantity,
        color: Color32,
        scale: impl Fn(f64) -> f64,
    ) {
        for run in self.simulation.history().decimate(quantity.channel, self.window, self.columns) {
            let mut points: Vec<PlotPoint> = Vec::with_capacity(2 * run.len());
            for column in run {
                let (low, high) = (scale(column.low), scale(column.high));
                // Nearest end first, so that the line does not cross each column twice.
                let from_above =
                    points.last().is_some_and(|last| (last.y - high).abs() < (last.y - low).abs());
                let ends = if from_above { [high, low] } else { [low, high] };
                points.push(PlotPoint::new(column.time, ends[0]));
                if low != high {
                    points.push(PlotPoint::new(column.time, ends[1]));
                }
            }
            let line = Line::new(quantity.name, PlotPoints::Owned(points));
            plot.line(line.color(color).width(LINE).allow_hover(true));
        }
    }

    /// Labelled vertical lines at changes, and a line at the present state if there are recorded states after it.
    pub(super) fn marks(&self, plot: &mut PlotUi<'_>, top: f64) {
        let color = self.palette.weak;
        let [from, to] = self.window;
        if self.simulation.is_in_the_past() {
            let now = VLine::new("", self.simulation.world().time).color(self.palette.accent).width(1.4);
            plot.vline(now.allow_hover(false));
        }
        let per_point = plot.transform().dvalue_dpos();
        // Where the last label of each row ends; a label that would overlap it goes one row down.
        let mut ends = [f64::NEG_INFINITY; ROWS];
        for mark in self.simulation.history().marks().filter(|m| m.time >= from && m.time <= to) {
            let row = ends.iter().position(|end| *end < mark.time).unwrap_or(ROWS - 1);
            let width = CHARACTER * (mark.label.chars().count() + 2) as f64;
            ends[row] = mark.time + width * per_point[0];
            let y = top + ROW * row as f64 * per_point[1];
            let line = VLine::new("", mark.time).color(color.gamma_multiply(0.7)).width(1.0);
            plot.vline(line.style(LineStyle::dashed_dense()).allow_hover(false));
            let text = RichText::new(format!(" {}", mark.label)).size(10.5).color(color);
            let place = PlotPoint::new(mark.time, y);
            plot.text(
                Text::new("", place, text).color(color).anchor(egui::Align2::LEFT_TOP).allow_hover(false),
            );
        }
    }

    /// Lets wheel, drag and double click choose the part of the run that is shown.
    pub(super) fn steer(
        &self,
        response: &egui::Response,
        at: Option<f64>,
        per_point: f64,
        view: &mut PlotView,
    ) {
        let scroll = response.ctx.input(|i| i.smooth_scroll_delta);
        if let (true, Some(at)) = (response.hovered() && scroll.y != 0.0, at) {
            view.zoom(self.span, at, (-ZOOM_PER_POINT * f64::from(scroll.y)).exp());
        }
        if response.dragged() {
            view.pan(self.span, -f64::from(response.drag_delta().x) * per_point);
        }
        if response.double_clicked() {
            view.reset();
        }
    }
}
