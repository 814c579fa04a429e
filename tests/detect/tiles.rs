//! Shapes that lie flush behave as the whole that they make up: tiles of one body, of many, of several sizes; and what
//! is no seam catches.

use super::seams::{ell, to_polygon};
use super::{Random, body, compound, detect, signed_distance, world};
use driftlab::detect::Gap;
use driftlab::model::{Body, BodyKind, Joint, MassSpec, Motion, Placement, Shape, Velocity, World};
use glam::DVec2;

/// A box from `low` to `high`.
fn tile(low: [f64; 2], high: [f64; 2]) -> Placement {
    let (low, high) = (DVec2::from(low), DVec2::from(high));
    Placement::at(Shape::Box { size: high - low }, 0.5 * (low + high), 0.0)
}

fn fixed(shapes: Vec<Placement>, at: DVec2, angle: f64) -> Body {
    Body::new(BodyKind::Fixed, at, angle, shapes, MassSpec::default()).unwrap()
}

/// Ten tiles side by side below y = 0, from x = −5 to 5; every other one is twice as deep where they are `uneven`.
fn row(uneven: bool) -> Vec<Placement> {
    let deep = |x: i32| if uneven && x % 2 == 0 { -2.0 } else { -1.0 };
    (-5..5).map(|x| tile([f64::from(x), deep(x)], [f64::from(x + 1), 0.0])).collect()
}

/// Tiles as one body, and as a body each, turned by `angle` about the origin.
fn levels(tiles: &[Placement], angle: f64) -> [Vec<Body>; 2] {
    let turn = |p: DVec2| DVec2::from_angle(angle).rotate(p);
    let each =
        |tile: &Placement| fixed(vec![Placement::centred(tile.shape.clone())], turn(tile.offset), angle);
    [vec![fixed(tiles.to_vec(), DVec2::ZERO, angle)], tiles.iter().map(each).collect()]
}

/// The contacts of `mover` with `level`.
fn touching(level: &[Body], mover: &Body) -> Vec<Gap> {
    let found = detect(&world(level.iter().cloned().chain([mover.clone()]).collect()), 0.001);
    found.into_iter().map(|(_, gap)| gap).collect()
}

fn movers() -> Vec<(Shape, f64)> {
    let triangle = vec![DVec2::new(0.0, -0.5), DVec2::new(0.5, 0.5), DVec2::new(-0.5, 0.5)];
    vec![
        (Shape::Box { size: DVec2::ONE }, 0.5),
        (Shape::Box { size: DVec2::new(2.6, 1.0) }, 0.5),
        (Shape::Circle { radius: 0.5 }, 0.5),
        (Shape::Capsule { length: 0.7, radius: 0.5 }, 0.5),
        (Shape::Ellipse { semi_axes: DVec2::new(0.7, 0.5) }, 0.5),
        (Shape::polygon(triangle), 0.5),
        (Shape::rounded_polygon([[-0.4, -0.3], [0.4, -0.3], [0.3, 0.3], [-0.4, 0.3]], 0.2), 0.5),
    ]
}

/// Whatever slides over a row of flush tiles, 1 cm deep in them, meets the one surface y = 0: every normal is across it, and the
/// deepest gap is 1 cm, wherever it is, however the level is turned, whether the tiles are of one body or many, of one
/// depth or two.
#[test]
fn a_row_of_tiles_is_one_surface() {
    for (uneven, angle) in [(false, 0.0), (true, 0.0), (false, 0.3), (true, -2.1)] {
        let axes = DVec2::from_angle(angle);
        for level in levels(&row(uneven), angle) {
            for (shape, height) in movers() {
                for step in 0..160 {
                    let x = -3.2 + 0.04 * f64::from(step);
                    let mover = body(shape.clone(), axes.rotate(DVec2::new(x, height - 0.01)), angle);
                    let gaps = touching(&level, &mover);
                    let least = gaps.iter().map(|gap| gap.phi).fold(f64::INFINITY, f64::min);
                    assert!((least + 0.01).abs() < 1e-9, "{shape:?} at {x}: {gaps:?}");
                    let up = axes.perp();
                    assert!(
                        gaps.iter().all(|gap| (gap.normal - up).length() < 1e-6),
                        "{shape:?} at {x}: {gaps:?}"
                    );
                }
            }
        }
    }
}

/// The signed distance of a disk from an L of tiles is that from the L as one polygon, with its inner corner and where
/// a tile's corner lies in the middle of another's edge; of a moving body, too.
#[test]
fn a_disk_meets_the_whole_of_its_tiles() {
    let unit = |x: i32, y: i32| tile([x, y].map(f64::from), [x + 1, y + 1].map(f64::from));
    let tilings = [
        vec![unit(0, 0), unit(1, 0), unit(2, 0), unit(0, 1), unit(0, 2)],
        vec![tile([0., 0.], [3., 1.]), tile([0., 1.], [1., 3.])],
        vec![tile([0., 0.], [1., 3.]), tile([1., 0.], [1.5, 1.]), tile([1.5, 0.], [3., 1.])],
        vec![tile([0., 0.], [1., 3.]), tile([0.5, 0.], [3., 1.])],
    ];
    let mut random = Random(31);
    for round in 0..4000 {
        let tiles = &tilings[round % tilings.len()];
        let (at, angle) = (random.vec2(1.0), random.between(-3.0, 3.0));
        let disk = body(Shape::Circle { radius: random.between(0.05, 1.0) }, random.vec2(4.0), 0.0);
        let Shape::Circle { radius } = disk.shapes()[0].shape else { panic!() };
        let whole = compound(tiles.clone(), at, angle);
        let ring: Vec<_> = ell().into_iter().map(|p| whole.point_in_world(p)).collect();
        let center = to_polygon(&ring, disk.pose.position);
        if center > 1e-6 {
            let phi = signed_distance(&whole, &disk).unwrap();
            assert!((phi - (center - radius)).abs() < 1e-9, "{tiles:?}: {phi} against {}", center - radius);
        }
    }
}

/// A box whose right side is 1 mm beyond where the next tile begins, 1 cm deep, with the contacts that it has with that
/// tile alone.
fn at_the_edge_of(first: Placement, second: Placement) -> Vec<Gap> {
    let mover = body(Shape::Box { size: DVec2::splat(0.5) }, DVec2::new(0.751, 0.24), 0.0);
    let world = world(vec![fixed(vec![first, second], DVec2::ZERO, 0.0), mover]);
    let of_second = detect(&world, 0.001).into_iter().filter(|(contact, _)| contact.id.pieces[0] == 1);
    of_second.map(|(_, gap)| gap).collect()
}

/// What is not flush catches: a tile behind a gap of a micrometre, a tile a micrometre higher, and one that is tilted
/// towards the box by 1e-4. Its corner pushes the box back, as it would alone; the flush one does not.
#[test]
fn a_real_corner_catches() {
    let first = || tile([0., -1.], [1., 0.]);
    let flush = tile([1., -1.], [2., 0.]);
    assert!(at_the_edge_of(first(), flush.clone()).iter().all(|gap| gap.normal == DVec2::Y));
    let moved =
        |offset: DVec2, angle: f64| Placement { offset: flush.offset + offset, angle, ..flush.clone() };
    for other in
        [moved(DVec2::new(1e-6, 0.0), 0.0), moved(DVec2::new(0.0, 1e-6), 0.0), moved(DVec2::ZERO, -1e-4)]
    {
        let gaps = at_the_edge_of(first(), other.clone());
        assert!(gaps.iter().any(|gap| gap.normal.x < -0.99), "{other:?}: {gaps:?}");
    }
}

/// Whether the body `mover`, at the edge of the second of two flush bodies, is pushed back by it.
fn is_caught(edit: impl FnOnce(&mut World)) -> bool {
    let bodies = [tile([0., -1.], [1., 0.]), tile([1., -1.], [2., 0.])]
        .map(|tile| fixed(vec![tile], DVec2::ZERO, 0.0));
    let mover = body(Shape::Box { size: DVec2::splat(0.5) }, DVec2::new(0.751, 0.24), 0.0);
    let mut world = world(bodies.into_iter().chain([mover]).collect());
    edit(&mut world);
    detect(&world, 0.001).iter().any(|(contact, gap)| contact.bodies() == [1, 2] && gap.normal.x < -0.99)
}

fn change(world: &mut World, index: usize, change: impl FnOnce(&mut Body)) {
    let id = world.body_ids()[index];
    world.edit_body(id, change).unwrap();
}

/// A body hides another one's side only from who collides with both: not from what is joined to it or in its group. And
/// it hides it no longer when it is moved away.
#[test]
fn who_passes_through_a_tile_meets_the_next_ones_side() {
    assert!(!is_caught(|_| ()));
    assert!(is_caught(|world| {
        let [first, _, mover] = world.body_ids()[..] else { panic!() };
        world.add_joint(Joint::hinge(first, mover).at(DVec2::ZERO)).unwrap();
    }));
    assert!(is_caught(|world| [0, 2]
        .into_iter()
        .for_each(|body| change(world, body, |body| body.group = -1))));
    assert!(is_caught(|world| change(world, 0, |body| body.collides = false)));
    assert!(is_caught(|world| change(world, 0, |body| body.pose.position.y -= 1e-3)));
    assert!(!is_caught(|world| {
        change(world, 0, |body| body.pose.position.y -= 1e-3);
        change(world, 0, |body| body.pose.position.y += 1e-3);
    }));
}

/// Two kinematic bodies side by side are one surface where they move alike, and two where they do not, or where they turn.
#[test]
fn bodies_that_move_alike_are_side_by_side() {
    let caught = |velocities: [Velocity; 2]| {
        let tiles = [tile([0., -1.], [1., 0.]), tile([1., -1.], [2., 0.])];
        let bodies = tiles.into_iter().zip(velocities).map(|(tile, velocity)| {
            let kind = BodyKind::Kinematic(Motion::ConstantVelocity);
            let mut body = Body::new(kind, DVec2::ZERO, 0.0, vec![tile], MassSpec::default()).unwrap();
            body.velocity = velocity;
            body
        });
        let mover = body(Shape::Box { size: DVec2::splat(0.5) }, DVec2::new(0.751, 0.24), 0.0);
        let world = world(bodies.chain([mover]).collect());
        detect(&world, 0.001)
            .iter()
            .any(|(contact, gap)| contact.bodies() == [1, 2] && gap.normal.x < -0.99)
    };
    let moving = |x: f64, angular: f64| Velocity { linear: DVec2::new(x, 0.0), angular };
    assert!(!caught([moving(1.0, 0.0); 2]));
    assert!(caught([moving(1.0, 0.0), moving(2.0, 0.0)]));
    assert!(caught([moving(0.0, 1.0); 2]));
}

/// A stadium of a box and two circles has no corners on its straight sides: a box over the place where they meet is
/// pushed straight up.
#[test]
fn a_stadium_has_no_corners() {
    let cap = |x: f64| Placement {
        offset: DVec2::new(x, -0.5),
        ..Placement::centred(Shape::Circle { radius: 0.5 })
    };
    let stadium = fixed(vec![tile([-1., -1.], [1., 0.]), cap(-1.0), cap(1.0)], DVec2::ZERO, 0.0);
    for x in [-0.749, -0.751, 0.749, 0.751, -1.249, 1.249] {
        let mover = body(Shape::Box { size: DVec2::splat(0.5) }, DVec2::new(x, 0.24), 0.0);
        let gaps = touching(std::slice::from_ref(&stadium), &mover);
        assert!(!gaps.is_empty() && gaps.iter().all(|gap| gap.normal.y > 0.98), "{x}: {gaps:?}");
    }
}
