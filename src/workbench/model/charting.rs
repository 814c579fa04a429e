//! The plot that is shown, as a chart for a picture file and as a table: its curves in the part of the run that it
//! shows, and every recorded step.

use super::Model;
use crate::experiment::{Chart, ChartLine};
use crate::platform::pictures::drawn;
use crate::scene::window::QUANTITIES;
use crate::workbench::file_kind::FileKind;
use crate::workbench::runs::history::{Channel, through};
use crate::workbench::runs::live_run::LiveRun;
use crate::workbench::view_state::plot_view::{
    COUNTS, ENERGIES, ERRORS, Quantity, Tab, concerned, error_axis,
};
use crate::workbench::view_state::scheme_colours::LIGHT;
use crate::workbench::watched::Reading;

/// Columns through whose extremes a line is drawn.
const COLUMNS: usize = 1000;
/// Widths of the lines of the main run and of the others, px.
const WIDTHS: [u32; 2] = [2, 1];

/// A curve of every run, the name of its column in the table, and whether the picture shows the change since the start.
struct PlottedQuantity {
    quantity: Quantity,
    key: &'static str,
    from_start: bool,
}

impl Model {
    /// Lets a person choose where to save the plot that is shown, as a file with that extension.
    pub(crate) fn save_plot(&mut self, kind: FileKind) {
        let bytes = match kind {
            FileKind::Table => Ok(self.plotted_table().into_bytes()),
            _ => drawn(&self.chart(), kind.extension()),
        };
        match bytes {
            Ok(bytes) => self.save_by_dialog(
                kind,
                &format!("{}.{}", self.shown.plot.tab.key(), kind.extension()),
                bytes,
            ),
            Err(why) => self.say(why),
        }
    }

    /// The readings of what is watched.
    fn readings(&self) -> &'static [Reading] {
        self.watched().map_or(&[], |subject| subject.readings(self.run().world()))
    }

    /// The quantities of the plot that is shown.
    fn plotted(&self) -> Vec<PlottedQuantity> {
        let chosen = |all: &'static [Quantity], shown: &[bool], group: usize, from_start| {
            // Their names in files are those of the columns of a run's table.
            let named = all.iter().zip(QUANTITIES[group].1).zip(shown).filter(|(_, shown)| **shown);
            let all =
                named.map(|((quantity, key), _)| PlottedQuantity { quantity: *quantity, key, from_start });
            all.collect()
        };
        match self.shown.plot.tab {
            Tab::Errors => {
                let offered = concerned(&self.run().scene.world);
                let shown: [bool; ERRORS.len()] =
                    std::array::from_fn(|i| self.shown.plot.errors[i] && offered[i]);
                chosen(&ERRORS, &shown, 0, false)
            }
            Tab::Energy => chosen(&ENERGIES, &self.shown.plot.energies, 1, true),
            Tab::Solver => chosen(&COUNTS, &self.shown.plot.counts, 2, false),
            Tab::Watch => {
                let readings = self.readings().iter().enumerate();
                let all = readings.map(|(place, reading)| PlottedQuantity {
                    quantity: Quantity::of_watched(place, reading),
                    key: reading.key,
                    from_start: false,
                });
                all.collect()
            }
            Tab::Compare => Vec::new(),
        }
    }

    fn runs(&self) -> impl Iterator<Item = &LiveRun> {
        let forks = self.runs.comparison.forks().iter().map(|fork| fork.run());
        std::iter::once(self.run()).chain(forks)
    }

    /// The recorded steps of all runs: a row per step with every quantity of the plot that is shown, as CSV.
    pub fn plotted_table(&self) -> String {
        let plotted = self.plotted();
        let channels: Vec<Channel> = plotted.iter().map(|own| own.quantity.channel).collect();
        let mut text = "run,time".to_owned();
        plotted.iter().for_each(|own| text += &format!(",{}", own.key));
        text.push('\n');
        for run in self.runs() {
            // A name with commas is a text in quotes.
            let name = format!("\"{}\"", self.runs.comparison.full_label(run).replace('"', "\"\""));
            for (time, values) in run.history().rows(&channels) {
                let written = |value: &f64| if value.is_nan() { String::new() } else { value.to_string() };
                let values: Vec<String> = values.iter().map(written).collect();
                text += &format!("{name},{time},{}\n", values.join(","));
            }
        }
        text
    }

    /// The plot that is shown.
    pub fn chart(&self) -> Chart {
        let time = "time t in s".to_owned();
        let readings = self.readings();
        let place = self.shown.plot.reading(readings);
        let over = self.shown.plot.over(readings).filter(|_| self.shown.plot.tab == Tab::Watch);
        let label = match self.shown.plot.tab {
            Tab::Errors => error_axis(&self.shown.plot.errors, self.run().units()),
            Tab::Energy => "change of energy in J".to_owned(),
            Tab::Watch => readings.get(place).map_or_else(String::new, Reading::axis),
            Tab::Solver | Tab::Compare => "count".to_owned(),
        };
        let mut title = self.run().scene.name.clone();
        if let Some(subject) = self.watched().filter(|_| self.shown.plot.tab == Tab::Watch) {
            title += &format!(": {}", subject.name(self.run().world()));
        }
        let mut plotted = self.plotted();
        if self.shown.plot.tab == Tab::Watch {
            plotted.retain(|own| own.quantity.channel == Channel::WATCHED[place]);
        }
        // The main run is drawn over the others.
        let mut runs: Vec<&LiveRun> = self.runs().collect();
        runs.reverse();
        let mut lines = Vec::new();
        for own in &plotted {
            let named = (plotted.len() > 1).then_some(own.quantity.name);
            lines.extend(runs.iter().map(|run| self.line(run, own, over, named)));
        }
        let across = over.map_or(time, |across| readings[across].axis());
        Chart { title, axes: [across, label], logarithmic: self.shown.plot.tab == Tab::Errors, lines }
    }

    fn line(
        &self,
        run: &LiveRun,
        own: &PlottedQuantity,
        over: Option<usize>,
        named: Option<&str>,
    ) -> ChartLine {
        let history = run.history();
        let window = self.shown.plot.window(self.run().history().span().unwrap_or_default());
        let channel = own.quantity.channel;
        let parts = match over {
            Some(across) => vec![history.pairs([Channel::WATCHED[across], channel], window)],
            None => {
                let start = history.span().and_then(|[first, _]| history.value_at(channel, first));
                let start = start.filter(|_| own.from_start).unwrap_or_default();
                let parts = history.decimate(channel, window, COLUMNS);
                parts.iter().map(|part| through(part, |value| value - start).collect()).collect()
            }
        };
        let label = self.runs.comparison.label(run);
        ChartLine {
            label: named.map_or_else(|| label.clone(), |name| format!("{label}: {name}")),
            color: LIGHT.of(run.scheme_index()),
            width: WIDTHS[usize::from(!std::ptr::eq(run, self.run()))],
            dash: own.quantity.stroke.lengths(),
            parts,
        }
    }
}
