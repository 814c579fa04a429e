//! An attempt: the run of a link made anew from the scene's start, step by step, with its figures and the digest of its bits.

use super::tally::Tally;
use super::threshold::{parameter_of, threshold};
use super::{Criterion, Exercise, Quantity, allowed};
use crate::experiment::{Bounds, Run, reason};
use crate::model::World;
use crate::workbench::link::{Link, Opened};
use sha2::{Digest, Sha256};

/// Most steps of an attempt.
const MOST_STEPS: f64 = 200_000.0;

/// Most rows times iterations of an attempt: whoever marks is not kept waiting by a certificate.
const MOST_COST: f64 = 1e9;

/// How an attempt has ended.
#[derive(Clone, Debug, PartialEq)]
enum End {
    /// With the last step.
    Whole,
    /// Because the run blew up, or a step could not be made; why.
    Broken(String),
}

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
        add(&mut bits, judged.run.world());
        Ok(Self { link, opened, judged, bits })
    }

    /// Makes a step, unless it has ended; whether it goes on.
    pub fn advance(&mut self) -> bool {
        if self.judged.advance() {
            add(&mut self.bits, self.judged.run.world());
        }
        self.judged.end.is_none()
    }

    /// Makes all its steps.
    pub fn finish(&mut self) {
        while self.advance() {}
    }

    /// Number of bodies.
    pub fn bodies(&self) -> usize {
        self.judged.run.world().bodies().len().max(1)
    }

    /// Steps made.
    pub fn made(&self) -> u64 {
        self.judged.made
    }

    /// Whether it has ended.
    pub fn is_over(&self) -> bool {
        self.judged.end.is_some()
    }

    /// The figures so far, as the exercise lists them; none for those that stand at the end alone.
    pub fn figures(&self, exercise: &Exercise) -> Vec<Option<f64>> {
        exercise.judged.iter().map(|criterion| self.judged.figure(&criterion.quantity)).collect()
    }

    /// What it comes to, once it has ended.
    pub fn verdict(&self, exercise: &Exercise) -> Verdict {
        let mut missed = Vec::new();
        let of_thresholds = |own: &Criterion| matches!(own.quantity, Quantity::Threshold { .. });
        if let Some(End::Broken(why)) = self.judged.end.as_ref()
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

/// A run on the way to its end, and its figures.
pub(super) struct JudgedRun {
    run: Run,
    tally: Tally,
    bounds: Bounds,
    steps: u64,
    made: u64,
    end: Option<End>,
}

impl JudgedRun {
    /// The run of what a link opens, for so long, s.
    pub(super) fn new(opened: &Opened, duration: f64) -> Result<Self, String> {
        let (method, h) = &opened.main;
        let steps = (duration / h).round();
        if steps > MOST_STEPS {
            return Err(format!("more than {MOST_STEPS} steps of {h} s"));
        }
        let mut scene = opened.scene.clone();
        scene.settings.time_step = *h;
        let run = Run::under(&scene, method.clone(), steps as u64);
        let (tally, bounds) = (Tally::new(&run, steps as u64), Bounds::of(&scene, run.initial(), false));
        Ok(Self { run, tally, bounds, steps: steps as u64, made: 0, end: None })
    }

    /// Makes a step, unless the run has ended; whether one was made.
    fn advance(&mut self) -> bool {
        if self.end.is_some() {
            return false;
        }
        match self.run.advance() {
            Ok(report) => {
                self.made += 1;
                self.tally.add(&report, self.run.world());
                if let Some(blown) = self.bounds.judge(&report) {
                    self.end = Some(End::Broken(format!("the run has {blown}")));
                } else if self.tally.cost() > MOST_COST {
                    self.end = Some(End::Broken(format!("more than {MOST_COST:e} rows × iterations")));
                } else if self.made >= self.steps {
                    self.end = Some(End::Whole);
                }
                true
            }
            Err(error) => {
                let why = reason(&error, self.run.world());
                self.end = Some(End::Broken(format!("step {} cannot be made: {why}", self.made + 1)));
                false
            }
        }
    }

    fn figure(&self, quantity: &Quantity) -> Option<f64> {
        self.tally.of(quantity, self.run.world())
    }

    /// Makes all steps; whether the run came to its end with what `holds`.
    pub(super) fn holds(mut self, holds: Option<&Criterion>) -> bool {
        while self.advance() {}
        let fits = |own: &Criterion| self.figure(&own.quantity).is_some_and(|x| own.limits.hold(x));
        self.end == Some(End::Whole) && holds.is_none_or(fits)
    }
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
