//! A complementarity problem from a file, solved by Lemke's method, in the place of the last step's.

use super::{FileAction, Model};
use crate::experiment::first_problem;
use crate::experiment::opened::{MOST_REPLAYED, Replay, Watched};
use crate::files::{MOST_SCENE_BYTES, read_file};
use crate::workbench::file_kind::FileKind;
use crate::workbench::view_state::plot_view::Tab;
use std::path::Path;

/// The heading of a refusal.
const NOT_OPENED: &str = "This problem was not opened";

/// A problem from a file, with its solution.
#[derive(Clone, Debug)]
pub struct FileProblem {
    /// The file's name.
    pub title: String,
    /// The names of its rows, if it has any.
    pub names: Option<Vec<String>>,
    /// The problem, its pivots and their end.
    pub replay: Replay,
}

impl Model {
    /// Lets a person choose a problem.
    pub(crate) fn choose_problem(&mut self) {
        self.pick_for(FileAction::OpenProblem, FileKind::Problem);
    }

    /// Reads the first problem of a file, solves it, and shows it in the tab 'Solve'.
    pub(super) fn open_problem(&mut self, path: &Path) {
        let title = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let read = read_file(path, MOST_SCENE_BYTES).map_err(|error| vec![error.to_string()]);
        match read.and_then(|text| first_problem(&text)) {
            Ok(line) if line.problem.n() > MOST_REPLAYED => {
                let line = format!(
                    "it has {} rows (at most {MOST_REPLAYED} are shown; `driftlab lcp` solves it)",
                    line.problem.n()
                );
                self.refuse(NOT_OPENED, title, vec![line]);
            }
            Ok(line) => {
                let replay = Replay::of(line.problem, Watched::Lemke);
                self.shown.problem = Some(FileProblem { title, names: line.names, replay });
                self.shown.plot.tab = Tab::Solver;
            }
            Err(problems) => self.refuse(NOT_OPENED, title, problems),
        }
    }
}
