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
pub(crate) struct Turned<'a> {
    pub joints: [&'a Joint; 2],
    pub g: Vector,
    /// z of body a and of body b, m.
    pub arms: [Vector; 2],
    /// Their velocities.
    pub v: [Vector; 2],
    pub spin: [Pair; 2],
}

impl Turned<'_> {
    /// J v.
    #[inline(always)]
    pub fn rate(&self) -> Vector {
        let Self { arms: [za, zb], v: [va, vb], spin: [a, b], .. } = self;
        (za.times(*a) - *va) + (*vb + zb.times(*b))
    }
}

/// Evaluates the rows of `joints`, which are hinges, at the frames' poses; `measure` sees each two of them, and the last of an odd number
/// by itself.
#[inline(always)]
pub(super) fn turn(
    rows: &mut [[Row; 2]],
    joints: &[Joint],
    frames: &[Frame],
    mut measure: impl FnMut(&Turned<'_>, usize),
) {
    let ((pairs, last), (twos, odd)) = (rows.as_chunks_mut::<2>(), joints.as_chunks::<2>());
    for ([first, second], [one, other]) in pairs.iter_mut().zip(twos) {
        let Some((turned, k)) = turned([one, other], frames) else { continue };
        let [g, k] = [turned.g, k].map(|v| [v.x.to_array(), v.y.to_array()]);
        let arms = turned.arms.map(|z| [z.x.to_array(), z.y.to_array()]);
        write(first, &g, &k, &arms, 0);
        write(second, &g, &k, &arms, 1);
        measure(&turned, 2);
    }
    for (rows, joint) in last.iter_mut().zip(odd) {
        let Some((turned, k)) = turned([joint, joint], frames) else { continue };
        let [g, k] = [turned.g, k].map(|v| [v.x.to_array(), v.y.to_array()]);
        write(rows, &g, &k, &turned.arms.map(|z| [z.x.to_array(), z.y.to_array()]), 0);
        measure(&turned, 1);
    }
}

/// What changes in the rows of hinge number `own` of two.
#[inline(always)]
fn write(
    [x, y]: &mut [Row; 2],
    g: &[[f64; 2]; 2],
    k: &[[f64; 2]; 2],
    arms: &[[[f64; 2]; 2]; 2],
    own: usize,
) {
    let [za, zb] = arms;
    (x.g, x.ja.z, x.jb.z, x.k) = (g[0][own], za[0][own], zb[0][own], k[0][own]);
    (y.g, y.ja.z, y.jb.z, y.k) = (g[1][own], za[1][own], zb[1][own], k[1][own]);
}

/// Two hinges at the frames' poses, and k.
#[inline(always)]
fn turned<'a>(joints: [&'a Joint; 2], frames: &[Frame]) -> Option<(Turned<'a>, Vector)> {
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
    let v = [[a, c], [b, d]].map(|two| side_by_side(two.map(|frame| frame.linear)));
    let arms = [Vector { x: r_a.y, y: -r_a.x }, Vector { x: -r_b.y, y: r_b.x }];
    Some((Turned { joints, g, arms, v, spin }, k))
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
