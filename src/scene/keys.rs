//! Keys of the keyboard by which a person switches forces: their names in files, and sets of them.

use super::reader::Cursor;
use serde_json::{Value, json};

/// The keys; the place of each is its switch in the engine.
pub const KEYS: [&str; 40] = [
    "Left", "Right", "Up", "Down", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "A", "B", "C", "D",
    "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O", "P", "Q", "R", "S", "T", "U", "V", "W", "X",
    "Y", "Z",
];

/// The switch of a key.
pub(super) fn read(cursor: &Cursor<'_>) -> Option<u8> {
    let keys: Vec<(&str, u8)> = KEYS.into_iter().zip(0..).collect();
    cursor.one_of("a key", &keys)
}

/// A set of keys that are held, as switches.
pub(super) fn read_held(cursor: &Cursor<'_>) -> Option<u64> {
    let read: Vec<_> = cursor.items("an array of keys")?.iter().map(read).collect();
    read.into_iter().try_fold(0, |held, own| Some(held | 1 << own?))
}

/// The name of a switch's key.
pub(super) fn name(switch: u8) -> Option<&'static str> {
    KEYS.get(usize::from(switch)).copied()
}

/// The names of the keys that are held.
pub(super) fn write_held(switches: u64) -> Value {
    let held = KEYS.iter().enumerate().filter(|(place, _)| switches >> place & 1 == 1);
    held.map(|(_, name)| json!(name)).collect()
}
