//! Changing the method in mid-motion: a change acts on the next step, from the present state, and leaves a mark.

use super::format::{duration, significant};
use super::simulation::Simulation;
use crate::lcp::Solver;
use crate::stabilizer::{Integrator, Level, Method, Stabilizer, TABLE};

impl Simulation {
    /// Switches to another scheme, from the present state. Each scheme keeps the parameters it had last.
    pub fn set_scheme(&mut self, index: usize) {
        let Some(scheme) = TABLE.get(index) else { return };
        let key = scheme.info().key;
        if key == self.method.stabilizer.info().key {
            return;
        }
        let present = self.method.stabilizer.clone();
        self.remembered.retain(|old| old.info().key != present.info().key);
        self.remembered.push(present);
        let remembered = self.remembered.iter().find(|old| old.info().key == key).cloned();
        self.set_stabilizer(remembered.unwrap_or_else(|| Stabilizer::from(*scheme)));
    }

    /// Switches to `stabilizer`, keeping level, integrator, solver and contact rules where the scheme has them.
    pub fn set_stabilizer(&mut self, stabilizer: Stabilizer) {
        let (level, integrator) = (self.method.level, self.method.integrator);
        let (solver, contact) = (self.method.solver.clone(), self.method.contact);
        let natural = Method { solver, contact, ..Method::new(stabilizer) };
        self.method = natural.clone().at_level(level, integrator).unwrap_or(natural);
    }

    /// Index of the present scheme in the table.
    pub fn scheme_index(&self) -> usize {
        let key = self.method.stabilizer.info().key;
        TABLE.iter().position(|scheme| scheme.info().key == key).unwrap_or(0)
    }

    /// Moves `by` places along the table of schemes, round and round.
    pub fn cycle_scheme(&mut self, by: isize) {
        let count = TABLE.len() as isize;
        self.set_scheme((self.scheme_index() as isize + by).rem_euclid(count) as usize);
    }

    /// Poses the constraints at another level, if the scheme has it.
    pub fn set_level(&mut self, level: Level) {
        if let Some(method) = self.method.clone().at_level(level, self.method.integrator) {
            self.method = method;
        }
    }

    /// Chooses how accelerations become motion.
    pub fn set_integrator(&mut self, integrator: Integrator) {
        self.method.integrator = integrator;
    }

    /// Chooses who solves the algebraic problem.
    pub fn set_solver(&mut self, solver: Solver) {
        self.method.solver = solver;
    }

    /// Compares method and time step with what they were at the last call and marks what is different.
    pub fn note_changes(&mut self) {
        if self.noted.0 == self.method && self.noted.1 == self.time_step {
            return;
        }
        let (old, h) = std::mem::replace(&mut self.noted, (self.method.clone(), self.time_step));
        let (was, is) = (&old.stabilizer, self.method.stabilizer.clone());
        if was.info().key != is.info().key {
            self.mark("scheme", is.info().name.to_owned());
        } else {
            let pairs = was.values.iter().zip(is.values.iter());
            for (_, (parameter, value)) in pairs.filter(|((_, was), (_, is))| was != is) {
                let number = parameter.word(value).map_or_else(|| significant(value, 3), str::to_owned);
                let label = format!("{} = {number} {}", parameter.symbol, parameter.unit);
                self.mark(parameter.key, label.trim_end().to_owned());
            }
        }
        if h != self.time_step {
            self.mark("h", format!("h = {}", duration(self.time_step)));
        }
        if old.level != self.method.level {
            self.mark("level", self.method.level.key().to_owned());
        }
        if old.integrator != self.method.integrator {
            self.mark("integrator", self.method.integrator.key().to_owned());
        }
        if old.solver != self.method.solver {
            self.mark("solver", self.method.solver.info().key.to_owned());
        }
        if old.contact != self.method.contact {
            self.mark("contact", "contact rules".to_owned());
        }
    }
}
