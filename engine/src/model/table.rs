//! Items in a list without gaps, each with an id that stays the same when others are removed.
//!
//! The engine goes through the list by index. Ids are assigned in ascending order and removal keeps the order, so
//! that binary search finds an id.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// An item of a table, and what the table says of all of its items.
pub(super) trait Counted {
    /// What is asked of all items in every step, so that none has to be looked at for it.
    type Census: Clone + fmt::Debug + Default;

    /// Counts this item.
    fn count(&self, census: &mut Self::Census);
}

/// A list of items, and a parallel list of their ids, ascending.
#[derive(Clone, Debug)]
pub(super) struct Table<I, T: Counted> {
    items: Vec<T>,
    /// Of the items as they were edited last.
    census: T::Census,
    /// Shared between clones, since ids seldom change from one snapshot to the next.
    ids: Arc<Vec<I>>,
    /// Number of the next item.
    next: u64,
    /// Identifies the content, apart from the state that steps change.
    revision: Version,
    /// Identifies the state that steps have written.
    state: Version,
}

impl<I, T: Counted> Default for Table<I, T> {
    fn default() -> Self {
        let unchanged = Version::default();
        let census = T::Census::default();
        Self {
            items: Vec::new(),
            census,
            ids: Arc::default(),
            next: 0,
            revision: unchanged,
            state: unchanged,
        }
    }
}

/// Compares items and ids, not revisions.
impl<I: PartialEq, T: PartialEq + Counted> PartialEq for Table<I, T> {
    fn eq(&self, other: &Self) -> bool {
        self.items == other.items && self.ids == other.ids && self.next == other.next
    }
}

impl<I: Id, T: Counted> Table<I, T> {
    /// Appends an item under a number that has never been used.
    pub fn push(&mut self, item: T) -> I {
        let id = I::numbered(self.next);
        self.next += 1;
        self.revision.renew();
        item.count(&mut self.census);
        self.items.push(item);
        Arc::make_mut(&mut self.ids).push(id);
        id
    }

    /// The number of the next item.
    #[cfg(feature = "serde")]
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Gives the next item this number, unless it may have been used.
    #[cfg(feature = "serde")]
    pub fn skip_to(&mut self, next: u64) -> bool {
        let unused = next >= self.next;
        self.next = self.next.max(next);
        unused
    }

    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// What the items are as a whole.
    pub fn census(&self) -> &T::Census {
        &self.census
    }

    /// Edits the items.
    pub fn edit<R>(&mut self, edit: impl FnOnce(&mut [T]) -> R) -> R {
        self.revision.renew();
        let result = edit(&mut self.items);
        self.count();
        result
    }

    fn count(&mut self) {
        self.census = T::Census::default();
        self.items.iter().for_each(|item| item.count(&mut self.census));
    }

    /// The items, for a step to write its state into them.
    pub fn state_mut(&mut self) -> &mut [T] {
        self.state.renew();
        &mut self.items
    }

    pub fn state(&self) -> Version {
        self.state
    }

    pub fn revision(&self) -> Version {
        self.revision
    }

    pub fn ids(&self) -> &[I] {
        &self.ids
    }

    pub fn index_of(&self, id: I) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }

    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(self.index_of(id)?)
    }

    /// Removes one item; those behind it move forward by one index.
    pub fn remove(&mut self, id: I) -> Option<T> {
        let index = self.index_of(id)?;
        self.revision.renew();
        Arc::make_mut(&mut self.ids).remove(index);
        let removed = self.items.remove(index);
        self.count();
        Some(removed)
    }

    /// Removes all items for which `chosen` is true and returns them with their ids, in order.
    pub fn remove_all(&mut self, chosen: impl Fn(&T) -> bool) -> Vec<(I, T)> {
        let pairs = self.ids.iter().zip(&self.items);
        let ids: Vec<I> = pairs.filter(|(_, item)| chosen(item)).map(|(id, _)| *id).collect();
        ids.into_iter().filter_map(|id| Some((id, self.remove(id)?))).collect()
    }
}

/// Identifies the content of a table, or the state in it that steps write: clones share it, and every change gives a
/// new one, never used before. An empty table that has never changed has the first one.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Version(u64);

static NEXT: AtomicU64 = AtomicU64::new(1);

impl Version {
    /// Marks a change.
    pub fn renew(&mut self) {
        // Only compared for equality, so that results do not depend on their order.
        self.0 = NEXT.fetch_add(1, Ordering::Relaxed);
    }
}

/// Printed without its number, so that worlds of equal content are printed alike.
impl fmt::Debug for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Version")
    }
}

/// A serial number as an id of its own type.
pub(crate) trait Id: Copy + Ord {
    /// The id with that number.
    fn numbered(serial: u64) -> Self;

    /// Its number.
    fn number(self) -> u64;
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $name(u64);

        impl Id for $name {
            fn numbered(serial: u64) -> Self {
                Self(serial)
            }

            fn number(self) -> u64 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

ids! {
    /// Identifies a body of a world, also after the removal of others. Ids are ordered as the bodies were added.
    ///
    /// ```
    /// use driftlab::prelude::*;
    ///
    /// let mut world = World::new(DVec2::ZERO);
    /// let body = || Body::dynamic().mass_and_inertia(1.0, 1.0);
    /// let [a, b] = [world.add_body(body())?, world.add_body(body())?];
    /// world.remove_body(a)?;
    /// assert_eq!((world.index_of(b), world.body(a)), (Some(0), None));
    /// # Ok::<(), ModelError>(())
    /// ```
    BodyId;
    /// Identifies a joint of a world, also after the removal of others. Ids are ordered as the joints were added.
    ///
    /// ```
    /// use driftlab::prelude::*;
    ///
    /// let mut world = World::new(DVec2::ZERO);
    /// let body = || Body::dynamic().mass_and_inertia(1.0, 1.0);
    /// let [a, b] = [world.add_body(body())?, world.add_body(body())?];
    /// let hinge = world.add_joint(Joint::hinge(a, b))?;
    /// assert_eq!(world.joint_ids(), [hinge]);
    /// # Ok::<(), ModelError>(())
    /// ```
    JointId;
    /// Identifies a spring of a world, also after the removal of others. Ids are ordered as the springs were added.
    ///
    /// ```
    /// use driftlab::prelude::*;
    ///
    /// let mut world = World::new(DVec2::ZERO);
    /// let body = || Body::dynamic().mass_and_inertia(1.0, 1.0);
    /// let [a, b] = [world.add_body(body())?, world.add_body(body())?];
    /// let spring = world.add_spring(Spring::between(a, b).stiffness(1.0))?;
    /// assert_eq!(world.spring_ids(), [spring]);
    /// # Ok::<(), ModelError>(())
    /// ```
    SpringId;
    /// Identifies a force law of a world, also after the removal of others. Ids are ordered as the laws were added.
    ///
    /// ```
    /// use driftlab::prelude::*;
    ///
    /// let mut world = World::new(DVec2::ZERO);
    /// let law = world.add_force_law(|_, _| {});
    /// world.remove_force_law(law)?;
    /// assert!(world.force_laws().is_empty());
    /// # Ok::<(), ModelError>(())
    /// ```
    ForceLawId;
    /// Identifies a non-holonomic constraint of a world, also after the removal of others. Ids are ordered as they were added.
    ///
    /// ```
    /// use driftlab::model::nonholonomic::KnifeEdge;
    /// use driftlab::prelude::*;
    ///
    /// let mut world = World::new(DVec2::ZERO);
    /// let body = || Body::dynamic().mass_and_inertia(1.0, 1.0);
    /// let skate = world.add_body(body())?;
    /// let blade = KnifeEdge { anchor: DVec2::ZERO, axis: DVec2::X };
    /// let blade = world.add_nonholonomic([skate; 2], NonholonomicKind::KnifeEdge(blade))?;
    /// assert_eq!(world.nonholonomic_ids(), [blade]);
    /// # Ok::<(), ModelError>(())
    /// ```
    NonholonomicId;
}
