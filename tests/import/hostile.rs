//! Files that are damaged or malicious: an answer within bounds, never a panic.

use super::{algodoo::archive, converted};
use driftlab::import::{Format, import};

/// A generator of Lehmer's kind, so that every run tries the same texts.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

const SEEDS: [&str; 4] = [
    r#"{"gravity": {"x": 0, "y": -10}, "body": [{"type": 2, "name": "a", "position": {"x": 1, "y": 2}, "massData-mass": 1, "massData-I": 0.5,
      "fixture": [{"density": 1, "friction": 0.2, "polygon": {"vertices": {"x": [0, 1, 1], "y": [0, 0, 1]}}}]}, {"type": 0, "position": 0,
      "fixture": [{"chain": {"vertices": {"x": [0, 1], "y": [0, 0]}}}]}],
      "joint": [{"type": "revolute", "bodyA": 0, "bodyB": 1, "anchorA": 0, "anchorB": 0, "enableLimit": true, "lowerLimit": -1, "upperLimit": 1}]}"#,
    "b2Vec2 g(0.0f, -1.0e+01f);\nb2BodyDef bd;\nbd.type = b2BodyType(2);\nbd.position.Set(1.0f, 2.0f);\nbodies[0] = m_world->CreateBody(&bd);
     b2FixtureDef fd;\nfd.density = 1.0f;\nb2PolygonShape shape;\nvs[0].Set(0.0f, 0.0f);\nvs[1].Set(1.0f, 0.0f);\nvs[2].Set(1.0f, 1.0f);
     shape.Set(vs, 3);\nbodies[0]->CreateFixture(&fd);\nb2DistanceJointDef jd;\njd.bodyA = bodies[0];\njoints[0] = m_world->CreateJoint(&jd);",
    r#"<mujoco><default><default class="a"><geom size="0.1"/></default></default><worldbody><geom type="plane" size="1 1 1"/>
      <body name="b" pos="0 0 1" euler="0 10 0"><joint axis="0 1 0" range="-1 1"/><geom type="box" size=".1 .2 .3" class="a"/><site name="s"/>
      <body name="c"><joint type="slide" axis="1 0 0"/><geom fromto="0 0 0 0 0 1" type="capsule" size=".1"/></body></body></worldbody>
      <equality><connect body1="b" body2="c" anchor="0 0 0"/></equality><tendon><spatial range="0 1"><site site="s"/><site site="s"/></spatial></tendon>
      <actuator><position joint="j" kp="1"/></actuator></mujoco>"#,
    "Sim -> { gravityStrength = 9.8 };\nScene.addBox { size := [1, 2]; pos := [0, 0]; geomID := 1; body := 1; density := 2 };
     Scene.addPolygon { surfaces := [[[0, 0], [1, 0], [0, 1]]]; pos := [3, 0]; geomID := 2; body := 2; collideSet := 3; update := (e)=>{ x = \"}\"; } };
     Scene.addHinge { geom0 := 1; geom0pos := [0, 0]; geom1 := 2; geom1pos := [0, 0]; motor := true; motorSpeed := NaN };",
];

/// Texts with random damage (bytes replaced, cut, doubled, numbers made huge) are converted or refused; none ends the program.
#[test]
fn damaged_files_are_answered() {
    let words = [
        "1e308",
        "-1",
        "NaN",
        "+inf",
        "99999999999999999999",
        "0",
        "[",
        "]",
        "{",
        "}",
        "\"",
        "<",
        ">",
        "\u{0}",
        "é",
        ";",
        "1e-320",
    ];
    let mut random = Random(51);
    for (seed, format) in SEEDS.iter().zip([Format::Rube, Format::Box2d, Format::Mjcf, Format::Algodoo]) {
        assert!(!converted(seed).scene.world.bodies().is_empty());
        for _ in 0..120 {
            let mut bytes = seed.as_bytes().to_vec();
            for _ in 0..=random.below(4) {
                let at = random.below(bytes.len());
                match random.below(4) {
                    0 => bytes[at] = random.below(256) as u8,
                    1 => drop(bytes.drain(at..(at + random.below(20)).min(bytes.len()))),
                    2 => {
                        let copied = bytes[at..(at + random.below(60)).min(bytes.len())].to_vec();
                        bytes.splice(at..at, copied);
                    }
                    _ => {
                        let end = (at + random.below(4)).min(bytes.len());
                        bytes.splice(at..end, words[random.below(words.len())].bytes());
                    }
                }
            }
            for format in [Some(format), None] {
                // What is converted has been read by the reader of scenes.
                let _ = import(&bytes, format);
            }
        }
    }
}

/// Archives with random damage are refused or read; none ends the program.
#[test]
fn damaged_archives_are_answered() {
    let whole = archive(SEEDS[3].as_bytes());
    let mut random = Random(7);
    for _ in 0..500 {
        let mut bytes = whole.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            bytes[at] = random.below(256) as u8;
        }
        bytes.truncate(bytes.len() - random.below(3) * random.below(bytes.len() / 2));
        let _ = import(&bytes, Some(Format::Algodoo));
    }
}

/// Nesting without end, and very many elements, are refused or read in bounded memory, without recursion over them.
#[test]
fn deep_and_wide_files_are_answered() {
    let deep = |open: &str, close: &str, n: usize| format!("{}{}", open.repeat(n), close.repeat(n));
    let refused = |text: String, format| import(text.as_bytes(), Some(format)).unwrap_err();
    refused(format!("{{\"body\": {}}}", deep("[", "]", 100_000)), Format::Rube);
    let lists =
        refused(format!("Scene.addBox {{ size := {} }};", deep("[", "]", 100_000)), Format::Algodoo);
    assert!(lists[0].message.contains("at most 16 lists"), "{}", lists[0]);
    let world = |inside: String| format!("<mujoco><worldbody>{inside}</worldbody></mujoco>");
    // Bodies in one another, each with a mass: read without a stack per level.
    let body = "<body pos=\"3 0 0\"><joint axis=\"0 1 0\"/><geom size=\"1\"/>";
    let chain = import(world(deep(body, "</body>", 3_000)).as_bytes(), None).unwrap();
    assert_eq!(chain.scene.world.joints().len(), 3_000);
    let entities = "<!DOCTYPE a [<!ENTITY b \"bbbbbbbb\">]><mujoco>&b;</mujoco>".to_owned();
    refused(entities, Format::Mjcf);
    let many = refused(world("<a/>".repeat(1_100_000)), Format::Mjcf);
    assert!(many[0].message.contains("nodes limit"), "{}", many[0]);
    let wide =
        refused("Scene.addGroup { entityIDs := [".to_owned() + &"0,".repeat(9_000_000), Format::Algodoo);
    assert!(wide[0].message.contains("at most 8000000 values"), "{}", wide[0]);
}
