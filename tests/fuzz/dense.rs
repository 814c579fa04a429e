//! Dense complementarity problems of known classes: a solution is judged as given, and a solver that gives up is judged
//! by theory, or by trying every combination of states.
//!
//! | class | matrix | promised by theory |
//! |---|---|---|
//! | definite | S Sᵀ + K + 1, K skew: xᵀMx > 0 | one solution; lemke and dantzig find it |
//! | symmetric | J Jᵀ | a solution or a certificate, by lemke and by dantzig |
//! | semidefinite | J Jᵀ + K: copositive-plus | the same by lemke [Cottle, Pang & Stone 1992, theorem 4.4.11] |
//! | friction | Anitescu & Potra's, with consistent rows | a solution, by lemke [Anitescu & Potra 1997] |
//! | any | whole numbers | nothing |
//!
//! All are built of whole numbers, scaled by powers of two, D M D and D q (the definite ones D M E), which keeps
//! classes and solvability and lets every combination be tried in exact arithmetic.

use super::exact::is_solvable;
use super::source::Source;
use super::tally::Tally;
use driftlab::lcp::{COMPLEMENTARITY, LcpError, LcpProblem};
use driftlab::parameter::Values;

/// Promised share of ‖q‖∞.
const ASKED: f64 = 1e-9;
/// Rows at most of which every combination is tried: 3⁸ of them.
const TRIED: usize = 8;

/// What theory says of a solver and a problem.
#[derive(Clone, Copy, PartialEq)]
enum Promised {
    Solution,
    SolutionOrProof,
    Nothing,
}

#[derive(Clone, Copy, PartialEq)]
enum Class {
    Definite,
    Symmetric,
    Semidefinite,
    Friction,
    Any,
}

impl Class {
    const ALL: [Self; 5] = [Self::Definite, Self::Symmetric, Self::Semidefinite, Self::Friction, Self::Any];

    fn name(self) -> &'static str {
        match self {
            Self::Definite => "definite",
            Self::Symmetric => "symmetric",
            Self::Semidefinite => "semidefinite",
            Self::Friction => "friction",
            Self::Any => "any",
        }
    }

    fn promised(self, solver: &str) -> Promised {
        match (self, solver) {
            (Self::Definite, "lemke" | "dantzig") | (Self::Friction, "lemke") => Promised::Solution,
            (Self::Symmetric, "lemke" | "dantzig") | (Self::Semidefinite, "lemke") => {
                Promised::SolutionOrProof
            }
            _ => Promised::Nothing,
        }
    }
}

/// M, row by row, and q in whole numbers.
struct Whole {
    m: Vec<i64>,
    q: Vec<i64>,
}

/// A problem of a known class under every dense solver.
pub fn lcp(data: &[u8], tally: &mut Tally) {
    let source = &mut Source::new(data);
    let class = *source.pick(&Class::ALL);
    let whole = match class {
        Class::Friction => friction(source),
        _ => of_class(source, class),
    };
    let problem = scaled(source, class, &whole);
    for solver in COMPLEMENTARITY {
        let key = solver.info().key;
        let solution = solver.solve(&problem, &Values::defaults(solver.info().parameters));
        let promised = class.promised(key);
        let became = match &solution {
            Ok(solution) => {
                assert_solved(key, &problem, &solution.z);
                "solved"
            }
            Err(error) => {
                let proof = assert_certificate(key, &problem, error);
                assert!(
                    promised == Promised::Nothing || proof && promised == Promised::SolutionOrProof,
                    "{key}, {}: {error}",
                    class.name()
                );
                let solvable = (problem.n() <= TRIED).then(|| is_solvable(&whole.m, &whole.q));
                assert!(!(proof && solvable == Some(true)), "{key} proves what is not so: {error}");
                match (proof, solvable) {
                    (true, _) => "proved to have no solution",
                    (_, Some(true)) => "given up, with a solution",
                    (_, Some(false)) => "given up, without a solution",
                    (_, None) => "given up",
                }
            }
        };
        tally.count(format!("{}, {key}: {became}", class.name()));
    }
}

/// Whether the error proves that there is no feasible point; a wrong certificate is a broken promise.
pub fn assert_certificate(key: &str, problem: &LcpProblem, error: &LcpError) -> bool {
    let LcpError::Ray { direction: y, infeasible: true, .. } = error else { return false };
    let (n, q) = (problem.n(), problem.q());
    assert!(y.iter().all(|y| *y >= 0.0), "{key}: {y:?}");
    let gain: f64 = q.iter().zip(y).map(|(q, y)| q * y).sum();
    assert!(gain < 0.0, "{key}: qᵀy = {gain:e}");
    // Mᵀy ≤ 0 to rounding of its own terms, and to the share that the certificate allows in units of the columns.
    for j in 0..n {
        let terms = || (0..n).map(|i| problem.row(i)[j] * y[i]);
        let (sum, size) = (terms().sum::<f64>(), terms().map(f64::abs).fold(0.0, f64::max));
        let column = (0..n).map(|i| problem.row(i)[j].abs()).fold(0.0, f64::max);
        assert!(sum <= 1e-9 * (size + column * largest(y)), "{key}: (Mᵀy)_{j} = {sum:e}");
    }
    true
}

/// z ≥ 0, and ‖min(z, M z + q)‖∞ within 1e-9 of ‖q‖∞, computed here.
pub fn assert_solved(key: &str, problem: &LcpProblem, z: &[f64]) {
    let n = problem.n();
    let terms = |i: usize| problem.row(i).iter().zip(z).map(|(m, z)| m * z);
    let w: Vec<f64> = (0..n).map(|i| problem.q()[i] + terms(i).sum::<f64>()).collect();
    assert!(w.iter().all(|w| w.is_finite()), "{key}: w = {w:?}");
    let residual = largest((0..n).map(|i| z[i].min(w[i])));
    // The sum may be taken in another order than the solver's.
    let rounding = 1e-15 * n as f64 * largest((0..n).map(|i| terms(i).map(f64::abs).sum::<f64>()));
    let size = largest(problem.q());
    assert!(z.iter().all(|z| *z >= 0.0), "{key}: {z:?}");
    assert!(residual <= ASKED * size * 1.01 + rounding, "{key}: {residual:e} of {size:e}");
}

fn largest<T: std::borrow::Borrow<f64>>(numbers: impl IntoIterator<Item = T>) -> f64 {
    numbers.into_iter().fold(0.0, |most, x| most.max(x.borrow().abs()))
}

/// From −size to size.
fn whole(source: &mut Source<'_>, size: usize) -> i64 {
    source.below(2 * size + 1) as i64 - size as i64
}

fn of_class(source: &mut Source<'_>, class: Class) -> Whole {
    let n = 1 + source.below(6);
    if class == Class::Any {
        let m = (0..n * n).map(|_| whole(source, 2)).collect();
        return Whole { m, q: (0..n).map(|_| whole(source, 3)).collect() };
    }
    let rank = 1 + source.below(n);
    let j: Vec<i64> = (0..n * rank).map(|_| whole(source, 2)).collect();
    let dot = |i: usize, k: usize| (0..rank).map(|l| j[i * rank + l] * j[k * rank + l]).sum::<i64>();
    let mut m: Vec<i64> = (0..n * n).map(|at| dot(at / n, at % n)).collect();
    if class != Class::Symmetric {
        for i in 0..n {
            for k in 0..i {
                let skew = whole(source, 3);
                m[i * n + k] += skew;
                m[k * n + i] -= skew;
            }
            m[i * n + i] += i64::from(class == Class::Definite);
        }
    }
    // Half of them J b + s, s ≥ 0: a symmetric problem then has a solution, mostly a degenerate one.
    let q = if source.chance(128) {
        let b: Vec<i64> = (0..rank).map(|_| whole(source, 2)).collect();
        let met = |i: usize| (0..rank).map(|l| j[i * rank + l] * b[l]).sum::<i64>();
        (0..n).map(|i| met(i) + source.below(2) as i64).collect()
    } else {
        (0..n).map(|_| whole(source, 3)).collect()
    };
    Whole { m, q }
}

/// λ_n, β, γ of up to three contacts between bodies of unit mass, q = J v; the contacts may repeat each other. The rows of μ are
/// multiplied by two, for μ in halves.
fn friction(source: &mut Source<'_>) -> Whole {
    let (contacts, freedoms) = (1 + source.below(3), 3 * (1 + source.below(2)));
    let (c, n) = (contacts, 4 * contacts);
    let mut j: Vec<Vec<i64>> = Vec::new();
    for _ in 0..c {
        j.push((0..freedoms).map(|_| whole(source, 2)).collect());
    }
    for _ in 0..c {
        let tangent: Vec<i64> = (0..freedoms).map(|_| whole(source, 2)).collect();
        j.push(tangent.clone());
        j.push(tangent.iter().map(|x| -x).collect());
    }
    let mut m = vec![0; n * n];
    for i in 0..3 * c {
        for k in 0..3 * c {
            m[i * n + k] = j[i].iter().zip(&j[k]).map(|(x, y)| x * y).sum();
        }
    }
    for contact in 0..c {
        let gamma = 3 * c + contact;
        m[gamma * n + contact] = source.below(4) as i64;
        for beta in [c + 2 * contact, c + 2 * contact + 1] {
            m[beta * n + gamma] = 2;
            m[gamma * n + beta] = -2;
        }
    }
    let v: Vec<i64> = (0..freedoms).map(|_| whole(source, 3)).collect();
    let rate = |row: &Vec<i64>| row.iter().zip(&v).map(|(x, y)| x * y).sum();
    let mut q: Vec<i64> = j.iter().map(rate).collect();
    q.resize(n, 0);
    Whole { m, q }
}

/// D M D and D q with powers of two, of a definite matrix D M E.
fn scaled(source: &mut Source<'_>, class: Class, whole: &Whole) -> LcpProblem {
    let n = whole.q.len();
    let spread = if source.chance(128) { 8 } else { 1 };
    let mut powers = || -> Vec<f64> { (0..n).map(|_| 2_f64.powi(source.below(spread) as i32)).collect() };
    let rows = powers();
    let columns = if class == Class::Definite { powers() } else { rows.clone() };
    let m = (0..n * n).map(|at| rows[at / n] * whole.m[at] as f64 * columns[at % n]).collect();
    let q = (0..n).map(|i| rows[i] * whole.q[i] as f64).collect();
    LcpProblem::new(m, q).unwrap()
}
