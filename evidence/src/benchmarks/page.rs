//! The page and the table of the benchmarks.

use super::{ALLOWED, Benchmark, MACHINE, MethodOutcomes, Outcome};
use driftlab::numbers::short;
use std::fmt::Write as _;

const OPENING: &str = "\
# The multibody community's benchmarks

Written by `driftlab-evidence benchmarks`. The planar problems of the library that González, Dopico, Lugrís and Cuadrado began in 2006 and the IFToMM's committee keeps: a pendulum, a mechanism
that passes through singular poses, and a mechanism whose crank turns two and a half times in 30 ms. A method solves a problem with low precision if its error is at most 10⁻¹, with high
precision if it is at most 10⁻³. The error is the library's own: relative, but never to less than 10⁻³, root mean square over the compared times and variables.

The true motions are computed without constraints or from other coordinates, with a method of order ten; `evidence/tests/reference/benchmarks.py` computes them a second time with another integrator.

![Error over computing time of every method on the four problems; on Andrews' squeezer also of RADAU5 and MEBDFI](benchmarks.png)
";

const READING: &str = "
- **h** is the largest time step of those tried from which on all smaller ones keep within the error; **time** is the computing time of that run on one core, steps alone;
  a run of less than a second is made three times, and the fastest time of each step counts. A step that cannot be made whole is divided into *parts*; their average number stands
  behind h, and their time counts.
- The last two columns give the error at the smallest time step tried, and the order: log of the error over log of the time step, between the two smallest between which the error falls and is neither
  large nor rounding. Where a method has one, it is 2 for RATTLE, 4 for Runge–Kutta steps and 1 for all others. The soft step has none: its joints stay as soft as a frequency of 60 Hz makes them.
- A02's bars are all level twice in each turn. There the Jacobian loses rank, and every coupler may leave its line. What happens then depends on how far joints and velocities are off:
  RATTLE, whose joints and velocities are right to rounding, passes at every time step tried, the long ones in parts. Baumgarte with Runge–Kutta steps passes from h = 10 ms on: its errors are of fourth order.
  Anitescu & Hart's scheme and implicit enforcement pass from 2 ms on, one to two for forty windows, as their errors of second order become small enough; split impulses with two windows at 0.2 ms.
  Baumgarte at the velocity level and with Euler steps, post-stabilization, projection, NGS, the soft step, XPBD and no stabilization lose the parallelogram at the first level pose or one of the
  next, at every time step tried. Projection does so although its joints are exact at the end of each step: the error of its motion is of first order, as that of the others.
  Runge–Kutta steps without stabilization leave it, too, or end at a pose at which the joints' forces are no longer finite.
- Times of other programs are of other machines, which are named.

Repeat it: `driftlab-evidence benchmarks --out benchmarks` writes this page, its picture and a table of all runs.
";

/// The page.
pub fn markdown(results: &[(&'static Benchmark, Vec<MethodOutcomes>)]) -> String {
    let mut page = OPENING.to_owned();
    for (benchmark, lines) in results {
        let _ = write!(
            page,
            "\n## {}\n\nScene `{}`. Published: {}.\n\n\
             | method | h for 10⁻¹, ms | time, ms | h for 10⁻³, ms | time, ms | error at h = {} ms | order |\n\
             |---|---:|---:|---:|---:|---:|---:|\n",
            benchmark.name,
            benchmark.scene,
            benchmark.published,
            milliseconds(benchmark.span / f64::from(benchmark.counts[benchmark.counts.len() - 1])),
        );
        for line in lines {
            page += &row(line);
        }
        page += &codes(benchmark);
    }
    page + READING
}

/// The published codes beside which the methods stand.
fn codes(benchmark: &Benchmark) -> String {
    if benchmark.codes.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "\nPublished codes for differential-algebraic equations on the same problem, in its form of index three, on {MACHINE}:\n\n\
         | code | tolerance for 10⁻¹ | time, ms | tolerance for 10⁻³ | time, ms | smallest error | time, ms |\n\
         |---|---:|---:|---:|---:|---:|---:|\n"
    );
    for code in benchmark.codes {
        let within = |allowed: f64| {
            let kept = code.points.iter().rev().take_while(|(_, error, _)| *error <= allowed).last();
            kept.map_or("– | –".to_owned(), |(tolerance, _, cost)| {
                format!("{tolerance:e} | {}", milliseconds(*cost))
            })
        };
        let [low, high] = ALLOWED.map(within);
        let best = code.points.iter().min_by(|a, b| a.1.total_cmp(&b.1));
        let best =
            best.map_or(String::new(), |(_, error, cost)| format!("{error:.1e} | {}", milliseconds(*cost)));
        let _ = writeln!(text, "| {} | {low} | {high} | {best} |", code.name);
    }
    text
}

fn row(line: &MethodOutcomes) -> String {
    let [low, high] = ALLOWED.map(|error| match line.within(error) {
        Some(run) => {
            let h = milliseconds(run.time_step);
            let divided = if run.parts > 1.005 {
                format!(" in {} parts", short((100.0 * run.parts).round() / 100.0))
            } else {
                String::new()
            };
            format!("{h}{divided} | {}", milliseconds(run.cost))
        }
        None => "– | –".to_owned(),
    });
    let error = match line.outcomes.last() {
        Some(Outcome { error: Some(error), .. }) => format!("{error:.1e}"),
        Some(Outcome { failure: Some(_), .. }) => "stops".to_owned(),
        _ => "–".to_owned(),
    };
    let order = line.order().map_or("–".to_owned(), |order| format!("{order:.2}"));
    format!("| {} | {low} | {high} | {error} | {order} |\n", line.name)
}

/// Three digits of a time given in s, in ms.
fn milliseconds(time: f64) -> String {
    let value = 1e3 * time;
    if value >= 100.0 { format!("{value:.0}") } else { short(value) }
}

/// All runs: `benchmark,method,scheme,time_step_s,parts,error,cost_s,failure`.
///
/// # Errors
/// An error of the CSV writer.
pub fn csv(results: &[(&'static Benchmark, Vec<MethodOutcomes>)]) -> csv::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        "benchmark",
        "method",
        "scheme",
        "time_step_s",
        "parts",
        "error",
        "cost_s",
        "failure",
    ])?;
    for (benchmark, lines) in results {
        for line in lines {
            for Outcome { time_step, error, parts, cost, failure } in &line.outcomes {
                let error = error.map_or_else(String::new, |error| error.to_string());
                let [time_step, parts, cost] = [time_step, parts, cost].map(ToString::to_string);
                let failure = failure.as_deref().unwrap_or_default();
                writer.write_record([
                    benchmark.scene,
                    line.name,
                    line.scheme,
                    &time_step,
                    &parts,
                    &error,
                    &cost,
                    failure,
                ])?;
            }
        }
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}
