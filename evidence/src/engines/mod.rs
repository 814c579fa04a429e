//! The schemes that imitate engines beside the engines themselves, on the same scenes.
//!
//! `evidence/engines/` has the scenes and what each engine did on them, a figure a row, with the engine's version and
//! settings. Ours is computed here, by the imitating scheme with its default parameters. A figure agrees within 20 %,
//! or if both count as nothing; an outcome (a stack stands, or has toppled) is the same or not. Any other figure is
//! told with its factor. A departure of the scheme (`SchemeInfo::departures`) explains a difference where the engine
//! was run without that feature, and ours agrees with what it did then.

mod measure;
mod recording;
mod table;

pub use table::{lines, markdown};

use driftlab::method::{Method, Stabilizer};
use driftlab::scene::{Problem, Scene};
use include_dir::{Dir, include_dir};
use measure::measured;
use recording::Recording;
use thiserror::Error;

static FOLDER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/engines");

/// Share by which a figure may differ from the engine's.
const WITHIN: f64 = 0.2;
/// An engine, and the scheme that imitates it.
#[derive(Debug, PartialEq)]
pub struct Engine {
    /// Key of the scheme.
    pub scheme: &'static str,
    /// Name and version.
    pub name: &'static str,
    /// The settings it ran with.
    pub settings: &'static str,
}

/// All of them, in the order of the table.
pub static ENGINES: [Engine; 7] = [
    Engine {
        scheme: "soft",
        name: "Box2D 3.2.0",
        settings: "crate boxdd-sys 0.6.0; 4 substeps; contacts 30 Hz, ζ 10, push 3 m/s; joints 60 Hz, ζ 2; no sleep",
    },
    Engine {
        scheme: "ngs",
        name: "Box2D 2.4.1",
        settings: "Debian's libbox2d-dev 2.4.1-3; 8 velocity and 3 position iterations; block solver; time of impact; polygons shrunk by \
                   their skin of 10 mm, so that the outer surface is the scene's, but for cards, which are thinner; no sleep",
    },
    Engine {
        scheme: "split_impulse",
        name: "Bullet (ammojs3 0.0.11)",
        settings: "held planar by linear and angular factors; split impulse; 10 iterations; no sleep",
    },
    Engine {
        scheme: "xpbd",
        name: "minimal XPBD after Müller et al. 2020",
        settings: "a program of its own in Python; 10 substeps; friction, then restitution",
    },
    Engine {
        scheme: "mujoco",
        name: "MuJoCo 4.0.0",
        settings: "held planar by two slides and a hinge a body, hinges as `connect`; solref 0.02 1, refsafe, solimp 0.9 0.95 0.001 0.5 2, pyramidal \
                   cone; implicitfast; Newton to 1e-15",
    },
    Engine {
        scheme: "sap",
        name: "Drake 1.51.1",
        settings: "held planar by a planar joint a body, hinges as ball constraints; SAP, contacts of points: 1e6 N/m and a relaxation time of 0.1 s a \
                   surface, near-rigid bound 1; a box meets others by disks of 1 µm at its corners",
    },
    Engine {
        scheme: "avbd",
        name: "the program of AVBD's authors",
        settings: "avbd-demo2d, its floats made doubles; 10 iterations; post-stabilization; α 0.99, β 1e5, γ 0.99, k from 1 to 1e9",
    },
];

/// How a figure is judged; the number is the row's bound, in its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// Within 20 %, or both within the bound, which counts as nothing.
    Figure(f64),
    /// On the same side of the bound.
    Side(f64),
}

/// What the engine did without a feature that the scheme does not have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ablation {
    /// Number of the scheme's departure, from 1.
    pub departure: usize,
    /// The engine's value without it.
    pub value: f64,
}

/// An engine's figure.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineFigure {
    /// What is measured, with its unit.
    pub quantity: &'static str,
    /// m, m/s, mm/s, s; `1` for a pure number.
    pub unit: &'static str,
    /// The engine's value; infinite for a time that does not come.
    pub theirs: f64,
    /// How ours is judged.
    pub rule: Rule,
    /// What it did without the feature that a departure of the scheme names, where that was run.
    pub ablation: Option<Ablation>,
}

/// A scene under one scheme, with the engine's figures.
#[derive(Debug)]
pub struct Case {
    /// The engine and its scheme.
    pub engine: &'static Engine,
    /// Name of the scene.
    pub scene: &'static str,
    /// The figures.
    pub rows: Vec<EngineFigure>,
}

/// What became of a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// Within 20 %.
    Agrees,
    /// The same outcome.
    SameOutcome,
    /// The engine without the feature of the departure of that number, from 1, does as ours.
    Explained(usize),
    /// The other outcome.
    OtherOutcome,
    /// Ours is so many times the engine's: of the other sign if negative, infinite where the engine's is zero.
    Factor(f64),
    /// Our run failed before.
    Fails,
}

/// A figure beside ours.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// The engine's.
    pub row: EngineFigure,
    /// Ours; absent where the run failed before it could be taken.
    pub ours: Option<f64>,
    /// The verdict.
    pub verdict: Verdict,
}

/// Why nothing can be compared: a file of `evidence/engines/` is wrong.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct EngineError(String);

/// The cases, by engine and in the order of the reference.
///
/// # Errors
/// A row of the reference that cannot be read; a test ensures that there is none.
pub fn cases() -> Result<Vec<Case>, EngineError> {
    let text = FOLDER.get_file("reference.csv").and_then(|file| file.contents_utf8()).unwrap_or_default();
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines().skip(1) {
        let wrong = || EngineError(format!("reference.csv: {line}: expected 9 cells of known content"));
        let (engine, scene, row) = read(line).ok_or_else(wrong)?;
        match cases.last_mut() {
            Some(case) if case.engine == engine && case.scene == scene => case.rows.push(row),
            _ => cases.push(Case { engine, scene, rows: vec![row] }),
        }
    }
    Ok(cases)
}

fn read(line: &'static str) -> Option<(&'static Engine, &'static str, EngineFigure)> {
    let cells: Vec<&str> = line.split(',').collect();
    let [scheme, scene, quantity, theirs, unit, rule, bound, departure, without] = cells[..] else {
        return None;
    };
    let engine = ENGINES.iter().find(|engine| engine.scheme == scheme)?;
    let bound = bound.parse().ok()?;
    let rule = match rule {
        "figure" => Rule::Figure(bound),
        "side" => Rule::Side(bound),
        _ => return None,
    };
    let ablation = match (departure, without) {
        ("", "") => None,
        _ => Some(Ablation { departure: departure.parse().ok()?, value: without.parse().ok()? }),
    };
    Some((engine, scene, EngineFigure { quantity, unit, theirs: theirs.parse().ok()?, rule, ablation }))
}

impl Case {
    /// The scene as it is shipped.
    ///
    /// # Errors
    /// A scene that is missing or wrong; a test ensures that there is none.
    pub fn scene(&self) -> Result<Scene, EngineError> {
        let file = FOLDER.get_file(format!("scenes/{}.json", self.scene));
        let missing = || EngineError(format!("no scene is named '{}'", self.scene));
        let wrong = |problems: Vec<Problem>| {
            EngineError(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
        };
        Scene::parse(file.and_then(|file| file.contents_utf8()).ok_or_else(missing)?).map_err(wrong)
    }

    /// Runs the scene under the scheme with its defaults, and compares.
    ///
    /// # Errors
    /// An error of [`Case::scene`], or an unknown quantity. A run that fails is no error: its figures are absent.
    pub fn compare(&self) -> Result<Vec<Compared>, EngineError> {
        let scene = self.scene()?;
        let unknown = || EngineError(format!("no scheme is named '{}'", self.engine.scheme));
        let stabilizer = Stabilizer::by_key(self.engine.scheme).ok_or_else(unknown)?;
        let method = Method { stabilizer, ..scene.settings.method.clone() };
        let recording = Recording::of(&scene, method);
        let compare = |row: &EngineFigure| {
            let unknown = || EngineError(format!("no quantity is named '{}'", row.quantity));
            let ours = measured(row.quantity, &recording).ok_or_else(unknown)?;
            let ours = Some(ours).filter(|_| recording.is_whole);
            let verdict = ours.map_or(Verdict::Fails, |ours| row.verdict(ours));
            Ok(Compared { row: row.clone(), ours, verdict })
        };
        self.rows.iter().map(compare).collect()
    }
}

impl EngineFigure {
    /// What becomes of it beside our value.
    pub fn verdict(&self, ours: f64) -> Verdict {
        let agrees = |theirs: f64| match self.rule {
            Rule::Figure(bound) => {
                ours == theirs
                    || (ours - theirs).abs() <= WITHIN * theirs.abs()
                    || ours.abs().max(theirs.abs()) <= bound
            }
            Rule::Side(bound) => (ours > bound) == (theirs > bound),
        };
        match (self.rule, self.ablation) {
            (Rule::Figure(_), _) if agrees(self.theirs) => Verdict::Agrees,
            (Rule::Side(_), _) if agrees(self.theirs) => Verdict::SameOutcome,
            (_, Some(Ablation { departure, value })) if agrees(value) => Verdict::Explained(departure),
            (Rule::Side(_), _) => Verdict::OtherOutcome,
            (Rule::Figure(_), _) => Verdict::Factor(ours / self.theirs),
        }
    }
}
