//! The impulses with which contacts start in a sweep: those of the last step.
//!
//! A contact has the impulse of the one with its own identity, the same two features. Where boxes of one width lie on one another, the end of
//! the stretch on which they face each other is a vertex of the one or of the other, as they shift by their rounding, and with it the identity
//! changes at the same place. Such a contact takes over the impulse of the nearest one between the same two pieces that is no more. Box2D names
//! both ends of a manifold by the vertices of both edges [Box2D 3: `B2_MAKE_ID`], so that they keep their impulses there, too.

use super::block::frames;
use crate::detect::Contact;
use crate::model::{ContactId, ContactState, World};
use glam::{DVec2, DVec3};

/// At the same place are points that are closer than this share of the distance between the two contacts of before.
const SAME_PLACE: f64 = 0.1;

/// Normal and tangential impulse of the last step's contact that `contacts[index]` goes on with; both lists are sorted.
pub(super) fn remembered(world: &World, contacts: &[Contact], index: usize, q: &[DVec3]) -> [f64; 2] {
    let (old, id) = (world.contacts(), contacts[index].id);
    if let Ok(found) = old.binary_search_by_key(&id, |state| state.id) {
        return old[found].impulse;
    }
    let pair = |id: &ContactId| (id.bodies, id.pieces);
    let own = pair(&id);
    let start = old.partition_point(|state| pair(&state.id) < own);
    let before = &old[start..start + old[start..].partition_point(|state| pair(&state.id) == own)];
    let [first, second] = before else { return [0.0; 2] };
    let is_gone =
        |state: &&ContactState| contacts.binary_search_by_key(&state.id, |contact| contact.id).is_err();
    let [a, b] = frames(contacts[index].bodies(), q);
    let point = contacts[index].gap(world.bodies(), &a, &b).point;
    let apart = |other: DVec2| (other - point).length();
    let near = |a: &&ContactState, b: &&ContactState| apart(a.point).total_cmp(&apart(b.point));
    let nearest = before.iter().filter(is_gone).min_by(near);
    let reach = SAME_PLACE * (first.point - second.point).length();
    nearest.filter(|state| apart(state.point) <= reach).map_or([0.0; 2], |state| state.impulse)
}
