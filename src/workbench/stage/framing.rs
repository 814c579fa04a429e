//! The initial view of a scene: its bodies, and the room in which they will move.

use super::outline;
use crate::internal::Rotation;
use crate::model::joint::{Bead, Pulley};
use crate::model::{Body, Joint, JointKind, Placement, Shape, World};
use glam::DVec2;

/// Margin about the bodies, as a share of their extent.
const MARGIN: f64 = 0.04;
/// Room below a body that hangs freely from a mechanism on several pivots, as a share of the extent.
const DROP: f64 = 0.35;
/// Least size of the view, in sizes of the largest body that moves freely.
const ROOM: f64 = 2.6;
/// Share of the room to be added that lies below.
const BELOW: f64 = 0.25;
/// Largest width of a room that is shown as a whole, in sizes of what has to be seen in it.
const LARGEST_ROOM: f64 = 4.0;
/// Cosine of the angle up to which a wall counts as upright, or a floor as level.
const UPRIGHT: f64 = 0.99;
/// Smallest half extent that is shown, m.
const SMALLEST: f64 = 1e-3;

/// Lowest and highest coordinates to show, m.
///
/// A mechanism that hangs from one pivot can swing about it within its reach, but hardly higher than it starts; one with
/// several pivots or none is shown as it is.
pub fn frame(world: &World) -> [DVec2; 2] {
    let (mut low, mut high) = spanned((0..world.bodies().len()).map(|index| span(world, index)));
    let mut include = |point: DVec2| {
        low = low.min(point);
        high = high.max(point);
    };
    for (pivot, reach) in swings(world) {
        include(pivot - DVec2::splat(reach));
        include(pivot + DVec2::new(reach, 0.0));
    }
    wires(world).for_each(&mut include);
    let drop = DVec2::new(0.0, DROP * (high - low).max_element());
    for index in dangling(world) {
        low = low.min(world.bodies()[index].pose.position - drop);
    }
    if !(low.is_finite() && high.is_finite()) {
        return [-DVec2::ONE, DVec2::ONE];
    }
    [low, high] = with_room(low, high, largest_extent(world));
    [low, high] = with_walls(low, high, world);
    let margin = margin(low, high);
    [low - margin, high + margin]
}

/// The size of a scene: the longer side of the view of it, m.
pub fn extent(world: &World) -> f64 {
    let [low, high] = frame(world);
    (high - low).max_element()
}

/// The margin about the box from `low` to `high`, m.
pub fn margin(low: DVec2, high: DVec2) -> DVec2 {
    DVec2::splat(MARGIN * (high - low).max_element().max(SMALLEST / MARGIN))
}

/// The middle of the bodies that move, m: of their coordinates' medians, so that few that fly away do not move it.
pub fn middle(world: &World) -> Option<DVec2> {
    let positions =
        || world.bodies().iter().filter(|body| body.is_dynamic()).map(|body| body.pose.position);
    let mut x: Vec<f64> = positions().map(|at| at.x).filter(|x| x.is_finite()).collect();
    let mut y: Vec<f64> = positions().map(|at| at.y).filter(|y| y.is_finite()).collect();
    Some(DVec2::new(median(&mut x)?, median(&mut y)?))
}

fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    let upper = *values.get(half)?;
    let lower = if values.len().is_multiple_of(2) { *values.get(half - 1)? } else { upper };
    Some(0.5 * (lower + upper))
}

/// The larger side of the box about all bodies that have an outline, m.
pub fn size(world: &World) -> f64 {
    let (low, high) = spanned((0..world.bodies().len()).map(|index| span(world, index)));
    if low.is_finite() && high.is_finite() { (high - low).max_element() } else { 0.0 }
}

/// The lowest and highest coordinates of the finite outline of a body, m; +∞ and −∞ where it has none.
fn span(world: &World, index: usize) -> (DVec2, DVec2) {
    let body = &world.bodies()[index];
    let circle = |placed: &Placement| match placed.shape {
        Shape::Circle { radius } => Some((body.point_in_world(placed.offset), DVec2::splat(radius))),
        _ => None,
    };
    // A circle's corners are known; other outlines are followed point by point.
    let circles: Option<Vec<(DVec2, DVec2)>> = body.shapes().iter().map(circle).collect();
    match circles {
        Some(circles) if !circles.is_empty() => {
            let place = (body.pose.position, body.pose.position);
            let sides = circles.into_iter().map(|(center, radius)| (center - radius, center + radius));
            spanned(sides.chain([place]))
        }
        _ => spanned(points(world, index).into_iter().map(|point| (point, point))),
    }
}

/// What spans all of these, each given by its lowest and its highest coordinates, m.
fn spanned(all: impl IntoIterator<Item = (DVec2, DVec2)>) -> (DVec2, DVec2) {
    let nothing = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    all.into_iter().fold(nothing, |(low, high), (from, to)| (low.min(from), high.max(to)))
}

/// Room for a body of the size `extent` (m) to be pushed about in, mostly beside and above it.
fn with_room(low: DVec2, high: DVec2, extent: DVec2) -> [DVec2; 2] {
    let lacking = (ROOM * extent - (high - low)).max(DVec2::ZERO);
    let below = DVec2::new(0.5, BELOW);
    [low - below * lacking, high + (DVec2::ONE - below) * lacking]
}

/// The room between opposite walls, if it is not so large that the bodies become small in it.
fn with_walls(low: DVec2, high: DVec2, world: &World) -> [DVec2; 2] {
    let (mut inner_low, mut inner_high) = (DVec2::NEG_INFINITY, DVec2::INFINITY);
    for body in world.bodies().iter().filter(|body| !body.is_dynamic() && body.collides) {
        for (at, normal) in body.shapes().iter().filter_map(outline::boundary) {
            let place = body.point_in_world(at);
            let normal = body.point_in_world(at + normal) - place;
            for axis in 0..2 {
                if normal[axis] > UPRIGHT {
                    inner_low[axis] = inner_low[axis].max(place[axis]);
                } else if normal[axis] < -UPRIGHT {
                    inner_high[axis] = inner_high[axis].min(place[axis]);
                }
            }
        }
    }
    let most = LARGEST_ROOM * (high - low).max_element();
    let fits = (inner_high - inner_low).cmplt(DVec2::splat(most));
    [DVec2::select(fits, low.min(inner_low), low), DVec2::select(fits, high.max(inner_high), high)]
}

/// Largest width and height of a body that moves without joints, m.
fn largest_extent(world: &World) -> DVec2 {
    let jointed = |index: usize| world.joints().iter().any(|joint| joint.bodies().contains(&index));
    let bodies = world.bodies().iter().enumerate();
    let free = bodies.filter(|(index, body)| body.is_dynamic() && !jointed(*index));
    free.map(|(index, _)| {
        let (low, high) = span(world, index);
        high - low
    })
    .fold(DVec2::ZERO, DVec2::max)
}

/// The finite outline of a body in the world, m.
///
/// A body that has only an infinite shape has none: the place of a half plane's frame says nothing about where the bodies are.
pub fn points(world: &World, index: usize) -> Vec<DVec2> {
    let body = &world.bodies()[index];
    let endless =
        !body.is_dynamic() && body.shapes().iter().any(|placed| outline::boundary(placed).is_some());
    let mut all = if endless { Vec::new() } else { vec![body.pose.position] };
    for placed in body.shapes() {
        let outline = outline::closed(placed).into_iter().chain(outline::open(placed));
        all.extend(outline.map(|point| body.point_in_world(point)));
    }
    all
}

/// The wire of a bead, m: all of a curve that ends, and `reach` to either side of the point nearest to the bead along the first
/// axis of one that does not.
pub fn wire(world: &World, joint: &Joint, bead: &Bead, reach: f64) -> Vec<DVec2> {
    /// Points of a curve.
    const POINTS: usize = 129;
    let [a, b] = joint.bodies().map(|body| world.frame(body));
    let [origin, at] =
        [(a, 0), (b, 1)].map(|(own, end)| own.position + own.rotation.apply(bead.anchors[end]));
    let turned = Rotation::from_angle(a.angle + bead.angle);
    let here = turned.inverse_apply(at - origin).x;
    let [from, to] = bead.curve.span().unwrap_or([here - reach, here + reach]);
    let point = |i: usize| from + (to - from) * i as f64 / (POINTS - 1) as f64;
    (0..POINTS).map(|i| origin + turned.apply(bead.curve.point(point(i)))).collect()
}

/// The wires that end and the wheels of pulleys, m: they belong to the picture.
pub fn wires(world: &World) -> impl Iterator<Item = DVec2> + '_ {
    world.joints().iter().flat_map(|joint| match &joint.kind {
        JointKind::Bead(bead) if bead.curve.span().is_some() => wire(world, joint, bead, 0.0),
        JointKind::Pulley(pulley) => wheels(world, joint, pulley).to_vec(),
        _ => Vec::new(),
    })
}

/// Where the wheels of a pulley are, m.
pub fn wheels(world: &World, joint: &Joint, pulley: &Pulley) -> [DVec2; 2] {
    let carriers = joint.further().unwrap_or(joint.bodies());
    [0, 1].map(|side| {
        let at = pulley.wheels[side];
        if pulley.carried[side] { anchor_in_world(world, carriers[side], at) } else { at }
    })
}

/// Pivots of mechanisms that hang from one point, with their reach, m.
fn swings(world: &World) -> Vec<(DVec2, f64)> {
    let bodies = world.bodies();
    let mut group: Vec<usize> = (0..bodies.len()).collect();
    fn root(group: &mut [usize], mut index: usize) -> usize {
        while group[index] != index {
            group[index] = group[group[index]];
            index = group[index];
        }
        index
    }
    let mut pivots: Vec<(usize, DVec2)> = Vec::new();
    // What slides along a wire or hangs on a pulley swings about no pivot.
    let held = |joint: &&Joint| !matches!(joint.kind, JointKind::Bead(_) | JointKind::Pulley(_));
    let joints = world.joints().iter().filter(held).map(|joint| (joint.bodies(), joint.kind.anchors()));
    let springs = world.springs().iter().map(|spring| (spring.bodies(), spring.anchors));
    for ([a, b], anchors) in joints.chain(springs) {
        match (bodies[a].is_dynamic(), bodies[b].is_dynamic()) {
            (true, true) => {
                let (a, b) = (root(&mut group, a), root(&mut group, b));
                group[a] = b;
            }
            (false, _) => pivots.push((b, anchor_in_world(world, a, anchors[0]))),
            (true, false) => pivots.push((a, anchor_in_world(world, b, anchors[1]))),
        }
    }
    let group: Vec<usize> = (0..bodies.len()).map(|index| root(&mut group, index)).collect();
    let owners: Vec<usize> = pivots.iter().map(|(body, _)| group[*body]).collect();
    let alone = |owner: usize| owners.iter().filter(|other| **other == owner).count() == 1;
    pivots
        .iter()
        .zip(&owners)
        .filter(|(_, owner)| alone(**owner))
        .map(|((_, pivot), owner)| {
            let members = (0..bodies.len()).filter(|i| bodies[*i].is_dynamic());
            let reach = members
                .filter(|i| group[*i] == *owner)
                .flat_map(|i| points(world, i))
                .map(|point| (point - *pivot).length())
                .fold(0.0, f64::max);
            (*pivot, reach)
        })
        .collect()
}

/// Bodies that hang by one joint or spring from another body that moves, and that no ground catches.
fn dangling(world: &World) -> impl Iterator<Item = usize> {
    let bodies = world.bodies();
    let ground = |body: &Body| !body.is_dynamic() && body.collides && !body.pieces().is_empty();
    let caught = bodies.iter().any(ground);
    let mut links = vec![0; bodies.len()];
    let mut grounded = vec![false; bodies.len()];
    let joints = world.joints().iter().map(|joint| joint.bodies());
    for pair in joints.chain(world.springs().iter().map(|spring| spring.bodies())) {
        let still = pair.iter().any(|index| !bodies[*index].is_dynamic());
        for index in pair {
            links[index] += 1;
            grounded[index] |= still;
        }
    }
    (0..bodies.len())
        .filter(move |index| bodies[*index].is_dynamic() && links[*index] == 1 && !grounded[*index])
        .filter(move |index| !(caught && bodies[*index].collides))
}

/// World position of an anchor given relative to the centre of mass, m.
pub fn anchor_in_world(world: &World, body: usize, anchor: DVec2) -> DVec2 {
    let frame = world.frame(body);
    frame.position + frame.rotation.apply(anchor)
}

/// Whether bodies rest on ground, which then lies in the lower half of the picture; chains hang in the upper half.
pub fn has_ground(world: &World) -> bool {
    let mut shapes = world.bodies().iter().flat_map(|body| body.shapes());
    shapes.any(|placed| matches!(placed.shape, Shape::HalfPlane { .. }))
}
