//! Placeholder
use super::equations::Equations;
use super::mixed::{MixedError, MixedProblem};
use super::solve::Solved;
use crate::parameter::Values;
pub(super) fn dantzig(
    _: &MixedProblem,
    _: &Values,
    _: &mut Equations,
    _: &mut [f64],
) -> Result<Solved, MixedError> {
    Err(MixedError::NotApplicable { solver: "dantzig", reason: "not yet" })
}
