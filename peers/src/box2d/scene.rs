//! Box2D's bodies as those of a scene (`docs/SCENES.md`).

use serde_json::{Map, Value, json};

use super::ffi::World;
use super::names::{Named, Names};
use super::told::{BodyKind, Geometry, Moment, Shape};

/// Points of a polyline at most.
const POINTS: usize = 4096;

/// A body as a scene states it.
pub fn body(names: &mut Names, number: usize, world: &World, moment: &Moment) -> Value {
    let shapes = world.shapes(names.bodies[number].key);
    let mut left_out = Vec::new();
    let named = &names.bodies[number];
    let body = &named.body;
    let kind = match body.kind {
        BodyKind::Static => "fixed",
        BodyKind::Kinematic => "kinematic",
        BodyKind::Dynamic if named.is_dynamic() => "dynamic",
        BodyKind::Dynamic => {
            left_out.push(format!("{} has no mass: it is told as fixed", named.name));
            "fixed"
        }
    };
    let mut told = Map::new();
    told.insert("name".into(), json!(named.name));
    told.insert("type".into(), json!(kind));
    told.insert("position".into(), json!(moment.origin));
    told.insert("angle".into(), json!(moment.angle()));
    if kind != "fixed" {
        told.insert("velocity".into(), json!(moment.velocity));
        told.insert("angular_velocity".into(), json!(moment.spin));
    }
    let mut pieces = outlines(named, &shapes, &mut left_out);
    if kind == "dynamic" {
        masses(named, &mut told, &mut pieces, &mut left_out);
    }
    if !pieces.is_empty() {
        told.insert("shapes".into(), pieces.into_iter().map(|piece| Value::Object(piece.told)).collect());
    }
    if !body.enabled {
        told.insert("collides".into(), json!(false));
        left_out.push(format!("{} takes no part at the beginning: Box2D has it disabled", named.name));
    }
    for sentence in left_out {
        names.leave_out(sentence);
    }
    Value::Object(told)
}

/// A shape of a scene with the area and centroid by which a body's centre of mass is found.
struct Piece {
    told: Map<String, Value>,
    density: f64,
    area: f64,
    centroid: [f64; 2],
}

fn masses(named: &Named, told: &mut Map<String, Value>, pieces: &mut [Piece], left_out: &mut Vec<String>) {
    let body = &named.body;
    let size = pieces.iter().map(|piece| piece.area.sqrt()).fold(0.0, f64::max);
    let apart = |weight: &dyn Fn(&Piece) -> f64| {
        let mass: f64 = pieces.iter().map(weight).sum();
        let part = |axis: usize| {
            pieces.iter().map(|piece| weight(piece) * piece.centroid[axis]).sum::<f64>() / mass
        };
        (mass, (part(0) - body.center[0]).hypot(part(1) - body.center[1]))
    };
    let (_, by_area) = apart(&|piece| piece.area);
    let (mass, by_density) = apart(&|piece| piece.density * piece.area);
    let by_shapes =
        by_area > 1e-4 * size && by_density <= 1e-4 * size && (mass - body.mass).abs() <= 1e-4 * mass;
    if by_shapes {
        // Shapes of different densities: the centre of mass follows from these alone.
        for piece in pieces {
            piece.told.insert("density".into(), json!(piece.density));
        }
    } else {
        told.insert("mass".into(), json!(body.mass));
        if body.inertia > 0.0 {
            told.insert("inertia".into(), json!(body.inertia));
        }
        let off = if pieces.is_empty() { body.center[0].hypot(body.center[1]) } else { by_area };
        if off > 1e-4 * size.max(1e-3) {
            left_out.push(format!(
                "the centre of mass of {} is {off:.3} m away from where its shapes have it",
                named.name
            ));
        }
    }
    if body.locks[2] || body.inertia <= 0.0 {
        told.insert("fixed_rotation".into(), json!(true));
        told.remove("angular_velocity");
    }
    if body.locks[0] || body.locks[1] {
        left_out.push(format!(
            "{} cannot move along x or y: such a lock is no constraint of a scene",
            named.name
        ));
    }
    if body.gravity_scale != 1.0 {
        told.insert("gravity_scale".into(), json!(body.gravity_scale));
    }
    if body.damping != 0.0 {
        told.insert("linear_damping".into(), json!(body.damping * body.mass));
    }
    if body.angular_damping != 0.0 && told.get("fixed_rotation").is_none() {
        told.insert("angular_damping".into(), json!(body.angular_damping * body.inertia));
    }
}

fn outlines(named: &Named, shapes: &[Shape], left_out: &mut Vec<String>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = shapes;
    while let [shape, behind @ ..] = rest {
        rest = behind;
        if shape.sensor {
            left_out.push(format!("a sensor of {}", named.name));
            continue;
        }
        let ((outline, area, centroid), radius) = match &shape.geometry {
            Geometry::Circle { center, radius } => {
                let area = std::f64::consts::PI * radius * radius;
                let told = json!({"shape": "circle", "radius": radius, "offset": center});
                ((told, area, *center), *radius)
            }
            Geometry::Capsule { ends, radius } => (capsule(*ends, *radius), *radius),
            Geometry::Polygon { vertices, radius } => (polygon(vertices, *radius), *radius),
            Geometry::Segment { .. } if named.is_dynamic() => {
                left_out.push(format!("a line of {}, which moves", named.name));
                continue;
            }
            Geometry::Segment { ends, chain } => {
                let mut points = ends.to_vec();
                if let Some(chain) = chain {
                    left_out.push(
                        "a chain of Box2D's collides on one side; it is told as a polyline, which has two"
                            .into(),
                    );
                    while let Some(next) = next_of(shape, *chain, points[points.len() - 1], rest)
                        .filter(|_| points.len() < POINTS)
                    {
                        points.push(next);
                        rest = &rest[1..];
                    }
                }
                ((json!({"shape": "polyline", "points": points}), 0.0, [0.0; 2]), 0.0)
            }
        };
        let Value::Object(mut told) = outline else { continue };
        material(shape, radius, &named.name, &mut told, left_out);
        pieces.push(Piece { told, density: shape.density, area, centroid });
    }
    pieces
}

/// An outline as a scene states it, its area and its centroid.
type Outline = (Value, f64, [f64; 2]);

fn capsule([a, b]: [[f64; 2]; 2], radius: f64) -> Outline {
    let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    let middle = [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0];
    let length = dx.hypot(dy);
    let told = json!({
        "shape": "capsule", "length": length, "radius": radius, "offset": middle, "angle": dy.atan2(dx)
    });
    (told, std::f64::consts::PI * radius * radius + 2.0 * radius * length, middle)
}

fn polygon(vertices: &[[f64; 2]], radius: f64) -> Outline {
    let moments =
        driftlab_engine::model::Shape::rounded_polygon(vertices.iter().copied(), radius).moments();
    let mut told = json!({"shape": "polygon", "vertices": vertices});
    if radius > 0.0 {
        told["radius"] = json!(radius);
    }
    (told, moments.area, moments.centroid.to_array())
}

/// The end of the next segment if it goes on from `last` in the same chain, with the same surface and filter.
fn next_of(first: &Shape, chain: i32, last: [f64; 2], rest: &[Shape]) -> Option<[f64; 2]> {
    let next = rest.first()?;
    let surface =
        |shape: &Shape| (shape.friction, shape.restitution, shape.rolling_resistance, shape.tangent_speed);
    let filter = |shape: &Shape| (shape.categories, shape.mask, shape.group, shape.sensor);
    match next.geometry {
        Geometry::Segment { ends: [from, to], chain: Some(of) }
            if of == chain
                && from == last
                && surface(first) == surface(next)
                && filter(first) == filter(next) =>
        {
            Some(to)
        }
        _ => None,
    }
}

fn material(
    shape: &Shape,
    radius: f64,
    name: &str,
    told: &mut Map<String, Value>,
    left_out: &mut Vec<String>,
) {
    told.insert("friction".into(), json!(shape.friction));
    told.insert("restitution".into(), json!(shape.restitution.clamp(0.0, 1.0)));
    if shape.restitution > 1.0 {
        left_out.push(format!("a restitution of {} of {name}: it is told as 1", shape.restitution));
    }
    // Box2D multiplies the coefficient by the larger radius of the pair.
    if shape.rolling_resistance * radius > 0.0 {
        told.insert("rolling_resistance".into(), json!(shape.rolling_resistance * radius));
    }
    // Both carry to the right what lies on top, and add the speeds of two surfaces.
    if shape.tangent_speed != 0.0 {
        told.insert("surface_speed".into(), json!(shape.tangent_speed));
    }
    let bits = |bits: u64| bits & u64::from(u32::MAX);
    told.insert("categories".into(), json!(bits(shape.categories)));
    told.insert("mask".into(), json!(bits(shape.mask)));
    told.insert("group".into(), json!(shape.group));
    let beyond = shape.categories > u64::from(u32::MAX);
    if beyond
        || (shape.mask > u64::from(u32::MAX)
            && shape.mask != u64::MAX
            && shape.mask >> 32 != u64::from(u32::MAX))
    {
        left_out.push(format!("bits 32 to 63 of a filter of {name}"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::told::{Body, Key};
    use super::*;

    fn shape(geometry: Geometry) -> Shape {
        Shape {
            geometry,
            density: 1.0,
            friction: 0.5,
            restitution: 0.0,
            rolling_resistance: 0.0,
            tangent_speed: 0.0,
            categories: 1,
            mask: u64::MAX,
            group: 0,
            sensor: false,
        }
    }

    fn named(kind: BodyKind, mass: f64, center: [f64; 2]) -> Named {
        let body = Body {
            name: "it".into(),
            kind,
            mass,
            inertia: 1.0,
            center,
            gravity_scale: 1.0,
            damping: 0.0,
            angular_damping: 0.0,
            locks: [false; 3],
            enabled: true,
        };
        Named { key: Key { index: 1, generation: 0 }, name: "it".into(), body, angle: 0.0, gone: false }
    }

    fn square(center: [f64; 2], radius: f64) -> Geometry {
        let corner = |x: f64, y: f64| [center[0] + x, center[1] + y];
        Geometry::Polygon {
            vertices: vec![corner(-0.5, -0.5), corner(0.5, -0.5), corner(0.5, 0.5), corner(-0.5, 0.5)],
            radius,
        }
    }

    /// The segments of a chain are one polyline as long as they follow one another with one surface; a loop ends where it began.
    #[test]
    fn chains_are_polylines() {
        let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]];
        let segment =
            |pair: &[[f64; 2]]| shape(Geometry::Segment { ends: [pair[0], pair[1]], chain: Some(1) });
        let mut shapes: Vec<Shape> = corners.windows(2).map(segment).collect();
        let mut left_out = Vec::new();
        let pieces = outlines(&named(BodyKind::Static, 0.0, [0.0; 2]), &shapes, &mut left_out);
        assert_eq!(pieces.len(), 1);
        assert_eq!(pieces[0].told["points"], json!(corners));
        assert_eq!(left_out.len(), 1);
        shapes[2].friction = 0.1;
        let pieces = outlines(&named(BodyKind::Static, 0.0, [0.0; 2]), &shapes, &mut left_out);
        let counts: Vec<_> =
            pieces.iter().map(|piece| piece.told["points"].as_array().unwrap().len()).collect();
        assert_eq!(counts, [3, 2, 2]);
    }

    /// What a scene has no word for is told by name.
    #[test]
    fn what_is_left_out_is_named() {
        let mut sensor = shape(square([0.0; 2], 0.0));
        sensor.sensor = true;
        let line = shape(Geometry::Segment { ends: [[0.0; 2], [1.0, 0.0]], chain: None });
        let round = shape(square([0.0; 2], 0.1));
        let mut left_out = Vec::new();
        let pieces =
            outlines(&named(BodyKind::Dynamic, 1.0, [0.0; 2]), &[sensor, line, round], &mut left_out);
        assert_eq!((pieces.len(), left_out.len()), (1, 2), "{left_out:?}");
    }

    /// A square with round edges is a rounded square: of side 1 m and rounded by 0.1 m, it has 1 + 4·0.1 + π·0.01 m² about its
    /// middle.
    #[test]
    fn round_edges_are_a_radius() {
        let named = named(BodyKind::Dynamic, 1.0, [0.0; 2]);
        let pieces = outlines(&named, &[shape(square([2.0, 0.0], 0.1))], &mut Vec::new());
        let [piece] = &pieces[..] else { panic!("{} shapes", pieces.len()) };
        assert_eq!((&piece.told["shape"], &piece.told["radius"]), (&json!("polygon"), &json!(0.1)));
        assert!((piece.area - 1.4 - std::f64::consts::PI * 0.01).abs() < 1e-15);
        assert!((piece.centroid[0] - 2.0).hypot(piece.centroid[1]) < 1e-15);
    }

    /// Two squares of 1 kg/m² and 3 kg/m² have their centre of mass a quarter of the way from the heavier one: densities say
    /// so, a mass cannot. A centre that no density explains is named.
    #[test]
    fn densities_place_the_centre_of_mass() {
        let mut heavy = shape(square([2.0, 0.0], 0.0));
        heavy.density = 3.0;
        let shapes = [shape(square([0.0; 2], 0.0)), heavy];
        for (center, by_density, sentences) in
            [([1.5, 0.0], true, 0), ([1.0, 0.0], false, 0), ([0.0, 0.7], false, 1)]
        {
            let named = named(BodyKind::Dynamic, 4.0, center);
            let (mut told, mut left_out) = (Map::new(), Vec::new());
            let mut pieces = outlines(&named, &shapes, &mut left_out);
            masses(&named, &mut told, &mut pieces, &mut left_out);
            assert_eq!(pieces[1].told.contains_key("density"), by_density, "{center:?}");
            assert_eq!(told.contains_key("mass"), !by_density, "{center:?}");
            assert_eq!(left_out.len(), sentences, "{left_out:?}");
        }
    }
}
