//! Rank-one changes of H, kept beside the factors that it had before them: H₀ is factorised, and each pivot since then is a
//! change p qᵀ.
//!
//! ```text
//! H_k = H_{k−1} + p qᵀ ,   H_k⁻¹ x = y − z (q·y)/α ,   y = H_{k−1}⁻¹ x ,   z = H_{k−1}⁻¹ p ,   α = 1 + q·z
//! ```
//!
//! A solution with H_k is one with H₀ and k corrections, each a multiple of a z that is kept. Each costs
//! two products of a row and one sum over the bodies. α is the ratio of the determinants, det H_k = α det H_{k−1}: its sign says whether the path turns (`path.rs`).
//!
//! Source: [Sherman & Morrison 1950].

use crate::lcp::bodies::space::Row;
use crate::math::BlockLu;

/// Σ f Ĵ over two rows, by their places.
pub(super) type Pair = [(usize, f64); 2];

/// The changes since the last factorisation.
#[derive(Debug, Default)]
pub(super) struct Updates {
    /// z of every change, one behind the other.
    z: Vec<[f64; 3]>,
    q: Vec<Pair>,
    alpha: Vec<f64>,
}

impl Updates {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.z.clear();
        self.q.clear();
        self.alpha.clear();
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.q.len()
    }

    /// x ← H⁻¹ x with `lu`, the factors before the first change.
    pub fn solve(&self, lu: &mut BlockLu, rows: &[Row], x: &mut [[f64; 3]]) {
        lu.solve(x);
        for ((z, q), alpha) in self.z.chunks_exact(x.len()).zip(&self.q).zip(&self.alpha) {
            add(x, -along(q, rows, x) / alpha, z);
        }
    }

    /// Takes up the change p qᵀ, given z; returns α.
    pub fn push(&mut self, rows: &[Row], z: &[[f64; 3]], q: Pair) -> f64 {
        let alpha = 1.0 + along(&q, rows, z);
        self.z.extend_from_slice(z);
        self.q.push(q);
        self.alpha.push(alpha);
        alpha
    }
}

/// q·x.
pub(super) fn along(q: &Pair, rows: &[Row], x: &[[f64; 3]]) -> f64 {
    q.iter().map(|(place, f)| if *f == 0.0 { 0.0 } else { f * rows[*place].rate(x) }).sum()
}

/// x ← x + f z.
pub(super) fn add(x: &mut [[f64; 3]], f: f64, z: &[[f64; 3]]) {
    for (x, z) in x.iter_mut().zip(z) {
        for k in 0..3 {
            x[k] += f * z[k];
        }
    }
}
