//! The writer of a recording: a [`Probe`] takes steps on the thread of the game, a thread of its own makes lines of them.
//!
//! Between the two is a queue of [`QUEUE`] steps. Where a line may be lost, a step that does not fit is dropped: it is counted,
//! and what came and went in it is passed on to the next step that fits, so that the numbers of bodies and joints stay right.
//! Where no line may be lost, in files, the game waits until there is room.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::mem;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::thread;
use std::time::{Duration, Instant};

use crate::format::{Came, Header, Step, Went};
use crate::sink::{Address, Plain, Sink, Socket};

/// Steps that wait to be written: half a second at 240 Hz.
const QUEUE: usize = 128;

/// How long the end of a recording waits for a reader that does not read, s. A file is waited for without end.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often it looks meanwhile whether there is room for the last line.
const LOOK: Duration = Duration::from_millis(2);

/// Writes a recording: the header first, then a line for each step.
///
/// A **file** is complete: [`Probe::step`] waits if the disk cannot keep up and half a second of steps is queued. A **pipe** or a
/// **socket** never slows the game: what does not fit into the queue is lost and counted, and the next line says how many were
/// lost before it. The last step of the game gets a line in any case while somebody reads, so that the end is never missing
/// without a word.
pub struct Probe {
    steps: Option<SyncSender<Step>>,
    done: Receiver<io::Result<()>>,
    may_lose: bool,
    lost: Arc<AtomicU64>,
    /// The last step, if it did not fit: with all that it carries from those before it that did not.
    refused: Option<Step>,
}

/// What the next line has to say of the lines that were lost before it.
#[derive(Clone, Default)]
pub(crate) struct Carried {
    came: Option<Came>,
    went: Option<Went>,
    lost: u64,
}

impl Carried {
    /// Takes over what a lost step says.
    pub(crate) fn keep(&mut self, step: Step) {
        self.lost += step.lost + 1;
        join_came(&mut self.came, step.came);
        join_went(&mut self.went, step.went);
    }

    /// Hands it to the next step, and forgets it.
    pub(crate) fn hand_to(&mut self, step: &mut Step) {
        let Carried { came, went, lost } = mem::take(self);
        step.lost += lost;
        let (mut all_came, mut all_went) = (came, went);
        join_came(&mut all_came, step.came.take());
        join_went(&mut all_went, step.went.take());
        (step.came, step.went) = (all_came, all_went);
    }
}

fn join_came(before: &mut Option<Came>, after: Option<Came>) {
    let Some(after) = after else { return };
    let before = before.get_or_insert_default();
    before.bodies.extend(after.bodies);
    before.joints.extend(after.joints);
    before.springs.extend(after.springs);
}

fn join_went(before: &mut Option<Went>, after: Option<Went>) {
    let Some(after) = after else { return };
    let before = before.get_or_insert_default();
    before.bodies.extend(after.bodies);
    before.joints.extend(after.joints);
    before.springs.extend(after.springs);
}

impl Probe {
    /// Opens what a word on a command line names: `-`, the standard output; `unix:PATH` or `tcp:127.0.0.1:PORT`, a socket; else a
    /// file.
    pub fn open(target: &str, header: &Header) -> io::Result<Self> {
        match Address::parse(target)? {
            Some(address) => Ok(Probe::start(Socket::new(address, line(header)?), true)),
            None if target == "-" => Probe::to_pipe(io::stdout(), header),
            None if target.ends_with(".gz") => Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("{target}: expected a name without .gz, compress the file when it is complete"),
            )),
            None => Probe::to_file(target, header),
        }
    }

    /// Writes a file, of which no line is lost. One that exists is replaced.
    pub fn to_file(path: impl AsRef<Path>, header: &Header) -> io::Result<Self> {
        Probe::to_writer(BufWriter::new(File::create(path)?), header)
    }

    /// Writes to anything, without loss: a step waits where the writer cannot keep up.
    pub fn to_writer(writer: impl Write + Send + 'static, header: &Header) -> io::Result<Self> {
        Ok(Probe::start(Plain::new(writer, &line(header)?)?, false))
    }

    /// Writes to anything without ever waiting: what the writer cannot take in time is lost and counted.
    pub fn to_pipe(writer: impl Write + Send + 'static, header: &Header) -> io::Result<Self> {
        let header = line(header)?;
        // A reader that does not read must not hold up even the start, so that the header is written by the thread as well.
        Ok(Probe::start(Plain::later(BufWriter::new(writer), header), true))
    }

    fn start(sink: impl Sink + Send + 'static, may_lose: bool) -> Self {
        let (steps, queue) = mpsc::sync_channel(QUEUE);
        let (report, done) = mpsc::sync_channel(1);
        let lost = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&lost);
        thread::spawn(move || {
            // Nobody asks for the result of a probe that was left behind.
            let _ = report.send(write_all(sink, &queue, &counted));
        });
        Probe { steps: Some(steps), done, may_lose, lost, refused: None }
    }

    /// Writes a step.
    pub fn step(&mut self, mut step: Step) {
        let Some(steps) = &self.steps else { return };
        if let Some(before) = self.refused.take() {
            let mut carried = Carried::default();
            carried.keep(before);
            carried.hand_to(&mut step);
        }
        self.refused = if self.may_lose {
            steps.try_send(step).err().map(|error| match error {
                TrySendError::Full(step) | TrySendError::Disconnected(step) => step,
            })
        } else {
            steps.send(step).err().map(|error| error.0)
        };
        if self.refused.is_some() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// How many lines were lost so far: those that did not fit, those that nobody was there to read, and those behind an error of
    /// the writer.
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// Writes what is queued, and says how many lines were lost or what went wrong. A file is written to its end; a reader that
    /// does not read is waited for a second. Dropping a probe does the same without the answer.
    pub fn finish(mut self) -> io::Result<u64> {
        self.end()?;
        Ok(self.lost())
    }

    fn end(&mut self) -> io::Result<()> {
        let Some(steps) = self.steps.take() else { return Ok(()) };
        if !self.may_lose {
            drop(steps);
            return self.done.recv().unwrap_or(Ok(()));
        }
        let until = Instant::now() + PATIENCE;
        if let Some(last) = self.refused.take() {
            self.end_with(last, &steps, until);
        }
        drop(steps);
        match self.done.recv_timeout(until.saturating_duration_since(Instant::now())) {
            // That nobody reads any more is no error of a stream.
            Ok(_) => Ok(()),
            Err(_) => {
                Err(io::Error::new(io::ErrorKind::TimedOut, "the reader of the recording does not read"))
            }
        }
    }
}

impl Probe {
    /// Queues the last step as soon as there is room, if there is in time.
    fn end_with(&self, mut last: Step, steps: &SyncSender<Step>, until: Instant) {
        loop {
            match steps.try_send(last) {
                Ok(()) => {
                    self.lost.fetch_sub(1, Ordering::Relaxed);
                    return;
                }
                Err(TrySendError::Full(step)) if Instant::now() < until => last = step,
                Err(_) => return,
            }
            thread::sleep(LOOK);
        }
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        // Whoever wants to know calls `finish`.
        let _ = self.end();
    }
}

/// The bytes of a line.
pub(crate) fn line(value: &impl serde::Serialize) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Writes step after step until the queue is closed; what is buffered goes out whenever the queue is empty, so that a file can be
/// watched.
fn write_all(mut sink: impl Sink, queue: &Receiver<Step>, lost: &AtomicU64) -> io::Result<()> {
    let mut failed = None;
    sink.begin().unwrap_or_else(|error| failed = Some(error));
    loop {
        let step = match queue.try_recv() {
            Ok(step) => step,
            Err(mpsc::TryRecvError::Disconnected) => break,
            Err(mpsc::TryRecvError::Empty) => {
                if failed.is_none() {
                    sink.flush().unwrap_or_else(|error| failed = Some(error));
                }
                let Ok(step) = queue.recv() else { break };
                step
            }
        };
        // After an error steps are only counted, so that the game neither waits nor fails.
        match if failed.is_none() { sink.step(step) } else { Ok(false) } {
            Ok(true) => {}
            Ok(false) => _ = lost.fetch_add(1, Ordering::Relaxed),
            Err(error) => {
                lost.fetch_add(1, Ordering::Relaxed);
                failed = Some(error);
            }
        }
    }
    match failed {
        None => sink.flush(),
        Some(error) => Err(error),
    }
}
