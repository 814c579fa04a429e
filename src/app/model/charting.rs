//! The plot that is shown, as a picture file and as a table of every recorded step.

use super::plotted::{PlottedQuantity, Shown, quantities};
use super::{FileKind, Model};
use crate::app::runs::history::Channel;
use crate::app::runs::watched::Reading;
use crate::app::theme::LIGHT;
use crate::app::view_state::plot_view::Tab;
use crate::figure::{Chart, Scale, csv};
use crate::platform::pictures::drawn;

/// Columns through whose extremes a line is drawn.
const COLUMNS: usize = 1000;

impl Model {
    /// Lets a person choose where to save the plot that is shown, as a file with that extension.
    pub(in crate::app) fn save_plot(&mut self, kind: FileKind) {
        let bytes = match kind {
            FileKind::Table => Ok(self.plotted_table().into_bytes()),
            _ => drawn(&self.chart(), kind.extension()),
        };
        match bytes {
            Ok(bytes) => {
                self.save_by_dialog(kind, &format!("{}.{}", self.plot.tab.key(), kind.extension()), bytes)
            }
            Err(why) => self.say(why),
        }
    }

    /// The readings of what is watched.
    pub(in crate::app) fn readings(&self) -> &'static [Reading] {
        self.watched().map_or(&[], |subject| subject.readings(self.run().world()))
    }

    /// The recorded steps of all runs: a row per step with every quantity of the plot that is shown, as CSV.
    pub fn plotted_table(&self) -> String {
        let plotted = quantities(&self.plot, &self.comparison, self.readings());
        let channels: Vec<Channel> = plotted.iter().map(|own| own.quantity.channel).collect();
        let keys = plotted.iter().map(|PlottedQuantity { key, .. }| (*key).to_owned());
        let head = ["run", "time"].map(str::to_owned).into_iter().chain(keys).collect();
        let forks = self.comparison.forks().iter().map(|fork| fork.run());
        let rows = [self.run()].into_iter().chain(forks).flat_map(|run| {
            let name = self.comparison.full_label(run);
            run.history().rows(&channels).map(move |(time, values)| {
                let written = |value: &f64| if value.is_nan() { String::new() } else { value.to_string() };
                let cells = [name.clone(), time.to_string()].into_iter();
                cells.chain(values.iter().map(written)).collect()
            })
        });
        csv([head].into_iter().chain(rows))
    }

    /// The plot that is shown.
    pub fn chart(&self) -> Chart {
        let window = self.plot.window(self.run().history().span().unwrap_or_default());
        let (view, comparison, readings) = (&self.plot, &self.comparison, self.readings());
        let shown = Shown { view, comparison, palette: &LIGHT, readings, window, columns: COLUMNS };
        let mut title = self.run().scene.name.clone();
        if let Some(subject) = self.watched().filter(|_| self.plot.tab == Tab::Watch) {
            title += &format!(": {}", subject.name(self.run().world()));
        }
        let mut chart = shown.plotted().chart;
        // On a logarithmic axis zeros are no line.
        let floor = if chart.y.scale == Scale::Logarithmic { chart.y.floor() } else { f64::NEG_INFINITY };
        chart.curves.retain(|curve| curve.points().any(|[_, value]| *value > floor));
        Chart { title, ..chart }
    }
}
