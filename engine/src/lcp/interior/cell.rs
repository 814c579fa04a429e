//! Rows as complementary pairs, and each row's share of Newton's system.
//!
//! A cell holds the pairs (x, s) of one row, or of a contact's two rows:
//!
//! ```text
//! equation   w = 0                  one free λ
//! bounded    λ = l ± x              s = ±w + z ,  0 ≤ z ⊥ g = u − λ ≥ 0          z = 0 without a second bound
//! contact    λ_n = l + x_n          s_n = w_n
//!            λ_t = β₊ − β₋          s₊ = σ + w_t ,  s₋ = σ − w_t ,   0 ≤ σ ⊥ g = μ λ_n − β₊ − β₋ ≥ 0
//! ```
//!
//! σ is the speed of sliding: where w_t > 0, σ = w_t, so that s₋ = 0 and β₋ takes all of μ λ_n, against the sliding.
//!
//! **Elimination.** For every pair Newton's step has s dx + x ds = c. ds follows from the linear equations above, whose residual
//! is r. With ν = Ĵ_n du and τ = Ĵ_t du of the rows and κ their compliance, all pairs are eliminated, so that the bodies see dλ
//! as a function of du alone (κ of rows without friction: the row's own and `Pace::proximal`):
//!
//! ```text
//! equation   dλ = −ρ̃ (r + ν)                                             proximal, as in body_space/rows.rs
//! bounded    dg = r_z − dx              dz = k_z + (z/g) dx ,   k_z = (c_z − z r_z)/g
//!            ds = ν + κ dx + dz + r     dx = k − D ν ,   D = x/(s + x (κ + z/g)) ,   k = D (c/x − r − k_z)
//!
//! contact    ds_n = ν + κ dx_n + r_n    dx_n = k_n − d_n ν ,               d_n = x_n/(s_n + κ x_n)
//!            ds± = dσ ± τ + r±          dβ± = k± − d± (dσ ± τ) ,           d± = β±/s±
//!            dg = μ dx_n − dβ₊ − dβ₋ + r_σ     into     g dσ + σ dg = c_σ :
//!
//!            Q dσ = c_σ − σ (μ k_n − k₊ − k₋ + r_σ) + σ μ d_n ν − σ (d₊ − d₋) τ ,   Q = g + σ (d₊ + d₋)
//!            dσ   = k + a ν − b τ ,     a = σ μ d_n/Q ,   b = σ (d₊ − d₋)/Q
//! ```
//!
//! so that a contact's share of H is Ĵᵀ K Ĵ with
//!
//! ```text
//! │dλ_n│   │ k_n                │       │ν│           │ d_n             0                       │
//! │    │ = │                    │ − K · │ │ ,   K  =  │                                         │
//! │dλ_t│   │ k₊ − k₋ − (d₊−d₋)k │       │τ│           │ (d₊ − d₋) a     d₊ + d₋ − (d₊ − d₋) b   │
//! ```
//!
//! K is lower triangular, and its diagonal positive: the last entry is (g (d₊ + d₋) + 4 σ d₊ d₋)/Q. The entry off the diagonal
//! comes from μ alone. It makes H unsymmetric, and where it is large det H may become negative: the path folds.

use crate::lcp::body_space::{BodyRow, Graph, Limit};

/// κ of an equation's proximal term: a step leaves about 1/κ of an equation's residual.
const EQUATION_KAPPA: f64 = 1e8;
/// β₊ and β₋ at the start, as shares of μ λ_n: with a tenth left for g, all four pairs of a contact are inside their bounds.
const FIRST_SHARE: f64 = 0.45;

/// x ≥ 0 and s ≥ 0 of one inequality, one of them an impulse, the other a velocity. An equation's λ is the x of a pair
/// with s = 0.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ComplementaryPair {
    pub x: f64,
    pub s: f64,
    /// x s times this is the square of a velocity.
    pub unit: f64,
    /// Residual of the linear equation for s.
    pub gap: f64,
    /// Right-hand sides of Newton's step: c of s dx + x ds = c, and r of the linear equation for ds.
    pub c: f64,
    pub r: f64,
    /// The direction of the step.
    pub dx: f64,
    pub ds: f64,
}

impl ComplementaryPair {
    pub fn new(x: f64, s: f64, unit: f64) -> Self {
        Self { x, s, unit, ..Self::default() }
    }

    /// Returns x s in (m/s)² after a step t.
    pub fn product(&self, t: f64) -> f64 {
        (self.x + t * self.dx) * (self.s + t * self.ds) * self.unit
    }

    /// Shortens the step t to the one that makes x or s zero.
    pub fn shorten(&self, t: &mut f64) {
        for (x, dx) in [(self.x, self.dx), (self.s, self.ds)] {
            if x + *t * dx < 0.0 {
                *t = -x / dx;
            }
        }
    }

    /// (x, s) ← (x, s) + t (dx, ds).
    pub fn advance(&mut self, t: f64) {
        self.x += t * self.dx;
        self.s += t * self.ds;
    }
}

/// The pairs of a row, or of a contact's two rows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cell {
    Equation { row: usize, pair: ComplementaryPair },
    Bounded(Bounded),
    ContactCell(ContactCell),
}

/// A row with one bound or two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounded {
    row: usize,
    offset: f64,
    sign: f64,
    compliance: f64,
    pair: ComplementaryPair,
    /// u − l, ∞ where only one of them is finite; z of `ceiling` is then zero, its g ∞.
    width: f64,
    ceiling: ComplementaryPair,
    /// The friction row whose direction is given, with λ_t / λ_n.
    drag: Option<(usize, f64)>,
}

impl Bounded {
    /// s + x (κ + z/g).
    fn stiffness(&self) -> f64 {
        self.pair.s + self.pair.x * (self.compliance + self.ceiling.x / self.ceiling.s)
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ContactCell {
    normal: usize,
    friction: usize,
    coefficient: f64,
    offset: f64,
    n: ComplementaryPair,
    plus: ComplementaryPair,
    minus: ComplementaryPair,
    slip: ComplementaryPair,
    /// d of the normal pair, β₊'s and β₋'s, and Q.
    d: [f64; 3],
    q: f64,
    /// dσ = k + a y − b x.
    k: f64,
    a: f64,
    b: f64,
}

impl Cell {
    /// Returns the cell of the row at `place` and of its `friction`, `None` where λ is given. x and s of its pairs
    /// start at those of `pair`, the sizes of an impulse and of a speed near the contact; `unit` times their product is
    /// the same for all rows. `proximal` is the compliance of a step's equations beyond the row's own, as a share of Aᵢᵢ.
    pub fn new(
        rows: &[BodyRow],
        place: usize,
        friction: Option<usize>,
        pair: ComplementaryPair,
        proximal: f64,
    ) -> Option<Self> {
        let row = &rows[place];
        let Limit::Between(lower, upper) = row.limit else { return None };
        if row.diagonal <= 0.0 || lower == upper {
            return None;
        }
        let ComplementaryPair { x: impulse, s: speed, unit, .. } = pair;
        let compliance = row.compliance + proximal * row.diagonal;
        let (mut coulomb, mut drag) = (None, None);
        match friction.map(|friction| (friction, rows[friction].limit)) {
            Some((friction, Limit::Coulomb { coefficient, .. })) => coulomb = Some((friction, coefficient)),
            Some((friction, Limit::Dragged { coefficient, .. })) => drag = Some((friction, coefficient)),
            _ => {}
        }
        Some(match (lower.is_finite(), upper.is_finite(), coulomb) {
            (true, _, Some((friction, coefficient))) => {
                let most = coefficient * (lower + impulse);
                let share = FIRST_SHARE * most;
                Self::ContactCell(ContactCell {
                    normal: place,
                    friction,
                    coefficient,
                    offset: lower,
                    n: pair,
                    plus: ComplementaryPair::new(share, speed, unit),
                    minus: ComplementaryPair::new(share, speed, unit),
                    slip: ComplementaryPair::new(speed, most - 2.0 * share, unit),
                    ..ContactCell::default()
                })
            }
            (false, false, _) => {
                Self::Equation { row: place, pair: ComplementaryPair::new(0.0, 0.0, row.diagonal) }
            }
            (has_lower, ..) => {
                let (offset, sign) = if has_lower { (lower, 1.0) } else { (upper, -1.0) };
                let width = upper - lower;
                let (x, z) = (impulse.min(0.5 * width), if width.is_finite() { speed } else { 0.0 });
                let pair = ComplementaryPair::new(x, speed, unit);
                let ceiling = ComplementaryPair::new(z, width - x, unit);
                Self::Bounded(Bounded { row: place, offset, sign, compliance, pair, width, ceiling, drag })
            }
        })
    }

    /// Writes λ of the cell's rows.
    pub fn write(&self, lambda: &mut [f64]) {
        match self {
            Self::Equation { row, pair } => lambda[*row] = pair.x,
            Self::Bounded(b) => {
                lambda[b.row] = b.offset + b.sign * b.pair.x;
                if let Some((friction, slope)) = b.drag {
                    lambda[friction] = slope * lambda[b.row];
                }
            }
            Self::ContactCell(contact) => {
                lambda[contact.normal] = contact.offset + contact.n.x;
                lambda[contact.friction] = contact.plus.x - contact.minus.x;
            }
        }
    }

    /// Computes the gaps of the pairs, from w by place.
    pub fn look(&mut self, w: &[f64]) {
        match self {
            Self::Equation { row, pair } => pair.gap = w[*row],
            Self::Bounded(b) => {
                b.pair.gap = b.sign * w[b.row] + b.ceiling.x - b.pair.s;
                b.ceiling.gap = b.width - b.pair.x - b.ceiling.s;
            }
            Self::ContactCell(c) => {
                let w_t = w[c.friction];
                c.n.gap = w[c.normal] - c.n.s;
                c.plus.gap = c.slip.x + w_t - c.plus.s;
                c.minus.gap = c.slip.x - w_t - c.minus.s;
                c.slip.gap = c.coefficient * (c.offset + c.n.x) - c.plus.x - c.minus.x - c.slip.s;
            }
        }
    }

    /// Adds the cell's share to H.
    pub fn add_to_h(&mut self, rows: &[BodyRow], graph: &mut Graph) {
        match self {
            Self::Equation { row, .. } => {
                let row = &rows[*row];
                graph.add_row(row, row.stiffness(EQUATION_KAPPA));
            }
            Self::Bounded(b) => {
                let (row, d) = (&rows[b.row], b.pair.x / b.stiffness());
                graph.add_row(row, d);
                if let Some((friction, slope)) = b.drag {
                    graph.add(&rows[friction], slope * d, row.j);
                }
            }
            Self::ContactCell(c) => {
                let (n, t) = (&rows[c.normal], &rows[c.friction]);
                let d_n = c.n.x / (c.n.s + n.compliance * c.n.x);
                let (plus, minus) = (c.plus.x / c.plus.s, c.minus.x / c.minus.s);
                c.d = [d_n, plus, minus];
                c.q = c.slip.s + c.slip.x * (plus + minus);
                c.a = c.slip.x * c.coefficient * d_n / c.q;
                c.b = c.slip.x * (plus - minus) / c.q;
                let turned = plus - minus;
                graph.add_contact(n, t, [[d_n, 0.0], [turned * c.a, plus + minus - turned * c.b]]);
            }
        }
    }

    /// Adds Ĵᵀ dλ at du = 0 to the right-hand side `du`.
    pub fn load(&mut self, rows: &[BodyRow], du: &mut [[f64; 3]]) {
        match self {
            Self::Equation { row, pair } => {
                let row = &rows[*row];
                pair.dx = -row.stiffness(EQUATION_KAPPA) * pair.r;
                row.push(pair.dx, du);
            }
            Self::Bounded(b) => {
                b.ceiling.dx = (b.ceiling.c - b.ceiling.x * b.ceiling.r) / b.ceiling.s;
                b.pair.dx = (b.pair.c - b.pair.x * (b.pair.r + b.ceiling.dx)) / b.stiffness();
                rows[b.row].push(b.sign * b.pair.dx, du);
                if let Some((friction, slope)) = b.drag {
                    rows[friction].push(slope * b.sign * b.pair.dx, du);
                }
            }
            Self::ContactCell(c) => {
                let (n, t) = (&rows[c.normal], &rows[c.friction]);
                let [_, plus, minus] = c.d;
                c.n.dx = (c.n.c - c.n.x * c.n.r) / (c.n.s + n.compliance * c.n.x);
                c.plus.dx = c.plus.c / c.plus.s - plus * c.plus.r;
                c.minus.dx = c.minus.c / c.minus.s - minus * c.minus.r;
                let left = c.coefficient * c.n.dx - c.plus.dx - c.minus.dx + c.slip.r;
                c.k = (c.slip.c - c.slip.x * left) / c.q;
                n.push(c.n.dx, du);
                t.push(c.plus.dx - c.minus.dx - (plus - minus) * c.k, du);
            }
        }
    }

    /// Computes dx and ds of the pairs from the solution du, after [`Cell::load`] with the same right-hand sides.
    pub fn answer(&mut self, rows: &[BodyRow], du: &[[f64; 3]]) {
        match self {
            Self::Equation { row, pair } => {
                let row = &rows[*row];
                pair.dx -= row.stiffness(EQUATION_KAPPA) * row.rate(du);
            }
            Self::Bounded(b) => {
                let y = b.sign * rows[b.row].rate(du);
                b.pair.dx -= b.pair.x * y / b.stiffness();
                b.ceiling.dx += b.ceiling.x / b.ceiling.s * b.pair.dx;
                b.ceiling.ds = b.ceiling.r - b.pair.dx;
                b.pair.ds = y + b.compliance * b.pair.dx + b.ceiling.dx + b.pair.r;
            }
            Self::ContactCell(c) => {
                let (n, t) = (&rows[c.normal], &rows[c.friction]);
                let (y, x) = (n.rate(du), t.rate(du));
                let [d_n, plus, minus] = c.d;
                c.slip.dx = c.k + c.a * y - c.b * x;
                c.n.dx -= d_n * y;
                c.n.ds = y + n.compliance * c.n.dx + c.n.r;
                c.plus.dx -= plus * (c.slip.dx + x);
                c.plus.ds = c.slip.dx + x + c.plus.r;
                c.minus.dx -= minus * (c.slip.dx - x);
                c.minus.ds = c.slip.dx - x + c.minus.r;
                c.slip.ds = c.coefficient * c.n.dx - c.plus.dx - c.minus.dx + c.slip.r;
            }
        }
    }

    /// Visits the complementary pairs.
    pub fn each_complementary(&mut self, visit: &mut impl FnMut(&mut ComplementaryPair)) {
        if !matches!(self, Self::Equation { .. }) {
            self.each(visit);
        }
    }

    /// Visits all pairs, that of an equation with s = 0 included.
    pub fn each(&mut self, visit: &mut impl FnMut(&mut ComplementaryPair)) {
        match self {
            Self::Equation { pair, .. } => visit(pair),
            Self::Bounded(b) if b.width.is_finite() => {
                [&mut b.pair, &mut b.ceiling].into_iter().for_each(visit)
            }
            Self::Bounded(b) => visit(&mut b.pair),
            Self::ContactCell(c) => {
                [&mut c.n, &mut c.plus, &mut c.minus, &mut c.slip].into_iter().for_each(visit);
            }
        }
    }
}
