//! Building and changing a world: ids stay valid, checks cannot be bypassed, builders make what they are told.

mod builders;
mod checks;
mod guide;
mod ids;
mod names;
mod parts;
mod removal;
mod rounded;
#[cfg(feature = "scene")]
mod serial;
