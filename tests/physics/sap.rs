//! Drake's compliant contacts and nearly rigid constraints against Drake 1.51 itself, and against the closed forms of creep and
//! sag.
//!
//! `sap.csv` has Drake's figures; `tests/reference/methods/of_drake.py` makes them, and its head describes the worlds.

use driftlab::model::{JointBuilder, Placement};
use driftlab::prelude::*;

const FIGURES: &str = include_str!("sap.csv");
const GRAVITY: f64 = 9.81;

/// Bodies from the horizontal, each tied to the one before it.
fn row(
    count: usize,
    [first, inertia]: [f64; 2],
    tie: impl Fn(BodyId, BodyId, usize) -> JointBuilder,
) -> World {
    let mut world = World::new([0.0, -GRAVITY]);
    let mut last = world.add_body(Body::fixed()).unwrap();
    for i in 0..count {
        let body = Body::dynamic().at([0.1 * i as f64 + first, 0.0]).mass_and_inertia(0.1, inertia);
        let body = world.add_body(body).unwrap();
        world.add_joint(tie(last, body, i)).unwrap();
        last = body;
    }
    world
}

fn of_joints(kind: &str) -> World {
    let bar = [0.05, 0.1 * 0.01 / 12.0];
    let disk = [0.1, 1e-4];
    match kind {
        "chain" => row(6, bar, |a, b, i| Joint::hinge(a, b).at([0.1 * i as f64, 0.0])),
        "beam" => row(3, bar, |a, b, i| Joint::weld(a, b).at([0.1 * i as f64, 0.0])),
        "rods" => row(3, disk, |a, b, _| Joint::distance(a, b)),
        "limit" => {
            let mut world = World::new([0.0, -GRAVITY]);
            let wall = world.add_body(Body::fixed()).unwrap();
            let body = Body::dynamic().at([0.0, 0.05]).velocity([0.0, -0.3]).mass_and_inertia(2.0, 1.0);
            let body = world.add_body(body).unwrap();
            let slider = Joint::slider(wall, body, [0.0, 1.0]).anchors([0.0, 0.0], [0.0, 0.05]);
            world.add_joint(slider.limits(0.0, 1.0)).unwrap();
            world
        }
        _ => {
            let mut world = World::new([0.0, 0.0]);
            let wall = world.add_body(Body::fixed()).unwrap();
            let hinges = [(0.1, 3.0), (0.3, 0.0)].map(|(inertia, speed)| {
                let wheel = Body::dynamic().mass_and_inertia(1.0, inertia).angular_velocity(speed);
                let wheel = world.add_body(wheel).unwrap();
                world.add_joint(Joint::hinge(wall, wheel).at([0.0, 0.0])).unwrap()
            });
            world.add_gear(hinges, -2.0).unwrap();
            world
        }
    }
}

/// A box of 1000 kg on two of the four disks at its corners, or a ball of 100 kg, on a plane under a gravity that is turned by
/// `tilt`.
fn on_a_plane(kind: &str, tilt: f64, friction: f64) -> World {
    let mut world = World::new([GRAVITY * tilt.sin(), -GRAVITY * tilt.cos()]);
    let plane = Body::fixed().shape(Shape::half_plane([0.0, 1.0], 0.0)).friction(friction);
    world.add_body(plane).unwrap();
    let corners = [[-0.4, -0.4], [0.4, -0.4], [0.4, 0.4], [-0.4, 0.4]];
    let body = match kind {
        "box" => corners
            .into_iter()
            .fold(Body::dynamic(), |body, at| body.placed(Placement::at(Shape::circle(0.1), at, 0.0)))
            .mass_and_inertia(1000.0, 1000.0 / 6.0),
        _ => Body::dynamic().shape(Shape::circle(0.5)).mass_and_inertia(100.0, 10.0),
    };
    let height = match kind {
        "drop" => 0.55,
        "ball" => 0.5 - 1e-9, // so that it overlaps the plane from the start
        _ => 0.5,
    };
    world.add_body(body.at([0.0, height]).friction(friction)).unwrap();
    world
}

fn last(world: &World) -> [f64; 3] {
    let pose = world.bodies().last().unwrap().pose;
    [pose.position.x, pose.position.y, pose.angle]
}

/// The last body's displacement after `duration`, the way along x counted from `from`, all in seconds.
fn displacement(world: &mut World, method: &str, h: f64, [from, duration]: [f64; 2]) -> [f64; 3] {
    let (method, mut workspace): (Method, _) = (method.parse().unwrap(), Workspace::default());
    let (start, mut before) = (last(world), last(world));
    for k in 0..(duration / h).round() as usize {
        if k == (from / h).round() as usize {
            before = last(world);
        }
        let report = step(world, &method, h, &mut workspace).unwrap();
        assert_eq!(report.approximate, 0, "{} is left", report.residual);
    }
    let end = last(world);
    [end[0] - before[0], end[1] - start[1], end[2]]
}

/// Chains, beams, rods, gears and limits move as Drake's to 1e-9 m and rad, boxes sink and creep as its to 1e-10, and balls
/// fall, roll and slide as its to 1e-10 under the cone and to the accuracy of its solver under both irrotational fields, at four
/// stiffnesses and three steps. That solver ends where a millionth of the momenta or of the impulses is left, whichever is
/// larger (`SapSolverParameters`, which Python cannot set): of the way in a step up to 2e-8 here. A heavy box beside the small
/// one keeps it at work: that took the differences of boxes from up to 9e-8. Balls overlap the plane from the start: where one
/// only touches, Drake has its contact in the first step and this scheme in the second, which left 4e-4 m of a sliding ball's
/// way. The ball without friction is here at ½ g sin θ t (t + h), as it should be.
#[test]
fn worlds_move_as_in_drake() {
    let mut seen = 0;
    for line in FIGURES.lines().skip(2) {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |at: usize| cells[at].parse::<f64>().unwrap();
        let method = format!(
            "sap,approximation={},stiffness={},relaxation_time={},near_rigid={},dissipation={},stiction_tolerance={}",
            cells[2], cells[3], cells[4], cells[5], cells[6], cells[7]
        );
        let h = number(1);
        // x and y, and angles.
        let (mut world, times, most) = match cells[0] {
            "box" => (on_a_plane("box", number(8), number(9)), [5.0, 6.0], [1e-10; 2]),
            kind @ ("ball" | "drop") => {
                let way = number(10).abs() / h;
                let world = on_a_plane(kind, number(8), number(9));
                let most = if cells[2] == "sap" { [1e-10; 2] } else { [2e-8 * way; 2] };
                (world, [0.0, 1.0], most)
            }
            kind @ ("limit" | "gears") => (of_joints(kind), [0.0, 0.1], [1e-9; 2]),
            kind => (of_joints(kind), [0.0, 0.25], [1e-9; 2]),
        };
        let mut found = displacement(&mut world, &method, h, times);
        if cells[0] == "gears" {
            found = [0.0, world.bodies()[1].pose.angle, found[2]];
        }
        for (at, found) in (10_usize..).zip(found) {
            let (expected, apart) = (number(at), (found - number(at)).abs());
            assert!(apart <= most[usize::from(at == 12)], "{line}: {found:e} instead of {expected:e}");
        }
        seen += 1;
    }
    assert!(seen > 50, "{seen} worlds");
}

/// A ball of 1000 kg that cannot turn, on a plane with μ = 0.6 under a gravity that is turned by `tilt`.
fn held(tilt: f64) -> World {
    let mut world = World::new([GRAVITY * tilt.sin(), -GRAVITY * tilt.cos()]);
    world.add_body(Body::fixed().shape(Shape::half_plane([0.0, 1.0], 0.0)).friction(0.6)).unwrap();
    let ball = Body::dynamic().shape(Shape::circle(0.5)).mass(1000.0).at([0.0, 0.5]).friction(0.6);
    world.add_body(ball.fixed_rotation()).unwrap();
    world
}

/// A held body creeps at σ w h T on the cone, and at v_s T/√(μ² N² − T²) on the irrotational fields, at every stiffness; and it
/// sinks by h (h + τ) R_n N, which is N/k where that is resolved and (β²/4π²) w h (h + τ) N where not. w = √2/(3m): W has 1/m
/// along both directions. `similar` pushes as if it approached at s = μ (√(u² + v_s²) − v_s), u the creep: it sinks by
/// N/(k (1 + d s)) − h s.
#[test]
fn contacts_creep_and_sink_as_predicted() {
    let (mu, tilt, h, mass, tau) = (0.6, 0.3_f64, 0.002, 1000.0, 0.01);
    let [along, across] = [tilt.sin(), tilt.cos()].map(|part| mass * GRAVITY * part);
    let w = 2.0_f64.sqrt() / (3.0 * mass);
    let smooth = 1e-3 * along / (mu * mu * across * across - along * along).sqrt();
    let nearly_rigid = w / std::f64::consts::TAU.powi(2) * h * (h + tau) * across;
    for (approximation, creeps) in [("sap", 1e-3 * w * h * along), ("lagged", smooth), ("similar", smooth)]
    {
        for (stiffness, resolved) in [(1e6, true), (if approximation == "sap" { 1e12 } else { 1e8 }, false)]
        {
            let lifts = mu * (smooth.hypot(1e-3) - 1e-3);
            let sinks = match approximation {
                "sap" if !resolved => nearly_rigid,
                "similar" => across / (stiffness * (1.0 + 5.0 * lifts)) - h * lifts,
                _ => across / stiffness,
            };
            let method = format!(
                "sap,approximation={approximation},stiffness={stiffness},stiction_tolerance=1e-3,relaxation_time={tau},dissipation=5"
            );
            let [creep, depth, _] = displacement(&mut held(tilt), &method, h, [5.0, 6.0]);
            assert!(
                (creep - creeps).abs() < 1e-9 * creeps.max(1e-3),
                "{method}: {creep} instead of {creeps}"
            );
            assert!((depth + sinks).abs() < 1e-9, "{method}: {depth} instead of {}", -sinks);
        }
    }
}

/// A load leaves the error 2 h² R F: a bar of 2 kg that hangs by a hinge at its centre, whose w is √2/(3m), one on a slider's
/// limit and one on a rod, whose w is 1/m.
#[test]
fn loads_sag_as_predicted() {
    let beta = 0.3_f64;
    let method = format!("sap,joint_near_rigid={beta}");
    let hung = |joint: fn(BodyId, BodyId) -> JointBuilder| {
        let mut world = World::new([0.0, -GRAVITY]);
        let wall = world.add_body(Body::fixed()).unwrap();
        let bar = world.add_body(Body::dynamic().at([0.0, -0.5]).mass_and_inertia(2.0, 1.0)).unwrap();
        world.add_joint(joint(wall, bar)).unwrap();
        world
    };
    let hinge: fn(BodyId, BodyId) -> JointBuilder = |a, b| Joint::hinge(a, b).at([0.0, -0.5]);
    let limit: fn(BodyId, BodyId) -> JointBuilder =
        |a, b| Joint::slider(a, b, [0.0, 1.0]).at([0.0, -0.5]).limits(0.0, 1.0);
    let rod: fn(BodyId, BodyId) -> JointBuilder = |a, b| Joint::distance(a, b);
    for (name, joint, share) in
        [("hinge", hinge, 2.0_f64.sqrt() / 3.0), ("limit", limit, 1.0), ("rod", rod, 1.0)]
    {
        for h in [0.001, 0.01] {
            let expected = beta * beta * h * h / (2.0 * std::f64::consts::PI.powi(2)) * share * GRAVITY;
            let [_, y, _] = displacement(&mut hung(joint), &method, h, [0.0, 1.0]);
            assert!((y + expected).abs() < 1e-12, "{name}: {y} instead of {}", -expected);
        }
    }
}

/// A step halves an error, at every length: g⁺ = g (1 − ½ρ/(1 + ρ)) from rest with ρ = 4π²/β².
#[test]
fn a_step_halves_an_error() {
    let beta = 0.1_f64;
    let rho = (std::f64::consts::TAU / beta).powi(2);
    for h in [1e-4, 0.01, 1.0] {
        let mut world = World::new([0.0, 0.0]);
        let wall = world.add_body(Body::fixed()).unwrap();
        let bar = world.add_body(Body::dynamic().at([1.0, 0.0]).mass_and_inertia(2.0, 1.0)).unwrap();
        world.add_joint(Joint::distance(wall, bar)).unwrap();
        world.edit_body(bar, |body| body.pose.position.x = 1.5).unwrap();
        let [x, ..] = displacement(&mut world, "sap", h, [0.0, h]);
        let expected = -0.25 * rho / (1.0 + rho);
        assert!((x - expected).abs() < 1e-12, "{x} instead of {expected}");
    }
    let method = Method::by_key("sap").unwrap();
    assert_eq!((method.largest_stable_step(), method.instability(1.0)), (f64::INFINITY, None));
}

/// Under `lagged` a body slides as Coulomb's law has it, at g (sin θ − μ cos θ), and stays on its plane; the cone of SAP lifts
/// what slides at u by up to μ u (h + τ).
#[test]
fn lagged_contacts_slide_by_coulombs_law() {
    let (tilt, mu, h) = (0.7_f64, 0.6, 0.001);
    let settings = "stiffness=1e8,relaxation_time=0.01,dissipation=5";
    let mut world = held(tilt);
    let method = format!("sap,approximation=lagged,{settings}");
    displacement(&mut world, &method, h, [0.0, 0.5]);
    let before = world.bodies()[1].velocity.linear.x;
    let [_, y, _] = displacement(&mut world, &method, h, [0.0, 0.5]);
    let gained = 2.0 * (world.bodies()[1].velocity.linear.x - before);
    let expected = GRAVITY * (tilt.sin() - mu * tilt.cos());
    assert!(
        (gained - expected).abs() < 1e-6 * expected && y.abs() < 1e-9,
        "{gained} instead of {expected}"
    );
    let [_, y, _] = displacement(&mut held(tilt), &format!("sap,{settings}"), h, [0.0, 0.5]);
    assert!(y > 0.0, "{y}");
}

/// The way of a chain is of first order in the step.
#[test]
fn a_chain_is_of_first_order() {
    let after = |h: f64| {
        let bar = [0.05, 0.1 * 0.01 / 12.0];
        let mut chain = row(2, bar, |a, b, i| Joint::hinge(a, b).at([0.1 * i as f64, 0.0]));
        displacement(&mut chain, "sap", h, [0.0, 0.15])[1]
    };
    let [coarse, middle, fine] = [1e-3, 5e-4, 2.5e-4].map(after);
    let order = ((coarse - middle) / (middle - fine)).abs().log2();
    assert!((order - 1.0).abs() < 0.05, "{order}");
}

/// A disk that rolls with a lever c_r of rolling resistance slows down by a = (c_r/r) g/(1 + k²/r²) and stops after v²/(2a),
/// under the cone and both irrotational fields. Rolling shares the cone of friction, of whose most, μ g, the deceleration itself
/// needs the share s = a/(μ g): it goes √(1 − s²)⁻¹ times as far. The way is right to that of a step.
#[test]
fn rolling_resistance_stops_a_disk() {
    let (radius, lever, mu, speed, h) = (0.5, 0.01, 0.8, 1.0, 0.001);
    let (mass, stiffness, gyration) = (100.0, 1e8, 0.5); // k²/r² of a disk
    let slows = lever / radius * GRAVITY / (1.0 + gyration);
    for approximation in ["sap", "lagged", "similar"] {
        let mut world = World::new([0.0, -GRAVITY]);
        let plane = Body::fixed().shape(Shape::half_plane([0.0, 1.0], 0.0)).friction(mu);
        world.add_body(plane).unwrap();
        let at = [0.0, radius - mass * GRAVITY / stiffness]; // where the contact bears it
        let disk = Body::dynamic().shape(Shape::circle(radius)).at(at).friction(mu);
        let disk = disk.mass(mass).rolling_resistance(lever).velocity([speed, 0.0]);
        world.add_body(disk.angular_velocity(-speed / radius)).unwrap();
        let settings = format!("stiffness={stiffness},relaxation_time=0.01,dissipation=5");
        let method = format!("sap,approximation={approximation},{settings}");
        let [way, ..] = displacement(&mut world, &method, h, [0.0, 1.1 * speed / slows]);
        let share = slows / (mu * GRAVITY);
        let expected = 0.5 * speed * speed / slows / (1.0 - share * share).sqrt();
        let left = world.bodies()[1].velocity.linear.length();
        assert!((way - expected).abs() < h * speed, "{approximation}: {way} m instead of {expected} m");
        assert!(left < 1e-9, "{approximation}: {left} m/s are left");
    }
}
