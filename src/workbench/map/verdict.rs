//! Where the present parameters lie, in words.

use crate::experiment::stability::Block;
use crate::method::{AxisQuantity, Linearised, Method};
use crate::parameter::Parameter;
use crate::workbench::text::format::{duration, significant};

/// A rate within this of a limit counts as the limit: rounding.
const ROUNDING: f64 = 1e-9;

/// A ρ of a state in motion that is no more above 1 counts as 1: holding its coefficients constant over the step costs O(h²).
const FROZEN: f64 = 1e-3;

/// A sentence about the present parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The sentence.
    pub text: String,
    /// Whether it is a warning.
    pub alarming: bool,
}

impl Verdict {
    fn calm(text: String) -> Self {
        Self { text, alarming: false }
    }

    fn warning(text: String) -> Self {
        Self { text, alarming: true }
    }
}

/// The verdict on a method at the time step `h`, s; `radius` is ρ where it stands, with the present load if it is known with it.
pub fn verdict(method: &Method, h: f64, radius: Option<f64>) -> Option<Verdict> {
    let scheme = method.stabilizer.scheme();
    let linearised = (scheme.linearised)(method, h);
    // Where the closed form decays and the step under load does not, the load decides.
    if let Some(radius) = radius.filter(|radius| *radius > 1.0 + FROZEN)
        && linearised.is_some()
        && method.instability(h).is_none()
    {
        let factor = significant(radius, 4);
        return Some(Verdict::warning(format!(
            "At rest this decays. In the present motion it grows {factor}-fold per step."
        )));
    }
    Some(match (linearised, tuned(method, h)) {
        (Some(_), _) if !scheme.corrects_positions => {
            Verdict::warning("Nothing is corrected: the error only accumulates.".to_owned())
        }
        (Some(Linearised::Velocity { rate }), Some(gain)) => {
            // A rate is too large for a long step; a share is the same at every step.
            let own = scheme.info();
            if !own.parameters.iter().zip(own.per_step).any(|(bounded, _)| bounded.key == gain.key) {
                of_rate(gain.symbol, rate * h, None)
            } else {
                of_rate(&format!("{}h", gain.symbol), rate * h, Some(rate))
            }
        }
        (Some(Linearised::Velocity { .. } | Linearised::Projected), _) => {
            Verdict::calm("Each step removes nearly all of the joint error.".to_owned())
        }
        (Some(own @ Linearised::Newmark { .. }), _) => {
            let remark = sentence(&method.stabilizer.remark(h)?);
            if Block::of(&own, h).is_stable() { Verdict::calm(remark) } else { Verdict::warning(remark) }
        }
        (Some(oscillator @ Linearised::Acceleration { alpha, beta, .. }), _) => {
            let radius = Block::of(&oscillator, h).spectral_radius();
            of_oscillator([alpha, beta], radius, h, method.largest_stable_step())
        }
        (None, _) => {
            let remark = method.stabilizer.remark(h)?;
            match radius {
                Some(radius) if radius > 1.0 + ROUNDING => Verdict::warning(format!(
                    "Unstable here: errors grow by {} % per step.",
                    significant(100.0 * (radius - 1.0), 3)
                )),
                // What follows stands on the card of what was measured (`sag_and_creep`).
                _ => Verdict::calm(sentence(remark.split(';').next().unwrap_or_default())),
            }
        }
    })
}

/// The first parameter of the scheme's stability plane.
fn tuned(method: &Method, h: f64) -> Option<&'static Parameter> {
    let [(quantity, _), _] = (method.stabilizer.scheme().stability_plane)(&method.stabilizer.values, h)?;
    match quantity {
        AxisQuantity::Parameter(own) => Some(own),
        AxisQuantity::TimeStep => None,
    }
}

/// A remark with a full stop.
fn sentence(remark: &str) -> String {
    if remark.ends_with('.') { remark.to_owned() } else { format!("{remark}.") }
}

/// Of J v⁺ + κ g = 0, by the share s = κh of the error that a step takes back; `rate` is κ where the step may grow too
/// long for it, 1/s.
fn of_rate(name: &str, share: f64, rate: Option<f64>) -> Verdict {
    let told = format!("{name} = {}", significant(share, 3));
    let limit = rate.map(|rate| duration_of(2.0 / rate)).unwrap_or_default();
    if share == 0.0 {
        Verdict::warning(format!("{told}: nothing is corrected."))
    } else if (share - 1.0).abs() < ROUNDING {
        Verdict::calm(format!("{told}: the linearised error is gone after one step."))
    } else if share < 1.0 {
        Verdict::calm(format!("{told}: the error decays to 1/e in {}.", steps(1.0 - share)))
    } else if share < 2.0 - ROUNDING {
        Verdict::warning(format!(
            "{told}: overshoots, the error changes sign each step; unstable for h > {limit}."
        ))
    } else if share <= 2.0 + ROUNDING {
        Verdict::warning(format!("{told}: on the stability limit, the error neither grows nor decays."))
    } else {
        Verdict::warning(format!("{told}: unstable for h > {limit}."))
    }
}

/// Of g̈ + 2α ġ + β² g = 0 under an integrator, where ρ is `radius`, and which is stable up to a step of `limit`, s.
fn of_oscillator([alpha, beta]: [f64; 2], radius: f64, h: f64, limit: f64) -> Verdict {
    let told = format!("αh = {}, βh = {}", significant(alpha * h, 3), significant(beta * h, 3));
    if alpha == 0.0 && beta == 0.0 {
        return Verdict::warning(format!("{told}: nothing is corrected."));
    }
    if limit == 0.0 {
        return Verdict::warning(format!("{told}: unstable at every h, undamped under this integrator."));
    }
    if h > limit * (1.0 + ROUNDING) {
        return Verdict::warning(format!("{told}: unstable for h > {}.", duration_of(limit)));
    }
    let decay = if radius < 1.0 - ROUNDING {
        format!(", decays to 1/e in {}", steps(radius))
    } else {
        String::new()
    };
    let zeta = alpha / beta;
    let character = match zeta {
        _ if beta == 0.0 => "only the velocity error is corrected".to_owned(),
        z if (z - 1.0).abs() < 1e-3 => format!("critically damped{decay}"),
        z if z < 1.0 => format!("overshoots, ζ = {}{decay}", significant(z, 3)),
        z => format!("overdamped, ζ = {}{decay}", significant(z, 3)),
    };
    Verdict::calm(format!("{told}: {character}; unstable for h > {}.", duration_of(limit)))
}

/// How many steps an error takes to fall to 1/e if each leaves the share ρ of it.
fn steps(radius: f64) -> String {
    let steps = -1.0 / radius.ln();
    match steps {
        s if s < 1.0 => "less than a step".to_owned(),
        s if s < 10.0 => format!("{} steps", significant(s, 2)),
        s => format!("{} steps", significant(s.round(), 3)),
    }
}

/// A time step as the panel writes it.
fn duration_of(h: f64) -> String {
    duration(h)
}

#[cfg(test)]
mod tests {
    use crate::method::{Method, Stabilizer};
    use crate::workbench::map::verdict;

    /// Growth in the present motion of what would decay at rest is a sentence with the factor per step; rounding of 1
    /// is not growth, and what grows at rest already is said by its closed form.
    #[test]
    fn growth_in_motion_is_a_sentence() {
        let mut stabilizer = Stabilizer::by_key("baumgarte_velocity").unwrap();
        stabilizer.values.set("alpha", 50.0).unwrap();
        let method = Method::new(stabilizer);
        let said = |radius: f64, h: f64| verdict(&method, h, Some(radius)).unwrap().text;
        assert_eq!(
            said(98.7, 0.001),
            "At rest this decays. In the present motion it grows 98.7-fold per step."
        );
        assert!(
            said(1.0 + 1.5e-8, 0.001).starts_with("αh = 0.05: the error decays"),
            "{}",
            said(1.0, 0.001)
        );
        assert!(said(2.0, 0.1).contains("unstable for h > "), "{}", said(2.0, 0.1));
    }
}
