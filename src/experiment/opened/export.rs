//! The problem as a line that `driftlab lcp` reads: {"id", "M", "q", "rows"}, w = M z + q, each row with its name.
//!
//! Equations are eliminated, friction is posed by two directions and its cone (`lcp/pivoting/polyhedral.rs`); where all rows are
//! equations they are kept, λ = z⁺ − z⁻.

use super::OpenedProblem;
use crate::lcp::{Law, MixedRow, PlainForm, PlainUnknown};
use crate::model::World;
use serde_json::json;
use thiserror::Error;

/// Most unknowns of a problem that is written out densely: its file has some ten megabytes.
pub const MOST_EXPORTED: usize = 800;

/// Why a problem is not written.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum ExportError {
    /// The dense matrix would be too large.
    #[error("{unknowns} unknowns are too many for a dense matrix (at most {MOST_EXPORTED})")]
    TooLarge {
        /// How many there would be.
        unknowns: usize,
    },
    /// A number is not finite.
    #[error("the problem has numbers that are not finite")]
    NotFinite,
}

impl OpenedProblem {
    /// The problem as a plain one: what [`OpenedProblem::export`] writes, and the way back from z to λ.
    ///
    /// # Errors
    /// Too many unknowns, or a number that is not finite.
    pub fn plain_form(&self) -> Result<PlainForm, ExportError> {
        // Each row that is no equation has an unknown at least, and equations kept as they are have two.
        let is_kept = |row: &&MixedRow| self.is_linear() || row.law != Law::Equation;
        let unknowns = self.problem.rows.iter().filter(is_kept).count();
        if unknowns > MOST_EXPORTED {
            return Err(ExportError::TooLarge { unknowns });
        }
        let form = if self.is_linear() {
            PlainForm::split(self.problem.clone())
        } else {
            PlainForm::new(self.problem.clone())
        };
        let form = form.ok_or(ExportError::NotFinite)?;
        if form.len() > MOST_EXPORTED {
            Err(ExportError::TooLarge { unknowns: form.len() })
        } else {
            Ok(form)
        }
    }

    /// The problem as a line of JSON with this `id`, for `driftlab lcp`; the names of its rows are those of `world`, in
    /// which the step was made.
    ///
    /// # Errors
    /// An error of [`OpenedProblem::plain_form`].
    pub fn export(&self, id: &str, world: &World) -> Result<String, ExportError> {
        let form = self.plain_form()?;
        let problem = form.problem();
        let rows: Vec<&[f64]> = (0..problem.n()).map(|i| problem.row(i)).collect();
        let names = self.names(world, &form.unknowns());
        Ok(format!("{}\n", json!({ "id": id, "rows": names, "M": rows, "q": problem.q() })))
    }

    /// The unknowns by the names of their rows: with a sign where a row has two, and what they are where they are no impulse.
    fn names(&self, world: &World, unknowns: &[PlainUnknown]) -> Vec<String> {
        let turned = |row: usize| {
            let minus = |other: &PlainUnknown| matches!(other, PlainUnknown::Impulse { row: of, sign } if *of == row && *sign < 0.0);
            unknowns.iter().any(minus)
        };
        let name = |unknown: &PlainUnknown| {
            let name = self.name(world, unknown.row());
            match *unknown {
                PlainUnknown::Impulse { sign, .. } if sign < 0.0 => format!("{name}, −"),
                PlainUnknown::Impulse { row, .. } if turned(row) => format!("{name}, +"),
                PlainUnknown::Impulse { .. } => name,
                PlainUnknown::Ceiling { .. } => format!("{name}, upper bound"),
                PlainUnknown::Cone { .. } => format!("{name}, cone"),
            }
        };
        unknowns.iter().map(name).collect()
    }
}
