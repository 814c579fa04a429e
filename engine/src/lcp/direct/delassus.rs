//! The Delassus matrix A = J W Jᵀ + diag(c) of equations, assembled without allocation and factorised sparse.
//!
//! W is the diagonal inverse metric, M⁻¹ in the dynamics. Rows i and j couple through every movable body that both have:
//! A_ij = Σ_bodies J_i,b W_b J_j,bᵀ. The pattern depends only on which bodies the rows have, so it is analysed when these
//! change and reused otherwise.
//!
//! **Rank.** Which rows depend on the others is a matter of geometry, not of masses: a chain whose links differ
//! by 10⁹ in mass has pivots as small as a redundant loop's. So where a pivot is suspiciously small, the rank
//! is taken from a second matrix in which every body has unit mass ([`unit_metric`]) and every
//! compliant row unit compliance, cut off at [`DEPENDENT_PIVOT`]. Constraints that are redundant but for their own drift fall
//! below it as long as that drift is small. Redundant equations share the load, conflicting ones are met in the least-squares
//! sense (`math/ldlt.rs`).

use super::jacobian::{DEPENDENT_PIVOT, End, JacobianRow, unit_metric};
use crate::math::{FactorError, ROUNDED_PIVOT, SparseLdlt};
use glam::DVec3;

/// How exactly a system of equations is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accuracy {
    /// With iterative refinement, until its residual stagnates.
    Refined,
    /// By one substitution, without computing the residual: for a step of a method that evaluates its error itself.
    Once,
}

/// A row that has a movable body at one of its ends.
#[derive(Clone, Copy, Debug)]
struct IncidentRow {
    row: u32,
    end: End,
}

/// Where the products J_i,b · W_b J_j,bᵀ of every movable body are added in A.
#[derive(Debug, Default)]
struct Terms {
    /// The rows that have each body, and where each body's group starts.
    members: Vec<IncidentRow>,
    start: Vec<u32>,
    /// The entry of A for each pair of a body's rows, i with all j up to i.
    slots: Vec<u32>,
}

/// A with its factors.
#[derive(Debug, Default)]
pub struct Delassus {
    /// The bodies of every row, and whether each body can move, for which the pattern was analysed.
    topology: Vec<[u32; 2]>,
    movable: Vec<bool>,
    terms: Terms,
    matrix: Option<SparseLdlt>,
    /// The matrix at unit masses, of the same pattern, made when it is first needed.
    geometry: Option<SparseLdlt>,
    unit: Vec<DVec3>,
    /// Whether rows are independent only through the small inertia of bodies that are nearly points, beside whose terms A loses
    /// digits.
    points: bool,
}

impl Delassus {
    /// Assembles and factorises A of `count` rows: `row(i)`, with the inverse metric `weight` by body and the compliances that
    /// are not zero, each with the index of its row.
    ///
    /// # Errors
    /// `FactorError` if an entry is not finite.
    pub fn factor<'r, R: JacobianRow + 'r>(
        &mut self,
        count: usize,
        row: impl Fn(usize) -> &'r R,
        weight: &[DVec3],
        compliances: &[(u32, f64)],
    ) -> Result<(), FactorError> {
        let fits = self.fits_count(count) && (0..count).all(|i| self.fits_row(i, row(i)));
        self.assemble_and_factor(fits, count, row, weight, compliances)
    }

    /// Does the work of [`Delassus::factor`] where [`Delassus::fits_count`] and [`Delassus::fits_row`] have already told whether
    /// the rows have the pattern of the last ones. The rows of a long chain exceed the processor's cache, so that a saved pass
    /// over them counts.
    ///
    /// # Errors
    /// `FactorError` if an entry is not finite.
    pub fn assemble_and_factor<'r, R: JacobianRow + 'r>(
        &mut self,
        fits: bool,
        count: usize,
        row: impl Fn(usize) -> &'r R,
        weight: &[DVec3],
        compliances: &[(u32, f64)],
    ) -> Result<(), FactorError> {
        if !self.has_pattern(fits, weight) {
            self.analyse(count, &row, weight);
        }
        let Self { terms, matrix, geometry, unit, .. } = self;
        self.points = false;
        let Some(matrix) = matrix else { return Ok(()) };
        assemble(matrix, terms, &row, weight, compliances.iter().copied());
        if matrix.factor(DEPENDENT_PIVOT)? == 0 {
            // No pivot is small, so that these are the factors of A; the code below is for redundant rows.
            return Ok(());
        }
        let points = unit_metric((0..count).map(&row), weight, unit);
        let geometry = geometry.get_or_insert_with(|| matrix.clone());
        // A compliant row depends on no other: it gets unit compliance beside the unit masses.
        let stiff = compliances.iter().filter(|(_, c)| *c > 0.0).map(|(i, _)| (*i, 1.0));
        assemble(geometry, terms, &row, unit, stiff);
        match geometry.factor(DEPENDENT_PIVOT)? {
            0 => {
                self.points = points;
                matrix.factor(ROUNDED_PIVOT).map(drop)
            }
            dependent => matrix.factor_singular(dependent),
        }
    }

    /// Whether A is known so much worse than J and W that solutions have to be refined over the bodies.
    pub fn has_lost_digits(&self) -> bool {
        self.points
    }

    /// Solves A x = rhs by LDLᵀ of A scaled to a unit diagonal, in an order of least fill, with at most three steps of iterative
    /// refinement; by proximal iteration where rows depend on others (`math/ldlt.rs`). Returns the residual ‖A x − rhs‖∞ of the
    /// rows as given.
    pub fn solve(&mut self, rhs: &[f64], x: &mut [f64]) -> f64 {
        self.matrix.as_mut().map_or(0.0, |matrix| matrix.solve(rhs, x))
    }

    /// Solves A x = rhs as exactly as `accuracy` asks. Returns the residual, NaN where it is not computed.
    pub(crate) fn solve_to(&mut self, accuracy: Accuracy, rhs: &[f64], x: &mut [f64]) -> f64 {
        match (accuracy, &mut self.matrix) {
            (Accuracy::Once, Some(matrix)) => {
                matrix.substitute(rhs, x);
                f64::NAN
            }
            _ => self.solve(rhs, x),
        }
    }

    /// Replaces `x`, the result of the last solve, by its residual rhs − A x.
    pub fn left(&mut self, x: &mut [f64]) {
        if let Some(matrix) = &self.matrix {
            matrix.left(x);
        }
    }

    /// Returns A_ii of the last factorisation, row by row, where A itself is factorised.
    pub fn diagonals(&self) -> Option<impl Iterator<Item = f64> + '_> {
        self.matrix.as_ref().map(SparseLdlt::diagonals)
    }

    /// Returns A_ii of the last factorisation.
    pub fn diagonal(&self, i: usize) -> Option<f64> {
        self.matrix.as_ref().map(|matrix| matrix.diagonal(i))
    }

    /// Returns how many rows depend on the others, from the last factorisation.
    pub fn dependent_rows(&self) -> usize {
        self.matrix.as_ref().map_or(0, SparseLdlt::dependent_rows)
    }

    /// Returns the rows that depend on those before them, in the order of elimination; none where [`Delassus::dependent_rows`] is
    /// zero.
    pub fn surplus(&self) -> impl Iterator<Item = usize> + '_ {
        let geometry = self.geometry.as_ref().filter(|_| self.dependent_rows() > 0);
        geometry.into_iter().flat_map(SparseLdlt::replaced_rows)
    }

    /// Whether the last matrix had `count` rows.
    pub fn fits_count(&self, count: usize) -> bool {
        self.topology.len() == count
    }

    /// Whether the last matrix had row `i` between the same bodies.
    pub fn fits_row(&self, i: usize, row: &impl JacobianRow) -> bool {
        self.topology[i] == row.bodies().map(|body| body as u32)
    }

    /// Whether the last matrix had the pattern of rows that `fits` says to be between the same bodies, of which `weight` lets the same
    /// ones move.
    pub fn has_pattern(&self, fits: bool, weight: &[DVec3]) -> bool {
        fits && self.movable.len() == weight.len()
            && self.movable.iter().zip(weight).all(|(&m, w)| m == (*w != DVec3::ZERO))
    }

    /// Analyses the pattern of A.
    pub fn analyse<'r, R: JacobianRow + 'r>(
        &mut self,
        count: usize,
        row: impl Fn(usize) -> &'r R,
        weight: &[DVec3],
    ) {
        self.topology.clear();
        self.topology.extend((0..count).map(|i| row(i).bodies().map(|body| body as u32)));
        self.movable.clear();
        self.movable.extend(weight.iter().map(|w| *w != DVec3::ZERO));
        let mut having: Vec<Vec<IncidentRow>> = vec![Vec::new(); weight.len()];
        for (row, &[a, b]) in (0_u32..).zip(&self.topology) {
            for (end, body) in [(End::First, a), (End::Second, b)] {
                // A row of one body names it twice; only its second side acts.
                if self.movable[body as usize] && (end == End::Second || a != b) {
                    having[body as usize].push(IncidentRow { row, end });
                }
            }
        }
        let Terms { members, start, slots, .. } = &mut self.terms;
        members.clear();
        start.clear();
        start.push(0);
        let mut pairs = Vec::new();
        for list in &having {
            for (position, i) in list.iter().enumerate() {
                pairs.extend(list[..=position].iter().map(|j| (i.row as usize, j.row as usize)));
            }
            members.extend_from_slice(list);
            start.push(members.len() as u32);
        }
        (self.geometry, self.matrix) = (None, None);
        slots.clear();
        if count > 0 {
            let (matrix, found) = SparseLdlt::new(count, &pairs);
            slots.extend(found.iter().map(|slot| *slot as u32));
            self.matrix = Some(matrix);
        }
    }
}

/// Sums the terms of A, and adds the compliances to the diagonal.
fn assemble<'r, R: JacobianRow + 'r>(
    matrix: &mut SparseLdlt,
    Terms { members, start, slots }: &Terms,
    row: impl Fn(usize) -> &'r R,
    weight: &[DVec3],
    compliances: impl Iterator<Item = (u32, f64)>,
) {
    let values = matrix.values_mut();
    values.fill(0.0);
    let mut rest = &slots[..];
    for (weight, bounds) in weight.iter().zip(start.windows(2)) {
        let own = &members[bounds[0] as usize..bounds[1] as usize];
        let side = |member: &IncidentRow| row(member.row as usize).side(member.end);
        let (pairs, after) = rest.split_at(own.len() * (own.len() + 1) / 2);
        rest = after;
        let mut pairs = pairs.iter();
        for (last, i) in own.iter().enumerate() {
            let j = side(i);
            for (other, slot) in own[..=last].iter().zip(&mut pairs) {
                values[*slot as usize] += j.dot(*weight * side(other));
            }
        }
    }
    for (i, compliance) in compliances {
        let slot = matrix.diagonal_slot(i as usize);
        matrix.values_mut()[slot] += compliance;
    }
}
