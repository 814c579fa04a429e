//! Pulleys: Atwood's machines, block and tackle, the impact of a slack rope, momentum, and that every scheme takes them.

use super::worlds::{methods, stepped as run};
use driftlab::method::{Integrator, Method};
use driftlab::model::joint::{JointSoftness, Pulley};
use driftlab::model::{
    Body, BodyId, Breaking, Frame, Joint, JointBuilder, JointId, JointKind, ModelError, Shape, Softness,
    World,
};
use driftlab::step::make_consistent;
use glam::{DVec2, DVec3};

const G: f64 = 9.81;

fn load(world: &mut World, at: [f64; 2], mass: f64) -> BodyId {
    let body = Body::dynamic().at(at).shape(Shape::rectangle(0.2, 0.2)).mass(mass);
    world.add_body(body.without_collisions()).unwrap()
}

fn key(method: &Method) -> String {
    format!("{} {:?} {:?}", method.stabilizer.info().key, method.level, method.integrator)
}

/// What solvers leave: those that sweep end before rounding.
fn share(method: &Method) -> f64 {
    if method.stabilizer.scheme().uses_solver { 1e-9 } else { 1e-3 }
}

/// Two loads, as far below their wheels as the numbers say.
fn atwood(
    masses: [f64; 2],
    below: [f64; 2],
    build: impl Fn(JointBuilder) -> JointBuilder,
) -> (World, [BodyId; 2], JointId) {
    let mut world = World::new([0.0, -G]);
    let ends = [0, 1].map(|side| load(&mut world, [side as f64, -below[side]], masses[side]));
    let pulley = Joint::pulley(ends[0], ends[1], [[0.0, 0.0], [1.0, 0.0]]);
    let id = world.add_joint(build(pulley)).unwrap();
    (world, ends, id)
}

/// Atwood's machine: masses m < M on a rope over a wheel accelerate by g (M − m)/(M + m), to 1e-9 under RATTLE and to what its
/// solver leaves under every other scheme and level; the rope keeps its length.
#[test]
fn atwoods_machine_accelerates_as_its_masses_say() {
    let (m, heavy, h, steps) = (1.0, 1.5, 1e-3, 400);
    let expected = G * (heavy - m) / (heavy + m);
    for method in methods(h) {
        let (mut world, [light, other], _) = atwood([m, heavy], [2.0, 1.0], |pulley| pulley);
        run(&mut world, &method, h, steps);
        let t = h * steps as f64;
        let [up, down] = [light, other].map(|own| world[own].velocity.linear.y / t);
        let share = share(&method);
        assert!((up / expected - 1.0).abs() < share, "{}: {up}, expected {expected}", key(&method));
        assert!((down / expected + 1.0).abs() < share, "{}: {down}", key(&method));
        let length = -world[light].pose.position.y - world[other].pose.position.y;
        assert!((length - 3.0).abs() < share, "{}: {length}", key(&method));
    }
}

/// A tackle of ratio ρ: by Newton's law of both loads on |r_a| + ρ |r_b| = L, b rises by a = g (ρ m_a − m_b)/(m_b + ρ² m_a)
/// and a sinks ρ times as fast; m_b = ρ m_a hangs still.
#[test]
fn a_tackle_multiplies_force_and_divides_the_way() {
    let (ratio, h) = (3.0, 1e-3);
    for method in methods(h) {
        for masses in [[1.0, 2.0], [1.0, 3.0]] {
            let (mut world, [a, b], _) = atwood(masses, [1.0, 2.0], |pulley| pulley.ratio(ratio));
            run(&mut world, &method, h, 300);
            let expected = G * (ratio * masses[0] - masses[1]) / (masses[1] + ratio * ratio * masses[0]);
            let [of_a, of_b] = [a, b].map(|own| world[own].velocity.linear.y / 0.3);
            let most = share(&method) * G;
            assert!((of_b - expected).abs() < most, "{}: {of_b}, expected {expected}", key(&method));
            assert!((of_a + ratio * expected).abs() < ratio * most, "{}: {of_a}", key(&method));
        }
    }
}

/// Atwood's machine on one end of another: with μ = 4 m₂ m₃/(m₂ + m₃) the block of mass m_p that carries the second wheel sinks
/// by g (m_p − m₁ + μ)/(m₁ + m_p + μ), by Newton's law of the four; a wheel passes its load on to the body that carries it.
#[test]
fn a_wheel_passes_its_load_on_to_what_carries_it() {
    let ([m1, block, m2, m3], h) = ([2.0, 0.5, 1.5, 0.7], 1e-3);
    let mu = 4.0 * m2 * m3 / (m2 + m3);
    let sinks = G * (block - m1 + mu) / (m1 + block + mu);
    for method in methods(h) {
        let mut world = World::new([0.0, -G]);
        let first = load(&mut world, [-2.0, -2.0], m1);
        let carrier = load(&mut world, [0.0, -1.0], block);
        let [second, third] = [(-0.5, m2), (0.5, m3)].map(|(x, m)| load(&mut world, [x, -3.0], m));
        world.add_joint(Joint::pulley(first, carrier, [[-2.0, 0.0], [0.0, 0.0]])).unwrap();
        let moving = Joint::pulley(second, third, [[-0.5, -1.0], [0.5, -1.0]]);
        world.add_joint(moving.wheels_on([Some(carrier); 2])).unwrap();
        let workspace = run(&mut world, &method, h, 200);
        let of = |own: BodyId| world[own].velocity.linear.y / 0.2;
        let most = G * share(&method);
        assert!((of(carrier) + sinks).abs() < most, "{}: {} for {}", key(&method), of(carrier), -sinks);
        assert!((of(first) - sinks).abs() < most, "{}: {}", key(&method), of(first));
        // Both loads: g − a of the block, shared as in the simple machine.
        let apart = (G - sinks) * (m3 - m2) / (m2 + m3);
        assert!((of(second) + sinks - apart).abs() < most, "{}: {}", key(&method), of(second));
        assert!((of(third) + sinks + apart).abs() < most, "{}: {}", key(&method), of(third));
        let left = workspace.momentum_residuals().into_iter().map(DVec3::length).fold(0.0, f64::max);
        assert!(left < 1e-12 * h * G, "{}: {left:e}", key(&method));
    }
}

/// Four free bodies of different shapes, tumbling: the ends of a rope, and the carriers of its wheels off their centres.
fn tumbling(build: impl Fn(JointBuilder) -> JointBuilder) -> World {
    let mut world = World::new(DVec2::ZERO);
    let mut number = 0.0;
    let [a, b, c, d] = [[0.0, -1.0], [1.4, -0.8], [0.2, 0.3], [1.1, 0.4]].map(|at| {
        number += 1.0;
        let body =
            Body::dynamic().at(at).angle(0.3 * number).shape(Shape::rectangle(0.5, 0.1)).mass(number);
        let moving = body.velocity([0.2 * number, -0.3]).angular_velocity(1.0 - 0.5 * number);
        world.add_body(moving.without_collisions()).unwrap()
    });
    let pulley = Joint::pulley(a, b, [[0.3, 0.25], [1.2, 0.45]]).anchors([0.1, -0.9], [1.5, -0.7]);
    world.add_joint(build(pulley.wheels_on([Some(c), Some(d)]).ratio(1.7))).unwrap();
    make_consistent(&mut world).unwrap();
    world
}

/// A rope between free bodies is an inner force: linear momentum stays to rounding and angular momentum to the order of the
/// scheme, every impulse is accounted for, and the rope keeps its length as other joints do, under every scheme and level.
#[test]
fn a_rope_over_moving_wheels_keeps_momentum_and_accounts_for_every_impulse() {
    let h = 1e-3;
    for method in methods(h) {
        let mut world = tumbling(|pulley| pulley);
        let start = (world.linear_momentum(), world.angular_momentum());
        let workspace = run(&mut world, &method, h, 400);
        let key = key(&method);
        assert!((world.linear_momentum() - start.0).length() < 1e-12 * start.0.length(), "{key}");
        let turned = (world.angular_momentum() - start.1).abs();
        assert!(turned < 2e-2 * start.1.abs(), "{key}: {turned:e} of {}", start.1);
        let left = workspace.momentum_residuals().into_iter().map(DVec3::length).fold(0.0, f64::max);
        assert!(left < 1e-13 * start.0.length(), "{key}: {left:e}");
        let error = world.joint_error();
        let most = match method.stabilizer.info().key {
            "projection" | "rattle" | "ggl" => 1e-14,
            "none" => 1e-2,
            _ => 3e-3,
        };
        assert!(error < most, "{key}: {error:e}");
    }
}

/// J is the derivative of g, and k = J̇ v, over all four bodies, with wheels in the world, on bodies, and one of each, taut or
/// free to go slack: against central differences.
#[test]
fn jacobian_and_velocity_products_match_differences_over_four_bodies() {
    const EPSILON: f64 = 1e-5;
    let q = [[0.1, -1.3, 0.4], [1.2, -0.9, -2.0], [0.3, 0.2, 5.0], [1.5, 0.6, 1.1]].map(DVec3::from_array);
    let v =
        [[0.4, -0.8, 1.3], [-0.5, 0.9, 0.7], [1.1, 0.3, -0.6], [-0.2, -1.4, 0.8]].map(DVec3::from_array);
    for (carried, slack) in
        [([true; 2], false), ([true, false], true), ([false, true], false), ([false; 2], true)]
    {
        let kind = JointKind::Pulley(Pulley {
            anchors: [DVec2::new(0.3, -0.2), DVec2::new(-0.4, 0.1)],
            wheels: [DVec2::new(0.2, 0.5), DVec2::new(0.9, -0.3)],
            carried,
            ratio: 1.4,
            length: 2.0,
            slack,
        });
        let row = |q: [DVec3; 4]| {
            let frames: [Frame; 4] = std::array::from_fn(|body| Frame::new(q[body], v[body]));
            let mut found = kind.coordinate_of(frames.each_ref());
            kind.equations_of(frames.each_ref(), |own, further| found = Some((own, further)));
            let (own, [c, d]) = found.unwrap();
            (own.g, [own.ja, own.jb, c, d], own.k)
        };
        let (_, j, k) = row(q);
        for coordinate in 0..12 {
            let moved = |sign: f64| {
                let mut q = q;
                q[coordinate / 3][coordinate % 3] += sign * EPSILON;
                row(q).0
            };
            let difference = (moved(1.0) - moved(-1.0)) / (2.0 * EPSILON);
            let exact = j[coordinate / 3][coordinate % 3];
            assert!((exact - difference).abs() < 1e-8, "{carried:?} {coordinate}: {exact} {difference}");
        }
        let rate = |sign: f64| {
            let (_, j, _) = row(std::array::from_fn(|body| q[body] + sign * EPSILON * v[body]));
            j.iter().zip(v).map(|(j, v)| j.dot(v)).sum::<f64>()
        };
        let difference = (rate(1.0) - rate(-1.0)) / (2.0 * EPSILON);
        assert!((k - difference).abs() < 1e-7, "{carried:?}: {k} {difference}");
    }
}

/// A rope that may go slack does nothing until it is taut, to the bit; then the impulse Λ = (1 + e) ẋ/(1/m_a + 1/m_b) acts on
/// both ends, and a rope that has become taut without a rebound moves as one that always was.
#[test]
fn a_slack_pulley_becomes_taut_by_an_impact_along_the_rope() {
    let ([m_a, m_b], speed) = ([2.0, 1.0], 1.0);
    let mut rebounding = 0;
    for method in methods(1e-3) {
        for e in [0.0, 0.5] {
            if e > 0.0 && !method.stabilizer.scheme().uses_solver {
                continue;
            }
            let (mut world, [a, b], _) = atwood([m_a, m_b], [1.0, 1.0], |pulley| {
                pulley.length(2.1005).may_go_slack().restitution(e)
            });
            world.set_gravity(DVec2::ZERO).unwrap();
            world.edit_body(b, |own| own.velocity.linear.y = -speed).unwrap();
            run(&mut world, &method, 1e-3, 95);
            assert_eq!(world[a].velocity.linear, DVec2::ZERO, "{}", key(&method));
            assert_eq!(world[b].velocity.linear, DVec2::new(0.0, -speed), "{}", key(&method));
            run(&mut world, &method, 1e-3, 40);
            let impulse = (1.0 + e) * speed / (1.0 / m_a + 1.0 / m_b);
            let [of_a, of_b] = [a, b].map(|own| world[own].velocity.linear.y);
            // Explicit positions pass the length by up to the way of a step, which a bias takes back.
            let exact = method.stabilizer.scheme().uses_solver
                && method.integrator == Integrator::SemiImplicitEuler;
            let most = if exact { 1e-6 } else { 0.02 };
            assert!((of_a - impulse / m_a).abs() < most, "{} e = {e}: {of_a}", key(&method));
            assert!((of_b - (impulse / m_b - speed)).abs() < most, "{} e = {e}: {of_b}", key(&method));
            rebounding += usize::from(e > 0.0);
        }
    }
    assert!(rebounding > 0);
}

/// The tension of Atwood's machine, 2 m M g/(m + M), breaks a rope that bears less in the first step and not one that bears more.
#[test]
fn a_pulley_breaks_beyond_the_tension_that_it_bears() {
    let ([m, heavy], h) = ([1.0, 1.5], 1e-3);
    let tension = 2.0 * m * heavy * G / (m + heavy);
    for method in methods(h) {
        for (bears, holds) in [(0.99 * tension, false), (1.02 * tension, true)] {
            for slack in [false, true] {
                if slack && method.stabilizer.info().key == "mujoco" {
                    continue; // a rope acts once it is longer, after a step of free fall
                }
                let (mut world, [light, _], id) = atwood([m, heavy], [2.0, 1.0], |pulley| {
                    let pulley = if slack { pulley.may_go_slack() } else { pulley };
                    pulley.breaks_at(Breaking { force: Some(bears), ..Breaking::default() })
                });
                run(&mut world, &method, h, 50);
                assert_eq!(!world[id].broken, holds, "{} {slack} {bears}", key(&method));
                assert_eq!(world[light].velocity.linear.y > 0.0, holds, "{}", key(&method));
            }
        }
    }
}

/// Two equal loads on a soft rope come to rest where its elongation is m g/k, a rope that may go slack as well as a taut one.
#[test]
fn a_soft_pulley_is_longer_by_its_tension_over_its_stiffness() {
    let own = Softness { stiffness: 400.0, damping: 60.0 };
    let softness = JointSoftness { linear: own, angular: own };
    for method in methods(1e-3) {
        for slack in [false, true] {
            let (mut world, ends, _) = atwood([1.0; 2], [1.0; 2], |pulley| {
                let pulley = if slack { pulley.may_go_slack() } else { pulley };
                pulley.length(2.0).soft(softness)
            });
            run(&mut world, &method, 1e-3, 3000);
            let longer: f64 = ends.iter().map(|own| -world[*own].pose.position.y).sum::<f64>() - 2.0;
            assert!((longer - G / 400.0).abs() < 1e-6, "{} {slack}: {longer}", key(&method));
        }
    }
}

/// A world takes pulleys of positive length and ratio between bodies that differ, whose wheels do not turn point masses, and
/// keeps the length that they have as placed; removing a wheel's carrier takes the pulley away.
#[test]
fn wrong_pulleys_are_refused() {
    let mut world = World::new(DVec2::ZERO);
    let [a, b, c] = [0.0, 1.0, 2.0].map(|x| load(&mut world, [x, 0.0], 1.0));
    let point = world.add_body(Body::dynamic().at([3.0, 0.0]).mass(1.0)).unwrap();
    let wheels = [[0.0, 1.0], [1.0, 2.0]];
    let pulley = || Joint::pulley(a, b, wheels);
    let mut refused = |joint: JointBuilder| world.add_joint(joint).unwrap_err().to_string();
    let number = "a finite number greater than 0";
    assert_eq!(refused(pulley().ratio(-1.0)), format!("ratio of the pulley must be {number}, not -1"));
    assert_eq!(refused(pulley().length(0.0)), format!("length of the pulley must be {number}, not 0"));
    assert!(refused(pulley().wheels_on([Some(a), None])).starts_with("both ends are on body"));
    assert!(refused(pulley().wheels_on([Some(point), None])).contains("would turn a point mass"));
    assert!(refused(pulley().limits(0.0, 1.0)).starts_with("a pulley leaves no coordinate free"));
    assert!(refused(pulley().motor(1.0, 1.0)).starts_with("a pulley leaves no coordinate free"));
    assert_eq!(refused(pulley().further(c, c)), ModelError::Wheels.to_string());
    let id = world.add_joint(pulley().ratio(2.0).wheels_on([None, Some(c)])).unwrap();
    let JointKind::Pulley(Pulley { length, wheels, .. }) = world[id].kind.clone() else { panic!() };
    assert_eq!((length, wheels), (1.0 + 2.0 * 2.0, [DVec2::new(0.0, 1.0), DVec2::new(-1.0, 2.0)]));
    assert_eq!(world[id].further(), Some([0, 2]));
    world.remove_body(c).unwrap();
    assert!(world.joint(id).is_none());
}
