//! Patterns of sparse symmetric matrices: compressed columns, a fill-reducing order, and what it costs.

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

/// Approximate minimum degree [Amestoy, Davis & Duff 2004]: result[i] is the original index of row i.
pub(super) fn minimum_degree(n: usize, start: &[usize], index: &[usize]) -> Vec<usize> {
    // The library uses negative numbers as marks, hence signed indices.
    let signed = |list: &[usize]| list.iter().map(|i| *i as isize).collect::<Vec<_>>();
    match amd::order(n as isize, &signed(start), &signed(index), &amd::Control::default()) {
        Ok((order, ..)) => order.into_iter().map(|i| i as usize).collect(),
        Err(_) => (0..n).collect(),
    }
}

/// Σ c_k² over the columns of L, c_k their entries: twice the multiplications of a factorisation in the order of minimum degree.
pub fn elimination_cost(n: usize, pairs: &[(usize, usize)]) -> f64 {
    let identity: Vec<usize> = (0..n).collect();
    let (start, index) = compress(n, pairs, &identity);
    let mut position = vec![0; n];
    for (new, old) in minimum_degree(n, &start, &index).into_iter().enumerate() {
        position[old] = new;
    }
    let (start, index) = compress(n, pairs, &position);
    let columns = |k: usize| index[start[k]..start[k + 1]].iter().copied().filter(move |i| *i < k);
    let parent = elimination_tree(n, columns);
    // Row k of L has the nodes on the paths from the entries of A's column k up to k.
    let (mut counts, mut seen) = (vec![1.0_f64; n], vec![usize::MAX; n]);
    for k in 0..n {
        seen[k] = k;
        for mut i in columns(k) {
            while seen[i] != k {
                seen[i] = k;
                counts[i] += 1.0;
                i = parent[i];
            }
        }
    }
    counts.iter().map(|count| count * count).sum()
}

/// The same indices in half the memory.
pub(super) fn short(indices: &[usize]) -> Vec<u32> {
    indices.iter().map(|index| *index as u32).collect()
}

/// The parent of each node: the first row below the diagonal in its column of L; `usize::MAX` for a root.
pub(super) fn elimination_tree<I: Iterator<Item = usize>>(
    n: usize,
    columns: impl Fn(usize) -> I,
) -> Vec<usize> {
    let mut parent = vec![usize::MAX; n];
    let mut seen = vec![usize::MAX; n];
    for k in 0..n {
        seen[k] = k;
        for mut i in columns(k) {
            while seen[i] != k {
                seen[i] = k;
                if parent[i] == usize::MAX {
                    parent[i] = k;
                }
                i = parent[i];
            }
        }
    }
    parent
}
