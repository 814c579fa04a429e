//! One attempt of Dantzig's method: rows are driven one after the other, each along a path on which all rows met before
//! stay satisfied.
//!
//! Driving row i means that λᵢ enters the basis and moves against wᵢ. Everything else follows linearly (`basis.rs`) until the
//! first event (`event.rs`): some row reaches the end of its status. That row changes its status, one of its two variables
//! leaves the basis, and the other one, its complement, is the next to enter:
//!
//! | the event | status before → after | leaves | enters next | in the sense |
//! |---|---|---|---|---|
//! | λ meets its lower bound | clamped → lower, friction: sliding at −μ λ_n | λ | w | w > 0 |
//! | λ meets its upper bound | clamped → upper, friction: sliding at +μ λ_n | λ | w | w < 0 |
//! | w ≥ 0 falls to zero | lower, sliding at −μ λ_n → clamped | w | λ | λ grows |
//! | w ≤ 0 rises to zero | upper, sliding at +μ λ_n → clamped | w | λ | λ falls |
//! | w leaves zero | idle → clamped | w | λ | the one in which λᵢ goes on as before |
//! | λ meets a bound | idle → lower, upper, sliding | none: it was not in the basis | what was moving | as before |
//! | wᵢ becomes zero, or λᵢ meets a bound | pending → clamped, lower, upper, sliding | its own | nothing: row i is met | |
//!
//! So of each row at most one of λ and w is basic, but for the one whose complement is moving. A contact is two rows: when λ_n falls
//! to zero both bounds ±μ λ_n of a clamped friction row close in at the same moment, and friction is made to slide first;
//! it is then loose (λ_t = 0, w_t free) until the contact bears again, and slides against w_t from then on.
//!
//! Where the matrix is a P-matrix λᵢ moves in one sense all the time. Otherwise the path may turn and λᵢ run backwards for a while;
//! if it comes back to where it began, at another solution of the rows met so far, the drive has failed.

use super::Stop;
use super::basis::{Basis, BasisMemory, Direction, Variable};
use super::event::{Candidates, Event};
use super::order::Order;
use super::point::{Point, Status};
use crate::lcp::delassus::rows::Rows;
use crate::math::largest;

/// w below this share of the largest q or λ is zero: some thousand times the rounding of a row that many others act on.
const ZERO_VALUE: f64 = 1e-12;
/// w below this share may be nothing but what rounding has gathered over many events: it is computed from A before its row is driven.
const DOUBTFUL: f64 = 1e-8;
/// Events without any motion, per row of the problem, after which they go round in a circle: the way out of a degenerate
/// point changes each row a few times at most.
const MOST_DEGENERATE: usize = 4;
/// Events after which w and λ are computed from A; each event adds a rounding error to them.
const STALE: usize = 64;
/// Corrections of the final λ; the first brings rounding level.
const CORRECTIONS: usize = 3;
/// Fractional parts of its multiples fill the unit interval evenly.
const GOLDEN_RATIO: f64 = 0.618_033_988_749_894_9;

/// The variable that enters the basis and moves.
#[derive(Clone, Copy, Debug)]
struct Entering {
    variable: Variable,
    /// 1 or −1; absent where both are allowed, and λ of the driven row decides.
    sense: Option<f64>,
}

/// Memory of an attempt, used again by the next one.
#[derive(Debug, Default)]
pub(super) struct AttemptMemory {
    status: Vec<Status>,
    lambda: Vec<f64>,
    w: Vec<f64>,
    q: Vec<f64>,
    basis: BasisMemory,
    direction: Direction,
    candidates: Candidates,
}

/// The rows met so far, with the basis in which the others are driven.
pub(super) struct ActiveSet<'m> {
    pub point: Point<'m>,
    pub events: usize,
    basis: Basis<'m>,
    direction: &'m mut Direction,
    candidates: &'m mut Candidates,
    /// q of this attempt.
    q: &'m [f64],
    limit: usize,
    /// Events in a row without any motion.
    degenerate: usize,
}

impl<'m> ActiveSet<'m> {
    /// All rows pending, each q moved upwards by a share of `spread` of the largest; at most `limit` events.
    pub fn new(rows: &'m Rows, memory: &'m mut AttemptMemory, limit: usize, spread: f64) -> Self {
        let top = largest(rows.q.iter().copied());
        let share = |i: usize| (i as f64 * GOLDEN_RATIO).fract();
        let AttemptMemory { status, lambda, w, q, basis, direction, candidates } = memory;
        q.clear();
        q.extend(rows.q.iter().enumerate().map(|(i, q)| q + spread * top * share(i + 1)));
        status.clear();
        status.resize(rows.len(), Status::Pending);
        lambda.clone_from(&rows.start);
        w.clone_from(q);
        Self {
            point: Point { rows, status, lambda, w, zero: ZERO_VALUE * top },
            q,
            events: 0,
            basis: Basis::new(rows, basis),
            direction,
            candidates,
            limit,
            degenerate: 0,
        }
    }

    /// Satisfies every row, in that order; with the problem's own q in the end.
    pub fn run(&mut self, order: Order) -> Result<(), Stop> {
        while let Some(at) = order.next(&self.point) {
            self.drive(at)?;
        }
        for _ in 0..CORRECTIONS {
            self.basis.settle(&self.point.rows.q, self.point.lambda, self.point.w);
        }
        Ok(())
    }

    /// Satisfies row `at`.
    fn drive(&mut self, at: usize) -> Result<(), Stop> {
        let size = largest(self.q.iter().chain(&*self.point.lambda).copied());
        self.point.zero = ZERO_VALUE * size;
        if (self.point.zero..=DOUBTFUL * size).contains(&self.point.w[at].abs()) {
            // A row that the others hold already has w = 0 but for what rounding has gathered.
            self.basis.settle(self.q, self.point.lambda, self.point.w);
        }
        if let Some(state) = self.point.met(at) {
            return self.rest(at, state);
        }
        let sense = -self.point.w[at].signum();
        let mut entering = Entering { variable: Variable::Lambda(at), sense: Some(sense) };
        let mut driven_rate = sense;
        loop {
            self.events += 1;
            if self.events > self.limit || self.degenerate > MOST_DEGENERATE * self.point.rows.len() {
                return Err(Stop::Refused("no end of the changes of state"));
            }
            if self.events.is_multiple_of(STALE) {
                self.basis.settle(self.q, self.point.lambda, self.point.w);
            }
            let mut direction = std::mem::take(self.direction);
            self.basis.direction(entering.variable, entering.sense.unwrap_or(1.0), &mut direction);
            if entering.sense.is_none() && direction.lambda[at] * driven_rate < 0.0 {
                direction.lambda.iter_mut().chain(&mut direction.w).for_each(|x| *x = -*x);
            }
            if direction.lambda.iter().any(|x| !x.is_finite()) {
                return Err(Stop::Refused("the system of the clamped rows is singular"));
            }
            driven_rate = direction.lambda[at];
            let event = self.candidates.first(&self.point, at, &direction)?;
            self.advance(event.at, &direction);
            *self.direction = direction;
            let next = self.change(at, entering, event)?;
            let Some(next) = next else { return Ok(()) };
            entering = next;
        }
    }

    /// A row that is met as it is.
    fn rest(&mut self, at: usize, state: Status) -> Result<(), Stop> {
        self.point.status[at] = state;
        match (state, self.point.rows.normal[at]) {
            (Status::Sliding { positive }, Some(n)) => self.slide(at, n, positive),
            _ => Ok(()),
        }
    }

    /// Friction `t` begins to follow ±μ λ_n.
    fn slide(&mut self, t: usize, n: usize, positive: bool) -> Result<(), Stop> {
        let mu = self.point.rows.coefficient[t];
        let sound = self.basis.slide(n, if positive { mu } else { -mu });
        if sound { Ok(()) } else { Err(Stop::Refused("the system of the clamped rows is singular")) }
    }

    fn advance(&mut self, t: f64, direction: &Direction) {
        self.degenerate = if t > 0.0 { 0 } else { self.degenerate + 1 };
        for (x, dx) in self.point.lambda.iter_mut().zip(&direction.lambda) {
            *x += t * dx;
        }
        for (w, dw) in self.point.w.iter_mut().zip(&direction.w) {
            *w += t * dw;
        }
    }

    /// Changes the status that `event` calls for while `entering` moves, by the table of the file's head; what enters next, nothing
    /// where row `at`, the driven one, is met.
    fn change(&mut self, at: usize, entering: Entering, event: Event) -> Result<Option<Entering>, Stop> {
        let point = &mut self.point;
        let Event { row, mut state, .. } = event;
        let mut row = row;
        if let (Status::Lower, Some(t)) = (state, point.rows.friction[row])
            && point.status[t] == Status::Clamped
        {
            // Both bounds of its friction close in at the same moment, which therefore slides first.
            (row, state) = (t, Status::Sliding { positive: point.lambda[t] > 0.0 });
        }
        let before = std::mem::replace(&mut point.status[row], state);
        let [lower, upper] = point.rows.bounds(row, point.lambda);
        let wrong_side = match state {
            Status::Lower | Status::Sliding { positive: false } => point.w[row] < -point.zero,
            Status::Upper | Status::Sliding { positive: true } => point.w[row] > point.zero,
            _ => false,
        };
        if row == at && wrong_side {
            return Err(Stop::Refused("a driven row comes back to where it began"));
        }
        let (leaving, next) = match state {
            Status::Lower | Status::Sliding { positive: false } => {
                point.lambda[row] = lower;
                (Variable::Lambda(row), Entering { variable: Variable::Rate(row), sense: Some(1.0) })
            }
            Status::Upper | Status::Sliding { positive: true } => {
                point.lambda[row] = upper;
                (Variable::Lambda(row), Entering { variable: Variable::Rate(row), sense: Some(-1.0) })
            }
            _ => {
                point.w[row] = 0.0;
                let sense = match before {
                    Status::Lower | Status::Sliding { positive: false } => Some(1.0),
                    Status::Upper | Status::Sliding { positive: true } => Some(-1.0),
                    _ => None,
                };
                (Variable::Rate(row), Entering { variable: Variable::Lambda(row), sense })
            }
        };
        if let (Status::Sliding { positive }, Some(n)) = (state, self.point.rows.normal[row]) {
            self.slide(row, n, positive)?;
        }
        // An idle row was not in the basis: nothing leaves, and what is entering goes on.
        if before == Status::Idle && matches!(leaving, Variable::Lambda(_)) {
            return Ok(Some(entering));
        }
        if !self.basis.exchange(entering.variable, leaving) {
            return Err(Stop::Refused("the system of the clamped rows is singular"));
        }
        self.follow(row, state)?;
        Ok((row != at).then_some(next))
    }

    /// The friction of a normal row that has lost its force, or has got one.
    fn follow(&mut self, n: usize, state: Status) -> Result<(), Stop> {
        let point = &mut self.point;
        let Some(t) = point.rows.friction[n].filter(|&t| point.status[t] != Status::Pending) else {
            return Ok(());
        };
        match state {
            Status::Lower => {
                point.lambda[t] = 0.0;
                point.status[t] = Status::Loose;
            }
            Status::Clamped if point.status[t] == Status::Loose => {
                let positive = match point.w[t] {
                    w if w > point.zero => false,
                    w if w < -point.zero => true,
                    _ => {
                        // Idle friction stays as it is while λ_n changes.
                        point.status[t] = Status::Idle;
                        self.basis.slide(n, 0.0);
                        return Ok(());
                    }
                };
                point.status[t] = Status::Sliding { positive };
                self.slide(t, n, positive)?;
            }
            _ => {}
        }
        Ok(())
    }
}
