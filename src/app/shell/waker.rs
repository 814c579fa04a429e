//! Wakes the loop of the window while it waits for events.
//!
//! Under X11 miniquad's loop, when nothing asks for a frame, handles the events that are queued **and one more**, for which
//! it blocks. An event that arrived while the last frame was drawn is therefore handled at once but seen only when the next
//! one comes: a click, or the release of a slider, would wait until the mouse moves. This module sends that next event: a
//! message to the window that says nothing, a moment after the last frame, then at growing intervals.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;
use x11rb::connection::Connection;
use x11rb::errors::ReplyOrIdError;
use x11rb::protocol::xproto::{AtomEnum, ClientMessageEvent, ConnectionExt, EventMask, Window};
use x11rb::rust_connection::RustConnection;

/// Wait between the last frame and the first message. Each message that follows waits twice as long as the one before.
const FIRST: Duration = Duration::from_millis(10);
/// Longest wait between two messages: what handles a message can itself be overtaken by an event, within microseconds.
const LONGEST: Duration = Duration::from_millis(640);

/// Tells the thread that wakes the loop whether the loop waits. Without a connection to the display it does nothing.
pub(super) struct Waker {
    waits: Option<Sender<bool>>,
}

impl Waker {
    /// For the window of this class.
    pub(super) fn for_window(class: &'static str) -> Self {
        let (waits, told) = channel();
        let Ok(messenger) = Messenger::to(class) else { return Self { waits: None } };
        thread::spawn(move || wake(&messenger, &told));
        Self { waits: Some(waits) }
    }

    /// Says at the end of a frame whether the loop now waits for events.
    pub(super) fn loop_waits(&self, waits: bool) {
        if let Some(sender) = &self.waits {
            // The thread ends only with this sender.
            sender.send(waits).ok();
        }
    }
}

fn wake(messenger: &Messenger, told: &Receiver<bool>) {
    while let Ok(mut waits) = told.recv() {
        let mut pause = FIRST;
        while waits {
            match told.recv_timeout(pause) {
                Ok(now) => (waits, pause) = (now, FIRST),
                Err(RecvTimeoutError::Timeout) => {
                    messenger.send();
                    pause = (2 * pause).min(LONGEST);
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }
}

/// A connection of its own to the display, with what it sends.
struct Messenger {
    connection: RustConnection,
    messages: Vec<ClientMessageEvent>,
}

impl Messenger {
    fn to(class: &str) -> Result<Self, Box<dyn std::error::Error>> {
        let (connection, screen) = x11rb::connect(None)?;
        let root = connection.setup().roots[screen].root;
        let kind = connection.intern_atom(false, b"_DRIFTLAB_WAKE")?.reply()?.atom;
        let windows = windows_of(&connection, root, class.as_bytes())?;
        let messages =
            windows.into_iter().map(|window| ClientMessageEvent::new(32, window, kind, [0; 5])).collect();
        Ok(Self { connection, messages })
    }

    fn send(&self) {
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
