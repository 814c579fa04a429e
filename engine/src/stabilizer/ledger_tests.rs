//! A step's ledger begins empty, although the impulses of the last step are cleared only when the first one is added.

use super::ledger::Ledger;
use crate::constraint::Row;
use crate::lcp::PinRows;
use crate::model::joint::Unit;
use crate::model::{Body, Joint, Shape, World};
use glam::{DVec2, DVec3};

type Act = fn(&mut Ledger, &[PinRows; 2], &Row, &[[f64; 2]; 2]);

/// No impulse of one step is left in the next, whichever function adds the first impulse there, and if none is added.
#[test]
fn a_step_begins_without_impulses() {
    let mut world = World::new(DVec2::ZERO);
    let mut ball = || {
        let ball = Body::dynamic().shape(Shape::Circle { radius: 0.1 }).build().unwrap();
        world.add_body(ball).unwrap()
    };
    let balls = [ball(), ball(), ball()];
    for [a, b] in [[balls[0], balls[1]], [balls[1], balls[2]]] {
        world.add_joint(Joint::hinge(a, b)).unwrap();
    }
    let pins = [PinRows { a: [1.0, 2.0], b: [3.0, 4.0], bias: [0.0; 2] }; 2];
    let row = Row { a: 0, b: 1, ja: DVec3::X, jb: DVec3::X, g: 0.0, k: 0.0, unit: Unit::Metre };
    let lambda = [[1.0, 2.0], [3.0, 4.0]];
    let sums = |ledger: &Ledger| -> Vec<_> {
        ledger.impulses().map(|impulse| (impulse.multipliers, impulse.on_bodies)).collect()
    };
    let acts: [Act; 4] = [
        |ledger, pins, _, lambda| ledger.add_hinges(pins.iter().copied(), lambda, 2.0),
        |ledger, pins, _, lambda| ledger.add_hinges(pins[..1].iter().copied(), &lambda[..1], 2.0),
        |ledger, _, row, _| ledger.add_row(2, row, 5.0),
        |_, _, _, _| {},
    ];
    for act in acts {
        let of = |ledger: &mut Ledger| {
            ledger.begin(&world);
            act(ledger, &pins, &row, &lambda);
            assert!(ledger.is_finite());
            ledger.clear();
            sums(ledger)
        };
        let alone = of(&mut Ledger::default());
        for (number, before) in acts.into_iter().enumerate() {
            let mut ledger = Ledger::default();
            for _ in 0..2 {
                // Twice, so that the second time the entries contain earlier impulses.
                ledger.begin(&world);
                before(&mut ledger, &pins, &row, &[[f64::INFINITY; 2]; 2]);
                assert_eq!(ledger.is_finite(), number >= 2);
            }
            assert_eq!(of(&mut ledger), alone);
        }
    }
}
