//! A = J W Jᵀ + diag(c), row by row.

use crate::lcp::{MixedProblem, MixedRow};
use glam::DVec3;

/// The entries of A that may differ from zero: those of rows that share a body that can move. By row, columns ascend.
pub(crate) fn delassus(problem: &MixedProblem) -> Vec<Vec<(usize, f64)>> {
    let MixedProblem { inverse_mass, rows, .. } = problem;
    let mut of_body: Vec<Vec<usize>> = vec![Vec::new(); inverse_mass.len()];
    for (i, row) in rows.iter().enumerate() {
        for body in [row.a, row.b] {
            if inverse_mass[body] != DVec3::ZERO && of_body[body].last() != Some(&i) {
                of_body[body].push(i);
            }
        }
    }
    let mut dv = vec![DVec3::ZERO; inverse_mass.len()];
    let column = |(j, row): (usize, &MixedRow)| {
        row.push(1.0, inverse_mass, &mut dv);
        let mut touched: Vec<usize> =
            [row.a, row.b].iter().flat_map(|&body| of_body[body].iter().copied()).collect();
        touched.push(j);
        touched.sort_unstable();
        touched.dedup();
        let own = |i: usize| if i == j { row.compliance } else { 0.0 };
        let entries = touched.into_iter().map(|i| (i, rows[i].rate(&dv) + own(i))).collect();
        (dv[row.a], dv[row.b]) = (DVec3::ZERO, DVec3::ZERO);
        entries
    };
    // A is symmetric: its columns are its rows.
    rows.iter().enumerate().map(column).collect()
}
