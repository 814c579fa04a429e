//! The mixed problem: rows of joints, non-holonomic constraints, springs, the grab, motors, contacts and limits, in
//! this order, each with the name of the constraint that it belongs to, and the solution.
//!
//! With a contact within reach, a limit or a motor, or if the chosen solver sweeps over equations, too, it is a mixed
//! complementarity problem, solved island by island. Equations alone, of joints, non-holonomic constraints, springs and
//! the grab, are one system, solved by one factorisation, which can be used again for other right-hand sides.

use super::constraints::Constraints;
use super::ledger::{Ledger, RowName};
use super::motion::{SolvedBy, StepContext};
use super::nonholonomic::prescribed;
use super::rolling::Rolls;
use super::terms::PosedProblem;
use crate::constraint::{Constraint, MotorRow, Row, Rows, Touch};
use crate::detect::Contact;
use crate::lcp::{Accuracy, Effort, Law, MixedOutcome, MixedProblem, MixedRow, MixedWorkspace, Solver};
use crate::model::nonholonomic::Prescribed;
use crate::model::{ContactId, Softness, World};
use crate::report::{Stage, StageObserver, StepError, tell};
use glam::DVec3;
use std::ops::Range;

/// How a problem is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Form {
    /// Island by island, by the chosen solver.
    #[default]
    Islands,
    /// As a system of equations. If they contradict each other, it is solved in the least-squares sense and counts as infeasible.
    System,
    /// As a system of equations that is a step of Newton's method: the caller judges it by the error that it leaves.
    Correction,
}

impl Form {
    /// This form if there are equations alone, and otherwise island by island: with a unilateral row, or a motor, which
    /// has no part in a correction. The solver `pgs` sweeps over equations, too.
    pub fn if_alone(self, constraints: &Constraints, context: &StepContext<'_>) -> Self {
        let touches = &constraints.touches;
        let alone = if self == Self::Correction { touches.all().is_empty() } else { touches.is_empty() };
        if alone && context.solver.factorises_equations() { self } else { Self::Islands }
    }
}

/// The friction of a contact: whether its direction is found or given.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slip {
    /// Friction acts against J_t v plus this.
    Free(f64),
    /// It slides: the direction of friction is given.
    Given {
        /// J_t v, m/s.
        rate: f64,
        /// J̇_t v + J_t v₀/h: friction acts against J_t a plus this if its direction is left free
        /// ([`Problem::solve_undirected`]), which stops the slip within the step.
        stop: f64,
    },
}

impl Slip {
    /// Friction against J_t v⁺ + τ J̇_t v, with τ = `lead`, s.
    pub fn at_end(touch: &Touch, lead: f64) -> Self {
        Self::Free(touch.beside_slip(lead))
    }
}

/// Copies of the mixed problems that are solved, if the workspace records them.
pub(crate) type Record = Option<Vec<PosedProblem>>;

/// A mixed problem with the memory to solve it.
#[derive(Debug, Default)]
pub(crate) struct Problem {
    /// Bodies and rows as posed.
    pub mixed: MixedProblem,
    form: Form,
    /// So many first rows are those of [`Rows::all`], in the same order.
    pub(super) plain: usize,
    /// The constraint of each of the other rows.
    pub(super) names: Vec<RowName>,
    /// The warm start, then the solution.
    pub lambda: Vec<f64>,
    /// The velocity, acceleration or correction that λ gives.
    pub v: Vec<DVec3>,
    pub workspace: MixedWorkspace,
    /// For each unilateral row in the problem, its index among all unilateral rows, and its row in the problem.
    pub touches: Vec<(usize, usize)>,
    /// Identities of the contacts that touches were found for; further touches are limits.
    pub contacts: Vec<ContactId>,
    /// Rows of contacts that rebound by Poisson's law, with what decompression adds to their right-hand side of
    /// compression. If there are any, it takes a second solve.
    pub push_outs: Vec<(usize, f64)>,
    /// Rows of contacts that rebound by Newton's law, each with the b that it has without that.
    pub rebounds: Vec<(usize, f64)>,
    /// Rows of rolling resistance.
    pub(super) rolls: Rolls,
    /// Rows of friction whose direction is given, each with the bias that stops the slip ([`Problem::solve_undirected`]).
    pub(super) slides: Vec<(usize, f64)>,
    /// Multipliers of compression, if decompression has followed.
    pub first: Vec<f64>,
    /// Δλ of another right-hand side, and the change W JᵀΔλ of v.
    response: Vec<f64>,
    moved: Vec<DVec3>,
    /// Who is told when it is solved.
    pub observer: Option<StageObserver>,
}

impl Problem {
    /// Begins a problem with the equations of the joints, the first of [`Rows::all`], whose right-hand side is `bias`,
    /// for bodies with W = `inverse_mass` and the velocity or acceleration `free`; bodies without an entry in `free` have v* = 0.
    pub fn begin(
        &mut self,
        form: Form,
        (inverse_mass, free): (&[DVec3], &[DVec3]),
        rows: &Rows,
        bias: impl Fn(&Row) -> f64,
    ) {
        self.form = form;
        let MixedProblem { inverse_mass: of_bodies, free: start, rows: posed, rounding, rests } =
            &mut self.mixed;
        of_bodies.clear();
        of_bodies.extend_from_slice(inverse_mass);
        start.clear();
        start.extend_from_slice(free);
        start.resize(inverse_mass.len(), DVec3::ZERO);
        (*rounding, *rests) = (0.0, false);
        let joints = rows.joints();
        posed.clear();
        let pose = |row: &Row| equation(row, bias(row), 0.0);
        match rows.hinges() {
            // Of two bodies: the place of others need not be copied.
            Some(_) => posed.extend(joints.iter().map(|row| MixedRow { further: None, ..pose(row) })),
            None => posed.extend(joints.iter().map(pose)),
        }
        self.plain = joints.len();
        self.lambda.clear();
        self.names.clear();
        self.touches.clear();
        self.contacts.clear();
        self.first.clear();
        self.push_outs.clear();
        self.rebounds.clear();
        self.slides.clear();
        self.rolls.clear();
    }

    /// Adds the equations of `rows`, the next of [`Rows::all`], with the right-hand side `bias`.
    pub fn pose_equations(&mut self, rows: &[Row], bias: impl Fn(&Row) -> f64) {
        self.plain += rows.len();
        self.mixed.rows.extend(rows.iter().map(|row| equation(row, bias(row), 0.0)));
    }

    /// Adds the non-holonomic rows of `world`; `bias(index, v₀, row)` is what the scheme adds to N v⁺ or N a, with v₀
    /// at the time `at`.
    pub fn pose_nonholonomic(
        &mut self,
        rows: &Rows,
        (world, at): (&World, f64),
        bias: impl Fn(usize, Prescribed, &Row) -> f64,
    ) {
        let rows = rows.nonholonomic();
        self.plain += rows.len();
        let posed = prescribed(world, at).zip(rows).enumerate();
        self.mixed.rows.extend(posed.map(|(index, (v0, row))| equation(row, bias(index, v0, row), 0.0)));
    }

    /// Adds the compliant rows, of springs and then of the grab; `own(index, row, softness)` is compliance and bias of
    /// each, `None` of one without a force.
    pub fn pose_soft(&mut self, rows: &Rows, own: impl Fn(usize, &Row, &Softness) -> Option<(f64, f64)>) {
        let idle = |row: &Row| match self.form {
            Form::Islands => {
                MixedRow { law: Law::Bounded { lower: 0.0, upper: 0.0 }, ..equation(row, 0.0, 0.0) }
            }
            // 1 λ = 0: it acts on nothing, and the pattern of A stays.
            _ => {
                let (ja, jb) = (DVec3::ZERO, DVec3::ZERO);
                MixedRow { ja, jb, further: None, ..equation(row, 0.0, 1.0) }
            }
        };
        let pose = |(index, (row, soft)): (usize, (&Row, &Softness))| match own(index, row, soft) {
            Some((compliance, b)) => equation(row, b, compliance),
            None => idle(row),
        };
        self.mixed.rows.extend(rows.soft().enumerate().map(pose));
        self.plain += rows.soft().len();
    }

    /// Adds the motors, whose force acts over `duration`; `own` gives compliance and bias of each.
    pub fn pose_motors(
        &mut self,
        motors: &[MotorRow],
        duration: f64,
        own: impl Fn(&MotorRow) -> (f64, f64),
    ) {
        self.mixed.rows.extend(motors.iter().map(|motor| {
            let most = motor.max_force * duration;
            let law = Law::Bounded { lower: -most, upper: most };
            let (compliance, bias) = own(motor);
            MixedRow { law, ..equation(&motor.row, bias, compliance) }
        }));
        self.names.extend((0..motors.len()).map(RowName::Motor));
    }

    /// Adds unilateral row number `index`; of a contact with friction, and rolling resistance against ω_b − ω_a + `spin`.
    pub fn pose_touch(&mut self, index: usize, touch: &Touch, bias: f64, slip: Slip, spin: f64) {
        let normal = self.mixed.rows.len();
        self.pose_unilateral(index, touch, bias, Law::Unilateral);
        if let Some(tangent) = touch.tangent.filter(|tangent| tangent.friction > 0.0) {
            let coefficient = tangent.friction;
            let (bias, law) = match slip {
                Slip::Free(bias) => (bias, Law::Friction { normal, coefficient }),
                Slip::Given { rate, stop } => {
                    self.slides.push((normal + 1, stop));
                    (0.0, Law::Sliding { normal, coefficient: -coefficient.copysign(rate) })
                }
            };
            self.names.push(RowName::Touch(index, 1));
            let row = equation(&touch.row, bias, 0.0);
            self.mixed.rows.push(MixedRow { ja: tangent.ta, jb: tangent.tb, law, ..row });
        }
        if touch.rolling > 0.0 {
            self.rolls.push(self.mixed.rows.len(), normal, touch.rolling);
            self.names.push(RowName::Touch(index, 2));
            let law = Law::Bounded { lower: 0.0, upper: 0.0 };
            let row = MixedRow { ja: -DVec3::Z, jb: DVec3::Z, ..equation(&touch.row, spin, 0.0) };
            self.mixed.rows.push(MixedRow { law, ..row });
        }
    }

    /// Adds unilateral row number `index` without friction, under this law.
    pub fn pose_unilateral(&mut self, index: usize, touch: &Touch, bias: f64, law: Law) {
        self.touches.push((index, self.mixed.rows.len()));
        self.names.push(RowName::Touch(index, 0));
        self.mixed.rows.push(MixedRow { law, ..equation(&touch.row, bias, 0.0) });
    }

    /// Gives every row the compliance Aᵢᵢ/κ.
    pub fn yield_by(&mut self, kappa: f64) {
        let MixedProblem { inverse_mass, rows, .. } = &mut self.mixed;
        for row in rows {
            row.compliance = 0.0;
            row.compliance = row.diagonal(inverse_mass) / kappa;
        }
    }

    /// Normal and tangential multiplier of every posed touch, by its index among all.
    pub fn touch_multipliers(&self) -> impl Iterator<Item = (usize, &[f64])> {
        self.touches.iter().map(|&(index, row)| (index, &self.lambda[self.rows_of_touch(row)]))
    }

    /// The rows of the touch whose normal row is `row`.
    fn rows_of_touch(&self, row: usize) -> Range<usize> {
        let next = self.mixed.rows.get(row + 1);
        row..row + 1 + usize::from(next.is_some_and(|next| next.law.normal().is_some()))
    }

    /// Starts λ from the world's impulses of joints and contacts, times `scale`; from zero in all other rows. A system of
    /// equations starts from zero, since its solution does not depend on the start. A contact's impulse is not
    /// rescaled if h has changed, since it is only a start. Where nothing has acted before, the effort is exact: what
    /// is left in the first step of a pile would remain in it.
    pub fn start_warm(&mut self, context: &StepContext<'_>, rows: &Rows, contacts: &[Contact], scale: f64) {
        let StepContext { world, h, .. } = *context;
        self.lambda.resize(self.mixed.rows.len(), 0.0);
        self.contacts.extend(contacts.iter().map(|contact| contact.id));
        if self.form != Form::Islands {
            // A factorisation needs no start.
            return;
        }
        for (lambda, force) in self.lambda[..rows.joints().len()].iter_mut().zip(Constraint::forces(world))
        {
            *lambda = scale * h * force;
        }
        let (known, mut last) = (world.contacts(), 0);
        for at in 0..self.touches.len() {
            let (index, row) = self.touches[at];
            let Some(contact) = contacts.get(index) else { break };
            // Most contacts follow the last one that was found.
            let near = (last..known.len()).take(2).find(|&at| known[at].id == contact.id);
            let found = near.or_else(|| known.binary_search_by_key(&contact.id, |state| state.id).ok());
            if let Some(found) = found {
                last = found + 1;
                let own = self.rows_of_touch(row);
                for (lambda, impulse) in self.lambda[own].iter_mut().zip(known[found].impulse) {
                    *lambda = scale * impulse;
                }
            }
        }
        if let SolvedBy::Scheme(..) = context.solver {
            self.start_drives(world, contacts.len(), scale * h);
        }
        if self.lambda.iter().all(|lambda| *lambda == 0.0) {
            self.workspace.effort = Effort::Exact;
        }
    }

    /// Starts motors and limits, which stand behind so many contacts, from `scale` times their forces of the last step: a solver
    /// that iterates would let them give way under a load in every step anew.
    fn start_drives(&mut self, world: &World, contacts: usize, scale: f64) {
        let (mut motors, mut limits) = (Constraint::speeds(world), Constraint::limits(world).enumerate());
        for (name, lambda) in self.names.iter().zip(&mut self.lambda[self.plain..]) {
            let own = match *name {
                RowName::Motor(_) => motors.next(),
                RowName::Touch(index, 0) if index >= contacts => {
                    limits.find(|(at, _)| at + contacts == index).map(|(_, own)| own)
                }
                _ => None,
            };
            if let Some(own) = own {
                *lambda = scale * own.force(world)[0];
            }
        }
    }

    /// Solves the problem: `lambda` is the warm start, or zero without one, and becomes the solution, `v` the velocity
    /// or acceleration with it.
    pub fn solve(&mut self, by: SolvedBy<'_>, record: &mut Record) -> Result<MixedOutcome, StepError> {
        tell(self.observer, Stage::Solve);
        let solved = match by {
            SolvedBy::Solver(solver) => self.solve_posed(solver, record),
            SolvedBy::Scheme(key, solve, _) if self.form == Form::Islands => {
                self.solve_by_scheme(key, solve)
            }
            SolvedBy::Scheme(..) => self.solve_posed(&Solver::default(), record),
        };
        tell(self.observer, Stage::Assembly);
        solved
    }

    /// Solves the problem as posed; with rolling resistance again until its bounds are those of the normal impulses found.
    fn solve_posed(&mut self, solver: &Solver, record: &mut Record) -> Result<MixedOutcome, StepError> {
        self.lambda.resize(self.mixed.rows.len(), 0.0);
        self.rolls.bound(&mut self.mixed.rows, &self.lambda);
        let mut outcome = self.solve_bounded(solver, record)?;
        while self.rolls.bind(&mut self.mixed.rows, &self.lambda, &mut outcome) {
            let next = self.solve_bounded(solver, record)?;
            outcome = MixedOutcome { iterations: outcome.iterations + next.iterations, ..next };
        }
        Ok(outcome)
    }

    fn solve_bounded(&mut self, solver: &Solver, record: &mut Record) -> Result<MixedOutcome, StepError> {
        let Self { mixed, lambda, v, workspace, .. } = self;
        match self.form {
            Form::Islands => {
                let yields = workspace.yields && solver.is_automatic();
                let warm = if yields || record.is_some() { lambda.clone() } else { Vec::new() };
                let posed = record.as_ref().map(|_| mixed.clone());
                let mut solved = solver.solve_mixed(mixed, lambda, v, workspace);
                if yields {
                    solved = solved.or_else(|error| self.solve_undirected(error, solver, &warm));
                }
                if let (Some(record), Some(problem)) = (record, posed) {
                    let attempts = solved.as_ref().ok().map(|outcome| outcome.trail.attempts().len());
                    record.push(PosedProblem { problem, warm, attempts });
                }
                Ok(solved?)
            }
            // The residual of a correction is not judged.
            form => {
                let judged = form == Form::System;
                let accuracy = if judged { Accuracy::Refined } else { Accuracy::Once };
                let solved = workspace.solve_system(mixed, accuracy, lambda, v);
                // A system is without factors only if its numbers are not finite.
                let mut outcome = solved.map_err(|_| StepError::Factorization)?;
                if judged && let Err(error) = workspace.judge_system(mixed, lambda, &mut outcome) {
                    if !(workspace.yields && solver.is_automatic()) {
                        return Err(error.into());
                    }
                    // The equations nearly contradict each other. The factors stay those of the system.
                    return Ok(solver.solve_mixed(mixed, lambda, v, workspace)?);
                }
                Ok(outcome)
            }
        }
    }

    /// Whether it is posed as a system, whose factors can be used again once it is solved.
    pub fn is_system(&self) -> bool {
        self.form != Form::Islands
    }

    /// Δλ of A Δλ = r with the factors of the system last solved, for `r` of its first rows and zero for the others, and ‖A Δλ −
    /// r‖∞.
    pub fn respond(&mut self, r: &mut Vec<f64>) -> (&[f64], f64) {
        r.resize(self.mixed.rows.len(), 0.0);
        let residual = self.workspace.solve_system_again(r, &mut self.response);
        (&self.response, residual)
    }

    /// The change of v that the part `r` of the right-hand side causes: `to_impulse` W Jᵀλ with A λ = r.
    pub fn moved_by(&mut self, r: &mut Vec<f64>, to_impulse: f64) -> &[DVec3] {
        self.respond(r);
        let Self { mixed, response, moved, .. } = self;
        moved.clear();
        moved.resize(mixed.inverse_mass.len(), DVec3::ZERO);
        for (row, lambda) in mixed.rows.iter().zip(response.iter()) {
            row.push(to_impulse * lambda, &mixed.inverse_mass, moved);
        }
        moved
    }

    /// Poses J v + (g/h − J v₀) for joints and touches, with g at the pose that the solution v₀ leads to: a step of
    /// Newton's method with the J as posed. λ stays as the warm start.
    pub fn linearise_at(&mut self, joints: &[Row], touches: &[Touch], h: f64) {
        let Self { mixed: MixedProblem { rows, .. }, v, touches: own, .. } = self;
        for (row, joint) in rows.iter_mut().zip(joints) {
            row.bias = joint.g / h - row.rate(v);
        }
        for &(index, row) in own.iter() {
            let row = &mut rows[row];
            row.bias = touches[index].row.g / h - row.rate(v);
        }
    }

    /// Adds `to_impulse` λ of all rows to the ledger, and lists the contacts there; `posed` if this is
    /// the problem of the dynamics, and not that of an impact or of a velocity correction beside it.
    pub fn write(&self, ledger: &mut Ledger, constraints: &Constraints, to_impulse: f64, posed: bool) {
        let Constraints { contacts, touches, .. } = constraints;
        let all = &self.mixed.rows;
        let rows = || all.iter().zip(&self.lambda);
        ledger.add_mixed(&all[..self.plain], &self.lambda, to_impulse); // multipliers += λ, on_bodies += Jᵀλ, by constraint
        let motors = self.names.iter().take_while(|name| matches!(name, RowName::Motor(_)));
        let first_motor = ledger.motors;
        let entries = &mut ledger.current_entries()[first_motor..];
        for ((_, entry), (row, lambda)) in motors.zip(entries).zip(rows().skip(self.plain)) {
            entry.add(0, to_impulse * lambda, row.ja, row.jb);
            entry.add_further(to_impulse * lambda, &row.further);
        }
        for &(index, row) in &self.touches {
            let own = self.rows_of_touch(row);
            let mut entry = ledger.unilateral(index, contacts, &touches.all()[index], posed);
            for (at, (row, lambda)) in rows().skip(own.start).take(own.len()).enumerate() {
                entry.add(at, to_impulse * lambda, [row.ja, row.jb], &row.further);
            }
        }
        for at in self.rolls.rows() {
            let Some(&RowName::Touch(index, own)) = self.names.get(at - self.plain) else { continue };
            let (row, lambda) = (&all[at], to_impulse * self.lambda[at]);
            let mut entry = ledger.unilateral(index, contacts, &touches.all()[index], posed);
            entry.add(own, lambda, [row.ja, row.jb], &row.further);
        }
    }

    /// The name of each row, in their order.
    pub fn names(&self) -> impl Iterator<Item = RowName> + '_ {
        (0..self.plain).map(RowName::Row).chain(self.names.iter().copied())
    }
}

fn equation(row: &Row, bias: f64, compliance: f64) -> MixedRow {
    let Row { a, b, ja, jb, further, .. } = *row;
    MixedRow { a, b, ja, jb, bias, compliance, law: Law::Equation, further }
}
