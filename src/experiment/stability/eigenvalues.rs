//! Eigenvalues of a real matrix: Householder's reduction to Hessenberg form, then Francis' QR steps.
//!
//! ```text
//! H ← Qᵀ H Q ,   Q's first column along (H − s₁)(H − s₂) e₁ ,   s₁, s₂ the eigenvalues of the trailing 2 × 2 block
//! ```
//!
//! [Golub & Van Loan 2013, §7.4 and §7.5]. Both shifts together are real, so that all arithmetic is; the entries below the
//! diagonal tend to zero from the bottom, and eigenvalues are split off there, one or two at a time. Simple eigenvalues are
//! accurate to rounding times their condition, double ones to its square root.

use crate::experiment::dense::Dense;
use crate::internal::largest;
use std::ops::Range;

/// An entry below the diagonal counts as zero when this small relative to the largest entry of H, which is no more than the
/// rounding of the reflections. Measured relative to its neighbours, as in [Golub & Van Loan 2013, §7.5.1], blocks that consist
/// of rounding, those of a multiple eigenvalue 0, would never split.
const SPLIT: f64 = f64::EPSILON;
/// QR steps for each eigenvalue, taken together, until the iteration is given up. Two or three are usual.
const MAX_STEPS: usize = 60;
/// Steps after which a shift from the size of the entries replaces Francis', which can cycle.
const EXCEPTIONAL: usize = 10;

/// The eigenvalues of a square matrix as (real, imaginary part), in no order; nothing if an entry is not finite or the iteration
/// does not converge.
pub fn eigenvalues(matrix: &Dense) -> Option<Vec<(f64, f64)>> {
    assert_eq!(matrix.nrows(), matrix.ncols(), "eigenvalues belong to square matrices");
    if !matrix.entries().iter().all(|x| x.is_finite()) {
        return None;
    }
    let mut h = matrix.clone();
    reduce(&mut h);
    let nothing = SPLIT * largest(h.entries().iter().copied());
    let mut values = Vec::with_capacity(h.nrows());
    // The leading block that is still to be split, and the steps made since the last split.
    let (mut size, mut steps, mut all) = (h.nrows(), 0, 0);
    while size > 0 {
        let start = block_start(&mut h, size, nothing);
        match size - start {
            1 => values.push((h[(start, start)], 0.0)),
            2 => values.extend(pair(&h, start)),
            _ if all == MAX_STEPS * h.nrows() => return None,
            _ => {
                (steps, all) = (steps + 1, all + 1);
                let shifts = shifts(&h, size, steps);
                francis_step(&mut h, start, size, shifts);
                continue;
            }
        }
        (size, steps) = (start, 0);
    }
    Some(values)
}

/// Householder's reflections from both sides, one for each column, until nothing is left below the first subdiagonal.
fn reduce(h: &mut Dense) {
    let n = h.nrows();
    for k in 1..n.saturating_sub(1) {
        let mut u: Vec<f64> = (k..n).map(|i| h[(i, k - 1)]).collect();
        if let Some(scale) = householder(&mut u) {
            reflect_rows(h, k, &u, scale, k - 1..n);
            reflect_columns(h, k, &u, scale, 0..n);
        }
    }
}

/// Turns x into the vector u of the reflection I − τ u uᵀ that takes x to a multiple of e₁, and returns τ; nothing if x is zero.
fn householder(x: &mut [f64]) -> Option<f64> {
    let size = largest(x.iter().copied());
    if size == 0.0 {
        return None;
    }
    x.iter_mut().for_each(|x| *x /= size);
    let length = x.iter().map(|x| x * x).sum::<f64>().sqrt();
    x[0] += length.copysign(x[0]);
    Some(1.0 / (length * x[0].abs()))
}

/// H ← (I − τ u uᵀ) H in the rows from `first` on and the given columns.
fn reflect_rows(h: &mut Dense, first: usize, u: &[f64], tau: f64, columns: Range<usize>) {
    let mut along = vec![0.0; columns.len()];
    for (i, u) in u.iter().enumerate() {
        let row = &h.row(first + i)[columns.clone()];
        along.iter_mut().zip(row).for_each(|(sum, h)| *sum += u * h);
    }
    for (i, u) in u.iter().enumerate() {
        let row = &mut h.row_mut(first + i)[columns.clone()];
        row.iter_mut().zip(&along).for_each(|(h, along)| *h -= tau * u * along);
    }
}

/// H ← H (I − τ u uᵀ) in the columns from `first` on and the given rows.
fn reflect_columns(h: &mut Dense, first: usize, u: &[f64], tau: f64, rows: Range<usize>) {
    for i in rows {
        let row = &mut h.row_mut(i)[first..first + u.len()];
        let along: f64 = tau * u.iter().zip(&*row).map(|(u, h)| u * h).sum::<f64>();
        row.iter_mut().zip(u).for_each(|(h, u)| *h -= along * u);
    }
}

/// Returns where the last unsplit block of the leading `size` rows begins; sets the entry beside it to zero.
fn block_start(h: &mut Dense, size: usize, nothing: f64) -> usize {
    let start = (1..size).rev().find(|k| h[(*k, k - 1)].abs() <= nothing).unwrap_or(0);
    if start > 0 {
        h[(start, start - 1)] = 0.0;
    }
    start
}

/// Returns the eigenvalues of the 2 × 2 block at `k`: λ² − (a + d) λ + a d − b c = 0.
fn pair(h: &Dense, k: usize) -> [(f64, f64); 2] {
    let (a, b, c, d) = (h[(k, k)], h[(k, k + 1)], h[(k + 1, k)], h[(k + 1, k + 1)]);
    let half = 0.5 * (a - d);
    let square = half * half + b * c;
    if square < 0.0 {
        let (re, im) = (0.5 * (a + d), (-square).sqrt());
        return [(re, im), (re, -im)];
    }
    // The larger of half ± root is a sum without cancellation; the other eigenvalue follows from the product of both.
    let sum = half + square.sqrt().copysign(half);
    let other = if sum == 0.0 { d } else { d - b * c / sum };
    [(d + sum, 0.0), (other, 0.0)]
}

/// Returns the trailing 2 × 2 block whose eigenvalues are the two shifts: its diagonal, and the product of the other two entries.
fn shifts(h: &Dense, size: usize, step: usize) -> [f64; 3] {
    let k = size - 2;
    let (a, b, c, d) = (h[(k, k)], h[(k, k + 1)], h[(k + 1, k)], h[(k + 1, k + 1)]);
    if step.is_multiple_of(EXCEPTIONAL) {
        // [Wilkinson & Reinsch 1971, II/14]: shifts that are not eigenvalues of the block, which breaks the cycle.
        let size = c.abs() + h[(k, k - 1)].abs();
        let centre = d + 0.75 * size;
        return [centre, centre, -0.4375 * size * size];
    }
    [a, d, b * c]
}

/// Makes one step with both shifts on the block of rows `start..size`: a reflection of three rows with the first column wanted,
/// then one for each column that restores the Hessenberg form.
fn francis_step(h: &mut Dense, start: usize, size: usize, shifts: [f64; 3]) {
    let (first, mut x) = step_start(h, start, size, shifts);
    for k in first..size - 1 {
        let rows = 3.min(size - k);
        x.truncate(rows);
        if k > first {
            x.iter_mut().enumerate().for_each(|(i, x)| *x = h[(k + i, k - 1)]);
        }
        if let Some(tau) = householder(&mut x) {
            reflect_rows(h, k, &x, tau, k.saturating_sub(1).max(start)..size);
            reflect_columns(h, k, &x, tau, start..(k + 4).min(size));
        }
        if k > start {
            (1..rows).for_each(|i| h[(k + i, k - 1)] = 0.0);
        }
    }
}

/// Returns the row where the step begins, and the first column of (H − s₁)(H − s₂) from that row on, divided by the entry below
/// its diagonal.
///
/// The step begins at the lowest row above which two successive entries below the diagonal are small together: the remainder of
/// the step there, proportional to their product, is rounding. Around multiple eigenvalues no single entry becomes small, but two
/// in a row do.
fn step_start(h: &Dense, start: usize, size: usize, [a, d, bc]: [f64; 3]) -> (usize, Vec<f64>) {
    let mut k = size - 3;
    loop {
        let (z, next) = (h[(k, k)], h[(k + 1, k + 1)]);
        let x = [
            ((z - a) * (z - d) - bc) / h[(k + 1, k)] + h[(k, k + 1)],
            (z - a) + (next - d),
            h[(k + 2, k + 1)],
        ];
        if k == start {
            return (k, x.to_vec());
        }
        let left = h[(k, k - 1)].abs() * (x[1].abs() + x[2].abs());
        let beside = h[(k - 1, k - 1)].abs() + z.abs() + next.abs();
        if left <= f64::EPSILON * x[0].abs() * beside {
            return (k, x.to_vec());
        }
        k -= 1;
    }
}

#[cfg(test)]
mod tests {
    //! Against matrices whose eigenvalues are known by theory.

    use super::{Dense, eigenvalues};
    use std::f64::consts::PI;

    /// Returns the largest distance from an expected value to the nearest one found; as many have to be found as expected.
    fn apart(found: &[(f64, f64)], expected: &[(f64, f64)]) -> f64 {
        assert_eq!(found.len(), expected.len());
        let nearest =
            |e: &(f64, f64)| found.iter().map(|f| (f.0 - e.0).hypot(f.1 - e.1)).fold(f64::MAX, f64::min);
        expected.iter().map(nearest).fold(0.0, f64::max)
    }

    /// A matrix without structure: sines of incommensurable arguments.
    fn scattered(rows: usize, columns: usize) -> Dense {
        Dense::from_fn(rows, columns, |i, j| {
            (1.7 * i as f64 + 0.3 + 2.9 * (i * j) as f64 + 0.71 * j as f64).sin()
        })
    }

    /// The second difference has 2 − 2 cos(kπ/(n + 1)); a circulant shift the roots of unity, all of one modulus, on which
    /// QR steps cycle that only ever take Francis' shifts; a companion matrix the roots of its polynomial.
    #[test]
    fn eigenvalues_are_those_of_the_theory() {
        for n in [1, 2, 3, 4, 7, 30, 80] {
            let size = n as f64;
            let second = Dense::from_fn(n, n, |i, j| match i.abs_diff(j) {
                0 => 2.0,
                1 => -1.0,
                _ => 0.0,
            });
            let expected: Vec<_> =
                (1..=n).map(|k| (2.0 - 2.0 * (k as f64 * PI / (size + 1.0)).cos(), 0.0)).collect();
            assert!(
                apart(&eigenvalues(&second).unwrap(), &expected) < 1e-13 * size,
                "second difference, {n}"
            );

            let shift = Dense::from_fn(n, n, |i, j| if i == (j + 1) % n { 1.0 } else { 0.0 });
            let angle = |k: usize| 2.0 * PI * k as f64 / size;
            let expected: Vec<_> = (0..n).map(|k| (angle(k).cos(), angle(k).sin())).collect();
            assert!(apart(&eigenvalues(&shift).unwrap(), &expected) < 1e-13 * size, "shift, {n}");
        }
        // (λ − 1)(λ + 2)(λ − 3)(λ² + 1) = λ⁵ − 2λ⁴ − 4λ³ + 4λ² − 5λ + 6
        let polynomial = [-6.0, 5.0, -4.0, 4.0, 2.0];
        let companion = Dense::from_fn(5, 5, |i, j| match (i, j) {
            (i, 4) => polynomial[i],
            (i, j) if i == j + 1 => 1.0,
            _ => 0.0,
        });
        let expected = [(1.0, 0.0), (-2.0, 0.0), (3.0, 0.0), (0.0, 1.0), (0.0, -1.0)];
        assert!(apart(&eigenvalues(&companion).unwrap(), &expected) < 1e-12);
        assert_eq!(eigenvalues(&Dense::zeros(0, 0)), Some(Vec::new()));
        assert_eq!(eigenvalues(&Dense::from_fn(2, 2, |_, _| f64::NAN)), None);
    }

    /// Sum and sum of squares of the eigenvalues are the traces of A and A A, of matrices without any structure too.
    #[test]
    fn eigenvalues_keep_the_traces() {
        for n in [3, 10, 40, 120] {
            let a = scattered(n, n);
            let values = eigenvalues(&a).unwrap();
            let trace = |m: &Dense| (0..n).map(|i| m[(i, i)]).sum::<f64>();
            let sum: f64 = values.iter().map(|(re, _)| re).sum();
            let squares: f64 = values.iter().map(|(re, im)| re * re - im * im).sum();
            let rounding = 1e-14 * (n * n) as f64;
            assert!((sum - trace(&a)).abs() < rounding, "{n}: {sum}");
            assert!((squares - trace(&(&a * &a))).abs() < 10.0 * rounding, "{n}: {squares}");
            assert!(
                values.iter().map(|(_, im)| im).sum::<f64>().abs() < rounding,
                "{n}: pairs are conjugate"
            );
        }
    }
}
