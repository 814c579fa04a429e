//! Methods from text, as the command line spells them, what a wrong name means, and the parameters of methods one by one.

use super::TABLE;
use crate::method::{Method, Stabilizer};
use crate::parameter::ParameterError;
use std::str::FromStr;
use thiserror::Error;

/// Text that names no method.
///
/// ```
/// use driftlab::prelude::*;
///
/// let error = "ratle".parse::<Method>().unwrap_err();
/// assert!(matches!(&error, MethodError::UnknownScheme { meant: Some("rattle"), .. }));
/// ```
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum MethodError {
    /// No scheme has that key.
    #[error("unknown scheme '{name}' (expected one of {}{})", keys(), remark(*.meant))]
    UnknownScheme {
        /// The key that was given.
        name: String,
        /// The scheme that it is called elsewhere, or that it is most likely a misspelling of.
        meant: Option<&'static str>,
    },
    /// What follows the scheme's key must be `parameter=value`.
    #[error("expected parameter=value after '{scheme},', found '{part}'")]
    NotASetting {
        /// Key of the scheme.
        scheme: &'static str,
        /// What was found.
        part: String,
    },
    /// The scheme has no such parameter, or the parameter no such value.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
}

impl MethodError {
    pub(super) fn unknown(name: &str) -> Self {
        Self::UnknownScheme { name: name.to_owned(), meant: meant(name) }
    }
}

fn keys() -> String {
    TABLE.iter().map(|scheme| scheme.info().key).collect::<Vec<_>>().join(", ")
}

fn remark(meant: Option<&str>) -> String {
    meant.map_or_else(String::new, |meant| format!("; did you mean '{meant}'?"))
}

/// The scheme that `name` means: under another program's name for it, or misspelt.
fn meant(name: &str) -> Option<&'static str> {
    const ALIKE: f64 = 0.8; // Jaro–Winkler similarity
    const LONGEST: usize = 40; // the time grows with the length
    let plain = name.trim().to_lowercase().replace([' ', '-'], "_");
    let all = || TABLE.iter().map(|scheme| scheme.info());
    if let Some(info) = all().find(|info| info.key == plain || info.synonyms.contains(&plain.as_str())) {
        return Some(info.key);
    }
    if plain.chars().nth(LONGEST).is_some() {
        return None;
    }
    let scored = all().map(|info| (strsim::jaro_winkler(&plain, info.key), info.key));
    scored.filter(|(score, _)| *score > ALIKE).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, key)| key)
}

/// `KEY[,parameter=value…]`, as the command line spells a scheme; parameters that are not given have their defaults.
///
/// ```
/// use driftlab::prelude::*;
///
/// let method: Method = "anitescu_hart,gamma=0.5".parse()?;
/// assert_eq!(method, Method::anitescu_hart().gamma(0.5)?);
/// let error = "anitescu-heart".parse::<Method>().unwrap_err();
/// assert!(error.to_string().ends_with("did you mean 'anitescu_hart'?)"));
/// # Ok::<(), MethodError>(())
/// ```
impl FromStr for Method {
    type Err = MethodError;

    fn from_str(text: &str) -> Result<Self, MethodError> {
        let mut parts = text.split(',').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let mut stabilizer = Stabilizer::by_key(name).ok_or_else(|| MethodError::unknown(name))?;
        let scheme = stabilizer.info().key;
        for part in parts {
            let (key, value) = part
                .split_once('=')
                .ok_or_else(|| MethodError::NotASetting { scheme, part: part.to_owned() })?;
            stabilizer.values.set_text(key.trim(), value.trim())?;
        }
        Ok(Self::new(stabilizer))
    }
}

macro_rules! numbers {
    ($($key:ident,)+) => {
        /// The schemes' numbers by name, each as [`Method::with`] sets it: an error if the scheme has no such
        /// parameter, or the value is out of range. [`SchemeInfo::parameters`](crate::method::SchemeInfo::parameters)
        /// describes them.
        impl Method {
            $(
                #[doc = concat!("The method with its parameter `", stringify!($key), "` changed.")]
                ///
                /// # Errors
                /// The scheme has no such parameter, or the value is out of its range.
                pub fn $key(self, value: f64) -> Result<Self, ParameterError> {
                    self.with(stringify!($key), value)
                }
            )+
        }
    };
}

numbers! {
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
    width,
}
