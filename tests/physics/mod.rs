//! What the engine claims about physics and numerics, against theory, papers or independent computation.

mod applied;
mod avbd;
mod beads;
mod bearing;
#[cfg(feature = "scene")]
mod conflicts;
mod conservation;
mod corrections;
mod custom_joints;
mod damping;
mod derivatives;
mod direct_iterated;
mod driven;
mod equivalence;
mod force_laws;
mod gears;
mod generalized_alpha;
mod ggl;
mod held_by_sweeps;
mod held_velocities;
mod languages;
mod limits;
mod mujoco;
mod nonholonomic;
mod nonholonomic_rows;
mod open_step;
mod orders;
mod overflow;
mod own_solver;
mod penalty;
mod profiles;
mod pulleys;
mod redundancy;
mod robustness;
mod rolling;
mod sap;
#[cfg(feature = "scene")]
mod scenes_on_the_manifold;
mod scheme_memory;
mod second_order;
mod simulation;
mod slots;
pub mod springs;
mod stability;
mod stages;
mod work_account;
pub mod worlds;
