//! The soft step of Box2D 3.2.0 (TGS-soft): short substeps, one Gauss–Seidel sweep each over soft constraints, and a relax sweep
//! that removes the correction velocity.
//!
//! ```text
//! per substep η = h/n:
//!   v ← v + η M⁻¹F ,  warm start
//!   sweep with   Δλ = −K⁻¹(s_m J v + b) − s_i λ ,     b = s_m r g ,  at a contact at most the push speed
//!   q ← q + η v
//!   sweep with b = 0, s_m = 1, s_i = 0 at the new pose, and with friction                   (relax)
//! after the last: restitution, J v⁺ = −e J v of the step's start
//!
//! ω = 2π f ,   a = ω/(2ζ + ηω) = r ,   s_i = 1/(1 + ηω(2ζ + ηω)) ,   s_m = 1 − s_i
//! ```
//!
//! f in Hz, ζ the damping ratio; r in 1/s.
//!
//! **Joints and limits** have 60 Hz and ζ = 2, at most a quarter of the substeps' rate;
//!
//! **contacts** 30 Hz and ζ = 10, at most an eighth of that rate, and twice the frequency against a fixed body. This is the
//! implicit Euler step of a damped oscillator of frequency f between the two bodies: with k = ω²/K, d = 2ζω/K it is the spring
//! row of `model/spring.rs`, since c = 1/(η(ηk + d)) = K s_i/s_m. One such row alone, from rest, makes ġ⁺ = s_m(−r g) and g⁺ = (1
//! − s_m r η) g; relaxed, ġ = 0 afterwards, and the error decays like that for ever. Under a steady load F a row sags by K F/ω²,
//! relaxed or not and however short η: each biased sweep hands back s_i λ, which the spring has to hold. A body on one contact
//! below its centre has K = 1/m and sags by g/ω². A box of width w and height s on two corners has K = (1 + 3w²/(w² + s²))/m at
//! each, because a push there turns it, too, and half of the weight on each: it sags by ½(1 + 3w²/(w² + s²)) g/ω², 1.25 g/ω² if
//! it is a square. In a stack each contact carries what lies above it. Only f raises the accuracy, and η bounds f. A relaxed
//! substep removes s_m r η ≈ ω²η² of an error as η → 0: at a fixed f more substeps correct *more slowly*, at the rate ω²η.
//! Speculative contacts (φ > 0) have b = φ/η, rigid. Unrelaxed, friction is in the only sweep. Non-holonomic rows N v⁺ = v₀(t+η)
//! are rigid in both sweeps: without a position error to correct, s_i λ would only weaken the row. The relax sweep has N(q⁺), so
//! that a single one is kept to rounding; unrelaxed, N stays behind the pose by a substep.
//!
//! A contact keeps its anchors and its normal from step to step (`stages/anchors.rs`), without which high stacks sway until they
//! fall. λ starts from that of the last substep, and the order of the sweeps is that of `stages/colors.rs`. Both are
//! remembered or found by the step itself, so that it depends on the world alone.
//!
//! [Catto, Box2D 3.2.0: `b2_defaultWorldDef`, `b2MakeSoft`; Solver2D.] Departures are in the scheme's card (`departures` below).
//! The method's solver plays no part; the law of impact is Newton's, and Poisson's is refused.
//!
//! **Energy.** One constraint alone is stable at every f: an implicit spring loses energy. Several that share bodies are not: one
//! sweep is not their solution, and the rest of it is fed back by the next substep's s_i λ and r g. The linearised substep of a
//! chain of a weld and two hinges of 0.25 m disks has the spectral radius 0.993 at 300 Hz, η = 1.4e-4 s and unrelaxed, 1.11 at
//! the limit of 1811 Hz, where 3 kJ become 6e5 J in 10 s (`driftlab stability`). It is guaranteed that energy does not grow
//! where that map says 'stable'. **Work of the correction.** Over a substep the impulses of a joint do ½ λᵀ(J(q⁺) v⁺ + J(q) v),
//! nothing where both rates are zero; contacts and limits count while they overlap, without what an impact loses. Relaxed, it
//! is the net of both sweeps; unrelaxed, it also holds ½ η λᵀk, the turning of the joint, which is of first order in η.

use crate::constraint::Constraint;
use crate::method::linearisation::{AxisQuantity, Operation, StabilityAxis};
use crate::method::parametrizations::{
    CFM, ERP, HALF_LIFE, Language, erp_cfm, half_life, share_of, spring_of,
};
use crate::method::{Method, Origin, Remembered, Scheme, SchemeInfo};
use crate::model::{BodyKind, World};
use crate::parameter::{Parameter, Values, choice, integer, linear, logarithmic};
use crate::report::StepError;
use crate::stages::constraints::GapTerm;
use crate::stages::motion::Motion;
use crate::stages::recycling::{REMEMBERED, recall, remember};
use crate::stages::sequential_constraint::{MOST, SequentialConstraint};
use crate::stages::step_in_progress::{Stages, Step, in_substeps};
use crate::stages::sweeps::Sequence;
use std::f64::consts::{LN_2, TAU};

const HERTZ: Parameter = logarithmic("hertz", "joint frequency", "f", "Hz", [0.1, 1e6], 60.0)
    .meaning("Stiffness of joints and limits as a frequency; at most a quarter of the substeps' rate is used. Box2D 3.2.0: 60.");

const DAMPING_RATIO: Parameter = linear("damping_ratio", "joint damping ratio", "ζ", "", [0.0, 100.0], 2.0)
    .meaning("Damping of joints and limits, 1 is critical. Box2D 3.2.0: 2.");

const CONTACT_HERTZ: Parameter = logarithmic("contact_hertz", "contact frequency", "f_c", "Hz", [0.1, 1e6], 30.0)
    .meaning("Stiffness of contacts as a frequency, twice that against fixed bodies; at most an eighth of the substeps' rate is \
              used. Box2D 3.2.0: 30.");

const CONTACT_DAMPING_RATIO: Parameter =
    linear("contact_damping_ratio", "contact damping ratio", "ζ_c", "", [0.0, 100.0], 10.0)
        .meaning("Damping of contacts, 1 is critical. Box2D 3.2.0: 10.");

const PUSH_SPEED: Parameter = logarithmic("push_speed", "push speed", "v_p", "m/s", [0.0, 1e6], 3.0)
    .meaning("Largest speed that the sweep with bias gives an overlap to part. Box2D 3.2.0: 3, for bodies of 0.1 m to 10 m.");

const SUBSTEPS: Parameter = integer("substeps", "substeps", "n", [1.0, 1000.0], 4.0)
    .meaning("Substeps in a step, one sweep each. Box2D 3.2.0: 4.");

const RELAX: Parameter = choice("relax", "relax sweep", "", &["on", "off"]).meaning(
    "Whether a second sweep without bias takes the correction out of the velocity. Box2D 3.2.0: on.",
);

const SPECULATIVE_DISTANCE: Parameter = linear("speculative_distance", "speculative distance", "d_s", "m", [0.0, 1e6], 0.02)
    .meaning("Contacts are found within this distance, or within the active distance if that is larger. Box2D 3.2.0: 0.02, for \
              bodies of 0.1 m to 10 m.");

const RECYCLE_DISTANCE: Parameter = linear("recycle_distance", "recycling distance", "d", "m", [0.0, 1e6], 0.05)
    .meaning("A contact keeps its normal and anchors until its bodies have moved by this against each other; 0: it is found in every \
              step. Box2D 3.2.0: 0.05, for bodies of 0.1 m to 10 m.");

/// Range of fη, and of ζ of joints, in the stability map, η the length of a substep; the step uses no more than fη = 0.25.
const SHOWN_CYCLES: [f64; 2] = [1e-4, 1.0];
const SHOWN_RATIOS: [f64; 2] = [0.05, 20.0];

struct Parameters {
    /// f in Hz and ζ of joints and limits.
    joint: [f64; 2],
    /// f in Hz and ζ of contacts.
    contact: [f64; 2],
    /// Largest s_m b of a contact, m/s.
    push_speed: f64,
    substeps: usize,
    relaxes: bool,
    /// m
    speculative_distance: f64,
    recycle_distance: f64,
}

impl From<&Values> for Parameters {
    fn from(values: &Values) -> Self {
        Self {
            joint: [&HERTZ, &DAMPING_RATIO].map(|parameter| values.of(parameter)),
            contact: [&CONTACT_HERTZ, &CONTACT_DAMPING_RATIO].map(|parameter| values.of(parameter)),
            push_speed: values.of(&PUSH_SPEED),
            substeps: values.of(&SUBSTEPS) as usize,
            relaxes: values.of(&RELAX) == 0.0,
            speculative_distance: values.of(&SPECULATIVE_DISTANCE),
            recycle_distance: values.of(&RECYCLE_DISTANCE),
        }
    }
}

const INFO: SchemeInfo = SchemeInfo {
    key: "soft",
    name: "Soft step (Box2D 3.2.0)",
    short: "Soft, Box2D 3",
    origin: Origin::Engines,
    synonyms: &["tgs", "tgs_soft", "soft_step"],
    equation: "Δλ = −s_m K⁻¹(J v + r g) − s_i λ ,  then once more with g = 0",
    summary: "Short substeps, one sweep each over stiff damped springs in place of joints and contacts, then a \
              relax sweep that removes the correction velocity.",
    source: "Catto, Box2D 3.2.0; Solver2D (2024)",
    departures: &[
        "Box2D 3.2.0 keeps the anchors of two shapes together, and keeps them where the shapes have parted. Here each contact has its own, as \
         long as it is found.",
        "Box2D 3.2.0 stops fast bodies at fixed ones by their time of impact; here contacts of pairs that would pass through each \
         other are found before.",
        "Box2D 3.2.0 restores the points of a face one after the other, once, and so does this scheme: of the speed of a box that meets \
         an equal one flush with e = 1, 0.94 passes on, in both.",
        "Box2D 3.2.0 solves the angle of a weld apart from its point, and colours constraints as they come to be; here a joint is one \
         block, and every step colours all anew, joints first.",
    ],
    parameters: &[
        HERTZ,
        DAMPING_RATIO,
        SUBSTEPS,
        RELAX,
        CONTACT_HERTZ,
        CONTACT_DAMPING_RATIO,
        PUSH_SPEED,
        SPECULATIVE_DISTANCE,
        RECYCLE_DISTANCE,
    ],
    languages: &[
        Language {
            name: "ERP, CFM",
            meaning: "ODE's, per substep, of joints: Box2D's softness is ODE's implicit spring, b = (ERP/η) g and s_i/s_m = m CFM/η.",
            parameters: &[ERP, CFM, SUBSTEPS],
            in_files: false,
            to_native: |ours, h| {
                let [stiffness, damping] = spring_of([ours[0], ours[1]], h / ours[2]);
                let omega = stiffness.sqrt();
                vec![omega / TAU, 0.5 * damping / omega, ours[2]]
            },
            from_native: |native, h| {
                let omega = TAU * native[0];
                let [erp, cfm] = erp_cfm(omega * omega, 2.0 * native[1] * omega, h / native[2]);
                vec![erp, cfm, native[2]]
            },
        },
        Language {
            name: "half-life",
            meaning: "Time in which relaxed substeps halve the error of one joint alone, and the damping ratio.",
            parameters: &[HALF_LIFE, DAMPING_RATIO, SUBSTEPS],
            in_files: false,
            // A substep removes S = w²/(1 + 2ζw + w²), w = ηω; solved for w.
            to_native: |ours, h| {
                let (zeta, eta) = (ours[1], h / ours[2]);
                let taken = share_of(ours[0], eta);
                let w = (zeta * taken + (zeta * zeta * taken * taken + taken * (1.0 - taken)).sqrt())
                    / (1.0 - taken);
                vec![w / (TAU * eta), zeta, ours[2]]
            },
            from_native: |native, h| {
                let (zeta, eta) = (native[1], h / native[2]);
                let w = TAU * native[0] * eta;
                vec![half_life(w * w / (1.0 + 2.0 * zeta * w + w * w), eta), zeta, native[2]]
            },
        },
    ],
    ..SchemeInfo::COMMON
};

/// The right-hand side of the relax sweep, without bias: only an open contact may close.
fn relaxed(constraint: &SequentialConstraint, h: f64) -> ([f64; MOST], f64) {
    let travel = constraint.block.g[0] / h;
    let closes = constraint.source.is_unilateral() && travel > 0.0;
    ([if closes { travel } else { 0.0 }; MOST], 0.0)
}

pub(crate) static SCHEME: Scheme = Scheme {
    memory: Remembered { per_constraint: REMEMBERED, per_body: 0, per_world: 0 },
    uses_solver: false,
    operations,
    stability_plane,
    remark,
    ..Scheme::new(INFO, advance)
};

fn advance(step: &mut Step<'_>) -> Result<(), StepError> {
    let parameters = Parameters::from(step.values());
    let softened = parameters.softened(step.context.h);
    let Parameters { substeps, relaxes, recycle_distance, speculative_distance, .. } = parameters;
    let eta = step.context.h / substeps as f64;
    let begin = |step: &mut Step<'_>| {
        let memory = step.recalled();
        let Step { context, stages: Stages { motion, constraints, sequence, .. }, .. } = step;
        let contacts = &constraints.contacts;
        let Sequence { constraints: all, taken, .. } = &mut *sequence;
        recall(all, memory, (context.world, contacts, motion), (recycle_distance, eta), taken);
        sequence.order_by_color(contacts, &motion.inverse_mass);
    };
    in_substeps(step, GapTerm::Speculative(speculative_distance), substeps, begin, |step| {
        let Step { context, stages: Stages { motion, constraints, solve, sequence, .. }, .. } = step;
        let (world, h) = (context.world, context.h);
        motion.kick(h); // v ← v + η M⁻¹F
        sequence.pose_constraints(|constraint| Some(parameters.biased(softened, world, constraint, h))); // b = s_m r g
        sequence.warm_start(&motion.inverse_mass, &mut motion.v); // v ← v + M⁻¹Jᵀλ
        let Motion { inverse_mass, v, .. } = &mut *motion;
        sequence.solve_springs(|spring| spring.solve_rows(inverse_mass, v)); // J v + c λ + b = 0
        // Δλ = −K⁻¹(s_m J v + b) − s_i λ; friction is in the relax sweep, if there is one
        sequence.sweep(!relaxes, &motion.inverse_mass, &mut motion.v);
        solve.report.solver_iterations += 1;
        motion.drift(context); // q ← q + η v
        sequence.account(); // Jᵀλ with the J of before
        sequence.evaluate(world, &constraints.contacts, &motion.q, motion.clock); // g and J at the new pose
        if relaxes {
            // Stiff springs, grab and motors keep their right-hand sides, the other springs their impulses: they have acted over
            // the whole of η already.
            sequence.keep_springs();
            sequence.pose_constraints(|constraint| Some(relaxed(constraint, h)));
            sequence.sweep(true, &motion.inverse_mass, &mut motion.v); // b = 0, s_m = 1, s_i = 0
            solve.report.solver_iterations += 1;
        }
        solve.report.correction_work += sequence.work(&motion.v);
    });
    let Step {
        context, stages: Stages { motion, constraints, solve, totals, sequence, memory, .. }, ..
    } = step;
    let residual = sequence.residual(&motion.inverse_mass, &motion.v);
    // J v⁺ = −e J v by Newton's law, of bodies that met in this step [Box2D v3: `b2ApplyRestitution`].
    let Sequence { constraints: all, visits, .. } = &mut *sequence;
    for place in visits.iter().flat_map(|visit| visit.places.clone()) {
        let constraint = &mut all[place];
        let met = constraint.approach < -constraint.rebound_speed && constraint.total[0] > 0.0;
        if constraint.restitution > 0.0 && met {
            constraint.rebound(&motion.inverse_mass, &mut motion.v);
        }
    }
    remember(&sequence.constraints, memory, (context.world, &constraints.contacts), eta);
    sequence.finish(residual, constraints, totals, &mut solve.report);
    Ok(())
}

fn operations(method: &Method, h: f64) -> Vec<Operation> {
    let parameters = Parameters::from(&method.stabilizer.values);
    let Parameters { substeps, relaxes, .. } = parameters;
    vec![Operation::SoftSubsteps { oscillators: parameters.oscillators(h), count: substeps, relaxes }]
}

fn stability_plane(values: &Values, h: f64) -> Option<[StabilityAxis; 2]> {
    let Parameters { substeps, .. } = values.into();
    let hertz = SHOWN_CYCLES.map(|cycles| cycles * (substeps as f64 / h));
    let (frequency, damping) = (AxisQuantity::Parameter(&HERTZ), AxisQuantity::Parameter(&DAMPING_RATIO));
    Some([(frequency, hertz), (damping, SHOWN_RATIOS)])
}

fn remark(values: &Values, h: f64) -> Option<String> {
    let parameters = Parameters::from(values);
    let [joint, contact, _] = parameters.softened(h);
    let sags = parameters.oscillators(h).map(|[hertz, _]| STANDARD_GRAVITY / (TAU * hertz * TAU * hertz));
    let Parameters { substeps, joint: [hertz, _], .. } = parameters;
    let h = h / substeps as f64;
    let share = |(rate, softness): (f64, f64)| (1.0 - softness) * rate * h;
    let limited = hertz > JOINT_SHARE / h;
    let limit = if limited { format!(" (at {:.4} Hz, the limit)", JOINT_SHARE / h) } else { String::new() };
    let step = |share: f64| 100.0 * (1.0 - libm::pow(1.0 - share, substeps as f64));
    let half_life = |share: f64| -h * LN_2 / libm::log1p(-share);
    Some(format!(
        "mass scale {:.3}{limit}: a substep takes back {:.2} % of a joint's error at rest, a step {:.1} %, and {:.1} % of an overlap; such an \
         error halves in −η ln 2/ln(1 − s_m r η) = {:.3e} s in a joint and {:.3e} s in a contact; under 9.81 m/s² a row alone sags by \
         g/ω² = {:.3e} m in a joint, {:.3e} m in a contact and {:.3e} m in one with what is fixed (b2MakeSoft)",
        1.0 - joint.1,
        100.0 * share(joint),
        step(share(joint)),
        step(share(contact)),
        half_life(share(joint)),
        half_life(share(contact)),
        sags[0],
        sags[1],
        sags[2]
    ))
}

/// The load of the card's sentence, m/s².
const STANDARD_GRAVITY: f64 = 9.81;
/// Largest frequency of a joint in substep rates, and of a contact between bodies that move [Box2D 3.2.0].
const JOINT_SHARE: f64 = 0.25;
const CONTACT_SHARE: f64 = 0.125;
/// Factor by which a contact with a fixed body has a higher frequency [Box2D 3.2.0: `staticSoftness`].
const FIXED_FACTOR: f64 = 2.0;

/// r, 1/s, and s_i of a soft constraint in substeps of `h`, s.
fn soften([hertz, damping_ratio]: [f64; 2], h: f64) -> (f64, f64) {
    let omega = TAU * hertz;
    let damping = 2.0 * damping_ratio + h * omega;
    (omega / damping, 1.0 / (1.0 + h * omega * damping))
}

impl Parameters {
    /// f in Hz, within its bounds in the substeps of a step of `h`, s, and ζ of a joint or limit, of a contact, and of
    /// one with a fixed body.
    fn oscillators(&self, h: f64) -> [[f64; 2]; 3] {
        let (Self { joint, contact, .. }, h) = (self, h / self.substeps as f64);
        let hertz = contact[0].min(CONTACT_SHARE / h);
        [[joint[0].min(JOINT_SHARE / h), joint[1]], [hertz, contact[1]], [FIXED_FACTOR * hertz, contact[1]]]
    }

    /// r and s_i of these three in the substeps of a step of `h`, s.
    fn softened(&self, h: f64) -> [(f64, f64); 3] {
        self.oscillators(h).map(|own| soften(own, h / self.substeps as f64))
    }

    /// The right-hand side with the bias of the position error.
    fn biased(
        &self,
        [joint, contact, fixed]: [(f64, f64); 3],
        world: &World,
        constraint: &SequentialConstraint,
        h: f64,
    ) -> ([f64; MOST], f64) {
        let phi = constraint.block.g[0];
        if constraint.source.is_unilateral() && phi > 0.0 {
            return ([phi / h; MOST], 0.0);
        }
        let Constraint::Contact(_) = constraint.source else {
            let (rate, softness) = joint;
            return (constraint.block.g.map(|g| rate * g), softness);
        };
        let is_fixed = |body: usize| world.bodies()[body].kind() == BodyKind::Fixed;
        let against_fixed = constraint.block.bodies().any(is_fixed);
        let (rate, softness) = if against_fixed { fixed } else { contact };
        // s_m b is at most the push speed.
        ([(rate * phi).max(-self.push_speed / (1.0 - softness)); MOST], softness)
    }
}
