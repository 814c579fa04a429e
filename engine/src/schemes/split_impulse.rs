//! Split impulses: sequential impulses for the velocity, and for deep overlaps Baumgarte on a pseudo-velocity that is thrown
//! away, as in Bullet.
//!
//! ```text
//! v ← v + h M⁻¹F ,  warm start of contacts,  k sweeps over
//!     joints     J v⁺ + κ g = 0 ,                         κ = β/h
//!     contacts   0 ≤ J_n v⁺ + b ⊥ λ_n ≥ 0 ,               b = κ φ where −d ≤ φ < 0 , else 0
//!     friction   |λ_t| ≤ μ λ_n
//! u = M⁻¹Jᵀπ ,  k sweeps over  0 ≤ J_n u + κ φ ⊥ π_n ≥ 0  where φ < −d ,   u = 0 before
//! q ← q + h (v⁺ + u)
//! ```
//!
//! g, φ and J at the start of the step, β the share of the error that a step takes back (Bullet's `m_erp`, `m_erp2`), d the depth
//! in m up to which an overlap is corrected in the velocity, like joints and limits. Bodies pushed apart in the velocity keep
//! that velocity: two boxes that have overlapped leave each other at up to β d/h. Where φ > 0, b = φ/h; at an impact b = e φ̇
//! (Newton's law; Poisson's is refused). The word `split` for `joints` corrects joints and limits by u, too, J u + κ g = 0; with
//! d = 0 neither velocity nor momentum of a correction is left. Non-holonomic rows N v⁺ = v₀(t+h) are in the sweeps over v, not
//! in those over u: there is no g to correct.
//!
//! [Coumans, Bullet: `btContactSolverInfo`, `btSequentialImpulseConstraintSolver`: erp 0.2, 10 iterations, split threshold 4 cm,
//! warm start 0.85.] In each sweep joints come first, then all normal rows, then all of friction. Bullet sorts constraints and
//! contacts by their islands with a quicksort that reverses equal items, and then each half of them, and so on; they are visited
//! in this order. Departures are in the scheme's card (`departures` below). Linearised and converged, g⁺ = (1 − β) g + O(h²). The
//! method's solver plays no part. The work of the correction is what the impulses of joints and overlaps do in the velocity, ½
//! λᵀJ (v⁺ + v), and the potential energy that h u gains.

use crate::constraint::Constraint;
use crate::detect::Contact;
use crate::method::parametrizations::{HALF_LIFE, Language, half_life, share_of};
use crate::method::{Origin, Scheme, SchemeInfo};
use crate::parameter::{Parameter, Values, choice, integer, linear};
use crate::report::StepError;
use crate::stages::constraints::GapTerm;
use crate::stages::motion::Motion;
use crate::stages::sequential_constraint::{MOST, SequentialConstraint, SweepLaw};
use crate::stages::step_in_progress::{Stages, Step};
use crate::stages::sweeps::Sequence;
use glam::DVec3;

const ITERATIONS: Parameter = integer("iterations", "sweeps", "k", [1.0, 10_000.0], 10.0)
    .meaning("Sweeps over the velocities, and as many over the pseudo-velocities. Bullet: 10.");

const BETA: Parameter = linear("beta", "corrected share", "β", "", [0.0, 2.0], 0.2).meaning(
    "Share of the error that a step takes back: g⁺ = (1 − β) g, linearised. Bullet: 0.2 (m_erp, m_erp2).",
);

const SPLIT_DEPTH: Parameter = linear("split_depth", "split depth", "d", "m", [0.0, 1e6], 0.04).meaning(
    "Overlaps deeper than this are corrected by the pseudo-velocity, others in the velocity. Bullet: 0.04 \
              (m_splitImpulsePenetrationThreshold).",
);

const WARM_START: Parameter = linear("warm_start", "warm start", "w", "", [0.0, 1.0], 0.85)
    .meaning("Share of a contact's last impulses with which it starts; joints start from none. Bullet: 0.85 (m_warmstartingFactor).");

const JOINTS: Parameter = choice("joints", "joints corrected in", "", &["velocity", "split"])
    .meaning("Whether joints and limits are corrected in the velocity, or split like deep overlaps. Bullet: velocity.");

const INFO: SchemeInfo = SchemeInfo {
    key: "split_impulse",
    name: "Split impulses (Bullet)",
    short: "Split impulses",
    origin: Origin::Engines,
    synonyms: &["bullet", "split_impulses"],
    equation: "J v⁺ + β g/h = 0 ,  J u + β g/h = 0 ,  q⁺ = q + h (v⁺ + u)",
    summary: "Corrects deep overlaps by a pseudo-velocity that is thrown away, joints and shallow ones in the velocity.",
    source: "Coumans, Bullet Physics (split impulse)",
    departures: &[
        "Bullet keeps the contacts of boxes, up to 2 cm apart, at the places where they were found, and starts those of two spheres \
         from no impulse; here contacts are found anew in each step, within the contact tolerance, and start from their last impulses.",
        "Bullet solves the rows of a hinge one after the other, and sorts constraints by their islands; here a joint is one block, which \
         is met exactly at each visit, and all are sorted as one island.",
        "Bullet starts joints and motors from no impulse, and so does this scheme: ten sweeps do not hold a car with locked wheels on a \
         slope of 20°, which creeps down by 8 mm/s.",
        "Bullet's boxes have a collision margin of 4 cm inside their surface; here the surfaces are those of the scene.",
    ],
    parameters: &[ITERATIONS, BETA, SPLIT_DEPTH, WARM_START, JOINTS],
    languages: &[Language {
        name: "half-life",
        meaning: "Time in which converged sweeps halve the error, h ln 2/(−ln(1 − β)); 0 for β of 1 and above.",
        parameters: &[ITERATIONS, HALF_LIFE],
        in_files: false,
        to_native: |ours, h| vec![ours[0], share_of(ours[1], h)],
        from_native: |native, h| vec![native[0], half_life(native[1], h)],
    }],
    ..SchemeInfo::COMMON
};

pub(crate) static SCHEME: Scheme = Scheme { uses_solver: false, remark, ..Scheme::new(INFO, advance) };

fn advance(step: &mut Step<'_>) -> Result<(), StepError> {
    let [beta, depth, warm_start, joints] =
        [&BETA, &SPLIT_DEPTH, &WARM_START, &JOINTS].map(|own| step.values().of(own));
    let (sweeps, rate) = (step.values().of(&ITERATIONS) as usize, beta / step.context.h);
    // Whether the error of a constraint is corrected by the pseudo-velocity.
    let splits = |constraint: &SequentialConstraint| match constraint.source {
        Constraint::Contact(_) => constraint.block.g[0] < -depth,
        Constraint::Joint(_) => joints != 0.0,
        source => joints != 0.0 && source.is_unilateral() && constraint.block.g[0] < 0.0,
    };
    step.evaluate_unbiased(GapTerm::Touching); // g, J and k at q; φ, J_n and J_t of contacts; limits
    step.swing(); // springs of free bodies at q + ½h v
    let Step { context, stages: Stages { motion, constraints, solve, totals, sequence, .. }, .. } = step;
    let world = context.world;
    sequence.begin(context, constraints, motion, 1); // lists all constraints; λ of the last step
    sequence.note_start(&motion.v); // for the work in the report
    motion.kick(context.h); // v ← v + h M⁻¹F
    // J v⁺ + κ g = 0, 0 ≤ J_n v⁺ + b ⊥ λ_n ≥ 0
    sequence.pose_rigid(context, constraints, motion, |constraint| match constraint.source {
        Constraint::Contact(_) if constraint.block.g[0] > 0.0 => 1.0 / context.h,
        _ if splits(constraint) => 0.0,
        _ => rate,
    });
    sequence.sort_as_one_island(&constraints.contacts);
    for constraint in &mut sequence.constraints {
        let share = if constraint.source.is_contact() { warm_start } else { 0.0 };
        constraint.lambda = constraint.lambda.map(|lambda| share * lambda);
    }
    sequence.warm_start(&motion.inverse_mass, &mut motion.v); // v ← v + M⁻¹Jᵀλ
    // Δλ = −K⁻¹(J v + b), v ← v + M⁻¹JᵀΔλ, k times
    (0..sweeps).for_each(|_| sequence.sweep_by_kind(&motion.inverse_mass, &mut motion.v));
    solve.report.solver_iterations += sweeps;
    sequence.bank(); // Σλ, for the report and the next warm start
    let residual = sequence.residual(&motion.inverse_mass, &motion.v);
    solve.report.correction_work += sequence.work(&motion.v);
    sequence.finish(residual, constraints, totals, &mut solve.report);
    motion.undamp(); // corrections keep M
    let u = sequence.solve_pseudo_velocities(splits, rate, sweeps, motion); // J u + κ g = 0
    solve.report.solver_iterations += sweeps;
    motion.drift(context); // q ← q + h v⁺

    constraints.evaluate_positions(context, motion);
    constraints.note_errors_before(&mut solve.report);
    let energy = motion.potential_energy(world);
    for ((q, u), w) in motion.q.iter_mut().zip(u).zip(&motion.inverse_mass) {
        if w.x > 0.0 {
            *q += context.h * *u; // q ← q + h u: together q⁺ = q + h (v⁺ + u)
        }
    }
    solve.report.correction_work += motion.potential_energy(world) - energy;
    Ok(())
}

fn remark(values: &Values, h: f64) -> Option<String> {
    Some(match values.of(&BETA) {
        0.0 => "β = 0: nothing is corrected".to_owned(),
        b if b < 1.0 => format!(
            "decays to 1/e in {:.1} steps, like Baumgarte with α = {:.3} s⁻¹",
            -1.0 / libm::log1p(-b),
            b / h
        ),
        1.0 => "β = 1: the linearised error is gone after one step".to_owned(),
        b if b < 2.0 => format!("β = {b:.3}: overshoots, the error changes sign each step"),
        _ => "β = 2: on the stability limit".to_owned(),
    })
}

/// The order in which Bullet's quicksort leaves items whose keys are equal.
fn sort_equals<T>(items: &mut [T]) {
    if items.len() > 1 {
        items.reverse();
        let (all, half) = (items.len(), items.len() / 2);
        sort_equals(&mut items[..half]);
        sort_equals(&mut items[all - half..]);
    }
}

impl Sequence {
    /// Lists the constraints in the order of their visits: joints, all other constraints but contacts, contacts.
    fn sort_as_one_island(&mut self, contacts: &[Contact]) {
        self.group(contacts);
        let Self { constraints, manifolds, order, .. } = self;
        let is_joint = |place: &usize| constraints[*place].source.is_joint();
        let is_other = |place: &usize| !(is_joint(place) || constraints[*place].source.is_contact());
        order.clear();
        order.extend((0..constraints.len()).filter(is_joint));
        sort_equals(order);
        order.extend((0..constraints.len()).filter(is_other));
        sort_equals(manifolds);
        order.extend(manifolds.iter().flat_map(Clone::clone));
    }

    /// Visits all rows but those of friction once, then friction.
    fn sweep_by_kind(&mut self, inverse_mass: &[DVec3], v: &mut [DVec3]) {
        let Self { constraints, order, .. } = self;
        order.iter().for_each(|&place| constraints[place].solve_rows(inverse_mass, v));
        order.iter().for_each(|&place| constraints[place].solve_friction(inverse_mass, v));
    }

    /// u of J u + κ g = 0 in the rows that are split, from u = 0.
    fn solve_pseudo_velocities(
        &mut self,
        splits: impl Fn(&SequentialConstraint) -> bool,
        rate: f64,
        sweeps: usize,
        motion: &Motion,
    ) -> &[DVec3] {
        let Self { constraints, pseudo: u, .. } = self;
        for constraint in constraints.iter_mut() {
            constraint.lambda = [0.0; MOST];
            constraint.law = match constraint.source {
                _ if !splits(constraint) => SweepLaw::Idle,
                Constraint::Joint(_) => SweepLaw::Free,
                _ => SweepLaw::Push,
            };
            constraint.bias = constraint.block.g.map(|g| rate * g);
        }
        u.clear();
        u.resize(motion.v.len(), DVec3::ZERO);
        for _ in 0..sweeps {
            constraints.iter_mut().for_each(|constraint| constraint.solve_rows(&motion.inverse_mass, u));
        }
        u
    }
}
