//! The visits of contacts with friction, side by side: the exact solution of each one's law, with all other impulses as they are.
//!
//! A contact has two unknowns, x = (λ_n, λ_t), and Coulomb's law against w = b + A x, A its 2×2 block:
//!
//! ```text
//! b_n ≥ 0                                                    open        x = 0
//! x = −A⁻¹ b ,  |x_t| ≤ μ x_n                                sticks
//! x_n = −b_n/(A_nn + s μ A_nt) ,  x_t = s μ x_n ,  s w_t ≤ 0    slides      s = ±1
//! ```
//!
//! The sign s that sticking would need is tried first. Where friction of neither sign opposes the slip, which a long lever makes
//! possible, s stays; where A_nn + s μ A_nt vanishes, A_nn takes its place.
//!
//! Contacts side by side share no movable body, so that each one's numbers are those that it would have by itself.

use super::lanes::{Lanes, MOST};
use crate::lcp::problem::mixed::{Law, MixedProblem, MixedRow};

/// Least A_nn + s μ A_nt, and least determinant of the block, as shares of A_nn and of A_nn A_tt.
const LEAST_SLOPE: f64 = 1e-6;
const LEAST_DETERMINANT: f64 = 1e-10;
/// The bits of a number's exponent.
const EXPONENT: u64 = 0x7ff0_0000_0000_0000;

/// Whether a normal and a friction row are those of a contact: unilateral and Coulomb's, for the relative velocity of the
/// same two bodies, without compliance.
pub(super) fn is_contact(problem: &MixedProblem, [n, t]: [usize; 2]) -> bool {
    let (normal, tangent) = (&problem.rows[n], &problem.rows[t]);
    let is_relative = |row: &MixedRow| row.ja.truncate() == -row.jb.truncate() && row.compliance == 0.0;
    let is_even = |body: usize| problem.inverse_mass[body].x == problem.inverse_mass[body].y;
    normal.law == Law::Unilateral
        && matches!(tangent.law, Law::Friction { .. })
        && is_relative(normal)
        && is_relative(tangent)
        && normal.further.is_none()
        && tangent.further.is_none()
        && is_even(normal.a)
        && is_even(normal.b)
}

/// The units in which numbers side by side are kept: powers of two, so that no digit is lost, and the numbers of small and of
/// large things are within the range of single precision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Units {
    /// kg
    pub mass: f64,
    /// m/s
    pub speed: f64,
}

impl Units {
    pub const SI: Self = Self { mass: 1.0, speed: 1.0 };

    /// The mass of the lightest body, and the speed of the problem.
    pub fn of(problem: &MixedProblem) -> Self {
        let most = problem.inverse_mass.iter().fold(0.0, |most: f64, w| most.max(w.x));
        Self { mass: 1.0 / power(most), speed: power(problem.free_speed()) }
    }

    /// N s
    fn impulse(self) -> f64 {
        self.mass * self.speed
    }
}

/// The power of two that is at most x; 1 where there is none.
fn power(x: f64) -> f64 {
    let power = f64::from_bits(x.to_bits() & EXPONENT);
    if power.is_normal() { power } else { 1.0 }
}

/// Rows side by side, the normal rows of contacts or their friction rows.
#[derive(Clone, Copy, Debug, Default)]
struct Rows<L> {
    /// J of the displacement of body b along x and y, −J of that of body a; J of the angles of a and b.
    axis: [L; 2],
    levers: [L; 2],
    bias: L,
    lambda: L,
    /// d, the change of λ by the last sweep, and p.
    change: L,
    direction: L,
}

/// Contacts side by side. A place without a contact has rows of zeros, and a bias that keeps it open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contacts<L> {
    /// Bodies a and b of each, and its rows in the problem.
    ends: [[u32; MOST]; 2],
    places: [[u32; 2]; MOST],
    /// How many contacts there are.
    count: usize,
    normal: Rows<L>,
    tangent: Rows<L>,
    /// A_nn, A_nt and A_tt, and the same of A⁻¹.
    block: [L; 3],
    inverse: [L; 3],
    friction: L,
    /// 1/m and 1/I of bodies a and of bodies b.
    inverse_mass: [[L; 2]; 2],
}

impl<L: Lanes> Contacts<L> {
    /// No contacts; `idle` is a body that rests and that nothing touches.
    pub fn none(idle: u32) -> Self {
        let (rows, zero, one) = (Rows::default(), L::default(), L::splat(1.0));
        Self {
            ends: [[idle; MOST]; 2],
            places: [[0; 2]; MOST],
            count: 0,
            normal: Rows { bias: one, ..rows },
            tangent: rows,
            block: [one, zero, one],
            inverse: [one, zero, one],
            friction: zero,
            inverse_mass: [[zero; 2]; 2],
        }
    }

    /// Whether there is a place for one more.
    pub fn has_place(&self) -> bool {
        self.count < L::COUNT
    }

    /// Adds the contact of a normal and a friction row, unless no impulse on one of them moves anything.
    pub fn add(&mut self, problem: &MixedProblem, [n, t]: [usize; 2], lambda: &[f64], units: Units) {
        let (normal, tangent) = (&problem.rows[n], &problem.rows[t]);
        let Law::Friction { coefficient, .. } = tangent.law else { return };
        let inverse_masses = [normal.a, normal.b].map(|body| units.mass * problem.inverse_mass[body]);
        let times = |x: &MixedRow, y: &MixedRow| {
            x.ja.dot(inverse_masses[0] * y.ja) + x.jb.dot(inverse_masses[1] * y.jb)
        };
        let [nn, nt, tt] = [times(normal, normal), times(normal, tangent), times(tangent, tangent)];
        if nn <= 0.0 || tt <= 0.0 {
            return;
        }
        let determinant = (nn * tt - nt * nt).max(LEAST_DETERMINANT * nn * tt);
        let lane = self.count;
        self.count += 1;
        self.ends[0][lane] = normal.a as u32;
        self.ends[1][lane] = normal.b as u32;
        self.places[lane] = [n as u32, t as u32];
        for (rows, row, lambda) in
            [(&mut self.normal, normal, lambda[n]), (&mut self.tangent, tangent, lambda[t])]
        {
            rows.axis[0].put(lane, row.jb.x);
            rows.axis[1].put(lane, row.jb.y);
            rows.levers[0].put(lane, row.ja.z);
            rows.levers[1].put(lane, row.jb.z);
            rows.bias.put(lane, row.bias / units.speed);
            rows.lambda.put(lane, lambda / units.impulse());
        }
        for (all, own) in self.block.iter_mut().zip([nn, nt, tt]) {
            all.put(lane, own);
        }
        for (all, own) in self.inverse.iter_mut().zip([tt, -nt, nn]) {
            all.put(lane, own / determinant);
        }
        self.friction.put(lane, coefficient);
        for (all, w) in self.inverse_mass.iter_mut().zip(inverse_masses) {
            all[0].put(lane, w.x);
            all[1].put(lane, w.z);
        }
    }

    /// Moves λ along the conjugate direction with β, if there is one, and solves the laws; adds the ‖d‖² of their rows to `size`.
    #[inline(always)]
    pub fn visit(&mut self, beta: Option<f64>, bodies: &mut [L::Body], size: f64) -> f64 {
        self.normal.advance(beta);
        self.tangent.advance(beta);
        let [[ax, ay, turn_a], [bx, by, turn_b]] = [0, 1].map(|end| L::load(&self.ends[end], bodies));
        let v = ([bx - ax, by - ay], [turn_a, turn_b]);
        let Self { block: [nn, nt, tt], inverse_mass: [[ma, ia], [mb, ib]], .. } = *self;
        let (n, t) = (self.normal.lambda, self.tangent.lambda);
        let [n, t] =
            self.solve([self.normal.rate(v) - nn * n - nt * t, self.tangent.rate(v) - nt * n - tt * t]);
        let (dn, dt) = (self.normal.change_to(n), self.tangent.change_to(t));
        let push = |of: fn(&Rows<L>) -> L| of(&self.normal) * dn + of(&self.tangent) * dt;
        let [x, y] = [push(|rows| rows.axis[0]), push(|rows| rows.axis[1])];
        let [turn, other] = [push(|rows| rows.levers[0]), push(|rows| rows.levers[1])];
        L::store([ax - ma * x, ay - ma * y, turn_a + ia * turn], &self.ends[0], bodies);
        L::store([bx + mb * x, by + mb * y, turn_b + ib * other], &self.ends[1], bodies);
        let sizes = nn * (dn * dn) + tt * (dt * dt);
        (0..L::COUNT).fold(size, |sum, lane| sum + sizes.get(lane))
    }

    /// Returns x for the rates b.
    #[inline(always)]
    fn solve(&self, [bn, bt]: [L; 2]) -> [L; 2] {
        let Self { block: [nn, nt, tt], inverse, friction: mu, .. } = *self;
        let zero = L::default();
        let open = bn.at_least(zero);
        let n = -(inverse[0] * bn + inverse[1] * bt);
        let t = -(inverse[1] * bn + inverse[2] * bt);
        let presses = n.at_least(zero);
        let sticks = presses & (mu * n).at_least(t.abs());
        let (mut x, mut y) = (n, t);
        if !(open | sticks).all() {
            let slide = |s: L| {
                let slope = nn + s * nt;
                let x = -bn / L::choose(slope.above(L::splat(LEAST_SLOPE) * nn), slope, nn);
                let w = bt + (nt + s * tt) * x;
                (x, s * x, zero.at_least(s * w))
            };
            let is_positive = (presses & t.above(zero)) | (zero.above(n) & zero.above(bt));
            let s = L::choose(is_positive, mu, -mu);
            let (mut normal, mut friction, opposes) = slide(s);
            if !(opposes | open | sticks).all() {
                let (second, other, also) = slide(-s);
                let takes = L::choose(opposes, zero, also);
                normal = L::choose(takes, second, normal);
                friction = L::choose(takes, other, friction);
            }
            (x, y) = (L::choose(sticks, n, normal), L::choose(sticks, t, friction));
        }
        [L::choose(open, zero, x), L::choose(open, zero, y)]
    }

    /// Writes λ, by row of the problem.
    pub fn write(&self, lambda: &mut [f64], units: Units) {
        for (lane, [n, t]) in self.places.iter().enumerate().take(self.count) {
            lambda[*n as usize] = self.normal.lambda.get(lane) * units.impulse();
            lambda[*t as usize] = self.tangent.lambda.get(lane) * units.impulse();
        }
    }
}

impl<L: Lanes> Rows<L> {
    /// λ ← λ + β p, p ← d + β p.
    #[inline(always)]
    fn advance(&mut self, beta: Option<f64>) {
        match beta {
            Some(beta) => {
                let p = L::splat(beta) * self.direction;
                self.lambda += p;
                self.direction = self.change + p;
            }
            None => self.direction = L::default(),
        }
    }

    /// J v + b, of the velocity of b less that of a and the angular velocities of a and b.
    #[inline(always)]
    fn rate(&self, ([x, y], [a, b]): ([L; 2], [L; 2])) -> L {
        (self.bias + self.axis[0] * x + self.axis[1] * y) + (self.levers[0] * a + self.levers[1] * b)
    }

    /// Sets λ; returns d.
    #[inline(always)]
    fn change_to(&mut self, lambda: L) -> L {
        self.change = lambda - self.lambda;
        self.lambda = lambda;
        self.change
    }
}
