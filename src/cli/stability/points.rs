//! The points of a stability map: what is computed at each, the table's rows, and the summary.

use super::super::failure::Failure;
use super::super::output::figure;
use crate::experiment::Grid;
use crate::experiment::stability::{Linear, Loaded, Model, StabilityError};
use crate::scene::Scene;

/// Most multiplications that the eigenvalues at all points may take; if they would take more, they are not computed.
const EFFORT: f64 = 1e12;
/// A ρ that exceeds 1 by less than this counts as 1 with rounding.
const ROUNDING: f64 = 1e-9;
/// The same for the full step, in which rounding moves the double eigenvalue 1 of free motion by up to 1e-8.
const DOUBLE: f64 = 1e-6;
/// In motion, a ρ within this relative distance of the closed form counts as equal to it: holding the coefficients constant
/// over the step causes an error of O(h²).
const FROZEN: f64 = 1e-3;

/// Which step is linearised.
#[derive(Clone, Copy)]
pub(super) enum Form<'l> {
    /// That of the constraint error, without load or motion.
    Unloaded(&'l Linear),
    /// The full step about the current state.
    Loaded(&'l Linear),
}

impl Form<'_> {
    fn linear(&self) -> &Linear {
        match self {
            Self::Unloaded(linear) | Self::Loaded(linear) => linear,
        }
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
    /// ρ of the linearised step, if it was affordable (see [`EFFORT`]).
    radius: Option<f64>,
    /// ρ of the loaded step's constraint part.
    constraint: Option<f64>,
    /// Whether the loaded step returns to its state.
    at_rest: bool,
    closed: f64,
    stable: bool,
}

impl Point {
    /// The radius by which the point is judged: of the full step at rest, of its constraint part in motion.
    pub fn deciding(&self) -> f64 {
        let radius = if self.at_rest { self.radius } else { self.constraint.or(self.radius) };
        radius.unwrap_or(self.closed)
    }
}

/// Every point of the grid.
pub(super) fn points(
    form: Form<'_>,
    grid: &Grid,
    case: impl Fn(&[(&str, &str)]) -> Result<Case, String>,
) -> Result<Vec<Point>, Failure> {
    let linear = form.linear();
    let size = (2 * linear.coordinates() + linear.rows()) as f64;
    let affordable = size.powi(3) * grid.points() as f64 <= EFFORT;
    let point = |index: u64| {
        let case = case(&grid.at(index)).map_err(Failure::wrong)?;
        if !affordable && (matches!(form, Form::Loaded(_)) || !case.model.is_decoupled()) {
            let most = (EFFORT / size.powi(3)) as u64;
            let other = if case.model.is_decoupled() { ", or --unloaded" } else { "" };
            return Err(Failure::wrong(format!(
                "--over: more points than this scene allows (expected {most} or fewer{other})"
            )));
        }
        let point = match (form, &case.scene) {
            (Form::Loaded(_), Some(scene)) => loaded(&case, scene),
            _ => unloaded(&case, linear, affordable),
        };
        point.map_err(|error| failure(index, &error))
    };
    (0..grid.points()).map(point).collect()
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

fn unloaded(case: &Case, linear: &Linear, affordable: bool) -> Result<Point, StabilityError> {
    let Case { model, h, .. } = case;
    let block = model.block(*h);
    let radius = if affordable { Some(linear.spectral_radius(model, *h)?) } else { None };
    let stable = match radius {
        Some(radius) if !model.is_decoupled() => radius <= 1.0 + ROUNDING,
        // The closed form is exact on the stability boundary, where eigenvalues are rounded.
        _ => block.is_stable(),
    };
    Ok(Point { radius, constraint: None, at_rest: true, closed: block.spectral_radius(), stable })
}

fn loaded(case: &Case, scene: &Scene) -> Result<Point, StabilityError> {
    let Case { model, h, .. } = case;
    let block = model.block(*h);
    let closed = block.spectral_radius();
    let step = Loaded::of(&scene.world, &scene.settings.method, *h)?;
    let (radius, constraint) = (step.spectral_radius()?, step.constraint_radius()?);
    // If the radius agrees with the closed form, the closed form decides: it also recognises an unstable Jordan block at ρ = 1.
    let rounded = if step.is_at_rest() { DOUBLE } else { FROZEN };
    let kept = if (constraint - closed).abs() <= rounded * (1.0 + closed) {
        block.is_stable()
    } else {
        constraint <= 1.0 + DOUBLE
    };
    let at_rest = step.is_at_rest();
    let stable = kept && (!at_rest || radius <= 1.0 + DOUBLE);
    Ok(Point { radius: Some(radius), constraint: Some(constraint), at_rest, closed, stable })
}

/// The table.
pub(super) fn rows(form: Form<'_>, grid: &Grid, points: &[Point]) -> String {
    let keys: Vec<_> = grid.axes().iter().map(|axis| axis.key.as_str()).collect();
    let own = match form {
        Form::Unloaded(_) => "spectral_radius",
        Form::Loaded(_) => "spectral_radius,constraint_radius",
    };
    let mut text = format!("{},{own},closed_form,stable\n", keys.join(","));
    for (index, Point { radius, constraint, closed, stable, .. }) in (0..).zip(points) {
        grid.at(index).iter().for_each(|(_, value)| text.push_str(&format!("{value},")));
        text.push_str(&radius.map_or_else(String::new, |radius| radius.to_string()));
        text.push_str(&constraint.map_or_else(String::new, |radius| format!(",{radius}")));
        text.push_str(&format!(",{closed},{stable}\n"));
    }
    text
}

/// The summary of all points.
pub(super) fn describe(form: Form<'_>, points: &[Point]) -> String {
    let linear = form.linear();
    let (rank, rows, coordinates) = (linear.rank(), linear.rows(), linear.coordinates());
    let stable = points.iter().filter(|point| point.stable).count();
    let mut text = format!("{rank} independent of {rows} rows over {coordinates} coordinates\n");
    let (part, gap): (_, fn(&Point) -> Option<f64>) = match form {
        Form::Unloaded(_) => ("eigenvalues", |point| point.radius),
        Form::Loaded(_) => {
            text.push_str(if points.iter().all(|point| point.at_rest) {
                "at rest: all eigenvalues of the loaded step decide\n"
            } else {
                "in motion: the constraint part of the loaded step decides\n"
            });
            ("the constraint part's eigenvalues", |point| point.constraint)
        }
    };
    text.push_str(&format!("{stable} of {} points stable\n", points.len()));
    let gaps = points.iter().filter_map(|point| Some((gap(point)? - point.closed).abs()));
    match gaps.reduce(f64::max) {
        Some(gap) => text.push_str(&format!("{part} and closed form differ by at most {}\n", figure(gap))),
        None => text.push_str("too large to compute eigenvalues at every point: closed form only\n"),
    }
    text
}
