//! A scheme from outside the engine, in this one file: the penalty method, springs and dampers in place of joints.
//!
//! ```text
//! M v̇ = F − Jᵀ A_d⁻¹ (ω² g + 2ζω ġ) ,   q̇ = v                       [Rubin & Ungar 1957; Lubich 1993]
//! v⁺ = v + h M⁻¹F + M⁻¹Jᵀλ ,  λ = −h A_d⁻¹ (ω² g + 2ζω J v) ,  q⁺ = q + h v⁺
//! ```
//!
//! A_d is the diagonal of A = J M⁻¹Jᵀ, so that ω (1/s) and ζ are the frequency and damping ratio of each row alone,
//! whatever the masses. No problem is solved: a joint under a load F is open by A_d F/ω². One row alone is g̈ + 2ζω ġ +
//! ω² g = 0 under semi-implicit Euler, stable up to (ωh)² + 4ζωh = 4; rows that share bodies are stiffer together, and
//! lower that limit. Joints alone are enforced: contacts, limits, motors and springs have no part.

use super::worlds::{GRAVITY, bar, chain, edit, hinge, point_mass, wall};
use crate::largest;
use driftlab::method::{
    AxisQuantity, GapTerm, Integrator, Level, Linearised, Method, Origin, Scheme, SchemeInfo,
    StabilityAxis, StabilityBoundary, Stabilizer,
};
use driftlab::model::World;
use driftlab::parameter::{Parameter, ParameterKind, Values};
use driftlab::report::StepError;
use driftlab::step::step;
use driftlab::step::{Step, Workspace};
use glam::DVec2;

const OMEGA: Parameter = Parameter {
    key: "omega",
    name: "frequency",
    symbol: "ω",
    unit: "s⁻¹",
    minimum: 0.0,
    maximum: 1e6,
    default: 200.0,
    kind: ParameterKind::Logarithmic,
    meaning: "Undamped angular frequency of a joint's row alone. The default is at most 1/(4h).",
};

const ZETA: Parameter = Parameter {
    key: "zeta",
    name: "damping ratio",
    symbol: "ζ",
    unit: "",
    minimum: 0.0,
    maximum: 1e3,
    default: 1.0,
    kind: ParameterKind::Linear,
    meaning: "Damping of a joint's row alone; 1 is critical.",
};

/// ωh and ζ that the stability map shows, and points of its boundary.
const SHOWN: [[f64; 2]; 2] = [[1e-3, 10.0], [0.05, 20.0]];
const BOUNDARY_POINTS: u32 = 100;

const INFO: SchemeInfo = SchemeInfo {
    key: "penalty",
    name: "Penalty method",
    short: "Penalty",
    origin: Origin::Papers,
    synonyms: &["spring_damper"],
    equation: "M v̇ = F − Jᵀ A_d⁻¹ (ω² g + 2ζω ġ)",
    summary: "Puts a stiff damped spring in place of each row of a joint.",
    source: "Rubin & Ungar 1957; Lubich 1993",
    levels: &[Level::Velocity],
    departures: &[],
    parameters: &[OMEGA, ZETA],
    per_step: &[0.25], // ωh = ¼: in a chain the rows that share bodies are stiffer together, by up to 3.76 at this value
    languages: &[],
};

static PENALTY: Scheme = Scheme {
    uses_solver: false,
    holds_velocities: |_| false,
    largest_stable_step,
    linearised,
    stability_plane,
    stability_boundary,
    remark,
    ..Scheme::new(INFO, advance)
};

fn advance(step: &mut Step<'_>) -> Result<(), StepError> {
    let (h, omega, zeta) = (step.length(), step.values().of(&OMEGA), step.values().of(&ZETA));
    step.evaluate(GapTerm::Touching); // g and J at q
    let (v, inverse_masses) = (step.velocities(), step.inverse_masses());
    let spring = |row: &driftlab::constraint::Row| {
        let own = row.ja.dot(inverse_masses[row.a] * row.ja) + row.jb.dot(inverse_masses[row.b] * row.jb);
        -h / own * (omega * omega * row.g + 2.0 * zeta * omega * row.rate(v))
    };
    let impulses: Vec<f64> = step.joints().iter().map(spring).collect();
    step.kick(); // v + h M⁻¹F
    impulses.iter().enumerate().for_each(|(row, lambda)| step.push(row, *lambda)); // + M⁻¹Jᵀλ
    step.drift(); // q⁺ = q + h v⁺
    Ok(())
}

fn largest_stable_step(values: &Values, _: Integrator) -> f64 {
    limit(values.of(&ZETA)) / values.of(&OMEGA)
}

fn linearised(method: &Method, _: f64) -> Option<Linearised> {
    let [beta, zeta] = [&OMEGA, &ZETA].map(|own| method.stabilizer.values.of(own));
    let integrator = Integrator::SemiImplicitEuler;
    Some(Linearised::Acceleration { alpha: zeta * beta, beta, integrator })
}

fn stability_plane(_: &Values, h: f64) -> Option<[StabilityAxis; 2]> {
    let frequency = (AxisQuantity::Parameter(&OMEGA), SHOWN[0].map(|phase| phase / h));
    Some([frequency, (AxisQuantity::Parameter(&ZETA), SHOWN[1])])
}

fn stability_boundary(_: &Values, _: Integrator, h: f64) -> Option<StabilityBoundary> {
    let [low, high] = SHOWN[1];
    let zeta = |i: u32| low * (high / low).powf(f64::from(i) / f64::from(BOUNDARY_POINTS));
    let points = (0..=BOUNDARY_POINTS).map(zeta).map(|zeta| [limit(zeta) / h, zeta]).collect();
    Some(StabilityBoundary { name: "(ωh)² + 4ζωh = 4", points })
}

fn remark(values: &Values, _: f64) -> Option<String> {
    let give = values.of(&OMEGA).powi(-2);
    Some(format!("a load that gives its row 1 m/s² opens the joint by {give:.3e} m"))
}

/// The positive root ωh of (ωh)² + 4ζωh = 4.
fn limit(zeta: f64) -> f64 {
    2.0 / (zeta + zeta.hypot(1.0))
}

fn penalty(omega: f64, zeta: f64) -> Method {
    let method = Method::new(Stabilizer::from(&PENALTY));
    method.with("omega", omega).unwrap().with("zeta", zeta).unwrap()
}

/// A mass that a hinge holds at the origin through its centre: two rows with A = 1/m and no other motion, so that each
/// is the scalar equation exactly. It starts 1 mm beside.
fn beside_its_hinge() -> World {
    let mut world = World::new(DVec2::ZERO);
    let wall = world.add_body(wall()).unwrap();
    let mass = world.add_body(point_mass(DVec2::ZERO)).unwrap();
    world.add_joint(hinge([wall, mass], DVec2::ZERO)).unwrap();
    edit(&mut world, 1, |body| body.pose.position.x = 1e-3);
    world
}

/// The joint error after each of `steps` steps.
fn errors(world: &mut World, method: &Method, h: f64, steps: usize) -> Vec<f64> {
    let mut workspace = Workspace::default();
    (0..steps).map(|_| step(world, method, h, &mut workspace).unwrap().joint_error).collect()
}

/// Hooke's law: a hinge that carries a weight is open by A F/ω² = g/ω², whatever the mass and the time step, and
/// reports the weight as its force.
#[test]
fn a_loaded_joint_opens_by_the_load_over_the_stiffness() {
    for (omega, h, width) in [(50.0, 1e-3, 0.1), (50.0, 4e-3, 0.1), (120.0, 1e-3, 0.3)] {
        let mut world = World::new(GRAVITY);
        let wall = world.add_body(wall()).unwrap();
        let hanging = bar(DVec2::new(width, 1.0), DVec2::new(0.0, -0.5), 0.0);
        let hanging = world.add_body(hanging).unwrap();
        world.add_joint(hinge([wall, hanging], DVec2::ZERO)).unwrap();
        let open = *errors(&mut world, &penalty(omega, 1.0), h, 3000).last().unwrap();
        let expected = 9.81 / (omega * omega);
        assert!((open / expected - 1.0).abs() < 1e-9, "ω = {omega}: {open}, expected {expected}");
        let weight = 1000.0 * width * 9.81;
        let force = world.joints()[0].force[1].abs();
        assert!((force / weight - 1.0).abs() < 1e-9, "{force} N, expected {weight} N");
    }
}

/// The penalty method's error is of second order in 1/ω [Rubin & Ungar 1957; Lubich 1993], so that it is of second
/// order in h where ωh is kept: on a chain that swings, until its links whip.
#[test]
fn the_error_is_of_second_order_in_the_inverse_frequency() {
    let largest_error = |h: f64| {
        let mut world = chain(3, GRAVITY);
        largest(errors(&mut world, &penalty(0.1 / h, 1.0), h, (0.2 / h) as usize))
    };
    for h in [4e-4, 2e-4] {
        let order = (largest_error(h) / largest_error(0.5 * h)).log2();
        assert!((order - 2.0).abs() < 0.1, "order {order:.3} at h = {h}");
    }
}

/// A row alone decays or grows by the spectral radius of its closed form, and no longer decays beyond (ωh)² + 4ζωh = 4.
#[test]
fn a_row_alone_is_stable_up_to_its_closed_form() {
    let omega = 100.0;
    for zeta in [0.2, 1.0, 3.0] {
        let method = penalty(omega, zeta);
        let longest = limit(zeta) / omega;
        assert!((method.largest_stable_step() / longest - 1.0).abs() < 1e-12);
        for (share, grows) in [(0.5, false), (0.98, false), (1.02, true)] {
            let h = share * longest;
            let seen = errors(&mut beside_its_hinge(), &method, h, 1000);
            assert_eq!(seen[999] > seen[499], grows, "ζ = {zeta}, {share} of the limit");
            assert_eq!(method.instability(h).is_some(), grows);
        }
    }
}

/// A scheme from outside steps scenes of joints with its defaults at their time step, and holds them to centimetres.
#[cfg(feature = "scene")]
#[test]
fn scenes_of_joints_are_held() {
    for key in ["double-pendulum", "six-link-chain", "four-bar-loop", "slider-crank"] {
        let scene = driftlab::scene::catalogue::find(key).unwrap().scene().unwrap();
        let h = scene.settings.time_step;
        let method = Method::new(Stabilizer::from(&PENALTY)).at_step(h);
        let mut world = scene.world.clone();
        let error = largest(errors(&mut world, &method, h, (1.0 / h) as usize));
        assert!(error < 0.05, "{key}: {error} m with ω = {}", method.stabilizer.values.of(&OMEGA));
    }
}

/// The stability map of a scheme from outside has the scheme's axes and boundary, and ρ = 1 on it.
#[cfg(feature = "scene")]
#[test]
fn the_stability_map_knows_it() {
    use driftlab::experiment::stability::Survey;
    let h = 2e-3;
    let survey = Survey::of(&beside_its_hinge(), &penalty(100.0, 1.0), h).unwrap();
    assert_eq!(survey.plane().axes.map(|axis| axis.symbol()), ["ω", "ζ"]);
    let boundary = survey.boundary().unwrap();
    assert_eq!(boundary.name, "(ωh)² + 4ζωh = 4");
    for [omega, zeta] in boundary.points {
        let radius = |by: f64| survey.radius([by * omega, zeta]).unwrap();
        assert!((radius(1.0) - 1.0).abs() < 1e-6 && radius(0.99) < 1.0 && radius(1.01) > 1.0, "ζ = {zeta}");
    }
    // Its full step has no operations, so that the load is left out, not guessed.
    assert!(!survey.under_load(&beside_its_hinge()).is_loaded());
}

/// The window says in words where the parameters of a scheme from outside lie, and offers a frequency that has been
/// tried where they blow up a chain.
#[cfg(feature = "app")]
#[test]
fn the_window_judges_it_and_offers_a_remedy() {
    use driftlab::workbench::map::verdict;
    use driftlab::workbench::runs::remedy::{FailedRun, Remedy, cure};
    let h = 1e-3;
    let said = |omega: f64| verdict(&penalty(omega, 1.0), h, None).unwrap();
    assert!(!said(200.0).alarming && said(200.0).text.contains("critically damped"), "{:?}", said(200.0));
    assert!(said(900.0).alarming && said(900.0).text.contains("unstable for h > "), "{:?}", said(900.0));
    let (world, method) = (chain(6, GRAVITY), penalty(900.0, 1.0));
    let found = cure(&FailedRun { world: &world, method: &method, h, rate: 0.0 }).expect("a remedy");
    let Remedy::Limit(tamed) = found.remedy else { panic!("{found:?}") };
    assert_eq!(tamed.values.of(&OMEGA), 250.0, "ωh = ¼");
    assert_eq!(tamed.values.of(&ZETA), 1.0);
    let error = largest(errors(&mut world.clone(), &Method::new(tamed), h, 1000));
    assert!(error < 0.01, "{error} m");
}

/// The program's own comparison lists a scheme from outside with the others, under its label, with the errors of its own steps.
#[test]
#[cfg(feature = "scene")]
fn compare_lists_it_with_the_others() {
    use driftlab::experiment::compare;
    use std::ops::ControlFlow;

    let text = driftlab::scene::catalogue::find("six-link-chain").expect("a scene").text;
    let scene = driftlab::scene::Scene::parse(text).expect("a scene");
    let (h, steps) = (scene.settings.time_step, 200);
    let methods = [Method::none(), penalty(0.25 / h, 1.0), Method::post_stabilization()];
    let mut rows = [0; 3];
    let curves = compare(&scene, &methods, steps, |state| {
        rows[state.method] += 1;
        ControlFlow::Continue(())
    });
    assert_eq!(rows, [201; 3]);
    let [none, own, post] = curves.as_slice() else { panic!("{} curves", curves.len()) };
    assert!(own.label.starts_with("penalty,omega=250,zeta=1"), "{}", own.label);
    // By steps of its own, in a world of its own.
    let mut world = scene.world.clone();
    let wanted = errors(&mut world, &methods[1], h, steps as usize);
    let wanted = wanted.into_iter().fold(0.0, f64::max);
    assert_eq!(own.summary.joint_error.largest, wanted);
    let [none, post] = [none, post].map(|curve| curve.summary.joint_error.largest);
    assert!(post < 1e-2 * wanted && post < none, "{post} {wanted} {none}");
}
