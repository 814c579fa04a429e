//! Motions written by hand, whose errors follow from a formula.

use super::{judged, opened};
use crate::experiment::judge::{Judged, StepFigures, first_difference};
use serde_json::{Value, json};

pub(super) const H: f64 = 0.01;
pub(super) const G: f64 = 9.81;

/// A recording of these lines, in the given scene.
pub(super) fn text(scene: &Value, more: &Value, lines: &[Value]) -> String {
    let mut header = json!({
        "format": "driftlab-recording/1", "engine": { "name": "hand" }, "time_step": H, "scene": scene
    });
    if let (Some(keys), Some(more)) = (header.as_object_mut(), more.as_object()) {
        keys.extend(more.clone());
    }
    let lines = lines.iter().map(Value::to_string);
    std::iter::once(header.to_string()).chain(lines).map(|line| line + "\n").collect()
}

pub(super) fn judge(scene: &Value, lines: &[Value]) -> (Vec<StepFigures>, Judged) {
    judged(text(scene, &json!({}), lines))
}

pub(super) fn near(found: Option<f64>, expected: f64) {
    let tolerance = 1e-12 * expected.abs().max(1e-3);
    assert!(found.is_some_and(|own| (own - expected).abs() <= tolerance), "{found:?}, expected {expected}");
}

pub(super) fn ball() -> Value {
    json!({ "bodies": [{ "name": "ball", "position": [0, 10], "mass": 2, "inertia": 0.1 }] })
}

/// A free fall by semi-implicit Euler, whose velocity is exact at every step; `shift` is added to it.
pub(super) fn fall(steps: usize, shift: impl Fn(usize) -> f64) -> Vec<Value> {
    let (mut y, mut v) = (10.0, 0.0);
    let step = |i: usize| {
        v -= G * H;
        let v = v + shift(i);
        y += H * v;
        json!({ "t": H * (i + 1) as f64, "q": [[0, y, 0]], "v": [[0, v, 0]], "acted": [], "contacts": [] })
    };
    (0..steps).map(step).collect()
}

/// Semi-implicit Euler loses ½ m g² h² in every step of a free fall: nothing else acts, momentum closes to rounding.
#[test]
fn a_free_fall_has_the_error_of_its_integrator() {
    let (steps, judged) = judge(&ball(), &fall(100, |_| 0.0));
    assert!(judged.momentum.is_some_and(|own| own.roundings.largest < 8.0), "{:?}", judged.momentum);
    for step in &steps {
        let method = step.work.map(|work| work.method);
        assert!(method.is_some_and(|own| (own + G * G * H * H).abs() < 1e-12), "{method:?}");
    }
    let work = judged.energy.work.map(|work| work.total());
    near(work, 0.5 * 2.0 * (G * 1.0_f64).powi(2));
    assert_eq!((judged.penetration, judged.joint_error), (None, None));
}

/// An impulse that nobody states is what momentum lacks: 2 kg that gain 0.3 m/s in step 7, 0.6 N s.
#[test]
fn an_impulse_that_is_not_told_is_missed() {
    let (steps, judged) = judge(&ball(), &fall(20, |i| if i >= 6 { 0.3 } else { 0.0 }));
    near(steps[6].momentum, 0.6);
    let largest = judged.momentum.map(|own| (own.linear.step, own.linear.at));
    assert_eq!(largest, Some((7, steps[6].time)));
    assert!(steps[8].momentum.is_some_and(|left| left < 1e-14));
}

/// What a recording does not tell is not judged: without velocities and impulses there are no momentum and no work.
#[test]
fn what_is_not_told_is_none() {
    let bare: Vec<Value> =
        fall(5, |_| 0.0).into_iter().map(|line| json!({ "t": line["t"], "q": line["q"] })).collect();
    let (steps, judged) = judge(&ball(), &bare);
    assert!(steps.iter().all(|step| step.momentum.is_none() && step.work.is_none()));
    assert!(judged.missing.iter().any(|text| text == "velocities: from differences of poses"));
    assert!(judged.missing.iter().any(|text| text.starts_with("momentum: not judged")));
    // The velocity of a fall is h g after the first step all the same.
    assert!(steps[0].kinetic.is_some_and(|own| (own - (G * H).powi(2)).abs() < 1e-12));
}

/// A box of 2 kg on a slope that turns by `angle`, which slides down at `speed` although friction could hold it.
fn creeping(angle: f64, mu: f64, speed: f64, friction: f64, normal: f64) -> (Value, Vec<Value>) {
    let (sin, cos) = angle.sin_cos();
    let scene = json!({ "bodies": [
        { "name": "slope", "type": "fixed", "position": [0, 0], "angle": angle,
          "shapes": [{ "shape": "half_plane", "normal": [0, 1] }], "friction": mu },
        { "name": "box", "position": [-0.5 * sin, 0.5 * cos], "angle": angle, "mass": 2,
          "velocity": [-speed * cos, -speed * sin],
          "shapes": [{ "shape": "box", "size": [1, 1] }], "friction": mu }
    ] });
    let line = |i: usize| {
        let moved = -speed * H * i as f64;
        let at = |along: f64, up: f64| [along * cos - up * sin, along * sin + up * cos];
        let [x, y] = at(moved, 0.5);
        // Half of the weight on each corner, and of the friction.
        let contact = |side: f64| {
            json!({ "bodies": [0, 1], "point": at(moved + side, 0.0), "normal": [-sin, cos], "gap": 0,
                    "impulse": [0.5 * normal, 0.5 * friction, 0] })
        };
        json!({ "t": H * i as f64, "q": [[0, 0, angle], [x, y, angle]],
                "v": [[0, 0, 0], [-speed * cos, -speed * sin, 0]], "acted": [],
                "contacts": [contact(-0.5), contact(0.5)] })
    };
    (scene, (1..=10).map(line).collect())
}

/// A box that friction could hold, and that slides all the same: that speed is its creep, and friction takes what gravity
/// gives.
#[test]
fn a_block_that_should_stick_creeps_at_its_speed() {
    let (angle, mu, speed) = (0.3_f64, 0.5, 0.02);
    let (weight, normal) = (2.0 * G * H * angle.sin(), 2.0 * G * H * angle.cos());
    // t = (n_y, −n_x) points up the slope.
    let (scene, lines) = creeping(angle, mu, speed, weight, normal);
    let (steps, judged) = judge(&scene, &lines);
    let step = &steps[4];
    near(step.creep, speed);
    near(judged.yardsticks.creep, speed);
    near(step.beyond_cone, 0.0);
    near(step.driving_friction, 0.0);
    let work = step.work.unwrap_or_default();
    near(Some(work.gravity), weight * speed);
    near(Some(work.friction), -weight * speed);
    assert!(work.method.abs() < 1e-14 && work.impacts.abs() < 1e-14, "{work:?}");
    // The moments of both corners' impulses do not balance that of friction here: 0.5 m of it.
    near(step.momentum, 0.0);
    near(step.angular_momentum, 0.5 * weight);
}

/// Friction beyond its cone, friction that drives, and a contact that pulls are told by their size.
#[test]
fn contacts_that_break_their_law_are_told() {
    let (angle, mu, speed) = (0.3_f64, 0.1, 0.02);
    let (weight, normal) = (2.0 * G * H * angle.sin(), 2.0 * G * H * angle.cos());
    let (scene, lines) = creeping(angle, mu, speed, weight, normal);
    let (_, judged) = judge(&scene, &lines);
    near(judged.beyond_cone.map(|own| own.largest), 0.5 * (weight - mu * normal));
    assert_eq!(judged.yardsticks.creep, None);
    // The other way round it drives the box down the slope.
    let (scene, lines) = creeping(angle, mu, speed, -weight, normal);
    let (_, judged) = judge(&scene, &lines);
    near(judged.driving_friction.map(|own| own.largest), 0.5 * weight * speed);
    let (scene, lines) = creeping(angle, mu, speed, 0.0, -normal);
    let (_, judged) = judge(&scene, &lines);
    near(judged.pulling, 0.5 * normal);
    let (scene, lines) = creeping(angle, mu, speed, 0.0, normal);
    let (_, judged) = judge(&scene, &lines);
    assert_eq!(judged.pulling, Some(0.0));
}

/// A bob on a hinge at the distance 1 m, which opens by `open(t)` along x.
fn drifting(open: impl Fn(f64) -> f64, turn: f64) -> (Value, Vec<Value>) {
    let scene = json!({ "gravity": [0, 0], "bodies": [
        { "name": "wall", "type": "fixed", "position": [0, 0] },
        { "name": "bob", "position": [1, 0], "mass": 1, "inertia": 0.5 }
    ], "joints": [{ "joint": "weld", "bodies": ["wall", "bob"], "anchor": [0, 0] }] });
    let line = |i: usize| {
        let t = H * i as f64;
        let speed = (open(t + 1e-6) - open(t - 1e-6)) / 2e-6;
        // The anchor of the bob is 1 m behind it, turned with it.
        let [x, y] = [turn.cos() + open(t), turn.sin()];
        json!({ "t": t, "q": [[0, 0, 0], [x, y, turn]], "v": [[0, 0, 0], [speed, 0, 0]],
                "acted": [{ "joint": 0, "on": [], "linear": open(t) + 1e-4 }] })
    };
    (scene, (1..=200).map(line).collect())
}

/// A joint that opens by a formula has this error, its rate, its share of the joint's length and its half-life.
#[test]
fn a_joint_that_drifts_is_measured() {
    let (scene, lines) = drifting(|t| 0.01 * 0.5_f64.powf(t / 0.25), 0.002);
    let (steps, judged) = judge(&scene, &lines);
    near(steps[24].joint_error, 0.005);
    near(steps[24].joint_angle, 0.002);
    let rate = 0.005 * std::f64::consts::LN_2 / 0.25;
    assert!(
        steps[24].joint_rate.is_some_and(|own| (own - rate).abs() < 1e-8),
        "{:?}",
        steps[24].joint_rate
    );
    assert!(judged.yardsticks.half_life_of_joints.is_some_and(|own| (own - 0.25).abs() < 1e-9));
    near(judged.yardsticks.stretch_share, 0.01 * 0.5_f64.powf(H / 0.25));
    assert!(judged.joint_difference.is_some_and(|own| (own.largest - 1e-4).abs() < 1e-12));
    let (_, judged) = judge(&scene, &drifting(|t| 0.01 * t, 0.0).1);
    assert_eq!(judged.yardsticks.half_life_of_joints, None);
}

/// A motor that turns with more than it has, and a limit that pulls.
#[test]
fn bounds_of_a_joint_are_held_against_its_impulses() {
    let scene = json!({ "gravity": [0, 0], "bodies": [
        { "name": "wall", "type": "fixed", "position": [0, 0] },
        { "name": "arm", "position": [1, 0], "mass": 1, "inertia": 0.5 }
    ], "joints": [{ "joint": "hinge", "bodies": ["wall", "arm"], "anchor": [0, 0],
        "motor": { "speed": 1, "max_torque": 3 }, "limits": [-0.1, 0.1] }] });
    let line = |motor: f64, lower: f64, upper: f64, angle: f64| {
        let part = |part: &str, along: f64| json!({ "joint": 0, "part": part, "along": along, "on": [[1, 0, 0, along]] });
        vec![json!({ "t": H, "q": [[0, 0, 0], [angle.cos(), angle.sin(), angle]],
            "v": [[0, 0, 0], [0, 0, 0]],
            "acted": [part("motor", motor), part("lower_limit", lower), part("upper_limit", upper)] })]
    };
    let (_, sound) = judge(&scene, &line(0.03, 0.2, -0.2, 0.0));
    near(sound.beyond_motor.map(|own| own.largest), 0.0);
    near(sound.pulling_limit.map(|own| own.largest), 0.0);
    let (_, wrong) = judge(&scene, &line(-0.05, -0.2, 0.3, 0.15));
    near(wrong.beyond_motor.map(|own| own.largest), 0.02);
    near(wrong.pulling_limit.map(|own| own.largest), 0.3);
    assert!(wrong.limit_angle.is_some_and(|own| (own.largest - 0.05).abs() < 1e-12));
}

/// A ball that comes with 2 m/s and leaves with `speed`; the surfaces have e = 0.5.
fn bounce(speed: f64) -> Judged {
    let scene = json!({ "gravity": [0, 0], "bodies": [
        { "name": "floor", "type": "fixed", "position": [0, 0], "shapes": [{ "shape": "half_plane", "normal": [0, 1] }] },
        { "name": "ball", "position": [0, 1], "velocity": [0, -2], "mass": 1, "restitution": 0.5,
          "shapes": [{ "shape": "circle", "radius": 1 }] }
    ] });
    let line = json!({ "t": H, "q": [[0, 0, 0], [0, 1, 0]], "v": [[0, 0, 0], [0, speed, 0]], "acted": [],
        "contacts": [{ "bodies": [0, 1], "point": [0, 0], "normal": [0, 1], "gap": 0,
                       "impulse": [2.0 + speed, 0, 0] }] });
    judge(&scene, &[line]).1
}

/// An impact is held against Newton's law with the scene's coefficient.
#[test]
fn a_rebound_is_held_against_its_coefficient() {
    let sound = bounce(1.0);
    near(sound.rebound_error.map(|own| own.largest), 0.0);
    assert_eq!(sound.impacts.map(|own| (own.count, own.restitution)), Some((1, 0.5)));
    // ½ m (1 − e²) u².
    near(sound.energy.work.map(|work| work.impacts), -1.5);
    near(bounce(1.2).rebound_error.map(|own| own.largest), 0.2);
    // More energy than before is nothing that an impact does.
    let gain = bounce(3.0).energy.work.map(|work| (work.impacts, work.method));
    assert!(
        gain.is_some_and(|(impacts, method)| impacts == 0.0 && (method - 2.5).abs() < 1e-12),
        "{gain:?}"
    );
}

/// A ball that sinks into the floor is measured by our own detection; what the engine says stands beside it.
#[test]
fn overlaps_are_measured_and_compared() {
    let scene = json!({ "bodies": [
        { "name": "floor", "type": "fixed", "position": [0, 0], "shapes": [{ "shape": "half_plane", "normal": [0, 1] }] },
        { "name": "ball", "position": [0, 1], "mass": 1, "shapes": [{ "shape": "circle", "radius": 1 }] }
    ] });
    let line = |moment_gap: f64| {
        json!({ "t": H, "q": [[0, 0, 0], [0, 0.97, 0]],
        "contacts": [{ "bodies": [1, 0], "point": [0, 0], "normal": [0, -1], "gap": moment_gap }] })
    };
    let (steps, _) = judge(&scene, &[line(-0.028)]);
    near(steps[0].penetration, 0.03);
    near(steps[0].engine_penetration, 0.028);
    near(steps[0].gap_difference, 0.002);
    // At the beginning of the step they touch: there the same gap is another error.
    let (steps, _) = judged(text(&scene, &json!({ "contacts_at": "begin" }), &[line(0.0)]));
    near(steps[0].gap_difference, 0.0);
}

/// The first step at which two recordings differ, and in which body.
#[test]
fn two_recordings_differ_where_they_differ() {
    let of = |shift: f64| {
        let lines = fall(20, |i| if i >= 6 { shift } else { 0.0 });
        opened(text(&ball(), &json!({}), &lines))
    };
    let same = first_difference(&mut of(0.0), &mut of(0.0)).map_err(|_| "unread");
    assert_eq!(same.map(|own| (own.steps, own.first.len(), own.beyond.len())), Ok((20, 0, 0)));
    let found = first_difference(&mut of(0.0), &mut of(1e-6)).map_err(|_| "unread");
    let found =
        found.map(|own| own.beyond.iter().map(|own| (own.step, own.what.clone())).collect::<Vec<_>>());
    let expected = [(7, "velocity along y of body 0, ball"), (7, "y of body 0, ball")];
    assert_eq!(found, Ok(expected.map(|(step, what)| (step, what.to_owned())).to_vec()));
}

/// Numbers in single precision close to rounding by its unit, and not by that of double precision.
#[test]
fn rounding_is_that_of_the_recording() {
    let single = |value: &Value| json!(f64::from(value.as_f64().unwrap_or_default() as f32));
    let lines: Vec<Value> = fall(50, |_| 0.0)
        .into_iter()
        .map(|mut line| {
            line["v"][0][1] = single(&line["v"][0][1]);
            line
        })
        .collect();
    let roundings = |precision: &str| {
        let (_, judged) = judged(text(&ball(), &json!({ "precision": precision }), &lines));
        judged.momentum.map_or(f64::NAN, |own| own.roundings.largest)
    };
    let [single, double] = ["f32", "f64"].map(roundings);
    assert!(single < 2.0 && double > 1e6, "{single}, {double}");
}

/// Behind lost lines the step is not held against the line before, and it is said how many there were.
#[test]
fn lost_lines_are_not_judged() {
    let mut lines = fall(20, |_| 0.0);
    lines.drain(8..11);
    lines[8]["lost"] = json!(3);
    let (steps, judged) = judge(&ball(), &lines);
    let known: Vec<bool> = steps.iter().map(|step| step.momentum.is_some()).collect();
    assert_eq!(known, (0..17).map(|place| place != 8).collect::<Vec<_>>());
    assert!(judged.momentum.is_some_and(|own| own.roundings.largest < 8.0));
    assert_eq!((judged.lost, judged.energy.work), (3, None));
}

/// A motor that lifts an arm by the wall's own motion: what acts on the wall is told of the arm alone, and is the driver's work.
#[test]
fn who_moves_a_body_on_a_path_does_the_work_of_what_acts_on_it() {
    // A lift that rises at 1 m/s, welded to 2 kg: m g h v in every step, which the weight takes.
    let scene = json!({ "bodies": [
        { "name": "lift", "type": "kinematic", "position": [0, 0], "velocity": [0, 1] },
        { "name": "load", "position": [0, 1], "velocity": [0, 1], "mass": 2, "inertia": 0.1 }
    ], "joints": [{ "joint": "weld", "bodies": ["lift", "load"], "anchor": [0, 0] }] });
    let line = |i: usize| {
        let t = H * i as f64;
        json!({ "t": t, "q": [[0, t, 0], [0, 1.0 + t, 0]], "v": [[0, 1, 0], [0, 1, 0]], "contacts": [],
                "acted": [{ "joint": 0, "on": [[1, 0, 2.0 * G * H, 0]] }] })
    };
    let (steps, _) = judge(&scene, &(1..=5).map(line).collect::<Vec<_>>());
    let work = steps[3].work.unwrap_or_default();
    near(Some(work.drivers), 2.0 * G * H);
    near(Some(work.gravity), -2.0 * G * H);
    assert!(work.method.abs() < 1e-13, "{work:?}");
}
