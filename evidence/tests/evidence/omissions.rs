//! Random scenes of the corpus under other engines, through the program: nothing ends it, steps can be taken back, and what an
//! engine leaves out it has said.

use driftlab::experiment::{Run, choice};
use driftlab::glam::DVec2;
use driftlab::method::{Level, Method};
use driftlab::model::{Body, Damping, Filter, Joint, ModelError, World};
use driftlab::peers::{self, Peer};
use driftlab::scene::{Scene, stabilizer_from};
use driftlab_evidence::corpus::anything::{DRIVEN, WIRED, world};

/// Scenes that each engine takes.
const SCENES: usize = 100;
/// Steps of a run, and after which of them it is taken back.
const STEPS: u64 = 40;
/// Speed of a hit, m/s.
const HIT: f64 = 0.5;
/// A change of pose, m or rad, that is no rounding.
const SEEN: f64 = 1e-3;

/// Scenes of the three corpora, with steps of 1/60 s.
fn scenes() -> impl Iterator<Item = (String, Scene)> {
    (0..).filter_map(|index| {
        let seed = [14, WIRED, DRIVEN][index as usize % 3];
        let mut scene = world(seed, index).ok()?;
        scene.settings.time_step = 1.0 / 60.0;
        Some((format!("corpus {seed}, world {index}"), scene))
    })
}

/// A scheme, or an engine in which nothing is too slow to rebound, or has its contact too early to do so: peers/README.md tells
/// both.
fn method(scene: &Scene, key: &str) -> Method {
    let text = match key {
        "box2d" => "box2d,restitution_threshold=0",
        "rapier" => "rapier,normalized_prediction_distance=0",
        ours => ours,
    };
    let stabilizer = stabilizer_from(text, scene.settings.time_step).unwrap();
    let own = scene.settings.method.clone();
    Method { stabilizer, level: Level::Velocity, integrator: Default::default(), ..own }
}

fn coordinates(world: &World) -> Vec<[f64; 3]> {
    world.bodies().iter().map(|body| body.pose.coordinates().to_array()).collect()
}

fn bits(world: &World) -> Vec<[u64; 3]> {
    coordinates(world).into_iter().map(|own| own.map(f64::to_bits)).collect()
}

/// Where a run has led; none if it is refused or fails.
fn led(scene: &Scene, key: &str) -> Option<Vec<[f64; 3]>> {
    let method = method(scene, key);
    choice::can_begin(&method, scene).ok()?;
    let mut run = Run::under(scene, method, STEPS);
    for step in run.by_ref() {
        step.ok()?;
    }
    Some(coordinates(run.world()))
}

type Change = Result<World, ModelError>;

fn bodies(world: &World, edit: impl Fn(&mut Body)) -> Change {
    let mut other = world.clone();
    world.body_ids().iter().try_for_each(|id| other.edit_body(*id, &edit))?;
    Ok(other)
}

/// The world without each thing that it has, by name.
fn without(world: &World) -> Vec<(String, World)> {
    let mut all: Vec<(String, Change)> = vec![
        ("friction".to_owned(), bodies(world, |own| (own.friction, own.static_friction) = (0.0, None))),
        ("restitution".to_owned(), bodies(world, |own| own.restitution = 0.0)),
        ("rolling resistance".to_owned(), bodies(world, |own| own.rolling_resistance = 0.0)),
        ("belts".to_owned(), bodies(world, |own| own.surface_speed = 0.0)),
        ("driven belts".to_owned(), bodies(world, |own| own.surface_profile = None)),
        ("scales of gravity".to_owned(), bodies(world, |own| own.gravity_scale = 1.0)),
        ("damping".to_owned(), bodies(world, |own| own.damping = Damping::default())),
        ("applied forces".to_owned(), bodies(world, |own| own.applied = None)),
        ("driven forces".to_owned(), bodies(world, |own| own.driven.clear())),
        ("fixed rotation".to_owned(), bodies(world, |own| own.fixed_rotation = false)),
        (
            "filters".to_owned(),
            bodies(world, |own| {
                let Filter { categories, mask, group } = Filter::default();
                (own.categories, own.mask, own.group) = (categories, mask, group);
            }),
        ),
    ];
    let mut other = world.clone();
    all.push(("fields".to_owned(), other.set_fields(Vec::new()).map(|()| other)));
    for (index, id) in world.joint_ids().iter().enumerate() {
        let name = format!("joint {index}, a {}", world.joints()[index].kind.key());
        let mut other = world.clone();
        all.push((name.clone(), other.remove_joint(*id).map(|_| other)));
        let edited = |edit: fn(&mut Joint)| {
            let mut other = world.clone();
            other.edit_joint(*id, edit).map(|()| other)
        };
        all.push((format!("motor of {name}"), edited(|own| own.motor = None)));
        all.push((format!("limits of {name}"), edited(|own| own.limits = None)));
        all.push((format!("friction of {name}"), edited(|own| own.friction = 0.0)));
        all.push((format!("softness of {name}"), edited(|own| own.softness = None)));
        all.push((format!("breaking of {name}"), edited(|own| own.breaking = None)));
        all.push((format!("rebound of {name}"), edited(|own| own.restitution = 0.0)));
        all.push((format!("servo of {name}"), edited(|own| own.servo = None)));
    }
    for (index, id) in world.spring_ids().iter().enumerate() {
        let mut other = world.clone();
        all.push((format!("spring {index}"), other.remove_spring(*id).map(|_| other)));
    }
    let all = all.into_iter().filter_map(|(name, other)| Some((name, other.ok()?)));
    all.filter(|(_, other)| other != world).collect()
}

/// Whether two bodies that press on each other in an engine's run have something; those alone that have hit each other, or all.
/// The last step changes no pose by a rebound.
fn press(scene: &Scene, key: &str, hit: bool, has: fn([&Body; 2]) -> bool) -> bool {
    let mut run = Run::under(scene, method(scene, key), STEPS - 1);
    let (mut pairs, mut before) = (Vec::<[usize; 2]>::new(), scene.world.clone());
    while let Some(Ok(_)) = run.next() {
        let contacts = run.line().and_then(|line| line.contacts).unwrap_or_default();
        let presses = contacts.iter().filter(|own| own.impulse.is_some_and(|[normal, ..]| normal > 0.0));
        let has_hit = |pair: [usize; 2], point: DVec2, normal: DVec2| {
            let [a, b] = pair.map(|body| {
                let body = &before.bodies()[body];
                body.velocity.linear + body.velocity.angular * (point - body.pose.position).perp()
            });
            !pairs.contains(&pair) && (a - b).dot(normal) > HIT
        };
        let bodies = run.world().bodies();
        if presses.clone().any(|own| {
            (!hit || has_hit(own.bodies, own.point.into(), own.normal.into()))
                && has(own.bodies.map(|body| &bodies[body]))
        }) {
            return true;
        }
        pairs = presses.map(|own| own.bodies).collect();
        before = run.world().clone();
    }
    false
}

/// What changes our run of a scene where it is taken away, and the run that `led` makes by not a bit.
fn untold(scene: &Scene, led_there: &dyn Fn(&Scene) -> Option<Vec<[f64; 3]>>) -> Vec<String> {
    let ours = |scene: &Scene| led(scene, "anitescu_hart");
    let (Some(there), Some(here)) = (led_there(scene), ours(scene)) else { return Vec::new() };
    let is_untold = |(name, world): (String, World)| {
        let other = Scene { world, ..scene.clone() };
        if led_there(&other)? != there {
            return None;
        }
        let moved = ours(&other)?.into_iter().flatten().zip(here.iter().flatten());
        moved.map(|(a, b)| (a - b).abs()).any(|change| change > SEEN).then_some(name)
    };
    without(&scene.world).into_iter().filter_map(is_untold).collect()
}

/// Protects the program: whatever the scene, an engine refuses it by name, makes its steps, or says why it cannot go on; and
/// steps from a state that was kept are the same bit by bit.
#[test]
fn a_hundred_scenes_run_and_are_taken_back_and_all_others_are_refused() {
    for (key, named) in peers::NAMES {
        let (mut made, mut refused, mut ended) = (0, 0, 0);
        for (name, scene) in scenes() {
            let method = method(&scene, key);
            if let Err(refusal) = choice::can_begin(&method, &scene) {
                assert!(refusal.message.contains(named), "{key}, {name}: {}", refusal.message);
                refused += 1;
                continue;
            }
            let h = scene.settings.time_step;
            let (mut peer, mut world) = (Peer::default(), scene.world.clone());
            let steps = |peer: &mut Peer, world: &mut World| {
                (0..STEPS / 2).try_for_each(|_| peer.step(world, &method, h))
            };
            if steps(&mut peer, &mut world).is_err() {
                ended += 1;
                continue;
            }
            let (kept, mut back) = (peer.keep(&world, &method, h), world.clone());
            assert!(kept.is_some(), "{key}, {name}");
            let first = steps(&mut peer, &mut world);
            peer.recall(kept);
            let again = steps(&mut peer, &mut back);
            assert_eq!((bits(&world), first.is_ok()), (bits(&back), again.is_ok()), "{key}, {name}");
            assert!(coordinates(&world).iter().flatten().all(|own| own.is_finite()), "{key}, {name}");
            made += 1;
            if made == SCENES {
                break;
            }
        }
        println!("{key}: {made} made, {refused} refused, {ended} ended");
        assert!(made == SCENES && 20 * ended <= SCENES, "{key}: {made} {refused} {ended}");
    }
}

/// Protects from omissions that nobody is told of: of a scene that an engine takes, everything that matters to our run matters to
/// the engine's, too.
#[test]
fn an_engine_leaves_nothing_out_that_it_has_not_said() {
    for (key, _) in peers::NAMES {
        let runs = scenes().filter(|(_, scene)| led(scene, key).is_some()).take(SCENES);
        let (mut asked, mut found) = (0, Vec::new());
        for (name, scene) in runs {
            asked += without(&scene.world).len();
            // Bodies that rub or hit each other in our run need not do so in the engine's.
            let happens = |what: &String| match &**what {
                "friction" => press(&scene, key, false, |[a, b]| a.friction * b.friction > 0.0),
                "restitution" => press(&scene, key, true, |[a, b]| a.restitution + b.restitution > 0.0),
                _ => true,
            };
            let untold = untold(&scene, &|scene| led(scene, key));
            found.extend(untold.into_iter().filter(happens).map(|what| format!("{name}: {what}")));
        }
        println!("{key}: {asked} things were taken away");
        assert!(found.is_empty(), "{key}: {found:?}");
        assert!(asked > 2 * SCENES, "{key}: {asked}");
    }
}

/// Protects the test before: an engine that were given scenes without springs or restitution would be found out.
#[test]
fn an_omission_would_be_found() {
    let without_springs = |scene: &Scene| {
        let mut world = scene.world.clone();
        scene.world.spring_ids().iter().for_each(|id| drop(world.remove_spring(*id)));
        Scene { world, ..scene.clone() }
    };
    let without_rebound = |scene: &Scene| Scene {
        world: bodies(&scene.world, |own| own.restitution = 0.0).unwrap(),
        ..scene.clone()
    };
    type Blind<'a> = &'a dyn Fn(&Scene) -> Scene;
    for (what, blind) in [("spring", &without_springs as Blind<'_>), ("restitution", &without_rebound)] {
        let found = scenes()
            .take(5 * SCENES)
            .flat_map(|(_, scene)| untold(&scene, &|scene| led(&blind(scene), "rapier")));
        assert!(found.into_iter().any(|name| name.contains(what)), "{what}");
    }
}
