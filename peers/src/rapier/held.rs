//! The mass that a joint's motor moves.

use driftlab_engine::glam::DVec3;
use driftlab_engine::model::{Frame, Joint, World};

/// The mass, kg or kg m², that the driven coordinate of a joint moves with the joint's own equations held:
/// 1/m = J M⁻¹Jᵀ − (J M⁻¹Cᵀ)(C M⁻¹Cᵀ)⁻¹(C M⁻¹Jᵀ); none without such a coordinate.
pub fn held_mass(world: &World, joint: &Joint, at: [&Frame; 2]) -> Option<f64> {
    let [wa, wb] = joint.bodies().map(|index| world.bodies()[index].inverse_mass());
    let product = |x: &[DVec3; 2], y: &[DVec3; 2]| x[0].dot(wa * y[0]) + x[1].dot(wb * y[1]);
    let driven = joint.kind.driven(at[0], at[1])?;
    let mut free = [driven.ja, driven.jb];
    // Gram and Schmidt in the metric of M⁻¹, over at most three rows.
    let mut held: Vec<[DVec3; 2]> = Vec::new();
    joint.kind.equations(at[0], at[1], |row| held.push([row.ja, row.jb]));
    for place in 0..held.len() {
        let row = held[place];
        let size = product(&row, &row);
        if size <= 0.0 {
            continue;
        }
        let without = |other: &mut [DVec3; 2]| {
            let part = product(other, &row) / size;
            *other = [other[0] - part * row[0], other[1] - part * row[1]];
        };
        held[place + 1..].iter_mut().for_each(without);
        without(&mut free);
    }
    Some(1.0 / product(&free, &free))
}
