//! A λ = r of pins alone that form chains: posed, factorised and solved from the four levers of each pin, from both ends of a chain at once.
//!
//! A pin holds a point of an outer body o on a point of an inner body i, two rows with the arms r_o and r_i:
//!
//! ```text
//! J = [ −1  0   r_o.y | 1  0  −r_i.y ]        J v = v_i − v_o + z_i ω_i + z_o ω_o
//!     [  0 −1  −r_o.x | 0  1   r_i.x ]        z: the third columns
//!
//! A_cc = Σ_ends  m⁻¹ 1 + z I⁻¹ zᵀ             of one pin, over the two bodies at its ends
//! A_pc = −m⁻¹ 1 + z_o,p I⁻¹ z_i,cᵀ            of two pins, where the inner body of c is the outer one of p
//!
//! in:     P_p = A_pp − L A_pcᵀ ,  L = A_pc P_c⁻¹ ,  y_p = r_p − L y_c         from the ends to the middle
//! out:    λ_c = P_c⁻¹ y_c − Lᵀ λ_p ,   v⁺ = v* + W Jᵀλ ,   r = −(J v⁺ + b)    and back
//! ```
//!
//! [Baraff 1996], multipliers of a tree in linear time, with its root in the middle (`halves.rs`): the two halves have nothing to do
//! with each other until they meet, so that each operation is made for a pin of either in one register (`math/lanes.rs`), and both wait for
//! one division. In the middle what both leave of A_pp and r_p is taken off; the pin, as seen from the second half, has −λ. Since the outer body
//! of a pin has all its λ once the pin is solved, the pass out gives v⁺ and the residual, too.
//!
//! A row depends on others where a pivot of P is not more than [`DEPENDENT_PIVOT`] of its Aᵢᵢ. The residual is refined where it exceeds
//! 4 ε times the largest term of J v⁺ + b and of A λ in the chain: x is then as good as its rounding. Other rows, compliances, loops, three
//! pins on one body, and rows that depend on others go to `matrix.rs`.

use super::halves::chains;
use super::jacobian::DEPENDENT_PIVOT;
use super::matrix::Accuracy;
use super::pin::{Bodies, PinPair, PinRows, unlike_pin};
use crate::lcp::mixed::acceptance::PairShares;
use crate::lcp::mixed::problem::{MixedProblem, MixedRow};
use crate::math::{Block, LargestPair, Pair, Symmetric, Vector, largest};
use glam::DVec3;
use std::ops::Range;

/// A residual that is not larger than this share of the largest term is rounding.
const ROUNDED: f64 = 4.0 * f64::EPSILON;
/// An iteration that leaves more than this share of the residual has stagnated.
const STAGNATION: f64 = 0.5;
/// Most refinements.
const MAX_REFINEMENTS: usize = 3;

/// Pins that form chains, with the factors of their A.
#[derive(Debug, Default)]
pub(in crate::lcp) struct Pins {
    /// Chain by chain, from the ends to the middle.
    pins: Vec<PinPair>,
    chains: Vec<Range<usize>>,
    /// How many pins the problem has, and between which bodies.
    bodies: Vec<[u32; 2]>,
    /// Whether they are those of the last problem that was solved, and what judges its residual.
    solved: bool,
    shares: PairShares,
    /// What another right-hand side moves.
    moved: Vec<DVec3>,
}

impl Pins {
    /// Takes up the rows of `problem`, if they are those of pins in chains.
    pub fn take_up(&mut self, problem: &MixedProblem) {
        *self = Self::default();
        let Some(chains) = chains(problem) else { return };
        for chain in chains {
            let start = self.pins.len();
            self.pins.extend(chain.into_iter().map(PinPair::new));
            self.chains.push(start..self.pins.len());
        }
        let rows = problem.rows.as_chunks::<2>().0;
        self.bodies.extend(rows.iter().map(|[x, _]| [x.a as u32, x.b as u32]));
    }

    /// Whether the last problem was solved here.
    pub fn has_solved(&self) -> bool {
        self.solved
    }

    /// Solves the equations of `problem`, whose bodies are those of the pins that were taken up: λ and v⁺ = v* + W Jᵀλ. Returns
    /// ‖J v⁺ + b‖∞, NaN where it is not looked at; nothing where a row is not a pin's, or rows depend on others.
    pub fn solve(
        &mut self,
        problem: &MixedProblem,
        accuracy: Accuracy,
        lambda: &mut Vec<f64>,
        v: &mut Vec<DVec3>,
    ) -> Option<f64> {
        self.solved = false;
        let (rows, others) = problem.rows.as_chunks::<2>();
        let theirs = others.is_empty() && self.are_between(rows);
        let of = |pin: usize| rows.get(pin).map(PinRows::of);
        if theirs { self.solve_rows(problem, (accuracy, of), lambda, v) } else { None }
    }

    #[inline(always)]
    fn solve_rows(
        &mut self,
        MixedProblem { weight, free, .. }: &MixedProblem,
        (accuracy, rows): (Accuracy, impl Fn(usize) -> Option<PinRows> + Copy),
        lambda: &mut Vec<f64>,
        v: &mut Vec<DVec3>,
    ) -> Option<f64> {
        let mut residual = 0.0;
        v.clear();
        v.extend_from_slice(free);
        lambda.resize(2 * self.bodies.len(), 0.0);
        let lambda = lambda.as_chunks_mut::<2>().0;
        self.shares = PairShares::default();
        for chain in &self.chains {
            let pins = &mut self.pins[chain.clone()];
            let size = match accuracy {
                Accuracy::Refined => factor::<true>(pins, rows, (weight, free), &mut self.shares)?,
                Accuracy::Once => factor::<false>(pins, rows, (weight, free), &mut self.shares)?,
            };
            residual = largest([residual, solve(pins, size, accuracy, lambda, v)]);
        }
        self.solved = true;
        Some(residual)
    }

    /// Whether the rows are those of pins between the bodies that were taken up.
    fn are_between(&self, rows: &[[MixedRow; 2]]) -> bool {
        let differ = |bodies: &[u32; 2], row: &MixedRow| {
            (row.a as u32 ^ bodies[0]) | (row.b as u32 ^ bodies[1]) != 0
        };
        let known = self.bodies.iter().zip(rows);
        !rows.is_empty()
            && self.bodies.len() == rows.len()
            && !known.fold(false, |other, (bodies, rows)| {
                other | unlike_pin(rows) | differ(bodies, &rows[0]) | differ(bodies, &rows[1])
            })
    }

    /// `Acceptance::share_of_rows` of what has been solved with this residual.
    pub fn share(&self, residual: f64) -> f64 {
        self.shares.of(residual)
    }

    /// Solves A λ = `rhs` with the factors at hand; returns ‖A λ − rhs‖∞.
    pub fn solve_again(&mut self, rhs: &[f64], lambda: &mut [f64]) -> f64 {
        let Self { pins, chains, moved, bodies, .. } = self;
        let count = bodies.iter().flatten().fold(0, |most, body| most.max(*body as usize + 1));
        moved.clear();
        moved.resize(count, DVec3::ZERO);
        let (rhs, lambda) = (rhs.as_chunks::<2>().0, lambda.as_chunks_mut::<2>().0);
        let mut residual = 0.0;
        for chain in chains.iter() {
            let pins = &mut pins[chain.clone()];
            let mut size = Pair::ZERO;
            for pin in pins.iter_mut() {
                pin.bias = -pin.of_pins(|pin| rhs.get(pin).copied().unwrap_or_default());
                pin.reduced = -pin.bias;
                size = larger(size, pin.bias);
            }
            reduce(pins);
            residual = largest([residual, solve(pins, size, Accuracy::Refined, lambda, moved)]);
        }
        residual
    }
}

/// The largest magnitudes of numbers of which none is NaN, or whose NaN is found elsewhere.
#[inline(always)]
fn larger(size: Pair, v: Vector) -> Pair {
    v.x.abs().fast_max(v.y.abs()).fast_max(size)
}

/// Factorises A of one chain, and reduces r = −(J v* + b): the pass in. Returns the size of r, where the residual will be `measured`; nothing
/// where a row depends on others, or a number is not finite.
#[inline(always)]
fn factor<const MEASURED: bool>(
    pins: &mut [PinPair],
    rows: impl Fn(usize) -> Option<PinRows> + Copy,
    (weight, free): (&[DVec3], &[DVec3]),
    shares: &mut PairShares,
) -> Option<Pair> {
    let middle = pins.len().checked_sub(1)?;
    let mut size = Pair::ZERO;
    let mut regular = Pair::ZERO.simd_eq(Pair::ZERO);
    let mut outer = Bodies::read(pins[0].outer(), weight, free);
    // Of the pins before: I⁻¹ z at the body in common, P⁻¹, and y.
    let (mut turned, mut inverse, mut y) = (Vector::default(), Symmetric::default(), Vector::default());
    for at in 0..pins.len() {
        let inner = match pins.get(at + 1) {
            Some(next) => Bodies::read(next.outer(), weight, free),
            None => outer.crossed(),
        };
        let Some(pin) = pins.get_mut(at) else { break };
        pin.read(rows);
        (pin.mass, pin.inertia) = (outer.mass, outer.inertia);
        let (own, rhs) = (pin.own(&outer, &inner), -(pin.rate(&outer, &inner) + pin.bias));
        let coupling = Block {
            x: Vector { x: pin.outer_arm.x * turned.x - outer.mass, y: pin.outer_arm.x * turned.y },
            y: Vector { x: pin.outer_arm.y * turned.x, y: pin.outer_arm.y * turned.y - outer.mass },
        };
        let from_before = coupling.times(inverse);
        let (mut taken, mut off) = (from_before.symmetric_with(coupling), from_before.on(y));
        if at == middle {
            (taken, off) = (taken + taken.crossed(), off - off.crossed());
        }
        let left = own - taken;
        let determinant = left.determinant();
        regular = regular
            & left.xx.simd_gt(Pair::splat(DEPENDENT_PIVOT) * own.xx)
            & determinant.simd_gt(Pair::splat(DEPENDENT_PIVOT) * own.yy * left.xx)
            & determinant.simd_lt(Pair::splat(f64::INFINITY));
        inverse = left.adjugate(pin.present / determinant);
        y = rhs - off;
        turned = pin.inner_arm.times(inner.inertia);
        pin.diagonal = Vector { x: own.xx, y: own.yy };
        if MEASURED {
            size = larger(size, rhs);
            shares.take(outer.mass + inner.mass, pin.diagonal, rhs);
        }
        (pin.inverse, pin.from_before, pin.reduced) = (inverse, from_before, inverse.times(y));
        outer = inner;
    }
    regular.all().then_some(size)
}

/// Reduces another right-hand side, which stands where it will be reduced.
fn reduce(pins: &mut [PinPair]) {
    let (count, mut y) = (pins.len(), Vector::default());
    for (at, pin) in pins.iter_mut().enumerate() {
        let mut off = pin.from_before.on(y);
        if at + 1 == count {
            off = off - off.crossed();
        }
        y = pin.reduced - off;
        pin.reduced = pin.inverse.times(y);
    }
}

/// Solves for the λ of one chain and adds what it moves to v; refined, where that is asked for, until the residual is rounding. Returns that
/// residual, NaN where it is not looked at. `size`: that of r.
fn solve(
    pins: &mut [PinPair],
    size: Pair,
    accuracy: Accuracy,
    lambda: &mut [[f64; 2]],
    v: &mut [DVec3],
) -> f64 {
    if accuracy == Accuracy::Once {
        substitute::<false>(pins, lambda, v, |_, found| found);
        return f64::NAN;
    }
    let (mut left, term) = substitute::<true>(pins, lambda, v, |_, found| found);
    let rounding = ROUNDED * largest(term.fast_max(size).to_array());
    for _ in 0..MAX_REFINEMENTS {
        if left <= rounding {
            break;
        }
        let last = left;
        reduce(pins);
        (left, _) = substitute::<true>(pins, lambda, v, |before, found| before + found);
        if left > STAGNATION * last {
            break;
        }
    }
    left
}

/// The pass out: λ of every pin becomes `taken(λ, found)`, what has been found moves the bodies, and, where it is `measured`, the residual
/// becomes the next right-hand side. Returns it and the largest term behind it.
#[inline(always)]
fn substitute<const MEASURED: bool>(
    pins: &mut [PinPair],
    lambda: &mut [[f64; 2]],
    v: &mut [DVec3],
    taken: impl Fn(Vector, Vector) -> Vector,
) -> (f64, Pair) {
    let (mut left, mut term) = (LargestPair::default(), Pair::ZERO);
    let Some(middle) = pins.last() else { return (0.0, Pair::ZERO) };
    // As seen from the second half it has −λ.
    let [x, y] = [middle.reduced.x, middle.reduced.y].map(|number| number.to_array()[0]);
    let mut found = Vector { x: Pair::new([x, -x]), y: Pair::new([y, -y]) };
    let mut inner = None;
    for at in (0..pins.len()).rev() {
        let (before, rest) = pins.split_at_mut(at);
        let Some(pin) = rest.first_mut() else { break };
        let next = before.last();
        let (found_before, arm) = match next {
            Some(next) => (next.reduced - pin.from_before.transposed_on(found), next.inner_arm),
            None => (Vector::default(), Vector::default()),
        };
        pin.lambda = taken(pin.lambda, found);
        for (place, own) in pin.place.iter().zip(pin.by_pin(pin.lambda)) {
            if let Some(lambda) = lambda.get_mut(place.pin as usize) {
                *lambda = own;
            }
        }
        let push = (found_before - found).times(pin.mass);
        let turn = (arm.dot(found_before) + pin.outer_arm.dot(found)) * pin.inertia;
        let outer = moved(pin.outer(), v, push, turn);
        if MEASURED {
            let inner = inner.unwrap_or_else(|| outer.crossed());
            let rest = -(pin.rate(&outer, &inner) + pin.bias);
            left.take_both(rest.x, rest.y);
            let own = Vector { x: pin.diagonal.x * found.x, y: pin.diagonal.y * found.y };
            term = larger(larger(term, outer.v), own);
            pin.reduced = rest;
        }
        inner = Some(outer);
        found = found_before;
    }
    (left.largest(), term)
}

/// Moves two bodies, and returns their velocities.
#[inline(always)]
fn moved(places: [u32; 2], v: &mut [DVec3], push: Vector, turn: Pair) -> Bodies {
    // They may be the same body, if it is one that cannot be moved.
    let [one, other] = places.map(|body| v.get(body as usize).copied().unwrap_or_default());
    let moved = Vector { x: Pair::new([one.x, other.x]), y: Pair::new([one.y, other.y]) } + push;
    let spin = Pair::new([one.z, other.z]) + turn;
    let ([x, a], [y, b], [z, c]) = (moved.x.to_array(), moved.y.to_array(), spin.to_array());
    for (body, now) in places.into_iter().zip([DVec3::new(x, y, z), DVec3::new(a, b, c)]) {
        if let Some(v) = v.get_mut(body as usize) {
            *v = now;
        }
    }
    Bodies { v: moved, spin, ..Bodies::default() }
}
