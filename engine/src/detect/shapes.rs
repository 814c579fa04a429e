//! The pieces of all bodies that collide, in world axes at their bodies' poses: kept from call to call, and placed anew where a
//! body has moved.

use super::gap::Contact;
use super::seams;
use crate::model::{Body, BodyId, Filter, Frame, Piece, Seam};
use glam::DVec2;

/// A piece at a pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    /// Index and id of its body.
    pub body: u32,
    pub id: BodyId,
    pub piece: u32,
    /// Which others it collides with.
    pub filter: Filter,
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
    /// The piece, as its body has it.
    pub fn of<'a>(&self, bodies: &'a [Body]) -> &'a Piece {
        &bodies[self.body as usize].pieces()[self.piece as usize]
    }
}

/// The pieces of the bodies that collide, body by body.
#[derive(Clone, Debug, Default)]
pub(super) struct Shapes {
    pub leaves: Vec<Leaf>,
    /// Vertices and outward normals of cores in world axes, one slot per vertex in both lists: a single vertex has no normal.
    pub vertices: Vec<DVec2>,
    pub normals: Vec<DVec2>,
    /// Those that pieces have with other shapes, and within their own.
    pub seams: Vec<Seam>,
    /// Whether any piece has a seam.
    pub has_seams: bool,
    /// No pair is fast that moves less, m; see `fast`.
    pub thinnest: f64,
    /// Which bodies have changed their pose or velocity since the last call.
    pub changed: Vec<bool>,
    /// Where each body's leaves start, and at the end how many there are.
    pub starts: Vec<usize>,
    /// Pose and velocity of the last call, by body; none before the first one.
    frames: Vec<Frame>,
}

impl Shapes {
    /// Lists the pieces of `bodies`; [`Shapes::place`] puts them where they are.
    ///
    /// # Errors
    /// Too many pieces, or edges of them, lie beside each other.
    pub fn take_up(
        &mut self,
        bodies: &[Body],
        ids: &[BodyId],
        screens: impl Fn(u32, u32) -> bool,
    ) -> Result<(), seams::Beside> {
        let Self { leaves, vertices, normals, seams, has_seams, thinnest, changed, starts, frames } = self;
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
                    filter: body.filter(piece_index as u32),
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
        for (index, seam) in seams::find(bodies, screens, &pieces)? {
            (leaves[index].seam, leaves[index].has_seam) = (Some(seams.len() as u32), true);
            seams.push(seam);
        }
        *has_seams = leaves.iter().any(|leaf| leaf.has_seam);
        let widths = || leaves.iter().map(|leaf| leaf.width);
        let least = widths().filter(|width| *width > 0.0).fold(f64::INFINITY, f64::min);
        *thinnest = if widths().any(|width| width == 0.0) { 0.5 * least } else { least };
        normals.clear();
        normals.resize(vertices.len(), DVec2::ZERO);
        changed.clear();
        changed.resize(bodies.len(), false);
        Ok(())
    }

    /// Places the pieces of the bodies that have changed since the last call; whether any has.
    pub fn place(&mut self, bodies: &[Body], frames: &[Frame]) -> bool {
        let Self { leaves, vertices, normals, starts, changed, frames: kept, .. } = self;
        let first_time = kept.len() != frames.len();
        if first_time {
            kept.clear();
            kept.extend_from_slice(frames);
        }
        let mut any = false;
        for (index, (body, frame)) in bodies.iter().zip(frames).enumerate() {
            let (q, v) = (frame.position.extend(frame.angle), frame.linear.extend(frame.angular));
            changed[index] = first_time || !kept[index].is_at(q, v);
            if changed[index] {
                any = true;
                kept[index] = *frame;
                for leaf in &mut leaves[starts[index]..starts[index + 1]] {
                    let (piece, first) = (&body.pieces()[leaf.piece as usize], leaf.first);
                    (leaf.low, leaf.high) =
                        place(piece, frame, &mut vertices[first..], &mut normals[first..]);
                }
            }
        }
        any
    }

    /// The two pieces of a contact that was found on them.
    pub fn leaves_of(&self, contact: &Contact) -> [&Leaf; 2] {
        let (bodies, pieces) = (contact.bodies(), contact.id.pieces);
        [0, 1].map(|side| &self.leaves[self.starts[bodies[side]] + pieces[side] as usize])
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
            heights.fold(f64::INFINITY, f64::min) + 2.0 * core.radius
        }
        Piece::Core(core) => 2.0 * core.radius,
        Piece::Ellipse(ellipse) => 2.0 * ellipse.semi_axes.min_element(),
        Piece::HalfPlane { .. } => f64::INFINITY,
    }
}

/// Puts the vertices and normals of a piece at the beginning of the lists, in world axes; returns the corners of its
/// bounding box, m.
pub(super) fn place(
    piece: &Piece,
    frame: &Frame,
    vertices: &mut [DVec2],
    normals: &mut [DVec2],
) -> (DVec2, DVec2) {
    match piece {
        Piece::Core(core) => {
            for (placed, p) in vertices.iter_mut().zip(&core.vertices) {
                *placed = frame.position + frame.rotation.apply(*p);
            }
            for (placed, n) in normals.iter_mut().zip(&core.normals) {
                *placed = frame.rotation.apply(*n);
            }
            let placed = vertices[..core.vertices.len()].iter().copied();
            let low = placed.clone().fold(DVec2::INFINITY, DVec2::min);
            let high = placed.fold(DVec2::NEG_INFINITY, DVec2::max);
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
