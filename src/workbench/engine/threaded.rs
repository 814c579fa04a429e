//! Steps in a thread of their own, which sleeps while there is nothing to do.
//!
//! Each thread has its own pair of channels. When a job is abandoned, its thread and channels are dropped: the thread ends after
//! its present step, since its channel is closed, and the next job starts a new thread. The answer of an abandoned job can
//! therefore not arrive, and neither abandoning a job nor closing the window waits for a step.

use super::{Answer, Engine, Job, Notifier, STEPPING_BUDGET, Stepper, broken, give_way, work};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;

/// Stack of the thread, bytes: as large as that of a main thread.
const STACK: usize = 8 << 20;

/// Makes steps in a thread of its own.
pub struct Threaded {
    stepper: Stepper,
    notifier: Notifier,
    thread: Option<Channels>,
    under_way: bool,
}

/// The channels to and from a thread.
struct Channels {
    jobs: Sender<Job>,
    answers: Receiver<Answer>,
}

impl Threaded {
    /// An engine that has not started its thread yet, which notifies by `notifier` with every answer.
    pub fn new(stepper: Stepper, notifier: Notifier) -> Self {
        Self { stepper, notifier, thread: None, under_way: false }
    }
}

impl Engine for Threaded {
    fn begin(&mut self, job: Job) {
        let line = self.thread.get_or_insert_with(|| start(&self.stepper, &self.notifier));
        // A thread that could not be started or has died shows in its answer.
        let _gone = line.jobs.send(job);
        self.under_way = true;
    }

    fn answer(&mut self) -> Option<Answer> {
        if !self.under_way {
            return None;
        }
        let answer = match self.thread.as_ref()?.answers.try_recv() {
            Err(TryRecvError::Empty) => return None,
            Ok(answer) => answer,
            Err(TryRecvError::Disconnected) => {
                self.thread = None;
                broken("its thread has ended".to_owned())
            }
        };
        self.under_way = false;
        Some(answer)
    }

    fn abandon(&mut self) {
        if self.under_way {
            self.thread = None;
            self.under_way = false;
        }
    }
}

/// Starts a thread that makes one job after the other until its channel is closed.
fn start(stepper: &Stepper, notifier: &Notifier) -> Channels {
    let (jobs, due) = channel::<Job>();
    let (done, answers) = channel();
    let (stepper, notifier) = (Stepper::clone(stepper), notifier.clone());
    let engine = move || {
        give_way();
        for job in due {
            if done.send(work(job, &stepper, Some(STEPPING_BUDGET))).is_err() {
                break;
            }
            notifier.notify();
        }
    };
    // If the thread could not be started both channels are closed, and asking for the answer reports it.
    let _unstarted = thread::Builder::new().name("engine".to_owned()).stack_size(STACK).spawn(engine);
    Channels { jobs, answers }
}
