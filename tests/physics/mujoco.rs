//! MuJoCo's constraints against MuJoCo 4.0 itself, and against the closed forms of creep, sag and stability.
//!
//! `mujoco.csv` has MuJoCo's figures; `tests/reference/methods/of_mujoco.py` makes them, and its head describes the worlds.

use driftlab::model::JointBuilder;
use driftlab::prelude::*;

const FIGURES: &str = include_str!("mujoco.csv");

/// Bars of 0.1 m and 0.1 kg from the horizontal, each tied to the one before it.
fn bars(count: usize, tie: impl Fn(BodyId, BodyId, f64) -> JointBuilder) -> World {
    let mut world = World::new([0.0, -9.81]);
    let mut last = world.add_body(Body::fixed()).unwrap();
    for i in 0..count {
        let at = 0.1 * i as f64;
        let bar = Body::dynamic().at([at + 0.05, 0.0]).mass_and_inertia(0.1, 0.1 * 0.01 / 12.0);
        let bar = world.add_body(bar).unwrap();
        world.add_joint(tie(last, bar, at)).unwrap();
        last = bar;
    }
    world
}

/// A cube of 1 m and 1000 kg, or a ball of that size, 100 kg and 10 kg m², on a plane under a gravity that is turned by `tilt`.
fn on_a_plane(body: &str, tilt: f64, friction: f64, rolling: f64) -> World {
    let mut world = World::new([9.81 * tilt.sin(), -9.81 * tilt.cos()]);
    let plane = Body::fixed().shape(Shape::half_plane([0.0, 1.0], 0.0)).friction(friction);
    world.add_body(plane.rolling_resistance(rolling)).unwrap();
    let body = match body {
        "box" => Body::dynamic().shape(Shape::rectangle(1.0, 1.0)).mass(1000.0),
        _ => Body::dynamic().shape(Shape::circle(0.5)).mass_and_inertia(100.0, 10.0),
    };
    world.add_body(body.at([0.0, 0.5]).friction(friction).rolling_resistance(rolling)).unwrap();
    world
}

/// The last body's displacement after `duration`, the way along x counted from `from`, all in seconds.
fn displacement(world: &mut World, method: &str, h: f64, [from, duration]: [f64; 2]) -> [f64; 3] {
    let (method, mut workspace): (Method, _) = (method.parse().unwrap(), Workspace::default());
    let pose = |world: &World| world.bodies().last().unwrap().pose;
    let (start, mut before) = (pose(world), pose(world));
    for k in 0..(duration / h).round() as usize {
        if k == (from / h).round() as usize {
            before = pose(world);
        }
        let report = step(world, &method, h, &mut workspace).unwrap();
        assert_eq!(report.approximate, 0, "{} is left", report.residual);
    }
    let end = pose(world);
    [end.position.x - before.position.x, end.position.y - start.position.y, end.angle]
}

/// Chains of hinges and beams of welds move as MuJoCo's to 1e-9 m and rad over a quarter of a second, balls roll as its to 1e-8
/// over a second, and boxes sink and creep as its to a millionth, under both cones, both forms of solref, three steps, four
/// slopes.
#[test]
fn worlds_move_as_in_mujoco() {
    let mut seen = 0;
    for line in FIGURES.lines().skip(2) {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |at: usize| cells[at].parse::<f64>().unwrap();
        let numbers =
            |at: usize| -> Vec<f64> { cells[at].split(' ').map(|own| own.parse().unwrap()).collect() };
        let (solref, solimp) = (numbers(2), numbers(3));
        let [time, ratio, safe] = match solref[..] {
            [stiffness, damping] if stiffness < 0.0 => {
                [-2.0 / damping, -0.5 * damping / (-stiffness).sqrt(), 1.0]
            }
            _ => [solref[0], solref[1], 0.0],
        };
        let method = format!(
            "mujoco,timeconst={time},dampratio={ratio},refsafe={},cone={},impratio={},impedance={},full_impedance={},width={},\
             midpoint={},power={}",
            if safe == 0.0 { "on" } else { "off" },
            cells[4],
            cells[5],
            solimp[0],
            solimp[1],
            solimp[2],
            solimp[3],
            solimp[4],
        );
        let (mut world, times, [absolute, relative]) = match cells[0] {
            "chain" => {
                let hinge = |a, b, at| Joint::hinge(a, b).at([at, 0.0]);
                (bars(6, hinge), [0.0, 0.25], [1e-9, 0.0])
            }
            "beam" => {
                let weld = |a, b, at| Joint::weld(a, b).at([at, 0.0]);
                (bars(3, weld), [0.0, 0.25], [1e-9, 0.0])
            }
            "box" => (on_a_plane("box", number(6), number(7), number(8)), [5.0, 6.0], [1e-15, 1e-6]),
            _ => (on_a_plane("ball", number(6), number(7), number(8)), [0.0, 1.0], [1e-8, 0.0]),
        };
        let found = displacement(&mut world, &method, number(1), times);
        for (at, found) in (9..).zip(found) {
            let expected = number(at);
            let apart = (found - expected).abs();
            assert!(
                apart <= absolute + relative * expected.abs(),
                "{line}: {found:e} instead of {expected:e}"
            );
        }
        seen += 1;
    }
    assert!(seen > 40, "{seen} worlds");
}

/// A held box creeps at R_t f_t/B, whatever the step: on the elliptic cone at R_t T/B; on a pyramid of edges E at E T/(2 μ² B)
/// while T ≤ μ N/2 in each contact, and beyond at E (3 T/μ − N)/(2 μ B). Â = 2/(3m) is shared by four corners, of which two are
/// in the plane, T and N are halves of the weight's parts, and d is flat.
#[test]
fn friction_creeps_at_its_resistance_over_its_damping() {
    let (d, tau, mu, tilt) = (0.9, 0.02, 0.6, 0.2_f64);
    let (resistance, damping) = ((1.0 - d) / d * 2.0 / (3.0 * 1000.0) / 2.0, 2.0 / (d * tau));
    let half = |part: f64| 1000.0 * 9.81 * part / 2.0;
    let edge = 2.0 * mu * mu * (1.0 + mu * mu) * resistance;
    let steep = 0.37_f64; // N and T of the two corners differ, and both are beyond ½ μ N
    let [tangential, all_tangential, normal] = [half(tilt.sin()), half(steep.sin()), half(steep.cos())];
    let all = [
        ("elliptic", tilt, resistance * tangential / damping),
        ("pyramidal", tilt, edge * tangential / (2.0 * mu * mu * damping)),
        ("pyramidal", steep, edge * (3.0 * all_tangential / mu - normal) / (2.0 * mu * damping)),
    ];
    for (cone, tilt, expected) in all {
        for h in [0.001, 0.004] {
            let method = format!("mujoco,cone={cone},impedance={d},full_impedance={d}");
            let [creep, ..] = displacement(&mut on_a_plane("box", tilt, mu, 0.0), &method, h, [5.0, 6.0]);
            assert!(
                (creep - expected).abs() < 1e-6 * expected,
                "{cone}, {tilt}: {creep} instead of {expected}"
            );
        }
    }
}

/// A load sags by r = R F/(K d): a bar that hangs by a hinge, whose Â is 2/(3m), and one on a slider's limit, whose Â is 1/m.
#[test]
fn loads_sag_as_predicted() {
    let (d, tau, zeta, g) = (0.9_f64, 0.03, 1.2, 9.81);
    let method = format!("mujoco,timeconst={tau},dampratio={zeta},impedance={d},full_impedance={d}");
    let stiffness = 1.0 / (d * d * tau * tau * zeta * zeta);
    let sag = |mobility: f64| (1.0 - d) / d * mobility * g / (stiffness * d);
    let hung = |joint: fn(BodyId, BodyId) -> JointBuilder| {
        let mut world = World::new([0.0, -g]);
        let wall = world.add_body(Body::fixed()).unwrap();
        let bar = world.add_body(Body::dynamic().at([0.0, -0.5]).mass_and_inertia(2.0, 1.0)).unwrap();
        world.add_joint(joint(wall, bar)).unwrap();
        world
    };
    let hinge: fn(BodyId, BodyId) -> JointBuilder = |a, b| Joint::hinge(a, b).at([0.0, 0.0]);
    let limit: fn(BodyId, BodyId) -> JointBuilder =
        |a, b| Joint::slider(a, b, [0.0, 1.0]).at([0.0, -0.5]).limits(0.0, 1.0);
    for (name, joint, expected) in [("hinge", hinge, sag(2.0 / 3.0)), ("limit", limit, sag(1.0))] {
        let [_, y, _] = displacement(&mut hung(joint), &method, 0.001, [0.0, 4.0]);
        assert!((y + expected).abs() < 1e-9 * expected.max(1.0), "{name}: {y} instead of {}", -expected);
    }
}

/// A hinge's error grows at a step beyond the closed form (βh)² + 4αh = 4 and decays below it, and no step is unstable with
/// MuJoCo's own numbers, as `refsafe` raises τ.
#[test]
fn errors_grow_beyond_the_largest_stable_step() {
    let method: Method =
        "mujoco,timeconst=0.02,dampratio=0.5,refsafe=off,impedance=0.9,full_impedance=0.9".parse().unwrap();
    let largest = method.largest_stable_step();
    // x = h/τ: 4x + x²/ζ² = 4.
    let x: f64 = 2.0 * 0.5 / (0.5 + 1.25_f64.sqrt());
    assert!((largest - 0.02 * x).abs() < 1e-15, "{largest}");
    let instability = method.instability(1.1 * largest).unwrap().to_string();
    assert!(instability.starts_with("'mujoco' is unstable at h = 0.0"), "{instability}");
    let left = |h: f64| {
        let mut world = World::new([0.0, 0.0]);
        let wall = world.add_body(Body::fixed()).unwrap();
        let bar = world.add_body(Body::dynamic().at([0.0, 1e-6]).mass_and_inertia(2.0, 1.0)).unwrap();
        let slider = Joint::slider(wall, bar, [1.0, 0.0]).at([0.0, 1e-6]);
        world.add_joint(slider).unwrap();
        world.edit_body(bar, |body| body.pose.position.y = 2e-6).unwrap();
        let mut workspace = Workspace::default();
        for _ in 0..400 {
            step(&mut world, &method, h, &mut workspace).unwrap();
        }
        (world[bar].pose.position.y - 1e-6).abs()
    };
    assert!(
        left(0.98 * largest) < 1e-8 && left(1.02 * largest) > 1e-4,
        "{:?}",
        [0.98, 1.02].map(|x| left(x * largest))
    );
    assert_eq!(Method::by_key("mujoco").unwrap().largest_stable_step(), f64::INFINITY);
}

/// The way of a chain is of first order in the step, with constraints of a given softness.
#[test]
fn a_chain_is_of_first_order() {
    let after = |h: f64| {
        let hinge = |a, b, at| Joint::hinge(a, b).at([at, 0.0]);
        let method = "mujoco,timeconst=0.05";
        displacement(&mut bars(2, hinge), method, h, [0.0, 0.2])[1]
    };
    let [coarse, middle, fine] = [1e-3, 5e-4, 2.5e-4].map(after);
    let order = ((coarse - middle) / (middle - fine)).abs().log2();
    assert!((order - 1.0).abs() < 0.05, "{order}");
}
