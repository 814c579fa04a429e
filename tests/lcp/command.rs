//! `driftlab lcp`: a line for every problem, numbers that read back exactly, errors with their place.

use super::generators::{Random, semidefinite};
use super::{residual, solve};
use crate::driftlab;
use driftlab::lcp::LcpProblem;
use serde_json::{Value, json};

fn rows(problem: &LcpProblem) -> Vec<&[f64]> {
    (0..problem.n()).map(|i| problem.row(i)).collect()
}

fn list(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// `driftlab lcp` solves the problems of a file in order, with the same bits as the library, by Lemke's and by Dantzig's method.
#[test]
fn problems_of_a_file_come_back_solved_in_order() {
    let mut random = Random(9);
    let problems: Vec<_> = (1..20).map(|n| semidefinite(&mut random, n, n.div_ceil(2))).collect();
    let line =
        |(id, p): (usize, &LcpProblem)| format!("{}\n", json!({ "id": id, "M": rows(p), "q": p.q() }));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("problems.jsonl");
    std::fs::write(&file, problems.iter().enumerate().map(line).collect::<String>()).unwrap();
    for key in ["lemke", "dantzig,pivots_per_row=200"] {
        let done = driftlab().arg("lcp").arg(&file).args(["--solver", key]).assert().code(0).stderr("");
        let text = String::from_utf8(done.get_output().stdout.clone()).unwrap();
        assert_eq!(text.lines().count(), problems.len());
        for ((id, problem), line) in problems.iter().enumerate().zip(text.lines()) {
            let answer: Value = serde_json::from_str(line).unwrap();
            let expected = solve(key.split(',').next().unwrap(), problem).unwrap();
            assert_eq!(answer["id"], id);
            assert!(residual(problem, &list(&answer["z"])) <= super::ASKED);
            assert_eq!(list(&answer["z"]), expected.z);
            assert_eq!(list(&answer["w"]), expected.w);
            assert_eq!(answer["residual"].as_f64(), Some(expected.residual));
            assert_eq!(answer["pivots"], expected.pivots);
        }
    }
}

/// A problem without a solution gets a line with its error, the other problems are solved, and the exit status is 3.
#[test]
fn an_unsolvable_problem_is_said_and_ends_with_3() {
    let input = "{\"id\": \"no\", \"M\": [[-1]], \"q\": [-1]}\n\n{\"M\": [[2]], \"q\": [-4]}\n";
    let done = driftlab().args(["lcp", "-"]).write_stdin(input).assert().code(3);
    let text = String::from_utf8(done.get_output().stdout.clone()).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["id"], "no");
    assert_eq!((&lines[0]["error"], &lines[0]["infeasible"]), (&json!("ray"), &json!(true)));
    assert_eq!(list(&lines[0]["direction"]), [1.0]);
    // Without an id the line's number stands for it; 2 z = 4.
    assert_eq!((&lines[1]["id"], list(&lines[1]["z"])), (&json!(3), vec![2.0]));
    let said = String::from_utf8(done.get_output().stderr.clone()).unwrap();
    assert!(said.starts_with("-:1: ended on a ray") && said.lines().count() == 1, "{said}");
}

/// Wrong input, an unknown solver or a missing file: every error is reported with line and path, nothing is solved, and the
/// exit status is 2.
#[test]
fn wrong_input_is_named_by_line_and_path() {
    let input = concat!(
        "{\"id\": 1, \"M\": [[1]], \"q\": [1]}\n",
        "{\"id\": [], \"M\": [[1, 2], [3]], \"q\": [1, \"a\"], \"r\": 0}\n",
        "{\"M\": [[1]]}\n",
        "[1]\n",
        "{\"M\": 1\n",
        "{\"M\": [[1e999]], \"q\": [1]}\n",
    );
    let expected = [
        "-:2: id: expected a text or a number, found an array of 0",
        "-:2: q[1]: expected a number, found \"a\"",
        "-:2: M[1]: expected 2 numbers, found 1",
        "-:2: r: unknown key (expected id, rows, M, q)",
        "-:3: q: missing",
        "-:4: expected an object {\"id\", \"M\", \"q\"}, found an array of 1",
    ];
    let done = driftlab().args(["lcp", "-"]).write_stdin(input).assert().code(2).stdout("");
    let said = String::from_utf8(done.get_output().stderr.clone()).unwrap();
    let said: Vec<_> = said.lines().collect();
    assert_eq!(said[..expected.len()], expected);
    assert_eq!(said.len(), expected.len() + 2, "{said:?}");
    assert!(said[6].starts_with("-:5: column ") && said[7].starts_with("-:6: column "), "{said:?}");

    let unknown = driftlab().args(["lcp", "-", "--solver", "ldlt"]).write_stdin("").assert().code(2);
    let said = String::from_utf8(unknown.get_output().stderr.clone()).unwrap();
    assert_eq!(said, "--solver: unknown solver 'ldlt' (expected one of lemke, dantzig, pgs)\n");
    driftlab().args(["lcp", "no-such-file.jsonl"]).assert().code(2).stdout("");
}

/// `driftlab list solvers` lists the solvers of `driftlab lcp` separately from those of a step.
#[test]
fn the_solvers_are_listed_apart_from_those_of_a_step() {
    let text = driftlab().args(["list", "solvers"]).assert().code(0).get_output().stdout.clone();
    let text = String::from_utf8(text).unwrap();
    let (steps, problems) = text.split_once("For `driftlab lcp`").unwrap();
    let heading = |info: &driftlab::lcp::SolverInfo| format!("{}: {}\n", info.key, info.name);
    for solver in driftlab::lcp::COMPLEMENTARITY {
        assert!(problems.contains(&heading(solver.info())), "{}", solver.info().key);
    }
    for solver in driftlab::lcp::solvers() {
        assert!(steps.contains(&heading(solver.info())), "{}", solver.info().key);
    }
    // Solvers that need bodies are not listed for `driftlab lcp`.
    assert!(
        problems.contains("pivots_per_row")
            && !problems.contains("newton: ")
            && !problems.contains("ldlt: ")
    );
}

/// A reader that goes away after the first answer ends the program quietly.
#[test]
#[cfg(unix)]
fn a_reader_that_leaves_is_no_error() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("many.jsonl");
    std::fs::write(&file, "{\"M\": [[2]], \"q\": [-4]}\n".repeat(20_000)).unwrap();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("driftlab"))
        .arg("lcp")
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

/// A byte order mark in front is accepted; a key that occurs twice is refused by line and key, because one of the two values
/// would be ignored.
#[test]
fn a_mark_is_accepted_and_a_key_given_twice_is_not() {
    let input = "\u{feff}{\"M\": [[2]], \"q\": [-4]}\n";
    driftlab().args(["lcp", "-"]).write_stdin(input).assert().code(0);
    let input = "{\"M\": [[2]], \"q\": [-4]}\n{\"M\": [[2]], \"q\": [-4], \"q\": [4]}\n";
    let done = driftlab().args(["lcp", "-"]).write_stdin(input).assert().code(2).stdout("");
    let said = String::from_utf8(done.get_output().stderr.clone()).unwrap();
    assert_eq!(said, "-:2: q: this key occurs twice\n");
}

/// Siconos' plain text (n, M row by row, q) is the problem that it states, with Fortran's exponents, too; a problem that is
/// written so, or as
/// a line of JSON, is read to the same bits.
#[test]
fn plain_texts_of_siconos_are_read_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    // Murty's first example: w = z + … has the solution z = (1, 3).
    std::fs::write(path("a.dat"), "2\n 2.0 1.0d0\n 1 2\n\n -5e0\n -7\n").unwrap();
    let done = driftlab().arg("lcp").arg(path("a.dat")).assert().code(0).stderr("");
    let answer: Value = serde_json::from_slice(&done.get_output().stdout).unwrap();
    for (found, exact) in list(&answer["z"]).into_iter().zip([1.0, 3.0]) {
        assert!((found - exact).abs() < 1e-12, "{answer}");
    }
    let problem = semidefinite(&mut Random(3), 5, 3);
    let line = format!("{}\n", json!({ "id": "own", "M": rows(&problem), "q": problem.q() }));
    std::fs::write(path("b.jsonl"), &line).unwrap();
    driftlab()
        .arg("lcp")
        .arg(path("b.jsonl"))
        .arg("--write")
        .arg(path("b.dat"))
        .assert()
        .code(0)
        .stdout("");
    driftlab()
        .arg("lcp")
        .arg(path("b.dat"))
        .arg("--write")
        .arg(path("c.jsonl"))
        .assert()
        .code(0)
        .stdout("");
    let read: Value = serde_json::from_str(&std::fs::read_to_string(path("c.jsonl")).unwrap()).unwrap();
    assert_eq!(list(&read["q"]), problem.q());
    for (row, found) in rows(&problem).into_iter().zip(read["M"].as_array().unwrap()) {
        assert_eq!(list(found), row);
    }
    for (text, what) in [
        ("2\n1 2 3\n", "expected 2² numbers of M and 2 of q, found 3"),
        ("1\n1 2 3\n", "line 2: expected 1² numbers of M and 1 of q, found more"),
        ("1\n1 x\n", "line 2: expected a number, found 'x'"),
        ("0\n", "expected the number of rows, 1 or more"),
        ("99999999999\n1\n", "expected fewer rows"),
    ] {
        std::fs::write(path("wrong.dat"), text).unwrap();
        let done = driftlab().arg("lcp").arg(path("wrong.dat")).assert().code(2);
        let told = String::from_utf8_lossy(&done.get_output().stderr).into_owned();
        assert!(told.contains(what), "{told}");
    }
}
