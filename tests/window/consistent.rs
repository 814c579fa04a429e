//! The message about start velocities that do not fit, and its button.

use super::panels::{click, window};
use driftlab::experiment::contradiction;
use driftlab::workbench::model::Model;
use driftlab::workbench::options::OpenScene;
use driftlab::workbench::runs::player::Player;

/// The button beside the message begins the scene anew with velocities that fit: a block that is led by a rod of √4.25
/// m from a crank of 0.5 m at 3 rad/s, whose pin is above the hub, starts with the pin's velocity, −1.5 m/s along the rail.
#[test]
fn a_button_makes_start_velocities_consistent() {
    let text = include_str!("../worlds/kinematic-crank.json").to_owned();
    let scene = OpenScene { title: "crank".to_owned(), path: None, text };
    let mut model = Model::new(None, Player::new(false), super::within_frame()).expect("a model");
    model.apply(driftlab::workbench::intent::Intent::Open(scene));
    model.runs.player.playing = false;
    let toast = model.news.toast.clone().expect("a message");
    assert!(toast.text.contains("crank – block") && toast.text.contains("1.455 m/s"), "{}", toast.text);
    let mut window = window(model);
    click(&mut window, "Make start velocities consistent");
    let run = window.state().run();
    let speed = run.scene.world.bodies()[2].velocity.linear.x;
    assert!((speed + 1.5).abs() < 1e-12, "{speed}");
    assert_eq!(contradiction(&run.scene.world, run.method()), None);
    let text = &window.state().news.toast.as_ref().expect("a message").text;
    assert_eq!(text, "The start velocities fit all joints");
}
