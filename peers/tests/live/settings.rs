//! Settings by the engines' own names.

use super::*;
use driftlab_engine::model::{Body, Joint};

/// The text form comes back as it was, without what is an engine's default; every parameter is in it once.
#[test]
fn settings_are_read_and_written() {
    for kind in Kind::ALL {
        assert_eq!(Settings::new(kind).to_string(), kind.key());
        for parameter in kind.parameters() {
            let [least, most] = parameter.range;
            assert!(parameter.default >= least && parameter.default <= most, "{}", parameter.key);
            let other = if parameter.default == most { least } else { most };
            let mut settings = Settings::new(kind);
            settings.set(parameter.key, other).unwrap();
            let text = settings.to_string();
            assert_eq!(Settings::parse(&text), Ok(settings.clone()), "{text}");
            assert!(settings.to_map().contains_key(parameter.key) && !parameter.doc.is_empty());
            assert!(
                settings.set(parameter.key, f64::NAN).is_err()
                    && settings.set(parameter.key, most + 1.0).is_err()
            );
        }
    }
}

/// What is wrong is said with what was expected.
#[test]
fn wrong_settings_are_refused() {
    for (text, sentence) in [
        ("bullet", "there is no engine \"bullet\" (expected box2d or rapier)"),
        ("box2d,substeps", "\"substeps\" is no setting of Box2D (expected KEY=VALUE)"),
        ("box2d,substeps=2.5", "substeps = 2.5 of Box2D (expected a whole number from 1 to 64)"),
        ("rapier,joint_damping_ratio=x", "joint_damping_ratio = x of Rapier (expected a number)"),
        ("box2d,continuous=2", "continuous = 2 of Box2D (expected on or off, a number from 0 to 1)"),
    ] {
        assert_eq!(Settings::parse(text).unwrap_err(), sentence);
    }
    assert!(
        Settings::parse("rapier,substeps=2")
            .unwrap_err()
            .starts_with("Rapier has no parameter \"substeps\" (expected num_solver")
    );
}

/// The versions are those that are built, and the defaults the engines' own.
#[test]
fn versions_and_defaults_are_the_engines() {
    assert_eq!(Kind::Box2d.version(), driftlab_peers::box2d::BOX2D);
    {
        use rapier2d_f64::prelude::{IntegrationParameters, SpringCoefficients};
        assert_eq!(Kind::Rapier.version(), rapier2d_f64::VERSION);
        let (own, settings) = (IntegrationParameters::default(), Settings::new(Kind::Rapier));
        let joints = SpringCoefficients::joint_defaults();
        for (key, value) in [
            ("num_solver_iterations", own.num_solver_iterations as f64),
            ("num_internal_pgs_iterations", own.num_internal_pgs_iterations as f64),
            ("num_internal_stabilization_iterations", own.num_internal_stabilization_iterations as f64),
            ("contact_natural_frequency", own.contact_softness.natural_frequency),
            ("contact_damping_ratio", own.contact_softness.damping_ratio),
            ("static_contact_natural_frequency", own.static_contact_softness.natural_frequency),
            ("static_contact_damping_ratio", own.static_contact_softness.damping_ratio),
            ("joint_natural_frequency", joints.natural_frequency),
            ("joint_damping_ratio", joints.damping_ratio),
            ("warmstart_coefficient", own.warmstart_coefficient),
            ("warmstart_joints", f64::from(own.warmstart_joints)),
            ("normalized_allowed_linear_error", own.normalized_allowed_linear_error),
            ("normalized_max_corrective_velocity", own.normalized_max_corrective_velocity),
            ("normalized_prediction_distance", own.normalized_prediction_distance),
            ("normalized_max_linear_velocity", own.normalized_max_linear_velocity),
            ("contact_recycling", f64::from(own.contact_recycling)),
            ("friction_in_bias_pass", f64::from(own.friction_in_bias_pass)),
            ("max_ccd_substeps", own.max_ccd_substeps as f64),
        ] {
            assert_eq!(settings.get(key), Some(value), "{key}");
        }
    }
}

/// Rapier adds the old impulse of a row of a joint right before it solves the row, and the solution does not depend on it: the
/// switch for joints changes nothing but roundings (evidence/docs/beside.md says so).
#[test]
fn warm_started_joints_of_rapier_are_those_of_cold_ones() {
    if !Kind::Rapier.is_built() {
        return;
    }
    let hang = |switch: &str| {
        let mut world = World::new([0.0, -10.0]);
        let mut above = world.add_body(Body::fixed()).unwrap();
        for link in 0..6 {
            let at = [0.25 + 0.5 * f64::from(link), 0.0];
            let own = world.add_body(Body::dynamic().at(at).mass_and_inertia(1.0, 0.02)).unwrap();
            world.add_joint(Joint::hinge(above, own).at([0.5 * f64::from(link), 0.0])).unwrap();
            above = own;
        }
        let settings = format!("rapier,warmstart_joints={switch}");
        let mut peer = build(&settings.parse().unwrap(), &world, H).unwrap();
        for _ in 0..60 {
            peer.step(&world, H).unwrap();
            peer.give(&mut world).unwrap();
        }
        world.bodies().iter().map(|body| body.pose.coordinates()).collect::<Vec<_>>()
    };
    let apart = hang("on").into_iter().zip(hang("off")).map(|(a, b)| (a - b).length());
    let most = apart.fold(0.0, f64::max);
    assert!(most < 1e-9, "{most}");
}
