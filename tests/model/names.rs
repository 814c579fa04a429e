//! Methods by name: from text, and the parameters of a method one by one.

use driftlab::method::Method;
use driftlab::parameter::{ParameterError, ParameterKind};
use driftlab::prelude::MethodError;
use driftlab::schemes::TABLE;
use std::collections::BTreeSet;

/// A parameter's key, with the method of [`Method`] that sets it.
type Setter = (&'static str, fn(Method, f64) -> Result<Method, ParameterError>);

macro_rules! setters {
    ($($key:ident),+) => { &[$((stringify!($key), Method::$key)),+] };
}

const SETTERS: &[Setter] = setters![
    alpha,
    alternations,
    angular_slop,
    beta,
    compliance,
    contact_damping_ratio,
    contact_hertz,
    damping_ratio,
    dampratio,
    dissipation,
    full_impedance,
    gamma,
    hertz,
    impedance,
    impratio,
    iterations,
    joint_near_rigid,
    least_penalty,
    margin,
    max_correction,
    max_iterations,
    midpoint,
    most_penalty,
    near_rigid,
    points_across,
    position_iterations,
    power,
    push_speed,
    recycle_distance,
    relaxation_time,
    sigma,
    slop,
    spectral_radius,
    speculative_distance,
    split_depth,
    stick_distance,
    stiction_tolerance,
    stiffness,
    substeps,
    sweeps,
    timeconst,
    velocity_iterations,
    warm_start,
    width
];

/// Every number of every scheme has a method of its name, which sets it as [`Method::with`] does.
#[test]
fn every_number_of_a_scheme_is_set_by_its_name() {
    let mut numbers = BTreeSet::new();
    for scheme in TABLE {
        let method = Method::by_key(scheme.info().key).unwrap();
        for own in scheme.info().parameters {
            if matches!(own.kind, ParameterKind::Choice(_)) {
                continue;
            }
            numbers.insert(own.key);
            let (_, set) = SETTERS.iter().find(|(key, _)| *key == own.key).expect("a method of that name");
            for value in [own.minimum, own.default, own.maximum] {
                assert_eq!(set(method.clone(), value), method.clone().with(own.key, value), "{}", own.key);
            }
        }
    }
    assert_eq!(numbers.len(), SETTERS.len());
}

/// A name from another program, with other capitals or misspelt, names the scheme that is meant.
#[test]
fn a_wrong_name_says_which_scheme_is_meant() {
    let meant = |name: &str| match name.parse::<Method>() {
        Err(MethodError::UnknownScheme { meant, .. }) => meant,
        other => panic!("{name}: {other:?}"),
    };
    for scheme in TABLE {
        let info = scheme.info();
        let capital = info.key.to_uppercase();
        let misspelt = format!("{}x", info.key);
        for name in info.synonyms.iter().copied().chain([capital.as_str(), misspelt.as_str()]) {
            assert_eq!(meant(name), Some(info.key), "{name}");
        }
    }
    assert_eq!(meant("quaternion"), None);
}
