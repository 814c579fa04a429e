//! Energy that a run has gained, though nothing can have put it in: told where it is more than the time step explains.
//!
//! What motors, moving bodies, prescribed velocities, applied forces and the hand have done is known
//! (`StepReport::work`) and does not count. Beyond it, the energy may rise by
//!
//! ```text
//! 2 h |g| √(2 M T) ≥ 2 h Σ m |g·v|          M all masses, T the largest kinetic energy so far (Cauchy–Schwarz)
//! ```
//!
//! by which weights are integrated too late and corrections lift what has sunk in a step, and by the work of the
//! correction. Beyond that it comes from the method: Newton's law of restitution adds energy in impacts with friction
//! [Kane & Levinson 1985] and where contacts collide together, explicit integrators at every step. What the corrections
//! have added is told as well, as a statement. More of either than the scene can exchange by itself (`blow_up.rs`), and than
//! drivers have exchanged, is a blow-up: one account for whatever is no work of weights, springs, drivers or the hand. What
//! corrections take from errors that a scene begins with, ½ m (g/h)² where a step closes them, is its author's, and told alone.

use crate::method::{Method, Restitution};
use crate::model::World;
use crate::report::StepReport;
use crate::scene::{Beginning, Since};
use serde::Serialize;

/// A gain is told from this share of the largest kinetic energy, or of what drivers have put in and taken out, if that is more.
const TOLD: f64 = 0.1;
/// An energy of so many times the largest kinetic energy is not told as a share of it: what moves is rounding.
const COMPARABLE: f64 = 1e3;
/// Below this share of the potential energy it is rounding.
const ROUNDED: f64 = 1e-9;

/// The largest gain of energy that nothing explains.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Gain {
    /// The total energy above that of the start and what drivers have done, J.
    pub gain: f64,
    /// What of it the time step and the work of the correction do not explain, J.
    pub unexplained: f64,
    /// The time at which that was largest, s.
    pub at: f64,
}

/// Energy above that of the start that the corrections have added: told, and no fault of the run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Corrected {
    /// The total energy above that of the start, J.
    pub gain: f64,
    /// What of it the corrections have added, J: their work so far, if that is not more.
    pub added: f64,
    /// `added` as a share of the largest kinetic energy until then; absent where hardly anything has moved.
    pub share: Option<f64>,
    /// The time at which it was largest, s.
    pub at: f64,
}

/// Energy above that of the start that a coarse time step explains: told, since a smaller one gains less.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Coarse {
    /// The total energy above that of the start, J.
    pub gain: f64,
    /// What of it weights that are integrated too late may have added, J: 2 h |g| √(2 M T) at most.
    pub late: f64,
    /// The time at which it was largest, s.
    pub at: f64,
}

impl Gain {
    /// What may have added it in a run by `method`.
    pub fn explanation(method: &Method, touching: Touching) -> &'static str {
        let newton = method.contact.restitution == Restitution::Newton;
        match (touching, newton) {
            (Touching::Nothing, _) => "the correction or too coarse a step has added it",
            (Touching::Plastic, _) => {
                "the correction, which pushes apart what overlaps, or too coarse a step has added it"
            }
            (Touching::Elastic, false) => "impacts, the correction or too coarse a step have added it",
            (Touching::Elastic, true) => {
                "rebounds of rough contacts or of several at once, the correction or too coarse a step have added it"
            }
        }
    }
}

/// How bodies touch in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touching {
    /// They do not.
    Nothing,
    /// Without rebound: no body has a restitution.
    Plastic,
    /// Some rebound.
    Elastic,
}

impl Touching {
    /// In a run of `world`, whose bodies touch or not.
    pub fn of(world: &World, touches: bool) -> Self {
        match (touches, world.bodies().iter().any(|body| body.restitution > 0.0)) {
            (false, _) => Self::Nothing,
            (true, false) => Self::Plastic,
            (true, true) => Self::Elastic,
        }
    }
}

/// Looks for it, step by step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GainJudge {
    /// The work of applied forces, motors, drivers and the hand so far, J.
    driven: f64,
    /// The sum of the sizes of that work in each step.
    exchanged: f64,
    /// 2 h |g| √(2 M), √(J).
    falling: f64,
    initial: f64,
    kinetic: f64,
    work: f64,
    largest_work: f64,
    /// The largest work of the corrections of one step, J.
    work_of_a_step: f64,
    largest: Option<Gain>,
    corrected: Option<Corrected>,
    coarse: Option<Coarse>,
}

impl GainJudge {
    /// A judge of a run that begins with `world` and the figures `initial`, in steps of `h`.
    pub fn new(world: &World, initial: &StepReport, h: f64) -> Self {
        let masses = world.bodies().iter().map(|body| body.inverse_mass().x);
        let mass: f64 = masses.filter(|w| *w > 0.0).map(|w| 1.0 / w).sum();
        Self {
            driven: 0.0,
            exchanged: 0.0,
            falling: 2.0 * h * world.largest_fall() * (2.0 * mass).sqrt(),
            initial: initial.total_energy(),
            kinetic: initial.kinetic_energy,
            work: 0.0,
            largest_work: 0.0,
            work_of_a_step: 0.0,
            largest: None,
            corrected: None,
            coarse: None,
        }
    }

    /// Adds what a run that began earlier has gained until now, as far as its file knows.
    pub fn since_beginning(self, beginning: &Beginning) -> Self {
        let Some(Since { largest_kinetic, work, largest_work, driven, exchanged }) = beginning.since else {
            return self;
        };
        let kinetic = self.kinetic.max(largest_kinetic);
        Self { initial: beginning.energy, kinetic, work, largest_work, driven, exchanged, ..self }
    }

    /// What the run has come to.
    pub fn since(&self) -> Since {
        let Self { kinetic: largest_kinetic, work, largest_work, driven, exchanged, .. } = *self;
        Since { largest_kinetic, work, largest_work, driven, exchanged }
    }

    /// Takes in one step.
    pub fn add(&mut self, report: &StepReport) {
        self.kinetic = self.kinetic.max(report.kinetic_energy);
        self.work += report.correction_work;
        self.largest_work = self.largest_work.max(self.work);
        self.work_of_a_step = self.work_of_a_step.max(report.correction_work);
        let driven = report.applied_work + report.work.driven();
        self.driven += driven;
        self.exchanged += driven.abs();
        let gain = report.total_energy() - self.initial - self.driven;
        let unexplained = gain - self.largest_work - self.falling * self.kinetic.sqrt();
        let told = self.told() + ROUNDED * report.potential_energy.abs();
        // A number that overflows is a blow-up, which is told elsewhere.
        let found = unexplained > told && unexplained.is_finite();
        if found && self.largest.is_none_or(|largest| unexplained > largest.unexplained) {
            self.largest = Some(Gain { gain, unexplained, at: report.time });
        }
        let late = gain.min(self.falling * self.kinetic.sqrt());
        let found = gain > told && gain.is_finite();
        if found && self.coarse.is_none_or(|largest| gain > largest.gain) {
            self.coarse = Some(Coarse { gain, late, at: report.time });
        }
        let added = gain.min(self.work);
        let found = added > told && added.is_finite();
        if found && self.corrected.is_none_or(|largest| added > largest.added) {
            let share = Some(added / self.kinetic).filter(|share| *share <= COMPARABLE);
            self.corrected = Some(Corrected { gain, added, share, at: report.time });
        }
    }

    /// The most that the method has put in so far, from nothing or, in a run whose start `fits`, by corrections, if that is more
    /// than `scale` J and than drivers have exchanged, J.
    pub fn made_beyond(&self, scale: f64, fits: bool) -> Option<f64> {
        let from_nothing = self.largest.map_or(0.0, |gain| gain.unexplained);
        let corrected = self.corrected.filter(|_| fits).map_or(0.0, |corrected| corrected.added);
        let made = from_nothing.max(corrected);
        (made > scale.max(self.exchanged)).then_some(made)
    }

    /// The largest work of the corrections of one step, J; impacts of the same step may have taken it back.
    pub fn work_of_a_step(&self) -> f64 {
        self.work_of_a_step
    }

    /// The gain from which it is told, J.
    fn told(&self) -> f64 {
        TOLD * self.kinetic.max(self.exchanged)
    }

    /// The most that corrections have added so far.
    pub fn corrected(&self) -> Option<Corrected> {
        self.corrected
    }

    /// The largest gain so far that is more than is passed over, beside the largest kinetic energy, and neither from
    /// nothing nor by corrections alone: a coarse step explains it, with them.
    pub fn coarse(&self) -> Option<Coarse> {
        let much = |coarse: &Coarse| coarse.gain > self.told();
        self.coarse.filter(|coarse| much(coarse) && self.largest.is_none() && self.corrected.is_none())
    }

    /// The largest so far.
    pub fn largest(&self) -> Option<Gain> {
        self.largest
    }
}

/// Whether a hand acts on `world`.
pub fn is_held(world: &World) -> bool {
    world.grab().is_some() || world.repulsion().is_some()
}
