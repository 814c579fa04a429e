//! A hanging chain at rest: what each hinge carries is the weight below it.
//!
//! ```text
//! f_k = (n − k) m g                                    k = 0 at the wall
//! ```
//!
//! `cargo run --release -p driftlab --no-default-features --example chain`

use driftlab::prelude::*;

const LINKS: usize = 6;
/// Length of a link, m.
const LENGTH: f64 = 0.5;
/// Mass of a link, kg.
const MASS: f64 = 2.0;
/// m/s².
const G: f64 = 9.81;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(DVec2::new(0.0, -G));
    let mut above = world.add_body(Body::fixed().name("wall").build()?)?;
    let mut hinges = Vec::new();
    for k in 0..LINKS {
        let top = -(k as f64) * LENGTH;
        let link = Body::dynamic()
            .at([0.0, top - 0.5 * LENGTH])
            .shape(Shape::Box { size: DVec2::new(0.05, LENGTH) })
            .mass(MASS);
        let link = world.add_body(link.build()?)?;
        hinges.push(world.add_joint(Joint::hinge(above, link).at([0.0, top]))?);
        above = link;
    }

    let method = Method::by_key("implicit").ok_or("no such scheme")?;
    let mut workspace = Workspace::default();
    for _ in 0..100 {
        step(&mut world, &method, 1e-3, &mut workspace)?;
    }

    println!("hinge    force, N    weight below, N");
    for (k, hinge) in hinges.iter().enumerate() {
        let force = world[*hinge].force[1];
        let weight = (LINKS - k) as f64 * MASS * G;
        println!("{k:5} {force:11.4} {weight:18.4}");
        assert!((force - weight).abs() < 1e-9 * weight);
    }

    // Cut in the middle: the upper half carries itself alone, the lower half falls.
    world.remove_joint(hinges[3])?;
    step(&mut world, &method, 1e-3, &mut workspace)?;
    let (force, weight) = (world[hinges[0]].force[1], 3.0 * MASS * G);
    println!("\ncut below the third link, hinge 0 carries {force:.4} N of {weight:.4} N");
    assert!((force - weight).abs() < 1e-9 * weight);
    Ok(())
}
