//! What steps leave of a world as it is, masses, paths, the order of the rows, who may collide, is derived once and
//! kept; every edit has to be noticed.

use super::worlds::ground;
use crate::physics::worlds::{bar, edit, hinge, id, pull};
use driftlab::method::Method;
use driftlab::model::{
    AppliedForce, Body, BodyKind, JointKind, MassSpec, Motion, Motor, Repulsion, Spring, World,
};
use driftlab::schemes::TABLE;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

const H: f64 = 1e-3;

/// An edit by its name.
type Edit = (&'static str, fn(&mut World));

/// Three bars on a hinge each, a spring between the first and the last, above the ground.
fn linkage() -> World {
    let mut world = World::new(DVec2::new(0.0, -9.81));
    let mut last = world.add_body(ground(DVec2::Y, 0.5)).unwrap();
    for link in 0..3 {
        let x = 0.4 * f64::from(link);
        let next = world.add_body(bar(DVec2::new(0.4, 0.1), DVec2::new(x + 0.2, 0.3), 0.0)).unwrap();
        world.add_joint(hinge([last, next], DVec2::new(x, 0.3))).unwrap();
        last = next;
    }
    world.add_spring(Spring::between(id(&world, 1), last).stiffness(50.0)).unwrap();
    world
}

/// The body at `index` with another kind, where it is.
fn with_kind(world: &mut World, index: usize, kind: BodyKind) {
    edit(world, index, |body| {
        let pose = body.pose;
        *body = Body::new(kind, pose.position, pose.angle, body.shapes().to_vec(), MassSpec::default())
            .unwrap();
        body.pose = pose;
    });
}

fn edit_joint(world: &mut World, change: impl FnOnce(&mut driftlab::model::Joint)) {
    world.edit_joint(world.joint_ids()[1], change).unwrap();
}

const SWAYING: Motion =
    Motion::Sine { center: DVec2::new(0.6, 0.3), amplitude: DVec2::new(0.01, 0.0), frequency: 2.0 };
const PUSH: Repulsion = Repulsion { center: DVec2::new(0.7, 0.2), radius: 0.5, strength: 20.0 };

const EDITS: [Edit; 25] = [
    ("a heavier bar", |world| {
        edit(world, 2, |body| {
            let pose = body.pose;
            *body = bar(DVec2::new(0.4, 0.2), pose.position, pose.angle);
        });
    }),
    ("a bar that collides", |world| edit(world, 2, |body| body.collides = true)),
    ("a smaller shape", |world| {
        drop(world.add_body(bar(DVec2::splat(0.02), DVec2::new(2.0, 0.011), 0.0)));
        edit(world, 4, |body| body.collides = true);
    }),
    ("another anchor", |world| {
        edit_joint(world, |joint| {
            if let JointKind::Hinge(hinge) = &mut joint.kind {
                hinge.anchors[0].x += 1e-3;
            }
        });
    }),
    ("limits", |world| edit_joint(world, |joint| joint.limits = Some([-0.01, 0.01]))),
    ("a motor", |world| {
        edit_joint(world, |joint| joint.motor = Some(Motor { speed: 1.0, max_force: 0.5 }))
    }),
    ("no limits", |world| edit_joint(world, |joint| joint.limits = None)),
    ("no motor", |world| edit_joint(world, |joint| joint.motor = None)),
    ("a shorter spring", |world| {
        world.edit_spring(world.spring_ids()[0], |spring| spring.rest_length *= 0.5).unwrap();
    }),
    ("no spring", |world| {
        world.remove_spring(world.spring_ids()[0]).unwrap();
    }),
    ("weight upwards", |world| world.set_gravity(DVec2::new(0.0, 9.81)).unwrap()),
    ("a negative zero", |world| world.set_gravity(DVec2::new(-0.0, 9.81)).unwrap()),
    ("a repulsion", |world| world.set_repulsion(Some(PUSH)).unwrap()),
    ("no repulsion", |world| world.set_repulsion(None).unwrap()),
    ("a grab", |world| {
        pull(world, 1, DVec2::new(0.2, 0.3), DVec2::new(0.2, 0.5));
    }),
    ("a grab of another body", |world| {
        pull(world, 3, DVec2::new(1.0, 0.3), DVec2::new(1.0, 0.5));
    }),
    ("no grab", World::release_grab),
    ("a driven bar", |world| with_kind(world, 2, BodyKind::Kinematic(SWAYING))),
    ("a bar that moves again", |world| with_kind(world, 2, BodyKind::Dynamic)),
    ("another pose", |world| edit(world, 3, |body| body.pose.position.y += 1e-3)),
    ("a push", |world| {
        world.set_applied_force(id(world, 3), Some(AppliedForce::force([0.0, 3.0]))).unwrap();
    }),
    ("no push", |world| world.set_applied_force(id(world, 3), None).unwrap()),
    ("a lighter bar", |world| {
        edit(world, 3, |body| {
            let pose = body.pose;
            *body = bar(DVec2::new(0.4, 0.05), pose.position, pose.angle);
        });
    }),
    ("a joint less", |world| {
        world.remove_joint(world.joint_ids()[2]).unwrap();
    }),
    ("a body less", |world| drop(world.remove_body(id(world, 1)).unwrap())),
];

/// A step of `world` with the used workspace has the report, the state and the impulses of one with a fresh workspace.
fn check(world: &mut World, method: &Method, used: &mut Workspace, what: &str) {
    let (mut twin, mut fresh) = (world.clone(), Workspace::default());
    let made = step(world, method, H, used);
    let expected = step(&mut twin, method, H, &mut fresh);
    let what = format!("{}: {what}", method.stabilizer.info().key);
    assert_eq!(format!("{made:?}"), format!("{expected:?}"), "{what}");
    // Formatted, so that −0 is told from 0.
    assert_eq!(format!("{world:?}"), format!("{twin:?}"), "{what}");
    if made.is_ok() {
        let impulses = |workspace: &Workspace| format!("{:?}", workspace.impulses().collect::<Vec<_>>());
        assert_eq!(impulses(used), impulses(&fresh), "{what}");
        assert_eq!(used.momentum_residuals(), fresh.momentum_residuals(), "{what}");
    }
}

/// One edit after the other, two steps after each, under every scheme.
#[test]
fn every_edit_is_noticed() {
    for scheme in TABLE {
        let method = Method::by_key(scheme.info().key).unwrap();
        let (mut world, mut workspace) = (linkage(), Workspace::default());
        check(&mut world, &method, &mut workspace, "the first step");
        for (name, edit) in EDITS {
            edit(&mut world);
            check(&mut world, &method, &mut workspace, name);
            check(&mut world, &method, &mut workspace, name);
        }
    }
}

/// Clones of a world that has been stepped are edited in different ways, and stepped in turn by one workspace: with a
/// spring, and as hinges alone.
#[test]
fn clones_that_have_been_edited_are_told_apart() {
    let method = Method::by_key("projection").unwrap();
    for springs in [true, false] {
        let (mut world, mut workspace) = (linkage(), Workspace::default());
        if !springs {
            world.remove_spring(world.spring_ids()[0]).unwrap();
        }
        check(&mut world, &method, &mut workspace, "the original");
        let mut clones = [world.clone(), world.clone(), world.clone(), world];
        let other_end = |world: &mut World| {
            world.remove_joint(world.joint_ids()[0]).unwrap();
            let [wall, last] = [0, 3].map(|index| id(world, index));
            world.add_joint(hinge([wall, last], DVec2::new(1.2, 0.3))).unwrap();
        };
        for (clone, edit) in clones.iter_mut().zip([EDITS[0].1, EDITS[3].1, other_end]) {
            edit(clone);
        }
        for _ in 0..3 {
            for clone in &mut clones {
                check(clone, &method, &mut workspace, "a clone");
            }
        }
    }
}
