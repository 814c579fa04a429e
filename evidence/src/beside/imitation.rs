//! The scheme that imitates an engine beside that engine itself, and what explains where they differ.
//!
//! An *ablation* takes something away on one side or on both: a feature that the other side has not, or the order and the
//! roundings that neither means. Each is run here. A difference is explained by an ablation that ends it: the engine without the
//! feature does as the scheme does, or the scheme without it as the engine, or both without it as each other; or by one that
//! moves the engine itself as far: then the figure is a single draw of chaotic motion.

use super::{BesideError, Figures, Outcome, method_of, outcome, scenes, significant3};
use driftlab::model::{Body, BodyId, ModelError, Pose, Velocity};
use driftlab::scene::Scene;
use glam::DVec2;
use std::fmt::Write as _;

/// Scenes on which they stand together.
pub static IMITATED: [&str; 8] = [
    "chain-6",
    "chain-100",
    "pyramid-10",
    "pyramid-10-struck",
    "stack-20",
    "motor-holds",
    "parked-car",
    "mass-ratio-box-rest",
];
/// The engine, and the scheme that imitates it.
const PAIR: [&str; 2] = ["box2d", "soft"];
/// Share within which two figures agree, and below which length they are nothing, m.
const WITHIN: f64 = 0.1;
const NOTHING: f64 = 1e-6;
/// Parts of a step of both.
const PARTS: f64 = 4.0;
/// A length that changes the roundings of single precision, m.
const ASIDE: f64 = 1e-6;

const ASIDE_WORDS: &str = "1 µm aside, with other roundings";
const REVERSED: &str = "with its joints in reverse order";

/// How an ablation changes the scene.
type Change = fn(&mut Scene) -> Result<(), ModelError>;
/// How a figure is read off, m.
type Reading = fn(&Figures) -> Option<f64>;

/// What is taken away.
struct Ablation {
    what: &'static str,
    /// The settings of engine and scheme then; none that stays as it is.
    settings: [Option<&'static str>; 2],
    change: Option<Change>,
}

const ABLATIONS: [Ablation; 8] = [
    feature("without recycled contacts", [Some("contact_recycling=off"), Some("recycle_distance=0")]),
    feature("without warm starting", [Some("warm_starting=off"), None]),
    feature("without continuous detection", [Some("continuous=off"), None]),
    feature("with softer contacts of unlike masses", [Some("contact_softening=on"), None]),
    feature("without the relax sweep", [None, Some("relax=off")]),
    Ablation {
        change: Some(in_parts),
        ..feature("with each part as a step, in which bodies may turn by π/4", [Some("substeps=1"); 2])
    },
    Ablation { change: Some(moved_aside), ..feature(ASIDE_WORDS, [Some(""), Some("")]) },
    Ablation { change: Some(in_reverse), ..feature(REVERSED, [Some(""), Some("")]) },
];

const fn feature(what: &'static str, settings: [Option<&'static str>; 2]) -> Ablation {
    Ablation { what, settings, change: None }
}

fn moved_aside(scene: &mut Scene) -> Result<(), ModelError> {
    let place = |(id, body): (&BodyId, &Body)| {
        let position = body.pose.position + DVec2::X * ASIDE;
        (*id, Pose { position, ..body.pose }, body.velocity)
    };
    let world = &mut scene.world;
    let places: Vec<(BodyId, Pose, Velocity)> =
        world.body_ids().iter().zip(world.bodies()).map(place).collect();
    world.place_bodies(&places)
}

fn in_reverse(scene: &mut Scene) -> Result<(), ModelError> {
    let (ids, joints) = (scene.world.joint_ids().to_vec(), scene.world.joints().to_vec());
    for id in ids {
        scene.world.remove_joint(id)?;
    }
    for joint in joints.into_iter().rev() {
        scene.world.insert_joint(joint)?;
    }
    Ok(())
}

/// Four parts of a step as four steps: what an engine does once in a step it does four times.
fn in_parts(scene: &mut Scene) -> Result<(), ModelError> {
    scene.settings.time_step /= PARTS;
    Ok(())
}

/// Figures of a run by name.
const FIGURES: [(&str, Reading); 4] = [
    ("joint", |own| own.joint[0]),
    ("joint at the end", |own| own.joint[1]),
    ("overlap at the end", |own| own.overlap[1]),
    ("moved", |own| Some(own.moved)),
];

/// A scene under engine and scheme, as they come and without each thing.
#[derive(Clone, Debug, PartialEq)]
pub struct Imitation {
    /// The scene.
    pub scene: &'static str,
    /// What is taken away (empty at first), and the figures of engine and scheme then; none of a side that has not got it, or
    /// whose run ended early.
    pub runs: Vec<(&'static str, [Option<Figures>; 2])>,
}

/// Makes all runs of a scene of [`IMITATED`].
///
/// # Errors
/// A scene or scheme that cannot be read.
pub fn imitation(name: &'static str) -> Result<Imitation, BesideError> {
    let scene = scenes::scene(name).map_err(|problems| BesideError::of(name, problems))?;
    let wrong = |error: ModelError| BesideError(format!("{name}: {error}"));
    let whole = |scene: &Scene, scheme: &str| {
        let made = outcome(name, scene, &method_of(scene, scheme)?)?;
        Ok(if let Outcome::Whole(figures) = made { Some(figures) } else { None })
    };
    let mut runs = vec![("", [whole(&scene, PAIR[0])?, whole(&scene, PAIR[1])?])];
    let is_other = |ablation: &&Ablation| ablation.what != REVERSED || !scene.world.joints().is_empty();
    for Ablation { what, settings, change } in ABLATIONS.iter().filter(is_other) {
        let mut scene = scene.clone();
        change.map_or(Ok(()), |change| change(&mut scene)).map_err(wrong)?;
        let mut of = [None; 2];
        for (side, settings) in settings.iter().enumerate() {
            if let Some(settings) = settings {
                let scheme = [PAIR[side], settings].join(",");
                of[side] = whole(&scene, scheme.trim_end_matches(','))?;
            }
        }
        runs.push((what, of));
    }
    Ok(Imitation { scene: name, runs })
}

/// All of [`IMITATED`].
///
/// # Errors
/// A scene or scheme that cannot be read.
pub fn all_imitations() -> Result<Vec<Imitation>, BesideError> {
    IMITATED.into_iter().map(imitation).collect()
}

fn are_alike(a: f64, b: f64) -> bool {
    let most = a.abs().max(b.abs());
    most < NOTHING || (a - b).abs() <= WITHIN * most
}

impl Imitation {
    /// What a run says of a figure, of engine and scheme.
    fn read(&self, run: usize, of: Reading) -> [Option<f64>; 2] {
        self.runs[run].1.map(|own| own.as_ref().and_then(of))
    }

    /// How a figure compares: nothing where neither has it; else whether they agree, what explains the difference, or that it is
    /// open.
    fn verdict(&self, of: Reading) -> Option<String> {
        let [Some(engine), Some(scheme)] = self.read(0, of) else { return None };
        if are_alike(engine, scheme) {
            return Some("agree".to_owned());
        }
        let off = (engine - scheme).abs();
        for run in 1..self.runs.len() {
            let what = self.runs[run].0;
            match self.read(run, of) {
                [Some(other), _] if are_alike(other, scheme) => {
                    return Some(format!("Box2D does as `soft` {what}: {}", millimetres(other)));
                }
                [_, Some(other)] if are_alike(other, engine) => {
                    return Some(format!("`soft` does as Box2D {what}: {}", millimetres(other)));
                }
                [Some(a), Some(b)] if are_alike(a, b) => {
                    return Some(format!("they agree {what}: {}, {}", millimetres(a), millimetres(b)));
                }
                [Some(other), _] if is_rounding(what) && (other - engine).abs() >= off => {
                    return Some(format!("Box2D itself differs as much {what}: {}", millimetres(other)));
                }
                _ => (),
            }
        }
        Some("open".to_owned())
    }
}

fn is_rounding(what: &str) -> bool {
    [ASIDE_WORDS, REVERSED].contains(&what)
}

fn millimetres(length: f64) -> String {
    significant3(1e3 * length)
}

/// The part of the page that tells them.
pub fn imitations(all: &[Imitation]) -> String {
    let mut text = INTRODUCTION.to_owned();
    let mut counts = [0; 3];
    for own in all {
        let _ = writeln!(text, "\n| `{}` | Box2D | `soft` | |\n|---|---:|---:|---|", own.scene);
        for (name, of) in FIGURES {
            let Some(verdict) = own.verdict(of) else { continue };
            counts[match &*verdict {
                "agree" => 0,
                "open" => 2,
                _ => 1,
            }] += 1;
            let [engine, scheme] = own.read(0, of).map(|own| own.map(millimetres).unwrap_or_default());
            let _ = writeln!(text, "| {name}, mm | {engine} | {scheme} | {verdict} |");
        }
    }
    let [agree, explained, open] = counts;
    let _ = writeln!(
        text,
        "\nOf these figures {agree} agree within a tenth, {explained} of the others are explained by an ablation, and {open} are open."
    );
    text
}

const INTRODUCTION: &str = "
# The imitation beside its engine

`soft` is Box2D's step in double precision, with the departures that its card lists; here it stands beside Box2D itself, both as they come. Where a figure differs by more than a tenth, each of these was taken away by
another run, on one side or on both: recycled contacts, warm starting, continuous detection, equal softness of contacts of unlike masses, the relax sweep, the limit
of a body's turning in a step (Box2D cuts off at π/4, `soft` at nothing; four steps of one part in place of one of four move it); and the roundings (the whole scene 1 µm
aside) and the order of the joints, which nobody means. The first that ends the difference is told, or that moves Box2D itself as far; where motion is chaotic, either may do so by chance. Rapier has no imitation among the
schemes: its contacts are those of `soft`, its joints begin every part without impulses (see *Foretold and measured*).
";
