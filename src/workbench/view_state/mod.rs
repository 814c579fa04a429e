//! What the window shows of the runs, and how: the view's own state, of which no step knows anything.

pub mod area;
pub mod arrangement;
pub mod camera;
pub mod edge;
pub mod layers;
pub mod plot_view;
pub mod scheme_colours;
pub mod side_tab;
pub mod solve_view;
pub mod text_size;
