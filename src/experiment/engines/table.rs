//! The comparison with the engines as text and as a page.

use super::{Case, Compared, ENGINES, Engine, Rule, Verdict};
use crate::experiment::reproduction::significant;
use crate::method::Stabilizer;
use std::fmt::Write;

/// Beside the numbers of a table's rows.
type All<'a> = &'a [(&'a Case, &'a [Compared])];

/// One line for each engine: how many of its figures agree, are explained, and differ; and each that differs.
pub fn lines(all: All<'_>) -> String {
    let mut text = String::new();
    for engine in &ENGINES {
        let count =
            |wanted: fn(Verdict) -> bool| rows(all, engine).filter(|(_, row)| wanted(row.verdict)).count();
        let [agree, explained, differ] = [
            count(|verdict| verdict == Verdict::Agrees),
            count(|verdict| matches!(verdict, Verdict::Explained(_))),
            count(|verdict| verdict == Verdict::Differs),
        ];
        let Engine { scheme, name, .. } = engine;
        let _ = writeln!(
            text,
            "{scheme}, {name}: {agree} figures agree, {explained} are explained, {differ} differ"
        );
        for (case, row) in rows(all, engine).filter(|(_, row)| row.verdict == Verdict::Differs) {
            let _ = writeln!(text, "  differs: {}, {}", case.scene, cells(row).join(", "));
        }
    }
    text
}

/// The page docs/engines.md.
pub fn markdown(all: All<'_>) -> String {
    let mut text = PREFACE.to_owned();
    for engine in &ENGINES {
        let Engine { scheme, name, settings } = engine;
        let _ = writeln!(text, "\n## `{scheme}` and {name}\n\nSettings of the engine: {settings}.\n");
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

Written by `driftlab engines --out docs`: the scenes of `assets/engines/scenes/` under the scheme that imitates an engine, with its default
parameters, beside what the engine did on the same scene. Where these figures come from is in `assets/engines/README.md`. *Agrees* means
within 20 %, or within what the row counts as nothing; *same order* means within a factor of 10, where the motion is chaotic, so that
single runs scatter; *same outcome* that a stack stands in both or topples in both. Where neither holds, the number of the
scheme's departure that explains it is given.
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
    let verdict = match (verdict, row.rule) {
        (Verdict::Agrees, Rule::Figure(_)) => "agrees".to_owned(),
        (Verdict::Agrees, Rule::Order(_)) => "same order".to_owned(),
        (Verdict::Agrees, Rule::Side(_)) => "same outcome".to_owned(),
        (Verdict::Explained(number), _) => format!("departure {number}"),
        (Verdict::Differs, _) => "differs".to_owned(),
    };
    [row.quantity.to_owned(), value(row.theirs), ours.map_or("run failed".to_owned(), value), verdict]
}
