//! Algodoo's scenes, as its version 2.1 saves them.

use super::{after_two_seconds, close, converted, joint, says};
use driftlab::glam::DVec2;
use driftlab::import::{Format, import};
use driftlab::model::{Axes, Shape};
use driftlab::scene::KEYS;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::f64::consts::{FRAC_PI_2, PI};
use std::io::Write;

const SCENE: &str = r#"// FileVersion 21
FileInfo -> { title = "A; { tale }"; version = 21 };
Sim -> {
    gravitySwitch = true;
    gravityStrength = 9.8000002;
    gravityAngleOffset = 0;
    airSwitch = true;
    airFrictionMultiplier = 1;
    airFrictionLinear = 0.01; rotFrictionLinear = 0.03;
    frequency = 60
};
Scene.addLayer { visible := true; id := 0 };
Scene.addPlane { angle := 1.5707964; pos := [-0, -1000]; geomID := 1; body := 0; friction := 0.5; restitution := 0.5; collideSet := 1023 };
Scene.addBox {
    size := [2, 1]; pos := [0, 0]; angle := 0; geomID := 2; entityID := 20; body := 7; density := 2; friction := 0.25; restitution := 0;
    vel := [1, 0]; angvel := 2; collideSet := 1; heteroCollide := false; glued := false;
    velocityDamping := [0, 0, 0]; update := (e)=>{}; postStep := (e)=>{ e.angle = e.angle + 1; "}" }
};
Scene.addCircle { radius := 0.5; pos := [3, 0]; angle := 0; geomID := 3; body := 7; density := 4; friction := +inf; collideSet := 2; angvel := 2; vel := [1, 6] };
Scene.addPolygon { surfaces := [[[0, 0], [1, 0], [0, 1]], [[0.1, 0.1], [0.2, 0.1], [0.1, 0.2]]]; pos := [8, 0]; angle := 0; geomID := 4; body := 9; density := 1; collideSet := 4; heteroCollide := true };
Scene.addBox { size := [1, 1]; pos := [8, 3]; geomID := 5; body := 10; collideSet := 4; heteroCollide := true };
Scene.addHinge { geom0 := 2; geom0pos := [0.5, 0]; geom1 := 0; geom1pos := [0.5, 0]; motor := true; motorSpeed := 3; motorTorque := 50; ccw := false; impulseLimit := 2; distanceLimit := +inf };
Scene.addHinge { geom0 := 4; geom0pos := [0, 0]; geom1 := 5; geom1pos := [0, -3]; motor := true; motorSpeed := 3; motorTorque := 50; ccw := true; autoBrake := true; buttonForward := "left"; impulseLimit := +inf };
Scene.addFixjoint { geom0 := 5; geom0pos := [0, 0]; geom1 := 0; geom1pos := [8, 3] };
Scene.addLineEndPoint { geom := 2; relPoint := [0, 0]; entityID := 30 };
Scene.addLineEndPoint { geom := 0; relPoint := [0, 5]; entityID := 31 };
Scene.addSpring { lineEndPoint0 := 30; lineEndPoint1 := 31; constant := 100; length := 4; dampingFactor := 0.5 };
Scene.addThruster { geom := 4; relPoint := [0, 0]; force := 5; rotation := 0; activationButton := "toggle up" };
Scene.addGroup { name := ""; entityIDs := [20] }
"#;

/// Shapes of one number are one body with its own densities, velocity and materials; motors, brakes, layers and springs act, and
/// what does not is named with its line.
#[test]
fn a_scene_of_algodoo_is_read() {
    let imported = converted(SCENE);
    let world = &imported.scene.world;
    assert_eq!(imported.format, Format::Algodoo);
    // The plane, three bodies, and the background of the joints.
    assert_eq!((world.bodies().len(), world.joints().len(), world.springs().len()), (5, 3, 1));
    close(world.gravity().y, -9.8000002);
    let Shape::HalfPlane { normal, .. } = world.bodies()[0].shapes()[0].shape else { panic!("no plane") };
    assert!((normal - DVec2::Y).length() < 1e-6 && world.bodies()[0].origin() == DVec2::new(0.0, -1000.0));

    let both = &world.bodies()[1];
    // 2 m² of 2 kg/m² at 0 and π/4 m² of 4 kg/m² at 3 m.
    let ball = std::f64::consts::PI;
    close(both.mass_properties().mass, 4.0 + ball);
    close(both.mass_properties().center.x, 3.0 * ball / (4.0 + ball));
    // The velocity of the box's middle is that of the body there.
    close(both.velocity.linear.x, 1.0);
    close(both.velocity.linear.y, 2.0 * 3.0 * ball / (4.0 + ball));
    assert_eq!(both.shapes()[1].surface.filter.map(|filter| filter.categories), Some(2));
    assert!(says(&imported, "line 19: Scene.addCircle", "friction inf"));
    // Two of one set that both say heteroCollide do not collide.
    let [a, b] = [&world.bodies()[2], &world.bodies()[3]];
    assert!(a.group < 0 && a.group == b.group);

    // The motor turns the second body against the first: the first clockwise where ccw is false.
    let motor = joint(world, 0).motor.unwrap();
    assert_eq!((motor.speed, motor.max_force), (3.0, 50.0));
    assert_eq!(joint(world, 0).breaking.and_then(|limit| limit.force), Some(2.0 * 60.0));
    assert_eq!(joint(world, 1).motor.unwrap().speed, 0.0);
    assert!(says(&imported, "line 23", "keys of the motor"));
    assert_eq!(world.springs()[0].softness.stiffness, 100.0);

    for (place, what) in [
        ("line 3: Sim", "rotFrictionLinear 0.03"),
        ("line 14: Scene.addBox", "postStep"),
        ("line 20: Scene.addPolygon", "1 further contours"),
        ("line 28: Scene.addThruster", "no key here is like 'toggle up'"),
    ] {
        assert!(says(&imported, place, what), "{place}: {what} in {:#?}", imported.left_out);
    }
    after_two_seconds(&imported);
}

/// A hinge's motor turns the first body against the second clockwise, as in scenes that Algodoo has saved while it turned.
#[test]
fn a_motor_turns_as_in_algodoo() {
    let text = format!(
        "Scene.addCircle {{ radius := 1; pos := [0, 0]; geomID := 1; body := 1; density := 1 }};
         Scene.addHinge {{ geom0 := 1; geom0pos := [0, 0]; geom1 := 0; geom1pos := [0, 0]; motor := true; motorSpeed := {FRAC_PI_2};
            motorTorque := 1000; ccw := false; impulseLimit := +inf; distanceLimit := +inf }}"
    );
    let world = after_two_seconds(&converted(&text));
    close(world.bodies()[0].velocity.angular, -FRAC_PI_2);
}

/// The air resists a width w across the motion by w (c₁ + c₂ v) v: of a circle its diameter, of a rectangle its mean over all
/// directions, the perimeter over π; the wind blows, and without air nothing resists.
#[test]
fn the_air_resists_as_in_algodoo() {
    let text = |air: bool| {
        format!(
            "Sim -> {{ gravitySwitch = false; airSwitch = {air}; airFrictionMultiplier = 2; airFrictionLinear = 0.3;
                airFrictionQuadratic = 0.05; windStrength = 4; windAngle = {FRAC_PI_2} }};
             Scene.addCircle {{ radius := 0.5; pos := [0, 0]; geomID := 1; body := 1; density := 1; airFrictionMult := 0.5 }};
             Scene.addBox {{ size := [2, 1]; pos := [5, 0]; geomID := 2; body := 2; density := 1 }}"
        )
    };
    let imported = converted(&text(true));
    let world = &imported.scene.world;
    assert!(world.wind().distance(DVec2::new(0.0, 4.0)) < 1e-15);
    let [disk, board] = [0, 1].map(|index| world.bodies()[index].damping);
    close(disk.drag, 0.5 * 2.0 * 0.3);
    close(disk.quadratic_drag, 0.5 * 2.0 * 0.05);
    let perimeter = 6.0;
    assert!((board.drag / (2.0 * 0.3 * perimeter / PI) - 1.0).abs() < 1e-4, "{}", board.drag);
    assert!((board.quadratic_drag / (2.0 * 0.05 * perimeter / PI) - 1.0).abs() < 1e-4);
    after_two_seconds(&imported);
    let still = converted(&text(false));
    assert!(still.scene.world.bodies().iter().all(|body| body.damping.is_none()));
}

/// A thruster pushes along its direction in the world, or turns with its shape, and acts while its key is held.
#[test]
fn a_thruster_pushes_as_in_algodoo() {
    let text = format!(
        "Scene.addBox {{ size := [1, 2]; pos := [1, 0]; angle := {FRAC_PI_2}; geomID := 1; body := 1; density := 1 }};
         Scene.addThruster {{ geom := 1; relPoint := [0, -1]; followGeometry := true; rotation := 0; force := 7; activationButton := \"right\" }};
         Scene.addThruster {{ geom := 1; relPoint := [0.5, 0]; followGeometry := false; rotation := {FRAC_PI_2}; force := 3 }}"
    );
    let imported = converted(&text);
    assert!(imported.left_out.iter().all(|own| !own.message.contains("thruster")));
    let body = &imported.scene.world.bodies()[0];
    let [follows, stays] = &body.driven[..] else { panic!("{} forces", body.driven.len()) };
    // The shape's y axis points to the left: the world's x is its −y, and the force acts at its foot, to the right of its middle.
    assert!(
        follows.applied.axes == Axes::Body && follows.applied.force.distance(DVec2::new(0.0, -7.0)) < 1e-12
    );
    assert!(follows.applied.at.distance(DVec2::new(0.0, -1.0)) < 1e-12);
    assert_eq!(follows.switch.map(|key| KEYS[usize::from(key)]), Some("Right"));
    assert!(
        stays.applied.axes == Axes::World && stays.applied.force.distance(DVec2::new(0.0, 3.0)) < 1e-12
    );
    assert!(stays.applied.at.distance(DVec2::new(0.5, 0.0)) < 1e-12 && stays.switch.is_none());
}

/// An archive with that text.
pub(super) fn archive(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = rawzip::ZipArchiveWriter::new(&mut bytes);
    let method = rawzip::CompressionMethod::DEFLATE;
    let (mut entry, config) = archive.new_file("scene.phn").compression_method(method).start().unwrap();
    let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::best()));
    writer.write_all(text).unwrap();
    let (encoder, descriptor) = writer.finish().unwrap();
    encoder.finish().unwrap();
    entry.finish(descriptor).unwrap();
    archive.finish().unwrap();
    bytes
}

/// A `.phz` is an archive with the text, which is the same scene.
#[test]
fn an_archive_holds_the_same_scene() {
    let imported = import(&archive(SCENE.as_bytes()), None).unwrap();
    assert_eq!(imported.text, converted(SCENE).text);
}

/// An entry that inflates without bound is refused by its name before it takes more memory than a scene may.
#[test]
fn a_bomb_is_refused_by_name() {
    let problems = import(&archive(&vec![b' '; 65 << 20]), None).unwrap_err();
    assert_eq!(problems[0].to_string(), "scene.phn: inflates to more than 64 MiB");
}
