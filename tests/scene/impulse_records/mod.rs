//! The recorded impulses are those of statics and of Coulomb's law, and with the trace they close every body's balance
//! of momentum.

mod contacts;
mod file;

use driftlab::experiment::{ImpulseRecorder, Run, TraceRecorder};
use driftlab::scene::{Scene, catalogue};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const HEADER: &str = "step,time,kind,index,body_a,body_b,x,y,nx,ny,lambda_1,lambda_2,lambda_3,impulse_x,impulse_y,moment,\
                      angular_impulse_a,angular_impulse_b,state,momentum_residual,angular_momentum_residual";
const G: f64 = 9.81;
/// Relative error that rounding may leave in a recorded impulse.
const ROUNDING: f64 = 1e-12;

/// A row of a CSV file by the names of its columns.
struct Row(BTreeMap<String, String>);

impl Row {
    fn text(&self, column: &str) -> &str {
        &self.0[column]
    }

    fn number(&self, column: &str) -> f64 {
        self.text(column).parse().unwrap()
    }

    fn numbers<const N: usize>(&self, columns: [&str; N]) -> [f64; N] {
        columns.map(|column| self.number(column))
    }
}

fn rows(bytes: &[u8]) -> Vec<Row> {
    let mut reader = csv::Reader::from_reader(bytes);
    let header = reader.headers().unwrap().clone();
    let row = |record: csv::StringRecord| {
        Row(header.iter().zip(&record).map(|(key, cell)| (key.to_owned(), cell.to_owned())).collect())
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

/// The impulses and the trace that a run of `steps` steps writes.
fn recorded(scene: &Scene, steps: u64) -> [Vec<Row>; 2] {
    let (mut impulses, mut trace) = (Vec::new(), Vec::new());
    let mut run = Run::new(scene, steps);
    let mut recorder = ImpulseRecorder::new(&mut impulses).unwrap();
    let mut tracer = TraceRecorder::new(&mut trace).unwrap();
    recorder.add(&run).unwrap();
    tracer.add(run.world()).unwrap();
    while let Some(report) = run.next() {
        report.unwrap();
        recorder.add(&run).unwrap();
        tracer.add(run.world()).unwrap();
    }
    recorder.flush().unwrap();
    tracer.flush().unwrap();
    drop((recorder, tracer));
    assert_eq!(String::from_utf8_lossy(&impulses).lines().next(), Some(HEADER));
    [rows(&impulses), rows(&trace)]
}

fn impulses(scene: &Scene, steps: u64) -> Vec<Row> {
    let [impulses, _] = recorded(scene, steps);
    impulses
}

fn shipped(key: &str) -> Scene {
    catalogue::find(key).unwrap().scene().unwrap()
}

/// A scene of a fixed wall, a floor at y = −2 and what `parts` adds, stepped by 0.01 s.
fn scene(bodies: Value, parts: Value) -> Scene {
    let mut scene = json!({
        "format": "driftlab-scene/1",
        "name": "Impulses",
        "settings": { "time_step": 0.01, "stabilizer": { "kind": "baumgarte_velocity", "alpha": 10 } },
        "bodies": [
            { "name": "wall", "type": "fixed", "position": [0, 0] },
            { "name": "floor", "type": "fixed", "position": [0, -2],
              "shapes": [{ "shape": "half_plane", "normal": [0, 1], "offset": 0 }] }
        ]
    });
    scene["bodies"].as_array_mut().unwrap().extend(bodies.as_array().unwrap().iter().cloned());
    scene.as_object_mut().unwrap().extend(parts.as_object().unwrap().clone());
    Scene::parse(&scene.to_string()).unwrap()
}

/// A bar of 1 m and 2 kg with its left end at the origin.
fn bar(angle: f64) -> Value {
    json!([{ "name": "bar", "position": [0.5 * angle.cos(), 0.5 * angle.sin()], "angle": angle, "mass": 2,
             "shapes": [{ "shape": "box", "size": [1, 0.1] }] }])
}

/// m g h of that bar.
const BAR: f64 = 2.0 * G * 0.01;

#[track_caller]
fn equal<const N: usize>(found: [f64; N], expected: [f64; N], size: f64) {
    for (x, y) in found.iter().zip(expected) {
        assert!((x - y).abs() <= ROUNDING * size, "{found:?} instead of {expected:?}");
    }
}

/// The rows of one kind, of which there is at least one.
fn of_kind<'a>(rows: &'a [Row], kind: &str) -> Vec<&'a Row> {
    let found: Vec<_> = rows.iter().filter(|row| row.text("kind") == kind).collect();
    assert!(!found.is_empty(), "no {kind}");
    found
}

/// Statics: the hinge of a pendulum that hangs at rest pushes it upwards with m g h at its anchor, without a couple.
#[test]
fn hinge_of_a_hanging_pendulum_carries_its_weight() {
    let hinge = json!({ "joints": [{ "joint": "hinge", "bodies": ["wall", "bar"], "anchor": [0, 0] }] });
    let rows = impulses(&scene(bar(-std::f64::consts::FRAC_PI_2), hinge), 20);
    assert_eq!(rows.len(), 20);
    for row in &rows {
        assert_eq!((row.text("kind"), row.text("index"), row.text("state")), ("hinge", "0", ""));
        assert_eq!((row.text("nx"), row.text("ny"), row.text("lambda_3")), ("", "", ""));
        let found = row.numbers(["x", "y", "lambda_1", "lambda_2", "impulse_x", "impulse_y", "moment"]);
        equal(found, [0.0, 0.0, 0.0, BAR, 0.0, BAR, 0.0], 1.0);
        equal(row.numbers(["momentum_residual", "angular_momentum_residual"]), [0.0; 2], BAR);
    }
}

/// Statics: a weld at the end of a level bar of length L carries m g h and the couple m g h L/2, which together have no moment
/// about the bar's centre of mass.
#[test]
fn weld_of_a_cantilever_carries_a_couple() {
    let weld = json!({ "joints": [{ "joint": "weld", "bodies": ["wall", "bar"], "anchor": [0, 0] }] });
    for row in impulses(&scene(bar(0.0), weld), 20) {
        let found = row.numbers(["impulse_x", "impulse_y", "lambda_3", "moment"]);
        equal(found, [0.0, BAR, 0.5 * BAR, 0.5 * BAR], 1.0);
        // About the wall's centre of mass, which is the anchor, and about the bar's.
        equal(row.numbers(["angular_impulse_a", "angular_impulse_b"]), [-0.5 * BAR, 0.0], 1.0);
    }
}

/// A motor that cannot reach its speed gives λ = h M_max, and one that has reached it gives nothing.
#[test]
fn motors_are_at_their_limit_or_free() {
    for (speed, spin, lambda, state) in
        [(1e3, 0.0, 0.02, "at_limit"), (-1e3, 0.0, -0.02, "at_limit"), (5.0, 5.0, 0.0, "free")]
    {
        let wheel = json!([{ "name": "wheel", "position": [0, 0], "angular_velocity": spin,
                             "shapes": [{ "shape": "circle", "radius": 0.5 }] }]);
        let joints = json!({ "joints": [{ "joint": "hinge", "bodies": ["wall", "wheel"], "anchor": [0, 0],
                                          "motor": { "speed": speed, "max_torque": 2 } }] });
        let rows = impulses(&scene(wheel, joints), 5);
        assert_eq!(rows.len(), 5 * 2);
        for row in of_kind(&rows, "motor") {
            assert_eq!((row.text("state"), row.text("index"), row.text("nx")), (state, "0", ""));
            let found = row.numbers(["lambda_1", "moment", "angular_impulse_b", "impulse_x", "impulse_y"]);
            equal(found, [lambda, lambda, lambda, 0.0, 0.0], 1.0);
        }
    }
}

/// A hinge limit that holds a bar level carries the moment of its weight, m g h L/2; a slider limit that holds the bar from
/// below carries the weight itself. The opposite limit is open.
#[test]
fn limits_are_closed_or_open() {
    let hinge = json!({ "joints": [{ "joint": "hinge", "bodies": ["wall", "bar"], "anchor": [0, 0], "limits": [0, 1] }] });
    // The coordinate is that of the bar against the wall along −y: its upper limit holds it.
    let slider = json!({ "joints": [{ "joint": "slider", "bodies": ["wall", "bar"], "anchor": [0.5, 0],
                                      "axis": [0, -1], "limits": [-1, 0] }] });
    for (joints, [closed, open], [lambda, moment, up], normal) in [
        (hinge, ["lower_limit", "upper_limit"], [0.5 * BAR, 0.5 * BAR, 0.0], None),
        (slider, ["upper_limit", "lower_limit"], [BAR, 0.0, BAR], Some([0.0, 1.0])),
    ] {
        let rows = impulses(&scene(bar(0.0), joints), 10);
        assert_eq!(rows.len(), 10 * 3);
        for row in of_kind(&rows, closed) {
            assert_eq!(row.text("state"), "closed");
            equal(row.numbers(["lambda_1", "moment", "impulse_y"]), [lambda, moment, up], 1.0);
            match normal {
                Some(normal) => equal(row.numbers(["nx", "ny"]), normal, 1.0),
                None => assert_eq!((row.text("nx"), row.text("ny")), ("", "")),
            }
        }
        for row in of_kind(&rows, open) {
            assert_eq!((row.text("state"), row.text("lambda_1")), ("open", "0"));
        }
    }
}

/// Hooke's law: a spring that carries a mass at rest is stretched by s = m g/k and pulls with k s h towards its other end.
#[test]
fn springs_pull_with_stiffness_times_elongation() {
    let (k, mass) = (100.0, 2.0);
    let s = mass * G / k;
    let ball = json!([{ "name": "ball", "position": [0, -0.3 - s], "mass": mass,
                        "shapes": [{ "shape": "circle", "radius": 0.1 }] }]);
    let springs = json!({ "springs": [{ "bodies": ["wall", "ball"], "anchors": [[0, 0], [0, -0.3 - s]],
                                        "stiffness": k, "rest_length": 0.3 }] });
    let rows = impulses(&scene(ball, springs), 10);
    assert_eq!(rows.len(), 10);
    for row in &rows {
        assert_eq!((row.text("kind"), row.text("state"), row.text("lambda_2")), ("spring", "", ""));
        let found = row.numbers(["lambda_1", "impulse_x", "impulse_y", "nx", "ny", "x", "y"]);
        equal(found, [-k * s * 0.01, 0.0, k * s * 0.01, 0.0, -1.0, 0.0, -0.3 - s], 1.0);
    }
}

/// Two equal weights on a pulley hang still: the rope pulls each upwards with m g h, so that neither row is the other's opposite.
#[test]
fn a_pulley_has_a_row_for_each_weight() {
    let weight = |name: &str, x: f64| {
        json!({ "name": name, "position": [x, -1], "mass": 2,
                                              "shapes": [{ "shape": "circle", "radius": 0.1 }] })
    };
    let joints = json!({ "joints": [{ "joint": "pulley", "bodies": ["left", "right"], "anchors": [[-0.5, -1], [0.5, -1]],
                                      "wheels": [[-0.5, 0], [0.5, 0]] }] });
    let rows = impulses(&scene(json!([weight("left", -0.5), weight("right", 0.5)]), joints), 5);
    assert_eq!(rows.len(), 5 * 2);
    for (row, name) in rows.iter().zip(["right", "left"].into_iter().cycle()) {
        assert_eq!((row.text("kind"), row.text("body_a"), row.text("body_b")), ("pulley", "", name));
        equal(
            row.numbers(["impulse_x", "impulse_y", "angular_impulse_b"]),
            [0.0, 2.0 * G * 0.01, 0.0],
            1.0,
        );
    }
}
