//! The stages of a step, of which every scheme is made, in the order in which a reader of a step meets them.
//!
//! - `motion.rs`, `timed_forces.rs`, `nonholonomic.rs`: q, v, a and what moves them apart from constraints; fields and driven
//!   forces; velocity constraints
//! - `given_forces.rs`: the forces of a world as another engine's user applies them, constant over a step
//! - `terms.rs`: what a scheme says to them
//! - `springs.rs`: the rows of springs, and the bodies that swing on springs alone
//! - `constraints.rs`: rows and contacts at the present pose, and which of them are in the problem
//! - `rebound.rs`, `rebound_energy.rs`: the loads that press bodies together, and the slowest impact that rebounds; the
//!   most energy that rebounds give back
//! - `posed_problem.rs`, `solving.rs`: the rows as one problem, and its solution; in two phases, by a scheme's own solver,
//!   and with sliding friction whose direction is left free
//! - `impulses.rs`, `forces.rs`: the right-hand sides of the dynamics, in impulses and in forces
//! - `convex_problem.rs`: the rows as one convex problem, in which all of them yield
//! - `step_in_progress.rs`: a step in progress, on which a scheme acts: its operations at the velocity level, and its
//!   parts
//! - `acceleration.rs`: integrators of the acceleration level, with their impacts
//! - `filtered_forces.rs`, `force_filters.rs`: the smooth step of the generalised-α methods; their forces and the filtered ones
//! - `position_errors.rs`, `corrections.rs`: how large errors of positions are, and the joints for the report;
//!   corrections back to the manifold
//! - `rattle_predictor.rs`: the end of RATTLE's step as its first half predicts it
//! - `consistent.rs`: start velocities that fit the constraints
//! - `sequential_constraint.rs`, `sweeps.rs`: Gauss–Seidel sweeps, for the sweeping schemes: one constraint as a sweep
//!   visits it, and all of them in their order
//! - `anchors.rs`, `recycling.rs`, `colors.rs`: contacts that keep their anchors from step to step, and the order of the sweeps,
//!   as in Box2D 3
//! - `dual_row.rs`, `descent_contacts.rs`, `descent_elements.rs`, `descent.rs`: augmented vertex block descent: a row with
//!   multiplier and penalty, the rows of contacts and of all others, and the solve of one body after the other
//! - `rolling.rs`: the bounds of rolling resistance in a problem
//! - `ledger.rs`, `accounts.rs`: the accounts of a step, without influence on where the bodies
//!   go apart from the warm start: impulses by constraint; sums over the step, and the work of stabilization; who did
//!   which work

pub mod acceleration;
pub mod accounts;
pub mod anchors;
pub(crate) mod colors;
pub mod consistent;
pub mod constraints;
pub mod convex_problem;
pub mod corrections;
pub mod descent;
pub mod descent_contacts;
pub mod descent_elements;
pub mod dual_row;
pub mod filtered_forces;
pub(crate) mod force_filters;
pub mod forces;
pub mod given_forces;
pub mod impulses;
pub mod ledger;
pub mod motion;
pub mod nonholonomic;
pub mod posed_problem;
pub mod position_errors;
pub mod rattle_predictor;
pub mod rebound;
pub mod rebound_energy;
pub mod recycling;
pub mod rolling;
pub mod row_block;
pub mod sequential_constraint;
pub mod solving;
pub mod springs;
pub mod step_in_progress;
pub mod sweeps;
pub(crate) mod terms;
pub mod timed_forces;
