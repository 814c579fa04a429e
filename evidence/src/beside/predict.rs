//! How far an engine's constraints yield and creep, how fast errors fall, and what is stable: foretold from its settings
//! (`setup.rs`) and held against the engine itself.

use super::setup::{
    AT_REST, G, RESTING, SIX, SOFTEST, Setup, Stiff, largest, rigid_load, setups, unlimited_growth,
};
use super::worlds::{
    DOWN, GAP, SLOPE, UNIT, disk, hanging, held, on_slope, piled, stack, stays, stays_piled,
};
use super::{BesideError, SCENES, scenes, significant3};
use crate::document::method;
use driftlab::experiment::{Run, choice};
use driftlab::model::World;
use driftlab::scene::{Scene, stabilizer_from};
use std::f64::consts::LN_2;
use std::fmt::Write as _;

/// Below this a length is nothing, m: single precision resolves some 1e-7 m at 1 m.
const NOTHING: f64 = 1e-6;
/// Share within which a closed form holds.
const WITHIN: f64 = 0.1;
/// Speed at which the bars that carry a load begin to turn, rad/s, the duration, s, and the angle by which those turn that shake
/// in its last quarter, rad.
const NUDGE: f64 = 0.01;
const LOADED: f64 = 40.0;
const SHAKING: f64 = 0.01;

/// What is measured of a run.
#[derive(Clone, Copy)]
enum Quantity {
    /// Largest opening of a joint at the end, m.
    Opening,
    /// Largest overlap at the end, m.
    Overlap,
    /// Largest opening over the run, m.
    Stretch,
    /// Half-life of the largest opening over the first ten steps, s.
    HalfLifeOfOpening,
    /// Half-life of the largest overlap over the first ten steps, s.
    HalfLifeOfOverlap,
    /// Half-life of how far the last body is from having moved by [`GAP`], over the second half, s.
    LateHalfLife,
    /// Speed of the last body over the second half, m/s.
    Creep,
    /// Speed at which the last body turns over the second half, rad/s.
    Turning,
}

impl Quantity {
    fn name(self) -> &'static str {
        match self {
            Self::Opening => "sag of joints, m",
            Self::Overlap => "sag of contacts, m",
            Self::Stretch => "stretch, m",
            Self::HalfLifeOfOpening => "half-life of a joint's error, s",
            Self::HalfLifeOfOverlap => "half-life of an overlap, s",
            Self::LateHalfLife => "half-life of a joint's error, s",
            Self::Creep => "creep, m/s",
            Self::Turning => "creep of a motor, rad/s",
        }
    }
}

/// A world whose figure has a closed form.
struct Case {
    what: &'static str,
    world: World,
    /// s.
    duration: f64,
    quantity: Quantity,
    foretold: fn(&Setup) -> f64,
    /// What differs from the settings, of Box2D and of Rapier.
    other: [&'static [(&'static str, &'static str)]; 2],
}

impl Case {
    fn scheme(&self, setup: &Setup) -> String {
        setup.scheme_with(self.other[usize::from(setup.softens_behind)])
    }
}

fn cases() -> Vec<Case> {
    let case = |what, world, duration, quantity, foretold| {
        let other: [&[_]; 2] = [&[]; 2];
        Case { what, world, duration, quantity, foretold, other }
    };
    let unit = |mass: f64| (UNIT, mass);
    let five: Vec<_> = (0..5).map(|_| unit(1.0)).collect();
    vec![
        case("a disk on the ground", disk(G, 0.0), 5.0, Quantity::Overlap, |own| {
            G * Setup::yields(own.fixed)
        }),
        case("a box on the ground", stack(&[unit(1.0)]), 5.0, Quantity::Overlap, |own| {
            Setup::shared(UNIT) * G * Setup::yields(own.fixed)
        }),
        case(
            "a plank of 4 × 0.5 m on the ground",
            stack(&[([4.0, 0.5], 1.0)]),
            5.0,
            Quantity::Overlap,
            |own| Setup::shared([4.0, 0.5]) * G * Setup::yields(own.fixed),
        ),
        case("two boxes upon each other", stack(&[unit(1.0), unit(1.0)]), 10.0, Quantity::Overlap, |own| {
            // The upper contact has K = 2/m and one box above, the lower one 1/m and two.
            2.0 * Setup::shared(UNIT) * G * Setup::yields(own.contact).max(Setup::yields(own.fixed))
        }),
        case("five boxes upon each other", stack(&five), 20.0, Quantity::Overlap, |own| {
            2.0 * 4.0 * Setup::shared(UNIT) * G * Setup::yields(own.contact)
        }),
        case(
            "a box of 10 kg on one of 1 kg",
            stack(&[unit(1.0), unit(10.0)]),
            20.0,
            Quantity::Overlap,
            |own| 1.1 * 10.0 * Setup::shared(UNIT) * G * Setup::yields(own.contact),
        ),
        case(
            "a disk 5 mm deep in the ground, weightless",
            disk(0.0, 5e-3),
            0.5,
            Quantity::HalfLifeOfOverlap,
            |own| own.half_life(own.fixed),
        ),
        case("a bar that hangs", hanging(1, 1.0, [G, 0.0, DOWN]), 5.0, Quantity::Opening, |own| {
            G * own.joint_yields()
        }),
        case(
            "a bar of 50 kg that hangs",
            hanging(1, 50.0, [G, 0.0, DOWN]),
            5.0,
            Quantity::Opening,
            |own| G * own.joint_yields(),
        ),
        case("six bars that hang", hanging(6, 1.0, [G, 0.0, DOWN]), 20.0, Quantity::Opening, |own| {
            // The first hinge has K = 1/m and six bars below, the second one 2/m and five.
            10.0 * G * own.joint_yields()
        }),
        case(
            "five bars with a last one of 20 kg",
            hanging(6, 20.0, [G, 0.0, DOWN]),
            20.0,
            Quantity::Opening,
            |own| 48.0 * G * own.joint_yields(),
        ),
        case(
            "a hinge opened by 10 mm, weightless",
            hanging(1, 1.0, [0.0, GAP, DOWN]),
            0.5,
            Quantity::HalfLifeOfOpening,
            |own| own.half_life(own.joint),
        ),
        case(
            "a bar that swings from the horizontal",
            hanging(1, 1.0, [G, 0.0, 0.0]),
            5.0,
            Quantity::Stretch,
            Setup::stretch,
        ),
        case(
            "the same, part by part",
            hanging(1, 1.0, [G, 0.0, 0.0]),
            5.0,
            Quantity::Stretch,
            Setup::stretch_by_parts,
        ),
        case(
            "six bars that hang, by their sweeps",
            hanging(6, 1.0, [G, 0.0, DOWN]),
            20.0,
            Quantity::Opening,
            |own| own.hanging(&[1.0; 6], G).sag(),
        ),
        case(
            "five bars with a last one of 20 kg, by their sweeps",
            hanging(6, 20.0, [G, 0.0, DOWN]),
            20.0,
            Quantity::Opening,
            |own| own.hanging(&[1.0, 1.0, 1.0, 1.0, 1.0, 20.0], G).sag(),
        ),
        case(
            "a bar and one of 1,000 kg, opened by 10 mm, weightless",
            hanging(2, 1000.0, [0.0, GAP, DOWN]),
            8.0,
            Quantity::LateHalfLife,
            |own| own.half_life_of(own.hanging(&[1.0, 1000.0], 0.0).growth_along()),
        ),
        case("a box on a slope", on_slope(true), 10.0, Quantity::Creep, |_| 0.0),
        Case {
            other: [&[("warm_starting", "off")], &[("warmstart_coefficient", "0.5")]],
            ..case(
                "a box that does not turn on a slope, impulses not kept or halved",
                on_slope(false),
                4.0,
                Quantity::Creep,
                |own| G * SLOPE.sin() * own.creeps(),
            )
        },
        case("a level bar that a motor holds", held(), 2.0, Quantity::Turning, |own| {
            // The torque falls as the bar turns: φ̇ = w cos φ.
            let angle = |t: f64| 2.0 * (0.5 * own.turns() * t).tanh().atan();
            angle(2.0) - angle(1.0)
        }),
        case(
            "six disks upon each other, the top one of 3 kg, by their sweeps",
            piled(&SIX),
            20.0,
            Quantity::Overlap,
            |own| own.piled(&SIX).sag(),
        ),
    ]
}

/// A figure that was foretold and measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The engine with its settings.
    pub scheme: &'static str,
    /// The world.
    pub what: &'static str,
    /// What is foretold, with its unit.
    pub quantity: &'static str,
    /// From the engine's equations; infinite where there is no limit.
    pub foretold: f64,
    /// Of the engine's run; none where it failed.
    pub measured: Option<f64>,
}

impl Prediction {
    /// Whether both are alike within a tenth, or are nothing, or have no limit.
    pub fn holds(&self) -> bool {
        self.measured.is_some_and(|measured| {
            let most = self.foretold.abs().max(measured.abs());
            let is_alike = (measured - self.foretold).abs() <= WITHIN * self.foretold.abs();
            measured == self.foretold || most < NOTHING || self.foretold.is_finite() && is_alike
        })
    }
}

/// All figures, by engine and world.
///
/// # Errors
/// A scheme that this program does not have.
pub fn predictions() -> Result<Vec<Prediction>, BesideError> {
    let mut all = Vec::new();
    for setup in setups() {
        for case in cases() {
            let measured = measured(&case, &setup)?;
            let (what, quantity) = (case.what, case.quantity.name());
            let foretold = (case.foretold)(&setup);
            all.push(Prediction { scheme: setup.scheme, what, quantity, foretold, measured });
        }
        let limit = |what, quantity, foretold, measured| {
            all.push(Prediction { scheme: setup.scheme, what, quantity, foretold, measured });
        };
        limits(&setup, limit)?;
    }
    Ok(all)
}

/// The limits of stability.
fn limits(
    setup: &Setup,
    mut told: impl FnMut(&'static str, &'static str, f64, Option<f64>),
) -> Result<(), BesideError> {
    for (of, what, quantity) in [
        (Stiff::Joints, "six bars that hang, the last one of 3 kg", "largest frequency of joints, Hz"),
        (
            Stiff::Contacts,
            "six disks upon each other, the top one of 3 kg",
            "largest frequency of contacts, Hz",
        ),
    ] {
        told(what, quantity, setup.largest_frequency(of), measured_frequency(setup, of)?);
    }
    let load = (setup.largest_load(), measured_load(setup)?);
    told("two bars of 1 kg that carry a load", "largest load, kg", load.0, load.1);
    Ok(())
}

/// What a run has after a step.
struct Moment {
    /// Largest opening of a joint and largest overlap, m.
    errors: [f64; 2],
    /// By how much the last body has moved, m, and turned, rad, and the furthest that any has turned.
    moved: f64,
    turned: [f64; 2],
}

/// The steps of a run up to its end or to a failure, from the state at its start on.
fn moments(scheme: &str, setup: &Setup, world: &World, duration: f64) -> Result<Vec<Moment>, BesideError> {
    let wrong = |text: String| BesideError(format!("{scheme}: {text}"));
    let stabilizer = stabilizer_from(scheme, setup.time_step).map_err(wrong)?;
    let any = scenes::scene(SCENES[0].0).map_err(|problems| BesideError::of(SCENES[0].0, problems))?;
    let mut scene = Scene { world: world.clone(), ..any };
    scene.settings.time_step = setup.time_step;
    let method = method(&scene.settings, &stabilizer);
    choice::can_begin(&method, &scene).map_err(|refused| wrong(refused.message))?;
    let mut run = Run::under(&scene, method, (duration / setup.time_step).round() as u64);
    let moment = |run: &Run| {
        let (report, bodies) = (run.report(), run.world().bodies());
        let begin = world.bodies().iter().zip(bodies);
        let turned: Vec<f64> =
            begin.map(|(begin, now)| (now.pose.angle - begin.pose.angle).abs()).collect();
        let last = bodies.len() - 1;
        Moment {
            errors: [report.joint_error, report.contact_error],
            moved: (bodies[last].pose.position - world.bodies()[last].pose.position).length(),
            turned: [turned[last], turned.iter().copied().fold(0.0, f64::max)],
        }
    };
    let mut all = vec![moment(&run)];
    while let Some(Ok(_)) = run.next() {
        all.push(moment(&run));
    }
    Ok(all)
}

fn measured(case: &Case, setup: &Setup) -> Result<Option<f64>, BesideError> {
    let all = moments(&case.scheme(setup), setup, &case.world, case.duration)?;
    let steps = (case.duration / setup.time_step).round() as usize;
    if all.len() <= steps {
        return Ok(None);
    }
    let [half, last] = [steps / 2, steps].map(|step| &all[step]);
    let seconds = (steps - steps / 2) as f64 * setup.time_step;
    let half_life = |of: usize, [from, to]: [usize; 2]| {
        let [begin, end] = [from, to].map(|step| all[step].errors[of]);
        let falls = end > 0.0 && end < begin;
        falls.then(|| (to - from) as f64 * setup.time_step * LN_2 / (begin / end).ln())
    };
    Ok(match case.quantity {
        Quantity::Opening => Some(last.errors[0]),
        Quantity::Overlap => Some(last.errors[1]),
        Quantity::Stretch => Some(all.iter().map(|own| own.errors[0]).fold(0.0, f64::max)),
        // From the first step on, in which contacts are found.
        Quantity::HalfLifeOfOpening => half_life(0, [1, 11]),
        Quantity::HalfLifeOfOverlap => half_life(1, [1, 11]),
        Quantity::LateHalfLife => {
            let off: Vec<f64> = all[steps / 2..].iter().map(|own| own.moved - GAP).collect();
            damping(&off).map(|growth| -setup.time_step * LN_2 / growth.ln())
        }
        Quantity::Creep => Some((last.moved - half.moved) / seconds),
        Quantity::Turning => Some((last.turned[0] - half.turned[0]) / seconds),
    })
}

/// The size of the eigenvalues of a damped oscillation, per number of it: x(k + m) = a x(k) − ρ²ᵐ x(k − m), by least squares.
fn damping(x: &[f64]) -> Option<f64> {
    const APART: usize = 6;
    let [mut uu, mut uw, mut ww, mut ux, mut wx] = [0.0; 5];
    for ((u, w), x) in x[APART..].iter().zip(x).zip(&x[2 * APART..]) {
        uu += u * u;
        uw += u * w;
        ww += w * w;
        ux += u * x;
        wx += w * x;
    }
    let power = (ux * uw - wx * uu) / (uu * ww - uw * uw);
    (power > 0.0).then(|| power.powf(0.5 / APART as f64))
}

/// The load up to which two bars do not shake in the engine, kg; none within a factor of four of what is foretold.
fn measured_load(setup: &Setup) -> Result<Option<f64>, BesideError> {
    let stays = |load: f64| {
        let steps = (LOADED / setup.time_step).round() as usize;
        let world = stays(&setup.loaded(load), [NUDGE, -NUDGE, 0.0]);
        let all = moments(setup.scheme, setup, &world, LOADED)?;
        let shakes = all.iter().skip(steps * 3 / 4).any(|own| own.turned[1] > SHAKING);
        Ok(!shakes && all.len() > steps)
    };
    largest([0.25, 4.0].map(|share| share * setup.largest_load()), stays)
}

/// The frequency up to which six bars or disks stay at rest in the engine, Hz.
fn measured_frequency(setup: &Setup, of: Stiff) -> Result<Option<f64>, BesideError> {
    let rests = |hertz: f64| {
        let values: Vec<_> = setup.keys(of).iter().map(|key| (*key, hertz)).collect();
        let own = setup.with_frequency(of, hertz);
        let (world, error) = match of {
            Stiff::Joints => (stays(&own.hanging(&SIX, G), [0.0; 6]), 0),
            Stiff::Contacts => (stays_piled(&own), 1),
        };
        let all = moments(&setup.scheme_with(&values), setup, &world, RESTING)?;
        let steps = (RESTING / setup.time_step).round() as usize;
        let errors = all.iter().skip(steps * 3 / 4).map(|own| own.errors[error]);
        let [least, most] = [f64::min, f64::max].map(|of| errors.clone().reduce(of).unwrap_or(f64::NAN));
        Ok(all.len() > steps && most - least < AT_REST)
    };
    largest([SOFTEST, setup.stiffest()], rests)
}

/// The part of the page that tells them.
pub fn section(all: &[Prediction]) -> String {
    let held = all.iter().filter(|own| own.holds()).count();
    let mut text = format!(
        "\n# Foretold and measured\n\n{held} of {} figures of engines are within 10 % of what follows from the engine's settings and equations alone, without a run of it, or both \
         are below 1 µm, 1 µm/s or 1 µrad/s, or neither has a limit. {FORMS}\
         - *Stability*: a chain of hinges is stable at every frequency, in Box2D since no more than 1/(4 h) acts: without that limit an error of six bars, the last one of 3 kg, would grow by\n  \
         {} in each part. A pile of disks of Rapier's begins to jitter above some frequency, where contacts open and close; in Box2D the limit 1/(8 h) is below\n  \
         that. Two light bars that carry a load shake from a load on: with hinges that do not yield F = 4 L (I/L² + m/4)/h², which is {} kg here at 60 Hz in four parts.\n",
        all.len(),
        significant3(unlimited_growth()),
        significant3(rigid_load()),
    );
    for chunk in all.chunk_by(|a, b| a.scheme == b.scheme) {
        let _ = writeln!(
            text,
            "\n`{}`\n\n| world | quantity | foretold | measured | |\n|---|---|---:|---:|---|",
            chunk[0].scheme
        );
        for own in chunk {
            let measured = own.measured.map_or_else(|| "–".to_owned(), told);
            let verdict = if own.holds() { "" } else { "differs" };
            let _ = writeln!(
                text,
                "| {} | {} | {} | {measured} | {verdict} |",
                own.what,
                own.quantity,
                told(own.foretold)
            );
        }
    }
    text.push_str(REASONS);
    text
}

/// Three digits, or that there is no limit.
fn told(value: f64) -> String {
    if value.is_finite() { significant3(value) } else { "no limit".to_owned() }
}

/// What is foretold, and how.
const FORMS: &str = "`evidence/src/beside/setup.rs` has the forms of a row alone, `hanging.rs` there a part of a step as a map, for what sweeps over several rows leave.

- *Creep*: friction holds without creep where a part of a step begins with the friction of the last one, as in both engines by default. Box2D without warm starting creeps on a slope of
  angle α by h g sin α/n, h the length of a part and n their number, Rapier that keeps the share w of its impulses by (1 − w) h g sin α.
- *Motor*: the motors and hinges of Rapier begin each part without impulses, and one sweep over both does not hold a level bar: it sinks. Those of Box2D hold it.
- *Half-life* of two bars of very different mass: the largest |eigenvalue| of a part.
";

/// Why some differ.
const REASONS: &str = "
Those that differ are the forms of a row alone where Rapier's rows are not alone: one sweep in a part, which begins without impulses, does not bring hinges in a row to
agree, and the sweep behind the motion softens again. What such sweeps lead to is foretold by the part as a map, in the rows *by their sweeps* and *part by part*, and
holds. `warmstart_joints` changes none of these figures: Rapier adds the old impulse of a row right before the row is solved, which takes it back. A hinge of 10⁶ Hz takes
back its error within the first step, so that no half-life is left to measure.
";
