//! A polyline is touched as the solid is that it bounds: contacts with it are those with the solid polygon of the same outline.

use super::{Random, body, convex_polygon, detect, world};
use driftlab::detect::Gap;
use driftlab::model::{Body, Shape};
use glam::DVec2;

/// One pose in so many may differ: the tip of a sliver may cross a single link beside a corner that is not in it, where
/// the solid is left through the next face.
const SLIVERS: usize = 2000;

/// Contacts that overlap, each with its gap.
fn overlaps(ground: &Body, mover: &Body) -> Vec<Gap> {
    let found = detect(&world(vec![ground.clone(), mover.clone()]), 0.01);
    found.into_iter().map(|(_, gap)| gap).filter(|gap| gap.phi <= 0.0).collect()
}

/// A random convex shape: a box, a triangle, a polygon, a capsule, a disk or an ellipse.
fn convex(random: &mut Random) -> Shape {
    match random.below(6) {
        0 => Shape::rectangle(random.between(0.3, 2.0), random.between(0.2, 1.0)),
        1 => {
            let [a, b] = [(); 2].map(|()| random.between(0.5, 2.5));
            Shape::polygon([0.0, a, a + b].map(|angle| DVec2::from_angle(angle) * 0.6))
        }
        2 => Shape::polygon(convex_polygon(random)),
        3 => Shape::capsule(random.between(0.2, 1.5), random.between(0.1, 0.4)),
        4 => Shape::circle(random.between(0.1, 0.8)),
        _ => Shape::ellipse(random.between(0.2, 1.0), random.between(0.2, 1.0)),
    }
}

/// The mover, placed near a point of the ground and shifted along `away` until the signed distance from the `solid` is
/// `depth` below zero.
fn pressed(solid: &Body, shape: Shape, at: DVec2, angle: f64, away: DVec2, depth: f64) -> Option<Body> {
    let mut mover = body(shape, at + 4.0 * away, angle);
    for _ in 0..60 {
        let phi = super::signed_distance(solid, &mover)?;
        if (phi + depth).abs() < 1e-6 {
            return Some(mover);
        }
        mover.pose.position -= 0.7 * (phi + depth) * away;
    }
    None
}

/// The smallest width of a convex shape.
fn width(shape: &Shape) -> Option<f64> {
    let Shape::Polygon { vertices, .. } = shape else { return Some(shape.smallest_extent()) };
    let n = vertices.len();
    let heights = (0..n).map(|i| {
        let normal = (vertices[(i + 1) % n] - vertices[i]).normalize().perp();
        vertices.iter().map(|p| normal.dot(*p - vertices[i]).abs()).fold(0.0, f64::max)
    });
    heights.min_by(f64::total_cmp).filter(|width| *width > 0.02)
}

fn same(one: &Gap, other: &Gap) -> bool {
    (one.phi - other.phi).abs() < 1e-9
        && (one.point - other.point).length() < 1e-6
        && (one.normal - other.normal).length() < 1e-6
}

/// How the overlaps of a body with a polyline differ from those with the solid: in the deepest one, in one that is
/// missing, in one more.
fn differences(ground: &Body, solid: &Body, mover: &Body) -> ([bool; 3], String) {
    let (wanted, found) = (overlaps(solid, mover), overlaps(ground, mover));
    let least = |gaps: &[Gap]| gaps.iter().map(|gap| gap.phi).fold(f64::INFINITY, f64::min);
    let lacks = |of: &[Gap], other: &[Gap]| other.iter().any(|gap| !of.iter().any(|own| same(own, gap)));
    let deepest = (least(&wanted) - least(&found)).abs() > 1e-9;
    let brief = |gaps: &[Gap]| {
        let line = |gap: &Gap| format!("\n    {:e} along {} at {}", gap.phi, gap.normal, gap.point);
        gaps.iter().map(line).collect::<String>()
    };
    let words = format!(
        "{:?} at {:?} on {:?}:\n  solid{}\n  polyline{}",
        mover.shapes()[0].shape,
        mover.pose,
        ground.shapes()[0].shape,
        brief(&wanted),
        brief(&found)
    );
    ([deepest, lacks(&found, &wanted), lacks(&wanted, &found)], words)
}

/// A random shape, and how deep it is to be pressed in: less than a third of its smallest width, so that it is on one side.
fn pressing(random: &mut Random) -> (Shape, f64) {
    loop {
        let shape = convex(random);
        if let Some(width) = width(&shape) {
            return (shape, random.between(0.0, 0.03_f64.min(0.3 * width)));
        }
    }
}

/// Random convex shapes that overlap a random convex outline a little have the same contacts with it as a closed
/// polyline, of either sense, as with the solid polygon: the gap, the normal and the point of each. Round shapes, which
/// meet the links beside one another apart from each other, may have one more, which is not deeper.
#[test]
fn a_closed_polyline_is_met_as_the_solid_within() {
    let (mut random, mut met, mut wrong) = (Random(49), 0, Vec::new());
    for round in 0..6000 {
        let (turn, scale) = (random.between(-3.0, 3.0), random.between(0.5, 4.0));
        let place = |p: &DVec2| DVec2::from_angle(turn).rotate(*p * scale);
        let mut ring: Vec<DVec2> = convex_polygon(&mut random).iter().map(place).collect();
        let solid = Shape::polygon(ring.clone());
        let center = solid.moments().centroid;
        ring.push(ring[0]);
        if round % 2 == 0 {
            ring.reverse();
        }
        let ground = body(Shape::polyline(ring), DVec2::ZERO, 0.0);
        let solid = Body::fixed().shape(solid).build().unwrap();
        let (shape, depth) = pressing(&mut random);
        let away = DVec2::from_angle(random.between(-3.1, 3.1));
        let at = center + away.perp() * random.between(-1.0, 1.0);
        let angle = random.between(-3.0, 3.0);
        let round_shape = matches!(shape, Shape::Capsule { .. });
        let Some(mover) = pressed(&solid, shape, at, angle, away, depth) else { continue };
        met += 1;
        let ([deepest, missing, more], words) = differences(&ground, &solid, &mover);
        if deepest || missing || more && !round_shape {
            wrong.push(format!("{round} {deepest} {missing} {more} {words}"));
        }
    }
    let few = SLIVERS * wrong.len() <= met;
    wrong.truncate(8);
    assert!(few && met > 4000, "{met} met:\n{}", wrong.join("\n"));
}

/// On random open polylines, shallow and steep, with convex corners and valleys, from above and from below, the deepest
/// contact of a random convex shape that overlaps a little is one with the solid on the other side. (That consists of
/// convex pieces, and at a cut two of them may give one each.)
#[test]
fn an_open_polyline_is_met_as_the_solid_behind_it() {
    let (mut random, mut met, mut wrong) = (Random(50), 0, Vec::new());
    for round in 0..6000 {
        let steep = [0.1, 0.5, 1.2][round % 3];
        let mut points = vec![DVec2::new(-4.0, 0.0)];
        for _ in 0..3 + random.below(8) {
            let way = DVec2::from_angle(random.between(-steep, steep)) * random.between(0.1, 2.0);
            points.push(points[points.len() - 1] + way);
        }
        let end = points[points.len() - 1];
        let away = if round % 2 == 0 { DVec2::Y } else { -DVec2::Y };
        let behind = [DVec2::new(end.x, 0.0), DVec2::new(-4.0, 0.0)].map(|p| p - 30.0 * away);
        let solid = Shape::polygon(points.iter().copied().chain(behind));
        let solid = Body::fixed().shape(solid).build().unwrap();
        let ground = body(Shape::polyline(points), DVec2::ZERO, 0.0);
        let (shape, depth) = pressing(&mut random);
        let at = DVec2::new(random.between(-3.0, end.x - 1.0), 0.0);
        let angle = random.between(-3.0, 3.0);
        let Some(mover) = pressed(&solid, shape, at, angle, away, depth) else { continue };
        met += 1;
        let (_, words) = differences(&ground, &solid, &mover);
        let found = overlaps(&ground, &mover).into_iter().min_by(|a, b| a.phi.total_cmp(&b.phi));
        let is_one = |found: Gap| overlaps(&solid, &mover).iter().any(|gap| same(gap, &found));
        if !found.is_some_and(is_one) {
            wrong.push(format!("{round} {words}"));
        }
    }
    let few = SLIVERS * wrong.len() <= met;
    wrong.truncate(8);
    assert!(few && met > 4000, "{met} met:\n{}", wrong.join("\n"));
}

/// The ground of a table that ends in a slope. A box that has sunk 3 mm into the table, tilted either way, over its end
/// or short of it, is pushed out upwards, and by nothing at the slope, be it steep or shallow, and however the points
/// are ordered.
#[test]
fn the_end_of_a_table_pushes_upwards() {
    for slope in
        [DVec2::new(2.0, -2.0), DVec2::new(0.0, -2.0), DVec2::new(2.0, -0.3), DVec2::new(-1.0, -1.0)]
    {
        for (x, tilt) in
            [(-0.5, 0.003), (-0.5, -0.003), (-1.001, 0.0), (-1.001, 0.05), (-0.999, 0.0), (-0.2, 0.1)]
        {
            for turned in [false, true] {
                let mut points = vec![DVec2::new(-6.0, 0.0), DVec2::ZERO, slope];
                if turned {
                    points.reverse();
                }
                let ground = body(Shape::polyline(points), DVec2::ZERO, 0.0);
                let mut mover = body(Shape::rectangle(2.0, 0.4), DVec2::new(x, 0.2), tilt);
                mover.pose.position.y = 0.2 * tilt.cos() + tilt.sin().abs() - 0.003;
                let found = overlaps(&ground, &mover);
                let least = found.iter().map(|gap| gap.phi).fold(f64::INFINITY, f64::min);
                let upwards = |gap: &Gap| gap.normal.dot(DVec2::Y) > 0.99;
                assert!(
                    (-0.0031..0.0).contains(&least) && found.iter().all(upwards),
                    "{slope} {x} {tilt}: {found:?}"
                );
            }
        }
    }
}
