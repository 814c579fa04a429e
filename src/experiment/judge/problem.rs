//! The problem of a step of a recording: its rows, posed by our engine at the state before the step, with the exact solution,
//! and by how much the impulses of the recording miss it row by row.
//!
//! ```text
//! A λ + b₀ = w ,     A = J M⁻¹ Jᵀ + diag(c)
//! ```
//!
//! The problem is that of the recording's own settings, or of the scheme that the caller names: b depends on it. The λ of a
//! joint are found from its impulses p = Jᵀλ by least squares in the metric of M⁻¹; those of a contact are its p_n and −p_t,
//! where our detection finds the same two bodies at the nearest point. Rows of which the recording tells nothing have none.

use super::fork::Fork;
use super::impulses::{Acting, Scenery};
use super::length_of_step;
use super::moment::{Moment, Sight};
use crate::experiment::opened::OpenedProblem;
use crate::experiment::recording::{Recording, RecordingProblem, Stretch};
use crate::experiment::run::Run;
use crate::lcp::MixedProblem;
use crate::method::{Level, Method};
use crate::model::{ContactId, World};
use crate::report::ConstraintId;
use driftlab_probe::format::{Moment as ContactsAt, Step};
use glam::{DVec2, DVec3};

/// The problem of a step, with both solutions.
#[derive(Clone, Debug)]
pub struct StepProblem {
    /// The problem with its exact solution.
    pub exact: OpenedProblem,
    /// The world before the step, of which its rows are.
    pub world: World,
    /// λ of the recording by row of the problem: N s (N m s), forces at the acceleration level; none where it is not told.
    pub theirs: Vec<Option<f64>>,
    /// w = A λ + b₀ of these λ, m/s or rad/s at the velocity level; λ that are not told count as 0.
    pub w: Vec<f64>,
    /// By how much each row's law is missed, in the unit of w.
    pub residual: Vec<f64>,
    /// Contacts of the recording with an impulse for which the problem has no row, and contact rows without a contact.
    pub unmatched: [usize; 2],
}

/// Why there is no problem to tell.
#[derive(Clone, Debug)]
pub enum NoProblem {
    /// A line cannot be read.
    Unread(Vec<RecordingProblem>),
    /// Our step fails, or its scheme poses no problem: in words.
    NotPosed(String),
}

impl StepProblem {
    /// The problem of the step at `place`, under `method`, or the recording's own.
    ///
    /// # Errors
    /// A line that cannot be read; a step that our engine cannot make.
    pub fn of(recording: &mut Recording, place: usize, method: Option<Method>) -> Result<Self, NoProblem> {
        let contacts_at = recording.contacts_at();
        let Fork { mut scene, .. } =
            Fork::at(recording, place.checked_sub(1)).map_err(NoProblem::Unread)?;
        let usual = recording.time_step();
        let (step, stretch) = recording.step(place).map_err(NoProblem::Unread)?;
        let mut before = stretch.clone();
        // The states before the step, with who is there in it.
        if before.first == place {
            scene.world = before.world.clone();
        } else {
            let states = scene.world.bodies().iter().zip(scene.world.body_ids());
            let states: Vec<_> = states.map(|(body, id)| (*id, body.pose, body.velocity)).collect();
            let _placed = before.world.place_bodies(&states);
            let _set = before.world.set_time(scene.world.time());
        }
        let mut after = before.clone();
        after.place(&step, None);
        let h = length_of_step(&step, scene.world.time(), usual);
        if h.is_nan() || h <= 0.0 {
            return Err(NoProblem::NotPosed("the step has no length".to_owned()));
        }
        scene.settings.set_time_step(h);
        let method = method.unwrap_or_else(|| scene.settings.method.clone()).at_step(h);
        let level = method.level;
        let mut run = Run::under(&scene, method, 1).recording_problems();
        if let Err(error) = run.advance() {
            return Err(NoProblem::NotPosed(crate::experiment::reason(&error, &scene.world)));
        }
        let Some(solved) = run.solved_problem() else {
            let why = "it has no rows, or its scheme brings its own solver";
            return Err(NoProblem::NotPosed(why.to_owned()));
        };
        let exact = OpenedProblem::new(solved);
        let mut own = Self {
            theirs: vec![None; exact.rows().len()],
            w: Vec::new(),
            residual: Vec::new(),
            unmatched: [0; 2],
            world: scene.world,
            exact,
        };
        // At the acceleration level the rows' λ are forces.
        let per = if level == Level::Acceleration { 1.0 / h } else { 1.0 };
        own.map_impulses([&before, &after], &step, contacts_at, run.world());
        own.theirs.iter_mut().flatten().for_each(|lambda| *lambda *= per);
        let lambda: Vec<f64> = own.theirs.iter().map(|own| own.unwrap_or_default()).collect();
        let problem = own.exact.problem();
        let mut v = Vec::new();
        problem.velocity(&lambda, &mut v);
        own.w = (0..lambda.len()).map(|row| problem.w(row, &v, &lambda)).collect();
        own.residual = (0..lambda.len()).map(|row| problem.row_residual(row, &v, &lambda)).collect();
        Ok(own)
    }

    fn map_impulses(
        &mut self,
        [before, after]: [&Stretch; 2],
        step: &Step,
        contacts_at: ContactsAt,
        world: &World,
    ) {
        let (mut begin, mut end, mut sight) = (Moment::default(), Moment::default(), Sight::default());
        begin.read(&before.world, true);
        end.read(&after.world, true);
        let (at, seen) = match contacts_at {
            ContactsAt::End => (&end, &after.world),
            ContactsAt::Begin => (&begin, &before.world),
        };
        sight.look(seen, at, 0.0);
        let scenery = Scenery { stretch: before, begin: &begin, contacts_at: at, sight: &sight };
        let acting = scenery.acting(step);
        self.map_joints(&acting);
        self.map_contacts(&acting, world);
    }

    /// λ of everything but contacts.
    fn map_joints(&mut self, acting: &Acting) {
        let names: Vec<ConstraintId> = self.exact.rows().iter().map(|row| row.constraint).collect();
        let has_entry = |id: ConstraintId| {
            acting.pushes.iter().any(|push| push.cause.rows().is_some_and(|own| own == id))
        };
        for push in &acting.pushes {
            let Some(id) = push.cause.rows() else { continue };
            // The entry of a joint as a whole is also that of its parts without one.
            let is_of = |own: ConstraintId| {
                own == id
                    || matches!(id, ConstraintId::Joint(_)) && own.joint() == id.joint() && !has_entry(own)
            };
            let rows: Vec<usize> = (0..names.len()).filter(|row| is_of(names[*row])).collect();
            let lambda = least_squares(self.exact.problem(), &rows, &push.on);
            for (row, lambda) in rows.into_iter().zip(lambda) {
                *self.theirs[row].get_or_insert(0.0) += lambda;
            }
        }
    }

    /// λ of contacts.
    fn map_contacts(&mut self, acting: &Acting, world: &World) {
        let mut rows: Vec<(ContactId, DVec2)> = Vec::new();
        for row in self.exact.rows() {
            let ConstraintId::Contact(id) = row.constraint else { continue };
            if rows.last().is_none_or(|(last, _)| *last != id) {
                let point = world.contact(id).map_or(DVec2::NAN, |contact| contact.point);
                rows.push((id, point));
            }
        }
        let mut is_met = vec![false; rows.len()];
        for contact in &acting.pressed {
            let [Some(a), Some(b)] = contact.bodies.map(|body| self.world.id_of(body)) else { continue };
            let same = |id: &ContactId| id.bodies == [a, b] || id.bodies == [b, a];
            let nearest = rows.iter().enumerate().filter(|(_, (id, _))| same(id)).min_by(|one, other| {
                let [one, other] = [one, other].map(|(_, (_, at))| at.distance_squared(contact.points[1]));
                one.total_cmp(&other)
            });
            let Some((place, (id, _))) = nearest else {
                self.unmatched[0] += usize::from(contact.impulse[0] != 0.0);
                continue;
            };
            is_met[place] = true;
            let [p_n, p_t, l] = contact.impulse;
            // Our tangent is −t, of either order of the bodies; a moment on b is one on a in the other order.
            let turn = if id.bodies == [a, b] { l } else { -l };
            let parts = [p_n, -p_t, turn];
            for (row, own) in self.exact.rows().iter().enumerate() {
                if own.constraint == ConstraintId::Contact(*id) {
                    *self.theirs[row].get_or_insert(0.0) += parts.get(own.row).copied().unwrap_or_default();
                }
            }
        }
        self.unmatched[1] = is_met.iter().filter(|is_met| !**is_met).count();
        // Where contacts are told, one that is not does not push.
        if acting.contacts_known {
            for (row, own) in self.exact.rows().iter().enumerate() {
                if matches!(own.constraint, ConstraintId::Contact(_)) {
                    self.theirs[row].get_or_insert(0.0);
                }
            }
        }
    }
}

/// Pivots below this share of the largest diagonal are of rows that depend on others, whose λ is then 0.
const DEPENDENT: f64 = 1e-10;

/// λ of `rows` with (J W Jᵀ) λ = J W p: what of the impulses `on` acts along them.
fn least_squares(problem: &MixedProblem, rows: &[usize], on: &[(usize, DVec3)]) -> Vec<f64> {
    let w = &problem.inverse_mass;
    let n = rows.len();
    let product = |i: usize, j: usize| -> f64 {
        let (one, other) = (&problem.rows[rows[i]], &problem.rows[rows[j]]);
        one.arms()
            .map(|(body, j)| {
                let theirs: DVec3 = other.arms().filter(|(own, _)| *own == body).map(|(_, j)| j).sum();
                j.dot(w[body] * theirs)
            })
            .sum()
    };
    let along = |i: usize| -> f64 {
        let arms = problem.rows[rows[i]].arms();
        arms.map(|(body, j)| {
            let p: DVec3 = on.iter().filter(|(own, _)| *own == body).map(|(_, on)| *on).sum();
            j.dot(w[body] * p)
        })
        .sum()
    };
    let mut a: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| product(i, j)).collect()).collect();
    let mut b: Vec<f64> = (0..n).map(along).collect();
    let largest = (0..n).map(|i| a[i][i]).fold(0.0, f64::max);
    let mut is_kept = vec![false; n];
    for i in 0..n {
        // Elimination of a positive semidefinite matrix, in its order.
        if a[i][i].is_nan() || a[i][i] <= DEPENDENT * largest {
            continue;
        }
        is_kept[i] = true;
        for row in 0..n {
            if row != i {
                let share = a[row][i] / a[i][i];
                let above = a[i].clone();
                a[row].iter_mut().zip(above).for_each(|(own, above)| *own -= share * above);
                b[row] -= share * b[i];
            }
        }
    }
    (0..n).map(|i| if is_kept[i] { b[i] / a[i][i] } else { 0.0 }).collect()
}
