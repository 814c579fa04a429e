//! No result depends on an absolute length: a world of other lengths moves in the same way to the last bit, under every
//! scheme, with every kind of constraint.
//!
//! With every length s = 2ᵏ times as large, times as they are and densities d = 2ᵐ times as large, masses are d s²
//! times, moments of inertia d s⁴, speeds and gravity s, forces d s³, torques d s⁴, and stiffness and damping, N/m and
//! N s/m, d s² times as large; angles and their rates, coefficients and limits of angles stay. Scaling by a power of
//! two does not round.

use crate::detect::Random;
use driftlab::lcp::solvers;
use driftlab::method::{Integrator, Level, Method, Stabilizer};
use driftlab::model::World;
use driftlab::parameter::Parameter;
use driftlab::report::StepReport;
use driftlab::scene::Scene;
use driftlab::schemes::TABLE;
use driftlab::step::Workspace;
use driftlab::step::step;
use serde_json::{Value, json};

/// k of s = 2ᵏ.
const EXPONENTS: [i32; 4] = [-40, -20, 20, 40];
/// Schemes with lengths of an engine of its own: a slop, a largest correction, a largest speed. What is not to exceed
/// one of those is made smaller.
const WITH_LENGTHS: [&str; 2] = ["ngs", "soft"];
/// Schemes whose told residual weighs rows of angles as those of lengths.
const WITH_A_MIXED_RESIDUAL: [&str; 1] = ["mujoco"];
/// Schemes whose welds have the mean softness of rows of angles and of lengths.
const WITH_A_MIXED_WELD: [&str; 1] = ["sap"];
/// Schemes whose penalties have units that no length alone scales.
const WITH_PENALTIES: [&str; 1] = ["avbd"];
const STEPS: usize = 24;

fn scene(bodies: Value, joints: Value, springs: Value) -> Value {
    let mut all = vec![
        json!({ "name": "wall", "type": "fixed", "position": [0.0, 0.0] }),
        json!({ "name": "floor", "type": "fixed", "position": [0.0, -2.0],
            "shapes": [{ "shape": "half_plane", "normal": [0.0, 1.0], "offset": 0.0 }] }),
    ];
    all.extend(bodies.as_array().unwrap().iter().cloned());
    json!({ "format": "driftlab-scene/1", "name": "Scaled", "gravity": [0.0, -9.81],
        "settings": { "time_step": 0.005, "stabilizer": { "kind": "none" } },
        "bodies": all, "joints": joints, "springs": springs })
}

fn bar(name: &str, x: f64, y: f64, more: Value) -> Value {
    let mut bar = json!({ "name": name, "position": [x, y], "angle": 0.2,
        "shapes": [{ "shape": "box", "size": [0.5, 0.13] }] });
    bar.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    bar
}

/// A scene for every kind of constraint, with its name.
fn scenes() -> Vec<(&'static str, Value)> {
    let one = || json!([bar("a", 0.37, 0.11, json!({}))]);
    let two =
        || json!([bar("a", 0.37, 0.11, json!({})), bar("b", 0.9, 0.2, json!({ "velocity": [0.3, 0.1] }))]);
    let to_wall = |more: Value| {
        let mut joint = json!({ "bodies": ["wall", "a"] });
        joint.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!([joint])
    };
    let disk = json!({ "name": "a", "position": [0.0, -1.7], "velocity": [0.6, 0.0], "angular_velocity": -2.0,
        "shapes": [{ "shape": "circle", "radius": 0.3 }], "friction": 0.0 });
    vec![
        (
            "hinges",
            scene(
                two(),
                json!([{ "joint": "hinge", "bodies": ["wall", "a"], "anchor": [0.01, 0.02] },
            { "joint": "hinge", "bodies": ["a", "b"], "anchor": [0.63, 0.15] }]),
                json!([]),
            ),
        ),
        (
            "welds",
            scene(
                two(),
                json!([{ "joint": "weld", "bodies": ["wall", "a"], "anchor": [0.01, 0.02] },
            { "joint": "weld", "bodies": ["a", "b"], "anchor": [0.63, 0.15] }]),
                json!([]),
            ),
        ),
        (
            "redundant welds",
            scene(
                two(),
                json!([{ "joint": "weld", "bodies": ["wall", "a"], "anchor": [0.01, 0.02] },
            { "joint": "weld", "bodies": ["a", "b"], "anchor": [0.63, 0.15] },
            { "joint": "weld", "bodies": ["wall", "b"], "anchor": [0.7, 0.3] }]),
                json!([]),
            ),
        ),
        (
            "hinge with a motor",
            scene(
                one(),
                to_wall(json!({ "joint": "hinge", "anchor": [0.013, 0.021],
            "motor": { "speed": 2.0, "max_torque": 1e4 } })),
                json!([]),
            ),
        ),
        (
            "hinge with a weak motor",
            scene(
                one(),
                to_wall(json!({ "joint": "hinge", "anchor": [0.013, 0.021],
            "motor": { "speed": 1e6, "max_torque": 3.0 } })),
                json!([]),
            ),
        ),
        (
            "hinge with limits",
            scene(
                one(),
                to_wall(json!({ "joint": "hinge", "anchor": [0.013, 0.021],
            "limits": [-0.02, 0.3] })),
                json!([]),
            ),
        ),
        (
            "slider",
            scene(
                one(),
                to_wall(json!({ "joint": "slider", "anchor": [0.1, 0.05],
            "axis": [0.6, 0.8] })),
                json!([]),
            ),
        ),
        (
            "slider with limits and a motor",
            scene(
                one(),
                to_wall(json!({ "joint": "slider", "anchor": [0.1, 0.05],
            "axis": [0.6, 0.8], "limits": [-0.05, 0.02], "motor": { "speed": 0.7, "max_force": 9000.0 } })),
                json!([]),
            ),
        ),
        (
            "distances",
            scene(
                two(),
                json!([{ "joint": "distance", "bodies": ["wall", "a"],
                "anchors": [[-0.3, 0.4], [0.2, 0.1]] },
            { "joint": "distance", "form": "squared", "bodies": ["a", "b"],
                "anchors": [[0.5, 0.15], [0.8, 0.2]] }]),
                json!([]),
            ),
        ),
        (
            "springs",
            scene(
                two(),
                json!([{ "joint": "hinge", "bodies": ["wall", "a"], "anchor": [0.01, 0.02] }]),
                json!([{ "bodies": ["a", "b"], "anchors": [[0.5, 0.1], [0.8, 0.2]], "stiffness": 4000.0,
                "damping": 30.0, "rest_length": 0.25 }]),
            ),
        ),
        (
            "knife edge",
            scene(
                one(),
                json!([{ "joint": "knife_edge", "body": "a", "anchor": [0.5, 0.1],
            "axis": [1.0, 0.2] }]),
                json!([]),
            ),
        ),
        (
            "rolling",
            scene(
                json!([disk]),
                json!([{ "joint": "rolling", "body": "a", "on": "floor",
            "radius": 0.3, "normal": [0.0, 1.0] }]),
                json!([]),
            ),
        ),
        (
            "prescribed velocity",
            scene(
                one(),
                json!([{ "joint": "prescribed_velocity", "body": "a",
            "anchor": [0.5, 0.1], "velocity": { "circle": { "center": [0.3, 0.1], "rate": 3.0 } } }]),
                json!([]),
            ),
        ),
        (
            "moved hinge",
            scene(
                json!([{ "name": "shaker", "type": "kinematic", "position": [0.0, 0.2],
                "motion": { "sine": { "amplitude": [0.0, 0.1], "frequency": 2.0 } } },
            bar("a", 0.37, 0.11, json!({}))]),
                json!([{ "joint": "hinge", "bodies": ["shaker", "a"],
            "anchor": [0.013, 0.2] }]),
                json!([]),
            ),
        ),
        (
            "contacts",
            scene(
                json!([bar("a", 0.3, -1.91, json!({ "velocity": [0.5, -0.2], "friction": 0.4 })),
            { "name": "b", "position": [0.4, -1.6], "velocity": [0.0, -1.0], "restitution": 0.5,
                "shapes": [{ "shape": "circle", "radius": 0.11 }] },
            { "name": "c", "position": [-0.4, -1.85], "angular_velocity": 3.0,
                "shapes": [{ "shape": "polygon", "vertices": [[-0.2, -0.1], [0.2, -0.13], [0.0, 0.2]] }] }]),
                json!([]),
                json!([]),
            ),
        ),
        (
            "contacts and joints",
            scene(
                json!([
                    bar("a", 0.3, -1.85, json!({})),
                    bar("b", 0.8, -1.8, json!({ "velocity": [0.0, -0.5] }))
                ]),
                json!([{ "joint": "weld", "bodies": ["a", "b"], "anchor": [0.55, -1.82] }]),
                json!([]),
            ),
        ),
    ]
}

/// The exponents of s and of d by which what stands under `key` grows, in an object that says that it is about angles
/// or not; none where it holds no number with a length or a mass in its unit.
fn power(key: &str, of_angles: bool) -> Option<[i32; 2]> {
    match key {
        "gravity" | "position" | "velocity" | "size" | "radius" | "length" | "rest_length" | "vertices"
        | "offset" | "anchor" | "anchors" | "amplitude" | "center" | "points" | "semi_axes" => Some([1, 0]),
        "speed" | "limits" if !of_angles => Some([1, 0]),
        "density" => Some([0, 1]),
        "stiffness" | "damping" => Some([2, 1]),
        "max_force" => Some([3, 1]),
        "max_torque" => Some([4, 1]),
        _ => None,
    }
}

/// Scales lengths by 2^k and densities by 2^m, for `exponents` [k, m].
fn scale(value: &mut Value, exponents: [i32; 2], power_here: Option<[i32; 2]>, of_angles: bool) {
    match value {
        Value::Object(map) => {
            let of_angles = match map.get("joint").and_then(Value::as_str) {
                Some(joint) => joint != "slider",
                None => of_angles,
            };
            for (key, value) in map.iter_mut() {
                // What a circle's rate is beside its center, the velocity of which it is.
                let inside = if key == "rate" { None } else { power(key, of_angles).or(power_here) };
                scale(value, exponents, inside, of_angles);
            }
        }
        Value::Array(list) => {
            list.iter_mut().for_each(|value| scale(value, exponents, power_here, of_angles))
        }
        Value::Number(number) => {
            if let Some([length, mass]) = power_here {
                let exponent = exponents[0] * length + exponents[1] * mass;
                *value = (number.as_f64().unwrap() * 2.0_f64.powi(exponent)).into();
            }
        }
        _ => {}
    }
}

/// The error over which the impedance of `mujoco` rises, which is that of angles as well as of lengths.
const ERROR_WIDTH: &str = "width";

/// The scheme by its key, with an impedance that does not depend on an error.
fn by_key(key: &str) -> Stabilizer {
    let mut own = Stabilizer::by_key(key).unwrap();
    if own.values.get(ERROR_WIDTH).is_some() {
        own.values.set(ERROR_WIDTH, 0.0).unwrap();
    }
    own
}

/// The scheme's defaults with those in metres and m/s as large as the world; nothing where one would leave its range.
fn scaled_defaults(stabilizer: &Stabilizer, exponent: i32) -> Option<Stabilizer> {
    let mut scaled = stabilizer.clone();
    for parameter in stabilizer.info().parameters {
        let Parameter { key, unit, default, minimum, maximum, .. } = parameter;
        let power = match *unit {
            "m" | "m/s" => 1,
            "N/m" => 2,
            "s/m" => -1,
            "m/N" => -2,
            _ => 0,
        };
        let value = default * 2.0_f64.powi(power * exponent);
        if power != 0 && value != *default && *key != ERROR_WIDTH {
            if !(*minimum..=*maximum).contains(&value) {
                return None;
            }
            scaled.values.set(key, value).unwrap();
        }
    }
    Some(scaled)
}

/// The method at each level that its scheme knows.
fn methods(stabilizer: Stabilizer) -> Vec<Method> {
    let method = Method::new(stabilizer);
    let mut all = vec![method.clone()];
    for integrator in [Integrator::SemiImplicitEuler, Integrator::Rk4] {
        all.extend(method.clone().at_level(Level::Acceleration, integrator));
    }
    all
}

/// What of a report has no length in its unit.
fn bare(report: &StepReport) -> impl PartialEq + std::fmt::Debug {
    let StepReport { infeasible, unproved, solver_iterations, substeps, relative_residual, .. } = *report;
    (infeasible, unproved, solver_iterations, substeps, relative_residual.map(f64::to_bits), report.solver)
}

/// The first of `steps` after which the second world is not the first one with lengths `s` times as large, whether the
/// counts of the two reports are alike there, and whether the motions are.
fn apart(
    mut worlds: [World; 2],
    methods: [&Method; 2],
    (h, s): (f64, f64),
    steps: usize,
) -> Option<(usize, bool, bool)> {
    let mut workspaces = [Workspace::default(), Workspace::default()];
    for made in 0..steps {
        let done = [0, 1].map(|k| step(&mut worlds[k], methods[k], h, &mut workspaces[k]));
        let alike = match &done {
            [Ok(one), Ok(two)] => bare(one) == bare(two),
            [one, two] => one.is_err() && two.is_err(),
        };
        let same = worlds[0].bodies().iter().zip(worlds[1].bodies()).all(|(one, two)| {
            one.pose.position * s == two.pose.position
                && one.velocity.linear * s == two.velocity.linear
                && one.pose.angle == two.pose.angle
                && one.velocity.angular == two.velocity.angular
        });
        if !alike || !same {
            return Some((made, alike, same));
        }
        if done[0].is_err() {
            return None;
        }
    }
    None
}

/// Every kind of constraint under every scheme at every level: the digits of position, velocity and angle, and what the
/// report counts, are those of the world as given, 2⁻⁴⁰ to 2⁴⁰ times as large.
#[test]
fn a_world_of_other_lengths_moves_alike() {
    let mut differ = Vec::new();
    for (name, given) in scenes() {
        let own = Scene::parse(&given.to_string()).unwrap();
        for exponent in EXPONENTS {
            let s = 2.0_f64.powi(exponent);
            let mut value = given.clone();
            scale(&mut value, [exponent, 0], None, true);
            let other = Scene::parse(&value.to_string())
                .unwrap_or_else(|e| panic!("{name} at 2^{exponent}: {e:?}"));
            for info in TABLE {
                let stabilizer = by_key(info.info().key);
                if WITH_PENALTIES.contains(&stabilizer.info().key) {
                    continue;
                }
                let mixed = WITH_A_MIXED_RESIDUAL.contains(&stabilizer.info().key);
                if exponent > 0 && mixed && name == "hinge with limits" {
                    continue;
                }
                let welds = given.to_string().contains("\"weld\"");
                if welds && WITH_A_MIXED_WELD.contains(&stabilizer.info().key) {
                    continue;
                }
                if exponent > 0 && WITH_LENGTHS.contains(&stabilizer.info().key) {
                    continue;
                }
                let Some(scaled) = scaled_defaults(&stabilizer, exponent) else { continue };
                for (method, theirs) in methods(stabilizer).into_iter().zip(methods(scaled)) {
                    let worlds = [own.world.clone(), other.world.clone()];
                    let h = own.settings.time_step;
                    if let Some((made, alike, same)) = apart(worlds, [&method, &theirs], (h, s), STEPS) {
                        differ.push(format!(
                            "{name} at 2^{exponent} under {} {:?}: step {made}, counts alike {alike}, motion alike {same}",
                            method.stabilizer.info().key, method.level
                        ));
                    }
                }
            }
        }
    }
    assert!(differ.is_empty(), "{} differ:\n{}", differ.len(), differ.join("\n"));
}

/// A heap of up to eight boxes, disks, ellipses and polygons on a floor or in a trough, some of them overlapping, some
/// hinged, one driven.
fn heap(random: &mut Random) -> Value {
    let spread = random.between(0.3, 1.2);
    let bodies: Vec<_> = (0..2 + random.below(7))
        .map(|index| {
            let mut size = || random.between(0.1, 0.5);
            let shape = match index % 4 {
                0 => json!({ "shape": "box", "size": [size(), size()] }),
                1 => json!({ "shape": "circle", "radius": 0.5 * size() }),
                2 => json!({ "shape": "polygon", "vertices": [[-size(), -size()], [size(), -size()], [0.1 * size(), size()]] }),
                _ => json!({ "shape": "ellipse", "semi_axes": [0.5 * size(), 0.5 * size()] }),
            };
            let mut number = |size: f64| random.between(-size, size);
            json!({ "name": format!("b{index}"), "position": [number(spread), -2.0 + 0.2 + 0.3 * index as f64 * spread],
                "angle": number(1.0), "velocity": [number(2.0), number(2.0)], "angular_velocity": number(4.0),
                "friction": ([0.0, 0.4, 1.5][index % 3]), "restitution": ([0.0, 0.3][index % 2]),
                "density": 700.0 + 300.0 * number(1.0), "shapes": [shape] })
        })
        .collect();
    let joints = match random.below(3) {
        0 => json!([{ "joint": "hinge", "bodies": ["b0", "b1"], "anchor": [0.1, -1.7] }]),
        1 => json!([{ "joint": "hinge", "bodies": ["floor", "b0"], "anchor": [0.1, -1.7],
            "motor": { "speed": 3.0, "max_torque": 300.0 } }]),
        _ => json!([]),
    };
    let mut scene = scene(bodies.into(), joints, json!([]));
    if random.below(2) == 0 {
        scene["bodies"][1]["shapes"]
            .as_array_mut()
            .unwrap()
            .push(json!({ "shape": "half_plane", "normal": [0.8, 0.6], "offset": -0.3 }));
    }
    scene["bodies"][1]["friction"] = json!(random.between(0.0, 2.5));
    scene
}

/// Random heaps by every solver by name: the digits, and what the report counts, are those of the world as given,
/// lengths 2⁻⁴⁰ to 2⁴⁰ times and densities 2⁻⁴⁰ to 2⁴⁰ times as large. Forces without a solution, and what violates its
/// rows least, too.
#[test]
fn solvers_do_not_depend_on_the_units() {
    let mut random = Random(24);
    let (mut differ, mut compared) = (Vec::new(), 0);
    for round in 0..60 {
        let given = heap(&mut random);
        let own = Scene::parse(&given.to_string()).unwrap();
        let mut exponent = || random.below(81) as i32 - 40;
        let exponents = [exponent(), exponent()];
        let mut value = given.clone();
        scale(&mut value, exponents, None, true);
        let other = Scene::parse(&value.to_string()).unwrap();
        let s = 2.0_f64.powi(exponents[0]);
        for key in ["none", "baumgarte_velocity", "anitescu_hart", "baumgarte_acceleration", "implicit"] {
            for method in methods(Stabilizer::by_key(key).unwrap()) {
                for solver in solvers() {
                    let method = Method { solver: solver.clone(), ..method.clone() };
                    let worlds = [own.world.clone(), other.world.clone()];
                    compared += 1;
                    if let Some((made, alike, same)) = apart(worlds, [&method, &method], (0.02, s), 8) {
                        let (solver, level) = (solver.info().key, method.level);
                        differ.push(format!(
                            "{round} at 2^{exponents:?} under {key} {level:?} by {solver}: step {made}, counts alike {alike}, motion alike {same}"
                        ));
                    }
                }
            }
        }
    }
    assert!(differ.is_empty(), "{} of {compared} differ:\n{}", differ.len(), differ.join("\n"));
}
