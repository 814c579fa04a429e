//! Box2D's own samples and Rapier's own examples, rebuilt as scenes of ours (`samples/`), and what their own programs have seen
//! of them (`tests/reference/samples`).

use crate::driftlab;
use driftlab::experiment::Run;
use driftlab::model::BodyKind;
use driftlab::scene::Scene;
use glam::DVec2;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Numbers of steps after which poses are known.
const STEPS: [u64; 4] = [1, 10, 50, 100];
/// Of a sample's name: Box2D finds all contacts anew in each step.
const ANEW: &str = "-without-recycling";

/// Centre of mass, m, and angle, rad, of a body, by its number in the scene.
type Pose = (usize, DVec2, f64);

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// By sample and number of steps, as the engine's own program has them.
fn poses_of(engine: &str) -> BTreeMap<String, BTreeMap<u64, Vec<Pose>>> {
    let text = fs::read_to_string(folder("reference/samples").join(format!("{engine}.csv"))).unwrap();
    let mut all: BTreeMap<String, BTreeMap<u64, Vec<Pose>>> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let [sample, step, body, x, y, angle] = line.split(',').collect::<Vec<_>>().try_into().unwrap();
        let [x, y, angle] = [x, y, angle].map(|word| word.parse().unwrap());
        let pose = (body.parse().unwrap(), DVec2::new(x, y), angle);
        all.entry(sample.to_owned()).or_default().entry(step.parse().unwrap()).or_default().push(pose);
    }
    all
}

/// Up to which difference of places, m, and angles, rad, a body is where the program has it: to rounding of single precision at
/// up to 40 m, and of the thirteen digits of the reference of Rapier's. None where something else than rounding parts the two:
///
/// - a program that begins one unit of rounding beside its own places comes as far from itself: the house of cards from the
///   second step on, and late in `cliff`, `box-restitution`, `platform` and Rapier's arch;
/// - Box2D keeps contacts by how far bodies' origins have moved, ours are centres of mass: the arch and the triangles of
///   `high-mass-ratio-3` agree where contacts are not kept;
/// - a suspension of ours has a stiffness, that of Box2D a frequency of the mass that it moves: the wheel of `separation`;
/// - a spring in a hinge of Box2D is a row of that hinge, ours is a joint of its own: `ball-and-chain`.
fn within(engine: &str, sample: &str, step: u64, body: usize) -> Option<f64> {
    let last = match (engine, sample) {
        ("box2d", "card-house") => 1,
        ("box2d", "arch" | "cliff" | "ball-and-chain") | ("rapier", "arch" | "platform") => 10,
        ("box2d", "separation") if body == 5 => 10,
        ("box2d", "high-mass-ratio-3" | "box-restitution") => 50,
        _ => 100,
    };
    (step <= last).then_some(if engine == "box2d" { 3e-5 } else { 2e-11 })
}

/// The scene of a sample, which has the engine among its settings.
fn scene_of(engine: &str, sample: &str) -> Scene {
    let name = sample.strip_suffix(ANEW).unwrap_or(sample);
    let file = folder("engines/samples").join(format!("{engine}-{name}.json"));
    let mut text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    if name != sample {
        let kind = r#""kind": "box2d""#;
        text = text.replace(kind, &format!(r#"{kind}, "contact_recycling": "off""#));
    }
    Scene::parse(&text).unwrap_or_else(|problems| panic!("{sample}: {problems:?}"))
}

/// The samples' heights and angles over the first hundred steps are those of the engines' own programs, sleeping off: shapes and
/// their order, masses, materials and how they combine, joints and their parameters, bodies on paths.
#[test]
fn samples_are_the_engines_own() {
    for (engine, samples) in [("box2d", 22), ("rapier", 11)] {
        let mut rebuilt = 0;
        for (sample, poses) in poses_of(engine) {
            let scene = scene_of(engine, &sample);
            let moving = scene.world.bodies().iter().filter(|body| body.kind() != BodyKind::Fixed).count();
            let mut run = Run::new(&scene, 100);
            let mut row = Vec::new();
            while let Some(report) = run.next() {
                report.unwrap_or_else(|error| panic!("{sample}: {error}"));
                let step = run.world().steps();
                let Some(poses) = poses.get(&step) else { continue };
                assert_eq!(poses.len(), moving, "{sample}");
                let mut most = [0.0_f64; 2];
                for (body, place, angle) in poses {
                    let own = run.world().bodies()[*body].pose;
                    let differences = [own.position.distance(*place), (own.angle - angle).abs()];
                    if let Some(within) = within(engine, &sample, step, *body) {
                        let holds = differences.iter().all(|difference| *difference <= within);
                        assert!(holds, "{sample}, step {step}, body {body}: {differences:?}");
                    }
                    most = [0, 1].map(|k| most[k].max(differences[k]));
                }
                row.push(format!("{:.0e} m, {:.0e} rad", most[0], most[1]));
            }
            assert_eq!(row.len(), STEPS.len(), "{sample}");
            println!("{engine} {sample}: {}", row.join("; "));
            rebuilt += 1;
        }
        assert_eq!(rebuilt, samples, "{engine}");
    }
}

/// Recordings that Box2D's own sample program has written are judged as mechanics demands: the engine's contacts are those that
/// our detection finds, also of boxes with round edges, its readings of joints those of ours, and no body gains momentum that
/// the recording does not tell, but for rounding.
#[test]
fn recordings_of_the_sample_program_are_judged() {
    let judged = |sample: &str| {
        let file = folder("reference/samples").join(format!("{sample}.b2rec"));
        let assert = driftlab().arg("judge").arg(&file).arg("--json").assert().code(0);
        let all: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
        all[0].clone()
    };
    let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{value} is no number"));
    for (sample, contacts) in [("card-house", 20_000.0), ("vertical-stack", 2_000.0)] {
        let own = judged(sample);
        assert_eq!(own["steps"], 100);
        let unseen = &own["unseen"];
        assert!(
            number(&unseen["of"]) > contacts && number(&unseen["contacts"]) == 0.0,
            "{sample}: {unseen}"
        );
        let [ours, engine] = ["penetration", "engine_penetration"].map(|key| number(&own[key]["largest"]));
        assert!((ours - engine).abs() < 0.2 * engine, "{sample}: {ours} {engine}");
        let share = number(&own["momentum"]["share"]["largest"]);
        assert!(share < 1e-5, "{sample}: {share}");
    }
    let own = judged("separation");
    for key in ["joint_difference", "joint_error", "engine_joint_error"] {
        assert!(own[key]["largest"].is_number(), "{key}: {}", own[key]);
    }
    assert!(number(&own["joint_difference"]["largest"]) < 1e-6);
}
