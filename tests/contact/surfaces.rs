//! Surfaces: filters, material of each shape, belts, static friction, rolling resistance, fixed rotation and grids of cells,
//! under every scheme at each of its levels.

use super::tiles::choices;
use super::worlds::G;
use driftlab::method::Method;
use driftlab::model::{
    Body, BodyBuilder, BodyId, Filter, Joint, Material, MaterialPair, Materials, Mix, Placement, Shape,
    Surface, World,
};
use driftlab::report::StepReport;
use driftlab::step::{Workspace, step};
use glam::DVec2;

const H: f64 = 1e-3;

fn floor() -> BodyBuilder {
    Body::fixed().shape(Shape::half_plane([0.0, 1.0], 0.0))
}

/// A cube of this size and 2 kg that stands at x on the floor.
fn cube(size: f64, x: f64) -> BodyBuilder {
    Body::dynamic().at([x, 0.5 * size]).shape(Shape::rectangle(size, size)).mass(2.0)
}

fn after(world: &mut World, method: &Method, seconds: f64) -> Vec<StepReport> {
    let mut workspace = Workspace::default();
    let steps = (seconds / H).round() as usize;
    (0..steps).map(|_| step(world, method, H, &mut workspace).unwrap()).collect()
}

/// What the sweeps or springs of a scheme leave of a speed, m/s.
fn left(name: &str) -> f64 {
    if ["xpbd", "split_impulse", "soft", "ngs", "mujoco", "sap"].iter().any(|key| name.starts_with(key)) {
        3e-3
    } else {
        1e-9
    }
}

/// Whether the contacts of a scheme are springs that bear once they overlap, with one bound of friction and rolling resistance.
fn yields(name: &str) -> bool {
    name.starts_with("mujoco") || name.starts_with("sap")
}

/// A belt takes a cube along with μ g until both are as fast, after u/(μ g), here 2/(0.5 · 9.81) = 0.408 s; Newton and Coulomb.
/// By then friction has taken ½ m u² = 4 J, the sliding distance ½ u²/(μ g) times μ m g, and the motor of the belt has
/// done m u² = 8 J, with no other work.
#[test]
fn a_belt_carries_a_cube() {
    let (u, friction) = (2.0, 0.5);
    for (name, method) in choices() {
        for sign in [1.0, -1.0] {
            let mut world = World::new([0.0, -G]);
            world.add_body(floor().friction(friction).surface_speed(sign * u)).unwrap();
            let cargo = world.add_body(cube(0.5, 0.0).friction(friction)).unwrap();
            let mut reports = after(&mut world, &method, 0.2);
            let (speed, expected) = (sign * world[cargo].velocity.linear.x, friction * G * 0.2);
            assert!(
                (speed - expected).abs() < left(&name),
                "{name}: {speed} instead of {expected} after 0.2 s"
            );
            reports.extend(after(&mut world, &method, 0.3));
            let speed = sign * world[cargo].velocity.linear.x;
            assert!((speed - u).abs() < left(&name), "{name}: {speed} instead of {u}");
            let sum = |of: fn(&StepReport) -> f64| reports.iter().map(of).sum::<f64>();
            let [motors, lost] = [sum(|own| own.work.motors), sum(|own| own.work.friction)];
            // A contact of `mujoco` that slides is pushed apart as well, by a part of what friction takes.
            let most = if name.starts_with("mujoco") { 0.2 } else { 0.02 };
            assert!(
                (motors - 8.0).abs() < 0.02 && (lost + 4.0).abs() < most,
                "{name}: {motors} J, {lost} J"
            );
        }
    }
}

/// A free disk whose tread runs around it at s drives itself and turns back: friction F gives m v = ∫F and ½ m r ω = ∫F, so that
/// the tread grips where v + r ω = s, at v = s/3 and r ω = ⅔ s.
#[test]
fn a_tread_drives_a_wheel() {
    let (s, radius) = (1.5, 0.3);
    for (name, method) in choices() {
        let mut world = World::new([0.0, -G]);
        world.add_body(floor().friction(0.5)).unwrap();
        let wheel = Body::dynamic().at([0.0, radius]).shape(Shape::circle(radius)).mass(3.0).friction(0.5);
        let wheel = world.add_body(wheel.surface_speed(s)).unwrap();
        after(&mut world, &method, 0.5);
        let velocity = world[wheel].velocity;
        let wrong = (velocity.linear.x - s / 3.0).abs() + (radius * velocity.angular - 2.0 * s / 3.0).abs();
        assert!(wrong < left(&name), "{name}: {velocity:?}");
    }
}

/// On an incline a cube at rest stays as long as tan θ < μ_s, and beyond it slides with g (sin θ − μ_k cos θ); one that slides
/// already does so below μ_s, too [Coulomb]. What holds until the slip is a tenth of g h costs less than 5e-3 m/s. (The
/// contacts of `mujoco` and `sap` slip faster until they bear.)
#[test]
fn static_friction_holds_what_rests() {
    let [kinetic, of_rest] = [0.3, 0.55];
    for (name, method) in choices().into_iter().filter(|(name, _)| !yields(name)) {
        for (angle, start) in [(0.45_f64, 0.0), (0.6, 0.0), (0.45, 1.0)] {
            let mut world = World::new(G * DVec2::new(angle.sin(), -angle.cos()));
            let rough = |body: BodyBuilder| body.friction(kinetic).static_friction(of_rest);
            world.add_body(rough(floor())).unwrap();
            let cargo = world.add_body(rough(cube(0.5, 0.0)).velocity([start, 0.0])).unwrap();
            after(&mut world, &method, 0.5);
            let holds = start == 0.0 && angle.tan() < of_rest;
            let expected =
                if holds { 0.0 } else { start + 0.5 * G * (angle.sin() - kinetic * angle.cos()) };
            let speed = world[cargo].velocity.linear.x;
            assert!(
                (speed - expected).abs() < 5e-3,
                "{name}, {angle}, {start}: {speed} instead of {expected}"
            );
        }
    }
}

/// A disk that rolls meets rolling resistance τ = c_r N. With friction F, m v̇ = −F and I ω̇ = F r − c_r N about its middle,
/// and v = r ω, v̇ = −(c_r g/r)/(1 + k²/r²): it stops after v²/(2 c_r g/r) · (1 + k²/r²), k² = r²/2 of a disk, and stays. All
/// its energy, ¾ m v², is friction's. Velocity stepping errs by ½ h v; under `soft` and `xpbd` the disk first sinks into the
/// floor by what bears it, which is paid from the same normal impulses. The contacts of `mujoco` and `sap` bound friction and
/// rolling resistance together; those of `mujoco` are compared with its own (`physics/mujoco.rs`).
#[test]
fn rolling_resistance_stops_a_disk() {
    let (radius, lever, v) = (0.2, 0.02, 1.0);
    let expected = v * v / (2.0 * lever * G / radius) * 1.5;
    for (name, method) in choices().into_iter().filter(|(name, _)| !yields(name)) {
        let mut world = World::new([0.0, -G]);
        world.add_body(floor().friction(0.8)).unwrap();
        let disk = Body::dynamic().at([0.0, radius]).shape(Shape::circle(radius)).mass(2.0).friction(0.8);
        let disk = disk.rolling_resistance(lever).velocity([v, 0.0]).angular_velocity(-v / radius);
        let disk = world.add_body(disk).unwrap();
        let reports = after(&mut world, &method, 1.6);
        let Body { pose, velocity, .. } = &world[disk];
        let way = pose.position.x;
        let steps = if name.starts_with("soft") || name.starts_with("xpbd") { 3.0 } else { 1.0 };
        assert!(
            (way - expected).abs() < steps * H * v,
            "{name}: stops after {way} m instead of {expected} m"
        );
        assert!(velocity.linear.x.abs() < 1e-12 && velocity.angular.abs() < 1e-12, "{name}: {velocity:?}");
        let lost: f64 = reports.iter().map(|own| own.work.friction).sum();
        assert!((lost + 1.5).abs() < 2e-3, "{name}: friction takes {lost} J");
    }
}

/// On an incline a disk stays put as long as r sin θ < c_r cos θ, and rolls beyond that: statics. The joint cones of `mujoco`
/// and `sap` have another bound.
#[test]
fn rolling_resistance_holds_a_disk_on_a_slope() {
    let (radius, lever) = (0.2, 0.02_f64);
    for (name, method) in choices().into_iter().filter(|(name, _)| !yields(name)) {
        for (slope, holds) in [(0.09_f64, true), (0.11, false)] {
            let angle = slope.atan();
            let mut world = World::new(G * DVec2::new(angle.sin(), -angle.cos()));
            world.add_body(floor().friction(0.8)).unwrap();
            let disk = Body::dynamic().at([0.0, radius]).shape(Shape::circle(radius)).friction(0.8);
            let disk = world.add_body(disk.rolling_resistance(lever)).unwrap();
            after(&mut world, &method, 0.5);
            let speed = world[disk].velocity.linear.x;
            let expected =
                if holds { 0.0 } else { 0.5 * G * (angle.sin() - lever / radius * angle.cos()) / 1.5 };
            let level = if name.starts_with("xpbd") || name.starts_with("soft") { 1e-3 } else { 1e-4 };
            assert!((speed - expected).abs() < level, "{name}, {slope}: {speed} instead of {expected}");
        }
    }
}

/// A body of fixed rotation has 1/I = 0: an offset push and joints that would need a moment leave its angle at 0 to the bit, a
/// weld of two of them keeps their distance, and its energy is ½ m v². Joints hold to what a step leaves of them, and those of
/// `soft` to what their springs of 60 Hz sag by, g/ω² = 7e-5 m for each of both.
#[test]
fn fixed_rotation_is_exact() {
    for (name, method) in choices() {
        let mut world = World::new([0.0, -G]);
        let ground = world.add_body(floor().friction(0.8)).unwrap();
        let tall = Body::dynamic().at([0.0, 1.0]).shape(Shape::rectangle(0.2, 2.0)).mass(2.0).friction(0.8);
        let tall = world.add_body(tall.fixed_rotation().velocity([3.0, 0.0])).unwrap();
        let loose = |at: [f64; 2]| {
            Body::dynamic()
                .at(at)
                .shape(Shape::rectangle(0.2, 0.2))
                .mass(1.0)
                .fixed_rotation()
                .without_collisions()
        };
        let rider = world.add_body(loose([0.3, 1.5]).velocity([3.0, 0.0])).unwrap();
        world.add_joint(Joint::weld(tall, rider).at([0.0, 1.5])).unwrap();
        let held = world.add_body(loose([5.0, 2.0])).unwrap();
        world.add_joint(Joint::weld(ground, held).at([4.0, 2.0])).unwrap();
        let hung = world.add_body(loose([8.0, 2.0])).unwrap();
        world.add_joint(Joint::hinge(ground, hung).at([7.0, 2.0])).unwrap();
        assert_eq!(world[tall].inverse_mass().z, 0.0);
        assert_eq!(world[tall].kinetic_energy(), 9.0);
        after(&mut world, &method, 0.5);
        for body in [tall, rider, held, hung] {
            let Body { pose, velocity, .. } = &world[body];
            assert!(pose.angle == 0.0 && velocity.angular == 0.0, "{name}: {pose:?}");
        }
        let sag = match name.as_str() {
            _ if name.starts_with("soft") => 3e-4,
            _ if name.starts_with("mujoco") => 1e-3, // ⅔ g/(K d) of a time constant of 20 ms
            _ => 1e-4,
        };
        let apart = world[rider].pose.position - world[tall].pose.position;
        assert!(apart.distance(DVec2::new(0.3, 0.5)) < sag, "{name}: {apart}");
        assert!(world[held].pose.position.distance(DVec2::new(5.0, 2.0)) < sag, "{name}");
        assert!(world[hung].pose.position.distance(DVec2::new(8.0, 2.0)) < sag, "{name}");
    }
}

/// A body of fixed rotation that turns is refused, and so is one that is set to turn.
#[test]
fn fixed_rotation_refuses_an_angular_velocity() {
    let mut world = World::new([0.0, 0.0]);
    let turning = cube(1.0, 0.0).fixed_rotation().angular_velocity(1.0);
    assert!(world.add_body(turning).unwrap_err().to_string().contains("fixed rotation"));
    let body = world.add_body(cube(1.0, 0.0).fixed_rotation()).unwrap();
    assert!(world.edit_body(body, |body| body.velocity.angular = 1.0).is_err());
}

/// Mass, centre of mass and inertia of two boxes of different density are ρᵢAᵢ, and by parallel axes Σ mᵢ (wᵢ² + hᵢ²)/12 + mᵢ
/// dᵢ²: 2 kg at x = 0 and 6 kg at x = 2 have their centre at 1.5, and I = 2/6 + 6/6 + 2 · 1.5² + 6 · 0.5².
#[test]
fn densities_of_shapes_make_the_mass() {
    let dense = Surface { density: Some(6.0), ..Surface::default() };
    let body = Body::dynamic()
        .density(2.0)
        .shape(Shape::rectangle(1.0, 1.0))
        .placed(Placement { surface: dense, ..Placement::at(Shape::rectangle(1.0, 1.0), [2.0, 0.0], 0.0) })
        .build()
        .unwrap();
    let own = body.mass_properties();
    let inertia = 2.0 / 6.0 + 6.0 / 6.0 + 2.0 * 2.25 + 6.0 * 0.25;
    assert!(own.mass == 8.0 && own.center == DVec2::new(1.5, 0.0), "{own:?}");
    assert!((own.inertia - inertia).abs() < 1e-14, "{own:?} instead of {inertia}");
    let given = Body::dynamic()
        .mass(1.0)
        .placed(Placement { surface: dense, ..Placement::centred(Shape::circle(1.0)) });
    assert!(given.build().is_err());
}

/// Each shape has its own friction and restitution: of two ends of a floor, one smooth and one rough, a cube of μ = 0.5 keeps its
/// speed on the one and loses μ g t on the other; a ball rebounds with e of what it meets.
#[test]
fn each_shape_has_its_own_surface() {
    let half = |x: f64, friction: f64, restitution: f64| Placement {
        surface: Surface { friction: Some(friction), restitution: Some(restitution), ..Surface::default() },
        ..Placement::at(Shape::rectangle(10.0, 1.0), [x, -0.5], 0.0)
    };
    for (name, method) in choices() {
        let mut world = World::new([0.0, -G]);
        world.add_body(Body::fixed().placed(half(-5.0, 0.0, 0.0)).placed(half(5.0, 0.5, 0.0))).unwrap();
        let on = |world: &mut World, x: f64| {
            world.add_body(cube(0.5, x).friction(0.5).velocity([2.0, 0.0])).unwrap()
        };
        let (smooth, rough) = (on(&mut world, -8.0), on(&mut world, 2.0));
        after(&mut world, &method, 0.2);
        let speed = |body: BodyId| world[body].velocity.linear.x;
        assert!((speed(smooth) - 2.0).abs() < left(&name), "{name}: {}", speed(smooth));
        assert!((speed(rough) - (2.0 - 0.5 * G * 0.2)).abs() < left(&name), "{name}: {}", speed(rough));
    }
}

/// The rules of combination are what their names say, and a pair of materials has its own values in either order.
#[test]
fn surfaces_combine_as_the_world_says() {
    let of = |rule: Mix| rule.of(0.9, 0.4);
    assert_eq!([of(Mix::Mean), of(Mix::Min), of(Mix::Max)], [0.65, 0.4, 0.9]);
    assert!((of(Mix::Geometric) - 0.6).abs() < 1e-15 && (of(Mix::Product) - 0.36).abs() < 1e-15);
    let material = |name: &str| Material { name: name.to_owned(), surface: Surface::default() };
    let pair = MaterialPair { materials: [1, 0], friction: Some(0.1), ..MaterialPair::default() };
    for (named, expected) in [(true, 0.1), (false, 0.65)] {
        let mut world = World::new([0.0, -G]);
        let list = vec![material("ice"), material("wood")];
        world
            .set_materials(Materials {
                friction: Mix::Mean,
                list,
                pairs: vec![pair],
                ..Materials::default()
            })
            .unwrap();
        let mut ground = floor().friction(0.4).build().unwrap();
        let mut cargo = cube(0.5, 0.0).friction(0.9).velocity([5.0, 0.0]).build().unwrap();
        (ground.material, cargo.material) = (Some(0).filter(|_| named), Some(1));
        world.add_body(ground).unwrap();
        let cargo = world.add_body(cargo).unwrap();
        after(&mut world, &Method::anitescu_hart(), 0.1);
        let speed = world[cargo].velocity.linear.x;
        assert!((speed - (5.0 - expected * G * 0.1)).abs() < 1e-9, "{named}: {speed}");
    }
    let unknown = MaterialPair { materials: [0, 7], ..MaterialPair::default() };
    assert!(
        World::default().set_materials(Materials { pairs: vec![unknown], ..Materials::default() }).is_err()
    );
}

/// Two shapes collide where (mask_a & categories_b) and (mask_b & categories_a) are not 0, and by the sign of an equal group
/// whatever those say [Box2D 3.1, `b2ShouldShapesCollide`]. A body that passes falls freely; one that does not rests on the
/// floor.
#[test]
fn filters_decide_who_collides() {
    let filter = |categories: u32, mask: u32, group: i32| Filter { categories, mask, group };
    let all = u32::MAX;
    for (a, b, collide) in [
        (filter(1, all, 0), filter(2, all, 0), true),
        (filter(1, 1, 0), filter(2, all, 0), false),
        (filter(1, all, 0), filter(2, 4, 0), false),
        (filter(6, 8, 0), filter(8, 2, 0), true),
        (filter(1, all, -3), filter(1, all, -3), false),
        (filter(1, 0, 3), filter(1, 0, 3), true),
        (filter(1, 0, 3), filter(1, all, 4), false),
        (filter(1, all, -3), filter(1, all, -4), true),
    ] {
        assert_eq!(a.passes(&b), collide, "{a:?}, {b:?}");
        for (one, other) in [(a, b), (b, a)] {
            for of_shape in [false, true] {
                let mut world = World::new([0.0, -G]);
                world.add_body(floor().filter(one)).unwrap();
                let ball = Body::dynamic().at([0.0, 0.5]);
                let shape = Placement::centred(Shape::circle(0.5));
                let surface = Surface { filter: Some(other), ..Surface::default() };
                let ball = if of_shape {
                    ball.placed(Placement { surface, ..shape })
                } else {
                    ball.placed(shape).filter(other)
                };
                let ball = world.add_body(ball).unwrap();
                after(&mut world, &Method::anitescu_hart(), 0.1);
                let rests = (world[ball].pose.position.y - 0.5).abs() < 1e-6;
                assert_eq!(rests, collide, "{one:?}, {other:?}, {of_shape}");
            }
        }
    }
}

/// A shape hides the edges of a flush neighbour only from those that collide with both: a box that passes through the first of
/// two tiles is stopped by the side of the second one.
#[test]
fn a_tile_that_lets_pass_hides_no_edge() {
    for (mask, stopped) in [(u32::MAX, false), (2, true)] {
        let tile = |x: f64, categories: u32| Placement {
            surface: Surface {
                filter: Some(Filter { categories, ..Filter::default() }),
                ..Surface::default()
            },
            ..Placement::at(Shape::rectangle(2.0, 1.0), [x, -0.5], 0.0)
        };
        let mut world = World::new([0.0, 0.0]);
        world.add_body(Body::fixed().placed(tile(-1.0, 1)).placed(tile(1.0, 2))).unwrap();
        let y = if stopped { -0.5 } else { 0.25 };
        let mover = Body::dynamic().at([-1.0, y]).shape(Shape::rectangle(0.5, 0.5)).velocity([2.0, 0.0]);
        let mover = world.add_body(mover.filter(Filter { mask, ..Filter::default() })).unwrap();
        after(&mut world, &Method::anitescu_hart(), 1.0);
        let x = world[mover].pose.position.x;
        assert!(if stopped { (x + 0.25).abs() < 1e-3 } else { (x - 1.0).abs() < 1e-9 }, "{mask}: {x}");
    }
}

/// A box, a disk and a capsule that slide without friction over flush segments, open and closed, keep their speed to rounding,
/// at 1 to 30 m/s: nothing acts along the line. The contacts of `soft`, `xpbd` and `mujoco` give way, so that a box rocks by
/// 1e-6 rad and more, and their forces lean by that.
#[test]
fn nothing_trips_over_the_points_of_a_polyline() {
    let open: Vec<DVec2> = (-40..=40).map(|i| DVec2::new(f64::from(i), 0.0)).collect();
    let mut closed = open.clone();
    closed.extend([DVec2::new(40.0, -2.0), DVec2::new(-40.0, -2.0), open[0]]);
    let shapes = [Shape::rectangle(0.5, 0.5), Shape::circle(0.25), Shape::capsule(0.6, 0.25)];
    for (name, method) in choices() {
        for line in [&open, &closed] {
            for speed in [1.0, 7.0, 30.0] {
                let mut world = World::new([0.0, -G]);
                world.add_body(Body::fixed().shape(Shape::polyline(line.iter().copied()))).unwrap();
                let movers: Vec<_> = shapes
                    .iter()
                    .enumerate()
                    .map(|(place, shape)| {
                        let x = 2.0 * place as f64 - 0.5 * speed - 2.1;
                        let body =
                            Body::dynamic().at([x, 0.25]).shape(shape.clone()).velocity([speed, 0.0]);
                        world.add_body(body).unwrap()
                    })
                    .collect();
                after(&mut world, &method, 0.3);
                for body in movers {
                    let wrong = (world[body].velocity.linear.x - speed).abs();
                    let leans = ["soft", "xpbd", "mujoco"].iter().any(|key| name.starts_with(key));
                    let lean = if leans { 1e-7 } else { 1e-9 };
                    assert!(
                        wrong < lean * speed,
                        "{name}, {speed} m/s: {wrong}, {:?}",
                        world[body].velocity
                    );
                }
            }
        }
    }
}
