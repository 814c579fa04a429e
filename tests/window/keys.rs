//! Keys and the sheet that lists them.

use super::panels::window;
use driftlab::app::build::toolbox;
use driftlab::app::commands::{BINDINGS, Binding, Command, command};
use driftlab::schemes::TABLE;
use egui_kittest::kittest::Queryable;
use egui_macroquad::egui::{Key, Modifiers};

/// Keys play, pause, step, and choose schemes and scenes.
#[test]
fn keys_have_commands() {
    let mut model = super::model("six-link-chain");
    let key = |key| command(key, Modifiers::NONE, false).expect("a command");
    model.apply(key(Key::Space));
    assert!(model.player.playing);
    model.apply(key(Key::O));
    assert_eq!((model.player.playing, model.run().world().steps()), (false, 1));
    let scheme = model.run().scheme_index();
    model.apply(key(Key::Period));
    assert_eq!(model.run().scheme_index(), (scheme + 1) % TABLE.len());
    model.apply(key(Key::Comma));
    model.apply(key(Key::Comma));
    assert_eq!(model.run().scheme_index(), (scheme + TABLE.len() - 1) % TABLE.len());
    model.apply(key(Key::Num3));
    assert_eq!(model.run().scheme_index(), 2);
    let title = model.title.clone();
    model.apply(key(Key::CloseBracket));
    assert_ne!(model.title, title);
    assert!(!model.player.playing, "changing the scene while paused stays paused");
    model.apply(key(Key::OpenBracket));
    assert_eq!(model.title, title);
    model.apply(key(Key::Space));
    model.apply(key(Key::CloseBracket));
    assert!(model.player.playing);
}

/// While text is being typed only function keys and keys with Ctrl are commands, and no key is bound twice.
#[test]
fn typing_is_not_commanding() {
    assert_eq!(command(Key::Num2, Modifiers::NONE, true), None);
    assert_eq!(command(Key::Space, Modifiers::NONE, true), None);
    assert_eq!(command(Key::F1, Modifiers::NONE, true), Some(Command::ToggleHelp));
    assert_eq!(command(Key::O, Modifiers::CTRL, true), Some(Command::Open));
    assert_eq!(command(Key::O, Modifiers::NONE, false), Some(Command::StepForward));
    for (index, binding) in BINDINGS.iter().enumerate() {
        let rest = &BINDINGS[index + 1..];
        let held = |b: &Binding| (b.ctrl, b.shift);
        let twice = |key| rest.iter().any(|b| held(b) == held(binding) && b.keys.contains(key));
        assert!(!binding.keys.iter().any(twice), "{:?} is bound twice", binding.keys);
        // Shift and a letter is a tool.
        let tool = |key: &Key| binding.shift && !binding.ctrl && toolbox::by_letter(*key).is_some();
        assert!(!binding.keys.iter().any(tool), "{:?} is a tool's", binding.keys);
    }
}

/// The sheet of keys shows as many digits for schemes as there are schemes, at most nine.
#[test]
fn the_sheet_counts_the_schemes() {
    let mut harness = window(super::model("six-link-chain"));
    harness.state_mut().apply(Command::ToggleHelp);
    harness.run_steps(3);
    assert!(harness.query_by_label(&format!("1 … {}", TABLE.len().min(9))).is_some());
}
