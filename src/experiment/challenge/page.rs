//! The page and the table of the challenge.

use super::{Challenge, MethodOutcomes, Outcome, Refined};
use crate::experiment::run::units::short;
use std::fmt::Write as _;

const OPENING: &str = "\
# The pendulum challenge

Written by `driftlab challenge`. Matthias Müller, an author of XPBD, poses it on [a page of his](https://matthias-research.github.io/pages/challenges/pendulum.html): three masses of
1 kg on rods of 0.3 m swing under 10 m/s², drawn sixty times a second. Is there a method that is simpler, faster, stabler or more accurate than his?

The motion is chaotic: a small error doubles again and again. So the question *how long does a method follow the true motion* has an answer in seconds, and a good method is one that
follows long, keeps the energy, keeps the rods' lengths, and costs little.

![How long each method follows the true motion, how much its energy changes and how far its rods stretch, over what a frame costs](challenge.png)

";

const READING: &str = "
- **Followed**: until a mass is a centimetre from where it should be. The true motion is computed without any constraint, from the three angles, with a method of order ten.
- **Energy**: its largest change in twenty seconds. **Rods**: the largest change of a rod's length.
- **Cost**: computing time of one frame on one core. All methods but the challenge's own are general: they also know contact, friction, and bodies that turn.
- *The challenge's own* XPBD is its page's algorithm as it stands, with and without its switch that gives lost energy back once a frame, off when the page opens. The other
  XPBD is that of rigid bodies.
- **RATTLE** solves for the rods' forces so that the rods are right and so are their velocities at the end of each step. **Baumgarte** lets errors of the rods die out like a damped
  oscillator, here with Runge–Kutta steps of order four. The other schemes are explained by `driftlab list stabilizers`.

Repeat it: `driftlab challenge --out challenge` writes this page, its picture and a table of all runs. Watch it: `driftlab pendulum-challenge`.
";

/// The page.
pub fn markdown(challenge: &Challenge) -> String {
    let mut page = OPENING.to_owned();
    let Challenge { trusted, scale, lines } = challenge;
    let _ = writeln!(
        page,
        "| method | per frame | followed, s (of {} that are known) | energy, J (of {} in motion) | rods, m | cost, µs a frame |\n\
         |---|---|---:|---:|---:|---:|",
        short(*trusted),
        short(*scale)
    );
    for line in lines {
        for outcome in line.outcomes.iter().filter(|outcome| line.shown.contains(&outcome.count)) {
            page += &row(line, outcome);
        }
    }
    page + READING
}

fn row(line: &MethodOutcomes, outcome: &Outcome) -> String {
    let counted = match (line.refined, outcome.count) {
        (Refined::Steps, 1) => "1 step".to_owned(),
        (Refined::Steps, n) => format!("{n} steps"),
        (Refined::Substeps, n) => format!("{n} substeps"),
    };
    let Outcome { followed, energy, stretch, cost, failure, .. } = outcome;
    let energy = if *energy < 0.01 { format!("{energy:.0e}") } else { format!("{energy:.2}") };
    let ends = if failure.is_some() { " (stops)" } else { "" };
    format!("| {} | {counted}{ends} | {followed:.2} | {energy} | {stretch:.0e} | {cost:.1} |\n", line.name)
}

/// All outcomes: `method,scheme,per_frame,of,followed_s,energy_J,rods_m,cost_us,failure`.
///
/// # Errors
/// An error of the CSV writer.
pub fn csv(challenge: &Challenge) -> csv::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        "method",
        "scheme",
        "per_frame",
        "of",
        "followed_s",
        "energy_J",
        "rods_m",
        "cost_us",
        "failure",
    ])?;
    for line in &challenge.lines {
        let of = if line.refined == Refined::Steps { "steps" } else { "substeps" };
        for outcome in &line.outcomes {
            let numbers =
                [outcome.followed, outcome.energy, outcome.stretch, outcome.cost].map(|v| v.to_string());
            let [followed, energy, stretch, cost] = numbers;
            let count = outcome.count.to_string();
            let failure = outcome.failure.as_deref().unwrap_or_default();
            let scheme = line.scheme.unwrap_or_default();
            writer.write_record([
                line.name, scheme, &count, of, &followed, &energy, &stretch, &cost, failure,
            ])?;
        }
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}
