//! The world that a converter builds, and the list of what it has to leave out.

use super::Format;
use crate::method::Method;
use crate::model::{
    Body, BodyBuilder, BodyId, Filter, JointBuilder, Placement, Shape, SpringBuilder, World,
};
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
            Shape::Polygon { vertices, .. } | Shape::Polyline { points: vertices } => {
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

    /// Adds parts with their materials and filters to a body; those of the first are the body's. Its mass, where it has one,
    /// is that of the parts, or, where the file states them, `stated`: mass, kg, centre, m, and inertia about the origin of
    /// the body's frame, kg m².
    pub fn solid(
        &mut self,
        place: impl Display,
        mut builder: BodyBuilder,
        mut parts: Vec<Part>,
        stated: Option<(f64, DVec2, f64)>,
        moves: bool,
    ) -> BodyBuilder {
        if let Some(first) = parts.first() {
            let (friction, restitution, filter) = (first.friction, first.restitution, first.filter);
            builder = builder.friction(friction).restitution(restitution).filter(filter);
            for part in &mut parts {
                let own = &mut part.placement.surface;
                own.friction = (part.friction != friction).then_some(part.friction);
                own.restitution = (part.restitution != restitution).then_some(part.restitution);
                own.filter = (part.filter != filter).then_some(part.filter);
            }
        }
        if moves {
            builder = self.weigh(place, builder, &mut parts, stated);
        }
        parts.into_iter().fold(builder, |builder, part| builder.placed(part.placement))
    }

    fn weigh(
        &mut self,
        place: impl Display,
        builder: BodyBuilder,
        parts: &mut [Part],
        stated: Option<(f64, DVec2, f64)>,
    ) -> BodyBuilder {
        /// The density of a part without one, relative to the largest: too little to move anything by more than rounding.
        const NOTHING: f64 = 1e-12;
        let most = parts.iter().map(|part| part.density).fold(0.0, f64::max);
        let (mut mass, mut first, mut second) = (0.0, DVec2::ZERO, 0.0);
        let (mut area, mut middle) = (0.0, DVec2::ZERO);
        for part in parts.iter_mut() {
            part.density = part.density.max(NOTHING * most);
            let own = part.placement.moments();
            mass += part.density * own.area;
            first += own.centroid * (part.density * own.area);
            second += part.density * (own.polar + own.area * own.centroid.length_squared());
            (area, middle) = (area + own.area, middle + own.centroid * own.area);
        }
        if mass <= 0.0 && stated.is_none() {
            self.leave_out(
                place,
                "the file gives the body no mass: it is 1 kg and does not turn, as in Box2D",
            );
            return builder.mass(1.0).fixed_rotation();
        }
        let same = |a: f64, b: f64| (a - b).abs() <= AGREE * a.abs().max(b.abs());
        let near = |a: DVec2, b: DVec2| (a - b).length() <= AGREE * (area.sqrt() + a.length());
        let by_parts = (mass, if mass > 0.0 { first / mass } else { DVec2::ZERO }, second);
        let (whole, center, inertia) = stated.unwrap_or(by_parts);
        let centroid = if area > 0.0 { middle / area } else { DVec2::ZERO };
        let own = inertia - whole * center.length_squared();
        let agrees = same(whole, mass) && near(center, by_parts.1) && same(inertia, second);
        if mass > 0.0 && (agrees || (!near(center, centroid) && near(center, by_parts.1))) {
            let share = if agrees { 1.0 } else { whole / mass };
            let here = share * (second - mass * by_parts.1.length_squared());
            if !agrees && !same(own, here) {
                self.leave_out(&place, format!("the moment of inertia {own} kg m² is left out: it is {here} kg m² here, that of flat shapes"));
            }
            let density = share * parts[0].density;
            for part in parts.iter_mut() {
                let own = share * part.density;
                part.placement.surface.density = (own != density).then_some(own);
            }
            return builder.density(density);
        }
        if !near(center, centroid) {
            let line = format!(
                "the centre of mass [{}, {}] is left out: it is the centroid of the shapes here, [{}, {}]",
                center.x, center.y, centroid.x, centroid.y
            );
            self.leave_out(place, line);
        }
        if own > 0.0 { builder.mass_and_inertia(whole, own) } else { builder.mass(whole) }
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

/// A shape of a body with its material, kg/m².
pub(super) struct Part {
    pub placement: Placement,
    pub density: f64,
    pub friction: f64,
    pub restitution: f64,
    pub filter: Filter,
}

/// What a file says of itself.
#[derive(Default)]
pub(super) struct Named {
    pub name: String,
    pub description: Option<String>,
}
