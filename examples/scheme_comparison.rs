//! The same falling chain under every scheme: what each leaves of the joints' error, and what it costs in energy.
//!
//! The chain falls from the horizontal without friction, so that its energy should stay what it is at the start: 0.
//! Solves are systems solved, or sweeps made, in a step on average.
//!
//! `cargo run --release -p driftlab --no-default-features --example scheme_comparison`

use driftlab::prelude::*;
use driftlab::schemes::TABLE;

const LINKS: usize = 6;
/// Length of a link, m.
const LENGTH: f64 = 0.1;
/// Time step, s.
const H: f64 = 1e-3;
const STEPS: usize = 1000;

fn chain() -> Result<World, ModelError> {
    let mut world = World::new(DVec2::new(0.0, -9.81));
    let mut last = world.add_body(Body::fixed().build()?)?;
    for k in 0..LINKS {
        let link = Body::dynamic()
            .at([(k as f64 + 0.5) * LENGTH, 0.0])
            .shape(Shape::Box { size: DVec2::new(LENGTH, 0.02) })
            .without_collisions();
        let link = world.add_body(link.build()?)?;
        world.add_joint(Joint::hinge(last, link).at([k as f64 * LENGTH, 0.0]))?;
        last = link;
    }
    Ok(world)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("scheme                   largest error, m   energy gained, J   by correction, J   solves");
    let mut errors = Vec::new();
    for scheme in TABLE {
        let method = Method::new((*scheme).into());
        let (mut world, mut workspace) = (chain()?, Workspace::default());
        let before = world.kinetic_energy() + world.potential_energy();
        let (mut error, mut work, mut solves, mut after) = (0.0_f64, 0.0, 0, before);
        for _ in 0..STEPS {
            let report = step(&mut world, &method, H, &mut workspace)?;
            error = error.max(report.joint_error);
            work += report.correction_work;
            solves += report.solver_iterations;
            after = report.total_energy();
        }
        let key = scheme.info().key;
        let (gained, solves) = (after - before, solves as f64 / STEPS as f64);
        println!("{key:24} {error:16.3e} {gained:18.4} {work:18.4} {solves:8.2}");
        errors.push((key, error));
    }
    // What the schemes promise: without stabilization the joints drift apart, on the manifold they do not.
    let error_of = |key: &str| errors.iter().find(|(own, _)| *own == key).map(|(_, error)| *error);
    assert!(error_of("none") > Some(1e-3));
    assert!(error_of("projection") < Some(1e-12) && error_of("rattle") < Some(1e-12));
    Ok(())
}
