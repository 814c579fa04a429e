//! Maps over parameters: what linear stability promises is what the engine's own steps do.

mod soft;
mod stability;
