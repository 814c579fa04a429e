//! The poses of a scene's bodies over time as another program has computed them: set into the scene's world, where the
//! engine's own functions measure them as they measure its steps.
//!
//! A pose is stated for the body's origin, as scenes and traces state it, and kept for its centre of mass. Between two
//! samples poses and velocities are interpolated linearly, to be drawn; errors and energies are those of the samples alone.

mod read;
mod yardstick;

pub use read::PoseProblem;
pub use yardstick::{Apart, Averaged, Measured, MotionFigures, TheirMotion};

use crate::internal::Rotation;
use crate::method::Method;
use crate::model::{Body, BodyId, Pose, Velocity, World};
use crate::report::StepReport;
use crate::step::{Workspace, measure};
use glam::{DVec2, DVec3};
use serde::Serialize;
use std::ops::Range;

/// Where the velocities come from, and with them the kinetic energy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Velocities {
    /// From the columns `vx`, `vy` and `omega`.
    Given,
    /// From the poses of the samples before and after each: (q⁺ − q⁻)/(t⁺ − t⁻).
    Differences,
}

impl Velocities {
    /// Where the velocities come from, in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Given => "from the columns vx, vy and omega",
            Self::Differences => "from differences of the poses",
        }
    }
}

/// The state of a body in a sample: pose and velocity of its centre of mass.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Placed {
    /// m, m, rad.
    q: DVec3,
    /// m/s, m/s, rad/s.
    v: DVec3,
}

/// A body that the scene moves and the table leaves out.
#[derive(Clone, Debug, PartialEq)]
struct Prescribed {
    id: BodyId,
    /// As it is at the scene's time `since`, s.
    body: Body,
    since: f64,
}

impl Prescribed {
    /// Where it is at a time, s, and how fast.
    fn at(&self, time: f64) -> (BodyId, Pose, Velocity) {
        let Self { id, body, since } = self;
        let Some(path) = body.path() else { return (*id, body.pose, body.velocity) };
        let pose = path.pose(body.pose.coordinates(), *since, time - since);
        (*id, pose.into(), path.velocity(time).into())
    }
}

/// Poses over time: at least one sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Poses {
    /// Ascending, s.
    times: Vec<f64>,
    /// The bodies that have poses, the same ones in all samples.
    bodies: Vec<BodyId>,
    /// Their states, sample by sample in the order of `bodies`.
    placed: Vec<Placed>,
    velocities: Velocities,
    prescribed: Vec<Prescribed>,
}

impl Poses {
    /// Reads a table of poses of the bodies of `world`: comma-separated, with a header that names the columns `time`,
    /// `body`, `x`, `y` and `angle`, and optionally `vx`, `vy` and `omega` (SI units, rad). `driftlab run --trace`
    /// writes such tables. Rows of one time form a sample, which has a row for every dynamic body; other columns are
    /// ignored. Samples before the time of `world` are left out.
    ///
    /// # Errors
    /// Everything that is wrong with the table, with its lines.
    pub fn read(text: &str, world: &World) -> Result<Self, Vec<PoseProblem>> {
        read::read(text, world)
    }

    /// Times of the samples, s.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Times of the first and the last sample, s.
    pub fn span(&self) -> [f64; 2] {
        let ends = [self.times.first(), self.times.last()];
        ends.map(|time| time.copied().unwrap_or_default())
    }

    /// Where the velocities come from.
    pub fn velocities(&self) -> Velocities {
        self.velocities
    }

    /// The shortest time between two samples, s; none of a single sample.
    pub fn shortest_interval(&self) -> Option<f64> {
        let intervals = self.times.windows(2).map(|pair| pair[1] - pair[0]);
        intervals.min_by(f64::total_cmp)
    }

    /// The samples after `from` and up to `to`, s.
    pub fn between(&self, from: f64, to: f64) -> Range<usize> {
        let first = self.times.partition_point(|time| *time <= from);
        first..self.times.partition_point(|time| *time <= to).max(first)
    }

    /// Gives the bodies of `world` the poses and velocities of a sample, and sets its clock to the sample's time.
    pub fn place(&self, sample: usize, world: &mut World) {
        let Some(time) = self.times.get(sample) else { return };
        self.set(*time, world, |body| self.state(sample, body));
    }

    /// Gives the bodies of `world` the poses and velocities at `time`, s, interpolated between the samples before and
    /// after it; before the first sample and behind the last one those of that sample. Sets the clock to `time`.
    pub fn place_at(&self, time: f64, world: &mut World) {
        let after = self.times.partition_point(|own| *own <= time);
        let (before, after) = (after.saturating_sub(1), after.min(self.times.len() - 1));
        let [from, to] = [before, after].map(|sample| self.times[sample]);
        let share = if to > from { ((time - from) / (to - from)).clamp(0.0, 1.0) } else { 0.0 };
        self.set(time, world, |body| {
            let [a, b] = [before, after].map(|sample| self.state(sample, body));
            Placed { q: a.q + share * (b.q - a.q), v: a.v + share * (b.v - a.v) }
        });
    }

    fn state(&self, sample: usize, body: usize) -> Placed {
        self.placed[sample * self.bodies.len() + body]
    }

    fn set(&self, time: f64, world: &mut World, state: impl Fn(usize) -> Placed) {
        let stated = self.bodies.iter().enumerate().map(|(index, id)| {
            let Placed { q, v } = state(index);
            let pose = Pose { position: q.truncate(), angle: q.z };
            (*id, pose, Velocity { linear: v.truncate(), angular: v.z })
        });
        let prescribed = self.prescribed.iter().map(|own| own.at(time));
        // A body that has been removed from the world since then has no pose any more.
        let states: Vec<_> =
            stated.chain(prescribed).filter(|(id, ..)| world.index_of(*id).is_some()).collect();
        // The times in a table are finite.
        let _finite = world.set_time(time);
        let placed = world.place_bodies(&states);
        debug_assert!(placed.is_ok(), "{placed:?}");
    }

    /// The engine's figures of every sample, in the world whose bodies have these poses; contacts are looked for as
    /// `method` looks for them.
    pub fn reports<'a>(
        &'a self,
        world: &World,
        method: &'a Method,
    ) -> impl Iterator<Item = StepReport> + 'a {
        let (mut world, mut workspace) = (world.clone(), Workspace::default());
        world.release_grab();
        (0..self.times.len()).map(move |sample| {
            self.place(sample, &mut world);
            world.set_steps(sample as u64);
            measure(&world, method, &mut workspace)
        })
    }

    /// Place of the centre of mass of each dynamic body of `world` in a sample, m, with the body's index.
    fn centres<'a>(&'a self, sample: usize, world: &'a World) -> impl Iterator<Item = (usize, DVec2)> + 'a {
        let places = self.bodies.iter().enumerate();
        places.filter_map(move |(place, id)| {
            let index = world.index_of(*id).filter(|index| world.bodies()[*index].is_dynamic())?;
            Some((index, self.state(sample, place).q.truncate()))
        })
    }
}

/// The pose of the centre of mass of a body whose origin is at (x, y, angle): m, m, rad.
pub(crate) fn pose_of_centre(origin: DVec3, centre: DVec2) -> DVec3 {
    (origin.truncate() + Rotation::from_angle(origin.z).apply(centre)).extend(origin.z)
}
