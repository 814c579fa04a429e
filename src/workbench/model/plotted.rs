//! The plot that is shown, as a figure: a curve of every run for every quantity, in the part of the time that is shown.
//! The window draws it, and a picture file has the same.

use crate::figure::{Axis, Chart, Curve, Dash, Ends, Level, Named};
use crate::numbers::significant;
use crate::peers;
use crate::scene;
use crate::scene::Bound;
use crate::scene::window::QUANTITIES;
use crate::workbench::runs::comparison::Comparison;
use crate::workbench::runs::history::{Channel, Extremes, through};
use crate::workbench::runs::live_run::LiveRun;
use crate::workbench::view_state::plot_view::{
    COUNTS, ENERGIES, ERRORS, PlotView, Quantity, Tab, concerned, energy_drawn, energy_range, error_axis,
};
use crate::workbench::view_state::scheme_colours::SchemeColours;
use crate::workbench::watched::Reading;

/// Width of a line of the main run and of the others, px.
const WIDTHS: [f32; 2] = [2.0, 1.4];
/// Opacity of a band from least to most, and width of the line that fills its columns, px.
const BAND: f32 = 0.3;
const BAND_LINE: f32 = 1.5;
/// Opacity of a future that was left.
const BRANCH: f32 = 0.45;
/// Highest error that is drawn; larger ones of a diverged world are drawn here.
const CEILING: f64 = 1e6;
/// Room above and below the readings of what is watched, as a share of their range, and the smallest range as a share of the
/// largest value: smaller differences are rounding.
const MARGIN: f64 = 0.12;
const FLATTEST: f64 = 1e-9;
/// Room above the counts, as a share of the largest one.
const ABOVE: f64 = 0.15;

/// A run in a plot.
pub struct Lane<'a> {
    pub run: &'a LiveRun,
    /// Its scheme's name; with the parameters where another run has the same scheme.
    pub name: String,
    /// Whether it is the main run.
    pub main: bool,
}

/// All runs, the main one last, so that it is drawn over the others.
pub fn lanes(comparison: &Comparison) -> Vec<Lane<'_>> {
    let lane = |run, main| Lane { run, name: comparison.label(run), main };
    let forks = comparison.forks().iter().map(|fork| lane(fork.run(), false));
    forks.chain([lane(comparison.main(), true)]).collect()
}

/// A quantity that is plotted.
pub struct PlottedQuantity {
    pub quantity: Quantity,
    /// The name of its column in a table.
    pub key: &'static str,
    pub unit: String,
}

/// The quantities of the plot that is shown; of what is watched, all its readings.
pub fn quantities(
    view: &PlotView,
    comparison: &Comparison,
    readings: &'static [Reading],
) -> Vec<PlottedQuantity> {
    let main = comparison.main();
    let chosen = |all: &'static [Quantity], shown: &[bool], group: usize| {
        // Their names in files are those of the columns of a run's table.
        let named = all.iter().zip(QUANTITIES[group].1).zip(shown).filter(|(_, shown)| **shown);
        let all = named.map(|((quantity, key), _)| {
            let unit = if group == 1 { "J".to_owned() } else { quantity.unit(main.units()) };
            PlottedQuantity { quantity: *quantity, key, unit }
        });
        all.collect()
    };
    match view.tab {
        Tab::Errors => {
            let offered = concerned(&main.scene.world);
            let shown: [bool; ERRORS.len()] = std::array::from_fn(|i| view.errors[i] && offered[i]);
            chosen(&ERRORS, &shown, 0)
        }
        Tab::Energy => chosen(&ENERGIES, &view.energies, 1),
        Tab::Solver => chosen(&COUNTS, &view.counts, 2),
        Tab::Watch => {
            let one = |(place, reading): (usize, &Reading)| PlottedQuantity {
                quantity: Quantity::of_watched(place, reading),
                key: reading.key,
                unit: reading.unit.to_owned(),
            };
            readings.iter().enumerate().map(one).collect()
        }
        Tab::Compare | Tab::Judge => Vec::new(),
    }
}

/// What belongs to a curve beside its figure.
pub struct Source {
    /// Whose it is, and which quantity.
    pub name: String,
    pub unit: String,
    /// The name at its end, where it has one.
    pub end: Option<String>,
    /// When the future was left that it shows, s; none for the run itself.
    pub left: Option<f64>,
}

/// A plot as a figure.
pub struct Plotted {
    pub chart: Chart,
    /// One for each curve.
    pub sources: Vec<Source>,
}

/// What is plotted, of which part of the time, in which colours.
pub struct Shown<'a> {
    pub view: &'a PlotView,
    pub comparison: &'a Comparison,
    pub colours: &'a SchemeColours,
    /// Readings of what is watched.
    pub readings: &'static [Reading],
    /// The part of the time, s.
    pub window: [f64; 2],
    /// Columns through whose extremes a line is drawn.
    pub columns: usize,
}

impl Shown<'_> {
    /// The figure.
    pub fn plotted(&self) -> Plotted {
        let mut quantities = quantities(self.view, self.comparison, self.readings);
        let place = self.view.reading(self.readings);
        if self.view.tab == Tab::Watch {
            quantities.retain(|own| own.quantity.channel == Channel::WATCHED[place]);
        }
        let (x, y) = (Axis::linear("time t in s").ending(Ends::At(self.window)), self.axis(place));
        let (title, levels) = (String::new(), self.levels());
        let chart = Chart { title, x, y, curves: Vec::new(), levels };
        let mut plotted = Plotted { chart, sources: Vec::new() };
        let lanes = lanes(self.comparison);
        // Of several runs one quantity's lines bear their names.
        let total = quantities.iter().position(|own| own.quantity.channel == Channel::Total);
        for (index, own) in quantities.iter().enumerate() {
            if let Some(across) = self.across() {
                plotted.chart.x = Axis::linear(self.readings[across].axis());
                lanes.iter().for_each(|lane| self.pairs(&mut plotted, lane, own, across));
                continue;
            }
            lanes.iter().for_each(|lane| self.branch(&mut plotted, lane, own));
            // Counts crowd at the top, where changes are named.
            let bears = self.view.tab != Tab::Solver && (lanes.len() == 1 || index == total.unwrap_or(0));
            let several = [lanes.len() > 1, quantities.len() > 1];
            lanes.iter().for_each(|lane| self.line(&mut plotted, lane, own, several, bears));
        }
        let values = || plotted.chart.curves.iter().flat_map(Curve::points).map(|point| point[1]);
        let ends = match self.view.tab {
            Tab::Energy => Some(energy_range(values().map(|value| [value, value]))),
            Tab::Solver => Some([0.0, values().fold(1.0, f64::max) * (1.0 + ABOVE)]),
            Tab::Watch if self.across().is_none() => Some(spread(values())),
            _ => None,
        };
        plotted.chart.y.ends = ends.map_or(plotted.chart.y.ends, Ends::At);
        plotted
    }

    /// The reading over which another one is plotted, where it is not time.
    fn across(&self) -> Option<usize> {
        self.view.over(self.readings).filter(|_| self.view.tab == Tab::Watch)
    }

    /// The vertical axis.
    fn axis(&self, place: usize) -> Axis {
        match self.view.tab {
            Tab::Errors => {
                let label = error_axis(&self.view.errors, self.comparison.main().units());
                Axis::logarithmic(label).ending(Ends::Errors)
            }
            Tab::Energy => Axis::linear("change of energy in J"),
            Tab::Watch => Axis::linear(self.readings.get(place).map_or_else(String::new, Reading::axis)),
            Tab::Solver | Tab::Compare | Tab::Judge => Axis::linear("count").whole(),
        }
    }

    /// The line of a quantity of one run, in the colour of the scheme that made the steps.
    fn line(
        &self,
        plotted: &mut Plotted,
        lane: &Lane<'_>,
        own: &PlottedQuantity,
        several: [bool; 2],
        bears: bool,
    ) {
        let (history, channel) = (lane.run.history(), own.quantity.channel);
        let (value, [runs, many]) = (self.values(lane, channel), several);
        let first = plotted.sources.len();
        for (part, scheme) in history.schemes(self.window) {
            // A run in the past may have gone on under another scheme.
            let maker = match peers::at(scheme) {
                Some(other) if scheme != lane.run.scheme_index() => other.info().short.to_owned(),
                _ => lane.name.clone(),
            };
            let columns = history.decimate(channel, part, self.columns_of(part));
            let color = self.colours.of(scheme);
            let mut line = self.drawn(plotted, own, lane.main, &columns, &value);
            if columns.is_empty() {
                continue;
            }
            let source = |end: Option<String>| Source {
                name: if runs {
                    format!("{}: {}", lane.name, own.quantity.name)
                } else {
                    own.quantity.name.to_owned()
                },
                unit: own.unit.clone(),
                end,
                left: None,
            };
            // Dashes up and down between extremes would be a mess: a band from least to most, and the dashes along the most.
            if line.dash.lengths().is_some() && columns.iter().flatten().any(|at| at.low < at.high) {
                let most = |run: &Vec<Extremes>| run.iter().map(|at| [at.time, value(at.high)]).collect();
                let most = columns.iter().map(most).collect();
                let parts = std::mem::replace(&mut line.parts, most);
                let (dash, opacity, named) = (Dash::Solid, BAND, Named::Nowhere);
                let label = String::new();
                let band =
                    Curve { parts, dash, opacity, named, label, color, width: BAND_LINE, mark: None };
                plotted.chart.curves.push(band);
                plotted.sources.push(source(None));
            }
            line.label = if many { format!("{maker}: {}", own.quantity.name) } else { maker.clone() };
            line.color = color;
            plotted.chart.curves.push(line);
            plotted.sources.push(source(Some(if many && !runs {
                own.quantity.name.to_owned()
            } else {
                maker
            })));
        }
        // The last part alone is named at its end.
        let last = plotted.sources.len().saturating_sub(usize::from(bears));
        plotted.sources.get_mut(first..last).into_iter().flatten().for_each(|source| source.end = None);
    }

    /// The future that a run left.
    fn branch(&self, plotted: &mut Plotted, lane: &Lane<'_>, own: &PlottedQuantity) {
        let Some(branch) = lane.run.branch() else { return };
        let (left, channel) = (branch.span()[0], own.quantity.channel);
        let part = [self.window[0].max(left), self.window[1]];
        let columns = branch.history().decimate(channel, part, self.columns_of(part));
        let line = self.drawn(plotted, own, false, &columns, self.values(lane, channel));
        let (color, opacity, named) = (self.colours.weak, BRANCH, Named::Nowhere);
        plotted.chart.curves.push(Curve { color, opacity, named, ..line });
        plotted.sources.push(Source {
            name: format!("the future left at {} s: {}", significant(left, 4), own.quantity.name),
            unit: own.unit.clone(),
            end: None,
            left: Some(left),
        });
    }

    /// One reading over another, step by step.
    fn pairs(&self, plotted: &mut Plotted, lane: &Lane<'_>, own: &PlottedQuantity, across: usize) {
        let channels = [Channel::WATCHED[across], own.quantity.channel];
        let parts = vec![lane.run.history().pairs(channels, self.window)];
        let line = self.drawn(plotted, own, lane.main, &[], |value| value);
        let (color, label) = (self.colours.of(lane.run.scheme_index()), lane.name.clone());
        plotted.chart.curves.push(Curve { color, label, parts, ..line });
        let (name, unit) = (lane.name.clone(), own.unit.clone());
        plotted.sources.push(Source { name, unit, end: None, left: None });
    }

    /// A black curve through columns, each value passed through `value`.
    fn drawn(
        &self,
        plotted: &Plotted,
        own: &PlottedQuantity,
        main: bool,
        columns: &[Vec<Extremes>],
        value: impl Fn(f64) -> f64,
    ) -> Curve {
        let through = |run: &Vec<Extremes>| {
            let placed = through(run, |own| plotted.chart.y.place(value(own)));
            placed.map(|[time, place]| [time, plotted.chart.y.value(place)]).collect()
        };
        Curve {
            label: String::new(),
            named: Named::Legend,
            parts: columns.iter().map(through).collect(),
            color: [0, 0, 0],
            opacity: 1.0,
            width: WIDTHS[usize::from(!main)],
            dash: own.quantity.stroke,
            mark: None,
        }
    }

    /// What is drawn of a recorded value: of energies the change since the run began.
    fn values(&self, lane: &Lane<'_>, channel: Channel) -> impl Fn(f64) -> f64 + use<> {
        let tab = self.view.tab;
        let start = lane.run.history().value_at(channel, lane.run.origin().time).unwrap_or_default();
        move |value| match tab {
            Tab::Errors => value.min(CEILING),
            Tab::Energy => energy_drawn(value - start),
            _ => value,
        }
    }

    /// The columns of a part of the window.
    fn columns_of(&self, [from, to]: [f64; 2]) -> usize {
        let share = (to - from) / (self.window[1] - self.window[0]);
        ((self.columns as f64 * share).ceil() as usize).max(1)
    }

    /// The scene's published levels that a plot of errors can show.
    fn levels(&self) -> Vec<Level> {
        use scene::Quantity::{
            ContactError, ContactErrorBefore, JointError, JointErrorBefore, VelocityError,
        };
        let main = self.comparison.main();
        let ours = [JointError, JointErrorBefore, ContactError, ContactErrorBefore, VelocityError];
        let shown = |reference: &&scene::Reference| {
            self.view.tab == Tab::Errors
                && ours.contains(&reference.quantity)
                && reference.concerns(&main.method().stabilizer)
        };
        let level = |reference: &scene::Reference| {
            let sign = match reference.bound {
                Bound::AtMost(_) => "≤ ",
                Bound::AtLeast(_) => "≥ ",
                Bound::About(_) => "≈ ",
            };
            let value = reference.bound.value();
            let label = format!("{} ({sign}{})", reference.label, significant(value, 3));
            Level { color: self.colours.level, ..Level::across(label, value) }
        };
        main.scene.references.iter().filter(shown).map(level).collect()
    }
}

/// Lowest and highest value to show.
fn spread(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let ends = [f64::INFINITY, f64::NEG_INFINITY];
    let [low, high] = values.fold(ends, |[low, high], value| [low.min(value), high.max(value)]);
    if low > high {
        return [-1.0, 1.0];
    }
    let largest = high.abs().max(low.abs());
    let least = if largest > 0.0 { FLATTEST * largest } else { 1.0 };
    let margin = MARGIN * (high - low).max(least);
    [low - margin, high + margin]
}
