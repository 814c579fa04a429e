//! The visits of a sweep: the exact solution of one contact's law, or of one row's, with all other impulses as they are.
//!
//! A visit changes w by A Δλ and v by W JᵀΔλ. Before it, λ moves along the conjugate direction: λ ← λ + β p, p ← d + β p.
//!
//! **A contact** has two unknowns, x = (λ_n, λ_t), and Coulomb's law against w = b + A x, A its 2×2 block:
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
//! **A row** by itself is projected: λ ← Π(λ − w/Aᵢᵢ).

use crate::lcp::problem::mixed::{Further, Law, MixedProblem, MixedRow};
use crate::math::Pair;
use glam::DVec3;

/// Least A_nn + s μ A_nt, and least determinant of the block, as shares of A_nn and of A_nn A_tt.
const LEAST_SLOPE: f64 = 1e-6;
const LEAST_DETERMINANT: f64 = 1e-10;

/// A body: its velocity and the diagonal of W.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving {
    pub linear: Pair,
    pub angular: f64,
    inverse_mass: [f64; 2],
}

impl Moving {
    pub fn of(v: DVec3, w: DVec3) -> Self {
        Self { linear: Pair::new([v.x, v.y]), angular: v.z, inverse_mass: [w.x, w.z] }
    }

    /// J v.
    fn rate(&self, j: DVec3) -> f64 {
        let [x, y] = (Pair::new([j.x, j.y]) * self.linear).to_array();
        x + y + j.z * self.angular
    }

    /// v ← v + W Jᵀ x.
    fn push(&mut self, x: f64, j: DVec3) {
        self.linear += Pair::splat(x * self.inverse_mass[0]) * Pair::new([j.x, j.y]);
        self.angular += x * self.inverse_mass[1] * j.z;
    }
}

/// A contact with friction. A pair holds the numbers of its normal and of its friction row.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrictionalContact {
    /// Its bodies, and its rows in the problem.
    ends: [u32; 2],
    rows: [u32; 2],
    /// J of the displacement of body b along x and y, −J of that of body a; J of the angles of a and b.
    axes: [Pair; 2],
    levers: [Pair; 2],
    bias: Pair,
    /// A and A⁻¹ by column.
    block: [Pair; 2],
    inverse: [Pair; 2],
    friction: f64,
    lambda: Pair,
    /// d, the change of λ by the last sweep, and p.
    change: Pair,
    direction: Pair,
}

impl FrictionalContact {
    /// Whether a normal and a friction row are those of a contact: unilateral and Coulomb's, for the relative velocity
    /// of the same two bodies, without compliance.
    pub fn fits(problem: &MixedProblem, [n, t]: [usize; 2]) -> bool {
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

    /// Returns the contact of a normal and a friction row, unless no impulse on one of them moves anything.
    pub fn of(problem: &MixedProblem, [n, t]: [usize; 2], lambda: &[f64]) -> Option<Self> {
        let (normal, tangent) = (&problem.rows[n], &problem.rows[t]);
        let Law::Friction { coefficient, .. } = tangent.law else { return None };
        let inverse_masses = [problem.inverse_mass[normal.a], problem.inverse_mass[normal.b]];
        let times = |x: &MixedRow, y: &MixedRow| {
            x.ja.dot(inverse_masses[0] * y.ja) + x.jb.dot(inverse_masses[1] * y.jb)
        };
        let [nn, nt, tt] = [times(normal, normal), times(normal, tangent), times(tangent, tangent)];
        let determinant = (nn * tt - nt * nt).max(LEAST_DETERMINANT * nn * tt);
        let of_rows = |of: fn(&MixedRow) -> f64| Pair::new([of(normal), of(tangent)]);
        (nn > 0.0 && tt > 0.0).then(|| Self {
            ends: [normal.a as u32, normal.b as u32],
            rows: [n as u32, t as u32],
            axes: [of_rows(|row| row.jb.x), of_rows(|row| row.jb.y)],
            levers: [of_rows(|row| row.ja.z), of_rows(|row| row.jb.z)],
            bias: of_rows(|row| row.bias),
            block: [Pair::new([nn, nt]), Pair::new([nt, tt])],
            inverse: [
                Pair::new([tt / determinant, -nt / determinant]),
                Pair::new([-nt / determinant, nn / determinant]),
            ],
            friction: coefficient,
            lambda: Pair::new([lambda[n], lambda[t]]),
            change: Pair::ZERO,
            direction: Pair::ZERO,
        })
    }

    /// Moves λ along the conjugate direction with β, if there is one, and solves the law; returns ‖d‖² of its rows.
    #[inline(always)]
    pub fn visit(&mut self, beta: Option<f64>, bodies: &mut [Moving]) -> f64 {
        let [a, b] = self.ends.map(|end| end as usize);
        let (from, to) = (bodies[a], bodies[b]);
        match beta {
            Some(beta) => {
                let p = Pair::splat(beta) * self.direction;
                self.lambda += p;
                self.direction = self.change + p;
            }
            None => self.direction = Pair::ZERO,
        }
        let [x, y] = (to.linear - from.linear).to_array();
        let w = (self.bias + self.axes[0] * Pair::splat(x) + self.axes[1] * Pair::splat(y))
            + (self.levers[0] * Pair::splat(from.angular) + self.levers[1] * Pair::splat(to.angular));
        let [n, t] = self.lambda.to_array();
        let next = self.solve(w - self.block[0] * Pair::splat(n) - self.block[1] * Pair::splat(t));
        let d = next - self.lambda;
        (self.lambda, self.change) = (next, d);
        let push = sums(self.axes[0] * d, self.axes[1] * d);
        let [turn, other] = sums(self.levers[0] * d, self.levers[1] * d).to_array();
        bodies[a].linear = from.linear - Pair::splat(from.inverse_mass[0]) * push;
        bodies[a].angular = from.angular + from.inverse_mass[1] * turn;
        bodies[b].linear = to.linear + Pair::splat(to.inverse_mass[0]) * push;
        bodies[b].angular = to.angular + to.inverse_mass[1] * other;
        let [dn, dt] = (d * d).to_array();
        self.block[0].to_array()[0] * dn + self.block[1].to_array()[1] * dt
    }

    /// Returns x for the rates b.
    #[inline(always)]
    fn solve(&self, rest: Pair) -> Pair {
        let [bn, bt] = rest.to_array();
        if bn >= 0.0 {
            return Pair::ZERO;
        }
        let stuck = -(self.inverse[0] * Pair::splat(bn) + self.inverse[1] * Pair::splat(bt));
        let ([n, t], mu) = (stuck.to_array(), self.friction);
        if n >= 0.0 && t.abs() <= mu * n {
            return stuck;
        }
        let [[nn, nt], [_, tt]] = self.block.map(Pair::to_array);
        let slide = |s: f64| {
            let slope = nn + s * nt;
            let x = -bn / if slope > LEAST_SLOPE * nn { slope } else { nn };
            let w = bt + (nt + s * tt) * x;
            (Pair::new([x, s * x]), s * w <= 0.0)
        };
        let s = if (n >= 0.0 && t > 0.0) || (n < 0.0 && bt < 0.0) { mu } else { -mu };
        match slide(s) {
            (first, true) => first,
            (first, false) => match slide(-s) {
                (other, true) => other,
                (_, false) => first,
            },
        }
    }

    /// Writes λ, by row of the problem.
    pub fn write(&self, lambda: &mut [f64]) {
        for (row, x) in self.rows.iter().zip(self.lambda.to_array()) {
            lambda[*row as usize] = x;
        }
    }
}

/// The sum of each pair's numbers.
#[inline(always)]
fn sums(x: Pair, y: Pair) -> Pair {
    let ([x0, x1], [y0, y1]) = (x.to_array(), y.to_array());
    Pair::new([x0, y0]) + Pair::new([x1, y1])
}

/// A row by itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Single {
    ends: [u32; 2],
    row: u32,
    /// J of body a and of body b.
    linear: [Pair; 2],
    angular: [f64; 2],
    further: Option<Further>,
    bias: f64,
    compliance: f64,
    diagonal: f64,
    bounds: [f64; 2],
    lambda: f64,
    change: f64,
    direction: f64,
}

impl Single {
    /// Returns row `index`, unless no impulse on it moves anything.
    pub fn of(problem: &MixedProblem, index: usize, lambda: &[f64]) -> Option<Self> {
        let row = &problem.rows[index];
        let diagonal = row.diagonal(&problem.inverse_mass);
        (diagonal > 0.0).then(|| Self {
            ends: [row.a as u32, row.b as u32],
            row: index as u32,
            linear: [row.ja, row.jb].map(|j| Pair::new([j.x, j.y])),
            angular: [row.ja.z, row.jb.z],
            further: row.further,
            bias: row.bias,
            compliance: row.compliance,
            diagonal,
            bounds: problem.bounds(index, lambda),
            lambda: lambda[index],
            change: 0.0,
            direction: 0.0,
        })
    }

    /// Moves λ likewise and projects it onto its bounds; returns ‖d‖² of the row.
    #[inline(always)]
    pub fn visit(&mut self, beta: Option<f64>, bodies: &mut [Moving]) -> f64 {
        match beta {
            Some(beta) => {
                let p = beta * self.direction;
                self.lambda += p;
                self.direction = self.change + p;
            }
            None => self.direction = 0.0,
        }
        let [a, b] = self.ends.map(|end| end as usize);
        let of = |end: usize, body: &Moving| {
            let [x, y] = (self.linear[end] * body.linear).to_array();
            x + y + self.angular[end] * body.angular
        };
        let mut w = self.bias + of(0, &bodies[a]) + of(1, &bodies[b]) + self.compliance * self.lambda;
        for (body, j) in self.further.iter().flat_map(Further::arms) {
            w += bodies[body].rate(j);
        }
        let next = (self.lambda - w / self.diagonal).max(self.bounds[0]).min(self.bounds[1]);
        let d = next - self.lambda;
        (self.lambda, self.change) = (next, d);
        if d == 0.0 {
            return 0.0;
        }
        for (end, body) in [a, b].into_iter().enumerate() {
            let body = &mut bodies[body];
            body.linear += Pair::splat(d * body.inverse_mass[0]) * self.linear[end];
            body.angular += d * body.inverse_mass[1] * self.angular[end];
        }
        for (body, j) in self.further.iter().flat_map(Further::arms) {
            bodies[body].push(d, j);
        }
        self.diagonal * d * d
    }

    /// Writes λ, by row of the problem.
    pub fn write(&self, lambda: &mut [f64]) {
        lambda[self.row as usize] = self.lambda;
    }
}
