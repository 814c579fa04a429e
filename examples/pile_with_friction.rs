//! A pile of boxes on the ground, then on a slope: contact forces are the weight above, and friction holds up to
//! tan θ = μ.
//!
//! ```text
//! at rest      f_k = (n − k) m g                       k = 0 at the ground
//! on a slope   a = 0  while tan θ ≤ μ ,  else  a = g (sin θ − μ cos θ)
//! ```
//!
//! `cargo run --release -p driftlab --no-default-features --example pile_with_friction`

use driftlab::prelude::*;

const BOXES: usize = 5;
/// kg.
const MASS: f64 = 3.0;
/// Coefficient of friction of the ground and of the boxes.
const FRICTION: f64 = 0.4;
/// m/s².
const G: f64 = 9.81;
/// Time step, s.
const H: f64 = 2e-3;

/// A world whose gravity is turned by `slope`, rad, with a pile of boxes of 1 m × 0.4 m on the ground; and the boxes, from below.
fn pile(boxes: usize, slope: f64) -> Result<(World, Vec<BodyId>), ModelError> {
    let mut world = World::new(G * DVec2::new(slope.sin(), -slope.cos()));
    world.add_body(Body::fixed().shape(Shape::half_plane([0.0, 1.0], 0.0)).friction(FRICTION))?;
    let boxes = (0..boxes).map(|k| {
        let body = Body::dynamic().at([0.0, 0.4 * k as f64 + 0.2]).shape(Shape::rectangle(1.0, 0.4));
        world.add_body(body.mass(MASS).friction(FRICTION))
    });
    let boxes = boxes.collect::<Result<_, _>>()?;
    Ok((world, boxes))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let method = Method::anitescu_hart();
    let mut workspace = Workspace::default();

    let (mut world, boxes) = pile(BOXES, 0.0)?;
    for _ in 0..100 {
        step(&mut world, &method, H, &mut workspace)?;
    }
    println!("below box    force, N    weight above, N");
    for (k, own) in boxes.iter().enumerate() {
        // What is below was added to the world before it; impulses over the step are forces times h.
        let below = world.contacts_of(*own).filter(|contact| contact.other < *own);
        let force = below.map(|contact| contact.impulse[0]).sum::<f64>() / H;
        let weight = (BOXES - k) as f64 * MASS * G;
        println!("{k:9} {force:11.4} {weight:18.4}");
        assert!((force - weight).abs() < 1e-6 * weight);
    }

    println!("\nslope, rad    tan θ    a, m/s²    g (sin θ − μ cos θ) or 0, m/s²");
    for slope in [0.2, 0.35, 0.4, 0.6] {
        let (mut world, boxes) = pile(1, slope)?;
        let duration = 0.5;
        for _ in 0..(duration / H) as usize {
            step(&mut world, &method, H, &mut workspace)?;
        }
        let found = world[boxes[0]].velocity.linear.length() / duration;
        let expected = (G * (slope.sin() - FRICTION * slope.cos())).max(0.0);
        println!("{slope:10} {:8.3} {found:10.4} {expected:14.4}", slope.tan());
        assert!((found - expected).abs() < 1e-6);
    }
    Ok(())
}
