//! What a key or its button asks for.

use super::editor::Act;

/// An action that has a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Play or pause.
    TogglePlay,
    /// One step forward.
    StepForward,
    /// One step back.
    StepBack,
    /// A number of steps forward, or back if negative.
    Steps(i32),
    /// To the start of the recorded history.
    HistoryStart,
    /// To its end.
    HistoryEnd,
    /// The scene from its start.
    Restart,
    /// Record the pointer from the scene's start, or end the recording.
    Record,
    /// Play the recorded pointer, or hand the world back to the mouse.
    Replay,
    /// Another scene of the catalogue.
    Scene(isize),
    /// Another scheme of the table, by so many places.
    CycleScheme(isize),
    /// The scheme at that place of the table.
    Scheme(usize),
    /// Fit the scene into the canvas.
    Fit,
    /// Show or hide the list of scenes.
    ToggleScenes,
    /// Show or hide the panel.
    TogglePanel,
    /// Show or hide the plots.
    TogglePlot,
    /// Show nothing but what an audience needs, or everything again.
    Present,
    /// So many sizes of text up; none: back to the ordinary one.
    TextSize(i32),
    /// Show or hide the sheet of keys.
    ToggleHelp,
    /// Write a picture of the window.
    Screenshot,
    /// Begin or end a clip of the window.
    Clip,
    /// Choose a file to open.
    Open,
    /// Save to the scene's file.
    Save,
    /// Choose where to save.
    SaveAs,
    /// Choose where to save the recorded run as a recording, or give up the one that is being written.
    SaveRecording,
    /// Copy a link to the present state.
    CopyLink,
    /// Copy the command that repeats the runs without a window.
    CopyCommand,
    /// Undo, redo, or do something about what is selected.
    Build(Act),
    /// Close the topmost window or card over the canvas.
    Dismiss,
    /// Close the window.
    Quit,
}
