//! `driftlab schema`: the JSON Schema of scene files, by which an editor completes and checks them.

use super::failure::Failure;
use super::output::print_json;
use crate::scene::schema;

/// Prints it.
pub(super) fn run() -> Result<(), Failure> {
    Ok(print_json(&schema())?)
}
