//! A λ = r of pins alone that form chains: posed, assembled, factorised and solved from the four levers of each pin.
//!
//! A pin holds a point of body a on a point of body b, two rows with the arms r_a and r_b:
//!
//! ```text
//! J = [ −1  0   r_a.y | 1  0  −r_b.y ]        J v = v_b − v_a + z_b ω_b + z_a ω_a
//!     [  0 −1  −r_a.x | 0  1   r_b.x ]        z: the third columns, by row
//!
//! A_cc = Σ_ends  m⁻¹ 1 + z I⁻¹ zᵀ             of one pin, over the two bodies at its ends
//! A_pc = ±m⁻¹ 1 + z_p I⁻¹ z_cᵀ                of two pins with a body in common; − where it is a of the one and b of the other
//!
//! up:     A_cc = L D Lᵀ ,  L_pc = A_pc (D Lᵀ)⁻¹ ,  A_pp ← A_pp − L_pc D L_pcᵀ ,  r_p ← r_p − L_pc L⁻¹ r_c      leaves first
//! down:   λ_c = L⁻ᵀ (D⁻¹ L⁻¹ r_c − L_pcᵀ λ_p) ,  v⁺ = v* + W Jᵀλ
//! ```
//!
//! [Baraff 1996], multipliers of a tree in linear time. Everything is taken from rows as posed, and every operation has the operands that
//! `matrix.rs` and `math/ldlt.rs` give it for any rows: what is left out are products with the zeros and ones of J, so that the bits
//! are the same. Other rows, compliances, loops, three pins on one body, and rows that depend on others go there.

use super::jacobian::DEPENDENT_PIVOT;
use super::matrix::Delassus;
use crate::lcp::mixed::acceptance::Shares;
use crate::lcp::mixed::problem::{Law, MixedProblem, MixedRow};
use crate::math::ChainSolve;
use glam::DVec3;

/// A pin as a problem poses it.
#[derive(Clone, Copy, Debug, Default)]
struct Pin {
    bodies: [u32; 2],
    /// Its node in the order of elimination, and whether its second row comes first there.
    node: u32,
    swapped: bool,
    /// z of body a and of body b, by row, m.
    lever: [[f64; 2]; 2],
    /// I⁻¹ z.
    turned: [[f64; 2]; 2],
    /// A_ii and r_i, by row.
    diagonal: [f64; 2],
    rhs: [f64; 2],
}

/// How a node is coupled to its parent.
#[derive(Clone, Copy, Debug, Default)]
struct Coupling {
    /// The later and the earlier pin, in the order of the rows, each with its end at the body that they share.
    later: (u32, u8),
    earlier: (u32, u8),
    body: u32,
    /// Whether the later one is the parent's.
    down: bool,
    /// Whether the second row comes first, of the node and of its parent.
    swapped: [bool; 2],
    /// 1, or −1 where it is a of the one and b of the other.
    sign: f64,
}

/// Pins that form chains, with the factors of their A.
#[derive(Debug, Default)]
pub(in crate::lcp) struct Pins {
    pins: Vec<Pin>,
    /// By node; of the last ones of chains without meaning.
    couplings: Vec<Coupling>,
    chains: ChainSolve<2>,
    /// Whether they are those of the last problem that was solved.
    solved: bool,
}

impl Pins {
    /// Takes up the chains that `matrix` has found in the rows of `problem`, if they are pins.
    pub fn take_up(&mut self, matrix: &Delassus, problem: &MixedProblem) {
        *self = Self::default();
        let Some((chains, rows)) = matrix.chains::<2>() else { return };
        // The two rows of a pin are one node, one or the other first.
        if problem.rows.len() != 2 * rows.len() || rows.iter().any(|[x, y]| x ^ 1 != *y) {
            return;
        }
        let mut pins = vec![Pin::default(); rows.len()];
        for (pin, [x, _]) in pins.iter_mut().zip(problem.rows.as_chunks::<2>().0) {
            pin.bodies = [x.a as u32, x.b as u32];
        }
        let mut couplings = Vec::new();
        for (node, [row, _]) in (0_u32..).zip(rows) {
            let pin = row / 2;
            (pins[pin as usize].node, pins[pin as usize].swapped) = (node, row % 2 != 0);
            let Some(parent) = chains.parent(node as usize) else {
                couplings.push(Coupling::default());
                continue;
            };
            let first = rows[parent][0];
            let (above, swapped) = (first / 2, [*row, first].map(|first| first % 2 != 0));
            let [own, other] = [pin, above].map(|pin| pins[pin as usize].bodies);
            let mut shared = (0..4_u8).map(|ends| (ends / 2, ends % 2)).filter(|&(end, there)| {
                let body = own[usize::from(end)];
                body == other[usize::from(there)] && problem.weight[body as usize] != DVec3::ZERO
            });
            // Two pins between the same two bodies are as good as a weld, or in conflict.
            let (Some((end, there)), None) = (shared.next(), shared.next()) else { return };
            let down = above > pin;
            let ends = [(pin, end), (above, there)];
            let [earlier, later] = if down { ends } else { [ends[1], ends[0]] };
            let sign = if end == there { 1.0 } else { -1.0 };
            couplings.push(Coupling { later, earlier, body: own[usize::from(end)], down, swapped, sign });
        }
        *self = Self { pins, couplings, chains, solved: false };
    }

    /// Whether the last problem was solved here.
    pub fn has_solved(&self) -> bool {
        self.solved
    }

    /// Solves the equations of `problem`, whose bodies are those of the pins that were taken up: λ and v⁺ = v* + W Jᵀλ. Returns
    /// ‖A λ − r‖∞; nothing, and then nothing is written, where a row is not a pin's, or rows depend on others.
    pub fn solve(
        &mut self,
        problem: &MixedProblem,
        lambda: &mut Vec<f64>,
        v: &mut Vec<DVec3>,
    ) -> Option<f64> {
        self.solved = false;
        if self.pins.is_empty() || problem.rows.len() != 2 * self.pins.len() || !self.read(problem) {
            return None;
        }
        let Self { pins, couplings, chains, solved } = self;
        let below = |node: usize| {
            let Coupling { later, earlier, body, down, swapped, sign } = couplings[node];
            let w = problem.weight[body as usize];
            let z = pins[later.0 as usize].lever[usize::from(later.1)];
            let t = pins[earlier.0 as usize].turned[usize::from(earlier.1)];
            let [x, y] = [[sign * w.x + z[0] * t[0], z[0] * t[1]], [z[1] * t[0], sign * w.y + z[1] * t[1]]];
            // Rows of the parent, columns of the node.
            let [x, y] = if down { [x, y] } else { [[x[0], y[0]], [x[1], y[1]]] };
            in_order([in_order(x, swapped[0]), in_order(y, swapped[0])], swapped[1])
        };
        if !chains.factor(DEPENDENT_PIVOT, below) {
            return None;
        }
        let residual = chains.solve();
        v.clone_from(&problem.free);
        lambda.clear();
        for pin in pins.iter() {
            let own @ [x, y] = in_order(chains.solution(pin.node as usize), pin.swapped);
            lambda.extend(own);
            let [a, b] = pin.bodies.map(|body| body as usize);
            let ([ta, tb], [wa, wb]) = (pin.turned, [problem.weight[a], problem.weight[b]]);
            let on = &mut v[a];
            (on.x, on.y) = (on.x - wa.x * x, on.y - wa.y * y);
            on.z = on.z + ta[0] * x + ta[1] * y;
            let on = &mut v[b];
            (on.x, on.y) = (on.x + wb.x * x, on.y + wb.y * y);
            on.z = on.z + tb[0] * x + tb[1] * y;
        }
        *solved = true;
        Some(residual)
    }

    /// Reads levers, r and A_cc; whether all rows are pins' between the same bodies as before and all numbers finite.
    fn read(&mut self, problem: &MixedProblem) -> bool {
        let Self { pins, chains, .. } = self;
        let MixedProblem { weight, free, rows, .. } = problem;
        // In corrections J v* is zero, and nothing but the sign of −(0 + b) could depend on it, where b is zero.
        let at_rest = free.iter().all(|v| *v == DVec3::ZERO);
        let mut fits = true;
        for (pin, [x, y]) in pins.iter_mut().zip(rows.as_chunks::<2>().0) {
            let [a, b] = pin.bodies.map(|body| body as usize);
            fits &= [x.a, x.b, y.a, y.b] == [a, b, a, b] && is_pin(x, DVec3::X) && is_pin(y, DVec3::Y);
            if !fits {
                return false;
            }
            let ([wa, wb], [va, vb]) = ([weight[a], weight[b]], [free[a], free[b]]);
            pin.lever = [[x.ja.z, y.ja.z], [x.jb.z, y.jb.z]];
            let [za, zb] = pin.lever;
            pin.turned = [za.map(|z| wa.z * z), zb.map(|z| wb.z * z)];
            let [ta, tb] = pin.turned;
            pin.rhs = if at_rest {
                [-x.bias, -y.bias]
            } else {
                let rate_x = (za[0] * va.z - va.x) + (vb.x + zb[0] * vb.z);
                let rate_y = (za[1] * va.z - va.y) + (vb.y + zb[1] * vb.z);
                [-(rate_x + x.bias), -(rate_y + y.bias)]
            };
            let diagonal = [
                (wa.x + za[0] * ta[0]) + (wb.x + zb[0] * tb[0]),
                (wa.y + za[1] * ta[1]) + (wb.y + zb[1] * tb[1]),
            ];
            pin.diagonal = diagonal;
            let (node, [first, second]) = (pin.node as usize, in_order(diagonal, pin.swapped));
            let block = [[first, 0.0], [za[1] * ta[0] + zb[1] * tb[0], second]];
            fits &= chains.set(node, &block, in_order(pin.rhs, pin.swapped));
        }
        fits
    }

    /// `Acceptance::share_of_rows` of what has been solved with this residual, among bodies of the given W.
    pub fn share(&self, residual: f64, weight: &[DVec3]) -> f64 {
        let mut shares = Shares::default();
        for pin in &self.pins {
            let [a, b] = pin.bodies.map(|body| weight[body as usize].x);
            (0..2).for_each(|row| shares.take(a + b, pin.diagonal[row], pin.rhs[row]));
        }
        shares.of(residual)
    }

    /// Solves A λ = `rhs` with the factors at hand; returns ‖A λ − rhs‖∞.
    pub fn solve_again(&mut self, rhs: &[f64], lambda: &mut [f64]) -> f64 {
        let Self { pins, chains, .. } = self;
        for (pin, rhs) in pins.iter().zip(rhs.as_chunks::<2>().0) {
            chains.set_rhs(pin.node as usize, in_order(*rhs, pin.swapped));
        }
        chains.reduce();
        let residual = chains.solve();
        for (pin, lambda) in pins.iter().zip(lambda.as_chunks_mut::<2>().0) {
            *lambda = in_order(chains.solution(pin.node as usize), pin.swapped);
        }
        residual
    }
}

/// Whether it is the row of a pin along `axis`.
#[inline(always)]
fn is_pin(row: &MixedRow, axis: DVec3) -> bool {
    let plane = |j: DVec3, x: f64, y: f64| (j.x == x) & (j.y == y);
    let (x, y) = (axis.x, axis.y);
    plane(row.ja, -x, -y) & plane(row.jb, x, y) & (row.compliance == 0.0) & (row.law == Law::Equation)
}

/// A pin's two rows in the order of elimination, or back.
#[inline]
fn in_order<T>([first, second]: [T; 2], swapped: bool) -> [T; 2] {
    if swapped { [second, first] } else { [first, second] }
}

#[cfg(test)]
mod tests {
    //! Pins in chains have the same λ to the bit as any rows have: whether a problem takes the short way changes no step.

    use super::*;

    /// `links` bodies of uneven mass that hang from body 0, pin i between i and i + 1, with levers and velocities that have no
    /// regularity.
    fn chain(links: usize) -> MixedProblem {
        let irregular = |i: usize| (0.37 + 0.618_033_988_749_895 * i as f64).fract() - 0.5;
        let mut problem = MixedProblem::default();
        for body in 0..=links {
            let w = if body == 0 { 0.0 } else { 0.3 + irregular(7 * body).abs() };
            problem.weight.push(DVec3::new(w, w, 17.0 * w));
            let v = [1, 2, 3].map(|i| if body == 0 { 0.0 } else { irregular(11 * body + i) });
            problem.free.push(v.into());
        }
        for pin in 0..links {
            let [ax, ay, bx, by, cx, cy] = [1, 2, 3, 4, 5, 6].map(|i| irregular(13 * pin + i));
            let row = |axis: DVec3, za, zb, bias| MixedRow {
                a: pin,
                b: pin + 1,
                ja: DVec3::new(0.0, 0.0, za) - axis,
                jb: DVec3::new(0.0, 0.0, zb) + axis,
                bias,
                compliance: 0.0,
                law: Law::Equation,
            };
            problem.rows.push(row(DVec3::X, ay, -by, cx));
            problem.rows.push(row(DVec3::Y, -ax, bx, cy));
        }
        problem
    }

    #[test]
    fn pins_have_the_bits_of_any_rows() {
        for links in [3, 10, 57] {
            let problem = chain(links);
            let mut matrix = Delassus::default();
            matrix.factor(problem.rows.len(), |i| &problem.rows[i], &problem.weight, &[]).unwrap();
            let rhs: Vec<f64> =
                problem.rows.iter().map(|row| -(row.rate(&problem.free) + row.bias)).collect();
            let (mut expected, mut moved) = (vec![0.0; rhs.len()], Vec::new());
            let left = matrix.solve(&rhs, &mut expected);
            problem.velocity(&expected, &mut moved);

            let (mut pins, mut lambda, mut v) = (Pins::default(), Vec::new(), Vec::new());
            pins.take_up(&matrix, &problem);
            assert_eq!(pins.pins.iter().map(|pin| pin.diagonal).len(), links);
            let residual = pins.solve(&problem, &mut lambda, &mut v);
            let diagonals: Vec<f64> = pins.pins.iter().flat_map(|pin| pin.diagonal).collect();
            assert_eq!(diagonals, matrix.diagonals().unwrap().collect::<Vec<_>>());
            let r: Vec<f64> = pins.pins.iter().flat_map(|pin| pin.rhs).collect();
            assert_eq!(r, rhs);
            assert_eq!(lambda, expected, "{links} links");
            assert_eq!(v, moved);
            assert_eq!(residual, Some(left));
        }
    }
    #[test]
    fn other_rows_between_the_same_bodies_are_not_taken_for_pins() {
        let problem = chain(5);
        let mut matrix = Delassus::default();
        matrix.factor(problem.rows.len(), |i| &problem.rows[i], &problem.weight, &[]).unwrap();
        let mut pins = Pins::default();
        pins.take_up(&matrix, &problem);
        let solves = |pins: &mut Pins, problem: &MixedProblem| {
            pins.solve(problem, &mut Vec::new(), &mut Vec::new()).is_some()
        };
        assert!(solves(&mut pins, &problem));
        let changes: [fn(&mut MixedRow); 5] = [
            |row| row.compliance = 1e-3,
            |row| row.ja.x = 0.5,
            |row| row.jb.y = 1e-3,
            |row| row.law = Law::Unilateral,
            |row| row.a = 0,
        ];
        for change in changes {
            let mut other = problem.clone();
            change(&mut other.rows[7]);
            assert!(!solves(&mut pins, &other));
            assert!(!pins.has_solved());
        }
        assert!(solves(&mut pins, &problem));
    }
}
