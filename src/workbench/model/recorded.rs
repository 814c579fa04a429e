//! Recordings of other engines: opened as a scene with the run played back beside it, and followed while they are being written.

use super::{FileAction, Model, Refusal};
use crate::experiment::judge::StepProblem;
use crate::experiment::recording::{Recording, RecordingProblem};
use crate::files::{Follower, Opened, Progress, open_recording, recording_of};
use crate::workbench::file_kind::FileKind;
use crate::workbench::runs::comparison::ForkId;
use crate::workbench::runs::played::{Judgement, Played};
use crate::workbench::view_state::arrangement::Arrangement;
use crate::workbench::view_state::plot_view::Tab;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Headings of refusals.
const NOT_OPENED: &str = "This recording was not opened";
const NOT_FOLLOWED: &str = "This recording is not followed any more";
const LEFT_OUT: &str = "Opened, but for what the recording leaves out";
/// What is said beneath such a list.
const OPENED: &str = "The recording plays beside runs of its scene. `driftlab check` prints the same list.";

/// States of bodies that a frame judges at most: some milliseconds.
const STATES: usize = 4000;

/// A recording that is being followed.
#[derive(Debug)]
pub struct Watch {
    follower: Follower,
    /// Its name.
    name: String,
    /// Takes that have been opened or refused.
    takes: usize,
    /// What had come when it was read last.
    seen: Progress,
}

impl Model {
    /// Opens a file as a recording.
    pub(super) fn open_recorded(&mut self, path: &Path) {
        let title = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        self.files.watch = None;
        self.take_recording(&title, open_recording(path));
    }

    /// Opens what has been read as a recording; if it is wrong, says why and leaves the running world unchanged.
    fn take_recording(&mut self, title: &str, source: io::Result<Opened>) {
        let whole = |error: io::Error| vec![error.to_string()];
        let told = |problems: Vec<RecordingProblem>| problems.iter().map(ToString::to_string).collect();
        let opened = source.map_err(whole).and_then(|Opened { source, notes }| {
            Recording::open(source).map_err(told).map(|recording| recording.with_notes(notes))
        });
        match opened {
            Ok(recording) => self.enter_recording(title, recording),
            Err(problems) => self.refuse(NOT_OPENED, title.to_owned(), problems),
        }
    }

    /// Opens the bytes of a file as a recording.
    pub(crate) fn open_recorded_bytes(&mut self, title: &str, bytes: Vec<u8>) {
        self.files.watch = None;
        self.take_recording(title, recording_of(bytes).map(Opened::from));
    }

    /// The recording's scene as the main run, and the recording beside it.
    fn enter_recording(&mut self, title: &str, recording: Recording) {
        let left_out = [recording.notes(), recording.left_out()].concat();
        let scene = recording.scene().clone();
        let played = Played::recorded(title, None, recording);
        self.enter(scene, title.to_owned(), None, None);
        self.play(played);
        self.sight.arrangement = Arrangement::Panes;
        if !left_out.is_empty() {
            let title = title.to_owned();
            self.news.refusal = Some(Refusal {
                heading: LEFT_OUT,
                title,
                problems: left_out,
                unchanged: OPENED,
                opened: true,
            });
        }
    }

    /// Lets a person choose a file that is followed.
    pub(crate) fn choose_watch(&mut self) {
        self.pick_for(FileAction::Watch, FileKind::Recording);
    }

    /// Follows a file, the standard input or a socket from now on.
    pub(crate) fn watch_recording(&mut self, name: &str) {
        match Follower::new(name) {
            Ok(follower) => {
                let seen = Progress::default();
                self.files.watch = Some(Watch { follower, name: name.to_owned(), takes: 0, seen });
            }
            Err(error) => self.refuse(NOT_OPENED, name.to_owned(), vec![error.to_string()]),
        }
    }

    /// Whether a recording is being followed that may still grow.
    pub(super) fn follows(&self) -> bool {
        self.files.watch.as_ref().is_some_and(|watch| !watch.seen.ended)
    }

    /// Whether the main run has come to the end of what has been written so far, and more may come.
    pub(super) fn awaits_recording(&self) -> bool {
        let ahead = self.run().world().time() + self.run().time_step();
        self.follows() && self.followed().is_some_and(|(_, played)| ahead > played.end())
    }

    /// The newest take that is played back.
    fn followed(&self) -> Option<(ForkId, &Played)> {
        let played = self.runs.comparison.forks().iter().rev();
        let mut played = played.filter_map(|fork| Some((fork.id, fork.run().played()?)));
        played.find(|(_, played)| played.is_recording())
    }

    /// The figures of the recording that is played back, as far as it has been judged.
    pub fn judged(&self) -> Option<Judgement> {
        self.followed()?.1.judgement()
    }

    /// The name of that recording.
    pub fn judged_name(&self) -> Option<&str> {
        Some(&self.followed()?.1.title)
    }

    /// The problem of the step that is shown, with the step's number.
    pub fn judged_step(&self) -> Option<(usize, Arc<Result<StepProblem, String>>)> {
        self.followed()?.1.step_problem(self.run().world().time())
    }

    /// Judges more of it while somebody looks.
    fn judge_on(&self) {
        let Some((_, played)) = self.followed() else { return };
        // The tab is offered as soon as there is something to be judged.
        played.judge(if self.shown.plot.tab == Tab::Judge { STATES } else { 1 });
    }

    /// Whether more of it is being judged.
    pub(super) fn is_judging(&self) -> bool {
        let open = |own: Judgement| own.steps[0] < own.steps[1] && own.ended.is_none();
        self.shown.plot.tab == Tab::Judge && self.judged().is_some_and(open)
    }

    /// Takes in what has come of the recording that is followed, and tells what could not be read of those that are played back.
    pub(super) fn take_in_recording(&mut self) {
        let problem = self.runs.comparison.present().find_map(|fork| fork.run().played()?.take_problem());
        if let Some(problem) = problem {
            self.say(format!("{}: {problem}", self.files.title));
        }
        self.judge_on();
        let Some(mut watch) = self.files.watch.take() else { return };
        let now = watch.follower.progress();
        if now == watch.seen {
            self.files.watch = Some(watch);
            return;
        }
        if let Some(problem) = &now.problem {
            self.refuse(NOT_FOLLOWED, watch.name.clone(), vec![problem.clone()]);
        }
        if now.takes > watch.takes {
            self.begin_take(&mut watch, &now);
        } else if let Some(problem) = self.followed().and_then(|(_, played)| played.extend().err()) {
            self.say(format!("{}: {problem}", watch.name));
        }
        watch.seen = now;
        self.files.watch = Some(watch);
    }

    /// Opens the newest take, once its first line is there; the one before stays beside as a ghost, if it is of the same bodies.
    fn begin_take(&mut self, watch: &mut Watch, now: &Progress) {
        let Ok(mut take) = watch.follower.last_take() else { return };
        if !has_line(&mut take).unwrap_or(false) {
            return;
        }
        watch.takes = now.takes;
        let opened = Recording::open(Box::new(take));
        // What comes by a socket or a pipe has no file's name.
        let file = Path::new(&watch.name).file_name().filter(|_| Path::new(&watch.name).is_file());
        let name = match (file, &opened) {
            (Some(file), _) => file.to_string_lossy().into_owned(),
            (None, Ok(recording)) => recording.engine().name.clone(),
            (None, Err(_)) => watch.name.clone(),
        };
        let title = if now.takes > 1 { format!("{name} ({})", now.takes) } else { name };
        let before = self.followed().map(|(id, _)| id);
        match opened {
            Ok(recording) if now.takes > 1 && self.has_bodies_of(&recording) => {
                let forks = self.runs.comparison.forks().iter();
                let recorded = forks.filter(|fork| fork.run().played().is_some_and(Played::is_recording));
                let older: Vec<_> = recorded.map(|fork| fork.id).filter(|id| Some(*id) != before).collect();
                older.into_iter().for_each(|id| self.runs.comparison.close(id));
                self.runs.comparison.restart();
                self.play(Played::recorded(&title, None, recording));
            }
            Ok(recording) => self.enter_recording(&title, recording),
            Err(problems) => {
                let problems = problems.iter().map(ToString::to_string).collect();
                self.refuse(NOT_OPENED, title, problems);
            }
        }
    }

    /// Whether a recording's scene has the bodies of the one that is open.
    fn has_bodies_of(&self, recording: &Recording) -> bool {
        let names =
            |bodies: &[crate::model::Body]| bodies.iter().map(|body| body.name.clone()).collect::<Vec<_>>();
        names(recording.scene().world.bodies()) == names(self.run().scene.world.bodies())
    }
}

/// Whether a whole line has come.
fn has_line(take: &mut std::fs::File) -> io::Result<bool> {
    use std::io::{BufRead, BufReader, Seek, SeekFrom};
    let mut first = Vec::new();
    BufReader::new(&mut *take).read_until(b'\n', &mut first)?;
    take.seek(SeekFrom::Start(0))?;
    Ok(first.last() == Some(&b'\n'))
}
