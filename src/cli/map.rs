//! Shared by sweeps, merges and stability maps: reading ranges, and writing tables and figures.

use super::failure::Failure;
use super::files;
use super::options::Over;
use super::output::print;
use super::values::format_of;
use crate::experiment::sweep::Table;
use crate::experiment::{Axis, Grid, Map, MapError, Shading, check_axes, draw_map};
use crate::files::{STANDARD, is_standard};
use crate::method::Stabilizer;
use std::path::Path;

/// The grid of the `--over` options; an error if a figure is asked for that cannot draw it.
pub(super) fn grid(over: &Over, plot: Option<&Path>) -> Result<Grid, Failure> {
    let wrong = |message: String| Failure::wrong(format!("--over: {message}"));
    let axes = over.ranges.iter().map(|text| Axis::parse(text)).collect::<Result<Vec<_>, _>>();
    let grid = axes.and_then(Grid::new).map_err(wrong)?;
    match plot {
        Some(_) => check_axes(grid.axes()).map(|()| grid).map_err(|error| unplottable(&error)),
        None => Ok(grid),
    }
}

fn unplottable(error: &MapError) -> Failure {
    Failure::wrong(format!("--plot: {error}"))
}

/// A stabilizer's text, completed by the first value of every range whose parameter belongs to one of its alternative
/// parameter sets: `zeta=1` alone is incomplete; together with the map's ω₀ it is complete.
pub(super) fn completed(text: Option<&str>, grid: &Grid) -> Option<String> {
    let mut text = text?.to_owned();
    let info = Stabilizer::by_key(text.split(',').next().unwrap_or_default().trim())?.info();
    let speaks = |key: &str| {
        let languages = info.languages.iter().filter(|language| language.in_files);
        languages.flat_map(|language| language.parameters).any(|parameter| parameter.key == key)
    };
    let native = |key: &str| info.parameters.iter().any(|parameter| parameter.key == key);
    for axis in grid.axes().iter().filter(|axis| speaks(&axis.key) && !native(&axis.key)) {
        text.push_str(&format!(",{}={}", axis.key, axis.values()[0]));
    }
    Some(text)
}

/// Checks each value of each axis once with `accepts`, the other axes at their first value.
pub(super) fn check_values(
    grid: &Grid,
    accepts: impl Fn(&[(&str, &str)]) -> Result<(), String>,
) -> Result<(), Failure> {
    let first: Vec<_> =
        grid.axes().iter().map(|axis| (axis.key.as_str(), axis.values()[0].as_str())).collect();
    for (place, axis) in grid.axes().iter().enumerate() {
        for value in axis.values() {
            let mut settings = first.clone();
            settings[place].1 = value;
            accepts(&settings).map_err(|message| Failure::wrong(format!("--over: {message}")))?;
        }
    }
    Ok(())
}

/// Writes rows to their file, or to standard output.
pub(super) fn write_rows(path: Option<&Path>, text: &str) -> Result<(), Failure> {
    files::write(path.unwrap_or(Path::new(STANDARD)), text.as_bytes())
}

/// Draws a map into a file.
pub(super) fn write_map(path: &Path, map: &Map<'_>) -> Result<(), Failure> {
    let format = format_of(path).map_err(Failure::wrong)?;
    let bytes = draw_map(map, format).map_err(|error| unplottable(&error))?;
    files::write(path, &bytes)
}

/// Writes a sweep's rows and, if asked for, its figure, and prints how many runs failed.
pub(super) fn write_sweep(table: &Table, csv: Option<&Path>, plot: Option<&Path>) -> Result<(), Failure> {
    let bytes = table.to_bytes().map_err(Failure::wrong)?;
    let text = String::from_utf8(bytes).map_err(|error| Failure::wrong(error.to_string()))?;
    write_rows(csv, &text)?;
    if let Some(path) = plot {
        let axes = table.head.axes().map_err(Failure::wrong)?;
        let title = format!("{}: {}", table.head.scene, table.head.stabilizer);
        let map = Map {
            title: &title,
            axes: &axes,
            values: table.errors(),
            label: "largest error (m, rad)",
            shading: Shading::Logarithmic,
            curves: Vec::new(),
        };
        write_map(path, &map)?;
    }
    if csv.is_some_and(|path| !is_standard(path)) {
        let (rows, failures) = (table.rows.len(), table.failures());
        let told = |count: usize, what: &str| match count {
            0 => String::new(),
            some => format!(", {some} {what}"),
        };
        let (blown_up, unsolved) =
            (told(table.blown_up(), "blown up"), told(table.unsolved(), "not solved"));
        print(&format!("{rows} runs, {failures} failed{blown_up}{unsolved}\n"))?;
    }
    Ok(())
}
