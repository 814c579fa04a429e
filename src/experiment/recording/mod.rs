//! Recordings: the run of any engine as lines of JSON (docs/RECORDING.md), opened, indexed and read line by line.
//!
//! A recording of any length is opened by its first line and an index of where the others begin; a line is read when it is
//! asked for. Where bodies or constraints come or go a new [`Stretch`] begins, with a world of its own, into which the lines'
//! poses and velocities are set: there the engine's own functions measure them as they measure its steps.

mod changed;
mod index;
mod playback;
mod problem;
mod read;
mod stretch;
mod write;

pub use problem::RecordingProblem;
pub use stretch::Stretch;
pub use write::RunRecorder;

use crate::scene::Scene;
use driftlab_probe::format::{Engine, Impulses, Moment, Precision, Step};
use index::Index;
use std::io::{BufReader, Read, Seek, SeekFrom};

/// What a recording is read from: a file, or bytes in memory.
pub trait Source: Read + Seek + Send {}

impl<T: Read + Seek + Send> Source for T {}

/// Bytes that are read at once.
const BLOCK: usize = 1 << 20;

/// A recording that has been opened.
pub struct Recording {
    engine: Engine,
    precision: Precision,
    contacts_at: Moment,
    impulses: Impulses,
    time_step: Option<f64>,
    left_out: Vec<String>,
    notes: Vec<String>,
    scene: Scene,
    index: Index,
    /// Those that have been asked for so far, in order; at least the first.
    stretches: Vec<Stretch>,
    /// How many of the index's changes these follow.
    followed: usize,
    source: Box<dyn Source>,
}

impl std::fmt::Debug for Recording {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recording")
            .field("engine", &self.engine)
            .field("steps", &self.times().len())
            .finish()
    }
}

impl Recording {
    /// Opens a recording: reads its first line, and finds the others.
    ///
    /// # Errors
    /// What is wrong with the first line; a line behind it that has no time. What is wrong within a line is told when it is read.
    pub fn open(mut source: Box<dyn Source>) -> Result<Self, Vec<RecordingProblem>> {
        let mut reader = BufReader::with_capacity(BLOCK, &mut source);
        let (mut index, first) = Index::begin(&mut reader).map_err(|problem| vec![problem])?;
        let (header, scene) = read::header(&first)?;
        index.extend(&mut reader).map_err(|problem| vec![problem])?;
        let stretches = vec![Stretch::of(&scene.world)];
        Ok(Self {
            engine: header.engine,
            precision: header.precision,
            contacts_at: header.contacts_at,
            impulses: header.impulses,
            time_step: header.time_step,
            left_out: header.left_out,
            notes: Vec::new(),
            scene,
            index,
            stretches,
            followed: 0,
            source,
        })
    }

    /// Reads what has been written behind the end since then.
    ///
    /// # Errors
    /// A line without a time, or a file that cannot be read any more; what stands before it is kept.
    pub fn extend(&mut self) -> Result<(), RecordingProblem> {
        let from = self.index.end();
        let sought = self.source.seek(SeekFrom::Start(from));
        sought.map_err(|error| RecordingProblem::whole(error.to_string()))?;
        self.index.extend(&mut BufReader::with_capacity(BLOCK, &mut self.source))
    }

    /// The program that made the steps.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Its arithmetic.
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// The poses for which contacts are stated.
    pub fn contacts_at(&self) -> Moment {
        self.contacts_at
    }

    /// Whether its lines tell all that acted.
    pub fn impulses(&self) -> Impulses {
        self.impulses
    }

    /// The length of steps that do not state their own, s, if the first line states it.
    pub fn time_step(&self) -> Option<f64> {
        self.time_step
    }

    /// What its world has and the scene does not tell.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// What is worth knowing of how it came about, beside what it says itself.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The same recording with such notes.
    pub fn with_notes(self, notes: Vec<String>) -> Self {
        Self { notes, ..self }
    }

    /// The world before the first step, with settings by which driftlab steps it.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Times of the steps, s.
    pub fn times(&self) -> &[f64] {
        &self.index.times
    }

    /// Bytes behind the last whole line: more than 0 where the file ends in the middle of one.
    pub fn cut_off(&self) -> u64 {
        self.index.cut_off
    }

    /// The number of a step's line in the file, from 1.
    pub fn line(&self, place: usize) -> u64 {
        self.index.number(place)
    }

    /// The step of a place, below the number of [`Recording::times`], with who is there.
    ///
    /// # Errors
    /// What is wrong with the line, or with an earlier one where something came or went.
    pub fn step(&mut self, place: usize) -> Result<(Step, &Stretch), Vec<RecordingProblem>> {
        let step = self.read(place)?;
        let own = self.stretch_of(place)?;
        let number = self.index.number(place);
        let stretch = &self.stretches[own];
        read::check(&step, stretch, number)?;
        Ok((step, stretch))
    }

    /// Which stretch a place belongs to.
    fn stretch_of(&mut self, place: usize) -> Result<usize, Vec<RecordingProblem>> {
        while let Some(change) = self.index.changes.get(self.followed).copied().filter(|own| *own <= place)
        {
            let step = self.read(change)?;
            let before = change.checked_sub(1).map(|before| self.read(before)).transpose()?;
            if step.came.is_some() || step.went.is_some() {
                let line = self.index.number(change);
                let last = &self.stretches[self.stretches.len() - 1];
                self.stretches.push(last.next(change, line, before.as_ref(), &step, &self.scene)?);
            }
            self.followed += 1;
        }
        Ok(self.stretches.partition_point(|own| own.first <= place).saturating_sub(1))
    }

    /// A line by itself.
    fn read(&mut self, place: usize) -> Result<Step, Vec<RecordingProblem>> {
        let (bytes, number) = (self.index.bytes(place), self.index.number(place));
        let wrong = |error: std::io::Error| vec![RecordingProblem::at(number, "", error.to_string())];
        self.source.seek(SeekFrom::Start(bytes.start)).map_err(wrong)?;
        let mut line = vec![0; (bytes.end - bytes.start) as usize];
        self.source.read_exact(&mut line).map_err(wrong)?;
        read::step(&line, number)
    }
}
