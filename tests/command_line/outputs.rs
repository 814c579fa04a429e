//! The files that commands write.

use crate::driftlab;
use driftlab::scene;
use std::fs;

#[test]
fn outputs_are_looked_at_before_the_first_step() {
    // Protects files: no output overwrites another or the input scene, however the path is written, and a path that cannot
    // be written is refused before the run, with all files unchanged.
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("scene.json");
    let text = driftlab::scene::catalogue::find("six-link-chain").unwrap().text;
    fs::write(&scene, text).unwrap();
    fs::write(folder.path().join("old.csv"), "old").unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    let refused: &[(&[&str], &str)] = &[
        (&["run", "scene.json", "--save", "scene.json"], "--save: scene.json is the scene that is read"),
        (&["run", "scene.json", "--csv", "sub/../scene.json"], "is the scene that is read"),
        (&["run", "scene.json", "--csv", "a.csv", "--trace", "./a.csv"], "is written by --csv already"),
        (&["run", "scene.json", "--trace", "a", "--save", "a"], "is written by --trace already"),
        (&["compare", "scene.json", "--csv", "a.svg", "--plot", "a.svg"], "is written by --csv already"),
        // So long a run that the test would not end if it were begun.
        (
            &["run", "scene.json", "--steps", "1000000000", "--csv", "old.csv", "--save", "no/x.json"],
            "no/x.json",
        ),
        (&["run", "scene.json", "--steps", "1000000000", "--save", "sub"], "sub"),
        (&["compare", "scene.json", "--steps", "1000000000", "--plot", "no/x.svg"], "no/x.svg"),
    ];
    for (arguments, reason) in refused {
        let assert = driftlab().args(*arguments).current_dir(folder.path()).assert().code(2).stdout("");
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(error.contains(reason), "{arguments:?}: {error}");
    }
    assert_eq!(fs::read_to_string(&scene).unwrap(), text);
    assert_eq!(fs::read_to_string(folder.path().join("old.csv")).unwrap(), "old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "nothing is left behind");
    // What is allowed replaces what was there.
    let saved = ["run", "scene.json", "--steps", "1", "--save", "old.csv"];
    driftlab().args(saved).current_dir(folder.path()).assert().code(0);
    assert!(scene::Scene::parse(&fs::read_to_string(folder.path().join("old.csv")).unwrap()).is_ok());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "nothing is left behind");
}
