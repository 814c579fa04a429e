//! Building: what a person selects and places on the stage, and the edits that this becomes. Nothing here draws, and
//! nothing here changes a run: the model carries out what is asked ([`EditorIntent`]).

pub mod align;
mod anchors;
pub mod connect;
pub mod edit;
pub mod item;
pub mod materials;
pub mod parts;
pub mod place;
pub mod properties;
mod replaced;
pub mod scene_text;
pub mod shapes;
pub mod snap;
mod stamps;
pub(crate) mod struck_together;
pub mod toolbox;
mod wires;

use crate::workbench::stage::transit::Transit;
use align::Alignment;
use edit::Edit;
use glam::DVec2;
use item::Item;
use scene_text::SceneText;

/// Number of bodies of a stamp before a person sets one.
const COUNT: usize = 6;

/// What the left button does on the stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// It pulls bodies; beside them it pushes.
    #[default]
    Pull,
    /// It pushes, also on a body.
    Push,
    /// It selects, moves and places.
    Build,
}

impl Mode {
    /// All of them, in the order of their buttons.
    pub const ALL: [Self; 3] = [Self::Pull, Self::Push, Self::Build];

    /// What stands on its button.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pull => "Pull",
            Self::Push => "Push",
            Self::Build => "Build",
        }
    }

    /// What the mouse then does.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Pull => {
                "The mouse pulls bodies, and pushes beside them or with Shift; while paused it moves them  (G)"
            }
            Self::Push => "The mouse pushes, also on a body  (H)",
            Self::Build => "The mouse selects, moves and places; time stands still  (B)",
        }
    }
}

/// What a key or a button does about the selection or the list of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// The left button does something else from now on.
    Mode(Mode),
    /// The left button places that tool of the table; if it does already, it selects again.
    Tool(usize),
    /// Undo the last change.
    Undo,
    /// Redo the change that was undone last.
    Redo,
    /// Remove the selection.
    Delete,
    /// Add a copy of the selection.
    Duplicate,
    /// Select everything.
    SelectAll,
    /// Put the selection into the clipboard.
    Copy,
    /// Put the selection into the clipboard, and remove it.
    Cut,
    /// The points clicked so far are all of the polygon.
    Finish,
    /// Begin a scene from nothing.
    New,
}

/// What a person asks for while building.
#[derive(Clone, Debug, PartialEq)]
pub enum EditorIntent {
    /// The left button goes down on the stage.
    Press {
        /// Where, m.
        at: DVec2,
        /// Distance within which items are picked, m.
        reach: f64,
        /// Whether it adds to the selection or takes from it.
        adds: bool,
        /// To what it may snap.
        snap: snap::Snap,
    },
    /// It goes down on a handle of the selection.
    Hold {
        /// Which.
        handle: Handle,
        /// Where, m.
        at: DVec2,
    },
    /// The cursor is there while the button is down.
    Drag {
        /// Where, m.
        to: DVec2,
        /// Where it may snap.
        snap: snap::Snap,
    },
    /// The button comes up.
    Release,
    /// How many bodies a stamp has.
    Count(usize),
    /// Whether what is moved snaps.
    Snaps(bool),
    /// That is selected.
    Select(Vec<Item>),
    /// An edit.
    Edit(Edit),
    /// The selected bodies are aligned.
    Align(Alignment),
    /// A text of the scene is another one.
    Write(SceneText, String),
    /// The scene runs for another time, s, where no other is asked for.
    Duration(f64),
    /// The scene begins with the present state from now on.
    BeginHere,
    /// Bodies are pulled to where all joints close.
    Assemble,
    /// Parts are added from their text.
    Paste(String),
    /// That many changes stand, the others are undone.
    GoTo(usize),
}

/// A handle of the selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handle {
    /// Turns it about its middle.
    Turn,
    /// Scales it from its middle.
    Grow,
    /// Moves one end of the selected rod or spring, also to another body.
    End(usize),
    /// Moves a corner of the selected body, by shape and number.
    Corner([usize; 2]),
}

/// What is going on while the button is down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Stroke {
    /// Nothing.
    #[default]
    None,
    /// A frame is drawn around what will be selected, m.
    Frame {
        /// The corner where it began.
        from: DVec2,
        /// The opposite corner.
        to: DVec2,
        /// Whether it adds to the selection.
        adds: bool,
    },
    /// A tool is drawn.
    Place {
        /// Where it began, m.
        from: DVec2,
        /// Where the cursor is, m.
        to: DVec2,
    },
    /// The selection is moved.
    Move {
        /// The cursor where it began, m.
        from: DVec2,
        /// What snaps: the point of the selection nearest to the cursor then, m.
        point: DVec2,
        /// By how much it has been moved, m.
        done: DVec2,
    },
    /// The end of a rod or spring, or the corner of a body, is moved.
    Bend(Handle),
    /// The selection is turned.
    Turn {
        /// Its middle, m.
        about: DVec2,
        /// Direction of the cursor where it began, rad.
        from: f64,
        /// By how much it has been turned, rad.
        done: f64,
    },
    /// The selection is scaled.
    Grow {
        /// Its middle, m.
        about: DVec2,
        /// Distance of the cursor from there where it began, m.
        from: f64,
        /// By which factor it has been scaled.
        done: f64,
    },
}

/// The state of building.
#[derive(Clone, Debug)]
pub struct Build {
    /// What the left button does.
    pub mode: Mode,
    /// What is selected.
    pub selection: Vec<Item>,
    /// What is going on.
    pub stroke: Stroke,
    /// The tool that the left button places, by its place in the table; without one it selects.
    pub tool: Option<usize>,
    /// The points that were clicked for it, m.
    pub points: Vec<DVec2>,
    /// How many bodies a stamp has.
    pub count: usize,
    /// Whether what is moved snaps.
    pub snaps: bool,
    /// Bodies on their way to where an assembly has put them.
    pub transit: Option<Transit>,
    /// What the edit that was carried out last is called, until the list of changes has taken it.
    pub did: Option<String>,
}

impl Default for Build {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            selection: Vec::new(),
            stroke: Stroke::None,
            tool: None,
            points: Vec::new(),
            count: COUNT,
            snaps: true,
            transit: None,
            did: None,
        }
    }
}

impl Build {
    /// Whether the mouse builds.
    pub fn is_on(&self) -> bool {
        self.mode == Mode::Build
    }

    /// Another scene is there: nothing is selected.
    pub fn forget(&mut self) {
        (self.selection, self.stroke, self.did) = (Vec::new(), Stroke::None, None);
        (self.tool, self.points, self.transit) = (None, Vec::new(), None);
    }

    /// The tool that the left button places.
    pub fn placing(&self) -> Option<&'static toolbox::Tool> {
        toolbox::TOOLS.get(self.tool.filter(|_| self.is_on())?)
    }

    /// Ends what can be ended first: a stroke, a tool, the selection. Returns whether there was one.
    pub fn dismiss(&mut self) -> bool {
        let stroke = std::mem::take(&mut self.stroke) != Stroke::None;
        let points = !std::mem::take(&mut self.points).is_empty();
        if stroke || points || !self.is_on() {
            return stroke || points;
        }
        self.tool.take().is_some() || !std::mem::take(&mut self.selection).is_empty()
    }
}
