//! Remembered choices: each scheme keeps the parameters and the level that it had when another was chosen.

use crate::stabilizer::{Method, Stabilizer, TABLE};

/// Methods that were in use before, one for each scheme.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    left: Vec<Method>,
}

impl Choices {
    /// `present` with the scheme at this index of the table, whose parameters and level are those that it had last, or its
    /// defaults. Parameters and level of the scheme that it replaces are remembered.
    pub fn change(&mut self, present: &Method, index: usize) -> Option<Method> {
        let scheme = TABLE.get(index)?;
        let remembered = self.left.iter().find(|old| old.stabilizer.info().key == scheme.info().key);
        let stabilizer = remembered.map_or_else(|| Stabilizer::from(*scheme), |old| old.stabilizer.clone());
        Some(self.replace(present, stabilizer))
    }

    /// `present` with another scheme, or with other parameters of its scheme.
    ///
    /// Solver and contact rules are kept. Another scheme returns to the level and the integrator that it had last, or to its
    /// natural level: a level that the replaced scheme happened to need says nothing about this one.
    pub fn replace(&mut self, present: &Method, stabilizer: Stabilizer) -> Method {
        let (old, new) = (present.stabilizer.info().key, stabilizer.info().key);
        if old == new {
            return Method { stabilizer, ..present.clone() };
        }
        let remembered = self.left.iter().find(|method| method.stabilizer.info().key == new);
        let natural = Method { integrator: present.integrator, ..Method::new(stabilizer.clone()) };
        let Method { level, integrator, .. } = *remembered.unwrap_or(&natural);
        self.left.retain(|method| method.stabilizer.info().key != old);
        self.left.push(present.clone());
        Method { stabilizer, level, integrator, ..present.clone() }
    }
}

/// Place of a scheme in the table.
pub fn place(stabilizer: &Stabilizer) -> usize {
    let key = stabilizer.info().key;
    TABLE.iter().position(|scheme| scheme.info().key == key).unwrap_or(0)
}
