//! Sag and creep on the card of an engine's scheme: formulas, and beside them what the run has.

use driftlab::prelude::*;
use driftlab::workbench::command::Command;
use driftlab::workbench::runs::sag_and_creep::{sag_and_creep, yielded};
use egui_kittest::kittest::Queryable;

/// The box on the slope that MuJoCo holds creeps at MuJoCo's own 0.50706 mm/s and sinks by its 0.0902 mm (the scene's reference),
/// and the card says so beside its formulas.
#[test]
fn the_card_has_what_was_measured_beside_the_formulas() {
    let mut model = super::model("creeping-box");
    for _ in 0..1000 {
        model.apply(Command::StepForward);
    }
    let found = yielded(model.run().world(), model.run().report());
    let creep = found.creep.expect("friction holds the box");
    assert!((creep / 0.50706e-3 - 1.0).abs() < 1e-3, "{creep} m/s");
    assert!((found.overlap / 9.024382e-5 - 1.0).abs() < 1e-3 && found.opening == 0.0, "{found:?}");
    let window = super::panels::window(model);
    assert!(window.query_by_label_contains("Foretold: under a load of 1 m/s²").is_some());
    assert!(window.query_by_label_contains("what friction holds creeps at 507 µm/s").is_some());
}

/// The card of `soft` foretells what a run has: a ball on the ground sags by g/ω² with ω = 2π · 60 Hz.
#[test]
fn a_soft_contact_sags_as_its_card_says() {
    let (h, g) = (1.0 / 60.0, 9.81);
    let mut world = World::new([0.0, -g]);
    world.add_body(Body::fixed().shape(Shape::half_plane([0.0, 1.0], 0.0))).unwrap();
    world.add_body(Body::dynamic().at([0.0, 0.5]).shape(Shape::circle(0.5))).unwrap();
    let method: Method = "soft".parse().unwrap();
    let mut workspace = Workspace::default();
    for _ in 0..600 {
        step(&mut world, &method, h, &mut workspace).unwrap();
    }
    let report = step(&mut world, &method, h, &mut workspace).unwrap();
    let expected = g / (std::f64::consts::TAU * 60.0).powi(2);
    let overlap = yielded(&world, &report).overlap;
    assert!((overlap / expected - 1.0).abs() < 1e-3, "{overlap} m instead of {expected} m");
    let said = method.stabilizer.remark(h).expect("a scheme of an engine");
    assert!(said.contains(&format!("{expected:.3e} m in one with what is fixed")), "{said}");
}

/// A bar that hangs in a hinge of `sap` opens it by (β_j²/2π²) h² w m g, w = √2/(3m); under a scheme of a paper nothing is said.
#[test]
fn a_hinge_opens_as_foretold() {
    let (beta, h, g) = (0.3_f64, 0.01, 9.81);
    let mut world = World::new([0.0, -g]);
    let wall = world.add_body(Body::fixed()).unwrap();
    let bar = world.add_body(Body::dynamic().at([0.0, -0.5]).mass_and_inertia(2.0, 1.0)).unwrap();
    world.add_joint(Joint::hinge(wall, bar).at([0.0, -0.5])).unwrap();
    let method: Method = format!("sap,joint_near_rigid={beta}").parse().unwrap();
    let mut workspace = Workspace::default();
    for _ in 0..100 {
        step(&mut world, &method, h, &mut workspace).unwrap();
    }
    let report = step(&mut world, &method, h, &mut workspace).unwrap();
    let expected = beta * beta / (2.0 * std::f64::consts::PI.powi(2)) * h * h * 2.0_f64.sqrt() / 3.0 * g;
    let opening = yielded(&world, &report).opening;
    assert!((opening / expected - 1.0).abs() < 1e-6, "{opening} m instead of {expected} m");
    let said = sag_and_creep(&method, h, &world, &report).expect("a scheme of an engine");
    assert!(said.contains("sags by") && said.contains("Measured: joints are open by"), "{said}");
    assert_eq!(sag_and_creep(&Method::anitescu_hart(), h, &world, &report), None);
}
