//! A contact as the world keeps it: which pieces touch by which features, and the impulses of the last step.
//! It is the warm start of the solvers, drawn by the window, and part of the state.

use glam::DVec2;

/// The identity of a contact point, the same from step to step while the same features touch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactId {
    /// Indices of body a and body b, a < b.
    pub bodies: [u32; 2],
    /// Index of the convex piece in each body.
    pub pieces: [u32; 2],
    /// The touching feature of each piece: a vertex, an edge, a curve; see `detect`.
    pub features: [u32; 2],
}

/// A contact of the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactState {
    /// Which bodies, pieces and features touch.
    pub id: ContactId,
    /// Contact point in the world, m.
    pub point: DVec2,
    /// Unit normal from body a to body b.
    pub normal: DVec2,
    /// The gap φ, negative where they overlap, m.
    pub gap: f64,
    /// Friction coefficient of the pair.
    pub friction: f64,
    /// Normal and tangential impulse over the last step, N s; the tangent is the normal turned a quarter
    /// counter-clockwise.
    pub impulse: [f64; 2],
}
