//! Patterns of sparse symmetric matrices: compressed columns, and an order of little fill.

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

/// Approximate minimum degree [Amestoy, Davis & Duff 2004] of the n × n pattern of these pairs: the original index of each new
/// row, and the new index of each original one.
pub(super) fn minimum_degree(n: usize, pairs: &[(usize, usize)]) -> (Vec<usize>, Vec<usize>) {
    let identity: Vec<usize> = (0..n).collect();
    let (start, index) = compress(n, pairs, &identity);
    // The library uses negative numbers as marks, hence signed indices.
    let signed = |list: Vec<usize>| list.into_iter().map(|i| i as isize).collect::<Vec<_>>();
    let order = match amd::order(n as isize, &signed(start), &signed(index), &amd::Control::default()) {
        Ok((order, ..)) => order.into_iter().map(|i| i as usize).collect(),
        Err(_) => identity,
    };
    let mut position = vec![0; n];
    order.iter().enumerate().for_each(|(new, &old): (usize, &usize)| position[old] = new);
    (order, position)
}
