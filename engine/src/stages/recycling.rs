//! What `soft` remembers from step to step: the λ of the last substep, and the anchors of contacts (`anchors.rs`).

use crate::constraint::{Condition, Constraint};
use crate::detect::{Contact, Gap};
use crate::model::{BodyKind, ContactId, Frame, Memory, World};
use crate::stages::anchors::{Anchors, KEPT};
use crate::stages::motion::Motion;
use crate::stages::sequential_constraint::{MOST, SequentialConstraint};
use glam::DVec3;

/// How many numbers are remembered of a constraint: λ/η of its rows, and a contact's anchors.
pub(crate) const REMEMBERED: usize = MOST + KEPT;

/// Of a contact of the last step λ/η, and its anchors if they hold.
type Kept<'a> = (&'a [f64], Option<Anchors>);

/// What the contact `found` with this gap at the poses q continues, of the contacts of the `last` step between the same two
/// pieces: the one with the same identity, or else the nearest within `distance` that is neither among those found nor `taken`,
/// if its anchors hold: where boxes of one width lie on one another, the vertices of the one and of the other take turns.
fn continued<'a>(
    (found, gap): (&Contact, &Gap),
    same: &[Contact],
    last: impl Iterator<Item = (ContactId, &'a [f64])> + Clone,
    (q, radius, distance): ([DVec3; 2], f64, f64),
    taken: &mut Vec<ContactId>,
) -> Option<Kept<'a>> {
    let anchored = |(id, numbers): (ContactId, &'a [f64])| {
        let (forces, numbers) = numbers.split_at_checked(MOST)?;
        Some((id, forces, Anchors::kept(numbers, q)?))
    };
    let holds = |anchors: &Anchors| anchors.hold(radius, distance);
    if let Some(own) = last.clone().find(|(id, _)| *id == found.id) {
        taken.push(found.id);
        let (_, forces, anchors) = anchored(own)?;
        return Some((forces, Some(anchors).filter(holds)));
    }
    let is_gone = |id: &ContactId| !same.iter().any(|other| other.id == *id) && !taken.contains(id);
    let apart = |anchors: &Anchors| anchors.point().distance(gap.point);
    let gone = last.filter(|(id, _)| is_gone(id)).filter_map(anchored);
    let near = gone.filter(|(_, _, anchors)| apart(anchors) < distance);
    let (id, forces, anchors) =
        near.min_by(|(_, _, one), (_, _, other)| apart(one).total_cmp(&apart(other)))?;
    taken.push(id);
    holds(&anchors).then_some((forces, Some(anchors)))
}

/// The largest distance of a point of one piece of a contact from the centre of its body, m; zero of a fixed body, which does
/// not turn.
fn radius(world: &World, contact: &Contact, side: usize) -> f64 {
    let body = &world.bodies()[contact.bodies()[side]];
    if body.kind() == BodyKind::Fixed {
        0.0
    } else {
        body.pieces()[contact.id.pieces[side] as usize].bounding_radius()
    }
}

/// Whether the sweeps start from the last substep's λ of such a constraint.
fn is_warm(source: Constraint) -> bool {
    matches!(source.condition(), Condition::Position | Condition::Speed | Condition::Unilateral)
}

/// Gives the contacts that were found at the step's start their anchors: those of the last step, where `memory` has them
/// and the bodies have moved by less than `distance`, m, and new ones elsewhere. λ of joints, motors, contacts and limits
/// starts from what is remembered, for substeps of `h`. `taken` is memory for contacts.
pub(crate) fn recall(
    constraints: &mut [SequentialConstraint],
    memory: Option<&Memory>,
    (world, contacts, motion): (&World, &[Contact], &Motion),
    (distance, h): (f64, f64),
    taken: &mut Vec<ContactId>,
) {
    for own in constraints.iter_mut().filter(|own| is_warm(own.source) && !own.source.is_contact()) {
        if let Some(numbers) = own.source.id(world, contacts).and_then(|id| memory?.of(id)) {
            own.start_from(numbers, h);
        }
    }
    let mut all = constraints.iter_mut().filter(|own| own.source.is_contact());
    for same in contacts.chunk_by(|one, next| one.id.pair() == next.id.pair()) {
        let q = same[0].bodies().map(|body| motion.q[body]);
        let [a, b] = q.map(|q| Frame::new(q, DVec3::ZERO));
        let radius = (0..2).map(|side| radius(world, &same[0], side)).fold(0.0, f64::max);
        let last = memory.map(|memory| memory.contacts_between(same[0].id.pair()));
        taken.clear();
        for (contact, own) in same.iter().zip(&mut all) {
            let gap = contact.gap(world.bodies(), &a, &b);
            let limits = (q, radius, distance);
            let kept = last.clone().and_then(|last| continued((contact, &gap), same, last, limits, taken));
            if let Some((forces, _)) = kept {
                own.start_from(forces, h);
            }
            let anchors = kept.and_then(|(_, anchors)| anchors).unwrap_or_else(|| Anchors::found(&gap, q));
            own.anchor(anchors, &motion.v);
        }
    }
}

/// Remembers λ/η of the last substep, of `h`, and the anchors.
pub(crate) fn remember(
    constraints: &[SequentialConstraint],
    memory: &mut Memory,
    (world, contacts): (&World, &[Contact]),
    h: f64,
) {
    // Limits are listed after contacts, but kept before them: in the order of the memory nothing has to make room.
    let of_contacts =
        |wanted: bool| constraints.iter().filter(move |own| own.source.is_contact() == wanted);
    for own in of_contacts(false).chain(of_contacts(true)).filter(|own| is_warm(own.source)) {
        let Some(id) = own.source.id(world, contacts) else { continue };
        let mut numbers = [0.0; REMEMBERED];
        let (forces, kept) = numbers.split_at_mut(MOST);
        forces.copy_from_slice(&own.lambda.map(|lambda| lambda / h));
        if let Some(anchors) = &own.anchors {
            kept.copy_from_slice(&anchors.numbers());
        }
        memory.put(id, &numbers);
    }
}
