//! What driftlab's pages say of its schemes and solvers, computed again: the papers' figures ([`reproduction`]), all schemes on
//! seven problems ([`comparison`]), the multibody community's benchmarks ([`benchmarks`]), the pendulum challenge
//! ([`challenge`]), a held box that creeps ([`creep`]), the engines that schemes imitate ([`engines`]), engines themselves
//! beside ours by one yardstick ([`beside`]), and what each method of the solver `auto` is worth on hard problems ([`corpus`]).
//!
//! Each module computes and gives texts and pictures. Only [`commands`] reads a clock, prints or writes files.

pub mod benchmarks;
pub mod beside;
pub mod challenge;
pub mod commands;
pub mod comparison;
pub mod corpus;
pub mod creep;
mod document;
pub mod engines;
pub mod reproduction;

pub use document::{Document, FigureError};
