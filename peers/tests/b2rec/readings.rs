//! What Box2D says of itself is what follows from the frames and poses of the recording.

use crate::{Run, at, pair};

/// The gaps of joints, from the poses of each line and the anchors of the scene, are Box2D's own readings to the rounding of
/// single precision: coordinates of up to 17 m have 10⁻⁶ m between two numbers.
#[test]
fn separations_are_those_of_the_frames() {
    let mut worst = 0.0_f64;
    let mut read = 0;
    for sample in ["chain", "motor", "comings", "joints"] {
        let run = Run::of(sample);
        for step in &run.steps {
            for acted in step.acted.iter().flatten().filter(|acted| acted.linear.is_some()) {
                let joint = &run.joints[acted.joint.unwrap()];
                let bodies = [0, 1].map(|side| run.number(&joint["bodies"][side]));
                let [a, b] = bodies.map(|body| step.q[body].unwrap());
                let [from, to] = [at(a, pair(&joint["anchor_a"])), at(b, pair(&joint["anchor_b"]))];
                let d = [to[0] - from[0], to[1] - from[1]];
                let gap = match joint["joint"].as_str().unwrap() {
                    "hinge" | "weld" => d[0].hypot(d[1]),
                    "distance" => (d[0].hypot(d[1]) - joint["length"].as_f64().unwrap()).abs(),
                    "slider" | "wheel" => {
                        // The axis is stated for the pose in the scene; in the first body's axes it is x in these samples.
                        let (s, c) = a[2].sin_cos();
                        (c * d[1] - s * d[0]).abs()
                    }
                    other => panic!("{other}"),
                };
                worst = worst.max((gap - acted.linear.unwrap()).abs());
                read += 1;
            }
        }
    }
    println!("{read} separations, the largest difference {worst:e} m");
    assert!(read > 2000 && worst < 4e-6, "{read} {worst:e}");
}

/// The first line has the world, the solver's settings and the engine's revision.
#[test]
fn the_first_line_says_whose_run_it_is() {
    let run = Run::of("chain");
    let settings = &run.header.engine.settings;
    // Box2D's defaults, `b2DefaultWorldDef` and `b2DefaultRevoluteJointDef`, at four substeps.
    for (name, value) in [
        ("contactHertz", 30.0),
        ("contactDampingRatio", 10.0),
        ("contactSpeed", 3.0),
        ("restitutionThreshold", 1.0),
        ("hitEventThreshold", 1.0),
        ("maximumLinearSpeed", 400.0),
        ("subStepCount", 4.0),
        ("jointHertz", 60.0),
        ("jointDampingRatio", 2.0),
    ] {
        assert_eq!(settings[name].as_f64(), Some(value), "{name}");
    }
    assert_eq!(run.header.engine.version.as_deref(), Some(driftlab_peers::box2d::BOX2D));
    assert_eq!((run.bodies.len(), run.joints.len(), run.steps.len()), (7, 6, 120));
    assert_eq!((run.told.steps, run.told.partial, run.told.notes.len()), (120, false, 0));
    assert!(run.header.left_out.is_empty(), "{:?}", run.header.left_out);
    let last = run.steps.last().unwrap();
    assert!((last.t - 2.0).abs() < 1e-6, "{}", last.t);
}

/// Bodies and joints that come and go: numbers go on, what is gone has no pose, and joints go with their bodies.
#[test]
fn bodies_come_and_go() {
    let run = Run::of("comings");
    // Ground, wall and three links before the first step; a ball at steps 10, 30, …, 110.
    assert_eq!(run.bodies.len(), 11);
    let came: Vec<usize> = (0..120).filter(|step| run.steps[*step].came.is_some()).collect();
    assert_eq!(came, [10, 30, 50, 70, 90, 110]);
    let went: Vec<(usize, Vec<usize>)> = (0..120)
        .filter_map(|step| run.steps[step].went.as_ref().map(|went| (step, went.bodies.clone())))
        .collect();
    assert_eq!(went, [(39, vec![5]), (70, vec![3]), (79, vec![6]), (119, vec![7])]);
    assert!(run.steps.iter().flat_map(|step| &step.went).all(|went| went.joints.is_empty()));
    assert_eq!(run.steps[38].q[5].is_some(), run.steps[39].q[5].is_none());
    let joints = |step: usize| run.steps[step].acted.as_ref().unwrap().len();
    assert_eq!((joints(69), joints(70)), (3, 1));
}

/// A motor's part stands apart: it never exceeds its largest torque, and alone it drives the arm.
#[test]
fn motors_stand_apart() {
    let run = Run::of("motor");
    let h = run.header.time_step.unwrap();
    let mut motors = 0;
    for acted in run.steps.iter().flat_map(|step| step.acted.iter().flatten()) {
        if let Some(driftlab_probe::format::Part::Motor) = acted.part {
            let most = [40.0, f64::NAN, 30.0][acted.joint.unwrap()];
            assert!(acted.along.unwrap().abs() <= most * h * 1.000001, "{acted:?}");
            motors += 1;
        }
    }
    assert_eq!(motors, 240);
    let spin = run.steps.last().unwrap().v.as_ref().unwrap()[1].unwrap()[2];
    assert!((spin - 3.0).abs() < 0.05, "{spin}");
}
