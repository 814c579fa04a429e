//! A trajectory that another program has computed, opened beside the main run.

use super::remembered::absolute;
use super::{FileAction, Model};
use crate::app::options::OpenTable;
use crate::app::runs::comparison::MOST_FORKS;
use crate::app::runs::played::Played;
use crate::app::text::format;
use crate::files::{MOST_TABLE_BYTES, read_text};
use std::path::{Path, PathBuf};

/// Heading of a refusal.
const NOT_PLAYED: &str = "This trajectory was not opened";
/// How a table's file name ends.
const ENDING: &str = "csv";
/// What the header of a table of poses names.
const COLUMNS: [&str; 2] = ["time", "body"];

/// Whether a file is a table by its name.
pub(in crate::app) fn is_table(path: &Path) -> bool {
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
    pub(in crate::app) fn choose_trajectory(&mut self) {
        self.file_action = Some(FileAction::Open);
        self.pick_table();
    }

    /// Reads a trajectory from a file, and plays it back beside the main run.
    pub(super) fn open_table(&mut self, path: &Path) {
        let title = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        match read_text(path, MOST_TABLE_BYTES) {
            Ok(text) => self.perform(OpenTable { title, path: Some(path.to_owned()), text }.into()),
            Err(error) => self.refuse(NOT_PLAYED, title, vec![error.to_string()]),
        }
    }

    /// Opens the trajectories that the scene's file has named, from its folder; says which is not there.
    pub(super) fn open_awaited(&mut self, folder: Option<&Path>) {
        for name in std::mem::take(&mut self.awaited) {
            let path = folder.map_or_else(|| PathBuf::from(&name), |folder| folder.join(&name));
            let title = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
            match read_text(&path, MOST_TABLE_BYTES) {
                Ok(text) => self.play_back(OpenTable { title, path: Some(path), text }),
                Err(_) => {
                    self.say(format!(
                        "{title} is not there: drop it onto the window to play it back beside"
                    ));
                }
            }
        }
    }

    /// How the scene's file names a trajectory: by its name if it lies in the same folder.
    pub(super) fn listed_as(&self, played: &Played) -> String {
        let folder = self.document.path().and_then(Path::parent);
        match &played.path {
            Some(path) if path.parent() != folder => absolute(path).to_string_lossy().into_owned(),
            _ => played.title.clone(),
        }
    }

    /// Plays a trajectory back beside the main run, in the place of an earlier one from a file of that name; says what was read, or why it
    /// was refused.
    pub(in crate::app) fn play_back(&mut self, table: OpenTable) {
        let OpenTable { title, path, text } = table;
        let mut played = match Played::read(&title, &text, &self.run().scene.world) {
            Ok(played) => played,
            Err(problems) => {
                let problems = problems.iter().map(ToString::to_string).collect();
                return self.refuse(NOT_PLAYED, title, problems);
            }
        };
        played.path = path;
        let poses = played.poses();
        let [from, to] = poses.span().map(|time| format::significant(time, 4));
        let (samples, velocities) = (poses.times().len(), poses.velocities().words());
        let text = format!("{title}: {samples} samples from {from} s to {to} s, velocities {velocities}");
        let (comparison, stepping) = self.comparison_mut();
        if comparison.play_back(played, stepping) {
            self.refusal = None;
            self.say(text);
        } else {
            self.say(format!(
                "At most {MOST_FORKS} runs can be compared with the main one; close one first"
            ));
        }
    }
}
