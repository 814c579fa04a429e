//! Joints by one factorisation, contacts by Gauss–Seidel sweeps, alternated; first the velocities, then the positions.
//!
//! ```text
//! v* = v + h M⁻¹F ,   J v⁺ + c = 0 ,   0 ≤ J_n v⁺ + b ⊥ λ_n ≥ 0 ,  |λ_t| ≤ μ λ_n ,   q* = q + h v⁺
//! at most p times   W⁻¹dp = Jᵀμ ,   g(q*) + J dp = 0 ,   0 ≤ φ(q*) + J_n dp ⊥ μ_n ≥ 0 ,   q* ← q* + dp
//!
//! each of these by   A_EE λ_E = −(b_E + A_EU λ_U)                   equations E, all at once, A_EE = J_E M⁻¹J_Eᵀ + C
//!                    λᵢ ← Π(λᵢ − wᵢ/Aᵢᵢ) ,  v ← v + M⁻¹Jᵢᵀ Δλᵢ      all other rows U, k sweeps
//!                    n times, and at last the equations once more
//! ```
//!
//! w = J v + c λ + b; λ in N s or N m s, μ in kg m, g and φ in m or rad. E are joints, gears, pulleys, springs, the grab and
//! non-holonomic constraints; U are contacts with friction and rolling resistance, limits, ropes, motors and friction in joints,
//! whose impulses have bounds. λ_U of contacts, motors and limits starts from the last step's, all others and μ_U from zero; λ_E
//! follows from λ_U. A sweep has motors first, then contacts, each normal before its friction, and then limits
//! (`lcp/alternation.rs`). A_EE is factorised once.
//!
//! **Why the name.** What is asked of Box2D and Box3D is a *direct solver for joints*, with contacts iterated as they are
//! [erincatto/box3d, issue 147]. AGX Dynamics calls such combinations *hybrid*, and *split* the one of normal forces solved
//! directly and friction iterated; Newton's solver Kamino factorises *bilateral* constraints, iterates *unilateral* ones, and
//! counts *coupling iterations*; in papers on *substructuring* both parts are solved directly [Peiret et al. 2019]. None of these
//! words says which rows are solved how: the name does.
//!
//! **Residual.** Equations hold to rounding, whatever n: what is left violates the other rows alone, and the report has it, as
//! a share of the step's largest speed where it is above 1e-9. It falls by a factor in each alternation. If a body m on a
//! contact carries a body M in a joint, that is ρ = M/(m + M): 0.5 for equal bodies, 0.99 for a foot under a hundred times its
//! own mass. The warm start goes on from step to step: with r = ρⁿ the velocity of such a pair, set onto the contact, is
//! u⁺ = r (2u − u⁻), from u = −r g h. By itself this would sink it by g h² r/(1 − r) before it is carried: by 12 g h² at n = 8
//! and M = 100 m, by 0.004 g h² for equal bodies. More sweeps k do not help it, only n does. Corrections of the positions leave
//! the same share, and where that is above 0.9 a heavy load may hop by ten g h² for seconds.
//!
//! **Positions** are corrected after the step as by `ngs`, its neighbour of Box2D 2.4, and leave no velocity: a bias β g/h would
//! throw what a stiff joint pulls. What one correction leaves of a joint's error is of the order h⁴ (`post_stabilization` solves
//! the same equations). Joints do not sag under load, and have no rate of decay to set.
//!
//! The rows are those of the velocity level (`stages/impulses.rs`); the law of impact is Newton's, and Poisson's is refused. The
//! method's solver plays no part: where there are equations alone, the factorisation is the whole solution.

use crate::lcp::alternation::Alternation;
use crate::method::linearisation::Operation;
use crate::method::{Method, Origin, Scheme, SchemeInfo};
use crate::parameter::{Parameter, Values, integer};
use crate::report::StepError;
use crate::stages::constraints::GapTerm;
use crate::stages::corrections::correct_up_to;
use crate::stages::impulses::Solve;
use crate::stages::motion::{Metric, SolvedBy};
use crate::stages::step_in_progress::Step;
use std::cell::Cell;

const ALTERNATIONS: Parameter = integer("alternations", "alternations", "n", [1.0, 100_000.0], 8.0)
    .meaning("How often joints, all at once, and sweeps over the other rows take turns. Kamino calls them coupling iterations.");

const SWEEPS: Parameter = integer("sweeps", "sweeps", "k", [1.0, 10_000.0], 4.0)
    .meaning("Sweeps over contacts, limits and motors in each alternation. With one, a stack of 20 boxes falls; loads that joints carry are not helped.");

const POSITION_ITERATIONS: Parameter =
    integer("position_iterations", "position corrections", "p", [1.0, 100.0], 3.0).meaning(
        "Most corrections of the positions after a step, each with J and g evaluated anew. Box2D 2.4.1: 3.",
    );

const INFO: SchemeInfo = SchemeInfo {
    key: "direct_iterated",
    name: "Direct joints, iterated contacts",
    short: "Direct + iterated",
    origin: Origin::Engines,
    synonyms: &["direct_joints", "hybrid", "split_solver", "block_gauss_seidel"],
    equation: "A λ = −(J v + c) ,  k sweeps of Δλ = −K⁻¹ J v",
    summary: "All joints at once by one factorisation, contacts by sweeps, in turn; first velocities, then positions.",
    source: "Catto, Box3D issue 147 (2026); Kamino, of Newton (2026); Peiret et al. 2019",
    departures: &[
        "Neither Box2D nor Box3D has such a solver yet; here it has the sweeps of Box2D 2.4.1, without slop, and without its blocks \
         of two contacts.",
        "Friction in joints, and drives that hold a pose, start from no impulse in every step, as under the other sweeps.",
        "Kamino iterates contacts to a tolerance in each coupling; here a given number of sweeps is made.",
    ],
    parameters: &[ALTERNATIONS, SWEEPS, POSITION_ITERATIONS],
    ..SchemeInfo::COMMON
};

pub(crate) static SCHEME: Scheme =
    Scheme { uses_solver: false, operations, remark, ..Scheme::new(INFO, advance) };

fn advance(step: &mut Step<'_>) -> Result<(), StepError> {
    let mut memory = std::mem::take(&mut step.stages.solve.alternations);
    memory[0].dependent = 0;
    let [dynamics, positions] = memory.map(Cell::new);
    let advanced = by_alternation(step, &dynamics, |step| {
        step.advance_unbiased(GapTerm::Corrected) // J v⁺ + c = 0, q* = q + h v⁺
    });
    let corrected = advanced.and_then(|()| by_alternation(step, &positions, correct)); // q⁺ = q* + dp
    let Solve { alternations, report, .. } = &mut step.stages.solve;
    *alternations = [dynamics, positions].map(Cell::into_inner);
    report.dependent_rows = report.dependent_rows.max(alternations[0].dependent);
    corrected
}

/// Acts on the step with its problems solved by alternation.
fn by_alternation(
    step: &mut Step<'_>,
    memory: &Cell<Alternation>,
    act: impl FnOnce(&mut Step<'_>) -> Result<(), StepError>,
) -> Result<(), StepError> {
    let counts = [&ALTERNATIONS, &SWEEPS].map(|own| step.values().of(own) as usize);
    let solve = |problem: &_, lambda: &mut [f64]| {
        let mut alternation = memory.take();
        let made = alternation.solve(problem, counts, lambda);
        memory.set(alternation);
        Ok(made?)
    };
    act(&mut step.with_solver(SolvedBy::Scheme(INFO.key, &solve, true)))
}

/// W⁻¹dp = Jᵀμ, g(q*) + J dp = 0, q* ← q* + dp, until rounding stops it, or p times.
fn correct(step: &mut Step<'_>) -> Result<(), StepError> {
    let most = step.values().of(&POSITION_ITERATIONS) as usize;
    correct_up_to(step, most, (Metric::Mass, f64::INFINITY), true)
}

fn operations(method: &Method, _: f64) -> Vec<Operation> {
    let count = method.stabilizer.values.of(&POSITION_ITERATIONS) as usize;
    let corrections = Operation::PositionCorrections { metric: Metric::Mass, bound: f64::INFINITY, count };
    vec![Operation::Impulses { rate: 0.0, gap: GapTerm::Corrected, turning: false }, corrections]
}

fn remark(values: &Values, _: f64) -> Option<String> {
    let left = |mass: f64| 100.0 * libm::pow(mass / (1.0 + mass), values.of(&ALTERNATIONS));
    Some(format!(
        "joints are exact; a contact under a load in a joint is left {:.2} % short if that is as heavy as its foot, {:.0} % if it is \
         100 times as heavy",
        left(1.0),
        left(100.0)
    ))
}
