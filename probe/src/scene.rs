//! The world of a recording's first line, put together part by part: a [`Scene`] of [`Body`]s, [`Joint`]s and [`Spring`]s,
//! written as driftlab's scene files are (`docs/SCENES.md`). Only what engines of planar rigid bodies commonly have is here; a
//! header takes any JSON as its scene.

use serde::Serialize;

use crate::format::{Engine, FORMAT, Header, Moment, Precision, Units};

mod joint;
mod shape;
mod spring;

pub use joint::{Joint, Motor, Softness};
pub use shape::{Outline, Shape};
pub use spring::Spring;

/// A world before its first step.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Scene {
    /// Acceleration of gravity, m/s².
    pub gravity: [f64; 2],
    /// How the surfaces of two shapes are combined; √(μ_a μ_b) and the larger e without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub combination: Option<Combination>,
    /// The bodies; the number of a body is its place here.
    pub bodies: Vec<Body>,
    /// The joints, numbered likewise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<Joint>,
    /// The springs, numbered by themselves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub springs: Vec<Spring>,
}

impl Scene {
    /// A world without bodies.
    pub fn new(gravity: [f64; 2]) -> Self {
        Scene { gravity, ..Scene::default() }
    }

    /// Adds a body and returns its number.
    pub fn body(&mut self, body: Body) -> usize {
        self.bodies.push(body);
        self.bodies.len() - 1
    }

    /// Adds a joint and returns its number.
    pub fn joint(&mut self, joint: Joint) -> usize {
        self.joints.push(joint);
        self.joints.len() - 1
    }

    /// Adds a spring and returns its number.
    pub fn spring(&mut self, spring: Spring) -> usize {
        self.springs.push(spring);
        self.springs.len() - 1
    }

    /// The first line of a recording of this world by the engine of that name, in steps of `time_step` s. [`Header::version`]
    /// adds the engine's version.
    pub fn header(&self, engine: &str, time_step: f64) -> serde_json::Result<Header> {
        Ok(Header {
            format: FORMAT.to_owned(),
            engine: Engine { name: engine.to_owned(), ..Engine::default() },
            time_step: Some(time_step),
            units: Units::Si,
            precision: Precision::F64,
            contacts_at: Moment::End,
            impulses: Default::default(),
            scene: serde_json::value::to_raw_value(self)?,
            left_out: Vec::new(),
        })
    }
}

/// What a pair has of the coefficients of its two shapes: `mean`, `geometric`, `min`, `max` or `product`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Combination {
    /// Of friction.
    pub friction: &'static str,
    /// Of restitution.
    pub restitution: &'static str,
}

/// How a body moves.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// By the laws of mechanics.
    #[default]
    Dynamic,
    /// Not at all.
    Fixed,
    /// As prescribed.
    Kinematic,
}

/// A body. The position is that of its origin, the velocity that of its centre of mass. The centre of mass is the centroid of the
/// shapes; of a body without shapes it is the origin.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Body {
    /// Its name, unique in the scene.
    pub name: String,
    /// How it moves.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// Its origin, m.
    pub position: [f64; 2],
    /// Its angle, rad.
    pub angle: f64,
    /// Velocity of its centre of mass, m/s.
    #[serde(skip_serializing_if = "is_still")]
    pub velocity: [f64; 2],
    /// Its angular velocity, rad/s.
    #[serde(skip_serializing_if = "is_zero")]
    pub angular_velocity: f64,
    /// Its mass, kg.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mass: Option<f64>,
    /// Its moment of inertia about its centre of mass, kg m².
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inertia: Option<f64>,
    /// Whether nothing turns it.
    #[serde(skip_serializing_if = "is_false")]
    pub fixed_rotation: bool,
    /// What its weight is multiplied by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gravity_scale: Option<f64>,
    /// c of its drag −c v, N s/m. Engines that damp by a rate have c = m times it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linear_damping: Option<f64>,
    /// c_θ of its drag −c_θ ω, N m s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub angular_damping: Option<f64>,
    /// Whether it collides; as a rule it does. What the engine lets pass through others counts as penetration unless it is
    /// told here or by the filters below.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collides: Option<bool>,
    /// Bits of what it is, and of what it collides with: two bodies collide where the mask of each has a bit of the categories
    /// of the other one. 1 and all bits without them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub categories: Option<u32>,
    /// See `categories`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mask: Option<u32>,
    /// Of two bodies of the same group other than 0 this alone holds: they collide if it is positive, else they do not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<i32>,
    /// Its outlines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<Shape>,
}

impl Body {
    /// A body that moves by the laws of mechanics, with its mass, kg, and its moment of inertia, kg m².
    pub fn dynamic(name: impl Into<String>, mass: f64, inertia: f64) -> Self {
        Body { name: name.into(), mass: Some(mass), inertia: Some(inertia), ..Body::default() }
    }

    /// A body that does not move.
    pub fn fixed(name: impl Into<String>) -> Self {
        Body { name: name.into(), kind: Kind::Fixed, ..Body::default() }
    }

    /// A body that moves as prescribed.
    pub fn kinematic(name: impl Into<String>) -> Self {
        Body { name: name.into(), kind: Kind::Kinematic, ..Body::default() }
    }

    /// Places its origin, m and rad.
    #[must_use]
    pub fn at(mut self, x: f64, y: f64, angle: f64) -> Self {
        self.position = [x, y];
        self.angle = angle;
        self
    }

    /// Gives it a velocity of its centre of mass, m/s, and an angular velocity, rad/s.
    #[must_use]
    pub fn moving(mut self, v_x: f64, v_y: f64, omega: f64) -> Self {
        self.velocity = [v_x, v_y];
        self.angular_velocity = omega;
        self
    }

    /// Says whether it collides at all.
    #[must_use]
    pub fn collides(mut self, collides: bool) -> Self {
        self.collides = Some(collides);
        self
    }

    /// Puts it into a group: bodies of the same one never collide if it is negative, and always if it is positive.
    #[must_use]
    pub fn group(mut self, group: i32) -> Self {
        self.group = Some(group);
        self
    }

    /// Gives it the bits of what it is and of what it collides with.
    #[must_use]
    pub fn filter(mut self, categories: u32, mask: u32) -> Self {
        (self.categories, self.mask) = (Some(categories), Some(mask));
        self
    }

    /// Adds an outline.
    #[must_use]
    pub fn shape(mut self, shape: impl Into<Shape>) -> Self {
        self.shapes.push(shape.into());
        self
    }
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

fn is_still(velocity: &[f64; 2]) -> bool {
    *velocity == [0.0; 2]
}
