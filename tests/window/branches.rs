//! The past of all runs, and the futures that are left when a person acts there.

use super::comparison::{FRAME, fork, place, play};
use super::model;
use super::panels::window;
use driftlab::model::World;
use driftlab::workbench::intent::{Intent, Standard};
use driftlab::workbench::model::Model;
use driftlab::workbench::runs::live_run::Setting;
use driftlab::workbench::stage::pointer::Button;
use egui_kittest::kittest::Queryable;
use glam::dvec2;

/// Going back shows all runs at the same past time; run on untouched, they give the same bits again. A fork is not
/// there before it began.
#[test]
fn the_line_of_time_shows_the_past_of_all_runs() {
    let mut model = model("six-link-chain");
    play(&mut model, 0.3);
    model.apply(Intent::Beside(place("post_stabilization")));
    let begun = model.run().world().time();
    model.apply(Intent::Refer(Standard::SmallStep));
    play(&mut model, 0.8);
    let end = model.run().world().time();
    let worlds = |model: &Model| {
        [model.run().world().clone(), fork(model, 0).world().clone(), fork(model, 1).world().clone()]
    };
    let last = worlds(&model);
    for (time, forks) in [(0.7, 2), (0.5, 2), (0.1, 0), (0.4, 2)] {
        model.apply(Intent::Seek(time));
        while model.is_busy() {
            model.advance(0.0);
        }
        assert!((model.run().world().time() - time).abs() < 1e-9);
        assert_eq!(model.comparison().present().count(), forks, "t = {time}");
        for fork in model.comparison().present() {
            assert!((fork.run().world().time() - time).abs() < 1e-9, "t = {time}");
        }
    }
    assert!(begun > 0.29);
    model.apply(Intent::Seek(0.1));
    play(&mut model, end - 1e-6);
    assert_eq!(worlds(&model), last);
}

/// A change made in the past branches: the main run's old future stays to be seen, and a fork that began later begins there.
#[test]
fn acting_in_the_past_branches() {
    let mut model = model("six-link-chain");
    play(&mut model, 0.3);
    model.apply(Intent::Beside(place("post_stabilization")));
    play(&mut model, 0.6);
    model.apply(Intent::Seek(0.2));
    model.apply(Setting::Scheme(place("projection")));
    model.settle();
    let branch = model.run().branch().expect("the old future");
    let span = branch.span();
    assert!((span[0] - 0.2).abs() < 1e-9 && span[1] > 0.6, "{span:?}");
    let again = fork(&model, 0);
    assert_eq!((again.origin().time, again.world()), (model.run().world().time(), model.run().world()));
    assert_eq!(again.method().stabilizer.info().key, "post_stabilization");
}

fn worlds(model: &Model) -> Vec<World> {
    let forks = model.comparison().forks().iter().map(|fork| fork.run());
    [model.run()].into_iter().chain(forks).map(|run| run.world().clone()).collect()
}

/// When the main run, or the first fork, left a future, s.
fn begun(model: &Model) -> f64 {
    let branch = model.run().branch().or(fork(model, 0).branch());
    branch.expect("a future that was left").span()[0]
}

/// A future that was left is entered again with the same bits, a fork that had begun in it included; run on untouched
/// it gives the bits of a run that never left it. The other future can then be entered in the same way.
#[test]
fn the_left_branch_is_entered_again() {
    let until = |model: &mut Model| {
        play(model, 0.3);
        model.apply(Intent::Beside(place("post_stabilization")));
        play(model, 0.6);
    };
    let mut model = model("six-link-chain");
    until(&mut model);
    let (end, first) = (model.run().world().time(), worlds(&model));
    model.apply(Intent::Seek(0.2));
    model.apply(Setting::Scheme(place("projection")));
    model.settle();
    play(&mut model, 0.5);
    let (later, second) = (model.run().world().time(), worlds(&model));
    assert_ne!(first, second);
    let begun = begun(&model);
    model.apply(Intent::Enter { begun, time: end });
    assert_eq!(worlds(&model), first);
    assert!((fork(&model, 0).origin().time - 0.3).abs() < 0.02, "the fork begins where it had begun");
    play(&mut model, 0.9);
    let mut untouched = super::model("six-link-chain");
    until(&mut untouched);
    play(&mut untouched, 0.9);
    assert_eq!(worlds(&model), worlds(&untouched));
    model.apply(Intent::Enter { begun, time: later });
    assert_eq!(worlds(&model), second);
    assert_eq!(model.run().method().stabilizer.info().key, "projection");
    // In between as well, where steps are made again from a state that is kept.
    model.apply(Intent::Enter { begun, time: 0.4567 });
    assert!((model.run().world().time() - 0.456).abs() < 1e-9);
    model.apply(Intent::Seek(end));
    assert_eq!(worlds(&model)[0], first[0]);
}

/// A push in the past leaves the futures of all runs, and all of them come back. A change of a fork's method leaves
/// only the fork's.
#[test]
fn the_branches_of_all_runs_come_back() {
    let mut model = model("six-link-chain");
    model.apply(Intent::Beside(place("post_stabilization")));
    play(&mut model, 0.4);
    let (end, first) = (model.run().world().time(), worlds(&model));
    model.apply(Intent::Seek(0.2));
    let at = model.run().world().bodies()[5].pose.position;
    model.runs.player.playing = true;
    model.apply(Intent::Press { button: Button::ShiftLeft, at, reach: 0.0 });
    for frame in 0..6 {
        model.apply(Intent::Drag(at + dvec2(0.0, -0.1)));
        model.advance(FRAME);
        if frame == 3 {
            model.apply(Intent::Release);
        }
    }
    model.runs.player.playing = false;
    assert!(model.run().branch().is_some() && fork(&model, 0).branch().is_some());
    let left = begun(&model);
    model.apply(Intent::Enter { begun: left, time: end });
    assert_eq!(worlds(&model), first);
    model.apply(Intent::Seek(0.3));
    let id = model.comparison().forks()[0].id;
    model.apply(Intent::Edit(Some(id)));
    model.apply(Setting::Scheme(place("projection")));
    model.settle();
    play(&mut model, 0.4 - 1e-6);
    let now = worlds(&model);
    assert_eq!(now[0], first[0], "the main run repeats its recorded steps");
    assert_ne!(now[1], first[1]);
    let left = fork(&model, 0).branch().expect("the fork's future").span()[0];
    assert!((left - 0.3).abs() < 1e-9);
    model.apply(Intent::Enter { begun: left, time: end });
    assert_eq!(worlds(&model), first);
}

/// A click on the grey line below the line of time goes back to the future that was left.
#[test]
fn a_click_enters_the_branch() {
    let mut model = model("six-link-chain");
    play(&mut model, 0.6);
    let first = worlds(&model);
    model.apply(Intent::Seek(0.2));
    model.apply(Setting::Scheme(place("projection")));
    model.settle();
    play(&mut model, 0.3);
    let mut window = window(model);
    window.get_by_label("the future that was left").click();
    window.run_steps(2);
    let model = window.state_mut();
    assert_eq!(
        model.run().method().stabilizer.info().key,
        super::model("six-link-chain").run().method().stabilizer.info().key
    );
    model.apply(Intent::Seek(f64::INFINITY));
    assert_eq!(worlds(model), first);
}
