//! The constraint part of a step: how it maps errors of position and velocity before the step to those after it.
//!
//! ```text
//! (δg, h δġ) = R (δq, δv) ,    δg = J δq ,   δġ = J δv + (vᵀG) δq ,      of rows of velocities δe = N δv + (vᵀG) δq alone
//!
//! E = R(q⁺, v⁺) D R(q, v)⁺
//! ```
//!
//! R⁺ is the pseudo-inverse in the mass metric: it gives the smallest disturbance that causes a given error. J and G
//! are those of the state before on the one side and of the state after on the other, since the rows turn meanwhile:
//! with both at one state E would be off by O(h|v|). Rows are scaled to unit length, J M⁻¹Jᵀ = 1, at the start, so
//! that metres and radians meet on one scale. At rest the null space of R is invariant under D, and the eigenvalues
//! of E are among those of D.

use super::super::StabilityError;
use super::rows::Curved;
use super::stage::Place;
use crate::experiment::dense::{Dense, Singular};
use glam::DVec3;

/// Singular values below this, relative to unit rows, belong to dependent rows; as in `linear.rs`.
const DEPENDENT: f64 = 1e-6;

/// Computes the matrix R that maps disturbances of a state to errors, in scaled coordinates.
pub(super) struct Errors<'p> {
    pub places: &'p [Place],
    /// Scale of each entry of the state: √m of q, h√m of v, and of the integrals.
    pub scale: &'p [f64],
    pub h: f64,
    /// 1/√(J M⁻¹Jᵀ) of each row at the start.
    pub norms: Vec<f64>,
}

impl Errors<'_> {
    /// R at the state whose rows and velocities these are, one row for g and one for ġ, or one for e, and the integrals.
    pub fn reading(&self, rows: &[Curved], v: &[DVec3]) -> Dense {
        let (n, size) = (self.places.len(), self.scale.len());
        let joints = rows.iter().zip(&self.norms).filter(|(row, _)| row.kind.has_position()).count();
        let count = joints + rows.len() + size - 2 * n;
        let mut reading = Dense::zeros(count, size);
        let mut next = 0;
        for (row, norm) in rows.iter().zip(&self.norms) {
            let along = self.covector(row.row.arms());
            if row.kind.has_position() {
                along.iter().for_each(|(i, j)| reading[(next, *i)] += norm * j / self.scale[*i]);
                next += 1;
            }
            for (i, j) in self.covector(row.on_bodies(&row.sweep(v))) {
                reading[(next, i)] += norm * self.h * j / self.scale[i];
            }
            along.iter().for_each(|(i, j)| reading[(next, n + i)] += norm * self.h * j / self.scale[n + i]);
            next += 1;
        }
        (2 * n..size).for_each(|i| reading[(next + i - 2 * n, i)] = 1.0);
        reading
    }

    /// A covector, by its parts on bodies, as (coordinate, entry).
    fn covector(&self, parts: impl Iterator<Item = (usize, DVec3)> + Clone) -> Vec<(usize, f64)> {
        let of = |(index, (body, axis)): (usize, &Place)| {
            let own = parts.clone().filter(|(at, _)| at == body).map(|(_, part)| part[*axis]);
            (index, own.sum())
        };
        self.places.iter().enumerate().map(of).filter(|(_, entry)| *entry != 0.0).collect()
    }
}

/// 1/√(J M⁻¹Jᵀ), or 0 of a row that nothing can move along.
pub(super) fn norm(row: &Curved, inverse_mass: &[DVec3]) -> f64 {
    let sum = row.row.mobility(inverse_mass);
    if sum > 0.0 { 1.0 / sum.sqrt() } else { 0.0 }
}

/// R⁺.
///
/// # Errors
/// If the singular values are not found.
pub(super) fn pseudo_inverse(reading: &Dense) -> Result<Dense, StabilityError> {
    // Of the transpose, which has fewer columns.
    let decomposed = Singular::of(&reading.transposed()).ok_or(StabilityError::NoConvergence)?;
    Ok(decomposed.pseudo_inverse(DEPENDENT).transposed())
}

/// An orthonormal basis of the disturbances that R maps to no error.
///
/// # Errors
/// If the singular values are not found.
pub(super) fn null_space(reading: &Dense) -> Result<Dense, StabilityError> {
    Ok(Singular::of(reading).ok_or(StabilityError::NoConvergence)?.null_space(DEPENDENT))
}
