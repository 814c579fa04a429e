//! A trajectory that another program has computed, opened beside the main run.

use super::Model;
use super::remembered::absolute;
use crate::files::{MOST_TABLE_BYTES, read_file};
use crate::workbench::file_kind::FileKind;
use crate::workbench::options::OpenTable;
use crate::workbench::runs::comparison::MOST_FORKS;
use crate::workbench::runs::played::Played;
use crate::workbench::text::format;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// Heading of a refusal.
const NOT_PLAYED: &str = "This trajectory was not opened";
/// How a table's file name ends.
const ENDING: &str = "csv";
/// What the header of a table of poses names.
const COLUMNS: [&str; 2] = ["time", "body"];

/// Whether a file is a table by its name.
pub(crate) fn is_table(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(ENDING))
}

/// Whether a text without a name is a table of poses: by its header.
pub(super) fn has_header(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let header = lines.next().unwrap_or_default().to_lowercase();
    !header.starts_with('{') && header.contains(',') && COLUMNS.iter().all(|name| header.contains(name))
}

impl Model {
    /// Lets a person choose a trajectory.
    pub(crate) fn choose_trajectory(&mut self) {
        self.pick(FileKind::Table);
    }

    /// Reads a trajectory from a file, and plays it back beside the main run.
    pub(super) fn open_table(&mut self, path: &Path) {
        let title = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        match read_file(path, MOST_TABLE_BYTES) {
            Ok(text) => self.perform(OpenTable { title, path: Some(path.to_owned()), text }.into()),
            Err(error) => self.refuse(NOT_PLAYED, title, vec![error.to_string()]),
        }
    }

    /// Opens the trajectories that the scene's file has named, from its folder; says which is not there. A file
    /// elsewhere is not opened unasked: its name comes from whoever wrote the scene, and may lead to another machine.
    pub(super) fn open_awaited(&mut self, folder: Option<&Path>) {
        for name in std::mem::take(&mut self.files.awaited) {
            let lies_beside =
                Path::new(&name).components().all(|part| matches!(part, Component::Normal(_)));
            if !lies_beside {
                self.say(format!("{name} lies elsewhere: drop it onto the window to play it back beside"));
                continue;
            }
            let path = folder.map_or_else(|| PathBuf::from(&name), |folder| folder.join(&name));
            let title = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
            match read_file(&path, MOST_TABLE_BYTES) {
                Ok(text) => self.play_back(OpenTable { title, path: Some(path), text }),
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    self.say(format!(
                        "{title} is not there: drop it onto the window to play it back beside"
                    ));
                }
                Err(error) => self.say(format!("{title} was not opened: {error}")),
            }
        }
    }

    /// How the scene's file names a trajectory: from the scene's folder, if it lies in there.
    pub(super) fn listed_as(&self, played: &Played) -> String {
        let Some(path) = &played.path else { return played.title.clone() };
        let folder = self.document.path().and_then(Path::parent);
        match folder.and_then(|folder| path.strip_prefix(folder).ok()) {
            Some(inside) => {
                let parts = inside.components().map(|part| part.as_os_str().to_string_lossy());
                parts.collect::<Vec<_>>().join("/")
            }
            None => absolute(path).to_string_lossy().into_owned(),
        }
    }

    /// Plays a trajectory back beside the main run, in the place of an earlier one from a file of that name; says what
    /// was read, or why it was refused.
    pub(crate) fn play_back(&mut self, table: OpenTable) {
        let OpenTable { title, path, text } = table;
        let mut played = match Played::read(&title, &text, &self.run().scene.world) {
            Ok(played) => played,
            Err(problems) => {
                let problems = problems.iter().map(ToString::to_string).collect();
                return self.refuse(NOT_PLAYED, title, problems);
            }
        };
        played.path = path;
        self.play(played);
    }

    /// Plays a trajectory back beside the main run, and says how much of it there is.
    pub(super) fn play(&mut self, played: Played) {
        let (span, what) = played.extent();
        let [from, to] = span.map(|time| format::significant(time, 4));
        let text = format!("{}: {from} s to {to} s, {what}", played.title);
        let (comparison, stepping) = self.comparison_mut();
        if comparison.play_back(played, stepping) {
            self.news.refusal = None;
            self.say(text);
        } else {
            self.say(format!(
                "At most {MOST_FORKS} runs can be compared with the main one; close one first"
            ));
        }
    }
}
