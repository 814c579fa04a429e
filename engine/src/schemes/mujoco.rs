//! MuJoCo's soft constraints: every constraint is a spring and damper scaled by its own inertia, and the step a convex problem.
//!
//! ```text
//! a = argmin ½ ‖a − a*‖²_M + s(J a − a_ref) ,   v⁺ = v + h a ,   q⁺ = q + h v⁺
//! equation     J a + R f = a_ref ,              a_ref = −B J v − K d r − J̇v
//! contact      f = Π(−R⁻¹ (J a − a_ref)) onto the cone ,   a_ref = −B J v − K d φ  along n ,  −B J_t v  along t
//! R = Â (1 − d)/d ,   B = 2/(d₁ τ) ,   K = 1/(d₁ τ ζ)²
//! d(x) = d₀ + (d₁ − d₀) y(|x|/w) ,   y = u^p/c^(p−1) up to the midpoint u = c , then 1 − (1 − u)^p/(1 − c)^(p−1)
//! ```
//!
//! τ the time constant in s and ζ the damping ratio (`solref`; with `refsafe` τ is at least 2h); d the impedance between d₀ and
//! d₁, w its width in m, c its midpoint, p its power (`solimp`); r the error of a row, x that of its constraint, the norm of a
//! hinge's two, φ < 0 the overlap. Â approximates J M⁻¹Jᵀ: J a + R f = a_ref alone has a = d a_ref if Â is exact. Times h, with
//! λ = h f, these are rows J v⁺ + R λ + b = 0 with b = −J v − h a_ref (`stages/convex_problem.rs`), solved by Newton's method
//! with an exact line search (`lcp/convex`).
//!
//! [MuJoCo 4.0: `mj_makeImpedance`, `mj_diagApprox`, `mj_referenceConstraint`, `mj_Jdotv`; Todorov 2014.] Departures are in the
//! scheme's card (`departures` below).
//!
//! **Planar models.** MuJoCo computes in space. A planar model there has two slides and a hinge a body, and its Â of a point is
//! the mean over three directions, of which one is held: 2/(3m). Here Â of hinges, of the points of welds and of contacts is
//! that, and an angle of a weld has 1/(3I); its error is sin(θ/2) there. All other rows have J M⁻¹Jᵀ, as tendons and joints
//! have in MuJoCo. A box touches with two corners across the plane where it has one here, so that R of contacts between boxes
//! is divided by `points_across`; disks and capsules touch once. A pyramid in space has two edges across the plane (six with
//! rolling resistance), which act along the normal.
//!
//! **Friction.** R_t = R_n/ι with impratio ι, and R_r c_r² = R_t μ² for rolling resistance c_r. A pyramid's edges have 2 μ²/ι
//! R₀ each, R₀ = (1 + μ²) Â (1 − d)/d.
//!
//! **Creep and sag.** At rest a = 0 and a_ref = R f. A load F sags, and a tangential load T < μ N creeps, at
//!
//! ```text
//! r = R F/(K d) ,   J_t v = R_t T/B            elliptic, and joints
//! 4 E (edges e±, two across):  J_t v = E T/(2 μ² B) ,  d K |φ| = E N/4       while T ≤ μ N/2
//!                              J_t v = E (3 T/μ − N)/(2 μ B) ,  d K |φ| = E (N − T/μ)/2    beyond
//! ```
//!
//! E a pyramid's edge, T and N of one contact. Nothing in it depends on h, on the number of iterations, or on the
//! solver's tolerance: the creep is the minimum. It is inverse to ι, proportional to τ and to (1 − d)/d.
//!
//! w is an absolute length, and the norm of a weld adds m and rad: MuJoCo's numbers mean something in metres.
//!
//! **Stability.** A row with exact Â has g̈ + 2α ġ + β² g = 0, α = d B/2, β² = d² K, under semi-implicit Euler: it is stable
//! where (βh)² + 4αh < 4. With `refsafe` αh ≤ d/(2d₁) at every h, so that only ζ below some 0.2 is unstable.

use crate::constraint::{Row, Touch};
use crate::lcp::convex::ContactLaw;
use crate::method::linearisation::{AxisQuantity, Linearised, StabilityAxis};
use crate::method::parametrizations::Language;
use crate::method::{Origin, Scheme, SchemeInfo};
use crate::model::joint::Unit;
use crate::model::nonholonomic::Prescribed;
use crate::model::{Joint, JointKind};
use crate::parameter::{Parameter, Values, choice, integer, linear, logarithmic};
use crate::report::StepError;
use crate::rules::Integrator;
use crate::stages::constraints::GapTerm;
use crate::stages::convex_problem::{self, Bodies, ContactYield, Yield, YieldingLaw};
use crate::stages::step_in_progress::Step;
use glam::DVec3;
use std::f64::consts::TAU;

const TIME_CONSTANT: Parameter = logarithmic("timeconst", "time constant", "τ", "s", [1e-6, 1e3], 0.02)
    .meaning("Time constant of a constraint's spring and damper. MuJoCo: 0.02 (solref's timeconst).");

const DAMPING_RATIO: Parameter = logarithmic("dampratio", "damping ratio", "ζ", "", [1e-3, 1e3], 1.0)
    .meaning("Its damping ratio, 1 is critical. MuJoCo: 1 (solref's dampratio).");

const REFSAFE: Parameter = choice("refsafe", "least time constant", "", &["on", "off"])
    .meaning("Whether the time constant is at least two steps. MuJoCo: on.");

const IMPEDANCE: Parameter = linear(
    "impedance",
    "impedance without error",
    "d₀",
    "",
    [0.0001, 0.9999],
    0.9,
)
.meaning(
    "Share of the reference acceleration that a row alone attains without an error. MuJoCo: 0.9 (solimp).",
);

const FULL_IMPEDANCE: Parameter =
    linear("full_impedance", "impedance at the width", "d₁", "", [0.0001, 0.9999], 0.95)
        .meaning("The same from an error of the width on. MuJoCo: 0.95 (solimp).");

const WIDTH: Parameter = logarithmic("width", "width", "w", "m", [0.0, 1e6], 0.001)
    .meaning("Error at which the impedance is full, in m or rad; 0: the mean of both impedances throughout. MuJoCo: 0.001 (solimp).");

const MIDPOINT: Parameter = linear("midpoint", "midpoint", "c", "", [0.0001, 0.9999], 0.5)
    .meaning("Where the rise of the impedance turns, as a share of the width. MuJoCo: 0.5 (solimp).");

const POWER: Parameter = linear("power", "power", "p", "", [1.0, 100.0], 2.0)
    .meaning("Power with which the impedance rises. MuJoCo: 2 (solimp).");

const CONE: Parameter = choice("cone", "friction cone", "", &["pyramidal", "elliptic"])
    .meaning("Whether friction is bounded by MuJoCo's pyramid or by its cone. MuJoCo: pyramidal.");

const IMPRATIO: Parameter = logarithmic("impratio", "friction stiffness", "ι", "", [1e-6, 1e6], 1.0)
    .meaning(
        "How much stiffer friction is than the normal row, R_n/R_t; creep is inverse to it. MuJoCo: 1.",
    );

const POINTS_ACROSS: Parameter = integer("points_across", "points across the plane", "n", [1.0, 1000.0], 2.0)
    .meaning("Contacts that a model in space has across the plane in place of one between corners: 2 of boxes, 1 of thin plates.");

const INFO: SchemeInfo = SchemeInfo {
    key: "mujoco",
    name: "Soft constraints (MuJoCo)",
    short: "MuJoCo",
    origin: Origin::Engines,
    synonyms: &["mj", "mujoco_newton", "convex", "soft_constraints"],
    equation: "J a + R f = −B J v − K d r ,  R = Â (1 − d)/d",
    summary: "Lets every constraint yield by a spring and damper scaled with its inertia, and solves the step as one convex problem; \
              friction never sticks, it creeps.",
    source: "MuJoCo 4.0 (Todorov 2014)",
    departures: &[
        "MuJoCo has no coefficient of restitution: a contact bounces as far as its damping ratio lets it. Here a contact with e > 0 that \
         approaches fast enough has the reference −e J v.",
        "MuJoCo has no static friction: here a contact has it below a slip of a tenth of g h, which a contact that only begins to bear exceeds.",
        "MuJoCo finds contacts that overlap, and bodies pass through each other; here pairs that would do so are stopped, as in the other \
         schemes.",
        "MuJoCo takes springs explicitly and motors as actuators; here springs, soft joints and motors that hold a position are implicit rows, \
         and a motor of given speed holds it to a hundred thousandth of what its load makes in a step.",
        "MuJoCo has no sliders, slots, rods and gears between free bodies: here these have the exact J M⁻¹Jᵀ, and the J̇v of hinges and welds.",
        "MuJoCo damps bodies by h D in the mass matrix (implicitfast, eulerdamp); here damping acts by its mean decay over the step.",
    ],
    parameters: &[
        TIME_CONSTANT,
        DAMPING_RATIO,
        REFSAFE,
        IMPEDANCE,
        FULL_IMPEDANCE,
        WIDTH,
        MIDPOINT,
        POWER,
        CONE,
        IMPRATIO,
        POINTS_ACROSS,
    ],
    languages: &[
        Language {
            name: "direct solref",
            meaning: "MuJoCo's direct format, the negative numbers of solref, with refsafe off: a row alone has the stiffness k d²/d₁² and \
                      the damping b d/d₁ per unit of its effective mass; exact for rows with an exact Â.",
            parameters: &[STIFFNESS, DAMPING],
            in_files: false,
            to_native: |ours, _| vec![2.0 / ours[1], 0.5 * ours[1] / ours[0].sqrt()],
            from_native: |native, _| {
                let rate = 1.0 / (native[0] * native[1]);
                vec![rate * rate, 2.0 / native[0]]
            },
        },
        Language {
            name: "Hz, ζ",
            meaning: "Erin Catto's, for soft constraints: the undamped frequency in Hz, and the damping ratio; exact for a row alone at full \
                      impedance, and d/d₁ times that below it.",
            parameters: &[FREQUENCY, DAMPING_RATIO],
            in_files: false,
            to_native: |ours, _| vec![1.0 / (TAU * ours[0] * ours[1]), ours[1]],
            from_native: |native, _| vec![1.0 / (TAU * native[0] * native[1]), native[1]],
        },
        Language {
            name: "α, β",
            meaning: "Baumgarte's: g̈ + 2α ġ + β² g = 0, with α = 1/τ and β = 1/(τζ); exact for a row alone at full impedance, and d/d₁ times \
                      that below it.",
            parameters: &[ALPHA, BETA],
            in_files: false,
            to_native: |ours, _| vec![1.0 / ours[0], ours[0] / ours[1]],
            from_native: |native, _| vec![1.0 / native[0], 1.0 / (native[0] * native[1])],
        },
    ],
    ..SchemeInfo::COMMON
};

const STIFFNESS: Parameter = logarithmic("stiffness", "stiffness", "k", "s⁻²", [1e-12, 1e18], 2500.0)
    .meaning("Stiffness per unit of effective mass: minus the first number of a direct solref.");

const DAMPING: Parameter = logarithmic("damping", "damping", "b", "s⁻¹", [1e-3, 2e6], 100.0)
    .meaning("Damping per unit of effective mass: minus the second number of a direct solref.");

const FREQUENCY: Parameter = logarithmic("frequency", "frequency", "f", "Hz", [1e-7, 1e9], 8.0)
    .meaning("Undamped frequency of an error, 1/(2π τ ζ).");

const ALPHA: Parameter = logarithmic("alpha", "half damping", "α", "s⁻¹", [1e-3, 1e6], 50.0)
    .meaning("Half the damping of an error, 1/τ.");

const BETA: Parameter = logarithmic("beta", "frequency", "β", "s⁻¹", [1e-6, 1e9], 50.0)
    .meaning("Undamped angular frequency of an error, 1/(τ ζ).");

pub(crate) static SCHEME: Scheme = Scheme {
    uses_solver: false,
    holds_velocities: |_| false,
    largest_stable_step,
    linearised: |method, h| {
        let [alpha, beta] = Law::new(&method.stabilizer.values, h).oscillator();
        Some(Linearised::Acceleration { alpha, beta, integrator: Integrator::SemiImplicitEuler })
    },
    stability_plane,
    remark,
    ..Scheme::new(INFO, advance)
};

fn advance(step: &mut Step<'_>) -> Result<(), StepError> {
    let law = Law::new(step.values(), step.length());
    step.evaluate(GapTerm::Touching); // g, J and k at q; φ, J_n and J_t of contacts; limits, motors
    convex_problem::begin(step); // keeps v, of which a_ref is made
    step.swing(); // springs of free bodies at q + ½h v
    step.kick(); // v* = v + h M⁻¹F
    convex_problem::solve(step, &law)?; // v⁺ of the convex problem
    step.drift(); // q⁺ = q + h v⁺
    Ok(())
}

/// The numbers of a row's law at the time step h.
struct Law {
    h: f64,
    /// B, 1/s, and K, 1/s².
    damping: f64,
    stiffness: f64,
    /// d₀, d₁, w, c, p.
    impedance: [f64; 2],
    width: f64,
    midpoint: f64,
    power: f64,
    elliptic: bool,
    impratio: f64,
    points_across: f64,
}

/// MuJoCo's least coefficient of friction (`mjMINMU`).
const LEAST_FRICTION: f64 = 1e-5;

impl Law {
    fn new(values: &Values, h: f64) -> Self {
        let [time, ratio, full] =
            [&TIME_CONSTANT, &DAMPING_RATIO, &FULL_IMPEDANCE].map(|own| values.of(own));
        let time = if values.of(&REFSAFE) == 0.0 { time.max(2.0 * h) } else { time };
        let rate = 1.0 / (full * time * ratio);
        Self {
            h,
            damping: 2.0 / (full * time),
            stiffness: rate * rate,
            impedance: [values.of(&IMPEDANCE), full],
            width: values.of(&WIDTH),
            midpoint: values.of(&MIDPOINT),
            power: values.of(&POWER),
            elliptic: values.of(&CONE) == 1.0,
            impratio: values.of(&IMPRATIO),
            points_across: values.of(&POINTS_ACROSS),
        }
    }

    /// d(x) [`getimpedance`].
    fn impedance(&self, x: f64) -> f64 {
        let [least, full] = self.impedance;
        if least == full || self.width == 0.0 {
            return 0.5 * (least + full);
        }
        let u = x.abs() / self.width;
        if u >= 1.0 {
            return full;
        }
        let power = |x: f64, p: f64| match p {
            1.0 => x,
            2.0 => x * x,
            _ => libm::pow(x, p),
        };
        let (c, p) = (self.midpoint, self.power);
        let rise = if p == 1.0 {
            u
        } else if u <= c {
            power(u, p) / power(c, p - 1.0)
        } else {
            1.0 - power(1.0 - u, p) / power(1.0 - c, p - 1.0)
        };
        least + rise * (full - least)
    }

    /// b and R of an equation with the error r, J v = `rate`, J̇v = `turning`, Â and the impedance d.
    fn row(&self, d: f64, r: f64, [rate, turning]: [f64; 2], mobility: f64) -> Yield {
        let reference = -self.damping * rate - self.stiffness * d * r - turning;
        Yield { bias: -rate - self.h * reference, resistance: mobility * (1.0 - d) / d }
    }

    /// α and β of one row with an exact Â, without error.
    fn oscillator(&self) -> [f64; 2] {
        let d = self.impedance(0.0);
        [0.5 * d * self.damping, d * self.stiffness.sqrt()]
    }
}

/// Â of a point, 2/(3m), and of an angle, 1/(3I), of these bodies together.
fn approximate([a, b]: [usize; 2], inverse_mass: &[DVec3]) -> [f64; 2] {
    let [a, b] = [inverse_mass[a], if a == b { DVec3::ZERO } else { inverse_mass[b] }];
    [(a.x + a.y + b.x + b.y) / 3.0, (a.z + b.z) / 3.0]
}

/// The error of a row in m or rad, and what it is multiplied by to be that: a squared distance is divided by its gradient.
fn error(row: &Row) -> f64 {
    let along = || row.arms().map(|(_, j)| j.truncate().length_squared()).fold(0.0, f64::max).sqrt();
    match row.unit {
        Unit::SquareMetre if along() > 0.0 => row.g / along(),
        _ => row.g,
    }
}

impl YieldingLaw for Law {
    fn joint(&self, joint: &Joint, rows: &[Row], bodies: &Bodies<'_>, emit: &mut dyn FnMut(Yield)) {
        let Bodies { v, inverse_mass } = *bodies;
        let connects = matches!(joint.kind, JointKind::Hinge(_) | JointKind::Weld(_));
        let size: f64 = rows.iter().map(squared_error).sum();
        let whole = self.impedance(size.sqrt());
        for row in rows {
            let rates = [row.rate(v), row.k];
            emit(match row.unit {
                _ if !connects => {
                    self.row(self.impedance(error(row)), row.g, rates, row.mobility(inverse_mass))
                }
                Unit::Radian => {
                    // The row is sin(θ/2), with the gradient c = ½ cos(θ/2).
                    let (sin, cos) = libm::sincos(0.5 * row.g);
                    let [rate, turning] = rates;
                    let turned = turning - 0.5 * sin / cos * rate * rate;
                    let [_, mobility] = approximate([row.a, row.b], inverse_mass);
                    let mobility = 4.0 * mobility / (cos * cos);
                    self.row(whole, 2.0 * sin / cos, [rate, turned], mobility)
                }
                _ => self.row(whole, row.g, rates, approximate([row.a, row.b], inverse_mass)[0]),
            });
        }
    }

    fn velocity(&self, row: &Row, prescribed: Prescribed, bodies: &Bodies<'_>) -> Yield {
        let rate = row.rate(bodies.v);
        let reference = -self.damping * (rate - prescribed.value) + prescribed.rate - row.k;
        let own = self.row(self.impedance(0.0), 0.0, [0.0; 2], row.mobility(bodies.inverse_mass));
        Yield { bias: -rate - self.h * reference, ..own }
    }

    fn friction(&self, row: &Row, bodies: &Bodies<'_>) -> Yield {
        let rate = row.rate(bodies.v);
        let own = self.row(self.impedance(0.0), 0.0, [0.0; 2], row.mobility(bodies.inverse_mass));
        Yield { bias: self.h * self.damping * rate - rate, ..own }
    }

    fn limit(&self, touch: &Touch, bodies: &Bodies<'_>) -> Yield {
        let row = &touch.row;
        let d = self.impedance(row.g);
        self.row(d, row.g, [touch.approach, 0.0], row.mobility(bodies.inverse_mass))
    }

    fn contact(&self, touch: &Touch, round: bool, bodies: &Bodies<'_>) -> ContactYield {
        let row = &touch.row;
        let [point, _] = approximate([row.a, row.b], bodies.inverse_mass);
        let d = self.impedance(row.g);
        let copies = if round { 1.0 } else { self.points_across };
        let normal = self.row(d, row.g, [touch.approach, 0.0], point / copies);
        let (friction, rolling) = (touch.tangent.map_or(0.0, |own| own.friction), touch.rolling);
        let mu = if friction > 0.0 { friction } else { LEAST_FRICTION };
        // R of the pyramid's edges, or of the cone's normal row, and R_t.
        let (resistance, tangential, law) = if self.elliptic {
            (normal.resistance, normal.resistance / self.impratio, ContactLaw::Cone)
        } else {
            let edge = 2.0 * mu * mu / self.impratio * (1.0 + mu * mu) * normal.resistance;
            // Two edges across of three-dimensional friction, six with torsion and rolling.
            let across = if rolling > 0.0 { 6.0 } else { 2.0 };
            (edge, 0.5 * edge / (mu * mu), ContactLaw::Pyramid { across })
        };
        let along = |slip: f64, share: f64| Yield {
            bias: -slip + self.h * self.damping * slip + share,
            resistance: tangential,
        };
        let slip = touch.slip(bodies.v);
        let surface = touch.tangent.map_or(0.0, |own| own.speed);
        let turning = along(touch.spin(bodies.v), 0.0);
        let rolled = if rolling > 0.0 { mu * mu / (rolling * rolling) } else { 0.0 };
        let resistance = if friction > 0.0 || rolling > 0.0 { resistance } else { normal.resistance };
        ContactYield {
            normal: Yield { resistance, ..normal },
            held: resistance,
            tangential: [along(slip, surface), Yield { resistance: rolled * tangential, ..turning }],
            law,
        }
    }
}

/// The square of a row's error as a weld or hinge has it: of an angle sin²(θ/2).
fn squared_error(row: &Row) -> f64 {
    let own = if row.unit == Unit::Radian { libm::sin(0.5 * row.g) } else { row.g };
    own * own
}

fn largest_stable_step(values: &Values, _: Integrator) -> f64 {
    // x = d h/(d₁ τ): 4x + x²/ζ² < 4.
    let (time, ratio) = (values.of(&TIME_CONSTANT), values.of(&DAMPING_RATIO));
    let law = Law::new(values, 0.0);
    let share = law.impedance(0.0) / law.impedance[1];
    let most = 2.0 * ratio / (libm::hypot(ratio, 1.0) + ratio);
    let is_safe = values.of(&REFSAFE) == 0.0 && 0.5 * share <= most;
    if is_safe { f64::INFINITY } else { most * time / share }
}

fn stability_plane(_: &Values, h: f64) -> Option<[StabilityAxis; 2]> {
    let time = [0.1 * h, 100.0 * h];
    Some([
        (AxisQuantity::Parameter(&TIME_CONSTANT), time),
        (AxisQuantity::Parameter(&DAMPING_RATIO), [0.05, 20.0]),
    ])
}

fn remark(values: &Values, h: f64) -> Option<String> {
    let law = Law::new(values, h);
    let d = law.impedance(0.0);
    let resistance = (1.0 - d) / d;
    let raised = h > 0.5 * values.of(&TIME_CONSTANT) && values.of(&REFSAFE) == 0.0;
    let limit = if raised { format!(" (τ at {:.4} s, the limit)", 2.0 * h) } else { String::new() };
    let pyramid = if law.elliptic { "" } else { " times 1 + μ²" };
    Some(format!(
        "under a load of 1 m/s² a row alone sags by {:.3e} m{limit}, and friction creeps at {:.3e} m/s{pyramid}: R/(K d) and R_t/B, at \
         every time step",
        resistance / (law.stiffness * d),
        resistance / (law.impratio * law.damping),
    ))
}
