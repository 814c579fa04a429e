//! The file dialog: the kinds of files that it offers, and what becomes of the one that is chosen in it.

use super::{Answer, FileAction, Model};
use std::path::Path;

/// The extension of all files that the window opens and saves.
const EXTENSION: &str = "json";

/// The kind of file that the file dialog opens or saves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A scene.
    Scene,
    /// A problem for `driftlab lcp`.
    Problem,
}

impl FileKind {
    /// What the file dialog calls such files.
    fn name(self) -> &'static str {
        match self {
            Self::Scene => "Scenes",
            Self::Problem => "Problems for driftlab lcp",
        }
    }
}

impl Model {
    /// Opens the file dialog for a scene to be opened.
    pub(in crate::app) fn open_by_dialog(&mut self) {
        self.file_action = Some(FileAction::Open);
        self.dialog.pick(FileKind::Scene.name(), EXTENSION);
    }

    /// Opens the file dialog for a text to be saved.
    pub(in crate::app) fn save_by_dialog(&mut self, kind: FileKind, name: &str, text: String) {
        self.file_action = Some(FileAction::Save(text));
        self.choose_place(kind, name);
    }

    /// Shows the file dialog for a new file.
    pub(super) fn choose_place(&mut self, kind: FileKind, name: &str) {
        self.dialog.place(kind.name(), EXTENSION, name);
    }

    /// The file dialog was left: nothing is opened or saved, and nothing is left.
    pub(in crate::app) fn leave_dialog(&mut self) {
        self.file_action = None;
        self.answer(Answer::Stay);
    }

    pub(in crate::app) fn save_problem(&mut self) {
        match self.exported_problem() {
            Ok(text) => self.save_by_dialog(FileKind::Problem, "problem.json", text),
            Err(why) => self.say(why),
        }
    }

    /// Opens or saves the file that was chosen in the file dialog.
    pub(in crate::app) fn use_file(&mut self, path: &Path) {
        match self.file_action.take() {
            Some(FileAction::Open) => self.open_path(path),
            Some(FileAction::SaveScene(draft)) => self.save_to(path, draft),
            Some(FileAction::Save(text)) => {
                self.write(path, &text);
            }
            None => {}
        }
    }
}

/// A name as that of a file: small letters and digits, with hyphens between them.
pub(in crate::app) fn slug(name: &str) -> String {
    let spaced = name.to_lowercase().replace(|c: char| !c.is_alphanumeric(), " ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    if words.is_empty() { "scene".to_owned() } else { words.join("-") }
}
