//! The rows of a world with their second derivatives.
//!
//! ```text
//! G_ij = ∂J_i/∂q_j                               over the coordinates of the row's bodies, six of two, up to twelve
//! δ(Jᵀλ) = λ G δq ,   δJ · y = yᵀG δq             geometric stiffness, and the turning of the row
//! ```
//!
//! **Joints and springs**: G is the Hessian H of g, and k = J̇v = vᵀH v is a quadratic form in v, which the engine computes.
//! Polarisation of the engine's own k gives H without another derivation, and without truncation:
//! ```text
//! H_ii = k(e_i) ,   H_ij = ½ [k(e_i + e_j) − k(e_i) − k(e_j)]
//! ```
//! **Non-holonomic rows**: N is not a gradient and G is not symmetric, so that k = vᵀG v determines only its
//! symmetric part: G is taken by differences of N. The same is done for a contact's tangential row; its normal row is
//! treated as a joint's.
//!
//! In both ∂k/∂v = (G + Gᵀ) v; ∂k/∂q is taken by differences of k. A difference is that of five points,
//! f′ = [f(−2d) − 8 f(−d) + 8 f(d) − f(2d)]/(12 d): its error is d⁴f⁽⁵⁾/30, and that of rounding 1e-16 f/d.

use super::active::{self, Active};
use crate::constraint::Row;
use crate::detect::Contact;
use crate::internal::{further_bodies, row_of};
use crate::model::joint::{Equation, JointKind};
use crate::model::nonholonomic::NonholonomicKind;
use crate::model::{Body, Frame, Joint, JointSoftness, Softness, Spring, World};
use glam::DVec3;

/// Distance of the points of a difference, m or rad: 1e-12 of rounding, and less of truncation down to lengths of 1 cm.
const DISTANCE: f64 = 1e-4;
/// Most bodies of a row: two, or four of a gear, of a pulley on wheels that bodies carry, and of joints of other crates.
const MOST: usize = 4;
/// Their coordinates.
const TWELVE: usize = 3 * MOST;

/// A covector of a row's coordinates, zero beyond them.
pub(super) type Covector = [f64; TWELVE];

/// The bodies of a row, the third and the fourth where it has them; one of them alone is there twice, with J in the second place.
#[derive(Clone, Copy, Debug)]
struct Slots {
    bodies: [usize; MOST],
    count: usize,
}

impl Slots {
    fn of([a, b]: [usize; 2], further: Option<[usize; 2]>) -> Self {
        let beyond = further.and_then(|[c, d]| further_bodies([a, b, c, d]));
        let [c, d] = beyond.unwrap_or([a, b]);
        Self { bodies: [a, b, c, d], count: if beyond.is_some() { MOST } else { 2 } }
    }

    /// Number of coordinates.
    fn size(&self) -> usize {
        3 * self.count
    }

    /// The place of a body.
    fn place(&self, body: usize) -> usize {
        let [a, b, _, d] = self.bodies;
        match body {
            _ if body == a => 0,
            _ if body == b => 1,
            _ if body == d => 3,
            _ => 2,
        }
    }

    fn gathered(&self, x: &[DVec3]) -> [DVec3; MOST] {
        let part = |place: usize| if place < self.count { x[self.bodies[place]] } else { DVec3::ZERO };
        std::array::from_fn(part)
    }
}

/// What a row belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// g(q) = 0.
    Joint,
    /// N(q) v = v₀(t): which constraint of the world, and which of its rows.
    Held(usize, usize),
    /// A force −k s − d ṡ along J: which spring of the world, the number of the row among all springs', and k and d.
    Spring([usize; 2], Softness),
    /// φ(q) = 0 of a contact that pushes.
    Normal,
    /// J_t v = 0 of a contact that sticks.
    Stuck,
}

impl Kind {
    /// Whether the row has a position to keep.
    pub fn has_position(self) -> bool {
        matches!(self, Self::Joint | Self::Normal)
    }

    /// Whether it is a spring's, which constrains nothing.
    pub fn is_spring(self) -> bool {
        matches!(self, Self::Spring(..))
    }
}

/// A row with the derivatives of J and k.
#[derive(Clone, Debug)]
pub(super) struct Curved {
    pub row: Row,
    pub kind: Kind,
    slots: Slots,
    /// G.
    turning: [Covector; TWELVE],
    /// ∂k/∂q and ∂k/∂v at the velocity of the evaluation.
    k_by_q: Covector,
    k_by_v: Covector,
}

impl Curved {
    /// J x.
    pub fn along(&self, x: &[DVec3]) -> f64 {
        self.row.rate(x)
    }

    /// G x, on its bodies: for δ(Jᵀλ)/λ.
    pub fn turned(&self, x: &[DVec3]) -> impl Iterator<Item = (usize, DVec3)> + Clone + use<> {
        let x = self.coordinates(x);
        let mut turned = [0.0; TWELVE];
        for (own, row) in turned.iter_mut().zip(&self.turning).take(self.slots.size()) {
            *own = dot(row, &x);
        }
        self.on_bodies(&turned)
    }

    /// yᵀG, to be multiplied by δq: for δJ · y.
    pub fn sweep(&self, y: &[DVec3]) -> Covector {
        let (y, size) = (self.coordinates(y), self.slots.size());
        let mut sweep = [0.0; TWELVE];
        for (j, own) in sweep.iter_mut().enumerate().take(size) {
            *own = (0..size).map(|i| y[i] * self.turning[i][j]).sum();
        }
        sweep
    }

    /// The product of a covector of the row's coordinates and x.
    pub fn times(&self, covector: &Covector, x: &[DVec3]) -> f64 {
        dot(covector, &self.coordinates(x))
    }

    /// δk.
    pub fn k_along(&self, dq: &[DVec3], dv: &[DVec3]) -> f64 {
        self.times(&self.k_by_q, dq) + self.times(&self.k_by_v, dv)
    }

    /// A covector by its parts on the row's bodies.
    pub fn on_bodies(&self, covector: &Covector) -> impl Iterator<Item = (usize, DVec3)> + Clone + use<> {
        let Slots { bodies, count } = self.slots;
        bodies.into_iter().zip(parted(*covector)).take(count)
    }

    fn coordinates(&self, x: &[DVec3]) -> Covector {
        joined(self.slots.gathered(x))
    }
}

/// Every row at (q, v): joints, non-holonomic constraints, the contacts that push, springs that carry a force.
pub(super) fn rows(world: &World, active: &[Active], q: &[DVec3], v: &[DVec3]) -> Vec<Curved> {
    let mut all = Vec::new();
    let joints = world.joints().iter().filter(|joint| joint.is_rigid());
    let joints = joints.map(|joint| (joint.bodies(), Source::Joint(joint)));
    let held = world.nonholonomic().iter().enumerate();
    let held = held.map(|(index, own)| (own.bodies(), Source::Held(index, &own.kind)));
    let stiff = |spring: &&Spring| spring.softness.stiffness + spring.softness.damping > 0.0;
    let soft_joints = world.joints().iter().filter(|joint| joint.is_soft());
    let first_suspension =
        world.springs().iter().map(Spring::rows).chain(soft_joints.map(Joint::soft_rows)).sum::<usize>();
    let mut first = 0;
    let numbered = world.springs().iter().enumerate().map(|(index, spring)| {
        first += spring.rows();
        ([index, first - spring.rows()], spring)
    });
    let springs = numbered.filter(|(_, spring)| stiff(spring));
    let springs = springs.map(|(numbers, spring)| (spring.bodies(), Source::Spring(numbers, spring)));
    let mut first: usize = world.springs().iter().map(Spring::rows).sum();
    let soft = world
        .joints()
        .iter()
        .filter_map(|joint| Some((joint, joint.softness.filter(|_| joint.is_soft())?)));
    let soft = soft.map(move |(joint, softness)| {
        first += joint.soft_rows();
        (joint.bodies(), Source::SoftJoint(first - joint.soft_rows(), joint, softness))
    });
    let normals = active.iter().map(|own| (&own.contact, false));
    let stuck = active.iter().filter(|own| own.holds).map(|own| (&own.contact, true));
    let touches = normals.chain(stuck);
    let touches = touches.map(|(own, tangential)| {
        (own.bodies(), Source::Touch { contact: own, tangential, bodies: world.bodies() })
    });
    // The engine weighs the suspensions after the springs and the soft joints.
    let sprung = world.joints().iter().filter_map(|joint| Some((joint, joint.suspension()?)));
    let suspensions = sprung.enumerate().map(|(place, (joint, own))| {
        let numbers = [world.springs().len() + place, first_suspension + place];
        let softness = Softness { stiffness: own.stiffness, damping: own.damping };
        (joint.bodies(), Source::Suspension(numbers, &joint.kind, softness))
    });
    for (bodies, source) in joints.chain(held).chain(touches).chain(springs).chain(soft).chain(suspensions)
    {
        let slots = Slots::of(bodies, source.further());
        all.extend(source.curved(slots, slots.gathered(q), slots.gathered(v)));
    }
    all
}

/// Whether a motor holds a pose or a position, or friction does: at rest they do not act, and yet the step depends on them.
pub(super) fn holds(joint: &Joint) -> bool {
    joint.servo.is_some() || joint.friction > 0.0 || matches!(joint.kind, JointKind::PoseMotor(_))
}

/// Where rows come from.
enum Source<'w> {
    Joint(&'w Joint),
    Held(usize, &'w NonholonomicKind),
    Spring([usize; 2], &'w Spring),
    /// The number of its first row among those of springs and soft joints.
    SoftJoint(usize, &'w Joint, JointSoftness),
    Suspension([usize; 2], &'w JointKind, Softness),
    Touch {
        contact: &'w Contact,
        tangential: bool,
        bodies: &'w [Body],
    },
}

impl Source<'_> {
    /// The third and the fourth body.
    fn further(&self) -> Option<[usize; 2]> {
        match self {
            Self::Joint(joint) => joint.further(),
            _ => None,
        }
    }

    /// The rows at the poses and velocities of its bodies.
    fn at(&self, slots: Slots, q: [DVec3; MOST], v: [DVec3; MOST]) -> Vec<Row> {
        let mut rows = Vec::new();
        let frame = |place: usize| Frame::new(q[place], v[place]);
        let (frame_a, frame_b) = (frame(0), frame(1));
        let [a, b, ..] = slots.bodies;
        let emit = |equation: Equation| rows.push(row_of([a, b, a, b], equation, [DVec3::ZERO; 2]));
        match self {
            Self::Joint(joint) => {
                let ([a, b], [c, d]) = (joint.bodies(), joint.further().unwrap_or(joint.bodies()));
                joint.equations(
                    |body| frame(slots.place(body)),
                    |own, further| rows.push(row_of([a, b, c, d], own, further)),
                );
            }
            Self::Spring(_, spring) => spring.equations(&frame_a, &frame_b, emit),
            Self::SoftJoint(_, joint, _) => joint.soft_equations(&frame_a, &frame_b, emit),
            Self::Suspension(_, kind, _) => kind.coordinate(&frame_a, &frame_b).into_iter().for_each(emit),
            Self::Touch { contact, tangential, bodies } => {
                rows.push(active::row(contact, *tangential, bodies, &frame_a, &frame_b));
            }
            Self::Held(_, kind) => kind.equations(&frame_a, &frame_b, emit),
        }
        rows
    }

    fn curved(&self, slots: Slots, q: [DVec3; MOST], v: [DVec3; MOST]) -> Vec<Curved> {
        let own = self.at(slots, q, v);
        let blank = |(index, row): (usize, &Row)| self.blank(index, slots, *row);
        let mut all: Vec<Curved> = own.iter().enumerate().map(blank).collect();
        match self {
            Self::Held(..) | Self::Touch { tangential: true, .. } => {
                self.differentiate_rows(slots, q, &mut all)
            }
            Self::Joint(_)
            | Self::Spring(..)
            | Self::SoftJoint(..)
            | Self::Suspension(..)
            | Self::Touch { .. } => self.polarise(slots, q, &mut all),
        }
        let (speed, size) = (joined(v), slots.size());
        for Curved { turning, k_by_v, .. } in &mut all {
            for (i, own) in k_by_v.iter_mut().enumerate().take(size) {
                *own = (0..size).map(|j| (turning[i][j] + turning[j][i]) * speed[j]).sum();
            }
        }
        for j in 0..size {
            let slopes = five_points(|shift| {
                let rows = self.at(slots, shifted(q, j, shift), v);
                rows.iter().map(|row| row.k).collect()
            });
            all.iter_mut().zip(slopes).for_each(|(curved, slope)| curved.k_by_q[j] = slope);
        }
        all
    }

    fn blank(&self, index: usize, slots: Slots, row: Row) -> Curved {
        let kind = match self {
            Self::Joint(_) => Kind::Joint,
            Self::Held(constraint, _) => Kind::Held(*constraint, index),
            Self::Spring([spring, first], own) => Kind::Spring([*spring, first + index], own.softness),
            // No spring of the world has that number: it never swings.
            Self::SoftJoint(first, _, softness) => {
                Kind::Spring([usize::MAX, first + index], softness.of(row.unit))
            }
            Self::Suspension(numbers, _, softness) => Kind::Spring(*numbers, *softness),
            Self::Touch { tangential: true, .. } => Kind::Stuck,
            Self::Touch { .. } => Kind::Normal,
        };
        let none = [0.0; TWELVE];
        Curved { row, kind, slots, turning: [none; TWELVE], k_by_q: none, k_by_v: none }
    }

    fn polarise(&self, slots: Slots, q: [DVec3; MOST], all: &mut [Curved]) {
        let k = |directions: &[usize]| -> Vec<f64> {
            let mut v = [0.0; TWELVE];
            directions.iter().for_each(|i| v[*i] += 1.0);
            self.at(slots, q, parted(v)).iter().map(|row| row.k).collect()
        };
        let single: Vec<Vec<f64>> = (0..slots.size()).map(|i| k(&[i])).collect();
        for i in 0..slots.size() {
            for j in 0..i {
                for (index, (both, curved)) in k(&[i, j]).iter().zip(all.iter_mut()).enumerate() {
                    let entry = 0.5 * (both - single[i][index] - single[j][index]);
                    (curved.turning[i][j], curved.turning[j][i]) = (entry, entry);
                }
            }
            all.iter_mut().zip(&single[i]).for_each(|(curved, k)| curved.turning[i][i] = *k);
        }
    }

    /// G of rows between two bodies.
    fn differentiate_rows(&self, slots: Slots, q: [DVec3; MOST], all: &mut [Curved]) {
        for j in 0..slots.size() {
            let slopes = five_points(|shift| {
                let rows = self.at(slots, shifted(q, j, shift), [DVec3::ZERO; MOST]);
                let both = |row: &Row| joined([row.ja, row.jb, DVec3::ZERO, DVec3::ZERO]);
                rows.iter().flat_map(both).collect()
            });
            for (curved, slopes) in all.iter_mut().zip(slopes.chunks(TWELVE)) {
                (0..slots.size()).for_each(|i| curved.turning[i][j] = slopes[i]);
            }
        }
    }
}

/// The derivatives of all entries of `f` at 0.
fn five_points(f: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let [far, near] = [2.0, 1.0].map(|n| [f(-n * DISTANCE), f(n * DISTANCE)]);
    let slope = |i: usize| (8.0 * (near[1][i] - near[0][i]) - (far[1][i] - far[0][i])) / (12.0 * DISTANCE);
    (0..near[0].len()).map(slope).collect()
}

fn shifted(q: [DVec3; MOST], coordinate: usize, shift: f64) -> [DVec3; MOST] {
    let mut q = joined(q);
    q[coordinate] += shift;
    parted(q)
}

fn joined(x: [DVec3; MOST]) -> Covector {
    let mut all = [0.0; TWELVE];
    all.chunks_exact_mut(3).zip(x).for_each(|(own, x)| own.copy_from_slice(&x.to_array()));
    all
}

fn parted(x: Covector) -> [DVec3; MOST] {
    std::array::from_fn(|place| DVec3::from_slice(&x[3 * place..]))
}

fn dot(a: &Covector, b: &Covector) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
