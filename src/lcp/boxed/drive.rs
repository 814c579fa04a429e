//! One attempt: rows are driven one after the other, each along the path of states that keeps the others satisfied.
//!
//! λ of the driven row i enters the basis; from then on the variable that moves is the complement of the one that
//! has stopped the last: w of a row whose λ has met a bound, λ of a row whose w has become zero, in the one direction
//! that its new state allows. On the path every row met so far satisfies its law, wᵢ and λᵢ are what they come to.
//! Where the matrix is a P-matrix λᵢ grows all the time; else the path may turn and λᵢ run backwards for a while.

use super::super::rows::Rows;
use super::Stop;
use super::basis::{Basis, Direction, Variable};
use super::event::{Candidate, Event};
use super::order::Order;
use crate::math::largest;

/// w below this share of the largest q or λ is zero.
const ZERO_VALUE: f64 = 1e-12;
/// w below this share is computed from A before a row is driven.
const DOUBTFUL: f64 = 1e-8;
/// Changes of state without any motion, per row, after which they go round in a circle.
const STANDING: usize = 4;
/// Events after which w and λ are computed from A.
const STALE: usize = 64;
/// Corrections of the final λ; the first brings rounding level.
const CORRECTIONS: usize = 3;
/// Fractional parts of its multiples fill the unit interval evenly.
const GOLDEN_RATIO: f64 = 0.618_033_988_749_894_9;

/// Where a row stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
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

/// The variable that moves next.
#[derive(Clone, Copy, Debug)]
struct Mover {
    variable: Variable,
    /// 1 or −1; nothing where both are allowed, and λ of the driven row decides.
    way: Option<f64>,
}

pub(super) struct Drive<'r> {
    pub rows: &'r Rows,
    pub states: Vec<State>,
    pub lambda: Vec<f64>,
    pub w: Vec<f64>,
    pub events: usize,
    basis: Basis<'r>,
    direction: Direction,
    pub candidates: Vec<Candidate>,
    /// q of this attempt.
    q: Vec<f64>,
    /// Below this w and λ are zero.
    pub zero: f64,
    limit: usize,
    standing: usize,
}

impl<'r> Drive<'r> {
    /// All rows pending, each q moved upwards by a share of `spread` of the largest; at most `limit` events.
    pub fn new(rows: &'r Rows, limit: usize, spread: f64) -> Self {
        let top = largest(rows.q.iter().copied());
        let share = |i: usize| (i as f64 * GOLDEN_RATIO).fract();
        let q: Vec<f64> = rows.q.iter().enumerate().map(|(i, q)| q + spread * top * share(i + 1)).collect();
        Self {
            rows,
            states: vec![State::Pending; rows.len()],
            lambda: rows.start.clone(),
            w: q.clone(),
            q,
            events: 0,
            basis: Basis::new(rows),
            direction: Direction::default(),
            candidates: Vec::new(),
            zero: ZERO_VALUE * top,
            limit,
            standing: 0,
        }
    }

    /// Satisfies every row, in that order; with the problem's own q in the end.
    pub fn run(&mut self, order: Order) -> Result<(), Stop> {
        while let Some(at) = order.next(self) {
            self.drive(at)?;
        }
        for _ in 0..CORRECTIONS {
            self.basis.settle(&self.rows.q, &mut self.lambda, &mut self.w);
        }
        Ok(())
    }

    /// The state of row `at`, which is pending, if it is met as it is.
    fn met(&self, at: usize) -> Option<State> {
        let [lower, upper] = self.rows.bounds(at, &self.lambda);
        let (w, lambda) = (self.w[at], self.lambda[at]);
        if w >= -self.zero && lambda <= lower {
            return Some(self.at_bound(at, false));
        }
        if w <= self.zero && lambda >= upper {
            return Some(self.at_bound(at, true));
        }
        (w.abs() <= self.zero).then_some(State::Idle)
    }

    fn at_bound(&self, at: usize, upper: bool) -> State {
        match self.rows.normal[at] {
            Some(n) if self.lambda[n] <= 0.0 && self.states[n] != State::Clamped => State::Loose,
            Some(_) => State::Sliding { positive: upper },
            None if upper => State::Upper,
            None => State::Lower,
        }
    }

    /// Satisfies row `at`.
    fn drive(&mut self, at: usize) -> Result<(), Stop> {
        let size = largest(self.q.iter().chain(&self.lambda).copied());
        self.zero = ZERO_VALUE * size;
        if (self.zero..=DOUBTFUL * size).contains(&self.w[at].abs()) {
            // A row that the others hold already has w = 0 but for what rounding has gathered.
            self.basis.settle(&self.q, &mut self.lambda, &mut self.w);
        }
        if let Some(state) = self.met(at) {
            return self.rest(at, state);
        }
        let way = -self.w[at].signum();
        let mut mover = Mover { variable: Variable::Lambda(at), way: Some(way) };
        let mut pace = way;
        loop {
            self.events += 1;
            if self.events > self.limit || self.standing > STANDING * self.rows.len() {
                return Err(Stop::Refused("no end of the changes of state"));
            }
            if self.events.is_multiple_of(STALE) {
                self.basis.settle(&self.q, &mut self.lambda, &mut self.w);
            }
            let mut direction = std::mem::take(&mut self.direction);
            self.basis.direction(mover.variable, mover.way.unwrap_or(1.0), &mut direction);
            if mover.way.is_none() && direction.lambda[at] * pace < 0.0 {
                direction.lambda.iter_mut().chain(&mut direction.w).for_each(|x| *x = -*x);
            }
            if direction.lambda.iter().any(|x| !x.is_finite()) {
                return Err(Stop::Refused("the system of the clamped rows is singular"));
            }
            pace = direction.lambda[at];
            let event = self.event(at, &direction)?;
            self.advance(event.at, &direction);
            self.direction = direction;
            let next = self.change(at, mover, event)?;
            let Some(next) = next else { return Ok(()) };
            mover = next;
        }
    }

    /// A row that is met as it is.
    fn rest(&mut self, at: usize, state: State) -> Result<(), Stop> {
        self.states[at] = state;
        match (state, self.rows.normal[at]) {
            (State::Sliding { positive }, Some(n)) => self.slide(at, n, positive),
            _ => Ok(()),
        }
    }

    /// Friction `t` begins to follow ±μ λ_n.
    fn slide(&mut self, t: usize, n: usize, positive: bool) -> Result<(), Stop> {
        let mu = self.rows.coefficient[t];
        match self.basis.slide(n, if positive { mu } else { -mu }) {
            true => Ok(()),
            false => Err(Stop::Refused("the system of the clamped rows is singular")),
        }
    }

    fn advance(&mut self, t: f64, direction: &Direction) {
        self.standing = if t > 0.0 { 0 } else { self.standing + 1 };
        for (x, dx) in self.lambda.iter_mut().zip(&direction.lambda) {
            *x += t * dx;
        }
        for (w, dw) in self.w.iter_mut().zip(&direction.w) {
            *w += t * dw;
        }
    }

    /// Changes the state that `event` calls for while `mover` moves; what moves next, nothing at the drive's end.
    fn change(&mut self, at: usize, mover: Mover, event: Event) -> Result<Option<Mover>, Stop> {
        let Event { row, mut state, .. } = event;
        let mut row = row;
        if let (State::Lower, Some(t)) = (state, self.rows.friction[row])
            && self.states[t] == State::Clamped
        {
            // Both bounds of its friction close in at the same moment, which therefore slides first.
            (row, state) = (t, State::Sliding { positive: self.lambda[t] > 0.0 });
        }
        let before = std::mem::replace(&mut self.states[row], state);
        let [lower, upper] = self.rows.bounds(row, &self.lambda);
        let backwards = |positive: bool| match positive {
            true => self.w[row] > self.zero,
            false => self.w[row] < -self.zero,
        };
        let back = match state {
            State::Lower | State::Sliding { positive: false } => backwards(false),
            State::Upper | State::Sliding { positive: true } => backwards(true),
            _ => false,
        };
        if row == at && back {
            return Err(Stop::Refused("a driven row comes back to where it began"));
        }
        let (leaving, next) = match state {
            State::Lower | State::Sliding { positive: false } => {
                self.lambda[row] = lower;
                (Variable::Lambda(row), Mover { variable: Variable::Rate(row), way: Some(1.0) })
            }
            State::Upper | State::Sliding { positive: true } => {
                self.lambda[row] = upper;
                (Variable::Lambda(row), Mover { variable: Variable::Rate(row), way: Some(-1.0) })
            }
            _ => {
                self.w[row] = 0.0;
                let way = match before {
                    State::Lower | State::Sliding { positive: false } => Some(1.0),
                    State::Upper | State::Sliding { positive: true } => Some(-1.0),
                    _ => None,
                };
                (Variable::Rate(row), Mover { variable: Variable::Lambda(row), way })
            }
        };
        if let (State::Sliding { positive }, Some(n)) = (state, self.rows.normal[row]) {
            self.slide(row, n, positive)?;
        }
        // An idle row at its bound was not in the basis, and the mover goes on.
        if before == State::Idle && matches!(leaving, Variable::Lambda(_)) {
            return Ok(Some(mover));
        }
        if !self.basis.exchange(mover.variable, leaving) {
            return Err(Stop::Refused("the system of the clamped rows is singular"));
        }
        self.follow(row, state)?;
        Ok((row != at).then_some(next))
    }

    /// The friction of a normal row that has lost its force, or has got one.
    fn follow(&mut self, n: usize, state: State) -> Result<(), Stop> {
        let Some(t) = self.rows.friction[n].filter(|&t| self.states[t] != State::Pending) else {
            return Ok(());
        };
        match state {
            State::Lower => {
                self.lambda[t] = 0.0;
                self.states[t] = State::Loose;
            }
            State::Clamped if self.states[t] == State::Loose => {
                let positive = match self.w[t] {
                    w if w > self.zero => false,
                    w if w < -self.zero => true,
                    _ => {
                        // Idle friction stays as it is while λ_n changes.
                        self.states[t] = State::Idle;
                        self.basis.slide(n, 0.0);
                        return Ok(());
                    }
                };
                self.states[t] = State::Sliding { positive };
                self.slide(t, n, positive)?;
            }
            _ => {}
        }
        Ok(())
    }
}
