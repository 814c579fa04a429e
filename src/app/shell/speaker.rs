//! The spoken line of a page: what has changed since the last frame.

use crate::platform::speaking::{SPEAKS, speak};
use crate::workbench::model::{Model, Sentences};

/// Speaks what changes.
#[derive(Default)]
pub(super) struct Speaker {
    said: Sentences,
}

impl Speaker {
    /// After a frame.
    pub(super) fn tell(&mut self, model: &Model) {
        if !SPEAKS {
            return;
        }
        let sentences = model.spoken();
        let news = sentences.since(&self.said);
        if !news.is_empty() {
            speak(&news);
        }
        self.said = sentences;
    }
}
