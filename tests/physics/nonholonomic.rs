//! Non-holonomic rows N(q) v = v₀(t): their motion, and what each scheme leaves of the error.

use super::worlds::{bar, hinge, method, run, wall};
use driftlab::math::largest;
use driftlab::model::joint::{Distance, DistanceForm};
use driftlab::model::nonholonomic::{KnifeEdge, PrescribedVelocity, Rolling, Surface, VelocityLaw};
use driftlab::model::{
    Body, BodyKind, Joint, JointKind, MassSpec, ModelError, Nonholonomic, NonholonomicKind, Placement,
    Shape, World,
};
use driftlab::report::StepReport;
use driftlab::stabilizer::{Integrator, Level, Method, TABLE, Workspace};
use driftlab::step::step;
use glam::DVec2;

const G: f64 = 9.81;

pub fn hold(world: &mut World, kind: NonholonomicKind) {
    world.add_nonholonomic(Nonholonomic::new(kind)).unwrap();
}

pub fn largest_error(reports: &[StepReport]) -> f64 {
    largest(reports.iter().map(|report| report.nonholonomic_error))
}

/// A skate at rest on ice that slopes with g sin θ = `slope` along x, heading downhill and turning at `rate`.
fn skate(slope: f64, rate: f64) -> World {
    let mut world = World::new(DVec2::new(slope, 0.0));
    let mut body = bar(DVec2::new(0.4, 0.06), DVec2::ZERO, 0.0);
    body.velocity.angular = rate;
    world.add_body(body);
    let edge = KnifeEdge { body: 0, anchor: DVec2::ZERO, axis: DVec2::X };
    hold(&mut world, NonholonomicKind::KnifeEdge(edge));
    world
}

/// Three bars of 1 m that hang from a point with the velocity of a circle of 0.5 m at 1 rad/s.
fn three_bars() -> World {
    let mut world = World::new(DVec2::new(0.0, -G));
    for i in 0..3 {
        let mut body = bar(DVec2::new(0.1, 1.0), DVec2::new(0.5, -0.5 - f64::from(i)), 0.0);
        body.velocity.linear = DVec2::new(0.0, 0.5);
        world.add_body(body);
    }
    for i in 1..3 {
        let joint = hinge(&world, [i - 1, i], DVec2::new(0.5, -(i as f64)));
        world.add_joint(joint).unwrap();
    }
    let law = VelocityLaw::Circle { center: DVec2::ZERO, start: DVec2::new(0.5, 0.0), rate: 1.0 };
    let point = PrescribedVelocity { body: 0, anchor: DVec2::new(0.0, 0.5), law };
    hold(&mut world, NonholonomicKind::PrescribedVelocity(point));
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

fn disk(radius: f64, at: DVec2) -> Body {
    let shapes = vec![Placement::centred(Shape::Circle { radius })];
    Body::new(BodyKind::Dynamic, at, 0.0, shapes, MassSpec::default()).unwrap()
}

/// The three levels that the published experiment has at Δt = 0.01, to five per cent, over its 50 s.
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

/// Both errors fall with Δt² in both schemes: a tenth of the step, a hundredth of the error.
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

/// "If we do not include the integral in the Baumgarte method the results are less accurate" [Hong et al., section 5]:
/// and used in time, it differences the defect, so that after the start the error is of third order.
#[test]
fn integral_used_in_time_removes_a_smooth_error() {
    let h = 0.01;
    let after_start = |integral: f64| {
        let reports = run(&mut three_bars(), &baumgarte(h, integral), h, 5000);
        largest_error(&reports[10..])
    };
    let (present, late, off) = (after_start(PRESENT), after_start(LATE), after_start(OFF));
    assert!(present < 2e-6, "{present:.2e}");
    assert!(late > 10.0 * present && off > late, "{late:.2e}, {off:.2e}");
    // Third order: an eighth at half the step.
    let fine = run(&mut three_bars(), &baumgarte(h / 2.0, PRESENT), h / 2.0, 10_000);
    let ratio = present / largest_error(&fine[20..]);
    assert!((7.0..9.0).contains(&ratio), "{ratio}");
}

/// The error sequence of a linear row, e⁺ = e − h (2α e + β² I), at α = 1/(2h), β = 1/h: gone after two steps with
/// the present error in the integral; of period six, for ever, with the integral one step late.
#[test]
fn integral_is_dead_beat_or_marginal() {
    let h = 0.01;
    let errors = |integral: f64| -> Vec<f64> {
        let mut world = World::new(DVec2::new(0.0, -G));
        let mut body = bar(DVec2::new(1.0, 0.1), DVec2::ZERO, 0.0);
        body.velocity.linear = DVec2::new(1.0, 0.25);
        world.add_body(body);
        let law = VelocityLaw::Constant(DVec2::new(0.0, 0.25));
        let point = PrescribedVelocity { body: 0, anchor: DVec2::ZERO, law };
        hold(&mut world, NonholonomicKind::PrescribedVelocity(point));
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
    // Without it the first step is e₁ = e₀ − h 2α e₀ = 0.
    assert!(largest(errors(OFF)) < 1e-12);
}

/// A skate draws the cycloid x = (g sin θ/2ω²) sin² ωt, y = (g sin θ/2ω²)(ωt − ½ sin 2ωt), to first order in h under the
/// schemes of first order and to second under RATTLE, and returns to rest at its height every π/ω.
#[test]
fn skate_draws_a_cycloid() {
    let (slope, rate, time) = (4.905, 2.0, 2.0_f64);
    let size = slope / (2.0 * rate * rate);
    let turn = rate * time;
    let expected = size * DVec2::new(turn.sin().powi(2), turn - 0.5 * (2.0 * turn).sin());
    for scheme in TABLE {
        let key = scheme.info().key;
        let errors = [200_u32, 400].map(|steps| {
            let mut world = skate(slope, rate);
            let reports = run(&mut world, &method(key, &[]), time / f64::from(steps), steps as usize);
            let energy = largest(reports.iter().map(StepReport::total_energy));
            let drift = energy - reports[0].total_energy();
            (world.bodies()[0].pose.position.distance(expected), drift.abs() / 70.0)
        });
        let ratio = errors[0].0 / errors[1].0;
        let second = key == "rattle";
        let orders = if second { 3.6..4.4 } else { 1.7..2.3 };
        assert!(orders.contains(&ratio), "{key}: ratio {ratio}, errors {errors:?}");
        assert!(errors[0].0 < if second { 1e-3 } else { 0.1 }, "{key}: {errors:?}");
        assert!(errors[0].1 < 0.1, "{key}: energy {errors:?}");
        assert!(errors[0].1 > 1.7 * errors[1].1 || errors[0].1 < 1e-3, "{key}: energy {errors:?}");
    }
}

/// The acceleration-level row is exact in k and v̇₀: Runge–Kutta keeps its fourth order.
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

/// The blade itself is kept as each scheme promises: to rounding where velocities are projected onto N(q⁺), or swept with
/// it, or where (XPBD) the correction itself does not turn the blade; to second order by equation 31, to first order where N stays behind by a step.
#[test]
fn blade_is_kept_to_the_order_of_the_scheme() {
    let error = |key: &str, h: f64| {
        largest_error(&run(&mut skate(4.905, 2.0), &method(key, &[]), h, (2.0 / h) as usize))
    };
    for key in ["projection", "rattle", "soft", "xpbd"] {
        assert!(error(key, 0.01) < 1e-13, "{key}");
    }
    let orders = [("none", 1.0), ("anitescu_hart", 1.0), ("post_stabilization", 1.0), ("implicit", 2.0)];
    for (key, order) in orders.into_iter().chain([("ngs", 1.0), ("split_impulse", 1.0)]) {
        let found = (error(key, 0.01) / error(key, 0.005)).log2();
        assert!((found - order).abs() < 0.1, "{key}: order {found}");
    }
}

/// Rolling by a constraint is rolling by friction: a = ⅔ g sin θ down a frictionless incline, which the velocity level
/// meets to rounding since all forces are constant.
#[test]
fn disk_rolls_with_two_thirds_of_g_sin_theta() {
    let (angle, radius, h) = (0.3_f64, 0.25, 1e-3);
    let normal = DVec2::new(angle.sin(), angle.cos());
    let exact =
        ["none", "baumgarte_velocity", "post_stabilization", "anitescu_hart", "implicit", "projection"];
    for key in exact.into_iter().chain(["ngs", "split_impulse", "soft", "xpbd"]) {
        let mut world = World::new(DVec2::new(0.0, -G));
        let plane = vec![Placement::centred(Shape::HalfPlane { normal, offset: 0.0 })];
        world.add_body(Body::new(BodyKind::Fixed, DVec2::ZERO, 0.0, plane, MassSpec::default()).unwrap());
        world.add_body(disk(radius, radius * normal));
        let rolling = Rolling { on: 0, body: 1, radius, surface: Surface::Straight(normal) };
        hold(&mut world, NonholonomicKind::Rolling(rolling));
        let reports = run(&mut world, &method(key, &[]), h, 1000);
        let velocity = world.bodies()[1].velocity;
        let speed = velocity.linear.dot(DVec2::new(normal.y, -normal.x));
        let expected = 2.0 / 3.0 * G * angle.sin();
        assert!((speed - expected).abs() < 1e-11, "{key}: {speed} instead of {expected}");
        assert!((velocity.angular + speed / radius).abs() < 1e-11, "{key}");
        assert!(largest_error(&reports) < 1e-11, "{key}");
    }
}

/// A disk that rolls around a fixed wheel is a pendulum of mass 3/2 m: ½ (3/2) m v² + m g y is kept, and it turns by
/// (R + ρ)/ρ for each turn around the wheel.
#[test]
fn disk_rolls_around_a_wheel_as_a_heavier_pendulum() {
    let (distance, radius) = (0.75, 0.25);
    let start = 2.5_f64;
    let place = |angle: f64| distance * DVec2::new(angle.sin(), -angle.cos());
    let mut world = World::new(DVec2::new(0.0, -G));
    world.add_body(wall());
    world.add_body(disk(radius, place(start)));
    let rod = Distance { anchors: [DVec2::ZERO; 2], length: distance, form: DistanceForm::Length };
    world.add_joint(Joint::new([0, 1], JointKind::Distance(rod))).unwrap();
    let rolling = Rolling { on: 0, body: 1, radius, surface: Surface::Round(DVec2::ZERO) };
    hold(&mut world, NonholonomicKind::Rolling(rolling));
    let h = 1e-3;
    let mut workspace = Workspace::default();
    for _ in 0..2000 {
        step(&mut world, &method("rattle", &[]), h, &mut workspace).unwrap();
        let body = &world.bodies()[1];
        let (position, velocity) = (body.pose.position, body.velocity);
        let fall = place(start).y - position.y;
        assert!((0.75 * velocity.linear.length_squared() - G * fall).abs() < 1e-3, "{fall}");
    }
    let body = &world.bodies()[1];
    let around = body.pose.position.x.atan2(-body.pose.position.y) - start;
    assert!((body.pose.angle - distance / radius * around).abs() < 1e-4, "{} {around}", body.pose.angle);
    // The pendulum's own equation, φ¨ = −g/(3/2 L) sin φ, by Runge–Kutta.
    let acceleration = |angle: f64| -G / (1.5 * distance) * angle.sin();
    let (mut angle, mut rate) = (start, 0.0);
    for _ in 0..2000 {
        let k1 = (rate, acceleration(angle));
        let k2 = (rate + 0.5 * h * k1.1, acceleration(angle + 0.5 * h * k1.0));
        let k3 = (rate + 0.5 * h * k2.1, acceleration(angle + 0.5 * h * k2.0));
        let k4 = (rate + h * k3.1, acceleration(angle + h * k3.0));
        angle += h / 6.0 * (k1.0 + 2.0 * (k2.0 + k3.0) + k4.0);
        rate += h / 6.0 * (k1.1 + 2.0 * (k2.1 + k3.1) + k4.1);
    }
    assert!(body.pose.position.distance(place(angle)) < 1e-4);
}

/// A free bar whose end is driven on a circle has v = v₀(t) there after each step, and comes round the circle, under
/// every scheme, level and integrator.
#[test]
fn driven_point_goes_round_its_circle() {
    let (radius, h) = (0.3, 1e-3);
    let mut methods: Vec<Method> = TABLE.iter().map(|scheme| Method::new((*scheme).into())).collect();
    for integrator in Integrator::ALL {
        methods.push(Method::by_key("none").unwrap().at_level(Level::Acceleration, integrator).unwrap());
        let baumgarte = Method::by_key("baumgarte_acceleration").unwrap();
        methods.push(baumgarte.at_level(Level::Acceleration, integrator).unwrap());
    }
    for scheme in methods {
        let mut world = World::new(DVec2::new(0.0, -G));
        let mut body = bar(DVec2::new(0.1, 1.0), DVec2::new(radius, -0.5), 0.0);
        body.velocity.linear = DVec2::new(0.0, 2.0 * radius);
        world.add_body(body);
        let law = VelocityLaw::Circle { center: DVec2::ZERO, start: DVec2::new(radius, 0.0), rate: 2.0 };
        let anchor = DVec2::new(0.0, 0.5);
        hold(&mut world, NonholonomicKind::PrescribedVelocity(PrescribedVelocity { body: 0, anchor, law }));
        let reports = run(&mut world, &scheme, h, 1000);
        let frame = world.frame(0);
        let point = frame.position + frame.rotation.apply(anchor);
        let due = radius * DVec2::from_angle(2.0 * world.time);
        let name = format!("{:?} at {:?}, {:?}", scheme.stabilizer, scheme.level, scheme.integrator);
        assert!(point.distance(due) < 5e-3, "{name}: {}", point.distance(due));
        let velocity = frame.velocity_at(frame.rotation.apply(anchor));
        let off =
            (velocity - 2.0 * radius * DVec2::from_angle(2.0 * world.time).perp()).abs().max_element();
        let reported = reports[999].nonholonomic_error;
        assert!((off - reported).abs() < 1e-12, "{name}: {off} reported as {reported}");
        assert!(reported < 2e-2, "{name}: {reported}");
    }
}

/// A clone, and a fresh workspace in mid-run, step on to the same bits: the integral is in the world.
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

/// What cannot be held is refused with a reason.
#[test]
fn constraints_without_meaning_are_refused() {
    let mut world = three_bars();
    let fixed = world.add_body(wall());
    let edge = |body: usize, axis: DVec2| {
        Nonholonomic::new(NonholonomicKind::KnifeEdge(KnifeEdge { body, anchor: DVec2::ZERO, axis }))
    };
    let roll = |on: usize, body: usize, radius: f64| {
        let surface = Surface::Straight(DVec2::Y);
        Nonholonomic::new(NonholonomicKind::Rolling(Rolling { on, body, radius, surface }))
    };
    assert_eq!(world.add_nonholonomic(edge(fixed, DVec2::X)), Err(ModelError::NotDynamic(fixed)));
    assert_eq!(
        world.add_nonholonomic(edge(9, DVec2::X)),
        Err(ModelError::NoSuchBody { index: 9, bodies: 4 })
    );
    assert!(world.add_nonholonomic(edge(0, DVec2::ZERO)).is_err());
    assert_eq!(world.add_nonholonomic(roll(1, 1, 0.1)), Err(ModelError::SameBody(1)));
    assert!(world.add_nonholonomic(roll(fixed, 1, -0.1)).is_err());
    assert_eq!(world.nonholonomic().len(), 1);
}
