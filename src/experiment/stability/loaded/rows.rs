//! The rows of a world with their second derivatives.
//!
//! ```text
//! G_ij = ∂J_i/∂q_j                               over the six coordinates of the row's two bodies
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
use crate::model::joint::JointKind;
use crate::model::nonholonomic::NonholonomicKind;
use crate::model::{Body, Frame, Joint, JointSoftness, Softness, Spring, World};
use glam::DVec3;

/// Distance of the points of a difference, m or rad: 1e-12 of rounding, and less of truncation down to lengths of 1 cm.
const DISTANCE: f64 = 1e-4;
/// Coordinates of two bodies.
const SIX: usize = 6;

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
    /// G.
    turning: [[f64; SIX]; SIX],
    /// ∂k/∂q and ∂k/∂v at the velocity of the evaluation.
    k_by_q: [f64; SIX],
    k_by_v: [f64; SIX],
}

impl Curved {
    /// J x.
    pub fn along(&self, x: &[DVec3]) -> f64 {
        self.row.rate(x)
    }

    /// G x, on bodies a and b: for δ(Jᵀλ)/λ.
    pub fn turned(&self, x: &[DVec3]) -> [DVec3; 2] {
        let x = self.six(x);
        halves(std::array::from_fn(|i| dot(&self.turning[i], &x)))
    }

    /// yᵀG, to be multiplied by δq: for δJ · y.
    pub fn sweep(&self, y: &[DVec3]) -> [f64; SIX] {
        let y = self.six(y);
        std::array::from_fn(|j| (0..SIX).map(|i| y[i] * self.turning[i][j]).sum())
    }

    /// The product of a covector of the row's six coordinates and x.
    pub fn times(&self, covector: &[f64; SIX], x: &[DVec3]) -> f64 {
        dot(covector, &self.six(x))
    }

    /// δk.
    pub fn k_along(&self, dq: &[DVec3], dv: &[DVec3]) -> f64 {
        self.times(&self.k_by_q, dq) + self.times(&self.k_by_v, dv)
    }

    fn six(&self, x: &[DVec3]) -> [f64; SIX] {
        sixfold(x[self.row.a], x[self.row.b])
    }
}

/// Every row at (q, v): joints, non-holonomic constraints, the contacts that push, springs that carry a force.
pub(super) fn rows(world: &World, active: &[Active], q: &[DVec3], v: &[DVec3]) -> Vec<Curved> {
    let mut all = Vec::new();
    let joints = world.joints().iter().filter(|joint| joint.is_rigid());
    let joints = joints.map(|joint| (joint.bodies(), Source::Joint(&joint.kind)));
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
        let place = bodies.map(|body| q[body]);
        let speed = bodies.map(|body| v[body]);
        all.extend(source.curved(bodies, place, speed));
    }
    all
}

/// Whether a motor holds a pose or a position, or friction does: at rest they do not act, and yet the step depends on them.
pub(super) fn holds(joint: &Joint) -> bool {
    joint.servo.is_some() || joint.friction > 0.0 || matches!(joint.kind, JointKind::PoseMotor(_))
}

/// Where rows come from.
enum Source<'w> {
    Joint(&'w JointKind),
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
    /// The rows at the poses and velocities of two bodies.
    fn at(&self, [a, b]: [usize; 2], q: [DVec3; 2], v: [DVec3; 2]) -> Vec<Row> {
        let mut rows = Vec::new();
        let (frame_a, frame_b) = (Frame::new(q[0], v[0]), Frame::new(q[1], v[1]));
        let emit = |equation: crate::model::joint::Equation| {
            let crate::model::joint::Equation { g, ja, jb, k, unit } = equation;
            rows.push(Row { a, b, ja, jb, g, k, c: 0.0, unit, further: None });
        };
        match self {
            Self::Joint(kind) => kind.equations(&frame_a, &frame_b, emit),
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

    fn curved(&self, bodies: [usize; 2], q: [DVec3; 2], v: [DVec3; 2]) -> Vec<Curved> {
        let own = self.at(bodies, q, v);
        let mut all: Vec<Curved> = own.iter().enumerate().map(|(i, row)| self.blank(i, *row)).collect();
        match self {
            Self::Held(..) | Self::Touch { tangential: true, .. } => {
                self.differentiate_rows(bodies, q, &mut all)
            }
            Self::Joint(_)
            | Self::Spring(..)
            | Self::SoftJoint(..)
            | Self::Suspension(..)
            | Self::Touch { .. } => self.polarise(bodies, q, &mut all),
        }
        let speed = sixfold(v[0], v[1]);
        for curved in &mut all {
            let turning = &curved.turning;
            let sum = |i: usize| (0..SIX).map(|j| (turning[i][j] + turning[j][i]) * speed[j]).sum();
            curved.k_by_v = std::array::from_fn(sum);
        }
        for j in 0..SIX {
            let slopes = five_points(|shift| {
                let rows = self.at(bodies, shifted(q, j, shift), v);
                rows.iter().map(|row| row.k).collect()
            });
            all.iter_mut().zip(slopes).for_each(|(curved, slope)| curved.k_by_q[j] = slope);
        }
        all
    }

    fn blank(&self, index: usize, row: Row) -> Curved {
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
        Curved { row, kind, turning: [[0.0; SIX]; SIX], k_by_q: [0.0; SIX], k_by_v: [0.0; SIX] }
    }

    fn polarise(&self, bodies: [usize; 2], q: [DVec3; 2], all: &mut [Curved]) {
        let k = |directions: &[usize]| -> Vec<f64> {
            let mut v = [0.0; SIX];
            directions.iter().for_each(|i| v[*i] += 1.0);
            self.at(bodies, q, halves(v)).iter().map(|row| row.k).collect()
        };
        let single: [Vec<f64>; SIX] = std::array::from_fn(|i| k(&[i]));
        for i in 0..SIX {
            for j in 0..i {
                for (index, (both, curved)) in k(&[i, j]).iter().zip(all.iter_mut()).enumerate() {
                    let entry = 0.5 * (both - single[i][index] - single[j][index]);
                    (curved.turning[i][j], curved.turning[j][i]) = (entry, entry);
                }
            }
            all.iter_mut().zip(&single[i]).for_each(|(curved, k)| curved.turning[i][i] = *k);
        }
    }

    fn differentiate_rows(&self, bodies: [usize; 2], q: [DVec3; 2], all: &mut [Curved]) {
        for j in 0..SIX {
            let slopes = five_points(|shift| {
                let rows = self.at(bodies, shifted(q, j, shift), [DVec3::ZERO; 2]);
                rows.iter().flat_map(|row| sixfold(row.ja, row.jb)).collect()
            });
            for (curved, slopes) in all.iter_mut().zip(slopes.chunks(SIX)) {
                (0..SIX).for_each(|i| curved.turning[i][j] = slopes[i]);
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

fn shifted(q: [DVec3; 2], coordinate: usize, shift: f64) -> [DVec3; 2] {
    let mut q = sixfold(q[0], q[1]);
    q[coordinate] += shift;
    halves(q)
}

fn sixfold(a: DVec3, b: DVec3) -> [f64; SIX] {
    [a.x, a.y, a.z, b.x, b.y, b.z]
}

fn halves(x: [f64; SIX]) -> [DVec3; 2] {
    [DVec3::new(x[0], x[1], x[2]), DVec3::new(x[3], x[4], x[5])]
}

fn dot(a: &[f64; SIX], b: &[f64; SIX]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
