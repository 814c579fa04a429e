//! Joints of other crates: they are constraints like all others, and one with a wrong derivative is refused.

use super::worlds::{GRAVITY, WITHIN_A_STEP, bar, method, point_mass, run, wall};
use driftlab::model::joint::{CustomJoint, Distance, DistanceForm, Equation, Unit};
use driftlab::model::{Body, BodyId, Frame, Joint, JointKind, ModelError, Shape, World};
use driftlab::report::StepError;
use driftlab::schemes::TABLE;
use driftlab::step::{Workspace, step};
use glam::{DVec2, DVec3};

/// Two centres keep their squared distance, as `Distance` does: g = d·d − L², each derivative times its share.
#[derive(Debug)]
struct Rod {
    length: f64,
    /// What J and k are multiplied by: 1 where they are right, and otherwise only beyond x = 1 m of body b, if `later`.
    shares: [f64; 2],
    later: bool,
}

impl Rod {
    fn right(length: f64) -> Self {
        Self { length, shares: [1.0; 2], later: false }
    }
}

impl CustomJoint for Rod {
    fn key(&self) -> &'static str {
        "squared_rod"
    }

    fn equations(&self, a: &Frame, b: &Frame, emit: &mut dyn FnMut(Equation)) {
        let (d, d_dot) = (b.position - a.position, b.linear - a.linear);
        let [of_j, of_k] = if self.later && b.position.x < 1.0 { [1.0; 2] } else { self.shares };
        emit(Equation {
            g: d.length_squared() - self.length * self.length,
            ja: of_j * 2.0 * (-d).extend(0.0),
            jb: of_j * 2.0 * d.extend(0.0),
            k: of_k * 2.0 * d_dot.length_squared(),
            unit: Unit::SquareMetre,
        });
    }
}

/// Three masses on rods, the first one on a wall; `rod` makes the joint between two of them.
fn triple(rod: impl Fn(BodyId, BodyId) -> driftlab::model::JointBuilder) -> World {
    let mut world = World::new(GRAVITY);
    let mut last = world.add_body(wall()).unwrap();
    for link in 1..4 {
        let mass = world.add_body(point_mass(DVec2::new(f64::from(link), 0.0))).unwrap();
        world.add_joint(rod(last, mass)).unwrap();
        last = mass;
    }
    world
}

/// Bit for bit, under every scheme: a joint of another crate makes the steps of the engine's own with the same equations.
#[test]
fn a_custom_joint_makes_the_steps_of_the_one_with_its_equations() {
    let own = Distance { anchors: [DVec2::ZERO; 2], length: 1.0, form: DistanceForm::Squared };
    let own = || triple(|a, b| Joint::between([a, b], JointKind::Distance(own.clone())));
    let custom = || triple(|a, b| Joint::custom(a, b, Rod::right(1.0)));
    for scheme in TABLE {
        let method = method(scheme.info().key, &[]).at_step(1e-3);
        let [mut first, mut second] = [own(), custom()];
        run(&mut first, &method, 1e-3, 300);
        run(&mut second, &method, 1e-3, 300);
        let bits = |world: &World| -> Vec<u64> {
            let bodies = world.bodies().iter().flat_map(|body| {
                [body.pose.coordinates(), body.velocity.coordinates()].map(|x| x.to_array()).concat()
            });
            let forces = world.joints().iter().flat_map(|joint| joint.force);
            bodies.chain(forces).map(f64::to_bits).collect()
        };
        assert_eq!(bits(&first), bits(&second), "{}", scheme.info().key);
    }
}

/// Two wheels in mesh.
#[derive(Debug)]
struct Gear {
    radii: [f64; 2],
}

impl CustomJoint for Gear {
    fn key(&self) -> &'static str {
        "gear"
    }

    fn equations(&self, a: &Frame, b: &Frame, emit: &mut dyn FnMut(Equation)) {
        let [of_a, of_b] = self.radii;
        let (ja, jb) = (DVec3::new(0.0, 0.0, of_a), DVec3::new(0.0, 0.0, of_b));
        emit(Equation { g: of_a * a.angle + of_b * b.angle, ja, jb, k: 0.0, unit: Unit::Metre });
    }

    /// The angle of body b.
    fn coordinate(&self, _: &Frame, b: &Frame) -> Option<Equation> {
        Some(Equation { g: b.angle, ja: DVec3::ZERO, jb: DVec3::Z, k: 0.0, unit: Unit::Radian })
    }
}

/// Two wheels of 0.1 m and 0.3 m in mesh, with moments of inertia 0.02 and 0.5 kg m².
fn wheels(joint: impl FnOnce(BodyId, BodyId) -> driftlab::model::JointBuilder) -> (World, [BodyId; 2]) {
    let mut world = World::new(DVec2::ZERO);
    let wall = world.add_body(wall()).unwrap();
    let [small, large] = [(-0.1, 0.1, 0.02), (0.3, 0.3, 0.5)].map(|(x, radius, inertia)| {
        let wheel = Body::dynamic().at([x, 0.0]).shape(Shape::circle(radius)).without_collisions();
        let wheel = world.add_body(wheel.mass_and_inertia(1.0, inertia)).unwrap();
        world.add_joint(Joint::hinge(wall, wheel)).unwrap();
        wheel
    });
    world.add_joint(joint(small, large)).unwrap();
    (world, [small, large])
}

/// Newton's law of two meshing wheels: the torque τ on the small one gives it τ/(I_a + I_b (r_a/r_b)²), and the teeth press with
/// F = I_b |ω̇_b|/r_b.
#[test]
fn geared_wheels_accelerate_by_their_reduced_inertia() {
    let (torque, radii) = (0.5, [0.1, 0.3_f64]);
    let reduced = 0.02 + 0.5 * (radii[0] / radii[1]).powi(2);
    for scheme in TABLE.iter().filter(|scheme| scheme.uses_solver) {
        let (mut world, [small, large]) = wheels(|a, b| Joint::custom(a, b, Gear { radii }));
        world.set_applied_force(small, Some(driftlab::model::AppliedForce::torque(torque))).unwrap();
        run(&mut world, &method(scheme.info().key, &[]).at_step(1e-2), 1e-2, 100);
        let key = scheme.info().key;
        let expected = torque / reduced;
        assert!((world[small].velocity.angular / expected - 1.0).abs() < 1e-9, "{key}");
        let pressure = 0.5 * expected * (radii[0] / radii[1]) / radii[1];
        let force = world.joints()[2].force[0].abs();
        assert!((force / pressure - 1.0).abs() < 1e-9, "{key}: {force} N, expected {pressure} N");
        assert!((world[large].velocity.angular / world[small].velocity.angular + 1.0 / 3.0).abs() < 1e-9);
    }
}

/// The free coordinate of a joint of another crate takes a motor and limits.
#[test]
fn a_custom_coordinate_is_driven_and_limited() {
    let driven = |a, b| Joint::custom(a, b, Gear { radii: [0.1, 0.3] }).motor(2.0, 20.0).limits(-0.5, 0.5);
    let (mut world, [small, large]) = wheels(driven);
    run(&mut world, &method("anitescu_hart", &[]), 1e-3, 230);
    assert!((world[large].velocity.angular - 2.0).abs() < 1e-9, "{}", world[large].velocity.angular);
    run(&mut world, &method("anitescu_hart", &[]), 1e-3, 500);
    assert!((world[large].pose.angle - 0.5).abs() < 1e-6, "{}", world[large].pose.angle);
    assert!((world[small].pose.angle + 1.5).abs() < 1e-5, "{}", world[small].pose.angle);
}

/// A rope: no equation, and the distance of two centres as the coordinate, which has an upper limit.
#[derive(Debug)]
struct Rope;

impl CustomJoint for Rope {
    fn key(&self) -> &'static str {
        "rope"
    }

    fn rows(&self) -> usize {
        0
    }

    fn equations(&self, _: &Frame, _: &Frame, _: &mut dyn FnMut(Equation)) {}

    fn coordinate(&self, a: &Frame, b: &Frame) -> Option<Equation> {
        let (d, d_dot) = (b.position - a.position, b.linear - a.linear);
        let (g, n) = (d.length(), d.normalize_or_zero());
        let k = (d_dot.length_squared() - n.dot(d_dot).powi(2)) / g; // the centripetal acceleration
        Some(Equation { g, ja: (-n).extend(0.0), jb: n.extend(0.0), k, unit: Unit::Metre })
    }
}

/// A slack rope lets a mass fall as if it were free, y = ½ g h² n (n + 1) below its start by the semi-implicit step, and with
/// n − 1 for n + 1 where the step moves first; a taut one holds it one length below the wall with its weight. Under every
/// scheme: the engine has no rope, a program brings it.
#[test]
fn a_rope_of_another_crate_is_slack_and_then_holds() {
    let h = 1e-3;
    for scheme in WITHIN_A_STEP.iter() {
        let key = scheme.info().key;
        let mut world = World::new(GRAVITY);
        let wall = world.add_body(wall()).unwrap();
        let mass = world.add_body(point_mass(DVec2::new(0.0, -0.5))).unwrap();
        let rope = world.add_joint(Joint::custom(wall, mass, Rope).limits(0.0, 1.0)).unwrap();
        let method = method(key, &[]).at_step(h);
        run(&mut world, &method, h, 200);
        let fallen = -0.5 - world[mass].pose.position.y;
        let (free, exact) = (0.5 * 9.81 * h * h * 200.0 * 201.0, 0.5 * 9.81 * 0.04);
        let least = if key == "ggl" { 0.5 * 9.81 * h * h * 200.0 * 199.0 } else { exact };
        assert!((least * (1.0 - 1e-9)..free + 1e-12).contains(&fallen), "{key}: fell by {fallen} m");
        let mut workspace = Workspace::default();
        for _ in 200..3000 {
            step(&mut world, &method, h, &mut workspace).unwrap();
        }
        let left = world[mass].pose.position.y + 1.0;
        assert!(left.abs() < 2e-3, "{key}: hangs {left} m beside its length");
        let weight = 9.81; // of 1 kg
        let held = -workspace.limit_force(rope).unwrap();
        assert!((held / weight - 1.0).abs() < 1e-2, "{key}: held with {held} N of {weight} N");
    }
}

/// A joint that demands nothing and leaves nothing for limits to act on is a mistake.
#[test]
fn a_joint_without_any_row_is_refused() {
    #[derive(Debug)]
    struct Nothing;
    impl CustomJoint for Nothing {
        fn key(&self) -> &'static str {
            "nothing"
        }
        fn rows(&self) -> usize {
            0
        }
        fn equations(&self, _: &Frame, _: &Frame, _: &mut dyn FnMut(Equation)) {}
    }
    let mut world = World::new(GRAVITY);
    let [wall, mass] = [wall(), point_mass(DVec2::X)].map(|body| world.add_body(body).unwrap());
    let error = world.add_joint(Joint::custom(wall, mass, Nothing)).unwrap_err();
    assert!(error.to_string().contains("1 to 3 where it has no coordinate"), "{error}");
}

/// A wrong derivative never enters a world: J and k are compared with differences when the joint is added.
#[test]
fn a_wrong_derivative_is_refused() {
    for (shares, wrong) in
        [([-1.0, 1.0], "∂g/∂x of body a"), ([1.001, 1.0], "∂g/∂x of body a"), ([1.0, 0.5], "k = J̇ v")]
    {
        let mut world = World::new(GRAVITY);
        let ends = [wall(), point_mass(DVec2::new(0.6, 0.8))].map(|body| world.add_body(body).unwrap());
        let before = world.clone();
        let rod = Rod { shares, ..Rod::right(1.0) };
        let error = world.add_joint(Joint::custom(ends[0], ends[1], rod)).unwrap_err();
        let ModelError::WrongDerivative { joint: "squared_rod", row: 0, derivative, given, difference } =
            error
        else {
            panic!("{error}")
        };
        assert_eq!(derivative, wrong);
        let right = given / if wrong.starts_with('k') { shares[1] } else { shares[0] };
        assert!((difference / right - 1.0).abs() < 1e-5, "{difference}, expected {right}");
        assert!(world == before);
    }
}

/// Emits its equation twice, and says that it has one.
#[derive(Debug)]
struct Twice(Gear);

impl CustomJoint for Twice {
    fn key(&self) -> &'static str {
        "twice"
    }

    fn equations(&self, a: &Frame, b: &Frame, emit: &mut dyn FnMut(Equation)) {
        self.0.equations(a, b, emit);
        self.0.equations(a, b, emit);
    }
}

/// A joint with more equations than it says never enters a world.
#[test]
fn equations_that_are_not_announced_are_refused() {
    let mut world = World::new(GRAVITY);
    let ends = [wall(), bar(DVec2::splat(0.1), DVec2::X, 0.0)].map(|body| world.add_body(body).unwrap());
    let twice = Twice(Gear { radii: [0.1, 0.2] });
    let error = world.add_joint(Joint::custom(ends[0], ends[1], twice)).unwrap_err();
    assert!(matches!(error, ModelError::OutOfRange { value: 2.0, .. }), "{error}");
}

/// A gear that emits its equation only near the pose at which it was made.
#[derive(Debug)]
struct Fading(Gear);

impl CustomJoint for Fading {
    fn key(&self) -> &'static str {
        "fading"
    }

    fn equations(&self, a: &Frame, b: &Frame, emit: &mut dyn FnMut(Equation)) {
        if b.angle == 0.0 {
            self.0.equations(a, b, emit);
        }
    }
}

/// A joint whose equation is missing at some poses is refused by its derivatives there, without a panic.
#[test]
fn equations_that_come_and_go_are_refused() {
    let mut world = World::new(GRAVITY);
    let ends = [wall(), bar(DVec2::splat(0.1), DVec2::X, 0.0)].map(|body| world.add_body(body).unwrap());
    let fading = Fading(Gear { radii: [0.1, 0.2] });
    let error = world.add_joint(Joint::custom(ends[0], ends[1], fading)).unwrap_err();
    assert!(matches!(error, ModelError::WrongDerivative { .. }), "{error}");
}

/// In debug builds a derivative that goes wrong on the way ends the run with an error, and leaves the world as it was.
#[cfg(debug_assertions)]
#[test]
fn a_derivative_that_goes_wrong_ends_the_run() {
    let mut world = World::new(DVec2::ZERO);
    let ends = [wall(), bar(DVec2::splat(0.1), DVec2::new(0.6, 0.8), 0.0)];
    let ends = ends.map(|body| world.add_body(body).unwrap());
    let rod = Rod { shares: [2.0, 2.0], later: true, length: 1.0 };
    world.add_joint(Joint::custom(ends[0], ends[1], rod)).unwrap();
    let method = method("rattle", &[]);
    step(&mut world, &method, 1e-3, &mut Workspace::default()).unwrap();
    world.edit_body(ends[1], |body| body.pose.position = DVec2::new(1.2, 0.0)).unwrap();
    let before = world.clone();
    let error = step(&mut world, &method, 1e-3, &mut Workspace::default()).unwrap_err();
    assert!(matches!(error, StepError::Model(ModelError::WrongDerivative { .. })), "{error}");
    assert!(world == before);
}

/// What a file cannot contain is not saved in part: joints of other crates and force laws are named.
#[cfg(feature = "scene")]
#[test]
fn a_scene_with_a_program_in_it_is_not_saved() {
    let mut scene = driftlab::scene::catalogue::find("double-pendulum").unwrap().scene().unwrap();
    assert!(scene.saved().is_ok());
    let ids = scene.world.body_ids().to_vec();
    scene.world.add_joint(Joint::custom(ids[0], ids[2], Gear { radii: [1.0, 2.0] })).unwrap();
    scene.world.add_force_law(|_, _| {});
    let problems: Vec<_> = scene.saved().unwrap_err().iter().map(|own| own.to_string()).collect();
    assert_eq!(problems.len(), 2);
    assert!(
        problems[0].starts_with("joints[2]: the joint 'gear' comes from another crate"),
        "{problems:?}"
    );
    assert!(problems[1].starts_with("the world has 1 force law,"), "{problems:?}");
}
