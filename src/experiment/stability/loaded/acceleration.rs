//! The acceleration level, as the engine steps it, each line with its derivative.
//!
//! ```text
//! a = g + W Jᵀλ ,   J a + C λ + r = 0 ,   r = k + 2α (J v + c) + β² g                 joints
//!                                         r = k − v̇₀ + 2α (N v − v₀) + β² ∫e dt        non-holonomic rows
//!                                         r = (J v + b)/h                               springs of semi-implicit Euler, b of
//!   `model/spring.rs`
//! ```
//!
//! Explicit Euler and Runge–Kutta take springs as the forces −k s − d ṡ. δr holds ∂k/∂q and ∂k/∂v: at rest both vanish.

use super::super::StabilityError;
use super::rows::{Curved, Kind};
use super::stage::{Demand, Middle, Stage, compliance};
use super::system::{Field, Jet, System, push, stiffen};
use crate::method::{Integrator, Oscillator, Quadrature};
use crate::model::BodyKind;
use glam::DVec3;

/// Nodes and weights of the classical Runge–Kutta method.
const RK4_NODES: [f64; 4] = [0.0, 0.5, 0.5, 1.0];
const RK4_WEIGHTS: [f64; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];

/// How springs act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Springs {
    InTheRows,
    Forces,
}

impl Stage<'_> {
    /// One step of the integrator.
    pub fn acceleration_step(
        &mut self,
        integrator: Integrator,
        oscillator: Oscillator,
    ) -> Result<(), StabilityError> {
        let memory = self.add_up(oscillator.integral);
        match integrator {
            Integrator::SemiImplicitEuler => {
                let a = self.acceleration(0.0, oscillator, &memory, Springs::InTheRows)?;
                let before = self.v.clone();
                self.accelerate(self.h, &a);
                self.drift();
                self.swing_back(&before);
            }
            Integrator::ExplicitEuler => {
                let a = self.acceleration(0.0, oscillator, &memory, Springs::Forces)?;
                self.drift();
                self.accelerate(self.h, &a);
            }
            Integrator::Rk4 => self.runge_kutta(oscillator, &memory)?,
        }
        Ok(())
    }

    fn runge_kutta(
        &mut self,
        oscillator: Oscillator,
        memory: &Jet<Vec<f64>>,
    ) -> Result<(), StabilityError> {
        let h = self.h;
        let (q, v) = (self.q.clone(), self.v.clone());
        let (mut dq, mut dv) = (q.zero_like(), q.zero_like());
        let mut a = q.zero_like();
        for (stage, (node, weight)) in RK4_NODES.into_iter().zip(RK4_WEIGHTS).enumerate() {
            if stage > 0 {
                let speed = std::mem::replace(&mut self.v, v.clone());
                self.q = q.clone();
                self.q.add(node * h, &speed);
                self.v.add(node * h, &a);
                self.place_prescribed(node * h);
                self.prescribe_velocity(node * h);
            }
            a = self.acceleration(node * h, oscillator, memory, Springs::Forces)?;
            dq.add(weight, &self.v);
            dv.add(weight, &a);
        }
        (self.q, self.v) = (q, v);
        self.q.add(h, &dq);
        self.v.add(h, &dv);
        self.place_prescribed(h);
        Ok(())
    }

    /// v ← v + h a of bodies that forces move.
    fn accelerate(&mut self, h: f64, a: &Jet<Field>) {
        let prescribed = self.v.value.clone();
        self.v.add(h, a);
        for ((v, before), w) in self.v.value.iter_mut().zip(prescribed).zip(&self.inverse_mass) {
            if w.x == 0.0 {
                *v = before;
            }
        }
    }

    /// I ← I + h e; returns the I that this step uses.
    fn add_up(&mut self, integral: Quadrature) -> Jet<Vec<f64>> {
        let before = self.sums.clone();
        if integral != Quadrature::Off {
            let (rows, h) = (self.rows(), self.h);
            let held: Vec<&Curved> = rows.iter().filter(|row| matches!(row.kind, Kind::Held(..))).collect();
            for (row, sum) in held.iter().zip(&mut self.sums.value) {
                let Kind::Held(constraint, own) = row.kind else { continue };
                let kind = &self.world.nonholonomic()[constraint].kind;
                *sum += h * (row.along(&self.v.value) - kind.prescribed(self.world.time())[own].value);
            }
            let sweeps: Vec<_> = held.iter().map(|row| row.sweep(&self.v.value)).collect();
            let directions = self.q.slopes.iter().zip(&self.v.slopes);
            for ((dq, dv), sums) in directions.zip(&mut self.sums.slopes) {
                for ((row, sweep), sum) in held.iter().zip(&sweeps).zip(sums) {
                    *sum += h * (row.along(dv) + row.times(sweep, dq));
                }
            }
        }
        match integral {
            Quadrature::Present => self.sums.clone(),
            Quadrature::Late | Quadrature::Off => before,
        }
    }

    fn acceleration(
        &self,
        elapsed: f64,
        oscillator: Oscillator,
        memory: &Jet<Vec<f64>>,
        springs: Springs,
    ) -> Result<Jet<Field>, StabilityError> {
        let Oscillator { alpha, beta, integral } = oscillator;
        let (h, gravity) = (self.h, self.world.gravity().extend(0.0));
        let mut a = self.q.zero_like();
        for (index, body) in self.world.bodies().iter().enumerate() {
            match body.kind() {
                BodyKind::Dynamic => a.value[index] = body.gravity_scale * gravity,
                BodyKind::Fixed | BodyKind::Kinematic(_) => {
                    let path = body.path();
                    a.value[index] =
                        path.map_or(DVec3::ZERO, |own| own.acceleration(self.world.time() + elapsed));
                }
            }
        }
        let (soft, mut rows): (Vec<_>, Vec<_>) =
            self.rows().into_iter().partition(|row| row.kind.is_spring());
        let v = &self.v.value;
        let inverse_mass = &self.inverse_mass;
        match springs {
            Springs::Forces => self.push_springs(&soft, &mut a),
            Springs::InTheRows => {
                rows.extend(soft.into_iter().filter(|row| !self.swings(row)));
                let Middle { system: mut swinging, place, mut b, rate } = self.middle(inverse_mass)?;
                // (J v + b)/h
                let add = |b: &mut Vec<f64>, rate: &Vec<f64>| {
                    b.iter_mut().zip(rate).for_each(|(b, rate)| *b = (*rate + *b) / h);
                };
                add(&mut b.value, &rate.value);
                b.slopes.iter_mut().zip(&rate.slopes).for_each(|(b, rate)| add(b, rate));
                swinging.solve(&place, &mut a, &b);
            }
        }
        let mut system = System::new(rows, inverse_mass, |row| compliance(self.impulse(row)))?;
        let mut b = self.bias(&system.rows, |row| {
            let (rate, sweep) = (row.along(v), row.sweep(v));
            let rate_along = move |dq: &Field, dv: &Field| row.along(dv) + row.times(&sweep, dq);
            let damped =
                move |dq: &Field, dv: &Field| row.k_along(dq, dv) + 2.0 * alpha * rate_along(dq, dv);
            match row.kind {
                Kind::Joint => {
                    let value = row.row.k + 2.0 * alpha * rate + beta * beta * row.row.g;
                    Demand::of(value, move |dq, dv| damped(dq, dv) + beta * beta * row.along(dq))
                }
                Kind::Held(constraint, own) => {
                    let (due, change) = self.prescribed(constraint, own, elapsed);
                    Demand::of(row.row.k - change + 2.0 * alpha * (rate - due), damped)
                }
                Kind::Normal | Kind::Stuck => Demand::constant(0.0),
                Kind::Spring(..) => self.pull(row),
            }
        });
        if integral != Quadrature::Off {
            let held = system.rows.iter().enumerate().filter(|(_, row)| matches!(row.kind, Kind::Held(..)));
            for (own, (index, _)) in held.enumerate() {
                b.value[index] += beta * beta * memory.value[own];
                for (b, memory) in b.slopes.iter_mut().zip(&memory.slopes) {
                    b[index] += beta * beta * memory[own];
                }
            }
        }
        system.solve(&self.q, &mut a, &b);
        Ok(a)
    }

    /// (J v + b)/h of a spring's row at q.
    fn pull<'r>(&self, row: &'r Curved) -> Demand<'r> {
        let (h, v) = (self.h, &self.v.value);
        let Demand { value, slope } = Demand::of_spring(row, self.impulse(row), v, 0.0);
        let sweep = row.sweep(v);
        Demand::of((row.along(v) + value) / h, move |dq: &Field, dv: &Field| {
            (row.along(dv) + row.times(&sweep, dq) + slope(dq, dv)) / h
        })
    }

    /// a ← a + W Jᵀ(−k s − d ṡ).
    fn push_springs(&self, soft: &[Curved], a: &mut Jet<Field>) {
        let softness = |row: &Curved| match row.kind {
            Kind::Spring(_, softness) => (softness.stiffness, softness.damping),
            _ => (0.0, 0.0),
        };
        let v = &self.v.value;
        let force = |row: &Curved| {
            let (k, d) = softness(row);
            -k * row.row.g - d * row.along(v)
        };
        let forces: Vec<f64> = soft.iter().map(force).collect();
        push(soft, &self.inverse_mass, &forces, &mut a.value);
        for ((dq, dv), da) in self.q.slopes.iter().zip(&self.v.slopes).zip(&mut a.slopes) {
            let change = |row: &Curved| {
                let (k, d) = softness(row);
                -k * row.along(dq) - d * (row.along(dv) + row.times(&row.sweep(v), dq))
            };
            let changes: Vec<f64> = soft.iter().map(change).collect();
            stiffen(soft, &self.inverse_mass, &forces, dq, da);
            push(soft, &self.inverse_mass, &changes, da);
        }
    }
}
