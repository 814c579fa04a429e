//! The rooms of the program, each from the lowest to the highest: a room imports only rooms below it, so that no two rooms
//! import each other in a circle.

use super::imports::{Imports, code};
use super::sources;

/// Rooms of the experiments.
const EXPERIMENT: [&str; 19] = [
    "units",
    "attempts",
    "dense",
    "springs",
    "duration",
    "reason",
    "opened",
    "diagnosis",
    "uniqueness",
    "stability",
    "run",
    "poses",
    "recording",
    "judge",
    "error_curve",
    "sweep",
    "plot",
    "converge",
    "internal",
];

/// Rooms of what the window keeps and does.
const WORKBENCH: [&str; 18] = [
    "text",
    "options",
    "file_kind",
    "link",
    "exercise",
    "stage",
    "editor",
    "command",
    "watched",
    "engine",
    "map",
    "runs",
    "view_state",
    "library",
    "settings",
    "intent",
    "model",
    "apply",
];

/// Rooms of what draws it.
const APP: [&str; 10] =
    ["screen", "theme", "text", "keys", "map_colours", "canvas", "panels", "frame", "course", "shell"];

/// Checks one of these; returns the imports from a room to one below it.
fn check(imports: &Imports, parent: &str, rooms: &[&str]) -> usize {
    let within = |file: &str| -> Option<String> {
        let inner = file.strip_prefix(parent)?;
        let room = inner.strip_prefix("::").unwrap_or(inner);
        Some(room.split("::").next().unwrap_or_default().to_owned())
    };
    let place = |room: &str| rooms.iter().position(|own| *own == room);
    let (mut downward, mut wrong) = (0, Vec::new());
    for (file, imported) in &imports.of {
        // The file of all rooms names them, and holds nothing.
        let Some(room) = within(file).filter(|room| !room.is_empty()) else { continue };
        let own = place(&room).unwrap_or_else(|| panic!("{parent}::{room} stands in no order"));
        for other in imported {
            let Some(below) = within(other).filter(|below| *below != room) else { continue };
            match place(&below) {
                Some(place) if place < own => downward += 1,
                _ => wrong.push(format!("{file} imports {other}")),
            }
        }
    }
    assert!(wrong.is_empty(), "imports that lead upwards: {wrong:#?}");
    downward
}

/// Who reads a room has to know those below it, and none above: the rooms of experiments, workbench and drawing have an order.
#[test]
fn rooms_of_the_program_import_only_rooms_below() {
    let imports = Imports::read();
    let orders = [("experiment", &EXPERIMENT[..]), ("workbench", &WORKBENCH[..]), ("app", &APP[..])];
    for (parent, rooms) in orders {
        let downward = check(&imports, parent, rooms);
        assert!(downward > rooms.len(), "only {downward} imports between the rooms of {parent} found");
        for room in rooms {
            assert!(!sources(&format!("{parent}/{room}")).is_empty(), "no files in {parent}/{room}");
        }
    }
}

/// Panels and canvas read the model and ask for changes by intents: none of their files can write it.
#[test]
fn panels_and_canvas_only_read_the_model() {
    for room in ["app/panels", "app/canvas", "app/course"] {
        let files = sources(room);
        assert!(files.len() > 2, "no files in {room}");
        for path in files {
            let code = code(&path);
            let writes = ["&mut Model", "mut model: Model"].into_iter().find(|own| code.contains(own));
            assert_eq!(writes, None, "{} writes the model", path.display());
        }
    }
}
