//! A x = b of chains of 2×2 blocks in one pass from their leaves up and one back down, refined by the residual.
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
//! as they come; the operations and their order are the same, and so are the bits. Both numbers of a node, and each column of a block,
//! are one [`Pair`]. r of a node needs x of its neighbours alone, so that the forward substitution for the refinement goes along in the
//! pass that measures it.

use super::chain_ldlt::NONE;
use super::factors::{Chains, LEAST, MAX_REFINEMENTS, REFINED, ROUNDED, STAGNATION};
use super::largest::{LargestPair, largest};
use super::pair::{Pair, twice};

/// A block by its columns.
pub type Columns = [Pair; 2];

/// A matrix of chains with its factors, a right-hand side and the solution; each node stands for a `T`.
#[derive(Clone, Debug)]
pub struct ChainSolve<T> {
    /// In the order of elimination.
    nodes: Vec<Node<T>>,
    /// ‖b‖∞, scaled.
    size: f64,
}

/// A_cc and b_c of a node as given.
#[derive(Clone, Copy, Debug)]
pub struct Equations {
    /// A_00 and A_11.
    pub diagonal: Pair,
    /// A_10.
    pub below: f64,
    /// b.
    pub rhs: Pair,
}

/// One node with all its numbers. Children and parents that it does not have are [`NONE`], which is beyond every list.
#[derive(Clone, Debug)]
struct Node<T> {
    of: T,
    /// A_cc and A_pc, scaled.
    own: Columns,
    coupling: Columns,
    /// L_pc, the number of L_cc below its diagonal, and 1/D.
    factor: Columns,
    lower: f64,
    reciprocal: Pair,
    /// 1/√A_ii.
    scale: Pair,
    /// b and x, scaled.
    rhs: Pair,
    x: Pair,
    /// L⁻¹ of the right-hand side or of the residual; behind the pass down what that has found.
    reduced: Pair,
    /// In the order in which they are eliminated from its block, and in the order in which vectors go through them.
    eliminated: [u32; 2],
    children: [u32; 2],
    /// How many nodes stand between it and its parent.
    above: u32,
}

impl<T> Default for ChainSolve<T> {
    fn default() -> Self {
        Self { nodes: Vec::new(), size: 0.0 }
    }
}

impl<T: Default> ChainSolve<T> {
    /// Chains without numbers.
    pub(super) fn new(chains: Chains<'_>) -> Self {
        let nodes =
            (0_u32..).zip(chains.parent.iter().zip(chains.children)).map(|(at, (parent, children))| {
                let [first, second] = *children;
                Node {
                    of: T::default(),
                    own: Columns::default(),
                    coupling: Columns::default(),
                    factor: Columns::default(),
                    lower: 0.0,
                    reciprocal: Pair::ZERO,
                    scale: Pair::ZERO,
                    rhs: Pair::ZERO,
                    x: Pair::ZERO,
                    reduced: Pair::ZERO,
                    eliminated: [first, second],
                    children: [first.min(second), first.max(second)],
                    above: if *parent == at { NONE } else { parent - at - 1 },
                }
            });
        Self { nodes: nodes.collect(), size: 0.0 }
    }
}

impl<T> ChainSolve<T> {
    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// What the nodes stand for, in the order of elimination.
    pub fn each(&self) -> impl Iterator<Item = &T> {
        self.nodes.iter().map(|node| &node.of)
    }

    /// What `node` stands for.
    pub fn get_mut(&mut self, node: usize) -> Option<&mut T> {
        self.nodes.get_mut(node).map(|node| &mut node.of)
    }

    /// The parent of `node`; of the last one of a chain none.
    pub fn parent(&self, node: usize) -> Option<usize> {
        let above = self.nodes.get(node)?.above;
        (above != NONE).then_some(node + 1 + above as usize)
    }

    /// What `node` stands for, with its x.
    #[inline(always)]
    pub fn solved(&self, node: usize) -> Option<(&T, Pair)> {
        self.nodes.get(node).map(|node| (&node.of, node.x * node.scale))
    }

    /// Factorises A and reduces the right-hand side on the way: the pass up. `equations(node)` gives A_cc and b_c, and `coupling(child,
    /// node)` A_pc of a child of a node that has been asked. False, and then there are no factors, where `equations` gives none, and at
    /// a pivot up to `threshold`, that of a row which depends on others, or one that is not finite.
    #[inline(always)]
    #[must_use]
    pub fn factor(
        &mut self,
        threshold: f64,
        mut equations: impl FnMut(&mut T) -> Option<Equations>,
        coupling: impl Fn(&T, &T) -> Columns,
    ) -> bool {
        let mut size = LargestPair::default();
        let (threshold, infinity) = (Pair::splat(threshold), Pair::splat(f64::INFINITY));
        let mut regular = threshold.simd_lt(infinity);
        for at in 0..self.nodes.len() {
            let (before, rest) = self.nodes.split_at_mut(at);
            let Some(node) = rest.first_mut() else { break };
            let Some(Equations { diagonal, below, rhs }) = equations(&mut node.of) else { return false };
            let scale = diagonal.to_array().map(|a| if a > 0.0 { 1.0 / a.sqrt() } else { 1.0 });
            node.scale = Pair::new(scale);
            let diagonal = diagonal * node.scale * node.scale;
            let below = below * scale[0] * scale[1];
            let [first, second] = diagonal.to_array();
            node.own = [Pair::new([first, below]), Pair::new([below, second])];
            // Sums that begin at +0 with the entries of A, as those of `SparseLdlt` do.
            let mut left = Triangle { diagonal: Pair::ZERO + diagonal, below: 0.0 + below };
            let [first, second] = node.eliminated;
            if let Some(child) = before.get_mut(first as usize) {
                child.eliminate(coupling(&child.of, &node.of), node.scale, &mut left);
            }
            if let Some(child) = before.get_mut(second as usize) {
                child.eliminate(coupling(&child.of, &node.of), node.scale, &mut left);
            }
            let Triangle { diagonal, below } = left;
            let [first, second] = diagonal.to_array();
            let inverse = 1.0 / first;
            node.lower = below * inverse;
            let second = second - node.lower * below;
            node.reciprocal = Pair::new([inverse, 1.0 / second]);
            let pivots = Pair::new([first, second]);
            regular = regular & pivots.simd_gt(threshold) & pivots.simd_lt(infinity);
            node.rhs = rhs * node.scale;
            node.reduced = reduce(before, node, node.rhs);
            size.take(node.rhs);
        }
        self.size = size.largest();
        regular.all()
    }

    /// Reduces another right-hand side, `rhs(node)`, with the factors at hand.
    pub fn reduce(&mut self, rhs: impl Fn(&T) -> Pair) {
        let mut size = LargestPair::default();
        for at in 0..self.nodes.len() {
            let (before, rest) = self.nodes.split_at_mut(at);
            let Some(node) = rest.first_mut() else { break };
            node.rhs = rhs(&node.of) * node.scale;
            node.reduced = reduce(before, node, node.rhs);
            size.take(node.rhs);
        }
        self.size = size.largest();
    }

    /// Finds x from the reduced right-hand side, once.
    pub fn substitute(&mut self) {
        self.take_back(|_, found| found);
    }

    /// The same, refined until the residual stagnates. Returns ‖A x − b‖∞ of the rows as given.
    pub fn solve(&mut self) -> f64 {
        self.substitute();
        let mut norms = self.measure();
        for _ in 0..MAX_REFINEMENTS {
            if norms.scaled <= REFINED * self.size || norms.rounded {
                break;
            }
            let last = norms.scaled;
            self.take_back(|x, change| x + change);
            norms = self.measure();
            if norms.scaled > STAGNATION * last {
                break;
            }
        }
        norms.given
    }

    /// The pass down from the reduced right-hand side: each number of x becomes `taken(x, found)`.
    #[inline(always)]
    fn take_back(&mut self, taken: impl Fn(Pair, Pair) -> Pair) {
        for at in (0..self.nodes.len()).rev() {
            let Some((node, after)) = self.nodes[at..].split_first_mut() else { break };
            let mut from_above = Pair::ZERO;
            if let Some(parent) = after.get(node.above as usize) {
                let ([first, second], [x, y]) = (Pair::transpose(node.factor), twice(parent.reduced));
                from_above = from_above + second * y + first * x;
            }
            let [first, second] = (node.reduced * node.reciprocal).to_array();
            let [before, behind] = from_above.to_array();
            let second = second - behind;
            let first = first - (before + node.lower * second);
            let found = Pair::new([first, second]);
            (node.x, node.reduced) = (taken(node.x, found), found);
        }
    }

    /// r = b − A x, and L⁻¹ r, the reduced right-hand side of a refinement; returns ‖r‖∞.
    #[inline(always)]
    fn measure(&mut self) -> Norms {
        let (mut scaled, mut given) = (LargestPair::default(), Pair::ZERO);
        let (mut beyond, least) = (Pair::ZERO, Pair::splat(LEAST));
        for at in 0..self.nodes.len() {
            let (before, rest) = self.nodes.split_at_mut(at);
            let Some((node, after)) = rest.split_first_mut() else { break };
            let mut sum = Sum { left: node.rhs, size: node.rhs.abs().fast_max(least) };
            for child in node.children {
                if let Some(child) = before.get(child as usize) {
                    sum = sum.without(&child.coupling, child.x);
                }
            }
            sum = sum.without(&node.own, node.x);
            if let Some(parent) = after.get(node.above as usize) {
                sum = sum.without(&Pair::transpose(node.coupling), parent.x);
            }
            let Sum { left, size } = sum;
            beyond |= left.abs().simd_gt(Pair::splat(ROUNDED) * size);
            scaled.take(left);
            given = (left / node.scale).abs().fast_max(given);
            node.reduced = reduce(before, node, left);
        }
        // One is NaN where the other is.
        let scaled = scaled.largest();
        let given = if scaled.is_nan() { scaled } else { largest(given.to_array()) };
        Norms { scaled, given, rounded: !beyond.any() }
    }
}

/// A symmetric block.
struct Triangle {
    diagonal: Pair,
    below: f64,
}

impl<T> Node<T> {
    /// Takes A_pc, whose rows are scaled by `scale`, and finds L_pc; `left` of the parent's block becomes what that leaves of it.
    #[inline(always)]
    fn eliminate(&mut self, coupling: Columns, scale: Pair, left: &mut Triangle) {
        let scales = twice(self.scale);
        self.coupling = [coupling[0] * scales[0] * scale, coupling[1] * scales[1] * scale];
        // X = L_pc D_c, as A_pc begins.
        let [first, second] = self.coupling.map(|column| Pair::ZERO + column);
        let second = second - Pair::splat(self.lower) * first;
        let reciprocal = twice(self.reciprocal);
        self.factor = [first * reciprocal[0], second * reciprocal[1]];
        for (l, x) in self.factor.into_iter().zip([first, second]) {
            left.diagonal -= l * x;
            left.below -= l.to_array()[0] * x.to_array()[1];
        }
    }
}

/// ‖r‖∞ as scaled, and of the rows as given.
struct Norms {
    scaled: f64,
    given: f64,
    /// Whether none is larger than what rounds its terms.
    rounded: bool,
}

/// What a row leaves, and the sizes of its terms.
#[derive(Clone, Copy)]
struct Sum {
    left: Pair,
    size: Pair,
}

impl Sum {
    /// Without B x.
    #[inline(always)]
    fn without(self, block: &Columns, x: Pair) -> Self {
        let [first, second] = twice(x);
        let [first, second] = [block[0] * first, block[1] * second];
        Self { left: self.left - first - second, size: self.size + first.abs() + second.abs() }
    }
}

/// L⁻¹ b of a node whose children stand among those `before` it.
#[inline(always)]
fn reduce<T>(before: &[Node<T>], node: &Node<T>, mut b: Pair) -> Pair {
    for child in node.children {
        if let Some(child) = before.get(child as usize) {
            b = without(&child.factor, child.reduced, b);
        }
    }
    let [first, second] = b.to_array();
    Pair::new([first, second - node.lower * first])
}

/// to − B x.
#[inline(always)]
fn without(block: &Columns, x: Pair, to: Pair) -> Pair {
    let [first, second] = twice(x);
    to - block[0] * first - block[1] * second
}
