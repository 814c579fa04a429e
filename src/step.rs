//! One step, the pipeline in order, on one screen.
//!
//! assemble rows (g, J, J̇ v) → the scheme builds its right-hand side, solves, moves the bodies (and may
//! solve again) → check that the state is finite → measure on the new pose → report.

use crate::model::World;
use crate::report::{StepError, StepReport};
use crate::stabilizer::{Method, Workspace};

/// Advances `world` by `h` seconds and reports what happened.
///
/// The result depends on nothing but the world, the method and h: a workspace that has served another world
/// before gives the same bits as a fresh one.
///
/// # Errors
/// A time step that is not positive, a scheme that does not know the law of impact, one whose Newton iteration does not
/// converge, or a state that is no longer finite. The world is then bit for bit as it was.
pub fn step(
    world: &mut World,
    method: &Method,
    h: f64,
    workspace: &mut Workspace,
) -> Result<StepReport, StepError> {
    if !(h.is_finite() && h > 0.0) {
        return Err(StepError::InvalidTimeStep(h));
    }
    method.check(world)?;
    let mut stage = workspace.begin(world, method, h);
    method.stabilizer.scheme().advance(method, &mut stage)?;
    let outcome = stage.finish()?;
    workspace.commit(world, h);
    Ok(workspace.measure(world, outcome))
}

/// The figures of a world as it stands, without stepping: row 0 of a record.
pub fn measure(world: &World, method: &Method, workspace: &mut Workspace) -> StepReport {
    workspace.measure(world, crate::stabilizer::Outcome::resting(method))
}
