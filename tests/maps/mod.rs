//! Maps over parameters: what linear stability promises is what the engine's own steps do.

mod loaded;
mod soft;
mod stability;
