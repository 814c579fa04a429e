//! The solver `auto`: which methods are tried on an island, from where, and for how long.
//!
//! | attempt | where | effort |
//! |---|---|---|
//! | newton | always, from the warm start | 20 factorisations with friction, 40 without |
//! | dantzig | up to 100 rows | to its end |
//! | homotopy | with friction | paths of 600 pieces in all |
//! | interior | always | up to its first fold; then the proof that there is no solution, where it is far from one |
//! | homotopy | with friction | from where the interior point ended, then from the warm start by another κ |
//! | newton | always | to its end, with a proof of its own |
//! | lemke | up to 400 rows | to its end |
//! | interior | at last | the proof that there is no solution |
//!
//! The first that ends with a solution ends it; a proof that there is none is followed by the least violation. Every attempt is
//! in the trail.

use super::body_space::BodySpace;
use super::boxed;
use super::homotopy::{self, Effort as Paths, Homotopy};
use super::interior::{self, Effort as Centring, Interior, KAPPA, YIELDED};
use super::islands::Island;
use super::mixed::{MixedError, MixedProblem};
use super::newton::{self, Effort, Least, Newton};
use super::pivoting;
use super::problem::ACCEPTED;
use super::solve::{MixedWorkspace, Solved, speed};
use super::trail::{Ending, Trail};
use super::{dantzig, lemke};
use crate::parameter::Values;

/// Newton's steps before another method is called, with friction and without: what comes next takes 10 to 40 factorisations.
const WHILE_IT_GETS_ON: [Effort; 2] = [
    Effort { factorisations: 20, stall: 3, ..Effort::FULL },
    Effort { factorisations: 40, stall: 7, ..Effort::FULL },
];
/// Paths before the interior point is called: those that end mostly do so soon.
const WHILE_THEY_END: Paths =
    Paths { first: 200, pieces: 600, failures: 2, persistent: false, ..Paths::FULL };
/// The central path up to its first fold, and few of Newton's steps there: the piecewise linear path from there takes less.
const WHILE_IT_CENTRES: Centring =
    Centring { factorisations: 1, crossover: Effort { factorisations: 10, ..Centring::FULL.crossover } };
/// Paths from where the central path ended.
const FROM_INSIDE: Paths = Paths { kappa: 1e4, first: 200, pieces: 2000, failures: 8, persistent: true };
/// Paths from the warm start again, by another κ.
const ANOTHER_WAY: Paths = Paths { kappa: 1e3, ..Paths::FULL };
/// Paths at the end of a solution, for what is left of the residual.
const AT_THE_END: Paths = Paths { kappa: 1e7, first: 60, pieces: 200, failures: 4, persistent: true };
/// Paths aim at this share of what is accepted.
const AIMED: f64 = 0.1;
/// A residual above this share of the problem's speed may be one that no λ gets rid of.
const FAR: f64 = 1e-3;
/// Most rows of an island in which Dantzig's method comes before the interior point: 50 contacts.
const SMALL: usize = 100;
/// Most rows of an island for which Lemke's method is tried after Newton's: 200 contacts.
const DENSE: usize = 400;

/// The methods over the bodies.
struct Methods<'a> {
    newton: &'a mut Newton,
    homotopy: &'a mut Homotopy,
    interior: &'a mut Interior,
}

/// By the difficulty and the size of an island: Newton's method while it gets on; for what it leaves Dantzig's in small
/// islands; with friction paths from the warm start, while they end; then the interior point, which far from a solution
/// also looks for the proof that there is none; paths from where that ended and again from the warm start; Newton's to its
/// end, with a proof of its own; Lemke's at last.
///
/// Newton's comes first at every size: where the states of the step before hold, or nearly, it takes the least time
/// (`benches/solvers.rs`). Where a few dozen contacts change, a path is the shortest way; the interior point does not
/// care how many do. In a pile that is struck each of them fails on a tenth of the problems, and hardly two on the same.
pub(super) fn automatic(index: usize, workspace: &mut MixedWorkspace) -> Result<Solved, MixedError> {
    let MixedWorkspace {
        island: Island { problem, acceptance, lambda, .. },
        equations,
        space,
        newton,
        homotopy,
        interior,
        spare,
        trail,
        ..
    } = workspace;
    let equations = &mut equations[index];
    let tolerance = acceptance.tolerance(ACCEPTED);
    let aims = [AIMED * tolerance, tolerance];
    let rubs = problem.rows.iter().any(|row| row.law.normal().is_some());
    let mut proved = false;
    space.enter(problem, acceptance, index, lambda);
    let [with_friction, without] = WHILE_IT_GETS_ON;
    if let Some(solved) =
        newton.improve(problem, space, tolerance, if rubs { with_friction } else { without })
    {
        return done(trail, solved, to_the_end(problem, space, homotopy, newton, aims, lambda));
    }
    trail.add(newton::INFO.key, newton.factorisations(), Ending::Left);
    if problem.rows.len() <= SMALL {
        spare.clone_from(lambda);
        let values = Values::defaults(dantzig::INFO.parameters);
        match boxed::dantzig(problem, acceptance, &values, equations, spare) {
            Ok(solved) => {
                lambda.clone_from(spare);
                return done(trail, solved, 0);
            }
            Err(error) => {
                proved = matches!(error, MixedError::Ray { infeasible: true, .. });
                let ending = if proved { Ending::Infeasible } else { Ending::Left };
                trail.add(dantzig::INFO.key, error.iterations(), ending);
            }
        }
    }
    if rubs && !proved {
        space.recall();
        if let Some(solved) = homotopy.improve(problem, space, newton, aims, WHILE_THEY_END) {
            return done(trail, solved, to_the_end(problem, space, homotopy, newton, aims, lambda));
        }
        trail.add(homotopy::INFO.key, homotopy.iterations(), Ending::Left);
        space.begin(problem, lambda);
    }
    match interior.solve(problem, space, newton, tolerance, WHILE_IT_CENTRES) {
        Ok(solved) => {
            return done(trail, solved, to_the_end(problem, space, homotopy, newton, aims, lambda));
        }
        Err(error) => trail.add(interior::INFO.key, error.iterations(), Ending::Left),
    }
    if proved || space.residual > FAR * speed(problem) {
        spare.clone_from(lambda);
        space.write_best(spare);
        let least = interior.least(problem, space, newton, speed(problem), proved);
        let ending = if least.is_some() { Ending::Infeasible } else { Ending::Left };
        trail.add(interior::INFO.key, interior.factorisations(), ending);
        if let Some(least) = least {
            let methods = Methods { newton, homotopy, interior };
            return violate(problem, space, methods, trail, tolerance, &least, lambda);
        }
        space.begin(problem, spare);
    }
    if rubs && !proved {
        space.recall();
        for from_warm_start in [false, true] {
            if from_warm_start {
                space.begin(problem, lambda);
            }
            let effort = if from_warm_start { ANOTHER_WAY } else { FROM_INSIDE };
            if let Some(solved) = homotopy.improve(problem, space, newton, aims, effort) {
                return done(trail, solved, to_the_end(problem, space, homotopy, newton, aims, lambda));
            }
            trail.add(homotopy::INFO.key, homotopy.iterations(), Ending::Left);
        }
    }
    space.begin(problem, lambda);
    let by_newton = match newton.solve(problem, space, tolerance, lambda) {
        Ok(solved) => return done(trail, solved, 0),
        Err(error) => error,
    };
    trail.add(newton::INFO.key, by_newton.iterations(), Ending::Left);
    let mut failed = by_newton;
    if problem.rows.len() <= DENSE {
        let values = Values::defaults(lemke::INFO.parameters);
        match pivoting::lemke(problem, acceptance, &values, equations, lambda) {
            Ok(solved) => return done(trail, solved, 0),
            Err(error) => {
                trail.add(lemke::INFO.key, error.iterations(), Ending::Left);
                // A ray says more than a residual.
                if matches!(error, MixedError::Ray { .. }) {
                    failed = error;
                }
            }
        }
    }
    // Nearly a contradiction: proved only now that nothing else has helped.
    space.begin(problem, lambda);
    let least = interior.least(problem, space, newton, speed(problem), proved).ok_or(failed)?;
    trail.add(interior::INFO.key, interior.factorisations(), Ending::Infeasible);
    violate(problem, space, Methods { newton, homotopy, interior }, trail, tolerance, &least, lambda)
}

/// Notes the attempt that has solved the problem, and counts what all of them took.
fn done(trail: &mut Trail, solved: Solved, further: usize) -> Result<Solved, MixedError> {
    let ending = if solved.infeasible { Ending::LeastViolation } else { Ending::Solved };
    trail.add(solved.solver, solved.iterations + further, ending);
    Ok(Solved { iterations: trail.iterations(), ..solved })
}

/// Meets a problem without a solution with the least violation.
fn violate(
    problem: &MixedProblem,
    space: &mut BodySpace,
    methods: Methods<'_>,
    trail: &mut Trail,
    tolerance: f64,
    least: &Least,
    lambda: &mut [f64],
) -> Result<Solved, MixedError> {
    let error = match methods.newton.solve_moved(problem, space, tolerance, lambda, least) {
        Ok(solved) => return done(trail, solved, 0),
        Err(error) => error,
    };
    trail.add(newton::INFO.key, error.iterations(), Ending::Left);
    let solved = yielding(problem, space, methods, least, lambda).ok_or(error)?;
    done(trail, solved, 0)
}

/// A problem without a solution, or with none but by enormous impulses, with all rows yielding a little: the compliance Aᵢᵢ/κ of
/// `interior/least.rs`, with friction. What the rows are then violated by is cᵢ λᵢ.
fn yielding(
    problem: &MixedProblem,
    space: &mut BodySpace,
    Methods { newton, homotopy, interior }: Methods<'_>,
    least: &Least,
    lambda: &mut [f64],
) -> Option<Solved> {
    let mut soft = problem.clone();
    for row in soft.rows.iter_mut().filter(|row| row.law.normal().is_none()) {
        row.compliance += row.diagonal(&problem.weight) / KAPPA;
    }
    let tolerance = YIELDED * speed(problem);
    space.begin(&soft, &least.lambda);
    let solved = newton.improve(&soft, space, tolerance, Effort::FULL).or_else(|| {
        space.begin(&soft, &least.lambda);
        homotopy.improve(&soft, space, newton, [tolerance; 2], Paths::FULL)
    });
    let solved = solved.or_else(|| {
        space.begin(&soft, &least.lambda);
        interior.solve(&soft, space, newton, tolerance, Centring::FULL).ok()
    })?;
    space.write_best(lambda);
    Some(Solved { infeasible: true, ..solved })
}

/// Paths from the solution in `space`, as long as its residual is above the first of `aims`; `lambda` becomes the best.
/// Returns what they took.
fn to_the_end(
    problem: &MixedProblem,
    space: &mut BodySpace,
    homotopy: &mut Homotopy,
    newton: &mut Newton,
    aims: [f64; 2],
    lambda: &mut [f64],
) -> usize {
    let mut spent = 0;
    if space.residual > aims[0] {
        space.recall();
        let further = homotopy.improve(problem, space, newton, aims, AT_THE_END);
        spent = further.map_or(homotopy.iterations(), |solved| solved.iterations);
    }
    space.write_best(lambda);
    spent
}
