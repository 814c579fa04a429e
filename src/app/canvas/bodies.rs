//! Bodies: filled and outlined, each in its colour; those that forces do not move are hatched.

use super::Picture;
use super::discs::{Disc, Discs, covers};
use super::stroke::{OUTLINE, arrow, hatching, kept};
use crate::internal::Rotation;
use crate::model::{AppliedForce, Axes, Body, Placement, Shape, World};
use crate::scene::KEYS;
use crate::workbench::stage::framing::anchor_in_world;
use crate::workbench::stage::outline;
use crate::workbench::view_state::layers::View;
use earcut::Earcut;
use egui_macroquad::egui::{self, Color32, Mesh, Pos2, Stroke, Vec2, vec2};
use glam::{DVec2, DVec3};

/// Width of the arms of a body without shapes, and radius of its centre of mass, points.
const ARM: f32 = 3.0;
const CENTER: f32 = 5.0;
/// Length of the arrow of an applied force, and width of the arrows of forces and torques, points.
const APPLIED: f32 = 34.0;
const APPLIED_WIDTH: f32 = 2.2;
/// Length of the flame of a thruster, points.
const FLAME: f32 = 26.0;
/// Size of the name of a key, points.
const KEY: f32 = 11.0;
/// Radius (points), angle (rad) and corners of the arrow of a torque.
const TORQUE_RADIUS: f32 = 15.0;
const TORQUE_ARC: f32 = 4.4;
const TORQUE_POINTS: usize = 24;
/// Width of hatching lines, points.
const HATCHING: f32 = 1.0;
/// Opacity of the fill of a half plane.
const GROUND: f32 = 0.16;
/// Depth of the hatched strip under a half plane, points.
const STRIP: f32 = 14.0;
/// Circles below these radii, points, are drawn with every so many points of their outline: within a quarter of a point of it.
const COARSER: [(f32, usize); 3] = [(6.0, 6), (14.0, 4), (40.0, 2)];
/// Simulated seconds of motion that an arrow of a velocity spans.
const ARROW_SECONDS: f64 = 0.1;

/// The bodies; `color` is that of a body that forces move, by its index.
pub(super) fn paint(picture: &Picture<'_>, world: &World, color: impl Fn(usize) -> Color32) {
    let mut discs = Discs::new(picture.painter);
    for (index, body) in world.bodies().iter().enumerate() {
        let look = if body.is_dynamic() {
            Look::Solid(color(index))
        } else {
            Look::Hatched(picture.palette.fixed)
        };
        let place = ScreenPose::of(body);
        if let (true, Look::Solid(color)) = (body.shapes().is_empty(), look) {
            discs.paint(picture.painter);
            skeleton(picture, world, index, color);
        }
        for placed in body.shapes() {
            if let Some(disc) = small_circle(picture, &place, placed, look) {
                discs.add(&disc);
            } else {
                discs.paint(picture.painter);
                paint_shape(picture, &place, placed, look);
            }
        }
    }
    discs.paint(picture.painter);
}

/// A body without shapes: its centre of mass, and the arms from there to what holds it.
fn skeleton(picture: &Picture<'_>, world: &World, index: usize, color: Color32) {
    let joints = world.joints().iter().map(|joint| (joint.bodies(), joint.kind.anchors()));
    let springs = world.springs().iter().map(|spring| (spring.bodies(), spring.anchors));
    let arms = joints.chain(springs).flat_map(|(bodies, anchors)| bodies.into_iter().zip(anchors));
    let center = picture.at(world.bodies()[index].pose.position);
    let stroke = Stroke::new(ARM, color);
    for (_, anchor) in arms.filter(|(body, _)| *body == index) {
        picture.painter.line_segment([center, picture.at(anchor_in_world(world, index, anchor))], stroke);
    }
    picture.painter.circle_filled(center, CENTER, color);
}

/// The constant forces and torques on bodies: an arrow in the direction of the force, and one round the point on which it acts.
pub(super) fn applied(picture: &Picture<'_>, world: &World) {
    let stroke = Stroke::new(APPLIED_WIDTH, picture.palette.accent);
    for (index, body) in world.bodies().iter().enumerate() {
        for own in &body.driven {
            let share = own.profile.value(world.time());
            let acts = own.acts(world.switches());
            if share != 0.0 && (acts || own.switch.is_some()) {
                flame(picture, world, index, &own.applied, share, (stroke, acts));
            }
            if let Some(key) = own.switch.and_then(|own| KEYS.get(usize::from(own))) {
                key_of(picture, world, index, &own.applied, key);
            }
        }
        let Some(applied) = body.applied else { continue };
        let load = applied.on(body.pose.angle);
        let at = picture.at(anchor_in_world(world, index, applied.at));
        if let Some(direction) = load.truncate().try_normalize() {
            // The screen's y points down.
            arrow(picture.painter, at, APPLIED * vec2(direction.x as f32, -direction.y as f32), stroke);
        }
        if applied.torque != 0.0 {
            let turn = applied.torque.signum() as f32;
            let on_arc = |part: f32| at + TORQUE_RADIUS * Vec2::angled(-turn * (TORQUE_ARC * part - 0.5));
            let arc: Vec<Pos2> =
                (0..=TORQUE_POINTS).map(|i| on_arc(i as f32 / TORQUE_POINTS as f32)).collect();
            let [.., before, _, _, _, tip] = arc.as_slice() else { continue };
            arrow(picture.painter, *before, *tip - *before, stroke);
            picture.painter.line(arc, stroke);
        }
    }
}

/// The name of the key that switches a force, beyond where its flame ends.
fn key_of(picture: &Picture<'_>, world: &World, index: usize, applied: &AppliedForce, key: &str) {
    let Some(way) = applied.on(world.bodies()[index].pose.angle).truncate().try_normalize() else { return };
    let beyond = (FLAME + 12.0) * vec2(-way.x as f32, way.y as f32);
    let at = picture.at(anchor_in_world(world, index, applied.at)) + beyond;
    let font = egui::FontId::proportional(KEY);
    let text = picture.painter.layout_no_wrap(key.to_owned(), font, picture.palette.text);
    let place = egui::Align2::CENTER_CENTER.anchor_size(at, text.size());
    picture.behind(place);
    picture.painter.galley(place.min, text, picture.palette.text);
}

/// A driven force while it acts: an arrow, and where it turns with its body, as a thruster does, a flame behind the point on
/// which it acts; of one that a key may switch on its outline.
fn flame(
    picture: &Picture<'_>,
    world: &World,
    index: usize,
    applied: &AppliedForce,
    share: f64,
    (stroke, acts): (Stroke, bool),
) {
    let load = share * applied.on(world.bodies()[index].pose.angle).truncate();
    let Some(direction) = load.try_normalize() else { return };
    let at = picture.at(anchor_in_world(world, index, applied.at));
    let along = vec2(direction.x as f32, -direction.y as f32);
    let faint = Stroke::new(1.2, stroke.color.gamma_multiply(0.5));
    if applied.axes == Axes::World {
        arrow(picture.painter, at, APPLIED * along, if acts { stroke } else { faint });
        return;
    }
    let (tip, side) = (at - FLAME * along, 0.25 * FLAME * along.rot90());
    let outline = vec![at + side, tip, at - side];
    let flame = if acts {
        egui::Shape::convex_polygon(outline, picture.palette.accent, Stroke::NONE)
    } else {
        egui::Shape::closed_line(outline, faint)
    };
    picture.painter.add(flame);
}

/// A solid circle in view that is small enough for the pattern.
fn small_circle(picture: &Picture<'_>, place: &ScreenPose, placed: &Placement, look: Look) -> Option<Disc> {
    let (Shape::Circle { radius }, Look::Solid(rim)) = (&placed.shape, look) else { return None };
    let center = place.to_screen(picture, placed.offset);
    let spoke = Rotation::from_angle(placed.angle).apply(DVec2::new(*radius, 0.0));
    let spoke = place.to_screen(picture, placed.offset + spoke) - center;
    let (radius, fill) = (picture.camera.length(*radius), picture.palette.filled(rim));
    let seen = picture.rect.expand(radius + OUTLINE).contains(center);
    let drawn = covers(radius * picture.painter.pixels_per_point()) && fill.is_opaque() && seen;
    drawn.then_some(Disc { center, radius, spoke, fill, rim })
}

/// Where a body stands: takes points of its frame to the screen.
pub(super) struct ScreenPose {
    /// Centre of mass in the world and in the body's frame, m.
    position: DVec2,
    center: DVec2,
    rotation: Rotation,
}

impl ScreenPose {
    /// Where `body` stands now.
    pub fn of(body: &Body) -> Self {
        Self::at(body, body.pose.coordinates())
    }

    /// Where `body` stands with its centre of mass at (x, y) and turned by the angle of `pose`.
    pub fn at(body: &Body, pose: DVec3) -> Self {
        let center = body.mass_properties().center;
        Self { position: pose.truncate(), center, rotation: Rotation::from_angle(pose.z) }
    }

    /// A point of the body's frame on the screen.
    pub fn to_screen(&self, picture: &Picture<'_>, local: DVec2) -> Pos2 {
        picture.at(self.position + self.rotation.apply(local - self.center))
    }
}

/// The outlines of a body's shapes on the screen, open ones included and half planes left out; none that is out of view.
pub(super) fn outlines(picture: &Picture<'_>, body: &Body, place: &ScreenPose) -> Vec<Vec<Pos2>> {
    let lines = body.shapes().iter().map(|placed| {
        let mut points: Vec<Pos2> =
            outline::closed(placed).into_iter().map(|local| place.to_screen(picture, local)).collect();
        points.extend(points.first().copied());
        points.extend(outline::open(placed).into_iter().map(|local| place.to_screen(picture, local)));
        points
    });
    let seen = |points: &Vec<Pos2>| {
        let bounds = egui::Rect::from_points(points);
        points.len() > 1 && bounds.is_finite() && bounds.intersects(picture.rect)
    };
    lines.filter(seen).collect()
}

/// A line round a body: it is pointed at, or selected.
pub(super) fn emphasize(picture: &Picture<'_>, body: &Body, stroke: Stroke) {
    for points in outlines(picture, body, &ScreenPose::of(body)) {
        picture.painter.line(points, stroke);
    }
}

#[derive(Clone, Copy)]
enum Look {
    Solid(Color32),
    Hatched(Color32),
}

fn paint_shape(picture: &Picture<'_>, place: &ScreenPose, placed: &Placement, look: Look) {
    let to_screen = |local: DVec2| place.to_screen(picture, local);
    let (Look::Solid(color) | Look::Hatched(color)) = look;
    let stroke = Stroke::new(OUTLINE, color);
    if let Some((point, normal)) = outline::boundary(placed) {
        let tip = to_screen(point + normal) - to_screen(point);
        return half_plane(picture, to_screen(point), tip, stroke);
    }
    let line: Vec<Pos2> = outline::open(placed).into_iter().map(to_screen).collect();
    if !line.is_empty() {
        picture.painter.line(line, Stroke::new(2.0 * OUTLINE, color));
        return;
    }
    let points = outline::closed(placed).into_iter().step_by(every(picture, placed));
    let points: Vec<Pos2> = points.map(to_screen).collect();
    let bounds = egui::Rect::from_points(&points);
    if points.is_empty() || !bounds.is_finite() || !bounds.intersects(picture.rect.expand(OUTLINE)) {
        return;
    }
    fill(picture, placed, &points, color);
    if let Look::Hatched(color) = look {
        let thin = Stroke::new(HATCHING, color.gamma_multiply(0.55));
        for segment in hatching(&points, picture.rect) {
            picture.painter.line_segment(segment, thin);
        }
    }
    picture.painter.add(egui::Shape::closed_line(points, stroke));
    if let Shape::Circle { radius } = placed.shape {
        let spoke = crate::internal::Rotation::from_angle(placed.angle).apply(DVec2::new(radius, 0.0));
        let ends = [to_screen(placed.offset), to_screen(placed.offset + spoke)];
        picture.painter.line_segment(ends, Stroke::new(OUTLINE, color.gamma_multiply(0.8)));
    }
}

/// Every how many points of a circle's outline are drawn: a small circle looks round with few.
fn every(picture: &Picture<'_>, placed: &Placement) -> usize {
    let Shape::Circle { radius } = placed.shape else { return 1 };
    let radius = picture.camera.length(radius);
    COARSER.into_iter().find(|(below, _)| radius < *below).map_or(1, |(_, every)| every)
}

/// Fills an outline; a concave one is triangulated first.
fn fill(picture: &Picture<'_>, placed: &Placement, points: &[Pos2], color: Color32) {
    let color = picture.palette.filled(color);
    if !matches!(placed.shape, Shape::Polygon { .. }) || is_convex(points) {
        let shape = egui::Shape::convex_polygon(points.to_vec(), color, Stroke::NONE);
        picture.painter.add(shape);
        return;
    }
    let mut mesh = Mesh::default();
    for point in points {
        mesh.colored_vertex(*point, color);
    }
    Earcut::new().earcut(points.iter().map(|p| [p.x, p.y]), &[], &mut mesh.indices);
    picture.painter.add(egui::Shape::mesh(mesh));
}

fn is_convex(points: &[Pos2]) -> bool {
    let n = points.len();
    let turn = |i: usize| {
        let (a, b) = (points[(i + 1) % n] - points[i], points[(i + 2) % n] - points[(i + 1) % n]);
        a.x * b.y - a.y * b.x
    };
    (0..n).all(|i| turn(i) >= 0.0) || (0..n).all(|i| turn(i) <= 0.0)
}

/// A half plane: filled to the edge of the view, with hatching along its boundary. `normal` points out of it, on
/// the screen.
fn half_plane(picture: &Picture<'_>, at: Pos2, normal: egui::Vec2, stroke: Stroke) {
    let out = normal.normalized();
    let view = picture.rect.expand(STRIP);
    let corners = [view.left_top(), view.right_top(), view.right_bottom(), view.left_bottom()];
    let inside = kept(&corners, |p| -out.dot(p - at));
    if inside.len() < 3 {
        return;
    }
    let fill = picture.palette.background.lerp_to_gamma(stroke.color, GROUND);
    picture.painter.add(egui::Shape::convex_polygon(inside.clone(), fill, Stroke::NONE));
    let strip = kept(&inside, |p| STRIP + out.dot(p - at));
    let thin = Stroke::new(HATCHING, stroke.color.gamma_multiply(0.55));
    for segment in hatching(&strip, view) {
        picture.painter.line_segment(segment, thin);
    }
    // The clipped strip's corners that lie on the boundary are the ends of its line.
    let on: Vec<Pos2> = strip.into_iter().filter(|p| out.dot(*p - at).abs() < 0.01).collect();
    if let [from, .., to] = on.as_slice() {
        picture.painter.line_segment([*from, *to], stroke);
    }
}

/// The speed that an arrow of `length` points stands for, m/s.
pub(super) fn speed_of_arrow(picture: &Picture<'_>, length: f32) -> f64 {
    f64::from(length) / picture.camera.scale / ARROW_SECONDS
}

/// Centres of mass and velocities, if they are switched on.
pub(super) fn marks(picture: &Picture<'_>, world: &World, view: &View) {
    let Picture { painter, palette, .. } = picture;
    for (index, body) in world.bodies().iter().enumerate() {
        let center = picture.at(body.pose.position);
        if !picture.rect.contains(center) {
            continue;
        }
        if view.centers && body.is_dynamic() {
            let stroke = Stroke::new(1.2, palette.text);
            for d in [egui::vec2(4.0, 0.0), egui::vec2(0.0, 4.0)] {
                painter.line_segment([center - d, center + d], stroke);
            }
        }
        if view.velocities {
            let v = world.velocity_of(index).truncate() * ARROW_SECONDS;
            let tip = picture.at(body.pose.position + v) - center;
            if tip.length() > 2.0 && tip.length() < 1e5 {
                arrow(painter, center, tip, Stroke::new(1.4, palette.velocity));
            }
        }
    }
}
