//! Marking: the certificates of a class, each of which is computed anew.

use super::tours::{Tour, exercise};
use crate::workbench::exercise::{Attempt, Exercise, Proof};
use crate::workbench::link::{Claim, Link};

/// What comes of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The run is that of the certificate, to the bit, and solves the exercise.
    Passed,
    /// The run is that of the certificate, and does not solve the exercise.
    Failed,
    /// The certificate is not what a run of this exercise, in this name, with these figures, has.
    Forged,
    /// The text is no certificate, or one of an exercise that is not known.
    Unreadable,
}

impl Mark {
    /// As a table says it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Forged => "forged",
            Self::Unreadable => "unreadable",
        }
    }
}

/// A certificate that has been marked; what could not be read is empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Marked {
    /// Who claims it.
    pub by: String,
    /// Number and name of the chapter.
    pub chapter: String,
    /// Key of the exercise.
    pub exercise: String,
    /// What comes of it.
    pub mark: Mark,
    /// The figures of the run as it was computed anew, with their units.
    pub figures: String,
    /// Why it is not passed.
    pub reason: String,
}

/// Marks a certificate.
pub fn mark(tours: &[Tour], text: &str) -> Marked {
    let unreadable = |claim: &Claim, reason: String| Marked {
        by: claim.by.clone().unwrap_or_default(),
        chapter: String::new(),
        exercise: claim.exercise.clone().unwrap_or_default(),
        mark: Mark::Unreadable,
        figures: String::new(),
        reason,
    };
    let link = match Link::parse(text) {
        Ok(link) => link,
        Err(problems) => return unreadable(&Claim::default(), problems.join("; ")),
    };
    let Claim { exercise: Some(key), by: Some(by), figures, digest: Some(digest) } = &link.claim else {
        let lacks = [
            (link.claim.exercise.is_none(), "exercise"),
            (link.claim.by.is_none(), "by"),
            (link.claim.digest.is_none(), "digest"),
        ];
        let lacks: Vec<&str> = lacks.iter().filter(|(lacks, _)| *lacks).map(|(_, key)| *key).collect();
        return unreadable(&link.claim, format!("no certificate: it has no {}", lacks.join(", no ")));
    };
    let marked = |chapter: String, mark: Mark, figures: String, reason: String| Marked {
        by: by.clone(),
        chapter,
        exercise: key.clone(),
        mark,
        figures,
        reason,
    };
    let Some((tour, _, exercise)) = exercise(tours, key) else {
        let why = format!(
            "no exercise is called '{key}' (--tours FOLDER names the folder of the tours that it belongs to)"
        );
        return unreadable(&link.claim, why);
    };
    let chapter = format!("{}. {}", tour + 1, tours[tour].name);
    let (proof, verdict) = match judge(exercise, &link) {
        Ok(judged) => judged,
        // What is not allowed is not run: its certificate can only have been made by hand.
        Err(why) => {
            let honest = Proof::without_run(exercise, &link, figures).digest(by) == *digest;
            let mark = if honest { Mark::Failed } else { Mark::Forged };
            return marked(chapter, mark, String::new(), why);
        }
    };
    let shown = proof.shown(exercise);
    let claimed = figures.iter().map(|figure| figure.to_bits());
    if !claimed.eq(proof.figures().iter().map(|figure| figure.to_bits())) {
        let why = "the figures of this run are others: they, the exercise or the run were changed, or another version computed it";
        return marked(chapter, Mark::Forged, shown, why.to_owned());
    }
    if proof.digest(by) != *digest {
        let why =
            "the digest is another: name, exercise or run were changed, or another version computed it";
        return marked(chapter, Mark::Forged, shown, why.to_owned());
    }
    match verdict {
        None => marked(chapter, Mark::Passed, shown, String::new()),
        Some(missed) => marked(chapter, Mark::Failed, shown, missed),
    }
}

/// Judges the run of a link as an attempt at an exercise: what it proves, and why it is not passed, if so.
///
/// # Errors
/// What is wrong with the link, or what has been changed that the exercise does not leave free.
pub fn judge(exercise: &Exercise, link: &Link) -> Result<(Proof, Option<String>), String> {
    let mut attempt = Attempt::begin(exercise, link)?;
    attempt.finish();
    let verdict = attempt.verdict(exercise);
    Ok((Proof::of(exercise, &attempt, &verdict), verdict.missed))
}
