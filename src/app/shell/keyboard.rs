//! The keyboard: macroquad's events as commands, and the repair of egui's text input.
//!
//! Under X11 the modifiers that come with an event lag behind, so that Ctrl+V types a 'v' and a quick Ctrl+O arrives as O.
//! Modifiers are therefore tracked through their own key events, in order.

use crate::app::keys::{command, is_switch};
use crate::workbench::command::Command;
use egui_macroquad::egui::{Context, Event, Key, Modifiers};
use macroquad::input::utils::{register_input_subscriber, repeat_all_miniquad_input};
use macroquad::miniquad::{self, EventHandler, KeyMods};
use macroquad::prelude::KeyCode;

/// Reads the keyboard.
pub(super) struct Keyboard {
    subscriber: usize,
    /// Modifiers that are down.
    modifiers: Modifiers,
    /// Keys pressed in this frame, with the modifiers of that moment.
    pressed: Vec<(KeyCode, Modifiers)>,
    /// The same with keys that repeat while they are held.
    struck: Vec<(KeyCode, Modifiers)>,
    /// Text typed in this frame.
    text: String,
}

impl Keyboard {
    pub(super) fn new() -> Self {
        Self {
            subscriber: register_input_subscriber(),
            modifiers: Modifiers::NONE,
            pressed: Vec::new(),
            struck: Vec::new(),
            text: String::new(),
        }
    }

    /// Reads the events since the last frame and returns their commands.
    ///
    /// `switches` are the keys that switch forces of the scene: they have no command.
    pub(super) fn read(&mut self, typing: bool, switches: u64) -> Vec<Command> {
        self.pressed.clear();
        self.struck.clear();
        self.text.clear();
        let subscriber = self.subscriber;
        repeat_all_miniquad_input(self, subscriber);
        let keys = self.pressed.iter().filter_map(|(code, modifiers)| Some((key(*code)?, modifiers)));
        let keys = keys.filter(|(key, modifiers)| typing || !is_switch(switches, *key, **modifiers));
        keys.filter_map(|(key, modifiers)| command(key, *modifiers, typing)).collect()
    }

    /// Corrects the keys and text that egui received in this frame.
    pub(super) fn repair(&self, ctx: &Context) {
        let with_ctrl = |code| self.pressed.iter().any(|(key, with)| *key == code && with.ctrl);
        ctx.input_mut(|input| {
            input.modifiers = self.modifiers;
            let events = &mut input.events;
            events.retain(|event| !matches!(event, Event::Text(_) | Event::Copy | Event::Cut));
            let struck = self.struck.iter().filter_map(|(code, with)| Some((key(*code)?, *with)));
            correct(events, &struck.collect::<Vec<_>>(), self.modifiers);
            if !self.text.is_empty() {
                events.push(Event::Text(self.text.clone()));
            }
            if with_ctrl(KeyCode::C) {
                events.push(Event::Copy);
            }
            if with_ctrl(KeyCode::X) {
                events.push(Event::Cut);
            }
            if with_ctrl(KeyCode::V) {
                events.extend(miniquad::window::clipboard_get().map(Event::Paste));
            }
        });
    }

    fn hold(&mut self, code: KeyCode, down: bool) {
        let mac = cfg!(target_os = "macos");
        match code {
            KeyCode::LeftControl | KeyCode::RightControl => {
                self.modifiers.ctrl = down;
                self.modifiers.command = if mac { self.modifiers.command } else { down };
            }
            KeyCode::LeftSuper | KeyCode::RightSuper if mac => {
                self.modifiers.mac_cmd = down;
                self.modifiers.command = down;
            }
            KeyCode::LeftShift | KeyCode::RightShift => self.modifiers.shift = down,
            KeyCode::LeftAlt | KeyCode::RightAlt => self.modifiers.alt = down,
            _ => {}
        }
    }
}

impl EventHandler for Keyboard {
    fn update(&mut self) {}

    fn draw(&mut self) {}

    fn char_event(&mut self, character: char, _stale: KeyMods, _repeat: bool) {
        if !character.is_control() && !self.modifiers.ctrl && !self.modifiers.command {
            self.text.push(character);
        }
    }

    fn key_down_event(&mut self, code: KeyCode, _stale: KeyMods, repeat: bool) {
        self.hold(code, true);
        self.struck.push((code, self.modifiers));
        if !repeat {
            self.pressed.push((code, self.modifiers));
        }
    }

    fn key_up_event(&mut self, code: KeyCode, _stale: KeyMods) {
        self.hold(code, false);
    }

    fn window_minimized_event(&mut self) {
        self.modifiers = Modifiers::NONE;
    }
}

/// Gives each key that egui was told of the modifiers that were down when it was `struck`: they may be up again at the
/// end of the frame. Other keys get those of `now`.
fn correct(events: &mut [Event], struck: &[(Key, Modifiers)], now: Modifiers) {
    let mut struck = struck.to_vec();
    for event in events {
        let Event::Key { key, pressed, modifiers: stale, .. } = event else { continue };
        let place = struck.iter().position(|(own, _)| own == key).filter(|_| *pressed);
        *stale = place.map_or(now, |place| struck.remove(place).1);
    }
}

/// The keys that commands are bound to.
fn key(code: KeyCode) -> Option<Key> {
    Some(match code {
        KeyCode::A => Key::A,
        KeyCode::B => Key::B,
        KeyCode::C => Key::C,
        KeyCode::D => Key::D,
        KeyCode::E => Key::E,
        KeyCode::F => Key::F,
        KeyCode::G => Key::G,
        KeyCode::H => Key::H,
        KeyCode::I => Key::I,
        KeyCode::J => Key::J,
        KeyCode::K => Key::K,
        KeyCode::L => Key::L,
        KeyCode::M => Key::M,
        KeyCode::N => Key::N,
        KeyCode::O => Key::O,
        KeyCode::P => Key::P,
        KeyCode::Q => Key::Q,
        KeyCode::R => Key::R,
        KeyCode::S => Key::S,
        KeyCode::T => Key::T,
        KeyCode::U => Key::U,
        KeyCode::V => Key::V,
        KeyCode::W => Key::W,
        KeyCode::X => Key::X,
        KeyCode::Y => Key::Y,
        KeyCode::Z => Key::Z,
        KeyCode::Space => Key::Space,
        KeyCode::Enter | KeyCode::KpEnter => Key::Enter,
        KeyCode::Delete => Key::Delete,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Left => Key::ArrowLeft,
        KeyCode::Right => Key::ArrowRight,
        KeyCode::Key1 | KeyCode::Kp1 => Key::Num1,
        KeyCode::Key2 | KeyCode::Kp2 => Key::Num2,
        KeyCode::Key3 | KeyCode::Kp3 => Key::Num3,
        KeyCode::Key4 | KeyCode::Kp4 => Key::Num4,
        KeyCode::Key5 | KeyCode::Kp5 => Key::Num5,
        KeyCode::Key6 | KeyCode::Kp6 => Key::Num6,
        KeyCode::Key7 | KeyCode::Kp7 => Key::Num7,
        KeyCode::Key8 | KeyCode::Kp8 => Key::Num8,
        KeyCode::Key9 | KeyCode::Kp9 => Key::Num9,
        KeyCode::Comma => Key::Comma,
        KeyCode::Period => Key::Period,
        KeyCode::LeftBracket => Key::OpenBracket,
        KeyCode::RightBracket => Key::CloseBracket,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::Escape => Key::Escape,
        KeyCode::F1 => Key::F1,
        KeyCode::F2 => Key::F2,
        KeyCode::F3 => Key::F3,
        KeyCode::F4 => Key::F4,
        KeyCode::F11 => Key::F11,
        KeyCode::F12 => Key::F12,
        KeyCode::Equal | KeyCode::KpAdd => Key::Equals,
        KeyCode::Minus | KeyCode::KpSubtract => Key::Minus,
        KeyCode::Key0 | KeyCode::Kp0 => Key::Num0,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::correct;
    use egui_macroquad::egui::{Event, Key, Modifiers};

    /// A slow frame, in which Ctrl comes up again before it is drawn, still tells the field of a name that Ctrl+A was
    /// struck, and not A.
    #[test]
    fn a_key_keeps_the_modifiers_of_its_stroke() {
        let event = |key, pressed| Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        let mut events =
            [event(Key::A, true), event(Key::A, false), event(Key::A, true), event(Key::B, true)];
        let struck = [(Key::A, Modifiers::CTRL), (Key::A, Modifiers::SHIFT)];
        correct(&mut events, &struck, Modifiers::NONE);
        let with = events.map(|event| match event {
            Event::Key { modifiers, .. } => modifiers,
            _ => Modifiers::ALT,
        });
        assert_eq!(with, [Modifiers::CTRL, Modifiers::NONE, Modifiers::SHIFT, Modifiers::NONE]);
    }
}
