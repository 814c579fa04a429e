//! `figures.md`: a row for every published statement, beside what was computed.

use super::{Drawing, Figure, Judgement, Statement};
use crate::document::significant;
use driftlab::scene::Bound;

const HEAD: &str = "# Published figures, computed again\n\n\
    Written by `driftlab-evidence figures`. Every number in the column *ours* was computed in that run; every verdict follows from \
    it and from the source's number, which is in the scene's `reference` block. *Reproduced under an assumption* means \
    that the source leaves something open that the scene fills in.\n\n";

/// The table of all statements of these figures, and a list of the figures.
pub fn markdown(drawn: &[(&Figure, &Drawing)]) -> String {
    let mut text = String::from(HEAD);
    text += &count(drawn);
    text += "| source | statement | published | ours | verdict |\n|---|---|---|---|---|\n";
    for (_, drawing) in drawn {
        for statement in &drawing.statements {
            text += &row(statement);
        }
    }
    text += "\n## Files\n\n| figure | shows | scene | files |\n|---|---|---|---|\n";
    for (figure, drawing) in drawn {
        let Figure { source, title, scene, .. } = figure;
        let names: Vec<_> = drawing.documents.iter().map(|file| format!("`{}`", file.name)).collect();
        text += &format!("| {source} | {} | `{scene}` | {} |\n", cell(title), names.join(", "));
    }
    text
}

fn count(drawn: &[(&Figure, &Drawing)]) -> String {
    let statements = || drawn.iter().flat_map(|(_, drawing)| &drawing.statements);
    let of = |kind: fn(&Judgement) -> bool| statements().filter(|s| kind(&s.judgement)).count();
    let reproduced = of(|judgement| *judgement == Judgement::Reproduced);
    let assuming = of(|judgement| matches!(judgement, Judgement::Assuming(_)));
    let not = of(|judgement| matches!(judgement, Judgement::NotReproduced(_)));
    format!(
        "{} statements: {reproduced} reproduced, {assuming} reproduced under an assumption, {not} not reproduced.\n\n",
        statements().count()
    )
}

fn row(statement: &Statement) -> String {
    let Statement { source, text, bound, within, measured, unit, judgement, .. } = statement;
    let sign = match bound {
        Bound::AtMost(_) => "≤",
        Bound::AtLeast(_) => "≥",
        Bound::About(_) => "≈",
    };
    let ours = measured.map_or_else(|| "–".to_owned(), |value| with_unit(value, *within, unit));
    let verdict = match judgement {
        Judgement::Reproduced => "reproduced".to_owned(),
        Judgement::Assuming(what) => format!("reproduced under an assumption: {what}"),
        Judgement::NotReproduced(why) if why.is_empty() => "**not reproduced**".to_owned(),
        Judgement::NotReproduced(why) => format!("**not reproduced**: {why}"),
    };
    let published = with_unit(bound.value(), *within, unit);
    format!("| {source} | {} | {sign} {published} | {ours} | {} |\n", cell(text), cell(&verdict))
}

/// The text in the form that a table cell needs.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// The number with as many digits as the deviation that is allowed tells apart, and one more; six at least.
fn with_unit(value: f64, within: Option<f64>, unit: &str) -> String {
    let digits = within.map_or(0, |within| (1.0 - within.log10()).ceil() as i32);
    let number = match (digits > 6 && value != 0.0 && value.is_finite(), value.abs().log10().floor()) {
        (true, exponent) => {
            let decimals = (digits - 1 - exponent as i32).max(0) as usize;
            format!("{value:.decimals$}")
        }
        (false, _) => significant(value),
    };
    if unit.is_empty() { number } else { format!("{number} {unit}") }
}
