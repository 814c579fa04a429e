//! The linearised full step against finite differences of the engine's step, and against the modes of a loaded pendulum.

use crate::physics::worlds::{edit, pull};
use driftlab::experiment::stability::{
    Dense, Linear, Loaded, Model, StabilityError, largest_eigenvalue, modes,
};
use driftlab::method::{Integrator, Level, Method};
use driftlab::model::joint::Curve;
use driftlab::model::{Body, Joint, Motor, Servo, Softness, Spring, World};
use driftlab::scene::catalogue;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

/// Step of the differences, m, rad, m/s or rad/s.
const DIFFERENCE: f64 = 1e-6;
/// Largest difference between analytic and numerical derivative, relative to the row's largest entry or 1.
const AGREEMENT: f64 = 1e-7;

/// The state in the order of `Loaded::matrix`: q and v of what forces can move, then the integrals.
fn state(world: &World) -> Vec<f64> {
    let moving = || world.bodies().iter().filter(|body| body.is_dynamic());
    let q = moving().flat_map(|body| body.pose.coordinates().to_array());
    let v = moving().flat_map(|body| body.velocity.coordinates().to_array());
    let held = world.nonholonomic().iter();
    q.chain(v).chain(held.flat_map(|own| own.integral[..own.kind.rows()].to_vec())).collect()
}

/// The same world with one of its integrals changed.
fn with_integral(world: &World, mut index: usize, by: f64) -> World {
    let mut other = world.clone();
    for (id, constraint) in world.nonholonomic_ids().iter().zip(world.nonholonomic()) {
        let rows = constraint.kind.rows();
        if index < rows {
            other.edit_nonholonomic(*id, |own| own.integral[index] += by).unwrap();
        }
        index = index.wrapping_sub(rows);
    }
    other
}

fn displaced(world: &World, index: usize, by: f64) -> World {
    let mut world = world.clone();
    let n = 3 * world.bodies().iter().filter(|body| body.is_dynamic()).count();
    if index >= 2 * n {
        return with_integral(&world, index - 2 * n, by);
    }
    let moving = (0..world.bodies().len()).filter(|body| world.bodies()[*body].is_dynamic());
    let body = moving.clone().nth(index % n / 3).unwrap();
    edit(&mut world, body, |body| {
        let mut coordinates = [body.pose.coordinates(), body.velocity.coordinates()];
        coordinates[index / n][index % 3] += by;
        (body.pose, body.velocity) = (coordinates[0].into(), coordinates[1].into());
    });
    world
}

fn after(world: &World, method: &Method, h: f64) -> Vec<f64> {
    let mut world = world.clone();
    step(&mut world, method, h, &mut Workspace::default()).unwrap();
    state(&world)
}

/// Asserts that the derivative is that of the engine's step.
fn check(name: &str, world: &World, method: &Method, h: f64) {
    check_by(DIFFERENCE, name, world, method, h);
}

/// Asserts that the derivative is that of the engine's step, by central differences of this width.
fn check_by(width: f64, name: &str, world: &World, method: &Method, h: f64) {
    let loaded = Loaded::of(world, method, h).unwrap_or_else(|error| panic!("{name}, {method:?}: {error}"));
    let matrix = loaded.matrix();
    let size = matrix.nrows();
    for column in 0..size {
        let [low, high] = [-width, width].map(|by| after(&displaced(world, column, by), method, h));
        for row in 0..size {
            let numerical = (high[row] - low[row]) / (2.0 * width);
            let scale = (0..size).fold(1.0_f64, |most, j| most.max(matrix[(row, j)].abs()));
            let apart = (numerical - matrix[(row, column)]).abs() / scale;
            assert!(
                apart < AGREEMENT,
                "{name}, {method:?}, entry {row}, {column}: {} or {numerical}",
                matrix[(row, column)]
            );
        }
    }
}

fn by_key(key: &str) -> Method {
    Method::by_key(key).unwrap()
}

/// Every scheme that has the form, at every level and under every integrator.
fn methods() -> Vec<Method> {
    let baumgarte =
        by_key("baumgarte_acceleration").with("alpha", 20.0).unwrap().with("beta", 35.0).unwrap();
    let mut all = vec![
        by_key("none"),
        by_key("baumgarte_velocity"),
        by_key("anitescu_hart"),
        by_key("anitescu_hart").with("gamma", 0.3).unwrap(),
        by_key("implicit"),
        by_key("post_stabilization"),
        by_key("post_stabilization").with("max_iterations", 3.0).unwrap(),
        by_key("post_stabilization").with("metric", 1.0).unwrap(),
        by_key("projection"),
        by_key("ggl"),
        by_key("rattle"),
    ];
    for integrator in Integrator::ALL {
        for method in [by_key("none"), baumgarte.clone(), by_key("post_stabilization")] {
            all.push(method.at_level(Level::Acceleration, integrator).unwrap());
        }
    }
    all
}

/// A shipped scene after `steps` steps of `h` s under RATTLE, which leaves it on the manifold.
fn scene(key: &str, steps: usize, h: f64) -> World {
    let mut world = catalogue::find(key).unwrap().scene().unwrap().world;
    for _ in 0..steps {
        step(&mut world, &by_key("rattle"), h, &mut Workspace::default()).unwrap();
    }
    world
}

/// The shipped pendulum, hanging straight down at rest.
fn hanging() -> World {
    let mut world = catalogue::find("single-pendulum").unwrap().scene().unwrap().world;
    edit(&mut world, 1, |body| {
        body.pose.position = glam::DVec2::new(0.0, -body.pose.position.length());
        body.pose.angle = -std::f64::consts::FRAC_PI_2;
    });
    assert!(world.joint_error() < 1e-15);
    world
}

/// The geometric stiffness is linearised correctly: for a pendulum hanging at rest it is the load's only term in the step.
#[test]
fn a_hanging_pendulum_is_linearised_with_its_load() {
    methods().iter().for_each(|method| check("hanging pendulum", &hanging(), method, 0.02));
}

/// The velocity's terms are linearised correctly: k, its derivatives, and the rotation of the rows within the step.
#[test]
fn a_double_pendulum_in_motion_is_linearised() {
    let world = scene("double-pendulum", 150, 2e-3);
    methods().iter().for_each(|method| check("double pendulum", &world, method, 5e-3));
}

/// Springs are linearised correctly, as rows and as forces, with their geometric stiffness.
#[test]
fn springs_are_linearised() {
    let world = scene("spring-pendulum", 100, 2e-3);
    methods().iter().for_each(|method| check("spring pendulum", &world, method, 5e-3));
}

/// Closed loops, sliders, whose rows turn with the body, and redundant rows are linearised correctly.
#[test]
fn closed_loops_are_linearised() {
    for key in ["four-bar-loop", "slider-crank", "redundant-loop"] {
        let world = scene(key, 60, 2e-3);
        methods().iter().for_each(|method| check(key, &world, method, 2e-3));
    }
}

/// Non-holonomic rows, whose N is no gradient, are linearised correctly, and ∫e dt is part of the state where Baumgarte's
/// scheme uses it; RATTLE has no loaded form for them.
#[test]
fn nonholonomic_rows_and_their_integrals_are_linearised() {
    let baumgarte =
        by_key("baumgarte_acceleration").with("alpha", 20.0).unwrap().with("beta", 35.0).unwrap();
    for key in ["three-bar-nonholonomic", "knife-edge"] {
        let mut world = scene(key, 40, 2e-3);
        world = with_integral(&world, 0, 1e-3);
        let rattle = |method: &&Method| method.stabilizer.info().key == "rattle";
        methods().iter().filter(|own| !rattle(own)).for_each(|method| check(key, &world, method, 5e-3));
        let refused = Loaded::of(&world, &by_key("rattle"), 5e-3).map(drop);
        assert_eq!(refused, Err(StabilityError::NoLoadedForm { scheme: "rattle" }));
        for (word, used) in [(0.0, true), (1.0, true), (2.0, false)] {
            let method = baumgarte.clone().with("integral", word).unwrap();
            check(key, &world, &method, 5e-3);
            let size = Loaded::of(&world, &method, 5e-3).unwrap().matrix().nrows();
            assert_eq!(!size.is_multiple_of(6), used, "{key}: {size} entries of the state");
        }
    }
}

/// Contacts that press and stick are linearised correctly: a box on two corners, a stack, a row of balls, and a disk that rolls
/// by a constraint on a frictionless contact. The differences are narrower here: friction cannot hold both corners of a
/// tilted box, and the choice of the one that slips is the solver's, an effect of second order in the difference.
#[test]
fn contacts_that_hold_are_linearised() {
    let methods: Vec<Method> = methods().into_iter().take(5).collect();
    for key in ["box-at-rest", "vertical-stack", "newtons-cradle", "rolling-constraint"] {
        let world = catalogue::find(key).unwrap().scene().unwrap().world;
        methods.iter().for_each(|method| check_by(2e-8, key, &world, method, 5e-3));
    }
}

/// Joints on a body with prescribed motion are linearised correctly: the body itself is not part of the state, but its
/// velocity and acceleration load the joints.
#[test]
fn a_driven_pendulum_is_linearised() {
    let world = scene("driven-pendulum", 30, 1e-3);
    methods().iter().for_each(|method| check("driven pendulum", &world, method, 1e-3));
}

/// Without load and motion the linearised full step is the unloaded form, which is derived independently.
#[test]
fn without_load_the_full_step_is_the_unloaded_form() {
    let h = 0.02;
    let mut world = hanging();
    world.set_gravity(glam::DVec2::ZERO).unwrap();
    for method in methods().iter().filter(|method| method.stabilizer.values.get("metric") != Some(1.0)) {
        let loaded = Loaded::of(&world, method, h).unwrap();
        let linear = Linear::of(&world, method).unwrap();
        let model = Model::of(method, h).unwrap();
        let unloaded = linear.amplification(&model, h);
        let apart = loaded.matrix() - &unloaded;
        let scale = largest_entry(&unloaded);
        assert!(largest_entry(&apart) < 1e-10 * scale, "{method:?}: {:e}", largest_entry(&apart));
    }
}

fn largest_entry(matrix: &Dense) -> f64 {
    matrix.entries().iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// ω of the hanging bar, rad/s: ω² = m g l/(I + m l²), l from the hinge to the centre of mass.
fn frequency(world: &World) -> f64 {
    let driftlab::model::MassProperties { mass, inertia, .. } = world.bodies()[1].mass_properties();
    let arm = world.bodies()[1].pose.position.length();
    (mass * 9.81 * arm / (inertia + mass * arm * arm)).sqrt()
}

/// A pendulum hanging at rest has the eigenvalues of its constraint error, as in the closed form, and those of its own
/// oscillation, of modulus √(1 + h²ω²) under explicit Euler and 1 under semi-implicit Euler up to hω = 2.
#[test]
fn a_hanging_pendulum_has_the_modes_of_its_constraint_and_its_own() {
    let (world, omega) = (hanging(), frequency(&hanging()));
    let baumgarte = by_key("baumgarte_acceleration").with("alpha", 8.0).unwrap().with("beta", 5.0).unwrap();
    for h in [0.01, 0.03, 0.1] {
        for (integrator, own) in
            [(Integrator::SemiImplicitEuler, 1.0), (Integrator::ExplicitEuler, (h * omega).hypot(1.0))]
        {
            let method = baumgarte.clone().at_level(Level::Acceleration, integrator).unwrap();
            let loaded = Loaded::of(&world, &method, h).unwrap();
            assert!(loaded.is_at_rest());
            let closed = Model::of(&method, h).unwrap().block(h).spectral_radius();
            assert!((loaded.constraint_radius().unwrap() - closed).abs() < 1e-9, "{method:?}, {h}");
            let radius = loaded.spectral_radius().unwrap();
            assert!((radius - closed.max(own)).abs() < 1e-7, "{integrator:?}, {h}: {radius}");
        }
    }
}

/// A hanging pendulum can be unstable by its load although the unloaded form calls it stable: under explicit Euler at
/// hω = √(1.0115² − 1), with a constraint error that decays by 0.9965 a step, ρ is 0.9965 without and 1.0115 with load. The
/// derivative of the engine's step has the latter, and a displacement of the bar grows by that factor.
#[test]
fn load_can_make_unstable_what_the_unloaded_form_calls_stable() {
    let world = hanging();
    let h = (1.0115_f64 * 1.0115 - 1.0).sqrt() / frequency(&world);
    let rate = (1.0 - 0.9965) / h;
    let method = by_key("baumgarte_acceleration").with("alpha", rate).unwrap().with("beta", rate).unwrap();
    let method = method.at_level(Level::Acceleration, Integrator::ExplicitEuler).unwrap();
    let linear = Linear::of(&world, &method).unwrap();
    let unloaded = linear.spectral_radius(&Model::of(&method, h).unwrap(), h).unwrap();
    let loaded = Loaded::of(&world, &method, h).unwrap().spectral_radius().unwrap();
    assert!((unloaded - 0.9965).abs() < 1e-6 && (loaded - 1.0115).abs() < 1e-9, "{unloaded}, {loaded}");
    // The engine's step, differentiated numerically; then the growth of a displacement of 1 mrad over 200 steps.
    let size = state(&world).len();
    let columns: Vec<[Vec<f64>; 2]> = (0..size)
        .map(|i| [-DIFFERENCE, DIFFERENCE].map(|by| after(&displaced(&world, i, by), &method, h)))
        .collect();
    let numerical =
        Dense::from_fn(size, size, |i, j| (columns[j][1][i] - columns[j][0][i]) / (2.0 * DIFFERENCE));
    assert!((largest_eigenvalue(&numerical).unwrap() - 1.0115).abs() < 1e-6);
    let mut moved = world.clone();
    edit(&mut moved, 1, |bar| {
        bar.pose.angle += 1e-3;
        bar.pose.position = glam::DVec2::from_angle(bar.pose.angle) * bar.pose.position.length();
    });
    let omega = frequency(&world);
    let amplitude = |world: &World| {
        let bar = &world.bodies()[1];
        (bar.pose.angle + std::f64::consts::FRAC_PI_2).hypot(bar.velocity.angular / omega)
    };
    for _ in 0..200 {
        step(&mut moved, &method, h, &mut Workspace::default()).unwrap();
    }
    let factor = (amplitude(&moved) / 1e-3).powf(1.0 / 200.0);
    assert!((factor - 1.0115).abs() < 1e-4, "{factor}");
}

/// Where the derivative lacks a term for something that acts in the step, an error is returned instead of a number.
#[test]
fn what_is_not_linearised_is_refused() {
    let at = |key: &str, method: &str| {
        let world = catalogue::find(key).unwrap().scene().unwrap().world;
        Loaded::of(&world, &by_key(method), 0.01).map(drop)
    };
    assert_eq!(at("box-at-rest", "rattle"), Err(StabilityError::NotThisStep));
    assert_eq!(at("rolling-disk", "none"), Err(StabilityError::NotThisStep));
    assert_eq!(at("single-pendulum", "ngs"), Err(StabilityError::NoLoadedForm { scheme: "ngs" }));
    // With a gap term the rows of a pyramid conflict, and any disturbance opens some contact.
    assert_eq!(at("pyramid-10", "anitescu_hart"), Err(StabilityError::NotThisStep));
    let mut pulled = hanging();
    let at = pulled.bodies()[1].pose.position;
    pull(&mut pulled, 1, at, at);
    assert_eq!(Loaded::of(&pulled, &by_key("none"), 0.01).map(drop), Err(StabilityError::NotThisStep));
}

/// The modes of the four-bar linkage with a diagonal spring are those of its one coordinate, to 12 digits
/// (tests/reference/modes.py), and every scheme's step approaches them with its order in h: explicit Euler 1, Runge–Kutta 4, the
/// others 2, since at rest semi-implicit Euler with the springs' rows is the leapfrog method, read off half a step later.
#[test]
fn every_scheme_has_the_mode_of_the_four_bar_with_its_order() {
    let world = catalogue::find("iftomm-four-bar-spring").unwrap().scene().unwrap().world;
    let [own] = modes(&world).unwrap()[..] else { panic!("one pair of eigenvalues") };
    assert!((own.decay - 0.242_385_809_310_505).abs() < 1e-12, "{own:?}");
    assert!((own.frequency - 2.133_955_028_348_38).abs() < 2e-12, "{own:?}");
    for method in methods() {
        let error = |h: f64| {
            let [step] = Loaded::of(&world, &method, h).unwrap().modes().unwrap()[..] else {
                panic!("{method:?}")
            };
            step.distance(own)
        };
        let expected = match (method.level, method.integrator) {
            (Level::Velocity, _) => 2.0,
            (_, Integrator::Rk4) => 4.0,
            (_, Integrator::ExplicitEuler) => 1.0,
            _ => 2.0,
        };
        let order = (error(0.02) / error(0.01)).log2();
        assert!((order - expected).abs() < 0.05, "{method:?}: order {order}");
    }
}

/// Modes belong to an equilibrium: a pendulum that hangs has the frequency of theory, one that stands off it has none,
/// and motors, which act but are not linearised, are refused.
#[test]
fn a_hanging_pendulum_has_its_frequency_and_a_raised_one_no_modes() {
    let world = hanging();
    let [own] = modes(&world).unwrap()[..] else { panic!("one pair of eigenvalues") };
    assert!(own.decay.abs() < 1e-12 && (own.frequency - frequency(&world)).abs() < 1e-12, "{own:?}");
    let raised = catalogue::find("single-pendulum").unwrap().scene().unwrap().world;
    assert_eq!(modes(&raised), Err(StabilityError::NoEquilibrium));
    let loaded = Loaded::of(&raised, &by_key("rattle"), 0.01).unwrap();
    assert_eq!(loaded.modes(), Err(StabilityError::NoEquilibrium));
}

/// A car's carrier on a sprung wheel, and a bead on a parabola, both in motion: the linearised step is the derivative of the
/// engine's. The wheel's axis leads through the carrier's centre, so that the mass which its spring moves does not change with
/// the pose. What holds a position is refused, since it is not part of it.
#[test]
fn wheels_and_beads_are_part_of_the_linearised_step() {
    let mut world = World::new([0.0, -9.81]);
    let wall = world.add_body(Body::fixed()).unwrap();
    let carrier = world.add_body(Body::dynamic().at([0.0, 1.0]).mass_and_inertia(3.0, 0.4)).unwrap();
    let wheel = world.add_body(Body::dynamic().at([-0.18, 0.4]).mass_and_inertia(1.0, 0.1)).unwrap();
    world.add_joint(Joint::hinge(wall, carrier).at([0.0, 1.0])).unwrap();
    let joint = Joint::wheel(carrier, wheel, [0.3, 1.0], 60.0, 1.5);
    world.add_joint(joint.anchors([-0.15, 0.5], [-0.18, 0.4])).unwrap();
    let curve = Curve::Parabola { coefficient: 0.7 };
    let at = DVec2::new(0.5, 0.7 * 0.25);
    let bead = world.add_body(Body::dynamic().at(at).mass_and_inertia(1.0, 0.1)).unwrap();
    world.add_joint(Joint::bead(wall, bead, curve).anchors([0.0, 0.0], at)).unwrap();
    for _ in 0..50 {
        step(&mut world, &by_key("rattle"), 1e-3, &mut Workspace::default()).unwrap();
    }
    for method in methods() {
        check("wheel and bead", &world, &method, 0.01);
    }
    let servo = Servo { position: 0.0, frequency: 1.0, damping_ratio: 1.0 };
    let hinge = world.joint_ids()[0];
    let hold = |joint: &mut Joint| {
        joint.motor = Some(Motor { speed: 0.0, max_force: 1.0 });
        joint.servo = Some(servo);
    };
    world.edit_joint(hinge, hold).unwrap();
    assert_eq!(Loaded::of(&world, &by_key("none"), 0.01).map(drop), Err(StabilityError::NotThisStep));
}

/// The mode of a wheel on a carrier that stands still is that of its frequency f and damping ratio ζ: −ζω ± iω √(1 − ζ²).
#[test]
fn a_wheel_has_the_mode_of_its_suspension() {
    let mut world = World::new([0.0, 0.0]);
    let carrier = world.add_body(Body::fixed()).unwrap();
    let wheel = world.add_body(Body::dynamic().mass_and_inertia(2.0, 0.1)).unwrap();
    let Softness { stiffness, damping } = Softness::of(2.0, 1.5, 0.3);
    world.add_joint(Joint::wheel(carrier, wheel, [0.0, 1.0], stiffness, damping)).unwrap();
    let omega = std::f64::consts::TAU * 1.5;
    let own = modes(&world).unwrap();
    let own = own.iter().find(|mode| mode.frequency > 0.0).expect("an oscillation");
    assert!((own.decay - 0.3 * omega).abs() < 1e-9, "{own:?}");
    assert!((own.frequency - omega * 0.91_f64.sqrt()).abs() < 1e-9, "{own:?}");
}

/// Two drums that turn on a wall, geared, on the second of which a bar hangs by its end; or two loads on a pulley whose wheels a
/// beam carries that turns about its middle.
fn coupled(gear: bool) -> World {
    let mut world = World::new(DVec2::new(0.0, -9.81));
    let wall = world.add_body(Body::fixed()).unwrap();
    if gear {
        let drum = world.add_body(Body::dynamic().at([-1.0, 0.2]).mass_and_inertia(2.0, 0.3)).unwrap();
        let bar = world.add_body(Body::dynamic().at([1.0, -0.5]).mass_and_inertia(1.5, 0.2)).unwrap();
        let first = world.add_joint(Joint::hinge(wall, drum).at([-1.0, 0.0])).unwrap();
        let second = world.add_joint(Joint::hinge(wall, bar).at([1.0, 0.0])).unwrap();
        world.add_gear([first, second], -1.7).unwrap();
    } else {
        let beam = world.add_body(Body::dynamic().at([0.0, 1.0]).mass_and_inertia(3.0, 0.8)).unwrap();
        let load = |x: f64, mass: f64| Body::dynamic().at([x, -0.4]).mass_and_inertia(mass, 0.1);
        let (a, b) = (world.add_body(load(-0.6, 1.0)).unwrap(), world.add_body(load(0.7, 2.0)).unwrap());
        world.add_joint(Joint::hinge(wall, beam).at([0.0, 1.1])).unwrap();
        let pulley = Joint::pulley(a, b, [[-0.6, 1.0], [0.6, 1.0]]).anchors([-0.6, -0.3], [0.7, -0.3]);
        world.add_joint(pulley.ratio(1.3).wheels_on([Some(beam), Some(beam)])).unwrap();
    }
    for _ in 0..40 {
        step(&mut world, &by_key("rattle"), 2e-3, &mut Workspace::default()).unwrap();
    }
    world
}

/// Protects rows of three and four bodies: gears, and pulleys on wheels that bodies carry, in motion, are linearised as the
/// engine steps them, with their geometric stiffness and J̇v on every body.
#[test]
fn gears_and_pulleys_are_linearised() {
    for gear in [true, false] {
        let world = coupled(gear);
        let name = if gear { "gear" } else { "pulley" };
        // RATTLE leaves up to 1e-12 of the rope's error, which a wider difference divides by more.
        methods().iter().for_each(|method| check_by(1e-5, name, &world, method, 2e-3));
    }
}

/// Protects the modes of a gear train against its closed form: two pendulums of the moments I₁, I₂ about their hinges and m g l
/// of each, geared by θ₁ + ρ θ₂ = 0, are one pendulum of ρ² I₁ + I₂ and ρ² m₁ g l₁ + m₂ g l₂. RATTLE's step has the
/// frequency of leapfrog, sin(½ω′h) = ½ωh.
#[test]
fn modes_of_geared_pendulums_are_those_of_one() {
    let (rho, g) = (-1.7, 9.81);
    let [m1, l1, i1, m2, l2, i2] = [2.0, 0.4, 0.3, 1.5, 0.5, 0.2];
    let mut world = World::new(DVec2::new(0.0, -g));
    let wall = world.add_body(Body::fixed()).unwrap();
    let mut hung = |x: f64, m: f64, l: f64, i: f64| {
        let body = world.add_body(Body::dynamic().at([x, -l]).mass_and_inertia(m, i)).unwrap();
        world.add_joint(Joint::hinge(wall, body).at([x, 0.0])).unwrap()
    };
    let hinges = [hung(-1.0, m1, l1, i1), hung(1.0, m2, l2, i2)];
    world.add_gear(hinges, rho).unwrap();
    let inertia = rho * rho * (i1 + m1 * l1 * l1) + i2 + m2 * l2 * l2;
    let omega = (g * (rho * rho * m1 * l1 + m2 * l2) / inertia).sqrt();
    let found = modes(&world).unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!((found[0].frequency - omega).abs() < 1e-9 * omega, "{found:?} or {omega}");
    assert!(found[0].decay.abs() < 1e-9, "{found:?}");
    let h = 1e-2;
    let own = Loaded::of(&world, &by_key("rattle"), h).unwrap().modes().unwrap();
    let verlet = 2.0 / h * (0.5 * omega * h).asin();
    assert!((own[0].frequency - verlet).abs() < 1e-7 * omega, "{own:?} or {verlet}");
}

/// Protects the modes of Atwood's machine with wheels on a body against its closed form: two equal loads m on a pulley whose
/// wheels are the ends of a beam of the moment I, which turns about its middle and which a torsional spring κ holds. With
/// sideways ξ, upwards η of the loads and the turn φ, the rope's length is η₁ + η₂ = (ξ₁² + ξ₂²)/2l, since what a turn gives at
/// one end it takes at the other one. V = m g (η₁ + η₂) + ½ κ φ² then has √(g/l) of each load, √(κ/I) of the beam, and nothing
/// of the rope's run.
#[test]
fn modes_of_atwoods_machine_on_a_beam() {
    let (m, g, a, l, inertia, kappa) = (2.0, 9.81, 0.6, 1.5, 0.8, 40.0);
    let mut world = World::new(DVec2::new(0.0, -g));
    let wall = world.add_body(Body::fixed()).unwrap();
    let beam = world.add_body(Body::dynamic().mass_and_inertia(3.0, inertia)).unwrap();
    let load = |x: f64| Body::dynamic().at([x, -l]).mass_and_inertia(m, 0.1).fixed_rotation();
    let (left, right) = (world.add_body(load(-a)).unwrap(), world.add_body(load(a)).unwrap());
    world.add_joint(Joint::hinge(wall, beam).at([0.0, 0.0])).unwrap();
    world.add_spring(Spring::between(wall, beam).stiffness(kappa).rest_angle(0.0)).unwrap();
    let pulley = Joint::pulley(left, right, [[-a, 0.0], [a, 0.0]]).wheels_on([Some(beam), Some(beam)]);
    world.add_joint(pulley).unwrap();
    let mut found: Vec<f64> = modes(&world).unwrap().iter().map(|mode| mode.frequency).collect();
    found.sort_by(f64::total_cmp);
    let swing = (g / l).sqrt();
    let right = [0.0, swing, swing, (kappa / inertia).sqrt()];
    let found: Vec<f64> = found.into_iter().filter(|own| *own > 1e-3).collect();
    assert_eq!(found.len(), 3, "{found:?} or {right:?}");
    for (own, right) in found.iter().zip(&right[1..]) {
        assert!((own - right).abs() < 1e-6 * right, "{found:?} or {right}");
    }
}
