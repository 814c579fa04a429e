//! Builder of a body.

use crate::model::applied_force::AppliedForce;
use crate::model::body::{Body, BodyKind, Velocity};
use crate::model::error::ModelError;
use crate::model::mass::MassSpec;
use crate::model::motion::Motion;
use crate::model::shape::{Placement, Shape};
use glam::DVec2;

/// Builder of a body. Defaults: at the origin, at rest, no shapes, density 1000 kg/m², no friction, no restitution.
#[derive(Clone, Debug)]
#[must_use = "a builder creates no body until `build` is called"]
pub struct BodyBuilder {
    kind: BodyKind,
    origin: DVec2,
    angle: f64,
    velocity: Velocity,
    shapes: Vec<Placement>,
    mass: MassSpec,
    friction: f64,
    restitution: f64,
    collides: bool,
    group: i32,
    applied: Option<AppliedForce>,
    name: String,
}

impl Body {
    /// A body that forces and constraints move.
    pub fn dynamic() -> BodyBuilder {
        BodyBuilder::new(BodyKind::Dynamic)
    }

    /// A body that stands still: a wall, a floor.
    pub fn fixed() -> BodyBuilder {
        BodyBuilder::new(BodyKind::Fixed)
    }

    /// A body with a motion that no force disturbs: a lift, a shaker.
    pub fn kinematic(motion: Motion) -> BodyBuilder {
        BodyBuilder::new(BodyKind::Kinematic(motion))
    }
}

impl TryFrom<BodyBuilder> for Body {
    type Error = ModelError;

    fn try_from(builder: BodyBuilder) -> Result<Self, ModelError> {
        builder.build()
    }
}

impl BodyBuilder {
    fn new(kind: BodyKind) -> Self {
        Self {
            kind,
            origin: DVec2::ZERO,
            angle: 0.0,
            velocity: Velocity::default(),
            shapes: Vec::new(),
            mass: MassSpec::default(),
            friction: 0.0,
            restitution: 0.0,
            collides: true,
            group: 0,
            applied: None,
            name: String::new(),
        }
    }

    /// Places the origin of the body's frame, in which its shapes are placed, at this point of the world, m.
    pub fn at(self, origin: impl Into<DVec2>) -> Self {
        Self { origin: origin.into(), ..self }
    }

    /// Turns the body's frame by this angle, rad, counter-clockwise.
    pub fn angle(self, angle: f64) -> Self {
        Self { angle, ..self }
    }

    /// Velocity of the centre of mass, m/s.
    pub fn velocity(mut self, velocity: impl Into<DVec2>) -> Self {
        self.velocity.linear = velocity.into();
        self
    }

    /// Angular velocity, rad/s, counter-clockwise.
    pub fn angular_velocity(mut self, rate: f64) -> Self {
        self.velocity.angular = rate;
        self
    }

    /// Adds a shape at the origin of its frame.
    pub fn shape(self, shape: Shape) -> Self {
        self.placed(Placement::centred(shape))
    }

    /// Adds a shape that is placed in its frame.
    pub fn placed(mut self, placement: Placement) -> Self {
        self.shapes.push(placement);
        self
    }

    /// Mass from the shapes at a uniform density, kg/m².
    pub fn density(self, density: f64) -> Self {
        Self { mass: MassSpec::Density(density), ..self }
    }

    /// A given mass, kg, spread over the shapes.
    pub fn mass(self, mass: f64) -> Self {
        Self { mass: MassSpec::Given { mass, inertia: None }, ..self }
    }

    /// A given mass, kg, and moment of inertia about the centre of mass, kg m².
    pub fn mass_and_inertia(self, mass: f64, inertia: f64) -> Self {
        Self { mass: MassSpec::Given { mass, inertia: Some(inertia) }, ..self }
    }

    /// Coulomb friction coefficient, 0 or more; a pair of bodies takes the geometric mean.
    pub fn friction(self, friction: f64) -> Self {
        Self { friction, ..self }
    }

    /// Coefficient of restitution, 0 to 1; a pair of bodies takes the larger one.
    pub fn restitution(self, restitution: f64) -> Self {
        Self { restitution, ..self }
    }

    /// Lets the body collide with nothing.
    pub fn without_collisions(self) -> Self {
        Self { collides: false, ..self }
    }

    /// Bodies of the same negative group never collide with each other.
    pub fn group(self, group: i32) -> Self {
        Self { group, ..self }
    }

    /// Lets a constant force and torque act on the body.
    pub fn applied(self, applied: AppliedForce) -> Self {
        Self { applied: Some(applied), ..self }
    }

    /// Its name in scene files and messages.
    pub fn name(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// The body.
    ///
    /// # Errors
    /// Invalid shapes, a polygon that cannot be cut into convex pieces, an unbounded shape on a dynamic body, a
    /// dynamic body without mass, a number that is not finite, a friction below 0, a restitution not between 0 and 1.
    pub fn build(self) -> Result<Body, ModelError> {
        let Self { kind, origin, angle, velocity, shapes, mass, friction, restitution, .. } = self;
        let Self { collides, group, applied, name, .. } = self;
        let mut body = Body::new(kind, origin, angle, shapes, mass)?;
        (body.velocity, body.friction, body.restitution) = (velocity, friction, restitution);
        (body.collides, body.group, body.applied, body.name) = (collides, group, applied, name);
        body.check()?;
        Ok(body)
    }
}
