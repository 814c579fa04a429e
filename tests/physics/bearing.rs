//! Ropes, soft joints and parts that break, under every scheme at every level. Expected values are those of statics, of the
//! inelastic impact, and of the damped oscillator.

use super::worlds::{WITHIN_A_STEP, stiffest};
use driftlab::method::{Integrator, Level, Method};
use driftlab::model::joint::JointSoftness;
use driftlab::model::{AppliedForce, Body, BodyId, Breaking, Joint, JointId, Softness, Spring, World};
use driftlab::report::ConstraintId;
use driftlab::step::{Workspace, step};
use glam::DVec2;
use std::f64::consts::TAU;

const G: f64 = 9.81;

/// Every scheme at every level, with every integrator.
fn methods() -> Vec<(String, Method)> {
    let mut all = Vec::new();
    for scheme in WITHIN_A_STEP.iter() {
        let (info, own) = (scheme.info(), stiffest(Method::new((*scheme).into())));
        let integrators = [Integrator::SemiImplicitEuler, Integrator::ExplicitEuler, Integrator::Rk4];
        for integrator in integrators.into_iter().filter(|_| info.levels.contains(&Level::Acceleration)) {
            let posed = own.clone().at_level(Level::Acceleration, integrator);
            all.extend(posed.map(|own| (format!("{}, {}", info.key, integrator.key()), own)));
        }
        if info.levels.contains(&Level::Velocity) {
            all.push((info.key.to_owned(), own));
        }
    }
    all
}

fn mass(world: &mut World, at: [f64; 2], mass: f64) -> BodyId {
    world.add_body(Body::dynamic().at(at).mass_and_inertia(mass, 0.25 * mass)).unwrap()
}

fn run(world: &mut World, method: &Method, h: f64, until: f64) {
    let mut workspace = Workspace::default();
    while world.time() < until - 0.5 * h {
        step(world, method, h, &mut workspace).unwrap();
    }
}

/// A bob of 2 kg falls 0.8 m, at 0.6 m beside the hook of its rope of 1 m.
fn dropped(restitution: f64) -> (World, BodyId, JointId) {
    let mut world = World::new([0.0, -G]);
    let hook = world.add_body(Body::fixed()).unwrap();
    let bob = mass(&mut world, [0.6, 0.0], 2.0);
    let rope = world.add_joint(Joint::rope(hook, bob, 1.0).restitution(restitution)).unwrap();
    (world, bob, rope)
}

/// A bob on a slack rope falls freely until the rope is taut, loses the velocity along it but for the rebound, and swings on
/// with the rest: ½ m v² (sin² + e² cos²) of the angle between rope and fall.
#[test]
fn a_rope_takes_the_impulse_along_it_and_no_more() {
    let h = 1e-3;
    for restitution in [0.0, 0.5] {
        for (name, method) in methods() {
            let (mut world, bob, _) = dropped(restitution);
            let method = method.at_step(h);
            let mut workspace = Workspace::default();
            let taut = (2.0 * 0.8 / G).sqrt();
            let mut error = 0.0_f64;
            while world.time() < taut + 0.02 {
                let free = world.time() + h < taut - 2.0 * h;
                let report = step(&mut world, &method, h, &mut workspace).unwrap();
                error = error.max(report.limit_errors.metre);
                if free {
                    assert_eq!(world[bob].velocity.linear.x, 0.0, "{name}: a slack rope exerts nothing");
                }
            }
            // v² = 2 g 0.8; the rope stands 0.6 : 0.8 to the fall.
            let fallen = 2.0 * G * 0.8;
            let left = 0.5 * 2.0 * fallen * (0.36 + restitution * restitution * 0.64) - 2.0 * G * 0.8;
            let energy = world.kinetic_energy() + world.potential_energy();
            // Of the impact's place a step is uncertain: m v g h.
            let within = 1.5 * 2.0 * fallen.sqrt() * G * h;
            assert!(
                (energy - left).abs() < within,
                "{name}, e = {restitution}: {energy} J, expected {left} J"
            );
            // The way of a step along the rope.
            assert!(error < 0.8 * fallen.sqrt() * h + 1e-4, "{name}: {error} m too long");
        }
    }
}

/// A taut rope between two free bodies changes neither momentum nor angular momentum, and leaves them at the mean of their
/// velocities along it.
#[test]
fn a_rope_between_free_bodies_keeps_their_momentum() {
    let h = 1e-3;
    for (name, method) in methods() {
        let mut world = World::new(DVec2::ZERO);
        let [a, b] = [-0.4, 0.4].map(|x| mass(&mut world, [x, 0.0], 1.0));
        world.edit_body(b, |body| body.velocity.linear = DVec2::new(2.0, 0.0)).unwrap();
        world.add_joint(Joint::rope(a, b, 1.0)).unwrap();
        run(&mut world, &method.at_step(h), h, 0.2);
        let [va, vb] = [a, b].map(|id| world[id].velocity.linear.x);
        assert!((va + vb - 2.0).abs() < 1e-12, "{name}: {}", va + vb);
        assert!(vb - va <= 1e-6, "{name}: {va} and {vb} m/s still part");
    }
}

/// Where the ends of a rope coincide its direction is undefined: nothing becomes infinite, and a bob that starts there falls
/// freely and hangs in the end.
#[test]
fn a_rope_whose_ends_coincide_is_not_singular() {
    let h = 1e-3;
    for (name, method) in methods() {
        let mut world = World::new([0.0, -G]);
        let hook = world.add_body(Body::fixed()).unwrap();
        let bob = mass(&mut world, [0.0, 0.0], 1.0);
        let rope = world.add_joint(Joint::rope(hook, bob, 0.5)).unwrap();
        let method = method.at_step(h);
        run(&mut world, &method, h, 0.2);
        let fallen = -0.5 * G * 0.2 * 0.2;
        assert!((world[bob].pose.position.y - fallen).abs() < G * 0.2 * h, "{name}");
        run(&mut world, &method, h, 2.0);
        let mut workspace = Workspace::default();
        let mut pull = 0.0;
        for _ in 0..100 {
            step(&mut world, &method, h, &mut workspace).unwrap();
            pull += -workspace.limit_force(rope).unwrap() / 100.0;
        }
        assert!((pull - G).abs() < 0.02 * G, "{name}: {pull} N");
    }
}

/// A chain of n equal links under a load that grows by 1 N a step breaks at the hinge that carries most, the uppermost one, in
/// the step in which n m g and the load pass its strength; under `generalized_alpha`, for which a force grows along a line from
/// step to step, when their mean over the step does.
#[test]
fn a_chain_breaks_where_it_carries_most() {
    let (links, h) = (5, 0.01);
    for (name, method) in methods() {
        let method = method.at_step(h);
        let mut world = World::new([0.0, -10.0]);
        let mut above = world.add_body(Body::fixed()).unwrap();
        let mut hinges = Vec::new();
        for i in 0..links {
            let at = -0.1 * i as f64;
            let link = mass(&mut world, [0.0, at - 0.05], 1.0);
            let hinge = Joint::hinge(above, link).at([0.0, at]);
            let limit = Breaking { force: Some(100.0), ..Breaking::default() };
            hinges.push(world.add_joint(hinge.breaks_at(limit)).unwrap());
            above = link;
        }
        let mut workspace = Workspace::default();
        let mut broke = None;
        let late = if name.starts_with("generalized_alpha") { 1.0 } else { 0.0 };
        for k in 0..60 {
            let load = Some(AppliedForce::force([0.0, -(k as f64) - 0.5]));
            world.edit_body(above, |body| body.applied = load).unwrap();
            let report = step(&mut world, &method, h, &mut workspace).unwrap();
            if report.broken > 0 {
                assert_eq!(
                    (report.broken, report.broke),
                    (1, Some(ConstraintId::Joint(hinges[0]))),
                    "{name}"
                );
                let force = workspace.breaks()[0].force;
                assert!((force - 100.5 - 0.5 * late).abs() < 1e-3, "{name}: {force} N");
                broke = Some(k);
                break;
            }
        }
        // 5 × 10 N of weight, and 50.5 N.
        assert_eq!(broke, Some(50 + late as usize), "{name}");
        assert!(world[hinges[0]].broken && !world[hinges[1]].broken);
        // What is broken exerts nothing: the rest is accelerated by its weight and the load alone.
        let before = world.linear_momentum();
        let report = step(&mut world, &method, h, &mut workspace).unwrap();
        let change = world.linear_momentum() - before;
        assert!((change.y + (100.5 + late) * h).abs() < 1e-9 && report.broken == 0, "{name}: {change}");
    }
}

/// The rod of a pendulum that falls from the horizontal carries m (g cos θ + v²/L) = 3 m g cos θ: it breaks where that passes its
/// strength, here 45°, and the bob flies off with the velocity that it has.
#[test]
fn a_pendulums_rod_breaks_at_its_angle() {
    let h = 1e-4;
    for (name, method) in methods() {
        let method = method.at_step(h);
        let mut world = World::new([0.0, -G]);
        let hook = world.add_body(Body::fixed()).unwrap();
        let bob = mass(&mut world, [1.0, 0.0], 2.0);
        let force = Some(3.0 * 2.0 * G * 0.5_f64.sqrt());
        let rod = Joint::distance(hook, bob).breaks_at(Breaking { force, ..Breaking::default() });
        let rod = world.add_joint(rod).unwrap();
        let mut workspace = Workspace::default();
        while !world[rod].broken && world.time() < 1.0 {
            step(&mut world, &method, h, &mut workspace).unwrap();
        }
        let at = world[bob].pose.position;
        let angle = at.x.atan2(-at.y).to_degrees();
        assert!((angle - 45.0).abs() < 0.3, "{name}: {angle}°");
        let velocity = world[bob].velocity.linear;
        step(&mut world, &method, h, &mut workspace).unwrap();
        let change = world[bob].velocity.linear - velocity;
        assert!((change - DVec2::new(0.0, -G * h)).length() < 1e-12, "{name}: {change}");
    }
}

/// A weld breaks by its moment, m g a of a cantilever, a motor alone beyond its own limit, and a spring by k s; below their
/// limits they hold.
#[test]
fn welds_motors_and_springs_break_by_their_own_reactions() {
    let h = 1e-3;
    let cantilever = |torque: f64| {
        let mut world = World::new([0.0, -10.0]);
        let wall = world.add_body(Body::fixed()).unwrap();
        let beam = mass(&mut world, [0.5, 0.0], 2.0);
        let limit = Breaking { torque: Some(torque), ..Breaking::default() };
        let weld = world.add_joint(Joint::weld(wall, beam).at([0.0, 0.0]).breaks_at(limit)).unwrap();
        (world, weld)
    };
    let driven = |motor: f64| {
        let mut world = World::new([0.0, -10.0]);
        let wall = world.add_body(Body::fixed()).unwrap();
        let bar = mass(&mut world, [0.5, 0.0], 2.0);
        let limit = Breaking { motor: Some(motor), ..Breaking::default() };
        let hinge = Joint::hinge(wall, bar).at([0.0, 0.0]).motor(0.0, 50.0).breaks_at(limit);
        let hinge = world.add_joint(hinge).unwrap();
        (world, hinge)
    };
    let hung = |force: f64| {
        let mut world = World::new(DVec2::ZERO);
        let wall = world.add_body(Body::fixed()).unwrap();
        let bob = mass(&mut world, [1.0, 0.0], 2.0);
        let limit = Breaking { force: Some(force), ..Breaking::default() };
        let spring = Spring::between(wall, bob).stiffness(20.0).rest_length(0.5).breaks_at(limit);
        let spring = world.add_spring(spring).unwrap();
        (world, spring)
    };
    for (name, method) in methods() {
        let method = method.at_step(h);
        // 10 N m, 10 N m and 20 N/m × 0.5 m. Sweeps and soft joints need some steps to carry a load.
        for (limit, breaks) in [(9.0, true), (12.0, false)] {
            let (mut world, weld) = cantilever(limit);
            run(&mut world, &method, h, 0.05);
            assert_eq!(world[weld].broken, breaks, "{name}: weld at {limit} N m");
            let (mut world, hinge) = driven(limit);
            run(&mut world, &method, h, 0.05);
            assert_eq!(
                (world[hinge].motor_broken, world[hinge].broken),
                (breaks, false),
                "{name}: {limit} N m"
            );
            let (mut world, spring) = hung(limit);
            run(&mut world, &method, h, 0.05);
            assert_eq!(world.spring(spring).unwrap().broken, breaks, "{name}: spring at {limit} N");
        }
        // A bar whose motor is broken falls: α = m g a/(I + m a²) of the hinge.
        let (mut world, hinge) = driven(5.0);
        let mut workspace = Workspace::default();
        while !world[hinge].motor_broken {
            step(&mut world, &method, h, &mut workspace).unwrap();
        }
        let bar = world.body_ids()[1];
        let before = world[bar].velocity.angular;
        let until = world.time() + 0.02;
        run(&mut world, &method, h, until);
        let change = world[bar].velocity.angular - before;
        assert!((change + 10.0 * 0.02).abs() < 2.0 * h * 10.0, "{name}: {change} rad/s");
    }
}

/// A bob on a soft rod sags by m g/k and swings about that with the frequency and the decay of Hz and ζ; neither
/// post-stabilization nor a projection takes a part of it, and it is no error of a joint.
#[test]
fn a_soft_rod_swings_with_its_frequency_and_decays_with_its_ratio() {
    let (h, zeta) = (1e-3, 0.05);
    for (name, method) in methods() {
        let method = method.at_step(h);
        let mut world = World::new([0.0, -G]);
        let hook = world.add_body(Body::fixed()).unwrap();
        let bob = mass(&mut world, [0.0, -1.0], 2.0);
        let softness = JointSoftness::of_frequency([&world[hook], &world[bob]], 1.0, zeta);
        world.add_joint(Joint::distance(hook, bob).length(1.0).soft(softness)).unwrap();
        let (sag, omega) = (2.0 * G / softness.linear.stiffness, TAU);
        let damped = omega * (1.0 - zeta * zeta).sqrt();
        let mut workspace = Workspace::default();
        let mut worst = 0.0_f64;
        while world.time() < 3.0 {
            let report = step(&mut world, &method, h, &mut workspace).unwrap();
            assert_eq!((report.joint_error, report.correction_work), (0.0, 0.0), "{name}");
            let t = world.time();
            let swing = (damped * t).cos() + zeta * omega / damped * (damped * t).sin();
            let depth = 1.0 + sag * (1.0 - (-zeta * omega * t).exp() * swing);
            worst = worst.max((world[bob].pose.position.y + depth).abs());
        }
        // ω h of the swing, the place being that of half a step later; explicit Euler gains ω² h/2 by itself.
        let bound = if name.contains("explicit") { 6.0 } else { 1.0 } * omega * h * sag;
        assert!(worst < bound, "{name}: {worst} m, bound {bound} m");
    }
}

/// A beam on a soft weld comes to rest at the angle at which the weld's moment carries its weight, k θ = m g a cos θ; a soft
/// hinge sags by m g/k in any direction; a soft rope pulls only while it is taut.
#[test]
fn soft_welds_hinges_and_ropes_carry_weights() {
    let h = 1e-3;
    let stable = |name: &str| !name.contains("explicit") && !name.contains("rk4");
    for (name, method) in methods().into_iter().filter(|(name, _)| stable(name)) {
        let method = method.at_step(h);
        let soft = |stiffness: f64, damping: f64| Softness { stiffness, damping };
        let mut world = World::new([0.0, -10.0]);
        let wall = world.add_body(Body::fixed()).unwrap();
        let beam = mass(&mut world, [1.0, 0.0], 1.0);
        let softness = JointSoftness { linear: soft(1e5, 1e3), angular: soft(200.0, 60.0) };
        world.add_joint(Joint::weld(wall, beam).at([0.0, 0.0]).soft(softness)).unwrap();
        let lamp = mass(&mut world, [5.0, 0.0], 3.0);
        let softness = JointSoftness { linear: soft(600.0, 40.0), angular: soft(0.0, 0.0) };
        world.add_joint(Joint::hinge(wall, lamp).at([5.0, 0.0]).soft(softness)).unwrap();
        let bucket = mass(&mut world, [9.0, -0.8], 3.0);
        world
            .add_joint(Joint::rope(wall, bucket, 1.0).anchors([9.0, 0.0], [9.0, -0.8]).soft(softness))
            .unwrap();
        // While the rope is slack the bucket falls freely.
        run(&mut world, &method, h, 0.1);
        assert!((world[bucket].velocity.linear.y + 10.0 * 0.1).abs() < 1e-9, "{name}");
        run(&mut world, &method, h, 6.0);
        let angle = world[beam].pose.angle;
        assert!((-200.0 * angle - 10.0 * angle.cos()).abs() < 1e-3, "{name}: {angle} rad");
        let [lamp, bucket] = [lamp, bucket].map(|id| world[id].pose.position.y);
        assert!((lamp + 30.0 / 600.0).abs() < 1e-6, "{name}: {lamp} m");
        assert!((bucket + 1.0 + 30.0 / 600.0).abs() < 1e-5, "{name}: {bucket} m");
    }
}
