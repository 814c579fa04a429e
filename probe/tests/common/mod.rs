//! Reads recordings back, and holds them against mechanics.
#![allow(dead_code, reason = "each test uses a part")]

use std::path::PathBuf;

use driftlab_probe::format::{Header, Moment, Step};
use serde_json::Value;

/// A file in a folder of the build that no other test uses.
pub fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The lines of a recording.
pub fn read(text: &str) -> (Header, Vec<Step>) {
    let mut lines = text.lines();
    let header = serde_json::from_str(lines.next().expect("a first line")).expect("a header");
    let steps =
        lines.map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")));
    (header, steps.collect())
}

/// What is left of a run's momentum, linear and angular: the largest |M (v⁺ − v) − h F − Σ p| of a body in a step over the
/// largest impulse on a body. The bodies' origins are their centres of mass, and nothing but gravity, joints and contacts acts
/// on them. The moments of contacts are taken about the centre of mass at the moment that the header says.
pub fn momentum_left(header: &Header, steps: &[Step]) -> [f64; 2] {
    let scene: Value = serde_json::from_str(header.scene.get()).unwrap();
    let bodies = scene["bodies"].as_array().unwrap();
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    let gravity = [number(&scene["gravity"][0]), number(&scene["gravity"][1])];
    let place =
        |body: &Value| [number(&body["position"][0]), number(&body["position"][1]), number(&body["angle"])];
    let mut q: Vec<[f64; 3]> = bodies.iter().map(place).collect();
    let mut v = vec![[0.0; 3]; bodies.len()];
    let (mut worst, mut largest) = ([0.0_f64; 2], [0.0_f64; 2]);
    for step in steps {
        let h = step.h.or(header.time_step).unwrap();
        let after: Vec<[f64; 3]> = step.q.iter().map(|q| q.unwrap()).collect();
        let centers = if header.contacts_at == Moment::Begin { &q } else { &after };
        let mut sum = vec![[0.0; 3]; bodies.len()];
        for impulse in step.acted.iter().flatten().flat_map(|acted| &acted.on) {
            add(&mut sum[impulse.0], [impulse.1, impulse.2, impulse.3], 1.0);
        }
        for contact in step.contacts.iter().flatten() {
            let [p_n, p_t, about] = contact.impulse.unwrap();
            let n = contact.normal;
            let p = [p_n * n[0] + p_t * n[1], p_n * n[1] - p_t * n[0]];
            for (body, sign) in [(contact.bodies[0], -1.0), (contact.bodies[1], 1.0)] {
                let arm = [contact.point[0] - centers[body][0], contact.point[1] - centers[body][1]];
                add(&mut sum[body], [p[0], p[1], about + arm[0] * p[1] - arm[1] * p[0]], sign);
            }
        }
        let velocities: Vec<[f64; 3]> = step.v.as_ref().unwrap().iter().map(|v| v.unwrap()).collect();
        for (i, body) in bodies.iter().enumerate().filter(|(_, body)| body["mass"].is_number()) {
            let mass = [number(&body["mass"]), number(&body["mass"]), number(&body["inertia"])];
            let force = [mass[0] * gravity[0], mass[0] * gravity[1], 0.0];
            for k in 0..3 {
                let left = mass[k] * (velocities[i][k] - v[i][k]) - h * force[k] - sum[i][k];
                worst[k / 2] = worst[k / 2].max(left.abs());
                largest[k / 2] = largest[k / 2].max(sum[i][k].abs());
            }
        }
        (q, v) = (after, velocities);
    }
    [worst[0] / largest[0], worst[1] / largest[1]]
}

fn add(sum: &mut [f64; 3], p: [f64; 3], sign: f64) {
    for (sum, p) in sum.iter_mut().zip(p) {
        *sum += sign * p;
    }
}
