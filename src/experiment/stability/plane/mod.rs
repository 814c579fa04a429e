//! The stability of a scheme over a plane: ρ of the present scene over two of the scheme's parameters, or over one and
//! the time step, as the scheme says ([`Scheme::stability_plane`](crate::method::Scheme::stability_plane)).
//!
//! ρ of one constraint is that of the closed form (`block`); where the scheme's substeps couple the constraints, the
//! whole scene's (`substeps`).
//!
//! What is linearised is the constraint error, without load and motion: the joints, and the contacts and limits that are in the
//! problem now, as equations. On these the closed form is the scene's own spectral radius, whatever the masses, so that it is not
//! computed from the scene. [`Survey::under_load`] computes it from the full step about the present state instead
//! (`loaded`), where that is linearised. Other schemes have no plane, and [`Plane::of`] says why.
//!
//! ```
//! use driftlab::experiment::stability::Survey;
//! use driftlab::scene::catalogue;
//! use driftlab::method::Method;
//!
//! let scene = catalogue::find("double-pendulum").unwrap().scene().unwrap();
//! let survey = Survey::of(&scene.world, &Method::by_key("baumgarte_acceleration").unwrap(), 0.01)?;
//! // α = β = 1/h, Hong's example of an unstable choice: ρ is the golden ratio.
//! assert!((survey.radius([100.0, 100.0]).unwrap() - 1.618034).abs() < 1e-6);
//! # Ok::<(), &'static str>(())
//! ```

mod axis;

pub use axis::PlaneAxis;

use super::linear::Gathered;
use super::substeps::{Parameters, Substeps};
use super::{Loaded, Model, StabilityError};
use crate::method::{AxisQuantity, Linearised, Method, StabilityBoundary};
use crate::model::World;

/// Most free bodies of a scene of which the loaded step is linearised: with 12 it takes some 5 ms.
const MOST_LOADED: usize = 12;
/// Most rows of a scene whose constraints affect each other: each ρ is that of a matrix of three times as many rows,
/// and takes some 4 ms.
const MOST_COUPLED: usize = 20;
/// Why a larger scene has no plane.
const TOO_LARGE: &str = "No map: this scheme couples all constraints, and the eigenvalues of a scene of more than 20 rows take too long.";
/// Why a scene has none that cannot be linearised.
const NOT_FINITE: &str = "No map: the linearised step is not finite.";

/// A plane of two quantities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// To the right, and up.
    pub axes: [PlaneAxis; 2],
}

impl Plane {
    /// The plane of a method at the time step `h`, s.
    ///
    /// # Errors
    /// Why there is none, as a sentence.
    pub fn of(method: &Method, h: f64) -> Result<Self, &'static str> {
        let scheme = method.stabilizer.scheme();
        match (scheme.stability_plane)(&method.stabilizer.values, h) {
            Some(axes) => Ok(Self { axes: axes.map(PlaneAxis::from) }),
            None => Err(match (scheme.linearised)(method, h) {
                Some(_) if !scheme.corrects_positions => {
                    "No map: no error is corrected, whatever the parameters. An error stays: ρ, its factor per step, is 1."
                }
                Some(Linearised::Projected) => {
                    "No map: whatever the parameters, each step ends with the constraints met. ρ, the error's factor per step, is 0."
                }
                Some(_) => {
                    "No map: whatever the parameters, each step removes nearly all of the joint error. ρ, its factor per step, is 0."
                }
                None => {
                    "No map: the scheme sweeps a fixed number of times, and the linearised step of its sweeps is not known here."
                }
            }),
        }
    }

    /// The values of both quantities in a method at the time step `h`, s.
    pub fn point(&self, method: &Method, h: f64) -> [f64; 2] {
        self.axes.map(|axis| match axis.quantity {
            AxisQuantity::Parameter(own) => method.stabilizer.values.of(own),
            AxisQuantity::TimeStep => h,
        })
    }

    /// The method and the time step with both quantities at these values, each moved into its range.
    pub fn set(&self, method: &Method, h: f64, values: [f64; 2]) -> (Method, f64) {
        let (mut method, mut h) = (method.clone(), h);
        for (axis, value) in self.axes.iter().zip(values) {
            match axis.quantity {
                AxisQuantity::Parameter(own) => {
                    let value = value.clamp(own.minimum, own.maximum);
                    // Within its range, so that it is accepted.
                    let _accepted = method.stabilizer.values.set(own.key, value);
                }
                AxisQuantity::TimeStep => h = value.clamp(axis.low, axis.high),
            }
        }
        (method, h)
    }
}

/// A scene and a method, of which ρ is asked all over a plane.
#[derive(Clone, Debug)]
pub struct Survey {
    plane: Plane,
    method: Method,
    h: f64,
    /// Of schemes whose constraints affect each other.
    coupled: Option<Substeps>,
    /// The state about which the full step is linearised.
    state: Option<World>,
    joint_rows: usize,
    touching_rows: usize,
}

impl Survey {
    /// Of a world as it stands, under `method` at the time step `h`, s.
    ///
    /// # Errors
    /// Why there is no plane, as a sentence.
    pub fn of(world: &World, method: &Method, h: f64) -> Result<Self, &'static str> {
        let plane = Plane::of(method, h)?;
        let gathered = Gathered::of(world, method);
        let coupled = match Parameters::of(method, h) {
            Some(_) if gathered.rows.len() > MOST_COUPLED => return Err(TOO_LARGE),
            Some(_) if !gathered.rows.is_empty() => Some(Substeps::new(&gathered).map_err(|_| NOT_FINITE)?),
            _ => None,
        };
        Ok(Self {
            plane,
            method: method.clone(),
            h,
            coupled,
            state: None,
            joint_rows: gathered.of_joints,
            touching_rows: gathered.rows.len() - gathered.of_joints,
        })
    }

    /// The survey of the full step about `world`'s state, with its load and motion, where that has a linearisation and
    /// is small enough.
    pub fn under_load(mut self, world: &World) -> Self {
        let free = world.bodies().iter().filter(|body| body.is_dynamic()).count();
        if free <= MOST_LOADED && Loaded::of(world, &self.method, self.h).is_ok() {
            self.state = Some(world.clone());
        }
        self
    }

    /// Whether it is that of the full step, with load and motion.
    pub fn is_loaded(&self) -> bool {
        self.state.is_some()
    }

    /// The plane.
    pub fn plane(&self) -> &Plane {
        &self.plane
    }

    /// Rows of joints that are linearised.
    pub fn joint_rows(&self) -> usize {
        self.joint_rows
    }

    /// Rows of contacts and limits that are linearised.
    pub fn touching_rows(&self) -> usize {
        self.touching_rows
    }

    /// Whether each ρ needs the eigenvalues of the scene: where the constraints affect each other, and under load.
    pub fn is_coupled(&self) -> bool {
        self.coupled.is_some() || self.is_loaded()
    }

    /// ρ at these values of the plane's quantities.
    ///
    /// # Errors
    /// Entries that are not finite, eigenvalues that are not found.
    pub fn radius(&self, values: [f64; 2]) -> Result<f64, StabilityError> {
        let (method, h) = self.plane.set(&self.method, self.h, values);
        if let Some(world) = &self.state {
            return Loaded::of(world, &method, h)?.constraint_radius();
        }
        self.unloaded(&method, h)
    }

    /// ρ without load and motion of the method at `h`, s.
    ///
    /// # Errors
    /// As for [`Survey::radius`].
    pub fn unloaded(&self, method: &Method, h: f64) -> Result<f64, StabilityError> {
        let Some(parameters) = Parameters::of(method, h) else {
            let model = Model::of(method, h).ok_or(StabilityError::NotThisStep)?;
            return Ok(model.block(h).spectral_radius());
        };
        match &self.coupled {
            Some(coupled) => coupled.spectral_radius(&parameters, h),
            None => Substeps::new(&Gathered::single())?.spectral_radius(&parameters, h),
        }
    }

    /// The exact line ρ = 1, where there is one in closed form.
    pub fn boundary(&self) -> Option<StabilityBoundary> {
        let Method { stabilizer, integrator, .. } = &self.method;
        (stabilizer.scheme().stability_boundary)(&stabilizer.values, *integrator, self.h)
    }
}
