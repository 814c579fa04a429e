//! The examples in C and in Rust: their recordings close momentum to rounding and agree, and the header compiles everywhere it
//! should.

mod common;

use std::io::Read;
use std::path::Path;
use std::process::Command;

use common::{file, momentum_left, read};
use driftlab_probe::format::Step;

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
