//! Forces that change within a step: fields, which depend on the pose, and driven forces, which depend on the time.
//!
//! ```text
//! step          F(q) of the fields ,  f p̄ with the mean p̄ of the profile over the step
//! RATTLE        fields at q and at q⁺ ;  substeps: fields at the start of each
//! RK stages     F(q_i) and f p(t_i)
//! ```
//!
//! What a step takes beyond the F of its start is noted, so that M (v⁺ − v) = h F + Σ Jᵀλ holds to rounding.

use super::motion::Motion;
use crate::model::{Profile, World};
use glam::DVec3;

impl Motion {
    /// Adds fields and driven forces to the free acceleration: those at the start, driven ones with the mean of their profiles
    /// over
    /// `h`, s.
    pub(super) fn begin_timed(&mut self, world: &World, h: f64) {
        self.driven.clear();
        self.timed.clear();
        self.late.clear();
        if world.fields().is_empty() && !world.has_driven_forces() {
            return;
        }
        for (index, _) in world.bodies().iter().enumerate().filter(|(_, body)| !body.driven.is_empty()) {
            let mean = driven_force(world, index, self.q[index].z, |own| own.mean(world.time, h));
            self.driven.push((index, self.q[index], mean));
        }
        let mut timed = std::mem::take(&mut self.timed);
        timed.extend((0..self.q.len()).map(|index| self.field_acceleration(world, index)));
        for (index, _, force) in &self.driven {
            timed[*index] += self.undamped[*index] * *force;
        }
        self.free_acceleration.iter_mut().zip(&timed).for_each(|(free, own)| *free += *own);
        self.timed = timed;
        self.late.resize(self.q.len(), DVec3::ZERO);
    }

    /// M⁻¹F of the fields on a body at its present pose.
    fn field_acceleration(&self, world: &World, index: usize) -> DVec3 {
        if world.fields().is_empty() || self.undamped[index].x == 0.0 {
            return DVec3::ZERO;
        }
        (world.bodies()[index].gravity_scale * world.field_at(self.q[index].truncate())).extend(0.0)
    }

    /// Takes the fields at the present pose for the rest of the step, of which `elapsed` seconds have passed.
    pub fn renew_fields(&mut self, world: &World, elapsed: f64) {
        if self.timed.is_empty() || world.fields().is_empty() {
            return;
        }
        for index in 0..self.q.len() {
            let mut now = self.field_acceleration(world, index);
            if let Some((_, _, force)) = self.driven.iter().find(|(own, ..)| *own == index) {
                now += self.undamped[index] * *force;
            }
            let change = now - self.timed[index];
            self.timed[index] = now;
            self.free_acceleration[index] += change;
            self.late[index] -= elapsed * change;
            if let Some((_, given)) = self.damped.iter_mut().find(|(own, _)| *own == index) {
                *given += change;
            }
        }
    }

    /// a ← a + what fields and driven forces do at the present pose and the time `t`, s, less what the step has taken at its
    /// start, in a stage of an explicit step that counts for `h` seconds.
    pub fn drive_stage(&mut self, world: &World, t: f64, h: f64) {
        for index in 0..self.timed.len() {
            let force = driven_force(world, index, self.q[index].z, |own| own.value(t));
            let now = self.field_acceleration(world, index) + self.undamped[index] * force;
            let change = now - self.timed[index];
            self.a[index] += change;
            self.late[index] += h * change;
        }
    }
}

/// The driven forces on a body at `angle`, each with what `share` takes of its profile, N, N and N m.
pub(super) fn driven_force(
    world: &World,
    index: usize,
    angle: f64,
    share: impl Fn(&Profile) -> f64,
) -> DVec3 {
    let body = &world.bodies()[index];
    let acting = body.driven.iter().filter(|own| own.acts(world.switches));
    let all = acting.map(|own| share(&own.profile) * own.applied.on(angle));
    if body.is_dynamic() { all.fold(DVec3::ZERO, |sum, own| sum + own) } else { DVec3::ZERO }
}
