//! Scene files of strangers: names that command a terminal, texts without end, and more errors than anybody reads.

use crate::driftlab;
use serde_json::json;
use std::fs;

/// Sets the window's title, clears the screen, colours, forges a line, turns the direction, and the eight-bit form of CSI.
const NAME: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred\nforged: ok\u{202e}\u{9b}31m<b>&";

/// Whether a terminal would take any of it for a command, or a reader for another line.
fn is_harmless(text: &str) -> bool {
    !text.chars().any(|c| (c.is_control() && c != '\n') || c == '\u{202e}') && !text.contains("\nforged")
}

fn scene() -> serde_json::Value {
    json!({
        "format": "driftlab-scene/1", "name": NAME, "settings": { "time_step": 0.001 },
        "bodies": [
            { "name": "wall", "type": "fixed", "position": [0, 0] },
            { "name": NAME, "position": [1, 0], "shapes": [ { "shape": "circle", "radius": 0.1 } ] },
        ],
        "joints": [ { "joint": "hinge", "bodies": ["wall", NAME], "anchor": [0, 0] } ],
        "reference": [ { "label": NAME, "source": NAME, "quantity": "joint_error", "at_most": 0.1, "take": "largest" } ],
    })
}

#[test]
fn names_do_not_command_the_terminal() {
    // Protects terminals and pictures from a scene's names and an error's quotations: no control character reaches
    // them, JSON says the same name, and the SVG stays well-formed XML.
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, scene: &serde_json::Value| {
        fs::write(folder.path().join(name), scene.to_string()).unwrap()
    };
    let mut sound = scene();
    sound.as_object_mut().unwrap().remove("reference");
    write("sound.json", &sound);
    let mut wrong = sound.clone();
    wrong["joints"][0]["bodies"][0] = json!(NAME.repeat(2));
    wrong[NAME] = json!(NAME);
    write("wrong.json", &wrong);
    let run = |arguments: &[&str], status: i32| {
        let assert = driftlab().args(arguments).current_dir(folder.path()).assert().code(status);
        let output = assert.get_output().clone();
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert!(is_harmless(&out) && is_harmless(&err), "{arguments:?}: {out:?} {err:?}");
        [out, err]
    };
    let [summary, _] = run(&["run", "sound.json", "--steps", "1"], 0);
    assert!(summary.contains("\\u{1b}]0;owned"), "{summary}");
    let [text, _] = run(&["run", "sound.json", "--steps", "1", "--json"], 0);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["scene"], NAME);
    let [_, errors] = run(&["check", "wrong.json"], 2);
    assert!(errors.lines().count() >= 2 && errors.contains("no body is named"), "{errors}");
    run(&["compare", "sound.json", "--steps", "2", "--stabilizers", "none", "--plot", "a.svg"], 0);
    let svg = fs::read_to_string(folder.path().join("a.svg")).unwrap();
    assert!(svg.contains("owned") && svg.contains("&lt;b&gt;&amp;"), "the name is drawn");
    assert!(
        !svg.chars().any(|c| c.is_control() && c != '\n' && c != '\t'),
        "control characters in the SVG"
    );
    run(&["converge", "sound.json", "--schemes", "none", "--time", "0.002", "--h", "0.001,0.0005"], 0);
    #[cfg(unix)]
    {
        write("a\nforged: ok.json", &sound);
        run(&["check", "a\nforged: ok.json"], 0);
    }
    run(&["lcp", "sound.json"], 2);
    let id = json!({ "id": NAME, "M": [[1]], "q": [1] }).to_string();
    fs::write(folder.path().join("a.jsonl"), id).unwrap();
    let [answer, _] = run(&["lcp", "a.jsonl"], 0);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&answer).unwrap()["id"], NAME);
}

#[test]
fn at_most_fifty_errors_are_printed() {
    // Protects the reader: fifty lines, and the number of the others.
    let folder = tempfile::tempdir().unwrap();
    let bodies: Vec<_> = (0..120).map(|i| json!({ "name": format!("b{i}"), "position": 0 })).collect();
    let scene = json!({ "format": "driftlab-scene/1", "name": "x", "settings": { "time_step": 1 }, "bodies": bodies });
    let file = folder.path().join("many.json");
    fs::write(&file, scene.to_string()).unwrap();
    let assert = driftlab().arg("check").arg(&file).assert().code(2);
    let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert_eq!(error.lines().count(), 51, "{error}");
    assert_eq!(error.lines().last(), Some("and 70 more errors"));
}

#[test]
#[cfg(unix)]
fn endless_files_are_refused() {
    // Protects memory: a device is no scene, and a pipe or a file is read up to 64 MiB.
    let cases: [(&[&str], &str); 3] = [
        (&["check", "/dev/zero"], "/dev/zero: a device (expected a file or a pipe)"),
        (&["lcp", "/dev/zero"], "/dev/zero: a device"),
        (&["merge", "/dev/zero"], "/dev/zero: a device"),
    ];
    for (arguments, reason) in cases {
        let assert = driftlab().args(arguments).assert().code(2).stdout("");
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(error.starts_with(reason), "{error}");
    }
    let folder = tempfile::tempdir().unwrap();
    let large = folder.path().join("large.json");
    fs::File::create(&large).unwrap().set_len((64 << 20) + 1).unwrap();
    let assert = driftlab().arg("check").arg(&large).assert().code(2);
    let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(error.contains("too large (expected at most 64 MiB)"), "{error}");
    // A pipe with a writer is read like a file.
    let pipe = folder.path().join("pipe.json");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let text = driftlab::scene::catalogue::find("six-link-chain").unwrap().text;
    let to = pipe.clone();
    let writer = std::thread::spawn(move || fs::write(to, text));
    driftlab().arg("check").arg(&pipe).assert().code(0);
    writer.join().unwrap().unwrap();
}

#[test]
fn times_beyond_all_steps_are_refused() {
    // Protects `stability --at`: a time that no run reaches is an error and not an endless run.
    let arguments = ["stability", "double-pendulum", "--over", "dt=0.001,0.002", "--at", "1e300"];
    let assert = driftlab().args(arguments).assert().code(2).stdout("");
    let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(error.starts_with("--at: more than 1e12 steps"), "{error}");
}

#[test]
fn long_names_and_many_links_are_checked_soon() {
    // Protects the checks from quadratic time: names of 20 kB are not compared letter by letter, and of 30,000 links
    // each finds its bodies at once. Without both this takes minutes.
    let folder = tempfile::tempdir().unwrap();
    let [body, link] = ["ab".repeat(10_000), "ba".repeat(10_000)];
    let named = |name: &str| json!({ "name": name, "position": [0, 0], "mass": 1, "inertia": 1 });
    let with = |bodies: Vec<serde_json::Value>, joints: Vec<serde_json::Value>| {
        json!({ "format": "driftlab-scene/1", "name": "x", "settings": { "time_step": 0.001 },
                "bodies": bodies, "joints": joints })
    };
    let hinge = |a: &str, b: &str| json!({ "joint": "hinge", "bodies": [a, b], "anchor": [0, 0] });
    let file = folder.path().join("long.json");
    fs::write(&file, with(vec![named(&body)], vec![hinge(&body, &link)]).to_string()).unwrap();
    let assert = driftlab().arg("check").arg(&file).assert().code(2);
    let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(error.contains("no body is named 'baba") && error.len() < 300, "{error}");
    const LINKS: usize = 30_000;
    let name = |i: usize| format!("link number {i}");
    let bodies = (0..=LINKS).map(|i| named(&name(i))).collect();
    let joints = (0..LINKS).map(|i| hinge(&name(i), &name(i + 1))).collect();
    fs::write(&file, with(bodies, joints).to_string()).unwrap();
    let started = std::time::Instant::now();
    driftlab().arg("check").arg(&file).assert().code(0);
    assert!(started.elapsed().as_secs() < 30, "{:?}", started.elapsed());
}

#[test]
fn shapes_and_joints_are_limited() {
    // Protects the time of a step and of opening: combs whose division takes minutes, hinges that repeat each other a
    // hundred times, and bodies of more shapes than can be tested in pairs are refused by their place, with the limit.
    let comb = |teeth: usize| {
        let tooth = |i: usize| {
            let x = 2.0 * i as f64;
            [[x, 0.1], [x, 1.0], [x + 1.0, 1.0], [x + 1.0, 0.1]]
        };
        let mut points: Vec<[f64; 2]> = (0..teeth).flat_map(tooth).collect();
        points.extend([[2.0 * teeth as f64, -1.0], [0.0, -1.0]]);
        json!({ "shape": "polygon", "vertices": points })
    };
    let body = |name: &str, shapes: Vec<serde_json::Value>| json!({ "name": name, "position": [0, 0], "shapes": shapes });
    let disk = || json!({ "shape": "circle", "radius": 1 });
    let hinge = json!({ "joint": "hinge", "bodies": ["a", "b"], "anchor": [0, 0] });
    let scene = |bodies: Vec<serde_json::Value>, joints: usize| {
        json!({ "format": "driftlab-scene/1", "name": "x", "settings": { "time_step": 0.001 }, "bodies": bodies,
                "joints": vec![hinge.clone(); joints] })
    };
    let pair = || vec![body("a", vec![disk()]), body("b", vec![disk()])];
    let folder = tempfile::tempdir().unwrap();
    let check = |scene: serde_json::Value, expected: &str| {
        let file = folder.path().join("scene.json");
        fs::write(&file, scene.to_string()).unwrap();
        let assert = driftlab().arg("check").arg(&file).assert();
        let output = assert.get_output();
        let text = [&output.stdout[..], &output.stderr].concat();
        let text = String::from_utf8_lossy(&text).into_owned();
        assert!(text.contains(expected), "{text}");
    };
    check(scene(vec![body("c", vec![comb(256)])], 0), ": ok");
    check(
        scene(vec![body("c", vec![comb(1000)])], 0),
        "bodies[0].shapes[0].vertices: the polygons of this scene take too long",
    );
    check(
        scene(vec![body("c", vec![disk(); 4097])], 0),
        "bodies[0].shapes: expected at most 4096 shapes, found 4097",
    );
    check(scene(pair(), 64), ": ok");
    check(scene(pair(), 65), "joints: expected at most 64 joints between the same two bodies, found 65");
}

#[test]
fn joints_and_springs_at_one_place_are_few_enough_for_a_step() {
    // Protects against minutes and gigabytes for a step of a file of a few lines: all rows of a body that can move are coupled.
    let folder = tempfile::tempdir().unwrap();
    let check = |hub: serde_json::Value,
                 what: &str,
                 links: Vec<serde_json::Value>,
                 bodies: usize,
                 expected: &str| {
        let disk = json!({ "shape": "circle", "radius": 0.01 });
        let body = |i: usize| json!({ "name": format!("b{i}"), "position": [2 * i, 0], "shapes": [disk] });
        let mut all = vec![hub];
        all.extend((1..=bodies).map(body));
        let mut scene = json!({ "format": "driftlab-scene/1", "name": "x", "settings": { "time_step": 0.001 }, "bodies": all });
        scene[what] = json!(links);
        let file = folder.path().join("scene.json");
        fs::write(&file, scene.to_string()).unwrap();
        let assert = driftlab().arg("check").arg(&file).assert();
        let output = assert.get_output();
        let text = String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned();
        assert!(text.contains(expected), "{text}");
    };
    let hub =
        || json!({ "name": "hub", "position": [0, 0], "shapes": [{ "shape": "circle", "radius": 0.1 }] });
    let ground = || json!({ "name": "hub", "type": "fixed", "position": [0, 0], "shapes": [{ "shape": "circle", "radius": 0.1 }] });
    let spring = |i: usize| json!({ "bodies": ["hub", format!("b{i}")], "anchors": [[0, 0], [2 * i, 0]], "stiffness": 1 });
    let hinge =
        |i: usize| json!({ "joint": "hinge", "bodies": ["hub", format!("b{i}")], "anchor": [2 * i, 0] });
    check(hub(), "springs", vec![spring(1); 64], 1, ": ok");
    let pair = "springs: expected at most 64 springs between the same two bodies, found 65";
    check(hub(), "springs", vec![spring(1); 65], 1, pair);
    check(hub(), "joints", (1..=512).map(hinge).collect(), 512, ": ok");
    let many = "joints: expected at most 512 joints of body hub, found 513";
    check(hub(), "joints", (1..=513).map(hinge).collect(), 513, many);
    let many = "springs: expected at most 512 springs of body hub, found 513";
    check(hub(), "springs", (1..=513).map(spring).collect(), 513, many);
    // A body that cannot move couples nothing.
    check(ground(), "joints", (1..=513).map(hinge).collect(), 513, ": ok");
}

#[test]
fn a_crowd_is_announced() {
    // Protects against a wait without a word: 60 disks on one point are 1,770 contacts.
    let disk = |i: usize| json!({ "name": format!("d{i}"), "position": [0, 0], "shapes": [{ "shape": "circle", "radius": 1 }] });
    let bodies: Vec<_> = (0..60).map(disk).collect();
    let scene = json!({ "format": "driftlab-scene/1", "name": "x", "settings": { "time_step": 0.001 }, "bodies": bodies });
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("crowd.json");
    fs::write(&file, scene.to_string()).unwrap();
    let assert =
        driftlab().arg("run").arg(&file).args(["--steps", "1", "--stabilizer", "none"]).assert().code(0);
    let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(error.starts_with("warning: 1770 contacts of 60 bodies: "), "{error}");
}
