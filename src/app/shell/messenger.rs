//! A connection of our own to the display, by which the window is sent messages that say nothing: they wake its loop.
//!
//! A frame is asked for by a key that no keyboard has, since the loop schedules a frame of its own behind every key. To
//! schedule it from another thread takes a lock that miniquad's loop expects to be free, and the window died where the two met.

use std::error::Error;
use x11rb::connection::Connection;
use x11rb::errors::ReplyOrIdError;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConnectionExt, EventMask, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, KeyButMask,
    KeyPressEvent, Window,
};
use x11rb::rust_connection::RustConnection;

/// A connection, with what it sends.
pub(super) struct Messenger {
    connection: RustConnection,
    messages: Vec<ClientMessageEvent>,
    root: Window,
    /// The code of a key without a meaning.
    no_key: u8,
}

impl Messenger {
    pub(super) fn to(class: &str) -> Result<Self, Box<dyn Error>> {
        let (connection, screen) = x11rb::connect(None)?;
        let root = connection.setup().roots[screen].root;
        let kind = connection.intern_atom(false, b"_DRIFTLAB_WAKE")?.reply()?.atom;
        let windows = windows_of(&connection, root, class.as_bytes())?;
        let messages =
            windows.into_iter().map(|window| ClientMessageEvent::new(32, window, kind, [0; 5])).collect();
        let no_key = key_without_meaning(&connection)?;
        Ok(Self { connection, messages, root, no_key })
    }

    /// Asks the windows for a frame.
    pub(super) fn ask_for_frame(&self) {
        for message in &self.messages {
            for response_type in [KEY_PRESS_EVENT, KEY_RELEASE_EVENT] {
                let event = KeyPressEvent {
                    response_type,
                    detail: self.no_key,
                    sequence: 0,
                    time: x11rb::CURRENT_TIME,
                    root: self.root,
                    event: message.window,
                    child: x11rb::NONE,
                    root_x: 0,
                    root_y: 0,
                    event_x: 0,
                    event_y: 0,
                    state: KeyButMask::default(),
                    same_screen: true,
                };
                let sent = self.connection.send_event(false, message.window, EventMask::NO_EVENT, event);
                if let Ok(sent) = sent {
                    sent.ignore_error();
                }
            }
        }
        self.connection.flush().ok();
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

/// The first code to which the keyboard's map gives no symbol.
fn key_without_meaning(connection: &RustConnection) -> Result<u8, Box<dyn Error>> {
    let (first, last) = (connection.setup().min_keycode, connection.setup().max_keycode);
    let map = connection.get_keyboard_mapping(first, last - first + 1)?.reply()?;
    let mut keys = map.keysyms.chunks(usize::from(map.keysyms_per_keycode).max(1));
    let free = keys.position(|symbols| symbols.iter().all(|symbol| *symbol == 0));
    let code = free.and_then(|at| first.checked_add(u8::try_from(at).ok()?));
    code.ok_or_else(|| "every key has a meaning".into())
}

/// The windows of a class: window managers put them anywhere below the root. The message does no harm in other windows of
/// the same program.
pub(super) fn windows_of(
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
