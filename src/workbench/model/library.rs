//! What there is to open, and the tour that is being taken.

use crate::workbench::exercise::Exercise;
use crate::workbench::library::shelf::Shelf;
use crate::workbench::library::tours::{self, Ask, Tour, TourStep};

/// The present step of a tour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Index of the tour.
    pub tour: usize,
    /// Its place: the index of a step, or behind the last one that of an exercise.
    pub step: usize,
    /// Simulation time of the main run when the step was set up, s.
    pub begun: f64,
    /// Index of the answer that a person has predicted.
    pub guess: Option<usize>,
    /// Whether what the step asks for has been done.
    pub done: bool,
}

/// What can be opened and taken, and how far a person is in it.
#[derive(Debug)]
pub struct Library {
    /// The shipped scenes.
    pub shelf: Shelf,
    /// The shipped tours.
    pub tours: Vec<Tour>,
    /// The tour that is being taken.
    pub progress: Option<Progress>,
    /// What a person is asked to do first, until it is done or another scene is opened.
    pub(super) invitation: Option<usize>,
}

impl Library {
    /// All that is shipped.
    ///
    /// # Errors
    /// The tours do not load.
    pub(super) fn read() -> Result<Self, String> {
        Ok(Self { shelf: Shelf::read(), tours: tours::shipped()?, progress: None, invitation: None })
    }

    /// The step of a tour that is being taken.
    pub fn tour_step(&self) -> Option<&TourStep> {
        let progress = self.progress?;
        self.tours.get(progress.tour)?.steps.get(progress.step)
    }

    /// The exercise that is being tried.
    pub fn exercise(&self) -> Option<&Exercise> {
        let progress = self.progress?;
        self.tours.get(progress.tour)?.exercise_at(progress.step)
    }

    /// What the present step of a tour asks for, while it is not done.
    pub fn asked(&self) -> Option<&Ask> {
        let open = self.progress.is_some_and(|progress| !progress.done);
        self.tour_step().filter(|_| open)?.ask.as_ref()
    }

    /// Predicts what will be seen; once it is seen, nothing is predicted any more.
    pub(crate) fn predict(&mut self, answer: usize) {
        if let Some(progress) = self.progress.as_mut().filter(|progress| !progress.done) {
            progress.guess = Some(answer);
        }
    }
}
