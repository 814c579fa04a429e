//! Identities of what a world holds: serial numbers that survive the removal of others.
//!
//! A world numbers its bodies from 0 in the order in which they are added and never uses a number again; joints,
//! springs and non-holonomic constraints have numbers of their own. An id is valid in its world and in that world's
//! clones. Items that are added to a world and to its clone after cloning may get the same number.

use std::fmt;

/// A serial number as an id of its own type.
pub(super) trait Id: Copy + Ord {
    /// The id with that number.
    fn numbered(serial: u64) -> Self;
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u64);

        impl Id for $name {
            fn numbered(serial: u64) -> Self {
                Self(serial)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
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
    BodyId;
    /// Identifies a joint of a world, also after the removal of others. Ids are ordered as the joints were added.
    JointId;
    /// Identifies a spring of a world, also after the removal of others. Ids are ordered as the springs were added.
    SpringId;
    /// Identifies a non-holonomic constraint of a world, also after the removal of others. Ids are ordered as they were added.
    NonholonomicId;
}
