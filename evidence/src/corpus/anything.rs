//! Random worlds of every kind: what people build in a sandbox, consistent or not.
//!
//! A world has two to eight bodies of all shapes, often overlapping, often on a floor or between walls, some of them
//! kinematic; joints of all kinds between any two, also in closed loops that cannot move, with limits and motors; masses up to
//! a ratio of 10⁶; and any scheme without sweeps, at any of its levels and with any integrator, with the solver `auto`.
//! Its scheme's parameters are stable ones, or any.
//!
//! Many of these worlds contradict themselves: the corpus asks what the program makes of that.

use super::draw::{between, pick, short};
use super::driven;
use driftlab::scene::{Problem, Scene};
use fastrand::Rng;
use serde_json::{Map, Value, json};
use std::f64::consts::TAU;

/// Schemes that promise a residual, with their levels.
const SCHEMES: [(&str, &str); 10] = [
    ("none", "velocity"),
    ("baumgarte_velocity", "velocity"),
    ("anitescu_hart", "velocity"),
    ("implicit", "velocity"),
    ("post_stabilization", "velocity"),
    ("projection", "velocity"),
    ("rattle", "velocity"),
    ("none", "acceleration"),
    ("post_stabilization", "acceleration"),
    ("baumgarte_acceleration", "acceleration"),
];

/// Integrators of the acceleration level.
const INTEGRATORS: [&str; 3] = ["semi_implicit_euler", "explicit_euler", "rk4"];

/// Corpora of this seed and later ones have surfaces and filters, ropes, slots, wheels and beads, held positions, friction in
/// joints, and joints that are soft or break, too; earlier ones keep their texts.
pub const WIRED: u64 = 51;

/// Corpora of this seed and later ones also have profiles of motors, brakes, poses, lengths and belts, thrusters and keys,
/// damping and drag, fields, materials with pairs and rules, polylines and rounded polygons.
pub const DRIVEN: u64 = 52;

/// What a world has besides its bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// Free bodies on a floor.
    Pile,
    /// Free bodies that start inside each other.
    Overlap,
    /// Joints in closed loops.
    Loops,
    /// Joints with limits and motors, and contacts.
    Driven,
    /// Kinematic bodies among free ones.
    Pressed,
    /// Masses up to a ratio of 10⁶.
    MassRatio,
}

impl Kind {
    /// All kinds; world number i is of kind i modulo their number.
    pub const ALL: [Self; 6] =
        [Self::Pile, Self::Overlap, Self::Loops, Self::Driven, Self::Pressed, Self::MassRatio];

    /// Its name in tables.
    pub fn key(self) -> &'static str {
        match self {
            Self::Pile => "pile",
            Self::Overlap => "overlap",
            Self::Loops => "loops",
            Self::Driven => "driven",
            Self::Pressed => "pressed",
            Self::MassRatio => "mass ratio",
        }
    }

    /// The kind of world number `index`.
    pub fn of(index: u64) -> Self {
        Self::ALL[(index % Self::ALL.len() as u64) as usize]
    }

    fn has_joints(self) -> bool {
        matches!(self, Self::Loops | Self::Driven | Self::MassRatio)
    }
}

/// The scene file of world number `index` of the corpus with that seed.
pub fn text(seed: u64, index: u64) -> String {
    let mut rng = Rng::with_seed(seed ^ (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let kind = Kind::of(index);
    let mut bodies = Vec::new();
    if rng.u8(0..10) < 8 {
        bodies.push(half_plane("floor", "fixed", [0.0, 1.0], 0.0));
    } else {
        bodies.push(json!({"name": "floor", "type": "fixed", "position": [0, 0]}));
    }
    if rng.u8(0..6) == 0 {
        bodies.push(half_plane("wall", "fixed", [1.0, 0.3], -2.0));
    }
    let count = rng.usize(2..=if kind.has_joints() { 6 } else { 8 });
    let crowded = kind == Kind::Overlap || rng.u8(0..4) == 0;
    for i in 0..count {
        bodies.push(body(&mut rng, kind, i, crowded));
    }
    if seed >= WIRED {
        let drawn =
            bodies.iter_mut().filter(|own| own["name"].as_str().is_some_and(|name| name.starts_with('b')));
        for own in drawn {
            if rng.u8(0..3) == 0 {
                surface(&mut rng, own);
            }
        }
    }
    let mut joints = if kind.has_joints() { joints(&mut rng, kind, &bodies, count) } else { Vec::new() };
    if seed >= WIRED {
        joints.iter_mut().for_each(|joint| wire(&mut rng, joint));
        gears(&mut rng, &mut joints);
    }
    let springs = if rng.u8(0..8) == 0 { springs(&mut rng, count) } else { Vec::new() };
    let gravity = *pick(&mut rng, &[0.0, -9.81, -9.81, -9.81, -100.0]);
    let mut scene = json!({
        "format": "driftlab-scene/1",
        "name": format!("{} {index}", kind.key()),
        "gravity": [0, gravity],
        "settings": settings(&mut rng),
        "bodies": bodies,
        "joints": joints,
        "springs": springs,
    });
    if seed >= DRIVEN {
        driven::drive(&mut rng, &mut scene);
    }
    scene.to_string()
}

/// World number `index` of the corpus with that seed.
///
/// # Errors
/// What is wrong with the scene; two anchors of a distance may coincide.
pub fn world(seed: u64, index: u64) -> Result<Scene, Vec<Problem>> {
    Scene::parse(&text(seed, index))
}

fn settings(rng: &mut Rng) -> Value {
    let (scheme, level) = *pick(rng, &SCHEMES);
    // Hundredths of milliseconds to a fifteenth of a second, evenly in the logarithm.
    let h = short(libm::exp10(between(rng, -4.0, -1.17)));
    let mut stabilizer = Map::new();
    stabilizer.insert("kind".into(), json!(scheme));
    let stable = rng.bool();
    match scheme {
        "baumgarte_velocity" => {
            let most = if stable { 1.0 } else { 3.0 };
            stabilizer.insert("alpha".into(), json!(short(between(rng, 0.05, most) / h)));
        }
        "baumgarte_acceleration" => {
            let most = if stable { 0.5 } else { 3.0 };
            stabilizer.insert("omega0".into(), json!(short(between(rng, 0.01, most) / h)));
            stabilizer.insert("zeta".into(), json!(short(between(rng, 0.1, 1.0))));
        }
        _ => {}
    }
    let mut settings = json!({"time_step": h, "stabilizer": stabilizer, "level": level});
    if level == "acceleration" {
        settings["integrator"] = json!(pick(rng, &INTEGRATORS));
    }
    if rng.u8(0..3) == 0 {
        settings["active_travel"] = json!(rng.u8(1..=2));
    }
    if rng.u8(0..4) == 0 {
        settings["restitution_law"] = json!("anitescu_potra");
    }
    settings
}

fn body(rng: &mut Rng, kind: Kind, index: usize, crowded: bool) -> Value {
    let reach = if crowded { 0.5 } else { 1.6 };
    let shapes: Vec<Value> = (0..rng.usize(1..=2)).map(|at| shape(rng, at > 0)).collect();
    let mut body = json!({
        "name": format!("b{index}"),
        "position": [short(between(rng, -reach, reach)), short(between(rng, 0.1, 0.4 + 1.5 * reach))],
        "angle": short(between(rng, -3.0, 3.0)),
        "shapes": shapes,
    });
    if rng.bool() {
        body["velocity"] = json!([short(between(rng, -4.0, 4.0)), short(between(rng, -6.0, 3.0))]);
    }
    if rng.u8(0..3) == 0 {
        body["angular_velocity"] = json!(short(between(rng, -20.0, 20.0)));
    }
    if rng.bool() {
        body["friction"] = json!(*pick(rng, &[0.0, 0.1, 0.6, 1.0, 2.5]));
    }
    if rng.u8(0..4) == 0 {
        body["restitution"] = json!(short(rng.f64()));
    }
    let heaviest = if kind == Kind::MassRatio { 6.0 } else { 1.5 };
    if rng.bool() {
        body["mass"] = json!(short(libm::exp10(between(rng, 0.0, heaviest))));
    }
    if kind == Kind::Pressed && rng.u8(0..3) == 0 {
        body["type"] = json!("kinematic");
        if rng.bool() {
            if let Some(members) = body.as_object_mut() {
                members.remove("velocity");
                members.remove("angular_velocity");
            }
            let amplitude = [short(between(rng, -0.3, 0.3)), short(between(rng, -0.3, 0.3))];
            body["motion"] =
                json!({"sine": {"amplitude": amplitude, "frequency": short(between(rng, 0.3, 4.0))}});
        }
        if rng.u8(0..4) == 0 {
            let normal = [short(between(rng, -1.0, 1.0)), 1.0];
            body["shapes"] = json!([{"shape": "half_plane", "normal": normal, "offset": short(between(rng, -1.0, 0.0))}]);
        }
    }
    body
}

/// Belts, static friction, rolling resistance, filters, and surfaces of one shape alone.
fn surface(rng: &mut Rng, body: &mut Value) {
    match rng.u8(0..6) {
        0 => body["surface_speed"] = json!(short(between(rng, -3.0, 3.0))),
        1 => body["static_friction"] = json!(short(between(rng, 2.5, 4.0))),
        2 => body["rolling_resistance"] = json!(short(between(rng, 0.0, 0.1))),
        3 => {
            (body["categories"], body["mask"]) = (json!(rng.u8(1..=3)), json!(rng.u8(0..=3)));
            body["group"] = json!(rng.i8(-1..=1));
        }
        4 if body.get("angular_velocity").is_none() => body["fixed_rotation"] = json!(true),
        _ => {
            let shape = &mut body["shapes"][0];
            shape["friction"] = json!(short(rng.f64()));
            shape["restitution"] = json!(short(rng.f64()));
            shape["surface_speed"] = json!(short(between(rng, -3.0, 3.0)));
            shape["rolling_resistance"] = json!(short(between(rng, 0.0, 0.1)));
            shape["mask"] = json!(rng.u8(1..=3));
        }
    }
}

fn shape(rng: &mut Rng, moved: bool) -> Value {
    let size = |rng: &mut Rng| short(between(rng, 0.05, 0.5));
    let mut shape = match rng.u8(0..6) {
        0 => json!({"shape": "circle", "radius": size(rng)}),
        1 => json!({"shape": "box", "size": [2.0 * size(rng), size(rng)]}),
        2 => json!({"shape": "ellipse", "semi_axes": [size(rng), size(rng)]}),
        3 => json!({"shape": "capsule", "length": size(rng), "radius": 0.5 * size(rng)}),
        4 => json!({"shape": "polygon", "vertices": ring(rng, false)}),
        _ => json!({"shape": "polygon", "vertices": ring(rng, true)}),
    };
    if moved {
        shape["offset"] = json!([short(between(rng, -0.3, 0.3)), short(between(rng, -0.3, 0.3))]);
        shape["angle"] = json!(short(between(rng, -3.0, 3.0)));
    }
    shape
}

/// The corners of a polygon about its centre, or of a star.
fn ring(rng: &mut Rng, star: bool) -> Vec<[f64; 2]> {
    let corners = if star { 2 * rng.usize(3..=5) } else { rng.usize(3..=8) };
    let radius = between(rng, 0.1, 0.4);
    let corner = |k: usize| {
        let angle = TAU * k as f64 / corners as f64;
        let r = if star && k % 2 == 1 { 0.45 * radius } else { radius };
        [short(r * libm::cos(angle)), short(r * libm::sin(angle))]
    };
    (0..corners).map(corner).collect()
}

fn joints(rng: &mut Rng, kind: Kind, bodies: &[Value], count: usize) -> Vec<Value> {
    let number = if kind == Kind::Loops { rng.usize(count..=count + 3) } else { rng.usize(1..=count) };
    let mut joints = Vec::new();
    for _ in 0..number {
        let b = rng.usize(0..count);
        let a = if rng.u8(0..3) == 0 { None } else { Some(rng.usize(0..count)) };
        if a == Some(b) {
            continue;
        }
        let name = |i: usize| format!("b{i}");
        let first = a.map_or_else(|| "floor".to_owned(), name);
        let names = [first, name(b)];
        let of =
            |wanted: &str| bodies.iter().find(|body| body["name"] == wanted).map(|body| &body["position"]);
        let at = |wanted: &str, axis: usize| of(wanted).and_then(|p| p[axis].as_f64()).unwrap_or_default();
        let share = *pick(rng, &[0.0, 0.5, 1.0]);
        let anchor = [0, 1].map(|axis| {
            short(
                at(&names[1], axis)
                    + share * (at(&names[0], axis) - at(&names[1], axis))
                    + between(rng, -0.1, 0.1),
            )
        });
        let collide = rng.u8(0..3) == 0;
        let mut joint = match rng.u8(0..8) {
            0..=3 => json!({"joint": "hinge", "anchor": anchor}),
            4 => json!({"joint": "weld", "anchor": anchor}),
            5 | 6 => {
                let angle = between(rng, 0.0, TAU);
                json!({"joint": "slider", "anchor": anchor, "axis": [short(libm::cos(angle)), short(libm::sin(angle))]})
            }
            _ => {
                let other = anchor.map(|x| short(x + between(rng, 0.1, 0.4)));
                json!({"joint": "distance", "anchors": [anchor, other], "form": *pick(rng, &["length", "squared"])})
            }
        };
        joint["bodies"] = json!(names);
        joint["collide_connected"] = json!(collide);
        let hinge = joint["joint"] == "hinge";
        if hinge || joint["joint"] == "slider" {
            let often = if kind == Kind::Driven { 2 } else { 5 };
            if rng.u8(0..often) == 0 {
                joint["limits"] = json!([short(between(rng, -0.6, 0.1)), short(between(rng, 0.1, 0.6))]);
            }
            if rng.u8(0..often) == 0 {
                let most = short(libm::exp10(between(rng, 0.0, 4.0)));
                let key = if hinge { "max_torque" } else { "max_force" };
                joint["motor"] = json!({"speed": short(between(rng, -6.0, 6.0)), key: most});
            }
        }
        joints.push(joint);
    }
    joints
}

/// Makes a slot, a wheel, a bead, a motor joint, a rope or a pulley of some sliders, welds and rods, and lets hinges hold
/// positions and rub; makes some joints soft, and some breakable.
fn wire(rng: &mut Rng, joint: &mut Value) {
    let anchor = joint["anchor"].clone();
    let chosen = rng.u8(0..4);
    match joint["joint"].as_str() {
        Some("slider") if chosen < 2 => {
            joint["joint"] = json!("slot");
        }
        Some("slider") if chosen == 2 && joint["motor"].is_null() => {
            joint["joint"] = json!("wheel");
            joint["frequency"] = json!(short(libm::exp10(between(rng, -1.0, 2.0))));
            joint["damping_ratio"] = json!(short(between(rng, 0.0, 2.0)));
        }
        Some("weld") if chosen < 3 => {
            let size = short(between(rng, 0.05, 1.0));
            let curves = [
                json!({"kind": "line"}),
                json!({"kind": "circle", "radius": size}),
                json!({"kind": "ellipse", "semi_axes": [size, 0.2]}),
                json!({"kind": "parabola", "coefficient": size}),
                json!({"kind": "cycloid", "radius": size}),
                json!({"kind": "graph", "points": [[-1, size], [-0.2, 0], [0.3, 0.1], [1, -0.2]]}),
            ];
            let point = [0, 1].map(|axis| short(anchor[axis].as_f64().unwrap_or_default() + size));
            let curve = pick(rng, &curves).clone();
            let side = *pick(rng, &["on", "outside", "inside"]);
            *joint = json!({
                "joint": "bead", "bodies": joint["bodies"], "collide_connected": joint["collide_connected"],
                "anchors": [anchor, point], "curve": curve, "side": side, "angle": short(between(rng, -3.0, 3.0)),
            });
        }
        Some("weld") => {
            joint["joint"] = json!("motor");
            joint["offset"] = json!([short(between(rng, -0.5, 0.5)), short(between(rng, -0.5, 0.5))]);
            joint["frequency"] = json!(short(libm::exp10(between(rng, -1.0, 2.0))));
            joint["max_force"] = json!(short(libm::exp10(between(rng, 0.0, 4.0))));
            joint["max_torque"] = json!(short(libm::exp10(between(rng, -1.0, 3.0))));
        }
        Some("hinge") if chosen == 0 => {
            joint["friction"] = json!(short(libm::exp10(between(rng, -1.0, 2.0))))
        }
        Some("hinge") if chosen == 1 && !joint["motor"].is_null() => {
            joint["motor"]["position"] = json!(short(between(rng, -2.0, 2.0)));
            joint["motor"]["frequency"] = json!(short(libm::exp10(between(rng, -1.0, 2.0))));
        }
        Some("distance") if chosen < 2 => {
            let anchors = &joint["anchors"];
            let longest = short(between(rng, 0.3, 1.0));
            let own = match chosen {
                0 => {
                    json!({"joint": "rope", "anchors": anchors, "length": longest, "restitution": *pick(rng, &[0.0, 0.5])})
                }
                _ => {
                    json!({"joint": "distance", "anchors": anchors, "limits": [short(between(rng, 0.0, 0.3)), longest]})
                }
            };
            let ends = ["bodies", "collide_connected"].map(|key| (key, joint[key].clone()));
            *joint = own;
            ends.into_iter().for_each(|(key, value)| joint[key] = value);
        }
        Some("distance") if chosen == 2 => {
            let wheel = |rng: &mut Rng, end: usize| {
                [0, 1].map(|axis| {
                    let at = joint["anchors"][end][axis].as_f64().unwrap_or_default();
                    short(at + between(rng, -0.5, 0.5))
                })
            };
            let wheels = [wheel(rng, 0), wheel(rng, 1)];
            // Each wheel in the world, or on the body of the other end.
            let ends = [1, 0].map(|end: usize| joint["bodies"][end].clone());
            let on = ends.map(|end| if rng.u8(0..2) == 0 { end } else { Value::Null });
            let slack = rng.u8(0..2) == 0;
            *joint = json!({
                "joint": "pulley", "bodies": joint["bodies"], "collide_connected": joint["collide_connected"],
                "anchors": joint["anchors"], "wheels": wheels, "wheels_on": on, "slack": slack,
                "ratio": short(libm::exp10(between(rng, -0.5, 0.5))),
            });
            if slack {
                joint["restitution"] = json!(*pick(rng, &[0.0, 0.5]));
            }
        }
        _ => {}
    }
    let bends = ["hinge", "weld", "distance", "rope"].iter().any(|own| joint["joint"] == **own);
    if bends && joint["form"] != "squared" && joint["limits"].is_null() && rng.u8(0..6) == 0 {
        let frequency = short(libm::exp10(between(rng, -0.5, 2.0)));
        joint["softness"] = json!({"frequency": frequency, "damping_ratio": *pick(rng, &[0.0, 0.1, 1.0])});
    }
    if rng.u8(0..6) == 0 {
        joint["breaks_at"] = json!({"force": short(libm::exp10(between(rng, 0.0, 5.0)))});
    }
}

/// Ties some of the joints that can be driven.
fn gears(rng: &mut Rng, joints: &mut Vec<Value>) {
    let drives =
        |joint: &Value| ["hinge", "slider", "slot", "wheel"].iter().any(|own| joint["joint"] == **own);
    let free: Vec<usize> = (0..joints.len()).filter(|index| drives(&joints[*index])).collect();
    for pair in free.windows(2) {
        if rng.u8(0..4) == 0 {
            let sign = *pick(rng, &[-1.0, 1.0]);
            let ratio = short(sign * libm::exp10(between(rng, -1.0, 1.0)));
            joints.push(json!({"joint": "gear", "joints": pair, "ratio": ratio}));
        }
    }
}

fn springs(rng: &mut Rng, count: usize) -> Vec<Value> {
    let (a, b) = (rng.usize(0..count), rng.usize(0..count));
    if a == b {
        return Vec::new();
    }
    let stiffness = short(libm::exp10(between(rng, 0.0, 5.0)));
    let anchors = [[0.0, 0.5], [0.3, 0.5]];
    let names = [a, b].map(|i| format!("b{i}"));
    vec![
        json!({"bodies": names, "anchors": anchors, "stiffness": stiffness, "damping": short(10.0 * rng.f64())}),
    ]
}

fn half_plane(name: &str, kind: &str, normal: [f64; 2], offset: f64) -> Value {
    json!({
        "name": name, "type": kind, "position": [0, 0],
        "shapes": [{"shape": "half_plane", "normal": normal, "offset": offset}]
    })
}
