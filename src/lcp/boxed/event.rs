//! What stops the variable that moves: the row whose state changes first.

use super::Stop;
use super::basis::Direction;
use super::drive::{Drive, State};
use crate::math::largest;

/// A rate below this share of the direction's largest entry is rounding, in the equilibrated rows.
const ZERO_RATE: f64 = 1e-9;
/// The same for the rate at which λ nears its bound, which is no sum of cancelling terms.
const ZERO_APPROACH: f64 = 1e-14;
/// Among tied rows, rates below this share of the largest are passed over.
const TINY_RATE: f64 = 1e-3;

/// A change of state, when the mover has gone so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub at: f64,
    pub row: usize,
    pub state: State,
}

/// A row that stops the mover once it has closed a gap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    gap: f64,
    rate: f64,
    row: usize,
    state: State,
}

impl Drive<'_> {
    /// The first event. Of those that rounding cannot tell apart it is that of the driven row, then of the rows whose
    /// rate is not tiny beside the largest that of a friction row, then of the last.
    pub fn event(&mut self, at: usize, direction: &Direction) -> Result<Event, Stop> {
        let Direction { lambda: dlambda, w: dw, .. } = direction;
        let top = largest(dlambda.iter().copied());
        let least = ZERO_RATE * top.max(largest(dw.iter().copied()));
        let mut events = std::mem::take(&mut self.candidates);
        events.clear();
        let mut offer = |gap: f64, rate: f64, row: usize, state: State| {
            events.push(Candidate { gap: gap.max(0.0), rate, row, state });
        };
        if dw[at] * self.w[at] < 0.0 && dw[at].abs() > least {
            offer(self.w[at].abs(), dw[at].abs(), at, State::Clamped);
        }
        // Friction rows stand behind the others.
        for i in (at..=at).chain((0..self.rows.len()).rev().filter(|&i| i != at)) {
            if i == at || matches!(self.states[i], State::Clamped | State::Idle) {
                for positive in [false, true] {
                    let (gap, closing) = self.approach(i, direction, positive);
                    if gap.is_finite() && closing > ZERO_APPROACH * top {
                        let state = match self.rows.normal[i] {
                            Some(_) => State::Sliding { positive },
                            None if positive => State::Upper,
                            None => State::Lower,
                        };
                        offer(gap, closing, i, state);
                    }
                }
            }
            let comes = match self.states[i] {
                State::Lower | State::Sliding { positive: false } => dw[i] < -least,
                State::Upper | State::Sliding { positive: true } => dw[i] > least,
                State::Idle => dw[i].abs() > least,
                State::Pending | State::Clamped | State::Loose => false,
            };
            if comes {
                let gap = match self.states[i] {
                    State::Lower | State::Sliding { positive: false } => self.w[i],
                    State::Idle => 0.0,
                    _ => -self.w[i],
                };
                offer(gap, dw[i].abs(), i, State::Clamped);
            }
        }
        let reach = events.iter().map(|e| (e.gap + self.zero) / e.rate).fold(f64::INFINITY, f64::min);
        let tied = || events.iter().filter(|e| e.gap / e.rate <= reach);
        let most = largest(tied().map(|e| e.rate));
        let first = match tied().find(|e| e.row == at) {
            Some(own) => Some(own),
            None => tied().find(|e| e.rate >= TINY_RATE * most),
        };
        let found = first.map(|e| Event { at: e.gap / e.rate, row: e.row, state: e.state });
        self.candidates = events;
        found.ok_or_else(|| Stop::Ray(dlambda.clone()))
    }

    /// How far λ of row `i` is from its lower or upper bound, and how fast it comes nearer.
    fn approach(&self, i: usize, direction: &Direction, positive: bool) -> (f64, f64) {
        let bound = self.rows.bounds(i, &self.lambda)[usize::from(positive)];
        let away = direction.lambda[i] - self.bound_rate(i, positive, direction);
        if positive { (bound - self.lambda[i], away) } else { (self.lambda[i] - bound, -away) }
    }

    /// The rate of the bound ±μ λ_n of a friction row; zero for others.
    fn bound_rate(&self, row: usize, positive: bool, direction: &Direction) -> f64 {
        let Some(n) = self.rows.normal[row] else { return 0.0 };
        self.rows.coefficient[row] * direction.lambda[n] * if positive { 1.0 } else { -1.0 }
    }
}
