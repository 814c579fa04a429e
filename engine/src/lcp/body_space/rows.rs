//! Rows over the movable bodies, scaled to the kinetic-energy norm.
//!
//! With u = W^(−1/2) (v − v_k) and Ĵ = J W^(1/2), a row's step away from λ_k is
//!
//! ```text
//! Δ = Π(λ_k + y) − λ_k ,   y = −ρ̃ (w_k + Ĵ u) ,   ρ̃ = ρ / (1 + ρ c) ,   ρ = κ / Aᵢᵢ
//! ```
//!
//! which is λ_k ← Π(λ_k − ρ w) with the compliance c taken implicitly. κ has no unit.
//!
//! `Graph` knows which blocks of H each row adds to: it is analysed once for as long as rows join the same bodies.

use crate::lcp::info::ACCEPTED;
use crate::lcp::problem::mixed::{Law, MixedProblem, positive};
use crate::math::{BlockLu, BlockSlot, mapped};
use glam::DVec3;

/// Friction of at least this share of its bound counts as sliding, where its piece is told from λ alone: what is
/// missing may be the residual of a solution.
const EDGE: f64 = 1.0 - ACCEPTED;

/// The piece of Π that a row is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LinearPiece {
    /// At a lower bound that does not move.
    #[default]
    Lower,
    /// At an upper bound that does not move.
    Upper,
    /// Between its bounds: λ follows w.
    Free,
    /// Friction at −μ λ_n, which follows the normal row.
    SlidingLower,
    /// Friction at +μ λ_n.
    SlidingUpper,
}

/// The bounds of λ.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Limit {
    /// [l, u].
    Between(f64, f64),
    /// ±μ λ_n, with the place of the normal row.
    Coulomb { normal: u32, coefficient: f64 },
    /// λ = s λ_n with the signed coefficient s.
    Dragged { normal: u32, coefficient: f64 },
}

impl Limit {
    /// Returns the place of the normal row and λ_t / λ_n, if the friction slides.
    #[inline]
    pub fn slope(&self, state: LinearPiece) -> Option<(usize, f64)> {
        match (*self, state) {
            (
                Self::Coulomb { normal, coefficient } | Self::Dragged { normal, coefficient },
                LinearPiece::SlidingUpper,
            ) => Some((normal as usize, coefficient)),
            (Self::Coulomb { normal, coefficient }, LinearPiece::SlidingLower) => {
                Some((normal as usize, -coefficient))
            }
            _ => None,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct BodyRow {
    /// Its index.
    pub place: u32,
    /// Movable bodies; where there is none, the number of movable bodies, and Ĵ is zero.
    pub ends: [u32; 2],
    /// Ĵ.
    pub j: [[f64; 3]; 2],
    /// The ends and Ĵ of its further bodies, apart, since few rows have any.
    pub further: Option<Box<FurtherArms>>,
    /// Aᵢᵢ.
    pub diagonal: f64,
    pub compliance: f64,
    pub limit: Limit,
}

/// The ends of a row's third and fourth body, with Ĵ of each.
pub(crate) type FurtherArms = ([u32; 2], [[f64; 3]; 2]);

impl BodyRow {
    /// Whether it is friction, which the row before it limits.
    #[inline]
    pub fn is_friction(&self) -> bool {
        !matches!(self.limit, Limit::Between(..))
    }

    /// Returns Ĵ u; `u` has an entry for each movable body, and one for all that do not move.
    #[inline]
    pub fn rate(&self, u: &[[f64; 3]]) -> f64 {
        let rate = self.rate_between([u[self.ends[0] as usize], u[self.ends[1] as usize]]);
        if self.further.is_none() { rate } else { rate + self.further_rate(|end| u[end]) }
    }

    /// Returns Ĵ u of its further bodies, given u of each.
    #[cold]
    pub fn further_rate(&self, u: impl Fn(usize) -> [f64; 3]) -> f64 {
        let Some((ends, j)) = self.further.as_deref() else { return 0.0 };
        let of = |end: usize| dot(&j[end], &u(ends[end] as usize));
        of(0) + of(1)
    }

    /// All its ends.
    pub fn ends(&self) -> impl Iterator<Item = usize> + use<> {
        let further = self.further.as_deref().map(|(ends, _)| *ends);
        self.ends.into_iter().chain(further.into_iter().flatten()).map(|end| end as usize)
    }

    /// Returns Ĵ u of bodies a and b, given u of them.
    #[inline]
    pub fn rate_between(&self, [a, b]: [[f64; 3]; 2]) -> f64 {
        let [ja, jb] = &self.j;
        (ja[0] * a[0] + ja[1] * a[1] + ja[2] * a[2]) + (jb[0] * b[0] + jb[1] * b[1] + jb[2] * b[2])
    }

    /// u ← u + Ĵᵀ x.
    #[inline]
    pub fn push(&self, x: f64, u: &mut [[f64; 3]]) {
        self.add_each(u, |j| j * x);
    }

    /// u ← u + |Ĵᵀ x|.
    pub fn push_magnitude(&self, x: f64, u: &mut [[f64; 3]]) {
        self.add_each(u, |j| (j * x).abs());
    }

    /// Adds `term(j)` of each number of Ĵ to u.
    #[inline]
    fn add_each(&self, u: &mut [[f64; 3]], term: impl Fn(f64) -> f64) {
        add(u, &self.ends, &self.j, &term);
        if self.further.is_some() {
            self.add_further(u, term);
        }
    }

    /// [`BodyRow::add_each`] of its further bodies, which few rows have.
    #[cold]
    fn add_further(&self, u: &mut [[f64; 3]], term: impl Fn(f64) -> f64) {
        let Some((ends, j)) = self.further.as_deref() else { return };
        add(u, ends, j, &term);
    }

    /// Returns [l, u]; those of friction at the present `lambda`, by place.
    #[inline]
    pub fn bounds(&self, lambda: &[f64]) -> [f64; 2] {
        match self.limit {
            Limit::Between(lower, upper) => [lower, upper],
            Limit::Coulomb { normal, coefficient } => {
                let most = coefficient * positive(lambda[normal as usize]);
                [-most, most]
            }
            Limit::Dragged { normal, coefficient } => {
                let drag = coefficient * positive(lambda[normal as usize]);
                [drag, drag]
            }
        }
    }

    /// Returns the piece on which λ lies; friction within 1e-9 of its bound slides.
    pub fn piece(&self, lambda: f64, [lower, upper]: [f64; 2]) -> LinearPiece {
        match self.limit {
            Limit::Coulomb { .. } if upper > 0.0 => match lambda {
                _ if lambda <= EDGE * lower => LinearPiece::SlidingLower,
                _ if lambda >= EDGE * upper => LinearPiece::SlidingUpper,
                _ => LinearPiece::Free,
            },
            Limit::Dragged { .. } if lower != 0.0 => LinearPiece::SlidingUpper,
            _ if lambda <= lower => LinearPiece::Lower,
            _ if lambda >= upper => LinearPiece::Upper,
            _ => LinearPiece::Free,
        }
    }

    /// ρ̃.
    #[inline]
    pub fn stiffness(&self, kappa: f64) -> f64 {
        if self.diagonal > 0.0 { kappa / (self.diagonal + kappa * self.compliance) } else { 0.0 }
    }
}

#[inline]
fn add(u: &mut [[f64; 3]], ends: &[u32; 2], j: &[[f64; 3]; 2], term: &impl Fn(f64) -> f64) {
    for (body, j) in ends.iter().zip(j) {
        let u = &mut u[*body as usize];
        for k in 0..3 {
            u[k] += term(j[k]);
        }
    }
}

#[inline]
fn dot(j: &[f64; 3], u: &[f64; 3]) -> f64 {
    j[0] * u[0] + j[1] * u[1] + j[2] * u[2]
}

/// Index of a body that cannot move.
pub(crate) const FIXED: u32 = u32::MAX;

/// The pattern of H with its factors.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// Movable bodies (a, b) of every row that the pattern was made for; [`FIXED`] where there is none.
    ends: Vec<[u32; 2]>,
    /// The rows with further bodies: these, and where the pairs of all four are kept in H.
    further: Vec<FurtherEnds>,
    number: Vec<u32>,
    /// W^(1/2) of every body.
    roots: Vec<[f64; 3]>,
    /// Number of movable bodies.
    pub movable: usize,
    slots: Vec<BlockSlot>,
    pub lu: BlockLu,
}

/// The movable bodies (c, d) of a row, and the slots of the pairs ac, ad, bc, bd and cd.
#[derive(Debug)]
struct FurtherEnds {
    row: u32,
    ends: [u32; 2],
    slots: [BlockSlot; 5],
}

/// The pairs of a row's four ends beyond (a, b), in the order of their slots.
const PAIRS: [[usize; 2]; 5] = [[0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

impl Graph {
    /// Analyses the pattern of `problem`, unless it is the present one.
    pub fn fit(&mut self, problem: &MixedProblem) {
        self.number.clear();
        let mut movable = 0;
        for inverse_mass in &problem.inverse_mass {
            let moves = *inverse_mass != DVec3::ZERO;
            self.number.push(if moves { movable } else { FIXED });
            movable += u32::from(moves);
        }
        let number = |body: usize| self.number[body];
        let ends = problem.rows.iter().map(|row| {
            let a = if row.a == row.b { FIXED } else { number(row.a) };
            [a, number(row.b)]
        });
        let further = || {
            let rows = (0_u32..).zip(&problem.rows);
            rows.filter_map(|(row, own)| own.further.map(|own| (row, own.bodies))).map(|(row, [c, d])| {
                let c = if c == d { FIXED } else { number(c) };
                (row, [c, number(d)])
            })
        };
        let known = self.further.iter().map(|own| (own.row, own.ends));
        if self.movable == movable as usize
            && self.ends.iter().copied().eq(ends.clone())
            && known.eq(further())
        {
            return;
        }
        self.movable = movable as usize;
        self.ends = ends.collect();
        self.further =
            further().map(|(row, ends)| FurtherEnds { row, ends, slots: Default::default() }).collect();
        let joins = |[a, b]: [u32; 2]| a != FIXED && b != FIXED;
        let mut pairs: Vec<(usize, usize)> =
            self.ends.iter().filter(|e| joins(**e)).map(|&[a, b]| (a as usize, b as usize)).collect();
        let beyond = |own: &FurtherEnds| {
            let [a, b] = self.ends[own.row as usize];
            let all = [a, b, own.ends[0], own.ends[1]];
            PAIRS.map(|pair| pair.map(|end| all[end]))
        };
        let of_further = self.further.iter().flat_map(beyond).filter(|pair| joins(*pair));
        pairs.extend(of_further.map(|[a, b]| (a as usize, b as usize)));
        let (lu, found) = BlockLu::new(self.movable, &pairs);
        let mut found = found.into_iter();
        let mut slot =
            |e: [u32; 2]| if joins(e) { found.next().unwrap_or_default() } else { BlockSlot::default() };
        self.slots = self.ends.iter().map(|e| slot(*e)).collect();
        let beyond: Vec<_> = self.further.iter().map(|own| beyond(own).map(&mut slot)).collect();
        self.further.iter_mut().zip(beyond).for_each(|(own, slots)| own.slots = slots);
        self.lu = lu;
    }

    /// H ← H + f Ĵᵀ Ĵ of a row, over all its bodies.
    #[inline]
    pub fn add_row(&mut self, row: &BodyRow, f: f64) {
        self.add(row, f, row.j);
        if let Some((_, j)) = row.further.as_deref() {
            self.add_further(row, f, *j);
        }
    }

    /// The part of f Ĵᵀ Ĵ in which the further bodies of `row` take part.
    #[cold]
    fn add_further(&mut self, row: &BodyRow, f: f64, j: [[f64; 3]; 2]) {
        let Ok(at) = self.further.binary_search_by_key(&row.place, |own| own.row) else { return };
        let FurtherEnds { ends, slots, .. } = &self.further[at];
        let [a, b] = self.ends[row.place as usize];
        let (all, j) = ([a, b, ends[0], ends[1]], [row.j[0], row.j[1], j[0], j[1]]);
        let scaled = mapped(j, |j| mapped(j, |j| f * j));
        for end in [2, 3].into_iter().filter(|end| all[*end] != FIXED) {
            self.lu.add_diagonal(all[end] as usize, [j[end]], [scaled[end]]);
        }
        for ([i, k], slot) in PAIRS.into_iter().zip(slots) {
            if all[i] != FIXED && all[k] != FIXED {
                self.lu.add_pair(*slot, [[j[i]], [j[k]]], [[scaled[i]], [scaled[k]]]);
            }
        }
    }

    /// H ← H + f Ĵᵀ y, y over the bodies of `row`.
    #[inline]
    pub fn add(&mut self, row: &BodyRow, f: f64, y: [[f64; 3]; 2]) {
        self.add_sum(row, [row.j], [mapped(y, |y| mapped(y, |y| f * y))]);
    }

    /// H ← H + Ĵᵀ K Ĵ of a contact with the rows n and t, K by rows.
    #[inline]
    pub fn add_contact(&mut self, n: &BodyRow, t: &BodyRow, k: [[f64; 2]; 2]) {
        let mix = |[a, b]: [f64; 2]| {
            mapped([0, 1], |end| mapped([0, 1, 2], |axis| a * n.j[end][axis] + b * t.j[end][axis]))
        };
        self.add_sum(n, [n.j, t.j], mapped(k, mix));
    }

    /// H ← H + Σ xᵀ y.
    #[inline]
    fn add_sum<const N: usize>(&mut self, row: &BodyRow, x: [[[f64; 3]; 2]; N], y: [[[f64; 3]; 2]; N]) {
        let [a, b] = self.ends[row.place as usize];
        let of = |end: usize| (mapped(x, |x| x[end]), mapped(y, |y| y[end]));
        let ((xa, ya), (xb, yb)) = (of(0), of(1));
        if a != FIXED {
            self.lu.add_diagonal(a as usize, xa, ya);
        }
        if b != FIXED {
            self.lu.add_diagonal(b as usize, xb, yb);
        }
        if a != FIXED && b != FIXED {
            self.lu.add_pair(self.slots[row.place as usize], [xa, xb], [ya, yb]);
        }
    }
}

/// Fills `rows` from `problem`, scaled to the kinetic-energy norm.
pub(crate) fn gather(problem: &MixedProblem, graph: &mut Graph, rows: &mut Vec<BodyRow>) {
    let Graph { ends: all, further: beyond, movable, roots, .. } = graph;
    let mut beyond = beyond.iter().peekable();
    roots.clear();
    roots.extend(problem.inverse_mass.iter().map(|w| [w.x.sqrt(), w.y.sqrt(), w.z.sqrt()]));
    let root = |j: DVec3, body: usize, end: u32| match end {
        FIXED => [0.0; 3],
        _ => {
            let [x, y, z] = roots[body];
            [j.x * x, j.y * y, j.z * z]
        }
    };
    rows.clear();
    rows.extend(problem.rows.iter().zip(&*all).enumerate().map(|(i, (row, &ends))| {
        let limit = match row.law {
            Law::Equation => Limit::Between(f64::NEG_INFINITY, f64::INFINITY),
            Law::Unilateral => Limit::Between(0.0, f64::INFINITY),
            Law::Bounded { lower, upper } => Limit::Between(lower, upper),
            Law::Friction { normal, coefficient } => Limit::Coulomb { normal: normal as u32, coefficient },
            Law::Sliding { normal, coefficient } => Limit::Dragged { normal: normal as u32, coefficient },
        };
        BodyRow {
            place: i as u32,
            ends: ends.map(|end| end.min(*movable as u32)),
            j: [root(row.ja, row.a, ends[0]), root(row.jb, row.b, ends[1])],
            further: row.further.zip(beyond.next_if(|own| own.row == i as u32)).map(|(row, own)| {
                let j = [0, 1].map(|at| root(row.j[at], row.bodies[at], own.ends[at]));
                Box::new((own.ends.map(|end| end.min(*movable as u32)), j))
            }),
            diagonal: row.diagonal(&problem.inverse_mass),
            compliance: row.compliance,
            limit,
        }
    }));
}
