//! Patterns of sparse symmetric matrices: compressed columns and a fill-reducing order.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;

/// Compressed columns of the upper triangle, sorted, without repeats, diagonal included.
pub(super) fn compress(n: usize, pairs: &[(usize, usize)], position: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let mut entries: Vec<(usize, usize)> = pairs
        .iter()
        .map(|&(i, j)| {
            let (i, j) = (position[i], position[j]);
            (i.max(j), i.min(j))
        })
        .chain((0..n).map(|i| (i, i)))
        .collect();
    entries.sort_unstable();
    entries.dedup();
    let mut start = vec![0; n + 1];
    for &(column, _) in &entries {
        start[column + 1] += 1;
    }
    for column in 0..n {
        start[column + 1] += start[column];
    }
    (start, entries.into_iter().map(|(_, row)| row).collect())
}

/// Approximate minimum degree: result[i] is the original index of row i.
pub(super) fn minimum_degree(n: usize, start: &[usize], index: &[usize]) -> Vec<usize> {
    let (mut forward, mut inverse) = (vec![0; n], vec![0; n]);
    let pattern = SymbolicSparseColMatRef::new_checked(n, n, start, None, index);
    let mut memory = MemBuffer::new(amd::order_scratch::<usize>(n, index.len()));
    let ordered = amd::order(
        &mut forward,
        &mut inverse,
        pattern,
        amd::Control::default(),
        MemStack::new(&mut memory),
    );
    match ordered {
        Ok(_) => forward,
        Err(_) => (0..n).collect(),
    }
}
