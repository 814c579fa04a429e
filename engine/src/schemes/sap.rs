//! Drake's compliant contacts and nearly rigid constraints: the step is an unconstrained convex problem in the velocities.
//!
//! ```text
//! v⁺ = argmin ½ ‖v − v*‖²_M + Σ ℓ(J v) ,   q⁺ = q + h v⁺
//!
//! joint        λ = −(J v⁺ + g/(2h))/R ,    R = β_j²/(4π²) w                      limits the same, λ ≥ 0
//! contact      λ = Π(−R⁻¹ (J v⁺ + b))  onto the cone ,   b = φ/(h + τ)  along n ,  0  along t
//!              R_n = max(β²/(4π²) w ,  1/(h k (h + τ))) ,   R_t = σ w
//!   lagged     λ_n = h (−k φ⁻ − h k J_n v⁺)₊ (1 − d J_n v⁺)₊ ,   λ_t = −μ n₀ u/√(u² + ε²) ,   u = J_t v⁺
//!              n₀ = −h k φ⁻ (1 − d J_n v)₊ ,   ε = max(v_s, μ R_t n₀)
//!   similar    n at J_n v⁺ − μ (√(u² + ε²) − ε) ,   in λ_t, too, in place of n₀
//! ```
//!
//! k in N/m and τ in s are those of a pair of surfaces, d in s/m, φ⁻ = min(φ, 0) the overlap. w stands for J M⁻¹Jᵀ: the root
//! mean square ‖W‖/n of the block W of a constraint with n equations, or the row's own. A row of stiffness k and damping τ k,
//! implicit in h, has R = 1/(h k (h + τ)), of which β is the bound: what is stiffer than a period of about β h is not resolved,
//! and is nearly rigid. Joints have no stiffness but that bound and τ = h. The problem is that of `stages/convex_problem.rs`,
//! solved by Newton's method with an exact line search (`lcp/convex`).
//!
//! [Castro, Permenter & Han 2022; Castro, Han & Masterjohn 2023; Drake 1.51: `SapHolonomicConstraint`, `SapLimitConstraint`,
//! `SapFrictionConeConstraint`, `SapHuntCrossleyConstraint`.] Departures are in the scheme's card (`departures` below).
//!
//! **Planar models.** In space a contact and a hinge have three equations, a weld six: n of ‖W‖/n is that here, though one to
//! three of them have no part in the plane. A weld's W adds 1/kg and 1/(kg m²), so that its softness means something in metres.
//! Every other row has its own J M⁻¹Jᵀ, as distances and couplers have.
//!
//! **Sag, creep, glide.** At rest R λ = −b with λ = h F. A load F leaves a joint at the error g, a contact at the overlap φ, and
//! a tangential load T < μ N creeps, at
//!
//! ```text
//! g = 2 h² R F = (β_j²/2π²) h² w F ,     φ = −h (h + τ) R_n F ,  F/k where it is resolved
//! J_t v = σ w h T                        sap
//! J_t v = ε T/√(μ² N² − T²)              lagged and similar
//! ```
//!
//! Sag of joints and creep under `sap` shrink with h; that of the irrotational fields is near v_s at every h. Under `sap` and
//! `similar` a contact that slides at u parts at μ u as well, until it is open: the cone's law is not Coulomb's, and `lagged`,
//! whose friction has the normal impulse of the step before, is.
//!
//! **Stability.** A row alone has ġ⁺ = (ġ − ρ g/(2h))/(1 + ρ), ρ = J M⁻¹Jᵀ/R: every h is stable. With ρ = 4π²/β_j² ≫ 1 a step
//! halves the error.

use crate::constraint::{Row, Touch};
use crate::lcp::convex::{ContactLaw, HuntCrossley};
use crate::method::linearisation::{AxisQuantity, Linearised, TIME_STEPS};
use crate::method::parametrizations::{CFM, Language};
use crate::method::{Origin, Scheme, SchemeInfo};
use crate::model::nonholonomic::Prescribed;
use crate::model::{Joint, JointKind};
use crate::parameter::{Parameter, Values, choice, logarithmic};
use crate::report::StepError;
use crate::rules::Integrator;
use crate::stages::constraints::GapTerm;
use crate::stages::convex_problem::{self, Bodies, ContactYield, Yield, YieldingLaw};
use crate::stages::step_in_progress::Step;
use glam::DVec3;
use std::f64::consts::{SQRT_2, TAU};

const JOINT_NEAR_RIGID: Parameter =
    logarithmic("joint_near_rigid", "near-rigid bound of joints", "β_j", "", [1e-3, 10.0], 0.1)
        .meaning("Joints and limits yield as springs with a period of √2 β_j h do. Drake: 0.1.");

const APPROXIMATION: Parameter = choice("approximation", "contacts", "", &["sap", "lagged", "similar"])
    .meaning("The cone of SAP, or one of both irrotational contact fields. Drake: lagged; sap is that of the paper.");

const STIFFNESS: Parameter = logarithmic("stiffness", "contact stiffness", "k", "N/m", [1e-6, 1e18], 5e5)
    .meaning("Of a pair of surfaces at a contact. Drake: 5e5, a pair of surfaces of 1e6.");

const RELAXATION_TIME: Parameter =
    logarithmic("relaxation_time", "relaxation time", "τ", "s", [0.0, 1e3], 0.2)
        .meaning("Damping of a pair over its stiffness, under sap. Drake: 0.2, a pair of surfaces of 0.1.");

const NEAR_RIGID: Parameter =
    logarithmic("near_rigid", "near-rigid bound of contacts", "β", "", [0.0, 10.0], 1.0)
        .meaning("A contact under sap is not stiffer than one with a period of about β h. Drake: 1.");

const SIGMA: Parameter = logarithmic("sigma", "softness of friction", "σ", "", [1e-9, 1e3], 1e-3)
    .meaning("R_t as a share of w; creep is proportional to it. Drake: 0.001.");

const DISSIPATION: Parameter = logarithmic("dissipation", "dissipation", "d", "s/m", [0.0, 1e6], 50.0)
    .meaning("Hunt & Crossley's, of a pair of surfaces, under lagged and similar. Drake: 50.");

const STICTION_TOLERANCE: Parameter =
    logarithmic("stiction_tolerance", "stiction tolerance", "v_s", "m/s", [1e-9, 1e3], 1e-4)
        .meaning("Slip at which friction is 0.7 μ n, under lagged and similar. Drake: 0.0001.");

const INFO: SchemeInfo = SchemeInfo {
    key: "sap",
    name: "Semi-analytic primal (Drake)",
    short: "SAP",
    origin: Origin::Engines,
    synonyms: &["drake", "semi_analytic_primal", "compliant_contact", "irrotational"],
    equation: "v⁺ = argmin ½ ‖v − v*‖²_M + ℓ(J v) ,  R λ = −(J v⁺ + b)",
    summary: "Finds the velocities as the minimum of a convex function, with contacts as springs and dampers, friction that yields a \
              little, and joints as stiff as the step resolves.",
    source: "Castro, Permenter & Han 2022; Castro, Han & Masterjohn 2023; Drake 1.51",
    departures: &[
        "Drake has no coefficient of restitution: a contact bounces as far as its stiffness and damping let it. Here a contact with e > 0 that \
         approaches fast enough rebounds by Newton's law, and a limit with e > 0 acts once it is reached.",
        "Drake has no static friction: here a contact has it below a slip of a tenth of g h.",
        "Drake finds contacts that overlap, and bodies pass through each other; here pairs that would do so are stopped, as in the other \
         schemes.",
        "Drake takes soft distances and motors that hold a position implicitly, up to the near-rigid bound; here these rows and springs are \
         those of the other schemes, and a motor of given speed holds it to a hundred thousandth of what its load makes in a step.",
        "Drake has no sliders, slots and gears between free bodies, no velocity constraints and no rolling resistance: here these are nearly \
         rigid rows, and rolling resistance shares the cone of friction.",
        "Drake has one stiffness, damping and dissipation a surface; here all pairs have the same.",
        "Drake damps joints in the mass matrix; here damping of bodies acts by its mean decay over the step.",
    ],
    parameters: &[
        JOINT_NEAR_RIGID,
        APPROXIMATION,
        STIFFNESS,
        RELAXATION_TIME,
        NEAR_RIGID,
        SIGMA,
        DISSIPATION,
        STICTION_TOLERANCE,
    ],
    languages: &[
        Language {
            name: "Hz",
            meaning: "Erin Catto's, for soft constraints: the undamped frequency of a joint's row alone, 1/(√2 β_j h); its damping ratio is \
                      π/(√2 β_j). Exact where w is the row's own J M⁻¹Jᵀ.",
            parameters: &[FREQUENCY],
            in_files: false,
            to_native: |ours, h| vec![1.0 / (SQRT_2 * h * ours[0])],
            from_native: |native, h| vec![1.0 / (SQRT_2 * h * native[0])],
        },
        Language {
            name: "CFM",
            meaning: "ODE's: J v + (ERP/h) g + CFM f = 0, with CFM times the effective mass as h β_j²/(4π²), and ERP ½ at every step. Exact \
                      where w is the row's own J M⁻¹Jᵀ.",
            parameters: &[CFM],
            in_files: false,
            to_native: |ours, h| vec![TAU * (ours[0] / h).sqrt()],
            from_native: |native, h| vec![h * native[0] * native[0] / (TAU * TAU)],
        },
    ],
    ..SchemeInfo::COMMON
};

const FREQUENCY: Parameter = logarithmic("frequency", "frequency", "f", "Hz", [1e-7, 1e9], 424.0)
    .meaning("Undamped frequency of a joint's error, 1/(√2 β_j h).");

pub(crate) static SCHEME: Scheme = Scheme {
    uses_solver: false,
    holds_velocities: |_| false,
    linearised: |method, h| {
        let share = share(&method.stabilizer.values);
        let [alpha, beta] = [0.5 * share / h, (0.5 * share).sqrt() / h];
        Some(Linearised::Acceleration { alpha, beta, integrator: Integrator::SemiImplicitEuler })
    },
    stability_plane: |_, _| Some([(AxisQuantity::Parameter(&JOINT_NEAR_RIGID), BOUNDS), TIME_STEPS]),
    remark,
    ..Scheme::new(INFO, advance)
};

/// Bounds that are shown.
const BOUNDS: [f64; 2] = [1e-3, 10.0];

fn advance(step: &mut Step<'_>) -> Result<(), StepError> {
    let law = Law::new(step.values(), step.length());
    step.evaluate(GapTerm::Touching); // g, J and k at q; φ, J_n and J_t of contacts; limits, motors
    convex_problem::begin(step); // keeps v, of which n₀ is made
    step.swing(); // springs of free bodies at q + ½h v
    step.kick(); // v* = v + h M⁻¹F
    convex_problem::solve(step, &law)?; // v⁺ of the convex problem
    step.drift(); // q⁺ = q + h v⁺
    Ok(())
}

/// Which contacts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Approximation {
    Sap,
    Lagged,
    Similar,
}

/// The numbers of a row's law at the time step h.
struct Law {
    h: f64,
    approximation: Approximation,
    /// β_j²/(4π²) and β²/(4π²).
    joint_share: f64,
    contact_share: f64,
    stiffness: f64,
    relaxation: f64,
    sigma: f64,
    dissipation: f64,
    stiction: f64,
}

/// β²/(4π²): R of a nearly rigid row as a share of w.
fn yields(beta: f64) -> f64 {
    let turns = beta / TAU;
    turns * turns
}

/// ρ/(1 + ρ) of a row alone: the share of g/(2h) by which a step moves it.
fn share(values: &Values) -> f64 {
    1.0 / (1.0 + yields(values.of(&JOINT_NEAR_RIGID)))
}

impl Law {
    fn new(values: &Values, h: f64) -> Self {
        let approximation = match values.of(&APPROXIMATION) {
            0.0 => Approximation::Sap,
            1.0 => Approximation::Lagged,
            _ => Approximation::Similar,
        };
        Self {
            h,
            approximation,
            joint_share: yields(values.of(&JOINT_NEAR_RIGID)),
            contact_share: yields(values.of(&NEAR_RIGID)),
            stiffness: values.of(&STIFFNESS),
            relaxation: values.of(&RELAXATION_TIME),
            sigma: values.of(&SIGMA),
            dissipation: values.of(&DISSIPATION),
            stiction: values.of(&STICTION_TOLERANCE),
        }
    }

    /// b and R of a nearly rigid row.
    fn rigid(&self, g: f64, mobility: f64) -> Yield {
        Yield { bias: 0.5 * g / self.h, resistance: self.joint_share * mobility }
    }

    /// R_n of a contact with the mobility w.
    fn resistance(&self, w: f64) -> f64 {
        let resolved = 1.0 / (self.h * self.stiffness * (self.h + self.relaxation));
        resolved.max(self.contact_share * w)
    }
}

/// ‖W‖/n of the rows of one pair of bodies, W = J M⁻¹Jᵀ.
fn mobility(rows: &[[(usize, DVec3); 2]], count: f64, inverse_mass: &[DVec3]) -> f64 {
    let mut sum = 0.0;
    for one in rows {
        for other in rows {
            let coupled = |end: usize| one[end].1.dot(inverse_mass[one[end].0] * other[end].1);
            let own = coupled(0) + coupled(1);
            sum += own * own;
        }
    }
    sum.sqrt() / count
}

fn ends(row: &Row) -> [(usize, DVec3); 2] {
    [(row.a, row.ja), (row.b, row.jb)]
}

impl YieldingLaw for Law {
    fn foresees_limits(&self) -> bool {
        true
    }

    fn joint(&self, joint: &Joint, rows: &[Row], bodies: &Bodies<'_>, emit: &mut dyn FnMut(Yield)) {
        let inverse_mass = bodies.inverse_mass;
        let count = match joint.kind {
            JointKind::Hinge(_) => Some(3.0),
            JointKind::Weld(_) => Some(6.0),
            _ => None,
        };
        let of_all = count.map(|count| {
            let mut all = [[(0, DVec3::ZERO); 2]; 3];
            all.iter_mut().zip(rows).for_each(|(own, row)| *own = ends(row));
            mobility(&all[..rows.len().min(3)], count, inverse_mass)
        });
        for row in rows {
            emit(self.rigid(row.g, of_all.unwrap_or_else(|| row.mobility(inverse_mass))));
        }
    }

    fn velocity(&self, row: &Row, prescribed: Prescribed, bodies: &Bodies<'_>) -> Yield {
        let own = self.rigid(0.0, row.mobility(bodies.inverse_mass));
        Yield { bias: -(prescribed.value + self.h * prescribed.rate), ..own }
    }

    fn friction(&self, row: &Row, bodies: &Bodies<'_>) -> Yield {
        Yield { bias: 0.0, resistance: self.sigma * row.mobility(bodies.inverse_mass) }
    }

    fn limit(&self, touch: &Touch, bodies: &Bodies<'_>) -> Yield {
        self.rigid(touch.row.g, touch.row.mobility(bodies.inverse_mass))
    }

    fn contact(&self, touch: &Touch, _: bool, bodies: &Bodies<'_>) -> ContactYield {
        let row = &touch.row;
        let (mut all, mut count) = ([ends(row); 2], 1);
        let (mut friction, mut surface) = (0.0, 0.0);
        if let Some(own) = touch.tangent {
            (all[1], count) = ([(row.a, own.ta), (row.b, own.tb)], 2);
            (friction, surface) = (own.friction, own.speed);
        }
        let w = mobility(&all[..count], 3.0, bodies.inverse_mass);
        let tangential = self.sigma * w;
        let mut normal = Yield { bias: row.g / (self.h + self.relaxation), resistance: self.resistance(w) };
        let mu = if friction > 0.0 { friction } else { 1.0 };
        let rolled = if touch.rolling > 0.0 { mu * mu / (touch.rolling * touch.rolling) } else { 0.0 };
        let law = match self.approximation {
            Approximation::Sap => ContactLaw::Cone,
            approximation => {
                normal.bias = 0.0;
                let elastic = self.h * self.stiffness * (-row.g).max(0.0);
                let lagged = elastic * (1.0 - self.dissipation * touch.approach).max(0.0);
                ContactLaw::Irrotational(HuntCrossley {
                    elastic,
                    stiffness: self.h * self.h * self.stiffness,
                    dissipation: self.dissipation,
                    smallest: mu * self.stiction.max(mu * tangential * lagged),
                    lagged: (approximation == Approximation::Lagged).then_some(lagged),
                })
            }
        };
        ContactYield {
            normal,
            held: self.joint_share * w,
            tangential: [
                Yield { bias: surface, resistance: tangential },
                Yield { bias: 0.0, resistance: rolled * tangential },
            ],
            law,
        }
    }
}

fn remark(values: &Values, h: f64) -> Option<String> {
    let law = Law::new(values, h);
    let sag = 2.0 * h * h * law.joint_share;
    let (creep, sinks) = match law.approximation {
        Approximation::Sap => {
            let lightest = law.contact_share * h * (h + law.relaxation) * law.stiffness;
            let creep = format!("friction creeps at {:.3e} m/s: σ h", law.sigma * h);
            (creep, format!(" for masses above some {lightest:.3e} kg, and farther below"))
        }
        _ => {
            let creep = law.stiction / 3.0_f64.sqrt();
            (format!("friction with half of μ N creeps at {creep:.3e} m/s: v_s/√3"), String::new())
        }
    };
    Some(format!(
        "under a load of 1 m/s² a row alone sags by {sag:.3e} m, β_j² h²/(2π²), and {creep}; contacts sink by F/k{sinks}"
    ))
}
