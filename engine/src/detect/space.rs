//! Questions about space: what a ray meets, what lies in a box, what is nearest to a point.
//!
//! The pieces of all bodies, those that collide with nothing included, stand in the same kind of tree of boxes as in
//! the contact graph (`parry2d-f64`'s), built once for a state of the world. Half planes have no box and are asked one
//! by one. The answers do not depend on the shape of the tree: of equals, the first body and piece in the world's order counts.

use super::nearest::of_piece;
use super::shapes::place;
use super::solid::{Line, aabb, nearest_on_edges};
use crate::model::{Body, BodyId, Ellipse, Frame, ModelError, Piece, World, finite_vector};
use glam::DVec2;
use parry2d_f64::math::Vector;
use parry2d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhNode, BvhWorkspace};
use parry2d_f64::query::Ray;
use std::cell::Cell;

/// The shapes of a world where they stand, to be asked any number of times.
///
/// ```
/// use driftlab::detect::Space;
/// use driftlab::prelude::*;
///
/// let mut world = World::new(DVec2::ZERO);
/// let floor = world.add_body(Body::fixed().shape(Shape::rectangle(10.0, 1.0)))?;
/// let ball = world.add_body(Body::dynamic().at([0.0, 3.0]).shape(Shape::circle(0.5)))?;
/// let space = Space::of(&world);
///
/// let hit = space.ray_cast([0.0, 10.0], [0.0, -10.0])?.expect("the ball is in the way");
/// assert!(hit.body == ball && hit.distance == 6.5 && hit.normal == DVec2::Y);
/// assert_eq!(space.bodies_in([-1.0, 0.0], [1.0, 1.0])?, [floor]);
/// let nearest = space.nearest([2.0, 1.0])?.expect("there are shapes");
/// assert!(nearest.body == floor && nearest.distance == 0.5 && nearest.point == DVec2::new(2.0, 0.5));
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Debug)]
pub struct Space<'w> {
    world: &'w World,
    frames: Vec<Frame>,
    /// Body and piece of each leaf.
    leaves: Vec<[u32; 2]>,
    tree: Bvh,
    /// Leaves without a box.
    unbounded: Vec<u32>,
}

/// Where a ray meets a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RayHit {
    /// The body that is met.
    pub body: BodyId,
    /// From the beginning of the ray, m; 0 if that lies in the shape.
    pub distance: f64,
    /// In the world, m.
    pub point: DVec2,
    /// Outward unit normal of the shape there; against the ray, if it begins in the shape.
    pub normal: DVec2,
}

/// The point of a surface that is nearest to a given one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Nearest {
    /// The body.
    pub body: BodyId,
    /// On its surface, in the world, m.
    pub point: DVec2,
    /// m; negative inside of the body.
    pub distance: f64,
}

impl<'w> Space<'w> {
    /// The shapes of `world` at its present state.
    pub fn of(world: &'w World) -> Self {
        let frames: Vec<_> = (0..world.bodies().len()).map(|body| world.frame(body)).collect();
        let (mut leaves, mut unbounded, mut tree) = (Vec::new(), Vec::new(), Bvh::new());
        let (mut vertices, mut normals) = (Vec::new(), Vec::new());
        for (index, body) in world.bodies().iter().enumerate() {
            for (number, piece) in body.pieces().iter().enumerate() {
                let leaf = leaves.len() as u32;
                leaves.push([index as u32, number as u32]);
                let count = if let Piece::Core(core) = piece { core.vertices.len() } else { 0 };
                vertices.resize(count, DVec2::ZERO);
                normals.resize(count, DVec2::ZERO);
                let (low, high) = place(piece, &frames[index], &mut vertices, &mut normals);
                if low.is_finite() && high.is_finite() {
                    tree.insert(aabb(low, high), leaf);
                } else {
                    unbounded.push(leaf);
                }
            }
        }
        // Not built from a list: `Bvh::from_iter` takes one or two boxes only if they have the first numbers.
        tree.rebuild(&mut BvhWorkspace::default(), BvhBuildStrategy::Binned);
        Self { world, frames, leaves, tree, unbounded }
    }

    /// The first shape on the way from one point to another, m.
    ///
    /// # Errors
    /// A point that is not finite.
    pub fn ray_cast(
        &self,
        from: impl Into<DVec2>,
        to: impl Into<DVec2>,
    ) -> Result<Option<RayHit>, ModelError> {
        let (from, to) = (from.into(), to.into());
        finite_vector("beginning of the ray", from)?;
        finite_vector("end of the ray", to)?;
        let way = to - from;
        let length = way.length();
        if length == 0.0 {
            return Ok(None);
        }
        let direction = way / length;
        let meets = |frame: &Frame, _: &Body, piece: &Piece| {
            let turned = |v: DVec2| frame.rotation.inverse_apply(v);
            let ray = Line { start: turned(from - frame.position), along: turned(direction) };
            let (t, normal) = meets(ray, piece).filter(|(t, _)| *t <= length)?;
            Some((t, frame.rotation.apply(normal)))
        };
        let ray = Ray::new(Vector::new(from.x, from.y), Vector::new(direction.x, direction.y));
        let first = self.first(meets, |node| Some(node.cast_ray(&ray, length)).filter(|t| *t <= length));
        Ok(first.map(|(distance, body, normal)| {
            let point = from + distance * direction;
            RayHit { body, distance, point, normal }
        }))
    }

    /// The piece at the least distance, m, of equals the first, with its body and what else `distance` finds there; no
    /// piece is nearer than the distance `to_box` of a box around it, if that is not negative.
    fn first(
        &self,
        distance: impl Fn(&Frame, &Body, &Piece) -> Option<(f64, DVec2)>,
        to_box: impl Fn(&BvhNode) -> Option<f64>,
    ) -> Option<(f64, BodyId, DVec2)> {
        let best: Cell<Option<(f64, u32, DVec2)>> = Cell::new(None);
        let ask = |leaf: u32| {
            let [index, piece] = self.leaves[leaf as usize].map(|index| index as usize);
            let body = &self.world.bodies()[index];
            let found = distance(&self.frames[index], body, &body.pieces()[piece]);
            let Some((own, there)) = found else { return };
            if best.get().is_none_or(|(least, other, _)| (own, leaf) < (least, other)) {
                best.set(Some((own, leaf, there)));
            }
        };
        self.unbounded.iter().for_each(|&leaf| ask(leaf));
        let near = |node: &BvhNode| {
            let nearer = |own: f64| best.get().is_none_or(|(least, ..)| own <= least.max(0.0));
            to_box(node).is_some_and(nearer)
        };
        self.tree.leaves(near).for_each(ask);
        let (least, leaf, there) = best.get()?;
        Some((least, self.world.body_ids()[self.leaves[leaf as usize][0] as usize], there))
    }

    /// The bodies with a piece whose bounding box meets the box between the two corners, m, in the world's order.
    ///
    /// # Errors
    /// A corner that is not finite, or a lower one above the upper one.
    pub fn bodies_in(
        &self,
        low: impl Into<DVec2>,
        high: impl Into<DVec2>,
    ) -> Result<Vec<BodyId>, ModelError> {
        let (low, high) = (low.into(), high.into());
        finite_vector("lower corner of the box", low)?;
        finite_vector("upper corner of the box", high)?;
        if low.x > high.x || low.y > high.y {
            let (quantity, value) = ("size of the box", (high - low).min_element());
            return Err(ModelError::OutOfRange { quantity, expected: "0 m or more", value });
        }
        let reaches = |leaf: &&u32| {
            let [body, piece] = self.leaves[**leaf as usize].map(|index| index as usize);
            let Piece::HalfPlane { normal, offset } = &self.world.bodies()[body].pieces()[piece] else {
                return true;
            };
            let frame = &self.frames[body];
            let normal = frame.rotation.apply(*normal);
            // The corner deepest in the half plane.
            let corner = DVec2::select(normal.cmplt(DVec2::ZERO), high, low);
            normal.dot(corner - frame.position) <= *offset
        };
        let around = aabb(low, high);
        let planes = self.unbounded.iter().filter(reaches).copied();
        let found = self.tree.intersect_aabb(&around).chain(planes);
        let mut found: Vec<u32> = found.map(|leaf| self.leaves[leaf as usize][0]).collect();
        found.sort_unstable();
        found.dedup();
        Ok(found.into_iter().map(|body| self.world.body_ids()[body as usize]).collect())
    }

    /// The surface nearest to a point, m; of several bodies around the point, that in which it lies deepest. `None`
    /// without shapes.
    ///
    /// # Errors
    /// A point that is not finite.
    pub fn nearest(&self, point: impl Into<DVec2>) -> Result<Option<Nearest>, ModelError> {
        let point = point.into();
        finite_vector("point", point)?;
        let to_surface = |frame: &Frame, body: &Body, piece: &Piece| {
            let local = frame.rotation.inverse_apply(point - frame.position);
            let (surface, distance) = of_piece(body, piece, local);
            Some((distance, frame.position + frame.rotation.apply(surface)))
        };
        let to_box = |node: &BvhNode| {
            let [low, high] = [node.mins(), node.maxs()].map(|corner| DVec2::new(corner.x, corner.y));
            Some((point - point.clamp(low, high)).length())
        };
        let first = self.first(to_surface, to_box);
        Ok(first.map(|(distance, body, point)| Nearest { body, point, distance }))
    }
}

/// Where a ray first meets a piece, m, and the outward normal there.
fn meets(ray: Line, piece: &Piece) -> Option<(f64, DVec2)> {
    let [from, _] = ray.inside(piece).filter(|[_, to]| *to >= 0.0)?;
    if from <= 0.0 {
        return Some((0.0, -ray.along));
    }
    let there = ray.start + from * ray.along;
    let normal = match piece {
        Piece::Core(core) if core.normals.len() > 1 && core.radius == 0.0 => {
            // Of the sides that it comes in by, the highest: on which it is.
            let faces = core.vertices.iter().zip(&core.normals).filter(|(_, m)| m.dot(ray.along) < 0.0);
            let heights = faces.map(|(c, m)| (m.dot(there - *c), *m));
            heights.max_by(|(one, _), (other, _)| one.total_cmp(other))?.1
        }
        Piece::Core(core) => (there - nearest_on_edges(core, there)) / core.radius,
        Piece::Ellipse(Ellipse { center, axis, semi_axes }) => {
            let own = |d: DVec2| DVec2::new(d.dot(*axis), d.dot(axis.perp())) / (*semi_axes * *semi_axes);
            axis.rotate(own(there - *center)).normalize()
        }
        Piece::HalfPlane { normal, .. } => *normal,
    };
    Some((from, normal))
}
