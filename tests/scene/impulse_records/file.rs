//! The file of impulses is complete and accounts for the recorded motion.

use super::{equal, impulses, recorded, scene, shipped};
use driftlab::method::Stabilizer;
use serde_json::json;

/// Kind, index, bodies, point and direction of a row.
type Expected = (&'static str, &'static str, [&'static str; 2], [f64; 2], Option<[f64; 2]>);

/// Each constraint of the scene has its row in every step, in the order of the world, with its point and the direction in which
/// its first multiplier pushes body b.
#[test]
fn every_constraint_has_a_row_in_every_step() {
    let square = |name: &str, x: f64| {
        json!({ "name": name, "position": [x, 0], "mass": 1, "collides": false,
                                              "shapes": [{ "shape": "box", "size": [0.2, 0.2] }] })
    };
    let bodies: Vec<_> = ["a", "b", "c", "d", "e"].into_iter().zip((1..).map(f64::from)).collect();
    let bodies = bodies.into_iter().map(|(name, x)| square(name, x)).collect();
    let parts = json!({
        "gravity": [0, 0],
        "joints": [
            { "joint": "knife_edge", "body": "a", "anchor": [1, 0], "axis": [1, 0] },
            { "joint": "hinge", "bodies": ["wall", "a"], "anchor": [0, 0], "limits": [-1, null] },
            { "joint": "slider", "bodies": ["a", "b"], "anchor": [2, 0], "axis": [1, 0], "limits": [-1, 1],
              "motor": { "speed": 0, "max_force": 1 } },
            { "joint": "rolling", "body": "c", "on": "floor", "radius": 2 },
            { "joint": "distance", "bodies": ["b", "c"], "anchors": [[2, 0], [3, 0]], "form": "squared" },
            { "joint": "prescribed_velocity", "body": "e", "anchor": [5, 0.1], "velocity": [0, 0] },
            { "joint": "weld", "bodies": ["c", "d"], "anchor": [3.5, 0] }
        ],
        "springs": [
            { "bodies": ["d", "e"], "anchors": [[4, 0], [5, 0]], "stiffness": 1 },
            { "bodies": ["d", "e"], "anchors": [[4, 0], [4, 0]], "stiffness": 1, "rest_length": 0 }
        ],
        "interaction": { "tool": "grab", "samples": [[0, 5, 0, true]] }
    });
    let expected: [Expected; 13] = [
        ("hinge", "0", ["wall", "a"], [0.0, 0.0], None),
        ("slider", "1", ["a", "b"], [2.0, 0.0], Some([0.0, 1.0])),
        ("distance", "2", ["b", "c"], [3.0, 0.0], Some([1.0, 0.0])),
        ("weld", "3", ["c", "d"], [3.5, 0.0], None),
        ("knife_edge", "0", ["", "a"], [1.0, 0.0], Some([0.0, 1.0])),
        ("rolling", "1", ["floor", "c"], [3.0, -2.0], Some([1.0, 0.0])),
        ("prescribed_velocity", "2", ["", "e"], [5.0, 0.1], None),
        ("spring", "0", ["d", "e"], [5.0, 0.0], Some([1.0, 0.0])),
        ("spring", "1", ["d", "e"], [4.0, 0.0], None),
        ("grab", "0", ["", "e"], [5.0, 0.0], None),
        ("motor", "1", ["a", "b"], [2.0, 0.0], Some([1.0, 0.0])),
        ("lower_limit", "0", ["wall", "a"], [0.0, 0.0], None),
        ("lower_limit", "1", ["a", "b"], [2.0, 0.0], Some([1.0, 0.0])),
    ];
    let rows = impulses(&scene(bodies, parts), 3);
    assert_eq!(rows.len(), 3 * 14);
    for (step, rows) in rows.chunks(14).enumerate() {
        for (row, (kind, index, bodies, point, direction)) in rows.iter().zip(expected) {
            assert_eq!(row.text("step"), (step + 1).to_string());
            let found =
                (row.text("kind"), row.text("index"), ["body_a", "body_b"].map(|key| row.text(key)));
            assert_eq!(found, (kind, index, bodies));
            equal(row.numbers(["x", "y"]), point, 1.0);
            match direction {
                Some(direction) => equal(row.numbers(["nx", "ny"]), direction, 1.0),
                None => assert_eq!((row.text("nx"), row.text("ny")), ("", ""), "{kind}"),
            }
        }
        let last = &rows[13];
        assert_eq!((last.text("kind"), last.text("index")), ("upper_limit", "1"));
        equal(last.numbers(["nx", "ny"]), [-1.0, 0.0], 1.0);
    }
}

/// Newton's second law from the two files alone, over the whole run and for each body:
/// m (v_end − v_0) = m g T + Σ impulses on it, I (ω_end − ω_0) = Σ angular impulses.
#[test]
fn recorded_impulses_account_for_the_recorded_motion() {
    for (key, scheme) in [
        ("friction-ramp", "anitescu_hart"),
        ("ragdoll", "baumgarte_velocity"),
        ("ragdoll", "soft"),
        ("car", "rattle"),
        ("disks-between-walls", "projection"),
        ("three-bar-nonholonomic", "none"),
        ("rolling-constraint", "xpbd"),
        ("spring-pendulum", "none"),
        ("slider-crank", "post_stabilization"),
    ] {
        let mut scene = shipped(key);
        scene.settings.method.stabilizer = Stabilizer::by_key(scheme).unwrap();
        let (steps, bodies) = (200, scene.world.bodies().len());
        let [impulses, trace] = recorded(&scene, steps);
        let duration = steps as f64 * scene.settings.time_step;
        let names: Vec<_> = scene.world.bodies().iter().map(|body| body.name.as_str()).collect();
        let mut sums = vec![[0.0; 3]; bodies];
        let mut sizes = vec![0.0; bodies];
        for row in &impulses {
            let [x, y, on_a, on_b] =
                row.numbers(["impulse_x", "impulse_y", "angular_impulse_a", "angular_impulse_b"]);
            for (name, share) in [("body_a", [-x, -y, on_a]), ("body_b", [x, y, on_b])] {
                let Some(body) = names.iter().position(|own| *own == row.text(name)) else { continue };
                for (sum, share) in sums[body].iter_mut().zip(share) {
                    *sum += share;
                    sizes[body] += share.abs();
                }
            }
        }
        for (index, body) in scene.world.bodies().iter().enumerate().filter(|(_, body)| body.is_dynamic()) {
            let [before, after] =
                [index, trace.len() - bodies + index].map(|row| trace[row].numbers(["vx", "vy", "omega"]));
            let own = body.mass_properties();
            let (gravity, [x, y, angular]) = (scene.world.gravity(), sums[index]);
            let left = [
                own.mass * (after[0] - before[0] - duration * gravity.x) - x,
                own.mass * (after[1] - before[1] - duration * gravity.y) - y,
                own.inertia * (after[2] - before[2]) - angular,
            ];
            let size = sizes[index] + own.mass * duration * gravity.length();
            assert!(
                size > 0.0 && left.iter().all(|left| left.abs() < 1e-11 * size),
                "{key}, {}: {left:?}",
                body.name
            );
        }
    }
}
