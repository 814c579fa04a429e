//! A = L D Lᵀ in blocks of at most 3×3, of a sparse symmetric matrix whose elimination fills nothing in: that of a forest of joints.
//!
//! ```text
//! row p of L:   L_pc D_c L_ccᵀ = A_pc − Σ_{d<c} L_pd D_d L_cdᵀ      for the neighbours c of p that come before it
//! pivot:        L_pp D_p L_ppᵀ = A_pp − Σ_c L_pc D_c L_pcᵀ
//! ```
//!
//! A *node* is a run of rows with the same neighbours, the rows of a joint. Where L has the pattern of A, every block is full, and there
//! is nothing to look up within it: loops of fixed length over numbers that lie together. Along a chain the sum over d is empty.
//!
//! The operations are those of `up_looking`, each number's in the same order, so that the bits are the same.

mod kernels;
mod layout;

use super::factors::{Factors, less, with_size};
use super::up_looking::{NoPivot, Replacement};
use kernels::*;
pub(super) use layout::Layout;
use layout::{Left, MOST, triangle};

/// The matrix and its factors.
#[derive(Clone, Debug)]
pub(super) struct BlockLdlt {
    layout: Layout,
    /// A, scaled.
    scaled: Vec<f64>,
    /// L, with D on its diagonal.
    factors: Vec<f64>,
    /// 1/D by row.
    reciprocal: Vec<f64>,
}

/// Calls a function for blocks with the columns of one node and the rows of another.
macro_rules! sized {
    ($columns:expr, $rows:expr, $function:ident $arguments:tt) => {
        match ($columns, $rows) {
            (1, 1) => $function::<1, 1> $arguments,
            (1, 2) => $function::<1, 2> $arguments,
            (1, _) => $function::<1, 3> $arguments,
            (2, 1) => $function::<2, 1> $arguments,
            (2, 2) => $function::<2, 2> $arguments,
            (2, _) => $function::<2, 3> $arguments,
            (_, 1) => $function::<3, 1> $arguments,
            (_, 2) => $function::<3, 2> $arguments,
            (_, _) => $function::<3, 3> $arguments,
        }
    };
    ($size:expr, $function:ident $arguments:tt) => {
        match $size {
            1 => $function::<1> $arguments,
            2 => $function::<2> $arguments,
            _ => $function::<3> $arguments,
        }
    };
}

impl BlockLdlt {
    /// That of a matrix with such blocks.
    pub fn new(layout: Layout) -> Self {
        let (rows, len) = (layout.rows(), layout.len());
        let (scaled, factors, reciprocal) = (vec![0.0; len], vec![0.0; len], vec![0.0; rows]);
        Self { layout, scaled, factors, reciprocal }
    }
}

impl Factors for BlockLdlt {
    fn len(&self) -> usize {
        self.layout.len()
    }

    fn slot(&self, row: usize, column: usize) -> usize {
        self.layout.slot(row, column)
    }

    fn scale(&mut self, values: &[f64], scale: &[f64]) {
        let Self { layout, scaled, .. } = self;
        layout.for_each_block(|node, below| match below {
            None => sized!(node.size, scale_diagonal(node, values, scale, scaled)),
            Some((later, at)) => {
                sized!(
                    node.size,
                    later.size,
                    scale_block([node.row, later.row], at, values, scale, scaled)
                );
            }
        });
    }

    fn shift_diagonal(&mut self, shift: f64) {
        for node in &self.layout.nodes {
            for row in 0..node.size as usize {
                self.scaled[node.diagonal as usize + triangle(row, row)] += shift;
            }
        }
    }

    fn factor(&mut self, small: &Replacement) -> Result<usize, NoPivot> {
        let Self { layout: Layout { nodes, left, changes, .. }, scaled, factors, reciprocal } = self;
        // Sums begin at +0.
        factors.iter_mut().zip(scaled).for_each(|(l, a)| *l = 0.0 + *a);
        let mut replaced = 0;
        for ends in nodes.windows(2) {
            let node = ends[0];
            let lefts = &left[node.left as usize..ends[1].left as usize + 1];
            for pair in lefts.windows(2) {
                let Left { node: c, at, changes: first } = pair[0];
                let child = nodes[c as usize];
                let x = sized!(child.size, node.size, eliminate(child, node, at, factors, reciprocal));
                for change in &changes[first as usize..pair[1].changes as usize] {
                    let rows = nodes[change.node as usize].size as usize;
                    apply(change, [child.size as usize, rows, node.size as usize], &x, factors);
                }
            }
            replaced += sized!(node.size, close(node, small, factors, reciprocal))?;
        }
        Ok(replaced)
    }

    fn pivots(&self) -> Vec<f64> {
        let places = self.layout.nodes.iter().flat_map(|node| {
            (0..node.size as usize).map(|row| node.diagonal as usize + triangle(row, row))
        });
        places.map(|place| self.factors[place]).collect()
    }

    fn solve(&self, b: &mut [f64]) {
        let Self { layout, factors, reciprocal, .. } = self;
        layout.for_each_block(|node, below| match below {
            None => sized!(node.size, forward(node, factors, b)),
            Some((later, at)) => {
                sized!(node.size, later.size, forward_block([node.row, later.row], at, factors, b));
            }
        });
        for (node, blocks) in layout.each_node().rev() {
            let mut sum = [0.0; MOST];
            for block in blocks.iter().rev() {
                let later = layout.nodes[block.node as usize];
                sized!(node.size, later.size, backward_block(later.row, block.at, factors, b, &mut sum));
            }
            sized!(node.size, backward(node, factors, reciprocal, sum, b));
        }
    }

    fn subtract_product(&self, x: &[f64], r: &mut [f64]) {
        let Self { layout, scaled, .. } = self;
        layout.for_each_block(|node, below| match below {
            None => sized!(node.size, add_diagonal(node, scaled, x, r, less)),
            Some((later, at)) => {
                sized!(node.size, later.size, add_block([node.row, later.row], at, scaled, x, r, less));
            }
        });
    }

    fn add_sizes(&self, x: &[f64], s: &mut [f64]) {
        let Self { layout, scaled, .. } = self;
        layout.for_each_block(|node, below| match below {
            None => sized!(node.size, add_diagonal(node, scaled, x, s, with_size)),
            Some((later, at)) => {
                sized!(
                    node.size,
                    later.size,
                    add_block([node.row, later.row], at, scaled, x, s, with_size)
                );
            }
        });
    }

    fn boxed(&self) -> Box<dyn Factors> {
        Box::new(self.clone())
    }
}
