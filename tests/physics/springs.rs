//! Springs that a step resolves keep their energy, decay at their own rate where they are damped, and stay at rest where they are
//! at rest; stiffer ones are implicit. Expected values are those of the harmonic oscillator.

use super::worlds::{WITHIN_A_STEP, run, stiffest, undamped};
use crate::largest;
use driftlab::method::{Integrator, Level, Method};
use driftlab::model::{Body, Joint, Shape, Spring, World};
use driftlab::schemes::TABLE;
use driftlab::step::{Workspace, step};
use glam::DVec2;
use std::f64::consts::TAU;

/// Every scheme at every level whose own rule does not gain or lose energy: explicit Euler multiplies that of an oscillator
/// by 1 + (hω)² in each step, and Runge–Kutta by 1 − (hω)⁶/72. That of `ggl`, which moves before its forces act, varies
/// within each period (`ggl.rs`). `generalized_alpha` loses at ρ∞ < 1 (`generalized_alpha.rs`); it has ρ∞ = 1 here.
fn methods(phase: f64) -> Vec<(String, Method)> {
    let mut all = Vec::new();
    for scheme in WITHIN_A_STEP.iter().filter(|scheme| scheme.info().key != "ggl") {
        let info = scheme.info();
        let own = undamped(stiffest(Method::new((*scheme).into())));
        if info.levels.contains(&Level::Acceleration) {
            for integrator in [Integrator::SemiImplicitEuler, Integrator::Rk4] {
                let lasts = integrator != Integrator::Rk4 || phase < 0.15;
                let posed = own.clone().at_level(Level::Acceleration, integrator);
                all.extend(
                    posed.filter(|_| lasts).map(|own| (format!("{}, {}", info.key, integrator.key()), own)),
                );
            }
        }
        if info.levels.contains(&Level::Velocity) {
            all.push((info.key.to_owned(), own));
        }
    }
    assert!(all.len() > WITHIN_A_STEP.len());
    all
}

fn total(world: &World) -> f64 {
    world.kinetic_energy() + world.potential_energy()
}

/// Runs `periods` of the angular frequency `omega` at the step `h`; returns the least and the largest energy as shares
/// of the first.
fn energies(world: &World, method: &Method, [omega, h, periods]: [f64; 3]) -> [f64; 2] {
    let (mut world, mut workspace) = (world.clone(), Workspace::default());
    let method = &method.clone().at_step(h);
    let start = total(&world);
    let mut range = [1.0_f64; 2];
    for _ in 0..(periods * TAU / omega / h).ceil() as usize {
        step(&mut world, method, h, &mut workspace).unwrap();
        let share = total(&world) / start;
        range = [range[0].min(share), range[1].max(share)];
    }
    range
}

#[track_caller]
fn assert_kept(what: &str, world: &World, omega: f64, phases: &[f64]) {
    for &phase in phases {
        // Of springs that turn RATTLE's midpoint rule is explicit, and the trapezoidal one of `generalized_alpha` keeps no
        // energy.
        let turns = |name: &str| what != "one spring" && matches!(name, "rattle" | "generalized_alpha");
        for (name, method) in methods(phase).into_iter().filter(|(name, _)| !turns(name)) {
            let [least, most] = energies(world, &method, [omega, phase / omega, 100.0]);
            assert!(
                least > 0.99 && most < 1.01,
                "{what}, {name}, h ω = {phase}: {least} to {most} of the energy"
            );
        }
    }
}

fn ball(at: [f64; 2], mass: f64) -> driftlab::model::BodyBuilder {
    Body::dynamic().at(at).shape(Shape::rectangle(0.2, 0.3)).mass(mass)
}

/// A mass of 2 kg on a spring of 2 ω² N/m, pulled out by 0.2 m.
pub fn oscillator(omega: f64, zeta: f64) -> World {
    let mut world = World::new(DVec2::ZERO);
    let wall = world.add_body(Body::fixed()).unwrap();
    let mass = world.add_body(ball([1.0, 0.0], 2.0)).unwrap();
    let spring = Spring::between(wall, mass).anchors([0.0, 0.0], [1.0, 0.0]).rest_length(0.8);
    world.add_spring(spring.stiffness(2.0 * omega * omega).damping(4.0 * zeta * omega)).unwrap();
    world
}

/// An undamped oscillator keeps its energy: under every scheme a mass on a spring has at every time of 100 periods within 1 % of
/// what it had at the start, up to h ω = ½.
#[test]
fn a_mass_on_a_spring_keeps_its_energy() {
    assert_kept("one spring", &oscillator(TAU, 0.0), TAU, &[TAU / 60.0, 0.3, 0.499]);
}

/// The energy of a weight that hangs on a spring is that of spring and height together, also where it swings about the place at
/// which the spring carries it.
#[test]
fn a_hanging_weight_keeps_its_energy() {
    let mut world = oscillator(5.0, 0.0);
    world.set_gravity([3.0, 0.0]).unwrap();
    // From a zero of the energy at the place of rest.
    let (k, rest) = (50.0, 0.8 + 6.0 / 50.0);
    let zero = 0.5 * k * 0.12 * 0.12 - 6.0 * rest;
    for (name, method) in methods(0.4) {
        let (mut world, mut workspace) = (world.clone(), Workspace::default());
        let start = total(&world) - zero;
        let away = (0..16_000).map(|_| {
            step(&mut world, &method, 0.08, &mut workspace).unwrap();
            (total(&world) - zero) / start - 1.0
        });
        let away = largest(away);
        assert!(away < 0.01, "{name}: {away}");
    }
}

/// Two bodies that a spring joins off their centres keep energy and momentum while they swing, turn and fly.
#[test]
fn two_bodies_on_a_spring_keep_their_energy() {
    let mut world = World::new(DVec2::ZERO);
    let a = world.add_body(ball([0.0, 0.0], 1.0).velocity([0.0, -0.2])).unwrap();
    let b = world.add_body(ball([1.0, 0.0], 3.0).velocity([0.0, 0.1])).unwrap();
    let spring = Spring::between(a, b).anchors([0.05, 0.02], [0.95, -0.03]).rest_length(0.8);
    world.add_spring(spring.stiffness(30.0)).unwrap();
    // 1/m_e = 1/1 + 1/3 + 0.0029/I_a + 0.0034/I_b with I_a = 0.13/12 and I_b = 0.39/12 where both levers are full.
    let (full, omega) =
        (4.0 / 3.0 + 0.0348 / 0.13 + 0.0408 / 0.39, |mobility: f64| (30.0 * mobility).sqrt());
    assert_kept("two bodies", &world, omega(full), &[0.1, 0.3, 0.49]);
    // Turning levers carry h ω from 0.43 beyond ½ and back. What is not resolved loses energy, and nothing gains any.
    let beyond = 0.49 / omega(1.5);
    let resolved = |name: &str| !matches!(name, "rattle" | "generalized_alpha"); // as above
    for (name, method) in methods(0.49).into_iter().filter(|(name, _)| resolved(name)) {
        let [_, most] = energies(&world, &method, [omega(full), beyond, 100.0]);
        assert!(most < 1.01, "{name}, beyond ½: {most} of the energy");
    }
    let momentum = |world: &World| -> DVec2 {
        world.bodies().iter().map(|body| body.mass_properties().mass * body.velocity.linear).sum()
    };
    for (name, method) in methods(0.3) {
        let mut swung = world.clone();
        run(&mut swung, &method, 0.03, 500);
        assert!((momentum(&swung) - momentum(&world)).length() < 1e-13, "{name}");
    }
}

/// A torsional spring on a wheel, free or on a hinge at its centre, keeps its energy: ω² = k/I.
#[test]
fn a_balance_wheel_keeps_its_energy() {
    for hinged in [false, true] {
        let mut world = World::new(DVec2::ZERO);
        let wall = world.add_body(Body::fixed()).unwrap();
        let wheel = Body::dynamic().shape(Shape::circle(0.5)).mass_and_inertia(2.0, 0.5);
        let wheel = world.add_body(wheel.angular_velocity(3.0)).unwrap();
        if hinged {
            world.add_joint(Joint::hinge(wall, wheel).at([0.0, 0.0])).unwrap();
        }
        world.add_spring(Spring::between(wall, wheel).stiffness(8.0).rest_angle(0.5)).unwrap();
        assert_kept(if hinged { "hinged wheel" } else { "wheel" }, &world, 4.0, &[0.1, 0.49]);
    }
}

/// Springs that share a body keep their energy together: a mass between three springs, two of which are in a line (ω² =
/// 2k/m), and a chain of six.
#[test]
fn springs_that_share_bodies_keep_their_energy() {
    let mut star = World::new(DVec2::ZERO);
    let wall = star.add_body(Body::fixed()).unwrap();
    let mass = star.add_body(ball([0.1, 0.05], 1.0)).unwrap();
    for at in [[2.0, 0.0], [-2.0, 0.0], [0.0, 2.0]] {
        let spring = Spring::between(wall, mass).anchors(at, [0.1, 0.05]).stiffness(20.0);
        star.add_spring(spring.rest_length(2.0)).unwrap();
    }
    assert_kept("star", &star, 40.0_f64.sqrt(), &[0.1, 0.49]);

    let mut chain = World::new(DVec2::ZERO);
    let mut last = chain.add_body(Body::fixed()).unwrap();
    for i in 1..=6 {
        let next = chain.add_body(ball([f64::from(i), 0.0], 1.0)).unwrap();
        let spring = Spring::between(last, next).anchors([f64::from(i - 1), 0.0], [f64::from(i), 0.0]);
        chain.add_spring(spring.stiffness(25.0).rest_length(if i == 3 { 0.7 } else { 1.0 })).unwrap();
        last = next;
    }
    // The fastest mode has nearly ω² = 4k/m.
    assert_kept("chain", &chain, 10.0, &[0.1, 0.49]);
}

/// A spring on a body with a joint, whose velocity is that in the middle of the last step: the energy varies within a
/// period by up to ½ h ω of it, and has no trend: its mean over the first ten periods of a hundred is that over the
/// last ten to 1 %.
///
/// Two methods lose by their own rules. A hinge of `soft` is a damped spring itself, which gives under the reaction: at
/// four substeps and h ω = 0.1 its linear equations, in sweeps until they agree, lose 3.851 %. That falls with the cube
/// of the substep, here 1/320 of 1/ω. And a velocity level without J̇v loses ¾ · ⅜ (hωθ)² in each step as the rows of
/// the hinge turn, so that the swing is small, θ = 0.005.
#[test]
fn a_spring_on_a_jointed_body_has_no_trend_of_energy() {
    let mut world = World::new(DVec2::ZERO);
    let wall = world.add_body(Body::fixed()).unwrap();
    let bar = Body::dynamic().at([0.5, 0.0]).shape(Shape::rectangle(1.0, 0.05)).mass(3.0).build().unwrap();
    let about_the_end = bar.mass_properties().inertia + 3.0 * 0.25;
    let bar = world.add_body(bar).unwrap();
    world.add_joint(Joint::hinge(wall, bar).at([0.0, 0.0])).unwrap();
    world.add_spring(Spring::between(wall, bar).stiffness(4.0).rest_angle(0.005)).unwrap();
    let omega = (4.0 / about_the_end).sqrt();
    for phase in [0.1, 0.3, 0.45] {
        for (name, method) in methods(phase) {
            let (mut world, mut workspace, h) = (world.clone(), Workspace::default(), phase / omega);
            let fine = (160.0 * phase).ceil();
            let method = if name == "soft" { method.with("substeps", fine).unwrap() } else { method };
            let method = method.at_step(h);
            let mut mean = |periods: f64| {
                let steps = (periods * TAU / phase).round() as usize;
                let mut sum = 0.0;
                for _ in 0..steps {
                    step(&mut world, &method, h, &mut workspace).unwrap();
                    sum += total(&world);
                }
                sum / steps as f64
            };
            let [first, _, last] = [10.0, 80.0, 10.0].map(&mut mean);
            assert!((last / first - 1.0).abs() < 0.01, "{name}, h ω = {phase}: {first} J, then {last} J");
        }
    }
}

/// A damped oscillator decays as theory says: E ~ exp(−2 ζω t), the rate to 2 %, from slightly to nearly critically damped; an
/// overdamped one returns by its slower root ω (ζ − √(ζ² − 1)); and on a dashpot alone a thrown mass comes to rest after v m/d.
#[test]
fn damped_springs_decay_at_their_own_rate() {
    let omega = 4.0;
    for phase in [0.1, 0.3, 0.49] {
        let h = phase / omega;
        for (name, method) in methods(phase) {
            for zeta in [0.01, 0.1, 0.3, 0.7] {
                let mut world = oscillator(omega, zeta);
                let mut workspace = Workspace::default();
                // Whole half periods of the discrete motion are not known: take the envelope by a fit of its logarithm over many.
                let time = 4.0 / (zeta * omega).min(omega);
                let start = total(&world);
                let steps = (time / h) as usize;
                for _ in 0..steps {
                    step(&mut world, &method, h, &mut workspace).unwrap();
                }
                let rate = -(total(&world) / start).ln() / (2.0 * steps as f64 * h);
                // What is left oscillates about the envelope by the factor (1 ± ζ)/(1 ∓ ζ), of which the logarithm
                // grows 8 in the run.
                let around = ((1.0 + zeta) / (1.0_f64 - zeta)).ln() / (2.0 * time);
                let off = (rate - zeta * omega).abs();
                // RATTLE's springs have the midpoint rule, whose rate is lower by the fraction w/4, as that of the trapezoidal
                // one.
                let midpoint = matches!(name.as_str(), "rattle" | "generalized_alpha");
                let own = if midpoint { 0.25 * phase * phase * zeta * omega } else { 0.0 };
                assert!(
                    off < own + 0.02 * zeta * omega + around,
                    "{name}, h ω = {phase}, ζ = {zeta}: {rate}"
                );
            }
            let zeta = 2.0_f64;
            let slow = omega * (zeta - (zeta * zeta - 1.0).sqrt());
            let mut world = oscillator(omega, zeta);
            let elongation = |world: &World| world.bodies()[1].pose.position.x - 0.8;
            run(&mut world, &method, h, (2.0 / h) as usize);
            let (first, steps) = (elongation(&world), (2.0 / h) as usize);
            run(&mut world, &method, h, steps);
            let rate = -(elongation(&world) / first).ln() / (steps as f64 * h);
            assert!(
                (rate / slow - 1.0).abs() < 0.02,
                "{name}, h ω = {phase}, overdamped: {rate} for {slow}"
            );
        }
    }
    for (name, method) in methods(0.1) {
        for damping in [1.0, 30.0, 1000.0] {
            let mut world = oscillator(0.0, 0.0);
            let spring = world.spring_ids()[0];
            world.edit_spring(spring, |spring| spring.softness.damping = damping).unwrap();
            let mass = world.id_of(1).unwrap();
            world.edit_body(mass, |body| body.velocity.linear.x = 1.0).unwrap();
            if method.integrator == Integrator::Rk4
                && method.level == Level::Acceleration
                && damping > 100.0
            {
                continue; // beyond its stability
            }
            let end = 1.0 + 2.0 / damping;
            run(&mut world, &method, 0.02, 2000);
            let x = world.bodies()[1].pose.position.x;
            assert!((x - end).abs() < 0.02 * 1.0 / damping + 0.02, "{name}, d = {damping}: {x} for {end}");
        }
    }
}

/// What rests on springs rests: a weight at the place where its spring carries it keeps place and velocity to rounding, whatever
/// the stiffness.
#[test]
fn a_weight_at_rest_stays_at_rest() {
    for stiffness in [1.0, 100.0, 1e4, 1e8] {
        let mut world = World::new(DVec2::new(0.0, -8.0));
        let wall = world.add_body(Body::fixed()).unwrap();
        let mass = world.add_body(ball([0.0, -1.0], 2.0)).unwrap();
        let spring = Spring::between(wall, mass).anchors([0.0, 0.0], [0.0, -1.0]);
        // 16 N at rest.
        world
            .add_spring(spring.stiffness(stiffness).rest_length((1.0 - 16.0 / stiffness).max(0.0)))
            .unwrap();
        if stiffness == 1.0 {
            let id = world.spring_ids()[0];
            world.edit_spring(id, |spring| spring.softness.stiffness = 16.0).unwrap(); // rest length 0
        }
        for (name, method) in methods(0.1) {
            if method.integrator == Integrator::Rk4 && stiffness > 1e5 {
                continue; // beyond its stability
            }
            let mut world = world.clone();
            run(&mut world, &method, 0.01, 300);
            let body = &world.bodies()[1];
            let off = (body.pose.position + DVec2::Y).length();
            assert!(
                off < 1e-12 && body.velocity.linear.length() < 1e-11,
                "{name}, {stiffness} N/m: {off:e}"
            );
        }
    }
}

/// A spring that the step does not resolve stays stable at any stiffness: its energy never exceeds that of the start,
/// and from h ω = 1 on it falls by 1/(1 + (hω)²) in a step, as backward Euler's does.
#[test]
fn stiffer_springs_are_implicit_and_stable() {
    for phase in [0.6, 0.9, 1.3, 3.0, 30.0, 1e5] {
        let omega = 6.0;
        let others = ["rattle", "ggl", "soft", "xpbd", "generalized_alpha"];
        for scheme in TABLE.iter().filter(|scheme| !others.contains(&scheme.info().key)) {
            let method = Method::new((*scheme).into());
            let (mut world, mut workspace) = (oscillator(omega, 0.0), Workspace::default());
            let (start, key) = (total(&world), scheme.info().key);
            let mut most = 0.0_f64;
            for _ in 0..200 {
                step(&mut world, &method, phase / omega, &mut workspace).unwrap();
                most = most.max(total(&world));
            }
            let left = total(&world);
            assert!(most <= start * (1.0 + 1e-9), "{key}, h ω = {phase}: {most} J of {start} J");
            assert!(left < 0.5 * start, "{key}, h ω = {phase}: {left} J of {start} J");
        }
    }
}

/// A spring's impulse is in the accounts: M (v⁺ − v) = h F + Σ Jᵀλ for bodies that swing on springs alone and for those
/// that do not.
#[test]
fn impulses_of_springs_are_accounted_for() {
    let mut world = World::new(DVec2::new(0.0, -9.81));
    let wall = world.add_body(Body::fixed()).unwrap();
    let free = world.add_body(ball([1.0, 0.3], 1.0).angular_velocity(2.0)).unwrap();
    let held = world.add_body(ball([-1.0, 0.3], 1.0)).unwrap();
    world.add_joint(Joint::hinge(wall, held).at([-0.5, 0.0])).unwrap();
    for (body, at) in [(free, [0.95, 0.35]), (held, [-1.1, 0.35])] {
        let spring = Spring::between(wall, body).anchors([0.0, 1.0], at).stiffness(40.0).damping(0.3);
        world.add_spring(spring.rest_length(0.9)).unwrap();
    }
    for (name, method) in methods(0.1) {
        let (mut world, mut workspace) = (world.clone(), Workspace::default());
        for _ in 0..20 {
            step(&mut world, &method, 0.01, &mut workspace).unwrap();
            let left = largest(workspace.momentum_residuals().iter().map(|p| p.abs().max_element()));
            assert!(left < 1e-14, "{name}: {left:e}");
        }
    }
}
