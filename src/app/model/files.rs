//! The file dialog: the kinds of files that it offers, and what becomes of the one that is chosen in it.

use super::{FileAction, Model};
use egui_file_dialog::FileDialog;
use egui_macroquad::egui::Align2;
use std::path::Path;

/// Names of the kinds of files in the file dialog.
const SCENES: &str = "Scenes";
const PROBLEMS: &str = "Problems for driftlab lcp";
/// Size of the file dialog, points.
const DIALOG_SIZE: [f32; 2] = [760.0, 460.0];

/// The kind of file that the file dialog opens or saves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A scene.
    Scene,
    /// A problem for `driftlab lcp`.
    Problem,
}

impl Model {
    /// Opens the file dialog for a text to be saved.
    pub(in crate::app) fn save_by_dialog(&mut self, kind: FileKind, name: &str, text: String) {
        self.offer(kind);
        self.file_action = Some(FileAction::Save(text));
        self.dialog.config_mut().default_file_name = name.to_owned();
        self.dialog.save_file();
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
            Some(FileAction::Save(text)) => self.save(path, &text),
            None => {}
        }
    }

    /// Lets the file dialog offer files of that kind.
    pub(in crate::app) fn offer(&mut self, kind: FileKind) {
        let name = match kind {
            FileKind::Scene => SCENES,
            FileKind::Problem => PROBLEMS,
        };
        let config = self.dialog.config_mut();
        (config.file_filters, config.save_extensions) = (Vec::new(), Vec::new());
        *config = std::mem::take(config)
            .add_file_filter_extensions(name, vec!["json"])
            .add_save_extension(name, "json");
        (config.default_file_filter, config.default_save_extension) =
            (Some(name.to_owned()), Some(name.to_owned()));
    }
}

/// The dialog, which offers scenes at first.
pub(super) fn dialog() -> FileDialog {
    FileDialog::new()
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .default_size(DIALOG_SIZE)
        .add_file_filter_extensions(SCENES, vec!["json"])
        .default_file_filter(SCENES)
        .add_save_extension(SCENES, "json")
        .default_save_extension(SCENES)
        .default_file_name("scene.json")
}

/// A name as that of a file: small letters and digits, with hyphens between them.
pub(in crate::app) fn slug(name: &str) -> String {
    let spaced = name.to_lowercase().replace(|c: char| !c.is_alphanumeric(), " ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    if words.is_empty() { "scene".to_owned() } else { words.join("-") }
}
