//! The start of the path: the pairs, which friction belongs to which normal row, and the sizes of impulses and speeds.

use super::cell::{Cell, CellStart};
use super::pace::{InteriorEffort, Pace};
use super::{INFO, Interior};
use crate::lcp::body_space::{BodySpace, Limit};
use crate::lcp::problem::solution::MixedError;
use crate::math::largest;

/// Least speed of a contact at the start, as a share of the largest |w|: between none at all, on the bound, and
/// equal speeds, with which the path folds more often.
const LEAST_SPEED: f64 = 0.3;

impl Interior {
    /// Sets the pairs up; returns the problem's speed.
    pub(crate) fn begin(
        &mut self,
        space: &mut BodySpace,
        effort: InteriorEffort,
    ) -> Result<f64, MixedError> {
        self.pair_friction(space)?;
        space.recall();
        self.impulses.clear();
        self.impulses.extend(space.lambda.iter().map(|lambda| lambda.abs()));
        for (lambda, row) in space.lambda.iter_mut().zip(&space.rows) {
            *lambda = match row.limit {
                Limit::Between(lower, upper) => 0.0_f64.max(lower).min(upper),
                Limit::Coulomb { .. } | Limit::Dragged { .. } => 0.0,
            };
        }
        space.measure();
        // Zero only where λ = 0 is the solution, which is then found at once.
        let speed = largest(space.w.iter().copied()).max(f64::MIN_POSITIVE.sqrt());
        let Pace { alone, proximal, .. } = Pace::of(&self.partners, effort);
        let Self { partners, cells, impulses, speeds, .. } = self;
        let (rows, bodies) = (&space.rows, space.graph.movable);
        speeds.clear();
        speeds.resize(bodies + 1, LEAST_SPEED * speed);
        for (row, w) in rows.iter().zip(&space.w) {
            for body in row.ends.map(|end| end as usize).into_iter().filter(|body| *body < bodies) {
                speeds[body] = speeds[body].max(w.abs());
            }
        }
        cells.clear();
        cells.extend((0..rows.len()).filter_map(|at| {
            let [a, b] = rows[at].ends.map(|end| speeds[end as usize]);
            let near = a.max(b);
            let impulse = impulses[at].max(alone * near / rows[at].diagonal);
            let unit = speed / impulse * (speed / near);
            Cell::new(rows, at, partners[at], CellStart { impulse, speed: near, unit, proximal })
        }));
        self.du.clear();
        self.du.resize(bodies + 1, [0.0; 3]);
        self.factorisations = 0;
        Ok(speed)
    }

    /// Finds the friction of every normal row.
    fn pair_friction(&mut self, space: &BodySpace) -> Result<(), MixedError> {
        self.partners.clear();
        self.partners.resize(space.rows.len(), None);
        for (place, row) in space.rows.iter().enumerate() {
            let (Limit::Coulomb { normal, coefficient, .. } | Limit::Dragged { normal, coefficient, .. }) =
                row.limit
            else {
                continue;
            };
            if coefficient == 0.0 || row.diagonal == 0.0 {
                continue;
            }
            if !row.limit.is_local() || row.compliance != 0.0 {
                let reason = "friction with a compliance, or between other bodies than its contact's";
                return Err(MixedError::NotApplicable { solver: INFO.key, reason });
            }
            self.partners[normal as usize] = Some(place);
        }
        Ok(())
    }
}
