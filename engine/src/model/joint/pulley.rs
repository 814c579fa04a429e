//! Pulley: a rope without mass from a point of body a over two wheels to a point of body b.
//!
//! The part of the rope between the wheels keeps its length; the other two, from each end to its wheel, have the sum
//!
//! ```text
//! x  = |d_a| + ρ |d_b|                                    m
//! ẋ  = n_a·ḋ_a + ρ n_b·ḋ_b ,   n = d/|d|
//! J  = [ n_a, r_a×n_a | ρ n_b, ρ r_b×n_b | −n_a, −s_a×n_a | −ρ n_b, −ρ s_b×n_b ]
//! k  = k_a + ρ k_b
//! ```
//!
//! with d = p − w from the wheel w to the end p, r the arm of an end and s that of a wheel, and k of each part as in the length
//! form of `distance.rs`. A wheel is a point that is fixed in the world, and is then in no row, or one of a third and a fourth
//! body. The ratio ρ > 0 is that of a block and tackle: the end b moves by 1/ρ of what the end a moves, and is pulled by ρ
//! times the tension.
//!
//! ```text
//! g = x − L = 0                        taut at all times      1 row, m
//! 0 ≤ φ = L − x  ⊥  λ ≥ 0              may go slack           no row, a limit
//! ```
//!
//! A pulley that may go slack becomes taut by an impact with the restitution of its joint, 0 by default. Where an end reaches its
//! wheel, |d| has no gradient; n is then along the x axis, as that of a rod.

use super::distance::{Distance, DistanceForm};
use super::{Equation, Unit};
use crate::model::body::Frame;
use crate::model::error::{ModelError, finite_vector, positive};
use glam::{DVec2, DVec3};

/// A rope over two wheels: |d_a| + ρ |d_b| = L, or at most L.
///
/// ```
/// use driftlab::prelude::*;
///
/// // Atwood's machine: two masses of 1 and 2 kg, one metre below their wheels.
/// let mut world = World::new([0.0, -9.81]);
/// let load = |x: f64, mass: f64| Body::dynamic().at([x, 0.0]).mass_and_inertia(mass, 0.1);
/// let (light, heavy) = (world.add_body(load(0.0, 1.0))?, world.add_body(load(1.0, 2.0))?);
/// let pulley = world.add_joint(Joint::pulley(light, heavy, [[0.0, 1.0], [1.0, 1.0]]))?;
/// let JointKind::Pulley(Pulley { length, .. }) = world[pulley].kind else { unreachable!() };
/// assert_eq!(length, 2.0);
/// step(&mut world, &Method::none(), 0.01, &mut Workspace::default())?;
/// assert!((world[light].velocity.linear.y - 0.01 * 9.81 / 3.0).abs() < 1e-12); // g (M − m)/(M + m)
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pulley {
    /// The ends on body a and body b, relative to the centres of mass, in the bodies' frames, m.
    pub anchors: [DVec2; 2],
    /// Where the wheel of each end is, m: relative to the centre of mass of the body that carries it, in its frame; in the world
    /// where none does.
    pub wheels: [DVec2; 2],
    /// Whether the third and the fourth body of the joint carry the wheels.
    pub carried: [bool; 2],
    /// ρ, greater than 0.
    pub ratio: f64,
    /// L, m.
    pub length: f64,
    /// Whether the rope may go slack, so that L is the most that x can be.
    pub slack: bool,
}

impl Pulley {
    /// Whether a body carries one of its wheels.
    pub fn is_carried(&self) -> bool {
        self.carried != [false; 2]
    }

    /// The bounds of x.
    pub(super) fn bounds(&self) -> Option<[f64; 2]> {
        self.slack.then_some([f64::NEG_INFINITY, self.length])
    }

    /// |d_a| and |d_b| at the frames of its bodies, m.
    pub fn parts(&self, at: [&Frame; 4]) -> [f64; 2] {
        self.of_parts(at).map(|part| part.g)
    }

    /// The length of each part between its wheel and its end, with J of the wheel first.
    fn of_parts(&self, [a, b, c, d]: [&Frame; 4]) -> [Equation; 2] {
        let still = Frame::new(DVec3::ZERO, DVec3::ZERO);
        let part = |side: usize, end: &Frame, carrier: &Frame| {
            let anchors = [self.wheels[side], self.anchors[side]];
            let rod = Distance { anchors, length: 0.0, form: DistanceForm::Length };
            let mut x = Equation::NONE;
            rod.equations(if self.carried[side] { carrier } else { &still }, end, |row| x = row);
            x
        };
        [part(0, a, c), part(1, b, d)]
    }

    /// x over the bodies of its ends, with ∂x/∂q of those that carry wheels.
    pub(super) fn coordinate(&self, at: [&Frame; 4]) -> (Equation, [DVec3; 2]) {
        let [a, b] = self.of_parts(at);
        let of_wheel = |side: usize, j: DVec3| if self.carried[side] { j } else { DVec3::ZERO };
        let x = Equation {
            g: a.g + self.ratio * b.g,
            ja: a.jb,
            jb: self.ratio * b.jb,
            k: a.k + self.ratio * b.k,
            unit: Unit::Metre,
        };
        (x, [of_wheel(0, a.ja), of_wheel(1, self.ratio * b.ja)])
    }

    /// g of one that is taut, likewise.
    pub(super) fn equation(&self, at: [&Frame; 4]) -> (Equation, [DVec3; 2]) {
        let (x, further) = self.coordinate(at);
        (Equation { g: x.g - self.length, ..x }, further)
    }

    /// The elongation of a soft one that may go slack; a row without g and J while it is slack.
    pub(super) fn elongation(&self, a: &Frame, b: &Frame) -> Equation {
        let (row, _) = self.equation([a, b, a, b]);
        if row.g > 0.0 { row } else { Equation::NONE }
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        self.wheels.iter().try_for_each(|wheel| finite_vector("wheel of the pulley", *wheel))?;
        positive("ratio of the pulley", self.ratio)?;
        positive("length of the pulley", self.length)
    }
}
