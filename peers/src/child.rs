//! A conversion in a child process: what stops Box2D stops the child alone.

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use crate::{Error, Told, box2d};

/// What a child process may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time, s.
    pub seconds: u64,
    /// Bytes of the recording that it writes.
    pub bytes: u64,
    /// Bytes of address space, where the system can limit it.
    pub memory: u64,
}

impl Default for Limits {
    /// Five minutes, 4 GiB of text, 2 GiB of memory.
    fn default() -> Self {
        Self { seconds: 300, bytes: 4 << 30, memory: 2 << 30 }
    }
}

/// What the child's report begins with, on its standard error.
const REPORT: &str = "driftlab-b2rec ";
/// Bytes of a `.b2rec` file at most: Box2D's own limit.
const LARGEST: u64 = 256 << 20;

/// Converts `input` to `output` in a process of `program`, which is called with `args` and five more arguments, and has to pass
/// these five to [`run_child`]. Whatever Box2D does, the caller goes on.
///
/// After an error that names a step, `output` has the lines before it.
///
/// ```no_run
/// use driftlab_peers::{Limits, convert_in_child, run_child};
/// use std::process::ExitCode;
///
/// fn main() -> ExitCode {
///     let args: Vec<_> = std::env::args_os().skip(1).collect();
///     if args.first().is_some_and(|word| word == "b2rec-child") {
///         return run_child(&args[1..]);
///     }
///     let program = std::env::current_exe().unwrap();
///     let (input, output) = ("run.b2rec".as_ref(), "run.jsonl".as_ref());
///     match convert_in_child(&program, &["b2rec-child"], input, output, Limits::default()) {
///         Ok(told) => println!("{} steps of {}", told.steps, told.engine),
///         Err(error) => println!("{error}"),
///     }
///     ExitCode::SUCCESS
/// }
/// ```
///
/// # Errors
/// As [`box2d::convert`], or the child died, took too long, or wrote too much.
pub fn convert_in_child(
    program: &Path,
    args: &[&str],
    input: &Path,
    output: &Path,
    limits: Limits,
) -> Result<Told, Error> {
    let begun = Instant::now();
    let mut child = Command::new(program)
        .args(args)
        .args([input, output])
        .args([limits.bytes, limits.memory, limits.seconds].map(|limit| limit.to_string()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    let stderr = child.stderr.take().expect("the child's standard error is piped");
    let reader = std::thread::spawn(move || report(stderr));
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if begun.elapsed() >= Duration::from_secs(limits.seconds) {
            child.kill()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(Duration::from_millis(if begun.elapsed().as_millis() < 100 { 2 } else { 20 }));
    };
    let report = reader.join().unwrap_or_default();
    match (report, status) {
        (_, None) => Err(Error::Late { step: steps(output), seconds: limits.seconds }),
        (Some(result), Some(_)) => result,
        (None, Some(status)) => Err(Error::Died { step: steps(output), how: status.to_string() }),
    }
}

/// The last report of a child; everything else that it says is thrown away, and never more than a mebibyte is kept.
fn report(mut from: impl Read) -> Option<Result<Told, Error>> {
    let mut kept = Vec::new();
    let mut block = [0; 1 << 14];
    while let Ok(count @ 1..) = from.read(&mut block) {
        if kept.len() + count > 1 << 20 {
            kept.clear();
        }
        kept.extend_from_slice(&block[..count]);
    }
    let text = String::from_utf8_lossy(&kept);
    let line = text.lines().rev().find_map(|line| line.strip_prefix(REPORT))?;
    serde_json::from_str(line).ok()
}

/// How many steps a file that was left has: its whole lines but the first one.
fn steps(output: &Path) -> usize {
    let Ok(file) = File::open(output) else { return 0 };
    let mut reader = BufReader::new(file);
    let mut block = vec![0; 1 << 16];
    let mut lines = 0;
    while let Ok(count @ 1..) = reader.read(&mut block) {
        lines += block[..count].iter().filter(|byte| **byte == b'\n').count();
    }
    lines.saturating_sub(1)
}

/// What the child process does with its last five arguments: input, output, and the limits.
pub fn run_child(args: &[std::ffi::OsString]) -> ExitCode {
    let result = child(args);
    let told = result.is_ok();
    let report = serde_json::to_string(&result).unwrap_or_default();
    eprintln!("{REPORT}{report}");
    if told { ExitCode::SUCCESS } else { ExitCode::from(2) }
}

fn child(args: &[std::ffi::OsString]) -> Result<Told, Error> {
    let [input, output, limits @ ..] = args else {
        return Err(Error::Io("a conversion takes five arguments".into()));
    };
    let number = |place: usize| {
        limits.get(place).and_then(|text| text.to_str()).and_then(|text| text.parse::<u64>().ok())
    };
    let [Some(bytes), Some(memory), Some(seconds)] = [0, 1, 2].map(number) else {
        return Err(Error::Io("a conversion takes five arguments".into()));
    };
    hold(memory, seconds);
    let file = File::open(input)?;
    let size = file.metadata()?.len();
    if size > LARGEST {
        return Err(Error::Format(format!("it has {size} bytes; Box2D reads {LARGEST}")));
    }
    let mut recording = Vec::new();
    file.take(LARGEST).read_to_end(&mut recording)?;
    let mut out = Bounded { file: File::create(output)?, left: bytes, lines: 0, over: false };
    let result = box2d::convert(&recording, &mut out);
    if out.over { Err(Error::Large { step: out.lines.saturating_sub(1), bytes }) } else { result }
}

/// Limits this process, and leaves no image of it behind when it dies.
#[cfg(unix)]
fn hold(memory: u64, seconds: u64) {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let most = |limit: u64| Rlimit { current: Some(limit), maximum: Some(limit) };
    // A system without one of these limits goes on without it: the time limit of the parent holds anywhere.
    let _ = setrlimit(Resource::As, most(memory));
    let _ = setrlimit(Resource::Cpu, most(seconds.saturating_add(1)));
    let _ = setrlimit(Resource::Core, most(0));
}

#[cfg(not(unix))]
fn hold(_memory: u64, _seconds: u64) {}

/// Writes whole lines as long as there is room.
struct Bounded {
    file: File,
    left: u64,
    lines: usize,
    over: bool,
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if bytes.len() as u64 > self.left {
            self.over = true;
            return Err(std::io::Error::other("the recording becomes too large"));
        }
        let written = self.file.write(bytes)?;
        self.left -= written as u64;
        self.lines += bytes[..written].iter().filter(|byte| **byte == b'\n').count();
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}
