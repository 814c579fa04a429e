//! A recorded pointer gives the same bits again: saved in mid-stroke, recorded from a session, and run by the program.

use super::bits;
use super::interaction::{grab, sample};
use driftlab::experiment::Run;
use driftlab::method::Method;
use driftlab::scene::{Interaction, Recording, Sample, Scene, Tool, catalogue};
use driftlab::schemes::TABLE;
use glam::dvec2;

/// Makes all steps of a run, none of which may fail.
fn finish(run: &mut Run) {
    for report in run {
        report.unwrap();
    }
}

/// The six-link chain with a recorded pointer that drags it about, releases it, and grabs it again.
fn dragged() -> Scene {
    let mut scene = catalogue::find("six-link-chain").unwrap().scene().unwrap();
    let circle = |i: usize| {
        let angle = 0.05 * i as f64;
        dvec2(0.55, 0.0) + 0.15 * dvec2(angle.cos() - 1.0, angle.sin())
    };
    let mut samples: Vec<_> = (0..40).map(|i| sample(0.0031 * i as f64, circle(i), i < 30)).collect();
    let last = scene.world.bodies().last().unwrap().pose.position;
    samples.push(Sample { strength: Some(0.5), ..sample(0.15, last, true) });
    // Wherever the chain is by then, the pointer is near enough to find it.
    scene.interaction = Some(Interaction { radius: 2.0, ..grab(&samples) });
    scene
}

#[test]
fn a_run_saved_in_mid_stroke_goes_on_to_the_same_bits() {
    // Protects the promise that a save continues: in every scheme, before, in, between and after strokes, a run
    // that is saved and loaded ends where the unbroken one ends.
    for scheme in TABLE {
        let mut scene = dragged();
        scene.settings.method = Method::by_key(scheme.info().key).unwrap();
        let mut whole = Run::new(&scene, 250);
        finish(&mut whole);
        for steps in [0, 1, 43, 110, 149, 150, 200] {
            let mut first = Run::new(&scene, steps);
            finish(&mut first);
            let saved = Scene { world: first.world().clone(), ..scene.clone() };
            let loaded = Scene::parse(&saved.to_json()).unwrap();
            assert_eq!(loaded, saved);
            let mut rest = Run::new(&loaded, 250 - steps);
            finish(&mut rest);
            assert_eq!(bits(rest.world()), bits(whole.world()), "{} at {steps}", scheme.info().key);
        }
        let mut alone = Run::new(&Scene { interaction: None, ..scene.clone() }, 250);
        finish(&mut alone);
        assert_ne!(
            bits(alone.world()),
            bits(whole.world()),
            "the pointer must pull, or the test shows nothing"
        );
    }
}

#[test]
fn what_is_recorded_replays_to_the_same_bits() {
    // Protects recording: a session that acts through its own recording, saved and loaded, is the same run again.
    let mut scene = catalogue::find("six-link-chain").unwrap().scene().unwrap();
    let (h, mut world) = (scene.settings.time_step, scene.world.clone());
    let mut workspace = driftlab::step::Workspace::default();
    let mut recording = Recording::new(Tool::Grab, 1.0, 0.05);
    for step in 0..300_u32 {
        // The pointer rests for three steps of four, and the button is down in two strokes.
        let moves = f64::from(step / 4);
        let pressed = (20..120).contains(&step) || (180..250).contains(&step);
        let at = dvec2(0.35 + 0.002 * moves, 0.001 * moves - 0.01);
        recording.push(sample(world.time(), at, pressed));
        recording.interaction().apply(&mut world, h);
        driftlab::step::step(&mut world, &scene.settings.method, h, &mut workspace).unwrap();
    }
    let samples = recording.interaction().samples.len();
    assert!((40..60).contains(&samples), "repeats are dropped: {samples}");
    scene.interaction = Some(recording.into());
    let loaded = Scene::parse(&scene.to_json()).unwrap();
    let mut replay = Run::new(&loaded, 300);
    finish(&mut replay);
    assert_eq!(bits(replay.world()), bits(&world));
}

/// The program replays a recorded pointer to the same bytes: twice in one run, in two halves, and in `compare`.
#[test]
#[cfg(feature = "app")]
fn a_replay_writes_the_same_bytes() {
    // Protects `driftlab run --trace` of a recording: the same bytes twice, and the second half of a run that was
    // saved in mid-stroke is the second half of the unbroken one.
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    std::fs::write(file("dragged.json"), dragged().to_json()).unwrap();
    let run = |scene: &str, steps: &str, trace: &str, save: &str| {
        let arguments = ["run", scene, "--steps", steps, "--trace", trace, "--save", save];
        crate::driftlab().args(arguments).current_dir(folder.path()).assert().code(0);
        (std::fs::read_to_string(file(trace)).unwrap(), std::fs::read_to_string(file(save)).unwrap())
    };
    let whole = run("dragged.json", "120", "a.csv", "a.json");
    assert_eq!(whole, run("dragged.json", "120", "b.csv", "b.json"));
    assert!(whole.1.contains("\"interaction\""));
    let (first, middle) = run("dragged.json", "60", "c.csv", "c.json");
    assert!(middle.contains("\"grab\":"), "saved in mid-stroke: {middle}");
    let (second, end) = run("c.json", "60", "d.csv", "d.json");
    let rows = |text: &str, skip: usize| text.lines().skip(skip).map(str::to_owned).collect::<Vec<_>>();
    let bodies = dragged().world.bodies().len();
    // The second half repeats the header and the state in which the first one ended.
    let halves = [rows(&first, 0), rows(&second, 1 + bodies)].concat();
    assert_eq!(halves, rows(&whole.0, 0));
    assert_eq!(end, whole.1);
    let alone = Scene { interaction: None, ..dragged() };
    std::fs::write(file("alone.json"), alone.to_json()).unwrap();
    assert_ne!(run("alone.json", "120", "e.csv", "e.json").0, whole.0);
    // `compare` replays it under every scheme: its rows of the scene's own scheme are those of `run`.
    let csv = |arguments: &[&str], skip: usize| -> Vec<String> {
        crate::driftlab().args(arguments).current_dir(folder.path()).assert().code(0);
        let text = std::fs::read_to_string(file("out.csv")).unwrap();
        // All columns but the first ones and the time that the step took.
        const STEP_US: usize = 15;
        let cells = |line: &str| {
            let mut cells: Vec<_> = line.split(',').skip(skip).collect();
            cells.remove(STEP_US);
            cells.join(",")
        };
        text.lines().skip(1).map(cells).collect()
    };
    let alone =
        csv(&["run", "dragged.json", "--stabilizer", "none", "--steps", "120", "--csv", "out.csv"], 0);
    let beside =
        csv(&["compare", "dragged.json", "--stabilizers", "none", "--steps", "120", "--csv", "out.csv"], 1);
    assert_eq!(alone, beside);
}
