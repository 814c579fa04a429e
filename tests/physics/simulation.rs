//! `Simulation`: its clones, its last report, and which bodies begin and cease to touch.

use driftlab::prelude::*;
use driftlab::step::ContactEvents;

/// A ball that falls onto a floor from `height` (m) and rebounds with half of its speed.
fn falling(height: f64) -> (Simulation, [BodyId; 2]) {
    let mut world = World::new([0.0, -9.81]);
    let floor = world.add_body(Body::fixed().shape(Shape::rectangle(10.0, 1.0))).expect("a floor");
    let ball = Body::dynamic().at([0.0, 1.0 + height]).shape(Shape::circle(0.5)).restitution(0.5);
    let ball = world.add_body(ball).expect("a ball");
    (Simulation::new(world, Method::none(), 1e-3), [floor, ball])
}

/// A ball that falls from h lands after t = √(2 h/g), and again after a flight of 2 e g t/g = t for e = 1/2: the events
/// say both, and that it leaves the floor in between.
#[test]
fn contacts_begin_and_end_when_a_ball_lands_and_rises() {
    let (mut fall, pair) = falling(0.5);
    let time = (2.0 * 0.5 / 9.81_f64).sqrt();
    let (mut begun, mut ended) = (Vec::new(), Vec::new());
    while fall.world.time() < 2.3 * time {
        fall.step().expect("a step");
        let events = fall.contact_events();
        begun.extend(events.begun.iter().map(|own| (fall.world.time(), *own)));
        ended.extend(events.ended.iter().map(|own| (fall.world.time(), *own)));
    }
    assert!(begun.iter().chain(&ended).all(|(_, own)| *own == pair));
    let [first, second] = begun[..] else { panic!("{begun:?}") };
    // Impacts are found at the end of a step; the flight between loses at most the gravity of a few of them.
    assert!((first.0 - time).abs() < 5e-3 && (second.0 - 2.0 * time).abs() < 1e-2, "{begun:?} of {time}");
    assert!(ended[0].0 > first.0 && ended[0].0 < first.0 + 5e-3, "{ended:?}");
}

/// A clone is a snapshot: it makes the same steps to the bit and tells the same events; the last report is that of the
/// last step, and a step that fails leaves it.
#[test]
fn a_clone_goes_on_with_the_same_bits() {
    let (mut fall, pair) = falling(0.01);
    assert_eq!(fall.report(), None);
    assert_eq!(fall.contact_events(), ContactEvents::default());
    while fall.contact_events().begun.is_empty() {
        fall.step().expect("a step");
    }
    let mut other = fall.clone();
    assert_eq!((other.report(), other.contact_events().begun), (fall.report(), vec![pair]));
    let [own, theirs] = [&mut fall, &mut other].map(|run| run.run(100).expect("steps"));
    assert_eq!((own, &fall.world), (theirs, &other.world));
    assert_eq!((fall.report(), other.report()), (Some(&own), Some(&own)));
    fall.time_step = f64::NAN;
    assert!(fall.step().is_err() && fall.report() == Some(&own));
}
