//! Builder of a spring, from points in the world.

use super::{Anchors, distance};
use crate::model::body::Body;
use crate::model::id::BodyId;
use crate::model::spring::{Softness, Spring};
use glam::DVec2;

/// Builder of a spring between two bodies, at the poses that they have when [`World::add_spring`] adds the spring.
/// Without anchors the spring acts between the centres of mass.
///
/// [`World::add_spring`]: crate::model::World::add_spring
#[derive(Clone, Debug)]
#[must_use = "a spring does nothing until it is added to a world"]
pub struct SpringBuilder {
    bodies: [BodyId; 2],
    anchors: Option<Anchors>,
    softness: Softness,
    rest_length: Option<f64>,
    rest_angle: Option<f64>,
}

impl Spring {
    /// A spring between body `a` and body `b`, without stiffness and damping yet, for [`World::add_spring`].
    ///
    /// [`World::add_spring`]: crate::model::World::add_spring
    pub fn between(a: BodyId, b: BodyId) -> SpringBuilder {
        let softness = Softness { stiffness: 0.0, damping: 0.0 };
        SpringBuilder { bodies: [a, b], anchors: None, softness, rest_length: None, rest_angle: None }
    }
}

impl SpringBuilder {
    pub(in crate::model) fn bodies(&self) -> [BodyId; 2] {
        self.bodies
    }

    /// It pulls body a at one point of the world and body b at another, m.
    pub fn anchors(self, on_a: impl Into<DVec2>, on_b: impl Into<DVec2>) -> Self {
        Self { anchors: Some(Anchors::World([on_a.into(), on_b.into()])), ..self }
    }

    /// It pulls each body at a point of its own frame, in which its shapes are placed, m.
    pub fn anchors_in_bodies(self, on_a: impl Into<DVec2>, on_b: impl Into<DVec2>) -> Self {
        Self { anchors: Some(Anchors::Body([on_a.into(), on_b.into()])), ..self }
    }

    /// k, N/m.
    pub fn stiffness(mut self, stiffness: f64) -> Self {
        self.softness.stiffness = stiffness;
        self
    }

    /// d, N s/m.
    pub fn damping(mut self, damping: f64) -> Self {
        self.softness.damping = damping;
        self
    }

    /// The length at which the spring carries no force, m; by default the anchors' distance when the spring is added.
    /// At length 0 it pulls equally in all directions.
    pub fn rest_length(self, length: f64) -> Self {
        Self { rest_length: Some(length), ..self }
    }

    /// Makes it a torsional spring, which acts on the bodies' angles and carries no torque at θ_b − θ_a = `angle`, rad; its stiffness
    /// is in N m/rad, its damping in N m s/rad.
    pub fn rest_angle(self, angle: f64) -> Self {
        Self { rest_angle: Some(angle), ..self }
    }

    /// The spring between the bodies at these indices.
    pub(in crate::model) fn resolve(self, indices: [usize; 2], bodies: [&Body; 2]) -> Spring {
        let usual = Anchors::World(bodies.map(|body| body.pose.position));
        let anchors = self.anchors.unwrap_or(usual).resolve(bodies);
        let rest_length = self.rest_length.unwrap_or_else(|| distance(anchors, bodies));
        Spring {
            bodies: indices,
            anchors,
            softness: self.softness,
            rest_length,
            rest_angle: self.rest_angle,
        }
    }
}
