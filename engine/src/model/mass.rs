//! Mass, centre of mass and moment of inertia, from densities and shapes or as given.
//!
//! For shapes i of area Aᵢ, centroid cᵢ and polar second moment about the centroid Jᵢ, at density ρ:
//! m = ρ Σ Aᵢ, c = Σ Aᵢ cᵢ / Σ Aᵢ, I = ρ Σ (Jᵢ + Aᵢ |cᵢ − c|²) (Huygens–Steiner).
//! Overlapping shapes count twice, as in every engine of the field. A shape with a density of its own counts with that one in
//! every sum: m = Σ ρᵢ Aᵢ, c = Σ ρᵢ Aᵢ cᵢ / m, I = Σ ρᵢ (Jᵢ + Aᵢ |cᵢ − c|²).

use super::error::{ModelError, positive};
use super::shape::Placement;
use glam::DVec2;

/// The value of I/m that the engine stores for a point mass, m². Nothing turns a point mass ([`Body::is_point_mass`]), so that
/// any positive number gives the same motion.
///
/// [`Body::is_point_mass`]: super::body::Body::is_point_mass
const POINT_MASS_GYRATION: f64 = 1.0;

/// Where a body's mass comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum MassSpec {
    /// Uniform density of the shapes, kg/m².
    Density(f64),
    /// A given mass in kg; the inertia about the centre of mass in kg m², or from the shapes. Without shapes and
    /// inertia it is a point mass.
    Given {
        /// Mass, kg.
        mass: f64,
        /// Moment of inertia about the centre of mass, kg m².
        inertia: Option<f64>,
    },
}

impl Default for MassSpec {
    fn default() -> Self {
        Self::Density(1000.0) // kg/m²
    }
}

/// Mass, inertia and centre of mass of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass, kg.
    pub mass: f64,
    /// Moment of inertia about the centre of mass, kg m².
    pub inertia: f64,
    /// Centre of mass in the body's frame, m.
    pub center: DVec2,
}

impl MassProperties {
    /// Computes mass, inertia and centre of mass of `shapes` according to `spec`.
    ///
    /// # Errors
    /// A density, mass or inertia that is not positive, or shapes without an area and no given mass and inertia.
    pub fn new(spec: MassSpec, shapes: &[Placement]) -> Result<Self, ModelError> {
        let mut moments: Vec<_> = shapes.iter().map(Placement::moments).collect();
        let mut spec = spec;
        if shapes.iter().any(|placed| placed.surface.density.is_some()) {
            let MassSpec::Density(density) = spec else { return Err(ModelError::MassAndDensity) };
            positive("density", density)?;
            for (own, placed) in moments.iter_mut().zip(shapes) {
                let density = placed.surface.density.unwrap_or(density);
                positive("density", density)?;
                // Masses in place of areas.
                (own.area, own.polar) = (density * own.area, density * own.polar);
            }
            spec = MassSpec::Density(1.0);
        }
        let area: f64 = moments.iter().map(|m| m.area).sum();
        let center = if area > 0.0 {
            moments.iter().map(|m| m.centroid * m.area).sum::<DVec2>() / area
        } else {
            DVec2::ZERO
        };
        let second: f64 =
            moments.iter().map(|m| m.polar + m.area * (m.centroid - center).length_squared()).sum();
        let (mass, inertia) = match spec {
            MassSpec::Density(density) => {
                positive("density", density)?;
                (density * area, density * second)
            }
            MassSpec::Given { mass, inertia: Some(inertia) } => {
                positive("mass", mass)?;
                positive("inertia", inertia)?;
                (mass, inertia)
            }
            MassSpec::Given { mass, inertia: None } => {
                positive("mass", mass)?;
                let gyration = if shapes.is_empty() { POINT_MASS_GYRATION } else { second / area };
                (mass, if area > 0.0 || shapes.is_empty() { mass * gyration } else { 0.0 })
            }
        };
        let usable = |x: f64| x.is_finite() && x > 0.0;
        if !usable(mass) || !usable(inertia) || !usable(1.0 / mass) || !usable(1.0 / inertia) {
            return Err(ModelError::NoMass);
        }
        Ok(Self { mass, inertia, center })
    }
}
