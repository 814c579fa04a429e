//! Collision detection: gaps, their derivatives, contact manifolds, and which pairs are tested.

mod broad;
mod curves;
mod degenerate;
mod derivatives;
mod distances;
mod manifolds;
mod polylines;
mod seams;
mod space;
mod surface;
mod tiles;

use driftlab::detect::{Contact, Detector, Gap, Reach};
use driftlab::model::{Body, BodyKind, Frame, MassSpec, Placement, Shape, World};
use glam::{DVec2, DVec3};

/// xorshift64*: the same numbers on every machine.
pub struct Random(pub u64);

impl Random {
    /// Uniform in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11;
        low + (high - low) * bits as f64 / (1_u64 << 53) as f64
    }

    pub fn vec2(&mut self, size: f64) -> DVec2 {
        DVec2::new(self.between(-size, size), self.between(-size, size))
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.between(0.0, n as f64) as usize).min(n - 1)
    }
}

/// A body at rest; fixed if one of its shapes has no area.
pub fn body(shape: Shape, at: DVec2, angle: f64) -> Body {
    compound(vec![Placement::centred(shape)], at, angle)
}

pub fn compound(shapes: Vec<Placement>, at: DVec2, angle: f64) -> Body {
    let dynamic = shapes.iter().all(|placed| placed.shape.has_area());
    let kind = if dynamic { BodyKind::Dynamic } else { BodyKind::Fixed };
    Body::new(kind, at, angle, shapes, MassSpec::default()).unwrap()
}

pub fn world(bodies: Vec<Body>) -> World {
    let mut world = World::new(DVec2::ZERO);
    for body in bodies {
        world.add_body(body).unwrap();
    }
    world
}

pub fn frames(world: &World) -> Vec<Frame> {
    (0..world.bodies().len()).map(|i| world.frame(i)).collect()
}

/// Contacts within `distance`, with their gaps.
pub fn detect(world: &World, distance: f64) -> Vec<(Contact, Gap)> {
    detect_at(world, &frames(world), distance)
}

pub fn detect_at(world: &World, frames: &[Frame], distance: f64) -> Vec<(Contact, Gap)> {
    let mut contacts = Vec::new();
    Detector::default().detect(world, frames, &Reach { distance, travel: 0.0 }, &mut contacts);
    let gap = |contact: &Contact| {
        let [a, b] = contact.bodies().map(|i| &frames[i]);
        contact.gap(world.bodies(), a, b)
    };
    contacts.iter().map(|contact| (*contact, gap(contact))).collect()
}

/// The signed distance of two bodies: the least φ.
pub fn signed_distance(a: &Body, b: &Body) -> Option<f64> {
    let mut b = b.clone();
    let mut a = a.clone();
    a.collides = true;
    b.collides = true;
    let found = detect(&world(vec![a, b]), 1e6);
    found.iter().map(|(_, gap)| gap.phi).min_by(f64::total_cmp)
}

/// Asserts that a gap is made of finite numbers and a unit normal.
#[track_caller]
pub fn assert_sound(gap: &Gap) {
    let finite = |v: DVec3| v.is_finite();
    assert!(gap.phi.is_finite() && gap.k.is_finite() && gap.point.is_finite(), "{gap:?}");
    assert!([gap.ja, gap.jb, gap.ta, gap.tb].into_iter().all(finite), "{gap:?}");
    assert!((gap.normal.length() - 1.0).abs() < 1e-12, "{gap:?}");
}

/// A convex polygon of 3 to 8 vertices on a circle of varying radius, counter-clockwise.
pub fn convex_polygon(random: &mut Random) -> Vec<DVec2> {
    loop {
        let count = 3 + random.below(6);
        let radius = random.between(0.2, 1.5);
        let squash = random.between(0.2, 1.0);
        let mut angles: Vec<f64> = (0..count).map(|_| random.between(0.0, std::f64::consts::TAU)).collect();
        angles.sort_by(f64::total_cmp);
        let apart = angles.windows(2).all(|w| w[1] - w[0] > 0.1) && angles[0] + 6.18 > angles[count - 1];
        if apart {
            let point = |a: &f64| DVec2::from_angle(*a) * radius * DVec2::new(1.0, squash);
            return angles.iter().map(point).collect();
        }
    }
}
