//! Limits with a side left open as nothing in its place, in the formats of serde: some of them, such as JSON, have no infinity.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub fn serialize<S: Serializer>(limits: &Option<[f64; 2]>, serializer: S) -> Result<S::Ok, S::Error> {
    limits.map(|limits| limits.map(|limit| limit.is_finite().then_some(limit))).serialize(serializer)
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<[f64; 2]>, D::Error> {
    let limits = <Option<[Option<f64>; 2]>>::deserialize(deserializer)?;
    let open = |[lower, upper]: [Option<f64>; 2]| {
        [lower.unwrap_or(f64::NEG_INFINITY), upper.unwrap_or(f64::INFINITY)]
    };
    Ok(limits.map(open))
}
