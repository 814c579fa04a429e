//! The progress of a long run, on stderr.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// Runs shorter than this show no progress.
const PATIENCE: Duration = Duration::from_millis(700);

/// A progress bar on stderr that appears once a run has taken longer than [`PATIENCE`]; indicatif hides it if stderr is not a
/// terminal.
pub(super) struct Progress {
    start: Instant,
    steps: u64,
    done: u64,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub fn new(steps: u64) -> Self {
        Self { start: Instant::now(), steps, done: 0, bar: None }
    }

    pub fn advance(&mut self) {
        /// Steps between readings of the clock.
        const INTERVAL: u64 = 32;
        self.done += 1;
        if !self.done.is_multiple_of(INTERVAL) {
            return;
        }
        if self.bar.is_none() && self.start.elapsed() > PATIENCE {
            let bar = ProgressBar::new(self.steps);
            let template = "{wide_bar} {pos}/{len} steps, {eta} left";
            self.bar = Some(match ProgressStyle::with_template(template) {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            });
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
        }
    }

    pub fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A progress bar on stderr over so many `what` that are computed side by side; indicatif hides it if stderr is not a terminal.
pub(super) fn bar(count: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(count);
    match ProgressStyle::with_template(&format!(
        "{{wide_bar}} {{pos}}/{{len}} {what}, {{elapsed}}, {{eta}} left"
    )) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
