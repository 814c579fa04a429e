//! `driftlab corpus`: how much each method of the solver `auto` contributes, on random worlds whose steps are hard to solve.

use super::arguments::CorpusArguments;
use super::failure::Failure;
use super::files::{self, any_standard};
use super::output::tell;
use super::parallel::in_parallel;
use crate::experiment::corpus::{FAMILIES, Family, Tallies, csv, markdown, score, variants};
use std::time::Instant;

/// Runs the command.
pub(super) fn run(arguments: &CorpusArguments) -> Result<(), Failure> {
    if let Some(path) = &arguments.csv {
        files::probe(path).map_err(|error| Failure::file(path, &error))?;
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
            Failure::Wrong(
                problems.iter().map(|problem| format!("{} {index}: {problem}", family.key)).collect(),
            )
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
    let standard = any_standard(&[("--csv", &arguments.csv)]);
    tell(&format!("{table}\nThe hard problems by family:\n\n{families}"), standard)?;
    if let Some(path) = &arguments.csv {
        files::replace(path, |file| csv(rows, &mut *file).map_err(|error| Failure::csv(path, &error)))?;
    }
    Ok(())
}

fn chosen(keys: &[String]) -> Result<Vec<&'static Family>, Failure> {
    if keys.is_empty() {
        return Ok(FAMILIES.iter().collect());
    }
    let find = |key: &String| {
        FAMILIES.iter().find(|family| family.key == key).ok_or_else(|| {
            let known: Vec<_> = FAMILIES.iter().map(|family| family.key).collect();
            Failure::wrong(format!(
                "--families: no family is named '{key}' (expected {})",
                known.join(", ")
            ))
        })
    };
    keys.iter().map(find).collect()
}
