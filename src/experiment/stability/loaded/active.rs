//! The contacts that act in the present step, as equations.
//!
//! ```text
//! λ_n > 0                       J_n v⁺ + κ φ = 0                as a joint row of the scheme
//! λ_n > 0 , |λ_t| < μ λ_n       J_t v⁺ = 0 , too                 friction holds
//! ```
//!
//! The active set is that of the real step, and a sufficiently small disturbance does not change it. Other effects
//! (sliding friction, impacts that rebound, limits, motors) are left out here; where one of them acts, the real step
//! differs from the linearised one, and the analysis is refused. It is also refused for a contact under a scheme that
//! makes more than one velocity solve, and for rows that a disturbance would make inconsistent, as in a pyramid with
//! a gap term: there some contact opens however small the disturbance, so that the active set changes. A contact that
//! touches without load has no derivative, since it may open or close; it counts as open.

use super::super::gap_term;
use crate::constraint::Row;
use crate::detect::{Contact, Detector, Reach};
use crate::method::{GapTerm, Method, smallest_shape};
use crate::model::{Body, Frame, World};

/// Share of μ λ_n beyond which friction slides.
const SLIDING: f64 = 1.0 - 1e-9;

/// A contact that pushes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Active {
    pub contact: Contact,
    /// Whether it sticks.
    pub holds: bool,
}

/// The contacts that push in the step from `world` to `after`.
pub(super) fn active(world: &World, after: &World, method: &Method, h: f64) -> Vec<Active> {
    let rules = &method.contact;
    let distance = match gap_term(method) {
        Some(GapTerm::Travelling) => rules.active_distance_of(smallest_shape(world)),
        Some(GapTerm::Touching) => rules.contact_tolerance_of(smallest_shape(world)),
        _ => return Vec::new(),
    };
    let frames: Vec<Frame> = (0..world.bodies().len()).map(|body| world.frame(body)).collect();
    let (mut contacts, reach) = (Vec::new(), Reach { distance, travel: rules.active_travel * h });
    Detector::default().detect(world, &frames, &reach, &mut contacts);
    let pushing = |contact: &Contact| {
        let state = after.contacts().iter().find(|state| state.id == contact.id)?;
        let [normal, tangential] = state.impulse;
        let holds = state.friction > 0.0 && tangential.abs() < SLIDING * state.friction * normal;
        (normal > 0.0).then_some(Active { contact: *contact, holds })
    };
    contacts.iter().filter_map(pushing).collect()
}

/// The normal row at the poses and velocities of the frames, or the tangential one.
pub(super) fn row(contact: &Contact, tangential: bool, bodies: &[Body], a: &Frame, b: &Frame) -> Row {
    let gap = contact.gap(bodies, a, b);
    let [first, second] = contact.bodies();
    let (ja, jb, g, k) =
        if tangential { (gap.ta, gap.tb, 0.0, 0.0) } else { (gap.ja, gap.jb, gap.phi, gap.k) };
    Row { a: first, b: second, ja, jb, g, k, c: 0.0, unit: Default::default(), further: None }
}
