//! The fonts in which texts are set, and texts that are cut to the room that they have.

pub(super) mod elided;
pub mod fonts;
