//! The linearised full step against finite differences of the real one, and against what load does to a pendulum.

use driftlab::experiment::stability::{Linear, Loaded, Model, StabilityError, largest_eigenvalue};
use driftlab::model::World;
use driftlab::scene::catalogue;
use driftlab::stabilizer::{Integrator, Level, Method, Workspace};
use driftlab::step::step;

/// Step of the differences, m, rad, m/s or rad/s.
const DIFFERENCE: f64 = 1e-6;
/// How near analytic and numerical derivative are, relative to the row's largest entry and at least to 1.
const AGREEMENT: f64 = 1e-7;

/// The state in the order of `Loaded::matrix`: q and v of what forces can move, then the integrals.
fn state(world: &World) -> Vec<f64> {
    let moving = || world.bodies().iter().filter(|body| body.is_dynamic());
    let q = moving().flat_map(|body| body.pose.coordinates().to_array());
    let v = moving().flat_map(|body| body.velocity.coordinates().to_array());
    let held = world.nonholonomic().iter();
    q.chain(v).chain(held.flat_map(|own| own.integral[..own.kind.rows()].to_vec())).collect()
}

/// The same world with its integrals changed, which is state that no method of `World` writes.
fn with_integral(world: &World, mut index: usize, by: f64) -> World {
    let mut other = World::new(world.gravity);
    other.time = world.time;
    for body in world.bodies() {
        other.add_body(body.clone());
    }
    world.joints().iter().for_each(|joint| other.add_joint(joint.clone()).unwrap());
    world.springs().iter().for_each(|spring| other.add_spring(spring.clone()).unwrap());
    for constraint in world.nonholonomic() {
        let (mut own, rows) = (constraint.clone(), constraint.kind.rows());
        if index < rows {
            own.integral[index] += by;
        }
        index = index.wrapping_sub(rows);
        other.add_nonholonomic(own).unwrap();
    }
    other
}

fn displaced(world: &World, index: usize, by: f64) -> World {
    let mut world = world.clone();
    let n = 3 * world.bodies().iter().filter(|body| body.is_dynamic()).count();
    if index >= 2 * n {
        return with_integral(&world, index - 2 * n, by);
    }
    let body = world.bodies_mut().iter_mut().filter(|body| body.is_dynamic()).nth(index % n / 3).unwrap();
    let mut coordinates = [body.pose.coordinates(), body.velocity.coordinates()];
    coordinates[index / n][index % 3] += by;
    (body.pose, body.velocity) = (coordinates[0].into(), coordinates[1].into());
    world
}

fn after(world: &World, method: &Method, h: f64) -> Vec<f64> {
    let mut world = world.clone();
    step(&mut world, method, h, &mut Workspace::default()).unwrap();
    state(&world)
}

/// The derivative is that of the real step.
fn check(name: &str, world: &World, method: &Method, h: f64) {
    check_by(DIFFERENCE, name, world, method, h);
}

/// The same by central differences of this width.
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
    let body = &mut world.bodies_mut()[1];
    let (length, angle) = (body.pose.position.length(), -std::f64::consts::FRAC_PI_2);
    body.pose.position = glam::DVec2::new(0.0, -length);
    body.pose.angle = angle;
    assert!(world.joint_error() < 1e-15);
    world
}

/// Protects the geometric stiffness alone: at rest nothing else of the load is in the step.
#[test]
fn a_hanging_pendulum_is_linearised_with_its_load() {
    methods().iter().for_each(|method| check("hanging pendulum", &hanging(), method, 0.02));
}

/// Protects all terms of the velocity beside the load: k, its derivatives, the turning of the rows in the step.
#[test]
fn a_double_pendulum_in_motion_is_linearised() {
    let world = scene("double-pendulum", 150, 2e-3);
    methods().iter().for_each(|method| check("double pendulum", &world, method, 5e-3));
}

/// Protects springs, in the rows and as forces, and their geometric stiffness.
#[test]
fn springs_are_linearised() {
    let world = scene("spring-pendulum", 100, 2e-3);
    methods().iter().for_each(|method| check("spring pendulum", &world, method, 5e-3));
}

/// Protects closed loops and sliders, whose rows turn with the body, and redundant rows.
#[test]
fn closed_loops_are_linearised() {
    for key in ["four-bar-loop", "slider-crank", "redundant-loop"] {
        let world = scene(key, 60, 2e-3);
        methods().iter().for_each(|method| check(key, &world, method, 2e-3));
    }
}

/// Protects non-holonomic rows, whose N is no gradient, and ∫e dt, which is state where Baumgarte's scheme uses it.
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

/// Protects contacts that push and hold: a box on two corners, a stack, a row of balls, and a disk that rolls without slipping by a constraint,
/// whose contact has no friction. A box that is tilted cannot have both corners held by friction, and which one slips is the solver's choice: an
/// effect of second order, which a smaller difference shows less of.
#[test]
fn contacts_that_hold_are_linearised() {
    let methods: Vec<Method> = methods().into_iter().take(5).collect();
    for key in ["box-at-rest", "vertical-stack", "newtons-cradle", "rolling-constraint"] {
        let world = catalogue::find(key).unwrap().scene().unwrap().world;
        methods.iter().for_each(|method| check_by(2e-8, key, &world, method, 5e-3));
    }
}

/// Protects bodies that move as prescribed: they have no derivatives, but their speed and acceleration load the joints.
#[test]
fn a_driven_pendulum_is_linearised() {
    let world = scene("driven-pendulum", 30, 1e-3);
    methods().iter().for_each(|method| check("driven pendulum", &world, method, 1e-3));
}

/// Without load and motion the full step is the unloaded form, which has been derived apart from it.
#[test]
fn without_load_the_full_step_is_the_unloaded_form() {
    let h = 0.02;
    let mut world = hanging();
    world.gravity = glam::DVec2::ZERO;
    for method in methods().iter().filter(|method| method.stabilizer.values.get("metric") != Some(1.0)) {
        let loaded = Loaded::of(&world, method, h).unwrap();
        let linear = Linear::of(&world, method).unwrap();
        let model = Model::of(method, h).unwrap();
        let apart = loaded.matrix() - linear.amplification(&model, h);
        let scale = largest_entry(&linear.amplification(&model, h));
        assert!(largest_entry(&apart) < 1e-10 * scale, "{method:?}: {:e}", largest_entry(&apart));
    }
}

fn largest_entry(matrix: &faer::Mat<f64>) -> f64 {
    matrix.col_iter().flat_map(|column| column.iter().copied()).fold(0.0, |most, x| most.max(x.abs()))
}

/// ω of the hanging bar, rad/s: ω² = m g l/(I + m l²), l from the hinge to the centre of mass.
fn frequency(world: &World) -> f64 {
    let driftlab::model::MassProperties { mass, inertia, .. } = world.bodies()[1].mass_properties();
    let arm = world.bodies()[1].pose.position.length();
    (mass * 9.81 * arm / (inertia + mass * arm * arm)).sqrt()
}

/// Protects what load means about an equilibrium: the constraint error is that of the closed form, and beside it the pendulum has
/// its own modes, of modulus √(1 + h²ω²) under explicit Euler, 1 under semi-implicit Euler up to hω = 2.
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

/// The unloaded form called a hanging pendulum stable, ρ = 0.9965, where the real step has 1.0115 [an issue; explicit Euler, here at
/// hω = √(1.0115² − 1) and a constraint that decays by 0.9965 a step]: a push of the bar grows by that factor.
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
    // The real step, differentiated numerically, and a thousandth of a radian after 200 steps of it.
    let size = state(&world).len();
    let columns: Vec<[Vec<f64>; 2]> = (0..size)
        .map(|i| [-DIFFERENCE, DIFFERENCE].map(|by| after(&displaced(&world, i, by), &method, h)))
        .collect();
    let numerical =
        faer::Mat::from_fn(size, size, |i, j| (columns[j][1][i] - columns[j][0][i]) / (2.0 * DIFFERENCE));
    assert!((largest_eigenvalue(&numerical).unwrap() - 1.0115).abs() < 1e-6);
    let mut moved = world.clone();
    let bar = &mut moved.bodies_mut()[1];
    (bar.pose.angle, bar.pose.position) = (
        bar.pose.angle + 1e-3,
        glam::DVec2::from_angle(bar.pose.angle + 1e-3) * bar.pose.position.length(),
    );
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

/// Protects honesty: where something acts in the step that the derivative has no part for, there is no number.
#[test]
fn what_is_not_linearised_is_refused() {
    let at = |key: &str, method: &str| {
        let world = catalogue::find(key).unwrap().scene().unwrap().world;
        Loaded::of(&world, &by_key(method), 0.01).map(drop)
    };
    assert_eq!(at("box-at-rest", "rattle"), Err(StabilityError::NotThisStep));
    assert_eq!(at("rolling-disk", "none"), Err(StabilityError::NotThisStep));
    assert_eq!(at("single-pendulum", "ngs"), Err(StabilityError::NoLoadedForm { scheme: "ngs" }));
    // A gap term sets the rows of a pyramid against each other: some contact opens in any disturbance.
    assert_eq!(at("pyramid-10", "anitescu_hart"), Err(StabilityError::NotThisStep));
    let mut pulled = hanging();
    let body = &pulled.bodies()[1];
    pulled.grab = Some(driftlab::model::Grab::new(1, body, body.pose.position));
    assert_eq!(Loaded::of(&pulled, &by_key("none"), 0.01).map(drop), Err(StabilityError::NotThisStep));
}
