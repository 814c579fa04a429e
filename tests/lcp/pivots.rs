//! The record of pivots: the textbook's, exchange by exchange, and no bit of the result depends on being watched.

use super::generators::{Random, semidefinite};
use super::{by_hand, near};
use crate::driftlab;
use driftlab::lcp::{self, LcpError, LcpProblem, Path, Pivots, Solution, Variable};
use driftlab::parameter::Values;
use serde_json::{Value, json};

/// [Murty 1988, example 2.8].
const SOLVED: [[f64; 4]; 4] =
    [[1.0, -1.0, -1.0, -1.0], [-1.0, 1.0, -1.0, -1.0], [1.0, 1.0, 2.0, 0.0], [1.0, 1.0, 0.0, 2.0]];
const SOLVED_Q: [f64; 4] = [3.0, 5.0, -9.0, -5.0];
/// [Murty 1988, example 2.9], which ends on a ray.
const RAY: [[f64; 3]; 3] = [[-1.0, 0.0, -3.0], [1.0, -2.0, -5.0], [-2.0, -1.0, -2.0]];
const RAY_Q: [f64; 3] = [-3.0, -2.0, -1.0];

fn recorded(key: &str, problem: &LcpProblem) -> (Result<Solution, LcpError>, Pivots) {
    let solver = lcp::complementarity(key).unwrap();
    let mut record = Pivots::with_values();
    let values = Values::defaults(solver.info().parameters);
    let ended = solver.solve_recording(problem, &values, Some(&mut record));
    (ended, record)
}

/// `z3 for w4` of every exchange.
fn told(path: &Path) -> Vec<String> {
    path.pivots.iter().map(|pivot| format!("{} for {}", pivot.entering, pivot.leaving)).collect()
}

/// Lemke's method takes the textbook's pivots to the textbook's solution.
///
/// By hand, with w₃ = −9 + z₁ + z₂ + 2 z₃ + z₀ solved for z₀ and so on: z₀ enters at 9, where w₃ is zero; z₃ at
/// min(9/2, 12/3, 14/3, 4/2) = 2, where w₄ is; z₄ at min(6/4, 8/4, 5/2) = 3/2, w₁; z₁ at min(2/2, 2/1) = 1, w₂; z₂ at
/// min(1, 3, 7) = 1, where z₀ is.
#[test]
fn lemke_shows_the_pivots_of_the_textbook() {
    let (ended, record) = recorded("lemke", &by_hand(SOLVED, SOLVED_Q));
    let path = record.path().unwrap();
    assert_eq!(told(path), ["z0 for w3", "z3 for w4", "z4 for w1", "z1 for w2", "z2 for z0"]);
    let ratios: Vec<f64> = path.pivots.iter().map(|pivot| pivot.ratio).collect();
    assert!(near(&ratios, &[9.0, 2.0, 1.5, 1.0, 1.0], 1e-14), "{ratios:?}");
    let solution = ended.unwrap();
    assert!(near(&solution.z, &[2.0, 1.0, 3.0, 1.0], 1e-14), "{:?}", solution.z);
    assert!(near(&solution.w, &[0.0; 4], 1e-14) && solution.pivots == 5);
    // After the first exchange w = (12, 14, ·, 4) and z₀ = 9.
    let first = &path.pivots[0].values;
    for (variable, value) in
        [(Variable::W(0), 12.0), (Variable::W(1), 14.0), (Variable::Covering, 9.0), (Variable::W(3), 4.0)]
    {
        assert!(first.contains(&(variable, value)), "{variable} = {value} in {first:?}");
    }
}

/// The textbook's second problem ends on a ray here, too, although on a shorter path: the covering vector is e in equilibrated
/// units, which is d = (1, 2, 2) in those of this matrix, where the textbook takes (1, 1, 1).
///
/// By hand: z₀ enters at 3, where w₁ is zero; with z₀ = 3 + z₁ + 3 z₃ + w₁ nothing blocks z₁, since w₂ = 4 + 3 z₁ and w₃ = 5. The
/// first row, w₁ = −3 − z₁ − 3 z₃, says that there is no solution at all.
#[test]
fn lemke_shows_the_ray() {
    let (ended, record) = recorded("lemke", &by_hand(RAY, RAY_Q));
    let path = record.path().unwrap();
    assert_eq!(told(path), ["z0 for w1"]);
    assert_eq!((path.pivots[0].ratio, path.unblocked), (3.0, Some(Variable::Z(0))));
    assert!(path.pivots[0].values.contains(&(Variable::W(2), 5.0)), "{path:?}");
    let Err(LcpError::Ray { direction, infeasible: true, .. }) = ended else { panic!("{ended:?}") };
    assert_eq!(direction, [1.0, 0.0, 0.0]);
}

/// Dantzig's method drives the most negative w to zero, and each exchange is between a pair, or with the driven row.
///
/// M = [[2, 1], [1, 2]], q = (−5, −6): z₂ grows to 3, where w₂ is zero and w₁ = −2; z₁ then grows and drags z₂ down by
/// half of its growth, until w₁ = −2 + 3/2 z₁ = 0 at z₁ = 4/3, where z₂ = 3 − 2/3.
#[test]
fn dantzig_drives_one_row_after_the_other() {
    let (ended, record) = recorded("dantzig", &by_hand([[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0]));
    let path = record.path().unwrap();
    assert_eq!(told(path), ["z2 for w2", "z1 for w1"]);
    let ratios: Vec<f64> = path.pivots.iter().map(|pivot| pivot.ratio).collect();
    assert!(near(&ratios, &[3.0, 4.0 / 3.0], 1e-14), "{ratios:?}");
    let of = |wanted| path.pivots[1].values.iter().find(|(v, _)| *v == wanted).unwrap().1;
    assert!(
        (of(Variable::Z(1)) - 7.0 / 3.0).abs() < 1e-14 && (of(Variable::Z(0)) - 4.0 / 3.0).abs() < 1e-14
    );
    assert!(of(Variable::W(0)).abs() < 1e-14);
    assert!(near(&ended.unwrap().z, &[4.0 / 3.0, 7.0 / 3.0], 1e-14));
}

/// A solve that is watched comes to the same bits, and its record counts the pivots that it reports.
#[test]
fn recording_changes_no_bit() {
    let mut random = Random(31);
    for n in 1..24 {
        let problem = semidefinite(&mut random, n, n.div_ceil(2));
        for key in ["lemke", "dantzig"] {
            let (ended, record) = recorded(key, &problem);
            assert_eq!(ended, super::solve(key, &problem), "{key}, {n} rows");
            let Ok(solution) = ended else { continue };
            let made = record.path().map_or(0, |path| path.pivots.len());
            assert_eq!(made, solution.pivots, "{key}, {n} rows");
        }
    }
}

/// `driftlab lcp --pivots` prints the same record: the textbook's pivots, and the ray where there is one.
#[test]
fn the_command_prints_the_pivots() {
    let line = |id: &str, m: Value, q: Value| format!("{}\n", json!({ "id": id, "M": m, "q": q }));
    let input = line("2.8", json!(SOLVED), json!(SOLVED_Q)) + &line("2.9", json!(RAY), json!(RAY_Q));
    let done = driftlab().args(["lcp", "-", "--pivots"]).write_stdin(input).assert().code(3);
    let text = String::from_utf8(done.get_output().stdout.clone()).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let entering: Vec<&str> =
        lines[0]["path"].as_array().unwrap().iter().map(|p| p["enters"].as_str().unwrap()).collect();
    assert_eq!(entering, ["z0", "z3", "z4", "z1", "z2"]);
    assert_eq!(lines[0]["path"][3]["leaves"], "w2");
    assert_eq!(lines[0]["path"][0]["ratio"], 9.0);
    assert!(lines[0].get("unblocked").is_none());
    assert_eq!((&lines[1]["error"], &lines[1]["unblocked"]), (&json!("ray"), &json!("z1")));
}
