//! Rank-one changes of H, kept beside the factors that it had before them: H₀ is factorised, and each pivot since then is a
//! change p qᵀ.
//!
//! ```text
//! H_k = H_{k−1} + p qᵀ ,   H_k⁻¹ x = y − z (q·y)/α ,   y = H_{k−1}⁻¹ x ,   z = H_{k−1}⁻¹ p ,   α = 1 + q·z
//! ```
//!
//! A solution with H_k is one with H₀ and k corrections, each a multiple of a stored z. The factor of a z needs the solution so
//! far only at the two bodies of its q. All factors are therefore computed first, from the stored values of the earlier z at
//! these bodies; then all corrections are added in one pass over the bodies. α is the ratio of the determinants, det H_k = α det
//! H_{k−1}: its sign says whether the path turns back (`path.rs`).
//!
//! Source: [Sherman & Morrison 1950].

use crate::lcp::body_space::BodyRow;
use crate::math::{BlockLu, Pair, add, mapped};

/// A vector Σ f Ĵ over two rows of one contact: (place, f) of each.
pub(crate) type Change = [(usize, f64); 2];

/// Corrections that are added in one pass over x: with four, x is read and written a quarter as often.
const AT_ONCE: usize = 4;

/// The changes since the last factorisation.
#[derive(Debug, Default)]
pub(crate) struct Updates {
    /// z of every change, one behind the other.
    z: Vec<[f64; 3]>,
    q: Vec<Change>,
    alpha: Vec<f64>,
    /// For every change, z of all changes before it at the two bodies of its q.
    met: Vec<[Pair; 3]>,
    /// The factor of each z in a solution.
    factors: Vec<f64>,
}

impl Updates {
    /// Removes all changes.
    pub fn clear(&mut self) {
        self.z.clear();
        self.q.clear();
        self.alpha.clear();
        self.met.clear();
    }

    /// Number of changes.
    pub fn len(&self) -> usize {
        self.q.len()
    }

    /// x ← H⁻¹ x with `lu`, the factors before the first change.
    pub fn solve(&mut self, lu: &mut BlockLu, rows: &[BodyRow], x: &mut [[f64; 3]]) {
        lu.solve(x);
        let Self { z, q, alpha, met, factors } = self;
        factors.clear();
        let mut met = &met[..];
        for (q, alpha) in q.iter().zip(&*alpha) {
            let before;
            (before, met) = met.split_at(factors.len());
            let mut there = side_by_side(&rows[q[0].0], x);
            for (z, factor) in before.iter().zip(&*factors) {
                for k in 0..3 {
                    there[k] += Pair::splat(*factor) * z[k];
                }
            }
            factors.push(-sum(q, |place| rows[place].rate_between(apart(there))) / alpha);
        }
        let (x, z) = (x.as_flattened_mut(), z.as_flattened());
        let (groups, rest) = factors.as_chunks::<AT_ONCE>();
        let (grouped, last) = z.split_at(groups.len() * AT_ONCE * x.len());
        for (factors, z) in groups.iter().zip(grouped.chunks_exact(AT_ONCE * x.len())) {
            let mut each = z.chunks_exact(x.len());
            let [z0, z1, z2, z3] = std::array::from_fn(|_| each.next().unwrap_or_default());
            for ((((x, z0), z1), z2), z3) in x.iter_mut().zip(z0).zip(z1).zip(z2).zip(z3) {
                *x = *x + factors[0] * z0 + factors[1] * z1 + factors[2] * z2 + factors[3] * z3;
            }
        }
        for (factor, z) in rest.iter().zip(last.chunks_exact(x.len())) {
            add(x, *factor, z);
        }
    }

    /// Adds the change p qᵀ, given z; returns α.
    pub fn push(&mut self, rows: &[BodyRow], z: &[[f64; 3]], q: Change) -> f64 {
        let alpha = 1.0 + along(&q, rows, z);
        let row = &rows[q[0].0];
        self.met.extend(self.z.chunks_exact(z.len()).map(|z| side_by_side(row, z)));
        self.z.extend_from_slice(z);
        self.q.push(q);
        self.alpha.push(alpha);
        alpha
    }
}

/// Returns x at the two bodies of a row, side by side.
#[inline(always)]
fn side_by_side(row: &BodyRow, x: &[[f64; 3]]) -> [Pair; 3] {
    let [[a0, a1, a2], [b0, b1, b2]] = mapped(row.ends, |end| x[end as usize]);
    [Pair::new([a0, a1]), Pair::new([a2, b0]), Pair::new([b1, b2])]
}

/// Separates the numbers of the two bodies.
#[inline(always)]
fn apart(there: [Pair; 3]) -> [[f64; 3]; 2] {
    let [[a0, a1], [a2, b0], [b1, b2]] = mapped(there, Pair::to_array);
    [[a0, a1, a2], [b0, b1, b2]]
}

/// Returns Σ f rate.
#[inline(always)]
fn sum(q: &Change, rate: impl Fn(usize) -> f64) -> f64 {
    q.iter().map(|(place, f)| if *f == 0.0 { 0.0 } else { f * rate(*place) }).sum()
}

/// Returns q·x.
pub(crate) fn along(q: &Change, rows: &[BodyRow], x: &[[f64; 3]]) -> f64 {
    sum(q, |place| rows[place].rate(x))
}
