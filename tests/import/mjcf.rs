//! The planar subset of MJCF, read and written.

use super::{after_two_seconds, body, close, converted, joint, says};
use driftlab::glam::DVec2;
use driftlab::import::{Format, export};
use driftlab::model::{JointKind, Mix, Shape};
use driftlab::prelude::{Method, Workspace, step};
use driftlab::scene::{Scene, catalogue};
use std::f64::consts::PI;

/// A cart with a pole, seen as MuJoCo's users draw them: x to the right, z up, hinges about +y.
const CART: &str = r#"<mujoco model="cart &amp; pole">
  <compiler angle="degree"/>
  <option timestep="0.005" gravity="0 0 -10"/>
  <default>
    <geom density="500" friction="0.7"/>
    <default class="pole"><joint damping="0.25"/></default>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1" pos="0 0 -2"/>
    <body name="cart" pos="0 0 0">
      <joint name="slide" type="slide" axis="1 0 0" range="-2 3"/>
      <geom type="box" size=".3 .2 .1" mass="4"/>
      <body name="pole" pos="0 0 0.1" childclass="pole">
        <joint name="hinge" axis="0 1 0" range="-90 45" frictionloss="0.125"/>
        <geom type="capsule" fromto="0 0 0 0 0 1" size="0.05"/>
        <body name="tip" pos="0 0 1" euler="0 90 0"><geom type="cylinder" size="0.1 0.2" euler="90 0 0"/></body>
      </body>
    </body>
    <body name="puck" pos="4 0 0"><freejoint/><geom type="sphere" size="0.2"/></body>
    <body name="top" pos="6 0 0"><joint type="hinge" axis="0 0 1"/><geom size="0.1"/></body>
  </worldbody>
  <equality><joint joint1="slide" joint2="hinge" polycoef="0 2"/></equality>
  <contact><exclude body1="puck" body2="pole"/></contact>
  <actuator>
    <position joint="hinge" kp="20" kv="3" gear="2"/>
    <velocity joint="slide" kv="9" forcerange="-6 6"/>
    <motor joint="slide"/>
  </actuator>
</mujoco>"#;

/// Solids have their masses and inertias in space, outlines in the plane, angles that turn as seen; jointless bodies are part
/// of their parents.
#[test]
fn a_planar_model_is_read() {
    let imported = converted(CART);
    let world = &imported.scene.world;
    assert_eq!((imported.format, imported.scene.name.as_str()), (Format::Mjcf, "cart & pole"));
    assert_eq!(world.gravity(), DVec2::new(0.0, -10.0));
    close(imported.scene.settings.time_step, 0.005);
    assert_eq!(world.materials().friction, Mix::Max);

    let cart = body(world, "cart");
    // 4 kg of a cuboid with half sizes .3, .2, .1: about y (.3² + .1²) m/3.
    close(cart.mass_properties().mass, 4.0);
    close(cart.mass_properties().inertia, 4.0 * (0.09 + 0.01) / 3.0);
    let Shape::Box { size } = cart.shapes()[0].shape else { panic!("no box") };
    // The outline's axes may be turned by a quarter.
    close(size.x.max(size.y), 0.6);
    close(size.min_element(), 0.2);

    let pole = body(world, "pole");
    assert_eq!(pole.shapes().len(), 2, "the tip is part of the pole");
    let capsule = 500.0 * (PI * 0.0025 + 4.0 / 3.0 * PI * 0.000125);
    let cylinder = 500.0 * PI * 0.01 * 0.4;
    close(pole.mass_properties().mass, capsule + cylinder);
    close(pole.mass_properties().center.y, (capsule * 0.5 + cylinder) / (capsule + cylinder));
    assert!(pole.shapes().iter().any(|placed| placed.shape == Shape::Circle { radius: 0.1 }));

    let slider = joint(world, 0);
    assert!(
        matches!(&slider.kind, JointKind::Slider(own) if own.axis == DVec2::X) && slider.collide_connected
    );
    assert_eq!((slider.limits, slider.motor.map(|motor| motor.max_force)), (Some([-2.0, 3.0]), Some(6.0)));
    // +y points away from whoever sees x to the right and z up: the file's angle is clockwise.
    let [lower, upper] = joint(world, 1).limits.unwrap();
    close(lower, -PI / 4.0);
    close(upper, PI / 2.0);
    assert_eq!((joint(world, 0).friction, joint(world, 1).friction), (0.0, 0.125));
    // x = 2 θ of the file, whose angle is clockwise: x + 2 θ of ours is constant.
    let JointKind::Gear(gear) = &joint(world, 2).kind else { panic!("{:?}", joint(world, 2)) };
    assert_eq!(gear.ratio, 2.0);
    // Its own damper, and kp γ² and kv γ² of the servo.
    let springs: Vec<_> = world.springs().iter().map(|spring| spring.softness).collect();
    assert_eq!((springs[0].stiffness, springs[0].damping), (0.0, 0.25));
    assert_eq!((springs[1].stiffness, springs[1].damping), (80.0, 12.0));

    let puck = body(world, "puck");
    close(puck.mass_properties().inertia, 0.4 * 0.04 * puck.mass_properties().mass);
    for (place, what) in [
        ("line 19: body 'puck'", "no such line"),
        ("line 19: freejoint", "three coordinates"),
        ("line 20: joint", "out of the plane"),
        ("line 27: motor", "without a control"),
    ] {
        assert_eq!(
            says(&imported, place, what),
            what != "no such line",
            "{place}: {:#?}",
            imported.left_out
        );
    }
    after_two_seconds(&imported);
}

/// What a file excludes from contact passes here, and the rest collides: a ball falls through one floor and rests on the other.
#[test]
fn excluded_pairs_pass() {
    let text = |pair: &str| {
        format!(
            r#"<mujoco><worldbody><body name="slab" pos="0 0 0"><geom type="box" size="2 1 .5"/></body>
            <body name="slab2"><joint type="slide" axis="1 0 0" range="-9 9"/><geom pos="0 0 -9" size=".1"/></body>
            <body name="ball" pos="0 0 1"><freejoint/><geom size=".4"/></body></worldbody>
            <contact><exclude body1="ball" body2="{pair}"/></contact></mujoco>"#
        )
    };
    let height = |pair| body(&after_two_seconds(&converted(&text(pair))), "ball").pose.position.y;
    assert!((height("slab2") - 0.9).abs() < 0.02, "rests on the slab: {}", height("slab2"));
    assert!(height("world") < -5.0, "falls through what stands still: {}", height("world"));
}

/// A pendulum with a slider under it, written as MJCF and read again, has the same masses, joints, limits and motors, and
/// moves alike.
#[test]
fn what_is_written_is_read_again() {
    let text = r#"{"format": "driftlab-scene/1", "name": "Crane", "settings": {"time_step": 0.002},
      "bodies": [
        {"name": "wall", "type": "fixed", "position": [0, 0]},
        {"name": "trolley", "position": [0.5, 1], "angle": 0.25, "shapes": [{"shape": "box", "size": [0.5, 0.2]}], "gravity_scale": 0.5},
        {"name": "hook", "position": [0.5, 0.5], "angle": -0.5, "shapes": [{"shape": "capsule", "length": 0.8, "radius": 0.05}], "density": 20},
        {"name": "free", "position": [3, 3], "angle": 1, "shapes": [{"shape": "ellipse", "semi_axes": [0.3, 0.1], "offset": [0.2, 0]}]}
      ],
      "joints": [
        {"joint": "slider", "bodies": ["wall", "trolley"], "anchor": [0.5, 1], "axis": [1, 0], "limits": [-1, 2]},
        {"joint": "hinge", "bodies": ["trolley", "hook"], "anchor": [0.5, 0.9], "limits": [-2, 1], "motor": {"speed": 0, "max_torque": 0.5}, "friction": 0.05},
        {"joint": "distance", "bodies": ["wall", "free"], "anchors": [[2, 3], [3, 3]]},
        {"joint": "gear", "joints": [0, 1], "ratio": 0.5}
      ],
      "springs": [{"bodies": ["hook", "free"], "anchors": [[0.5, 0.5], [3, 3]], "stiffness": 5, "damping": 0.1}]}"#;
    let scene = Scene::parse(text).unwrap();
    let written = export(&scene);
    assert_eq!(written.left_out.len(), 1, "{:?}", written.left_out);
    let again = converted(&written.text).scene.world;
    assert_eq!(again.joints().iter().map(|joint| joint.friction).fold(0.0, f64::max), 0.05);
    assert!(
        again.joints().iter().any(|joint| matches!(joint.kind, JointKind::Gear(_))),
        "{}",
        written.text
    );
    for own in scene.world.bodies().iter().filter(|body| body.is_dynamic()) {
        let other = body(&again, &own.name);
        close((own.origin() - other.origin()).length(), 0.0);
        close(own.pose.angle, other.pose.angle);
        let (one, two) = (own.mass_properties(), other.mass_properties());
        close(one.mass, two.mass);
        close(one.inertia, two.inertia);
        close((one.center - two.center).length(), 0.0);
        assert_eq!(own.gravity_scale, other.gravity_scale);
    }
    let run = |mut world: driftlab::model::World| {
        for _ in 0..200 {
            step(&mut world, &Method::post_stabilization(), 0.002, &mut Workspace::default())
                .expect("a step");
        }
        world
    };
    let (one, two) = (run(scene.world.clone()), run(again));
    for own in one.bodies().iter().filter(|body| body.is_dynamic()) {
        let apart = (own.pose.position - body(&two, &own.name).pose.position).length();
        assert!(apart < 1e-6, "{} {apart}", own.name);
    }
}

/// Every shipped scene is written as XML that is read again.
#[test]
fn every_shipped_scene_is_written() {
    for entry in catalogue::entries() {
        let written = export(&entry.scene().unwrap());
        let again = driftlab::import::import(written.text.as_bytes(), Some(Format::Mjcf));
        let told = again.map(|_| ()).map_err(|problems| problems[0].to_string());
        assert_eq!(told, Ok(()), "{}", entry.key);
    }
}
