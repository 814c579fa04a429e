//! The table of a comparison: one row per run, sortable, as CSV or Markdown.
//!
//! All rows are about the same span of time, from the moment at which the youngest of the runs began, or the last of them got its
//! present scheme, up to now: a run that has drifted for a minute cannot be compared with one that began a second ago.

use super::{Comparison, Fork, ForkId, Role};
use crate::app::runs::history::Channel;
use crate::app::runs::live_run::LiveRun;
use crate::app::runs::played::Played;
use crate::app::text::format;
use crate::app::view_state::plot_view::concerned;
use crate::figure;
use std::cmp::Ordering;

/// One run's figures over the common span.
#[derive(Clone, Debug, PartialEq)]
pub struct RunFigures {
    /// Which fork; none for the main run.
    pub fork: Option<ForkId>,
    /// What the fork is for; none for the main run.
    pub role: Option<Role>,
    /// Place of its scheme in the table of schemes.
    pub scheme: usize,
    /// Its scheme with the parameters, and the time step if it is another than the main run's.
    pub name: String,
    /// Whether a step of it failed: the figures are those of the last step that was made.
    pub failed: bool,
    /// Error of the joints now, m or rad, and the largest one; NaN without joints.
    pub joint_now: f64,
    /// As above.
    pub joint_error: f64,
    /// Deepest penetration now, m, and the largest one; NaN where nothing can touch.
    pub contact_now: f64,
    /// As above.
    pub contact_error: f64,
    /// Change of kinetic and potential energy, J.
    pub energy: f64,
    /// Work of the corrections, J; NaN for a trajectory, as nothing is known of it.
    pub work: f64,
    /// Largest distance of a body's centre of mass from where it is in the reference (without a reference: in the main
    /// run), m; none for that run itself, and behind the end of a trajectory.
    pub apart: Option<f64>,
    /// Processor time of one step, s; zero if it is not known.
    pub step_seconds: f64,
}

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The scheme and its parameters.
    Scheme,
    /// Error of the joints now.
    JointNow,
    /// Largest error of the joints.
    JointError,
    /// Penetration now.
    ContactNow,
    /// Largest penetration.
    ContactError,
    /// Change of the energy.
    Energy,
    /// Work of the correction.
    Work,
    /// Distance from the reference.
    Apart,
    /// Time per step.
    Time,
}

impl Column {
    /// All columns, from left to right.
    pub const ALL: [Self; 9] = [
        Self::Scheme,
        Self::JointNow,
        Self::JointError,
        Self::ContactNow,
        Self::ContactError,
        Self::Energy,
        Self::Work,
        Self::Apart,
        Self::Time,
    ];

    /// The columns that concern these rows: without joints there are none about joints, and so on.
    pub fn of(rows: &[RunFigures]) -> Vec<Self> {
        let concerns = |column: &Self| match column {
            Self::JointNow | Self::JointError | Self::ContactNow | Self::ContactError => {
                rows.iter().any(|row| column.number(row).is_some())
            }
            _ => true,
        };
        Self::ALL.into_iter().filter(concerns).collect()
    }

    /// The smallest of its numbers, if it is a column of errors and several rows have a number.
    pub fn best(self, rows: &[RunFigures]) -> Option<f64> {
        if !matches!(self, Self::JointNow | Self::JointError | Self::ContactNow | Self::ContactError) {
            return None;
        }
        let numbers: Vec<f64> = rows.iter().filter_map(|row| self.number(row)).collect();
        (numbers.len() > 1).then(|| numbers.into_iter().fold(f64::INFINITY, f64::min))
    }

    /// Whether it holds the largest errors since the runs have been beside each other.
    pub fn is_largest(self) -> bool {
        matches!(self, Self::JointError | Self::ContactError)
    }

    /// Its heading, with the unit; `joint` is the unit of the joints' errors.
    pub fn heading(self, joint: &str) -> String {
        match self {
            Self::Scheme => "scheme".to_owned(),
            Self::JointNow => format!("joint error now [{joint}]"),
            Self::JointError => format!("largest [{joint}]"),
            Self::ContactNow => "overlap now [m]".to_owned(),
            Self::ContactError => "deepest [m]".to_owned(),
            Self::Energy => "ΔE [J]".to_owned(),
            Self::Work => "correction [J]".to_owned(),
            Self::Apart => "apart [m]".to_owned(),
            Self::Time => "step [µs]".to_owned(),
        }
    }

    /// Its heading where room is short; what it says is told by [`Column::meaning`].
    pub fn brief(self, joint: &str) -> String {
        match self {
            Self::JointNow => format!("joints [{joint}]"),
            Self::ContactNow => "overlap [m]".to_owned(),
            _ => self.heading(joint),
        }
    }

    /// What it says, in one sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Scheme => {
                "The scheme, its parameters, and its time step if it is another than the main run's."
            }
            Self::JointNow => "Largest |g| over the joint rows now.",
            Self::JointError => "Largest |g| over the joint rows and the common span of time.",
            Self::ContactNow => "Deepest penetration max(0, −φ) now.",
            Self::ContactError => "Deepest penetration max(0, −φ) over the common span of time.",
            Self::Energy => "Change of kinetic and potential energy over the common span of time.",
            Self::Work => {
                "Energy that the corrections have added over the common span of time (negative: removed)."
            }
            Self::Apart => {
                "Largest distance of a body's centre of mass from where it is in the reference run; without a \
                 reference, from where it is in the main run."
            }
            Self::Time => "Processor time of one step on this machine: the median of the last steps.",
        }
    }

    /// The number in this column; none in the first one and where there is no value.
    pub fn number(self, row: &RunFigures) -> Option<f64> {
        let number = match self {
            Self::Scheme => return None,
            Self::JointNow => row.joint_now,
            Self::JointError => row.joint_error,
            Self::ContactNow => row.contact_now,
            Self::ContactError => row.contact_error,
            Self::Energy => row.energy,
            Self::Work => row.work,
            Self::Apart => return row.apart,
            // Before its first step a run has no time, and a trajectory has none.
            Self::Time if row.step_seconds == 0.0 => f64::NAN,
            Self::Time => 1e6 * row.step_seconds,
        };
        (!number.is_nan()).then_some(number)
    }
}

/// How the rows are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// By which column.
    pub column: Column,
    /// Largest first.
    pub descending: bool,
}

/// The rows of the table: the main run first, the forks as they were made, or in the given order.
pub fn rows(comparison: &Comparison, order: Option<Order>) -> Vec<RunFigures> {
    let main = comparison.main();
    let standard = comparison.standard();
    let since = since(comparison);
    let mut rows = vec![row(main, None, since, standard, main.time_step())];
    rows.extend(comparison.present().map(|fork| {
        let run = fork.run();
        row(run, Some((fork.id, fork.role)), since, standard, main.time_step())
    }));
    number_alike(&mut rows, comparison.forks());
    if let Some(Order { column, descending }) = order {
        rows.sort_by(|a, b| {
            let order = compare(column, a, b);
            if descending { order.reverse() } else { order }
        });
    }
    rows
}

/// Numbers the forks whose names occur more than once, as the panel's chips do.
fn number_alike(rows: &mut [RunFigures], forks: &[Fork]) {
    let names: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
    let alike = |name: &String| names.iter().filter(|other| *other == name).count() > 1;
    for row in rows.iter_mut() {
        let place = forks.iter().position(|fork| Some(fork.id) == row.fork);
        if let Some(place) = place.filter(|_| alike(&row.name)) {
            row.name += &format!(" · {}", place + 1);
        }
    }
}

/// The beginning of the span of time that the rows are about, s.
pub fn since(comparison: &Comparison) -> f64 {
    let runs = comparison.present().map(Fork::run).chain([comparison.main()]);
    runs.map(|run| run.origin().time.max(run.scheme_since())).fold(f64::NEG_INFINITY, f64::max)
}

/// Rows without a value come last in ascending order.
fn compare(column: Column, a: &RunFigures, b: &RunFigures) -> Ordering {
    match (column, column.number(a), column.number(b)) {
        (Column::Scheme, ..) => a.scheme.cmp(&b.scheme),
        (_, Some(a), Some(b)) => a.abs().total_cmp(&b.abs()),
        (_, a, b) => b.is_some().cmp(&a.is_some()),
    }
}

fn row(
    run: &LiveRun,
    fork: Option<(ForkId, Role)>,
    since: f64,
    standard: &LiveRun,
    main_step: f64,
) -> RunFigures {
    let now = run.world().time();
    let at = |channel| run.history().value_at(channel, since).unwrap_or_default();
    let largest = |channel| run.history().largest(channel, [since, now]);
    let [jointed, _, touching, ..] = concerned(&run.scene.world);
    let h = run.time_step();
    // Behind its last sample nothing is known of a trajectory.
    let end = run.played().map_or(f64::INFINITY, Played::end);
    let (played, beyond) = (run.played().is_some(), end < now - h);
    let known = |is_known: bool, value: f64| if is_known { value } else { f64::NAN };
    let step =
        if h == main_step || played { String::new() } else { format!(", h = {}", format::duration(h)) };
    RunFigures {
        fork: fork.map(|(id, _)| id),
        role: fork.map(|(_, role)| role),
        scheme: run.scheme_index(),
        name: format!("{}{step}", run.scheme_name()),
        failed: run.failure().is_some(),
        joint_now: known(jointed && !beyond, run.report().joint_error),
        joint_error: known(jointed, largest(Channel::JointError)),
        contact_now: known(touching && !beyond, run.report().contact_error),
        contact_error: known(touching, largest(Channel::ContactError)),
        energy: known(end > since, run.report().total_energy() - at(Channel::Total)),
        work: known(!played, run.work() - at(Channel::CorrectionWork)),
        apart: (!std::ptr::eq(run, standard) && !beyond).then(|| apart(run, standard)),
        step_seconds: if played { 0.0 } else { run.step_seconds() },
    }
}

/// Largest distance between the same body's centres of mass in two runs, m.
fn apart(a: &LiveRun, b: &LiveRun) -> f64 {
    let pairs = a.world().bodies().iter().zip(b.world().bodies());
    pairs.map(|(a, b)| a.pose.position.distance(b.pose.position)).fold(0.0, f64::max)
}

/// The table as comma-separated values: full precision, units in the headings, and in the last two columns the `span`
/// of time that all rows are about, s.
pub fn csv(rows: &[RunFigures], joint: &str, span: [f64; 2]) -> String {
    let columns = Column::of(rows);
    let headings = columns.iter().map(|column| column.heading(joint));
    let head = headings.chain(["since [s]", "until [s]"].map(str::to_owned)).collect();
    let cell = |column: &Column, row: &RunFigures| match column {
        Column::Scheme => row.name.clone(),
        _ => column.number(row).map_or_else(String::new, |number| number.to_string()),
    };
    let times = span.map(|time| time.to_string());
    let rows = rows.iter().map(|row| {
        let cells = columns.iter().map(|column| cell(column, row));
        cells.chain(times.iter().cloned()).collect()
    });
    figure::csv([head].into_iter().chain(rows))
}

/// The table as Markdown: three digits, and a line about the `span` of time, s.
pub fn markdown(rows: &[RunFigures], joint: &str, [from, to]: [f64; 2]) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let columns = Column::of(rows);
    let head = line(columns.iter().map(|column| column.heading(joint)).collect());
    let rule = line(
        columns
            .iter()
            .map(|column| if *column == Column::Scheme { "---" } else { "---:" }.to_owned())
            .collect(),
    );
    let cell = |column: &Column, row: &RunFigures| match column {
        Column::Scheme => row.name.clone(),
        _ => column.number(row).map_or_else(|| "–".to_owned(), format::live),
    };
    let rows = rows.iter().map(|row| line(columns.iter().map(|column| cell(column, row)).collect()));
    let span = format!("\nAll runs from t = {from:.3} s to t = {to:.3} s.\n");
    head + &rule + &rows.collect::<String>() + &span
}
