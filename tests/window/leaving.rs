//! Ways out of a document: whatever puts another in its place, or closes the window, asks first where there is unsaved work.

use driftlab::app::keys::BINDINGS;
use driftlab::glam::DVec2;
use driftlab::scene::catalogue;
use driftlab::workbench::command::Command;
use driftlab::workbench::editor::align::Alignment;
use driftlab::workbench::editor::edit::Edit;
use driftlab::workbench::editor::scene_text::SceneText;
use driftlab::workbench::editor::snap::Snap;
use driftlab::workbench::editor::{Act, EditorIntent, Handle, Mode};
use driftlab::workbench::file_kind::FileKind;
use driftlab::workbench::intent::{Answer, Hover, Intent, Standard};
use driftlab::workbench::model::{FileAction, Kept, Model, Request};
use driftlab::workbench::options::{OpenScene, OpenTable};
use driftlab::workbench::runs::live_run::Setting;
use driftlab::workbench::runs::remedy::Remedy;
use driftlab::workbench::stage::pointer::Button;
use driftlab::workbench::view_state::arrangement::Arrangement;
use driftlab::workbench::view_state::edge::Edge;
use driftlab::workbench::view_state::side_tab::SideTab;
use driftlab::workbench::view_state::text_size::TextSize;
use driftlab::workbench::watched::Watchable;
use std::collections::BTreeSet;

/// Gravity that a person has set, which is the unsaved work: no shipped scene has it.
const WORK: DVec2 = DVec2::new(0.125, -3.0);

/// A window with work that no file has: from a shipped scene, some steps after its start if `moved`.
fn worked(moved: bool) -> Model {
    let mut model = super::model("single-pendulum");
    if moved {
        (0..5).for_each(|_| model.apply(Command::StepForward));
    }
    model.apply(Intent::Editor(EditorIntent::Edit(Edit::Gravity(WORK))));
    model.settle();
    assert!(model.is_unsaved());
    model
}

/// A recording without a step.
const RECORDING: &[u8] =
    br#"{"format":"driftlab-recording/1","engine":{"name":"toy"},"scene":{"bodies":[]}}"#;

/// Whether the window stays open, and the work is there, as work that no file has, or End, Ctrl+Z or Ctrl+Y brings it back.
fn is_there(mut model: Model) -> bool {
    if model.news.requests.contains(&Request::Quit) {
        return false;
    }
    let has = |model: &Model| model.run().world().gravity() == WORK;
    // Stepping back discards nothing.
    if !has(&model) {
        model.apply(Command::HistoryEnd);
    }
    let mut left = 20;
    while !has(&model) && !model.runs.undo.done().is_empty() && left > 0 {
        model.apply(Command::Build(Act::Undo));
        left -= 1;
    }
    while !has(&model) && !model.runs.undo.undone().is_empty() && left > 0 {
        model.apply(Command::Build(Act::Redo));
        left -= 1;
    }
    has(&model) && model.is_unsaved()
}

/// Every command, each at least once. Whoever adds one is led here by the compiler.
fn commands() -> Vec<Command> {
    let acts = [
        Act::Mode(Mode::Build),
        Act::Tool(0),
        Act::Undo,
        Act::Redo,
        Act::Delete,
        Act::Duplicate,
        Act::SelectAll,
        Act::Copy,
        Act::Cut,
        Act::Finish,
        Act::New,
    ];
    let number = |act: &Act| match act {
        Act::Mode(_) => 0,
        Act::Tool(_) => 1,
        Act::Undo => 2,
        Act::Redo => 3,
        Act::Delete => 4,
        Act::Duplicate => 5,
        Act::SelectAll => 6,
        Act::Copy => 7,
        Act::Cut => 8,
        Act::Finish => 9,
        Act::New => 10,
    };
    assert_eq!(acts.iter().map(number).collect::<BTreeSet<_>>().len(), 11, "every act");
    let others = [
        Command::TogglePlay,
        Command::StepForward,
        Command::StepBack,
        Command::Steps(10),
        Command::HistoryStart,
        Command::HistoryEnd,
        Command::Restart,
        Command::Record,
        Command::Replay,
        Command::Scene(1),
        Command::CycleScheme(1),
        Command::Scheme(3),
        Command::Fit,
        Command::ToggleScenes,
        Command::TogglePanel,
        Command::TogglePlot,
        Command::Present,
        Command::TextSize(1),
        Command::ToggleHelp,
        Command::Screenshot,
        Command::Clip,
        Command::Open,
        Command::Save,
        Command::SaveAs,
        Command::SaveRecording,
        Command::CopyLink,
        Command::CopyCommand,
        Command::Dismiss,
        Command::Quit,
    ];
    let number = |command: &Command| match command {
        Command::TogglePlay => 0,
        Command::StepForward => 1,
        Command::StepBack => 2,
        Command::Steps(_) => 3,
        Command::HistoryStart => 4,
        Command::HistoryEnd => 5,
        Command::Restart => 6,
        Command::Record => 7,
        Command::Replay => 8,
        Command::Scene(_) => 9,
        Command::CycleScheme(_) => 10,
        Command::Scheme(_) => 11,
        Command::Fit => 12,
        Command::ToggleScenes => 13,
        Command::TogglePanel => 14,
        Command::TogglePlot => 15,
        Command::Present => 16,
        Command::TextSize(_) => 17,
        Command::ToggleHelp => 18,
        Command::Screenshot => 19,
        Command::Clip => 20,
        Command::Open => 21,
        Command::Save => 22,
        Command::SaveAs => 23,
        Command::CopyLink => 24,
        Command::CopyCommand => 25,
        Command::Dismiss => 26,
        Command::Quit => 27,
        Command::SaveRecording => 28,
        Command::Build(_) => 29,
    };
    assert_eq!(others.iter().map(number).collect::<BTreeSet<_>>().len(), 29, "every command");
    let bound = BINDINGS.iter().map(|binding| binding.command);
    others.into_iter().chain(acts.map(Command::Build)).chain(bound).collect()
}

/// Every other intent, each at least once.
fn intents(model: &Model) -> Vec<Intent> {
    let text = catalogue::find("rolling-disk").expect("a shipped scene").text.to_owned();
    let fork = {
        let mut model = super::model("single-pendulum");
        model.apply(Intent::Beside(2));
        model.comparison().forks().first().expect("a run beside").id
    };
    let body = model.run().world().id_of(1).expect("a body");
    let snap = Snap::default();
    let zero = DVec2::ZERO;
    let makes = [
        EditorIntent::Press { at: zero, reach: 0.1, adds: false, snap },
        EditorIntent::Hold { handle: Handle::Turn, at: zero },
        EditorIntent::Drag { to: zero, snap },
        EditorIntent::Release,
        EditorIntent::Count(3),
        EditorIntent::Snaps(false),
        EditorIntent::Select(Vec::new()),
        EditorIntent::Edit(Edit::Gravity(zero)),
        EditorIntent::Align(Alignment::Left),
        EditorIntent::Write(SceneText::Name, "Another name".to_owned()),
        EditorIntent::Duration(3.0),
        EditorIntent::BeginHere,
        EditorIntent::Assemble,
        EditorIntent::Paste("{}".to_owned()),
        EditorIntent::GoTo(0),
    ];
    let number = |make: &EditorIntent| match make {
        EditorIntent::Press { .. } => 0,
        EditorIntent::Hold { .. } => 1,
        EditorIntent::Drag { .. } => 2,
        EditorIntent::Release => 3,
        EditorIntent::Count(_) => 4,
        EditorIntent::Snaps(_) => 5,
        EditorIntent::Select(_) => 6,
        EditorIntent::Edit(_) => 7,
        EditorIntent::Align(_) => 8,
        EditorIntent::Write(..) => 9,
        EditorIntent::Duration(_) => 10,
        EditorIntent::BeginHere => 11,
        EditorIntent::Assemble => 12,
        EditorIntent::Paste(_) => 13,
        EditorIntent::GoTo(_) => 14,
    };
    assert_eq!(makes.iter().map(number).collect::<BTreeSet<_>>().len(), 15, "all of building");
    let others = [
        Intent::Command(Command::Quit),
        Intent::Play,
        Intent::Speed(0.5),
        Intent::Remedy(Remedy::Undo),
        Intent::Set(Setting::Scheme(0)),
        Intent::Beside(2),
        Intent::Fork(None),
        Intent::Refer(Standard::Rattle),
        Intent::Edit(None),
        Intent::Promote(fork),
        Intent::Close(fork),
        Intent::CloseAll,
        Intent::EqualCost(None),
        Intent::Arrange(Arrangement::Panes),
        Intent::Aim(0),
        Intent::MakeConsistent,
        Intent::Say("a message".to_owned()),
        Intent::Sort(None),
        Intent::Seek(0.0),
        Intent::Enter { begun: 0.0, time: 0.0 },
        Intent::Language("ERP".to_owned()),
        Intent::Push(model.run().push),
        Intent::Editor(EditorIntent::Release),
        Intent::Press { button: Button::Left, at: zero, reach: 0.1 },
        Intent::Drag(zero),
        Intent::Release,
        Intent::Keys(1),
        Intent::Hover(Hover::default()),
        Intent::Select(None),
        Intent::Watch(Watchable::Body(body)),
        Intent::Sizing(false),
        Intent::Pan([0.0; 2]),
        Intent::Slide([0.0; 2]),
        Intent::Zoom { about: [0.0; 2], factor: 1.1 },
        Intent::View(model.view),
        Intent::Plot(model.shown.plot.clone()),
        Intent::Browse(None),
        Intent::TextSize(TextSize::default()),
        Intent::Side(SideTab::Look),
        Intent::Solve(model.shown.solve),
        Intent::SaveProblem,
        Intent::Problem(true),
        Intent::SavePlot(FileKind::Table),
        Intent::Open(OpenScene { title: "another".to_owned(), path: None, text }),
        Intent::PlayBack(OpenTable { title: "t.csv".to_owned(), path: None, text: String::new() }),
        Intent::Resize(Edge::Panel, 400.0),
        Intent::ChooseTrajectory,
        Intent::OpenLink("#scene=rolling-disk".to_owned()),
        Intent::OpenShipped("rolling-disk"),
        Intent::OpenPath("/no/such/file.json".into()),
        Intent::Chosen("/no/such/file.json".into()),
        Intent::LeaveDialog,
        Intent::Answer(Answer::Stay),
        Intent::TakeLost,
        Intent::ForgetLost,
        Intent::Tour { tour: 0, step: 0 },
        Intent::Predict(0),
        Intent::SignAs("Ada".to_owned()),
        Intent::CopyCertificate,
        Intent::Page(String::new()),
        Intent::OpenRecording("run.jsonl".to_owned(), RECORDING.to_vec()),
        Intent::ChooseWatch,
        Intent::WatchRecording("/no/such/file.jsonl".to_owned()),
        Intent::LeaveTour,
        Intent::CloseHelp,
        Intent::CloseRefusal,
    ];
    let number = |intent: &Intent| match intent {
        Intent::Command(_) => 0,
        Intent::Play => 1,
        Intent::Speed(_) => 2,
        Intent::Remedy(_) => 3,
        Intent::Set(_) => 4,
        Intent::Beside(_) => 5,
        Intent::Fork(_) => 6,
        Intent::Refer(_) => 7,
        Intent::Edit(_) => 8,
        Intent::Promote(_) => 9,
        Intent::Close(_) => 10,
        Intent::CloseAll => 11,
        Intent::EqualCost(_) => 12,
        Intent::Arrange(_) => 13,
        Intent::Aim(_) => 14,
        Intent::MakeConsistent => 15,
        Intent::Say(_) => 16,
        Intent::Sort(_) => 17,
        Intent::Seek(_) => 18,
        Intent::Enter { .. } => 19,
        Intent::Language(_) => 20,
        Intent::Push(_) => 21,
        Intent::Editor(_) => 22,
        Intent::Press { .. } => 23,
        Intent::Drag(_) => 24,
        Intent::Release => 25,
        Intent::Hover(_) => 26,
        Intent::Select(_) => 27,
        Intent::Watch(_) => 28,
        Intent::Sizing(_) => 29,
        Intent::Pan(_) => 30,
        Intent::Slide(_) => 31,
        Intent::Zoom { .. } => 32,
        Intent::View(_) => 33,
        Intent::Plot(_) => 34,
        Intent::Browse(_) => 35,
        Intent::TextSize(_) => 36,
        Intent::Side(_) => 37,
        Intent::Solve(_) => 38,
        Intent::SaveProblem => 39,
        Intent::SavePlot(_) => 40,
        Intent::Open(_) => 41,
        Intent::PlayBack(_) => 42,
        Intent::Resize(..) => 43,
        Intent::ChooseTrajectory => 44,
        Intent::OpenLink(_) => 45,
        Intent::OpenShipped(_) => 46,
        Intent::OpenPath(_) => 47,
        Intent::Chosen(_) => 48,
        Intent::LeaveDialog => 49,
        Intent::Answer(_) => 50,
        Intent::TakeLost => 51,
        Intent::ForgetLost => 52,
        Intent::Tour { .. } => 53,
        Intent::Predict(_) => 54,
        Intent::LeaveTour => 55,
        Intent::CloseHelp => 56,
        Intent::CloseRefusal => 57,
        Intent::Page(_) => 58,
        Intent::Problem(_) => 59,
        Intent::Keys(_) => 60,
        Intent::OpenRecording(..) => 61,
        Intent::ChooseWatch => 62,
        Intent::WatchRecording(_) => 63,
        Intent::SignAs(_) => 64,
        Intent::CopyCertificate => 65,
    };
    assert_eq!(others.iter().map(number).collect::<BTreeSet<_>>().len(), 66, "every intent");
    others.into_iter().chain(makes.map(Intent::Editor)).collect()
}

/// No command and no intent loses work that no file has: each asks first, keeps the work, or can be undone. At the
/// scene's start and in the midst of a run.
#[test]
fn nothing_loses_unsaved_work_unasked() {
    for moved in [false, true] {
        let every = intents(&worked(moved));
        let every = commands().into_iter().map(Intent::Command).chain(every);
        for intent in every {
            let mut model = worked(moved);
            model.apply(intent.clone());
            model.settle();
            // What waits for the answer has done nothing.
            let asks = model.document.is_asking();
            assert!(is_there(model), "{intent:?}{}", if asks { ", which asks" } else { "" });
        }
    }
}

/// Ctrl+N, the neighbours of a scene, whatever is opened by dialog, list, drop, link, paste or recovery, tours and
/// their steps that open a scene, and the end of the window ask, and do what they are for once work is given up.
#[test]
fn every_way_out_asks() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("other.json");
    let text = catalogue::find("rolling-disk").expect("a shipped scene").text.to_owned();
    std::fs::write(&path, &text).expect("a file");
    let open = OpenScene { title: "another".to_owned(), path: None, text: text.clone() };
    let lost = Kept { name: "Lost".to_owned(), title: "lost".to_owned(), path: None, text };
    let ways = [
        Intent::Command(Command::Build(Act::New)),
        Intent::Command(Command::Scene(1)),
        Intent::Command(Command::Scene(-1)),
        Intent::Command(Command::Quit),
        Intent::Open(open),
        Intent::OpenLink("#scene=rolling-disk".to_owned()),
        Intent::OpenShipped("rolling-disk"),
        Intent::OpenPath(path.clone()),
        Intent::Chosen(path),
        Intent::TakeLost,
        Intent::Tour { tour: 0, step: 0 },
    ];
    for way in ways {
        let mut model = worked(true);
        model.files.lost = matches!(way, Intent::TakeLost).then(|| lost.clone());
        let is_choosing = matches!(way, Intent::Chosen(_));
        model.files.file_action = is_choosing.then_some(FileAction::Open);
        model.apply(way.clone());
        assert!(model.document.is_asking(), "{way:?}");
        assert_eq!(model.files.title, "single-pendulum", "{way:?}");
        assert!(model.kept().is_some(), "{way:?}: the recovery file stays");
        model.apply(Intent::Answer(Answer::Discard));
        let quits = model.news.requests.contains(&Request::Quit);
        assert!(quits || model.files.title != "single-pendulum", "{way:?}");
    }
}

/// In the midst of a tour, too, a step that opens a scene asks before it takes the place of what was built, and one
/// that opens none does not.
#[test]
fn a_step_of_a_tour_asks_before_it_opens_a_scene() {
    let mut model = super::model("single-pendulum");
    let tour = model
        .library
        .tours
        .iter()
        .position(|tour| tour.steps.iter().skip(1).any(|step| step.scene.is_none()));
    let tour = tour.expect("a tour that goes on in its scene");
    for step in 1..model.library.tours[tour].steps.len() {
        model.apply(Intent::Tour { tour, step: 0 });
        model.apply(Intent::Editor(EditorIntent::Edit(Edit::Gravity(WORK))));
        model.apply(Intent::Tour { tour, step });
        let opens = model.library.tours[tour].steps[step].scene.is_some();
        assert_eq!(model.document.is_asking(), opens, "step {step}");
        model.apply(Intent::Answer(if opens { Answer::Discard } else { Answer::Stay }));
        assert_eq!(model.library.progress.map(|progress| progress.step), Some(step));
        model.apply(Intent::OpenShipped("single-pendulum"));
        model.apply(Intent::Answer(Answer::Discard));
    }
}

/// A restart in the midst of a run leaves what was built on the way, says so, and is undone by Ctrl+Z; one that leaves
/// nothing is no change.
#[test]
fn a_restart_can_be_undone() {
    let mut model = worked(true);
    let world = model.run().world().clone();
    model.apply(Command::Restart);
    assert!(model.run().world().gravity() != WORK && model.is_unsaved());
    assert!(model.news.toast.as_ref().is_some_and(|toast| toast.text.contains("Ctrl+Z")));
    model.apply(Command::Build(Act::Undo));
    assert_eq!(model.run().world(), &world);
    let mut model = worked(false);
    (0..5).for_each(|_| model.apply(Command::StepForward));
    let changes = model.runs.undo.done().len();
    model.apply(Command::Restart);
    assert_eq!(model.runs.undo.done().len(), changes, "what was built at the start is the scene's");
    assert_eq!(model.run().world().gravity(), WORK);
}
