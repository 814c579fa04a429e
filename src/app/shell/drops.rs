//! Files dropped onto the window under X11, by the XDND protocol (version 5, freedesktop.org).
//!
//! miniquad answers that protocol for its window, yet takes only drops that offer `UTF8_STRING`, reads addresses as
//! paths, never says that a drop is finished, and asks for no frame. File managers offer `text/uri-list`. The protocol
//! lets a window name another one that receives its messages: the property XdndProxy. Here that is a window of our own
//! connection, which a thread serves: it takes both types, and asks for a frame by the key of `messenger.rs` when the
//! files are known.
//!
//! A program that ignores XdndProxy still reaches miniquad's window with a `UTF8_STRING`. That the text has come is
//! seen at the window's property, and a frame is asked for likewise. One that ignores it and offers `text/uri-list`
//! alone is refused: the messages to a window reach only the connection that has made it.

use super::messenger::{Messenger, windows_of};
use super::uri_list;
use std::error::Error;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ChangeWindowAttributesAux, ClientMessageEvent, ConnectionExt, CreateWindowAux,
    EventMask, PropMode, PropertyNotifyEvent, SelectionNotifyEvent, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

x11rb::atom_manager! {
    /// Names of the protocol.
    Atoms: AtomsCookie {
        XdndAware,
        XdndProxy,
        XdndEnter,
        XdndPosition,
        XdndStatus,
        XdndLeave,
        XdndDrop,
        XdndFinished,
        XdndSelection,
        XdndTypeList,
        XdndActionCopy,
        URI_LIST: b"text/uri-list",
        UTF8_STRING,
    }
}

/// The version of the protocol that is spoken.
const VERSION: u32 = 5;
/// Most bytes of a list of files, in units of four: it comes in one piece.
const MOST: u32 = 1 << 20;
/// Most types that are asked for.
const MOST_TYPES: u32 = 1 << 12;
/// After how long frames are asked for when a text has come to miniquad's own window, which is told of it by a later event.
const LATER: [Duration; 2] = [Duration::from_millis(50), Duration::from_millis(500)];

/// What has been dropped.
pub(super) struct Drops(Option<Receiver<PathBuf>>);

impl Drops {
    /// Serves the windows of a class from now on; without that, miniquad alone does.
    pub(super) fn onto(class: &str) -> Self {
        let (files, dropped) = channel();
        let serve = |target: Target| {
            let name = "drops".to_owned();
            thread::Builder::new().name(name).spawn(move || target.serve()).ok().map(|_| dropped)
        };
        Self(Target::new(class, files).ok().and_then(serve))
    }

    /// The files that have been dropped since the last call.
    pub(super) fn take(&self) -> Vec<PathBuf> {
        self.0.iter().flat_map(Receiver::try_iter).collect()
    }
}

/// The window that stands for those of the program.
struct Target {
    connection: RustConnection,
    messenger: Messenger,
    atoms: Atoms,
    proxy: Window,
    files: Sender<PathBuf>,
}

/// A drag over the window.
#[derive(Clone, Copy)]
struct Drag {
    /// Whose it is.
    source: Window,
    /// The type in which its files are asked for, if it offers one.
    format: Option<Atom>,
    /// The window that it is over.
    over: Window,
}

impl Target {
    fn new(class: &str, files: Sender<PathBuf>) -> Result<Self, Box<dyn Error>> {
        let (connection, screen) = x11rb::connect(None)?;
        let root = connection.setup().roots[screen].root;
        let atoms = Atoms::new(&connection)?.reply()?;
        let proxy = connection.generate_id()?;
        let (class_of_window, aux) = (WindowClass::INPUT_ONLY, CreateWindowAux::new().override_redirect(1));
        connection.create_window(
            0,
            proxy,
            root,
            -1,
            -1,
            1,
            1,
            0,
            class_of_window,
            x11rb::COPY_FROM_PARENT,
            &aux,
        )?;
        let replace = PropMode::REPLACE;
        connection.change_property32(replace, proxy, atoms.XdndAware, AtomEnum::ATOM, &[VERSION])?;
        // The proxy names itself, by which it is known to exist still.
        connection.change_property32(replace, proxy, atoms.XdndProxy, AtomEnum::WINDOW, &[proxy])?;
        for window in windows_of(&connection, root, class.as_bytes())? {
            let listens = ChangeWindowAttributesAux::new().event_mask(EventMask::PROPERTY_CHANGE);
            connection.change_window_attributes(window, &listens)?;
            connection.change_property32(replace, window, atoms.XdndProxy, AtomEnum::WINDOW, &[proxy])?;
        }
        connection.flush()?;
        Ok(Self { messenger: Messenger::to(class)?, connection, atoms, proxy, files })
    }

    /// Until the display or the window is gone.
    fn serve(&self) {
        let mut drag = None;
        while let Ok(event) = self.connection.wait_for_event() {
            let served = match event {
                Event::ClientMessage(message) => self.hear(&message, &mut drag),
                Event::SelectionNotify(notice) => self.receive(&notice, drag.take()),
                Event::PropertyNotify(notice) => {
                    self.notice(&notice);
                    Ok(())
                }
                _ => Ok(()),
            };
            // What a source that has gone away cannot be told is lost.
            if served.and_then(|()| Ok(self.connection.flush()?)).is_err() {
                drag = None;
            }
        }
    }

    fn hear(&self, message: &ClientMessageEvent, drag: &mut Option<Drag>) -> Result<(), Box<dyn Error>> {
        let (atoms, data) = (&self.atoms, message.data.as_data32());
        let (kind, source) = (message.type_, data[0]);
        if kind == atoms.XdndEnter {
            let types = if data[1] & 1 == 0 { data[2..].to_vec() } else { self.types_of(source)? };
            let takes = [atoms.URI_LIST, atoms.UTF8_STRING];
            let format = takes.into_iter().find(|format| types.contains(format));
            *drag = Some(Drag { source, format, over: message.window });
        } else if kind == atoms.XdndLeave {
            *drag = None;
        } else if let Some(drag) = drag.filter(|drag| drag.source == source) {
            if kind == atoms.XdndPosition {
                let accepts = u32::from(drag.format.is_some());
                // Without a rectangle in which no further positions are wanted.
                self.tell(drag, atoms.XdndStatus, [accepts, 0, 0, accepts * atoms.XdndActionCopy])?;
            } else if kind == atoms.XdndDrop {
                match drag.format {
                    None => self.finish(drag, false)?,
                    Some(format) => {
                        let (selection, time) = (atoms.XdndSelection, data[2]);
                        self.connection
                            .convert_selection(self.proxy, selection, format, selection, time)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// All types that a source offers, where there are more than three.
    fn types_of(&self, source: Window) -> Result<Vec<Atom>, Box<dyn Error>> {
        let list = self.atoms.XdndTypeList;
        let reply =
            self.connection.get_property(false, source, list, AtomEnum::ATOM, 0, MOST_TYPES)?.reply()?;
        Ok(reply.value32().map(Iterator::collect).unwrap_or_default())
    }

    /// The list of the files has come, or the source has refused it.
    fn receive(&self, notice: &SelectionNotifyEvent, drag: Option<Drag>) -> Result<(), Box<dyn Error>> {
        let Some(drag) = drag else { return Ok(()) };
        let mut files = Vec::new();
        if notice.property != x11rb::NONE {
            let list =
                self.connection.get_property(true, self.proxy, notice.property, AtomEnum::ANY, 0, MOST)?;
            files = uri_list::files(&list.reply()?.value);
        }
        self.finish(drag, !files.is_empty())?;
        for file in files {
            // The window may have been closed.
            self.files.send(file).ok();
        }
        self.messenger.ask_for_frame();
        Ok(())
    }

    fn finish(&self, drag: Drag, taken: bool) -> Result<(), Box<dyn Error>> {
        let taken = u32::from(taken);
        self.tell(drag, self.atoms.XdndFinished, [taken, taken * self.atoms.XdndActionCopy, 0, 0])
    }

    fn tell(&self, drag: Drag, kind: Atom, [a, b, c, d]: [u32; 4]) -> Result<(), Box<dyn Error>> {
        let message = ClientMessageEvent::new(32, drag.source, kind, [drag.over, a, b, c, d]);
        self.connection.send_event(false, drag.source, EventMask::NO_EVENT, message)?;
        Ok(())
    }

    /// A property of miniquad's window has changed.
    fn notice(&self, notice: &PropertyNotifyEvent) {
        if notice.atom == self.atoms.XdndSelection {
            for wait in LATER {
                thread::sleep(wait);
                self.messenger.ask_for_frame();
            }
        }
    }
}
