//! The rows of hinges, two hinges at a time: each number of both in one register, written where it stands.
//!
//! ```text
//! r = R(θ) anchor ,   g = (x_b − x_a) + (r_b − r_a) ,   k = ω_a² r_a − ω_b² r_b
//! z_a = (r_a.y, −r_a.x) ,   z_b = (−r_b.y, r_b.x)         the third columns of J; the others stay
//! ```
//!
//! The equations and operations of `model/joint/hinge.rs`, to the same bits.

use super::row::Row;
use crate::math::{Pair, Vector};
use crate::model::{Frame, Joint, JointKind};
use glam::DVec2;

/// Two hinges at a pose, or one, twice.
struct Turned {
    g: Vector,
    k: Vector,
    /// z of body a and of body b, m.
    arms: [Vector; 2],
}

/// Evaluates the rows of `joints`, which are hinges, at the frames' poses.
#[inline(always)]
pub(super) fn turn(rows: &mut [[Row; 2]], joints: &[Joint], frames: &[Frame]) {
    let ((pairs, last), (twos, odd)) = (rows.as_chunks_mut::<2>(), joints.as_chunks::<2>());
    for ([first, second], [one, other]) in pairs.iter_mut().zip(twos) {
        if let Some(turned) = turned([one, other], frames) {
            turned.write([first, second]);
        }
    }
    for (rows, joint) in last.iter_mut().zip(odd) {
        if let Some(turned) = turned([joint, joint], frames) {
            turned.write([rows]);
        }
    }
}

impl Turned {
    /// What changes in the rows of the hinges, or of the first of them.
    #[inline(always)]
    fn write<const N: usize>(&self, rows: [&mut [Row; 2]; N]) {
        let of = |v: Vector| [v.x.to_array(), v.y.to_array()];
        let (g, k, [za, zb]) = (of(self.g), of(self.k), self.arms.map(of));
        for (own, [x, y]) in rows.into_iter().enumerate() {
            (x.g, x.ja.z, x.jb.z, x.k) = (g[0][own], za[0][own], zb[0][own], k[0][own]);
            (y.g, y.ja.z, y.jb.z, y.k) = (g[1][own], za[1][own], zb[1][own], k[1][own]);
        }
    }
}

/// Two hinges at the frames' poses.
#[inline(always)]
fn turned(joints: [&Joint; 2], frames: &[Frame]) -> Option<Turned> {
    let [JointKind::Hinge(one), JointKind::Hinge(other)] = joints.map(|joint| &joint.kind) else {
        return None;
    };
    let [[a, b], [c, d]] = joints.map(Joint::bodies);
    let ([a, b], [c, d]) = ([frames.get(a)?, frames.get(b)?], [frames.get(c)?, frames.get(d)?]);
    let (r_a, r_b) =
        (arm([a, c], [one.anchors[0], other.anchors[0]]), arm([b, d], [one.anchors[1], other.anchors[1]]));
    let place = |two: [&Frame; 2]| side_by_side(two.map(|frame| frame.position));
    let g = (place([b, d]) - place([a, c])) + (r_b - r_a);
    let spin = [[a, c], [b, d]].map(|two| Pair::new(two.map(|frame| frame.angular)));
    let k = r_a.times(spin[0] * spin[0]) - r_b.times(spin[1] * spin[1]);
    let arms = [Vector { x: r_a.y, y: -r_a.x }, Vector { x: -r_b.y, y: r_b.x }];
    Some(Turned { g, k, arms })
}

/// r of two anchors.
#[inline(always)]
fn arm(frames: [&Frame; 2], anchors: [DVec2; 2]) -> Vector {
    let [one, other] = frames.map(|frame| frame.rotation.cos_sin());
    let (cos, sin) = (Pair::new([one[0], other[0]]), Pair::new([one[1], other[1]]));
    let Vector { x, y } = side_by_side(anchors);
    Vector { x: cos * x - sin * y, y: sin * x + cos * y }
}

#[inline(always)]
fn side_by_side([one, other]: [DVec2; 2]) -> Vector {
    Vector { x: Pair::new([one.x, other.x]), y: Pair::new([one.y, other.y]) }
}
