//! Recordings that Box2D's own sample program has made (tests/reference/samples): converted, they are what the program saw.

use std::path::Path;

use driftlab_probe::format::Impulse;
use serde_json::Value;

use crate::{Run, pair};

fn reference(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/reference/samples").join(name)
}

fn run(sample: &str) -> Run {
    Run::read(&std::fs::read(reference(&format!("{sample}.b2rec"))).unwrap())
}

/// Poses after 1, 10, 50 and 100 steps are the program's own, to a unit of single precision, by which the centre of a body that
/// the program wrote is beside its origin: joints of all kinds, a house of cards that are 2 mm thick, a stack of boxes with round
/// edges.
#[test]
fn poses_are_those_of_the_program() {
    let poses = std::fs::read_to_string(reference("box2d.csv")).unwrap();
    for sample in ["separation", "card-house", "vertical-stack"] {
        let run = run(sample);
        let mut compared = 0;
        for row in poses.lines().filter(|row| row.starts_with(&format!("{sample},"))) {
            let cells: Vec<f64> = row.split(',').skip(1).map(|cell| cell.parse().unwrap()).collect();
            let [step, body, x, y, angle] = cells.try_into().unwrap();
            let q = run.steps[step as usize - 1].q[body as usize].unwrap();
            for (found, expected) in q.into_iter().zip([x, y, angle]) {
                assert!((found - expected).abs() <= 6e-8 * (1.0 + expected.abs()), "{row}: {found}");
            }
            compared += 1;
        }
        assert!(compared >= 4 * 5, "{sample}: {compared}");
    }
}

/// The boxes' round edges are told, so that nothing of a shape is left out, and the pushing surfaces lie where the outline is: on
/// the ground 0.5 m below the centre of the lowest box.
#[test]
fn round_edges_are_told() {
    let run = run("vertical-stack");
    let told = run.header.left_out.join("\n");
    assert!(!told.contains("round"), "{told}");
    let [shape] = &run.bodies[1]["shapes"].as_array().unwrap()[..] else { panic!("{}", run.bodies[1]) };
    let corners = shape["vertices"].as_array().unwrap().iter().map(|corner| pair(corner)[1]);
    let low = corners.fold(f64::INFINITY, f64::min) - shape["radius"].as_f64().unwrap();
    assert!((low + 0.5).abs() < 1e-7, "{low}");
}

/// m (v⁺ − v) = Σ p of each body in each step, to some roundings of the largest impulse on it: hinges, welds, rods and contacts
/// are complete. The slider, whose impulses are told where the step begins, and the wheel are left out (docs/RECORDING.md).
#[test]
fn momentum_closes() {
    for (sample, without) in [("separation", &[2, 5][..]), ("card-house", &[]), ("vertical-stack", &[])] {
        let run = run(sample);
        let mut worst = 0.0_f64;
        for pair_of in run.steps.windows(2) {
            let [before, step] = pair_of else { unreachable!("windows of two") };
            let mut sums = vec![[0.0; 3]; step.q.len()];
            let mut add = |Impulse(body, x, y, _): Impulse, sign: f64| {
                let [sum_x, sum_y, size] = sums[body];
                sums[body] = [sum_x + sign * x, sum_y + sign * y, size + x.hypot(y)];
            };
            let acted = step.acted.iter().flatten().flat_map(|own| &own.on);
            step.external.iter().flatten().chain(acted).for_each(|own| add(*own, 1.0));
            for contact in step.contacts.iter().flatten() {
                let ([nx, ny], [normal, tangent, _]) = (contact.normal, contact.impulse.unwrap());
                let [x, y] = [normal * nx + tangent * ny, normal * ny - tangent * nx];
                add(Impulse(contact.bodies[1], x, y, 0.0), 1.0);
                add(Impulse(contact.bodies[0], x, y, 0.0), -1.0);
            }
            let largest = sums.iter().map(|[_, _, size]| *size).fold(0.0, f64::max);
            for (body, [x, y, _]) in sums.into_iter().enumerate() {
                if !run.is_dynamic(body) || without.contains(&body) {
                    continue;
                }
                let [v, w] = [before, step].map(|line| line.v.as_ref().unwrap()[body].unwrap());
                let mass = mass(&run.bodies[body]);
                let left = (mass * (w[0] - v[0]) - x).hypot(mass * (w[1] - v[1]) - y);
                worst = worst.max(left / largest);
            }
        }
        println!("{sample}: {worst:e}");
        assert!(worst < 2e-5, "{sample}: {worst:e}");
    }
}

/// The mass that a body states, or that of its one polygon.
fn mass(body: &Value) -> f64 {
    body["mass"].as_f64().unwrap_or_else(|| {
        let [shape] = &body["shapes"].as_array().unwrap()[..] else { panic!("several shapes: {body}") };
        let corners: Vec<[f64; 2]> = shape["vertices"].as_array().unwrap().iter().map(pair).collect();
        let next = corners.iter().cycle().skip(1);
        let twice: f64 = corners.iter().zip(next).map(|([x, y], [u, v])| x * v - u * y).sum();
        shape["density"].as_f64().unwrap() * twice / 2.0
    })
}
