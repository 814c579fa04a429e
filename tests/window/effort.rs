//! The effort of a step: bounded where a scene does not say, kept in what is saved, and the same for all runs.

use super::comparison::fork;
use super::model;
use super::panels::window;
use driftlab::method::Effort;
use driftlab::scene::{Scene, catalogue};
use driftlab::workbench::intent::{Answer, Intent};
use driftlab::workbench::model::Model;
use driftlab::workbench::options::OpenScene;
use driftlab::workbench::runs::history::{History, Worked};
use driftlab::workbench::runs::live_run::Setting;
use egui_kittest::kittest::Queryable;

fn opened(text: String) -> Model {
    let mut model = model("six-link-chain");
    model.apply(Intent::Open(OpenScene { title: "pile".to_owned(), path: None, text }));
    assert_eq!(model.news.refusal, None);
    model
}

fn effort(model: &Model) -> Effort {
    model.run().method().effort
}

/// Protects people's hands from long steps, and their choice from the window: a scene that does not say is bounded, one
/// that asks for exact steps gets them, and what is saved says which it was.
#[test]
fn a_scene_keeps_its_effort_and_is_bounded_without_one() {
    let text = catalogue::find("pyramid-10").expect("a scene").text;
    assert_eq!(Scene::parse(text).expect("a scene").settings.method.effort, Effort::Exact, "headless");
    assert_eq!(effort(&opened(text.to_owned())), Effort::Bounded);
    for chosen in Effort::ALL {
        let mut model = opened(text.to_owned());
        model.apply(Intent::Set(Setting::Effort(chosen)));
        let saved = model.run().to_scene().to_json();
        let again = Scene::parse(&saved).expect("a scene");
        assert_eq!(again.settings.method.effort, chosen, "headless runs repeat what was seen");
        assert_eq!(effort(&opened(saved)), chosen);
        let link = model.link().to_string();
        let other = Effort::ALL.into_iter().find(|own| *own != chosen).expect("another one");
        model.apply(Intent::Set(Setting::Effort(other)));
        model.apply(Intent::OpenLink(link));
        model.apply(Intent::Answer(Answer::Discard));
        assert_eq!(effort(&model), chosen);
    }
}

/// Protects comparisons: runs side by side and the reference make the same effort, also after it was changed.
#[test]
fn all_runs_make_the_same_effort() {
    let mut model = opened(catalogue::find("pyramid-10").expect("a scene").text.to_owned());
    let place = super::comparison::place("anitescu_hart");
    model.apply(Intent::Beside(place));
    assert_eq!(fork(&model, 0).method().effort, Effort::Bounded);
    model.apply(Intent::Set(Setting::Effort(Effort::Exact)));
    assert_eq!((effort(&model), fork(&model, 0).method().effort), (Effort::Exact, Effort::Exact));
}

/// Protects honesty: the share of approximate steps among the recent ones and the worst of their residuals are those of
/// the reports, and steps that are taken back no longer count.
#[test]
fn approximate_steps_are_counted() {
    let mut history = History::default();
    for step in 0..100_u64 {
        history.push(&crate::scene::reported(|report| {
            (report.step, report.time) = (step, step as f64 * 1e-3);
            report.approximate_residual = [None, Some(2e-4), None, Some(1e-5)][(step % 4) as usize];
        }));
    }
    assert_eq!(history.approximate(), Some([0.5, 2e-4]));
    history.rewind(0.5e-3, Worked::default());
    assert_eq!(history.approximate(), None);
}

/// The panel offers the choice beside the solver, and not to a scheme that brings its own solver.
#[test]
fn the_panel_offers_the_effort() {
    let mut model = opened(catalogue::find("pyramid-10").expect("a scene").text.to_owned());
    model.apply(Intent::Side(driftlab::workbench::view_state::side_tab::SideTab::Workings));
    let mut harness = window(model);
    harness.get_by_label("exact").click();
    harness.run_steps(3);
    assert_eq!(effort(harness.state()), Effort::Exact);
    harness.state_mut().apply(Intent::Set(Setting::Scheme(super::comparison::place("soft"))));
    harness.run_steps(3);
    harness.get_by_label("bounded").click();
    harness.run_steps(3);
    assert_eq!(effort(harness.state()), Effort::Exact, "its sweeps are bounded by their number");
}
