//! How long a run lasts.

use crate::scene::Settings;

/// Default duration of a run, if neither the scene nor the user states one, s.
pub const DEFAULT_DURATION: f64 = 10.0;

/// The number of steps that cover `duration` (s), or else the scene's own duration.
pub fn steps_for(settings: &Settings, duration: Option<f64>) -> u64 {
    /// In steps: a duration that exceeds a multiple of the step by no more than this, which is rounding, gets no
    /// additional step.
    const ROUNDING: f64 = 1e-6;
    let duration = duration.or(settings.duration).unwrap_or(DEFAULT_DURATION);
    (duration / settings.time_step - ROUNDING).ceil().max(0.0) as u64
}
