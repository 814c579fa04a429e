//! The next frame of a loop that no thread wakes.

use std::time::Duration;

/// Asks for a frame after that time. Where nothing else can wake the loop, it waits here.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn frame_after(wait: Duration) {
    std::thread::sleep(wait);
    macroquad::miniquad::window::schedule_update();
}

/// Asks for a frame after that time by a timer of the page.
#[cfg(target_family = "wasm")]
pub(crate) fn frame_after(wait: Duration) {
    driftlab_host::wake_after(1e3 * wait.as_secs_f64());
}
