//! The stability of a scheme over a plane: ρ of the present scene over two of the scheme's parameters, or over one and the time step.
//!
//! | scheme | plane | ρ |
//! |---|---|---|
//! | Baumgarte, velocity level | α, h | closed form, \|1 − αh\| |
//! | Baumgarte, acceleration level | α, β at the present h and integrator | closed form, `block` |
//! | Anitescu & Hart | γ, h | closed form, 1 − γ |
//! | soft step | f, ζ at the present h | the whole scene's, `substeps` |
//!
//! What is linearised is the constraint error, without load and motion: the joints, and the contacts and limits that are in the
//! problem now, as equations. On these the closed form is the scene's own spectral radius, whatever the masses, so that it is not
//! computed from the scene. [`Survey::under_load`] computes it from the full step about the present state instead (`loaded`), where that is
//! linearised. Other schemes have no plane, and [`Plane::of`] says why.
//!
//! ```
//! use driftlab::experiment::stability::Survey;
//! use driftlab::scene::catalogue;
//! use driftlab::stabilizer::Method;
//!
//! let scene = catalogue::find("double-pendulum").unwrap().scene().unwrap();
//! let survey = Survey::of(&scene.world, &Method::by_key("baumgarte_acceleration").unwrap(), 0.01)?;
//! // α = β = 1/h, Hong's example of an unstable choice: ρ is the golden ratio.
//! assert!((survey.radius([100.0, 100.0]).unwrap() - 1.618034).abs() < 1e-6);
//! # Ok::<(), &'static str>(())
//! ```

mod axis;
mod boundary;

pub use axis::{PlaneAxis, Quantity};

use super::linear::Gathered;
use super::substeps::{Parameters, Substeps};
use super::{Loaded, Model, StabilityError};
use crate::model::World;
use crate::parameter::Parameter;
use crate::stabilizer::Method;

/// Time steps that are shown, s.
const STEPS: [f64; 2] = [1e-5, 0.1];
/// α of the velocity level that is shown, 1/s.
const RATES: [f64; 2] = [1.0, 1e5];
/// γ that is shown.
const SHARES: [f64; 2] = [1e-3, 1.0];
/// αh and βh that are shown, of the acceleration level.
const TIMES_STEP: [f64; 2] = [1e-3, 10.0];
/// fη that is shown, η the length of a substep; the engine uses no more than 0.25.
const CYCLES: [f64; 2] = [1e-4, 1.0];
/// ζ that is shown, of the soft step.
const RATIOS: [f64; 2] = [0.05, 20.0];

/// Most free bodies of a scene of which the loaded step is linearised: with 12 it takes some 5 ms.
const MOST_LOADED: usize = 12;
/// Most rows of a scene whose constraints affect each other: each ρ is that of a matrix of three times as many rows, and takes some 4 ms.
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
        let scaled = |[low, high]: [f64; 2], by: f64| [low * by, high * by];
        let substeps = method.stabilizer.values.get("substeps").unwrap_or(1.0);
        let of = |key: &str, range: [f64; 2]| {
            axis(method, key, range).ok_or("The scheme has no such parameter.")
        };
        let step = PlaneAxis { quantity: Quantity::TimeStep, low: STEPS[0], high: STEPS[1] };
        let axes = match method.stabilizer.info().key {
            "baumgarte_velocity" => [of("alpha", RATES)?, step],
            "anitescu_hart" => [of("gamma", SHARES)?, step],
            "baumgarte_acceleration" => {
                let range = scaled(TIMES_STEP, 1.0 / h);
                [of("alpha", range)?, of("beta", range)?]
            }
            "soft" => [of("hertz", scaled(CYCLES, substeps / h))?, of("damping_ratio", RATIOS)?],
            "none" => {
                return Err(
                    "Nothing to tune: no error is corrected. An error stays: ρ, its factor per step, is 1.",
                );
            }
            "implicit" => {
                return Err(
                    "Nothing to tune: each step removes nearly all of the joint error. ρ, its factor per step, is 0.",
                );
            }
            "post_stabilization" | "projection" | "rattle" => {
                return Err(
                    "Nothing to tune: each step ends with the constraints met. ρ, the error's factor per step, is 0.",
                );
            }
            _ => {
                return Err(
                    "No map: the scheme sweeps a fixed number of times, and the linearised step of its sweeps is not known here.",
                );
            }
        };
        Ok(Self { axes })
    }

    /// The values of both quantities in a method at the time step `h`, s.
    pub fn point(&self, method: &Method, h: f64) -> [f64; 2] {
        self.axes.map(|axis| match axis.quantity {
            Quantity::Parameter(own) => method.stabilizer.values.of(own),
            Quantity::TimeStep => h,
        })
    }

    /// The method and the time step with both quantities at these values, each moved into its range.
    pub fn set(&self, method: &Method, h: f64, values: [f64; 2]) -> (Method, f64) {
        let (mut method, mut h) = (method.clone(), h);
        for (axis, value) in self.axes.iter().zip(values) {
            match axis.quantity {
                Quantity::Parameter(own) => {
                    let value = value.clamp(own.minimum, own.maximum);
                    // Within its range, so that it is accepted.
                    let _accepted = method.stabilizer.values.set(own.key, value);
                }
                Quantity::TimeStep => h = value.clamp(axis.low, axis.high),
            }
        }
        (method, h)
    }
}

fn axis(method: &Method, key: &str, [low, high]: [f64; 2]) -> Option<PlaneAxis> {
    let own: &'static [Parameter] = method.stabilizer.info().parameters;
    let parameter = own.iter().find(|own| own.key == key)?;
    Some(PlaneAxis { quantity: Quantity::Parameter(parameter), low, high })
}

/// The exact line ρ = 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    /// Its equation.
    pub name: &'static str,
    /// Its points in the plane's quantities, one after the other.
    pub points: Vec<[f64; 2]>,
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
        let coupled = match method.stabilizer.info().key {
            "soft" if gathered.rows.len() > MOST_COUPLED => return Err(TOO_LARGE),
            "soft" if !gathered.rows.is_empty() => Some(Substeps::new(&gathered).map_err(|_| NOT_FINITE)?),
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

    /// The same of the full step about `world`'s state, with its load and motion, where that has a linearisation and is small enough.
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
        if method.stabilizer.info().key != "soft" {
            let model = Model::of(method, h).ok_or(StabilityError::NotThisStep)?;
            return Ok(model.block(h).spectral_radius());
        }
        let parameters = Parameters::of(method);
        match &self.coupled {
            Some(coupled) => coupled.spectral_radius(&parameters, h),
            None => Substeps::new(&Gathered::single())?.spectral_radius(&parameters, h),
        }
    }

    /// The exact line ρ = 1, where there is one in closed form.
    pub fn boundary(&self) -> Option<Boundary> {
        let points = match self.method.stabilizer.info().key {
            "baumgarte_velocity" => {
                let [alpha, step] = self.plane.axes;
                let ends = [alpha.low.max(2.0 / step.high), alpha.high.min(2.0 / step.low)];
                let line = ends.map(|alpha| [alpha, 2.0 / alpha]);
                return Some(Boundary { name: "αh = 2", points: line.to_vec() });
            }
            "baumgarte_acceleration" => boundary::of_acceleration(self.method.integrator, self.h),
            _ => return None,
        };
        let name = match self.method.integrator {
            crate::stabilizer::Integrator::SemiImplicitEuler => "(βh)² + 4αh = 4",
            crate::stabilizer::Integrator::ExplicitEuler => "(βh)² = 2αh, (βh)² = 4αh − 4",
            crate::stabilizer::Integrator::Rk4 => "|R(z)| = 1",
        };
        Some(Boundary { name, points })
    }
}
