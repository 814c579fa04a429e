//! The errors of the joints at a pose, for a report, and the frequency with which their forces make bodies oscillate.
//!
//! A force F that pulls at the arm r turns a body back with the stiffness F·r: ω² = |Σ F·r|/I is the frequency of a link that
//! swings about its centre in a taut chain, 12 T/(m L) of a bar. A rod of length ℓ holds the mass at its end by F/ℓ:
//! ω² = Σ |F|/(m ℓ).

use crate::constraint::{Row, Rows};
use crate::math::largest;
use crate::model::joint::Unit;
use crate::model::{Joint, JointKind, World};
use crate::report::UnitErrors;
use glam::{DVec2, DVec3};

/// Errors and rates of the joint rows, and the stiffness with which joint forces hold each body.
#[derive(Debug, Default)]
pub(crate) struct JointMetrics {
    /// Σ F·r and Σ |F|/ℓ of each body.
    stiffness: Vec<[f64; 2]>,
    /// The largest errors, and rates.
    pub worst: [Worst; 2],
}

impl JointMetrics {
    /// Measures the joints of `world`, whose rows are `rows`, at the velocity `v`.
    pub fn measure(&mut self, rows: &Rows, world: &World, v: &[DVec3]) {
        self.stiffness.clear();
        self.stiffness.resize(v.len(), [0.0; 2]);
        self.worst = measure_rows(rows, world, v, &mut self.stiffness);
    }

    /// The highest frequency that joint forces impose on a body, rad/s (see [`StepReport`]); `inverse_mass` is W.
    ///
    /// [`StepReport`]: crate::report::StepReport
    pub fn fastest_rate(&self, inverse_mass: &[DVec3]) -> f64 {
        let squares = self.stiffness.iter().zip(inverse_mass);
        largest(squares.map(|([turning, rods], w)| (turning * w.z).abs() + rods * w.x)).sqrt()
    }
}

/// J v of a hinge, whose rows begin with ∓1.
#[inline(always)]
fn hinge_rate([x, y]: &[Row; 2], v: &[DVec3]) -> [f64; 2] {
    let (a, b) = (v[x.a], v[x.b]);
    [(x.ja.z * a.z - a.x) + (b.x + x.jb.z * b.z), (y.ja.z * a.z - a.y) + (b.y + y.jb.z * b.z)]
}

/// Adds F·r of a hinge.
#[inline(always)]
fn hold_by_hinge([x, y]: [&Row; 2], joint: &Joint, stiffness: &mut [[f64; 2]]) {
    // F = (λ_x, λ_y) on b at the arm (y.jb.z, −x.jb.z), and −F on a at (−y.ja.z, x.ja.z).
    let [fx, fy, _] = joint.force;
    stiffness[x.a][0] += fx * y.ja.z - fy * x.ja.z;
    stiffness[x.b][0] += fx * y.jb.z - fy * x.jb.z;
}

/// Returns the largest errors of joints and of their rates, and adds the stiffness of their forces.
fn measure_rows(rows: &Rows, world: &World, v: &[DVec3], stiffness: &mut [[f64; 2]]) -> [Worst; 2] {
    let (mut errors, mut rates) = (Worst::default(), Worst::default());
    if let Some(hinges) = rows.hinges().filter(|hinges| !hinges.is_empty()) {
        errors.take(Unit::Metre, largest(hinges.iter().flat_map(|[x, y]| [x.g, y.g])));
        rates.take(Unit::Metre, largest(hinges.iter().flat_map(|own| hinge_rate(own, v))));
        for ([x, y], joint) in hinges.iter().zip(world.joints()) {
            hold_by_hinge([x, y], joint, stiffness);
        }
        return [errors, rates];
    }
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

/// The largest errors of rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worst {
    pub of_unit: UnitErrors,
    /// The largest error and its unit; the first of equal ones.
    pub size: f64,
    pub unit: Unit,
}

impl Default for Worst {
    fn default() -> Self {
        Self { of_unit: UnitErrors::default(), size: f64::NEG_INFINITY, unit: Unit::default() }
    }
}

impl Worst {
    #[inline]
    pub fn take(&mut self, unit: Unit, error: f64) {
        self.of_unit.add(unit, error);
        if error.abs() > self.size {
            (self.size, self.unit) = (error.abs(), unit);
        }
    }
}
