//! The pieces of all bodies that collide, in world axes at their bodies' poses: kept from call to call, and placed anew where a
//! body has moved.

use super::seams::{self, Stand};
use crate::model::{Body, BodyId, Core, Frame, Piece, Seam};
use glam::DVec2;

/// A piece at a pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    /// Index and id of its body.
    pub body: u32,
    pub id: BodyId,
    pub piece: u32,
    /// Where its vertices start in the list of all.
    pub first: usize,
    /// Corners of its bounding box, m; infinite for a half plane.
    pub low: DVec2,
    pub high: DVec2,
    /// Radius about the centre of mass, m.
    pub radius: f64,
    /// How far its corners are from there, m: by how much they move where the body turns by 1 rad.
    pub arm: f64,
    /// Its smallest width, m: 0 of a line, infinite of a half plane.
    pub width: f64,
    /// Whether it has neighbours that may touch the same as it.
    pub has_seam: bool,
    /// Its place in the list of seams, where it has any with other shapes.
    pub seam: Option<u32>,
}

impl Leaf {
    /// How far the boxes are apart along the axis along which that is more, m.
    pub fn apart(&self, other: &Self) -> f64 {
        (self.low - other.high).max(other.low - self.high).max_element()
    }
}

/// The changes of a body since the last call.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Change {
    /// Its pose.
    pub moved: bool,
    /// Its velocity.
    pub sped: bool,
    /// Whether it moves, at the velocity that it has now.
    pub moves: bool,
    /// In which call with a change, counted from one, it last changed.
    pub at: u64,
}

impl Change {
    /// Whether it is as it was.
    pub fn is_none(&self) -> bool {
        !(self.moved || self.sped)
    }
}

/// The pieces of the bodies that collide, body by body.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    pub leaves: Vec<Leaf>,
    /// Vertices and outward normals of cores in world axes, one slot per vertex in both lists: a single vertex has no normal.
    pub vertices: Vec<DVec2>,
    pub normals: Vec<DVec2>,
    /// Those that pieces have with other shapes, and within their own.
    pub seams: Vec<Seam>,
    /// No pair is fast that moves less, m; see `fast`.
    pub thinnest: f64,
    /// By body.
    pub changes: Vec<Change>,
    /// Where each body's leaves start, and at the end how many there are.
    pub starts: Vec<usize>,
    /// Pose and velocity of the last call, by body; none before the first one.
    frames: Vec<Frame>,
    /// In how many calls any body had changed.
    pub stirs: u64,
}

impl Shapes {
    /// Lists the pieces of `bodies`, which stand at `stands`; [`Shapes::place`] puts them where they are.
    pub fn take_up(
        &mut self,
        (bodies, ids): (&[Body], &[BodyId]),
        stands: &[Option<Stand>],
        screens: impl Fn(u32, u32) -> bool,
    ) {
        let Self { leaves, vertices, normals, seams, thinnest, changes, starts, frames, stirs: _ } = self;
        leaves.clear();
        vertices.clear();
        starts.clear();
        frames.clear();
        for (index, body) in bodies.iter().enumerate() {
            starts.push(leaves.len());
            for (piece_index, piece) in body.pieces().iter().enumerate().filter(|_| body.collides) {
                let (low, high) = (DVec2::NEG_INFINITY, DVec2::INFINITY);
                let (first, radius) = (vertices.len(), piece.bounding_radius());
                let has_seam = matches!(piece, Piece::Core(core) if core.seam.is_some());
                leaves.push(Leaf {
                    body: index as u32,
                    id: ids[index],
                    piece: piece_index as u32,
                    first,
                    low,
                    high,
                    radius,
                    arm: arm(piece),
                    width: width(piece),
                    has_seam,
                    seam: None,
                });
                if let Piece::Core(core) = piece {
                    vertices.resize(first + core.vertices.len(), DVec2::ZERO);
                }
            }
        }
        starts.push(leaves.len());
        let pieces: Vec<_> = leaves.iter().map(|leaf| [leaf.body, leaf.piece]).collect();
        seams.clear();
        for (index, seam) in seams::find(bodies, stands, screens, &pieces) {
            (leaves[index].seam, leaves[index].has_seam) = (Some(seams.len() as u32), true);
            seams.push(seam);
        }
        let widths = || leaves.iter().map(|leaf| leaf.width);
        let least = widths().filter(|width| *width > 0.0).fold(f64::INFINITY, f64::min);
        *thinnest = if widths().any(|width| width == 0.0) { 0.5 * least } else { least };
        normals.clear();
        normals.resize(vertices.len(), DVec2::ZERO);
        changes.clear();
        changes.resize(bodies.len(), Change::default());
    }

    /// Places the pieces of the bodies that have moved since the last call.
    pub fn place(&mut self, bodies: &[Body], frames: &[Frame]) {
        let first_time = self.frames.len() != frames.len();
        if first_time {
            self.frames.clear();
            self.frames.extend_from_slice(frames);
        }
        let mut any = false;
        for (index, (body, frame)) in bodies.iter().zip(frames).enumerate() {
            let before = &mut self.frames[index];
            let moved = first_time
                || !same(
                    [frame.position, DVec2::splat(frame.angle)],
                    [before.position, DVec2::splat(before.angle)],
                );
            let sped = first_time
                || !same(
                    [frame.linear, DVec2::splat(frame.angular)],
                    [before.linear, DVec2::splat(before.angular)],
                );
            let change = &mut self.changes[index];
            (change.moved, change.sped) = (moved, sped);
            if !(moved || sped) {
                continue;
            }
            any = true;
            *before = *frame;
            change.at = self.stirs + 1;
            change.moves = !(frame.linear == DVec2::ZERO && frame.angular == 0.0);
            if moved {
                self.place_body(index, body, frame);
            }
        }
        self.stirs += u64::from(any);
    }

    fn place_body(&mut self, index: usize, body: &Body, frame: &Frame) {
        let Self { leaves, vertices, normals, starts, .. } = self;
        for leaf in &mut leaves[starts[index]..starts[index + 1]] {
            let piece = &body.pieces()[leaf.piece as usize];
            let mut own: &[DVec2] = &[];
            if let Piece::Core(core) = piece {
                place_core(core, frame, &mut vertices[leaf.first..], &mut normals[leaf.first..]);
                own = &vertices[leaf.first..leaf.first + core.vertices.len()];
            }
            (leaf.low, leaf.high) = bounds(piece, own, frame);
        }
    }
}

/// Puts vertices and normals of `core` at the beginning of the lists, in world axes.
pub(super) fn place_core(core: &Core, frame: &Frame, vertices: &mut [DVec2], normals: &mut [DVec2]) {
    for (placed, p) in vertices.iter_mut().zip(&core.vertices) {
        *placed = frame.position + frame.rotation.apply(*p);
    }
    for (placed, n) in normals.iter_mut().zip(&core.normals) {
        *placed = frame.rotation.apply(*n);
    }
}

/// How far the corners of a piece are from the centre of mass, m.
fn arm(piece: &Piece) -> f64 {
    match piece {
        Piece::Core(core) => core.vertices.iter().map(|p| p.length()).fold(0.0, f64::max),
        Piece::Ellipse(_) | Piece::HalfPlane { .. } => piece.bounding_radius(),
    }
}

/// The smallest width of a piece, m: of a polygon, over its edges, the largest height above one.
fn width(piece: &Piece) -> f64 {
    match piece {
        Piece::Core(core) if core.vertices.len() > 2 => {
            let edges = core.vertices.iter().zip(&core.normals);
            let heights = edges.map(|(foot, normal)| {
                core.vertices.iter().map(|p| normal.dot(*foot - *p)).fold(0.0, f64::max)
            });
            heights.fold(f64::INFINITY, f64::min)
        }
        Piece::Core(core) => 2.0 * core.radius,
        Piece::Ellipse(ellipse) => 2.0 * ellipse.semi_axes.min_element(),
        Piece::HalfPlane { .. } => f64::INFINITY,
    }
}

/// Whether the numbers are the same to the bit.
fn same(x: [DVec2; 2], y: [DVec2; 2]) -> bool {
    let bits = |x: [DVec2; 2]| x.map(|x| [x.x.to_bits(), x.y.to_bits()]);
    bits(x) == bits(y)
}

/// The bounding box of a piece whose vertices, if it has any, are `vertices` in the world, m.
pub(super) fn bounds(piece: &Piece, vertices: &[DVec2], frame: &Frame) -> (DVec2, DVec2) {
    match piece {
        Piece::Core(core) => {
            let low = vertices.iter().copied().fold(DVec2::INFINITY, DVec2::min);
            let high = vertices.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
            (low - core.radius, high + core.radius)
        }
        Piece::Ellipse(e) => {
            let center = frame.position + frame.rotation.apply(e.center);
            let axis = frame.rotation.apply(e.axis);
            let half = DVec2::new(
                (e.semi_axes * axis).length(),
                (e.semi_axes * DVec2::new(axis.y, axis.x)).length(),
            );
            (center - half, center + half)
        }
        Piece::HalfPlane { .. } => (DVec2::NEG_INFINITY, DVec2::INFINITY),
    }
}
