//! `projection` and `rattle` hold every shipped joint scene on its manifold for a minute of simulated time.

use driftlab::scene::{Scene, catalogue};
use driftlab::stabilizer::{Method, Workspace};
use driftlab::step::step;

/// Simulated time, s.
const DURATION: f64 = 60.0;
/// Largest joint error that is accepted after the first step, m or rad.
const TOLERANCE: f64 = 1e-10;
/// Scenes that take minutes: 1,000 links, and a grid of 400 disks with 324 dependent rows.
const LARGE: [&str; 2] = ["chain-1000", "joint-grid"];

#[track_caller]
fn holds(key: &str, large: bool) {
    let method = Method::by_key(key).unwrap();
    let mut scenes = 0;
    for entry in catalogue::entries() {
        if LARGE.contains(&entry.key) != large {
            continue;
        }
        let scene = Scene::parse(entry.text).unwrap();
        let mut world = scene.world;
        let mut workspace = Workspace::default();
        scenes += 1;
        while world.time < DURATION {
            let report = step(&mut world, &method, scene.settings.time_step, &mut workspace);
            let report = report.unwrap_or_else(|error| panic!("{}: {error}", entry.key));
            // A comparison that a NaN fails.
            let held = report.joint_error < TOLERANCE;
            assert!(held, "{} at {:.3} s: {:e}", entry.key, world.time, report.joint_error);
        }
    }
    assert!(scenes >= 2);
}

/// Newton's method in position and velocity after every step.
#[test]
fn projection_holds_every_scene() {
    holds("projection", false);
}

/// SHAKE's solve within every step, cut into parts where a chain cracks like a whip.
#[test]
fn rattle_holds_every_scene() {
    holds("rattle", false);
}

/// The same for the two scenes that take minutes.
#[test]
#[ignore = "minutes; the continuous integration runs it in release"]
fn projection_holds_the_large_scenes() {
    holds("projection", true);
}

/// The same for the two scenes that take minutes.
#[test]
#[ignore = "minutes; the continuous integration runs it in release"]
fn rattle_holds_the_large_scenes() {
    holds("rattle", true);
}
