//! Solves islands on several threads: which threads there are, how many of them are worth waking, and their work.
//!
//! Each island is solved by itself, in memory that no other thread uses meanwhile (`island_memory.rs`), and its outcome
//! is written into its slot; only when all are solved are the slots read, in the order of the islands
//! (`solve/solve_problem.rs`). So the bits are those of one thread, for any number of threads and any assignment of
//! islands. The calling thread solves islands too; for each of the others rayon allocates a few bytes per solve, and
//! its queue grows now and then.
//!
//! A rayon thread that steps a world solves its islands itself: when simulations run side by side (`driftlab sweep`) no processor
//! is idle, and a thread that waits for others might begin another simulation meanwhile, nested on its stack.

use super::island_memory::{IslandSlot, IslandWorkspace, MixedWorkspace};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Rows outside the largest island for each thread that is woken. Waking it, and fetching data from another core's cache, costs
/// some 50 µs of a step. Measured on two cores, with pyramids of 55 boxes at rest, 400 rows each: with two of them a step takes 9
/// % longer than on one thread, with three 2 % less under `none` and 16 % less under `anitescu_hart`.
const LEAST_ROWS: usize = 800;

/// Calls `solve` with the index of each of the islands of `whole`, its slot and the memory of a thread, if the islands are large
/// enough for several threads; returns whether it did. `idle` is the memory that no thread is using.
pub(crate) fn solve_side_by_side(
    whole: &MixedWorkspace,
    slots: &mut [IslandSlot],
    idle: &mut Vec<Box<IslandWorkspace>>,
    solve: impl Fn(usize, &mut IslandSlot, &mut Box<IslandWorkspace>) + Sync,
) -> bool {
    let helpers = helpers(whole);
    if helpers == 0 {
        return false;
    }
    let queue = Mutex::new(slots[..whole.islands.count()].iter_mut().enumerate());
    let shared = Mutex::new(std::mem::take(idle));
    let work = || {
        let free = own(&shared).pop();
        let mut memory = free.unwrap_or_default();
        loop {
            let next = own(&queue).next();
            let Some((index, slot)) = next else { break };
            solve(index, slot, &mut memory);
        }
        own(&shared).push(memory);
    };
    match &whole.pool {
        Some(pool) => pool.in_place_scope(|scope| with_help(scope, helpers, &work)),
        None => rayon::in_place_scope(|scope| with_help(scope, helpers, &work)),
    }
    *idle = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    true
}

/// Returns how many threads are to help the calling thread with the islands.
fn helpers(MixedWorkspace { islands, pool, .. }: &MixedWorkspace) -> usize {
    let worth = islands.rows_beside_largest() / LEAST_ROWS;
    if worth == 0 || rayon::current_thread_index().is_some() {
        return 0;
    }
    // Asking for the number of threads starts them, and so comes last.
    let threads = pool.as_ref().map_or_else(rayon::current_num_threads, |pool| pool.current_num_threads());
    worth.min(threads - 1).min(islands.count() - 1)
}

/// Runs `work` on this thread and on `helpers` others.
fn with_help<'s>(scope: &rayon::Scope<'s>, helpers: usize, work: &'s (impl Fn() + Sync)) {
    (0..helpers).for_each(|_| scope.spawn(|_| work()));
    work();
}

/// Locks the mutex. No thread panics while it is held, so that it cannot be poisoned.
fn own<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
