//! A connection of our own to the display, by which the window is sent messages that say nothing: they wake its loop.

use std::error::Error;
use x11rb::connection::Connection;
use x11rb::errors::ReplyOrIdError;
use x11rb::protocol::xproto::{AtomEnum, ClientMessageEvent, ConnectionExt, EventMask, Window};
use x11rb::rust_connection::RustConnection;

/// A connection, with what it sends.
pub(super) struct Messenger {
    connection: RustConnection,
    messages: Vec<ClientMessageEvent>,
}

impl Messenger {
    pub(super) fn to(class: &str) -> Result<Self, Box<dyn Error>> {
        let (connection, screen) = x11rb::connect(None)?;
        let root = connection.setup().roots[screen].root;
        let kind = connection.intern_atom(false, b"_DRIFTLAB_WAKE")?.reply()?.atom;
        let windows = windows_of(&connection, root, class.as_bytes())?;
        let messages =
            windows.into_iter().map(|window| ClientMessageEvent::new(32, window, kind, [0; 5])).collect();
        Ok(Self { connection, messages })
    }

    pub(super) fn send(&self) {
        for message in &self.messages {
            // A message to a window that has been closed is lost, which is what is wanted.
            if let Ok(sent) =
                self.connection.send_event(false, message.window, EventMask::NO_EVENT, message)
            {
                sent.ignore_error();
            }
        }
        self.connection.flush().ok();
    }
}

/// The windows of a class: window managers put them anywhere below the root. The message does no harm in other windows of
/// the same program.
fn windows_of(
    connection: &RustConnection,
    root: Window,
    class: &[u8],
) -> Result<Vec<Window>, ReplyOrIdError> {
    let mut found = Vec::new();
    let mut below = vec![root];
    while let Some(parent) = below.pop() {
        let Ok(tree) = connection.query_tree(parent)?.reply() else { continue };
        for child in tree.children {
            let property =
                connection.get_property(false, child, AtomEnum::WM_CLASS, AtomEnum::STRING, 0, 64)?;
            let named = property
                .reply()
                .is_ok_and(|text| text.value.split(|byte| *byte == 0).any(|name| name == class));
            if named {
                found.push(child);
            } else {
                below.push(child);
            }
        }
    }
    Ok(found)
}
