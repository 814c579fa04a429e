//! The report of a step, and the errors with which a step can fail.

mod broken;
mod error;
mod stage;

pub use broken::Break;
pub(crate) use error::solvers_that;
pub use error::{StepError, Unsolved};
pub(crate) use stage::tell;
pub use stage::{Stage, StageObserver};

use crate::lcp::{Further, MixedOutcome, Solver, Trail};
use crate::math::largest;
use crate::model::BodyId;
#[doc(inline)]
pub use crate::model::ConstraintId;
use crate::model::joint::Unit;
use glam::DVec3;

/// The report of one step: errors, rates and energies at the new pose, where g and J are evaluated anew; rows,
/// contacts, residuals and the trail of the step's solves.
///
/// Times are not in it: the engine reads no clock.
///
/// ```
/// use driftlab::prelude::*;
///
/// let mut world = World::new([0.0, -9.81]);
/// let wall = world.add_body(Body::fixed())?;
/// let bob = world.add_body(Body::dynamic().at([1.0, 0.0]).shape(Shape::circle(0.1)))?;
/// world.add_joint(Joint::hinge(wall, bob).at([0.0, 0.0]))?;
/// let report = step(&mut world, &Method::none(), 1e-3, &mut Workspace::default())?;
/// assert!(report.joint_error > 0.0 && report.joint_error_unit == Unit::Metre);
/// assert!((report.total_energy() - report.kinetic_energy - report.potential_energy).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct StepReport {
    /// Number of the step just made; 0 for the initial state.
    pub step: u64,
    /// Simulation time after the step, s.
    pub time: f64,
    /// Largest |g| over the joint rows and violated limits, whatever the unit: that of [`StepReport::joint_error_unit`].
    pub joint_error: f64,
    /// m, rad, or m² of the squared distance: the unit of the row or limit with the largest error.
    pub joint_error_unit: Unit,
    /// Largest |g| over the joint rows, separately for each unit, without the limits.
    pub joint_errors: UnitErrors,
    /// Largest violation of a joint's limit, separately for each unit: m for sliders, rad for hinges.
    pub limit_errors: UnitErrors,
    /// [`StepReport::joint_error`] before the scheme corrected positions, if it does.
    pub joint_error_before: Option<f64>,
    /// Largest max(0, −φ) over the contacts, m.
    pub contact_error: f64,
    /// [`StepReport::contact_error`] before the scheme corrected positions, if it does.
    pub contact_error_before: Option<f64>,
    /// Pairs of bodies that have passed through each other in the step, of those that moved farther than the thinner one is
    /// thick.
    pub passages: usize,
    /// The first such pair.
    pub passed: Option<[BodyId; 2]>,
    /// Joints, motors and springs that broke at the end of the step.
    pub broken: usize,
    /// The first of them.
    pub broke: Option<ConstraintId>,
    /// Largest |J v + c| over the joint rows, in [`StepReport::velocity_error_unit`] per second.
    pub velocity_error: f64,
    /// m, rad or m², of the row with the largest velocity error.
    pub velocity_error_unit: Unit,
    /// Largest |N v − v₀(t)| over the non-holonomic rows, m/s.
    pub nonholonomic_error: f64,
    /// Kinetic energy, J.
    pub kinetic_energy: f64,
    /// Potential energy of gravity and springs, J.
    pub potential_energy: f64,
    /// Energy that the stabilization added to the system in this step (negative: removed), J, net of what this step
    /// removes of the energy added in the step before. Losses in impacts and friction do not count; each scheme's
    /// file defines what does.
    pub correction_work: f64,
    /// Work of the applied forces and the force laws in this step, J (`model/applied_force.rs`).
    pub applied_work: f64,
    /// Who else did which work in this step, and what of the change of the kinetic energy nobody did.
    pub work: Work,
    /// Bodies in the world.
    pub bodies: usize,
    /// Contact points in the problem.
    pub contacts: usize,
    /// Scalar rows in the problem.
    pub rows: usize,
    /// Rows that depend on the others (redundant or conflicting): found by the factorisation.
    pub dependent_rows: usize,
    /// Systems solved, pivots or iterations, as the solver counts.
    pub solver_iterations: usize,
    /// The largest residual of a row of the last solve as posed: |J v⁺ + b| of an equation, in m/s at every level. Of a
    /// step in parts it is the largest of the parts'; for schemes that sweep,
    /// the change that one more visit to a single row would make (see `stages/sweeps.rs`).
    pub residual: f64,
    /// The largest residual of the step's solves as a share of their problems' speed, without unit, or an upper bound of it (see
    /// `lcp/problem/acceptance.rs`): at most 1e-9, except on islands without a solution, on approximate islands, and on islands
    /// that are solved only nearly, for instance because masses differ by more than 1.8e4. Absent under schemes that sweep, which
    /// guarantee no residual.
    pub relative_residual: Option<f64>,
    /// Number of position corrections that were damped because they would have increased the errors: joints and
    /// contacts contradict each other.
    pub damped_corrections: usize,
    /// The largest fraction of its error that a position correction left. Newton's method converges quadratically
    /// near the solution; a fraction that is not small shows that the correction started outside this region
    /// ([`LEFT_BY_NEWTON`]). Absent if nothing was corrected.
    pub correction_left: Option<f64>,
    /// The highest frequency of the oscillations that joint forces impose on a body, rad/s: the transverse swing of a
    /// link in a taut chain, √(12 T/(m L)) for a bar under the tension T. A step h resolves it if h times this
    /// frequency is well below [`LARGEST_PHASE`].
    pub fastest_rate: f64,
    /// The solvers tried on the step's problem, for the island with the most attempts.
    pub trail: Trail,
    /// Number of parts into which the step was divided because its problem was not solved in one; normally 1.
    pub substeps: usize,
    /// Number of islands, groups of bodies that no row connects with others, each solved separately; 0 where joints
    /// alone were solved as one system.
    pub islands: usize,
    /// Islands that were solved with the least violation, since their problem is proved to have no solution, or with
    /// one that nothing proves necessary (see [`StepReport::unproved`]).
    pub infeasible: usize,
    /// Islands solved only nearly, or with a violation although nothing proves that there is no solution: `auto` found none, in
    /// the whole step or in its parts. Those with a violation count as [`StepReport::infeasible`], too.
    pub unproved: usize,
    /// Islands whose solution is approximate because the method bounds the effort of `auto`; of several solves of the step, the
    /// most.
    pub approximate: usize,
    /// The largest residual that was left in an approximate island, as a share of its problem's speed; absent without any.
    pub approximate_residual: Option<f64>,
    /// Key of the solver that found the solution, that of the largest island if they differ; `gauss_seidel` for
    /// schemes that sweep.
    pub solver: &'static str,
}

/// Work done in a step, J: the change of the kinetic energy by its causes (`stages/accounts.rs`).
///
/// Its parts and [`StepReport::applied_work`] add up to the change of the kinetic energy, to rounding. What acts
/// through impulses is counted by the mean of the velocities before and after the step, what has a force by the path.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Work {
    /// Of the weights: the loss of their potential energy.
    pub gravity: f64,
    /// Of the springs: the loss of their potential energy, less what their damping takes.
    pub springs: f64,
    /// Of the motors.
    pub motors: f64,
    /// Of whoever moves the bodies whose motion is prescribed, and of prescribed velocities.
    pub drivers: f64,
    /// Of the mouse: its pull and its repulsion.
    pub hand: f64,
    /// Of friction at contacts: at most zero but for rounding.
    pub friction: f64,
    /// Of impacts at contacts and limits: at most zero.
    pub impacts: f64,
    /// Of damping and the drag of the air; at most zero without wind.
    pub drag: f64,
    /// The rest, which nothing in the scene has done: the error of the time step, of joints, and of corrections.
    pub method: f64,
}

impl Work {
    /// Its parts by name, in the order of the fields.
    pub fn parts(&self) -> [(&'static str, f64); 9] {
        let Self { gravity, springs, motors, drivers, hand, friction, impacts, drag, method } = *self;
        [
            ("gravity", gravity),
            ("springs", springs),
            ("motors", motors),
            ("drivers", drivers),
            ("hand", hand),
            ("friction", friction),
            ("impacts", impacts),
            ("drag", drag),
            ("method", method),
        ]
    }

    /// What comes from outside, but for applied forces: motors, drivers, the hand and the air.
    pub fn driven(&self) -> f64 {
        self.motors + self.drivers + self.hand + self.drag
    }
}

impl std::ops::AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.gravity += other.gravity;
        self.springs += other.springs;
        self.motors += other.motors;
        self.drivers += other.drivers;
        self.hand += other.hand;
        self.friction += other.friction;
        self.impacts += other.impacts;
        self.drag += other.drag;
        self.method += other.method;
    }
}

/// The largest errors of rows, separately for each unit; zero where no row has the unit. NaN is larger than any number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct UnitErrors {
    /// m.
    pub metre: f64,
    /// rad.
    pub radian: f64,
    /// m², of squared distances.
    pub square_metre: f64,
}

impl UnitErrors {
    /// Takes one more error into account.
    #[inline]
    pub(crate) fn add(&mut self, unit: Unit, error: f64) {
        let own = match unit {
            Unit::Metre => &mut self.metre,
            Unit::Radian => &mut self.radian,
            Unit::SquareMetre => &mut self.square_metre,
        };
        *own = largest([*own, error]);
    }

    /// The largest of all, whatever its unit.
    pub(crate) fn largest(&self) -> f64 {
        largest([self.metre, self.radian, self.square_metre])
    }
}

impl StepReport {
    /// Kinetic and potential energy together, J.
    pub fn total_energy(&self) -> f64 {
        self.kinetic_energy + self.potential_energy
    }

    /// The report of the whole step of which `self` and `last` are the parts: errors and energies at its end, the
    /// largest problem, the sums of work.
    pub(crate) fn followed_by(&self, last: &Self) -> Self {
        fn either<T>(first: Option<T>, last: Option<T>, both: fn(T, T) -> T) -> Option<T> {
            first.into_iter().chain(last).reduce(both)
        }
        Self {
            passages: self.passages + last.passages,
            passed: self.passed.or(last.passed),
            correction_work: self.correction_work + last.correction_work,
            applied_work: self.applied_work + last.applied_work,
            contacts: self.contacts.max(last.contacts),
            rows: self.rows.max(last.rows),
            dependent_rows: self.dependent_rows.max(last.dependent_rows),
            solver_iterations: self.solver_iterations + last.solver_iterations,
            residual: self.residual.max(last.residual),
            relative_residual: either(self.relative_residual, last.relative_residual, f64::max),
            damped_corrections: self.damped_corrections + last.damped_corrections,
            correction_left: either(self.correction_left, last.correction_left, f64::max),
            fastest_rate: self.fastest_rate.max(last.fastest_rate),
            trail: if last.trail.is_longer_than(&self.trail) { last.trail } else { self.trail },
            substeps: self.substeps + last.substeps,
            islands: self.islands.max(last.islands),
            infeasible: self.infeasible.max(last.infeasible),
            unproved: self.unproved.max(last.unproved),
            approximate: self.approximate.max(last.approximate),
            approximate_residual: either(self.approximate_residual, last.approximate_residual, f64::max),
            ..*last
        }
    }

    /// The report of a step before its first solve, to which the solves add what they find.
    pub(crate) fn before_any_solve(solver: &Solver) -> Self {
        Self { solver: solver.solves_equations(), ..Self::default() }
    }

    /// Adds a solve beside that of the dynamics, one that prepares it, or a correction, with its islands whose rows are
    /// violated, and those whose solution is approximate.
    pub(crate) fn note_beside(&mut self, outcome: &MixedOutcome) {
        self.solver_iterations += outcome.iterations;
        self.infeasible = self.infeasible.max(outcome.infeasible);
        self.unproved = self.unproved.max(outcome.unproved);
        if outcome.approximate > 0 {
            self.approximate = self.approximate.max(outcome.approximate);
            let before = self.approximate_residual.unwrap_or_default();
            self.approximate_residual = Some(largest([before, outcome.approximate_residual]));
        }
    }

    /// Adds a solve of a problem with `rows` rows and `contacts` contacts; `scale` turns its residual into a velocity.
    pub(crate) fn note(&mut self, outcome: &MixedOutcome, rows: usize, contacts: usize, scale: f64) {
        self.rows = rows;
        self.contacts = contacts;
        self.dependent_rows = outcome.dependent_rows;
        self.residual = scale * outcome.residual;
        self.solver = outcome.solver;
        self.islands = outcome.islands;
        self.note_beside(outcome);
        if outcome.trail.is_longer_than(&self.trail) {
            self.trail = outcome.trail;
        }
        if !outcome.conflict {
            let before = self.relative_residual.unwrap_or_default();
            self.relative_residual = Some(largest([before, outcome.relative_residual]));
        }
    }
}

/// A correction that leaves more than this fraction of its error is outside the region in which Newton's method
/// converges.
pub const LEFT_BY_NEWTON: f64 = 0.5;
/// Phase in rad per step beyond which a motion is not resolved: half the limit of stability of semi-implicit Euler, h ω = 2.
pub const LARGEST_PHASE: f64 = 1.0;

/// Most scalar rows of a constraint: a weld's.
pub const MOST_MULTIPLIERS: usize = 3;

/// The impulse that a constraint exerted on its bodies in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ConstraintImpulse {
    /// The constraint that exerted the impulse.
    pub constraint: ConstraintId,
    /// Body a and body b; the same body twice for a constraint between one body and the world, which acts on b.
    pub bodies: [BodyId; 2],
    /// Number of its scalar rows.
    pub rows: usize,
    /// λ of each row, summed over the step: N s; N m s for a row in rad, N s/m for a row in m². For a contact the
    /// normal and the tangential impulse.
    pub multipliers: [f64; MOST_MULTIPLIERS],
    /// Σ Jᵀλ on body a and on body b: (N s, N s, N m s about the centre of mass), each J as it was when λ acted.
    pub on_bodies: [DVec3; 2],
    /// What it exerted on bodies beyond a and b.
    pub further: Option<FurtherImpulse>,
}

/// The impulse that a constraint of more than two bodies exerted on the others.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct FurtherImpulse {
    /// The third and the fourth body; the same one twice where there are three, and then only the second acts.
    pub bodies: [BodyId; 2],
    /// Σ Jᵀλ on each: (N s, N s, N m s about the centre of mass).
    pub on_bodies: [DVec3; 2],
}

impl FurtherImpulse {
    /// The zero impulse of a constraint that has not acted.
    pub fn none(bodies: [BodyId; 2]) -> Self {
        Self { bodies, on_bodies: [DVec3::ZERO; 2] }
    }
}

impl ConstraintImpulse {
    /// Σ Jᵀλ on each of its bodies.
    pub fn on_each(&self) -> impl Iterator<Item = (BodyId, DVec3)> + use<> {
        let further = self.further.map(|own| own.bodies.into_iter().zip(own.on_bodies));
        self.bodies.into_iter().zip(self.on_bodies).chain(further.into_iter().flatten())
    }

    /// The zero impulse of a constraint that has not acted.
    pub fn none(constraint: ConstraintId, bodies: [BodyId; 2], rows: usize) -> Self {
        let (multipliers, on_bodies) = ([0.0; MOST_MULTIPLIERS], [DVec3::ZERO; 2]);
        Self { constraint, bodies, rows, multipliers, on_bodies, further: None }
    }

    /// Sets the impulse to zero.
    pub(crate) fn clear(&mut self) {
        (self.multipliers, self.on_bodies) = ([0.0; MOST_MULTIPLIERS], [DVec3::ZERO; 2]);
        if let Some(further) = &mut self.further {
            further.on_bodies = [DVec3::ZERO; 2];
        }
    }

    /// Adds λ of row `at` with the row's J.
    #[inline]
    pub(crate) fn add(&mut self, at: usize, lambda: f64, ja: DVec3, jb: DVec3) {
        self.multipliers[at] += lambda;
        self.on_bodies[0] += lambda * ja;
        self.on_bodies[1] += lambda * jb;
    }

    /// Adds λ of a row with its J at the further bodies.
    pub(crate) fn add_further(&mut self, lambda: f64, row: &Option<Further>) {
        if let (Some(sum), Some(own)) = (&mut self.further, row) {
            sum.on_bodies.iter_mut().zip(own.j).for_each(|(sum, j)| *sum += lambda * j);
        }
    }

    /// Adds the impulses Jᵀλ on the further bodies.
    pub(crate) fn add_further_sum(&mut self, on: [DVec3; 2]) {
        if let Some(sum) = &mut self.further {
            sum.on_bodies.iter_mut().zip(on).for_each(|(sum, on)| *sum += on);
        }
    }

    /// Adds multipliers and the impulses Jᵀλ on the bodies.
    pub(crate) fn add_sum(&mut self, multipliers: [f64; MOST_MULTIPLIERS], on_bodies: [DVec3; 2]) {
        for (sum, lambda) in self.multipliers.iter_mut().zip(multipliers) {
            *sum += lambda;
        }
        for (sum, on) in self.on_bodies.iter_mut().zip(on_bodies) {
            *sum += on;
        }
    }
}
