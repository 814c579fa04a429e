//! What recording costs the game's own thread: 200 bodies at 240 Hz with 150 joints and 400 contacts in every line, into a file,
//! into a socket with a reader, into one without, and into a pipe that nobody empties.
//!
//! `cargo run --release -p driftlab-probe --example cost`

use std::io::{self, Write};
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use driftlab_probe::Probe;
use driftlab_probe::format::{Acted, Contact, Header, Impulse, Step};
use driftlab_probe::scene::{Body, Joint, Outline, Scene};

const BODIES: usize = 200;
const JOINTS: usize = 150;
const CONTACTS: usize = 400;
const STEPS: usize = 960;
const STEP: Duration = Duration::from_nanos(1_000_000_000 / 240);

fn header() -> serde_json::Result<Header> {
    let mut scene = Scene::new([0.0, -9.81]);
    let name = |i: usize| format!("body{i}");
    for i in 0..BODIES {
        scene.body(Body::dynamic(name(i), 1.0, 0.1).shape(Outline::Box { size: [1.0, 0.5] }));
    }
    for i in 0..JOINTS {
        scene.joint(Joint::hinge(&name(i), &name(i + 1), [0.5, 0.0], [-0.5, 0.0]));
    }
    scene.header("cost", STEP.as_secs_f64())
}

/// A line whose numbers all have 17 digits, as those of an engine do.
fn line(number: usize) -> Step {
    let digits = |i: usize| ((i * 7919 + number) as f64).sin();
    let three = |i: usize| [digits(i), digits(i + 1), digits(i + 2)];
    let wrench = |body: usize| Impulse(body, digits(body), digits(body + 3), digits(body + 5));
    let acted = |joint| Acted {
        joint: Some(joint),
        on: vec![wrench(joint), wrench(joint + 1)],
        ..Acted::default()
    };
    let contact = |i: usize| Contact {
        bodies: [i % BODIES, (i + 1) % BODIES],
        point: [digits(i), digits(i + 1)],
        normal: [digits(i + 2), digits(i + 3)],
        gap: Some(digits(i + 4)),
        impulse: Some(three(i)),
        ..Contact::default()
    };
    Step {
        t: number as f64 * STEP.as_secs_f64(),
        q: (0..BODIES).map(|i| Some(three(i))).collect(),
        v: Some((0..BODIES).map(|i| Some(three(i + 9))).collect()),
        acted: Some((0..JOINTS).map(acted).collect()),
        contacts: Some((0..CONTACTS).map(contact).collect()),
        ..Step::default()
    }
}

/// Makes the steps at their pace and says what a line cost: its making, which an attachment does from its engine's numbers, and
/// its writing.
fn measure(what: &str, mut probe: Probe) {
    let (mut making, mut writing, mut worst) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let began = Instant::now();
    for number in 1..=STEPS {
        let before = Instant::now();
        let step = line(number);
        let made = Instant::now();
        probe.step(step);
        let written = made.elapsed();
        making += made - before;
        writing += written;
        worst = worst.max(written);
        thread::sleep((STEP * number as u32).saturating_sub(began.elapsed()));
    }
    let lost = probe.lost();
    let part = |time: Duration| 100.0 * time.as_secs_f64() / STEPS as f64 / STEP.as_secs_f64();
    let mean = |time: Duration| 1e6 * time.as_secs_f64() / STEPS as f64;
    println!(
        "{what:<28} making {:5.1} µs ({:.2} %), writing {:5.1} µs ({:.2} %) of a step, the worst {:6.1} µs; \
         {lost} of {STEPS} lines lost",
        mean(making),
        part(making),
        mean(writing),
        part(writing),
        1e6 * worst.as_secs_f64(),
    );
    // A reader that does not read is part of the measurement.
    let _ = probe.finish();
}

/// Takes nothing.
struct Stuck;

impl Write for Stuck {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        thread::park();
        Ok(0)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn main() -> io::Result<()> {
    let path = std::env::temp_dir().join("driftlab-cost.jsonl");
    measure("a file", Probe::to_file(&path, &header()?)?);
    println!("{:28} {} bytes a line", "", std::fs::metadata(&path)?.len() / STEPS as u64);
    std::fs::remove_file(&path)?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = format!("tcp:{}", listener.local_addr()?);
    let reader = thread::spawn(move || {
        let (mut stream, _) = listener.accept()?;
        io::copy(&mut stream, &mut io::sink())
    });
    measure("a socket with a reader", Probe::open(&address, &header()?)?);
    reader.join().expect("the reader reads to the end")?;
    measure("a socket without a reader", Probe::open(&address, &header()?)?);
    measure("a pipe that nobody empties", Probe::to_pipe(Stuck, &header()?)?);
    Ok(())
}
