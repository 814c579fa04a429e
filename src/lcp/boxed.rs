//! Dantzig's method for contacts with friction and for bounded rows: rows are satisfied one at a time.
//!
//! **Problem**: the mixed problem of `mixed.rs`, its equations eliminated: w = A λ + q over the other rows, A dense,
//! symmetric and positive semidefinite.
//!
//! **Invariant**: the rows met so far are satisfied. Each is clamped (w = 0, λ within its bounds), at a lower
//! (w ≥ 0) or upper bound (w ≤ 0), slides at ±μ λ_n, or idles (w = 0 already, λ as it is). A row i that is not
//! satisfied is *driven*: λᵢ moves against wᵢ and drags the others along,
//!
//! ```text
//! Δλ_S = ±μ Δλ_n of the sliding rows ,   A_CC Δλ_C + A_CS Δλ_S = −A_Ci Δλᵢ ,   Δw = A Δλ
//! ```
//!
//! until wᵢ = 0, λᵢ meets its bound, or another row has to change its state: then it changes, and λᵢ moves on.
//!
//! **Classes**: without friction every solvable problem. With it the matrix of the states is neither symmetric
//! nor semidefinite: a drive may move wᵢ the wrong way, and there is no proof that it ends.
//!
//! **Failure**: [`MixedError::NotApplicable`] in these cases, [`MixedError::Ray`] where without friction nothing
//! stops a row, with its certificate; [`MixedError::NotConverged`] where rounding has won. The answer is judged by
//! the residual of the problem as given: never an approximate one.
//!
//! Source: [Baraff 1994, §4 and §5]; [Cottle & Dantzig 1968].
//!
//! Departures:
//! 1. Baraff's dynamic friction keeps its direction; here a sliding row may stick again and turn round, so that
//!    Coulomb's law holds at the end.
//! 2. Rows that depend on clamped ones idle instead of entering a singular system.
//! 3. The system of the clamped rows is factorised afresh at each event, not updated.

use super::equations::Equations;
use super::lu::Lu;
use super::mixed::{Law, MixedError, MixedProblem};
use super::problem::ACCEPTED;
use super::solve::{Solved, accepted};
use super::{dantzig, pivot_limit};
use crate::math::largest;
use crate::parameter::Values;

/// A rate of w, or a share of it left in a clamped system, below this times the row's A is rounding.
const ZERO_RATE: f64 = 1e-9;
/// w below this share of the largest q is zero.
const ZERO_VALUE: f64 = 1e-12;

/// Where a row stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Not met yet.
    Pending,
    Clamped,
    Lower,
    Upper,
    /// Friction at ±μ λ_n.
    Sliding {
        positive: bool,
    },
    /// Friction of a contact without force.
    Loose,
    /// w = 0 thanks to the clamped rows.
    Idle,
}

/// Solves `problem`; `lambda` becomes the solution.
pub(super) fn dantzig(
    problem: &MixedProblem,
    values: &Values,
    equations: &mut Equations,
    lambda: &mut [f64],
) -> Result<Solved, MixedError> {
    let solver = dantzig::INFO.key;
    if problem.rows.iter().any(|row| matches!(row.law, Law::Sliding { .. })) {
        return Err(MixedError::NotApplicable { solver, reason: "friction of a given direction" });
    }
    equations.factor(problem).map_err(|_| MixedError::NotFinite)?;
    let mut drive = Drive::new(problem, equations);
    let limit = pivot_limit(values, drive.rows.len());
    let met = drive.run(limit);
    if let Err(Stop::Ray(direction)) = met {
        return Err(drive.ray(equations, &direction));
    }
    if let Err(Stop::Refused(reason)) = met {
        return Err(MixedError::NotApplicable { solver, reason });
    }
    lambda.fill(0.0);
    for (&row, x) in drive.rows.iter().zip(&drive.lambda) {
        lambda[row] = *x;
    }
    equations.complete(problem, lambda, &mut Vec::new());
    let (residual, iterations, expected) =
        (problem.residual(lambda), drive.events, accepted(problem, ACCEPTED));
    match residual <= expected {
        true => Ok(Solved { solver, iterations, infeasible: false, dependent: equations.dependent() }),
        false => Err(MixedError::NotConverged { solver, residual, expected, iterations }),
    }
}

/// Why a drive ended early.
enum Stop {
    Refused(&'static str),
    Ray(Vec<f64>),
}

struct Drive<'p> {
    problem: &'p MixedProblem,
    /// Rows of the problem that are no equations, each normal row before its friction.
    rows: Vec<usize>,
    /// By place in `rows`: the place of the normal row, of the friction row.
    normal: Vec<Option<usize>>,
    friction: Vec<Option<usize>>,
    a: Vec<f64>,
    lambda: Vec<f64>,
    w: Vec<f64>,
    states: Vec<State>,
    zero: f64,
    events: usize,
}

impl<'p> Drive<'p> {
    fn new(problem: &'p MixedProblem, equations: &mut Equations) -> Self {
        let is_friction = |law: Law| matches!(law, Law::Friction { .. });
        let list = |friction: bool| {
            (0..problem.rows.len()).filter(move |&i| {
                let law = problem.rows[i].law;
                law != Law::Equation && is_friction(law) == friction
            })
        };
        let rows: Vec<usize> = list(false).chain(list(true)).collect();
        let n = rows.len();
        let mut place = vec![0; problem.rows.len()];
        rows.iter().enumerate().for_each(|(at, &row)| place[row] = at);
        let (mut normal, mut friction) = (vec![None; n], vec![None; n]);
        let mut start = vec![0.0; problem.rows.len()];
        for (at, &row) in rows.iter().enumerate() {
            match problem.rows[row].law {
                Law::Friction { normal: of, .. } => {
                    (normal[at], friction[place[of]]) = (Some(place[of]), Some(at));
                }
                Law::Bounded { lower, upper } => start[row] = 0.0_f64.max(lower).min(upper),
                _ => {}
            }
        }
        let lambda: Vec<f64> = rows.iter().map(|&row| start[row]).collect();
        let mut v = Vec::new();
        equations.complete(problem, &mut start, &mut v);
        let w: Vec<f64> = rows.iter().map(|&row| problem.w(row, &v, &start)).collect();
        let mut a = vec![0.0; n * n];
        for (j, &row) in rows.iter().enumerate() {
            let dv = equations.response(problem, row, 1.0);
            for (i, &other) in rows.iter().enumerate() {
                a[i * n + j] = problem.rows[other].rate(&dv);
            }
            a[j * n + j] += problem.rows[row].compliance;
        }
        let zero = ZERO_VALUE * largest(w.iter().copied());
        Self {
            problem,
            rows,
            normal,
            friction,
            a,
            lambda,
            w,
            states: vec![State::Pending; n],
            zero,
            events: 0,
        }
    }

    fn run(&mut self, limit: usize) -> Result<(), Stop> {
        for at in 0..self.rows.len() {
            if self.normal[at].is_some() {
                continue;
            }
            self.drive(at, limit)?;
            if let Some(friction) = self.friction[at] {
                self.drive(friction, limit)?;
            }
        }
        Ok(())
    }

    /// [l, u] of a row at λ + t Δλ.
    fn bounds(&self, at: usize, dlambda: &[f64], t: f64) -> [f64; 2] {
        match (self.problem.rows[self.rows[at]].law, self.normal[at]) {
            (Law::Friction { coefficient, .. }, Some(n)) => {
                let most = coefficient * (self.lambda[n] + t * dlambda[n]).max(0.0);
                [-most, most]
            }
            (Law::Bounded { lower, upper }, _) => [lower, upper],
            _ => [0.0, f64::INFINITY],
        }
    }

    fn coefficient(&self, at: usize) -> f64 {
        match self.problem.rows[self.rows[at]].law {
            Law::Friction { coefficient, .. } => coefficient,
            _ => 0.0,
        }
    }

    /// Satisfies row `at`.
    fn drive(&mut self, at: usize, limit: usize) -> Result<(), Stop> {
        let n = self.rows.len();
        let still = vec![0.0; n];
        loop {
            self.events += 1;
            if self.events > limit {
                return Err(Stop::Refused("no end of the changes of state"));
            }
            let [lower, upper] = self.bounds(at, &still, 0.0);
            let (w, lambda) = (self.w[at], self.lambda[at]);
            if self.states[at] != State::Pending {
                return Ok(());
            }
            if w >= -self.zero && lambda <= lower {
                self.states[at] = self.at_bound(at, false);
                return Ok(());
            }
            if w <= self.zero && lambda >= upper {
                self.states[at] = self.at_bound(at, true);
                return Ok(());
            }
            if w.abs() <= self.zero {
                self.states[at] = State::Idle;
                return Ok(());
            }
            let direction = -w.signum();
            let dlambda = self.direction(at, direction)?;
            let dw: Vec<f64> =
                (0..n).map(|i| (0..n).map(|j| self.a[i * n + j] * dlambda[j]).sum::<f64>()).collect();
            self.step(at, direction, &dlambda, &dw)?;
        }
    }

    fn at_bound(&self, at: usize, upper: bool) -> State {
        match self.normal[at] {
            Some(n) if self.lambda[n] <= 0.0 && self.states[n] != State::Clamped => State::Loose,
            Some(_) => State::Sliding { positive: upper },
            None if upper => State::Upper,
            None => State::Lower,
        }
    }

    /// Δλ for a unit of λ of row `at`.
    fn direction(&mut self, at: usize, direction: f64) -> Result<Vec<f64>, Stop> {
        let n = self.rows.len();
        let clamped: Vec<usize> = (0..n).filter(|&j| self.states[j] == State::Clamped && j != at).collect();
        // The column of λ_j, with that of the friction that slides along with it.
        let column = |i: usize, j: usize| {
            let own = self.a[i * n + j];
            match self.friction[j].map(|t| (t, self.states[t])) {
                Some((t, State::Sliding { positive })) => {
                    let mu = self.coefficient(t);
                    own + if positive { mu } else { -mu } * self.a[i * n + t]
                }
                _ => own,
            }
        };
        let c = clamped.len();
        let system: Vec<f64> = clamped
            .iter()
            .flat_map(|&i| clamped.iter().map(move |&j| (i, j)))
            .map(|(i, j)| column(i, j))
            .collect();
        let rhs: Vec<f64> = clamped.iter().map(|&i| -direction * column(i, at)).collect();
        let solved = match Lu::factor(system, c) {
            Some(lu) => lu.solve(&rhs, 1),
            None => return Err(Stop::Refused("the system of the clamped rows is singular")),
        };
        if solved.iter().any(|x| !x.is_finite()) {
            return Err(Stop::Refused("the system of the clamped rows is singular"));
        }
        let mut dlambda = vec![0.0; n];
        dlambda[at] = direction;
        for (&j, x) in clamped.iter().zip(&solved) {
            dlambda[j] = *x;
        }
        for t in 0..n {
            if let (State::Sliding { positive }, Some(of)) = (self.states[t], self.normal[t]) {
                let mu = self.coefficient(t);
                dlambda[t] = if positive { mu } else { -mu } * dlambda[of];
            }
        }
        Ok(dlambda)
    }

    /// Moves along Δλ to the first event and changes the state that it calls for.
    fn step(&mut self, at: usize, direction: f64, dlambda: &[f64], dw: &[f64]) -> Result<(), Stop> {
        let n = self.rows.len();
        let scale = |i: usize| ZERO_RATE * self.a[i * n + i] * largest(dlambda.iter().copied());
        let pivot = dw[at] * direction;
        if pivot < -scale(at) {
            return Err(Stop::Refused("a driven row moves the wrong way"));
        }
        // (t, row, new state), the driven row first among equals, then the least index.
        let mut best = (f64::INFINITY, at, State::Pending);
        let mut offer = |t: f64, row: usize, state: State| {
            let t = t.max(0.0);
            if t < best.0 {
                best = (t, row, state);
            }
        };
        if pivot > scale(at) {
            offer(-self.w[at] / dw[at], at, State::Clamped);
        }
        for i in (at..=at).chain((0..n).filter(|&i| i != at)) {
            let inside = i == at || self.states[i] == State::Clamped || self.states[i] == State::Idle;
            if inside {
                for positive in [false, true] {
                    if let Some(t) = self.meets(i, dlambda, positive) {
                        let state = match self.normal[i] {
                            Some(_) => State::Sliding { positive },
                            None if positive => State::Upper,
                            None => State::Lower,
                        };
                        offer(t, i, state);
                    }
                }
            }
            if i == at {
                continue;
            }
            let comes = match self.states[i] {
                State::Lower | State::Sliding { positive: false } => dw[i] < -scale(i),
                State::Upper | State::Sliding { positive: true } => dw[i] > scale(i),
                State::Idle => dw[i].abs() > scale(i),
                State::Pending | State::Clamped | State::Loose => false,
            };
            if comes {
                offer(
                    if self.states[i] == State::Idle { 0.0 } else { -self.w[i] / dw[i] },
                    i,
                    State::Clamped,
                );
            }
        }
        let (t, row, state) = best;
        if t.is_infinite() {
            return Err(Stop::Ray(dlambda.to_vec()));
        }
        for i in 0..n {
            self.lambda[i] += t * dlambda[i];
            self.w[i] += t * dw[i];
        }
        self.change(row, state);
        Ok(())
    }

    /// When λ of row `i` meets its lower or upper bound.
    fn meets(&self, i: usize, dlambda: &[f64], positive: bool) -> Option<f64> {
        let side = usize::from(positive);
        let bound = self.bounds(i, dlambda, 0.0)[side];
        let moves = match self.normal[i] {
            Some(n) => self.coefficient(i) * dlambda[n] * if positive { 1.0 } else { -1.0 },
            None => 0.0,
        };
        let (gap, closing) = match positive {
            true => (bound - self.lambda[i], dlambda[i] - moves),
            false => (self.lambda[i] - bound, moves - dlambda[i]),
        };
        (bound.is_finite() && closing > 1e-14 * largest(dlambda.iter().copied())).then(|| gap / closing)
    }

    fn change(&mut self, row: usize, state: State) {
        self.states[row] = state;
        if state == State::Clamped {
            self.w[row] = 0.0;
        }
        let still = vec![0.0; self.rows.len()];
        let [lower, upper] = self.bounds(row, &still, 0.0);
        match state {
            State::Lower | State::Sliding { positive: false } => self.lambda[row] = lower,
            State::Upper | State::Sliding { positive: true } => self.lambda[row] = upper,
            _ => {}
        }
        let Some(t) = self.friction[row].filter(|&t| self.states[t] != State::Pending) else { return };
        match state {
            State::Lower => {
                self.lambda[t] = 0.0;
                self.states[t] = State::Loose;
            }
            State::Clamped if self.states[t] == State::Loose => {
                self.states[t] = match self.w[t] {
                    w if w > self.zero => State::Sliding { positive: false },
                    w if w < -self.zero => State::Sliding { positive: true },
                    _ => State::Idle,
                };
            }
            _ => {}
        }
    }

    /// The ray by row of the problem; its proof where friction takes no part.
    fn ray(&self, equations: &mut Equations, dlambda: &[f64]) -> MixedError {
        let mut still = self.problem.clone();
        still.free.iter_mut().for_each(|v| *v = glam::DVec3::ZERO);
        still.rows.iter_mut().for_each(|row| row.bias = 0.0);
        let mut direction = vec![0.0; still.rows.len()];
        for (&row, x) in self.rows.iter().zip(dlambda) {
            direction[row] = *x;
        }
        equations.complete(&still, &mut direction, &mut Vec::new());
        let top = largest(direction.iter().copied()).max(f64::MIN_POSITIVE);
        direction.iter_mut().for_each(|x| *x /= top);
        let infeasible = super::certificate::proves(self.problem, &direction);
        MixedError::Ray { solver: dantzig::INFO.key, pivots: self.events, direction, infeasible }
    }
}
