//! The soft step as the engine makes it, linearised: substeps, joints as blocks, and the impulses that it remembers.
//!
//! ```text
//! n times, η = h/n, with the λ that the last substep has left:
//!   v ← v + M⁻¹Jᵀλ ;  sweep  Δλ = −μ K⁻¹(J v + b g) − ν λ  block after block ;  q ← q + η v ;  relax  Δλ = −K⁻¹J v
//! ```
//!
//! It differs from `soft`, Solver2D's note, in five points, all of them the engine's (`schemes/soft.rs`): the rows of a joint are
//! solved as one block; contacts have a softness of their own, and twice its frequency against fixed bodies; the
//! frequency is bounded by a quarter of the substeps' rate, that of a contact by an eighth; and the order is that of the colours
//! of the constraints. Joints, and contacts and limits that touch, are equations; there is no friction.
//!
//! **The spectral radius** is that of the step restricted to range(P) ⊕ range(P) and the impulses, as in `linear`.
//! (Arnoldi's method costs less, but its values lie outside the spectrum of such a matrix, which is far from normal: it
//! showed growth where there is none.)

use super::linear::{Gathered, Kind, largest_eigenvalue, range};
use super::soft::{Relax, Soft, Softness, SparseRow};
use super::{Dense, StabilityError};
use crate::method::{Method, Operation};

/// A pivot of a block below this share of its diagonal belongs to a dependent row.
const DEPENDENT: f64 = 1e-12;

/// A joint, contact or limit: its rows, and K⁻¹ of them.
#[derive(Clone, Debug)]
struct Solved {
    first: usize,
    kind: Kind,
    inverse: Dense,
}

/// What the soft step is made of.
pub(super) struct Parameters {
    /// Of a joint or limit, of a contact, and of one with a fixed body, in the order of [`Kind`].
    constraints: [Soft; 3],
    substeps: usize,
    relax: Relax,
}

impl Parameters {
    /// The parameters of a method at time step `h`, s, if it makes such substeps.
    pub fn of(method: &Method, h: f64) -> Option<Self> {
        let operations = (method.stabilizer.scheme().operations)(method, h);
        let [Operation::SoftSubsteps { oscillators, count, relaxes }] = operations[..] else { return None };
        let relax = if relaxes { Relax::On } else { Relax::Off };
        let of = |[hertz, damping_ratio]: [f64; 2]| Soft { hertz, damping_ratio, sweeps: 1, relax };
        Some(Self { constraints: oscillators.map(of), substeps: count, relax })
    }
}

/// A scene as the soft step sees it.
#[derive(Clone, Debug)]
pub(super) struct Substeps {
    inverse_mass: Vec<f64>,
    rows: Vec<SparseRow>,
    blocks: Vec<Solved>,
    /// An orthonormal basis of range(P) in M^½ q.
    basis: Dense,
}

impl Substeps {
    /// Of the rows of a scene.
    ///
    /// # Errors
    /// Entries that are not finite.
    pub fn new(gathered: &Gathered) -> Result<Self, StabilityError> {
        let Gathered { inverse_mass, rows, blocks, kinds, .. } = gathered;
        let coupling = |a: &SparseRow, b: &SparseRow| {
            let of = |i: usize| b.iter().filter(|(j, _)| *j == i).map(|(_, x)| x).sum::<f64>();
            a.iter().map(|(i, x)| x * inverse_mass[*i] * of(*i)).sum::<f64>()
        };
        let mut first = 0;
        let mut solved = Vec::new();
        for (size, kind) in blocks.iter().zip(kinds) {
            let own = &rows[first..first + size];
            let k = Dense::from_fn(*size, *size, |i, j| coupling(&own[i], &own[j]));
            solved.push(Solved { first, kind: *kind, inverse: inverse(&k) });
            first += size;
        }
        let basis = range(inverse_mass, rows)?;
        let blocks = gathered.order.iter().map(|block| solved[*block].clone()).collect();
        Ok(Self { inverse_mass: inverse_mass.clone(), rows: rows.clone(), blocks, basis })
    }

    /// One step of (q, v, λ), `h` long.
    fn step(&self, parameters: &Parameters, h: f64, state: &mut [f64]) {
        let n = self.inverse_mass.len();
        let (q, rest) = state.split_at_mut(n);
        let (v, lambda) = rest.split_at_mut(n);
        let Parameters { constraints, substeps, relax } = *parameters;
        let eta = h / substeps as f64;
        let softness = constraints.map(|own| own.at(eta));
        for _ in 0..substeps {
            self.rows.iter().zip(lambda.iter()).for_each(|(row, impulse)| self.push(row, *impulse, v));
            self.sweep(v, lambda, |kind, row, v| {
                let Softness { bias_rate, mass_scale, impulse_scale } = softness[kind as usize];
                (along(row, v) + bias_rate * along(row, q), [mass_scale, impulse_scale])
            });
            q.iter_mut().zip(v.iter()).for_each(|(q, v)| *q += eta * v);
            if relax == Relax::On {
                self.sweep(v, lambda, |_, row, v| (along(row, v), [1.0, 0.0]));
            }
        }
    }

    fn push(&self, row: &SparseRow, impulse: f64, v: &mut [f64]) {
        row.iter().for_each(|(i, j)| v[*i] += self.inverse_mass[*i] * j * impulse);
    }

    /// Δλ = −μ K⁻¹ e − ν λ, block after block; `asks` gives e of a row, μ and ν.
    fn sweep(
        &self,
        v: &mut [f64],
        lambda: &mut [f64],
        asks: impl Fn(Kind, &SparseRow, &[f64]) -> (f64, [f64; 2]),
    ) {
        for Solved { first, kind, inverse } in &self.blocks {
            let size = inverse.nrows();
            let own = &self.rows[*first..first + size];
            let (mut errors, mut scales) = ([0.0; 3], [0.0; 2]);
            own.iter().zip(&mut errors).for_each(|(row, e)| (*e, scales) = asks(*kind, row, v));
            let [mass, impulse] = scales;
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
    pub fn spectral_radius(&self, parameters: &Parameters, h: f64) -> Result<f64, StabilityError> {
        let (n, r, m) = (self.inverse_mass.len(), self.basis.ncols(), self.rows.len());
        // In coordinates of one unit, so that eigenvalues lose nothing to scales.
        let scale = self.scale(h);
        let mut matrix = Dense::zeros(2 * r + m, 2 * r + m);
        for column in 0..2 * r + m {
            let mut state = vec![0.0; 2 * n + m];
            match (column / r.max(1), column % r.max(1)) {
                (half @ (0 | 1), k) if r > 0 => {
                    (0..n).for_each(|i| state[half * n + i] = self.basis[(i, k)])
                }
                _ => state[2 * n + column - 2 * r] = 1.0,
            }
            state.iter_mut().zip(&scale).for_each(|(x, scale)| *x /= scale);
            self.step(parameters, h, &mut state);
            state.iter_mut().zip(&scale).for_each(|(x, scale)| *x *= scale);
            for k in 0..r {
                for half in [0, 1] {
                    let part: f64 = (0..n).map(|i| self.basis[(i, k)] * state[half * n + i]).sum();
                    matrix[(half * r + k, column)] = part;
                }
            }
            (0..m).for_each(|i| matrix[(2 * r + i, column)] = state[2 * n + i]);
        }
        largest_eigenvalue(&matrix)
    }

    /// √m of q, h√m of v, h√K of λ: what turns them into numbers of one unit.
    fn scale(&self, h: f64) -> Vec<f64> {
        let root: Vec<f64> = self.inverse_mass.iter().map(|w| 1.0 / w.sqrt()).collect();
        let of_row = |row: &SparseRow| {
            let k = row.iter().map(|(i, j)| j * j * self.inverse_mass[*i]).sum::<f64>().sqrt();
            h * if k > 0.0 { k } else { 1.0 }
        };
        let velocities = root.iter().map(|m| h * m);
        root.iter().copied().chain(velocities).chain(self.rows.iter().map(of_row)).collect()
    }
}

fn along(row: &SparseRow, x: &[f64]) -> f64 {
    row.iter().map(|(i, j)| j * x[*i]).sum()
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
