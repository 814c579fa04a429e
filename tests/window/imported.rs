//! Files of other programs that are opened or dropped.

use driftlab::workbench::intent::Intent;

/// A file of another program is opened as a scene without a file, so that saving does not replace it, and what is left out is
/// shown.
#[test]
fn a_dropped_dump_becomes_the_scene() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.h");
    let text = "b2BodyDef bd;\nbd.type = b2BodyType(2);\nbd.position.Set(1.0f, 2.0f);\nbodies[0] = m_world->CreateBody(&bd);
b2FixtureDef fd;\nfd.density = 1.0f;\nb2CircleShape shape;\nshape.m_radius = 0.5f;\nbodies[0]->CreateFixture(&fd);
b2GearJointDef jd;\njoints[0] = m_world->CreateJoint(&jd);\n";
    std::fs::write(&path, text).unwrap();
    let mut model = super::model("box-at-rest");
    model.apply(Intent::OpenPath(path));
    assert_eq!(model.run().world().bodies().len(), 1);
    assert_eq!(model.document.path(), None);
    let shown = model.news.refusal.as_ref().expect("a list");
    assert_eq!(shown.problems.len(), 1);
    assert!(shown.problems[0].contains("gear") && shown.opened, "{:?}", shown.problems);
    // What is no scene at all leaves the world as it is.
    let wrong = folder.path().join("wrong.xml");
    std::fs::write(&wrong, "<mujoco><worldbody/></mujoco").unwrap();
    let mut model = super::model("box-at-rest");
    let bodies = model.run().world().bodies().len();
    model.apply(Intent::OpenPath(wrong));
    assert_eq!(model.run().world().bodies().len(), bodies);
    assert!(model.news.refusal.is_some_and(|refusal| !refusal.opened));
}
