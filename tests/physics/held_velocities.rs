//! Post-stabilization at the acceleration level: positions and velocities stay on the constraints, and the motion on its path.

use super::worlds::{hinge, id, wall};
use driftlab::method::{Integrator, Level, Method};
use driftlab::model::joint::{Distance, DistanceForm};
use driftlab::model::{Body, BodyKind, Joint, JointKind, MassSpec, World};
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

fn post_stabilization() -> Method {
    let method = Method::by_key("post_stabilization").unwrap();
    method.at_level(Level::Acceleration, Integrator::Rk4).unwrap()
}

fn mass(at: DVec2, inertia: f64) -> Body {
    let mass = MassSpec::Given { mass: 1.0, inertia: Some(inertia) };
    Body::new(BodyKind::Dynamic, at, 0.0, Vec::new(), mass).unwrap()
}

/// Steps `world` by `h` up to the time `t`; returns the largest change of its energy, J, and velocity error.
fn advance(world: &mut World, h: f64, t: f64) -> [f64; 2] {
    let mut workspace = Workspace::default();
    let energy = world.kinetic_energy() + world.potential_energy();
    let mut most = [0.0_f64; 2];
    for _ in 0..(t / h).round() as usize {
        let report = step(world, &post_stabilization(), h, &mut workspace).unwrap();
        most = [most[0].max((report.total_energy() - energy).abs()), most[1].max(report.velocity_error)];
    }
    most
}

/// The IFToMM benchmark A02 with two loops, five bars of 1 m and 1 kg from upright at 1 rad/s, which passes singular
/// poses four times in the first four seconds. On the parallelogram branch φ″ = k sin φ with k = 11.445 s⁻², integrated
/// to 4e-11 rad: after 10 s the first top is at (0.328458111536, 0.944518538180). Without the projection of the
/// velocities the run overflows before 5 s at every step.
#[test]
fn four_bars_pass_their_singular_poses() {
    let mut world = World::new(DVec2::new(0.0, -9.81));
    world.add_body(wall()).unwrap();
    for x in [0.0, 1.0, 2.0] {
        let mut leg = mass(DVec2::new(x, 0.5), 1.0 / 12.0);
        (leg.velocity.linear, leg.velocity.angular) = (DVec2::new(0.5, 0.0), -1.0);
        world.add_body(leg).unwrap();
    }
    for x in [0.5, 1.5] {
        let mut coupler = mass(DVec2::new(x, 1.0), 1.0 / 12.0);
        coupler.velocity.linear.x = 1.0;
        world.add_body(coupler).unwrap();
    }
    let pairs = [(0, 1, 0.0, 0.0), (0, 2, 1.0, 0.0), (0, 3, 2.0, 0.0), (1, 4, 0.0, 1.0)];
    for (a, b, x, y) in pairs.into_iter().chain([(4, 2, 1.0, 1.0), (2, 5, 1.0, 1.0), (5, 3, 2.0, 1.0)]) {
        let joint = hinge([id(&world, a), id(&world, b)], DVec2::new(x, y));
        world.add_joint(joint).unwrap();
    }
    let [energy, velocity] = advance(&mut world, 0.005, 10.0);
    let top = 2.0 * world.bodies()[1].pose.position;
    let error = (top - DVec2::new(0.328458111536, 0.944518538180)).length();
    assert!(error < 1e-6, "{top} is {error:.3e} m away");
    assert!(energy < 1e-5 && velocity < 1e-12, "{energy:.3e} J, {velocity:.3e} m/s");
}

/// Three point masses on massless rods of 0.3 m, released from the horizontal in g = 10: the tip after 5 s by an
/// integration of the three angles to 3e-14 is at (−0.1709717, −0.2745875). At four steps a frame the run is there to 1 mm.
#[test]
fn a_triple_pendulum_follows_its_reference() {
    let mut world = World::new(DVec2::new(0.0, -10.0));
    let mut last = world.add_body(wall()).unwrap();
    for link in 1..=3 {
        let next = world.add_body(mass(DVec2::new(0.3 * f64::from(link), 0.0), 1e-12)).unwrap();
        let rod = Distance { anchors: [DVec2::ZERO; 2], length: 0.3, form: DistanceForm::default() };
        world.add_joint(Joint::between([last, next], JointKind::Distance(rod))).unwrap();
        last = next;
    }
    let [energy, velocity] = advance(&mut world, 1.0 / 240.0, 5.0);
    let tip = world.bodies()[3].pose.position;
    let error = (tip - DVec2::new(-0.1709717, -0.2745875)).length();
    assert!(error < 1e-3, "{tip} is {error:.3e} m away");
    assert!(energy < 5e-3 && velocity < 1e-12, "{energy:.3e} J, {velocity:.3e} m/s");
}
