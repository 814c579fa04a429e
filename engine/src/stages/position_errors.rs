//! How large the errors of positions are, at the rows and contacts as evaluated, and below which length nothing is left to
//! correct.
//!
//! Lengths are measured by the size L of the scene, and rounding by its largest coordinate E. Both are taken over the bodies that
//! forces move and on which a row acts.
//!
//! ```text
//! L   half of the box round the centres of mass of movable bodies with rows, or their longest lever;
//!     where a row turns a body, its radius of gyration
//! E   the largest coordinate of such a centre, lever, or |θ| times the lever or L that it swings
//!
//! rounding  ε E            on the manifold  max(1e-12 L, 4 ε E)
//! ```
//!
//! Any g is the difference of two coordinates, each of which the state holds rounded by up to ½ ε E: no correction can
//! be relied on to leave less than ε E.
//!
//! An error of an angle in rad counts as L times it, one in m² as 1/L of it.
//!
//! For the report: the frequency with which the joints' forces make bodies oscillate, or the rate at which they make
//! them fold. A force F that pulls at the arm r turns a body back with the stiffness F·r: ω² = |Σ F·r|/I is the square
//! of the frequency of a link that swings about its centre in a taut chain, 12 T/(m ℓ) of a bar of length ℓ. A rod of
//! length ℓ holds the mass at its end by F/ℓ: ω² = Σ |F|/(m ℓ).

use super::constraints::{Constraints, ROUNDED_GAP};
use super::motion::{Metric, Motion};
use crate::constraint::{Constraint, Row, Rows, Touch, hinge_rate};
use crate::lcp::Further;
use crate::math::{LargestPair, Pair, largest};
use crate::model::joint::Unit;
use crate::model::{BodyId, Joint, JointKind, World};
use crate::report::{StepReport, UnitErrors};
use glam::{DVec2, DVec3};

/// Largest error that counts as on the manifold, as a share of L.
const MANIFOLD_TOLERANCE: f64 = 1e-12;

/// L and E, m.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// L.
    pub size: f64,
    /// E.
    coordinates: f64,
}

impl Extent {
    /// The error below which another iteration cannot help, m.
    pub fn rounding(&self) -> f64 {
        f64::EPSILON * self.coordinates
    }

    /// The rounding of any g, m.
    pub fn rounded_gap(&self) -> f64 {
        ROUNDED_GAP * f64::EPSILON * self.coordinates
    }

    /// `share` of L, but no less than the rounding, m.
    pub fn fraction(&self, share: f64) -> f64 {
        largest([share * self.size, self.rounded_gap()])
    }

    /// The error that counts as on the manifold, m.
    pub fn tolerance(&self) -> f64 {
        self.fraction(MANIFOLD_TOLERANCE)
    }

    /// Largest |g| of the joints as a length, m.
    pub fn length_of_joint_errors(&self, rows: &Rows) -> f64 {
        let Some(hinges) = rows.hinges() else { return self.length_of_errors(rows.joints()) };
        let mut gaps = LargestPair::default();
        hinges.iter().for_each(|[x, y]| gaps.take(Pair::new([x.g, y.g])));
        gaps.largest()
    }

    /// Largest |g| of `rows` as a length, m.
    fn length_of_errors(&self, rows: &[Row]) -> f64 {
        largest(rows.iter().map(|row| match row.unit {
            Unit::Metre => row.g,
            Unit::Radian => row.g * self.size,
            Unit::SquareMetre if self.size > 0.0 => row.g / self.size,
            Unit::SquareMetre => row.g,
        }))
    }
}

/// The metres that one unit of a unilateral row's g counts: 1, for an angle the radius of gyration of the bodies that it turns.
#[inline]
pub(crate) fn metres(row: &Row, inverse_mass: &[DVec3]) -> f64 {
    if row.unit == Unit::Metre {
        return 1.0;
    }
    let (along, turning) = row.arms().fold((0.0, 0.0), |(along, turning), (body, j)| {
        let w = inverse_mass[body];
        (along + w.x, turning + j.z * j.z * w.z)
    });
    if turning > 0.0 { (along / turning).sqrt() } else { 1.0 }
}

/// The lengths gathered from the rows.
struct Gathered<'m> {
    motion: &'m Motion,
    low: Pair,
    high: Pair,
    /// The longest lever, and the longest times its body's angle.
    levers: Pair,
    /// The largest angle of a body that rows turn, and the largest square of such a body's radius of gyration.
    angle: f64,
    gyration: f64,
}

impl Gathered<'_> {
    /// Takes a row with the levers of its two ends into account.
    #[inline(always)]
    fn take(&mut self, ends: impl IntoIterator<Item = (usize, f64)>) {
        for (body, lever) in ends {
            let lever = lever.abs();
            let levers = if self.motion.undamped[body].x > 0.0 {
                let q = self.motion.q[body];
                let centre = Pair::new([q.x, q.y]);
                (self.low, self.high) = (centre.fast_min(self.low), centre.fast_max(self.high));
                [lever, lever * q.z.abs()]
            } else {
                // Its point is x + r, of which the sum is rounded.
                [0.0, lever]
            };
            self.levers = Pair::new(levers).fast_max(self.levers);
        }
    }

    fn take_turning(&mut self, row: &Row) {
        self.take(row.arms().map(|(body, _)| (body, 0.0)));
        for (body, _) in row.arms() {
            let w = self.motion.undamped[body];
            if w.z > 0.0 {
                self.angle = self.angle.max(self.motion.q[body].z.abs());
                self.gyration = self.gyration.max(w.x / w.z);
            }
        }
    }

    fn take_row(&mut self, row: &Row) {
        match row.unit {
            Unit::Metre => self.take(row.arms().map(|(body, j)| (body, j.z))),
            Unit::Radian => self.take_turning(row),
            Unit::SquareMetre => self.take(row.arms().map(|(body, _)| (body, 0.0))),
        }
    }
}

impl Constraints {
    /// L and E of joints, contacts and limits as evaluated.
    pub fn extent(&self, motion: &Motion) -> Extent {
        let (low, high) = (Pair::splat(f64::INFINITY), Pair::splat(f64::NEG_INFINITY));
        let mut rows = Gathered { motion, low, high, levers: Pair::ZERO, angle: 0.0, gyration: 0.0 };
        match self.rows.hinges() {
            Some(hinges) => hinges.iter().for_each(|[x, y]| {
                let (of_a, of_b) = (x.ja.z.abs().max(y.ja.z.abs()), x.jb.z.abs().max(y.jb.z.abs()));
                rows.take([(x.a, of_a), (x.b, of_b)]);
            }),
            None => self.rows.joints().iter().for_each(|row| rows.take_row(row)),
        }
        self.touches.all().iter().for_each(|touch| rows.take_row(&touch.row));
        let Gathered { low, high, levers, angle, gyration, .. } = rows;
        let [low, high, levers] = [low, high, levers].map(|pair| DVec2::from_array(pair.to_array()));
        let [lever, swung] = levers.to_array();
        if low.x > high.x {
            return Extent { size: 0.0, coordinates: swung };
        }
        let half = 0.5 * (high - low).max_element();
        let size = half.max(lever).max(gyration.sqrt());
        let place = low.abs().max(high.abs()).max_element();
        Extent { size, coordinates: place.max(lever).max(swung).max(angle * size) }
    }

    /// Largest −φ over the contacts, m.
    pub fn contact_error(&self) -> f64 {
        largest(self.touches.contacts().iter().map(overlap))
    }

    /// Notes the errors that a correction of positions is about to remove.
    pub fn note_errors_before(&self, report: &mut StepReport) {
        report.joint_error_before = Some(largest(self.rows.joints().iter().map(|row| row.g)));
        report.contact_error_before = Some(self.contact_error());
    }

    /// Largest error over joints, limits and contacts, as a length, m.
    pub fn position_error(&self, motion: &Motion) -> f64 {
        self.position_error_at(&self.extent(motion))
    }

    /// [`Constraints::position_error`] for an extent that is known already.
    pub fn position_error_at(&self, extent: &Extent) -> f64 {
        let limits = self.touches.limits().iter().map(|limit| Row { g: overlap(limit), ..limit.row });
        let limits = largest(limits.map(|row| extent.length_of_errors(&[row])));
        largest([self.contact_error(), limits, extent.length_of_joint_errors(&self.rows)])
    }

    /// The bodies between which [`Constraints::position_error`] is largest; none without constraints.
    pub fn worst(&self, world: &World, motion: &Motion) -> Option<[BodyId; 2]> {
        let extent = self.extent(motion);
        let joints = self.rows.joints().iter().copied();
        let touches = self.touches.all().iter().map(|touch| Row { g: overlap(touch), ..touch.row });
        let errors = joints.chain(touches).map(|row| (extent.length_of_errors(&[row]), [row.a, row.b]));
        let worst = errors.max_by(|(one, _), (other, _)| one.total_cmp(other));
        worst.map(|(_, bodies)| bodies.map(|body| world.body_ids()[body]))
    }

    /// Σ g²/Aᵢᵢ over joints and overlaps.
    pub fn misfit(&self, motion: &Motion, metric: Metric) -> f64 {
        let inverse_mass = motion.inverse_mass_in(metric);
        let term = |row: &Row, g: f64| {
            let mobility = row.mobility(inverse_mass);
            if mobility > 0.0 { g * g / mobility } else { 0.0 }
        };
        let joints = self.rows.joints().iter().map(|row| term(row, row.g));
        joints.chain(self.touches.all().iter().map(|touch| term(&touch.row, overlap(touch)))).sum()
    }

    /// The largest move of a body that a correction may need, m: the diagonal of the box of the moving bodies' centres, their
    /// reach beyond it, and the largest `error`.
    pub fn size(&self, motion: &Motion, error: f64) -> f64 {
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for (q, w) in motion.q.iter().zip(&motion.undamped) {
            if w.x > 0.0 {
                (low, high) = (low.min(q.truncate()), high.max(q.truncate()));
            }
        }
        let levers = self.rows.joints().iter().filter(|row| row.unit == Unit::Metre);
        let inverse_mass = &motion.undamped;
        let lever = |body: usize, lever: f64| if inverse_mass[body].x > 0.0 { lever.abs() } else { 0.0 };
        let lever = largest(levers.map(|row| {
            let own = lever(row.a, row.ja.z).max(lever(row.b, row.jb.z));
            let further = row.further.iter().flat_map(Further::arms);
            further.fold(own, |most, (body, j)| most.max(lever(body, j.z)))
        }));
        let size = (high - low).max(DVec2::ZERO).length() + 2.0 * self.widest.max(lever);
        // A single point has no size that could be a bound.
        if size > 0.0 { size + error } else { f64::INFINITY }
    }

    /// The error that counts as on the manifold, m.
    pub fn tolerance(&self, motion: &Motion) -> f64 {
        self.extent(motion).tolerance()
    }

    /// Evaluates joints and limits in `world`, for a report on it; returns the largest overlap of a contact there, m. The
    /// list of the step's contacts stays, since their impulses are still to be written.
    pub fn evaluate_report(
        &mut self,
        world: &World,
        motion: &Motion,
        joint_metrics: &mut JointMetrics,
    ) -> f64 {
        self.rows.evaluate_end(world, &motion.q, &motion.v, motion.lasting_state());
        joint_metrics.measure(&self.rows, world, &motion.v);
        self.touches.clock = None;
        self.touches.evaluate_bounds(world, self.rows.frames(), &motion.v);
        self.detector.find_overlap(world, self.rows.frames())
    }
}

/// max(0, −φ).
pub(crate) fn overlap(touch: &Touch) -> f64 {
    // NaN passes: it is no overlap of zero.
    if touch.row.g >= 0.0 { 0.0 } else { -touch.row.g }
}

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
        let (mut errors, mut rates) = (Worst::default(), Worst::default());
        if let Some(hinges) = rows.hinges().filter(|hinges| !hinges.is_empty()) {
            let (mut gaps, mut speeds) = (LargestPair::default(), LargestPair::default());
            for (own, joint) in hinges.iter().zip(Constraint::joints(world)) {
                let [x, y] = own;
                gaps.take(Pair::new([x.g, y.g]));
                speeds.take(hinge_rate(own, v));
                hold_by_hinge([x, y], joint, &mut self.stiffness);
            }
            errors.take(Unit::Metre, gaps.largest());
            rates.take(Unit::Metre, speeds.largest());
            self.worst = [errors, rates];
            return;
        }
        let frames = rows.frames();
        let mut rest = rows.joints();
        for joint in Constraint::joints(world) {
            let (own, after) = rest.split_at(joint.rows().min(rest.len()));
            rest = after;
            for row in own {
                errors.take(row.unit, row.g);
                rates.take(row.unit, row.rate(v));
            }
            if let (JointKind::Hinge(_), [x, y]) = (&joint.kind, own) {
                hold_by_hinge([x, y], joint, &mut self.stiffness);
                continue;
            }
            if matches!(joint.kind, JointKind::Gear(_)) {
                continue; // it pulls at no anchor
            }
            let (mut on_a, mut on_b) = (DVec2::ZERO, DVec2::ZERO);
            for (row, force) in own.iter().zip(&joint.force) {
                on_a += *force * row.ja.truncate();
                on_b += *force * row.jb.truncate();
            }
            let rods = match &joint.kind {
                JointKind::Distance(rod) => [on_b.length() / rod.length; 2],
                JointKind::Pulley(pulley) => {
                    let tension =
                        if pulley.slack { joint.coordinate_force[2] } else { joint.force[0].abs() };
                    let [c, d] = joint.further.unwrap_or(joint.bodies);
                    let at = [joint.bodies[0], joint.bodies[1], c, d].map(|body| &frames[body]);
                    let [of_a, of_b] = pulley.parts(at);
                    [tension / of_a, pulley.ratio * tension / of_b]
                        .map(|own| if own.is_finite() { own } else { 0.0 })
                }
                JointKind::Rope(_) => {
                    [joint.rope_length().map_or(0.0, |length| joint.coordinate_force[2] / length); 2]
                }
                JointKind::Hinge(_)
                | JointKind::Weld(_)
                | JointKind::Slider(_)
                | JointKind::Slot(_)
                | JointKind::Bead(_)
                | JointKind::PoseMotor(_)
                | JointKind::Gear(_)
                | JointKind::Custom(_) => [0.0; 2],
            };
            let ([a, b], [anchor_a, anchor_b]) = (joint.bodies, joint.kind.anchors());
            let mut hold = |body: usize, force: DVec2, anchor: DVec2, rod: f64| {
                let [turning, along] = &mut self.stiffness[body];
                *turning += force.dot(frames[body].rotation.apply(anchor));
                *along += rod;
            };
            hold(a, on_a, anchor_a, rods[0]);
            hold(b, on_b, anchor_b, rods[1]);
        }
        self.worst = [errors, rates];
    }

    /// The highest frequency that joint forces impose on a body, rad/s (see [`StepReport`]); `inverse_mass` is W.
    pub fn fastest_rate(&self, inverse_mass: &[DVec3]) -> f64 {
        let squares = self.stiffness.iter().zip(inverse_mass);
        largest(squares.map(|([turning, rods], w)| (turning * w.z).abs() + rods * w.x)).sqrt()
    }
}

/// Adds F·r of a hinge.
#[inline(always)]
fn hold_by_hinge([x, y]: [&Row; 2], joint: &Joint, stiffness: &mut [[f64; 2]]) {
    // F, the joint's force in the world, on b at the arm (y.jb.z, −x.jb.z), and −F on a at (−y.ja.z, x.ja.z).
    let [fx, fy, _] = joint.force;
    stiffness[x.a][0] += fx * y.ja.z - fy * x.ja.z;
    stiffness[x.b][0] += fx * y.jb.z - fy * x.jb.z;
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
