//! Whether a complementarity problem of whole numbers has a solution: every combination of states, in whole numbers.
//!
//! w = M z + q, 0 ≤ z ⊥ w ≥ 0 has a solution if and only if q lies in the cone of e_i (i ∈ W) and −M_i (i ∈ Z) for
//! disjoint W, Z, and then also in that of linearly independent ones among them [Carathéodory]. So each index is in Z,
//! in W or in neither, and M_RZ z = −q_R is solved for the rows R outside W, where the columns are independent.

/// What an index may be.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Z,
    W,
    Neither,
}

/// Whether 0 ≤ z ⊥ M z + q ≥ 0 has a solution; M is n × n, row by row.
pub fn is_solvable(m: &[i64], q: &[i64]) -> bool {
    let mut states = vec![State::W; q.len()];
    try_from(0, &mut states, m, q)
}

fn try_from(at: usize, states: &mut [State], m: &[i64], q: &[i64]) -> bool {
    if at == states.len() {
        return solves(states, m, q);
    }
    [State::W, State::Z, State::Neither].into_iter().any(|state| {
        states[at] = state;
        try_from(at + 1, states, m, q)
    })
}

/// Whether this combination gives a solution: Gauss–Jordan elimination without fractions [Bareiss 1968].
fn solves(states: &[State], m: &[i64], q: &[i64]) -> bool {
    let n = q.len();
    let z: Vec<usize> = (0..n).filter(|&i| states[i] == State::Z).collect();
    let mut rows: Vec<Vec<i128>> = (0..n)
        .filter(|&i| states[i] != State::W)
        .map(|i| {
            let row = z.iter().map(|&j| i128::from(m[i * n + j]));
            row.chain([-i128::from(q[i])]).collect()
        })
        .collect();
    let mut last = 1_i128;
    for step in 0..z.len() {
        let Some(pivot) = (step..rows.len()).find(|&i| rows[i][step] != 0) else { return false };
        rows.swap(step, pivot);
        let by = rows[step].clone();
        for row in rows.iter_mut().enumerate().filter(|(i, _)| *i != step).map(|(_, row)| row) {
            let factor = row[step];
            row.iter_mut().zip(&by).for_each(|(x, y)| *x = (*x * by[step] - factor * y) / last);
        }
        last = by[step];
    }
    if rows[z.len()..].iter().any(|row| row[z.len()] != 0) {
        return false;
    }
    // Every pivot is `last` now: last · z is the right-hand side.
    let sign = last.signum();
    let scaled: Vec<i128> = rows[..z.len()].iter().map(|row| row[z.len()]).collect();
    scaled.iter().all(|x| x * sign >= 0)
        && (0..n).filter(|&i| states[i] == State::W).all(|i| {
            let sum: i128 = z.iter().zip(&scaled).map(|(&j, x)| i128::from(m[i * n + j]) * x).sum();
            (sum + i128::from(q[i]) * last) * sign >= 0
        })
}
