//! The file dialog, and what becomes of the file that is chosen in it.

use super::recorded::Watch;
use super::remembered::{Kept, absolute};
use super::saving_recording::Writing;
use super::{FileAction, Model};
use crate::workbench::file_kind::FileKind;
use crate::workbench::intent::Answer;
use std::path::{Path, PathBuf};

/// What is offered to a person who chooses a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    /// Which kind of files.
    pub kind: FileKind,
    /// The folder that is shown first.
    pub folder: Option<PathBuf>,
    /// The name of a new file; none where a file is opened.
    pub name: Option<String>,
}

/// The name of the open scene, files that are chosen, and where links lead.
#[derive(Debug, Default)]
pub struct Files {
    /// Catalogue key or file name of the open scene.
    pub title: String,
    /// What a file is chosen for.
    pub file_action: Option<FileAction>,
    /// What is offered for it.
    pub(super) offer: Offer,
    /// The folder in which a file was opened or saved last.
    pub folder: Option<PathBuf>,
    /// Work that an earlier window could not save.
    pub lost: Option<Kept>,
    /// Files of trajectories that the scene's file has named, to be opened.
    pub(super) awaited: Vec<String>,
    /// The title of another program's scene that is being opened, and what is left out of it.
    pub(super) left_out: Option<(String, Vec<String>)>,
    /// The recording that is being followed.
    pub(super) watch: Option<Watch>,
    /// The recording that is being written.
    pub(super) writing: Option<Writing>,
    /// The address of the page that copied links lead to: of this start, and the one that a person has set; none: that
    /// of the program.
    pub link_base: Option<String>,
    /// As above.
    pub page: Option<String>,
}

impl Model {
    /// Opens the file dialog for a scene to be opened.
    pub(crate) fn open_by_dialog(&mut self) {
        self.pick(FileKind::Scene);
    }

    /// Lets a person choose a file of that kind to be opened.
    pub(super) fn pick(&mut self, kind: FileKind) {
        self.pick_for(FileAction::Open, kind);
    }

    /// Lets a person choose a file of that kind.
    pub(super) fn pick_for(&mut self, action: FileAction, kind: FileKind) {
        self.files.file_action = Some(action);
        self.files.offer = Offer { kind, folder: self.files.folder.clone(), name: None };
    }

    /// Opens the file dialog for something to be saved.
    pub(crate) fn save_by_dialog(&mut self, kind: FileKind, name: &str, bytes: Vec<u8>) {
        self.choose_place(FileAction::Save(kind, bytes), None, name);
    }

    /// Shows the file dialog for a new file, in that folder or in the one that was used last.
    pub(super) fn choose_place(&mut self, action: FileAction, folder: Option<PathBuf>, name: &str) {
        let folder = folder.or(self.files.folder.clone());
        self.files.offer = Offer { kind: action.kind(), folder, name: Some(name.to_owned()) };
        self.files.file_action = Some(action);
    }

    /// What is offered to a person who has to choose a file.
    pub fn offered(&self) -> Option<&Offer> {
        self.files.file_action.as_ref().map(|_| &self.files.offer)
    }

    /// The file dialog was left: nothing is opened or saved, and nothing is left.
    pub(crate) fn leave_dialog(&mut self) {
        self.files.file_action = None;
        self.answer(Answer::Stay);
    }

    pub(crate) fn save_problem(&mut self) {
        match self.exported_problem() {
            Ok(text) => self.save_by_dialog(FileKind::Problem, "problem.json", text.into_bytes()),
            Err(why) => self.say(why),
        }
    }

    /// Opens or saves the file that was chosen in the file dialog.
    pub(crate) fn use_file(&mut self, path: &Path) {
        let Some(action) = self.files.file_action.take() else { return };
        self.files.folder = path.parent().map(absolute).or(self.files.folder.take());
        let place = with_ending(&with_one_ending(path), action.kind());
        if !matches!(action, FileAction::Open | FileAction::OpenProblem | FileAction::Watch)
            && place != path
            && place.exists()
        {
            // The dialog has asked about another name.
            let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
            self.say(format!("{name} is there already: save again to replace it, or choose another name"));
            return self.choose_place(action, None, &name);
        }
        match action {
            FileAction::Open => self.open_path(path),
            FileAction::OpenProblem => self.open_problem(path),
            FileAction::Watch => self.watch_recording(&path.to_string_lossy()),
            FileAction::SaveScene(draft) => self.save_to(&place, draft),
            FileAction::SaveRecording(steps) => self.write_recording(&place, steps),
            FileAction::Save(_, bytes) => {
                self.write(&place, &bytes);
            }
        }
    }
}

impl FileAction {
    /// The kind of file that is opened or saved first.
    fn kind(&self) -> FileKind {
        match self {
            Self::Open | Self::SaveScene(_) => FileKind::Scene,
            Self::OpenProblem => FileKind::Problem,
            Self::Watch | Self::SaveRecording(_) => FileKind::Recording,
            Self::Save(kind, _) => *kind,
        }
    }
}

/// A place whose name has the ending of its kind.
fn with_ending(path: &Path, kind: FileKind) -> PathBuf {
    let (extension, ending) = (kind.extension(), kind.ending());
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_own = |name: &Path| name.extension().is_some_and(|own| own.eq_ignore_ascii_case(extension));
    // A recording may be compressed.
    let packed = path.extension().filter(|own| own.eq_ignore_ascii_case("gz"));
    if is_own(path) || kind == FileKind::Recording && packed.is_some() && is_own(&path.with_extension("")) {
        return path.to_owned();
    }
    // The first part of an ending in two parts may be there.
    let parts = ending.split_once('.').filter(|(first, _)| name.ends_with(&format!(".{first}")));
    path.with_file_name(format!(
        "{}.{}",
        name.trim_end_matches('.'),
        parts.map_or(ending, |(_, rest)| rest)
    ))
}

/// The place of a new file. The dialog selects the name without its ending, so that a name typed whole has it twice; a
/// file that is there is asked about under its own name alone.
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
