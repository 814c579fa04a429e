//! Blocks of 3×3 numbers, and what elimination and solutions do with them.

use crate::math::pair::Pair;

/// A 3×3 block, row by row.
pub type Block = [f64; 9];
/// A block of L and one of Uᵀ, row by row.
pub type Twin = [Pair; 9];
/// A block as a solution reads it: the first two rows column by column, then the third.
pub type Applied = [f64; 9];

/// A pivot below this fraction of the original diagonal entry is attributed to rounding.
const ROUNDED_PIVOT: f64 = 1e-15;

/// Three numbers, of which the first two are in one register.
#[derive(Clone, Copy, Debug, Default)]
pub struct Triple {
    first: Pair,
    last: f64,
}

impl Triple {
    #[inline(always)]
    pub fn new([x0, x1, x2]: [f64; 3]) -> Self {
        Self { first: Pair::new([x0, x1]), last: x2 }
    }

    #[inline(always)]
    pub fn numbers(self) -> [f64; 3] {
        let [x0, x1] = self.first.to_array();
        [x0, x1, self.last]
    }

    /// y ← y − a x
    #[inline(always)]
    pub fn subtract(&mut self, a: &Applied, [x0, x1, x2]: [f64; 3]) {
        let column = |at: usize, x: f64| Pair::new([a[at], a[at + 1]]) * Pair::splat(x);
        self.first -= column(0, x0) + column(2, x1) + column(4, x2);
        self.last -= a[6] * x0 + a[7] * x1 + a[8] * x2;
    }
}

/// block ← block + Σ x yᵀ
#[inline]
pub fn add_outer<const N: usize>(block: &mut Block, x: [[f64; 3]; N], y: [[f64; 3]; N]) {
    for r in 0..3 {
        for c in 0..3 {
            let mut sum = block[3 * r + c];
            for k in 0..N {
                sum += x[k][r] * y[k][c];
            }
            block[3 * r + c] = sum;
        }
    }
}

/// twin ← twin + Σ x yᵀ: for L with the first of x and of y, for Uᵀ with the second.
#[inline]
pub fn add_outer_twin<const N: usize>(twin: &mut Twin, x: [[[f64; 3]; N]; 2], y: [[[f64; 3]; N]; 2]) {
    let beside = |[x, y]: [[f64; 3]; 2]| [0, 1, 2].map(|axis| Pair::new([x[axis], y[axis]]));
    let terms: [_; N] = std::array::from_fn(|k| (beside(x.map(|x| x[k])), beside(y.map(|y| y[k]))));
    for r in 0..3 {
        for c in 0..3 {
            twin[3 * r + c] = terms.iter().fold(twin[3 * r + c], |sum, (x, y)| sum + x[r] * y[c]);
        }
    }
}

/// c ← c − a bᵀ: for L with a of L and b of Uᵀ, for Uᵀ with a of Uᵀ and b of L.
#[inline(always)]
pub fn subtract_product(c: &mut Twin, a: &Twin, b: &Twin) {
    for r in 0..3 {
        for s in 0..3 {
            c[3 * r + s] -= a[3 * r] * b[3 * s] + a[3 * r + 1] * b[3 * s + 1] + a[3 * r + 2] * b[3 * s + 2];
        }
    }
}

/// c ← c − L U
#[inline(always)]
pub fn subtract_twin(c: &mut Block, twin: &Twin) {
    let twin = twin.map(Pair::to_array);
    for r in 0..3 {
        for s in 0..3 {
            c[3 * r + s] -= twin[3 * r][0] * twin[3 * s][1]
                + twin[3 * r + 1][0] * twin[3 * s + 1][1]
                + twin[3 * r + 2][0] * twin[3 * s + 2][1];
        }
    }
}

/// L and U of a twin, as a solution reads them.
#[inline(always)]
pub fn apart(twin: &Twin) -> (Applied, Applied) {
    let t = twin.map(Pair::to_array);
    let lower = [0, 3, 1, 4, 2, 5, 6, 7, 8].map(|at: usize| t[at][0]);
    let upper = [0, 1, 3, 4, 6, 7, 2, 5, 8].map(|at: usize| t[at][1]);
    (lower, upper)
}

/// LU of one block, reciprocal pivots on the diagonal; `before` is the diagonal before the elimination.
pub fn factor_block(a: &mut Block, before: [f64; 3]) -> bool {
    let mut sound = true;
    for k in 0..3 {
        let pivot = a[4 * k];
        sound &= pivot.abs() > ROUNDED_PIVOT * before[k].abs() && pivot.is_finite();
        let reciprocal = 1.0 / pivot;
        a[4 * k] = reciprocal;
        for r in k + 1..3 {
            let factor = a[3 * r + k] * reciprocal;
            a[3 * r + k] = factor;
            for c in k + 1..3 {
                a[3 * r + c] -= factor * a[3 * k + c];
            }
        }
    }
    sound
}

/// The factors of a diagonal block, as a twin is divided by them: L by U from the right, U by L from the left.
pub struct Divisors {
    scale: [Pair; 3],
    off: [Pair; 3],
}

impl Divisors {
    pub fn of(d: &Block) -> Self {
        let scale = [0, 4, 8].map(|at: usize| Pair::new([d[at], 1.0]));
        let off = [(1, 3), (2, 6), (5, 7)].map(|(u, l): (usize, usize)| Pair::new([d[u], d[l]]));
        Self { scale, off }
    }

    #[inline(always)]
    pub fn divide(&self, twin: &mut Twin) {
        let Self { scale, off } = self;
        for row in twin.as_chunks_mut::<3>().0 {
            row[0] *= scale[0];
            row[1] = (row[1] - row[0] * off[0]) * scale[1];
            row[2] = (row[2] - row[0] * off[1] - row[1] * off[2]) * scale[2];
        }
    }
}
