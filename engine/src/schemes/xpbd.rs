//! Extended position based dynamics (XPBD): bodies move as if free, the constraints correct their poses one after another, and
//! their velocities follow from the change in position.
//!
//! ```text
//! per substep η = h/n, from (q₀, v₀):
//!   v ← v₀ + η M⁻¹F ,  q ← q₀ + η v                                                        predict
//!   each constraint once, g and J at the pose that the last one left, λ = 0 before:
//!     joint          Δλ = −(K + α̃)⁻¹(g + α̃ λ) ,     α̃ = α/η² ,    q ← q + M⁻¹JᵀΔλ         [eqs. 4 to 9]
//!     contact        the same with α = 0 and λ_n ≥ 0
//!     static friction  J_t(q − q₀) = 0 if that takes |λ_t| ≤ μ λ_n, else nothing            [section 3.5]
//!   v ← (q − q₀)/η
//!   the same again, 100 times at most, while jointed bodies collide and rows still change
//!   each contact with λ_n > 0, and with them joints, J v⁺ = 0, where jointed bodies collide:
//!     restitution    J_n v⁺ = −e J_n v₀ where that approaches faster than the threshold, else 0     [eq. 34]
//!     friction       J_t v⁺ = 0 within |p_t| ≤ μ p_n ,    p = λ/η + what these have added           [eq. 30]
//! ```
//!
//! The velocity (q − q₀)/η is kept up to date with each correction: the difference of large poses would lose digits. λ in kg m
//! (kg m²), λ/η an impulse in N s, α the compliance in m/N (rad/(N m)): a load F stretches a joint by α F. K = J M⁻¹Jᵀ of the one
//! constraint. With α = 0 it is projection with one Gauss–Seidel sweep.
//!
//! [Müller et al. 2020]. Departures are in the scheme's card (`departures` below).
//!
//! **Creep.** Inside the friction cone a loaded contact creeps, in the published algorithm as here: a box on a slope of tan θ = ½
//! with μ = 0.6 by 14 mm/s in substeps of 1/600 s, in a minimal program of the algorithm by 14 to 19 mm/s
//! (evidence/docs/engines.md).
//!
//! **Deep overlaps.** A deep overlap is pushed out within a substep by λ_n ≈ −φ/(η A_nn), many times the impact, and static
//! friction may hold as many times more. The velocity solve removes the push-out velocity without leaving energy (see
//! below).
//!
//! **Velocity constraints.** v⁺ is (q⁺ − q₀)/η, so that N v⁺ = v₀(t+η) is a demand on positions over the substep,
//!
//! ```text
//! C(q) = N (q − q₀) − η v₀(t+η) = 0 ,    Δλ = −(N M⁻¹Nᵀ)⁻¹ C ,    q ← q + M⁻¹NᵀΔλ ,
//! ```
//!
//! with N at the pose that the last constraint left. ∂C/∂q also holds (∂N/∂q)(q − q₀), of first order in η; the force of such a
//! constraint acts along Nᵀ [Lagrange–d'Alembert], and so does the correction. After it C = 0 holds for the N of before: N(q⁺)
//! differs by the turn of the correction, of second order in η like a substep's forces, and so does the error N(q⁺) v⁺ − v₀.
//! Springs, the grab and motors are rows of the position solve: λ = −η²k s − ηd J(q − q₀), within η²F_max, and J(q − q₀) = η ·
//! speed within η²F_max. Contacts are found once a step, within two steps of travel (`stages/constraints.rs`). The method's
//! solver plays no part; Poisson's restitution is refused.
//!
//! **Energy.** Each constraint is met once a substep, at the pose that the others have left: where several of them share a light
//! body, or a joint turns by a large part of a radian per substep, one visit is not the solution, and the energy of the rest is
//! not bounded. It is guaranteed that the rebound of a single body adds no energy: of a disk for e ≤ 1, of a box where Newton's
//! law itself, which may gain energy in an eccentric impact with friction [Kane & Levinson 1985], adds none. For joints there is
//! no guarantee: a weld of two bodies at thirty times their radii of gyration turns them by as many times the angle that its
//! error is worth, which a heavy body's impact makes large. 11 J become 1e27 J with 10 substeps of 0.26 ms; the run says that it
//! has blown up.
//!
//! **Residual**: the largest error of the last substep's position rows at its end, |g + α̃λ| or max(0, −φ), over η, or |N v⁺ −
//! v₀|, in m/s.
//!
//! **Work of the correction.** Over a substep the impulses λ/η change the energy by ½ (λ/η)ᵀJ (v⁺ + v₀), J where they acted. That
//! is η (λ/η)ᵀk, twice what an ideal joint loses by turning meanwhile (`stages/accounts.rs`), where g = 0 before
//! and after. For joints and limits the work of the correction is
//!
//! ```text
//! W = ½ (λ/η)ᵀ(J(q⁺) v⁺ + J(q₀) v₀)
//! ```
//!
//! as in the soft step: it is zero if both rates are zero, all of the energy if a stretched joint snaps back, half of the
//! loss in turning. With α > 0 a joint's elastic energy is in it. A contact that overlaps has its separating speed taken away
//! again (or rebounds), and its shift stays: the potential energy of that, η p J M⁻¹F for the impulse p < 0 that took the speed,
//! is W. Impacts and friction do no work of the correction. A substep of several passes has a J in each, and a shift
//! that the joints share: there
//!
//! ```text
//! W = ½ (Σ (Δλ/η)ᵀJ v⁺ + (λ/η)ᵀJ(q₀) v₀) − F (q⁺ − q₀ − η v⁺)
//! ```
//!
//! with the J at which each Δλ acted, over joints, limits and contacts that overlapped, and the last term where a contact did.
//!
//! **Impacts of jointed bodies.** A contact that is visited after a joint of the same body leaves that joint an error, which the
//! next substep turns into a velocity that no coefficient of restitution knows: a hinged bar that falls on a peg with e = 0 would
//! turn back at 0.63 of its speed. Where a contact pushes that has approached faster than the separation speed, and there are
//! joints, the position rows are therefore gone over until none changes by more than a thousandth of that speed, K |Δλ|/η, and
//! the velocity solve holds J v⁺ = 0 in rigid joints (in joints with compliance the J v⁺ of before), so that they pass on what
//! contacts receive, and leave no speed of their correction. Both end after 100 passes: long chains converge more slowly, and the
//! rest stays.
//!
//! **The velocity solve of contacts** takes one contact after the other, p_n ≥ 0 [Müller et al. 2020, eqs. 30 and 34,
//! in the other order]: friction is bounded by μ times the impulse after restitution. v* is the J_n v⁺ that restitution demands.
//!
//! **Energy.** From v₀, with the loads, the impulses of a contact change the energy by pᵀJ v⁺ − ½ pᵀA p. Where J_n v⁺ ≤ 0 at the
//! end, and friction opposes the slip that it leaves, p_t J_t v⁺ ≤ 0, both terms are losses. But an overlap is pushed out by many
//! times the impulse of the impact, and static friction may be as many times larger. When friction is reduced to μ p_n, its
//! change Δp_t leaves a separating speed A_nt Δp_t at the corner of a body that turns; and a corner that is pushed out turns the
//! body against another contact, which is pushed as much. Both would put in energy. Therefore, if a contact with p_n > 0
//! separates faster than v*, by more than `separation_speed`,
//!
//! - its normal impulse and its friction are found together: both rows at once, sticking or sliding with |p_t| = μ p_n; and
//! - the contacts are visited again, until none does, and impacts with e > 0 part at v* to a thousandth of their approach.
//!
//! The paper solves the velocities once: a box dropped at an angle, e = 0 and μ = 1.5, then gained up to 117 h Σ m g |v|.

use crate::constraint::Condition;
use crate::math::{largest, over};
use crate::method::{Origin, Scheme, SchemeInfo};
use crate::model::{Softness, World};
use crate::parameter::{Parameter, Values, integer, logarithmic};
use crate::report::StepError;
use crate::stages::constraints::GapTerm;
use crate::stages::motion::Motion;
use crate::stages::row_block::RowBlock;
use crate::stages::sequential_constraint::{MOST, SequentialConstraint, clamp_length};
use crate::stages::step_in_progress::{Stages, Step, in_substeps};
use crate::stages::sweeps::Sequence;
use glam::DVec3;

const COMPLIANCE: Parameter = logarithmic("compliance", "compliance", "α", "m/N", [0.0, 1e3], 0.0).meaning(
    "What a joint gives under a load of 1 N, or in rad under 1 N m; contacts and limits are rigid.",
);

const SUBSTEPS: Parameter = integer("substeps", "substeps", "n", [1.0, 1000.0], 10.0)
    .meaning("Substeps in a step, one sweep each. Müller et al. take 20 at 1/60 s in most scenes.");

const INFO: SchemeInfo = SchemeInfo {
    key: "xpbd",
    name: "XPBD",
    short: "XPBD",
    origin: Origin::Engines,
    synonyms: &["pbd", "position_based_dynamics"],
    equation: "Δλ = −(K + α̃)⁻¹(g + α̃ λ) ,  q ← q + M⁻¹JᵀΔλ ,  v⁺ = (q⁺ − q)/η",
    summary: "Moves the bodies onto the constraints one at a time and takes the velocity from the change in position; contacts \
              creep inside the friction cone.",
    source: "Müller, Macklin, Chentanez, Jeschke & Kim 2020; Macklin, Müller & Chentanez 2016",
    departures: &[
        "Müller et al. correct a joint along its error g; here the components of a hinge are solved together.",
        "Müller et al. bound static and dynamic friction apart, eq. 30 as printed without the step; here μ times the net normal impulse of \
         the substep bounds their sum.",
        "Müller et al. solve the velocities of contacts once, friction before restitution; here restitution comes first, and contacts that \
         part too fast, or not as fast as they rebound, are gone over again.",
        "Müller et al. visit each constraint once in a substep; here a substep in which jointed bodies collide is gone over until joints and \
         contacts agree (100 times at most), and joints pass on what contacts receive. A bar that falls on a peg with e = 0 would turn \
         back at 0.6 of its speed.",
        "Müller et al. hold friction by what one substep takes back, and so does this scheme: loaded contacts creep, a car with locked wheels \
         by 67 mm/s on a slope of 20°.",
    ],
    parameters: &[COMPLIANCE, SUBSTEPS],
    ..SchemeInfo::COMMON
};

pub(crate) static SCHEME: Scheme = Scheme { uses_solver: false, remark, ..Scheme::new(INFO, advance) };

fn advance(step: &mut Step<'_>) -> Result<(), StepError> {
    let [compliance, substeps] = [&COMPLIANCE, &SUBSTEPS].map(|own| step.values().of(own));
    let h = step.context.h / substeps;
    let soft = compliance / (h * h); // α̃ = α/η²
    in_substeps(
        step,
        GapTerm::Substeps,
        substeps as usize,
        |_| {},
        |step| {
            let Step { context, stages: Stages { motion, constraints, solve, sequence, .. }, .. } = step;
            let (world, contacts) = (context.world, &constraints.contacts);
            motion.kick(h); // v ← v₀ + η M⁻¹F
            let mean = std::mem::take(&mut motion.mean);
            motion.drift(context); // q ← q₀ + η v
            motion.mean = mean;
            for constraint in &mut sequence.constraints {
                (constraint.lambda, constraint.velocity_impulse) = ([0.0; MOST], 0.0);
                constraint.approach = constraint.start_rate[0]; // φ̇ of contacts from v₀
            }
            sequence.solve_springs(|spring| _ = spring.correct(world, soft, motion, context.h));
            let separation_speed = constraints.active.separation_speed;
            let mut impact = 0.0; // the fastest approach of a jointed body's contact that pushes, m/s
            let mut repeated = false;
            for pass in 0..IMPACT_PASSES {
                let mut missed = 0.0_f64;
                repeated = pass > 0;
                // Springs that the substep resolves have acted: joints and contacts answer to them.
                for constraint in
                    sequence.constraints.iter_mut().filter(|constraint| !constraint.is_resolved)
                {
                    if pass > 0 {
                        constraint.account_positions(context.h); // Jᵀλ with the J at which λ acted
                    }
                    constraint.evaluate(world, contacts, &motion.q, motion.clock);
                    let miss = constraint.correct(world, soft, motion, context.h); // Δλ = −(K + α̃)⁻¹(g + α̃ λ)
                    missed = missed.max((miss[0] + constraints.widest * miss[1]) / h);
                    if constraint.friction > 0.0 {
                        constraint.stick(motion, context.h);
                    }
                }
                solve.report.solver_iterations += 1;
                if pass == 0 {
                    impact = jointed_impact(&sequence.constraints, &motion.inverse_mass, separation_speed);
                }
                if !(impact > 0.0 && missed > UNMET * impact) {
                    break;
                }
            }
            motion.swing_back(context.h); // bodies on springs alone: q ← q₀ + ½η (v₀ + v⁺)
            // J_n v⁺ = −e J_n v₀ or 0; J_t v⁺ = 0 within |p_t| ≤ μ p_n
            let (Motion { inverse_mass, v, free_acceleration, .. }, all) =
                (&mut *motion, &mut sequence.constraints);
            for constraint in all.iter_mut() {
                constraint.lambda = constraint.lambda.map(|lambda| lambda / context.h); // impulses
                if constraint.source.is_joint() {
                    // A rigid joint leaves no speed of its correction; one with compliance stays as fast as it is.
                    constraint.bias = if soft > 0.0 {
                        constraint.block.rates(v).map(|rate| -rate)
                    } else {
                        [constraint.block.c, 0.0, 0.0]
                    };
                }
            }
            let load = |v: &[DVec3]| -> f64 {
                let bodies = v.iter().zip(free_acceleration.iter()).zip(inverse_mass.iter());
                bodies.filter(|(_, w)| w.x > 0.0).map(|((v, a), w)| over(*a * *v, *w).element_sum()).sum()
            };
            let pushed = if repeated { load(v) } else { 0.0 }; // F (q⁺ − q₀)/η
            let coupled = impact > 0.0;
            for _ in 0..if coupled { IMPACT_PASSES } else { MOST_PASSES } {
                all.iter_mut()
                    .for_each(|constraint| constraint.solve_velocity(inverse_mass, separation_speed, v));
                if coupled {
                    // J v⁺ = 0: joints pass on what contacts receive.
                    let joints = all.iter_mut().filter(|constraint| constraint.source.is_joint());
                    joints.for_each(|constraint| constraint.solve_rows(inverse_mass, v));
                }
                let is_unmet = |own: &SequentialConstraint| {
                    own.parts_too_fast(separation_speed, v)
                        || own.misses_rebound(coupled, separation_speed, v)
                };
                if !all.iter().any(is_unmet) {
                    break;
                }
            }
            let overlapped = || all.iter().filter(|own| own.source.is_contact() && own.start_gap < 0.0);
            if repeated && overlapped().next().is_some() {
                solve.report.correction_work += h * (load(v) - pushed); // −F (q⁺ − q₀ − η v⁺), a shift without speed
            }
            for own in overlapped().filter(|_| !repeated) {
                // The impulse that took away the speed of an overlap's correction.
                let taken = own.velocity_impulse.min(0.0);
                solve.report.correction_work += h * taken * own.block.rates(free_acceleration)[0];
            }
            sequence.account(); // Jᵀλ with the J at which λ acted
            sequence.evaluate(world, contacts, &motion.q, motion.clock); // g and J at q⁺
            let corrected = sequence.constraints.iter().filter(|own| repeated || !own.source.is_contact());
            let of_passes = SequentialConstraint::work_of_passes;
            let of = if repeated { of_passes } else { SequentialConstraint::work }; // once, of joints and limits
            let work = corrected.map(|constraint| of(constraint, &motion.v));
            solve.report.correction_work += work.sum::<f64>();
        },
    );
    let Step { stages: Stages { motion, constraints, solve, totals, sequence, .. }, .. } = step;
    let residual = position_residual(sequence, soft, h, &motion.v);
    sequence.finish(residual, constraints, totals, &mut solve.report);
    Ok(())
}

fn remark(values: &Values, h: f64) -> Option<String> {
    let compliance = values.of(&COMPLIANCE);
    let h = h / values.of(&SUBSTEPS);
    Some(match compliance {
        0.0 => "α = 0: rigid, as far as one sweep a substep goes".to_owned(),
        _ => format!(
            "α̃ = α/η² = {:.3e} kg⁻¹: heavier loads than {:.3e} kg feel rigid",
            compliance / (h * h),
            h * h / compliance
        ),
    })
}

/// q ← q + M⁻¹Jᵀx, and v ← v + M⁻¹Jᵀx/h, which keeps v the velocity (q − q₀)/h of a substep of h.
fn push(block: &RowBlock, x: [f64; MOST], motion: &mut Motion, h: f64) {
    let Motion { inverse_mass, q, v, .. } = motion;
    block.push(&x, inverse_mass, q);
    block.push(&x.map(|x| x / h), inverse_mass, v);
}

/// −J(q − q₀).
fn back(block: &RowBlock, motion: &Motion, h: f64) -> [f64; MOST] {
    block.rates(&motion.v).map(|rate| -h * rate)
}

/// The fastest approach, m/s, of a contact that pushes a body with a joint, faster than `threshold`; 0 if there is none.
fn jointed_impact(all: &[SequentialConstraint], inverse_mass: &[DVec3], threshold: f64) -> f64 {
    let moves = |body: usize| inverse_mass[body] != DVec3::ZERO;
    // The list begins with the joints.
    let joints = all.iter().take_while(|own| own.source.is_joint()).count();
    let holds = |joint: &SequentialConstraint, body: usize| joint.block.bodies().any(|own| own == body);
    let is_jointed = |contact: &SequentialConstraint| {
        let mut bodies = [contact.block.a, contact.block.b].into_iter().filter(|&body| moves(body));
        bodies.any(|body| all[..joints].iter().any(|own| holds(own, body)))
    };
    let impacts = all.iter().map(|own| (own.impact(threshold), own));
    impacts
        .filter(|(speed, own)| *speed > 0.0 && is_jointed(own))
        .fold(0.0, |most, (speed, _)| most.max(speed))
}

impl SequentialConstraint {
    /// Accounts for λ, kg m, of a position row in substeps of `h`, before the row is evaluated at another pose.
    fn account_positions(&mut self, h: f64) {
        self.lambda = self.lambda.map(|lambda| lambda / h);
        self.account();
        self.lambda = self.lambda.map(|lambda| lambda * h);
    }

    /// Solves the position row; `soft` is α̃. Returns by how much that has changed the row, K Δλ, the largest in m and in rad.
    fn correct(&mut self, world: &World, soft: f64, motion: &mut Motion, h: f64) -> [f64; 2] {
        let (g, lambda) = (self.block.g, self.lambda);
        let back = back(&self.block, motion, h);
        let most = self.source.most_force(world).map_or(f64::INFINITY, |force| h * h * force);
        let mut compliance = [0.0; MOST];
        let wanted: [f64; MOST] = match self.source.condition() {
            Condition::Position => {
                compliance = [soft; MOST];
                std::array::from_fn(|i| -(g[i] + soft * lambda[i]))
            }
            Condition::Velocity => std::array::from_fn(|i| back[i] - h * self.bias[i]),
            Condition::Speed => {
                compliance = self.compliance;
                std::array::from_fn(|i| back[i] - h * self.bias[i] - compliance[i] * lambda[i])
            }
            Condition::Compliant if self.is_resolved => {
                // λ/η = −(η k s + r ṡ⁺ + t ṡ) with ṡ⁺ = J (q − q₀)/η
                compliance = self.compliance;
                std::array::from_fn(|i| back[i] - h * self.bias[i] - compliance[i] * lambda[i])
            }
            Condition::Compliant => {
                let gains = self.block.units.map(|unit| {
                    let own = self.source.softness(world, unit).unwrap_or(Softness::NONE);
                    (h * h * own.stiffness, h * own.damping)
                });
                let (k, d) = gains[0];
                if k + d == 0.0 {
                    return [0.0; 2];
                }
                compliance = gains.map(|(k, d)| if k + d > 0.0 { 1.0 / (k + d) } else { f64::INFINITY });
                std::array::from_fn(|i| {
                    let (k, d) = gains[i];
                    if k + d > 0.0 { (d * back[i] - k * g[i] - lambda[i]) / (k + d) } else { 0.0 }
                })
            }
            Condition::Unilateral => [-g[0], 0.0, 0.0],
        };
        let x = self.block.solve(&motion.inverse_mass, &compliance, wanted);
        for (lambda, x) in self.lambda.iter_mut().zip(x).take(self.block.size) {
            *lambda += x;
        }
        if self.source.is_unilateral() && self.lambda[0] < 0.0 {
            self.lambda[0] = 0.0;
        }
        clamp_length(&mut self.lambda[..self.block.size], most);
        let change: [f64; MOST] = std::array::from_fn(|i| self.lambda[i] - lambda[i]);
        push(&self.block, change, motion, h);
        self.block.moves(&change, &motion.inverse_mass)
    }

    /// The speed of approach, m/s, if it is a contact that pushes and approaches faster than `threshold`; otherwise 0.
    fn impact(&self, threshold: f64) -> f64 {
        let pushes = self.may_rebound() && self.lambda[0] > 0.0;
        if pushes && self.approach < -threshold { -self.approach } else { 0.0 }
    }

    /// Applies static friction if it holds the contact within |λ_t| ≤ μ λ_n; otherwise no more than there is.
    fn stick(&mut self, motion: &mut Motion, h: f64) {
        let Motion { inverse_mass, q, v, .. } = motion;
        let x = self.slide.solve(inverse_mass, -h * self.slip(v));
        if (self.lambda[1] + x).abs() <= self.friction * self.lambda[0] {
            self.slide.push(x, inverse_mass, q);
            self.slide.push(x / h, inverse_mass, v);
            self.lambda[1] += x;
        }
    }
}

/// The residual, as the head of this file defines it, m/s; λ holds impulses here.
fn position_residual(sequence: &Sequence, soft: f64, h: f64, v: &[DVec3]) -> f64 {
    largest(sequence.constraints.iter().map(|constraint| match constraint.source.condition() {
        Condition::Position => {
            let rows = 0..constraint.block.size;
            largest(rows.map(|i| constraint.block.g[i] + soft * h * constraint.lambda[i])) / h
        }
        Condition::Velocity => {
            let rates = constraint.block.rates(v);
            largest((0..constraint.block.size).map(|i| rates[i] + constraint.bias[i]))
        }
        Condition::Unilateral if constraint.block.g[0] < 0.0 => constraint.block.g[0] / h,
        _ => 0.0,
    }))
}

/// Most passes over the contacts: a bound for piles, in which they converge slowly.
const MOST_PASSES: usize = 20;
/// Most passes over positions, and over velocities, of a substep in which jointed bodies collide.
const IMPACT_PASSES: usize = 100;
/// Share of an impact's speed by which a row may still be missed when the passes end.
const UNMET: f64 = 1e-3;

impl SequentialConstraint {
    /// Whether the velocity solve acts on it: a contact, or a limit that rebounds.
    fn may_rebound(&self) -> bool {
        self.source.is_contact() || self.source.is_limit() && self.restitution > 0.0
    }

    /// Solves restitution and friction, if it may rebound; λ holds impulses here.
    fn solve_velocity(&mut self, inverse_mass: &[DVec3], separation_speed: f64, v: &mut [DVec3]) {
        let mass = self.block.mass(0, 0, inverse_mass);
        if !(self.may_rebound() && self.lambda[0] > 0.0 && mass > 0.0) {
            return;
        }
        let change = ((self.target() - self.block.speeds(v)[0]) / mass).max(-self.lambda[0]);
        self.block.push(&[change, 0.0, 0.0], inverse_mass, v);
        self.lambda[0] += change;
        self.velocity_impulse += change;
        self.solve_friction(inverse_mass, v);
        if self.friction > 0.0 && self.parts_too_fast(separation_speed, v) {
            self.solve_velocity_jointly(inverse_mass, v);
        }
    }

    /// v*, the required J_n v⁺.
    fn target(&self) -> f64 {
        if self.approach < -self.rebound_speed { -self.restitution * self.approach } else { 0.0 }
    }

    /// Whether it is a contact that has an impulse although its bodies separate faster than v*, by more than `separation_speed`.
    fn parts_too_fast(&self, separation_speed: f64, v: &[DVec3]) -> bool {
        self.may_rebound()
            && self.lambda[0] > 0.0
            && self.block.speeds(v)[0] > self.target() + separation_speed
    }

    /// Whether it is an impact whose bodies do not part at v*, as far as [`UNMET`]: of all impacts if joints take part,
    /// otherwise of those that rebound.
    fn misses_rebound(&self, jointed: bool, separation_speed: f64, v: &[DVec3]) -> bool {
        let impact = self.impact(if jointed { separation_speed } else { self.rebound_speed });
        let missed = self.target() - self.block.speeds(v)[0];
        let counts = jointed || self.restitution > 0.0;
        counts && impact > 0.0 && missed.abs() > UNMET * impact
    }

    /// Solves normal impulse and friction at once: J_n v⁺ = v*, and J_t v⁺ = 0 or |p_t| = μ p_n against the slip; both are zero
    /// if the contact separates as fast without them.
    fn solve_velocity_jointly(&mut self, inverse_mass: &[DVec3], v: &mut [DVec3]) {
        let (normal, slide, friction) = (&self.block, &self.slide, self.friction);
        normal.push(&[-self.lambda[0], 0.0, 0.0], inverse_mass, v);
        slide.push(-self.lambda[1], inverse_mass, v);
        let (wanted, slip) = (self.target() - normal.rates(v)[0], self.slip(v));
        let [nn, tt] = [normal.mass(0, 0, inverse_mass), slide.mass(inverse_mass)];
        let nt = normal.coupling(slide.j, inverse_mass);
        let mut p = [0.0; 2];
        if wanted > 0.0 {
            // A p = (wanted, −slip)
            let determinant = nn * tt - nt * nt;
            let stick = [(wanted * tt + slip * nt) / determinant, -(slip * nn + wanted * nt) / determinant];
            // p_t = ±μ p_n, and the slip that it leaves has the opposite sign.
            let slides = |side: f64| {
                let p = wanted / (nn + side * friction * nt);
                let left = slip + (nt + side * friction * tt) * p;
                (p > 0.0 && side * left <= 0.0).then_some([p, side * friction * p])
            };
            let sticks = stick[1].abs() <= friction * stick[0];
            let found = if sticks { Some(stick) } else { slides(1.0).or_else(|| slides(-1.0)) };
            p = found.unwrap_or([wanted / nn, 0.0]);
        }
        normal.push(&[p[0], 0.0, 0.0], inverse_mass, v);
        slide.push(p[1], inverse_mass, v);
        self.velocity_impulse += p[0] - self.lambda[0];
        (self.lambda[0], self.lambda[1]) = (p[0], p[1]);
    }
}
