//! A world at one moment: its bodies' states, every row of its constraints, and who touches whom.

use crate::constraint::{NamedRow, Touches, named_rows};
use crate::detect::{Contact, Detector, Reach};
use crate::model::joint::{DistanceForm, Unit};
use crate::model::{BodyKind, Frame, JointKind, World};
use glam::{DVec2, DVec3};

/// States and rows at one moment, by the world's indices.
#[derive(Debug, Default)]
pub(super) struct Moment {
    pub q: Vec<DVec3>,
    pub v: Vec<DVec3>,
    pub frames: Vec<Frame>,
    pub rows: Vec<NamedRow>,
}

impl Moment {
    /// Reads a world; `is_told` where the velocities of bodies on a prescribed path are those of a line, and not of the path.
    pub fn read(&mut self, world: &World, is_told: bool) {
        let Self { q, v, frames, rows } = self;
        q.clear();
        q.extend(world.bodies().iter().map(|body| body.pose.coordinates()));
        v.clear();
        v.extend(world.bodies().iter().enumerate().map(|(index, body)| match body.kind() {
            BodyKind::Kinematic(_) if is_told => body.velocity.coordinates(),
            _ => world.velocity_of(index),
        }));
        frames.clear();
        frames.extend(q.iter().zip(&*v).map(|(q, v)| Frame::new(*q, *v)));
        named_rows(world, frames, rows);
    }
}

/// A row's error and rate, in m and m/s or rad and rad/s: of a squared distance those of the distance itself,
///
/// ```text
/// r − L = √(L² + g) − L ,     ṙ = ġ/(2r)          for g = r² − L²
/// ```
pub(super) fn error_of(row: &NamedRow, v: &[DVec3], kind: Option<&JointKind>) -> (Unit, f64, f64) {
    let (g, rate) = (row.row.g, row.row.rate(v));
    match (row.row.unit, kind) {
        (Unit::SquareMetre, Some(JointKind::Distance(own))) if own.form == DistanceForm::Squared => {
            let r = (own.length * own.length + g).max(0.0).sqrt();
            (Unit::Metre, r - own.length, if r > 0.0 { rate / (2.0 * r) } else { rate })
        }
        (unit, _) => (unit, g, rate),
    }
}

/// Two bodies that touch or nearly touch, as our own detection sees them, with their surfaces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub bodies: [usize; 2],
    pub point: DVec2,
    /// m, negative where they overlap.
    pub gap: f64,
    pub friction: f64,
    pub restitution: f64,
    /// Speed of both surfaces: friction acts against perp(n)·(v_b − v_a) and this, m/s.
    pub speed: f64,
}

/// Our own detection.
#[derive(Debug, Default)]
pub(super) struct Sight {
    detector: Detector,
    touches: Touches,
    contacts: Vec<Contact>,
    pub seen: Vec<Seen>,
    /// Whether the last look has found all there are.
    pub is_whole: bool,
}

impl Sight {
    /// Finds who is nearer than `reach`, m; false where there are too many to be found.
    pub fn look(&mut self, world: &World, moment: &Moment, reach: f64) -> bool {
        let Self { detector, touches, contacts, seen, is_whole } = self;
        let reach = Reach { distance: reach, travel: 0.0 };
        detector.detect(world, &moment.frames, &reach, contacts);
        touches.evaluate(world, &moment.frames, contacts, &moment.v);
        seen.clear();
        for (contact, touch) in contacts.iter().zip(touches.contacts()) {
            let bodies = contact.bodies();
            let [a, b] = bodies.map(|body| &moment.frames[body]);
            let gap = contact.gap(world.bodies(), a, b);
            let tangent = touch.tangent;
            seen.push(Seen {
                bodies,
                point: gap.point,
                gap: gap.phi,
                friction: tangent.map_or(0.0, |own| own.friction),
                restitution: touch.restitution,
                speed: tangent.map_or(0.0, |own| own.speed),
            });
        }
        *is_whole = detector.crowd().is_none();
        *is_whole
    }

    /// The contact of two bodies that is nearest to a point, and its place among those that are seen.
    pub fn nearest(&self, bodies: [usize; 2], point: DVec2) -> Option<(usize, &Seen)> {
        let [a, b] = bodies;
        let of_both = self.seen.iter().enumerate();
        let of_both = of_both.filter(|(_, own)| own.bodies == [a, b] || own.bodies == [b, a]);
        of_both.min_by(|(_, one), (_, other)| {
            let [one, other] = [one, other].map(|own| own.point.distance_squared(point));
            one.total_cmp(&other)
        })
    }

    /// The largest overlap of the last look's world at `moment`, m; none where there are too many contacts.
    pub fn overlap(&mut self, world: &World, moment: &Moment) -> Option<f64> {
        self.detector.overlap(world, &moment.frames)
    }
}
