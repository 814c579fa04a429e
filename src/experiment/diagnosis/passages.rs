//! Bodies that have passed through each other in a run, though they collide.

use crate::model::BodyId;
use crate::report::StepReport;
use serde::Serialize;

/// How often a pair has passed through each other, and who did so first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Passages {
    /// Pairs of bodies, summed over the steps.
    pub count: usize,
    /// The first pair, by name, or by number where they have none.
    pub first: [String; 2],
    /// Simulation time at the end of the step in which it did, s.
    pub at: f64,
}

impl Passages {
    /// Takes in one step of a run of `bodies`, with their names.
    pub fn add(own: &mut Option<Self>, report: &StepReport, bodies: &[(BodyId, String)]) {
        let Some(passed) = report.passed else { return };
        let first = || Self {
            count: 0,
            first: passed.map(|passed| {
                let own = bodies.iter().find(|(id, _)| *id == passed);
                own.map_or_else(String::new, |(_, name)| name.clone())
            }),
            at: report.time,
        };
        own.get_or_insert_with(first).count += report.passages;
    }
}
