//! The Delassus matrix A = J W Jᵀ + diag(c), assembled without allocation and factorised.
//!
//! W is the diagonal inverse metric, M⁻¹ in the dynamics. Rows i and j couple through every movable body
//! that both touch: A_ij = Σ_bodies J_i,b W_b J_j,bᵀ. The pattern depends only on who touches whom, so it is
//! analysed when that changes and reused otherwise.

use super::rows::Row;
use crate::math::{FactorError, SparseLdlt};
use glam::DVec3;

/// One product J_i,b · W_b J_j,b with the place it is added to.
#[derive(Clone, Copy, Debug)]
struct Term {
    slot: u32,
    i: u32,
    j: u32,
    i_is_b: bool,
    j_is_b: bool,
}

/// A with its factors.
#[derive(Debug, Default)]
pub struct Delassus {
    /// (a, b) of every row, and whether each body can move: what the pattern was made for.
    topology: Vec<(usize, usize)>,
    movable: Vec<bool>,
    terms: Vec<Term>,
    matrix: Option<SparseLdlt>,
}

impl Delassus {
    /// Assembles and factorises A for `rows`, inverse metric `weight` by body and compliance `c` by row
    /// (rows beyond its end have none).
    ///
    /// # Errors
    /// [`FactorError`] if an entry is not finite.
    pub fn factor(
        &mut self,
        rows: &[Row],
        weight: &[DVec3],
        compliance: &[f64],
    ) -> Result<(), FactorError> {
        if !self.fits(rows, weight) {
            self.analyse(rows, weight);
        }
        let Some(matrix) = &mut self.matrix else { return Ok(()) };
        let values = matrix.values_mut();
        values.fill(0.0);
        for &Term { slot, i, j, i_is_b, j_is_b } in &self.terms {
            let (row_i, row_j) = (&rows[i as usize], &rows[j as usize]);
            let (body, ji) = if i_is_b { (row_i.b, row_i.jb) } else { (row_i.a, row_i.ja) };
            let jj = if j_is_b { row_j.jb } else { row_j.ja };
            values[slot as usize] += ji.dot(weight[body] * jj);
        }
        for (i, c) in compliance.iter().enumerate().take(rows.len()) {
            let slot = matrix.diagonal_slot(i);
            matrix.values_mut()[slot] += c;
        }
        matrix.factor()
    }

    /// Solves A λ = rhs; returns the residual ‖A λ − rhs‖∞.
    pub fn solve(&mut self, rhs: &[f64], lambda: &mut [f64]) -> f64 {
        match &mut self.matrix {
            Some(matrix) => matrix.solve(rhs, lambda),
            None => 0.0,
        }
    }

    /// Rows that depend on the others, from the last factorisation.
    pub fn dependent_rows(&self) -> usize {
        self.matrix.as_ref().map_or(0, SparseLdlt::dependent_rows)
    }

    fn fits(&self, rows: &[Row], weight: &[DVec3]) -> bool {
        self.topology.len() == rows.len()
            && self.movable.len() == weight.len()
            && self.topology.iter().zip(rows).all(|(&t, row)| t == (row.a, row.b))
            && self.movable.iter().zip(weight).all(|(&m, w)| m == (*w != DVec3::ZERO))
    }

    fn analyse(&mut self, rows: &[Row], weight: &[DVec3]) {
        self.topology = rows.iter().map(|row| (row.a, row.b)).collect();
        self.movable = weight.iter().map(|w| *w != DVec3::ZERO).collect();
        let mut touching: Vec<Vec<(u32, bool)>> = vec![Vec::new(); weight.len()];
        for (index, row) in (0_u32..).zip(rows) {
            for (body, is_b) in [(row.a, false), (row.b, true)] {
                // The grab names its body twice; only its b side acts.
                if self.movable[body] && (is_b || row.a != row.b) {
                    touching[body].push((index, is_b));
                }
            }
        }
        self.terms.clear();
        let mut pairs = Vec::new();
        for list in &touching {
            for (position, &(i, i_is_b)) in list.iter().enumerate() {
                for &(j, j_is_b) in &list[..=position] {
                    pairs.push((i as usize, j as usize));
                    self.terms.push(Term { slot: 0, i, j, i_is_b, j_is_b });
                }
            }
        }
        self.matrix = (!rows.is_empty()).then(|| {
            let (matrix, slots) = SparseLdlt::new(rows.len(), &pairs);
            for (term, slot) in self.terms.iter_mut().zip(slots) {
                term.slot = slot as u32;
            }
            matrix
        });
    }
}
