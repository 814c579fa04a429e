//! Keys and their commands: one table for the keyboard, the help sheet, the tooltips and the page, whose browser keeps some keys.

use crate::platform::Host;
use crate::scene::KEYS;
use crate::schemes::TABLE;
use crate::workbench::command::Command;
use crate::workbench::editor::{Act, Mode, toolbox};
use egui_macroquad::egui::{Key, Modifiers};

/// Part of the help sheet that a key stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chapter {
    /// Playing, stepping.
    Time,
    /// Choosing a scheme.
    Scheme,
    /// Scenes and files.
    Scene,
    /// Building.
    Build,
    /// The window.
    Window,
}

impl Chapter {
    /// All chapters, in the order of the sheet.
    pub const ALL: [Self; 5] = [Self::Time, Self::Scheme, Self::Scene, Self::Build, Self::Window];

    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Time => "Time",
            Self::Scheme => "Scheme",
            Self::Scene => "Scenes and files",
            Self::Build => "Build",
            Self::Window => "Window",
        }
    }
}

/// A key and what it does.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// The keys that do it, any of them.
    pub keys: &'static [Key],
    /// Whether Ctrl is held.
    pub ctrl: bool,
    /// Whether Shift has to be held; otherwise it does not matter.
    pub shift: bool,
    /// As the sheet prints the keys; empty for keys that another line covers.
    pub shown: &'static str,
    /// Where they are bound: a browser keeps some keys to itself, and those commands have others in a page.
    pub hosts: &'static [Host],
    /// What they do.
    pub command: Command,
    /// Where the sheet lists it.
    pub chapter: Chapter,
    /// As the sheet words it.
    pub meaning: &'static str,
}

impl Binding {
    /// The keys as the sheet prints them.
    pub fn label(&self) -> String {
        match self.command {
            Command::Scheme(0) => scheme_keys(),
            _ => self.shown.to_owned(),
        }
    }
}

/// The keys that choose a scheme: as many as there are schemes, and digits.
pub fn scheme_keys() -> String {
    format!("1 … {}", TABLE.len().min(9))
}

const fn key(
    keys: &'static [Key],
    shown: &'static str,
    command: Command,
    chapter: Chapter,
    meaning: &'static str,
) -> Binding {
    Binding { keys, ctrl: false, shift: false, shown, hosts: &Host::ALL, command, chapter, meaning }
}

const fn on_desktop(binding: Binding) -> Binding {
    Binding { hosts: &[Host::Desktop], ..binding }
}

const fn in_page(binding: Binding) -> Binding {
    Binding { hosts: &[Host::Page], ..binding }
}

const fn with_ctrl(binding: Binding) -> Binding {
    Binding { ctrl: true, ..binding }
}

const fn with_shift(binding: Binding) -> Binding {
    Binding { shift: true, ..binding }
}

/// All keys.
pub static BINDINGS: &[Binding] = &[
    with_shift(key(&[Key::ArrowRight], "Shift+→", Command::Steps(10), Chapter::Time, "ten steps")),
    with_shift(key(&[Key::ArrowLeft], "Shift+←", Command::Steps(-10), Chapter::Time, "ten steps back")),
    key(&[Key::Space, Key::P], "Space  P", Command::TogglePlay, Chapter::Time, "play or pause"),
    key(&[Key::ArrowRight, Key::O], "→  O", Command::StepForward, Chapter::Time, "one step"),
    key(&[Key::ArrowLeft], "←", Command::StepBack, Chapter::Time, "one step back"),
    key(&[Key::Home], "Home", Command::HistoryStart, Chapter::Time, "start of the history"),
    key(&[Key::End], "End", Command::HistoryEnd, Chapter::Time, "end of the history"),
    key(&[Key::R], "R", Command::Restart, Chapter::Time, "restart the scene"),
    on_desktop(with_ctrl(with_shift(key(
        &[Key::R],
        "Ctrl+Shift+R",
        Command::SaveRecording,
        Chapter::Scene,
        "save the run as a recording",
    )))),
    in_page(key(&[Key::J], "J", Command::SaveRecording, Chapter::Scene, "save the run as a recording")),
    on_desktop(with_ctrl(key(
        &[Key::R],
        "Ctrl+R",
        Command::Record,
        Chapter::Time,
        "record the pointer, or stop",
    ))),
    in_page(key(&[Key::M], "M", Command::Record, Chapter::Time, "record the pointer, or stop")),
    on_desktop(with_ctrl(key(
        &[Key::P],
        "Ctrl+P",
        Command::Replay,
        Chapter::Time,
        "replay pointer, or take over",
    ))),
    in_page(key(&[Key::Y], "Y", Command::Replay, Chapter::Time, "replay pointer, or take over")),
    key(&[Key::Num1], "1 … 9", Command::Scheme(0), Chapter::Scheme, "choose a scheme"),
    key(&[Key::Num2], "", Command::Scheme(1), Chapter::Scheme, ""),
    key(&[Key::Num3], "", Command::Scheme(2), Chapter::Scheme, ""),
    key(&[Key::Num4], "", Command::Scheme(3), Chapter::Scheme, ""),
    key(&[Key::Num5], "", Command::Scheme(4), Chapter::Scheme, ""),
    key(&[Key::Num6], "", Command::Scheme(5), Chapter::Scheme, ""),
    key(&[Key::Num7], "", Command::Scheme(6), Chapter::Scheme, ""),
    key(&[Key::Num8], "", Command::Scheme(7), Chapter::Scheme, ""),
    key(&[Key::Num9], "", Command::Scheme(8), Chapter::Scheme, ""),
    key(&[Key::Comma], ",", Command::CycleScheme(-1), Chapter::Scheme, "previous scheme"),
    key(&[Key::Period], ".", Command::CycleScheme(1), Chapter::Scheme, "next scheme"),
    with_ctrl(key(&[Key::K], "Ctrl+K", Command::ToggleScenes, Chapter::Scene, "list of scenes")),
    key(&[Key::OpenBracket], "[", Command::Scene(-1), Chapter::Scene, "previous scene"),
    key(&[Key::CloseBracket], "]", Command::Scene(1), Chapter::Scene, "next scene"),
    with_ctrl(key(&[Key::O], "Ctrl+O", Command::Open, Chapter::Scene, "open a scene file")),
    on_desktop(with_ctrl(with_shift(key(
        &[Key::S],
        "Ctrl+Shift+S",
        Command::SaveAs,
        Chapter::Scene,
        "save under another name",
    )))),
    with_ctrl(key(&[Key::S], "Ctrl+S", Command::Save, Chapter::Scene, "save the current state")),
    on_desktop(with_ctrl(with_shift(key(
        &[Key::L],
        "Ctrl+Shift+L",
        Command::CopyCommand,
        Chapter::Scene,
        "copy the command for a terminal",
    )))),
    in_page(key(&[Key::C], "C", Command::CopyCommand, Chapter::Scene, "copy the command for a terminal")),
    key(&[Key::L], "L", Command::CopyLink, Chapter::Scene, "copy a link to this state"),
    key(&[Key::G], "G", Command::Build(Act::Mode(Mode::Pull)), Chapter::Build, "the mouse pulls"),
    key(&[Key::H], "H", Command::Build(Act::Mode(Mode::Push)), Chapter::Build, "the mouse pushes"),
    key(&[Key::B], "B", Command::Build(Act::Mode(Mode::Build)), Chapter::Build, "the mouse builds"),
    with_ctrl(with_shift(key(
        &[Key::Z],
        "Ctrl+Shift+Z",
        Command::Build(Act::Redo),
        Chapter::Build,
        "redo",
    ))),
    with_ctrl(key(&[Key::Y], "", Command::Build(Act::Redo), Chapter::Build, "")),
    with_ctrl(key(&[Key::Z], "Ctrl+Z", Command::Build(Act::Undo), Chapter::Build, "undo")),
    with_ctrl(key(
        &[Key::A],
        "Ctrl+A",
        Command::Build(Act::SelectAll),
        Chapter::Build,
        "select everything",
    )),
    with_ctrl(key(
        &[Key::C],
        "Ctrl+C  X  V",
        Command::Build(Act::Copy),
        Chapter::Build,
        "copy, cut, paste",
    )),
    with_ctrl(key(&[Key::X], "", Command::Build(Act::Cut), Chapter::Build, "")),
    on_desktop(with_ctrl(key(
        &[Key::D],
        "Ctrl+D",
        Command::Build(Act::Duplicate),
        Chapter::Build,
        "duplicate",
    ))),
    in_page(key(&[Key::D], "D", Command::Build(Act::Duplicate), Chapter::Build, "duplicate")),
    on_desktop(with_ctrl(key(
        &[Key::N],
        "Ctrl+N",
        Command::Build(Act::New),
        Chapter::Scene,
        "a scene from nothing",
    ))),
    in_page(key(&[Key::N], "N", Command::Build(Act::New), Chapter::Scene, "a scene from nothing")),
    key(
        &[],
        "Shift + letter",
        Command::Build(Act::Mode(Mode::Build)),
        Chapter::Build,
        "a tool: its button names it",
    ),
    key(&[Key::Enter], "Enter", Command::Build(Act::Finish), Chapter::Build, "finish a polygon"),
    key(&[Key::Delete, Key::Backspace], "Delete", Command::Build(Act::Delete), Chapter::Build, "remove"),
    key(&[Key::F], "F", Command::Fit, Chapter::Window, "fit the scene into view"),
    key(&[Key::F2], "F2", Command::TogglePanel, Chapter::Window, "show or hide the panel"),
    on_desktop(key(&[Key::F3], "F3", Command::TogglePlot, Chapter::Window, "show or hide the plots")),
    in_page(key(&[Key::F4], "F4", Command::TogglePlot, Chapter::Window, "show or hide the plots")),
    on_desktop(key(
        &[Key::F11],
        "F11",
        Command::Present,
        Chapter::Window,
        "present: stage and plot, large",
    )),
    in_page(key(&[Key::T], "T", Command::Present, Chapter::Window, "present: stage and plot, large")),
    on_desktop(with_ctrl(key(
        &[Key::Equals, Key::Plus],
        "Ctrl+ +",
        Command::TextSize(1),
        Chapter::Window,
        "larger text",
    ))),
    on_desktop(with_ctrl(key(
        &[Key::Minus],
        "Ctrl+ −",
        Command::TextSize(-1),
        Chapter::Window,
        "smaller text",
    ))),
    on_desktop(with_ctrl(key(
        &[Key::Num0],
        "Ctrl+0",
        Command::TextSize(0),
        Chapter::Window,
        "ordinary text",
    ))),
    on_desktop(with_shift(key(
        &[Key::F12],
        "Shift+F12",
        Command::Clip,
        Chapter::Window,
        "begin or end a clip",
    ))),
    in_page(key(&[Key::V], "V", Command::Clip, Chapter::Window, "begin or end a clip")),
    on_desktop(key(&[Key::F12], "F12", Command::Screenshot, Chapter::Window, "picture of the window")),
    in_page(key(&[Key::I], "I", Command::Screenshot, Chapter::Window, "picture of the window")),
    key(&[Key::F1], "F1", Command::ToggleHelp, Chapter::Window, "this sheet"),
    on_desktop(with_ctrl(key(&[Key::Q], "Ctrl+Q", Command::Quit, Chapter::Window, "close the window"))),
    key(&[Key::Escape], "Esc", Command::Dismiss, Chapter::Window, "close the topmost window"),
];

/// What the mouse does, for the sheet.
pub static MOUSE: &[(&str, &str)] = &[
    ("left drag near a body", "pull it with a soft spring"),
    ("while paused", "move the body; this violates its joints"),
    ("hold left beside bodies", "push them away"),
    ("Shift + hold left", "push, even on a body"),
    ("wheel while pushing", "strength"),
    ("Ctrl + wheel", "reach of the push"),
    ("right or middle drag", "move the view"),
    ("wheel", "zoom at the cursor"),
    ("plot: wheel, drag", "zoom in time, move along"),
    ("plot: double click", "back to the live view"),
    ("rate: double click", "real time, × 1"),
];

/// The bindings of a host, in the order of the table.
pub fn bindings(host: Host) -> impl Iterator<Item = &'static Binding> {
    BINDINGS.iter().filter(move |binding| binding.hosts.contains(&host))
}

/// The keys of a command as the sheet prints them; none where it has no key.
pub fn keys_of(host: Host, command: Command) -> Option<&'static str> {
    bindings(host).find(|b| b.command == command && !b.shown.is_empty()).map(|b| b.shown)
}

/// A tooltip: what a button does, and behind it the keys that do it here.
pub fn tooltip(text: &str, command: Command) -> String {
    keys_of(Host::HERE, command).map_or_else(|| text.to_owned(), |keys| format!("{text}  ({keys})"))
}

/// The keys that a page takes from its browser, by the names of the browser's events: function keys, and those with
/// Ctrl, of which Ctrl+V is the text fields'.
pub fn taken_from_browser() -> Vec<String> {
    let with = |b: &Binding, key: &Key| {
        let (ctrl, shift) = (if b.ctrl { "Ctrl+" } else { "" }, if b.shift { "Shift+" } else { "" });
        let code = code(*key).filter(|code| b.ctrl || code.starts_with('F'))?;
        Some(format!("{ctrl}{shift}{code}"))
    };
    let own = bindings(Host::Page).flat_map(|b| b.keys.iter().filter_map(move |key| with(b, key)));
    own.chain(["Ctrl+KeyV".to_owned()]).collect()
}

/// The switch of a key, if the scene may have one.
fn switch(key: Key) -> Option<usize> {
    KEYS.iter().position(|name| Key::from_name(name) == Some(key))
}

/// Whether a key with these modifiers is one of the switches of the scene.
pub fn is_switch(switches: u64, pressed: Key, modifiers: Modifiers) -> bool {
    let plain = !(modifiers.ctrl || modifiers.alt || modifiers.shift);
    plain && switch(pressed).is_some_and(|own| switches >> own & 1 == 1)
}

/// Those of the switches whose keys are down.
pub fn held(switches: u64, is_down: impl Fn(Key) -> bool) -> u64 {
    let keys = KEYS.iter().enumerate().filter(|(own, _)| switches >> own & 1 == 1);
    let down = keys.filter(|(_, name)| Key::from_name(name).is_some_and(&is_down));
    down.fold(0, |held, (own, _)| held | 1 << own)
}

/// The name of a letter or a function key in a browser's events.
fn code(key: Key) -> Option<String> {
    let name = key.name();
    match name.as_bytes() {
        [b'A'..=b'Z'] => Some(format!("Key{name}")),
        [b'F', b'1'..=b'9', ..] => Some(name.to_owned()),
        _ => None,
    }
}

/// The command of a key where the program runs, if it has one. While text is being typed only function keys and Ctrl count.
pub fn command(pressed: Key, modifiers: Modifiers, typing: bool) -> Option<Command> {
    command_on(Host::HERE, pressed, modifiers, typing)
}

/// Place in the toolbox of the tool of that letter.
pub fn tool_of(key: Key) -> Option<usize> {
    let mut name = key.name().chars();
    let letter = name.next().filter(|_| name.next().is_none())?;
    toolbox::by_letter(letter)
}

/// The command of a key on a host.
pub fn command_on(host: Host, pressed: Key, modifiers: Modifiers, typing: bool) -> Option<Command> {
    let Modifiers { ctrl, shift, .. } = modifiers;
    let letter = (shift && !ctrl && !typing).then_some(pressed);
    if let Some(tool) = letter.and_then(tool_of) {
        return Some(Command::Build(Act::Tool(tool)));
    }
    let fits = |b: &&Binding| b.keys.contains(&pressed) && b.ctrl == ctrl && (shift || !b.shift);
    let found = bindings(host).find(fits)?;
    let edits = matches!(found.command, Command::Build(_));
    let always = ctrl && !edits
        || matches!(pressed, Key::F1 | Key::F2 | Key::F3 | Key::F4 | Key::F11 | Key::F12 | Key::Escape);
    (always || !typing).then_some(found.command)
}
