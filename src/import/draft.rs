//! The world that a converter builds, and the list of what it has to leave out.

use super::Format;
use crate::method::Method;
use crate::model::{Body, BodyBuilder, BodyId, JointBuilder, Placement, Shape, SpringBuilder, World};
use crate::scene::{MAX_VERTICES, MOST_EFFORT, Problem, Scene, Settings, polygon_effort};
use glam::DVec2;
use std::fmt::Display;

/// Lines of what is left out at most; the rest are counted.
const MOST_LINES: usize = 100_000;
/// Shares of a mass or a length below which two values of a file agree: their numbers are 32-bit.
const AGREE: f64 = 1e-4;

/// A scene that was made from another program's file.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The format of the file.
    pub format: Format,
    /// The scene.
    pub scene: Scene,
    /// The scene as the ordinary writer writes it.
    pub text: String,
    /// What the scene does not contain, or contains otherwise, each with its place in the file.
    pub left_out: Vec<Problem>,
}

/// A scene while its file is read.
pub(super) struct Draft {
    pub world: World,
    left_out: Vec<Problem>,
    more: usize,
    /// The work that the polygons so far cost.
    effort: f64,
}

impl Draft {
    pub fn new() -> Self {
        Self { world: World::new(DVec2::ZERO), left_out: Vec::new(), more: 0, effort: 0.0 }
    }

    /// Notes something that the scene does not contain.
    pub fn leave_out(&mut self, place: impl Display, what: impl Into<String>) {
        if self.left_out.len() < MOST_LINES {
            self.left_out.push(Problem { path: place.to_string(), message: what.into() });
        } else {
            self.more += 1;
        }
    }

    /// Notes a quantity that the scene does not contain, where it acts.
    pub fn leave_out_if(&mut self, acts: bool, place: impl Display, what: &str) {
        if acts {
            self.leave_out(place, what);
        }
    }

    /// A shape that a scene can have; else it is noted why not.
    pub fn shape(&mut self, place: impl Display, shape: Shape) -> Option<Shape> {
        let whole = match &shape {
            Shape::Polygon { vertices } | Shape::Polyline { points: vertices } => {
                self.effort += if shape.has_area() { polygon_effort(vertices) } else { 0.0 };
                if vertices.len() > MAX_VERTICES {
                    Err(format!("it has {} points (at most {MAX_VERTICES})", vertices.len()))
                } else if self.effort > MOST_EFFORT {
                    Err("the polygons of the file take too long to check and to divide".to_owned())
                } else {
                    Ok(())
                }
            }
            _ => Ok(()),
        };
        match whole.and_then(|()| shape.check().map_err(|error| error.to_string())) {
            Ok(()) => Some(shape),
            Err(why) => {
                self.leave_out(place, format!("the shape is left out: {why}"));
                None
            }
        }
    }

    /// The mass of a body of parts of these densities, kg/m², or, where the file states them, mass, kg, centre, m, and inertia about
    /// the origin of the body's frame, kg m². A centre that is not the centroid of the shapes is noted.
    pub fn mass(
        &mut self,
        place: impl Display,
        parts: &[(f64, Placement)],
        stated: Option<(f64, DVec2, f64)>,
        builder: BodyBuilder,
    ) -> BodyBuilder {
        let (mut mass, mut first, mut second) = (0.0, DVec2::ZERO, 0.0);
        let (mut area, mut middle) = (0.0, DVec2::ZERO);
        for (density, placement) in parts {
            let own = placement.moments();
            mass += density * own.area;
            first += own.centroid * (density * own.area);
            second += density * (own.polar + own.area * own.centroid.length_squared());
            (area, middle) = (area + own.area, middle + own.centroid * own.area);
        }
        let density = parts.first().map_or(0.0, |(density, _)| *density);
        let agrees = |(m, _, i): (f64, DVec2, f64)| {
            (m - mass).abs() <= AGREE * m && (i - second).abs() <= AGREE * i.abs()
        };
        if density > 0.0 && parts.iter().all(|(own, _)| *own == density) && stated.is_none_or(agrees) {
            return builder.density(density);
        }
        if mass <= 0.0 && stated.is_none() {
            self.leave_out(place, "the file gives the body no mass: it is 1 kg here");
            return builder.mass(1.0);
        }
        let (mass, center, inertia) = stated.unwrap_or((mass, first / mass, second));
        let own = inertia - mass * center.length_squared();
        let centroid = if area > 0.0 { middle / area } else { DVec2::ZERO };
        if (center - centroid).length() > AGREE * (area.sqrt() + centroid.length()) {
            let line = format!(
                "the centre of mass [{}, {}] is left out: it is the centroid of the shapes here, [{}, {}]",
                center.x, center.y, centroid.x, centroid.y
            );
            self.leave_out(place, line);
        }
        if own > 0.0 { builder.mass_and_inertia(mass, own) } else { builder.mass(mass) }
    }

    /// Adds a body, or notes why the engine refuses it.
    pub fn body(&mut self, place: impl Display, body: BodyBuilder) -> Option<BodyId> {
        let added = body.build().and_then(|body| self.world.add_body(body));
        added.map_err(|error| self.leave_out(place, format!("the body is left out: {error}"))).ok()
    }

    /// Adds a joint, or notes why the engine refuses it; whether it was added.
    pub fn joint(&mut self, place: impl Display, joint: JointBuilder) -> bool {
        let added = self.world.add_joint(joint);
        added.map_err(|error| self.leave_out(place, format!("the joint is left out: {error}"))).is_ok()
    }

    /// Adds a spring, or notes why the engine refuses it; whether it was added.
    pub fn spring(&mut self, place: impl Display, spring: SpringBuilder) -> bool {
        let added = self.world.add_spring(spring);
        added.map_err(|error| self.leave_out(place, format!("the spring is left out: {error}"))).is_ok()
    }

    /// Changes a body that was added; what the engine refuses is noted.
    pub fn change(&mut self, place: impl Display, id: BodyId, change: impl FnOnce(&mut Body)) {
        if let Err(error) = self.world.edit_body(id, change) {
            self.leave_out(place, error.to_string());
        }
    }

    /// The mass that resists a force along `direction`, a unit vector, between two points of bodies in the world, kg:
    /// 1/m_eff = Σ 1/m + (r × u)²/I.
    pub fn mass_along(&self, ends: [BodyId; 2], points: [DVec2; 2], direction: DVec2) -> f64 {
        let compliance = |(id, point): (BodyId, DVec2)| {
            let Some(body) = self.world.body(id).filter(|body| body.is_dynamic()) else { return 0.0 };
            let (mass, arm) = (body.mass_properties(), point - body.pose.position);
            let turn =
                if body.is_point_mass() { 0.0 } else { arm.perp_dot(direction).powi(2) / mass.inertia };
            1.0 / mass.mass + turn
        };
        1.0 / ends.into_iter().zip(points).map(compliance).sum::<f64>()
    }

    /// The scene, which the reader of scenes has read.
    ///
    /// # Errors
    /// What a scene may not contain.
    pub fn finish(
        mut self,
        format: Format,
        named: Named,
        time_step: f64,
    ) -> Result<Imported, Vec<Problem>> {
        let whole = |message: String| vec![Problem { path: String::new(), message }];
        if self.more > 0 {
            let line = format!("and {} more lines of what is left out", self.more);
            self.left_out.push(Problem { path: String::new(), message: line });
        }
        if self.world.bodies().is_empty() {
            return Err(whole(format!("no body was found (expected a scene of {})", format.name())));
        }
        let method = Method::post_stabilization();
        let settings = Settings { time_step, duration: None, method, states_effort: false };
        let scene = Scene {
            schema: None,
            name: if named.name.trim().is_empty() { "Imported scene".to_owned() } else { named.name },
            source: Some(format!("Converted from {}", format.name())),
            description: named.description,
            observe: None,
            order: None,
            settings,
            world: self.world,
            beginning: None,
            interaction: None,
            references: Vec::new(),
            window: None,
        };
        let text = scene.to_json();
        let scene = Scene::parse(&text).map_err(|problems| {
            let told = |problem: Problem| Problem {
                path: format!("the converted scene: {}", problem.path),
                ..problem
            };
            problems.into_iter().map(told).collect::<Vec<_>>()
        })?;
        Ok(Imported { format, scene, text, left_out: self.left_out })
    }
}

/// What a file says of itself.
#[derive(Default)]
pub(super) struct Named {
    pub name: String,
    pub description: Option<String>,
}
