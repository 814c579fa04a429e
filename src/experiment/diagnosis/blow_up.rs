//! Runs whose numbers have lost all meaning: told early, long before they overflow.
//!
//! An error is measured in sizes of the scene: its metres in L, its square metres in L², its radians in 1 rad. L is the
//! diagonal of the box about the bodies' centres, and what their shapes and levers reach beyond it, when the run begins.
//!
//! Energy is measured in what the scene can exchange by itself, E_s = Σ m (|g| L + V²/2) + T₀ + Σ k L²/2 + Σ F_max L:
//! weights that fall through the scene, bodies carried along at the fastest prescribed speed V, the kinetic energy of
//! the start, springs stretched by L, motors and the grab that push over L (a motor that turns: over a turn). A scene
//! at rest in which nothing acts has no such scale, and a person's hand may put in any energy: there the error alone decides.
//! A *change* of energy counts from 10⁶ E_s on, since drivers may put in much; what the *method* has put in is known
//! (`gain.rs`) and counts from E_s on.
//!
//! Both are ratios without a unit, so that a world scaled by a power of two blows up in the same step.

use super::apart::{Apart, Scales};
use super::gain::GainJudge;
use crate::model::joint::{Equation, JointKind, Slot, Unit};
use crate::model::{BodyKind, Motion, Piece, Profile, World};
use crate::report::{StepReport, UnitErrors};
use crate::scene::{BLOWN_UP, Beginning, BlowUp, Scene};
use glam::DVec3;
use std::f64::consts::TAU;

/// Errors up to this share of the scene's size are what coordinates are rounded by.
const ROUNDED: f64 = 1e-12;

/// Phase h ω of a step beyond which its figures have no meaning where the energy rises from nothing, too, rad: in a step the body
/// would swing to and fro sixteen times.
const LOST_PHASE: f64 = 100.0;

/// How large lengths and energies of a scene are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// L, m; infinite where the scene has no size.
    size: f64,
    /// E_s, J; infinite where there is no scale.
    energy: f64,
    /// The total energy at the start, J.
    initial: f64,
    scales: Scales,
}

/// The blow-up of a run in which energy has come from nothing, if steps of `h` s are far from resolving its fastest motion.
pub(crate) fn by_phase(report: &StepReport, h: f64) -> Option<BlowUp> {
    let phase = h * report.fastest_rate;
    let (step, time) = (report.step, report.time);
    // NaN is beyond every bound.
    let lost = phase > LOST_PHASE || phase.is_nan();
    lost.then_some(BlowUp { step, time, quantity: BlowUp::PHASE, value: phase, unit: "rad" })
}

impl Bounds {
    /// The bounds of a run of `scene` whose first figures are `initial`. A saved state keeps the bounds of the run that
    /// it was saved from. `driven`: a hand acts on it.
    pub fn of(scene: &Scene, initial: &StepReport, driven: bool) -> Self {
        let Some(Beginning { size, scale, energy, .. }) = scene.beginning else {
            return Self::new(&scene.world, initial, driven);
        };
        let [size, scale] = [size, scale].map(|scale| scale.unwrap_or(f64::INFINITY));
        let scales = Scales::new(&scene.world, size, initial);
        Self { size, energy: if driven { f64::INFINITY } else { scale }, initial: energy, scales }
    }

    /// As a save keeps it.
    pub fn beginning(&self) -> Beginning {
        let [size, scale] =
            [self.size, self.energy].map(|scale| Some(scale).filter(|scale| scale.is_finite()));
        Beginning { size, scale, energy: self.initial, since: None, blow_up: None }
    }

    /// The bounds of a run that begins with `world` and the figures `initial`. `driven`: a hand acts on it.
    pub fn new(world: &World, initial: &StepReport, driven: bool) -> Self {
        let size = size(world);
        let energy = energy(world, size) + initial.kinetic_energy;
        let scale = |x: f64| if x > 0.0 && x.is_finite() { x } else { f64::INFINITY };
        let energy = if driven { f64::INFINITY } else { scale(energy) };
        let size = scale(size);
        Self { size, energy, initial: initial.total_energy(), scales: Scales::new(world, size, initial) }
    }

    /// Whether so much energy, J, is more than the scene can exchange by itself.
    pub fn is_exceeded_by(&self, energy: f64) -> bool {
        energy > self.energy
    }

    /// Which errors of a step are not small beside the scene.
    pub fn apart(&self, report: &StepReport) -> impl Iterator<Item = Apart> {
        self.scales.told(report)
    }

    /// Whether the run has blown up by this step.
    pub fn judge(&self, report: &StepReport) -> Option<BlowUp> {
        self.beyond(report, BLOWN_UP, BLOWN_UP)
    }

    /// The blow-up of a run whose method has put in more energy than the scene can exchange by itself: that is no motion of it.
    /// `fits`: the run began without errors that are to be corrected.
    pub fn by_method(&self, report: &StepReport, gains: &GainJudge, fits: bool) -> Option<BlowUp> {
        let (step, time) = (report.step, report.time);
        let made = gains.made_beyond(self.energy, fits);
        made.map(|value| BlowUp { step, time, quantity: BlowUp::MADE, value, unit: "J" })
    }

    /// Whether errors stay within a `share` of the scene's size, and the energy within what the scene can exchange.
    pub fn contain(&self, report: &StepReport, share: f64) -> bool {
        self.beyond(report, share, 1.0).is_none()
    }

    /// Whether no error is larger than what coordinates are rounded by: nothing is to be corrected.
    pub fn fit(&self, report: &StepReport) -> bool {
        self.contain(report, ROUNDED)
    }

    /// The first figure beyond so many times its scale, errors and the change of energy apart.
    fn beyond(&self, report: &StepReport, errors: f64, energies: f64) -> Option<BlowUp> {
        let Self { size, energy, initial, .. } = *self;
        let UnitErrors { metre, radian, square_metre, .. } = report.joint_errors;
        let limits = report.limit_errors;
        let gain = (report.total_energy() - initial).abs();
        let figures = [
            ("a joint error", metre, Unit::Metre.symbol(), errors * size),
            ("a joint error", radian, Unit::Radian.symbol(), errors),
            ("a joint error", square_metre, Unit::SquareMetre.symbol(), errors * size * size),
            ("a limit's error", limits.metre, Unit::Metre.symbol(), errors * size),
            ("a limit's error", limits.radian, Unit::Radian.symbol(), errors),
            ("a contact error", report.contact_error, Unit::Metre.symbol(), errors * size),
            ("a change of energy", gain, "J", energies * energy),
        ];
        // NaN is beyond every bound.
        let within = |value: f64, bound: f64| value <= bound && value.is_finite();
        let beyond = figures.into_iter().find(|(_, value, _, scale)| !within(*value, *scale));
        let (step, time) = (report.step, report.time);
        beyond.map(|(quantity, value, unit, _)| BlowUp { step, time, quantity, value, unit })
    }
}

/// L, m.
fn size(world: &World) -> f64 {
    let bodies = world.bodies();
    let places = || bodies.iter().map(|body| body.pose.position);
    let low = places().reduce(|a, b| a.min(b)).unwrap_or_default();
    let high = places().reduce(|a, b| a.max(b)).unwrap_or_default();
    let reaches = bodies.iter().flat_map(|body| body.pieces()).map(Piece::bounding_radius);
    let reach = reaches.filter(|radius| radius.is_finite()).fold(0.0, f64::max);
    let mut lever = 0.0_f64;
    for joint in world.joints() {
        let mut take = |row: Equation, further: [DVec3; 2]| {
            if row.unit == Unit::Metre {
                let j = [row.ja, row.jb, further[0], further[1]];
                lever = j.into_iter().fold(lever, |lever, j| lever.max(j.z.abs()));
            }
        };
        joint.equations(|body| world.frame(body), &mut take);
    }
    (high - low).length() + 2.0 * reach.max(lever)
}

/// E_s without T₀, J.
fn energy(world: &World, size: f64) -> f64 {
    let speeds = world.bodies().iter().enumerate().map(|(index, body)| match body.kind() {
        BodyKind::Kinematic(Motion::Sine { amplitude, frequency, .. }) => {
            TAU * frequency.abs() * amplitude.length()
        }
        BodyKind::Kinematic(_) => {
            let v = world.velocity_of(index);
            let [x, y, turn] = body.pose_profiles.each().map(|own| own.map_or(0.0, Profile::steepest));
            v.truncate().length() + x + y + (v.z.abs() + turn) * size
        }
        _ => 0.0,
    });
    let carried = speeds.fold(0.0, f64::max);
    let masses =
        world.bodies().iter().map(|body| body.inverse_mass().x).filter(|w| *w > 0.0).map(|w| 1.0 / w);
    let falls = masses.map(|m| m * (world.largest_fall() * size + 0.5 * carried * carried)).sum::<f64>();
    let springs = world.springs().iter().map(|spring| 0.5 * spring.softness.stiffness * size * size);
    let suspensions = world.joints().iter().filter_map(|joint| joint.kind.suspension());
    let suspensions = suspensions.map(|own| 0.5 * own.stiffness * size * size);
    let motors = world.joints().iter().filter_map(|joint| {
        if let JointKind::PoseMotor(mover) = &joint.kind {
            return Some(mover.max_force * size + mover.max_torque * TAU);
        }
        let way = if matches!(
            joint.kind,
            JointKind::Slider(_) | JointKind::Slot(Slot { suspension: None, .. })
        ) {
            size
        } else {
            TAU
        };
        joint.motor.map(|motor| motor.max_force * way)
    });
    let grab = world.grab().map_or(0.0, |grab| grab.max_force * size);
    falls + springs.chain(suspensions).sum::<f64>() + motors.sum::<f64>() + grab
}
