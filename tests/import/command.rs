//! `driftlab import` and `driftlab export`: files, lines of what is left out, exit status.

use crate::driftlab;

const DUMP: &str = "b2BodyDef bd;\nbd.type = b2BodyType(2);\nbd.linearDamping = 1.0f;\nbodies[0] = m_world->CreateBody(&bd);
b2FixtureDef fd;\nfd.density = 1.0f;\nb2CircleShape shape;\nshape.m_radius = 1.0f;\nbodies[0]->CreateFixture(&fd);\nb2FixtureDef fd;
fd.isSensor = bool(1);\nb2CircleShape shape;\nbodies[0]->CreateFixture(&fd);\n";

/// A converted file is a scene that `check` accepts and `run` steps; what is left out is printed with its place; `--strict`
/// writes nothing.
#[test]
fn a_file_becomes_a_scene() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("a.txt"), DUMP).unwrap();
    let done =
        driftlab().args(["import", &path("a.txt"), "-o", &path("a.json")]).assert().code(0).stderr("");
    let told = String::from_utf8(done.get_output().stdout.clone()).unwrap();
    assert!(told.contains("a.txt: line 10: the sensor is left out"), "{told}");
    assert!(
        told.ends_with("a.txt: 1 body, 0 joints, 0 springs; 1 thing left out or otherwise\n"),
        "{told}"
    );
    driftlab().args(["check", &path("a.json")]).assert().code(0);
    driftlab().args(["run", &path("a.json"), "--time", "0.1"]).assert().code(0);
    // To standard output the scene goes alone.
    let piped = driftlab().args(["import", &path("a.txt")]).assert().code(0).get_output().clone();
    assert_eq!(piped.stdout, std::fs::read(path("a.json")).unwrap());
    assert!(!piped.stderr.is_empty());

    let strict = driftlab()
        .args(["import", &path("a.txt"), "--strict", "-o", &path("b.json")])
        .assert()
        .code(2)
        .stdout("");
    assert!(String::from_utf8_lossy(&strict.get_output().stderr).contains("sensor"));
    assert!(!std::path::Path::new(&path("b.json")).exists());
    driftlab().args(["import", &path("a.json")]).assert().code(2);
    driftlab().args(["import", &path("a.txt"), "-o", &path("a.txt")]).assert().code(2);
    // A run names the way.
    let run = driftlab().args(["run", &path("a.txt")]).assert().code(2);
    assert!(String::from_utf8_lossy(&run.get_output().stderr).contains("driftlab import"));
}

/// A scene becomes MJCF, and that a scene again.
#[test]
fn a_scene_becomes_mjcf() {
    let folder = tempfile::tempdir().unwrap();
    let xml = folder.path().join("chain.xml");
    driftlab().args(["export", "six-link-chain", "-o"]).arg(&xml).assert().code(0).stderr("");
    let text = std::fs::read_to_string(&xml).unwrap();
    assert_eq!(text.matches("type=\"hinge\"").count(), 6);
    driftlab().arg("import").arg(&xml).arg("--strict").assert().code(0);
}
