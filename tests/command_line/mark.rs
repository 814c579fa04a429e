//! `driftlab mark`: the certificates of a class.

use crate::driftlab;
use driftlab::workbench::library::marking::judge;
use driftlab::workbench::library::tours::{exercise, shipped};
use driftlab::workbench::link::Link;
use std::fs;

/// A certificate of that exercise for a run, in that name, whether the run solves it or not.
fn certificate(key: &str, run: &str, by: &str) -> String {
    let tours = shipped().unwrap();
    let (_, _, own) = exercise(&tours, key).unwrap();
    let (proof, _) = judge(own, &Link::parse(run).unwrap()).unwrap();
    format!("https://example.org/lab/sandbox.html{}", proof.certificate(by))
}

const CHAIN: &str = "#scene=six-link-chain&h=1e-3&stabilizer=";

/// Twenty links of a class, five of them wrong in different ways: the wrong ones are named, each with its reason, and the others
/// pass with figures of runs that were computed anew.
#[test]
fn a_class_is_marked() {
    let mut links = Vec::new();
    for number in 0..5 {
        let alpha = 400 + 50 * number;
        let run = format!("{CHAIN}baumgarte_velocity&alpha={alpha}");
        links.push(certificate("baumgarte-level", &run, &format!("Student {number}, \"quoted\"")));
        links.push(certificate(
            "afterwards-close",
            &format!("{CHAIN}projection"),
            &format!("Zoë {number}"),
        ));
        links.push(certificate("drift-to-rounding", &format!("{CHAIN}rattle"), "=1+1"));
    }
    let honest = certificate("baumgarte-level", &format!("{CHAIN}baumgarte_velocity&alpha=300"), "Eve");
    let swap = |from: &str, to: &str| {
        assert!(honest.contains(from), "{from} in {honest}");
        honest.replacen(from, to, 1)
    };
    let figure = honest.split("figures=").nth(1).unwrap().split('&').next().unwrap();
    links.insert(3, swap("by=Eve", "by=Mallory"));
    links.insert(6, swap(figure, "1e-9"));
    links.insert(9, swap("alpha=300", "alpha=400"));
    links.insert(12, swap("exercise=baumgarte-level", "exercise=solve-level"));
    // This one is what it says, and misses: α = 300 leaves more than 0.2 mm.
    links.push(honest.clone());
    assert_eq!(links.len(), 20);
    let folder = tempfile::tempdir().unwrap();
    let (file, csv) = (folder.path().join("class.txt"), folder.path().join("marks.csv"));
    fs::write(&file, links.join("\r\n\r\n")).unwrap();
    let run = driftlab().arg("mark").arg(&file).arg("--csv").arg(&csv).assert().code(1).stdout("");
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert_eq!(said, "certificates: 15 passed, 1 failed, 4 forged, 0 unreadable\n");
    let mut reader = csv::Reader::from_path(&csv).unwrap();
    assert_eq!(
        reader.headers().unwrap(),
        vec!["name", "chapter", "exercise", "result", "figure", "reason"]
    );
    let rows: Vec<Vec<String>> =
        reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
    let result = |place: usize| [rows[place][0].as_str(), rows[place][3].as_str()];
    assert_eq!(result(0), ["Student 0, \"quoted\"", "passed"]);
    assert_eq!(rows[0][1], "2. Baumgarte, tamed and overdone");
    assert!(rows[0][4].ends_with(" µm") && rows[0][5].is_empty(), "{:?}", rows[0]);
    assert_eq!(result(2), ["'=1+1", "passed"]);
    assert_eq!(result(3), ["Mallory", "forged"]);
    for place in [6, 9] {
        assert_eq!(result(place), ["Eve", "forged"]);
        assert!(!rows[place][4].is_empty() && !rows[place][5].is_empty(), "{:?}", rows[place]);
    }
    assert!(rows[6][5].contains("figures"), "{:?}", rows[6]);
    assert_eq!([result(12)[1], rows[12][2].as_str()], ["forged", "solve-level"]);
    assert_eq!(result(19), ["Eve", "failed"]);
    assert!(rows[19][5].contains("at most 200 µm is wanted"), "{:?}", rows[19]);
    let passed = rows.iter().filter(|row| row[3] == "passed").count();
    assert_eq!(passed, 15);
}

/// What is no certificate is told as such, by its row and status 2, and what is neither link nor file by its name.
#[test]
fn what_is_no_certificate_is_told() {
    for (text, why) in [
        ("https://example.org/", "no certificate: it has no exercise, no by, no digest"),
        ("#scene=six-link-chain", "no certificate"),
        ("#scene=six-link-chain&exercise=baumgarte-level&by=Eve", "no certificate: it has no digest"),
        ("#scene=no-such", "no shipped scene has this key"),
        (
            "#scene=six-link-chain&exercise=no-such&by=Eve&digest=AAAA",
            "no exercise is called 'no-such' (--tours FOLDER",
        ),
    ] {
        let run = driftlab().args(["mark", text]).assert().code(2);
        let table = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
        let row = table.lines().nth(1).unwrap();
        assert!(row.contains("unreadable") && row.contains(why), "{text}: {row}");
    }
    let refused = driftlab().args(["mark", "/no/such/file"]).assert().code(2);
    assert!(String::from_utf8_lossy(&refused.get_output().stderr).contains("expected a link, a file"));
}

/// A run that changes what is not free is refused with what it changes, and has no certificate. Standard input is read.
#[test]
fn a_certificate_is_written_and_read() {
    let run = format!("{CHAIN}baumgarte_velocity&alpha=500");
    let asked = ["mark", "--exercise", "baumgarte-level", "--by", "Ada"];
    let written = driftlab().args(asked).arg(&run).assert().code(0);
    let link = String::from_utf8_lossy(&written.get_output().stdout).into_owned();
    driftlab().args(["mark", "-"]).write_stdin(link).assert().code(0);
    for (run, why) in [
        (format!("{CHAIN}rattle"), "changed the scheme: rattle"),
        (format!("{CHAIN}baumgarte_velocity&alpha=50"), "at most 200 µm is wanted"),
    ] {
        let refused = driftlab().args(asked).arg(&run).assert().code(1).stdout("");
        assert!(String::from_utf8_lossy(&refused.get_output().stderr).contains(why), "{run}");
    }
    driftlab().args(["mark", "--exercise", "no-such", "--by", "Ada", &run]).assert().code(2);
}

/// A lecturer's own tour has exercises that are judged, certified, listed and marked as those of the course, once its folder is
/// named: without that their certificates are unreadable, with a word that says so.
#[test]
fn exercises_of_own_tours_are_marked() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("mine.json", OWN);
    let own = |command: &[&str]| {
        let mut run = driftlab();
        run.args(command).arg("--tours").arg(folder.path());
        run
    };
    let certify = |alpha: u32, by: &str| {
        let run = format!("{CHAIN}baumgarte_velocity&alpha={alpha}");
        let asked = ["mark", "--exercise", "own-level", "--by", by, &run];
        own(&asked).assert()
    };
    let honest = certify(500, "Ada").code(0);
    let honest = String::from_utf8_lossy(&honest.get_output().stdout).trim().to_owned();
    let said = certify(100, "Ada").code(1).stdout("");
    assert!(String::from_utf8_lossy(&said.get_output().stderr).contains("at most 300 µm is wanted"));
    // Who makes a certificate of a run that misses has one that is what it says, and fails.
    let tours = driftlab::workbench::library::tours::read(OWN).unwrap();
    let (proof, missed) =
        judge(&tours.exercises[0], &Link::parse(&format!("{CHAIN}baumgarte_velocity&alpha=100")).unwrap())
            .unwrap();
    assert!(missed.is_some());
    let [failed, forged] = [proof.certificate("Eve").to_string(), honest.replacen("by=Ada", "by=Eve", 1)];
    let results = |run: assert_cmd::assert::Assert| -> Vec<[String; 3]> {
        let mut reader = csv::Reader::from_reader(run.get_output().stdout.as_slice());
        let rows = reader.records().map(|row| row.unwrap());
        rows.map(|row| [1, 3, 5].map(|column| row[column].to_owned())).collect()
    };
    let marked = results(own(&["mark", &honest, &failed, &forged]).assert().code(1));
    let words: Vec<&str> = marked.iter().map(|row| row[1].as_str()).collect();
    assert_eq!(words, ["passed", "failed", "forged"], "{marked:?}");
    assert_eq!(marked[0][0], format!("{}. My chapter", shipped().unwrap().len() + 1));
    let unknown = results(driftlab().args(["mark", &honest]).assert().code(2));
    assert_eq!(unknown[0][1], "unreadable");
    assert!(unknown[0][2].contains("'own-level' (--tours FOLDER"), "{unknown:?}");
    let listed = own(&["list", "exercises"]).assert().code(0);
    let listed = String::from_utf8_lossy(&listed.get_output().stdout).into_owned();
    assert!(listed.lines().last().unwrap().starts_with("own-level"), "{listed}");
    own(&["list", "scenes"]).assert().code(2);
    // What is no tour is told by its file and place.
    for (text, why) in [
        ("{".to_owned(), "EOF while parsing"),
        (format!("{OWN} x"), "trailing characters"),
        (OWN.to_owned(), "exercises[0].key: another tour has an exercise 'own-level'"),
        (OWN.replace("own-level", "baumgarte-level"), "another tour has an exercise 'baumgarte-level'"),
        (
            OWN.replace("own-level", "own-2").replace("six-link-chain", "my-chain"),
            "exercises[0].scene: no scene 'my-chain'",
        ),
        (OWN.replace("1.0", "\"long\""), "exercises[0].duration: invalid type: string \"long\""),
    ] {
        write("other.json", &text);
        let refused = own(&["mark", &honest]).assert().code(2).stdout("");
        let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        assert!(said.contains("other.json is not a tour: ") && said.contains(why), "{why}: {said}");
    }
    let refused = driftlab().args(["mark", "--tours", "/no/such/folder", &honest]).assert().code(2);
    assert!(String::from_utf8_lossy(&refused.get_output().stderr).contains("/no/such/folder: "));
}

/// A tour with an exercise.
const OWN: &str = r#"{
  "name": "My chapter",
  "steps": [{ "text": "A chain swings.", "scene": "six-link-chain" }],
  "exercises": [{
    "key": "own-level",
    "text": "Keep every joint within 0.3 mm for a second.",
    "scene": "six-link-chain",
    "stabilizer": "baumgarte_velocity,alpha=50",
    "time_step": 0.001,
    "may": ["parameters"],
    "duration": 1.0,
    "judged": [{ "quantity": "joint_error", "at_most": 0.0003 }],
    "hint": "Twice the α, half of the gap."
  }]
}"#;

/// The list names each exercise with the link that opens it.
#[test]
fn exercises_are_listed() {
    let listed = driftlab().args(["list", "exercises", "--json"]).assert().code(0);
    let listed: serde_json::Value = serde_json::from_slice(&listed.get_output().stdout).unwrap();
    let all = listed.as_array().unwrap();
    assert_eq!(all.len(), shipped().unwrap().iter().map(|tour| tour.exercises.len()).sum::<usize>());
    assert_eq!(all[0]["link"], "#exercise=drift-small-steps");
}
