//! An attempt: the run of a link made anew from the scene's start, step by step, with its figures and the digest of its bits.

use super::judged_run::{End, JudgedRun};
use super::threshold::{parameter_of, threshold};
use super::{Criterion, Exercise, Quantity, allowed};
use crate::model::World;
use crate::workbench::link::{Link, Opened};
use sha2::{Digest, Sha256};

/// An attempt under way.
pub struct Attempt {
    link: Link,
    opened: Opened,
    judged: JudgedRun,
    bits: Sha256,
}

/// What an attempt comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The figures, as the exercise lists them, each in its unit; none where a run that broke tells none.
    pub figures: Vec<Option<f64>>,
    /// Why it is not passed; none if it is.
    pub missed: Option<String>,
}

impl Attempt {
    /// Begins with the run of a link, of which scene, method and time step count.
    ///
    /// # Errors
    /// What is wrong with the link, or what has been changed that the exercise does not leave free.
    pub fn begin(exercise: &Exercise, link: &Link) -> Result<Self, String> {
        let link = bare(link);
        let opened = allowed::open(exercise, &link)?;
        let judged = JudgedRun::new(&opened, exercise.duration)?;
        let mut bits = Sha256::new();
        add(&mut bits, judged.world());
        Ok(Self { link, opened, judged, bits })
    }

    /// Makes a step, unless it has ended; whether it goes on.
    pub fn advance(&mut self) -> bool {
        if self.judged.advance() {
            add(&mut self.bits, self.judged.world());
        }
        self.judged.end().is_none()
    }

    /// Makes all its steps.
    pub fn finish(&mut self) {
        while self.advance() {}
    }

    /// Number of bodies.
    pub fn bodies(&self) -> usize {
        self.judged.world().bodies().len().max(1)
    }

    /// Steps made.
    pub fn made(&self) -> u64 {
        self.judged.made()
    }

    /// Whether it has ended.
    pub fn is_over(&self) -> bool {
        self.judged.end().is_some()
    }

    /// The figures so far, as the exercise lists them; none for those that stand at the end alone.
    pub fn figures(&self, exercise: &Exercise) -> Vec<Option<f64>> {
        exercise.judged.iter().map(|criterion| self.judged.figure(&criterion.quantity)).collect()
    }

    /// What it comes to, once it has ended.
    pub fn verdict(&self, exercise: &Exercise) -> Verdict {
        let mut missed = Vec::new();
        let of_thresholds = |own: &Criterion| matches!(own.quantity, Quantity::Threshold { .. });
        if let Some(End::Broken(why)) = self.judged.end()
            && !exercise.judged.iter().all(of_thresholds)
        {
            missed.push(why.clone());
        }
        let mut figures = Vec::new();
        for criterion in &exercise.judged {
            let figure = match &criterion.quantity {
                Quantity::Threshold { of, between, holds } => {
                    self.off(exercise, of, *between, holds.as_deref())
                }
                quantity => self.judged.figure(quantity).ok_or_else(|| "not reached".to_owned()),
            };
            let name = criterion.quantity.words();
            match &figure {
                Err(why) => missed.push(format!("{name}: {why}")),
                Ok(figure) if !criterion.limits.hold(*figure) => {
                    let value = criterion.quantity.value(*figure);
                    missed.push(format!("{name}: {value}, {} is wanted", criterion.wanted()));
                }
                Ok(_) => {}
            }
            figures.push(figure.ok());
        }
        Verdict { figures, missed: (!missed.is_empty()).then(|| missed.join("; ")) }
    }

    /// By which share the run's parameter is off the threshold.
    fn off(
        &self,
        exercise: &Exercise,
        of: &str,
        between: [f64; 2],
        holds: Option<&Criterion>,
    ) -> Result<f64, String> {
        let own = parameter_of(&self.opened, of)?;
        let wanted = threshold(&self.opened, exercise.duration, of, between, holds)?;
        Ok((own / wanted - 1.0).abs())
    }

    /// The link of the run, without anything that is only shown.
    pub(super) fn link(&self) -> &Link {
        &self.link
    }

    /// The digest of all poses and velocities from the start on.
    pub(super) fn bits(&self) -> [u8; 32] {
        self.bits.clone().finalize().into()
    }
}

/// A link with nothing but the run itself in it: scene, method, time step.
pub(super) fn bare(link: &Link) -> Link {
    let Link { subject, main, solver, effort, .. } = link.clone();
    Link { subject, main, solver, effort, ..Link::default() }
}

/// Takes the poses and velocities of all bodies into a digest.
fn add(bits: &mut Sha256, world: &World) {
    for body in world.bodies() {
        let (pose, velocity) = (body.pose, body.velocity);
        let [at, speed] = [pose.position, velocity.linear];
        for number in [at.x, at.y, pose.angle, speed.x, speed.y, velocity.angular] {
            bits.update(number.to_bits().to_le_bytes());
        }
    }
}
