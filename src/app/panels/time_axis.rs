//! Shared by all plots: the time axis, the lines over it, the marks, zooming and moving.

use super::super::theme::Palette;
use super::drawn::{self, CHARACTER, GRID_SPACING, LABELS};
use crate::app::model::plotted::{Lane, Plotted, Shown, lanes};
use crate::app::runs::comparison::Comparison;
use crate::app::runs::live_run::LiveRun;
use crate::app::runs::watched::Reading;
use crate::app::view_state::plot_view::PlotView;
use crate::figure::Chart;
use egui_macroquad::egui::{self, RichText, Ui};
use egui_plot::{
    GridInput, LineStyle, Plot, PlotBounds, PlotPoint, PlotUi, Text, VLine, uniform_grid_spacer,
};

/// Width of a column whose extremes a line is drawn through, pixels: narrower ones look the same and make twice the triangles.
const COLUMN: f32 = 2.0;
/// Time in which an axis goes most of the way to a new range, s.
const EASING: f64 = 0.06;
/// Share of an axis by which it may still move and count as arrived.
const STILL: f64 = 2e-3;
/// Room for the names at the lines' ends, points; the most letters that it holds.
const NAMES: f64 = 150.0;
const LETTERS: usize = 26;
/// Height of the numbers and the title of the axis of time, points.
const BELOW: f32 = 34.0;
/// Rows in which labels of marks are placed.
const ROWS: usize = 4;
/// Height of such a row, points.
const ROW: f64 = 13.0;
/// Fewest characters of such a label and the space about it.
const SHORTEST: usize = 5;
/// Zoom in time per point that the wheel scrolls.
const ZOOM_PER_POINT: f64 = 0.006;

/// Distances of the lines that stand for times, s: those with numbers, which have room for them, finer ones and coarser
/// ones, of 1, 2 and 5 times the powers of ten.
fn time_steps(input: GridInput) -> [f64; 3] {
    // The plot leaves out numbers that have no more than this room.
    let least = 1.001 * input.base_step_size * f64::from(LABELS[0] / GRID_SPACING.min);
    let decade = 10f64.powf(least.log10().floor());
    // A number and its neighbours: the finer one divides it, and it divides the coarser one.
    let steps = [[0.5, 1.0, 5.0], [1.0, 2.0, 10.0], [1.0, 5.0, 10.0], [5.0, 10.0, 50.0]];
    let fits = steps.into_iter().find(|[_, step, _]| step * decade >= least);
    fits.unwrap_or(steps[3]).map(|step| step * decade)
}

/// The runs of a comparison and the part of them that a plot shows.
pub(super) struct Frame<'a> {
    comparison: &'a Comparison,
    /// The main run.
    pub(super) simulation: &'a LiveRun,
    /// All runs, the main one last, so that it is drawn over the others.
    pub(super) lanes: Vec<Lane<'a>>,
    pub(super) palette: &'a Palette,
    /// The part of the run that is shown, s.
    pub(super) window: [f64; 2],
    /// The whole run, s.
    pub(super) span: [f64; 2],
    /// Columns of [`COLUMN`] pixels.
    pub(super) columns: usize,
    /// Height of the whole plot, points.
    height: f32,
}

impl<'a> Frame<'a> {
    pub(super) fn new(
        ui: &Ui,
        view: &PlotView,
        comparison: &'a Comparison,
        palette: &'a Palette,
    ) -> Option<Self> {
        let simulation = comparison.main();
        let span = simulation.history().span()?;
        let width = ui.available_width().max(1.0);
        let columns = (width * ui.pixels_per_point() / COLUMN).max(1.0) as usize;
        let mut window = view.window(span);
        let now = simulation.world().time();
        if view.held.is_none() {
            // A plot that follows the run shows the present state, also after going back: in the middle, with what came after it.
            let half = 0.5 * (window[1] - window[0]);
            if now < window[0] + half && window[0] > span[0] {
                let from = (now - half).max(span[0]);
                window = [from, from + 2.0 * half];
            }
            // Room for the names at the lines' ends.
            let room = NAMES / (f64::from(width) - NAMES).max(NAMES);
            if window[1] >= span[1] {
                window[1] = window[1].max(span[1] + room * (span[1] - window[0]));
            }
        }
        let height = ui.available_height();
        let lanes = lanes(comparison);
        Some(Self { comparison, simulation, lanes, palette, window, span, columns, height })
    }

    /// The figure of this part of the runs, its lines thinned to the pixel columns.
    pub(super) fn plotted(&self, view: &PlotView, readings: &'static [Reading]) -> Plotted {
        let Self { comparison, palette, window, columns, .. } = *self;
        Shown { view, comparison, palette, readings, window, columns }.plotted()
    }

    /// A plot whose axis of time is `window`; scrolling and zooming are done by [`Frame::steer`].
    pub(super) fn plot(&self, id: &str, chart: &Chart) -> Plot<'a> {
        let plot = drawn::plot(id, chart, self.palette);
        let plot = plot.x_grid_spacer(uniform_grid_spacer(time_steps));
        // Where the axis is shorter than its title, the value under the pointer says the unit.
        let long = CHARACTER as f32 * chart.y.label.chars().count() as f32;
        if long + BELOW <= self.height { plot } else { plot.y_axis_label("") }
    }

    /// A range of the vertical axis that holds `range` at once, and shrinks to it within a moment instead of jumping there.
    pub(super) fn eased(&self, ui: &Ui, axis: &str, range: [f64; 2]) -> [f64; 2] {
        if ui.style().animation_time == 0.0 {
            return range;
        }
        let id = egui::Id::new(("axis", axis));
        let mut from = ui.data(|data| data.get_temp::<[f64; 2]>(id)).unwrap_or(range);
        let same = |a: [f64; 2], b: [f64; 2]| {
            let size = (b[1] - b[0]).abs();
            (a[0] - b[0]).abs() <= STILL * size && (a[1] - b[1]).abs() <= STILL * size
        };
        // By frames, not by the clock, so that counted frames are the same every time.
        let elapsed = f64::from(ui.input(|input| input.predicted_dt)).min(EASING);
        let share = 1.0 - (-elapsed / EASING).exp();
        from = [0, 1].map(|end| from[end] + share * (range[end] - from[end]));
        from = [from[0].min(range[0]), from[1].max(range[1])];
        if same(from, range) {
            from = range;
        } else {
            ui.ctx().request_repaint();
        }
        ui.data_mut(|data| data.insert_temp(id, from));
        from
    }

    /// Shows `low` to `high`.
    pub(super) fn bounds(&self, plot: &mut PlotUi<'_>, [low, high]: [f64; 2]) {
        let [from, to] = self.window;
        plot.set_plot_bounds(PlotBounds::from_min_max([from, low], [to, high]));
    }

    /// Names at the right ends of lines, of several runs also of those below the axis; returns their places on the screen.
    pub(super) fn names(&self, plot: &mut PlotUi<'_>, plotted: &Plotted, bottom: f64) -> Vec<egui::Rect> {
        let chart = &plotted.chart;
        let named = chart.curves.iter().zip(&plotted.sources).filter_map(|(curve, source)| {
            let end = drawn::end(chart, curve).filter(|end| end.x <= self.window[1])?;
            let below = end.y <= bottom;
            let name = source.end.as_ref().filter(|_| !below || self.lanes.len() > 1)?;
            let ellipsis = if name.chars().count() > LETTERS { "…" } else { "" };
            let name: String = name.chars().take(LETTERS).collect();
            let below = if below { " ↓" } else { "" };
            Some((end, curve.color, format!(" {name}{ellipsis}{below}")))
        });
        drawn::names(plot, named.collect())
    }

    /// Labelled vertical lines at changes, and a line at the present state if there are recorded states after it;
    /// returns the places of the labels on the screen.
    pub(super) fn marks(&self, plot: &mut PlotUi<'_>, top: f64) -> Vec<egui::Rect> {
        let [from, to] = self.window;
        if self.simulation.is_in_the_past() {
            let now = VLine::new("", self.simulation.world().time()).color(self.palette.accent).width(1.4);
            plot.vline(now);
        }
        let per_point = plot.transform().dvalue_dpos();
        // Where the last label of each row ends; a label that would overlap it goes one row down.
        let mut ends = [f64::NEG_INFINITY; ROWS];
        let mut places = Vec::new();
        let marks =
            self.lanes.iter().flat_map(|lane| lane.run.history().marks().map(move |mark| (lane, mark)));
        let mut marks: Vec<_> = marks.filter(|(_, mark)| (from..=to).contains(&mark.time)).collect();
        marks.sort_by(|a, b| a.1.time.total_cmp(&b.1.time));
        for (lane, mark) in marks {
            let of_scheme = self.palette.scheme(lane.run.scheme_index());
            let color = if lane.main { self.palette.weak } else { of_scheme };
            let line = VLine::new("", mark.time).color(color.gamma_multiply(0.7)).width(1.0);
            plot.vline(line.style(LineStyle::dashed_dense()));
            // Where changes crowd, the timeline's marks tell the rest.
            let Some(row) = ends.iter().position(|end| *end < mark.time) else { continue };
            // What does not fit between the mark and the plot's end is said by the timeline's mark.
            let room = ((to - mark.time) / (CHARACTER * per_point[0])) as usize;
            if room < SHORTEST {
                continue;
            }
            let mut label: String = mark.label.chars().take(room - 2).collect();
            if label.len() < mark.label.len() {
                label.pop();
                label.push('…');
            }
            let width = CHARACTER * (label.chars().count() + 2) as f64;
            ends[row] = mark.time + width * per_point[0];
            let y = top + ROW * row as f64 * per_point[1];
            let text = RichText::new(format!(" {label}")).size(10.5).color(color);
            let place = PlotPoint::new(mark.time, y);
            let size = egui::vec2(width as f32, ROW as f32);
            places.push(egui::Rect::from_min_size(plot.screen_from_plot(place), size));
            plot.text(Text::new("", place, text).color(color).anchor(egui::Align2::LEFT_TOP));
        }
        places
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
