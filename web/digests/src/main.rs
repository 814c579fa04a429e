//! A digest of every shipped scene under every scheme, a line each, to be compared between machines: the poses and
//! velocities after 60 steps, 10 where there are many bodies, and what every step reported.
//!
//! `cargo run --release -p driftlab-digests` prints the lines. The same program for WebAssembly gives them to its host
//! (`.ci/web-digests.mjs`).

use driftlab::experiment::Run;
use driftlab::method::Method;
use driftlab::scene::catalogue;
use driftlab::schemes::TABLE;

/// Steps of a scene, and of one with more bodies than this.
const STEPS: u64 = 60;
const STEPS_OF_MANY: u64 = 10;
const MANY: usize = 250;

/// FNV-1a on words in place of bytes, with a shift that lets high bits reach low ones.
struct Digest(u64);

impl Digest {
    fn add(&mut self, number: f64) {
        self.0 = (self.0 ^ number.to_bits()).wrapping_mul(0x100_0000_01b3);
        self.0 ^= self.0 >> 29;
    }
}

#[cfg(not(target_family = "wasm"))]
fn tell(line: &str) {
    println!("{line}");
}

#[cfg(target_family = "wasm")]
fn tell(line: &str) {
    driftlab_host::tell(driftlab_host::Tell::Probe, "", line.as_bytes());
}

fn main() {
    for entry in catalogue::entries() {
        let Ok(scene) = entry.scene() else {
            tell(&format!("{} is not read", entry.key));
            continue;
        };
        let steps = if scene.world.bodies().len() > MANY { STEPS_OF_MANY } else { STEPS };
        for scheme in TABLE {
            let mut digest = Digest(0xcbf2_9ce4_8422_2325);
            let mut run = Run::under(&scene, Method::new((*scheme).into()), steps);
            let mut made = 0;
            for report in run.by_ref().flatten() {
                made += 1;
                digest.add(report.joint_error);
                digest.add(report.contact_error);
                digest.add(report.total_energy());
            }
            for body in run.world().bodies() {
                let (pose, velocity) = (body.pose, body.velocity);
                let numbers = [
                    pose.position.x,
                    pose.position.y,
                    pose.angle,
                    velocity.linear.x,
                    velocity.linear.y,
                    velocity.angular,
                ];
                for number in numbers {
                    digest.add(number);
                }
            }
            tell(&format!("{} {} {made} {:016x}", entry.key, scheme.info().key, digest.0));
        }
    }
}
