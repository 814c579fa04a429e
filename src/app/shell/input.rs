//! Notices input while the loop waits for a step.
//!
//! miniquad's loop sees input only when it asks for events. This module has a connection of its own to the display, which the
//! server tells of every key, button and motion as it comes ('raw' events of the X Input Extension, version 2.2), and rings a bell.

use crate::app::engine::Bell;
use std::error::Error;
use std::thread;
use x11rb::connection::Connection;
use x11rb::protocol::xinput::{ConnectionExt, Device, EventMask, XIEventMask};
use x11rb::rust_connection::RustConnection;

/// The version of the X Input Extension from which raw events come to every client that asks for them.
const VERSION: [u16; 2] = [2, 2];

/// Rings `bell` at every input from now on. Without a connection to the display, or if the server is too old, it does nothing.
pub(super) fn watch(bell: Bell) {
    let Ok(connection) = connect() else { return };
    // A thread that cannot be started leaves input to be seen when the wait ends.
    let _unstarted = thread::Builder::new().name("input".to_owned()).spawn(move || {
        while connection.wait_for_event().is_ok() {
            bell.ring();
        }
    });
}

fn connect() -> Result<RustConnection, Box<dyn Error>> {
    let (connection, screen) = x11rb::connect(None)?;
    let root = connection.setup().roots[screen].root;
    connection.xinput_xi_query_version(VERSION[0], VERSION[1])?.reply()?;
    let events = XIEventMask::RAW_KEY_PRESS
        | XIEventMask::RAW_KEY_RELEASE
        | XIEventMask::RAW_BUTTON_PRESS
        | XIEventMask::RAW_BUTTON_RELEASE
        | XIEventMask::RAW_MOTION;
    let mask = EventMask { deviceid: Device::ALL_MASTER.into(), mask: vec![events] };
    connection.xinput_xi_select_events(root, &[mask])?.check()?;
    Ok(connection)
}
