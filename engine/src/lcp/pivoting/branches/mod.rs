//! Branch and bound over the states of an island: the solution, or the proof that there is none, where `state_enumeration.rs` would have too
//! many combinations to try.
//!
//! **Problem**: the plain form of `polyhedral.rs`, z ≥ 0, w = M z + q ≥ 0, zᵀw = 0.
//!
//! **A node** sets some variables to zero, one of a pair (zᵢ, wᵢ) each, and leaves the other pairs open: what is left is linear,
//!
//! ```text
//! w = M z + q ,   z ≥ 0 ,   w ≥ 0 ,   some of them 0
//! ```
//!
//! **Bound**: the dual simplex method without an objective, from the dictionary of the node above: a row x_B = r + Σ cⱼ xⱼ with r < 0 and
//! no cⱼ > 0 of a variable that may grow contradicts itself. It is computed afresh from M and q and believed as Farkas' certificates
//! are (`dense/scaled.rs`); then all combinations of states below the node are excluded.
//! Where rounding leaves a node open, its whole dictionary is computed afresh, and the method goes on from there (`node.rs`).
//!
//! **Branch**: at the pair whose smaller variable is largest, with the one and then the other set to zero. Where there is none, z solves
//! the problem, and is judged by its residual.
//!
//! Sources: [Land & Doig 1960] (branch and bound); [Lemke 1954] (the dual simplex method).

mod node;

use super::polyhedral::Polyhedral;
use super::state_enumeration::{self, Enumeration, exhaust};
use crate::lcp::dense::scaled::Scaled;
use crate::lcp::direct::equations::Equations;
use crate::lcp::info::ACCEPTED;
use crate::lcp::problem::acceptance::Acceptance;
use crate::lcp::problem::problem::MixedProblem;
use node::{Node, Settled};

/// Most unknowns: a node holds their square, 320 kB.
const MOST_UNKNOWNS: usize = 200;
/// How long states are tried: the work of single combinations (`state_enumeration.rs`), and of branches, in entries of a dictionary that are
/// changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    combinations: usize,
    branches: usize,
}

/// Where a run would end: about two seconds.
pub(crate) const AT_THE_END: Effort =
    Effort { combinations: state_enumeration::AT_THE_END, branches: 3_000_000_000 };
/// Where it goes on anyway: some 20 ms.
pub(crate) const ON_THE_WAY: Effort =
    Effort { combinations: state_enumeration::ON_THE_WAY, branches: 20_000_000 };
/// A node that rounding leaves open is computed afresh at most so often. Where its solution is none beyond rounding, values count as
/// feasible within a smaller share of what did: three times four digits are all there are.
const REFRESHED: usize = 3;
const FINER: f64 = 1e-4;

/// All combinations of states, one by one where they are few, else by branch and bound; open where that would take too long, or
/// rounding leaves one open. `near` becomes the λ of the first node that would be a solution but for rounding, if there is one.
pub(crate) fn settle(
    problem: &MixedProblem,
    acceptance: &Acceptance,
    effort: Effort,
    near: &mut Vec<f64>,
) -> Enumeration {
    match exhaust(problem, acceptance, effort.combinations) {
        Enumeration::Open => branch(problem, acceptance, effort.branches, near),
        settled => settled,
    }
}

fn branch(
    problem: &MixedProblem,
    acceptance: &Acceptance,
    most: usize,
    near: &mut Vec<f64>,
) -> Enumeration {
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
            Examined::Open(lambda) => {
                open = true;
                if near.is_empty() {
                    near.extend(lambda.into_iter().flatten());
                }
            }
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

/// What is below a node.
enum Examined {
    /// No solution.
    Contradiction,
    /// This one.
    Solution(Vec<f64>),
    /// Two nodes, in which the one or the other of a pair is zero.
    Branches(usize),
    /// Rounding leaves that open; the λ that would be a solution but for rounding, if there is one.
    Open(Option<Vec<f64>>),
}

/// What all nodes share.
struct Tree<'p> {
    problem: &'p MixedProblem,
    acceptance: &'p Acceptance,
    equations: Equations,
    posed: Polyhedral,
    scaled: Scaled,
    /// [`Polyhedral::sizes`], scaled.
    sizes: Vec<f64>,
    /// Entries of dictionaries that were changed, and most of them.
    work: usize,
    most: usize,
}

impl Tree<'_> {
    fn examine(&mut self, node: &mut Node) -> Examined {
        let mut examined = self.settle(node);
        for _ in 0..REFRESHED {
            match examined {
                // What is feasible within the tolerance may not be within a smaller one.
                Examined::Open(Some(_)) => node.feasible *= FINER,
                Examined::Open(None) => {}
                _ => break,
            }
            if self.work > self.most || !node.refresh(&self.scaled, &mut self.work) {
                break;
            }
            examined = self.settle(node);
        }
        examined
    }

    /// The node as its dictionary tells it, which is settled.
    fn settle(&mut self, node: &mut Node) -> Examined {
        match node.settle(&self.scaled, &self.sizes, &mut self.work) {
            Settled::Contradiction => return Examined::Contradiction,
            Settled::Unclear => return Examined::Open(None),
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
            Examined::Open(Some(lambda))
        }
    }
}
