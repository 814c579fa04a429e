//! A person who presses everything: random intents between frames leave a window's model that can be drawn and stepped.

use super::source::Source;
use super::tally::Tally;
use super::targets::bits;
use driftlab::lcp::solvers;
use driftlab::method::{Integrator, Level};
use driftlab::scene::{Scene, catalogue};
use driftlab::schemes::TABLE;
use driftlab::workbench::command::Command;
use driftlab::workbench::engine::Stepping;
use driftlab::workbench::intent::{Intent, Standard};
use driftlab::workbench::model::Model;
use driftlab::workbench::options::OpenScene;
use driftlab::workbench::runs::live_run::Setting;
use driftlab::workbench::runs::player::Player;
use driftlab::workbench::stage::pointer::Button;
use driftlab::workbench::view_state::arrangement::Arrangement;
use driftlab::workbench::view_state::side_tab::SideTab;
use glam::DVec2;

/// Intents at most: each change of the method can survey a stability map, which takes up to a tenth of a second.
const INTENTS: usize = 16;
/// Small scenes of every kind.
const SCENES: [&str; 6] =
    ["six-link-chain", "box-at-rest", "slider-crank", "knife-edge", "newtons-cradle", "driven-pendulum"];

/// Whatever is asked of the window, it answers without a panic, its history can be sought, and its world saves and loads.
pub fn window_intents(data: &[u8], _: &mut Tally) {
    let source = &mut Source::new(data);
    let text = catalogue::find(source.pick::<&str>(&SCENES)).unwrap().text;
    let scene = OpenScene { title: "scene".to_owned(), path: None, text: text.to_owned() };
    let mut model = Model::new(Some(scene), Player::new(true), Stepping::within_frame(None)).unwrap();
    for _ in 0..INTENTS {
        if source.is_empty() {
            break;
        }
        let intent = intent(source);
        model.apply(intent);
        model.settle();
        // No more than some steps, whatever the time step and the speed are.
        if source.chance(200) && model.run().time_step() > 1e-4 && model.runs.player.speed <= 1.0 {
            model.advance(1.0 / 60.0);
        }
    }
    let world = model.run().world().clone();
    if bits(&world).iter().all(|bits| f64::from_bits(*bits).is_finite()) {
        let mut scene = Scene::parse(text).unwrap();
        scene.world = world;
        let saved = scene.to_json();
        assert!(Scene::parse(&saved).is_ok(), "{:?}\n{saved}", Scene::parse(&saved).err());
    }
}

fn point(source: &mut Source<'_>) -> DVec2 {
    2.0 * DVec2::new(source.signed(), source.signed())
}

fn intent(source: &mut Source<'_>) -> Intent {
    match source.below(22) {
        0 => Intent::Command(command(source)),
        1 => Intent::Play,
        2 => Intent::Speed(source.scale(2.0)),
        3 => Intent::Set(Setting::Scheme(source.below(TABLE.len()))),
        4 => Intent::Set(Setting::Level(*source.pick(&Level::ALL))),
        5 => Intent::Set(Setting::Integrator(*source.pick(&Integrator::ALL))),
        6 => {
            let all: Vec<_> = solvers().collect();
            Intent::Set(Setting::Solver(source.pick(&all).clone()))
        }
        7 => Intent::Set(Setting::TimeStep(0.01 * source.scale(1.5))),
        8 => Intent::Beside(source.below(TABLE.len())),
        9 => Intent::Fork(None),
        10 => Intent::Refer(if source.chance(128) { Standard::Rattle } else { Standard::SmallStep }),
        11 => Intent::CloseAll,
        12 => Intent::Arrange(if source.chance(128) { Arrangement::Panes } else { Arrangement::Overlay }),
        13 => Intent::Aim(source.below(4)),
        14 => Intent::Seek(source.signed()),
        15 | 16 => {
            let button = *source.pick(&[Button::Left, Button::ShiftLeft, Button::Right, Button::Middle]);
            Intent::Press { button, at: point(source), reach: 0.1 * source.unit() }
        }
        17 | 18 => Intent::Drag(point(source)),
        19 => Intent::Release,
        20 => Intent::Side(*source.pick(&[SideTab::Method, SideTab::Look, SideTab::Workings])),
        _ => Intent::Tour { tour: source.below(10), step: source.below(12) },
    }
}

fn command(source: &mut Source<'_>) -> Command {
    match source.below(19) {
        0 => Command::TogglePlay,
        1 => Command::StepForward,
        2 => Command::StepBack,
        3 => Command::Steps(source.below(40) as i32 - 20),
        4 => Command::HistoryStart,
        5 => Command::HistoryEnd,
        6 => Command::Restart,
        7 => Command::Record,
        8 => Command::Replay,
        9 => Command::CycleScheme(source.below(5) as isize - 2),
        10 => Command::Scheme(source.below(30)),
        11 => Command::Fit,
        12 => Command::ToggleScenes,
        13 => Command::TogglePanel,
        14 => Command::ToggleHelp,
        15 => Command::TogglePlot,
        16 => Command::Present,
        17 => Command::TextSize(source.below(3) as i32 - 1),
        _ => Command::Dismiss,
    }
}
