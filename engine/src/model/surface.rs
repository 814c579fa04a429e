//! Surfaces: who collides with whom, how two surfaces rub and rebound, and named materials.
//!
//! **Filters** are Box2D's [Box2D 3.1, `b2Filter`]. Two shapes of the same group other than 0 collide if it is positive and do
//! not if it is negative; all others collide where
//!
//! ```text
//! mask_a & categories_b ≠ 0   and   mask_b & categories_a ≠ 0
//! ```
//!
//! **Pairs.** Friction and restitution of two surfaces are combined by a rule of the world ([`Mix`]), unless the world states
//! them for the pair of their materials. Surface speeds add. A *surface speed* s is the speed of a belt that runs around the
//! shape clockwise, so that it carries to the right what lies on top: friction acts against the slip
//!
//! ```text
//! J_t v + s_a + s_b
//! ```
//!
//! with the tangent that is the normal from a to b turned a quarter counter-clockwise.

use super::error::{ModelError, finite, not_negative, share};

/// Which shapes a shape collides with.
///
/// ```
/// use driftlab::model::Filter;
///
/// let ghost = Filter { categories: 2, mask: 1, ..Filter::default() };
/// assert!(ghost.passes(&Filter::default()) && !ghost.passes(&ghost));
/// assert!(Filter { group: 3, ..ghost }.passes(&Filter { group: 3, ..ghost }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Filter {
    /// The categories that it belongs to, as bits.
    pub categories: u32,
    /// The categories that it collides with, as bits.
    pub mask: u32,
    /// Shapes of the same group other than 0 always collide if it is positive, and never if it is negative.
    pub group: i32,
}

impl Default for Filter {
    /// The first category; collides with all.
    fn default() -> Self {
        Self { categories: 1, mask: u32::MAX, group: 0 }
    }
}

impl Filter {
    /// Whether the two collide.
    pub fn passes(&self, other: &Self) -> bool {
        if self.group != 0 && self.group == other.group {
            return self.group > 0;
        }
        self.mask & other.categories != 0 && other.mask & self.categories != 0
    }

    /// Whether all that collide with `other` collide with it, too, as far as can be said without knowing them.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        let wider =
            self.categories & other.categories == other.categories && self.mask & other.mask == other.mask;
        wider && (self.group == other.group || (self.group >= 0 && other.group <= 0))
    }
}

/// What a shape has of its own in place of what its body has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Surface {
    /// Density, kg/m².
    pub density: Option<f64>,
    /// Coulomb friction coefficient.
    pub friction: Option<f64>,
    /// Coefficient of static friction.
    pub static_friction: Option<f64>,
    /// Coefficient of restitution.
    pub restitution: Option<f64>,
    /// Lever of rolling resistance, m.
    pub rolling_resistance: Option<f64>,
    /// Speed of the surface, m/s.
    pub surface_speed: Option<f64>,
    /// Who it collides with.
    pub filter: Option<Filter>,
    /// Its material, by its place in [`Materials::list`].
    pub material: Option<u32>,
}

impl Surface {
    /// Whether it has nothing of its own.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        let each = |quantity: &'static str,
                    value: Option<f64>,
                    check: fn(&'static str, f64) -> Result<(), ModelError>| {
            value.map_or(Ok(()), |value| check(quantity, value))
        };
        each("density", self.density, super::error::positive)?;
        each("friction", self.friction, not_negative)?;
        each("static friction", self.static_friction, not_negative)?;
        each("restitution", self.restitution, share)?;
        each("rolling resistance", self.rolling_resistance, not_negative)?;
        each("surface speed", self.surface_speed, finite)?;
        check_static(self.friction, self.static_friction)
    }
}

/// Static friction is not below kinetic friction.
pub(super) fn check_static(kinetic: Option<f64>, of_rest: Option<f64>) -> Result<(), ModelError> {
    match (kinetic, of_rest) {
        (Some(kinetic), Some(of_rest)) if of_rest < kinetic => Err(ModelError::OutOfRange {
            quantity: "static friction",
            expected: "at least the friction",
            value: of_rest,
        }),
        _ => Ok(()),
    }
}

/// The surface of one piece of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skin {
    /// Coulomb friction coefficient.
    pub friction: f64,
    /// Coefficient of static friction, at least the former.
    pub static_friction: f64,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// Lever of rolling resistance, m.
    pub rolling_resistance: f64,
    /// Speed of the surface, m/s.
    pub speed: f64,
    /// Its material.
    pub material: Option<u32>,
}

/// How a coefficient of a pair follows from those of its two surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Mix {
    /// (x + y)/2.
    Mean,
    /// √(x y).
    Geometric,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
    /// x y.
    Product,
}

impl Mix {
    /// All rules with their names in scene files.
    pub const ALL: [(&'static str, Self); 5] = [
        ("mean", Self::Mean),
        ("geometric", Self::Geometric),
        ("min", Self::Min),
        ("max", Self::Max),
        ("product", Self::Product),
    ];

    /// The coefficient of the pair.
    pub fn of(self, x: f64, y: f64) -> f64 {
        match self {
            Self::Mean => 0.5 * (x + y),
            Self::Geometric => (x * y).sqrt(),
            Self::Min => x.min(y),
            Self::Max => x.max(y),
            Self::Product => x * y,
        }
    }
}

/// A named material: what the surfaces and shapes of it have unless they state their own.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Material {
    /// Its name in scene files.
    pub name: String,
    /// Its properties, without filter and material.
    pub surface: Surface,
}

/// What two materials have together in place of what their combination gives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MaterialPair {
    /// The places of the two in [`Materials::list`], in any order.
    pub materials: [u32; 2],
    /// Coulomb friction coefficient.
    pub friction: Option<f64>,
    /// Coefficient of static friction.
    pub static_friction: Option<f64>,
    /// Coefficient of restitution.
    pub restitution: Option<f64>,
    /// Lever of rolling resistance, m.
    pub rolling_resistance: Option<f64>,
}

/// The materials of a world, and how those of a pair are combined.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Materials {
    /// The rule of friction.
    pub friction: Mix,
    /// The rule of restitution.
    pub restitution: Mix,
    /// The named materials. Bodies and shapes that were made from them hold copies of their values.
    pub list: Vec<Material>,
    /// Pairs of them with values of their own.
    pub pairs: Vec<MaterialPair>,
}

impl Default for Materials {
    /// The geometric mean of friction (Box2D), the larger restitution, no material.
    fn default() -> Self {
        Self { friction: Mix::Geometric, restitution: Mix::Max, list: Vec::new(), pairs: Vec::new() }
    }
}

/// Two surfaces that touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grip {
    /// Coulomb's μ.
    pub friction: f64,
    /// Coulomb's μ of two surfaces that do not slip.
    pub static_friction: f64,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// Lever of rolling resistance, m: of two surfaces the larger one.
    pub rolling_resistance: f64,
    /// s_a + s_b, m/s.
    pub speed: f64,
}

impl Materials {
    /// How two surfaces hold each other.
    #[inline]
    pub fn grip(&self, a: &Skin, b: &Skin) -> Grip {
        let mut grip = Grip {
            friction: self.friction.of(a.friction, b.friction),
            static_friction: self.friction.of(a.static_friction, b.static_friction),
            restitution: self.restitution.of(a.restitution, b.restitution),
            rolling_resistance: a.rolling_resistance.max(b.rolling_resistance),
            speed: a.speed + b.speed,
        };
        if let (false, Some(one), Some(other)) = (self.pairs.is_empty(), a.material, b.material) {
            let own =
                |pair: &&MaterialPair| pair.materials == [one, other] || pair.materials == [other, one];
            if let Some(pair) = self.pairs.iter().find(own) {
                let static_friction =
                    pair.static_friction.or(pair.friction).unwrap_or(grip.static_friction);
                grip.friction = pair.friction.unwrap_or(grip.friction);
                grip.static_friction = static_friction.max(grip.friction);
                grip.restitution = pair.restitution.unwrap_or(grip.restitution);
                grip.rolling_resistance = pair.rolling_resistance.unwrap_or(grip.rolling_resistance);
            }
        }
        grip
    }

    /// Checks the numbers of all materials and pairs, and that each pair names two that exist and no other pair does.
    pub(super) fn check(&self) -> Result<(), ModelError> {
        self.list.iter().try_for_each(|material| material.surface.check())?;
        for (index, pair) in self.pairs.iter().enumerate() {
            let MaterialPair { materials, friction, static_friction, restitution, rolling_resistance } =
                *pair;
            let numbers = Surface {
                friction,
                static_friction,
                restitution,
                rolling_resistance,
                ..Surface::default()
            };
            numbers.check()?;
            let same = |other: &MaterialPair| {
                other.materials == materials || other.materials == [materials[1], materials[0]]
            };
            let exist = materials.iter().all(|own| (*own as usize) < self.list.len());
            if !exist || self.pairs[..index].iter().any(same) {
                return Err(ModelError::MaterialPair(materials));
            }
        }
        Ok(())
    }
}
