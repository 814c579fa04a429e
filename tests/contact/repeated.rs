//! A step that ends where it began is the next one as well: it is not made, and nobody can tell.

use super::resting::{EDITS, H, pyramid};
use super::worlds::{block, ground};
use crate::physics::worlds::{id, method};
use driftlab::lcp::Solver;
use driftlab::method::Method;
use driftlab::model::{Body, ContactState, Motion, Repulsion, Shape, World};
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

const SCHEMES: [&str; 5] =
    ["none", "baumgarte_velocity", "anitescu_hart", "post_stabilization", "projection"];

/// Steps `world` and, by a workspace that has seen nothing, a twin; both come to the same in every respect. Whether the
/// step was repeated.
fn repeats(world: &mut World, method: &Method, h: f64, used: &mut Workspace, what: &str) -> bool {
    let (mut twin, mut fresh) = (world.clone(), Workspace::default());
    let report = step(world, method, h, used);
    let expected = step(&mut twin, method, h, &mut fresh);
    assert_eq!(report, expected, "{what}");
    // Formatted, so that −0 is told from 0.
    assert_eq!(format!("{world:?}"), format!("{twin:?}"), "{what}");
    let account = |of: &Workspace| {
        format!(
            "{:?} {:?} {:?}",
            of.impulses().collect::<Vec<_>>(),
            of.momentum_residuals(),
            of.external_impulses()
        )
    };
    assert_eq!(account(used), account(&fresh), "{what}");
    assert!(!fresh.has_repeated(), "{what}");
    used.has_repeated()
}

/// A pile that has come to rest, and whose steps repeat themselves.
fn rested(method: &Method, used: &mut Workspace) -> World {
    let mut world = pyramid(4);
    for _ in 0..300 {
        step(&mut world, method, H, used).unwrap();
    }
    assert!(used.has_repeated(), "{}", method.stabilizer.info().key);
    world
}

#[test]
fn a_pile_at_rest_repeats_its_step() {
    for key in SCHEMES {
        let (method, mut used) = (method(key, &[]), Workspace::default());
        let mut world = rested(&method, &mut used);
        for made in 0..20 {
            assert!(repeats(&mut world, &method, H, &mut used, &format!("{key}, step {made}")));
        }
        assert_eq!(world.steps(), 320);
        // A workspace that has not seen it come to rest has to see a step of it end where it began.
        let mut other = Workspace::default();
        let repeated: Vec<_> =
            (0..4).map(|_| repeats(&mut world, &method, H, &mut other, "another workspace")).collect();
        assert_eq!(repeated, [false, false, true, true], "{key}");
    }
}

#[test]
fn whatever_is_changed_is_noticed() {
    type Change = (&'static str, fn(&mut World, &mut Method, &mut f64));
    let others: [Change; 9] = [
        ("another time step", |_, _, h| *h *= 1.0 + f64::EPSILON),
        ("another solver", |_, method, _| method.solver = Solver::by_key("newton").unwrap()),
        ("another scheme", |_, to, _| *to = method("implicit", &[])),
        ("gravity of another sign of zero", |world, _, _| {
            world.set_gravity(DVec2::new(-0.0, world.gravity().y)).unwrap();
        }),
        ("other impulses", |world, _, _| {
            let weaker = |contact: &ContactState| ContactState { impulse: [0.0; 2], ..*contact };
            let contacts = world.contacts().iter().map(weaker).collect();
            world.restore_contacts(contacts).unwrap();
        }),
        ("a hand", |world, _, _| world.grab_body(id(world, 10), DVec2::new(3.0, 5.0)).unwrap()),
        ("a repulsion", |world, _, _| {
            let center = world.bodies()[10].pose.position + DVec2::new(0.8, 0.1);
            world.set_repulsion(Some(Repulsion { center, radius: 1.0, strength: 3e3 })).unwrap();
        }),
        ("a body on a path far away", |world, _, _| {
            let center = DVec2::new(50.0, 50.0);
            let motion = Motion::Sine { center, amplitude: DVec2::Y, frequency: 1.0 };
            let shaker = Body::kinematic(motion).shape(Shape::Circle { radius: 0.1 }).build().unwrap();
            world.add_body(shaker).unwrap();
        }),
        ("another world", |world, _, _| *world = pyramid(2)),
    ];
    for key in ["none", "anitescu_hart", "projection"] {
        let (method, mut used) = (method(key, &[]), Workspace::default());
        let rested = rested(&method, &mut used);
        for (name, edit) in EDITS {
            let mut world = rested.clone();
            for made in 0..8 {
                if made == 3 {
                    edit(&mut world);
                }
                let repeated =
                    repeats(&mut world, &method, H, &mut used, &format!("{key}, {name}, step {made}"));
                // Before, the world may be another than the one that was stepped last.
                let expected = made == 2 || (name == "nothing" && made > 2);
                assert!(repeated == expected || (made != 3 && made != 2), "{key}, {name}, step {made}");
            }
        }
        for (name, change) in others {
            let (mut world, mut method, mut h) = (rested.clone(), method.clone(), H);
            for made in 0..8 {
                if made == 3 {
                    change(&mut world, &mut method, &mut h);
                }
                let what = format!("{key}, {name}, step {made}");
                let repeated = repeats(&mut world, &method, h, &mut used, &what);
                assert!(repeated == (made == 2) || (made != 3 && made != 2), "{what}");
            }
        }
    }
}

/// What moves as the time says moves on, also beside a pile at rest, and where it is so slow that its coordinates stay
/// in most steps.
#[test]
fn what_follows_the_time_goes_on() {
    for frequency in [0.25, 1e-8] {
        let (method, mut used) = (method("none", &[]), Workspace::default());
        let mut world = World::new(DVec2::new(0.0, -9.81));
        world.add_body(ground(DVec2::Y, 0.6)).unwrap();
        world.add_body(block(DVec2::ONE, DVec2::new(0.0, 0.5), 0.0, 0.6)).unwrap();
        let (center, amplitude) = (DVec2::new(9.0, 9.0), DVec2::new(1e-6, 0.0));
        let path = Body::kinematic(Motion::Sine { center, amplitude, frequency });
        let path = path.shape(Shape::Circle { radius: 0.1 }).at(center).build().unwrap();
        let on_path = world.add_body(path).unwrap();
        for made in 0..130 {
            assert!(!repeats(&mut world, &method, H, &mut used, &format!("{frequency} Hz, step {made}")));
        }
        let expected = 9.0 + amplitude.x * (std::f64::consts::TAU * frequency * world.time()).sin();
        let x = world[on_path].pose.position.x;
        assert!((x - expected).abs() < 4.0 * f64::EPSILON * 9.0, "{frequency} Hz: {x}, not {expected}");
        assert_ne!(x, 9.0, "{frequency} Hz");
    }
}
