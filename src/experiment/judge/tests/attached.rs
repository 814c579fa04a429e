//! What goes wrong in the attachment of an engine, and what must not look wrong in a right one.

use super::theory::{G, H, ball, fall, judge, near, text};
use super::{judged, opened};
use crate::experiment::judge::{Judged, Unseen};
use serde_json::{Value, json};

/// A ball of 1 m radius that rests on the plane y = 0, told as a plane at `ground`.
fn resting(ground: f64, contacts_at: &str) -> Judged {
    let scene = json!({ "bodies": [
        { "name": "ground", "type": "fixed", "position": [0, ground],
          "shapes": [{ "shape": "half_plane", "normal": [0, 1] }], "friction": 0.5 },
        { "name": "ball", "position": [0, 1], "mass": 2, "friction": 0.5, "shapes": [{ "shape": "circle", "radius": 1 }] }
    ] });
    let line = |i: usize| {
        let contact = json!({ "bodies": [0, 1], "point": [0, 0], "normal": [0, 1], "gap": 0,
                              "impulse": [2.0 * G * H, 0, 0] });
        json!({ "t": H * i as f64, "q": [[0, ground, 0], [0, 1, 0]], "v": [[0, 0, 0], [0, 0, 0]], "acted": [],
                "contacts": if i > 2 { vec![contact] } else { Vec::new() },
                "external": if i > 2 { json!([[1, 0, -2.0 * G * H, 0]]) } else { json!([]) } })
    };
    let lines: Vec<Value> = (1..=5).map(line).collect();
    judged(text(&scene, &json!({ "contacts_at": contacts_at }), &lines)).1
}

/// A ground that is told 1 m too low leaves the engine's contacts without a counterpart: which and from when on is told, and what
/// of them is not judged; one that is told 5 cm too low, within reach, has that as its difference of gaps.
#[test]
fn a_ground_that_is_told_too_low_is_told() {
    for contacts_at in ["begin", "end"] {
        let right = resting(0.0, contacts_at);
        assert_eq!(right.unseen, Some(Unseen { contacts: 0, of: 3 }));
        near(right.gap_difference.map(|own| own.largest), 0.0);
        near(right.yardsticks.creep, 0.0);
        assert!(!right.missing.iter().any(|text| text.contains("counterpart")), "{:?}", right.missing);
        let low = resting(-1.0, contacts_at);
        assert_eq!(low.unseen, Some(Unseen { contacts: 3, of: 3 }));
        assert_eq!((low.gap_difference, low.beyond_cone, low.yardsticks.creep), (None, None, None));
        let told = "contacts without a counterpart: 3 of the engine's 3 contacts have none in the told shapes \
                    (ground – ball, from step 3)";
        assert!(low.missing.iter().any(|text| text.starts_with(told)), "{:?}", low.missing);
        assert_eq!((low.pairs[0].unseen, low.pairs[0].unseen_from), (3, Some(3)));
        let near_by = resting(-0.05, contacts_at);
        assert_eq!(near_by.unseen, Some(Unseen { contacts: 0, of: 3 }));
        near(near_by.gap_difference.map(|own| own.largest), 0.05);
    }
}

/// The judge of two squares upon each other that overlap by `depth` m, their edges 0.05 m round.
fn round_squares(depth: f64) -> Judged {
    let corners = json!([[-0.45, -0.45], [0.45, -0.45], [0.45, 0.45], [-0.45, 0.45]]);
    let shapes = json!([{ "shape": "polygon", "vertices": corners, "radius": 0.05 }]);
    let y = 1.0 - depth;
    let scene = json!({ "bodies": [
        { "name": "lower", "type": "fixed", "position": [0, 0], "shapes": shapes },
        { "name": "upper", "position": [0, y], "mass": 2, "shapes": shapes }
    ] });
    let point = |x: f64| json!({ "bodies": [0, 1], "point": [x, 0.5 * y], "normal": [0, 1], "gap": -depth, "impulse": [0, 0, 0] });
    let line = |i: usize| {
        json!({ "t": H * i as f64, "q": [[0, 0, 0], [0, y, 0]], "v": [[0, 0, 0], [0, 0, 0]], "acted": [],
                "contacts": [point(-0.45), point(0.3)], "external": [] })
    };
    let lines: Vec<Value> = (1..=3).map(line).collect();
    judged(text(&scene, &json!({ "contacts_at": "end" }), &lines)).1
}

/// A gap of round edges is that of the outlines, whether they overlap by less than both radii or by more.
#[test]
fn a_gap_of_round_edges_is_that_of_the_outlines() {
    for depth in [0.02, 0.08, 0.15] {
        let own = round_squares(depth);
        assert_eq!(own.unseen, Some(Unseen { contacts: 0, of: 6 }));
        near(own.gap_difference.map(|own| own.largest), 0.0);
        near(own.penetration.map(|own| own.largest), depth);
    }
}

/// The share of momentum of a free body that gets 0.1 N s in each step with this moment about its centre, and does not turn.
fn share(moment: f64) -> f64 {
    let mut lines = fall(20, |i| 0.05 * (i + 1) as f64);
    lines.iter_mut().for_each(|line| line["hand"] = json!([[0, 0, 0.1, moment]]));
    let (_, judged) = judge(&ball(), &lines);
    judged.momentum.map_or(f64::NAN, |own| own.share.largest)
}

/// A moment that is no more than the rounding of a lever is small beside the impulse at the radius of gyration, √(I/m), however
/// small the moments of the step are; one that is wrong is as large.
#[test]
fn a_rounding_moment_is_a_small_share() {
    // The weight is the largest impulse of the step.
    let turned = (0.1_f64 / 2.0).sqrt() * 2.0 * G * H;
    near(Some(share(5e-9)), 5e-9 / turned);
    near(Some(share(0.02)), 0.02 / turned);
}

/// Where a scheme has its spring pull: at the beginning of the step, at its end, or in the middle of both.
#[derive(Clone, Copy)]
enum At {
    Begin,
    Middle,
    End,
}

/// 1 kg on a spring of 100 N/m, 2 N s/m and 1 m, which begins 0.1 m longer: told with `keys` in place of these.
fn swinging(at: At, keys: &Value) -> Judged {
    let (k, d) = (100.0, 2.0);
    let mut spring = json!({ "bodies": ["wall", "bob"], "anchor_a": [0, 0], "anchor_b": [0, 0],
                             "stiffness": k, "damping": d, "rest_length": 1 });
    for (key, value) in keys.as_object().into_iter().flatten() {
        spring[key] = value.clone();
    }
    let scene = json!({ "gravity": [0, 0], "bodies": [
        { "name": "wall", "type": "fixed", "position": [0, 0] },
        { "name": "bob", "position": [1.1, 0], "mass": 1, "inertia": 0.1 }
    ], "springs": [spring] });
    let (mut s, mut v) = (0.1, 0.0);
    let line = |i: usize| {
        // v⁺ = v − h (k s + d v), and with s⁺ = s + h v⁺ and v⁺ in place of s and v, or half of both.
        let theta = match at {
            At::Begin => 0.0,
            At::Middle => 0.5,
            At::End => 1.0,
        };
        let after = (v * (1.0 - (1.0 - theta) * H * d) - H * k * s) / (1.0 + theta * H * (H * k + d));
        let p = after - v;
        (s, v) = (s + H * after, after);
        json!({ "t": H * i as f64, "q": [[0, 0, 0], [1.0 + s, 0, 0]], "v": [[0, 0, 0], [v, 0, 0]],
                "acted": [{ "spring": 0, "on": [[1, p, 0, 0]] }], "contacts": [] })
    };
    let lines: Vec<Value> = (1..=200).map(line).collect();
    judge(&scene, &lines).1
}

/// A spring obeys its law wherever in the step its scheme has it pull; told half as stiff, with another length or without its
/// damper it does not, and momentum closes all the same: half of the impulse k s h = 0.1 N s of the first step is beyond the law.
#[test]
fn a_spring_that_is_told_wrong_is_told_by_its_law() {
    for at in [At::Begin, At::Middle, At::End] {
        let right = swinging(at, &json!({}));
        near(right.spring_law.map(|own| own.largest), 0.0);
        near(right.spring_share.map(|own| own.largest), 0.0);
    }
    let soft = swinging(At::Begin, &json!({ "stiffness": 50 }));
    near(soft.spring_law.map(|own| own.largest), 0.05);
    assert!(soft.spring_share.is_some_and(|own| own.mean > 0.35), "{:?}", soft.spring_share);
    assert!(soft.momentum.is_some_and(|own| own.roundings.largest < 8.0), "{:?}", soft.momentum);
    // 1 cm of 100 N/m over 0.01 s.
    let long = swinging(At::Begin, &json!({ "rest_length": 1.01 }));
    assert!(long.spring_law.is_some_and(|own| (own.largest - 0.01).abs() < 1e-3), "{:?}", long.spring_law);
    let undamped = swinging(At::Begin, &json!({ "damping": 0 }));
    assert!(
        undamped.spring_law.is_some_and(|own| own.largest > 0.5 * 2.0 * 0.3 * H),
        "{:?}",
        undamped.spring_law
    );
}

/// A spring of which a line says nothing, though it says what acted, did nothing: its whole law is missing.
#[test]
fn a_spring_that_does_not_act_is_missed() {
    let scene = json!({ "gravity": [0, 0], "bodies": [
        { "name": "wall", "type": "fixed", "position": [0, 0] },
        { "name": "bob", "position": [1, 0], "mass": 1, "inertia": 0.1 }
    ], "springs": [{ "bodies": ["wall", "bob"], "anchor_a": [0, 0], "anchor_b": [0, 0], "stiffness": 100,
                     "rest_length": 0.5 }] });
    let line = json!({ "t": H, "q": [[0, 0, 0], [1, 0, 0]], "v": [[0, 0, 0], [0, 0, 0]], "acted": [], "contacts": [] });
    let (steps, _) = judge(&scene, &[line]);
    near(steps[0].spring_law, 0.5);
    near(steps[0].spring_share, 1.0);
}

/// The length of a step is its own, else that of the first line, and without one the time since the line before.
#[test]
fn a_step_is_as_long_as_it_is_told() {
    let lines =
        [json!({ "t": 0.02, "q": [[0, 10, 0]] }), json!({ "t": 0.06, "h": 0.005, "q": [[0, 10, 0]] })];
    let lengths =
        |more: &Value| judged(text(&ball(), more, &lines)).0.iter().map(|step| step.h).collect::<Vec<_>>();
    assert_eq!(lengths(&json!({})), [H, 0.005]);
    assert_eq!(lengths(&json!({ "time_step": null })), [0.02, 0.005]);
    // Behind three lost lines it is a quarter of that time.
    let lost = json!({ "t": 0.02, "lost": 3, "q": [[0, 10, 0]] });
    let (steps, _) = judged(text(&ball(), &json!({ "time_step": null }), &[lost]));
    near(Some(steps[0].h), 0.005);
}

/// Text of the program between the lines is quoted, with the likely reason; so is what stands behind a line's JSON.
#[test]
fn text_between_the_lines_is_quoted() {
    let whole = text(&ball(), &json!({}), &fall(3, |_| 0.0));
    let wrong = |text: String| {
        let source = Box::new(std::io::Cursor::new(text.into_bytes()));
        let problems = crate::experiment::recording::Recording::open(source).err().unwrap_or_default();
        problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    let printed = "step 60  tip 1.234 5.678  ball 0.000 0.250  box 7.5";
    let mut lines: Vec<&str> = whole.lines().collect();
    lines.insert(2, printed);
    let told = wrong(lines.join("\n") + "\n");
    let expected = "line 3: expected {\"t\": time in s, …}, with the time as its first key, found \"step 60  tip 1.234 5.678  \
                    ball 0.000 0.2…\": does the program print to the standard output, too?";
    assert_eq!(told, expected);
    let told = wrong(format!("{printed}\n{whole}"));
    assert!(told.contains("found \"step 60") && told.ends_with("too?"), "{told}");
    assert!(wrong("{}\n".to_owned()).ends_with("found no such key"), "a file of something else");
    // Behind the JSON of the second line, in the same line.
    lines[2] = lines[3];
    let joined = format!("{}tip 1.2", lines[1]);
    lines[1] = &joined;
    let problems = opened(lines[..3].join("\n") + "\n").step(0).err().unwrap_or_default();
    assert!(problems.iter().any(|problem| problem.to_string().ends_with("too?")), "{problems:?}");
}
