//! Sequential impulses with nonlinear Gauss–Seidel position correction, as in Box2D 2.4.1.
//!
//! ```text
//! v ← v + h M⁻¹F ,  warm start,  k_v sweeps over  J v⁺ + c = 0 ,  0 ≤ J_n v⁺ + b ⊥ λ_n ≥ 0 ,  |λ_t| ≤ μ λ_n
//! q ← q + h v⁺
//! at most k_p sweeps, one constraint after another, each with g and J at the pose that the last one left:
//!   contact    q ← q − M⁻¹Jᵀ K⁻¹ C ,   C = β (φ + δ) between −C_max and 0
//!   limit      the same of an angle beyond its bound,   C = φ + δ_θ between −8° and 0
//!   joint      q ← q − M⁻¹Jᵀ K⁻¹ g ,   with a row φ = 0 of a slider beyond its bound
//! until a sweep finds every joint within δ and δ_θ, and every overlap within 3 δ
//! ```
//!
//! K = J M⁻¹Jᵀ of the one constraint; β and the iterations without unit, the slop δ and C_max in m, δ_θ in rad. The scheme is
//! post-stabilization solved inexactly: a correction leaves neither velocity nor momentum, and a fixed number of sweeps converges
//! the worse, the longer the chain and the heavier its load. b is 0 where bodies touch, φ/h where they may close, e φ̇ at an
//! impact (Newton's law; Poisson's is refused). Non-holonomic rows N v⁺ = v₀(t+h) are in the sweeps over the velocities; the
//! position sweeps do not contain them.
//!
//! **Order.** Joints are visited from the last of the file to the first, as the islands of 2.4 list them, contacts likewise. Of
//! one joint the motor comes first, then the limits, then its equations. All start from the impulses of the last step: a motor or
//! limit that started from none would sink under its load, by what the sweeps leave. The velocity sweeps have joints first and
//! contacts behind them, friction before the normal rows, and the two normal rows of a manifold as a block (`stages/sweeps.rs`);
//! the position sweeps have contacts first.
//!
//! [Catto, Box2D 2.4.1: `b2Island`, `b2ContactSolver`, `b2_common.h`]. Departures are in the scheme's card (`departures` below).
//! The method's solver plays no part. The work of the correction is the potential energy that the position sweeps gain.

use crate::constraint::Constraint;
use crate::method::{Origin, Scheme, SchemeInfo};
use crate::model::World;
use crate::model::joint::Unit;
use crate::parameter::{Parameter, Values, choice, integer, linear, logarithmic};
use crate::report::StepError;
use crate::stages::constraints::{Constraints, GapTerm};
use crate::stages::motion::Motion;
use crate::stages::sequential_constraint::{MOST, SequentialConstraint, clamp};
use crate::stages::step_in_progress::{Stages, Step};
use crate::stages::sweeps::Sequence;
use std::f64::consts::PI;

/// Overlaps within this number of slops end the position sweeps [Box2D 2.4.1: `b2ContactSolver`].
const SETTLED: f64 = 3.0;
/// Largest correction of an angle's limit in one visit, 8° [Box2D 2.4.1: `b2_maxAngularCorrection`].
const MAX_ANGULAR_CORRECTION: f64 = 8.0 * PI / 180.0;

const VELOCITY_ITERATIONS: Parameter =
    integer("velocity_iterations", "velocity sweeps", "k_v", [1.0, 10_000.0], 8.0)
        .meaning("Sweeps over the velocities. Box2D 2.4.1: 8.");

const POSITION_ITERATIONS: Parameter =
    integer("position_iterations", "position sweeps", "k_p", [0.0, 10_000.0], 3.0)
        .meaning("Most sweeps over the positions. Box2D 2.4.1: 3.");

const BETA: Parameter = linear("beta", "corrected share", "β", "", [0.0, 1.0], 0.2).meaning(
    "Share of an overlap that one visit corrects (joints are corrected in full). Box2D 2.4.1: 0.2.",
);

const SLOP: Parameter = linear("slop", "slop", "δ", "m", [0.0, 1.0], 0.005)
    .meaning("Overlap of contacts that is left alone, and error of joints at which the position sweeps end. Box2D 2.4.1: 0.005, for \
              bodies of 0.1 m to 10 m.");

const ANGULAR_SLOP: Parameter =
    linear("angular_slop", "angular slop", "δ_θ", "rad", [0.0, 1.0], 0.034_906_585_039_886_59)
        .meaning("Angle of joints and limits at which the position sweeps end. Box2D 2.4.1: 2°.");

const MAX_CORRECTION: Parameter =
    logarithmic("max_correction", "largest correction", "C_max", "m", [0.0, 1e6], 0.2).meaning(
        "Largest correction of an overlap in one visit. Box2D 2.4.1: 0.2, for bodies of 0.1 m to 10 m.",
    );

const BLOCK_SOLVER: Parameter = choice("block_solver", "block solver", "", &["on", "off"])
    .meaning("Whether the normal impulses of a two-point contact are found at once. Box2D 2.4.1: on.");

const INFO: SchemeInfo = SchemeInfo {
    key: "ngs",
    name: "Sequential impulses and NGS (Box2D 2.4.1)",
    short: "NGS, Box2D 2",
    origin: Origin::Engines,
    synonyms: &["box2d", "nonlinear_gauss_seidel"],
    equation: "k_v sweeps of J v⁺ = 0 ,  k_p sweeps of q ← q − M⁻¹Jᵀ K⁻¹ g",
    summary: "A fixed number of sweeps over the velocities, then some over the positions, one constraint at a time.",
    source: "Catto, Box2D 2.4.1; Solver2D (2024), PGS-NGS",
    departures: &[
        "Box2D 2.4.1 gives polygons a skin of 1 cm, so that they rest apart; here the surfaces are those of the scene, and bodies rest \
         one slop deep.",
        "Box2D 2.4.1 stops bodies by their time of impact with fixed ones; here an impact is found in the step after it, unless \
         active_travel is set.",
        "Box2D 2.4.1 lets no body move by more than 2 m or turn by more than 90° in a step; here no speed is bounded.",
        "Box2D 2.4.1 visits islands in the order in which its graph is walked; here the order is the file's, reversed.",
    ],
    parameters: &[
        VELOCITY_ITERATIONS,
        POSITION_ITERATIONS,
        BETA,
        SLOP,
        ANGULAR_SLOP,
        MAX_CORRECTION,
        BLOCK_SOLVER,
    ],
    ..SchemeInfo::COMMON
};

pub(crate) static SCHEME: Scheme = Scheme { uses_solver: false, remark, ..Scheme::new(INFO, advance) };

fn advance(step: &mut Step<'_>) -> Result<(), StepError> {
    let [velocity_sweeps, position_sweeps, block] =
        [&VELOCITY_ITERATIONS, &POSITION_ITERATIONS, &BLOCK_SOLVER].map(|own| step.values().of(own));
    let [beta, slop, angular_slop, max_correction] =
        [&BETA, &SLOP, &ANGULAR_SLOP, &MAX_CORRECTION].map(|own| step.values().of(own));
    let bounds = Bounds { beta, slop, angular_slop, max_correction };
    step.evaluate_unbiased(GapTerm::Touching); // g, J and k at q; φ, J_n and J_t of contacts; limits
    step.swing(); // springs of free bodies at q + ½h v
    let Step { context, stages: Stages { motion, constraints, solve, totals, sequence, .. }, .. } = step;
    let world = context.world;
    sequence.begin(context, constraints, motion, 1); // lists all constraints; λ of the last step
    sequence.group(&constraints.contacts); // manifolds of the block solver
    sequence.order_by_joint(true);
    motion.kick(context.h); // v ← v + h M⁻¹F
    sequence.pose_rigid(context, constraints, motion, |_| 0.0); // J v⁺ + c = 0, 0 ≤ J_n v⁺ + b ⊥ λ_n ≥ 0
    sequence.warm_start(&motion.inverse_mass, &mut motion.v); // v ← v + M⁻¹Jᵀλ
    for _ in 0..velocity_sweeps as usize {
        sweep_velocities(sequence, block == 0.0, motion); // Δλ = −K⁻¹(J v + b), v ← v + M⁻¹JᵀΔλ
        solve.report.solver_iterations += 1;
    }
    sequence.bank(); // Σλ, for the report and the next warm start
    let residual = sequence.residual(&motion.inverse_mass, &motion.v);
    sequence.finish(residual, constraints, totals, &mut solve.report);
    motion.drift(context); // q ← q + h v⁺

    motion.undamp(); // corrections keep M
    let energy = motion.potential_energy(world);
    constraints.evaluate_positions(context, motion); // g and φ at q + h v⁺; contacts found anew there
    constraints.note_errors_before(&mut solve.report);
    sequence.begin(context, constraints, motion, 1);
    sequence.group(&constraints.contacts);
    sequence.order_by_joint(true);
    for _ in 0..position_sweeps as usize {
        let met = sweep_positions(sequence, world, constraints, motion, &bounds); // q ← q − M⁻¹Jᵀ K⁻¹ g
        solve.report.solver_iterations += 1;
        if met {
            break;
        }
    }
    solve.report.correction_work += motion.potential_energy(world) - energy;
    Ok(())
}

fn remark(values: &Values, _: f64) -> Option<String> {
    let left = libm::pow(1.0 - values.of(&BETA), values.of(&POSITION_ITERATIONS));
    Some(format!("a step leaves {:.0} % of an overlap beyond the slop", 100.0 * left))
}

/// Makes one sweep over the velocities: joints with their motors and limits, all other constraints but contacts, contacts.
fn sweep_velocities(sequence: &mut Sequence, block: bool, motion: &mut Motion) {
    let Motion { inverse_mass, v, .. } = motion;
    let Sequence { constraints, order, .. } = sequence;
    for &place in order.iter() {
        if !constraints[place].source.is_contact() {
            constraints[place].solve(inverse_mass, v);
        }
    }
    for index in (0..sequence.manifolds.len()).rev() {
        sequence.solve_manifold(sequence.manifolds[index].clone(), block, inverse_mass, v);
    }
}

/// Makes one sweep over the positions: contacts, then joints with their limits; returns whether it found all of them met.
fn sweep_positions(
    sequence: &mut Sequence,
    world: &World,
    constraints: &Constraints,
    motion: &mut Motion,
    bounds: &Bounds,
) -> bool {
    let Motion { q, inverse_mass, clock, .. } = motion;
    let Sequence { constraints: all, manifolds, order, .. } = sequence;
    let mut met = true;
    // The limit that a joint's coordinate has passed, if it is a length: a row of the joint.
    let mut passed = None;
    let mut visit = |constraint: &mut SequentialConstraint| {
        constraint.evaluate(world, &constraints.contacts, q, *clock);
        if constraint.source.is_joint()
            && let Some(limit) = passed.take()
        {
            constraint.block.append(&limit);
        }
        let Some(wanted) = bounds.wanted(constraint, world) else {
            let block = constraint.block;
            passed = passed.or((constraint.source.is_limit() && block.g[0] <= 0.0).then_some(block));
            return;
        };
        met &= bounds.are_met(constraint, wanted);
        let x = constraint.block.solve(inverse_mass, &[0.0; MOST], wanted);
        constraint.block.push(&x, inverse_mass, q);
    };
    for manifold in manifolds.iter().rev() {
        all[manifold.clone()].iter_mut().for_each(&mut visit);
    }
    for &place in order.iter() {
        if all[place].source.place_in_joint().is_some() {
            visit(&mut all[place]);
        }
    }
    met
}

/// β, and the bounds of the position sweeps.
struct Bounds {
    beta: f64,
    slop: f64,
    angular_slop: f64,
    max_correction: f64,
}

impl Bounds {
    /// −C, the change of g that a visit makes; none of a motor and of a limit that is a length, which is a row of its
    /// joint, and of an angle within its limit.
    fn wanted(&self, constraint: &SequentialConstraint, world: &World) -> Option<[f64; MOST]> {
        let block = &constraint.block;
        let phi = block.g[0];
        let own = |c: f64| Some([-c, 0.0, 0.0]);
        match constraint.source {
            Constraint::Contact(_) => {
                own(clamp((self.beta * (phi + self.slop)).min(0.0), self.max_correction))
            }
            Constraint::Lower(joint) | Constraint::Upper(joint) if block.units[0] == Unit::Radian => {
                let range = world.joints()[joint].limits.map_or(f64::INFINITY, |[low, high]| high - low);
                match constraint.source {
                    // Bounds closer than this hold the angle at the lower one.
                    Constraint::Lower(_) if range < 2.0 * self.angular_slop => {
                        own(clamp(phi, MAX_ANGULAR_CORRECTION))
                    }
                    _ if range < 2.0 * self.angular_slop || phi > 0.0 => None,
                    _ => own(clamp((phi + self.angular_slop).min(0.0), MAX_ANGULAR_CORRECTION)),
                }
            }
            Constraint::Joint(_) => Some(block.g.map(|g| -g)),
            _ => None,
        }
    }

    /// Whether errors are so small before a visit that changes g by `wanted` that the sweeps may end.
    fn are_met(&self, constraint: &SequentialConstraint, wanted: [f64; MOST]) -> bool {
        match constraint.source {
            Constraint::Contact(_) => constraint.block.g[0] >= -SETTLED * self.slop,
            Constraint::Joint(_) => {
                let [length, angle] = constraint.block.misses();
                length <= self.slop && angle <= self.angular_slop
            }
            _ => wanted[0].abs() <= self.angular_slop,
        }
    }
}
