//! `driftlab schema`: the JSON Schema of scene files, or of a recording's lines, by which an editor completes and checks them.

use super::arguments::SchemaArguments;
use super::failure::Failure;
use super::output::print_json;
use crate::scene::schema;
use driftlab_probe::format::{FORMAT, Header, Step};
use schemars::SchemaGenerator;
use serde_json::{Value, json};

/// Prints it.
pub(super) fn run(arguments: &SchemaArguments) -> Result<(), Failure> {
    Ok(print_json(&if arguments.recording { of_lines() } else { schema() })?)
}

/// The schema of a recording's line: the first one, or a step.
fn of_lines() -> Value {
    let mut generator = SchemaGenerator::default();
    let lines = [generator.subschema_for::<Header>(), generator.subschema_for::<Step>()];
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("a line of a driftlab recording, {FORMAT}"),
        "oneOf": lines,
        "$defs": generator.take_definitions(true),
    })
}
