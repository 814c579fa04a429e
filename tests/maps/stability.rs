//! The spectral radius ρ against the engine itself, against its closed form, and against the papers' numbers.

use crate::physics::worlds::edit;
use driftlab::experiment::stability::{Block, Linear, Model, eigenvalues};
use driftlab::method::{Integrator, Level, Method};
use driftlab::model::World;
use driftlab::scene::catalogue;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

/// Parameters with |ρ − 1| below this are not compared, since growth or decay would take too long to see.
const BAND: f64 = 0.01;
/// Initial error of the rods' lengths, m.
const VIOLATION: f64 = 1e-8;

/// Hong's double pendulum: the shipped scene, straight, at rest and without gravity, so that its linearisation is the motion
/// along the rods.
fn pendulum() -> World {
    let mut world = catalogue::find("double-pendulum").unwrap().scene().unwrap().world;
    world.set_gravity(DVec2::ZERO).unwrap();
    world
}

/// A linear congruential generator [Knuth, MMIX]; numbers in [0, 1).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn within(&mut self, [low, high]: [f64; 2]) -> f64 {
        low + (high - low) * self.next()
    }

    /// A time step between 1 ms and 0.1 s, s.
    fn time_step(&mut self) -> f64 {
        10f64.powf(self.within([-3.0, -1.0]))
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    Grows,
    Decays,
}

/// Whether a tiny violation of both rods grows or decays over the engine's steps.
fn simulated(method: &Method, h: f64) -> Fate {
    let mut world = pendulum();
    edit(&mut world, 1, |body| body.pose.position.x += VIOLATION);
    edit(&mut world, 2, |body| body.pose.position.x -= 0.7 * VIOLATION);
    let mut workspace = Workspace::default();
    for _ in 0..20_000 {
        let report = step(&mut world, method, h, &mut workspace).unwrap();
        let error = (report.joint_error + h * report.velocity_error) / VIOLATION;
        // Far enough for the transients of a non-normal matrix; far above the rounding of a length of 1 m.
        if error > 1e4 {
            return Fate::Grows;
        }
        if error < 1e-5 {
            return Fate::Decays;
        }
    }
    panic!("{method:?} at h = {h}: undecided after 20,000 steps");
}

/// Compares prediction and simulation at `count` random parameters; `draw` gives a method at a time step.
fn check(seed: u64, count: usize, mut draw: impl FnMut(&mut Random, f64) -> Method) {
    let mut random = Random(seed);
    let (mut asked, mut fates) = (0, [0, 0]);
    while asked < count {
        let h = random.time_step();
        let method = draw(&mut random, h);
        let linear = Linear::of(&pendulum(), &method).unwrap();
        let model = Model::of(&method, h).unwrap();
        let (radius, block) = (linear.spectral_radius(&model, h).unwrap(), model.block(h));
        let closed = block.spectral_radius();
        // Two equal eigenvalues are accurate to the square root of rounding.
        assert!(
            (radius - closed).abs() < 1e-6 * (1.0 + closed),
            "{method:?}, h = {h}: {radius} or {closed}"
        );
        if (radius - 1.0).abs() < BAND {
            continue;
        }
        asked += 1;
        let expected = if radius > 1.0 { Fate::Grows } else { Fate::Decays };
        assert_eq!(block.is_stable(), expected == Fate::Decays);
        assert_eq!(simulated(&method, h), expected, "{method:?} at h = {h}, ρ = {radius}");
        fates[usize::from(expected == Fate::Grows)] += 1;
    }
    println!("{count} compared, all agree: {} decay, {} grow", fates[0], fates[1]);
    assert!(fates.iter().all(|fate| *fate >= count / 10), "one-sided: {fates:?}");
}

fn acceleration(alpha: f64, beta: f64, integrator: Integrator) -> Method {
    let method = Method::by_key("baumgarte_acceleration").unwrap();
    let method = method.with("alpha", alpha).unwrap().with("beta", beta).unwrap();
    method.at_level(Level::Acceleration, integrator).unwrap()
}

/// At 200 random (α, β, h), none within 1 % of ρ = 1, the joint error of the simulated double pendulum grows or decays as the
/// spectral radius of Hong's Λ predicts.
#[test]
fn simulation_agrees_with_the_spectral_radius_at_200_random_parameters() {
    check(1, 200, |random, h| {
        let (alpha, beta) = (random.within([0.0, 1.2]) / h, random.within([0.0, 2.4]) / h);
        acceleration(alpha, beta, Integrator::SemiImplicitEuler)
    });
}

/// At 60 random (α, β, h) each, the joint error under explicit Euler, which is stable where h(α ± √(α² − β²)) lies in the unit
/// disk about 1, and under Runge–Kutta grows or decays as the spectral radius predicts.
#[test]
fn simulation_agrees_under_explicit_euler_and_runge_kutta() {
    check(2, 60, |random, h| {
        let (alpha, beta) = (random.within([0.0, 1.2]) / h, random.within([0.0, 1.6]) / h);
        acceleration(alpha, beta, Integrator::ExplicitEuler)
    });
    check(3, 60, |random, h| {
        let (alpha, beta) = (random.within([0.0, 2.0]) / h, random.within([0.0, 4.0]) / h);
        acceleration(alpha, beta, Integrator::Rk4)
    });
}

/// At 60 random (α, h) the joint error under velocity-level Baumgarte grows or decays as ρ = |1 − αh| predicts.
#[test]
fn simulation_agrees_at_the_velocity_level() {
    check(4, 60, |random, h| {
        let alpha = random.within([0.0, 4.0]) / h;
        Method::by_key("baumgarte_velocity").unwrap().with("alpha", alpha).unwrap()
    });
}

/// Under Anitescu & Hart with γ in (0, 1], ρ = 1 − γ, and the simulated joint error decays by exactly that factor.
#[test]
fn the_error_decays_by_one_minus_gamma() {
    let mut random = Random(5);
    for _ in 0..60 {
        let (h, gamma) = (random.time_step(), random.within([0.02, 1.0]));
        let method = Method::by_key("anitescu_hart").unwrap().with("gamma", gamma).unwrap();
        let model = Model::of(&method, h).unwrap();
        let linear = Linear::of(&pendulum(), &method).unwrap();
        assert!((linear.spectral_radius(&model, h).unwrap() - (1.0 - gamma)).abs() < 1e-7);
        let mut world = pendulum();
        edit(&mut world, 1, |body| body.pose.position.x += VIOLATION);
        let before = world.joint_error();
        step(&mut world, &method, h, &mut Workspace::default()).unwrap();
        assert!((world.joint_error() - (1.0 - gamma) * before).abs() < 1e-15);
    }
}

/// Hong's implicit enforcement has ρ = 0 for time steps from 1e-4 s to 100 s.
#[test]
fn implicit_enforcement_is_stable_for_every_time_step() {
    let method = Method::by_key("implicit").unwrap();
    let linear = Linear::of(&pendulum(), &method).unwrap();
    for h in [1e-4, 1e-2, 1.0, 100.0] {
        let model = Model::of(&method, h).unwrap();
        assert!(linear.spectral_radius(&model, h).unwrap() < 1e-6, "h = {h}");
    }
}

/// The eigenvalue 1 of free motion, on the null space of P, is not counted in the spectral radius of the constraint error.
#[test]
fn free_drift_does_not_count_as_instability() {
    let method = acceleration(50.0, 50.0, Integrator::SemiImplicitEuler);
    let linear = Linear::of(&pendulum(), &method).unwrap();
    let model = Model::of(&method, 0.01).unwrap();
    let whole = linear.amplification(&model, 0.01);
    assert_eq!((whole.nrows(), linear.coordinates(), linear.rank()), (12, 6, 2));
    let values = eigenvalues(&whole).unwrap();
    let free = values.iter().filter(|(re, im)| (re - 1.0).hypot(*im) < 1e-6).count();
    assert_eq!(free, 2 * (6 - 2));
    let radius = linear.spectral_radius(&model, 0.01).unwrap();
    assert!(radius < 0.9 && (radius - model.block(0.01).spectral_radius()).abs() < 1e-7);
}

/// P is a projector, P² = P, and its trace is the rank of the constraints, also with redundant rows.
#[test]
fn the_projector_projects() {
    for key in ["double-pendulum", "redundant-loop", "four-bar-loop", "slider-crank"] {
        let scene = catalogue::find(key).unwrap().scene().unwrap();
        let linear = Linear::of(&scene.world, &scene.settings.method).unwrap();
        let p = linear.projector();
        let twice = &(&p * &p) - &p;
        let largest = twice.entries().iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        assert!(largest < 1e-10, "{key}: {largest:e}");
        let trace: f64 = (0..p.nrows()).map(|i| p[(i, i)]).sum();
        assert!((trace - linear.rank() as f64).abs() < 1e-9, "{key}");
    }
    let scene = catalogue::find("redundant-loop").unwrap().scene().unwrap();
    let linear = Linear::of(&scene.world, &scene.settings.method).unwrap();
    assert!(linear.rank() < linear.rows(), "the loop's redundant rows are found");
}

/// Touching contacts are counted as equations: a box at rest has rank 2.
#[test]
fn resting_contacts_are_rows() {
    let scene = catalogue::find("box-at-rest").unwrap().scene().unwrap();
    let method = Method::by_key("anitescu_hart").unwrap();
    assert_eq!(Linear::of(&scene.world, &method).unwrap().rank(), 2);
}

/// The largest stable step of Baumgarte's forces is the root of (βh)² + 4αh = 4, on which ρ = 1, and Hong's α = β = 10
/// has h = 0.0828.
#[test]
fn the_exact_boundary_is_one_parabola() {
    let longest = |alpha: f64, beta: f64| {
        let method = Method::by_key("baumgarte_acceleration").unwrap();
        method.with("alpha", alpha).unwrap().with("beta", beta).unwrap().largest_stable_step()
    };
    // αh = 2√2 − 2 = 0.828427 [Hong et al., whose 0.83 belongs to α = β = 1].
    assert!((longest(10.0, 10.0) - 0.082842712474619).abs() < 1e-15);
    assert!((longest(1.0, 1.0) - 0.82842712474619).abs() < 1e-14);
    assert_eq!(longest(100.0, 0.0), 0.01);
    let mut random = Random(6);
    for _ in 0..1000 {
        let h = random.time_step();
        let alpha = random.within([0.0, 0.999]) / h;
        let beta = 2.0 * (1.0 - alpha * h).sqrt() / h;
        assert!((longest(alpha, beta) / h - 1.0).abs() < 1e-12);
        let radius = |factor: f64| {
            let integrator = Integrator::SemiImplicitEuler;
            Block::acceleration(alpha, factor * beta, integrator, h).spectral_radius()
        };
        assert!(radius(1.0 - 1e-6) < 1.0 && radius(1.0 + 1e-6) > 1.0, "αh = {}", alpha * h);
    }
}

/// Without stabilization the joint error stays constant at the velocity level (ρ = 1, stable), but grows linearly at the
/// acceleration level (ρ = 1 with a Jordan block, unstable).
#[test]
fn a_jordan_block_is_not_stable() {
    let h = 0.01;
    let velocity = Model::of(&Method::by_key("none").unwrap(), h).unwrap().block(h);
    let method = Method::by_key("none").unwrap();
    let method = method.at_level(Level::Acceleration, Integrator::default()).unwrap();
    let acceleration = Model::of(&method, h).unwrap().block(h);
    assert_eq!((velocity.spectral_radius(), acceleration.spectral_radius()), (1.0, 1.0));
    assert!(velocity.is_stable() && !acceleration.is_stable());
}
