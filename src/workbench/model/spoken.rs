//! What is said to a person who does not see the picture: a sentence for each thing that may change.

use super::Model;
use crate::numbers::{length, significant};

/// Digits of a time.
const DIGITS: usize = 4;

/// The sentences of a state, in the order in which they are spoken; an empty one has nothing to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentences([String; 6]);

impl Sentences {
    /// Those that differ from the ones before, in one text.
    pub fn since(&self, before: &Self) -> String {
        let pairs = self.0.iter().zip(&before.0);
        let news =
            pairs.filter(|(now, before)| now != before && !now.is_empty()).map(|(now, _)| now.as_str());
        news.collect::<Vec<_>>().join(" ")
    }
}

impl Model {
    /// What is to be said of the present state: what was refused, a short message, the step or exercise of a tour and what became
    /// of it, the scheme, and what the run does. While time runs no number is said.
    pub fn spoken(&self) -> Sentences {
        let refusal = self.news.refusal.as_ref().map(|refusal| {
            format!(
                "{} {}: {}. {}",
                refusal.heading,
                refusal.title,
                refusal.problems.join("; "),
                refusal.unchanged
            )
        });
        let toast = self.news.toast.as_ref().map(|toast| toast.text.clone());
        let scheme = format!("{}: {}.", self.files.title, self.edited().method().stabilizer.info().name);
        let [asked, became] = self.spoken_of_tour();
        Sentences([
            refusal.unwrap_or_default(),
            toast.unwrap_or_default(),
            asked,
            became,
            scheme,
            self.spoken_of_run(),
        ])
    }

    /// What a tour asks for, and what has become of it.
    fn spoken_of_tour(&self) -> [String; 2] {
        if let Some(exercise) = self.library.exercise() {
            let standing = self.exercises.standing(&exercise.key);
            let became = match &standing.verdict {
                None => String::new(),
                Some(verdict) => match &verdict.missed {
                    None => "Passed.".to_owned(),
                    Some(why) => format!("Try {}: {why}.", standing.tries),
                },
            };
            return [exercise.text.clone(), became];
        }
        let Some(step) = self.library.tour_step() else { return Default::default() };
        let ask = step.ask.as_ref();
        let asked = ask.map_or_else(|| step.text.clone(), |ask| format!("{} {}", step.text, ask.text));
        let is_done = self.library.progress.is_some_and(|progress| progress.done);
        [asked, ask.filter(|_| is_done).map_or_else(String::new, |ask| format!("Done. {}", ask.seen))]
    }

    /// What the main run does; where it stands, its errors.
    fn spoken_of_run(&self) -> String {
        let run = self.run();
        if let Some(failure) = run.failure() {
            return format!("{}: {}", failure.heading, failure.text);
        }
        if self.runs.player.playing {
            return "It runs.".to_owned();
        }
        let report = run.report();
        format!(
            "It stands at {} s; joints are {} open, contacts overlap by {}.",
            significant(run.world().time(), DIGITS),
            length(report.joint_error),
            length(report.contact_error)
        )
    }
}
