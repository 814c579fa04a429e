//! Shared by all plots: the time axis, the lines over it, the marks, zooming and moving.

use super::super::theme::Palette;
use super::curves::Curve;
use super::names::apart;
use crate::schemes::TABLE;
use crate::workbench::runs::comparison::Comparison;
use crate::workbench::runs::history::{Channel, Extremes, through};
use crate::workbench::runs::live_run::LiveRun;
use crate::workbench::text::format;
use crate::workbench::view_state::plot_view::{PlotView, Quantity};
use egui_macroquad::egui::{self, Color32, RichText, Ui};
use egui_plot::{
    AxisHints, GridInput, GridMark, Line, LineStyle, Plot, PlotBounds, PlotPoint, PlotPoints, PlotUi, Text,
    VLine,
};
use std::ops::RangeInclusive;

/// Width of a line of the main run and of the others, points.
const LINE: f32 = 2.0;
const FORK_LINE: f32 = 1.5;
/// Width of a column whose extremes a line is drawn through, pixels: narrower ones look the same and make twice the triangles.
const COLUMN: f32 = 2.0;
/// Time in which an axis goes most of the way to a new range, s.
const EASING: f64 = 0.06;
/// Share of an axis by which it may still move and count as arrived.
const STILL: f64 = 2e-3;
/// Opacity of a band from least to most, and width of the line that fills its columns, points.
const BAND: f32 = 0.3;
const BAND_LINE: f32 = 1.5;
/// Opacity of the branch that was left.
const BRANCH: f32 = 0.45;
/// Room for the names at the lines' ends, points; the most letters that it holds, their size, and the distance of their rows.
const NAMES: f64 = 150.0;
const LETTERS: usize = 26;
const NAME: f32 = 11.5;
const NAME_ROW: f64 = 13.0;
/// Distances of grid lines, in points, at which they are faintest and strongest; the latter is never reached.
const GRID_SPACING: egui::Rangef = egui::Rangef { min: 14.0, max: 2_400.0 };
/// Least distances of the numbers along both axes, points. Those that stand are drawn in full: fainter ones cannot be read.
const X_LABELS: f32 = 60.0;
const Y_LABELS: f32 = 13.0;
/// Height of the numbers and the title of the axis of time, points.
const BELOW: f32 = 34.0;
/// Share of the vertical axis at its foot that bears no numbers.
const FOOT: f64 = 0.04;
/// Rows in which labels of marks are placed.
const ROWS: usize = 4;
/// Height of such a row, points.
const ROW: f64 = 13.0;
/// Fewest characters of such a label and the space about it.
const SHORTEST: usize = 5;
/// Width of a character of such a label, points.
const CHARACTER: f64 = 6.0;
/// Zoom in time per point that the wheel scrolls.
const ZOOM_PER_POINT: f64 = 0.006;

/// Distances of the lines that stand for times, s: those with numbers, which have room for them, finer ones and coarser
/// ones, of 1, 2 and 5 times the powers of ten.
fn time_steps(input: GridInput) -> [f64; 3] {
    // The plot leaves out numbers that have no more than this room.
    let least = 1.001 * input.base_step_size * f64::from(X_LABELS / GRID_SPACING.min);
    let decade = 10f64.powf(least.log10().floor());
    // A number and its neighbours: the finer one divides it, and it divides the coarser one.
    let steps = [[0.5, 1.0, 5.0], [1.0, 2.0, 10.0], [1.0, 5.0, 10.0], [5.0, 10.0, 50.0]];
    let fits = steps.into_iter().find(|[_, step, _]| step * decade >= least);
    fits.unwrap_or(steps[3]).map(|step| step * decade)
}

/// The right end of a line.
pub(super) struct End {
    pub(super) point: PlotPoint,
    pub(super) color: Color32,
    /// Name of the run, or of the scheme that made its last steps in the window.
    pub(super) maker: String,
}

/// A run in a plot.
pub(super) struct Lane<'a> {
    pub(super) run: &'a LiveRun,
    /// Its scheme's name; with the parameters where another run has the same scheme.
    pub(super) name: String,
    /// Whether it is the main run.
    main: bool,
}

/// The runs of a comparison and the part of them that a plot shows.
pub(super) struct Frame<'a> {
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
        let lane = |run: &'a LiveRun, main| Lane { run, name: comparison.label(run), main };
        let forks = comparison.forks().iter().map(|fork| lane(fork.run(), false));
        let lanes = forks.chain([lane(simulation, true)]).collect();
        let height = ui.available_height();
        Some(Self { simulation, lanes, palette, window, span, columns, height })
    }

    /// A plot whose axis of time is `window`; scrolling and zooming are done by [`Frame::steer`].
    pub(super) fn plot(&self, id: &'static str, y_label: &str) -> Plot<'a> {
        let small = |text: &str| RichText::new(text).size(12.0).color(self.palette.weak);
        // Where the axis is shorter than its title, the value under the pointer says the unit.
        let long = CHARACTER as f32 * y_label.chars().count() as f32;
        let y_label = if long + BELOW <= self.height { y_label } else { "" };
        let spacing = |points| egui::Rangef::new(points, points);
        Plot::new(id)
            .custom_x_axes(vec![AxisHints::new_x().label_spacing(spacing(X_LABELS))])
            .custom_y_axes(vec![AxisHints::new_y().label_spacing(spacing(Y_LABELS))])
            .allow_zoom(false)
            .allow_scroll(false)
            .allow_drag(false)
            .allow_boxed_zoom(false)
            .allow_double_click_reset(false)
            .show_axes(true)
            // What is under the pointer is said by [`super::curves`].
            .show_x(false)
            .show_y(false)
            .show_background(false)
            .x_axis_formatter(|mark, _| format::significant(mark.value, 4))
            .x_axis_label(small("time t in s"))
            .y_axis_label(small(y_label))
            .grid_spacing(GRID_SPACING)
            .x_grid_spacer(egui_plot::uniform_grid_spacer(time_steps))
            .set_margin_fraction(egui::Vec2::ZERO)
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

    /// The line of a quantity of one run, thinned to the pixel columns, each value passed through `scale`: in the colour of the
    /// scheme that made the steps. Keeps it among the `curves`, and returns its end.
    pub(super) fn line(
        &self,
        plot: &mut PlotUi<'_>,
        curves: &mut Vec<Curve>,
        lane: &Lane<'_>,
        (index, quantity): (usize, &Quantity),
        scale: impl Fn(f64) -> f64,
    ) -> Option<End> {
        let history = lane.run.history();
        let name = match self.lanes.len() {
            1 => quantity.name.to_owned(),
            _ => format!("{}: {}", lane.name, quantity.name),
        };
        let mut last = None;
        for (part, scheme) in history.schemes(self.window) {
            let color = self.palette.scheme(scheme);
            // The scheme that made these steps: a run in the past may have gone on under another.
            let maker = if scheme == lane.run.scheme_index() {
                lane.name.clone()
            } else {
                TABLE.get(scheme).map_or_else(String::new, |scheme| scheme.info().short.to_owned())
            };
            let width = if lane.main { LINE } else { FORK_LINE };
            let columns = self.columns_of(part);
            for run in history.decimate(quantity.channel, part, columns) {
                let points = through(&run, &scale).map(PlotPoint::from).collect::<Vec<_>>();
                let end = |point: &PlotPoint| End { point: *point, color, maker: maker.clone() };
                last = points.last().map(end).or(last);
                let mut drawn = points.clone();
                // Dashes up and down between extremes would be a mess: a band from least to most, and the dashes along the most.
                if quantity.stroke.lengths().is_some() && run.iter().any(|column| column.low < column.high)
                {
                    let band = Line::new(&name, PlotPoints::Owned(drawn)).width(BAND_LINE);
                    plot.line(band.color(color.gamma_multiply(BAND)));
                    let most = run.iter().map(|column| PlotPoint::new(column.time, scale(column.high)));
                    drawn = most.collect();
                }
                let line = Line::new(&name, PlotPoints::Owned(drawn)).style(quantity.stroke.style());
                plot.line(line.color(color).width(width * quantity.stroke.width()));
                curves.push(Curve { points, name: name.clone(), quantity: index, color, left: None });
            }
        }
        last
    }

    /// The pixel columns of a part of the window.
    fn columns_of(&self, [from, to]: [f64; 2]) -> usize {
        let share = (to - from) / (self.window[1] - self.window[0]);
        ((self.columns as f64 * share).ceil() as usize).max(1)
    }

    /// The extremes of a quantity of all runs in the window.
    pub(super) fn extremes(&self, channel: Channel) -> impl Iterator<Item = (&Lane<'a>, Extremes)> {
        self.lanes.iter().flat_map(move |lane| {
            let runs = lane.run.history().decimate(channel, self.window, self.columns);
            runs.into_iter().flatten().map(move |column| (lane, column))
        })
    }

    /// The extremes of a quantity in the futures that were left, in the window.
    pub(super) fn left(&self, channel: Channel) -> impl Iterator<Item = Extremes> {
        self.lanes.iter().filter_map(|lane| lane.run.branch()).flat_map(move |branch| {
            let part = [self.window[0].max(branch.span()[0]), self.window[1]];
            branch.history().decimate(channel, part, self.columns_of(part)).into_iter().flatten()
        })
    }

    /// The future that a run left, in grey, among the `curves` as well.
    pub(super) fn branch(
        &self,
        plot: &mut PlotUi<'_>,
        curves: &mut Vec<Curve>,
        lane: &Lane<'_>,
        (index, quantity): (usize, &Quantity),
        scale: impl Fn(f64) -> f64,
    ) {
        let Some(branch) = lane.run.branch() else { return };
        let left = branch.span()[0];
        let part = [self.window[0].max(left), self.window[1]];
        let name = format!("the future left at {} s: {}", format::significant(left, 4), quantity.name);
        for run in branch.history().decimate(quantity.channel, part, self.columns_of(part)) {
            let points = through(&run, &scale).map(PlotPoint::from).collect::<Vec<_>>();
            let color = self.palette.weak.gamma_multiply(BRANCH);
            let line = Line::new(&name, PlotPoints::Owned(points.clone())).style(quantity.stroke.style());
            plot.line(line.color(color).width(FORK_LINE));
            let (name, color) = (name.clone(), self.palette.weak);
            curves.push(Curve { points, name, quantity: index, color, left: Some(left) });
        }
    }

    /// Names at the right ends of lines, moved apart where they would overlap; returns their places on the screen.
    pub(super) fn names(&self, plot: &mut PlotUi<'_>, mut ends: Vec<End>) -> Vec<egui::Rect> {
        let mut places = Vec::new();
        let per_point = plot.transform().dvalue_dpos();
        let (right, row) = (self.window[1], (NAME_ROW * per_point[1]).abs());
        let bounds = plot.plot_bounds();
        let [low, high] = [bounds.min()[1] + 0.5 * row, bounds.max()[1] - 0.5 * row];
        ends.retain(|end| end.point.y.is_finite() && end.point.x <= right);
        ends.sort_by(|a, b| b.point.y.total_cmp(&a.point.y));
        let heights: Vec<f64> = ends.iter().map(|end| end.point.y).collect();
        for (End { point, color, maker }, y) in ends.into_iter().zip(apart(&heights, row, [low, high])) {
            let ellipsis = if maker.chars().count() > LETTERS { "…" } else { "" };
            let maker: String = maker.chars().take(LETTERS).collect();
            let text = RichText::new(format!(" {maker}{ellipsis}")).size(NAME).color(color);
            let place = PlotPoint::new(point.x, y);
            let anchor = egui::Align2::LEFT_CENTER;
            let size = egui::vec2((CHARACTER * (maker.chars().count() + 2) as f64) as f32, NAME_ROW as f32);
            places.push(anchor.anchor_size(plot.screen_from_plot(place), size));
            plot.text(Text::new("", place, text).color(color).anchor(anchor));
        }
        places
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

/// Lines of a vertical axis at steps of 1, 2 or 5 × 10ⁿ, of at least `least`: about `lines` of them, fewer where their
/// numbers would lie over each other.
pub(super) fn steps(input: GridInput, lines: f64, least: f64) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let mut step = format::round_down((high - low) / lines).max(least);
    // The base step is as long as a number is high.
    while step < input.base_step_size {
        step = format::round_down(2.5 * step);
    }
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    // Labels are drawn where the step is long enough; all of these are.
    (first..=last).map(|i| GridMark { value: i as f64 * step, step_size: high - low }).collect()
}

/// The text of a mark of the vertical axis, unless it stands at the axis's foot, where the first number of the time stands.
pub(super) fn above_the_foot(mark: GridMark, range: &RangeInclusive<f64>, text: String) -> String {
    let share = (mark.value - range.start()) / (range.end() - range.start());
    if share < FOOT { String::new() } else { text }
}
