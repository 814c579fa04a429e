//! The problem of a step, opened: its matrix against Jacobians written out here, w = A λ + b₀ row by row, the file that
//! `driftlab lcp` reads, and the replay.

use crate::driftlab;
use driftlab::experiment::Run;
use driftlab::experiment::opened::{
    NoReplay, OpenedProblem, Replay, RowState, Watched, constraint_in_words, row_in_words,
};
use driftlab::lcp::Law;
use driftlab::model::{JointId, World};
use driftlab::report::ConstraintId;
use driftlab::scene::catalogue;
use glam::{DVec2, DVec3};
use serde_json::Value;

/// The world before the last of `steps` steps of a shipped scene, and that step's problem.
fn opened(key: &str, steps: usize) -> (World, OpenedProblem) {
    let scene = catalogue::find(key).unwrap().scene().unwrap();
    let mut run = Run::new(&scene, 0);
    let mut before = run.world().clone();
    for _ in 0..steps {
        before = run.world().clone();
        run.advance().unwrap();
    }
    (before, OpenedProblem::new(run.solved_problem().unwrap()))
}

/// A row of J by body.
type Jacobian = Vec<(usize, DVec3)>;

/// J of two coinciding points p_b − p_a, x and y: ∂p/∂θ = (−r_y, r_x).
fn hinge(world: &World, joint: JointId, row: usize) -> Jacobian {
    let joint = &world[joint];
    let column = |end: usize, sign: f64| {
        let body = joint.bodies()[end];
        let (sin, cos) = world.bodies()[body].pose.angle.sin_cos();
        let local = joint.kind.anchors()[end];
        let r = DVec2::new(cos * local.x - sin * local.y, sin * local.x + cos * local.y);
        let of = [DVec3::new(1.0, 0.0, -r.y), DVec3::new(0.0, 1.0, r.x)];
        (body, sign * of[row])
    };
    vec![column(0, -1.0), column(1, 1.0)]
}

/// J of a contact: the relative velocity at its point along the normal, or along the tangent a quarter turn further.
fn contact(world: &World, id: driftlab::model::ContactId, row: usize) -> Jacobian {
    let state =
        world.contacts().iter().find(|state| state.id == id).expect("a contact that was there before");
    let along = if row == 0 { state.normal } else { DVec2::new(-state.normal.y, state.normal.x) };
    let column = |end: usize, sign: f64| {
        let body = world.index_of(id.bodies[end]).expect("a body of the world");
        let r = state.point - world.bodies()[body].pose.position;
        (body, sign * DVec3::new(along.x, along.y, r.x * along.y - r.y * along.x))
    };
    vec![column(0, -1.0), column(1, 1.0)]
}

/// J M⁻¹ Jᵀ of two rows.
fn product(world: &World, one: &Jacobian, other: &Jacobian) -> f64 {
    let inverse = |body: usize| {
        let body = &world.bodies()[body];
        let own = body.mass_properties();
        let moves = if body.is_dynamic() { 1.0 } else { 0.0 };
        moves * DVec3::new(1.0 / own.mass, 1.0 / own.mass, 1.0 / own.inertia)
    };
    let shared = |(a, ja): &(usize, DVec3), (b, jb): &(usize, DVec3)| {
        if a == b && world.bodies()[*a].is_dynamic() { ja.dot(inverse(*a) * *jb) } else { 0.0 }
    };
    one.iter().flat_map(|a| other.iter().map(move |b| shared(a, b))).sum()
}

/// A is J M⁻¹ Jᵀ of the pose at which the step was posed: for the hinges of a chain, and for the contacts of a box on the floor.
#[test]
fn the_matrix_is_that_of_the_jacobians() {
    for (key, steps, least) in [("six-link-chain", 20, 12), ("box-at-rest", 5, 4)] {
        let (world, opened) = opened(key, steps);
        assert!(opened.rows().len() >= least, "{key}");
        let jacobian = |i: usize| {
            let row = &opened.rows()[i];
            match row.constraint {
                ConstraintId::Joint(id) => hinge(&world, id, row.row),
                ConstraintId::Contact(id) => contact(&world, id, row.row),
                other => panic!("{other:?}"),
            }
        };
        for i in 0..opened.rows().len() {
            for j in 0..opened.rows().len() {
                let expected = product(&world, &jacobian(i), &jacobian(j));
                let found = opened.entry(i, j);
                let size = opened.entry(i, i).max(opened.entry(j, j));
                assert!(
                    (found - expected).abs() <= 1e-9 * size,
                    "{key}: A[{i}][{j}] = {found}, not {expected}"
                );
                assert!(found == 0.0 || opened.entry(j, i) != 0.0, "{key}: A[{i}][{j}] alone");
            }
        }
    }
}

/// w = A λ + b₀ holds row by row, and the residual is what the row's law leaves: joints, contacts, springs and motors.
#[test]
fn every_row_is_the_matrix_times_the_impulses() {
    for key in ["six-link-chain", "pyramid-10", "driven-pendulum", "spring-pendulum", "card-house"] {
        let (_, opened) = opened(key, 8);
        let lambda = opened.multipliers();
        for (i, row) in opened.rows().iter().enumerate() {
            let terms: Vec<f64> = opened.entries(i).iter().map(|(j, a)| a * lambda[*j]).collect();
            let size = terms.iter().fold(opened.given(i).abs(), |most, term| most.max(term.abs())).max(1.0);
            let w = terms.iter().sum::<f64>() + opened.given(i);
            assert!(
                (w - row.reading.w).abs() <= 1e-12 * size,
                "{key}, row {i}: w = {}, not {w}",
                row.reading.w
            );
            if opened.state(i) == RowState::Equation {
                assert_eq!(row.reading.residual, row.reading.w);
            }
        }
        let islands: usize = opened.blocks().iter().map(|block| block.places().len()).sum();
        assert_eq!(islands, opened.rows().len(), "{key}");
    }
}

/// The exported problem, solved by `driftlab lcp`, gives λ that solve the step's problem: for a chain the very same
/// ones, for a box on the floor the same normal impulses.
#[test]
fn the_exported_problem_is_the_one_of_the_step() {
    for key in ["six-link-chain", "box-at-rest", "block-on-incline"] {
        let (world, opened) = opened(key, 6);
        let line = opened.export("step 6", &world).unwrap();
        let done = driftlab().args(["lcp", "-"]).write_stdin(line).assert().code(0);
        let answer: Value =
            serde_json::from_str(&String::from_utf8(done.get_output().stdout.clone()).unwrap()).unwrap();
        assert_eq!(answer["id"], "step 6");
        let named = |row: &str| answer["rows"].as_array().unwrap().iter().any(|name| name == row);
        match key {
            "six-link-chain" => assert!(named(&format!("{}, +", opened.name(&world, 0)))),
            // The law of friction has two directions and a cone.
            _ => {
                let normal = opened.name(&world, 0);
                assert!(normal.starts_with("contact: ") && normal.ends_with(", normal") && named(&normal));
                let friction = normal.replace(", normal", ", friction");
                assert!([", +", ", −", ", cone"].iter().all(|of| named(&format!("{friction}{of}"))));
            }
        }
        let z: Vec<f64> = answer["z"].as_array().unwrap().iter().map(|z| z.as_f64().unwrap()).collect();
        let lambda = opened.plain_form().unwrap().multipliers(&z);
        let size = opened.multipliers().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let residual = opened.problem().residual(&lambda);
        let speed = (0..lambda.len()).fold(0.0, |most: f64, i| most.max(opened.given(i).abs()));
        assert!(residual <= 1e-9 * speed, "{key}: residual {residual:e} of {speed:e}");
        for (i, row) in opened.rows().iter().enumerate() {
            let same = (lambda[i] - row.reading.lambda).abs() <= 1e-9 * size;
            let shared = matches!(opened.problem().rows[i].law, Law::Friction { .. });
            assert!(same || shared, "{key}, row {i}: λ = {}, not {}", lambda[i], row.reading.lambda);
        }
    }
}

/// Joints alone take no pivots, and say so; a box on the floor is replayed by both methods to the normal impulses of the step.
#[test]
fn a_step_is_replayed() {
    let (_, chain) = opened("six-link-chain", 5);
    assert!(chain.is_linear());
    assert_eq!(Replay::of_island(&chain, 0, Watched::Lemke).err(), Some(NoReplay::Linear));

    let (_, opened) = opened("box-at-rest", 5);
    for watched in Watched::ALL {
        let replay = Replay::of_island(&opened, 0, watched).unwrap();
        let solution = replay.ended().as_ref().unwrap();
        assert_eq!(replay.path().pivots.len(), solution.pivots);
        assert!(solution.pivots >= 2, "{watched:?}");
        for (z, unknown) in solution.z.iter().zip(replay.unknowns()) {
            let row = unknown.row();
            if opened.problem().rows[row].law == Law::Unilateral {
                let lambda = opened.rows()[row].reading.lambda;
                assert!((z - lambda).abs() <= 1e-9 * lambda.abs(), "{watched:?}: {z}, not {lambda}");
            }
        }
        // At the beginning w = q; at the end the values are those of the solution.
        assert_eq!(replay.values(0).len(), replay.problem().n());
        let last = replay.values(solution.pivots);
        for (variable, value) in last {
            if let driftlab::lcp::Variable::Z(k) = variable {
                assert!(
                    (value - solution.z[k]).abs() <= 1e-9 * value.abs().max(1.0),
                    "{watched:?}, {variable}"
                );
            }
        }
    }
}

/// Constraints and rows have names that a person can read.
#[test]
fn rows_have_names() {
    let (world, chain) = opened("six-link-chain", 1);
    let row = &chain.rows()[0];
    let name = constraint_in_words(&world, row.constraint, row.bodies);
    assert!(name.starts_with("hinge 0: ") && name.contains(" – "), "{name}");
    assert_eq!(row_in_words(&world, row.constraint, 1), "y");
    let (world, boxes) = opened("box-at-rest", 1);
    let row = &boxes.rows()[0];
    assert!(constraint_in_words(&world, row.constraint, row.bodies).starts_with("contact: "));
    assert_eq!(row_in_words(&world, row.constraint, 1), "friction");
}
