//! The judge on motions of which theory says what is wrong with them, and on our own runs, whose reports say the same.

mod attached;
mod own;
mod theory;

use super::{Judge, Judged, StepFigures};
use crate::experiment::recording::Recording;
use std::io::Cursor;

/// Opens a text as a recording.
fn opened(text: impl Into<Vec<u8>>) -> Recording {
    let bytes: Vec<u8> = text.into();
    Recording::open(Box::new(Cursor::new(bytes))).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// The figures of every step, and of the whole.
fn judged(text: impl Into<Vec<u8>>) -> (Vec<StepFigures>, Judged) {
    let mut recording = opened(text);
    let mut judge = Judge::new(&recording);
    let steps = (0..recording.times().len())
        .map(|place| judge.step(&mut recording, place).unwrap_or_else(|problems| panic!("{problems:?}")))
        .collect();
    (steps, judge.finish())
}
