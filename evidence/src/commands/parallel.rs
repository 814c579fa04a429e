//! Computes independent parts of a command in parallel.

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The results of `work` on all items, in the order of the items, regardless of the threads; or the first failure in that order.
///
/// Threads of the standard library suffice: there are a few dozen items of very different length, handed out one by one, and a
/// thread pool would do no more. `what` names the items beside the progress bar.
pub(super) fn in_parallel<I: Sync, T: Send>(
    what: &str,
    items: &[I],
    threads: Option<NonZeroUsize>,
    work: impl Fn(&I) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let bar = ProgressBar::new(items.len() as u64);
    if let Ok(style) =
        ProgressStyle::with_template(&format!("{{wide_bar}} {{pos}}/{{len}} {what}, {{elapsed}}"))
    {
        bar.set_style(style);
    }
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return done };
            done.push((index, work(item)));
            bar.inc(1);
        }
    };
    let mut done = std::thread::scope(|scope| {
        let count = threads.map_or(1, NonZeroUsize::get).min(items.len());
        let workers: Vec<_> = (0..count).map(|_| scope.spawn(worker)).collect();
        let join = |handle: std::thread::ScopedJoinHandle<'_, Vec<(usize, Result<T>)>>| {
            handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        workers.into_iter().flat_map(join).collect::<Vec<_>>()
    });
    bar.finish_and_clear();
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}
