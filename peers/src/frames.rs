//! Joints as engines state them: a frame in each body, whose displacement and angle against one another are the joint's.
//!
//! A frame is a point from the centre of mass and the angle of its x axis in the body. The angle of the joint is that of the
//! second frame in the first one, the displacement that of the second point along the x axis of the first frame.

use driftlab_engine::glam::{DVec2, DVec3};
use driftlab_engine::model::{Frame, Joint, JointKind, World};

/// The frames of a joint.
#[derive(Clone, Copy, Debug)]
pub struct Frames {
    /// The points from the centres of mass, in the bodies' axes, m.
    pub points: [DVec2; 2],
    /// The angles of the x axes in the bodies, rad.
    pub angles: [f64; 2],
    /// The limits of the joint's angle or displacement, rad or m.
    pub limits: Option<[f64; 2]>,
}

impl Frames {
    /// Those of a joint of a kind that both engines have.
    pub fn of(joint: &Joint) -> Self {
        let from_zero = joint.limits.map(|limits| limits.map(|limit| joint.zero + limit));
        let plain = Self { points: joint.kind.anchors(), angles: [0.0; 2], limits: from_zero };
        match &joint.kind {
            JointKind::Hinge(_) => Self { angles: [joint.zero, 0.0], limits: joint.limits, ..plain },
            JointKind::Weld(weld) => Self { angles: [weld.reference_angle, 0.0], ..plain },
            JointKind::Slider(slider) => {
                let angle = slider.axis.to_angle();
                Self { angles: [angle, angle - slider.reference_angle], ..plain }
            }
            JointKind::Slot(slot) => Self { angles: [slot.axis.to_angle(), 0.0], ..plain },
            JointKind::PoseMotor(mover) => {
                let [a, b] = mover.anchors;
                Self { points: [a + mover.offset, b], angles: [mover.angle, 0.0], ..plain }
            }
            _ => plain,
        }
    }
}

/// The mass that a change of the distance of two points has along a unit vector, kg: `arms` from the centres of mass and `axis`
/// in the world, `w` the inverse masses (1/m, 1/m, 1/I); infinite where nothing can move.
pub fn mass_along(axis: DVec2, arms: [DVec2; 2], w: [DVec3; 2]) -> f64 {
    let mobility = |side: usize| {
        let lever = arms[side].perp_dot(axis);
        w[side].x + w[side].z * lever * lever
    };
    1.0 / (mobility(0) + mobility(1))
}

/// Two points of bodies in the world.
#[derive(Clone, Copy, Debug)]
pub struct Points {
    /// Arms from the centres of mass, in the world's axes, m.
    pub arms: [DVec2; 2],
    /// From the first to the second point, m.
    pub apart: DVec2,
}

impl Points {
    /// Those at anchors from the centres of mass, in the bodies' axes, of two bodies.
    pub fn of(anchors: [DVec2; 2], at: [&Frame; 2]) -> Self {
        let arms = [0, 1].map(|side| at[side].rotation.apply(anchors[side]));
        Self { arms, apart: (at[1].position - at[0].position) + (arms[1] - arms[0]) }
    }
}

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
