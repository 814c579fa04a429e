//! The step itself, linearised about the present loaded state.
//!
//! ```text
//! (δq, δv)⁺ = D (δq, δv) ,     D = ∂(q⁺, v⁺)/∂(q, v) of the method's full step
//! ```
//!
//! Where joints carry a load λ, their turning moves the load: M δv⁺ = M δv + Jᵀδλ + Σ λᵢHᵢ δq, Hᵢ = ∂²gᵢ/∂q² the
//! geometric stiffness (`rows`). Every solve of the step is differentiated without simplification (`system`), springs,
//! the turning of the rows in the step and all corrections included (`velocity`, `acceleration`), so that D is the
//! derivative of `step` to rounding; at λ = 0, F = 0 and v = 0 it reduces to the unloaded form, [`Linear`](super::Linear).
//!
//! **Schemes**: none, Baumgarte at both levels, Anitescu & Hart, implicit, post-stabilization with any number of corrections,
//! projection, RATTLE, Gear, Gupta & Leimkuhler, direct joints; all three integrators; non-holonomic rows with Baumgarte's ∫e dt
//! as a part of the state, except under RATTLE. The schemes that sweep (`ngs`, `split_impulse`, `soft`, `xpbd`, `avbd`) have no
//! linearisation, and `generalized_alpha`, which remembers accelerations, has the unloaded one alone.
//!
//! **Contacts** that push and do not slide are equations of the schemes of one velocity solve (`active`). Sliding
//! friction, impacts, contacts under the other schemes, limits and motors are not part of D. Each analysis therefore
//! makes the real step, too: where one of them acts in it, where the step is divided into parts, or where a
//! correction reaches its bound, q⁺ and v⁺ differ from those of the linearised step, and the analysis is refused.
//! Whatever does not act in the step does not change D. The mouse's grab and repulsion are refused, and so are motors that hold a
//! position or a pose, and friction of joints.
//!
//! **Which eigenvalues count.** All of them count where the step returns to the state that it starts from
//! ([`Loaded::is_at_rest`]): ρ(D) > 1 says that small disturbances of this equilibrium grow, because of the scheme or
//! of the physics. The motion's own modes are among them: a pendulum that hangs has modulus 1 under semi-implicit
//! Euler while hω ≤ 2, √(1 + h²ω²) under explicit Euler; free bodies have 1, twice. The *constraint part* E maps
//! errors of position and velocity before the step to those after it (`errors`). At rest its eigenvalues are among
//! those of D: with g̈ + 2αġ + β²g = 0 those of the closed form. In motion D leads from one state to another; its
//! eigenvalues are those of frozen coefficients, and only those of the constraint part, which is fast, indicate
//! stability.
//!
//! Redundant rows of joints are solved as in the step, by the pseudo-inverse: where they come into conflict, in least squares.

mod acceleration;
mod active;
mod errors;
mod modes;
mod rows;
mod stage;
mod system;
mod velocity;

use super::StabilityError;
use super::linear::largest_eigenvalue;
use crate::experiment::dense::Dense;
use crate::method::{Method, Metric, Operation, Quadrature};
use crate::model::{BodyKind, Joint, World};
use crate::step::Workspace;
use crate::step::step;
use active::active;
use errors::{Errors, norm, pseudo_inverse};
use glam::DVec3;
pub use modes::{Mode, modes};
use rows::{Curved, Kind, holds};
use stage::{Place, Stage, places};

/// The step whose derivative is taken is the real one if both agree to this, relative to coordinates and speeds and at
/// least 1 m, rad, m/s or rad/s: solvers of contact problems leave up to 1e-9.
const SAME: f64 = 1e-8;
/// A step that moves nothing farther than this, m or rad, is at rest.
const REST: f64 = 1e-9;

/// The derivative of a full step.
#[derive(Clone, Debug)]
pub struct Loaded {
    matrix: Dense,
    /// √m of q, h√m of v: turns D into a matrix of one unit.
    scale: Vec<f64>,
    /// E.
    errors: Dense,
    /// R at the start, in scaled coordinates.
    reading: Dense,
    /// Time step, s.
    h: f64,
    rows: usize,
    at_rest: bool,
}

impl Loaded {
    /// The linearised step of `method` by `h` s from the world's present state.
    ///
    /// # Errors
    /// A scheme that has no linearisation, a step that fails, a step in which something acts that D does not contain.
    pub fn of(world: &World, method: &Method, h: f64) -> Result<Self, StabilityError> {
        let operations = (method.stabilizer.scheme().operations)(method, h);
        let remembers = operations.iter().any(|operation| match operation {
            Operation::Forces(oscillator) => oscillator.integral != Quadrature::Off,
            _ => false,
        });
        let places = places(world);
        let mut stage = Stage::new(world, h, &places, remembers);
        let (after, workspace) = real(world, method, h)?;
        let (swinging, mobility, mean) = workspace.swinging();
        (stage.swinging, stage.mobility, stage.mean) =
            (swinging.to_vec(), mobility.to_vec(), mean.to_vec());
        stage.active = active(world, &after, method, h);
        let (mut start, v) = (stage.rows(), stage.v.value.clone());
        advance(&mut stage, method, &operations)?;
        let moved = compare(&stage, world, &after)?;
        stage.prescribe_velocity(h);
        let mut end = stage.rows();
        let matrix = derivative(&stage, &places, remembers);
        start.retain(|row| !row.kind.is_spring());
        end.retain(|row| !row.kind.is_spring());
        let scale = scale(&stage.inverse_mass, &places, &start, h, remembers);
        let norms = start.iter().map(|row| norm(row, &stage.inverse_mass)).collect();
        let read = Errors { places: &places, scale: &scale, h, norms };
        let reading = read.reading(&start, &v);
        let before = pseudo_inverse(&reading)?;
        let errors = &(&read.reading(&end, &stage.v.value) * &scaled(&matrix, &scale)) * &before;
        let prescribed = |kind: BodyKind| matches!(kind, BodyKind::Kinematic(_));
        let still = !world.bodies().iter().any(|body| prescribed(body.kind()));
        let (rows, at_rest) = (start.len(), still && moved <= REST);
        Ok(Self { matrix, scale, errors, reading, h, rows, at_rest })
    }

    /// D, of (δq, δv) in the coordinates that forces can move, body by body, and of ∫e dt where the scheme uses it.
    pub fn matrix(&self) -> &Dense {
        &self.matrix
    }

    /// Scalar rows of joints, non-holonomic constraints and contacts that push.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Whether the step returns to the state that it starts from, to 1e-9: an equilibrium, about which the eigenvalues of D
    /// decide.
    pub fn is_at_rest(&self) -> bool {
        self.at_rest
    }

    /// ρ(D), the motion's own modes included. Eigenvalues that coincide, as those of free motion, are accurate to about
    /// 1e-8, the square root of rounding.
    ///
    /// # Errors
    /// Entries that are not finite, or an iteration that does not converge.
    pub fn spectral_radius(&self) -> Result<f64, StabilityError> {
        largest_eigenvalue(&scaled(&self.matrix, &self.scale))
    }

    /// ρ(E), of the constraint part.
    ///
    /// # Errors
    /// As for [`Loaded::spectral_radius`].
    pub fn constraint_radius(&self) -> Result<f64, StabilityError> {
        largest_eigenvalue(&self.errors)
    }
}

/// The matrix in coordinates of one unit.
fn scaled(matrix: &Dense, scale: &[f64]) -> Dense {
    Dense::from_fn(matrix.nrows(), matrix.ncols(), |i, j| scale[i] * matrix[(i, j)] / scale[j])
}

/// The step of the method, with its derivatives: its operations one after the other.
fn advance(stage: &mut Stage<'_>, method: &Method, operations: &[Operation]) -> Result<(), StabilityError> {
    let unknown = Err(StabilityError::NoLoadedForm { scheme: method.stabilizer.info().key });
    if operations.is_empty() {
        return unknown;
    }
    for operation in operations {
        match *operation {
            Operation::Impulses { rate, turning, .. } => stage.velocity_step(rate, turning)?,
            Operation::Forces(oscillator) => stage.acceleration_step(method.integrator, oscillator)?,
            Operation::PositionCorrections { metric, bound, count } => {
                let inverse_mass = match metric {
                    Metric::Mass => stage.inverse_mass.clone(),
                    Metric::Identity => stage.identity.clone(),
                };
                (0..count).try_for_each(|_| stage.correct_positions(&inverse_mass, bound))?;
            }
            Operation::PositionProjection => stage.project_positions()?,
            Operation::VelocityProjection => {
                stage.prescribe_velocity(stage.h);
                stage.project_velocities(stage.h)?;
            }
            Operation::Drift => stage.drift(),
            Operation::ImpulsesAtEnd => stage.velocities_at_end()?,
            Operation::Verlet if stage.world.nonholonomic().is_empty() => stage.rattle()?,
            Operation::Verlet | Operation::SoftSubsteps { .. } => return unknown,
        }
    }
    Ok(())
}

/// The world after the real step, made in one, and the memory of that step.
fn real(world: &World, method: &Method, h: f64) -> Result<(World, Workspace), StabilityError> {
    let acts = world.grab().is_some() || world.repulsion().is_some();
    let beyond = |joint: &Joint| holds(joint) || joint.length_profile.is_some();
    if acts || world.joints().iter().any(beyond) {
        return Err(StabilityError::NotThisStep);
    }
    let mut after = world.clone();
    let mut workspace = Workspace::default();
    let report = step(&mut after, method, h, &mut workspace)?;
    match report.substeps {
        1 => Ok((after, workspace)),
        _ => Err(StabilityError::NotThisStep),
    }
}

/// Compares with the real step; returns how far that moved a coordinate, m or rad, or changed h times a speed.
fn compare(stage: &Stage<'_>, world: &World, after: &World) -> Result<f64, StabilityError> {
    let size = |x: DVec3| x.abs().max_element();
    let (mut apart, mut moved) = ([0.0_f64; 2], 0.0_f64);
    let mut reach = [1.0_f64; 2];
    for (index, (body, before)) in after.bodies().iter().zip(world.bodies()).enumerate() {
        if !body.is_dynamic() {
            continue;
        }
        let there = [body.pose.coordinates(), body.velocity.coordinates()];
        let here = [before.pose.coordinates(), before.velocity.coordinates()];
        for (part, own) in [stage.q.value[index], stage.v.value[index]].into_iter().enumerate() {
            reach[part] = reach[part].max(size(there[part]));
            apart[part] = crate::internal::largest([apart[part], size(there[part] - own)]);
        }
        moved = moved.max(size(there[0] - here[0])).max(stage.h * size(there[1] - here[1]));
    }
    if apart[0] <= SAME * reach[0] && apart[1] <= SAME * reach[1] {
        Ok(moved)
    } else {
        Err(StabilityError::NotThisStep)
    }
}

/// D from the derivatives in all directions.
fn derivative(stage: &Stage<'_>, places: &[Place], remembers: bool) -> Dense {
    let (n, size) = (places.len(), stage.q.slopes.len());
    let sums = if remembers { size - 2 * n } else { 0 };
    Dense::from_fn(2 * n + sums, size, |i, j| match (i / n.max(1), i % n.max(1)) {
        _ if i >= 2 * n => stage.sums.slopes[j][i - 2 * n],
        (0, i) => stage.q.slopes[j][places[i].0][places[i].1],
        (_, i) => stage.v.slopes[j][places[i].0][places[i].1],
    })
}

/// √m of each coordinate, h√m of its velocity, 1/√(N M⁻¹Nᵀ) of each integral.
fn scale(inverse_mass: &[DVec3], places: &[Place], rows: &[Curved], h: f64, remembers: bool) -> Vec<f64> {
    let root: Vec<f64> =
        places.iter().map(|(body, axis)| 1.0 / inverse_mass[*body][*axis].sqrt()).collect();
    let held = rows.iter().filter(|row| remembers && matches!(row.kind, Kind::Held(..)));
    let integrals = held.map(|row| norm(row, inverse_mass));
    root.iter().copied().chain(root.iter().map(|m| h * m)).chain(integrals).collect()
}
