//! What another program has computed of a scene, measured by the functions that measure steps.

use driftlab::experiment::poses::{Measured, Poses, Velocities};
use driftlab::experiment::{CsvRecorder, Run, Summary, TraceRecorder};
use driftlab::method::Method;
use driftlab::report::StepReport;
use driftlab::scene::{Scene, catalogue};
use driftlab::step::{Workspace, measure};
use glam::DVec3;
use serde_json::json;

fn shipped(key: &str) -> Scene {
    catalogue::find(key).unwrap().scene().unwrap()
}

/// The trace of so many steps of a scene, its reports, and their summary.
fn traced(scene: &Scene, steps: u64) -> (String, Vec<StepReport>, Summary) {
    let mut run = Run::new(scene, steps);
    let mut bytes = Vec::new();
    let mut trace = TraceRecorder::new(&mut bytes).unwrap();
    let (mut summary, mut reports) = (Summary::new(scene, run.initial()), vec![*run.initial()]);
    trace.add(run.world()).unwrap();
    while let Some(report) = run.next() {
        let report = report.unwrap();
        trace.add(run.world()).unwrap();
        summary.add(&report);
        reports.push(report);
    }
    trace.flush().unwrap();
    drop(trace);
    (String::from_utf8(bytes).unwrap(), reports, summary)
}

/// Without its last columns: no velocities.
fn without_velocities(trace: &str) -> String {
    let row = |line: &str| line.split(',').take(6).collect::<Vec<_>>().join(",") + "\n";
    trace.lines().map(row).collect()
}

/// A chain of two rods of 1 m: hinged to the world at the origin, and to each other at (1, 0).
fn two_links() -> Scene {
    let link = |name: &str, x: f64| json!({ "name": name, "position": [x, 0], "shapes": [{ "shape": "box", "size": [1, 0.1] }] });
    let text = json!({
        "format": "driftlab-scene/1",
        "name": "Two links",
        "settings": { "time_step": 0.01 },
        "bodies": [{ "name": "wall", "type": "fixed", "position": [0, 0] }, link("first", 0.5), link("second", 1.5)],
        "joints": [
            { "joint": "hinge", "bodies": ["wall", "first"], "anchor": [0, 0] },
            { "joint": "hinge", "bodies": ["first", "second"], "anchor": [1, 0] }
        ]
    });
    Scene::parse(&text.to_string()).unwrap()
}

fn problems(text: &str) -> Vec<String> {
    let found = Poses::read(text, &two_links().world).unwrap_err();
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn a_trace_read_back_has_the_errors_of_its_run() {
    // Protects the yardstick: what the engine measures of its own step is what it measures of the same poses in a file,
    // for joints, contacts and energies; the distances from the run itself are rounding.
    for (key, steps) in [("six-link-chain", 300), ("pyramid-20", 20), ("slider-crank", 200)] {
        let scene = shipped(key);
        let (trace, reports, summary) = traced(&scene, steps);
        let poses = Poses::read(&trace, &scene.world).unwrap();
        assert_eq!((poses.times().len() as u64, poses.velocities()), (steps + 1, Velocities::Given));
        for (theirs, ours) in poses.reports(&scene.world, &scene.settings.method).zip(&reports) {
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 + 1e-9 * b.abs();
            assert_eq!(theirs.time, ours.time);
            assert!(
                close(theirs.joint_error, ours.joint_error),
                "{key}: {} {}",
                theirs.joint_error,
                ours.joint_error
            );
            assert!(
                close(theirs.contact_error, ours.contact_error),
                "{key}: {} {}",
                theirs.contact_error,
                ours.contact_error
            );
            assert!(
                close(theirs.total_energy(), ours.total_energy()),
                "{key}: {} {}",
                theirs.total_energy(),
                ours.total_energy()
            );
        }
        let measured = Measured::of(&poses, &scene, |_| Ok::<(), ()>(())).unwrap();
        let figures = measured.trajectory.figures;
        assert!((figures.joint_error.extreme.largest - summary.joint_error.largest).abs() < 1e-12);
        assert!((figures.contact_error.extreme.largest - summary.contact_error.largest).abs() < 1e-12);
        assert!((figures.energy.largest_drift - summary.energy.largest_drift).abs() < 1e-9);
        assert_eq!(measured.own.samples, steps + 1);
        assert!(
            measured.apart.iter().all(|apart| apart.distance.largest < 1e-12),
            "{key}: {:?}",
            measured.apart
        );
    }
}

#[test]
fn velocities_come_from_differences_where_none_are_given() {
    // Protects the kinetic energy of tables without velocities. Steps with q⁺ = q + h v⁺ have central differences that
    // are the means of the velocities of two steps, and at both ends a velocity itself.
    let mut scene = shipped("single-pendulum");
    scene.settings.method = Method::none();
    let (trace, reports, _) = traced(&scene, 200);
    let poses = Poses::read(&without_velocities(&trace), &scene.world).unwrap();
    assert_eq!(poses.velocities(), Velocities::Differences);
    let mut run = Run::new(&scene, 200);
    let mut velocities = vec![run.world().velocity_of(1)];
    while let Some(report) = run.next() {
        report.unwrap();
        velocities.push(run.world().velocity_of(1));
    }
    let body = run.world().bodies()[1].mass_properties();
    let energy =
        |v: DVec3| 0.5 * body.mass * v.truncate().length_squared() + 0.5 * body.inertia * v.z * v.z;
    let last = reports.len() - 1;
    for (i, theirs) in poses.reports(&scene.world, &scene.settings.method).enumerate() {
        let v = match i {
            0 => velocities[1],
            i if i == last => velocities[i],
            i => 0.5 * (velocities[i] + velocities[i + 1]),
        };
        let error = theirs.kinetic_energy - energy(v);
        assert!(error.abs() < 1e-9 * (1.0 + energy(v)), "sample {i}: {error}");
    }
}

#[test]
fn a_body_off_by_a_millimetre_is_an_error_of_a_millimetre() {
    // Protects the unit and the sign of nothing but the error: the hinge between the links is open by what the second
    // one is off, along x, and by the length of the shift where it has two components.
    let scene = two_links();
    let table = |x: f64, y: f64| format!("time,body,x,y,angle\n0,first,0.5,0,0\n0,second,{x},{y},0\n");
    for (x, y, error) in [(1.5, 0.0, 0.0), (1.501, 0.0, 1e-3), (1.5, -0.001, 1e-3), (1.503, 0.004, 4e-3)] {
        let poses = Poses::read(&table(x, y), &scene.world).unwrap();
        let reports: Vec<_> = poses.reports(&scene.world, &scene.settings.method).collect();
        // The error of a hinge is the largest |g| of its two rows.
        assert!((reports[0].joint_error - error).abs() < 1e-15, "{x}, {y}: {}", reports[0].joint_error);
    }
    let measured = Measured::of(&Poses::read(&table(1.503, 0.004), &scene.world).unwrap(), &scene, |_| {
        Ok::<(), ()>(())
    })
    .unwrap();
    let [first, second] = &measured.apart[..] else { panic!("{:?}", measured.apart) };
    assert_eq!((first.body.as_str(), first.distance.largest), ("first", 0.0));
    assert!((second.distance.largest - 5e-3).abs() < 1e-15);
}

#[test]
fn between_samples_poses_are_linear() {
    // Protects what is drawn: between two samples along the line between them, behind the last one at rest there, and
    // an angle that jumps by a whole turn has not turned.
    let scene = two_links();
    let rows =
        "time,body,x,y,angle\n0,first,0.5,0,3.1\n0,second,1.5,0,0\n1,first,0.7,0,-3.1\n1,second,1.5,1,0\n";
    let poses = Poses::read(rows, &scene.world).unwrap();
    let mut world = scene.world.clone();
    poses.place_at(0.25, &mut world);
    assert!((world.bodies()[1].origin().x - 0.55).abs() < 1e-15 && world.time() == 0.25);
    assert!((world.bodies()[2].origin().y - 0.25).abs() < 1e-15);
    let turn = std::f64::consts::TAU - 6.2;
    assert!((world.bodies()[1].pose.angle - (3.1 + 0.25 * turn)).abs() < 1e-12);
    poses.place_at(7.0, &mut world);
    assert!((world.bodies()[2].origin().y - 1.0).abs() < 1e-15);
}

#[test]
fn bodies_that_the_scene_moves_need_no_rows() {
    // Protects prescribed motions: a table of an engine that has no such bodies is measured against them where they are
    // at its times.
    let text = json!({
        "format": "driftlab-scene/1",
        "name": "Shaker",
        "settings": { "time_step": 0.01 },
        "bodies": [
            { "name": "shaker", "type": "kinematic", "position": [0, 0], "motion": { "sine": { "amplitude": [0.1, 0], "frequency": 1 } } },
            { "name": "bob", "position": [0.5, 0], "shapes": [{ "shape": "circle", "radius": 0.1 }] }
        ],
        "joints": [{ "joint": "hinge", "bodies": ["shaker", "bob"], "anchor": [0, 0] }]
    });
    let scene = Scene::parse(&text.to_string()).unwrap();
    let rows = "time,body,x,y,angle\n0,bob,0.5,0,0\n0.25,bob,0.6,0,0\n0.5,bob,0.5,0.002,0\n";
    let poses = Poses::read(rows, &scene.world).unwrap();
    let errors: Vec<f64> =
        poses.reports(&scene.world, &scene.settings.method).map(|report| report.joint_error).collect();
    assert!(errors[0] < 1e-15 && errors[1] < 1e-15 && (errors[2] - 2e-3).abs() < 1e-15, "{errors:?}");
}

#[test]
fn samples_before_the_scene_begins_are_left_out() {
    // Protects scenes that were saved on the way: they begin where they were saved.
    let mut scene = two_links();
    scene.world.set_time(0.5).unwrap();
    let row = |time: f64| format!("{time},first,0.5,0,0\n{time},second,1.5,0,0\n");
    let table = "time,body,x,y,angle\n".to_owned() + &[0.0, 0.25, 0.5, 0.75].map(row).concat();
    assert_eq!(Poses::read(&table, &scene.world).unwrap().times(), [0.5, 0.75]);
    scene.world.set_time(2.0).unwrap();
    let error = Poses::read(&table, &scene.world).unwrap_err();
    assert_eq!(error[0].to_string(), "ends at 0.75 s, before the scene begins at 2 s");
}

#[test]
fn a_wrong_table_is_refused_with_its_lines() {
    // Protects people with a file of another program: every refusal says where, what was expected, and what was found.
    let head = "time,body,x,y,angle\n";
    let sound = "0,first,0.5,0,0\n0,second,1.5,0,0\n";
    let long = "x".repeat(1000);
    for (rows, expected) in [
        (
            "time,body,x,y\n".to_owned(),
            "line 1: no column 'angle' (expected time, body, x, y, angle, and optionally vx, vy, omega; found time, body, x, y)",
        ),
        (
            "time,body,x,y,angle,vx,vy\n".to_owned(),
            "line 1: no column 'omega' (expected time, body, x, y, angle, and optionally vx, vy, omega; found time, body, x, y, angle, vx, vy)",
        ),
        (
            format!("{head}0,frist,0.5,0,0\n0,second,1.5,0,0\n"),
            "line 2: no body of the scene is named 'frist' (did you mean 'first'?)",
        ),
        (
            format!("{head}0,{long},0.5,0,0\n"),
            &format!(
                "line 2: no body of the scene is named '{}…' (the scene has 'wall', 'first', 'second')",
                &long[..40]
            ),
        ),
        (
            format!("{head}0,first,0.5,0,0\n"),
            "line 2: no row for the body 'second' at 0 s (expected one for every dynamic body)",
        ),
        (format!("{head}{sound}0.1,first,0.5,0,0\n"), "line 4: no row for the body 'second' at 0.1 s"),
        (
            format!("{head}{sound}0.1,first,0.5,0,0\n0.1,second,0.5,0,0\n0.1,wall,0,0,0\n"),
            "line 6: a row for the body 'wall' at 0.1 s, but none at 0 s",
        ),
        (format!("{head}{sound}0,first,0.5,0,0\n"), "line 4: the body 'first' has two rows at 0 s"),
        (
            format!("{head}0.1,first,0.5,0,0\n0.1,second,1.5,0,0\n0,first,0.5,0,0\n"),
            "line 4: time 0 s follows 0.1 s (expected ascending times, all bodies of a time together)",
        ),
        (format!("{head}0,first,NaN,0,0\n"), "line 2: x: expected a finite number, found 'NaN'"),
        (format!("{head}0,first,0.5,inf,0\n"), "line 2: y: expected a finite number, found 'inf'"),
        (format!("{head}0,first,0.5,0,\n"), "line 2: angle: expected a finite number, found an empty cell"),
        (format!("{head}zero,first,0.5,0,0\n"), "line 2: time: expected a finite number, found 'zero'"),
        (format!("{head}{sound}0.1,first,0.5,0\n"), "line 4: expected 5 cells as in the header, found 4"),
        (head.to_owned(), "no rows behind the header (expected a row for each body at each time)"),
        (
            String::new(),
            "line 1: no column 'time' (expected time, body, x, y, angle, and optionally vx, vy, omega; found )",
        ),
    ] {
        assert_eq!(problems(&rows)[0], expected);
    }
    // As many as help, and no more.
    let many = head.to_owned() + &"0,first,a,0,0\n".repeat(1000);
    assert_eq!(problems(&many).len(), 20);
}

#[test]
fn comments_spaces_and_further_columns_are_no_problem() {
    // Protects tables of other programs, and traces with a comment about a blow-up.
    let scene = two_links();
    let rows = "# Box2D 3.2\nStep, Time , Body, X, Y, Angle, sleeping\n0, 0, first, 0.5, 0, 0, no\n# note\n0, 0, second, 1.5, 0, 0, no\n";
    assert_eq!(Poses::read(rows, &scene.world).unwrap().times(), [0.0]);
}

#[test]
fn the_figures_of_samples_are_a_table_of_their_own() {
    // Protects `driftlab measure --csv`: a row for each sample, in the columns of a run.
    let scene = two_links();
    let rows = "time,body,x,y,angle\n0,first,0.5,0,0\n0,second,1.501,0,0\n";
    let poses = Poses::read(rows, &scene.world).unwrap();
    let mut bytes = Vec::new();
    let mut recorder = CsvRecorder::new(&mut bytes).unwrap();
    Measured::of(&poses, &scene, |report| recorder.add(report, None)).unwrap();
    recorder.flush().unwrap();
    drop(recorder);
    let mut reader = csv::Reader::from_reader(&bytes[..]);
    let row: Vec<_> = reader.records().map(|record| record.unwrap()).collect();
    assert!((row[0][2].parse::<f64>().unwrap() - 1e-3).abs() < 1e-15 && row.len() == 1);
    let first = measure(&scene.world, &scene.settings.method, &mut Workspace::default());
    assert_eq!(first.joint_error, 0.0);
}
