//! Snapping: to the points at which something can be held, and otherwise to the grid.

use super::item::{self, Item};
use crate::model::{Body, Shape, World};
use crate::workbench::stage::outline;
use glam::DVec2;

/// Angles snap to multiples of this, rad: 15°.
pub const ANGLE: f64 = std::f64::consts::PI / 12.0;
/// Factors snap to multiples of this.
pub const FACTOR: f64 = 0.1;

/// To what a point snaps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Snap {
    /// Distance of the grid's lines, m; zero: nothing snaps.
    pub grid: f64,
    /// Distance within which a point snaps to one of the bodies', m.
    pub reach: f64,
}

impl Snap {
    /// Whether anything snaps.
    pub fn is_on(self) -> bool {
        self.grid > 0.0
    }

    /// Where a point that is at `at` snaps to: a point of the items that are not among `without`, or one of the grid.
    pub fn point(self, world: &World, at: DVec2, without: &[Item]) -> DVec2 {
        if !self.is_on() {
            return at;
        }
        self.near(world, at, without).unwrap_or((at / self.grid).round() * self.grid)
    }

    /// Where the end of a line from `from` snaps to that is at `at`: a point of the items, else the nearer one of the
    /// grid and of the lines through `from` at multiples of [`ANGLE`], on which lengths are multiples of the grid's.
    pub fn end(self, world: &World, from: DVec2, at: DVec2) -> DVec2 {
        if let Some(point) = self.near(world, at, &[]) {
            return point;
        }
        let (arm, on_grid) = (at - from, self.point(world, at, &[]));
        if !self.is_on() {
            return at;
        }
        let angle = self.angle(arm.y.atan2(arm.x));
        let along = DVec2::new(angle.cos(), angle.sin());
        let on_line = from + (arm.dot(along) / self.grid).round() * self.grid * along;
        if on_line.distance(at) < on_grid.distance(at) { on_line } else { on_grid }
    }

    /// The point of the items that are not among `without` to which `at` snaps.
    pub fn near(self, world: &World, at: DVec2, without: &[Item]) -> Option<DVec2> {
        let others = points(world, without).into_iter();
        let nearest = others.min_by(|a, b| a.distance(at).total_cmp(&b.distance(at)));
        nearest.filter(|point| self.is_on() && point.distance(at) <= self.reach)
    }

    /// Where an angle snaps to, rad.
    pub fn angle(self, angle: f64) -> f64 {
        if self.is_on() { (angle / ANGLE).round() * ANGLE } else { angle }
    }

    /// Where a factor snaps to.
    pub fn factor(self, factor: f64) -> f64 {
        if self.is_on() { ((factor / FACTOR).round() * FACTOR).max(FACTOR) } else { factor }
    }
}

/// The points of all items that are not among `without`: anchors, centres of mass, corners and ends, m.
fn points(world: &World, without: &[Item]) -> Vec<DVec2> {
    let chosen = |index: usize| world.id_of(index).is_some_and(|id| without.contains(&Item::Body(id)));
    let links = item::links(world).filter(|link| {
        let held = item::ends(world, *link).is_some_and(|ends| ends.into_iter().any(chosen));
        !held && !without.contains(link)
    });
    let mut points: Vec<DVec2> = links.flat_map(|link| item::places(world, link)).collect();
    for (index, body) in world.bodies().iter().enumerate().filter(|(index, _)| !chosen(*index)) {
        if body.shapes().iter().all(|placed| outline::boundary(placed).is_none()) {
            points.push(world.bodies()[index].pose.position);
        }
        points.extend(of_body(body));
    }
    points
}

/// The corners and ends of a body, m.
pub fn of_body(body: &Body) -> Vec<DVec2> {
    let of = |shape: &Shape| match shape {
        Shape::Box { size } => {
            let half = 0.5 * *size;
            let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
            let middles = [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)];
            corners.into_iter().chain(middles).map(|side| half * DVec2::from(side)).collect()
        }
        Shape::Capsule { length, .. } => [0.5, -0.5].map(|part| DVec2::new(part * length, 0.0)).to_vec(),
        Shape::Polygon { vertices: points, .. } | Shape::Polyline { points } => points.clone(),
        Shape::Circle { .. } | Shape::Ellipse { .. } => vec![DVec2::ZERO],
        Shape::HalfPlane { .. } => Vec::new(),
    };
    let shapes = body.shapes().iter().flat_map(|placed| {
        let turned = crate::internal::Rotation::from_angle(placed.angle);
        let here = move |point: DVec2| placed.offset + turned.apply(point);
        of(&placed.shape).into_iter().map(here).collect::<Vec<_>>()
    });
    shapes.map(|point| body.point_in_world(point)).collect()
}

/// The point of an item that is nearest to `at`, m.
pub fn nearest(world: &World, item: Item, at: DVec2) -> DVec2 {
    let mut points = item::places(world, item);
    points.extend(item.body().and_then(|id| world.body(id)).map(of_body).unwrap_or_default());
    points.into_iter().min_by(|a, b| a.distance(at).total_cmp(&b.distance(at))).unwrap_or(at)
}
