//! One step: from the state of the world to the next state and its report. The stages in order, with the file that does each:
//!
//! - check: refuses a time step that is not positive, and a world that the method does not support; in debug builds
//!   also custom joints with wrong derivatives (`step`, `schemes/mod.rs`)
//! - repeat: returns the report of the last step, if that left a resting world as it was (`step/rest_cache.rs`)
//! - begin: takes q and v of the world, copied unless they are still what the last step has written, and evaluates M⁻¹F
//!   of weight, applied forces, force laws and repulsion (`step/workspace.rs`, `stages/motion.rs`)
//! - rows (`evaluate`): evaluates g, J and k = J̇ v of joints, non-holonomic constraints, springs and the grab; where
//!   the world is as the last step has left it, the rows of joints and non-holonomic constraints are those of that
//!   step's end (`constraint/joint_rows.rs`)
//! - contacts: sets how far ahead contacts are found, finds them, and evaluates φ and J of contacts and limits
//!   (`stages/constraints.rs`, `constraint/touches.rs`; `detect/mod.rs`, `pair.rs`, `gap.rs`)
//! - thresholds: sets the speed below which an impact does not rebound (`stages/rebound.rs`)
//! - free motion (`kick`): v* = v + h M⁻¹F (`stages/motion.rs`)
//! - problem (`impulses`, `forces`): writes b and the law of each row, without limits of joints that are far from them;
//!   in islands λ starts from the last step's: where rows are redundant, as those of a box on two points, λ depends on
//!   that start, v⁺ does not (`stages/impulses.rs` or `stages/forces.rs`, `stages/posed_problem.rs`)
//! - solve: finds λ, and with it v⁺ or a (equations alone `lcp/solve/system.rs`, islands `lcp/solve/solve_problem.rs`;
//!   under schemes that sweep `stages/sweeps.rs`)
//! - book (`write`): adds λ and the work of the stabilization to the accounts of the step (`stages/ledger.rs`, `accounts.rs`)
//! - move (`drift`): q⁺ = q + h v⁺ (`stages/motion.rs`; integrators of the acceleration level `stages/acceleration.rs`)
//! - correct: moves q⁺ and v⁺ back to the constraints, under schemes that do (`stages/corrections.rs`)
//! - finish: takes the energies, and checks that q⁺ and v⁺ are finite (`stages/step_in_progress.rs`)
//! - commit: writes q⁺, v⁺, the joints' forces and the contacts' impulses into the world; evaluates joints, limits and
//!   contacts at q⁺ (`step/workspace.rs`, `stages/accounts.rs`; `stages/position_errors.rs`)
//! - measure: adds the errors, rates and the applied work at q⁺ to the report (`step/workspace.rs`)
//!
//! `docs/ARCHITECTURE.md` lists the files to read for one step, in order.
//!
//! The scheme's `advance` (`schemes/`) calls the stages from 'rows' to 'correct', in its own order, some of them several times.
//! All others are called below, in `step` and `make`.

mod breaking;
mod readings;
mod rest_cache;
mod simulation;
mod workspace;

pub use crate::report::Break;
#[doc(inline)]
pub use crate::stages::consistent::make_consistent;
#[doc(inline)]
pub use crate::stages::given_forces::GivenForces;
#[doc(inline)]
pub use crate::stages::step_in_progress::Step;
pub use crate::stages::terms::PosedProblem;
pub use readings::{SolvedProblem, SolvedRow};
pub use simulation::{ContactEvents, Simulation};
pub use workspace::Workspace;

use crate::lcp::MixedError;
use crate::method::Method;
use crate::model::World;
use crate::report::{StepError, StepReport};

/// Most times that a step is halved, into at most eight parts.
const MAX_HALVINGS: u32 = 3;

/// Advances `world` by `h` seconds and reports what happened.
///
/// The result depends on nothing but the world, the method and h: a workspace that has served another world
/// before gives the same bits as a fresh one.
///
/// If the solver `auto` does not find the solution of a contact problem, the step is made in two halves, each of them a step of
/// the method, and these are halved again if necessary; the report gives the number of parts. If that fails, too, or
/// where halves cannot help, the whole step is made with regularized rows, violated as little as possible
/// (`lcp/auto/regularized.rs`), and the report counts the violated islands; in an island that is proved to have no
/// solution each b is first moved by its least violation. At the acceleration level, where these may have no solution
/// either, the direction of sliding friction is then left free (`stages/solving.rs`): a step of `auto` whose
/// numbers are finite fails there only with a proof that there is no solution. The failure of any other solver is an
/// error at once.
///
/// ```
/// use driftlab::prelude::*;
///
/// let mut world = World::new([0.0, -9.81]);
/// let stone = world.add_body(Body::dynamic().shape(Shape::circle(0.1)))?;
/// let report = step(&mut world, &Method::none(), 0.1, &mut Workspace::default())?;
/// assert_eq!((report.step, report.time), (1, 0.1));
/// assert!((world[stone].velocity.linear.y + 0.981).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A time step that is not finite and positive, a world that the method does not support, more contacts than a step may
/// have, a scheme that does not support the restitution law, one whose Newton iteration does not converge, a contact
/// problem that is not solved, or a state that is no longer finite. The world is then bit for bit as it was.
pub fn step(
    world: &mut World,
    method: &Method,
    h: f64,
    workspace: &mut Workspace,
) -> Result<StepReport, StepError> {
    if !(h.is_finite() && h > 0.0) {
        return Err(StepError::InvalidTimeStep(h));
    }
    method.check(world)?; // the scheme and the solver can step this world
    method.check_damping(world, h)?;
    if cfg!(debug_assertions) {
        world.check_custom_joints().map_err(StepError::Model)?; // J and k of joints of other crates
    }
    if let Some(report) = workspace.repeat(world, method, h) {
        return Ok(report); // at rest: the state and the report of the last step
    }
    let mut made = make(world, method, h, workspace);
    if let Ok(report) = &mut made {
        breaking::break_overloaded(world, workspace, report);
    }
    workspace.rest_cache.end(world, (method, h), made.as_ref().ok());
    made
}

fn make(
    world: &mut World,
    method: &Method,
    h: f64,
    workspace: &mut Workspace,
) -> Result<StepReport, StepError> {
    workspace.begin_step();
    // Makes the whole step, or a part of it.
    let advance = |workspace: &mut Workspace, world: &mut World, h: f64| {
        let mut step = workspace.begin(world, method, h); // begin: q and v; M⁻¹F of weight, applied forces, force laws and repulsion
        let advanced = (method.stabilizer.scheme().advance)(&mut step); // the stages of the scheme: g, J, v*, λ, v⁺, q⁺
        let asked = method.solver.info().key;
        let finished = step.finish(advanced); // finish: q⁺ and v⁺ are finite; energies into the report
        finished.map_err(|error| workspace.explained(error, world, asked))?;
        workspace.commit(world, h)?; // commit: q⁺, v⁺, each joint's λ/h and each contact's λ into the world
        Ok(workspace.measure(world)) // measure: what commit and finish found, as a report
    };
    if !method.solver.is_automatic() {
        return advance(workspace, world, h);
    }
    // One attempt at the whole step; further ones only if it fails.
    let made = in_halves(world, h, MAX_HALVINGS, &mut |world, h| advance(workspace, world, h));
    match made {
        Err(error) if error.leaves_room_to_yield() => {
            workspace.stages.totals.begin_step(); // no part of the failed attempts stays
            workspace.let_yield(true);
            let yielded = advance(workspace, world, h);
            workspace.let_yield(false);
            // The first error says what is wrong, unless the numbers overflow or there is a proof.
            yielded.map_err(|last| match last {
                StepError::Contact(MixedError::NoSolution { .. }, _) => last,
                _ if last.is_overflow() => last,
                _ => error,
            })
        }
        made => made,
    }
}

/// Calls `attempt` for a step of `h`; if that leaves a contact problem unsolved, for its two halves, and so on, at most
/// `depth` times. `attempt` advances the world by the time that it is given, or leaves it unchanged. The parts count as
/// one step.
///
/// # Errors
/// The error of the whole step, if its parts fail, too; the world is then unchanged.
pub fn in_halves<F>(world: &mut World, h: f64, depth: u32, attempt: &mut F) -> Result<StepReport, StepError>
where
    F: FnMut(&mut World, f64) -> Result<StepReport, StepError>,
{
    let error = match attempt(world, h) {
        Err(error) if depth > 0 && error.is_unsolved() => error,
        result => return result,
    };
    let before = world.clone();
    let parts = in_halves(world, 0.5 * h, depth - 1, attempt).and_then(|first| {
        let second = in_halves(world, 0.5 * h, depth - 1, attempt)?;
        Ok(first.followed_by(&second))
    });
    let Ok(mut report) = parts else {
        *world = before;
        return Err(error);
    };
    (world.time, world.steps) = (before.time + h, before.steps + 1);
    world.place_driven();
    (report.time, report.step) = (world.time, world.steps);
    report.solver_iterations += error.iterations();
    Ok(report)
}

/// Measures a world in its present state, without stepping: row 0 of a record.
pub fn measure(world: &World, method: &Method, workspace: &mut Workspace) -> StepReport {
    workspace.measure_anew(world, StepReport::before_any_solve(&method.solver))
}
