//! The file dialog, and what becomes of the file that is chosen in it.

use super::{FileAction, FileKind, Model};
use crate::app::intent::Answer;
use std::path::{Path, PathBuf};

impl Model {
    /// Opens the file dialog for a scene to be opened.
    pub(in crate::app) fn open_by_dialog(&mut self) {
        self.file_action = Some(FileAction::Open);
        self.dialog.pick(FileKind::Scene.name(), FileKind::Scene.extension());
    }

    /// Opens the file dialog for a table to be opened.
    pub(super) fn pick_table(&mut self) {
        self.dialog.pick(FileKind::Table.name(), FileKind::Table.extension());
    }

    /// Opens the file dialog for something to be saved.
    pub(in crate::app) fn save_by_dialog(&mut self, kind: FileKind, name: &str, bytes: Vec<u8>) {
        self.file_action = Some(FileAction::Save(bytes));
        self.choose_place(kind, name);
    }

    /// Shows the file dialog for a new file.
    pub(super) fn choose_place(&mut self, kind: FileKind, name: &str) {
        self.dialog.place(kind.name(), kind.extension(), name);
    }

    /// The file dialog was left: nothing is opened or saved, and nothing is left.
    pub(in crate::app) fn leave_dialog(&mut self) {
        self.file_action = None;
        self.answer(Answer::Stay);
    }

    pub(in crate::app) fn save_problem(&mut self) {
        match self.exported_problem() {
            Ok(text) => self.save_by_dialog(FileKind::Problem, "problem.json", text.into_bytes()),
            Err(why) => self.say(why),
        }
    }

    /// Opens or saves the file that was chosen in the file dialog.
    pub(in crate::app) fn use_file(&mut self, path: &Path) {
        match self.file_action.take() {
            Some(FileAction::Open) => self.open_path(path),
            Some(FileAction::SaveScene(draft)) => self.save_to(&with_one_ending(path), draft),
            Some(FileAction::Save(bytes)) => {
                self.write(&with_one_ending(path), &bytes);
            }
            None => {}
        }
    }
}

/// The place of a new file. The dialog selects the name without its ending, so that a name typed whole has it twice; a file that is
/// there is asked about under its own name alone.
fn with_one_ending(path: &Path) -> PathBuf {
    let once = path.with_extension("");
    if once.extension().is_some()
        && once.extension() == path.extension()
        && !path.exists()
        && !once.exists()
    {
        once
    } else {
        path.to_owned()
    }
}

/// A name as that of a file: small letters and digits, with hyphens between them.
pub(in crate::app) fn slug(name: &str) -> String {
    let spaced = name.to_lowercase().replace(|c: char| !c.is_alphanumeric(), " ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    if words.is_empty() { "scene".to_owned() } else { words.join("-") }
}
