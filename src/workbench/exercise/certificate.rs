//! Certificates: a link to a run, with the exercise that it solves, who claims it, its figures, and a digest over all of that and
//! the bits of the run.
//!
//! The digest is SHA-256, of which 128 bits are kept, in base64url. It binds name, figures and run together, so that none can be
//! replaced by hand; it is no signature, since everybody can run the program.

use super::attempt::{Attempt, bare};
use super::{Exercise, Verdict};
use crate::scene::catalogue;
use crate::workbench::link::{Claim, Link};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What the digest begins with: certificates of another form have another one.
const FORM: &str = "driftlab-certificate/1";
/// Bytes of the digest that are kept.
const KEPT: usize = 16;
/// Most characters of a name.
const MOST_NAME: usize = 80;

/// A solved exercise: what a certificate is made of, but for the name.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    exercise: String,
    task: String,
    link: Link,
    figures: Vec<f64>,
    bits: [u8; 32],
}

/// A proof as settings keep it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptProof {
    /// The run, with exercise and figures, as a link.
    pub link: String,
    /// The digest of the run's poses and velocities, base64url.
    pub bits: String,
    /// The digest of the exercise's task, as it was when the run solved it, base64url.
    pub task: String,
}

impl Proof {
    /// What an attempt that has ended proves; its figures are those of its verdict.
    pub fn of(exercise: &Exercise, attempt: &Attempt, verdict: &Verdict) -> Self {
        let figures = verdict.figures.iter().map(|figure| figure.unwrap_or(f64::MAX)).collect();
        Self {
            exercise: exercise.key.clone(),
            task: task(exercise),
            link: attempt.link().clone(),
            figures,
            bits: attempt.bits(),
        }
    }

    /// What the link of a run that is not allowed, and is therefore not made, would prove with these figures.
    pub fn without_run(exercise: &Exercise, link: &Link, figures: &[f64]) -> Self {
        let (key, figures) = (exercise.key.clone(), figures.to_vec());
        Self { exercise: key, task: task(exercise), link: bare(link), figures, bits: [0; 32] }
    }

    /// As settings keep it.
    pub fn kept(&self) -> KeptProof {
        let claim = Claim {
            exercise: Some(self.exercise.clone()),
            figures: self.figures.clone(),
            ..Claim::default()
        };
        let link = Link { claim, ..self.link.clone() }.to_string();
        KeptProof { link, bits: URL_SAFE_NO_PAD.encode(self.bits), task: self.task.clone() }
    }

    /// Reads what was kept of the exercise of that key; none if it is no proof of it. The run is not made.
    pub fn read(key: &str, kept: &KeptProof) -> Option<Self> {
        let link = Link::parse(&kept.link).ok()?;
        let exercise = link.claim.exercise.clone().filter(|own| own == key)?;
        let bits = URL_SAFE_NO_PAD.decode(&kept.bits).ok()?.try_into().ok()?;
        let (task, figures) = (kept.task.clone(), link.claim.figures.clone());
        Some(Self { exercise, task, link: bare(&link), figures, bits })
    }

    /// Whether the exercise still asks for what this proof has solved.
    pub fn is_of(&self, exercise: &Exercise) -> bool {
        self.exercise == exercise.key
            && self.figures.len() == exercise.judged.len()
            && self.task == task(exercise)
    }

    /// The figures, as the exercise lists them, each in its unit.
    pub fn figures(&self) -> &[f64] {
        &self.figures
    }

    /// The figures with their units.
    pub fn shown(&self, exercise: &Exercise) -> String {
        let pairs = exercise.judged.iter().zip(&self.figures);
        let shown = pairs.map(|(criterion, figure)| criterion.quantity.value(*figure));
        shown.collect::<Vec<_>>().join("; ")
    }

    /// The certificate in the name of a person.
    pub fn certificate(&self, by: &str) -> Link {
        let claim = Claim {
            exercise: Some(self.exercise.clone()),
            by: Some(plain(by)),
            figures: self.figures.clone(),
            digest: Some(self.digest(&plain(by))),
        };
        Link { claim, ..self.link.clone() }
    }

    /// The digest in the name of a person.
    pub fn digest(&self, by: &str) -> String {
        let mut digest = digest_of([FORM, &self.exercise, by, &self.link.to_string()]);
        for figure in &self.figures {
            digest.update(figure.to_bits().to_le_bytes());
        }
        digest.update(self.bits);
        URL_SAFE_NO_PAD.encode(&digest.finalize()[..KEPT])
    }
}

/// The digest of what an exercise asks for: its scene, its beginning, what is free, and what is judged for how long.
fn task(exercise: &Exercise) -> String {
    let Exercise { scene, stabilizer, solver, time_step, may, duration, judged, .. } = exercise;
    // Texts and numbers can always be written.
    let asked = serde_json::to_string(&(scene, stabilizer, solver, time_step, may, duration, judged));
    let text = catalogue::find(scene).map_or("", |entry| entry.text);
    URL_SAFE_NO_PAD.encode(&digest_of([text, &asked.unwrap_or_default()]).finalize()[..KEPT])
}

/// Takes in texts, each behind its length.
fn digest_of<const N: usize>(texts: [&str; N]) -> Sha256 {
    let mut digest = Sha256::new();
    for text in texts {
        digest.update((text.len() as u64).to_le_bytes());
        digest.update(text);
    }
    digest
}

/// A name in one line, without signs that nobody sees.
pub(crate) fn plain(name: &str) -> String {
    let words = name.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").chars().take(MOST_NAME).collect()
}
