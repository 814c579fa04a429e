//! What the writer promises: lines that come back as they were, a file without gaps, a game that never waits for a reader, and a
//! reader who is told what he has missed.

mod common;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use common::{file, read};
use driftlab_probe::Probe;
use driftlab_probe::format::{Acted, Came, Contact, Header, Impulse, Moment, Part, Precision, Step, Went};
use driftlab_probe::scene::{Body, Joint, Motor, Outline, Scene, Shape, Softness, Spring};
use serde_json::json;

fn header() -> Header {
    let mut scene = Scene::new([0.0, -9.81]);
    scene.body(Body::fixed("wall"));
    scene.body(Body::dynamic("bob", 2.0, 0.1).at(1.0, 0.0, 0.5));
    scene.joint(Joint::hinge("wall", "bob", [0.0, 0.0], [-1.0, 0.0]));
    scene.header("test", 0.01).unwrap()
}

fn step(number: usize) -> Step {
    Step {
        t: 0.01 * number as f64,
        q: vec![Some([0.0; 3]), Some([0.1, 1.0 / 3.0, 1e-17])],
        ..Step::default()
    }
}

/// A body that came, named by the step in which it did.
fn came(number: usize) -> Option<Came> {
    Some(Came {
        bodies: vec![json!({"name": format!("b{number}"), "position": [0, 0]})],
        ..Came::default()
    })
}

/// Protects the format: every key that can be written is read back as the same value, bit for bit.
#[test]
fn lines_round_trip() {
    let mut everything = step(1);
    everything.h = Some(0.01);
    everything.v = Some(vec![None, Some([f64::MIN_POSITIVE, -f64::MAX, 0.1 + 0.2])]);
    everything.acted = Some(vec![Acted {
        joint: Some(0),
        part: Some(Part::LowerLimit),
        along: Some(-1.5),
        on: vec![Impulse(1, 0.1, 0.2, -0.3)],
        linear: Some(1e-9),
        angular: Some(0.0),
        ..Acted::default()
    }]);
    everything.contacts = Some(vec![Contact {
        bodies: [0, 1],
        point: [0.1, 0.7],
        point_a: Some([0.1, 0.6]),
        normal: [0.6, 0.8],
        gap: Some(-1e-4),
        impulse: Some([1.0, -0.5, 0.0]),
        on: vec![Impulse(1, 1.0, -0.5, 0.0)],
        friction: Some(0.3),
    }]);
    everything.external = Some(vec![Impulse(1, 0.0, -0.2, 0.0)]);
    everything.hand = vec![Impulse(1, 3.0, 0.0, 0.0)];
    everything.came = came(1);
    everything.went = Some(Went { bodies: vec![1], joints: vec![0], springs: vec![] });
    everything.lost = 3;
    let steps = [everything, step(2)];
    let path = file("round-trip.jsonl");
    let written = Header { precision: Precision::F32, contacts_at: Moment::Begin, ..header() };
    let mut probe = Probe::to_file(&path, &written).unwrap();
    steps.iter().for_each(|step| probe.step(step.clone()));
    assert_eq!(probe.finish().unwrap(), 0);
    let (header, read) = read(&std::fs::read_to_string(&path).unwrap());
    assert_eq!(read, steps);
    assert_eq!(header.scene.get(), written.scene.get());
    assert_eq!((header.precision, header.contacts_at), (Precision::F32, Moment::Begin));
    assert_eq!(header.engine, written.engine);
}

/// Protects the builder: a scene has the keys of scene files, and none that says nothing.
#[test]
fn a_scene_has_the_keys_of_scene_files() {
    let mut scene = Scene::new([0.0, -10.0]);
    let disk = Shape::at(Outline::Circle { radius: 0.5 }, 0.1, 0.0, 0.0).surface(0.4, 0.2);
    scene.body(Body::kinematic("lift").moving(0.0, 1.0, 0.0).shape(disk));
    let filtered = Body::dynamic("b", 1.0, 2.0).collides(true).group(-2).filter(4, u32::MAX);
    scene.body(filtered.shape(Outline::Box { size: [1.0, 2.0] }));
    let axis = Joint::slider("lift", "b", [0.0; 2], [0.0; 2], [1.0, 0.0], 0.0);
    let motor = Some(Motor { speed: 2.0, max_force: Some(5.0), ..Motor::default() });
    scene.joint(Joint { limits: Some([Some(-1.0), None]), motor, ..axis });
    let softness = Some(Softness { frequency: 4.0, damping_ratio: 1.0 });
    scene.joint(Joint { softness, ..Joint::distance("lift", "b", [0.0; 2], [0.0; 2], 1.5) });
    assert_eq!(scene.spring(Spring::new("lift", "b", [0.0; 2], [1.0, 0.0], 100.0, 0.5).damped(3.0)), 0);
    assert_eq!(scene.spring(Spring::torsional("lift", "b", 10.0, 0.25)), 1);
    let expected = json!({
        "gravity": [0.0, -10.0],
        "bodies": [
            {"name": "lift", "type": "kinematic", "position": [0.0, 0.0], "angle": 0.0, "velocity": [0.0, 1.0],
             "shapes": [{"shape": "circle", "radius": 0.5, "offset": [0.1, 0.0], "friction": 0.4, "restitution": 0.2}]},
            {"name": "b", "type": "dynamic", "position": [0.0, 0.0], "angle": 0.0, "mass": 1.0, "inertia": 2.0,
             "collides": true, "categories": 4, "mask": 4294967295_u32, "group": -2,
             "shapes": [{"shape": "box", "size": [1.0, 2.0]}]},
        ],
        "joints": [
            {"joint": "slider", "bodies": ["lift", "b"], "anchor_a": [0.0, 0.0], "anchor_b": [0.0, 0.0],
             "reference_angle": 0.0, "axis_a": [1.0, 0.0], "limits": [-1.0, null],
             "motor": {"speed": 2.0, "max_force": 5.0}},
            {"joint": "distance", "bodies": ["lift", "b"], "anchor_a": [0.0, 0.0], "anchor_b": [0.0, 0.0],
             "length": 1.5, "softness": {"frequency": 4.0, "damping_ratio": 1.0}},
        ],
        "springs": [
            {"bodies": ["lift", "b"], "anchor_a": [0.0, 0.0], "anchor_b": [1.0, 0.0], "stiffness": 100.0, "damping": 3.0,
             "rest_length": 0.5},
            {"bodies": ["lift", "b"], "anchor_a": [0.0, 0.0], "anchor_b": [0.0, 0.0], "stiffness": 10.0, "damping": 0.0,
             "rest_angle": 0.25},
        ],
    });
    assert_eq!(serde_json::to_value(&scene).unwrap(), expected);
    let header = scene.header("mine", 0.01).unwrap().version("0.2");
    assert_eq!(header.engine.version.as_deref(), Some("0.2"));
}

/// Takes nothing before it is released, and says when it is asked for the first time.
struct Stuck {
    asked: mpsc::Sender<()>,
    release: Option<Receiver<()>>,
    text: Arc<Mutex<Vec<u8>>>,
}

/// A probe whose thread is already stuck in its writer, so that nothing leaves the queue before the release.
fn stuck_probe() -> (Probe, mpsc::Sender<()>, Arc<Mutex<Vec<u8>>>) {
    let (released, release) = mpsc::channel();
    let (asked, stuck) = mpsc::channel();
    let text = Arc::<Mutex<Vec<u8>>>::default();
    let writer = Stuck { asked, release: Some(release), text: Arc::clone(&text) };
    let probe = Probe::to_pipe(writer, &header()).unwrap();
    stuck.recv().unwrap();
    (probe, released, text)
}

impl Write for Stuck {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(release) = self.release.take() {
            self.asked.send(()).unwrap();
            let _ = release.recv();
        }
        self.text.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Protects the game and the numbers: steps that a stuck reader does not take are counted once each, and everything that came or
/// went in them is told by the next line, in its order.
#[test]
fn loss_is_counted_and_what_came_and_went_is_carried() {
    let (mut probe, released, text) = stuck_probe();
    let began = Instant::now();
    for number in 0..1000 {
        let went = (number % 3 == 0).then(|| Went { bodies: vec![number], ..Went::default() });
        probe.step(Step { came: came(number), went, ..step(number) });
    }
    assert!(began.elapsed() < Duration::from_millis(500), "the game waited {:?}", began.elapsed());
    let lost = probe.lost();
    assert!(lost >= 1000 - 200, "a queue has an end: {lost} lost");
    released.send(()).unwrap();
    // There is room again as soon as something is written.
    while text.lock().unwrap().is_empty() {
        thread::sleep(Duration::from_millis(1));
    }
    probe.step(Step { came: came(1000), ..step(1000) });
    assert_eq!(probe.finish().unwrap(), lost);
    let bytes = text.lock().unwrap().clone();
    let (_, steps) = read(std::str::from_utf8(&bytes).unwrap());
    assert_eq!(steps.iter().map(|step| step.lost).sum::<u64>(), lost);
    assert_eq!(steps.len() as u64 + lost, 1001);
    let names = steps.iter().flat_map(|step| &step.came.as_ref().unwrap().bodies);
    let expected: Vec<_> = (0..=1000).map(|number| format!("b{number}")).collect();
    assert_eq!(names.map(|body| body["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>(), expected);
    let went = steps.iter().filter_map(|step| step.went.as_ref()).flat_map(|went| went.bodies.clone());
    assert_eq!(went.collect::<Vec<_>>(), (0..1000).step_by(3).collect::<Vec<_>>());
}

/// Protects whoever watches a program that is faster than its reader: the last step is written however many were lost before it,
/// and says how many these are.
#[test]
fn the_last_step_is_never_lost_while_somebody_reads() {
    let (mut probe, released, text) = stuck_probe();
    (0..1000).for_each(|number| probe.step(Step { came: came(number), ..step(number) }));
    let lost = probe.lost();
    assert!(lost > 500, "{lost}");
    let late = thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        released.send(()).unwrap();
    });
    assert_eq!(probe.finish().unwrap(), lost - 1);
    late.join().unwrap();
    let bytes = text.lock().unwrap().clone();
    let (_, steps) = read(std::str::from_utf8(&bytes).unwrap());
    let last = steps.last().unwrap();
    assert_eq!(last.t, step(999).t);
    assert_eq!(steps.iter().map(|step| step.lost).sum::<u64>(), lost - 1);
    assert_eq!(steps.iter().map(|step| step.came.as_ref().unwrap().bodies.len()).sum::<usize>(), 1000);
}

/// Protects files: far more steps than the queue holds are all there, in their order, however slow the disk.
#[test]
fn a_file_loses_nothing() {
    struct Slow(Arc<Mutex<Vec<u8>>>);
    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            thread::sleep(Duration::from_micros(200));
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let text = Arc::<Mutex<Vec<u8>>>::default();
    let mut probe = Probe::to_writer(Slow(Arc::clone(&text)), &header()).unwrap();
    (1..=1000).for_each(|number| probe.step(step(number)));
    assert_eq!(probe.finish().unwrap(), 0);
    let bytes = text.lock().unwrap().clone();
    let (_, steps) = read(std::str::from_utf8(&bytes).unwrap());
    assert_eq!(steps, (1..=1000).map(step).collect::<Vec<_>>());
}

/// Protects the game from a full disk: it goes on, the lines are counted, and the end says what was wrong.
#[test]
fn an_error_of_the_disk_is_told_at_the_end() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::Error::from(io::ErrorKind::StorageFull))?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut probe = Probe::to_writer(Full(5000), &header()).unwrap();
    (1..=1000).for_each(|number| probe.step(step(number)));
    assert_eq!(probe.finish().unwrap_err().kind(), io::ErrorKind::StorageFull);
}

/// Protects the late reader: the game runs without one, and whoever comes gets the header, then a line with all that he has
/// missed; so does the next one after he has gone.
#[test]
fn readers_of_a_socket_come_and_go() {
    // A port that is free now: the listener closes it, and opens it again once the game runs.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let mut probe = Probe::open(&format!("tcp:{address}"), &header()).unwrap();
    for number in 0..100 {
        probe.step(Step { came: came(number), ..step(number) });
        thread::sleep(Duration::from_micros(100));
    }
    let mut sent = 100;
    for _ in 0..2 {
        let listener = TcpListener::bind(address).unwrap();
        listener.set_nonblocking(true).unwrap();
        let deadline = Instant::now() + Duration::from_secs(10);
        let stream = loop {
            probe.step(step(sent));
            sent += 1;
            match listener.accept() {
                Ok((stream, _)) => break stream,
                Err(_) => assert!(Instant::now() < deadline, "nobody connects"),
            }
            thread::sleep(Duration::from_millis(5));
        };
        stream.set_nonblocking(false).unwrap();
        let mut lines = BufReader::new(stream).lines();
        let first: Header = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        assert_eq!(first.engine.name, "test");
        (0..3).for_each(|_| {
            probe.step(step(sent));
            sent += 1;
        });
        let first: Step = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        // Lines before it: as many as its own number says, and none is missing in between.
        assert_eq!(first.lost, (first.t / 0.01).round() as u64);
        assert_eq!(first.came.unwrap().bodies.len(), 100);
        let next: Step = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        assert_eq!((next.lost, next.came), (0, None));
        // The reader goes; a write tells the game's thread within few lines.
    }
    assert!(probe.lost() >= 100);
    probe.finish().unwrap();
}

/// Protects the game from a reader in a debugger: who takes the connection and does not read costs lines, not time, and the end
/// waits a second for him and no longer.
#[cfg(unix)]
#[test]
fn a_reader_who_does_not_read_costs_only_lines() {
    let path = file("stuck.socket");
    let _ = std::fs::remove_file(&path);
    let listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
    let mut probe = Probe::open(&format!("unix:{}", path.display()), &header()).unwrap();
    let mut stream = listener.accept().unwrap().0;
    let many = Step { q: vec![Some([1.0 / 3.0; 3]); 200], ..Step::default() };
    let began = Instant::now();
    (0..2000).for_each(|_| probe.step(many.clone()));
    let took = began.elapsed();
    assert!(took < Duration::from_secs(1), "2000 steps took {took:?}");
    assert!(probe.lost() > 1000, "{} lost", probe.lost());
    assert_eq!(probe.finish().unwrap_err().kind(), io::ErrorKind::TimedOut);
    assert!(began.elapsed() < took + Duration::from_secs(3));
    // What has come is whole lines up to the last one.
    let mut bytes = vec![0; 20_000];
    stream.read_exact(&mut bytes).unwrap();
    assert!(bytes.starts_with(b"{\"format\":\"driftlab-recording/1\""));
}

/// Protects other machines, and whoever mistypes: only addresses of this machine are taken, and no name
/// that promises a compressed file.
#[test]
fn addresses_are_local() {
    for wrong in ["tcp:192.168.0.1:80", "tcp:nowhere", "tcp:127.0.0.1", "compressed.jsonl.gz"] {
        let error = Probe::open(wrong, &header()).err().unwrap_or_else(|| panic!("{wrong} was taken"));
        assert!(error.to_string().contains("expected"), "{error}");
    }
    assert!(Probe::open("tcp:localhost:9", &header()).is_ok());
}
