//! Fuzzing on stable Rust: the kept seeds are replayed with the ordinary tests, and a driver tries new inputs for as
//! long as it is told.
//!
//! ```text
//! DRIFTLAB_FUZZ_SECONDS=600 DRIFTLAB_FUZZ_SEED=7 cargo test --release --test main -- --ignored --nocapture fuzz
//! ```
//!
//! DRIFTLAB_FUZZ_TARGET chooses one target; DRIFTLAB_FUZZ_INPUTS a number of inputs in place of the seconds. What
//! became of them is printed, and of long runs every ten minutes. An input that breaks a promise is written to
//! `fuzz/artifacts/TARGET-SEED-NUMBER`; kept in `fuzz/seeds/TARGET/` it is replayed from then on. The same targets run
//! under libFuzzer, whose inputs follow the program's branches: see `fuzz/README.md`.

mod dense;
mod exact;
mod intents;
mod judge;
mod passive;
mod source;
mod tally;
mod targets;
mod worlds;

use crate::contact::rates;
use driftlab::lcp::{MixedWorkspace, Solver};
use driftlab::scene::catalogue;
use judge::Judge;
use source::Source;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tally::Tally;
use targets::{TARGETS, Target};

/// Seconds per target if nothing else is said: nine targets take half a minute.
const SECONDS: u64 = 4;
/// After so long what has been met so far is told.
const TOLD: Duration = Duration::from_secs(600);

fn all() -> impl Iterator<Item = (&'static str, Target)> {
    TARGETS.into_iter().chain([("window_intents", intents::window_intents as Target)])
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").join(name)
}

#[test]
fn kept_seeds_break_no_promise() {
    // Protects what fuzzing has found once: every kept input of every target.
    let mut replayed = 0;
    for (name, target) in all() {
        for entry in fs::read_dir(folder("seeds").join(name)).into_iter().flatten().flatten() {
            println!("{}", entry.path().display());
            target(&fs::read(entry.path()).unwrap(), &mut Tally::default());
            replayed += 1;
        }
    }
    assert!(replayed >= TARGETS.len(), "only {replayed} seeds found");
}

#[test]
fn kept_problems_are_solved() {
    // Protects what the solvers of a step were repaired for: the kept problems whose names begin with a solver's. All
    // of them have a solution; before, the solver ended on a ray, on one with a wrong certificate, or with a residual.
    let mut solved = 0;
    for entry in fs::read_dir(folder("seeds").join("mixed")).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        let Some(solver) = Solver::by_key(name.split('-').next().unwrap()) else { continue };
        let problem = worlds::problem(&mut Source::new(&fs::read(entry.path()).unwrap()));
        let (mut lambda, mut v) = (Vec::new(), Vec::new());
        let outcome = solver.solve_mixed(&problem, &mut lambda, &mut v, &mut MixedWorkspace::default());
        assert_eq!(outcome.map(|outcome| outcome.infeasible), Ok(0), "{name}");
        let judge = Judge::new(&problem);
        assert!(judge.left(&lambda) <= judge.accepted(), "{name}");
        solved += 1;
    }
    assert_eq!(solved, 10);
}

#[test]
#[ignore = "as long as DRIFTLAB_FUZZ_SECONDS says, for each target"]
fn new_inputs_break_no_promise() {
    // Protects all promises of the targets on inputs that nobody has thought of.
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let time = Duration::from_secs(number("DRIFTLAB_FUZZ_SECONDS").unwrap_or(SECONDS));
    let count = number("DRIFTLAB_FUZZ_INPUTS");
    let seed = number("DRIFTLAB_FUZZ_SEED").unwrap_or(1);
    let only = std::env::var("DRIFTLAB_FUZZ_TARGET").ok();
    let mut broken = Vec::new();
    for (name, target) in all().filter(|(name, _)| only.as_deref().is_none_or(|only| only == *name)) {
        let mut inputs = Inputs::new(name, seed);
        let (start, mut made, mut tally) = (Instant::now(), 0_u64, Tally::default());
        let mut told = start;
        while count.map_or(start.elapsed() < time, |count| made < count) {
            let input = inputs.next();
            made += 1;
            if catch_unwind(AssertUnwindSafe(|| target(&input, &mut tally))).is_err() {
                let path = folder("artifacts").join(format!("{name}-{seed}-{made}"));
                fs::create_dir_all(folder("artifacts")).unwrap();
                fs::write(&path, &input).unwrap();
                broken.push(path);
            }
            if told.elapsed() >= TOLD {
                println!("{name}: {made} inputs so far, {} of all broken\n{tally}", broken.len());
                told = Instant::now();
            }
        }
        println!("{name}: {made} inputs in {:.0} s\n{tally}", start.elapsed().as_secs_f64());
        assert!(passive::gains_are_rare(&tally), "too many passive worlds gain energy");
    }
    assert!(broken.is_empty(), "broken by {broken:?}");
}

/// Inputs of a target: random bytes for those that build from bytes, altered texts for those that read texts.
struct Inputs {
    state: u64,
    texts: Vec<Vec<u8>>,
}

impl Inputs {
    fn new(name: &str, seed: u64) -> Self {
        let short = |text: &&str| text.len() < 20_000;
        let scenes = catalogue::entries().iter().map(|entry| entry.text).filter(short);
        let texts: Vec<Vec<u8>> = match name {
            "scene_text" | "round_trip" => scenes.map(|text| text.as_bytes().to_vec()).collect(),
            "lcp_line" | "merge" | "recording" => {
                let kept = fs::read_dir(folder("seeds").join(name)).into_iter().flatten().flatten();
                kept.map(|entry| fs::read(entry.path()).unwrap()).collect()
            }
            _ => Vec::new(),
        };
        Self { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, texts }
    }

    /// xorshift64* [Vigna 2016].
    fn random(&mut self) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.random() >> 16) as usize % bound.max(1)
    }

    fn next(&mut self) -> Vec<u8> {
        if self.texts.is_empty() {
            let length = 16 + self.below(400);
            return (0..length).map(|_| (self.random() >> 32) as u8).collect();
        }
        let chosen = self.below(self.texts.len());
        let mut text = self.texts[chosen].clone();
        for _ in 0..1 + self.below(6) {
            self.alter(&mut text);
        }
        text
    }

    /// Replaces, removes, repeats or inserts a piece: a byte, a number, a word of the format, a piece of another text.
    fn alter(&mut self, text: &mut Vec<u8>) {
        const WORDS: [&str; 24] = [
            "0",
            "-1",
            "1e308",
            "-1e308",
            "5e-324",
            "1e-200",
            "1e9",
            "0.5",
            "null",
            "true",
            "\"\"",
            "[]",
            "{}",
            ",",
            ":",
            "[0, 0]",
            "[1, 2]",
            "\"rattle\"",
            "\"kinematic\"",
            "\"polygon\"",
            "\"slider\"",
            "\"xpbd\"",
            "\\u001b",
            "\u{feff}",
        ];
        if text.is_empty() {
            return;
        }
        let at = self.below(text.len());
        match self.below(6) {
            0 => text[at] = (self.random() >> 32) as u8 & 0x7f,
            1 => {
                let end = (at + 1 + self.below(40)).min(text.len());
                drop(text.drain(at..end));
            }
            2 => {
                let end = (at + 1 + self.below(200)).min(text.len());
                let piece = text[at..end].to_vec();
                text.splice(at..at, piece);
            }
            3 => {
                let other = self.below(self.texts.len());
                let from = self.below(self.texts[other].len());
                let to = (from + 1 + self.below(200)).min(self.texts[other].len());
                let piece = self.texts[other][from..to].to_vec();
                text.splice(at..at, piece);
            }
            4 => {
                // The number or word in which the place lies is replaced.
                let inside = |byte: &u8| byte.is_ascii_alphanumeric() || b".-+\"_".contains(byte);
                let start = text[..at].iter().rposition(|byte| !inside(byte)).map_or(0, |place| place + 1);
                let end = text[at..]
                    .iter()
                    .position(|byte| !inside(byte))
                    .map_or(text.len(), |length| at + length);
                let word = WORDS[self.below(WORDS.len())];
                text.splice(start..end.max(start), word.bytes());
            }
            _ => {
                let word = WORDS[self.below(WORDS.len())];
                text.splice(at..at, word.bytes());
            }
        }
    }
}
