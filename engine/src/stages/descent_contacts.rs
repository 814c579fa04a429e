//! The rows of a contact in a descent (`descent.rs`): normal, friction, rolling resistance, linear in the bodies' motion over the
//! step from q⁻ to q⁻ + d.
//!
//! ```text
//! C_n = (1 − α)(φ + δ) + J_n d ,      f_n ≤ 0 ;          C_n = φ + J_n d   of a pair that does not touch yet
//! C_t = (1 − α) t·(x_b − x_a) + J_t d + h s ,     |f_t| ≤ μ |λ_n| ,     C_r = J_r d ,     |f_r| ≤ c_r |λ_n|
//! ```
//!
//! with the margin δ and the speed s of the surfaces. x_a and x_b are the points of both bodies that met when the contact was
//! found, as long as neither is round and it sticks: |λ_t| < μ |λ_n|, and they have moved apart by less than the largest drift.
//! Bounds are those of the λ_n last found.

use super::dual_row::{DualRow, PER_CONSTRAINT, Rates};
use crate::constraint::Touch;
use crate::detect::Contact;
use crate::math::largest;
use crate::model::{ContactId, Frame, Memory, Piece, World};
use crate::stages::sequential_constraint::{MOST, clamp};
use glam::{DVec2, DVec3};

/// The rows of a contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactRows {
    /// Among those found.
    pub index: usize,
    pub bodies: [usize; 2],
    /// Rows in use.
    pub size: usize,
    pub rows: [DualRow; MOST],
    /// J of each row, by body.
    j: [[DVec3; 2]; MOST],
    /// C of the normal and of the tangential row at the start, m.
    start: [f64; 2],
    /// φ at the start, m, and whether the pair does not touch yet.
    gap: f64,
    open: bool,
    pub friction: f64,
    pub surface_speed: f64,
    rolling: f64,
    restitution: f64,
    approach: f64,
    rebound_speed: f64,
    /// The impulse of its rebound, N s, which λ does not contain.
    pub rebounded: f64,
    /// x_a and x_b in the axes of their bodies, m.
    anchors: [DVec2; 2],
    sticks: bool,
}

/// The distance, as a share of that between the two contacts of the last step, within which a contact continues another one
/// between the same pieces: where boxes of one width lie on one another, the vertices of the one and of the other take turns.
const SAME_PLACE: f64 = 0.1;

/// The numbers of the contact of the last step that this one continues: of the same features, or, if these are new, of the
/// nearest one that is gone.
pub(super) fn continued<'a>(
    contact: &Contact,
    found: &[Contact],
    world: &World,
    frames: [&Frame; 2],
    memory: &'a Memory,
) -> Option<&'a [f64]> {
    let before = || memory.contacts_between(contact.id.pair());
    if let Some((_, numbers)) = before().find(|(id, _)| *id == contact.id) {
        return Some(numbers);
    }
    let own = contact.gap(world.bodies(), frames[0], frames[1]).point;
    let at = |numbers: &[f64]| {
        let [x, y] = [numbers[2 * MOST], numbers[2 * MOST + 1]];
        frames[0].position + frames[0].rotation.apply(DVec2::new(x, y))
    };
    let is_gone = |id: &ContactId| found.binary_search_by_key(id, |contact| contact.id).is_err();
    let mut places = before().map(|(_, numbers)| at(numbers));
    let between = places.next().zip(places.next()).map_or(0.0, |(one, other)| one.distance(other));
    let gone =
        before().filter(|(id, _)| is_gone(id)).map(|(_, numbers)| (at(numbers).distance(own), numbers));
    let nearest = gone.min_by(|one, other| one.0.total_cmp(&other.0));
    nearest.filter(|(distance, _)| *distance <= SAME_PLACE * between).map(|(_, numbers)| numbers)
}

/// Whether no piece is round: a point of one that rolls leaves the contact.
fn is_flat(contact: &Contact, world: &World) -> bool {
    let (_, pieces) = contact.id.pair();
    contact.bodies().into_iter().zip(pieces).all(|(body, piece)| {
        match world.bodies()[body].pieces().get(piece as usize) {
            Some(Piece::Core(core)) => core.radius == 0.0,
            Some(Piece::HalfPlane { .. }) => true,
            Some(Piece::Ellipse(_)) | None => false,
        }
    })
}

impl ContactRows {
    /// The rows at the start of a step, at these frames; `kept` are the numbers of the contact that it continues.
    pub fn new(
        (index, contact): (usize, &Contact),
        touch: &Touch,
        (world, frames): (&World, [&Frame; 2]),
        kept: Option<&[f64]>,
        rates: &Rates,
    ) -> Self {
        let gap = contact.gap(world.bodies(), frames[0], frames[1]);
        let (n, t) = (gap.normal, gap.normal.perp());
        let halves = [-0.5, 0.5].map(|side| gap.point + side * gap.phi * n);
        let local =
            |side: usize, point: DVec2| frames[side].rotation.inverse_apply(point - frames[side].position);
        let mut anchors = [local(0, halves[0]), local(1, halves[1])];
        let mut rows = [DualRow::default(); MOST];
        let numbers = kept.unwrap_or(&[0.0; PER_CONSTRAINT]);
        for (at, row) in rows.iter_mut().enumerate() {
            row.warm_start(numbers[at], numbers[MOST + at], rates);
        }
        let mut sticks = false;
        if let &[ax, ay, bx, by, stuck] = &numbers[2 * MOST..]
            && stuck > 0.0
            && is_flat(contact, world)
        {
            (anchors, sticks) = ([DVec2::new(ax, ay), DVec2::new(bx, by)], true);
        }
        let (friction, surface_speed) = touch.tangent.map_or((0.0, 0.0), |own| (own.friction, own.speed));
        let [x_a, x_b] =
            [0, 1].map(|side| frames[side].position + frames[side].rotation.apply(anchors[side]));
        let apart = if sticks { t.dot(x_b - x_a) } else { 0.0 };
        // Points that have drifted along t have the same levers as those that meet at present.
        let [of_a, of_b] = [0, 1].map(|side| t.extend((halves[side] - frames[side].position).perp_dot(t)));
        let open = gap.phi > 0.0;
        let size = if touch.rolling > 0.0 {
            3
        } else if friction > 0.0 {
            2
        } else {
            1
        };
        Self {
            index,
            bodies: contact.bodies(),
            size,
            rows,
            j: [[gap.ja, gap.jb], [-of_a, of_b], [-DVec3::Z, DVec3::Z]],
            start: [gap.phi + if open { 0.0 } else { rates.margin }, apart],
            gap: gap.phi,
            open,
            friction,
            surface_speed,
            rolling: touch.rolling,
            restitution: touch.restitution,
            approach: touch.approach,
            rebound_speed: touch.rebound_speed,
            rebounded: 0.0,
            anchors,
            sticks,
        }
    }

    /// Raises the penalty of a pair that does not touch yet to ten times the mass that its row moves over h², so that the
    /// iterations stop it in this step.
    pub fn stiffen_if_open(&mut self, inverse_mass: &[DVec3], h: f64, most: f64) {
        let ([a, b], [ja, jb]) = (self.bodies, self.j[0]);
        let mobility = ja.dot(inverse_mass[a] * ja) + jb.dot(inverse_mass[b] * jb);
        if self.open && mobility > 0.0 {
            self.rows[0].penalty = self.rows[0].penalty.max(10.0 / (mobility * h * h)).min(most);
        }
    }

    /// Its place of a body.
    #[inline]
    pub fn side(&self, body: usize) -> usize {
        usize::from(self.bodies[1] == body)
    }

    /// J of a row at the body in that place.
    #[inline]
    pub fn gradient(&self, row: usize, side: usize) -> DVec3 {
        self.j[row][side]
    }

    pub fn overlapped(&self) -> bool {
        self.gap < 0.0
    }

    /// C and f of each row where the bodies move by h u.
    #[inline]
    pub fn forces(&self, u: &[DVec3], h: f64, alpha: f64) -> [[f64; MOST]; 2] {
        let (a, b) = (u[self.bodies[0]], u[self.bodies[1]]);
        let left = 1.0 - alpha;
        let [mut c, mut f] = [[0.0; MOST]; 2];
        let normal = self.rows[0].lambda.abs();
        for i in 0..self.size {
            let moved = h * (self.j[i][0].dot(a) + self.j[i][1].dot(b));
            let DualRow { lambda, penalty, .. } = self.rows[i];
            c[i] = match i {
                0 if self.open => self.start[0] + moved,
                0 => left * self.start[0] + moved,
                1 => left * self.start[1] + moved + h * self.surface_speed,
                _ => moved,
            };
            let free = penalty * c[i] + lambda;
            f[i] = match i {
                0 => {
                    if free > 0.0 {
                        0.0
                    } else {
                        free
                    }
                }
                1 => clamp(free, self.friction * normal),
                _ => clamp(free, self.rolling * normal),
            };
        }
        [c, f]
    }

    /// λ ← f, and the growth of penalties; the largest |C|/h of a row within its bounds, m/s.
    pub fn update(&mut self, u: &[DVec3], h: f64, alpha: f64, rates: &Rates) -> f64 {
        let [c, f] = self.forces(u, h, alpha);
        let normal = self.rows[0].lambda.abs();
        self.note_sticking(rates.stick);
        let mut residual = 0.0;
        for i in 0..self.size {
            let inside = match i {
                0 => f[0] < 0.0,
                1 => f[1].abs() < self.friction * normal,
                _ => f[2].abs() < self.rolling * normal,
            };
            self.rows[i].update(f[i], c[i], 0.0, inside, (rates, h));
            // A moment's row is an angle.
            if inside && i < 2 {
                residual = largest([residual, c[i] / h]);
            }
        }
        residual
    }

    /// Notes whether it sticks with the present λ.
    pub fn note_sticking(&mut self, most: f64) {
        let bound = self.friction * self.rows[0].lambda.abs();
        let holds = self.rows[1].lambda.abs() < bound && self.start[1].abs() < most;
        self.sticks = holds && self.surface_speed == 0.0;
    }

    /// J_n v⁺ = −e φ̇ after an impact, by an impulse that is added to those on the bodies and that pulls no more than the contact
    /// has pushed.
    pub fn rebound(&mut self, inverse_mass: &[DVec3], v: &mut [DVec3], h: f64, on: &mut [DVec3; 4]) {
        let impact = self.approach < -self.rebound_speed && self.rows[0].lambda < 0.0;
        if !(impact && self.restitution > 0.0) {
            return;
        }
        let ([a, b], [ja, jb]) = (self.bodies, self.j[0]);
        let mobility = ja.dot(inverse_mass[a] * ja) + jb.dot(inverse_mass[b] * jb);
        if mobility > 0.0 {
            let rate = ja.dot(v[a]) + jb.dot(v[b]);
            let due = self.rebounded - (rate + self.restitution * self.approach) / mobility;
            let change = due.max(h * self.rows[0].lambda) - self.rebounded;
            v[a] += inverse_mass[a] * ja * change;
            v[b] += inverse_mass[b] * jb * change;
            on[0] += change * ja;
            on[1] += change * jb;
            self.rebounded += change;
        }
    }

    /// What is remembered of it.
    pub fn numbers(&self) -> [f64; PER_CONSTRAINT] {
        let mut numbers = [0.0; PER_CONSTRAINT];
        for (at, row) in self.rows.iter().enumerate().take(self.size) {
            (numbers[at], numbers[MOST + at]) = (row.lambda, row.penalty);
        }
        let [a, b] = self.anchors;
        let rest = [a.x, a.y, b.x, b.y, f64::from(u8::from(self.sticks))];
        numbers[2 * MOST..].copy_from_slice(&rest);
        numbers
    }
}
