//! The plot of what is watched: every step of every run is recorded, and what is shown is what bodies, joints, springs
//! and contacts did.

use super::panels::window;
use driftlab::app::OpenScene;
use driftlab::app::commands::Command;
use driftlab::app::intent::{Intent, Selected};
use driftlab::app::model::{FileKind, Model};
use driftlab::app::runs::history::Channel;
use driftlab::app::runs::live_run::Setting;
use driftlab::app::runs::player::{Pace, Player};
use driftlab::app::runs::watched::Watchable;
use driftlab::app::view_state::plot_view::{PlotView, Tab};
use driftlab::app::view_state::pointer::Button;
use driftlab::figure::canvas::Format;
use driftlab::figure::{Curve, Named, draw};
use driftlab::glam::{DVec2, dvec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

fn select(model: &mut Model, index: usize) {
    let body = model.run().world().id_of(index).expect("a body");
    model.apply(Intent::Select(Some(Selected { body, at: DVec2::ZERO })));
    model.settle();
}

fn watch(model: &mut Model, watched: Watchable) {
    model.apply(Intent::Watch(watched));
    model.settle();
}

fn contact(model: &Model, bodies: [usize; 2]) -> Watchable {
    Watchable::Contact(bodies.map(|index| model.run().world().id_of(index).expect("a body")))
}

/// The reading of that key after each of so many steps.
fn readings<const N: usize>(model: &mut Model, steps: usize, keys: [&str; N]) -> Vec<[f64; N]> {
    (0..steps).for_each(|_| model.apply(Command::StepForward));
    let own = model.watched().expect("something is watched").readings(model.run().world());
    let place = |key: &str| own.iter().position(|reading| reading.key == key).expect("a reading");
    let channels = keys.map(|key| Channel::WATCHED[place(key)]);
    let rows: Vec<_> = model.run().history().rows(&channels).collect();
    rows.into_iter().map(|(_, row)| std::array::from_fn(|i| row[i])).collect()
}

fn assert_near(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance * expected.abs().max(1e-9),
        "{found}, expected {expected}"
    );
}

/// A uniform bar that falls from the horizontal about its end, at the angle θ below it: N = 5/2 m g sin θ along the bar and
/// 1/4 m g cos θ across it, and ω² = 3 g sin θ / l.
#[test]
fn a_hinge_carries_what_theory_says() {
    let mut model = super::model("single-pendulum");
    let world = model.run().world();
    let (mass, hinge) = (world.bodies()[1].mass_properties().mass, world.joint_ids()[0]);
    let g = -world.gravity().y;
    model.apply(Intent::Beside(0));
    watch(&mut model, Watchable::Joint(hinge));
    let rows = readings(&mut model, 60, ["angle", "angular_velocity", "error", "force", "motor"]);
    assert_eq!(rows.len(), 60);
    for (n, [angle, rate, error, force, motor]) in (1..).zip(&rows) {
        let (sin, cos) = (-angle).sin_cos();
        // The step is of first order.
        let tolerance = 3.0 / f64::from(n);
        assert_near(*force, mass * g * (2.5 * sin).hypot(0.25 * cos), tolerance);
        assert_near(rate * rate, 3.0 * g * sin, tolerance);
        assert!(motor.is_nan() && *error < 0.01);
    }
    // The error of the only joint is the one in the plot of errors.
    let joint_error: Vec<_> = model.run().history().rows(&[Channel::JointError]).collect();
    for ([.., error, _, _], (_, report)) in rows.iter().zip(&joint_error[joint_error.len() - 60..]) {
        assert_eq!(*error, report[0]);
    }
    let fork = model.comparison().forks()[0].run();
    assert_eq!(fork.history().rows(&Channel::WATCHED[..1]).count(), 60);
}

/// A block that rests on an incline of 0.4 rad is carried by m g cos 0.4 and held by m g sin 0.4; one that slides is held by μ N.
#[test]
fn contacts_carry_and_hold() {
    for (index, mu) in [(3, None), (1, Some(0.35))] {
        let mut model = super::model("block-on-incline");
        let mass = model.run().world().bodies()[index].mass_properties().mass;
        let weight = -mass * model.run().world().gravity().y;
        let pair = contact(&model, [0, index]);
        watch(&mut model, pair);
        let rows = readings(&mut model, 50, ["normal_force", "friction", "sliding", "points", "overlap"]);
        for [normal, friction, sliding, points, overlap] in &rows[20..] {
            assert_near(*normal, weight * 0.4_f64.cos(), 1e-6);
            assert_near(*friction, mu.map_or(weight * 0.4_f64.sin(), |mu: f64| mu * normal), 1e-6);
            // Downhill is against the tangent.
            assert_eq!(*sliding < -1e-3, mu.is_some(), "{sliding}");
            assert!(*points == 2.0 && overlap.abs() < 1e-3);
        }
    }
}

/// A spring's force is k s, its energy ½ k s²; the ball hangs on nothing else.
#[test]
fn a_spring_pulls_by_its_elongation() {
    let mut model = super::model("spring-pendulum");
    let spring = model.run().world().spring_ids()[0];
    watch(&mut model, Watchable::Spring(spring));
    for [length, s, force, energy] in
        &readings(&mut model, 200, ["length", "elongation", "force", "energy"])[100..]
    {
        assert_near(*length, 1.0 + s, 1e-12);
        assert_near(*energy, 30.0 * s * s, 1e-12);
        assert_near(*force, 60.0 * s.abs(), 0.02);
    }
}

/// A motor's torque and a slider's travel.
#[test]
fn motors_and_sliders_are_read() {
    let mut model = super::model("car");
    let wheel = model.run().world().joint_ids()[0];
    watch(&mut model, Watchable::Joint(wheel));
    // At its limit while the wheel gains speed.
    for [torque] in &readings(&mut model, 10, ["motor"])[3..] {
        assert_near(*torque, -300.0, 1e-9);
    }
    let mut model = super::model("slider-crank");
    let slider = *model.run().world().joint_ids().last().expect("a slider");
    let start = model.run().world().bodies()[3].pose.position.x;
    watch(&mut model, Watchable::Joint(slider));
    let rows = readings(&mut model, 100, ["travel", "rate", "limit"]);
    let piston = &model.run().world().bodies()[3];
    let [travel, rate, limit] = rows[99];
    assert_near(travel, piston.pose.position.x - start, 1e-9);
    assert_near(rate, piston.velocity.linear.x, 1e-9);
    assert!(limit.is_nan());
}

/// Three bars of 2 kg and 1 m stand out from a wall, in rest: one welded, one on its lower limit, one at a torsional
/// spring. Weld and limit carry m g l/2 anticlockwise; the spring turns back, clockwise from above its rest angle.
#[test]
fn moments_limits_and_torques_have_their_signs() {
    let bar = |name: &str, y: f64| {
        format!(
            r#"{{ "name": "{name}", "position": [0.5, {y}], "mass": 2, "collides": false, "shapes": [{{ "shape": "box", "size": [1, 0.1] }}] }}"#
        )
    };
    let text = format!(
        r#"{{ "format": "driftlab-scene/1", "name": "Bars", "gravity": [0, -9.81],
            "settings": {{ "time_step": 0.001, "stabilizer": {{ "kind": "anitescu_hart" }} }},
            "bodies": [{{ "name": "wall", "type": "fixed", "position": [0, 0] }}, {}, {}, {}],
            "joints": [{{ "joint": "weld", "bodies": ["wall", "welded"], "anchor": [0, 0] }},
                       {{ "joint": "hinge", "bodies": ["wall", "limited"], "anchor": [0, 1], "limits": [0, 1] }},
                       {{ "joint": "hinge", "bodies": ["wall", "sprung"], "anchor": [0, 2] }}],
            "springs": [{{ "bodies": ["wall", "sprung"], "anchor": [0, 2], "stiffness": 100, "rest_angle": -0.5 }}] }}"#,
        bar("welded", 0.0),
        bar("limited", 1.0),
        bar("sprung", 2.0)
    );
    let scene = OpenScene { title: "bars".to_owned(), path: None, text };
    let model = || {
        let scene = Some(scene.clone());
        Model::new(scene, Player::new(false), super::within_frame()).expect("a model")
    };
    let (force, carried) = (2.0 * 9.81, 2.0 * 9.81 * 0.5);
    let mut welded = model();
    let weld = welded.run().world().joint_ids()[0];
    watch(&mut welded, Watchable::Joint(weld));
    let rows = readings(&mut welded, 20, ["force", "moment"]);
    assert_near(rows[19][0], force, 1e-6);
    assert_near(rows[19][1], carried, 1e-6);
    let mut limited = model();
    let hinge = limited.run().world().joint_ids()[1];
    watch(&mut limited, Watchable::Joint(hinge));
    assert_near(readings(&mut limited, 20, ["limit"])[19][0], carried, 1e-6);
    let mut sprung = model();
    let spring = sprung.run().world().spring_ids()[0];
    watch(&mut sprung, Watchable::Spring(spring));
    let rows = readings(&mut sprung, 20, ["elongation", "torque"]);
    assert!(rows[0][0] > 0.49);
    for [elongation, torque] in rows {
        assert_near(torque, -100.0 * elongation, 0.02);
    }
}

/// A click on a joint's mark, and one on a contact's, chooses it; one on a body selects the body and watches it.
#[test]
fn clicks_choose_what_is_watched() {
    let mut harness = window(super::model("single-pendulum"));
    let on_screen = |harness: &Harness<'_, Model>, at| {
        let model = harness.state();
        model.camera.to_screen(model.canvas, at)
    };
    let (hinge, bar) = (on_screen(&harness, dvec2(0.0, 0.0)), on_screen(&harness, dvec2(0.6, 0.0)));
    super::body::click(&mut harness, hinge);
    let id = harness.state().run().world().joint_ids()[0];
    assert_eq!(harness.state().watched(), Some(Watchable::Joint(id)));
    assert_eq!(harness.state().selected, None);
    super::body::click(&mut harness, bar);
    let model = harness.state_mut();
    let bar = model.run().world().id_of(1).expect("the bar");
    assert_eq!(model.watched(), Some(Watchable::Body(bar)));
    // What is watched goes on being recorded when the body's card is closed, and ends with the scene.
    model.apply(Intent::Select(None));
    assert_eq!(model.watched(), Some(Watchable::Body(bar)));
}

/// A body that falls freely: under semi-implicit Euler yₙ = y₀ − g h² n (n + 1)/2 and vₙ = −g h n, its energy is ½ m
/// v², and the only force is its weight.
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
    let rows: Vec<_> = model.run().history().rows(&Channel::WATCHED).collect();
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
        [model.run(), fork].map(|run| run.history().rows(&Channel::WATCHED[..7]).collect::<Vec<_>>())
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

/// Another body's readings are its own from the start on, also those of steps that were made before it was clicked.
#[test]
fn another_body_has_its_own_past() {
    let mut model = super::model("double-pendulum");
    select(&mut model, 1);
    let mut places = Vec::new();
    for _ in 0..5 {
        model.apply(Command::StepForward);
        places.push(model.run().world().bodies()[2].pose.position.x);
    }
    select(&mut model, 2);
    read_the_past(&mut model);
    model.apply(Command::StepForward);
    places.push(model.run().world().bodies()[2].pose.position.x);
    let rows = model.run().history().rows(&Channel::WATCHED).filter(|(time, _)| *time > 0.0);
    assert_eq!(rows.map(|(_, row)| row[0]).collect::<Vec<_>>(), places);
    model.apply(Intent::Plot(PlotView { tab: Tab::Watch, ..PlotView::default() }));
    let table = model.plotted_table();
    let head = "run,time,x,y,angle,speed,angular_velocity,kinetic_energy,net_force,vx,vy,ax,ay,angular_acceleration\n";
    assert!(table.starts_with(head) && table.lines().count() >= 7, "{table}");
}

/// The tab asks for a click, then names what is watched and what is plotted, over time or over another reading.
#[test]
fn the_tab_names_what_it_shows() {
    let mut model = super::model("double-pendulum");
    model.apply(Intent::Plot(PlotView { tab: Tab::Watch, ..PlotView::default() }));
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
        assert!(harness.query_all_by_label("position y").next().is_some());
    }
    // Everything that can be watched is in the list.
    harness.get_all_by_label("bob2").next().expect("the name").click();
    harness.run_steps(2);
    let listed = |name: &str| harness.query_all_by_label_contains(name).count();
    assert!(listed("bob1") > 0 && listed("rod") >= 2, "{} {}", listed("bob1"), listed("rod"));
}

/// Every plot can be saved: as a table of all steps, and as a picture with a line for every run.
#[test]
fn plots_are_saved_as_tables_and_pictures() {
    let mut model = super::model("double-pendulum");
    model.apply(Intent::Beside(0));
    select(&mut model, 2);
    (0..40).for_each(|_| model.apply(Command::StepForward));
    model.settle();
    for (tab, head, phase) in [
        (Tab::Errors, "run,time,joint_error,joint_error_before", None),
        (Tab::Energy, "run,time,kinetic_energy,potential_energy,total_energy,correction_work", None),
        (Tab::Solver, "run,time,rows,contacts,islands,solver_iterations", None),
        (Tab::Watch, "run,time,x,y,angle", None),
        (Tab::Watch, "run,time,x,y,angle", Some(0)),
    ] {
        model.apply(Intent::Plot(PlotView { tab, phase, ..PlotView::default() }));
        let table = model.plotted_table();
        assert!(table.starts_with(head), "{table}");
        // A row for each step of both runs; the start counts, where it is known.
        assert!((81..=83).contains(&table.lines().count()), "{}", table.lines().count());
        let chart = model.chart();
        let named: Vec<&Curve> = chart.curves.iter().filter(|curve| curve.named == Named::Legend).collect();
        assert!(named.len() >= 2 && named.len().is_multiple_of(2), "{tab:?}: {}", named.len());
        assert!(named.iter().any(|curve| curve.parts.iter().any(|part| part.len() > 30)), "{tab:?}");
        let svg = String::from_utf8(draw(&chart, Format::Svg, 8).expect("a picture")).expect("text");
        for curve in named {
            assert!(svg.contains(&curve.label.replace('&', "&amp;")), "{tab:?}: {}", curve.label);
        }
        assert!(draw(&chart, Format::Png, 8).expect("a picture").starts_with(b"\x89PNG"));
        for kind in [FileKind::Table, FileKind::Drawing, FileKind::Picture] {
            model.file_action = None;
            model.apply(Intent::SavePlot(kind));
            assert!(model.file_action.is_some());
        }
    }
}

/// Lets the past of what is watched be read.
fn read_the_past(model: &mut Model) {
    let mut left = 10_000;
    while model.comparison().is_recalling() && left > 0 {
        model.settle();
        left -= 1;
    }
    assert!(left > 0, "the past is never read to its end");
}

/// What is watched late has the readings of what was watched from the start, bit for bit: through changes of scheme and
/// step, a pull of the mouse, in every run, and also on the way back in time.
#[test]
fn what_is_watched_late_has_its_past() {
    let played = |early: bool| {
        let mut model = super::chain();
        model.apply(Intent::Beside(0));
        let hinge = Watchable::Joint(model.run().world().joint_ids()[2]);
        let frames = |model: &mut Model, count: usize| {
            for _ in 0..count {
                model.advance(1.0 / 60.0);
                model.settle();
            }
        };
        if early {
            watch(&mut model, hinge);
        }
        frames(&mut model, 20);
        model.apply(Command::Scheme(1));
        frames(&mut model, 20);
        let at = model.run().world().bodies()[3].pose.position;
        model.apply(Intent::Press { button: Button::Left, at, reach: 0.01 });
        model.apply(Intent::Drag(at + dvec2(0.05, 0.05)));
        frames(&mut model, 10);
        model.apply(Intent::Release);
        model.apply(Setting::TimeStep(0.002));
        frames(&mut model, 20);
        if !early {
            watch(&mut model, hinge);
            read_the_past(&mut model);
        }
        frames(&mut model, 5);
        model
    };
    let rows = |model: &Model, run: usize| -> Vec<(f64, Vec<u64>)> {
        let main = [model.run()].into_iter();
        let mut runs = main.chain(model.comparison().forks().iter().map(|fork| fork.run()));
        let history = runs.nth(run).expect("a run").history();
        let bits =
            |row: Vec<f64>| row.into_iter().map(|x| if x.is_nan() { 0 } else { x.to_bits() }).collect();
        history
            .rows(&Channel::WATCHED[..9])
            .filter(|(time, _)| *time > 0.0)
            .map(|(t, row)| (t, bits(row)))
            .collect()
    };
    let (early, late) = (played(true), played(false));
    for run in 0..2 {
        let (early, late) = (rows(&early, run), rows(&late, run));
        assert!(early.len() > 500, "{} steps", early.len());
        assert_eq!(late.len(), early.len(), "run {run}");
        for (one, other) in late.iter().zip(&early) {
            assert_eq!(one, other, "run {run}");
        }
    }
}

/// Two bodies that move freely: their distance, its rate, and what one sees of the other follow from straight lines.
#[test]
fn one_body_is_seen_from_another() {
    let ball = |name: &str, at: [f64; 2], velocity: [f64; 2], turning: f64| {
        serde_json::json!({ "name": name, "position": at, "velocity": velocity, "angular_velocity": turning, "collides": false,
            "shapes": [{ "shape": "circle", "radius": 0.1 }] })
    };
    let text = serde_json::json!({ "format": "driftlab-scene/1", "name": "free", "gravity": [0, 0],
        "settings": { "time_step": 0.0625, "stabilizer": { "kind": "none" } },
        "bodies": [ball("a", [0.0, 0.0], [1.0, 0.0], 0.5), ball("b", [3.0, 4.0], [0.0, -2.0], -0.25)] });
    let scene = OpenScene { title: "free".to_owned(), path: None, text: text.to_string() };
    let mut model = super::model("single-pendulum");
    model.apply(Intent::Open(scene));
    model.player.playing = false;
    let ids = [1, 0].map(|index| model.run().world().id_of(index).expect("a body"));
    watch(&mut model, Watchable::Pair(ids));
    let keys = ["distance", "distance_rate", "x", "y", "angle", "vx", "vy", "angular_velocity"];
    for (n, row) in (1..).zip(readings(&mut model, 16, keys)) {
        let t = 0.0625 * f64::from(n);
        let (x, y) = (3.0 - t, 4.0 - 2.0 * t);
        let distance = x.hypot(y);
        let right = [distance, -(x + 2.0 * y) / distance, x, y, -0.75 * t, -1.0, -2.0, -0.75];
        row.iter().zip(right).for_each(|(found, right)| assert_near(*found, right, 1e-12));
    }
    assert!(Watchable::Pair(ids).name(model.run().world()).contains("b from a"));
}

/// A stone that is thrown has vₓ for ever, v_y = v₀ − g t and the acceleration (0, −g); a bar that is welded to a wall
/// is carried upwards.
#[test]
fn components_have_their_signs() {
    let text = serde_json::json!({ "format": "driftlab-scene/1", "name": "thrown", "gravity": [0, -8],
        "settings": { "time_step": 0.0625, "stabilizer": { "kind": "none" } },
        "bodies": [{ "name": "wall", "type": "fixed", "position": [0, 0] },
            { "name": "stone", "position": [5, 0], "velocity": [3, 1], "collides": false, "shapes": [{ "shape": "circle", "radius": 0.1 }] },
            { "name": "bar", "position": [0.5, 0], "mass": 2, "collides": false, "shapes": [{ "shape": "box", "size": [1, 0.1] }] }],
        "joints": [{ "joint": "weld", "bodies": ["wall", "bar"], "anchor": [0, 0] }] });
    let scene = OpenScene { title: "thrown".to_owned(), path: None, text: text.to_string() };
    let mut model = super::model("single-pendulum");
    model.apply(Intent::Open(scene));
    model.player.playing = false;
    let stone = model.run().world().id_of(1).expect("a stone");
    watch(&mut model, Watchable::Body(stone));
    let keys = ["vx", "vy", "ax", "ay", "angular_acceleration"];
    for (n, row) in (1..).zip(readings(&mut model, 8, keys)) {
        let right = [3.0, 1.0 - 0.5 * f64::from(n), 0.0, -8.0, 0.0];
        row.iter().zip(right).for_each(|(found, right)| assert_near(*found, right, 1e-12));
    }
    let weld = model.run().world().joint_ids()[0];
    watch(&mut model, Watchable::Joint(weld));
    for [x, y] in &readings(&mut model, 8, ["force_x", "force_y"])[1..] {
        assert!(x.abs() < 1e-9, "{x}");
        assert_near(*y, 16.0, 1e-9);
    }
}

/// The time of a step is that of the last second of play, and its parts share it.
#[test]
fn the_time_of_a_step_is_that_of_the_last_second() {
    let (mut pace, player) = (Pace::default(), Player::new(true));
    for answer in 1..=8 {
        pace.pass(&player, 0.25);
        let seconds = 1e-3 * f64::from(answer);
        pace.measured(10, 10.0 * seconds, Some([1.0, 2.0, 1.0].map(|share| share * seconds)));
    }
    // The answers of the last second took 4 to 8 ms a step.
    assert_eq!(pace.step_seconds(), 6e-3);
    let parts = pace.phase_seconds().expect("they were measured");
    parts.iter().zip([1.5e-3, 3e-3, 1.5e-3]).for_each(|(part, right)| assert_near(*part, right, 1e-12));
    // A pause measures nothing, and forgets nothing.
    pace.pass(&Player::new(false), 60.0);
    assert_eq!(pace.step_seconds(), 6e-3);
}
