//! Keys and the sheet that lists them.

use super::panels::window;
use driftlab::app::keys::{Binding, bindings, command, command_on, keys_of, taken_from_browser};
use driftlab::app::panels::help;
use driftlab::platform::Host;
use driftlab::schemes::TABLE;
use driftlab::workbench::command::Command;
use egui_kittest::kittest::Queryable;
use egui_macroquad::egui::{Key, Modifiers};

/// Keys play, pause, step, and choose schemes and scenes.
#[test]
fn keys_have_commands() {
    let mut model = super::model("six-link-chain");
    let key = |key| command(key, Modifiers::NONE, false).expect("a command");
    model.apply(key(Key::Space));
    assert!(model.runs.player.playing);
    model.apply(key(Key::O));
    assert_eq!((model.runs.player.playing, model.run().world().steps()), (false, 1));
    let scheme = model.run().scheme_index();
    model.apply(key(Key::Period));
    assert_eq!(model.run().scheme_index(), (scheme + 1) % TABLE.len());
    model.apply(key(Key::Comma));
    model.apply(key(Key::Comma));
    assert_eq!(model.run().scheme_index(), (scheme + TABLE.len() - 1) % TABLE.len());
    model.apply(key(Key::Num3));
    assert_eq!(model.run().scheme_index(), 2);
    let title = model.files.title.clone();
    model.apply(key(Key::CloseBracket));
    assert_ne!(model.files.title, title);
    assert!(!model.runs.player.playing, "changing the scene while paused stays paused");
    model.apply(key(Key::OpenBracket));
    assert_eq!(model.files.title, title);
    model.apply(key(Key::Space));
    model.apply(key(Key::CloseBracket));
    assert!(model.runs.player.playing);
}

/// While text is being typed only function keys and keys with Ctrl are commands, and no key is bound twice.
#[test]
fn typing_is_not_commanding() {
    assert_eq!(command(Key::Num2, Modifiers::NONE, true), None);
    assert_eq!(command(Key::Space, Modifiers::NONE, true), None);
    assert_eq!(command(Key::F1, Modifiers::NONE, true), Some(Command::ToggleHelp));
    assert_eq!(command(Key::O, Modifiers::CTRL, true), Some(Command::Open));
    assert_eq!(command(Key::O, Modifiers::NONE, false), Some(Command::StepForward));
    for host in Host::ALL {
        let all: Vec<_> = bindings(host).collect();
        for (index, binding) in all.iter().enumerate() {
            let rest = &all[index + 1..];
            let held = |b: &Binding| (b.ctrl, b.shift);
            let twice = |key| rest.iter().any(|b| held(b) == held(binding) && b.keys.contains(key));
            assert!(!binding.keys.iter().any(twice), "{:?} is bound twice in a {host:?}", binding.keys);
            // Shift and a letter is a tool.
            let tool =
                |key: &Key| binding.shift && !binding.ctrl && driftlab::app::keys::tool_of(*key).is_some();
            assert!(!binding.keys.iter().any(tool), "{:?} is a tool's", binding.keys);
        }
    }
}

/// What browsers do with keys, by the lists that Chrome, Firefox and Safari publish: a letter with Ctrl, and function
/// keys. Reload, print, bookmark, quit, new window, tab, close, find, history, source, address, and the tools of
/// developers; zoom is tested apart.
const OF_BROWSERS: ([Key; 16], [Key; 6]) = (
    [
        Key::R,
        Key::P,
        Key::D,
        Key::Q,
        Key::N,
        Key::T,
        Key::W,
        Key::F,
        Key::G,
        Key::H,
        Key::J,
        Key::U,
        Key::L,
        Key::E,
        Key::B,
        Key::I,
    ],
    [Key::F3, Key::F5, Key::F6, Key::F7, Key::F11, Key::F12],
);

/// In a page no key of its browser is bound, taken away from it or named by the sheet of keys, and every command of the
/// desktop has a key but those that are the browser's own: to close, to scale the text, to choose where a download goes.
#[test]
fn a_page_leaves_its_browser_the_browsers_keys() {
    let (letters, functions) = OF_BROWSERS;
    let zooms = [Key::Plus, Key::Equals, Key::Minus, Key::Num0];
    let taken = taken_from_browser();
    let page: Vec<_> = bindings(Host::Page).collect();
    for key in letters.into_iter().chain(zooms) {
        assert!(!page.iter().any(|b| b.ctrl && b.keys.contains(&key)), "Ctrl+{key:?} is bound");
        for shift in ["", "Shift+"] {
            let name = format!("Ctrl+{shift}Key{}", key.name());
            assert!(!taken.contains(&name), "{name} is taken");
        }
        assert_eq!(command_on(Host::Page, key, Modifiers::CTRL, false), None, "Ctrl+{key:?}");
    }
    for key in functions {
        assert!(!page.iter().any(|b| b.keys.contains(&key)), "{key:?} is bound");
        assert!(!taken.contains(&key.name().to_owned()), "{key:?} is taken");
    }
    let named: Vec<_> = help::blocks(Host::Page).into_iter().flat_map(|(_, lines)| lines).collect();
    for key in letters
        .map(|key| format!("Ctrl+{}", key.name()))
        .into_iter()
        .chain(functions.map(|key| key.name().to_owned()))
    {
        assert!(
            !named.iter().any(|(keys, _)| keys.split("  ").any(|shown| shown == key)),
            "{key} is on the sheet"
        );
    }
    let browsers = |command| matches!(command, Command::Quit | Command::TextSize(_) | Command::SaveAs);
    for own in bindings(Host::Desktop).filter(|b| !b.shown.is_empty() && !browsers(b.command)) {
        let keys = keys_of(Host::Page, own.command);
        assert!(keys.is_some(), "'{}' has no key in a page", own.meaning);
    }
    // What the program has with Ctrl, and its function keys, do not go to the browser.
    for name in [
        "Ctrl+KeyS",
        "Ctrl+KeyO",
        "Ctrl+KeyK",
        "Ctrl+KeyZ",
        "Ctrl+Shift+KeyZ",
        "Ctrl+KeyV",
        "F1",
        "F2",
        "F4",
    ] {
        assert!(taken.contains(&name.to_owned()), "{name}: {taken:?}");
    }
    assert_eq!(command_on(Host::Page, Key::M, Modifiers::NONE, false), Some(Command::Record));
    assert_eq!(command_on(Host::Desktop, Key::R, Modifiers::CTRL, false), Some(Command::Record));
    assert_eq!(command_on(Host::Desktop, Key::M, Modifiers::NONE, false), None);
}

/// The sheet of keys shows as many digits for schemes as there are schemes, at most nine.
#[test]
fn the_sheet_counts_the_schemes() {
    let mut harness = window(super::model("six-link-chain"));
    harness.state_mut().apply(Command::ToggleHelp);
    harness.run_steps(3);
    assert!(harness.query_by_label(&format!("1 … {}", TABLE.len().min(9))).is_some());
}
