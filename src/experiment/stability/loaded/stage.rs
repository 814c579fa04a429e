//! A step in progress with its derivatives: the state, how it is seeded, how it moves, and what every scheme does with it.
//!
//! The state is (q, v) of the bodies and, where the scheme uses them, the integrals ∫e dt of the non-holonomic rows. A
//! direction is a unit of one coordinate that forces can move. Prescribed bodies follow their prescribed motion, and have no
//! derivatives.

use super::super::StabilityError;
use super::active::Active;
use super::rows::{Curved, Kind, rows};
use super::system::{Field, Jet, System};
use crate::model::{Softness, SpringImpulse, World};
use glam::DVec3;

/// The state with its derivatives.
pub(super) struct Stage<'w> {
    pub world: &'w World,
    pub h: f64,
    /// The contacts that push.
    pub active: Vec<Active>,
    /// M⁻¹, and the identity on what it can move.
    pub inverse_mass: Vec<DVec3>,
    pub identity: Vec<DVec3>,
    pub q: Jet<Field>,
    pub v: Jet<Field>,
    /// Which springs act in the middle of the step, the inverse of the mass that each of their rows moves, and what its mean
    /// velocity moves, as the engine says of the real step.
    pub swinging: Vec<bool>,
    pub mobility: Vec<f64>,
    pub mean: Vec<(usize, DVec3)>,
    /// ∫e dt of every non-holonomic row, m.
    pub sums: Jet<Vec<f64>>,
}

/// The springs that act in the middle of the step.
pub(super) struct Middle<'w> {
    pub system: System<'w>,
    /// The pose of their rows.
    pub place: Jet<Field>,
    /// b of J v⁺ + c λ + b = 0, and J v.
    pub b: Jet<Vec<f64>>,
    pub rate: Jet<Vec<f64>>,
}

/// A coordinate that can move: body and axis.
pub(super) type Place = (usize, usize);

/// The coordinates that forces can move.
pub(super) fn places(world: &World) -> Vec<Place> {
    let axes = world.bodies().iter().enumerate().flat_map(|(body, own)| {
        let inverse = own.inverse_mass().to_array();
        (0..3).filter(move |axis| inverse[*axis] > 0.0).map(move |axis| (body, axis))
    });
    axes.collect()
}

impl<'w> Stage<'w> {
    /// The world's state, with a direction for each of `places` in q, then in v, then for each integral if `remembers`.
    pub fn new(world: &'w World, h: f64, places: &[Place], remembers: bool) -> Self {
        let bodies = world.bodies();
        let held = world.nonholonomic().iter();
        let sums: Vec<f64> = held.flat_map(|own| own.integral[..own.kind.rows()].iter().copied()).collect();
        let inverse_mass: Vec<DVec3> = bodies.iter().map(|body| body.inverse_mass()).collect();
        let one = |w: &DVec3| if w.x > 0.0 { DVec3::ONE } else { DVec3::ZERO };
        let directions = 2 * places.len() + if remembers { sums.len() } else { 0 };
        let rest = Jet {
            value: vec![DVec3::ZERO; bodies.len()],
            slopes: vec![vec![DVec3::ZERO; bodies.len()]; directions],
        };
        let (mut q, mut v) = (rest.clone(), rest);
        q.value = bodies.iter().map(|body| body.pose.coordinates()).collect();
        v.value = (0..bodies.len()).map(|body| world.velocity_of(body)).collect();
        for (index, (body, axis)) in places.iter().enumerate() {
            q.slopes[index][*body][*axis] = 1.0;
            v.slopes[places.len() + index][*body][*axis] = 1.0;
        }
        let mut slopes = vec![vec![0.0; sums.len()]; directions];
        let integrals = slopes.iter_mut().skip(2 * places.len()).enumerate();
        integrals.for_each(|(index, slope)| slope[index] = 1.0);
        let identity = inverse_mass.iter().map(one).collect();
        let (active, sums) = (Vec::new(), Jet { value: sums, slopes });
        let (swinging, mobility, mean) = (Vec::new(), Vec::new(), Vec::new());
        Self { world, h, active, identity, inverse_mass, q, v, swinging, mobility, mean, sums }
    }

    /// Joints, non-holonomic rows, contacts and springs at the present state.
    pub fn rows(&self) -> Vec<Curved> {
        rows(self.world, &self.active, &self.q.value, &self.v.value)
    }

    /// [`Stage::rows`] without the springs that act in the middle of the step.
    pub fn rows_of_start(&self) -> Vec<Curved> {
        let mut rows = self.rows();
        rows.retain(|row| !self.swings(row));
        rows
    }

    /// The springs that act in the middle of the step, the pose of their rows, and b and J v of each.
    ///
    /// # Errors
    /// A matrix that is not finite.
    pub fn middle<'w2>(&self, inverse_mass: &'w2 [DVec3]) -> Result<Middle<'w2>, StabilityError> {
        let (h, v) = (self.h, &self.v);
        let swinging = |place: &Jet<Field>| {
            let mut rows = rows(self.world, &[], &place.value, &v.value);
            rows.retain(|row| self.swings(row));
            System::new(rows, inverse_mass, |row| compliance(self.impulse(row)))
        };
        let mut half = self.q.clone(); // q½ = q + ½h v
        half.add(0.5 * h, v);
        // u, the change of v by these springs with J(q½)
        let mut first = swinging(&half)?;
        let b = self.bias(&first.rows, |row| Demand::of_spring(row, self.impulse(row), &v.value, 0.5 * h));
        let mut after = v.clone();
        self.kicked(&mut after.value, h);
        first.solve(&half, &mut after, &b);
        let mut way = self.q.zero_like(); // ¼h u
        for &(body, moved) in &self.mean {
            let quarter = 0.25 * h * moved;
            way.value[body] = quarter * (after.value[body] - v.value[body]);
            for ((way, after), v) in way.slopes.iter_mut().zip(&after.slopes).zip(&v.slopes) {
                way[body] = quarter * (after[body] - v[body]);
            }
        }
        let mut place = half.clone();
        place.add(1.0, &way);
        let system = swinging(&place)?;
        let mut end = half.clone(); // q + h v + ½h u
        end.add(0.5 * h, v);
        end.add(2.0, &way);
        let (starts, ends) = (swinging(&self.q)?.rows, swinging(&end)?.rows);
        // b = (h k (½(s + s⁺) − J ¼h u) + t J v)/r, s and s⁺ at q and the predicted q⁺, J at q½ + ¼h u
        let mut b = Jet { value: Vec::new(), slopes: vec![Vec::new(); self.q.slopes.len()] };
        let mut rate = b.clone();
        for ((row, start), last) in system.rows.iter().zip(&starts).zip(&ends) {
            let Some(own) = self.impulse(row) else { continue };
            let (pull, t, r) = (own.pull, own.before, own.after);
            let s = 0.5 * (start.row.g + last.row.g) - row.along(&way.value);
            b.value.push((pull * s + t * row.along(&v.value)) / r);
            rate.value.push(row.along(&v.value));
            let (of_way, of_v) = (row.sweep(&way.value), row.sweep(&v.value));
            for direction in 0..self.q.slopes.len() {
                let turned = &place.slopes[direction];
                let change = row.along(&v.slopes[direction]) + row.times(&of_v, turned);
                let ends = start.along(&self.q.slopes[direction]) + last.along(&end.slopes[direction]);
                let moved = 0.5 * ends - row.along(&way.slopes[direction]) - row.times(&of_way, turned);
                b.slopes[direction].push((pull * moved + t * change) / r);
                rate.slopes[direction].push(change);
            }
        }
        Ok(Middle { system, place, b, rate })
    }

    /// The impulse of a spring's row in the step; `None` of other rows.
    pub fn impulse(&self, row: &Curved) -> Option<SpringImpulse> {
        let Kind::Spring([_, number], softness) = row.kind else { return None };
        softness.impulse(self.h, self.mobility.get(number).copied().unwrap_or_default())
    }

    pub fn swings(&self, row: &Curved) -> bool {
        matches!(row.kind, Kind::Spring([spring, _], _) if self.swinging.get(spring) == Some(&true))
    }

    /// q ← q − ½h (v − `before`) of what the mean velocity moves.
    pub fn swing_back(&mut self, before: &Jet<Field>) {
        let h = self.h;
        for &(body, moved) in &self.mean {
            let back = |q: &mut Field, v: &Field, before: &Field| {
                q[body] -= 0.5 * h * moved * (v[body] - before[body]);
            };
            back(&mut self.q.value, &self.v.value, &before.value);
            for ((q, v), before) in self.q.slopes.iter_mut().zip(&self.v.slopes).zip(&before.slopes) {
                back(q, v, before);
            }
        }
    }

    /// v ← v + duration · gravity.
    pub fn kick(&mut self, duration: f64) {
        let mut v = std::mem::take(&mut self.v.value);
        self.kicked(&mut v, duration);
        self.v.value = v;
    }

    /// Adds duration · gravity to the velocities `v`.
    fn kicked(&self, v: &mut [DVec3], duration: f64) {
        let gravity = self.world.gravity().extend(0.0);
        for ((v, w), body) in v.iter_mut().zip(&self.inverse_mass).zip(self.world.bodies()) {
            if w.x > 0.0 {
                *v += duration * (body.gravity_scale * gravity);
            }
        }
    }

    /// q ← q + h v; prescribed bodies move to their prescribed positions.
    pub fn drift(&mut self) {
        self.q.add(self.h, &self.v);
        self.place_prescribed(self.h);
    }

    /// Moves bodies on a prescribed path to their prescribed positions `elapsed` after the start of the step.
    pub fn place_prescribed(&mut self, elapsed: f64) {
        for (index, body) in self.world.bodies().iter().enumerate() {
            if let Some(path) = body.path() {
                self.q.value[index] = path.placed(self.q.value[index], self.world.time(), elapsed);
            }
        }
    }

    /// Gives prescribed bodies the mean velocity of the step.
    pub fn prescribe_mean_velocity(&mut self) {
        for (index, body) in self.world.bodies().iter().enumerate() {
            if let Some(path) = body.path() {
                self.v.value[index] = path.mean_velocity(self.q.value[index], self.world.time(), self.h);
            }
        }
    }

    /// Gives prescribed bodies their velocity `elapsed` after the start of the step.
    pub fn prescribe_velocity(&mut self, elapsed: f64) {
        for (index, body) in self.world.bodies().iter().enumerate() {
            if let Some(path) = body.path() {
                self.v.value[index] = path.velocity(self.world.time() + elapsed);
            }
        }
    }

    /// v₀ (`rate` false) or v̇₀ of a non-holonomic row, `elapsed` after the start of the step.
    pub fn prescribed(&self, constraint: usize, row: usize, elapsed: f64) -> (f64, f64) {
        let kind = &self.world.nonholonomic()[constraint].kind;
        let prescribed = kind.prescribed(self.world.time() + elapsed)[row];
        (prescribed.value, prescribed.rate)
    }

    /// The term b that is added to J y + C λ in every row: `demand` gives its value, and its derivative along (δq,
    /// δv).
    pub fn bias<'a>(&self, rows: &'a [Curved], demand: impl Fn(&'a Curved) -> Demand<'a>) -> Jet<Vec<f64>> {
        let demands: Vec<Demand<'a>> = rows.iter().map(demand).collect();
        let slope = |dq: &Field, dv: &Field| demands.iter().map(|own| (own.slope)(dq, dv)).collect();
        Jet {
            value: demands.iter().map(|own| own.value).collect(),
            slopes: self.q.slopes.iter().zip(&self.v.slopes).map(|(dq, dv)| slope(dq, dv)).collect(),
        }
    }

    /// One correction of the positions, W⁻¹dp = Jᵀλ, g + J dp = 0, no body's longer than `bound`, m and rad.
    ///
    /// # Errors
    /// A matrix that is not finite, a correction that the bound cuts.
    pub fn correct_positions(&mut self, inverse_mass: &[DVec3], bound: f64) -> Result<(), StabilityError> {
        let joints = self.rows().into_iter().filter(|row| row.kind == Kind::Joint).collect();
        let mut system = System::new(joints, inverse_mass, |_| 0.0)?;
        let b = self.bias(&system.rows, |row| Demand::of(row.row.g, move |dq, _| row.along(dq)));
        let mut dp = self.q.zero_like();
        system.solve(&self.q, &mut dp, &b);
        let longest = |dp: &DVec3| dp.truncate().length().max(dp.z.abs());
        if dp.value.iter().map(longest).any(|size| size > bound) {
            return Err(StabilityError::NotThisStep);
        }
        self.q.add(1.0, &dp);
        Ok(())
    }

    /// J v + c = 0 and N v = v₀ at the present pose, `elapsed` after the start of the step.
    ///
    /// # Errors
    /// A matrix that is not finite.
    pub fn project_velocities(&mut self, elapsed: f64) -> Result<(), StabilityError> {
        let rows = self.rows().into_iter().filter(|row| !row.kind.is_spring()).collect();
        let inverse_mass = self.inverse_mass.clone();
        let mut system = System::new(rows, &inverse_mass, |_| 0.0)?;
        let b = self.bias(&system.rows, |row| match row.kind {
            Kind::Held(constraint, own) => Demand::constant(-self.prescribed(constraint, own, elapsed).0),
            _ => Demand::constant(0.0),
        });
        system.solve(&self.q, &mut self.v, &b);
        Ok(())
    }

    /// Largest |g| of the joints.
    pub fn joint_error(&self) -> f64 {
        let rows = self.rows();
        let joints = rows.iter().filter(|row| row.kind == Kind::Joint);
        crate::internal::largest(joints.map(|row| row.row.g))
    }
}

/// A derivative along (δq, δv).
type Slope<'a> = Box<dyn Fn(&Field, &Field) -> f64 + 'a>;

/// What a row demands: a value, and its derivative along (δq, δv).
pub(super) struct Demand<'a> {
    pub value: f64,
    pub slope: Slope<'a>,
}

impl<'a> Demand<'a> {
    pub fn of(value: f64, slope: impl Fn(&Field, &Field) -> f64 + 'a) -> Self {
        Self { value, slope: Box::new(slope) }
    }

    pub fn constant(value: f64) -> Self {
        Self::of(value, |_, _| 0.0)
    }

    /// b of a spring's row with this impulse in a step that begins with the velocity `v`; the row is that at q + `lead` v.
    pub fn of_spring(row: &'a Curved, own: Option<SpringImpulse>, v: &[DVec3], lead: f64) -> Self {
        let Some(own) = own else { return Self::constant(0.0) };
        let (sweep, (_, bias)) = (row.sweep(v), own.row(row.row.g, row.along(v)));
        Self::of(bias, move |dq, dv| {
            let moved = row.along(dq) + lead * row.along(dv);
            let turned = row.times(&sweep, dq) + lead * row.times(&sweep, dv);
            (own.pull * moved + own.before * (row.along(dv) + turned)) / own.after
        })
    }

    /// b of a spring's row in the implicit midpoint rule over two halves of `duration`.
    pub fn of_midpoint(row: &'a Curved, softness: Softness, duration: f64) -> Self {
        let bias = softness.row(row.row.g, duration).map_or(0.0, |(_, b)| b);
        let gain = duration * softness.stiffness + softness.damping;
        Self::of(bias, move |dq, _| softness.stiffness / gain * row.along(dq))
    }
}

/// c of a row with this impulse; 0 of rows that are no spring's.
pub(super) fn compliance(own: Option<SpringImpulse>) -> f64 {
    own.map_or(0.0, |own| 1.0 / own.after)
}

/// c of a row in the implicit midpoint rule over two halves of `duration`.
pub(super) fn compliance_of_midpoint(row: &Curved, duration: f64) -> f64 {
    match row.kind {
        Kind::Spring(_, softness) => softness.row(row.row.g, duration).map_or(0.0, |(c, _)| c),
        _ => 0.0,
    }
}
