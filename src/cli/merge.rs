//! `driftlab merge`: the parts of a sweep, joined.

use super::arguments::MergeArguments;
use super::failure::Failure;
use super::files;
use super::map::write_sweep;
use crate::experiment::check_axes;
use crate::experiment::sweep::{Table, merge};
use crate::files::{MOST_PROBLEM_BYTES, read_text};

/// Runs the command.
pub(super) fn run(arguments: &MergeArguments) -> Result<(), Failure> {
    let MergeArguments { parts, csv, plot } = arguments;
    let mut tables = Vec::new();
    for path in parts {
        let name = path.display().to_string();
        let text = read_text(path, MOST_PROBLEM_BYTES).map_err(|error| Failure::file(path, &error))?;
        let table = Table::parse(&text).map_err(|error| Failure::wrong(format!("{name}: {error}")))?;
        // No output may overwrite a part: the part would be lost if merging failed afterwards.
        files::guard_input(Some(path), "a part", &[("--csv", csv), ("--plot", plot)])?;
        tables.push((name, table));
    }
    let whole = merge(tables).map_err(Failure::wrong)?;
    if plot.is_some() {
        let axes = whole.head.axes().map_err(Failure::wrong)?;
        check_axes(&axes).map_err(|error| Failure::wrong(format!("--plot: {error}")))?;
    }
    write_sweep(&whole, csv.as_deref(), plot.as_deref())
}
