//! `driftlab-evidence corpus`: how much each method of the solver `auto` contributes, on random worlds whose steps are hard to
//! solve.

use super::parallel::in_parallel;
use super::{print, probe, write};
use crate::corpus::{FAMILIES, Family, Tallies, csv, markdown, score, variants};
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use std::path::PathBuf;
use std::time::Instant;

#[derive(Debug, Args)]
#[command(
    after_help = "A problem counts as hard if the first attempt does not solve it. Each is solved with all methods, and \
                        with each method left out in turn. \
                        Times depend on the machine and the build; the problems depend on the seed alone."
)]
pub(super) struct Arguments {
    /// Families of worlds; all if not given
    #[arg(long, value_name = "NAME", num_args = 1..)]
    families: Vec<String>,
    /// Number of worlds of each family (each family's own number if not given)
    #[arg(long, value_name = "N")]
    worlds: Option<u64>,
    /// Seed of the random worlds
    #[arg(long, value_name = "SEED", default_value = "1")]
    seed: u64,
    /// Write the table to this file, times in s
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    if let Some(path) = &arguments.csv {
        probe(path)?;
    }
    let families = chosen(&arguments.families)?;
    let variants = variants();
    let worlds = |family: &'static Family| {
        let count = arguments.worlds.unwrap_or(family.worlds);
        (0..count).map(move |index| (family, index))
    };
    let all: Vec<_> = families.iter().copied().flat_map(worlds).collect();
    let start = Instant::now();
    let clock = || start.elapsed().as_secs_f64();
    // One thread: parallel work would disturb the times.
    let scored = in_parallel("worlds", &all, None, |&(family, index)| {
        let scene = family.world(arguments.seed, index).map_err(|problems| {
            let lines = problems.iter().map(|problem| format!("{} {index}: {problem}", family.key));
            anyhow!(lines.collect::<Vec<_>>().join("\n"))
        })?;
        Ok(score(&scene, family.steps, &variants, &clock))
    })?;
    let mut sums = vec![Tallies::default(); variants.len()];
    let mut by_family = vec![Tallies::default(); families.len()];
    for ((family, _), tallies) in all.iter().zip(&scored) {
        sums.iter_mut().zip(tallies).for_each(|(sum, tallies)| sum.add(tallies));
        let place = families.iter().position(|other| other.key == family.key);
        if let (Some(place), Some(full)) = (place, tallies.first()) {
            by_family[place].add(full);
        }
    }
    let labels = || variants.iter().map(|variant| variant.label.as_str());
    let hard = labels().zip(&sums).map(|(label, sum)| ("hard", label, &sum.hard));
    let ordinary = labels().zip(&sums).map(|(label, sum)| ("ordinary", label, &sum.ordinary));
    let first = variants.first().map_or("", |variant| variant.label.as_str());
    let of_families = families.iter().zip(&by_family).map(|(family, sum)| (family.key, first, &sum.hard));
    let rows: Vec<_> = hard.chain(ordinary).collect();
    let (table, families) = (markdown(rows.iter().copied()), markdown(of_families));
    print(&format!("{table}\nThe hard problems by family:\n\n{families}"))?;
    if let Some(path) = &arguments.csv {
        let mut bytes = Vec::new();
        csv(rows, &mut bytes).with_context(|| path.display().to_string())?;
        write(path, bytes)?;
    }
    Ok(())
}

fn chosen(keys: &[String]) -> Result<Vec<&'static Family>> {
    if keys.is_empty() {
        return Ok(FAMILIES.iter().collect());
    }
    let find = |key: &String| match FAMILIES.iter().find(|family| family.key == key) {
        Some(family) => Ok(family),
        None => {
            let known: Vec<_> = FAMILIES.iter().map(|family| family.key).collect();
            bail!("--families: no family is named '{key}' (expected {})", known.join(", "))
        }
    };
    keys.iter().map(find).collect()
}
