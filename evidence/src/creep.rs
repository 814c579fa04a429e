//! Why a held box creeps: one box on a slope under every scheme.
//!
//! ```text
//! T = m g sin θ ,   N = m g cos θ ,   T/(μ N) = tan θ/μ < 1
//! ```
//!
//! Coulomb's law holds the box wherever T < μ N. Measured is its speed down the slope over the sixth second, at several shares
//! T/(μ N), beside the condition that a scheme has along the surface in place of the law.

use crate::document::FigureError;
use driftlab::experiment::Run;
use driftlab::figure::canvas::{Format, PlotError};
use driftlab::figure::{Axis, Chart, Curve, draw};
use driftlab::method::Method;
use driftlab::model::{Body, Shape, World};
use driftlab::numbers::short;
use driftlab::scene::{Scene, catalogue, stabilizer_from};
use driftlab::schemes::TABLE;
use glam::DVec2;
use std::fmt::Write as _;

/// The shipped scene: the box, its friction and its time step.
const SCENE: &str = "creeping-box";
/// μ.
const FRICTION: f64 = 0.6;
/// T/(μ N): below 1 the law holds the box, beyond it slides.
const SHARES: [f64; 6] = [0.2, 0.4, 0.6, 0.8, 0.95, 1.1];
/// Between which times the speed is measured, s.
const MEASURED: [f64; 2] = [5.0, 6.0];
/// A speed below which a box rests to rounding, m/s.
const ROUNDING: f64 = 1e-12;
/// m/s².
const GRAVITY: f64 = 9.81;

/// Schemes with parameters that matter here, beside every scheme as it comes: AVBD's numbers, made for 1 kg, times the mass.
const BESIDE: [&str; 5] = [
    "mujoco,cone=elliptic",
    "mujoco,cone=elliptic,impratio=10",
    "mujoco,timeconst=0.005",
    "sap,approximation=lagged",
    "avbd,beta=1e8,least_penalty=1000,most_penalty=1e12",
];

/// What a scheme asks along a surface that sticks.
const TERMS: [(&str, &str); 6] = [
    ("complementarity", "w_t = 0 while \\|λ_t\\| < μ λ_n: a condition, solved to rounding"),
    (
        "sweeps",
        "w_t = 0 while \\|λ_t\\| < μ λ_n, reached by sweeps: what is left of w_t shrinks with their number",
    ),
    (
        "positions",
        "the points of contact are put back to where they met, while the correction stays below μ times the normal one",
    ),
    (
        "anchors",
        "C_t = the way from the anchor, with penalty and multiplier: as the multiplier grows the way goes to 0",
    ),
    (
        "soft",
        "J_t a + R_t f_t = −B J_t v: at rest J_t v = −R_t f_t/B, with R_t > 0 for the problem to be convex",
    ),
    (
        "regularised",
        "f_t = −v_t/R_t within the cone: at rest v_t = −R_t f_t, with R_t > 0 for the problem to be convex",
    ),
];

/// The place in [`TERMS`] of a scheme's condition.
fn term(key: &str) -> &'static str {
    let name = match key {
        "ngs" | "split_impulse" | "soft" | "direct_iterated" => "sweeps",
        "xpbd" => "positions",
        "avbd" => "anchors",
        "mujoco" => "soft",
        "sap" => "regularised",
        _ => "complementarity",
    };
    TERMS.iter().find(|(own, _)| *own == name).map_or("", |(_, text)| text)
}

/// A box under one scheme.
#[derive(Clone, Debug)]
pub struct Line {
    /// As the command line spells it.
    pub scheme: String,
    /// Speed down the slope over the sixth second, m/s, at each of the shares; why there is none.
    pub speeds: [Result<f64, String>; SHARES.len()],
}

/// The scene with the slope at which T is this share of μ N.
fn on_slope(scene: &Scene, share: f64) -> Result<Scene, FigureError> {
    let angle = (share * FRICTION).atan();
    let normal = DVec2::from_angle(std::f64::consts::FRAC_PI_2 - angle);
    let world = || {
        let mut world = World::new([0.0, -GRAVITY]);
        let slope = Body::fixed().shape(Shape::half_plane(normal, 0.0)).friction(FRICTION);
        let held = Body::dynamic().at(0.5 * normal).angle(-angle).shape(Shape::rectangle(1.0, 1.0));
        world.add_body(slope)?;
        world.add_body(held.mass(1000.0).friction(FRICTION))?;
        Ok(world)
    };
    let world =
        world().map_err(|error: driftlab::model::ModelError| FigureError::Table(error.to_string()))?;
    Ok(Scene { world, ..scene.clone() })
}

fn speed(scene: &Scene, method: &Method) -> Result<f64, String> {
    let [from, to] = MEASURED.map(|time| (time / scene.settings.time_step).round() as u64);
    let mut run = Run::under(scene, method.clone(), to);
    let place = |run: &Run| run.world().bodies()[1].pose.position;
    let mut before = DVec2::NAN;
    let mut steps = 0;
    while let Some(report) = run.next() {
        report.map_err(|error| error.to_string())?;
        steps += 1;
        if steps == from {
            before = place(&run);
        }
    }
    let normal = scene.world.bodies()[1].pose.position;
    let downhill = DVec2::new(normal.y, -normal.x).normalize();
    Ok((place(&run) - before).dot(downhill) / (MEASURED[1] - MEASURED[0]))
}

/// Runs all schemes on all slopes.
///
/// # Errors
/// A scene that is not shipped, or a scheme that does not exist: a test ensures that this does not happen. A run that fails is
/// no error.
pub fn compute() -> Result<Vec<Line>, FigureError> {
    let missing = || FigureError::Table(format!("no scene is named '{SCENE}'"));
    let scene = catalogue::find(SCENE).ok_or_else(missing)?.scene()?;
    let slopes = SHARES.map(|share| on_slope(&scene, share));
    let spelled = TABLE.iter().map(|scheme| scheme.info().key).chain(BESIDE);
    let line = |spelled: &str| {
        let stabilizer = stabilizer_from(spelled, scene.settings.time_step).map_err(FigureError::Table)?;
        let level = stabilizer.info().levels[0];
        let method = Method { stabilizer, level, ..Method::none() };
        let speeds = slopes.each_ref().map(|slope| match slope {
            Ok(scene) => speed(scene, &method),
            Err(error) => Err(error.to_string()),
        });
        Ok(Line { scheme: spelled.to_owned(), speeds })
    };
    spelled.map(line).collect()
}

const OPENING: &str = "\
# Why does it creep?

Written by `driftlab-evidence creep`. A box of 1 m and 1000 kg lies on a slope with μ = 0.6, and friction could hold more than what pulls: T = m g sin θ is less than μ N = μ m g cos θ.
By Coulomb's law it rests. Under some engines it creeps downhill, which is reported to their authors again and again. Here it is under every scheme, with h = 2 ms.

![The speed of the held box over the share of friction that holds it](creep.svg)

Speed down the slope over the sixth second, mm/s. At a share of 1.1 the law lets the box slide, by then at g (sin θ − μ cos θ) × 5.5 s.

";

const READING: &str = "
- A speed of 0 is one below 10⁻⁹ mm/s.
- **The creep is the solution, not an error of solving it.** A problem that is to be the minimum of a convex function cannot have Coulomb's condition in it, which is no gradient. What stands in its place is soft: along
  the surface a damper alone. Smaller time steps, more iterations and exact solvers leave the speed as it is. It grows with what pulls, and a softness R_t a tenth as large (`impratio=10`), or a shorter time constant, lowers it in proportion.
- AVBD's penalties are absolute numbers, made for bodies of 1 kg. With them the box of 1000 kg sinks by centimetres and slides; with numbers a thousand times as large it stays, but for a trembling.
- The tour *Why does it creep?* plays it, and `scenes/creeping-box.json` holds MuJoCo's own figures.
";

/// The page.
pub fn markdown(lines: &[Line]) -> String {
    let mut page = OPENING.to_owned();
    let heads = SHARES.map(|share| format!("{share}"));
    let _ = writeln!(page, "| scheme | T/(μ N) = {} | along a surface that sticks |", heads.join(" | "));
    let _ = writeln!(page, "|---|{}---|", "---:|".repeat(SHARES.len()));
    for Line { scheme, speeds } in lines {
        let cells = speeds.each_ref().map(|speed| match speed {
            Ok(speed) if speed.abs() < ROUNDING => "0".to_owned(),
            Ok(speed) => short(1e3 * speed),
            Err(error) => error.clone(),
        });
        let key = scheme.split(',').next().unwrap_or_default();
        let _ = writeln!(page, "| `{scheme}` | {} | {} |", cells.join(" | "), term(key));
    }
    page + READING
}

/// The picture, of the schemes under which it creeps.
///
/// # Errors
/// [`PlotError`], if the drawing library fails.
pub fn picture(lines: &[Line], format: Format) -> Result<Vec<u8>, PlotError> {
    let creeps = |line: &&Line| matches!(line.speeds[0], Ok(speed) if speed > ROUNDING);
    let curve = |(index, line): (usize, &Line)| {
        let held = SHARES.iter().zip(&line.speeds).filter(|(share, _)| **share < 1.0);
        let points = held.filter_map(|(share, speed)| Some([*share, 1e3 * *speed.as_ref().ok()?]));
        Curve::marked(index, line.scheme.clone(), points)
    };
    let chart = Chart {
        title: "A box that friction could hold".to_owned(),
        x: Axis::linear("T/(μ N)"),
        y: Axis::logarithmic("speed down the slope / mm/s"),
        curves: lines.iter().filter(creeps).enumerate().map(curve).collect(),
        levels: Vec::new(),
    };
    draw(&chart, format, 1)
}
