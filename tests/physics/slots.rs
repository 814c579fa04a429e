//! Pins in slots, wheels, motors that hold positions, and friction in joints: their laws, under every scheme. Expected values are
//! those of statics, the harmonic oscillator and Coulomb's law.

use super::worlds::{WITHIN_A_STEP, point_mass, stiffest, wall};
use driftlab::method::{Level, Method};
use driftlab::model::joint::PoseMotor;
use driftlab::model::{Body, Joint, JointBuilder, JointKind, ModelError, Servo, Shape, Softness, World};
use driftlab::step::{Workspace, step};
use glam::DVec2;
use std::f64::consts::TAU;

/// Every scheme at every level that it has.
fn methods() -> impl Iterator<Item = (String, Method)> {
    let levels = |own: &'static driftlab::method::Scheme| {
        [Level::Velocity, Level::Acceleration].into_iter().filter_map(move |level| {
            let method = stiffest(Method::new(own.into()));
            let name = format!("{} {level:?}", own.info().key);
            let has = own.info().levels.contains(&level);
            has.then_some((name, Method { level, ..method }))
        })
    };
    WITHIN_A_STEP.iter().copied().flat_map(levels)
}

fn run(world: &mut World, method: &Method, h: f64, steps: usize) {
    let mut workspace = Workspace::default();
    for _ in 0..steps {
        step(world, method, h, &mut workspace).unwrap();
    }
}

/// A carrier that stands still at the origin and a body of 2 kg at `at` on it.
fn carried(at: DVec2, gravity: f64) -> (World, [driftlab::model::BodyId; 2]) {
    let mut world = World::new([0.0, -gravity]);
    let carrier = world.add_body(wall()).unwrap();
    let body = Body::dynamic().at(at).mass_and_inertia(2.0, 0.1);
    let body = world.add_body(body).unwrap();
    (world, [carrier, body])
}

/// A wheel of 2 kg on a spring of 4000 N/m sinks by m g/k = 5 mm under every scheme, and rests there.
#[test]
fn a_wheel_sinks_by_its_load_over_its_stiffness() {
    for (name, method) in methods() {
        let (mut world, [carrier, wheel]) = carried(DVec2::ZERO, 10.0);
        world.add_joint(Joint::wheel(carrier, wheel, [0.0, 1.0], 4000.0, 100.0)).unwrap();
        run(&mut world, &method, 1e-3, 3000);
        let y = world[wheel].pose.position.y;
        assert!((y + 0.005).abs() < 1e-10, "{name}: {y}");
    }
}

/// A wheel of given frequency f and damping ratio ζ swings as a e^(−ζωt) (cos ω_d t + ζω/ω_d sin ω_d t), with k = m ω² and c = 2
/// ζ m ω: its error is that of the step, whose frequency is low by w/12 and whose velocity is half a step old.
#[test]
fn a_wheel_swings_with_its_frequency_and_damping() {
    let (ratio, omega, a, h) = (0.1_f64, TAU * 2.0, 0.1, 1e-3);
    for (name, method) in methods() {
        let (mut world, [carrier, wheel]) = carried(DVec2::new(0.0, a), 0.0);
        let Softness { stiffness, damping } = Softness::of(2.0, 2.0, ratio);
        let joint = Joint::wheel(carrier, wheel, [0.0, 1.0], stiffness, damping);
        world.add_joint(joint.anchors_in_bodies(DVec2::ZERO, DVec2::ZERO)).unwrap();
        let damped = omega * (1.0 - ratio * ratio).sqrt();
        let (mut workspace, mut worst) = (Workspace::default(), 0.0_f64);
        for i in 1..=1000 {
            step(&mut world, &method, h, &mut workspace).unwrap();
            let t = h * f64::from(i);
            let swing = (damped * t).cos() + ratio * omega / damped * (damped * t).sin();
            let expected = a * (-ratio * omega * t).exp() * swing;
            worst = worst.max((world[wheel].pose.position.y - expected).abs());
        }
        // Half a step of the largest speed, a ω.
        assert!(worst < 0.51 * h * a * omega, "{name}: {worst}");
    }
}

/// The motor of a wheel drives its angle: a car of mass m on wheels of mass m_w and moment I accelerates by τ/r over m + Σ (m_w +
/// I/r²) as long as that is less than what friction transmits, and slips on μ times the load of the driven wheel beyond it.
#[test]
fn a_car_accelerates_by_torque_over_radius_up_to_friction() {
    let (radius, mass, wheel_mass, inertia, g) = (0.5, 100.0, 10.0, 1.25, 10.0);
    let car = |torque: f64, friction: f64| {
        let mut world = World::new([0.0, -g]);
        let ground = Shape::HalfPlane { normal: DVec2::Y, offset: 0.0 };
        world.add_body(Body::fixed().shape(ground).friction(friction)).unwrap();
        let chassis = world.add_body(Body::dynamic().at([0.0, 1.0]).mass_and_inertia(mass, 1e6)).unwrap();
        for x in [-1.0, 1.0] {
            let disk = Body::dynamic().at([x, radius]).shape(Shape::circle(radius)).friction(friction);
            let wheel = world.add_body(disk.mass_and_inertia(wheel_mass, inertia)).unwrap();
            let sag = 0.5 * mass * g / 50_000.0;
            let joint = Joint::wheel(chassis, wheel, [0.0, 1.0], 50_000.0, 2000.0);
            let joint = joint.anchors([x, radius - sag], [x, radius]);
            let joint = if x < 0.0 { joint.motor(-1e6, torque) } else { joint };
            world.add_joint(joint).unwrap();
        }
        run(&mut world, &Method::anitescu_hart(), 1e-3, 1000);
        world[chassis].velocity.linear.x
    };
    let rolling = |torque: f64| torque / radius / (mass + 2.0 * (wheel_mass + inertia / (radius * radius)));
    let own = car(40.0, 1.0);
    assert!((own / rolling(40.0) - 1.0).abs() < 2e-3, "{own} against {}", rolling(40.0));
    // With μ = 0.2 the driven wheel transmits at most μ N, N = (½ m + m_w) g, and slips; the front one rolls along.
    let slipping =
        0.2 * (0.5 * mass + wheel_mass) * g / (mass + 2.0 * wheel_mass + inertia / (radius * radius));
    let own = car(400.0, 0.2);
    assert!((own / slipping - 1.0).abs() < 0.02, "{own} against {slipping}");
}

/// A pin in a slot moves along it without friction and turns freely: on a slot at 30° a body slides down by ½ g sin 30° t² while
/// its spin stays, and its point does not leave the axis.
#[test]
fn a_pin_slides_along_its_slot_and_turns_freely() {
    let axis = DVec2::new(0.75_f64.sqrt(), -0.5);
    for (name, method) in methods() {
        let (mut world, [carrier, pin]) = carried(DVec2::ZERO, 10.0);
        world.edit_body(pin, |body| body.velocity.angular = 3.0).unwrap();
        world.add_joint(Joint::slot(carrier, pin, axis)).unwrap();
        run(&mut world, &method, 1e-3, 500);
        let body = &world[pin];
        assert!((body.velocity.linear.dot(axis) - 2.5).abs() < 1e-9, "{name}");
        assert!((body.velocity.angular - 3.0).abs() < 1e-12, "{name}");
        // The joints of `soft` and `mujoco` are springs.
        let bound = if name.starts_with("soft") || name.starts_with("mujoco") { 1e-4 } else { 1e-9 };
        assert!(axis.perp_dot(body.pose.position).abs() < bound, "{name}");
    }
}

/// Limits bound the way of a pin along its slot, and a motor drives it along.
#[test]
fn a_slot_has_limits_and_a_motor_along_its_axis() {
    let (mut world, [carrier, pin]) = carried(DVec2::ZERO, 0.0);
    let slot = Joint::slot(carrier, pin, [1.0, 0.0]).limits(-1.0, 0.25).motor(0.5, 100.0);
    world.add_joint(slot).unwrap();
    run(&mut world, &Method::projection(), 1e-2, 30);
    assert!((world[pin].pose.position.x - 0.15).abs() < 1e-12);
    run(&mut world, &Method::projection(), 1e-2, 100);
    assert!((world[pin].pose.position.x - 0.25).abs() < 1e-9);
}

/// A bar of 1 kg and 1 m that hangs on a hinge at its end, as it is added.
fn bar_on(joint: impl FnOnce(JointBuilder) -> JointBuilder) -> (World, driftlab::model::BodyId) {
    let mut world = World::new([0.0, -10.0]);
    let wall = world.add_body(wall()).unwrap();
    let body = Body::dynamic().at([0.5, 0.0]).mass_and_inertia(1.0, 1.0 / 12.0);
    let bar = world.add_body(body).unwrap();
    world.add_joint(joint(Joint::hinge(wall, bar).at([0.0, 0.0]))).unwrap();
    (world, bar)
}

/// A motor that holds a position acts as a spring of k = I ω² with I = m l²/3 about the hinge: under its weight a level bar comes
/// to rest at k θ = −½ m g l cos θ, under every scheme.
#[test]
fn a_servo_holds_a_load_with_the_error_of_its_stiffness() {
    let k = (TAU * 3.0).powi(2) / 3.0;
    let mut expected = 0.0_f64;
    (0..60).for_each(|_| expected = -5.0 * expected.cos() / k);
    for (name, method) in methods() {
        let servo = Servo { position: 0.0, frequency: 3.0, damping_ratio: 1.0 };
        let (mut world, bar) = bar_on(|joint| joint.motor(0.0, 100.0).servo(servo));
        run(&mut world, &method, 1e-3, 3000);
        let angle = world[bar].pose.angle;
        assert!((angle - expected).abs() < 1e-8, "{name}: {angle} against {expected}");
    }
}

/// A motor that holds a position moves a free rotor there as x (1 − e^(−ωt) (1 + ωt)), critically damped, and pushes with no
/// more than its largest torque: with too little of it the bar falls.
#[test]
fn a_servo_moves_as_an_oscillator_within_its_torque() {
    let mut world = World::new(DVec2::ZERO);
    let wall = world.add_body(wall()).unwrap();
    let rotor = world.add_body(point_mass(DVec2::ZERO)).unwrap();
    let servo = Servo { position: 1.0, frequency: 1.0, damping_ratio: 1.0 };
    world.add_joint(Joint::hinge(wall, rotor).motor(0.0, 1e3).servo(servo)).unwrap();
    run(&mut world, &Method::projection(), 1e-4, 5000);
    let phase = TAU * 0.5;
    let expected = 1.0 - (-phase).exp() * (1.0 + phase);
    assert!((world[rotor].pose.angle - expected).abs() < 3e-4, "{}", world[rotor].pose.angle);

    let weak = |most: f64| {
        let servo = Servo { position: 0.0, frequency: 20.0, damping_ratio: 1.0 };
        let (mut world, bar) = bar_on(|joint| joint.motor(0.0, most).servo(servo));
        run(&mut world, &Method::projection(), 1e-3, 200);
        world[bar].pose.angle
    };
    assert!(weak(5.1) > -0.01 && weak(3.0) < -0.1);
}

/// Friction of a hinge holds a bar whose weight has the moment ½ m g l = 5 N m up to that value; beyond it the bar begins to turn
/// with (5 − τ)/I, I = m l²/3. The friction's work is what the energy lacks.
#[test]
fn friction_of_a_joint_holds_or_slows() {
    for (name, method) in methods() {
        let (mut held, bar) = bar_on(|joint| joint.friction(6.0));
        run(&mut held, &method, 1e-3, 100);
        // The joints of `soft` give way by 1e-4.
        assert!(held[bar].pose.angle.abs() < 3e-4, "{name}: {}", held[bar].pose.angle);
        let (mut turning, bar) = bar_on(|joint| joint.friction(4.0));
        run(&mut turning, &method, 1e-3, 100);
        let rate = turning[bar].velocity.angular;
        assert!((rate + 0.3).abs() < 6e-3, "{name}: {rate}");
    }
    let (mut world, bar) = bar_on(|joint| joint.friction(4.0));
    let (mut workspace, mut work) = (Workspace::default(), 0.0);
    for _ in 0..300 {
        work += step(&mut world, &Method::projection(), 1e-3, &mut workspace).unwrap().work.friction;
    }
    // Work is counted with the mean of the velocities before and after a step, half a step behind the way.
    let behind = 4.0 * 0.5e-3 * world[bar].velocity.angular.abs();
    assert!((work + 4.0 * world[bar].pose.angle.abs()).abs() < 1.01 * behind, "{work}");
}

/// A position is held by a motor alone, and numbers without meaning are refused.
#[test]
fn what_has_no_meaning_is_refused() {
    let (mut world, [carrier, pin]) = carried(DVec2::ZERO, 0.0);
    let servo = Servo { position: 0.0, frequency: 1.0, damping_ratio: 1.0 };
    let hinge = || Joint::hinge(carrier, pin);
    assert!(world.add_joint(hinge().servo(servo)).is_err());
    assert!(world.add_joint(hinge().motor(0.0, 1.0).servo(Servo { frequency: 0.0, ..servo })).is_err());
    assert!(world.add_joint(hinge().friction(-1.0)).is_err());
    assert!(world.add_joint(Joint::wheel(carrier, pin, [0.0, 1.0], -1.0, 0.0)).is_err());
    let weld = world.add_joint(Joint::weld(carrier, pin).friction(1.0));
    assert_eq!(weld, Err(ModelError::NoFreeCoordinate("weld")));
    assert!(world.joints().is_empty());
}

/// A motor joint brings one of two free bodies to its pose relative to the other one, and since its forces are inner ones neither
/// linear nor angular momentum changes, under every scheme.
#[test]
fn a_motor_joint_reaches_its_pose_and_keeps_momentum() {
    for (name, method) in methods() {
        let mut world = World::new(DVec2::ZERO);
        let a = world.add_body(Body::dynamic().mass_and_inertia(2.0, 0.5)).unwrap();
        let b = world.add_body(Body::dynamic().at([1.0, 0.0]).mass_and_inertia(1.0, 0.1)).unwrap();
        let anchors = [DVec2::new(0.2, 0.1), DVec2::new(-0.1, 0.0)];
        let (offset, angle) = (DVec2::new(0.5, 0.4), 0.7);
        let mover = PoseMotor { anchors, offset, angle, frequency: 3.0, ..PoseMotor::default() };
        world.add_joint(Joint::between([a, b], JointKind::PoseMotor(mover))).unwrap();
        run(&mut world, &method, 1e-3, 3000);
        let frames = [0, 1].map(|index| world.frame(index));
        let [from, to] = [0, 1].map(|i| frames[i].position + frames[i].rotation.apply(anchors[i]));
        let place = frames[0].rotation.inverse_apply(to - from);
        assert!((place - offset).length() < 1e-8, "{name}: {place}");
        assert!((frames[1].angle - frames[0].angle - angle).abs() < 1e-8, "{name}");
        assert!(world.linear_momentum().length() < 1e-12, "{name}: {}", world.linear_momentum());
        // `xpbd` turns about the poses within its substeps, as its positions do; the filtered forces of `generalized_alpha` act
        // along the lines of several steps, which is an error of second order.
        let bound = match () {
            () if name.starts_with("xpbd") => 1e-3,
            () if name.starts_with("generalized_alpha") => 1e-8,
            () => 1e-12,
        };
        assert!(world.angular_momentum().abs() < bound, "{name}: {}", world.angular_momentum());
    }
}

/// A motor joint carries a weight with the error m g/k = g/ω², and drops one that its largest force does not carry with what is
/// left, g − F/m.
#[test]
fn a_motor_joint_carries_what_its_force_suffices_for() {
    for (name, method) in methods() {
        let held = |frequency: f64, max_force: f64, steps: usize| {
            let (mut world, [carrier, body]) = carried(DVec2::ZERO, 10.0);
            let mover = PoseMotor { frequency, max_force, ..PoseMotor::default() };
            world.add_joint(Joint::between([carrier, body], JointKind::PoseMotor(mover))).unwrap();
            run(&mut world, &method, 1e-3, steps);
            world[body].clone()
        };
        let omega = TAU * 1.0;
        let y = held(1.0, 100.0, 6000).pose.position.y;
        assert!((y + 10.0 / (omega * omega)).abs() < 1e-8, "{name}: {y}");
        let speed = held(20.0, 8.0, 500).velocity.linear.y;
        assert!((speed + 0.5 * (10.0 - 4.0)).abs() < 0.01, "{name}: {speed}");
    }
}

/// Protects a motor joint without a pose to hold, which is friction, under every scheme: of two free bodies that drift apart and
/// turn it takes the relative motion with a bounded force, keeps linear and angular momentum, and counts its work as
/// friction.
#[test]
fn a_motor_joint_without_a_pose_is_friction() {
    for (name, method) in methods() {
        let mut world = World::new(DVec2::ZERO);
        let a = world.add_body(Body::dynamic().mass_and_inertia(2.0, 0.5)).unwrap();
        let b = Body::dynamic()
            .at([1.0, 0.0])
            .velocity([0.0, 0.6])
            .angular_velocity(1.0)
            .mass_and_inertia(1.0, 0.1);
        let b = world.add_body(b).unwrap();
        let anchors = [DVec2::new(1.0, 0.0), DVec2::ZERO];
        let friction =
            PoseMotor { anchors, frequency: 0.0, max_force: 2.0, max_torque: 0.5, ..PoseMotor::default() };
        world.add_joint(Joint::between([a, b], JointKind::PoseMotor(friction))).unwrap();
        let before = (world.linear_momentum(), world.angular_momentum());
        let kinetic = world.kinetic_energy();
        let mut work = 0.0;
        let mut workspace = Workspace::default();
        for _ in 0..2000 {
            work += step(&mut world, &method, 1e-3, &mut workspace).unwrap().work.friction;
        }
        let [of_a, of_b] = [a, b].map(|id| world[id].velocity);
        let arm = world[b].pose.position - world[a].pose.position;
        let slip = of_b.linear - of_a.linear - of_a.angular * arm.perp();
        assert!(slip.length() < 1e-3, "{name}: {slip}");
        assert!((of_b.angular - of_a.angular).abs() < 1e-3, "{name}: {}", of_b.angular - of_a.angular);
        assert!(
            (world.linear_momentum() - before.0).length() < 1e-12,
            "{name}: {}",
            world.linear_momentum()
        );
        let bound = if name.starts_with("xpbd") { 1e-3 } else { 1e-6 };
        assert!(
            (world.angular_momentum() - before.1).abs() < bound,
            "{name}: {}",
            world.angular_momentum()
        );
        assert!((work - (world.kinetic_energy() - kinetic)).abs() < 0.01 * kinetic, "{name}: {work}");
        assert!(work < -0.05, "{name}: {work}");
    }
}
