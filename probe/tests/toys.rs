//! The examples in C and in Rust: their recordings close momentum to rounding and agree, and the header compiles everywhere it
//! should.

mod common;

use std::io::Read;
use std::path::Path;
use std::process::Command;

use common::{file, momentum_left, read};
use driftlab_probe::format::{Acted, Contact, Impulse, Moment, Part, Step};
use serde_json::{Value, json};

#[path = "../examples/toy.rs"]
#[allow(dead_code, reason = "its main is another's")]
mod toy;

const SOURCES: &str = env!("CARGO_MANIFEST_DIR");

/// The name of a compiler that is there, `cc` or `c++`; otherwise says that the test is skipped.
fn compiler(name: &'static str) -> Option<&'static str> {
    let is_there = Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    if !is_there {
        eprintln!("SKIPPED: no compiler {name} on this machine, the header was not tried");
    }
    is_there.then_some(name)
}

/// Compiles with every warning as an error.
fn compile(compiler: &str, words: &[&str]) {
    let warnings = ["-pedantic", "-Wall", "-Wextra", "-Werror", "-O1"];
    let output = Command::new(compiler).args(warnings).args(words).arg("-lm").output().unwrap();
    assert!(output.status.success(), "{compiler} {words:?}:\n{}", String::from_utf8_lossy(&output.stderr));
}

fn toy_in_c(name: &str, options: &[&str]) -> Option<String> {
    let program = file(name).display().to_string();
    let source = format!("{SOURCES}/examples/toy.c");
    compile(compiler("cc")?, &[&["-std=c99", &source, "-o", &program], options].concat());
    Some(program)
}

/// Sums over the whole run: 480 steps of a chain that falls, hits the ground and lies there partly.
fn check(text: &str) -> Vec<Step> {
    let (header, steps) = read(text);
    assert_eq!(steps.len(), 480);
    let left = momentum_left(&header, &steps);
    assert!(left.iter().all(|left| *left < 1e-14), "{left:?} of the largest impulse is left");
    let pressed = steps.iter().flat_map(|step| step.contacts.iter().flatten());
    assert!(
        pressed.filter(|contact| contact.impulse.unwrap()[0] > 0.0).count() > 100,
        "the chain lies on the ground"
    );
    steps
}

/// Protects the sums of both examples: M (v⁺ − v) = h F + Σ p for each body in each step, to rounding; and both are the same
/// engine.
#[test]
fn both_toys_close_momentum_and_agree() {
    let path = file("toy-rs.jsonl");
    toy::run(path.to_str().unwrap(), 480).unwrap();
    let of_rust = check(&std::fs::read_to_string(&path).unwrap());
    let Some(program) = toy_in_c("toy", &[]) else { return };
    let path = file("toy-c.jsonl");
    assert!(Command::new(program).arg(&path).status().unwrap().success());
    let of_c = check(&std::fs::read_to_string(&path).unwrap());
    // Before the first impact two orders of rounding have not yet been taken apart.
    let distance = |a: &Step, b: &Step| {
        let pairs = a.q.iter().flatten().zip(b.q.iter().flatten());
        pairs.flat_map(|(a, b)| (0..3).map(|k| (a[k] - b[k]).abs())).fold(0.0, f64::max)
    };
    for (a, b) in of_rust.iter().zip(&of_c).take(60) {
        assert_eq!(a.t, b.t);
        assert!(distance(a, b) < 1e-10, "at {}: {:e}", a.t, distance(a, b));
    }
}

/// Protects the reader of the README: its program in C compiles as it stands, and its recording closes momentum.
#[test]
fn the_program_of_the_readme_runs() {
    let readme = std::fs::read_to_string(format!("{SOURCES}/README.md")).unwrap();
    let (_, rest) = readme.split_once("```c\n").expect("a program in C");
    let source = file("pendulum.c");
    std::fs::write(&source, rest.split_once("```").unwrap().0).unwrap();
    let program = file("pendulum").display().to_string();
    let Some(compiler) = compiler("cc") else { return };
    let include = format!("{SOURCES}/include");
    compile(compiler, &["-std=c99", "-I", &include, source.to_str().unwrap(), "-o", &program]);
    let folder = env!("CARGO_TARGET_TMPDIR");
    assert!(Command::new(program).current_dir(folder).status().unwrap().success());
    let (header, steps) = read(&std::fs::read_to_string(file("pendulum.jsonl")).unwrap());
    assert_eq!(steps.len(), 200);
    let left = momentum_left(&header, &steps);
    assert!(left.iter().all(|left| *left < 1e-14), "{left:?} of the largest impulse is left");
    // The hinge holds up to the error of one step's linearisation, h² ω²/2 a step.
    let open =
        |step: &Step| step.q[1].map(|[x, y, angle]| (x - angle.cos()).hypot(y - angle.sin())).unwrap();
    assert!(steps.iter().all(|step| open(step) < 0.2), "the bob hangs on its point");
}

/// Protects every function of the header: what a program in C says is what a reader gets, number for number.
#[test]
fn every_function_of_the_header_writes_what_it_is_told() {
    let Some(compiler) = compiler("cc") else { return };
    let program = file("every").display().to_string();
    let source = format!("{SOURCES}/tests/every.c");
    compile(compiler, &["-std=c99", "-I", &format!("{SOURCES}/include"), &source, "-o", &program]);
    let path = file("every.jsonl");
    assert_eq!(Command::new(&program).arg(&path).status().unwrap().code(), Some(0));
    // Without a recording every call does nothing, and says so where it can.
    assert_eq!(Command::new(&program).status().unwrap().code(), Some(0));
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let (header, steps) = read(&lines[..3].join("\n"));
    assert_eq!((header.engine.name.as_str(), header.time_step), ("every \"one\"\n", Some(0.25)));
    assert_eq!(header.contacts_at, Moment::Begin);
    let scene: Value = serde_json::from_str(header.scene.get()).unwrap();
    let expected = json!({
        "gravity": [0, -10],
        "bodies": [
            {"name": "wall", "type": "fixed", "position": [0, 0], "angle": 0, "shapes": [
                {"shape": "half_plane", "offset": [0, -0.5], "normal": [0, 1], "friction": 0.5, "restitution": 0.25}],
             "categories": 2, "mask": 4294967295_u32, "group": -1},
            {"name": "b\\c", "type": "dynamic", "position": [0.1, 1e300], "angle": -1e-30, "mass": 2, "inertia": 0.125,
             "velocity": [1, 2], "angular_velocity": 3, "gravity_scale": 0.5, "shapes": [
                {"shape": "circle", "offset": [1, 2], "radius": 0.5},
                {"shape": "box", "offset": [0.25, 0.5], "size": [1, 2], "angle": 0.75, "friction": 1},
                {"shape": "polygon", "offset": [0, 0], "vertices": [[0, 0], [1, 0], [0, 1]]},
                {"shape": "polygon", "offset": [0, 0], "vertices": [[0, 0], [1, 0], [0, 1]], "radius": 0.125}]},
        ],
        "joints": [{"joint": "hinge", "bodies": ["wall", "b\\c"], "anchor_a": [1, 2], "anchor_b": [3, 4],
                    "limits": [-1, null]}],
        "springs": [
            {"bodies": ["wall", "b\\c"], "anchor_a": [1, 2], "anchor_b": [3, 4], "stiffness": 100, "damping": 0.5,
             "rest_length": 1.5, "breaks_at": {"force": 9}},
            {"bodies": ["wall", "b\\c"], "anchor_a": [0, 0], "anchor_b": [0, 0], "stiffness": 10, "damping": 0,
             "rest_angle": 0.25},
        ],
        "combination": {"friction": "min", "restitution": "max"},
    });
    assert_eq!(scene, expected);
    let mut first = Step {
        t: 0.25,
        q: vec![Some([0.0; 3]), Some([1.0 / 3.0, -2.0 / 3.0, 123456789.015625])],
        v: Some(vec![Some([0.0; 3]), Some([0.1, 0.2, 5e-324])]),
        external: Some(vec![Impulse(1, 0.0, -5.0, 0.0)]),
        hand: vec![Impulse(1, 1.0, 0.0, 0.5)],
        ..Step::default()
    };
    let on = vec![Impulse(0, 1.0, 2.0, 3.0), Impulse(1, -1.0, -2.0, -3.0)];
    let motor = Acted { joint: Some(0), part: Some(Part::Motor), along: Some(4.0), ..Acted::default() };
    let twist = Acted { spring: Some(1), on: vec![Impulse(1, 0.0, 0.0, 7.0)], ..Acted::default() };
    first.acted = Some(vec![Acted { joint: Some(0), on, ..Acted::default() }, motor, twist]);
    first.contacts = Some(vec![Contact {
        bodies: [0, 1],
        point: [1.0, 2.0],
        normal: [0.0, 1.0],
        gap: Some(-0.001),
        impulse: Some([5.0, -1.0, 0.0]),
        friction: Some(0.75),
        ..Contact::default()
    }]);
    assert_eq!(steps[0], first);
    let second = &steps[1];
    assert_eq!(second.q, [Some([0.0; 3]), None, Some([1.0, 2.0, 3.0])]);
    assert_eq!(second.v, Some(vec![Some([0.0; 3]), None, Some([0.0; 3])]));
    assert_eq!((second.acted.as_deref(), second.contacts.as_deref()), (Some(&[][..]), Some(&[][..])));
    let came = second.came.as_ref().unwrap();
    let late =
        json!({"name": "late", "type": "kinematic", "position": [1, 2], "angle": 3, "collides": false});
    assert_eq!(came.bodies, [late]);
    assert_eq!(came.springs[0]["rest_length"], json!(2));
    assert_eq!(came.joints[0]["bodies"], json!(["wall", "late"]));
    let went = second.went.as_ref().unwrap();
    assert_eq!((&went.bodies[..], &went.joints[..], &went.springs[..]), (&[1][..], &[0][..], &[0][..]));
    // No number is null, which no reader takes for a pose.
    assert_eq!(lines[3], r#"{"t":0.75,"q":[[null,null,0]],"acted":[],"contacts":[]}"#);
    assert!(serde_json::from_str::<Step>(lines[3]).is_err());
}

/// Protects the last bit of every number: what the header writes, `strtod` reads as the same double, and `strtof` nine digits as
/// the same float: of 3·10⁶ random ones, ten times as many without an argument, and around all powers of ten and of two.
#[test]
fn every_number_of_the_header_is_read_back_to_the_bit() {
    let Some(compiler) = compiler("cc") else { return };
    let program = file("numbers").display().to_string();
    let source = format!("{SOURCES}/tests/numbers.c");
    // Of the header it has the numbers alone.
    let words = ["-std=c99", "-Wno-unused-function", "-I", &format!("{SOURCES}/include"), &source];
    compile(compiler, &[&words[..], &["-o", &program]].concat());
    let output = Command::new(&program).arg("1000000").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// Protects whoever includes the header: no warning as C99 and as C++11, with and without sockets, as declarations and as code.
#[test]
fn the_header_compiles_without_a_warning() {
    let languages = [("cc", "-std=c99", "c"), ("c++", "-std=c++11", "cpp")];
    for (name, standard, ending) in languages {
        let Some(compiler) = compiler(name) else { continue };
        for options in [
            &[][..],
            &["-DDRIFTLAB_PROBE_IMPLEMENTATION"],
            &["-DDRIFTLAB_PROBE_SOCKETS", "-DDRIFTLAB_PROBE_IMPLEMENTATION"],
        ] {
            let source = file(&format!("includes.{ending}"));
            std::fs::write(&source, "#include \"driftlab_probe.h\"\nint nothing;\n").unwrap();
            let object = file("includes.o").display().to_string();
            let words = [
                standard,
                "-I",
                &format!("{SOURCES}/include"),
                "-c",
                source.to_str().unwrap(),
                "-o",
                &object,
            ];
            compile(compiler, &[&words[..], options].concat());
        }
    }
}

/// Protects the socket of the header: what a reader gets, and what he is told that he has lost, are together all lines.
#[cfg(unix)]
#[test]
fn the_toy_in_c_writes_to_a_socket_and_to_a_pipe() {
    let Some(program) = toy_in_c("toy-with-sockets", &["-DDRIFTLAB_PROBE_SOCKETS"]) else { return };
    let path = file("toy.socket");
    let _ = std::fs::remove_file(&path);
    let listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
    let address = format!("unix:{}", Path::new(&path).display());
    let mut child = Command::new(&program).arg(address).spawn().unwrap();
    let mut text = String::new();
    listener.accept().unwrap().0.read_to_string(&mut text).unwrap();
    assert!(child.wait().unwrap().success());
    let piped = Command::new(&program).arg("-").output().unwrap();
    assert!(piped.status.success());
    for text in [text, String::from_utf8(piped.stdout).unwrap()] {
        let (_, steps) = read(&text);
        assert_eq!(steps.iter().map(|step| 1 + step.lost).sum::<u64>(), 480);
    }
    // With nobody there the game runs to its end, and says how much was lost.
    let alone = Command::new(&program).arg("unix:/nowhere/at.all").output().unwrap();
    assert!(alone.status.success());
    assert_eq!(String::from_utf8_lossy(&alone.stderr), "480 lines were lost\n");
}

/// Protects the game from a reader of its standard output who goes: it runs to its end, with sockets compiled in and without.
#[cfg(unix)]
#[test]
fn a_reader_of_the_standard_output_may_go() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Stdio;
    for (name, options) in [("toy-alone", &[][..]), ("toy-piped", &["-DDRIFTLAB_PROBE_SOCKETS"])] {
        let Some(program) = toy_in_c(name, options) else { return };
        let mut child = Command::new(program)
            .args(["-", "2000"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut first = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let status = child.wait().unwrap();
        assert_eq!((&first, status.signal()), (b"{\"format\":", None), "{name}: {status}");
    }
}
