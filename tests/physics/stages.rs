//! What a step tells of its stages, so that a caller with a clock can measure them.

use driftlab::method::Stabilizer;
use driftlab::prelude::*;
use driftlab::report::Stage;
use driftlab::schemes::TABLE;
use std::cell::RefCell;

thread_local! {
    static TOLD: RefCell<Vec<Stage>> = const { RefCell::new(Vec::new()) };
}

fn note(stage: Stage) {
    TOLD.with_borrow_mut(|told| told.push(stage));
}

/// A box on a floor: contacts to find, and a problem to solve.
fn resting() -> World {
    let mut world = World::new([0.0, -9.81]);
    world.add_body(Body::fixed().shape(Shape::rectangle(4.0, 1.0))).expect("a floor");
    world.add_body(Body::dynamic().at([0.0, 1.001]).shape(Shape::rectangle(1.0, 1.0))).expect("a box");
    world
}

/// Every scheme looks for contacts, solves, and ends elsewhere, in this order; whoever looks on changes no bit.
#[test]
fn a_step_tells_its_stages_and_keeps_its_bits() {
    for scheme in TABLE {
        let method = Method::new(Stabilizer::from(*scheme));
        let (mut seen, mut alone) = (resting(), resting());
        let (mut watched, mut own) = (Workspace::default(), Workspace::default());
        watched.observe(Some(note));
        for _ in 0..3 {
            TOLD.with_borrow_mut(Vec::clear);
            step(&mut seen, &method, 1e-2, &mut watched).expect("a step");
            let told = TOLD.with_borrow(Vec::clone);
            let key = scheme.info().key;
            let first = |stage| {
                told.iter().position(|own| *own == stage).unwrap_or_else(|| panic!("{key}: no {stage:?}"))
            };
            assert!(first(Stage::Contacts) < first(Stage::Solve), "{key}: {told:?}");
            assert_eq!(told.last(), Some(&Stage::Assembly), "{key}");
            step(&mut alone, &method, 1e-2, &mut own).expect("a step");
            assert_eq!(seen, alone, "{key}");
        }
        watched.observe(None);
        TOLD.with_borrow_mut(Vec::clear);
        step(&mut seen, &method, 1e-2, &mut watched).expect("a step");
        assert!(TOLD.with_borrow(Vec::is_empty), "nobody looks on");
    }
}
