//! What a step asks of all bodies or joints as a whole: most worlds have no wheel, no soft joint and no motor, and a step
//! then need not look at every joint for one.

use super::body::Body;
use super::joint::{Joint, JointKind};
use super::nonholonomic::Nonholonomic;
use super::spring::Spring;
use super::table::Counted;

/// What the bodies are as a whole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyCensus {
    /// The largest |gravity scale| of the dynamic ones, at least 1.
    pub largest_scale: f64,
    /// Whether one bears a driven force.
    pub driven: bool,
    /// Whether a profile drives the pose of one.
    pub posed: bool,
    /// Whether a profile drives the surface of one.
    pub belts: bool,
}

impl Default for BodyCensus {
    fn default() -> Self {
        Self { largest_scale: 1.0, driven: false, posed: false, belts: false }
    }
}

impl Counted for Body {
    type Census = BodyCensus;

    fn count(&self, census: &mut BodyCensus) {
        if self.is_dynamic() {
            census.largest_scale = census.largest_scale.max(self.gravity_scale.abs());
        }
        census.driven |= !self.driven.is_empty();
        census.posed |= !self.pose_profiles.is_empty();
        let of_shape = self.shapes().iter().any(|placed| placed.surface_profile.is_some());
        census.belts |= self.surface_profile.is_some() || of_shape;
    }
}

/// Whether there are joints of some kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JointCensus {
    /// Soft or broken: their equations are no demands.
    pub loose: bool,
    /// Soft ones.
    pub soft: bool,
    /// Wheels with a spring.
    pub sprung: bool,
    /// With a motor, friction or a bounded force toward a pose.
    pub driven: bool,
    /// With limits, or one-sided.
    pub limited: bool,
    /// With a largest force.
    pub breaking: bool,
    /// With a motor that follows a profile.
    pub timed: bool,
    /// With a length that a profile drives.
    pub lengths: bool,
    /// With a drive that depends on the start of the step.
    pub reads_start: bool,
}

impl Counted for Joint {
    type Census = JointCensus;

    fn count(&self, census: &mut JointCensus) {
        let sprung = self.suspension().is_some();
        census.loose |= !self.is_rigid();
        census.soft |= self.is_soft();
        census.sprung |= sprung;
        census.driven |= self.is_driven();
        census.limited |= self.rigid_limits().is_some();
        census.breaking |= self.breaking.is_some();
        census.lengths |= self.length_profile.is_some();
        census.timed |= self.speed_profile.is_some() || self.force_profile.is_some();
        census.reads_start |=
            sprung || self.servo.is_some() || matches!(self.kind, JointKind::PoseMotor(_));
    }
}

macro_rules! not_counted {
    ($($item:ty),*) => {
        $(impl Counted for $item {
            type Census = ();

            fn count(&self, (): &mut ()) {}
        })*
    };
}

not_counted!(Nonholonomic, Spring);
