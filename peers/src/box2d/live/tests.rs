//! Scenes of ours against the same scenes by Box2D's own calls, with masses from densities and anchors from origins.

use driftlab_engine::model::{Body, BodyId, Joint, Shape, World};

use super::super::ffi::{Engine, World as Box2d};
use super::super::names::turn;
use super::super::told::{BodyKind, JointKind, Key, Outline};
use crate::peer::{Kind, Settings, build};

const H: f64 = 1.0 / 60.0;
const STEPS: usize = 100;
/// Density, friction, restitution.
const PLAIN: [f32; 3] = [1.0, 0.6, 0.0];
const HINGE: JointKind = JointKind::Revolute { limits: None, motor: None, spring: None };

/// Both worlds, of which bodies are added to at once.
struct Both<'a> {
    direct: &'a Box2d<'a>,
    ours: World,
    bodies: Vec<(Key, BodyId)>,
}

impl Both<'_> {
    fn add(&mut self, kind: BodyKind, at: [f64; 2], angle: f64, outline: Outline) -> usize {
        let key = self.direct.add_body(kind, at.map(|x| x as f32), angle as f32);
        self.direct.add_shape(key, outline, PLAIN);
        let shape = match outline {
            Outline::Box(w, h) => Shape::rectangle(w.into(), h.into()),
            Outline::Circle(radius) => Shape::circle(radius.into()),
            Outline::Capsule(length, radius) => Shape::capsule(length.into(), radius.into()),
        };
        let body = if kind == BodyKind::Static { Body::fixed() } else { Body::dynamic() };
        let body = body.at(at).angle(angle).shape(shape).density(1.0).friction(f64::from(PLAIN[1]));
        self.bodies.push((key, self.ours.add_body(body).unwrap()));
        self.bodies.len() - 1
    }

    fn join(&mut self, [a, b]: [usize; 2], anchors: [[f64; 2]; 2], kind: JointKind) {
        let [(key_a, id_a), (key_b, id_b)] = [self.bodies[a], self.bodies[b]];
        self.direct.add_joint([key_a, key_b], anchors.map(|point| point.map(|x| x as f32)), kind).unwrap();
        let mut joint = match kind {
            JointKind::Revolute { .. } => Joint::hinge(id_a, id_b),
            JointKind::Prismatic { .. } => Joint::slider(id_a, id_b, [1.0, 0.0]),
            JointKind::Wheel { .. } => Joint::slot(id_a, id_b, [1.0, 0.0]),
            JointKind::Distance { .. } => Joint::distance(id_a, id_b),
            _ => Joint::weld(id_a, id_b),
        };
        joint = joint.anchors_in_bodies(anchors[0], anchors[1]);
        if let JointKind::Revolute { motor: Some([speed, most]), .. }
        | JointKind::Prismatic { motor: Some([speed, most]), .. } = kind
        {
            joint = joint.motor(speed, most);
        }
        if let JointKind::Revolute { limits: Some([lower, upper]), .. } = kind {
            joint = joint.limits(lower, upper);
        }
        self.ours.add_joint(joint).unwrap();
    }
}

/// The largest difference of a height, m, or angle, rad, over a hundred steps.
fn apart(make: impl FnOnce(&mut Both)) -> f64 {
    let (mut heights, mut ours) = (Vec::new(), World::new([0.0, -10.0]));
    {
        let engine = Engine::take();
        let direct = engine.world([0.0, -10.0]);
        direct.let_sleep(false);
        let mut both = Both { direct: &direct, ours, bodies: Vec::new() };
        make(&mut both);
        for _ in 0..STEPS {
            direct.step(H as f32, 4);
            let moment = |(key, _): &(Key, BodyId)| direct.moment(*key).unwrap();
            heights.push(both.bodies.iter().map(moment).collect::<Vec<_>>());
        }
        ours = both.ours;
    }
    let mut peer = build(&Settings::new(Kind::Box2d), &ours, H).unwrap();
    let mut worst = 0.0_f64;
    for moments in heights {
        peer.step(&ours, H).unwrap();
        peer.give(&mut ours).unwrap();
        for (moment, body) in moments.iter().zip(ours.bodies()) {
            worst = worst.max((moment.center[1] - body.pose.position.y).abs());
            worst = worst.max(turn(moment.angle() - body.pose.angle).abs());
        }
    }
    worst
}

fn hang(both: &mut Both, links: usize) -> Vec<usize> {
    let mut bodies = vec![both.add(BodyKind::Static, [0.0, 5.0], 0.0, Outline::Circle(0.1))];
    for link in 0..links {
        let body = both.add(BodyKind::Dynamic, [0.5 + link as f64, 5.0], 0.0, Outline::Capsule(0.8, 0.1));
        let from = if link == 0 { [0.0; 2] } else { [0.5, 0.0] };
        both.join([bodies[link], body], [from, [-0.5, 0.0]], HINGE);
        bodies.push(body);
    }
    bodies
}

/// A chain of six that falls from the horizontal, a crooked stack, a motor with limits and a slider, one joint of every other kind,
/// and a box that slides down a slope: heights and angles are those of Box2D's own calls to single precision.
#[test]
fn scenes_are_box2d_s_own() {
    let scenes: [(&str, f64, fn(&mut Both)); 5] = [
        ("chain", 1e-4, |both| _ = hang(both, 6)),
        ("stack", 1e-4, |both| {
            both.add(BodyKind::Static, [0.0, -0.5], 0.0, Outline::Box(20.0, 1.0));
            for row in 0..5 {
                let at = [0.02 * f64::from(row), 0.55 + 1.05 * f64::from(row)];
                both.add(BodyKind::Dynamic, at, 0.0, Outline::Box(1.0, 1.0));
            }
        }),
        ("motor", 1e-4, |both| {
            let wall = both.add(BodyKind::Static, [0.0, 5.0], 0.0, Outline::Circle(0.1));
            let arm = both.add(BodyKind::Dynamic, [0.75, 5.0], 0.0, Outline::Box(1.5, 0.2));
            let driven = JointKind::Revolute { limits: None, motor: Some([3.0, 40.0]), spring: None };
            both.join([wall, arm], [[0.0; 2], [-0.75, 0.0]], driven);
            let tip = both.add(BodyKind::Dynamic, [2.0, 5.0], 0.3, Outline::Capsule(0.8, 0.1));
            let limited = JointKind::Revolute { limits: Some([-0.5, 0.5]), motor: None, spring: None };
            both.join([arm, tip], [[0.75, 0.0], [-0.5, 0.0]], limited);
            let sled = both.add(BodyKind::Dynamic, [0.0, 2.0], 0.0, Outline::Box(0.5, 0.5));
            let slider = JointKind::Prismatic { limits: None, motor: Some([1.0, 30.0]), spring: None };
            both.join([wall, sled], [[0.0, -3.0], [0.0; 2]], slider);
        }),
        ("joints", 1e-4, |both| {
            let wall = both.add(BodyKind::Static, [0.0, 5.0], 0.0, Outline::Circle(0.1));
            let kinds = [
                JointKind::Weld { linear: [0.0; 2], angular: [0.0; 2] },
                JointKind::Distance { length: 0.8, limits: None, motor: false, spring: None },
            ];
            for (place, kind) in kinds.into_iter().enumerate() {
                let x = 3.0 * place as f64;
                let body = both.add(BodyKind::Dynamic, [x + 0.8, 5.0], 0.0, Outline::Box(0.8, 0.4));
                let own = if place == 0 { [-0.8, 0.0] } else { [0.0, 0.0] };
                both.join([wall, body], [[x, 0.0], own], kind);
            }
        }),
        ("slope", 1e-4, |both| {
            both.add(BodyKind::Static, [0.0, 0.0], -0.7, Outline::Box(20.0, 1.0));
            let up = [0.7_f64.sin() * 0.75, 0.7_f64.cos() * 0.75];
            both.add(BodyKind::Dynamic, up, -0.7, Outline::Box(0.5, 0.5));
        }),
    ];
    for (name, most, make) in scenes {
        let worst = apart(make);
        println!("{name}: {worst:e}");
        assert!(worst < most, "{name} {worst:e}");
    }
}
