//! The numbers of bodies, joints, springs, velocity constraints, driven forces, profiles, fields and surfaces, described: what
//! people call each of them, its unit, its range and its meaning, and how it is read and changed. A list of all that can
//! be set reads these tables; a new kind of joint adds its lines here.
//!
//! A number that the item at hand does not have, such as the radius of a box, is absent ([`Property::of`]).

mod bearing;
mod body;
mod connection;
mod driven;
mod profile;
mod property;
mod surface;
mod wire;

pub use body::BODY;
pub use connection::{JOINT, NONHOLONOMIC, SPRING};
pub use driven::{DRIVEN, FIELD};
pub use profile::{KIND, KIND_OR_OFF, PROFILE, kind_of, of_kind};
pub use property::Property;
pub use surface::{STATED, Stated, is_of_pair};
