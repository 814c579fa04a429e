//! ρ over a plane of parameters: the same as the eigenvalues of the whole scene and as the engine's own steps, with the
//! exact boundary.

use crate::physics::worlds::edit;
use driftlab::experiment::stability::{Block, Linear, Model, Plane, Relax, Soft, Survey, ball_and_chain};
use driftlab::method::{Integrator, Level, Method};
use driftlab::model::{Body, BodyKind, Joint, MassSpec, World};
use driftlab::scene::catalogue;
use driftlab::schemes::TABLE;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

fn scene(key: &str) -> World {
    catalogue::find(key).unwrap().scene().unwrap().world
}

fn acceleration(integrator: Integrator) -> Method {
    Method::by_key("baumgarte_acceleration").unwrap().at_level(Level::Acceleration, integrator).unwrap()
}

/// All over a plane, of a chain and of a stack of boxes that touch, ρ is the largest eigenvalue of the scene's
/// linearised step, as `driftlab stability --unloaded` computes it.
#[test]
fn the_radius_is_the_scenes() {
    let methods = Integrator::ALL.map(acceleration).into_iter();
    let methods =
        methods.chain(["baumgarte_velocity", "anitescu_hart"].map(|key| Method::by_key(key).unwrap()));
    let mut compared = 0;
    for method in methods {
        for world in [scene("six-link-chain"), scene("vertical-stack")] {
            let h = 0.002;
            let survey = Survey::of(&world, &method, h).unwrap();
            let linear = Linear::of(&world, &method).unwrap();
            assert_eq!(survey.joint_rows() + survey.touching_rows(), linear.rows());
            for share in [[0.1, 0.2], [0.5, 0.5], [0.7, 0.3], [0.3, 0.8], [0.95, 0.9]] {
                let values = [0, 1].map(|i| survey.plane().axes[i].at(share[i]));
                let (there, h) = survey.plane().set(&method, h, values);
                let expected = linear.spectral_radius(&Model::of(&there, h).unwrap(), h).unwrap();
                let radius = survey.radius(values).unwrap();
                // Two equal eigenvalues are accurate to the square root of rounding.
                assert!(
                    (radius - expected).abs() < 1e-6 * (1.0 + expected),
                    "{there:?}: {radius} or {expected}"
                );
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 50);
}

/// On the boundary ρ = 1, just inside it is smaller and just outside larger, under all three integrators and at the
/// velocity level.
#[test]
fn the_boundary_is_where_the_radius_is_one() {
    let h = 0.004;
    let world = scene("single-pendulum");
    for integrator in Integrator::ALL {
        let survey = Survey::of(&world, &acceleration(integrator), h).unwrap();
        let points = survey.boundary().unwrap().points;
        let seen = points.iter().filter(|point| {
            let shares = [0, 1].map(|i| survey.plane().axes[i].share(point[i]));
            shares.iter().all(|share| (0.0..=1.0).contains(share))
        });
        assert!(seen.count() > 50, "the boundary is in the plane");
        for [alpha, beta] in points {
            let at = |by: f64| Block::acceleration(by * alpha, by * beta, integrator, h).spectral_radius();
            assert!((at(1.0) - 1.0).abs() < 1e-7, "{integrator:?}, α = {alpha}, β = {beta}: {}", at(1.0));
            // Near the axis α = 0 the error hardly decays.
            assert!(at(0.99) < 1.0 + 1e-12 && at(1.01) > 1.0, "{integrator:?}, α = {alpha}, β = {beta}");
        }
    }
    let survey = Survey::of(&world, &Method::by_key("baumgarte_velocity").unwrap(), h).unwrap();
    for point in survey.boundary().unwrap().points {
        assert!((survey.radius(point).unwrap() - 1.0).abs() < 1e-9);
    }
}

/// The largest stable step is Hong's parabola under semi-implicit Euler (0.0828 s for α = β = 10), h ≤ 2/α on the real
/// axis beyond critical damping of explicit Euler, and 2√2/β of Runge–Kutta without damping.
#[test]
fn steps_may_grow_up_to_the_boundary() {
    let longest = |alpha, beta, integrator| {
        let method = Method::by_key("baumgarte_acceleration").unwrap();
        let method = method.at_level(Level::Acceleration, integrator).unwrap();
        method.with("alpha", alpha).unwrap().with("beta", beta).unwrap().largest_stable_step()
    };
    for (alpha, beta) in [(10.0, 10.0), (3.0, 0.0), (0.0, 7.0), (1.0, 90.0)] {
        let own = longest(alpha, beta, Integrator::SemiImplicitEuler);
        // The positive root of (βh)² + 4αh = 4.
        let expected = 2.0 / (alpha + f64::hypot(alpha, beta));
        assert!((own / expected - 1.0).abs() < 1e-12, "α = {alpha}, β = {beta}");
    }
    let explicit = |alpha, beta| longest(alpha, beta, Integrator::ExplicitEuler);
    assert!((explicit(10.0, 10.0) - 0.2).abs() < 1e-12);
    assert!((explicit(10.0, 0.0) - 0.1).abs() < 1e-12, "2α h ≤ 2 of the velocity error alone");
    assert_eq!(explicit(0.0, 10.0), 0.0, "an undamped oscillator grows at every step");
    let undamped = longest(0.0, 5.0, Integrator::Rk4);
    assert!((undamped - 8.0_f64.sqrt() / 5.0).abs() < 1e-7, "{undamped}");
    assert_eq!(longest(0.0, 0.0, Integrator::Rk4), f64::INFINITY);
}

/// A point that is set is the point that is read, and every scheme has a plane or a sentence that says why not.
#[test]
fn every_scheme_has_a_plane_or_a_reason() {
    let mut planes = 0;
    for method in TABLE.iter().map(|own| Method::by_key(own.info().key).unwrap()) {
        match Plane::of(&method, 0.001) {
            Err(reason) => assert!(reason.ends_with('.'), "{reason}"),
            Ok(plane) => {
                planes += 1;
                let values = plane.axes.map(|axis| axis.at(0.4));
                let (there, h) = plane.set(&method, 0.001, values);
                for (set, read) in values.iter().zip(plane.point(&there, h)) {
                    assert!((set / read - 1.0).abs() < 1e-12);
                }
                let back = plane.axes.map(|axis| axis.share(axis.at(0.4)));
                assert!(back.iter().all(|share| (share - 0.4).abs() < 1e-12));
            }
        }
    }
    assert_eq!(planes, 7);
}

/// The soft step with one substep on rods, whose rows are one block each, is Solver2D's note: a light body between the
/// ground and a heavy one, on both sides of the limit at 13.57 Hz.
#[test]
fn one_substep_on_rods_is_solver2ds_note() {
    let h = 1.0 / 60.0;
    let mut world = World::new(DVec2::ZERO);
    let mut add = |kind, x, mass| {
        let mass = MassSpec::Given { mass, inertia: Some(1.0) };
        world.add_body(Body::new(kind, DVec2::new(x, 0.0), 0.0, Vec::new(), mass).unwrap()).unwrap()
    };
    let ground = add(BodyKind::Fixed, 0.0, 1.0);
    let light = add(BodyKind::Dynamic, 1.0, 1.0 / 0.167);
    let heavy = add(BodyKind::Dynamic, 2.0, 1.0 / 0.000995);
    for (a, b, x) in [(ground, light, 0.0), (light, heavy, 1.0)] {
        let ends = [DVec2::new(x, 0.0), DVec2::new(x + 1.0, 0.0)];
        world.add_joint(Joint::distance(a, b).anchors(ends[0], ends[1])).unwrap();
    }
    let note = ball_and_chain().unwrap();
    for (index, relax) in [Relax::On, Relax::Off].into_iter().enumerate() {
        let method = Method::by_key("soft").unwrap().with("substeps", 1.0).unwrap();
        let method = method.with("relax", index as f64).unwrap();
        let survey = Survey::of(&world, &method, h).unwrap();
        for (hertz, damping_ratio) in [(5.0, 0.0), (12.0, 0.0), (14.5, 0.0), (3.0, 0.7), (14.0, 2.0)] {
            let soft = Soft { hertz, damping_ratio, sweeps: 1, relax };
            let expected = note.spectral_radius(&Model::Soft(soft), h).unwrap();
            let radius = survey.radius([hertz, damping_ratio]).unwrap();
            assert!(
                (radius - expected).abs() < 1e-6,
                "{hertz} Hz, ζ = {damping_ratio}: {radius} or {expected}"
            );
        }
    }
}

/// The errors of a chain, without gravity, decay per step of the engine's soft step by ρ.
#[test]
fn the_soft_radius_is_the_engines() {
    let h = 1.0 / 60.0;
    let cases = [
        ("six-link-chain", 1.0, 0.0, 15.0, 0.5),
        ("six-link-chain", 4.0, 0.0, 60.0, 2.0),
        ("six-link-chain", 4.0, 0.0, 20.0, 0.2),
        ("six-link-chain", 4.0, 1.0, 10.0, 0.3),
        ("six-link-chain", 8.0, 0.0, 30.0, 5.0),
    ];
    let mut apart = Vec::new();
    for (key, substeps, relax, hertz, zeta) in cases {
        let mut method = Method::by_key("soft").unwrap();
        let given = [("substeps", substeps), ("relax", relax), ("hertz", hertz), ("damping_ratio", zeta)];
        for (key, value) in given {
            method = method.with(key, value).unwrap();
        }
        let mut world = scene(key);
        world.set_gravity(DVec2::ZERO).unwrap();
        edit(&mut world, 3, |body| body.pose.position.x += 1e-8);
        let radius = Survey::of(&world, &method, h).unwrap().radius([hertz, zeta]).unwrap();
        let mut workspace = Workspace::default();
        let mut errors = Vec::new();
        while errors.len() < 4000 {
            let error = step(&mut world, &method, h, &mut workspace).unwrap().joint_error;
            // Below that it is rounding, which does not decay.
            if !(1e-14..1e-5).contains(&error) {
                break;
            }
            errors.push(error);
        }
        // The largest of windows, since the error oscillates; the first half is left to the transients.
        let count = errors.len();
        let window = count / 5;
        let peak = |from: usize| errors[from..from + window].iter().copied().fold(0.0, f64::max);
        let (first, last) = (count / 2, count - window);
        let seen = (peak(last) / peak(first)).powf(1.0 / (last - first) as f64);
        let told = format!(
            "{key}, n = {substeps}, relax {relax}, {hertz} Hz, ζ = {zeta}: ρ = {radius:.5}, seen {seen:.5} in {count}"
        );
        println!("{told}");
        if (seen - radius).abs() >= 0.03 || seen.is_nan() {
            apart.push(told);
        }
    }
    assert!(apart.is_empty(), "{apart:#?}");
    // Larger scenes are refused with a reason.
    let soft = Method::by_key("soft").unwrap();
    assert!(Survey::of(&scene("ball-and-chain"), &soft, h).is_err_and(|reason| reason.contains("20 rows")));
}

/// The spectral radius of a constraint's step under `generalized_alpha` is ρ∞ for every family, which the closed form of the
/// linearised step has, and the eigenvalues of a chain's; at ρ∞ = 1 two of them form a Jordan block: errors grow, by no factor.
#[test]
fn the_spectral_radius_of_generalised_alpha_is_the_one_chosen() {
    let world = scene("six-link-chain");
    for (radius, family) in
        [1.0, 0.8, 0.5].into_iter().flat_map(|own| [0.0, 1.0, 2.0].map(|family| (own, family)))
    {
        let own = Method::by_key("generalized_alpha").unwrap().spectral_radius(radius).unwrap();
        let own = own.with("family", family).unwrap();
        let model = Model::of(&own, 1e-3).unwrap();
        let (block, name) = (model.block(1e-3), format!("ρ∞ = {radius}, family {family}"));
        assert!((block.spectral_radius() - radius).abs() < 1e-7, "{name}: {}", block.spectral_radius());
        let found = Linear::of(&world, &own).unwrap().spectral_radius(&model, 1e-3).unwrap();
        assert!((found - radius).abs() < 1e-5, "{name}: {found}"); // rounding splits the double root
        assert_eq!((block.is_stable(), block.is_marginal()), (radius < 1.0, radius == 1.0), "{name}");
    }
}
