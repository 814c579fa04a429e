//! Scenes of public bug reports and of textbooks under every scheme, beside the values that theory or an engine gives:
//! evidence/docs/right-values.md, which is computed here.

mod rows;
mod worlds;

use driftlab::method::{Integrator, Level, Method};
use driftlab::model::{Pose, Velocity, World};
use driftlab::report::StepReport;
use driftlab::schemes::TABLE;
use driftlab::step::{Workspace, step};
use std::fmt::Write;
use std::fs;

/// The bodies before the first step and after each, and what the steps reported.
struct Run {
    h: f64,
    moments: Vec<Vec<(Pose, Velocity)>>,
    reports: Vec<StepReport>,
    /// The total energy before the first step, J.
    energy: f64,
}

impl Run {
    fn of(mut world: World, method: &Method, [h, time]: [f64; 2]) -> Self {
        let (mut workspace, method) = (Workspace::default(), method.clone().at_step(h));
        let bodies = |world: &World| world.bodies().iter().map(|body| (body.pose, body.velocity)).collect();
        let energy = world.kinetic_energy() + world.potential_energy();
        let mut run = Self { h, moments: vec![bodies(&world)], reports: Vec::new(), energy };
        for _ in 0..(time / h).round() as usize {
            run.reports.push(step(&mut world, &method, h, &mut workspace).unwrap());
            run.moments.push(bodies(&world));
        }
        run
    }

    fn at(&self, time: f64) -> &[(Pose, Velocity)] {
        &self.moments[(time / self.h).round() as usize]
    }

    fn end(&self) -> &[(Pose, Velocity)] {
        &self.moments[self.moments.len() - 1]
    }

    fn last_report(&self) -> &StepReport {
        &self.reports[self.reports.len() - 1]
    }
}

/// A world, how it is run, and what is measured of it.
struct Scene {
    name: &'static str,
    world: fn() -> World,
    /// The time step and the duration, s.
    times: [f64; 2],
    level: Level,
    rows: Vec<Row>,
}

/// A quantity and its right value.
struct Row {
    quantity: &'static str,
    unit: &'static str,
    measure: fn(&Run) -> f64,
    right: f64,
    /// How far from it a value is right.
    tolerance: f64,
    source: &'static str,
    departures: Vec<Departure>,
}

/// A value that is not right, and why.
struct Departure {
    scheme: &'static str,
    cause: &'static str,
    /// The scene in which the engine after which the scheme is named has its value, within 20 %.
    engine: Option<&'static str>,
    /// Parameters under which at most a third of the distance from the right value is left.
    ablation: &'static [(&'static str, f64)],
}

const WITHIN: f64 = 0.2;
const LEFT: f64 = 1.0 / 3.0;

/// A value in three digits; what is rounding beside the tolerance counts as nothing.
fn shown(value: f64, tolerance: f64) -> String {
    match value.abs() {
        size if size < 1e-6 * tolerance => "0".to_owned(),
        size @ 1e-3..1e4 => {
            let digits = (2 - size.log10().floor() as i32).max(0) as usize;
            format!("{value:.digits$}")
        }
        _ => format!("{value:.2e}"),
    }
}

/// The time step among the parameters of an ablation, s.
const TIME_STEP: &str = "time_step";

fn with(method: &Method, parameters: &[(&str, f64)]) -> Method {
    parameters.iter().fold(method.clone(), |mut method, (name, value)| match *name {
        "active_travel" => {
            method.contact.active_travel = *value;
            method
        }
        TIME_STEP => method,
        _ => method.with(name, *value).unwrap(),
    })
}

impl Row {
    /// The cell of a value: right, or with the number of its departure, which is added to `departures`.
    fn cell(
        &self,
        (scene, scheme, method): (&Scene, &str, &Method),
        value: f64,
        departures: &mut Vec<String>,
    ) -> String {
        let Self { quantity, right, tolerance, .. } = self;
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        let what = format!("{}, {quantity}, `{scheme}`", scene.name);
        let text = shown(value, *tolerance);
        let own = self.departures.iter().find(|departure| departure.scheme == scheme);
        if (value - right).abs() <= *tolerance {
            assert!(own.is_none(), "{what}: {value} is right and departs no more");
            return text;
        }
        let own = own.unwrap_or_else(|| panic!("{what}: {value} instead of {right} ± {tolerance}"));
        let mut line = format!("{what}: {text}{unit}. {}.", own.cause);
        if let Some(name) = own.engine {
            let (engine, theirs) = worlds::engine(name, scheme);
            assert!((value - theirs).abs() <= WITHIN * theirs.abs(), "{what}: {value} for {theirs}");
            let _ = write!(line, " {engine} itself: {}{unit}.", shown(theirs, *tolerance));
        }
        if !own.ablation.is_empty() {
            let finer = own.ablation.iter().find(|(name, _)| *name == TIME_STEP).map(|(_, h)| *h);
            let times = [finer.unwrap_or(scene.times[0]), scene.times[1]];
            let run = Run::of((scene.world)(), &with(method, own.ablation), times);
            let without = (self.measure)(&run);
            let left = (without - right).abs();
            assert!(left <= LEFT * (value - right).abs(), "{what}: {without} with {:?}", own.ablation);
            let set = own.ablation.iter().map(|(name, value)| format!("{name}={value}"));
            let set = set.collect::<Vec<_>>().join(",");
            let _ = write!(line, " With `{set}`: {}{unit}.", shown(without, *tolerance));
        }
        let shown_by = own.engine.is_some() || !own.ablation.is_empty();
        assert!(shown_by, "{what}: nothing shows the cause");
        departures.push(line);
        format!("**{text}** ({})", departures.len())
    }
}

/// The page, and all that it says judged.
fn page() -> String {
    let schemes: Vec<_> = TABLE.iter().map(|scheme| scheme.info()).collect();
    let names: String = schemes.iter().map(|info| format!(" `{}` |", info.key)).collect();
    let mut text = format!(
        "{PREFACE}\n| scene | quantity | right | within | why |{names}\n|{}\n",
        "---|".repeat(5 + schemes.len())
    );
    let mut departures = Vec::new();
    for scene in rows::scenes() {
        let methods = TABLE.iter().map(|scheme| {
            let own = Method::new((*scheme).into());
            match scene.level {
                Level::Velocity => Some(own),
                Level::Acceleration => own.at_level(scene.level, Integrator::SemiImplicitEuler),
            }
        });
        let runs = methods.map(|own| {
            let method = own?;
            let run = Run::of((scene.world)(), &method, scene.times);
            Some((method, run))
        });
        let runs: Vec<_> = runs.collect();
        for row in &scene.rows {
            let Row { quantity, unit, right, tolerance, source, .. } = row;
            let level = if scene.level == Level::Acceleration { ", acceleration level" } else { "" };
            let _ = write!(
                text,
                "| {}{level} | {quantity}{} | {} | {} | {source} |",
                scene.name,
                if unit.is_empty() { String::new() } else { format!(", {unit}") },
                shown(*right, *tolerance),
                shown(*tolerance, *tolerance)
            );
            for (info, run) in schemes.iter().zip(&runs) {
                let cell = run.as_ref().map_or("–".to_owned(), |(method, run)| {
                    row.cell((&scene, info.key, method), (row.measure)(run), &mut departures)
                });
                let _ = write!(text, " {cell} |");
            }
            text.push('\n');
        }
    }
    text.push_str("\n## Departures\n\n");
    for (number, departure) in (1..).zip(&departures) {
        let _ = writeln!(text, "{number}. {departure}");
    }
    text
}

const PREFACE: &str = "\
# Right values

Scenes on which simulators are known to fail, under every scheme with its default parameters, beside the value that theory gives. A test computes
this page (`cargo test --test main right_values`) and compares each value with the right one: it is within the bound of its row, or it stands in **bold** with the number
of its departure below. A departure is shown by what the engine does after which the scheme is named (within 20 %, [engines.md](engines.md)), or by parameters
under which at most a third of it is left. At the level of accelerations only some schemes exist.
";

/// Every value of the page is right within its bound, or departs for a cause that is shown; and the page in the
/// documentation is what the runs give.
#[test]
fn the_page_of_right_values_is_what_the_runs_give() {
    let written = page();
    let path = format!("{}/right-values.md", env!("CARGO_TARGET_TMPDIR"));
    fs::write(&path, &written).unwrap();
    let kept = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/evidence/docs/right-values.md"))
        .unwrap_or_default();
    assert!(written == kept, "evidence/docs/right-values.md differs from what the runs give: {path}");
}
