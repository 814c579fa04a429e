//! Other engines as runs of the window: the same hand, the same line of time, the same table.

use driftlab::model::World;
use driftlab::peers;
use driftlab::scene::catalogue;
use driftlab::schemes::TABLE;
use driftlab::workbench::command::Command;
use driftlab::workbench::engine::Stepping;
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::Model;
use driftlab::workbench::options::OpenScene;
use driftlab::workbench::runs::comparison::{Budget, rows};
use driftlab::workbench::runs::force_balance::{Source, sum};
use driftlab::workbench::runs::live_run::{LiveRun, Setting};
use driftlab::workbench::runs::player::Player;
use driftlab::workbench::stage::pointer::Button;

/// Real time of a frame, s.
const FRAME: f64 = 1.0 / 60.0;

/// The window on a shipped scene, paused.
fn model(key: &str) -> Model {
    let entry = catalogue::find(key).expect("a shipped scene");
    let scene = OpenScene { title: key.to_owned(), path: None, text: entry.text.to_owned() };
    Model::new(Some(scene), Player::new(false), Stepping::within_frame(None)).expect("a model")
}

/// The run of the fork with that index.
fn fork(model: &Model, index: usize) -> &LiveRun {
    model.comparison().forks()[index].run()
}

/// Plays frames until the main run has passed `time`, s.
fn play(model: &mut Model, time: f64) {
    model.runs.player.playing = true;
    while model.run().world().time() < time {
        model.advance(FRAME);
    }
    model.runs.player.playing = false;
    for _ in 0..3 {
        model.advance(FRAME);
    }
}

/// Grabs a body of the running world and pulls it aside.
fn pull(model: &mut Model, body: usize) {
    // While paused, a press moves a body.
    model.runs.player.playing = true;
    let at = model.run().world().bodies()[body].pose.position;
    model.apply(Intent::Press { button: Button::Left, at, reach: 0.0 });
    model.apply(Intent::Drag(at + glam::dvec2(0.3, 0.2)));
    assert!(model.run().world().grab().is_some());
}

/// Poses and velocities as bits.
fn bits(world: &World) -> Vec<[u64; 6]> {
    let of = |body: &driftlab::model::Body| {
        let (q, v) = (body.pose.coordinates(), body.velocity.coordinates());
        [q.x, q.y, q.z, v.x, v.y, v.z].map(f64::to_bits)
    };
    world.bodies().iter().map(of).collect()
}

fn place(key: &str) -> usize {
    peers::place(key).expect("an engine of this program")
}

/// The places of engines lie behind that of trajectories, so that the number keys and the first nine chips stay those of the
/// table.
#[test]
fn engines_stand_behind_the_table() {
    let places: Vec<_> = peers::all().map(|(place, _)| place).collect();
    assert_eq!(places[..TABLE.len()], (0..TABLE.len()).collect::<Vec<_>>());
    assert!(peers::at(TABLE.len()).is_none());
    assert_eq!(place("box2d"), TABLE.len() + 1);
    assert_eq!(place("rapier"), TABLE.len() + 2);
}

/// Back and forward again step by step, an engine's run beside ours shows the state of every step bit for bit, across frames
/// of many steps and a pull of the mouse: what the engine remembers of contacts and joints comes back, too.
#[test]
fn stepping_back_gives_the_same_bits() {
    for (key, _) in peers::NAMES {
        for scene in ["six-link-chain", "pyramid-10"] {
            let mut model = model(scene);
            model.apply(Intent::Beside(place(key)));
            let mut states = vec![bits(fork(&model, 0).world())];
            for frame in 0..6 {
                match frame {
                    3 => pull(&mut model, 3),
                    5 => model.apply(Intent::Release),
                    _ => {}
                }
                for _ in 0..7 {
                    model.apply(Command::StepForward);
                    states.push(bits(fork(&model, 0).world()));
                }
            }
            assert!(states.windows(2).all(|pair| pair[0] != pair[1]) || scene == "pyramid-10");
            let last = states.len() - 1;
            for steps in (0..last).rev() {
                model.apply(Command::StepBack);
                assert_eq!(fork(&model, 0).world().steps(), steps as u64);
                assert_eq!(
                    bits(fork(&model, 0).world()),
                    states[steps],
                    "{key}, {scene}: back to step {steps}"
                );
            }
            for (steps, state) in states.iter().enumerate().skip(1) {
                model.apply(Command::StepForward);
                assert_eq!(
                    bits(fork(&model, 0).world()),
                    *state,
                    "{key}, {scene}: forward to step {steps}"
                );
            }
        }
    }
}

/// Frames that make many steps keep few states: those in between are made again from what was kept, to the same bits, and a
/// frame at a time gives what one step at a time does.
#[test]
fn states_between_those_kept_are_made_again() {
    for (key, _) in peers::NAMES {
        let [mut framed, mut single] = [0, 1].map(|_| model("pyramid-10"));
        for model in [&mut framed, &mut single] {
            model.apply(Setting::Scheme(place(key)));
        }
        let mut states = vec![bits(single.run().world())];
        for _ in 0..6 {
            framed.runs.player.playing = true;
            framed.advance(0.1);
            framed.runs.player.playing = false;
            while single.run().world().steps() < framed.run().world().steps() {
                single.apply(Command::StepForward);
                states.push(bits(single.run().world()));
            }
        }
        let last = states.len() - 1;
        assert!(last > 30);
        assert_eq!(bits(framed.run().world()), states[last], "{key}");
        for steps in (0..last).rev() {
            framed.apply(Command::StepBack);
            assert_eq!(bits(framed.run().world()), states[steps], "{key}: step {steps}");
        }
    }
}

/// One hand pulls all runs: the engine's bodies follow it, and without it they stay.
#[test]
fn the_same_hand_pulls_the_engines() {
    for (key, _) in peers::NAMES {
        let [mut pulled, mut left] = [0, 1].map(|_| model("six-link-chain"));
        for (model, pulls) in [(&mut pulled, true), (&mut left, false)] {
            model.apply(Intent::Beside(place(key)));
            if pulls {
                pull(model, 2);
            }
            play(model, 0.1);
        }
        let centre = |model: &Model| fork(model, 0).world().bodies()[2].pose.position;
        let apart = centre(&pulled).distance(centre(&left));
        assert!(apart > 1e-3, "{key}: {apart} m");
    }
}

/// An engine has its row in the table and its share in equal cost.
#[test]
fn engines_are_in_the_table_and_in_equal_cost() {
    let mut model = model("six-link-chain");
    for (key, _) in peers::NAMES {
        model.apply(Intent::Beside(place(key)));
    }
    play(&mut model, 0.2);
    let table = rows(model.comparison(), None);
    for ((key, name), row) in peers::NAMES.iter().zip(&table[1..]) {
        assert_eq!(row.scheme, place(key));
        assert!(row.name.starts_with(name) && !row.failed, "{}", row.name);
        assert!(row.joint_error < 0.05 && row.apart.is_some_and(|apart| apart < 0.5));
        assert!(row.step_seconds > 0.0);
    }
    model.apply(Intent::EqualCost(Some(Budget::Slowest)));
    let steps: Vec<f64> = model.comparison().charged().map(|(_, run)| run.time_step()).collect();
    assert_eq!(steps.len(), 3);
    let h = model.run().time_step();
    play(&mut model, 0.3);
    let late = |run: &LiveRun| (run.world().time() - model.run().world().time()).abs();
    assert!(model.comparison().forks().iter().all(|fork| late(fork.run()) < 1.5 * h));
}

/// A scene that an engine cannot have is refused with what it lacks, and nothing is added.
#[test]
fn what_an_engine_lacks_is_said() {
    for (key, _) in peers::NAMES {
        let mut model = model("gear-train");
        let before = model.run().method().clone();
        for intent in [Intent::Beside(place(key)), Intent::Set(Setting::Scheme(place(key)))] {
            model.apply(intent);
            let refusal = model.news.refusal.take().expect("a refusal");
            assert!(refusal.problems.iter().any(|own| own.contains("gear")), "{:?}", refusal.problems);
        }
        assert!(model.comparison().forks().is_empty() && *model.run().method() == before);
    }
}

/// The forces of an engine's run are those that it tells: a box at rest is carried by its two contacts with its weight, and what
/// a link's hinges and its weight add up to is what moves it, but for what an estimate by the last of several substeps leaves.
/// After going back they are there again.
#[test]
fn forces_of_an_engine_are_told() {
    for (key, _) in peers::NAMES {
        let mut resting = model("box-at-rest");
        resting.apply(Intent::Beside(place(key)));
        play(&mut resting, 1.0);
        let run = fork(&resting, 0);
        let (world, account) = (run.world(), run.account().expect("an account"));
        assert!(account.is_estimated, "{key}");
        let weight = world.bodies()[1].mass_properties().mass * 9.81;
        let forces = account.forces(world, 1);
        let contacts: Vec<_> = forces.iter().filter(|force| force.source == Source::Contact).collect();
        assert_eq!((contacts.len(), world.contacts().len()), (2, 2), "{key}: {forces:?}");
        let carried: f64 = contacts.iter().map(|force| force.value.y).sum();
        assert!((carried / weight - 1.0).abs() < 1e-3, "{key}: {carried} N of {weight} N");
        assert!(sum(&forces).truncate().length() < 1e-3 * weight, "{key}: {forces:?}");
        assert!(contacts.iter().all(|force| force.at.y.abs() < 0.01), "{key}: {forces:?}");

        let mut hanging = model("six-link-chain");
        hanging.apply(Intent::Beside(place(key)));
        for _ in 0..30 {
            hanging.apply(Command::StepForward);
        }
        let left = |model: &Model| {
            let run = fork(model, 0);
            let (world, account) = (run.world(), run.account().expect("an account"));
            let of = |body: usize| {
                let forces = account.forces(world, body);
                let hinges = forces.iter().filter(|force| matches!(force.source, Source::Joint(_)));
                assert!(hinges.count() > 0, "{key}, {body}: {forces:?}");
                let away = (sum(&forces) - account.inertial_force(body)).truncate().length();
                away / account.inertial_force(body).truncate().length()
            };
            (1..world.bodies().len()).map(of).fold(0.0, f64::max)
        };
        let there = left(&hanging);
        println!("{key}: {there}");
        assert!(there < 0.2, "{key}: {there} of m a is left");
        hanging.apply(Command::StepForward);
        hanging.apply(Command::StepBack);
        assert_eq!(left(&hanging), there, "{key}");
    }
}
