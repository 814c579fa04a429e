//! Profiles, and what they drive: motors, brakes, thrusters; and fields that point to a centre.

use super::worlds::{WITHIN_A_STEP, method, run, stiffest};
use driftlab::method::{Integrator, Level, Method};
use driftlab::model::{
    AppliedForce, Axes, Body, DrivenForce, Field, Joint, ModelError, Profile, Servo, Shape, World,
};
use driftlab::step::{Workspace, step};
use glam::DVec2;
use std::f64::consts::{PI, TAU};

const POINTS: [[f64; 2]; 5] = [[0.1, 0.0], [0.7, 2.0], [1.1, -1.0], [1.8, -1.0], [2.3, 0.5]];

fn profiles() -> [Profile; 5] {
    [
        Profile::Constant(1.5),
        Profile::Ramp { from: -0.5, to: 2.0, start: 0.4, end: 1.3 },
        Profile::Sine { mean: 0.3, amplitude: 2.0, frequency: 0.7, phase: 0.4 },
        Profile::table(&POINTS, false).unwrap(),
        Profile::table(&POINTS, true).unwrap(),
    ]
}

/// Every scheme at each of its levels under each integrator.
pub fn all_methods() -> impl Iterator<Item = (String, Method)> {
    WITHIN_A_STEP.iter().flat_map(|scheme| {
        let info = scheme.info();
        let pairs = info.levels.iter().flat_map(|level| Integrator::ALL.map(|own| (*level, own)));
        let pairs =
            pairs.filter(|(level, own)| *level == Level::Acceleration || *own == Integrator::default());
        pairs.filter_map(|(level, integrator)| {
            let method = stiffest(method(info.key, &[])).at_level(level, integrator)?;
            Some((format!("{}, {level:?}, {integrator:?}", info.key), method))
        })
    })
}

fn explicit(method: &Method) -> bool {
    method.level == Level::Acceleration && method.integrator != Integrator::SemiImplicitEuler
}

/// Protects every profile: its rate and second derivative are those of central differences, and its mean over a stretch across
/// corners is that of the midpoint rule at a fine step.
#[test]
fn derivatives_and_means_are_those_of_the_function() {
    for profile in profiles() {
        for t in [-0.3, 0.25, 0.9, 1.25, 1.5, 2.1, 5.0] {
            let e = 1e-5;
            let rate = (profile.value(t + e) - profile.value(t - e)) / (2.0 * e);
            let second = (profile.rate(t + e) - profile.rate(t - e)) / (2.0 * e);
            assert!((rate - profile.rate(t)).abs() < 1e-7, "{profile:?} at {t}: {rate}");
            assert!((second - profile.second(t)).abs() < 1e-6, "{profile:?} at {t}: {second}");
        }
        for (t, h) in [(-0.5, 3.5), (0.2, 0.3), (0.65, 0.1), (3.0, 1.0)] {
            let count = 200_000;
            let sum: f64 =
                (0..count).map(|i| profile.value(t + h * (f64::from(i) + 0.5) / f64::from(count))).sum();
            let mean = profile.mean(t, h);
            assert!((sum / f64::from(count) - mean).abs() < 1e-9, "{profile:?} from {t}: {mean}");
        }
    }
}

/// Protects the table: it goes through its points, keeps its first and last value beyond them, and the spline of the points of a
/// straight line is that line; the spline of x³ − x on [−1, 1], whose bend at its ends is not zero, has at 0 the bend zero by
/// symmetry.
#[test]
fn a_table_goes_through_its_points() {
    for cubic in [false, true] {
        let table = Profile::table(&POINTS, cubic).unwrap();
        for [t, value] in POINTS {
            assert!((table.value(t) - value).abs() < 1e-14, "{t}");
        }
        assert_eq!([table.value(-9.0), table.value(9.0), table.rate(9.0)], [0.0, 0.5, 0.0]);
    }
    let line = Profile::table(&[[0.0, 1.0], [1.0, 3.0], [4.0, 9.0]], true).unwrap();
    assert!((line.value(2.5) - 6.0).abs() < 1e-14 && line.second(2.5).abs() < 1e-14);
    let odd: Vec<[f64; 2]> = (-4..=4).map(|i| f64::from(i) / 4.0).map(|x| [x, x * x * x - x]).collect();
    let odd = Profile::table(&odd, true).unwrap();
    assert!(odd.second(0.0).abs() < 1e-14 && (odd.value(0.1) + odd.value(-0.1)).abs() < 1e-15);
}

/// Protects the checks: tables that are no function of time, and ramps that end before they begin.
#[test]
fn wrong_profiles_are_refused() {
    for points in [
        &[[0.0, 1.0]][..],
        &[[0.0, 1.0], [0.0, 2.0]],
        &[[1.0, 1.0], [0.0, 2.0]],
        &[[0.0, f64::NAN], [1.0, 0.0]],
    ] {
        assert!(Profile::table(points, false).is_err(), "{points:?}");
    }
    let ramp = Profile::Ramp { from: 0.0, to: 1.0, start: 2.0, end: 1.0 };
    let driven = DrivenForce::new(AppliedForce::force([1.0, 0.0]), ramp);
    let refused = Body::dynamic().mass(1.0).driven(driven).build().unwrap_err();
    assert!(matches!(refused, ModelError::OutOfRange { quantity: "end of the ramp", .. }), "{refused}");
}

/// A crank that a strong motor turns about its centre at the speed of `profile`.
fn crank(profile: &Profile) -> World {
    let mut world = World::new([0.0, -9.81]);
    let wall = world.add_body(Body::fixed()).unwrap();
    let crank =
        world.add_body(Body::dynamic().shape(Shape::circle(0.3)).without_collisions().mass(2.0)).unwrap();
    let motor = Joint::hinge(wall, crank).at([0.0, 0.0]).motor(1.0, 1e9);
    world.add_joint(motor.motor_profiles(Some(profile.clone()), None)).unwrap();
    world
}

/// Protects a planned motor: the angle of a crank is the integral of its speed, to rounding, since a step makes the mean
/// speed; explicit integrators follow with the error of their order, of fourth for a smooth speed. `ggl`, which moves first,
/// is a step late, and `generalized_alpha` has the speed at the ends of its steps, of second order.
#[test]
fn a_crank_turns_by_the_integral_of_its_motors_speed() {
    for (name, method) in all_methods() {
        for profile in profiles() {
            let error = |h: f64| {
                let mut world = crank(&profile);
                run(&mut world, &method, h, (2.0 / h).round() as usize);
                let t = if name.starts_with("ggl") { 2.0 - h } else { 2.0 };
                (world.bodies()[1].pose.angle - t * profile.mean(0.0, t)).abs()
            };
            if !explicit(&method) {
                // The motors of `mujoco` and `sap` yield by a hundred thousandth of the first step's change.
                let most = match method.stabilizer.info().key {
                    "mujoco" | "sap" => 1e-6,
                    "generalized_alpha" => 1e-3,
                    _ => 1e-12,
                };
                assert!(error(0.01) < most, "{name}, {profile:?}: {:e}", error(0.01));
            } else if method.integrator == Integrator::Rk4 && matches!(profile, Profile::Sine { .. }) {
                // Its start at the speed of t = 0 is an error of the first step alone.
                assert!(error(0.01) < 0.02, "{name}: {:e}", error(0.01));
            }
        }
    }
}

/// Protects a brake, a motor of speed 0 whose largest torque a profile switches on: a wheel turns freely until t = 1, then loses
/// τ/I of its rate per second, and stays.
#[test]
fn a_brake_stops_a_wheel_when_it_is_switched_on() {
    for (name, method) in all_methods() {
        let mut world = World::new(DVec2::ZERO);
        let wall = world.add_body(Body::fixed()).unwrap();
        let wheel =
            Body::dynamic().shape(Shape::circle(0.3)).mass_and_inertia(2.0, 0.5).angular_velocity(4.0);
        let wheel = world.add_body(wheel.without_collisions()).unwrap();
        let switch = Profile::table(&[[1.0, 0.0], [1.0 + 1e-9, 1.0]], false).unwrap();
        let brake =
            Joint::hinge(wall, wheel).at([0.0, 0.0]).motor(0.0, 1.0).motor_profiles(None, Some(switch));
        world.add_joint(brake).unwrap();
        let mut rates = Vec::new();
        for _ in 0..400 {
            run(&mut world, &method, 0.01, 1);
            rates.push(world[wheel].velocity.angular);
        }
        assert!((rates[98] - 4.0).abs() < 1e-12, "{name}: {}", rates[98]);
        // 2 rad/s² from 1 s on, seen at the start of a step: at most one step late.
        assert!((rates[199] - 2.0).abs() < 0.021, "{name}: {}", rates[199]);
        assert!(rates[399].abs() < 1e-12, "{name}: {}", rates[399]);
    }
}

/// Protects a driven force: its impulse is ∫ F dt, so that the velocity of a free body is exact to rounding in every step, by
/// Euler's explicit method to first, by `generalized_alpha` to second and by Runge–Kutta to fourth order; its work is the kinetic
/// energy.
#[test]
fn a_driven_force_exerts_its_integral() {
    let profile = Profile::Sine { mean: 0.3, amplitude: 2.0, frequency: 0.7, phase: 0.4 };
    for (name, method) in all_methods() {
        let error = |steps: usize| {
            let mut world = World::new(DVec2::ZERO);
            let driven = DrivenForce::new(AppliedForce::force([1.0, 0.0]), profile.clone());
            world.add_body(Body::dynamic().shape(Shape::circle(0.1)).mass(3.0).driven(driven)).unwrap();
            let reports = run(&mut world, &method, 1.0 / steps as f64, steps);
            let work: f64 = reports.iter().map(|report| report.applied_work + report.work.method).sum();
            assert!((work - world.kinetic_energy()).abs() < 1e-13, "{name}: {work}");
            (world.bodies()[0].velocity.linear.x - profile.mean(0.0, 1.0) / 3.0).abs()
        };
        let [coarse, fine] = [error(50), error(100)];
        let second = name.starts_with("generalized_alpha");
        if explicit(&method) || second {
            let order = (coarse / fine).log2();
            let expected = match method.integrator {
                Integrator::Rk4 => 4.0,
                _ if second => 2.0,
                _ => 1.0,
            };
            assert!((order - expected).abs() < 0.1, "{name}: order {order:.3}");
        } else {
            assert!(coarse < 1e-14 && fine < 1e-14, "{name}: {coarse:e}");
        }
    }
}

/// Protects several forces on a body: two thrusters in the body's axes, on both sides and one after the other, push it ahead by
/// the
/// sum of their impulses and leave it turned as their moments do, here not at all in rate.
#[test]
fn two_thrusters_push_and_turn_a_body() {
    for (name, method) in all_methods() {
        let mut world = World::new(DVec2::ZERO);
        let burn = |from: f64, to: f64| {
            Profile::table(&[[from, 0.0], [from + 1e-9, 1.0], [to, 1.0], [to + 1e-9, 0.0]], false).unwrap()
        };
        let thruster = |y: f64, profile: Profile| DrivenForce {
            applied: AppliedForce {
                at: DVec2::new(0.0, y),
                axes: Axes::Body,
                ..AppliedForce::force([2.0, 0.0])
            },
            profile,
            switch: None,
        };
        let body = Body::dynamic().shape(Shape::rectangle(1.0, 0.4)).mass_and_inertia(1.0, 50.0);
        let body = body.driven(thruster(0.2, burn(0.5, 1.0))).driven(thruster(-0.2, burn(1.0, 1.5)));
        let body = world.add_body(body).unwrap();
        run(&mut world, &method, 0.01, 200);
        let (v, angle) = (world[body].velocity, world[body].pose.angle);
        // Of methods that take forces at instants only the order is promised: a corner within a step costs them a part of it.
        let instants = explicit(&method) || name.starts_with("generalized_alpha");
        let slack = if instants { 0.03 } else { 1e-4 };
        assert!((v.linear.x - 2.0).abs() < slack && v.angular.abs() < 1e-3, "{name}: {v:?}");
        // ω = −0.4/50 · ½ s for half a second on average: −0.4 N m · (½ · 0.25 + ½ · 0.25) s²/50 kg m².
        assert!((angle + 0.4 * 0.25 / 50.0).abs() < 1e-4, "{name}: {angle}");
    }
}

/// Protects Kepler's third law and the orders of the integrators: a body on the ellipse of semi-axis 1 m and eccentricity ½
/// about k = 4π² is
/// back after 1 s, with the error of Runge–Kutta of fourth and of explicit Euler of first order; the symplectic ones are of
/// second order at an apsis. Energy and momentum are accounted for.
#[test]
fn a_planet_returns_after_keplers_period() {
    let k = 4.0 * PI * PI;
    for (name, method) in all_methods() {
        let error = |steps: usize| {
            let mut world = World::new(DVec2::ZERO);
            world
                .set_fields(vec![Field {
                    center: DVec2::new(0.25, -1.0),
                    strength: k,
                    exponent: 2.0,
                    on: None,
                }])
                .unwrap();
            // At the perihelion a (1 − e), with the speed √(k/a (1 + e)/(1 − e)).
            let start = DVec2::new(0.75, -1.0);
            let planet = Body::dynamic().at(start).shape(Shape::circle(0.01)).mass(3.0);
            world.add_body(planet.velocity([0.0, (3.0 * k).sqrt()])).unwrap();
            let energy = world.kinetic_energy() + world.potential_energy();
            assert!((energy + 3.0 * k / 2.0).abs() < 1e-12 * k, "{energy}");
            let mut workspace = Workspace::default();
            for _ in 0..steps {
                step(&mut world, &method, 1.0 / steps as f64, &mut workspace).unwrap();
                let left = workspace.momentum_residuals()[0].length();
                assert!(left < 1e-12, "{name}: {left:e}");
            }
            world.bodies()[0].pose.position.distance(start)
        };
        let [coarse, fine] = [error(4000), error(8000)];
        let (order, expected) = (
            (coarse / fine).log2(),
            match method.integrator {
                Integrator::Rk4 => 4.0,
                Integrator::ExplicitEuler => 1.0,
                Integrator::SemiImplicitEuler => 2.0,
            },
        );
        assert!((order - expected).abs() < 0.15, "{name}: order {order:.3}, {coarse:e}");
    }
}

/// Protects fields that bodies carry against the problem of two bodies: with k = G M on the heavier one, of the mass M, the
/// other one, of m, goes round it on the ellipse of a fixed centre of k (1 + m/M), of semi-axis 1 m and eccentricity ½. After
/// Kepler's period both are where they began, as the integrator's order says; linear momentum, and so the common centre, stays
/// to rounding under every method, angular momentum under all that kick and drift.
#[test]
fn two_bodies_go_round_their_common_centre() {
    let (k, heavy, light) = (4.0 * PI * PI / 1.5, 6.0, 3.0);
    for (name, method) in all_methods() {
        let error = |steps: usize| {
            let mut world = World::new(DVec2::ZERO);
            let relative = (3.0 * 1.5 * k).sqrt();
            let body = |mass: f64, x: f64, speed: f64| {
                let shape = Shape::circle(0.01);
                Body::dynamic()
                    .at([x, 0.0])
                    .velocity([0.0, speed])
                    .shape(shape)
                    .mass(mass)
                    .without_collisions()
            };
            let sun = world.add_body(body(heavy, -0.5 / 3.0, -relative / 3.0)).unwrap();
            let planet = world.add_body(body(light, 1.0 / 3.0, 2.0 * relative / 3.0)).unwrap();
            let field = Field { center: DVec2::ZERO, strength: k, exponent: 2.0, on: Some(sun) };
            world.set_fields(vec![field]).unwrap();
            // −m k/2a of the field, as of a reduced mass m M/(m + M) with k (1 + m/M).
            let (energy, turning) =
                (world.kinetic_energy() + world.potential_energy(), world.angular_momentum());
            assert!((energy + light * k / 2.0).abs() < 1e-12 * k * light, "{energy}");
            assert!((turning - 2.0 * 0.5 * relative).abs() < 1e-12 * relative, "{turning}");
            let mut workspace = Workspace::default();
            for _ in 0..steps {
                step(&mut world, &method, 1.0 / steps as f64, &mut workspace).unwrap();
                let left =
                    workspace.momentum_residuals().iter().map(|own| own.length()).fold(0.0, f64::max);
                assert!(left < 1e-11, "{name}: {left:e}");
            }
            let momentum = world.linear_momentum().length();
            // Velocities of differences of positions have the rounding of those over a substep.
            let rounded = if name.starts_with("xpbd") || name.starts_with("avbd") { 1e-6 } else { 1e-10 };
            assert!(momentum < rounded, "{name}: {momentum:e} kg m/s");
            // Kicks along r and drifts along v keep Σ r × p to rounding; the mean forces of `generalized_alpha` are of several
            // poses.
            let kicks = method.integrator == Integrator::SemiImplicitEuler;
            let bound = match () {
                () if name.starts_with("generalized_alpha") => 1e-3,
                () if kicks => rounded,
                () => 0.05,
            };
            let turned = (world.angular_momentum() - turning).abs() / turning;
            assert!(turned < bound, "{name}: {turned:e}");
            world[planet].pose.position.distance([1.0 / 3.0, 0.0].into())
        };
        let [coarse, fine] = [error(4000), error(8000)];
        let expected = match method.integrator {
            Integrator::Rk4 => 4.0,
            Integrator::ExplicitEuler => 1.0,
            Integrator::SemiImplicitEuler => 2.0,
        };
        let order = (coarse / fine).log2();
        assert!((order - expected).abs() < 0.15, "{name}: order {order:.3}, {coarse:e}");
    }
}

/// Protects a field's centre beside the carrier's centre of mass: what is drawn there turns the carrier, by M⁻¹ of the force −F
/// and its moment, and both momenta of the whole are kept. A carrier takes its field with it when it is removed; a point mass
/// carries one only at its own place; and one that stands still is a centre in the world.
#[test]
fn a_field_beside_the_middle_turns_its_carrier() {
    let mut world = World::new(DVec2::ZERO);
    let carrier = world.add_body(Body::dynamic().angle(0.5).mass_and_inertia(2.0, 0.7)).unwrap();
    let other = world.add_body(Body::dynamic().at([1.0, 0.3]).mass_and_inertia(0.5, 0.1)).unwrap();
    let point = world.add_body(Body::dynamic().at([-4.0, 0.0]).mass(1.0).gravity_scale(0.0)).unwrap();
    let center = DVec2::new(0.0, 0.4);
    let field = Field { center, strength: 3.0, exponent: 1.0, on: Some(carrier) };
    world.set_fields(vec![field]).unwrap();
    let at = DVec2::from_angle(0.5).rotate(center);
    let r = DVec2::new(1.0, 0.3) - at;
    let force = -0.5 * 3.0 * r / r.length_squared();
    let before = (world.linear_momentum(), world.angular_momentum());
    let h = 1e-3;
    step(&mut world, &Method::none(), h, &mut Workspace::default()).unwrap();
    let [of_carrier, of_other] = [carrier, other].map(|id| world[id].velocity);
    assert!((of_other.linear - h * force / 0.5).length() < 1e-15, "{}", of_other.linear);
    assert!((of_carrier.linear + h * force / 2.0).length() < 1e-15, "{}", of_carrier.linear);
    assert!((of_carrier.angular + h * at.perp_dot(force) / 0.7).abs() < 1e-15, "{}", of_carrier.angular);
    assert_eq!(world[point].velocity.linear, DVec2::ZERO);
    run(&mut world, &method("rattle", &[]), h, 1000);
    assert!((world.linear_momentum() - before.0).length() < 1e-13);
    assert!((world.angular_momentum() - before.1).abs() < 1e-12, "{}", world.angular_momentum());

    let on_point = Field { on: Some(point), ..field };
    assert!(world.set_fields(vec![on_point]).is_err());
    world.set_fields(vec![Field { center: DVec2::ZERO, ..on_point }, field]).unwrap();
    let removed = world.remove_body(carrier).unwrap();
    assert_eq!((removed.fields, world.fields().len()), (vec![field], 1));
    assert!(world.set_fields(vec![field]).is_err());

    let orbit = |carried: bool| {
        let mut world = World::new(DVec2::ZERO);
        let sun = world.add_body(Body::fixed().at([0.2, -0.1])).unwrap();
        let planet =
            world.add_body(Body::dynamic().at([1.2, -0.1]).velocity([0.0, 1.0]).mass(1.0)).unwrap();
        let (center, on) = if carried { (DVec2::ZERO, Some(sun)) } else { (DVec2::new(0.2, -0.1), None) };
        world.set_fields(vec![Field { center, strength: 1.0, exponent: 2.0, on }]).unwrap();
        run(&mut world, &method("rattle", &[]), 1e-2, 300);
        world[planet].pose.position
    };
    assert!(orbit(true).distance(orbit(false)) < 1e-12);
}

/// Protects the exponents: an attraction that grows with the distance, n = −1, is a spring, of period 2π/√k wherever the body
/// starts,
/// and the potentials are the integrals of the accelerations.
#[test]
fn fields_have_the_potential_of_their_acceleration() {
    let at = DVec2::new(0.6, -0.8) * 1.7;
    for exponent in [-1.0, 0.0, 1.0, 1.5, 2.0, 3.0] {
        let field = Field { center: DVec2::new(0.1, 0.2), strength: 2.5, exponent, on: None };
        let slope =
            |along: DVec2| (field.potential(at + 1e-5 * along) - field.potential(at - 1e-5 * along)) / 2e-5;
        let gradient = DVec2::new(slope(DVec2::X), slope(DVec2::Y));
        assert!((field.acceleration(at) + gradient).length() < 1e-8, "n = {exponent}");
    }
    let mut world = World::new(DVec2::ZERO);
    world
        .set_fields(vec![Field { center: DVec2::ZERO, strength: TAU * TAU, exponent: -1.0, on: None }])
        .unwrap();
    world.add_body(Body::dynamic().at([0.3, 0.0]).shape(Shape::circle(0.01)).velocity([0.0, 1.0])).unwrap();
    run(&mut world, &method("rattle", &[]), 1e-3, 1000);
    let end = world.bodies()[0].pose.position;
    assert!(end.distance(DVec2::new(0.3, 0.0)) < 1e-4, "{end}");
}

/// A motor that holds a position of a free rotor, at a speed that a profile gives, follows ẍ = −ω² x − 2 ζ ω (ẋ − v(t)) under
/// every method: at 0.5 s it is where Runge–Kutta at a fine step is. From then on the profile of its largest torque is 0, and
/// the rotor keeps its speed.
#[test]
fn a_servo_takes_its_speed_and_bound_from_profiles() {
    let (omega, zeta, h) = (TAU, 0.5, 1e-3);
    let speed = |t: f64| 2.0 * (TAU * 0.8 * t).sin();
    let acceleration =
        |t: f64, [x, v]: [f64; 2]| [v, -omega * omega * x - 2.0 * zeta * omega * (v - speed(t))];
    let (mut state, fine) = ([0.0; 2], 1e-4);
    for n in 0..5000 {
        let t = f64::from(n) * fine;
        let ahead = |k: [f64; 2], share: f64| [0, 1].map(|i| state[i] + share * fine * k[i]);
        let k1 = acceleration(t, state);
        let k2 = acceleration(t + 0.5 * fine, ahead(k1, 0.5));
        let k3 = acceleration(t + 0.5 * fine, ahead(k2, 0.5));
        let k4 = acceleration(t + fine, ahead(k3, 1.0));
        state = [0, 1].map(|i| state[i] + fine / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
    }
    assert!(state[0] > 0.2 && state[1] > 0.2, "{state:?}");
    let sine = Profile::Sine { mean: 0.0, amplitude: 2.0, frequency: 0.8, phase: 0.0 };
    let off = Profile::table(&[[0.5005, 1.0], [0.5006, 0.0]], false).unwrap();
    for (name, method) in all_methods() {
        let mut world = World::new(DVec2::ZERO);
        let wall = world.add_body(Body::fixed()).unwrap();
        let rotor = world.add_body(Body::dynamic().shape(Shape::circle(0.1)).mass(1.0)).unwrap();
        let servo = Servo { position: 0.0, frequency: 1.0, damping_ratio: zeta };
        let hinge = Joint::hinge(wall, rotor).at([0.0, 0.0]).motor(1.0, 1e3).servo(servo);
        world.add_joint(hinge.motor_profiles(Some(sine.clone()), Some(off.clone()))).unwrap();
        run(&mut world, &method, h, 500);
        let found = [world[rotor].pose.angle, world[rotor].velocity.angular];
        assert!(
            (found[0] - state[0]).abs() < 3e-3 && (found[1] - state[1]).abs() < 1e-2,
            "{name}: {found:?}"
        );
        run(&mut world, &method, h, 2);
        let free = world[rotor].velocity.angular;
        run(&mut world, &method, h, 100);
        assert!((world[rotor].velocity.angular - free).abs() < 1e-8, "{name}");
    }
}
