//! Linear stability: its predictions agree with the engine's own steps.

mod loaded;
mod plane;
mod soft;
mod stability;
