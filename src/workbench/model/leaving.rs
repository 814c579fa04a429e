//! Which intents leave the document: the one list by which unsaved work is asked about before another document takes
//! its place, or the window closes.
//!
//! Every intent stands in it by name, so that a new one does not compile before it is said whether it leaves the document.

use super::trajectory::is_table;
use super::{FileAction, Model};
use crate::workbench::command::Command;
use crate::workbench::editor::{Act, EditorIntent};
use crate::workbench::intent::Intent;
use crate::workbench::link::Link;

impl Model {
    /// Whether an intent puts another document in the place of this one, or closes the window.
    pub(super) fn leaves(&self, intent: &Intent) -> bool {
        match intent {
            Intent::Command(command) => self.leaves_by(*command),
            Intent::Open(_)
            | Intent::OpenShipped(_)
            | Intent::OpenRecording(..)
            | Intent::WatchRecording(_)
            | Intent::TakeLost => true,
            // Any text that is pasted is read as a link.
            Intent::OpenLink(text) => Link::parse(text).is_ok_and(|link| !link.is_empty()),
            // A table comes beside what is there.
            Intent::OpenPath(path) => !is_table(path),
            Intent::Chosen(path) => match self.files.file_action {
                Some(FileAction::Open) => !is_table(path),
                Some(FileAction::Watch) => true,
                _ => false,
            },
            Intent::Tour { tour, step } => {
                self.library.tours.get(*tour).is_some_and(|tour| tour.opens_scene_at(*step))
            }
            Intent::Editor(make) => edits_another(make),
            Intent::Play
            | Intent::Speed(_)
            | Intent::Page(_)
            | Intent::Remedy(_)
            | Intent::Set(_)
            | Intent::Beside(_)
            | Intent::Fork(_)
            | Intent::Refer(_)
            | Intent::Edit(_)
            | Intent::Promote(_)
            | Intent::Close(_)
            | Intent::CloseAll
            | Intent::EqualCost(_)
            | Intent::Arrange(_)
            | Intent::Aim(_)
            | Intent::MakeConsistent
            | Intent::Say(_)
            | Intent::Sort(_)
            | Intent::Seek(_)
            | Intent::Enter { .. }
            | Intent::Language(_)
            | Intent::Push(_)
            | Intent::Press { .. }
            | Intent::Drag(_)
            | Intent::Release
            | Intent::Keys(_)
            | Intent::Hover(_)
            | Intent::Select(_)
            | Intent::Watch(_)
            | Intent::Sizing(_)
            | Intent::Pan(_)
            | Intent::Slide(_)
            | Intent::Zoom { .. }
            | Intent::View(_)
            | Intent::Plot(_)
            | Intent::Browse(_)
            | Intent::TextSize(_)
            | Intent::Side(_)
            | Intent::Solve(_)
            | Intent::SaveProblem
            | Intent::Problem(_)
            | Intent::SavePlot(_)
            | Intent::PlayBack(_)
            | Intent::Resize(..)
            | Intent::ChooseTrajectory
            | Intent::ChooseWatch
            | Intent::LeaveDialog
            | Intent::Answer(_)
            | Intent::ForgetLost
            | Intent::Predict(_)
            | Intent::SignAs(_)
            | Intent::CopyCertificate
            | Intent::LeaveTour
            | Intent::CloseHelp
            | Intent::CloseRefusal => false,
        }
    }

    /// Whether a command does.
    fn leaves_by(&self, command: Command) -> bool {
        match command {
            Command::Scene(_) | Command::Quit | Command::Build(Act::New) => true,
            // The file is opened again where another program has written it; otherwise a restart can be undone.
            Command::Restart => self.document.has_changed_outside(),
            Command::TogglePlay
            | Command::StepForward
            | Command::StepBack
            | Command::Steps(_)
            | Command::HistoryStart
            | Command::HistoryEnd
            | Command::Record
            | Command::Replay
            | Command::CycleScheme(_)
            | Command::Scheme(_)
            | Command::Fit
            | Command::ToggleScenes
            | Command::TogglePanel
            | Command::TogglePlot
            | Command::Present
            | Command::TextSize(_)
            | Command::ToggleHelp
            | Command::Screenshot
            | Command::Clip
            | Command::Open
            | Command::Save
            | Command::SaveAs
            | Command::SaveRecording
            | Command::CopyLink
            | Command::CopyCommand
            | Command::Dismiss
            | Command::Build(
                Act::Mode(_)
                | Act::Tool(_)
                | Act::Undo
                | Act::Redo
                | Act::Delete
                | Act::Duplicate
                | Act::SelectAll
                | Act::Copy
                | Act::Cut
                | Act::Finish,
            ) => false,
        }
    }

    /// Whether a command goes back to the scene's start and by that leaves unsaved changes that were made on the way:
    /// such a restart is a change that can be undone.
    pub(crate) fn restart_leaves_work(&self, command: Command) -> bool {
        let restarts = match command {
            Command::Restart => true,
            Command::Record => self.run().recorder().take().is_none(),
            Command::Replay => !self.run().recorder().replays() && self.run().scene.interaction.is_some(),
            _ => false,
        };
        restarts && self.run().is_touched() && self.is_unsaved()
    }
}

/// Whether building leads to another document: it never does, and is undone by Ctrl+Z.
fn edits_another(make: &EditorIntent) -> bool {
    match make {
        EditorIntent::Press { .. }
        | EditorIntent::Hold { .. }
        | EditorIntent::Drag { .. }
        | EditorIntent::Release
        | EditorIntent::Count(_)
        | EditorIntent::Snaps(_)
        | EditorIntent::Select(_)
        | EditorIntent::Edit(_)
        | EditorIntent::Align(_)
        | EditorIntent::Write(..)
        | EditorIntent::Duration(_)
        | EditorIntent::BeginHere
        | EditorIntent::Assemble
        | EditorIntent::Paste(_)
        | EditorIntent::GoTo(_) => false,
    }
}
