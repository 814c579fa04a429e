//! A scene linearised where it stands: its constraint gradient B, the projector P, and the matrix of one step.
//!
//! ```text
//! P = M⁻¹Bᵀ(B M⁻¹Bᵀ)⁺B ,   a = −P(2αv + β²q) ,   v⁺ = v − P(v + κq)              [Hong et al., eqs. 14–22]
//! ```
//!
//! Rows of B: the joints, and the contacts and limits that the method's rules put into the problem now, *taken as
//! equations*. There are no other forces [Hong et al., eqs. 15 and 16]: springs, friction and motors are left out, and
//! B is held constant.
//!
//! **Which eigenvalues count.** On the null space of P bodies drift freely, [1 h; 0 1]: the double eigenvalue 1,
//! which is not an error of the scheme. The *spectral radius of the constraint error* is that of the step restricted
//! to range(P) ⊕ range(P), which it maps into itself. With the singular value decomposition B M^(−½) = U S Vᵀ, cut
//! off where singular values vanish (redundant rows), the columns of M^(−½)V span range(P) and Vᵀ M^½ are coordinates
//! on it.
//!
//! The coordinates are those that can move: three per body, fewer where an inertia is infinite; rows are scaled to unit length
//! first, so that metres and radians meet on one scale.

use super::eigenvalues::eigenvalues;
use super::soft::{Soft, SparseRow};
use super::{Model, StabilityError, gap_term};
use crate::constraint::{Row, Rows, Touch, Touches};
use crate::detect::{Contact, Detector, Reach};
use crate::experiment::dense::{Dense, Singular};
use crate::internal::{Colors, largest};
use crate::method::{GapTerm, Integrator, Linearised, Method, smallest_shape};
use crate::model::{BodyKind, Joint, World};

/// Singular values below this, relative to unit rows, belong to dependent rows; as in `lcp/direct/delassus.rs`, whose pivots
/// are squares of these.
const DEPENDENT: f64 = 1e-6;

/// The constraint rows of a world as it stands, over the coordinates that can move.
#[derive(Clone, Debug)]
pub(super) struct Gathered {
    /// Inverse mass of each coordinate, 1/kg or 1/(kg m²); none is zero.
    pub inverse_mass: Vec<f64>,
    /// The rows of the joints, then those of contacts and limits.
    pub rows: Vec<SparseRow>,
    /// How many successive rows belong to one joint, contact or limit, in the order of the rows.
    pub blocks: Vec<usize>,
    /// What each of these is to the soft step.
    pub kinds: Vec<Kind>,
    /// The blocks in the order of the sweeps of `soft`.
    pub order: Vec<usize>,
    /// How many rows are the joints'.
    pub of_joints: usize,
}

/// Whose softness a constraint has under the soft step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Limits, too.
    Joint,
    Contact,
    /// Of a fixed body.
    FixedContact,
}

impl Gathered {
    /// The world in its present state, with the contacts that `method` would have in its problem.
    pub fn of(world: &World, method: &Method) -> Self {
        let (mut rows, mut touches) = (Rows::default(), Touches::default());
        let q: Vec<_> = world.bodies().iter().map(|body| body.pose.coordinates()).collect();
        let v: Vec<_> = (0..q.len()).map(|body| world.velocity_of(body)).collect();
        rows.evaluate_joints(world, &q, &v);
        let rules = &method.contact;
        let distance = match gap_term(method) {
            Some(GapTerm::Travelling) => rules.active_distance_of(smallest_shape(world)),
            _ => rules.contact_tolerance_of(smallest_shape(world)),
        };
        let mut contacts = Vec::new();
        let reach = Reach { distance, travel: 0.0 };
        Detector::default().detect(world, rows.frames(), &reach, &mut contacts);
        touches.evaluate(world, rows.frames(), &contacts, &v);
        let limits = touches.limits().iter().filter(|limit| limit.row.g <= 0.0);
        let touching = touches.contacts().iter().chain(limits).map(|touch| &touch.row);
        let all: Vec<Row> = rows.joints().iter().chain(touching).copied().collect();
        let inverse = world.bodies().iter().map(|body| body.inverse_mass());
        let inverse: Vec<f64> = inverse.flat_map(|w| w.to_array()).collect();
        // Coordinates that can move, renumbered.
        let mut place = vec![None; inverse.len()];
        let mut inverse_mass = Vec::new();
        for (place, w) in place.iter_mut().zip(&inverse).filter(|(_, w)| **w > 0.0) {
            *place = Some(inverse_mass.len());
            inverse_mass.push(*w);
        }
        let sparse = |row: &Row| {
            let entries = row.arms().flat_map(|(body, j)| {
                j.to_array().into_iter().enumerate().map(move |(axis, j)| (3 * body + axis, j))
            });
            entries.filter_map(|(i, j)| Some((place[i]?, j))).filter(|(_, j)| *j != 0.0).collect()
        };
        let of_joints = rows.joints().len();
        let own = world.joints().iter().map(|joint| joint.rows());
        let blocks: Vec<usize> = own.chain(std::iter::repeat_n(1, all.len() - of_joints)).collect();
        let is_fixed = |body: usize| world.bodies()[body].kind() == BodyKind::Fixed;
        let of_contact = |touch: &Touch| {
            if is_fixed(touch.row.a) || is_fixed(touch.row.b) { Kind::FixedContact } else { Kind::Contact }
        };
        let joints = std::iter::repeat_n(Kind::Joint, world.joints().len());
        let of_contacts = touches.contacts().iter().map(of_contact);
        let kinds = joints.chain(of_contacts).chain(std::iter::repeat(Kind::Joint));
        let kinds = kinds.take(blocks.len()).collect();
        let order = order_of_sweeps(world, &contacts, touches.limits());
        Self { inverse_mass, rows: all.iter().map(sparse).collect(), blocks, kinds, order, of_joints }
    }
}

/// The blocks in the order in which the sweeps of `soft` visit them: by the colours of the constraints, of each colour joints
/// after their limits, then contacts. Of the limits those that touch have a block.
fn order_of_sweeps(world: &World, contacts: &[Contact], limits: &[Touch]) -> Vec<usize> {
    let mut colors = Colors::default();
    colors.begin(world.bodies().len());
    let moves = |body: usize| world.bodies()[body].inverse_mass().x > 0.0;
    let mut rank = |bodies: &[usize]| colors.rank(bodies.iter().copied().filter(|body| moves(*body)));
    let all = |joint: &Joint| joint.all_bodies().collect::<Vec<_>>();
    let joints: Vec<u32> = world.joints().iter().map(|joint| rank(&all(joint))).collect();
    world.nonholonomic().iter().for_each(|own| _ = rank(&own.bodies()));
    world.springs().iter().for_each(|own| _ = rank(&own.bodies()));
    let sprung = world.joints().iter().filter(|joint| joint.kind.suspension().is_some());
    sprung.for_each(|own| _ = rank(&own.bodies()));
    // Rank, whether it is a contact, joint or contact, place within the joint.
    let mut keys: Vec<(u32, bool, usize, u8)> =
        joints.iter().enumerate().map(|(joint, rank)| (*rank, false, joint, 2)).collect();
    let pair = |contact: &Contact| (contact.id.bodies, contact.id.pieces);
    for (index, contact) in contacts.iter().enumerate() {
        let rank = match index.checked_sub(1) {
            Some(last) if pair(&contacts[last]) == pair(contact) => keys[keys.len() - 1].0,
            _ => rank(&contact.bodies()),
        };
        keys.push((rank, true, index, 0));
    }
    let sides = world.joints().iter().enumerate().flat_map(|(joint, own)| {
        let bounds = own.rigid_limits().unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        let finite = (0..2).filter(move |side| bounds[*side as usize].is_finite());
        finite.map(move |side| (joint, side))
    });
    let touching = sides.zip(limits).filter(|(_, limit)| limit.row.g <= 0.0);
    keys.extend(touching.map(|((joint, side), _)| (joints[joint], false, joint, side)));
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_unstable_by_key(|block| keys[*block]);
    order
}

impl Gathered {
    /// One constraint alone, of unit mass.
    pub fn single() -> Self {
        Self {
            inverse_mass: vec![1.0],
            rows: vec![vec![(0, 1.0)]],
            blocks: vec![1],
            kinds: vec![Kind::Joint],
            order: vec![0],
            of_joints: 1,
        }
    }
}

/// A linear system with equality constraints.
#[derive(Clone, Debug)]
pub struct Linear {
    /// Inverse mass of each coordinate, 1/kg or 1/(kg m²); none is zero.
    inverse_mass: Vec<f64>,
    rows: Vec<SparseRow>,
    /// Coordinates by rank: an orthonormal basis of range(P) in mass-weighted coordinates M^½ q.
    basis: Dense,
}

impl Linear {
    /// The world in its present state, with the contacts that `method` would have in its problem.
    ///
    /// # Errors
    /// A pose that is not finite.
    pub fn of(world: &World, method: &Method) -> Result<Self, StabilityError> {
        let Gathered { inverse_mass, rows, .. } = Gathered::of(world, method);
        Self::new(inverse_mass, rows)
    }

    /// Rows, dependent ones included, and coordinates that can move, before anything is decomposed.
    pub fn size(world: &World, method: &Method) -> [usize; 2] {
        let Gathered { inverse_mass, rows, .. } = Gathered::of(world, method);
        [rows.iter().filter(|row| !row.is_empty()).count(), inverse_mass.len()]
    }

    /// A system of coordinates with inverse masses `inverse_mass` and constraint rows, each as (coordinate, entry).
    ///
    /// # Errors
    /// Entries that are not finite, masses that are not positive, coordinates that do not exist.
    pub fn new(inverse_mass: Vec<f64>, rows: Vec<Vec<(usize, f64)>>) -> Result<Self, StabilityError> {
        let sound = |(i, j): &(usize, f64)| *i < inverse_mass.len() && j.is_finite();
        if !rows.iter().flatten().all(sound) || !inverse_mass.iter().all(|w| w.is_finite() && *w > 0.0) {
            return Err(StabilityError::NotFinite);
        }
        let rows: Vec<SparseRow> = rows.into_iter().filter(|row| !row.is_empty()).collect();
        let basis = range(&inverse_mass, &rows)?;
        Ok(Self { inverse_mass, rows, basis })
    }

    /// Coordinates that can move: 3 n for n free bodies.
    pub fn coordinates(&self) -> usize {
        self.inverse_mass.len()
    }

    /// Scalar rows, dependent ones included.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Rank of B: the dimension of range(P).
    pub fn rank(&self) -> usize {
        self.basis.ncols()
    }

    /// P, coordinates by coordinates.
    pub fn projector(&self) -> Dense {
        let symmetric = &self.basis * &self.basis.transposed();
        let ratio = |i: usize, j: usize| (self.inverse_mass[i] / self.inverse_mass[j]).sqrt();
        Dense::from_fn(self.coordinates(), self.coordinates(), |i, j| ratio(i, j) * symmetric[(i, j)])
    }

    /// The matrix of one step of (δq, δv), of (δq, δv, δa) where it remembers accelerations, and of (δq, δv, λ) where the model
    /// has accumulated impulses: Λ, X and their kin.
    pub fn amplification(&self, model: &Model, h: f64) -> Dense {
        let linearised = match model {
            Model::Scheme(linearised) => linearised,
            Model::Soft(soft) => return self.soft_amplification(soft, h),
        };
        let n = self.coordinates();
        let identity = Dense::identity(n);
        let p = self.projector();
        match linearised {
            Linearised::Velocity { rate } => {
                let kept = &identity - &p;
                let from_q = &p * -rate;
                let rows = [&identity + &(&from_q * h), &kept * h, from_q, kept];
                blocks(n, &rows)
            }
            Linearised::Acceleration { alpha, beta, integrator } => {
                let from_q = &p * (-h * beta * beta);
                let from_v = &p * (-2.0 * h * alpha);
                match integrator {
                    Integrator::SemiImplicitEuler => {
                        let lower = [from_q, &identity + &from_v];
                        let upper = [&identity + &(&lower[0] * h), &lower[1] * h];
                        let ([a, b], [c, d]) = (upper, lower);
                        blocks(n, &[a, b, c, d])
                    }
                    Integrator::ExplicitEuler | Integrator::Rk4 => {
                        let zero = Dense::zeros(n, n);
                        let hc = blocks(n, &[zero, &identity * h, from_q, from_v]);
                        exponential(&hc, if *integrator == Integrator::Rk4 { 4 } else { 1 })
                    }
                }
            }
            Linearised::Projected => {
                let kept = &identity - &p;
                let moved = &kept * h;
                blocks(n, &[kept.clone(), moved, Dense::zeros(n, n), kept])
            }
            Linearised::Newmark { beta, gamma } => {
                let kept = &identity - &p;
                // a⁺ of (δq, δv, δa).
                let of_a =
                    [1.0 / (beta * h * h), 1.0 / (beta * h), (0.5 - beta) / beta].map(|own| &p * -own);
                let of_v = [0.0, 1.0, h * (1.0 - gamma)];
                let row = |k: usize| &(&p * of_v[k]) + &(&of_a[k] * (h * gamma));
                let moved = &kept * h;
                let zero = Dense::zeros(n, n);
                let v = [row(0), &kept + &row(1), row(2)];
                let parts = [[kept, moved, zero], v, of_a];
                Dense::from_fn(3 * n, 3 * n, |i, j| parts[i / n][j / n][(i % n, j % n)])
            }
        }
    }

    fn soft_amplification(&self, soft: &Soft, h: f64) -> Dense {
        let size = 2 * self.coordinates() + self.rows();
        let mut matrix = Dense::zeros(size, size);
        for column in 0..size {
            let mut state = vec![0.0; size];
            state[column] = 1.0;
            soft.step(&self.rows, &self.inverse_mass, h, &mut state);
            state.iter().enumerate().for_each(|(row, x)| matrix[(row, column)] = *x);
        }
        matrix
    }

    /// The step restricted to range(P) ⊕ range(P), and to a or λ where there is one: 2 r (+ r or m) rows. Velocities and impulses
    /// are measured by what they move in a step, h v, h² a and h √Aᵢᵢ λᵢ, so that all entries are of one unit, and
    /// eigenvalues lose nothing to scales.
    pub fn restricted(&self, model: &Model, h: f64) -> Dense {
        let whole = self.amplification(model, h);
        let (n, r) = (self.coordinates(), self.rank());
        let scales = [1.0, h, h * h];
        let scales = match model {
            Model::Scheme(Linearised::Newmark { .. }) => &scales[..],
            _ => &scales[..2],
        };
        let parts = scales.len();
        let extra = whole.nrows() - parts * n;
        let mut lift = Dense::zeros(whole.nrows(), parts * r + extra);
        let mut read = Dense::zeros(parts * r + extra, whole.nrows());
        for (i, w) in self.inverse_mass.iter().enumerate() {
            for k in 0..r {
                let entry = self.basis[(i, k)];
                for (half, scale) in scales.iter().enumerate() {
                    lift[(half * n + i, half * r + k)] = entry * w.sqrt() / scale;
                    read[(half * r + k, half * n + i)] = entry / w.sqrt() * scale;
                }
            }
        }
        for (i, row) in self.rows.iter().enumerate().take(extra) {
            let scale = h * row.iter().map(|(i, j)| j * j * self.inverse_mass[*i]).sum::<f64>().sqrt();
            (lift[(2 * n + i, 2 * r + i)], read[(2 * r + i, 2 * n + i)]) = (1.0 / scale, scale);
        }
        &(&read * &whole) * &lift
    }

    /// ρ of the constraint error, by the eigenvalues of the restricted step. Where eigenvalues coincide they are
    /// accurate to about 1e-8 only, the square root of rounding: a dead-beat scheme's 0 comes out as that.
    ///
    /// # Errors
    /// Entries that are not finite, or an iteration that does not converge.
    pub fn spectral_radius(&self, model: &Model, h: f64) -> Result<f64, StabilityError> {
        largest_eigenvalue(&self.restricted(model, h))
    }
}

/// An orthonormal basis of range(P) in mass-weighted coordinates M^½ q, coordinates by rank.
pub(super) fn range(inverse_mass: &[f64], rows: &[SparseRow]) -> Result<Dense, StabilityError> {
    let mut scaled = Dense::zeros(rows.len(), inverse_mass.len());
    for (index, row) in rows.iter().enumerate().filter(|(_, row)| !row.is_empty()) {
        let length = row.iter().map(|(i, j)| j * j * inverse_mass[*i]).sum::<f64>().sqrt();
        row.iter().for_each(|(i, j)| scaled[(index, *i)] += j * inverse_mass[*i].sqrt() / length);
    }
    Ok(Singular::of(&scaled).ok_or(StabilityError::NoConvergence)?.row_space(DEPENDENT))
}

/// The largest modulus of a real matrix's eigenvalues; 0 of an empty one.
///
/// # Errors
/// Entries that are not finite, or an iteration that does not converge.
pub fn largest_eigenvalue(matrix: &Dense) -> Result<f64, StabilityError> {
    if !matrix.entries().iter().all(|x| x.is_finite()) {
        return Err(StabilityError::NotFinite);
    }
    let values = eigenvalues(matrix).ok_or(StabilityError::NoConvergence)?;
    Ok(largest(values.into_iter().map(|(re, im)| re.hypot(im))))
}

/// [a b; c d] of four n × n blocks.
fn blocks(n: usize, parts: &[Dense; 4]) -> Dense {
    Dense::from_fn(2 * n, 2 * n, |i, j| parts[2 * (i / n) + j / n][(i % n, j % n)])
}

/// I + X + X²/2! + … up to the given order, by Horner's scheme.
fn exponential(x: &Dense, order: usize) -> Dense {
    let identity = Dense::identity(x.nrows());
    (1..=order).rev().fold(identity.clone(), |sum, n| &identity + &(&(x * &sum) * (1.0 / n as f64)))
}
