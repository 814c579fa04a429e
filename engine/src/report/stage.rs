//! Where a step is: told to whoever wants to measure its parts. The engine itself has no clock.

/// A part of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// Contacts are looked for.
    Contacts,
    /// Rows are evaluated, problems posed, bodies moved and figures taken.
    Assembly,
    /// A problem is solved: by a solver, or by the sweeps of a scheme.
    Solve,
}

/// Is told that a step goes over to a stage. A step begins with [`Stage::Assembly`], of which nobody is told.
pub type StageObserver = fn(Stage);

/// Tells an observer, if there is one.
pub(crate) fn tell(observer: Option<StageObserver>, stage: Stage) {
    if let Some(observer) = observer {
        observer(stage);
    }
}
