//! `driftlab judge --report`: a page of its own with figures, tables and definitions.

use crate::cli::failure::Failure;
use crate::experiment::judge::words;
use crate::experiment::judge::{DEFINITIONS, Extreme, Judged, Sample, WorkSplit};
use crate::figure::canvas::Format;
use crate::figure::{Axis, Chart, Curve, Ends, draw, markup};
use crate::scene::shown;

/// Points of a curve at most: of more steps each part shows its largest value.
const MOST_POINTS: usize = 1200;
/// Parts of a pixel that the numbers of a figure count.
const FINE: u32 = 4;

const HEAD: &str = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>driftlab judge</title><style>\n\
    body { font: 15px/1.45 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a }\n\
    table { border-collapse: collapse; margin: 1rem 0 }\n\
    td, th { text-align: left; padding: .15rem 1.2rem .15rem 0; vertical-align: top }\n\
    th { border-bottom: 1px solid #999 } td.n { font-variant-numeric: tabular-nums } svg { width: 100%; height: auto }\n\
    </style></head><body>\n<h1>Recordings, judged</h1>\n";

/// The page of all files.
pub(super) fn page(all: &[(String, Judged)]) -> Result<String, Failure> {
    let mut page = HEAD.to_owned();
    for (name, judged) in all {
        page.push_str(&format!("<h2>{}</h2>\n", markup(&shown(name))));
        let rows = words::words(name, judged);
        page.push_str(&table(["figure", "value"], rows.iter().map(|(a, b)| vec![indented(a), b.clone()])));
        for chart in [errors(judged), energy(judged)].into_iter().flatten() {
            page.push_str(&svg(&chart)?);
        }
        page.push_str(&joints(judged));
        page.push_str(&pairs(judged));
    }
    if all.len() > 1 {
        page.push_str("<h2>Side by side</h2>\n");
        page.push_str(&side_by_side(all));
    }
    page.push_str("<h2>Definitions</h2>\n");
    let rows = DEFINITIONS
        .iter()
        .map(|(name, unit, text)| vec![(*name).to_owned(), (*unit).to_owned(), (*text).to_owned()]);
    page.push_str(&table(["figure", "unit", "what it is"], rows));
    page.push_str("</body></html>\n");
    Ok(page)
}

/// A label whose blanks at the beginning a page keeps.
fn indented(label: &str) -> String {
    match label.strip_prefix("  ") {
        Some(own) => format!("\u{2003}{own}"),
        None => label.to_owned(),
    }
}

fn svg(chart: &Chart) -> Result<String, Failure> {
    let bytes =
        draw(chart, Format::Svg, FINE).map_err(|error| Failure::wrong(format!("--report: {error}")))?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let begin = text.find("<svg").unwrap_or_default();
    Ok(text[begin..].to_owned() + "\n")
}

/// Errors over time.
fn errors(judged: &Judged) -> Option<Chart> {
    type Of = fn(&Sample) -> f64;
    let kinds: [(&str, Of); 4] = [
        ("joints / m", |own| own.joint_error),
        ("joints / rad", |own| own.joint_angle),
        ("overlap / m", |own| own.penetration),
        ("momentum / largest impulse", |own| own.momentum_share),
    ];
    let curves: Vec<_> = kinds
        .into_iter()
        .enumerate()
        .filter_map(|(index, (label, of))| {
            let points = thinned(&judged.samples, of);
            let any = points.iter().any(|[_, value]| *value > 0.0);
            any.then(|| Curve::line(index, label.to_owned(), points))
        })
        .collect();
    (!curves.is_empty()).then(|| Chart {
        title: "Errors".to_owned(),
        x: Axis::linear("time t / s").ending(Ends::At(judged.time)),
        y: Axis::logarithmic("error").ending(Ends::Errors),
        curves,
        levels: Vec::new(),
    })
}

/// Kinetic and potential energy, and the work of each cause since the beginning.
fn energy(judged: &Judged) -> Option<Chart> {
    let first = judged.energy.first.potential;
    let mut curves = Vec::new();
    let mut add = |label: &str, points: Vec<[f64; 2]>| {
        if points.iter().any(|[_, value]| *value != 0.0) {
            let curve = Curve::line(curves.len(), label.to_owned(), points);
            curves.push(if curves.len() % 2 == 1 { curve.dashed() } else { curve });
        }
    };
    add("kinetic energy", every(&judged.samples, |own| own.kinetic));
    add("potential energy, change", every(&judged.samples, |own| own.potential - first));
    for (at, (name, _)) in
        WorkSplit::default().parts().into_iter().enumerate().filter(|(_, own)| own.0 != "gravity")
    {
        add(&WorkSplit::label(name), every(&judged.samples, |own| own.work[at]));
    }
    (!curves.is_empty()).then(|| Chart {
        title: "Energy, and the work of each cause since the beginning".to_owned(),
        x: Axis::linear("time t / s").ending(Ends::At(judged.time)),
        y: Axis::linear("energy / J"),
        curves,
        levels: Vec::new(),
    })
}

/// The largest known value of each of [`MOST_POINTS`] parts of the steps.
fn thinned(samples: &[Sample], of: fn(&Sample) -> f64) -> Vec<[f64; 2]> {
    let part = samples.len().div_ceil(MOST_POINTS).max(1);
    let largest = |own: &[Sample]| {
        let known = own.iter().map(|own| [own.time, of(own)]).filter(|[_, value]| value.is_finite());
        known.reduce(|most, own| if own[1] > most[1] { own } else { most })
    };
    samples.chunks(part).filter_map(largest).collect()
}

/// The last known value of each part.
fn every(samples: &[Sample], of: impl Fn(&Sample) -> f64) -> Vec<[f64; 2]> {
    let part = samples.len().div_ceil(MOST_POINTS).max(1);
    let known = |own: &[Sample]| own.last().map(|own| [own.time, of(own)]);
    samples.chunks(part).filter_map(known).filter(|[_, value]| value.is_finite()).collect()
}

/// A figure of a table; a dash where it is not known.
fn told(figure: &Option<Extreme>, unit: &str) -> String {
    figure.map_or("–".to_owned(), |figure| words::extreme(&figure, unit))
}

fn joints(judged: &Judged) -> String {
    let rows: Vec<Vec<String>> = judged
        .joints
        .iter()
        .map(|own| {
            let [a, b] = &own.bodies;
            vec![
                format!("{} {}: {a} – {b}", own.kind, own.joint),
                told(&own.linear, "m"),
                told(&own.angular, "rad"),
                told(&own.linear_rate, "m/s"),
                told(&own.linear_difference, "m"),
            ]
        })
        .collect();
    let header = ["joint", "error", "angle", "rate", "difference of the engine's reading"];
    if rows.is_empty() { String::new() } else { "<h3>Joints</h3>\n".to_owned() + &table(header, rows) }
}

fn pairs(judged: &Judged) -> String {
    let rows: Vec<Vec<String>> = judged
        .pairs
        .iter()
        .map(|own| {
            let [a, b] = &own.bodies;
            vec![
                format!("{a} – {b}"),
                told(&own.penetration, "m"),
                told(&own.beyond_cone, "N s"),
                told(&own.complementarity, "J"),
                told(&own.creep, "m/s"),
            ]
        })
        .collect();
    let header = ["bodies that touch", "overlap", "beyond the cone", "|p w|", "creep"];
    if rows.is_empty() { String::new() } else { "<h3>Contacts</h3>\n".to_owned() + &table(header, rows) }
}

/// The same figure of all files in a row.
fn side_by_side(all: &[(String, Judged)]) -> String {
    let mut labels: Vec<String> = Vec::new();
    let columns: Vec<Vec<(String, String)>> =
        all.iter().map(|(name, judged)| words::words(name, judged)).collect();
    for (label, _) in columns.iter().flatten().filter(|(label, _)| label != "recording") {
        if !labels.contains(label) && !label.contains(" – ") {
            labels.push(label.clone());
        }
    }
    let header = std::iter::once("figure".to_owned()).chain(all.iter().map(|(name, _)| name.clone()));
    let rows = labels.iter().map(|label| {
        let cell = |rows: &Vec<(String, String)>| {
            rows.iter().find(|(own, _)| own == label).map_or("–".to_owned(), |(_, value)| value.clone())
        };
        std::iter::once(indented(label)).chain(columns.iter().map(cell)).collect::<Vec<_>>()
    });
    table(header, rows)
}

fn table<H: AsRef<str>>(
    header: impl IntoIterator<Item = H>,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let head: String =
        header.into_iter().map(|own| format!("<th>{}</th>", markup(&shown(own.as_ref())))).collect();
    let row = |cells: Vec<String>| -> String {
        let cells: String =
            cells.iter().map(|own| format!("<td class=\"n\">{}</td>", markup(&shown(own)))).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let body: String = rows.into_iter().map(row).collect();
    format!("<table><tr>{head}</tr>\n{body}</table>\n")
}
