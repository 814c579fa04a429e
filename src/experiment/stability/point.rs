//! One point of a stability map: the spectral radii of its step, and what becomes of small constraint errors.

use super::{Block, Linear, Loaded, Model, StabilityError};
use crate::method::Method;
use crate::model::World;

/// A ρ that exceeds 1 by less than this counts as 1: rounding ε splits a defective pair of eigenvalues, that of free
/// motion or of a constraint that nothing corrects, by some √ε = 1.5e-8.
const DOUBLE: f64 = 1e-6;
/// In motion, a ρ within this relative distance of the closed form counts as equal to it: holding the coefficients constant
/// over the step causes an error of O(h²).
const FROZEN: f64 = 1e-3;

/// What becomes of small constraint errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// None grows.
    Stable,
    /// ρ = 1, and nothing corrects: an error of position stays, and one of velocity makes it grow in proportion to time.
    Marginal,
    /// One grows by a factor per step.
    Unstable,
}

impl Verdict {
    /// Where the closed form decides: it is exact on the stability boundary, where eigenvalues are rounded.
    fn of(block: &Block) -> Self {
        if block.is_stable() {
            Self::Stable
        } else if block.is_marginal() {
            Self::Marginal
        } else {
            Self::Unstable
        }
    }

    /// Where ρ decides.
    fn of_radius(radius: f64) -> Self {
        if radius <= 1.0 + DOUBLE { Self::Stable } else { Self::Unstable }
    }

    /// In a table.
    pub fn key(self) -> &'static str {
        match self {
            Self::Stable => "true",
            Self::Marginal => "marginal",
            Self::Unstable => "false",
        }
    }

    /// A ρ without what rounding adds to 1.
    fn rounded(self, radius: f64) -> f64 {
        if self != Self::Unstable && radius > 1.0 && radius <= 1.0 + DOUBLE { 1.0 } else { radius }
    }
}

/// A point of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// ρ of the linearised step; none where only the closed form was asked for.
    pub radius: Option<f64>,
    /// ρ of the loaded step's constraint part.
    pub constraint: Option<f64>,
    /// Whether the loaded step returns to its state.
    pub at_rest: bool,
    /// ρ of one constraint without load, in closed form.
    pub closed: f64,
    /// What becomes of small constraint errors.
    pub verdict: Verdict,
}

impl Point {
    /// Of the constraint error of a step of `h` s without load or motion, on the scene's matrix `linear` or in closed form alone.
    ///
    /// # Errors
    /// [`StabilityError`], if the eigenvalues are not found.
    pub fn unloaded(model: &Model, h: f64, linear: Option<&Linear>) -> Result<Self, StabilityError> {
        let block = model.block(h);
        let radius = linear.map(|linear| linear.spectral_radius(model, h)).transpose()?;
        let verdict = match radius {
            Some(radius) if !model.is_decoupled() => Verdict::of_radius(radius),
            _ => Verdict::of(&block),
        };
        let radius = radius.map(|radius| verdict.rounded(radius));
        Ok(Self { radius, constraint: None, at_rest: true, closed: block.spectral_radius(), verdict })
    }

    /// Of the full step of `world` by `method`, whose linearisation without load is `model`, about its present state.
    ///
    /// # Errors
    /// [`StabilityError`], if the step has no linearisation here, or its eigenvalues are not found.
    pub fn loaded(model: &Model, h: f64, world: &World, method: &Method) -> Result<Self, StabilityError> {
        let block = model.block(h);
        let closed = block.spectral_radius();
        let step = Loaded::of(world, method, h)?;
        let (radius, constraint) = (step.spectral_radius()?, step.constraint_radius()?);
        // If the radius agrees with the closed form, the closed form decides: it also recognises a Jordan block at ρ = 1.
        let near = if step.is_at_rest() { DOUBLE } else { FROZEN };
        let kept = if (constraint - closed).abs() <= near * (1.0 + closed) {
            Verdict::of(&block)
        } else {
            Verdict::of_radius(constraint)
        };
        let at_rest = step.is_at_rest();
        let grows = at_rest && Verdict::of_radius(radius) == Verdict::Unstable;
        let verdict = if grows { Verdict::Unstable } else { kept };
        let [radius, constraint] = [radius, constraint].map(|radius| Some(verdict.rounded(radius)));
        Ok(Self { radius, constraint, at_rest, closed, verdict })
    }

    /// The radius by which the point is judged: of the full step at rest, of its constraint part in motion.
    pub fn deciding(&self) -> f64 {
        let radius = if self.at_rest { self.radius } else { self.constraint.or(self.radius) };
        radius.unwrap_or(self.closed)
    }
}
