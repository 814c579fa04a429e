//! Builder of a body.

use crate::model::applied_force::AppliedForce;
use crate::model::body::{Body, BodyKind};
use crate::model::error::ModelError;
use crate::model::mass::MassSpec;
use crate::model::motion::Motion;
use crate::model::shape::{Placement, Shape};
use glam::DVec2;

/// Builder of a body. Defaults: at the origin, at rest, no shapes, density 1000 kg/m², no friction, no restitution.
#[derive(Clone, Debug)]
#[must_use = "a builder creates no body until `build` is called"]
pub struct BodyBuilder(
    /// Its pose is that of the frame in which the shapes are placed, until it is finished.
    Body,
);

impl Body {
    /// A body that forces and constraints move.
    pub fn dynamic() -> BodyBuilder {
        BodyBuilder(Self::blank(BodyKind::Dynamic))
    }

    /// A body that stands still: a wall, a floor.
    pub fn fixed() -> BodyBuilder {
        BodyBuilder(Self::blank(BodyKind::Fixed))
    }

    /// A body with a motion that no force disturbs: a lift, a shaker.
    pub fn kinematic(motion: Motion) -> BodyBuilder {
        BodyBuilder(Self::blank(BodyKind::Kinematic(motion)))
    }
}

impl TryFrom<BodyBuilder> for Body {
    type Error = ModelError;

    fn try_from(builder: BodyBuilder) -> Result<Self, ModelError> {
        builder.build()
    }
}

impl BodyBuilder {
    /// Places the origin of the body's frame, in which its shapes are placed, at this point of the world, m.
    pub fn at(mut self, origin: impl Into<DVec2>) -> Self {
        self.0.pose.position = origin.into();
        self
    }

    /// Turns the body's frame by this angle, rad, counter-clockwise.
    pub fn angle(mut self, angle: f64) -> Self {
        self.0.pose.angle = angle;
        self
    }

    /// Velocity of the centre of mass, m/s.
    pub fn velocity(mut self, velocity: impl Into<DVec2>) -> Self {
        self.0.velocity.linear = velocity.into();
        self
    }

    /// Angular velocity, rad/s, counter-clockwise.
    pub fn angular_velocity(mut self, rate: f64) -> Self {
        self.0.velocity.angular = rate;
        self
    }

    /// Adds a shape at the origin of its frame.
    pub fn shape(self, shape: Shape) -> Self {
        self.placed(Placement::centred(shape))
    }

    /// Adds a shape that is placed in its frame.
    pub fn placed(mut self, placement: Placement) -> Self {
        self.0.shapes.push(placement);
        self
    }

    /// Mass from the shapes at a uniform density, kg/m².
    pub fn density(self, density: f64) -> Self {
        Self(Body { spec: MassSpec::Density(density), ..self.0 })
    }

    /// A given mass, kg, spread over the shapes.
    pub fn mass(self, mass: f64) -> Self {
        Self(Body { spec: MassSpec::Given { mass, inertia: None }, ..self.0 })
    }

    /// A given mass, kg, and moment of inertia about the centre of mass, kg m².
    pub fn mass_and_inertia(self, mass: f64, inertia: f64) -> Self {
        Self(Body { spec: MassSpec::Given { mass, inertia: Some(inertia) }, ..self.0 })
    }

    /// Coulomb friction coefficient, 0 or more; a pair of bodies takes the geometric mean.
    pub fn friction(self, friction: f64) -> Self {
        Self(Body { friction, ..self.0 })
    }

    /// Coefficient of restitution, 0 to 1; a pair of bodies takes the larger one.
    pub fn restitution(self, restitution: f64) -> Self {
        Self(Body { restitution, ..self.0 })
    }

    /// Lets the body collide with nothing.
    pub fn without_collisions(self) -> Self {
        Self(Body { collides: false, ..self.0 })
    }

    /// Bodies of the same negative group never collide with each other.
    pub fn group(self, group: i32) -> Self {
        Self(Body { group, ..self.0 })
    }

    /// Lets a constant force and torque act on the body.
    pub fn applied(self, applied: AppliedForce) -> Self {
        Self(Body { applied: Some(applied), ..self.0 })
    }

    /// Its name in scene files and messages.
    pub fn name(self, name: impl Into<String>) -> Self {
        Self(Body { name: name.into(), ..self.0 })
    }

    /// The body.
    ///
    /// # Errors
    /// Invalid shapes, a polygon that cannot be cut into convex pieces, an unbounded shape on a dynamic body, a
    /// dynamic body without mass, a number that is not finite, a friction below 0, a restitution not between 0 and 1.
    pub fn build(self) -> Result<Body, ModelError> {
        let body = self.0.finished()?;
        body.check()?;
        Ok(body)
    }
}
