//! The file of the open scene: where it is saved, what no file has yet, and the question before that is left.
//!
//! What is asked about is work: what was built, a recorded pointer, and, once the scene has a file, bodies that were
//! moved and other schemes, parameters and runs than those in it. Playing with a shipped scene is none.

use super::Model;
use super::making::NEW;
use super::remembered::absolute;
use crate::files::MOST_SCENE_BYTES;
use crate::method::Method;
use crate::platform::files::{Stamp, replace};
use crate::scene::Scene;
use crate::workbench::command::Command;
use crate::workbench::editor::scene_text::SceneText;
use crate::workbench::file_kind::{FileKind, slug};
use crate::workbench::intent::{Answer, Intent};
use crate::workbench::runs::comparison::Role;
use crate::workbench::runs::live_run::LiveRun;
use crate::workbench::text::prose::capitalised;
use crate::workbench::view_state::arrangement::Arrangement;
use std::io;
use std::path::{Path, PathBuf};

/// Heading of a refusal, and what it leaves as it was.
const NOT_SAVED: &str = "This file was not saved";
const STAYS: &str = "The earlier file is whole, and the running world is unchanged.";
/// Before a file is overwritten that another program has changed.
const CHANGED: &str = "The file has changed on disk: choose where to save, or open it again with R";

/// The file of the open scene.
#[derive(Debug, Default)]
pub struct Document {
    path: Option<PathBuf>,
    /// The runs when the file was read or written last.
    saved: Setup,
    /// Whether a person has worked on the scene since then in what cannot be undone.
    worked: bool,
    /// What was built then ([`Undo::work`](crate::workbench::runs::undo::Undo::work)).
    built: u64,
    /// What waits for an answer.
    leaving: Option<Intent>,
    /// The file as it was read or written last, and whether it has changed since then.
    stamp: Option<Stamp>,
    changed: bool,
}

/// How the runs are set up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Setup {
    runs: Vec<(Method, f64, Role)>,
    /// Names and files of the trajectories beside.
    trajectories: Vec<(String, Option<PathBuf>)>,
    arrangement: Arrangement,
}

/// A scene as it was when a person asked to save it.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    scene: Box<Scene>,
    setup: Setup,
    built: u64,
}

impl Document {
    /// The file; none for a scene that came from none.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Whether a question is open.
    pub fn is_asking(&self) -> bool {
        self.leaving.is_some()
    }

    /// Whether the program is what would be left.
    pub fn is_quitting(&self) -> bool {
        self.leaving == Some(Intent::Command(Command::Quit))
    }

    /// Whether another program has written the file since it was read or written here.
    pub fn has_changed_outside(&self) -> bool {
        self.changed
    }

    /// A person has worked on the scene.
    pub(crate) fn note_work(&mut self) {
        self.worked = true;
    }
}

impl Model {
    /// Whether there is work that no file has.
    pub fn is_unsaved(&self) -> bool {
        let Document { path, saved, worked, built, .. } = &self.document;
        let worked = *worked || *built != self.runs.undo.work();
        !self.layout.embedded && (worked || path.is_some() && *saved != self.setup())
    }

    /// What stands in the title bar.
    pub fn window_title(&self) -> String {
        let name = &self.run().scene.name;
        format!("{}{name} – driftlab", if self.is_unsaved() { "● " } else { "" })
    }

    fn setup(&self) -> Setup {
        let of = |run: &LiveRun, role| (run.method().clone(), run.time_step(), role);
        let (played, forks): (Vec<_>, Vec<_>) =
            self.runs.comparison.forks().iter().partition(|fork| fork.role == Role::Trajectory);
        let played = played.into_iter().filter_map(|fork| fork.run().played());
        let forks = forks.into_iter().map(|fork| of(fork.run(), fork.role));
        let main = of(self.run(), Role::Beside);
        Setup {
            runs: std::iter::once(main).chain(forks).collect(),
            trajectories: played.map(|own| (own.title.clone(), own.path.clone())).collect(),
            arrangement: self.sight.arrangement,
        }
    }

    /// The scene has just been opened, from a file or from elsewhere.
    pub(super) fn opened_from(&mut self, path: Option<PathBuf>) {
        let stamp = path.as_deref().and_then(Stamp::of);
        if let Some(path) = &path {
            self.note_file(path);
        }
        self.document = Document { path, saved: self.setup(), stamp, ..Document::default() };
    }

    /// Whether a person is asked first, because the intent would leave unsaved work.
    pub(crate) fn asks_before(&mut self, intent: &Intent) -> bool {
        // A second attempt to close the window while the question is open changes nothing.
        let asks = self.leaves(intent) && self.is_unsaved();
        if asks {
            // The gallery would lie over the question.
            self.library.shelf.browsing = None;
            self.document.leaving = Some(match intent {
                Intent::Chosen(path) => {
                    self.files.file_action = None;
                    Intent::OpenPath(path.clone())
                }
                other => other.clone(),
            });
        }
        asks
    }

    /// Looks whether another program has written the scene's file.
    pub fn look_at_file(&mut self) {
        let Document { path, stamp, changed, .. } = &mut self.document;
        let now = path.as_deref().and_then(Stamp::of);
        // A file that is not there may be on its way.
        *changed |= now.is_some() && now != *stamp;
    }

    /// Does what a person has answered.
    pub(crate) fn answer(&mut self, answer: Answer) {
        match answer {
            Answer::Save => self.save(),
            Answer::Discard => self.leave(),
            Answer::Stay => self.document.leaving = None,
        }
    }

    /// Goes on with what has waited for the answer.
    fn leave(&mut self) {
        if let Some(intent) = self.document.leaving.take() {
            self.perform(intent);
        }
    }

    /// Saves to the scene's file, or where a person chooses if it has none or another program has changed it.
    pub(crate) fn save(&mut self) {
        match self.document.path.clone() {
            Some(_) if self.document.changed => {
                self.say(CHANGED.to_owned());
                self.save_as();
            }
            Some(path) => {
                let draft = self.draft();
                self.save_to(&path, draft);
            }
            None => self.save_as(),
        }
    }

    /// Lets a person choose where to save.
    pub(crate) fn save_as(&mut self) {
        let name = match self.document.path.as_ref().and_then(|path| path.file_name()) {
            Some(name) => name.to_string_lossy().into_owned(),
            None => format!("{}.{}", slug(&self.run().scene.name), FileKind::Scene.ending()),
        };
        let own = self.document.path().and_then(Path::parent).map(absolute);
        let draft = self.draft();
        self.choose_place(super::FileAction::SaveScene(draft), own, &name);
    }

    fn draft(&self) -> Draft {
        Draft { scene: Box::new(self.staged()), setup: self.setup(), built: self.runs.undo.work() }
    }

    /// Writes the scene to a file, which from then on is its own. A scene without a name takes that of the file.
    pub(super) fn save_to(&mut self, path: &Path, mut draft: Draft) {
        if draft.scene.name == NEW {
            SceneText::Name.write(&mut draft.scene, &named_after(path));
        }
        if self.write(path, draft.scene.to_json().as_bytes()) {
            self.runs.comparison.main_mut().scene.name.clone_from(&draft.scene.name);
            self.files.title = path.display().to_string();
            self.note_file(path);
            self.document.path = Some(path.to_owned());
            (self.document.stamp, self.document.changed) = (Stamp::of(path), false);
            (self.document.saved, self.document.built) = (draft.setup, draft.built);
            self.document.worked = false;
            self.leave();
        } else {
            self.document.leaving = None;
        }
    }

    /// Writes a file, and says so; returns whether it was written. An earlier file stays whole until the new one is complete.
    pub(super) fn write(&mut self, path: &Path, bytes: &[u8]) -> bool {
        let written = if bytes.len() as u64 > MOST_SCENE_BYTES {
            Err(format!(
                "the file would have {} MiB (expected at most {} MiB): close runs beside",
                bytes.len() >> 20,
                MOST_SCENE_BYTES >> 20
            ))
        } else {
            replace(path, bytes).map_err(|error| not_written(&error, bytes.len()))
        };
        let title = path.display().to_string();
        match written {
            Ok(()) => {
                self.say(format!("Saved {title}"));
                true
            }
            Err(why) => {
                self.refuse(NOT_SAVED, title, vec![why]);
                self.news.refusal.iter_mut().for_each(|refusal| refusal.unchanged = STAYS);
                false
            }
        }
    }
}

/// The name of a scene that is saved as that file: `four-bar.driftlab.json` is `Four bar`.
fn named_after(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split_once('.').map_or(&*name, |(stem, _)| stem);
    capitalised(&stem.replace(['-', '_'], " "))
}

/// Why a file of so many bytes was not written.
fn not_written(error: &io::Error, bytes: usize) -> String {
    match error.kind() {
        io::ErrorKind::StorageFull => format!("the disk is full: the file takes {bytes} bytes"),
        io::ErrorKind::QuotaExceeded => {
            format!("your share of the disk is used up: the file takes {bytes} bytes")
        }
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::not_written;
    use std::fs::OpenOptions;
    use std::io::Write;

    /// The system's own error of a disk without room is told in words that say what to do about it.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_called_so() {
        let full =
            OpenOptions::new().write(true).open("/dev/full").and_then(|mut disk| disk.write_all(b"{}"));
        let error = full.expect_err("this device has no room");
        assert_eq!(not_written(&error, 2), "the disk is full: the file takes 2 bytes");
    }
}
