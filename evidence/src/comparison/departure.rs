//! How far two motions are apart, and how late one is.

use driftlab::experiment::internal::Trajectory;
use driftlab::model::World;
use driftlab_engine::internal::largest;
use glam::DVec3;

/// Motions with a lower mean speed count as rest, for which no delay is defined, m/s.
const MOVING: f64 = 1e-6;

/// The trajectory, or none if the run failed.
pub(super) fn whole(run: Trajectory) -> Option<Trajectory> {
    run.failure.is_none().then_some(run)
}

/// The largest distance between the places of a body in the two, m.
pub(super) fn distance(reference: &Trajectory, run: &Trajectory) -> f64 {
    let apart =
        |(a, b): (&[DVec3], &[DVec3])| largest(a.iter().zip(b).map(|(a, b)| (*a - *b).truncate().length()));
    largest(reference.pairs(run).map(|(a, b)| apart((&a.q, &b.q))))
}

/// How late `run` is, s (negative: early), in a motion of `world`: the τ that brings q(t) − τ v(t) of the reference
/// closest to it in the metric of the mass, in the least-squares sense over the run: τ = −Σ vᵀM δq / Σ vᵀM v.
pub(super) fn delay(reference: &Trajectory, run: &Trajectory, world: &World) -> Option<f64> {
    let dynamic = world.bodies().iter().filter(|body| body.is_dynamic());
    let properties = dynamic.map(|body| body.mass_properties());
    let masses: Vec<DVec3> = properties.map(|own| DVec3::new(own.mass, own.mass, own.inertia)).collect();
    let (mut along, mut squared) = (0.0, 0.0);
    for (own, other) in reference.pairs(run) {
        for (index, mass) in masses.iter().enumerate() {
            let momentum = *mass * own.v[index];
            along += momentum.dot(other.q[index] - own.q[index]);
            squared += momentum.dot(own.v[index]);
        }
    }
    let mass: f64 = reference.samples.len() as f64 * masses.iter().map(|mass| mass.x).sum::<f64>();
    (squared > MOVING * MOVING * mass).then(|| -along / squared)
}
