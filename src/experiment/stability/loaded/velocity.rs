//! The schemes of the velocity level, as the engine steps them, each line with its derivative.
//!
//! ```text
//! none, Baumgarte,         J v⁺ + κ g = 0 ,  q⁺ = q + h v⁺                     κ = 0, α, γ/h; 1/h of the implicit one,
//! Anitescu & Hart          N v⁺ = v₀(t+h)                                      whose N v⁺ + h (N v)_q v = v₀(t+h)
//! post-stabilization       then W⁻¹dp = Jᵀλ, g(q*) + J(q*) dp = 0 , as often as it corrects
//! projection               then corrections until g(q⁺) = 0 , and J(q⁺) v⁺ = 0
//! Gear, Gupta & Leimkuhler q* = q + h v , corrections until g(q⁺) = 0 , then J(q⁺) v⁺ = 0
//! RATTLE                   g(q + h v½) = 0 ,  q⁺ = q + h v½ ,  J(q⁺) v⁺ = 0
//! ```
//!
//! RATTLE first projects q and v if g exceeds 1e-10; its linearisation contains that projection. What the projection
//! removes from v, the λ of the first half step would remove, so that it does not matter that a disturbance of v
//! alone is not projected. With non-holonomic rows it would matter, because of their ½h (N v)_q v: no single matrix
//! describes both cases, and RATTLE with such rows has no linearisation.

use super::super::StabilityError;
use super::rows::Kind;
use super::stage::{Demand, Stage, compliance, compliance_of_midpoint};
use super::system::{System, push, stiffen};
use crate::internal::largest;

/// Most corrections of a projection, and of RATTLE's positions.
const MAX_ITERATIONS: usize = 60;
/// A correction that leaves more than this share of the error has reached rounding.
const STAGNATION: f64 = 0.5;
/// Largest error that counts as on the manifold, m or rad, for coordinates of size 1 and below: the engine's.
const MANIFOLD_TOLERANCE: f64 = 1e-12;
/// Share of a differentiated right-hand side that rows of contacts may contradict: rounding.
const CONFLICT: f64 = 1e-8;
/// Largest derivative of RATTLE's position error that may remain, relative to 1.
const SLOPE_TOLERANCE: f64 = 1e-13;

impl Stage<'_> {
    /// J v⁺ + `rate` g = 0, then q⁺ = q + h v⁺. Non-holonomic rows have N v⁺ = v₀(t+h), with their `turning` N v⁺ + h
    /// (N v)_q v = v₀(t+h).
    pub fn velocity_step(&mut self, rate: f64, turning: bool) -> Result<(), StabilityError> {
        self.prescribe_mean_velocity();
        let h = self.h;
        let inverse_mass = self.inverse_mass.clone();
        let mut middle = self.middle(&inverse_mass)?;
        let mut system =
            System::new(self.rows_of_start(), &inverse_mass, |row| compliance(self.impulse(row)))?;
        let before = self.v.clone();
        let b = self.bias(&system.rows, |row| match row.kind {
            Kind::Joint | Kind::Normal => Demand::of(rate * row.row.g, move |dq, _| rate * row.along(dq)),
            Kind::Stuck => Demand::constant(0.0),
            Kind::Spring(..) => Demand::of_spring(row, self.impulse(row), &before.value, 0.0),
            Kind::Held(constraint, own) => {
                let due = self.prescribed(constraint, own, h).0;
                if turning {
                    Demand::of(h * row.row.k - due, move |dq, dv| h * row.k_along(dq, dv))
                } else {
                    Demand::constant(-due)
                }
            }
        });
        self.kick(h);
        system.solve(&self.q, &mut self.v, &b);
        middle.system.solve(&middle.place, &mut self.v, &middle.b);
        if !self.active.is_empty() && system.conflict > CONFLICT {
            return Err(StabilityError::NotThisStep);
        }
        self.drift();
        self.swing_back(&before);
        Ok(())
    }

    /// J v⁺ = 0 and N v⁺ = v₀(t+h) at the present pose, with the springs there.
    pub fn velocities_at_end(&mut self) -> Result<(), StabilityError> {
        let h = self.h;
        self.prescribe_velocity(h);
        let inverse_mass = self.inverse_mass.clone();
        let mut system = System::new(self.rows(), &inverse_mass, |row| compliance(self.impulse(row)))?;
        let before = self.v.value.clone();
        let b = self.bias(&system.rows, |row| match row.kind {
            Kind::Spring(..) => Demand::of_spring(row, self.impulse(row), &before, 0.0),
            Kind::Held(constraint, own) => Demand::constant(-self.prescribed(constraint, own, h).0),
            _ => Demand::constant(0.0),
        });
        self.kick(h);
        system.solve(&self.q, &mut self.v, &b);
        Ok(())
    }

    /// Corrections in the mass metric until rounding stops them, at least one even on the manifold, which gives the
    /// derivative of the projection.
    pub fn project_positions(&mut self) -> Result<(), StabilityError> {
        let inverse_mass = self.inverse_mass.clone();
        let mut last = f64::INFINITY;
        for _ in 0..MAX_ITERATIONS {
            self.correct_positions(&inverse_mass, f64::INFINITY)?;
            let error = self.joint_error();
            if error <= self.tolerance() && error > STAGNATION * last || error == 0.0 {
                return Ok(());
            }
            last = error;
        }
        Err(StabilityError::NotThisStep)
    }

    fn tolerance(&self) -> f64 {
        let reach = self.q.value.iter().map(|q| q.abs().max_element());
        MANIFOLD_TOLERANCE * 1.0_f64.max(largest(reach))
    }

    /// One step of RATTLE.
    pub fn rattle(&mut self) -> Result<(), StabilityError> {
        self.project_positions()?;
        self.prescribe_velocity(0.0);
        self.project_velocities(0.0)?;
        let h = self.h;
        self.prescribe_mean_velocity();
        let inverse_mass = self.inverse_mass.clone();
        let half = 0.5 * h;
        let mut system = System::new(self.rows(), &inverse_mass, |row| compliance_of_midpoint(row, half))?;
        let b = self.bias(&system.rows, |row| match row.kind {
            Kind::Joint => Demand::of(row.row.g / h, move |dq, _| row.along(dq) / h),
            Kind::Spring(_, softness) => Demand::of_midpoint(row, softness, half),
            _ => Demand::constant(0.0),
        });
        self.kick(half);
        let mut lambda = system.solve(&self.q, &mut self.v, &b);
        self.meet_arrival(&mut system, &mut lambda)?;
        self.drift();
        self.prescribe_velocity(h);
        self.kick(half);
        let springs = |kind: Kind| matches!(kind, Kind::Spring(..));
        let first = system.rows.iter().position(|row| springs(row.kind)).unwrap_or(system.rows.len());
        let soft: Vec<_> = self.rows().into_iter().filter(|row| springs(row.kind)).collect();
        push(&soft, &inverse_mass, &lambda.value[first..], &mut self.v.value);
        for (direction, dv) in self.v.slopes.iter_mut().enumerate() {
            stiffen(&soft, &inverse_mass, &lambda.value[first..], &self.q.slopes[direction], dv);
            push(&soft, &inverse_mass, &lambda.slopes[direction][first..], dv);
        }
        self.project_velocities(h)
    }

    /// Corrects v½ until g(q + h v½) = 0, by the matrix of the start, and adds what that takes to λ.
    fn meet_arrival(
        &mut self,
        system: &mut System<'_>,
        lambda: &mut super::system::Jet<Vec<f64>>,
    ) -> Result<(), StabilityError> {
        let h = self.h;
        let mut last = f64::INFINITY;
        for _ in 0..MAX_ITERATIONS {
            let mut there = self.q.clone();
            there.add(h, &self.v);
            let arrival = super::rows::rows(self.world, &[], &there.value, &self.v.value);
            let joint = |value: f64, row: &super::rows::Curved| match row.kind {
                Kind::Joint => value / h,
                _ => 0.0,
            };
            let b = super::system::Jet {
                value: arrival.iter().map(|row| joint(row.row.g, row)).collect(),
                slopes: there
                    .slopes
                    .iter()
                    .map(|dq| arrival.iter().map(|row| joint(row.along(dq), row)).collect())
                    .collect::<Vec<Vec<f64>>>(),
            };
            let error = h * largest(b.value.iter().copied());
            let slope = h * largest(b.slopes.iter().flatten().copied());
            let stagnates = error > STAGNATION * last || error == 0.0;
            if error <= self.tolerance() && stagnates && slope <= SLOPE_TOLERANCE {
                return Ok(());
            }
            last = error;
            let mut change = self.v.zero_like();
            let more = system.solve(&self.q, &mut change, &b);
            self.v.add(1.0, &change);
            let add =
                |sum: &mut Vec<f64>, more: &Vec<f64>| sum.iter_mut().zip(more).for_each(|(a, b)| *a += b);
            add(&mut lambda.value, &more.value);
            lambda.slopes.iter_mut().zip(&more.slopes).for_each(|(sum, more)| add(sum, more));
        }
        Err(StabilityError::NotThisStep)
    }
}
