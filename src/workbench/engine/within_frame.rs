//! Steps within the frame that asks for them.

use super::{Answer, Engine, Job, Stepper, work};
use std::time::Duration;

/// Makes the steps of a job at once; the answer is ready when the job has begun.
pub struct WithinFrame {
    stepper: Stepper,
    budget: Option<Duration>,
    answer: Option<Answer>,
}

impl WithinFrame {
    /// An engine that stops after `budget`, or makes all steps that are due.
    pub fn new(stepper: Stepper, budget: Option<Duration>) -> Self {
        Self { stepper, budget, answer: None }
    }
}

impl Engine for WithinFrame {
    fn begin(&mut self, job: Job) {
        self.answer = Some(work(job, &self.stepper, self.budget));
    }

    fn answer(&mut self) -> Option<Answer> {
        self.answer.take()
    }

    fn abandon(&mut self) {
        self.answer = None;
    }
}
