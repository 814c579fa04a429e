//! The table of schemes by kinds in `docs/SCENES.md`, against what `driftlab check` says. `DRIFTLAB_BLESS=1` writes it anew.

use driftlab::method::Level;
use driftlab::schemes::TABLE;
use serde_json::{Value, json};
use std::env;
use std::fs;
use std::path::Path;

const PAGE: &str = "docs/SCENES.md";
/// The lines before and after the table.
const BEGIN: &str = "<!-- schemes by kind: begin -->\n";
const END: &str = "<!-- schemes by kind: end -->\n";

/// A scene without any of the kinds: a ground and two bodies above it.
fn plain() -> Value {
    json!({
        "format": "driftlab-scene/1",
        "name": "Plain",
        "settings": { "time_step": 0.001, "stabilizer": { "kind": "none" } },
        "bodies": [
            { "name": "ground", "type": "fixed", "position": [0, -5], "shapes": [{ "shape": "half_plane", "normal": [0, 1], "offset": 0 }] },
            { "name": "a", "position": [0, 0], "shapes": [{ "shape": "box", "size": [0.5, 0.5] }] },
            { "name": "b", "position": [2, 0], "shapes": [{ "shape": "circle", "radius": 0.3 }] }
        ],
        "joints": [], "springs": []
    })
}

/// A joint between both bodies.
fn joint(kind: &str, keys: Value) -> impl Fn(&mut Value) {
    let mut own = json!({ "joint": kind, "bodies": ["a", "b"] });
    own.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
    move |scene| scene["joints"].as_array_mut().unwrap().push(own.clone())
}

/// Sets a key of body a.
fn body(key: &'static str, value: Value) -> impl Fn(&mut Value) {
    move |scene| scene["bodies"][1][key] = value.clone()
}

type Edit = Box<dyn Fn(&mut Value)>;

/// The kinds, each with what makes the plain scene one with it.
fn kinds() -> Vec<(&'static str, Edit)> {
    let ends = json!({ "anchors": [[0, 0], [2, 0]] });
    let with = |base: &Value, key: &str, value: Value| {
        let mut own = base.clone();
        own[key] = value;
        own
    };
    let at = json!({ "anchor": [1, 0] });
    let along = with(&at, "axis", json!([0, 1]));
    let ramp = json!({ "profile": "ramp", "from": 2, "to": 1.5, "end": 1 });
    let motor = |own: Value| joint("hinge", with(&at, "motor", own));
    let bead = |side: &str| {
        joint(
            "bead",
            json!({ "anchors": [[0, 0], [2, 0]], "curve": { "kind": "circle", "radius": 2 }, "side": side }),
        )
    };
    let two: Edit = {
        let (one, other) =
            (joint("hinge", json!({ "anchor": [1, 0] })), joint("hinge", json!({ "anchor": [1, 0] })));
        Box::new(move |scene| {
            scene["bodies"]
                .as_array_mut()
                .unwrap()
                .push(json!({ "name": "c", "position": [4, 0], "mass": 1, "inertia": 1 }));
            one(scene);
            other(scene);
            scene["joints"][1]["bodies"] = json!(["b", "c"]);
            scene["joints"]
                .as_array_mut()
                .unwrap()
                .push(json!({ "joint": "gear", "joints": [0, 1], "ratio": 2 }));
        })
    };
    vec![
        ("`hinge`", Box::new(joint("hinge", at.clone())) as Edit),
        ("`weld`", Box::new(joint("weld", at.clone()))),
        ("`slider`", Box::new(joint("slider", along.clone()))),
        ("`slot`", Box::new(joint("slot", along.clone()))),
        ("`wheel`", Box::new(joint("wheel", with(&along, "stiffness", json!(100))))),
        ("`distance`", Box::new(joint("distance", ends.clone()))),
        ("`distance`, squared", Box::new(joint("distance", with(&ends, "form", json!("squared"))))),
        ("`rope`, `distance` with limits", Box::new(joint("rope", ends.clone()))),
        ("`pulley`", Box::new(joint("pulley", with(&ends, "wheels", json!([[0, 2], [2, 2]]))))),
        ("`gear`", two),
        ("`bead`", Box::new(bead("on"))),
        ("`bead` on one side", Box::new(bead("inside"))),
        (
            "soft joints",
            Box::new(joint("weld", with(&at, "softness", json!({ "frequency": 2, "damping_ratio": 0.5 })))),
        ),
        ("limits", Box::new(joint("hinge", with(&at, "limits", json!([-1, 1]))))),
        (
            "limits that rebound",
            Box::new({
                let own = with(&at, "limits", json!([-1, 1]));
                joint("hinge", with(&own, "restitution", json!(0.5)))
            }),
        ),
        ("motor at a speed", Box::new(motor(json!({ "speed": 1, "max_torque": 5 })))),
        ("motor at a position", Box::new(motor(json!({ "position": 1, "frequency": 2, "max_torque": 5 })))),
        ("friction in a joint", Box::new(joint("hinge", with(&at, "friction", json!(0.5))))),
        (
            "`motor` joint",
            Box::new(joint(
                "motor",
                json!({ "anchor": [1, 0], "frequency": 2, "max_force": 5, "max_torque": 5 }),
            )),
        ),
        ("`breaks_at`", Box::new(joint("hinge", with(&at, "breaks_at", json!({ "force": 5 }))))),
        ("driven length", Box::new(joint("distance", with(&ends, "length", ramp.clone())))),
        (
            "driven pose",
            Box::new(move |scene: &mut Value| {
                let motion = json!({ "x": { "profile": "ramp", "from": 2, "to": 1.5, "end": 1 } });
                scene["bodies"].as_array_mut().unwrap().push(
                json!({ "name": "c", "type": "kinematic", "position": [2, 3], "motion": motion, "shapes": [{ "shape": "circle", "radius": 0.3 }] }));
            }),
        ),
        (
            "`knife_edge`",
            Box::new(|scene: &mut Value| {
                scene["joints"] =
                    json!([{ "joint": "knife_edge", "body": "a", "anchor": [0, 0], "axis": [1, 0] }]);
            }),
        ),
        (
            "`rolling`",
            Box::new(|scene: &mut Value| {
                scene["joints"] = json!([{ "joint": "rolling", "body": "b", "on": "a", "radius": 0.3 }]);
            }),
        ),
        (
            "`prescribed_velocity`",
            Box::new(|scene: &mut Value| {
                scene["joints"] = json!([{ "joint": "prescribed_velocity", "body": "a", "anchor": [0, 0], "velocity": [0, 0] }]);
            }),
        ),
        (
            "springs",
            Box::new(|scene: &mut Value| {
                scene["springs"] = json!([{ "bodies": ["a", "b"], "anchors": [[0, 0], [2, 0]], "stiffness": 10, "damping": 1 }]);
            }),
        ),
        ("contacts with friction and rebound", Box::new(body("restitution", json!(0.5)))),
        (
            "surface speed, rolling resistance",
            Box::new(|scene: &mut Value| {
                scene["bodies"][1]["surface_speed"] = json!(1);
                scene["bodies"][2]["rolling_resistance"] = json!(0.01);
            }),
        ),
        ("static friction", Box::new(body("static_friction", json!(0.9)))),
        (
            "applied and driven forces",
            Box::new(body("applied", json!({ "force": [1, 0], "profile": ramp }))),
        ),
        (
            "fields",
            Box::new(|scene: &mut Value| scene["fields"] = json!([{ "center": [0, 9], "strength": 1 }])),
        ),
        (
            "damping, drag",
            Box::new(|scene: &mut Value| {
                scene["bodies"][1]["linear_damping"] = json!(1);
                scene["bodies"][2]["quadratic_drag"] = json!(1);
            }),
        ),
        ("fast damping, h D/m > 3", Box::new(body("linear_damping", json!(1e6)))),
        (
            "`restitution_law` `anitescu_potra`, of what rebounds",
            Box::new(|scene: &mut Value| {
                scene["bodies"][1]["restitution"] = json!(0.5);
                scene["settings"]["restitution_law"] = json!("anitescu_potra");
            }),
        ),
        (
            "`effort` `bounded`",
            Box::new(|scene: &mut Value| scene["settings"]["effort"] = json!("bounded")),
        ),
    ]
}

/// Each way to step of a scheme, with its letter in the table.
fn ways() -> impl Iterator<Item = (&'static str, Value, char)> {
    TABLE.iter().flat_map(|scheme| {
        let info = scheme.info();
        info.levels.iter().flat_map(move |level| {
            let ways: &[(Option<&str>, char)] = match level {
                Level::Velocity => &[(None, 'v')],
                Level::Acceleration => {
                    &[(Some("semi_implicit_euler"), 'a'), (Some("explicit_euler"), 'e'), (Some("rk4"), 'r')]
                }
            };
            ways.iter().map(move |(integrator, letter)| {
                let mut settings = json!({ "stabilizer": { "kind": info.key } });
                if let Some(integrator) = integrator {
                    settings["level"] = json!("acceleration");
                    settings["integrator"] = json!(integrator);
                }
                (info.key, settings, *letter)
            })
        })
    })
}

/// The table, from what `check` says of a file for each cell.
fn table() -> String {
    let folder = tempfile::tempdir().unwrap();
    let (kinds, ways): (Vec<_>, Vec<_>) = (kinds(), ways().collect());
    let file = |kind: usize, way: usize| folder.path().join(format!("{kind}-{way}.json"));
    let mut check = crate::driftlab();
    check.arg("check");
    for (at, (_, edit)) in kinds.iter().enumerate() {
        for (way, (_, settings, _)) in ways.iter().enumerate() {
            let mut scene = plain();
            edit(&mut scene);
            scene["settings"].as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
            fs::write(file(at, way), scene.to_string()).unwrap();
            check.arg(file(at, way));
        }
    }
    let output = check.output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let is_sound = |kind: usize, way: usize| said.contains(&format!("{}: ok,", file(kind, way).display()));
    let keys: Vec<_> = TABLE.iter().map(|scheme| scheme.info().key).collect();
    let mut lines = format!(
        "| | {} |\n|---|{}\n",
        keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(" | "),
        "---|".repeat(keys.len())
    );
    for (at, (kind, _)) in kinds.iter().enumerate() {
        let cell = |key: &&str| {
            let own =
                ways.iter().enumerate().filter(|(way, (scheme, ..))| scheme == key && is_sound(at, *way));
            let letters: Vec<String> = own.map(|(_, (.., letter))| letter.to_string()).collect();
            if letters.is_empty() { "—".to_owned() } else { letters.join(" ") }
        };
        lines += &format!("| {kind} | {} |\n", keys.iter().map(cell).collect::<Vec<_>>().join(" | "));
    }
    lines
}

/// Protects the table of the page: what it says of each kind under each scheme is what `check` says of a scene with it.
#[test]
fn the_page_says_what_check_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("the table's first line");
    let (found, after) = rest.split_once(END).expect("the table's last line");
    let table = table();
    if env::var_os("DRIFTLAB_BLESS").is_some() && found != table {
        fs::write(&path, format!("{before}{BEGIN}{table}{END}{after}")).unwrap();
        return;
    }
    for (said, is) in found.lines().zip(table.lines()) {
        assert_eq!(said, is, "{PAGE} (DRIFTLAB_BLESS=1 writes it anew)");
    }
    assert_eq!(found.lines().count(), table.lines().count(), "{PAGE} (DRIFTLAB_BLESS=1 writes it anew)");
}
