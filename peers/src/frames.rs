//! Joints as engines state them: a frame in each body, whose displacement and angle against one another are the joint's.
//!
//! A frame is a point from the centre of mass and the angle of its x axis in the body. The angle of the joint is that of the
//! second frame in the first one, the displacement that of the second point along the x axis of the first frame.

use driftlab_engine::glam::DVec2;
use driftlab_engine::model::{Joint, JointKind};

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
