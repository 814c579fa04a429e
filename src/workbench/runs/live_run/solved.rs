//! The problem of the newest finished step, opened while somebody looks at it: once per step that the engine returns, since the
//! workspace that holds it leaves with the next job.

use super::LiveRun;
use crate::experiment::opened::{NoReplay, OpenedProblem, Replay, Watched};
use std::cell::RefCell;
use std::rc::Rc;

/// A replay, or why there is none.
pub type Replayed = Rc<Result<Replay, NoReplay>>;

/// A step's problem with its solution.
pub struct Solved {
    /// Number of the step.
    pub step: u64,
    /// Its problem.
    pub opened: OpenedProblem,
    /// The last replay that was looked at, by method and island.
    replay: RefCell<Option<(Watched, Option<usize>, Replayed)>>,
}

impl Solved {
    /// The replay of the island of row `i`, made where it is first looked at.
    pub fn replay(&self, i: usize, watched: Watched) -> Replayed {
        let island = self.opened.rows()[i].reading.island;
        let mut kept = self.replay.borrow_mut();
        match &*kept {
            Some((by, of, replay)) if *by == watched && *of == island => Rc::clone(replay),
            _ => {
                let replay = Rc::new(Replay::of_island(&self.opened, i, watched));
                *kept = Some((watched, island, Rc::clone(&replay)));
                replay
            }
        }
    }
}

impl LiveRun {
    /// The problem of the newest finished step, if somebody watches and there is one.
    pub fn solved(&self) -> Option<&Solved> {
        self.making.solved.as_ref()
    }

    /// Whether somebody looks at the problems that the steps solve.
    pub fn watch_solves(&mut self, watched: bool) {
        self.making.watches_solves = watched;
        if !watched {
            self.making.solved = None;
        } else if self.making.solved.is_none() {
            self.open_solve();
        }
    }

    /// Opens the problem of the step that has just been taken over, if somebody watches.
    pub(crate) fn open_solve(&mut self) {
        self.making.solved = None;
        if !self.making.watches_solves {
            return;
        }
        let opened = self.run.solved_step().zip(self.run.solved_problem());
        self.making.solved = opened.map(|(step, problem)| Solved {
            step,
            opened: OpenedProblem::new(problem),
            replay: RefCell::new(None),
        });
    }
}
