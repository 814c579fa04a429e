//! Files dropped onto the real window, as file managers do it under X11: the protocol XDND with this test as the source
//! of the drag, under an X server of its own.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConnectionExt, CreateWindowAux, EventMask, ImageFormat, PropMode,
    SELECTION_NOTIFY_EVENT, SelectionNotifyEvent, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// Of the bar above the canvas the part with the scene's name, pixels.
const NAME: [i16; 4] = [90, 8, 400, 24];

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// The window of the program, paused at its first scene, and a source of drags.
struct Desktop {
    connection: RustConnection,
    root: Window,
    source: Window,
    window: Window,
    // The program ends before its display.
    _program: Running,
    _server: Running,
    /// What it remembers, of this start alone: the next one begins at the first scene again.
    _memory: tempfile::TempDir,
}

/// How a program drags files.
struct Manner {
    /// What it offers: a type and a text of it.
    offers: Vec<(&'static str, String)>,
    /// Whether it sends its messages to the window that stands for the one under the pointer.
    minds_proxy: bool,
}

impl Desktop {
    fn start() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb");
        let mut number = String::new();
        let said = server.stdout.take().expect("its output");
        BufReader::new(said).read_line(&mut number).expect("the display's number");
        let display = format!(":{}", number.trim());
        let memory = tempfile::tempdir().expect("a folder");
        let program = Command::new(env!("CARGO_BIN_EXE_driftlab"))
            .arg("--paused")
            .env("DISPLAY", &display)
            .env("XDG_CONFIG_HOME", memory.path())
            .env("XDG_STATE_HOME", memory.path())
            .spawn()
            .expect("the program");
        let (_server, _program) = (Running(server), Running(program));
        let (connection, screen) = x11rb::connect(Some(&display)).expect("a connection");
        let root = connection.setup().roots[screen].root;
        let source = connection.generate_id().expect("an id");
        let (class, aux) = (WindowClass::INPUT_ONLY, CreateWindowAux::new());
        connection.create_window(0, source, root, 0, 0, 1, 1, 0, class, 0, &aux).expect("a window");
        let mut desktop = Self { connection, root, source, window: 0, _program, _server, _memory: memory };
        desktop.window = desktop.found();
        // Its first frames.
        let mut picture = desktop.picture();
        loop {
            sleep(Duration::from_secs(2));
            let next = desktop.picture();
            let drawn = next.iter().any(|byte| *byte != next[0]);
            if drawn && next == picture {
                return desktop;
            }
            picture = next;
        }
    }

    fn atom(&self, name: &str) -> u32 {
        self.connection.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom
    }

    /// The window that takes part in the protocol.
    fn found(&self) -> Window {
        loop {
            let children = self.connection.query_tree(self.root).unwrap().reply().unwrap().children;
            let aware = |window: &Window| {
                let size = self.connection.get_geometry(*window).unwrap().reply();
                self.property(*window, "XdndAware").is_some() && size.is_ok_and(|size| size.width > 100)
            };
            if let Some(window) = children.into_iter().find(aware) {
                return window;
            }
            sleep(Duration::from_millis(50));
        }
    }

    fn property(&self, window: Window, name: &str) -> Option<u32> {
        let name = self.atom(name);
        let reply =
            self.connection.get_property(false, window, name, AtomEnum::ANY, 0, 1).unwrap().reply().ok()?;
        reply.value32()?.next()
    }

    /// The scene's name as it is drawn.
    fn picture(&self) -> Vec<u8> {
        let [x, y, width, height] = NAME;
        let format = ImageFormat::Z_PIXMAP;
        let image = self.connection.get_image(format, self.root, x, y, width as u16, height as u16, !0);
        image.unwrap().reply().expect("a picture").data
    }

    fn send(&self, to: Window, kind: &str, data: [u32; 5]) {
        let message = ClientMessageEvent::new(32, self.window, self.atom(kind), data);
        self.connection.send_event(false, to, EventMask::NO_EVENT, message).unwrap();
        self.connection.flush().unwrap();
    }

    /// Waits for that message to the source, and serves what is asked for meanwhile.
    fn wait_for(&self, kind: &str, manner: &Manner) -> [u32; 5] {
        let kind = self.atom(kind);
        loop {
            match self.connection.poll_for_event().unwrap() {
                Some(Event::ClientMessage(message)) if message.type_ == kind => {
                    return message.data.as_data32();
                }
                Some(Event::SelectionRequest(asked)) => {
                    let of_type = |(name, _): &&(&str, String)| self.atom(name) == asked.target;
                    let (_, text) = manner.offers.iter().find(of_type).expect("a type that is offered");
                    let (replace, to) = (PropMode::REPLACE, asked.requestor);
                    let (property, target) = (asked.property, asked.target);
                    self.connection
                        .change_property8(replace, to, property, target, text.as_bytes())
                        .unwrap();
                    let told = SelectionNotifyEvent {
                        response_type: SELECTION_NOTIFY_EVENT,
                        sequence: 0,
                        time: asked.time,
                        requestor: to,
                        selection: asked.selection,
                        target,
                        property,
                    };
                    self.connection.send_event(false, to, EventMask::NO_EVENT, told).unwrap();
                    self.connection.flush().unwrap();
                    if !manner.minds_proxy {
                        return [0; 5];
                    }
                }
                Some(_) => {}
                None => sleep(Duration::from_millis(5)),
            }
        }
    }

    /// Drags over the window and drops there; the mouse itself stays where it is. Returns whether the drop was accepted
    /// and finished.
    fn drop(&self, manner: &Manner) -> bool {
        let proxy = self.property(self.window, "XdndProxy").filter(|_| manner.minds_proxy);
        // One that no longer exists does not name itself.
        let proxy = proxy.filter(|proxy| self.property(*proxy, "XdndProxy") == Some(*proxy));
        let to = proxy.unwrap_or(self.window);
        assert!(self.property(to, "XdndAware") >= Some(5));
        let selection = self.atom("XdndSelection");
        self.connection.set_selection_owner(self.source, selection, 0_u32).unwrap();
        let types: Vec<u32> = manner.offers.iter().map(|(name, _)| self.atom(name)).collect();
        let mut enter = [self.source, 5 << 24, 0, 0, 0];
        if types.len() > 3 {
            let (replace, list) = (PropMode::REPLACE, self.atom("XdndTypeList"));
            self.connection.change_property32(replace, self.source, list, AtomEnum::ATOM, &types).unwrap();
            enter[1] |= 1;
        }
        enter.iter_mut().skip(2).zip(&types).for_each(|(slot, kind)| *slot = *kind);
        self.send(to, "XdndEnter", enter);
        self.send(to, "XdndPosition", [self.source, 0, 400 << 16 | 300, 0, self.atom("XdndActionCopy")]);
        let status = self.wait_for("XdndStatus", manner);
        assert_eq!(status[0], self.window, "the answer is about the window under the pointer");
        if status[1] & 1 == 0 {
            self.send(to, "XdndLeave", [self.source, 0, 0, 0, 0]);
            return false;
        }
        self.send(to, "XdndDrop", [self.source, 0, 0, 0, 0]);
        let finished = self.wait_for("XdndFinished", manner);
        !manner.minds_proxy || finished[1] & 1 == 1
    }

    /// Waits until the name of another scene appears without any input.
    fn await_another_scene(&self, before: &[u8]) {
        while self.picture() == before {
            sleep(Duration::from_millis(20));
        }
    }
}

/// A file dropped onto the paused window is opened at once, without a further input: from a file manager that offers
/// `text/uri-list`, alone, before or behind other types, and from a program that offers paths as text, whether it minds
/// XdndProxy or not. What is no file is refused before it is dropped.
#[test]
#[ignore = "needs Xvfb and seconds for each of its windows"]
fn dropped_files_are_opened_at_once() {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/single-pendulum.json");
    let path = scene.to_str().expect("a path in UTF-8").to_owned();
    let list = format!("file://{}\r\n", path.replace('-', "%2D"));
    let text = |name: &'static str, text: &str| (name, text.to_owned());
    let gtk = ["x-special/gnome-icon-list", "application/vnd.portal.filetransfer", "COMPOUND_TEXT"];
    let many = gtk.iter().map(|name| text(name, "")).chain([text("text/uri-list", &list)]).collect();
    for (offers, minds_proxy) in [
        (vec![text("text/uri-list", &list)], true),
        (many, true),
        (vec![text("UTF8_STRING", &list), text("text/uri-list", &list)], true),
        (vec![text("UTF8_STRING", &path)], true),
        (vec![text("UTF8_STRING", &path)], false),
    ] {
        let (desktop, manner) = (Desktop::start(), Manner { offers, minds_proxy });
        let before = desktop.picture();
        assert!(desktop.drop(&manner), "{:?} is not accepted", manner.offers);
        desktop.await_another_scene(&before);
    }
    let desktop = Desktop::start();
    assert!(!desktop.drop(&Manner { offers: vec![text("image/png", "")], minds_proxy: true }));
}
