//! A pointer that moves in a window of few frames a second.
//!
//! egui knows that the pointer moves by its places in the last tenth of a second, three at least: at less than 20
//! frames a second it never does. Tooltips, which a click hides until the pointer moves, then never return.

use egui_macroquad::egui::{Context, Event, InputState, RawInput};

/// The time in which egui looks for three places, s.
const LOOKS: f64 = 0.1;
/// Parts in which the movement of a slow frame is told, and the time between two of them, s.
const PARTS: u16 = 3;
const APART: f64 = 0.02;
/// A pointer that has clicked within this time may click again, s.
const CLICKS: f32 = 0.5;

/// Tells egui that the pointer has moved in this frame, if it cannot see so itself.
pub(crate) fn tell_of_movement(ctx: &Context) {
    let options = ctx.options(Clone::clone);
    let scale = ctx.pixels_per_point();
    ctx.input_mut(|input| {
        let pointer = &input.pointer;
        let pressed = input.events.iter().any(|event| matches!(event, Event::PointerButton { .. }));
        let (Some(to), moved) = (pointer.latest_pos(), pointer.delta()) else { return };
        let unseen =
            pointer.is_still() && moved != Default::default() && 2.0 * f64::from(input.unstable_dt) > LOOKS;
        if !unseen || pressed || pointer.any_down() || pointer.time_since_last_click() < CLICKS {
            return;
        }
        let parts = (0..PARTS).map(|part| {
            let left = PARTS - 1 - part;
            let at = to - f32::from(left) / f32::from(PARTS - 1) * moved;
            let time = Some(input.time - f64::from(left) * APART);
            RawInput { time, events: vec![Event::PointerMoved(at)], ..RawInput::default() }
        });
        let told =
            parts.fold(InputState::default(), |state, part| state.begin_pass(part, false, scale, &options));
        input.pointer = told.pointer;
    });
}
