//! A clip of the stage with its plots as an animated PNG: pictures of that part of the window are taken as they are
//! drawn, made half as large where they are wide, and written by a thread when the clip ends.

use crate::platform::HAS_THREADS;
use crate::platform::clock::Instant;
use crate::platform::files::{place_for_picture, replace};
use egui_macroquad::egui::Rect;
use macroquad::prelude::get_screen_data;
use png::{BitDepth, ColorType, Compression, Encoder};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Duration;

/// Least time between two pictures.
const APART: Duration = Duration::from_millis(80);
/// Most bytes of a clip's pictures in memory, after which it ends by itself.
const MOST_BYTES: usize = 256 << 20;
/// Pictures wider than this, pixels, are made half as large.
const WIDEST: usize = 1200;
/// The parts of a second in which delays are written.
const PARTS: u16 = 1000;

/// A clip that is being taken or written.
pub(super) enum Clip {
    /// Pictures are taken.
    Taking(Take),
    /// They are being written; what comes is the file, or why there is none.
    Writing(Receiver<Told>),
}

/// What the writer tells.
pub(super) enum Told {
    /// So many per cent are written.
    Progress(usize),
    /// It is done.
    Done(io::Result<PathBuf>),
}

/// Pictures of one size, each with the moment at which it was taken.
pub(super) struct Take {
    size: [usize; 2],
    pictures: Vec<(Instant, Vec<u8>)>,
}

impl Clip {
    pub(super) fn begin() -> Self {
        Self::Taking(Take { size: [0, 0], pictures: Vec::new() })
    }

    /// After a frame has been drawn: takes `part` of it, pixels, or hears from the writer. Returns what is to be said,
    /// and whether the clip is over.
    pub(super) fn go_on(&mut self, part: Rect) -> (Option<String>, bool) {
        match self {
            Self::Taking(take) if take.is_full() => {
                self.end();
                (None, false)
            }
            Self::Taking(take) => {
                take.picture(part);
                (None, false)
            }
            Self::Writing(told) => match told.try_recv() {
                Ok(Told::Progress(share)) => (Some(format!("Writing the clip: {share} %")), false),
                Ok(Told::Done(Ok(path))) => (Some(format!("Clip written to {}", path.display())), true),
                Ok(Told::Done(Err(error))) => (Some(format!("No clip: {error}")), true),
                Err(TryRecvError::Empty) => (None, false),
                Err(TryRecvError::Disconnected) => (Some("No clip: its writer has ended".to_owned()), true),
            },
        }
    }

    /// No more pictures are taken; they are written from now on.
    pub(super) fn end(&mut self) {
        let Self::Taking(take) = self else { return };
        let take = std::mem::replace(take, Take { size: [0, 0], pictures: Vec::new() });
        let (teller, told) = channel();
        let write = move || {
            let progress = |share| {
                // Where nobody listens any more, the file is written all the same.
                teller.send(Told::Progress(share)).ok();
            };
            let written = place_for_picture().and_then(|path| take.write(&path, progress).map(|()| path));
            teller.send(Told::Done(written)).ok();
        };
        if HAS_THREADS {
            std::thread::spawn(write);
        } else {
            write();
        }
        *self = Self::Writing(told);
    }

    /// Whether pictures are being taken.
    pub(super) fn is_taking(&self) -> bool {
        matches!(self, Self::Taking(_))
    }
}

impl Take {
    fn is_full(&self) -> bool {
        let [width, height] = self.size;
        (self.pictures.len() + 1) * 3 * width * height > MOST_BYTES
    }

    /// Takes a part of the screen's contents, unless the last picture is too recent.
    fn picture(&mut self, part: Rect) {
        let now = Instant::now();
        if self.pictures.last().is_some_and(|(last, _)| now - *last < APART) {
            return;
        }
        let screen = get_screen_data();
        let whole = [usize::from(screen.width), usize::from(screen.height)];
        let [from, to] = [part.min, part.max].map(|corner| {
            let [x, y] = [corner.x.round() as usize, corner.y.round() as usize];
            [x.min(whole[0]), y.min(whole[1])]
        });
        let [width, height] = [0, 1].map(|axis: usize| to[axis] - from[axis].min(to[axis]));
        let step = if width > WIDEST { 2 } else { 1 };
        let size = [width / step, height / step];
        // A window that has changed its size ends the clip's pictures, not the clip.
        if self.pictures.is_empty() {
            self.size = size;
        } else if self.size != size {
            return;
        }
        self.pictures.push((now, smaller(&screen.bytes, whole, (from, size), step)));
    }

    /// Writes the pictures.
    fn write(&self, path: &Path, progress: impl Fn(usize)) -> io::Result<()> {
        let moments: Vec<Instant> = self.pictures.iter().map(|(moment, _)| *moment).collect();
        let delays = moments.windows(2).map(|pair| pair[1] - pair[0]);
        let delays: Vec<Duration> = delays.chain([APART]).collect();
        let pictures: Vec<&[u8]> = self.pictures.iter().map(|(_, picture)| picture.as_slice()).collect();
        replace(path, &animated(self.size, &pictures, &delays, progress)?)
    }
}

/// A part of a screen that begins at `from`: every `step`th pixel in both directions as the mean of those around it, in
/// RGB and from the top row down; the graphics card's rows run from the bottom up.
fn smaller(
    rgba: &[u8],
    [width, height]: [usize; 2],
    (from, size): ([usize; 2], [usize; 2]),
    step: usize,
) -> Vec<u8> {
    let mut rgb = Vec::with_capacity(3 * size[0] * size[1]);
    for y in 0..size[1] {
        for x in 0..size[0] {
            for channel in 0..3 {
                let mut sum = 0_usize;
                for (dy, dx) in (0..step).flat_map(|dy| (0..step).map(move |dx| (dy, dx))) {
                    let row = height - 1 - (from[1] + step * y + dy);
                    let at = 4 * (row * width + from[0] + step * x + dx) + channel;
                    sum += usize::from(rgba.get(at).copied().unwrap_or_default());
                }
                rgb.push((sum / (step * step)) as u8);
            }
        }
    }
    rgb
}

/// Pictures as an animated PNG that repeats without end, each shown for its delay.
fn animated(
    [width, height]: [usize; 2],
    pictures: &[&[u8]],
    delays: &[Duration],
    progress: impl Fn(usize),
) -> io::Result<Vec<u8>> {
    if pictures.is_empty() {
        return Err(io::Error::other("it has no picture"));
    }
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width as u32, height as u32);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Default);
    encoder.set_animated(pictures.len() as u32, 0)?;
    let mut writer = encoder.write_header()?;
    for (place, (picture, delay)) in pictures.iter().zip(delays).enumerate() {
        let parts = (delay.as_secs_f64() * f64::from(PARTS)).round().min(f64::from(u16::MAX));
        writer.set_frame_delay(parts as u16, PARTS)?;
        writer.write_image_data(picture)?;
        progress(100 * (place + 1) / pictures.len());
    }
    writer.finish()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::{animated, smaller};
    use png::Decoder;
    use std::time::Duration;

    /// A clip has all pictures with their delays, repeats without end, and loses no pixel.
    #[test]
    fn a_clip_reads_back() {
        let pictures: Vec<Vec<u8>> = (0..3).map(|n| (0..18).map(|i| i * 10 + n).collect()).collect();
        let views: Vec<&[u8]> = pictures.iter().map(Vec::as_slice).collect();
        let delays = [80, 120, 250].map(Duration::from_millis);
        let file = animated([3, 2], &views, &delays, |_| ()).expect("a file");
        let mut reader = Decoder::new(file.as_slice()).read_info().expect("a header");
        let control = *reader.info().animation_control().expect("an animation");
        assert_eq!((control.num_frames, control.num_plays), (3, 0));
        for (picture, delay) in pictures.iter().zip([80, 120, 250]) {
            let mut buffer = vec![0; reader.output_buffer_size()];
            reader.next_frame(&mut buffer).expect("a frame");
            assert_eq!(&buffer, picture);
            let frame = reader.info().frame_control().expect("a frame's head");
            assert_eq!((frame.delay_num, frame.delay_den), (delay, 1000));
        }
        assert!(animated([3, 2], &[], &[], |_| ()).is_err());
    }

    /// The rows come from the top down, and a picture of half the size has the means of four pixels.
    #[test]
    fn a_picture_becomes_smaller() {
        let rgba: Vec<u8> = (0..16).flat_map(|i| [i, 2 * i, 3 * i, 255]).collect();
        let whole = ([0, 0], [4, 4]);
        assert_eq!(smaller(&rgba, [4, 4], whole, 1)[..3], [12, 24, 36]);
        // The second column of the second row from above.
        assert_eq!(smaller(&rgba, [4, 4], ([1, 1], [1, 1]), 1), [9, 18, 27]);
        let half = smaller(&rgba, [4, 4], ([0, 0], [2, 2]), 2);
        assert_eq!(half.len(), 12);
        // Pixels 8, 9, 12 and 13: (8 + 9 + 12 + 13) / 4 = 10.5.
        assert_eq!(half[..3], [10, 21, 31]);
    }
}
