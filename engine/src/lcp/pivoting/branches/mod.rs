//! Branch and bound over the states of an island: the solution, or the proof that there is none.
//!
//! In forces, where bodies slide in a given direction, a problem may have no solution although no row contradicts another one
//! [Painlevé 1895], and Lemke's path may end on a ray although there is one.
//!
//! **Problem**: the plain form of `pivoting/polyhedral.rs`, z ≥ 0, w = M z + q ≥ 0, zᵀw = 0.
//!
//! **A node** sets some variables to zero, one of a pair (zᵢ, wᵢ) each, and leaves the other pairs open. The relaxed problem is
//! linear,
//!
//! ```text
//! w = M z + q ,   z ≥ 0 ,   w ≥ 0 ,   some of them 0
//! ```
//!
//! **Bound**: the dual simplex method without an objective, from the dictionary of the node above: a row x_B = r + Σ cⱼ xⱼ with r
//! < 0 and no cⱼ > 0 of a variable that may grow contradicts itself. It is computed afresh from M and q and believed as Farkas'
//! certificates are (`dense/scaled.rs`); then all combinations of states below the node are excluded. Where rounding leaves a
//! node open, its whole dictionary is computed afresh, and the method goes on from there (`node.rs`).
//!
//! **Branch**: at the pair whose smaller variable is largest, with the one and then the other set to zero. Where there is none, z
//! solves the problem, and is judged by its residual.
//!
//! Sources: [Land & Doig 1960] (branch and bound); [Lemke 1954] (the dual simplex method).

pub mod node;

use super::polyhedral::PlainForm;
use crate::lcp::dense::scaled::Scaled;
use crate::lcp::info::ACCEPTED;
use crate::lcp::problem::acceptance::Acceptance;
use crate::lcp::problem::mixed::MixedProblem;
use node::Node;

/// Most unknowns: a node holds their square, 320 kB.
const MOST_UNKNOWNS: usize = 200;
/// Most changed entries of dictionaries: where the run would otherwise end, about two seconds; and where it continues
/// in any case, some 20 ms.
pub(crate) const AT_THE_END: usize = 3_000_000_000;
pub(crate) const ON_THE_WAY: usize = 20_000_000;
/// Most times that a node left open by rounding is computed afresh, and the factor of its feasibility tolerance if its λ does not
/// solve the problem: three times four digits are nearly all of the sixteen.
const REFRESHED: usize = 3;
const FINER: f64 = 1e-4;

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Search {
    /// The λ of a solution, by row.
    Solution(Vec<f64>),
    /// None of the combinations, which so many nodes exclude, is a solution.
    NoSolution(usize),
    /// There are too many, or rounding leaves some of them open.
    Open,
}

/// Searches all combinations of states, with `most` changed entries of dictionaries.
pub(crate) fn search(problem: &MixedProblem, acceptance: &Acceptance, most: usize) -> Search {
    let posed = PlainForm::new(problem.clone()).filter(|posed| posed.len() <= MOST_UNKNOWNS);
    let Some(posed) = posed else { return Search::Open };
    let scaled = Scaled::without_units(posed.problem());
    let sizes = scaled.scaled_rows(&posed.sizes);
    let mut tree = Tree { problem, acceptance, posed, scaled, sizes, work: 0, most };
    let mut nodes = vec![Node::root(&tree.scaled)];
    let (mut open, mut closed) = (false, 0);
    while let Some(mut node) = nodes.pop() {
        let found = tree.examine(&mut node);
        if tree.work > most {
            return Search::Open;
        }
        match found {
            Examined::Contradiction => closed += 1,
            Examined::Open { .. } => open = true,
            Examined::Solution(lambda) => return Search::Solution(lambda),
            Examined::Branches(pair) => {
                let mut other = node.clone();
                other.fixed[pair] = true;
                node.fixed[tree.scaled.n() + pair] = true;
                nodes.extend([other, node]);
            }
        }
    }
    if open { Search::Open } else { Search::NoSolution(closed) }
}

/// The result of examining a node.
enum Examined {
    /// No solution.
    Contradiction,
    /// The λ of a solution.
    Solution(Vec<f64>),
    /// Two child nodes, in which one or the other variable of this pair is zero.
    Branches(usize),
    /// Undecided because of rounding, perhaps with a λ that would be a solution but for rounding.
    Open { near: bool },
}

/// The data that all nodes share.
struct Tree<'p> {
    problem: &'p MixedProblem,
    acceptance: &'p Acceptance,
    posed: PlainForm,
    scaled: Scaled,
    /// [`PlainForm::sizes`], scaled.
    sizes: Vec<f64>,
    /// Number of changed entries of dictionaries, and its limit.
    work: usize,
    most: usize,
}

impl Tree<'_> {
    fn examine(&mut self, node: &mut Node) -> Examined {
        let mut examined = self.solve_node(node);
        for _ in 0..REFRESHED {
            match examined {
                // A node that is feasible within the tolerance may not be so within a smaller one.
                Examined::Open { near: true } => node.feasible *= FINER,
                Examined::Open { near: false } => {}
                _ => break,
            }
            if self.work > self.most || !node.refresh(&self.scaled, &mut self.work) {
                break;
            }
            examined = self.solve_node(node);
        }
        examined
    }

    /// Makes the node's dictionary feasible and returns what it says.
    fn solve_node(&mut self, node: &mut Node) -> Examined {
        if let Err(examined) = node.make_feasible(&self.scaled, &self.sizes, &mut self.work) {
            return examined;
        }
        if let Some(pair) = node.worst_pair() {
            return Examined::Branches(pair);
        }
        let Self { problem, acceptance, posed, scaled, .. } = self;
        let lambda = posed.multipliers(&scaled.unscaled(&node.z()));
        if acceptance.admits(problem, &lambda, problem.residual(&lambda), ACCEPTED) {
            Examined::Solution(lambda)
        } else {
            Examined::Open { near: true }
        }
    }
}
