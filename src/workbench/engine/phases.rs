//! What the parts of the steps take that this thread makes: contacts, assembly, solve.

use crate::platform::clock::Instant;
use crate::report::Stage;
use std::cell::Cell;

thread_local! {
    /// Since when the present part goes on, and which it is.
    static PRESENT: Cell<Option<(Instant, usize)>> = const { Cell::new(None) };
    /// What the parts have taken, s.
    static TAKEN: Cell<[f64; 3]> = const { Cell::new([0.0; 3]) };
}

/// Names of the parts, in their order.
pub const PHASES: [&str; 3] = ["contacts", "assembly", "solve"];

/// Begins to measure in this thread.
pub(super) fn begin() {
    TAKEN.set([0.0; 3]);
    PRESENT.set(Some((Instant::now(), 1)));
}

/// The step goes over to that stage.
pub(super) fn enter(stage: Stage) {
    let next = match stage {
        Stage::Contacts => 0,
        Stage::Solve => 2,
        _ => 1,
    };
    let now = Instant::now();
    if let Some((since, present)) = PRESENT.replace(Some((now, next))) {
        let mut taken = TAKEN.get();
        taken[present] += (now - since).as_secs_f64();
        TAKEN.set(taken);
    }
}

/// What the parts have taken since the beginning, s.
pub(super) fn end() -> [f64; 3] {
    enter(Stage::Assembly);
    PRESENT.set(None);
    TAKEN.get()
}
