//! A world as it is seen and taken hold of: outlines, what frames them, trails, and what the pointer does to bodies.

pub mod concerns;
pub mod framing;
pub mod outline;
pub mod pointer;
pub mod push;
pub mod sag;
pub mod trail;
pub mod transit;
