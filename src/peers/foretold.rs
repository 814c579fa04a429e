//! How far the rows of an engine yield under its settings, by closed forms, for the cards of their schemes. The command
//! `driftlab-evidence beside` holds them against the engines themselves.
//!
//! Both engines soften contacts and joints alike: in every part of a step, of h s, a row has
//!
//! ```text
//! r = ω/(2ζ + h ω) ,   c = 1/(h ω (2ζ + h ω)) ,   ω = 2π f
//! ```
//!
//! with its frequency f, Hz, and its damping ratio ζ [Box2D 3.2: `b2MakeSoft`; Rapier 0.36: `SpringCoefficients`]. With
//! K = J M⁻¹ Jᵀ follows for a row alone:
//!
//! | quantity | closed form |
//! |---|---|
//! | sag under a load F | K F/ω²; (1 + c) K F/ω² for Rapier's joints, whose second sweep is soft, too |
//! | half-life of an error without a load | −h ln 2/ln(1 − r h/(1 + c)) |
//! | stretch of a bar that falls from the horizontal | the sag, and ½ (1 − c) h A/r |
//! | creep on a slope of the acceleration a | none where each part begins with the impulses of the last one |
//! | the same in Box2D without warm starting, of n parts | h a/n |
//! | the same in Rapier that keeps the share w of impulses | (1 − w) h a |
//! | creep of a level bar of the length L that a motor holds | none in Box2D; in Rapier φ̇ = (1 + c) 24/7 h g/L |
//! | load of two slender bars of the length L and the mass m, beyond which they shake, on hinges without softness | 4/3 m L/h² |
//!
//! `evidence/src/beside/setup.rs` and `hanging.rs` derive the last three.
//!
//! The bar stretches most at its lowest point, where F = 5/2 m g and its acceleration is A = 3/2 g.
//!
//! The frequency is limited in Box2D, of a joint by 1/(4h), of a contact by 1/(8h); its contacts with what is fixed have twice
//! that.

use crate::parameter::Values;
use std::f64::consts::{LN_2, TAU};

/// The load of the sentences, m/s².
const G: f64 = 9.81;
/// F/(m g) and A/g of a bar that falls from the horizontal, at its lowest point.
const SWING: [f64; 2] = [2.5, 1.5];

/// A soft row.
#[derive(Clone, Copy)]
struct Row {
    /// Length of a part of a step, s.
    h: f64,
    /// 1/s.
    omega: f64,
    /// r, 1/s.
    rate: f64,
    /// c
    softness: f64,
}

impl Row {
    fn new(hertz: f64, damping_ratio: f64, h: f64) -> Self {
        let omega = TAU * hertz;
        let damping = 2.0 * damping_ratio + h * omega;
        Self { h, omega, rate: omega / damping, softness: (h * omega * damping).recip() }
    }

    /// Sag under 1 m/s² where K = 1/m, s².
    fn yields(self) -> f64 {
        (self.omega * self.omega).recip()
    }

    /// s
    fn half_life(self) -> f64 {
        -self.h * LN_2 / libm::log1p(-self.rate * self.h / (1.0 + self.softness))
    }
}

/// The sentence of an engine's card, of joints, contacts, and contacts with what is fixed; `behind` is what the sweep behind the
/// motion makes of a joint's sag, `rest` what else is foretold.
fn told(
    [joint, contact, fixed]: [Row; 3],
    (form, behind): (&str, f64),
    rest: &str,
    source: &str,
) -> String {
    let sag = behind * joint.yields();
    let [load, turn] = SWING.map(|share| share * G);
    let stretch = load * sag + 0.5 * (1.0 - joint.softness) * joint.h * turn / joint.rate;
    format!(
        "under 9.81 m/s² a row alone sags by {form} = {:.3e} m in a joint, by g/ω² = {:.3e} m in a contact and {:.3e} m in one with what is \
         fixed; without a load an error halves in −h ln 2/ln(1 − r h/(1 + c)) = {:.3e} s in a joint and {:.3e} s in a contact; a bar \
         that swings down from the horizontal stretches its hinge by {form}·5/2 + ½ (1 − c) h·3/2 g/r = {stretch:.3e} m; {rest} ({source})",
        G * sag,
        G * contact.yields(),
        G * fixed.yields(),
        joint.half_life(),
        contact.half_life(),
    )
}

/// Of Box2D at the time step `h`, s.
pub(super) fn box2d(values: &Values, h: f64) -> Option<String> {
    let h = h / values.get("substeps")?;
    let [joint, contact] = [("joint_hertz", 0.25), ("contact_hertz", 0.125)]
        .map(|(key, share)| Some(values.get(key)?.min(share / h)));
    let [of_joints, of_contacts] =
        ["joint_damping_ratio", "contact_damping_ratio"].map(|key| values.get(key));
    let contact = contact?;
    let rows = [
        Row::new(joint?, of_joints?, h),
        Row::new(contact, of_contacts?, h),
        Row::new(2.0 * contact, of_contacts?, h),
    ];
    let is_warm = values.get("warm_starting")? == 1.0;
    let creep = if is_warm {
        "friction and motors hold without creep".to_owned()
    } else {
        let share = h / values.get("substeps")?;
        format!("on a slope of the acceleration a a body creeps at h a/n = {share:.3e} s · a")
    };
    let rest = format!(
        "{creep}; errors fall at every frequency, since at most 1/(4h) of joints and 1/(8h) of contacts acts"
    );
    Some(told(rows, ("g/ω²", 1.0), &rest, "b2MakeSoft of Box2D 3.2"))
}

/// Of Rapier at the time step `h`, s.
pub(super) fn rapier(values: &Values, h: f64) -> Option<String> {
    let h = h / values.get("num_solver_iterations")?;
    let row = |kind: &str| {
        let of = |number: &str| values.get(&format!("{kind}_{number}"));
        Some(Row::new(of("natural_frequency")?, of("damping_ratio")?, h))
    };
    let rows = [row("joint")?, row("contact")?, row("static_contact")?];
    let softer = 1.0 + rows[0].softness;
    let creep = match 1.0 - values.get("warmstart_coefficient")? {
        0.0 => "friction holds without creep".to_owned(),
        lost => format!(
            "on a slope of the acceleration a a body creeps at (1 − w) h a = {:.3e} s · a",
            lost * h
        ),
    };
    let sinks = softer * 24.0 / 7.0 * h * G;
    let rest = format!(
        "{creep}; a level bar of the length L that a motor holds sinks by (1 + c)·24/7 h g/L = {sinks:.3e} m/s/L"
    );
    let form = ("(1 + c) g/ω²", softer);
    Some(told(rows, form, &rest, "SpringCoefficients of Rapier 0.36"))
}
