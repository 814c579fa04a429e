//! The page and the table of the challenge.

use super::{Challenge, MethodOutcomes, Outcome, Refined};
use driftlab::numbers::short;
use std::fmt::Write as _;

const OPENING: &str = "\
# The pendulum challenge

Written by `driftlab-evidence challenge`. Matthias Müller, whose methods move much of what falls and swings in today's games, poses it on
[a page of his](https://matthias-research.github.io/pages/challenges/pendulum.html): three masses of 1 kg on rods of 0.3 m, one behind the other, swing under 10 m/s²,
and are drawn sixty times a second. A program moves them in small steps, and every step is a little wrong: rods grow longer, and energy comes or goes. His own method, XPBD,
makes 50 steps or more for each picture; in each it lets the masses fly freely and then pulls them to where the rods have their lengths again. Is there a method that is
simpler, faster, stabler or more accurate?

The motion is chaotic: a small error doubles again and again, until the pendulum is somewhere else altogether. So the question *how long does a method follow the true motion* has an
answer in seconds, and a good method is one that follows long, keeps the energy, keeps the rods' lengths, and costs little.

";

const PICTURE: &str = "\
![How long each method follows the true motion, how much its energy changes and how far its rods stretch, over what a picture costs](challenge.png)

";

const READING: &str = "
- **Followed**: until a mass is a centimetre from where it should be. The true motion is computed in another way, from the three angles of the rods, which cannot stretch there, and so
  finely that it is known for the time given in the table's head; beyond that nobody can say who is right.
- **Energy**: its largest change in twenty seconds; it should not change at all. **Rods**: the largest change of a rod's length.
- **Cost**: computing time of one picture on one core. A step that cannot be made whole is divided into *parts*, whose time counts. All methods but the challenge's own are general: they also know contact, friction, and bodies that turn.
- *The challenge's own* XPBD is its page's algorithm as it stands, with and without its switch that gives lost energy back once a picture, off when the page opens. The other
  XPBD is the same idea for bodies that turn. A *substep* is one of its small steps.
- **RATTLE** computes in each step the forces with which the rods have their lengths at its end, and those with which no mass moves along its rod. **Baumgarte**'s method lets errors of the rods
  die out like the swing of a door with a closer; its Runge–Kutta steps look at the forces at four moments before they move anything. The other methods, which stand here for comparison, are
  explained by `driftlab list stabilizers`.

Repeat it: `driftlab-evidence challenge --out challenge` writes this page, its picture and a table of all runs. Watch it: `driftlab pendulum-challenge`.
";

/// The page.
pub fn markdown(challenge: &Challenge) -> String {
    let Challenge { trusted, scale, lines } = challenge;
    let mut page = OPENING.to_owned() + &answer(challenge).unwrap_or_default() + PICTURE;
    let _ = writeln!(
        page,
        "| method | per picture | followed, s (of {} that are known) | energy, J (of {} in motion) | rods, m | cost, µs a picture |\n\
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

/// The answer in numbers: the challenge's own method beside RATTLE with one step, and the method that follows longest.
fn answer(challenge: &Challenge) -> Option<String> {
    let of = |name: &str, count: u32| {
        let line = challenge.lines.iter().find(|line| line.name == name)?;
        line.outcomes.iter().find(|outcome| outcome.count == count)
    };
    let own = "XPBD, the challenge's own";
    let (few, many, rattle) = (of(own, 50)?, of(own, 1000)?, of("RATTLE", 1)?);
    let outcomes =
        challenge.lines.iter().flat_map(|line| line.outcomes.iter().map(move |outcome| (line, outcome)));
    let (longest, best) = outcomes.max_by(|a, b| a.1.followed.total_cmp(&b.1.followed))?;
    Some(format!(
        "**The answer in numbers.** XPBD with 50 steps a picture follows the motion for {:.2} s and with 1000 steps for {:.2} s; RATTLE, with one step a picture, which it divides into {:.1} parts on average and up to {}, for {:.2} s. The energy changes \
         by {:.1} J, {:.1} J and {:.2} J. A picture costs {:.0}, {:.0} and {:.0} µs: XPBD with 50 steps is the cheapest of the three, and the simplest to write. {} follows longest, \
         for {:.2} s at {:.0} µs a picture.\n\n",
        few.followed,
        many.followed,
        rattle.parts[0],
        rattle.parts[1],
        rattle.followed,
        few.energy,
        many.energy,
        rattle.energy,
        few.cost,
        many.cost,
        rattle.cost,
        longest.name,
        best.followed,
        best.cost,
    ))
}

fn row(line: &MethodOutcomes, outcome: &Outcome) -> String {
    let counted = match (line.refined, outcome.count) {
        (Refined::Steps, 1) => "1 step".to_owned(),
        (Refined::Steps, n) => format!("{n} steps"),
        (Refined::Substeps, n) => format!("{n} substeps"),
    };
    let Outcome { followed, energy, stretch, parts: [mean, most], cost, failure, .. } = outcome;
    let divided = if *most > 1.0 {
        format!(", each in {mean:.1} parts on average, up to {most}")
    } else {
        String::new()
    };
    let energy = if *energy < 0.01 { format!("{energy:.0e}") } else { format!("{energy:.2}") };
    let ends = if failure.is_some() { " (stops)" } else { "" };
    format!(
        "| {} | {counted}{divided}{ends} | {followed:.2} | {energy} | {stretch:.0e} | {cost:.1} |\n",
        line.name
    )
}

/// All outcomes: `method,scheme,per_frame,of,parts_mean,parts_most,followed_s,energy_J,rods_m,cost_us,failure`.
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
        "parts_mean",
        "parts_most",
        "followed_s",
        "energy_J",
        "rods_m",
        "cost_us",
        "failure",
    ])?;
    for line in &challenge.lines {
        let of = if line.refined == Refined::Steps { "steps" } else { "substeps" };
        for outcome in &line.outcomes {
            let Outcome { followed, energy, stretch, parts: [mean, most], cost, .. } = *outcome;
            let numbers = [mean, most, followed, energy, stretch, cost].map(|v| v.to_string());
            let [mean, most, followed, energy, stretch, cost] = numbers;
            let count = outcome.count.to_string();
            let failure = outcome.failure.as_deref().unwrap_or_default();
            let scheme = line.scheme.unwrap_or_default();
            writer.write_record([
                line.name, scheme, &count, of, &mean, &most, &followed, &energy, &stretch, &cost, failure,
            ])?;
        }
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}
