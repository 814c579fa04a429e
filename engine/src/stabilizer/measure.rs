//! What is measured after a step: errors and energies on the new pose, and the impulses that led there.

use super::constraints::Constraints;
use super::errors::overlap;
use super::figures::Outcome;
use super::workspace::Workspace;
use crate::constraint::{Row, Rows};
use crate::math::{LargestPair, Pair, largest};
use crate::model::joint::Unit;
use crate::model::{Joint, JointKind, World};
use crate::report::{ConstraintImpulse, StepReport, UnitErrors};
use glam::{DVec2, DVec3};

impl Workspace {
    /// The impulses that acted in the last step that was made, of joints, non-holonomic constraints, springs, the grab, motors,
    /// limits and contacts. Constraints that did nothing are listed with zeros.
    pub fn impulses(&self) -> impl Iterator<Item = &ConstraintImpulse> {
        self.totals.done.impulses()
    }

    /// M (v⁺ − v) − h F − Σ Jᵀλ of the last step by body: (N s, N s, N m s), rounding where every impulse is accounted for; zero
    /// for bodies that forces do not move.
    pub fn momentum_residuals(&self) -> Vec<DVec3> {
        let moved = self.motion.v.iter().zip(&self.totals.began).zip(self.totals.external_changes());
        let change = moved.map(|((v, began), external)| *v - *began - external);
        let mut left: Vec<DVec3> = change
            .zip(&self.motion.inverse_mass)
            .map(|(dv, w)| if w.x > 0.0 { dv / *w } else { DVec3::ZERO })
            .collect();
        for impulse in self.totals.done.impulses() {
            for (body, on) in impulse.bodies.into_iter().zip(impulse.on_bodies) {
                if self.motion.inverse_mass[body].x > 0.0 {
                    left[body] -= on;
                }
            }
        }
        left
    }

    /// M (v⁺ − v) of the last step that was made by body: (N s, N s, N m s); zero for bodies that forces do not move.
    pub fn momentum_changes(&self) -> Vec<DVec3> {
        let changes = self.motion.v.iter().zip(&self.totals.began).map(|(v, began)| *v - *began);
        self.times_mass(changes)
    }

    /// h F of the last step that was made, of the weight and the mouse's repulsion, by body: (N s, N s, N m s).
    pub fn external_impulses(&self) -> Vec<DVec3> {
        self.times_mass(self.totals.external_changes())
    }

    fn times_mass(&self, changes: impl Iterator<Item = DVec3>) -> Vec<DVec3> {
        let masses = changes.zip(&self.motion.inverse_mass);
        masses.map(|(dv, w)| if w.x > 0.0 { dv / *w } else { DVec3::ZERO }).collect()
    }

    /// The errors of the joint rows as evaluated, and what their forces hold bodies to.
    ///
    /// A force F that pulls at the arm r turns a body back with the stiffness F·r: ω² = |Σ F·r|/I is the frequency of a link that
    /// swings about its centre in a taut chain, 12 T/(m L) of a bar. A rod of length ℓ holds the mass at its end by F/ℓ:
    /// ω² = Σ |F|/(m ℓ).
    fn measure_joints(&mut self, world: &World) -> JointFigures {
        let Self { motion, constraints, stiffness, .. } = self;
        // Σ F·r and Σ |F|/ℓ of each body.
        stiffness.clear();
        stiffness.resize(motion.q.len(), [0.0; 2]);
        let [errors, rates] = match constraints.rows.hinges() {
            Some(hinges) => measure_hinges(hinges, world, &motion.v, stiffness),
            None => measure_rows(&constraints.rows, world, &motion.v, stiffness),
        };
        let squares = stiffness.iter().zip(&motion.inverse_mass);
        let squares = squares.map(|([turning, rods], w)| (turning * w.z).abs() + rods * w.x);
        JointFigures { errors, rates, fastest_rate: largest(squares).sqrt() }
    }

    /// Measures errors and energies of a world that has made no step.
    pub(crate) fn measure_anew(&mut self, world: &World, outcome: Outcome) -> StepReport {
        self.motion.copy_from(world);
        self.constraints.read(world);
        self.overlap = self.constraints.evaluate_report(world, &self.motion);
        let energies = self.motion.energies_of_bodies(world);
        self.measure(world, Outcome { energies, ..outcome })
    }

    /// Measures errors and energies on the pose that a step has just given the world, where J and g have been evaluated.
    pub(crate) fn measure(&mut self, world: &World, outcome: Outcome) -> StepReport {
        let JointFigures { errors, rates, fastest_rate } = self.measure_joints(world);
        let Constraints { rows, touches, .. } = &self.constraints;
        let Outcome { solves, corrections, parts, energies: [kinetic_energy, potential_energy] } = outcome;
        let mut violations = Worst::default();
        touches.limits().iter().for_each(|limit| violations.take(limit.row.unit, overlap(limit)));
        StepReport {
            step: world.steps,
            time: world.time,
            joint_error: largest([errors.of_unit.largest(), violations.of_unit.largest()]),
            joint_error_unit: if violations.size > errors.size { violations.unit } else { errors.unit },
            joint_errors: errors.of_unit,
            limit_errors: violations.of_unit,
            joint_error_before: corrections.joint_error_before,
            contact_error: self.overlap,
            contact_error_before: corrections.contact_error_before,
            nonholonomic_error: nonholonomic_error(world, rows.nonholonomic(), &self.motion.v),
            velocity_error: rates.of_unit.largest(),
            velocity_error_unit: rates.unit,
            kinetic_energy,
            potential_energy,
            correction_work: corrections.work,
            bodies: world.bodies().len(),
            contacts: solves.contacts,
            rows: solves.rows,
            dependent_rows: solves.dependent_rows,
            solver_iterations: solves.iterations,
            residual: solves.residual,
            relative_residual: solves.relative_residual,
            damped_corrections: corrections.damped,
            correction_left: corrections.left,
            fastest_rate,
            trail: solves.trail,
            substeps: parts,
            islands: solves.islands,
            infeasible: solves.infeasible,
            unproved: solves.unproved,
            solver: solves.solver,
            uniqueness: None,
        }
    }
}

/// The largest errors of hinges and of their rates; adds the F·r of their forces to `stiffness`. Rows in pairs, whose J holds nothing of
/// its own but the arms.
fn measure_hinges(
    hinges: &[[Row; 2]],
    world: &World,
    v: &[DVec3],
    stiffness: &mut [[f64; 2]],
) -> [Worst; 2] {
    let (mut errors, mut rates) = (LargestPair::default(), LargestPair::default());
    let stiffness = &mut stiffness[..v.len()];
    for ([x, y], joint) in hinges.iter().zip(world.joints()) {
        let (Some(va), Some(vb)) = (v.get(x.a), v.get(x.b)) else { continue };
        let linear = |v: &DVec3| Pair::new([v.x, v.y]);
        let (za, zb) = (Pair::new([x.ja.z, y.ja.z]), Pair::new([x.jb.z, y.jb.z]));
        errors.take(Pair::new([x.g, y.g]));
        rates.take((za * Pair::splat(va.z) - linear(va)) + (linear(vb) + zb * Pair::splat(vb.z)));
        hold_by_hinge([x, y], joint, stiffness);
    }
    [errors, rates].map(|most| Worst::of(Unit::Metre, most.largest()))
}

/// Adds F·r of a hinge.
#[inline(always)]
fn hold_by_hinge([x, y]: [&Row; 2], joint: &Joint, stiffness: &mut [[f64; 2]]) {
    // F = (λ_x, λ_y) on b at the arm (y.jb.z, −x.jb.z), and −F on a at (−y.ja.z, x.ja.z).
    let [fx, fy, _] = joint.force;
    stiffness[x.a][0] += fx * y.ja.z - fy * x.ja.z;
    stiffness[x.b][0] += fx * y.jb.z - fy * x.jb.z;
}

/// The same of any joints.
fn measure_rows(rows: &Rows, world: &World, v: &[DVec3], stiffness: &mut [[f64; 2]]) -> [Worst; 2] {
    let (mut errors, mut rates) = (Worst::default(), Worst::default());
    let frames = rows.frames();
    let mut rest = rows.joints();
    for joint in world.joints() {
        let (own, after) = rest.split_at(joint.kind.rows().min(rest.len()));
        rest = after;
        for row in own {
            errors.take(row.unit, row.g);
            rates.take(row.unit, row.rate(v));
        }
        if let (JointKind::Hinge(_), [x, y]) = (&joint.kind, own) {
            hold_by_hinge([x, y], joint, stiffness);
            continue;
        }
        let (mut on_a, mut on_b) = (DVec2::ZERO, DVec2::ZERO);
        for (row, force) in own.iter().zip(&joint.force) {
            on_a += *force * row.ja.truncate();
            on_b += *force * row.jb.truncate();
        }
        let rod = match &joint.kind {
            JointKind::Distance(rod) => on_b.length() / rod.length,
            _ => 0.0,
        };
        let ([a, b], [anchor_a, anchor_b]) = (joint.bodies, joint.kind.anchors());
        let mut hold = |body: usize, force: DVec2, anchor: DVec2| {
            let [turning, rods] = &mut stiffness[body];
            *turning += force.dot(frames[body].rotation.apply(anchor));
            *rods += rod;
        };
        hold(a, on_a, anchor_a);
        hold(b, on_b, anchor_b);
    }
    [errors, rates]
}

/// What the joint rows tell a report: errors, rates, and the fastest motion that forces hold a body to, rad/s (see [`StepReport`]).
struct JointFigures {
    errors: Worst,
    rates: Worst,
    fastest_rate: f64,
}

/// Largest |N v − v₀(t)| of `rows` at the velocity `v`, m/s.
fn nonholonomic_error(world: &World, rows: &[Row], v: &[DVec3]) -> f64 {
    let prescribed = world.nonholonomic().iter().flat_map(|constraint| {
        constraint.kind.prescribed(world.time).into_iter().take(constraint.kind.rows())
    });
    largest(rows.iter().zip(prescribed).map(|(row, prescribed)| row.rate(v) - prescribed.value))
}

/// The largest errors of rows.
struct Worst {
    of_unit: UnitErrors,
    /// The largest number and its unit, of equal ones the first.
    size: f64,
    unit: Unit,
}

impl Default for Worst {
    fn default() -> Self {
        Self { of_unit: UnitErrors::default(), size: f64::NEG_INFINITY, unit: Unit::default() }
    }
}

impl Worst {
    /// That of rows in `unit` whose largest error it is.
    fn of(unit: Unit, error: f64) -> Self {
        let mut worst = Self::default();
        worst.take(unit, error);
        worst
    }

    #[inline]
    fn take(&mut self, unit: Unit, error: f64) {
        self.of_unit.add(unit, error);
        if error.abs() > self.size {
            (self.size, self.unit) = (error.abs(), unit);
        }
    }
}
