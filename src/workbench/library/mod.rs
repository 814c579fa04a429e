//! What there is to open: scenes, shipped and of one's own, and guided tours.

pub mod shelf;
pub mod tours;
