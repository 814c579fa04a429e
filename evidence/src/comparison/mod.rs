//! Accuracy and cost of every scheme on every kind of problem, as one table.
//!
//! Errors of position are taken against a converged reference, the same model at a much smaller time step; the
//! reference's own distance from convergence is given beside them. Nothing here reads a clock: a caller that wants
//! times passes one.

mod cases;
mod cell;
mod departure;
mod precision;
mod table;

pub use cases::{CASES, Case, Reference};
pub use cell::{CaseFigures, Cell};
pub use precision::{Timing, equal_cost, time_per_step, work_precision};
pub use table::{csv, markdown, timings_csv};

use self::departure::{distance, whole};
use crate::document::{FigureError, method};
use driftlab::experiment::Run;
use driftlab::experiment::internal::{Trajectory, stepped};
use driftlab::experiment::steps_for;
use driftlab::method::Stabilizer;
use driftlab::scene::{Scene, catalogue};
use driftlab::schemes::TABLE;

/// A case with a cell for each scheme, and the errors at other time steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Which case.
    pub case: &'static Case,
    /// How far the reference itself is from one at twice its time step: the largest distance of a body, m.
    pub uncertainty: Option<f64>,
    /// A cell for each scheme, in the order of the schemes' table.
    pub cells: Vec<Cell>,
    /// For each scheme, position errors (m) at the time steps of [`Case::steps`].
    pub precision: Vec<Vec<Option<f64>>>,
}

/// All schemes with their default parameters at the largest time step of a case, which are stable at all of them.
pub fn schemes(case: &Case) -> impl Iterator<Item = Stabilizer> {
    let [largest, ..] = case.steps();
    let at_step = move |mut scheme: Stabilizer| {
        scheme.follow_step(largest);
        scheme
    };
    TABLE.iter().copied().map(Stabilizer::from).map(at_step)
}

/// Runs a case under all schemes.
///
/// # Errors
/// A case whose scene is not shipped; a run that fails is not an error: its cell gives the reason.
pub fn compute(case: &'static Case) -> Result<Comparison, FigureError> {
    let scene = scene_of(case)?;
    let reference = case.reference.of(&scene, case, 1);
    let coarser = case.reference.of(&scene, case, 2);
    let uncertainty = reference.as_ref().zip(coarser.as_ref()).map(|(fine, coarse)| distance(fine, coarse));
    let cells = schemes(case).map(|scheme| Cell::of(&scene, case, scheme, reference.as_ref())).collect();
    let error = |scheme: &Stabilizer, h: f64| {
        Some(distance(reference.as_ref()?, &whole(motion(&scene, case, scheme, h))?))
    };
    let errors = |scheme: Stabilizer| case.steps().map(|h| error(&scheme, h)).to_vec();
    let precision = schemes(case).map(errors).collect();
    Ok(Comparison { case, uncertainty, cells, precision })
}

/// The motion under a scheme by steps of `h` s, kept at multiples of the case's time step, or at every step where h is
/// longer.
fn motion(scene: &Scene, case: &Case, scheme: &Stabilizer, h: f64) -> Trajectory {
    let scene = stepped(scene, h);
    let steps = steps_for(&scene.settings, Some(case.duration));
    let stride = (case.time_step / h).round().max(1.0) as u64;
    Trajectory::of(&scene, &method(&scene.settings, scheme), steps, stride, Run::next)
}

/// The shipped scene of a case.
///
/// # Errors
/// A scene that is not shipped, or is no scene.
pub fn scene_of(case: &Case) -> Result<Scene, FigureError> {
    let missing = || FigureError::Table(format!("no scene is named '{}'", case.scene));
    let mut scene = catalogue::find(case.scene).ok_or_else(missing)?.scene()?;
    scene.settings.time_step = case.time_step;
    scene.settings.duration = Some(case.duration);
    Ok(scene)
}
