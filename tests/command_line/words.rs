//! What a failed or doubtful run says: the cause and the remedy in a sentence each, about what the scene has; the rest
//! where it is asked for.

use crate::driftlab;
use serde_json::Value;

pub fn world(name: &str) -> String {
    format!("{}/tests/worlds/{name}.json", env!("CARGO_MANIFEST_DIR"))
}

/// Standard output and standard error of a command that ends with `status`.
fn told(arguments: &[&str], status: i32) -> [String; 2] {
    let output = driftlab().args(arguments).assert().code(status).get_output().clone();
    [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap())
}

const LDLT: [&str; 6] = ["run", "pyramid-10", "--steps", "5", "--solver", "ldlt"];

/// The message of a failed solve is one sentence with the cause and one with the remedy, in the message, the summary
/// and the CSV alike: of a problem of some 60 contacts it names their number and three bodies.
#[test]
fn a_failed_solve_is_told_in_two_sentences() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("run.csv");
    let [summary, error] = told(&[&LDLT[..], &["--csv", csv.to_str().unwrap()]].concat(), 3);
    let rows = std::fs::read_to_string(&csv).unwrap();
    let last = rows.lines().last().unwrap();
    assert!(last.starts_with("# step 1 failed: the problem of "), "{last}");
    for text in [summary.as_str(), &error, last] {
        let text = text.lines().last().unwrap();
        let (_, told) = text.split_once("the problem of ").expect(text);
        let (cause, remedy) = told.split_once(". ").expect(text);
        assert!(cause.contains(" contacts between 'ground', "), "{cause}");
        assert!(cause.contains(" more is not solved: ldlt does not apply: "), "{cause}");
        assert_eq!(remedy, "Try the solver 'auto'.");
        assert!(told.len() < 250, "{told}");
    }
}

/// All of the problem is behind `--verbose`, and in the JSON of `run` and `compare`: each constraint, none counted
/// only, and each attempt.
#[test]
fn the_whole_problem_is_told_where_it_is_asked_for() {
    let [json, _] = told(&[&LDLT[..], &["--json"]].concat(), 3);
    let json: Value = serde_json::from_str(&json).unwrap();
    let unsolved = &json["unsolved"];
    assert_eq!((unsolved["step"].as_u64(), unsolved["asked"].as_str()), (Some(1), Some("ldlt")));
    assert_eq!(unsolved["bodies"][0], "ground");
    let constraints = unsolved["constraints"].as_array().unwrap();
    assert!(constraints.len() > 20, "{constraints:?}");
    let compare = ["compare", "pyramid-10", "--steps", "5", "--solver", "ldlt", "--stabilizers", "none"];
    let [table, _] = told(&[&compare[..], &["--json"]].concat(), 3);
    let table: Value = serde_json::from_str(&table).unwrap();
    assert_eq!(&table[0]["unsolved"], unsolved);
    for command in [&LDLT[..], &compare] {
        let [plain, _] = told(command, 3);
        let [verbose, _] = told(&[command, &["--verbose"]].concat(), 3);
        assert!(!plain.contains("asked for") && verbose.contains("asked for 'ldlt'"), "{verbose}");
        for constraint in constraints {
            let constraint = constraint.as_str().unwrap();
            assert!(verbose.contains(constraint), "{constraint} in {verbose}");
        }
    }
    let overflowing = ["run", &world("overflow-of-limits"), "--stabilizer", "baumgarte_acceleration"];
    let [verbose, _] = told(&[&overflowing[..], &["--steps", "30", "--verbose"]].concat(), 3);
    assert!(
        verbose.lines().any(|line| line.starts_with("attempts ") && line.contains("newton (warm start): ")),
        "{verbose}"
    );
    let [run, _] = told(&["run", "pyramid-10", "--steps", "5", "--verbose"], 0);
    assert!(run.contains("attempts ") && !run.contains("not solved"), "{run}");
}

/// A problem is named by what it holds: nobody looks for contacts in a scene that has none.
#[test]
fn a_problem_is_named_by_what_it_holds() {
    let [summary, error] = told(&["run", &world("overflow-of-a-rod"), "--solver", "ldlt"], 3);
    assert!(
        error.contains(": the problem of 2 joints and 2 limits between 'floor', 'b0', 'b1' is not"),
        "{error}"
    );
    let named = |text: &str| text.split(" is not solved").next().unwrap().to_owned();
    assert!(!named(&error).contains("contact") && !named(&summary).contains("contact problem"), "{error}");
    let [summary, error] = told(&["run", &world("overflow-of-a-rod"), "--steps", "600"], 3);
    assert!(!error.contains("contact") && !summary.contains("contact problem"), "{error}");
    let [summary, error] = told(&["run", &world("joints-alone"), "--stabilizer", "projection"], 0);
    assert!(summary.contains("steps: joints contradict each other, corrections were damped"), "{summary}");
    assert!(!summary.replace("contacts                0 at most", "").contains("contact"), "{summary}");
    assert_eq!(error, "");
}

/// A run that had blown up fails for that reason: no other solver is advised to whoever asked for this one.
#[test]
fn a_blow_up_is_not_laid_to_the_solver() {
    for (name, scheme, solver) in [
        ("overflow-of-limits", "baumgarte_acceleration", "auto"),
        ("exit0-nan-2107", "baumgarte_velocity,alpha=50", "lemke"),
        ("exit0-nan-2107", "baumgarte_velocity,alpha=50", "newton"),
    ] {
        let run = ["run", &world(name), "--steps", "300", "--stabilizer", scheme, "--solver", solver];
        let [_, error] = told(&run, 3);
        let last = error.lines().last().unwrap();
        assert!(last.contains(". The run had blown up at step "), "{solver}: {last}");
        let untried = last.ends_with(": try a smaller time step, or another scheme.");
        assert!((untried || solver == "auto") && !last.contains("'auto'"), "{last}");
        assert!(!last.contains(".."), "sentences end with one stop: {last}");
    }
}
