//! The tabs of the right panel.

/// A tab of the right panel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SideTab {
    /// The scheme, its parameters, the time step, and what the last step gave.
    #[default]
    Method,
    /// What is built with: the toolbox, the selection, the changes.
    Build,
    /// What the canvas shows.
    Look,
    /// Solver, level, rules of contact, the mouse, tours.
    Workings,
}

impl SideTab {
    /// All tabs, from left to right.
    pub const ALL: [Self; 4] = [Self::Method, Self::Build, Self::Look, Self::Workings];

    /// What is written on it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Method => "Method",
            Self::Build => "Build",
            Self::Look => "Look",
            Self::Workings => "⚙",
        }
    }

    /// What is found in it.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Method => "Scheme, parameters, time step, and the figures of the last step",
            Self::Build => "Tools, the selection and its numbers, and what can be undone",
            Self::Look => "What the canvas shows, and how",
            Self::Workings => "Solver, level, integrator, contact rules, mouse, tours",
        }
    }
}
