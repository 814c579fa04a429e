//! The recorded steps of a run saved as a driftlab recording: they are made again beside the runs, and written as they come.

use super::{FileAction, Model};
use crate::files::Packed;
use crate::platform::files::NewFile;
use crate::workbench::file_kind::{FileKind, slug};
use crate::workbench::runs::live_run::{RecordedSteps, Retelling, Told};
use crate::workbench::text::format::duration;
use std::io;
use std::path::{Path, PathBuf};

/// Heading of a refusal.
const NOT_SAVED: &str = "This recording was not saved";

/// A recording that is being written.
pub struct Writing {
    steps: Retelling<Packed<NewFile>>,
    place: PathBuf,
    /// The share of its steps that has been written.
    share: f64,
    /// From when on it tells the run, s, if not from its beginning.
    from: Option<f64>,
}

impl std::fmt::Debug for Writing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writing")
            .field("place", &self.place)
            .field("share", &self.share)
            .finish_non_exhaustive()
    }
}

impl Model {
    /// Lets a person choose where the recorded steps of the edited run are saved as a recording; while one is being written,
    /// gives that up.
    pub(crate) fn save_recording(&mut self) {
        if let Some(writing) = self.files.writing.take() {
            return self.say(format!("Given up: {} was not written", name_of(&writing.place)));
        }
        let fork = self.edited_fork().map(|fork| fork.id);
        let steps = self.runs.comparison.run_mut(fork).and_then(|run| run.recorded_steps());
        match steps {
            None => self.say("This run plays a recording back: its file is there already".to_owned()),
            Some(steps) if steps.count() == 0 => {
                self.say("Nothing has been recorded yet: play first".to_owned());
            }
            Some(steps) => {
                let kind = FileKind::Recording;
                let name = format!("{}.{}", slug(&self.run().scene.name), kind.extension());
                self.choose_place(FileAction::SaveRecording(steps), None, &name);
            }
        }
    }

    /// Begins to write these steps.
    pub(super) fn write_recording(&mut self, place: &Path, steps: RecordedSteps) {
        let from = (!steps.is_whole).then(|| steps.begins());
        let file = NewFile::create(place).map(|file| Packed::of(place, file));
        match file.and_then(|file| Retelling::begin(steps, file, &self.runs.stepping)) {
            Ok(steps) => {
                self.files.writing = Some(Writing { steps, place: place.to_owned(), share: 0.0, from });
                self.go_on_writing();
            }
            Err(error) => self.refuse(NOT_SAVED, place.display().to_string(), vec![error.to_string()]),
        }
    }

    /// Goes on with a recording that is being written.
    pub(super) fn go_on_writing(&mut self) {
        let Some(mut writing) = self.files.writing.take() else { return };
        let told = match writing.steps.go_on() {
            Told::Share(share) => {
                self.files.writing = Some(Writing { share, ..writing });
                return;
            }
            Told::Whole(file) => file.unpack().and_then(NewFile::finish),
            Told::Failed(why) => Err(io::Error::other(why)),
        };
        let title = writing.place.display().to_string();
        match (told, writing.from) {
            (Ok(()), None) => self.say(format!("Saved {title}")),
            (Ok(()), Some(from)) => {
                let from = duration(from);
                self.say(format!(
                    "Saved {title}, from {from} on: what was before is not kept, or cannot be told"
                ));
            }
            (Err(error), _) => self.refuse(NOT_SAVED, title, vec![error.to_string()]),
        }
    }

    /// The share of a recording's steps that has been written, while one is being written.
    pub fn written_share(&self) -> Option<f64> {
        self.files.writing.as_ref().map(|writing| writing.share)
    }
}

fn name_of(place: &Path) -> String {
    place.file_name().unwrap_or(place.as_os_str()).to_string_lossy().into_owned()
}
