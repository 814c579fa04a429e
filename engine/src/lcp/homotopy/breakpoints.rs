//! The search for the end of a piece: the first row whose y reaches an edge of its piece.
//!
//! The slack of a row, its distance from an edge, falls at a constant rate on a piece. The slacks of a contact are
//!
//! ```text
//! it opens or closes            σ (y_n − l)
//! it slides or sticks           σ₊ (μ y_n − y_t)   and   σ₋ (μ y_n + y_t)
//! ```
//!
//! with σ = 1 where y is within, −1 where it is beyond and 0 where there is no such edge, as at an open contact.
//!
//! **One pass over the rows per pivot.** y and dy/dt of all rows have to be brought over a pivot before the next one can be
//! found, and finding it visits all rows as well. Both are done in one pass: a pivot leaves behind its length and its turn θ with
//! z (`Lag`), and the search for the next pivot first applies them to each row, then computes where the row's piece ends:
//!
//! | | y of a row | dy/dt of a row | u, tangent |
//! |---|---|---|---|
//! | after the pivot k | at the pivot k − 1 | before the pivot k − 1 | at the pivot k, behind it |
//! | in the search for the pivot k + 1 | y + length · dy/dt | dy/dt − ρ̃ θ Ĵ z | |
//!
//! In between, the present y of a single row is y + length · dy/dt (`Homotopy::y_after`). With fresh factors everything is
//! computed anew, and nothing lags.
//!
//! **Contacts in lanes.** y and dy/dt of a contact's two rows stand side by side and go through the same operations.
//! Whether a row ends before the nearest edge so far, slack / −rate < length, is first tested without a division and
//! with a margin: slack + rate · length (1 + 8 ε) < 0. The length is computed only for rows that pass.

use super::Homotopy;
use crate::lcp::body_space::{BodyRow, Limit, LinearPiece};
use crate::math::{Pair, mapped};

/// Margin of the test without a division: more than the rounding of both tests.
const SPARE: f64 = 1.0 + 8.0 * f64::EPSILON;

/// The end of a piece, a pivot of the path: the length in t, the row and the piece it enters.
pub(crate) struct PieceEnd {
    pub length: f64,
    pub place: usize,
    pub to: LinearPiece,
}

/// The update that y and dy/dt of all rows still lack: the step in t to the last pivot, and the turn θ of the tangent there, in
/// units of z.
#[derive(Clone, Copy, Default)]
pub(crate) struct Lag {
    pub length: f64,
    pub turn: f64,
}

/// A normal row and its friction row.
#[derive(Debug)]
struct ContactRows {
    place: u32,
    ends: [u32; 2],
    /// Ĵ of both rows.
    j: [Pair; 6],
    lower: f64,
    coefficient: f64,
    /// σ of the normal, and σ₊ with σ₋.
    normal: f64,
    sides: Pair,
}

/// The rows as the search visits them.
#[derive(Debug, Default)]
pub(crate) struct Breakpoints {
    contacts: Vec<ContactRows>,
    /// Places of all other rows.
    others: Vec<u32>,
    /// By place, the contact of a row; `u32::MAX` where there is none.
    contact_of: Vec<u32>,
}

impl Breakpoints {
    /// Sorts the rows of a problem into contacts and others.
    pub fn begin(&mut self, rows: &[BodyRow]) {
        let Self { contacts, others, contact_of } = self;
        contacts.clear();
        others.clear();
        contact_of.clear();
        let mut place = 0;
        while let Some(row) = rows.get(place) {
            let friction = rows.get(place + 1).filter(|friction| friction.is_friction());
            match (row.limit, friction.map(|friction| (friction, friction.limit))) {
                (Limit::Between(lower, upper), Some((friction, Limit::Coulomb { coefficient, .. })))
                    if lower.is_finite()
                        && upper == f64::INFINITY
                        && row.further.is_none()
                        && friction.further.is_none() =>
                {
                    contact_of.extend([contacts.len() as u32; 2]);
                    let numbers = row.j.as_flattened().iter().zip(friction.j.as_flattened());
                    let mut j = [Pair::ZERO; 6];
                    j.iter_mut().zip(numbers).for_each(|(j, (n, t))| *j = Pair::new([*n, *t]));
                    let (place, ends) = (place as u32, row.ends);
                    contacts.push(ContactRows {
                        place,
                        ends,
                        j,
                        lower,
                        coefficient,
                        normal: 0.0,
                        sides: Pair::ZERO,
                    });
                }
                _ => {
                    others.push(place as u32);
                    contact_of.push(u32::MAX);
                }
            }
            place = contact_of.len();
        }
    }

    /// Sets σ of all contacts.
    pub fn enter(&mut self, states: &[LinearPiece]) {
        self.contacts.iter_mut().for_each(|contact| contact.enter(states));
    }

    /// Sets σ of the contact of the row at `place`, after a change of its states.
    pub fn change(&mut self, place: usize, states: &[LinearPiece]) {
        if let Some(contact) = self.contacts.get_mut(self.contact_of[place] as usize) {
            contact.enter(states);
        }
    }
}

impl ContactRows {
    /// Sets σ by the states of the contact's rows.
    fn enter(&mut self, states: &[LinearPiece]) {
        let place = self.place as usize;
        let closed = states[place] == LinearPiece::Free;
        self.normal = if closed { 1.0 } else { -1.0 };
        self.sides = Pair::new(match states[place + 1] {
            _ if !closed || self.coefficient == 0.0 => [0.0, 0.0],
            LinearPiece::Free => [1.0, 1.0],
            LinearPiece::SlidingUpper => [-1.0, 0.0],
            LinearPiece::SlidingLower => [0.0, -1.0],
            _ => [0.0, 0.0],
        });
    }

    /// Returns Ĵ u of both rows.
    #[inline(always)]
    fn rates(&self, u: &[[f64; 3]]) -> Pair {
        let [a, b] = self.ends;
        let [a, b] = [mapped(u[a as usize], Pair::splat), mapped(u[b as usize], Pair::splat)];
        let j = &self.j;
        (j[0] * a[0] + j[1] * a[1] + j[2] * a[2]) + (j[3] * b[0] + j[4] * b[1] + j[5] * b[2])
    }

    /// Whether any of its slacks may be negative after a step in t by `step`.
    #[inline(always)]
    fn may_end(&self, y: Pair, rate: Pair, step: f64) -> bool {
        let ([y_n, y_t], [rate_n, rate_t]) = (y.to_array(), rate.to_array());
        let normal = self.normal * ((y_n - self.lower) + rate_n * step);
        let sides = |n: f64, t: f64| Pair::splat(self.coefficient * n) + Pair::new([-t, t]);
        let sides = self.sides * (sides(y_n, y_t) + sides(rate_n, rate_t) * Pair::splat(step));
        (normal < 0.0) | sides.simd_lt(Pair::ZERO).any()
    }
}

impl Homotopy {
    /// Brings y and dy/dt up to date; returns the end of the present piece for the given sense of t. The row just crossed is on
    /// its edge and is left out.
    pub(crate) fn next_pivot(
        &mut self,
        rows: &[BodyRow],
        lag: Lag,
        sense: f64,
        crossed: Option<usize>,
    ) -> PieceEnd {
        let mut first = PieceEnd { length: f64::INFINITY, place: 0, to: LinearPiece::Lower };
        let crossed = crossed.unwrap_or(usize::MAX);
        let Self { breakpoints, y, rate, states, stiffness, z, .. } = self;
        let offer = |first: &mut PieceEnd, place: usize, slack: f64, rate: f64, to: LinearPiece| {
            let rate = sense * rate;
            if rate < 0.0 && place != crossed {
                let length = (slack / -rate).max(0.0);
                if length < first.length || length == first.length && place < first.place {
                    *first = PieceEnd { length, place, to };
                }
            }
        };
        let mut furthest = sense * f64::INFINITY;
        for contact in &breakpoints.contacts {
            let place = contact.place as usize;
            let (Some([y_n, y_t]), Some([rate_n, rate_t]), Some(&[rho_n, rho_t])) = (
                y[place..].first_chunk_mut(),
                rate[place..].first_chunk_mut(),
                stiffness[place..].first_chunk(),
            ) else {
                break;
            };
            let mut rates = Pair::new([*rate_n, *rate_t]);
            let at = Pair::new([*y_n, *y_t]) + Pair::splat(lag.length) * rates;
            [*y_n, *y_t] = at.to_array();
            if lag.turn != 0.0 {
                rates -= Pair::new([rho_n, rho_t]) * Pair::splat(lag.turn) * contact.rates(z);
                [*rate_n, *rate_t] = rates.to_array();
            }
            if contact.may_end(at, rates, furthest) {
                for place in [place, place + 1] {
                    ends(&rows[place], place, states, y, rate, |slack, rate, to| {
                        offer(&mut first, place, slack, rate, to);
                    });
                }
                furthest = sense * first.length * SPARE;
            }
        }
        for place in breakpoints.others.iter().map(|place| *place as usize) {
            y[place] += lag.length * rate[place];
            if lag.turn != 0.0 {
                rate[place] -= stiffness[place] * lag.turn * rows[place].rate(z);
            }
        }
        for place in breakpoints.others.iter().map(|place| *place as usize) {
            ends(&rows[place], place, states, y, rate, |slack, rate, to| {
                offer(&mut first, place, slack, rate, to);
            });
        }
        first
    }
}

/// Passes on slack and its rate for every edge of the row's piece, with the piece behind the edge.
#[inline]
fn ends(
    row: &BodyRow,
    place: usize,
    states: &[LinearPiece],
    y: &[f64],
    rate: &[f64],
    mut offer: impl FnMut(f64, f64, LinearPiece),
) {
    let (y_i, rate_i) = (y[place], rate[place]);
    match (row.limit, states[place]) {
        (Limit::Between(lower, upper), LinearPiece::Free) => {
            if lower.is_finite() {
                offer(y_i - lower, rate_i, LinearPiece::Lower);
            }
            if upper.is_finite() {
                offer(upper - y_i, -rate_i, LinearPiece::Upper);
            }
        }
        (Limit::Between(lower, _), LinearPiece::Lower) => offer(lower - y_i, -rate_i, LinearPiece::Free),
        (Limit::Between(_, upper), _) => offer(y_i - upper, rate_i, LinearPiece::Free),
        (Limit::Coulomb { normal, coefficient }, state) => {
            let normal = normal as usize;
            if states[normal] != LinearPiece::Free || coefficient == 0.0 {
                return;
            }
            let (most, grows) = (coefficient * y[normal], coefficient * rate[normal]);
            match state {
                LinearPiece::Free => {
                    offer(most - y_i, grows - rate_i, LinearPiece::SlidingUpper);
                    offer(most + y_i, grows + rate_i, LinearPiece::SlidingLower);
                }
                LinearPiece::SlidingUpper => offer(y_i - most, rate_i - grows, LinearPiece::Free),
                LinearPiece::SlidingLower => offer(-most - y_i, -rate_i - grows, LinearPiece::Free),
                _ => {}
            }
        }
        (Limit::Dragged { .. }, _) => {}
    }
}
