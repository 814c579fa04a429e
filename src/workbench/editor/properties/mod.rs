//! The numbers of bodies, joints, springs and velocity constraints, described: what people call each of them, its unit,
//! its range and its meaning, and how it is read and changed. A list of all that can be set reads these tables; a new
//! kind of joint adds its lines here.
//!
//! A number that the item at hand does not have, such as the radius of a box, is absent ([`Property::of`]).

mod bearing;
mod body;
mod connection;
mod profile;
mod property;
mod wire;

pub use body::BODY;
pub use connection::{JOINT, NONHOLONOMIC, SPRING};
pub use property::Property;
