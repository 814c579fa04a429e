//! The soft step as the engine makes it, linearised: substeps, joints as blocks, and the impulses that it remembers.
//!
//! ```text
//! λ ← the last step's mean ;  n times, η = h/n:
//!   v ← v + M⁻¹Jᵀλ ;  sweep  Δλ = −μ K⁻¹(J v + b g) − ν λ  block after block ;  q ← q + η v ;  relax  Δλ = −K⁻¹J v
//! ```
//!
//! It differs from `soft`, Solver2D's note, in three points, all of them the engine's (`stabilizer/soft.rs`): the rows of a joint are
//! solved as one block, the frequency is bounded by a quarter of the substeps' rate, and between steps the impulse of the mean
//! substep is remembered. Joints, and contacts and limits that touch, are equations; there is no friction.
//!
//! **The spectral radius** comes from Arnoldi's method [Golub & Van Loan 2013, §10.5], whose Hessenberg matrix is that of the whole
//! problem once it has as many rows as there are distinct modes, and which finds the largest modes first if they are many. It starts
//! in range(P), which the step maps into itself, so that free drift, the double eigenvalue 1, does not appear; what rounding brings of it
//! is projected away, except in scenes that are too large for a basis of range(P).

use super::linear::{Gathered, largest_eigenvalue, range};
use super::soft::{Relax, Soft, Softness, SparseRow};
use super::{Dense, StabilityError};

/// Largest frequency of a soft constraint in substep rates: the engine's, Box2D's.
const NYQUIST_SHARE: f64 = 0.25;
/// Steps made before Arnoldi's method begins: they damp what decays fast.
const WARM_UP: usize = 12;
/// Most rows of the Hessenberg matrix.
const KRYLOV: usize = 16;
/// A new direction shorter than this, relative to the vector that it is left of, is rounding: all modes have been found.
const FOUND: f64 = 1e-11;
/// Most rows of a scene of which a basis of range(P) is computed: its cost grows with the cube of the size.
const MOST_ROWS: usize = 90;
/// A vector shorter than this, relative to the start, has died out.
const NOTHING: f64 = 1e-150;
/// A pivot of a block below this share of its diagonal belongs to a dependent row.
const DEPENDENT: f64 = 1e-12;

/// A joint, contact or limit: its rows, and K⁻¹ of them.
#[derive(Clone, Debug)]
struct Solved {
    first: usize,
    inverse: Dense,
}

/// A scene as the soft step sees it.
#[derive(Clone, Debug)]
pub(super) struct Substeps {
    weight: Vec<f64>,
    rows: Vec<SparseRow>,
    blocks: Vec<Solved>,
    /// An orthonormal basis of range(P) in M^½ q, of scenes that are small enough.
    basis: Option<Dense>,
}

impl Substeps {
    pub fn new(gathered: &Gathered) -> Self {
        let Gathered { weight, rows, blocks, .. } = gathered;
        let coupling = |a: &SparseRow, b: &SparseRow| {
            let of = |i: usize| b.iter().filter(|(j, _)| *j == i).map(|(_, x)| x).sum::<f64>();
            a.iter().map(|(i, x)| x * weight[*i] * of(*i)).sum::<f64>()
        };
        let mut first = 0;
        let mut solved = Vec::new();
        for size in blocks {
            let own = &rows[first..first + size];
            let k = Dense::from_fn(*size, *size, |i, j| coupling(&own[i], &own[j]));
            solved.push(Solved { first, inverse: inverse(&k) });
            first += size;
        }
        let small = rows.len() <= MOST_ROWS;
        let basis = small.then(|| range(weight, rows)).and_then(Result::ok);
        Self { weight: weight.clone(), rows: rows.clone(), blocks: solved, basis }
    }

    /// Whether there is any row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// One step of (q, v, λ), `h` long, in `substeps` substeps.
    fn step(&self, soft: &Soft, substeps: usize, h: f64, state: &mut [f64]) {
        let n = self.weight.len();
        let (q, rest) = state.split_at_mut(n);
        let (v, lambda) = rest.split_at_mut(n);
        let eta = h / substeps as f64;
        let hertz = soft.hertz.min(NYQUIST_SHARE / eta);
        let Softness { bias_rate, mass_scale, impulse_scale } = Soft { hertz, ..*soft }.at(eta);
        let mut sum = vec![0.0; lambda.len()];
        for _ in 0..substeps {
            self.rows.iter().zip(lambda.iter()).for_each(|(row, impulse)| self.push(row, *impulse, v));
            self.sweep(v, lambda, [mass_scale, impulse_scale], |row, v| {
                along(row, v) + bias_rate * along(row, q)
            });
            q.iter_mut().zip(v.iter()).for_each(|(q, v)| *q += eta * v);
            if soft.relax == Relax::On {
                self.sweep(v, lambda, [1.0, 0.0], along);
            }
            sum.iter_mut().zip(lambda.iter()).for_each(|(sum, own)| *sum += own / substeps as f64);
        }
        lambda.copy_from_slice(&sum);
    }

    fn push(&self, row: &SparseRow, impulse: f64, v: &mut [f64]) {
        row.iter().for_each(|(i, j)| v[*i] += self.weight[*i] * j * impulse);
    }

    /// Δλ = −μ K⁻¹ e − ν λ, block after block; `error` gives e of a row.
    fn sweep(
        &self,
        v: &mut [f64],
        lambda: &mut [f64],
        [mass, impulse]: [f64; 2],
        error: impl Fn(&SparseRow, &[f64]) -> f64,
    ) {
        for Solved { first, inverse } in &self.blocks {
            let size = inverse.nrows();
            let own = &self.rows[*first..first + size];
            let mut errors = [0.0; 3];
            own.iter().zip(&mut errors).for_each(|(row, e)| *e = error(row, v));
            for (i, row) in own.iter().enumerate() {
                let asked: f64 = inverse.row(i).iter().zip(&errors).map(|(k, e)| k * e).sum();
                let change = -mass * asked - impulse * lambda[first + i];
                lambda[first + i] += change;
                self.push(row, change, v);
            }
        }
    }

    /// ρ of a step.
    ///
    /// # Errors
    /// Entries that are not finite, or eigenvalues that are not found.
    pub fn spectral_radius(&self, soft: &Soft, substeps: usize, h: f64) -> Result<f64, StabilityError> {
        let scale = self.scale(h);
        // In coordinates of one unit, so that lengths of vectors mean something.
        let advance = |y: &[f64]| {
            let mut state: Vec<f64> = y.iter().zip(&scale).map(|(y, scale)| y / scale).collect();
            self.step(soft, substeps.max(1), h, &mut state);
            let mut y: Vec<f64> = state.iter().zip(&scale).map(|(x, scale)| x * scale).collect();
            self.project(&mut y);
            y
        };
        let mut start = self.start(&scale);
        for _ in 0..WARM_UP {
            if normalise(&mut start) < NOTHING {
                return Ok(0.0);
            }
            start = advance(&start);
        }
        arnoldi(start, advance)
    }

    /// Takes free drift out of q and v, both in numbers of one unit.
    fn project(&self, y: &mut [f64]) {
        let Some(basis) = &self.basis else { return };
        for part in y.chunks_mut(self.weight.len().max(1)).take(2) {
            let mut inside = vec![0.0; basis.ncols()];
            for (i, x) in part.iter().enumerate() {
                inside.iter_mut().zip(basis.row(i)).for_each(|(sum, b)| *sum += b * x);
            }
            part.iter_mut().enumerate().for_each(|(i, x)| *x = dot(basis.row(i), &inside));
        }
    }

    /// √m of q, h√m of v, h√K of λ: what turns them into numbers of one unit.
    fn scale(&self, h: f64) -> Vec<f64> {
        let root: Vec<f64> = self.weight.iter().map(|w| 1.0 / w.sqrt()).collect();
        let of_row = |row: &SparseRow| {
            let k = row.iter().map(|(i, j)| j * j * self.weight[*i]).sum::<f64>().sqrt();
            h * if k > 0.0 { k } else { 1.0 }
        };
        let velocities = root.iter().map(|m| h * m);
        root.iter().copied().chain(velocities).chain(self.rows.iter().map(of_row)).collect()
    }

    /// A vector with a part of every mode: M⁻¹Jᵀ of numbers without a pattern, in q and in v, and such numbers as impulses.
    fn start(&self, scale: &[f64]) -> Vec<f64> {
        let n = self.weight.len();
        let mut state = vec![0.0; 2 * n + self.rows.len()];
        // The golden ratio's multiples modulo 1 have no pattern.
        let number = |i: usize| (0.618_033_988_749_895 * (i + 1) as f64).fract() - 0.5;
        for (i, row) in self.rows.iter().enumerate() {
            let k: f64 =
                row.iter().map(|(i, j)| j * j * self.weight[*i]).sum::<f64>().max(f64::MIN_POSITIVE);
            let (q, v) = state.split_at_mut(n);
            self.push(row, number(3 * i) / k.sqrt(), q);
            self.push(row, number(3 * i + 1) / k.sqrt() / (scale[n] / scale[0]), v);
            state[2 * n + i] = number(3 * i + 2) / scale[2 * n + i];
        }
        state.iter().zip(scale).map(|(x, scale)| x * scale).collect()
    }
}

fn along(row: &SparseRow, x: &[f64]) -> f64 {
    row.iter().map(|(i, j)| j * x[*i]).sum()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Scales a vector to length 1 and returns what its length was.
fn normalise(x: &mut [f64]) -> f64 {
    let length = dot(x, x).sqrt();
    if length > 0.0 {
        x.iter_mut().for_each(|x| *x /= length);
    }
    length
}

/// The largest modulus of the eigenvalues of a linear map that the start reaches.
fn arnoldi(mut start: Vec<f64>, map: impl Fn(&[f64]) -> Vec<f64>) -> Result<f64, StabilityError> {
    if normalise(&mut start) < NOTHING {
        return Ok(0.0);
    }
    let most = KRYLOV.min(start.len());
    let mut basis = vec![start];
    let mut h = Dense::zeros(most, most);
    for k in 0..most {
        let mut next = map(&basis[k]);
        let whole = dot(&next, &next).sqrt();
        if !whole.is_finite() {
            return Err(StabilityError::NotFinite);
        }
        // Twice: once leaves a part of the rounding.
        for _ in 0..2 {
            for (i, own) in basis.iter().enumerate() {
                let part = dot(&next, own);
                h[(i, k)] += part;
                next.iter_mut().zip(own).for_each(|(x, own)| *x -= part * own);
            }
        }
        let left = normalise(&mut next);
        if left <= FOUND * whole || k + 1 == most {
            let size = k + 1;
            return largest_eigenvalue(&Dense::from_fn(size, size, |i, j| h[(i, j)]));
        }
        h[(k + 1, k)] = left;
        basis.push(next);
    }
    Ok(0.0)
}

/// K⁻¹ of a symmetric block of up to three rows, by elimination; rows and columns of dependent and of empty rows are zero.
fn inverse(k: &Dense) -> Dense {
    let size = k.nrows();
    let (mut left, mut right) = (k.clone(), Dense::identity(size));
    let mut kept = vec![false; size];
    for p in 0..size {
        let pivot = left[(p, p)];
        if pivot <= DEPENDENT * k[(p, p)] || pivot <= 0.0 {
            continue;
        }
        kept[p] = true;
        for i in (0..size).filter(|i| *i != p) {
            let factor = left[(i, p)] / pivot;
            for j in 0..size {
                left[(i, j)] -= factor * left[(p, j)];
                right[(i, j)] -= factor * right[(p, j)];
            }
        }
        for j in 0..size {
            left[(p, j)] /= pivot;
            right[(p, j)] /= pivot;
        }
    }
    Dense::from_fn(size, size, |i, j| if kept[i] && kept[j] { right[(i, j)] } else { 0.0 })
}
