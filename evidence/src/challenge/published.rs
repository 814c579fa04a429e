//! The challenge's own algorithm: XPBD as its page steps the pendulum, on points that know nothing of
//! angles.
//!
//! ```text
//! per substep η = (1/60 s)/n:  v ← v + η g ,  p ← x ,  x ← x + η v
//!   rod by rod from the wall:  λ = (|d| − L)/(w₁ + w₂) ,   x₁ ← x₁ + w₁ λ d/|d| ,   x₂ ← x₂ − w₂ λ d/|d|
//!   v ← (x − p)/η
//! ```
//!
//! d from one end of a rod to the other, w the inverse masses, 0 at the wall. With 'Enforce energy
//! conservation', a switch of the page that is off when it opens, each frame that has lost energy ends with
//! v ← v √((E_k − ΔE/3)/E_k) of each mass, so that their kinetic energies together gain what was lost.
//! [Müller, The Pendulum Challenge]. The page's damping is 0 by default, its collisions off.

use super::{FRAME, FRAMES, GRAVITY, MASSES, ROD, Sampled};
use glam::DVec2;

/// Whether each frame gives the masses back the energy that it has lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Energy {
    AsItIs,
    Enforced,
}

/// Positions and velocities of the masses.
struct Points {
    x: [DVec2; MASSES],
    v: [DVec2; MASSES],
}

impl Points {
    fn substep(&mut self, h: f64) {
        let before = self.x;
        for (x, v) in self.x.iter_mut().zip(&mut self.v) {
            v.y -= GRAVITY * h;
            *x += h * *v;
        }
        for rod in 0..MASSES {
            let (wall, start) = if rod == 0 { (0.0, DVec2::ZERO) } else { (1.0, self.x[rod - 1]) };
            let d = self.x[rod] - start;
            let lambda = (d.length() - ROD) / (wall + 1.0);
            let push = lambda * d.normalize();
            if rod > 0 {
                self.x[rod - 1] += push;
            }
            self.x[rod] -= push;
        }
        for ((v, x), before) in self.v.iter_mut().zip(&self.x).zip(before) {
            *v = (*x - before) / h;
        }
    }

    /// J, of masses of 1 kg.
    fn energy(&self) -> f64 {
        self.x.iter().zip(&self.v).map(|(x, v)| GRAVITY * x.y + 0.5 * v.length_squared()).sum()
    }

    fn enforce(&mut self, energy: f64) {
        let lost = (energy - self.energy()) / MASSES as f64;
        if lost > 0.0 {
            for v in &mut self.v {
                let kinetic = 0.5 * v.length_squared();
                *v *= ((kinetic + lost) / kinetic).sqrt();
            }
        }
    }

    /// The largest change of a rod's length, m.
    fn stretch(&self) -> f64 {
        let starts = std::iter::once(DVec2::ZERO).chain(self.x);
        let rods = self.x.iter().zip(starts).map(|(end, start)| (end.distance(start) - ROD).abs());
        rods.fold(0.0, f64::max)
    }
}

/// The motion with `substeps` a frame.
pub(super) fn motion(start: [DVec2; MASSES], substeps: u32, energy: Energy) -> Sampled {
    let mut points = Points { x: start, v: [DVec2::ZERO; MASSES] };
    let mut sampled =
        Sampled { places: vec![start], energies: vec![points.energy()], stretch: 0.0, parts: [0, 1] };
    for _ in 0..FRAMES {
        let before = points.energy();
        for _ in 0..substeps {
            points.substep(FRAME / f64::from(substeps));
        }
        if energy == Energy::Enforced {
            points.enforce(before);
        }
        sampled.stretch = sampled.stretch.max(points.stretch());
        sampled.places.push(points.x);
        sampled.energies.push(points.energy());
    }
    sampled
}
