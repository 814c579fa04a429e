//! A λ = r for hinges alone that form chains: assembled, factorised and solved from the four levers of each hinge, from both ends
//! of a chain to its middle.
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
//! A_pc = −m⁻¹ 1 + z_o,p I⁻¹ z_i,cᵀ            of two hinges, where the inner body of c is the outer one of p
//!
//! in:     P_p = A_pp − L A_pcᵀ ,  L = A_pc P_c⁻¹ ,  y_p = r_p − L y_c         from the ends to the middle
//! out:    λ_c = P_c⁻¹ y_c − Lᵀ λ_p ,   v⁺ = v* + W Jᵀλ ,   r = −(J v⁺ + b)    from the middle to the ends
//! ```
//!
//! This is [Baraff 1996], multipliers of a tree in linear time, with the root in the middle: the two halves are independent until
//! they meet, so a processor works on both at once. The middle hinge subtracts the contributions of both halves from A_pp and
//! r_p; seen from the second half it has −λ. The outer body of a hinge has received all its impulses once the hinge is solved, so
//! that the pass out also gives v⁺ and the residual.
//!
//! A row depends on others where a pivot of P is not more than [`DEPENDENT_PIVOT`] of its Aᵢᵢ. λ is refined while the residual
//! exceeds 4 ε times the largest term of J v⁺ + b and of A λ in the chain, which is rounding. Other rows, compliances, loops,
//! three hinges on one body, and rows that depend on others are left to `delassus.rs`.

use super::delassus::Accuracy;
use super::jacobian::DEPENDENT_PIVOT;
use crate::lcp::problem::acceptance::ShareBound;
use crate::lcp::problem::problem::{Law, MixedProblem, MixedRow};
use crate::math::largest;
use glam::{DMat2, DVec2, DVec3};

/// A residual that is not larger than this share of the largest term is rounding.
const ROUNDED: f64 = 4.0 * f64::EPSILON;
/// An iteration that leaves more than this share of the residual has stagnated.
const STAGNATION: f64 = 0.5;
/// Most refinements.
const MAX_REFINEMENTS: usize = 3;

/// The numbers in which the rows of two hinges differ, for x and y: the third columns of J at a and at b, m, and the right-hand
/// side b.
#[derive(Clone, Copy, Debug, Default)]
struct HingeRows {
    pub a: [f64; 2],
    pub b: [f64; 2],
    pub bias: [f64; 2],
}

impl HingeRows {
    /// Reads the numbers off a hinge's rows.
    #[inline(always)]
    pub fn of([x, y]: &[MixedRow; 2]) -> Self {
        Self { a: [x.ja.z, y.ja.z], b: [x.jb.z, y.jb.z], bias: [x.bias, y.bias] }
    }
}

/// A hinge of one half of a chain.
#[derive(Clone, Copy, Debug, Default)]
struct Link {
    /// Index among the hinges of the problem, and the outer and inner body.
    hinge: u32,
    bodies: [u32; 2],
    /// −1 where the problem's rows lead from the inner body to the outer one.
    sign: f64,
    /// z of the outer and of the inner body, m, and b.
    arms: [DVec2; 2],
    bias: DVec2,
    /// W of the two bodies: m⁻¹ and I⁻¹.
    mass: [f64; 2],
    inertia: [f64; 2],
    /// A_xx and A_yy.
    diagonal: DVec2,
    /// P⁻¹, and L of the hinge before, zero if there is none.
    inverse: DMat2,
    from_before: DMat2,
    /// P⁻¹ y.
    reduced: DVec2,
    lambda: DVec2,
}

/// The data that the elimination of a hinge passes on to the next one: I⁻¹ z at the body in common, P⁻¹, and y.
#[derive(Clone, Copy)]
struct HalfReduction {
    turned: DVec2,
    inverse: DMat2,
    y: DVec2,
}

impl HalfReduction {
    /// The contribution to the first hinge of a half: none.
    const NOTHING: Self = Self { turned: DVec2::ZERO, inverse: DMat2::ZERO, y: DVec2::ZERO };
}

impl Link {
    fn new(hinge: u32, bodies: [u32; 2], sign: f64) -> Self {
        Self { hinge, bodies, sign, ..Self::default() }
    }

    /// Returns the hinge as part of the other half: bodies exchanged, sign reversed.
    #[inline(always)]
    fn turned_round(self) -> Self {
        let ([outer, inner], [out, into], [mass, other], [i, j]) =
            (self.bodies, self.arms, self.mass, self.inertia);
        Self {
            bodies: [inner, outer],
            sign: -self.sign,
            arms: [-into, -out],
            bias: -self.bias,
            mass: [other, mass],
            inertia: [j, i],
            ..self
        }
    }

    /// Reads arms, b and W; returns A_cc and r = −(J v* + b).
    #[inline(always)]
    fn read(&mut self, rows: &HingeRows, weight: &[DVec3], free: &[DVec3]) -> Option<(DMat2, DVec2)> {
        let HingeRows { a, b, bias } = *rows;
        let [outer, inner] = self.bodies.map(|body| body as usize);
        let (a, b) = if self.sign < 0.0 { (b, a) } else { (a, b) };
        let [out, into] = [a, b].map(|z| DVec2::from_array(z) * self.sign);
        let (w_out, w_in) = (weight.get(outer)?, weight.get(inner)?);
        self.arms = [out, into];
        self.bias = DVec2::from_array(bias) * self.sign;
        (self.mass, self.inertia) = ([w_out.x, w_in.x], [w_out.z, w_in.z]);
        let rhs = -(self.rate(*free.get(outer)?, *free.get(inner)?) + self.bias);
        let (turned_out, turned_in) = (out * w_out.z, into * w_in.z);
        let mass = w_out.x + w_in.x;
        let xx = mass + out.x * turned_out.x + into.x * turned_in.x;
        let xy = out.y * turned_out.x + into.y * turned_in.x;
        let yy = mass + out.y * turned_out.y + into.y * turned_in.y;
        self.diagonal = DVec2::new(xx, yy);
        Some((DMat2::from_cols(DVec2::new(xx, xy), DVec2::new(xy, yy)), rhs))
    }

    /// Returns J v for the velocities of the outer and the inner body.
    #[inline(always)]
    fn rate(&self, outer: DVec3, inner: DVec3) -> DVec2 {
        let [out, into] = self.arms;
        (inner.truncate() - outer.truncate()) + out * outer.z + into * inner.z
    }

    /// Computes L, and returns what the hinge before subtracts from A_pp and r_p.
    #[inline(always)]
    fn take_off(&mut self, HalfReduction { turned, inverse, y }: HalfReduction) -> (DMat2, DVec2) {
        let ([out, _], [mass, _]) = (self.arms, self.mass);
        let coupling = DMat2::from_cols(
            DVec2::new(out.x * turned.x - mass, out.y * turned.x),
            DVec2::new(out.x * turned.y, out.y * turned.y - mass),
        );
        self.from_before = coupling * inverse;
        (self.from_before * coupling.transpose(), self.from_before * y)
    }

    /// Inverts P, whose lower triangle is read, and keeps P⁻¹ y; returns whether the rows are independent of the hinges before.
    #[inline(always)]
    fn invert(&mut self, p: DMat2, y: DVec2) -> (bool, HalfReduction) {
        let (xx, xy, yy) = (p.x_axis.x, p.x_axis.y, p.y_axis.y);
        let determinant = xx * yy - xy * xy;
        let independent = (xx > DEPENDENT_PIVOT * self.diagonal.x)
            & (determinant > DEPENDENT_PIVOT * self.diagonal.y * xx)
            & (determinant < f64::INFINITY);
        let factor = 1.0 / determinant;
        let off = -(xy * factor);
        self.inverse = DMat2::from_cols(DVec2::new(yy * factor, off), DVec2::new(off, xx * factor));
        self.reduced = self.inverse * y;
        let turned = self.arms[1] * self.inertia[1];
        (independent, HalfReduction { turned, inverse: self.inverse, y })
    }

    /// Computes λ of the hinge before from λ `found` of this one, and moves the outer body. Returns that λ and the body's
    /// velocity.
    #[inline(always)]
    fn push(&self, found: DVec2, before: Option<&Self>, v: &mut [DVec3]) -> (DVec2, DVec3) {
        let (found_before, arm) = match before {
            Some(before) => (before.reduced - self.from_before.transpose() * found, before.arms[1]),
            None => (DVec2::ZERO, DVec2::ZERO),
        };
        let push = (found_before - found) * self.mass[0];
        let turn = (arm.dot(found_before) + self.arms[0].dot(found)) * self.inertia[0];
        let mut now = DVec3::ZERO;
        if let Some(v) = v.get_mut(self.bodies[0] as usize) {
            now = *v + push.extend(turn);
            *v = now;
        }
        (found_before, now)
    }

    /// Adds `found` to λ where the hinge is solved `AGAIN`, else sets λ to it.
    #[inline(always)]
    fn take<const AGAIN: bool>(&mut self, found: DVec2, lambda: &mut [[f64; 2]]) {
        self.lambda = if AGAIN { self.lambda + found } else { found };
        if let Some(lambda) = lambda.get_mut(self.hinge as usize) {
            *lambda = (self.lambda * self.sign).to_array();
        }
    }
}

/// The largest residual of the hinges and the largest term in its sum.
#[derive(Clone, Copy, Default)]
struct HingeResiduals {
    most: f64,
    lost: bool,
    term: f64,
}

impl HingeResiduals {
    /// Measures the residual of a hinge, which becomes the next right-hand side.
    #[inline(always)]
    fn take(&mut self, link: &mut Link, found: DVec2, [outer, inner]: [DVec3; 2]) {
        let rest = -(link.rate(outer, inner) + link.bias);
        self.most = larger(self.most, rest);
        self.lost |= rest.x.is_nan() | rest.y.is_nan();
        self.term = larger(larger(self.term, outer.truncate()), link.diagonal * found);
        link.reduced = rest;
    }
}

/// Returns the largest of `size` and the magnitudes of v; NaN is not passed on, since other tests find it.
#[inline(always)]
fn larger(size: f64, v: DVec2) -> f64 {
    let most = if v.x.abs() > v.y.abs() { v.x.abs() } else { v.y.abs() };
    if most > size { most } else { size }
}

/// A chain with its factors.
#[derive(Debug)]
struct Chain {
    /// Hinges from each end towards the middle; the first half has as many hinges as the second, or one more.
    halves: [Vec<Link>; 2],
    /// The middle hinge, once as part of each half.
    middle: [Link; 2],
}

impl Chain {
    /// The pass in: factorises A and reduces r = −(J v* + b). Returns the size of r, computed if the residual will be `MEASURED`;
    /// `None` where a row depends on others, or a number is not finite.
    #[inline(always)]
    fn factor<const MEASURED: bool>(
        &mut self,
        rows: impl Fn(usize) -> Option<HingeRows> + Copy,
        MixedProblem { weight, free, .. }: &MixedProblem,
        shares: &mut ShareBound,
    ) -> Option<f64> {
        let (mut size, mut regular) = (0.0, true);
        let mut measure = |link: &Link, rhs: DVec2| {
            if MEASURED {
                size = larger(size, rhs);
                let mass = link.mass[0] + link.mass[1];
                shares.take(mass, link.diagonal.x, rhs.x);
                shares.take(mass, link.diagonal.y, rhs.y);
            }
        };
        let mut pass = |link: &mut Link, passed: &mut HalfReduction| {
            let (own, rhs) = link.read(&rows(link.hinge as usize)?, weight, free)?;
            let (taken, off) = link.take_off(*passed);
            let (independent, next) = link.invert(own - taken, rhs - off);
            *passed = next;
            regular &= independent;
            measure(link, rhs);
            Some(())
        };
        let Self { halves: [first, second], middle: [own_side, other_side] } = self;
        let (mut one, mut other) = (HalfReduction::NOTHING, HalfReduction::NOTHING);
        let longer = first.len() - second.len();
        let (longer, beside) = first.split_at_mut(longer);
        for link in longer {
            pass(link, &mut one)?;
        }
        for (link, link_beside) in beside.iter_mut().zip(second) {
            pass(link, &mut one)?;
            pass(link_beside, &mut other)?;
        }
        let (own, rhs) = own_side.read(&rows(own_side.hinge as usize)?, weight, free)?;
        measure(own_side, rhs);
        *other_side = own_side.turned_round();
        let ((taken, off), (taken_there, off_there)) = (own_side.take_off(one), other_side.take_off(other));
        let (independent, _) = own_side.invert(own - (taken + taken_there), rhs - (off - off_there));
        (regular & independent).then_some(size)
    }

    /// Reduces another right-hand side in place.
    fn reduce(&mut self) {
        let Self { halves, middle: [own_side, other_side] } = self;
        let [one, other] = halves.each_mut().map(|half| {
            let mut y = DVec2::ZERO;
            for link in half {
                y = link.reduced - link.from_before * y;
                link.reduced = link.inverse * y;
            }
            y
        });
        let off = own_side.from_before * one - other_side.from_before * other;
        own_side.reduced = own_side.inverse * (own_side.reduced - off);
    }

    /// Solves for λ and adds the change of velocity to v; if `accuracy` asks for it, refines until the residual is rounding.
    /// Returns the residual, NaN where it is not computed. `size` is the size of r.
    fn solve(&mut self, size: f64, accuracy: Accuracy, lambda: &mut [[f64; 2]], v: &mut [DVec3]) -> f64 {
        if accuracy == Accuracy::Once {
            self.substitute::<false, false>(lambda, v);
            return f64::NAN;
        }
        let (mut left, term) = self.substitute::<true, false>(lambda, v);
        let rounding = ROUNDED * largest([term, size]);
        for _ in 0..MAX_REFINEMENTS {
            if left <= rounding {
                break;
            }
            let last = left;
            self.reduce();
            (left, _) = self.substitute::<true, true>(lambda, v);
            if left > STAGNATION * last {
                break;
            }
        }
        left
    }

    /// The pass out: computes λ of every hinge, or its correction where they are solved `AGAIN`, and moves the bodies. If
    /// `MEASURED`, the residual becomes the next right-hand side. Returns the residual and the largest term in its sum.
    #[inline(always)]
    fn substitute<const MEASURED: bool, const AGAIN: bool>(
        &mut self,
        lambda: &mut [[f64; 2]],
        v: &mut [DVec3],
    ) -> (f64, f64) {
        let mut left = HingeResiduals::default();
        let Self { halves: [first, second], middle: [own_side, other_side] } = self;
        let found = own_side.reduced;
        own_side.take::<AGAIN>(found, lambda);
        let mut one = own_side.push(found, first.last(), v);
        let mut other = other_side.push(-found, second.last(), v);
        if MEASURED {
            left.take(own_side, found, [one.1, other.1]);
        }
        let mut pass = |half: &mut [Link], (found, inner): (DVec2, DVec3)| {
            let Some((link, before)) = half.split_last_mut() else { return (found, inner) };
            link.take::<AGAIN>(found, lambda);
            let (found_before, outer) = link.push(found, before.last(), v);
            if MEASURED {
                left.take(link, found, [outer, inner]);
            }
            (found_before, outer)
        };
        for count in (0..first.len()).rev() {
            one = pass(&mut first[..=count], one);
            let count_there = (count + second.len()).checked_sub(first.len());
            if let Some(half) = count_there.and_then(|count| second.get_mut(..=count)) {
                other = pass(half, other);
            }
        }
        (if left.lost { f64::NAN } else { left.most }, left.term)
    }

    fn links_mut(&mut self) -> impl Iterator<Item = &mut Link> {
        self.halves.iter_mut().flatten().chain(&mut self.middle[..1])
    }
}

/// Hinges that form chains, with the factors of their A.
#[derive(Debug, Default)]
pub(crate) struct HingeChains {
    chains: Vec<Chain>,
    /// The two bodies of each hinge of the problem.
    bodies: Vec<[u32; 2]>,
    /// Whether the last problem was solved here, and the bound by which its residual is judged.
    solved: bool,
    shares: ShareBound,
    /// The change of velocity by another right-hand side.
    moved: Vec<DVec3>,
}

impl HingeChains {
    /// Finds the chains of `problem`, if all its rows are those of hinges in chains.
    pub fn take_up(&mut self, problem: &MixedProblem) {
        *self = Self::default();
        let Some(chains) = chains(problem) else { return };
        self.chains = chains;
        let rows = problem.rows.as_chunks::<2>().0;
        self.bodies.extend(rows.iter().map(|[x, _]| [x.a as u32, x.b as u32]));
    }

    /// Whether the last problem was solved here.
    pub fn has_solved(&self) -> bool {
        self.solved
    }

    /// Solves the equations of `problem`, between the bodies given to [`HingeChains::take_up`], for λ and v⁺ = v* + W Jᵀλ.
    /// Returns ‖J v⁺ + b‖∞, NaN where it is not computed; `None` where a row is not a hinge's, or rows depend on others.
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
        let of = |hinge: usize| rows.get(hinge).map(HingeRows::of);
        if theirs { self.solve_rows(problem, (accuracy, of), lambda, v) } else { None }
    }

    #[inline(always)]
    fn solve_rows(
        &mut self,
        problem: &MixedProblem,
        (accuracy, rows): (Accuracy, impl Fn(usize) -> Option<HingeRows> + Copy),
        lambda: &mut Vec<f64>,
        v: &mut Vec<DVec3>,
    ) -> Option<f64> {
        let mut residual = 0.0;
        v.clear();
        v.extend_from_slice(&problem.free);
        lambda.resize(2 * self.bodies.len(), 0.0);
        let lambda = lambda.as_chunks_mut::<2>().0;
        self.shares = ShareBound::default();
        for chain in &mut self.chains {
            let size = match accuracy {
                Accuracy::Refined => chain.factor::<true>(rows, problem, &mut self.shares)?,
                Accuracy::Once => chain.factor::<false>(rows, problem, &mut self.shares)?,
            };
            residual = largest([residual, chain.solve(size, accuracy, lambda, v)]);
        }
        self.solved = true;
        Some(residual)
    }

    /// Whether the rows are those of hinges between the bodies given to [`HingeChains::take_up`].
    fn are_between(&self, rows: &[[MixedRow; 2]]) -> bool {
        let differ = |bodies: &[u32; 2], row: &MixedRow| {
            (row.a as u32 ^ bodies[0]) | (row.b as u32 ^ bodies[1]) != 0
        };
        let known = self.bodies.iter().zip(rows);
        !rows.is_empty()
            && self.bodies.len() == rows.len()
            && !known.fold(false, |other, (bodies, rows)| {
                other | unlike_hinge(rows) | differ(bodies, &rows[0]) | differ(bodies, &rows[1])
            })
    }

    /// Returns `Acceptance::share_of_rows` of the last solved problem for this residual.
    pub fn share(&self, residual: f64) -> f64 {
        self.shares.of(residual)
    }

    /// Solves A λ = `rhs` with the present factors; returns ‖A λ − rhs‖∞.
    pub fn solve_again(&mut self, rhs: &[f64], lambda: &mut [f64]) -> f64 {
        let Self { chains, moved, bodies, .. } = self;
        let count = bodies.iter().flatten().fold(0, |most, body| most.max(*body as usize + 1));
        moved.clear();
        moved.resize(count, DVec3::ZERO);
        let (rhs, lambda) = (rhs.as_chunks::<2>().0, lambda.as_chunks_mut::<2>().0);
        let mut residual = 0.0;
        for chain in chains {
            let mut size = 0.0;
            for link in chain.links_mut() {
                let own = rhs.get(link.hinge as usize).copied().unwrap_or_default();
                link.reduced = DVec2::from_array(own) * link.sign;
                link.bias = -link.reduced;
                size = larger(size, link.bias);
            }
            chain.reduce();
            residual = largest([residual, chain.solve(size, Accuracy::Refined, lambda, moved)]);
        }
        residual
    }
}

/// Whether the two rows are not those of a hinge; computed without a branch, since nearly all are.
#[inline(always)]
fn unlike_hinge([x, y]: &[MixedRow; 2]) -> bool {
    let differ = |j: DVec3, axis: [f64; 2]| {
        (j.x.to_bits() ^ axis[0].to_bits()) | (j.y.to_bits() ^ axis[1].to_bits())
    };
    let differing = differ(x.ja, [-1.0, 0.0])
        | differ(x.jb, [1.0, 0.0])
        | differ(y.ja, [0.0, -1.0])
        | differ(y.jb, [0.0, 1.0]);
    let compliant = x.compliance.to_bits() | y.compliance.to_bits();
    let unequal = (x.law != Law::Equation) | (y.law != Law::Equation);
    differing | compliant | u64::from(unequal) != 0
}

/// Returns the chains of the hinges whose rows, in pairs, form `problem`; `None` where rows do not come in pairs between the same
/// bodies, where more than two hinges hold a body that can move, or where hinges form a loop.
fn chains(problem: &MixedProblem) -> Option<Vec<Chain>> {
    /// Marks the absence of a hinge.
    const NONE: u32 = u32::MAX;
    let (rows, others) = problem.rows.as_chunks::<2>();
    if rows.is_empty() || !others.is_empty() {
        return None;
    }
    // The hinges that hold each body.
    let mut held = vec![[NONE; 2]; problem.weight.len()];
    for (hinge, [x, y]) in (0_u32..).zip(rows) {
        if [x.a, x.b] != [y.a, y.b] || x.a == x.b {
            return None;
        }
        for body in [x.a, x.b].into_iter().filter(|&body| problem.weight[body] != DVec3::ZERO) {
            *held[body].iter_mut().find(|hinge| **hinge == NONE)? = hinge;
        }
    }
    // The hinge at the other side of a body.
    let beyond = |hinge: u32, body: usize| {
        let [one, other] = held[body];
        Some(if one == hinge { other } else { one }).filter(|hinge| *hinge != NONE)
    };
    let mut chains = Vec::new();
    let mut known = vec![false; rows.len()];
    for start in 0..rows.len() {
        let [a, b] = [rows[start][0].a, rows[start][0].b];
        let free_end = [a, b].into_iter().find(|&body| beyond(start as u32, body).is_none());
        let Some(outer) = free_end.filter(|_| !known[start]) else { continue };
        let mut links = Vec::new();
        let mut next = Some((start as u32, outer));
        while let Some((hinge, outer)) = next {
            known[hinge as usize] = true;
            let MixedRow { a, b, .. } = rows[hinge as usize][0];
            let (inner, sign) = if outer == b { (a, -1.0) } else { (b, 1.0) };
            links.push(Link::new(hinge, [outer as u32, inner as u32], sign));
            next = beyond(hinge, inner).map(|hinge| (hinge, inner));
        }
        let mut first = links;
        let second = first.split_off(first.len() / 2 + 1);
        let middle = first.pop()?;
        let second = second.into_iter().rev().map(Link::turned_round).collect();
        chains.push(Chain { halves: [first, second], middle: [middle; 2] });
    }
    known.into_iter().all(|known| known).then_some(chains)
}
