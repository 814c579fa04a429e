//! The house rules that a compiler does not hold: who may import whom, and who may name which library.
//!
//! A separate test crate, so that it also runs on the engine alone.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Rooms from left to right; a room imports only rooms to its left (docs/ARCHITECTURE.md).
const ROOMS: [&str; 11] = [
    "parameter",
    "math",
    "lcp",
    "model",
    "detect",
    "constraint",
    "report",
    "stabilizer",
    "step",
    "scene",
    "experiment",
];
/// Rooms at the right end; both see everything to their left, `cli` starts `app`, `app` never names `cli`.
const ENDS: [&str; 2] = ["app", "cli"];

fn sources(room: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let file = root.join(format!("{room}.rs"));
    let mut found = if file.exists() { vec![file] } else { Vec::new() };
    let mut folders = vec![root.join(room)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|e| e == "rs") => found.push(path),
                false => {}
            }
        }
    }
    found.sort();
    found
}

/// Source without comments, so that documentation may name anything.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// Every `crate::room` in the code, grouped imports included.
fn imported_rooms(code: &str) -> BTreeSet<String> {
    let mut rooms = BTreeSet::new();
    for after in code.split("crate::").skip(1) {
        let names = match after.strip_prefix('{') {
            Some(group) => group.split('}').next().unwrap_or_default().to_owned(),
            None => after
                .split(|c: char| !(c.is_alphanumeric() || c == '_'))
                .next()
                .unwrap_or_default()
                .to_owned(),
        };
        for name in names.split(',') {
            let name = name.trim().split("::").next().unwrap_or_default();
            if !name.is_empty() {
                rooms.insert(name.to_owned());
            }
        }
    }
    rooms
}

/// The import table of docs/ARCHITECTURE.md: every room imports only rooms to its left.
#[test]
fn rooms_import_only_rooms_to_their_left() {
    let mut checked = 0;
    for (position, room) in ROOMS.iter().enumerate() {
        // "lcp and model import only math", and the vocabulary of parameters.
        let allowed: &[&str] = match *room {
            "lcp" | "model" => &["parameter", "math"],
            _ => &ROOMS[..position],
        };
        for path in sources(room) {
            checked += 1;
            for import in imported_rooms(&code(&path)) {
                assert!(
                    import == *room || allowed.contains(&import.as_str()),
                    "{} imports {import}",
                    path.display()
                );
            }
        }
    }
    for path in sources("app") {
        assert!(!imported_rooms(&code(&path)).contains("cli"), "{} imports cli", path.display());
    }
    assert!(checked > 30, "only {checked} files found");
}

/// Schemes never name each other, and neither do solvers: what they share stands beside them.
#[test]
fn schemes_do_not_import_each_other() {
    let shared = [
        "mod",
        "stage",
        "workspace",
        "dynamics",
        "forces",
        "manifold",
        "nonholonomic",
        "posing",
        "rules",
        "gate",
        "ledger",
        "touching",
        "block",
        "kept",
        "ledger",
        "line",
        "sequential",
    ];
    let stem = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    let files = sources("stabilizer");
    let schemes: Vec<_> = files.iter().filter(|path| !shared.contains(&stem(path).as_str())).collect();
    assert_eq!(schemes.len(), driftlab::stabilizer::TABLE.len(), "one file per scheme");
    for path in &schemes {
        let code = code(path);
        for other in schemes.iter().filter(|other| other != &path) {
            let name = format!("{}::", stem(other));
            assert!(!code.contains(&name), "{} names {name}", path.display());
        }
    }
    let solvers = ["lemke", "dantzig", "pgs"];
    assert_eq!(solvers.len(), driftlab::lcp::COMPLEMENTARITY.len(), "one file per solver");
    // Newton's is a folder; who names it is who chooses.
    let solvers = ["lemke", "dantzig", "pgs", "newton", "homotopy", "interior"];
    for path in sources("lcp").iter().filter(|path| solvers.contains(&stem(path).as_str())) {
        let own = stem(path);
        for other in solvers.iter().filter(|other| **other != own) {
            assert!(!code(path).contains(&format!("{other}::")), "{} names {other}", path.display());
        }
    }
}

/// Only `app` names macroquad and egui; only the rooms from `scene` on name serde_json; only `cli` and `app`
/// read clocks, print or touch files; nobody names a hash map, whose order is random.
#[test]
fn libraries_and_effects_stay_in_their_rooms() {
    let effects = ["std::fs", "std::env", "std::time", "println!", "Instant", "SystemTime", "std::thread"];
    for room in ROOMS.iter().chain(&ENDS) {
        for path in sources(room) {
            let code = code(&path);
            let forbid = |names: &[&str]| {
                for name in names {
                    assert!(!code.contains(name), "{} names {name}", path.display());
                }
            };
            forbid(&["HashMap", "HashSet"]);
            if *room != "app" {
                forbid(&["macroquad", "egui"]);
            }
            if !ENDS.contains(room) {
                forbid(&effects);
                if *room != "scene" && *room != "experiment" {
                    forbid(&["serde"]);
                }
            }
        }
    }
}
