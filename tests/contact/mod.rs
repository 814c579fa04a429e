//! What the engine claims about bodies that touch, against theory, papers or independent computation.

mod acceleration;
mod blocks;
#[cfg(feature = "scene")]
mod bounded;
#[cfg(feature = "scene")]
mod bounded_worlds;
mod caches;
mod crowds;
mod editions;
mod elastic_impacts;
#[cfg(feature = "scene")]
mod energy;
mod graph;
pub mod held;
mod impacts;
#[cfg(feature = "parallel")]
mod islands;
mod poisson;
mod published;
#[cfg(feature = "scene")]
pub mod rates;
mod recycling;
mod repeated;
mod resting;
mod robustness;
mod rolling;
mod rolling_orders;
mod slow_impacts;
pub mod sticking;
mod surfaces;
mod sweeps;
mod swept_joints;
mod thin;
mod tiles;
mod tunnels;
mod work;
pub mod worlds;
