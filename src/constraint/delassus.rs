//! The Delassus matrix A = J W Jᵀ + diag(c), assembled without allocation and factorised.
//!
//! W is the diagonal inverse metric, M⁻¹ in the dynamics. Rows i and j couple through every movable body
//! that both touch: A_ij = Σ_bodies J_i,b W_b J_j,bᵀ. The pattern depends only on who touches whom, so it is
//! analysed when that changes and reused otherwise.
//!
//! **Rank.** Which rows depend on the others is a matter of geometry, not of masses: a chain whose links differ
//! by 10⁹ in mass has pivots as small as a redundant loop's. So where a pivot is suspiciously small, the rank
//! is taken from a second matrix in which every body has unit mass (W = m M⁻¹, the radius of gyration kept), cut
//! off at [`DEPENDENT_PIVOT`]. Constraints that are redundant but for their own drift fall below it as long as
//! that drift is small.

use super::rows::Row;
use crate::math::{FactorError, ROUNDED_PIVOT, SparseLdlt};
use glam::DVec3;

/// A row with a smaller pivot depends on the rows before it: at the true masses this calls for the geometric
/// rank, at unit masses it is the rank.
///
/// Rounding leaves up to 1e-11 of dependent rows on large redundant grids, and constraints that are redundant but
/// for a relative drift of 1e-3 leave its square. Much below this value the factorisation amplifies such
/// remainders until it overflows. A row wrongly taken for dependent does no harm, since the proximal iteration
/// converges all the same.
const DEPENDENT_PIVOT: f64 = 1e-6;

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
    /// The same pattern at unit masses, made when it is first needed.
    geometry: Option<SparseLdlt>,
    unit: Vec<DVec3>,
}

impl Delassus {
    /// Assembles and factorises A for `rows`, inverse metric `weight` by body and compliance `c` by row
    /// (rows beyond its end have none).
    ///
    /// # Errors
    /// [`FactorError`] if an entry is not finite, or there is no memory.
    pub fn factor(
        &mut self,
        rows: &[Row],
        weight: &[DVec3],
        compliance: &[f64],
    ) -> Result<(), FactorError> {
        if !self.fits(rows, weight) {
            self.analyse(rows, weight)?;
        }
        let Some(matrix) = &mut self.matrix else { return Ok(()) };
        assemble(matrix, &self.terms, rows, weight, compliance.iter().copied());
        if matrix.factor(DEPENDENT_PIVOT)? == 0 {
            return Ok(());
        }
        self.unit.clear();
        self.unit.extend(weight.iter().map(|w| if w.x > 0.0 { *w / w.x } else { *w }));
        let geometry = self.geometry.get_or_insert_with(|| matrix.with_same_pattern());
        // A compliant row depends on nothing: unit compliance beside its unit masses.
        let stiff = compliance.iter().map(|c| if *c > 0.0 { 1.0 } else { 0.0 });
        assemble(geometry, &self.terms, rows, &self.unit, stiff);
        match geometry.factor(DEPENDENT_PIVOT)? {
            0 => matrix.factor(ROUNDED_PIVOT).map(drop),
            dependent => matrix.factor_singular(dependent),
        }
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

    fn analyse(&mut self, rows: &[Row], weight: &[DVec3]) -> Result<(), FactorError> {
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
        self.geometry = None;
        self.matrix = None;
        if !rows.is_empty() {
            let (matrix, slots) = SparseLdlt::new(rows.len(), &pairs)?;
            for (term, slot) in self.terms.iter_mut().zip(slots) {
                term.slot = slot as u32;
            }
            self.matrix = Some(matrix);
        }
        Ok(())
    }
}

/// Σ of the terms, and the compliances on the diagonal.
fn assemble(
    matrix: &mut SparseLdlt,
    terms: &[Term],
    rows: &[Row],
    weight: &[DVec3],
    compliance: impl Iterator<Item = f64>,
) {
    let values = matrix.values_mut();
    values.fill(0.0);
    for &Term { slot, i, j, i_is_b, j_is_b } in terms {
        let (row_i, row_j) = (&rows[i as usize], &rows[j as usize]);
        let (body, ji) = if i_is_b { (row_i.b, row_i.jb) } else { (row_i.a, row_i.ja) };
        let jj = if j_is_b { row_j.jb } else { row_j.ja };
        values[slot as usize] += ji.dot(weight[body] * jj);
    }
    for (i, c) in compliance.enumerate().take(rows.len()) {
        let slot = matrix.diagonal_slot(i);
        matrix.values_mut()[slot] += c;
    }
}
