//! What the bounds of the energy are made of.

use driftlab::model::World;

/// Σ m g |v|, W, and the largest rate at which a body or the line between two jointed bodies turns, rad/s.
pub fn rates(world: &World) -> (f64, f64) {
    let g = world.gravity().length();
    let dynamic = world.bodies().iter().filter(|body| body.is_dynamic());
    let falling =
        dynamic.clone().map(|body| body.mass_properties().mass * g * body.velocity.linear.length());
    let falling = falling.sum();
    let lines = world.joints().iter().map(|joint| {
        let [a, b] = joint.bodies().map(|body| &world.bodies()[body]);
        let apart = (b.pose.position - a.pose.position).length();
        (b.velocity.linear - a.velocity.linear).length() / apart
    });
    let turning = dynamic.map(|body| body.velocity.angular.abs()).filter(|_| !world.joints().is_empty());
    (falling, turning.chain(lines).fold(0.0, f64::max))
}
