//! The tab 'Solve': the problem of the newest step as rows and matrix, linked with the canvas, its replay, and the way out.

use super::panels::window;
use driftlab::app::screen::OnScreen;
use driftlab::report::ConstraintId;
use driftlab::workbench::command::Command;
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::{FileAction, Model};
use driftlab::workbench::view_state::plot_view::Tab;
use driftlab::workbench::view_state::solve_view::{RowKey, SolvePart};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use egui_macroquad::egui::{Event, Modifiers, OutputCommand, PointerButton, Pos2, Rect, pos2};

/// The window with `key` after `steps` steps, its last problem opened.
fn opened(key: &str, steps: usize) -> Harness<'static, Model> {
    let mut model = super::model(key);
    for _ in 0..steps {
        model.apply(Command::StepForward);
    }
    model.shown.plot.tab = Tab::Solver;
    window(model)
}

fn point(harness: &mut Harness<'_, Model>, at: Pos2) {
    harness.input_mut().events.push(Event::PointerMoved(at));
    harness.run_steps(2);
}

fn rect(harness: &Harness<'_, Model>, label: &str) -> Rect {
    let r = harness.get_by_label(label).bounding_box().unwrap();
    Rect::from_min_max(pos2(r.x0 as f32, r.y0 as f32), pos2(r.x1 as f32, r.y1 as f32))
}

/// Each row of a box on the floor stands in the table by its name; hovering it links its contact, clicking keeps it
/// chosen, and the contact's point on the canvas leads back to the row.
#[test]
fn rows_and_canvas_are_linked() {
    let mut harness = opened("box-at-rest", 3);
    let solved = harness.state().run().solved().expect("a solved problem");
    assert_eq!(solved.step, 3);
    let rows = solved.opened.rows().to_vec();
    assert_eq!(rows.len(), 4);
    let label = first_row(&harness);
    let row = rect(&harness, &label).center();
    point(&mut harness, row);
    assert_eq!(harness.state().shown.solve.hovered, Some(RowKey::from(&rows[0])));
    harness.get_by_label(&label).click();
    harness.run_steps(2);
    assert_eq!(harness.state().shown.solve.chosen, Some(RowKey::from(&rows[0])));

    let ConstraintId::Contact(id) = rows[2].constraint else { panic!("{:?}", rows[2].constraint) };
    let state = harness.state();
    let contact = state.run().world().contacts().iter().find(|contact| contact.id == id).unwrap();
    let at = state.sight.camera.to_screen(state.sight.canvas, contact.point);
    point(&mut harness, at);
    harness.run_steps(1);
    assert_eq!(
        harness.state().shown.solve.pointed,
        Some(rows[2].constraint),
        "the pointer is at the contact"
    );
    assert_eq!(harness.state().shown.solve.hovered, None);
    // A click there chooses the row; it neither selects a body nor pushes.
    for pressed in [true, false] {
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        harness.input_mut().events.push(Event::PointerButton { pos: at, button, pressed, modifiers });
        harness.step();
    }
    harness.run_steps(2);
    assert_eq!(harness.state().shown.solve.chosen, Some(RowKey::from(&rows[2])));
    assert_eq!(harness.state().hand.selected, None);
    assert_eq!(harness.state().run().history().marks().count(), 0);
}

/// The label of the first row of the table.
fn first_row(harness: &Harness<'_, Model>) -> String {
    let run = harness.state().run();
    format!("1 {}", run.solved().unwrap().opened.name(run.world(), 0))
}

/// A box touches the floor at two points: all four rows have different names.
#[test]
fn no_two_rows_have_one_name() {
    let harness = opened("box-at-rest", 3);
    let run = harness.state().run();
    let names: Vec<String> = (0..4).map(|i| run.solved().unwrap().opened.name(run.world(), i)).collect();
    let points = ["point 1, normal", "point 1, friction", "point 2, normal", "point 2, friction"];
    assert_eq!(names, points.map(|point| format!("contact: ground – box, {point}")));
}

/// The replay of a box on the floor: forward and back by its buttons, to the end where the result is said.
#[test]
fn pivots_are_stepped_through() {
    let mut harness = opened("box-at-rest", 3);
    harness.get_by_label("Pivots").click();
    harness.run_steps(2);
    assert_eq!(harness.state().shown.solve.part, SolvePart::Pivots);
    for (button, pivot) in
        [("Next pivot", 1), ("Next pivot", 2), ("Pivot back", 1), ("To the beginning", 0)]
    {
        harness.get_by_label(button).click();
        harness.run_steps(2);
        assert_eq!(harness.state().shown.solve.pivot, pivot, "after '{button}'");
    }
    harness.get_by_label("To the end").click();
    harness.run_steps(2);
    let made = harness.state().shown.solve.pivot;
    assert!(made >= 3, "{made} pivots");
    assert!(harness.query_by_label_contains("Solved: residual").is_some());
    harness.get_by_label("Dantzig").click();
    harness.run_steps(2);
    assert_eq!(harness.state().shown.solve.pivot, 0);
    assert!(harness.query_by_label_contains("pivot 0 of 2").is_some());
}

/// Joints alone have rows and a matrix, and no pivots: the window says so.
#[test]
fn joints_alone_are_equations() {
    let mut harness = opened("six-link-chain", 2);
    assert!(harness.query_by_label("1 hinge 0: wall – link1, x").is_some());
    harness.get_by_label("Pivots").click();
    harness.run_steps(2);
    assert!(harness.query_by_label_contains("All rows of this island are equations").is_some());
}

/// The problem is saved through the file dialog and copied to the clipboard, the same line both times.
#[test]
fn the_problem_leaves_the_window() {
    let mut harness = opened("box-at-rest", 3);
    harness.get_by_label("Save problem").click();
    harness.run_steps(1);
    let Some(FileAction::Save(_, text)) = harness.state().files.file_action.clone() else {
        panic!("no dialog")
    };
    let text = String::from_utf8(text).expect("text");
    assert!(text.contains("\"M\":[[") && text.contains("\"id\":\"box-at-rest, step 3\""), "{text}");
    harness.state_mut().files.file_action = None;
    harness.get_by_label("Copy").click();
    let mut copied = None;
    for _ in 0..3 {
        harness.step();
        let commands = &harness.output().platform_output.commands;
        copied = copied.or(commands.iter().find_map(|command| match command {
            OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        }));
    }
    assert_eq!(copied, Some(text));
}

/// The problem is opened only while somebody looks; a restart and a scheme with a solver of its own leave none, and the panel
/// keeps its height.
#[test]
fn a_problem_is_opened_where_there_is_one() {
    let mut harness = opened("box-at-rest", 2);
    let height = harness.state().canvas().height();
    harness.run_steps(5);
    assert_eq!(harness.state().canvas().height(), height, "the panel keeps its height");
    harness.state_mut().apply(Command::StepForward);
    harness.run_steps(2);
    assert_eq!(harness.state().run().solved().expect("the next problem").step, 3);
    harness.state_mut().apply(Command::Restart);
    harness.run_steps(2);
    assert!(harness.state().run().solved().is_none());
    assert!(harness.query_by_label_contains("No step has been made yet").is_some());
    let sweeping = driftlab::schemes::TABLE.iter().position(|scheme| scheme.info().key == "ngs").unwrap();
    harness.state_mut().apply(Command::Scheme(sweeping));
    harness.state_mut().apply(Command::StepForward);
    harness.run_steps(2);
    assert!(harness.query_by_label_contains("This scheme brings its own solver").is_some());
    harness
        .state_mut()
        .apply(Intent::Plot(driftlab::workbench::view_state::plot_view::PlotView::default()));
    harness.run_steps(2);
    assert!(harness.state().run().solved().is_none());
}
