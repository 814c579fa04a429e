//! The rows of a world at given poses and velocities, each with the constraint it belongs to: for programs that judge a motion,
//! whoever has made it.

use super::kinds::Constraint;
use super::row::{Clock, Row};
use crate::model::{ConstraintId, Frame, Softness, World};

/// A row of a joint, a velocity constraint, a spring, a motor or a limit, evaluated.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct NamedRow {
    /// The constraint that it belongs to; a soft joint is named as a joint is.
    pub constraint: ConstraintId,
    /// Which of the constraint's rows it is.
    pub at: usize,
    /// g, J, k and c, with driven lengths and their rates at the world's present time.
    pub row: Row,
    /// J v that a motor or a velocity constraint demands at that time, m/s or rad/s; zero of all others.
    pub demand: f64,
    /// Stiffness and damping of a spring, a soft joint or a suspension; none of what is rigid.
    pub softness: Option<Softness>,
    /// The most that a motor or friction drives with at that time, N or N m; none without such a bound.
    pub most_force: Option<f64>,
}

/// Writes every row of `world` but those of contacts and of the grab into `rows`: joints, velocity constraints, springs, motors,
/// limits. `frames[i]` is the pose and the velocity of body i at which they are wanted.
///
/// ```
/// use driftlab::constraint::named_rows;
/// use driftlab::prelude::*;
///
/// let mut world = World::new([0.0, -9.81]);
/// let wall = world.add_body(Body::fixed())?;
/// let bar = world.add_body(Body::dynamic().at([0.5, 0.0]).shape(Shape::rectangle(1.0, 0.1)))?;
/// let hinge = world.add_joint(Joint::hinge(wall, bar).at([0.0, 0.0]))?;
/// world.edit_body(bar, |bar| bar.pose.position.x += 0.001)?;
/// let frames: Vec<_> = (0..2).map(|body| world.frame(body)).collect();
/// let mut rows = Vec::new();
/// named_rows(&world, &frames, &mut rows);
/// assert!(rows[0].constraint == hinge.into() && (rows[0].row.g - 0.001).abs() < 1e-15); // open by a millimetre
/// # Ok::<(), ModelError>(())
/// ```
pub fn named_rows(world: &World, frames: &[Frame], rows: &mut Vec<NamedRow>) {
    rows.clear();
    let clock = Clock::at(world.time());
    for own in Constraint::all(world, 0).filter(|own| *own != Constraint::Grab) {
        let Some(constraint) = own.id(world, &[]) else { continue };
        let (terms, speed) = (own.length_terms(world, clock), own.speed(world, clock.now));
        let (most_force, first) = (own.most_force(world), rows.len());
        own.each_row(
            world,
            &[],
            |body| &frames[body],
            |row| {
                let at = rows.len() - first;
                let demand = speed.get(at).copied().unwrap_or_default();
                let softness = own.softness(world, row.unit);
                rows.push(NamedRow {
                    constraint,
                    at,
                    row: row.driven(terms),
                    demand,
                    softness,
                    most_force,
                });
            },
        );
    }
}
