//! The page evidence/docs/beside.md.

use super::{Figures, Outcome, Row, SCENES, significant3};
use crate::document::significant;
use std::fmt::Write as _;

const PREFACE: &str = "\
# Engines and ours on the same scenes, by one yardstick

Written by `driftlab-evidence beside --out evidence/docs` of a program with the engines (`cargo run --release -p driftlab-evidence --features engines -- beside`).
Every run becomes a [recording](../../docs/RECORDING.md), and the judge takes these figures from its numbers alone. Box2D and Rapier make
their steps in the same process, of a copy of the scene, with the settings that each brings but for sleeping, which is off; MuJoCo's
runs are recordings that `evidence/beside/record.py` makes of scenes that driftlab has exported, Drake's those of `record_drake.py`: SAP, with hinges as
ball constraints and contacts of points at the corners of boxes, of the scenes that consist of such hinges, boxes and half-planes.
Its surfaces yield by 1 m under 1 MN, as they do where nothing else is said, whatever lies on them: boxes of a tonne sink. *Exact* is `post_stabilization`, whose
every problem is solved; *bounded* is the same with a bounded effort, as in the window. Both make one correction of positions a step, as the scheme comes. At 1/60 s one
correction does not hold long or heavy chains that swing, nor do three: their links turn so far in a step that a linear correction leads astray, and those rows of ours
are worse than those of every engine. *Projected* is `projection`, which corrects positions until no error is left, and holds them. In MuJoCo's models hinges are joints of a tree, in whose coordinates they cannot open.

| column | says |
|---|---|
| joint | the largest opening of a joint over the run, then after the last step, mm |
| overlap | the deepest overlap by driftlab's own detection over the run, then after the last step, mm |
| creep | the mean sliding speed of contacts that friction should hold, mm/s |
| gained | how far the energy has risen above that of the start at most, J |
| method | the energy that nobody's work explains, over the run: the method's own error, J |
| moved | the largest distance of a body from where it began, after the last step, m |
| µs | the mean time of a step, µs, with one thread; of another engine with the exchange of poses and velocities, which are copied at every step |

A dash stands where there is nothing to measure or the engine does not tell its impulses whole. Chaotic scenes (struck and poured piles, swinging chains) end
differently after the least change: their last columns are single draws.

The column µs is of one run on one machine, and no test compares it: other work of the machine can double it. Where nothing moves, ours finds that and repeats the
step, while sleeping is off in the engines: rows of what rests compare a step that is made with one that is not. In struck and poured piles few exact steps are most of
the mean ([PERFORMANCE.md](../../docs/PERFORMANCE.md)).
";

/// The page.
pub fn markdown(rows: &[Row], settings: &[String], machine: &str) -> String {
    let mut text = format!("{PREFACE}\nMachine: {machine}\n\nSettings:\n\n");
    for line in settings {
        let _ = writeln!(text, "- {line}");
    }
    let there = |place: usize| rows.iter().any(|row| row.scene == place);
    for (place, (name, what)) in SCENES.iter().enumerate().filter(|(place, _)| there(*place)) {
        let _ = writeln!(
            text,
            "\n## `{name}`: {what}\n\n| made by | joint | at the end | overlap | at the end | creep | gained | method | moved | µs |\n\
             |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
        );
        let mut notes = String::new();
        for row in rows.iter().filter(|row| row.scene == place) {
            let figures = match &row.outcome {
                Outcome::Whole(figures) => Some(figures),
                Outcome::Stopped(figures, why) => {
                    let until = figures.map(|own| format!(" after {} s", significant(own.end)));
                    let _ = writeln!(
                        notes,
                        "\n{} stopped{}: {}.",
                        row.maker,
                        until.unwrap_or_default(),
                        why.trim_end_matches('.')
                    );
                    figures.as_ref()
                }
            };
            let cells = figures.map_or_else(|| vec!["–".to_owned(); 8], cells);
            let cost = row.step_us.map_or_else(|| "–".to_owned(), significant3);
            let _ = writeln!(text, "| {} | {} | {cost} |", row.maker, cells.join(" | "));
        }
        text.push_str(&notes);
    }
    text
}

fn cells(own: &Figures) -> Vec<String> {
    let milli = |value: Option<f64>| value.map(|value| 1e3 * value);
    let cells = [
        milli(own.joint[0]),
        milli(own.joint[1]),
        milli(own.overlap[0]),
        milli(own.overlap[1]),
        milli(own.creep),
        own.gain,
        own.method,
        Some(own.moved),
    ];
    cells.into_iter().map(|cell| cell.map_or_else(|| "–".to_owned(), rounded)).collect()
}

/// Three digits; nothing beyond a picometre and a picojoule.
fn rounded(value: f64) -> String {
    match value.abs() {
        size if size < 1e-9 => "0".to_owned(),
        _ => significant3(value),
    }
}
