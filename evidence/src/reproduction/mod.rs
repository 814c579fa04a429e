//! Every published experiment, computed again: one table of figures, each with its scene, its picture, its numbers as
//! CSV, and a verdict on every statement that the source makes about it.
//!
//! A figure names a shipped scene. The statements are the scene's `reference` entries with that figure's id
//! (docs/SCENES.md): the source's number stands there, ours is computed in the run that draws the figure, and the
//! verdict follows from the two. Nothing here reads a clock or touches a file; figures do not depend on each other, so
//! that a caller may compute them in any order or at once, with the same bytes.

mod anitescu_hart;
mod benchmarks;
mod cline_pai;
mod drake;
mod frames;
mod hong;
mod judge;
mod modes;
mod orders;
mod outline;
mod recording;
mod series;
mod table;
mod trefny;

pub use judge::{Judgement, Statement};
pub use table::markdown;

use crate::document::{Document, FigureError};
use driftlab::figure::Scale;
use driftlab::scene::{Quantity, Scene, Take, catalogue};
use recording::Runs;

/// A published figure, and how to draw it again.
#[derive(Debug)]
pub struct Figure {
    /// Name of its files, and what `reference` entries call it.
    pub id: &'static str,
    /// Paper and figure.
    pub source: &'static str,
    /// The title above the picture.
    pub title: &'static str,
    /// Key of the shipped scene.
    pub scene: &'static str,
    /// What the picture shows.
    pub drawn: Drawn,
}

/// What a picture shows.
#[derive(Debug)]
pub enum Drawn {
    /// Quantities over time.
    OverTime {
        /// The curves.
        lines: &'static [Line],
        /// The vertical axis.
        scale: Scale,
    },
    /// One number of each run against its time step.
    OverStep {
        /// The curves.
        lines: &'static [Line],
        /// Time steps, s.
        steps: &'static [f64],
        /// Which number.
        take: Take,
    },
    /// The bodies' outlines at some times, a panel each.
    Frames {
        /// The scheme, as the command line spells it.
        stabilizer: &'static str,
        /// Times, s.
        times: &'static [f64],
    },
    /// The bodies' outlines at all times in one panel, as on a screen that is not cleared.
    Trail {
        /// The scheme, as the command line spells it.
        stabilizer: &'static str,
        /// Time between two outlines, s.
        every: f64,
    },
}

/// A curve: a scheme as the command line spells it, and a quantity.
pub type Line = (&'static str, Quantity);

/// The results of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Its data and pictures.
    pub documents: Vec<Document>,
    /// A verdict on each published statement.
    pub statements: Vec<Statement>,
}

/// All figures, by source.
pub fn all() -> impl Iterator<Item = &'static Figure> {
    [
        cline_pai::FIGURES,
        anitescu_hart::FIGURES,
        hong::FIGURES,
        drake::FIGURES,
        trefny::FIGURES,
        orders::FIGURES,
        benchmarks::FIGURES,
    ]
    .into_iter()
    .flatten()
}

/// The shipped scene of a figure.
///
/// # Errors
/// A scene that is not shipped, or is no scene; a test ensures that this does not happen.
pub fn scene_of(figure: &Figure) -> Result<Scene, FigureError> {
    let missing = || FigureError::Table(format!("{}: no scene is named '{}'", figure.id, figure.scene));
    Ok(catalogue::find(figure.scene).ok_or_else(missing)?.scene()?)
}

/// Computes a figure from its own scene, or from a changed one.
///
/// # Errors
/// A scheme that the table of figures spells wrongly, or a picture that cannot be drawn. A run that fails is no error:
/// its curve ends there, and the statements about it are not reproduced.
pub fn recompute(figure: &Figure, scene: &Scene) -> Result<Drawing, FigureError> {
    let mut runs = Runs::new(figure.scene, scene);
    let documents = match &figure.drawn {
        Drawn::OverTime { lines, scale } => series::over_time(figure, &mut runs, lines, *scale)?,
        Drawn::OverStep { lines, steps, take } => {
            series::over_step(figure, &mut runs, lines, steps, *take)?
        }
        Drawn::Frames { stabilizer, times } => frames::panels(figure, &mut runs, stabilizer, times)?,
        Drawn::Trail { stabilizer, every } => frames::trail(figure, &mut runs, stabilizer, *every)?,
    };
    let statements = judge::statements(figure, &mut runs);
    Ok(Drawing { documents, statements })
}
