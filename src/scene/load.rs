//! How many joints and springs a step can bear at one place, and how many contacts altogether: all rows that share a
//! body that can move are coupled with one another, and the time of a solve grows with the third power of their number.

use super::Link;
use super::reader::{Cursor, Object};
use crate::model::{Body, BodyId, Spring, World};
use crate::report::StepError;
use crate::scene::Settings;
use std::collections::BTreeMap;

/// Most joints, and most springs, between the same two bodies: of more than two joints all but two or three rows are
/// redundant (500 equal hinges: 0.9 s a step; 2,000 equal springs: 6 s).
const MOST_OF_A_PAIR: usize = 64;
/// Most joints, and most springs, of a body that can move (512 hinges: 0.6 s a step; 1,024: 4 s).
const MOST_OF_A_BODY: usize = 512;

/// Notes a problem for each pair of bodies, and for each body that can move, with more joints or springs than a step can bear.
pub(super) fn check(
    keys: &Object<'_>,
    bodies: &[Option<Body>],
    links: Option<&[Link]>,
    springs: Option<&[Spring]>,
) {
    let joints = links.into_iter().flatten().filter_map(|link| match link {
        Link::Joint(joint) => Some(joint.bodies()),
        Link::Gear(_) | Link::Nonholonomic(_) => None,
    });
    count(keys, "joints", bodies, joints);
    count(keys, "springs", bodies, springs.into_iter().flatten().map(Spring::bodies));
}

/// Counts the elements of one array, each given by its bodies.
fn count(
    keys: &Object<'_>,
    what: &'static str,
    bodies: &[Option<Body>],
    ends: impl Iterator<Item = [usize; 2]>,
) {
    let mut of_pairs: BTreeMap<[usize; 2], usize> = BTreeMap::new();
    let mut of_bodies: BTreeMap<usize, usize> = BTreeMap::new();
    for [a, b] in ends {
        *of_pairs.entry([a.min(b), a.max(b)]).or_default() += 1;
        for end in [a, b] {
            *of_bodies.entry(end).or_default() += 1;
        }
    }
    let Some(cursor) = keys.get(what) else { return };
    for found in of_pairs.values().filter(|found| **found > MOST_OF_A_PAIR) {
        cursor.problem(format!(
            "expected at most {MOST_OF_A_PAIR} {what} between the same two bodies, found {found}"
        ));
    }
    for (body, found) in of_bodies.into_iter().filter(|(_, found)| *found > MOST_OF_A_BODY) {
        let moves = |body: &&Body| body.is_dynamic();
        if let Some(body) = bodies.get(body).and_then(Option::as_ref).filter(moves) {
            let name = super::problems::brief(&body.name);
            cursor
                .problem(format!("expected at most {MOST_OF_A_BODY} {what} of body {name}, found {found}"));
        }
    }
}

/// Notes a problem where the world begins with more contacts than a step of `settings` may have.
pub(super) fn check_contacts(bodies: &Cursor<'_>, world: &World, settings: &Settings) {
    if let Err(StepError::Crowded(crowd)) = settings.method.check_crowd(world, settings.time_step) {
        let named = |id: BodyId| format!("'{}'", super::problems::brief(&world[id].name));
        bodies.problem(crowd.words(named));
    }
}
