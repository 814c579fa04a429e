//! Joints at both their anchors, springs, and the gaps between anchors that should coincide.

use super::bearing;
use super::glow::Glows;
use super::misalignment::beyond_the_gap;
use super::stroke::{square, zigzag};
use super::wires::turned;
use super::{Picture, drives, wires};
use crate::model::joint::{Distance, Slider, Slot};
use crate::model::{Joint, JointKind, Piece, World};
use crate::workbench::runs::force_balance::held_point;
use crate::workbench::stage::framing::{anchor_in_world, wheels};
use egui_macroquad::egui::{self, Color32, Pos2, Stroke, Vec2};
use glam::DVec2;

/// Turns, radius (points) and corners of a torsional spring's spiral.
const SPIRAL_TURNS: f32 = 2.5;
const SPIRAL_RADIUS: f32 = 11.0;
const SPIRAL_POINTS: usize = 48;

/// Largest radius of a hinge's ring, points.
const RING: f32 = 3.6;
/// Radius of a hinge's ring as a share of the size of what it holds, so that it does not hide small bodies.
const SHARE: f64 = 0.16;
/// Smallest symbol that is drawn, points; smaller ones would only hide the bodies.
const SMALLEST: f32 = 0.9;
/// Width of joint lines, points.
const LINE: f32 = 1.3;
/// Width of a rod, points.
const ROD: f32 = 2.2;
/// Width of a spring's zigzag, points.
const ZIGZAG: f32 = 9.0;
/// Largest number of springs that are drawn as zigzags.
const FEW_SPRINGS: usize = 40;
/// Least opacity of a spring.
const FAINTEST_SPRING: f32 = 0.06;
/// Width of a gap, points.
const GAP: f32 = 2.4;
/// Gaps shorter than this, in points, are not drawn.
const VISIBLE: f32 = 0.75;
/// Largest radius of a joint's glow, as a share of the joint's distance from its bodies' centres: neighbours stay apart.
const GLOW_SHARE: f64 = 0.9;

/// Joints and springs over the glow of their errors in a scene of that extent, m.
pub(super) fn paint(picture: &Picture<'_>, world: &World, magnification: f64, extent: f64) {
    errors(picture, world, magnification, extent);
    springs(picture, world);
    for joint in world.joints() {
        paint_joint(picture, world, joint);
    }
    for joint in world.joints() {
        paint_gap(picture, world, joint, magnification);
    }
}

/// The glow of the joints' errors in a scene of that extent, m.
pub(super) fn errors(picture: &Picture<'_>, world: &World, magnification: f64, extent: f64) {
    let mut glows = Glows::new(picture.painter.ctx(), extent);
    for joint in world.joints() {
        glow(picture, world, joint, magnification, &mut glows);
    }
    glows.paint(picture);
}

/// Springs as zigzags; where there are many, as lines that are the fainter the more they are, since they cross the bodies.
fn springs(picture: &Picture<'_>, world: &World) {
    let count = world.springs().len();
    let color = picture.palette.joint;
    for spring in world.springs() {
        let [a, b] = [0, 1].map(|i| anchor_in_world(world, spring.bodies()[i], spring.anchors[i]));
        let (a, b) = (picture.at(a), picture.at(b));
        if spring.broken {
            bearing::broken_spring(picture, [a, b]);
        } else if spring.rest_angle.is_some() {
            picture.painter.line(spiral(a), Stroke::new(LINE, color.gamma_multiply(0.8)));
        } else if count <= FEW_SPRINGS {
            picture.painter.line(zigzag(a, b, ZIGZAG), Stroke::new(LINE, color.gamma_multiply(0.8)));
            dots(picture, &[a, b], color);
        } else {
            let opacity = (0.5 * FEW_SPRINGS as f32 / count as f32).max(FAINTEST_SPRING);
            picture.painter.line_segment([a, b], Stroke::new(1.0, color.gamma_multiply(opacity)));
        }
    }
}

/// A torsional spring, wound around its anchor.
fn spiral(at: Pos2) -> Vec<Pos2> {
    let points = 0..=SPIRAL_POINTS;
    let point = |i: usize| {
        let part = i as f32 / SPIRAL_POINTS as f32;
        at + SPIRAL_RADIUS * part * Vec2::angled(SPIRAL_TURNS * std::f32::consts::TAU * part)
    };
    points.map(point).collect()
}

/// The anchors of another run's joints, as points: where they lie apart, two of them and the gap between.
pub(super) fn links(picture: &Picture<'_>, world: &World, color: Color32) {
    for joint in world.joints() {
        let [a, b] = ends(world, joint).map(|end| picture.at(end));
        let size = size(picture, world, joint);
        if size >= SMALLEST && picture.rect.contains(a) {
            picture.painter.circle_filled(a, 0.6 * size, color);
            picture.painter.line_segment([a, b], Stroke::new(LINE, color));
            picture.painter.circle_filled(b, 0.6 * size, color);
        }
    }
}

fn ends(world: &World, joint: &Joint) -> [DVec2; 2] {
    let anchors = joint.kind.anchors();
    [0, 1].map(|i| anchor_in_world(world, joint.bodies()[i], anchors[i]))
}

fn paint_joint(picture: &Picture<'_>, world: &World, joint: &Joint) {
    if let JointKind::Gear(gear) = &joint.kind {
        return super::gears::paint(picture, world, joint, gear);
    }
    let [a, b] = ends(world, joint);
    let (pa, pb) = (picture.at(a), picture.at(b));
    let around = picture.rect.expand(2.0 * RING);
    if !around.contains(pa)
        && !around.contains(pb)
        && !matches!(
            joint.kind,
            JointKind::Distance(_)
                | JointKind::Rope(_)
                | JointKind::Pulley(_)
                | JointKind::Bead(_)
                | JointKind::Custom(_)
        )
    {
        return;
    }
    let size = size(picture, world, joint);
    if size < SMALLEST {
        return;
    }
    if joint.broken {
        bearing::broken_joint(picture, joint, [pa, pb]);
        return;
    }
    drives::paint(picture, world, joint, size);
    let color = picture.palette.joint;
    let stroke = Stroke::new(LINE.min(size), color);
    if joint.is_soft()
        && matches!(joint.kind, JointKind::Hinge(_) | JointKind::Weld(_) | JointKind::Slider(_))
    {
        bearing::soft_ring(picture, pa, size);
    }
    match &joint.kind {
        JointKind::Rope(_) => {
            bearing::rope(picture, world, joint, [a, b]);
            dots(picture, &[pa, pb], color);
        }
        JointKind::Pulley(pulley) => {
            super::pulleys::paint(picture, world, joint, (pulley, [a, b]), size);
            let fixed = wheels(world, joint, pulley).into_iter().zip(pulley.carried);
            let fixed = fixed.filter(|(_, carried)| !carried);
            fixed.for_each(|(wheel, _)| ground(picture, picture.at(wheel), size));
            dots(picture, &[pa, pb], color);
        }
        JointKind::Distance(_) if joint.is_soft() => {
            bearing::soft_rod(picture, [pa, pb]);
            dots(picture, &[pa, pb], color);
        }
        JointKind::Hinge(_) => {
            picture.painter.circle_filled(pa, size, picture.palette.background);
            picture.painter.circle_stroke(pa, size, stroke);
            picture.painter.circle_filled(pb, 0.4 * size, color);
        }
        JointKind::Distance(_) | JointKind::Custom(_) => {
            picture.painter.line_segment([pa, pb], Stroke::new(ROD, color.gamma_multiply(0.85)));
            dots(picture, &[pa, pb], color);
        }
        JointKind::Weld(_) => {
            let along = turned(world, joint.bodies()[0], DVec2::X);
            let corners = square(pa, size, along);
            picture.painter.line_segment([corners[0], corners[2]], stroke);
            picture.painter.line_segment([corners[1], corners[3]], stroke);
            picture.painter.add(egui::Shape::closed_line(corners, stroke));
            picture.painter.circle_filled(pb, 0.4 * size, color);
        }
        JointKind::Gear(_) => {}
        JointKind::Slider(slider) => {
            let along = turned(world, joint.bodies()[0], slider.axis);
            let axis = (slider.anchors[0], slider.axis);
            let foot = picture.at(foot(world, joint.bodies()[0], axis, b));
            let reach = along * (0.5 * pa.distance(foot)).max(8.0 * size);
            let middle = pa.lerp(foot, 0.5);
            let faint = Stroke::new(LINE, color.gamma_multiply(0.5));
            let line = egui::Shape::dashed_line(&[middle - reach, middle + reach], faint, 6.0, 4.0);
            picture.painter.extend(line);
            picture.painter.circle_stroke(pa, 0.6 * size, faint);
            picture.painter.add(egui::Shape::closed_line(square(pb, size, along), stroke));
        }
        JointKind::Slot(slot) => wires::slot(picture, world, joint, slot, size),
        JointKind::Bead(bead) => wires::bead(picture, world, joint, bead, size),
        JointKind::PoseMotor(mover) => wires::mover(picture, world, joint, mover, size),
    }
    if matches!(joint.kind, JointKind::Bead(_) | JointKind::PoseMotor(_)) {
        return;
    }
    for (i, at) in [pa, pb].into_iter().enumerate() {
        if !world.bodies()[joint.bodies()[i]].is_dynamic() {
            ground(picture, at, size);
        }
    }
}

/// Size of a joint's symbol: fixed in points, smaller where what it holds is small on the screen.
fn size(picture: &Picture<'_>, world: &World, joint: &Joint) -> f32 {
    let held = held(world, joint);
    if held > 0.0 { picture.camera.length(SHARE * held).min(RING) } else { RING }
}

/// The size of what a joint holds, m: of the bodies that it moves, from their centres of mass; of a rod, half its
/// length. 0 of point masses at one place.
fn held(world: &World, joint: &Joint) -> f64 {
    let moving =
        joint.bodies().into_iter().map(|index| &world.bodies()[index]).filter(|body| body.is_dynamic());
    let radii = moving.flat_map(|body| body.pieces()).map(Piece::bounding_radius);
    let rod = match joint.kind {
        JointKind::Distance(_) | JointKind::Rope(_) | JointKind::Pulley(_) => ends(world, joint),
        JointKind::Hinge(_)
        | JointKind::Weld(_)
        | JointKind::Slider(_)
        | JointKind::Slot(_)
        | JointKind::Bead(_)
        | JointKind::PoseMotor(_)
        | JointKind::Gear(_)
        | JointKind::Custom(_) => [DVec2::ZERO; 2],
    };
    radii.fold(arm(world, joint), f64::max).max(0.5 * rod[0].distance(rod[1]))
}

/// Largest distance of a joint from the centres of the bodies that it moves, m; 0 if it is there.
fn arm(world: &World, joint: &Joint) -> f64 {
    let arms = joint.kind.anchors().into_iter().zip(joint.bodies());
    let moving = arms.filter(|(_, body)| world.bodies()[*body].is_dynamic());
    moving.map(|(anchor, _)| anchor.length()).fold(0.0, f64::max)
}

fn dots(picture: &Picture<'_>, at: &[Pos2], color: Color32) {
    for end in at {
        picture.painter.circle_filled(*end, 0.75 * RING, picture.palette.background);
        picture.painter.circle_stroke(*end, 0.75 * RING, Stroke::new(LINE, color));
    }
}

/// Three short strokes under a joint on a body that forces do not move.
fn ground(picture: &Picture<'_>, at: Pos2, size: f32) {
    let stroke = Stroke::new(1.2, picture.palette.fixed);
    let y = at.y + 2.4 * size;
    let half = 2.6 * size;
    picture.painter.line_segment([at + egui::vec2(0.0, size), Pos2::new(at.x, y)], stroke);
    picture.painter.line_segment([Pos2::new(at.x - half, y), Pos2::new(at.x + half, y)], stroke);
    for i in 0..4 {
        let x = at.x - half + (i as f32 + 0.5) * half / 2.0;
        let foot = Pos2::new(x - 0.8 * size, y + 1.2 * size);
        picture.painter.line_segment([Pos2::new(x, y), foot], stroke);
    }
}

/// The point nearest to `b` of an axis of a body through an anchor.
fn foot(world: &World, body: usize, (anchor, axis): (DVec2, DVec2), b: DVec2) -> DVec2 {
    let a = anchor_in_world(world, body, anchor);
    let axis = world.frame(body).rotation.apply(axis);
    a + axis * axis.dot(b - a)
}

/// From where a joint's anchor should be to where it is, m.
fn gap(world: &World, joint: &Joint) -> (DVec2, DVec2) {
    let [a, b] = ends(world, joint);
    if !joint.is_rigid() {
        return (a, DVec2::ZERO);
    }
    match &joint.kind {
        JointKind::Hinge(_) | JointKind::Weld(_) => (a, b - a),
        // A motor has no error, a pulley's has no place, and where that of another crate's joint is in space only this
        // crate knows.
        JointKind::PoseMotor(_) | JointKind::Pulley(_) | JointKind::Gear(_) | JointKind::Custom(_) => {
            (a, DVec2::ZERO)
        }
        JointKind::Rope(_) => {
            // From where the rope or strut ends.
            let apart = b - a;
            let [shortest, longest] = joint.limits.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
            let along = apart.normalize_or_zero();
            let allowed = along * apart.length().clamp(shortest.max(0.0), longest);
            (a + allowed, apart - allowed)
        }
        JointKind::Distance(Distance { length, .. }) => {
            let along = (b - a).normalize_or_zero();
            (a + along * *length, b - a - along * *length)
        }
        JointKind::Slider(Slider { anchors, axis, .. }) | JointKind::Slot(Slot { anchors, axis, .. }) => {
            let foot = foot(world, joint.bodies()[0], (anchors[0], *axis), b);
            (foot, b - foot)
        }
        JointKind::Bead(bead) => wires::miss(world, joint, bead),
    }
}

/// The glow of a joint's error, the larger of its gap and of what its angles are worth: at both its ends where they can be told
/// apart.
fn glow(picture: &Picture<'_>, world: &World, joint: &Joint, magnification: f64, glows: &mut Glows) {
    let (from, gap) = gap(world, joint);
    let arm = arm(world, joint);
    let most = if arm > 0.0 { picture.camera.length(GLOW_SHARE * arm) } else { f32::INFINITY };
    let (start, end) = (picture.at(from), picture.at(from + magnification * gap));
    let apart = start.distance(end) > RING;
    let error = gap.length().max(beyond_the_gap(world, joint));
    glows.add(picture, if apart { start } else { start.lerp(end, 0.5) }, error, most);
    if apart {
        glows.add(picture, end, error, most);
    }
}

fn paint_gap(picture: &Picture<'_>, world: &World, joint: &Joint, magnification: f64) {
    let (from, gap) = gap(world, joint);
    let (start, end) = (picture.at(from), picture.at(from + magnification * gap));
    let length = start.distance(end);
    if length < VISIBLE || !length.is_finite() {
        return;
    }
    let color = picture.palette.error;
    picture.painter.line_segment([start, end], Stroke::new(GAP, color));
    picture.painter.circle_filled(end, GAP, color);
}

/// The mouse's spring: from the held point to the cursor.
pub(super) fn grab(picture: &Picture<'_>, world: &World) {
    let Some(grab) = &world.grab() else { return };
    let Some(from) = held_point(world) else { return };
    let from = picture.at(from);
    let to = picture.at(grab.target);
    let color = picture.palette.accent;
    picture.painter.line(zigzag(from, to, ZIGZAG), Stroke::new(1.6, color));
    picture.painter.circle_filled(from, RING, color);
    picture.painter.circle_stroke(to, 1.6 * RING, Stroke::new(1.6, color));
}
