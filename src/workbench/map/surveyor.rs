//! Where the map is computed: in a thread of its own, or within the frame where there are no threads.

use super::work::{Answer, Question, Work};
use crate::platform::clock::Instant;
use crate::workbench::engine::{Notifier, Stepping};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;
use std::time::Duration;

/// Computes the answers to the newest question.
pub trait Surveyor {
    /// Asks; what is still to be answered of an older question is given up.
    fn ask(&mut self, question: Question);

    /// The next part of an answer, if one is ready.
    fn answer(&mut self) -> Option<Answer>;

    /// Whether more is to come.
    fn is_busy(&self) -> bool;
}

/// A surveyor in the place where steps are made.
pub(super) fn suited(stepping: &Stepping) -> Box<dyn Surveyor> {
    match stepping.map_within() {
        None => Box::new(Threaded::new(stepping.notifier().clone())),
        Some(budget) => Box::new(WithinFrame::new(budget)),
    }
}

/// In a thread of its own, which sleeps while there is no question. It ends with the surveyor.
pub struct Threaded {
    notifier: Notifier,
    line: Option<Line>,
    busy: bool,
}

/// The channels to and from the thread; nothing comes back after the last part of an answer but `None`, with the
/// question's number.
struct Line {
    questions: Sender<Question>,
    answers: Receiver<Part>,
    newest: u64,
}

/// A part of an answer, or the end of the answer to the question of that number.
enum Part {
    Answer(Answer),
    End(u64),
}

impl Threaded {
    /// A surveyor that has not started its thread yet, which notifies by `notifier` with every part of an answer.
    pub fn new(notifier: Notifier) -> Self {
        Self { notifier, line: None, busy: false }
    }
}

impl Surveyor for Threaded {
    fn ask(&mut self, question: Question) {
        let line = self.line.get_or_insert_with(|| start(&self.notifier));
        line.newest = question.number;
        // A thread that could not be started leaves the map empty.
        self.busy = line.questions.send(question).is_ok();
    }

    fn answer(&mut self) -> Option<Answer> {
        let line = self.line.as_ref()?;
        loop {
            match line.answers.try_recv() {
                Ok(Part::Answer(answer)) => return Some(answer),
                Ok(Part::End(number)) => self.busy &= number != line.newest,
                Err(TryRecvError::Empty) => return None,
                Err(TryRecvError::Disconnected) => {
                    self.busy = false;
                    return None;
                }
            }
        }
    }

    fn is_busy(&self) -> bool {
        self.busy
    }
}

fn start(notifier: &Notifier) -> Line {
    let (questions, due) = channel::<Question>();
    let (done, answers) = channel();
    let notifier = notifier.clone();
    // If the thread cannot be started its channels are closed, which the next question notices.
    let _unstarted = thread::Builder::new()
        .name("stability map".to_owned())
        .spawn(move || answer_all(&due, &done, &notifier));
    Line { questions, answers, newest: 0 }
}

fn answer_all(due: &Receiver<Question>, done: &Sender<Part>, notifier: &Notifier) {
    while let Ok(question) = due.recv() {
        let mut question = newest(question, due);
        let mut work = Work::new(question.clone());
        loop {
            let (answer, more) = work.advance();
            let lost = answer.is_some_and(|answer| done.send(Part::Answer(answer)).is_err());
            if lost || !more && done.send(Part::End(question.number)).is_err() {
                return;
            }
            notifier.notify();
            if !more {
                break;
            }
            if let Ok(newer) = due.try_recv() {
                question = newest(newer, due);
                work = Work::new(question.clone());
            }
        }
    }
}

/// The newest of the waiting questions. A field that an older one asked for is asked for by the newer one as well.
fn newest(mut question: Question, due: &Receiver<Question>) -> Question {
    while let Ok(newer) = due.try_recv() {
        let whole = question.whole || newer.whole;
        question = Question { whole, ..newer };
    }
    question
}

/// Within the frame that collects the answers, for as long as the budget lasts, or to the end without one.
pub struct WithinFrame {
    budget: Option<Duration>,
    work: Option<Work>,
}

impl WithinFrame {
    /// With a budget of real time per frame.
    pub fn new(budget: Option<Duration>) -> Self {
        Self { budget, work: None }
    }
}

impl Surveyor for WithinFrame {
    fn ask(&mut self, question: Question) {
        self.work = Some(Work::new(question));
    }

    fn answer(&mut self) -> Option<Answer> {
        let start = Instant::now();
        while let Some(work) = &mut self.work {
            let (answer, more) = work.advance();
            if !more {
                self.work = None;
            }
            if answer.is_some() {
                return answer;
            }
            if self.budget.is_some_and(|budget| start.elapsed() > budget) {
                break;
            }
        }
        None
    }

    fn is_busy(&self) -> bool {
        self.work.is_some()
    }
}
