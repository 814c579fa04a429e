//! Contacts as recorded: Coulomb's law, statics, and states that rounding does not change.

use super::{BAR, G, ROUNDING, Row, equal, impulses, scene, shipped};
use serde_json::json;

/// Statics: the recorded impulses of a resting box's two contacts, which stick, carry its weight, Σ λ_n = m g h.
#[test]
fn contacts_of_a_box_at_rest_carry_its_weight() {
    let scene = shipped("box-at-rest");
    let weight = 1500.0 * G * scene.settings.time_step;
    let rows = impulses(&scene, 50);
    assert_eq!(rows.len(), 50 * 2, "a row per contact and step, none of the initial state");
    for pair in rows.chunks(2).skip(10) {
        let sum: f64 = pair.iter().map(|row| row.number("lambda_1")).sum();
        assert!((sum - weight).abs() < ROUNDING * weight, "{sum} instead of {weight} N s");
        for (index, row) in pair.iter().enumerate() {
            assert_eq!((row.text("kind"), row.text("state")), ("contact", "stick"));
            assert_eq!((row.text("body_a"), row.text("body_b")), ("ground", "box"));
            assert_eq!((row.text("index"), row.text("lambda_3")), (index.to_string().as_str(), ""));
            equal(row.numbers(["nx", "ny", "moment"]), [0.0, 1.0, 0.0], 1.0);
            let [x, y] = row.numbers(["x", "y"]);
            assert!((x.abs() - 0.75).abs() < 1e-3 && y.abs() < 1e-3, "({x}, {y}) is no corner of the box");
            // The tangent is the normal turned a quarter counter-clockwise.
            let [normal, tangential] = row.numbers(["lambda_1", "lambda_2"]);
            equal(row.numbers(["impulse_x", "impulse_y"]), [-tangential, normal], weight);
            let residuals = row.numbers(["momentum_residual", "angular_momentum_residual"]);
            equal(residuals, [0.0, 0.0], weight);
        }
    }
}

/// Coulomb's law: on an incline of slope 0.4 rad a block with μ = 0.35 slips, |λ_t| = μ λ_n in every contact, and one with
/// μ = 0.43 > tan 0.4 sticks, Σ λ_t = m g h sin θ. Σ λ_n = m g h cos θ of both.
#[test]
fn contacts_on_an_incline_slip_or_stick() {
    let scene = shipped("block-on-incline");
    let (weight, angle) = (240.0 * G * scene.settings.time_step, 0.4_f64);
    let rows = impulses(&scene, 100);
    for (name, friction, state) in [("mu 0.35", 0.35, "slip"), ("mu 0.43", 0.43, "stick")] {
        for step in 50..=100 {
            let own =
                |row: &&Row| row.text("body_b") == name && row.text("step") == step.to_string().as_str();
            let (mut normal, mut tangential) = (0.0, 0.0);
            for row in rows.iter().filter(own) {
                let [n, t] = row.numbers(["lambda_1", "lambda_2"]);
                if state == "slip" {
                    equal([t.abs()], [friction * n], weight);
                }
                assert_eq!(row.text("state"), state, "{name}, step {step}");
                (normal, tangential) = (normal + n, tangential + t);
            }
            let sliding = weight * f64::min(angle.sin(), friction * angle.cos());
            // The scene's normal has twelve digits.
            equal([normal, tangential.abs()], [weight * angle.cos(), sliding], 10.0 * weight);
        }
    }
}

/// A loaded contact without friction is recorded as slipping; an active contact that does not touch as open, without impulse.
#[test]
fn contacts_without_friction_slip_and_without_impulse_are_open() {
    let bodies = json!([
        { "name": "smooth", "position": [0, -1.5], "friction": 0, "mass": 2,
          "shapes": [{ "shape": "circle", "radius": 0.5 }] },
        { "name": "hovering", "position": [3, -1.499], "velocity": [0, 1], "mass": 2,
          "shapes": [{ "shape": "circle", "radius": 0.5 }] },
    ]);
    let settings = json!({ "settings": { "time_step": 0.01, "active_distance": 0.1,
                                         "stabilizer": { "kind": "anitescu_hart" } } });
    let rows = impulses(&scene(bodies, settings), 1);
    let [smooth, hovering] = &rows[..] else { panic!("{} rows", rows.len()) };
    assert_eq!(
        [smooth.text("body_b"), smooth.text("state"), hovering.text("state")],
        ["smooth", "slip", "open"]
    );
    equal(smooth.numbers(["lambda_1", "lambda_2", "x", "y"]), [BAR, 0.0, 0.0, -2.0], 1.0);
    equal(hovering.numbers(["lambda_1", "lambda_2", "impulse_y"]), [0.0; 3], 1.0);
}

/// Rounding does not change contact states: in an arch that has come to rest each contact keeps its state.
#[test]
fn states_of_an_arch_at_rest_do_not_flicker() {
    let rows = impulses(&shipped("arch"), 200);
    let states = |step: u64| -> Vec<_> {
        let own = rows.iter().filter(|row| row.text("step") == step.to_string());
        own.map(|row| ["index", "body_a", "body_b", "state"].map(|key| row.text(key))).collect()
    };
    let first = states(70);
    assert!(first.iter().any(|row| row[3] == "stick"));
    for step in 71..=200 {
        assert_eq!(states(step), first, "step {step}");
    }
}
