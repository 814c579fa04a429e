//! Start velocities that fit the constraints.
//!
//! ```text
//! min ½ dvᵀ M dv   subject to   J (v + dv) + c = 0 ,   N (v + dv) = v₀(t)
//! M dv = [J; N]ᵀλ ,   v⁺ = v + dv   [Ascher & Petzold 1998, ch. 10: initial values of a DAE of index 3]
//! ```
//!
//! J and N are the joints' and the velocity constraints' rows at the present pose; c is J v of the bodies on a prescribed path,
//! whose velocity follows from the path, and zero for fixed bodies. dv is the smallest change in the metric of the kinetic
//! energy, the same as by an impact of all joints at once. Motors, springs, limits and contacts are not in the problem, and
//! positions stay.

use super::motion::SolvedBy;
use super::posed_problem::{Form, Problem, Record};
use crate::constraint::Rows;
use crate::lcp::{ACCEPTED, MixedRow, Solver};
use crate::math::largest;
use crate::model::{Body, World};
use crate::report::StepError;
use glam::DVec3;

/// Changes the velocities of the bodies that forces move, as little as possible, so that they fit all joints and velocity
/// constraints of `world` at its present poses and time.
///
/// ```
/// use driftlab::prelude::*;
/// use driftlab::step::make_consistent;
///
/// // A point mass on a rod of 1 m, which starts with (2, 1) m/s: only what is across the rod fits.
/// let mut world = World::new(DVec2::ZERO);
/// let wall = world.add_body(Body::fixed().build()?)?;
/// let bob = Body::dynamic().at([1.0, 0.0]).velocity([2.0, 1.0]).mass_and_inertia(1.0, 1.0);
/// let bob = world.add_body(bob.build()?)?;
/// world.add_joint(Joint::distance(wall, bob).anchors([0.0, 0.0], [1.0, 0.0]))?;
/// make_consistent(&mut world)?;
/// assert!((world[bob].velocity.linear - DVec2::new(0.0, 1.0)).length() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`StepError::NoVelocities`] where the constraints contradict each other, and what the solve of their equations
/// returns. The world is then as it was.
#[doc(hidden)]
pub fn make_consistent(world: &mut World) -> Result<(), StepError> {
    let q: Vec<DVec3> = world.bodies().iter().map(|body| body.pose.coordinates()).collect();
    let v: Vec<DVec3> = (0..q.len()).map(|body| world.velocity_of(body)).collect();
    let inverse_mass: Vec<DVec3> = world.bodies().iter().map(Body::inverse_mass).collect();
    let mut rows = Rows::default();
    rows.evaluate_joints(world, &q, &v);
    let mut problem = Problem::default();
    problem.begin(Form::System, (&inverse_mass, &v), &rows, |row| row.c);
    problem.pose_nonholonomic(&rows, (world, world.time()), |_, v0, _| -v0.value);
    problem.solve(SolvedBy::Solver(&Solver::default()), &mut Record::None)?;
    let (posed, fitted) = (&problem.mixed.rows, &problem.v);
    let left = posed.iter().map(|row| ((row.rate(fitted) + row.bias).abs(), [row.a, row.b]));
    if let Some((rate, bodies)) = left.max_by(|(one, _), (other, _)| one.total_cmp(other)) {
        let speed = |row: &MixedRow| row.arms().map(|(body, j)| j.dot(v[body]).abs()).sum::<f64>();
        let speeds = largest(posed.iter().map(speed)).max(largest(posed.iter().map(|row| row.bias)));
        // NaN fits nothing.
        if rate > ACCEPTED * speeds || rate.is_nan() {
            let bodies = bodies.map(|body| world.body_ids()[body]);
            return Err(StepError::NoVelocities { rate, bodies });
        }
    }
    for ((body, v), w) in world.bodies_mut().iter_mut().zip(fitted).zip(&inverse_mass) {
        if w.x > 0.0 {
            body.velocity = (*v).into();
        }
    }
    Ok(())
}
