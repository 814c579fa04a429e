//! Methods to and from the formats of serde: scheme and solver by their keys, with all their numbers.

use super::MethodError;
use crate::lcp::{Effort, Solver};
use crate::method::{ContactRules, Integrator, Level, Method, Stabilizer};
use crate::parameter::{ParameterError, Values};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedMethod {
    scheme: Named,
    level: Level,
    integrator: Integrator,
    solver: Named,
    effort: Effort,
    contact: ContactRules,
}

/// A scheme or solver with its parameters.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    key: String,
    parameters: BTreeMap<String, f64>,
}

impl Named {
    fn new(key: &str, values: &Values) -> Self {
        let parameters =
            values.iter().map(|(parameter, value)| (parameter.key.to_owned(), value)).collect();
        Self { key: key.to_owned(), parameters }
    }

    fn write_into(&self, values: &mut Values) -> Result<(), ParameterError> {
        self.parameters.iter().try_for_each(|(key, value)| values.set(key, *value))
    }
}

impl Serialize for Method {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saved = SavedMethod {
            scheme: Named::new(self.stabilizer.info().key, &self.stabilizer.values),
            level: self.level,
            integrator: self.integrator,
            solver: Named::new(self.solver.info().key, &self.solver.values),
            effort: self.effort,
            contact: self.contact,
        };
        saved.serialize(serializer)
    }
}

/// The schemes of this crate alone; their parameters count as set.
impl<'de> Deserialize<'de> for Method {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let SavedMethod { scheme, level, integrator, solver, effort, contact } =
            SavedMethod::deserialize(deserializer)?;
        let mut stabilizer = Stabilizer::by_key(&scheme.key)
            .ok_or_else(|| D::Error::custom(MethodError::unknown(&scheme.key)))?;
        scheme.write_into(&mut stabilizer.values).map_err(D::Error::custom)?;
        let mut own = Solver::by_key(&solver.key)
            .ok_or_else(|| D::Error::custom(format!("unknown solver '{}'", solver.key)))?;
        solver.write_into(&mut own.values).map_err(D::Error::custom)?;
        let method = Self::new(stabilizer).at_level(level, integrator).ok_or_else(|| {
            D::Error::custom(format!("the scheme '{}' has no level '{}'", scheme.key, level.key()))
        })?;
        Ok(Self { solver: own, effort, contact, ..method })
    }
}
