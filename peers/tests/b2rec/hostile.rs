//! Damaged files: the caller goes on, whatever Box2D does.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use driftlab_peers::{Error, Limits, Told, box2d, convert_in_child};

/// Small enough that a file which counts wrongly cannot do harm.
const LIMITS: Limits = Limits { seconds: 20, bytes: 32 << 20, memory: 512 << 20 };

fn convert(folder: &Path, bytes: &[u8]) -> (Result<Told, Error>, Vec<u8>) {
    let (input, output) = (folder.join("run.b2rec"), folder.join("run.jsonl"));
    fs::write(&input, bytes).unwrap();
    let _ = fs::remove_file(&output);
    let result = convert_in_child(
        Path::new(env!("CARGO_BIN_EXE_driftlab-b2rec")),
        &["--child"],
        &input,
        &output,
        LIMITS,
    );
    (result, fs::read(&output).unwrap_or_default())
}

/// Marsaglia's xorshift64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

fn mutate(mut bytes: Vec<u8>, dice: &mut Dice) -> Vec<u8> {
    let end = bytes.len();
    match dice.below(6) {
        0 => bytes.truncate(dice.below(end)),
        1 => bytes[dice.below(end)] ^= 1 << dice.below(8),
        2 => (0..8).for_each(|_| bytes[dice.below(end)] = dice.below(256) as u8),
        3 => {
            let at = dice.below(end - 4);
            let number = [0, u32::MAX, 0x7fff_ffff, 0x7f80_0000, 0x7fc0_0000, 0x8000_0000][dice.below(6)];
            bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
        4 => {
            let at = dice.below(end);
            bytes.drain(at..(at + 1 + dice.below(64)).min(end));
        }
        _ => {
            let (from, to) = (dice.below(end), dice.below(end));
            let length = 1 + dice.below(end - from.max(to));
            bytes.copy_within(from..from + length.min(64).min(end - from.max(to)), to);
        }
    }
    bytes
}

/// 500 damaged recordings: an error, a beginning of which it is said so, or a run that Box2D takes for one; never a hang, and
/// what is written has the header and as many lines as are told.
#[test]
fn damaged_files_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let samples = box2d::samples::ALL.map(|(_, make)| make());
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let [mut refused, mut died, mut partial, mut whole, mut late, mut large] = [0; 6];
    for number in 0..500 {
        let bytes = mutate(samples[number % samples.len()].clone(), &mut dice);
        let begun = Instant::now();
        let (result, written) = convert(folder.path(), &bytes);
        assert!(begun.elapsed() < Duration::from_secs(LIMITS.seconds + 5), "{number}");
        assert!(written.len() as u64 <= LIMITS.bytes, "{number}");
        let lines = written.iter().filter(|byte| **byte == b'\n').count();
        match result {
            Ok(told) => {
                assert_eq!(lines, told.steps + 1, "{number}");
                *(if told.partial { &mut partial } else { &mut whole }) += 1;
            }
            Err(Error::Died { step, .. }) => {
                assert_eq!(step, lines.saturating_sub(1), "{number}");
                died += 1;
            }
            Err(Error::Late { .. }) => late += 1,
            Err(Error::Large { .. }) => large += 1,
            Err(_) => refused += 1,
        }
    }
    println!(
        "{refused} refused, {partial} in part, {whole} whole, {died} died, {late} late, {large} too large"
    );
    assert!(refused > 100 && partial > 50, "{refused} {partial}");
    assert!(late == 0 && large == 0, "{late} {large}");
}

/// The messages name both revisions, what is not Box2D's, and where a file is cut off.
#[test]
fn errors_say_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let chain = box2d::samples::chain();
    let text = |bytes: &[u8]| convert(folder.path(), bytes).0.unwrap_err().to_string();
    assert!(text(b"{}").contains("fewer than 32 bytes"));
    assert!(text(&[0; 64]).contains("not with \"B2RC\""));
    let mut other = chain.clone();
    other[6] = 9;
    let revision = text(&other);
    assert!(revision.contains("revision 3.9") && revision.contains("revision 3.2 is read"), "{revision}");
    assert!(text(&chain[..200]).contains("cut off within the first state"));
    let mut flipped = chain.clone();
    flipped[40] ^= 0xff;
    assert!(text(&flipped).contains("another layout"), "{}", text(&flipped));
    let (told, written) = convert(folder.path(), &chain[..chain.len() - 500]);
    let told = told.unwrap();
    assert!(
        told.partial && told.steps > 50 && told.notes.iter().any(|note| note.contains("cut off")),
        "{told:?}"
    );
    assert_eq!(written.iter().filter(|byte| **byte == b'\n').count(), told.steps + 1);
}

/// A recording that would become too large ends there, and a program that is none is an error.
#[test]
fn limits_hold() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("run.b2rec"), folder.path().join("run.jsonl"));
    fs::write(&input, box2d::samples::chain()).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_driftlab-b2rec"));
    let small = Limits { bytes: 20_000, ..LIMITS };
    let result = convert_in_child(program, &["--child"], &input, &output, small);
    let Err(Error::Large { step, bytes: 20_000 }) = result else { panic!("{result:?}") };
    assert!(step > 0 && fs::metadata(&output).unwrap().len() <= 20_000);
    let missing = convert_in_child(&folder.path().join("none"), &[], &input, &output, LIMITS);
    assert!(matches!(missing, Err(Error::Io(_))), "{missing:?}");
}
