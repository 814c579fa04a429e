//! `driftlab-evidence creep`: a box on a slope under every scheme, as a page with its picture.

use super::{begin, print, write};
use crate::creep::{compute, markdown, picture};
use anyhow::{Context, Result};
use clap::Args;
use driftlab::figure::canvas::Format;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Folder for the page and its picture, created if missing
    #[arg(long, value_name = "DIR", default_value = "creep")]
    out: PathBuf,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let out = &arguments.out;
    let page = begin(out, "creep.md")?;
    let lines = compute().context("creep")?;
    write(&out.join("creep.svg"), picture(&lines, Format::Svg)?)?;
    let text = markdown(&lines);
    write(&page, &text)?;
    print(&text)
}
