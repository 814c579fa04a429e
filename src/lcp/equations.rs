//! The equations among a problem's rows: A λ = r with A = J W Jᵀ + diag(c), factorised sparse.
//!
//! Rows i and j couple through every movable body that both touch: A_ij = Σ_bodies J_i,b W_b J_j,bᵀ. The pattern
//! depends only on who touches whom, so it is analysed when that changes and reused otherwise.
//!
//! **Rank.** Which rows depend on the others is a matter of geometry, not of masses: a chain whose links differ
//! by 10⁹ in mass has pivots as small as a redundant loop's. So where a pivot is suspiciously small, the rank
//! is taken from a second matrix in which every body has unit mass (W = m M⁻¹) and every compliant row unit
//! compliance. Redundant equations share the load, conflicting ones are met in the least-squares sense
//! (`math/ldlt.rs`).

use super::mixed::{Law, MixedProblem, MixedRow};
use crate::math::{FactorError, ROUNDED_PIVOT, SparseLdlt};
use glam::DVec3;

/// A row with a smaller pivot depends on the rows before it: at the true masses this calls for the geometric
/// rank, at unit masses it is the rank. As in `constraint/delassus.rs`, which gives the reason.
const DEPENDENT_PIVOT: f64 = 1e-6;

/// One product J_i,b · W_b J_j,b with the place it is added to; `ends` say at which end each row has the body.
#[derive(Clone, Copy, Debug)]
struct Term {
    slot: usize,
    rows: [u32; 2],
    ends: [u8; 2],
}

/// A with its factors.
#[derive(Debug, Default)]
pub(super) struct Equations {
    /// Indices of the equations in the problem.
    rows: Vec<u32>,
    /// (a, b) of every equation and whether each body can move: what the pattern was made for.
    topology: Vec<[usize; 2]>,
    movable: Vec<bool>,
    terms: Vec<Term>,
    matrix: Option<SparseLdlt>,
    /// The same pattern at unit masses, made when it is first needed.
    geometry: Option<SparseLdlt>,
    unit: Vec<DVec3>,
    /// Indices in the problem of the equations that depend on others, by the geometric rank.
    surplus: Vec<u32>,
}

impl Equations {
    /// Finds, assembles and factorises the equations of `problem`.
    ///
    /// # Errors
    /// [`FactorError`] if an entry is not finite, or there is no memory.
    pub fn factor(&mut self, problem: &MixedProblem) -> Result<(), FactorError> {
        self.rows.clear();
        for (i, row) in (0_u32..).zip(&problem.rows) {
            if row.law == Law::Equation {
                self.rows.push(i);
            }
        }
        if !self.fits(problem) {
            self.analyse(problem)?;
        }
        let Self { rows, terms, matrix, geometry, unit, surplus, .. } = self;
        surplus.clear();
        let Some(matrix) = matrix else { return Ok(()) };
        assemble(matrix, terms, rows, problem, &problem.weight, |c| c);
        if matrix.factor(DEPENDENT_PIVOT)? == 0 {
            return Ok(());
        }
        unit.clear();
        unit.extend(problem.weight.iter().map(|w| if w.x > 0.0 { *w / w.x } else { *w }));
        let geometry = geometry.get_or_insert_with(|| matrix.with_same_pattern());
        assemble(geometry, terms, rows, problem, unit, |c| if c > 0.0 { 1.0 } else { 0.0 });
        match geometry.factor(DEPENDENT_PIVOT)? {
            0 => matrix.factor(ROUNDED_PIVOT).map(drop),
            dependent => {
                surplus.extend(geometry.replaced_rows().map(|row| rows[row]));
                matrix.factor_singular(dependent)
            }
        }
    }

    /// Indices in the problem of the equations that depend on others.
    pub fn surplus(&self) -> &[u32] {
        &self.surplus
    }

    /// Solves A x = rhs, both by equation.
    pub fn solve(&mut self, rhs: &[f64], x: &mut [f64]) {
        if let Some(matrix) = &mut self.matrix {
            matrix.solve(rhs, x);
        }
    }

    /// What of the equations no λ can meet, whatever else pushes: b − A λ of their least-squares solution, with the row of the
    /// problem. Nothing where no equation depends on others.
    pub fn conflict(&mut self, problem: &MixedProblem, violation: &mut Vec<(u32, f64)>) {
        violation.clear();
        let Self { rows, matrix: Some(matrix), .. } = self else { return };
        if matrix.dependent_rows() == 0 {
            return;
        }
        let row = |i: &u32| &problem.rows[*i as usize];
        let rhs: Vec<f64> = rows.iter().map(|i| -(row(i).rate(&problem.free) + row(i).bias)).collect();
        let mut x = vec![0.0; rhs.len()];
        matrix.solve(&rhs, &mut x);
        matrix.left(&mut x);
        violation.extend(rows.iter().copied().zip(x));
    }

    /// Gives the equations among `lambda` the least multipliers with the same effect, so that redundant ones share the load.
    pub fn share(&mut self, problem: &MixedProblem, lambda: &mut [f64]) {
        let mut dv = vec![DVec3::ZERO; problem.weight.len()];
        let row = |i: &u32| &problem.rows[*i as usize];
        self.rows.iter().for_each(|i| row(i).push(lambda[*i as usize], &problem.weight, &mut dv));
        let effect = |i: &u32| row(i).rate(&dv) + row(i).compliance * lambda[*i as usize];
        let rhs: Vec<f64> = self.rows.iter().map(effect).collect();
        let mut x = vec![0.0; rhs.len()];
        self.solve(&rhs, &mut x);
        for (&i, x) in self.rows.iter().zip(&x) {
            lambda[i as usize] = *x;
        }
    }

    /// Solves the equations of `problem` for their λ with all others as they are (those of the equations start
    /// at zero); leaves the velocity in `v`.
    pub fn complete(&mut self, problem: &MixedProblem, lambda: &mut [f64], v: &mut Vec<DVec3>) {
        problem.velocity(lambda, v);
        if self.rows.is_empty() {
            return;
        }
        let rhs: Vec<f64> = self.rows.iter().map(|&i| -problem.w(i as usize, v, lambda)).collect();
        let mut x = vec![0.0; rhs.len()];
        self.solve(&rhs, &mut x);
        for (&i, x) in self.rows.iter().zip(&x) {
            lambda[i as usize] += x;
        }
        problem.velocity(lambda, v);
    }

    /// The change of velocity for λ of `row` = `size`, equations kept.
    pub fn response(&mut self, problem: &MixedProblem, row: usize, size: f64) -> Vec<DVec3> {
        let mut dv = vec![DVec3::ZERO; problem.weight.len()];
        problem.rows[row].push(size, &problem.weight, &mut dv);
        if !self.rows.is_empty() {
            let rhs: Vec<f64> = self.rows.iter().map(|&i| -problem.rows[i as usize].rate(&dv)).collect();
            let mut x = vec![0.0; rhs.len()];
            self.solve(&rhs, &mut x);
            for (&i, x) in self.rows.iter().zip(&x) {
                problem.rows[i as usize].push(*x, &problem.weight, &mut dv);
            }
        }
        dv
    }

    /// Indices of the equations in the problem.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Equations that depend on the others.
    pub fn dependent(&self) -> usize {
        self.matrix.as_ref().map_or(0, SparseLdlt::dependent_rows)
    }

    fn fits(&self, problem: &MixedProblem) -> bool {
        let ends = |i: &u32| {
            let row = &problem.rows[*i as usize];
            [row.a, row.b]
        };
        self.topology.len() == self.rows.len()
            && self.movable.len() == problem.weight.len()
            && self.topology.iter().zip(&self.rows).all(|(t, i)| *t == ends(i))
            && self.movable.iter().zip(&problem.weight).all(|(&m, w)| m == (*w != DVec3::ZERO))
    }

    fn analyse(&mut self, problem: &MixedProblem) -> Result<(), FactorError> {
        let row = |i: &u32| &problem.rows[*i as usize];
        self.topology = self.rows.iter().map(|i| [row(i).a, row(i).b]).collect();
        self.movable = problem.weight.iter().map(|w| *w != DVec3::ZERO).collect();
        let mut touching: Vec<Vec<(u32, u8)>> = vec![Vec::new(); problem.weight.len()];
        for (index, &[a, b]) in (0_u32..).zip(&self.topology) {
            for (end, body) in [(0, a), (1, b)] {
                // A row of one body names it twice; only its b side acts.
                if self.movable[body] && (end == 1 || a != b) {
                    touching[body].push((index, end));
                }
            }
        }
        self.terms.clear();
        let mut pairs = Vec::new();
        for list in &touching {
            for (position, &(i, end)) in list.iter().enumerate() {
                for &(j, other) in &list[..=position] {
                    pairs.push((i as usize, j as usize));
                    self.terms.push(Term { slot: 0, rows: [i, j], ends: [end, other] });
                }
            }
        }
        (self.geometry, self.matrix) = (None, None);
        if !self.rows.is_empty() {
            let (matrix, slots) = SparseLdlt::new(self.rows.len(), &pairs)?;
            self.terms.iter_mut().zip(slots).for_each(|(term, slot)| term.slot = slot);
            self.matrix = Some(matrix);
        }
        Ok(())
    }
}

/// Σ of the terms, and the compliances on the diagonal.
fn assemble(
    matrix: &mut SparseLdlt,
    terms: &[Term],
    rows: &[u32],
    problem: &MixedProblem,
    weight: &[DVec3],
    compliance: impl Fn(f64) -> f64,
) {
    let side = |row: &MixedRow, end: u8| if end == 0 { (row.a, row.ja) } else { (row.b, row.jb) };
    let row = |i: u32| &problem.rows[rows[i as usize] as usize];
    let values = matrix.values_mut();
    values.fill(0.0);
    for &Term { slot, rows: [i, j], ends } in terms {
        let (body, ji) = side(row(i), ends[0]);
        let (_, jj) = side(row(j), ends[1]);
        values[slot] += ji.dot(weight[body] * jj);
    }
    for (i, &row) in rows.iter().enumerate() {
        let slot = matrix.diagonal_slot(i);
        matrix.values_mut()[slot] += compliance(problem.rows[row as usize].compliance);
    }
}
