//! Which shapes collide, from any rule to categories and masks.
//!
//! Shapes that collide with the same others form a class. Each class is a category of its own, and collides with the
//! categories of the classes that it collides with, so that any symmetric rule over at most 32 classes is kept exactly.

use super::draft::Draft;
use crate::model::Filter;
use std::collections::BTreeMap;

/// The filter of each class; `collide` says of two classes whether their shapes collide.
pub(super) fn of_classes<F: Ord + Clone>(
    draft: &mut Draft,
    classes: impl IntoIterator<Item = F>,
    collide: impl Fn(&F, &F) -> bool,
    place: &str,
) -> BTreeMap<F, Filter> {
    let mut found: Vec<F> = classes.into_iter().collect();
    found.sort();
    found.dedup();
    let most = u32::BITS as usize;
    if found.len() > most {
        draft.leave_out(
            place,
            format!("who collides with whom is left out: {} classes (at most {most})", found.len()),
        );
        return BTreeMap::new();
    }
    let filter = |own: &F| {
        let bits =
            found.iter().enumerate().filter(|(_, other)| collide(own, other)).map(|(index, _)| 1 << index);
        bits.fold(0, |mask, bit: u32| mask | bit)
    };
    let masks: Vec<u32> = found.iter().map(filter).collect();
    let named = found.iter().cloned().zip(masks).enumerate();
    named.map(|(index, (class, mask))| (class, Filter { categories: 1 << index, mask, group: 0 })).collect()
}
