//! Augmented vertex block descent (AVBD): each body in turn minimises the step's objective over its own pose, with constraint
//! forces held by multipliers and penalties that grow where errors remain.
//!
//! ```text
//! y = q + h v + h² M⁻¹F                                                                          [eq. 2]
//! λ ← λ (or α γ λ) ,   k ← γ k within its bounds ,   q⁻ = q ,   q ← q + h v + h² a w              start
//! n times:
//!   each body, from the last to the first:
//!     (M/h² + Σ k JᵀJ + G) Δq = −(M/h² (q − y) + Σ Jᵀ f) ,   q ← q + Δq                           [eqs. 4 to 6, 13, 17]
//!     f = k C + λ within its bounds ,   C = C(q) − α C(q⁻) ,   G = Σ |f| diag |∇²C|               [eqs. 14, 18; section 3.5]
//!   each row:  λ ← f ,   k ← min(k + β |C|, k_max) unless f is at a bound                         [eqs. 11, 12, 16]
//! v⁺ = (q − q⁻)/h
//! with post-stabilization α = 1 above, and then each body once more with α = 0, without v⁺
//! ```
//!
//! k in N/m, λ and f in N (of a row that is an angle see below), β in N/m², C in m. w is the share of the external acceleration a
//! that the last step has let the body follow, between 0 and 1 [VBD's adaptive start]. |∇²C| are the lengths of the columns of
//! the block of ∇²C at the body. Contacts and their friction are linear in the step (`stages/descent_contacts.rs`), with a
//! margin δ and anchors that stay while they stick. `stages/descent.rs` has the solve of a body and the accounts.
//!
//! [Giles, Diaz & Yuksel 2025], and the authors' code of two dimensions, which the default values are those of. Departures
//! are in the scheme's card (`departures` below).
//!
//! **Units.** β, both bounds of k, the margin and the sticking distance have units and no scale of the world in them: a world
//! scaled by a power of two gives other digits. A row that is an angle counts as |s_a + s_b|² times the angle, with the sides s
//! of the boxes around the joined bodies, and so its k and λ are in N/m³ and N/m.
//!
//! **Sag.** λ and k outlast the step, and only iterations change them. The first step knows of no load, and with k_min h² ≪ m a
//! body falls freely in it: an error grows as the load travels, until λ has grown. With post-stabilization λ is kept whole and
//! settles where C = 0: no sag is left, and a contact rests at the overlap δ. Without it every step takes back the share 1 − αγ
//! of λ, which the iterations win again by k Σ C: a load f leaves the errors of that. For one row on a mass m they are those of
//! the recursion
//!
//! ```text
//! x = (m y/h² + α k x⁻ − λ)/(m/h² + k) ,   λ ← λ + k (x − α x⁻) ,   k ← k + β |x − α x⁻|
//! ```
//!
//! A spring bears m g at the elongation m g/κ where its multiplier carries it, or its penalty has grown to κ; a stiffer one hangs
//! lower, by the penalty at which β Σ |C| makes up for what γ takes in each step.
//!
//! **In other words.** Without post-stabilization a converged step makes (m/h²)(q⁺ − y) = −(k (C(q⁺) − α C(q⁻)) + λ) of a row
//! alone, and with C linear in the step, C(q⁺) = C(q⁻) + h J v⁺,
//!
//! ```text
//! J v⁺ + ((1 − α)/h) C(q⁻) + (f − λ)/(k h) = 0
//! ```
//!
//! the row of ODE with ERP = 1 − α and CFM = 1/(k h), whatever m: of what load λ does not know yet. A frequency of k, √(k/m)/2π,
//! is that of one mass.
//!
//! **Decay.** The last solve of a step leaves λ = (m/h²)(y − x⁺), whatever k, and each iteration reduces what is left to t =
//! 1/(1 + k h²/m) of it. One row without load, of which k stays, is therefore linear in its last errors: with s = tⁿ
//!
//! ```text
//! without post-stabilization   x⁺ = α x + s [(1 − α) x + (1 + α γ)(x − x⁻) − α γ (x⁻ − x⁼)]
//!                              z³ − [α + s (2 − α + α γ)] z² + s (1 + 2 α γ) z − s α γ = 0
//! with it                      x⁺ = t (x + h v⁺) ,   h v⁺ = s (h v − λ h²/m) ,   z = t and s ± i √(s − s²)
//! ```
//!
//! Without it a stiff row, s → 0, keeps the share z = α of its error, less s (1 − α)² (1 − γ)/α; the other two roots have |z|² =
//! s γ to the same accuracy, and are the slower ones, an oscillation, in rows so soft that s > α²/γ: at n = 10 and α = γ = 0.99
//! where k h² < m/1000. With it a step leaves 1/(1 + k h²/m) of an error, of a stiff row m/(k h²), and √s of the speed. A
//! penalty that grows passes through these.
//!
//! **Creep.** A contact of flat shapes that sticks keeps the points that met, so that it does not creep inside the friction cone.
//!
//! **Stability.** A body's solve lowers the objective for the f of that moment, whatever h and k; no step is too long for one
//! constraint. There is no closed form for several.
//!
//! **Other kinds.** Motors and joint friction demand a travel, C = x(q) − x(q⁻) − h ẋ, within their largest force [the authors'
//! code], non-holonomic rows C = N(q)(q − q⁻) − h v₀(t + h); of both J is that at q, and α plays no part. Springs, soft joints,
//! suspensions, motors that hold a position and the grab are compliant rows of backward Euler (`stages/dual_row.rs`). Limits are
//! one-sided rows C = φ(q) − α min(φ(q⁻), 0). Rolling resistance is a row of the relative turn, |f| ≤ c_r |λ_n|. Impacts rebound
//! by Newton's law after the descent, one contact after the other. Poisson's law is refused.
//!
//! **Residual**: the larger one of the last iteration's |C|/h, over hard rows whose f is within its bounds, and |Δq|/h of its
//! bodies, in m/s.
//!
//! **Work of the correction.** With post-stabilization it is the potential energy that its pass adds. Without it, the impulses
//! Jᵀλ of joints do ½ Σ p·(v + v⁺), which for an ideal joint is the loss in turning, of first order in h; contacts that overlap
//! count where they add energy.

use crate::lcp::Trail;
use crate::method::parametrizations::{ERP, HALF_LIFE, Language, half_life, share_of};
use crate::method::{Origin, Remembered, Scheme, SchemeInfo};
use crate::parameter::{Parameter, Values, choice, integer, linear, logarithmic};
use crate::report::{Stage, StepError, tell};
use crate::stages::constraints::GapTerm;
use crate::stages::descent::Pass;
use crate::stages::dual_row::{PER_BODY, PER_CONSTRAINT, Rates};
use crate::stages::step_in_progress::{Stages, Step};
use glam::DVec3;
use std::f64::consts::TAU;

/// Name of the descent in reports, in place of the method's solver.
const SOLVER: &str = "block_descent";

const ITERATIONS: Parameter = integer("iterations", "iterations", "n", [1.0, 1000.0], 10.0).meaning(
    "Visits of every body, each followed by the update of the multipliers. Giles et al.: 4 to 10.",
);

const POST_STABILIZATION: Parameter =
    choice("post_stabilize", "post-stabilization", "", &["on", "off"]).meaning(
        "Whether errors of position are left to one more visit of every body behind the velocity, or reduced within the step by the \
         share 1 − α.",
    );

const ALPHA: Parameter = linear("alpha", "kept error", "α", "", [0.0, 1.0], 0.99)
    .meaning("Share of the error at the start of a step that the step leaves, without post-stabilization. Authors' code: 0.99.");

const BETA: Parameter = logarithmic("beta", "penalty growth", "β", "N/m²", [0.0, 1e12], 1e5).meaning(
    "By how much the penalty of a row grows per iteration and metre of its error. Giles et al.: 1 to 1000; authors' code: 1e5.",
);

const GAMMA: Parameter = linear("gamma", "kept penalty", "γ", "", [0.0, 1.0], 0.99)
    .meaning("Share of the penalties that a step takes over from the last one. Authors' code: 0.99.");

const LEAST_PENALTY: Parameter =
    logarithmic("least_penalty", "least penalty", "k_min", "N/m", [1e-12, 1e12], 1.0)
        .meaning("The penalty of a new row, and the least. Authors' code: 1, for bodies of 1 m and 1 kg.");

const MOST_PENALTY: Parameter =
    logarithmic("most_penalty", "largest penalty", "k_max", "N/m", [1e-12, 1e15], 1e9)
        .meaning("The largest penalty. Authors' code: 1e9.");

const MARGIN: Parameter = logarithmic("margin", "margin", "δ", "m", [0.0, 1e3], 5e-4)
    .meaning("The overlap at which contacts rest, so that they are found again. Authors' code: 5e-4, for bodies of 1 m.");

const STICK_DISTANCE: Parameter = logarithmic("stick_distance", "sticking distance", "d_s", "m", [0.0, 1e3], 0.01).meaning(
    "How far the two points of a contact may have drifted apart while it keeps them. Authors' code: 0.01, for bodies of 1 m.",
);

const COMPLIANT: Parameter = choice("compliant", "compliant rows", "", &["penalty", "multiplier"]).meaning(
    "Whether the penalty of a spring grows up to its stiffness κ [the authors' code], or its multiplier carries the force, with \
     the stiffness κ k/(κ + k) in the solve.",
);

const INFO: SchemeInfo = SchemeInfo {
    key: "avbd",
    name: "AVBD (Giles 2025)",
    short: "AVBD",
    origin: Origin::Engines,
    synonyms: &["vbd", "augmented_vertex_block_descent", "vertex_block_descent"],
    equation: "(M/h² + Σ k JᵀJ + G) Δq = −(M/h² (q − y) + Σ Jᵀ(k C + λ)) ,  λ ← k C + λ ,  k ← k + β |C|",
    summary: "Each body in turn finds its own pose against penalties that grow and multipliers that outlast the step; soft in the \
              first steps of a load, then without sag.",
    source: "Giles, Diaz & Yuksel 2025; Chen et al. 2024 (VBD)",
    departures: &[
        "β, the bounds of k, the margin and the sticking distance are absolute numbers with units, as in the authors' code: unlike the \
         other schemes this one gives other digits in a world scaled by a power of two.",
        "The authors' code visits bodies from the last to the first, and so does this scheme; on a graphics card they are visited in the \
         colours of a graph.",
        "The authors' code holds the angular velocity within 50 rad/s, which no force accounts for; here nothing does.",
        "The authors' code has no restitution; here impacts rebound by Newton's law after the descent, in as many sweeps over the contacts as there are iterations.",
        "The authors' code finds contacts where boxes overlap; here those of pairs that would pass through each other in a step are found \
         before, C = φ + J d, with a penalty of ten times their mass over h².",
        "The authors' code names the contacts of two boxes after the face with the least overlap, and loses λ and k where two faces take turns; \
         here a contact keeps them.",
        "The authors' code has boxes alone, takes the normal distance of a contact that sticks from its old anchors, and the levers, too; \
         here both are those of the points that meet at present, and round bodies keep no anchors, so that they roll.",
        "The authors' code breaks an overloaded joint within the iterations; here it breaks at the end of the step.",
    ],
    parameters: &[
        ITERATIONS,
        POST_STABILIZATION,
        BETA,
        ALPHA,
        GAMMA,
        LEAST_PENALTY,
        MOST_PENALTY,
        MARGIN,
        STICK_DISTANCE,
        COMPLIANT,
    ],
    languages: &[
        Language {
            name: "half-life",
            meaning: "Time in which an error halves without post-stabilization, h ln ½/ln α; exact where k h² is above the mass.",
            parameters: &[ITERATIONS, POST_STABILIZATION, BETA, HALF_LIFE, GAMMA],
            in_files: false,
            to_native: |ours, h| [&ours[..3], &[1.0 - share_of(ours[3], h), ours[4]]].concat(),
            from_native: |native, h| [&native[..3], &[half_life(1.0 - native[3], h), native[4]]].concat(),
        },
        Language {
            name: "ERP, CFM",
            meaning: "ODE's, without post-stabilization: a converged step has J v⁺ + (ERP/h) g + CFM (f − λ) = 0, with ERP = 1 − α and \
                      CFM = 1/(k h). Exact for any mass; CFM is that of the force beyond λ, until the step's end takes f over into λ.",
            parameters: &[ITERATIONS, POST_STABILIZATION, BETA, ERP, GAMMA, MOST_CFM, LEAST_CFM],
            in_files: false,
            to_native: |ours, h| {
                let penalties = [ours[5], ours[6]].map(|cfm| 1.0 / (cfm * h));
                [&ours[..3], &[1.0 - ours[3], ours[4]], &penalties].concat()
            },
            from_native: |native, h| {
                let cfm = [native[5], native[6]].map(|penalty| 1.0 / (penalty * h));
                [&native[..3], &[1.0 - native[3], native[4]], &cfm].concat()
            },
        },
        Language {
            name: "1/k",
            meaning: "XPBD's compliance: how far a row yields per newton beyond λ, at any mass. XPBD keeps its own, here it shrinks by β from \
                      iteration to iteration.",
            parameters: &[
                ITERATIONS,
                POST_STABILIZATION,
                BETA,
                ALPHA,
                GAMMA,
                MOST_COMPLIANCE,
                LEAST_COMPLIANCE,
            ],
            in_files: false,
            to_native: |ours, _| [&ours[..5], &[1.0 / ours[5], 1.0 / ours[6]]].concat(),
            from_native: |native, _| [&native[..5], &[1.0 / native[5], 1.0 / native[6]]].concat(),
        },
        Language {
            name: "Hz",
            meaning: "Erin Catto's, for soft constraints: the undamped frequency √(k/m)/2π, for an effective mass of 1 kg alone; √m times \
                      lower for m kg.",
            parameters: &[
                ITERATIONS,
                POST_STABILIZATION,
                BETA,
                ALPHA,
                GAMMA,
                LEAST_FREQUENCY,
                MOST_FREQUENCY,
            ],
            in_files: false,
            to_native: |ours, _| {
                [&ours[..5], &[ours[5], ours[6]].map(|hertz| (TAU * hertz).powi(2))].concat()
            },
            from_native: |native, _| {
                [&native[..5], &[native[5], native[6]].map(|k| k.sqrt() / TAU)].concat()
            },
        },
    ],
    ..SchemeInfo::COMMON
};

const MOST_CFM: Parameter =
    logarithmic("most_cfm", "largest softness", "CFM₁", "s/kg", [1e-15, 1e15], 60.0)
        .meaning("Constraint force mixing of a new row, 1/(k_min h).");

const LEAST_CFM: Parameter =
    logarithmic("least_cfm", "least softness", "CFM₂", "s/kg", [1e-15, 1e15], 6e-8)
        .meaning("Constraint force mixing of the stiffest row, 1/(k_max h).");

const MOST_COMPLIANCE: Parameter =
    logarithmic("most_compliance", "largest compliance", "1/k_min", "m/N", [1e-12, 1e12], 1.0)
        .meaning("Compliance of a new row.");

const LEAST_COMPLIANCE: Parameter =
    logarithmic("least_compliance", "least compliance", "1/k_max", "m/N", [1e-15, 1e12], 1e-9)
        .meaning("Compliance of the stiffest row.");

const LEAST_FREQUENCY: Parameter =
    logarithmic("least_frequency", "least frequency", "f₁", "Hz", [1e-7, 1e7], 0.16)
        .meaning("Undamped frequency of a new row on 1 kg, √k_min/2π.");

const MOST_FREQUENCY: Parameter =
    logarithmic("most_frequency", "largest frequency", "f₂", "Hz", [1e-7, 1e7], 5033.0)
        .meaning("Undamped frequency of the stiffest row on 1 kg, √k_max/2π.");

pub(crate) static SCHEME: Scheme = Scheme {
    memory: Remembered { per_constraint: PER_CONSTRAINT, per_body: PER_BODY, per_world: 0 },
    uses_solver: false,
    remark,
    ..Scheme::new(INFO, advance)
};

struct Parameters {
    iterations: usize,
    post_stabilizes: bool,
    alpha: f64,
    rates: Rates,
}

impl From<&Values> for Parameters {
    fn from(values: &Values) -> Self {
        let post_stabilizes = values.of(&POST_STABILIZATION) == 0.0;
        let [alpha, gamma] = [&ALPHA, &GAMMA].map(|own| values.of(own));
        let [least, most] = [&LEAST_PENALTY, &MOST_PENALTY].map(|own| values.of(own));
        let rates = Rates {
            beta: values.of(&BETA),
            penalties: [least.min(most), most],
            kept: [gamma, if post_stabilizes { 1.0 } else { alpha * gamma }],
            margin: values.of(&MARGIN),
            stick: values.of(&STICK_DISTANCE),
            compliant_multipliers: values.of(&COMPLIANT) == 1.0,
        };
        let alpha = if post_stabilizes { 1.0 } else { alpha };
        Self { iterations: values.of(&ITERATIONS) as usize, post_stabilizes, alpha, rates }
    }
}

fn advance(step: &mut Step<'_>) -> Result<(), StepError> {
    let Parameters { iterations, post_stabilizes, alpha, rates } = Parameters::from(step.values());
    step.evaluate(GapTerm::Touching);
    step.stages.constraints.rows.forget_state();
    let last = step.recalled();
    let Step {
        context, stages: Stages { motion, constraints, solve, totals, descent, memory, .. }, ..
    } = step;
    let (world, h) = (context.world, context.h);
    tell(constraints.observer, Stage::Solve);
    motion.before.clone_from(&motion.v);
    motion.kick(h); // v* = v + h M⁻¹F
    descent.begin(context, constraints, motion, rates, last);
    let started = world.body_ids().iter().zip(&motion.before).zip(&motion.free_acceleration);
    descent.start_at(started.zip(&motion.inverse_mass).map(|(((id, v), a), w)| {
        let moves = w.x > 0.0;
        let before = last.and_then(|last| last.of_body(*id)).filter(|_| moves);
        let followed = before.map_or(0.0, |before| followed(*v - DVec3::from_slice(before), *a, h));
        *v + h * followed * a.truncate().extend(0.0)
    }));
    let mut residual = 0.0;
    for iteration in 1..=iterations {
        let change = descent.solve_bodies(world, Pass { alpha, books: iteration == iterations });
        residual = descent.update_multipliers(world, alpha).max(change);
        solve.report.solver_iterations += 1;
    }
    motion.v.clone_from(&descent.u); // v⁺ = (q − q⁻)/h
    motion.drift(context);
    if post_stabilizes {
        let energy = motion.potential_energy(world);
        descent.solve_bodies(world, Pass { alpha: 0.0, books: false });
        descent.note_sticking();
        for ((q, u), v) in motion.q.iter_mut().zip(&descent.u).zip(&motion.v) {
            *q += h * (*u - *v);
        }
        solve.report.correction_work = motion.potential_energy(world) - energy;
    } else {
        solve.report.correction_work = descent.work_of_corrections(&motion.before, &motion.v);
    }
    descent.rebound(world, &motion.inverse_mass, &mut motion.v, iterations);
    for (id, v) in world.body_ids().iter().zip(&motion.before) {
        memory.push_body(*id, &v.to_array());
    }
    descent.finish((world, constraints), totals, memory, &mut solve.report);
    solve.report.residual = residual;
    solve.report.solver = SOLVER;
    solve.report.trail = Trail::of(SOLVER, iterations);
    Ok(())
}

/// w: the share of the external acceleration `a` along which the velocity has changed by `change` in the last step.
fn followed(change: DVec3, a: DVec3, h: f64) -> f64 {
    let (change, a) = (change.truncate(), a.truncate());
    let share = change.dot(a) / (h * a.length_squared());
    if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
}

fn remark(values: &Values, h: f64) -> Option<String> {
    let Parameters { rates: Rates { penalties: [least, most], .. }, .. } = values.into();
    Some(format!(
        "a new row carries masses well below k_min h² = {:.3e} kg at once, and no row more than k_max h² = {:.3e} kg before λ has grown",
        least * h * h,
        most * h * h
    ))
}
