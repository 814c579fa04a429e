//! Claims about physics, scenes, the command line and the window, in one test crate.

mod physics;
