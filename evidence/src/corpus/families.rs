//! The families of worlds whose steps are hard: each world drawn at random from its family, as the JSON of a scene.

use driftlab::scene::{Problem, Scene, catalogue};
use fastrand::Rng;
use serde_json::{Value, json};

/// Schemes whose contact problems differ: without the gap in the contact's row and with it, with a correction of
/// positions, and in forces, where friction can leave a problem without any solution.
const SCHEMES: [&str; 5] =
    ["none", "baumgarte_velocity", "post_stabilization", "anitescu_hart", "baumgarte_acceleration"];

/// A family of worlds.
#[derive(Debug)]
pub struct Family {
    /// Its name in tables.
    pub key: &'static str,
    /// What its worlds are.
    pub about: &'static str,
    /// Worlds in the corpus.
    pub worlds: u64,
    /// Steps that each of them makes.
    pub steps: u64,
    draw: fn(&mut Rng) -> Drawn,
}

/// A world under construction: gravity (m/s²), the time step (s), bodies and joints as in scene files.
struct Drawn {
    gravity: f64,
    time_step: f64,
    bodies: Vec<Value>,
    joints: Value,
    springs: Value,
}

impl Drawn {
    fn new(gravity: f64, time_step: f64) -> Self {
        Self { gravity, time_step, bodies: Vec::new(), joints: json!([]), springs: json!([]) }
    }

    /// The ground y ≤ 0 with friction μ.
    fn on_ground(mut self, friction: f64) -> Self {
        self.bodies.push(json!({
            "name": "ground", "type": "fixed", "position": [0, 0], "friction": friction,
            "shapes": [{"shape": "half_plane", "normal": [0, 1], "offset": 0}]
        }));
        self
    }

    /// Walls at x = ±`half`, m.
    fn between_walls(mut self, half: f64) -> Self {
        for (name, normal) in [("left", 1), ("right", -1)] {
            self.bodies.push(json!({
                "name": name, "type": "fixed", "position": [0, 0], "friction": 0.3,
                "shapes": [{"shape": "half_plane", "normal": [normal, 0], "offset": -half}]
            }));
        }
        self
    }

    /// A body with the members of `body` beside its name.
    fn add(&mut self, mut body: Value) {
        body["name"] = json!(format!("body{}", self.bodies.len()));
        self.bodies.push(body);
    }
}

impl Family {
    /// World number `index` of the corpus with that seed.
    ///
    /// # Errors
    /// What is wrong with the scene; a test draws worlds of every family.
    pub fn world(&self, seed: u64, index: u64) -> Result<Scene, Vec<Problem>> {
        // Every world has its own random numbers, whichever other worlds are drawn.
        let mut rng = Rng::with_seed(seed ^ (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let drawn = (self.draw)(&mut rng);
        let scheme = SCHEMES[(index % SCHEMES.len() as u64) as usize];
        let scene = json!({
            "format": "driftlab-scene/1",
            "name": format!("{} {index}", self.key),
            "gravity": [0, drawn.gravity],
            "settings": {"time_step": drawn.time_step, "stabilizer": {"kind": scheme}, "active_travel": 1},
            "bodies": drawn.bodies,
            "joints": drawn.joints,
            "springs": drawn.springs,
        });
        Scene::parse(&scene.to_string())
    }
}

/// All families.
pub static FAMILIES: &[Family] = &[
    Family {
        key: "struck pyramid",
        about: "6 to 20 rows of boxes of 1 m, hit by a box of 1 m at 12 to 18 m/s",
        worlds: 24,
        steps: 90,
        draw: struck_pyramid,
    },
    Family {
        key: "poured boxes",
        about: "50 to 200 boxes of any angle fall between walls",
        worlds: 10,
        steps: 150,
        draw: poured,
    },
    Family {
        key: "falling disks",
        about: "100 to 400 disks with friction fall between walls",
        worlds: 10,
        steps: 150,
        draw: falling,
    },
    Family {
        key: "rush",
        about: "60 to 300 disks with friction, drawn to one point by springs",
        worlds: 8,
        steps: 200,
        draw: rush,
    },
    Family {
        key: "jammed packing",
        about: "30 to 120 disks, boxes, capsules between walls under a heavy piston",
        worlds: 16,
        steps: 150,
        draw: packing,
    },
    Family {
        key: "sliding rods",
        about: "1 to 12 rods thrown on ground with μ from 1.3 to 2.5, where Painlevé's paradox begins at 4/3",
        worlds: 48,
        steps: 250,
        draw: rods,
    },
    Family {
        key: "ragdolls",
        about: "1 to 5 ragdolls, of ten capsules and nine hinges with limits, fall on each other",
        worlds: 16,
        steps: 250,
        draw: ragdolls,
    },
    Family {
        key: "card house",
        about: "forty leaning cards, hit by a thrown card",
        worlds: 12,
        steps: 120,
        draw: cards,
    },
    Family {
        key: "loaded stack",
        about: "5 to 20 boxes, mass ratios up to 1e4, dropped on each other",
        worlds: 24,
        steps: 120,
        draw: stack,
    },
    Family {
        key: "overfull box",
        about: "20 to 90 disks without friction in a closed box of 70 to 85 % of the size that they need",
        worlds: 10,
        steps: 40,
        draw: overfull,
    },
    Family {
        key: "crushed packing",
        about: "12 to 60 disks and boxes in a closed box whose wall moves in until nothing can give way",
        worlds: 16,
        steps: 90,
        draw: crushed,
    },
];

fn between(rng: &mut Rng, low: f64, high: f64) -> f64 {
    low + (high - low) * rng.f64()
}

fn square(side: f64) -> Value {
    json!([{"shape": "box", "size": [side, side]}])
}

fn struck_pyramid(rng: &mut Rng) -> Drawn {
    let mut drawn = Drawn::new(-9.81, 1.0 / 60.0).on_ground(0.6);
    let rows = rng.u64(6..=20);
    for level in 0..rows {
        for place in 0..rows - level {
            let x = 1.25 * (place as f64 - 0.5 * (rows - level - 1) as f64);
            let position = [x, 0.5 + level as f64];
            drawn.add(json!({"position": position, "friction": 0.6, "shapes": square(1.0)}));
        }
    }
    let from = [-0.625 * rows as f64 - 6.0, between(rng, 1.5, 4.0)];
    let velocity = [between(rng, 12.0, 18.0), between(rng, 0.0, 3.0)];
    drawn.add(json!({"position": from, "friction": 0.6, "velocity": velocity, "shapes": square(1.0)}));
    drawn
}

/// Bodies in rows above the ground between walls, wider than high once they lie, each with the shape that `shape` draws.
fn dropped(rng: &mut Rng, bodies: usize, friction: f64, shape: fn(&mut Rng) -> Value) -> Drawn {
    const PITCH: f64 = 1.25;
    let across = (1.2 * (bodies as f64).sqrt()).ceil() as usize;
    let half = 0.5 * PITCH * across as f64;
    let mut drawn = Drawn::new(-9.81, 1.0 / 60.0).on_ground(friction).between_walls(half);
    for i in 0..bodies {
        let [column, level] = [i % across, i / across];
        let x = -half + PITCH * (column as f64 + 0.5) + between(rng, -0.01, 0.01);
        drawn.add(json!({
            "position": [x, 0.62 + PITCH * level as f64], "angle": between(rng, -3.0, 3.0),
            "friction": friction, "shapes": [shape(rng)]
        }));
    }
    drawn
}

fn poured(rng: &mut Rng) -> Drawn {
    let (bodies, friction) = (rng.usize(50..=200), between(rng, 0.2, 0.7));
    dropped(rng, bodies, friction, |rng| {
        let size = between(rng, 0.4, 0.6);
        json!({"shape": "box", "size": [1.6 * size, size]})
    })
}

fn falling(rng: &mut Rng) -> Drawn {
    let (bodies, friction) = (rng.usize(100..=400), between(rng, 0.2, 0.5));
    dropped(rng, bodies, friction, |rng| json!({"shape": "circle", "radius": between(rng, 0.4, 0.6)}))
}

fn rush(rng: &mut Rng) -> Drawn {
    let mut drawn = Drawn::new(0.0, 1.0 / 120.0);
    drawn.bodies.push(json!({"name": "centre", "type": "fixed", "position": [0, 0], "collides": false}));
    let friction = between(rng, 0.0, 0.6);
    let disks = rng.usize(60..=300);
    let turn = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let mut springs = Vec::new();
    for i in 0..disks {
        // Sunflower spacing, at which the disks do not touch.
        let (r, angle) = (0.8 * (i as f64 + 12.0).sqrt(), turn * i as f64 + 0.02 * rng.f64());
        let position = [r * libm::cos(angle), r * libm::sin(angle)];
        let disk = json!([{"shape": "circle", "radius": 0.5}]);
        drawn.add(json!({"position": position, "friction": friction, "density": 1, "shapes": disk}));
        springs.push(json!({
            "bodies": ["centre", format!("body{}", i + 1)], "anchors": [[0, 0], position],
            "stiffness": 4, "rest_length": 0
        }));
    }
    drawn.springs = json!(springs);
    drawn
}

fn packing(rng: &mut Rng) -> Drawn {
    let half = between(rng, 2.5, 4.0);
    let mut drawn = Drawn::new(-9.81, 1.0 / 120.0).on_ground(0.3).between_walls(half);
    let friction = between(rng, 0.0, 1.0);
    let (bodies, across) = (rng.usize(30..=120), (2.0 * half / 1.1) as usize);
    for i in 0..bodies {
        let [column, level] = [i % across, i / across];
        let x = -half + 1.1 * (column as f64 + 0.5) + between(rng, -0.04, 0.04);
        let shape = match rng.u8(0..3) {
            0 => json!({"shape": "circle", "radius": between(rng, 0.3, 0.5)}),
            1 => json!({"shape": "box", "size": [between(rng, 0.4, 0.7), between(rng, 0.4, 0.7)]}),
            _ => json!({"shape": "capsule", "length": between(rng, 0.2, 0.5), "radius": 0.2}),
        };
        drawn.add(json!({
            "position": [x, 0.6 + 1.1 * level as f64], "angle": between(rng, -3.0, 3.0),
            "friction": friction, "shapes": [shape]
        }));
    }
    let top = 1.1 * (bodies as f64 / across as f64).ceil() + 1.5;
    let plate = json!([{"shape": "box", "size": [2.0 * half - 0.1, 0.5]}]);
    drawn.add(json!({"position": [0, top], "friction": 0.3, "density": 20000, "velocity": [0, -8], "shapes": plate}));
    drawn
}

fn rods(rng: &mut Rng) -> Drawn {
    let friction = between(rng, 1.3, 2.5);
    let mut drawn = Drawn::new(-9.81, 0.002).on_ground(friction);
    for i in 0..rng.usize(1..=12) {
        // Each rod starts above the one before, tip forward.
        let angle = -between(rng, 0.9, 1.3);
        let height = libm::sin(-angle) + 0.01 + 0.25 * i as f64;
        let position = [between(rng, -0.5, 0.5) + 0.4 * i as f64, height];
        drawn.add(json!({
            "position": position, "angle": angle, "friction": friction,
            "velocity": [between(rng, 1.0, 5.0), between(rng, -2.0, 0.0)],
            "shapes": [{"shape": "box", "size": [2, 0.02]}]
        }));
    }
    drawn
}

/// Copies of the shipped ragdoll above each other.
fn ragdolls(rng: &mut Rng) -> Drawn {
    let mut drawn = Drawn::new(-9.81, 1.0 / 240.0);
    let scene: Value = catalogue::find("ragdoll")
        .and_then(|entry| serde_json::from_str(entry.text).ok())
        .unwrap_or_default();
    let (bodies, joints) = (array(&scene["bodies"]), array(&scene["joints"]));
    let (ground, limbs) = bodies.split_at(bodies.len().min(2));
    drawn.bodies.extend_from_slice(ground);
    let mut all = Vec::new();
    for doll in 0..rng.usize(1..=5) {
        let shift = [between(rng, -0.6, 0.6), 1.9 * doll as f64];
        let velocity = [between(rng, 0.0, 3.0), between(rng, -3.0, 0.0)];
        let renamed = |name: &Value| json!(format!("{} {doll}", name.as_str().unwrap_or_default()));
        for limb in limbs {
            let mut limb = limb.clone();
            limb["name"] = renamed(&limb["name"]);
            limb["position"] = moved(&limb["position"], shift);
            limb["group"] = json!(-1 - doll as i64);
            limb["velocity"] = json!(velocity);
            drawn.bodies.push(limb);
        }
        for joint in joints {
            let mut joint = joint.clone();
            joint["bodies"] = array(&joint["bodies"]).iter().map(renamed).collect();
            joint["anchor"] = moved(&joint["anchor"], shift);
            all.push(joint);
        }
    }
    drawn.joints = json!(all);
    drawn
}

/// The shipped card house and a card that is thrown at it.
fn cards(rng: &mut Rng) -> Drawn {
    let mut drawn = Drawn::new(-9.81, 1.0 / 240.0);
    let scene: Value = catalogue::find("card-house")
        .and_then(|entry| serde_json::from_str(entry.text).ok())
        .unwrap_or_default();
    drawn.bodies.extend_from_slice(array(&scene["bodies"]));
    drawn.add(json!({
        "position": [-2.0, between(rng, 0.1, 1.5)], "angle": between(rng, -0.5, 0.5), "friction": 0.7,
        "velocity": [between(rng, 4.0, 10.0), between(rng, 0.0, 1.5)],
        "shapes": [{"shape": "box", "size": [0.4, 0.002]}]
    }));
    drawn
}

fn stack(rng: &mut Rng) -> Drawn {
    let friction = between(rng, 0.2, 0.8);
    let mut drawn = Drawn::new(-9.81, 1.0 / 120.0).on_ground(friction);
    for level in 0..rng.usize(5..=20) {
        let density = libm::exp10(between(rng, 1.0, 5.0));
        drawn.add(json!({
            "position": [between(rng, -0.05, 0.05), 0.55 + 1.1 * level as f64], "angle": between(rng, -0.05, 0.05),
            "friction": friction, "density": density, "shapes": square(1.0)
        }));
    }
    drawn
}

/// No arrangement without overlap exists: the corrections of positions have no solution.
fn overfull(rng: &mut Rng) -> Drawn {
    let (across, levels) = (rng.usize(5..=10), rng.usize(4..=9));
    let share = between(rng, 0.7, 0.85);
    let [width, height] = [across, levels].map(|count| share * count as f64);
    let mut drawn = Drawn::new(0.0, 1.0 / 60.0);
    for (name, normal, offset) in [
        ("floor", [0, 1], 0.0),
        ("left", [1, 0], 0.0),
        ("ceiling", [0, -1], -height),
        ("right", [-1, 0], -width),
    ] {
        drawn.bodies.push(json!({
            "name": name, "type": "fixed", "position": [0, 0], "friction": 0,
            "shapes": [{"shape": "half_plane", "normal": normal, "offset": offset}]
        }));
    }
    for i in 0..across * levels {
        let [x, y] = [i % across, i / across].map(|place| share * (place as f64 + 0.5) + 0.05 * rng.f64());
        let disk = json!([{"shape": "circle", "radius": 0.5}]);
        drawn.add(json!({"position": [x, y], "friction": 0, "shapes": disk}));
    }
    drawn
}

/// The velocities that are asked for at the end contradict each other: the problems have no solution.
fn crushed(rng: &mut Rng) -> Drawn {
    let (across, levels) = (rng.usize(4..=10), rng.usize(3..=6));
    let [width, height] = [across, levels].map(|count| 1.05 * count as f64);
    let mut drawn = Drawn::new(-9.81, 1.0 / 120.0).on_ground(0.3);
    let friction = between(rng, 0.0, 0.6);
    for (name, normal, offset) in [("ceiling", [0, -1], -height), ("right", [-1, 0], -width)] {
        drawn.bodies.push(json!({
            "name": name, "type": "fixed", "position": [0, 0], "friction": friction,
            "shapes": [{"shape": "half_plane", "normal": normal, "offset": offset}]
        }));
    }
    let wall = json!([{"shape": "box", "size": [1, 2.0 * height]}]);
    let speed = between(rng, 0.5, 2.0);
    drawn.add(json!({
        "type": "kinematic", "position": [-0.55, 0], "velocity": [speed, 0], "friction": friction, "shapes": wall
    }));
    for i in 0..across * levels {
        let [column, level] = [i % across, i / across].map(|place| 1.05 * (place as f64 + 0.5));
        let shape = if rng.bool() {
            json!({"shape": "circle", "radius": 0.5})
        } else {
            json!({"shape": "box", "size": [between(rng, 0.8, 1.0), between(rng, 0.8, 1.0)]})
        };
        drawn.add(json!({"position": [column, level], "friction": friction, "shapes": [shape]}));
    }
    drawn
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn moved(point: &Value, by: [f64; 2]) -> Value {
    let at = |axis: usize| point[axis].as_f64().unwrap_or_default() + by[axis];
    json!([at(0), at(1)])
}
