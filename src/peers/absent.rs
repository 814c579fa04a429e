//! A program without other engines: there is no scheme of theirs, so that nobody ever asks for a step.

use crate::method::{Method, Scheme};
use crate::model::World;
use crate::report::StepError;
use driftlab_probe::format::{Engine, Impulses, Moment, Precision, Step};

pub(super) fn schemes() -> &'static [&'static Scheme] {
    &[]
}

pub(super) fn engine(_: &Method) -> Option<Engine> {
    None
}

pub(super) fn check(_: &Method, _: &World, _: f64) -> Result<(), Vec<String>> {
    Ok(())
}

/// A world in another engine: there is none.
#[derive(Debug, Default)]
pub struct Peer(());

/// What another engine remembers at a state: nothing.
#[derive(Clone, Debug)]
pub struct Kept;

impl Kept {
    /// Memory that it takes, bytes.
    pub fn bytes(&self) -> usize {
        0
    }
}

impl Peer {
    /// Whether it has made the step that led to the present state.
    pub fn has_stepped(&self) -> bool {
        false
    }

    /// Builds nothing.
    pub fn prepare(&mut self, _: &World, _: &Method, _: f64) {}

    /// Makes no step.
    ///
    /// # Errors
    /// Always: that this program has no other engine.
    pub fn step(&mut self, _: &mut World, _: &Method, _: f64) -> Result<(), StepError> {
        Err(StepError::Outside("this program has no other engine".to_owned()))
    }

    /// What acted in the last step: nothing.
    pub fn line(&self, _: &World) -> Option<Step> {
        None
    }

    /// How the numbers of its lines are meant.
    pub fn manner(&self) -> (Precision, Moment, Impulses) {
        Default::default()
    }

    /// What it remembers at a state.
    pub fn keep(&mut self, _: &World, _: &Method, _: f64) -> Option<Kept> {
        None
    }

    /// What it is to remember at its next step.
    pub fn recall(&mut self, _: Option<Kept>) {}

    /// Whether its next step goes on from that state of the world as the last one has left it.
    pub fn is_at(&self, _: &World) -> bool {
        true
    }

    /// It is not needed for now.
    pub fn forget(&mut self) {}

    /// Hands it out to whoever makes the next steps.
    pub fn hand_over(&mut self) -> Self {
        Self::default()
    }

    /// Whether it was handed out and has not come back.
    pub fn is_away(&self) -> bool {
        false
    }
}
