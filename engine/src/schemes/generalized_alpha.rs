//! The generalised-α method at index 3: the implicit method of multibody codes, whose numerical damping is a parameter.
//!
//! ```text
//! M v̇⁺ = F⁺ + J(q⁺)ᵀλ⁺ ,   g(q⁺) = 0                                                        [Arnold & Brüls 2007, eqs. 1, 2]
//!
//! q⁺ = q + h v + h² [(½ − β) a + β a⁺] ,   v⁺ = v + h [(1 − γ) a + γ a⁺]                    [Arnold & Brüls 2007, eq. 5]
//! (1 − α_m) a⁺ + α_m a = (1 − α_f) v̇⁺ + α_f v̇                                              [Arnold & Brüls 2007, eq. 6]
//!
//! γ = ½ + α_f − α_m ,   β = ¼ (γ + ½)²                                                     [Chung & Hulbert 1993, eqs. 17, 20]
//! chung_hulbert         α_m = (2ρ∞ − 1)/(ρ∞ + 1) ,   α_f = ρ∞/(ρ∞ + 1)                     [Chung & Hulbert 1993, eq. 25]
//! hht                   α_m = 0 ,                    α_f = (1 − ρ∞)/(1 + ρ∞) ,  ρ∞ ≥ ½     [Hilber, Hughes & Taylor 1977]
//! bossak                α_m = (ρ∞ − 1)/(ρ∞ + 1) ,    α_f = 0                               [Wood, Bossak & Zienkiewicz 1980]
//! ```
//!
//! λ in N; a, m/s², is v̇ of the time t + (α_m − α_f) h and part of the state. ρ∞ is the factor by which a step multiplies what
//! it does not resolve, hω → ∞. Second order in q, v and λ. g(q⁺) = 0 to rounding; J v is of order h², since nothing demands
//! it. A mass on a spring loses the share ⅛ (α_f − α_m) (1 − α_m − α_f)² (hω)⁴ of its amplitude in a step where that is
//! small, with Chung & Hulbert's coefficients ½ (1 − ρ∞)³/(1 + ρ∞)³ (hω)⁴: −ln |ζ| of the root near e^{iωh} of
//!
//! ```text
//! (ζ − 1)² ((1 − α_m) ζ + α_m) + (hω)² (β ζ² + (½ + γ − 2β) ζ + ½ − γ + β) ((1 − α_f) ζ + α_f) = 0
//! ```
//!
//! **Ripple.** In the constrained directions the step is that of hω = ∞: a start, a push or a change of h that does not fit
//! leaves an error in λ that changes its sign in every step and falls like n² ρ∞ⁿ, since the roots at infinity coincide. With
//! ρ∞ = 1, which keeps the energy of what is not constrained, it grows with the number of steps until Newton's method fails:
//! the trapezoidal rule is unstable at index 3 [Cardona & Géradin 1989]. Poses do not see it, since g(q⁺) = 0; J v has it
//! times h. The multipliers in the report are h λ⁺, in which it shows.
//!
//! **Forces** are those of the end of the step, also of springs, motors and the grab (`stages/filtered_forces.rs`); force laws
//! and the mouse's repulsion are those of its start. Damping of bodies and drag act as under all schemes, exponentially
//! (`model/damping.rs`). Non-holonomic rows have N v⁺ = v₀, motors v⁺ = their speed. What begins has the accelerations that keep
//! J v + c = 0; a start off the manifold is projected onto it first.
//!
//! **Contacts, limits, friction** have no place in a smooth formula. A step in which bodies touch or a limit is reached, and
//! one in which a motor, friction or the grab begins or ends to act with its largest force, is a projection: J v* + c = 0 by
//! impulses, q* = q + h v*, then both manifolds, of first order; the next smooth step begins anew. So is a step in which
//! Newton's method fails, as where a joint turns by a radian. Such schemes, of high order between the events and of low order
//! in steps with one, are [Acary 2012]'s; for contacts the alternative is the nonsmooth generalised-α method [Brüls, Acary &
//! Cardona 2014].

use crate::method::linearisation::{AxisQuantity, Linearised, TIME_STEPS};
use crate::method::{Language, Level, Origin, Scheme, SchemeInfo};
use crate::model::Remembered;
use crate::parameter::{Parameter, Values, choice, linear};
use crate::report::StepError;
use crate::stages::corrections::advance_projected;
use crate::stages::filtered_forces::advance as advance_filtered;
use crate::stages::force_filters::{Coefficients, OF_BODY, OF_CONSTRAINT};
use crate::stages::step_in_progress::{MAX_DEPTH, Stages, Step, in_parts};

const RADIUS: Parameter = linear("spectral_radius", "spectral radius", "ρ∞", "", [0.0, 1.0], 0.8).meaning(
    "Factor per step of what the step does not resolve, and in the long run of the ripple of λ: at 1 nothing is damped, and joints make it grow.",
);

const FAMILY: Parameter = choice("family", "coefficients", "α_m, α_f", &["chung_hulbert", "hht", "bossak"]).meaning(
    "Which method has this ρ∞: Chung & Hulbert's, which damps slow motions least, Hilber, Hughes & Taylor's, of which ρ∞ is at least \
     ½, or that of Wood, Bossak & Zienkiewicz.",
);

const INFO: SchemeInfo = SchemeInfo {
    key: "generalized_alpha",
    name: "Generalised α, index 3",
    short: "Generalised α",
    origin: Origin::MultibodyCodes,
    synonyms: &["generalised_alpha", "hht", "hht_alpha", "newmark", "chung_hulbert", "bossak"],
    equation: "M v̇⁺ = F⁺ + Jᵀλ⁺ ,  g(q⁺) = 0 ,  (1 − α_m) a⁺ + α_m a = (1 − α_f) v̇⁺ + α_f v̇",
    summary: "The implicit method of multibody codes: second order, with a numerical damping that is chosen.",
    source: "Chung & Hulbert 1993, eqs. 17–25; Arnold & Brüls 2007, eqs. 5–6",
    levels: &[Level::Velocity],
    parameters: &[RADIUS, FAMILY],
    languages: &[Language {
        name: "HHT's α",
        meaning: "The number that codes with the method of Hilber, Hughes & Taylor ask for, −α there and α_B of Bossak's; γ − ½ of Newmark's \
                  formulas.",
        parameters: &[linear("hht_alpha", "numerical damping", "α", "", [0.0, 1.0], 1.0 / 9.0)
            .meaning("(1 − ρ∞)/(1 + ρ∞): 0 damps nothing, ⅓ is the most of Hilber, Hughes & Taylor.")],
        in_files: false,
        to_native: |ours, _| vec![(1.0 - ours[0]) / (1.0 + ours[0])],
        from_native: |native, _| vec![(1.0 - native[0]) / (1.0 + native[0])],
    }],
    departures: &[
        "Newton's method without the geometric stiffness ∂(Jᵀλ)/∂q: it converges linearly, and to the same solution.",
        "The forces of force laws and of the mouse's repulsion are those of the step's start; damping and drag act exponentially.",
        "A step with contacts, at a limit, at the start or end of a largest force, or in which Newton's method fails is a projection, of \
         first order.",
    ],
    ..SchemeInfo::COMMON
};

pub(crate) static SCHEME: Scheme = Scheme {
    memory: Remembered { per_constraint: OF_CONSTRAINT, per_body: OF_BODY, per_world: 0 },
    takes_approximate_solutions: false,
    holds_velocities: |_| false,
    linearised: |method, _| {
        let Coefficients { beta, gamma, .. } = (&method.stabilizer.values).into();
        Some(Linearised::Newmark { beta, gamma })
    },
    stability_plane: |_, _| Some([(AxisQuantity::Parameter(&RADIUS), [0.05, 1.0]), TIME_STEPS]),
    remark: |values, _| Some(remark(values)),
    ..Scheme::new(INFO, advance)
};

impl From<&Values> for Coefficients {
    fn from(values: &Values) -> Self {
        let rho = values.of(&RADIUS);
        match FAMILY.word(values.of(&FAMILY)) {
            Some("hht") => {
                let rho = rho.max(0.5);
                Self::of(0.0, (1.0 - rho) / (1.0 + rho))
            }
            Some("bossak") => Self::of((rho - 1.0) / (rho + 1.0), 0.0),
            _ => Self::of((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)),
        }
    }
}

fn advance(step: &mut Step<'_>) -> Result<(), StepError> {
    in_parts(step, MAX_DEPTH, generalized_alpha)?;
    let Stages { filtered, memory, totals, .. } = &mut *step.stages;
    filtered.remember(memory, step.context.world.body_ids(), &totals.ledger.entries);
    Ok(())
}

fn generalized_alpha(step: &mut Step<'_>) -> Result<(), StepError> {
    if advance_filtered(step, &step.values().into())? {
        step.stages.filtered.accept(); // q⁺, v⁺, λ⁺
        return Ok(());
    }
    advance_projected(step) // J v* + c = 0, q* = q + h v*, g(q⁺) = 0, J(q⁺) v⁺ + c = 0, with contacts and limits
}

fn remark(values: &Values) -> String {
    /// Steps a period of a vibration that is resolved.
    const STEPS: f64 = 20.0;
    let coefficients = Coefficients::from(values);
    let rho = (1.5 - coefficients.gamma) / (0.5 + coefficients.gamma);
    if rho >= 1.0 {
        return "each step closes the joints; at ρ∞ = 1 a ripple of λ grows with the number of steps"
            .to_owned();
    }
    let lost = 100.0 * STEPS * coefficients.loss(std::f64::consts::TAU / STEPS);
    format!(
        "each step closes the joints; in the long run it multiplies a ripple of λ by {rho:.3}, and takes {lost:.2e} % a period of the \
         amplitude of a vibration of {STEPS} steps a period"
    )
}
