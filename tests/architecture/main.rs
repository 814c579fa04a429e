//! Architecture rules that the compiler does not enforce: which room may import which, and which may use which library.
//!
//! A separate test crate, so that it also runs on the engine alone.

mod imports;
mod layers;
mod outside;

use imports::{Imports, code};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Most lines of a file: longer ones have held two concepts, and a much lower limit cuts one concept into pieces.
const MOST_LINES: usize = 600;

/// Rooms from left to right; a room imports only rooms to its left (docs/ARCHITECTURE.md).
const ROOMS: [&str; 19] = [
    "parameter",
    "math",
    "lcp",
    "model",
    "rules",
    "detect",
    "constraint",
    "report",
    "stages",
    "method",
    "schemes",
    "step",
    "internal",
    "peers",
    "scene",
    "import",
    "numbers",
    "figure",
    "experiment",
];
/// Rooms at the right end, from left to right as well: all may use what the operating system gives. Files are read and written
/// through `files`, and what differs between a desktop and a web page stands in `platform`.
const ENDS: [&str; 5] = ["files", "platform", "workbench", "app", "cli"];

/// Rooms of the evidence, a package that imports the program's library and that nothing imports, from left to right.
const EVIDENCE: [&str; 10] = [
    "document",
    "benchmarks",
    "challenge",
    "reproduction",
    "comparison",
    "engines",
    "beside",
    "creep",
    "corpus",
    "commands",
];

/// The folders of the sources: the program's package, the engine's and the evidence's.
const SOURCES: [&str; 3] = ["src", "engine/src", "evidence/src"];

/// The folders of other code.
const OTHERS: [&str; 5] = ["tests", "benches", "examples", "evidence/tests", "evidence/examples"];

fn sources(room: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for root in SOURCES.map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)) {
        let file = root.join(format!("{room}.rs"));
        found.extend(files_below(root.join(room)));
        found.extend(file.exists().then_some(file));
    }
    found.sort();
    found
}

/// The Rust files in a folder and its own folders, sorted.
fn files_below(folder: PathBuf) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Every `crate::room` in the code, grouped imports included; `driftlab::room`, too, of which only the evidence speaks.
fn imported_rooms(code: &str) -> BTreeSet<String> {
    let mut rooms = BTreeSet::new();
    for after in code.split("crate::").skip(1).chain(code.split("driftlab::").skip(1)) {
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

/// The import table of docs/ARCHITECTURE.md: every room imports only rooms to its left, and no package imports the evidence.
#[test]
fn rooms_import_only_rooms_to_their_left() {
    let mut checked = 0;
    let rooms = [&ROOMS[..], &EVIDENCE].concat();
    for (position, room) in rooms.iter().enumerate() {
        // `lcp` and `model` import only `math` and `parameter`.
        let allowed: &[&str] = match *room {
            "lcp" | "model" => &["parameter", "math"],
            _ => &rooms[..position],
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
    for (position, room) in ENDS.iter().enumerate() {
        for path in sources(room) {
            let code = code(&path);
            let imported = imported_rooms(&code);
            let right = ENDS[position + 1..].iter().find(|right| imported.contains(**right));
            assert_eq!(right, None, "{} imports a room to its right", path.display());
            let asks = ["workbench", "app"].contains(room) && code.contains("wasm");
            assert!(!asks, "{} asks where it runs", path.display());
        }
    }
    assert!(checked > 30, "only {checked} files found");
    for manifest in ["", "engine/", "fuzz/", "python/", "web/host/", "web/digests/"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(manifest).join("Cargo.toml");
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains("driftlab-evidence"), "{} imports the evidence", path.display());
    }
}

/// No scheme's file imports another scheme; shared code has files of its own.
#[test]
fn schemes_do_not_import_each_other() {
    let stem = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    let files = sources("schemes");
    let table = driftlab::schemes::TABLE;
    let is_scheme = |path: &&PathBuf| table.iter().any(|scheme| scheme.info().key == stem(path));
    let schemes: Vec<_> = files.iter().filter(is_scheme).collect();
    assert_eq!(schemes.len(), table.len(), "one file per scheme, named by its key");
    for path in &schemes {
        let code = code(path);
        for other in schemes.iter().filter(|other| other != &path) {
            let name = format!("{}::", stem(other));
            let whole_word = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let named = code.match_indices(&name).any(|(at, _)| whole_word(at));
            assert!(!named, "{} names {name}", path.display());
        }
    }
}

/// Tables of experiments and choices of the program, which name schemes and decide nothing by their names.
const TABLES_OF_SCHEMES: [&str; 6] = [
    "evidence/src/",
    // The scheme of a reference, of a scene that names none, and those of the first screen.
    "src/experiment/converge/mod.rs",
    "src/scene/settings.rs",
    "src/workbench/model/mod.rs",
    // Colours by key, so that those of schemes that are not in the table do no harm.
    "src/workbench/view_state/scheme_colours.rs",
    // The outermost element of MuJoCo's files has the name of a scheme.
    "src/import/mjcf/mod.rs",
];

/// A scheme is one file and one line in the table: its key is in quotes in its own file alone, so that no other decides by it.
#[test]
fn only_a_schemes_own_file_knows_its_key() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let keys: Vec<_> = driftlab::schemes::TABLE.iter().map(|scheme| scheme.info().key).collect();
    let mut own = BTreeSet::new();
    for path in SOURCES.iter().flat_map(|folder| files_below(root.join(folder))) {
        let relative = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
        let is_test = relative.contains("/tests/");
        if is_test || TABLES_OF_SCHEMES.iter().any(|table| relative.starts_with(table)) {
            continue;
        }
        let code = code(&path);
        let product = code.split("#[cfg(test)]").next().unwrap_or_default();
        for key in keys.iter().filter(|key| product.contains(&format!("\"{key}\""))) {
            assert!(path.file_stem().is_some_and(|stem| stem == *key), "{relative} names '{key}'");
            own.insert(*key);
        }
    }
    assert_eq!(own.len(), keys.len(), "each scheme's own file has its key");
}

/// No solver's file imports another solver, except that the homotopy and the interior point end with Newton's method.
#[test]
fn solvers_do_not_import_each_other() {
    let solvers = ["lemke", "dantzig", "pgs"];
    assert_eq!(solvers.len(), driftlab::lcp::COMPLEMENTARITY.len(), "one file per solver");
    // A solver is a file or a folder of files. The homotopy and the interior point polish their result by Newton's method.
    let shared = [("homotopy", "newton"), ("interior", "newton")];
    let solvers = ["lemke", "dantzig", "pgs", "newton", "homotopy", "interior", "nncg"];
    let mut seen = 0;
    for path in sources("lcp") {
        let names = |name: &&str| {
            path.components().any(|part| Path::new(part.as_os_str()).file_stem() == Some(OsStr::new(*name)))
        };
        let Some(own) = solvers.into_iter().find(names) else { continue };
        seen += 1;
        // A method for another kind of problem may share its own name.
        for other in solvers.into_iter().filter(|other| *other != own && !shared.contains(&(own, other))) {
            assert!(!code(&path).contains(&format!("{other}::")), "{} names {other}", path.display());
        }
    }
    assert!(seen >= 15, "only {seen} files of solvers found");
}

/// Rooms of the solvers from left to right: each imports only rooms to its left.
#[test]
fn rooms_of_the_solvers_import_only_rooms_to_their_left() {
    let rooms = [
        "info",
        "dense",
        "problem",
        "pgs",
        "direct",
        "pivoting",
        "body_space",
        "convex",
        "newton",
        "homotopy",
        "interior",
        "nncg",
        "islands",
        "auto",
        "solve",
    ];
    for (position, room) in rooms.iter().enumerate() {
        let files = sources(&format!("lcp/{room}"));
        assert!(!files.is_empty(), "no files in lcp/{room}");
        for path in files {
            let code = code(&path);
            for right in &rooms[position + 1..] {
                let named = format!("crate::lcp::{right}");
                assert!(!code.contains(&named), "{} names {named}", path.display());
            }
        }
    }
}

/// Whoever reads the engine's documentation finds the derivations of all stages, schemes and solvers there: a file whose head has
/// equations is a public module in public modules.
#[test]
fn derivations_are_documented() {
    let mut seen = 0;
    for path in ["stages", "schemes", "lcp"].into_iter().flat_map(sources) {
        let text = fs::read_to_string(&path).expect("a source");
        let head: String = text.lines().take_while(|line| line.starts_with("//!")).collect();
        if !head.contains("```text") {
            continue;
        }
        seen += 1;
        let inside = path
            .strip_prefix(Path::new(env!("CARGO_MANIFEST_DIR")).join("engine/src"))
            .expect("the engine's");
        let modules = inside.with_extension("");
        let modules: Vec<_> = modules.iter().filter(|part| *part != "mod").collect();
        for depth in 1..modules.len() {
            let room: PathBuf = modules[..depth].iter().collect();
            let room = Path::new(env!("CARGO_MANIFEST_DIR")).join("engine/src").join(room).join("mod.rs");
            let declared = format!("pub mod {};", modules[depth].display());
            let text = fs::read_to_string(&room).expect("a room");
            assert!(text.lines().any(|line| line == declared), "{}: no '{declared}'", room.display());
        }
    }
    assert!(seen > 40, "{seen} heads with equations");
}

/// No file imports another that imports it, directly or through others.
#[test]
fn files_do_not_import_each_other_in_circles() {
    let imports = Imports::read();
    let edges: usize = imports.of.values().map(|imported| imported.len()).sum();
    assert!(edges > 3 * imports.of.len(), "only {edges} imports found in {} files", imports.of.len());
    let circles = imports.circles();
    assert!(circles.is_empty(), "files in circles: {circles:?}");
}

/// Only `app` and `platform` use macroquad and egui; only `scene`, `import`, `experiment`, `corpus`, `app` and `cli` use serde,
/// and the engine under its feature; only the rooms at the right end, and the commands of the evidence, read clocks, print or
/// access files; no room uses a hash map or set, whose order is random.
#[test]
fn libraries_and_effects_stay_in_their_rooms() {
    let effects = ["std::fs", "std::env", "std::time", "println!", "Instant", "SystemTime", "std::thread"];
    for room in ROOMS.iter().chain(&EVIDENCE).chain(&ENDS) {
        for path in sources(room) {
            let code = code(&path);
            let forbid = |names: &[&str]| {
                for name in names {
                    assert!(!code.contains(name), "{} names {name}", path.display());
                }
            };
            forbid(&["HashMap", "HashSet"]);
            if *room != "app" && *room != "platform" {
                forbid(&["macroquad", "egui"]);
            }
            if !ENDS.contains(room) && *room != "commands" {
                forbid(&effects);
                let is_engine = path.starts_with(Path::new(env!("CARGO_MANIFEST_DIR")).join(SOURCES[1]));
                if is_engine {
                    let serial =
                        path.file_stem().is_some_and(|stem| stem == "serial" || stem == "open_sides");
                    let free =
                        |line: &&str| !line.contains("serde") || line.contains("feature = \"serde\"");
                    let gated = code.lines().filter(|line| {
                        !free(line)
                            && !line.trim_start().starts_with("impl serde::")
                            && !line.contains("<S: serde::")
                    });
                    assert!(
                        serial || gated.count() == 0,
                        "{} names serde beyond its feature",
                        path.display()
                    );
                } else if !["scene", "import", "experiment", "corpus"].contains(room) {
                    forbid(&["serde"]);
                }
            }
        }
    }
}

/// Most columns of a comment: a longer one is read by scrolling sideways.
const MOST_COLUMNS: usize = 130;

/// Comments are read in an editor of ordinary width.
#[test]
fn comments_are_as_wide_as_a_page() {
    let members = ["engine/src", "evidence", "peers", "probe/src"];
    for root in ["src", "tests", "benches", "examples"].into_iter().chain(members) {
        for path in files_below(Path::new(env!("CARGO_MANIFEST_DIR")).join(root)) {
            let text = fs::read_to_string(&path).unwrap();
            for (number, line) in
                text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("//"))
            {
                let columns = line.chars().count();
                assert!(columns <= MOST_COLUMNS, "{}:{}: {columns} columns", path.display(), number + 1);
            }
        }
    }
}

/// Files of the sources, the tests, the benchmarks and the examples have at most [`MOST_LINES`] lines.
#[test]
fn files_hold_one_concept() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut longer = Vec::new();
    for folder in SOURCES.into_iter().chain(OTHERS) {
        for path in files_below(root.join(folder)) {
            if fs::read_to_string(&path).unwrap().lines().count() > MOST_LINES {
                longer.push(path);
            }
        }
    }
    assert!(longer.is_empty(), "files of more than {MOST_LINES} lines: {longer:?}");
}

/// Solvers whose iteration has several stages, each with equations of its own: every file holds one stage, with its
/// equations at the top, and the methods that carry it out. A world's gears, made of two of its joints, and the fields that its
/// bodies carry stand beside its edits.
const TYPES_IN_MORE_FILES: [(&str, usize); 4] =
    [("Newton", 4), ("Homotopy", 3), ("Interior", 4), ("World", 4)];

/// A reader of one type of the engine looks into two files at most: where it is declared, and one more with methods of it.
#[test]
fn an_impl_of_one_type_stands_in_at_most_two_files() {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut declared: BTreeMap<String, usize> = BTreeMap::new();
    for path in files_below(Path::new(env!("CARGO_MANIFEST_DIR")).join(SOURCES[1])) {
        let code = code(&path);
        let first_word = |text: &str| -> String {
            text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
        };
        let types: BTreeSet<_> = code
            .lines()
            .filter_map(|line| line.split_once("struct ").or_else(|| line.split_once("enum ")))
            .map(|(_, after)| first_word(after))
            .collect();
        types.iter().for_each(|own| *declared.entry(own.clone()).or_default() += 1);
        // Inherent ones, which name no trait.
        let blocks = code
            .lines()
            .filter_map(|line| line.strip_prefix("impl"))
            .filter(|line| !line.contains(" for "));
        let names: BTreeSet<_> = blocks
            .map(|block| match block.strip_prefix('<') {
                Some(generic) => generic.split_once("> ").map_or("", |(_, after)| after),
                None => block.trim_start(),
            })
            .map(first_word)
            .collect();
        names.into_iter().for_each(|name| files.entry(name).or_default().push(path.display().to_string()));
    }
    assert!(files.len() > 150, "only {} types found", files.len());
    for (name, files) in &files {
        // Rooms may use one name for types of their own: each of these has its two files.
        let listed = TYPES_IN_MORE_FILES.iter().find(|(own, _)| own == name).map_or(2, |(_, most)| *most);
        let most = listed.max(2 * declared.get(name).copied().unwrap_or(1));
        assert!(files.len() <= most, "{name} has methods in {} files: {files:#?}", files.len());
    }
}

/// The engine takes elementary functions from `libm`, in Rust, and never from the platform: the standard library's differ between
/// systems, and a fused multiply-add between processors. √ is exact everywhere.
#[test]
fn the_engine_computes_alike_on_every_machine() {
    let forbidden = [
        ".sin()",
        ".cos()",
        ".tan()",
        ".sin_cos()",
        ".asin(",
        ".acos(",
        ".atan(",
        ".atan2(",
        ".exp()",
        ".exp_m1(",
        ".ln()",
        ".ln_1p(",
        ".powf(",
        ".hypot(",
        ".cbrt(",
        ".sinh(",
        ".cosh(",
        ".tanh(",
        ".mul_add(",
        "is_x86_feature_detected",
        "target_feature",
    ];
    let scene = ROOMS.iter().position(|room| *room == "scene").unwrap();
    for path in ROOMS[..scene].iter().flat_map(|room| sources(room)) {
        if path.file_stem().is_some_and(|stem| stem.to_string_lossy().contains("tests")) {
            continue;
        }
        let code = code(&path);
        let engine = code.split("#[cfg(test)]").next().unwrap_or_default();
        for name in forbidden {
            assert!(!engine.contains(name), "{} calls {name}", path.display());
        }
    }
}

/// A reader who follows a comment finds the file: every file that a comment or a page for readers names in backticks exists.
#[test]
fn files_that_comments_name_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = SOURCES.into_iter().chain(OTHERS);
    let all: Vec<PathBuf> = folders.flat_map(|folder| files_below(root.join(folder))).collect();
    let pages = [
        "README.md",
        "CONTRIBUTING.md",
        "docs/ARCHITECTURE.md",
        "docs/RELIABILITY.md",
        "evidence/docs/solvers.md",
    ];
    let mut named = 0;
    let mut lost = Vec::new();
    for path in all.iter().cloned().chain(pages.map(|page| root.join(page))) {
        let text = fs::read_to_string(&path).unwrap();
        let is_page = path.extension().is_some_and(|extension| extension == "md");
        for line in text.lines() {
            let Some(comment) =
                (if is_page { Some(line) } else { line.split_once("//").map(|(_, rest)| rest) })
            else {
                continue;
            };
            let quoted = comment.split('`').skip(1).step_by(2);
            for name in quoted.filter(|name| name.ends_with(".rs") && !name.contains([' ', '*', '…', '<']))
            {
                named += 1;
                // Below the folder of the file, or any other.
                if !all.iter().any(|file| file.ends_with(name)) {
                    lost.push(format!("{}: {name}", path.strip_prefix(root).unwrap().display()));
                }
            }
        }
    }
    assert!(named > 100, "only {named} files named");
    assert!(lost.is_empty(), "files that do not exist: {lost:#?}");
}
