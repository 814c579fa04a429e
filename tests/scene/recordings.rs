//! Recordings: what a file says is what the engine's functions then measure, and what is wrong in it is told where it is.

use driftlab::experiment::Run;
use driftlab::experiment::recording::{Recording, RecordingProblem, RunRecorder};
use driftlab::method::Method;
use driftlab::scene::{Scene, catalogue};
use driftlab::step::{Workspace, measure};
use std::io::Cursor;

fn shipped(key: &str) -> Scene {
    catalogue::find(key).unwrap().scene().unwrap()
}

/// The run of a scene for that many steps, as a recording, and the worlds that it went through.
fn recorded(scene: &Scene, steps: u64) -> (String, Vec<driftlab::model::World>) {
    let mut run = Run::new(scene, steps);
    let mut recorder = RunRecorder::new(Vec::new(), scene, &run).expect("a first line");
    let mut worlds = Vec::new();
    while let Some(report) = run.next() {
        report.expect("a step");
        recorder.add(&run).expect("a line");
        worlds.push(run.world().clone());
    }
    (String::from_utf8(recorder.into_inner()).expect("a text"), worlds)
}

fn open(text: &str) -> Result<Recording, Vec<RecordingProblem>> {
    Recording::open(Box::new(Cursor::new(text.as_bytes().to_vec())))
}

/// Our own runs, read back: every world has the poses of the run to rounding (the origin's pose is written, the centre's is
/// kept), and the engine measures the same errors and energies in it.
#[test]
fn our_own_runs_are_read_back() {
    for key in ["six-link-chain", "box-at-rest", "four-bar-loop", "lift-and-hoist", "newtons-cradle"] {
        let scene = shipped(key);
        let (text, worlds) = recorded(&scene, 60);
        let mut recording = open(&text).expect(key);
        assert_eq!(recording.times().len(), 60, "{key}");
        assert_eq!(recording.cut_off(), 0);
        for place in [0, 1, 7, 59, 30] {
            let own = recording.world(place).expect(key);
            let run = &worlds[place];
            assert_eq!(own.time(), run.time());
            for (a, b) in own.bodies().iter().zip(run.bodies()) {
                let [a, b] = [a, b].map(|body| (body.pose.coordinates(), body.velocity.coordinates()));
                assert!(a.0.distance(b.0) <= 1e-15 * (1.0 + b.0.length()), "{key}, {place}: {a:?} {b:?}");
                assert!(a.1.distance(b.1) <= 1e-12 * (1.0 + b.1.length()), "{key}, {place}: {a:?} {b:?}");
            }
            let [a, b] =
                [&own, run].map(|world| measure(world, &Method::none(), &mut Workspace::default()));
            assert!((a.joint_error - b.joint_error).abs() < 1e-14, "{key}: {a:?} {b:?}");
            let energy = b.kinetic_energy.abs() + b.potential_energy.abs();
            assert!((a.total_energy() - b.total_energy()).abs() <= 1e-13 * (1.0 + energy), "{key}");
        }
    }
}

/// A recording says all that acted: each body's change of momentum over a step is the sum of what the line says, to rounding.
#[test]
fn the_impulses_of_a_line_account_for_the_motion() {
    for key in [
        "six-link-chain",
        "box-at-rest",
        "four-bar-loop",
        "lift-and-hoist",
        "newtons-cradle",
        "car",
        "gear-train",
        "servo-arm",
        "lander",
        "conveyor",
        "rolling-resistance",
    ] {
        let scene = shipped(key);
        let (text, worlds) = recorded(&scene, 40);
        let mut recording = open(&text).expect(key);
        let mut before = scene.world.clone();
        for (place, after) in worlds.iter().enumerate() {
            let (step, _) = recording.step(place).expect(key);
            let (mut sums, mut sizes) =
                (vec![glam::DVec3::ZERO; after.bodies().len()], vec![0.0; after.bodies().len()]);
            let acted = step.acted.iter().flatten().flat_map(|own| &own.on);
            let contacts = step.contacts.iter().flatten().flat_map(|own| &own.on);
            for impulse in acted.chain(contacts).chain(step.external.iter().flatten()).chain(&step.hand) {
                let own = glam::dvec3(impulse.1, impulse.2, impulse.3);
                sums[impulse.0] += own;
                sizes[impulse.0] += own.length();
            }
            for (index, (body, sum)) in after.bodies().iter().zip(&sums).enumerate() {
                if !body.is_dynamic() {
                    continue;
                }
                let mass = body.mass_properties();
                let change = after.velocity_of(index) - before.velocity_of(index);
                let momentum = change * glam::dvec3(mass.mass, mass.mass, mass.inertia);
                // M v of what moves fast rounds, too.
                let moving = (after.velocity_of(index) * mass.mass).length();
                let left = (momentum - *sum).abs().max_element();
                assert!(
                    left <= 1e-12 * (sizes[index] + moving + 1e-9),
                    "{key}, step {place}, body {index}: {left:e}"
                );
            }
            before = after.clone();
        }
    }
}

/// Bodies and joints come and go: numbers stay, what comes is placed as it says, and what was attached to a body goes with it.
#[test]
fn bodies_and_joints_come_and_go() {
    let text = concat!(
        r#"{"format":"driftlab-recording/1","engine":{"name":"toy"},"time_step":0.1,"scene":{"bodies":["#,
        r#"{"name":"wall","type":"fixed","position":[0,0]},{"name":"a","position":[1,0],"mass":1,"inertia":1}],"#,
        r#""joints":[{"joint":"hinge","bodies":["wall","a"],"anchor":[0,0]}]}}"#,
        "\n",
        r#"{"t":0.1,"q":[[0,0,0],[2,0,0.5]],"v":[[0,0,0],[1,0,0]]}"#,
        "\n\n",
        r#"{"t":0.2,"q":[[0,0,0],[2,0,0.5],[3,1,0]],"came":{"bodies":[{"name":"b","position":[3,1],"mass":2,"inertia":1}],"#,
        r#""joints":[{"joint":"hinge","bodies":["a","b"],"anchor_a":[1,0],"anchor_b":[0,0]}]}}"#,
        "\n",
        r#"{"t":0.3,"q":[[0,0,0],null,[3,1,0]],"went":{"bodies":[1]}}"#,
        "\n",
        r#"{"t":0.4,"q":[[0,0,0],null,[3,2,0]]}"#,
    );
    let mut recording = open(text).expect("a recording");
    assert_eq!(recording.times(), [0.1, 0.2, 0.3, 0.4]);
    assert_eq!([0, 1, 2, 3].map(|place| recording.line(place)), [2, 4, 5, 6]);
    let counts = |recording: &mut Recording, place| {
        let (_, stretch) = recording.step(place).expect("a step");
        let bodies = stretch.bodies.iter().flatten().count();
        [bodies, stretch.bodies.len(), stretch.joints.iter().flatten().count(), stretch.joints.len()]
    };
    // In any order: the file is read where it is asked for.
    assert_eq!(counts(&mut recording, 3), [2, 3, 0, 2]);
    assert_eq!(counts(&mut recording, 0), [2, 2, 1, 1]);
    assert_eq!(counts(&mut recording, 1), [3, 3, 2, 2]);
    let world = recording.world(1).expect("a world");
    // The first joint is anchored as the scene says, at (−1, 0) of the body, which is at (2, 0) and turned: open by |2 −
    // e^{i/2}|.
    let error = measure(&world, &Method::none(), &mut Workspace::default()).joint_errors.metre;
    let [x, y] = [2.0 - 0.5_f64.cos(), -(0.5_f64.sin())];
    let second = [2.0 + 0.5_f64.cos() - 3.0, 0.5_f64.sin() - 1.0];
    let expected = [x, y, second[0], second[1]].map(f64::abs).into_iter().fold(0.0, f64::max);
    assert!((error - expected).abs() < 1e-14, "{error} {expected}");
    // Without `v` velocities are differences of the poses.
    let world = recording.world(3).expect("a world");
    assert!((world.velocity_of(1) - glam::dvec3(0.0, 10.0, 0.0)).length() < 1e-12);
    assert_eq!(world.bodies()[1].name, "b");
}

/// Each wrong line is told with its number and path, and what was expected; the end of a file in the middle of a line is no
/// error.
#[test]
fn what_is_wrong_is_told_where_it_is() {
    const FIRST: &str = r#"{"format":"driftlab-recording/1","engine":{"name":"toy"},"scene":{"bodies":[{"name":"a","position":[0,0],"mass":1,"inertia":1}]}}"#;
    let first = |from: &str, to: &str| {
        let problems = open(&FIRST.replace(from, to)).expect_err("a problem");
        problems[0].to_string()
    };
    let heads = [
        (
            r#""driftlab-recording/1""#,
            r#""driftlab-recording/9""#,
            r#"line 1: format: expected "driftlab-recording/1", found "driftlab-recording/9""#,
        ),
        (
            r#""mass":1"#,
            r#""mass":-1"#,
            "line 1: scene.bodies[0].mass: expected a number greater than 0, found -1",
        ),
        (
            r#","scene""#,
            r#","scenery":1,"scene""#,
            "line 1: scenery: no key is named 'scenery' here (did you mean 'scene'?)",
        ),
        (r#""name":"toy""#, r#""version":"1""#, "line 1: engine: missing field `name` at column"),
        ("{\"format", "[\"format", "line 1: format: expected \"driftlab-recording/1\", found \"[\"format"),
    ];
    for (from, to, expected) in heads {
        let found = first(from, to);
        assert!(found.starts_with(expected), "{found}");
    }
    let lines = [
        (r#"{"t":0.1,"q":[[0,0]]}"#, "line 2: q[0]: invalid length 2, expected an array of length 3"),
        (r#"{"t":0.1,"q":[[0,0,"x"]]}"#, "line 2: q[0][2]: invalid type: string \"x\", expected f64"),
        (r#"{"t":0.1,"q":[]}"#, "line 2: q: expected 1 entries, one for each body, found 0"),
        (
            r#"{"t":0.1,"q":[null]}"#,
            "line 2: q[0]: expected three numbers, found null, but it has not gone",
        ),
        (r#"{"t":0.1,"q":[[0,0,1e999]]}"#, "line 2: q[0][2]: number out of range"),
        (
            r#"{"t":0.1,"q":[[0,0,0]],"h":0}"#,
            "line 2: h: expected a number of seconds greater than 0, found 0",
        ),
        (
            r#"{"t":0.1,"q":[[0,0,0]],"acted":[{"on":[]}]}"#,
            "line 2: acted[0]: expected one of joint, spring and nonholonomic",
        ),
        (
            r#"{"t":0.1,"q":[[0,0,0]],"acted":[{"joint":3}]}"#,
            "line 2: acted[0].joint: nothing with the number 3 is there",
        ),
        (
            r#"{"t":0.1,"q":[[0,0,0]],"hand":[[7,0,0,0]]}"#,
            "line 2: hand[0][0]: no body with the number 7 is there",
        ),
        (
            r#"{"t":0.1,"q":[[0,0,0]],"contacts":[{"bodies":[0,0],"point":[0,0],"normal":[0,2]}]}"#,
            "line 2: contacts[0].normal: expected a length of 1, found 2",
        ),
        (
            r#"{"t":0.1,"q":[[0,0,0]],"went":{"joints":[0]}}"#,
            "line 2: went.joints[0]: nothing with the number 0 is there",
        ),
        (
            r#"{"t":0.1,"q":[[0,0,0],[0,0,0]],"came":{"bodies":[{"name":"b","position":[0,0],"mass":-2}]}}"#,
            "line 2: came.bodies[0].mass: expected a number greater than 0, found -2",
        ),
        (
            r#"{"t":0.1,"q":[[0,0,0]],"contact":[]}"#,
            "line 2: contact: no key is named 'contact' here (did you mean 'contacts'?)",
        ),
    ];
    for (line, expected) in lines {
        let mut recording = open(&format!("{FIRST}\n{line}\n")).expect("a first line");
        let problems = recording.step(0).err().unwrap_or_else(|| panic!("{line} is read"));
        let found = problems[0].to_string();
        assert!(found.starts_with(expected), "{found}");
    }
    let told = |rest: &str| open(&format!("{FIRST}\n{rest}")).expect_err("a problem")[0].to_string();
    assert_eq!(
        told("{\"q\":[[0,0,0]],\"t\":0}\n"),
        "line 2: expected {\"t\": time in s, …}, with the time as its first key, found \"{\"q\":[[0,0,0]],\"t\":0}\""
    );
    let back = "{\"t\":1,\"q\":[[0,0,0]]}\n{\"t\":0.5,\"q\":[[0,0,0]]}\n";
    assert_eq!(told(back), "line 3: t: 0.5 s follows 1 s (expected ascending times)");
    let cut = open(&format!("{FIRST}\n{{\"t\":1,\"q\":[[0,0,0]]}}\n{{\"t\":2,\"q\":[[0,0"))
        .expect("what is whole");
    assert_eq!((cut.times().len(), cut.cut_off()), (1, 16));
    // A last line without its end is whole if its text is.
    assert_eq!(open(&format!("{FIRST}\n{{\"t\":1,\"q\":[[0,0,0]]}}")).expect("two lines").times(), [1.0]);
}

/// The example of docs/RECORDING.md is a recording whose hinge holds: the numbers in it are those of a bar that is let go.
#[test]
fn the_example_of_the_page_is_right() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/RECORDING.md"))
        .expect("the page");
    let text =
        page.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let mut recording = open(text).expect("the example is read");
    let (step, _) = recording.step(0).expect("its step");
    // α = −m g l/(I + m l²), m = 2 kg, l = 1 m, I = 0.1 kg m².
    let omega = -2.0 * 9.81 / 2.1 * 0.01;
    let [_, vy, turning] = step.v.expect("velocities")[1].expect("a body");
    assert!((turning - omega).abs() < 1e-9 && (vy - omega).abs() < 1e-9);
    let on = step.acted.expect("a joint")[0].on[0];
    let impulse = 2.0 * omega + 2.0 * 9.81 * 0.01;
    assert!((on.2 - impulse).abs() < 1e-9 && (on.3 + impulse).abs() < 1e-9);
}

/// Two thousand damaged recordings cause no panic: each is read, read as far as it goes, or refused with a reason.
#[test]
fn damaged_recordings_are_read_or_refused() {
    /// Lines of a recording whose words another one has.
    const WORDS: [&str; 8] = [
        "null",
        "-1",
        "1e308",
        "[]",
        "{}",
        "\"went\":{\"bodies\":[1]}",
        "\"came\":{\"joints\":[{}]}",
        "\n",
    ];
    let texts =
        ["six-link-chain", "car", "newtons-cradle", "card-house"].map(|key| recorded(&shipped(key), 4).0);
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |most: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % most.max(1) as u64) as usize
    };
    let [mut whole, mut parts, mut refused] = [0; 3];
    for number in 0..2000 {
        let mut bytes = texts[number % texts.len()].clone().into_bytes();
        for _ in 0..1 + below(3) {
            let at = below(bytes.len());
            match below(5) {
                0 => bytes.truncate(at),
                1 => bytes[at] ^= 1 << below(8),
                2 => drop(bytes.drain(at..(at + below(200)).min(bytes.len()))),
                3 => drop(bytes.splice(at..at, WORDS[below(WORDS.len())].bytes())),
                _ => {
                    let other = texts[below(texts.len())].as_bytes();
                    let from = below(other.len());
                    drop(bytes.splice(at..at, other[from..(from + 300).min(other.len())].iter().copied()));
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        let Ok(mut recording) = Recording::open(Box::new(Cursor::new(bytes))) else {
            refused += 1;
            continue;
        };
        let steps = recording.times().len();
        let read = (0..steps).filter(|place| recording.step(*place).is_ok()).count();
        for place in 0..steps {
            if let Ok(world) = recording.world(place) {
                assert!(world.bodies().iter().all(|body| body.pose.coordinates().is_finite()));
            }
        }
        *(if read == steps && steps == 4 { &mut whole } else { &mut parts }) += 1;
    }
    assert!(whole > 30 && parts > 300 && refused > 300, "{whole} {parts} {refused}");
}
