//! The bodies' motion in a step: pose q, velocity v, acceleration a, and the forces that move them apart from constraints.
//!
//! ```text
//! v ← v + h M⁻¹F ,     q ← q + h v
//! ```
//!
//! q, v and a are (x, y, angle) of each body's centre of mass and their rates. F is the weight, fields, the applied and driven
//! forces, those of
//! force laws and the mouse's repulsion. Damping and drag change M and F of their bodies (`model/damping.rs`).
//! Bodies whose motion is prescribed have M⁻¹ = 0: no force moves them, their path is a function of time.
//!
//! At the end of the file: energies, which number of which body has overflowed, and what a step is made with.

use super::nonholonomic::Integrals;
pub(crate) use super::terms::Metric;
use crate::constraint::Clock;
use crate::detect::nearest_point;
use crate::lcp::{MixedProblem, Solver};
use crate::math::Pair;
use crate::model::{
    Body, BodyKind, Frame, MassProperties, ModelError, Path, Pose, Repulsion, Revision, Version, World,
    mean_decay,
};
use crate::parameter::Values;
use crate::report::StepError;
use crate::rules::{ContactRules, Integrator, Level};
use glam::{DVec2, DVec3};

/// Pose and velocity of every body, copied from the world for the step, and its acceleration.
#[derive(Debug, Default)]
pub(crate) struct Motion {
    pub q: Vec<DVec3>,
    pub v: Vec<DVec3>,
    /// Accelerations, at the acceleration level.
    pub a: Vec<DVec3>,
    /// The time of q, and the span over which v moves the bodies.
    pub clock: Clock,
    /// v at the start of the step or substep, before any force has acted.
    pub before: Vec<DVec3>,
    /// The bodies that the mean of v and v⁺ moves (`springs.rs`), each with 1 for its coordinates that it moves and 0
    /// for the others.
    pub mean: Vec<(usize, DVec3)>,
    /// The diagonal of the inverse masses of the dynamics: K⁻¹ of damped bodies (`model/damping.rs`), M⁻¹ of the others; zero
    /// for bodies that forces do not move.
    pub inverse_mass: Vec<DVec3>,
    /// The diagonal of M⁻¹, with which impacts act and positions are corrected.
    pub undamped: Vec<DVec3>,
    /// Bodies with damping or drag, and M⁻¹F of the forces that are given beside them.
    pub damped: Vec<(usize, DVec3)>,
    /// One for bodies that forces move, zero for the others.
    identity: Vec<DVec3>,
    /// M⁻¹F of the weight, the applied forces, force laws and the mouse's repulsion, at the pose at which the step began; of
    /// damped bodies K⁻¹ (F₀ + F(v₀)), unless the step is explicit.
    pub free_acceleration: Vec<DVec3>,
    /// Bodies with an applied force: index, pose and force (N, N, N m) at the start of the step.
    pub(super) applied: Vec<(usize, DVec3, DVec3)>,
    /// The force of the force laws on every body (N, N, N m) and its pose, at the start of the step; empty without laws.
    laws: Vec<DVec3>,
    start: Vec<DVec3>,
    /// The mouse's repulsion of every body (N, N, N m) at the start of the step; empty without it.
    repulsion: Vec<DVec3>,
    /// Bodies with driven forces: index, pose and the mean force over the step (N, N, N m) at its start.
    pub(super) driven: Vec<(usize, DVec3, DVec3)>,
    /// M⁻¹F of fields and driven forces as the step takes it at present, by body; empty without them.
    pub(super) timed: Vec<DVec3>,
    /// The part of h M⁻¹F by which the step has taken another F than the present `free_acceleration`, by body; empty without
    /// fields
    /// and driven forces.
    pub late: Vec<DVec3>,
    /// What a force law did wrong in this step.
    pub wrong: Option<ModelError>,
    /// The world whose masses and paths were read.
    revision: Revision,
    /// Which state of that world q and v are; none once a step has begun to move the bodies.
    state: Option<Version>,
    /// Mass m, kg, moment of inertia, kg m², and the scale s of gravity of every body; zero where forces do not move it.
    masses: Vec<[f64; 3]>,
    /// Indices of the bodies that forces do not move, and of those among them that are on a prescribed path.
    unmoved: Vec<usize>,
    pub prescribed: Vec<usize>,
    /// Whether a profile drives the length of a joint.
    drives_lengths: bool,
    /// ∫ e dt of the non-holonomic rows.
    pub integrals: Integrals,
    /// q before a correction that may have to be undone.
    pub marked: Vec<DVec3>,
}

impl Motion {
    /// Copies pose and velocity of `world`, and lists the bodies with an applied force, unless q and v are still what
    /// the last step has written into this world.
    pub fn copy_from(&mut self, world: &World) {
        self.take_up(world);
        let Self { q, v, inverse_mass, applied, driven, .. } = self;
        let bodies = world.bodies();
        if self.state != Some(world.written()) {
            q.clear();
            q.extend(bodies.iter().map(|body| body.pose.coordinates()));
            v.clear();
            v.extend(bodies.iter().map(|body| body.velocity.coordinates()));
            let pushed = |&body: &usize| bodies[body].applied.is_some() && inverse_mass[body].x > 0.0;
            driven.clear(); // those of a step of another world
            applied.clear();
            applied.extend((0..bodies.len()).filter(pushed).map(|body| (body, DVec3::ZERO, DVec3::ZERO)));
        }
        self.copy_unmoved(world);
    }

    /// Copies pose and velocity of the bodies that forces do not move; those of the others are already the ones of `world`,
    /// of whose state q and v are then known to be.
    pub fn copy_unmoved(&mut self, world: &World) {
        for &index in &self.unmoved {
            self.q[index] = world.bodies()[index].pose.coordinates();
            self.v[index] = world.velocity_of(index);
        }
        self.state = Some(world.written());
    }

    /// Which state of the world q and v are; none where a motion or a length is prescribed, which depends on the time, too.
    pub fn lasting_state(&self) -> Option<Version> {
        self.state.filter(|_| self.prescribed.is_empty() && !self.drives_lengths)
    }

    /// Writes pose and velocity into `world`, which is at the end of the step.
    pub fn write(&self, world: &mut World) {
        let (time, bodies) = (world.time, world.bodies_mut());
        for (index, (body, w)) in bodies.iter_mut().zip(&self.inverse_mass).enumerate() {
            if w.x > 0.0 {
                body.pose = self.q[index].into();
                body.velocity = self.v[index].into();
            }
        }
        for &index in &self.prescribed {
            let body = &mut bodies[index];
            let Some(velocity) = body.path().map(|path| path.velocity(time)) else { continue };
            (body.pose, body.velocity) = (self.q[index].into(), velocity.into());
        }
        world.place_driven();
    }

    /// Copies the motion of `world`, with masses and external forces, for a step or one of its parts of `h`, s. In an explicit
    /// step damping is a force of the stages.
    pub fn begin(&mut self, world: &World, h: f64, is_explicit: bool) {
        self.copy_from(world);
        self.clock = Clock::at(world.time());
        self.integrals.sums.clear();
        self.mean.clear();
        self.undamp();
        self.gather_free_accelerations(world);
        self.begin_timed(world, h);
        for (body, given) in &mut self.damped {
            *given = self.free_acceleration[*body];
        }
        if !is_explicit {
            self.damp(world, h);
        }
        self.state = None;
    }

    /// Puts damping and drag into masses and forces, for a part of the step of length `h`, s, that begins with the present
    /// velocities.
    pub fn damp(&mut self, world: &World, h: f64) {
        for &(body, given) in &self.damped {
            let [force, slope] = world.bodies()[body].damping.at(self.v[body], world.wind);
            let w = self.undamped[body];
            let share = mean_decay(h * slope * w);
            self.inverse_mass[body] = share * w;
            self.free_acceleration[body] = share * (given + w * force);
        }
    }

    /// Takes damping out of the masses again: what follows is a correction, or an account of what has happened.
    pub fn undamp(&mut self) {
        for &(body, _) in &self.damped {
            self.inverse_mass[body] = self.undamped[body];
        }
    }

    /// a ← a + M⁻¹F with damping and drag at the present velocities, in an explicit step.
    pub fn resist(&mut self, world: &World) {
        for &(body, _) in &self.damped {
            let [force, _] = world.bodies()[body].damping.at(self.v[body], world.wind);
            self.a[body] += self.undamped[body] * force;
        }
    }

    /// Reads masses and paths, which steps do not change, if `world` is another one or has been edited.
    fn take_up(&mut self, world: &World) {
        if !self.revision.update(world) {
            return;
        }
        self.state = None;
        let Self { inverse_mass, undamped, damped, identity, masses, unmoved, prescribed, laws, .. } = self;
        let bodies = world.bodies();
        // The forces of the last step were those on other bodies.
        laws.clear();
        inverse_mass.clear();
        inverse_mass.extend(bodies.iter().map(Body::inverse_mass));
        undamped.clone_from(inverse_mass);
        let resisted =
            bodies.iter().enumerate().filter(|(_, body)| body.is_dynamic() && !body.damping.is_none());
        damped.clear();
        damped.extend(resisted.map(|(body, _)| (body, DVec3::ZERO)));
        identity.clear();
        identity.extend(inverse_mass.iter().map(|w| if w.x > 0.0 { DVec3::ONE } else { DVec3::ZERO }));
        masses.clear();
        masses.extend(bodies.iter().map(|body| {
            let properties = body.mass_properties();
            let MassProperties { mass, inertia, .. } = properties;
            if body.is_dynamic() { [mass, inertia, body.gravity_scale] } else { [0.0; 3] }
        }));
        let indices = |chosen: fn(&Body) -> bool| (0..bodies.len()).filter(move |&i| chosen(&bodies[i]));
        unmoved.clear();
        unmoved.extend(indices(|body| !body.is_dynamic()));
        prescribed.clear();
        prescribed.extend(indices(|body| matches!(body.kind(), BodyKind::Kinematic(_))));
        self.drives_lengths = world.joints().iter().any(|joint| joint.length_profile.is_some());
    }

    fn gather_free_accelerations(&mut self, world: &World) {
        let gravity = world.gravity.extend(0.0);
        let gravity_of = |(w, [.., scale]): (&DVec3, &[f64; 3])| {
            if w.x > 0.0 { *scale * gravity } else { DVec3::ZERO }
        };
        self.free_acceleration.clear();
        self.free_acceleration.extend(self.inverse_mass.iter().zip(&self.masses).map(gravity_of));
        for (index, start, force) in &mut self.applied {
            let body = &world.bodies()[*index];
            *start = self.q[*index];
            *force = body.applied.map_or(DVec3::ZERO, |applied| applied.on(body.pose.angle));
            self.free_acceleration[*index] += self.inverse_mass[*index] * *force;
        }
        self.wrong = world.forces_of_laws(&mut self.laws).err();
        if !self.laws.is_empty() {
            self.start.clone_from(&self.q);
        }
        for ((free_acceleration, w), force) in
            self.free_acceleration.iter_mut().zip(&self.inverse_mass).zip(&self.laws)
        {
            if w.x > 0.0 {
                *free_acceleration += *w * *force;
            }
        }
        self.repulsion.clear();
        let Some(repulsion) = world.repulsion else { return };
        for (index, body) in world.bodies().iter().enumerate() {
            let w = self.inverse_mass[index];
            let mut force = DVec3::ZERO;
            if w.x > 0.0 {
                let frame = Frame::new(self.q[index], self.v[index]);
                force = repulsive_force(&repulsion, body, &frame);
                self.free_acceleration[index] += w * force;
            }
            self.repulsion.push(force);
        }
    }

    /// Work of the mouse's repulsion from q of `world` to the present q, J: F·(q⁺ − q).
    pub fn work_of_repulsion(&self, world: &World) -> f64 {
        let bodies = world.bodies().iter().zip(&self.q).zip(&self.repulsion);
        bodies.map(|((body, q), force)| force.dot(*q - body.pose.coordinates())).sum()
    }

    /// Mass m, kg, moment of inertia, kg m², and the scale s of gravity of every body; zero where forces do not move it.
    pub fn masses(&self) -> &[[f64; 3]] {
        &self.masses
    }

    /// Work of the applied forces and the force laws since the step began, J: ½ (F + F⁺)·(q⁺ − q) of the former, exact
    /// for constant F, and F·(q⁺ − q) of the latter. `world` is at q⁺.
    pub fn applied_work(&self, world: &World) -> f64 {
        let work = |&(index, q, before): &(usize, DVec3, DVec3)| {
            let body = &world.bodies()[index];
            let after = body.applied.map_or(before, |applied| applied.on(body.pose.angle));
            (0.5 * (before + after)).dot(self.q[index] - q)
        };
        let applied = self.applied.iter().map(work).fold(0.0, |sum, work| sum + work);
        let driven = self.driven.iter().map(|(body, start, force)| force.dot(self.q[*body] - *start));
        let applied = driven.fold(applied, |sum, work| sum + work);
        let laws = self.laws.iter().zip(&self.start).zip(&self.q).zip(&self.inverse_mass);
        laws.filter(|(_, w)| w.x > 0.0)
            .fold(applied, |sum, (((force, start), q), _)| sum + force.dot(*q - *start))
    }

    /// v ← v + h M⁻¹F with the external forces: the motion of the bodies without constraints.
    pub fn kick(&mut self, h: f64) {
        for ((v, w), a) in self.v.iter_mut().zip(&self.inverse_mass).zip(&self.free_acceleration) {
            if w.x > 0.0 {
                add_times(v, h, a);
            }
        }
    }

    /// Notes v as that of the start of the step or substep.
    pub fn note_start(&mut self) {
        self.before.clone_from(&self.v);
        self.mean.clear();
    }

    /// q ← q + h v, of swinging bodies q + ½h (v of the start + v); bodies on a prescribed path move to their position at the end
    /// of the step.
    pub fn drift(&mut self, context: &StepContext<'_>) {
        for (q, v) in self.q.iter_mut().zip(&self.v) {
            add_times(q, context.h, v);
        }
        self.swing_back(context.h);
        self.place_prescribed(context, context.h);
    }

    /// q ← q − ½h (v − v of the start) of swinging bodies, which have moved by h v.
    pub fn swing_back(&mut self, h: f64) {
        for &(body, moved) in &self.mean {
            self.q[body] -= 0.5 * h * moved * (self.v[body] - self.before[body]);
        }
    }

    /// Gives bodies on a prescribed path their acceleration at the time `elapsed` after the start of the step.
    pub fn prescribe_acceleration(&mut self, context: &StepContext<'_>, elapsed: f64) {
        for (index, path) in paths(&self.prescribed, context) {
            self.a[index] = path.acceleration(context.time + elapsed);
        }
    }

    /// v ← v + h a for bodies that forces move.
    pub fn accelerate(&mut self, h: f64) {
        for ((v, a), w) in self.v.iter_mut().zip(&self.a).zip(&self.inverse_mass) {
            if w.x > 0.0 {
                *v += h * *a;
            }
        }
    }

    /// Puts bodies on a prescribed path at their position at the time `elapsed` after the start of the step (constant velocities
    /// have been integrated already).
    pub fn place_prescribed(&mut self, context: &StepContext<'_>, elapsed: f64) {
        self.clock = Clock::at(context.time + elapsed);
        for (index, path) in paths(&self.prescribed, context) {
            self.q[index] = path.placed(self.q[index], context.time, elapsed);
        }
    }

    /// Gives bodies on a prescribed path the constant velocity with which they reach their position at the end of the
    /// step, so that a velocity-level step lands on the path: c of the joint rows, averaged over the step.
    pub fn prescribe_mean_velocity(&mut self, context: &StepContext<'_>) {
        self.clock = Clock { now: context.time, span: context.h };
        for (index, path) in paths(&self.prescribed, context) {
            self.v[index] = path.mean_velocity(self.q[index], context.time, context.h);
        }
    }

    /// Gives bodies on a prescribed path their exact velocity at the time `elapsed` after the start of the step.
    pub fn prescribe_velocity(&mut self, context: &StepContext<'_>, elapsed: f64) {
        self.clock = Clock::at(context.time + elapsed);
        for (index, path) in paths(&self.prescribed, context) {
            self.v[index] = path.velocity(context.time + elapsed);
        }
    }

    /// q ← q + s dp.
    pub fn shift(&mut self, dp: &[DVec3], s: f64) {
        for (q, dp) in self.q.iter_mut().zip(dp) {
            *q += s * *dp;
        }
    }

    /// W of a correction of positions: the inverse of the metric, by body.
    pub fn inverse_mass_in(&self, metric: Metric) -> &[DVec3] {
        match metric {
            Metric::Mass => &self.undamped,
            Metric::Identity => &self.identity,
        }
    }

    /// Whether all numbers that no energy contains are finite: angles, and the motion of bodies that forces do not move.
    pub fn is_finite_beside_energies(&self) -> bool {
        self.q.iter().all(|q| q.z.is_finite())
            && self.unmoved.iter().all(|&body| self.q[body].is_finite() && self.v[body].is_finite())
    }

    /// Whether every coordinate and velocity is finite.
    pub fn is_finite(&self) -> bool {
        // 0 x is zero of finite numbers and NaN of others.
        let (mut plane, mut turns) = (Pair::ZERO, Pair::ZERO);
        for (q, v) in self.q.iter().zip(&self.v) {
            plane += Pair::ZERO * (Pair::new([q.x, q.y]) + Pair::ZERO * Pair::new([v.x, v.y]));
            turns += Pair::ZERO * Pair::new([q.z, v.z]);
        }
        (plane + turns).to_array() == [0.0; 2]
    }

    /// Potential energy at the present pose, J.
    pub fn potential_energy(&self, world: &World) -> f64 {
        self.energies_of_bodies(world)[1]
    }

    /// Kinetic and potential energy, J.
    pub fn energies_of_bodies(&self, world: &World) -> [f64; 2] {
        let [kinetic, potential] = self.energies_without_springs(world.gravity);
        let mut potential = potential;
        if !world.fields().is_empty() {
            for (&[mass, _, scale], q) in
                self.masses.iter().zip(&self.q).filter(|([mass, ..], _)| *mass > 0.0)
            {
                potential += scale * mass * world.field_potential_at(q.truncate());
            }
        }
        [kinetic, world.add_spring_energy(potential, |index| self.q[index])]
    }

    /// Kinetic energy and the potential energy of the weights, J, in the two lanes of one sum. It is a function of its
    /// own because the compiler otherwise keeps the sum in memory across the calls for the springs, and a body takes
    /// more than twice as long.
    #[inline(never)]
    fn energies_without_springs(&self, gravity: DVec2) -> [f64; 2] {
        let mut sums = Pair::ZERO;
        for ((&[mass, inertia, scale], q), v) in self.masses.iter().zip(&self.q).zip(&self.v) {
            if mass > 0.0 {
                let kinetic = Body::kinetic_energy_at(mass, inertia, (*v).into());
                sums += Pair::new([kinetic, -(scale * mass) * gravity.dot(q.truncate())]);
            }
        }
        sums.to_array()
    }

    /// Potential and kinetic energy, J.
    pub fn energy(&self, world: &World) -> f64 {
        let [kinetic, potential] = self.energies_of_bodies(world);
        potential + kinetic
    }
}

/// x ← x + h y.
#[inline(always)]
fn add_times(x: &mut DVec3, h: f64, y: &DVec3) {
    let plane = Pair::new([x.x, x.y]) + Pair::splat(h) * Pair::new([y.x, y.y]);
    let [first, second] = plane.to_array();
    *x = DVec3::new(first, second, x.z + h * y.z);
}

/// The bodies on a prescribed path, each with its index and the path.
fn paths<'a>(
    prescribed: &'a [usize],
    context: &StepContext<'a>,
) -> impl Iterator<Item = (usize, Path<'a>)> + 'a {
    let bodies = context.world.bodies();
    prescribed.iter().filter_map(move |&index| bodies[index].path().map(|path| (index, path)))
}

/// Force and torque of the mouse's repulsion on a body (see `model/mouse.rs`), N and N m.
pub(super) fn repulsive_force(repulsion: &Repulsion, body: &Body, frame: &Frame) -> DVec3 {
    let pose = Pose { position: frame.position, angle: frame.angle };
    let Some((point, distance)) = nearest_point(body, &pose, repulsion.center) else { return DVec3::ZERO };
    let outside = distance > 0.0;
    let (arm, size) = if outside {
        (point - repulsion.center, 1.0 - distance / repulsion.radius)
    } else {
        (frame.position - repulsion.center, 1.0)
    };
    let push = repulsion.strength * size.max(0.0) * arm.normalize_or_zero();
    let lever = if outside { point - frame.position } else { repulsion.center - frame.position };
    push.extend(lever.perp_dot(push))
}

impl Motion {
    /// The first body with a number that is not finite, of the bodies that forces move. (Of a fixed body, 0 · ∞ makes the
    /// residuals NaN, which the solve refuses.)
    pub fn lost(&self, world: &World) -> Option<StepError> {
        let moves = |&body: &usize| self.inverse_mass[body].x > 0.0;
        let number = |body: usize| {
            let (q, v) = (self.q[body], self.v[body]);
            let mass = world.bodies()[body].mass_properties();
            let kinetic = Body::kinetic_energy_at(mass.mass, mass.inertia, v.into());
            let numbers = [
                ("position", q.truncate().is_finite()),
                ("angle", q.z.is_finite()),
                ("velocity", v.truncate().is_finite()),
                ("angular velocity", v.z.is_finite()),
                ("kinetic energy", kinetic.is_finite()),
                (
                    "potential energy",
                    (world.bodies()[body].gravitational_mass() * world.gravity.dot(q.truncate()))
                        .is_finite(),
                ),
            ];
            numbers.into_iter().find(|(_, finite)| !finite).map(|(number, _)| number)
        };
        (0..self.q.len()).filter(moves).find_map(|body| {
            number(body).map(|number| StepError::NotFinite { body: world.body_ids()[body], number })
        })
    }
}

/// Solves a posed problem: λ, its warm start, becomes the solution. Returns the number of its iterations.
pub(crate) type OwnSolve<'a> = dyn Fn(&MixedProblem, &mut [f64]) -> Result<usize, StepError> + 'a;

/// Who solves the problems of a step.
#[derive(Clone, Copy)]
pub(crate) enum SolvedBy<'a> {
    /// The solver of the method.
    Solver(&'a Solver),
    /// The scheme, with its key, and whether equations alone are left to one factorisation.
    Scheme(&'static str, &'a OwnSolve<'a>, bool),
}

impl SolvedBy<'_> {
    /// Whether equations alone are left to one factorisation.
    pub fn factorises_equations(self) -> bool {
        match self {
            Self::Solver(solver) => solver.factorises_equations(),
            Self::Scheme(_, _, factorises) => factorises,
        }
    }
}

/// What a step is made with: the world as it was, the method apart from the scheme itself, and the time that the step spans.
#[derive(Clone, Copy)]
pub(crate) struct StepContext<'a> {
    pub world: &'a World,
    /// The scheme's parameters.
    pub values: &'a Values,
    pub level: Level,
    pub integrator: Integrator,
    pub solver: SolvedBy<'a>,
    pub contact: &'a ContactRules,
    /// Time at the start of the step, s.
    pub time: f64,
    /// Length of the step, s.
    pub h: f64,
}

impl StepContext<'_> {
    /// Time at the end of the step, s.
    pub fn end(&self) -> f64 {
        self.time + self.h
    }
}
