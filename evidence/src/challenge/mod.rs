//! The pendulum challenge [Müller, The Pendulum Challenge]: every scheme on the same three masses, with the true motion
//! beside it.
//!
//! The challenge asks for a method that is simpler, faster, stabler or more accurate than XPBD on three
//! masses of 1 kg on rods of 0.3 m, g = 10 m/s², drawn sixty times a second. Measured is, over twenty
//! seconds: how long the motion follows the true one to a centimetre, how much its energy changes, how far
//! its rods stretch, and what a frame costs. Nothing here reads a clock: a caller that wants times passes
//! one.

mod page;
mod picture;
mod published;
pub mod reference;

pub use page::{csv, markdown};
pub use picture::draw;

use self::published::Energy;
use crate::document::FigureError;
use driftlab::experiment::Run;
use driftlab::experiment::internal::stepped;
use driftlab::method::{Integrator, Level, Method};
use driftlab::scene::{Scene, catalogue, stabilizer_from};
use driftlab_engine::internal::largest;
use glam::DVec2;
use std::f64::consts::{FRAC_PI_2, PI};

/// The masses, of 1 kg each.
const MASSES: usize = 3;
/// Length of a rod, m.
const ROD: f64 = 0.3;
/// m/s².
const GRAVITY: f64 = 10.0;
/// s.
const FRAME: f64 = 1.0 / 60.0;
/// Twenty seconds.
const FRAMES: usize = 1200;
/// The angles at the start, from the downward vertical, rad: the first rod level, the others upright.
const START: [f64; MASSES] = [FRAC_PI_2, PI, PI];
/// A motion follows the true one while no mass is farther from where it should be, m.
const NEAR: f64 = 0.01;
/// Steps of the reference in a frame, and of the one that says how far it can be trusted.
const REFERENCE_STEPS: [usize; 2] = [16, 15];
/// The reference is trusted until the two are this far apart, m.
const TRUSTED: f64 = 1e-3;
/// Number of timed runs, of which the fastest counts: other work of the machine can only add time.
const REPEATS: usize = 3;

/// Key of the shipped scene.
pub const SCENE: &str = "pendulum-challenge";

/// What is refined from one row of a method to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refined {
    /// The time step: so many steps a frame.
    Steps,
    /// The substeps of a scheme that divides its step, one step a frame.
    Substeps,
}

/// A method, and how often it steps in a frame.
#[derive(Clone, Copy, Debug)]
struct Entrant {
    name: &'static str,
    /// As the command line spells it; `None` for the page's own algorithm.
    scheme: Option<&'static str>,
    integrator: Option<Integrator>,
    energy: Energy,
    refined: Refined,
    counts: &'static [u32],
    /// The counts that the page's table shows.
    shown: &'static [u32],
}

const ENTRANT: Entrant = Entrant {
    name: "",
    scheme: None,
    integrator: None,
    energy: Energy::AsItIs,
    refined: Refined::Steps,
    counts: &[1, 2, 4, 8, 16, 32],
    shown: &[8],
};

/// XPBD with the substeps of the challenge's slider, but for a single one, with which the rods break.
const SLIDDEN: Entrant =
    Entrant { refined: Refined::Substeps, counts: &[5, 10, 20, 50, 100, 1000], ..ENTRANT };

const ENTRANTS: &[Entrant] = &[
    Entrant { name: "XPBD, the challenge's own", shown: &[50, 1000], ..SLIDDEN },
    Entrant {
        name: "XPBD, the challenge's own, energy enforced",
        energy: Energy::Enforced,
        shown: &[50, 1000],
        ..SLIDDEN
    },
    Entrant { name: "XPBD", scheme: Some("xpbd"), shown: &[50, 1000], ..SLIDDEN },
    Entrant { name: "RATTLE", scheme: Some("rattle"), shown: &[1, 8, 32], ..ENTRANT },
    Entrant {
        name: "Baumgarte, acceleration level, Runge–Kutta",
        scheme: Some("baumgarte_acceleration"),
        integrator: Some(Integrator::Rk4),
        shown: &[2, 8, 32],
        ..ENTRANT
    },
    Entrant { name: "Anitescu & Hart", scheme: Some("anitescu_hart"), ..ENTRANT },
    Entrant { name: "Implicit enforcement", scheme: Some("implicit"), ..ENTRANT },
    Entrant { name: "Baumgarte, velocity level", scheme: Some("baumgarte_velocity"), ..ENTRANT },
    Entrant { name: "Post-stabilization", scheme: Some("post_stabilization"), ..ENTRANT },
    Entrant { name: "Projection", scheme: Some("projection"), ..ENTRANT },
    Entrant { name: "None", scheme: Some("none"), ..ENTRANT },
    Entrant { name: "NGS (Box2D 2.4)", scheme: Some("ngs"), ..ENTRANT },
    Entrant { name: "Split impulses (Bullet)", scheme: Some("split_impulse"), ..ENTRANT },
    Entrant {
        name: "Soft step (Box2D v3)",
        scheme: Some("soft"),
        refined: Refined::Substeps,
        counts: &[4, 8, 16, 32, 64, 128],
        shown: &[32],
        ..ENTRANT
    },
    // The time constant of two steps, the least that it allows.
    Entrant { name: "Soft constraints (MuJoCo)", scheme: Some("mujoco,timeconst=1e-6"), ..ENTRANT },
    Entrant { name: "SAP (Drake)", scheme: Some("sap"), ..ENTRANT },
    Entrant { name: "AVBD", scheme: Some("avbd"), ..ENTRANT },
    Entrant { name: "Direct joints", scheme: Some("direct_iterated"), ..ENTRANT },
    Entrant { name: "Gear, Gupta & Leimkuhler", scheme: Some("ggl"), ..ENTRANT },
    Entrant { name: "Generalised α, ρ∞ = 0.8", scheme: Some("generalized_alpha"), ..ENTRANT },
];

/// A motion at every frame.
struct Sampled {
    places: Vec<[DVec2; MASSES]>,
    /// J.
    energies: Vec<f64>,
    /// The largest change of a rod's length, m.
    stretch: f64,
    /// Into how many parts all steps together were divided, and the most of one step.
    parts: [usize; 2],
}

/// What came of one method at one count.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Steps or substeps a frame.
    pub count: u32,
    /// How long all masses stay within a centimetre of the true motion, s; at most [`Challenge::trusted`].
    pub followed: f64,
    /// Largest change of the energy, J.
    pub energy: f64,
    /// Largest change of a rod's length, m.
    pub stretch: f64,
    /// Parts into which a step was divided because it could not be made whole: on average, and at most. They are part
    /// of the cost.
    pub parts: [f64; 2],
    /// Computing time of a frame, µs.
    pub cost: f64,
    /// Why it did not reach the end, if it did not; the other numbers are then those of the part that it
    /// made.
    pub failure: Option<String>,
}

/// All outcomes of one method.
#[derive(Clone, Debug)]
pub struct MethodOutcomes {
    /// The method.
    pub name: &'static str,
    /// As the command line spells it; `None` for the challenge's own algorithm.
    pub scheme: Option<&'static str>,
    /// What the counts are of.
    pub refined: Refined,
    /// One for each count.
    pub outcomes: Vec<Outcome>,
    /// The counts that the page's table shows.
    shown: &'static [u32],
}

/// The outcomes of all methods.
#[derive(Clone, Debug)]
pub struct Challenge {
    /// How long the true motion is known to a millimetre, s: later its own rounding has grown too much,
    /// since the motion is chaotic.
    pub trusted: f64,
    /// The largest kinetic energy of the true motion until then, J.
    pub scale: f64,
    /// A line for each method.
    pub lines: Vec<MethodOutcomes>,
}

/// Runs all methods; `clock` returns seconds since an arbitrary moment.
///
/// # Errors A scene that is not shipped, or a scheme that does not exist: a test ensures that this does not
/// happen. A run that fails is no error.
pub fn compute(clock: &dyn Fn() -> f64) -> Result<Challenge, FigureError> {
    let missing = || FigureError::Table(format!("no scene is named '{SCENE}'"));
    let scene = catalogue::find(SCENE).ok_or_else(missing)?.scene()?;
    let [truth, other] = REFERENCE_STEPS.map(reference::motion);
    let trusted = frames_within(&truth, &other, TRUSTED);
    let potential = |places: &[DVec2; MASSES]| places.iter().map(|x| GRAVITY * x.y).sum::<f64>();
    let start_energy = potential(&truth[0]);
    let scale = largest(truth[..=trusted].iter().map(|places| start_energy - potential(places)));
    let mut lines = Vec::new();
    for entrant in ENTRANTS {
        let outcome = |&count| outcome(&scene, entrant, count, &truth[..=trusted], clock);
        let outcomes = entrant.counts.iter().map(outcome).collect::<Result<_, _>>()?;
        let Entrant { name, scheme, refined, shown, .. } = *entrant;
        lines.push(MethodOutcomes { name, scheme, refined, outcomes, shown });
    }
    Ok(Challenge { trusted: trusted as f64 * FRAME, scale, lines })
}

/// The last frame up to which no mass of the one is farther than `near` from that of the other.
fn frames_within(one: &[[DVec2; MASSES]], other: &[[DVec2; MASSES]], near: f64) -> usize {
    let apart = |(a, b): (&[DVec2; MASSES], &[DVec2; MASSES])| {
        !a.iter().zip(b).all(|(a, b)| a.distance(*b) <= near)
    };
    let frames = one.len().min(other.len());
    one.iter().zip(other).position(apart).unwrap_or(frames).saturating_sub(1)
}

fn outcome(
    scene: &Scene,
    entrant: &Entrant,
    count: u32,
    truth: &[[DVec2; MASSES]],
    clock: &dyn Fn() -> f64,
) -> Result<Outcome, FigureError> {
    let (sampled, failure, cost) = match entrant.scheme {
        None => {
            let run = || published::motion(truth[0], count, entrant.energy);
            (
                run(),
                None,
                fastest(clock, || {
                    run();
                }),
            )
        }
        Some(key) => {
            let (scene, method, stride) = posed(scene, entrant, key, count)?;
            let (sampled, failure) = sampled(&scene, &method, stride);
            let cost = fastest(clock, || {
                Run::under(&scene, method.clone(), FRAMES as u64 * stride).for_each(drop);
            });
            (sampled, failure, cost)
        }
    };
    let start = sampled.energies[0];
    let energy = largest(sampled.energies.iter().map(|energy| energy - start));
    let followed = frames_within(&sampled.places, truth, NEAR) as f64 * FRAME;
    let frames = (sampled.places.len() - 1).max(1) as f64;
    let steps = match entrant.refined {
        Refined::Steps => frames * f64::from(count),
        Refined::Substeps => frames,
    };
    let [all, most] = sampled.parts.map(|parts| parts as f64);
    let parts = [(all / steps).max(1.0), most];
    Ok(Outcome {
        count,
        followed,
        energy,
        stretch: sampled.stretch,
        parts,
        cost: cost * 1e6 / frames,
        failure,
    })
}

/// The scene with its time step, the method, and the steps of a frame.
fn posed(
    scene: &Scene,
    entrant: &Entrant,
    key: &str,
    count: u32,
) -> Result<(Scene, Method, u64), FigureError> {
    let (spelled, stride) = match entrant.refined {
        Refined::Steps => (key.to_owned(), count),
        Refined::Substeps => (format!("{key},substeps={count}"), 1),
    };
    let scene = stepped(scene, FRAME / f64::from(stride));
    let stabilizer = stabilizer_from(&spelled, scene.settings.time_step).map_err(FigureError::Table)?;
    let level =
        if entrant.integrator.is_some() { Level::Acceleration } else { stabilizer.info().levels[0] };
    let integrator = entrant.integrator.unwrap_or_default();
    let method = Method { stabilizer, level, integrator, ..scene.settings.method.clone() };
    Ok((scene, method, u64::from(stride)))
}

/// The motion of a scheme at every frame, and why it ended early.
fn sampled(scene: &Scene, method: &Method, stride: u64) -> (Sampled, Option<String>) {
    let places = |run: &Run| -> [DVec2; MASSES] {
        let mut bodies = run.world().bodies().iter().filter(|body| body.is_dynamic());
        std::array::from_fn(|_| bodies.next().map_or(DVec2::NAN, |body| body.pose.coordinates().truncate()))
    };
    let mut run = Run::under(scene, method.clone(), FRAMES as u64 * stride);
    let mut sampled = Sampled {
        places: vec![places(&run)],
        energies: vec![run.initial().total_energy()],
        stretch: 0.0,
        parts: [0, 1],
    };
    let mut steps = 0;
    while let Some(report) = run.next() {
        let report = match report {
            Ok(report) => report,
            Err(error) => return (sampled, Some(error.to_string())),
        };
        steps += 1;
        sampled.stretch = sampled.stretch.max(report.joint_error);
        let [all, most] = sampled.parts;
        sampled.parts = [all + report.substeps, most.max(report.substeps)];
        if steps % stride == 0 {
            sampled.places.push(places(&run));
            sampled.energies.push(report.total_energy());
        }
    }
    (sampled, None)
}

/// The shortest of the times that `work` takes, s.
fn fastest(clock: &dyn Fn() -> f64, mut work: impl FnMut()) -> f64 {
    let mut timed = || {
        let start = clock();
        work();
        clock() - start
    };
    (0..REPEATS).map(|_| timed()).fold(f64::INFINITY, f64::min)
}
