//! The bytes of a `.b2rec` file, as far as they can be judged without Box2D: the header, the snapshot's place, and the calls,
//! each an opcode, the length of its arguments and these. All numbers are little-endian. Source: Box2D, `src/recording.h` and
//! `src/recording_ops.inl` at the revision that is built here.

use std::collections::HashMap;

use super::told::Key;
use crate::Error;

/// What Box2D's files begin with.
pub const MAGIC: &[u8; 4] = b"B2RC";
const HEADER: usize = 32;
const STEP: u8 = 0x80;
const CREATE_BODY: u8 = 0x10;
const BOUNDS: u8 = 0xf2;

/// The revision of the format that is read: Box2D's `B2_REC_VERSION_MAJOR` and `MINOR`.
pub const REVISION: (u32, u32) =
    (boxdd_sys::adapter::RECORDING_VERSION_MAJOR, boxdd_sys::adapter::RECORDING_VERSION_MINOR);

/// A force or torque that a call puts on a body for the next step.
#[derive(Clone, Copy, Debug)]
pub struct Push {
    /// Its body.
    pub body: Key,
    /// Force, N.
    pub force: [f64; 2],
    /// Where it acts, m; at the centre of mass if it is not said.
    pub at: Option<[f64; 2]>,
    /// Torque, N m.
    pub torque: f64,
    /// Whether all that was put on the body before is taken away first.
    pub clear: bool,
}

/// A step with the calls before it.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Where the step's call begins in the file.
    pub at: usize,
    /// Its length, s.
    pub h: f32,
    /// How many parts it has.
    pub substeps: i32,
    /// Forces put on bodies before it.
    pub pushes: Vec<Push>,
}

/// A recording whose frame is whole.
#[derive(Debug, Default)]
pub struct Stream {
    /// How many metres are Box2D's unit of length.
    pub length_scale: f32,
    /// The state at the beginning: from where to where it stands.
    pub snapshot: std::ops::Range<usize>,
    /// Its steps.
    pub frames: Vec<Frame>,
    /// How often each other call stands in it, by opcode; creating a shape or setting masses counts only for bodies that have
    /// made a step.
    pub calls: HashMap<u8, usize>,
    /// Where the last whole call ends.
    pub end: usize,
    /// What is wrong behind it.
    pub cut: Option<String>,
}

impl Stream {
    /// Reads the frame of a file.
    ///
    /// # Errors
    /// The bytes are no recording of Box2D's, or of another revision, or end within the snapshot.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let header =
            bytes.get(..HEADER).ok_or_else(|| Error::Format("it has fewer than 32 bytes".into()))?;
        if &header[..4] != MAGIC {
            return Err(Error::Format(format!("it begins with {:02x?}, not with \"B2RC\"", &header[..4])));
        }
        let found = (u32::from(u16_at(header, 4)), u32::from(u16_at(header, 6)));
        if found != REVISION {
            return Err(Error::Revision { found, read: REVISION, box2d: boxdd_sys::UPSTREAM_SHA });
        }
        if usize::from(header[17]) != size_of::<usize>() || header[18] != 0 {
            let width = 8 * u32::from(header[17]);
            return Err(Error::Format(format!(
                "it was written on a machine of {width} bits or of other byte order"
            )));
        }
        let length_scale = f32_at(header, 12);
        if !(length_scale.is_finite() && length_scale > 0.0) {
            return Err(Error::Format(format!("its unit of length is {length_scale} m")));
        }
        let size = u64::from_le_bytes(header[24..32].try_into().expect("eight bytes"));
        let room = bytes.len() - HEADER;
        let size =
            usize::try_from(size).ok().filter(|size| (1..=room).contains(size)).ok_or_else(|| {
                Error::Format(format!(
                    "it is cut off within the first state: {size} bytes are stated, {room} there"
                ))
            })?;
        let snapshot = HEADER..HEADER + size;
        let mut stream = Self { length_scale, end: snapshot.end, snapshot, ..Self::default() };
        stream.walk(bytes);
        Ok(stream)
    }

    fn walk(&mut self, bytes: &[u8]) {
        let mut frame = Frame::default();
        let mut new = Vec::new();
        let mut stopped = false;
        while self.end < bytes.len() {
            let at = self.end;
            let Some(call) = bytes.get(at..at + 4) else {
                self.cut = Some(format!("{} bytes are left over at byte {at}", bytes.len() - at));
                return;
            };
            let length = usize::from(call[1]) | usize::from(call[2]) << 8 | usize::from(call[3]) << 16;
            let Some(arguments) = bytes.get(at + 4..at + 4 + length) else {
                self.cut = Some(format!(
                    "the call at byte {at} has {length} bytes, of which {} are there",
                    bytes.len() - at - 4
                ));
                return;
            };
            let opcode = call[0];
            if fixed_length(opcode).is_some_and(|fixed| fixed != length) || name(opcode).is_none() {
                self.cut = Some(format!(
                    "the call at byte {at}, {opcode:#04x} with {length} bytes, is none of Box2D's"
                ));
                return;
            }
            self.end = at + 4 + length;
            stopped = opcode == BOUNDS || (stopped && opcode == 0x01);
            match opcode {
                STEP => {
                    let h = f32_at(arguments, 4);
                    let substeps = i32::from_le_bytes(arguments[8..12].try_into().expect("four bytes"));
                    if !(h.is_finite() && h >= 0.0 && (1..=1000).contains(&substeps)) {
                        self.end = at;
                        self.cut = Some(format!("the step at byte {at} has {h} s in {substeps} parts"));
                        return;
                    }
                    new.clear();
                    self.frames.push(Frame { at, h, substeps, ..std::mem::take(&mut frame) });
                }
                0x26..=0x29 => frame.pushes.push(push(opcode, arguments)),
                CREATE_BODY => {
                    new.extend(arguments.last_chunk::<8>().map(|id| key(u64::from_le_bytes(*id))))
                }
                0x40..=0x44 | 0x70 | 0x2d | 0x2e
                    if arguments
                        .first_chunk()
                        .is_some_and(|id| new.contains(&key(u64::from_le_bytes(*id)))) => {}
                _ => *self.calls.entry(opcode).or_default() += 1,
            }
        }
        if !stopped {
            self.cut = Some("it ends without Box2D's end of a recording".into());
        }
    }
}

fn push(opcode: u8, arguments: &[u8]) -> Push {
    let number = |at| f64::from(f32_at(arguments, at));
    let body = key(u64::from_le_bytes(arguments[..8].try_into().expect("eight bytes")));
    let still = Push { body, force: [0.0; 2], at: None, torque: 0.0, clear: false };
    match opcode {
        0x26 => Push { force: [number(8), number(12)], at: Some([number(16), number(20)]), ..still },
        0x27 => Push { force: [number(8), number(12)], ..still },
        0x28 => Push { torque: number(8), ..still },
        _ => Push { clear: true, ..still },
    }
}

/// Box2D's `b2LoadBodyId`.
fn key(stored: u64) -> Key {
    Key { index: (stored >> 32) as i32, generation: stored as u16 }
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().expect("two bytes"))
}

pub(super) fn f32_at(bytes: &[u8], at: usize) -> f32 {
    f32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

/// How many bytes the arguments of a call have, where that does not depend on them.
fn fixed_length(opcode: u8) -> Option<usize> {
    Some(match opcode {
        0x01 | 0x0c => 4,
        0x02 | 0x03 | 0x0b | 0x0d => 5,
        0x04 | 0x05 | 0x09 | 0x0a => 8,
        0x06 | STEP | 0xf1 => 12,
        0x08 => 16,
        0x11 | 0x29 | 0x2e | 0x33 | 0x36 | 0x37 | 0x71 | 0x9b => 8,
        0x32 | 0x34 | 0x39..=0x3c | 0x45 | 0x56..=0x59 | 0x97 | 0x9a => 9,
        0xa1 | 0xa5 | 0xa7 | 0xb4 | 0xb8 | 0xba | 0xbd | 0xc1 | 0xc3 | 0xca | 0xcd | 0xcf => 9,
        0x22 | 0x24 | 0x2f..=0x31 | 0x35 | 0x51 | 0x52 | 0x9d | 0x9e => 12,
        0xa0 | 0xa3 | 0xa4 | 0xa8 | 0xa9 | 0xab..=0xb3 | 0xb5..=0xb7 | 0xbb | 0xbc => 12,
        0xbe..=0xc0 | 0xc4..=0xc9 | 0xcb | 0xcc | 0xd0 | 0xd1 => 12,
        0x28 | 0x2c | 0x50 => 13,
        0x21 | 0x53 | 0x9c | 0xa2 | 0xa6 | 0xaa | 0xb9 | 0xc2 | 0xce | BOUNDS => 16,
        0x27 | 0x2b => 17,
        0x20 | 0x98 | 0x99 => 24,
        0x26 | 0x2a => 25,
        _ => return None,
    })
}

/// What a call changes that the scene of a recording's first line cannot tell; an empty text if nothing, none if Box2D has no
/// such call.
pub fn name(opcode: u8) -> Option<&'static str> {
    Some(match opcode {
        0x01 | 0x0c | 0x10 | 0x11 | 0x26..=0x29 | STEP | 0x97 | 0x90..=0x96 => "",
        0x02 | 0x03 | 0x04 | 0x08 | 0x09 | 0x0a | 0x0b | 0x0d => "settings of the solver",
        0x05 | 0x23 | 0x32..=0x35 | 0x39..=0x3c | 0x53 | 0x56..=0x59 | 0x9b | 0x9d | 0x9e => "",
        0x06 => "gravity",
        0x07 => "",
        0x20 => "poses of bodies, set by hand",
        0x21 | 0x24 | 0x25 | 0x2a..=0x2c => "",
        0x22 | 0x36..=0x38 => "how bodies move",
        0x2d | 0x2e | 0x50 => "masses",
        0x2f..=0x31 => "damping and gravity scale",
        0x40..=0x45 | 0x5a..=0x5e | 0x70 | 0x71 => "shapes of bodies that were there before",
        0x51 | 0x52 | 0x54 | 0x55 | 0x72 => "materials and filters",
        0x5f => "wind, whose force is not told",
        0x98..=0x9a | 0x9c => "frames and softness of joints",
        0xa0..=0xd1 => "limits, motors and springs of joints",
        0xe0..=0xe8 | 0xf1 | BOUNDS => "",
        _ => return None,
    })
}
