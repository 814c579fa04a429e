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

use crate::lcp::problem::mixed::MixedRow;
use crate::math::{ROUNDED_PIVOT, SparseLdlt};
use glam::DVec3;

/// A row with a smaller pivot depends on the rows before it: at the true masses this calls for the geometric
/// rank, at unit masses it is the rank.
///
/// Rounding leaves pivots up to 1e-11 in dependent rows of large redundant grids, and constraints that are redundant but
/// for a relative drift of 1e-3 leave its square. Much below this value the factorisation amplifies such
/// remainders until it overflows. A row wrongly taken for dependent does no harm, since the proximal iteration
/// converges all the same.
pub(crate) const DEPENDENT_PIVOT: f64 = 1e-6;

/// A body's radius of gyration k counts as at least this share of the longest lever r: (k/r)² = 0.01 is well above
/// [`DEPENDENT_PIVOT`].
const LEAST_GYRATION: f64 = 0.1;

/// How exactly a system of equations is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accuracy {
    /// With iterative refinement, until its residual stagnates.
    Refined,
    /// By one substitution, without computing the residual: for a step of a method that evaluates its error itself.
    Once,
}

/// A row that has a movable body, and which of its bodies that is.
type IncidentRow = (u32, Side);

/// A body of a row.
#[derive(Clone, Copy, Debug)]
enum Side {
    A,
    B,
    /// Of the row's further bodies.
    Further(u8),
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

/// The bodies of every row, and whether each body can move: on which the pattern of A depends.
#[derive(Debug, Default)]
pub(super) struct Topology {
    rows: Vec<[usize; 2]>,
    /// The rows with more than two bodies, and their further ones.
    further: Vec<(usize, [usize; 2])>,
    movable: Vec<bool>,
}

/// Whether a body of the inverse mass W can move: no entry of W is negative.
fn can_move(w: &DVec3) -> bool {
    w.element_sum() != 0.0
}

/// The rows with more than two bodies, and their further ones.
fn further_of<'r>(rows: impl Iterator<Item = &'r MixedRow>) -> impl Iterator<Item = (usize, [usize; 2])> {
    rows.enumerate().filter_map(|(at, row)| row.further.map(|own| (at, own.bodies)))
}

impl Topology {
    /// Whether it is that of these rows.
    #[inline]
    fn is_of<'r>(
        &self,
        rows: impl ExactSizeIterator<Item = &'r MixedRow> + Clone,
        inverse_mass: &[DVec3],
    ) -> bool {
        let same = (self.rows.len(), self.movable.len()) == (rows.len(), inverse_mass.len());
        let (mut same_rows, mut of_two) = (true, self.further.is_empty());
        for (row, own) in rows.clone().zip(&self.rows) {
            same_rows &= [row.a, row.b] == *own;
            of_two &= row.further.is_none();
        }
        let bodies = inverse_mass.iter().zip(&self.movable);
        let same_bodies = bodies.fold(true, |same, (w, own)| same & (can_move(w) == *own));
        same & same_rows & same_bodies && (of_two || self.further.iter().copied().eq(further_of(rows)))
    }

    /// Becomes that of these rows; returns whether this has changed it.
    #[inline]
    pub fn update<'r>(
        &mut self,
        rows: impl ExactSizeIterator<Item = &'r MixedRow> + Clone,
        inverse_mass: &[DVec3],
    ) -> bool {
        if self.is_of(rows.clone(), inverse_mass) {
            return false;
        }
        self.rows.clear();
        self.further.clear();
        self.further.extend(further_of(rows.clone()));
        self.rows.extend(rows.map(|row| [row.a, row.b]));
        self.movable.clear();
        self.movable.extend(inverse_mass.iter().map(can_move));
        true
    }
}

/// A of one pattern, with its factors.
#[derive(Debug, Default)]
struct Analysed {
    /// That for which the pattern was analysed.
    topology: Topology,
    terms: Terms,
    matrix: Option<SparseLdlt>,
    /// The matrix at unit masses, of the same pattern, made when it is first needed.
    geometry: Option<SparseLdlt>,
}

/// A with its factors.
#[derive(Debug, Default)]
pub struct Delassus {
    present: Analysed,
    /// Those of the patterns before: steps alternate between patterns where some solves have more rows than others.
    last: [Analysed; 2],
    unit: Vec<DVec3>,
    /// Whether rows are independent only through the small inertia of bodies that are nearly points, beside whose terms A loses
    /// digits, so that solutions have to be refined over the bodies.
    pub(crate) points: bool,
}

impl Delassus {
    /// Assembles and factorises A of `count` rows: `row(i)`, with the inverse metric `inverse_mass` by body. Returns
    /// nothing if an entry is not finite.
    pub fn factor<'r>(
        &mut self,
        count: usize,
        row: impl Fn(usize) -> &'r MixedRow,
        inverse_mass: &[DVec3],
    ) -> Option<()> {
        self.analyse(count, &row, inverse_mass);
        let Self { present: Analysed { terms, matrix, geometry, .. }, unit, .. } = self;
        self.points = false;
        let Some(matrix) = matrix else { return Some(()) };
        assemble(matrix, terms, &row, inverse_mass, |compliance| compliance);
        if matrix.factor(DEPENDENT_PIVOT)? == 0 {
            // No pivot is small, so that these are the factors of A; the code below is for redundant rows.
            return Some(());
        }
        let points = unit_metric((0..count).map(&row), inverse_mass, unit);
        let geometry = geometry.get_or_insert_with(|| matrix.clone());
        // A compliant row depends on no other: it gets unit compliance beside the unit masses.
        assemble(geometry, terms, &row, unit, |compliance| if compliance > 0.0 { 1.0 } else { 0.0 });
        match geometry.factor(DEPENDENT_PIVOT)? {
            0 => {
                self.points = points;
                matrix.factor(ROUNDED_PIVOT).map(drop)
            }
            dependent => matrix.factor_singular(dependent),
        }
    }

    /// Solves A x = rhs by LDLᵀ of A scaled to a unit diagonal, in an order of least fill, with at most three steps of iterative
    /// refinement; by proximal iteration where rows depend on others (`math/ldlt.rs`). Returns the residual ‖A x − rhs‖∞ of the
    /// rows as given.
    pub fn solve(&mut self, rhs: &[f64], x: &mut [f64]) -> f64 {
        self.present.matrix.as_mut().map_or(0.0, |matrix| matrix.solve(rhs, x))
    }

    /// Solves A x = rhs as exactly as `accuracy` asks. Returns the residual, NaN where it is not computed.
    pub(crate) fn solve_to(&mut self, accuracy: Accuracy, rhs: &[f64], x: &mut [f64]) -> f64 {
        match (accuracy, &mut self.present.matrix) {
            (Accuracy::Once, Some(matrix)) => {
                matrix.substitute(rhs, x);
                f64::NAN
            }
            _ => self.solve(rhs, x),
        }
    }

    /// Replaces `x`, the result of the last solve, by its residual rhs − A x.
    pub fn left(&mut self, x: &mut [f64]) {
        if let Some(matrix) = &self.present.matrix {
            matrix.left(x);
        }
    }

    /// Returns how many rows depend on the others, from the last factorisation.
    pub fn dependent_rows(&self) -> usize {
        self.present.matrix.as_ref().map_or(0, |matrix| matrix.dependent)
    }

    /// Returns the rows that depend on those before them, in the order of elimination; none where [`Delassus::dependent_rows`] is
    /// zero.
    pub fn surplus(&self) -> impl Iterator<Item = usize> + '_ {
        let geometry = self.present.geometry.as_ref().filter(|_| self.dependent_rows() > 0);
        geometry.into_iter().flat_map(SparseLdlt::replaced_rows)
    }

    /// Analyses the pattern of A, unless one of the last three had the same: rows between the same bodies, of which the same
    /// ones can move.
    fn analyse<'r>(&mut self, count: usize, row: impl Fn(usize) -> &'r MixedRow, inverse_mass: &[DVec3]) {
        let own = || (0..count).map(&row);
        if self.present.topology.is_of(own(), inverse_mass) {
            return;
        }
        let known = self.last.iter().position(|last| last.topology.is_of(own(), inverse_mass));
        if known.is_none() {
            self.last.rotate_right(1);
        }
        std::mem::swap(&mut self.present, &mut self.last[known.unwrap_or_default()]);
        let Analysed { topology, terms, matrix, geometry } = &mut self.present;
        if !topology.update(own(), inverse_mass) {
            return;
        }
        let Topology { rows, further, movable } = topology;
        let mut having: Vec<Vec<IncidentRow>> = vec![Vec::new(); inverse_mass.len()];
        for (row, &[a, b]) in (0_u32..).zip(&*rows) {
            // A row of one body names it twice; only its second side acts.
            if movable[a] && a != b {
                having[a].push((row, Side::A));
            }
            if movable[b] {
                having[b].push((row, Side::B));
            }
        }
        for &(row, [c, d]) in &*further {
            for (side, body) in [(0, c), (1, d)] {
                if movable[body] && (side == 1 || c != d) {
                    having[body].push((row as u32, Side::Further(side)));
                }
            }
        }
        if !further.is_empty() {
            having.iter_mut().for_each(|list| list.sort_by_key(|(row, _)| *row));
        }
        let Terms { members, start, slots, .. } = terms;
        members.clear();
        start.clear();
        start.push(0);
        let mut pairs = Vec::new();
        for list in &having {
            for (position, i) in list.iter().enumerate() {
                pairs.extend(list[..=position].iter().map(|j| (i.0 as usize, j.0 as usize)));
            }
            members.extend_from_slice(list);
            start.push(members.len() as u32);
        }
        (*geometry, *matrix) = (None, None);
        slots.clear();
        if count > 0 {
            let (analysed, found) = SparseLdlt::new(count, &pairs);
            slots.extend(found.iter().map(|slot| *slot as u32));
            *matrix = Some(analysed);
        }
    }
}

/// Sums the terms of A, and adds `own(c)` of each row's compliance c to the diagonal.
fn assemble<'r>(
    matrix: &mut SparseLdlt,
    Terms { members, start, slots }: &Terms,
    row: impl Fn(usize) -> &'r MixedRow,
    inverse_mass: &[DVec3],
    own: impl Fn(f64) -> f64,
) {
    let SparseLdlt { values, diagonal, .. } = matrix;
    values.fill(0.0);
    let mut rest = &slots[..];
    for (inverse_mass, bounds) in inverse_mass.iter().zip(start.windows(2)) {
        let list = &members[bounds[0] as usize..bounds[1] as usize];
        let side = |&(i, side): &IncidentRow| match side {
            Side::A => row(i as usize).ja,
            Side::B => row(i as usize).jb,
            Side::Further(at) => row(i as usize).further.map_or(DVec3::ZERO, |own| own.j[usize::from(at)]),
        };
        let (pairs, after) = rest.split_at(list.len() * (list.len() + 1) / 2);
        rest = after;
        let mut pairs = pairs.iter();
        for (last, i) in list.iter().enumerate() {
            let j = side(i);
            for (other, slot) in list[..=last].iter().zip(&mut pairs) {
                values[*slot as usize] += j.dot(*inverse_mass * side(other));
            }
        }
    }
    for (i, slot) in diagonal.iter().enumerate() {
        let compliance = own(row(i).compliance);
        if compliance != 0.0 {
            values[*slot as usize] += compliance;
        }
    }
}

/// Writes W of unit masses, by which the rank of rows is judged: m M⁻¹ of every body. Its radius of gyration k is kept, except
/// for bodies that are nearly points at the end of a lever: the rows of a hinge that holds such a body at the distance r have a
/// pivot of (k/r)², small although the rows are independent. The rank is the same in every metric, so k is enlarged until the
/// pivot shows it. Returns whether any k was enlarged.
pub fn unit_metric<'r>(
    rows: impl Iterator<Item = &'r MixedRow>,
    inverse_mass: &[DVec3],
    unit: &mut Vec<DVec3>,
) -> bool {
    unit.clear();
    unit.extend(inverse_mass.iter().map(|w| if w.x > 0.0 { *w / w.x } else { *w }));
    let mut enlarged = false;
    for row in rows {
        for (body, j) in row.arms() {
            let (along, turning) = (j.x * j.x + j.y * j.y, LEAST_GYRATION * LEAST_GYRATION * j.z * j.z);
            let w = &mut unit[body];
            // r² = J_z²/(J_x² + J_y²).
            if w.x > 0.0 && along > 0.0 && w.z * turning > along {
                w.z = along / turning;
                enlarged = true;
            }
        }
    }
    enlarged
}
