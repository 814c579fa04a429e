//! The languages in which the literature states a scheme's parameters: each translates back to the same numbers, and
//! means what the engine that speaks it publishes.

use super::worlds::{chain, edit};
use driftlab::method::{Language, Method, SchemeInfo};
use driftlab::model::{Body, Joint, World};
use driftlab::parameter::ParameterKind;
use driftlab::schemes::TABLE;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

/// Time steps at which translations are tried, s.
const STEPS: [f64; 3] = [1e-3, 1.0 / 60.0, 0.1];

fn info(scheme: &str) -> &'static SchemeInfo {
    TABLE.iter().map(|own| own.info()).find(|info| info.key == scheme).expect("a scheme")
}

fn language(scheme: &str, name: &str) -> &'static Language {
    info(scheme).languages.iter().find(|own| own.name == name).expect("a language")
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (a.abs() + b.abs()) || a == b
}

/// Translating a scheme's numbers into any of its languages and back gives the same numbers, at every time step.
#[test]
fn translations_come_back() {
    let cases: [(&str, &[&[f64]]); 9] = [
        ("baumgarte_velocity", &[&[0.0], &[0.3], &[50.0], &[2000.0]]),
        ("anitescu_hart", &[&[1e-6], &[0.2], &[0.999], &[1.0]]),
        (
            "baumgarte_acceleration",
            &[&[50.0, 50.0], &[3.0, 40.0], &[40.0, 3.0], &[0.5, 1e3], &[500.0, 1e3]],
        ),
        ("soft", &[&[60.0, 2.0, 4.0], &[0.1, 0.0, 1.0], &[30.0, 10.0, 8.0], &[7.0, 0.7, 2.0]]),
        ("mujoco", &[&[0.02, 1.0], &[1e-3, 0.1], &[5.0, 3.0]]),
        ("sap", &[&[0.1], &[1e-3], &[3.0]]),
        ("generalized_alpha", &[&[1.0], &[0.8], &[0.5], &[0.0]]),
        ("split_impulse", &[&[10.0, 0.2], &[1.0, 0.0], &[3.0, 0.99]]),
        (
            "avbd",
            &[
                &[10.0, 0.0, 1e5, 0.99, 0.99, 1.0, 1e9],
                &[4.0, 1.0, 10.0, 0.5, 0.9, 1e3, 1e12],
                &[1.0, 1.0, 0.0, 1.0, 0.0, 1e-3, 1.0],
            ],
        ),
    ];
    let mut translated = 0;
    for (scheme, points) in cases {
        for language in info(scheme).languages {
            for (native, h) in points.iter().flat_map(|own| STEPS.map(|h| (own, h))) {
                let spoken = (language.from_native)(native, h);
                assert_eq!(spoken.len(), language.parameters.len());
                let back = (language.to_native)(&spoken, h);
                let same = back.iter().zip(*native).all(|(a, b)| near(*a, *b));
                assert!(
                    same && !back.is_empty(),
                    "{scheme}, {}: {native:?} → {spoken:?} → {back:?}",
                    language.name
                );
                translated += 1;
            }
        }
    }
    let listed: usize = TABLE.iter().map(|own| own.info().languages.len()).sum();
    assert_eq!(
        listed,
        cases.iter().map(|(scheme, _)| info(scheme).languages.len()).sum::<usize>(),
        "all are tried"
    );
    assert!(translated > 100);
}

/// Whatever a language's default is, it is a value that the scheme accepts, and its numbers have symbols and meanings.
#[test]
fn languages_are_described() {
    for info in TABLE.iter().map(|own| own.info()) {
        for language in info.languages {
            assert!(language.meaning.ends_with('.'), "{}: {}", info.key, language.name);
            for own in language.parameters {
                // A choice of words is not a number.
                let is_choice = matches!(own.kind, ParameterKind::Choice(_));
                assert!((is_choice || !own.symbol.is_empty()) && own.meaning.ends_with('.'), "{}", own.key);
            }
        }
    }
}

/// ERP = h k_p/(h k_p + k_d) and CFM = 1/(h k_p + k_d) [Smith, ODE: "How to use ERP and CFM"], of a constraint of
/// effective mass m with k_p = m ω² and k_d = 2 m ζ ω.
#[test]
fn erp_and_cfm_are_those_of_ode() {
    let (h, m) = (0.01, 3.0);
    for (omega, zeta) in [(20.0, 1.0), (150.0, 0.1), (5.0, 4.0)] {
        let (kp, kd) = (m * omega * omega, 2.0 * m * zeta * omega);
        let published = [h * kp / (h * kp + kd), m / (h * kp + kd)];
        let hard = (language("baumgarte_acceleration", "ERP, CFM").from_native)(&[zeta * omega, omega], h);
        let hertz = omega / std::f64::consts::TAU;
        let soft = (language("soft", "ERP, CFM").from_native)(&[hertz, zeta, 4.0], 4.0 * h);
        for (own, published) in hard.iter().chain(&soft[..2]).zip(published.iter().cycle()) {
            assert!(near(*own, *published), "ω = {omega}, ζ = {zeta}: {own}, ODE has {published}");
        }
    }
    // At the velocity level: ODE's right-hand side is −(ERP/h) g, Baumgarte's −α g.
    assert!(near((language("baumgarte_velocity", "ERP").to_native)(&[0.2], h)[0], 20.0));
}

/// Box2D's soft constraint of f Hz and damping ratio ζ is ω = 2πf, α = ζω, β = ω of the acceleration level; Drake's ω₀
/// is β, its ζ is α/β.
#[test]
fn frequencies_and_damping_ratios_are_box2ds_and_drakes() {
    let native = (language("baumgarte_acceleration", "Hz, ζ").to_native)(&[10.0, 0.5], 0.01);
    let omega = 20.0 * std::f64::consts::PI;
    assert!(near(native[0], 0.5 * omega) && near(native[1], omega));
    let drake = (language("baumgarte_acceleration", "ω₀, ζ").from_native)(&native, 0.01);
    assert!(near(drake[0], omega) && near(drake[1], 0.5));
}

/// The half-life of an overdamped error is that of its slower root: with roots −1 and −9 (1/s), ln 2.
#[test]
fn the_half_life_is_that_of_the_slower_root() {
    let half = language("baumgarte_acceleration", "half-life");
    let spoken = (half.from_native)(&[5.0, 3.0], 0.01);
    assert!(near(spoken[0], std::f64::consts::LN_2), "{spoken:?}");
    // Underdamped, the envelope decays at the rate α.
    assert!(near((half.from_native)(&[2.0, 9.0], 0.01)[0], std::f64::consts::LN_2 / 2.0));
}

/// After as many steps as a half-life has, half of the engine's joint error is left: a pendulum at rest, not on its circle.
#[test]
fn half_lives_are_what_the_engine_does() {
    let h = 1e-3;
    let steps = 20;
    for (scheme, others) in
        [("baumgarte_velocity", vec![]), ("anitescu_hart", vec![]), ("soft", vec![2.0, 1.0])]
    {
        let half = language(scheme, "half-life");
        let life = f64::from(steps) * h;
        let native = (half.to_native)(&[vec![life], others].concat(), h);
        let mut method = Method::by_key(scheme).unwrap();
        for (parameter, value) in info(scheme).parameters.iter().zip(native) {
            method = method.with(parameter.key, value).unwrap();
        }
        let mut world = chain(1, DVec2::ZERO);
        edit(&mut world, 0, |body| body.pose.position.x += 1e-6);
        let mut workspace = Workspace::default();
        let mut error = 0.0;
        for _ in 0..steps {
            error = step(&mut world, &method, h, &mut workspace).unwrap().joint_error;
        }
        // ln 2/α is the half-life of α → 0; at 20 steps a half-life, α h = 0.035, it is 2 % shorter in steps.
        assert!((error / 0.5e-6 - 1.0).abs() < 0.02, "{scheme}: {error} of 1e-6 m is left");
    }
}

/// AVBD's α and k in others' words hold for any mass, but for the frequency of k: a row alone of 0.1, 1 and 30 kg, displaced and
/// pushed, is after a step where J v⁺ + (ERP/h) g + CFM f = 0 has it, and once λ has grown it halves its error in the half-life.
#[test]
fn the_numbers_of_avbd_mean_the_same_at_any_mass() {
    let h = 0.01;
    for mass in [0.1, 1.0, 30.0] {
        let start = || {
            let mut world = World::new([0.0, 0.0]);
            let wall = world.add_body(Body::fixed()).unwrap();
            let body = Body::dynamic().at([1.0, 0.0]).mass_and_inertia(mass, 1.0);
            let body = world.add_body(body).unwrap();
            world.add_joint(Joint::hinge(wall, body).at([1.0, 0.0])).unwrap();
            (world, body)
        };
        let run = |native: &[f64], x: f64, v: f64, steps: usize| {
            let mut method = Method::by_key("avbd").unwrap();
            for (parameter, value) in info("avbd").parameters.iter().zip(native) {
                method = method.with(parameter.key, *value).unwrap();
            }
            let (mut world, body) = start();
            world
                .edit_body(body, |body| (body.pose.position.x, body.velocity.linear.x) = (1.0 + x, v))
                .unwrap();
            let mut workspace = Workspace::default();
            for _ in 0..steps {
                step(&mut world, &method, h, &mut workspace).unwrap();
            }
            let body = &world.bodies()[1];
            (body.pose.position.x - 1.0, body.velocity.linear.x)
        };
        // One iteration without growth: f is that of the penalty alone. v* = v, m (v⁺ − v) = −h f.
        let (erp, cfm, x, v) = (0.2, 3e-3, 0.05, 0.4);
        let native = (language("avbd", "ERP, CFM").to_native)(&[1.0, 1.0, 0.0, erp, 1.0, cfm, cfm], h);
        let expected = (v * cfm * mass / h - erp / h * x) / (1.0 + cfm * mass / h);
        let (_, found) = run(&native, x, v, 1);
        assert!((found - expected).abs() < 1e-9, "{mass} kg: {found} instead of {expected}");
        // Many iterations: λ grows within the step.
        let native = (language("avbd", "half-life").to_native)(&[200.0, 1.0, 1e5, 5.0 * h, 1.0], h);
        let native = [&native[..], &[1e7, 1e9]].concat();
        let errors = [5, 10, 15].map(|steps| run(&native, x, 0.0, steps).0);
        let halved = errors.windows(2).all(|pair| (pair[1] / pair[0] - 0.5).abs() < 1e-6);
        assert!(halved, "{mass} kg: {errors:?}");
    }
}
