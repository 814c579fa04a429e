//! Which bodies collide, from the filters of other engines to the negative groups of ours.
//!
//! A filter says of two bodies whether they collide. Bodies of equal filters form a class. Of the classes that do not
//! collide, those all of whose bodies do not collide with one another become one negative group; where a filter asks for more
//! (a and b collide with c, but not with one another, and the bodies of a do), the pairs are named.

use super::draft::Draft;
use crate::model::BodyId;
use std::collections::BTreeMap;

/// Classes at most: each is compared with all others.
const MOST_CLASSES: usize = 512;

/// Bodies of one filter that move, or that do not.
struct Class<F> {
    filter: F,
    moves: bool,
    bodies: Vec<BodyId>,
}

/// Sets `collides` and `group` of bodies by their filters; `collide` says of two filters whether their bodies collide.
pub(super) fn apply<F: Ord + Clone>(
    draft: &mut Draft,
    filters: Vec<(BodyId, F)>,
    collide: impl Fn(&F, &F) -> bool,
    place: &str,
) {
    let mut by_filter: BTreeMap<(F, bool), Vec<BodyId>> = BTreeMap::new();
    for (id, filter) in filters {
        let moves = draft.world.body(id).is_some_and(|body| body.is_dynamic());
        by_filter.entry((filter, moves)).or_default().push(id);
    }
    if by_filter.len() > MOST_CLASSES {
        draft.leave_out(
            place,
            format!(
                "{} different filters of collisions are left out (at most {MOST_CLASSES})",
                by_filter.len()
            ),
        );
        return;
    }
    let classes: Vec<Class<F>> =
        by_filter.into_iter().map(|((filter, moves), bodies)| Class { filter, moves, bodies }).collect();
    let (alone, classes): (Vec<_>, Vec<_>) = {
        let hits_nothing: Vec<bool> = classes
            .iter()
            .map(|own| classes.iter().all(|other| !collide(&own.filter, &other.filter)))
            .collect();
        let (alone, others): (Vec<_>, Vec<_>) =
            classes.into_iter().zip(hits_nothing).partition(|(_, alone)| *alone);
        let bare =
            |list: Vec<(Class<F>, bool)>| list.into_iter().map(|(class, _)| class).collect::<Vec<_>>();
        (bare(alone), bare(others))
    };
    for id in alone.iter().flat_map(|class| &class.bodies) {
        draft.change(place, *id, |body| body.collides = false);
    }
    // Of two bodies that do not move, nothing is asked.
    let apart = |a: &Class<F>, b: &Class<F>| (a.moves || b.moves) && !collide(&a.filter, &b.filter);
    let together = |a: &Class<F>, b: &Class<F>| (a.moves || b.moves) && collide(&a.filter, &b.filter);
    let mut group = 0;
    let mut seen = vec![false; classes.len()];
    for first in 0..classes.len() {
        if seen[first] {
            continue;
        }
        let (mut found, mut next) = (vec![first], 0);
        seen[first] = true;
        while let Some(&at) = found.get(next) {
            for other in 0..classes.len() {
                if !seen[other] && apart(&classes[at], &classes[other]) {
                    seen[other] = true;
                    found.push(other);
                }
            }
            next += 1;
        }
        let members = || found.iter().map(|index| &classes[*index]);
        let own = |class: &Class<F>| class.moves && class.bodies.len() > 1;
        let asks = found.len() > 1 || members().any(|class| own(class) && apart(class, class));
        let clash = members().enumerate().any(|(index, a)| {
            members().skip(index).any(|b| (!std::ptr::eq(a, b) || own(a)) && together(a, b))
        });
        if asks && !clash {
            group -= 1;
            for id in members().flat_map(|class| &class.bodies) {
                draft.change(place, *id, |body| body.group = group);
            }
        } else if asks {
            let mut pairs = 0_u64;
            for (index, a) in members().enumerate() {
                for b in members().skip(index).filter(|b| apart(a, b)) {
                    let (n, m) = (a.bodies.len() as u64, b.bodies.len() as u64);
                    pairs += if std::ptr::eq(a, b) { n * (n - 1) / 2 } else { n * m };
                }
            }
            draft.leave_out(
                place,
                format!("filters of collisions that groups cannot express: {pairs} pairs of bodies collide here and not there"),
            );
        }
    }
}
