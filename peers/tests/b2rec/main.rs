//! Box2D's recordings, converted: do they say what Box2D said, does momentum close, and what happens to damaged files.

mod hostile;
mod momentum;
mod programs;
mod readings;

use std::io::BufRead;

use driftlab_peers::{Told, box2d};
use driftlab_probe::format::{Header, Step};
use serde_json::Value;

/// A recording in memory, with all bodies and joints that it ever had.
struct Run {
    header: Header,
    steps: Vec<Step>,
    bodies: Vec<Value>,
    joints: Vec<Value>,
    told: Told,
}

impl Run {
    fn of(sample: &str) -> Self {
        let (_, make) = box2d::samples::ALL.into_iter().find(|(name, _)| *name == sample).unwrap();
        Self::read(&make())
    }

    fn read(file: &[u8]) -> Self {
        let mut out = Vec::new();
        let told = box2d::convert(file, &mut out).unwrap();
        let mut lines = out.lines().map(Result::unwrap);
        let header: Header = serde_json::from_str(&lines.next().unwrap()).unwrap();
        let steps: Vec<Step> = lines.map(|line| serde_json::from_str(&line).unwrap()).collect();
        let scene: Value = serde_json::from_str(header.scene.get()).unwrap();
        let list = |key: &str| scene[key].as_array().cloned().unwrap_or_default();
        let (mut bodies, mut joints) = (list("bodies"), list("joints"));
        for came in steps.iter().filter_map(|step| step.came.as_ref()) {
            bodies.extend(came.bodies.iter().cloned());
            joints.extend(came.joints.iter().cloned());
        }
        Self { header, steps, bodies, joints, told }
    }

    fn number(&self, name: &Value) -> usize {
        self.bodies.iter().position(|body| &body["name"] == name).unwrap()
    }

    fn is_dynamic(&self, body: usize) -> bool {
        self.bodies[body]["type"] == "dynamic"
    }
}

fn pair(value: &Value) -> [f64; 2] {
    [0, 1].map(|axis| value[axis].as_f64().unwrap())
}

/// A point of a body's axes in the world.
fn at([x, y, angle]: [f64; 3], [u, v]: [f64; 2]) -> [f64; 2] {
    let (s, c) = angle.sin_cos();
    [x + c * u - s * v, y + s * u + c * v]
}
