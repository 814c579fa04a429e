//! Other engines named to a program without them.

use crate::driftlab;
use driftlab::peers;

/// A program without the engines says for each of them, wherever it is named, which feature adds it, and steps nothing.
#[test]
fn without_the_feature_the_refusal_names_it() {
    assert!(peers::schemes().is_empty());
    for (key, name) in peers::NAMES {
        let text = format!("{key},substeps=4");
        for command in [
            vec!["run", "double-pendulum", "--scheme", &text],
            vec!["compare", "double-pendulum", "--stabilizers", "none", &text],
            vec!["converge", "double-pendulum", "--schemes", &text],
            vec!["sweep", "double-pendulum", "--over", "dt=0.001,0.002", "--stabilizer", &text],
        ] {
            let assert = driftlab().args(&command).assert().code(2).stdout("");
            let error = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
            assert!(error.contains(name) && error.contains("--features engines"), "{command:?}: {error}");
        }
        let assert = driftlab().args(["list", "stabilizers"]).assert().code(0);
        let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
        assert!(text.contains(&format!("{key}: {name} is not in this program")), "{text}");
    }
}
