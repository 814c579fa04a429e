//! What a line says acted is what moved the bodies.

use super::*;
use driftlab_engine::glam::DVec3;
use driftlab_engine::model::{Body, Joint, Shape, Spring};
use driftlab_probe::format::{Impulse, Impulses, Step};

/// What each body got by a line: of joints and springs, contacts, forces and the hand, (N s, N s, N m s).
fn sums(line: &Step, before: &World) -> Vec<DVec3> {
    let mut sums = vec![DVec3::ZERO; before.bodies().len()];
    let mut add = |Impulse(body, x, y, moment): &Impulse| sums[*body] += DVec3::new(*x, *y, *moment);
    line.acted.iter().flatten().flat_map(|acted| &acted.on).for_each(&mut add);
    line.external.iter().flatten().chain(&line.hand).for_each(&mut add);
    for contact in line.contacts.iter().flatten() {
        let ([nx, ny], [p, t, m]) = (contact.normal, contact.impulse.unwrap());
        let impulse = [p * nx + t * ny, p * ny - t * nx];
        let points = [contact.point_a.unwrap_or(contact.point), contact.point];
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let body = contact.bodies[side];
            let center = before.bodies()[body].pose.position;
            let arm = [points[side][0] - center.x, points[side][1] - center.y];
            let moment = arm[0] * impulse[1] - arm[1] * impulse[0] + m;
            add(&Impulse(body, sign * impulse[0], sign * impulse[1], sign * moment));
        }
    }
    sums
}

/// The largest remainder of M (v⁺ − v) − Σ p over some steps: of momentum and of angular momentum.
fn remainder(kind: Kind, mut world: World, steps: usize) -> [f64; 2] {
    let mut peer = build(&of_one_part(kind), &world, H).unwrap();
    assert_eq!(peer.impulses(), Impulses::Whole);
    let mut worst = [0.0_f64; 2];
    for _ in 0..steps {
        let before = world.clone();
        advance(&mut *peer, &mut world, H, 1);
        let line = peer.line(&world);
        assert_eq!(line.h, Some(H));
        for (index, sum) in sums(&line, &before).into_iter().enumerate() {
            let (old, body) = (&before.bodies()[index], &world.bodies()[index]);
            if !body.is_dynamic() {
                continue;
            }
            let change = (body.velocity.coordinates() - old.velocity.coordinates()) / body.inverse_mass();
            let left = change - sum;
            worst[0] = worst[0].max(left.truncate().length());
            if body.inverse_mass().z > 0.0 {
                worst[1] = worst[1].max(left.z.abs());
            }
        }
    }
    worst
}

/// Without contacts that are kept the impulses of joints, springs, motors, limits and forces close to rounding: Rapier's in double
/// precision. Box2D takes back the speed of its correction along the poses of the end, so that moments differ by ω h of that part.
#[test]
fn impulses_of_joints_close() {
    for kind in engines() {
        let mut world = World::new([0.0, -10.0]);
        let wall = world.add_body(Body::fixed()).unwrap();
        let mut last = wall;
        for link in 0..3 {
            let x = 0.5 + f64::from(link);
            let bar = world.add_body(Body::dynamic().at([x, 0.0]).mass_and_inertia(1.0, 0.1)).unwrap();
            let hinge = Joint::hinge(last, bar).at([x - 0.5, 0.0]);
            let hinge = match link {
                1 => hinge.motor(2.0, 3.0),
                2 => hinge.limits(-0.1, 0.1),
                _ => hinge.friction(0.2),
            };
            world.add_joint(hinge).unwrap();
            last = bar;
        }
        let sled = world.add_body(Body::dynamic().at([0.0, -3.0]).mass_and_inertia(1.0, 0.1)).unwrap();
        world.add_joint(Joint::slider(wall, sled, [1.0, 0.5]).at([0.0, -3.0]).motor(1.0, 30.0)).unwrap();
        let wheel = world.add_body(Body::dynamic().at([4.0, -3.0]).mass_and_inertia(1.0, 0.1)).unwrap();
        world.add_joint(Joint::wheel(sled, wheel, [0.0, 1.0], 200.0, 5.0)).unwrap();
        let bob = world.add_body(Body::dynamic().at([-2.0, 0.0]).mass_and_inertia(1.0, 0.1)).unwrap();
        world.add_spring(Spring::between(wall, bob).stiffness(50.0).damping(0.2).rest_length(1.5)).unwrap();
        let tip = world.add_body(Body::dynamic().at([-4.0, 0.0]).mass_and_inertia(1.0, 0.1)).unwrap();
        world.add_joint(Joint::rope(bob, tip, 2.0)).unwrap();
        world.add_joint(Joint::weld(wall, world.body_ids()[0]).at([0.0, 0.0])).unwrap_err();
        world.grab_body(tip, [-4.0, 0.0]).unwrap();
        world.edit_grab(|grab| grab.target = [-5.0, 0.5].into()).unwrap();
        let [momentum, angular] = remainder(kind, world, 60);
        println!("{}: {momentum:e} N s, {angular:e} N m s", kind.name());
        let most = if kind == Kind::Box2d { [1e-5, 2e-2] } else { [1e-12, 1e-12] };
        assert!(momentum < most[0] && angular < most[1], "{} {momentum:e} {angular:e}", kind.name());
    }
}

/// Impulses of contacts close with the arms that each body has.
#[test]
fn impulses_of_contacts_close() {
    for kind in engines() {
        let mut world = World::new([0.0, -10.0]);
        let floor = Body::fixed().at([0.0, -0.5]).shape(Shape::rectangle(40.0, 1.0)).surface_speed(0.5);
        world.add_body(floor.friction(0.6)).unwrap();
        for row in 0..4 {
            let at = [0.03 * f64::from(row), 0.55 + 1.05 * f64::from(row)];
            world.add_body(Body::dynamic().at(at).shape(Shape::rectangle(1.0, 1.0)).friction(0.6)).unwrap();
        }
        let ball = Body::dynamic().at([6.0, 2.0]).shape(Shape::circle(0.4)).restitution(0.6);
        world.add_body(ball.velocity([2.0, 0.0]).friction(0.3)).unwrap();
        let [momentum, angular] = remainder(kind, world, 120);
        println!("{}: {momentum:e} N s, {angular:e} N m s", kind.name());
        let most = if kind == Kind::Box2d { [2e-5, 2e-5] } else { [1e-11, 1e-11] };
        assert!(momentum < most[0] && angular < most[1], "{} {momentum:e} {angular:e}", kind.name());
    }
}

/// With several parts a line says that it estimates; the weight of a stack at rest is then carried to a percent.
#[test]
fn several_parts_are_an_estimate() {
    for kind in engines() {
        let mut world = World::new([0.0, -10.0]);
        world.add_body(Body::fixed().at([0.0, -0.5]).shape(Shape::rectangle(40.0, 1.0))).unwrap();
        world
            .add_body(Body::dynamic().at([0.0, 0.5]).shape(Shape::rectangle(1.0, 1.0)).density(2.0))
            .unwrap();
        let mut peer = build(&Settings::new(kind), &world, H).unwrap();
        advance(&mut *peer, &mut world, H, 120);
        assert_eq!(peer.impulses(), Impulses::Estimated);
        let line = peer.line(&world);
        let carried: f64 = line.contacts.unwrap().iter().map(|contact| contact.impulse.unwrap()[0]).sum();
        assert!((carried / (20.0 * H) - 1.0).abs() < 0.01, "{} {carried}", kind.name());
        assert_eq!(line.q[1].map(|q| q[2]), Some(world.bodies()[1].pose.angle));
    }
}
