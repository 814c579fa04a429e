//! The scalar rows of a world, evaluated once for all schemes: the rows of joints, non-holonomic constraints, springs and the
//! grab (`joint_rows.rs`), and those of contacts, limits and motors (`touches.rs`); all of them by name (`now.rs`).

mod joint_rows;
mod kinds;
mod now;
pub(crate) mod row;
mod touches;

pub use joint_rows::Rows;
pub(crate) use joint_rows::hinge_rate;
pub(crate) use kinds::{Condition, Constraint, MOST_ROWS};
pub use now::{NamedRow, named_rows};
pub(crate) use row::Clock;
pub use row::Row;
pub(crate) use row::further_bodies;
pub(crate) use touches::driven_surface;
pub use touches::{MotorRow, Tangent, Touch, Touches};
