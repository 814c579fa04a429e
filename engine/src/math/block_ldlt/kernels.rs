//! The loops over single blocks: of C columns of an earlier node, P rows of a later one.

use super::layout::{ChangeOf, MOST, Node, triangle};
use crate::math::up_looking::{NoPivot, Replacement};

/// Scales a block on the diagonal.
pub fn scale_diagonal<const N: usize>(node: Node, values: &[f64], scale: &[f64], scaled: &mut [f64]) {
    let at = node.diagonal as usize..node.diagonal as usize + triangle(N, 0);
    let (values, scaled) = (&values[at.clone()], &mut scaled[at]);
    let scale = &scale[node.row as usize..node.row as usize + N];
    for row in 0..N {
        for column in 0..=row {
            let place = triangle(row, column);
            scaled[place] = values[place] * scale[column] * scale[row];
        }
    }
}

/// Scales one below it.
pub fn scale_block<const C: usize, const P: usize>(
    [column, row]: [u32; 2],
    at: u32,
    values: &[f64],
    scale: &[f64],
    scaled: &mut [f64],
) {
    let at = at as usize..at as usize + P * C;
    let (values, scaled) = (&values[at.clone()], &mut scaled[at]);
    let columns = &scale[column as usize..column as usize + C];
    let rows = &scale[row as usize..row as usize + P];
    for r in 0..P {
        for j in 0..C {
            scaled[r * C + j] = values[r * C + j] * columns[j] * rows[r];
        }
    }
}

/// Eliminates node c from node p, whose block on the diagonal changes: L_pc from X = L_pc D_c, which is returned.
pub fn eliminate<const C: usize, const P: usize>(
    child: Node,
    node: Node,
    at: u32,
    factors: &mut [f64],
    reciprocal: &[f64],
) -> [f64; MOST * MOST] {
    let (at, inner, outer) = (at as usize, child.diagonal as usize, node.diagonal as usize);
    let reciprocal = &reciprocal[child.row as usize..child.row as usize + C];
    let mut own = [0.0; triangle(MOST, 0)];
    own[..triangle(C, 0)].copy_from_slice(&factors[inner..inner + triangle(C, 0)]);
    let mut pivots = [0.0; triangle(MOST, 0)];
    pivots[..triangle(P, 0)].copy_from_slice(&factors[outer..outer + triangle(P, 0)]);
    let (mut x, mut l) = ([0.0; MOST * MOST], [0.0; MOST * MOST]);
    x[..P * C].copy_from_slice(&factors[at..at + P * C]);
    for r in 0..P {
        for j in 0..C {
            let xj = x[r * C + j];
            let lj = xj * reciprocal[j];
            for i in j + 1..C {
                x[r * C + i] -= own[triangle(i, j)] * xj;
            }
            for q in 0..r {
                pivots[triangle(r, q)] -= l[q * C + j] * xj;
            }
            pivots[triangle(r, r)] -= lj * xj;
            l[r * C + j] = lj;
        }
    }
    factors[at..at + P * C].copy_from_slice(&l[..P * C]);
    factors[outer..outer + triangle(P, 0)].copy_from_slice(&pivots[..triangle(P, 0)]);
    x
}

/// L_pd ← L_pd − X L_dcᵀ.
pub fn apply(change: &ChangeOf, [c, d, p]: [usize; 3], x: &[f64; MOST * MOST], factors: &mut [f64]) {
    let (target, by) = (change.target as usize, change.by as usize);
    for r in 0..p {
        for j in 0..c {
            for i in 0..d {
                factors[target + r * d + i] -= factors[by + i * c + j] * x[r * c + j];
            }
        }
    }
}

/// Factorises a node's block on the diagonal; returns how many of its pivots were replaced.
pub fn close<const P: usize>(
    node: Node,
    small: &Replacement,
    factors: &mut [f64],
    reciprocal: &mut [f64],
) -> Result<usize, NoPivot> {
    let own = &mut factors[node.diagonal as usize..node.diagonal as usize + triangle(P, 0)];
    let reciprocal = &mut reciprocal[node.row as usize..node.row as usize + P];
    let mut replaced = 0;
    for r in 0..P {
        for j in 0..r {
            let xj = own[triangle(r, j)];
            let l = xj * reciprocal[j];
            for q in j + 1..r {
                own[triangle(r, q)] -= own[triangle(q, j)] * xj;
            }
            own[triangle(r, r)] -= l * xj;
            own[triangle(r, j)] = l;
        }
        let pivot = &mut own[triangle(r, r)];
        if *pivot <= small.threshold {
            *pivot = small.pivot;
            replaced += 1;
        }
        if *pivot == 0.0 || !pivot.is_finite() {
            return Err(NoPivot);
        }
        reciprocal[r] = 1.0 / *pivot;
    }
    Ok(replaced)
}

/// b ← L_cc⁻¹ b.
pub fn forward<const C: usize>(node: Node, factors: &[f64], b: &mut [f64]) {
    let own = &factors[node.diagonal as usize..node.diagonal as usize + triangle(C, 0)];
    let b = &mut b[node.row as usize..node.row as usize + C];
    for j in 0..C {
        for i in j + 1..C {
            b[i] -= own[triangle(i, j)] * b[j];
        }
    }
}

/// b_p ← b_p − L_pc b_c.
pub fn forward_block<const C: usize, const P: usize>(
    [column, row]: [u32; 2],
    at: u32,
    factors: &[f64],
    b: &mut [f64],
) {
    let block = &factors[at as usize..at as usize + P * C];
    let (before, after) = b.split_at_mut(row as usize);
    let (from, to) = (&before[column as usize..column as usize + C], &mut after[..P]);
    for r in 0..P {
        for j in 0..C {
            to[r] -= block[r * C + j] * from[j];
        }
    }
}

/// Adds L_pcᵀ b_p to `sum`.
pub fn backward_block<const C: usize, const P: usize>(
    row: u32,
    at: u32,
    factors: &[f64],
    b: &[f64],
    sum: &mut [f64; MOST],
) {
    let block = &factors[at as usize..at as usize + P * C];
    let b = &b[row as usize..row as usize + P];
    for r in (0..P).rev() {
        for j in 0..C {
            sum[j] += block[r * C + j] * b[r];
        }
    }
}

/// b_c ← L_cc⁻ᵀ (D_c⁻¹ b_c − sum).
pub fn backward<const C: usize>(
    node: Node,
    factors: &[f64],
    reciprocal: &[f64],
    mut sum: [f64; MOST],
    b: &mut [f64],
) {
    let own = &factors[node.diagonal as usize..node.diagonal as usize + triangle(C, 0)];
    let rows = node.row as usize..node.row as usize + C;
    let (b, reciprocal) = (&mut b[rows.clone()], &reciprocal[rows]);
    for j in (0..C).rev() {
        for i in (j + 1..C).rev() {
            sum[j] += own[triangle(i, j)] * b[i];
        }
        b[j] = b[j] * reciprocal[j] - sum[j];
    }
}

/// Adds the terms of A_cc x_c to the sums of their rows, as `add` does it.
pub fn add_diagonal<const N: usize>(
    node: Node,
    a: &[f64],
    x: &[f64],
    sums: &mut [f64],
    add: impl Fn(f64, f64) -> f64,
) {
    let own = &a[node.diagonal as usize..node.diagonal as usize + triangle(N, 0)];
    let rows = node.row as usize..node.row as usize + N;
    let (x, to) = (&x[rows.clone()], &mut sums[rows]);
    for row in 0..N {
        for column in 0..row {
            to[column] = add(to[column], own[triangle(row, column)] * x[row]);
            to[row] = add(to[row], own[triangle(row, column)] * x[column]);
        }
        to[row] = add(to[row], own[triangle(row, row)] * x[row]);
    }
}

/// Adds those of A_pcᵀ x_p and of A_pc x_c.
pub fn add_block<const C: usize, const P: usize>(
    [column, row]: [u32; 2],
    at: u32,
    a: &[f64],
    x: &[f64],
    sums: &mut [f64],
    add: impl Fn(f64, f64) -> f64,
) {
    let block = &a[at as usize..at as usize + P * C];
    let (before, after) = sums.split_at_mut(row as usize);
    let (above, below) = (&mut before[column as usize..column as usize + C], &mut after[..P]);
    let (early, late) = (&x[column as usize..column as usize + C], &x[row as usize..row as usize + P]);
    for i in 0..P {
        for j in 0..C {
            above[j] = add(above[j], block[i * C + j] * late[i]);
            below[i] = add(below[i], block[i * C + j] * early[j]);
        }
    }
}
