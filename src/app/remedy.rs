//! What can be done about a run that has blown up: parameters that overshoot, set to half of what is still stable.
//!
//! Half the limit is where a linearised error dies out fastest if one parameter alone corrects it: αh = 1 of Baumgarte's velocity
//! level, whose limit is αh = 2; αh = 1/2 of the acceleration level with β = 0, whose limit is αh = 1.

use super::format;
use super::simulation::Setting;
use crate::experiment::stability::Block;
use crate::report::LARGEST_PHASE;
use crate::stabilizer::{Integrator, Level, Method, Stabilizer, TABLE};

/// Part of the stable limit that is offered.
const PART: f64 = 0.5;
/// Halvings of the interval in which the limit is searched.
const HALVINGS: u32 = 50;

/// Significant digits to which a parameter is set, one more than are said.
const DIGITS: i32 = 5;

/// What a person can do about it.
#[derive(Clone, Debug, PartialEq)]
pub enum Remedy {
    /// Go back to before the last change, as by undoing it, and step on with these parameters.
    Limit(Stabilizer),
    /// Go back likewise, and step on with this time step, s.
    Step(f64),
    /// Pose contacts with impulses, by this setting, and play on from the present state.
    Impulses(Setting),
    /// Undo the last change.
    Undo,
    /// Watch again how it happened.
    SlowMotion,
}

/// The method's scheme with stable parameters at the time step `h` (s), and what is set in words; none if the present ones are
/// stable, or if the scheme has none that overshoot.
pub fn stable(method: &Method, h: f64) -> Option<(Stabilizer, String)> {
    let values = &method.stabilizer.values;
    let (alpha, beta) = (values.get("alpha")?, values.get("beta").unwrap_or_default());
    let stable = match method.stabilizer.info().key {
        "baumgarte_velocity" => |alpha, _, _, h| Block::velocity(alpha, h).is_stable(),
        "baumgarte_acceleration" => |alpha, beta, integrator: Integrator, h| {
            Block::acceleration(alpha, beta, integrator, h).is_stable()
        },
        _ => return None,
    };
    // α and β shrink together, so that the kind of damping stays.
    let holds = |share: f64| stable(share * alpha, share * beta, method.integrator, h);
    if holds(1.0) {
        return None;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if holds(middle) { low = middle } else { high = middle }
    }
    let mut tamed = method.stabilizer.clone();
    let mut said = Vec::new();
    for key in ["alpha", "beta"] {
        let Some(parameter) = values.parameters().iter().find(|parameter| parameter.key == key) else {
            continue;
        };
        let value = rounded(PART * low * values.get(key)?);
        if value > 0.0 {
            tamed.values.set(key, value).ok()?;
            said.push(format!("{} = {}", parameter.symbol, format::parameter(parameter, value, 4)));
        }
    }
    (!said.is_empty()).then(|| (tamed, said.join(", ")))
}

/// Key of the scheme at the velocity level that goes on where another one has no such level.
const BY_IMPULSES: &str = "anitescu_hart";

/// What poses a method's contacts with impulses, and the scheme that then makes the steps: its own velocity level if it has one.
pub fn impulses(method: &Method) -> Option<(Setting, &'static str)> {
    let info = method.stabilizer.info();
    if info.levels.contains(&Level::Velocity) {
        return Some((Setting::Level(Level::Velocity), info.short));
    }
    let place = TABLE.iter().position(|scheme| scheme.info().key == BY_IMPULSES)?;
    Some((Setting::Scheme(place), TABLE[place].info().short))
}

/// Part of a radian by which the fastest motion turns in a step that is offered: an eighth resolves it well.
const RESOLVED: f64 = 0.125;

/// A time step that resolves a motion of `rate`, rad/s, which one of `h`, s, did not: a smaller one, to one digit.
pub fn resolving(rate: f64, h: f64) -> Option<f64> {
    let step = format::round_down(RESOLVED / rate);
    (h * rate > LARGEST_PHASE && step < h && step.is_normal()).then_some(step)
}

/// A value that is not negative to [`DIGITS`] significant digits.
fn rounded(value: f64) -> f64 {
    if value == 0.0 {
        return value;
    }
    let unit = 10f64.powi(value.log10().floor() as i32 + 1 - DIGITS);
    (value / unit).round() * unit
}
