//! The table of a comparison: one row per run, sortable, as CSV or Markdown.

use super::{Comparison, ForkId, Role};
use crate::app::format;
use crate::app::history::Channel;
use crate::app::plot_view::concerned;
use crate::app::simulation::Simulation;
use std::cmp::Ordering;

/// One run's figures since the comparison began.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
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
    /// Largest error of a joint, m or rad, and of a contact, m, since the run was forked; NaN where there is none.
    pub joint_error: f64,
    /// As above.
    pub contact_error: f64,
    /// Change of kinetic and potential energy since the run was forked, J.
    pub energy: f64,
    /// Work of the corrections since then, J.
    pub work: f64,
    /// Largest distance of a body's centre of mass from where it is in the reference (without a reference: in the main run), m; none
    /// for that run itself.
    pub apart: Option<f64>,
    /// Real time of one step, s.
    pub step_seconds: f64,
}

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The scheme and its parameters.
    Scheme,
    /// Largest error of the joints.
    JointError,
    /// Largest error of the contacts.
    ContactError,
    /// Energy since the fork.
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
    pub const ALL: [Self; 7] = [
        Self::Scheme,
        Self::JointError,
        Self::ContactError,
        Self::Energy,
        Self::Work,
        Self::Apart,
        Self::Time,
    ];

    /// Its heading, with the unit; `joint` is the unit of the joints' errors.
    pub fn heading(self, joint: &str) -> String {
        match self {
            Self::Scheme => "scheme".to_owned(),
            Self::JointError => format!("joint error [{joint}]"),
            Self::ContactError => "penetration [m]".to_owned(),
            Self::Energy => "ΔE [J]".to_owned(),
            Self::Work => "correction [J]".to_owned(),
            Self::Apart => "apart [m]".to_owned(),
            Self::Time => "step [µs]".to_owned(),
        }
    }

    /// What it says, in one sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Scheme => {
                "The scheme, its parameters, and its time step if it is another than the main run's."
            }
            Self::JointError => "Largest |g| over the joint rows since the run was forked.",
            Self::ContactError => "Deepest penetration max(0, −φ) since the run was forked.",
            Self::Energy => "Change of kinetic and potential energy since the run was forked.",
            Self::Work => {
                "Energy that the corrections have added since the run was forked (negative: removed)."
            }
            Self::Apart => {
                "Largest distance of a body's centre of mass from where it is in the reference run; without a \
                 reference, from where it is in the main run."
            }
            Self::Time => "Real time of one step on this machine, smoothed.",
        }
    }

    /// The number in this column; none in the first one and where there is no value.
    pub fn number(self, row: &Row) -> Option<f64> {
        let number = match self {
            Self::Scheme => return None,
            Self::JointError => row.joint_error,
            Self::ContactError => row.contact_error,
            Self::Energy => row.energy,
            Self::Work => row.work,
            Self::Apart => return row.apart,
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
pub fn rows(comparison: &Comparison, order: Option<Order>) -> Vec<Row> {
    let main = comparison.main();
    let standard = comparison.standard();
    let since =
        comparison.forks().iter().map(|fork| fork.run().origin().time).fold(f64::INFINITY, f64::min);
    let mut rows = vec![row(main, None, since, standard, main.time_step())];
    rows.extend(comparison.present().map(|fork| {
        let run = fork.run();
        row(run, Some((fork.id, fork.role)), run.origin().time, standard, main.time_step())
    }));
    if let Some(Order { column, descending }) = order {
        rows.sort_by(|a, b| {
            let order = compare(column, a, b);
            if descending { order.reverse() } else { order }
        });
    }
    rows
}

/// Rows without a value come last in ascending order.
fn compare(column: Column, a: &Row, b: &Row) -> Ordering {
    match (column, column.number(a), column.number(b)) {
        (Column::Scheme, ..) => a.scheme.cmp(&b.scheme),
        (_, Some(a), Some(b)) => a.abs().total_cmp(&b.abs()),
        (_, a, b) => b.is_some().cmp(&a.is_some()),
    }
}

fn row(
    run: &Simulation,
    fork: Option<(ForkId, Role)>,
    since: f64,
    standard: &Simulation,
    main_step: f64,
) -> Row {
    let now = run.world().time;
    // A main run without forks is compared since its start.
    let since = if since.is_finite() { since.max(run.origin().time) } else { run.origin().time };
    let at = |channel| run.history().value_at(channel, since).unwrap_or_default();
    let largest = |channel| run.history().largest(channel, [since, now]);
    let [jointed, _, touching, ..] = concerned(&run.scene.world);
    let h = run.time_step();
    let step = if h == main_step { String::new() } else { format!(", h = {}", format::duration(h)) };
    Row {
        fork: fork.map(|(id, _)| id),
        role: fork.map(|(_, role)| role),
        scheme: run.scheme_index(),
        name: format!("{}{step}", run.scheme_name()),
        failed: run.failure().is_some(),
        joint_error: if jointed { largest(Channel::JointError) } else { f64::NAN },
        contact_error: if touching { largest(Channel::ContactError) } else { f64::NAN },
        energy: run.report().total_energy() - at(Channel::Total),
        work: run.work() - at(Channel::CorrectionWork),
        apart: (!std::ptr::eq(run, standard)).then(|| apart(run, standard)),
        step_seconds: run.step_seconds(),
    }
}

/// Largest distance between the same body's centres of mass in two runs, m.
fn apart(a: &Simulation, b: &Simulation) -> f64 {
    let pairs = a.world().bodies().iter().zip(b.world().bodies());
    pairs.map(|(a, b)| a.pose.position.distance(b.pose.position)).fold(0.0, f64::max)
}

/// The table as comma-separated values: full precision, units in the headings.
pub fn csv(rows: &[Row], joint: &str) -> String {
    let line = |cells: Vec<String>| cells.join(",") + "\n";
    let head = line(Column::ALL.iter().map(|column| quoted(&column.heading(joint))).collect());
    let cell = |column: &Column, row: &Row| match column {
        Column::Scheme => quoted(&row.name),
        _ => column.number(row).map_or_else(String::new, |number| number.to_string()),
    };
    let rows = rows.iter().map(|row| line(Column::ALL.iter().map(|column| cell(column, row)).collect()));
    head + &rows.collect::<String>()
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// The table as Markdown: three digits.
pub fn markdown(rows: &[Row], joint: &str) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let head = line(Column::ALL.iter().map(|column| column.heading(joint)).collect());
    let rule = line(
        Column::ALL
            .iter()
            .map(|column| if *column == Column::Scheme { "---" } else { "---:" }.to_owned())
            .collect(),
    );
    let cell = |column: &Column, row: &Row| match column {
        Column::Scheme => row.name.clone(),
        _ => column.number(row).map_or_else(|| "–".to_owned(), |number| format::significant(number, 3)),
    };
    let rows = rows.iter().map(|row| line(Column::ALL.iter().map(|column| cell(column, row)).collect()));
    head + &rule + &rows.collect::<String>()
}
