//! What there is to open: scenes, shipped and of one's own, and guided tours.

pub mod marking;
pub mod shelf;
pub mod tours;
