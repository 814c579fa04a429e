//! An engine with settings, and what follows from them for its joints and contacts.
//!
//! Box2D and Rapier soften contacts and joints alike: in every part of a step, of h s, a row with the velocity ġ and the error
//! g gets
//!
//! ```text
//! λ⁺ = λ − K⁻¹ (ġ + r g + c K λ)/(1 + c) ,   r = ω/(2ζ + h ω) ,   c = 1/(h ω (2ζ + h ω))
//! ```
//!
//! with K = J M⁻¹ Jᵀ, ω = 2π times the row's frequency and ζ its damping ratio. Then bodies move; then a sweep without r takes
//! back the speed that this leaves, without c as well but for Rapier's joints. From this follow, for a row alone and for rows
//! that sweeps have brought to agree, where nothing changes from one part to the next:
//!
//! | quantity | closed form |
//! |---|---|
//! | sag under a load F | ġ = 0 and λ = h F: g = K F/ω²; (1 + c) K F/ω² for Rapier's joints |
//! | half-life of an error without a load | λ = 0: a part takes r h/(1 + c) of g, and H = −h ln 2/ln(1 − r h/(1 + c)) |
//! | stretch of a pendulum | the sag, and ½ (1 − c) h A/r of a bar that leaves its circle by ½ h² A in a part, A = J̇v |
//! | creep on a slope | none where a part begins with the friction of the last one |
//! | in Box2D without warm starting | the first of n parts begins without friction and moves by h² a, a = g sin α: h a/n |
//! | the same in Rapier, of whose λ a part keeps the share w | each part begins with the speed (1 − w) h a |
//! | creep of a level bar that a motor of speed 0 holds | none in Box2D; in Rapier s φ̇ = (1 + c) p h g/(1 − p²) |
//!
//! The pendulum falls from the horizontal, at whose lowest point F = 5/2 m g and A = 3/2 g.
//!
//! Rapier begins each part with λ = 0 in the motor and the hinge, and sweeps them one after the other, the motor first. With
//! p = K₁₂²/(K₁₁ K₂₂) = m s²/(I + m s²) of these two rows, s from the hinge to the centre of mass, and the speed a of the anchor
//! at which the motor has stopped the turning: the hinge stops the anchor, K λ = −a, with which the bar turns by s φ̇ = −p a. The
//! sweep behind leaves a⁺ = p a + (1 − p) a (c − p)/(1 + c) of that, and a = a⁺ − h g.
//!
//! What bars and disks in a row do that sweeps have not brought to agree is computed from a part as a map (`hanging.rs`).
//!
//! The frequency of a row is limited: in Box2D a joint's by 1/(4 h), a contact's by 1/(8 h), and contacts with what is fixed
//! have twice that; in Rapier each is a setting of its own. Two points of one contact, 2 r_x apart, share the load, and each
//! has K = 1/m + r_x²/I.
use super::BesideError;
use super::hanging::{Bar, Hanging, Rows};
use std::f64::consts::{LN_2, TAU};
use std::fmt::Display;

/// m/s².
pub(super) const G: f64 = 9.81;
/// What Rapier keeps of the impulses of before, where it does not keep all.
pub(super) const KEPT: f64 = 0.5;
/// Duration of a run that is to stay at rest, s, and the change of the error in its last quarter below which it does, m.
pub(super) const RESTING: f64 = 20.0;
pub(super) const AT_REST: f64 = 1e-5;
/// Masses of six bars and disks, kg.
pub(super) const SIX: [f64; 6] = [1.0, 1.0, 1.0, 1.0, 1.0, 3.0];
/// Between these the load is looked for that two bars of 1 kg hold, kg.
pub(super) const LOADS: [f64; 2] = [1.0, 1e6];
/// The largest frequency of joints and contacts that Box2D and Rapier are given, Hz.
pub(super) const STIFFEST: [f64; 2] = [1e4, 1e7];
/// The smallest, Hz: softer contacts let disks sink into each other.
pub(super) const SOFTEST: f64 = 30.0;
/// A bar of 0.5 m by 0.05 m and 1 kg.
pub(super) const BAR: Bar = Bar { mass: 1.0, inertia: (0.25 + 0.0025) / 12.0, ends: [0.25; 2] };

impl Bar {
    /// Of another mass.
    pub(super) fn of(mass: f64) -> Self {
        Self { mass, inertia: mass * BAR.inertia, ..BAR }
    }

    /// That hangs by its centre of mass.
    fn load(mass: f64) -> Self {
        Self { ends: [0.0; 2], ..Self::of(mass) }
    }
}

/// An engine with settings.
#[derive(Clone, Copy)]
pub(super) struct Setup {
    pub(super) scheme: &'static str,
    /// s.
    pub(super) time_step: f64,
    pub(super) parts: f64,
    /// Frequency, Hz, and damping ratio of joints, of contacts, and of contacts with what is fixed.
    pub(super) joint: [f64; 2],
    pub(super) contact: [f64; 2],
    pub(super) fixed: [f64; 2],
    /// Whether the sweep behind the motion softens joints, too.
    pub(super) softens_behind: bool,
}

impl Setup {
    fn box2d(scheme: &'static str, time_step: f64, parts: f64, [joint, contact]: [f64; 2]) -> Self {
        let rate = parts / time_step;
        let contact = contact.min(0.125 * rate);
        let (joint, contact, fixed) =
            ([joint.min(0.25 * rate), 2.0], [contact, 10.0], [2.0 * contact, 10.0]);
        Self { scheme, time_step, parts, joint, contact, fixed, softens_behind: false }
    }

    fn rapier(scheme: &'static str, parts: f64, joint: [f64; 2], [contact, fixed]: [f64; 2]) -> Self {
        let (contact, fixed) = ([contact, 10.0], [fixed, 10.0]);
        Self { scheme, time_step: 1.0 / 60.0, parts, joint, contact, fixed, softens_behind: true }
    }

    /// Length of a part, s; r, 1/s, and c of a row.
    fn softness(&self, [hertz, damping_ratio]: [f64; 2]) -> [f64; 3] {
        let (h, omega) = (self.time_step / self.parts, TAU * hertz);
        let damping = 2.0 * damping_ratio + h * omega;
        [h, omega / damping, (h * omega * damping).recip()]
    }

    /// Sag of a contact per K F, s².
    pub(super) fn yields([hertz, _]: [f64; 2]) -> f64 {
        (TAU * hertz).powi(-2)
    }

    /// Sag of a joint per K F, s².
    pub(super) fn joint_yields(&self) -> f64 {
        let [_, _, c] = self.softness(self.joint);
        let behind = if self.softens_behind { 1.0 + c } else { 1.0 };
        behind * Self::yields(self.joint)
    }

    /// Half-life of an error without a load, s.
    pub(super) fn half_life(&self, row: [f64; 2]) -> f64 {
        let [h, rate, c] = self.softness(row);
        self.half_life_of(1.0 - rate * h / (1.0 + c))
    }

    /// Half-life of what a part multiplies by ρ, s.
    pub(super) fn half_life_of(&self, growth: f64) -> f64 {
        -self.time_step / self.parts * LN_2 / growth.ln()
    }

    /// Stretch of the bar that swings, m.
    pub(super) fn stretch(&self) -> f64 {
        let [h, rate, c] = self.softness(self.joint);
        2.5 * G * self.joint_yields() + 0.5 * (1.0 - c) * h * 1.5 * G / rate
    }

    /// The same over 5 s, from the parts of its steps, m.
    pub(super) fn stretch_by_parts(&self) -> f64 {
        let bar = self.hanging(&[1.0], G);
        let mut state = bar.at_rest(0.25 * TAU);
        let step = |_| {
            (0..self.parts as u32).for_each(|_| bar.part(&mut state));
            bar.opening(&state)
        };
        (0..(5.0 / self.time_step).round() as u32).map(step).fold(0.0, f64::max)
    }

    /// Speed of a body on a slope whose friction begins without the impulses of before, per acceleration along the slope, s.
    pub(super) fn creeps(&self) -> f64 {
        let h = self.time_step / self.parts;
        if self.softens_behind { (1.0 - KEPT) * h } else { h / self.parts }
    }

    /// Speed at which a bar begins to turn that a motor holds level, rad/s: [`BAR`] by its end.
    pub(super) fn turns(&self) -> f64 {
        if !self.softens_behind {
            return 0.0;
        }
        let [h, _, c] = self.softness(self.joint);
        let arm = BAR.ends[0];
        let coupling = BAR.mass * arm * arm / (BAR.inertia + BAR.mass * arm * arm);
        (1.0 + c) * coupling * h * G / (arm * (1.0 - coupling * coupling))
    }

    /// Bars of these masses, as its parts move them.
    pub(super) fn hanging(&self, masses: &[f64], gravity: f64) -> Hanging {
        let [h, rate, c] = self.softness(self.joint);
        let bars = masses.iter().map(|mass| Bar::of(*mass)).collect();
        let rows = if self.softens_behind { Rows::Rapier } else { Rows::Box2d };
        Hanging { bars, gravity, h, softness: [[rate, c]; 2], rows }
    }

    /// Two bars and a load of this mass, which turns about its hinge.
    pub(super) fn loaded(&self, mass: f64) -> Hanging {
        let mut hanging = self.hanging(&[1.0, 1.0], G);
        hanging.bars.push(Bar::load(mass));
        hanging
    }

    /// Disks of these masses upon each other.
    pub(super) fn piled(&self, masses: &[f64]) -> Hanging {
        let of = |row: [f64; 2]| {
            let [_, rate, c] = self.softness(row);
            [rate, c]
        };
        let bars = masses.iter().map(|mass| Bar { ends: [0.0; 2], ..Bar::of(*mass) }).collect();
        let h = self.time_step / self.parts;
        let softness = [of(self.fixed), of(self.contact)];
        Hanging { bars, gravity: G, h, softness, rows: Rows::Contacts }
    }

    /// The load up to which two bars of 1 kg do not shake, kg.
    pub(super) fn largest_load(&self) -> f64 {
        let stays = |load: f64| Ok::<bool, BesideError>(self.loaded(load).is_stable());
        largest(LOADS, stays).unwrap_or(None).unwrap_or(f64::NAN)
    }

    /// The same with another frequency, Hz, of what is asked for: so much of it as the engine takes.
    pub(super) fn with_frequency(&self, of: Stiff, hertz: f64) -> Self {
        let [h, ..] = self.softness(self.joint);
        let most = |share: f64| if self.softens_behind { hertz } else { hertz.min(share / h) };
        match of {
            Stiff::Joints => Self { joint: [most(0.25), self.joint[1]], ..*self },
            Stiff::Contacts => {
                let fixed = if self.softens_behind { hertz } else { 2.0 * most(0.125) };
                Self { contact: [most(0.125), self.contact[1]], fixed: [fixed, self.fixed[1]], ..*self }
            }
        }
    }

    /// The frequency up to which an error along bars falls in its parts, and disks stay at rest, Hz.
    pub(super) fn largest_frequency(&self, of: Stiff) -> f64 {
        let steps = (RESTING / self.time_step).round() as usize;
        let rests = |hertz: f64| {
            let own = self.with_frequency(of, hertz);
            Ok::<bool, BesideError>(match of {
                Stiff::Joints => own.hanging(&SIX, G).growth_along() < 1.0,
                Stiff::Contacts => own.piled(&SIX).unrest(steps, self.parts as usize) < AT_REST,
            })
        };
        largest([SOFTEST, self.stiffest()], rests).unwrap_or(None).unwrap_or(f64::NAN)
    }

    /// The largest frequency that is asked for, Hz.
    pub(super) fn stiffest(&self) -> f64 {
        STIFFEST[usize::from(self.softens_behind)]
    }

    /// What sets a frequency.
    pub(super) fn keys(&self, of: Stiff) -> &'static [&'static str] {
        match (of, self.softens_behind) {
            (Stiff::Joints, false) => &["joint_hertz"],
            (Stiff::Contacts, false) => &["contact_hertz"],
            (Stiff::Joints, true) => &["joint_natural_frequency"],
            (Stiff::Contacts, true) => &["contact_natural_frequency", "static_contact_natural_frequency"],
        }
    }

    /// The scheme with other values of some parameters.
    pub(super) fn scheme_with(&self, values: &[(&str, impl Display)]) -> String {
        let is_kept = |word: &&str| !values.iter().any(|(key, _)| word.starts_with(&format!("{key}=")));
        let kept = self.scheme.split(',').filter(is_kept).map(str::to_owned);
        let added = values.iter().map(|(key, value)| format!("{key}={value}"));
        kept.chain(added).collect::<Vec<_>>().join(",")
    }

    /// m K of a point of a contact of a box of this size, with half the load: relative to a row of 1/m with all of it.
    pub(super) fn shared([width, height]: [f64; 2]) -> f64 {
        let arm = 0.25 * width * width / ((width * width + height * height) / 12.0);
        0.5 * (1.0 + arm)
    }
}

pub(super) fn setups() -> [Setup; 5] {
    [
        Setup::box2d("box2d", 1.0 / 60.0, 4.0, [60.0, 30.0]),
        Setup::box2d("box2d,substeps=16", 1.0 / 60.0, 16.0, [60.0, 30.0]),
        Setup::box2d("box2d,substeps=2,joint_hertz=20,contact_hertz=10", 1.0 / 60.0, 2.0, [20.0, 10.0]),
        Setup::rapier("rapier", 4.0, [1e6, 1.0], [30.0, 60.0]),
        Setup::rapier(
            "rapier,joint_natural_frequency=20,joint_damping_ratio=2,contact_natural_frequency=15,\
             static_contact_natural_frequency=30,warmstart_joints=on",
            4.0,
            [20.0, 2.0],
            [15.0, 30.0],
        ),
    ]
}

/// ρ of a part of Box2D's with six bars, of whose hinges all of the largest frequency would act.
pub(super) fn unlimited_growth() -> f64 {
    let [setup, ..] = setups();
    Setup { joint: [STIFFEST[0], setup.joint[1]], ..setup }.hanging(&SIX, G).growth_along()
}

/// The load up to which two bars do not shake on hinges that do not yield, in four parts of 1/60 s, kg.
pub(super) fn rigid_load() -> f64 {
    let [Setup { time_step, parts, .. }, ..] = setups();
    let length: f64 = BAR.ends.iter().sum();
    4.0 * length * (BAR.inertia / length.powi(2) + 0.25 * BAR.mass) * (parts / time_step).powi(2) / G
}

/// Rows whose stiffness is asked for.
#[derive(Clone, Copy)]
pub(super) enum Stiff {
    Joints,
    Contacts,
}

/// The largest value between these, within a hundredth, up to which something holds: infinite if it does at the largest one, none
/// if it does not at the smallest.
pub(super) fn largest<E>(
    [mut holds, mut fails]: [f64; 2],
    mut does_hold: impl FnMut(f64) -> Result<bool, E>,
) -> Result<Option<f64>, E> {
    if does_hold(fails)? {
        return Ok(Some(f64::INFINITY));
    }
    if !does_hold(holds)? {
        return Ok(None);
    }
    while fails / holds > 1.01 {
        let middle = (holds * fails).sqrt();
        if does_hold(middle)? { holds = middle } else { fails = middle }
    }
    Ok(Some((holds * fails).sqrt()))
}
