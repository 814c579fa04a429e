//! Islands side by side on several threads.
//!
//! Each island is solved by itself, in memory that nobody else uses meanwhile (`workspace.rs`), and what came of it is written into its
//! place; only when all are solved are the places read, in the order of the islands (`solve.rs`). So the bits are those of one thread,
//! whatever the number of threads, and whoever takes which island. The caller solves islands like the others; for each of these rayon
//! takes a few bytes from the heap per solve, and so does its queue now and then.
//!
//! A thread of rayon that steps a world solves its islands itself: whoever runs simulations side by side (`driftlab sweep`) has no
//! processor idle, and a thread that waits for others might begin another simulation meanwhile, one above the other on its stack.

use super::single::Posed;
use super::solvers::Solver;
use super::workspace::MixedWorkspace;
use crate::lcp::mixed::problem::MixedProblem;
use std::sync::{Mutex, MutexGuard, PoisonError};

impl Solver {
    /// Solves all islands on several threads, if they are large enough for that; returns whether it has.
    pub(super) fn solve_side_by_side(
        &self,
        problem: &MixedProblem,
        lambda: &[f64],
        workspace: &mut MixedWorkspace,
    ) -> bool {
        let MixedWorkspace { islands, places, idle, threads, yields, recalls, .. } = workspace;
        let helpers = threads.helpers(islands);
        if helpers == 0 {
            return false;
        }
        let posed = Posed { problem, islands, lambda, yields: *yields, recalls: *recalls };
        let queue = Mutex::new(places[..islands.len()].iter_mut().enumerate());
        let shared = Mutex::new(std::mem::take(idle));
        let work = || {
            let free = own(&shared).pop();
            let mut memory = free.unwrap_or_default();
            loop {
                let next = own(&queue).next();
                let Some((index, place)) = next else { break };
                self.solve_island(&posed, index, place, &mut memory);
            }
            own(&shared).push(memory);
        };
        match &threads.pool {
            Some(pool) => pool.in_place_scope(|scope| with_help(scope, helpers, &work)),
            None => rayon::in_place_scope(|scope| with_help(scope, helpers, &work)),
        }
        *idle = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        true
    }
}

/// `work` here and by so many other threads.
fn with_help<'s>(scope: &rayon::Scope<'s>, helpers: usize, work: &'s (impl Fn() + Sync)) {
    (0..helpers).for_each(|_| scope.spawn(|_| work()));
    work();
}

/// What is behind the lock. Nobody panics while it is held.
fn own<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
