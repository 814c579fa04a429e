//! Which content a world has, apart from what steps change.
//!
//! Much of what a step needs follows from bodies and constraints as they were last added, edited or removed: masses, who may collide with
//! whom, the order of the rows. Whoever keeps it remembers the world's edition beside it, and derives it anew where that has changed.
//! A clone has the edition of its original until one of them is edited.

use super::mark::Mark;
use super::world::World;

/// The edition of the world that was last read; of none at first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edition(Option<[Mark; 4]>);

impl Edition {
    /// Becomes the edition of `world`; whether it was another one. What a step writes is not part of it, nor are gravity, the time, the
    /// grab, the repulsion and the contacts, whoever changes them.
    pub fn update(&mut self, world: &World) -> bool {
        let known = self.is_of(world);
        if !known {
            self.0 = Some(world.marks().map(Mark::clone));
        }
        !known
    }

    /// Whether it is the edition of `world`.
    pub fn is_of(&self, world: &World) -> bool {
        self.0.as_ref().is_some_and(|own| own.iter().zip(world.marks()).all(|(own, mark)| own.is(mark)))
    }

    /// Becomes `other`; whether it was that one already.
    pub fn follow(&mut self, other: &Self) -> bool {
        let known = self.is(other);
        if !known {
            self.clone_from(other);
        }
        known
    }

    /// Whether both are of the same content; not where one is of none.
    pub fn is(&self, other: &Self) -> bool {
        let (Some(own), Some(others)) = (&self.0, &other.0) else { return false };
        own.iter().zip(others).all(|(own, other)| own.is(other))
    }
}
