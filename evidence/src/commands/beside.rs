//! `driftlab-evidence beside`: engines and ours on the same scenes, by one yardstick.

use super::{begin, print, write};
use crate::beside::{self, MAKERS, SCENES};
use anyhow::Result;
use clap::Args;
use std::fs::{self, File};
use std::path::PathBuf;
use std::time::Instant;

/// The page.
const PAGE: &str = "beside.md";
/// What the names of other programs' recordings begin with.
const PROGRAMS: [&str; 2] = ["mujoco", "drake"];
/// What other programs' recordings have given.
const RECORDED: &str = "recorded.csv";

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Folder for the page beside.md, created if missing, in place of printing it
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Judges the recordings of evidence/beside/record.py and record_drake.py in the folder, and writes their figures there
    /// as recorded.csv
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "only"])]
    judge: Option<PathBuf>,
    /// Scenes of the table, in place of all
    #[arg(long, value_name = "SCENE", num_args = 1..)]
    only: Vec<String>,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    if let Some(folder) = &arguments.judge {
        let rows = beside::judge(&|scene| {
            let paths = PROGRAMS.map(|program| folder.join(format!("{program}-{scene}.jsonl")));
            let open = |path: PathBuf| match File::open(&path) {
                Ok(file) => Ok(Box::new(file) as _),
                Err(error) => Err(format!("{}: {error}", path.display())),
            };
            paths.into_iter().filter(|path| path.exists()).map(open).collect()
        })?;
        return write(&folder.join(RECORDED), rows);
    }
    let page = arguments.out.as_ref().map(|folder| begin(folder, PAGE)).transpose()?;
    let wanted = |name: &str| arguments.only.is_empty() || arguments.only.iter().any(|own| own == name);
    if let Some(unknown) = arguments.only.iter().find(|own| SCENES.iter().all(|(name, _)| name != own)) {
        let names: Vec<_> = SCENES.iter().map(|(name, _)| *name).collect();
        anyhow::bail!("--only: {unknown} is no scene of the table (expected {})", names.join(", "));
    }
    let begun = Instant::now();
    let mut rows = Vec::new();
    // One after the other: their steps are timed.
    for (place, _) in SCENES.iter().enumerate().filter(|(_, (name, _))| wanted(name)) {
        for maker in &MAKERS {
            rows.push(beside::run(place, maker, &|| begun.elapsed().as_secs_f64())?);
        }
        rows.extend(beside::recorded()?.into_iter().filter(|row| row.scene == place));
    }
    let mut text = beside::markdown(&rows, &beside::settings()?, &machine());
    if arguments.only.is_empty() {
        text += &beside::imitations(&beside::all_imitations()?);
        text += &beside::section(&beside::predictions()?);
    }
    match page {
        Some(page) => write(&page, text),
        None => print(&text),
    }
}

/// The processor, as Linux names it, or what is known elsewhere.
fn machine() -> String {
    let told = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = told.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let name = name.map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{name}, {cores} processors, {}.", std::env::consts::OS)
}
