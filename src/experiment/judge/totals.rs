//! What is gathered over a run: the figures of the whole, of each joint, and of each pair of bodies that touch.

use super::contacts::Touched;
use super::figures::StepFigures;
use super::tally::{Extreme, Tally, When};
use crate::experiment::units::larger;
use serde::Serialize;
use std::collections::BTreeMap;

/// What is told of one joint over a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JointFigures {
    /// Its number in the recording.
    pub joint: usize,
    /// Its kind, as scenes name it.
    pub kind: String,
    /// The names of its bodies, or their numbers.
    pub bodies: [String; 2],
    /// Its error, m; none where it has no row in m.
    pub linear: Option<Extreme>,
    /// Its error, rad.
    pub angular: Option<Extreme>,
    /// Its rate, m/s.
    pub linear_rate: Option<Extreme>,
    /// Its rate, rad/s.
    pub angular_rate: Option<Extreme>,
    /// The difference of the engine's own reading and ours, m.
    pub linear_difference: Option<Extreme>,
    /// Likewise of angles, rad.
    pub angular_difference: Option<Extreme>,
    /// The violation of its limits, m or rad.
    pub limit: Option<Extreme>,
    /// The length by which its error is a share: the largest distance of an anchor from the centre of mass of a body that
    /// moves, or the length of a rod, m.
    pub length: Option<f64>,
}

/// What is told of two bodies that touch over a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairFigures {
    /// The names of the bodies, or their numbers.
    pub bodies: [String; 2],
    /// In how many steps a contact of theirs pushed.
    pub steps: u64,
    /// Their overlap where our own detection finds one, m.
    pub penetration: Option<Extreme>,
    /// The smallest normal impulse, N s.
    pub least_normal: Option<f64>,
    /// |p_t| − μ p_n where that is positive, else 0, N s.
    pub beyond_cone: Option<Extreme>,
    /// |p_n w|, J.
    pub complementarity: Option<Extreme>,
    /// Sliding speed while it should stick, m/s.
    pub creep: Option<Extreme>,
    /// How many contacts of theirs our own detection does not find.
    pub unseen: u64,
    /// The first step in which it did not.
    pub unseen_from: Option<u64>,
}

/// Figures of a joint in the making.
#[derive(Clone, Debug, Default)]
pub(super) struct JointTotals {
    pub kind: String,
    pub bodies: [String; 2],
    pub linear: Tally,
    pub angular: Tally,
    pub rates: [Tally; 2],
    pub differences: [Tally; 2],
    pub limit: Tally,
    pub length: Option<f64>,
}

impl JointTotals {
    pub fn figures(&self, joint: usize) -> JointFigures {
        JointFigures {
            joint,
            kind: self.kind.clone(),
            bodies: self.bodies.clone(),
            linear: self.linear.extreme(),
            angular: self.angular.extreme(),
            linear_rate: self.rates[0].extreme(),
            angular_rate: self.rates[1].extreme(),
            linear_difference: self.differences[0].extreme(),
            angular_difference: self.differences[1].extreme(),
            limit: self.limit.extreme(),
            length: self.length,
        }
    }
}

/// Figures of two bodies that touch in the making.
#[derive(Clone, Debug, Default)]
pub(super) struct PairTotals {
    bodies: [String; 2],
    steps: u64,
    last_step: u64,
    pub penetration: Tally,
    least: Option<f64>,
    cone: Tally,
    product: Tally,
    creep: Tally,
    unseen: u64,
    unseen_from: Option<u64>,
}

impl PairTotals {
    /// Two bodies of these names, which have not touched yet.
    pub fn of(bodies: [String; 2]) -> Self {
        Self { bodies, ..Self::default() }
    }

    /// Takes a contact of the two in.
    pub fn add(&mut self, touched: &Touched, when: When) {
        if touched.normal != 0.0 && self.last_step != when.step {
            (self.steps, self.last_step) = (self.steps + 1, when.step);
        }
        self.least = Some(self.least.map_or(touched.normal, |least| least.min(touched.normal)));
        self.cone.add_known(touched.beyond_cone, when);
        self.product.add(touched.product.abs(), when);
        self.creep.add_known(touched.creep, when);
    }

    /// Takes in a contact of the two that our own detection has not found.
    pub fn miss(&mut self, when: When) {
        self.unseen += 1;
        self.unseen_from.get_or_insert(when.step);
    }

    pub fn figures(&self) -> PairFigures {
        PairFigures {
            bodies: self.bodies.clone(),
            steps: self.steps,
            penetration: self.penetration.extreme(),
            least_normal: self.least,
            beyond_cone: self.cone.extreme(),
            complementarity: self.product.extreme(),
            creep: self.creep.extreme(),
            unseen: self.unseen,
            unseen_from: self.unseen_from,
        }
    }
}

/// Contacts of a step together.
#[derive(Clone, Debug, Default)]
pub(super) struct TouchedSum {
    least: Option<f64>,
    product: Option<f64>,
    gap: Option<f64>,
    cone: Option<f64>,
    driving: Option<f64>,
    creep: [f64; 2],
    rebound: Option<f64>,
    /// Σ of e observed, and how many impacts.
    pub impacts: [f64; 2],
}

impl TouchedSum {
    /// Takes a contact in.
    pub fn add(&mut self, own: &Touched) {
        let take = |sum: &mut Option<f64>, value: f64| *sum = Some(larger(sum.unwrap_or(0.0), value));
        self.least = Some(self.least.map_or(own.normal, |least| least.min(own.normal)));
        take(&mut self.product, own.product.abs());
        take(&mut self.driving, own.driving);
        own.gap.into_iter().for_each(|gap| take(&mut self.gap, gap.max(0.0)));
        own.beyond_cone.into_iter().for_each(|beyond| take(&mut self.cone, beyond));
        if let Some(creep) = own.creep {
            self.creep = [self.creep[0] + creep, self.creep[1] + 1.0];
        }
        if let Some([error, ratio]) = own.impact {
            take(&mut self.rebound, error.abs());
            self.impacts = [self.impacts[0] + ratio, self.impacts[1] + 1.0];
        }
    }

    /// Writes what the contacts of a step have done.
    pub fn write(&self, figures: &mut StepFigures) {
        figures.least_normal = self.least;
        figures.complementarity = self.product;
        figures.pushing_gap = self.gap;
        figures.beyond_cone = self.cone;
        figures.driving_friction = self.driving;
        figures.creep = (self.creep[1] > 0.0).then(|| self.creep[0] / self.creep[1]);
        figures.rebound_error = self.rebound;
    }

    /// Σ of the speeds of contacts that should stick, m/s, and how many these are.
    pub fn creep(&self) -> [f64; 2] {
        self.creep
    }
}

/// The pairs that have touched, by their numbers, the smaller one first.
pub(super) type Pairs = BTreeMap<[usize; 2], PairTotals>;

/// Every figure of the steps over the run, by its name.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns(Vec<(&'static str, Tally)>);

impl Columns {
    /// Takes the figures of a step in.
    pub fn add(&mut self, figures: &StepFigures) {
        let when = When { time: figures.time, step: figures.step };
        let numbers = figures.numbers();
        if self.0.is_empty() {
            self.0.extend(numbers.iter().map(|(name, _)| (*name, Tally::default())));
        }
        for ((_, tally), (name, value)) in self.0.iter_mut().zip(numbers) {
            // The smallest of this one is of interest.
            let value = value.map(|value| if name == "least_normal" { -value } else { value });
            tally.add_known(value, when);
        }
    }

    /// The figure of that name over the run; none where no step tells it.
    pub fn of(&self, name: &str) -> Option<Extreme> {
        self.0.iter().find(|(own, _)| *own == name).and_then(|(_, tally)| tally.extreme())
    }
}
