//! Which threads there are for islands side by side (`threads.rs`), and how many of them are worth calling on.

use super::split::Islands;
use std::sync::Arc;

/// Rows beside those of the largest island for each thread that is called on. To wake it, and to fetch what another core has in its
/// cache, costs some 50 µs of a step. Measured on two cores, pyramids of 55 boxes at rest, 400 rows each: with two of them a step takes
/// 9 % longer than on one thread, with three 2 % less under `none` and 16 % less under `anitescu_hart`.
const LEAST_ROWS: usize = 800;

/// The threads that solve islands: those of rayon's global pool, unless it is told otherwise.
#[derive(Clone, Debug, Default)]
pub(crate) struct Threads {
    pub pool: Option<Arc<rayon::ThreadPool>>,
}

impl Threads {
    /// Those of `pool`.
    pub fn of(pool: Arc<rayon::ThreadPool>) -> Self {
        Self { pool: Some(pool) }
    }

    /// How many threads are to help the caller with the islands.
    pub fn helpers(&self, islands: &Islands) -> usize {
        let worth = islands.rows_beside_largest() / LEAST_ROWS;
        if worth == 0 || rayon::current_thread_index().is_some() {
            return 0;
        }
        // To ask for the number of threads starts them, and so comes last.
        let threads =
            self.pool.as_ref().map_or_else(rayon::current_num_threads, |pool| pool.current_num_threads());
        worth.min(threads - 1).min(islands.len() - 1)
    }
}
