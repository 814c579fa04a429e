//! A sparse symmetric matrix and its factors L D Lᵀ in the order of elimination: in blocks where nothing is filled in, of chains or of
//! other forests, else number by number. All three make the same operations in the same order.

use super::block_ldlt::{BlockLdlt, Layout};
use super::chain_ldlt::ChainLdlt;
use super::factors::{Factors, less, with_size};
use super::pattern::short;
use super::up_looking::{NoPivot, Replacement, UpLooking};

/// The ways to store the same factors, from the most special to the most general.
#[cfg_attr(not(test), expect(dead_code, reason = "tests compare them"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    Chains,
    Blocks,
    Scalars,
}

/// The factors of an n × n matrix given by the upper triangle's compressed columns, rows ascending, stored in no more special way than
/// `at_most`.
pub(super) fn eliminate(n: usize, start: &[usize], index: &[usize], at_most: Storage) -> Box<dyn Factors> {
    let scalar = UpLooking::new(n, start, index);
    let layout = if at_most == Storage::Scalars { None } else { Layout::new(n, start, index, &scalar) };
    match layout {
        Some(layout) => {
            let chains = if at_most == Storage::Chains { chains(&layout) } else { None };
            chains.unwrap_or_else(|| Box::new(BlockLdlt::new(layout)))
        }
        None => Box::new(Scalars {
            column_start: short(start),
            row_index: short(index),
            scaled: vec![0.0; index.len()],
            factors: scalar,
        }),
    }
}

/// Chains of joints of one, two or three rows.
fn chains(layout: &Layout) -> Option<Box<dyn Factors>> {
    match layout.each_node().next().map(|(node, _)| node.size) {
        Some(1) => Some(Box::new(ChainLdlt::<1>::new(layout)?)),
        Some(2) => Some(Box::new(ChainLdlt::<2>::new(layout)?)),
        Some(3) => Some(Box::new(ChainLdlt::<3>::new(layout)?)),
        _ => None,
    }
}

/// Number by number: the upper triangle of A, compressed columns.
#[derive(Clone, Debug)]
struct Scalars {
    column_start: Vec<u32>,
    row_index: Vec<u32>,
    scaled: Vec<f64>,
    factors: UpLooking,
}

impl Scalars {
    /// Adds each term of A x to the sum of its row, as `add` does it.
    fn multiply(&self, x: &[f64], sums: &mut [f64], add: impl Fn(f64, f64) -> f64) {
        let Self { column_start, row_index, scaled, .. } = self;
        for column in 0..x.len() {
            for slot in column_start[column] as usize..column_start[column + 1] as usize {
                let row = row_index[slot] as usize;
                sums[row] = add(sums[row], scaled[slot] * x[column]);
                if row != column {
                    sums[column] = add(sums[column], scaled[slot] * x[row]);
                }
            }
        }
    }
}

impl Factors for Scalars {
    fn len(&self) -> usize {
        self.scaled.len()
    }

    fn slot(&self, row: usize, column: usize) -> usize {
        let [first, end] = [self.column_start[row], self.column_start[row + 1]].map(|at| at as usize);
        first + self.row_index[first..end].binary_search(&(column as u32)).unwrap_or_default()
    }

    fn scale(&mut self, values: &[f64], scale: &[f64]) {
        let Self { column_start, row_index, scaled, .. } = self;
        for column in 0..scale.len() {
            for slot in column_start[column] as usize..column_start[column + 1] as usize {
                scaled[slot] = values[slot] * scale[row_index[slot] as usize] * scale[column];
            }
        }
    }

    fn shift_diagonal(&mut self, shift: f64) {
        // The diagonal ends its column.
        let Self { column_start, scaled, .. } = self;
        column_start[1..].iter().for_each(|end| scaled[*end as usize - 1] += shift);
    }

    fn factor(&mut self, small: &Replacement) -> Result<usize, NoPivot> {
        let Self { column_start, row_index, scaled, factors } = self;
        factors.factor(column_start, row_index, scaled, small)
    }

    fn pivots(&self) -> Vec<f64> {
        self.factors.pivots().collect()
    }

    fn solve(&self, b: &mut [f64]) {
        self.factors.solve(b);
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
