//! The points of a stability map: all of them on all cores, the table's rows, and the summary.

use super::super::failure::Failure;
use super::super::progress::bar;
use super::extent::Extent;
use crate::experiment::Grid;
use crate::experiment::stability::{Linear, Mode, Model, Point, StabilityError, Verdict};
use crate::figure::csv;
use crate::numbers::four_digits;
use crate::scene::Scene;
use rayon::prelude::*;
use std::time::Duration;

/// How often the bar tells the time while points take long.
const TICK: Duration = Duration::from_millis(500);

/// Which step is linearised.
#[derive(Clone, Copy)]
pub(super) enum Form<'l> {
    /// The step of the constraint error, without load or motion; without the scene's matrix the closed form alone.
    Unloaded(Option<&'l Linear>),
    /// The full step about the current state.
    Loaded(&'l Linear),
}

/// What is analysed at one point.
pub(super) struct Case {
    pub model: Model,
    /// Time step, s.
    pub h: f64,
    /// The scene with the point's parameters; none for soft constraints.
    pub scene: Option<Scene>,
}

/// Every point of the grid, computed on all cores.
pub(super) fn points(
    form: Form<'_>,
    grid: &Grid,
    case: impl Fn(&[(&str, &str)]) -> Result<Case, String> + Sync,
) -> Result<Vec<Point>, Failure> {
    let bar = bar(grid.points(), "points");
    bar.enable_steady_tick(TICK);
    let point = |index: u64| {
        let case = case(&grid.at(index)).map_err(Failure::wrong)?;
        let point = match (form, &case.scene) {
            (Form::Loaded(_), Some(scene)) => {
                Point::loaded(&case.model, case.h, &scene.world, &scene.settings.method)
            }
            (Form::Loaded(linear), None) => Point::unloaded(&case.model, case.h, Some(linear)),
            (Form::Unloaded(linear), _) => Point::unloaded(&case.model, case.h, linear),
        };
        bar.inc(1);
        point.map_err(|error| failure(index, &error))
    };
    let points: Vec<_> = (0..grid.points()).into_par_iter().map(point).collect();
    bar.finish_and_clear();
    // The first error, whichever thread was first.
    points.into_iter().collect()
}

fn failure(index: u64, error: &StabilityError) -> Failure {
    let hint = match error {
        StabilityError::NotThisStep | StabilityError::NoLoadedForm { .. } => {
            " (--unloaded linearises the constraint error alone, contacts that touch taken as equations)"
        }
        _ => "",
    };
    Failure::Numerical(format!("row {index}: {error}{hint}"))
}

/// A number, or an empty cell for one that overflows.
fn cell(radius: f64) -> String {
    if radius.is_finite() { radius.to_string() } else { String::new() }
}

/// The table.
pub(super) fn table(form: Form<'_>, grid: &Grid, points: &[Point]) -> String {
    let keys: Vec<_> = grid.axes().iter().map(|axis| axis.key.as_str()).collect();
    let own: &[&str] = match form {
        Form::Unloaded(_) => &["spectral_radius"],
        Form::Loaded(_) => &["spectral_radius", "constraint_radius"],
    };
    let head = keys.iter().chain(own).chain(&["closed_form", "stable"]).map(|name| (*name).to_owned());
    let row = |(index, point): (u64, &Point)| {
        let Point { radius, constraint, closed, verdict, .. } = point;
        let values = grid.at(index).into_iter().map(|(_, value)| value.to_owned());
        let radius = radius.map_or_else(String::new, cell);
        let values = values.chain([radius]).chain(constraint.map(cell));
        values.chain([cell(*closed), verdict.key().to_owned()]).collect()
    };
    csv([head.collect()].into_iter().chain((0..).zip(points).map(row)))
}

/// How many modes the summary lists.
const LISTED: usize = 6;

/// The modes of the motion itself, which are the scene's and no scheme's, with 12 digits.
fn listed(modes: &[Mode]) -> String {
    let one = |Mode { decay, frequency }: &Mode| {
        let decay = format!("{:.11e}", -decay);
        if *frequency == 0.0 { decay } else { format!("{decay} ± {frequency:.11e} i") }
    };
    let first: Vec<String> = modes.iter().take(LISTED).map(one).collect();
    let more = modes.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(", and {more} that decay faster") } else { String::new() };
    format!("modes of small motions, λ in 1/s: {}{more}\n", first.join(", "))
}

/// The summary of all points.
pub(super) fn describe(form: Form<'_>, extent: &Extent, points: &[Point], modes: &[Mode]) -> String {
    let Extent { rows, coordinates, .. } = extent;
    let count = |verdict: Verdict| points.iter().filter(|point| point.verdict == verdict).count();
    let rank = match form {
        Form::Unloaded(None) => String::new(),
        Form::Unloaded(Some(linear)) | Form::Loaded(linear) => format!("{} independent of ", linear.rank()),
    };
    let mut text = format!("{rank}{rows} rows over {coordinates} coordinates\n");
    let (part, gap): (_, fn(&Point) -> Option<f64>) = match form {
        Form::Unloaded(_) => ("eigenvalues", |point| point.radius),
        Form::Loaded(_) => {
            if points.iter().all(|point| point.at_rest) {
                text.push_str("at rest: all eigenvalues of the loaded step decide\n");
                if !modes.is_empty() {
                    text.push_str(&listed(modes));
                }
            } else {
                text.push_str("in motion: the constraint part of the loaded step decides\n");
            }
            ("the constraint part's eigenvalues", |point| point.constraint)
        }
    };
    text.push_str(&format!("{} of {} points stable\n", count(Verdict::Stable), points.len()));
    let marginal = count(Verdict::Marginal);
    if marginal > 0 {
        text.push_str(&format!(
            "{marginal} marginal, ρ = 1: an error of position stays, and one of velocity makes it grow in proportion to time\n"
        ));
    }
    let gaps = points.iter().filter_map(|point| Some((gap(point)? - point.closed).abs()));
    match gaps.reduce(f64::max) {
        Some(gap) => {
            text.push_str(&format!("{part} and closed form differ by at most {}\n", four_digits(gap)))
        }
        None => text.push_str(
            "too large to compute eigenvalues at every point: closed form only (--large computes them)\n",
        ),
    }
    text
}
