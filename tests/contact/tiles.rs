//! What slides over flush tiles goes on as over one surface, under every scheme and at both levels.

use crate::physics::worlds::{WITHIN_A_STEP, method};
use driftlab::method::{Level, Method};
use driftlab::model::{Body, BodyKind, MassSpec, Placement, Shape, Velocity, World};
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

const H: f64 = 1.0 / 60.0;

/// Every scheme that meets its rows within a step, at each of its levels.
pub fn choices() -> Vec<(String, Method)> {
    let all = WITHIN_A_STEP.iter().flat_map(|scheme| {
        let info = scheme.info();
        info.levels.iter().map(move |level| (info.key, *level))
    });
    let choice = |(key, level): (&str, Level)| {
        // The friction of Drake's default contacts is Coulomb's.
        let own: &[(&str, f64)] = if key == "sap" { &[("approximation", 1.0)] } else { &[] };
        (format!("{key}, {}", level.key()), Method { level, ..method(key, own) })
    };
    all.map(choice).collect()
}

fn unit_box(offset: DVec2) -> Placement {
    Placement::at(Shape::Box { size: DVec2::ONE }, offset, 0.0)
}

fn fixed(shapes: Vec<Placement>, at: DVec2) -> Body {
    let mut body = Body::new(BodyKind::Fixed, at, 0.0, shapes, MassSpec::default()).unwrap();
    body.friction = 0.0;
    body
}

/// A box of 0.5 m and 1 kg without friction.
fn slider(at: DVec2, velocity: DVec2) -> Body {
    let shapes = vec![Placement::centred(Shape::Box { size: DVec2::splat(0.5) })];
    let mass = MassSpec::Given { mass: 1.0, inertia: None };
    let mut body = Body::new(BodyKind::Dynamic, at, 0.0, shapes, mass).unwrap();
    body.friction = 0.0;
    body.velocity = Velocity { linear: velocity, angular: 0.0 };
    body
}

/// The last body of a world after `steps`.
fn after(mut world: World, method: &Method, steps: usize) -> Body {
    let mut workspace = Workspace::default();
    for _ in 0..steps {
        step(&mut world, method, H, &mut workspace).unwrap();
    }
    world.bodies().last().unwrap().clone()
}

/// A box that falls 2 cm onto ten flush boxes, at 5 m/s along them and without friction, goes on as over a plane:
/// nothing acts along x, so that x = −4 + 5·1.5 = 3.5 m after 1.5 s, and nothing turns it. Of one body or of ten. The
/// angle that is allowed is what two corners of one box, each held to its own tolerance of contact, let it turn by:
/// 5e-5 m of 0.5 m; under the soft step, what its contacts of 60 Hz sag by, up to 4 g/ω² = 2.8e-4 m where one corner
/// bears the weight [K = 4/m].
#[test]
fn a_box_does_not_trip_over_seams() {
    for (name, method) in choices() {
        for many in [false, true] {
            let mut world = World::new(DVec2::new(0.0, -9.81));
            let places = (-5..5).map(|x| DVec2::new(f64::from(x) + 0.5, -0.5));
            if many {
                for at in places {
                    world.add_body(fixed(vec![unit_box(DVec2::ZERO)], at)).unwrap();
                }
            } else {
                world.add_body(fixed(places.map(unit_box).collect(), DVec2::ZERO)).unwrap();
            }
            world.add_body(slider(DVec2::new(-4.0, 0.27), DVec2::new(5.0, 0.0))).unwrap();
            let slider = after(world, &method, 90);
            let (x, angle) = (slider.pose.position.x, slider.pose.angle);
            let level = if name.starts_with("soft") { 6e-4 } else { 1e-4 };
            assert!((x - 3.5).abs() < 1e-9 && angle.abs() < level, "{name}, {many}: x = {x}, θ = {angle}");
        }
    }
}

/// A box that is pressed against a wall of stacked tiles and falls along it without friction falls freely: y = −½ g t²
/// but for the O(h) of the integrator, ½ g h t, and it is not turned.
#[test]
fn a_box_falls_along_a_wall_of_tiles() {
    let (g, t) = (9.81, 1.0);
    for (name, method) in choices() {
        let mut world = World::new(DVec2::new(4.0, -g));
        for row in 0..8 {
            world
                .add_body(fixed(vec![unit_box(DVec2::ZERO)], DVec2::new(0.5, 0.5 - f64::from(row))))
                .unwrap();
        }
        world.add_body(slider(DVec2::new(-0.26, 0.1), DVec2::ZERO)).unwrap();
        let slider = after(world, &method, 60);
        let (fallen, angle) = (0.1 - slider.pose.position.y, slider.pose.angle);
        let error = fallen - 0.5 * g * t * t;
        assert!(
            error.abs() <= 0.5 * g * H * t + 1e-6 && angle.abs() < 1e-3,
            "{name}: {fallen} m, θ = {angle}"
        );
    }
}

/// A box that lands on the end of a table that is a polyline comes to rest on it under every scheme, at every level: 1 cm
/// above its height, it falls with less than 1 m/s, overlaps by no more than it moves in a step, 16 mm, and never has more
/// energy than at the start, 24.53 J; under `ggl`, whose velocity is half a step ahead of its pose, ½ h m g v = 0.82 J more.
#[test]
fn a_box_lands_on_the_end_of_a_polyline() {
    let mut wrong = Vec::new();
    for (choice, method) in choices() {
        let mut world = World::new(DVec2::new(0.0, -9.81));
        let ground = Shape::polyline([[-6.0, 0.0], [0.0, 0.0], [2.0, -2.0]]);
        world.add_body(Body::fixed().shape(ground).friction(0.3)).unwrap();
        let falling = Body::dynamic().at([-0.5, 0.25]).angle(0.003).shape(Shape::rectangle(2.0, 0.4));
        let falling = world.add_body(falling.mass(10.0).friction(0.3)).unwrap();
        let (mut deepest, mut energy, mut workspace) = (0.0_f64, 0.0_f64, Workspace::default());
        for _ in 0..120 {
            let report = step(&mut world, &method, H, &mut workspace).unwrap();
            deepest = deepest.max(report.contact_error);
            energy = energy.max(report.kinetic_energy + report.potential_energy);
        }
        let Body { pose, velocity, .. } = &world[falling];
        let rests = (pose.position.y - 0.2).abs() < 0.0165 && velocity.linear.length() < 0.01;
        let most = if choice.starts_with("ggl") { 24.53 + 0.82 } else { 24.53 };
        if !rests || deepest > 0.0165 || energy > most {
            wrong.push(format!("{choice}: {pose:?} {velocity:?}, {deepest} m, {energy} J"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
