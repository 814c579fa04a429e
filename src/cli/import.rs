//! `driftlab import` and `driftlab export`: scenes of other programs, read and written.

use super::arguments::{ExportArguments, ImportArguments};
use super::failure::Failure;
use super::files::{guard, guard_input, write};
use super::open;
use super::output::tell;
use crate::files::{STANDARD, is_standard, read_bytes};
use crate::import::{self, Imported, MOST_BYTES};
use crate::scene::{Problem, shown};
use std::path::Path;

/// Converts another program's file to a scene.
pub(super) fn import(arguments: &ImportArguments) -> Result<(), Failure> {
    let ImportArguments { file, out, from, strict } = arguments;
    guard_input(Some(file), "the file", &[("--out", out)])?;
    let name = file.display().to_string();
    let bytes = read_bytes(file, MOST_BYTES).map_err(|error| Failure::file(file, &error))?;
    let imported = import::import(&bytes, *from).map_err(|problems| lines(&name, &problems))?;
    let Imported { scene, text, left_out, .. } = imported;
    if *strict && !left_out.is_empty() {
        return Err(lines(&name, &left_out));
    }
    let mut told: String =
        left_out.iter().map(|problem| format!("{}: {problem}\n", shown(&name))).collect();
    let world = &scene.world;
    told.push_str(&format!(
        "{}: {}, {}, {}; {} left out or otherwise\n",
        shown(&name),
        count(world.bodies().len(), "body", "bodies"),
        count(world.joints().len(), "joint", "joints"),
        count(world.springs().len(), "spring", "springs"),
        count(left_out.len(), "thing", "things"),
    ));
    finish(out.as_deref(), &text, &told)
}

/// Converts a scene to MJCF.
pub(super) fn export(arguments: &ExportArguments) -> Result<(), Failure> {
    let ExportArguments { scene: name, out, strict } = arguments;
    let source = open::open(name)?;
    guard(&source, &[("--out", out)])?;
    let exported = import::export(&source.parse()?);
    if *strict && !exported.left_out.is_empty() {
        return Err(lines(name, &exported.left_out));
    }
    let told: String =
        exported.left_out.iter().map(|problem| format!("{}: {problem}\n", shown(name))).collect();
    finish(out.as_deref(), &exported.text, &told)
}

/// Writes the text, and tells the rest where the text does not go.
fn finish(out: Option<&Path>, text: &str, told: &str) -> Result<(), Failure> {
    let path = out.unwrap_or(Path::new(STANDARD));
    write(path, text.as_bytes())?;
    Ok(tell(told, is_standard(path))?)
}

fn lines(name: &str, problems: &[Problem]) -> Failure {
    Failure::Wrong(problems.iter().map(|problem| format!("{name}: {problem}")).collect())
}

fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
