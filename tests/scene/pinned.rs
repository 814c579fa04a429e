//! The end states of ten scenes, and of two under a bounded effort, pinned to the bit.
//!
//! The hashes are the program's own output: they do not say that a state is right, which other tests do, but that it is
//! the same as on the machine that wrote them, under every build, processor and number of threads. A change of the
//! engine that is meant to change numbers changes them; the failing test prints the new ones.

use driftlab::experiment::Run;
use driftlab::method::{Effort, Method};
use driftlab::scene::catalogue;

/// Steps of each run.
const STEPS: u64 = 150;

/// Scene, scheme, and the hash of all poses and velocities after [`STEPS`] steps.
const PINNED: [(&str, &str, u64); 10] = [
    ("six-link-chain", "none", 0xfc84_80b1_2242_7e46),
    ("slider-crank", "rattle", 0x66ae_5063_4367_9ada),
    ("redundant-loop", "post_stabilization", 0x8e72_3cc4_a635_3e25),
    ("disks-between-walls", "anitescu_hart", 0xac23_d76b_7703_cdcc),
    ("card-house", "baumgarte_velocity", 0x27e9_4034_fbcb_b5ee),
    ("pyramid-10", "soft", 0x68c0_b816_e4c4_9604),
    ("double-pendulum", "baumgarte_acceleration", 0xb5f3_48f8_a197_4a26),
    ("two-wall-weld", "implicit", 0x8237_4bf1_1744_6c2c),
    ("pyramid-10", "xpbd", 0x4735_04da_4650_e0e3),
    ("ellipse-on-tabletop", "projection", 0x45bb_cbfc_96af_2e33),
];

/// Two in motion whose solutions are approximate, likewise.
const BOUNDED: [(&str, &str, u64); 2] = [
    ("pyramid-20", "anitescu_hart", 0x5357_42ef_66c0_7145),
    ("rush", "post_stabilization", 0x3f51_d497_a0ad_de66),
];

/// FNV-1a over the bits of every body's pose and velocity, 64 bits.
fn hash(key: &str, scheme: &str, effort: Effort) -> u64 {
    let scene = catalogue::find(key).unwrap().scene().unwrap();
    let settings = &scene.settings.method;
    let method = Method { solver: settings.solver.clone(), effort, ..Method::by_key(scheme).unwrap() };
    let mut run = Run::under(&scene, method, STEPS);
    let failed = run.by_ref().find_map(Result::err);
    assert_eq!(failed, None, "{key} under {scheme}");
    let bodies = run.world().bodies().iter();
    let numbers = bodies.flat_map(|body| {
        let (pose, velocity) = (body.pose, body.velocity);
        [
            pose.position.x,
            pose.position.y,
            pose.angle,
            velocity.linear.x,
            velocity.linear.y,
            velocity.angular,
        ]
    });
    let bytes = numbers.flat_map(|number| number.to_bits().to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[test]
fn ten_scenes_end_in_the_pinned_states() {
    // Protects reproducibility: the same bits on every machine, in debug and release builds, on one thread and on ten at once.
    let hashes: Vec<u64> = std::thread::scope(|scope| {
        let runs = PINNED.map(|(key, scheme, _)| scope.spawn(move || hash(key, scheme, Effort::Exact)));
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    let found: Vec<_> =
        PINNED.iter().zip(&hashes).map(|((key, scheme, _), own)| (*key, *scheme, *own)).collect();
    let [(key, scheme, _), ..] = PINNED;
    assert_eq!(hashes[0], hash(key, scheme, Effort::Exact), "on this thread alone");
    let lines: Vec<_> =
        found.iter().map(|(key, scheme, own)| format!("(\"{key}\", \"{scheme}\", {own:#018x}),")).collect();
    assert_eq!(found, PINNED, "the present ones:\n{}", lines.join("\n"));
}

/// A bounded effort is bounded by counts and not by a clock: the same bits on every machine, in debug and release builds.
#[test]
fn bounded_runs_end_in_the_pinned_states() {
    let found = BOUNDED.map(|(key, scheme, _)| (key, scheme, hash(key, scheme, Effort::Bounded)));
    assert_eq!(found, BOUNDED, "the present ones: {found:#018x?}");
    for (key, scheme, own) in found {
        assert_ne!(own, hash(key, scheme, Effort::Exact), "{key} under {scheme}: nothing was approximate");
    }
}
