//! Branch and bound over the states of an island: the solution, or the proof that there is none, where
//! `pivoting/state_enumeration.rs` would have too many combinations to try.
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

mod node;

use super::polyhedral::Polyhedral;
use super::state_enumeration::{self, Enumeration, exhaust};
use crate::lcp::dense::scaled::Scaled;
use crate::lcp::direct::equations::Equations;
use crate::lcp::info::ACCEPTED;
use crate::lcp::problem::acceptance::Acceptance;
use crate::lcp::problem::mixed::MixedProblem;
use node::{Node, Settled};

/// Most unknowns: a node holds their square, 320 kB.
const MOST_UNKNOWNS: usize = 200;
/// Limits of the search: the work of single combinations (`pivoting/state_enumeration.rs`), and of branches, in changed entries
/// of a dictionary.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    combinations: usize,
    branches: usize,
}

/// The effort where a run would otherwise end: about two seconds.
pub(crate) const AT_THE_END: Effort =
    Effort { combinations: state_enumeration::AT_THE_END, branches: 3_000_000_000 };
/// The effort where the run continues in any case: some 20 ms.
pub(crate) const ON_THE_WAY: Effort =
    Effort { combinations: state_enumeration::ON_THE_WAY, branches: 20_000_000 };
/// Most times that a node left open by rounding is computed afresh, and the factor of its feasibility tolerance if its λ does not
/// solve the problem: three times four digits are nearly all of the sixteen.
const REFRESHED: usize = 3;
const FINER: f64 = 1e-4;

/// Searches all combinations of states, one by one where they are few, else by branch and bound; open where that would take too
/// long, or rounding leaves one open.
pub(crate) fn settle(problem: &MixedProblem, acceptance: &Acceptance, effort: Effort) -> Enumeration {
    match exhaust(problem, acceptance, effort.combinations) {
        Enumeration::Open => branch(problem, acceptance, effort.branches),
        settled => settled,
    }
}

fn branch(problem: &MixedProblem, acceptance: &Acceptance, most: usize) -> Enumeration {
    let mut equations = Equations::default();
    let posed = equations.factor(problem).ok().and_then(|()| Polyhedral::new(problem, &mut equations));
    let Some(posed) = posed.filter(|posed| posed.plain.n() <= MOST_UNKNOWNS) else {
        return Enumeration::Open;
    };
    let scaled = Scaled::new(&posed.plain);
    let sizes = scaled.scaled_rows(&posed.sizes);
    let mut tree = Tree { problem, acceptance, equations, posed, scaled, sizes, work: 0, most };
    let mut nodes = vec![Node::root(&tree.scaled)];
    let (mut open, mut closed) = (false, 0);
    while let Some(mut node) = nodes.pop() {
        let found = tree.examine(&mut node);
        if tree.work > most {
            return Enumeration::Open;
        }
        match found {
            Examined::Contradiction => closed += 1,
            Examined::Open { .. } => open = true,
            Examined::Solution(lambda) => return Enumeration::Solution(lambda),
            Examined::Branches(pair) => {
                let mut other = node.clone();
                other.fixed[pair] = true;
                node.fixed[tree.scaled.n() + pair] = true;
                nodes.extend([other, node]);
            }
        }
    }
    if open { Enumeration::Open } else { Enumeration::NoSolution(closed) }
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
    equations: Equations,
    posed: Polyhedral,
    scaled: Scaled,
    /// [`Polyhedral::sizes`], scaled.
    sizes: Vec<f64>,
    /// Number of changed entries of dictionaries, and its limit.
    work: usize,
    most: usize,
}

impl Tree<'_> {
    fn examine(&mut self, node: &mut Node) -> Examined {
        let mut examined = self.settle(node);
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
            examined = self.settle(node);
        }
        examined
    }

    /// Settles the node's dictionary and returns the result.
    fn settle(&mut self, node: &mut Node) -> Examined {
        match node.settle(&self.scaled, &self.sizes, &mut self.work) {
            Settled::Contradiction => return Examined::Contradiction,
            Settled::Unclear => return Examined::Open { near: false },
            Settled::Feasible => {}
        }
        if let Some(pair) = node.worst_pair() {
            return Examined::Branches(pair);
        }
        let Self { problem, acceptance, equations, posed, scaled, .. } = self;
        let lambda = posed.multipliers(problem, equations, &scaled.unscaled(&node.z()));
        if acceptance.admits(problem, &lambda, problem.residual(&lambda), ACCEPTED) {
            Examined::Solution(lambda)
        } else {
            Examined::Open { near: true }
        }
    }
}
