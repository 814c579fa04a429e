//! Arrows at the edge of the canvas that point to bodies outside it.

use super::{PADDING, Picture};
use crate::model::World;
use crate::workbench::stage::framing::points;
use crate::workbench::text::format;
use egui_macroquad::egui::{Align2, Color32, FontId, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};
use glam::DVec2;

/// Distance of an arrow's tip from the edge, points.
const INSET: f32 = 10.0;
/// Length and half width of an arrow, points.
const LENGTH: f32 = 18.0;
const HALF_WIDTH: f32 = 8.0;
/// Arrows closer than this become one, points: some thirty fit round a canvas.
const APART: f32 = 80.0;
/// Distance of the text from the arrow's tip, points.
const TEXT: f32 = 30.0;

/// Bodies in about the same direction.
pub(super) struct Group {
    /// Where on the edge.
    tip: Pos2,
    /// Direction to them on the screen.
    direction: Vec2,
    color: Color32,
    /// How many, and how far the nearest of them is from the edge, m.
    bodies: usize,
    distance: f64,
}

/// Draws the arrows of a picture, whose places are then `taken`; returns them, those to the nearest bodies first.
pub(super) fn arrows(picture: &Picture<'_>, world: &World, taken: &mut Vec<Rect>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let edge = picture.rect.shrink(INSET);
    for (index, body) in world.bodies().iter().enumerate().filter(|(_, body)| body.is_dynamic()) {
        let at = body.pose.position;
        let Some(extent) = outside(picture, world, index) else { continue };
        let Some((tip, direction)) = tip(edge.center(), 0.5 * edge.size(), picture, at) else { continue };
        let distance = ((at - picture.camera.to_world(picture.rect, tip)).length() - extent).max(0.0);
        let apart = |group: &Group| group.tip.distance(tip);
        let near = groups.iter_mut().min_by(|a, b| apart(a).total_cmp(&apart(b)));
        if let Some(group) = near.filter(|group| apart(group) < APART) {
            group.bodies += 1;
            group.distance = group.distance.min(distance);
        } else {
            let colors = &picture.palette.bodies;
            let color = colors[index % colors.len()];
            groups.push(Group { tip, direction, color, bodies: 1, distance });
        }
    }
    groups.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    taken.extend(groups.iter().map(|group| arrow(picture, group)));
    groups
}

/// How many bodies arrows point to.
pub(super) fn count(groups: &[Group]) -> usize {
    groups.iter().map(|group| group.bodies).sum()
}

/// The labels of arrows, nearest bodies first: where one has no room along the edge without touching what is `taken`,
/// the arrow stands alone.
pub(super) fn labels(picture: &Picture<'_>, groups: &[Group], taken: &mut Vec<Rect>) {
    groups.iter().for_each(|group| label(picture, group, taken));
}

/// The distance of the body's outline from its centre, m, if no part of it can be seen.
fn outside(picture: &Picture<'_>, world: &World, index: usize) -> Option<f64> {
    let body = &world.bodies()[index];
    let at = body.pose.position;
    if !at.is_finite() {
        return None;
    }
    let [low, high] = picture.camera.visible(picture.rect);
    let beyond = (low - at).max(at - high).max_element();
    if beyond <= 0.0 {
        return None;
    }
    let reach = points(world, index);
    let extent = reach.into_iter().map(|point| point.distance(at)).fold(0.0, f64::max);
    (beyond > extent).then_some(extent)
}

/// Where the line from the middle of the canvas to a world point meets the edge, and the line's direction.
fn tip(middle: Pos2, half: Vec2, picture: &Picture<'_>, at: DVec2) -> Option<(Pos2, Vec2)> {
    // In f64, since a body can be so far away that points of the screen do not resolve it.
    let away = (at - picture.camera.center) * picture.camera.scale;
    let away = DVec2::new(away.x, -away.y);
    let share = (f64::from(half.x) / away.x.abs()).min(f64::from(half.y) / away.y.abs());
    let direction = away.normalize_or_zero();
    let on_edge = away * share;
    (share < 1.0 && on_edge.is_finite()).then(|| {
        let tip = pos2(middle.x + on_edge.x as f32, middle.y + on_edge.y as f32);
        (tip, vec2(direction.x as f32, direction.y as f32))
    })
}

/// Draws an arrow; returns its place.
fn arrow(picture: &Picture<'_>, group: &Group) -> Rect {
    let Group { tip, direction, color, .. } = *group;
    let back = tip - LENGTH * direction;
    let side = HALF_WIDTH * vec2(-direction.y, direction.x);
    let notch = tip - 0.7 * LENGTH * direction;
    let outline = Stroke::new(1.0, picture.palette.background);
    picture.painter.add(Shape::convex_polygon(vec![tip, back + side, notch], color, Stroke::NONE));
    picture.painter.add(Shape::convex_polygon(vec![tip, notch, back - side], color, Stroke::NONE));
    picture.painter.add(Shape::closed_line(vec![tip, back + side, notch, back - side], outline));
    Rect::from_points(&[tip, back + side, back - side])
}

/// Says how many bodies an arrow points to and how far away they are, where that touches nothing.
fn label(picture: &Picture<'_>, group: &Group, taken: &mut Vec<Rect>) {
    let Group { tip, direction, bodies, distance, .. } = *group;
    let far = format::length(format::round_down(distance.max(1e-6)));
    let text = if bodies == 1 { format!("{far} away") } else { format!("{bodies} bodies, {far}") };
    let font = FontId::proportional(12.0);
    let galley = picture.painter.layout_no_wrap(text, font, picture.palette.weak);
    let size = galley.size();
    let middle = tip - TEXT * direction - vec2(0.5 * size.x * direction.x, 0.0);
    // Beside its place along the edge, as far as the text is large.
    let along = if (tip.x - picture.rect.center().x).abs() * picture.rect.height()
        > (tip.y - picture.rect.center().y).abs() * picture.rect.width()
    {
        vec2(0.0, size.y + 2.0 * PADDING.y)
    } else {
        vec2(0.5 * size.x + LENGTH, 0.0)
    };
    let places = [0.0, 1.0, -1.0, 2.0, -2.0]
        .map(|way| Align2::CENTER_CENTER.anchor_size(middle + way * along, size));
    let free = |place: &&Rect| {
        let place = place.expand2(PADDING);
        picture.rect.contains_rect(place) && !taken.iter().any(|other| other.intersects(place))
    };
    let Some(place) = places.iter().find(free).copied() else { return };
    picture.behind(place);
    picture.painter.galley(place.min, galley, picture.palette.weak);
    taken.push(place.expand2(PADDING));
}
