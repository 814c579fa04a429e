//! The impulses of all constraints of a step: what each row requires, the rows as one problem, and its solution.
//!
//! ```text
//! v* = v + h M⁻¹F ,   (A + C) λ = −(J v* + b) ,   v⁺ = v* + M⁻¹Jᵀλ
//!
//! joint              J v⁺ + b = 0
//! non-holonomic row  N v⁺ + b = 0 (see `nonholonomic.rs`)
//! spring, grab       J v⁺ + c λ + b = 0 (see `model/spring.rs`)
//! motor              |λ| ≤ h F_max against J v⁺ − speed, or J v⁺ + c λ + b of one that holds a position
//! joint's friction   |λ| ≤ h F_max against J v⁺
//! contact            0 ≤ J_n v⁺ + b ⊥ λ_n ≥ 0 ,  friction  |λ_t| ≤ μ λ_n against J_t v⁺
//! rolling resistance |λ_r| ≤ c_r λ_n against ω_b − ω_a; its bounds are those of the λ_n found, for which it is solved again
//! limit              as a contact without friction
//! ```
//!
//! [Cline & Pai 2003, eq. 8; Anitescu & Hart 2004, eq. 2.10; Trefny, eq. 10]. A = J M⁻¹Jᵀ; C holds the compliances of springs and
//! of the grab, zero for joints. b is the scheme's; `constraints.rs` says what it is for contacts that are not near or rebound.
//! `posed_problem.rs` writes the rows and solves them; `forces.rs` is the counterpart in forces.
//!
//! **The grab** pulls with F_max at most: where its rows would require a stronger pull, it pulls with F_max exactly, and the
//! problem is solved again without its rows.
//!
//! **Poisson's law** returns the impulses of the collision alone:
//!
//! ```text
//! collision       M (vᶜ − v) = Jᵀλ + J_nᵀ c_n + J_tᵀ c_t ,   J vᶜ = J v ,   0 ≤ J_n vᶜ + φ⁺/h ⊥ c_n ≥ 0 ,  |c_t| ≤ μ c_n
//! compression     the step's problem, in which colliding contacts stop:      0 ≤ J_n v′ ⊥ λ_n ≥ 0 ,  v′ its solution
//! decompression   v⁺ = the rest of the step's problem with                   0 ≤ J_n v⁺ + b ⊥ λ_n − e c_n ≥ 0
//! ```
//!
//! v is the velocity at the start of the step; φ⁺ = max(φ, 0) for contacts that do not collide, 0 for those that do,
//! and for near ones under a scheme whose row has no gap term; b =
//! min(scheme's b, 0).
//!
//! A collision takes no time, so that weight, springs and motors exert no impulse in it, and neither do the biases that bring a
//! constraint back to g = 0, nor the force that turns a joint. The multiplier of compression contains all of them, h F, γ φ/h, γ
//! g/h and h k: if it were returned, contacts would gain energy that no impact had. [Anitescu & Potra 1997] stop at the instant
//! of the impact, and their compression has v⁻ and no forces; here the impact happens within a step, so that its impulse c_n is
//! found by a problem of its own.
//!
//! **Energy.** Without friction λ_n of decompression minimises ½ λᵀA λ over λ_n ≥ e c_n, A the Delassus matrix of the contacts
//! with the joints held. c_n itself is such a λ where e ≤ 1, so that decompression returns at most ½ c_nᵀA c_n, the energy that
//! the collision took. A ball on the ground leaves at e times the speed of its approach, exactly as by Newton's law. The push-out
//! speed −b of an overlap is not added to the rebound: the contact leaves at the larger of the two.

use super::constraints::{Constraints, Demand, gap_beyond_rounding};
use super::ledger::Ledger;
use super::motion::{Motion, SolvedBy, StepContext};
use super::posed_problem::{Form, Problem, Record, Slip};
use super::rebound_energy::Rebounds;
use super::springs::soft_row;
use crate::constraint::{Row, Rows, Touch};
use crate::detect::Contact;
use crate::lcp::alternation::Alternation;
use crate::lcp::convex::Convex;
use crate::report::{StepError, StepReport};
use crate::rules::Restitution;
use glam::{DVec2, DVec3};

/// Memory of the solves of a step.
#[derive(Debug, Default)]
pub(crate) struct Solve {
    /// Impulses or forces, with v⁺ or a as its `v`. Each of the three problems keeps its own sparsity pattern from step to step.
    pub dynamics: Problem,
    /// Corrections of positions.
    pub positions: Problem,
    /// Impacts and corrections of velocities.
    pub velocities: Problem,
    /// The contacts that corrections of positions have pushed, in the order of their identities, each with Σλ, kg m.
    pub corrected: Vec<(Contact, f64)>,
    /// Copies of the mixed problems of the step, if the workspace records them.
    pub record: Record,
    /// The grab's pull in the dynamics, if it is at its limit.
    pull: Option<Pull>,
    /// The solver of convex problems (`convex_problem.rs`).
    pub convex: Convex,
    /// The solver that alternates equations and sweeps, of the dynamics and of corrections of positions.
    pub alternations: [Alternation; 2],
    /// Accelerations by given forces (`forces.rs`).
    pub driven: Vec<DVec3>,
    /// −g/h of the joints at another pose.
    errors: Vec<f64>,
    /// What the solves of the step have found, for its report.
    pub report: StepReport,
}

/// The pull of the grab at its limit, in place of its rows.
#[derive(Clone, Copy, Debug)]
struct Pull {
    /// Where the grab's two rows stand in `Rows::all`.
    start: usize,
    rows: [Row; 2],
    lambda: DVec2,
}

impl Solve {
    /// All three problems.
    pub fn problems(&mut self) -> [&mut Problem; 3] {
        [&mut self.dynamics, &mut self.positions, &mut self.velocities]
    }

    /// Solves for the impulses, from the velocity of `motion`. `bias` gives b of a joint's row, and of a contact's normal row; a
    /// contact that travels freely has φ/h instead, and one that rebounds the smaller of e φ̇ and that b. If the grab
    /// would pull harder than its limit, its rows are taken out of `constraints`.
    ///
    /// They act over `duration`, h or in the first half of RATTLE's step ½h, at whose end the rows hold. Impacts of
    /// that half rebound in the second, which knows the gaps at the end.
    pub fn impulses(
        &mut self,
        context: &StepContext<'_>,
        constraints: &mut Constraints,
        motion: &Motion,
        duration: f64,
        bias: impl Fn(&Row) -> f64,
    ) -> Result<(), StepError> {
        let (world, poisson) = (context.world, obeys_poisson(context));
        let halves = duration < context.h;
        // The time after the pose at which the rows of sticking contacts hold, s: J_t v⁺ + τ J̇_t v = 0.
        let lead = if halves { duration } else { 0.0 };
        let limit = world.grab.map_or(f64::INFINITY, |grab| grab.max_force * duration);
        self.within_pull(limit, constraints, motion, &motion.v, |solve, constraints, free| {
            let Constraints { rows, touches, active, swinging, .. } = constraints;
            let mut active = *active;
            active.rebounds &= !halves;
            let problem = &mut solve.dynamics;
            // Without contacts, limits and motors it is one system of equations; otherwise islands.
            let form = Form::System.if_alone(constraints, context);
            problem.begin(form, (&motion.inverse_mass, free), rows, |row| row.with_c(bias(row)));
            problem.mixed.rests = true; // in islands, velocities within rounding become zero; a system keeps v⁺
            problem.pose_nonholonomic(rows, (world, context.time + duration), |_, v0, row| {
                if halves { duration * row.k - v0.value } else { -v0.value }
            });
            problem.pose_soft(rows, |index, row, soft| {
                // RATTLE's half step is that of the implicit midpoint rule.
                let mobility = swinging.mobility(index).filter(|_| !halves);
                let before = mobility.map_or(0.0, |_| row.rate(&motion.before));
                soft_row((row, soft), mobility, before, duration)
            });
            let before = (!halves).then_some(&motion.before[..]);
            problem.pose_motors(touches.motors(), duration, |motor| {
                motor.demand(motor.mean_speed(world, context.time, context.h), duration, before)
            });
            for (index, touch) in touches.all().iter().enumerate() {
                let Some(demand) = active.demand(touch, context.h) else { continue };
                let b = match demand {
                    Demand::Scheme => bias(&Row { g: gap_beyond_rounding(touch, motion), ..touch.row }),
                    Demand::FreeTravel => touch.row.g / context.h,
                    Demand::Rebound(_) if poisson => {
                        problem.push_outs.push((problem.mixed.rows.len(), bias(&touch.row).min(0.0)));
                        0.0
                    }
                    Demand::Rebound(b) => {
                        let own = bias(&touch.row);
                        problem.rebounds.push((problem.mixed.rows.len(), touch.row.with_c(own)));
                        b.min(own)
                    }
                };
                problem.pose_touch(index, touch, touch.row.with_c(b), Slip::at_end(touch, lead), 0.0); // mostly τ = 0
            }
            let before = || {
                // The velocity before gravity and the other given forces have acted.
                let moved = motion.v.iter().zip(&motion.free_acceleration).zip(&motion.inverse_mass);
                moved.map(|((v, a), w)| if w.x > 0.0 { *v - duration * *a } else { *v }).collect()
            };
            let effort = solve.dynamics.workspace.effort; // exact after a start without impulses
            solve.solve_dynamics(context, constraints, motion, before, 1.0)?;
            let Self { dynamics, record, report, .. } = solve;
            Rebounds { problem: dynamics, free }.bound(effort, context.solver, (record, report))
        })
    }

    /// Solves from `free`, v* or a*; if the grab then pulls harder than `limit`, once more with the pull `limit` in place of its
    /// rows, which are taken out of `constraints`.
    pub fn within_pull(
        &mut self,
        limit: f64,
        constraints: &mut Constraints,
        motion: &Motion,
        free: &[DVec3],
        solve: impl Fn(&mut Self, &Constraints, &[DVec3]) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        solve(self, constraints, free)?;
        self.pull = self.pull_beyond(limit, constraints);
        let Some(Pull { rows, lambda, .. }) = self.pull else { return Ok(()) };
        let mut pulled = free.to_vec();
        for (row, lambda) in rows.iter().zip(lambda.to_array()) {
            row.push(lambda, &motion.inverse_mass, &mut pulled);
        }
        solve(self, constraints, &pulled)
    }

    /// Solves the dynamics as posed, from λ of the last step; in two phases if contacts rebound by Poisson's law, whose collision
    /// begins with the velocity `before()`. λ times `to_impulse` is an impulse: 1, or h where λ is a force.
    pub fn solve_dynamics(
        &mut self,
        context: &StepContext<'_>,
        constraints: &Constraints,
        motion: &Motion,
        before: impl Fn() -> Vec<DVec3>,
        to_impulse: f64,
    ) -> Result<(), StepError> {
        let Constraints { rows, touches, active, .. } = constraints;
        let Self { dynamics, velocities, record, report, .. } = self;
        // Islands start from λ of the last step; a factorisation needs no start.
        dynamics.start_warm(context, rows, &constraints.contacts, 1.0 / to_impulse);
        let mut collision = None;
        if !dynamics.push_outs.is_empty() {
            let bodies = (&motion.undamped[..], &before()[..]);
            let ask = |_: usize, touch: &Touch| {
                // A colliding contact stops, an open one may close.
                let stops = matches!(active.demand(touch, context.h)?, Demand::Rebound(_))
                    || active.is_instant() && active.is_near(touch);
                Some(touch.row.with_c(if stops { 0.0 } else { touch.row.g.max(0.0) / context.h }))
            };
            let by = (context.solver, &mut *record, &mut *report);
            collision = Some(collide(velocities, constraints, bodies, by, ask)?);
        }
        let returned = collision.map(|normal| {
            move |index: usize, _| {
                let touch = &touches.all()[index];
                let rebounds = matches!(active.demand(touch, context.h), Some(Demand::Rebound(_)));
                let impulse = if rebounds { touch.restitution * normal[index] } else { 0.0 };
                impulse / to_impulse
            }
        });
        let outcome = dynamics.solve_in_phases(context.solver, (record, report), returned)?;
        report.note(&outcome, dynamics.mixed.rows.len(), touches.contacts().len(), to_impulse);
        Ok(())
    }

    /// Solves the dynamics once more, after their right-hand sides have been changed; λ starts from the last solution.
    pub fn solve_again(
        &mut self,
        context: &StepContext<'_>,
        constraints: &Constraints,
    ) -> Result<(), StepError> {
        let Self { dynamics, record, report, .. } = self;
        let outcome = dynamics.solve(context.solver, record)?;
        report.note(&outcome, dynamics.mixed.rows.len(), constraints.touches.contacts().len(), 1.0);
        Ok(())
    }

    /// Δλ of A Δλ = −g/h with the factors of the dynamics, for joints at another pose; the right-hand side of all other rows is
    /// zero.
    pub fn newton_increment(&mut self, joints: &[Row], h: f64) -> &[f64] {
        let Self { dynamics, errors, report, .. } = self;
        errors.clear();
        errors.extend(joints.iter().map(|row| -row.g / h));
        let (change, residual) = dynamics.respond(errors);
        report.residual = residual;
        report.solver_iterations += 1;
        change
    }

    /// λ of springs and the grab in the dynamics, with the pull where it is at its limit.
    pub fn soft_multipliers(&self, rows: &Rows) -> impl Iterator<Item = f64> {
        (rows.equations().len()..rows.all().len()).map(|index| match self.pull {
            Some(Pull { start, lambda, .. }) if index >= start => lambda[index - start],
            _ => self.dynamics.lambda[index],
        })
    }

    /// Whether the grab pulls with its largest force.
    pub fn limited_pull(&self) -> bool {
        self.pull.is_some()
    }

    /// The pull `limit`, if the grab pulls harder; its rows are then taken out of `constraints`.
    fn pull_beyond(&self, limit: f64, constraints: &mut Constraints) -> Option<Pull> {
        let rows = &mut constraints.rows;
        let start = rows.grab_start().filter(|_| limit.is_finite())?;
        let &[x, y] = self.dynamics.lambda.get(start..start + 2)? else { return None };
        (libm::hypot(x, y) > limit).then(|| {
            let own = [rows.all()[start], rows.all()[start + 1]];
            // Against the elongation (s_x, s_y): towards the target.
            let direction = -DVec2::new(own[0].g, own[1].g).normalize_or_zero();
            let pull = Pull { start, rows: own, lambda: limit * direction };
            rows.release_grab();
            pull
        })
    }

    /// Adds `to_impulse` λ of the dynamics last solved to the ledger.
    pub fn write(&self, ledger: &mut Ledger, constraints: &Constraints, to_impulse: f64) {
        if let Some(Pull { start, rows, lambda }) = self.pull {
            for (at, (row, pull)) in rows.iter().zip([lambda.x, lambda.y]).enumerate() {
                ledger.add_row(start + at, row, to_impulse * pull);
            }
        }
        ledger.begin_contacts();
        self.dynamics.write(ledger, constraints, to_impulse, true);
    }
}

/// c_n of every unilateral row, by its index among all, N s: solves the collision of `bodies`, their M⁻¹ and velocities, at the
/// rows' present poses, in the memory of `problem`. `ask(index, touch)` is b of a unilateral row that takes part.
pub(crate) fn collide(
    problem: &mut Problem,
    constraints: &Constraints,
    (inverse_mass, v): (&[DVec3], &[DVec3]),
    (by, record, report): (SolvedBy<'_>, &mut Record, &mut StepReport),
    ask: impl Fn(usize, &Touch) -> Option<f64>,
) -> Result<Vec<f64>, StepError> {
    let Constraints { rows, touches, .. } = constraints;
    problem.begin(Form::Islands, (inverse_mass, v), rows, |row| -row.along(v));
    problem.pose_equations(rows.nonholonomic(), |row| -row.along(v));
    for (index, touch) in touches.all().iter().enumerate() {
        if let Some(b) = ask(index, touch) {
            problem.pose_touch(index, touch, b, Slip::at_end(touch, 0.0), 0.0);
        }
    }
    report.note_beside(&problem.solve(by, record)?);
    let mut normal = vec![0.0; touches.all().len()];
    for (index, lambda) in problem.touch_multipliers() {
        normal[index] = lambda[0];
    }
    Ok(normal)
}

/// Whether the method's impacts obey Poisson's law.
pub(crate) fn obeys_poisson(context: &StepContext<'_>) -> bool {
    context.contact.restitution == Restitution::AnitescuPotra
}
