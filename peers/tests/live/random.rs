//! Random worlds: an engine either says what it lacks or goes on with finite numbers, and back to a snapshot bit by bit.

use super::*;
use driftlab_engine::model::{Body, BodyId, Filter, Joint, Motion, Placement, Shape, Spring};
use driftlab_engine::prelude::DVec2;
use driftlab_peers::peer::Error;
use fastrand::Rng;

fn within(rng: &mut Rng, low: f64, high: f64) -> f64 {
    low + (high - low) * rng.f64()
}

fn shape(rng: &mut Rng) -> Shape {
    let size = within(rng, 0.01, 1.0);
    match rng.u32(0..6) {
        0 => Shape::circle(size),
        1 => Shape::rectangle(size, within(rng, 0.02, 1.0)),
        2 => Shape::capsule(size, within(rng, 0.01, 0.3)),
        3 => {
            let corners = rng.usize(3..12);
            let ring = |i: usize| DVec2::from_angle(std::f64::consts::TAU * i as f64 / corners as f64);
            Shape::polygon((0..corners).map(|i| ring(i) * within(rng, 0.7, 1.0) * size))
        }
        4 => Shape::polygon([[0.0, 0.0], [1.0, 0.0], [1.0, 0.4], [0.4, 0.4], [0.4, 1.0], [0.0, 1.0]]),
        _ if rng.u32(0..20) == 0 => Shape::ellipse(size, 0.3),
        _ => Shape::circle(size),
    }
}

fn random(rng: &mut Rng) -> World {
    let mut world = World::new([0.0, within(rng, -20.0, 0.0)]);
    let ground = match rng.u32(0..3) {
        0 => Shape::half_plane(DVec2::from_angle(within(rng, 1.2, 1.9)), 0.0),
        1 => Shape::polyline([[-20.0, 1.0], [-3.0, 0.0], [4.0, 0.0], [20.0, 2.0]]),
        _ => Shape::rectangle(40.0, 1.0),
    };
    let ground =
        Body::fixed().shape(ground).friction(within(rng, 0.0, 1.0)).surface_speed(within(rng, -1.0, 1.0));
    let mut ids = vec![world.add_body(ground).unwrap()];
    for _ in 0..rng.usize(1..16) {
        let motion = Motion::Sine {
            center: DVec2::new(within(rng, -5.0, 5.0), 3.0),
            amplitude: DVec2::X,
            frequency: rng.f64(),
        };
        let body = match rng.u32(0..10) {
            0 => Body::kinematic(motion),
            1 => Body::fixed(),
            _ => Body::dynamic(),
        };
        let mut body = body
            .at([within(rng, -6.0, 6.0), within(rng, 0.0, 8.0)])
            .angle(within(rng, -7.0, 7.0))
            .velocity([within(rng, -5.0, 5.0), within(rng, -5.0, 5.0)])
            .angular_velocity(within(rng, -10.0, 10.0))
            .friction(rng.f64())
            .restitution(rng.f64())
            .density(10.0_f64.powf(within(rng, -2.0, 4.0)))
            .filter(Filter { categories: rng.u32(1..8), mask: u32::MAX, group: rng.i32(-1..2) })
            .placed(Placement::at(shape(rng), [within(rng, -0.3, 0.3), 0.0], rng.f64()));
        if rng.bool() {
            body = body.shape(shape(rng));
        }
        ids.extend(world.add_body(body));
    }
    for _ in 0..rng.usize(0..10) {
        let [a, b] = [0; 2].map(|_| ids[rng.usize(0..ids.len())]);
        let axis = DVec2::from_angle(within(rng, 0.0, 7.0));
        // Some are refused by the world itself.
        if rng.u32(0..4) == 0 {
            _ = world.add_spring(
                Spring::between(a, b)
                    .stiffness(within(rng, 1.0, 1e4))
                    .damping(rng.f64())
                    .rest_length(within(rng, 0.1, 3.0)),
            );
            continue;
        }
        let joint = match rng.u32(0..7) {
            0 | 1 => Joint::hinge(a, b),
            2 => Joint::slider(a, b, axis),
            3 => Joint::weld(a, b),
            4 => Joint::rope(a, b, within(rng, 0.5, 6.0)),
            5 => Joint::wheel(a, b, axis, 1e3, 50.0),
            _ => Joint::distance(a, b),
        };
        let joint = match rng.u32(0..4) {
            0 => joint.motor(within(rng, -5.0, 5.0), within(rng, 0.0, 1e3)),
            1 => joint.limits(-0.5, 0.5),
            2 => joint.friction(within(rng, 0.0, 10.0)),
            _ => joint,
        };
        _ = world.add_joint(if rng.bool() { joint.collide_connected() } else { joint });
    }
    let dynamic: Vec<BodyId> = ids.iter().copied().filter(|id| world[*id].is_dynamic()).collect();
    if let (Some(held), true) = (rng.choice(&dynamic), rng.bool()) {
        let at = world[*held].pose.position + DVec2::new(0.1, 0.0);
        world.grab_body(*held, at).unwrap();
        world.edit_grab(|grab| grab.target = at + DVec2::new(1.0, 2.0)).unwrap();
    }
    world
}

#[test]
fn random_worlds_are_refused_or_go_on() {
    for kind in engines() {
        let (mut gone, mut refused, mut ended) = (0, 0, 0);
        for seed in 0..100 {
            let mut rng = Rng::with_seed(seed);
            let mut world = random(&mut rng);
            let mut peer = match build(&Settings::new(kind), &world, H) {
                Ok(peer) => peer,
                Err(Error::Lacks { lacks, .. }) => {
                    assert!(
                        lacks
                            .iter()
                            .all(|sentence| sentence.contains(kind.name()) && sentence.ends_with('.'))
                    );
                    refused += 1;
                    continue;
                }
                Err(other) => panic!("{} {seed}: {other}", kind.name()),
            };
            let steps = |world: &mut World, peer: &mut dyn Peer| -> Result<(), Error> {
                for _ in 0..40 {
                    peer.step(world, H)?;
                    peer.give(world)?;
                    world.set_time(world.time() + H).unwrap();
                    assert!(world.bodies().iter().all(|body| body.pose.coordinates().is_finite()));
                    let line = peer.line(world);
                    assert!(line.contacts.is_some() && line.acted.is_some());
                }
                Ok(())
            };
            let result = steps(&mut world, &mut *peer).and_then(|()| {
                let (mut kept, snapshot) = (world.clone(), peer.snapshot()?);
                steps(&mut world, &mut *peer)?;
                peer.restore(&snapshot)?;
                steps(&mut kept, &mut *peer)?;
                assert_eq!(bits(&world), bits(&kept), "{} {seed}", kind.name());
                Ok(())
            });
            match result {
                Ok(()) => gone += 1,
                Err(Error::Engine { what, .. }) if what.contains("no half planes") => ended += 1,
                Err(other) => panic!("{} {seed}: {other}", kind.name()),
            }
        }
        println!("{}: {gone} went on, {refused} refused, {ended} ended at a half plane", kind.name());
        assert!(gone > 30, "{} {gone} {refused} {ended}", kind.name());
    }
}
