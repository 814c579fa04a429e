//! The comparison with the engines as text and as a page.

use super::{Case, Compared, ENGINES, Engine, Rule, Verdict};
use crate::document::significant;
use driftlab::method::Stabilizer;
use std::fmt::Write;

/// Beside the numbers of a table's rows.
type All<'a> = &'a [(&'a Case, &'a [Compared])];

/// Factor up to which a figure is counted as of the same order.
const ORDER: f64 = 10.0;

/// One line for each engine: what became of its figures.
pub fn lines(all: All<'_>) -> String {
    ENGINES
        .iter()
        .map(|engine| format!("{}, {}: {}\n", engine.scheme, engine.name, counted(all, engine)))
        .collect()
}

/// What became of an engine's figures, in words.
fn counted(all: All<'_>, engine: &Engine) -> String {
    let count =
        |wanted: fn(Verdict) -> bool| rows(all, engine).filter(|(_, row)| wanted(row.verdict)).count();
    let is_outcome = |row: &Compared| matches!(row.row.rule, Rule::Side(_));
    let outcomes = rows(all, engine).filter(|(_, row)| is_outcome(row)).count();
    let figures = rows(all, engine).count() - outcomes;
    let is_near =
        |verdict| matches!(verdict, Verdict::Factor(factor) if (1.0 / ORDER..=ORDER).contains(&factor));
    let near = count(is_near);
    let far = count(|verdict| matches!(verdict, Verdict::Factor(_) | Verdict::Fails)) - near;
    format!(
        "{} of {figures} figures agree within 20 %, {near} more within a factor of ten, {far} do not; {} of {outcomes} outcomes are the same; \
         an ablation explains {} differences",
        count(|verdict| verdict == Verdict::Agrees),
        count(|verdict| verdict == Verdict::SameOutcome),
        count(|verdict| matches!(verdict, Verdict::Explained(_))),
    )
}

/// The page evidence/docs/engines.md.
pub fn markdown(all: All<'_>) -> String {
    let mut text = PREFACE.to_owned();
    for engine in &ENGINES {
        let Engine { scheme, name, settings } = engine;
        let _ = writeln!(
            text,
            "\n## `{scheme}` and {name}\n\nSettings of the engine: {settings}.\n\n{}.\n",
            counted(all, engine)
        );
        text.push_str("| scene | quantity | engine | ours | verdict |\n|---|---|---|---|---|\n");
        for (case, row) in rows(all, engine) {
            let [quantity, theirs, ours, verdict] = cells(row);
            let quantity = quantity.replace('|', "\\|");
            let _ = writeln!(text, "| {} | {quantity} | {theirs} | {ours} | {verdict} |", case.scene);
        }
        let departures = Stabilizer::by_key(scheme).map_or(&[][..], |scheme| scheme.info().departures);
        if !departures.is_empty() {
            text.push_str("\nDepartures of the scheme:\n\n");
            for (number, departure) in (1..).zip(departures) {
                let _ = writeln!(text, "{number}. {departure}");
            }
        }
    }
    text
}

const PREFACE: &str = "\
# The imitating schemes beside the engines

Written by `driftlab-evidence engines --out evidence/docs`: the scenes of `evidence/engines/scenes/` under the scheme that imitates an engine, with its default
parameters, beside what the engine did on the same scene. Where these figures come from is in `evidence/engines/README.md`. A figure *agrees*
within 20 %, or where both are within what the row counts as nothing. Any other figure of ours is told as so many times the engine's, of
the other sign where that is negative. An outcome is that a stack stands, or has toppled. A departure explains a difference where
the engine itself was run without that feature, and did then as ours does; that value is given. Single runs of chaotic motion scatter, those of
the engines as well as ours.
";

fn rows<'a>(all: All<'a>, engine: &'a Engine) -> impl Iterator<Item = (&'a Case, &'a Compared)> {
    let own = all.iter().filter(move |(case, _)| case.engine == engine);
    own.flat_map(|(case, rows)| rows.iter().map(move |row| (*case, row)))
}

/// Quantity, the engine's figure, ours, and the verdict.
fn cells(Compared { row, ours, verdict }: &Compared) -> [String; 4] {
    let unit = if row.unit == "1" { String::new() } else { format!(" {}", row.unit) };
    let value =
        |value: f64| if value.is_finite() { significant(value) + &unit } else { "never".to_owned() };
    let verdict = match *verdict {
        Verdict::Agrees => "agrees".to_owned(),
        Verdict::SameOutcome => "same outcome".to_owned(),
        Verdict::Explained(number) => {
            let without = row.ablation.map_or(f64::NAN, |ablation| ablation.value);
            format!("departure {number}: {} without", value(without))
        }
        Verdict::OtherOutcome => "other outcome".to_owned(),
        Verdict::Factor(factor) if factor.is_finite() => format!("× {}", significant(factor)),
        Verdict::Factor(_) => "theirs is 0".to_owned(),
        Verdict::Fails => "run failed".to_owned(),
    };
    [row.quantity.to_owned(), value(row.theirs), ours.map_or("run failed".to_owned(), value), verdict]
}
