//! The forces of the generalised-α methods: each with what its filter has made of it, from step to step (`filtered_forces.rs`).

use crate::lcp::MixedRow;
use crate::model::{BodyId, Memory};
use crate::report::{ConstraintImpulse, MOST_MULTIPLIERS};
use glam::DVec3;

/// The coefficients of a method.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coefficients {
    pub alpha_m: f64,
    pub alpha_f: f64,
    pub beta: f64,
    pub gamma: f64,
}

impl Coefficients {
    /// Those of second order that damp high frequencies most for what they do to low ones.
    pub fn of(alpha_m: f64, alpha_f: f64) -> Self {
        let gamma = 0.5 + alpha_f - alpha_m;
        Self { alpha_m, alpha_f, beta: 0.25 * (gamma + 0.5) * (gamma + 0.5), gamma }
    }

    /// The share of its amplitude that a vibration with this small hω loses in a step.
    pub fn loss(&self, phase: f64) -> f64 {
        let [both, squared] = [1.0 - self.alpha_m - self.alpha_f, phase * phase];
        0.125 * (self.alpha_f - self.alpha_m) * both * both * squared * squared
    }

    /// (1 − α_f)/(1 − α_m): the share of f⁺ in p⁺.
    pub fn share(&self) -> f64 {
        (1.0 - self.alpha_f) / (1.0 - self.alpha_m)
    }
}

/// A force, and what its filter has made of it; or accelerations.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Filtered {
    /// f
    pub present: DVec3,
    /// p
    pub filtered: DVec3,
}

impl Filtered {
    /// That of a force which has always been `f`.
    pub fn steady(f: DVec3) -> Self {
        Self { present: f, filtered: f }
    }

    /// The part of p⁺ that f⁺ does not change.
    pub fn known(&self, by: &Coefficients) -> DVec3 {
        (by.alpha_f * self.present - by.alpha_m * self.filtered) / (1.0 - by.alpha_m)
    }

    pub fn next(&self, by: &Coefficients, f: DVec3) -> Self {
        Self { present: f, filtered: self.known(by) + by.share() * f }
    }

    /// (1 − γ) p + γ p⁺.
    pub fn mean(&self, next: &Self, by: &Coefficients) -> DVec3 {
        (1.0 - by.gamma) * self.filtered + by.gamma * next.filtered
    }

    fn numbers(&self) -> [f64; 6] {
        let [x, y, z] = self.present.to_array();
        let [u, v, w] = self.filtered.to_array();
        [x, y, z, u, v, w]
    }

    fn of(numbers: &[f64]) -> Self {
        match *numbers {
            [x, y, z, u, v, w] => Self { present: DVec3::new(x, y, z), filtered: DVec3::new(u, v, w) },
            _ => Self::default(),
        }
    }
}

/// How many bodies a constraint acts on at most.
pub(super) const ARMS: usize = 4;
/// Numbers that are remembered of a constraint: f and p on each of its bodies, N and N m.
pub(crate) const OF_CONSTRAINT: usize = 6 * ARMS;
/// Of a body: M⁻¹f and M⁻¹p of the given forces, m/s² and rad/s².
pub(crate) const OF_BODY: usize = 6;

/// All forces, at one time.
#[derive(Debug, Default)]
pub(super) struct Forces {
    /// M⁻¹ times weight and given forces, by body.
    pub given: Vec<Filtered>,
    /// Those of constraints, by the ledger's entries.
    pub exerted: Vec<[Filtered; ARMS]>,
}

/// The forces at the start and at the end of a part of a step, and memory for the part.
#[derive(Debug, Default)]
pub(crate) struct FilteredForces {
    /// Whether `now` is known.
    pub(super) known: bool,
    pub(super) now: Forces,
    pub(super) next: Forces,
    /// The bodies of each of the ledger's entries.
    pub(super) bodies: Vec<[usize; ARMS]>,
    /// λ at the end, by the ledger's entries, and Jᵀλ.
    pub(super) multipliers: Vec<[f64; MOST_MULTIPLIERS]>,
    /// At which bound the force of each motor and of friction is at the start.
    pub(super) sides: Vec<i8>,
    pub(super) forces: Vec<[DVec3; ARMS]>,
    /// The damped bodies, with φ = M K⁻¹ and K⁻¹F(v) of their damping.
    pub(super) damped: Vec<(usize, DVec3, DVec3)>,
    /// q̃ and ṽ, q̃ − q of the last iteration, and K⁻¹F there.
    pub(super) ahead: Vec<DVec3>,
    pub(super) speeds: Vec<DVec3>,
    pub(super) shift: Vec<DVec3>,
    pub(super) free: Vec<DVec3>,
}

impl FilteredForces {
    /// Begins with nothing for `bodies` bodies and `entries` constraints.
    pub(super) fn clear(&mut self, bodies: usize, entries: usize) {
        self.known = false;
        for forces in [&mut self.now, &mut self.next] {
            forces.given.clear();
            forces.given.resize(bodies, Filtered::default());
            forces.exerted.clear();
            forces.exerted.resize(entries, [Filtered::default(); ARMS]);
        }
        self.bodies.clear();
        self.bodies.resize(entries, [0; ARMS]);
        self.multipliers.resize(entries, [0.0; MOST_MULTIPLIERS]);
        self.forces.resize(entries, [DVec3::ZERO; ARMS]);
    }

    /// Takes what is remembered, if it is of all these bodies and constraints and of no others.
    pub(super) fn recall(&mut self, memory: &Memory, bodies: &[BodyId], entries: &[ConstraintImpulse]) {
        if !memory.is_about(bodies, entries.iter().map(|entry| entry.constraint)) {
            return;
        }
        let Forces { given, exerted } = &mut self.now;
        for (given, id) in given.iter_mut().zip(bodies) {
            *given = Filtered::of(memory.of_body(*id).unwrap_or_default());
        }
        for (own, entry) in exerted.iter_mut().zip(entries) {
            let numbers = memory.of(entry.constraint).unwrap_or_default();
            own.iter_mut().zip(numbers.chunks(6)).for_each(|(own, numbers)| *own = Filtered::of(numbers));
        }
        self.known = true;
    }

    /// Remembers what is known at the end of the step.
    pub fn remember(&self, memory: &mut Memory, bodies: &[BodyId], entries: &[ConstraintImpulse]) {
        if !self.known {
            return;
        }
        let Forces { given, exerted } = &self.now;
        for (id, given) in bodies.iter().zip(given) {
            memory.push_body(*id, &given.numbers());
        }
        for (own, entry) in exerted.iter().zip(entries) {
            let mut numbers = [0.0; OF_CONSTRAINT];
            for (place, own) in numbers.chunks_mut(6).zip(own) {
                place.copy_from_slice(&own.numbers());
            }
            memory.put(entry.constraint, &numbers);
        }
    }

    /// Makes the end of the part that has succeeded the start of the next one.
    pub fn accept(&mut self) {
        std::mem::swap(&mut self.now, &mut self.next);
        self.known = true;
    }

    /// Adds the force λ of a row to those of its entry.
    pub(super) fn add(&mut self, [entry, at]: [usize; 2], row: &MixedRow, lambda: f64) {
        let Some(forces) = self.forces.get_mut(entry) else { return };
        let further = row.further.map(|own| own.arms()).unwrap_or([(row.b, DVec3::ZERO); 2]);
        let arms = [(row.a, row.ja), (row.b, row.jb), further[0], further[1]];
        for (arm, (body, j)) in arms.into_iter().enumerate() {
            self.bodies[entry][arm] = body;
            forces[arm] += lambda * j;
        }
        self.multipliers[entry][at] += lambda;
    }

    /// K⁻¹ Σ of `part` of all forces but damping, by body.
    pub(super) fn sum(&mut self, inverse_mass: &[DVec3], part: impl Fn(&Filtered) -> DVec3) {
        let Self { now, free: sum, bodies, damped, .. } = self;
        sum.clear();
        sum.extend(now.given.iter().map(&part));
        damped.iter().for_each(|(body, share, _)| sum[*body] *= *share);
        for (exerted, bodies) in now.exerted.iter().zip(bodies) {
            for (own, body) in exerted.iter().zip(bodies) {
                sum[*body] += inverse_mass[*body] * part(own);
            }
        }
    }
}
