//! The summary of a run: largest errors, energies, work of the stabilization, and the published figures beside the
//! measured ones.

use super::extreme::{Extreme, add_optional};
use super::verdict::Verdict;
use crate::experiment::attempts::AttemptSummary;
use crate::experiment::diagnosis::apart::Apart;
use crate::experiment::diagnosis::blow_up::Bounds;
use crate::experiment::diagnosis::blow_up::by_phase;
use crate::experiment::diagnosis::gain::{Coarse, Corrected, Gain, GainJudge, Touching};
use crate::experiment::diagnosis::passages::Passages;
use crate::experiment::opened::words::name_of;
use crate::experiment::run::broken::Broken;
use crate::experiment::uniqueness::{Uniqueness, UniquenessSummary};
use crate::experiment::units::larger;
use crate::experiment::units::{joint_units, rate};
use crate::lcp::ACCEPTED;
use crate::method::Method;
use crate::model::BodyId;
use crate::model::joint::Unit;
use crate::peers;
use crate::report::{LARGEST_PHASE, LEFT_BY_NEWTON, StepReport, Work};
use crate::scene::{Beginning, BlowUp, Reference, Scene};
use driftlab_probe::format::Engine;
use serde::{Serialize, Serializer};

/// Energy at the start and at the end, J.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Energies {
    /// Kinetic and potential together at the start.
    pub initial: f64,
    /// Energy at the end, J.
    pub last: f64,
    /// Largest departure from the start.
    pub largest_drift: f64,
    /// The largest departure over the largest kinetic energy that the run has seen (the zero of potential
    /// energy means nothing); absent where nothing moved, or a number overflows.
    pub relative_drift: Option<f64>,
}

/// The figures of a whole run.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Name of the scene.
    pub scene: String,
    /// Scheme with its parameters, as the command line spells them.
    #[serde(serialize_with = "debug")]
    #[serde(rename = "stabilizer")]
    method: Method,
    /// The engine that made the steps, with its revision and settings, where it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<Engine>,
    /// Time step, s.
    pub time_step: f64,
    /// That small constraint errors grow at this time step by the scheme's closed form, and up to where they do not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unstable: Option<String>,
    /// Steps made.
    pub steps: u64,
    /// Simulation time at the end, s.
    pub time: f64,
    /// Largest |g| over the joint rows.
    pub joint_error: Extreme,
    /// Largest joint error before the scheme corrected positions.
    pub joint_error_before: Option<Extreme>,
    /// Largest overlap, m.
    pub contact_error: Extreme,
    /// Largest overlap before the scheme corrected positions, m.
    pub contact_error_before: Option<Extreme>,
    /// Largest |J v + c|.
    pub velocity_error: Extreme,
    /// Largest |N v − v₀(t)|; absent without non-holonomic constraints.
    pub nonholonomic_error: Option<Extreme>,
    /// Kinetic and potential energy, J.
    pub energy: Energies,
    /// Energy that the stabilization added over the run, J.
    pub correction_work: f64,
    /// Work of the applied forces over the run, J.
    pub applied_work: f64,
    /// Who else did which work over the run, and what of the change of the kinetic energy nobody did, J.
    #[serde(serialize_with = "by_name")]
    pub work: Work,
    /// Bodies.
    pub bodies: usize,
    /// Joints.
    pub joints: usize,
    /// Most contact points in the problem of a step.
    pub contacts: usize,
    /// Most scalar rows in a step.
    pub rows: usize,
    /// Most rows of a step that depended on the others.
    pub dependent_rows: usize,
    /// Steps with a problem that has no solution, or of which none was found; it is met with the least violation.
    pub infeasible_steps: u64,
    /// Steps with a problem that was met only nearly, or with a violation although nothing proves that it has no solution.
    pub unproved_steps: u64,
    /// Steps that a solver which promises 1e-9 of the problem's speed has solved only nearly: more is left, and no row
    /// is violated.
    #[serde(skip_serializing_if = "is_zero")]
    pub nearly_solved_steps: u64,
    /// Steps with an approximate solution, because the effort of `auto` was bounded.
    #[serde(skip_serializing_if = "is_zero")]
    pub approximate_steps: u64,
    /// The largest residual of an approximate solution as a share of its problem's speed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approximate_residual: Option<f64>,
    /// Steps in which a correction of positions was damped because it would have increased the errors.
    pub damped_steps: u64,
    /// Steps in which a correction left so much of its error that it was outside the region where Newton's method
    /// converges.
    pub unconverged_steps: u64,
    /// The largest share of its error that a correction left.
    pub correction_left: Option<f64>,
    /// Steps in which h did not resolve the fastest oscillation that joint forces impose on a body.
    pub unresolved_steps: u64,
    /// The largest phase h ω of a step, rad.
    pub fastest_phase: f64,
    /// Largest residual of a solve.
    pub residual: f64,
    /// Largest residual as a share of its problem's speed; absent under schemes that sweep.
    pub relative_residual: Option<f64>,
    /// Largest number of parts into which a step was divided.
    pub substeps: usize,
    /// Key of the solver that found the last step's solution.
    pub solver: &'static str,
    /// Keys of all solvers that found a step's solution, in the order in which they first did.
    pub solvers: Vec<&'static str>,
    /// Which solvers were tried on the steps' problems, and how each attempt ended.
    pub attempts: AttemptSummary,
    /// Which other solutions the steps' problems have; absent if this is not examined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uniqueness: Option<UniquenessSummary>,
    /// Steps that a solver which promises no residual has left above [`ACCEPTED`] of the problem's speed, whatever its
    /// tolerance. (The steps of [`Summary::unconverged_steps`] are those of corrections of positions, which any solver may make.)
    #[serde(skip_serializing_if = "is_zero")]
    pub unsolved_steps: u64,
    /// Where the run blew up, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blow_up: Option<BlowUp>,
    /// Energy that nothing in the scene or the time step explains, if there was any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub energy_gain: Option<Gain>,
    /// Energy above that of the start that corrections have added, if it is much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected: Option<Corrected>,
    /// Energy above that of the start that the length of the step explains, if it is much and no other is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coarse: Option<Coarse>,
    /// What has broken, in the order of time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub breaks: Vec<Broken>,
    /// Bodies that have passed through each other, if any did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passages: Option<Passages>,
    /// The largest errors of joints and limits, and the largest overlap, that are not small beside the scene.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub apart: Vec<Apart>,
    /// Published figures that concern this run.
    pub references: Vec<Verdict>,
    #[serde(skip)]
    units: Vec<Unit>,
    #[serde(skip)]
    targets: Vec<Reference>,
    #[serde(skip)]
    largest_kinetic: f64,
    #[serde(skip)]
    bounds: Bounds,
    #[serde(skip)]
    gains: GainJudge,
    /// How its bodies would touch.
    #[serde(skip)]
    touching: Touching,
    /// Whether the run began without errors that are to be corrected.
    #[serde(skip)]
    fits: bool,
    #[serde(skip)]
    names: Vec<(BodyId, String)>,
}

/// Serde asks for a reference.
fn is_zero(count: &u64) -> bool {
    *count == 0
}

fn debug<S: Serializer>(method: &Method, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{:?}", method.stabilizer))
}

/// The parts of a work by their names.
fn by_name<S: Serializer>(work: &Work, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(work.parts())
}

impl Summary {
    /// Starts with the figures of the initial state of a run by the scene's own method.
    pub fn new(scene: &Scene, initial: &StepReport) -> Self {
        Self::under(scene, &scene.settings.method, initial)
    }

    /// Starts with the figures of the initial state of a run by `method`.
    pub fn under(scene: &Scene, method: &Method, initial: &StepReport) -> Self {
        let (time, driven) = (initial.time, scene.interaction.is_some());
        let concerns = |target: &&Reference| target.concerns(&method.stabilizer);
        let targets: Vec<_> = scene.references.iter().filter(concerns).cloned().collect();
        let h = scene.settings.time_step;
        let bounds = Bounds::of(scene, initial, driven);
        let gains = GainJudge::new(&scene.world, initial, h);
        let mut summary = Self {
            touching: Touching::of(&scene.world, true),
            scene: scene.name.clone(),
            method: method.clone(),
            engine: peers::engine(method),
            time_step: h,
            unstable: method.instability(h).map(|text| text.to_string()),
            steps: 0,
            time,
            joint_error: Extreme::new(initial.joint_error, initial.joint_error_unit.symbol(), time),
            joint_error_before: None,
            contact_error: Extreme::new(initial.contact_error, "m", time),
            contact_error_before: None,
            velocity_error: Extreme::new(initial.velocity_error, rate(initial.velocity_error_unit), time),
            nonholonomic_error: (!scene.world.nonholonomic().is_empty())
                .then(|| Extreme::new(initial.nonholonomic_error, "m/s", time)),
            energy: Energies {
                initial: initial.total_energy(),
                last: initial.total_energy(),
                largest_drift: 0.0,
                relative_drift: None,
            },
            correction_work: 0.0,
            applied_work: 0.0,
            work: Work::default(),
            bodies: initial.bodies,
            joints: scene.world.joints().len(),
            contacts: initial.contacts,
            rows: initial.rows,
            dependent_rows: initial.dependent_rows,
            infeasible_steps: 0,
            unproved_steps: 0,
            nearly_solved_steps: 0,
            approximate_steps: 0,
            approximate_residual: None,
            damped_steps: 0,
            unconverged_steps: 0,
            correction_left: None,
            unresolved_steps: 0,
            fastest_phase: 0.0,
            residual: 0.0,
            relative_residual: None,
            substeps: 0,
            solver: initial.solver,
            solvers: Vec::new(),
            attempts: AttemptSummary::default(),
            uniqueness: None,
            unsolved_steps: 0,
            blow_up: scene.beginning.and_then(|beginning| beginning.blow_up),
            energy_gain: None,
            corrected: None,
            coarse: None,
            breaks: Vec::new(),
            passages: None,
            apart: Vec::new(),
            references: targets.iter().map(Verdict::unmeasured).collect(),
            units: joint_units(&scene.world),
            targets,
            largest_kinetic: initial.kinetic_energy,
            bounds,
            fits: bounds.fit(initial),
            gains: match &scene.beginning {
                Some(beginning) => gains.since_beginning(beginning),
                None => gains,
            },
            names: (scene.world.body_ids().iter()).map(|id| (*id, name_of(&scene.world, *id))).collect(),
        };
        summary.check_references(initial);
        summary
    }

    /// The method of the run.
    pub fn method(&self) -> &Method {
        &self.method
    }

    /// Whether something is wrong with the run for which another method or time step may be the remedy.
    pub fn is_doubtful(&self) -> bool {
        self.blow_up.is_some() || self.energy_gain.is_some() || self.pushed().is_some()
    }

    /// What corrections have added to a run whose start needed none: they push out what its steps have left too far
    /// apart; or, whatever the start, more than the scene can exchange by itself.
    pub fn pushed(&self) -> Option<&Corrected> {
        self.corrected.as_ref().filter(|corrected| self.fits || self.bounds.is_exceeded_by(corrected.added))
    }

    /// The work of the corrections of one step, J, if it is more than the scene can exchange by itself and was taken back in the
    /// same step, so that the energy at its end does not show it.
    pub fn pumped(&self) -> Option<f64> {
        let work = self.gains.work_of_a_step();
        (self.bounds.is_exceeded_by(work) && self.pushed().is_none()).then_some(work)
    }

    /// Where the run began, and what it has come to, for a save.
    pub fn beginning(&self) -> Beginning {
        Beginning { since: Some(self.gains.since()), blow_up: self.blow_up, ..self.bounds.beginning() }
    }

    /// The units in which the joints err.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// Whether bodies have touched.
    pub fn has_contacts(&self) -> bool {
        self.contacts > 0 || self.contact_error.largest != 0.0
    }

    /// How bodies have touched.
    pub fn touching(&self) -> Touching {
        if self.has_contacts() { self.touching } else { Touching::Nothing }
    }

    /// Takes in one step.
    pub fn add(&mut self, report: &StepReport) {
        let time = report.time;
        self.steps += 1;
        self.time = time;
        let unit = report.joint_error_unit.symbol();
        self.joint_error.add(report.joint_error, unit, time);
        add_optional(&mut self.joint_error_before, report.joint_error_before, unit, time);
        self.contact_error.add(report.contact_error, "m", time);
        add_optional(&mut self.contact_error_before, report.contact_error_before, "m", time);
        self.velocity_error.add(report.velocity_error, rate(report.velocity_error_unit), time);
        if let Some(extreme) = &mut self.nonholonomic_error {
            extreme.add(report.nonholonomic_error, "m/s", time);
        }
        self.correction_work += report.correction_work;
        self.applied_work += report.applied_work;
        self.work += report.work;
        self.contacts = self.contacts.max(report.contacts);
        self.rows = self.rows.max(report.rows);
        self.dependent_rows = self.dependent_rows.max(report.dependent_rows);
        self.infeasible_steps += u64::from(report.infeasible > 0);
        self.unproved_steps += u64::from(report.unproved > 0);
        self.approximate_steps += u64::from(report.approximate > 0);
        if let Some(left) = report.approximate_residual {
            self.approximate_residual =
                Some(self.approximate_residual.map_or(left, |most| larger(most, left)));
        }
        self.damped_steps += u64::from(report.damped_corrections > 0);
        if let Some(left) = report.correction_left {
            self.correction_left = Some(self.correction_left.map_or(left, |most| larger(most, left)));
            self.unconverged_steps += u64::from(left > LEFT_BY_NEWTON);
        }
        let phase = self.time_step * report.fastest_rate;
        self.fastest_phase = larger(self.fastest_phase, phase);
        self.unresolved_steps += u64::from(phase > LARGEST_PHASE);
        if let Some(share) = report.relative_residual {
            let exact = report.infeasible == 0 && report.approximate == 0;
            let left = exact && (share > ACCEPTED || share.is_nan());
            let steps =
                if self.sweeps() { &mut self.unsolved_steps } else { &mut self.nearly_solved_steps };
            *steps += u64::from(left);
            self.relative_residual = Some(self.relative_residual.map_or(share, |most| larger(most, share)));
        }
        self.substeps = self.substeps.max(report.substeps);
        Passages::add(&mut self.passages, report, &self.names);
        self.residual = larger(self.residual, report.residual);
        self.attempts.add(report);
        self.solver = report.solver;
        if !self.solvers.contains(&report.solver) {
            self.solvers.push(report.solver);
        }
        self.largest_kinetic = larger(self.largest_kinetic, report.kinetic_energy);
        let Energies { initial, last, largest_drift, relative_drift } = &mut self.energy;
        *last = report.total_energy();
        *largest_drift = larger(*largest_drift, (*last - *initial).abs());
        *relative_drift = Some(*largest_drift / self.largest_kinetic).filter(|share| share.is_finite());
        if self.blow_up.is_none() {
            Apart::add(&mut self.apart, self.bounds.apart(report));
            self.gains.add(report);
            self.energy_gain = self.gains.largest();
            let by_phase = || self.energy_gain.and_then(|_| by_phase(report, self.time_step));
            let by_method = || self.bounds.by_method(report, &self.gains, self.fits);
            self.blow_up = self.bounds.judge(report).or_else(by_phase).or_else(by_method);
            self.corrected = self.gains.corrected();
            self.coarse = self.gains.coarse();
        }
        self.check_references(report);
    }

    /// Takes in which other solutions the last step has ([`Run::uniqueness`](super::Run::uniqueness)).
    pub fn add_uniqueness(&mut self, found: &Uniqueness) {
        self.uniqueness.get_or_insert_default().add(found, self.time);
    }

    fn check_references(&mut self, report: &StepReport) {
        for (target, verdict) in self.targets.iter().zip(&mut self.references) {
            let value = target.quantity.of(report).filter(|_| target.covers(report.time));
            if let Some(value) = value {
                let measured = verdict.measured.map_or(value, |so_far| larger(so_far, value));
                verdict.measured = Some(measured);
                verdict.holds = Some(target.holds(measured));
            }
        }
    }
}
