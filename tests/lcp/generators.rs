//! Random problems whose class, and so whose solvability, is known from how they are built.

use driftlab::lcp::LcpProblem;

/// SplitMix64 [Steele, Lea & Flood 2014]: the same problems on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    }

    /// Uniform in [low, high).
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A whole number in low..=high.
    pub fn whole(&mut self, low: usize, high: usize) -> usize {
        low + (self.bits() % (high - low + 1) as u64) as usize
    }

    pub fn list(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.within(-1.0, 1.0)).collect()
    }
}

/// A B, row by row; A is n × k, B k × m.
pub fn product(a: &[f64], b: &[f64], n: usize, k: usize, m: usize) -> Vec<f64> {
    let entry = |i: usize, j: usize| (0..k).map(|l| a[i * k + l] * b[l * m + j]).sum();
    (0..n).flat_map(|i| (0..m).map(move |j| entry(i, j))).collect()
}

/// Aᵀ of the n × m matrix A.
pub fn transposed(a: &[f64], n: usize, m: usize) -> Vec<f64> {
    (0..m).flat_map(|j| (0..n).map(move |i| a[i * m + j])).collect()
}

/// A P-matrix, not symmetric: xᵀMx > 0, the sum of S Sᵀ / n, a skew matrix and a multiple of the identity; half
/// of them with rows and columns scaled apart, which keeps the class.
pub fn p_matrix(random: &mut Random, n: usize) -> LcpProblem {
    let s = random.list(n * n);
    let mut m = product(&s, &transposed(&s, n, n), n, n, n);
    m.iter_mut().for_each(|x| *x /= n as f64);
    for i in 0..n {
        m[i * n + i] += 0.1;
        for j in 0..i {
            let skew = random.within(-1.0, 1.0);
            m[i * n + j] += skew;
            m[j * n + i] -= skew;
        }
    }
    if random.bits().is_multiple_of(2) {
        let rows: Vec<_> = (0..n).map(|_| 10_f64.powf(random.within(-2.0, 2.0))).collect();
        let columns: Vec<_> = (0..n).map(|_| 10_f64.powf(random.within(-2.0, 2.0))).collect();
        for i in 0..n {
            (0..n).for_each(|j| m[i * n + j] *= rows[i] * columns[j]);
        }
    }
    LcpProblem::new(m, random.list(n)).unwrap()
}

/// M = J Jᵀ with J of n × rank, q = J b + s with s ≥ 0. Solvable: these are the optimality conditions
/// x = b + Jᵀz, w = J x + s of min ½|x − b|² under J x + s ≥ 0, which x = 0 satisfies.
pub fn semidefinite(random: &mut Random, n: usize, rank: usize) -> LcpProblem {
    let (m, mut q) = low_rank(random, n, rank);
    q.iter_mut().for_each(|q| *q += random.within(0.0, 0.3));
    LcpProblem::new(m, q).unwrap()
}

/// J Jᵀ and J b.
fn low_rank(random: &mut Random, n: usize, rank: usize) -> (Vec<f64>, Vec<f64>) {
    let j = random.list(n * rank);
    let b = random.list(rank);
    (product(&j, &transposed(&j, n, rank), n, rank, n), product(&j, &b, n, rank, 1))
}

/// As [`semidefinite`] with s = 0 and whole numbers, with repeated rows and rows of zeros in J and q: the arithmetic is exact,
/// and so are the ties.
pub fn degenerate(random: &mut Random, n: usize) -> LcpProblem {
    let rank = random.whole(1, 4);
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for _ in 0..n {
        let row = match random.whole(0, 3) {
            0 if !rows.is_empty() => rows[random.whole(0, rows.len() - 1)].clone(),
            1 => vec![0.0; rank],
            _ => (0..rank).map(|_| random.whole(0, 4) as f64 - 2.0).collect(),
        };
        rows.push(row);
    }
    let b: Vec<_> = (0..rank).map(|_| random.whole(0, 2) as f64 - 1.0).collect();
    let j = rows.concat();
    let m = product(&j, &transposed(&j, n, rank), n, rank, n);
    LcpProblem::new(m, product(&j, &b, n, rank, 1)).unwrap()
}

/// An infeasible semidefinite problem and its proof: y > 0 with Jᵀy = 0, so M y = 0, and qᵀy < 0.
pub fn infeasible(random: &mut Random, n: usize, rank: usize) -> (LcpProblem, Vec<f64>) {
    let y: Vec<_> = (0..n).map(|_| random.within(0.5, 2.0)).collect();
    let mut j = random.list(n * rank);
    for k in 0..rank {
        // The last row makes Σᵢ yᵢ J_ik = 0.
        let sum: f64 = (0..n - 1).map(|i| y[i] * j[i * rank + k]).sum();
        j[(n - 1) * rank + k] = -sum / y[n - 1];
    }
    let mut q = product(&j, &random.list(rank), n, rank, 1);
    q.iter_mut().for_each(|q| *q -= random.within(0.1, 1.0));
    let m = product(&j, &transposed(&j, n, rank), n, rank, n);
    (LcpProblem::new(m, q).unwrap(), y)
}

/// Planar frictional contact of Stewart & Trinkle in the form of Anitescu & Potra: unknowns λ_n, β (two
/// directions ±t per contact), γ;
///
/// ```text
/// M = [ A_nn  A_nβ  0 ]      A = J W Jᵀ with rows n and ±t of random bodies of three freedoms,
///     [ A_βn  A_ββ  E ]      q = (n·v, ±t·v, 0)
///     [  μ    −Eᵀ   0 ]
/// ```
///
/// uᵀMu = |Jᵀu|²_W + μᵀ(λ_n γ) ≥ 0 for u ≥ 0: copositive. Where it is 0, Jᵀu = 0, so qᵀu = vᵀJᵀu = 0: that is all
/// that a copositive problem needs to be solvable, and by Lemke [Cottle, Pang & Stone 1992, §3.8 and §4.4;
/// Anitescu & Potra 1997].
///
/// `repeated` is the share of contacts that repeat the one before them, with its coefficient of friction.
pub fn frictional(random: &mut Random, contacts: usize, repeated: f64) -> LcpProblem {
    let bodies = contacts.div_ceil(2).max(1);
    let (c, n, freedoms) = (contacts, 4 * contacts, 3 * bodies);
    let mut j = vec![0.0; 3 * c * freedoms];
    let mut repeats = vec![false; c];
    for (contact, repeats) in repeats.iter_mut().enumerate() {
        if contact > 0 && random.within(0.0, 1.0) < repeated {
            *repeats = true;
            j.copy_within((contact - 1) * freedoms..contact * freedoms, contact * freedoms);
            let tangents = c + 2 * (contact - 1);
            j.copy_within(tangents * freedoms..(tangents + 2) * freedoms, (tangents + 2) * freedoms);
            continue;
        }
        let angle = random.within(0.0, std::f64::consts::TAU);
        let (normal, tangent) = ([angle.cos(), angle.sin()], [-angle.sin(), angle.cos()]);
        let one = random.whole(0, bodies - 1);
        let other = random.whole(0, bodies); // `bodies` is the ground
        for (body, sign) in [(one, 1.0), (other, -1.0)] {
            if body == bodies || (one == other && sign < 0.0) {
                continue;
            }
            let arm = [random.within(-1.0, 1.0), random.within(-1.0, 1.0)];
            for (row, along, sign) in [
                (contact, normal, sign),
                (c + 2 * contact, tangent, sign),
                (c + 2 * contact + 1, tangent, -sign),
            ] {
                let turning = arm[0] * along[1] - arm[1] * along[0];
                let entries = &mut j[row * freedoms + 3 * body..][..3];
                entries.copy_from_slice(&[sign * along[0], sign * along[1], sign * turning]);
            }
        }
    }
    let mut weighted = j.clone();
    let inverse_masses: Vec<_> = (0..freedoms).map(|_| 10_f64.powf(random.within(-1.0, 1.0))).collect();
    for row in weighted.chunks_exact_mut(freedoms) {
        row.iter_mut().zip(&inverse_masses).for_each(|(x, w)| *x *= w);
    }
    let a = product(&weighted, &transposed(&j, 3 * c, freedoms), 3 * c, freedoms, 3 * c);
    let mut m = vec![0.0; n * n];
    for i in 0..3 * c {
        m[i * n..i * n + 3 * c].copy_from_slice(&a[i * 3 * c..(i + 1) * 3 * c]);
    }
    for contact in 0..c {
        let gamma = 3 * c + contact;
        m[gamma * n + contact] =
            if repeats[contact] { m[(gamma - 1) * n + contact - 1] } else { random.within(0.0, 1.2) };
        for beta in [c + 2 * contact, c + 2 * contact + 1] {
            m[beta * n + gamma] = 1.0;
            m[gamma * n + beta] = -1.0;
        }
    }
    let mut q = product(&j, &random.list(freedoms), 3 * c, freedoms, 1);
    q.resize(n, 0.0);
    LcpProblem::new(m, q).unwrap()
}
