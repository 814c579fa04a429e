//! Where the bodies of a scene will go: some seconds of it, simulated when it is opened, so that the view has room for them.
//!
//! The number of steps is limited by the size of the world, not by a clock, so that the same scene always gets the same view.

use crate::experiment::Run;
use crate::scene::Scene;
use crate::workbench::stage::framing;
use glam::DVec2;

/// Simulated time that is looked ahead, s; a recorded pointer is followed to its end.
const HORIZON: f64 = 6.0;
/// Longest recording that is followed, s.
const LONGEST: f64 = 30.0;
/// Largest number of steps of one body; a world of n bodies makes as many steps as n times that number allows.
const BODY_STEPS: u64 = 25_000;
/// Bodies that may touch cost this many times as much as others.
const COLLIDING: u64 = 3;
/// Simulated time between two looks at the bodies, s.
const LOOK: f64 = 1.0 / 30.0;
/// Least share of the horizon that has to be simulated for the forecast to say anything.
const LEAST: f64 = 0.1;
/// How many times larger than the scene at its start the view may become.
const LARGEST: f64 = 2.5;

/// The region that bodies will sweep, and whether they stay in it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Forecast {
    /// Lowest and highest coordinates of the bodies that stay, m; none if nothing could be foreseen.
    pub swept: Option<[DVec2; 2]>,
    /// Whether more than half of the bodies that move leave the largest view that would still show them well.
    pub leaves: bool,
}

/// Simulates the scene's first seconds by its own settings.
pub fn forecast(scene: &Scene) -> Forecast {
    let [low, high] = framing::frame(&scene.world);
    let (middle, reach) = (0.5 * (low + high), 0.5 * LARGEST * (high - low).max_element());
    let steps = affordable_steps(scene);
    let h = scene.settings.time_step;
    let mut run = Run::new(scene, steps);
    let every = (LOOK / h).ceil().max(1.0) as u64;
    let bodies = scene.world.bodies();
    let moving: Vec<usize> = (0..bodies.len()).filter(|index| bodies[*index].is_dynamic()).collect();
    let mut paths: Vec<Path> = moving.iter().map(|_| Path::default()).collect();
    let mut made = 0;
    while let Some(Ok(_)) = run.next() {
        made += 1;
        if made % every != 0 {
            continue;
        }
        for (index, path) in moving.iter().zip(&mut paths) {
            for point in framing::points(run.world(), *index) {
                path.gone |= (point - middle).abs().max_element() > reach;
                (path.low, path.high) = (path.low.min(point), path.high.max(point));
            }
        }
    }
    if (made as f64) * h < LEAST * HORIZON {
        return Forecast::default();
    }
    let gone = paths.iter().filter(|path| path.gone).count();
    let stay = paths.iter().filter(|path| !path.gone && path.low.is_finite() && path.high.is_finite());
    let swept = stay.map(|path| [path.low, path.high]).reduce(|[a, b], [c, d]| [a.min(c), b.max(d)]);
    Forecast { swept, leaves: 2 * gone > paths.len() }
}

/// The box about a body's path.
struct Path {
    low: DVec2,
    high: DVec2,
    /// Whether it has left the largest view.
    gone: bool,
}

impl Default for Path {
    fn default() -> Self {
        Self { low: DVec2::INFINITY, high: DVec2::NEG_INFINITY, gone: false }
    }
}

fn affordable_steps(scene: &Scene) -> u64 {
    let dynamic = scene.world.bodies().iter().filter(|body| body.is_dynamic());
    let cost: u64 = dynamic.map(|body| if body.collides { COLLIDING } else { 1 }).sum();
    let recorded = scene.interaction.as_ref().and_then(|pointer| pointer.samples.last());
    let ahead = recorded.map_or(HORIZON, |last| last.time.clamp(HORIZON, LONGEST));
    let wanted = (ahead / scene.settings.time_step).ceil();
    (BODY_STEPS / cost.max(1)).min(if wanted.is_finite() { wanted.max(0.0) as u64 } else { 0 })
}
