//! A λ = r of hinges alone that form chains: posed, factorised and solved from the levers of each hinge (z below), from
//! both ends of a chain to its middle and back.
//!
//! ```text
//! end ─ hinge ─ body ─ hinge ─ body ─ … ─ middle ─ … ─ body ─ hinge ─ body ─ hinge ─ end
//!       first half                                              second half
//! ```
//!
//! A hinge joins an outer body o, on the side of its half's end, and an inner body i; its two rows have the arms r_o and r_i:
//!
//! ```text
//! J = [ −1  0   r_o.y | 1  0  −r_i.y ]        J v = v_i − v_o + z_i ω_i + z_o ω_o
//!     [  0 −1  −r_o.x | 0  1   r_i.x ]        z: the third columns
//!
//! A_cc = Σ_ends  m⁻¹ 1 + z I⁻¹ zᵀ             of one hinge, over the two bodies at its ends
//! A_pc = −m⁻¹ 1 + z_o,p I⁻¹ z_i,cᵀ            of a hinge c and the next towards the middle, p: they share a body, c's inner one
//!
//! in:     P_p = A_pp − L A_pcᵀ ,  L = A_pc P_c⁻¹ ,  y_p = r_p − L y_c         [from the ends to the middle]
//! out:    λ_c = P_c⁻¹ y_c − Lᵀ λ_p ,   v⁺ = v* + W Jᵀλ ,   r = −(J v⁺ + b)    [and back]
//! ```
//!
//! [Baraff 1996], multipliers of a tree in linear time, with its root in the middle. The two halves have nothing to do
//! with each other until they meet, so each operation is made for a hinge of either half in one register: a [`Pair`]
//! holds the number of the first half and that of the second, and `crossed` exchanges them. In scalars a step of a
//! chain of 100 takes a quarter more. The hinge in the middle stands in both lanes, in the second with its bodies
//! exchanged, hence with −λ; what each half takes off A_pp and r_p is taken off there in both. The outer body of a
//! hinge has all its λ once the two hinges on it are solved, so that the pass out gives v⁺ and the residual, too.
//!
//! A row may depend on others where a pivot of P is not more than `DEPENDENT_PIVOT` of its Aᵢᵢ: `delassus.rs`
//! decides. λ is refined while the residual exceeds 4 ε times the largest of r, v⁺ and Aᵢᵢ λᵢ in the chain, which is
//! rounding; at most three times, and not where that stagnates. Other rows, compliances, loops, three hinges on one
//! body, and rows that depend on others go to `delassus.rs`.
//!
//! Hinges are told by their rows: two equations between the same bodies, whose J is the one above but for its third
//! columns. Which chains they form depends only on which bodies the rows have, so these are sought when that changes.

use super::delassus::{Accuracy, DEPENDENT_PIVOT, Topology};
use crate::lcp::problem::mixed::{Law, MixedProblem, MixedRow};
use crate::math::{Block, LargestPair, Pair, Symmetric, Vector, crossed, largest};
use glam::DVec3;
use std::ops::Range;

/// A residual that is not larger than this share of the largest term is rounding: that of a few products and their sum.
const REFINED: f64 = 4.0 * f64::EPSILON;
/// An iteration that leaves more than this share of the residual has stagnated: the factors are then right to less than
/// one digit.
const STAGNATION: f64 = 0.5;
/// Most refinements. Each adds the digits to which the factors are right: with four of them, three refinements give all sixteen.
const MAX_REFINEMENTS: usize = 3;

/// Hinges that form chains, with the factors of their A.
#[derive(Debug, Default)]
pub(crate) struct HingeChains {
    /// The topology of the hinges for which chains were sought.
    topology: Topology,
    /// Chain by chain, from the ends to the middle.
    hinges: Vec<HingePair>,
    chains: Vec<Range<usize>>,
    /// Number of bodies; zero where the hinges do not form chains.
    bodies: usize,
    /// Whether the last problem was solved here, and what judges its residual.
    pub solved: bool,
    pub shares: PairShares,
    /// The change of velocities by another right-hand side.
    moved: Vec<DVec3>,
}

impl HingeChains {
    /// Seeks the chains that the hinges of `problem` form.
    fn seek(&mut self, problem: &MixedProblem) {
        self.hinges.clear();
        self.chains.clear();
        let chains = chains(problem);
        self.bodies = if chains.is_some() { problem.inverse_mass.len() } else { 0 };
        for chain in chains.into_iter().flatten() {
            let start = self.hinges.len();
            self.hinges.extend(chain.into_iter().map(HingePair::new));
            self.chains.push(start..self.hinges.len());
        }
    }

    /// Solves the equations of `problem`: λ and v⁺ = v* + W Jᵀλ. Returns ‖J v⁺ + b‖∞, NaN where it is not looked at;
    /// nothing where they are not those of hinges, these do not form chains, or rows depend on others.
    pub fn solve(
        &mut self,
        problem: &MixedProblem,
        accuracy: Accuracy,
        lambda: &mut Vec<f64>,
        v: &mut Vec<DVec3>,
    ) -> Option<f64> {
        self.solved = false;
        let (MixedProblem { inverse_mass, free, rows, .. }, mut residual) = (problem, 0.0);
        let (rows, rest) = rows.as_chunks::<2>();
        if !(rest.is_empty() && are_hinges(rows)) {
            return None;
        }
        if self.topology.update(rows.iter().map(|[x, _]| x), inverse_mass) {
            self.seek(problem);
        }
        if self.bodies == 0 {
            return None;
        }
        v.clear();
        v.extend_from_slice(free);
        lambda.resize(problem.rows.len(), 0.0);
        let lambda = lambda.as_chunks_mut::<2>().0;
        self.shares = PairShares::default();
        for chain in &self.chains {
            let hinges = &mut self.hinges[chain.clone()];
            let size = match accuracy {
                Accuracy::Refined => factor::<true>(hinges, rows, (inverse_mass, free), &mut self.shares)?,
                Accuracy::Once => factor::<false>(hinges, rows, (inverse_mass, free), &mut self.shares)?,
            };
            residual = largest([residual, solve(hinges, size, accuracy, lambda, v)]);
        }
        self.solved = true;
        Some(residual)
    }

    /// Solves A λ = `rhs` with the factors at hand; returns ‖A λ − rhs‖∞.
    pub fn solve_again(&mut self, rhs: &[f64], lambda: &mut [f64]) -> f64 {
        let Self { hinges, chains, moved, bodies, .. } = self;
        moved.clear();
        moved.resize(*bodies, DVec3::ZERO);
        let (rhs, lambda) = (rhs.as_chunks::<2>().0, lambda.as_chunks_mut::<2>().0);
        let mut residual = 0.0;
        for chain in chains.iter() {
            let hinges = &mut hinges[chain.clone()];
            let mut size = Pair::ZERO;
            for hinge in hinges.iter_mut() {
                let of = |place: HingePlace| rhs.get(place.hinge as usize).copied().unwrap_or_default();
                hinge.bias = -Vector::beside(hinge.place.map(of)).times(hinge.sign);
                hinge.reduced = -hinge.bias;
                size = larger(size, hinge.bias);
            }
            reduce(hinges);
            residual = largest([residual, solve(hinges, size, Accuracy::Refined, lambda, moved)]);
        }
        residual
    }
}

/// Whether rows are those of hinges. Each is looked at to its end, since that costs less than to ask whether it is needed.
#[inline(always)]
fn are_hinges(rows: &[[MixedRow; 2]]) -> bool {
    let is = |j: DVec3, x: f64, y: f64| Pair::new([j.x, j.y]).simd_eq(Pair::new([x, y]));
    let mut alike = Pair::ZERO.simd_eq(Pair::ZERO);
    let mut equations = true;
    for [x, y] in rows {
        alike = alike & is(x.ja, -1.0, 0.0) & is(x.jb, 1.0, 0.0) & is(y.ja, 0.0, -1.0) & is(y.jb, 0.0, 1.0);
        alike &= Pair::new([x.compliance, y.compliance]).simd_eq(Pair::ZERO);
        let laws = matches!(x.law, Law::Equation) & matches!(y.law, Law::Equation);
        let two_bodies = x.further.is_none() & y.further.is_none();
        equations &= laws & two_bodies & (x.a == y.a) & (x.b == y.b);
    }
    equations && alike.all()
}

/// The largest magnitudes of numbers of which none is NaN, or whose NaN is found elsewhere.
#[inline(always)]
fn larger(size: Pair, v: Vector) -> Pair {
    v.x.abs().fast_max(v.y.abs()).fast_max(size)
}

/// Factorises A of one chain, and reduces r = −(J v* + b): the pass in. Returns the size of r, where the residual will be
/// `measured`; nothing where a row depends on others, or a number is not finite.
#[inline(always)]
fn factor<const MEASURED: bool>(
    hinges: &mut [HingePair],
    rows: &[[MixedRow; 2]],
    (inverse_mass, free): (&[DVec3], &[DVec3]),
    shares: &mut PairShares,
) -> Option<Pair> {
    let middle = hinges.len().checked_sub(1)?;
    let mut size = Pair::ZERO;
    let mut regular = Pair::ZERO.simd_eq(Pair::ZERO);
    let mut outer = Bodies::read(hinges[0].outer(), inverse_mass, free);
    // Of the hinges before: I⁻¹ z at the body in common, P⁻¹, and y.
    let (mut turned, mut inverse, mut y) = (Vector::default(), Symmetric::default(), Vector::default());
    for at in 0..hinges.len() {
        let inner = match hinges.get(at + 1) {
            Some(next) => Bodies::read(next.outer(), inverse_mass, free),
            None => outer.crossed(),
        };
        let Some(hinge) = hinges.get_mut(at) else { break };
        hinge.read(rows);
        (hinge.inverse_mass, hinge.inverse_inertia) = (outer.inverse_mass, outer.inverse_inertia);
        let (own, rhs) = (hinge.own(&outer, &inner), -(hinge.rate(&outer, &inner) + hinge.bias));
        let coupling = Block {
            x: Vector { x: hinge.outer_z.x * turned.x - outer.inverse_mass, y: hinge.outer_z.x * turned.y },
            y: Vector { x: hinge.outer_z.y * turned.x, y: hinge.outer_z.y * turned.y - outer.inverse_mass },
        };
        let from_before = coupling.times(inverse);
        let (mut taken, mut off) = (from_before.symmetric_with(coupling), from_before.on(y));
        if at == middle {
            (taken, off) = (taken + taken.crossed(), off - off.crossed());
        }
        let pivot = own - taken;
        let determinant = pivot.determinant();
        regular = regular
            & pivot.xx.simd_gt(Pair::splat(DEPENDENT_PIVOT) * own.xx)
            & determinant.simd_gt(Pair::splat(DEPENDENT_PIVOT) * own.yy * pivot.xx)
            & determinant.simd_lt(Pair::splat(f64::INFINITY));
        inverse = pivot.adjugate(hinge.present / determinant);
        y = rhs - off;
        turned = hinge.inner_z.times(inner.inverse_inertia);
        hinge.diagonal = Vector { x: own.xx, y: own.yy };
        if MEASURED {
            size = larger(size, rhs);
            shares.take(outer.inverse_mass + inner.inverse_mass, hinge.diagonal, rhs);
        }
        (hinge.inverse, hinge.from_before, hinge.reduced) = (inverse, from_before, inverse.times(y));
        outer = inner;
    }
    regular.all().then_some(size)
}

/// Reduces another right-hand side, which stands where it will be reduced.
fn reduce(hinges: &mut [HingePair]) {
    let (count, mut y) = (hinges.len(), Vector::default());
    for (at, hinge) in hinges.iter_mut().enumerate() {
        let mut off = hinge.from_before.on(y);
        if at + 1 == count {
            off = off - off.crossed();
        }
        y = hinge.reduced - off;
        hinge.reduced = hinge.inverse.times(y);
    }
}

/// Solves for the λ of one chain and adds what it moves to v; refined, where that is asked for, until the residual is rounding.
/// Returns that residual, NaN where it is not looked at. `size` is the size of r.
fn solve(
    hinges: &mut [HingePair],
    size: Pair,
    accuracy: Accuracy,
    lambda: &mut [[f64; 2]],
    v: &mut [DVec3],
) -> f64 {
    if accuracy == Accuracy::Once {
        substitute::<false>(hinges, lambda, v, |_, found| found);
        return f64::NAN;
    }
    let (mut residual, term) = substitute::<true>(hinges, lambda, v, |_, found| found);
    let rounding = REFINED * largest(term.fast_max(size).to_array());
    for _ in 0..MAX_REFINEMENTS {
        if residual <= rounding {
            break;
        }
        let last = residual;
        reduce(hinges);
        (residual, _) = substitute::<true>(hinges, lambda, v, |before, found| before + found);
        if residual > STAGNATION * last {
            break;
        }
    }
    residual
}

/// The pass out: λ of every hinge becomes `taken(λ, found)`, what has been found moves the bodies, and, where it is `measured`,
/// the residual becomes the next right-hand side. Returns it and the largest term behind it.
#[inline(always)]
fn substitute<const MEASURED: bool>(
    hinges: &mut [HingePair],
    lambda: &mut [[f64; 2]],
    v: &mut [DVec3],
    taken: impl Fn(Vector, Vector) -> Vector,
) -> (f64, Pair) {
    let (mut residual, mut term) = (LargestPair::default(), Pair::ZERO);
    let Some(middle) = hinges.last() else { return (0.0, Pair::ZERO) };
    // As seen from the second half it has −λ.
    let [x, y] = [middle.reduced.x, middle.reduced.y].map(|number| number.to_array()[0]);
    let mut found = Vector { x: Pair::new([x, -x]), y: Pair::new([y, -y]) };
    let mut inner = None;
    for at in (0..hinges.len()).rev() {
        let (before, rest) = hinges.split_at_mut(at);
        let Some(hinge) = rest.first_mut() else { break };
        let next = before.last();
        let (found_before, arm) = match next {
            Some(next) => (next.reduced - hinge.from_before.transposed_on(found), next.inner_z),
            None => (Vector::default(), Vector::default()),
        };
        hinge.lambda = taken(hinge.lambda, found);
        for (place, own) in hinge.place.iter().zip(hinge.by_hinge(hinge.lambda)) {
            if let Some(lambda) = lambda.get_mut(place.hinge as usize) {
                *lambda = own;
            }
        }
        let push = (found_before - found).times(hinge.inverse_mass);
        let turn = (arm.dot(found_before) + hinge.outer_z.dot(found)) * hinge.inverse_inertia;
        let outer = moved(hinge.outer(), v, push, turn);
        if MEASURED {
            let inner = inner.unwrap_or_else(|| outer.crossed());
            let rest = -(hinge.rate(&outer, &inner) + hinge.bias);
            residual.take(rest.x);
            residual.take(rest.y);
            let own = Vector { x: hinge.diagonal.x * found.x, y: hinge.diagonal.y * found.y };
            term = larger(larger(term, outer.v), own);
            hinge.reduced = rest;
        }
        inner = Some(outer);
        found = found_before;
    }
    (residual.largest(), term)
}

/// Moves two bodies, and returns their velocities.
#[inline(always)]
fn moved(places: [u32; 2], v: &mut [DVec3], push: Vector, turn: Pair) -> Bodies {
    // They may be the same body, if it is one that cannot be moved.
    let [one, other] = places.map(|body| v.get(body as usize).copied().unwrap_or_default());
    let moved = Vector::beside([[one.x, one.y], [other.x, other.y]]) + push;
    let spin = Pair::new([one.z, other.z]) + turn;
    let ([x, a], [y, b], [z, c]) = (moved.x.to_array(), moved.y.to_array(), spin.to_array());
    for (body, now) in places.into_iter().zip([DVec3::new(x, y, z), DVec3::new(a, b, c)]) {
        if let Some(v) = v.get_mut(body as usize) {
            *v = now;
        }
    }
    Bodies { v: moved, spin, ..Bodies::default() }
}

/// Added to the diagonal of a hinge that is not there: beside it no other entry counts, and its square does not overflow.
const ABSENT: f64 = 1e100;

/// Two hinges, one of either half; of the middle of a chain the same hinge, as it is seen from either half.
#[derive(Clone, Copy, Debug, Default)]
struct HingePair {
    pub place: [HingePlace; 2],
    /// −1 where J leads from the inner body to the outer one.
    sign: Pair,
    /// 0 where there is no hinge, so that P⁻¹ and λ are 0; 1 elsewhere.
    pub present: Pair,
    /// What is added to the diagonal of A where there is no hinge, so that no pivot is small; 0 elsewhere.
    absent: Pair,
    /// z of the outer body and of the inner one, m.
    pub outer_z: Vector,
    pub inner_z: Vector,
    /// b.
    pub bias: Vector,
    /// W of the outer body.
    pub inverse_mass: Pair,
    pub inverse_inertia: Pair,
    /// A_xx and A_yy.
    pub diagonal: Vector,
    /// P⁻¹, and L of the hinges before.
    pub inverse: Symmetric,
    pub from_before: Block,
    /// The right-hand side before the pass in, P⁻¹ y after it.
    pub reduced: Vector,
    pub lambda: Vector,
}

/// The bodies at one end of two hinges: W, and v.
#[derive(Clone, Copy, Debug, Default)]
struct Bodies {
    pub inverse_mass: Pair,
    pub inverse_inertia: Pair,
    pub v: Vector,
    pub spin: Pair,
}

impl Bodies {
    /// The given places; where there is none, one that cannot be moved.
    #[inline(always)]
    pub fn read(places: [u32; 2], inverse_mass: &[DVec3], v: &[DVec3]) -> Self {
        let of = |body: u32| {
            let body = body as usize;
            match (inverse_mass.get(body), v.get(body)) {
                (Some(w), Some(v)) => (w.x, w.z, *v),
                _ => (0.0, 0.0, DVec3::ZERO),
            }
        };
        let [(m, i, v), (n, j, u)] = places.map(of);
        let spin = Pair::new([v.z, u.z]);
        let v = Vector::beside([[v.x, v.y], [u.x, u.y]]);
        Self { inverse_mass: Pair::new([m, n]), inverse_inertia: Pair::new([i, j]), v, spin }
    }

    /// As seen from the other half.
    #[inline(always)]
    pub fn crossed(self) -> Self {
        Self {
            inverse_mass: crossed(self.inverse_mass),
            inverse_inertia: crossed(self.inverse_inertia),
            v: self.v.crossed(),
            spin: crossed(self.spin),
        }
    }
}

impl HingePair {
    /// Hinges whose numbers are not read yet.
    pub fn new(place: [HingePlace; 2]) -> Self {
        let sign = place.map(|place| if place.reversed { -1.0 } else { 1.0 });
        let present = place.map(|place| if place.hinge == NONE { 0.0 } else { 1.0 });
        let absent = present.map(|present| if present > 0.0 { 0.0 } else { ABSENT });
        Self {
            place,
            sign: Pair::new(sign),
            present: Pair::new(present),
            absent: Pair::new(absent),
            ..Self::default()
        }
    }

    /// Their outer bodies.
    #[inline(always)]
    pub fn outer(&self) -> [u32; 2] {
        self.place.map(|place| place.outer)
    }

    /// Reads arms and b off their rows, with the signs of J from the outer body to the inner one; a missing hinge has no `rows`.
    #[inline(always)]
    pub fn read(&mut self, rows: &[[MixedRow; 2]]) {
        // Of either hinge, for x and y: the third columns of J at the outer and at the inner body, m, and b.
        let [first, second] = self.place.map(|HingePlace { hinge, reversed, .. }| {
            let Some([x, y]) = rows.get(hinge as usize) else { return Default::default() };
            let (a, b) = ([x.ja.z, y.ja.z], [x.jb.z, y.jb.z]);
            let (outer, inner) = if reversed { (b, a) } else { (a, b) };
            (outer, inner, [x.bias, y.bias])
        });
        let pair = |one: [f64; 2], other: [f64; 2]| Vector::beside([one, other]).times(self.sign);
        self.outer_z = pair(first.0, second.0);
        self.inner_z = pair(first.1, second.1);
        self.bias = pair(first.2, second.2);
    }

    /// A_cc.
    #[inline(always)]
    pub fn own(&self, outer: &Bodies, inner: &Bodies) -> Symmetric {
        let (out, into) = (self.outer_z, self.inner_z);
        let (turned_out, turned_in) = (out.times(outer.inverse_inertia), into.times(inner.inverse_inertia));
        let mass = outer.inverse_mass + inner.inverse_mass + self.absent;
        Symmetric {
            xx: mass + out.x * turned_out.x + into.x * turned_in.x,
            xy: out.y * turned_out.x + into.y * turned_in.x,
            yy: mass + out.y * turned_out.y + into.y * turned_in.y,
        }
    }

    /// J v.
    #[inline(always)]
    pub fn rate(&self, outer: &Bodies, inner: &Bodies) -> Vector {
        (inner.v - outer.v) + self.outer_z.times(outer.spin) + self.inner_z.times(inner.spin)
    }

    /// λ of x and y by the rows of either hinge.
    #[inline(always)]
    pub fn by_hinge(&self, lambda: Vector) -> [[f64; 2]; 2] {
        let Vector { x, y } = lambda.times(self.sign);
        let ([x, u], [y, v]) = (x.to_array(), y.to_array());
        [[x, y], [u, v]]
    }
}

/// No hinge: beyond every list.
const NONE: u32 = u32::MAX;

/// A hinge of either half.
#[derive(Clone, Copy, Debug, Default)]
struct HingePlace {
    /// Its place among the hinges of the problem.
    pub hinge: u32,
    pub outer: u32,
    /// Whether its outer body is its b.
    pub reversed: bool,
}

/// The chains that the hinges of `problem` form, in pairs, the middle of each last; nothing where more than two hinges
/// hold a body that can move, or where hinges form a loop.
fn chains(problem: &MixedProblem) -> Option<Vec<Vec<[HingePlace; 2]>>> {
    let rows = problem.rows.as_chunks::<2>().0;
    // The hinges that hold each body.
    let mut held = vec![[NONE; 2]; problem.inverse_mass.len()];
    for (hinge, [x, _]) in (0_u32..).zip(rows) {
        for body in [x.a, x.b].into_iter().filter(|&body| problem.inverse_mass[body] != DVec3::ZERO) {
            *held[body].iter_mut().find(|hinge| **hinge == NONE)? = hinge;
        }
    }
    let bodies = |hinge: u32| {
        let [row, _] = rows[hinge as usize];
        [row.a, row.b]
    };
    // The hinge at the other side of a body.
    let beyond = |hinge: u32, body: usize| {
        let [one, other] = held[body];
        Some(if one == hinge { other } else { one }).filter(|hinge| *hinge != NONE)
    };
    let mut chains = Vec::new();
    let mut known = vec![false; rows.len()];
    for start in 0..rows.len() as u32 {
        let [a, b] = bodies(start);
        let Some(outer) = [a, b].into_iter().find(|&body| beyond(start, body).is_none()) else { continue };
        if known[start as usize] {
            continue;
        }
        let mut chain = Vec::new();
        let mut next = Some((start, outer));
        while let Some((hinge, outer)) = next {
            known[hinge as usize] = true;
            let [a, b] = bodies(hinge);
            let reversed = outer == b;
            let inner = if reversed { a } else { b };
            chain.push((HingePlace { hinge, outer: outer as u32, reversed }, inner as u32));
            next = beyond(hinge, inner).map(|hinge| (hinge, inner));
        }
        chains.push(halves(&chain));
    }
    known.into_iter().all(|known| known).then_some(chains)
}

/// The two halves of a chain, whose hinges are given with their inner bodies as seen from its first end.
fn halves(chain: &[(HingePlace, u32)]) -> Vec<[HingePlace; 2]> {
    let (count, middle) = (chain.len(), chain.len() / 2);
    let longer = 2 * middle + 1 - count;
    let pair = |at: usize| {
        let (first, _) = chain[at];
        let second = (at >= longer).then(|| chain[count - 1 - (at - longer)]);
        let turned = |(place, inner): (HingePlace, u32)| HingePlace {
            outer: inner,
            reversed: !place.reversed,
            ..place
        };
        let (_, end) = chain[count - 1];
        [first, second.map_or(HingePlace { hinge: NONE, outer: end, reversed: false }, turned)]
    };
    (0..=middle).map(pair).collect()
}

/// The sums behind [`Acceptance::share_of_rows`](crate::lcp::problem::acceptance::Acceptance::share_of_rows), of two
/// hinges at a time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PairShares {
    steepest: Pair,
    speed: Pair,
}

impl PairShares {
    /// Takes two hinges with 1/μᵢ, J W Jᵀ and ±(J v* + b) of their rows; the first two are positive.
    #[inline(always)]
    fn take(&mut self, reduced: Pair, mobility: Vector, rate: Vector) {
        let (x, y) = (reduced / mobility.x, reduced / mobility.y);
        self.steepest = x.fast_max(y).fast_max(self.steepest);
        self.speed = (x * rate.x * rate.x).fast_max(y * rate.y * rate.y).fast_max(self.speed);
    }

    /// At least max |r̂ᵢ|/ŝ of the rows taken, where ‖r‖∞ is `residual`.
    pub fn of(&self, residual: f64) -> f64 {
        let [steepest, speed] = [self.steepest, self.speed].map(|pair| largest(pair.to_array()));
        if residual == 0.0 { 0.0 } else { residual * (steepest / speed).sqrt() }
    }
}
