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
use super::matrix::{Accuracy, Delassus};
use super::pin::{Coupling, Pin};
use crate::lcp::mixed::acceptance::PairShares;
use crate::lcp::mixed::problem::MixedProblem;
use crate::math::{ChainSolve, Pair};
use glam::DVec3;

/// Pins that form chains, with the factors of their A.
#[derive(Debug, Default)]
pub(in crate::lcp) struct Pins {
    chains: ChainSolve<Pin>,
    /// The node of every pin of the problem.
    nodes: Vec<u32>,
    /// Whether they are those of the last problem that was solved.
    solved: bool,
}

impl Pins {
    /// Takes up the chains that `matrix` has found in the rows of `problem`, if they are pins.
    pub fn take_up(&mut self, matrix: &Delassus, problem: &MixedProblem) {
        *self = Self::default();
        let Some((mut chains, rows)) = matrix.chains::<Pin>() else { return };
        // The two rows of a pin are one node, one or the other first.
        if problem.rows.len() != 2 * rows.len() || rows.iter().any(|[x, y]| x ^ 1 != *y) {
            return;
        }
        let bodies = |pin: u32| {
            let row = &problem.rows[2 * pin as usize];
            [row.a, row.b].map(|body| body as u32)
        };
        let mut nodes = vec![0; rows.len()];
        for (node, [row, _]) in (0_u32..).zip(rows) {
            let (place, crossed) = (row / 2, row % 2 != 0);
            nodes[place as usize] = node;
            let own = bodies(place);
            let mut coupling = Coupling::default();
            if let Some(parent) = chains.parent(node as usize) {
                let (above, above_crossed) = (rows[parent][0] / 2, rows[parent][0] % 2 != 0);
                let other = bodies(above);
                let pairs = [[false, false], [false, true], [true, false], [true, true]];
                let mut shared = pairs.into_iter().filter(|ends| {
                    let body = own[usize::from(ends[0])];
                    body == other[usize::from(ends[1])] && problem.weight[body as usize] != DVec3::ZERO
                });
                // Two pins between the same two bodies are as good as a weld, or in conflict.
                let (Some([at_b, at_b_of_parent]), None) = (shared.next(), shared.next()) else { return };
                let sign = if at_b == at_b_of_parent { 1.0 } else { -1.0 };
                let [own, other] = [Pair::new([sign, -0.0]), Pair::new([-0.0, sign])];
                let signs = if crossed == above_crossed { [own, other] } else { [other, own] };
                coupling = Coupling { at_b, at_b_of_parent, down: above > place, signs };
            }
            let Some(pin) = chains.get_mut(node as usize) else { return };
            *pin = Pin::new(place, own, crossed, coupling);
        }
        *self = Self { chains, nodes, solved: false };
    }

    /// Whether the last problem was solved here.
    pub fn has_solved(&self) -> bool {
        self.solved
    }

    /// Solves the equations of `problem`, whose bodies are those of the pins that were taken up: λ and v⁺ = v* + W Jᵀλ. Returns
    /// ‖A λ − r‖∞, NaN where it is not looked at; nothing, and then nothing is written, where a row is not a pin's, or rows depend
    /// on others.
    pub fn solve(
        &mut self,
        problem: &MixedProblem,
        accuracy: Accuracy,
        lambda: &mut Vec<f64>,
        v: &mut Vec<DVec3>,
    ) -> Option<f64> {
        let Self { chains, nodes, solved } = self;
        *solved = false;
        let MixedProblem { weight, free, rows, .. } = problem;
        let (rows, others) = rows.as_chunks::<2>();
        if nodes.is_empty() || rows.len() != nodes.len() || !others.is_empty() {
            return None;
        }
        // In corrections J v* is zero, and nothing but the sign of −(0 + b) could depend on it, where b is zero.
        let at_rest = free.iter().all(|v| *v == DVec3::ZERO);
        let bodies = weight.len().min(free.len());
        let (weight, free) = (&weight[..bodies], &free[..bodies]);
        let read = |pin: &mut Pin| pin.read(rows.get(pin.place as usize)?, weight, free, at_rest);
        if !chains.factor(DEPENDENT_PIVOT, read, Pin::coupled) {
            return None;
        }
        let residual = match accuracy {
            Accuracy::Refined => chains.solve(),
            Accuracy::Once => {
                chains.substitute();
                f64::NAN
            }
        };
        v.clear();
        v.extend_from_slice(free);
        lambda.resize(2 * nodes.len(), 0.0);
        for (node, lambda) in nodes.iter().zip(lambda.as_chunks_mut::<2>().0) {
            let Some((pin, found)) = chains.solved(*node as usize) else { continue };
            *lambda = pin.push(found, v);
        }
        *solved = true;
        Some(residual)
    }

    /// `Acceptance::share_of_rows` of what has been solved with this residual.
    pub fn share(&self, residual: f64) -> f64 {
        let mut shares = PairShares::default();
        for pin in self.chains.each() {
            let [a, b] = pin.inverse_mass;
            shares.take(a + b, pin.diagonal, pin.rhs);
        }
        shares.of(residual)
    }

    /// Solves A λ = `rhs` with the factors at hand; returns ‖A λ − rhs‖∞.
    pub fn solve_again(&mut self, rhs: &[f64], lambda: &mut [f64]) -> f64 {
        let Self { chains, nodes, .. } = self;
        let rhs = rhs.as_chunks::<2>().0;
        chains.reduce(|pin| {
            rhs.get(pin.place as usize).map_or(Pair::ZERO, |rhs| pin.in_order(Pair::new(*rhs)))
        });
        let residual = chains.solve();
        for (node, lambda) in nodes.iter().zip(lambda.as_chunks_mut::<2>().0) {
            if let Some((pin, found)) = chains.solved(*node as usize) {
                *lambda = pin.in_order(found).to_array();
            }
        }
        residual
    }
}

#[cfg(test)]
mod tests {
    //! Pins in chains have the same λ to the bit as any rows have: whether a problem takes the short way changes no step.

    use super::*;
    use crate::lcp::mixed::problem::{Law, MixedRow};

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
            let (mut pins, mut lambda, mut v) = (Pins::default(), Vec::new(), Vec::new());
            pins.take_up(&matrix, &problem);
            assert_eq!(pins.nodes.len(), links);
            matrix.solve_to(Accuracy::Once, &rhs, &mut expected);
            let unseen = pins.solve(&problem, Accuracy::Once, &mut lambda, &mut v);
            assert!(unseen.is_some_and(f64::is_nan));
            assert_eq!(lambda, expected, "{links} links, once");

            let left = matrix.solve(&rhs, &mut expected);
            problem.velocity(&expected, &mut moved);
            let residual = pins.solve(&problem, Accuracy::Refined, &mut lambda, &mut v);
            let by_row = |of: fn(&Pin) -> Pair| -> Vec<f64> {
                let mut found: Vec<&Pin> = pins.chains.each().collect();
                found.sort_by_key(|pin| pin.place);
                found.iter().flat_map(|pin| pin.in_order(of(pin)).to_array()).collect()
            };
            assert_eq!(by_row(|pin| pin.diagonal), matrix.diagonals().unwrap().collect::<Vec<_>>());
            assert_eq!(by_row(|pin| pin.rhs), rhs);
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
            pins.solve(problem, Accuracy::Refined, &mut Vec::new(), &mut Vec::new()).is_some()
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
