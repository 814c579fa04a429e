//! The Delassus matrix A = J W Jᵀ + diag(c) of equations, assembled without allocation and factorised sparse.
//!
//! W is the diagonal inverse metric, M⁻¹ in the dynamics. Rows i and j couple through every movable body that both have:
//! A_ij = Σ_bodies J_i,b W_b J_j,bᵀ. The pattern depends only on which bodies the rows have, so it is analysed when that
//! changes and reused otherwise.
//!
//! **Rank.** Which rows depend on the others is a matter of geometry, not of masses: a chain whose links differ
//! by 10⁹ in mass has pivots as small as a redundant loop's. So where a pivot is suspiciously small, the rank
//! is taken from a second matrix in which every body has unit mass (W = m M⁻¹, the radius of gyration kept) and every
//! compliant row unit compliance, cut off at [`DEPENDENT_PIVOT`]. Constraints that are redundant but for their own drift fall
//! below it as long as that drift is small. Redundant equations share the load, conflicting ones are met in the least-squares
//! sense (`math/ldlt.rs`).

use crate::lcp::mixed::problem::MixedRow;
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

/// One row of J, between two bodies. Where one body alone takes part it is named twice, and J of the first is zero.
pub trait JacobianRow {
    /// Indices of the bodies.
    fn bodies(&self) -> [usize; 2];

    /// The first body or the second, and J of it.
    fn side(&self, end: End) -> (usize, DVec3);
}

impl JacobianRow for MixedRow {
    fn bodies(&self) -> [usize; 2] {
        [self.a, self.b]
    }

    fn side(&self, end: End) -> (usize, DVec3) {
        match end {
            End::First => (self.a, self.ja),
            End::Second => (self.b, self.jb),
        }
    }
}

/// One of a row's two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    First,
    Second,
}

/// One product J_i,b · W_b J_j,b with the place it is added to; `ends` say at which end each row has the body.
#[derive(Clone, Copy, Debug)]
struct Term {
    slot: u32,
    rows: [u32; 2],
    ends: [End; 2],
}

/// A with its factors.
#[derive(Debug, Default)]
pub struct Delassus {
    /// The bodies of every row, and whether each body can move: what the pattern was made for.
    topology: Vec<[usize; 2]>,
    movable: Vec<bool>,
    terms: Vec<Term>,
    matrix: Option<SparseLdlt>,
    /// The same pattern at unit masses, made when it is first needed.
    geometry: Option<SparseLdlt>,
    unit: Vec<DVec3>,
}

impl Delassus {
    /// Assembles and factorises A of `count` rows: `row(i)`, with the inverse metric `weight` by body and the compliance
    /// `compliance(i)`.
    ///
    /// # Errors
    /// [`FactorError`] if an entry is not finite.
    pub fn factor<'r, R: JacobianRow + 'r>(
        &mut self,
        count: usize,
        row: impl Fn(usize) -> &'r R,
        weight: &[DVec3],
        compliance: impl Fn(usize) -> f64,
    ) -> Result<(), FactorError> {
        if !self.fits(count, &row, weight) {
            self.analyse(count, &row, weight);
        }
        let Self { terms, matrix, geometry, unit, .. } = self;
        let Some(matrix) = matrix else { return Ok(()) };
        assemble(matrix, terms, count, &row, weight, &compliance);
        if matrix.factor(DEPENDENT_PIVOT)? == 0 {
            return Ok(());
        }
        unit.clear();
        unit.extend(weight.iter().map(|w| if w.x > 0.0 { *w / w.x } else { *w }));
        let geometry = geometry.get_or_insert_with(|| matrix.with_same_pattern());
        // A compliant row depends on nothing: unit compliance beside its unit masses.
        let stiff = |i| if compliance(i) > 0.0 { 1.0 } else { 0.0 };
        assemble(geometry, terms, count, &row, unit, stiff);
        match geometry.factor(DEPENDENT_PIVOT)? {
            0 => matrix.factor(ROUNDED_PIVOT).map(drop),
            dependent => matrix.factor_singular(dependent),
        }
    }

    /// Solves A x = rhs; returns the residual ‖A x − rhs‖∞.
    pub fn solve(&mut self, rhs: &[f64], x: &mut [f64]) -> f64 {
        self.matrix.as_mut().map_or(0.0, |matrix| matrix.solve(rhs, x))
    }

    /// What of the right-hand side of the last solve, whose x is given, A x cannot meet: `x` becomes rhs − A x.
    pub fn left(&mut self, x: &mut [f64]) {
        if let Some(matrix) = &mut self.matrix {
            matrix.left(x);
        }
    }

    /// How many rows depend on the others, from the last factorisation.
    pub fn dependent_rows(&self) -> usize {
        self.matrix.as_ref().map_or(0, SparseLdlt::dependent_rows)
    }

    /// The rows that depend on those before them, in the order of elimination; none where [`Delassus::dependent_rows`] is zero.
    pub fn surplus(&self) -> impl Iterator<Item = usize> + '_ {
        let geometry = self.geometry.as_ref().filter(|_| self.dependent_rows() > 0);
        geometry.into_iter().flat_map(SparseLdlt::replaced_rows)
    }

    fn fits<'r, R: JacobianRow + 'r>(
        &self,
        count: usize,
        row: impl Fn(usize) -> &'r R,
        weight: &[DVec3],
    ) -> bool {
        self.topology.len() == count
            && self.movable.len() == weight.len()
            && self.topology.iter().enumerate().all(|(i, bodies)| *bodies == row(i).bodies())
            && self.movable.iter().zip(weight).all(|(&m, w)| m == (*w != DVec3::ZERO))
    }

    fn analyse<'r, R: JacobianRow + 'r>(
        &mut self,
        count: usize,
        row: impl Fn(usize) -> &'r R,
        weight: &[DVec3],
    ) {
        self.topology.clear();
        self.topology.extend((0..count).map(|i| row(i).bodies()));
        self.movable.clear();
        self.movable.extend(weight.iter().map(|w| *w != DVec3::ZERO));
        let mut having: Vec<Vec<(u32, End)>> = vec![Vec::new(); weight.len()];
        for (index, &[a, b]) in (0_u32..).zip(&self.topology) {
            for (end, body) in [(End::First, a), (End::Second, b)] {
                // A row of one body names it twice; only its second side acts.
                if self.movable[body] && (end == End::Second || a != b) {
                    having[body].push((index, end));
                }
            }
        }
        self.terms.clear();
        let mut pairs = Vec::new();
        for list in &having {
            for (position, &(i, end)) in list.iter().enumerate() {
                for &(j, other) in &list[..=position] {
                    pairs.push((i as usize, j as usize));
                    self.terms.push(Term { slot: 0, rows: [i, j], ends: [end, other] });
                }
            }
        }
        (self.geometry, self.matrix) = (None, None);
        if count > 0 {
            let (matrix, slots) = SparseLdlt::new(count, &pairs);
            self.terms.iter_mut().zip(slots).for_each(|(term, slot)| term.slot = slot as u32);
            self.matrix = Some(matrix);
        }
    }
}

/// Σ of the terms, and the compliances on the diagonal.
fn assemble<'r, R: JacobianRow + 'r>(
    matrix: &mut SparseLdlt,
    terms: &[Term],
    count: usize,
    row: impl Fn(usize) -> &'r R,
    weight: &[DVec3],
    compliance: impl Fn(usize) -> f64,
) {
    let values = matrix.values_mut();
    values.fill(0.0);
    for &Term { slot, rows: [i, j], ends: [end, other] } in terms {
        let (body, ji) = row(i as usize).side(end);
        let (_, jj) = row(j as usize).side(other);
        values[slot as usize] += ji.dot(weight[body] * jj);
    }
    for i in 0..count {
        let slot = matrix.diagonal_slot(i);
        matrix.values_mut()[slot] += compliance(i);
    }
}
