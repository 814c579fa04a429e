//! Extrapolates the end of a central path without friction from two of its points.
//!
//! Where a contact ends with λ = 0 and w = 0, as most of a pile does when a few overlaps in it are corrected, x and s of its pair
//! fall like √τ, and so does the residual: by 2.6 with each step, however good the steps are. But the path is then analytic in √τ
//! [Stoer & Wechs 1998]. From two of its points with residuals r₁ and r₂ = ϑ r₁ the extrapolation
//!
//! ```text
//! λ = λ₂ + ϑ/(1 − ϑ) (λ₂ − λ₁)
//! ```
//!
//! put on the bounds that it exceeds, has an error of the order of τ. For a pyramid of 210 boxes, points with residuals of
//! 1.5e-7, 5.6e-8 and 2.1e-8 give λ with residuals of 1e-9, 1e-11 and 3e-12. That takes one measurement, and replaces some eight
//! factorisations.
//!
//! **Units**: λ in N s (N m s), residuals in m/s, τ in (m/s)²; ϑ has none.
//!
//! Source: [Stoer & Wechs 1998] (the path); the extrapolation is Richardson's.

use crate::lcp::body_space::BodySpace;

/// Largest ratio of two successive residuals for an extrapolation: near the path's end it is 1/2.6 = 0.38.
const FALLS: f64 = 0.6;

/// A point of the path: λ by place, and its residual.
#[derive(Debug, Default)]
pub(crate) struct PathPoint {
    lambda: Vec<f64>,
    /// Zero where there is no point yet.
    pub residual: f64,
    /// λ of the next point.
    next: Vec<f64>,
}

impl PathPoint {
    /// Extrapolates the path's end from this point and the present λ of `space`, whose residual is given, into `space`. Returns
    /// the residual there, ∞ where the residual falls too slowly for a try. The present λ becomes the point.
    pub fn extrapolate(&mut self, space: &mut BodySpace, residual: f64) -> f64 {
        self.next.clone_from(&space.lambda);
        let fallen = residual / self.residual;
        // Written so that it holds neither for NaN nor for the ∞ where there is no point yet.
        let limit = if fallen <= FALLS {
            let further = fallen / (1.0 - fallen);
            for (at, row) in space.rows.iter().enumerate() {
                let [lower, upper] = row.bounds(&space.lambda);
                let end = space.lambda[at] + further * (space.lambda[at] - self.lambda[at]);
                space.lambda[at] = end.max(lower).min(upper);
            }
            space.measure()
        } else {
            f64::INFINITY
        };
        std::mem::swap(&mut self.lambda, &mut self.next);
        self.residual = residual;
        limit
    }
}
