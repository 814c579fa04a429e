//! A x = b of chains of N×N blocks in one pass from their leaves up and one back down, refined by the residual.
//!
//! ```text
//! up:     L_cc D_c L_ccᵀ = A_cc ,  y_c = L_cc⁻¹ b_c ,  L_pc = A_pc (D_c L_ccᵀ)⁻¹ ,     c: a node, p: its parent
//!         A_pp ← A_pp − L_pc D_c L_pcᵀ ,  b_p ← b_p − L_pc y_c
//! down:   L_ccᵀ x_c = D_c⁻¹ y_c − L_pcᵀ x_p
//! then:   r = b − A x ,  x ← x + A⁻¹ r
//! ```
//!
//! [Baraff 1996]: linear time by elimination from the leaves. A is scaled to a unit diagonal, so that a small pivot tells a row that depends
//! on others. What `SparseLdlt` does in passes of their own, assembly, scaling, factors and substitution, is one loop here, over blocks
//! as they come; the operations and their order are the same, and so are the bits. r of a node needs x of its neighbours alone, so that
//! the forward substitution for the refinement goes along in the pass that measures it.

use super::chain_ldlt::{
    Block, Link, NONE, backward, close, eliminate, forward, from_zero, scaled_by, without_above,
    without_own, without_product,
};
use super::factors::{Chains, MAX_REFINEMENTS, REFINED, REPLACED_PIVOT, STAGNATION};
use super::largest::Largest;
use super::up_looking::Replacement;
use std::array::from_fn;

/// A matrix of chains with its factors, a right-hand side and the solution.
#[derive(Clone, Debug, Default)]
pub struct ChainSolve<const N: usize> {
    /// In the order of elimination.
    nodes: Vec<Node<N>>,
    /// ‖b‖∞, scaled.
    size: f64,
}

/// One node with all its numbers. Children and parents that it does not have are [`NONE`], which is beyond every list.
#[derive(Clone, Debug)]
struct Node<const N: usize> {
    /// A, scaled, and L with D on its diagonal: its own block, and the one below it with the rows of its parent.
    scaled: Link<N>,
    factors: Link<N>,
    /// 1/D, and 1/√A_ii.
    reciprocal: [f64; N],
    scale: [f64; N],
    /// b, x and b − A x, scaled.
    rhs: [f64; N],
    x: [f64; N],
    residual: [f64; N],
    /// L⁻¹ of the right-hand side or of the residual; behind the pass down what that has found.
    reduced: [f64; N],
    /// In the order in which they are eliminated from its block, and in the order in which vectors go through them.
    eliminated: [u32; 2],
    children: [u32; 2],
    /// How many nodes stand between it and its parent.
    above: u32,
}

impl<const N: usize> ChainSolve<N> {
    /// Chains without numbers.
    pub(super) fn new(chains: Chains<'_>) -> Self {
        let nodes =
            (0_u32..).zip(chains.parent.iter().zip(chains.children)).map(|(at, (parent, children))| {
                let (block, zero) = ([[0.0; N]; N], [0.0; N]);
                let [first, second] = *children;
                Node {
                    scaled: [block; 2],
                    factors: [block; 2],
                    reciprocal: zero,
                    scale: zero,
                    rhs: zero,
                    x: zero,
                    residual: zero,
                    reduced: zero,
                    eliminated: [first, second],
                    children: [first.min(second), first.max(second)],
                    above: if *parent == at { NONE } else { parent - at - 1 },
                }
            });
        Self { nodes: nodes.collect(), size: 0.0 }
    }

    /// The parent of `node`; of the last one of a chain none.
    pub fn parent(&self, node: usize) -> Option<usize> {
        let above = self.nodes.get(node)?.above;
        (above != NONE).then_some(node + 1 + above as usize)
    }

    /// Takes the block of `node` on the diagonal, its lower triangle, and b; whether the diagonal is finite.
    #[inline]
    pub fn set(&mut self, node: usize, block: &Block<N>, rhs: [f64; N]) -> bool {
        let Some(node) = self.nodes.get_mut(node) else { return false };
        node.scale = from_fn(|i| if block[i][i] > 0.0 { 1.0 / block[i][i].sqrt() } else { 1.0 });
        node.scaled[0] = scaled_by(block, &node.scale, &node.scale);
        node.rhs = from_fn(|i| rhs[i] * node.scale[i]);
        (0..N).all(|i| block[i][i].is_finite())
    }

    /// Takes b of `node`, whose block is known.
    pub fn set_rhs(&mut self, node: usize, rhs: [f64; N]) {
        if let Some(node) = self.nodes.get_mut(node) {
            node.rhs = from_fn(|i| rhs[i] * node.scale[i]);
        }
    }

    /// Factorises the blocks as set, with those below the diagonal as `below(node)` gives them, and reduces the right-hand side on the
    /// way: the pass up. It ends, and returns false, at a pivot up to `threshold`, that of a row which depends on others, or one that is
    /// not finite.
    #[inline]
    #[must_use]
    pub fn factor(&mut self, threshold: f64, below: impl Fn(usize) -> Block<N>) -> bool {
        let small = Replacement { threshold, pivot: REPLACED_PIVOT };
        let mut size = Largest::default();
        for at in 0..self.nodes.len() {
            let (before, rest) = self.nodes.split_at_mut(at);
            let Some(node) = rest.first_mut() else { break };
            let mut own = from_zero(&node.scaled[0]);
            for at in node.eliminated {
                let Some(child) = before.get_mut(at as usize) else { continue };
                child.scaled[1] = scaled_by(&below(at as usize), &child.scale, &node.scale);
                let block = from_zero(&child.scaled[1]);
                child.factors[1] = eliminate(&child.factors[0], &child.reciprocal, block, &mut own);
            }
            let Ok((0, reciprocal)) = close(&mut own, &small) else { return false };
            (node.factors[0], node.reciprocal) = (own, reciprocal);
            node.reduced = reduce(before, node.children, &own, node.rhs);
            node.rhs.iter().for_each(|b| size.take(*b));
        }
        self.size = size.get();
        true
    }

    /// Reduces the right-hand side as set, with the factors at hand.
    pub fn reduce(&mut self) {
        let mut size = Largest::default();
        for at in 0..self.nodes.len() {
            let (before, rest) = self.nodes.split_at_mut(at);
            let Some(node) = rest.first_mut() else { break };
            node.reduced = reduce(before, node.children, &node.factors[0], node.rhs);
            node.rhs.iter().for_each(|b| size.take(*b));
        }
        self.size = size.get();
    }

    /// Finds x from the reduced right-hand side, refined until the residual stagnates. Returns ‖A x − b‖∞ of the rows as given.
    pub fn solve(&mut self) -> f64 {
        self.take_back(|_, found| found);
        let mut norm = self.measure();
        for _ in 0..MAX_REFINEMENTS {
            if norm <= REFINED * self.size {
                break;
            }
            let last = norm;
            self.take_back(|x, change| x + change);
            norm = self.measure();
            if norm > STAGNATION * last {
                break;
            }
        }
        let mut left = Largest::default();
        for node in &self.nodes {
            (0..N).for_each(|i| left.take(node.residual[i] / node.scale[i]));
        }
        left.get()
    }

    /// x of `node`.
    #[inline]
    pub fn solution(&self, node: usize) -> [f64; N] {
        let Some(node) = self.nodes.get(node) else { return [0.0; N] };
        from_fn(|i| node.x[i] * node.scale[i])
    }

    /// The pass down from the reduced right-hand side: each number of x becomes `taken(x, found)`.
    #[inline]
    fn take_back(&mut self, taken: impl Fn(f64, f64) -> f64) {
        for at in (0..self.nodes.len()).rev() {
            let Some((node, after)) = self.nodes[at..].split_first_mut() else { break };
            let above = after.get(node.above as usize).map(|parent| (&node.factors[1], &parent.reduced));
            node.reduced = backward(&node.factors[0], &node.reciprocal, above, node.reduced);
            (0..N).for_each(|i| node.x[i] = taken(node.x[i], node.reduced[i]));
        }
    }

    /// r = b − A x, and L⁻¹ r, the reduced right-hand side of a refinement; returns ‖r‖∞.
    #[inline]
    fn measure(&mut self) -> f64 {
        let mut size = Largest::default();
        for at in 0..self.nodes.len() {
            let (before, rest) = self.nodes.split_at_mut(at);
            let Some((node, after)) = rest.split_first_mut() else { break };
            let mut left = node.rhs;
            for child in node.children {
                if let Some(child) = before.get(child as usize) {
                    left = without_product(&child.scaled[1], &child.x, left);
                }
            }
            left = without_own(&node.scaled[0], &node.x, left);
            if let Some(parent) = after.get(node.above as usize) {
                left = without_above(&node.scaled[1], &parent.x, left);
            }
            node.residual = left;
            left.iter().for_each(|r| size.take(*r));
            node.reduced = reduce(before, node.children, &node.factors[0], left);
        }
        size.get()
    }
}

/// L⁻¹ b of a node whose children stand among those `before` it.
#[inline(always)]
fn reduce<const N: usize>(
    before: &[Node<N>],
    children: [u32; 2],
    own: &Block<N>,
    mut b: [f64; N],
) -> [f64; N] {
    for child in children {
        if let Some(child) = before.get(child as usize) {
            b = without_product(&child.factors[1], &child.reduced, b);
        }
    }
    forward(own, b)
}
