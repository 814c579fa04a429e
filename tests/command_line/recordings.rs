//! `driftlab run --record` and `driftlab check` of recordings.

use crate::driftlab;
use std::collections::BTreeSet;
use std::fs;

/// What `run` writes `check` reads, compressed or not; a damaged file is told with its line, a cut one with what is missing.
#[test]
fn recordings_are_written_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["run.jsonl", "run.jsonl.gz"] {
        let path = folder.path().join(name);
        let path = path.to_str().unwrap();
        driftlab().args(["run", "six-link-chain", "--steps", "40", "--record", path]).assert().success();
        let checked = driftlab().args(["check", path]).assert().success();
        let told = String::from_utf8(checked.get_output().stdout.clone()).unwrap();
        assert_eq!(
            told,
            format!("{path}: ok, 40 steps of driftlab {}, 7 bodies, 6 joints\n", env!("CARGO_PKG_VERSION"))
        );
    }
    let path = folder.path().join("run.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let checked = |text: &str| {
        fs::write(&path, text).unwrap();
        let output = driftlab().arg("check").arg(&path).output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (
            output.status.code(),
            out.replace(path.to_str().unwrap(), "FILE"),
            err.replace(path.to_str().unwrap(), "FILE"),
        )
    };
    let (status, out, _) = checked(&text[..text.len() - 10]);
    assert_eq!(status, Some(0));
    assert!(
        out.contains("FILE: ok, 39 steps") && out.contains("FILE: ends in the middle of a line"),
        "{out}"
    );
    let damaged = text.replacen("\"v\":[[", "\"v\":[[true,", 2);
    let (status, _, err) = checked(&damaged);
    assert_eq!(status, Some(2));
    assert_eq!(err.lines().count(), 1, "{err}");
    assert!(err.trim_end().ends_with("; and 1 more like it, in 2 lines altogether"), "{err}");
    assert!(
        err.starts_with("driftlab: FILE: line 2: v[0][0]: ") || err.starts_with("FILE: line 2: v[0][0]: "),
        "{err}"
    );
    // A compressed file that is cut off cannot be unpacked.
    let packed = folder.path().join("run.jsonl.gz");
    let bytes = fs::read(&packed).unwrap();
    fs::write(&packed, &bytes[..bytes.len() / 2]).unwrap();
    let output = driftlab().arg("check").arg(&packed).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

/// The schema of a line has the keys that the page names, and no others.
#[test]
fn the_schema_has_the_keys_of_the_page() {
    let output = driftlab().args(["schema", "--recording"]).output().unwrap();
    let schema: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let keys = |name: &str| -> BTreeSet<String> {
        schema["$defs"][name]["properties"].as_object().unwrap().keys().cloned().collect()
    };
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/RECORDING.md")).unwrap();
    // The first table is that of the first line, the second that of a step.
    let tables = page.split("| key | value | default |\n|---|---|---|\n").skip(1);
    let named = tables.map(|table| -> BTreeSet<String> {
        let rows = table.lines().take_while(|line| line.starts_with('|'));
        rows.map(|row| row.split('`').nth(1).unwrap().to_owned()).collect()
    });
    assert_eq!(named.take(2).collect::<Vec<_>>(), [keys("Header"), keys("Step")]);
    assert_eq!(schema["$defs"]["Step"]["additionalProperties"], false);
    assert_eq!(schema["$defs"]["Step"]["required"], serde_json::json!(["t", "q"]));
}

/// A mistake of the writer that every line repeats is told once, with its count; other mistakes stand beside it.
#[test]
fn a_mistake_in_every_line_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.jsonl");
    let header = r#"{"format":"driftlab-recording/1","engine":{"name":"mine"},"time_step":0.01,"scene":{"bodies":[
        {"name":"ground","type":"fixed","position":[0,0]},{"name":"ball","position":[0,1],"mass":1}]}}"#;
    let mut text = header.replace('\n', "") + "\n";
    for line in 1..=30 {
        // The pose of the ground is forgotten, and one normal is not of length 1.
        let contacts =
            if line == 20 { r#","contacts":[{"bodies":[0,1],"point":[0,0],"normal":[0,2]}]"# } else { "" };
        text.push_str(&format!("{{\"t\":{},\"q\":[[0,1,0]]{contacts}}}\n", 0.01 * f64::from(line)));
    }
    fs::write(&path, text).unwrap();
    let output = driftlab().arg("check").arg(&path).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap().replace(path.to_str().unwrap(), "FILE");
    let lines: Vec<&str> = told.lines().map(|line| line.trim_start_matches("driftlab: ")).collect();
    assert_eq!(
        lines,
        [
            "FILE: line 2: q: expected 2 entries, one for each body, found 1; and 29 more like it, in 30 lines altogether",
            "FILE: line 21: contacts[0].normal: expected a length of 1, found 2",
        ]
    );
}
