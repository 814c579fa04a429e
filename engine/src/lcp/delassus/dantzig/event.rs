//! Events of a drive: which row reaches the end of its status first.
//!
//! While the entering variable moves by s, every λ and w moves by s Δλ and s Δw. A row stops it after s = gap/rate, with the rate
//! at which its gap closes:
//!
//! | status | what ends it | gap | rate | next status |
//! |---|---|---|---|---|
//! | driven, clamped, idle | λ meets its lower bound l | λ − l | Δl − Δλ | lower, friction: sliding at −μ λ_n |
//! | driven, clamped, idle | λ meets its upper bound u | u − λ | Δλ − Δu | upper, friction: sliding at +μ λ_n |
//! | driven | its w becomes zero | \|w\| | \|Δw\| where it falls | clamped |
//! | lower, sliding at −μ λ_n | w ≥ 0 becomes zero | w | −Δw | clamped |
//! | upper, sliding at +μ λ_n | w ≤ 0 becomes zero | −w | Δw | clamped |
//! | idle | w leaves zero | 0 | \|Δw\| | clamped |
//! | pending but not driven, loose | nothing | | | |
//!
//! Bounds of friction move: Δu = −Δl = μ Δλ_n. Those of all other rows stand still.
//!
//! **Ties.** Rounding cannot tell ratios apart that agree within `zero`, what w and λ may be wrong by. As in Harris' ratio test
//! the step may go as far as the least (gap + zero)/rate, and every row with gap/rate below that is a candidate [Harris 1973]. Of these
//! it is the driven row, since its drive then ends; otherwise a friction row before a normal or bounded one, since a contact that
//! opens takes its friction's bounds along; among these the last. Rates below [`TINY_RATE`] of the largest are passed over, because the
//! rate is the pivot by which the basis changes.

use super::Stop;
use super::basis::Direction;
use super::point::{Point, Status};
use crate::math::largest;

/// A rate of w below this share of the direction's largest entry is rounding, in the equilibrated rows: w is a sum of terms that
/// cancel.
const ZERO_RATE: f64 = 1e-9;
/// The same for the rate at which λ nears its bound, a difference of two numbers, which loses only their last digits.
const ZERO_APPROACH: f64 = 1e-14;
/// Among tied rows, rates below this share of the largest are passed over: the inverse loses three digits at most.
const TINY_RATE: f64 = 1e-3;

/// A change of status, after the entering variable has moved so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub at: f64,
    pub row: usize,
    pub state: Status,
}

/// A row that stops the entering variable once its gap has closed.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    gap: f64,
    rate: f64,
    row: usize,
    state: Status,
}

/// The rows that may stop the entering variable; memory that is used again at every event.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    events: Vec<Candidate>,
}

impl Candidates {
    /// The first event while row `at` is driven, by the tables of the file's head.
    ///
    /// # Errors
    /// A ray, where nothing stops the entering variable.
    pub fn first(&mut self, point: &Point, at: usize, direction: &Direction) -> Result<Event, Stop> {
        let Direction { lambda: dlambda, w: dw, .. } = direction;
        let top = largest(dlambda.iter().copied());
        let least = ZERO_RATE * top.max(largest(dw.iter().copied()));
        let events = &mut self.events;
        events.clear();
        let mut offer = |gap: f64, rate: f64, row: usize, state: Status| {
            events.push(Candidate { gap: gap.max(0.0), rate, row, state });
        };
        if dw[at] * point.w[at] < 0.0 && dw[at].abs() > least {
            offer(point.w[at].abs(), dw[at].abs(), at, Status::Clamped);
        }
        // Friction rows stand behind the others.
        for i in (at..=at).chain((0..point.rows.len()).rev().filter(|&i| i != at)) {
            if i == at || matches!(point.status[i], Status::Clamped | Status::Idle) {
                for positive in [false, true] {
                    let (gap, closing) = point.approach(i, direction, positive);
                    if gap.is_finite() && closing > ZERO_APPROACH * top {
                        let state = match point.rows.normal[i] {
                            Some(_) => Status::Sliding { positive },
                            None if positive => Status::Upper,
                            None => Status::Lower,
                        };
                        offer(gap, closing, i, state);
                    }
                }
            }
            let comes = match point.status[i] {
                Status::Lower | Status::Sliding { positive: false } => dw[i] < -least,
                Status::Upper | Status::Sliding { positive: true } => dw[i] > least,
                Status::Idle => dw[i].abs() > least,
                Status::Pending | Status::Clamped | Status::Loose => false,
            };
            if comes {
                let gap = match point.status[i] {
                    Status::Lower | Status::Sliding { positive: false } => point.w[i],
                    Status::Idle => 0.0,
                    _ => -point.w[i],
                };
                offer(gap, dw[i].abs(), i, Status::Clamped);
            }
        }
        let reach = events.iter().map(|e| (e.gap + point.zero) / e.rate).fold(f64::INFINITY, f64::min);
        let tied = || events.iter().filter(|e| e.gap / e.rate <= reach);
        let most = largest(tied().map(|e| e.rate));
        let first = match tied().find(|e| e.row == at) {
            Some(own) => Some(own),
            None => tied().find(|e| e.rate >= TINY_RATE * most),
        };
        let found = first.map(|e| Event { at: e.gap / e.rate, row: e.row, state: e.state });
        found.ok_or_else(|| Stop::Ray(dlambda.clone()))
    }
}

impl Point<'_> {
    /// How far λ of row `i` is from its lower or upper bound, and how fast it comes nearer.
    fn approach(&self, i: usize, direction: &Direction, positive: bool) -> (f64, f64) {
        let bound = self.rows.bounds(i, self.lambda)[usize::from(positive)];
        let away = direction.lambda[i] - self.bound_rate(i, positive, direction);
        if positive { (bound - self.lambda[i], away) } else { (self.lambda[i] - bound, -away) }
    }

    /// The rate of the bound ±μ λ_n of a friction row; zero for others.
    fn bound_rate(&self, row: usize, positive: bool, direction: &Direction) -> f64 {
        let Some(n) = self.rows.normal[row] else { return 0.0 };
        self.rows.coefficient[row] * direction.lambda[n] * if positive { 1.0 } else { -1.0 }
    }
}
