//! Non-holonomic rows N(q) v = v₀(t): the motion that they allow, and the error that each scheme leaves.

use super::worlds::{WITHIN_A_STEP, bar, hinge, id, method, run, stiffest, wall};
use crate::largest;
use driftlab::method::{Integrator, Level, Method};
use driftlab::model::nonholonomic::{KnifeEdge, PrescribedVelocity, Rolling, Surface, VelocityLaw};
use driftlab::model::{ModelError, NonholonomicKind, World};
use driftlab::report::StepReport;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

pub const G: f64 = 9.81;

/// Adds the constraint to the body at `index`.
pub fn hold(world: &mut World, index: usize, kind: NonholonomicKind) {
    world.add_nonholonomic([id(world, index); 2], kind).unwrap();
}

/// Lets the body at index 1 roll on the one at index 0.
pub fn roll(world: &mut World, rolling: Rolling) {
    let bodies = [0, 1].map(|index| id(world, index));
    world.add_nonholonomic(bodies, NonholonomicKind::Rolling(rolling)).unwrap();
}

pub fn largest_error(reports: &[StepReport]) -> f64 {
    largest(reports.iter().map(|report| report.nonholonomic_error))
}

/// A skate at rest on ice that slopes with g sin θ = `slope` along x, heading downhill and turning at `rate`.
fn skate(slope: f64, rate: f64) -> World {
    let mut world = World::new(DVec2::new(slope, 0.0));
    let mut body = bar(DVec2::new(0.4, 0.06), DVec2::ZERO, 0.0);
    body.velocity.angular = rate;
    world.add_body(body).unwrap();
    let edge = KnifeEdge { anchor: DVec2::ZERO, axis: DVec2::X };
    hold(&mut world, 0, NonholonomicKind::KnifeEdge(edge));
    world
}

/// Three bars of 1 m that hang from a point with the velocity of a circle of 0.5 m at 1 rad/s.
fn three_bars() -> World {
    let mut world = World::new(DVec2::new(0.0, -G));
    for i in 0..3 {
        let mut body = bar(DVec2::new(0.1, 1.0), DVec2::new(0.5, -0.5 - f64::from(i)), 0.0);
        body.velocity.linear = DVec2::new(0.0, 0.5);
        world.add_body(body).unwrap();
    }
    for i in 1..3 {
        let joint = hinge([id(&world, i - 1), id(&world, i)], DVec2::new(0.5, -(i as f64)));
        world.add_joint(joint).unwrap();
    }
    let law = VelocityLaw::Circle { center: DVec2::ZERO, start: DVec2::new(0.5, 0.0), rate: 1.0 };
    let point = PrescribedVelocity { anchor: DVec2::new(0.0, 0.5), law };
    hold(&mut world, 0, NonholonomicKind::PrescribedVelocity(point));
    world
}

/// Hong et al.'s α = 1/(2h), β = 1/h.
fn baumgarte(h: f64, integral: f64) -> Method {
    let parameters = [("alpha", 0.5 / h), ("beta", 1.0 / h), ("integral", integral)];
    method("baumgarte_acceleration", &parameters)
}

const PRESENT: f64 = 0.0;
const LATE: f64 = 1.0;
const OFF: f64 = 2.0;

/// The largest joint and velocity errors of Hong et al.'s three bars over 50 s at Δt = 0.01 s, to five per cent of the
/// published values: implicit enforcement 5.2e-6 and 1.1e-5, Baumgarte 5.2e-6 and 2.5e-5.
#[test]
fn three_bars_have_the_published_errors() {
    let h = 0.01;
    let close = |measured: f64, published: f64| {
        assert!((measured / published - 1.0).abs() < 0.05, "{measured:.3e} instead of {published:.1e}");
    };
    let implicit = run(&mut three_bars(), &method("implicit", &[]), h, 5000);
    close(super::worlds::largest_error(&implicit), 5.2e-6);
    close(largest_error(&implicit), 1.1e-5);
    let baumgarte = run(&mut three_bars(), &baumgarte(h, PRESENT), h, 5000);
    close(super::worlds::largest_error(&baumgarte), 5.2e-6);
    close(largest_error(&baumgarte), 2.5e-5);
}

/// Joint and velocity errors are of second order in Δt under implicit enforcement and under Baumgarte's scheme, whether its
/// integral uses the present error, the previous one, or is off.
#[test]
fn three_bars_err_with_the_square_of_the_step() {
    type Scheme = fn(f64) -> Method;
    let schemes: [Scheme; 4] = [
        |_| method("implicit", &[]),
        |h| baumgarte(h, PRESENT),
        |h| baumgarte(h, LATE),
        |h| baumgarte(h, OFF),
    ];
    for scheme in schemes {
        let errors = [(0.01, 5000), (0.001, 50_000)].map(|(h, steps)| {
            let reports = run(&mut three_bars(), &scheme(h), h, steps);
            [super::worlds::largest_error(&reports), largest_error(&reports)]
        });
        for (coarse, fine) in errors[0].into_iter().zip(errors[1]) {
            let order = (coarse / fine).log10();
            assert!((order - 2.0).abs() < 0.05, "order {order} at {:?}", scheme(0.01).stabilizer);
        }
    }
}

/// "If we do not include the integral in the Baumgarte method the results are less accurate" [Hong et al., section 5].
/// With the present error in the integral, the velocity error after the start is of third order; it is smaller than with
/// the integral one step late or without it.
#[test]
fn integral_used_in_time_removes_a_smooth_error() {
    let h = 0.01;
    let after_start = |integral: f64| {
        let reports = run(&mut three_bars(), &baumgarte(h, integral), h, 5000);
        largest_error(&reports[10..])
    };
    let (present, late, off) = (after_start(PRESENT), after_start(LATE), after_start(OFF));
    assert!(present < 2e-6, "{present:.2e}");
    assert!(present < late && present < off, "{present:.2e}, {late:.2e}, {off:.2e}");
    // Third order: an eighth at half the step.
    let fine = run(&mut three_bars(), &baumgarte(h / 2.0, PRESENT), h / 2.0, 10_000);
    let ratio = present / largest_error(&fine[20..]);
    assert!((7.0..9.0).contains(&ratio), "{ratio}");
}

/// The error of a linear row, e⁺ = e − h (2α e + β² I), at α = 1/(2h), β = 1/h: it vanishes after two steps with the
/// present error in the integral, has period six undamped with the integral one step late, and vanishes after one step
/// without an integral.
#[test]
fn integral_is_dead_beat_or_marginal() {
    let h = 0.01;
    let errors = |integral: f64| -> Vec<f64> {
        let mut world = World::new(DVec2::new(0.0, -G));
        let mut body = bar(DVec2::new(1.0, 0.1), DVec2::ZERO, 0.0);
        body.velocity.linear = DVec2::new(1.0, 0.25);
        world.add_body(body).unwrap();
        let law = VelocityLaw::Constant(DVec2::new(0.0, 0.25));
        let point = PrescribedVelocity { anchor: DVec2::ZERO, law };
        hold(&mut world, 0, NonholonomicKind::PrescribedVelocity(point));
        let scheme = baumgarte(h, integral);
        let mut workspace = Workspace::default();
        let mut next = || {
            step(&mut world, &scheme, h, &mut workspace).unwrap();
            world.velocity_of(0).x
        };
        (0..60).map(|_| next()).collect()
    };
    // e₀ = 1, I₋₁ = 0: e₁ = −I₋₁/h − e₀ = −1, e₂ = −(I₀ − I₀)/h = 0.
    let present = errors(PRESENT);
    assert!((present[0] + 1.0).abs() < 1e-12);
    assert!(largest(present[1..].iter().copied()) < 1e-12);
    // e₁ = −I₋₁/h = 0, e₂ = −I₀/h = −1, e₃ = −1, 0, 1, 1, 0, −1, …
    let late = errors(LATE);
    for (n, error) in late.iter().enumerate() {
        let expected = [0.0, -1.0, -1.0, 0.0, 1.0, 1.0][n % 6];
        assert!((error - expected).abs() < 1e-9, "{error} at {n}");
    }
    // Without the integral, e₁ = e₀ − h 2α e₀ = 0.
    assert!(largest(errors(OFF)) < 1e-12);
}

/// A skate on a slope follows the cycloid x = (g sin θ/2ω²) sin² ωt, y = (g sin θ/2ω²)(ωt − ½ sin 2ωt): to second order in
/// h under RATTLE and `generalized_alpha`, to first order under every other scheme. The total energy drifts by less than 0.1 of
/// 70 J, and less as h falls.
#[test]
fn skate_draws_a_cycloid() {
    let (slope, rate, time) = (4.905, 2.0, 2.0_f64);
    let size = slope / (2.0 * rate * rate);
    let turn = rate * time;
    let expected = size * DVec2::new(turn.sin().powi(2), turn - 0.5 * (2.0 * turn).sin());
    for scheme in WITHIN_A_STEP.iter() {
        let key = scheme.info().key;
        let errors = [200_u32, 400].map(|steps| {
            let mut world = skate(slope, rate);
            let reports =
                run(&mut world, &stiffest(method(key, &[])), time / f64::from(steps), steps as usize);
            let energy = largest(reports.iter().map(StepReport::total_energy));
            let drift = energy - reports[0].total_energy();
            (world.bodies()[0].pose.position.distance(expected), drift.abs() / 70.0)
        });
        let ratio = errors[0].0 / errors[1].0;
        let second = matches!(key, "rattle" | "generalized_alpha");
        let orders = if second { 3.6..4.4 } else { 1.7..2.3 };
        assert!(orders.contains(&ratio), "{key}: ratio {ratio}, errors {errors:?}");
        assert!(errors[0].0 < if second { 1e-3 } else { 0.1 }, "{key}: {errors:?}");
        assert!(errors[0].1 < 0.1, "{key}: energy {errors:?}");
        assert!(errors[0].1 > 1.7 * errors[1].1 || errors[0].1 < 1e-3, "{key}: energy {errors:?}");
    }
}

/// At the acceleration level Runge–Kutta follows the skate's cycloid to fourth order, since k in the knife edge's row is exact.
#[test]
fn skate_keeps_the_order_of_runge_kutta() {
    let (slope, rate, time) = (4.905, 2.0, 2.0_f64);
    let size = slope / (2.0 * rate * rate);
    let expected = size * DVec2::new((2.0 * time).sin().powi(2), 2.0 * time - 0.5 * (4.0 * time).sin());
    let errors = [100_u32, 200].map(|steps| {
        let scheme =
            Method::by_key("none").unwrap().at_level(Level::Acceleration, Integrator::Rk4).unwrap();
        let mut world = skate(slope, rate);
        run(&mut world, &scheme, time / f64::from(steps), steps as usize);
        world.bodies()[0].pose.position.distance(expected)
    });
    let ratio = errors[0] / errors[1];
    assert!((13.0..20.0).contains(&ratio), "{ratio}, {errors:?}");
}

/// The error of the knife edge's row is rounding where the velocity is projected onto N(q⁺) (projection, RATTLE, soft) or
/// where the position correction does not turn the blade (XPBD), of second order in h under implicit enforcement [Hong et
/// al., eq. 31], and of first order where N is that of the step's start.
#[test]
fn blade_is_kept_to_the_order_of_the_scheme() {
    let error = |key: &str, h: f64| {
        largest_error(&run(&mut skate(4.905, 2.0), &method(key, &[]), h, (2.0 / h) as usize))
    };
    for key in ["projection", "rattle", "ggl", "soft", "xpbd"] {
        assert!(error(key, 0.01) < 1e-13, "{key}");
    }
    let orders = [("none", 1.0), ("anitescu_hart", 1.0), ("post_stabilization", 1.0), ("implicit", 2.0)];
    for (key, order) in orders.into_iter().chain([("ngs", 1.0), ("split_impulse", 1.0)]) {
        let found = (error(key, 0.01) / error(key, 0.005)).log2();
        assert!((found - order).abs() < 0.1, "{key}: order {found}");
    }
}

/// The end of a free bar with a prescribed circular velocity stays within 5 mm of its circle over 1 s and within 0.02 m/s of
/// v₀(t), and the reported error is the true one, under every scheme, and under `none` and Baumgarte with every integrator
/// of the acceleration level.
#[test]
fn driven_point_goes_round_its_circle() {
    let (radius, h) = (0.3, 1e-3);
    let mut methods: Vec<Method> =
        WITHIN_A_STEP.iter().map(|scheme| stiffest(Method::new((*scheme).into()))).collect();
    for integrator in Integrator::ALL {
        methods.push(Method::by_key("none").unwrap().at_level(Level::Acceleration, integrator).unwrap());
        let baumgarte = Method::by_key("baumgarte_acceleration").unwrap();
        methods.push(baumgarte.at_level(Level::Acceleration, integrator).unwrap());
    }
    for scheme in methods {
        let mut world = World::new(DVec2::new(0.0, -G));
        let mut body = bar(DVec2::new(0.1, 1.0), DVec2::new(radius, -0.5), 0.0);
        body.velocity.linear = DVec2::new(0.0, 2.0 * radius);
        world.add_body(body).unwrap();
        let law = VelocityLaw::Circle { center: DVec2::ZERO, start: DVec2::new(radius, 0.0), rate: 2.0 };
        let anchor = DVec2::new(0.0, 0.5);
        hold(&mut world, 0, NonholonomicKind::PrescribedVelocity(PrescribedVelocity { anchor, law }));
        let reports = run(&mut world, &scheme, h, 1000);
        let frame = world.frame(0);
        let point = frame.position + frame.rotation.apply(anchor);
        let due = radius * DVec2::from_angle(2.0 * world.time());
        let name = format!("{:?} at {:?}, {:?}", scheme.stabilizer, scheme.level, scheme.integrator);
        assert!(point.distance(due) < 5e-3, "{name}: {}", point.distance(due));
        let velocity = frame.velocity_at(frame.rotation.apply(anchor));
        let off =
            (velocity - 2.0 * radius * DVec2::from_angle(2.0 * world.time()).perp()).abs().max_element();
        let reported = reports[999].nonholonomic_error;
        assert!((off - reported).abs() < 1e-12, "{name}: {off} reported as {reported}");
        assert!(reported < 2e-2, "{name}: {reported}");
    }
}

/// The integral of the error is part of the world: a clone steps to the same bits, from fresh workspaces in mid-run.
#[test]
fn integral_is_part_of_the_state() {
    let h = 0.01;
    for integral in [PRESENT, LATE] {
        let scheme = baumgarte(h, integral);
        let mut world = three_bars();
        run(&mut world, &scheme, h, 100);
        assert!(world.nonholonomic()[0].integral.iter().all(|sum| *sum != 0.0));
        let mut copy = world.clone();
        run(&mut world, &scheme, h, 100);
        run(&mut copy, &scheme, h, 100);
        assert_eq!(world, copy);
    }
    let mut world = three_bars();
    run(&mut world, &baumgarte(h, OFF), h, 10);
    assert_eq!(world.nonholonomic()[0].integral, [0.0; 2]);
}

/// Knife edges on fixed or removed bodies or without an axis, and rolling of a body on itself or with a negative radius, are
/// refused.
#[test]
fn constraints_without_meaning_are_refused() {
    let mut world = three_bars();
    let fixed = world.add_body(wall()).unwrap();
    let removed = world.add_body(wall()).unwrap();
    world.remove_body(removed).unwrap();
    let [first, second] = [0, 1].map(|index| id(&world, index));
    let edge = |axis: DVec2| NonholonomicKind::KnifeEdge(KnifeEdge { anchor: DVec2::ZERO, axis });
    let roll =
        |radius: f64| NonholonomicKind::Rolling(Rolling { radius, surface: Surface::Straight(DVec2::Y) });
    let wrong = ModelError::WrongNumberOfBodies("knife_edge");
    assert_eq!(world.add_nonholonomic([fixed; 2], edge(DVec2::X)), Err(ModelError::NotDynamic(fixed)));
    assert_eq!(world.add_nonholonomic([removed; 2], edge(DVec2::X)), Err(ModelError::NoSuchBody(removed)));
    assert!(world.add_nonholonomic([first; 2], edge(DVec2::ZERO)).is_err());
    assert_eq!(world.add_nonholonomic([second; 2], roll(0.1)), Err(ModelError::SameBody(second)));
    assert!(world.add_nonholonomic([fixed, second], roll(-0.1)).is_err());
    assert_eq!(world.add_nonholonomic([first, second], edge(DVec2::X)), Err(wrong));
    assert_eq!(world.nonholonomic().len(), 1);
}
