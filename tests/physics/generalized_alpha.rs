//! The generalised-α method at index 3: orders, spectral radii, energy, the ripple of λ, the account of its impulses, and
//! steps that are not smooth.

use super::worlds::{GRAVITY, chain, edit, free_chain, largest_error, method, rod_pendulum, run};
use crate::largest;
use driftlab::method::Method;
use driftlab::model::joint::DistanceForm;
use driftlab::model::{Body, Damping, Joint, Shape, Spring, World};
use driftlab::step::{Workspace, step};
use glam::DVec2;

const FAMILIES: [f64; 3] = [0.0, 1.0, 2.0];

fn alpha(radius: f64, family: f64) -> Method {
    method("generalized_alpha", &[("spectral_radius", radius), ("family", family)])
}

/// Positions, velocities and λ are of second order under every ρ∞ and family [Arnold & Brüls 2007, theorem 1]: a pendulum's rod
/// from the horizontal pulls with 3 m g sin θ after a fall through θ.
#[test]
fn position_velocity_and_force_are_of_second_order() {
    let end = |method: &Method, steps: usize| {
        let mut world = rod_pendulum(DistanceForm::Length, GRAVITY);
        run(&mut world, method, 0.5 / steps as f64, steps);
        world
    };
    let exact = end(&method("rattle", &[]), 80_000);
    let pull = 3.0 * 9.81 * -exact.bodies()[1].pose.position.y;
    for (radius, family) in
        [1.0, 0.8, 0.5, 0.0].into_iter().flat_map(|own| FAMILIES.map(|family| (own, family)))
    {
        let errors = |steps: usize| {
            let world = end(&alpha(radius, family), steps);
            let [own, truth] = [&world, &exact].map(|world| &world.bodies()[1]);
            [
                (own.pose.position - truth.pose.position).length(),
                (own.velocity.linear - truth.velocity.linear).length(),
                (world.joints()[0].force[0].abs() - pull).abs(),
            ]
        };
        let [coarse, fine] = [100, 200].map(errors);
        for (what, (coarse, fine)) in ["position", "velocity", "force"].iter().zip(coarse.iter().zip(&fine))
        {
            let order = (coarse / fine).log2();
            assert!(
                (order - 2.0).abs() < 0.1,
                "ρ∞ = {radius}, {family}, {what}: order {order:.3}, {fine:e}"
            );
        }
    }
}

/// g = 0 holds to rounding at the end of every step of a falling chain, and J v = 0, which nothing demands, to second order.
#[test]
fn positions_are_held_and_velocities_follow() {
    let errors = |h: f64| {
        let reports = run(&mut chain(6, GRAVITY), &alpha(0.8, 0.0), h, (0.3 / h).round() as usize);
        [largest_error(&reports), largest(reports.iter().map(|report| report.velocity_error))]
    };
    let [coarse, fine] = [2e-3, 1e-3].map(errors);
    assert!(coarse[0] < 1e-13 && fine[0] < 1e-13, "{coarse:?}, {fine:?}");
    let order = (coarse[1] / fine[1]).log2();
    assert!(fine[1] > 1e-8 && (order - 2.0).abs() < 0.25, "order {order:.2}, {fine:?}");
}

/// A mass on a spring with any damping has the exact amplification of the method: (q, v, v̇, a) follow the 4 × 4 recursion of the
/// linear oscillator, whatever hω.
#[test]
fn a_spring_has_the_exact_amplification() {
    for (radius, family) in
        [1.0_f64, 0.7, 0.5, 0.0].into_iter().flat_map(|own| FAMILIES.map(|family| (own, family)))
    {
        for phase in [0.1, 1.0, 30.0] {
            let (k, d, h) = (phase * phase, 0.2 * phase, 1.0);
            let mut world = World::new(DVec2::ZERO);
            let wall = world.add_body(Body::fixed()).unwrap();
            // Stretched by 0.3 m, along the axis on which it stays.
            let mass = Body::dynamic().at([1e3 + 0.3, 0.0]).mass_and_inertia(1.0, 1.0).velocity([0.1, 0.0]);
            let mass = world.add_body(mass).unwrap();
            world.add_spring(Spring::between(wall, mass).stiffness(k).damping(d).rest_length(1e3)).unwrap();
            let own = radius.max(if family == 1.0 { 0.5 } else { 0.0 });
            let [am, af] = match family {
                0.0 => [(2.0 * own - 1.0) / (own + 1.0), own / (own + 1.0)],
                1.0 => [0.0, (1.0 - own) / (1.0 + own)],
                _ => [(own - 1.0) / (own + 1.0), 0.0],
            };
            let gamma = 0.5 + af - am;
            let beta = (gamma + 0.5) * (gamma + 0.5) / 4.0;
            let (mut q, mut v) = (0.3, 0.1);
            let mut rate: f64 = -k * q - d * v;
            let mut a = rate;
            for count in 0..30 {
                run(&mut world, &alpha(radius, family), h, 1);
                // a⁺ = x solves (1 − α_m) x + α_m a = (1 − α_f)(−k q⁺(x) − d v⁺(x)) + α_f v̇.
                let [q0, v0] = [q + h * v + h * h * (0.5 - beta) * a, v + h * (1.0 - gamma) * a];
                let x = ((1.0 - af) * (-k * q0 - d * v0) + af * rate - am * a)
                    / (1.0 - am + (1.0 - af) * (k * beta * h * h + d * gamma * h));
                (q, v) = (q0 + beta * h * h * x, v0 + gamma * h * x);
                (rate, a) = (-k * q - d * v, x);
                let off = [world[mass].pose.position.x - 1e3 - q, world[mass].velocity.linear.x - v];
                let name = format!("ρ∞ = {radius}, family {family}, hω = {phase}, step {count}: {off:?}");
                assert!(off[0].abs() < 1e-10 && off[1].abs() < 1e-9, "{name}");
            }
        }
    }
}

/// λ of a rod that turns without forces, after a start whose velocity does not fit: its ripple changes sign in every step and
/// falls by ρ∞, the spectral radius at infinity, which is measured; with ρ∞ = 1 it does not.
#[test]
fn the_ripple_of_lambda_decays_by_the_spectral_radius() {
    for radius in [1.0, 0.9, 0.7, 0.5] {
        let mut world = rod_pendulum(DistanceForm::Length, DVec2::ZERO);
        let alpha = alpha(radius, 0.0);
        run(&mut world, &alpha, 1e-2, 1); // at rest, λ = 0
        // A radial velocity of 1 mm/s breaks J v = 0, which the memory of the scheme does not know.
        edit(&mut world, 1, |body| body.velocity.linear = DVec2::new(1e-3, 0.0));
        let mut forces = Vec::new();
        for _ in 0..60 {
            run(&mut world, &alpha, 1e-2, 1);
            forces.push(world.joints()[0].force[0]);
        }
        assert!(forces[..20].windows(2).all(|pair| pair[0] * pair[1] < 0.0), "{radius}: {forces:?}");
        // The three roots of Chung & Hulbert's coefficients coincide at infinity: (a + b n + c n²) (−ρ∞)ⁿ, of which third
        // differences of λ/(−ρ∞)ⁿ vanish. At ρ∞ = 1 the ripple grows with n.
        let scaled: Vec<f64> =
            forces.iter().enumerate().map(|(n, force)| force / (-radius).powi(n as i32)).collect();
        for four in scaled[4..20].windows(4) {
            let third = four[0] - 3.0 * four[1] + 3.0 * four[2] - four[3];
            assert!(third.abs() < 1e-6 * largest(four.iter().copied()), "{radius}: {scaled:?}");
        }
    }
}

/// A mass on a spring keeps its energy at ρ∞ = 1, whose oscillation has modulus 1 at every hω, and loses it below, the more the
/// smaller ρ∞ is.
#[test]
fn energy_is_kept_at_one_and_lost_below() {
    let left = |radius: f64, phase: f64, steps: usize| {
        let mut world = World::new(DVec2::ZERO);
        let wall = world.add_body(Body::fixed()).unwrap();
        let mass = world.add_body(Body::dynamic().at([1.5, 0.0]).mass_and_inertia(1.0, 1.0)).unwrap();
        world.add_spring(Spring::between(wall, mass).stiffness(phase * phase).rest_length(1.0)).unwrap();
        let start = world.potential_energy();
        let reports = run(&mut world, &alpha(radius, 0.0), 1.0, steps);
        reports.iter().map(|report| report.total_energy() / start).collect::<Vec<f64>>()
    };
    let kept = left(1.0, 0.3, 10_000);
    assert!(kept.iter().all(|share| (share - 1.0).abs() < 1e-9), "{:?}", &kept[9990..]);
    let lost = [0.9, 0.5, 0.0].map(|radius| left(radius, 0.3, 1000)[999]);
    assert!(lost[0] < 1.0 - 1e-3 && lost[1] < lost[0] && lost[2] < lost[1], "{lost:?}");
}

/// Every impulse is accounted for, M (v⁺ − v) = h F + Σ Jᵀλ to rounding, with joints, a spring, a motor, damping, a field of
/// weight and contacts; free bodies keep their momentum, and a copy of the world in mid-run goes on with the same bits.
#[test]
fn impulses_account_for_the_motion_and_memory_is_part_of_the_state() {
    let mut world = free_chain(5, DVec2::ZERO);
    for index in 0..5 {
        edit(&mut world, index, |body| body.velocity.linear = DVec2::new(0.3, 0.7 * index as f64));
    }
    let momentum = world.linear_momentum();
    run(&mut world, &alpha(0.8, 0.0), 1e-3, 500);
    assert!((world.linear_momentum() - momentum).length() < 1e-12 * momentum.length());

    let mut world = chain(6, GRAVITY);
    let ids = world.body_ids().to_vec();
    world.edit_body(ids[4], |body| body.damping = Damping { linear: 0.3, ..Damping::default() }).unwrap();
    world
        .add_spring(Spring::between(ids[1], ids[5]).stiffness(50.0).damping(0.1).rest_length(0.2))
        .unwrap();
    let arm = Body::dynamic().at([0.0, -0.5]).shape(Shape::rectangle(0.2, 0.02)).without_collisions();
    let arm = world.add_body(arm).unwrap();
    world.add_joint(Joint::hinge(ids[6], arm).at([0.0, -0.4]).motor(3.0, 0.05)).unwrap();
    world.add_body(Body::fixed().at([3.0, -1.0]).shape(Shape::rectangle(1.0, 1.0))).unwrap();
    world.add_body(Body::dynamic().at([3.0, -0.3]).shape(Shape::circle(0.1))).unwrap();
    let (alpha, mut workspace) = (alpha(0.8, 0.0), Workspace::default());
    let mut copy = None;
    for count in 0..600 {
        step(&mut world, &alpha, 1e-3, &mut workspace).unwrap();
        let left = largest(workspace.momentum_residuals().into_iter().map(|own| own.length()));
        assert!(left < 1e-13, "step {count}: {left:e}");
        if count == 300 {
            copy = Some(world.clone());
        }
    }
    let mut copy = copy.unwrap();
    run(&mut copy, &alpha, 1e-3, 299);
    assert_eq!(copy, world);
}

/// A vibration loses ⅛ (α_f − α_m)(1 − α_m − α_f)² (hω)⁴ of its amplitude in a step, the real part of the principal root's
/// logarithm: its energy twice that, of every family, which the scheme's card says of 20 steps a period.
#[test]
fn a_vibration_loses_what_the_closed_form_says() {
    for (radius, family) in [0.8, 0.5].into_iter().flat_map(|own| FAMILIES.map(|family| (own, family))) {
        let own: f64 = radius;
        let [am, af] = match family {
            0.0 => [(2.0 * own - 1.0) / (own + 1.0), own / (own + 1.0)],
            1.0 => [0.0, (1.0 - own) / (1.0 + own)],
            _ => [(own - 1.0) / (own + 1.0), 0.0],
        };
        let loss = |phase: f64| 0.125 * (af - am) * (1.0 - am - af).powi(2) * phase.powi(4);
        let phase = 0.05;
        let mut world = World::new(DVec2::ZERO);
        let wall = world.add_body(Body::fixed()).unwrap();
        let mass = world.add_body(Body::dynamic().at([1.5, 0.0]).mass_and_inertia(1.0, 1.0)).unwrap();
        world.add_spring(Spring::between(wall, mass).stiffness(phase * phase).rest_length(1.0)).unwrap();
        let reports = run(&mut world, &alpha(radius, family), 1.0, 40_000);
        // Over whole periods, so that the energy's own swing cancels.
        let mean = |from: usize| {
            let all = &reports[from..from + 1257]; // ten periods of 2π/0.05 steps
            all.iter().map(|own| own.total_energy()).sum::<f64>() / 1257.0
        };
        let rate = -0.5 * (mean(38_000) / mean(1000)).ln() / 37_000.0;
        let name = format!("ρ∞ = {radius}, family {family}: {rate:e} for {:e}", loss(phase));
        assert!((rate / loss(phase) - 1.0).abs() < 0.02, "{name}");
        let told = alpha(radius, family).stabilizer.remark(1e-3).unwrap();
        let percent = format!("{:.2e} %", 2000.0 * loss(std::f64::consts::TAU / 20.0));
        assert!(told.contains(&percent), "{told}: {percent}");
    }
}

/// A stiff pendulum, a mass on a spring of hω = 10 that begins unstretched, follows the rigid one with ρ∞ < 1: the vibration
/// that the start excites, of amplitude m g/k, is gone after a tenth of a second, and the spring pulls with m (v²/L + g cos θ).
/// At ρ∞ = 1 it is kept.
#[test]
fn a_stiff_spring_becomes_a_rod() {
    let off = |radius: f64| {
        let (mut world, own, stiffness) = (World::new(GRAVITY), alpha(radius, 0.0), 1e8);
        let wall = world.add_body(Body::fixed()).unwrap();
        let at = DVec2::new(0.8, -0.6);
        let mass = world.add_body(Body::dynamic().at(at).mass_and_inertia(1.0, 1.0)).unwrap();
        world.add_spring(Spring::between(wall, mass).stiffness(stiffness).rest_length(1.0)).unwrap();
        run(&mut world, &own, 1e-3, 100);
        let mut reach = 0.0_f64;
        for _ in 0..100 {
            run(&mut world, &own, 1e-3, 1);
            let [r, v] = [world[mass].pose.position, world[mass].velocity.linear];
            let pull = stiffness * (r.length() - 1.0);
            reach = reach.max((pull - (v.length_squared() - 9.81 * r.y / r.length())).abs());
        }
        reach
    };
    let [damped, kept] = [off(0.5), off(1.0)];
    assert!(damped < 1e-2, "{damped} N");
    assert!(kept > 1.0, "{kept} N");
}

/// Where bodies touch or come to a limit the step is a projection, bit for bit, after which the forces of the next smooth one
/// begin anew: a bar that swings against its limit, rebounds, and flies has the state of `projection` after the impact's step.
#[test]
fn steps_with_an_impact_are_projections() {
    let swing = || {
        let mut world = World::new(GRAVITY);
        let wall = world.add_body(Body::fixed()).unwrap();
        let bar = Body::dynamic().at([0.5, 0.0]).shape(Shape::rectangle(1.0, 0.05)).without_collisions();
        let bar = world.add_body(bar).unwrap();
        world.add_joint(Joint::hinge(wall, bar).at([0.0, 0.0]).limits(-1.0, 2.0)).unwrap();
        (world, bar)
    };
    let (mut world, bar) = swing();
    let (own, mut workspace) = (alpha(0.8, 0.0), Workspace::default());
    let mut impacts = 0;
    for _ in 0..1500 {
        let mut projected = world.clone();
        let falls = world[bar].velocity.angular < 0.0;
        step(&mut world, &own, 1e-3, &mut workspace).unwrap();
        assert!(world[bar].pose.angle > -1.0 - 1e-9, "{}", world[bar].pose.angle);
        if falls && world[bar].velocity.angular >= 0.0 {
            impacts += 1;
            run(&mut projected, &method("projection", &[]), 1e-3, 1);
            assert_eq!(world[bar].pose, projected[bar].pose);
            assert_eq!(world[bar].velocity, projected[bar].velocity);
        }
    }
    assert!(impacts >= 1);
}

/// A box that falls is stopped at the surface of the ground and stays where it is, on a slope of less than μ.
#[test]
fn contacts_hold_what_rests() {
    let mut world = World::new(GRAVITY + DVec2::new(2.0, 0.0));
    let ground = Body::fixed().at([0.0, -0.5]).shape(Shape::rectangle(4.0, 1.0)).friction(0.5);
    world.add_body(ground).unwrap();
    let cargo = Body::dynamic().at([1.0, 0.105]).shape(Shape::rectangle(0.2, 0.2)).friction(0.5);
    let cargo = world.add_body(cargo).unwrap();
    run(&mut world, &alpha(0.8, 0.0), 1e-3, 500);
    let rested = world[cargo].pose;
    run(&mut world, &alpha(0.8, 0.0), 1e-3, 500);
    let moved = (world[cargo].pose.position - rested.position).length();
    assert!((rested.position.y - 0.1).abs() < 1e-5 && moved < 1e-12, "{rested:?}, {moved:e}");
}

/// A step in which Newton's method fails is a projection, bit for bit: ρ∞ = 1 makes the ripple of λ in a falling chain grow until
/// its joints turn too far in a step. They are closed all the same.
#[test]
fn a_step_that_does_not_converge_is_a_projection() {
    let mut world = chain(6, GRAVITY);
    let (own, mut workspace) = (alpha(1.0, 0.0), Workspace::default());
    for _ in 0..5000 {
        let mut projected = world.clone();
        let report = step(&mut world, &own, 1e-3, &mut workspace).unwrap();
        assert!(report.joint_error < 1e-12, "{:e}", report.joint_error);
        if world.remembered().is_none_or(|own| own.of_bodies.is_empty()) {
            run(&mut projected, &method("projection", &[]), 1e-3, 1);
            assert_eq!(world.bodies(), projected.bodies());
            return;
        }
    }
    panic!("no ripple grows at ρ∞ = 1");
}
