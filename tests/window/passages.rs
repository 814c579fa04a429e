//! Bodies that pass through each other: the window names them, as a run without a window does, and goes on.

use driftlab::workbench::command::Command;
use driftlab::workbench::model::Model;
use driftlab::workbench::options::OpenScene;
use driftlab::workbench::runs::failure::Doubt;
use driftlab::workbench::runs::player::Player;
use egui_kittest::kittest::Queryable;

/// The ball of `worlds/through-a-floor.json` is below the floor after one step; that is told in passing, and nothing stops.
#[test]
fn a_passage_is_told_and_nothing_stops() {
    let text = include_str!("../worlds/through-a-floor.json").to_owned();
    let scene = OpenScene { title: "floor".to_owned(), path: None, text };
    let mut model = Model::new(Some(scene), Player::new(false), super::within_frame()).expect("a model");
    assert_eq!(model.run().doubt(), None);
    model.apply(Command::StepForward);
    let bodies = [0, 1].map(|index| model.run().world().body_ids()[index]);
    assert_eq!(model.run().doubt(), Some(Doubt::Passed(bodies)));
    assert!(model.run().failure().is_none());
    let window = super::panels::window(model);
    assert!(window.query_by_label_contains("floor and ball passed through each other").is_some());
}
