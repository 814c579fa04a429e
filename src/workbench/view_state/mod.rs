//! What the window shows of the runs, and how: the view's own state, of which no step knows anything.

pub mod arrangement;
pub mod arrow_scale;
pub mod camera;
pub mod edge;
pub mod framing;
pub mod layers;
pub mod outline;
pub mod plot_view;
pub mod pointer;
pub mod push;
pub mod side_tab;
pub mod solve_view;
pub mod text_size;
pub mod trail;
pub mod transit;
