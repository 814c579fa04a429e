//! The exercise that is being tried: the run of the window is made once more beside it, by the one judge that marking has, too,
//! so that what is shown and what is certified are one.

use super::{Model, Request};
use crate::scene::{Scene, catalogue};
use crate::workbench::exercise::{Attempt, Exercise, Proof, Verdict, plain};
use crate::workbench::library::tours::{self, Tour};
use crate::workbench::link::{Link, Stepped, Subject, solver_text};
use crate::workbench::settings::{Settings, Tried};
use std::collections::BTreeMap;

/// Steps of a frame at most, times the bodies that are moved.
const MOST_OF_FRAME: usize = 2000;
/// Tries after which the hint is given.
const BEFORE_HINT: u32 = 2;

/// What a person has done about the exercises.
#[derive(Default)]
pub struct Exercises {
    /// In whose name certificates are.
    pub name: String,
    standings: BTreeMap<String, Standing>,
    followed: Followed,
}

/// How an exercise stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    /// Runs that were judged.
    pub tries: u32,
    /// What the last one came to.
    pub verdict: Option<Verdict>,
    /// The proof that it is solved.
    proof: Option<Proof>,
}

impl Standing {
    /// Whether it is solved.
    pub fn is_passed(&self) -> bool {
        self.proof.is_some()
    }

    /// Whether the hint is given.
    pub fn needs_hint(&self) -> bool {
        self.tries >= BEFORE_HINT && !self.is_passed()
    }
}

/// The present try.
#[derive(Default)]
enum Followed {
    /// The run has not begun, or it was touched.
    #[default]
    Not,
    /// It is none, since something was changed that is not free.
    Refused(String),
    /// It is under way, or judged.
    Going(Box<Attempt>),
}

/// What is to be said of the present try.
#[derive(Clone, Debug, PartialEq)]
pub enum Trying {
    /// The run waits at its start.
    Waits,
    /// The run was touched on the way: only one from the start, left alone, is judged.
    Touched,
    /// Something was changed that is not free.
    Refused(String),
    /// The figures so far, as the exercise lists them.
    Figures(Vec<Option<f64>>),
    /// It is judged.
    Judged,
}

impl Exercises {
    /// How an exercise stands.
    pub fn standing(&self, key: &str) -> &Standing {
        static UNTRIED: Standing = Standing { tries: 0, verdict: None, proof: None };
        self.standings.get(key).unwrap_or(&UNTRIED)
    }

    /// What is to be remembered of each.
    pub(super) fn tried(&self) -> BTreeMap<String, Tried> {
        let tried = |(key, own): (&String, &Standing)| {
            (key.clone(), Tried { tries: own.tries, passed: own.proof.as_ref().map(Proof::kept) })
        };
        self.standings.iter().map(tried).collect()
    }

    /// Takes in what is remembered, beside what is known. Returns the keys of the exercises whose proof is none, or was one
    /// of another task; what belongs to tours that are not there is kept.
    pub fn take_in(&mut self, settings: &Settings, all: &[Tour]) -> Vec<String> {
        let mut dropped = Vec::new();
        for (key, tried) in &settings.exercises {
            let fits = |proof: &Proof| tours::exercise(all, key).is_none_or(|(_, _, own)| proof.is_of(own));
            let proof = tried.passed.as_ref().and_then(|kept| Proof::read(key, kept)).filter(fits);
            if tried.passed.is_some() && proof.is_none() {
                dropped.push(key.clone());
            }
            let standing = self.standings.entry(key.clone()).or_default();
            standing.tries = standing.tries.max(tried.tries);
            standing.proof = standing.proof.take().or(proof);
        }
        dropped
    }

    /// Follows the window's run up to that many steps from its start.
    fn follow(&mut self, exercise: &Exercise, reached: u64) {
        let Followed::Going(attempt) = &mut self.followed else { return };
        if attempt.is_over() {
            return;
        }
        let most = MOST_OF_FRAME.div_ceil(attempt.bodies());
        let mut left = most;
        while left > 0 && attempt.made() < reached && attempt.advance() {
            left -= 1;
        }
        if attempt.is_over() {
            let verdict = attempt.verdict(exercise);
            let standing = self.standings.entry(exercise.key.clone()).or_default();
            standing.tries += 1;
            if verdict.missed.is_none() {
                standing.proof = Some(Proof::of(exercise, attempt, &verdict));
            }
            standing.verdict = Some(verdict);
        }
    }
}

impl Model {
    /// Follows the run of the exercise that is being tried.
    pub(crate) fn watch_exercise(&mut self) {
        let begun = self.run().world().steps().saturating_sub(self.run().scene.world.steps());
        if self.library.exercise().is_none() || begun == 0 || self.run().is_touched() {
            self.exercises.followed = Followed::Not;
            return;
        }
        if matches!(self.exercises.followed, Followed::Not) {
            let link = self.attempted();
            let Some(exercise) = self.library.exercise() else { return };
            self.exercises.followed = match Attempt::begin(exercise, &link) {
                Ok(attempt) => Followed::Going(Box::new(attempt)),
                Err(why) => Followed::Refused(why),
            };
        }
        // The judge sees a run that blows up to its end; the window stops before that.
        let reached = if self.run().failure().is_some() { u64::MAX } else { begun };
        if let Some(exercise) = self.library.exercise() {
            self.exercises.follow(exercise, reached);
        }
    }

    /// Whether the judge has yet to see steps of the present run.
    pub(super) fn is_being_judged(&self) -> bool {
        let Followed::Going(attempt) = &self.exercises.followed else { return false };
        let begun = self.run().world().steps().saturating_sub(self.run().scene.world.steps());
        !attempt.is_over() && (attempt.made() < begun || self.run().failure().is_some())
    }

    /// What is to be said of the present try of an exercise.
    pub fn trying(&self, exercise: &Exercise) -> Trying {
        match &self.exercises.followed {
            Followed::Not if self.run().is_touched() => Trying::Touched,
            Followed::Not => Trying::Waits,
            Followed::Refused(why) => Trying::Refused(why.clone()),
            Followed::Going(attempt) if attempt.is_over() => Trying::Judged,
            Followed::Going(attempt) => Trying::Figures(attempt.figures(exercise)),
        }
    }

    /// The main run from its start, as a link.
    fn attempted(&self) -> Link {
        let run = self.run();
        let (method, h) = (run.method(), run.time_step());
        let shipped = catalogue::find(&self.files.title).filter(|entry| {
            let own = |scene: Scene| scene == run.scene && method.contact == scene.settings.method.contact;
            entry.scene().is_ok_and(own)
        });
        let subject = shipped.map(|entry| Subject::Shipped(entry.key.to_owned()));
        let subject = subject.unwrap_or_else(|| {
            let mut scene = run.scene.clone();
            scene.window = None;
            scene.settings.method.contact = method.contact;
            Subject::File(scene.to_json())
        });
        let base = &run.scene.settings;
        Link {
            subject: Some(subject),
            main: Stepped::of(method, h, &base.method, base.time_step, false),
            solver: (method.solver != base.method.solver).then(|| solver_text(&method.solver)),
            effort: (method.effort != run.first_effort()).then_some(method.effort),
            ..Link::default()
        }
    }

    /// In whose name certificates are from now on.
    pub(crate) fn sign_as(&mut self, name: &str) {
        self.exercises.name = name.to_owned();
    }

    /// The certificate of the present exercise, if it is solved and a name is given.
    pub fn certificate(&self) -> Option<String> {
        let proof = self.exercises.standing(&self.library.exercise()?.key).proof.as_ref()?;
        let name = plain(&self.exercises.name);
        let base = self.page().split('#').next().unwrap_or_default();
        (!name.is_empty()).then(|| format!("{base}{}", proof.certificate(&name)))
    }

    /// Puts it into the clipboard.
    pub(crate) fn copy_certificate(&mut self) {
        match self.certificate() {
            Some(address) => {
                self.say("Certificate copied: hand in this link".to_owned());
                self.news.requests.push(Request::Copy(address));
            }
            None => self.say("A certificate needs a solved exercise and a name".to_owned()),
        }
    }

    /// Opens an exercise, whatever is present.
    pub(super) fn open_exercise(&mut self, key: &str) -> Result<(), String> {
        let found = tours::exercise(&self.library.tours, key);
        let (tour, place, _) =
            found.ok_or_else(|| format!("exercise = '{key}': no exercise is called so"))?;
        self.take_tour(tour, place);
        Ok(())
    }
}
