//! Box2D's own recordings.
//!
//! `b2World_StartRecording` writes the state of a world and then every call that changes it. Box2D replays such a file bit for
//! bit, so that everything Box2D can tell of a world can be asked after each step. [`convert`] asks it, and writes a driftlab
//! recording.
//!
//! **Sums over substeps.** Of a joint and of friction Box2D tells the impulse of the last substep alone. Each step is therefore
//! made again from its beginning with the first 1, 2, …, n substeps, on a copy of the world, and the impulses are added up: a
//! step of k substeps of the same length is to the bit the first k substeps of a longer one, since Box2D looks for contacts once
//! in a step. Rebound comes behind the last substep, and is switched off in the shorter ones. Of the normal impulse Box2D has the
//! sum itself.
//!
//! **What closes.** With these sums M (v⁺ − v) − Σ p of the velocities is rounding under contacts, hinges, welds and motor
//! joints: the largest remainder of the samples is 4·10⁻⁷ of the impulses. `tests/momentum.rs` holds what follows to its figures.
//!
//! **What does not.** A joint acts twice in a substep: along the poses of its beginning, and, to take back the speed of the
//! correction, along those of its end. Box2D tells the sum of both. It is told at the poses of the beginning, which is nearer for
//! chains: moments of joints, and the directions of sliders, wheels and distances, are off by ω h times what acts at the end.
//! Contacts that move little keep the arms that they had when they were found (`contactRecycleDistance`), and then push two
//! bodies at two points: momentum is kept, angular momentum is not, by Box2D itself; with its own arms the moments close to
//! rounding. A contact of two bodies that move is told in the middle of the two points. The springs of revolute and prismatic
//! joints are in none of Box2D's readings. A body that falls asleep loses its velocity without an impulse. The figures stand in
//! `docs/RECORDING.md`.

mod convert;
mod ffi;
mod joints;
pub(crate) mod live;
mod names;
mod plain;
pub mod samples;
mod scene;
mod steps;
mod stream;
mod told;

#[cfg(test)]
mod tests;

pub use convert::convert;
pub use stream::{MAGIC, REVISION};

/// Box2D's revision that replays: a commit of its main branch.
pub const BOX2D: &str = boxdd_sys::UPSTREAM_SHA;
