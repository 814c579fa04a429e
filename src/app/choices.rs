//! Remembered choices: each scheme keeps the parameters that it had when another was chosen.

use crate::stabilizer::{Method, Stabilizer, TABLE};

/// Schemes that were in use before, with their parameters.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    left: Vec<Stabilizer>,
}

impl Choices {
    /// The scheme at this index of the table, with the parameters that it had when another was chosen, if it was ever in use.
    pub fn remembered(&self, index: usize) -> Option<Stabilizer> {
        let key = TABLE.get(index)?.info().key;
        self.left.iter().find(|old| old.info().key == key).cloned()
    }

    /// The scheme at this index of the table, with the parameters that it had last or with its defaults. `present` is the scheme
    /// that it replaces, whose parameters are remembered.
    pub fn change(&mut self, present: &Stabilizer, index: usize) -> Option<Stabilizer> {
        let scheme = TABLE.get(index)?;
        let key = scheme.info().key;
        self.left.retain(|old| old.info().key != present.info().key);
        self.left.push(present.clone());
        let remembered = self.left.iter().find(|old| old.info().key == key).cloned();
        Some(remembered.unwrap_or_else(|| Stabilizer::from(*scheme)))
    }
}

/// Place of a scheme in the table.
pub fn place(stabilizer: &Stabilizer) -> usize {
    let key = stabilizer.info().key;
    TABLE.iter().position(|scheme| scheme.info().key == key).unwrap_or(0)
}

/// `method` with another scheme: level, integrator, solver and contact rules are kept if the scheme supports them.
pub fn under(method: &Method, stabilizer: Stabilizer) -> Method {
    let Method { level, integrator, contact, .. } = *method;
    let natural = Method { solver: method.solver.clone(), contact, ..Method::new(stabilizer) };
    natural.clone().at_level(level, integrator).unwrap_or(natural)
}
