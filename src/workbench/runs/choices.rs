//! Remembered choices: each scheme keeps the parameters and the level that it had when another was chosen.

use crate::method::{Method, Stabilizer};
use crate::peers;

/// Methods that were in use before, one for each scheme.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    left: Vec<Method>,
}

impl Choices {
    /// The scheme at this place, with the parameters that it had when another was chosen, if it was ever in use.
    pub fn remembered(&self, index: usize) -> Option<Stabilizer> {
        let key = peers::at(index)?.info().key;
        Some(self.left.iter().find(|old| old.stabilizer.info().key == key)?.stabilizer.clone())
    }

    /// `present` with the scheme at this place, whose parameters and level are those that it had last, or its
    /// defaults. Parameters and level of the scheme that it replaces are remembered.
    pub fn change(&mut self, present: &Method, index: usize) -> Option<Method> {
        let scheme = peers::at(index)?;
        let stabilizer = self.remembered(index).unwrap_or_else(|| Stabilizer::from(scheme));
        Some(self.replace(present, stabilizer))
    }

    /// As [`under`](Self::under); what is replaced is remembered.
    pub fn replace(&mut self, present: &Method, stabilizer: Stabilizer) -> Method {
        let method = self.under(present, stabilizer);
        let (old, new) = (present.stabilizer.info().key, method.stabilizer.info().key);
        if old != new {
            self.left.retain(|method| method.stabilizer.info().key != old);
            self.left.push(present.clone());
        }
        method
    }

    /// `present` with another scheme, or with other parameters of its scheme.
    ///
    /// Solver and contact rules are kept. Another scheme returns to the level and the integrator that it had last, or to its
    /// natural level: a level that the replaced scheme happened to need says nothing about this one.
    pub fn under(&self, present: &Method, stabilizer: Stabilizer) -> Method {
        let key = stabilizer.info().key;
        if key == present.stabilizer.info().key {
            return Method { stabilizer, ..present.clone() };
        }
        let remembered = self.left.iter().find(|method| method.stabilizer.info().key == key);
        let natural = Method { integrator: present.integrator, ..Method::new(stabilizer.clone()) };
        let Method { level, integrator, .. } = *remembered.unwrap_or(&natural);
        Method { stabilizer, level, integrator, ..present.clone() }
    }
}

/// Place of a scheme (`peers/mod.rs`).
pub fn place(stabilizer: &Stabilizer) -> usize {
    peers::place(stabilizer.info().key).unwrap_or(0)
}
