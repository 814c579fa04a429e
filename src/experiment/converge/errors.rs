//! The errors of a motion against a reference, largest over the times at which both are known.

use crate::experiment::run::trajectory::{Sample, Trajectory};
use crate::experiment::units::larger;
use crate::internal::largest;
use glam::DVec3;
use std::ops::Index;

/// What an error is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Distance of a body's centre of mass from where the reference has it, m.
    Position,
    /// Difference of a body's angle, rad.
    Angle,
    /// Length of the difference of the velocities of a body's centre of mass, m/s.
    Velocity,
    /// Difference of a body's angular velocity, rad/s.
    AngularVelocity,
    /// Difference of the world's kinetic and potential energy together, J.
    Energy,
    /// Joint or contact error of the motion itself, at every step; the reference has no part in it.
    Constraint,
}

impl Kind {
    /// All of them, in the order of the columns.
    pub const ALL: [Self; 6] = [
        Self::Position,
        Self::Angle,
        Self::Velocity,
        Self::AngularVelocity,
        Self::Energy,
        Self::Constraint,
    ];

    /// Name in files.
    pub fn key(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Angle => "angle",
            Self::Velocity => "velocity",
            Self::AngularVelocity => "angular_velocity",
            Self::Energy => "energy",
            Self::Constraint => "constraint",
        }
    }

    /// Name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::AngularVelocity => "angular velocity",
            other => other.key(),
        }
    }
}

/// A number for each [`Kind`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Errors([f64; Kind::ALL.len()]);

impl Index<Kind> for Errors {
    type Output = f64;

    fn index(&self, kind: Kind) -> &f64 {
        &self.0[kind as usize]
    }
}

impl Errors {
    /// Calls `number` for each kind in turn.
    pub(super) fn from_fn(number: impl FnMut(Kind) -> f64) -> Self {
        Self(Kind::ALL.map(number))
    }

    /// The largest errors of `run` at the times that it has in common with `reference`.
    pub(super) fn between(reference: &Trajectory, run: &Trajectory) -> Self {
        let summary = &run.summary;
        let constraint = larger(summary.joint_error.largest, summary.contact_error.largest);
        let over_bodies = |of: fn(&Sample) -> &[DVec3], length: fn(DVec3) -> f64| {
            let apart =
                |(a, b): (&Sample, &Sample)| largest(of(a).iter().zip(of(b)).map(|(a, b)| length(*a - *b)));
            largest(reference.pairs(run).map(apart))
        };
        Self::from_fn(|kind| match kind {
            Kind::Position => over_bodies(|sample| &sample.q, distance),
            Kind::Angle => over_bodies(|sample| &sample.q, turn),
            Kind::Velocity => over_bodies(|sample| &sample.v, distance),
            Kind::AngularVelocity => over_bodies(|sample| &sample.v, turn),
            Kind::Energy => largest(reference.pairs(run).map(|(a, b)| a.total_energy - b.total_energy)),
            Kind::Constraint => constraint,
        })
    }

    /// How far the motion goes: the largest displacement and turn of a body since the start, its largest speeds, and the
    /// largest kinetic energy. Constraint errors, which are lengths for the most part, are measured by the displacement.
    pub(super) fn extent(run: &Trajectory) -> Self {
        let samples = || run.samples.iter();
        let travelled = |length: fn(DVec3) -> f64| {
            let start = run.samples.first().map_or(&[][..], |sample| &sample.q);
            largest(samples().flat_map(|sample| sample.q.iter().zip(start)).map(|(a, b)| length(*a - *b)))
        };
        let fastest =
            |length: fn(DVec3) -> f64| largest(samples().flat_map(|sample| &sample.v).map(|v| length(*v)));
        Self::from_fn(|kind| match kind {
            Kind::Position | Kind::Constraint => travelled(distance),
            Kind::Angle => travelled(turn),
            Kind::Velocity => fastest(distance),
            Kind::AngularVelocity => fastest(turn),
            Kind::Energy => largest(samples().map(|sample| sample.kinetic_energy)),
        })
    }
}

fn distance(d: DVec3) -> f64 {
    d.truncate().length()
}

fn turn(d: DVec3) -> f64 {
    d.z.abs()
}
