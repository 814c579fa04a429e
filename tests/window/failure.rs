//! What the window says after a step that failed.

use driftlab::experiment::{advice, remedy};
use driftlab::lcp::{MixedError, solvers};
use driftlab::method::{Integrator, Level, Method};
use driftlab::report::StepError;
use driftlab::schemes::TABLE;
use driftlab::workbench::engine::StepFailure;
use driftlab::workbench::runs::failure::Failure;

/// The ways in which a problem is not solved.
fn errors() -> Vec<StepError> {
    let errors = [
        MixedError::NotConverged { solver: "newton", residual: 1.0, expected: 1e-9, iterations: 7 },
        MixedError::Ray { solver: "lemke", pivots: 3, direction: Vec::new(), infeasible: false },
        MixedError::NoSolution { combinations: 4 },
        MixedError::OutOfReach { change: 1.0, speed: 1e-3 },
        MixedError::NotApplicable { solver: "ldlt", reason: "a contact" },
        MixedError::NotFinite,
    ];
    errors.map(|error| StepError::Contact(error, None)).into()
}

/// Under every scheme, level and solver the advice is another thing than what the run has: no velocity level to a run
/// at it or to a scheme without one, and not the solver that was asked. The window says what the command line does.
#[test]
fn advice_can_be_followed() {
    let world = super::scene("six-link-chain").world;
    for scheme in TABLE.iter().map(|scheme| scheme.info()) {
        for (level, solver) in
            scheme.levels.iter().flat_map(|level| solvers().map(move |own| (*level, own)))
        {
            let mut method = Method::by_key(scheme.key).unwrap();
            if method.level != level {
                method = method.at_level(level, Integrator::SemiImplicitEuler).unwrap();
            }
            method.solver = solver.clone();
            for error in errors() {
                let said = remedy(&error, &method).expect("something to try");
                let hint = Failure::new(&StepFailure::Failed(error.clone()), &world, &method).hint;
                assert_eq!(hint, format!("Try {said}, then resume."));
                assert_eq!(advice(&error, &method, None), format!(". Try {said}."));
                let has = |level| scheme.levels.contains(&level);
                let offers = said.contains("step, the velocity level,");
                assert!(!offers || level == Level::Acceleration && has(Level::Velocity), "{said}");
                let asked = format!("the solver '{}'", solver.info().key);
                assert!(!said.contains(&asked), "{}: {said}", scheme.key);
            }
        }
    }
}
