//! B = Q R of a tall matrix by Gram–Schmidt with the longest remaining column first, which ends where the rest is negligible.
//!
//! ```text
//! q_k = b_j / ‖b_j‖ of the longest b_j,   r_kj = q_k · b_j,   b_j ← b_j − r_kj q_k   of all others
//! ```
//!
//! The columns q_k are orthonormal to rounding, since each is made orthogonal to those before it once more ("twice is enough")
//! [Golub & Van Loan 2013, §5.2.8 and §5.4.2]. For n rows and d columns of rank r it takes some 4 n d r operations.

/// How the columns of Q are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The longest remaining column first.
    LongestFirst,
    /// As they are given.
    AsGiven,
}

/// The factors of a matrix of rank r.
#[derive(Debug, Default)]
pub struct Orthogonal {
    /// The r columns of Q.
    pub q: Vec<Vec<f64>>,
    /// The r rows of R, by the columns of B as they were given.
    pub r: Vec<Vec<f64>>,
}

impl Orthogonal {
    /// Factorises the matrix of these columns. `ends(k, length)` says whether the k-th is negligible, with all behind it.
    pub fn of(mut columns: Vec<Vec<f64>>, order: Order, ends: impl Fn(usize, f64) -> bool) -> Self {
        let mut found = Self::default();
        let mut left: Vec<usize> = (0..columns.len()).collect();
        while !left.is_empty() {
            let length = |j: &usize| dot(&columns[*j], &columns[*j]).sqrt();
            let (at, longest) = match order {
                Order::AsGiven => (0, length(&left[0])),
                Order::LongestFirst => {
                    let lengths = left.iter().map(length).enumerate();
                    lengths.fold((0, 0.0), |most, next| if next.1 > most.1 { next } else { most })
                }
            };
            if ends(found.q.len(), longest) {
                break;
            }
            let chosen = left.remove(at);
            let mut q = std::mem::take(&mut columns[chosen]);
            for (before, r) in found.q.iter().zip(&mut found.r) {
                let again = dot(before, &q);
                add(&mut q, -again, before);
                r[chosen] += again;
            }
            let length = dot(&q, &q).sqrt();
            q.iter_mut().for_each(|x| *x /= length);
            let mut r = vec![0.0; columns.len()];
            r[chosen] = length;
            for &j in &left {
                r[j] = dot(&q, &columns[j]);
                add(&mut columns[j], -r[j], &q);
            }
            found.q.push(q);
            found.r.push(r);
        }
        found
    }
}

/// x · y, in eight sums side by side, which a processor adds at once.
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    let (x, y) = (x.chunks_exact(8), y.chunks_exact(8));
    let rest: f64 = x.remainder().iter().zip(y.remainder()).map(|(x, y)| x * y).sum();
    let mut sums = [0.0; 8];
    for (x, y) in x.zip(y) {
        (0..8).for_each(|i| sums[i] += x[i] * y[i]);
    }
    sums.iter().sum::<f64>() + rest
}

/// x ← x + factor dx.
pub fn add(x: &mut [f64], factor: f64, dx: &[f64]) {
    for (x, dx) in x.iter_mut().zip(dx) {
        *x += factor * dx;
    }
}
