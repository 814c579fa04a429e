//! The points of a stability map: what is computed at each, the table's rows, and the summary.

use super::super::failure::Failure;
use super::super::output::figure;
use super::super::progress::bar;
use super::extent::Extent;
use crate::experiment::Grid;
use crate::experiment::stability::{Block, Linear, Loaded, Mode, Model, StabilityError};
use crate::scene::Scene;
use rayon::prelude::*;
use std::time::Duration;

/// How often the bar tells the time while points take long.
const TICK: Duration = Duration::from_millis(500);

/// A ρ that exceeds 1 by less than this counts as 1: rounding ε splits a defective pair of eigenvalues, that of free motion or of a
/// constraint that nothing corrects, by some √ε = 1.5e-8.
const DOUBLE: f64 = 1e-6;
/// In motion, a ρ within this relative distance of the closed form counts as equal to it: holding the coefficients constant
/// over the step causes an error of O(h²).
const FROZEN: f64 = 1e-3;

/// Which step is linearised.
#[derive(Clone, Copy)]
pub(super) enum Form<'l> {
    /// That of the constraint error, without load or motion; without the scene's matrix the closed form alone.
    Unloaded(Option<&'l Linear>),
    /// The full step about the current state.
    Loaded(&'l Linear),
}

/// What becomes of small constraint errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// None grows.
    Stable,
    /// ρ = 1, and nothing corrects: an error of position stays, and one of velocity makes it grow in proportion to time.
    Marginal,
    /// One grows by a factor per step.
    Unstable,
}

impl Verdict {
    /// Where the closed form decides: it is exact on the stability boundary, where eigenvalues are rounded.
    fn of(block: &Block) -> Self {
        if block.is_stable() {
            Self::Stable
        } else if block.is_marginal() {
            Self::Marginal
        } else {
            Self::Unstable
        }
    }

    /// Where ρ decides.
    fn of_radius(radius: f64) -> Self {
        if radius <= 1.0 + DOUBLE { Self::Stable } else { Self::Unstable }
    }

    /// In the table.
    fn key(self) -> &'static str {
        match self {
            Self::Stable => "true",
            Self::Marginal => "marginal",
            Self::Unstable => "false",
        }
    }

    /// A ρ without what rounding adds to 1.
    fn rounded(self, radius: f64) -> f64 {
        if self != Self::Unstable && radius > 1.0 && radius <= 1.0 + DOUBLE { 1.0 } else { radius }
    }
}

/// What is analysed at one point.
pub(super) struct Case {
    pub model: Model,
    /// Time step, s.
    pub h: f64,
    /// The scene with the point's parameters; none for soft constraints.
    pub scene: Option<Scene>,
}

/// A point of the map.
pub(super) struct Point {
    /// ρ of the linearised step, if it was affordable.
    radius: Option<f64>,
    /// ρ of the loaded step's constraint part.
    constraint: Option<f64>,
    /// Whether the loaded step returns to its state.
    at_rest: bool,
    closed: f64,
    verdict: Verdict,
}

impl Point {
    /// The radius by which the point is judged: of the full step at rest, of its constraint part in motion.
    pub fn deciding(&self) -> f64 {
        let radius = if self.at_rest { self.radius } else { self.constraint.or(self.radius) };
        radius.unwrap_or(self.closed)
    }
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
            (Form::Loaded(_), Some(scene)) => loaded(&case, scene),
            (Form::Loaded(linear), None) => unloaded(&case, Some(linear)),
            (Form::Unloaded(linear), _) => unloaded(&case, linear),
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

fn unloaded(case: &Case, linear: Option<&Linear>) -> Result<Point, StabilityError> {
    let Case { model, h, .. } = case;
    let block = model.block(*h);
    let radius = linear.map(|linear| linear.spectral_radius(model, *h)).transpose()?;
    let verdict = match radius {
        Some(radius) if !model.is_decoupled() => Verdict::of_radius(radius),
        _ => Verdict::of(&block),
    };
    let radius = radius.map(|radius| verdict.rounded(radius));
    Ok(Point { radius, constraint: None, at_rest: true, closed: block.spectral_radius(), verdict })
}

fn loaded(case: &Case, scene: &Scene) -> Result<Point, StabilityError> {
    let Case { model, h, .. } = case;
    let block = model.block(*h);
    let closed = block.spectral_radius();
    let step = Loaded::of(&scene.world, &scene.settings.method, *h)?;
    let (radius, constraint) = (step.spectral_radius()?, step.constraint_radius()?);
    // If the radius agrees with the closed form, the closed form decides: it also recognises a Jordan block at ρ = 1.
    let near = if step.is_at_rest() { DOUBLE } else { FROZEN };
    let kept = if (constraint - closed).abs() <= near * (1.0 + closed) {
        Verdict::of(&block)
    } else {
        Verdict::of_radius(constraint)
    };
    let at_rest = step.is_at_rest();
    let verdict =
        if at_rest && Verdict::of_radius(radius) == Verdict::Unstable { Verdict::Unstable } else { kept };
    let [radius, constraint] = [radius, constraint].map(|radius| Some(verdict.rounded(radius)));
    Ok(Point { radius, constraint, at_rest, closed, verdict })
}

/// A number, or an empty cell for one that overflows.
fn cell(radius: f64) -> String {
    if radius.is_finite() { radius.to_string() } else { String::new() }
}

/// The table.
pub(super) fn table(form: Form<'_>, grid: &Grid, points: &[Point]) -> String {
    let keys: Vec<_> = grid.axes().iter().map(|axis| axis.key.as_str()).collect();
    let own = match form {
        Form::Unloaded(_) => "spectral_radius",
        Form::Loaded(_) => "spectral_radius,constraint_radius",
    };
    let mut text = format!("{},{own},closed_form,stable\n", keys.join(","));
    for (index, Point { radius, constraint, closed, verdict, .. }) in (0..).zip(points) {
        grid.at(index).iter().for_each(|(_, value)| text.push_str(&format!("{value},")));
        text.push_str(&radius.map_or_else(String::new, cell));
        text.push_str(&constraint.map_or_else(String::new, |radius| format!(",{}", cell(radius))));
        text.push_str(&format!(",{},{}\n", cell(*closed), verdict.key()));
    }
    text
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
        Some(gap) => text.push_str(&format!("{part} and closed form differ by at most {}\n", figure(gap))),
        None => text.push_str(
            "too large to compute eigenvalues at every point: closed form only (--large computes them)\n",
        ),
    }
    text
}
