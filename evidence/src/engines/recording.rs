//! A run of a scene: where every body was and how fast, and how far its joints were open, after every step.

use driftlab::experiment::Run;
use driftlab::experiment::steps_for;
use driftlab::method::Method;
use driftlab::model::World;
use driftlab::model::joint::Unit;
use driftlab::scene::Scene;
use driftlab_engine::internal::largest;
use glam::{DVec2, DVec3};

/// The state after a step.
pub(super) struct Moment {
    /// s.
    pub time: f64,
    /// Centre and angle of each body, m, m, rad.
    pub poses: Vec<DVec3>,
    /// Velocity of each body's centre, m/s.
    pub velocities: Vec<DVec2>,
    /// How far the two anchors of each joint are apart, m.
    pub joints: Vec<f64>,
    /// J.
    pub kinetic: f64,
    /// J.
    pub energy: f64,
}

/// The run.
pub(super) struct Recording {
    /// The start, and the end of every step.
    pub moments: Vec<Moment>,
    /// Whether all steps were made.
    pub is_whole: bool,
}

impl Recording {
    /// A run of `scene` for its whole duration.
    pub fn of(scene: &Scene, method: Method) -> Self {
        let settings = &scene.settings;
        let steps = steps_for(settings, None);
        let mut run = Run::under(scene, method, steps);
        let mut moments = vec![Moment::of(run.world())];
        while let Some(Ok(_)) = run.next() {
            moments.push(Moment::of(run.world()));
        }
        let is_whole = moments.len() as u64 == steps + 1;
        Self { moments, is_whole }
    }

    pub fn first(&self) -> &Moment {
        &self.moments[0]
    }

    /// That nearest to a time, s.
    pub fn at(&self, time: f64) -> &Moment {
        let near = |moment: &&Moment| (moment.time - time).abs();
        let nearest = self.moments.iter().min_by(|a, b| near(a).total_cmp(&near(b)));
        nearest.unwrap_or(self.first())
    }

    /// Those from one time to another, s.
    pub fn during(&self, from: f64, to: f64) -> impl Iterator<Item = &Moment> {
        // Half a millisecond is less than any step: times are sums of steps.
        self.moments.iter().filter(move |moment| moment.time > from - 5e-4 && moment.time < to + 5e-4)
    }

    /// Those after the start.
    pub fn steps(&self) -> &[Moment] {
        &self.moments[1..]
    }
}

impl Moment {
    fn of(world: &World) -> Self {
        let bodies = world.bodies();
        let error = |joint: &driftlab::model::Joint| {
            let [a, b] = joint.bodies().map(|body| world.frame(body));
            let mut squares = 0.0;
            joint.kind.equations(&a, &b, |row| {
                squares += if row.unit == Unit::Metre { row.g * row.g } else { 0.0 };
            });
            squares.sqrt()
        };
        Self {
            time: world.time(),
            poses: bodies.iter().map(|body| body.pose.coordinates()).collect(),
            velocities: bodies.iter().map(|body| body.velocity.linear).collect(),
            joints: world.joints().iter().map(error).collect(),
            kinetic: world.kinetic_energy(),
            energy: world.kinetic_energy() + world.potential_energy(),
        }
    }

    /// The largest opening of a joint, m.
    pub fn joint(&self) -> f64 {
        largest(self.joints.iter().copied())
    }

    /// The height of the highest body's centre, m.
    pub fn top(&self) -> f64 {
        self.poses.iter().map(|pose| pose.y).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The pose of the last body.
    pub fn last(&self) -> DVec3 {
        self.poses.last().copied().unwrap_or_default()
    }
}
