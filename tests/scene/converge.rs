//! `experiment::converge`: the errors and orders that it measures against a reference are those of theory.

use driftlab::experiment::converge::{Convergence, Kind, Plan, Standing, TimeSteps, converge};
use driftlab::method::{Integrator, Level, Method};
use driftlab::scene::{Scene, catalogue};

/// A single body in free fall with a spin, at the scene's h = 0.01 s.
const FALL: &str = r#"{
    "format": "driftlab-scene/1", "name": "Fall", "gravity": [0, -10],
    "settings": { "time_step": 0.01, "duration": 1 },
    "bodies": [{ "name": "stone", "position": [0, 0], "angular_velocity": 2, "mass": 3,
                 "shapes": [{ "shape": "circle", "radius": 0.1 }] }]
}"#;

fn shipped(key: &str) -> Scene {
    catalogue::find(key).unwrap().scene().unwrap()
}

fn rk4() -> Method {
    Method::by_key("none").unwrap().at_level(Level::Acceleration, Integrator::Rk4).unwrap()
}

fn plan(methods: &[&str], h: &[f64], duration: f64) -> Plan {
    Plan {
        methods: methods.iter().map(|key| Method::by_key(key).unwrap()).collect(),
        steps: TimeSteps::dividing(h, duration).unwrap(),
        reference: Method::by_key("rattle").unwrap(),
        refined: 32,
    }
}

fn computed(scene: &Scene, plan: Plan) -> Convergence {
    converge(scene, plan, &|| 0.0, &mut || true).unwrap()
}

#[track_caller]
fn assert_order(convergence: &Convergence, scheme: usize, kind: Kind, expected: f64) {
    let line = &convergence.lines[scheme];
    let fit = convergence.fit(line, kind).unwrap();
    assert!((fit.order - expected).abs() < 0.1, "{}: {kind:?} {fit:?}, expected {expected}", line.label);
}

/// Measured errors are the true ones: in free fall RATTLE (Störmer–Verlet) is exact, and semi-implicit Euler is half a step
/// early, y = −½ g t (t + h). After T = 1 s its position error is ½ g T h, its energy error m g times that, and its velocity
/// and angle are exact.
#[test]
fn semi_implicit_euler_falls_half_a_step_early() {
    let scene = Scene::parse(FALL).unwrap();
    let found = computed(&scene, plan(&["none"], &[0.01, 0.005, 0.002], 1.0));
    let line = &found.lines[0];
    for cell in &line.cells {
        let errors = cell.errors.as_ref().unwrap();
        let (position, energy) = (0.5 * 10.0 * cell.h, 3.0 * 10.0 * 0.5 * 10.0 * cell.h);
        assert!((errors[Kind::Position] - position).abs() < 1e-11, "{errors:?}");
        assert!((errors[Kind::Energy] - energy).abs() < 1e-9, "{errors:?}");
        for kind in [Kind::Angle, Kind::Velocity, Kind::AngularVelocity, Kind::Constraint] {
            assert!(errors[kind] < 1e-11, "{kind:?} {errors:?}");
            assert_eq!(found.standing(kind, errors[kind]), Standing::Unresolved);
        }
    }
    assert_eq!(line.cells.iter().map(|cell| cell.steps).collect::<Vec<_>>(), [100, 200, 500]);
    let orders = found.orders(line, Kind::Position);
    assert_eq!(orders[0], None);
    assert!(orders[1..].iter().all(|order| (order.unwrap() - 1.0).abs() < 1e-6), "{orders:?}");
    assert_eq!(found.orders(line, Kind::Velocity), [None; 3]);
}

/// Measured orders are those of theory. Of the trajectory on a smooth motion: 1 for velocity-level schemes with one solve, 2 for
/// RATTLE [Hairer, Lubich & Wanner VII.1.4]. Of the constraint error: 1 where it accumulates, 2 by Anitescu & Hart's theorem
/// 4.1, 4 after one Newton correction, none where it is rounding.
#[test]
fn orders_are_those_of_theory() {
    let schemes = ["none", "anitescu_hart", "post_stabilization", "projection", "rattle"];
    let steps = [1e-3, 5e-4, 2.5e-4];
    let found = computed(&shipped("six-link-chain"), plan(&schemes, &steps, 0.3));
    for (scheme, order) in [1.0, 1.0, 1.0, 1.0, 2.0].into_iter().enumerate() {
        for kind in [Kind::Position, Kind::Angle, Kind::Energy] {
            assert_order(&found, scheme, kind, order);
        }
    }
    for (scheme, order) in [(0, 1.0), (1, 2.0), (2, 4.0)] {
        assert_order(&found, scheme, Kind::Constraint, order);
    }
    for scheme in [3, 4] {
        assert_eq!(found.fit(&found.lines[scheme], Kind::Constraint), None, "rounding has no order");
    }
}

/// The classical Runge–Kutta method is of fourth order in all measured errors, the constraint drift included. (Its reference
/// is a Runge–Kutta run, since one by RATTLE would not resolve its errors.)
#[test]
fn rk4_is_of_fourth_order() {
    let scene = shipped("six-link-chain");
    let steps = [2e-3, 1e-3, 5e-4];
    let mut plan = Plan { methods: vec![rk4()], ..plan(&[], &steps, 0.3) };
    plan.reference = rk4();
    let found = computed(&scene, plan);
    assert_eq!(found.lines[0].label, "none,integrator=rk4");
    for kind in Kind::ALL {
        assert_order(&found, 0, kind, 4.0);
    }
}

/// Errors no larger than the reference's own are unresolved and get no order: with a reference of half the smallest h,
/// doubling its step moves it by exactly RATTLE's error at that h.
#[test]
fn errors_near_the_references_own_are_not_resolved() {
    let mut coarse = plan(&["rattle", "none"], &[1e-3, 5e-4], 0.1);
    coarse.refined = 2;
    let found = computed(&shipped("six-link-chain"), coarse);
    let (rattle, none) = (&found.lines[0], &found.lines[1]);
    let last = rattle.cells[1].errors.as_ref().unwrap();
    assert_eq!(last[Kind::Position], found.movement[Kind::Position]);
    assert_eq!(found.standing(Kind::Position, last[Kind::Position]), Standing::Unresolved);
    assert_eq!(found.orders(rattle, Kind::Position), [None, None]);
    assert_eq!(found.fit(rattle, Kind::Position), None);
    assert!(found.fit(none, Kind::Position).is_some());
}

/// Errors as large as the motion are saturated and get no order: a double pendulum under explicit Euler soon diverges.
#[test]
fn errors_as_large_as_the_motion_are_saturated() {
    let euler =
        Method::by_key("none").unwrap().at_level(Level::Acceleration, Integrator::ExplicitEuler).unwrap();
    let plan = Plan { methods: vec![euler], ..plan(&[], &[0.02, 0.01], 4.0) };
    let found = computed(&shipped("double-pendulum"), plan);
    let line = &found.lines[0];
    let error = line.cells[0].errors.as_ref().unwrap()[Kind::Position];
    assert!(error > 0.1, "{error}");
    assert_eq!(found.standing(Kind::Position, error), Standing::Saturated);
    assert_eq!(found.fit(line, Kind::Position), None);
}

/// Computing times come from the caller's clock alone, here one that advances by a millisecond at each reading.
#[test]
fn times_are_those_of_the_given_clock() {
    let ticks = std::cell::Cell::new(0.0);
    let clock = || {
        ticks.set(ticks.get() + 1e-3);
        ticks.get()
    };
    let scene = Scene::parse(FALL).unwrap();
    let plan = plan(&["none"], &[0.1, 0.05], 1.0);
    let (expected, mut steps) = (plan.total_steps(), 0);
    let found = converge(&scene, plan, &clock, &mut || {
        steps += 1;
        true
    })
    .unwrap();
    assert_eq!(steps, expected);
    for cell in &found.lines[0].cells {
        assert!(
            (cell.step_us - 1000.0).abs() < 1e-6 && (cell.total - 1e-3 * cell.steps as f64).abs() < 1e-9
        );
    }
}

/// The failure of a method stands in its cell and leaves no order; the failure of the reference is an error.
#[test]
fn failures_stand_in_place_of_numbers() {
    let unstable = || Method::by_key("baumgarte_velocity").unwrap().with("alpha", 5000.0).unwrap();
    let scene = shipped("six-link-chain");
    let methods = Plan { methods: vec![unstable()], ..plan(&[], &[4e-3, 2e-3], 1.0) };
    let found = computed(&scene, methods.clone());
    let failure = found.lines[0].cells[0].errors.as_ref().unwrap_err();
    assert!(failure.starts_with("fails at 0.") && failure.contains("unstable"), "{failure}");
    assert_eq!(found.orders(&found.lines[0], Kind::Position), [None, None]);
    let reference = Plan { reference: unstable(), refined: 2, ..methods };
    let error = converge(&scene, reference, &|| 0.0, &mut || true).unwrap_err().to_string();
    assert!(
        error.contains("the reference, baumgarte_velocity,alpha=5000 at h = 0.001 s, fails at"),
        "{error}"
    );
}

/// Every time step divides the largest one: lists that do not are refused, ranges are rounded, and the duration is rounded to
/// a multiple of the largest.
#[test]
fn time_steps_divide_the_largest() {
    let thirds = TimeSteps::dividing(&[0.00333333, 0.01], 0.5).unwrap();
    assert_eq!((thirds.values(), thirds.is_rounded()), (&[0.01, 0.01 / 3.0][..], false));
    assert_eq!(thirds.asked(), None);
    let range = TimeSteps::near(&[0.001, 0.0017, 0.0031, 0.0056, 0.01], 0.123).unwrap();
    assert_eq!(range.values(), [0.01, 0.005, 0.01 / 3.0, 0.01 / 6.0, 0.001]);
    assert!(range.is_rounded() && (range.duration() - 0.12).abs() < 1e-12);
    assert_eq!(range.asked(), Some(0.123));
    assert_eq!(TimeSteps::halving(0.016, 1.0).unwrap().values(), [0.016, 0.008, 0.004, 0.002, 0.001]);
    let refused = |h: &[f64], duration| TimeSteps::dividing(h, duration).unwrap_err();
    assert!(
        refused(&[0.01, 0.003], 1.0).starts_with("0.003 s does not divide the largest time step, 0.01 s")
    );
    assert!(refused(&[0.01], 0.004).contains("longer than the run of 0.004 s"));
    assert!(refused(&[0.01, -1.0], 1.0).contains("greater than 0"));
    assert!(refused(&[], 1.0).contains("no time step"));
}
