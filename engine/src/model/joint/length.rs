//! Driven lengths: a rod, a rope or a pulley whose length is a given function of time, a rheonomic constraint.
//!
//! ```text
//! g = r − L(t)          ġ = J v + c ,   c = −L̇            g̈ = J a + k − L̈
//! g = r² − L(t)²        c = −2 L L̇                         g̈ = J a + k − 2 (L̇² + L L̈)
//! φ = L(t) − r ≥ 0      c = L̇                              φ̈ = J a + k + L̈           a rope, a pulley that may go slack
//! ```
//!
//! J and k are those of the joint at rest. Over a step c is its mean, so that g + h (J v⁺ + c) is g at the step's end to first
//! order in the turn of J alone.

use super::{Distance, DistanceForm, Joint, JointKind, Pulley};
use crate::model::error::{ModelError, fitting, positive};

/// The length of a rod or a pulley, or the greatest distance of a rope's ends, where it has one, m.
fn length_mut(joint: &mut Joint) -> Option<&mut f64> {
    match &mut joint.kind {
        JointKind::Distance(rod) => Some(&mut rod.length),
        JointKind::Pulley(pulley) => Some(&mut pulley.length),
        JointKind::Rope(_) => {
            joint.limits.as_mut().map(|[_, longest]| longest).filter(|own| own.is_finite())
        }
        _ => None,
    }
}

/// Gives a joint whose length a profile drives its length at the time `t`, s.
pub(in crate::model) fn place(joint: &mut Joint, t: f64) {
    let due = joint.length_profile.as_ref().map(|own| own.value(t));
    if let (Some(due), Some(length)) = (due, length_mut(joint)) {
        *length = due;
    }
}

/// Checks that the profile is one of a rigid joint with a length, which stays greater than 0.
pub(super) fn check(joint: &Joint) -> Result<(), ModelError> {
    let Some(profile) = &joint.length_profile else { return Ok(()) };
    let expected = "that of a rod, a pulley, or a rope with a greatest distance";
    fitting(joint.length().is_some(), "length that a profile drives", expected, 0.0)?;
    positive("least length of the profile", profile.least())?;
    let rigid = joint.softness.is_none();
    fitting(rigid, "number of profiles of a soft joint's length", "0: only a rigid one is driven", 1.0)
}

/// What a driven length adds to the g and the k of the joint's row at the time `t`, s, and c = ∂g/∂t, its mean over the
/// `h` seconds from then on or its value there if h is 0. Of a rope, or of a pulley that may go slack, that is the row of
/// its upper limit.
pub(crate) fn terms(joint: &Joint, t: f64, h: f64) -> Option<[f64; 3]> {
    let profile = joint.length_profile.as_ref()?;
    let [length, rate, second] = [profile.value(t), profile.rate(t), profile.second(t)];
    let change = |end: f64| if h > 0.0 { (end - length) / h } else { rate };
    let mean = change(profile.value(t + h));
    match &joint.kind {
        JointKind::Distance(Distance { length: now, form: DistanceForm::Squared, .. }) => {
            let end = profile.value(t + h);
            let c = if h > 0.0 { mean * (end + length) } else { 2.0 * length * rate };
            Some([now * now - length * length, -2.0 * (rate * rate + length * second), -c])
        }
        JointKind::Distance(Distance { length: now, .. }) => Some([now - length, -second, -mean]),
        JointKind::Pulley(Pulley { length: now, slack: false, .. }) => Some([now - length, -second, -mean]),
        JointKind::Pulley(Pulley { length: now, .. }) => Some([length - now, second, mean]),
        JointKind::Rope(_) => Some([length - joint.rope_length()?, second, mean]),
        _ => None,
    }
}
