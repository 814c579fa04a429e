//! Box2D's own recordings.
//!
//! `b2World_StartRecording` writes the state of a world and then every call that changes it. Box2D replays such a file bit for bit, so
//! that everything Box2D can tell of a world can be asked after each step. [`convert`] asks it, and writes a driftlab recording.
//!
//! **Sums over substeps.** Of a joint and of friction Box2D tells the impulse of the last substep alone. Each step is therefore made again
//! from its beginning with the first 1, 2, …, n substeps, on a copy of the world, and the impulses are added up: a step of k substeps of
//! the same length is to the bit the first k substeps of a longer one, since Box2D looks for contacts once in a step. Rebound comes behind
//! the last substep, and is switched off in the shorter ones. Of the normal impulse Box2D has the sum itself.
//!
//! **What closes.** With these sums M (v⁺ − v) − Σ p is rounding for the velocity of each body under contacts and joints of all kinds
//! (`tests/momentum.rs` has the figures). Of the moments those of contacts close, because Box2D keeps their arms over a step; those of
//! joints do so up to the relaxation, which acts at the arms of the substep's end while the rest acts at those of its beginning, and Box2D
//! tells the sum of both: what is left is of the order of ω h |r| times the impulse of the relaxation. The springs of revolute and
//! prismatic joints are in none of Box2D's readings, and do not close at all.

mod convert;
mod ffi;
mod joints;
mod names;
pub mod samples;
mod scene;
mod steps;
mod stream;
mod told;

pub use convert::convert;
pub use stream::{MAGIC, REVISION};

/// Box2D's revision that replays: a commit of its main branch.
pub const BOX2D: &str = boxdd_sys::UPSTREAM_SHA;
