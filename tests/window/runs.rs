use driftlab::app::commands::Command;
use driftlab::app::simulation::Setting;
use driftlab::experiment::Run;

/// Two runs are stepped side by side, each with its own method and to the same bits as alone; stepping back and restarting act
/// on the active one.
#[test]
fn two_runs_are_stepped_side_by_side() {
    let mut model = super::model("six-link-chain");
    let second = model.add_run(super::scene("box-at-rest"));
    model.apply(Setting::TimeStep(0.004));
    model.player.playing = true;
    for _ in 0..30 {
        model.advance(1.0 / 60.0);
    }
    assert_eq!((second, model.runs().len()), (1, 2));
    for (run, key, h) in
        [(&model.runs()[0], "six-link-chain", 0.001), (&model.runs()[1], "box-at-rest", 0.004)]
    {
        let mut scene = super::scene(key);
        scene.settings.time_step = h;
        let mut alone = Run::new(&scene, (0.5_f64 / h).round() as u64);
        assert!(alone.by_ref().all(|report| report.is_ok()));
        assert_eq!(run.world(), alone.world(), "{key}");
    }
    model.show_run(0);
    model.apply(Command::StepBack);
    assert_eq!([0, 1].map(|index| model.runs()[index].steps_behind()), [1, 0]);
    model.apply(Command::Restart);
    assert_eq!([0, 1].map(|index| model.runs()[index].world().steps), [0, 125]);
}

/// A step that fails in one run stops the player for all runs, and only the failed run reports the failure.
#[test]
fn a_failure_stops_all_runs() {
    let mut model = super::model("six-link-chain");
    model.add_run(super::scene("box-at-rest"));
    model.apply(Setting::TimeStep(-1.0));
    model.player.playing = true;
    model.advance(0.01);
    assert!(!model.player.playing);
    assert_eq!([0, 1].map(|index| model.runs()[index].failure().is_some()), [false, true]);
}
