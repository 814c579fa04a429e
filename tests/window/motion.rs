//! The plot of the selected body: every step of every run is recorded, and what is shown is what the body did.

use super::panels::window;
use driftlab::app::commands::Command;
use driftlab::app::intent::{Intent, Selected};
use driftlab::app::model::Model;
use driftlab::app::runs::history::Channel;
use driftlab::app::view_state::plot_view::{MOTION, PlotView, Tab};
use driftlab::glam::DVec2;
use egui_kittest::kittest::Queryable;

const ALL: [Channel; 7] = [
    Channel::X,
    Channel::Y,
    Channel::Angle,
    Channel::Speed,
    Channel::Turning,
    Channel::BodyEnergy,
    Channel::NetForce,
];

fn select(model: &mut Model, index: usize) {
    let body = model.run().world().id_of(index).expect("a body");
    model.apply(Intent::Select(Some(Selected { body, at: DVec2::ZERO })));
    model.settle();
}

/// A body that falls freely: under semi-implicit Euler yₙ = y₀ − g h² n (n + 1)/2 and vₙ = −g h n, its energy is ½ m v², and the only
/// force is its weight.
#[test]
fn a_fall_is_recorded_step_by_step() {
    let mut model = super::model("bouncing-ball");
    let world = model.run().world();
    let index = world.bodies().iter().position(|body| body.is_dynamic()).expect("a ball");
    let (y, m) = (world.bodies()[index].pose.position.y, world.bodies()[index].mass_properties().mass);
    let (g, h) = (-world.gravity().y, model.run().time_step());
    assert_eq!(world.velocity_of(index).y, 0.0);
    select(&mut model, index);
    model.player.playing = true;
    model.advance(0.05);
    let rows: Vec<_> = model.run().history().rows(&ALL).collect();
    assert!(rows.len() > 10, "{} rows", rows.len());
    for (n, (time, row)) in (1..).zip(&rows) {
        let n = f64::from(n);
        let speed = g * h * n;
        assert!((time - n * h).abs() < 1e-12);
        let expected = [y - 0.5 * g * h * h * n * (n + 1.0), speed, 0.5 * m * speed * speed, m * g];
        for (value, expected) in [row[1], row[3], row[5], row[6]].into_iter().zip(expected) {
            assert!(
                (value - expected).abs() <= 1e-9 * expected.abs().max(1.0),
                "{value}, {expected} at {n}"
            );
        }
    }
}

/// Many steps between two pictures are recorded like steps one by one, in every run.
#[test]
fn no_step_is_left_out() {
    let watched = |play: fn(&mut Model)| {
        let mut model = super::model("double-pendulum");
        model.apply(Intent::Beside(0));
        select(&mut model, 2);
        play(&mut model);
        model.settle();
        let fork = model.comparison().forks()[0].run();
        [model.run(), fork].map(|run| run.history().rows(&ALL).collect::<Vec<_>>())
    };
    let at_once = watched(|model| {
        model.player.playing = true;
        model.advance(0.08);
    });
    let steps = at_once[0].len();
    assert!(steps > 10);
    let [main, fork] = watched(|model| (0..200).for_each(|_| model.apply(Command::StepForward)));
    assert_eq!(at_once[0], main[..steps]);
    assert_eq!(at_once[1], fork[..at_once[1].len()]);
}

/// Of another body nothing is known from before it was clicked.
#[test]
fn another_body_begins_anew() {
    let mut model = super::model("double-pendulum");
    select(&mut model, 1);
    (0..5).for_each(|_| model.apply(Command::StepForward));
    select(&mut model, 2);
    assert_eq!(model.run().history().rows(&ALL).count(), 0);
    model.apply(Command::StepForward);
    let rows: Vec<_> = model.run().history().rows(&ALL).collect();
    assert_eq!(rows[0].1[0], model.run().world().bodies()[2].pose.position.x);
    let table = model.motion_table();
    let head = "run,time,x,y,angle,speed,angular_velocity,kinetic_energy,net_force\n";
    assert!(table.starts_with(head) && table.lines().count() == 2, "{table}");
}

/// The tab asks for a click, then names the body and what is plotted, over time or over another quantity.
#[test]
fn the_tab_names_what_it_shows() {
    let mut model = super::model("double-pendulum");
    model.apply(Intent::Plot(PlotView { tab: Tab::Body, ..PlotView::default() }));
    let mut harness = window(model);
    harness.run_steps(2);
    assert!(harness.query_by_label_contains("Click a body").is_some());
    select(harness.state_mut(), 2);
    (0..20).for_each(|_| harness.state_mut().apply(Command::StepForward));
    for phase in [None, Some(0)] {
        let view = PlotView { phase, ..harness.state().plot.clone() };
        harness.state_mut().apply(Intent::Plot(view));
        harness.run_steps(2);
        assert!(harness.query_by_label_contains("Click a body").is_none());
        assert!(harness.query_all_by_label(MOTION[1].name).next().is_some());
    }
    harness.get_by_label("CSV").click();
    harness.run_steps(2);
    assert!(harness.state().file_action.is_some());
}
