//! The scalar rows of a world at a pose q and velocity v: joints first, then non-holonomic constraints, then springs,
//! then the grab.
//!
//! A joint row demands g(q) = 0; a non-holonomic one N(q) v = v₀(t), with J = N, k = (N v)_q v and no g (zero). A spring's or the
//! grab's row is compliant: J v⁺ + c λ + b = 0, with c and b from [`Softness::impulse`], or [`Softness::row`]; it takes
//! part in the dynamics but is not a constraint, and no correction acts on it.

use super::kinds::Constraint;
use super::row::{Clock, Row, row};
use crate::math::Pair;
use crate::model::joint::Equation;
use crate::model::{Frame, JointKind, Revision, Softness, Version, World};
use glam::DVec3;

/// All rows of a world, evaluated at one pose and velocity.
#[derive(Debug, Default)]
pub struct Rows {
    /// The revision of the world of these rows.
    revision: Revision,
    /// The state of that world at which the last step has evaluated these rows; none once bodies may have moved.
    state: Option<Version>,
    /// When driven lengths were evaluated.
    clock: Clock,
    /// Whether there are driven lengths.
    driven: bool,
    frames: Vec<Frame>,
    rows: Vec<Row>,
    softness: Vec<Softness>,
    joints: usize,
    /// Whether every joint is a hinge.
    hinges: bool,
    /// Joint rows and non-holonomic ones.
    equations: usize,
    springs: usize,
    /// Rows of springs and of soft joints, which follow them.
    weighed: usize,
    /// Where the grab's two rows start, if there are any.
    grab: Option<usize>,
}

impl Rows {
    /// Evaluates every row at (q, v), with driven lengths at the present time of `world`.
    pub fn evaluate(&mut self, world: &World, q: &[DVec3], v: &[DVec3]) {
        self.evaluate_at(world, q, v, Clock::at(world.time()));
    }

    /// The same with driven lengths at the time `clock`.
    pub(crate) fn evaluate_at(&mut self, world: &World, q: &[DVec3], v: &[DVec3], clock: Clock) {
        if self.state.take() == Some(world.written()) && self.revision.is_of(world) {
            let at = |(frame, (q, v)): (&Frame, (&DVec3, &DVec3))| frame.is_at(*q, *v);
            debug_assert!(
                self.frames.iter().zip(q.iter().zip(v)).all(at),
                "bodies have moved before the first stage"
            );
            self.release_soft();
        } else {
            self.evaluate_joints_at(world, q, v, clock);
        }
        self.evaluate_soft(world);
    }

    /// Evaluates the rows without compliance at (q, v), the `state` of `world` at which the next step begins.
    pub(crate) fn evaluate_end(&mut self, world: &World, q: &[DVec3], v: &[DVec3], state: Option<Version>) {
        self.evaluate_joints(world, q, v);
        self.state = state;
    }

    /// Replaces the row with the index `place` in [`Rows::all`], of a spring between these bodies.
    pub(crate) fn replace(&mut self, place: usize, [a, b]: [usize; 2], equation: Equation) {
        self.rows[place] = row(a, b, equation);
    }

    /// Marks the rows as to be evaluated again: the bodies may have moved.
    pub(crate) fn forget_state(&mut self) {
        self.state = None;
    }

    /// Takes the compliant rows out.
    fn release_soft(&mut self) {
        self.softness.clear();
        (self.springs, self.weighed, self.grab) = (0, 0, None);
        self.rows.truncate(self.equations);
    }

    /// Appends the compliant rows.
    fn evaluate_soft(&mut self, world: &World) {
        let Self { frames, rows, softness, springs, weighed, grab, .. } = self;
        for constraint in Constraint::compliant(world) {
            let known = softness.len();
            let start = rows.len();
            append(rows, frames, world, constraint);
            softness.extend(rows[start..].iter().filter_map(|row| constraint.softness(world, row.unit)));
            let added = softness.len() - known;
            match constraint {
                Constraint::Spring(_) => (*springs, *weighed) = (*springs + added, *weighed + added),
                Constraint::SoftJoint(_) | Constraint::Suspension(_) => *weighed += added,
                Constraint::Grab => *grab = Some(start),
                _ => {}
            }
        }
    }

    /// Evaluates the rows of joints and non-holonomic constraints, which position and velocity corrections need,
    /// without springs and the grab, with driven lengths at the present time of `world`.
    pub fn evaluate_joints(&mut self, world: &World, q: &[DVec3], v: &[DVec3]) {
        self.evaluate_joints_at(world, q, v, Clock::at(world.time()));
    }

    /// The same with driven lengths at the time `clock`.
    pub(crate) fn evaluate_joints_at(&mut self, world: &World, q: &[DVec3], v: &[DVec3], clock: Clock) {
        self.forget_state();
        self.release_soft();
        let Self { revision, clock: known, driven, frames, rows, joints, hinges, equations, .. } = self;
        let edited = revision.update(world);
        if edited {
            *driven = world.joints().iter().any(|joint| joint.length_profile.is_some());
        }
        let later = std::mem::replace(known, clock) != clock && *driven;
        let other = edited || frames.len() != q.len() || later;
        let moved = move_frames(frames, q, v);
        if !(other || moved) {
            return;
        }
        if *hinges && !other {
            // Of each row of a hinge only g, the levers and k depend on pose and velocity.
            rows.truncate(*joints);
            for ([x, y], joint) in rows.as_chunks_mut::<2>().0.iter_mut().zip(Constraint::joints(world)) {
                let JointKind::Hinge(hinge) = &joint.kind else { continue };
                let [a, b] = joint.bodies;
                let [of_x, of_y] = hinge.posed(&frames[a], &frames[b]);
                [x.g, x.ja.z, x.jb.z, x.k] = of_x;
                [y.g, y.ja.z, y.jb.z, y.k] = of_y;
            }
        } else {
            rows.clear();
            for own in Constraint::positions(world) {
                let terms = own.length_terms(world, clock);
                own.each_row(world, &[], |body| &frames[body], |row| rows.push(row.driven(terms)));
            }
            *joints = rows.len();
            *hinges = Constraint::joints(world).all(|joint| matches!(joint.kind, JointKind::Hinge(_)));
        }
        Constraint::velocities(world).for_each(|own| append(rows, frames, world, own));
        *equations = rows.len();
    }

    /// The bodies' frames at the pose and velocity of the evaluation.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Every row.
    pub fn all(&self) -> &[Row] {
        &self.rows
    }

    /// The joint rows.
    pub fn joints(&self) -> &[Row] {
        &self.rows[..self.joints]
    }

    /// The joint rows by joint, where every joint is a hinge.
    pub fn hinges(&self) -> Option<&[[Row; 2]]> {
        self.hinges.then(|| self.joints().as_chunks::<2>().0)
    }

    /// Writes J v of the joint rows.
    pub(crate) fn joint_rates(&self, v: &[DVec3], rates: &mut Vec<f64>) {
        rates.clear();
        match self.hinges() {
            Some(hinges) => rates.extend(hinges.iter().flat_map(|rows| hinge_rate(rows, v).to_array())),
            None => rates.extend(self.joints().iter().map(|row| row.rate(v))),
        }
    }

    /// The non-holonomic rows.
    pub fn nonholonomic(&self) -> &[Row] {
        &self.rows[self.joints..self.equations]
    }

    /// The rows without compliance: of joints, then of non-holonomic constraints.
    pub fn equations(&self) -> &[Row] {
        &self.rows[..self.equations]
    }

    /// The compliant rows with their stiffness and damping, springs first.
    pub fn soft(&self) -> impl ExactSizeIterator<Item = (&Row, &Softness)> {
        self.rows[self.equations..].iter().zip(&self.softness)
    }

    /// Number of the springs' rows.
    pub(crate) fn springs(&self) -> usize {
        self.springs
    }

    /// Number of the compliant rows but the grab's, which the mass that they move makes exact or implicit.
    pub(crate) fn weighed(&self) -> usize {
        self.weighed
    }

    /// Where the grab's two rows start, if there are any.
    pub fn grab_start(&self) -> Option<usize> {
        self.grab
    }

    /// Takes the grab's rows out of the problem without changing its structure: they no longer touch a body.
    pub fn release_grab(&mut self) {
        let Some(start) = self.grab else { return };
        for row in &mut self.rows[start..] {
            row.jb = DVec3::ZERO;
            row.k = 0.0;
        }
        for softness in &mut self.softness[start - self.equations..] {
            *softness = Softness { stiffness: 0.0, damping: 0.0 };
        }
    }
}

/// Moves the frames of all bodies to their pose and velocity; returns whether any of them has changed.
fn move_frames(frames: &mut Vec<Frame>, q: &[DVec3], v: &[DVec3]) -> bool {
    frames.truncate(q.len());
    let mut moved = false;
    for (frame, (q, v)) in frames.iter_mut().zip(q.iter().zip(v)) {
        if !frame.is_at(*q, *v) {
            frame.move_to(*q, *v);
            moved = true;
        }
    }
    let known = frames.len();
    frames.extend(q.iter().zip(v).skip(known).map(|(q, v)| Frame::new(*q, *v)));
    moved
}

/// Appends the rows of `constraint`.
#[inline]
fn append(rows: &mut Vec<Row>, frames: &[Frame], world: &World, constraint: Constraint) {
    constraint.each_row(world, &[], |body| &frames[body], |row| rows.push(row));
}

/// J v of a hinge, whose rows begin with ∓1.
#[inline(always)]
pub(crate) fn hinge_rate([x, y]: &[Row; 2], v: &[DVec3]) -> Pair {
    let (a, b) = (v[x.a], v[x.b]);
    let of_a = Pair::new([x.ja.z, y.ja.z]) * Pair::splat(a.z) - Pair::new([a.x, a.y]);
    of_a + (Pair::new([b.x, b.y]) + Pair::new([x.jb.z, y.jb.z]) * Pair::splat(b.z))
}
