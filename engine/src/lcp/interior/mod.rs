//! Interior point with continuation: contacts with Coulomb friction from a cold start.
//!
//! **Problem**: the mixed problem of `problem/mixed.rs`, Coulomb friction as posed. It is written in pairs x ≥ 0, s ≥ 0, x s =
//! 0 (`cell.rs`); a contact has four, as [Anitescu & Potra 1997] pose it.
//!
//! **Central path**: the points with a x s = τ for all pairs, from large τ in (m/s)², where everything is far from its bound, to
//! a solution at τ = 0. The weights a are chosen so that the start lies on the path: with impulses of the size of the warm
//! start's, and with speeds of the size of those at contacts nearby. In a struck pile the speeds decay geometrically from body to
//! body, and with equal weights the path folds more often. A step is a Newton step on its equations, from which all pairs are
//! eliminated:
//!
//! ```text
//! H du = f ,   H = I + Σ Ĵᵀ D Ĵ ,   D = x/s of every row, 2×2 for a contact
//! ```
//!
//! over the bodies, of the same pattern as in Newton's method. As long as the steps are long, Mehrotra's predictor
//! (τ = 0) and corrector (the τ that the predictor earns, and its second-order term) share one factorisation.
//!
//! **Control of a stretch**, each step with products of mean m:
//!
//! - the predictor's longest step leaves the share e of Σ x s → the step's target is τ = m e³, at least 1e-6 m: the
//!   better the predictor, the lower the target
//! - the corrector's longest step t → 0.9 t is made, so that no pair comes closer to its bound than a tenth of the way;
//!   without friction 0.995 t
//! - a step of 0.3 or more → the point that it began from is well centred, and is stored
//! - three steps below 0.1 in a row; m not halved within 5 steps, without friction 15; det H ≤ 0 → the stretch ends, at
//!   the stored point
//! - the residual is near, at most 1e-7 of the speed; without friction a tenth of what counts as solved → the stretch
//!   ends
//! - a stretch has ended, the residual is close, at most 1e-3 of the speed, and a tenth of what it was at the last try
//!   → Newton's steps are tried
//! - they fail where the residual was near → near becomes 0.01 of what it was, and another stretch begins
//! - a stretch has ended short, and they fail → the method gives up: with friction the path has a fold there, without
//!   it has none and there is no solution
//!
//! κ of Newton's steps at the end is 1e2 at first, whereas `newton/` itself begins with 1e4: near the end of the central path λ
//! and w already show the states, and a small κ preserves them.
//!
//! **Folds**: without friction H is positive definite and τ falls all the way, with steps whose linear equations are regularised
//! [Friedlander & Orban 2012]. Coulomb's law is not monotone: H is
//! unsymmetric, and the path may turn back: τ would have to grow before it falls again. There det H changes sign, the
//! steps become short, and the method ends; from the point that it has reached, `homotopy/` often finds the solution.
//!
//! **Crossover**: Newton's method (`newton/`) continues from the point where its residual is small, and takes the solution to
//! rounding.
//!
//! **Classes**: without friction every feasible problem. With friction those whose central path has no fold before Newton's steps
//! find the solution.
//!
//! **Failure**: [`MixedError::NotConverged`] with the residual left; [`MixedError::NotApplicable`] for friction with a
//! compliance. Where a certificate proves that no velocity satisfies the rows, the least violation is returned
//! (`infeasibility.rs`).
//!
//! Source: [Kojima, Megiddo, Noma & Yoshise 1991] (interior points of complementarity problems); [Mehrotra 1992];
//! [Friedlander & Orban 2012] (regularisation).
//!
//! Departures: Coulomb's law is not relaxed to a convex one; the start does not need to satisfy the linear equations, whose
//! gaps fall with τ; equations are met by a proximal term, which a few steps take to rounding.

pub mod cell;
pub mod extrapolation;
pub mod infeasibility;

use crate::lcp::body_space::{BodyRow, BodySpace, Limit};
use crate::lcp::info::{SolverInfo, TOLERANCE};
use crate::lcp::newton::{Newton, NewtonEffort};
use crate::lcp::problem::solution::{MixedError, SolveResult, Solved};
use crate::lcp::problem::trail::Ending;
use crate::math::largest;
use cell::{Cell, ComplementaryPair};
use extrapolation::PathPoint;

pub(crate) use infeasibility::{KAPPA, YIELDED};

/// The method's entry in the table.
pub(crate) static INFO: SolverInfo = SolverInfo {
    key: "interior",
    name: "Interior point",
    summary: "Follows the central path of the problem with Coulomb's law up to its first fold, and ends with Newton's steps; \
              needs no warm start.",
    source: "Kojima et al. 1991; Mehrotra 1992",
    parameters: &[TOLERANCE],
};

/// Most factorisations in one stretch: stretches take 10 to 40.
const STRETCH: usize = 80;
/// Least target τ as a share of m: the predictor is never trusted with more than six decades at once.
const LEAST_TARGET: f64 = 1e-6;
/// Steps below this are short, since m falls by a tenth at most; this many in a row end a stretch. After one or two the path may
/// recover.
const SHORT: f64 = 0.1;
const MOST_SHORT: usize = 3;
/// A point from which the step is longer than this is well centred: no pair is much nearer to its bound than the others.
const CENTRED: f64 = 0.3;
/// Residuals, as shares of the problem's speed, at which the path is left for Newton's steps, and at which they are tried
/// where it becomes hard: at 1e-7 nearly all states can be told from λ and w; at 1e-3 those of the rows that carry.
const NEAR: f64 = 1e-7;
const CLOSE: f64 = 1e-3;
/// Newton's steps are tried again when the residual has fallen by this factor, a digit, in which states become clear.
const RETRY: f64 = 0.1;
/// Factor of `NEAR` after Newton's steps have failed, two digits, and its least value, rounding.
const NEARER: f64 = 0.01;
const NEAREST: f64 = 1e-15;
/// Least speed of a contact at the start, as a share of the largest |w|: between none at all, on the bound, and
/// equal speeds, with which the path folds more often.
const LEAST_SPEED: f64 = 0.3;

/// The effort after which the method gives up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InteriorEffort {
    /// Most factorisations in one stretch.
    pub stretch: usize,
    /// Newton's steps at the end.
    pub crossover: NewtonEffort,
    /// Whether all rows are regularised (`infeasibility.rs`), and λ is wanted to rounding.
    pub yields: bool,
}

impl InteriorEffort {
    /// The effort of the method by itself: a struck pyramid takes 20 to 60 factorisations.
    pub const FULL: Self = Self {
        stretch: STRETCH,
        crossover: NewtonEffort { kappa: 1e2, factorisations: 60, stall: 12 },
        yields: false,
    };

    /// In words.
    pub fn words(&self) -> String {
        let newton = self.crossover.factorisations;
        format!("the central path up to its first fold, then {newton} factorisations of newton")
    }
}

/// How the path is followed.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// Initial impulse of a row without a warm start, as a multiple of the impulse that would stop it alone. A pile's lowest rows
    /// carry all layers above, and impulses that first have to grow make short steps.
    pub alone: f64,
    /// The share of the way to the nearest bound that a step makes.
    pub share: f64,
    /// Number of steps within which the mean product has to halve, or the stretch ends.
    pub idle: usize,
    /// Compliance in a step's linear equations beyond a row's own, as a share of Aᵢᵢ: D is then at most 1/(share Aᵢᵢ),
    /// and H keeps its digits where s vanishes. The step leaves a residual of that compliance times dx, which becomes
    /// the gap of the next step.
    pub proximal: f64,
    /// Whether its end is extrapolated from two of its points (`extrapolation.rs`).
    pub extrapolates: bool,
    /// Residual at which the path is left at the latest, as a multiple of the residual that counts as solved.
    pub near: f64,
}

impl Pace {
    /// Settings with friction, where Newton's steps tell the states while the residual is still large.
    pub const FRICTIONAL: Self =
        Self { alone: 1.0, share: 0.9, idle: 5, proximal: 0.0, extrapolates: false, near: f64::INFINITY };
    /// Settings without friction. The path is followed to the solution: where most of a pile does not move, its rows end with λ =
    /// 0 and w = 0, from which Newton's steps cannot tell their states. (Where all rows are regularised, D is bounded and
    /// Newton's steps take λ to rounding: there the path is followed as with friction.)
    ///
    /// `proximal`: D of active rows grows like 1/τ, and without regularisation rounding makes pivots of H negative at residuals
    /// of 1e-8 to 1e-9 of the speed, which ends the path. Of the corrections of struck pyramids 197 of 242 were solved with a
    /// share of 0, 259 of 264 with 1e-12, 262 of 265 with 1e-10, 268 of 271 with 1e-8, 261 of 267 with 1e-6.
    ///
    /// `alone`: of 200 corrections of a pyramid whose boxes overlap anywhere 13 stalled at the start with 1, and 2 with 10.
    pub const CONVEX: Self =
        Self { alone: 10.0, share: 0.995, idle: 15, proximal: 1e-8, extrapolates: true, near: 0.1 };
}

/// Buffers and state of the method.
#[derive(Debug, Default)]
pub(crate) struct Interior {
    /// By place |λ| before the start; by movable body the initial speeds, and one entry for all that do not move.
    impulses: Vec<f64>,
    speeds: Vec<f64>,
    cells: Vec<Cell>,
    /// The point before the present one.
    before: PathPoint,
    /// (x, s) of every pair, equations' included, at the last well centred point.
    centred: Vec<[f64; 2]>,
    /// By movable body, and one entry for all that do not move.
    du: Vec<[f64; 3]>,
    /// Factorisations of the last attempt.
    pub factorisations: usize,
    /// The least violation of the rows by the velocities on its path; friction does not count.
    pub violation: f64,
    /// Why it ended without a solution.
    pub ending: Ending,
}

impl Interior {
    /// Solves the problem that `space` holds; the best λ found stays there.
    pub fn solve(
        &mut self,
        space: &mut BodySpace,
        newton: &mut Newton,
        tolerance: f64,
        effort: InteriorEffort,
    ) -> SolveResult {
        self.ending = Ending::Refused;
        self.violation = f64::INFINITY;
        let mut frictions = space.rows.iter().filter(|row| acts_as_friction(row));
        if frictions.clone().any(|row| row.compliance != 0.0) {
            let reason = "friction with a compliance";
            return Err(MixedError::NotApplicable { solver: INFO.key, reason });
        }
        self.ending = Ending::Stalled;
        let frictional = effort.yields || frictions.next().is_some();
        let pace = if frictional { Pace::FRICTIONAL } else { Pace::CONVEX };
        let speed = self.begin(space, pace);
        let (mut near, mut tried) = ((NEAR * speed).min(pace.near * tolerance), f64::INFINITY);
        let mut spent = 0;
        while near > NEAREST * speed {
            let is_near = self.stretch(space, near, pace, effort.stretch);
            // Without friction this is a solution already, and Newton's steps could not tell the states any better from it.
            if pace.extrapolates && is_near && space.residual <= tolerance {
                return Ok(Solved::by(INFO.key, self.factorisations + spent));
            }
            if space.residual <= CLOSE * speed && space.residual < RETRY * tried {
                tried = space.residual;
                space.recall();
                let solved = newton.improve(space, tolerance, effort.crossover);
                spent += newton.factorisations;
                if solved {
                    return Ok(Solved::by(INFO.key, self.factorisations + spent));
                }
            }
            if !is_near {
                break;
            }
            near *= NEARER;
        }
        // Newton's steps may find the states from the end of the path, whatever its residual.
        space.recall();
        let solved = newton.improve(space, tolerance, effort.crossover);
        spent += newton.factorisations;
        if solved {
            return Ok(Solved::by(INFO.key, self.factorisations + spent));
        }
        let (iterations, residual) = (self.factorisations + spent, space.residual);
        Err(MixedError::NotConverged { solver: INFO.key, residual, expected: tolerance, iterations })
    }

    /// Sets the pairs up; returns the problem's speed.
    fn begin(&mut self, space: &mut BodySpace, Pace { alone, proximal, .. }: Pace) -> f64 {
        space.recall();
        self.impulses.clear();
        self.impulses.extend(space.lambda.iter().map(|lambda| lambda.abs()));
        for (lambda, row) in space.lambda.iter_mut().zip(&space.rows) {
            *lambda = match row.limit {
                Limit::Between(lower, upper) => 0.0_f64.max(lower).min(upper),
                Limit::Coulomb { .. } | Limit::Dragged { .. } => 0.0,
            };
        }
        space.measure();
        // Zero only where λ = 0 is the solution, which is then found at once.
        let speed = largest(space.w.iter().copied()).max(f64::MIN_POSITIVE.sqrt());
        let Self { cells, impulses, speeds, .. } = self;
        let (rows, bodies) = (&space.rows, space.graph.movable);
        speeds.clear();
        speeds.resize(bodies + 1, LEAST_SPEED * speed);
        for (row, w) in rows.iter().zip(&space.w) {
            for body in row.ends().filter(|body| *body < bodies) {
                speeds[body] = speeds[body].max(w.abs());
            }
        }
        cells.clear();
        cells.extend((0..rows.len()).filter_map(|at| {
            let near = rows[at].ends().fold(0.0, |near: f64, end| near.max(speeds[end]));
            let impulse = impulses[at].max(alone * near / rows[at].diagonal);
            let unit = speed / impulse * (speed / near);
            let friction = rows.get(at + 1).is_some_and(acts_as_friction).then_some(at + 1);
            Cell::new(rows, at, friction, ComplementaryPair::new(impulse, near, unit), proximal)
        }));
        self.du.clear();
        self.du.resize(bodies + 1, [0.0; 3]);
        self.factorisations = 0;
        speed
    }

    /// Makes predictor and corrector steps until the solution is near or the steps become short; then the pairs are those of the
    /// last well centred point. Makes `most` factorisations at most; returns whether the solution is near.
    fn stretch(&mut self, space: &mut BodySpace, near: f64, pace: Pace, most: usize) -> bool {
        let end = self.factorisations + most;
        let count = self.sum(|_| 1.0).max(1.0);
        let (mut short, mut idle, mut least) = (0, 0, f64::INFINITY);
        self.keep();
        self.before.residual = 0.0; // no point yet
        loop {
            let residual = self.look(space);
            if residual <= near || pace.extrapolates && self.before.extrapolate(space, residual) <= near {
                return true;
            }
            let mean = self.sum(|pair| pair.product(0.0)) / count;
            (least, idle) = if mean < 0.5 * least { (mean, 0) } else { (least, idle + 1) };
            let stuck = short >= MOST_SHORT || idle > pace.idle || !residual.is_finite();
            if stuck || self.factorisations >= end || !self.factor(space) || !space.graph.lu.is_oriented() {
                self.go_back();
                return false;
            }
            let longest = self.direct(space, 1.0, |pair| (pair.c, pair.r) = (-pair.x * pair.s, pair.gap));
            let left = (self.sum(|pair| pair.product(longest)) / (count * mean)).clamp(0.0, 1.0);
            let target = mean * (left * left * left).max(LEAST_TARGET);
            let step = pace.share
                * self.direct(space, 1.0 / pace.share, |pair| {
                    pair.c = target / pair.unit - pair.x * pair.s - pair.dx * pair.ds;
                });
            short = if step < SHORT { short + 1 } else { 0 };
            if step >= CENTRED {
                self.keep();
            }
            self.cells.iter_mut().for_each(|cell| cell.each(&mut |pair| pair.advance(step)));
        }
    }

    /// Evaluates λ, w and the gaps of the present pairs; returns the residual.
    fn look(&mut self, space: &mut BodySpace) -> f64 {
        self.cells.iter().for_each(|cell| cell.write(&mut space.lambda));
        let residual = space.measure();
        self.violation = self.violation.min(space.violation());
        self.cells.iter_mut().for_each(|cell| cell.look(&space.w));
        residual
    }

    /// Factorises H at the present pairs; false if it is singular.
    fn factor(&mut self, space: &mut BodySpace) -> bool {
        self.factorisations += 1;
        space.graph.lu.set_identity();
        self.cells.iter_mut().for_each(|cell| cell.add_to_h(&space.rows, &mut space.graph));
        space.graph.lu.factor()
    }

    /// Computes dx and ds for the right-hand sides that `pose` gives the pairs; returns the longest step, at most `most`, that
    /// leaves no pair negative.
    fn direct(
        &mut self,
        space: &mut BodySpace,
        most: f64,
        mut pose: impl FnMut(&mut ComplementaryPair),
    ) -> f64 {
        self.du.fill([0.0; 3]);
        for cell in &mut self.cells {
            cell.each(&mut pose);
            cell.load(&space.rows, &mut self.du);
        }
        space.graph.lu.solve(&mut self.du);
        let mut longest = most;
        for cell in &mut self.cells {
            cell.answer(&space.rows, &self.du);
            cell.each_complementary(&mut |pair| pair.shorten(&mut longest));
        }
        longest
    }

    /// Sums over the complementary pairs.
    fn sum(&mut self, of: impl Fn(&ComplementaryPair) -> f64) -> f64 {
        let mut sum = 0.0;
        self.cells.iter_mut().for_each(|cell| cell.each_complementary(&mut |pair| sum += of(pair)));
        sum
    }

    /// Stores the present point as well centred.
    fn keep(&mut self) {
        let Self { cells, centred, .. } = self;
        centred.clear();
        cells.iter_mut().for_each(|cell| cell.each(&mut |pair| centred.push([pair.x, pair.s])));
    }

    /// Restores x and s of the last well centred point.
    fn go_back(&mut self) {
        let Self { cells, centred, .. } = self;
        let mut kept = centred.iter();
        let mut restore = |pair: &mut ComplementaryPair| {
            if let Some([x, s]) = kept.next() {
                (pair.x, pair.s) = (*x, *s);
            }
        };
        cells.iter_mut().for_each(|cell| cell.each(&mut restore));
    }
}

/// Whether it is friction that can move its bodies.
fn acts_as_friction(row: &BodyRow) -> bool {
    let (Limit::Coulomb { coefficient, .. } | Limit::Dragged { coefficient, .. }) = row.limit else {
        return false;
    };
    coefficient != 0.0 && row.diagonal != 0.0
}
