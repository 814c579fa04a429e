//! Rank-one changes of H, kept beside the factors that it had before them: H₀ is factorised, and each pivot since then is a
//! change p qᵀ.
//!
//! ```text
//! H_k = H_{k−1} + p qᵀ ,   H_k⁻¹ x = y − z (q·y)/α ,   y = H_{k−1}⁻¹ x ,   z = H_{k−1}⁻¹ p ,   α = 1 + q·z
//! ```
//!
//! A solution with H_k is one with H₀ and k corrections, each a multiple of a stored z. The factor of a z needs the solution so
//! far only at the two bodies of its q. All factors are therefore computed first, from the earlier z at these bodies; then all
//! corrections are added in one pass over the bodies. α is the ratio of the determinants, det H_k = α det
//! H_{k−1}: its sign says whether the path turns back (`path.rs`).
//!
//! Source: [Sherman & Morrison 1950].

use crate::lcp::body_space::BodyRow;
use crate::math::{BlockLu, add};

/// A vector Σ f Ĵ over two rows of one contact: (place, f) of each.
pub(crate) type Change = [(usize, f64); 2];

/// Corrections that are added in one pass over x: with four, x is read and written a quarter as often.
const AT_ONCE: usize = 4;

/// The changes since the last factorisation.
#[derive(Debug, Default)]
pub(crate) struct Updates {
    /// z of every change, one behind the other.
    z: Vec<[f64; 3]>,
    pub q: Vec<Change>,
    alpha: Vec<f64>,
    /// The factor of each z in a solution.
    factors: Vec<f64>,
}

impl Updates {
    /// Removes all changes.
    pub fn clear(&mut self) {
        self.z.clear();
        self.q.clear();
        self.alpha.clear();
    }

    /// x ← H⁻¹ x with `lu`, the factors before the first change.
    pub fn solve(&mut self, lu: &mut BlockLu, rows: &[BodyRow], x: &mut [[f64; 3]]) {
        lu.solve(x);
        let Self { z, q, alpha, factors } = self;
        factors.clear();
        for (q, alpha) in q.iter().zip(&*alpha) {
            let ends = rows[q[0].0].ends.map(|end| end as usize);
            let mut there = ends.map(|end| x[end]);
            for (z, factor) in z.chunks_exact(x.len()).zip(&*factors) {
                for (there, end) in there.iter_mut().zip(ends) {
                    (0..3).for_each(|k| there[k] += factor * z[end][k]);
                }
            }
            let mut along = sum(q, |place| rows[place].rate_between(there));
            if q.iter().any(|(place, _)| rows[*place].further.is_some()) {
                along += sum(q, |place| {
                    rows[place].further_rate(|end| {
                        let mut there = x[end];
                        for (z, factor) in z.chunks_exact(x.len()).zip(&*factors) {
                            (0..3).for_each(|k| there[k] += factor * z[end][k]);
                        }
                        there
                    })
                });
            }
            factors.push(-along / alpha);
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
        self.z.extend_from_slice(z);
        self.q.push(q);
        self.alpha.push(alpha);
        alpha
    }
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
