//! A = L D Lᵀ in blocks of N×N that form chains: every node has at most one neighbour that comes after it, its parent.
//!
//! ```text
//! L_pc = A_pc (D_c L_ccᵀ)⁻¹ ,     L_pp D_p L_ppᵀ = A_pp − Σ_c L_pc D_c L_pcᵀ        c: the children of p, at most two
//! ```
//!
//! The special case of `block_ldlt` for joints of one kind none of whose bodies has more than two: a link's numbers lie together and one
//! after the other, and there is nothing to look up but its parent. The operations and their order are the same.

use super::block_ldlt::Layout;
use super::factors::{Factors, less, with_size};
use super::up_looking::{NoPivot, Replacement};
use std::array::from_fn;

/// A block, row by row; of one on the diagonal the lower triangle.
type Block<const N: usize> = [[f64; N]; N];
/// A node's block on the diagonal, and the one below it with the rows of its parent.
type Link<const N: usize> = [Block<N>; 2];

/// A node without a child.
pub(super) const NONE: u32 = u32::MAX;

/// The matrix and its factors.
#[derive(Clone, Debug)]
pub(super) struct ChainLdlt<const N: usize> {
    /// By node; of the last one of a chain itself.
    parent: Vec<u32>,
    /// By node, in the order in which they are eliminated from it; [`NONE`] where there are fewer.
    children: Vec<[u32; 2]>,
    /// A, scaled.
    scaled: Vec<Link<N>>,
    /// L, with D on its diagonal.
    factors: Vec<Link<N>>,
    /// 1/D.
    reciprocal: Vec<[f64; N]>,
}

impl<const N: usize> ChainLdlt<N> {
    /// The chains of a layout, if it has no other nodes.
    pub fn new(layout: &Layout) -> Option<Self> {
        let mut parent = Vec::new();
        for (at, (node, below)) in (0_u32..).zip(layout.each_node()) {
            if node.size as usize != N || below.len() > 1 {
                return None;
            }
            parent.push(below.first().map_or(at, |block| block.node));
        }
        let mut children = Vec::new();
        for left in layout.each_left() {
            let child = |at: usize| left.get(at).map_or(NONE, |left| left.node);
            if left.len() > 2 {
                return None;
            }
            children.push([child(0), child(1)]);
        }
        let zero = vec![[[[0.0; N]; N]; 2]; parent.len()];
        let reciprocal = vec![[0.0; N]; parent.len()];
        Some(Self { parent, children, scaled: zero.clone(), factors: zero, reciprocal })
    }
}

/// Numbers that follow each other as links.
fn links<const N: usize>(numbers: &[f64]) -> &[Link<N>] {
    numbers.as_chunks::<N>().0.as_chunks::<N>().0.as_chunks::<2>().0
}

impl<const N: usize> ChainLdlt<N> {
    /// Adds each term of A x to the sum of its row, as `add` does it.
    fn multiply(&self, x: &[f64], sums: &mut [f64], add: impl Fn(f64, f64) -> f64 + Copy) {
        let (x, sums) = (x.as_chunks::<N>().0, sums.as_chunks_mut::<N>().0);
        for (node, ([own, below], parent)) in self.scaled.iter().zip(&self.parent).enumerate() {
            let parent = *parent as usize;
            let mut sum = add_own(own, &x[node], sums[node], add);
            if parent != node {
                sum = add_above(below, &x[parent], sum, add);
                sums[parent] = add_product(below, &x[node], sums[parent], add);
            }
            sums[node] = sum;
        }
    }
}

impl<const N: usize> Factors for ChainLdlt<N> {
    fn len(&self) -> usize {
        2 * N * N * self.parent.len()
    }

    fn slot(&self, row: usize, column: usize) -> usize {
        let below = usize::from(row / N != column / N);
        (2 * (column / N) + below) * N * N + row % N * N + column % N
    }

    fn scale(&mut self, values: &[f64], scale: &[f64]) {
        let scale = scale.as_chunks::<N>().0;
        let nodes = self.scaled.iter_mut().zip(links::<N>(values)).zip(scale.iter().zip(&self.parent));
        for (([own, below], [own_value, below_value]), (column, parent)) in nodes {
            *own = scaled_by(own_value, column, column);
            *below = scaled_by(below_value, column, &scale[*parent as usize]);
        }
    }

    fn shift_diagonal(&mut self, shift: f64) {
        for [own, _] in &mut self.scaled {
            (0..N).for_each(|row| own[row][row] += shift);
        }
    }

    fn factor(&mut self, small: &Replacement) -> Result<usize, NoPivot> {
        let Self { children, scaled, factors, reciprocal, .. } = self;
        let mut replaced = 0;
        for (node, children) in children.iter().enumerate() {
            let mut own = from_zero(&scaled[node][0]);
            for child in children.iter().filter(|child| **child != NONE) {
                let child = *child as usize;
                let [above, below] = &mut factors[child];
                *below = eliminate(above, &reciprocal[child], from_zero(&scaled[child][1]), &mut own);
            }
            let (found, inverse) = close(&mut own, small)?;
            (factors[node][0], reciprocal[node]) = (own, inverse);
            replaced += found;
        }
        Ok(replaced)
    }

    fn pivots(&self) -> Vec<f64> {
        self.factors.iter().flat_map(|[own, _]| (0..N).map(|row| own[row][row])).collect()
    }

    fn solve(&self, b: &mut [f64]) {
        let b = b.as_chunks_mut::<N>().0;
        for (node, ([own, below], parent)) in self.factors.iter().zip(&self.parent).enumerate() {
            let parent = *parent as usize;
            let x = forward(own, b[node]);
            b[node] = x;
            if parent != node {
                b[parent] = add_product(below, &x, b[parent], less);
            }
        }
        let nodes = self.factors.iter().zip(&self.reciprocal).zip(&self.parent).enumerate();
        for (node, (([own, below], reciprocal), parent)) in nodes.rev() {
            let parent = *parent as usize;
            let above = if parent == node { None } else { Some((below, &b[parent])) };
            b[node] = backward(own, reciprocal, above, b[node]);
        }
    }

    fn subtract_product(&self, x: &[f64], r: &mut [f64]) {
        self.multiply(x, r, less);
    }

    fn add_sizes(&self, x: &[f64], s: &mut [f64]) {
        self.multiply(x, s, with_size);
    }

    fn boxed(&self) -> Box<dyn Factors> {
        Box::new(self.clone())
    }
}

/// A block with its columns and its rows scaled.
#[inline]
fn scaled_by<const N: usize>(block: &Block<N>, columns: &[f64; N], rows: &[f64; N]) -> Block<N> {
    from_fn(|r| from_fn(|j| block[r][j] * columns[j] * rows[r]))
}

/// Sums that begin at +0 with the entries of a block.
fn from_zero<const N: usize>(block: &Block<N>) -> Block<N> {
    block.map(|row| row.map(|a| 0.0 + a))
}

/// Eliminates a child from a node, whose block on the diagonal changes: L_pc from X = L_pc D_c, as A_pc begins.
fn eliminate<const N: usize>(
    child: &Block<N>,
    reciprocal: &[f64; N],
    mut x: Block<N>,
    own: &mut Block<N>,
) -> Block<N> {
    let mut l = [[0.0; N]; N];
    for r in 0..N {
        for j in 0..N {
            let xj = x[r][j];
            let lj = xj * reciprocal[j];
            for i in j + 1..N {
                x[r][i] -= child[i][j] * xj;
            }
            for q in 0..r {
                own[r][q] -= l[q][j] * xj;
            }
            own[r][r] -= lj * xj;
            l[r][j] = lj;
        }
    }
    l
}

/// Factorises a block on the diagonal; returns how many of its pivots were replaced, and 1/D.
fn close<const N: usize>(own: &mut Block<N>, small: &Replacement) -> Result<(usize, [f64; N]), NoPivot> {
    let (mut replaced, mut reciprocal) = (0, [0.0; N]);
    for r in 0..N {
        let mut row = own[r];
        for j in 0..r {
            let xj = row[j];
            let l = xj * reciprocal[j];
            for q in j + 1..r {
                row[q] -= own[q][j] * xj;
            }
            row[r] -= l * xj;
            row[j] = l;
        }
        own[r] = row;
        let pivot = &mut own[r][r];
        if *pivot <= small.threshold {
            *pivot = small.pivot;
            replaced += 1;
        }
        // 0 x is zero of finite numbers alone.
        if *pivot == 0.0 || 0.0 * *pivot != 0.0 {
            return Err(NoPivot);
        }
        reciprocal[r] = 1.0 / *pivot;
    }
    Ok((replaced, reciprocal))
}

/// L⁻¹ x of one node.
#[inline]
fn forward<const N: usize>(own: &Block<N>, mut x: [f64; N]) -> [f64; N] {
    for j in 0..N {
        for i in j + 1..N {
            x[i] -= own[i][j] * x[j];
        }
    }
    x
}

/// Adds the terms of B x of a block B with the rows of a parent, as `add` does it.
#[inline]
fn add_product<const N: usize>(
    block: &Block<N>,
    x: &[f64; N],
    mut to: [f64; N],
    add: impl Fn(f64, f64) -> f64,
) -> [f64; N] {
    for r in 0..N {
        for j in 0..N {
            to[r] = add(to[r], block[r][j] * x[j]);
        }
    }
    to
}

/// Adds those of Bᵀ x of a block B with the rows of a parent, which has x.
#[inline]
fn add_above<const N: usize>(
    block: &Block<N>,
    x: &[f64; N],
    mut to: [f64; N],
    add: impl Fn(f64, f64) -> f64,
) -> [f64; N] {
    for r in 0..N {
        for j in 0..N {
            to[j] = add(to[j], block[r][j] * x[r]);
        }
    }
    to
}

/// L⁻ᵀ (D⁻¹ x − L_pcᵀ x_p) of one node, with L_pc and x_p where it has a parent.
#[inline]
fn backward<const N: usize>(
    own: &Block<N>,
    reciprocal: &[f64; N],
    above: Option<(&Block<N>, &[f64; N])>,
    mut x: [f64; N],
) -> [f64; N] {
    let mut sum = [0.0; N];
    if let Some((below, from)) = above {
        for r in (0..N).rev() {
            for j in 0..N {
                sum[j] += below[r][j] * from[r];
            }
        }
    }
    for j in (0..N).rev() {
        for i in (j + 1..N).rev() {
            sum[j] += own[i][j] * x[i];
        }
        x[j] = x[j] * reciprocal[j] - sum[j];
    }
    x
}

/// Adds those of A_cc x of one node.
#[inline]
fn add_own<const N: usize>(
    own: &Block<N>,
    x: &[f64; N],
    mut to: [f64; N],
    add: impl Fn(f64, f64) -> f64,
) -> [f64; N] {
    for row in 0..N {
        for column in 0..row {
            to[column] = add(to[column], own[row][column] * x[row]);
            to[row] = add(to[row], own[row][column] * x[column]);
        }
        to[row] = add(to[row], own[row][row] * x[row]);
    }
    to
}
