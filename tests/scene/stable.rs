//! docs/RELIABILITY.md, what is stable: what later versions must still read and write. Neither the file nor the lists here
//! may change; they may grow.

use driftlab::lcp::Solver;
use driftlab::method::{Integrator, Level};
use driftlab::model::joint::DistanceForm;
use driftlab::model::{Axes, BodyKind, JointKind, Motion, Motor, Shape};
use driftlab::report::StepReport;
use driftlab::scene::Scene;
use glam::DVec2;

/// A file of `driftlab-scene/1` with every kind of object means what it meant when it was written.
#[test]
fn a_file_of_the_first_format_means_what_it_meant() {
    let scene = Scene::parse(include_str!("../worlds/driftlab-scene-1.json")).unwrap();
    assert_eq!((scene.name.as_str(), scene.order), ("Frozen", Some(7.0)));
    let settings = &scene.settings;
    assert_eq!((settings.time_step, settings.duration), (0.002, Some(3.0)));
    let method = &settings.method;
    assert_eq!(method.stabilizer.info().key, "baumgarte_acceleration");
    assert_eq!(["alpha", "beta"].map(|key| method.stabilizer.values.get(key)), [Some(20.0), Some(30.0)]);
    assert_eq!(method.solver, Solver::by_key("pgs").unwrap());
    assert_eq!((method.level, method.integrator), (Level::Acceleration, Integrator::Rk4));
    let contact = &method.contact;
    assert_eq!((contact.active_distance, contact.active_travel), (Some(0.01), 2.0));
    assert_eq!((contact.contact_tolerance, contact.restitution_threshold), (Some(0.001), Some(0.25)));

    let world = &scene.world;
    assert_eq!((world.gravity(), world.time(), world.steps()), (DVec2::new(0.0, -1.5), 0.5, 250));
    let names: Vec<_> = world.bodies().iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["ground", "bar", "wheel", "egg", "pill", "wedge", "rail", "lift"]);
    let bar = &world.bodies()[1];
    assert_eq!((bar.pose.position, bar.pose.angle), (DVec2::X, 0.25));
    assert_eq!((bar.velocity.linear, bar.velocity.angular), (DVec2::new(0.5, -0.5), 2.0));
    assert_eq!((bar.mass_properties().mass, bar.restitution, bar.group), (800.0, 0.5, -1));
    let applied = bar.applied.unwrap();
    assert_eq!((applied.force, applied.torque, applied.axes), (DVec2::new(3.0, 4.0), 5.0, Axes::Body));
    let wheel = &world.bodies()[2];
    assert_eq!(
        (wheel.mass_properties().mass, wheel.mass_properties().inertia, wheel.collides),
        (2.0, 0.25, false)
    );
    assert_eq!((world.bodies()[0].friction, wheel.friction), (0.5, 0.3));
    let shapes: Vec<_> =
        world.bodies().iter().flat_map(|body| body.shapes()).map(|own| own.shape.key()).collect();
    assert_eq!(shapes, ["half_plane", "box", "circle", "ellipse", "capsule", "polygon", "polyline"]);
    assert_eq!(world.bodies()[4].shapes()[0].shape, Shape::Capsule { length: 0.5, radius: 0.25 });
    let BodyKind::Kinematic(Motion::Sine { amplitude, frequency, .. }) = world.bodies()[7].kind() else {
        panic!()
    };
    assert_eq!((amplitude, frequency), (DVec2::new(0.0, 0.5), 2.0));

    let kinds: Vec<_> = world.joints().iter().map(|joint| joint.kind.key()).collect();
    assert_eq!(kinds, ["hinge", "distance", "weld", "slider"]);
    let hinge = &world.joints()[0];
    assert_eq!(
        (hinge.limits, hinge.motor),
        (Some([-1.0, f64::INFINITY]), Some(Motor { speed: 1.5, max_force: 9.0 }))
    );
    let JointKind::Distance(rod) = &world.joints()[1].kind else { panic!() };
    assert_eq!((rod.length, rod.form), (1.25, DistanceForm::Squared));
    assert!(world.joints()[3].collide_connected);
    assert_eq!(world.nonholonomic()[0].kind.key(), "knife_edge");
    let spring = &world.springs()[0];
    assert_eq!((spring.softness.stiffness, spring.softness.damping, spring.rest_length), (10.0, 1.0, 1.75));
}

/// Columns of `--csv` keep their names and places; new ones come last.
#[test]
fn columns_keep_their_names_and_places() {
    let columns = "step,time,joint_error,contact_error,joint_error_before,contact_error_before,velocity_error,kinetic_energy,\
        potential_energy,correction_work,bodies,contacts,rows,solver_iterations,residual,step_us,nonholonomic_error,joint_error_m,\
        joint_error_rad,joint_error_m2,limit_error_m,limit_error_rad,substeps,infeasible,solver,trail,relative_residual,\
        damped_corrections,correction_left,fastest_rate,approximate,approximate_residual,applied_work,gravity_work,spring_work,motor_work,driver_work,hand_work,friction_work,impact_work,method_work,drag_work";
    let mut text = Vec::new();
    let mut recorder = driftlab::experiment::CsvRecorder::new(&mut text).unwrap();
    recorder.add(&StepReport::default(), None).unwrap();
    drop(recorder);
    let text = String::from_utf8(text).unwrap();
    let header = text.lines().next().unwrap();
    assert!(header == columns || header.starts_with(&format!("{columns},")), "{header}");
}
